//! Problems of a case file, each with its place. Errors stop a run; warnings do not.

use super::claim::claims;
use super::contrary::contrary;
use super::file::{AppFile, CaseFile, ParameterFile, parse_form, read};
use super::parameters::references;
use super::steps::StepFile;
use super::{Budget, Case, ParameterValue, Parameters, Position, parse_duration};
use crate::domain::{CaseId, PackageName, Place};
use crate::lexicon::{Lexicon, Verb, VerbSet};
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The case cannot be run.
    Error,
    /// The case can be run but is probably not what was meant.
    Warning,
}

/// One problem of a case file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Problem {
    /// Whether it stops a run.
    pub severity: Severity,
    /// Where.
    pub at: Position,
    /// What is wrong and what to do.
    pub message: String,
}

impl Problem {
    /// True when the case cannot be run.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(f, "{}: {severity}: {}", self.at, self.message)
    }
}

/// Every problem of a case file, in reading order. A file that cannot be read or parsed is one problem.
pub fn lint_file(path: &Path) -> Vec<Problem> {
    match read(path) {
        Ok(source) => lint(path, &source),
        Err(error) => vec![Problem { severity: Severity::Error, at: Position::default(), message: error.to_string() }],
    }
}

/// Every problem of a case given as text, in reading order; `path` tells where the app is looked for.
pub fn lint(path: &Path, source: &str) -> Vec<Problem> {
    let form = match parse_form(path, source) {
        Ok(form) => form,
        Err(error) => {
            let at = error.position().unwrap_or_default();
            return vec![Problem { severity: Severity::Error, at, message: error.message() }];
        }
    };
    let mut problems = check(path, source, &form).problems;
    for apk in form.apps().filter_map(|app| app.apk.as_ref()) {
        let apk_path = path.parent().unwrap_or_else(|| Path::new("")).join(&apk.value);
        if !apk_path.is_file() {
            let message = format!("the app file {} does not exist; paths are relative to the case file", apk.value);
            problems.push(Problem { severity: Severity::Warning, at: apk.referenced.into(), message });
        }
    }
    problems.sort_by_key(|problem| (problem.at, problem.severity));
    problems
}

/// What a check found: the problems, and the case when there is nothing that stops it.
pub(super) struct Findings {
    pub(super) problems: Vec<Problem>,
    pub(super) case: Option<Case>,
}

/// Checks a well-formed file. Looks at no other file.
pub(super) fn check(path: &Path, source: &str, form: &CaseFile) -> Findings {
    let mut found = Collector { source, problems: Vec::new() };
    let id = match CaseId::new(form.id.value.clone()) {
        Ok(id) => Some(id),
        Err(error) => {
            found.error(form.id.referenced, error.to_string());
            None
        }
    };
    found.blank(&form.title.value, form.title.referenced, "the title");
    found.control_characters(form);
    for app in form.apps() {
        found.package(app);
    }
    found.actors(form);
    let parameters = form.parameters(source);
    found.aim(form, &parameters);
    found.expectations(form, &parameters);
    found.parameter_names(form);
    found.spelt_out_secrets(form, &parameters);
    let budget = found.budget(form);
    found.tags(form);
    found.touches(form);
    found.hints(form, &parameters);
    found.unused_secrets(form);
    let case = match (id, budget) {
        (Some(id), Some(budget)) if !found.problems.iter().any(Problem::is_error) => {
            form.to_case(path, source, id, budget)
        }
        _ => None,
    };
    Findings { problems: found.problems, case }
}

/// True for control characters that no line break or tab explains.
fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\r' | '\t')
}

struct Collector<'s> {
    source: &'s str,
    problems: Vec<Problem>,
}

