//! `chmod`, `rmdir`, `tee`, `truncate`.

use super::options::{Options, needs, without_end_mark};
use super::{Exit, Invocation};
use crate::system::FsError;

pub(super) fn chmod(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let rest: Vec<&str> = without_end_mark(&rest).into_iter().filter(|word| *word != "-R").collect();
    let Some((mode, paths)) = rest.split_first().filter(|(_, paths)| !paths.is_empty()) else {
        return needs(invocation, 2);
    };
    let mut exit = Exit::SUCCESS;
    for path in paths {
        let full = invocation.path(path);
        let mut system = invocation.system.lock();
        let changed = system.files.stat(&full).map(|stat| changed_mode(stat.mode & 0o777, mode));
        let result = match changed {
            Ok(Some(bits)) => system.files.set_permissions(&full, bits).map_err(|error| format!("'{path}': {error}")),
            Ok(None) => Err(format!("bad mode '{mode}'")),
            Err(error) => Err(format!("'{path}': {error}")),
        };
        drop(system);
        if let Err(reason) = result {
            invocation.err(format!("chmod: {reason}\n"));
            exit = Exit::FAILURE;
        }
    }
    exit
}

/// `755` or `u+x,go-w`.
fn changed_mode(old: u32, text: &str) -> Option<u32> {
    if text.chars().all(|c| c.is_digit(8)) {
        return u32::from_str_radix(text, 8).ok();
    }
    text.split(',').try_fold(old, |mode, clause| {
        let at = clause.find(['+', '-', '='])?;
        let (who, change) = clause.split_at(at);
        let who = if who.is_empty() { "a" } else { who };
        let shifts = who.chars().try_fold(0_u32, |mask, c| {
            Some(
                mask | match c {
                    'u' => 0o700,
                    'g' => 0o070,
                    'o' => 0o007,
                    'a' => 0o777,
                    _ => return None,
                },
            )
        })?;
        let bits = change[1..].chars().try_fold(0_u32, |bits, c| {
            Some(
                bits | match c {
                    'r' => 0o444,
                    'w' => 0o222,
                    'x' => 0o111,
                    _ => return None,
                },
            )
        })? & shifts;
        Some(match &change[..1] {
            "+" => mode | bits,
            "-" => mode & !bits,
            _ => (mode & !shifts) | bits,
        })
    })
}

pub(super) fn rmdir(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let paths = options.operands;
    if paths.is_empty() {
        return needs(invocation, 1);
    }
    let mut exit = Exit::SUCCESS;
    for path in paths {
        let full = invocation.path(path);
        let mut system = invocation.system.lock();
        let removed = match system.files.list(&full) {
            Ok(entries) if entries.is_empty() => system.files.remove_tree(&full),
            Ok(_) => Err(FsError::NotEmpty),
            Err(error) => Err(error),
        };
        drop(system);
        if let Err(error) = removed {
            invocation.err(format!("rmdir: '{path}': {error}\n"));
            exit = Exit::FAILURE;
        }
    }
    exit
}

pub(super) fn tee(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "ai") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let bytes = match invocation.stdin.all() {
        Ok(bytes) => bytes,
        Err(error) => {
            invocation.err(format!("tee: {error}\n"));
            return Exit::FAILURE;
        }
    };
    let mut exit = Exit::SUCCESS;
    for file in &options.operands {
        let path = invocation.path(file);
        let mut system = invocation.system.lock();
        let written = if options.has('a') {
            system.files.append(&path, &bytes)
        } else {
            system.files.write(&path, bytes.clone(), 0o644)
        };
        drop(system);
        if let Err(error) = written {
            invocation.err(format!("tee: {file}: {error}\n"));
            exit = Exit::FAILURE;
        }
    }
    invocation.out(bytes);
    exit
}
