//! A recorded task as a case, so that the agent reads it as it reads any other.

use super::scoring::budget;
use super::{EvaluationError, Mode};
use crate::case::{Case, Rewriter};
use crate::recorded::{RecordedApp, Task};
use crate::run::PlannedCase;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

/// Time never decides how a task ends; this only ends an agent that would never end.
const LONG: &str = "1h";

/// Plans the task: its goal as one instruction, or its steps.
pub(super) fn planned(
    app: &RecordedApp,
    task: &Task,
    mode: Mode,
    rewriter: &Rewriter,
) -> Result<PlannedCase, EvaluationError> {
    let failed = |reason: String| EvaluationError::Task { id: task.id.clone(), reason };
    let mut form = json!({
        "id": plain_id(task),
        "title": task.goal.trim(),
        "app": {"package": app.info.package},
        "params": task.params,
        "budget": {"actions": budget(task), "time": LONG},
    });
    match mode {
        Mode::Goal => form["goal"] = json!(task.goal.replace("${", "$ {")),
        Mode::Steps => form["steps"] = task.steps.iter().map(|step| json!(step.instruction)).collect(),
    }
    // JSON is YAML.
    let case = Case::parse(Path::new("tasks.jsonl"), &form.to_string()).map_err(|error| failed(error.to_string()))?;
    PlannedCase::new(&case, rewriter, &BTreeMap::new()).map_err(|error| failed(error.to_string()))
}

/// The task's id in the letters that a case's id may have.
pub(super) fn plain_id(task: &Task) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '_' };
    task.id.chars().map(plain).collect::<String>().trim_start_matches('.').to_owned()
}
