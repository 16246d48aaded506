//! Values for the places of a screen.

use super::assignment::{assign, assign_first};
use super::candidate::{Candidate, add_spoken, candidates};
use crate::domain::{Action, InputText, content_words, overlap, same_word, words};
use crate::form::{FieldKind, Input, places};
use crate::hierarchy::{Role, Screen, WidgetId};
use crate::inference::{EmbedError, Embedder, cosine};
use crate::lexicon::Grammar;
use crate::pipeline::journal::{ActionRecord, ControlMark, Journal};
use crate::pipeline::task::{Clause, Lexicon, Parameter, Verb, VerbSet, name_fit};
use crate::pipeline::value_control::read_date;
use crate::ranking::{Cues, Place};
use std::collections::{BTreeMap, BTreeSet};

/// What is to be made new is not looked up.
const CREATING: VerbSet = VerbSet::of(&[Verb::Create]);
/// Below this a value does not belong into a place.
const MIN_FIT: f32 = 0.40;
/// A value that the clause mentions belongs into the only place there is.
const ONLY_PLACE: f32 = 0.62;
/// A value that was given before in the same clause is given again only to a place that fits this well.
const MIN_FIT_AGAIN: f32 = 0.66;
/// Share of the meaning, beside the words that both have in common.
const MEANING: f32 = 0.6;
/// What a place for another kind of thing fits less.
const OTHER_KIND: f32 = 0.30;
/// What a place fits more whose label the clause says nearly word by word, small words included: "what was it for".
const SAID_HERE: f32 = 0.30;
/// A value right behind the place's own label: "from Bruges" for a field called From.
const LED_BY_LABEL: f32 = 0.85;
/// How well what is left over fits the place that is left.
const LEFT_OVER: f32 = 0.55;
/// What a value and a place that are left over are worth to each other at least.
const NOTHING_ELSE: f32 = 0.1;
/// Values that fit a place so little less than the chosen one are in question for it.
const NEARLY: f32 = 0.05;
/// What a place named by the clause fits more.
const NAMED_HERE: f32 = 0.15;

/// A value for a place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Binding {
    /// Where it goes.
    pub place: Place,
    /// Name of the parameter, or the quoted text itself.
    pub parameter: String,
    /// What is typed there.
    pub text: InputText,
    /// How well they fit, 0 to 1.
    pub fit: f32,
    /// The clause mentions or quotes it.
    pub mentioned: bool,
    /// The field, for all but the keypad.
    pub widget: Option<WidgetId>,
    /// Other values that fit the place nearly as well, by name, and how much less.
    pub rivals: Vec<(String, f32)>,
}

/// What belongs where on a screen.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Bindings {
    /// What is still to be entered.
    pub open: Vec<Binding>,
    /// Names of the parameters whose fields hold them.
    pub held: Vec<String>,
}

