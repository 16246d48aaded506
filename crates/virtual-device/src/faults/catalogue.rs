//! Every fault there is, as one table.

use std::time::Duration;

/// What can be made to go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fault {
    /// A dump never finds the screen idle.
    Idle,
    /// A dump finds no active window.
    NullRoot,
    /// A dump's process is killed.
    Dump137,
    /// A dump takes longer.
    SlowDump,
    /// A dump's file ends in the middle.
    TruncatedDump,
    /// A dump's file is no XML.
    InvalidXml,
    /// A picture is black.
    BlackScreencap,
    /// A picture's bytes end in the middle.
    TruncatedScreencap,
    /// No picture can be taken.
    ScreencapFails,
    /// A picture is of another size than the display.
    OddScreencap,
    /// A picture's header claims more pixels than any display has.
    HugeScreencap,
    /// A picture is a PNG though none was asked for.
    PngScreencap,
    /// The device hangs up.
    Drop,
    /// The device answers no handshake.
    Offline,
    /// A command never ends.
    HungShell,
    /// A command takes longer.
    SlowShell,
    /// A command ends without its exit code.
    LostExit,
    /// Shared storage is full.
    FullSdcard,
    /// Installations are refused.
    InstallFails,
    /// BACK and ESCAPE do not hide the soft keyboard.
    StuckKeyboard,
    /// The screen turns.
    Rotated,
}

/// The value after `=`, with what it is when none is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// No value.
    Nothing,
    /// A time, `500ms`, `3s`, `2m`.
    Time(Duration),
    /// A quarter turn, 1 to 3.
    Turn(u8),
    /// A package manager's code.
    Code(&'static str),
}

/// A row of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultKind {
    /// Which.
    pub fault: Fault,
    /// Its name in a specification.
    pub name: &'static str,
    /// Its value.
    pub takes: Takes,
    /// When it can strike; this is what `after`, `every` and `times` count.
    pub strikes_on: &'static str,
    /// What a client then sees.
    pub what: &'static str,
}

const DUMP: &str = "a `uiautomator dump`";
const SCREENCAP: &str = "a `screencap`";
const COMMAND: &str = "a command (shell:, exec:, abb_exec:)";
const OPEN: &str = "an adb service being opened";

