//! What a goal speaks of, item by item, and how much of each a control deals with.

use super::verb::{AFFORDING, purpose_of};
use crate::app_map::{AppMap, Control};
use crate::domain::{same_word, stem, words};
use crate::hierarchy::Role;
use crate::inference::{EmbedError, Embedding, cosine};
use crate::pipeline::episode::Episode;
use crate::pipeline::task::{BEARS, Languages, Verb, VerbSet, name_fit, parts};
use crate::ranking::Meant;
use std::collections::HashMap;
use std::rc::Rc;

/// How much a name or a value weighs, compared with the rarest word.
const NAME_WEIGHT: f32 = 1.6;
/// How much the verb weighs, compared with the rarest word.
const VERB_WEIGHT: f32 = 0.6;
/// How much of a word is dealt with by another word of like meaning.
const KINDRED: f32 = 0.85;
/// Cosine of a word and a label that tells nothing.
const USUAL_LIKENESS: f32 = 0.45;
/// How much of a word a label deals with at most that is only like it.
const MOST_ALIKE: f32 = 0.6;
/// How much of what it names a switch deals with whose label is mostly about something else.
const BY_CHANCE: f32 = 0.4;
/// How much of a value is dealt with by a field that may take it.
const TAKES: f32 = 0.7;
/// How much likeness to the goal's parts counts, compared with the share that is dealt with.
const LIKENESS: f32 = 0.9;
/// How much of a word the title of a page deals with.
const TITLE: f32 = 0.6;
/// How much of a name is dealt with at least by a text that bears it.
const DEALT_WITH: f32 = 0.8;

/// One thing that a goal speaks of.
struct Item {
    kind: ItemKind,
    /// How much it matters.
    weight: f32,
}

enum ItemKind {
    /// A word of the language, by its stem.
    Word { stem: String, meant: Meant, vector: Embedding },
    /// A name or a value.
    Name(String),
    /// What is to be done.
    Verb(Verb),
}

/// How much of each item is dealt with, 0 to 1, and the greatest likeness of a control to each part of the goal.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Dealt {
    shares: Vec<f32>,
    likeness: Vec<f32>,
}

impl Dealt {
    /// With what a control deals with.
    pub(super) fn with(&self, other: &Self) -> Self {
        let greater = |one: &[f32], other: &[f32]| one.iter().zip(other).map(|(one, other)| one.max(*other)).collect();
        Self { shares: greater(&self.shares, &other.shares), likeness: greater(&self.likeness, &other.likeness) }
    }
}

/// A goal taken apart, and what controls mean for it, each looked at once.
pub(super) struct Wanted<'a> {
    episode: &'a Episode<'a>,
    items: Vec<Item>,
    total: f32,
    /// The vector of each part.
    parts: Vec<Embedding>,
    /// By label, then by role.
    known: HashMap<String, Vec<(Role, Rc<Dealt>)>>,
    languages: Languages,
}

