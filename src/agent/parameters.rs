//! Parameter selection (XUAT-Copilot §3.4.5): which parameter belongs into which field, or on the keypad.

use super::matching::Matching;
use super::memory::StepMemory;
use super::step::Step;
use crate::domain::{InputText, content_words, overlap, same_word};
use crate::form::Parameter;
use crate::form::{FieldKind, Input, Suits, WrittenDate, places, suits};
use crate::hierarchy::{Role, Screen, Widget};
use crate::inference::{EmbedError, Embedder, Embedding, cosine};
use crate::ranking::{Cues, Offer, Place};

/// Below this a parameter does not belong to a field.
pub(super) const LEAST_FIT: f32 = 0.42;
/// A widget is the opener of a parameter's choices when its label means the parameter's name this clearly.
const OPENER_FIT: f32 = 0.80;

/// What a field for the name of something is called.
pub(super) const NAME_FIELD: &str = "name title label";
/// Share of the meaning in how well a parameter fits a place.
pub(super) const MEANING: f32 = 0.6;
/// Things whose words are less alike are different things.
const SAME_THING: f32 = 0.52;
/// How much less a place fits that is for the counterpart: the last name for the first.
const APART: f32 = 0.3;

/// Whether a step's mention of a parameter is enough to give it to the only place there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// The step is being worked on: the only place must be meant.
    Mention,
    /// It is asked whether the step fits this screen: the place itself must fit.
    PlaceOnly,
}

/// What is known of the case's parameters.
pub(super) struct Known<'a> {
    /// All of them.
    pub parameters: &'a [Parameter],
    /// Names of those that earlier steps used up; they come again only when a step mentions them.
    pub used: &'a [String],
    /// The step is about a form, so that parameters it does not mention may be meant.
    pub form: bool,
    /// The step speaks of typing.
    pub typing: bool,
    /// The words that tell what a step and a field are about.
    pub cues: &'a Cues,
    /// The step looks something up.
    pub searching: bool,
    /// The step gives something its name.
    pub naming: bool,
    /// Whether a mention is enough.
    pub trust: Trust,
}

/// The parameters to offer on this screen: each field gets at most one, each parameter at most one place; fields that
/// hold their value already get none. What the step mentions is offered to the other fields too, tentatively.
pub(super) fn offers(
    embedder: &dyn Embedder,
    step: &Step,
    known: &Known<'_>,
    screen: &Screen,
    memory: &StepMemory,
) -> Result<Vec<Offer>, EmbedError> {
    let pool = pool(step, known);
    if pool.is_empty() {
        return Ok(Vec::new());
    }
    let places = places(screen, known.parameters, known.cues);
    let names: Vec<String> = pool.iter().map(Parameter::words).collect();
    let mut all: Vec<&str> = places.iter().map(|place| place.text.as_str()).collect();
    all.extend(names.iter().map(String::as_str).chain([NAME_FIELD, &step.instruction]));
    let vectors = embedder.embed(&all)?;
    let (place_vectors, name_vectors) = vectors.split_at(places.len());
    let matching = Matching {
        embedder,
        step,
        known,
        screen,
        memory,
        places: &places,
        pool: &pool,
        names: &names,
        place_vectors,
        name_vectors,
    };
    let mut offers = matching.settled(&matching.pairs()?);
    offers.extend(matching.tentative(&offers)?);
    if known.form && step.mentions.is_empty() && step.quoted.is_empty() {
        offers.extend(left_over(embedder, step, known, &places, &pool, &offers, memory)?);
    }
    if known.form {
        offers.extend(choices(embedder, known.cues, step, &pool, screen, memory, &offers)?);
    }
    Ok(offers)
}

/// What may be given in this step: what it mentions or quotes, and what neither an earlier step used up nor a later one
/// mentions.
fn pool(step: &Step, known: &Known<'_>) -> Vec<Parameter> {
    let fresh = |parameter: &&Parameter| {
        let name = &parameter.name;
        step.mentions.contains(name) || !(known.used.contains(name) || step.reserved.contains(name))
    };
    let mut pool: Vec<Parameter> = known.parameters.iter().filter(fresh).cloned().collect();
    pool.extend(quoted_parameters(step, known.parameters));
    pool
}

