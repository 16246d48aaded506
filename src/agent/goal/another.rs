//! The page of another thing: one of several rows led there that bears nothing the goal names.

use super::coverage::holds;
use super::cues::{GoalCues, alike};
use super::decision::Stride;
use super::items::{Goal, Item, ItemKind};
use crate::app_map::{Control, View};
use crate::hierarchy::Role;

/// Rows of a kind from which on they are things of a list.
const SEVERAL: usize = 2;

/// Where the last touch led is about one of several things, and not about what the goal names, of which something was
/// never dealt with and is not here either.
pub(super) fn is_anothers(goal: &Goal, cues: &GoalCues, past: &[Stride], view: &View) -> bool {
    let Some((row, list)) = entered(past, view) else { return false };
    let of_kind = |other: &&Control| {
        other.role == row.role && other.bounds.width() == row.bounds.width() && other.bounds != row.bounds
    };
    let detailed = row.label.trim() != row.name.trim();
    if !detailed || list.controls.iter().filter(of_kind).count() + 1 < SEVERAL {
        return false;
    }
    if is_list(view) {
        return false;
    }
    let name = row.name.trim().to_lowercase();
    let about = |text: &str| !name.is_empty() && (text.contains(&name) || row.label.to_lowercase().contains(text));
    let title = view.title.trim().to_lowercase();
    if title.is_empty() || !about(&title) || is_said(goal, cues, &view.title) {
        return false;
    }
    let named = |item: &&Item| item.kind != ItemKind::Word;
    let here = |item: &Item| view.controls.iter().any(|control| holds(item, &control.label, cues));
    let touched = |item: &Item| past.iter().filter_map(label_of).any(|label| holds(item, label, cues));
    let typed = |item: &Item| past.iter().any(|stride| stride.typed.as_deref() == Some(item.text.as_str()));
    let mut open = goal.items.iter().filter(named).filter(|item| !touched(item) && !typed(item)).peekable();
    open.peek().is_some() && !open.any(here)
}

/// It lists things itself, or asks for something to be chosen or filled in: what is named may be behind it.
fn is_list(view: &View) -> bool {
    let rows = || view.controls.iter().filter(|control| control.clickable && control.role == Role::ListItem);
    let kind = |one: &Control| rows().filter(|other| other.bounds.width() == one.bounds.width()).count();
    let buttons = || view.controls.iter().filter(|control| control.clickable && !control.label.is_empty());
    let repeated = |one: &Control| buttons().filter(|other| other.label == one.label).count() > 1;
    view.controls.iter().any(|control| control.is_field() || control.checked.is_some())
        || rows().any(|row| kind(row) > SEVERAL)
        || buttons().any(repeated)
}

/// The row that led here, and the screen it stood on.
fn entered<'a>(past: &'a [Stride], view: &View) -> Option<(&'a Control, &'a View)> {
    let last = past.last().filter(|last| last.typed.is_none() && last.on.differs(view))?;
    let row = last.control.and_then(|at| last.on.controls.get(at))?;
    (row.role == Role::ListItem && row.checked.is_none()).then_some((row, &last.on))
}

fn label_of(stride: &Stride) -> Option<&str> {
    let at = stride.control.filter(|_| stride.typed.is_none())?;
    stride.on.controls.get(at).map(|control| control.label.as_str())
}

/// The goal says most of its words.
fn is_said(goal: &Goal, cues: &GoalCues, title: &str) -> bool {
    let words: Vec<String> = cues.words(title).into_iter().filter(|word| !cues.is_idle(word)).collect();
    let said = |word: &&String| goal.items.iter().flat_map(|item| &item.words).any(|own| alike(own, word) > 0.0);
    2 * words.iter().filter(said).count() > words.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app_map::AppMap;
    use crate::inference::sample::WordEmbedder;
    use crate::recorded::sample::screen;

    fn another(goal: &str, row: &str, page: &[&str]) -> bool {
        let cues = GoalCues::bundled().unwrap();
        let goal = Goal::read(goal, &[], &cues, &AppMap::default(), &WordEmbedder).unwrap();
        let mut list = View::of(&screen(&["TextView Visits", "Button Dr. Ash, 2 May", "Button Dr. Oak, 9 May"]));
        for control in &mut list.controls {
            if control.clickable {
                control.role = Role::ListItem;
                control.name = control.label.split(", ").next().unwrap_or_default().into();
            }
        }
        let control = list.controls.iter().position(|control| control.label.starts_with(row));
        assert!(control.is_some());
        let past = [Stride { on: list, control, typed: None, back: false }];
        let mut view = View::of(&screen(page));
        view.title = row.to_owned();
        is_anothers(&goal, &cues, &past, &view)
    }

    const PAGE: &[&str] = &["TextView About", "Button Call off", "Button Another time"];

    #[test]
    fn the_page_of_what_the_goal_does_not_name_is_anothers() {
        assert!(another("Move the visit of 'Dr. Oak' to noon", "Dr. Ash", PAGE));
        assert!(!another("Move the visit of 'Dr. Oak' to noon", "Dr. Oak", PAGE));
    }

    #[test]
    fn a_page_is_gone_on_from_where_nothing_is_named_or_what_is_named_is_there() {
        assert!(!another("Move the visit to noon", "Dr. Ash", PAGE));
        assert!(!another("Ask 'Dr. Oak' for a visit", "Dr. Ash", &["TextView About", "Button Dr. Oak"]));
    }
}
