//! The flywheel: what passed runs did becomes labelled instructions, to tune a model on.
//!
//! Only recordings are read. A label says: on this screen, for this step of a case, this was right, because the run that
//! did it passed. What is taken and what is not is written down in `docs/models.md`.

use super::flywheel_files::{FlywheelError, write};
use super::flywheel_language::language_of;
use super::ranking_labels::{Label, LabelledScreen, package, perceived};
use super::ranking_texts::{ScreenTexts, screen_texts};
use crate::domain::{ActionSource, Rect, Target};
use crate::hierarchy::{Fingerprint, MASK};
use crate::run::{BegunStep, Done, History, read_artifact};
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// What was exported, and what was not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ExportedLabels {
    /// Runs read.
    pub runs: usize,
    /// Of these, those that passed.
    pub passed: usize,
    /// Labels written; nothing is written where there are none.
    pub labels: usize,
    /// Screens written.
    pub screens: usize,
    /// Labels that said what another one says.
    pub duplicates: usize,
    /// Actions of passed runs that make no label, by reason.
    pub left_out: BTreeMap<&'static str, usize>,
    /// Instructions that different runs carried out differently on one screen; none of these is a label.
    pub conflicts: Vec<Conflict>,
    /// Runs that were left out as a whole, and why.
    pub notes: Vec<String>,
}

/// One instruction, one screen, several widgets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Conflict {
    /// The instruction.
    pub instruction: String,
    /// What was done for it, each once.
    pub done: Vec<String>,
    /// Labels left out for it.
    pub labels: usize,
}

/// A screen of a run.
struct KnownScreen {
    dump: Vec<u8>,
    labelled: LabelledScreen,
    texts: ScreenTexts,
}

/// A label that may still be one of several.
struct Found {
    label: Label,
    look: (Fingerprint, u64),
    /// Skill and widget, as a person would say it.
    done: String,
}

/// Turns `runs` into labels in the new folder `output`: `labels.jsonl`, and the dumps in `screens/`. `language` is that of
/// the instructions; without it, it is told from their script.
///
/// # Errors
/// The folder is in use or cannot be written.
pub fn export_labels(runs: &[PathBuf], output: &Path, language: Option<&str>) -> Result<ExportedLabels, FlywheelError> {
    FlywheelError::check_new(output)?;
    let mut gathering = Gathering { language, ..Gathering::default() };
    for run in runs {
        gathering.add(run);
    }
    let Gathering { screens, found, mut summary, .. } = gathering;
    summary.runs = runs.len();
    let labels = sifted(found, &mut summary);
    let dumps: BTreeMap<&str, &[u8]> = labels
        .iter()
        .filter_map(|label| Some((label.screen.as_str(), screens.get(&label.screen)?.dump.as_slice())))
        .collect();
    (summary.labels, summary.screens) = (labels.len(), dumps.len());
    if !labels.is_empty() {
        write(output, &labels, &dumps)?;
    }
    Ok(summary)
}

/// Leaves out what is said twice or contradicted, and numbers the rest. The order of the runs changes nothing.
fn sifted(mut found: Vec<Found>, summary: &mut ExportedLabels) -> Vec<Label> {
    found.sort_by(|a, b| order(&a.label).cmp(&order(&b.label)));
    let mut groups: BTreeMap<(String, u64), Vec<Found>> = BTreeMap::new();
    for one in found {
        groups.entry((one.label.instruction.clone(), one.look.0.0)).or_default().push(one);
    }
    let mut labels = Vec::new();
    for ((instruction, _), group) in groups {
        if contradictory(&group) {
            let done: BTreeSet<String> = group.iter().map(|one| one.done.clone()).collect();
            let conflict = Conflict { instruction, done: done.into_iter().collect(), labels: group.len() };
            summary.conflicts.push(conflict);
            continue;
        }
        summary.duplicates += group.len() - 1;
        labels.extend(group.into_iter().next().map(|one| one.label));
    }
    labels.sort_by(|a, b| order(a).cmp(&order(b)));
    let mut last = (String::new(), 0);
    for label in &mut labels {
        last = if last.0 == label.screen { (last.0, last.1 + 1) } else { (label.screen.clone(), 1) };
        label.id = format!("{}-{}", last.0, last.1);
    }
    labels
}

fn order(label: &Label) -> (&str, &str, &str, Option<Rect>, Option<&str>) {
    (&label.screen, &label.instruction, &label.skill, label.bounds, label.text.as_deref())
}

/// Two of them name different widgets, or places that differ although the screens look exactly alike.
fn contradictory(group: &[Found]) -> bool {
    let mut places: HashMap<u64, Option<Rect>> = HashMap::new();
    group.iter().any(|one| {
        one.done != group[0].done || *places.entry(one.look.1).or_insert(one.label.bounds) != one.label.bounds
    })
}

/// What the runs so far gave.
#[derive(Default)]
struct Gathering<'a> {
    language: Option<&'a str>,
    /// By name, which is made of the dump's hash.
    screens: HashMap<String, KnownScreen>,
    found: Vec<Found>,
    summary: ExportedLabels,
}