/// In a form that is being filled in, the only value left belongs into the only field left, where their forms agree.
fn left_over(
    embedder: &dyn Embedder,
    step: &Step,
    known: &Known<'_>,
    places: &[Input],
    pool: &[Parameter],
    offers: &[Offer],
    memory: &StepMemory,
) -> Result<Option<Offer>, EmbedError> {
    let begun = !memory.given.is_empty() || !offers.is_empty();
    if !begun || known.trust != Trust::Mention {
        return Ok(None);
    }
    let mut open = places.iter().filter(|place| {
        matches!(place.place, Place::Field(_))
            && place.enabled
            && !place.password
            && place.value.is_empty()
            && !offers.iter().any(|offer| offer.place == place.place)
    });
    let Some(place) = open.next().filter(|_| open.next().is_none()) else { return Ok(None) };
    let is_date = place.kinds.iter().any(|kind| matches!(kind, FieldKind::Date(_)));
    let mut rest = pool.iter().filter(|parameter| {
        let value = parameter.value.expose();
        !parameter.value.is_secret()
            && !offers.iter().any(|offer| offer.parameter == parameter.name)
            && !memory.has_given_anywhere(&parameter.name)
            && (is_date || !WrittenDate::read(value).is_some_and(|date| date.day.is_some()))
            && suits(&place.kinds, value) != Suits::No
    });
    let Some(parameter) = rest.next().filter(|_| rest.next().is_none()) else { return Ok(None) };
    // A kind of value that the place asks for and the parameter's name does not tell is not given by guess.
    let named = place.kinds.contains(&FieldKind::Name) && known.cues.is_person(&content_words(&parameter.words()));
    let told = place.kinds.is_empty() || named || suits(&place.kinds, parameter.value.expose()) == Suits::Yes;
    let others = is_anothers(embedder, known.cues, &place.own, &parameter.words())?;
    let fits = told && !others && place.takes(&parameter.value) && !place.is_called(&parameter.value);
    Ok(fits.then(|| offer(step, place.place, parameter, LEAST_FIT)))
}

/// The place tells a form that few values have, an address with an @ or a way to write dates, and this is the only value
/// that has it.
pub(super) fn is_only_of_form(cues: &Cues, place: &Input, parameter: &Parameter, pool: &[Parameter]) -> bool {
    let tells = |kind: &FieldKind| matches!(kind, FieldKind::Email | FieldKind::Date(Some(_)));
    let has = |one: &Parameter| !one.value.is_secret() && suits(&place.kinds, one.value.expose()) == Suits::Yes;
    let words = |text: &str| cues.kinds(content_words(text));
    !place.password
        && !place.kinds.is_empty()
        && place.kinds.iter().all(tells)
        && has(parameter)
        && pool.iter().filter(|one| has(one)).count() == 1
        && !cues.are_apart(&words(&place.own), &words(&parameter.words()))
}

