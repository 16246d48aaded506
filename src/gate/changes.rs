//! What changed since a revision, as git tells it.

use super::GateError;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The files that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// The repository's top folder.
    pub top: PathBuf,
    /// Since when.
    pub revision: String,
    /// Paths from the top folder, written with `/`.
    pub paths: Vec<String>,
}

impl Changes {
    /// What differs, in the files as they lie there, from where the work since `revision` began. Files that git does not
    /// track count, too, unless it is told to ignore them.
    ///
    /// # Errors
    /// There is no git, no repository around `folder`, or no such revision.
    pub fn since(folder: &Path, revision: &str) -> Result<Self, GateError> {
        let refused = |said: String| GateError::Revision { revision: revision.to_owned(), said };
        if revision.is_empty() || revision.starts_with('-') {
            return Err(refused(format!("{revision:?} is no name of a revision")));
        }
        let top = top(folder, revision)?;
        // A file that moved counts at both places.
        let changed = git(&top, &["diff", "--name-only", "--no-renames", "-z", "--merge-base", revision, "--"])?;
        if !changed.status.success() {
            return Err(refused(first_line(&changed)));
        }
        let untracked = git(&top, &["ls-files", "--others", "--exclude-standard", "-z"])?;
        if !untracked.status.success() {
            return Err(refused(first_line(&untracked)));
        }
        let mut paths = parse_paths(&changed.stdout);
        paths.extend(parse_paths(&untracked.stdout));
        paths.sort();
        paths.dedup();
        Ok(Self { top, revision: revision.to_owned(), paths })
    }

    /// How git names a file: from the top folder, with `/`.
    pub(super) fn name_of(&self, file: &Path) -> Option<String> {
        let whole = std::fs::canonicalize(file).ok()?;
        let top = std::fs::canonicalize(&self.top).unwrap_or_else(|_| self.top.clone());
        let parts: Vec<String> =
            whole.strip_prefix(top).ok()?.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        Some(parts.join("/"))
    }
}

/// The revision the files around `folder` were checked out from; none outside a repository.
pub fn head(folder: &Path) -> Option<String> {
    let told = git(folder, &["rev-parse", "--verify", "HEAD"]).ok().filter(|told| told.status.success())?;
    Some(first_of(&told.stdout)).filter(|revision| !revision.is_empty())
}

fn top(folder: &Path, revision: &str) -> Result<PathBuf, GateError> {
    let told = git(folder, &["rev-parse", "--show-toplevel"])?;
    if told.status.success() {
        return Ok(PathBuf::from(first_of(&told.stdout)));
    }
    let (folder, said) = (folder.to_owned(), first_line(&told));
    Err(GateError::NoRepository { folder, revision: revision.to_owned(), said })
}

fn git(folder: &Path, args: &[&str]) -> Result<Output, GateError> {
    Command::new("git").arg("-C").arg(folder).args(args).output().map_err(GateError::NoGit)
}

/// Paths with a zero byte after each.
fn parse_paths(told: &[u8]) -> Vec<String> {
    let parts = told.split(|byte| *byte == 0).filter(|part| !part.is_empty());
    parts.map(|part| String::from_utf8_lossy(part).into_owned()).collect()
}

fn first_of(told: &[u8]) -> String {
    String::from_utf8_lossy(told).lines().next().unwrap_or_default().trim().to_owned()
}

fn first_line(told: &Output) -> String {
    first_of(&told.stderr).trim_start_matches("fatal: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(folder: &Path, args: &[&str]) {
        let who = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
        let told = git(folder, &[&who[..], args].concat()).unwrap();
        assert!(told.status.success(), "{args:?}: {}", String::from_utf8_lossy(&told.stderr));
    }

    fn write(folder: &Path, name: &str, text: &str) {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    #[test]
    fn paths_are_told_apart_by_zero_bytes() {
        assert_eq!(parse_paths(b"a/b c.kt\0\xc3\xa4.kt\0"), ["a/b c.kt", "\u{e4}.kt"]);
        assert!(parse_paths(b"").is_empty());
    }

    #[test]
    fn changed_moved_new_and_uncommitted_files_are_told_and_what_others_did_since_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path();
        run(top, &["init", "-q", "-b", "main"]);
        for name in ["kept.kt", "moved.kt", "edited.kt", "work/cases/a.case.yaml"] {
            write(top, name, name);
        }
        write(top, ".gitignore", "built/\n");
        run(top, &["add", "."]);
        run(top, &["commit", "-qm", "one"]);
        run(top, &["checkout", "-qb", "feature"]);
        run(top, &["mv", "moved.kt", "there.kt"]);
        run(top, &["commit", "-qam", "two"]);
        run(top, &["checkout", "-q", "main"]);
        write(top, "others.kt", "x");
        run(top, &["add", "."]);
        run(top, &["commit", "-qm", "three"]);
        run(top, &["checkout", "-q", "feature"]);
        write(top, "edited.kt", "other");
        write(top, "new file.kt", "x");
        write(top, "built/output", "x");
        let changes = Changes::since(&top.join("work"), "main").unwrap();
        assert_eq!(changes.paths, ["edited.kt", "moved.kt", "new file.kt", "there.kt"]);
        assert_eq!(changes.name_of(&top.join("work/cases/a.case.yaml")).as_deref(), Some("work/cases/a.case.yaml"));
        assert_eq!(changes.name_of(Path::new("/")), None);
        assert_eq!(head(top).unwrap().len(), 40);
    }

    #[test]
    fn no_repository_and_an_unknown_revision_say_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let text = Changes::since(folder.path(), "main").unwrap_err().to_string();
        assert!(text.contains("in no git repository") && text.contains("inside a checkout"), "{text}");
        assert_eq!(head(folder.path()), None);
        run(folder.path(), &["init", "-q"]);
        for revision in ["nowhere", "--output=x", ""] {
            let text = Changes::since(folder.path(), revision).unwrap_err().to_string();
            assert!(text.contains("fetch-depth: 0"), "{text}");
        }
        assert!(!folder.path().join("x").exists(), "a revision is no option");
    }
}
