//! From a case to what the agent works on: parameters put in, steps rewritten.

use super::build::{Before, Build, BuildError, InstallWay};
use crate::case::{
    Aim, Budget, Case, Condition, OverrideError, ParameterValue, Parameters, Preferences, Rewriter, RewrittenStep,
    UnknownReference, claims_with,
};
use crate::domain::{CaseId, Expectation, NoPlace, PackageName, Place, Secret};
use crate::pipeline::{Parameter, Step};
use crate::strings::Bridge;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A case ready to be run.
#[derive(Debug, Clone)]
pub struct PlannedCase {
    /// The case.
    pub id: CaseId,
    /// Its title.
    pub title: String,
    /// What it asks for and expects, in one word.
    pub digest: String,
    /// The same of what it asks for alone.
    pub digest_of_steps: String,
    /// The app under test.
    pub package: PackageName,
    /// What to install.
    pub apk: Option<PathBuf>,
    /// What is there before it.
    pub before: Before,
    /// Where the device is to be; each actor has a place of their own.
    pub location: Option<Place>,
    /// Who takes part where it takes several devices; empty for one.
    pub cast: Vec<PlannedActor>,
    /// Whose turn each step is; empty for one device.
    pub turns: Vec<String>,
    /// On whose device each expectation is checked; empty for one device.
    pub witnesses: Vec<String>,
    /// The only step is a goal: the way is the agent's.
    pub is_goal: bool,
    /// The steps, rewritten.
    pub steps: Vec<Step>,
    /// Under which condition each step is done; `None`: always. Plain values put in, secrets as `${name}`.
    pub conditions: Vec<Option<Condition>>,
    /// The steps taken apart: what is done one after another. Those of one step have its index.
    pub clauses: Vec<Step>,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The secrets among them, by name.
    pub secrets: BTreeMap<String, Secret>,
    /// What to answer to questions that no step speaks of.
    pub preferences: Preferences,
    /// What must hold at the end: plain values put in, secrets as `${name}`.
    pub expectations: Vec<Expectation>,
    /// What it may use.
    pub budget: Budget,
}

/// Someone who takes part, with a device of their own.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedActor {
    /// Their name in the case.
    pub name: String,
    /// The app they use.
    pub package: PackageName,
    /// What to install.
    pub apk: Option<PathBuf>,
    /// What is there before it.
    pub before: Before,
    /// Where their device is to be.
    pub location: Option<Place>,
}

/// Who does each step, and on whose device each expectation is checked: whoever did the step before, unless it is said.
fn turns(case: &Case) -> (Vec<String>, Vec<String>) {
    let Some(first) = case.actors.keys().next() else { return (Vec::new(), Vec::new()) };
    let mut now = first.clone();
    let mut turns = Vec::new();
    for step in case.aim.instructions() {
        now = step.actor.clone().unwrap_or(now);
        turns.push(now.clone());
    }
    let witnesses = case.expect.iter().map(|outcome| outcome.actor.clone().unwrap_or_else(|| now.clone())).collect();
    (turns, witnesses)
}

/// Why a case cannot be run as it stands.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// An override names no parameter of the case.
    #[error(transparent)]
    Override(#[from] OverrideError),
    /// A location is none.
    #[error("{case}: {source}")]
    Location {
        /// The case.
        case: CaseId,
        /// Why.
        source: NoPlace,
    },
    /// A text names no parameter of the case.
    #[error("{case}: {source}")]
    Reference {
        /// The case.
        case: CaseId,
        /// Which one.
        source: UnknownReference,
    },
}

/// Long numbers (card, phone, ID) are typed; nobody looks for them on a label.
fn can_be_shown(value: &str) -> bool {
    value.chars().any(char::is_alphabetic) || value.chars().filter(char::is_ascii_digit).count() < 6
}

/// A text of a case, rewritten.
struct Said<'a> {
    instruction: &'a str,
    sentence: &'a str,
    mentions: &'a [String],
    quoted: &'a [String],
}