impl Collector<'_> {
    fn error(&mut self, at: impl Into<Position>, message: impl Into<String>) {
        self.problems.push(Problem { severity: Severity::Error, at: at.into(), message: message.into() });
    }

    fn warning(&mut self, at: impl Into<Position>, message: impl Into<String>) {
        self.problems.push(Problem { severity: Severity::Warning, at: at.into(), message: message.into() });
    }

    fn blank(&mut self, text: &str, at: impl Into<Position>, what: &str) {
        if text.trim().is_empty() {
            self.error(at, format!("{what} is empty; write a text"));
        }
    }

    /// A package name reaches the shells of host and device.
    fn package(&mut self, app: &AppFile) {
        let package = &app.package;
        self.blank(&package.value, package.referenced, "app.package");
        let name = PackageName::new(package.value.trim());
        if !name.as_str().is_empty() && !name.is_valid() {
            let message = format!(
                "app.package {:?} is no application id: words of letters, digits and '_', joined by dots, as in org.example.app",
                name.as_str()
            );
            self.error(package.referenced, message);
        }
    }

    /// No name and no text holds what only a terminal or a shell would understand.
    fn control_characters(&mut self, form: &CaseFile) {
        let steps = form.steps.iter().flat_map(|steps| &steps.value);
        let goal = form.goal.iter().map(|goal| (&goal.value, goal.referenced));
        let texts = steps.map(|step| (&step.value.text, step.referenced)).chain(goal);
        for (text, at) in texts.chain([(&form.title.value, form.title.referenced)]) {
            if text.contains(is_control) {
                self.error(at, format!("{text:?} holds a control character; write it without"));
            }
        }
        for name in form.params.keys().chain(form.actors.keys()) {
            if name.contains(char::is_control) {
                let at = form.title.referenced;
                self.error(at, format!("the name {name:?} holds a control character; write it without"));
            }
        }
    }

    /// A hint says something, and no secret.
    fn hints(&mut self, form: &CaseFile, parameters: &Parameters) {
        for hint in &form.hints {
            self.blank(&hint.value, hint.referenced, "a hint");
            for (name, value) in parameters.iter() {
                if let ParameterValue::Secret(secret) = value
                    && !secret.expose().is_empty()
                    && hint.value.contains(secret.expose())
                {
                    self.error(hint.referenced, format!("the hint holds the value of the secret {name}; leave it out"));
                }
            }
        }
    }

    /// One device or several, and whose steps and expectations there are.
    fn actors(&mut self, form: &CaseFile) {
        if form.app.is_some() != form.actors.is_empty() {
            let message = "a case has either `app:` or, on several devices, `actors:`; give exactly one of them";
            self.error(Position::new(1, 1), message);
        }
        self.place(form.location.as_ref());
        for (name, actor) in &form.actors {
            if !is_name(name) {
                let message = format!("{name:?} is no name of an actor; use letters, digits and '_', a letter first");
                self.error(actor.referenced, message);
            }
            self.place(actor.value.location.as_ref());
        }
        let steps = form.steps.iter().flat_map(|steps| steps.value.iter());
        for (position, step) in steps.enumerate() {
            match &step.value.actor {
                Some(actor) => self.known_actor(actor, step.referenced.into(), form),
                None if position == 0 && !form.actors.is_empty() => {
                    self.error(
                        step.referenced,
                        "the first step of a case with actors says who does it: {actor: …, step: …}",
                    );
                }
                None => {}
            }
        }
        for outcome in &form.expect {
            if let Some(actor) = &outcome.value.actor {
                self.known_actor(actor, outcome.referenced.into(), form);
            }
        }
        for text in form.preferences.accept.iter().chain(&form.preferences.decline) {
            self.blank(&text.value, text.referenced, "the preference");
        }
        for text in &form.preferences.accept {
            if form.preferences.decline.iter().any(|other| other.value == text.value) {
                self.error(text.referenced, format!("{:?} is to be accepted and declined; remove one", text.value));
            }
        }
    }

    fn place(&mut self, location: Option<&serde_saphyr::Spanned<String>>) {
        if let Some(location) = location
            && let Err(error) = location.value.trim().parse::<Place>()
        {
            self.error(location.referenced, error.to_string());
        }
    }

    fn known_actor(&mut self, actor: &str, at: Position, form: &CaseFile) {
        if !form.actors.contains_key(actor) {
            let known: Vec<&str> = form.actors.keys().map(String::as_str).collect();
            let known = if known.is_empty() { "the case has none".to_owned() } else { known.join(", ") };
            self.error(at, format!("{actor:?} is no actor of the case; known are: {known}"));
        }
    }

    fn aim(&mut self, form: &CaseFile, parameters: &Parameters) {
        match (&form.steps, &form.goal) {
            (Some(_), Some(goal)) => {
                self.error(goal.referenced, "a case has either steps or a goal, not both; remove one of them");
            }
            (None, None) => self.error(Position::new(1, 1), "the case has neither steps nor a goal"),
            _ => {}
        }
        if let Some(steps) = &form.steps {
            if steps.value.is_empty() {
                self.error(steps.referenced, "the list of steps is empty; write at least one instruction");
            }
            for step in &steps.value {
                self.blank(&step.value.text, step.referenced, "the step");
                self.references(&step.value.text, step.referenced.into(), parameters);
                self.condition(step, form, parameters);
            }
        }
        if let Some(goal) = &form.goal {
            self.blank(&goal.value, goal.referenced, "the goal");
            self.references(&goal.value, goal.referenced.into(), parameters);
        }
    }

    /// What a step waits for can be told by looking at the one device there is.
    fn condition(&mut self, step: &serde_saphyr::Spanned<StepFile>, form: &CaseFile, parameters: &Parameters) {
        let (Some(condition), at) = (&step.value.condition, step.referenced) else { return };
        match &condition.shown {
            Some(shown) => {
                self.blank(shown, at, "the text after `when:`");
                self.references(shown, at.into(), parameters);
            }
            None => self.error(
                at,
                "an optional step quotes the text that tells whether it is needed: {step: 'Tap \"Rate later\"', optional: true}; \
                 or write {when: TEXT, steps: […]}",
            ),
        }
        if !form.actors.is_empty() {
            self.error(at, "a case with actors has no steps under a condition: what another does changes the screen");
        }
    }

    fn expectations(&mut self, form: &CaseFile, parameters: &Parameters) {
        let mut steps = form.steps.iter().flat_map(|steps| &steps.value);
        let checks = steps.any(|step| !claims(&step.value.text).is_empty());
        if form.expect.is_empty() && !checks {
            let at = form.steps.as_ref().map(|s| s.referenced).or(form.goal.as_ref().map(|g| g.referenced));
            self.warning(at.map(Position::from).unwrap_or_default(), "the case expects nothing; add `expect:`");
        }
        for outcome in &form.expect {
            for text in outcome.value.expectation.texts() {
                self.blank(text, outcome.referenced, "the expectation's text");
                self.references(text, outcome.referenced.into(), parameters);
            }
        }
        self.contradictions(form, parameters);
        self.contrary_steps(form, parameters);
    }

    /// Expectations that what the steps do can hardly leave true. With several actors the same words may be of two apps.
    fn contrary_steps(&mut self, form: &CaseFile, parameters: &Parameters) {
        let steps: Vec<_> = form.steps.iter().flat_map(|steps| &steps.value).collect();
        let said: Result<Vec<String>, _> = steps.iter().map(|step| parameters.shown(&step.value.text)).collect();
        let Ok(said) = said else { return };
        for outcome in form.expect.iter().filter(|_| form.actors.is_empty()) {
            let Ok(expected) = outcome.value.expectation.shown(parameters) else { continue };
            if let Some((at, why)) = contrary(&said, &expected)
                && let Some(step) = steps.get(at)
            {
                let line = Position::from(step.referenced).line;
                self.warning(outcome.referenced, format!("`{expected}` contradicts the step of line {line}: {why}"));
            }
        }
    }

    /// Two expectations on one device that cannot both hold.
    fn contradictions(&mut self, form: &CaseFile, parameters: &Parameters) {
        for (at, later) in form.expect.iter().enumerate() {
            for earlier in form.expect[..at].iter().filter(|earlier| earlier.value.actor == later.value.actor) {
                let (Ok(one), Ok(other)) =
                    (earlier.value.expectation.shown(parameters), later.value.expectation.shown(parameters))
                else {
                    continue;
                };
                if let Some(why) = one.contradicts(&other) {
                    let line = Position::from(earlier.referenced).line;
                    let message =
                        format!("`{other}` contradicts `{one}` of line {line}: {why}; both must hold at the end");
                    self.error(later.referenced, message);
                }
            }
        }
    }

    /// Reports unknown references, at their own place where the source shows it literally.
    fn references(&mut self, text: &str, at: Position, parameters: &Parameters) {
        for reference in references(text) {
            if parameters.get(reference.name).is_some() {
                continue;
            }
            let written = &text[reference.start..reference.end];
            let place = place_of(self.source, written, at).unwrap_or(at);
            let known = super::error::known_names(parameters);
            self.error(place, format!("{written} names no parameter of the case; {known}"));
        }
    }

    fn parameter_names(&mut self, form: &CaseFile) {
        for (name, parameter) in &form.params {
            if !is_name(name) {
                let message = format!("{name:?} is no parameter name; use letters, digits and '_', a letter first");
                self.error(parameter.referenced, message);
            }
        }
    }

    fn budget(&mut self, form: &CaseFile) -> Option<Budget> {
        let mut budget = Budget::default();
        if let Some(actions) = &form.budget.actions {
            if actions.value == 0 {
                self.error(actions.referenced, "a budget of 0 actions can do nothing; give at least 1");
            }
            budget.actions = actions.value;
        }
        if let Some(attempts) = &form.budget.attempts {
            if attempts.value == 0 {
                self.error(attempts.referenced, "a budget of 0 attempts can do nothing; give at least 1");
            }
            budget.attempts = attempts.value;
        }
        if let Some(time) = &form.budget.time {
            match parse_duration(&time.value) {
                Ok(duration) => budget.time = duration,
                Err(error) => {
                    self.error(time.referenced, error.to_string());
                    return None;
                }
            }
        }
        Some(budget)
    }

    fn tags(&mut self, form: &CaseFile) {
        let mut seen = BTreeSet::new();
        for tag in &form.tags {
            self.blank(&tag.value, tag.referenced, "the tag");
            if !seen.insert(tag.value.as_str()) {
                self.warning(tag.referenced, format!("the tag {:?} is listed twice", tag.value));
            }
        }
    }

    /// Patterns are compared with paths from the repository's top folder, which have neither `..` nor `\`.
    fn touches(&mut self, form: &CaseFile) {
        for pattern in &form.touches {
            self.blank(&pattern.value, pattern.referenced, "the path");
            if pattern.value.contains('\\') || pattern.value.split('/').any(|part| part == "..") {
                let message = format!(
                    "{:?} names no path of the repository; write it from the top folder with '/', such as app/src/login/**",
                    pattern.value
                );
                self.error(pattern.referenced, message);
            }
        }
    }

    /// Steps and expectations are shown everywhere: a secret's value must not stand in them.
    fn spelt_out_secrets(&mut self, form: &CaseFile, parameters: &Parameters) {
        let steps = form.steps.iter().flat_map(|steps| steps.value.iter());
        let mut texts: Vec<(&str, Position)> = vec![(&form.title.value, form.title.referenced.into())];
        for step in steps {
            let shown = step.value.condition.iter().filter_map(|condition| condition.shown.as_deref());
            // What an optional step quotes is told with the step.
            let shown = shown.filter(|shown| !step.value.text.contains(*shown));
            texts.extend(shown.chain([step.value.text.as_str()]).map(|text| (text, Position::from(step.referenced))));
        }
        texts.extend(form.goal.iter().map(|goal| (goal.value.as_str(), Position::from(goal.referenced))));
        for outcome in &form.expect {
            texts.extend(
                outcome.value.expectation.texts().into_iter().map(|text| (text, Position::from(outcome.referenced))),
            );
        }
        for (name, value) in parameters.iter() {
            let ParameterValue::Secret(secret) = value else { continue };
            // Shorter values stand in ordinary words, too.
            if secret.expose().chars().count() < 4 {
                continue;
            }
            for (_, at) in texts.iter().filter(|(text, _)| text.contains(secret.expose())) {
                self.error(*at, format!("the value of the secret {name:?} is written out here; write ${{{name}}}"));
            }
        }
    }

    /// A secret counts as used when a reference names it or one of the words of its name is written in a step, and where a step signs
    /// in, pays or fills something in. The only secret of a case is for whatever sign-in stands in the way, and needs no word.
    fn unused_secrets(&mut self, form: &CaseFile) {
        let is_secret = |parameter: &ParameterFile| matches!(parameter, ParameterFile::Detailed { secret: true, .. });
        if form.params.values().filter(|parameter| is_secret(&parameter.value)).count() < 2 {
            return;
        }
        let steps = || form.steps.iter().flat_map(|steps| steps.value.iter().map(|step| step.value.text.as_str()));
        const TAKING: VerbSet = VerbSet::of(&[Verb::SignIn, Verb::SignUp, Verb::Enter, Verb::Pay]);
        let lexicon = match Lexicon::bundled() {
            Ok(lexicon) => lexicon,
            Err(error) => return self.error(form.id.referenced, error.to_string()),
        };
        let takes = |text: &str| lexicon.verb_set(text).meets(TAKING);
        if steps().any(takes) {
            return;
        }
        let goal = form.goal.iter().map(|goal| goal.value.as_str());
        let expected = form.expect.iter().flat_map(|outcome| outcome.value.expectation.texts());
        let text = steps().chain(goal).chain(expected).collect::<Vec<_>>().join("\n").to_lowercase();
        for (name, parameter) in &form.params {
            if !is_secret(&parameter.value) {
                continue;
            }
            let lower = name.to_lowercase();
            if !lower.split('_').any(|word| word.len() > 2 && text.contains(word)) && !text.contains(&lower) {
                let message = format!("no step or expectation seems to need the secret {name:?}");
                self.warning(parameter.referenced, message);
            }
        }
    }
}

