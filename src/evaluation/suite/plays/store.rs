//! Runs in a file: a line that says on which terms they were played, then a line for each.

use super::journal::{Journal, PlayError, PlayTerms, line};
use crate::evaluation::suite::{RunReport, SuiteReport};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

/// What the first line calls such files.
const FORMAT: &str = "tapwright plays";
/// The version of the form. A change that a reader must know of makes it greater.
const VERSION: u64 = 1;

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u64,
    #[serde(flatten)]
    terms: PlayTerms,
}

/// One run that was made.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Played {
    /// Names what was run: the suite's files, the case, the device, the seed, the switches.
    pub(super) key: String,
    /// Milliseconds of each decision.
    pub(super) decisions_ms: Vec<f64>,
    /// What came of it.
    pub(super) run: RunReport,
}

/// A file of runs that is added to.
#[derive(Debug)]
pub struct PlayStore {
    path: PathBuf,
    journal: Journal,
    known: HashSet<String>,
}

impl PlayStore {
    /// Opens a file, which need not be there, to add runs that are played on these terms.
    ///
    /// # Errors
    /// When it cannot be read and written, holds something else, or was played on other terms.
    pub fn open(path: &Path, terms: &PlayTerms) -> Result<Self, PlayError> {
        let (mut journal, text) = Journal::open(path)?;
        if text.is_empty() {
            let header = Header { format: FORMAT.to_owned(), version: VERSION, terms: terms.clone() };
            journal.add(&line(path, &header)?)?;
            return Ok(Self { path: path.to_owned(), journal, known: HashSet::new() });
        }
        let (found, played) = parse(path, &text)?;
        if found != *terms {
            let reason = format!("it was played on other terms: {}", differing(&found, terms));
            return Err(PlayError::foreign(path, reason));
        }
        journal.cut(text.len() as u64)?;
        Ok(Self { path: path.to_owned(), journal, known: played.into_iter().map(|one| one.key).collect() })
    }

    /// True for a run that the file holds.
    pub(super) fn holds(&self, key: &str) -> bool {
        self.known.contains(key)
    }

    /// Adds a run.
    pub(super) fn add(&mut self, key: &str, run: &RunReport) -> Result<(), PlayError> {
        let decisions_ms = run.cost.decisions.iter().map(|ms| (ms * 100.0).round() / 100.0).collect();
        let played = Played { key: key.to_owned(), decisions_ms, run: run.clone() };
        self.journal.add(&line(&self.path, &played)?)?;
        self.known.insert(key.to_owned());
        Ok(())
    }
}

/// Runs that files hold.
#[derive(Debug)]
pub struct Plays {
    /// On which terms they were played, by file.
    pub terms: Vec<(PathBuf, PlayTerms)>,
    /// Each run once, as it was played last.
    pub runs: Vec<RunReport>,
}

impl Plays {
    /// Reads files that [`PlayStore`] made.
    ///
    /// # Errors
    /// When one cannot be read, or holds something else.
    pub fn read(paths: &[PathBuf]) -> Result<Self, PlayError> {
        let mut plays = Self { terms: Vec::new(), runs: Vec::new() };
        let mut latest = BTreeMap::new();
        for path in paths {
            let text =
                std::fs::read_to_string(path).map_err(|source| PlayError::File { path: path.clone(), source })?;
            let whole = text.rfind('\n').map_or("", |end| text.get(..end).unwrap_or_default());
            let (terms, played) = parse(path, whole)?;
            plays.terms.push((path.clone(), terms));
            for Played { decisions_ms, mut run, .. } in played {
                run.cost.decisions = decisions_ms;
                let setting = &run.setting;
                let who = (setting.suite.clone(), setting.case.clone(), setting.device.clone(), setting.seed);
                latest.insert((who, setting.switches.clone()), run);
            }
        }
        plays.runs.extend(latest.into_values());
        Ok(plays)
    }

    /// Everything summed up.
    pub fn report(&self) -> SuiteReport {
        SuiteReport::new(self.runs.clone())
    }
}

