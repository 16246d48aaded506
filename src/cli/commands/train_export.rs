//! `tapwright train export`.

use super::recordings::runs_in;
use super::{plural, print_json};
use crate::cli::{Exit, Failure, TrainExportArgs};
use crate::evaluation::{ExportedLabels, export_labels};

/// Turns passed runs into labels.
pub(super) fn export(args: &TrainExportArgs) -> Result<Exit, Failure> {
    let mut folders = Vec::new();
    for run in &args.runs {
        folders.extend(runs_in(run)?);
    }
    let exported = export_labels(&folders, &args.output, args.lang.as_deref()).map_err(Failure::usage)?;
    report(&exported);
    if exported.labels == 0 {
        let reason = "only what runs did that passed in the end makes labels, and nothing was written";
        return Err(Failure::nothing_selected(format!("no label in {}: {reason}", plural(exported.runs, "run"))));
    }
    if args.json {
        print_json(&exported)?;
    } else {
        anstream::println!("{}", args.output.display());
    }
    Ok(Exit::Passed)
}

fn report(exported: &ExportedLabels) {
    for note in &exported.notes {
        anstream::eprintln!("{note}");
    }
    for conflict in &exported.conflicts {
        anstream::eprintln!(
            "{:?} was done in different ways on one screen, so {} left out: {}",
            conflict.instruction,
            if conflict.labels == 1 { "1 label is".to_owned() } else { format!("{} labels are", conflict.labels) },
            conflict.done.join(", ")
        );
    }
    for (reason, count) in &exported.left_out {
        anstream::eprintln!("left out {}: {reason}", plural(*count, "action"));
    }
    anstream::eprintln!(
        "{}, {} passed: {} on {}, {} more that said the same",
        plural(exported.runs, "run"),
        exported.passed,
        plural(exported.labels, "label"),
        plural(exported.screens, "screen"),
        exported.duplicates
    );
}
