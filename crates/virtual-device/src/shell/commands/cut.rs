//! `cut` (`-d -f -c -b -s`).

use super::cat::read_each;
use super::head_tail::lines;
use super::options::Options;
use super::{Exit, Invocation};
use std::ops::RangeInclusive;

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "d:f:c:b:s") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let fields = options.value('f');
    let Some(list) = fields.or(options.value('c')).or(options.value('b')) else {
        invocation.err("cut: Needs -Ffcb (see \"cut --help\")\n");
        return Exit::FAILURE;
    };
    let Some(ranges) = list.split(',').map(range).collect::<Option<Vec<_>>>() else {
        invocation.err(format!("cut: bad -fcb '{list}'\n"));
        return Exit::FAILURE;
    };
    let wanted = |at: usize| ranges.iter().any(|range| range.contains(&(at + 1)));
    let delimiter = options.value('d').unwrap_or("\t");
    read_each(invocation, &options.files(), |bytes| {
        let mut out = String::new();
        for line in lines(bytes) {
            let line = String::from_utf8_lossy(line);
            let line = line.trim_end_matches('\n');
            if fields.is_none() {
                out.extend(line.chars().enumerate().filter(|(at, _)| wanted(*at)).map(|(_, c)| c));
            } else if line.contains(delimiter) {
                let pieces: Vec<&str> =
                    line.split(delimiter).enumerate().filter(|(at, _)| wanted(*at)).map(|(_, piece)| piece).collect();
                out.push_str(&pieces.join(delimiter));
            } else if options.has('s') {
                continue;
            } else {
                out.push_str(line);
            }
            out.push('\n');
        }
        invocation.out(out);
    })
}

/// `2`, `2-4`, `-3`, `5-`.
fn range(word: &str) -> Option<RangeInclusive<usize>> {
    let number = |word: &str, default| if word.is_empty() { Some(default) } else { word.parse().ok() };
    match word.split_once('-') {
        Some((from, to)) => Some(number(from, 1)?..=number(to, usize::MAX)?),
        None => word.parse().ok().map(|at| at..=at),
    }
}