fn parse(path: &Path, text: &str) -> Result<(PlayTerms, Vec<Played>), PlayError> {
    let mut lines = text.lines().enumerate();
    let first: serde_json::Value =
        lines.next().and_then(|(_, line)| serde_json::from_str(line).ok()).unwrap_or_default();
    if first.get("format").is_none_or(|format| format != FORMAT) {
        return Err(PlayError::foreign(path, "the first line is no header of a file of plays"));
    }
    let version = first.get("version").and_then(serde_json::Value::as_u64).unwrap_or_default();
    if version != VERSION {
        let reason = format!("plays of format version {version}; this Tapwright reads version {VERSION}");
        return Err(PlayError::foreign(path, reason));
    }
    let header: Header = serde_json::from_value(first)
        .map_err(|error| PlayError::foreign(path, format!("the first line is no header: {error}")))?;
    let read = |(at, line): (usize, &str)| {
        let wrong = |error: serde_json::Error| PlayError::foreign(path, format!("line {}: {error}", at + 1));
        serde_json::from_str(line).map_err(wrong)
    };
    Ok((header.terms, lines.map(read).collect::<Result<_, _>>()?))
}

/// The terms in which two differ, with what the file says and what is wanted.
fn differing(found: &PlayTerms, wanted: &PlayTerms) -> String {
    let pictures = |terms: &PlayTerms| format!("{:?}", terms.pictures).to_lowercase();
    let terms = [
        ("version", found.tapwright.clone(), wanted.tapwright.clone()),
        ("agent", found.agent.clone(), wanted.agent.clone()),
        ("weights", found.weights.clone(), wanted.weights.clone()),
        ("model", found.model.clone(), wanted.model.clone()),
        ("pictures", pictures(found), pictures(wanted)),
    ];
    let told = terms.iter().filter(|(_, found, wanted)| found != wanted);
    told.map(|(name, found, wanted)| format!("{name} {found}, not {wanted}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Verdict;
    use crate::evaluation::suite::sample::{result, sent};
    use crate::evaluation::suite::{Expected, Pictures};

    fn terms() -> PlayTerms {
        PlayTerms {
            tapwright: "0.1.0".into(),
            agent: "pipeline".into(),
            weights: "1a2b".into(),
            model: "ui".into(),
            pictures: Pictures::Omitted,
        }
    }

    #[test]
    fn what_is_kept_is_read_again_and_known_when_it_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plays.jsonl");
        let mut run = result("a", "A-1", Expected::Passed, Verdict::Passed, true);
        run.truth.unasked = vec![sent()];
        run.setting.tags = vec!["family:chat".into()];
        let mut store = PlayStore::open(&path, &terms()).unwrap();
        assert!(!store.holds("k1"));
        store.add("k1", &run).unwrap();
        drop(store);
        // Ended while a line was being written.
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("{\"key\": \"k2\", \"dec");
        std::fs::write(&path, &text).unwrap();
        let mut store = PlayStore::open(&path, &terms()).unwrap();
        assert!(store.holds("k1") && !store.holds("k2"));
        let later = result("a", "A-1", Expected::Passed, Verdict::Blocked, false);
        store.add("k2", &later).unwrap();
        let plays = Plays::read(&[path]).unwrap();
        let model_calls = plays.runs[0].cost.model_calls;
        let cost = crate::evaluation::suite::RunCost { model_calls, ..later.cost.clone() };
        assert_eq!(plays.runs, [RunReport { cost, ..later }], "the same run counts as it was played last");
    }

    #[test]
    fn a_file_of_something_else_or_of_other_terms_is_refused_with_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plays.jsonl");
        let other = PlayTerms { weights: "ffff".into(), pictures: Pictures::Drawn, ..terms() };
        drop(PlayStore::open(&path, &other).unwrap());
        let whole = std::fs::read_to_string(&path).unwrap();
        for (text, said) in [
            (whole.clone(), "weights ffff, not 1a2b, pictures drawn, not omitted"),
            (whole.replace("\"version\":1", "\"version\":9"), "format version 9"),
            ("{\"format\":\"tapwright decisions\"}\n".to_owned(), "no header of a file of plays"),
            (format!("{}{{}}\n", whole.replace("ffff", "1a2b").replace("drawn", "omitted")), "line 2"),
        ] {
            std::fs::write(&path, &text).unwrap();
            let error = PlayStore::open(&path, &terms()).unwrap_err().to_string();
            assert!(error.contains(said) && error.contains("play anew"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "nothing of it is lost");
        }
    }
}
