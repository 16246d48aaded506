//! What is looked at beside a dump, while the device makes it: a picture taken then costs no time of its own.
//!
//! `uiautomator dump` reads the screen once nothing has changed on it for a second (AOSP `DumpCommand.java`:
//! `waitForIdle(1000, 10_000)`). What is begun in the last second before a dump is done was thus begun when the screen was what
//! the dump shows, or later; what was begun earlier is of another moment and does not count.

use std::pin::pin;
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// The time without a change that a dump waits for.
const QUIET: Duration = Duration::from_secs(1);
/// A look begins so long before the dump is likely to be done: within [`QUIET`], with room for a dump that takes longer.
const AHEAD: Duration = Duration::from_millis(800);
/// What a dump takes on a phone, as long as none was seen on this one.
pub(super) const USUAL_DUMP: Duration = Duration::from_millis(2_300);
/// Looks at most beside one dump: a device that does not come to rest has enough to do.
const MOST: usize = 3;

/// When is looked beside a dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pace {
    /// The first look begins so long after the dump.
    due: Duration,
    /// A look counts that was begun no longer than this before the dump was done.
    quiet: Duration,
}

impl Pace {
    /// Beside a dump that likely takes so long. No dump is done within the second that it waits.
    pub(super) fn of(expected: Duration) -> Self {
        Self { due: expected.saturating_sub(AHEAD).max(QUIET), quiet: QUIET }
    }
}

/// Waits for `dump` and looks meanwhile; the last look where it counts. A dump that is done before a look is due, and one that
/// is not `sound`, is told alone.
pub(super) async fn beside<D, L: Future>(
    dump: impl Future<Output = D>,
    pace: Pace,
    sound: impl Fn(&D) -> bool,
    look: impl Fn() -> L,
) -> (D, Option<L::Output>) {
    let mut dump = pin!(dump);
    if let Ok(done) = timeout(pace.due, &mut dump).await {
        return (done, None);
    }
    let mut last: Option<(Instant, L::Output)> = None;
    for _ in 0..MOST {
        let begun = Instant::now();
        let mut looking = pin!(look());
        tokio::select! {
            biased;
            done = &mut dump => {
                let counts = |begun: Instant| sound(&done) && begun.elapsed() <= pace.quiet;
                let seen = match last.filter(|(begun, _)| counts(*begun)) {
                    Some((_, seen)) => Some(seen),
                    None if counts(begun) => Some(looking.await),
                    None => None,
                };
                return (done, seen);
            }
            seen = &mut looking => last = Some((begun, seen)),
        }
    }
    let done = dump.await;
    let seen = last.filter(|(begun, _)| sound(&done) && begun.elapsed() <= pace.quiet).map(|(_, seen)| seen);
    (done, seen)
}

#[cfg(test)]
mod tests {
    use super::super::settle::pause;
    use super::*;
    use std::cell::Cell;
    use tokio::sync::Notify;

    const AT_ONCE: Pace = Pace { due: Duration::ZERO, quiet: Duration::from_secs(3600) };

    /// A dump that is done in the midst of look number `last`, or at its end: the look that counts, and how many were begun.
    async fn looked(last: usize, at_its_end: bool, pace: Pace, sound: bool) -> (Option<usize>, usize) {
        let (looks, done) = (Cell::new(0), Notify::new());
        let look = || async {
            looks.set(looks.get() + 1);
            let number = looks.get();
            if number == last && !at_its_end {
                done.notify_one();
            }
            pause(Duration::from_millis(5)).await;
            if number == last && at_its_end {
                done.notify_one();
            }
            number
        };
        let ((), seen) = beside(done.notified(), pace, |()| sound, look).await;
        (seen, looks.get())
    }

    #[tokio::test]
    async fn the_last_look_counts_that_was_begun_before_the_dump_was_done() {
        assert_eq!(looked(1, false, AT_ONCE, true).await, (Some(1), 1), "a look under way is waited for");
        assert_eq!(looked(2, false, AT_ONCE, true).await, (Some(1), 2), "unless there is one that counts");
        assert_eq!(looked(MOST, true, AT_ONCE, true).await, (Some(MOST), MOST));
        assert_eq!(looked(2, false, AT_ONCE, false).await, (None, 2), "the dump tells of no moment");
    }

    #[tokio::test]
    async fn what_was_begun_before_the_quiet_second_does_not_count() {
        let strict = Pace { quiet: Duration::ZERO, ..AT_ONCE };
        assert_eq!(looked(MOST, true, strict, true).await, (None, MOST));
        assert_eq!(looked(1, false, strict, true).await, (None, 1), "nor is it waited for");
    }

    #[tokio::test]
    async fn beside_a_quick_dump_nothing_is_looked_at() {
        let look = || async { unreachable!("it is done") };
        let (done, seen) = beside(async { 7 }, Pace::of(USUAL_DUMP), |_| true, look).await;
        assert_eq!((done, seen), (7, None::<()>));
    }

    #[test]
    fn a_look_is_as_early_as_the_dump_is_quick_but_no_dump_is_done_within_the_second_it_waits() {
        for (expected, due) in [(2_300, 1_500), (3_000, 2_200), (1_500, 1_000), (0, 1_000)] {
            let pace = Pace::of(Duration::from_millis(expected));
            assert_eq!(pace, Pace { due: Duration::from_millis(due), quiet: QUIET }, "{expected}");
        }
    }
}
