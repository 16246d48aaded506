//! `tr` (`-d -s -c`).

use super::options::{Options, needs};
use super::{Exit, Invocation};

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "dscC") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let Some(from) = options.operands.first().map(|word| set(word)) else { return needs(invocation, 1) };
    let to = options.operands.get(1).map(|word| set(word));
    if to.is_none() && !options.has('d') && !options.has('s') {
        return needs(invocation, 2);
    }
    let complement = options.has('c') || options.has('C');
    let place = |c: char| match (from.iter().position(|known| *known == c), complement) {
        (Some(at), false) => Some(at),
        (None, true) => Some(usize::MAX),
        _ => None,
    };
    let bytes = match invocation.stdin.all() {
        Ok(bytes) => bytes,
        Err(error) => {
            invocation.err(format!("tr: {error}\n"));
            return Exit::FAILURE;
        }
    };
    let mut out = String::new();
    for c in String::from_utf8_lossy(&bytes).chars() {
        let Some(at) = place(c) else {
            out.push(c);
            continue;
        };
        if options.has('d') {
            continue;
        }
        let new = match &to {
            Some(to) => to.get(at).or(to.last()).copied().unwrap_or(c),
            None => c,
        };
        if !(options.has('s') && out.ends_with(new)) {
            out.push(new);
        }
    }
    invocation.out(out);
    Exit::SUCCESS
}

/// Characters of a set: escapes, ranges, `[:class:]`.
fn set(word: &str) -> Vec<char> {
    let (word, _) = super::printf::unescape(word);
    let range = |from: char, to: char| (from..=to).collect::<Vec<_>>();
    let mut chars = Vec::new();
    let mut rest = word.as_str();
    while let Some(first) = rest.chars().next() {
        let class = rest.strip_prefix("[:").and_then(|inner| inner.split_once(":]"));
        if let Some((class, after)) = class {
            match class {
                "upper" => chars.extend(range('A', 'Z')),
                "lower" => chars.extend(range('a', 'z')),
                "digit" => chars.extend(range('0', '9')),
                "alpha" => chars.extend(range('A', 'Z').into_iter().chain(range('a', 'z'))),
                "alnum" => chars.extend(range('0', '9').into_iter().chain(range('A', 'Z')).chain(range('a', 'z'))),
                "space" => chars.extend([' ', '\t', '\n', '\r', '\u{b}', '\u{c}']),
                "punct" => chars.extend((' '..='~').filter(char::is_ascii_punctuation)),
                _ => {}
            }
            rest = after;
            continue;
        }
        let mut ahead = rest.chars().skip(1);
        match (ahead.next(), ahead.next()) {
            (Some('-'), Some(last)) if last >= first => {
                chars.extend(range(first, last));
                rest = &rest[first.len_utf8() + 1 + last.len_utf8()..];
            }
            _ => {
                chars.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    chars
}
