//! `tapwright eval ranking`.

use super::print_json;
use crate::app::Workspace;
use crate::case::Rewriter;
use crate::cli::{EvalRankingArgs, Exit, Failure, table};
use crate::evaluation::{
    Gallery, Gate, LabelledInstructions, RankingReport, RankingScore, evaluate_ranking, is_hit, read_labels,
    shared_with,
};
use serde::Serialize;
use std::collections::BTreeSet;

/// Several models, the same labels.
#[derive(Serialize)]
struct Comparison<'a> {
    models: &'a [RankingReport],
    #[serde(skip_serializing_if = "<[Gate]>::is_empty")]
    gates: &'a [Gate],
}

/// Measures the ranking.
pub(super) fn ranking(args: &EvalRankingArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let screens = read_labels(&args.data, args.limit).map_err(Failure::usage)?;
    if screens.is_empty() {
        return Err(Failure::nothing_selected(format!("{} holds no label", args.data.display())));
    }
    let trained = args.apart_from.as_deref().map(|file| read_labels(file, None)).transpose().map_err(Failure::usage)?;
    let apart: BTreeSet<String> = trained.map_or_else(BTreeSet::new, |trained| {
        let own = screens.iter().filter(|screen| shared_with(screen, &trained).is_none());
        own.map(|screen| screen.name.clone()).collect()
    });
    let mut gallery = args.report.as_deref().map(Gallery::new).transpose().map_err(Failure::usage)?;
    let mut reports = Vec::new();
    let mut answers = Vec::new();
    for name in names(args, workspace)? {
        let (report, right) = measure(&name, &screens, &apart, workspace, gallery.as_mut())?;
        reports.push(report);
        answers.push((name, right));
    }
    let gates = gates(args.at_least_as_good_as.as_deref(), &answers);
    match (args.json, reports.as_slice()) {
        (true, [only]) => print_json(only)?,
        (true, models) => print_json(&Comparison { models, gates: &gates })?,
        (false, reports) => print(reports),
    }
    for gate in &gates {
        anstream::eprintln!("{}", told(gate));
    }
    if let Some(gallery) = gallery {
        let path = gallery.finish(&args.data, &reports).map_err(Failure::usage)?;
        anstream::eprintln!("wrote {}", path.display());
    }
    Ok(if gates.iter().all(|gate| gate.passed) { Exit::Passed } else { Exit::Failed })
}

/// The models to measure, each once: the one in use where none is named, and the one the others are compared with.
fn names(args: &EvalRankingArgs, workspace: &Workspace) -> Result<Vec<String>, Failure> {
    let mut names = match args.models.as_slice() {
        [] => vec![workspace.model_name().map_err(Failure::usage)?],
        names => names.to_vec(),
    };
    if let Some(reference) = &args.at_least_as_good_as {
        names.insert(0, reference.clone());
        if names.iter().all(|name| name == reference) {
            let remedy = "name another one with --model";
            return Err(Failure::usage(format!("{reference} cannot be compared with itself; {remedy}")));
        }
    }
    let mut known = std::collections::HashSet::new();
    names.retain(|name| known.insert(name.clone()));
    Ok(names)
}

/// Every other model against the reference, by which labels each got right.
fn gates(reference: Option<&str>, answers: &[(String, Vec<bool>)]) -> Vec<Gate> {
    let Some((reference, right)) = answers.iter().find(|(name, _)| Some(name.as_str()) == reference) else {
        return Vec::new();
    };
    let others = answers.iter().filter(|(name, _)| name != reference);
    others.map(|(name, own)| Gate::new(name, own, reference, right)).collect()
}

fn told(gate: &Gate) -> String {
    let Gate { model, reference, n, won, lost, p, passed } = gate;
    let finding = if *passed { "no worse than chance explains" } else { "worse" };
    format!(
        "{model} against {reference} on {n} labels: right on {won} that it was wrong on, wrong on {lost} that it was \
             right on: {finding} (p = {p:.3})"
    )
}

/// A model's figures, and which labels it got right.
fn measure(
    model: &str,
    screens: &[LabelledInstructions],
    apart: &BTreeSet<String>,
    workspace: &Workspace,
    mut gallery: Option<&mut Gallery>,
) -> Result<(RankingReport, Vec<bool>), Failure> {
    let judgement = workspace.judgement_by(Some(model)).map_err(Failure::infrastructure)?;
    let skills = workspace.skills().map_err(Failure::usage)?;
    let scorer = judgement.scorer(&skills);
    let rewriter = Rewriter::bundled().map_err(Failure::usage)?;
    let mut trouble = None;
    let is_apart = |screen: &LabelledInstructions| apart.contains(&screen.name);
    let mut right = Vec::new();
    let report = evaluate_ranking(
        model,
        (&scorer, &judgement.knowledge),
        &rewriter,
        screens,
        &is_apart,
        &mut |screen, label, ranked| {
            right.push(ranked.first().is_some_and(|best| is_hit(label, &best.candidate)));
            if let Some(gallery) = gallery.as_deref_mut().filter(|_| trouble.is_none()) {
                trouble = gallery.note(model, screen, label, ranked).err();
            }
        },
    );
    match trouble {
        Some(error) => Err(Failure::usage(error)),
        None => Ok((report.map_err(Failure::infrastructure)?, right)),
    }
}

fn print(reports: &[RankingReport]) {
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    let row = |model: &str, group: &str, score: &RankingScore| {
        vec![
            model.to_owned(),
            group.to_owned(),
            score.n.to_string(),
            percent(score.hit_at.one),
            percent(score.hit_at.two),
            percent(score.hit_at.three),
            percent(score.reachable),
            percent(score.skill_accuracy),
        ]
    };
    let head = ["MODEL", "GROUP", "LABELS", "HIT@1", "HIT@2", "HIT@3", "REACHABLE", "SKILL"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for report in reports {
        let model = report.model.as_str();
        rows.push(row(model, "all", &report.total));
        rows.push(row(model, "widgets", &report.widgets));
        let groups = [&report.english_or_not, &report.by_style, &report.by_skill, &report.apart, &report.by_lang];
        for (name, score) in groups.into_iter().flatten() {
            rows.push(row(model, name, score));
        }
    }
    table::print_fitting(&rows);
    for report in reports {
        let none = match &report.none_of_these {
            Some(none) => format!(
                "below {:.2} nothing fits: {:.1} % chosen on screens of other apps, {:.1} % of right choices refused",
                none.threshold,
                none.false_positives * 100.0,
                none.lost * 100.0
            ),
            None => "no screens of other apps to see when nothing fits".to_owned(),
        };
        anstream::eprintln!(
            "{}: cold {:.1} ms (p50) {:.1} ms (p95), warm {:.2} ms (p50), {:.0} decisions a second; {none}",
            report.model,
            report.cold_ms.p50,
            report.cold_ms.p95,
            report.warm_ms.p50,
            report.decisions_per_s,
        );
    }
}
