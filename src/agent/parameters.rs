//! Parameter selection (XUAT-Copilot §3.4.5): which parameter belongs into which field, or on the keypad.

use super::field_kind::{FieldKind, Suits, suits};
use super::memory::StepMemory;
use super::places::{Input, places};
use super::step::{Parameter, Step};
use super::written_date::WrittenDate;
use crate::domain::{InputText, content_words, overlap, same_word};
use crate::hierarchy::{Role, Screen, Widget};
use crate::inference::{EmbedError, Embedder, Embedding, cosine};
use crate::ranking::{Cues, Offer, Place};

/// Below this a parameter does not belong to a field.
const LEAST_FIT: f32 = 0.42;
/// Below this a parameter that was given in the same step is not given again elsewhere.
const REPEATED_FIT: f32 = 0.65;
/// Given to a parameter that the step mentions and for which there is just one place.
const ONLY_PLACE_FIT: f32 = 0.60;

/// What a value that is no secret fits a password's field less.
const NO_SECRET: f32 = 0.30;

/// A widget is the opener of a parameter's choices when its label means the parameter's name this clearly.
const OPENER_FIT: f32 = 0.80;

/// What a field for the name of something is called.
const NAME_FIELD: &str = "name title label";
/// Two parameters whose fits differ by less fit a place equally.
const AS_GOOD: f32 = 0.02;
/// Share of the meaning in how well a parameter fits a place.
const MEANING: f32 = 0.6;
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
    let fresh = |parameter: &&Parameter| {
        let name = &parameter.name;
        step.mentions.contains(name) || !(known.used.contains(name) || step.reserved.contains(name))
    };
    let mut pool: Vec<Parameter> = known.parameters.iter().filter(fresh).cloned().collect();
    pool.extend(quoted_parameters(step, known.parameters));
    if pool.is_empty() {
        return Ok(Vec::new());
    }
    let places = places(screen, known.parameters);
    let texts: Vec<&str> = places.iter().map(|place| place.text.as_str()).collect();
    let names: Vec<String> = pool.iter().map(Parameter::words).collect();
    let mut all: Vec<&str> = texts.iter().copied().chain(names.iter().map(String::as_str)).collect();
    all.extend([NAME_FIELD, &step.instruction]);
    let vectors = embedder.embed(&all)?;
    let (place_vectors, name_vectors) = vectors.split_at(places.len());
    // The only text a step wants typed goes where the step says, whatever the text is called.
    let meant = |parameter: &Parameter| mentions(step, parameter);
    let alone = known.typing && known.trust == Trust::Mention && pool.iter().filter(|one| meant(one)).count() == 1;
    let asked: Vec<f32> = match name_vectors.last() {
        Some(vector) if alone => places
            .iter()
            .zip(place_vectors)
            .map(|(place, place_vector)| {
                let open = pool.iter().any(|one| meant(one) && one.value.is_secret()) || !place.password;
                if open { fit(known.cues, &place.text, place_vector, &step.instruction, vector) } else { 0.0 }
            })
            .collect(),
        _ => vec![0.0; places.len()],
    };
    let best = asked.iter().copied().fold(0.0, f32::max);

    // Where there is a place to look things up, nothing is looked up elsewhere.
    let looks_up = |text: &str| known.searching && known.cues.is_search(text);
    let can_look_up = screen.widgets.iter().any(|widget| {
        (widget.clickable || widget.role == Role::Field) && (looks_up(&widget.label) || looks_up(&widget.hint))
    });
    let is_for = |place: &Input, parameter: &Parameter| {
        (!can_look_up || looks_up(&place.text) || looks_up(&place.value)) && !place.is_called(&parameter.value)
    };

    let only = places.iter().filter(|place| place.enabled).count() == 1;
    let mut pairs = Vec::new();
    for ((place, place_vector), asked) in places.iter().zip(place_vectors).zip(&asked) {
        for ((parameter, words), vector) in pool.iter().zip(&names).zip(name_vectors) {
            let taken = place.is_taken(parameter, known.parameters, memory);
            if !place.enabled || taken || !place.takes(&parameter.value) || !is_for(place, parameter) {
                continue;
            }
            let mentioned = meant(parameter) || meant_here(step, place, words);
            if !mentioned && is_promised(step, known.cues, place, words) {
                continue;
            }
            let mut fit = fit(known.cues, &place.text, place_vector, words, vector);
            // What a step types goes where the step says; else a place that is called otherwise is another's.
            let others = !(mentioned && known.typing) && is_anothers(embedder, known.cues, &place.own, words)?;
            if others {
                fit = fit.min(MEANING * cosine(place_vector, vector).max(0.0));
            }
            if let Some(name) = name_vectors.get(pool.len()).filter(|_| known.naming && mentioned) {
                fit = fit.max(self::fit(known.cues, &place.text, place_vector, NAME_FIELD, name));
            }
            if place.password && !parameter.value.is_secret() {
                fit -= NO_SECRET;
            }
            fit += place.form(&parameter.value);
            if fit < LEAST_FIT && !others && is_only_of_form(known.cues, place, parameter, &pool) {
                fit = LEAST_FIT;
            }
            // What was given in this step already is asked for again only by a place that clearly means it ("repeat
            // the password").
            let given = memory.has_given_anywhere(&parameter.name);
            // A secret goes where it is hidden, or where it is clearly meant.
            let open = place.password || place.place == Place::Keypad || !parameter.value.is_secret();
            // What is there to be touched is not typed, unless the step says so.
            let alone_here = only && (known.typing || known.searching || !is_to_be_touched(screen, &parameter.value));
            if mentioned && alone_here && open && !given && !others && known.trust == Trust::Mention {
                fit = fit.max(ONLY_PLACE_FIT);
            }
            if alone && mentioned && open && !given {
                fit = fit.max(*asked);
                // One of them must be meant.
                if *asked > 0.0 && *asked >= best {
                    fit = fit.max(LEAST_FIT);
                }
            }
            if fit >= if given { REPEATED_FIT } else { LEAST_FIT } {
                pairs.push((place, parameter, fit, mentioned));
            }
        }
    }
    let rank = |(_, _, fit, mentioned): &(&Input, &Parameter, f32, bool)| fit + if *mentioned { 0.3 } else { 0.0 };
    pairs.sort_by(|a, b| rank(b).total_cmp(&rank(a)));

    let as_good: Vec<(Place, String, f32)> =
        pairs.iter().map(|pair| (pair.0.place, pair.1.name.clone(), rank(pair))).collect();
    let mut offers: Vec<Offer> = Vec::new();
    let mut settled: Vec<Place> = Vec::new();
    for pair in pairs {
        let own = rank(&pair);
        let (place, parameter, fit, mentioned) = pair;
        if settled.contains(&place.place) || offers.iter().any(|offer| offer.parameter == parameter.name) {
            continue;
        }
        // The best parameter for this place is decided; when it is there already, nothing is left to do here.
        settled.push(place.place);
        if place.holds(&parameter.value) || memory.has_given(&parameter.name, place.key.as_deref()) {
            continue;
        }
        let rival = |(other, name, rank): &(Place, String, f32)| {
            let given = offers.iter().any(|offer| offer.parameter == *name) || memory.has_given_anywhere(name);
            *other == place.place && *name != parameter.name && !given && own - rank < AS_GOOD
        };
        let rivals =
            as_good.iter().filter(|pair| rival(pair)).map(|(_, name, rank)| (name.clone(), own - rank)).collect();
        let offered = Offer { text: place.rest(&parameter.value), rivals, ..offer(step, place.place, parameter, fit) };
        let mentioned = offered.mentioned || mentioned;
        offers.push(Offer { mentioned, others_mentioned: offered.others_mentioned && !mentioned, ..offered });
    }
    if known.trust == Trust::Mention {
        let asked = pool.iter().zip(&names).zip(name_vectors);
        for ((parameter, name), vector) in asked.filter(|((parameter, _), _)| meant(parameter)) {
            if memory.has_given_anywhere(&parameter.name) {
                continue;
            }
            for (place, place_vector) in places.iter().zip(place_vectors) {
                let is_field = matches!(place.place, Place::Field(_));
                let taken = offers.iter().any(|offer| offer.place == place.place && offer.parameter == parameter.name);
                let other = place.is_taken(parameter, known.parameters, memory)
                    || known.proper(&offers, parameter, place.place);
                let open = place.password || !parameter.value.is_secret();
                let fits = is_field && open && place.takes(&parameter.value) && is_for(place, parameter);
                if fits && !taken && !other && !place.holds(&parameter.value) {
                    if !known.typing && is_anothers(embedder, known.cues, &place.own, name)? {
                        continue;
                    }
                    let fit = fit(known.cues, &place.text, place_vector, name, vector).min(LEAST_FIT);
                    let text = place.rest(&parameter.value);
                    offers.push(Offer { tentative: true, text, ..offer(step, place.place, parameter, fit) });
                }
            }
        }
    }
    if known.form && step.mentions.is_empty() && step.quoted.is_empty() {
        offers.extend(left_over(embedder, step, known, &places, &pool, &offers, memory)?);
    }
    if known.form {
        offers.extend(choices(embedder, known.cues, step, &pool, screen, memory, &offers)?);
    }
    Ok(offers)
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
fn is_only_of_form(cues: &Cues, place: &Input, parameter: &Parameter, pool: &[Parameter]) -> bool {
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

impl Known<'_> {
    /// A step that speaks of typing types where it is clear what belongs where.
    fn proper(&self, offers: &[Offer], parameter: &Parameter, place: Place) -> bool {
        let clear = |offer: &Offer| !offer.tentative && (offer.parameter == parameter.name || offer.place == place);
        self.typing && offers.iter().any(clear)
    }
}

