//! A decision in words: what the next-action model reads of a clause, its past and a screen.
//!
//! The model is fitted to this form, so a change of it asks for a new model.

use super::episode::Episode;
use super::journal::ActionRecord;
use super::propose::Source;
use super::screen_model::ScreenModel;
use super::task::Clause;
use crate::domain::Action;
use crate::hierarchy::{Role, Widget};
use crate::inference::Reading;
use crate::ranking::widget_texts;

/// Puts a clause on a screen in words.
pub(super) fn read(episode: &Episode<'_>, model: &ScreenModel<'_>) -> Reading {
    let screen = model.screen;
    let asked = |clause: Option<&Clause>| clause.map(|one| one.step.instruction.clone()).unwrap_or_default();
    let done = |record: &&ActionRecord| record.worked() && record.source != Source::Interruption;
    let shown = screen.widgets.iter().zip(widget_texts(screen));
    Reading {
        instruction: episode.clause.step.instruction.clone(),
        before: asked(episode.previous),
        after: asked(episode.next()),
        past: episode.journal.current().filter(done).map(past).collect(),
        title: screen.title.clone(),
        widgets: shown.map(|(own, text)| held(own, &text.joined())).collect(),
    }
}

/// A widget's text with what a field holds.
fn held(widget: &Widget, text: &str) -> String {
    let filled = widget.role == Role::Field && !widget.value.is_empty() && !text.contains(&widget.value);
    if filled { format!("{text} = {}", widget.value) } else { text.to_owned() }
}

/// One action in words: `click Delete | Lime tart`, `input_text Amount = 20`, `scroll`, `back`.
fn past(record: &ActionRecord) -> String {
    let label = record.label();
    let heading = record.control.as_ref().map(|control| control.heading.as_str()).unwrap_or_default();
    let name = match (label, heading) {
        ("", _) => record.text.clone(),
        (label, "") => label.to_owned(),
        (label, heading) if label.contains(heading) => label.to_owned(),
        (label, heading) => format!("{label} | {heading}"),
    };
    match &record.action {
        Action::Click { .. } => format!("click {name}"),
        Action::LongPress { .. } => format!("long_press {name}"),
        Action::SwipeSelector { direction, .. } => format!("turn {name} {direction}"),
        Action::InputText { text, .. } => format!("input_text {name} = {text}"),
        Action::InputByNumericKeyboard { digits, .. } => format!("input_text = {digits}"),
        Action::PressBack => "back".to_owned(),
        Action::PressEnter => "enter".to_owned(),
        Action::Scroll { .. } => "scroll".to_owned(),
        Action::Wait { .. } => "wait".to_owned(),
        Action::OpenApp { .. } => "open_app".to_owned(),
    }
}
