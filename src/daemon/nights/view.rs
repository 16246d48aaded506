//! Nights and cases as the API shows them.

use super::cause::{CauseKind, causes};
use super::cell::{Cell, Outcome, cells, tally};
use super::night_device::{NightDevice, night_devices};
use super::plan::typical;
use crate::daemon::desk::Desk;
use crate::domain::{CaseId, Verdict};
use crate::run::Catalog;
use crate::store::{BatchFilter, BatchRecord, BatchSpec, PastTime, Review, RunRecord, StoreError, Tally};
use jiff::{Timestamp, Unit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Nights in a case's strip.
const STRIP: u32 = 14;
/// Runs of a case that are listed.
const HISTORY: u32 = 50;

/// A night in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BatchView {
    /// The night.
    pub batch_id: String,
    /// Path of its page in the API.
    pub url: String,
    /// What was asked for.
    pub spec: BatchSpec,
    /// The schedule it came from.
    pub schedule: Option<String>,
    /// What began it.
    pub trigger: String,
    /// The app's version at the end of the night before.
    pub app_before: Option<String>,
    /// The app's version at its end.
    pub app_after: Option<String>,
    /// When it was handed in.
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// When its last cell ended.
    #[schemars(with = "Option<String>")]
    pub finished_at: Option<Timestamp>,
    /// How its cells ended; absent while it is open.
    pub tally: Option<Tally>,
}

impl From<BatchRecord> for BatchView {
    fn from(batch: BatchRecord) -> Self {
        Self {
            url: format!("/api/v1/batches/{}", batch.batch_id),
            batch_id: batch.batch_id,
            spec: batch.spec,
            schedule: batch.schedule,
            trigger: batch.trigger,
            app_before: batch.app_before,
            app_after: batch.app_after,
            created_at: batch.created_at,
            finished_at: batch.finished_at,
            tally: batch.tally,
        }
    }
}

/// A night with its cells, causes and cases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NightView {
    /// The night; its tally counts what is open, too.
    pub batch: BatchView,
    /// Its cells.
    pub cells: Vec<CellView>,
    /// What to look at.
    pub causes: Vec<CauseView>,
    /// Its cases, the worst first.
    pub cases: Vec<CaseRow>,
    /// The ended night of this name before it, with which it is compared.
    pub compared_with: Option<String>,
    /// What people made of its runs.
    #[serde(default)]
    pub reviews: Vec<Review>,
    /// Its devices, those in most trouble first.
    #[serde(default)]
    pub devices: Vec<NightDevice>,
}

/// A case on a profile in a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CellView {
    /// The case.
    pub case_id: String,
    /// Profile, language and place, in words; `any`.
    pub column: String,
    /// How it stands.
    pub outcome: Outcome,
    /// All tries, the first one first.
    pub runs: Vec<String>,
    /// The device of the latest.
    pub device: Option<String>,
    /// Why the latest ended so.
    pub reason: String,
}

/// Runs that ended for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CauseView {
    /// Of what kind.
    pub kind: CauseKind,
    /// True where the night before did not have it; absent where there is none to compare with.
    pub new: Option<bool>,
    /// The reason.
    pub reason: String,
    /// Its cases.
    pub cases: Vec<String>,
    /// Its devices.
    pub devices: Vec<String>,
    /// The latest run of each cell.
    pub runs: Vec<String>,
}

/// A case over the nights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseRow {
    /// The case.
    pub case_id: String,
    /// One line for people, where the workspace knows the case.
    pub title: Option<String>,
    /// How it stood in the latest nights of this name, the oldest first; the worst of its cells counts.
    pub strip: Vec<Option<Outcome>>,
    /// Part of its cells in those nights that were flaky, 0 to 1; absent where none passed.
    pub flake: Option<f64>,
    /// What a run takes, in the middle of the latest, ms.
    pub typical_ms: Option<i64>,
    /// What it took this night compared with that: 1.4 is two fifths longer.
    pub trend: Option<f64>,
}

/// A case with its past.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CaseHistory {
    /// The case.
    pub case_id: String,
    /// Its latest runs.
    pub runs: Vec<PastRunView>,
}

/// A run of a case's past.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PastRunView {
    /// The run.
    pub run_id: String,
    /// Where it is on its way, or its verdict.
    pub outcome: String,
    /// Its device.
    pub device: Option<String>,
    /// Why it ended so.
    pub reason: String,
    /// When it was handed in.
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    /// What it took, ms.
    pub ms: Option<i64>,
}

