//! `wc` (`-l -w -c -m`).

use super::cat::read_file_or_stdin;
use super::{Exit, Invocation};

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let (flags, files): (Vec<&str>, Vec<&str>) = rest.iter().partition(|word| word.len() > 1 && word.starts_with('-'));
    let flags: String = flags.concat().replace('-', "");
    if let Some(unknown) = flags.chars().find(|flag| !"lwcm".contains(*flag)) {
        invocation.err(format!("wc: Unknown option '{unknown}' (see \"wc --help\")\n"));
        return Exit::FAILURE;
    }
    let wanted = if flags.is_empty() { "lwc" } else { flags.as_str() };
    let mut exit = Exit::SUCCESS;
    let files = if files.is_empty() { vec!["-"] } else { files };
    for file in &files {
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
