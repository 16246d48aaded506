//! Conventions that a machine can check: who may import whom, where effects may happen, what no file may contain.
//!
//! Each rule is a pure function from a source file to its findings, with a self-test that it fires on a bad snippet;
//! this file runs all of them over the repository. What is right in spite of a rule goes into [`EXCEPTIONS`] with its
//! reason.

#[path = "tidy/app_texts.rs"]
mod app_texts;
#[path = "tidy/calls.rs"]
mod calls;
#[path = "tidy/conformance.rs"]
mod conformance;
#[path = "tidy/finding.rs"]
mod finding;
#[path = "tidy/imports.rs"]
mod imports;
#[path = "tidy/layout.rs"]
mod layout;
#[path = "tidy/repository.rs"]
mod repository;
#[path = "tidy/source.rs"]
mod source;

use finding::{Exception, Finding};
use repository::Repository;
use source::Source;
use std::sync::LazyLock;

/// What may stay in spite of a rule: how many findings of which rule in which file, and why. A stale entry fails too.
const EXCEPTIONS: &[Exception] = &[
    Exception {
        path: "src/script/shell_export.rs",
        rule: "input line",
        count: 2,
        reason: "an exported script asks for its secrets when it runs, so its own shell must quote them, and looks further down",
    },
    Exception {
        path: "crates/gym/src/main.rs",
        rule: "environment",
        count: 1,
        reason: "a developer's command of its own reads its own words",
    },
    Exception {
        path: "src/pipeline/propose/ordered.rs",
        rule: "app text",
        count: 1,
        reason: "words that ask for the cheapest are ordinary language, and an app orders a list by the same two",
    },
];

fn check(findings: impl Iterator<Item = Finding>) {
    let findings: Vec<_> = findings.collect();
    let complaints = finding::complaints(&findings, EXCEPTIONS);
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// Every Rust file of the repository, read once.
fn rust_files() -> &'static [Source] {
    static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(|| Repository::open().rust_sources());
    assert!(SOURCES.len() > 30, "only {} sources found: the walk is broken", SOURCES.len());
    &SOURCES
}

#[test]
fn nothing_imports_upward() {
    let sources = rust_files();
    let complaints: Vec<_> = sources.iter().flat_map(imports::forbidden).collect();
    let table = imports::table_text();
    assert!(complaints.is_empty(), "\n{}\n\n{table}", finding::lines(&complaints));
}

#[test]
fn every_room_is_in_the_table_and_every_entry_is_a_room() {
    assert_eq!(imports::missing_rooms(&Repository::open().rooms()), Vec::<String>::new());
}

#[test]
fn the_architecture_page_shows_the_table_that_is_enforced() {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/ARCHITECTURE.md")).expect("a readable page");
    assert_eq!(imports::differing_rows(&page), Vec::<String>::new());
}

