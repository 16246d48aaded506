//! `pip download`: one pinned wheel, hashes required, nothing installed into Python.

use super::{InferenceError, RuntimePackage, Wheel};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The Python that runs pip.
#[derive(Debug, Clone)]
pub struct Pip {
    python: PathBuf,
    options: Vec<String>,
}

impl Pip {
    /// Uses that interpreter (`python3` for the one on the path).
    pub fn new(python: impl Into<PathBuf>) -> Self {
        Self { python: python.into(), options: Vec::new() }
    }

    /// Adds options for `pip download`, for example those that choose a mirror of a company. The hashes still
    /// decide what is accepted.
    #[must_use]
    pub fn with_options(mut self, options: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.options.extend(options.into_iter().map(Into::into));
        self
    }

    /// Downloads the package's wheel for a platform into an empty folder and gives its path. `requirements` holds the
    /// hashes; only the package's own entry is given to pip.
    pub(super) fn download(
        &self,
        package: &RuntimePackage,
        wheel: &Wheel,
        requirements: &Path,
        folder: &Path,
    ) -> Result<PathBuf, InferenceError> {
        let text = std::fs::read_to_string(requirements).map_err(InferenceError::file("read", requirements))?;
        let pin = format!("{}=={}", package.name, package.version);
        let entry = pinned_entry(&text, &pin)
            .ok_or_else(|| InferenceError::NotPinned { path: requirements.to_path_buf(), package: pin.clone() })?;
        let file = folder.join("requirements.txt");
        std::fs::write(&file, entry).map_err(InferenceError::file("write", &file))?;
        let mut arguments = download_arguments(wheel);
        arguments.extend(self.options.iter().map(String::as_str));
        let output = Command::new(&self.python)
            .args(&arguments)
            .arg("--requirement")
            .arg(&file)
            .arg("--dest")
            .arg(folder)
            .output()
            .map_err(|source| InferenceError::PythonMissing { python: self.python.clone(), source })?;
        if !output.status.success() {
            let stderr = String::from_utf8_lossy(&output.stderr);
            if stderr.contains("No module named pip") {
                return Err(InferenceError::PipMissing { python: self.python.clone() });
            }
            // The stanza's file is gone by now; by hand the whole file does as well.
            let command = format!(
                "{} {} --requirement {} --dest .",
                self.python.display(),
                arguments.join(" "),
                requirements.display()
            );
            return Err(InferenceError::PipFailed { package: pin, reason: last_lines(&stderr), command });
        }
        wheel_in(folder)?.ok_or_else(|| InferenceError::PipFailed {
            package: pin,
            reason: "it reported success but left no wheel".to_owned(),
            command: arguments.join(" "),
        })
    }
}

/// Any host's pip fetches the same wheel: the one for `CPython` 3.11, of which only the native file is used.
fn download_arguments(wheel: &Wheel) -> Vec<&str> {
    vec![
        "-m",
        "pip",
        "download",
        "--disable-pip-version-check",
        "--no-input",
        "--quiet",
        "--timeout=30",
        "--retries=3",
        "--require-hashes",
        "--only-binary=:all:",
        "--no-deps",
        "--python-version=311",
        "--implementation=cp",
        "--abi=cp311",
        "--platform",
        &wheel.tag,
    ]
}

/// The requirement `pin` with its hashes: one logical line, continued by backslashes.
fn pinned_entry(requirements: &str, pin: &str) -> Option<String> {
    let joined = requirements.replace("\\\r\n", " ").replace("\\\n", " ");
    let mut words = joined.lines().map(|line| line.split_whitespace());
    let entry = words.find(|words| words.clone().next() == Some(pin))?;
    let entry: Vec<&str> = entry.take_while(|word| !word.starts_with('#')).collect();
    entry.iter().any(|word| word.starts_with("--hash=sha256:")).then(|| entry.join(" ") + "\n")
}

fn last_lines(stderr: &str) -> String {
    let lines: Vec<&str> = stderr.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() { "nothing".to_owned() } else { lines[lines.len().saturating_sub(4)..].join(" | ") }
}

fn wheel_in(folder: &Path) -> Result<Option<PathBuf>, InferenceError> {
    for entry in std::fs::read_dir(folder).map_err(InferenceError::file("list", folder))? {
        let path = entry.map_err(InferenceError::file("list", folder))?.path();
        if path.extension().is_some_and(|extension| extension == "whl") {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUIREMENTS: &str = "# comment\none==1.0 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\ntwo==2.0\n";

    #[test]
    fn an_entry_keeps_all_its_hashes_and_nothing_else() {
        assert_eq!(pinned_entry(REQUIREMENTS, "one==1.0").unwrap(), "one==1.0 --hash=sha256:aa --hash=sha256:bb\n");
    }

    #[test]
    fn a_package_without_hashes_or_of_another_version_is_not_pinned() {
        assert_eq!(pinned_entry(REQUIREMENTS, "two==2.0"), None);
        assert_eq!(pinned_entry(REQUIREMENTS, "one==1.1"), None);
    }

    #[test]
    fn every_package_of_the_bundled_manifest_is_pinned() {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
        let manifest = super::super::Manifest::load(&models).unwrap();
        let text = std::fs::read_to_string(manifest.requirements()).unwrap();
        for package in manifest.runtimes() {
            assert!(pinned_entry(&text, &format!("{}=={}", package.name, package.version)).is_some());
        }
    }

    #[test]
    fn only_the_last_lines_of_a_long_complaint_are_shown() {
        assert_eq!(last_lines("a\n\nb\nc\nd\ne\n"), "b | c | d | e");
        assert_eq!(last_lines(""), "nothing");
    }
}