/// Binds the clause's values to the places of the screen. `used` names parameters that earlier clauses used up.
pub(crate) fn bind(
    embedder: &dyn Embedder,
    cues: &Cues,
    clause: &Clause,
    parameters: &[Parameter],
    journal: &Journal,
    screen: &Screen,
    lexicon: &Lexicon,
) -> Result<Bindings, EmbedError> {
    let places: Vec<Input> = places(screen, parameters, cues).into_iter().filter(|place| place.enabled).collect();
    let nameless: Vec<bool> = places.iter().map(is_nameless).collect();
    let places: Vec<Input> = places.into_iter().map(|place| with_remembered_name(place, journal)).collect();
    if places.is_empty() {
        return Ok(Bindings::default());
    }
    let mut candidates = candidates(clause, parameters, journal, screen);
    add_spoken(&mut candidates, clause, parameters, (&places, screen), lexicon);
    if candidates.is_empty() {
        return Ok(Bindings::default());
    }
    let mut texts: Vec<&str> = places.iter().map(|place| place.text.as_str()).collect();
    texts.extend(candidates.iter().map(|candidate| candidate.words.as_str()));
    let vectors = embedder.embed(&texts)?;
    let (place_vectors, name_vectors) = vectors.split_at(places.len());
    let only = places.iter().filter(|place| !is_search(cues, place) || candidates.len() == 1).count() == 1;
    let fields = places.iter().filter(|place| place.place != Place::Keypad).count();
    // A page that was opened in search of something is filled in with what clearly belongs there only.
    let alone = fields == 1
        && !journal.is_exploring()
        && candidates.iter().filter(|candidate| candidate.mentioned).count() == 1;
    let title = title_place(clause, &places, screen, cues, lexicon);
    let mut fits = Vec::new();
    for (candidate, name_vector) in candidates.iter().zip(name_vectors) {
        let mut row = Vec::new();
        for (at, (place, place_vector)) in places.iter().zip(place_vectors).enumerate() {
            let taken = !candidate.mentioned && holds_another(journal, screen, place, &candidate.name);
            if taken || candidate.home.is_some_and(|home| home != at) {
                row.push(None);
                continue;
            }
            let shaped = is_only_number(candidate, &candidates, place, &places);
            let pair = Pair { cues, clause, parameters, journal, candidate, place, only, alone, shaped };
            let fit = pair.fit(cosine(place_vector, name_vector));
            let names = title == Some(at) && candidate.mentioned && !candidate.value.is_secret();
            row.push(if names && !pair.is_forbidden(&Names::of(&pair)) {
                Some(fit.unwrap_or(0.0).max(MIN_FIT_AGAIN))
            } else {
                fit
            });
        }
        fits.push(row);
    }
    let given =
        |value: usize| candidates.get(value).is_some_and(|one| one.home.is_some() || journal.has_given_now(&one.name));
    let vacant = |place: usize| places.get(place).filter(|place| place.value.is_empty()).map(|place| place.own.trim());
    in_order(&mut fits, given, vacant);
    // A value that nobody spoke of takes no place from one that the clause surely means.
    let is_meant = |value: usize, fit: f32| {
        fit >= MIN_FIT_AGAIN && candidates.get(value).is_some_and(|candidate| candidate.mentioned)
    };
    let mut assigned = assign_first(&fits, is_meant);
    let free = |candidate: &Candidate, at: usize| {
        let Some(place) = places.get(at) else { return false };
        let shaped = false;
        let pair = Pair { cues, clause, parameters, journal, candidate, place, only: false, alone: false, shaped };
        let field = matches!(place.place, Place::Field(_)) && !place.password;
        // A value that the clause gives may replace one whose field tells no name.
        let gives = clause.fills() || clause.leads_with(VerbSet::of(&[Verb::Choose, Verb::Edit]));
        let vacant = if candidate.mentioned {
            let nameless = nameless.get(at).copied().unwrap_or_default();
            gives && !journal.is_exploring() && nameless && !candidate.value.is_secret()
        } else {
            place.value.is_empty()
        };
        let offered = offers(screen, candidate);
        field && vacant && !offered && !pair.is_forbidden(&Names::of(&pair)) && !pair.was_rejected()
    };
    let likeness = |value: usize, place: usize| {
        name_vectors.get(value).zip(place_vectors.get(place)).map_or(0.0, |(value, place)| cosine(value, place))
    };
    let left = left_over(&candidates, &places, &assigned, (free, likeness));
    for (value, place) in left {
        if let Some(fit) = fits.get_mut(value).and_then(|row| row.get_mut(place)) {
            *fit = Some(LEFT_OVER);
            assigned.push((value, place));
        }
    }
    let mut bindings = Bindings::default();
    for (value, at) in assigned {
        let (Some(candidate), Some(place), Some(fit)) =
            (candidates.get(value), places.get(at), fits.get(value).and_then(|row| row.get(at)).copied().flatten())
        else {
            continue;
        };
        if place.holds(&candidate.value) {
            bindings.held.push(candidate.name.clone());
        } else {
            bindings.open.push(Binding {
                place: place.place,
                parameter: candidate.name.clone(),
                text: place.rest(&candidate.value),
                fit,
                mentioned: candidate.mentioned,
                widget: place.place.widget(),
                rivals: rivals(&candidates, &fits, (value, at), fit),
            });
        }
    }
    Ok(bindings)
}

