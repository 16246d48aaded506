//! Every case of every suite, done by hand as a person would: by what the screen shows, on devices in this process, on a
//! virtual clock.
//!
//! A suite's `suite.yaml` says which cases are run on which devices with which switches and what must come of it;
//! `walkthroughs/<CASE-ID>.yaml` says how a person does the case. Together they prove that each case can be done, that
//! its expectations then hold, and that each planted bug breaks one.

use crate::bench::repository;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use tapwright::case::{Case, lint_file};
use tapwright::evaluation::suite::{Expected, Pace, Play, Played, Suite, Walkthrough};
use tapwright::vision::encode_png;

/// Reads a suite's folder.
fn load(folder: &Path) -> Suite {
    Suite::load(folder).unwrap_or_else(|error| panic!("{error}"))
}

/// The ids for which there are walkthroughs.
fn walkthrough_names(suite: &Suite) -> Vec<String> {
    let entries = std::fs::read_dir(suite.folder.join("walkthroughs")).into_iter().flatten();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.extension().is_some_and(|end| end == "yaml"))
        .filter_map(|path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()))
        .collect()
}

/// Every folder of `tests/suites`.
fn suites() -> Vec<Suite> {
    let mut folders: Vec<_> =
        std::fs::read_dir(repository("tests/suites")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders.into_iter().filter(|folder| folder.join("cases").is_dir()).map(|folder| load(&folder)).collect()
}

fn suite_named(name: &str) -> Suite {
    load(&repository("tests/suites").join(name))
}

/// Plays all runs of a suite; every one must end as the suite says. Prints what the clean ones took.
fn play_all(name: &str) {
    let suite = suite_named(name);
    let mut wrong = Vec::new();
    let mut taken: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut played = 0_usize;
    for run in &suite.runs {
        for case in suite.cases_of(run) {
            for (device, seed) in run.variants(None) {
                let (apps, pace) = (suite.apps.as_slice(), Pace::Brisk);
                let play = Play { suite: &suite, case, run, device: &device, seed, apps, pace };
                let ending = play.to_the_end().unwrap_or_else(|error| panic!("{error}"));
                played += 1;
                if ending.verdict != run.expect {
                    wrong.push(complaint(&play, &ending));
                } else if run.expect == Expected::Passed {
                    let steps = case.aim.instructions().len();
                    taken.entry(case.id.to_string()).or_insert((steps, ending.actions));
                }
            }
        }
    }
    let mut table = format!("{name}: {played} plays\n");
    for (case, (steps, actions)) in &taken {
        writeln!(table, "  {case}: {steps} steps, {actions} actions").unwrap();
    }
    let actions: usize = taken.values().map(|(_, actions)| actions).sum();
    writeln!(table, "  {} cases, {:.1} actions each", taken.len(), actions as f64 / taken.len().max(1) as f64).unwrap();
    println!("{table}");
    assert!(played > 0, "{name}: nothing was played");
    assert!(wrong.is_empty(), "{} of {played} plays:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

fn complaint(play: &Play<'_>, ending: &Played) -> String {
    format!(
        "{} on {} with {:?}: expected {}, but it {}: {}\n  why the suite plays it: {}\n  done so far: {}\n  the screen: {}",
        play.case.id,
        play.device,
        play.run.switches,
        play.run.expect,
        ending.verdict,
        ending.reason,
        play.run.why.as_deref().unwrap_or("-"),
        ending.done.join(" | "),
        ending.screen,
    )
}

#[test]
fn kashef_can_be_walked_through() {
    play_all("kashef");
}

#[test]
fn dragoncrawl_can_be_walked_through() {
    play_all("dragoncrawl");
}

#[test]
fn first_light_can_be_walked_through() {
    play_all("first_light");
}

#[test]
fn maplebear_can_be_walked_through_and_its_bugs_are_caught() {
    play_all("maplebear");
}

#[test]
#[ignore = "takes longer than all other walkthroughs together; `eval suite` walks each of them before it judges a run"]
fn arrivals_can_be_walked_through_and_their_bugs_are_caught() {
    play_all("arrivals");
}

#[test]
#[ignore = "takes longer than all other walkthroughs together; `eval suite` walks each of them before it judges a run"]
fn sealed_arrivals_can_be_walked_through_and_their_bugs_are_caught() {
    play_all("sealed_arrivals");
}

#[test]
#[ignore = "takes longer than all other walkthroughs together; `eval suite` walks each of them before it judges a run"]
fn sealed_visitors_can_be_walked_through_and_their_bugs_are_caught() {
    play_all("sealed_visitors");
}

#[test]
fn newcomers_can_be_walked_through_and_their_bugs_are_caught() {
    play_all("newcomers");
}

#[test]
fn sealed_newcomers_can_be_walked_through_and_their_bugs_are_caught() {
    play_all("sealed_newcomers");
}

#[test]
fn strangers_can_be_walked_through_and_their_bugs_are_caught() {
    play_all("strangers");
}

#[test]
fn xuat_can_be_walked_through_and_its_bugs_are_caught() {
    play_all("xuat");
}

#[test]
fn every_case_has_a_walkthrough_a_run_and_no_problems() {
    let mut complaints = Vec::new();
    let suites = suites();
    assert!(!suites.is_empty(), "no suite was found");
    for suite in &suites {
        let run: BTreeSet<&str> =
            suite.runs.iter().flat_map(|run| suite.cases_of(run)).map(|case| case.id.as_str()).collect();
        assert!(!suite.cases.is_empty(), "{}: no case", suite.name);
        for case in &suite.cases {
            let problems = lint_file(&case.path);
            complaints.extend(problems.iter().map(|problem| format!("{}: {problem}", case.path.display())));
            if !run.contains(case.id.as_str()) {
                complaints.push(format!("{}: no run of {}/suite.yaml plays it", case.id, suite.name));
            }
            complaints.extend(unattributed(suite, case));
        }
        for name in walkthrough_names(suite) {
            if !suite.cases.iter().any(|case| case.id.as_str() == name) {
                complaints.push(format!("{}/walkthroughs/{name}.yaml: there is no such case", suite.name));
            }
        }
    }
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// What keeps a run of the case from being judged step by step.
fn unattributed(suite: &Suite, case: &Case) -> Option<String> {
    let steps = case.aim.instructions().len();
    let path = Walkthrough::path(suite, case);
    let walkthrough = match Walkthrough::load(suite, case) {
        Ok(walkthrough) => walkthrough,
        Err(error) => return Some(error.to_string()),
    };
    let Some(attribution) = walkthrough.attribution(steps) else {
        let remedy = "begin the actions of each with `step: 1`, `step: 2` …";
        let problem = format!("the case has {steps} steps, and no action says to which it belongs; {remedy}");
        return Some(format!("{}: {problem}", path.display()));
    };
    let passes = suite.runs.iter().filter(|run| run.expect == Expected::Passed);
    let is_done = passes.flat_map(|run| suite.cases_of(run)).any(|other| other.id == case.id);
    let last = attribution.steps;
    (is_done && last < steps).then(|| format!("{}: it ends with step {last} of {steps}", path.display()))
}

#[test]
fn every_planted_bug_is_caught_by_a_run() {
    let mut complaints = Vec::new();
    for suite in suites() {
        let switched: BTreeSet<&str> = suite
            .runs
            .iter()
            .filter(|run| run.expect == Expected::Failed)
            .flat_map(|run| run.switches.iter().map(String::as_str))
            .collect();
        for (package, bug) in suite.planted_bugs() {
            if !switched.contains(format!("{package}:bug.{bug}").as_str()) {
                complaints.push(format!("{}: no run expects bug {bug:?} of {package} to fail a case", suite.name));
            }
        }
    }
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

/// Plays each case of a suite as in the first run that expects it to pass and keeps a picture of the screen after every
/// step in `target/walkthroughs/<suite>`.
fn paint(name: &str) {
    let suite = suite_named(name);
    let album = repository("target/walkthroughs").join(name);
    std::fs::create_dir_all(&album).unwrap();
    let mut painted = BTreeSet::new();
    for run in suite.runs.iter().filter(|run| run.expect == Expected::Passed) {
        let (device, seed) = run.variants(None).remove(0);
        for case in suite.cases_of(run) {
            if painted.insert(case.id.to_string()) {
                let (apps, pace) = (suite.apps.as_slice(), Pace::Brisk);
                let play = Play { suite: &suite, case, run, device: &device, seed, apps, pace };
                let ending = play.watched(&mut |done, phone| {
                    let png = encode_png(&phone.picture()).unwrap();
                    std::fs::write(album.join(format!("{}-{done:02}.png", case.id)), png).unwrap();
                });
                let ending = ending.unwrap_or_else(|error| panic!("{error}"));
                println!("{}: {}, {}", case.id, ending.verdict, ending.reason);
            }
        }
    }
    println!("{}", album.display());
}

#[test]
#[ignore = "writes pictures for people to look at"]
fn xuat_in_pictures() {
    paint("xuat");
}

#[test]
#[ignore = "writes pictures for people to look at"]
fn maplebear_in_pictures() {
    paint("maplebear");
}

#[test]
#[ignore = "writes pictures for people to look at"]
fn strangers_in_pictures() {
    paint("strangers");
}

#[test]
#[ignore = "writes pictures for people to look at"]
fn newcomers_in_pictures() {
    paint("newcomers");
}

#[test]
#[ignore = "writes pictures for people to look at"]
fn sealed_newcomers_in_pictures() {
    paint("sealed_newcomers");
}
