//! Many runs on one page: what did not pass by its cause, and every case with its latest run.

use super::ReportError;
use super::error::write_whole;
use super::words::{duration, plain_line};
use crate::domain::RunResult;
use minijinja::{Environment, Value, context};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// The page and its style. The ending of the first name switches automatic escaping on.
const TEMPLATES: [(&str, &str); 2] =
    [("index.html", include_str!("page/index.html")), ("run.css", include_str!("page/run.css"))];

/// Words for how a case ended, in the order they are counted.
const VERDICTS: [&str; 7] = ["failed", "flaky", "blocked", "error", "not run", "repaired", "passed"];

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

/// A case as the page shows it.
#[derive(Debug, Clone, Default)]
pub struct IndexedCase {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// How it ended, in a word.
    pub verdict: String,
    /// Why; empty for a pass there is nothing to say of.
    pub reason: String,
    /// The device of the run that tells most.
    pub device: String,
    /// How long it took, in milliseconds.
    pub took_ms: f64,
    /// RFC 3339, UTC; empty where it is not known.
    pub started_at: String,
    /// The report of the run that tells most; absolute, or relative to the same folder as the page. None where nothing was run.
    pub report: Option<PathBuf>,
    /// How its runs ended, the latest last.
    pub past: Vec<String>,
}

impl IndexedCase {
    /// Nothing has to be done about it.
    fn is_good(&self) -> bool {
        matches!(self.verdict.as_str(), "passed" | "repaired")
    }
}

/// Writes the page of all runs under `folders` (`<case>/<run>/result.json`), whole or not at all; gives how many there are.
pub fn write_index(path: &Path, folders: &[PathBuf]) -> Result<usize, ReportError> {
    let mut runs: Vec<Found> = folders.iter().flat_map(|folder| found(folder)).collect();
    // Ids of runs sort by the time they began.
    runs.sort_by(|one, other| other.result.run_id.as_str().cmp(one.result.run_id.as_str()));
    runs.dedup_by(|one, other| one.result.run_id == other.result.run_id);
    let cases = latest(&runs);
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let (of_cases, of_runs) = (cases.len(), runs.len());
    let heading = format!("{of_cases} case{}, latest of {of_runs} run{}", plural(of_cases), plural(of_runs));
    write_page(path, &heading, &[], &cases)?;
    Ok(runs.len())
}

