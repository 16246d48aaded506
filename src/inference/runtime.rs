//! The ONNX Runtime library: loaded explicitly, once per process, with a readable reason when it cannot be.

use super::InferenceError;
use super::elf::required_length;
use ort::LoadDynamicError;
use ort::ep;
use ort::session::Session;
use ort::session::builder::SessionBuilder;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The oldest ONNX Runtime that has the interface ort's `api-24` feature uses.
const MINIMUM_MINOR: u32 = 24;

/// ort allows one environment per process and never a second one, so the first stays until the process ends.
static LOADED: Mutex<Option<Runtime>> = Mutex::new(None);

/// A loaded ONNX Runtime. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Runtime {
    environment: ort::environment::Environment,
    path: PathBuf,
}

impl Runtime {
    /// Loads the library. A failure leaves nothing behind and may be retried; a second call with the same library
    /// gives the same runtime.
    ///
    /// # Errors
    /// Missing, damaged, foreign or too old, each with the remedy; or another library is already in use.
    pub fn load(library: &Path) -> Result<Self, InferenceError> {
        // ort looks for relative paths beside the executable first; only an absolute one means what it says.
        let library = std::path::absolute(library).map_err(InferenceError::file("resolve", library))?;
        if !library.is_file() {
            return Err(InferenceError::RuntimeMissing { path: library });
        }
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(runtime) = loaded.as_ref() {
            if same_file(&runtime.path, &library) {
                return Ok(runtime.clone());
            }
            let loaded = runtime.path.clone();
            return Err(InferenceError::RuntimeAlreadyLoaded { loaded, asked: library });
        }
        check_complete(&library)?;
        // Only this way: left to itself ort loads the library lazily and panics when it cannot.
        let builder = ort::init_from(&library).map_err(|error| load_error(&library, &error))?;
        let environment = builder
            .with_name("tapwright")
            .build()
            .map_err(|error| InferenceError::RuntimeUnusable { path: library.clone(), reason: error.to_string() })?;
        let runtime = Self { environment, path: library };
        *loaded = Some(runtime.clone());
        Ok(runtime)
    }

    /// The library in use.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A session for a graph, with the memory settings all Tapwright's sessions share.
    ///
    /// Memory patterns and the arena keep every buffer of the largest batch ever seen (measured with OCR models: 865 MB
    /// against 321 MB without); texts and screens vary in size, so neither pays here.
    pub(super) fn session(&self, graph: &Path, threads: usize) -> ort::Result<Session> {
        self.builder(threads)?.commit_from_file(graph)
    }

    /// The same for a graph in memory.
    pub(super) fn session_from(&self, graph: &[u8], threads: usize) -> ort::Result<Session> {
        self.builder(threads)?.commit_from_memory(graph)
    }

    fn builder(&self, threads: usize) -> ort::Result<SessionBuilder> {
        let builder = Session::builder(&self.environment)?;
        let builder = builder.with_memory_pattern(false)?;
        let cpu = ep::CPU::default().with_arena_allocator(false).build();
        let builder = builder.with_execution_providers([cpu])?;
        let builder = builder.with_intra_threads(threads.max(1))?;
        // A daemon waits most of the time: its threads must not spin.
        Ok(builder.with_intra_op_spinning(false)?)
    }
}

impl Runtime {
    /// A session with one input and one output, as text models have, with their names.
    pub(super) fn ocr_session(
        &self,
        graph: &Path,
        threads: usize,
    ) -> Result<(Session, String, String), InferenceError> {
        let model = "text".to_owned();
        if !graph.is_file() {
            return Err(InferenceError::ModelFileMissing { model, path: graph.to_path_buf() });
        }
        let session = self.session(graph, threads).map_err(|error| InferenceError::ModelUnusable {
            model: model.clone(),
            path: graph.to_path_buf(),
            reason: error.to_string(),
        })?;
        let ([input], [output]) = (session.inputs(), session.outputs()) else {
            let reason = "expected one input and one output".to_owned();
            return Err(InferenceError::ModelShape { model, path: graph.to_path_buf(), reason });
        };
        let (input, output) = (input.name().to_owned(), output.name().to_owned());
        Ok((session, input, output))
    }
}

fn check_complete(library: &Path) -> Result<(), InferenceError> {
    let mut file = File::open(library).map_err(InferenceError::file("read", library))?;
    let required = required_length(&mut file).map_err(InferenceError::file("read", library))?;
    let length = file.metadata().map_err(InferenceError::file("read", library))?.len();
    match required {
        Some(required) if length < required => Err(InferenceError::RuntimeDamaged {
            path: library.to_path_buf(),
            reason: format!("it ends after {length} of {required} bytes"),
        }),
        _ => Ok(()),
    }
}

fn same_file(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn load_error(library: &Path, error: &LoadDynamicError) -> InferenceError {
    let path = library.to_path_buf();
    match error {
        // The reason stands in the Debug text only: Display says "dlopen failed".
        LoadDynamicError::Dlopen { error, .. } => {
            let debug = format!("{error:?}");
            let reason = quoted(&debug).unwrap_or(debug);
            let reason = reason.strip_prefix(&format!("{}: ", library.display())).unwrap_or(&reason).to_owned();
            InferenceError::RuntimeDamaged { path, reason }
        }
        LoadDynamicError::MissingApi { .. } => InferenceError::RuntimeForeign { path },
        LoadDynamicError::BadVersion { version_str, .. } => {
            InferenceError::RuntimeTooOld { path, version: version_str.clone(), minimum_minor: MINIMUM_MINOR }
        }
        LoadDynamicError::InvalidVersionString => {
            InferenceError::RuntimeDamaged { path, reason: "its version is not readable".to_owned() }
        }
    }
}

/// The first double-quoted string of a Debug text, unescaped.
fn quoted(debug: &str) -> Option<String> {
    let mut text = String::new();
    let mut characters = debug[debug.find('"')? + 1..].chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => return Some(text),
            '\\' => text.push(characters.next()?),
            other => text.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loaders_reason_is_taken_out_of_a_debug_text() {
        assert_eq!(quoted(r#"DlOpen { source: "a.so: \"x\" too short" }"#).as_deref(), Some("a.so: \"x\" too short"));
        assert_eq!(quoted("DlOpenUnknown"), None);
    }

    #[test]
    fn a_missing_library_says_what_to_run() {
        let error = Runtime::load(Path::new("/nowhere/libonnxruntime.so")).unwrap_err().to_string();
        assert_eq!(
            error,
            "ONNX Runtime is not installed (/nowhere/libonnxruntime.so does not exist): run `tapwright models install`"
        );
    }
}