/// Values but the chosen one that fit a place nearly as well as its `fit`, by name, and how much less; closest first.
fn rivals(
    candidates: &[Candidate],
    fits: &[Vec<Option<f32>>],
    (chosen, place): (usize, usize),
    fit: f32,
) -> Vec<(String, f32)> {
    let less = |(value, row): (usize, &Vec<Option<f32>>)| {
        let other = row.get(place).copied().flatten().filter(|other| value != chosen && *other + NEARLY >= fit)?;
        Some((candidates.get(value)?.name.clone(), (fit - other).max(0.0)))
    };
    let mut found: Vec<(String, f32)> = fits.iter().enumerate().filter_map(less).collect();
    found.sort_by(|one, other| one.1.total_cmp(&other.1));
    found
}

/// The place of a form that takes the name of a new thing, where the clause gives a name: the first field to type into that is
/// empty, as forms begin with what a thing is called. `None` where the clause gives no name.
fn title_place(clause: &Clause, places: &[Input], screen: &Screen, cues: &Cues, lexicon: &Lexicon) -> Option<usize> {
    if !lexicon.holds(Grammar::Naming, &clause.step.instruction) {
        return None;
    }
    let top = |place: &Input| place.place.widget().and_then(|id| screen.widgets.get(id)).map(|it| it.bounds.top);
    let typable = |place: &(usize, &Input)| {
        let (_, place) = place;
        matches!(place.place, Place::Field(_)) && !place.password && place.value.is_empty() && !is_search(cues, place)
    };
    places.iter().enumerate().filter(typable).min_by_key(|(_, place)| top(place)).map(|(at, _)| at)
}

/// Step of a fit by which values come into places that are called alike in their order.
const ORDER_STEP: f32 = 0.004;

/// Lets values take places that are called alike in the order in which both stand: "the three options" go into the fields from the
/// top. `given` tells which values have their place already, `vacant` the name of a place that is empty.
fn in_order<'p>(
    fits: &mut [Vec<Option<f32>>],
    given: impl Fn(usize) -> bool,
    vacant: impl Fn(usize) -> Option<&'p str>,
) {
    let count = fits.first().map_or(0, Vec::len);
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for place in 0..count {
        if let Some(name) = vacant(place) {
            groups.entry(name).or_default().push(place);
        }
    }
    for group in groups.into_values().filter(|group| group.len() > 1) {
        let here =
            |row: &[Option<f32>]| group.iter().filter_map(|at| row.get(*at).copied().flatten()).fold(0.0, f32::max);
        let elsewhere = |row: &[Option<f32>]| {
            let others = row.iter().enumerate().filter(|(at, _)| !group.contains(at));
            others.filter_map(|(_, fit)| *fit).fold(0.0, f32::max)
        };
        let own = |(value, row): &(usize, &Vec<Option<f32>>)| {
            !given(*value) && here(row) >= MIN_FIT && here(row) > elsewhere(row)
        };
        let values: Vec<usize> = fits.iter().enumerate().filter(own).map(|(value, _)| value).collect();
        if values.len() < 2 {
            continue;
        }
        let total: f32 = values.iter().filter_map(|value| fits.get(*value)).map(|row| here(row)).sum();
        let mean = total / values.len() as f32;
        for (first, value) in values.iter().enumerate() {
            for (second, place) in group.iter().enumerate() {
                let apart = first + first.abs_diff(second);
                if let Some(fit) = fits.get_mut(*value).and_then(|row| row.get_mut(*place)).filter(|fit| fit.is_some())
                {
                    *fit = Some(ORDER_STEP.mul_add(-(apart as f32), mean));
                }
            }
        }
    }
}

