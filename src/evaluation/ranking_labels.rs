//! Labelled instructions: what a person would touch for an instruction on a screen.

use crate::domain::{PackageName, Rect, Size};
use crate::hierarchy::{Screen, ScreenInput};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A line of `labels.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Label {
    /// Its id.
    pub id: String,
    /// Its screen.
    pub screen: String,
    /// The screen's dump, beside the labels file.
    pub hierarchy: PathBuf,
    /// The screen's picture, beside the labels file, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screenshot: Option<PathBuf>,
    /// What is asked for.
    pub instruction: String,
    /// Its language, a short tag.
    #[serde(default)]
    pub lang: String,
    /// How it is said: `direct`, `paraphrase`, `goal`, `uat`; `run` for a step of a run.
    #[serde(default)]
    pub style: String,
    /// What to do.
    pub skill: String,
    /// What to do it with; `None` for what is not about a place (back, wait).
    #[serde(default)]
    pub bounds: Option<Rect>,
    /// What would do as well.
    #[serde(default)]
    pub also_ok: Vec<Rect>,
    /// What to type.
    #[serde(default)]
    pub text: Option<String>,
    /// Which way to scroll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<String>,
}

impl Label {
    /// The places that are right.
    pub fn places(&self) -> impl Iterator<Item = Rect> + '_ {
        self.bounds.iter().chain(&self.also_ok).copied()
    }
}

/// Labels could not be read.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// A file cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A line is not a label.
    #[error("{}:{line}: {reason}; a line is {{id, screen, hierarchy, instruction, lang, style, skill, bounds, also_ok, text}}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

/// A screen with its labels, in the file's order.
#[derive(Debug)]
pub struct LabelledScreen {
    /// Its name.
    pub name: String,
    /// The app that shows it.
    pub package: PackageName,
    /// The screen.
    pub screen: Screen,
    /// Its picture's file, where there is one.
    pub picture: Option<PathBuf>,
    /// Its labels.
    pub labels: Vec<Label>,
}

/// Skills a label may have.
const SKILLS: [&str; 8] = [
    "click",
    "long_press",
    "input_text",
    "input_by_numeric_keyboard",
    "scroll",
    "press_back",
    "swipe_selector",
    "wait",
];

/// Reads a labels file and the dumps it names. Screens come in the order of their first label.
///
/// # Errors
/// A file is missing, or a line is no label.
pub fn read_labels(file: &Path, limit: Option<usize>) -> Result<Vec<LabelledScreen>, LabelError> {
    let unreadable = |path: &Path, reason: String| LabelError::Unreadable { path: path.to_owned(), reason };
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(file, error.to_string()))?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut screens: Vec<LabelledScreen> = Vec::new();
    let mut by_dump: std::collections::HashMap<PathBuf, usize> = std::collections::HashMap::new();
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    for (at, line) in lines.take(limit.unwrap_or(usize::MAX)) {
        let wrong = |reason: String| LabelError::Line { path: file.to_owned(), line: at + 1, reason };
        let label: Label = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
        if !SKILLS.contains(&label.skill.as_str()) {
            return Err(wrong(format!("unknown skill {:?}; known are {}", label.skill, SKILLS.join(", "))));
        }
        let known = by_dump.get(&label.hierarchy).copied();
        let at = if let Some(at) = known {
            at
        } else {
            let path = folder.join(&label.hierarchy);
            let dump = std::fs::read(&path).map_err(|error| unreadable(&path, error.to_string()))?;
            let screen = perceived(&dump);
            if screen.tree.nodes.is_empty() {
                return Err(wrong(format!("{} holds no hierarchy", path.display())));
            }
            by_dump.insert(label.hierarchy.clone(), screens.len());
            screens.push(LabelledScreen {
                name: label.screen.clone(),
                package: package(&screen),
                picture: picture(folder, &label),
                screen,
                labels: Vec::new(),
            });
            screens.len() - 1
        };
        screens[at].labels.push(label);
    }
    Ok(screens)
}

/// A screen from its dump alone; its reach is the display.
pub(super) fn perceived(dump: &[u8]) -> Screen {
    Screen::perceive(ScreenInput {
        hierarchy: dump,
        screenshot: None,
        display: Size::new(0, 0),
        foreground: None,
        keyboard_shown: false,
    })
}

/// The app that owns most of the screen.
pub(super) fn package(screen: &Screen) -> PackageName {
    let mut counts: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    for node in screen.tree.nodes.iter().filter(|node| !node.package.is_empty()) {
        *counts.entry(&node.package).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    PackageName::new(most.map_or("", |(package, _)| package))
}

/// The picture named by the label, or `screenshot.png` beside the dump.
fn picture(folder: &Path, label: &Label) -> Option<PathBuf> {
    let named = label.screenshot.as_ref().map(|path| folder.join(path));
    let beside = folder.join(&label.hierarchy).with_file_name("screenshot.png");
    named.into_iter().chain([beside]).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = r#"<hierarchy rotation="0"><node package="a.b" class="android.widget.Button" text="Pay" clickable="true" enabled="true" bounds="[0,0][100,50]"/></hierarchy>"#;

    fn read(lines: &str) -> Result<Vec<LabelledScreen>, String> {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("pay.xml"), DUMP).expect("written");
        let file = folder.path().join("labels.jsonl");
        std::fs::write(&file, lines).expect("written");
        read_labels(&file, None).map_err(|error| error.to_string())
    }

    #[test]
    fn labels_of_one_dump_share_its_screen() {
        let line = r#"{"id":"1","screen":"S","hierarchy":"pay.xml","instruction":"Pay","skill":"click","bounds":[0,0,100,50]}"#;
        let screens = read(&format!("{line}\n\n{line}\n")).expect("read");
        assert_eq!((screens.len(), screens[0].labels.len()), (1, 2));
        assert_eq!(screens[0].package.as_str(), "a.b");
        assert_eq!(screens[0].labels[0].places().collect::<Vec<_>>(), [Rect::new(0, 0, 100, 50)]);
    }

    #[test]
    fn what_is_wrong_is_named_with_file_and_line() {
        let error = read("\n{\"id\": 1}\n").expect_err("no label");
        assert!(error.contains("labels.jsonl:2:"), "{error}");
        let skill = r#"{"id":"1","screen":"S","hierarchy":"pay.xml","instruction":"Pay","skill":"shout"}"#;
        assert!(read(skill).expect_err("no skill").contains("\"shout\""));
        let gone = r#"{"id":"1","screen":"S","hierarchy":"gone.xml","instruction":"Pay","skill":"click"}"#;
        assert!(read(gone).expect_err("no dump").contains("gone.xml"));
        assert!(read_labels(Path::new("nowhere.jsonl"), None).expect_err("missing").to_string().contains("nowhere"));
    }
}
