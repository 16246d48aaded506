//! `wc` (`-l -w -c -m`).

use super::cat::read_file_or_stdin;
use super::options::Options;
use super::{Exit, Invocation};

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "lwcm") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let flags: String = "lwcm".chars().filter(|flag| options.has(*flag)).collect();
    let wanted = if flags.is_empty() { "lwc" } else { flags.as_str() };
    let mut exit = Exit::SUCCESS;
    for file in &options.files() {
        match read_file_or_stdin(invocation, file) {
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes);
                let counts = [
                    ('l', text.matches('\n').count()),
                    ('w', text.split_whitespace().count()),
                    ('c', bytes.len()),
                    ('m', text.chars().count()),
                ];
                let numbers: Vec<String> = counts
                    .iter()
                    .filter(|(flag, _)| wanted.contains(*flag))
                    .map(|(_, count)| count.to_string())
                    .collect();
                let name = if *file == "-" { String::new() } else { format!(" {file}") };
                invocation.out(format!("{}{name}\n", numbers.join(" ")));
            }
            Err(reason) => {
                invocation.err(format!("wc: {file}: {reason}\n"));
                exit = Exit::FAILURE;
            }
        }
    }
    exit
}
