//! `printf FORMAT [ARGUMENT…]` with `%s %d %x %c %%` and backslash escapes.

use super::{Exit, Invocation};

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let rest = rest.strip_prefix(&["--"]).unwrap_or(&rest);
    let Some((format, args)) = rest.split_first() else {
        invocation.err("printf: Needs 1 argument\n");
        return Exit::FAILURE;
    };
    let mut args = args.iter();
    let mut output = String::new();
    // The format is used again while arguments are left.
    loop {
        let before = args.len();
        if let Err(message) = fill(&unescape(format).0, &mut args, &mut output) {
            invocation.out(output);
            invocation.err(format!("printf: {message}\n"));
            return Exit::FAILURE;
        }
        if args.len() == 0 || args.len() == before {
            break;
        }
    }
    invocation.out(output);
    Exit::SUCCESS
}

fn fill<'a>(format: &str, args: &mut impl Iterator<Item = &'a &'a str>, out: &mut String) -> Result<(), String> {
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('%') => out.push('%'),
            Some('s') => out.push_str(args.next().copied().unwrap_or_default()),
            Some('c') => out.extend(args.next().copied().unwrap_or_default().chars().next()),
            Some(kind @ ('d' | 'i' | 'u' | 'x')) => {
                let word = args.next().copied().unwrap_or("0");
                let number: i64 = word.parse().map_err(|_| format!("bad integer '{word}'"))?;
                if kind == 'x' { out.push_str(&format!("{number:x}")) } else { out.push_str(&number.to_string()) }
            }
            other => return Err(format!("bad %{}", other.map_or(String::new(), String::from))),
        }
    }
    Ok(())
}

/// Whether more is to be printed after a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// As usual.
    GoesOn,
    /// `\c`: nothing more, not even the newline.
    Stops,
}

/// Backslash escapes of `printf` and `echo -e` (mksh's `print`).
pub(super) fn unescape(text: &str) -> (String, After) {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('a') => out.push('\u{7}'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('v') => out.push('\u{b}'),
            Some('e' | 'E') => out.push('\u{1b}'),
            Some('0') => out.push(octal(&mut chars)),
            Some('c') => return (out, After::Stops),
            Some('\\') | None => out.push('\\'),
            Some(other) => {
                out.push('\\');
                out.push(other);
            }
        }
    }
    (out, After::GoesOn)
}

/// Up to three octal digits after `\0`.
fn octal(chars: &mut std::str::Chars<'_>) -> char {
    let mut value = 0_u32;
    for _ in 0..3 {
        let Some(digit) = chars.as_str().chars().next().and_then(|c| c.to_digit(8)) else { break };
        chars.next();
        value = value * 8 + digit;
    }
    char::from_u32(value & 0xff).unwrap_or_default()
}
