//! Whether what a case expects can be seen, at the end of a run as at the end of a replay.
//!
//! A screen may be longer than the display: what is not in sight is looked for further down and then further up, bounded.
//! What must not be there, and what is counted, is judged by the whole screen, so that scrolling away from it helps nobody.

use crate::device::{DeviceError, Eyes, Recorder, Seen};
use crate::domain::{
    Action, ActionSource, Direction, EventKind, Expectation, ExpectationOutcome, Rect, Screenshot, Secret,
};
use crate::hierarchy::{MASK, Screen, ScreenKind, check, check_all, new_error};
use crate::skill::{Library, PerformError};
use crate::vision::read_picture;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How far a screen is followed down from where it stands.
const MOST_DOWN: usize = 8;
/// How far it is followed up again: past where it stood, to its top.
const MOST_UP: usize = 16;
/// How often a screen that was seen in part is looked at again. Each look tries several dumps itself.
const MOST_LOOKS: usize = 2;

/// Looks whether what is expected is there.
pub struct Witness<'a> {
    /// Its eyes.
    pub eyes: &'a Eyes<'a>,
    /// The skills, to scroll with.
    pub skills: &'a Library,
    /// Values of the secrets that expectations may name.
    pub secrets: &'a BTreeMap<String, Secret>,
    /// How long a screen may take to show what is expected.
    pub patience: Duration,
    /// The step the scrolling is put down to, from 1.
    pub step: usize,
    /// Who scrolls.
    pub source: ActionSource,
    /// Nobody acts on another device, so that an error is the reply to the last action.
    pub alone: bool,
    /// What was shown after the last action, oldest first: a message that was there for a moment is looked for in it.
    pub pictures: Vec<Screenshot>,
}

/// Why it cannot be told whether something holds. Always infrastructure, never the app's fault.
#[derive(Debug, thiserror::Error)]
pub enum WitnessError {
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A picture is to be read and cannot be.
    #[error("{expectation} can only be read off a picture: {reason}")]
    Unreadable {
        /// What is expected.
        expectation: String,
        /// What is missing, and what to do.
        reason: String,
    },
}

/// All that was seen of a screen.
struct Sight {
    /// Looks at it, without pictures.
    looks: Vec<Screen>,
    /// What the looks' pictures say, where that is asked.
    read: Vec<String>,
    /// What the pictures after the last action say, where that is asked.
    said: Vec<String>,
    /// What the app said was wrong in reply to the last action.
    wrong: Option<String>,
}

/// Checks an expectation whose texts may name secrets as `${name}`; the outcome never shows their values.
pub fn expect(expectation: &Expectation, secrets: &BTreeMap<String, Secret>, screen: &Screen) -> ExpectationOutcome {
    let outcome = check(&expectation.map_texts(|text| masked(text, secrets)), screen);
    ExpectationOutcome { expectation: expectation.to_string(), ..outcome }
}

/// On the screen a secret is masked character by character.
fn masked(text: &str, secrets: &BTreeMap<String, Secret>) -> String {
    secrets.iter().fold(text.to_owned(), |text, (name, value)| {
        text.replace(&format!("${{{name}}}"), &MASK.to_string().repeat(value.expose().chars().count()))
    })
}

