//! `echo` (mksh's: `-n`, `-e`, `-E`).

use super::printf::{After, unescape};
use super::{Exit, Invocation};

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let mut words = invocation.rest();
    let mut newline = true;
    let mut escapes = false;
    while let Some(flag) = words.first().filter(|word| matches!(**word, "-n" | "-e" | "-ne" | "-en" | "-E")) {
        newline &= !flag.contains('n');
        escapes |= flag.contains('e');
        words.remove(0);
    }
    let text = words.join(" ");
    let (mut text, after) = if escapes { unescape(&text) } else { (text, After::GoesOn) };
    if newline && after == After::GoesOn {
        text.push('\n');
    }
    invocation.out(text);
    Exit::SUCCESS
}
