//! Decisions in a file as `eval decisions --examples` writes them, with a file beside it that says which cases it holds.

use super::journal::{Journal, PlayError, PlayTerms, line};
use crate::evaluation::decisions::{DecisionExample, example_lines};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// One case whose decisions the file holds.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Given {
    /// Names what was played: the suite's files and the case.
    key: String,
    /// The case.
    case: String,
    /// Bytes of the file up to the end of its decisions.
    until: u64,
    /// Its decisions.
    decisions: usize,
    /// Why the lesson ended early; `None` where it did not.
    stopped: Option<String>,
}

/// What a file of decisions holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct KeptExamples {
    /// Cases.
    pub cases: usize,
    /// Decisions.
    pub decisions: usize,
    /// Cases whose lesson ended early, and why.
    pub stopped: BTreeMap<String, String>,
}

/// A file of decisions that is added to.
#[derive(Debug)]
pub struct ExampleStore {
    path: PathBuf,
    examples: Journal,
    progress: Journal,
    known: HashMap<String, Given>,
}

impl ExampleStore {
    /// Opens a file, which need not be there, and the one beside it (`FILE.progress`), to add decisions made on these terms.
    ///
    /// # Errors
    /// When one cannot be read and written, holds something else, or was made on other terms.
    pub fn open(path: &Path, terms: &PlayTerms) -> Result<Self, PlayError> {
        let beside = beside(path);
        let (mut examples, kept) = Journal::open(path)?;
        let (mut progress, told) = Journal::open(&beside)?;
        let header = example_lines(std::iter::empty()).map_err(|error| PlayError::foreign(path, error.to_string()))?;
        let mut lines = told.lines();
        let Some(first) = lines.next() else {
            if !kept.is_empty() && kept != header {
                let reason = format!("it holds decisions, and there is no {} to say of which cases", beside.display());
                return Err(PlayError::foreign(path, reason));
            }
            progress.cut(0)?;
            progress.add(&line(&beside, terms)?)?;
            examples.cut(0)?;
            examples.add(&header)?;
            return Ok(Self { path: path.to_owned(), examples, progress, known: HashMap::new() });
        };
        if serde_json::from_str::<PlayTerms>(first).ok().as_ref() != Some(terms) {
            return Err(PlayError::foreign(path, "it was made by another version, other weights or another model"));
        }
        if !kept.starts_with(&header) {
            return Err(PlayError::foreign(path, "it holds no decisions with the features of this version"));
        }
        let wrong = |error: serde_json::Error| PlayError::foreign(&beside, error.to_string());
        let given: Vec<Given> = lines.map(serde_json::from_str).collect::<Result<_, _>>().map_err(wrong)?;
        let until = given.last().map_or(header.len() as u64, |last| last.until);
        if (kept.len() as u64) < until {
            return Err(PlayError::foreign(path, "it is shorter than it was"));
        }
        progress.cut(told.len() as u64)?;
        examples.cut(until)?;
        let known = given.into_iter().map(|one| (one.key.clone(), one)).collect();
        Ok(Self { path: path.to_owned(), examples, progress, known })
    }

    /// What the file holds.
    pub fn kept(&self) -> KeptExamples {
        let stopped = self.known.values().filter_map(|one| Some((one.case.clone(), one.stopped.clone()?)));
        KeptExamples {
            cases: self.known.len(),
            decisions: self.known.values().map(|one| one.decisions).sum(),
            stopped: stopped.collect(),
        }
    }

    /// True for a case whose decisions the file holds.
    pub(super) fn holds(&self, key: &str) -> bool {
        self.known.contains_key(key)
    }

    /// Adds the decisions of a case.
    pub(super) fn add<'e>(
        &mut self,
        key: &str,
        case: &str,
        examples: impl Iterator<Item = &'e DecisionExample>,
        stopped: Option<String>,
    ) -> Result<(), PlayError> {
        let lines = examples.map(|one| line(&self.path, one)).collect::<Result<Vec<_>, _>>()?;
        let until = self.examples.add(&lines.concat())?;
        let given = Given { key: key.to_owned(), case: case.to_owned(), until, decisions: lines.len(), stopped };
        // Only what is noted here counts: who is ended between the two writes begins with this case again.
        self.progress.add(&line(&self.path, &given)?)?;
        self.known.insert(given.key.clone(), given);
        Ok(())
    }
}

/// The file that says which cases a file of decisions holds.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".progress");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::decisions::read_examples;
    use crate::evaluation::suite::Pictures;
    use crate::inference::Reading;

    fn terms(weights: &str) -> PlayTerms {
        let (tapwright, agent, model) = ("0.1.0".into(), "pipeline".into(), "ui".into());
        PlayTerms { tapwright, agent, weights: weights.into(), model, pictures: Pictures::Omitted }
    }

    fn example(case: &str) -> DecisionExample {
        DecisionExample {
            app: "org.example.app".into(),
            family: String::new(),
            case: case.into(),
            step: 1,
            hand: "tap".into(),
            astray: false,
            reading: Reading::default(),
            options: Vec::new(),
        }
    }

    #[test]
    fn decisions_of_a_case_that_was_not_noted_are_cut_off_and_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("examples.jsonl");
        let mut store = ExampleStore::open(&path, &terms("a")).unwrap();
        store.add("k1", "A-1", [&example("A-1"), &example("A-1")].into_iter(), None).unwrap();
        store.add("k2", "A-2", [].into_iter(), Some("it is not in sight".into())).unwrap();
        drop(store);
        // Ended between the two writes of the third case.
        let cut_off = line(&path, &example("A-3")).unwrap();
        let text = std::fs::read_to_string(&path).unwrap() + cut_off.as_str();
        std::fs::write(&path, text).unwrap();
        let mut store = ExampleStore::open(&path, &terms("a")).unwrap();
        assert!(store.holds("k1") && store.holds("k2") && !store.holds("k3"));
        store.add("k3", "A-3", [&example("A-3")].into_iter(), None).unwrap();
        let stopped = BTreeMap::from([("A-2".to_owned(), "it is not in sight".to_owned())]);
        assert_eq!(store.kept(), KeptExamples { cases: 3, decisions: 3, stopped });
        let cases: Vec<String> = read_examples(&path).unwrap().into_iter().map(|one| one.case).collect();
        assert_eq!(cases, ["A-1", "A-1", "A-3"]);
    }

    #[test]
    fn what_was_made_otherwise_is_refused_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("examples.jsonl");
        let mut store = ExampleStore::open(&path, &terms("a")).unwrap();
        store.add("k1", "A-1", [&example("A-1")].into_iter(), None).unwrap();
        drop(store);
        let whole = std::fs::read_to_string(&path).unwrap();
        let refused = |said: &str, weights: &str| {
            let before = std::fs::read_to_string(&path).unwrap();
            let error = ExampleStore::open(&path, &terms(weights)).unwrap_err().to_string();
            assert!(error.contains(said) && error.contains("play anew"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), before);
        };
        refused("other weights", "b");
        std::fs::write(&path, whole.lines().next().unwrap().to_owned() + "\n").unwrap();
        refused("shorter", "a");
        std::fs::write(&path, whole.replacen("meaning", "luck", 1)).unwrap();
        refused("features of this version", "a");
        std::fs::write(&path, &whole).unwrap();
        std::fs::remove_file(beside(&path)).unwrap();
        refused("to say of which cases", "a");
    }
}
