//! Many cases on several devices: what `run`, `replay` and `gate` share.

use crate::cli::{Exit, Failure};
use crate::domain::RunResult;
use crate::gate::{
    CaseReport, DeviceReport, GateVerdict, Job, Manifest, Ordering, Outlook, Part, Past, Player, Progress, Queue,
    Rules, ScriptFirst, Stop, Worked, order, progress_line, summary,
};
use crate::run::{CaseLauncher, RepairMode, past_runs};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use tokio_util::sync::CancellationToken;

/// Runs of a case whose time and verdict count for the order.
const REMEMBERED: usize = 20;

/// Cases to be run, and what people call them.
pub(super) struct Work {
    /// How each is carried out.
    pub(super) parts: Vec<Part>,
    /// Title and file of each.
    pub(super) names: Vec<(String, PathBuf)>,
    /// Runs and replays them.
    pub(super) launcher: CaseLauncher,
    /// Which devices.
    pub(super) devices: Vec<crate::domain::DeviceSerial>,
    /// How often, and when to stop.
    pub(super) rules: Rules,
    /// What is done where a script does not fit the app any more.
    pub(super) repair: RepairMode,
}

/// Works everything off; a line on stderr for each try, and a manifest of what came of it.
pub(super) async fn work(work: Work, cancel: &CancellationToken) -> Result<Manifest, Failure> {
    let Work { parts, names, launcher, devices, rules, repair } = work;
    let output = launcher.places.output.clone();
    let jobs: Vec<Job> =
        parts.iter().map(|part| Job { id: part.request.case_id.clone(), seats: part.cast.len().max(1) }).collect();
    let ordering = if rules.fail_fast { Ordering::EarlyFailure } else { Ordering::ShortestTime };
    let outlook = |part: &Part| {
        let id = &part.request.case_id;
        let past = output.as_deref().and_then(|output| Past::of(&past_runs(output, id, REMEMBERED)));
        // Only what nobody has run is judged by its script.
        Outlook { past, actions: if past.is_some() { None } else { part.script.actions(id) } }
    };
    let order = order(&parts.iter().map(outlook).collect::<Vec<_>>(), ordering);
    let ids: Vec<_> = jobs.iter().map(|job| job.id.clone()).collect();
    let queue = Queue::new(jobs, order, devices, rules, cancel.clone());
    let mut tell = |progress: Progress<'_>| match progress {
        Progress::Tried { place, number, tried, again, done } => {
            if let Some(id) = ids.get(place) {
                anstream::eprintln!("{}", progress_line((done, ids.len()), id, number, tried, again));
            }
        }
        Progress::SetAside { device, reason } => {
            anstream::eprintln!("{device} gets no more cases, for nothing works on it: {reason}");
        }
        Progress::Began { .. } => {}
    };
    let (started_at, begun) = (now(), Instant::now());
    let player: Arc<dyn Player> = Arc::new(ScriptFirst { launcher, parts, repair, events: None });
    let worked = queue.work(player, &mut tell).await;
    Ok(manifest(&ids, &names, worked, started_at, begun.elapsed().as_secs_f64()))
}

fn manifest(
    ids: &[crate::domain::CaseId],
    names: &[(String, PathBuf)],
    worked: Worked,
    started_at: String,
    seconds: f64,
) -> Manifest {
    let Worked { tries, judged, devices, stopped } = worked;
    let cases = ids
        .iter()
        .zip(names)
        .zip(tries.iter().zip(judged))
        .map(|((id, (title, file)), (tries, judged))| CaseReport::of(id, title, file.clone(), tries, Some(judged)));
    let stopped = stopped.map(|stop| match stop {
        Stop::Interrupted => "interrupted before everything was run",
        Stop::OutOfTime => "the time was used up before everything was run",
        Stop::FirstFailure => "stopped at the first failure",
    });
    Manifest {
        schema: 1,
        gate_id: String::new(),
        tapwright: env!("CARGO_PKG_VERSION").to_owned(),
        started_at,
        seconds,
        revision: None,
        policy: String::new(),
        selection: String::new(),
        devices: devices.iter().map(|(serial, spent)| DeviceReport::of(serial, spent)).collect(),
        stopped: stopped.map(str::to_owned),
        cases: cases.collect(),
        comparison: None,
    }
}

/// The end of `run` and `replay` on several devices.
pub(super) fn finish(manifest: &Manifest, json: bool, cancel: &CancellationToken) -> Result<Exit, Failure> {
    if json {
        let results: Vec<&RunResult> = manifest
            .cases
            .iter()
            .flat_map(|case| case.attempts.iter().filter_map(|attempt| attempt.result.as_ref()))
            .collect();
        super::print_json(&results)?;
    }
    anstream::eprint!("\n{}", summary(manifest));
    if cancel.is_cancelled() {
        return Ok(Exit::Interrupted);
    }
    Ok(exit_of(manifest, |_| true))
}

/// How a process ends for what came of all cases. Of failures only those count that `counts` is true of.
pub(super) fn exit_of(manifest: &Manifest, counts: impl Fn(&CaseReport) -> bool) -> Exit {
    let any = |wanted: fn(GateVerdict) -> bool| manifest.cases.iter().any(|case| wanted(case.verdict) && counts(case));
    let is = |verdict: GateVerdict| manifest.cases.iter().any(|case| case.verdict == verdict);
    if is(GateVerdict::Error) {
        return Exit::Infrastructure;
    }
    if any(|verdict| matches!(verdict, GateVerdict::Failed | GateVerdict::Blocked)) {
        return Exit::Failed;
    }
    // What was selected and not run has no answer.
    if is(GateVerdict::NotRun) { Exit::Infrastructure } else { Exit::Passed }
}

/// A file as people know it: from the workspace where it lies in it.
pub(super) fn shown(file: &Path, root: &Path) -> PathBuf {
    file.strip_prefix(root).unwrap_or(file).to_owned()
}

fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
