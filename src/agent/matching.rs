//! How well each value fits each place on a screen, and which belongs where.

use super::memory::StepMemory;
use super::parameters::{
    Known, LEAST_FIT, MEANING, NAME_FIELD, Trust, fit, is_anothers, is_only_of_form, is_promised, is_to_be_touched,
    meant_here, mentions, offer,
};
use super::step::Step;
use crate::domain::content_words;
use crate::form::Input;
use crate::form::Parameter;
use crate::hierarchy::{Role, Screen};
use crate::inference::{EmbedError, Embedder, Embedding, cosine};
use crate::ranking::{Meant, Offer, Place};

/// Below this a parameter that was given in the same step is not given again elsewhere.
const REPEATED_FIT: f32 = 0.65;
/// Given to a parameter that the step mentions and for which there is just one place.
const ONLY_PLACE_FIT: f32 = 0.60;
/// Given to a parameter that the place calls by another word for the same.
const KINDRED_FIT: f32 = 0.60;
/// What a secret's place fits less for a value that is none.
const NO_SECRET: f32 = 0.30;
/// What a place for remarks fits less for what is called otherwise.
const REMARK: f32 = 0.15;
/// Two parameters whose fits differ by less fit a place equally.
const AS_GOOD: f32 = 0.02;

/// All that is looked at when values are given to places.
pub(super) struct Matching<'a> {
    pub(super) embedder: &'a dyn Embedder,
    pub(super) step: &'a Step,
    pub(super) known: &'a Known<'a>,
    pub(super) screen: &'a Screen,
    pub(super) memory: &'a StepMemory,
    pub(super) places: &'a [Input],
    pub(super) pool: &'a [Parameter],
    /// The pool's names in words.
    pub(super) names: &'a [String],
    pub(super) place_vectors: &'a [Embedding],
    /// Of the names; then of what a name's field is called, and of the instruction.
    pub(super) name_vectors: &'a [Embedding],
}

/// A value for a place, how well it fits, and whether the step means it.
pub(super) struct Pair<'a> {
    place: &'a Input,
    parameter: &'a Parameter,
    fit: f32,
    mentioned: bool,
}

impl Pair<'_> {
    fn rank(&self) -> f32 {
        self.fit + if self.mentioned { 0.3 } else { 0.0 }
    }
}

impl<'a> Matching<'a> {
    fn meant(&self, parameter: &Parameter) -> bool {
        mentions(self.step, parameter)
    }

    /// The only text a step wants typed goes where the step says, whatever the text is called.
    fn alone(&self) -> bool {
        self.known.typing
            && self.known.trust == Trust::Mention
            && self.pool.iter().filter(|one| self.meant(one)).count() == 1
    }

    /// How well each place fits what the step itself says, where it wants only one text typed.
    fn asked(&self) -> Vec<f32> {
        let Some(vector) = self.name_vectors.last().filter(|_| self.alone()) else {
            return vec![0.0; self.places.len()];
        };
        let secret = self.pool.iter().any(|one| self.meant(one) && one.value.is_secret());
        let asked = |(place, place_vector): (&Input, &Embedding)| {
            let open = secret || !place.password;
            let fit = fit(self.known.cues, &place.text, place_vector, &self.step.instruction, vector);
            if open { fit - self.remark(place, &self.step.instruction) } else { 0.0 }
        };
        self.places.iter().zip(self.place_vectors).map(asked).collect()
    }

    /// What a place for remarks fits less for what nobody calls a remark.
    fn remark(&self, place: &Input, name: &str) -> f32 {
        let cues = self.known.cues;
        // Where a note is all there is to write, "Note" alone is where everything goes.
        let special = || cues.things(content_words(&place.own)).iter().any(|word| !cues.is_remark(word));
        let other = cues.is_remark(&place.own) && !cues.is_remark(name) && !cues.is_remark(&self.step.instruction);
        if other && special() { REMARK } else { 0.0 }
    }

