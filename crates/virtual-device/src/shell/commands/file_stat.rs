//! `stat` (`-c FORMAT`), `readlink`, `realpath`.

use super::list_files::mode_text;
use super::options::{Options, needs};
use super::{Exit, Invocation};
use crate::system::FileStat;

pub(super) fn stat(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "c:Lt") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    if options.operands.is_empty() {
        return needs(invocation, 1);
    }
    let mut exit = Exit::SUCCESS;
    for path in &options.operands {
        let full = invocation.path(path);
        let system = invocation.system.lock();
        let found = if options.has('L') { system.files.stat(&full) } else { system.files.lstat(&full) };
        let target = system.files.link_target(&full).map(ToOwned::to_owned);
        drop(system);
        match found {
            Ok(stat) => {
                let format = options.value('c').unwrap_or(
                    "  File: %N\n  Size: %s\t Blocks: %b\t IO Blocks: 512\t%F\nDevice: fd01h/64769d\t Inode: %i\t Links: 1\n\
                     Access: (%a/%A)\tUid: (%u/%U)\tGid: (%g/%G)\nAccess: %y\nModify: %y\nChange: %y",
                );
                invocation.out(format!("{}\n", fill(format, path, stat, target.as_deref())));
            }
            Err(error) => {
                invocation.err(format!("stat: '{path}': {error}\n"));
                exit = Exit::FAILURE;
            }
        }
    }
    exit
}

/// Who owns a file, as `ls` and `stat` name it.
pub(super) fn owner(uid: u32) -> String {
    match uid {
        0 => "root".to_owned(),
        1000 => "system".to_owned(),
        2000 => "shell".to_owned(),
        10_000.. => format!("u0_a{}", uid - 10_000),
        other => other.to_string(),
    }
}

fn fill(format: &str, path: &str, stat: FileStat, target: Option<&str>) -> String {
    let kind = match stat.mode & 0o170_000 {
        0o040_000 => "directory",
        0o120_000 => "symbolic link",
        0o020_000 => "character device",
        _ if stat.size == 0 => "regular empty file",
        _ => "regular file",
    };
    let time = || {
        jiff::Timestamp::from_second(stat.mtime).map_or_else(
            |_| stat.mtime.to_string(),
            |time| time.strftime("%Y-%m-%d %H:%M:%S.000000000 +0000").to_string(),
        )
    };
    let mut out = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push_str(path),
            Some('N') => match target {
                Some(target) => out.push_str(&format!("'{path}' -> '{target}'")),
                None => out.push_str(&format!("'{path}'")),
            },
            Some('s') => out.push_str(&stat.size.to_string()),
            Some('a') => out.push_str(&format!("{:o}", stat.mode & 0o777)),
            Some('A') => out.push_str(&mode_text(stat.mode)),
            Some('F') => out.push_str(kind),
            Some('f') => out.push_str(&format!("{:x}", stat.mode)),
            Some('u' | 'g') => out.push_str(&stat.uid.to_string()),
            Some('U' | 'G') => out.push_str(&owner(stat.uid)),
            Some('i') => out.push_str(&stat.inode.to_string()),
            Some('b') => out.push_str(&(stat.size.div_ceil(4096) * 8).to_string()),
            Some('B') => out.push_str("512"),
            Some('h') => out.push('1'),
            Some('X' | 'Y' | 'Z') => out.push_str(&stat.mtime.to_string()),
            Some('x' | 'y' | 'z') => out.push_str(&time()),
            Some('%') | None => out.push('%'),
            Some(other) => out.extend(['%', other]),
        }
    }
    out
}

pub(super) fn readlink(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "fenm") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let Some(path) = options.operands.first() else { return needs(invocation, 1) };
    let full = invocation.path(path);
    let system = invocation.system.lock();
    let target = if options.has('f') || options.has('e') {
        system.files.real_path(&full).ok()
    } else {
        system.files.link_target(&full).map(ToOwned::to_owned)
    };
    drop(system);
    match target {
        Some(target) => {
            invocation.out(format!("{target}\n"));
            Exit::SUCCESS
        }
        None => Exit::FAILURE,
    }
}

pub(super) fn realpath(invocation: &Invocation<'_>) -> Exit {
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
        let real = invocation.system.lock().files.real_path(&invocation.path(path));
        match real {
            Ok(real) => invocation.out(format!("{real}\n")),
            Err(error) => {
                invocation.err(format!("realpath: {path}: {error}\n"));
                exit = Exit::FAILURE;
            }
        }
    }
    exit
}
