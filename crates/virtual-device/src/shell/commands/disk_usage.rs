//! `du` (`-s -h -k -m`) and `df` (`-h -k`).

use super::options::Options;
use super::{Exit, Invocation};
use crate::system::FileSystem;

pub(super) fn du(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "shkmacHLxd:") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let paths = if options.operands.is_empty() { vec!["."] } else { options.operands.clone() };
    let mut exit = Exit::SUCCESS;
    for path in paths {
        let mut rows = Vec::new();
        let system = invocation.system.lock();
        let total = measure(&system.files, &invocation.path(path), path, &mut rows);
        drop(system);
        match total {
            Ok(bytes) => {
                if options.has('s') {
                    rows = vec![(bytes, path.to_owned())];
                }
                let text: String =
                    rows.iter().map(|(bytes, name)| format!("{}\t{name}\n", shown(*bytes, &options))).collect();
                invocation.out(text);
            }
            Err(error) => {
                invocation.err(format!("du: {path}: {error}\n"));
                exit = Exit::FAILURE;
            }
        }
    }
    exit
}

/// Bytes of blocks of a tree; a row per directory, the deepest first, as `du` prints them.
fn measure(
    files: &FileSystem,
    full: &str,
    name: &str,
    rows: &mut Vec<(u64, String)>,
) -> Result<u64, crate::system::FsError> {
    let stat = files.lstat(full)?;
    let mut bytes = stat.size.div_ceil(4096) * 4096;
    if stat.is_directory() {
        for (child, _) in files.list(full)? {
            let below = format!("{}/{child}", full.trim_end_matches('/'));
            bytes += measure(files, &below, &format!("{}/{child}", name.trim_end_matches('/')), rows).unwrap_or(0);
        }
        rows.push((bytes, name.to_owned()));
    }
    Ok(bytes)
}

fn shown(bytes: u64, options: &Options<'_>) -> String {
    if options.has('h') {
        human(bytes)
    } else if options.has('m') {
        bytes.div_ceil(1 << 20).to_string()
    } else {
        bytes.div_ceil(1024).to_string()
    }
}

/// `3.5K`, `12M`.
pub(super) fn human(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["", "K", "M", "G"] {
        if value < 1000.0 || unit == "G" {
            let digits = usize::from(!unit.is_empty() && value < 10.0);
            return format!("{value:.digits$}{unit}");
        }
        value /= 1024.0;
    }
    bytes.to_string()
}

pub(super) fn df(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let options = match Options::of(invocation, &rest, "hkmPa") {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let mounts =
        [("/dev/block/dm-0", "/"), ("tmpfs", "/dev"), ("/dev/block/dm-5", "/data"), ("/dev/fuse", "/storage/emulated")];
    let system = invocation.system.lock();
    let (used, capacity) = (system.files.used(), FileSystem::CAPACITY);
    let mut wanted = Vec::new();
    let mut exit = Exit::SUCCESS;
    let mut errors = String::new();
    for path in &options.operands {
        match system.files.real_path(&invocation.path(path)) {
            Ok(real) => {
                let mount = mounts.iter().rfind(|(_, at)| real == *at || real.starts_with(&format!("{at}/")));
                wanted.push(mount.unwrap_or(&mounts[0]));
            }
            Err(error) => {
                errors.push_str(&format!("df: {path}: {error}\n"));
                exit = Exit::FAILURE;
            }
        }
    }
    drop(system);
    if options.operands.is_empty() {
        wanted = mounts.iter().collect();
    }
    let mut text = if options.has('h') {
        "Filesystem        Size Used Avail Use% Mounted on\n".to_owned()
    } else {
        "Filesystem       1K-blocks   Used Available Use% Mounted on\n".to_owned()
    };
    for (device, mount) in &wanted {
        // Data and shared storage are one file system; what the rest holds cannot change.
        let (size, used) = if mount.starts_with("/data") || mount.starts_with("/storage") {
            (capacity, used)
        } else {
            (1 << 30, 1 << 30)
        };
        let free = size - used;
        let percent = (used * 100).div_ceil(size);
        text.push_str(&if options.has('h') {
            format!("{device:<16} {:>5} {:>4} {:>5} {percent:>3}% {mount}\n", human(size), human(used), human(free))
        } else {
            format!("{device:<16} {:>9} {:>6} {:>9} {percent:>3}% {mount}\n", size / 1024, used / 1024, free / 1024)
        });
    }
    invocation.err(&errors);
    if !wanted.is_empty() {
        invocation.out(text);
    }
    exit
}
