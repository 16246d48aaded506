//! What of a clause nothing that was done has shown.

use super::context::Context;
use crate::domain::{Action, InputText};
use crate::hierarchy::{Role, Widget};
use crate::pipeline::episode::Episode;
use crate::pipeline::journal::ActionRecord;
use crate::pipeline::task::{BEARS, IS_CALLED, asked_fit, name_fit};

/// From this share of the clause's telling words on a control that was not touched says too much to be left out.
const SAYS_MUCH: f32 = 0.5;

/// How surely what is called by a name that only its capital letters tell is the thing that the clause means.
const PROPER: f32 = 0.9;

impl Context<'_> {
    /// Names by their capital letters that nothing done for the clause bears, and the page in front is neither called by nor says.
    pub(super) fn proper_names_left(&self) -> impl Iterator<Item = &String> {
        let bears = |text: &str, name: &str| name_fit(text, name) >= BEARS;
        self.clause().proper_names.iter().filter(move |name| {
            let done = |record: &ActionRecord| {
                let control = record.control.as_ref();
                let called = control.is_some_and(|it| bears(&it.label, name) || bears(&it.heading, name));
                let touched = record.action.target().is_some_and(|target| bears(&target.label, name));
                let typed = matches!(&record.action, Action::InputText { text: InputText::Plain(text), .. } if bears(text, name));
                called || touched || typed
            };
            // "Bell for Tone": what stands on the page as a caption names the place of a value.
            let is_caption = |widget: &Widget| {
                let tells = !widget.clickable || widget.role == Role::Field;
                tells && name_fit(&widget.label, name).max(name_fit(&widget.context, name)) >= IS_CALLED
            };
            let captioned = || self.model.screen.widgets.iter().any(is_caption);
            !bears(&self.model.screen.title, name) && !captioned() && !self.episode.journal.current_deeds().any(done)
        })
    }

    /// How surely a control is called by a name that only its capital letters tell, 0 to 1.
    pub(super) fn proper_fit(&self, widget: &Widget) -> f32 {
        // What is done to the thing of a row is done by the row's own control, where it has one.
        let acts = self.model.row_of(widget.id).is_some_and(|row| !row.controls.is_empty());
        if !widget.clickable || widget.role == Role::Field || acts {
            return 0.0;
        }
        let fits = self.proper_names_left().map(|name| name_fit(&widget.label, name));
        PROPER * fits.filter(|fit| *fit >= IS_CALLED).fold(0.0, f32::max)
    }

    /// True if a control in sight that was not touched says at least half of the clause's telling words, and nothing that was done
    /// has shown them: the clause is about that, too.
    pub(super) fn says_more_in_sight(&self) -> bool {
        let is_new = |widget: &Widget| {
            let on = widget.state.selected || widget.state.checked == Some(true) || !widget.state.enabled;
            !on && widget.role != Role::Field
                && self.new_words(widget) >= SAYS_MUCH
                && !self.episode.journal.has_touched(&widget.label)
        };
        !self.clause().is_goal && !self.uncovered.is_empty() && self.model.touchables().any(is_new)
    }
}

/// Telling words of the clause that stand neither on what was touched or typed for it, nor on the pages that came of it.
pub(super) fn uncovered(episode: &Episode<'_>) -> Vec<String> {
    let mut shown = String::new();
    for record in episode.journal.current().filter(|record| record.worked()) {
        let heading = record.control.as_ref().map_or("", |control| control.heading.as_str());
        let typed = match &record.action {
            Action::InputText { text: InputText::Plain(text), .. } => text.as_str(),
            _ => "",
        };
        for text in [record.label(), heading, typed, record.after.title.as_str()] {
            shown.push_str(text);
            shown.push(' ');
        }
    }
    let left = |word: &&String| asked_fit(std::slice::from_ref(*word), &shown, episode.clause.inflection) < 1.0;
    episode.clause.topic.iter().filter(left).cloned().collect()
}
