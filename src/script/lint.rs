//! What is wrong or frail about a script file, before it is replayed.

use super::format::{Script, ScriptError, changes_of};
use super::to_shell;
use crate::domain::{Expectation, Locator};
use std::collections::BTreeMap;
use std::path::Path;

/// What is known of a script's case.
#[derive(Debug, Clone, Default)]
pub struct CaseFacts {
    /// Its digest as it is now.
    pub digest: String,
    /// That of what it asks for alone.
    pub steps: String,
    /// Why the script is none of it, where it is for another app or other actors.
    pub foreign: Option<String>,
    /// Its secrets with their values: none of them may stand in a script.
    pub secrets: BTreeMap<String, String>,
}

/// How bad something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gravity {
    /// It cannot be replayed, or proves nothing.
    Error,
    /// It may stop working before the app is at fault.
    Warning,
}

impl Gravity {
    /// As it is told.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// Something about a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The line, from 1; 0 for the file as a whole.
    pub line: usize,
    /// How bad it is.
    pub gravity: Gravity,
    /// What it is, and what to do.
    pub message: String,
}

fn finding(line: usize, gravity: Gravity, message: impl Into<String>) -> Finding {
    Finding { line, gravity, message: message.into() }
}

/// Everything about the script in a file; `case` is what the workspace knows of its case, `None` where it has none.
pub fn lint(path: &Path, case: impl FnOnce(&Script) -> Option<CaseFacts>) -> Vec<Finding> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => return vec![finding(0, Gravity::Error, error.to_string())],
    };
    let script = match Script::parse(path, &text) {
        Ok(script) => script,
        Err(error) => return vec![unreadable(&error)],
    };
    let mut found = Vec::new();
    match case(&script) {
        None => found.push(finding(
            0,
            Gravity::Warning,
            format!("the workspace has no case {}: it can be replayed, not repaired", script.case_id),
        )),
        Some(case) => of_case(&script, &case, &text, &mut found),
    }
    if script.seal.is_none() {
        let remedy = "its next pass by `tapwright run` seals it";
        found.push(finding(
            0,
            Gravity::Warning,
            format!("it has no seal: nobody notices when it is cut off; {remedy}"),
        ));
    }
    of_actions(&script, &text, &mut found);
    beside(&script, path, &mut found);
    found.sort_by_key(|finding| (finding.gravity, finding.line));
    found
}

fn unreadable(error: &ScriptError) -> Finding {
    let reason = match error {
        ScriptError::Malformed { reason, .. } => reason.clone(),
        other => other.to_string(),
    };
    let line = reason.split("line ").nth(1).and_then(|rest| {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    });
    finding(line.unwrap_or(0), Gravity::Error, reason.trim_end())
}

fn of_case(script: &Script, case: &CaseFacts, text: &str, found: &mut Vec<Finding>) {
    if let Some(why) = &case.foreign {
        found.push(finding(0, Gravity::Error, why.clone()));
    }
    let seal = script.seal.as_ref().and_then(|seal| Some((seal.case.as_ref()?, seal.steps.as_ref())));
    if let Some((_, steps)) = seal.filter(|(sealed, _)| **sealed != case.digest) {
        let remedy = format!("`tapwright run {}` records it again", script.case_id);
        if steps == Some(&case.steps) {
            let message =
                format!("what its case expects was changed after it was recorded; a replay checks both; {remedy}");
            found.push(finding(0, Gravity::Warning, message));
        } else {
            let message = format!("its case was changed after it was recorded, so it proves nothing of it; {remedy}");
            found.push(finding(0, Gravity::Error, message));
        }
    }
    for name in script.secrets.iter().filter(|name| !case.secrets.contains_key(*name)) {
        found.push(finding(0, Gravity::Warning, format!("its case has no secret {name:?}: give it with --param")));
    }
    for (name, value) in case.secrets.iter().filter(|(_, value)| value.chars().count() > 3) {
        if let Some(line) = text.lines().position(|line| line.contains(value.as_str())) {
            let message =
                format!("the value of the secret {name:?} stands in it: record it again, and change the secret");
            found.push(finding(line + 1, Gravity::Error, message));
        }
    }
}

