//! Makes the runs and gives the lessons that a file does not hold yet, on several threads.

use super::examples::ExampleStore;
use super::journal::{PlayError, PlayTerms};
use super::store::PlayStore;
use crate::domain::Verdict;
use crate::evaluation::suite::examination::trials;
use crate::evaluation::suite::lesson::{Lessons, lessons_of};
use crate::evaluation::suite::{Examination, Pictures, RunReport, Selection, Suite};
use crate::run::Judgement;
use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tokio::runtime::Handle;

/// Bytes of a thread's stack: a run of the agent is one deep future.
const STACK: usize = 16 << 20;

/// One step of the work, for a progress bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// So many runs or lessons are wanted, of which the file holds so many.
    Begun {
        /// Wanted.
        wanted: usize,
        /// Held.
        known: usize,
    },
    /// One more is done.
    Done {
        /// Decisions in it.
        decisions: usize,
    },
}

/// What is played how fast.
pub struct Pace<'a> {
    /// Threads.
    pub threads: NonZeroUsize,
    /// Hears of each step.
    pub progress: &'a (dyn Fn(Step) + Sync),
}

impl Pace<'_> {
    /// Leaves out what a file holds, and tells how much there is to do.
    fn leave_out_known<J>(&self, wanted: &mut Vec<(String, J)>, holds: impl Fn(&str) -> bool) {
        let all = wanted.len();
        wanted.retain(|(key, _)| !holds(key));
        (self.progress)(Step::Begun { wanted: all, known: all - wanted.len() });
    }
}

impl Examination<'_> {
    /// Makes every run that `selection` takes and `store` does not hold, and keeps it there. Must be called within a Tokio runtime
    /// and keeps the calling thread busy.
    ///
    /// # Errors
    /// When a run cannot even begin, or the file cannot be written. What was played until then is kept.
    pub fn play(
        &self,
        suites: &[Suite],
        selection: &Selection,
        store: &mut PlayStore,
        pace: &Pace<'_>,
    ) -> Result<(), PlayError> {
        let digests = digests(suites)?;
        let mut wanted = Vec::new();
        for trial in trials(suites, selection) {
            let digest = digests.get(&trial.suite.folder).map(String::as_str).unwrap_or_default();
            let (device, switches) = (trial.device.to_string(), trial.run.switches.join(" "));
            wanted.push((key(&[digest, trial.case.id.as_str(), &device, &trial.seed.to_string(), &switches]), trial));
        }
        pace.leave_out_known(&mut wanted, |key| store.holds(key));
        let store = Mutex::new(store);
        self.spread(pace, &wanted, async |(key, trial)| {
            let run = trial.to_the_end(self).await?;
            if self.cancel.is_cancelled() && run.verdict != Verdict::Passed {
                // Broken off: it would have ended otherwise.
                return Ok(());
            }
            store.lock().unwrap_or_else(PoisonError::into_inner).add(key, &run)?;
            (pace.progress)(Step::Done { decisions: decisions(&run) });
            Ok(())
        })
    }

    /// Gives every lesson that `selection` takes and `store` does not hold, and keeps its decisions there. As [`Self::play`].
    ///
    /// # Errors
    /// When a walkthrough, a case or an app makes no sense, or the file cannot be written.
    pub fn collect(
        &self,
        suites: &[Suite],
        selection: &Selection,
        store: &mut ExampleStore,
        pace: &Pace<'_>,
    ) -> Result<(), PlayError> {
        let digests = digests(suites)?;
        let mut wanted = Vec::new();
        for lesson in lessons_of(suites, selection) {
            let digest = digests.get(&lesson.suite.folder).map(String::as_str).unwrap_or_default();
            wanted.push((key(&[digest, lesson.case.id.as_str()]), lesson));
        }
        pace.leave_out_known(&mut wanted, |key| store.holds(key));
        let store = Mutex::new(store);
        self.spread(pace, &wanted, async |(key, lesson)| {
            let Lessons { examples, astray, stopped } = lesson.give(self).await?;
            let decisions = examples.len() + astray.len();
            let why = stopped.into_iter().map(|(_, why)| why).next();
            let case = lesson.case.id.as_str();
            let all = examples.iter().chain(&astray);
            store.lock().unwrap_or_else(PoisonError::into_inner).add(key, case, all, why)?;
            (pace.progress)(Step::Done { decisions });
            Ok(())
        })
    }

    /// Does jobs until they are done, one fails or somebody interrupts.
    fn spread<J: Sync>(
        &self,
        pace: &Pace<'_>,
        jobs: &[J],
        work: impl AsyncFn(&J) -> Result<(), PlayError> + Sync,
    ) -> Result<(), PlayError> {
        let runtime = Handle::current();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(pace.threads.get()).stack_size(STACK).build()?;
        pool.install(|| {
            jobs.par_iter().with_max_len(1).try_for_each(|job| {
                if self.cancel.is_cancelled() {
                    return Ok(());
                }
                runtime.block_on(work(job))
            })
        })
    }
}