/// A night as its page shows it.
pub(in crate::daemon) async fn night_view(desk: &Desk, batch: BatchRecord) -> Result<NightView, StoreError> {
    let store = &desk.store;
    let runs = store.runs_of_batch(&batch.batch_id).await?;
    let filter =
        BatchFilter { name: Some(batch.spec.name.clone()), before: Some(batch.batch_id.clone()), limit: STRIP - 1 };
    let mut earlier = Vec::new();
    for before in store.batches(filter).await? {
        earlier.push((
            before.finished_at.is_some(),
            before.batch_id.clone(),
            store.runs_of_batch(&before.batch_id).await?,
        ));
    }
    let past = store.past_times(2_000).await?;
    let titles = titles(desk.farm.catalog.clone()).await;
    let reviews = store.reviews_of_batch(&batch.batch_id).await?;
    let devices = night_devices(desk, &batch, &runs).await?;
    Ok(NightView { reviews, devices, ..assembled(batch, &runs, &earlier, &past, &titles) })
}

fn assembled(
    batch: BatchRecord,
    runs: &[RunRecord],
    earlier: &[(bool, String, Vec<RunRecord>)],
    past: &[PastTime],
    titles: &BTreeMap<String, String>,
) -> NightView {
    let own = cells(runs);
    let before = earlier.iter().find(|(ended, ..)| *ended);
    let before_cells = before.map(|(_, _, runs)| cells(runs));
    let known: Option<BTreeSet<_>> =
        before_cells.as_ref().map(|cells| causes(cells).into_iter().map(|cause| cause.key).collect());
    let causes = causes(&own).into_iter().map(|cause| {
        let each = |part: fn(&RunRecord) -> Option<String>| -> Vec<String> {
            let all: BTreeSet<String> = cause.cells.iter().filter_map(|cell| part(cell.last()?)).collect();
            all.into_iter().collect()
        };
        CauseView {
            kind: cause.key.kind,
            new: known.as_ref().map(|known| !known.contains(&cause.key)),
            cases: each(|run| Some(run.case_id().as_str().to_owned())),
            devices: each(|run| run.device.as_ref().map(|device| device.as_str().to_owned())),
            runs: each(|run| Some(run.run_id.as_str().to_owned())),
            reason: cause.reason,
        }
    });
    let causes = causes.collect();
    let nights: Vec<Vec<Cell<'_>>> = earlier.iter().map(|(_, _, runs)| cells(runs)).collect();
    let typical = typical(past);
    let ids: BTreeSet<&str> = own.iter().map(|cell| cell.key.case_id.as_str()).collect();
    let mut cases: Vec<CaseRow> =
        ids.into_iter().map(|id| case_row(id, &own, &nights, &typical, titles.get(id).cloned())).collect();
    cases.sort_by_key(|row| row.strip.last().copied().flatten());
    let mut view = BatchView::from(batch);
    view.tally = Some(tally(&own));
    let compared_with = before.map(|(_, id, _)| id.clone());
    NightView {
        batch: view,
        cells: own.iter().map(cell_view).collect(),
        causes,
        cases,
        compared_with,
        reviews: Vec::new(),
        devices: Vec::new(),
    }
}

