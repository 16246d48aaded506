//! Every file of the manifest against its checksum.

use super::checksum::sha256_of_file;
use super::{InferenceError, Manifest, Model, ModelFile};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// One file and its state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileReport {
    /// The model or package it belongs to.
    pub entry: String,
    /// Whether Tapwright cannot work without it.
    pub required: bool,
    /// Where it is or should be.
    pub path: PathBuf,
    /// What was found.
    #[serde(flatten)]
    pub state: FileState,
}

/// What was found in a file's place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum FileState {
    /// The bytes are those of the manifest.
    Ok,
    /// There, but the manifest records no checksum.
    Unchecked,
    /// Not there.
    Missing,
    /// Other bytes.
    Damaged {
        /// Per the manifest.
        expected: String,
        /// Found.
        actual: String,
    },
}

impl FileReport {
    /// Whether something must be done about it: a damaged file always, a missing one when it is required.
    pub fn is_problem(&self) -> bool {
        match self.state {
            FileState::Ok | FileState::Unchecked => false,
            FileState::Missing => self.required,
            FileState::Damaged { .. } => true,
        }
    }
}

impl std::fmt::Display for FileReport {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = match self.state {
            FileState::Ok => "ok",
            FileState::Unchecked => "ok (no checksum recorded)",
            FileState::Missing if self.required => "MISSING",
            FileState::Missing => "missing (optional)",
            FileState::Damaged { .. } => "DAMAGED",
        };
        write!(formatter, "{}: {} {state}", self.entry, self.path.display())
    }
}

/// Reads every file the manifest names for this machine.
///
/// # Errors
/// A file is there but cannot be read.
pub fn verify(manifest: &Manifest) -> Result<Vec<FileReport>, InferenceError> {
    let mut reports = Vec::new();
    for model in manifest.models() {
        let (folder, required) = (manifest.folder(model), model.made.is_none());
        for file in &model.files {
            let path = folder.join(&file.path);
            let state = state_of(&path, Some(&file.sha256))?;
            reports.push(FileReport { entry: model.name.clone(), required, path, state });
        }
        for name in model.needed().filter(|name| model.files.iter().all(|file| file.path != **name)) {
            let path = folder.join(name);
            let state = state_of(&path, None)?;
            reports.push(FileReport { entry: model.name.clone(), required, path, state });
        }
    }
    for package in manifest.runtimes() {
        let files = manifest.installed_files(package);
        if files.is_empty() && package.required {
            return Err(manifest.unsupported(&package.name));
        }
        for (path, member) in files {
            let state = state_of(&path, Some(&member.sha256))?;
            let entry = format!("{} {}", package.name, package.version);
            reports.push(FileReport { entry, required: package.required, path, state });
        }
    }
    Ok(reports)
}

/// Files of a model against their checksums: there, and undamaged.
pub(super) fn check<'f>(
    model: &Model,
    folder: &Path,
    files: impl Iterator<Item = &'f ModelFile>,
) -> Result<(), InferenceError> {
    for file in files {
        let (path, model) = (folder.join(&file.path), model.name.clone());
        match state_of(&path, Some(&file.sha256))? {
            FileState::Missing => return Err(InferenceError::ModelFileMissing { model, path }),
            FileState::Damaged { expected, actual } => {
                return Err(InferenceError::ModelFileDamaged { model, path, expected, actual });
            }
            FileState::Ok | FileState::Unchecked => {}
        }
    }
    Ok(())
}

fn state_of(path: &Path, expected: Option<&str>) -> Result<FileState, InferenceError> {
    if !path.is_file() {
        return Ok(FileState::Missing);
    }
    let Some(expected) = expected else { return Ok(FileState::Unchecked) };
    let actual = sha256_of_file(path).map_err(InferenceError::file("read", path))?;
    Ok(if actual == expected { FileState::Ok } else { FileState::Damaged { expected: expected.to_owned(), actual } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_model_is_undamaged() {
        let manifest = Manifest::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("models")).unwrap();
        let reports = verify(&manifest).unwrap();
        let model: Vec<_> = reports.iter().filter(|report| report.entry == "ui-mpnet").collect();
        assert_eq!(model.len(), 2);
        assert!(model.iter().all(|report| report.state == FileState::Ok), "{model:?}");
    }

    #[test]
    fn missing_damaged_and_unlisted_files_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let text = format!(
            "format = 1\n[[model]]\nname = \"own\"\nkind = \"embedding\"\npath = \".\"\narchitecture = \"mpnet\"\n\
             dimensions = 4\nmax_tokens = 16\npooling = \"mean\"\nlicence = \"x\"\nsource = \"y\"\nnext_action = \"next.onnx\"\nfiles = [\n\
             {{ path = \"model.onnx\", sha256 = \"{0}\", bytes = 1 }}, {{ path = \"extra.bin\", sha256 = \"{0}\", bytes = 1 }}]\n",
            "0".repeat(64)
        );
        std::fs::write(folder.path().join("manifest.toml"), text).unwrap();
        std::fs::write(folder.path().join("model.onnx"), "changed").unwrap();
        std::fs::write(folder.path().join("tokenizer.json"), "{}").unwrap();
        let reports = verify(&Manifest::load(folder.path()).unwrap()).unwrap();
        assert!(matches!(reports[0].state, FileState::Damaged { .. }) && reports[0].is_problem());
        assert!(matches!(reports[1].state, FileState::Missing) && reports[1].is_problem());
        assert!(matches!(reports[2].state, FileState::Unchecked) && !reports[2].is_problem());
        assert!(reports[3].path.ends_with("next.onnx") && reports[3].is_problem(), "{:?}", reports[3]);
        assert!(reports[0].to_string().ends_with("model.onnx DAMAGED"));
    }
}
