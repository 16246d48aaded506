//! The fit of `tapwright eval decisions` and of `tapwright train policy`: figures, what features earn, the file of weights.

use super::plural;
use crate::cli::{Failure, table};
use crate::evaluation::Reliability;
use crate::evaluation::decisions::{
    Ablation, DecisionExample, DecisionScore, FitSettings, FittedPolicy, KeptFits, LeftOut, LeftOutShares, ablate,
    fit_policy,
};
use crate::pipeline::{Feature, PolicyWeights};
use crate::report::write_whole;
use std::path::{Path, PathBuf};

/// Fits weights, tells what they are worth, and writes them.
pub(super) fn fit(path: &Path, examples: &[DecisionExample], ablates: bool) -> Result<(), Failure> {
    let prior = PolicyWeights::prior().map_err(Failure::usage)?;
    let beside = beside(path);
    let wrong = |error: std::io::Error| Failure::usage(format!("cannot use {}: {error}", beside.display()));
    let kept = KeptFits::open(&beside).map_err(wrong)?;
    if kept.count() > 0 {
        anstream::eprintln!("{} were finished before", plural(kept.count(), "fit"));
    }
    let fitted = fit_policy(examples, &prior, FitSettings::default(), &kept).map_err(Failure::usage)?;
    print(&fitted, &prior);
    if ablates {
        print_ablation(&ablate(examples, &prior, FitSettings::default(), &kept).map_err(Failure::usage)?);
    }
    write_whole(path, fitted.to_toml().as_bytes()).map_err(Failure::usage)?;
    // What it kept would only be read again.
    drop(kept);
    std::fs::remove_file(&beside).map_err(wrong)?;
    anstream::eprintln!("the weights fitted to all apps are in {}", path.display());
    Ok(())
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".fits");
    PathBuf::from(name)
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(String::new, |share| format!("{:.1} %", share * 100.0))
}

/// Apps and families left out, how sure choices are, and the weights with their standard errors.
pub(super) fn print(fitted: &FittedPolicy, prior: &PolicyWeights) {
    print_left_out("APP", &fitted.apps);
    if fitted.families.iter().any(|family| fitted.apps.iter().all(|app| app.name != family.name)) {
        print_left_out("FAMILY", &fitted.families);
    }
    let mut rows = vec![["FEATURE", "SET BY HAND", "FITTED", "STANDARD ERROR"].map(str::to_owned).to_vec()];
    for (at, feature) in Feature::ALL.iter().enumerate() {
        let error = fitted.errors.as_ref().and_then(|errors| *errors.get(at)?);
        rows.push(vec![
            feature.key().to_owned(),
            format!("{:.3}", prior.get(*feature)),
            format!("{:.3}", fitted.weights.get(*feature)),
            error.map_or_else(String::new, |error| format!("{error:.3}")),
        ]);
    }
    table::print_fitting(&rows);
    let calibration = &fitted.calibration;
    anstream::eprintln!("sharpness that fits what was left out: {}", calibration.sharpness);
    for (what, found) in [("choice", &calibration.choice), ("done", &calibration.done)] {
        match found {
            Some(found) => print_calibration(what, found),
            None => anstream::eprintln!("{what}: nothing was chosen"),
        }
    }
}

fn print_left_out(head: &str, parts: &[LeftOut]) {
    let mut rows = vec![[head, "DECISIONS", "SET BY HAND", "LEFT OUT", "IN SAMPLE"].map(str::to_owned).to_vec()];
    let cell = |score: &DecisionScore| percent(score.right());
    for LeftOut { name, before, left_out, in_sample } in parts {
        let decisions = before.decisions.to_string();
        rows.push(vec![name.clone(), decisions, cell(before), cell(left_out), cell(in_sample)]);
    }
    let all: usize = parts.iter().map(|part| part.before.decisions).sum();
    let LeftOutShares { before, left_out, in_sample } = LeftOutShares::of(parts);
    rows.push(vec!["all".to_owned(), all.to_string(), percent(before), percent(left_out), percent(in_sample)]);
    table::print_fitting(&rows);
}

/// How many of what was chosen so surely was right, with weights that were fitted to other families.
fn print_calibration(what: &str, found: &Reliability) {
    for bin in &found.bins {
        anstream::eprintln!(
            "{what}, {:.1} to {:.1} sure: {} of {} right ({:.3}, sure {:.3})",
            bin.from,
            bin.from + 0.1,
            bin.right,
            bin.declared,
            bin.share,
            bin.confidence
        );
    }
    anstream::eprintln!("{what}: expected calibration error left out {:.3}", found.expected_calibration_error);
}

fn print_ablation(found: &Ablation) {
    let mut rows = vec![["FEATURE", "RIGHT MORE WITH IT", "LOSS LESS WITH IT"].map(str::to_owned).to_vec()];
    rows.extend(found.earnings.iter().map(|earning| {
        vec![earning.feature.to_owned(), format!("{:+}", earning.right), format!("{:+.4}", earning.loss)]
    }));
    table::print_fitting(&rows);
    anstream::eprintln!("{} of {} right left out, with all features", found.right, plural(found.decisions, "decision"));
    let idle: Vec<&str> = found.idle().map(|earning| earning.feature).collect();
    let told = |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    anstream::eprintln!("features that earn nothing left out: {}", told(&idle));
    anstream::eprintln!("features that no decision has: {}", told(&found.unseen));
}