/// The line each action begins at, from 1.
fn lines_of_actions(text: &str) -> Vec<usize> {
    let begins = text.lines().enumerate().filter(|(_, line)| line.trim() == "[[action]]");
    begins.map(|(at, _)| at + 1).collect()
}

fn of_actions(script: &Script, text: &str, found: &mut Vec<Finding>) {
    let lines = lines_of_actions(text);
    for (at, action) in script.actions.iter().enumerate() {
        let line = lines.get(at).copied().unwrap_or_default();
        let Some(target) = &action.target else { continue };
        let place = |locator: &&Locator| matches!(locator, Locator::Path(_) | Locator::Bounds(_));
        let named = target.selector.chain.iter().any(|locator| !place(&locator));
        let number = at + 1;
        if !named {
            let message = format!(
                "action {number}: {:?} is found by its place only, for the app gives it no id, text or description",
                target.label
            );
            found.push(finding(line, Gravity::Warning, message));
        } else if target.selector.nth > 0 {
            let message = format!(
                "action {number}: {} others are named like {:?}; the {}. from the top is taken",
                target.selector.nth,
                target.label,
                target.selector.nth + 1
            );
            found.push(finding(line, Gravity::Warning, message));
        }
    }
    let only_absent = |wanted: &Expectation| matches!(wanted, Expectation::Absent(_));
    let checks = script.actions.iter().flat_map(|action| &action.checks);
    let own = script.actors.values().flat_map(|actor| &actor.expectations);
    let mut all = script.expectations.iter().chain(checks).chain(own).peekable();
    if all.peek().is_none() {
        found.push(finding(0, Gravity::Error, "it expects nothing: whatever the app does, it passes"));
    } else if all.all(only_absent) {
        let message = "it only expects that something is not there, which an empty screen fulfils";
        found.push(finding(0, Gravity::Warning, message));
    }
}

