//! Many runs on one page: what did not pass by its cause, and every case with its latest run.

use super::ReportError;
use super::error::write_whole;
use super::words::{duration, plain_line};
use crate::domain::{RunResult, Verdict};
use minijinja::{Environment, Value, context};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The page and its style. The ending of the first name switches automatic escaping on.
const TEMPLATES: [(&str, &str); 2] =
    [("index.html", include_str!("page/index.html")), ("run.css", include_str!("page/run.css"))];

/// Runs of a case that the page shows.
const SHOWN_RUNS: usize = 14;

/// A run that was found.
#[derive(Debug, Deserialize)]
struct Found {
    #[serde(flatten)]
    result: RunResult,
    /// Absent in results of older builds.
    #[serde(default)]
    title: String,
    #[serde(default)]
    started_at: String,
    /// Its folder.
    #[serde(skip)]
    folder: PathBuf,
}

/// Writes the page of all runs under `folders` (`<case>/<run>/result.json`), whole or not at all; gives how many there are.
pub fn write_index(path: &Path, folders: &[PathBuf]) -> Result<usize, ReportError> {
    let base = path.parent().unwrap_or(Path::new(""));
    let mut runs: Vec<Found> = folders.iter().flat_map(|folder| found(folder)).collect();
    // Ids of runs sort by the time they began.
    runs.sort_by(|one, other| other.result.run_id.as_str().cmp(one.result.run_id.as_str()));
    runs.dedup_by(|one, other| one.result.run_id == other.result.run_id);
    write_whole(path, render(&runs, base)?.as_bytes())?;
    Ok(runs.len())
}

/// The runs under a folder; what is not complete or not readable is left out.
fn found(folder: &Path) -> Vec<Found> {
    let inside = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        entries.filter_map(|entry| Some(entry.ok()?.path())).collect::<Vec<_>>()
    };
    let runs = inside(folder).into_iter().flat_map(|case| inside(&case));
    runs.filter_map(|run| {
        let text = std::fs::read(run.join("result.json")).ok()?;
        let told = serde_json::from_slice::<Found>(&text);
        let known = told.inspect_err(|error| tracing::warn!("{}: {error}", run.display())).ok()?;
        Some(Found { folder: run, ..known })
    })
    .collect()
}

fn render(runs: &[Found], base: &Path) -> Result<String, ReportError> {
    let mut latest: BTreeMap<&str, &Found> = BTreeMap::new();
    let mut history: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut causes: BTreeMap<(String, String), Vec<&Found>> = BTreeMap::new();
    for run in runs {
        let id = run.result.case_id.as_str();
        let past = history.entry(id).or_default();
        past.push(run.result.verdict.to_string());
        // The runs come latest first; what passed since is no trouble any more.
        if latest.contains_key(id) {
            continue;
        }
        latest.insert(id, run);
        if run.result.verdict != Verdict::Passed {
            causes
                .entry((run.result.verdict.to_string(), without_numbers(&cause_of(&run.result))))
                .or_default()
                .push(run);
        }
    }
    let mut clusters: Vec<_> = causes.into_iter().collect();
    clusters.sort_by_key(|(_, runs)| std::cmp::Reverse(runs.len()));
    let clusters: Vec<Value> = clusters
        .into_iter()
        .map(|((verdict, open), runs)| {
            let mut told = runs.iter().map(|run| cause_of(&run.result));
            let first = told.next().unwrap_or_default();
            let cause = if told.all(|other| other == first) { first } else { open };
            context! { verdict, cause, runs => runs.iter().map(|run| row(run, base)).collect::<Vec<_>>() }
        })
        .collect();
    let cases: Vec<Value> = latest
        .iter()
        .map(|(id, run)| {
            let mut past: Vec<String> = history.get(id).into_iter().flatten().take(SHOWN_RUNS).cloned().collect();
            past.reverse();
            context! { past, ..row(run, base) }
        })
        .collect();
    let of = |verdict: Verdict| latest.values().filter(|run| run.result.verdict == verdict).count();
    let counts: Vec<Value> = [Verdict::Failed, Verdict::Blocked, Verdict::Error, Verdict::Passed]
        .into_iter()
        .map(|verdict| context! { verdict => verdict.to_string(), count => of(verdict) })
        .collect();
    let mut environment = Environment::new();
    for (name, text) in TEMPLATES {
        environment.add_template(name, text)?;
    }
    let view = context! { clusters, cases, counts, runs => runs.len(), version => env!("CARGO_PKG_VERSION") };
    Ok(environment.get_template(TEMPLATES[0].0)?.render(view)?)
}

