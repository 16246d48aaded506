//! A run read back from its recording: the screens seen, in order, and what was done between them.

use super::export::ExportError;
use crate::domain::ActionSource;
use crate::recorded::Note;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A screen of the run.
#[derive(Debug, Clone)]
pub struct SeenScreen {
    /// Its dump, relative to the run's folder.
    pub hierarchy: String,
    /// Its picture, where one was taken.
    pub screenshot: Option<String>,
    /// `package/activity` in front, where known.
    pub foreground: Option<String>,
}

/// Something the run did.
#[derive(Debug, Clone)]
pub struct Done {
    /// The screen it was done on.
    pub from: usize,
    /// The step it belongs to.
    pub step: usize,
    /// It had its effect.
    pub valid: bool,
    /// Who chose it, where the event says so.
    pub source: Option<ActionSource>,
    /// The action, as events show it.
    pub action: Value,
}

/// A step the run began.
#[derive(Debug, Clone)]
pub struct BegunStep {
    /// Its number, from 1.
    pub number: usize,
    /// As the case has it.
    pub instruction: String,
    /// As the agent read it.
    pub rewritten: String,
}

/// A run.
#[derive(Debug)]
pub struct History {
    /// Its case.
    pub case_id: String,
    /// The case's title.
    pub title: String,
    /// It passed.
    pub passed: bool,
    /// Every screen, in order.
    pub screens: Vec<SeenScreen>,
    /// Every action, in order.
    pub actions: Vec<Done>,
    /// Every step begun, in order.
    pub steps: Vec<BegunStep>,
    /// Lines that were left out.
    pub notes: Vec<Note>,
}

impl History {
    /// Reads a run's folder.
    ///
    /// # Errors
    /// Its events cannot be read, or tell of no screen.
    pub fn read(folder: &Path) -> Result<Self, ExportError> {
        let path: PathBuf = folder.join("events.jsonl");
        let text = std::fs::read_to_string(&path)
            .map_err(|error| ExportError::Run { run: folder.to_owned(), reason: error.to_string() })?;
        let mut history = Self {
            case_id: String::new(),
            title: String::new(),
            passed: false,
            screens: Vec::new(),
            actions: Vec::new(),
            steps: Vec::new(),
            notes: Vec::new(),
        };
        let mut chosen_on = None;
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            match serde_json::from_str::<Value>(line) {
                Ok(event) => history.event(&event, &mut chosen_on),
                Err(error) => history.notes.push(Note {
                    file: path.display().to_string(),
                    line: Some(index + 1),
                    reason: format!("this line was left out: {error}"),
                    lost: true,
                }),
            }
        }
        if history.screens.is_empty() {
            let reason = "it saw no screen, or its events are damaged".to_owned();
            return Err(ExportError::Run { run: folder.to_owned(), reason });
        }
        Ok(history)
    }

    /// `chosen_on` is the screen the action under way was chosen on. A replay chooses nothing: it looks once after each
    /// action, so there the last screen but one is meant.
    fn event(&mut self, event: &Value, chosen_on: &mut Option<usize>) {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
        match event["event"].as_str() {
            Some("run_started") => {
                self.case_id = text(&event["case_id"]).unwrap_or_default();
                self.title = text(&event["title"]).unwrap_or_default();
            }
            Some("step_started") => {
                let instruction = text(&event["instruction"]).unwrap_or_default();
                let rewritten = text(&event["rewritten"]).unwrap_or_else(|| instruction.clone());
                self.steps.push(BegunStep { number: number(&event["index"]), instruction, rewritten });
            }
            Some("screen_observed") => {
                let screen = &event["screen"];
                if let Some(hierarchy) = text(&screen["hierarchy"]) {
                    let (screenshot, foreground) = (text(&screen["screenshot"]), text(&screen["foreground"]));
                    self.screens.push(SeenScreen { hierarchy, screenshot, foreground });
                }
            }
            Some("decided") => *chosen_on = self.screens.len().checked_sub(1),
            Some("acted") => {
                let from = chosen_on.take().unwrap_or_else(|| self.screens.len().saturating_sub(2));
                self.actions.push(Done {
                    from,
                    step: number(&event["step"]),
                    valid: event["valid"].as_bool().unwrap_or(false),
                    source: serde_json::from_value(event["source"].clone()).ok(),
                    action: event["action"].clone(),
                });
            }
            Some("run_finished") => self.passed = event["result"]["verdict"] == "passed",
            _ => {}
        }
    }
}

/// A file that a run's events name, from the run's folder.
///
/// # Errors
/// It cannot be read, or lies elsewhere.
pub fn read_artifact(run: &Path, name: &str) -> Result<Vec<u8>, ExportError> {
    let failed = |reason: String| ExportError::Run { run: run.to_owned(), reason: format!("{name}: {reason}") };
    // A recording names only its own screens.
    if name.contains("..") || Path::new(name).is_absolute() {
        return Err(failed("it lies outside of the run's folder".into()));
    }
    std::fs::read(run.join(name)).map_err(|error| failed(error.to_string()))
}
