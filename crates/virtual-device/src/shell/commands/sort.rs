//! `sort` (`-r -n -u -f -k N -t C`).

use super::cat::read_each;
use super::options::Options;
use super::{Exit, Invocation};
use std::cmp::Ordering;

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "rnufgbk:t:") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let key = match options.value('k').map(|key| key.split([',', '.']).next().unwrap_or(key).parse::<usize>()) {
        None => None,
        Some(Ok(key)) if key > 0 => Some(key - 1),
        Some(_) => {
            invocation.err("sort: bad key\n");
            return Exit::FAILURE;
        }
    };
    let mut lines: Vec<String> = Vec::new();
    let exit = read_each(invocation, &options.files(), |bytes| {
        lines.extend(String::from_utf8_lossy(bytes).lines().map(ToOwned::to_owned));
    });
    let field = |line: &str| -> String {
        let Some(key) = key else { return line.to_owned() };
        match options.value('t') {
            Some(separator) => line.split(separator).nth(key).unwrap_or_default().to_owned(),
            None => line.split_whitespace().nth(key).unwrap_or_default().to_owned(),
        }
    };
    let compare = |left: &str, right: &str| -> Ordering {
        let (left, right) = (field(left), field(right));
        if options.has('n') || options.has('g') {
            number(&left).total_cmp(&number(&right))
        } else if options.has('f') {
            left.to_lowercase().cmp(&right.to_lowercase())
        } else {
            left.cmp(&right)
        }
    };
    // Equal keys are told apart by the whole line, unless -u drops them.
    lines.sort_by(|left, right| {
        let order = compare(left, right);
        let order = if options.has('u') { order } else { order.then_with(|| left.cmp(right)) };
        if options.has('r') { order.reverse() } else { order }
    });
    if options.has('u') {
        lines.dedup_by(|left, right| compare(left, right) == Ordering::Equal);
    }
    invocation.out(lines.iter().map(|line| format!("{line}\n")).collect::<String>());
    exit
}

/// The number a text begins with.
fn number(text: &str) -> f64 {
    let text = text.trim_start();
    let digits = |c: char| c.is_ascii_digit() || c == '.';
    let end =
        text.char_indices().find(|(at, c)| !(digits(*c) || (*at == 0 && *c == '-'))).map_or(text.len(), |(at, _)| at);
    text[..end].parse().unwrap_or(0.0)
}
