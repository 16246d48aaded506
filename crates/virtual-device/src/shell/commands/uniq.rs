//! `uniq` (`-c -d -u -i`).

use super::cat::read_each;
use super::options::Options;
use super::{Exit, Invocation};

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "cdui") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    read_each(invocation, &options.files(), |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let same = |left: &str, right: &str| {
            if options.has('i') { left.eq_ignore_ascii_case(right) } else { left == right }
        };
        let mut groups: Vec<(&str, usize)> = Vec::new();
        for line in text.lines() {
            match groups.last_mut() {
                Some((first, count)) if same(first, line) => *count += 1,
                _ => groups.push((line, 1)),
            }
        }
        let mut out = String::new();
        for (line, count) in groups {
            if (options.has('d') && count == 1) || (options.has('u') && count > 1) {
                continue;
            }
            if options.has('c') {
                out.push_str(&format!("{count:7} "));
            }
            out.push_str(line);
            out.push('\n');
        }
        invocation.out(out);
    })
}
