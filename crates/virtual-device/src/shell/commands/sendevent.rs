//! `sendevent DEVICE TYPE CODE VALUE` (toybox's `sendevent.c`): an event of an input device, as if its driver had made it.

use super::{Exit, Invocation};
use crate::Gesture;
use crate::domain::Point;
use crate::system::{Felt, RawEvent};
use std::time::Duration;

/// A finger that moves no farther stands still, in pixels.
const SLOP: i32 = 24;
/// A finger that is held so long is a long press (`ViewConfiguration.getLongPressTimeout`).
const LONG_PRESS: Duration = Duration::from_millis(400);
const KEY_BACK: u32 = 4;

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let [device, kind, code, value] = rest.as_slice() else {
        invocation.err("use: sendevent <device> <type> <code> <value>\n");
        return Exit::FAILURE;
    };
    let number = device.strip_prefix("/dev/input/event").and_then(|number| number.parse::<u8>().ok());
    let Some(number) = number.filter(|number| *number <= 1) else {
        invocation.err(format!("sendevent: could not open {device}, No such file or directory\n"));
        return Exit::FAILURE;
    };
    let (Ok(kind), Ok(code), Ok(value)) = (kind.parse::<u16>(), code.parse::<u16>(), value.parse::<i64>()) else {
        invocation.err("sendevent: bad number\n");
        return Exit::FAILURE;
    };
    let at = invocation.system.clock().passed();
    let mut system = invocation.system.lock();
    // As C casts it: 4294967295 is -1.
    let event = RawEvent { at, device: number, kind, code, value: value as i32 };
    match system.glass.take(event) {
        None => {}
        Some(Felt::Back) => system.key(KEY_BACK),
        Some(Felt::Stroke { from, to, held }) => system.gesture(gesture(from, to, held)),
    }
    Exit::SUCCESS
}

fn gesture(from: Point, to: Point, held: Duration) -> Gesture {
    let moved = (to.x - from.x).abs() > SLOP || (to.y - from.y).abs() > SLOP;
    match (moved, held >= LONG_PRESS) {
        (true, _) => Gesture::Swipe { from, to, duration: held },
        (false, true) => Gesture::LongPress(from),
        (false, false) => Gesture::Tap(from),
    }
}
