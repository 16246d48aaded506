//! Values that a clause may enter into the fields of a screen.

use crate::domain::{Action, InputText, content_words, same_word, words};
use crate::form::Input;
use crate::hierarchy::{Role, Screen};
use crate::pipeline::journal::Journal;
use crate::pipeline::task::{Clause, Lexicon, Parameter, SpokenValue, Verb, VerbSet, name_fit, value_beside};
use crate::ranking::Place;

/// From this fit on a label bears a value that the clause chooses.
const SHOWS: f32 = 0.55;

/// Most fields of a page that signs in.
const MAX_SIGN_IN: usize = 3;

/// A value that may be entered.
pub(super) struct Candidate {
    pub(super) name: String,
    /// What it is, in words.
    pub(super) words: String,
    pub(super) value: InputText,
    pub(super) mentioned: bool,
    /// The place whose label the clause says beside the value, by its position.
    pub(super) home: Option<usize>,
}

/// True if the page asks for one secret and little else.
fn is_sign_in(screen: &Screen) -> bool {
    let fields = || screen.widgets.iter().filter(|widget| widget.role == Role::Field);
    fields().filter(|field| field.state.password).count() == 1 && fields().count() <= MAX_SIGN_IN
}

/// The values that the clause may enter: what it mentions or quotes; where it mentions none and fills a form, all that no
/// other step claims.
pub(super) fn candidates(
    clause: &Clause,
    parameters: &[Parameter],
    journal: &Journal,
    screen: &Screen,
) -> Vec<Candidate> {
    let step = &clause.step;
    let mut found: Vec<Candidate> = Vec::new();
    let alone = step.mentions.is_empty() && step.quoted.is_empty();
    let said = content_words(&step.instruction);
    let has_begun = journal
        .current_deeds()
        .any(|record| matches!(record.action, Action::InputText { .. }) && record.after.title == screen.title);
    // What stands behind a sign-in page is reached by signing in, whether the clause says so or not.
    let signs_in = (clause.verbs.has(Verb::SignIn) || !clause.fills()) && is_sign_in(screen);
    for parameter in parameters {
        let named = content_words(&parameter.words());
        let given = journal.has_given(&parameter.name) || journal.has_chosen(parameter);
        let free = !step.reserved.contains(&parameter.name) && !given;
        let here = journal.has_given_now(&parameter.name);
        // "Fill in the amount" mentions the parameter of that name, also where an earlier step has given it elsewhere.
        let by_name = !step.reserved.contains(&parameter.name)
            && !here
            && clause.fills()
            && !named.is_empty()
            && named.iter().all(|word| said.iter().any(|other| same_word(word, other)));
        let mentioned = step.mentions.contains(&parameter.name) || by_name;
        let unclaimed = free && (clause.is_goal || alone && (clause.fills() || clause.commits()));
        // A form that the clause has begun to fill in is filled in with what no other step claims.
        let sibling = free && has_begun && (clause.fills() || clause.commits());
        if mentioned || unclaimed || sibling || signs_in && free || here && (alone || clause.is_goal || signs_in) {
            found.push(Candidate {
                name: parameter.name.clone(),
                words: parameter.words(),
                value: parameter.value.clone(),
                mentioned,
                home: None,
            });
        }
    }
    for quoted in &step.quoted {
        if found.iter().any(|candidate| candidate.value.expose() == quoted) {
            continue;
        }
        // A quoted text has no name: what the clause says around it tells what it is.
        let words = step.instruction.replace(quoted.as_str(), " ").replace(['"', '“', '”'], " ");
        found.push(Candidate {
            name: quoted.clone(),
            words: words.split_whitespace().collect::<Vec<_>>().join(" "),
            value: InputText::Plain(quoted.clone()),
            mentioned: true,
            home: None,
        });
    }
    if let Some(SpokenValue { label, value }) = &clause.spoken {
        found.push(Candidate {
            name: value.clone(),
            words: label.clone(),
            value: InputText::Plain(value.clone()),
            mentioned: true,
            home: None,
        });
    }
    // What can be touched is not typed, unless the clause says that it is.
    let types = clause.leads_with(VerbSet::of(&[Verb::Enter, Verb::Create, Verb::Edit, Verb::Send, Verb::Search]))
        || clause.is_goal && clause.fills();
    let shows = if clause.leads_with(VerbSet::of(&[Verb::Choose])) { SHOWS } else { 0.9 };
    found.retain(|candidate| {
        let value = &candidate.value;
        let shown = |label: &str| !value.is_secret() && name_fit(label, value.expose()) >= shows;
        let touchable = screen.widgets.iter().any(|widget| {
            let offers = widget.clickable && !matches!(widget.role, Role::Field | Role::KeypadKey);
            offers && (shown(&widget.label) || shown(&widget.value))
        });
        types || !touchable
    });
    found
}