impl Witness<'_> {
    /// Checks the expectations until all hold, the app says that something is wrong or the patience ends, then over the rest of
    /// a screen that scrolls; what was found last.
    ///
    /// # Errors
    /// Where the screen could only be seen in part, and where a picture is to be read and none shows anything: what was not
    /// seen is neither there nor missing.
    pub async fn await_all(
        &self,
        expectations: &[Expectation],
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Vec<ExpectationOutcome>, WitnessError> {
        let mut sight = Sight { looks: Vec::new(), read: Vec::new(), said: Vec::new(), wrong: None };
        if let Some(toast) = expectations.iter().find(|wanted| matches!(wanted, Expectation::Toast(_))) {
            let mut shown = self.pictures.iter().filter(|picture| !picture.is_black()).peekable();
            if shown.peek().is_none() {
                return Err(unshown(toast));
            }
            for picture in shown {
                sight.said.extend(self.texts_of(picture, toast)?);
            }
        }
        let outcomes = self.await_in_sight(expectations, &mut sight, seen, recorder).await?;
        let reaches = |(wanted, outcome): (&Expectation, &ExpectationOutcome)| {
            wanted.is_of_whole_screen() || (!outcome.held && wanted.may_be_out_of_sight())
        };
        if !expectations.iter().zip(&outcomes).any(reaches) {
            return Ok(outcomes);
        }
        for (direction, most) in [(Direction::Down, MOST_DOWN), (Direction::Up, MOST_UP)] {
            self.follow(direction, most, expectations, &mut sight, seen, recorder).await?;
        }
        Ok(self.judged(expectations, &sight))
    }

    /// Looks again, where a look showed only a part of the screen, until one shows it whole.
    ///
    /// # Errors
    /// No look does.
    pub async fn see_whole(&self, seen: &mut Seen, recorder: &mut dyn Recorder) -> Result<(), DeviceError> {
        for _ in 0..MOST_LOOKS {
            if seen.flaw().is_none() {
                return Ok(());
            }
            *seen = self.eyes.look(recorder).await?;
        }
        match seen.flaw() {
            None => Ok(()),
            Some(flaw) => Err(DeviceError::HalfSeen { serial: self.eyes.device.serial().clone(), flaw }),
        }
    }

    /// What a picture says, for an expectation that asks for it.
    fn texts_of(&self, picture: &Screenshot, wanted: &Expectation) -> Result<Vec<String>, WitnessError> {
        let unreadable = |reason: String| WitnessError::Unreadable { expectation: wanted.to_string(), reason };
        let reader = self.eyes.reader.ok_or_else(|| unreadable("texts of pictures are not read here".to_owned()))?;
        let texts = read_picture(picture, reader).map_err(unreadable)?;
        Ok(texts.iter().map(|text| self.eyes.mask.hide_read(text).into_owned()).collect())
    }

    fn judged(&self, expectations: &[Expectation], sight: &Sight) -> Vec<ExpectationOutcome> {
        let judge = |wanted: &Expectation| {
            let plain = wanted.map_texts(|text| masked(text, self.secrets));
            let outcome = match &plain {
                Expectation::Toast(text) => in_pictures(text, &sight.said, "after the last action"),
                Expectation::Picture(text) => in_pictures(text, &sight.read, "of the screen"),
                _ => check_all(&plain, &sight.looks),
            };
            // What is there and must not be there may be the very text.
            let told = |wrong: &&String| !outcome.held && !(outcome.contradicted && outcome.evidence.contains(*wrong));
            let evidence = match sight.wrong.as_ref().filter(told) {
                Some(wrong) => format!("{}; the app said {wrong:?}", outcome.evidence),
                None => outcome.evidence,
            };
            ExpectationOutcome { expectation: wanted.to_string(), evidence, ..outcome }
        };
        expectations.iter().map(judge).collect()
    }

    /// Takes in what is seen now.
    fn take_in(&self, expectations: &[Expectation], sight: &mut Sight, seen: &Seen) -> Result<(), WitnessError> {
        if let Some(wanted) = expectations.iter().find(|wanted| matches!(wanted, Expectation::Picture(_))) {
            let picture = seen.screen.screenshot.as_ref().filter(|picture| !picture.is_black());
            sight.read.extend(self.texts_of(picture.ok_or_else(|| unshown(wanted))?, wanted)?);
        }
        sight.looks.push(Screen { screenshot: None, ..seen.screen.clone() });
        Ok(())
    }

    /// What is in sight, given time: until the app says that something is wrong in reply to the last action.
    async fn await_in_sight(
        &self,
        expectations: &[Expectation],
        sight: &mut Sight,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Vec<ExpectationOutcome>, WitnessError> {
        let device = self.eyes.device;
        let begun = device.now();
        loop {
            self.see_whole(seen, recorder).await?;
            sight.looks.clear();
            sight.read.clear();
            self.take_in(expectations, sight, seen)?;
            let before = recorder.errors_before().filter(|_| self.alone);
            sight.wrong = before.and_then(|before| new_error(before, &seen.screen)).map(str::to_owned);
            let outcomes = self.judged(expectations, sight);
            let passed = device.now().saturating_sub(begun);
            let left = self.patience.saturating_sub(passed);
            if outcomes.iter().all(|outcome| outcome.held)
                || sight.wrong.is_some()
                || left.is_zero()
                || !device.wait_for_change(&seen.hierarchy, left).await?
            {
                return Ok(outcomes);
            }
            *seen = self.eyes.look(recorder).await?;
        }
    }

    /// Scrolls on in one direction while there is more to see and something to see it for.
    async fn follow(
        &self,
        direction: Direction,
        most: usize,
        expectations: &[Expectation],
        sight: &mut Sight,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<(), WitnessError> {
        for _ in 0..most {
            let outcomes = self.judged(expectations, sight);
            let open = expectations.iter().zip(&outcomes).find(|(wanted, outcome)| match wanted {
                Expectation::Absent(_) => outcome.held,
                Expectation::Count { .. } => true,
                _ => !outcome.held && wanted.may_be_out_of_sight(),
            });
            let (Some((open, _)), Some(area)) = (open, page(&seen.screen)) else { return Ok(()) };
            let action = Action::Scroll { direction, area };
            let before = seen.screen.digest;
            let acting = Instant::now();
            let adb = match self.skills.perform(self.eyes.device, &action, 0, &seen.hierarchy).await {
                Ok(lines) => lines,
                Err(PerformError::Device(error)) => return Err(error.into()),
                Err(PerformError::Expand(error)) => {
                    tracing::warn!("what is expected is not looked for further: {error}");
                    return Ok(());
                }
            };
            let act_ms = acting.elapsed().as_secs_f64() * 1000.0;
            let settling = Instant::now();
            *seen = self.eyes.look(recorder).await?;
            self.see_whole(seen, recorder).await?;
            let more = seen.screen.digest != before;
            let found = if more { "there is more" } else { "there is no more" };
            recorder.emit(EventKind::Acted {
                step: self.step,
                action,
                score: None,
                source: self.source,
                valid: more,
                reason: format!("looked further {direction} for {open}: {found}"),
                act_ms,
                settle_ms: settling.elapsed().as_secs_f64() * 1000.0,
                adb,
            });
            if !more || sight.looks.first().is_some_and(|first| !is_same_page(first, &seen.screen)) {
                return Ok(());
            }
            self.take_in(expectations, sight, seen)?;
        }
        Ok(())
    }
}

/// A picture that was to be read and shows nothing.
fn unshown(wanted: &Expectation) -> WitnessError {
    let reason =
        "no picture could be taken, or all that were are black: the app protects this screen, or the display is off";
    WitnessError::Unreadable { expectation: wanted.to_string(), reason: reason.to_owned() }
}

/// Whether what was read says the text. Signs that are read one for another count as one; nothing else is forgiven.
fn in_pictures(text: &str, read: &[String], which: &str) -> ExpectationOutcome {
    let plain = |text: &str| -> String {
        text.chars()
            .filter(|c| c.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .map(|c| match c {
                'i' | '1' => 'l',
                '0' => 'o',
                other => other,
            })
            .collect()
    };
    let wanted = plain(text);
    // What was read may hold more than was asked for, and is not repeated.
    let held = !wanted.is_empty()
        && (read.iter().any(|line| plain(line).contains(&wanted)) || plain(&read.concat()).contains(&wanted));
    let evidence = format!("{} picture {which} says so", if held { "a" } else { "no" });
    ExpectationOutcome { expectation: String::new(), held, evidence, contradicted: false }
}

/// The part of the screen that scrolls up and down, where it is more than a wheel or a line of chips.
fn page(screen: &Screen) -> Option<Rect> {
    let covered = matches!(screen.kind, ScreenKind::Crash | ScreenKind::NotResponding | ScreenKind::Permission);
    let tall = |area: &&Rect| 2 * area.height() >= area.width() && 5 * area.area() >= screen.display.rect().area();
    screen.scroll_areas.iter().find(tall).copied().filter(|_| !covered)
}

/// Scrolling stays on the page; a touch or a window that came up does not.
fn is_same_page(one: &Screen, other: &Screen) -> bool {
    one.foreground == other.foreground && one.kind == other.kind
}

#[cfg(test)]
#[path = "witness_tests.rs"]
mod tests;
