//! `cp` (`-r -a -n -v`; there are no other owners, times or links to keep) and `mv` (`-f -n -v`).

use super::options::{Options, needs};
use super::{Exit, Invocation};
use crate::system::{FileSystem, FsError};

pub(super) fn cp(invocation: &Invocation<'_>) -> Exit {
    run(invocation, "rRafpvnidHLPT", |files, from, to, options| {
        if options.contains('n') && files.stat(to).is_ok() {
            return Ok(());
        }
        if files.stat(from)?.is_directory() && !options.contains(['r', 'R', 'a']) {
            return Err(FsError::IsDirectory);
        }
        copy(files, from, to)
    })
}

pub(super) fn mv(invocation: &Invocation<'_>) -> Exit {
    run(invocation, "fnviT", |files, from, to, options| {
        if options.contains('n') && files.stat(to).is_ok() {
            return Ok(());
        }
        files.rename(from, to)
    })
}

fn run(
    invocation: &Invocation<'_>,
    known: &str,
    act: impl Fn(&mut FileSystem, &str, &str, &str) -> Result<(), FsError>,
) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, known) {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let Some((&target, sources)) = options.operands.split_last().filter(|(_, sources)| !sources.is_empty()) else {
        return needs(invocation, 2);
    };
    let flags: String = known.chars().filter(|flag| options.has(*flag)).collect();
    let name = &invocation.args[0];
    let full_target = invocation.path(target);
    let mut system = invocation.system.lock();
    let into = system.files.stat(&full_target).is_ok_and(crate::system::FileStat::is_directory);
    let mut errors = String::new();
    let mut told = String::new();
    let into = into && !options.has('T');
    if !into && (sources.len() > 1 || target.ends_with('/')) {
        errors = format!("{name}: '{target}' not directory\n");
    } else {
        for source in sources {
            let last = source.trim_end_matches('/').rsplit('/').next().unwrap_or(source);
            let to = if into { format!("{}/{last}", full_target.trim_end_matches('/')) } else { full_target.clone() };
            match act(&mut system.files, &invocation.path(source), &to, &flags) {
                Ok(()) if options.has('v') => told.push_str(&format!("{name} '{source}'\n")),
                Ok(()) => {}
                Err(FsError::IsDirectory) if name == "cp" => {
                    errors.push_str(&format!("cp: Skipped dir '{source}' (use -r): Is a directory\n"));
                }
                Err(error) => errors.push_str(&format!("{name}: bad '{source}': {error}\n")),
            }
        }
    }
    drop(system);
    invocation.out(told);
    invocation.err(&errors);
    if errors.is_empty() { Exit::SUCCESS } else { Exit::FAILURE }
}

fn copy(files: &mut FileSystem, from: &str, to: &str) -> Result<(), FsError> {
    let stat = files.stat(from)?;
    if !stat.is_directory() {
        let content = files.read(from)?.to_vec();
        return files.write(to, content, stat.mode & 0o777);
    }
    // A tree copied into itself would never end.
    if to.starts_with(&format!("{}/", from.trim_end_matches('/'))) {
        return Err(FsError::Exists);
    }
    match files.make_directory(to) {
        Ok(()) | Err(FsError::Exists) => {}
        Err(error) => return Err(error),
    }
    for (name, _) in files.list(from)? {
        copy(files, &format!("{from}/{name}"), &format!("{to}/{name}"))?;
    }
    Ok(())
}