/// Adds the values that the clause says beside the labels of places: "Frames: 6" goes where "Frames" stands. What a place says
/// itself counts before what stands around it.
pub(super) fn add_spoken(
    candidates: &mut Vec<Candidate>,
    clause: &Clause,
    parameters: &[Parameter],
    (places, screen): (&[Input], &Screen),
    lexicon: &Lexicon,
) {
    let typable = |place: &Input| matches!(place.place, Place::Field(_)) && !place.password;
    // A field that shows a value of the clause is not called by it.
    let is_name = |label: &&str| !label.is_empty() && !clause.names.iter().any(|name| name == label);
    let said = |labels: &[&str]| {
        // A parameter that is called like the field is what goes there.
        let given = |label: &str| {
            let own = content_words(label);
            !own.is_empty() && parameters.iter().any(|one| content_words(&one.words()) == own)
        };
        let mut values = labels.iter().copied().filter(|label| is_name(label) && !given(label));
        values.find_map(|label| value_beside(&clause.step.instruction, label, lexicon))
    };
    let fields = || {
        let field = |place: &Input| place.place.widget().and_then(|id| screen.widgets.get(id));
        places
            .iter()
            .enumerate()
            .filter(|(_, place)| typable(place))
            .filter_map(move |(at, place)| Some((at, place, field(place)?)))
    };
    let mut homes: Vec<(usize, String)> = Vec::new();
    for (at, place, field) in fields() {
        if let Some(value) = said(&[field.label.as_str(), field.hint.as_str(), place.own.trim()]) {
            homes.push((at, value));
        }
    }
    for (at, _, field) in fields() {
        let taken =
            |homes: &[(usize, String)], value: &str| homes.iter().any(|(home, other)| *home == at || other == value);
        if let Some(value) = said(&[field.context.as_str()]).filter(|value| !taken(&homes, value)) {
            homes.push((at, value));
        }
    }
    // "Customer number and password" says no value of the number: another thing is called that.
    let called = |value: &str| {
        let same = |text: &str| !text.is_empty() && words(text) == words(value);
        places.iter().any(|place| same(place.own.trim())) || candidates.iter().any(|known| same(&known.words))
    };
    homes.retain(|(_, value)| !called(value));
    for (at, value) in homes {
        let holds = |known: &Candidate, is: fn(&str, &str) -> bool| {
            !known.value.is_secret() && is(known.value.expose(), &value)
        };
        if let Some(known) = candidates.iter_mut().find(|known| holds(known, |known, value| known == value)) {
            known.home = Some(at);
            continue;
        }
        // A longer text that holds a value already known is that value with words around it.
        if !candidates.iter().any(|known| holds(known, |known, value| value.contains(known))) {
            candidates.push(Candidate {
                name: value.clone(),
                words: places.get(at).map(|place| place.own.clone()).unwrap_or_default(),
                value: InputText::Plain(value),
                mentioned: true,
                home: Some(at),
            });
        }
    }
}