fn row(run: &Found, base: &Path) -> Value {
    let report = run.folder.join("report.html");
    let result = &run.result;
    context! {
        id => result.case_id.as_str(),
        title => plain_line(&run.title),
        verdict => result.verdict.to_string(),
        reason => plain_line(&result.reason),
        device => result.device.serial.to_string(),
        took => duration(result.timings_ms.total),
        started_at => plain_line(&run.started_at.replace('T', " ").replace('Z', " UTC")),
        report => report.strip_prefix(base).unwrap_or(&report).display().to_string(),
    }
}

/// What a run that went wrong has in common with others: the reason without its step, device and evidence.
fn cause_of(result: &RunResult) -> String {
    let reason = plain_line(&result.reason);
    let serial = format!("{}: ", result.device.serial);
    let mut said = reason.as_str();
    if let Some((step, rest)) = said.split_once(": ")
        && step.starts_with("step ")
    {
        said = rest;
    }
    said = said.strip_prefix(serial.as_str()).unwrap_or(said);
    if let Some((crash, _)) = said.split_once(" (").filter(|_| said.starts_with("the app ")) {
        said = crash;
    }
    let end = [": not on the screen", " was not seen (", "; "].iter().filter_map(|mark| said.find(mark)).min();
    end.and_then(|end| said.get(..end)).unwrap_or(said).to_owned()
}

/// A cause with its numbers left open: `paid $#.#`.
fn without_numbers(said: &str) -> String {
    let mut cause = String::new();
    for letter in said.chars() {
        match letter {
            '0'..='9' if cause.ends_with('#') => {}
            '0'..='9' => cause.push('#'),
            other => cause.push(other),
        }
    }
    cause
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{CaseId, RunId};
    use crate::report::sample;

    fn put(folder: &Path, id: &str, run: &str, verdict: Verdict, reason: &str) {
        let path = folder.join(id).join(run);
        std::fs::create_dir_all(&path).unwrap();
        let (case_id, run_id) = (CaseId::new(id).unwrap(), RunId::new(run));
        let result = RunResult { case_id, run_id, verdict, reason: reason.to_owned(), ..sample::result() };
        std::fs::write(path.join("result.json"), serde_json::to_string(&result).unwrap()).unwrap();
    }

    #[test]
    fn runs_of_several_folders_are_one_page_with_clusters_by_cause() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        put(&one, "A-1", "03", Verdict::Failed, "the app crashed: <b>Oops</b> at 17 (and went on)");
        put(&one, "A-1", "01", Verdict::Passed, "");
        put(&two, "A-2", "02", Verdict::Failed, "the app crashed: <b>Oops</b> at 4 (step 2: nothing fits)");
        put(&two, "A-3", "05", Verdict::Passed, "");
        put(&two, "A-3", "04", Verdict::Blocked, "step 1: nothing fits");
        std::fs::create_dir_all(two.join("A-4/06.partial")).unwrap();
        let path = folder.path().join("index.html");
        assert_eq!(write_index(&path, &[one.clone(), two, one]).unwrap(), 5);
        let page = std::fs::read_to_string(&path).unwrap();
        assert_eq!(page.matches("class=\"card cluster\"").count(), 1, "what passed since is no trouble");
        assert!(page.contains("the app crashed: &lt;b&gt;Oops&lt;&#x2f;b&gt; at #"), "{page}");
        assert!(page.contains("href=\"one&#x2f;A-1&#x2f;03&#x2f;report.html\"") && !page.contains("<b>Oops"));
    }

    #[test]
    fn a_cause_leaves_out_what_differs_from_run_to_run() {
        for (reason, cause) in [
            ("step 2: 127.0.0.1:6001: 3 dumps ended", "# dumps ended"),
            ("step 3: nothing on the screen fits \"Pay\"; nearest is x", "nothing on the screen fits \"Pay\""),
            ("expected visible: Total $6.40: not on the screen \"Cart\"; it shows", "expected visible: Total $#.#"),
        ] {
            let result = RunResult { reason: reason.to_owned(), ..sample::result() };
            assert_eq!(without_numbers(&cause_of(&result)), cause);
        }
    }
}
