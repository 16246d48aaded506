//! What a clause does to a thing, apart from what the thing is called: "Keep an eye on Moss Wagon" is "keep an eye on".

use super::context::Context;
use super::usual_content::likeness;
use crate::domain::content_words;
use crate::hierarchy::{Role, Widget};
use crate::inference::cosine;
use crate::pipeline::screen_model::{Purpose, Region};
use crate::pipeline::task::{Verb, VerbSet, title_of};
use std::cell::OnceCell;

/// The likeness of each control to the action of one clause, worked out when it is asked for first.
#[derive(Debug, Default)]
pub(super) struct ActionMeaning(OnceCell<Vec<f32>>);

impl ActionMeaning {
    /// Of a control that acts on the thing which the clause calls by name, 0 to 1; 0 for every other control.
    pub(super) fn of(&self, context: &Context<'_>, widget: &Widget) -> f32 {
        self.0.get_or_init(|| of_screen(context)).get(widget.id).copied().unwrap_or_default()
    }
}

/// By widget. Without vectors nothing is alike; the same failure ends the decision where controls are ranked.
fn of_screen(context: &Context<'_>) -> Vec<f32> {
    let widgets = &context.model.screen.widgets;
    let mut found = vec![0.0; widgets.len()];
    let of_thing = context.is_page_of_thing();
    let acting: Vec<&Widget> = widgets.iter().filter(|widget| acts(context, widget, of_thing)).collect();
    let Some(action) = action(context).filter(|_| !acting.is_empty()) else { return found };
    let texts: Vec<&str> = std::iter::once(action.as_str()).chain(acting.iter().map(|one| called(one))).collect();
    let vectors = context.episode.scorer.embedder.embed(&texts).unwrap_or_default();
    let Some((own, others)) = vectors.split_first() else { return found };
    for (widget, other) in acting.iter().zip(others) {
        if let Some(place) = found.get_mut(widget.id) {
            *place = likeness(cosine(own, other));
        }
    }
    found
}

/// The instruction without the names of things; `None` where it calls none, says nothing else, or only opens or looks for them.
fn action(context: &Context<'_>) -> Option<String> {
    const LOOKING: VerbSet = VerbSet::of(&[
        Verb::Open,
        Verb::Choose,
        Verb::Enter,
        Verb::Check,
        Verb::Wait,
        Verb::Search,
        Verb::Back,
        Verb::Sort,
        Verb::Filter,
    ]);
    let clause = context.clause();
    if clause.leads_with(LOOKING) {
        return None;
    }
    let headings = context.named_rows.iter().filter_map(|row| context.model.rows.get(*row));
    let headings = headings.map(|row| title_of(&row.heading));
    let names = clause.names.iter().chain(&clause.proper_names).map(String::as_str).chain(headings);
    let mut text = clause.step.instruction.clone();
    let mut longest_first: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    longest_first.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for name in longest_first {
        text = text.replace(name, " ");
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (text.len() < clause.step.instruction.len() && !content_words(&text).is_empty()).then_some(text)
}

/// True for a control that does something to a thing of the clause: in the thing's row, or on its page or in its menu.
fn acts(context: &Context<'_>, widget: &Widget, of_thing: bool) -> bool {
    let control = context.model.control(widget.id);
    let opens = context.model.row_of(widget.id).is_some_and(|row| row.opener == Some(widget.id));
    let of_row = control.row.is_some_and(|row| context.named_rows.contains(&row)) && !opens;
    let of_page = of_thing && control.region != Region::BottomBar && widget.role != Role::Tab;
    let leads = [Purpose::Back, Purpose::Cancel, Purpose::Overflow, Purpose::Drawer];
    let touched = widget.clickable && !matches!(widget.role, Role::Field | Role::KeypadKey | Role::List);
    touched && (of_row || of_page) && !called(widget).is_empty() && !control.purposes.has_any(&leads)
}

/// What a control is called; an icon without a label by its id.
fn called(widget: &Widget) -> &str {
    if widget.label.is_empty() { &widget.id_words } else { title_of(&widget.label) }
}