/// What lies beside it: its shell form, and proposals that wait.
fn beside(script: &Script, path: &Path, found: &mut Vec<Finding>) {
    let shell = path.with_extension("sh");
    if std::fs::read_to_string(&shell).is_ok_and(|text| text != to_shell(script)) {
        let message = "the .sh beside it is not what it says: `tapwright scripts export` prints the right one";
        found.push(finding(0, Gravity::Warning, message));
    }
    let folder = path.parent().and_then(Path::parent);
    let waits = folder.and_then(|folder| changes_of(folder, &script.case_id).ok()).unwrap_or_default();
    let proposed = path.parent().map(|own| own.join("proposed").join(path.file_name().unwrap_or_default()));
    if proposed.is_some_and(|proposed| proposed.is_file()) {
        let id = &script.case_id;
        let repaired = waits.iter().any(|(page, _)| page.to_string_lossy().ends_with(".changes.md"));
        let what = if repaired { "a repaired version" } else { "another version" };
        let message = format!(
            "{what} waits: `tapwright scripts diff {id}` shows it, `scripts accept {id}` or `reject {id}` decides"
        );
        found.push(finding(0, Gravity::Warning, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::ChangePage;

    const WHOLE: &str = include_str!("../../scripts/PAY-0001/virtual-phone.toml");

    fn script() -> Script {
        Script::parse(Path::new("s.toml"), WHOLE).unwrap()
    }

    fn linted(text: &str, case: Option<CaseFacts>) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("PAY-0001");
        std::fs::create_dir(&own).unwrap();
        let path = own.join("virtual-phone.toml");
        std::fs::write(&path, text).unwrap();
        let found = lint(&path, |_| case);
        found.iter().map(|one| format!("{}:{}: {}", one.line, one.gravity.word(), one.message)).collect()
    }

    fn facts(script: &Script) -> CaseFacts {
        let secrets = script.secrets.iter().map(|name| (name.clone(), "zz9-secret".to_owned())).collect();
        let digest = script.seal.as_ref().and_then(|seal| seal.case.clone()).unwrap_or_default();
        let steps = script.seal.as_ref().and_then(|seal| seal.steps.clone()).unwrap_or_default();
        CaseFacts { digest, steps, foreign: None, secrets }
    }

    #[test]
    fn a_script_is_told_what_is_wrong_with_it_and_where() {
        let sealed = script().sealed(Some("0123".into()));
        let whole = sealed.to_toml().unwrap();
        let known = facts(&sealed);
        let check = |text: &str, case: Option<CaseFacts>, expected: &str| {
            let found = linted(text, case);
            assert!(found.iter().any(|line| line.contains(expected)), "{expected:?} is not in {found:#?}");
        };
        check("format = 1\n[[\n", None, "2:error: ");
        check("format = 9\n", None, "error: ");
        check(&whole[..whole.len() / 2], None, "error: ");
        check(&whole, None, "0:warning: the workspace has no case PAY-0001");
        let changed = CaseFacts { digest: "4567".into(), ..known.clone() };
        check(&whole, Some(changed.clone()), "0:error: its case was changed");
        let expects_more = script().sealed_for("0123".into(), "89ab".into()).to_toml().unwrap();
        let changed = CaseFacts { steps: "89ab".into(), ..changed };
        check(&expects_more, Some(changed), "0:warning: what its case expects was changed");
        let foreign = CaseFacts { foreign: Some("the case tests a.b".into()), ..known.clone() };
        check(&whole, Some(foreign), "0:error: the case tests a.b");
        let stranger = CaseFacts { secrets: BTreeMap::new(), ..known.clone() };
        check(&whole, Some(stranger), "0:warning: its case has no secret");
        let typed = sealed.actions.iter().find_map(|action| action.text.clone()).unwrap();
        let leaked = CaseFacts { secrets: [("pin".to_owned(), typed)].into(), ..known.clone() };
        check(&whole, Some(leaked), ":error: the value of the secret \"pin\" stands in it");
        let unsealed = Script { seal: None, ..script() };
        check(&unsealed.to_toml().unwrap(), Some(known.clone()), "0:warning: it has no seal");
        let mut placed = script();
        let target = placed.actions[0].target.as_mut().unwrap();
        target.selector.chain.retain(|locator| matches!(locator, Locator::Path(_) | Locator::Bounds(_)));
        let placed = placed.sealed(Some("0123".into())).to_toml().unwrap();
        let line = placed.lines().position(|line| line == "[[action]]").unwrap() + 1;
        check(&placed, Some(known.clone()), &format!("{line}:warning: action 1: "));
        let mut silent = script();
        silent.expectations = vec![Expectation::Absent("Error".into())];
        silent.actions.iter_mut().for_each(|action| action.checks.clear());
        check(&silent.clone().sealed(Some("0123".into())).to_toml().unwrap(), Some(known.clone()), "an empty screen");
        silent.expectations.clear();
        check(&silent.sealed(Some("0123".into())).to_toml().unwrap(), Some(known), "error: it expects nothing");
    }

    #[test]
    fn a_good_script_has_no_errors_and_a_proposal_beside_it_is_told() {
        let sealed = script().sealed(Some("0123".into()));
        let folder = tempfile::tempdir().unwrap();
        let path = sealed.write(folder.path()).unwrap().path().to_owned();
        let lint = || lint(&path, |script| Some(facts(script)));
        assert!(lint().iter().all(|finding| finding.gravity == Gravity::Warning), "{:#?}", lint());
        let waits = |found: Vec<Finding>| found.iter().any(|finding| finding.message.contains("version waits"));
        assert!(!waits(lint()));
        Script { title: "other".into(), ..sealed.clone() }
            .propose(folder.path(), Some(&ChangePage { text: "# changed\n".into(), pictures: Vec::new() }))
            .unwrap();
        assert!(lint().iter().any(|finding| finding.message.contains("a repaired version waits")));
        std::fs::write(path.with_extension("sh"), "echo\n").unwrap();
        assert!(lint().iter().any(|finding| finding.message.contains(".sh beside it")));
    }
}
