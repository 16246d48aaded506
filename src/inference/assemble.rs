//! A model that is made on this machine: a public one is fetched, the difference to it is added, the result checked and put in place.

use super::checksum::{sha256_of_copy, sha256_of_file};
use super::disk::{require, storage_failed};
use super::merge::{DeltaHead, MergeFailed, merge};
use super::verify::check;
use super::{InferenceError, InstallEvent, Made, Manifest, Model, PackageIndex, install};
use std::fs::File;
use std::io::Seek as _;
use std::path::{Path, PathBuf};

/// Makes a model of the manifest in its own folder among the native files. One that is there and undamaged is left alone. The
/// model appears when all of it is made and its checksums are right; what was fetched for it is then removed, and kept for
/// the next attempt otherwise.
///
/// # Errors
/// A package cannot be fetched ([`install`]), a file is missing, damaged or for another public model, the disk is full.
pub async fn assemble(
    manifest: &Manifest,
    model: &Model,
    index: &PackageIndex,
    progress: &mut dyn FnMut(InstallEvent),
) -> Result<(), InferenceError> {
    let Some(made) = &model.made else { return Ok(()) };
    let folder = manifest.folder(model);
    let bytes = model.files.iter().map(|file| file.bytes).sum();
    let done = |before| InstallEvent::Made { model: model.name.clone(), path: folder.clone(), bytes, before };
    if check(model, &folder, model.files.iter()).is_ok() {
        // Where an earlier attempt was interrupted at its very end, its parts are still there.
        forget_parts(manifest, made)?;
        progress(done(true));
        return Ok(());
    }
    check_delivered(manifest, model, made)?;
    install(manifest, &made.from, index, progress).await?;
    progress(InstallEvent::Making { model: model.name.clone() });
    let (manifest, model) = (manifest.clone(), model.clone());
    let name = model.name.clone();
    let working = tokio::task::spawn_blocking(move || make(&manifest, &model));
    working.await.map_err(|error| InferenceError::CannotBeMade { model: name, reason: error.to_string() })??;
    progress(done(false));
    Ok(())
}

/// The delivered files, before 404 MB are fetched for nothing: there, undamaged, and for this public model.
fn check_delivered(manifest: &Manifest, model: &Model, made: &Made) -> Result<(), InferenceError> {
    let delivered = manifest.delivered(model);
    check(model, &delivered, model.delivered())?;
    let path = delivered.join(&made.delta.path);
    let delta = std::fs::read(&path).map_err(InferenceError::file("read", &path))?;
    let head = DeltaHead::read(&delta).map_err(|reason| unfit(model, &path, &reason))?;
    if head.base != made.sha256 {
        return Err(unfit(
            model,
            &path,
            &format!("it is the difference to another model, {}, not to {}", head.base, made.sha256),
        ));
    }
    Ok(())
}

fn make(manifest: &Manifest, model: &Model) -> Result<(), InferenceError> {
    let Some(made) = &model.made else { return Ok(()) };
    let (folder, runtime, delivered) = (manifest.folder(model), manifest.runtime_folder(), manifest.delivered(model));
    let whole: u64 = model.files.iter().map(|file| file.bytes).sum();
    let archive: u64 =
        made.from.iter().flat_map(|package| manifest.installed_files(package)).map(|(_, part)| part.bytes).sum();
    require(&runtime, whole.saturating_add(archive))?;
    let public = public_weights(manifest, model, made)?;
    let delta = delivered.join(&made.delta.path);
    let difference = std::fs::read(&delta).map_err(InferenceError::file("read", &delta))?;

    let fresh = tempfile::Builder::new().prefix(&model.name).tempdir_in(&runtime);
    let fresh = fresh.map_err(storage_failed("write in", &runtime))?;
    for file in &model.files {
        let path = fresh.path().join(&file.path);
        let mut written = File::create(&path).map_err(storage_failed("write", &path))?;
        if model.copied().any(|delivered| delivered == file) {
            let from = delivered.join(&file.path);
            let mut source = File::open(&from).map_err(InferenceError::file("read", &from))?;
            std::io::copy(&mut source, &mut written).map_err(storage_failed("write", &path))?;
        } else {
            let mut buffered = std::io::BufWriter::new(&written);
            merge(&public, &difference, &mut buffered).map_err(|failed| match failed {
                MergeFailed::Unfit(reason) => unfit(model, &delta, &reason),
                MergeFailed::Storage(error) => storage_failed("write", &path)(error),
            })?;
            std::io::Write::flush(&mut buffered).map_err(storage_failed("write", &path))?;
        }
        written.sync_all().map_err(storage_failed("write", &path))?;
        let actual = sha256_of_file(&path).map_err(InferenceError::file("read", &path))?;
        if actual != file.sha256 {
            let reason = format!("what was made has sha256 {actual}, the manifest says {}", file.sha256);
            return Err(unfit(model, &path, &reason));
        }
    }
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(storage_failed("remove", &folder))?;
    }
    std::fs::rename(fresh.path(), &folder).map_err(storage_failed("write", &folder))?;
    let _it_is_elsewhere_now = fresh.keep();
    forget_parts(manifest, made)
}

