//! Controls that count: "−  2  +".

use super::sight::shows;
use super::words::{Words, said};
use crate::domain::words as words_of;
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
    let beside = |up: &&&Widget| name.is_some_and(|name| tells(&up.context, name) || tells(&up.label, name));
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

/// The text says all words of the name, in any ending.
fn tells(text: &str, name: &str) -> bool {
    let wanted = words_of(name);
    !wanted.is_empty() && said(&wanted, text) == wanted.len()
}

fn counts(widget: &Widget, words: &Words) -> Option<bool> {
    widget.clickable.then(|| words.counts(&widget.label)).flatten()
}

/// The counter below a name and above the next one, where rows are taller than one line.
fn nearest<'a>(screen: &Screen, ups: &[&'a Widget], name: &str) -> Option<&'a Widget> {
    let exactly = screen.widgets.iter().find(|widget| shows(&widget.label, name) >= 2);
    let title = exactly.or_else(|| screen.widgets.iter().find(|widget| tells(&widget.label, name)))?;
    let reach = title.bounds.height().max(1) * 6;
    let below = |up: &&&Widget| (0..reach).contains(&(up.bounds.center().y - title.bounds.top));
    ups.iter().filter(below).min_by_key(|up| up.bounds.center().y).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::sample::{button, row, screen, text};

    /// A counter in a row of its own: "−  2  +".
    fn counter(widgets: &mut Vec<Widget>, at: i32, context: &str, value: &str) {
        for widget in [button("−"), text(value), button("+")] {
            let left = 100 * widgets.len() as i32;
            let mut widget = row(widget, at, left);
            context.clone_into(&mut widget.context);
            widgets.push(widget);
        }
    }

    fn found(widgets: Vec<Widget>, name: Option<&str>) -> Option<(u32, bool, bool, bool)> {
        let found = find(&screen(widgets), super::super::WORDS.get(), name)?;
        Some((found.value, found.more.is_some(), found.fewer.is_some(), found.named))
    }

    #[test]
    fn the_counter_in_the_row_of_what_is_named_is_meant() {
        let mut widgets = Vec::new();
        counter(&mut widgets, 0, "Pear", "2");
        counter(&mut widgets, 1, "Plum", "7");
        assert_eq!(found(widgets.clone(), Some("Plum")), Some((7, true, true, true)));
        assert_eq!(found(widgets.clone(), Some("Pear")), Some((2, true, true, true)));
        assert_eq!(found(widgets.clone(), Some("Fig")), None, "neither is the fig's");
        assert_eq!(found(widgets, None), None, "either may be meant");
    }

    #[test]
    fn a_counter_may_stand_below_the_name() {
        let mut widgets = vec![row(text("Pear"), 0, 0)];
        counter(&mut widgets, 1, "", "2");
        widgets.push(row(text("Plum"), 2, 0));
        counter(&mut widgets, 3, "", "7");
        assert_eq!(found(widgets.clone(), Some("Pear")).map(|found| found.0), Some(2));
        assert_eq!(found(widgets, Some("Plum")).map(|found| found.0), Some(7));
    }

    #[test]
    fn the_only_counter_is_meant_without_a_name_and_what_is_off_does_not_count() {
        let mut widgets = Vec::new();
        counter(&mut widgets, 0, "", "3");
        assert_eq!(found(widgets.clone(), None), Some((3, true, true, false)));
        widgets[2].state.enabled = false;
        assert_eq!(found(widgets.clone(), None), Some((3, false, true, false)));
        widgets[1].label = "some".into();
        assert_eq!(found(widgets, None), None, "there is no number");
    }
}
