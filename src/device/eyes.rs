//! Seeing the screen, and leaving a trace of what was seen.

use super::{Device, DeviceError, Observation};
use crate::domain::{Diagnosis, DiagnosisCode, EventSink, SecretMask, Size};
use crate::hierarchy::{ErrorsShown, Screen, ScreenInput, ShownText, serialise};
use crate::strings::{Bridge, Shown};
use crate::vision::{self, Covering, TextReader};
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

/// Looks at a device and records what it sees.
pub trait Recorder: EventSink {
    /// Takes a screen with the observation it was made from; `observe_ms` is the time it took.
    fn screen(&mut self, screen: &Screen, observation: &Observation, observe_ms: f64);

    /// Takes notice that an action is about to be carried out on a screen.
    fn about_to_act(&mut self, screen: &Screen) {
        let _ = screen;
    }

    /// What was wrong on the screen before the last action; `None` where none was carried out, or nobody took notice.
    fn errors_before(&self) -> Option<&ErrorsShown> {
        None
    }
}

/// A device's eyes.
pub struct Eyes<'a> {
    /// The device.
    pub device: &'a dyn Device,
    /// Its display.
    pub display: Size,
    /// Colours links are drawn in, from the device's profile.
    pub link_colours: &'a [[u8; 3]],
    /// Reads the texts of pictures; `None` leaves them unread.
    pub reader: Option<&'a TextReader>,
    /// Values that must not be seen by anything that prints or records.
    pub mask: &'a SecretMask,
    /// Leads from the language of the display to the app's own; `None` where they are one, or nothing is known.
    pub bridge: Option<Arc<Bridge>>,
}

/// A screen together with the dump it was read from.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The screen.
    pub screen: Screen,
    /// The dump's bytes.
    pub hierarchy: Vec<u8>,
}

/// Why nothing may be judged by a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// No hierarchy could be had.
    Blind,
    /// The dump ends in the middle: what is missing in it may be on the screen.
    CutOff,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blind => "no hierarchy of the screen could be had",
            Self::CutOff => "the hierarchy of the screen is cut off",
        })
    }
}

/// How every whole dump ends.
const END_OF_DUMP: &[u8] = b"</hierarchy>";

/// Share of the pixels that change when something is drawn; a blinking cursor and a clock change less.
const MIN_CHANGED_SHARE: f64 = 0.0015;

impl Seen {
    /// Why nothing may be judged by this look; `None` where the whole screen was seen.
    pub fn flaw(&self) -> Option<Flaw> {
        flaw_of(&self.hierarchy)
    }

    /// True if the pictures differ: a colour, a drawing, a passing message. False where one is missing or black.
    pub fn differs_in_picture(&self, after: &Self) -> bool {
        let shown = |picture: &&crate::domain::Screenshot| !picture.is_black();
        let both = self.screen.screenshot.as_ref().filter(shown).zip(after.screen.screenshot.as_ref().filter(shown));
        both.is_some_and(|(before, after)| before.changed_share(after) > MIN_CHANGED_SHARE)
    }
}

/// What is wrong with a dump as a whole.
fn flaw_of(hierarchy: &[u8]) -> Option<Flaw> {
    if hierarchy.is_empty() {
        return Some(Flaw::Blind);
    }
    let whole = hierarchy.windows(END_OF_DUMP.len()).rev().any(|window| window == END_OF_DUMP);
    (!whole).then_some(Flaw::CutOff)
}

impl Observation {
    /// Why nothing may be judged by this look; `None` where the whole screen was seen.
    pub fn flaw(&self) -> Option<Flaw> {
        flaw_of(&self.hierarchy)
    }
}

impl Eyes<'_> {
    /// Observes, perceives and records.
    pub async fn look(&self, recorder: &mut dyn Recorder) -> Result<Seen, DeviceError> {
        let started = Instant::now();
        let observation = self.device.observe().await?;
        Ok(self.perceive(observation, started, recorder))
    }

    /// Like [`Eyes::look`] without a picture: no links are found, and the report has nothing to show.
    pub async fn glance(&self, recorder: &mut dyn Recorder) -> Result<Seen, DeviceError> {
        let started = Instant::now();
        let observation = self.device.glance().await?;
        Ok(self.perceive(observation, started, recorder))
    }

    fn perceive(&self, mut observation: Observation, started: Instant, recorder: &mut dyn Recorder) -> Seen {
        let input = ScreenInput {
            hierarchy: &observation.hierarchy,
            screenshot: observation.screenshot.clone(),
            display: self.display,
            foreground: observation.foreground.as_ref().map(ToString::to_string),
            keyboard_shown: observation.keyboard_shown,
        };
        let mut screen = Screen::perceive_hiding(input, self.mask);
        observation.notes.extend(diagnose(&screen, &observation));
        let known = screen.tree.diagnostics.len();
        vision::find_links(&mut screen, self.link_colours, self.reader);
        vision::read_mute_screen(&mut screen, self.reader, self.mask);
        if let Some(bridge) = &self.bridge {
            screen.read_as(&|texts| in_own_words(bridge, texts));
        }
        // Only where this look had something to read: the reader remembers its failure for all later looks and runs.
        if let Some(reason) = self.reader.and_then(TextReader::failure)
            && let Some(unread) = screen.tree.diagnostics.iter().skip(known).find(|said| said.message.contains(reason))
        {
            observation.notes.push(Diagnosis::new(DiagnosisCode::NoTextModels, unread.message.clone()));
        }
        // Waiting for a change compares with the device's own bytes; what is recorded shows no secret.
        let hierarchy = observation.hierarchy.clone();
        self.hide(&mut observation, &screen);
        recorder.screen(&screen, &observation, started.elapsed().as_secs_f64() * 1000.0);
        Seen { screen, hierarchy }
    }
}