/// How many decisions a run took.
fn decisions(run: &RunReport) -> usize {
    run.cost.decisions.len()
}

/// What the files of each suite hold, by its folder.
fn digests(suites: &[Suite]) -> Result<BTreeMap<PathBuf, String>, PlayError> {
    let of = |suite: &Suite| Ok((suite.folder.clone(), hex(&folder_digest(&suite.folder)?.finalize())));
    suites.iter().map(of).collect()
}

/// A digest over the names and contents of all files below a folder.
fn folder_digest(folder: &Path) -> Result<Sha256, PlayError> {
    let mut digest = Sha256::new();
    let mut open = vec![folder.to_owned()];
    let mut files = Vec::new();
    let wrong = |path: &Path| {
        let path = path.to_owned();
        move |source| PlayError::File { path, source }
    };
    while let Some(inside) = open.pop() {
        for entry in std::fs::read_dir(&inside).map_err(wrong(&inside))? {
            let path = entry.map_err(wrong(&inside))?.path();
            if path.is_dir() { open.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    for path in files {
        let content = std::fs::read(&path).map_err(wrong(&path))?;
        let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
        digest.update((name.len() as u64).to_le_bytes());
        digest.update(name);
        digest.update((content.len() as u64).to_le_bytes());
        digest.update(content);
    }
    Ok(digest)
}

/// A short name for all of these together.
fn key(parts: &[&str]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    hex(&digest.finalize())
}

impl PlayTerms {
    /// What an agent plays on, with its looks like this.
    pub fn of(judgement: &Judgement, pictures: Pictures) -> Self {
        let weights: Vec<String> = judgement.knowledge.weights.values().iter().map(ToString::to_string).collect();
        let faults = judgement.knowledge.faults.digest();
        let weights: Vec<&str> = weights.iter().map(String::as_str).chain([faults.as_str()]).collect();
        Self {
            tapwright: env!("CARGO_PKG_VERSION").to_owned(),
            agent: "pipeline".to_owned(),
            weights: key(&weights),
            model: judgement.embedder.name().to_owned(),
            pictures,
        }
    }
}

/// The first eight bytes in hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_that_was_changed_is_another_one() {
        let folder = tempfile::tempdir().unwrap();
        let digest = || hex(&folder_digest(folder.path()).unwrap().finalize());
        std::fs::create_dir(folder.path().join("cases")).unwrap();
        std::fs::write(folder.path().join("cases/A.case.yaml"), "one").unwrap();
        let first = digest();
        assert_eq!(first, digest());
        std::fs::write(folder.path().join("cases/A.case.yaml"), "two").unwrap();
        let changed = digest();
        std::fs::rename(folder.path().join("cases/A.case.yaml"), folder.path().join("cases/B.case.yaml")).unwrap();
        assert_eq!(std::collections::BTreeSet::from([first, changed, digest()]).len(), 3);
    }

    #[test]
    fn parts_are_told_apart() {
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
        assert_eq!(key(&["a", "b"]).len(), 16);
    }
}
