//! What happens later: delays and repetitions.

use super::super::file::{Milliseconds, Repeat, Script};
use super::super::target::Locals;
use super::Program;
use std::time::Duration;

/// Timers that may fire in one step of the clock.
const MOST_TIMERS: usize = 10_000;

/// Something that happens at a time. It ends with its screen; while another is on top of that, what would open or show
/// something does not come up there.
pub(super) struct Timer {
    due: Duration,
    order: u64,
    /// The opening of the screen it belongs to; 0 for the app's own.
    pub(super) instance: u64,
    work: Work,
    locals: Locals,
}

#[derive(Clone)]
enum Work {
    Once(Script),
    Again(Repeat),
}

impl Program {
    pub(super) fn postpone(&mut self, ms: Milliseconds, script: &Script, locals: &Locals) {
        self.schedule(ms, Work::Once(script.clone()), locals.clone());
    }

    pub(super) fn repeat(&mut self, repeat: &Repeat, locals: &Locals) {
        self.schedule(repeat.every_ms, Work::Again(repeat.clone()), locals.clone());
    }

    fn schedule(&mut self, ms: Milliseconds, work: Work, locals: Locals) {
        let span = ms.most.saturating_sub(ms.least).saturating_add(1);
        let drawn = if span > 1 { self.expressions.world().facts().generator.below(span) } else { 0 };
        let top = self.stack.last().map_or(0, |opened| opened.instance);
        let instance = self.timer_owner.unwrap_or(top);
        let order = self.next();
        let due = self.now + Duration::from_millis(ms.least.saturating_add(drawn));
        self.timers.push(Timer { due, order, instance, work, locals });
    }

    /// Fires what is due until `now`, each at its own time, in order. What does not end within a bounded number of
    /// timers goes on with the next step.
    pub(super) fn run_timers(&mut self, now: Duration) {
        for _ in 0..MOST_TIMERS {
            let due = self.timers.iter().enumerate().filter(|(_, t)| t.due <= now);
            let Some(at) = due.min_by_key(|(_, t)| (t.due, t.order)).map(|(at, _)| at) else { return };
            let timer = self.timers.remove(at);
            self.now = self.now.max(timer.due);
            self.look_around();
            // What it begins belongs to its own screen, whatever is on top by now.
            let covered = self.stack.last().is_some_and(|top| top.instance != timer.instance);
            self.timer_owner = covered.then_some(timer.instance);
            let hidden = covered && timer.instance != 0;
            match &timer.work {
                Work::Once(script) if hidden && script.shows() => {}
                Work::Once(script) => self.run(script, &timer.locals),
                Work::Again(repeat) => self.repeat_once(repeat, &timer, hidden),
            }
            self.timer_owner = None;
            self.settle_state();
            if !self.lives() || self.finish_requested {
                return;
            }
        }
    }

    fn repeat_once(&mut self, repeat: &Repeat, timer: &Timer, hidden: bool) {
        let holds = repeat.condition.as_ref().map_or(Ok(true), |condition| {
            let source = &condition.value.0;
            self.with_locals(&timer.locals, |p| p.expressions.condition(source, &mut p.scope))
        });
        match holds {
            Err(message) => self.crash(&message),
            Ok(false) => {}
            Ok(true) => {
                if !(hidden && repeat.then.shows()) {
                    self.run(&repeat.then, &timer.locals);
                }
                let own = timer.instance;
                let open = own == 0 || self.stack.iter().any(|opened| opened.instance == own);
                if self.lives() && open {
                    self.timer_owner = Some(own);
                    self.schedule(repeat.every_ms, timer.work.clone(), timer.locals.clone());
                }
            }
        }
    }
}
