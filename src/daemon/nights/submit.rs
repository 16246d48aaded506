//! A night is handed in: everything that can be refused is refused now.

use super::plan::{MOST_CELLS, PlannedCell, cells, select, touched};
use super::quiet::check_quiet;
use crate::daemon::desk::{Desk, SubmitError, now};
use crate::domain::{self, CaseId, DeviceSerial, RunId};
use crate::run::{ANY_DEVICE, LaunchError, RunLauncher, RunRequest};
use crate::store::{BatchFilter, BatchRecord, BatchSpec, NewRun, Place, StoreError, Whom};
use jiff::SignedDuration;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::sync::Arc;

/// Tries beyond the first at most.
const MOST_RETRIES: u32 = 5;
/// Hours until what still waits is given up.
const GIVE_UP_HOURS: u32 = 24;
/// Runs whose times count for the order.
const TIMES: u32 = 20_000;
/// Paths of a change at most.
const MOST_CHANGED: usize = 10_000;
/// Longest name of a night.
const LONGEST: usize = 80;

/// Why a night was not taken.
#[derive(Debug, thiserror::Error)]
pub(in crate::daemon) enum NightError {
    /// Something of it cannot be had.
    #[error("{reason}")]
    Field {
        /// Where: a JSON pointer.
        pointer: String,
        /// What is wrong, and what there is.
        reason: String,
    },
    /// As for a single run.
    #[error(transparent)]
    Submit(#[from] SubmitError),
    /// A task fell over.
    #[error("the night could not be planned: {0}")]
    Fell(String),
}

impl From<StoreError> for NightError {
    fn from(error: StoreError) -> Self {
        Self::Submit(error.into())
    }
}

/// Where a night comes from.
#[derive(Debug, Clone, Default)]
pub(in crate::daemon) struct Origin {
    /// `schedule`, `webhook`, or whose token.
    pub(in crate::daemon) trigger: String,
    /// The schedule.
    pub(in crate::daemon) schedule: Option<String>,
    /// The caller's own name for the submission.
    pub(in crate::daemon) key: Option<String>,
}

/// A planned cell with the actors its case needs.
struct Seat {
    cell: PlannedCell,
    actors: BTreeMap<String, DeviceSerial>,
}

impl Desk {
    /// Checks that a night can be made, without beginning it.
    pub(in crate::daemon) async fn check_batch(&self, spec: &BatchSpec) -> Result<usize, NightError> {
        Ok(self.plan_batch(spec).await?.len())
    }

    /// Plans a night and queues its runs. With a key, what was handed in with it before is the same night.
    pub(in crate::daemon) async fn submit_batch(
        &self,
        mut spec: BatchSpec,
        origin: Origin,
    ) -> Result<BatchRecord, NightError> {
        if self.stop.is_cancelled() {
            return Err(SubmitError::Stopping.into());
        }
        if let Some(key) = &origin.key
            && let Some(before) = self.store.batch_with_key(key).await?
        {
            return Ok(before);
        }
        if spec.name.is_empty() {
            "ad hoc".clone_into(&mut spec.name);
        }
        let seats = self.plan_batch(&spec).await?;
        if self.store.queue_length().await? + seats.len() as u64 > self.most_waiting() {
            return Err(SubmitError::QueueFull(self.most_waiting()).into());
        }
        let created_at = now();
        let batch_id = uuid::Uuid::now_v7().to_string();
        let filter = BatchFilter { name: Some(spec.name.clone()), before: None, limit: 10 };
        let earlier = self.store.batches(filter).await?.into_iter().find(|batch| batch.finished_at.is_some());
        let hours = spec.give_up_hours.map_or(GIVE_UP_HOURS, NonZeroU32::get);
        let give_up_at = created_at + SignedDuration::from_hours(i64::from(hours));
        let run = |Seat { cell, actors }: Seat| {
            let PlannedCell { case_id, profile, locale, location } = cell;
            let (at_most, quiet) = (spec.concurrency, spec.quiet.clone());
            let batch_id = batch_id.clone();
            let place = Place { batch_id, profile, locale, location, tried: 1, at_most, quiet, give_up_at };
            NewRun {
                run_id: RunId::new(uuid::Uuid::now_v7().to_string()),
                request: RunRequest { case_id, device: None, actors, params: BTreeMap::new(), seed: 0, location: None },
                sealed_params: None,
                priority: spec.priority,
                created_at,
                idempotency_key: None,
                place: Some(place),
            }
        };
        let runs: Vec<NewRun> = seats.into_iter().map(run).collect();
        let batch = BatchRecord {
            batch_id: batch_id.clone(),
            schedule: origin.schedule,
            trigger: origin.trigger,
            app_before: earlier.and_then(|earlier| earlier.app_after),
            app_after: None,
            tally: None,
            created_at,
            finished_at: None,
            idempotency_key: origin.key,
            spec,
        };
        tracing::info!(batch_id, name = batch.spec.name, trigger = batch.trigger, runs = runs.len(), "a night begins");
        self.store.add_batch(batch.clone(), runs).await?;
        self.wake.notify_one();
        Ok(batch)
    }