impl Said<'_> {
    /// The step it is, parameters put in; index and original are still missing.
    fn step(&self, values: &Parameters) -> Result<Step, UnknownReference> {
        let (mut named, mut quoted): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for text in self.quoted {
            let shown = values.shown(text)?;
            // A parameter in quotation marks is that parameter.
            let is_mark = self.mentions.iter().any(|name| *text == format!("${{{name}}}"));
            if !is_mark {
                quoted.push(shown.clone());
                named.push(shown);
            }
        }
        for name in self.mentions {
            if let Some(ParameterValue::Plain(value)) = values.get(name)
                && !named.contains(value)
                && can_be_shown(value)
            {
                named.push(value.clone());
            }
        }
        Ok(Step {
            instruction: values.spoken(self.instruction)?,
            sentence: values.spoken(self.sentence)?,
            mentions: self.mentions.to_vec(),
            quoted,
            named,
            ..Step::default()
        })
    }
}

/// The template's first phrase where the second one is the action; else it is the instruction itself.
fn context(rewritten: &RewrittenStep, values: &Parameters) -> Result<String, UnknownReference> {
    let beside = rewritten.sentence == rewritten.instruction;
    values.spoken(rewritten.context.as_deref().filter(|_| beside).unwrap_or_default())
}

/// A parameter that a later step mentions waits for that step. A step that only checks takes none.
fn reserve(steps: &mut [Step], only_checks: impl Fn(&Step) -> bool) {
    let mut later: Vec<String> = Vec::new();
    for step in steps.iter_mut().rev() {
        step.reserved = later.iter().filter(|name| !step.mentions.contains(name)).cloned().collect();
        if !only_checks(step) {
            later.extend(step.mentions.iter().cloned());
        }
    }
}

impl PlannedCase {
    /// Plans `case` with some parameters replaced.
    pub fn new(case: &Case, rewriter: &Rewriter, overrides: &BTreeMap<String, String>) -> Result<Self, PlanError> {
        let values = case.params.overridden(overrides)?;
        let unknown = |source| PlanError::Reference { case: case.id.clone(), source };
        let (mut steps, mut clauses, mut conditions) = (Vec::new(), Vec::new(), Vec::new());
        let mut last_named = None;
        let rewritten = rewriter.rewrite_all(case, &values);
        for (position, (step, rewritten)) in case.aim.instructions().iter().zip(rewritten).enumerate() {
            let whole = Said {
                instruction: &rewritten.instruction,
                sentence: &rewritten.sentence,
                mentions: &rewritten.mentions,
                quoted: &rewritten.quoted,
            };
            let original = values.shown(&step.text).map_err(unknown)?;
            let hints = case.hints.clone();
            let context = context(&rewritten, &values).map_err(unknown)?;
            let claimed = |text: &str| claims_with(text, &step.text, &values).map_err(unknown);
            let claims = claimed(&rewritten.instruction)?;
            let whole =
                Step { index: position + 1, original, hints, context, claims, ..whole.step(&values).map_err(unknown)? };
            let parts = rewriter.clauses(&rewritten.instruction, &values, &mut last_named);
            let mut own = Vec::new();
            for part in &parts {
                let said = Said {
                    instruction: &part.text,
                    sentence: &part.text,
                    mentions: &part.mentions,
                    quoted: &part.quoted,
                };
                let (index, original, hints) = (whole.index, whole.original.clone(), whole.hints.clone());
                let claims = claimed(&part.text)?;
                own.push(Step {
                    index,
                    original,
                    hints,
                    claims,
                    quantity: part.quantity,
                    ..said.step(&values).map_err(unknown)?
                });
            }
            // A step that says one thing keeps its own words.
            if own.len() == 1 && parts.iter().all(|part| part.text == rewritten.instruction && part.quantity.is_none())
            {
                own = vec![whole.clone()];
            }
            clauses.extend(own);
            steps.push(whole);
            let condition = step.condition.as_ref();
            let shown = |condition: &Condition| Ok(Condition { shown: values.shown(&condition.shown)?, ..*condition });
            conditions.push(condition.map(shown).transpose().map_err(unknown)?);
        }
        let acting: BTreeSet<usize> =
            clauses.iter().filter(|clause| clause.claims.is_empty()).map(|clause| clause.index).collect();
        reserve(&mut steps, |step| !acting.contains(&step.index));
        reserve(&mut clauses, |clause| !clause.claims.is_empty());
        let mut expectations = Vec::new();
        for outcome in &case.expect {
            expectations.push(outcome.expectation.shown(&values).map_err(unknown)?);
        }
        let parameters = values
            .iter()
            .map(|(name, value)| Parameter { name: name.to_owned(), value: value.to_input(name) })
            .collect();
        let secrets = values
            .iter()
            .filter_map(|(name, value)| match value {
                ParameterValue::Secret(secret) => Some((name.to_owned(), secret.clone())),
                ParameterValue::Plain(_) => None,
            })
            .collect();
        let place = |text: &Option<String>| {
            let place = text.as_deref().map(str::parse).transpose();
            place.map_err(|source| PlanError::Location { case: case.id.clone(), source })
        };
        let mut cast = Vec::new();
        for (name, actor) in &case.actors {
            cast.push(PlannedActor {
                name: name.clone(),
                package: actor.app.package.clone(),
                apk: actor.app.apk.clone(),
                before: Before::Anything,
                location: place(&actor.location)?.or(place(&case.location)?),
            });
        }
        let (turns, witnesses) = turns(case);
        Ok(Self {
            id: case.id.clone(),
            title: case.title.clone(),
            digest: case.digest(),
            digest_of_steps: case.digest_of_steps(),
            package: case.app.package.clone(),
            apk: case.app.apk.clone(),
            before: Before::Anything,
            location: place(&case.location)?,
            cast,
            turns,
            witnesses,
            is_goal: matches!(case.aim, Aim::Goal(_)),
            steps,
            conditions,
            clauses,
            parameters,
            secrets,
            preferences: case.preferences.clone(),
            expectations,
            budget: case.budget,
        })
    }
}

