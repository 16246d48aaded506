//! A Gherkin feature: a case for each scenario, and for each row of an outline's examples.
//!
//! `When` is done, `Then` is checked, and a `Given` must say how the app begins, for that is how every case begins.

use super::draft::Draft;
use crate::case::maestro::{FlowError, ImportedCase, Importer, stem};
use gherkin::{Feature, GherkinEnv, Scenario, Step, StepType};
use regex::Regex;
use std::path::Path;
use std::sync::LazyLock;

/// What a case begins with in any event, in the words of exported features and in usual ones; the application id, if told.
static BEGINNING: LazyLock<Result<Regex, regex::Error>> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)^(?:I\ (?:have\ )?(?:just\ )?(?:open(?:ed)?|launch(?:ed)?|start(?:ed)?|am\ in|have)\ the\ app(?:lication)?
        |I\ have\ an?\ \w*(?:Activity|App)
        |the\ app(?:lication)?(?:\ ([a-z]\w*(?:\.\w+)+))?\ (?:is|has\ (?:just\ )?been)\ (?:freshly\ )?(?:open(?:ed)?|launched|started|running)
         (?:\ with\ (?:clean|cleared)\ data)?)\.?$",
    )
});

/// The cases of a feature file.
pub(super) fn import(importer: &Importer, path: &Path) -> Result<Vec<ImportedCase>, Vec<FlowError>> {
    let failed = |line: u64, reason: String| FlowError { path: path.to_owned(), line, reason };
    let text = std::fs::read_to_string(path).map_err(|error| vec![failed(1, format!("cannot read it: {error}"))])?;
    let feature = Feature::parse(&text, GherkinEnv::default()).map_err(|error| {
        let (line, reason) = told(&error.to_string());
        vec![failed(line, format!("no feature: {reason}"))]
    })?;
    let mut work = Work { importer, path, cases: Vec::new(), errors: Vec::new() };
    let own = feature.background.iter().flat_map(|background| &background.steps).collect::<Vec<_>>();
    for scenario in &feature.scenarios {
        work.scenario(&feature.tags, &own, scenario);
    }
    for rule in &feature.rules {
        let tags: Vec<String> = feature.tags.iter().chain(&rule.tags).cloned().collect();
        let given: Vec<&Step> =
            own.iter().copied().chain(rule.background.iter().flat_map(|background| &background.steps)).collect();
        rule.scenarios.iter().for_each(|scenario| work.scenario(&tags, &given, scenario));
    }
    if work.cases.is_empty() && work.errors.is_empty() {
        work.errors.push(failed(1, "it has no scenario".to_owned()));
    }
    if work.errors.is_empty() { Ok(work.cases) } else { Err(work.errors) }
}

/// Line and reason of the parser's complaint, `Error at 3:5: …`.
fn told(complaint: &str) -> (u64, String) {
    let digits = |c: &char| c.is_ascii_digit();
    let number: String = complaint.chars().skip_while(|c| !c.is_ascii_digit()).take_while(digits).collect();
    (number.parse().unwrap_or(1), complaint.split_whitespace().collect::<Vec<_>>().join(" "))
}

struct Work<'w> {
    importer: &'w Importer,
    path: &'w Path,
    cases: Vec<ImportedCase>,
    errors: Vec<FlowError>,
}

impl Work<'_> {
    fn refuse(&mut self, line: usize, reason: impl Into<String>) {
        self.errors.push(FlowError { path: self.path.to_owned(), line: line as u64, reason: reason.into() });
    }

    fn scenario(&mut self, tags: &[String], given: &[&Step], scenario: &Scenario) {
        let tags: Vec<String> = tags.iter().chain(&scenario.tags).cloned().collect();
        let rows: Vec<Vec<(String, String)>> = scenario
            .examples
            .iter()
            .filter_map(|examples| examples.table.as_ref())
            .flat_map(|table| {
                let (head, body) =
                    table.rows.split_first().map_or((&[][..], &[][..]), |(head, body)| (&head[..], body));
                body.iter().map(|row| head.iter().cloned().zip(row.iter().cloned()).collect())
            })
            .collect();
        if rows.is_empty() {
            if !scenario.examples.is_empty() {
                self.refuse(scenario.position.line, "its examples have no rows, so it does nothing");
                return;
            }
            self.case(&tags, given, scenario, &[], None);
        }
        for (at, row) in rows.iter().enumerate() {
            self.case(&tags, given, scenario, row, Some(at + 1));
        }
    }

    fn case(
        &mut self,
        tags: &[String],
        given: &[&Step],
        scenario: &Scenario,
        row: &[(String, String)],
        number: Option<usize>,
    ) {
        let before = self.errors.len();
        // A tag such as @PAY-0001 of an exported feature is the case's id; else the names of file and scenario are.
        let is_id = |tag: &&String| tag.contains(|c: char| c.is_ascii_digit()) && tag.contains('-');
        let named = scenario.tags.iter().find(is_id).cloned();
        let id = named.clone().unwrap_or_else(|| format!("{}-{}", stem(self.path), scenario.name));
        let id = number.map_or_else(|| id.clone(), |number| format!("{id}-{number}"));
        let mut draft = Draft::new(&id, &filled(&scenario.name, row), self.importer.app.as_deref().unwrap_or_default());
        draft.tags = tags.iter().filter(|tag| named.as_ref() != Some(tag)).cloned().collect();
        for step in given.iter().copied().chain(&scenario.steps) {
            if let Err(reason) = take(step, row, &mut draft) {
                self.refuse(step.position.line, format!("{}{}: {reason}", step.keyword, step.value));
            }
        }
        if draft.app.is_empty() {
            self.refuse(scenario.position.line, "no step names the application: give it with --app PACKAGE");
        }
        if self.errors.len() == before {
            match draft.finish(self.path, scenario.position.line as u64) {
                Ok(case) if self.cases.iter().any(|other| other.id == case.id) => {
                    self.refuse(
                        scenario.position.line,
                        format!("another scenario makes a case {}: name them apart", case.id),
                    );
                }
                Ok(case) => self.cases.push(case),
                Err(error) => self.errors.push(error),
            }
        }
    }
}

