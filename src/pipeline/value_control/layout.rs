//! What stands over, beside and between the widgets of a screen, and what it names.

use super::amount::Amount;
use super::read::{WrittenDate, read_time};
use crate::domain::Rect;
use crate::hierarchy::{Role, Screen, ScreenKind, Widget, WidgetId};
use crate::lexicon::{Languages, Lexicon};
use std::collections::HashSet;

/// Part of the display's height within which a text over a control may name it.
const REACH_OF_CAPTION: i32 = 10;
/// Longest text that names a control, in characters.
const LONGEST_NAME: usize = 80;

/// A screen whose widgets are given to controls one after the other.
pub(super) struct Page<'s> {
    pub(super) screen: &'s Screen,
    /// What labels say their controls do.
    pub(super) lexicon: &'s Lexicon,
    /// The languages of its labels.
    pub(super) languages: Languages,
    /// Where the subtree of each node ends.
    pub(super) ends: Vec<usize>,
    taken: HashSet<WidgetId>,
}

impl<'s> Page<'s> {
    pub(super) fn new(screen: &'s Screen, lexicon: &'s Lexicon) -> Self {
        let languages = lexicon.languages_of(screen.widgets.iter().map(|widget| widget.label.as_str()));
        Self { screen, lexicon, languages, ends: screen.tree.subtree_ends(), taken: HashSet::new() }
    }

    pub(super) fn widget(&self, id: WidgetId) -> Option<&'s Widget> {
        self.screen.widgets.get(id)
    }

    /// Widgets that belong to no control yet.
    pub(super) fn free(&self) -> impl Iterator<Item = &'s Widget> {
        self.screen.widgets.iter().filter(|widget| !self.taken.contains(&widget.id))
    }

    pub(super) fn take(&mut self, widgets: &[WidgetId]) {
        self.taken.extend(widgets);
    }

    /// The screen is a window of its own over the rest: a dialog, a list that came up.
    pub(super) fn is_window(&self) -> bool {
        let display = self.screen.display.rect();
        let mut roots = self.screen.tree.nodes.iter().filter(|node| node.parent.is_none());
        let smaller = roots.next().is_some_and(|root| 10 * root.bounds.area() < 8 * display.area());
        self.screen.kind == ScreenKind::Dialog || smaller && roots.next().is_none()
    }

    /// The widgets within another one, by the tree.
    pub(super) fn inside(&self, widget: &Widget) -> impl Iterator<Item = &'s Widget> {
        let nodes = widget.node + 1..self.ends.get(widget.node).copied().unwrap_or(widget.node + 1);
        self.screen.widgets.iter().filter(move |inner| nodes.contains(&inner.node))
    }

    /// The node's nearest ancestors, nearest first.
    pub(super) fn ancestors(&self, node: usize) -> impl Iterator<Item = usize> {
        let parent = |node: &usize| self.screen.tree.nodes.get(*node).and_then(|node| node.parent);
        std::iter::successors(parent(&node), parent)
    }

    /// The text that names a control at this place: its own label unless that is a value, else what stands to the left of it
    /// in its line, else what stands over it.
    pub(super) fn name_of(&self, own: &str, place: Rect, parts: &[WidgetId]) -> String {
        let own = without_value(own);
        if !own.is_empty() {
            return own;
        }
        let beside = self.text_left_of(place, parts).or_else(|| self.text_over(place, parts));
        beside.map(|text| without_value(&text.label)).unwrap_or_default()
    }

    fn names(&self, parts: &[WidgetId]) -> impl Iterator<Item = &'s Widget> {
        let parts = parts.to_vec();
        self.screen.widgets.iter().filter(move |widget| {
            matches!(widget.role, Role::Text | Role::ReadText)
                && !parts.contains(&widget.id)
                && widget.label.chars().count() <= LONGEST_NAME
                && !without_value(&widget.label).is_empty()
        })
    }

    /// The first line of what stands to the left of a place, in its line.
    fn text_left_of(&self, place: Rect, parts: &[WidgetId]) -> Option<&'s Widget> {
        let in_line = |text: &&Widget| {
            let shared = text.bounds.bottom.min(place.bottom) - text.bounds.top.max(place.top);
            2 * shared >= text.bounds.height().min(place.height()) && text.bounds.center().x < place.left
        };
        let nearest = self.names(parts).filter(in_line).max_by_key(|text| text.bounds.right)?;
        // A row of two lines is called by its first one.
        let same_column = |text: &&Widget| {
            let gap = nearest.bounds.top - text.bounds.bottom;
            text.bounds.left == nearest.bounds.left && (0..nearest.bounds.height() / 2).contains(&gap)
        };
        let title = self.names(parts).filter(same_column).min_by_key(|text| text.bounds.top);
        let blocked = |by: &Widget| {
            !parts.contains(&by.id)
                && by.clickable
                && level(by.bounds, place)
                && (nearest.bounds.right..place.left).contains(&by.bounds.center().x)
        };
        (!self.screen.widgets.iter().any(blocked)).then_some(title.unwrap_or(nearest))
    }

    /// The nearest text over a place, with no control between.
    fn text_over(&self, place: Rect, parts: &[WidgetId]) -> Option<&'s Widget> {
        let reach = (self.screen.display.height as i32 / REACH_OF_CAPTION).max(1);
        let over = |text: &&Widget| {
            let gap = place.top - text.bounds.bottom;
            (-text.bounds.height() / 2..reach).contains(&gap)
                && text.bounds.center().y < place.top.max(text.bounds.top + 1)
                && stacked(text.bounds, place)
        };
        let nearest = self.names(parts).filter(over).max_by_key(|text| (text.bounds.bottom, -text.bounds.left))?;
        let between = |by: &Widget| {
            !parts.contains(&by.id)
                && by.clickable
                && by.bounds.top >= nearest.bounds.bottom
                && by.bounds.bottom <= place.top
                && stacked(by.bounds, place)
        };
        (!self.screen.widgets.iter().any(between)).then_some(nearest)
    }
}

/// What a label says beside its value: "Volume" of "Volume: 40 %", nothing of "40 %".
pub(super) fn without_value(label: &str) -> String {
    let label = label.trim();
    if let Some(amount) = Amount::read(label) {
        return amount.name;
    }
    let date = WrittenDate::read(label).is_some();
    let time = read_time(label).is_some() && !label.chars().any(|c| c.is_alphabetic() && !"aApPmMhH".contains(c));
    let sign = !label.chars().any(char::is_alphanumeric);
    if date || time || sign { String::new() } else { label.to_owned() }
}

/// True if two places share half of the lower one's height.
pub(super) fn level(one: Rect, other: Rect) -> bool {
    let shared = one.bottom.min(other.bottom) - one.top.max(other.top);
    2 * shared >= one.height().min(other.height()) && shared > 0
}

/// True if two places share a column of pixels.
pub(super) const fn stacked(one: Rect, other: Rect) -> bool {
    one.left < other.right && other.left < one.right
}

/// The smallest rectangle around all.
pub(in super::super) fn around(places: impl Iterator<Item = Rect>) -> Rect {
    let join = |one: Rect, other: Rect| {
        Rect::new(
            one.left.min(other.left),
            one.top.min(other.top),
            one.right.max(other.right),
            one.bottom.max(other.bottom),
        )
    };
    places.reduce(join).unwrap_or_default()
}

/// True if two places are about as large as each other.
pub(super) const fn alike(one: Rect, other: Rect) -> bool {
    let height = one.height() - other.height();
    let width = one.width() - other.width();
    height.abs() * 4 <= one.height() && width.abs() * 3 <= one.width()
}
