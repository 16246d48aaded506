//! Every case of generated apps done by hand, as its walkthrough says, on virtual devices in this process.

use std::path::Path;
use tapwright::case::lint_file;
use tapwright::evaluation::suite::{Expected, Pace, Play, Suite};
use tapwright_gym::{GeneratedSuite, Library};

/// Complaints about the cases of a seed that cannot be done as the truth says.
fn complaints(library: &Library, seed: u64, folder: &Path) -> Vec<String> {
    let generated = GeneratedSuite::of(library, seed).unwrap_or_else(|error| panic!("{error}"));
    generated.write(folder).unwrap_or_else(|error| panic!("{error}"));
    let suite = Suite::load(&folder.join(&generated.name)).unwrap_or_else(|error| panic!("{error}"));
    let mut found = Vec::new();
    for run in &suite.runs {
        for case in suite.cases_of(run) {
            found.extend(lint_file(&case.path).iter().map(|problem| format!("{}: {problem}", case.id)));
            for (device, variant) in run.variants(None) {
                let (apps, pace) = (suite.apps.as_slice(), Pace::Brisk);
                let play = Play { suite: &suite, case, run, device: &device, seed: variant, apps, pace };
                let ending = play.to_the_end().unwrap_or_else(|error| panic!("{}: {error}", case.id));
                if ending.verdict != Expected::Passed {
                    let done = ending.done.join(" | ");
                    found.push(format!(
                        "{}: {}: {}\n  done: {done}\n  the screen: {}",
                        case.id, ending.verdict, ending.reason, ending.screen
                    ));
                }
            }
        }
    }
    found
}

/// Every case ends as the truth says. `TAPWRIGHT_GYM_SEEDS=200` plays as many seeds.
#[test]
fn a_person_completes_every_case_from_the_truth() {
    let seeds = std::env::var("TAPWRIGHT_GYM_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(32);
    let library = Library::load().unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let found: Vec<String> = (0..seeds).flat_map(|seed| complaints(&library, seed, folder.path())).collect();
    assert!(found.is_empty(), "{} cases:\n{}", found.len(), found.join("\n"));
}