/// The public model's weights, out of the archive that the packages' files make.
fn public_weights(manifest: &Manifest, model: &Model, made: &Made) -> Result<Vec<u8>, InferenceError> {
    let runtime = manifest.runtime_folder();
    let mut joined = tempfile::tempfile_in(&runtime).map_err(storage_failed("write in", &runtime))?;
    for (part, _) in made.from.iter().flat_map(|package| manifest.installed_files(package)) {
        let mut source = File::open(&part).map_err(InferenceError::file("read", &part))?;
        std::io::copy(&mut source, &mut joined).map_err(storage_failed("write", &runtime.join(&model.name)))?;
    }
    joined.rewind().map_err(InferenceError::file("read", &runtime))?;
    let unusable = |reason: String| unfit(model, Path::new(&made.member), &reason);
    let mut archive = zip::ZipArchive::new(joined).map_err(|error| unusable(error.to_string()))?;
    let mut member = archive.by_name(&made.member).map_err(|error| unusable(error.to_string()))?;
    // The size that the archive tells is not believed beyond what the manifest says.
    let mut weights = Vec::with_capacity(usize::try_from(member.size().min(made.bytes)).unwrap_or_default());
    let actual = sha256_of_copy(&mut member, &mut weights).map_err(|error| unusable(error.to_string()))?;
    if actual == made.sha256 {
        Ok(weights)
    } else {
        Err(unusable(format!("the public weights have sha256 {actual}, the manifest says {}", made.sha256)))
    }
}

/// Removes what was fetched for a model that is made.
fn forget_parts(manifest: &Manifest, made: &Made) -> Result<(), InferenceError> {
    for (part, _) in made.from.iter().flat_map(|package| manifest.installed_files(package)) {
        let folder: PathBuf = part.parent().map(Path::to_path_buf).unwrap_or_default();
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(storage_failed("remove", &folder))?;
        }
    }
    Ok(())
}

fn unfit(model: &Model, path: &Path, reason: &str) -> InferenceError {
    InferenceError::CannotBeMade { model: model.name.clone(), reason: format!("{}: {reason}", path.display()) }
}

#[cfg(test)]
mod tests {
    use super::super::merge::tests as sample;
    use super::*;
    use std::io::Write as _;
    use tempfile::TempDir;

    fn sum(bytes: &[u8]) -> String {
        sha256_of_copy(&mut &*bytes, &mut std::io::sink()).unwrap()
    }

    /// The public weights in an archive, in two parts.
    fn parts() -> [Vec<u8>; 2] {
        let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        zip.start_file("public/model.safetensors", zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(&sample::public()).unwrap();
        let whole = zip.finish().unwrap().into_inner();
        let (first, second) = whole.split_at(whole.len() / 2);
        [first.to_vec(), second.to_vec()]
    }

    /// A models folder whose model is made of two packages; their files are there already, so that no network is needed.
    fn models(delta: &[u8], weights: &[u8]) -> (TempDir, Manifest) {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, bytes: &[u8]| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        };
        for (name, bytes) in [("model.onnx", &b"graph"[..]), ("tokenizer.json", b"{}"), ("delta.safetensors", delta)] {
            write(&format!("large/{name}"), bytes);
        }
        let file = |path: &str, bytes: &[u8]| {
            format!("{{ path = \"{path}\", sha256 = \"{}\", bytes = {} }}", sum(bytes), bytes.len())
        };
        let mut text = format!(
            "format = 1\n[[model]]\nname = \"large\"\ntier = \"base\"\nkind = \"embedding\"\npath = \"large\"\n\
             architecture = \"mpnet\"\ndimensions = 3\nmax_tokens = 16\npooling = \"in-graph\"\nlicence = \"x\"\nsource = \"y\"\n\
             files = [{}, {}, {}]\n[model.made]\ndelta = {}\nmember = \"public/model.safetensors\"\nsha256 = \"{}\"\nbytes = {}\n",
            file("model.onnx", b"graph"),
            file("tokenizer.json", b"{}"),
            file("weights.bin", weights),
            file("delta.safetensors", delta),
            sum(&sample::public()),
            sample::public().len(),
        );
        for (number, part) in parts().iter().enumerate() {
            write(&format!("runtime/part-{number}-1/{number}"), part);
            text += &format!(
                "[[model.made.from]]\nname = \"part-{number}\"\nversion = \"1\"\nrequired = true\nlicence = \"x\"\nsource = \"y\"\n\
                 [[model.made.from.wheel]]\nplatform = \"any\"\ntag = \"any\"\nmember = \"{number}\"\nsha256 = \"{}\"\nbytes = {}\n",
                sum(part),
                part.len()
            );
        }
        write("manifest.toml", text.as_bytes());
        write("requirements.txt", b"part-0==1 --hash=sha256:00\npart-1==1 --hash=sha256:00\n");
        let manifest = Manifest::load(folder.path()).unwrap();
        (folder, manifest)
    }