/// The place takes another sort of value than the parameter is, or says what thing's name, number or code it takes, and the
/// parameter is another thing's, or the counterpart's: "Name of the station" and `traveller_name`. What means about the
/// same may be the same.
pub(super) fn is_anothers(embedder: &dyn Embedder, cues: &Cues, place: &str, name: &str) -> Result<bool, EmbedError> {
    let (place, name) = (content_words(place), content_words(name));
    let (place_kinds, name_kinds) = (cues.kinds(place.clone()), cues.kinds(name.clone()));
    if cues.are_other_sorts(&place, &name) || cues.are_apart(&place_kinds, &name_kinds) {
        return Ok(true);
    }
    let unlike = |one: &[String], other: &[String]| -> Result<bool, EmbedError> {
        let vectors = embedder.embed(&[&one.join(" "), &other.join(" ")])?;
        Ok(vectors.first().zip(vectors.get(1)).is_some_and(|(one, other)| cosine(one, other) < SAME_THING))
    };
    let has = |words: &[String], word: &String| words.iter().any(|other| same_word(word, other));
    let (place_things, name_things) = (cues.things(place.clone()), cues.things(name.clone()));
    if place_things.is_empty() || name_things.is_empty() {
        return Ok(false);
    }
    let is_sort = |word: &String| !cues.sorts(std::slice::from_ref(word)).is_empty();
    let shared = || name_things.iter().filter(|word| has(&place_things, word));
    if shared().next().is_some() {
        // "Delivery address" and `school_address` are two things' addresses.
        let own = |things: &[String]| things.iter().filter(|word| !is_sort(word)).cloned().collect::<Vec<_>>();
        let (place_own, name_own) = (own(&place_things), own(&name_things));
        if shared().all(is_sort) && !place_own.is_empty() && !name_own.is_empty() {
            return unlike(&place_own, &name_own);
        }
        // "Policy number" and `policy_remark`: the last word is what of it is meant.
        let sorts = cues.sorts(&place);
        return match name_kinds.last() {
            Some(last) if !sorts.is_empty() && cues.sorts(&name).is_empty() && !has(&place_kinds, last) => {
                unlike(std::slice::from_ref(last), &sorts)
            }
            _ => Ok(false),
        };
    }
    // "Phone" and `card_number` are numbers of two things; "Amount" and `price` tell of no thing.
    let (place_sorts, name_sorts) = (cues.sorts(&place), cues.sorts(&name));
    let of_sorts = place_things.iter().chain(&name_things).all(is_sort);
    let says =
        place.iter().any(|word| cues.is_kind_of_value(word)) || !place_sorts.is_empty() && !name_sorts.is_empty();
    Ok(says && !of_sorts && unlike(&place_things, &name_things)?)
}

/// The step says a word that the place and the parameter's name have in common.
pub(super) fn meant_here(step: &Step, place: &Input, name: &str) -> bool {
    let (said, shown) = (content_words(&step.instruction), content_words(&place.text));
    let has = |words: &[String], word: &String| words.iter().any(|other| same_word(other, word));
    content_words(name).iter().any(|word| has(&said, word) && has(&shown, word))
}

/// The place is called like a parameter that a later step mentions, and not like this one.
pub(super) fn is_promised(step: &Step, cues: &Cues, place: &Input, name: &str) -> bool {
    let shown = cues.kinds(content_words(&place.text));
    let says = |name: &str| {
        let name = cues.kinds(content_words(&name.replace(['_', '-', '.'], " ")));
        !name.is_empty() && name.iter().all(|word| shown.iter().any(|other| same_word(word, other)))
    };
    !says(name) && step.reserved.iter().any(|later| says(later))
}

pub(super) fn mentions(step: &Step, parameter: &Parameter) -> bool {
    step.mentions.contains(&parameter.name) || step.quoted.contains(&parameter.name)
}

pub(super) fn offer(step: &Step, place: Place, parameter: &Parameter, fit: f32) -> Offer {
    let mentioned = mentions(step, parameter);
    Offer {
        place,
        parameter: parameter.name.clone(),
        text: parameter.value.clone(),
        fit,
        mentioned,
        others_mentioned: !mentioned && (!step.mentions.is_empty() || !step.quoted.is_empty()),
        tentative: false,
        rivals: Vec::new(),
    }
}