impl PlannedCase {
    /// What is worked on, one after another: a goal as one thing, else the clauses of the steps.
    pub(crate) fn tasks(&self) -> &[Step] {
        if self.is_goal { &self.steps } else { &self.clauses }
    }
}

/// A step whose named texts are what the app calls them in its own language, where they are texts of the display's.
pub(super) fn in_own_words(step: &Step, bridge: &Bridge) -> Step {
    let mut step = step.clone();
    let names: Vec<(String, String)> =
        step.named.iter().chain(&step.quoted).filter_map(|name| Some((name.clone(), bridge.named(name)?))).collect();
    for (shown, own) in names {
        for name in step.named.iter_mut().chain(&mut step.quoted).filter(|name| **name == shown) {
            name.clone_from(&own);
        }
        step.instruction = step.instruction.replace(&shown, &own);
        step.sentence = step.sentence.replace(&shown, &own);
    }
    step
}

impl PlannedCase {
    /// The case for an agent who reads the screen in the app's own language.
    pub(super) fn in_own_words(&self, bridge: &Bridge) -> Self {
        let mut case = self.clone();
        for step in case.steps.iter_mut().chain(&mut case.clauses) {
            *step = in_own_words(step, bridge);
        }
        case
    }

    /// Adds what the workspace says about apps to what the case says.
    pub fn add_hints(&mut self, hints: &[String]) {
        for step in &mut self.steps {
            step.hints.extend(hints.iter().cloned());
        }
    }

    /// Installs these files in place of those the case names, by package.
    ///
    /// # Errors
    /// `way` needs a file that is not there.
    pub fn install(&mut self, apks: &BTreeMap<PackageName, PathBuf>, way: InstallWay) -> Result<(), BuildError> {
        let choose = |package: &PackageName, apk: &mut Option<PathBuf>, before: &mut Before| {
            let given = apks.get(package).map(PathBuf::as_path);
            if let Some(build) = Build::choose(package, apk.as_deref(), given, way)? {
                (*apk, *before) = (Some(build.file), build.before);
            }
            Ok(())
        };
        if self.cast.is_empty() {
            choose(&self.package, &mut self.apk, &mut self.before)?;
        }
        self.cast.iter_mut().try_for_each(|actor| choose(&actor.package, &mut actor.apk, &mut actor.before))
    }

