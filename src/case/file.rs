//! The YAML form of a case, and how it becomes a [`Case`].

use super::actors::{ActorFile, OutcomeFile, PreferencesFile};
use super::lint::{Findings, check};
use super::steps::{ConditionFile, StepFile, StepForm, steps};
use super::{
    Actor, Aim, App, Budget, Case, CaseError, Condition, Excerpt, ExpectedOutcome, ParameterValue, Parameters,
    Position, Preferences, Step,
};
use crate::domain::{CaseId, PackageName};
use schemars::JsonSchema;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_saphyr::Spanned;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// A test case in plain language.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CaseFile {
    /// Unique name of the case: letters, digits, '.', '_' and '-'; also the name of its script's folder.
    #[schemars(with = "String", regex(pattern = r"^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$"))]
    pub(super) id: Spanned<String>,
    /// One line that says what the case proves.
    #[schemars(with = "String", length(min = 1))]
    pub(super) title: Spanned<String>,
    /// The app under test. Either this or `actors`.
    #[serde(default)]
    pub(super) app: Option<AppFile>,
    /// Who takes part, by name, each with a device of their own.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, ActorFile>")]
    pub(super) actors: BTreeMap<String, Spanned<ActorFile>>,
    /// What to answer to questions that no step speaks of.
    #[serde(default)]
    pub(super) preferences: PreferencesFile,
    /// What is good to know about the app, a plain sentence each: "To change the theme, open Customize colors".
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) hints: Vec<Spanned<String>>,
    /// Names to select the case by (`--tag`).
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) tags: Vec<Spanned<String>>,
    /// Paths of the repository that a change of could break the case, such as `app/src/login/**` (`gate --changed-since`).
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub(super) touches: Vec<Spanned<String>>,
    /// Values the steps may need, by name.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, ParameterForm>")]
    pub(super) params: BTreeMap<String, Spanned<ParameterFile>>,
    /// What to do, one instruction after another. Either this or `goal`.
    #[serde(default, deserialize_with = "steps")]
    #[schemars(with = "Option<Vec<StepForm>>", length(min = 1))]
    pub(super) steps: Option<Spanned<Vec<Spanned<StepFile>>>>,
    /// What to reach; the agent finds the way. Either this or `steps`.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) goal: Option<Spanned<String>>,
    /// What must hold on the last screen.
    #[serde(default)]
    #[schemars(with = "Vec<OutcomeFile>")]
    pub(super) expect: Vec<Spanned<OutcomeFile>>,
    /// Where the device is: `latitude,longitude` in degrees.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) location: Option<Spanned<String>>,
    /// The most a run may use before it counts as blocked.
    #[serde(default)]
    pub(super) budget: BudgetFile,
}

/// The app under test.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AppFile {
    /// Application id, `com.example.app`.
    #[schemars(with = "String", length(min = 1))]
    pub(super) package: Spanned<String>,
    /// What to install when it is missing, relative to the case file.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) apk: Option<Spanned<String>>,
}

/// The most a run may use.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BudgetFile {
    /// Attempts, each from the start of the app with clean data; 2 unless given, 1 never starts over.
    #[serde(default)]
    #[schemars(with = "Option<u32>", range(min = 1))]
    pub(super) attempts: Option<Spanned<u32>>,
    /// Actions on the device in one attempt; 60 unless given.
    #[serde(default)]
    #[schemars(with = "Option<u32>", range(min = 1))]
    pub(super) actions: Option<Spanned<u32>>,
    /// Wall time of all attempts with a unit, `90s`, `5m` or `1h 30m`; 5 minutes unless given.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub(super) time: Option<Spanned<String>>,
}

/// The schema of a parameter: a value, or a value with its secrecy.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only its schema is used; reading is done by ParameterFile, which gives better errors")]
enum ParameterForm {
    /// The value as text.
    Text(String),
    /// A number, used as it is written.
    Number(f64),
    /// A value with its secrecy.
    Detailed(DetailedParameter),
}

/// A value with its secrecy.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
struct DetailedParameter {
    /// The value.
    value: ParameterScalar,
    /// True: never printed, logged, reported or recorded.
    #[schemars(default)]
    secret: bool,
}

/// A text or a number, used as it is written.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum ParameterScalar {
    Text(String),
    Number(f64),
}

/// A parameter as read. Its `Debug` form shows no value.
pub(super) enum ParameterFile {
    /// Quoted or plain text.
    Text(String),
    /// A number or boolean: what counts is how it is written, which only the source tells.
    AsWritten,
    /// `{value: …, secret: …}`.
    Detailed { value: String, secret: bool },
}

impl fmt::Debug for ParameterFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ParameterFile(***)")
    }
}