/// Parameters that are chosen instead of typed: a widget shows the value, or one with the parameter's name opens the
/// choices.
fn choices(
    embedder: &dyn Embedder,
    cues: &Cues,
    step: &Step,
    pool: &[Parameter],
    screen: &Screen,
    memory: &StepMemory,
    typed: &[Offer],
) -> Result<Vec<Offer>, EmbedError> {
    let open: Vec<&Parameter> = pool
        .iter()
        .filter(|parameter| matches!(parameter.value, InputText::Plain(_)))
        .filter(|parameter| !typed.iter().any(|offer| !offer.tentative && offer.parameter == parameter.name))
        .filter(|parameter| !memory.has_given_anywhere(&parameter.name))
        .collect();
    let touchable: Vec<&Widget> = screen
        .widgets
        .iter()
        .filter(|widget| widget.clickable && widget.state.enabled && !widget.label.is_empty())
        .filter(|widget| !matches!(widget.role, Role::Field | Role::KeypadKey | Role::Link))
        .collect();
    let mut found = Vec::new();
    for parameter in open {
        let value = parameter.value.expose();
        let shows = |widget: &&&Widget| {
            [widget.label.as_str(), widget.shown_label()]
                .iter()
                .any(|label| first_part(label).eq_ignore_ascii_case(value))
        };
        if let Some(widget) = touchable.iter().find(shows) {
            // A dropdown shows what is chosen, as a choice does that is made.
            let chosen = widget.role == Role::Dropdown || widget.state.checked == Some(true) || widget.state.selected;
            if !chosen {
                found.push(offer(step, Place::Choice(widget.id), parameter, 1.0));
            }
            continue;
        }
        let name = parameter.words();
        if let Some(list) = captioned(cues, &touchable, &name) {
            found.push(offer(step, Place::Opener(list.id), parameter, OPENER_FIT));
            continue;
        }
        let labels: Vec<&str> = touchable.iter().map(|widget| widget.label.as_str()).collect();
        let texts: Vec<&str> = std::iter::once(name.as_str()).chain(labels).collect();
        let vectors = embedder.embed(&texts)?;
        let Some((name_vector, label_vectors)) = vectors.split_first() else { continue };
        let best = touchable
            .iter()
            .zip(label_vectors)
            .map(|(widget, vector)| (fit(cues, &widget.label, vector, &name, name_vector), widget))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((fit, widget)) = best.filter(|(fit, _)| *fit >= OPENER_FIT) {
            found.push(offer(step, Place::Opener(widget.id), parameter, fit));
        }
    }
    Ok(found)
}

/// The only list over which stands what the parameter is called: what it shows itself may be "Please choose".
fn captioned<'w>(cues: &Cues, touchable: &[&'w Widget], name: &str) -> Option<&'w Widget> {
    let own = cues.things(content_words(name));
    let says = |widget: &&&Widget| {
        let caption = cues.kinds(content_words(&widget.context));
        widget.role == Role::Dropdown
            && !own.is_empty()
            && own.iter().all(|word| caption.iter().any(|other| same_word(word, other)))
    };
    let mut lists = touchable.iter().filter(says);
    lists.next().filter(|_| lists.next().is_none()).copied()
}

/// A row or a button bears the value as its name.
pub(super) fn is_to_be_touched(screen: &Screen, value: &InputText) -> bool {
    let bears = |widget: &Widget| {
        widget.clickable
            && widget.state.enabled
            && !matches!(widget.role, Role::Field | Role::KeypadKey)
            && first_part(&widget.label).eq_ignore_ascii_case(value.expose())
    };
    !value.is_secret() && screen.widgets.iter().any(bears)
}

/// A row's label begins with its own name: "Some Bank, loans and savings".
fn first_part(label: &str) -> &str {
    label.split(", ").next().unwrap_or(label)
}

/// Texts in quotes are parameters of their own where no parameter has that value.
fn quoted_parameters<'a>(step: &'a Step, parameters: &'a [Parameter]) -> impl Iterator<Item = Parameter> + 'a {
    let known = |text: &str| parameters.iter().any(|parameter| parameter.value.expose() == text);
    step.quoted
        .iter()
        .filter(move |text| !known(text))
        .map(|text| Parameter { name: text.clone(), value: InputText::Plain(text.clone()) })
}

pub(super) fn fit(cues: &Cues, place: &str, place_vector: &Embedding, name: &str, name_vector: &Embedding) -> f32 {
    let meaning = cosine(place_vector, name_vector).max(0.0);
    let (place, name) = (cues.kinds(content_words(place)), cues.kinds(content_words(name)));
    let fit =
        MEANING * meaning + 0.5 * overlap(&place, &name) - if cues.are_apart(&place, &name) { APART } else { 0.0 };
    fit.clamp(0.0, 1.0)
}

#[cfg(test)]
#[path = "parameters_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "form_shapes_tests.rs"]
mod shapes;
