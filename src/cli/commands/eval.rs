//! `tapwright eval`.

use super::{interruption, plural, print_json};
use crate::app::Workspace;
use crate::case::Rewriter;
use crate::cli::{EvalCommand, EvalLinksArgs, EvalMode, EvalRecordedArgs, Exit, Failure, table};
use crate::evaluation::{
    Evaluation, EvaluationError, FittedOn, Latency, LinkScore, Mode, Reliability, Report, Sample, Score,
    evaluate_drawn_links, evaluate_labelled_links,
};
use crate::recorded::{RecordedApp, Task};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Measures how well the agent does.
pub(super) async fn eval(command: EvalCommand, workspace: &Workspace) -> Result<Exit, Failure> {
    match command {
        EvalCommand::Recorded(args) => recorded(args, workspace).await,
        EvalCommand::Links(args) => links(&args, workspace),
        EvalCommand::Ranking(args) => super::eval_ranking::ranking(&args, workspace),
        EvalCommand::Suite(args) => super::eval_suite::suite(args, workspace).await,
        EvalCommand::Repairs(args) => super::eval_repairs::repairs(args, workspace).await,
        EvalCommand::Decisions(args) => super::eval_decisions::decisions(args, workspace).await,
    }
}

fn links(args: &EvalLinksArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let reader = (!args.unread).then(|| workspace.reader());
    let evaluation = match (&args.file, args.generated) {
        (Some(file), _) => evaluate_labelled_links(file, reader.as_ref()),
        (None, count) => evaluate_drawn_links(count.unwrap_or_default(), args.seed, reader.as_ref()),
    };
    let evaluation = evaluation.map_err(Failure::usage)?;
    if args.json {
        print_json(&evaluation)?;
        return Ok(Exit::Passed);
    }
    let row = |name: &str, score: &LinkScore| {
        vec![
            name.to_owned(),
            score.links.to_string(),
            score.tap_hits.to_string(),
            format!("{:.2}", score.mean_iou),
            score.exact_texts.to_string(),
            score.false_links.to_string(),
        ]
    };
    let head = ["GROUP", "LINKS", "TAP HITS", "MEAN IOU", "EXACT TEXTS", "FALSE LINKS"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (name, score) in evaluation.by_script.iter().chain(&evaluation.by_style) {
        rows.push(row(name, score));
    }
    rows.push(row("all", &evaluation.total));
    table::print_fitting(&rows);
    if let Some(free) = &evaluation.link_free {
        let paragraphs = plural(free.paragraphs, "paragraph");
        anstream::eprintln!("false_links in {paragraphs} without links: {}", free.false_links);
        for (name, label) in &free.reports {
            anstream::eprintln!("{name}: {label:?} is no link");
        }
    }
    for note in &evaluation.notes {
        anstream::eprintln!("note: {note}");
    }
    let Latency { p50, p95 } = evaluation.latency_ms;
    anstream::eprintln!("a screen took {p50:.1} ms (p50), {p95:.1} ms (p95)");
    let cost = &evaluation.cost;
    if let (Some(p50), Some(p95), Some(max)) = (cost.cpu_ms_p50, cost.cpu_ms_p95, cost.cpu_ms_max) {
        anstream::eprintln!("processor time a screen: {p50:.1} ms (p50), {p95:.1} ms (p95), {max:.1} ms (most)");
    }
    if let Some(peak) = cost.peak_mib {
        anstream::eprintln!("memory, at most: {peak:.0} MiB");
    }
    for missed in evaluation.reports.iter().filter(|report| !report.hit || report.iou < 0.5) {
        let found = missed.found.as_deref().unwrap_or("nothing");
        anstream::eprintln!(
            "{}: {:?}: {found:?}, IoU {:.2}, hit: {}",
            missed.screen,
            missed.text,
            missed.iou,
            missed.hit
        );
    }
    Ok(Exit::Passed)
}

async fn recorded(args: EvalRecordedArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let apps = open(&args.recordings)?;
    let wanted = |task: &Task| args.tasks.is_empty() || args.tasks.contains(&task.id);
    if let Some(unknown) = args.tasks.iter().find(|id| apps.iter().all(|app| app.task(id).is_none())) {
        return Err(Failure::usage(format!("no recording has a task {unknown:?}; see their tasks.jsonl")));
    }
    if !apps.iter().any(|app| app.tasks.iter().any(wanted)) {
        return Err(Failure::nothing_selected("there are no tasks to try: the recordings' tasks.jsonl are empty"));
    }
    let evaluation = Evaluation {
        judgement: &workspace.judgement().map_err(Failure::infrastructure)?,
        skills: &workspace.skills().map_err(Failure::usage)?,
        rewriter: &Rewriter::bundled().map_err(Failure::usage)?,
        mode: match args.mode {
            EvalMode::Goal => Mode::Goal,
            EvalMode::Steps => Mode::Steps,
        },
        with_map: !args.no_map,
        fitted_on: FittedOn::bundled().map_err(Failure::usage)?,
        cancel: interruption(),
    };
    let mut progress = |task: &crate::evaluation::TaskReport| {
        let mark = if task.completed { "completed" } else { "not completed" };
        anstream::eprintln!(
            "{}: {mark}, {} ({} of the human), {} of {} decisions right",
            task.id,
            plural(task.actions, "action"),
            task.human_actions,
            task.right,
            task.decisions
        );
        tracing::info!("{}: {}", task.id, task.reason);
        for deed in &task.did {
            tracing::info!("{}: {deed}", task.id);
        }
        for choice in &task.choices {
            tracing::info!("{}: {choice}", task.id);
        }
    };
    let report = evaluation.run(&apps, &wanted, &mut progress).await.map_err(|error| match error {
        EvaluationError::Task { .. } | EvaluationError::Map { .. } => Failure::infrastructure(error),
    })?;
    if args.json {
        print_json(&report)?;
    } else {
        print(&report);
    }
    Ok(if evaluation.cancel.is_cancelled() { Exit::Interrupted } else { Exit::Passed })
}

/// The recordings named, or those in the folders named.
pub(super) fn open(folders: &[PathBuf]) -> Result<Vec<Arc<RecordedApp>>, Failure> {
    let mut apps = Vec::new();
    for folder in folders {
        let inside = if folder.join("app.json").is_file() { vec![folder.clone()] } else { recordings_in(folder)? };
        for folder in inside {
            let app = RecordedApp::open(&folder).map_err(Failure::usage)?;
            for note in &app.notes {
                tracing::warn!("{}: {note}", folder.display());
            }
            apps.push(Arc::new(app));
        }
    }
    Ok(apps)
}

fn recordings_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(folder).map_err(|error| Failure::unreadable(folder, &error))?;
    let mut found: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.join("app.json").is_file()).collect();
    found.sort();
    if found.is_empty() {
        let reason = "a recording is a folder with app.json, states/ and transitions.jsonl";
        return Err(Failure::usage(format!("{} holds no recording: {reason}", folder.display())));
    }
    Ok(found)
}

