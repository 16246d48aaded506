//! The table of what Android does and which test proves it.

use crate::source::Source;
use regex::Regex;
use std::collections::BTreeMap;

/// A row of `tests/conformance.toml`.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "`fact` is the table's word for the sentence")]
pub(crate) struct Fact {
    pub(crate) section: String,
    pub(crate) fact: String,
    pub(crate) test: Option<String>,
    pub(crate) unsupported: Option<String>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    fact: Vec<Fact>,
}

/// The rows in order.
pub(crate) fn parse(text: &str) -> Vec<Fact> {
    toml::from_str::<Table>(text).unwrap_or_else(|error| panic!("tests/conformance.toml: {error}")).fact
}

/// What is wrong with the table, given every Rust file.
pub(crate) fn complaints(facts: &[Fact], sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    for fact in facts {
        let place = format!("{} {}", fact.section, fact.fact);
        match (&fact.test, &fact.unsupported) {
            (Some(test), None) => {
                let declared = format!("fn {test}(");
                if !sources.iter().any(|source| source.text.contains(&declared)) {
                    complaints.push(format!("{place}: no test is called `{test}`"));
                }
            }
            (None, Some(why)) if why.split_whitespace().count() > 3 => {}
            (None, Some(_)) => complaints.push(format!("{place}: say why it is not supported")),
            _ => complaints.push(format!("{place}: needs either `test` or `unsupported`")),
        }
    }
    for (at, fact) in facts.iter().enumerate() {
        if facts[..at].iter().any(|other| other.section == fact.section && other.fact == fact.fact) {
            complaints.push(format!("{} {}: stands in the table twice", fact.section, fact.fact));
        }
    }
    complaints
}

/// Rows of `docs/conformance.md` that differ from the counts: section, proven, not supported.
pub(crate) fn wrong_counts(page: &str, facts: &[Fact]) -> Vec<String> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for fact in facts {
        let count = counts.entry(&fact.section).or_default();
        if fact.test.is_some() {
            count.0 += 1;
        } else {
            count.1 += 1;
        }
    }
    let row = Regex::new(r"(?m)^\| ([0-9.]+) \| [^|]+ \| (\d+) \| (\d+) \|$").expect("a valid pattern");
    let shown: BTreeMap<&str, (usize, usize)> = row
        .captures_iter(page)
        .map(|row| row.extract::<3>().1)
        .map(|[section, proven, not]| (section, (proven.parse().unwrap_or(0), not.parse().unwrap_or(0))))
        .collect();
    let sections: std::collections::BTreeSet<&str> = counts.keys().chain(shown.keys()).copied().collect();
    sections
        .into_iter()
        .filter(|section| counts.get(section) != shown.get(section))
        .map(|section| {
            format!("section {section}: the table has {:?}, the page {:?}", counts.get(section), shown.get(section))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_without_a_test_or_a_reason_are_found() {
        let table = parse(
            "[[fact]]\nsection = \"1\"\nfact = \"a\"\ntest = \"it_works\"\n\
             [[fact]]\nsection = \"1\"\nfact = \"b\"\ntest = \"gone\"\n\
             [[fact]]\nsection = \"2\"\nfact = \"c\"\nunsupported = \"no\"\n\
             [[fact]]\nsection = \"2\"\nfact = \"d\"\n\
             [[fact]]\nsection = \"1\"\nfact = \"a\"\ntest = \"it_works\"\n",
        );
        let sources = [Source::new("tests/a.rs", "fn it_works() {}")];
        let found = complaints(&table, &sources);
        assert_eq!(found.len(), 4, "{found:?}");
        let page = "| section | about | proven | not |\n|---|---|---|---|\n| 1 | x | 3 | 0 |\n| 2 | y | 0 | 1 |\n";
        assert_eq!(wrong_counts(page, &table).len(), 1);
    }
}