    fn merged(delta: &[u8]) -> Vec<u8> {
        let mut weights = Vec::new();
        merge(&sample::public(), delta, &mut weights).unwrap();
        weights
    }

    async fn run(manifest: &Manifest) -> (Result<(), InferenceError>, Vec<InstallEvent>) {
        // An index that nobody answers for.
        let index = PackageIndex::new(Some("http://127.0.0.1:9/simple")).unwrap();
        let mut events = Vec::new();
        let result = assemble(manifest, &manifest.models()[0], &index, &mut |event| events.push(event)).await;
        (result, events)
    }

    /// Names in the folder of native files.
    fn left(manifest: &Manifest) -> Vec<String> {
        let entries = std::fs::read_dir(manifest.runtime_folder()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[tokio::test]
    async fn a_model_is_made_once_and_its_parts_are_forgotten() {
        let delta = sample::delta(&sum(&sample::public()), 3);
        let (_folder, manifest) = models(&delta, &merged(&delta));
        let (result, events) = run(&manifest).await;
        result.unwrap();
        assert!(matches!(events.last(), Some(InstallEvent::Made { before: false, .. })), "{events:?}");
        assert_eq!(left(&manifest), ["large"]);
        let folder = manifest.folder(&manifest.models()[0]);
        assert_eq!(std::fs::read(folder.join("weights.bin")).unwrap(), merged(&delta));
        assert_eq!(std::fs::read(folder.join("model.onnx")).unwrap(), b"graph");

        let (result, events) = run(&manifest).await;
        result.unwrap();
        assert!(matches!(events[..], [InstallEvent::Made { before: true, .. }]), "no network: {events:?}");
        std::fs::write(folder.join("weights.bin"), b"damaged").unwrap();
        let told = run(&manifest).await.0.unwrap_err().to_string();
        assert!(told.contains("part-0"), "it is fetched and made anew: {told}");
    }

    #[tokio::test]
    async fn what_does_not_fit_is_told_and_nothing_is_half_made() {
        let ours = sum(&sample::public());
        let other = sample::delta("0123", 3);
        let narrow = sample::delta(&ours, 2);
        let cases = [
            (&other, &b"x"[..], "it is the difference to another model, 0123"),
            (&narrow, b"x", "w: the delta's factors"),
        ];
        for (delta, weights, expected) in cases {
            let (_folder, manifest) = models(delta, weights);
            let told = run(&manifest).await.0.unwrap_err().to_string();
            assert!(told.contains(expected) && told.ends_with("nothing was changed"), "{told}");
            assert_eq!(left(&manifest), ["part-0-1", "part-1-1"], "what was fetched is kept");
        }
        let (folder, manifest) = models(&sample::delta(&ours, 3), b"other weights");
        let told = run(&manifest).await.0.unwrap_err().to_string();
        assert!(told.contains("the manifest says"), "{told}");
        assert_eq!(left(&manifest), ["part-0-1", "part-1-1"]);
        std::fs::write(folder.path().join("large/delta.safetensors"), b"cut").unwrap();
        assert!(matches!(run(&manifest).await.0.unwrap_err(), InferenceError::ModelFileDamaged { .. }));
        std::fs::remove_file(folder.path().join("large/delta.safetensors")).unwrap();
        assert!(matches!(run(&manifest).await.0.unwrap_err(), InferenceError::ModelFileMissing { .. }));
    }
}
