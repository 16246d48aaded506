//! A run that did not pass beside the last one of its case that did: how far both went the same way, and what is shown at the
//! end now and was not then.

use super::thumbnail::Album;
use super::words::{duration, plain_line};
use crate::domain::{RunResult, Verdict};
use crate::hierarchy::parse;
use crate::run::{Done, History, read_artifact};
use minijinja::{Value, context};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Texts of each kind that are shown.
const MOST_TEXTS: usize = 12;

/// What is asked of an earlier run.
#[derive(Deserialize)]
struct Earlier {
    #[serde(flatten)]
    result: RunResult,
    #[serde(default)]
    started_at: String,
}

/// The comparison; `None` where the run passed or none before it did. `folder` is the run's own, whose neighbours are the
/// other runs of the case.
pub(super) fn last_pass(folder: &Path, result: Option<&RunResult>) -> Option<Value> {
    let result = result.filter(|result| result.verdict != Verdict::Passed)?;
    let (earlier_folder, earlier) = find(folder, result)?;
    // A recording that cannot be read is nothing to compare with.
    let (now, then) = (History::read(folder).ok()?, History::read(&earlier_folder).ok()?);
    let shared = same_way(&now, &then);
    let parted = now.actions.get(shared).or(then.actions.get(shared));
    let (shown_now, shown_then) = (last_texts(folder, &now), last_texts(&earlier_folder, &then));
    let only = |one: &[String], other: &[String]| -> Vec<String> {
        one.iter().filter(|text| !other.contains(text)).take(MOST_TEXTS).cloned().collect()
    };
    let mut album = Album::new(&earlier_folder);
    let picture = then.screens.iter().rev().find_map(|screen| screen.screenshot.as_deref());
    let picture = picture.and_then(|name| album.get(name).map(|thumbnail| thumbnail.uri));
    Some(context! {
        run_id => earlier.result.run_id.as_str(),
        started_at => plain_line(&earlier.started_at),
        shared,
        all => then.actions.len(),
        step => parted.map(|done| done.step),
        then_did => then.actions.get(shared).map(words),
        now_did => now.actions.get(shared).map(words),
        gone => only(&shown_then, &shown_now),
        new => only(&shown_now, &shown_then),
        took_then => duration(earlier.result.timings_ms.total),
        took_now => duration(result.timings_ms.total),
        picture,
    })
}

/// The latest run before this one that passed.
fn find(folder: &Path, result: &RunResult) -> Option<(PathBuf, Earlier)> {
    let entries = std::fs::read_dir(folder.parent()?).ok()?;
    let mut runs: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    // Ids of runs sort by the time they began.
    runs.sort();
    let before = |run: &&PathBuf| {
        run.file_name().and_then(|name| name.to_str()).is_some_and(|name| name < result.run_id.as_str())
    };
    runs.iter().rev().filter(before).find_map(|run| {
        let text = std::fs::read(run.join("result.json")).ok()?;
        let earlier: Earlier = serde_json::from_slice(&text).ok()?;
        (earlier.result.verdict == Verdict::Passed).then(|| (run.clone(), earlier))
    })
}

/// How many actions both did alike from the beginning.
fn same_way(now: &History, then: &History) -> usize {
    now.actions.iter().zip(&then.actions).take_while(|(now, then)| words(now) == words(then)).count()
}

/// What was done, as far as it is the same on another day: skill, what it was aimed at, what was typed.
fn words(done: &Done) -> String {
    let told = |value: &serde_json::Value| value.as_str().map(plain_line).unwrap_or_default();
    let action = &done.action;
    let text = match &action["text"] {
        text @ serde_json::Value::String(_) => told(text),
        text => told(&text["plain"]),
    };
    let parts = [told(&action["skill"]), told(&action["target"]["label"]), text];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Everything the last screen says.
fn last_texts(folder: &Path, history: &History) -> Vec<String> {
    let Some(last) = history.screens.last() else { return Vec::new() };
    let Ok(dump) = read_artifact(folder, &last.hierarchy) else { return Vec::new() };
    let mut texts: Vec<String> = Vec::new();
    for node in parse(&dump).nodes.into_iter().filter(|node| !node.invisible) {
        for text in [node.text, node.content_desc].iter().map(|text| plain_line(text)) {
            if !text.is_empty() && !texts.contains(&text) {
                texts.push(text);
            }
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use serde_json::json;

    fn node(text: &str) -> String {
        format!(
            "<hierarchy rotation=\"0\"><node index=\"0\" text=\"{text}\" resource-id=\"\" class=\"android.widget.TextView\" \
             package=\"a.b\" content-desc=\"\" enabled=\"true\" bounds=\"[0,0][100,100]\" /></hierarchy>"
        )
    }

    /// A run's folder with two actions and one screen.
    fn run(case: &Path, id: &str, verdict: &str, second: &str, shown: &str) -> PathBuf {
        let folder = case.join(id);
        std::fs::create_dir_all(folder.join("screens")).unwrap();
        let mut result = serde_json::to_value(sample::result()).unwrap();
        (result["run_id"], result["verdict"]) = (json!(id), json!(verdict));
        result["started_at"] = json!("2031-02-03T04:05:06Z");
        std::fs::write(folder.join("result.json"), result.to_string()).unwrap();
        std::fs::write(folder.join("screens/a.xml"), node(shown)).unwrap();
        let acted = |label: &str| {
            json!({"event": "acted", "step": 1, "valid": true, "source": "script",
                   "action": {"skill": "click", "target": {"label": label}}})
        };
        let seen = json!({"event": "screen_observed", "screen": {"hierarchy": "screens/a.xml"}});
        let events = [seen.clone(), acted("Bills"), seen.clone(), acted(second), seen];
        let lines: Vec<String> = events.iter().map(ToString::to_string).collect();
        std::fs::write(folder.join("events.jsonl"), lines.join("\n")).unwrap();
        folder
    }

    #[test]
    fn the_last_pass_tells_where_the_ways_part_and_what_is_shown_now() {
        let case = tempfile::tempdir().unwrap();
        run(case.path(), "01", "passed", "Old", "long ago");
        run(case.path(), "02", "passed", "Pay", "Paid");
        run(case.path(), "03", "failed", "Pay", "Refused");
        let now = run(case.path(), "04", "failed", "Cancel", "Refused");
        run(case.path(), "05", "passed", "Pay", "Paid");
        let mut result = sample::result();
        result.run_id = crate::domain::RunId::new("04");
        let told = last_pass(&now, Some(&result)).unwrap();
        let get = |name: &str| told.get_attr(name).unwrap().to_string();
        assert_eq!(get("run_id"), "02", "the last one before it");
        assert_eq!(
            (get("shared"), get("then_did"), get("now_did")),
            ("1".into(), "click Pay".into(), "click Cancel".into())
        );
        assert_eq!((get("gone"), get("new")), ("['Paid']".into(), "['Refused']".into()));
        result.run_id = crate::domain::RunId::new("01");
        assert!(last_pass(&now, Some(&result)).is_none(), "nothing before it passed");
        result.verdict = Verdict::Passed;
        assert!(last_pass(&now, Some(&result)).is_none(), "a pass needs no comparison");
    }
}