    /// What to install; `None` where the app is used as it is.
    pub(super) fn build(&self) -> Option<Build> {
        self.apk.clone().map(|file| Build { file, before: self.before.clone() })
    }
}

impl PlannedActor {
    /// What to install; `None` where the app is used as it is.
    pub(super) fn build(&self) -> Option<Build> {
        self.apk.clone().map(|file| Build { file, before: self.before.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn planned(overrides: &[(&str, &str)]) -> Result<PlannedCase, PlanError> {
        let case = Case::parse(
            Path::new("t.case.yaml"),
            "id: T-1\ntitle: t\napp: {package: com.example.t}\nparams:\n  bank_name: Oak Bank\n  \
             phone: \"13800138000\"\n  pin: {value: \"135790\", secret: true}\nsteps:\n  - Fill in the form\n  - Select \
             the bank ${bank_name}\n  - Enter ${phone}\n  - Submit ${pin}\nexpect:\n  - visible: ${bank_name}\n  - \
             absent: ${pin}\n",
        )
        .unwrap();
        let overrides = overrides.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        PlannedCase::new(&case, &Rewriter::bundled().unwrap(), &overrides)
    }

    #[test]
    fn a_parameter_waits_for_the_later_step_that_mentions_it() {
        let steps = planned(&[]).unwrap().steps;
        let mut reserved = steps[0].reserved.clone();
        reserved.sort();
        assert_eq!(reserved, ["bank_name", "phone", "pin"]);
        assert_eq!(steps[3].reserved, Vec::<String>::new());
    }

    #[test]
    fn a_value_is_looked_for_on_labels_unless_it_can_only_be_typed() {
        let steps = planned(&[]).unwrap().steps;
        assert_eq!(steps[1].named, ["Oak Bank"]);
        assert_eq!(steps[2].named, Vec::<String>::new());
    }

    #[test]
    fn a_parameter_in_quotation_marks_is_that_parameter_and_no_text_of_its_own() {
        let case = Case::parse(
            Path::new("t.case.yaml"),
            "id: T-1\ntitle: t\napp: {package: com.example.t}\nparams:\n  what: pizza\nsteps:\n  - Search for \"${what}\" \
             in \"Food near ${what}\"\n",
        )
        .unwrap();
        let planned = PlannedCase::new(&case, &Rewriter::bundled().unwrap(), &BTreeMap::new()).unwrap();
        assert_eq!(planned.steps[0].quoted, ["Food near pizza"]);
        assert_eq!(planned.steps[0].mentions, ["what"]);
    }

    #[test]
    fn a_text_named_in_the_displays_language_is_the_apps_own() {
        use crate::strings::{Locale, StringTable};
        let mut table = StringTable::new(Locale::parse("en"));
        for (locale, text) in [("en", "Oak Bank of America"), ("es", "Oak Bank")] {
            table.add("bank", &Locale::parse(locale), text);
        }
        let bridge = Bridge::new(&table, &Locale::parse("es-MX")).unwrap();
        let before = planned(&[]).unwrap();
        let case = before.in_own_words(&bridge);
        assert_eq!(case.steps[1].named, ["Oak Bank of America"]);
        assert!(case.steps[1].instruction.ends_with("Oak Bank of America"), "{}", case.steps[1].instruction);
        assert_eq!((&case.steps[0], &case.expectations), (&before.steps[0], &before.expectations));
        assert_eq!(case.steps[1].original, before.steps[1].original, "what the case says stays what it says");
    }

    #[test]
    fn a_secret_is_in_no_text_of_the_plan() {
        let planned = planned(&[]).unwrap();
        assert!(!format!("{planned:?}").contains("135790"));
        assert_eq!(planned.expectations[1], Expectation::Absent("${pin}".into()));
        assert_eq!(planned.secrets["pin"].expose(), "135790");
    }

    #[test]
    fn overrides_replace_values_and_unknown_ones_are_refused() {
        let planned = planned(&[("bank_name", "Elm Bank")]).unwrap();
        assert_eq!(planned.expectations[0], Expectation::Visible("Elm Bank".into()));
        assert!(super::tests::planned(&[("bank", "x")]).unwrap_err().to_string().contains("bank"));
    }
}