/// Adds a step to the case; why it has no counterpart, if it has none.
fn take(step: &Step, row: &[(String, String)], draft: &mut Draft) -> Result<(), String> {
    if step.docstring.is_some() || step.table.is_some() {
        return Err("a text or a table below a step has no counterpart: write it into the sentence".to_owned());
    }
    let sentence = filled(&step.value, row);
    if let Some(open) = sentence.split('<').nth(1).and_then(|rest| rest.split_once('>')) {
        return Err(format!("<{}> is no column of the examples", open.0));
    }
    match step.ty {
        StepType::Given => {
            let pattern = BEGINNING.as_ref().map_err(ToString::to_string)?;
            let begins = pattern.captures(&sentence);
            let begins = begins.ok_or(
                "a case begins with the app just started, its data cleared, and nothing else is given: write as a `When` how \
                 this is reached, or leave it out",
            )?;
            if let Some(app) = begins.get(1).filter(|_| draft.app.is_empty()) {
                app.as_str().clone_into(&mut draft.app);
            }
        }
        StepType::When => draft.act(&imperative(&sentence)),
        StepType::Then => draft.check(&sentence),
    }
    Ok(())
}

fn filled(text: &str, row: &[(String, String)]) -> String {
    row.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("<{name}>"), value))
}

/// `I tap "Help"` is `Tap "Help"`.
fn imperative(sentence: &str) -> String {
    let rest = ["I ", "we ", "the user ", "user "].iter().find_map(|who| {
        let begins = sentence.get(..who.len()).is_some_and(|start| start.eq_ignore_ascii_case(who));
        begins.then(|| &sentence[who.len()..])
    });
    let rest = rest.unwrap_or(sentence).trim();
    let mut letters = rest.chars();
    letters.next().map(|first| first.to_uppercase().collect::<String>() + letters.as_str()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn import_text(text: &str, app: Option<&str>) -> Result<Vec<ImportedCase>, Vec<String>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sum.feature");
        std::fs::write(&path, text).unwrap();
        let importer = Importer { app: app.map(str::to_owned), ..Importer::default() };
        let name = path.display().to_string();
        import(&importer, &path)
            .map_err(|errors| errors.iter().map(|error| error.to_string().replace(&name, "sum.feature")).collect())
    }

    #[test]
    fn scenarios_and_rows_of_outlines_are_cases() {
        let cases = import_text(
            "@smoke\nFeature: Sums\n  Background:\n    Given the app com.example.sum is open\n\n  @SUM-1\n  Scenario: Clear\n    \
             When I press C\n    Then \"0\" is shown\n\n  Scenario Outline: Add\n    When I press <a>\n    And I press +\n    \
             And I press <b>\n    Then I should see \"<sum>\" on the display\n    And the key \"=\" is greyed out\n\n    \
             Examples:\n      | a | b | sum |\n      | 1 | 2 | 3   |\n      | 4 | 5 | 9   |\n",
            None,
        )
        .unwrap();
        let ids: Vec<&str> = cases.iter().map(|case| case.id.as_str()).collect();
        assert_eq!(ids, ["SUM-1", "sum-Add-1", "sum-Add-2"]);
        insta::assert_snapshot!(cases[2].text);
    }

    #[test]
    fn what_has_no_counterpart_is_refused_with_its_line() {
        let check = |text: &str, app: Option<&str>, expected: &str| {
            let told = import_text(text, app).unwrap_err();
            assert!(told.iter().any(|line| line.contains(expected)), "{told:?}");
        };
        let feature = |steps: &str| format!("Feature: F\n  Scenario: S\n{steps}");
        check(
            &feature("    Given a registered user\n    When I tap A\n"),
            Some("a.b"),
            "sum.feature:3: Given a registered user",
        );
        let usual = feature("    Given I have a CalculatorActivity\n    When I tap A\n");
        assert_eq!(import_text(&usual, Some("a.b")).unwrap().len(), 1, "as cucumber-android begins");
        check(&feature("    When I tap A\n"), None, "--app PACKAGE");
        check(
            &feature("    When I fill in:\n      | a | b |\n"),
            Some("a.b"),
            "sum.feature:3: When I fill in:: a text or a table",
        );
        check(&feature("    When I tap <x>\n"), Some("a.b"), "<x> is no column");
        check(&feature("    Then \"A\" is shown\n"), Some("a.b"), "it does nothing");
        check("Feature: F\n", Some("a.b"), "no scenario");
        check("Nothing at all\n", Some("a.b"), "no feature: ");
    }
}
