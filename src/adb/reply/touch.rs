//! Touches of a person, from what `getevent` prints of the touch panel (`-lp` for what it can do, `-lt` for what it feels).
//!
//! Multi-touch protocol B, as every phone since Android 4 speaks it. Places are shares of the panel: its own units need not be
//! pixels.

use std::collections::BTreeMap;

/// The panel that is touched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TouchPanel {
    /// Its device: `/dev/input/event1`.
    pub device: String,
    /// The largest place across, in its own units.
    pub most_x: u32,
    /// The largest place down.
    pub most_y: u32,
}

/// Something a person did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Felt {
    /// Fingers went down and up again; told when the last one is up.
    Stroke(Stroke),
    /// The back key went down.
    Back,
    /// Another key of the system went down.
    OtherKey,
}

/// The way of the first finger, in shares of the panel: 0 is left or top, 1 right or bottom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    /// Where it went down.
    pub from: (f64, f64),
    /// Where it went up.
    pub to: (f64, f64),
    /// Seconds between the two.
    pub seconds: f64,
    /// How many fingers were down at once.
    pub fingers: usize,
}

/// The touch panel that `getevent -lp` tells of; `None` where there is none.
pub fn parse_touch_panel(said: &str) -> Option<TouchPanel> {
    let (mut device, mut x) = (String::new(), None);
    for line in said.lines() {
        if let Some(rest) = line.trim().strip_prefix("add device ") {
            device = rest.split_once(": ").map(|(_, path)| path.trim().to_owned()).unwrap_or_default();
            x = None;
        }
        let most = || {
            let rest = line.split("max ").nth(1)?;
            rest.split(',').next()?.trim().parse::<u32>().ok().filter(|most| *most > 0)
        };
        let names = |name: &str, code: &str| {
            let begin = line.split(" : ").next().unwrap_or_default();
            begin.split_whitespace().any(|word| word == name || word == code)
        };
        if names("ABS_MT_POSITION_X", "0035") {
            x = most();
        } else if names("ABS_MT_POSITION_Y", "0036")
            && let (Some(most_x), Some(most_y)) = (x, most())
        {
            return Some(TouchPanel { device, most_x, most_y });
        }
    }
    None
}

/// Reads what `getevent -lt` prints, line by line.
#[derive(Debug, Clone)]
pub struct TouchReader {
    panel: TouchPanel,
    slot: u32,
    /// Fingers that are down, by slot.
    fingers: BTreeMap<u32, Finger>,
    /// The first finger of the touch, once one is down.
    first: Option<(u32, Stroke)>,
    most_fingers: usize,
}

#[derive(Debug, Clone, Copy, Default)]
struct Finger {
    x: Option<u32>,
    y: Option<u32>,
    begun: Option<f64>,
    lifted: bool,
}

impl TouchReader {
    /// Reads events of that panel.
    pub fn new(panel: TouchPanel) -> Self {
        Self { panel, slot: 0, fingers: BTreeMap::new(), first: None, most_fingers: 0 }
    }

    /// What a line completes; nothing for most of them, and for lines that are no events.
    pub fn line(&mut self, line: &str) -> Option<Felt> {
        let rest = line.trim().strip_prefix('[')?;
        let (time, rest) = rest.split_once(']')?;
        let seconds: f64 = time.trim().parse().ok()?;
        let (device, event) = rest.trim().split_once(": ")?;
        let mut words = event.split_whitespace();
        let (kind, code, value) = (words.next()?, words.next()?, words.next()?);
        match (kind, code, value) {
            ("EV_KEY", "KEY_BACK", "DOWN") => return Some(Felt::Back),
            ("EV_KEY", "KEY_HOME" | "KEY_HOMEPAGE" | "KEY_APPSELECT" | "KEY_POWER", "DOWN") => {
                return Some(Felt::OtherKey);
            }
            _ if device != self.panel.device => return None,
            ("EV_SYN", "SYN_REPORT", _) => return self.report(seconds).map(Felt::Stroke),
            _ => {}
        }
        let number = u32::from_str_radix(value, 16).ok()?;
        match code {
            "ABS_MT_SLOT" => self.slot = number,
            "ABS_MT_TRACKING_ID" if number == u32::MAX => {
                if let Some(finger) = self.fingers.get_mut(&self.slot) {
                    finger.lifted = true;
                }
            }
            "ABS_MT_TRACKING_ID" => {
                self.fingers.insert(self.slot, Finger::default());
            }
            "ABS_MT_POSITION_X" => self.finger().x = Some(number),
            "ABS_MT_POSITION_Y" => self.finger().y = Some(number),
            _ => {}
        }
        None
    }

    fn finger(&mut self) -> &mut Finger {
        self.fingers.entry(self.slot).or_default()
    }