impl<'a> Wanted<'a> {
    /// Takes a clause apart. `labels` tell the screen's languages.
    ///
    /// # Errors
    /// When the model fails.
    pub(super) fn of<'l>(episode: &'a Episode<'a>, labels: impl Iterator<Item = &'l str>) -> Result<Self, EmbedError> {
        let (clause, map) = (episode.clause, episode.map);
        let instruction = clause.step.instruction.as_str();
        let names: Vec<&String> = clause.names.iter().chain(&clause.proper_names).collect();
        let named = |word: &String| names.iter().any(|name| words(name).iter().any(|own| stem(own) == *word));
        let stems: Vec<&String> = clause.topic.iter().filter(|word| !named(word)).collect();
        let parts = parts(instruction, &clause.names, &episode.knowledge.lexicon);
        let texts: Vec<&str> = parts.iter().chain(stems.iter().copied()).map(String::as_str).collect();
        let vectors = episode.scorer.embedder.embed(&texts)?;
        let (parts, vectors) = vectors.split_at(parts.len().min(vectors.len()));
        let word = |(stem, vector): (&&String, &Embedding)| Item {
            weight: map.rarity(stem),
            kind: ItemKind::Word {
                stem: (*stem).clone(),
                meant: Meant::new(stem, instruction),
                vector: vector.clone(),
            },
        };
        let mut items: Vec<Item> = stems.iter().zip(vectors).map(word).collect();
        let most = items.iter().map(|item| item.weight).fold(0.0_f32, f32::max);
        let most = if most > 0.0 { most } else { 1.0 };
        items.extend(
            names.into_iter().map(|name| Item { kind: ItemKind::Name(name.clone()), weight: NAME_WEIGHT * most }),
        );
        let lead = clause.verbs.and(AFFORDING).without(VerbSet::of(&[Verb::Create]));
        items.extend(lead.iter().map(|verb| Item { kind: ItemKind::Verb(verb), weight: VERB_WEIGHT * most }));
        Ok(Self {
            episode,
            total: items.iter().map(|item| item.weight).sum::<f32>().max(f32::EPSILON),
            items,
            parts: parts.to_vec(),
            known: HashMap::new(),
            languages: episode.knowledge.lexicon.languages_of(labels),
        })
    }

    /// Nothing is dealt with.
    pub(super) fn none(&self) -> Dealt {
        Dealt { shares: vec![0.0; self.items.len()], likeness: vec![0.0; self.parts.len()] }
    }

    /// The share of the goal that is dealt with, 0 to 1.
    pub(super) fn share(&self, dealt: &Dealt) -> f32 {
        let all = dealt.shares.iter().zip(&self.items);
        all.map(|(share, item)| share * item.weight).sum::<f32>() / self.total
    }

    /// How far the part that is dealt with least is from anything that deals with it, 0 to 1.
    pub(super) fn farthest(&self, dealt: &Dealt) -> f32 {
        1.0 - dealt.likeness.iter().copied().fold(1.0, f32::min)
    }

    /// How many parts the goal has.
    pub(super) fn parts(&self) -> usize {
        self.parts.len()
    }

    /// What a way that deals with so much is worth.
    pub(super) fn worth(&self, dealt: &Dealt) -> f32 {
        let likeness = dealt.likeness.iter().sum::<f32>() / self.parts.len().max(1) as f32;
        self.share(dealt) + LIKENESS * likeness
    }

    /// What being on a page of this title deals with.
    pub(super) fn titled(&self, title: &str) -> Dealt {
        let said = words(title);
        let share = |item: &Item| match &item.kind {
            ItemKind::Word { stem, .. } if said.iter().any(|word| same_word(word, stem)) => TITLE,
            _ => 0.0,
        };
        Dealt { shares: self.items.iter().map(share).collect(), ..self.none() }
    }

    /// What a text that was touched or typed has dealt with.
    ///
    /// # Errors
    /// When the model fails.
    pub(super) fn said(&self, text: &str) -> Result<Dealt, EmbedError> {
        if text.is_empty() {
            return Ok(self.none());
        }
        let own = words(text);
        let vector = self.episode.scorer.embedder.embed(&[text])?.pop();
        Ok(self.measured(vector.as_ref(), |item| self.called(item, text, &own)))
    }

    /// What a control deals with whose label has a vector, beyond what `called` tells of each item.
    fn measured(&self, vector: Option<&Embedding>, called: impl Fn(&Item) -> f32) -> Dealt {
        let share = |item: &Item| match (&item.kind, vector) {
            (ItemKind::Word { vector: meant, .. }, Some(vector)) => {
                let likeness = (cosine(meant, vector) - USUAL_LIKENESS) / (1.0 - USUAL_LIKENESS);
                called(item).max(MOST_ALIKE * likeness.max(0.0))
            }
            _ => called(item),
        };
        let likeness =
            self.parts.iter().map(|part| vector.map_or(0.0, |vector| cosine(part, vector).max(0.0))).collect();
        Dealt { shares: self.items.iter().map(share).collect(), likeness }
    }

    /// What touching a control, or typing into it, deals with. `meaning` stands for the likeness of a control that is on no map.
    pub(super) fn touched(&mut self, control: &Control, map: &AppMap, meaning: Option<f32>) -> Rc<Dealt> {
        let known = self.known.get(&control.label).into_iter().flatten();
        if let Some((_, dealt)) = known.into_iter().find(|(role, _)| *role == control.role) {
            return Rc::clone(dealt);
        }
        let mut dealt = self.work_out(control, map.vector(&control.name));
        if let Some(meaning) = meaning.filter(|_| map.vector(&control.name).is_none()) {
            dealt.likeness.fill(meaning.clamp(0.0, 1.0));
        }
        let dealt = Rc::new(dealt);
        self.known.entry(control.label.clone()).or_default().push((control.role, Rc::clone(&dealt)));
        dealt
    }

    fn work_out(&self, control: &Control, vector: Option<&Embedding>) -> Dealt {
        let own = words(&control.label);
        let field = control.is_field();
        let fills = self.episode.clause.fills();
        let called = |item: &Item| match item.kind {
            ItemKind::Name(_) if field => {
                if fills {
                    TAKES
                } else {
                    0.0
                }
            }
            ItemKind::Verb(_) if field => 0.0,
            _ => self.called(item, &control.label, &own),
        };
        let mut dealt = self.measured(vector, called);
        if matches!(control.role, Role::Checkbox | Role::Switch | Role::Radio) && self.precision(&own) < 0.5 {
            // A long label that shares a word by chance.
            dealt.shares.iter_mut().for_each(|share| *share *= BY_CHANCE);
        }
        dealt
    }

    /// How much of an item a text calls.
    fn called(&self, item: &Item, text: &str, own: &[String]) -> f32 {
        match &item.kind {
            ItemKind::Word { stem, .. } if own.iter().any(|word| same_word(word, stem)) => 1.0,
            ItemKind::Word { meant, .. } => KINDRED * meant.kindred(text),
            ItemKind::Name(name) => {
                let fit = name_fit(text, name);
                if fit >= BEARS { fit.max(DEALT_WITH) } else { 0.0 }
            }
            ItemKind::Verb(verb) => {
                let lexicon = &self.episode.knowledge.lexicon;
                let says = lexicon.label_verbs(text, self.languages).has(*verb)
                    || purpose_of(*verb).is_some_and(|purpose| lexicon.purposes(text, self.languages).has(purpose));
                f32::from(u8::from(says))
            }
        }
    }

    /// The share of a label's telling words that the goal says.
    fn precision(&self, own: &[String]) -> f32 {
        let lexicon = &self.episode.knowledge.lexicon;
        let telling: Vec<&String> = own.iter().filter(|word| !lexicon.is_stop_word(word)).collect();
        let said = words(&self.episode.clause.step.instruction);
        let asked = telling.iter().filter(|word| said.iter().any(|other| same_word(word, other))).count();
        asked as f32 / telling.len().max(1) as f32
    }
}
