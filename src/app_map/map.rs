//! Screens and what leads from one to another.

use super::View;
use crate::domain::{Action, Rect, same_word, words};
use crate::hierarchy::{Fingerprint, Screen};
use crate::inference::{EmbedError, Embedder, Embedding};
use std::collections::{BTreeSet, HashMap};

/// Where a control is believed to lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lead {
    /// The screen, as [`AppMap::view`] takes it.
    pub to: usize,
    /// Nobody has tried it there; a control of the same name leads there from another screen.
    pub guessed: bool,
}

/// A map of one version of an app.
#[derive(Debug, Clone, Default)]
pub struct AppMap {
    views: Vec<View>,
    by_digest: HashMap<u64, usize>,
    by_fingerprint: HashMap<Fingerprint, Vec<usize>>,
    /// Screen and control to screen.
    ways: HashMap<(usize, usize), usize>,
    /// Where controls of a label lead, most often first.
    by_label: HashMap<String, Vec<(usize, usize)>>,
    vectors: HashMap<String, Embedding>,
    /// The words of each distinct control name.
    names: Vec<Vec<String>>,
}

impl AppMap {
    /// Notes that `action` led from one screen to another. Only touches on a widget are remembered as ways; screens
    /// always are.
    pub fn learn(&mut self, before: &Screen, action: &Action, after: &Screen) {
        let (from, to) = (self.place(before), self.place(after));
        let Action::Click { target } = action else { return };
        self.connect(from, target.bounds, to);
    }

    /// Notes a screen; its number.
    pub fn place(&mut self, screen: &Screen) -> usize {
        match self.by_digest.get(&screen.digest) {
            Some(known) => *known,
            None => self.note(View::of(screen)),
        }
    }

    /// Notes a screen as the map keeps it; its number.
    pub fn note(&mut self, view: View) -> usize {
        if let Some(known) = self.by_digest.get(&view.digest) {
            return *known;
        }
        let number = self.views.len();
        self.by_digest.insert(view.digest, number);
        self.by_fingerprint.entry(view.fingerprint).or_default().push(number);
        self.views.push(view);
        number
    }

    /// The number of a screen that is on the map.
    pub fn number_of(&self, digest: u64) -> Option<usize> {
        self.by_digest.get(&digest).copied()
    }

    /// How many screens of this structure it holds.
    pub fn alike(&self, fingerprint: Fingerprint) -> usize {
        self.by_fingerprint.get(&fingerprint).map_or(0, Vec::len)
    }

    /// Notes that what lies at `bounds` leads from one screen to another. The first outcome stays.
    pub fn connect(&mut self, from: usize, bounds: Rect, to: usize) {
        let Some(control) = self.touched(from, bounds) else { return };
        if !self.ways.contains_key(&(from, control)) {
            self.lay(from, control, to);
        }
    }

    /// Like [`AppMap::connect`], but the last outcome stays: an app that is used changes, and so does where it leads.
    pub fn reconnect(&mut self, from: usize, bounds: Rect, to: usize) {
        let Some(control) = self.touched(from, bounds) else { return };
        if let Some(old) = self.ways.remove(&(from, control))
            && let Some(leads) = self
                .views
                .get(from)
                .and_then(|view| view.controls.get(control))
                .and_then(|control| self.by_label.get_mut(&control.label))
        {
            for (_, times) in leads.iter_mut().filter(|(screen, _)| *screen == old) {
                *times -= 1;
            }
            leads.retain(|(_, times)| *times > 0);
        }
        self.lay(from, control, to);
    }

    /// The control of a screen that lies at `bounds`.
    fn touched(&self, from: usize, bounds: Rect) -> Option<usize> {
        self.views.get(from)?.controls.iter().position(|control| control.clickable && control.bounds == bounds)
    }

    /// A way from a control to a screen; both must be on the map.
    pub(super) fn lay(&mut self, from: usize, control: usize, to: usize) {
        let Some(label) = self.views.get(from).and_then(|view| view.controls.get(control)).map(|at| at.label.clone())
        else {
            return;
        };
        if to >= self.views.len() {
            return;
        }
        self.ways.insert((from, control), to);
        let leads = self.by_label.entry(label).or_default();
        match leads.iter_mut().find(|(screen, _)| *screen == to) {
            Some((_, times)) => *times += 1,
            None => leads.push((to, 1)),
        }
        leads.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    }

    /// Computes the vectors of all names that have none yet, so that planning does not have to.
    pub fn embed(&mut self, embedder: &dyn Embedder) -> Result<(), EmbedError> {
        let names: BTreeSet<&str> =
            self.views.iter().flat_map(|view| &view.controls).map(|control| control.name.as_str()).collect();
        let new = |name: &&str| !name.is_empty() && !self.vectors.contains_key(*name);
        let names: Vec<String> = names.into_iter().filter(new).map(str::to_owned).collect();
        let texts: Vec<&str> = names.iter().map(String::as_str).collect();
        if texts.is_empty() {
            return Ok(());
        }
        let vectors = embedder.embed(&texts)?;
        self.names.extend(names.iter().map(|name| words(name)));
        self.vectors.extend(names.into_iter().zip(vectors));
        Ok(())
    }

    /// All screens, by their numbers.
    pub fn views(&self) -> &[View] {
        &self.views
    }

    /// All ways: screen, control, screen; in order.
    pub fn ways(&self) -> Vec<(usize, usize, usize)> {
        let mut ways: Vec<_> = self.ways.iter().map(|((from, control), to)| (*from, *control, *to)).collect();
        ways.sort_unstable();
        ways
    }

    /// The vector of a name that is on the map.
    pub fn vector(&self, name: &str) -> Option<&Embedding> {
        self.vectors.get(name)
    }

    /// How rare a word is among the names on the map; a word on none of them is the rarest.
    pub fn rarity(&self, word: &str) -> f32 {
        let with = self.names.iter().filter(|name| name.iter().any(|other| same_word(other, word))).count();
        ((self.names.len() + 1) as f32 / (with + 1) as f32).ln_1p()
    }

    /// A screen by its number.
    pub fn view(&self, number: usize) -> Option<&View> {
        self.views.get(number)
    }

    /// How many screens and ways it holds.
    pub fn size(&self) -> (usize, usize) {
        (self.views.len(), self.ways.len())
    }

    /// Where a control of `view`, which may be on the map or not, leads.
    pub fn lead(&self, view: &View, control: usize) -> Option<Lead> {
        let known = |to: usize| Lead { to, guessed: false };
        let here = self.by_digest.get(&view.digest).copied();
        if let Some(to) = here.and_then(|here| self.ways.get(&(here, control))) {
            return Some(known(*to));
        }
        let label = &view.controls.get(control)?.label;
        if here.is_none() {
            // A screen whose texts have changed is known by its structure.
            let alike = self.by_fingerprint.get(&view.fingerprint).map(Vec::as_slice).unwrap_or_default();
            let way = alike.iter().find_map(|&screen| {
                let mut named =
                    self.views[screen].controls.iter().enumerate().filter(|(_, other)| other.label == *label);
                named.find_map(|(at, _)| self.ways.get(&(screen, at)))
            });
            if let Some(to) = way {
                return Some(known(*to));
            }
        }
        let elsewhere = self.by_label.get(label)?;
        let to = elsewhere.iter().map(|(to, _)| *to).find(|to| Some(*to) != here)?;
        Some(Lead { to, guessed: true })
    }
}

#[cfg(test)]
#[path = "map_tests.rs"]
mod tests;