/// Writes a page of cases that were judged already, whole or not at all; `notes` are told below its heading.
pub fn write_page(path: &Path, heading: &str, notes: &[String], cases: &[IndexedCase]) -> Result<(), ReportError> {
    let base = path.parent().unwrap_or(Path::new(""));
    write_whole(path, render(cases, (heading, notes), base)?.as_bytes())
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

/// Every case by its latest run; the runs come latest first.
fn latest(runs: &[Found]) -> Vec<IndexedCase> {
    let mut cases: BTreeMap<&str, IndexedCase> = BTreeMap::new();
    for Found { result, title, started_at, folder } in runs {
        let case = cases.entry(result.case_id.as_str()).or_insert_with(|| IndexedCase {
            id: result.case_id.to_string(),
            title: title.clone(),
            verdict: result.verdict.to_string(),
            reason: result.reason.clone(),
            device: result.device.serial.to_string(),
            took_ms: result.timings_ms.total,
            started_at: started_at.clone(),
            report: Some(folder.join("report.html")),
            past: Vec::new(),
        });
        if case.past.len() < SHOWN_RUNS {
            case.past.insert(0, result.verdict.to_string());
        }
    }
    cases.into_values().collect()
}

fn render(cases: &[IndexedCase], (heading, notes): (&str, &[String]), base: &Path) -> Result<String, ReportError> {
    let mut causes: BTreeMap<(&str, String), Vec<&IndexedCase>> = BTreeMap::new();
    for case in cases.iter().filter(|case| !case.is_good()) {
        causes.entry((case.verdict.as_str(), without_numbers(&cause_of(case)))).or_default().push(case);
    }
    let mut clusters: Vec<_> = causes.into_iter().collect();
    clusters.sort_by_key(|(_, cases)| std::cmp::Reverse(cases.len()));
    let clusters: Vec<Value> = clusters
        .into_iter()
        .map(|((verdict, open), cases)| {
            let mut told = cases.iter().map(|case| cause_of(case));
            let first = told.next().unwrap_or_default();
            let cause = if told.all(|other| other == first) { first } else { open };
            let style = style(verdict);
            context! { verdict, style, cause, runs => cases.iter().map(|case| row(case, base)).collect::<Vec<_>>() }
        })
        .collect();
    let of = |verdict: &str| cases.iter().filter(|case| case.verdict == verdict).count();
    let counts: Vec<Value> = VERDICTS
        .into_iter()
        .map(|verdict| context! { verdict, style => style(verdict), count => of(verdict) })
        .collect();
    let cases: Vec<Value> = cases.iter().map(|case| row(case, base)).collect();
    let notes: Vec<String> = notes.iter().map(|note| plain_line(note)).collect();
    let mut environment = Environment::new();
    for (name, text) in TEMPLATES {
        environment.add_template(name, text)?;
    }
    let view = context! { clusters, cases, counts, heading, notes, version => env!("CARGO_PKG_VERSION") };
    Ok(environment.get_template(TEMPLATES[0].0)?.render(view)?)
}

/// A verdict as a name of the style sheet.
fn style(verdict: &str) -> String {
    verdict.replace(' ', "_")
}

fn row(case: &IndexedCase, base: &Path) -> Value {
    context! {
        id => case.id.as_str(),
        title => plain_line(&case.title),
        verdict => case.verdict.as_str(),
        style => style(&case.verdict),
        reason => plain_line(&case.reason),
        is_good => case.is_good(),
        device => case.device.as_str(),
        took => duration(case.took_ms),
        started_at => plain_line(&case.started_at.replace('T', " ").replace('Z', " UTC")),
        report => case.report.as_ref().map(|report| beside(report, base).display().to_string()),
        past => case.past.iter().map(|verdict| style(verdict)).collect::<Vec<_>>(),
    }
}

/// The way from a folder to a file, so that a page still finds its runs where both were copied; the file as it is where they
/// have nothing in common.
fn beside(file: &Path, folder: &Path) -> PathBuf {
    let (file_parts, folder_parts) = (parts(file), parts(folder));
    let common = file_parts.iter().zip(&folder_parts).take_while(|(one, other)| one == other).count();
    // The root alone is nothing in common; where a folder above leads to is not known.
    let unknown = folder_parts.iter().skip(common).any(|part| *part == Component::ParentDir);
    if file.is_absolute() != folder.is_absolute() || (file.is_absolute() && common < 2) || unknown {
        return file.to_owned();
    }
    let up = folder_parts.iter().skip(common).map(|_| Component::ParentDir);
    up.chain(file_parts.iter().skip(common).copied()).collect()
}

fn parts(path: &Path) -> Vec<Component<'_>> {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

/// What a case that went wrong has in common with others: the reason without its step, device and evidence.
fn cause_of(case: &IndexedCase) -> String {
    let reason = plain_line(&case.reason);
    let serial = format!("{}: ", case.device);
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
    use crate::domain::{CaseId, RunId, Verdict};
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
            let device = sample::result().device.serial.to_string();
            let case = IndexedCase { reason: reason.to_owned(), device, ..IndexedCase::default() };
            assert_eq!(without_numbers(&cause_of(&case)), cause);
        }
    }

    #[test]
    fn a_page_of_judged_cases_has_words_of_its_own_and_finds_its_runs_from_where_it_lies() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs/gates/01/index.html");
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let case = |id: &str, verdict: &str, reason: &str| IndexedCase {
            id: id.into(),
            verdict: verdict.into(),
            reason: reason.into(),
            report: Some(folder.path().join("runs").join(id).join("07/report.html")),
            past: vec!["failed".into(), "passed".into()],
            ..IndexedCase::default()
        };
        let not_run = IndexedCase { report: None, ..case("A-3", "not run", "the gate was interrupted") };
        let cases = [case("A-1", "flaky", "passed 1 of 2 tries"), case("A-2", "passed", "proves nothing"), not_run];
        write_page(&path, "3 cases of a gate", &["the gate was <interrupted>".into()], &cases).unwrap();
        let page = std::fs::read_to_string(&path).unwrap();
        for part in [
            "3 cases of a gate",
            "the gate was &lt;interrupted&gt;",
            "1 flaky",
            "v-not_run",
            "href=\"..&#x2f;..&#x2f;A-1&#x2f;07&#x2f;report.html\"",
            "proves nothing",
        ] {
            assert!(page.contains(part), "{part:?} is not in {page}");
        }
        assert!(!page.contains("A-3&#x2f;07"), "nothing was run");
        assert_eq!(page.matches("class=\"card cluster\"").count(), 2);
        assert_eq!(beside(Path::new("/a/b"), Path::new("/c/d")), Path::new("/a/b"));
        assert_eq!(beside(Path::new("runs/A/r.html"), Path::new("runs")), Path::new("A/r.html"));
    }
}
