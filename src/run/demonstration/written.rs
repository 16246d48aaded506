//! The case and the script of what was demonstrated.

use super::watcher::{Demonstrated, Shown};
use crate::case::{Case, CaseError};
use crate::domain::{CaseId, Expectation, PackageName};
use crate::run::ConnectedDevice;
use crate::script::{AppView, Cast, Script, record};
use crate::skill::Library;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;

/// Checks that are suggested at most.
const MOST_CHECKS: usize = 3;

/// What the person says of the case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notes {
    /// Its id.
    pub id: CaseId,
    /// Its title.
    pub title: String,
    /// The app.
    pub package: PackageName,
    /// The app's file as the case is to name it.
    pub apk: Option<String>,
}

/// A case made of a demonstration.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenCase {
    /// The file's text.
    pub text: String,
    /// What it expects.
    pub checks: Vec<Expectation>,
    /// The script.
    pub script: Script,
}

/// Writes the case; `path` is where it will stand.
///
/// # Errors
/// Nothing was demonstrated, or no case comes of it.
pub fn write_case(
    found: &Demonstrated,
    notes: &Notes,
    connected: &ConnectedDevice,
    skills: &Library,
    path: &Path,
) -> Result<WrittenCase, String> {
    if found.deeds.is_empty() {
        return Err("nothing was done with the app, so there is no case".to_owned());
    }
    let checks = suggested(&found.shown);
    let text = text(found, notes, &checks);
    let case = Case::parse(path, &text).map_err(|error: CaseError| format!("no case comes of it: {error}"))?;
    let app = AppView { package: notes.package.clone(), version: found.version.clone(), location: None };
    let recorded_at = crate::run::executor::now();
    let script = record(
        skills,
        &notes.id,
        &notes.title,
        &connected.profile,
        &recorded_at,
        app,
        &connected.info,
        &checks,
        Cast::new(),
        &found.deeds,
    );
    let script = script.map_err(|error| error.to_string())?.sealed_for(case.digest(), case.digest_of_steps());
    Ok(WrittenCase { text, checks, script })
}

/// What is shown at the end and was shown neither at the start nor before the last action: the title first.
fn suggested([first, before, last]: &[Shown; 3]) -> Vec<Expectation> {
    let is_new = |text: &String| !first.texts.contains(text) && !before.texts.contains(text);
    let tells = |text: &&String| {
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        letters >= 3 && text.chars().count() <= 80 && !text.contains('\n')
    };
    let mut checks: Vec<Expectation> = Vec::new();
    if last.title != before.title && last.title != first.title && tells(&&last.title) {
        checks.push(Expectation::Screen(last.title.clone()));
    }
    for text in last.texts.iter().filter(|text| is_new(text)).filter(tells) {
        // A row's label is made of several texts; each is shown for itself.
        let part = text.split(", ").next().unwrap_or(text).to_owned();
        let wanted = Expectation::Visible(part.clone());
        if part != last.title && !checks.contains(&wanted) && checks.len() < MOST_CHECKS {
            checks.push(wanted);
        }
    }
    checks
}

fn text(found: &Demonstrated, notes: &Notes, checks: &[Expectation]) -> String {
    // What JSON writes, YAML reads.
    let literal = |text: &str| Value::from(text).to_string();
    let mut text = String::new();
    let mut line = |line: String| {
        // Writing to a text never fails.
        let _ = writeln!(text, "{line}");
    };
    line(format!("id: {}", notes.id));
    line(format!("title: {}", literal(&notes.title)));
    let apk = notes.apk.as_ref().map(|apk| format!(", apk: {}", literal(apk))).unwrap_or_default();
    line(format!("app: {{package: {}{apk}}}", literal(notes.package.as_str())));
    if !found.secrets.is_empty() {
        line("params:".to_owned());
    }
    for name in &found.secrets {
        line(
            "  # What was typed could not be seen: write the value of a test account, or give it with --param."
                .to_owned(),
        );
        line(format!("  {name}: {{value: \"CHANGE-ME\", secret: true}}"));
    }
    line("steps:".to_owned());
    for deed in &found.deeds {
        line(format!("  - {}", literal(&deed.instruction)));
    }
    if checks.is_empty() {
        line("# Nothing new was shown at the end: say under `expect:` what only success shows.".to_owned());
        return text;
    }
    line("# Suggested: what was new at the end. Keep what proves the case.".to_owned());
    line("expect:".to_owned());
    for check in checks {
        line(match check {
            Expectation::Screen(title) => format!("  - screen: {}", literal(title)),
            other => format!("  - visible: {}", literal(other.text_to_see().unwrap_or_default())),
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(title: &str, texts: &[&str]) -> Shown {
        Shown { title: title.into(), texts: texts.iter().map(|text| (*text).to_owned()).collect() }
    }

    #[test]
    fn checks_are_what_is_new_at_the_end() {
        let first = shown("Shop", &["Shop", "Apples", "Cart (0)"]);
        let before = shown("Apples", &["Apples", "Buy"]);
        let check = |last: Shown, expected: &[Expectation]| {
            assert_eq!(suggested(&[first.clone(), before.clone(), last]), expected);
        };
        let visible = |text: &str| Expectation::Visible(text.into());
        check(shown("Apples", &["Apples", "Buy"]), &[]);
        check(
            shown("Thank you", &["Thank you", "Order placed, today", "12:30", "Apples"]),
            &[Expectation::Screen("Thank you".into()), visible("Order placed")],
        );
        check(
            shown("Shop", &["Shop", "One more", "Two more", "Three more", "Four more"]),
            &[visible("One more"), visible("Two more"), visible("Three more")],
        );
    }
}