const CATALOGUE: &[FaultKind] = &[
    FaultKind {
        fault: Fault::Idle,
        name: "idle",
        takes: Takes::Time(Duration::from_secs(10)),
        strikes_on: DUMP,
        what: "after that time `ERROR: could not get idle state.` on stderr, exit 0, the file untouched",
    },
    FaultKind {
        fault: Fault::NullRoot,
        name: "null-root",
        takes: Takes::Nothing,
        strikes_on: DUMP,
        what: "`ERROR: null root node returned by UiTestAutomationBridge.` on stderr, exit 0, the file untouched",
    },
    FaultKind {
        fault: Fault::Dump137,
        name: "dump-137",
        takes: Takes::Nothing,
        strikes_on: DUMP,
        what: "killed while walking the tree: no output, exit 137, a file of 0 bytes",
    },
    FaultKind {
        fault: Fault::SlowDump,
        name: "slow-dump",
        takes: Takes::Time(Duration::from_secs(3)),
        strikes_on: DUMP,
        what: "the dump takes that much longer, then succeeds",
    },
    FaultKind {
        fault: Fault::TruncatedDump,
        name: "truncated-dump",
        takes: Takes::Nothing,
        strikes_on: DUMP,
        what: "the success line, but only the first half of the XML",
    },
    FaultKind {
        fault: Fault::InvalidXml,
        name: "invalid-xml",
        takes: Takes::Nothing,
        strikes_on: DUMP,
        what: "the success line, but a raw `<` and `&` in an attribute",
    },
    FaultKind {
        fault: Fault::BlackScreencap,
        name: "black-screencap",
        takes: Takes::Nothing,
        strikes_on: SCREENCAP,
        what: "a valid picture of full size, all black, exit 0 (as of a secure window)",
    },
    FaultKind {
        fault: Fault::TruncatedScreencap,
        name: "truncated-screencap",
        takes: Takes::Nothing,
        strikes_on: SCREENCAP,
        what: "the first half of the picture's bytes, exit 0",
    },
    FaultKind {
        fault: Fault::ScreencapFails,
        name: "screencap-fails",
        takes: Takes::Nothing,
        strikes_on: SCREENCAP,
        what: "`Failed to take screenshot. Status: -38`, `Capturing failed.` on stderr, exit 1",
    },
    FaultKind {
        fault: Fault::OddScreencap,
        name: "odd-screencap",
        takes: Takes::Nothing,
        strikes_on: SCREENCAP,
        what: "the upper half of the picture, as a valid picture of its own, exit 0",
    },
    FaultKind {
        fault: Fault::HugeScreencap,
        name: "huge-screencap",
        takes: Takes::Nothing,
        strikes_on: SCREENCAP,
        what: "a picture whose header claims 60000 × 60000 pixels, exit 0",
    },
    FaultKind {
        fault: Fault::PngScreencap,
        name: "png-screencap",
        takes: Takes::Nothing,
        strikes_on: SCREENCAP,
        what: "a PNG, also where a raw picture was asked for",
    },
    FaultKind {
        fault: Fault::Drop,
        name: "drop",
        takes: Takes::Time(Duration::ZERO),
        strikes_on: OPEN,
        what: "the device hangs up and refuses connections for that time (0: it may come back at once)",
    },
    FaultKind {
        fault: Fault::Offline,
        name: "offline",
        takes: Takes::Time(Duration::from_secs(5)),
        strikes_on: OPEN,
        what: "the device hangs up, and for that time takes connections without answering them: `offline`",
    },
    FaultKind {
        fault: Fault::HungShell,
        name: "hung-shell",
        takes: Takes::Nothing,
        strikes_on: COMMAND,
        what: "the command prints nothing and never ends, until its stream is closed",
    },
    FaultKind {
        fault: Fault::SlowShell,
        name: "slow-shell",
        takes: Takes::Time(Duration::from_secs(2)),
        strikes_on: COMMAND,
        what: "the command starts that much later",
    },
    FaultKind {
        fault: Fault::LostExit,
        name: "lost-exit",
        takes: Takes::Nothing,
        strikes_on: COMMAND,
        what: "the command runs, but its stream is closed without an exit code (adb 36 then exits with 255, adb 29 with 0)",
    },
    FaultKind {
        fault: Fault::FullSdcard,
        name: "full-sdcard",
        takes: Takes::Nothing,
        strikes_on: "bytes written to shared storage (/sdcard)",
        what: "`No space left on device`; the file is there with 0 bytes",
    },
    FaultKind {
        fault: Fault::InstallFails,
        name: "install-fails",
        takes: Takes::Code("INSTALL_FAILED_INSUFFICIENT_STORAGE"),
        strikes_on: "an installation",
        what: "`Failure [CODE]`, exit 1, nothing installed",
    },
    FaultKind {
        fault: Fault::StuckKeyboard,
        name: "stuck-keyboard",
        takes: Takes::Nothing,
        strikes_on: "BACK or ESCAPE while the soft keyboard is up",
        what: "the key is swallowed, the keyboard stays",
    },
    FaultKind {
        fault: Fault::Rotated,
        name: "rotated",
        takes: Takes::Turn(1),
        strikes_on: "a `uiautomator dump` or `screencap`",
        what: "the screen has turned by that many quarters before it is looked at",
    },
];

/// All faults, in the order they are listed to people.
pub const fn catalogue() -> &'static [FaultKind] {
    CATALOGUE
}

impl Fault {
    /// Its row.
    pub(super) fn kind(self) -> FaultKind {
        // Every variant has a row (`every_fault_has_one_row_and_a_name_of_its_own`).
        CATALOGUE.iter().copied().find(|kind| kind.fault == self).unwrap_or(CATALOGUE[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_fault_has_one_row_and_a_name_of_its_own() {
        let last = Fault::Rotated as usize;
        assert_eq!(CATALOGUE.len(), last + 1);
        assert!(
            CATALOGUE.iter().enumerate().all(|(row, kind)| kind.fault as usize == row && kind.fault.kind() == *kind)
        );
        assert_eq!(CATALOGUE.iter().map(|kind| kind.name).collect::<BTreeSet<_>>().len(), CATALOGUE.len());
    }
}
