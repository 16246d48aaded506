//! Which of several alike is meant: "the second result", "the last message".

use super::text::WidgetText;
use crate::hierarchy::{Role, Screen};
use std::collections::HashMap;

/// A number an instruction counts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// From 1.
    Number(usize),
    /// The last one.
    Last,
}

/// How a widget stands to the number that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counted {
    /// It is the one.
    pub is_meant: bool,
}

/// Counts the widgets of each kind, and those of each label, from top to bottom; nothing is counted where no number is
/// asked for.
pub(super) fn counted(screen: &Screen, texts: &[WidgetText], wanted: Option<Order>) -> Vec<Counted> {
    let mut counted = vec![Counted::default(); screen.widgets.len()];
    let Some(wanted) = wanted else { return counted };
    let mut groups: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
    for (widget, text) in screen.widgets.iter().zip(texts) {
        if matches!(widget.role, Role::Text | Role::List | Role::Image) {
            continue;
        }
        groups.entry((text.role, "")).or_default().push(widget.id);
        if !text.label.is_empty() {
            groups.entry((text.role, &text.label)).or_default().push(widget.id);
        }
    }
    for members in groups.values_mut().filter(|members| members.len() > 1) {
        members.sort_by_key(|&id| screen.widgets.get(id).map(|widget| (widget.bounds.top, widget.bounds.left)));
        let at = match wanted {
            Order::Number(number) => members.get(number.saturating_sub(1)),
            Order::Last => members.last(),
        };
        if let Some(counted) = at.and_then(|&id| counted.get_mut(id)) {
            counted.is_meant = true;
        }
    }
    counted
}
