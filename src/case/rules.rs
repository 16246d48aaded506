//! The rewriting rules as data: `rewriting.toml` beside this file, or a workspace's own.

use crate::lexicon::{Lexicon, LexiconError};
use regex::Regex;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The rules that come with Tapwright.
const BUNDLED: &str = include_str!("rewriting.toml");

/// A rule file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// Not TOML of the expected form.
    #[error("the rewriting rules are malformed: {0}. Compare them with src/case/rewriting.toml")]
    Form(#[from] toml::de::Error),
    /// The words that begin a clause in other languages.
    #[error(transparent)]
    Lexicon(#[from] LexiconError),
    /// A pattern that is no regular expression.
    #[error("the rewriting rule {rule:?} has a bad pattern: {source}")]
    Pattern {
        /// The rule's name.
        rule: String,
        /// What is wrong.
        source: Box<regex::Error>,
    },
    /// Two rules of one name.
    #[error("two rewriting rules are called {rule:?}. Give the workspace's own another name")]
    Twice {
        /// The name.
        rule: String,
    },
    /// A pattern without a group it needs.
    #[error("the rewriting rule {rule:?} needs the named group {group:?} in its pattern")]
    Group {
        /// The rule's name.
        rule: String,
        /// The group.
        group: &'static str,
    },
}

/// The compiled rules.
#[derive(Debug, Clone)]
pub struct RewriteRules {
    /// The first that fits counts.
    pub(super) templates: Vec<Template>,
    pub(super) result_only: Named,
    pub(super) gerund: Gerund,
    pub(super) supplements: Vec<Supplement>,
    pub(super) courtesy: Option<CourtesyRule>,
    pub(super) mention: MentionRule,
    pub(super) clauses: ClauseRule,
    pub(super) owed: Option<OwedRule>,
    /// Verbs of other languages.
    pub(super) lexicon: Arc<Lexicon>,
}

#[derive(Debug, Clone)]
pub(super) struct Template {
    pub(super) rule: Named,
    pub(super) pattern: Regex,
    /// What the second phrase says may be a result only; then the first says what is done.
    pub(super) result_may_be_all: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Supplement {
    pub(super) rule: Named,
    pub(super) when: Regex,
    pub(super) unless: Option<Regex>,
    pub(super) insert: String,
}

/// A rule's name and reason.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) explain: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Gerund {
    pub(super) name: String,
    pub(super) explain: String,
    doubled: String,
    silent_e: Vec<String>,
    verbs: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MentionRule {
    pub(super) name: String,
    pub(super) explain: String,
    pub(super) tail_words: Vec<String>,
    pub(super) stop_words: Vec<String>,
    pub(super) negations: Vec<String>,
    #[serde(default)]
    pub(super) in_place: Vec<String>,
    #[serde(default)]
    pub(super) collections: Vec<String>,
    #[serde(default)]
    pub(super) about: Vec<String>,
    #[serde(default)]
    pub(super) articles: Vec<String>,
}

/// Words that only introduce an instruction; a file without them leaves all in place.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CourtesyRule {
    pub(super) name: String,
    pub(super) explain: String,
    pub(super) words: Vec<String>,
}

/// Steps that say something without saying what; a file without them leaves such steps to the screen.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OwedRule {
    pub(super) name: String,
    pub(super) explain: String,
    pub(super) verbs: Vec<String>,
    pub(super) many: Vec<String>,
}

