//! Taking models over from a folder, such as that of a checkout or an unpacked release.

use super::checksum::{sha256_of_copy, sha256_of_file};
use super::disk::{require, storage_failed};
use super::{InferenceError, Manifest, Model};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Copies the manifest, the pinned hashes and every file of the models of `source` (a `models` folder) to `target`, each
/// checked against the manifest. `target` appears when all of it is there; models that were there before give way to them, and
/// native files that were fetched stay.
///
/// # Errors
/// A file is missing or damaged, or the disk is full: then `target` is as it was.
pub fn adopt(source: &Path, target: &Path) -> Result<Manifest, InferenceError> {
    let manifest = Manifest::load(source)?;
    let parent = target.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent).map_err(storage_failed("create", parent))?;
    let whole = manifest.models().iter().flat_map(Model::delivered).map(|file| file.bytes);
    require(parent, whole.fold(0, u64::saturating_add))?;
    let fresh =
        tempfile::Builder::new().prefix("models-").tempdir_in(parent).map_err(storage_failed("write in", parent))?;
    copy(manifest.path(), &fresh.path().join("manifest.toml"))?;
    copy(&manifest.requirements(), &fresh.path().join("requirements.txt"))?;
    for model in manifest.models().iter().filter(|model| model.path.is_relative()) {
        let folder = manifest.delivered(model);
        let mut names: Vec<&PathBuf> = model.delivered().map(|file| &file.path).collect();
        names.extend(model.needed());
        names.sort();
        names.dedup();
        for name in names {
            let from = folder.join(name);
            if !from.is_file() {
                return Err(InferenceError::ModelFileMissing { model: model.name.clone(), path: from });
            }
            let actual = copy(&from, &fresh.path().join(&model.path).join(name))?;
            let expected = model.delivered().find(|file| file.path == *name).map(|file| &file.sha256);
            if let Some(expected) = expected.filter(|expected| **expected != actual) {
                let (model, expected) = (model.name.clone(), expected.clone());
                return Err(InferenceError::ModelFileDamaged { model, path: from, expected, actual });
            }
        }
    }
    let runtime = target.join("runtime");
    if runtime.is_dir() {
        std::fs::rename(&runtime, fresh.path().join("runtime")).map_err(storage_failed("move", &runtime))?;
    }
    replace(fresh.keep(), target)?;
    Manifest::load(target)
}

/// Puts a folder in the place of another.
fn replace(fresh: PathBuf, target: &Path) -> Result<(), InferenceError> {
    let old = fresh.with_extension("old");
    if target.exists() {
        std::fs::rename(target, &old).map_err(storage_failed("move", target))?;
    }
    std::fs::rename(&fresh, target).map_err(storage_failed("write", target))?;
    if old.exists() {
        std::fs::remove_dir_all(&old).map_err(storage_failed("remove", &old))?;
    }
    Ok(())
}

/// Copies a file to the disk; gives its checksum.
fn copy(from: &Path, to: &Path) -> Result<String, InferenceError> {
    let folder = to.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(storage_failed("create", folder))?;
    let mut source = File::open(from).map_err(InferenceError::file("read", from))?;
    let mut copied = File::create(to).map_err(storage_failed("write", to))?;
    sha256_of_copy(&mut source, &mut copied).map_err(storage_failed("write", to))?;
    copied.sync_all().map_err(storage_failed("write", to))?;
    sha256_of_file(to).map_err(storage_failed("read", to))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A models folder with one model whose graph is `graph`; the manifest says that it is "graph".
    fn models(graph: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let sum = sha256_of_copy(&mut &b"graph"[..], &mut std::io::sink()).unwrap();
        let manifest = format!(
            "format = 1\n[[model]]\nname = \"own\"\nkind = \"embedding\"\npath = \"own\"\narchitecture = \"mpnet\"\n\
             dimensions = 4\nmax_tokens = 16\npooling = \"mean\"\nlicence = \"x\"\nsource = \"y\"\n\
             files = [{{ path = \"model.onnx\", sha256 = \"{sum}\", bytes = 5 }}]\n"
        );
        std::fs::create_dir(folder.path().join("own")).unwrap();
        for (name, text) in [
            ("manifest.toml", manifest.as_str()),
            ("requirements.txt", ""),
            ("own/model.onnx", graph),
            ("own/tokenizer.json", "{}"),
        ] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    #[test]
    fn models_are_taken_over_whole_or_not_at_all() {
        let data = tempfile::tempdir().unwrap();
        let target = data.path().join("tapwright/models");
        let damaged = models("grab").path().to_owned();
        assert!(adopt(&damaged, &target).is_err(), "the folder is gone");
        let damaged = models("grab");
        assert!(matches!(adopt(damaged.path(), &target).unwrap_err(), InferenceError::ModelFileDamaged { .. }));
        assert!(!target.exists());

        let manifest = adopt(models("graph").path(), &target).unwrap();
        assert_eq!(manifest.path(), target.join("manifest.toml"));
        assert_eq!(std::fs::read_to_string(target.join("own/model.onnx")).unwrap(), "graph");
        std::fs::create_dir(target.join("runtime")).unwrap();
        std::fs::write(target.join("runtime/library"), "fetched").unwrap();
        adopt(models("graph").path(), &target).unwrap();
        assert!(target.join("runtime/library").is_file(), "what was fetched stays");
        assert!(adopt(damaged.path(), &target).is_err());
        assert!(target.join("own/model.onnx").is_file() && target.join("runtime/library").is_file());
        assert_eq!(std::fs::read_dir(target.parent().unwrap()).unwrap().count(), 1, "nothing half-made is left");
    }
}
