//! The skills as data.

use crate::adb::{ShellTemplate, TemplateError};
use crate::domain::{CueList, CueText};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a skill is aimed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TargetKind {
    /// Any widget.
    Widget,
    /// A text field.
    Field,
    /// A numeric keypad drawn by the app.
    Keypad,
    /// A wheel or picker.
    Selector,
    /// A scrollable area.
    Area,
    /// An installed app.
    App,
    /// Nothing.
    None,
}

/// What must be seen after a skill for it to count as valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Validity {
    /// Something visible differs.
    ScreenChanges,
    /// The field holds the text that was typed (a password field: as many characters).
    FieldHoldsText,
    /// The app is in the foreground.
    AppInFront,
    /// Nothing need be seen.
    Always,
}

/// One skill.
#[derive(Debug, Clone)]
pub struct Skill {
    /// Unique name, as in `result.json`.
    pub name: String,
    /// What it does, in words.
    pub description: String,
    /// What it is aimed at.
    pub target: TargetKind,
    /// What must be seen afterwards.
    pub validity: Validity,
    /// Words of an instruction that suggest this skill.
    pub cues: CueList,
    /// Repeat the commands for each element of this argument (`keys`).
    pub for_each: Option<String>,
    /// Shell lines, in order; a line that renders empty is left out.
    pub commands: Vec<ShellTemplate>,
}

impl Skill {
    /// True when the instruction holds one of the skill's cue words; a cue of several words must stand together.
    pub fn is_cued_by(&self, instruction: &CueText) -> bool {
        instruction.holds(&self.cues)
    }
}

/// Why the skill library could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum SkillError {
    /// A folder or file could not be read.
    #[error("{path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file is not a skill.
    #[error("{path}: {reason}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Line, column and what was expected.
        reason: String,
    },
    /// A command template is wrong.
    #[error("{path}: {source}")]
    Template {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: TemplateError,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SkillFile {
    name: String,
    description: String,
    target: TargetKind,
    validity: Validity,
    #[serde(default)]
    cues: CueList,
    #[serde(default)]
    for_each: Option<String>,
    commands: Vec<String>,
}

const BUNDLED: [(&str, &str); 10] = [
    ("skills/click.toml", include_str!("../../skills/click.toml")),
    ("skills/input_by_numeric_keyboard.toml", include_str!("../../skills/input_by_numeric_keyboard.toml")),
    ("skills/input_text.toml", include_str!("../../skills/input_text.toml")),
    ("skills/long_press.toml", include_str!("../../skills/long_press.toml")),
    ("skills/open_app.toml", include_str!("../../skills/open_app.toml")),
    ("skills/press_back.toml", include_str!("../../skills/press_back.toml")),
    ("skills/press_enter.toml", include_str!("../../skills/press_enter.toml")),
    ("skills/scroll.toml", include_str!("../../skills/scroll.toml")),
    ("skills/swipe_selector.toml", include_str!("../../skills/swipe_selector.toml")),
    ("skills/wait.toml", include_str!("../../skills/wait.toml")),
];

/// All skills by name.
#[derive(Debug, Clone)]
pub struct Library {
    skills: BTreeMap<String, Skill>,
}

impl Library {
    /// The bundled skills.
    pub fn bundled() -> Result<Self, SkillError> {
        let mut library = Self { skills: BTreeMap::new() };
        for (path, text) in BUNDLED {
            library.add(Path::new(path), text)?;
        }
        Ok(library)
    }

    /// The bundled skills, replaced or extended by the `*.toml` files of `folder` where it exists.
    pub fn load(folder: &Path) -> Result<Self, SkillError> {
        let mut library = Self::bundled()?;
        if !folder.is_dir() {
            return Ok(library);
        }
        let read = |source| SkillError::Read { path: folder.to_owned(), source };
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(read)? {
            let path = entry.map_err(read)?.path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                files.push(path);
            }
        }
        files.sort();
        for path in files {
            let text =
                std::fs::read_to_string(&path).map_err(|source| SkillError::Read { path: path.clone(), source })?;
            library.add(&path, &text)?;
        }
        Ok(library)
    }

    fn add(&mut self, path: &Path, text: &str) -> Result<(), SkillError> {
        let file: SkillFile = toml::from_str(text)
            .map_err(|error| SkillError::Malformed { path: path.to_owned(), reason: error.to_string() })?;
        let commands = file
            .commands
            .iter()
            .map(|command| ShellTemplate::parse(command))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|source| SkillError::Template { path: path.to_owned(), source })?;
        let skill = Skill {
            name: file.name.clone(),
            description: file.description,
            target: file.target,
            validity: file.validity,
            cues: file.cues,
            for_each: file.for_each,
            commands,
        };
        self.skills.insert(file.name, skill);
        Ok(())
    }

    /// The skill of that name.
    pub fn get(&self, name: &str) -> Option<&Skill> {
        self.skills.get(name)
    }

    /// Names of the skills that an instruction holds a cue of.
    pub fn cued<'a>(&'a self, instruction: &CueText) -> impl Iterator<Item = &'a str> {
        self.skills.values().filter(|skill| skill.is_cued_by(instruction)).map(|skill| skill.name.as_str())
    }

    /// All skills, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Skill> {
        self.skills.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_skill_loads() {
        assert_eq!(Library::bundled().unwrap().iter().count(), BUNDLED.len());
    }

    #[test]
    fn a_workspace_skill_replaces_the_bundled_one_and_a_broken_one_names_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let own = "name = \"wait\"\ndescription = \"Own\"\ntarget = \"none\"\nvalidity = \"always\"\ncommands = []\n";
        std::fs::write(folder.path().join("wait.toml"), own).unwrap();
        assert_eq!(Library::load(folder.path()).unwrap().get("wait").unwrap().description, "Own");

        std::fs::write(folder.path().join("bad.toml"), "name = \"x\"\ncolour = 1\n").unwrap();
        let error = Library::load(folder.path()).unwrap_err().to_string();
        assert!(error.contains("bad.toml") && error.contains("line 2") && error.contains("colour"), "{error}");
    }
}
