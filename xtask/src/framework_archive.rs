//! The loaded classes of a framework device in an archive (class-data sharing), so that starting it again costs half of the
//! processor's time. Written once for each build and app.

use crate::failure::Failure;
use crate::framework_link::{Connection, failed, ready};
use crate::framework_played::{ended, started};
use crate::progress::stage;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::UNIX_EPOCH;

/// What archives end with.
const ENDING: &str = "jsa";

/// Gives the archive for `jar` (the built tool) and `app` (a name for the app's classes) in `folder`. Where there is none, what
/// `device` makes of the archive's file and a socket's file is started once to write it; one that could not be written is none, and the reason is told.
pub(crate) fn archive(
    folder: &Path,
    jar: &Path,
    app: &str,
    device: impl FnOnce(&Path, &Path) -> Command,
) -> Option<PathBuf> {
    let file = folder.join(name(jar, app).ok()?);
    if file.is_file() {
        return Some(file);
    }
    let socket = folder.join("archive.socket");
    let written = stage("archive its classes, once", || {
        forget(folder, app)?;
        write(device(&file, &socket), &socket, &file)
    });
    match written {
        Ok(()) => Some(file),
        Err(failure) => {
            eprintln!("without an archive of classes it starts more slowly: {failure}");
            None
        }
    }
}

/// An archive is good for the very jars that it was written with; the JVM looks at their times.
fn name(jar: &Path, app: &str) -> std::io::Result<String> {
    let built = std::fs::metadata(jar)?.modified()?.duration_since(UNIX_EPOCH).map_err(std::io::Error::other)?;
    Ok(format!("{app}-{}.{ENDING}", built.as_millis()))
}

/// Deletes archives of the app that earlier builds wrote.
fn forget(folder: &Path, app: &str) -> Result<(), Failure> {
    let old = |path: &PathBuf| {
        path.extension().is_some_and(|ending| ending == ENDING)
            && path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&format!("{app}-")))
    };
    let entries = std::fs::read_dir(folder).map_err(|error| failed(&error))?;
    entries
        .flatten()
        .map(|entry| entry.path())
        .filter(old)
        .try_for_each(|path| std::fs::remove_file(path).map_err(|error| failed(&error)))
}

/// Starts a device, lets it show its first screen and end, upon which it writes the archive.
fn write(mut device: Command, socket: &Path, file: &Path) -> Result<(), Failure> {
    let mut child = started(device.stdout(Stdio::piped()))?;
    let shown = ready(&mut child).and_then(|()| {
        let (mut link, _) = Connection::open(socket)?;
        link.ask(r#"{"do":"launch","activity":""}"#)?;
        link.rest()?;
        link.ask(r#"{"do":"screenshot"}"#)?;
        link.ask(r#"{"do":"dump"}"#)?;
        link.ask(r#"{"do":"quit"}"#)
    });
    if shown.is_err() {
        ended(&mut child)?;
    }
    child.wait().map_err(|error| failed(&error))?;
    shown?;
    if file.is_file() { Ok(()) } else { Err(Failure::Failed(format!("the JVM did not write {}", file.display()))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_of_earlier_builds_go_and_those_of_other_apps_stay() {
        let folder = std::env::temp_dir().join(format!("tapwright-xtask-archive-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for name in ["aa-1.jsa", "ab-1.jsa", "aa.jar"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        forget(&folder, "aa").unwrap();
        let left = |name: &str| folder.join(name).is_file();
        assert!(!left("aa-1.jsa") && left("ab-1.jsa") && left("aa.jar"));
        let named = name(&folder.join("aa.jar"), "aa").unwrap();
        assert!(named.starts_with("aa-") && named.ends_with(".jsa") && named.len() > 12, "{named}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
