//! How much of a goal has been dealt with, and by what.

use super::cues::{GoalCues, alike, among};
use super::items::{Goal, Item, ItemKind};
use super::tuning::Tuning;
use crate::app_map::{AppMap, Control, View};
use crate::hierarchy::Role;
use crate::inference::{EmbedError, Embedder, Embedding, cosine};
use std::collections::HashMap;
use std::rc::Rc;

/// From here on an item counts as met.
pub(super) const MET: f32 = 0.9;

/// How much of each item is covered, and how near the nearest control came to the whole goal.
#[derive(Debug, Clone)]
pub(super) struct Coverage {
    /// 0…1 for each item.
    pub items: Vec<f32>,
    /// Likeness of the control that is most like the goal.
    pub meaning: f32,
}

impl Coverage {
    pub(super) fn none(goal: &Goal) -> Self {
        Self { items: vec![0.0; goal.items.len()], meaning: 0.0 }
    }

    /// What it is worth.
    pub(super) fn score(&self, goal: &Goal, tuning: &Tuning) -> f32 {
        let covered: f32 = self.items.iter().zip(&goal.items).map(|(share, item)| share * item.weight).sum();
        covered / goal.total + tuning.meaning * self.meaning
    }

    /// Share of the goal that is covered clearly.
    pub(super) fn strong(&self, goal: &Goal) -> f32 {
        // Half a name is typed; half a word is only like one.
        let clearly = |item: &Item| if item.kind == ItemKind::Word { 0.8 } else { 0.5 };
        let covered = self.items.iter().zip(&goal.items).filter(|(share, item)| **share >= clearly(item));
        covered.map(|(_, item)| item.weight).sum::<f32>() / goal.total
    }

    /// Share of the goal that is not covered.
    pub(super) fn open(&self, goal: &Goal) -> f32 {
        let open = self.items.iter().zip(&goal.items).filter(|(share, _)| **share < 0.5);
        open.map(|(_, item)| item.weight).sum::<f32>() / goal.total
    }

    fn raise(&mut self, at: usize, share: f32) {
        if let Some(own) = self.items.get_mut(at) {
            *own = own.max(share);
        }
    }

    /// A control was touched, or would be.
    pub(super) fn touch(&mut self, traits: &Traits) {
        for (at, share) in traits.covers.iter().enumerate() {
            self.raise(at, *share);
        }
        self.meaning = self.meaning.max(traits.meaning);
    }

    /// `text` was typed for an item into a field, or would be.
    pub(super) fn type_in(&mut self, goal: &Goal, traits: &Traits, item: Option<usize>, text: &str, search: bool) {
        for (at, share) in traits.covers.iter().enumerate() {
            self.raise(at, *share);
        }
        let Some((at, wanted)) = item.and_then(|at| Some((at, goal.items.get(at)?))) else { return };
        let share = if wanted.text == text {
            // What was looked up for "it" has still to be touched.
            if search && goal.pronouns.iter().any(|clause| *clause > wanted.clause) { 0.5 } else { 1.0 }
        } else {
            let parts = wanted.text.split(' ').count().max(1);
            (self.items.get(at).copied().unwrap_or_default() + 1.0 / parts as f32).min(1.0)
        };
        self.raise(at, share);
    }

    /// Being on a screen of this title deals with the words of it.
    pub(super) fn titled(&mut self, goal: &Goal, cues: &GoalCues, title: &str, share: f32) {
        let title = cues.words(title);
        for (at, item) in goal.items.iter().enumerate().filter(|(_, item)| item.kind == ItemKind::Word) {
            if title.iter().any(|word| alike(word, &item.text) > 0.0) {
                self.raise(at, share);
            }
        }
    }

    /// What a screen shows in its texts and fields needs not be done.
    pub(super) fn see(&mut self, goal: &Goal, view: &View) {
        for control in view.controls.iter().filter(|control| !control.clickable || control.is_field()) {
            for (at, item) in goal.items.iter().enumerate().filter(|(_, item)| item.kind != ItemKind::Word) {
                let pending = self.items.get(at).is_some_and(|share| (share - 0.5).abs() < 1e-6);
                if !pending && shows(control.shown(), &item.text) {
                    self.raise(at, 1.0);
                }
            }
        }
    }

    /// A choice that is made already.
    pub(super) fn chosen(&mut self, traits: &Traits) {
        for (at, share) in traits.covers.iter().enumerate().filter(|(_, share)| **share >= MET) {
            self.raise(at, share.min(MET));
        }
    }
}

/// The text shows the value; a file's name may come without its ending.
fn shows(text: &str, value: &str) -> bool {
    let (text, value) = (text.to_lowercase(), value.to_lowercase());
    text.contains(&value) || value.rsplit_once('.').is_some_and(|(name, _)| text == name)
}

/// A label holds an item: its words in any ending when it is one word, else the text as it is.
pub(super) fn holds(item: &Item, label: &str, cues: &GoalCues) -> bool {
    match item.words.as_slice() {
        [word] => cues.words(label).iter().any(|other| alike(other, word) > 0.0),
        _ => label.to_lowercase().contains(&item.text.to_lowercase()),
    }
}

/// What a control means for a goal.
#[derive(Debug)]
pub(super) struct Traits {
    /// How much of each item touching it (or typing into it) covers.
    pub covers: Vec<f32>,
    /// How like the whole goal it is.
    pub meaning: f32,
    /// It does something of consequence that the goal does not ask for.
    pub unasked: bool,
}

