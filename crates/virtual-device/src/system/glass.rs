//! The touch screen below Android: raw events as a kernel driver gives them, and the strokes they add up to.
//!
//! `sendevent` writes them and `getevent` reads them. What `input` does begins above them and never shows here.

use crate::domain::Point;
use std::collections::VecDeque;
use std::time::Duration;

/// Events that are kept for those who read them.
const KEPT: usize = 4096;

const SYN: u16 = 0;
const KEY: u16 = 1;
const ABS: u16 = 3;
const POSITION_X: u16 = 0x35;
const POSITION_Y: u16 = 0x36;
const TRACKING_ID: u16 = 0x39;
const KEY_BACK: u16 = 158;

/// One event of an input device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawEvent {
    /// Since boot.
    pub at: Duration,
    /// Number of the device: `/dev/input/eventN`.
    pub device: u8,
    /// `EV_ABS` and so on.
    pub kind: u16,
    /// `ABS_MT_POSITION_X` and so on.
    pub code: u16,
    /// The value.
    pub value: i32,
}

/// What events added up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Felt {
    /// A finger went down and up.
    Stroke {
        /// Where it went down.
        from: Point,
        /// Where it went up.
        to: Point,
        /// How long it took.
        held: Duration,
    },
    /// The back key went down.
    Back,
}

/// The screen's driver.
#[derive(Debug)]
pub struct Glass {
    events: VecDeque<RawEvent>,
    /// How many there were, those that are not kept any more included.
    seen: u64,
    at: Point,
    finger: Option<(Point, Duration)>,
    /// What the events since the last report said of the finger.
    turned: Option<bool>,
}

impl Default for Glass {
    fn default() -> Self {
        Self { events: VecDeque::new(), seen: 0, at: Point::new(0, 0), finger: None, turned: None }
    }
}

impl Glass {
    /// How many events there were so far.
    pub const fn count(&self) -> u64 {
        self.seen
    }

    /// The events after the first `count`, as far as they are kept.
    pub fn since(&self, count: u64) -> Vec<RawEvent> {
        let fresh = usize::try_from(self.seen.saturating_sub(count)).unwrap_or(usize::MAX).min(self.events.len());
        self.events.iter().skip(self.events.len() - fresh).copied().collect()
    }

    /// Takes an event; what it completes, if anything.
    pub fn take(&mut self, event: RawEvent) -> Option<Felt> {
        self.events.push_back(event);
        self.seen += 1;
        if self.events.len() > KEPT {
            self.events.pop_front();
        }
        match (event.kind, event.code) {
            (KEY, KEY_BACK) if event.value == 1 => return Some(Felt::Back),
            (ABS, POSITION_X) => self.at.x = event.value,
            (ABS, POSITION_Y) => self.at.y = event.value,
            (ABS, TRACKING_ID) => self.turned = Some(event.value >= 0),
            (SYN, 0) => {
                return match self.turned.take() {
                    Some(true) => {
                        self.finger = Some((self.at, event.at));
                        None
                    }
                    Some(false) => self.finger.take().map(|(from, since)| Felt::Stroke {
                        from,
                        to: self.at,
                        held: event.at.saturating_sub(since),
                    }),
                    None => None,
                };
            }
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_between_reports_add_up_to_strokes() {
        let mut glass = Glass::default();
        let mut felt = Vec::new();
        for (at, kind, code, value) in [
            (10, ABS, TRACKING_ID, 7),
            (10, ABS, POSITION_X, 100),
            (10, ABS, POSITION_Y, 900),
            (10, SYN, 0, 0),
            (200, ABS, POSITION_Y, 300),
            (200, SYN, 0, 0),
            (310, ABS, TRACKING_ID, -1),
            (310, SYN, 0, 0),
            (400, KEY, KEY_BACK, 1),
            (400, KEY, KEY_BACK, 0),
        ] {
            felt.extend(glass.take(RawEvent { at: Duration::from_millis(at), device: 1, kind, code, value }));
        }
        let stroke =
            Felt::Stroke { from: Point::new(100, 900), to: Point::new(100, 300), held: Duration::from_millis(300) };
        assert_eq!(felt, [stroke, Felt::Back]);
        assert_eq!(glass.since(8).len(), 2);
        assert_eq!(glass.since(0).len(), 10);
        assert!(glass.since(10).is_empty());
    }
}
