//! The YAML forms of steps: an instruction, one with its actor, one that may be left out, and several under one condition.
//!
//! What is read is flat: each step says under which condition it is done.

use super::mention::{quotations, quoted_text};
use schemars::JsonSchema;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_saphyr::Spanned;
use std::fmt;

/// The schema of a step: a text, a text with its actor or its need, or several under a condition.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only its schema is used; reading is done by StepItem, which gives better errors")]
pub(super) enum StepForm {
    /// The instruction; whoever did the step before does it.
    Text(String),
    /// Who does what.
    OfActor(StepOfActor),
    /// What is left out where the text that it quotes is not shown.
    Optional(OptionalStep),
    /// Several steps that are done only where a text is shown.
    Conditional(ConditionalSteps),
}

/// Who does what.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct StepOfActor {
    /// One of `actors`.
    actor: String,
    /// The instruction.
    step: String,
}

/// A step that is left out where the text that it quotes is not shown.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct OptionalStep {
    /// The instruction, with a text in quotation marks.
    step: String,
    /// True: it may be left out.
    optional: bool,
}

/// Steps that are done only where a text is shown when their turn comes.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
pub(super) struct ConditionalSteps {
    /// The text.
    when: String,
    /// The instructions.
    #[schemars(length(min = 1))]
    steps: Vec<String>,
}

/// A step as read.
#[derive(Debug)]
pub(super) struct StepFile {
    pub(super) actor: Option<String>,
    pub(super) text: String,
    pub(super) condition: Option<ConditionFile>,
}

/// Under which condition a step is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ConditionFile {
    /// The text that must be shown; `None` where an optional step quotes none, which is an error.
    pub(super) shown: Option<String>,
    /// The step, from 1, with which those under it begin.
    pub(super) begins: usize,
}

/// A list of steps, those under a condition taken out of it.
pub(super) fn steps<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Spanned<Vec<Spanned<StepFile>>>>, D::Error> {
    let Some(listed) = Option::<Spanned<Vec<Spanned<StepItem>>>>::deserialize(deserializer)? else { return Ok(None) };
    let (referenced, defined) = (listed.referenced, listed.defined);
    let mut flat: Vec<Spanned<StepFile>> = Vec::new();
    for item in listed.value {
        let begins = flat.len() + 1;
        match item.value {
            StepItem::One { actor, text, optional } => {
                let shown = || quotations(&text).first().map(|quotation| quoted_text(&text, quotation));
                let condition = optional.then(|| ConditionFile { shown: shown(), begins });
                flat.push(Spanned::new(StepFile { actor, text, condition }, item.referenced, item.defined));
            }
            StepItem::Several { when, steps } => {
                let condition = ConditionFile { shown: Some(when), begins };
                flat.extend(steps.into_iter().map(|step| {
                    let file = StepFile { actor: None, text: step.value, condition: Some(condition.clone()) };
                    Spanned::new(file, step.referenced, step.defined)
                }));
            }
        }
    }
    Ok(Some(Spanned::new(flat, referenced, defined)))
}

/// What stands in the list of steps.
#[derive(Debug)]
enum StepItem {
    One { actor: Option<String>, text: String, optional: bool },
    Several { when: String, steps: Vec<Spanned<String>> },
}

impl<'de> Deserialize<'de> for StepItem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StepVisitor)
    }
}

struct StepVisitor;