fn print(report: &Report) {
    let row = |name: &str, [inside, outside]: [Option<&Score>; 2]| {
        let both = [inside, outside].into_iter().flatten();
        let tasks: usize = both.clone().map(|score| score.tasks).sum();
        let latency = both.map(|score| score.latency_ms).next_back().unwrap_or(Latency { p50: 0.0, p95: 0.0 });
        let figures: [fn(&Score) -> Option<f64>; 5] = [
            |score| score.completed_share,
            |score| score.action_accuracy,
            |score| score.pass_at_1,
            |score| score.complete_at_1,
            |score| score.false_done,
        ];
        let percent =
            |share: Option<f64>| share.map_or_else(|| "–".to_owned(), |share| format!("{:.1}", share * 100.0));
        let pairs = figures.iter().flat_map(|figure| [inside, outside].map(|score| percent(score.and_then(*figure))));
        let mut cells = vec![name.to_owned(), tasks.to_string()];
        cells.extend(pairs);
        cells.extend([format!("{:.1}", latency.p50), format!("{:.1}", latency.p95)]);
        cells
    };
    let head = [
        "APP",
        "TASKS",
        "COMPLETED % IN SAMPLE",
        "LEFT OUT",
        "ACTIONS RIGHT % IN SAMPLE",
        "LEFT OUT",
        "PASS@1 % IN SAMPLE",
        "LEFT OUT",
        "COMPLETE@1 % IN SAMPLE",
        "LEFT OUT",
        "FALSE DONE % IN SAMPLE",
        "LEFT OUT",
        "P50 MS",
        "P95 MS",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (app, score) in &report.by_app {
        let own = report.results.iter().find(|result| result.app == *app).map(|result| result.sample);
        let inside = own == Some(Sample::InSample);
        rows.push(row(app, [inside.then_some(score), (!inside).then_some(score)]));
    }
    rows.push(row("all", [report.in_sample.as_ref(), report.left_out.as_ref()]));
    table::print_fitting(&rows);
    if let Some(reliability) = &report.reliability {
        print_reliability(reliability);
    }
}

/// How much of what was declared with so much confidence was right.
fn print_reliability(reliability: &Reliability) {
    let mut rows = vec![["CONFIDENCE", "DECLARED", "RIGHT", "SHARE", "MEAN"].map(str::to_owned).to_vec()];
    rows.extend(reliability.bins.iter().map(|bin| {
        vec![
            format!("{:.1} to {:.1}", bin.from, bin.from + 0.1),
            bin.declared.to_string(),
            bin.right.to_string(),
            format!("{:.3}", bin.share),
            format!("{:.3}", bin.confidence),
        ]
    }));
    table::print_fitting(&rows);
    anstream::eprintln!("expected calibration error: {:.3}", reliability.expected_calibration_error);
}
