//! Looks over the agent's shoulder: as soon as the script fits again, the agent is called off.

use crate::device::{Observation, Recorder};
use crate::domain::{Action, ActionSource, EventKind, EventSink, InputText};
use crate::hierarchy::{ErrorsShown, Screen};
use crate::script::{Halt, ScriptAction};
use std::ops::Range;
use tokio_util::sync::CancellationToken;

/// Passes everything on, with what the agent does put down as a repair.
pub(super) struct Watch<'r> {
    inner: &'r mut dyn Recorder,
    halt: Halt<'r>,
    /// Where the script may be taken up again, from 0.
    places: Range<usize>,
    /// Those of them whose guard held before the agent did anything: that it holds tells nothing.
    held_before: Vec<usize>,
    /// Those whose guard holds on the last screen.
    holding: Vec<usize>,
    /// What the agent did so far, valid actions only.
    done: Vec<Action>,
    /// Where the script goes on.
    back: Option<usize>,
    /// Fires when it does.
    enough: CancellationToken,
}

impl<'r> Watch<'r> {
    /// Watches for the script's actions from the one it halts at to before `end`; `screen` is where it halts.
    pub(super) fn new(
        inner: &'r mut dyn Recorder,
        halt: Halt<'r>,
        end: usize,
        screen: &Screen,
        enough: CancellationToken,
    ) -> Self {
        let places = halt.index..end.max(halt.index);
        let mut watch = Self {
            inner,
            halt,
            places,
            held_before: Vec::new(),
            holding: Vec::new(),
            done: Vec::new(),
            back: None,
            enough,
        };
        watch.held_before = watch.holding_on(screen);
        watch
    }

    /// Where the script goes on; `None` where it never fitted again.
    pub(super) const fn back(&self) -> Option<usize> {
        self.back
    }

    fn holding_on(&self, screen: &Screen) -> Vec<usize> {
        let actions = &self.halt.script.actions;
        let holds =
            |place: &usize| actions.get(*place).is_some_and(|action| self.halt.replayer.guard(action, screen).is_ok());
        self.places.clone().filter(holds).collect()
    }

    /// The first place the script can be taken up at: the action it halted at, or a later one where all before it was done.
    fn place(&self) -> Option<usize> {
        let new = |place: &&usize| !self.held_before.contains(place);
        self.holding.iter().filter(new).copied().find(|place| *place == self.halt.index || self.covers(*place))
    }

    /// The last deeds are what the script does from where it halted to before `place`.
    fn covers(&self, place: usize) -> bool {
        let owed = self.halt.script.actions.get(self.halt.index..place).unwrap_or_default();
        let since = self.done.len().saturating_sub(owed.len());
        let done = self.done.get(since..).unwrap_or_default();
        done.len() == owed.len() && done.iter().zip(owed).all(|(done, owed)| does_the_same(done, owed))
    }
}

/// The same kind of action with the same text; what it is aimed at may be called otherwise now.
fn does_the_same(done: &Action, owed: &ScriptAction) -> bool {
    let typed = match done {
        Action::InputText { text, .. } | Action::InputByNumericKeyboard { digits: text, .. } => Some(text),
        _ => None,
    };
    let same_text = match typed {
        Some(InputText::Plain(text)) => owed.text.as_ref() == Some(text),
        Some(InputText::Secret { name, .. }) => owed.secret.as_ref() == Some(name),
        None => true,
    };
    done.skill() == owed.skill && same_text
}

impl EventSink for Watch<'_> {
    fn emit(&mut self, kind: EventKind) {
        let kind = match kind {
            EventKind::Acted {
                step,
                action,
                score,
                source: ActionSource::Agent,
                valid,
                reason,
                act_ms,
                settle_ms,
                adb,
            } => {
                if valid && !matches!(action, Action::Wait { .. }) {
                    self.done.push(action.clone());
                    if self.back.is_none() {
                        self.back = self.place();
                    }
                    if self.back.is_some() {
                        self.enough.cancel();
                    }
                }
                let source = ActionSource::Repair;
                EventKind::Acted { step, action, score, source, valid, reason, act_ms, settle_ms, adb }
            }
            other => other,
        };
        self.inner.emit(kind);
    }
}

impl Recorder for Watch<'_> {
    fn screen(&mut self, screen: &Screen, observation: &Observation, observe_ms: f64) {
        self.holding = self.holding_on(screen);
        self.inner.screen(screen, observation, observe_ms);
    }

    fn about_to_act(&mut self, screen: &Screen) {
        self.inner.about_to_act(screen);
    }

    fn errors_before(&self) -> Option<&ErrorsShown> {
        self.inner.errors_before()
    }
}