/// True if the place holds what was entered for another parameter.
fn holds_another(journal: &Journal, screen: &Screen, place: &Input, name: &str) -> bool {
    let Some(widget) = place.place.widget().and_then(|id| screen.widgets.get(id)) else { return false };
    let into = |record: &&ActionRecord| {
        let same = |control: &ControlMark| {
            control.label == widget.label && control.resource_id == widget.resource_id && control.role == widget.role
        };
        matches!(record.action, Action::InputText { .. }) && record.control.as_ref().is_some_and(same)
    };
    let last = journal.valid().filter(into).last();
    !place.value.is_empty() && last.and_then(|record| record.parameter.as_deref()).is_some_and(|other| other != name)
}

/// True if a value is the only number among the values, and a place the only one that holds a number.
fn is_only_number(candidate: &Candidate, all: &[Candidate], place: &Input, places: &[Input]) -> bool {
    let holds = |place: &Input| !place.password && is_number(&place.value);
    let number = |one: &Candidate| !one.value.is_secret() && is_number(one.value.expose());
    number(candidate)
        && holds(place)
        && all.iter().filter(|one| number(one)).count() == 1
        && places.iter().filter(|one| holds(one)).count() == 1
}

/// True if something that can be touched offers the value: it is chosen, not typed.
fn offers(screen: &Screen, candidate: &Candidate) -> bool {
    let value = &candidate.value;
    let shown = |label: &str| !value.is_secret() && name_fit(label, value.expose()) >= 0.9;
    screen.widgets.iter().any(|widget| widget.clickable && widget.role != Role::Field && shown(&widget.label))
}

/// Pairs (value, place) that are left over after the assignment and belong together because nothing else is left: the only place
/// whose form suits the value, or as many places as values, each with the one it is most like.
fn left_over(
    candidates: &[Candidate],
    places: &[Input],
    assigned: &[(usize, usize)],
    (free, likeness): (impl Fn(&Candidate, usize) -> bool, impl Fn(usize, usize) -> f32),
) -> Vec<(usize, usize)> {
    let is_free = |value: usize, place: usize| {
        !assigned.iter().any(|(known, taken)| *known == value || *taken == place)
            && candidates.get(value).is_some_and(|candidate| free(candidate, place))
    };
    let all = || (0..candidates.len()).flat_map(|value| (0..places.len()).map(move |place| (value, place)));
    let open: Vec<(usize, usize)> = all().filter(|(value, place)| is_free(*value, *place)).collect();
    let suits = |(value, place): &(usize, usize)| {
        candidates.get(*value).zip(places.get(*place)).is_some_and(|(one, place)| place.form(&one.value) > 0.0)
    };
    let alone = |pair: &(usize, usize), among: &[(usize, usize)]| {
        among.iter().filter(|(value, place)| *value == pair.0 || *place == pair.1).count() == 1
    };
    let suited: Vec<(usize, usize)> = open.iter().copied().filter(suits).collect();
    let mut found: Vec<(usize, usize)> = suited.iter().copied().filter(|pair| alone(pair, &suited)).collect();
    let rest: Vec<(usize, usize)> = open
        .into_iter()
        .filter(|(value, place)| !found.iter().any(|(known, taken)| known == value || taken == place))
        .collect();
    let clashes = |(value, place): &(usize, usize)| {
        candidates.get(*value).zip(places.get(*place)).is_some_and(|(one, place)| place.form(&one.value) < 0.0)
    };
    let values: BTreeSet<usize> = rest.iter().map(|(value, _)| *value).collect();
    let empty: BTreeSet<usize> = rest.iter().map(|(_, place)| *place).collect();
    if values.len() == empty.len() {
        let fit = |pair: (usize, usize)| {
            let may = rest.contains(&pair) && !clashes(&pair);
            may.then(|| NOTHING_ELSE + likeness(pair.0, pair.1).max(0.0))
        };
        let row = |value: usize| (0..places.len()).map(|place| fit((value, place))).collect::<Vec<_>>();
        found.extend(assign(&(0..candidates.len()).map(row).collect::<Vec<_>>()));
    }
    found
}

