//! `tapwright eval repairs`.

use super::eval_suite::{PROFILE, open};
use super::{interruption, plural, print_json};
use crate::app::Workspace;
use crate::cli::{ChangeChoice, EvalRepairsArgs, Exit, Failure, table};
use crate::evaluation::suite::{
    BugEnding, NextVersion, Renewal, RenewalReport, RenewalSelection, ReplayEnding, ScriptReport,
};
use crate::run::StringTables;
use crate::virtual_device::app_strings;
use std::sync::Arc;

const HEADINGS: [&str; 9] =
    ["SUITE", "SCRIPTS", "AS IT WAS", "REPAIRED RIGHT", "WRONG", "GIVEN UP", "BUGS FAILED", "NOT PASSED", "HIDDEN"];

impl From<ChangeChoice> for NextVersion {
    fn from(choice: ChangeChoice) -> Self {
        match choice {
            ChangeChoice::Renamed => Self::Renamed,
            ChangeChoice::Moved => Self::Moved,
            ChangeChoice::Reworded => Self::Reworded,
            ChangeChoice::Inserted => Self::Inserted,
        }
    }
}

/// Records scripts and replays them on the next versions of their apps. What was measured is printed whatever it is.
pub(super) async fn repairs(args: EvalRepairsArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let suites = open(&args.suites)?;
    let known = |id: &str| suites.iter().any(|suite| suite.cases.iter().any(|case| case.id.as_str() == id));
    if let Some(unknown) = args.cases.iter().find(|id| !known(id)) {
        return Err(Failure::usage(format!("no suite has a case {unknown:?}; see their cases/")));
    }
    let profiles = workspace.profiles().map_err(Failure::usage)?;
    let colours = profiles.iter().find(|profile| profile.name == PROFILE).map(|profile| &profile.link_colours);
    let cancel = interruption();
    let renewal = Renewal {
        launcher: workspace.launcher(Vec::new(), workspace.places(None)).map_err(Failure::usage)?,
        link_colours: colours.into_iter().flatten().map(|colour| colour.0).collect(),
        strings: Arc::new(StringTables::new(app_strings, None)),
        cancel: cancel.clone(),
    };
    let selection =
        RenewalSelection { cases: args.cases, versions: args.changes.into_iter().map(Into::into).collect() };
    let report = renewal.of(&suites, &selection, &mut tell).await.map_err(Failure::usage)?;
    if report.scripts.is_empty() && !cancel.is_cancelled() {
        return Err(Failure::nothing_selected("no case of these suites is done on one device as it is written"));
    }
    if args.json {
        print_json(&report)?
    } else {
        print(&report)
    }
    Ok(if cancel.is_cancelled() { Exit::Interrupted } else { Exit::Passed })
}

/// What went wrong with a script, line by line.
fn tell(script: &ScriptReport) {
    let ScriptReport { suite, case, left_out, next, bugs } = script;
    if let Some(why) = left_out {
        anstream::eprintln!("{suite} {case}: left out: {why}");
        return;
    }
    let count = |ending: ReplayEnding| next.iter().filter(|replay| replay.ending == ending).count();
    anstream::eprintln!(
        "{suite} {case}: {} as it was, {} repaired, {} wrong, {} given up; {}",
        count(ReplayEnding::AsItWas),
        count(ReplayEnding::Repaired),
        count(ReplayEnding::Wrong),
        count(ReplayEnding::GivenUp),
        plural(bugs.len(), "bug replay"),
    );
    for replay in next.iter().filter(|replay| matches!(replay.ending, ReplayEnding::Wrong | ReplayEnding::GivenUp)) {
        let word = if replay.ending == ReplayEnding::Wrong { "WRONG" } else { "given up" };
        anstream::eprintln!("    {}: {word}: {}", replay.version, replay.told);
    }
    for replay in bugs.iter().filter(|replay| replay.ending != BugEnding::Failed) {
        anstream::eprintln!("    {} with {}: {:?}: {}", replay.version, replay.bug, replay.ending, replay.told);
    }
}

fn print(report: &RenewalReport) {
    let row = |suite: Option<&str>| {
        let counts = report.counts(suite, None);
        let own = |script: &&ScriptReport| suite.is_none_or(|suite| script.suite == suite);
        let recorded = report.scripts.iter().filter(own).filter(|script| script.left_out.is_none()).count();
        let bugs = |ending: BugEnding| report.bugs(suite, ending).to_string();
        vec![
            suite.unwrap_or("all").to_owned(),
            format!("{recorded} of {}", report.scripts.iter().filter(own).count()),
            counts.as_it_was.to_string(),
            counts.to_string(),
            counts.wrong.to_string(),
            counts.given_up.to_string(),
            bugs(BugEnding::Failed),
            bugs(BugEnding::NotPassed),
            bugs(BugEnding::Hidden),
        ]
    };
    let mut rows = vec![HEADINGS.map(str::to_owned).to_vec()];
    rows.extend(report.suites().into_iter().map(|suite| row(Some(suite))));
    rows.push(row(None));
    table::print_fitting(&rows);
    for version in NextVersion::ALL {
        let counts = report.counts(None, Some(version));
        anstream::println!(
            "{version}: {counts} repaired right, {} as it was, {} wrong",
            counts.as_it_was,
            counts.wrong
        );
    }
    let unseen = report.bugs(None, BugEnding::Unseen);
    anstream::println!("{} passed before the change, too", plural(unseen, "bug replay"));
}
