//! `ls` (`-l -a -A -d -1 -h -R -t -S -r`).

use super::options::Options;
use super::{Exit, Invocation};
use crate::system::FileStat;

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "laAd1hRtSr") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let flags: String = "laAd1hRtSr".chars().filter(|flag| options.has(*flag)).collect();
    let paths = if options.operands.is_empty() { vec!["."] } else { options.operands };
    let mut output = String::new();
    let mut errors = String::new();
    let system = invocation.system.lock();
    let several = paths.len() > 1 || flags.contains('R');
    let mut pending: Vec<String> = paths.iter().rev().map(|path| (*path).to_owned()).collect();
    while let Some(path) = pending.pop() {
        let path = path.as_str();
        let full = invocation.path(path);
        // A link on the command line is followed unless details are asked for and it has no trailing slash.
        let stat = if flags.contains('l') { system.files.lstat(&full) } else { system.files.stat(&full) };
        let stat = match stat {
            Ok(stat) => stat,
            Err(error) => {
                errors.push_str(&format!("ls: {path}: {error}\n"));
                continue;
            }
        };
        if !stat.is_directory() || flags.contains('d') {
            output.push_str(&row(path, stat, system.files.link_target(&full), &flags));
            continue;
        }
        match system.files.list(&full) {
            Ok(mut entries) => {
                match () {
                    () if flags.contains('t') => entries.sort_by_key(|(_, stat)| std::cmp::Reverse(stat.mtime)),
                    () if flags.contains('S') => entries.sort_by_key(|(_, stat)| std::cmp::Reverse(stat.size)),
                    () => {}
                }
                if flags.contains('r') {
                    entries.reverse();
                }
                if flags.contains('R') {
                    let below = entries.iter().rev().filter(|(_, stat)| stat.is_directory());
                    pending.extend(below.map(|(name, _)| format!("{}/{name}", path.trim_end_matches('/'))));
                }
                if several {
                    output.push_str(&format!("{path}:\n"));
                }
                if flags.contains('l') {
                    let blocks: u64 = entries.iter().map(|(_, stat)| stat.size.div_ceil(4096) * 8).sum();
                    output.push_str(&format!("total {}\n", blocks / 2));
                }
                if flags.contains('a') {
                    output.push_str(&row(".", stat, None, &flags));
                    output.push_str(&row("..", stat, None, &flags));
                }
                for (name, stat) in entries {
                    if name.starts_with('.') && !flags.contains(['a', 'A']) {
                        continue;
                    }
                    let target = system.files.link_target(&format!("{full}/{name}"));
                    output.push_str(&row(&name, stat, target, &flags));
                }
            }
            Err(error) => errors.push_str(&format!("ls: {path}: {error}\n")),
        }
    }
    drop(system);
    invocation.out(output);
    invocation.err(&errors);
    if errors.is_empty() { Exit::SUCCESS } else { Exit::FAILURE }
}

fn row(name: &str, stat: FileStat, target: Option<&str>, flags: &str) -> String {
    if !flags.contains('l') {
        return format!("{name}\n");
    }
    let owner = super::file_stat::owner(stat.uid);
    let time = jiff::Timestamp::from_second(stat.mtime)
        .map_or_else(|_| stat.mtime.to_string(), |time| time.strftime("%Y-%m-%d %H:%M").to_string());
    let arrow = target.map_or(String::new(), |target| format!(" -> {target}"));
    let size = if flags.contains('h') { super::disk_usage::human(stat.size) } else { stat.size.to_string() };
    format!("{} 1 {owner} {owner} {size} {time} {name}{arrow}\n", mode_text(stat.mode))
}

/// `drwxrwx--x`.
pub(super) fn mode_text(mode: u32) -> String {
    let kind = match mode & 0o170_000 {
        0o040_000 => 'd',
        0o120_000 => 'l',
        0o020_000 => 'c',
        _ => '-',
    };
    let bits = (0..9).map(|bit| if mode & (0o400 >> bit) == 0 { '-' } else { ['r', 'w', 'x'][bit % 3] });
    std::iter::once(kind).chain(bits).collect()
}