/// True for a place that shows nothing but its value.
fn is_nameless(place: &Input) -> bool {
    !place.password && !place.value.is_empty() && (place.own.trim().is_empty() || place.own.trim() == place.value)
}

/// A place with the name that its value had on a page before, where it shows nothing but the value.
fn with_remembered_name(mut place: Input, journal: &Journal) -> Input {
    let nameless = is_nameless(&place);
    if let Some(name) = journal.name_of(&place.value).filter(|_| nameless) {
        place.own = name.to_owned();
        place.text = format!("{name} {}", place.text);
    }
    place
}

/// True for a whole number.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}

/// One value and one place.
struct Pair<'a> {
    cues: &'a Cues,
    clause: &'a Clause,
    parameters: &'a [Parameter],
    journal: &'a Journal,
    candidate: &'a Candidate,
    place: &'a Input,
    only: bool,
    /// There is one value that the clause mentions, and one field.
    alone: bool,
    /// The value is the only number, and the place the only one that holds one.
    shaped: bool,
}

/// What a place and a value are called, in words and in kinds of words.
struct Names {
    place: Vec<String>,
    value: Vec<String>,
    place_kinds: Vec<String>,
    value_kinds: Vec<String>,
    /// Share of kinds that are the same.
    shared: f32,
    /// Every kind of the value's name is among the place's.
    covers: bool,
}

impl Names {
    fn of(pair: &Pair<'_>) -> Self {
        let (place, value) = (content_words(&pair.place.text), content_words(&pair.candidate.words));
        let (place_kinds, value_kinds) = (pair.cues.kinds(place.clone()), pair.cues.kinds(value.clone()));
        let shared = overlap(&value_kinds, &place_kinds);
        let known = |word: &String| place_kinds.iter().any(|other| same_word(other, word));
        let covers = !value_kinds.is_empty() && value_kinds.iter().all(known);
        Self { place, value, place_kinds, value_kinds, shared, covers }
    }
}

