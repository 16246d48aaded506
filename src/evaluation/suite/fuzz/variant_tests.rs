//! Variants of the bundled suites: the same from the same seed, and apps that can still be run.

use super::*;
use crate::evaluation::suite::{Suite, SuiteRun};
use crate::virtual_device::app::AppFile;
use std::collections::BTreeSet;
use std::path::Path;

fn suite(name: &str) -> Suite {
    Suite::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suites").join(name)).unwrap()
}

fn device() -> SuiteDevice {
    let run: SuiteRun = serde_saphyr::from_str("{cases: [A]}").unwrap();
    run.variants(None).remove(0).0
}

fn draw(suite: &Suite, case: &str, seed: u64) -> Variant {
    let case = suite.cases.iter().find(|one| one.id.as_str() == case).unwrap();
    Variant::draw(seed, case, &device(), &suite.apps, &Material::bundled().unwrap()).unwrap()
}

#[test]
fn a_variant_follows_from_its_seed_and_case() {
    let suite = suite("maplebear");
    let (one, same, other) = (draw(&suite, "MB-0001", 5), draw(&suite, "MB-0001", 5), draw(&suite, "MB-0002", 5));
    assert_eq!((&one.apps, &one.case, &one.device, &one.told), (&same.apps, &same.case, &same.device, &same.told));
    assert_ne!(one.apps, other.apps);
    let drawn: BTreeSet<Change> = (0..20).flat_map(|seed| draw(&suite, "MB-0001", seed).told.changes).collect();
    assert_eq!(drawn, Change::ALL.into_iter().collect(), "every change is drawn sooner or later");
}

#[test]
fn apps_of_variants_can_be_run() {
    for name in ["maplebear", "kashef", "first_light", "xuat", "dragoncrawl"] {
        let suite = suite(name);
        let case = suite.cases[0].id.to_string();
        for seed in 0..4 {
            for (path, text) in &draw(&suite, &case, seed).apps {
                AppFile::load(&path.to_string_lossy(), text).unwrap_or_else(|error| panic!("{seed}: {error}"));
            }
        }
    }
}

#[test]
fn a_case_that_speaks_of_places_keeps_them() {
    let mut suite = suite("maplebear");
    suite.cases[0].title = "The first item is added".to_owned();
    let id = suite.cases[0].id.to_string();
    let changes: BTreeSet<Change> = (0..20).flat_map(|seed| draw(&suite, &id, seed).told.changes).collect();
    assert!(!changes.contains(&Change::Order) && !changes.contains(&Change::Rows), "{changes:?}");
}