fn case_row(
    id: &str,
    own: &[Cell<'_>],
    nights: &[Vec<Cell<'_>>],
    typical: &BTreeMap<&str, i64>,
    title: Option<String>,
) -> CaseRow {
    let of = |cells: &[Cell<'_>]| cells.iter().filter(|cell| cell.key.case_id == id).map(Cell::outcome).min();
    let mut strip: Vec<Option<Outcome>> = nights.iter().rev().map(|cells| of(cells)).collect();
    strip.push(of(own));
    let all = nights.iter().flatten().chain(own).filter(|cell| cell.key.case_id == id).map(Cell::outcome);
    let (mut flaky, mut passed) = (0_u32, 0_u32);
    for outcome in all {
        flaky += u32::from(outcome == Outcome::Flaky);
        passed += u32::from(matches!(outcome, Outcome::Passed | Outcome::Repaired));
    }
    let took: Vec<i64> =
        own.iter().filter(|cell| cell.key.case_id == id).filter_map(|cell| took(cell.last()?)).collect();
    let mean = (!took.is_empty()).then(|| took.iter().sum::<i64>() as f64 / took.len() as f64);
    let typical_ms = typical.get(id).copied();
    let trend = mean.zip(typical_ms.filter(|ms| *ms > 0)).map(|(mean, typical)| mean / typical as f64);
    CaseRow {
        case_id: id.to_owned(),
        title,
        strip,
        flake: (flaky + passed > 0).then(|| f64::from(flaky) / f64::from(flaky + passed)),
        typical_ms,
        trend,
    }
}

fn cell_view(cell: &Cell<'_>) -> CellView {
    let last = cell.last();
    let kind = [&cell.key.profile, &cell.key.locale, &cell.key.location];
    let words: Vec<&str> = kind.into_iter().flatten().map(String::as_str).collect();
    CellView {
        case_id: cell.key.case_id.clone(),
        column: if words.is_empty() { "any".to_owned() } else { words.join(" ") },
        outcome: cell.outcome(),
        runs: cell.tries.iter().map(|run| run.run_id.as_str().to_owned()).collect(),
        device: last.and_then(|run| run.device.as_ref()).map(|device| device.as_str().to_owned()),
        reason: last.map(|run| run.reason.clone()).unwrap_or_default(),
    }
}

fn took(run: &RunRecord) -> Option<i64> {
    let (began, ended) = run.started_at.zip(run.finished_at)?;
    (ended - began).total(Unit::Millisecond).ok().map(|ms| ms as i64)
}

/// A case's latest runs.
pub(in crate::daemon) async fn case_history(desk: &Desk, case_id: &CaseId) -> Result<CaseHistory, StoreError> {
    let view = |run: RunRecord| PastRunView {
        outcome: run.verdict.map_or_else(|| run.state.to_string(), |verdict: Verdict| verdict.to_string()),
        ms: took(&run),
        device: run.device.map(|device| device.as_str().to_owned()),
        run_id: run.run_id.as_str().to_owned(),
        reason: run.reason,
        created_at: run.created_at,
    };
    let runs = desk.store.runs_of_case(case_id, HISTORY).await?.into_iter().map(view).collect();
    Ok(CaseHistory { case_id: case_id.as_str().to_owned(), runs })
}

/// Titles of the workspace's cases; none where they cannot be read now.
async fn titles(catalog: Option<Arc<dyn Catalog>>) -> BTreeMap<String, String> {
    let Some(catalog) = catalog else { return BTreeMap::new() };
    match tokio::task::spawn_blocking(move || catalog.titles()).await {
        Ok(Ok(titles)) => titles.into_iter().map(|(id, title)| (id.as_str().to_owned(), title)).collect(),
        Ok(Err(error)) => {
            tracing::warn!(%error, "the titles of cases are not known");
            BTreeMap::new()
        }
        Err(error) => {
            tracing::error!(%error, "reading cases fell over");
            BTreeMap::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell::tests::tried;
    use super::*;

    fn night(id: &str) -> BatchRecord {
        BatchRecord {
            batch_id: id.into(),
            spec: BatchSpec { name: "nightly".into(), ..BatchSpec::default() },
            schedule: None,
            trigger: "schedule".into(),
            app_before: None,
            app_after: None,
            tally: None,
            created_at: Timestamp::UNIX_EPOCH,
            finished_at: None,
            idempotency_key: None,
        }
    }

    #[test]
    fn a_night_tells_new_from_known_and_puts_the_worst_first() {
        let [passed, known, new] =
            [(Verdict::Passed, ""), (Verdict::Failed, "no A"), (Verdict::Failed, "no B")].map(Some);
        let runs = [
            tried("C", "p", 1, passed),
            tried("A", "p", 1, known),
            tried("B", "p", 1, new),
            tried("D", "p", 1, new),
            tried("D", "p", 2, passed),
        ];
        let before = [tried("A", "p", 1, known), tried("B", "p", 1, passed), tried("C", "p", 1, passed)];
        let earlier = [(true, "n1".to_owned(), before.to_vec())];
        let past = [PastTime { case_id: "A".into(), ms: 2_000 }];
        let view = assembled(night("n2"), &runs, &earlier, &past, &[("A".to_owned(), "Pay".to_owned())].into());
        let told: Vec<_> = view.causes.iter().map(|cause| (cause.reason.as_str(), cause.new)).collect();
        assert_eq!(told, [("no A", Some(false)), ("no B", Some(true))]);
        let ids: Vec<&str> = view.cases.iter().map(|case| case.case_id.as_str()).collect();
        assert_eq!(ids, ["A", "B", "D", "C"]);
        assert_eq!(view.cases[1].strip, [Some(Outcome::Passed), Some(Outcome::Failed)]);
        assert_eq!(view.cases[2].strip, [None, Some(Outcome::Flaky)]);
        assert_eq!((view.cases[0].title.as_deref(), view.cases[0].trend), (Some("Pay"), Some(1.5)));
        assert_eq!((view.cases[2].flake, view.cases[0].flake), (Some(1.0), None));
        let tally = view.batch.tally.unwrap();
        assert_eq!((tally.passed, tally.failed, tally.flaky), (1, 2, 1));
        assert_eq!(view.compared_with.as_deref(), Some("n1"));
        let first = assembled(night("n1"), &runs, &[], &[], &BTreeMap::new());
        assert_eq!((first.causes[0].new, first.compared_with), (None, None));
    }
}
