//! The one value that a case expects to see and no step gives, for the one step that says something without saying what.

use super::parameters::references;
use super::rewrite::{Rewriter, RewrittenStep};
use super::rules::OwedRule;
use super::{Aim, Case, ParameterValue, Parameters};

impl Rewriter {
    /// The instructions of a case, rewritten. `values` are its parameters, or others in their place.
    pub fn rewrite_all(&self, case: &Case, values: &Parameters) -> Vec<RewrittenStep> {
        let instructions = case.aim.instructions();
        let rewrite = |(position, step): (usize, &super::Step)| {
            // A parameter that only a later step marks is not meant by a word that happens to be like its name.
            let unmarked = |name: &str| {
                let mark = format!("${{{name}}}");
                let first = instructions.iter().position(|step| step.text.contains(&mark));
                first.is_none_or(|first| first <= position)
            };
            self.rewrite(&step.text, &values.only(unmarked))
        };
        let mut steps: Vec<RewrittenStep> = instructions.iter().enumerate().map(rewrite).collect();
        let Some(rule) = self.rules().owed.as_ref() else { return steps };
        if let (Aim::Steps(_), Some(name)) = (&case.aim, owed(case, &steps, values))
            && !steps.iter().any(|step| has_word(step, &self.rules().mention.collections))
            && let Some(step) = only(steps.iter_mut().filter(|step| gives_unsaid(step, rule)))
        {
            let mark = format!(" ${{{name}}}");
            for text in [&mut step.instruction, &mut step.sentence] {
                let end = text.trim_end_matches(['.', '!', ' ']).len();
                text.insert_str(end, &mark);
            }
            step.mentions.push(name);
            step.rules.push(rule.name.clone());
        }
        steps
    }
}

/// The only parameter that an expectation speaks of and no step does.
fn owed(case: &Case, steps: &[RewrittenStep], values: &Parameters) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for outcome in &case.expect {
        for text in outcome.expectation.texts() {
            names.extend(references(text).iter().map(|reference| reference.name));
        }
    }
    names.sort_unstable();
    names.dedup();
    let said = |name: &str| steps.iter().any(|step| step.mentions.iter().any(|mention| mention == name));
    let plain = |name: &str| matches!(values.get(name), Some(ParameterValue::Plain(_)));
    only(names.into_iter().filter(|name| plain(name) && !said(name))).map(str::to_owned)
}

/// The step says, writes or types something, and neither a value nor a text of it.
fn gives_unsaid(step: &RewrittenStep, rule: &OwedRule) -> bool {
    let text = step.instruction.to_lowercase();
    let begins = |verb: &String| text.strip_prefix(verb.as_str()).is_some_and(|rest| rest.starts_with(' '));
    let unsaid = step.mentions.is_empty() && step.quoted.is_empty();
    unsaid && !has_word(step, &rule.many) && rule.verbs.iter().any(begins)
}

fn has_word(step: &RewrittenStep, words: &[String]) -> bool {
    let text = step.instruction.to_lowercase();
    text.split(|c: char| !c.is_alphanumeric()).any(|word| words.iter().any(|known| known == word))
}

fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    all.next().filter(|_| all.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn instructions(steps: &str, expect: &str) -> Vec<String> {
        let text = format!(
            "id: T-1\ntitle: t\napp: {{package: com.example.t}}\nparams: {{occasion: Spring picnic, place: Old mill, \
             pin: {{value: \"1357\", secret: true}}}}\nsteps: [{steps}]\nexpect: [{expect}]\n"
        );
        let case = Case::parse(Path::new("t.case.yaml"), &text).unwrap();
        let steps = Rewriter::bundled().unwrap().rewrite_all(&case, &case.params);
        steps.into_iter().map(|step| step.instruction).collect()
    }

    #[test]
    fn the_only_value_that_is_expected_goes_to_the_only_step_that_says_something_unsaid() {
        let found = instructions("Tap Plan, Say why they are asked., Send it", "visible: \"${occasion}\"");
        assert_eq!(found, ["Tap Plan", "Say why they are asked ${occasion}.", "Send it"]);
    }

    #[test]
    fn what_is_said_already_or_might_be_another_is_left_open() {
        let steps = "Say why they are asked, Choose the place";
        let both = "visible: \"${occasion}\", visible: \"${place}\"";
        assert_eq!(instructions(steps, both)[0], "Say why they are asked ${occasion}", "the place is said");
        assert_eq!(instructions("Say why they are asked", both)[0], "Say why they are asked", "either may be meant");
        for steps in [
            "Say why they are asked, Write where it is",
            "Say why they are asked, 'Type \"Hello\" for ${occasion}'",
            "Say why they are asked, Fill in the details",
            "Write everything",
            "Open the list",
        ] {
            let found = instructions(steps, "visible: \"${occasion}\"");
            assert!(!found[0].contains("${occasion}"), "{found:?}");
        }
        assert_eq!(
            instructions("Say the word", "visible: \"${pin}\""),
            ["Say the word"],
            "a secret is asked for by name"
        );
    }
}