    /// The events up to here belong to one moment.
    fn report(&mut self, seconds: f64) -> Option<Stroke> {
        let share = |at: u32, most: u32| f64::from(at) / f64::from(most.max(1));
        let down = self.fingers.values().filter(|finger| !finger.lifted).count();
        self.most_fingers = self.most_fingers.max(down);
        for (slot, finger) in &mut self.fingers {
            let (Some(x), Some(y)) = (finger.x, finger.y) else { continue };
            let at = (share(x, self.panel.most_x), share(y, self.panel.most_y));
            let begun = *finger.begun.get_or_insert(seconds);
            match &mut self.first {
                Some((first, stroke)) if first == slot => {
                    stroke.to = at;
                    stroke.seconds = seconds - begun;
                }
                Some(_) => {}
                None => self.first = Some((*slot, Stroke { from: at, to: at, seconds: 0.0, fingers: 1 })),
            }
        }
        self.fingers.retain(|_, finger| !finger.lifted);
        if !self.fingers.is_empty() {
            return None;
        }
        let fingers = std::mem::take(&mut self.most_fingers);
        self.first.take().map(|(_, stroke)| Stroke { fingers, ..stroke })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PANEL: &str = "add device 1: /dev/input/event3\n  name:     \"gpio-keys\"\n  events:\n    KEY (0001): KEY_POWER\n\
        add device 2: /dev/input/event2\n  name:     \"fts_ts\"\n  events:\n    KEY (0001): BTN_TOUCH\n    \
        ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0\n                \
        ABS_MT_POSITION_X     : value 0, min 0, max 4095, fuzz 0, flat 0, resolution 11\n                \
        ABS_MT_POSITION_Y     : value 0, min 0, max 8191, fuzz 0, flat 0, resolution 11\n";

    fn felt(lines: &[&str]) -> Vec<Felt> {
        let mut reader = TouchReader::new(parse_touch_panel(PANEL).unwrap());
        lines.iter().filter_map(|line| reader.line(line)).collect()
    }

    #[test]
    fn the_panel_is_the_device_with_places() {
        let panel = TouchPanel { device: "/dev/input/event2".into(), most_x: 4095, most_y: 8191 };
        assert_eq!(parse_touch_panel(PANEL), Some(panel.clone()));
        let codes = PANEL.replace("ABS_MT_POSITION_X    ", "0035 ").replace("ABS_MT_POSITION_Y    ", "0036 ");
        assert_eq!(parse_touch_panel(&codes), Some(panel));
        assert_eq!(parse_touch_panel("add device 1: /dev/input/event3\n"), None);
    }

    #[test]
    fn a_touch_is_told_when_the_finger_is_up() {
        let told = felt(&[
            "[    1000.000000] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   00000012            ",
            "[    1000.000000] /dev/input/event2: EV_KEY       BTN_TOUCH            DOWN                ",
            "[    1000.000000] /dev/input/event2: EV_ABS       ABS_MT_POSITION_X    00000800            ",
            "[    1000.000000] /dev/input/event2: EV_ABS       ABS_MT_POSITION_Y    00000800            ",
            "[    1000.000000] /dev/input/event2: EV_SYN       SYN_REPORT           00000000            ",
            "[    1000.100000] /dev/input/event2: EV_ABS       ABS_MT_POSITION_Y    00001000            ",
            "[    1000.100000] /dev/input/event2: EV_SYN       SYN_REPORT           00000000            ",
            "[    1000.250000] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   ffffffff            ",
            "[    1000.250000] /dev/input/event2: EV_SYN       SYN_REPORT           00000000            ",
            "could not get driver version for /dev/input/mouse0, Not a typewriter",
            "[    1001.000000] /dev/input/event3: EV_KEY       KEY_BACK             DOWN                ",
            "[    1001.100000] /dev/input/event3: EV_KEY       KEY_BACK             UP                  ",
        ]);
        let [Felt::Stroke(stroke), Felt::Back] = told[..] else { panic!("{told:?}") };
        let near = |(x, y): (f64, f64), (a, b): (f64, f64)| (x - a).abs() < 0.01 && (y - b).abs() < 0.01;
        assert!(near(stroke.from, (0.5, 0.25)) && near(stroke.to, (0.5, 0.5)), "{stroke:?}");
        assert!((stroke.seconds - 0.25).abs() < 1e-6 && stroke.fingers == 1, "{stroke:?}");
    }

    #[test]
    fn two_fingers_are_one_touch() {
        let event = |time: &str, code: &str, value: &str| {
            format!(
                "[ {time}] /dev/input/event2: {} {code} {value}",
                if code == "SYN_REPORT" { "EV_SYN" } else { "EV_ABS" }
            )
        };
        let mut lines = Vec::new();
        for (slot, x) in [("0", "100"), ("1", "900")] {
            lines.push(event("1.0", "ABS_MT_SLOT", slot));
            lines.push(event("1.0", "ABS_MT_TRACKING_ID", "5"));
            lines.push(event("1.0", "ABS_MT_POSITION_X", x));
            lines.push(event("1.0", "ABS_MT_POSITION_Y", "10"));
        }
        lines.push(event("1.0", "SYN_REPORT", "0"));
        for slot in ["0", "1"] {
            lines.push(event("1.2", "ABS_MT_SLOT", slot));
            lines.push(event("1.2", "ABS_MT_TRACKING_ID", "ffffffff"));
            lines.push(event("1.2", "SYN_REPORT", "0"));
        }
        let told = felt(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(matches!(told[..], [Felt::Stroke(Stroke { fingers: 2, .. })]), "{told:?}");
    }
}
