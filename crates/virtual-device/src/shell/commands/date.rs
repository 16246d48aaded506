//! `date [+FORMAT]`, always UTC (the device's time zone is GMT).

use super::options::without_end_mark;
use super::{Exit, Invocation};

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let now = invocation.system.lock().wall();
    let rest = without_end_mark(&invocation.rest());
    let format = match rest.iter().find(|word| **word != "-u") {
        None => "%a %b %e %H:%M:%S GMT %Y",
        Some(word) => match word.strip_prefix('+') {
            Some(format) => format,
            None => {
                invocation.err(format!("date: bad date '{word}'\n"));
                return Exit::FAILURE;
            }
        },
    };
    let zoned = now.to_zoned(jiff::tz::TimeZone::UTC);
    match jiff::fmt::strtime::format(format, &zoned) {
        Ok(text) => {
            invocation.out(format!("{text}\n"));
            Exit::SUCCESS
        }
        Err(error) => {
            invocation.err(format!("date: bad format '{format}': {error}\n"));
            Exit::FAILURE
        }
    }
}