impl Eyes<'_> {
    /// Takes what must not be seen out of a look. What was missing in it stays missing.
    fn hide(&self, observation: &mut Observation, screen: &Screen) {
        let flaw = observation.flaw();
        let typed = !self.mask.is_empty() && self.device.was_told_a_secret();
        // The end of a dump that was cut off may hold a part of a secret.
        let tells = !screen.masked.is_empty() || typed && flaw == Some(Flaw::CutOff);
        if tells && flaw != Some(Flaw::Blind) {
            let mut dump = serialise(&screen.tree).into_bytes();
            if flaw == Some(Flaw::CutOff) {
                let end = dump.windows(END_OF_DUMP.len()).rposition(|window| window == END_OF_DUMP);
                dump.truncate(end.unwrap_or(dump.len()));
            }
            observation.hierarchy = dump;
        }
        let covering = Covering { mask: self.mask, reader: self.reader, typed, half_seen: flaw.is_some() };
        observation.screenshot = observation.screenshot.take().map(|picture| covering.of(picture, screen));
    }
}

/// What the app calls the texts of a screen in its own language.
fn in_own_words(bridge: &Bridge, texts: &[ShownText<'_>]) -> Vec<Option<String>> {
    let shown: Vec<Shown<'_>> = texts.iter().map(|&(text, id)| Shown { text, id }).collect();
    bridge.read(&shown).into_iter().map(|read| read.map(|read| read.text)).collect()
}

/// What the dump and the picture themselves give reason to say.
fn diagnose(screen: &Screen, observation: &Observation) -> Vec<Diagnosis> {
    let mut found = Vec::new();
    let oddities = &screen.tree.diagnostics;
    if let Some(first) = oddities.first().filter(|_| !observation.hierarchy.is_empty()) {
        let rest = if oddities.len() > 1 { format!(" (and {} more)", oddities.len() - 1) } else { String::new() };
        found.push(Diagnosis::new(DiagnosisCode::DumpDamaged, format!("{}{rest}", first.message)));
    }
    if let Some(picture) = screen.screenshot.as_ref().map(crate::domain::Screenshot::size)
        && !same_shape(picture, screen.display)
    {
        let message = format!(
            "the picture has {} × {} pixels, the display {} × {}; nothing is looked for in it",
            picture.width, picture.height, screen.display.width, screen.display.height
        );
        found.push(Diagnosis::new(DiagnosisCode::PictureOtherSize, message));
    }
    found
}

/// A picture of the same proportions is one taken at another density and can be used. It may be somewhat taller, since
/// the dump's own reach may end above the navigation bar.
fn same_shape(picture: Size, display: Size) -> bool {
    let expected = i64::from(display.height) * i64::from(picture.width) / i64::from(display.width.max(1));
    display.width > 0 && (-2..=expected / 5).contains(&(i64::from(picture.height) - expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_that_misses_something_says_so() {
        let check = |dump: &str, expected: Option<Flaw>| assert_eq!(flaw_of(dump.as_bytes()), expected, "{dump}");
        check("", Some(Flaw::Blind));
        check("<?xml ?><hierarchy rotation=\"0\"><node index=\"0\" /></hierarchy>", None);
        check("<?xml ?><hierarchy rotation=\"0\"><node index=\"0\" /></hierarchy>\n", None);
        check("<?xml ?><hierarchy rotation=\"0\"><node index=\"0\" text=\"hier", Some(Flaw::CutOff));
    }

    #[test]
    fn a_picture_of_other_proportions_is_not_of_this_display() {
        let display = Size::new(1080, 2400);
        assert!(same_shape(display, display) && same_shape(Size::new(540, 1200), display));
        assert!(same_shape(Size::new(541, 1200), display));
        assert!(!same_shape(Size::new(2400, 1080), display) && !same_shape(Size::new(1080, 1920), display));
    }
}
