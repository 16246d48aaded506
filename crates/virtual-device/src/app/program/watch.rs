//! What happens by itself when a condition turns true, and what follows every event.

use super::super::file::{Script, Watch};
use super::Program;
use crate::{Orientation, SystemRequest};
use std::sync::Arc;

/// Rounds of conditions that set off one another.
const ROUNDS: usize = 32;

impl Program {
    /// Ends an event: looks at what others changed and at what is watched, then builds the windows.
    pub(super) fn settle(&mut self) {
        self.pull_shared();
        self.settle_state();
        self.apply_focus_wish();
        self.ask_for_orientation();
        self.scenes();
        if self.crashed {
            self.changed();
            self.scenes();
        }
    }

    /// A window is built from here on: expressions must not draw lots.
    pub(super) fn draw_begins(&self) {
        let mut facts = self.expressions.world().facts();
        facts.drawing = true;
        facts.clock_read = false;
    }

    /// The window is built.
    pub(super) fn draw_ends(&self) {
        self.expressions.world().facts().drawing = false;
    }

    /// Runs what is watched until nothing turns true any more.
    pub(super) fn settle_state(&mut self) {
        for _ in 0..ROUNDS {
            if !self.lives() || self.finish_requested {
                return;
            }
            let scripts = match self.turned_true() {
                Ok(scripts) => scripts,
                Err(message) => {
                    self.crash(&message);
                    return;
                }
            };
            if scripts.is_empty() {
                return;
            }
            for (instance, script) in scripts {
                // What the app itself watches for has no screen to end with.
                let before = std::mem::replace(&mut self.timer_owner, (instance == 0).then_some(0));
                self.run(&script, &None);
                self.timer_owner = before;
            }
        }
        self.crash("what is watched sets itself off without end");
    }

    /// Scripts of the conditions that did not hold the last time and do now, with the opening of the screen that has
    /// them; 0 for the app's own.
    fn turned_true(&mut self) -> Result<Vec<(u64, Script)>, String> {
        let file = Arc::clone(&self.file);
        let document = file.document();
        let mut scripts = Vec::new();
        let mut look = |program: &mut Self, instance: u64, watches: &[Watch]| -> Result<(), String> {
            for (at, watch) in watches.iter().enumerate() {
                let source = &watch.when.value.0;
                let holds = program.expressions.condition(source, &mut program.scope);
                if !holds.map_err(|error| error.to_string())? {
                    program.held.remove(&(instance, at));
                } else if program.held.insert((instance, at)) {
                    scripts.push((instance, watch.then.clone()));
                }
            }
            Ok(())
        };
        look(self, 0, &document.watch)?;
        if let Some(opened) = self.stack.last().copied()
            && let Some(screen) = document.screens.get(opened.screen)
        {
            look(self, opened.instance, &screen.watch)?;
        }
        Ok(scripts)
    }

    fn ask_for_orientation(&mut self) {
        let wanted = self.top_screen().and_then(|screen| screen.orientation);
        if wanted != self.orientation && self.lives() {
            self.orientation = wanted;
            self.requests.push(SystemRequest::Orientation(wanted.map(Orientation::from)));
        }
    }
}

impl From<super::ScreenOrientation> for Orientation {
    fn from(wanted: super::ScreenOrientation) -> Self {
        match wanted {
            super::ScreenOrientation::Portrait => Self::Portrait,
            super::ScreenOrientation::Landscape => Self::Landscape,
        }
    }
}
