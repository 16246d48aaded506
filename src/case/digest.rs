//! A case in one short word: the same as long as it asks for the same and expects the same.

use super::{Aim, Case, Condition, ParameterValue};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

impl Case {
    /// 32 hexadecimal digits of what is done and expected. Title, tags, hints, budget, layout of the file and the values
    /// of secrets do not count.
    pub fn digest(&self) -> String {
        let mut told = self.told_to_do();
        for expected in &self.expect {
            told.line(&["expect", expected.actor.as_deref().unwrap_or_default(), &expected.expectation.to_string()]);
        }
        told.digest()
    }

    /// The same of what is done alone: a case that only expects something else has the same one.
    pub fn digest_of_steps(&self) -> String {
        self.told_to_do().digest()
    }

    fn told_to_do(&self) -> Told {
        let mut told = Told::default();
        told.line(&["app", self.app.package.as_str(), self.location.as_deref().unwrap_or_default()]);
        for (name, actor) in &self.actors {
            let at = actor.location.as_deref().unwrap_or_default();
            told.line(&["actor", name, actor.app.package.as_str(), at]);
        }
        let kind = if matches!(self.aim, Aim::Goal(_)) { "goal" } else { "step" };
        for step in self.aim.instructions() {
            told.line(&[kind, step.actor.as_deref().unwrap_or_default(), &step.text]);
            if let Some(Condition { shown, begins }) = &step.condition {
                told.line(&["when", shown, &begins.to_string()]);
            }
        }
        for (name, value) in self.params.iter() {
            match value {
                ParameterValue::Plain(value) => told.line(&["param", name, value]),
                ParameterValue::Secret(_) => told.line(&["secret", name]),
            }
        }
        told
    }
}

/// What a case says, each part on a line of its own, quoted, so that two different cases never read alike.
#[derive(Default)]
struct Told(String);

impl Told {
    fn line(&mut self, words: &[&str]) {
        let quoted: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
        self.0.push_str(&quoted.join(" "));
        self.0.push('\n');
    }

    fn digest(&self) -> String {
        Sha256::digest(self.0.as_bytes()).iter().take(16).fold(String::new(), |mut hex, byte| {
            // Writing to a text never fails.
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    const CASE: &str = "id: T-1\ntitle: Pay\napp: {package: a.b}\nparams: {sum: '5', pin: {value: '1234', secret: true}}\n\
                        steps: [\"Pay ${sum}\", \"Enter ${pin}\"]\nexpect: [{visible: Done}]\n";

    fn digest(text: &str) -> String {
        Case::parse(Path::new("t.case.yaml"), text).unwrap().digest()
    }

    #[test]
    fn a_case_that_asks_for_or_expects_something_else_has_another_digest() {
        let digest_of = digest(CASE);
        assert_eq!(digest_of.len(), 32);
        for (from, to) in [("title: Pay", "title: Pay now"), ("'1234'", "'9999'"), ("steps: [", "steps:   [")] {
            assert_eq!(digest(&CASE.replace(from, to)), digest_of, "{to}");
        }
        for (from, to) in
            [("Done", "Gone"), ("'5'", "'6'"), ("Pay ${sum}", "Send ${sum}"), ("a.b", "a.c"), ("visible", "absent")]
        {
            assert_ne!(digest(&CASE.replace(from, to)), digest_of, "{to}");
        }
    }

    #[test]
    fn what_is_expected_is_no_part_of_what_is_done() {
        let of_steps = |text: &str| Case::parse(Path::new("t.case.yaml"), text).unwrap().digest_of_steps();
        let whole = of_steps(CASE);
        assert_ne!(whole, digest(CASE));
        assert_eq!(of_steps(&CASE.replace("Done", "Gone")), whole);
        for (from, to) in [("'5'", "'6'"), ("Pay ${sum}", "Send ${sum}"), ("a.b", "a.c")] {
            assert_ne!(of_steps(&CASE.replace(from, to)), whole, "{to}");
        }
    }
}