/// Works out what controls mean for one goal, each once.
pub(super) struct Judge<'a> {
    pub goal: &'a Goal,
    pub map: &'a AppMap,
    pub embedder: &'a dyn Embedder,
    pub cues: &'a GoalCues,
    pub tuning: &'a Tuning,
    traits: HashMap<(bool, String, String, Role), Rc<Traits>>,
    vectors: HashMap<String, Embedding>,
    products: HashMap<(String, String), f32>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(
        goal: &'a Goal,
        map: &'a AppMap,
        embedder: &'a dyn Embedder,
        cues: &'a GoalCues,
        tuning: &'a Tuning,
    ) -> Self {
        let (traits, vectors, products) = (HashMap::new(), HashMap::new(), HashMap::new());
        Self { goal, map, embedder, cues, tuning, traits, vectors, products }
    }

    /// Embeds the names of a screen in one go.
    pub(super) fn read(&mut self, view: &View) -> Result<(), EmbedError> {
        let new =
            |name: &&str| !name.is_empty() && self.map.vector(name).is_none() && !self.vectors.contains_key(*name);
        let mut names: Vec<&str> = view.controls.iter().map(|control| control.name.as_str()).filter(new).collect();
        names.sort_unstable();
        names.dedup();
        if !names.is_empty() {
            let vectors = self.embedder.embed(&names)?;
            self.vectors.extend(names.into_iter().map(str::to_owned).zip(vectors));
        }
        Ok(())
    }

    /// The vector of any text.
    fn vector(&mut self, text: &str) -> Result<Embedding, EmbedError> {
        if let Some(vector) = self.map.vector(text).or_else(|| self.vectors.get(text)) {
            return Ok(vector.clone());
        }
        let vector = self.embedder.embed(&[text])?.pop().ok_or_else(|| EmbedError("no vector came back".into()))?;
        self.vectors.insert(text.to_owned(), vector.clone());
        Ok(vector)
    }

    /// How alike two texts are.
    pub(super) fn likeness(&mut self, one: &str, other: &str) -> Result<f32, EmbedError> {
        let key = (one.to_owned(), other.to_owned());
        if let Some(known) = self.products.get(&key) {
            return Ok(*known);
        }
        let product =
            if one.is_empty() || other.is_empty() { 0.0 } else { cosine(&self.vector(one)?, &self.vector(other)?) };
        self.products.insert(key, product);
        Ok(product)
    }

    /// What touching the control, or typing into it, means.
    pub(super) fn traits(&mut self, control: &Control, typing: bool) -> Result<Rc<Traits>, EmbedError> {
        let key = (typing, control.name.clone(), control.label.clone(), control.role);
        if let Some(known) = self.traits.get(&key) {
            return Ok(Rc::clone(known));
        }
        let vector = if control.name.is_empty() { None } else { Some(self.vector(&control.name)?) };
        let traits = Rc::new(self.work_out(control, typing, vector.as_ref()));
        self.traits.insert(key, Rc::clone(&traits));
        Ok(traits)
    }

    fn work_out(&self, control: &Control, typing: bool, vector: Option<&Embedding>) -> Traits {
        let (goal, cues, tuning) = (self.goal, self.cues, self.tuning);
        let words = cues.words(&control.name);
        let like = |other: &Embedding| vector.map_or(0.0, |vector| cosine(vector, other));
        let faintly =
            |item: &Item| tuning.faint * ((like(&item.vector) - tuning.floor) / (1.0 - tuning.floor)).max(0.0);
        let cover = |item: &Item| match item.kind {
            ItemKind::Word => {
                let shared = words.iter().map(|word| alike(word, &item.text)).fold(0.0, f32::max);
                if shared > 0.0 {
                    shared
                } else if !typing && words.iter().any(|word| cues.are_kin(word, &item.text)) {
                    tuning.kin
                } else {
                    faintly(item)
                }
            }
            _ if !typing && holds(item, &control.label, cues) => 1.0,
            ItemKind::Value if !typing && item.words.len() >= 2 && is_phrase(&item.text) => faintly(item),
            _ => 0.0,
        };
        let mut covers: Vec<f32> = goal.items.iter().map(cover).collect();
        let telling: Vec<&String> = words.iter().filter(|word| !cues.is_idle(word)).collect();
        let asked = |word: &&&String| goal.items.iter().flat_map(|item| &item.words).any(|own| alike(own, word) > 0.0);
        let named = telling.iter().filter(asked).count();
        let precision = if telling.is_empty() { 0.0 } else { named as f32 / telling.len() as f32 };
        if matches!(control.role, Role::Checkbox | Role::Switch | Role::Radio) && precision < 0.5 {
            // A long label that shares a word by chance.
            for share in &mut covers {
                *share *= tuning.by_chance;
            }
        }
        let kin =
            |word: &str| goal.items.iter().any(|item| item.kind == ItemKind::Word && cues.are_kin(&item.text, word));
        let own = |word: &String| goal.items.iter().flat_map(|item| &item.words).any(|other| alike(other, word) > 0.0);
        let unasked = words.iter().take(2).any(|word| among(&cues.deeds, word) && !own(word) && !kin(word));
        Traits { covers, meaning: like(&goal.vector) + tuning.precision * precision, unasked: unasked && !typing }
    }
}

fn is_phrase(text: &str) -> bool {
    text.chars().all(|c| c.is_alphabetic() || c == ' ')
}
