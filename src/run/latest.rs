//! `<output>/latest`: where the last run that ended lies.

use std::io;
use std::path::Path;

/// Name of the link, or of the file where the file system knows no links.
pub const LATEST: &str = "latest";

/// Points `<output>/latest` at a run's folder, `<output>/<case>/<run>`. What stood there before is replaced at once: whoever
/// reads it finds the run before or this one, never nothing. A link where links can be made, else a file that holds the path.
///
/// # Errors
/// The folder is no run of an output folder, or cannot be written to.
pub(super) fn point_at(run: &Path) -> io::Result<()> {
    let odd = || io::Error::other(format!("{} is no <output>/<case>/<run>", run.display()));
    let case = run.parent().ok_or_else(odd)?;
    let output = case.parent().ok_or_else(odd)?;
    let target = Path::new(case.file_name().ok_or_else(odd)?).join(run.file_name().ok_or_else(odd)?);
    let latest = output.join(LATEST);
    // A folder of that name is somebody's own: it stays.
    if latest.symlink_metadata().is_ok_and(|known| known.is_dir()) {
        return Err(io::Error::other(format!("{} is a folder, not a link of ours", latest.display())));
    }
    let made = tempfile::Builder::new().prefix(".latest-").make_in(output, |path| link(&target, path));
    match made {
        Ok(link) => link.persist(&latest).map(drop).map_err(|error| error.error),
        Err(_) => {
            let mut file = tempfile::NamedTempFile::new_in(output)?;
            io::Write::write_all(&mut file, format!("{}\n", target.display()).as_bytes())?;
            file.as_file().sync_all()?;
            file.persist(&latest).map(drop).map_err(|error| error.error)
        }
    }
}

#[cfg(unix)]
fn link(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn link(_target: &Path, _path: &Path) -> io::Result<()> {
    Err(io::Error::other("no links here"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_link_leads_to_the_last_run_and_replaces_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        for run in ["A-1/01", "A-1/02", "B-1/03"] {
            let run = folder.path().join(run);
            std::fs::create_dir_all(&run).unwrap();
            std::fs::write(run.join("result.json"), run.display().to_string()).unwrap();
            point_at(&run).unwrap();
            let read = std::fs::read_to_string(folder.path().join(LATEST).join("result.json")).unwrap();
            assert_eq!(read, run.display().to_string());
        }
        let moved = tempfile::tempdir().unwrap();
        let target = std::fs::read_link(folder.path().join(LATEST)).unwrap();
        assert_eq!(target, Path::new("B-1/03"), "the whole folder may be moved: {}", moved.path().display());
        let left = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 3, "no temporary name stays");
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_of_that_name_stays() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join(LATEST).join("mine")).unwrap();
        std::fs::create_dir_all(folder.path().join("A-1/01")).unwrap();
        assert!(point_at(&folder.path().join("A-1/01")).unwrap_err().to_string().contains("is a folder"));
        assert!(folder.path().join(LATEST).join("mine").is_dir());
    }
}
