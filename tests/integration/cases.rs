//! Case files as they lie in a repository: the bundled ones are right, malformed ones are told apart.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tapwright::case::{Aim, CaseIndex, FindError, Rewriter, Selection, lint_file};
use tapwright::domain::CaseId;

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn fixtures() -> CaseIndex {
    CaseIndex::scan(&[repository("tests/fixtures/cases")]).unwrap()
}

fn id(text: &str) -> CaseId {
    CaseId::new(text).unwrap()
}

#[test]
fn every_bundled_case_is_without_problems_and_named_like_its_file() {
    let index = CaseIndex::scan(&[repository("tests/suites")]).unwrap();
    assert!(index.entries().len() >= 8);
    for entry in index.entries() {
        let problems = lint_file(&entry.path);
        // The app belongs to another part of the repository, which has its own test.
        let own: Vec<_> = problems.iter().filter(|problem| !problem.message.contains("the app file")).collect();
        assert!(own.is_empty(), "{}: {own:?}", entry.path.display());
        let name = entry.path.file_name().unwrap().to_string_lossy();
        assert_eq!(Some(name.trim_end_matches(".case.yaml")), entry.id());
    }
}

#[test]
fn the_bundled_cases_read_as_the_agent_will_read_them() {
    let index = CaseIndex::scan(&[repository("tests/suites/first_light")]).unwrap();
    let rewriter = Rewriter::bundled().unwrap();
    let mut text = String::new();
    for case in index.cases() {
        writeln!(text, "{} {}", case.id, case.title).unwrap();
        for step in case.aim.instructions() {
            let rewritten = rewriter.rewrite(&step.text, &case.params);
            writeln!(text, "  {}", rewritten.instruction).unwrap();
            writeln!(text, "    spoken: {}", case.params.spoken(&rewritten.instruction).unwrap()).unwrap();
            if !rewritten.rules.is_empty() {
                writeln!(text, "    rules: {}", rewritten.rules.join(", ")).unwrap();
            }
        }
        for outcome in &case.expect {
            writeln!(text, "  = {}", outcome.expectation.shown(&case.params).unwrap()).unwrap();
        }
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_case_among_malformed_neighbours_is_found() {
    let index = fixtures();
    let good = index.find(&id("GOOD-1")).unwrap();
    assert!(matches!(good.aim, Aim::Steps(ref steps) if steps.len() == 1));
    assert_eq!(index.malformed().count(), 2);
    assert_eq!(index.select(&[Selection::Tag("fixture".into())]).unwrap().len(), 1);
}

#[test]
fn a_malformed_case_is_refused_by_its_id_with_file_line_and_column_and_without_its_secret() {
    let index = fixtures();
    for (name, place, expected) in
        [("TABS-1", "tabs.case.yaml:4:", "tab"), ("TYPO-1", "typo.case.yaml:5:32:", "expected one of value, secret")]
    {
        let text = index.find(&id(name)).unwrap_err().to_string();
        assert!(text.contains(place) && text.to_lowercase().contains(expected), "{text}");
        assert!(!text.contains("864213"), "{text}");
    }
}

#[test]
fn an_id_used_twice_names_both_files() {
    match fixtures().find(&id("TWIN-1")) {
        Err(FindError::Duplicate { first, second, .. }) => {
            assert!(first.ends_with("twin_a.case.yaml") && second.ends_with("twin_b.case.yaml"));
        }
        other => panic!("{other:?}"),
    }
}
