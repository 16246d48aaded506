//! `getevent` (toolbox's `getevent.c`): which input devices there are, and their events. What `input` does begins above them and
//! is none; `sendevent` makes some.

use super::{Exit, Invocation};
use crate::system::RawEvent;
use std::time::Duration;

/// How long a `getevent` without events sleeps between looks at whether anybody still reads.
const LOOK: Duration = Duration::from_millis(200);

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options: String = rest.iter().filter_map(|word| word.strip_prefix('-')).collect();
    if let Some(unknown) = options.chars().find(|letter| !"tnsSvdpilqcr".contains(*letter)) {
        invocation.err(format!("getevent: invalid option -- {unknown}\n{USAGE}"));
        return Exit::FAILURE;
    }
    let (size, begun) = {
        let system = invocation.system.lock();
        (system.natural_display(), system.glass.count())
    };
    let shown = if options.contains(['p', 'i']) { Shown::Capabilities } else { Shown::Name };
    invocation.out(keys("/dev/input/event0", "gpio-keys", shown));
    invocation.out(touch_screen(size.width, size.height, shown, options.contains('l')));
    if options.contains(['p', 'i', 'c']) {
        return Exit::SUCCESS;
    }
    let mut told = begun;
    loop {
        let events = {
            let system = invocation.system.lock();
            let events = system.glass.since(told);
            told = system.glass.count();
            events
        };
        if !events.is_empty() {
            let shown: String = events.iter().map(|event| line(event, &options)).collect();
            invocation.out(shown);
        }
        if !invocation.system.clock().wait(LOOK, invocation.interrupt) {
            return Exit::SUCCESS;
        }
    }
}

/// An event as it is printed (`print_event`), with its time where `-t` asks for it and in words where `-l` does.
fn line(event: &RawEvent, options: &str) -> String {
    let time = if options.contains('t') {
        format!("[{:>8}.{:06}] ", event.at.as_secs(), event.at.subsec_micros())
    } else {
        String::new()
    };
    let RawEvent { device, kind, code, value, .. } = *event;
    if !options.contains('l') {
        return format!("{time}/dev/input/event{device}: {kind:04x} {code:04x} {value:08x}\n");
    }
    let kind_word = match kind {
        0 => "EV_SYN",
        1 => "EV_KEY",
        3 => "EV_ABS",
        _ => "",
    };
    let code_word = match (kind, code) {
        (0, 0) => "SYN_REPORT",
        (1, 158) => "KEY_BACK",
        (1, 0x14a) => "BTN_TOUCH",
        (3, 0x2f) => "ABS_MT_SLOT",
        (3, 0x35) => "ABS_MT_POSITION_X",
        (3, 0x36) => "ABS_MT_POSITION_Y",
        (3, 0x39) => "ABS_MT_TRACKING_ID",
        _ => "",
    };
    let kind_shown = if kind_word.is_empty() { format!("{kind:04x}") } else { kind_word.to_owned() };
    let code_shown = if code_word.is_empty() { format!("{code:04x}") } else { code_word.to_owned() };
    let value_shown = match (kind, value) {
        (1, 1) => "DOWN".to_owned(),
        (1, 0) => "UP".to_owned(),
        _ => format!("{value:08x}"),
    };
    format!("{time}/dev/input/event{device}: {kind_shown:<12} {code_shown:<20} {value_shown:<20}\n")
}

/// How much is told of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    Name,
    Capabilities,
}

const USAGE: &str = "Usage: getevent [-t] [-n] [-s switchmask] [-S] [-v [mask]] [-d] [-p] [-i] [-l] [-q] [-c count] [-r] [device]\n    -p: show possible events (errs, dev, name, pos. events)\n    -i: show all device info and possible events\n    -l: label event types and names in plain text\n";

fn keys(path: &str, name: &str, shown: Shown) -> String {
    let head = format!("add device 2: {path}\n  name:     \"{name}\"\n");
    match shown {
        Shown::Name => head,
        Shown::Capabilities => {
            format!("{head}  events:\n    KEY (0001): 0072  0073  0074\n  input props:\n    <none>\n")
        }
    }
}

fn touch_screen(width: u32, height: u32, shown: Shown, labels: bool) -> String {
    let head = "add device 1: /dev/input/event1\n  name:     \"virtio_input_multi_touch_1\"\n";
    if shown == Shown::Name {
        return head.to_owned();
    }
    let axes = [
        ("ABS_MT_SLOT", "002f", 9),
        ("ABS_MT_POSITION_X", "0035", width.saturating_sub(1)),
        ("ABS_MT_POSITION_Y", "0036", height.saturating_sub(1)),
        ("ABS_MT_TRACKING_ID", "0039", 65_535),
        ("ABS_MT_PRESSURE", "003a", 255),
    ];
    let mut text = format!("{head}  events:\n    KEY (0001): {}\n", if labels { "BTN_TOUCH" } else { "014a" });
    for (at, (label, code, most)) in axes.into_iter().enumerate() {
        let name = if labels { format!("{label:<20}") } else { code.to_owned() };
        let begin = if at == 0 { "    ABS (0003): " } else { "                " };
        text.push_str(&format!("{begin}{name}  : value 0, min 0, max {most}, fuzz 0, flat 0, resolution 0\n"));
    }
    text + "  input props:\n    INPUT_PROP_DIRECT\n"
}
