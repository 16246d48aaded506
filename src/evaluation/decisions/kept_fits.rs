//! Fits that were finished, in a file, so that a fit of many goes on where it was interrupted.

use crate::evaluation::decisions::problem::SIZE;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// One of them.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// Names decisions, settings and features.
    key: String,
    weights: Vec<f32>,
}

/// Finished fits by key; also kept in a file where there is one.
#[derive(Debug, Default)]
pub struct KeptFits {
    known: Mutex<HashMap<String, Vec<f32>>>,
    file: Option<Mutex<File>>,
}

impl KeptFits {
    /// Reads and goes on with a file, which need not be there. What is no fit in it is passed over: a line may have been cut off.
    ///
    /// # Errors
    /// When it cannot be read and written.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        let mut file = File::options().read(true).append(true).create(true).open(path)?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        if !text.is_empty() && !text.ends_with('\n') {
            file.write_all(b"\n")?;
        }
        let read = text.lines().filter_map(|line| serde_json::from_str::<Kept>(line).ok());
        let known = read.filter(|kept| kept.weights.len() == SIZE).map(|kept| (kept.key, kept.weights)).collect();
        Ok(Self { known: Mutex::new(known), file: Some(Mutex::new(file)) })
    }

    /// The fit of that name, made and kept where it is not known.
    pub(super) fn of(&self, key: &str, make: impl FnOnce() -> Vec<f32>) -> Vec<f32> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(weights) = known().get(key) {
            return weights.clone();
        }
        let weights = make();
        let kept = Kept { key: key.to_owned(), weights };
        if let (Some(file), Ok(line)) = (&self.file, serde_json::to_string(&kept)) {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(error) = file.write_all((line + "\n").as_bytes()) {
                tracing::warn!("a finished fit could not be kept, an interruption will cost it: {error}");
            }
        }
        known().insert(kept.key, kept.weights.clone());
        kept.weights
    }

    /// How many are known.
    pub fn count(&self) -> usize {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finished_fit_is_not_made_again_and_a_line_cut_off_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fits");
        let weights = |value: f32| vec![value; SIZE];
        let fits = KeptFits::open(&path).unwrap();
        fits.of("a", || weights(1.0));
        fits.of("b", || weights(2.0));
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 5]).unwrap();
        let again = KeptFits::open(&path).unwrap();
        assert_eq!(again.count(), 1);
        assert_eq!(again.of("a", || panic!("it was finished")), weights(1.0));
        assert_eq!(again.of("b", || weights(3.0)), weights(3.0));
        assert_eq!(KeptFits::open(&path).unwrap().count(), 2);
    }
}