/// Words by which a step is taken apart; a file without them leaves steps whole.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClauseRule {
    pub(super) joints: Vec<String>,
    pub(super) verbs: Vec<String>,
    pub(super) pronouns: Vec<String>,
    pub(super) last_pronouns: Vec<String>,
    /// Words that refer to what was said just before, in all languages.
    #[serde(default)]
    pub(super) referring: Vec<String>,
    pub(super) takes_it: Vec<String>,
    pub(super) numbers: Vec<String>,
    pub(super) sets: Vec<String>,
    pub(super) quantities: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    template: TemplateFile,
    result_only: Named,
    gerund: Gerund,
    #[serde(default)]
    supplement: Vec<SupplementFile>,
    #[serde(default)]
    courtesy: Option<CourtesyRule>,
    mention: MentionRule,
    #[serde(default)]
    clauses: ClauseRule,
    #[serde(default)]
    owed: Option<OwedRule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TemplateFile {
    name: String,
    explain: String,
    pattern: String,
    #[serde(default)]
    other_languages: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SupplementFile {
    name: String,
    explain: String,
    when: String,
    unless: Option<String>,
    insert: String,
}

impl RewriteRules {
    /// A verb of test cases, in the imperative.
    pub(super) fn is_verb(&self, word: &str, others: &[String]) -> bool {
        self.gerund.verbs.values().any(|verb| verb == word) || others.iter().any(|verb| verb == word)
    }

    /// The rules that come with Tapwright.
    pub fn bundled() -> Result<Self, RulesError> {
        Self::parse(BUNDLED)
    }

    /// Reads and compiles rules from TOML.
    pub fn parse(text: &str) -> Result<Self, RulesError> {
        let file: RuleFile = toml::from_str(text)?;
        let rule = Named { name: file.template.name, explain: file.template.explain };
        let templates = std::iter::once(&file.template.pattern)
            .chain(&file.template.other_languages)
            .map(|pattern| {
                let pattern = compile(&rule.name, pattern, &["context", "instruction"])?;
                Ok(Template { rule: rule.clone(), pattern, result_may_be_all: true })
            })
            .collect::<Result<Vec<_>, RulesError>>()?;
        let mut supplements = Vec::with_capacity(file.supplement.len());
        for entry in file.supplement {
            let when = compile(&entry.name, &entry.when, &["phrase"])?;
            let unless = entry.unless.as_deref().map(|text| compile(&entry.name, text, &[])).transpose()?;
            let rule = Named { name: entry.name, explain: entry.explain };
            supplements.push(Supplement { rule, when, unless, insert: entry.insert });
        }
        Ok(Self {
            templates,
            result_only: file.result_only,
            gerund: file.gerund,
            supplements,
            courtesy: file.courtesy,
            mention: file.mention,
            clauses: file.clauses,
            owed: file.owed,
            lexicon: Arc::new(Lexicon::bundled()?),
        })
    }

    /// Why the rule with this name exists.
    pub fn explain(&self, name: &str) -> Option<&str> {
        let supplements = self.supplements.iter().map(|s| (&s.rule.name, &s.rule.explain));
        let templates = self.templates.iter().map(|t| (&t.rule.name, &t.rule.explain));
        [
            (&self.result_only.name, &self.result_only.explain),
            (&self.gerund.name, &self.gerund.explain),
            (&self.mention.name, &self.mention.explain),
        ]
        .into_iter()
        .chain(self.courtesy.iter().map(|rule| (&rule.name, &rule.explain)))
        .chain(self.owed.iter().map(|rule| (&rule.name, &rule.explain)))
        .chain(templates)
        .chain(supplements)
        .find(|(own, _)| *own == name)
        .map(|(_, explain)| explain.as_str())
    }
}

pub(super) fn compile(rule: &str, pattern: &str, groups: &[&'static str]) -> Result<Regex, RulesError> {
    let regex = Regex::new(pattern)
        .map_err(|source| RulesError::Pattern { rule: rule.to_owned(), source: Box::new(source) })?;
    for &group in groups {
        if !regex.capture_names().flatten().any(|name| name == group) {
            return Err(RulesError::Group { rule: rule.to_owned(), group });
        }
    }
    Ok(regex)
}

impl Gerund {
    /// The imperative of a listed verb: `selecting` is `select`.
    /// One of the imperatives that the listed gerunds stand for.
    pub(super) fn is_imperative(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        self.verbs.values().any(|verb| *verb == word)
    }

    pub(super) fn listed(&self, word: &str) -> Option<&str> {
        self.verbs.get(&word.to_lowercase()).map(String::as_str)
    }

    /// The imperative of any gerund: listed, or by the rules of English spelling. `None` for words like `string`.
    pub(super) fn imperative(&self, word: &str) -> Option<String> {
        if let Some(verb) = self.listed(word) {
            return Some(verb.to_owned());
        }
        let lower = word.to_lowercase();
        let stem = lower.strip_suffix("ing")?;
        if !stem.is_ascii() || stem.len() < 2 || !stem.contains(['a', 'e', 'i', 'o', 'u', 'y']) {
            return None;
        }
        let mut letters = stem.chars().rev();
        if let (Some(last), Some(before)) = (letters.next(), letters.next())
            && last == before
            && self.doubled.contains(last)
        {
            return Some(stem[..stem.len() - 1].to_owned());
        }
        let silent = self.silent_e.iter().any(|ending| stem.ends_with(ending.as_str()));
        Some(if silent { format!("{stem}e") } else { stem.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_rules_compile_and_each_is_explained() {
        let rules = RewriteRules::bundled().unwrap();
        for name in
            ["template", "result-only", "gerund-to-imperative", "parameter-mark", "numeric-keyboard", "owed-value"]
        {
            assert!(rules.explain(name).is_some_and(|text| text.len() > 20), "{name}");
        }
        assert_eq!(rules.explain("other"), None);
    }

    #[test]
    fn a_gerund_becomes_an_imperative_also_when_it_is_not_listed() {
        let gerund = RewriteRules::bundled().unwrap().gerund;
        for (word, verb) in [
            ("Selecting", "select"),
            ("submitting", "submit"),
            ("planning", "plan"),
            ("validating", "validate"),
            ("resizing", "resize"),
            ("downloading", "download"),
            ("dismissing", "dismiss"),
            ("spelling", "spell"),
        ] {
            assert_eq!(gerund.imperative(word).as_deref(), Some(verb), "{word}");
        }
        for word in ["string", "thing", "settings", "ing", "bank"] {
            assert_eq!(gerund.imperative(word), None, "{word}");
        }
    }

    #[test]
    fn bad_rules_are_refused_with_their_name() {
        let text = BUNDLED.replace("(?P<phrase>", "(?P<phrase");
        assert!(RewriteRules::parse(&text).unwrap_err().to_string().contains("numeric-keyboard"));
        let text = BUNDLED.replace("(?P<context>", "(?P<title>");
        assert!(RewriteRules::parse(&text).unwrap_err().to_string().contains("\"context\""));
        assert!(RewriteRules::parse("x = 1").is_err());
    }
}