    /// Where there is a place to look things up, nothing is looked up elsewhere.
    fn is_for(&self, place: &Input, parameter: &Parameter) -> bool {
        let looks_up = |text: &str| self.known.searching && self.known.cues.is_search(text);
        let can_look_up = self.screen.widgets.iter().any(|widget| {
            (widget.clickable || widget.role == Role::Field) && (looks_up(&widget.label) || looks_up(&widget.hint))
        });
        (!can_look_up || looks_up(&place.text) || looks_up(&place.value)) && !place.is_called(&parameter.value)
    }

    /// Every value with every place it fits, best first.
    pub(super) fn pairs(&self) -> Result<Vec<Pair<'a>>, EmbedError> {
        let asked = self.asked();
        let best = asked.iter().copied().fold(0.0, f32::max);
        let mut pairs = Vec::new();
        for (at, asked) in asked.iter().enumerate() {
            for parameter in 0..self.pool.len() {
                // Of the places that the step itself may mean, one must be meant.
                let least = if *asked > 0.0 && *asked >= best { LEAST_FIT } else { *asked };
                pairs.extend(self.pair(at, parameter, asked.max(least))?);
            }
        }
        pairs.sort_by(|a, b| b.rank().total_cmp(&a.rank()));
        Ok(pairs)
    }

    /// A value and a place, where they fit. `asked` is how well the place fits what the step itself says.
    fn pair(&self, at: usize, which: usize, asked: f32) -> Result<Option<Pair<'a>>, EmbedError> {
        let Self { known, memory, .. } = *self;
        let Some((place, parameter)) = self.places.get(at).zip(self.pool.get(which)) else { return Ok(None) };
        let Some(words) = self.names.get(which) else { return Ok(None) };
        let taken = is_taken(place, parameter, known.parameters, memory);
        if !place.enabled || taken || !place.takes(&parameter.value) || !self.is_for(place, parameter) {
            return Ok(None);
        }
        let mentioned = self.meant(parameter) || meant_here(self.step, place, words);
        if !mentioned && is_promised(self.step, known.cues, place, words) {
            return Ok(None);
        }
        // What a step types goes where the step says; else a place that is called otherwise is another's.
        let others = !(mentioned && known.typing) && is_anothers(self.embedder, known.cues, &place.own, words)?;
        let mut fit = self.fit(at, which, mentioned, others);
        // What was given in this step already is asked for again only by a place that clearly means it ("repeat the
        // password").
        let given = memory.has_given_anywhere(&parameter.name);
        // A secret goes where it is hidden, or where it is clearly meant.
        let open = place.password || place.place == Place::Keypad || !parameter.value.is_secret();
        // What is there to be touched is not typed, unless the step says so.
        let only = self.places.iter().filter(|place| place.enabled).count() == 1;
        let alone_here = only && (known.typing || known.searching || !is_to_be_touched(self.screen, &parameter.value));
        if mentioned && alone_here && open && !given && !others && known.trust == Trust::Mention {
            fit = fit.max(ONLY_PLACE_FIT);
        }
        if self.alone() && mentioned && open && !given {
            fit = fit.max(asked);
        }
        let least = if given { REPEATED_FIT } else { LEAST_FIT };
        Ok((fit >= least).then_some(Pair { place, parameter, fit, mentioned }))
    }

    /// How well a value fits a place by what both are called and by its form.
    fn fit(&self, at: usize, which: usize, mentioned: bool, others: bool) -> f32 {
        let cues = self.known.cues;
        let (Some((place, place_vector)), Some((parameter, words)), Some(vector)) = (
            self.places.get(at).zip(self.place_vectors.get(at)),
            self.pool.get(which).zip(self.names.get(which)),
            self.name_vectors.get(which),
        ) else {
            return 0.0;
        };
        let mut fit = fit(cues, &place.text, place_vector, words, vector);
        if others {
            fit = fit.min(MEANING * cosine(place_vector, vector).max(0.0));
        } else if Meant::new(words, words).kindred(&place.own) > 0.0 {
            fit = fit.max(KINDRED_FIT);
        }
        if let Some(name) = self.name_vectors.get(self.pool.len()).filter(|_| self.known.naming && mentioned) {
            fit = fit.max(super::parameters::fit(cues, &place.text, place_vector, NAME_FIELD, name));
        }
        if place.password && !parameter.value.is_secret() {
            fit -= NO_SECRET;
        }
        fit += place.form(&parameter.value) - self.remark(place, words);
        if fit < LEAST_FIT && !others && is_only_of_form(cues, place, parameter, self.pool) {
            fit = LEAST_FIT;
        }
        fit
    }

    /// The pairs settled best first: each place and each parameter once.
    pub(super) fn settled(&self, pairs: &[Pair<'_>]) -> Vec<Offer> {
        let mut offers: Vec<Offer> = Vec::new();
        let mut settled: Vec<Place> = Vec::new();
        for pair in pairs {
            let Pair { place, parameter, fit, mentioned } = *pair;
            if settled.contains(&place.place) || offers.iter().any(|offer| offer.parameter == parameter.name) {
                continue;
            }
            // The best parameter for this place is decided; when it is there already, nothing is left to do here.
            settled.push(place.place);
            if place.holds(&parameter.value) || self.memory.has_given(&parameter.name, place.key.as_deref()) {
                continue;
            }
            let rival = |other: &&Pair<'_>| {
                let name = &other.parameter.name;
                let given = offers.iter().any(|offer| offer.parameter == *name) || self.memory.has_given_anywhere(name);
                other.place.place == place.place
                    && *name != parameter.name
                    && !given
                    && pair.rank() - other.rank() < AS_GOOD
            };
            let rivals = pairs.iter().filter(rival);
            let rivals = rivals.map(|other| (other.parameter.name.clone(), pair.rank() - other.rank())).collect();
            let offered =
                Offer { text: place.rest(&parameter.value), rivals, ..offer(self.step, place.place, parameter, fit) };
            let mentioned = offered.mentioned || mentioned;
            offers.push(Offer { mentioned, others_mentioned: offered.others_mentioned && !mentioned, ..offered });
        }
        offers
    }

    /// What the step mentions, for every other field that may take it.
    pub(super) fn tentative(&self, settled: &[Offer]) -> Result<Vec<Offer>, EmbedError> {
        let Self { known, memory, .. } = *self;
        let mut offers = Vec::new();
        if known.trust != Trust::Mention {
            return Ok(offers);
        }
        let asked = self.pool.iter().zip(self.names).zip(self.name_vectors);
        for ((parameter, name), vector) in asked.filter(|((parameter, _), _)| self.meant(parameter)) {
            if memory.has_given_anywhere(&parameter.name) {
                continue;
            }
            for (place, place_vector) in self.places.iter().zip(self.place_vectors) {
                let same = |offer: &Offer| offer.place == place.place && offer.parameter == parameter.name;
                let taken = settled.iter().any(same)
                    || is_taken(place, parameter, known.parameters, memory)
                    || self.is_clear(settled, parameter, place.place);
                let open = place.password || !parameter.value.is_secret();
                let fits = matches!(place.place, Place::Field(_))
                    && open
                    && place.takes(&parameter.value)
                    && self.is_for(place, parameter);
                if !fits || taken || place.holds(&parameter.value) {
                    continue;
                }
                if !known.typing && is_anothers(self.embedder, known.cues, &place.own, name)? {
                    continue;
                }
                let fit = fit(known.cues, &place.text, place_vector, name, vector).min(LEAST_FIT);
                let text = place.rest(&parameter.value);
                offers.push(Offer { tentative: true, text, ..offer(self.step, place.place, parameter, fit) });
            }
        }
        Ok(offers)
    }

    /// A step that speaks of typing types where it is clear what belongs where.
    fn is_clear(&self, offers: &[Offer], parameter: &Parameter, place: Place) -> bool {
        let clear = |offer: &Offer| !offer.tentative && (offer.parameter == parameter.name || offer.place == place);
        self.known.typing && offers.iter().any(clear)
    }
}

/// The place holds what belongs to another parameter, or was given that in this step.
fn is_taken(place: &Input, parameter: &Parameter, all: &[Parameter], memory: &StepMemory) -> bool {
    let given = |(name, at): &(String, Option<String>)| *name != parameter.name && at.is_some() && *at == place.key;
    matches!(place.place, Place::Field(_)) && memory.given.iter().any(given) || place.is_taken(parameter, all)
}