fn is_name(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && name.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Where `written` first stands at or after `from`.
fn place_of(source: &str, written: &str, from: Position) -> Option<Position> {
    let first = usize::try_from(from.line).ok()?.checked_sub(1)?;
    for (index, line) in source.lines().enumerate().skip(first) {
        let skipped = if index == first { usize::try_from(from.column).ok()?.saturating_sub(1) } else { 0 };
        let start = line.char_indices().nth(skipped).map_or(line.len(), |(at, _)| at);
        if let Some(at) = line[start..].find(written) {
            let column = line[..start + at].chars().count() as u64 + 1;
            return Some(Position::new(index as u64 + 1, column));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_problems_of_a_case_are_listed_with_their_lines() {
        let source = "id: A-1\ntitle: ' '\napp: {package: a.b, apk: missing.apk}\ntags: [x, x]\nparams:\n  \
                      pin: {value: '1', secret: true}\n  2nd: y\nsteps:\n  - Open ${nowhere} and ${pin2}\n  - ''\n\
                      goal: z\nexpect:\n  - visible: ''\n  - absent: 'a ${gone}'\nbudget: {actions: 0, time: soon}\n";
        let problems = lint(Path::new("a.case.yaml"), source);
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        for (index, start) in [
            "2:8: error: the title is empty",
            "3:26: warning: the app file missing.apk does not exist",
            "4:11: warning: the tag \"x\"",
            "7:8: error: \"2nd\" is no parameter name",
            "9:10: error: ${nowhere} names no parameter",
            "9:25: error: ${pin2} names no parameter",
            "10:5: error: the step is empty",
            "11:7: error: a case has either steps or a goal",
            "13:5: error: the expectation's text is empty",
            "14:16: error: ${gone} names no parameter",
            "15:19: error: a budget of 0 actions",
            "15:28: error: \"soon\" is not a duration",
        ]
        .into_iter()
        .enumerate()
        {
            assert!(lines.get(index).is_some_and(|line| line.starts_with(start)), "{start} not in {lines:#?}");
        }
        assert_eq!(lines.len(), 12, "{lines:#?}");
    }

    #[test]
    fn a_path_that_leads_out_of_the_repository_is_no_path_that_touches_a_case() {
        let lint = |touches: &str| {
            let source = format!(
                "id: A\ntitle: t\napp: {{package: a.b}}\ntouches: [{touches}]\nsteps: [Tap Bills]\nexpect: [{{visible: x}}]\n"
            );
            lint(Path::new("a.case.yaml"), &source).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(lint("\"app/src/**\", \"*.gradle\""), "");
        for (touches, part) in [("../app", "4:11: error"), ("'a\\b'", "with '/'"), ("' '", "is empty")] {
            assert!(lint(touches).contains(part), "{touches}: {}", lint(touches));
        }
    }

    #[test]
    fn a_secret_nobody_needs_and_a_case_that_expects_nothing_are_warned_about() {
        let source = "id: A\ntitle: t\napp: {package: a.b}\nparams:\n  door_code: {value: '1', secret: true}\n  \
                      alarm_word: {value: '2', secret: true}\nsteps: [Tap Bills]\n";
        let lines: Vec<String> = lint(Path::new("a.case.yaml"), source).iter().map(ToString::to_string).collect();
        assert!(lines.iter().any(|l| l.contains("warning") && l.contains("door_code")), "{lines:?}");
        assert!(lines.iter().any(|l| l.contains("expects nothing")), "{lines:?}");
        let checking = source.replace("[Tap Bills]", "[Tap Bills, Check that \"Bill 7\" is shown]");
        let lines: Vec<String> = lint(Path::new("a.case.yaml"), &checking).iter().map(ToString::to_string).collect();
        assert!(!lines.iter().any(|l| l.contains("expects nothing")), "a check expects something: {lines:?}");
        assert!(Case::parse(Path::new("a.case.yaml"), source).is_ok());
        let used = source.replace("Tap Bills", "Enter the door code");
        assert!(!lint(Path::new("a.case.yaml"), &used).iter().any(|p| p.message.contains("door_code")));
        // The only secret may be for a sign-in that no step speaks of.
        let only = source.replace("alarm_word: {value: '2', secret: true}", "alarm_word: '2'");
        assert!(!lint(Path::new("a.case.yaml"), &only).iter().any(|p| p.message.contains("door_code")));
    }

    #[test]
    fn a_secret_written_out_in_a_step_is_an_error_that_does_not_repeat_it() {
        let source = "id: A\ntitle: t\napp: {package: a.b}\nparams:\n  pin: {value: '8642', secret: true}\n\
                      steps:\n  - Enter PIN 8642\nexpect: [{visible: ok}]\n";
        let problems = lint(Path::new("a.case.yaml"), source);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(
            problems[0].to_string(),
            "7:5: error: the value of the secret \"pin\" is written out here; write ${pin}"
        );
        let refused = Case::parse(Path::new("a.case.yaml"), source).unwrap_err().to_string();
        assert!(refused.contains("Enter PIN ****") && !refused.contains("8642"), "{refused}");
    }

    #[test]
    fn actors_steps_and_expectations_must_fit_together() {
        let case = |rest: &str| {
            let source = format!(
                "id: A\ntitle: t\nactors:\n  rider: {{app: {{package: a.b}}, location: \"48.8,2.3\"}}\n  \
                                  driver: {{app: {{package: a.c}}}}\n{rest}"
            );
            lint(Path::new("a.case.yaml"), &source).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        let fine = "steps: [{actor: rider, step: Ask for a ride}, Wait, {actor: driver, step: Accept}]\n\
                    expect: [{visible: On the way, actor: rider}, {visible: Go}]\npreferences: {decline: [Ads]}\n";
        assert_eq!(case(fine), Vec::<String>::new());
        for (rest, complaint) in [
            ("steps: [Wait]\nexpect: [{visible: x}]\n", "the first step of a case with actors says who does it"),
            ("steps: [{actor: guest, step: Wait}]\nexpect: [{visible: x}]\n", "known are: driver, rider"),
            ("steps: [{actor: rider, step: W}]\nexpect: [{visible: x, actor: guest}]\n", "\"guest\" is no actor"),
            ("steps: [{actor: rider, step: W}]\nexpect: [{visible: x, absent: y}]\n", "says two things"),
            ("steps: [{actor: rider, step: W}]\nexpect: [{seen: x}]\n", "expected one of visible"),
            ("app: {package: a.b}\nsteps: [{actor: rider, step: W}]\nexpect: [{visible: x}]\n", "give exactly one"),
            (
                "steps: [{actor: rider, step: W}]\nexpect: [{visible: x}]\npreferences: {accept: [A], decline: [A]}\n",
                "accepted and declined",
            ),
        ] {
            let found = case(rest);
            assert!(found.iter().any(|problem| problem.contains(complaint)), "{rest}: {found:?}");
        }
        let lost = "id: A\ntitle: t\nactors:\n  rider: {app: {package: a.b}, location: \"Paris\"}\n\
                    steps: [{actor: rider, step: W}]\nexpect: [{visible: x}]\n";
        assert!(lint(Path::new("a.case.yaml"), lost)[0].message.contains("latitude,longitude"));
        let alone = "id: A\ntitle: t\napp: {package: a.b}\nsteps: [{actor: rider, step: W}]\nexpect: [{visible: x}]\n";
        assert!(lint(Path::new("a.case.yaml"), alone)[0].message.contains("the case has none"));
    }

    #[test]
    fn what_a_shell_would_understand_is_refused() {
        let case = |title: &str, package: &str, step: &str, name: &str| {
            let text = format!(
                "id: A\ntitle: {title}\napp: {{package: {package}}}\nparams: {{{name}: x}}\nsteps: [{step}]\nexpect: [{{visible: x}}]\n"
            );
            Case::parse(Path::new("a.case.yaml"), &text).map_err(|error| error.to_string())
        };
        case("t", "a.b", "Tap Bills", "sum").unwrap();
        for (title, package, step, name, told) in [
            ("t", "\"a.b; reboot\"", "Tap Bills", "sum", "is no application id"),
            ("t", "\"a.$(id)\"", "Tap Bills", "sum", "is no application id"),
            ("\"t\\x1b[2J\"", "a.b", "Tap Bills", "sum", "control character"),
            ("t", "a.b", "\"Tap \\x07 Bills\"", "sum", "control character"),
            ("t", "a.b", "Tap Bills", "\"su\\nm\"", "control character"),
        ] {
            let error = case(title, package, step, name).unwrap_err();
            assert!(error.contains(told), "{title} {package} {step} {name}: {error}");
        }
    }
}
