//! Rewriting rules that a workspace adds in its `tapwright.toml`: templates of its own, and what goes without saying in its
//! cases.

use super::rules::{Named, RewriteRules, RulesError, Supplement, Template, compile};
use serde::Deserialize;

/// The rules, uncompiled.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OwnRules {
    /// Sentences that cases are written in; tried before the bundled one.
    pub templates: Vec<OwnTemplate>,
    /// What is added to instructions; after the bundled ones.
    pub supplements: Vec<OwnSupplement>,
}

/// A sentence that cases are written in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnTemplate {
    /// Its name, as `cases lint --explain` prints it.
    pub name: String,
    /// Why it exists.
    pub explain: String,
    /// A regular expression with the group `instruction`, what the user does, and if need be `context`, where.
    pub pattern: String,
}

/// What is added to an instruction.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnSupplement {
    /// Its name.
    pub name: String,
    /// Why it exists.
    pub explain: String,
    /// A regular expression with the group `phrase`, behind which the text is added.
    pub when: String,
    /// Instructions that this fits are left alone.
    pub unless: Option<String>,
    /// The text.
    pub insert: String,
}

impl RewriteRules {
    /// These rules and a workspace's own.
    pub fn with(mut self, own: &OwnRules) -> Result<Self, RulesError> {
        let mut templates = Vec::new();
        for template in &own.templates {
            self.is_new(&template.name, templates.iter().map(|known: &Template| &known.rule.name))?;
            let rule = Named { name: template.name.clone(), explain: template.explain.clone() };
            let pattern = compile(&template.name, &template.pattern, &["instruction"])?;
            templates.push(Template { rule, pattern, result_may_be_all: false });
        }
        templates.append(&mut self.templates);
        self.templates = templates;
        for supplement in &own.supplements {
            self.is_new(&supplement.name, std::iter::empty())?;
            let rule = Named { name: supplement.name.clone(), explain: supplement.explain.clone() };
            let when = compile(&supplement.name, &supplement.when, &["phrase"])?;
            let unless = supplement.unless.as_deref().map(|text| compile(&supplement.name, text, &[])).transpose()?;
            self.supplements.push(Supplement { rule, when, unless, insert: supplement.insert.clone() });
        }
        Ok(self)
    }

    fn is_new<'a>(&self, name: &str, mut others: impl Iterator<Item = &'a String>) -> Result<(), RulesError> {
        if self.explain(name).is_some() || others.any(|other| other == name) {
            return Err(RulesError::Twice { rule: name.to_owned() });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{Parameters, Rewriter};

    fn rewriter(text: &str) -> Result<Rewriter, RulesError> {
        RewriteRules::bundled().unwrap().with(&toml::from_str(text).unwrap()).map(Rewriter::new)
    }

    const GHERKIN: &str = r#"
        [[templates]]
        name = "when"
        explain = "given where the user is, when the user does something"
        pattern = '^(?:Given (?:the user is )?on (?P<context>.+?), )?[Ww]hen the user (?P<instruction>.+)$'
        [[supplements]]
        name = "vip"
        explain = "a VIP is told apart by the second tab"
        when = '(?i)\bas (?P<phrase>a vip)\b'
        insert = " on the second tab"
    "#;

    #[test]
    fn a_workspaces_own_sentence_is_taken_apart_and_named() {
        let rewriter = rewriter(GHERKIN).unwrap();
        let nothing = Parameters::default();
        let step = rewriter.rewrite("Given the user is on the cart page, when the user taps Pay as a VIP", &nothing);
        assert_eq!(step.context.as_deref(), Some("the cart page"));
        assert_eq!(step.instruction, "Taps Pay as a VIP on the second tab");
        assert_eq!(step.rules, ["when", "vip"]);
        let step = rewriter.rewrite("When the user selecting a bank", &nothing);
        assert_eq!((step.context, step.instruction.as_str()), (None, "Select a bank"));
        assert_eq!(rewriter.rewrite("Open the cart", &nothing).instruction, "Open the cart");
        assert!(rewriter.rules().explain("when").is_some() && rewriter.rules().explain("vip").is_some());
    }

    #[test]
    fn the_bundled_sentence_is_still_understood() {
        let text = "System requests User to select a bank, and System validates the result feedback from User is selecting bank.";
        let step = rewriter(GHERKIN).unwrap().rewrite(text, &Parameters::default());
        assert_eq!((step.instruction.as_str(), step.context.as_deref()), ("Select bank", Some("select a bank")));
    }

    #[test]
    fn a_bad_rule_is_refused_by_its_name() {
        let refused = |from: &str, to: &str| rewriter(&GHERKIN.replace(from, to)).unwrap_err().to_string();
        assert!(refused("(?P<instruction>", "(?P<deed>").contains("\"when\""));
        assert!(refused("(?P<phrase>", "(?P<phrase").contains("\"vip\""));
        assert!(refused("\"vip\"", "\"template\"").contains("\"template\""));
        assert!(refused("\"vip\"", "\"when\"").contains("\"when\""));
    }
}