impl Pair<'_> {
    /// How well they fit; `None` where they must not meet. `likeness` is the cosine of their names.
    fn fit(&self, likeness: f32) -> Option<f32> {
        let names = Names::of(self);
        if self.is_forbidden(&names) {
            return None;
        }
        let fit = self.with_certainties(self.by_names(likeness, &names), &names);
        (fit >= self.least() && !self.was_rejected()).then_some(fit.min(1.0))
    }

    /// True where the value must not be typed into the place, however alike their names are.
    fn is_forbidden(&self, names: &Names) -> bool {
        let Self { cues, clause, candidate, place, .. } = *self;
        let own = Parameter { name: candidate.name.clone(), value: candidate.value.clone() };
        let edits = clause.leads_with(VerbSet::of(&[Verb::Edit]));
        let keypad = place.place == Place::Keypad;
        // A secret is only typed where it is hidden, or where the place is called like it.
        let shown_secret = candidate.value.is_secret() && !place.password && !keypad && names.shared < 0.5;
        // A day is no name that is looked up.
        let looked_up = || !self.searches() || read_date(candidate.value.expose()).is_some();
        let is_day = !candidate.value.is_secret() && read_date(candidate.value.expose()).is_some();
        let tells_day = || names.covers || names.shared > 0.0 || candidate.home.is_some() || self.says_label();
        is_day && !tells_day() && !place.kinds.iter().any(|kind| matches!(kind, FieldKind::Date(_)))
            || !place.takes(&candidate.value)
            || place.is_taken(&own, self.parameters) && !edits
            || shown_secret
            || self.is_chosen()
            || is_search(cues, place) && (looked_up() || clause.is_goal && clause.leads_with(CREATING))
            || keypad && self.was_keyed_here()
            || self.journal.was_sent(&candidate.name)
    }

    /// What names, labels and the value's form say.
    fn by_names(&self, likeness: f32, names: &Names) -> f32 {
        let Self { cues, clause, candidate, place, .. } = *self;
        let instruction = &clause.step.instruction;
        let mut fit = MEANING * likeness.max(0.0) + (1.0 - MEANING) * names.shared + place.form(&candidate.value);
        if names.covers {
            fit = fit.max(0.72);
        }
        let said = content_words(instruction);
        let meant = names.place.iter().any(|word| {
            names.value.iter().any(|other| same_word(word, other)) && said.iter().any(|other| same_word(word, other))
        });
        if meant {
            fit += NAMED_HERE;
        }
        if self.says_label() {
            fit += SAID_HERE;
        }
        if candidate.home.is_some() {
            fit = fit.max(LED_BY_LABEL);
        }
        match self.leads_value() {
            Some(true) => fit = fit.max(LED_BY_LABEL),
            Some(false) => fit -= OTHER_KIND,
            None => {}
        }
        if place.password && !candidate.value.is_secret() && !names.covers {
            fit -= OTHER_KIND;
        }
        if cues.are_other_sorts(&names.place, &names.value) || cues.are_apart(&names.place_kinds, &names.value_kinds) {
            fit -= OTHER_KIND;
        }
        if cues.is_remark(&place.own) && !cues.is_remark(&candidate.words) && !cues.is_remark(instruction) {
            fit -= OTHER_KIND / 2.0;
        }
        fit
    }

    /// The fit, raised to what is certain whatever the names are.
    fn with_certainties(&self, mut fit: f32, names: &Names) -> f32 {
        let Self { cues, clause, candidate, place, .. } = *self;
        let secret = candidate.value.is_secret();
        let for_secret = names.shared > 0.0 || !self.number_is_owed() && !self.was_keyed_by_another();
        if place.place == Place::Keypad && secret && for_secret {
            fit = fit.max(0.8);
        }
        if place.password && secret {
            fit = fit.max(0.6 + 0.2 * names.shared);
        }
        let given = self.is_given();
        let typed = clause.leads_with(VerbSet::of(&[Verb::Enter, Verb::Search, Verb::Send, Verb::SignIn]));
        // One value that the clause names and one free field of a page: they belong together, whatever the field is called.
        let number = !secret && candidate.value.expose().chars().all(|c| c.is_ascii_digit());
        let fills = typed || !number && (clause.fills() || clause.leads_with(VerbSet::of(&[Verb::Choose])));
        if candidate.mentioned && self.alone && !given && !secret && !place.password && !is_search(cues, place) && fills
        {
            fit = fit.max(MIN_FIT_AGAIN);
        }
        // A number takes the place of the only number there is: "Set the loan to 5" where a field holds 2.
        let sets = clause.fills() || clause.leads_with(VerbSet::of(&[Verb::Choose]));
        if self.shaped && !given && sets {
            fit = fit.max(ONLY_PLACE);
        }
        let typable = typed || !number;
        if candidate.mentioned
            && self.only
            && !given
            && (secret || !place.password && typed)
            && clause.fills()
            && typable
        {
            fit = fit.max(ONLY_PLACE);
        }
        fit
    }

    /// The keypad of this page took another value in this clause.
    fn was_keyed_by_another(&self) -> bool {
        self.journal.current_deeds().any(|record| {
            matches!(record.action, Action::InputByNumericKeyboard { .. })
                && record.parameter.as_deref() != Some(self.candidate.name.as_str())
                && record.before.title == record.after.title
        })
    }

    /// The clause mentions a plain number that it has not given yet: a keypad that asks for no secret may be for that one.
    fn number_is_owed(&self) -> bool {
        let plain = |one: &&Parameter| !one.value.is_secret() && is_number(&one.value.expose().replace(['.', ','], ""));
        let mut owed = self.parameters.iter().filter(|one| self.clause.step.mentions.contains(&one.name)).filter(plain);
        owed.any(|one| !self.journal.has_given_now(&one.name))
    }

    /// The clause chooses or opens, and has touched what bears the value: it is not typed as well.
    fn is_chosen(&self) -> bool {
        let value = &self.candidate.value;
        let bears = |label: &str| name_fit(label, value.expose()) >= 0.9;
        self.clause.leads_with(VerbSet::of(&[Verb::Choose, Verb::Open]))
            && !value.is_secret()
            && self.journal.current_deeds().any(|record| {
                let touched = !matches!(record.action, Action::InputText { .. });
                touched && record.control.as_ref().is_some_and(|it| bears(&it.label) || bears(&it.heading))
            })
    }

    /// The value was given in this clause, and the place does not hold it.
    fn is_given(&self) -> bool {
        self.journal.has_given_now(&self.candidate.name) && !self.place.holds(&self.candidate.value)
    }

    /// The least fit with which the value is typed.
    fn least(&self) -> f32 {
        let enters = self.clause.fills() || self.clause.commits() || self.clause.is_goal;
        match (self.is_given(), self.candidate.mentioned, enters) {
            (true, ..) => MIN_FIT_AGAIN,
            (false, true, true) => MIN_FIT - 0.15,
            // What is chosen or opened is typed only into a place that clearly asks for it.
            (false, true, false) => MIN_FIT_AGAIN,
            (false, false, _) => MIN_FIT,
        }
    }

    /// The clause looks something up, or its value may be looked up.
    fn searches(&self) -> bool {
        const LOOKING: VerbSet = VerbSet::of(&[Verb::Search, Verb::Filter]);
        self.clause.verbs.meets(LOOKING) || self.cues.is_search(&self.clause.step.instruction)
    }

    /// The clause says nearly all words of the place's own label.
    fn says_label(&self) -> bool {
        let own = words(&self.place.own);
        let said = words(&self.clause.step.instruction);
        let shared = own.iter().filter(|word| said.contains(word)).count();
        own.len() >= 2 && 4 * shared >= 3 * own.len()
    }

    /// True if the label stands right before the value in the instruction, false if it stands right before another value;
    /// `None` if it stands before none.
    fn leads_value(&self) -> Option<bool> {
        let own = words(&self.place.own);
        let said = words(&self.clause.step.instruction);
        let [label] = own.as_slice() else { return None };
        let value = words(self.candidate.value.expose());
        let first = value.first().filter(|_| !self.candidate.value.is_secret())?;
        let at = said.iter().position(|word| word == label)?;
        let behind = said.get(at + 1)?;
        if behind == first {
            return Some(true);
        }
        let others = self.clause.names.iter().filter_map(|name| words(name).into_iter().next());
        others.into_iter().any(|other| other == *behind).then_some(false)
    }

    /// The keypad of this page took the value in this clause.
    fn was_keyed_here(&self) -> bool {
        self.journal.current_deeds().any(|record| {
            matches!(record.action, Action::InputByNumericKeyboard { .. })
                && record.parameter.as_deref() == Some(self.candidate.name.as_str())
                && record.before.title == record.after.title
        })
    }

    /// The field refused this text before.
    fn was_rejected(&self) -> bool {
        let Some(id) = self.place.place.widget() else { return false };
        self.journal.current().any(|record| {
            let Action::InputText { text, .. } = &record.action else { return false };
            let same =
                record.control.as_ref().is_some_and(|control| Some(&control.resource_id) == self.place.key.as_ref());
            let _ = id;
            !record.worked() && same && text.expose() == self.candidate.value.expose()
        })
    }
}

fn is_search(cues: &Cues, place: &Input) -> bool {
    cues.is_search(&place.text) || cues.is_search(&place.value)
}