impl<'de> Visitor<'de> for StepVisitor {
    type Value = StepItem;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an instruction, {actor: …, step: …}, {step: …, optional: true}, or {when: …, steps: […]}")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<StepItem, E> {
        Ok(StepItem::One { actor: None, text: text.to_owned(), optional: false })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<StepItem, A::Error> {
        let (mut actor, mut step, mut optional) = (None, None, None);
        let (mut when, mut several) = (None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "actor" => actor = Some(map.next_value::<String>()?),
                "step" => step = Some(map.next_value::<String>()?),
                "optional" => optional = Some(map.next_value::<bool>()?),
                "when" => when = Some(map.next_value::<String>()?),
                "steps" => several = Some(map.next_value::<Vec<Spanned<String>>>()?),
                _ => {
                    return Err(de::Error::custom(format!(
                        "unknown key {key:?} of a step; write the instruction as text (in quotes when it holds a \": \"), \
                         {{actor: …, step: …}}, {{step: …, optional: true}}, or {{when: …, steps: […]}}"
                    )));
                }
            }
        }
        match (when, several, step) {
            (Some(when), Some(steps), None) if actor.is_none() && optional.is_none() && !steps.is_empty() => {
                Ok(StepItem::Several { when, steps })
            }
            (None, None, Some(text)) => Ok(StepItem::One { actor, text, optional: optional.unwrap_or(false) }),
            (None, None, None) => Err(de::Error::missing_field("step")),
            _ => Err(de::Error::custom(
                "steps under a condition are {when: TEXT, steps: [instruction, …]}: a text to be shown, and what is done then",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::case::{Case, CaseError, Condition};
    use std::path::Path;

    fn parse(steps: &str) -> Result<Case, CaseError> {
        let text = format!(
            "id: T-1\ntitle: t\napp: {{package: a.b}}\nparams: {{who: Ann, pin: {{value: '4711', secret: true}}}}\n\
             steps:\n{steps}expect: [{{visible: \"${{who}} ${{pin}}\"}}]\n"
        );
        Case::parse(Path::new("t.case.yaml"), &text)
    }

    #[test]
    fn steps_say_under_which_condition_they_are_done() {
        let case = parse(
            "  - Open the shop\n  - {step: 'Tap \"Not now\"', optional: true}\n  - when: Hello ${who}\n    steps:\n      \
             - Tap \"Start\"\n      - Check that \"Home\" is shown\n  - Close it\n",
        )
        .unwrap();
        let told: Vec<(&str, Option<(&str, usize)>)> = case
            .aim
            .instructions()
            .iter()
            .map(|step| {
                let condition = step.condition.as_ref().map(|Condition { shown, begins }| (shown.as_str(), *begins));
                (step.text.as_str(), condition)
            })
            .collect();
        assert_eq!(
            told,
            [
                ("Open the shop", None),
                ("Tap \"Not now\"", Some(("Not now", 2))),
                ("Tap \"Start\"", Some(("Hello ${who}", 3))),
                ("Check that \"Home\" is shown", Some(("Hello ${who}", 3))),
                ("Close it", None),
            ]
        );
        assert_eq!(case.aim.instructions()[3].at.line, 11, "each keeps its own line");
    }

    #[test]
    fn a_condition_that_cannot_be_told_is_refused_with_its_place() {
        for (steps, line, told) in [
            ("  - {step: Decline the offer, optional: true}\n", 6, "quotes the text"),
            ("  - {when: '', steps: [A]}\n", 6, "is empty"),
            ("  - {when: 'Hello ${you}', steps: [A]}\n", 6, "${you} names no parameter"),
            ("  - {when: 'PIN 4711', steps: [A]}\n", 6, "the secret \"pin\" is written out"),
            ("  - {when: Hello, steps: []}\n", 6, "{when: TEXT, steps:"),
            ("  - {when: Hello, step: A}\n", 6, "{when: TEXT, steps:"),
            ("  - {when: Hello}\n", 6, "{when: TEXT, steps:"),
            ("  - {step: A, unless: B}\n", 6, "unknown key \"unless\""),
        ] {
            let error = parse(steps).unwrap_err();
            assert!(error.to_string().contains(told), "{steps}: {error}");
            assert_eq!(error.position().map(|at| at.line), Some(line), "{steps}: {error}");
        }
        let company = "id: T-1\ntitle: t\nactors: {ann: {app: {package: a.b}}}\nsteps:\n  - {actor: ann, step: Begin}\n  \
                       - {when: Hello, steps: [A]}\nexpect: [{visible: x}]\n";
        let error = Case::parse(Path::new("t.case.yaml"), company).unwrap_err().to_string();
        assert!(error.contains("with actors"), "{error}");
    }

    #[test]
    fn a_case_under_another_condition_is_another_case() {
        let digest = |steps: &str| parse(steps).unwrap().digest();
        let plain = digest("  - Tap \"Not now\"\n");
        let optional = digest("  - {step: 'Tap \"Not now\"', optional: true}\n");
        assert_ne!(plain, optional);
        assert_eq!(digest("  - {step: 'Tap \"Not now\"', optional: false}\n"), plain);
        assert_eq!(digest("  - {when: Not now, steps: ['Tap \"Not now\"']}\n"), optional, "the same, said longer");
    }
}
