//! Controls that count: "−  2  +".

use super::sight::shows;
use super::words::Words;
use crate::hierarchy::{Screen, Widget, WidgetId};

/// A counter.
pub(super) struct Counter {
    /// What it shows.
    pub value: u32,
    /// Counts up.
    pub more: Option<WidgetId>,
    /// Counts down.
    pub fewer: Option<WidgetId>,
    /// It stands in the row of what is named.
    pub named: bool,
}

/// The counter that a name is meant by: the one in its row, else the only one there is.
pub(super) fn find(screen: &Screen, words: &Words, name: Option<&str>) -> Option<Counter> {
    let ups: Vec<&Widget> = screen.widgets.iter().filter(|widget| counts(widget, words) == Some(true)).collect();
    let beside = |up: &&&Widget| name.is_some_and(|name| shows(&up.context, name) > 0 || shows(&up.label, name) > 0);
    let (up, named) = match ups.iter().find(beside) {
        Some(up) => (*up, true),
        None => match (ups.as_slice(), name.and_then(|name| nearest(screen, &ups, name))) {
            (_, Some(up)) => (up, true),
            ([only], None) => (*only, false),
            _ => return None,
        },
    };
    let level = |widget: &&Widget| {
        let middle = up.bounds.center().y;
        widget.bounds.top <= middle && middle <= widget.bounds.bottom
    };
    let row: Vec<&Widget> = screen.widgets.iter().filter(level).collect();
    let apart = |widget: &&&Widget| (widget.bounds.center().x - up.bounds.center().x).abs();
    let number = |widget: &&&Widget| widget.label.trim().parse::<u32>().is_ok();
    let value = row.iter().filter(number).min_by_key(apart)?.label.trim().parse().ok()?;
    let down = row.iter().filter(|widget| counts(widget, words) == Some(false)).min_by_key(apart);
    let usable = |widget: &Widget| widget.state.enabled.then_some(widget.id);
    Some(Counter { value, more: usable(up), fewer: down.and_then(|down| usable(down)), named })
}

fn counts(widget: &Widget, words: &Words) -> Option<bool> {
    widget.clickable.then(|| words.counts(&widget.label)).flatten()
}

/// The counter below a name and above the next one, where rows are taller than one line.
fn nearest<'a>(screen: &Screen, ups: &[&'a Widget], name: &str) -> Option<&'a Widget> {
    let title = screen.widgets.iter().find(|widget| shows(&widget.label, name) >= 2)?;
    let reach = title.bounds.height().max(1) * 6;
    let below = |up: &&&Widget| (0..reach).contains(&(up.bounds.center().y - title.bounds.top));
    ups.iter().filter(below).min_by_key(|up| up.bounds.center().y).copied()
}
