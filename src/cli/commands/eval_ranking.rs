//! `tapwright eval ranking`.

use super::print_json;
use crate::app::Workspace;
use crate::case::Rewriter;
use crate::cli::{EvalRankingArgs, Exit, Failure, table};
use crate::evaluation::{
    Gallery, LabelledInstructions, RankingReport, RankingScore, evaluate_ranking, read_labels, shared_with,
};
use crate::ranking::Scorer;
use serde::Serialize;
use std::collections::BTreeSet;

/// Several models, the same labels.
#[derive(Serialize)]
struct Comparison<'a> {
    models: &'a [RankingReport],
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
    let names = match args.models.as_slice() {
        [] => vec![workspace.model_name().map_err(Failure::usage)?],
        names => names.to_vec(),
    };
    let mut reports = Vec::new();
    for name in &names {
        reports.push(measure(name, &screens, &apart, workspace, gallery.as_mut())?);
    }
    match (args.json, reports.as_slice()) {
        (true, [only]) => print_json(only)?,
        (true, models) => print_json(&Comparison { models })?,
        (false, reports) => print(reports),
    }
    if let Some(gallery) = gallery {
        let path = gallery.finish(&args.data, &reports).map_err(Failure::usage)?;
        anstream::eprintln!("wrote {}", path.display());
    }
    Ok(Exit::Passed)
}

fn measure(
    model: &str,
    screens: &[LabelledInstructions],
    apart: &BTreeSet<String>,
    workspace: &Workspace,
    mut gallery: Option<&mut Gallery>,
) -> Result<RankingReport, Failure> {
    let judgement = workspace.judgement_by(Some(model)).map_err(Failure::infrastructure)?;
    let skills = workspace.skills().map_err(Failure::usage)?;
    let scorer = Scorer {
        embedder: judgement.embedder.as_ref(),
        weights: &judgement.weights,
        cues: &judgement.cues,
        skills: &skills,
    };
    let rewriter = Rewriter::bundled().map_err(Failure::usage)?;
    let mut trouble = None;
    let is_apart = |screen: &LabelledInstructions| apart.contains(&screen.name);
    let report = evaluate_ranking(model, &scorer, &rewriter, screens, &is_apart, &mut |screen, label, ranked| {
        if let Some(gallery) = gallery.as_deref_mut().filter(|_| trouble.is_none()) {
            trouble = gallery.note(model, screen, label, ranked).err();
        }
    });
    match trouble {
        Some(error) => Err(Failure::usage(error)),
        None => report.map_err(Failure::infrastructure),
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
        let none = &report.none_of_these;
        anstream::eprintln!(
            "{}: cold {:.1} ms (p50) {:.1} ms (p95), warm {:.2} ms (p50), {:.0} decisions a second; below {:.2} nothing \
             fits: {:.1} % chosen on screens of other apps, {:.1} % of right choices refused",
            report.model,
            report.cold_ms.p50,
            report.cold_ms.p95,
            report.warm_ms.p50,
            report.decisions_per_s,
            none.threshold,
            none.false_positives * 100.0,
            none.lost * 100.0
        );
    }
}