impl Gathering<'_> {
    fn add(&mut self, run: &Path) {
        let history = match History::read(run) {
            Ok(history) => history,
            Err(error) => return self.summary.notes.push(error.to_string()),
        };
        if !history.passed {
            return;
        }
        self.summary.passed += 1;
        // A lost line may be an action: then a step of two looks like a step of one.
        if let Some(note) = history.notes.first() {
            return self.summary.notes.push(format!("{}: left out, its events are damaged: {note}", run.display()));
        }
        let counts = |done: &&Done| done.valid && done.action["skill"] != "wait";
        let mut of_step: HashMap<usize, usize> = HashMap::new();
        for done in history.actions.iter().filter(counts) {
            *of_step.entry(done.step).or_default() += 1;
        }
        for done in history.actions.iter().filter(counts) {
            let alone = of_step.get(&done.step) == Some(&1);
            match self.label(run, &history, done, alone) {
                Ok(found) => self.found.push(found),
                Err(reason) => *self.summary.left_out.entry(reason).or_default() += 1,
            }
        }
    }

    /// The label an action makes, or why it makes none. `alone`: it is all that was done for its step.
    fn label(&mut self, run: &Path, history: &History, done: &Done, alone: bool) -> Result<Found, &'static str> {
        let action = &done.action;
        let skill = action["skill"].as_str().unwrap_or_default();
        if !matches!(done.source, Some(ActionSource::Agent | ActionSource::Repair)) {
            return Err("replayed from a script");
        }
        let types = skill == "input_text";
        if !matches!(skill, "click" | "long_press" | "input_text" | "scroll" | "swipe_selector" | "press_back") {
            return Err("not about a widget of the hierarchy");
        }
        if !alone && !types {
            return Err("one of several actions of its step");
        }
        let step = history.steps.iter().find(|step: &&BegunStep| step.number == done.step);
        let step = step.map(|step| step.rewritten.trim()).filter(|text| !text.is_empty());
        let step = step.ok_or("its step says nothing")?;
        let (text, which) = if types { typed(&action["text"]) } else { (None, None) };
        let instruction = which.map_or_else(|| step.to_owned(), |which| with(step, &which));
        let target: Option<Target> = serde_json::from_value(action["target"].clone()).ok();
        let area: Option<Rect> = serde_json::from_value(action["area"].clone()).ok();
        let bounds = target.as_ref().map(|target| target.bounds).or(area);
        let seen = history.screens.get(done.from).ok_or("its screen was not recorded")?;
        let name = self.screen(run, &seen.hierarchy)?;
        let known = self.screens.get(&name).ok_or("its screen was not recorded")?;
        let offered = |skill: &str| {
            known.texts.candidates.iter().any(|candidate| candidate.skill == skill && candidate.bounds == bounds)
        };
        if !offered(skill) {
            return Err("its widget is not in the hierarchy, only in the picture");
        }
        if types && text.is_none() && bounds.is_some_and(|bounds| shows_text(&known.labelled, bounds)) {
            return Err("a secret was typed where something can be read");
        }
        let screen = &known.labelled.screen;
        let direction = action["direction"].as_str().map(str::to_owned);
        let aim = target.as_ref().map_or_else(|| direction.clone().unwrap_or_default(), called);
        Ok(Found {
            look: (screen.fingerprint, screen.digest),
            done: format!("{skill} {aim}").trim_end().to_owned(),
            label: Label {
                id: String::new(),
                hierarchy: PathBuf::from(format!("screens/{name}.xml")),
                screen: name,
                screenshot: None,
                lang: self.language.unwrap_or_else(|| language_of(&instruction)).to_owned(),
                instruction,
                style: "run".into(),
                skill: skill.to_owned(),
                bounds,
                also_ok: Vec::new(),
                text,
                direction,
            },
        })
    }

    /// Reads a screen, once for all runs that saw it; gives its name.
    fn screen(&mut self, run: &Path, file: &str) -> Result<String, &'static str> {
        let dump = read_artifact(run, file).map_err(|_| "its screen cannot be read")?;
        let digest = Sha256::digest(&dump);
        let start = digest.iter().take(8).fold(0_u64, |start, byte| start << 8 | u64::from(*byte));
        let name = format!("run-{start:016x}");
        if !self.screens.contains_key(&name) {
            let screen = perceived(&dump);
            if screen.tree.nodes.is_empty() {
                return Err("its screen has no hierarchy");
            }
            let package = package(&screen);
            let labelled = LabelledScreen { name: name.clone(), package, screen, picture: None, labels: Vec::new() };
            let texts = screen_texts(&labelled);
            self.screens.insert(name.clone(), KnownScreen { dump, labelled, texts });
        }
        Ok(name)
    }
}

/// The text that was typed, unless it is a secret, and the words that tell it from other texts of its step.
fn typed(text: &Value) -> (Option<String>, Option<String>) {
    match (text["text"].as_str(), text["secret"].as_str()) {
        (Some(plain), _) => (Some(plain.to_owned()), Some(plain.to_owned())),
        (None, Some(name)) => (None, Some(name.replace(['_', '-'], " "))),
        (None, None) => (None, None),
    }
}

/// The step, and which of its parameters is meant, where it does not say so itself.
fn with(step: &str, which: &str) -> String {
    if which.is_empty() || step.to_lowercase().contains(&which.to_lowercase()) {
        return step.to_owned();
    }
    format!("{}: {which}", step.trim_end_matches(['.', '。', ':']))
}

/// A field that shows a text which is no mask: nobody can say whether that is a secret.
fn shows_text(labelled: &LabelledScreen, bounds: Rect) -> bool {
    let hidden = |c: char| c == MASK || matches!(c, '*' | '●');
    let mut fields = labelled.screen.widgets.iter().filter(|widget| widget.bounds == bounds);
    fields.any(|field| !field.value.chars().all(hidden))
}

/// What a person would call it; where it has no name, how it is found.
fn called(target: &Target) -> String {
    if target.label.is_empty() { target.selector.to_string() } else { format!("{:?}", target.label) }
}

#[cfg(test)]
#[path = "flywheel_tests.rs"]
mod tests;