impl<'de> Deserialize<'de> for ParameterFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ParameterVisitor)
    }
}

struct ParameterVisitor;

impl<'de> Visitor<'de> for ParameterVisitor {
    type Value = ParameterFile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value, or {value: …, secret: true}")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<ParameterFile, E> {
        Ok(ParameterFile::Text(text.to_owned()))
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<ParameterFile, E> {
        Ok(ParameterFile::AsWritten)
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<ParameterFile, E> {
        Ok(ParameterFile::AsWritten)
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<ParameterFile, E> {
        Ok(ParameterFile::AsWritten)
    }

    fn visit_i128<E: de::Error>(self, _: i128) -> Result<ParameterFile, E> {
        Ok(ParameterFile::AsWritten)
    }

    fn visit_u128<E: de::Error>(self, _: u128) -> Result<ParameterFile, E> {
        Ok(ParameterFile::AsWritten)
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<ParameterFile, E> {
        Ok(ParameterFile::AsWritten)
    }

    fn visit_unit<E: de::Error>(self) -> Result<ParameterFile, E> {
        Err(E::custom("the parameter has no value; write \"\" for an empty one"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ParameterFile, A::Error> {
        let (mut value, mut secret) = (None, false);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "value" => value = Some(map.next_value::<String>()?),
                "secret" => secret = map.next_value()?,
                _ => return Err(de::Error::unknown_field(&key, &["value", "secret"])),
            }
        }
        let value = value.ok_or_else(|| de::Error::missing_field("value"))?;
        Ok(ParameterFile::Detailed { value, secret })
    }
}

/// Reads YAML into its form. The error carries place, expectation and excerpt, and never a parameter's value.
pub(super) fn parse_form(path: &Path, source: &str) -> Result<CaseFile, CaseError> {
    let options = serde_saphyr::options! { with_snippet: false };
    serde_saphyr::from_str_with_options(source, options).map_err(|error| {
        let at = error.location().map_or(Position::new(1, 1), Position::from);
        let text = error.render_with_formatter(&serde_saphyr::UserMessageFormatter);
        let message = without_place(&text, at);
        CaseError::malformed(path, source, at, message)
    })
}

/// The message without the place that the parser adds; ours stands before it.
fn without_place(message: &str, at: Position) -> String {
    let place = format!("line {} column {}", at.line, at.column);
    let comma = format!(" at line {}, column {}", at.line, at.column);
    let cut = message.replace(&format!(" at {place}"), "").replace(&format!("{place}: "), "").replace(&comma, "");
    match cut.trim_start_matches("error: ") {
        "expected sequence start" => "expected a list: lines that begin with '- '".to_owned(),
        "expected mapping start" | "expected mapping" => "expected keys with values: `key: value`".to_owned(),
        "invalid u32" => "expected a whole number".to_owned(),
        "invalid bool" | "invalid boolean" => "expected true or false".to_owned(),
        other => other.to_owned(),
    }
}

impl Case {
    /// Reads a case file.
    pub fn load(path: &Path) -> Result<Self, CaseError> {
        let source = read(path)?;
        Self::parse(path, &source)
    }

    /// Reads a case from its YAML text; `path` is used in errors and to find the app.
    pub fn parse(path: &Path, source: &str) -> Result<Self, CaseError> {
        let form = parse_form(path, source)?;
        let Findings { problems, case } = check(path, source, &form);
        match (problems.into_iter().find(super::Problem::is_error), case) {
            (Some(problem), _) => {
                let excerpt = Excerpt::new(source, problem.at).hiding(&form.parameters(source));
                Err(CaseError::Malformed { path: path.to_owned(), at: problem.at, message: problem.message, excerpt })
            }
            (None, Some(case)) => Ok(case),
            (None, None) => Err(CaseError::malformed(path, source, Position::new(1, 1), "the case is incomplete")),
        }
    }
}

/// Reads a file's text.
pub(super) fn read(path: &Path) -> Result<String, CaseError> {
    std::fs::read_to_string(path).map_err(|source| CaseError::Read { path: path.to_owned(), source })
}

impl CaseFile {
    /// The case, once `id`, `budget` and the rest are known to be right.
    pub(super) fn to_case(&self, path: &Path, source: &str, id: CaseId, budget: Budget) -> Option<Case> {
        let mut doing: Option<String> = None;
        let mut step = |step: &Spanned<StepFile>| {
            doing = step.value.actor.clone().or(doing.take());
            let StepFile { text, condition, .. } = &step.value;
            let condition = condition.as_ref().and_then(|ConditionFile { shown, begins }| {
                Some(Condition { shown: shown.as_ref()?.trim().to_owned(), begins: *begins })
            });
            Step { text: text.trim().to_owned(), actor: doing.clone(), condition, at: step.referenced.into() }
        };
        let aim = match (&self.steps, &self.goal) {
            (Some(steps), None) => Aim::Steps(steps.value.iter().map(&mut step).collect()),
            (None, Some(goal)) => {
                let (text, at) = (goal.value.trim().to_owned(), goal.referenced.into());
                Aim::Goal(Step { text, actor: None, condition: None, at })
            }
            _ => return None,
        };
        let folder = path.parent().unwrap_or_else(|| Path::new(""));
        let app = |form: &AppFile| App {
            package: PackageName::new(form.package.value.trim()),
            apk: form.apk.as_ref().map(|apk| folder.join(&apk.value)),
        };
        let actor = |form: &ActorFile| Actor {
            app: app(&form.app),
            location: form.location.as_ref().map(|location| location.value.trim().to_owned()),
        };
        let actors: BTreeMap<String, Actor> =
            self.actors.iter().map(|(name, form)| (name.clone(), actor(&form.value))).collect();
        let first =
            aim.instructions().first().and_then(|step| actors.get(step.actor.as_ref()?)).or(actors.values().next());
        let app = self.app.as_ref().map(app).or_else(|| first.map(|actor| actor.app.clone()))?;
        let texts = |texts: &[Spanned<String>]| texts.iter().map(|text| text.value.trim().to_owned()).collect();
        Some(Case {
            id,
            title: self.title.value.trim().to_owned(),
            app,
            actors,
            location: self.location.as_ref().map(|location| location.value.trim().to_owned()),
            tags: self.tags.iter().map(|tag| tag.value.clone()).collect(),
            touches: texts(&self.touches),
            params: self.parameters(source),
            preferences: Preferences {
                accept: texts(&self.preferences.accept),
                decline: texts(&self.preferences.decline),
            },
            hints: texts(&self.hints),
            aim,
            expect: self
                .expect
                .iter()
                .map(|e| ExpectedOutcome {
                    expectation: e.value.expectation.clone(),
                    actor: e.value.actor.clone(),
                    at: e.referenced.into(),
                })
                .collect(),
            budget,
            path: path.to_owned(),
        })
    }

    /// Every app the case names, its own or its actors'.
    pub(super) fn apps(&self) -> impl Iterator<Item = &AppFile> {
        self.app.iter().chain(self.actors.values().map(|actor| &actor.value.app))
    }

    /// The parameters; numbers as they are written.
    pub(super) fn parameters(&self, source: &str) -> Parameters {
        let mut parameters = Parameters::default();
        for (name, parameter) in &self.params {
            let value = match &parameter.value {
                ParameterFile::Text(text) => ParameterValue::plain(text.clone()),
                ParameterFile::AsWritten => ParameterValue::plain(as_written(source, parameter)),
                ParameterFile::Detailed { value, secret: true } => ParameterValue::secret(value.clone()),
                ParameterFile::Detailed { value, secret: false } => ParameterValue::plain(value.clone()),
            };
            parameters.insert(name.clone(), value);
        }
        parameters
    }
}

/// The source text of a scalar: `007` stays `007`.
fn as_written<'s, T>(source: &'s str, scalar: &Spanned<T>) -> &'s str {
    let span = scalar.defined.span();
    let start = span.byte_offset().and_then(|n| usize::try_from(n).ok());
    let length = span.byte_len().and_then(|n| usize::try_from(n).ok());
    let text = start.zip(length).and_then(|(start, length)| source.get(start..start.checked_add(length)?));
    text.unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: &str = r#"
id: PAY-0142
title: Bind a bank card without the card
app: {package: com.example.pay, apk: ../apps/pay.app.yaml}
tags: [payment, smoke]
params:
  bank_name: Evergreen Bank
  code: 007700
  payment_password: {value: "135790", secret: true}
  branch: {value: 042}
steps:
  - System requests User to select a bank for card-less binding, and System validates the result feedback from User is selecting bank.
  - Submit payment password ${payment_password}
expect:
  - visible: Card added
  - checked: {widget: Fingerprint, is: true}
  - value: {field: Bank, is: "${bank_name}"}
budget: {actions: 40, time: 5m}
"#;

    fn parse(source: &str) -> Result<Case, CaseError> {
        Case::parse(Path::new("cases/x.case.yaml"), source)
    }

    #[test]
    fn the_case_of_the_design_is_read_whole() {
        let case = parse(FULL).unwrap();
        assert_eq!(case.id.as_str(), "PAY-0142");
        assert_eq!(case.app.apk.as_deref(), Some(Path::new("cases/../apps/pay.app.yaml")));
        assert_eq!(case.params.get("code"), Some(&ParameterValue::plain("007700")));
        assert_eq!(case.params.get("branch"), Some(&ParameterValue::plain("042")));
        assert_eq!(case.aim.instructions()[1].at, Position::new(13, 5));
        assert_eq!(case.budget.actions, 40);
        assert_eq!(case.expect[1].expectation.to_string(), "checked: Fingerprint is on");
        assert_eq!(case.expect[0].at.line, 15);
        assert!(!format!("{case:?}").contains("135790"));
    }

    #[test]
    fn a_goal_stands_in_place_of_steps() {
        let case = parse("id: A\ntitle: t\napp: {package: a.b}\ngoal: Reach the end\n").unwrap();
        assert!(matches!(case.aim, Aim::Goal(ref goal) if goal.text == "Reach the end"));
        assert_eq!(case.budget, Budget::default());
    }

    #[test]
    fn every_malformed_file_is_refused_with_line_column_and_expectation() {
        let head = "id: A\ntitle: t\napp: {package: a.b}\n";
        let mut messages = String::new();
        for (tail, line, column, expected) in [
            ("stepz:\n  - x\n", 4, 1, "stepz"),
            ("steps:\n  - x\n   - y\n  z", 7, 3, "expected ':'"),
            ("steps: text\n", 4, 8, "a list"),
            ("steps: [x]\nbudget: {actions: many}\n", 5, 19, "number"),
            ("steps: [x]\nbudget: {time: 5}\n", 5, 16, "5m"),
            ("steps: [x]\nexpect:\n  - seen: x\n", 6, 5, "visible"),
            ("steps: [x]\ngoal: y\n", 5, 7, "either"),
            ("steps: []\n", 4, 8, "empty"),
            ("tags: [a]\n", 1, 1, "steps"),
            ("steps: [x]\nparams:\n  p: [1, 2]\n", 6, 3, "{value: …, secret: true}"),
            ("steps: [x]\nparams:\n  p: {valu: s3cret, secret: true}\n", 6, 0, "valu"),
            ("steps: [x]\nparams:\n  p: {value: s3cret, secret: maybe}\n", 6, 30, "true or false"),
            ("steps: [x]\nexpect:\n  - checked: {widget: Wi-Fi}\n", 6, 0, "is"),
            ("steps: ['take ${nme}']\nparams: {name: x}\n", 4, 15, "known are: name"),
        ] {
            let error = parse(&format!("{head}{tail}")).expect_err(tail);
            let text = error.to_string();
            let at = error.position().unwrap();
            assert_eq!(at.line, line, "{tail}: {text}");
            assert!(column == 0 || at.column == column, "{tail}: {text}");
            assert!(text.starts_with("cases/x.case.yaml:"), "{text}");
            assert!(text.contains(expected) && text.contains('^'), "{tail}: {text}");
            assert!(!text.contains("s3cret"), "{text}");
            messages.push_str(&text);
            messages.push_str("\n\n");
        }
        insta::assert_snapshot!(messages);
    }

    #[test]
    fn a_bad_id_and_a_missing_key_say_what_is_wanted() {
        let text = parse("id: a b\ntitle: t\napp: {package: a.b}\nsteps: [x]\n").unwrap_err().to_string();
        assert!(text.contains(":1:5:") && text.contains("not a case id"), "{text}");
        let text = parse("id: a\napp: {package: a.b}\nsteps: [x]\n").unwrap_err().to_string();
        assert!(text.contains("title"), "{text}");
        assert!(parse("").is_err());
        assert!(parse("\u{0}\u{1}").is_err());
    }

    #[test]
    fn a_case_on_several_devices_is_read_with_whose_step_is_whose() {
        let case = parse(
            "id: R-1\ntitle: t\nactors:\n  rider: {app: {package: a.rider, apk: ../r.yaml}, location: \"48.85, 2.35\"}\n  \
             driver: {app: {package: a.driver}}\npreferences: {decline: [Add a passenger?], accept: [Allow]}\nsteps:\n  \
             - {actor: rider, step: Ask for a ride}\n  - Wait for a driver\n  - {actor: driver, step: Accept}\n\
             expect:\n  - visible: On the way\n    actor: rider\n  - absent: Error\n",
        )
        .unwrap();
        assert_eq!(case.app.package.to_string(), "a.rider", "the one who begins");
        assert_eq!(case.actors["rider"].location.as_deref(), Some("48.85, 2.35"));
        let whose: Vec<_> = case.aim.instructions().iter().map(|step| step.actor.as_deref().unwrap()).collect();
        assert_eq!(whose, ["rider", "rider", "driver"]);
        assert_eq!(case.expect.iter().map(|e| e.actor.as_deref()).collect::<Vec<_>>(), [Some("rider"), None]);
        assert_eq!(case.preferences.decline, ["Add a passenger?"]);
    }
}
