//! `sleep SECONDS[smhd]`: lets device time pass.

use super::options::{needs, without_end_mark};
use super::{Exit, Invocation};
use std::time::Duration;

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let Some(word) = without_end_mark(&invocation.rest()).first().copied() else { return needs(invocation, 1) };
    match duration(word) {
        Some(duration) => {
            // An interruption needs no answer: nobody is left to read it.
            let _interrupted = invocation.system.clock().wait(duration, invocation.interrupt);
            Exit::SUCCESS
        }
        None => {
            invocation.err(format!("sleep: not duration: {word}\n"));
            Exit::FAILURE
        }
    }
}

/// `1.5`, `2m`.
fn duration(word: &str) -> Option<Duration> {
    let (number, factor) = match word.chars().last() {
        Some('s') => (&word[..word.len() - 1], 1.0),
        Some('m') => (&word[..word.len() - 1], 60.0),
        Some('h') => (&word[..word.len() - 1], 3600.0),
        Some('d') => (&word[..word.len() - 1], 86_400.0),
        _ => (word, 1.0),
    };
    number.parse::<f64>().ok().and_then(|count| Duration::try_from_secs_f64(count * factor).ok())
}