    /// Calls a night off: what waits goes at once, what is under way is told to stop.
    pub(in crate::daemon) async fn cancel_batch(&self, batch_id: &str) -> Result<usize, StoreError> {
        let leases = self.leases.lock().await;
        let reason = "cancelled with its night";
        let waiting = self.store.cancel_waiting(batch_id, reason, now()).await?;
        for run_id in &waiting {
            self.news.announce(&RunId::new(run_id.as_str()));
        }
        let under_way: Vec<_> = leases.all_of_batch(batch_id).collect();
        under_way.iter().for_each(|lease| lease.cancelled.cancel());
        let held: BTreeSet<&RunId> = under_way.iter().map(|lease| &lease.run_id).collect();
        let elsewhere =
            if self.store.is_shared() { self.store.ask_to_cancel(Whom::Night(batch_id)).await? } else { Vec::new() };
        let elsewhere = elsewhere.iter().filter(|run_id| !held.contains(run_id)).count();
        self.farm.nights.notify_one();
        self.wake.notify_one();
        Ok(waiting.len() + held.len() + elsewhere)
    }

    async fn plan_batch(&self, spec: &BatchSpec) -> Result<Vec<Seat>, NightError> {
        check_terms(spec)?;
        if let Some(catalog) = &self.farm.catalog {
            let known = catalog.profiles();
            if let Some((at, name)) = spec.profiles.iter().enumerate().find(|(_, name)| !known.contains(name)) {
                let reason = format!("no device profile is called {name:?}; there are {}", known.join(", "));
                return Err(field(format!("/profiles/{at}"), reason));
            }
        } else if !spec.profiles.is_empty() || !spec.locales.is_empty() {
            let reason = "this daemon does not know what its devices are: leave profiles and locales out";
            return Err(field("/profiles".to_owned(), reason.to_owned()));
        }
        let past = self.store.past_times(TIMES).await?;
        let (spec, launcher, catalog) = (spec.clone(), Arc::clone(&self.launcher), self.farm.catalog.clone());
        // It reads files, so it must not hold up the other connections.
        let planned = tokio::task::spawn_blocking(move || {
            let mut hurried = BTreeSet::new();
            let cases = match catalog {
                None if spec.cases.is_empty() => {
                    return Err(field("/cases".to_owned(), "nothing is selected: name cases".to_owned()));
                }
                None => spec.cases.clone(),
                Some(catalog) => {
                    let cards = catalog.cases().map_err(SubmitError::from)?;
                    hurried = touched(&spec, &cards);
                    select(&spec, &cards).map_err(|missing| field(missing.pointer, missing.reason))?
                }
            };
            let actors = check_cases(&*launcher, &cases)?;
            let seat =
                |cell: PlannedCell| Seat { actors: actors.get(&cell.case_id).cloned().unwrap_or_default(), cell };
            Ok(cells(&spec, cases, &past, &hurried).into_iter().map(seat).collect::<Vec<_>>())
        });
        let seats = planned.await.map_err(|error| NightError::Fell(error.to_string()))??;
        if seats.len() > MOST_CELLS {
            let reason = format!("{} cells are more than {MOST_CELLS}: hand it in as several nights", seats.len());
            return Err(field("/cases".to_owned(), reason));
        }
        Ok(seats)
    }
}

/// What every case of a night needs; all that is wrong with any of them is told at once.
fn check_cases(
    launcher: &dyn RunLauncher,
    cases: &[CaseId],
) -> Result<BTreeMap<CaseId, BTreeMap<String, DeviceSerial>>, NightError> {
    let mut actors = BTreeMap::new();
    let mut wrong = Vec::new();
    for case_id in cases {
        let request = RunRequest {
            case_id: case_id.clone(),
            device: None,
            actors: BTreeMap::new(),
            params: BTreeMap::new(),
            seed: 0,
            location: None,
        };
        match launcher.check(&request).and_then(|()| launcher.cast(&request)) {
            Ok(cast) => {
                let own = cast.into_iter().map(|name| (name, DeviceSerial::from(ANY_DEVICE))).collect();
                actors.insert(case_id.clone(), own);
            }
            Err(error @ LaunchError::Infrastructure(_)) => return Err(SubmitError::from(error).into()),
            Err(error) => wrong.push(error.to_string()),
        }
    }
    if wrong.is_empty() { Ok(actors) } else { Err(field("/cases".to_owned(), wrong.join("; "))) }
}

fn check_terms(spec: &BatchSpec) -> Result<(), NightError> {
    let visible = |text: &str| text.chars().count() <= LONGEST && !text.chars().any(char::is_control);
    if !visible(&spec.name) {
        return Err(field("/name".to_owned(), format!("a name has at most {LONGEST} visible characters")));
    }
    if spec.commit.as_deref().is_some_and(|commit| !visible(commit)) {
        return Err(field("/commit".to_owned(), format!("a revision has at most {LONGEST} visible characters")));
    }
    if spec.retries > MOST_RETRIES {
        return Err(field("/retries".to_owned(), format!("at most {MOST_RETRIES}: what needs more is broken")));
    }
    let letters = |locale: &str| {
        let parts = locale.split(['-', '_']);
        locale.len() >= 2
            && parts.into_iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    };
    if let Some((at, locale)) = spec.locales.iter().enumerate().find(|(_, locale)| !letters(locale)) {
        return Err(field(
            format!("/locales/{at}"),
            format!("{locale:?} is no language: expected something like de-DE"),
        ));
    }
    if let Some((at, text)) = spec.locations.iter().enumerate().find(|(_, text)| text.parse::<domain::Place>().is_err())
    {
        let reason = format!("{text:?} is no place: expected degrees, as 48.85,2.35");
        return Err(field(format!("/locations/{at}"), reason));
    }
    if spec.changed.len() > MOST_CHANGED {
        let reason = format!("{} paths are more than {MOST_CHANGED}: name their folders", spec.changed.len());
        return Err(field("/changed".to_owned(), reason));
    }
    match &spec.quiet {
        Some(quiet) => check_quiet(quiet).map_err(|reason| field("/quiet".to_owned(), reason)),
        None => Ok(()),
    }
}

fn field(pointer: String, reason: String) -> NightError {
    NightError::Field { pointer, reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Quiet;

    #[test]
    fn terms_that_make_no_sense_are_refused_with_their_place() {
        let check = |spec: BatchSpec, expected: Option<&str>| match (check_terms(&spec), expected) {
            (Ok(()), None) => {}
            (Err(NightError::Field { pointer, .. }), Some(expected)) => assert_eq!(pointer, expected, "{spec:?}"),
            (other, _) => panic!("{spec:?}: {other:?}"),
        };
        let spec = BatchSpec::default;
        check(spec(), None);
        check(BatchSpec { name: "x".repeat(81), ..spec() }, Some("/name"));
        check(BatchSpec { commit: Some("a\nb".into()), ..spec() }, Some("/commit"));
        check(BatchSpec { retries: 6, ..spec() }, Some("/retries"));
        check(BatchSpec { locales: vec!["de-DE".into(), "d".into()], ..spec() }, Some("/locales/1"));
        check(BatchSpec { locales: vec!["zh_Hant_TW".into()], ..spec() }, None);
        check(BatchSpec { locations: vec!["48.85,2.35".into(), "Paris".into()], ..spec() }, Some("/locations/1"));
        check(BatchSpec { changed: vec!["a".into(); MOST_CHANGED + 1], ..spec() }, Some("/changed"));
        let quiet = Quiet { from: "8".into(), to: "9:00".into(), zone: "UTC".into() };
        check(BatchSpec { quiet: Some(quiet), ..spec() }, Some("/quiet"));
    }
}