/// The step says a word that the place and the parameter's name have in common.
fn meant_here(step: &Step, place: &Input, name: &str) -> bool {
    let (said, shown) = (content_words(&step.instruction), content_words(&place.text));
    let has = |words: &[String], word: &String| words.iter().any(|other| same_word(other, word));
    content_words(name).iter().any(|word| has(&said, word) && has(&shown, word))
}

/// The place is called like a parameter that a later step mentions, and not like this one.
fn is_promised(step: &Step, cues: &Cues, place: &Input, name: &str) -> bool {
    let shown = cues.kinds(content_words(&place.text));
    let says = |name: &str| {
        let name = cues.kinds(content_words(&name.replace(['_', '-', '.'], " ")));
        !name.is_empty() && name.iter().all(|word| shown.iter().any(|other| same_word(word, other)))
    };
    !says(name) && step.reserved.iter().any(|later| says(later))
}

fn mentions(step: &Step, parameter: &Parameter) -> bool {
    step.mentions.contains(&parameter.name) || step.quoted.contains(&parameter.name)
}

fn offer(step: &Step, place: Place, parameter: &Parameter, fit: f32) -> Offer {
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
        let labels: Vec<&str> = touchable.iter().map(|widget| widget.label.as_str()).collect();
        let name = parameter.words();
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

/// A row or a button bears the value as its name.
fn is_to_be_touched(screen: &Screen, value: &InputText) -> bool {
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

fn fit(cues: &Cues, place: &str, place_vector: &Embedding, name: &str, name_vector: &Embedding) -> f32 {
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
