//! A screen as the map keeps it.

use super::Control;
use crate::hierarchy::{Fingerprint, Screen};
use std::collections::BTreeSet;

/// What of a screen matters for finding one's way.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// Hash of everything visible.
    pub digest: u64,
    /// Structural hash.
    pub fingerprint: Fingerprint,
    /// Its title.
    pub title: String,
    /// Its widgets, in the screen's order.
    pub controls: Vec<Control>,
}

impl View {
    /// A screen as the map keeps it.
    pub fn of(screen: &Screen) -> Self {
        Self {
            digest: screen.digest,
            fingerprint: screen.fingerprint,
            title: screen.title.clone(),
            controls: screen.widgets.iter().map(Control::of).collect(),
        }
    }

    /// True when the two are different places of the app, and not one place with another state of something on it.
    pub fn differs(&self, other: &Self) -> bool {
        if self.fingerprint != other.fingerprint || self.title != other.title {
            return true;
        }
        let labels = |view: &Self| view.controls.iter().map(|control| control.label.clone()).collect::<BTreeSet<_>>();
        let (here, there) = (labels(self), labels(other));
        let shared = here.intersection(&there).count();
        // Most labels are shared where only a value or a mark has changed.
        shared * 5 < here.union(&there).count() * 3
    }
}