#[test]
fn the_architecture_page_names_tests_that_exist() {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/ARCHITECTURE.md")).expect("a readable page");
    let invariants = page.split("\n## ").find(|part| part.starts_with("Invariants")).expect("a chapter on invariants");
    let name = source::pattern(r"`([a-z0-9]+(?:_[a-z0-9]+){3,})`");
    let named: Vec<String> = name.captures_iter(invariants).map(|found| found[1].to_owned()).collect();
    assert!(named.len() > 10, "only {named:?} found: the pattern is broken");
    let exists = |name: &String| rust_files().iter().any(|file| file.text.contains(&format!("fn {name}(")));
    assert_eq!(named.into_iter().filter(|name| !exists(name)).collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn every_module_says_what_lives_in_it() {
    check(rust_files().iter().flat_map(layout::undocumented));
}

#[test]
fn no_file_is_a_drawer_for_leftovers() {
    check(rust_files().iter().flat_map(layout::drawer_name));
}

#[test]
fn a_long_file_gives_its_reason() {
    check(rust_files().iter().flat_map(layout::too_long));
}

#[test]
fn nothing_sleeps_but_settling() {
    check(rust_files().iter().flat_map(calls::sleeps));
}

#[test]
fn the_environment_is_read_in_one_place() {
    check(rust_files().iter().flat_map(calls::environment_reads));
}

#[test]
fn input_lines_for_a_device_are_built_in_one_place() {
    check(rust_files().iter().flat_map(calls::hand_made_input_lines));
}

#[test]
fn the_product_never_panics_on_purpose() {
    check(rust_files().iter().flat_map(calls::deliberate_panics));
}

#[test]
fn no_table_hides_that_it_cannot_be_read() {
    check(rust_files().iter().flat_map(calls::hidden_tables));
}

#[test]
fn no_file_names_a_path_of_somebodys_machine() {
    let files = Repository::open().text_files();
    assert!(files.iter().any(|(path, _)| path == "Cargo.toml"), "the walk is broken");
    check(files.iter().flat_map(|(path, text)| layout::machine_paths(path, text)));
}

#[test]
fn the_agent_knows_nothing_of_the_bundled_apps() {
    check(app_texts_in_what_chooses().into_iter());
}

/// Texts of bundled apps in the sources that choose, and in the word lists and weights they read.
fn app_texts_in_what_chooses() -> Vec<Finding> {
    let repository = Repository::open();
    let apps = repository.app_files();
    assert!(!apps.is_empty(), "no app file found below tests/suites/*/apps: the walk is broken");
    for app in &apps {
        let own = app_texts::collect(std::slice::from_ref(app));
        assert!(own.len() > 3, "only {} texts found in {}: the collector is broken", own.len(), app.0);
    }
    let texts = app_texts::collect(&apps);
    let sources = rust_files().iter().map(|source| (source.path.clone(), source.code_and_strings.clone()));
    let sources = sources.filter(|(path, _)| app_texts::must_not_know(path));
    let data: Vec<(String, String)> =
        repository.text_files().into_iter().filter(|(path, _)| app_texts::is_data(path)).collect();
    assert!(data.iter().any(|(path, _)| path.starts_with("src/")), "no word list found: the walk is broken");
    let distinctive = app_texts::distinctive(&apps);
    assert!(distinctive.len() > 500, "only {} distinctive texts: the collector is broken", distinctive.len());
    let skills = data.iter().filter(|(path, _)| path.starts_with("skills/")).cloned();
    let in_sources = sources.chain(skills).flat_map(|(path, text)| app_texts::named(&path, &text, &texts));
    let in_data =
        data.iter().flat_map(|(path, text)| app_texts::named(path, &app_texts::entries(path, text), &distinctive));
    in_sources.chain(in_data).collect()
}

fn facts() -> Vec<conformance::Fact> {
    conformance::parse(include_str!("conformance.toml"))
}

#[test]
fn every_fact_about_android_has_a_test_or_a_reason() {
    let facts = facts();
    assert!(facts.len() > 80, "only {} facts: the table is cut", facts.len());
    assert_eq!(conformance::complaints(&facts, rust_files()), Vec::<String>::new());
}

#[test]
fn the_conformance_page_counts_the_facts() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/conformance.md");
    let page = std::fs::read_to_string(page).expect("a readable page");
    assert_eq!(conformance::wrong_counts(&page, &facts()), Vec::<String>::new());
}

#[test]
fn every_exception_is_still_needed() {
    let sources = rust_files();
    let rules: [fn(&Source) -> Vec<Finding>; 7] = [
        layout::undocumented,
        layout::drawer_name,
        layout::too_long,
        calls::sleeps,
        calls::environment_reads,
        calls::hand_made_input_lines,
        calls::deliberate_panics,
    ];
    let by_rules = rules.iter().flat_map(|rule| sources.iter().flat_map(rule));
    let findings: Vec<_> = by_rules.chain(app_texts_in_what_chooses()).collect();
    assert_eq!(finding::stale(&findings, EXCEPTIONS), Vec::<String>::new());
}
