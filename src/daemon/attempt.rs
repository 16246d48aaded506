//! One run on its devices, from lease to judgement.

use super::desk::{Change, Desk, ParamsError, is_ready};
use super::leases::Lease;
use super::limits::Limits;
use super::pool::DeviceEvent;
use crate::adb::DeviceRow;
use crate::device::HostLock;
use crate::domain::{DeviceSerial, EventKind, RunEvent, RunId, RunResult, Verdict};
use crate::run::{ANY_DEVICE, LaunchError, RunRequest};
use crate::store::{Hold, RunEnd, RunRecord};
use futures_util::FutureExt as _;
use std::any::Any;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

/// Who ended a run before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    Caller,
    DeviceLost,
    /// It ended as an error, and may do better on another device.
    DeviceSick,
    Shutdown,
    /// No sign of life reached the database for so long that another host may have taken the run over.
    Lapsed,
}

/// What came back from the launcher.
enum Outcome {
    Result(Box<RunResult>),
    NoResult(String),
    /// It fell over, or the request is wrong, which no device is to blame for.
    Defect(String),
}

/// What becomes of the run.
#[derive(Debug, PartialEq)]
enum Judgement {
    End(Box<RunEnd>),
    Requeue,
}

impl Judgement {
    /// The attempt itself fell over: the same would happen on any other device.
    fn fallen_over(text: &str) -> Self {
        let reason = format!("the attempt fell over, which is a defect of Tapwright: {text}");
        Self::End(Box::new(RunEnd::error(reason)))
    }
}

/// One try to make a run.
pub(super) struct Attempt {
    pub(super) desk: Arc<Desk>,
    pub(super) limits: Limits,
    pub(super) run: RunRecord,
    /// The device, of several the first.
    pub(super) serial: DeviceSerial,
    /// All devices it holds.
    pub(super) serials: Vec<DeviceSerial>,
    /// Whose device is which, where the case has actors.
    pub(super) actors: BTreeMap<String, DeviceSerial>,
    pub(super) lease: Lease,
    /// Keeps other processes of this host away from the devices.
    pub(super) locks: Vec<HostLock>,
    /// Fires when the drain time of a shutdown is over.
    pub(super) hard_stop: CancellationToken,
}

impl Attempt {
    /// Makes the run and stores what came of it. The device is free afterwards, whatever happened or fell over.
    pub(super) async fn make(self) {
        // Whatever is logged of it names run and device, warnings too.
        let (run_id, case_id) = (&self.run.run_id, self.run.case_id());
        let span = tracing::error_span!("run", id = %run_id, case = %case_id, device = %self.serial);
        self.made().instrument(span).await;
    }

    async fn made(mut self) {
        let begun = Instant::now();
        self.desk.meters.begin();
        let (judgement, last_event) =
            caught(self.judged()).await.unwrap_or_else(|text| (Judgement::fallen_over(&text), None));
        let verdict = match &judgement {
            Judgement::End(end) => Some(end.verdict),
            Judgement::Requeue => None,
        };
        self.desk.meters.end(begun.elapsed(), verdict);
        if let Err(text) = caught(self.write_down(judgement, last_event)).await
            && let Err(text) = caught(self.write_down(Judgement::fallen_over(&text), None)).await
        {
            let run_id = &self.run.run_id;
            tracing::error!(%run_id, text, "what came of a run could not be stored; the next daemon makes it again");
        }
        self.locks.clear();
        self.desk.leases.lock().await.release(&self.serials);
        for serial in &self.serials {
            self.desk.note(serial, &DeviceEvent::Freed).await;
        }
        self.desk.news.announce(&self.run.run_id);
        self.desk.wake.notify_one();
    }

    /// Makes the run; what is to become of it, and its closing event.
    async fn judged(&self) -> (Judgement, Option<RunEvent>) {
        match self.desk.whole_request(&self.run).await {
            Ok(mut request) => {
                request.actors.clone_from(&self.actors);
                request.location = self.run.place.as_ref().and_then(|place| place.location.clone());
                self.launch_and_judge(&request).await
            }
            Err(ParamsError::Store(error)) if error.may_pass() => {
                self.desk.trouble.note(&error);
                (Judgement::Requeue, None)
            }
            Err(error) => (Judgement::End(Box::new(RunEnd::error(error.to_string()))), None),
        }
    }

    /// Stores what becomes of the run.
    async fn write_down(&self, judgement: Judgement, last_event: Option<RunEvent>) {
        let (run_id, hold) = (&self.run.run_id, Hold::of(&self.run));
        match judgement {
            Judgement::Requeue => {
                tracing::warn!(%run_id, serial = %self.serial, "its device vanished or failed, or the database did; the run is queued again");
                let requeued = self.desk.insist(&hold, &Change::Requeue, &self.hard_stop).await;
                if let Err(error) = requeued {
                    tracing::error!(%run_id, %error, "a run that lost its device could not be queued again");
                }
            }
            Judgement::End(end) => {
                if let Some(event) = last_event.filter(|_| !self.hard_stop.is_cancelled()) {
                    keep(&self.desk, &hold, &event).await;
                }
                tracing::info!(%run_id, state = %end.state, verdict = %end.verdict, reason = end.reason, "run ended");
                if let Err(error) = self.desk.insist(&hold, &Change::Finish(end), &self.hard_stop).await {
                    tracing::error!(%run_id, %error, "the end of a run could not be stored");
                }
                self.desk.forget(run_id);
                self.share();
            }
        }
    }

    /// Keeps what this run and others saw alike once, and has it brought to where other hosts find it. Nobody waits for that.
    fn share(&self) {
        if let Some(artifacts) = &self.desk.artifacts {
            artifacts.add(self.run.case_id(), &self.run.run_id);
        }
        let Some(recordings) = self.desk.recordings.clone() else { return };
        let (case_id, run_id) = (self.run.case_id().clone(), self.run.run_id.clone());
        tokio::task::spawn_blocking(move || match recordings.share(&case_id, &run_id) {
            Ok(bytes) => tracing::debug!(%run_id, bytes, "what other recordings have was shared"),
            Err(error) => tracing::debug!(%run_id, %error, "a recording shares nothing with others"),
        });
    }

    async fn launch_and_judge(&self, request: &RunRequest) -> (Judgement, Option<RunEvent>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        let launch_over = CancellationToken::new();
        // On its own task, so that a slow database never slows a run.
        let keeper = keep_events(
            Arc::clone(&self.desk),
            Hold::of(&self.run),
            receiver,
            launch_over.clone(),
            self.hard_stop.clone(),
        );
        // Once the time to drain is over only the run's end is still written: its recording has the events.
        let keeper = tokio::spawn(self.hard_stop.clone().run_until_cancelled_owned(keeper).in_current_span());
        let (outcome, cause) = self.launch(request, sender).await;
        launch_over.cancel();
        let last_event = match keeper.await {
            Ok(last_event) => last_event.flatten(),
            Err(error) => {
                tracing::error!(run_id = %self.run.run_id, %error, "events of a run could not be stored");
                None
            }
        };
        let cause = match cause {
            None if is_error(&outcome) && self.device_vanishes_now().await => Some(Cause::DeviceLost),
            None if self.device_is_to_blame(&outcome).await => Some(Cause::DeviceSick),
            known => known,
        };
        (self.judge(outcome, cause), last_event)
    }

    /// Puts emulators with a snapshot back to it before anything is done on them; how the attempt ends where that fails or
    /// somebody ends it meanwhile. Their connections break while that is done, which is no loss of the device.
    async fn restored(&self) -> Result<(), (Outcome, Option<Cause>)> {
        let ended = |cause: Cause| (Outcome::NoResult("its emulator was being restored".to_owned()), Some(cause));
        let restored = async {
            let emulators = self.desk.farm.emulators.restore(&self.serials).await?;
            let mut devices = self.desk.devices.clone();
            let back = devices.wait_for(|rows| self.serials.iter().all(|serial| is_ready(rows, serial)));
            // One that does not come back is lost as any other device is.
            drop(tokio::time::timeout(self.limits.cancel_grace, back).await);
            // A snapshot may be older than what the profile wants.
            if let Some(care) = self.desk.pool.carer() {
                for serial in &emulators {
                    care.prepare(serial).await.map_err(|error| error.to_string())?;
                }
            }
            Ok::<_, String>(())
        };
        tokio::select! {
            restored = restored => restored.map_err(|reason| (Outcome::NoResult(reason), None)),
            () = self.lease.cancelled.cancelled() => Err(ended(Cause::Caller)),
            () = self.hard_stop.cancelled() => Err(ended(Cause::Shutdown)),
            () = self.lease.lapsed.cancelled() => Err(ended(Cause::Lapsed)),
        }
    }

    /// Runs the launcher until it ends, or is told to stop and had its time for it.
    async fn launch(&self, request: &RunRequest, events: mpsc::UnboundedSender<RunEvent>) -> (Outcome, Option<Cause>) {
        if let Err(ended) = self.restored().await {
            return ended;
        }
        let run_id = self.run.run_id.clone();
        let cancel = CancellationToken::new();
        let launcher = Arc::clone(&self.desk.launcher);
        let (request, serial, told) = (request.clone(), self.serial.clone(), cancel.clone());
        // On threads of its own, so that what holds it up holds up nothing else; it ends with this set.
        let mut launch = JoinSet::new();
        let work = async move { launcher.launch(run_id, &request, &serial, events, told).await };
        launch.spawn_on(work.instrument(tracing::Span::current()), &self.desk.threads.handle());
        let cause = tokio::select! {
            ended = launch.join_next() => return (outcome_of(ended), None),
            () = self.lease.cancelled.cancelled() => Cause::Caller,
            () = lost(self.desk.devices.clone(), &self.serials) => Cause::DeviceLost,
            () = self.hard_stop.cancelled() => Cause::Shutdown,
            () = self.lease.lapsed.cancelled() => Cause::Lapsed,
        };
        cancel.cancel();
        let outcome = match tokio::time::timeout(self.limits.cancel_grace, launch.join_next()).await {
            Ok(ended) => outcome_of(ended),
            Err(_elapsed) => {
                Outcome::NoResult(format!("it did not stop within {:?} and was abandoned", self.limits.cancel_grace))
            }
        };
        (outcome, Some(cause))
    }

    /// Notes what the outcome says of the device; true when the run is to be tried on another.
    async fn device_is_to_blame(&self, outcome: &Outcome) -> bool {
        let desk = &self.desk;
        let reason = match outcome {
            Outcome::Result(result) if result.verdict != Verdict::Error => {
                for serial in &self.serials {
                    desk.note(serial, &DeviceEvent::Judged).await;
                }
                return false;
            }
            Outcome::Result(result) => result.reason.clone(),
            Outcome::NoResult(reason) => reason.clone(),
            Outcome::Defect(_) => return false,
        };
        let shunned = desk.shunned(&self.run.run_id);
        let others = desk.usable().into_iter().filter(|serial| !self.serials.contains(serial)).collect::<Vec<_>>();
        // Of several devices nobody knows which it was; and what ends as an error everywhere is not a device's fault.
        if let [only] = self.serials.as_slice()
            && shunned.is_empty()
            && !others.is_empty()
        {
            desk.note(only, &DeviceEvent::Erred(reason)).await;
        }
        let request = &self.run.request;
        let anywhere = request.device.is_none() && request.actors.values().all(|serial| serial.as_str() == ANY_DEVICE);
        let fresh = others.iter().filter(|serial| !shunned.contains(*serial)).count();
        if !anywhere || fresh < self.serials.len() || self.run.attempts >= self.limits.attempts {
            return false;
        }
        desk.shun(&self.run.run_id, &self.serials);
        true
    }

    /// The launcher may notice a lost device before the device list does.
    async fn device_vanishes_now(&self) -> bool {
        tokio::time::timeout(self.limits.device_loss_grace, lost(self.desk.devices.clone(), &self.serials))
            .await
            .is_ok()
    }

    fn judge(&self, outcome: Outcome, cause: Option<Cause>) -> Judgement {
        // Somebody may have cancelled while the device was already lost; then nobody wants a second attempt.
        let cause = if self.lease.cancelled.is_cancelled() { Some(Cause::Caller) } else { cause };
        let (result, text) = match outcome {
            // It came to an end of its own before it noticed: an honest verdict.
            Outcome::Result(result) if result.verdict != Verdict::Error => {
                return Judgement::End(Box::new(RunEnd::of(*result)));
            }
            Outcome::Result(result) => {
                let reason = result.reason.clone();
                (Some(*result), reason)
            }
            Outcome::NoResult(text) | Outcome::Defect(text) => (None, text),
        };
        let because = |why: String| if text.is_empty() { why } else { format!("{why}; {text}") };
        let error = |reason: String, result| RunEnd { result, ..RunEnd::error(reason) };
        let end = match cause {
            // Where another host has it, its fence refuses this.
            Some(Cause::DeviceSick | Cause::Lapsed) => return Judgement::Requeue,
            Some(Cause::DeviceLost) if self.run.attempts < self.limits.attempts => return Judgement::Requeue,
            Some(Cause::DeviceLost) => {
                let held: Vec<&str> = self.serials.iter().map(DeviceSerial::as_str).collect();
                let number = self.run.attempts;
                let why = match held.as_slice() {
                    [only] => format!("device {only} vanished, in attempt {number}"),
                    several => format!("one of the devices {} vanished, in attempt {number}", several.join(", ")),
                };
                error(because(why), result)
            }
            Some(Cause::Caller) => RunEnd::cancelled(because("cancelled".to_owned()), result),
            Some(Cause::Shutdown) => error(because("the daemon was stopped".to_owned()), result),
            None => error(text, result),
        };
        Judgement::End(Box::new(end))
    }
}

/// Stores events as they come; gives back the closing one, which counts only once the attempt is judged.
async fn keep_events(
    desk: Arc<Desk>,
    hold: Hold,
    mut events: UnboundedReceiver<RunEvent>,
    launch_over: CancellationToken,
    hard_stop: CancellationToken,
) -> Option<RunEvent> {
    let mut started = false;
    let mut last = None;
    loop {
        let event = tokio::select! {
            event = events.recv() => event,
            () = launch_over.cancelled(), if !events.is_closed() => {
                // What was sent is still read, but a sender that somebody forgot does not keep us waiting.
                events.close();
                continue;
            }
        };
        let Some(event) = event else { return last };
        if matches!(event.kind, EventKind::RunFinished { .. }) {
            last = Some(event);
            continue;
        }
        if !started {
            started = true;
            if let Err(error) = desk.insist(&hold, &Change::Start, &hard_stop).await {
                tracing::error!(run_id = %event.run_id, %error, "the start of a run could not be stored");
            }
        }
        keep(&desk, &hold, &event).await;
    }
}

/// Stores one event. Losing it never fails the run; the recording is the source of truth. While the database is in trouble
/// none is tried: each would wait for its own refusal, and the device with it.
async fn keep(desk: &Desk, hold: &Hold, event: &RunEvent) {
    if desk.trouble.current().is_some() {
        tracing::debug!(run_id = %event.run_id, seq = event.seq, "an event is not stored: the database is in trouble");
        return;
    }
    if let Err(error) = desk.store.append_event(hold, event).await {
        if error.may_pass() {
            desk.trouble.note(&error);
        }
        tracing::error!(run_id = %event.run_id, seq = event.seq, %error, "an event could not be stored");
    }
    desk.news.announce(&event.run_id);
}

/// Comes back when one of the devices is not ready any more; never when nobody follows the devices any more.
async fn lost(mut devices: watch::Receiver<Vec<DeviceRow>>, serials: &[DeviceSerial]) {
    if devices.wait_for(|rows| !serials.iter().all(|serial| is_ready(rows, serial))).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// What comes of the work, or the text of the panic that ended it.
async fn caught<T>(work: impl Future<Output = T>) -> Result<T, String> {
    AssertUnwindSafe(work).catch_unwind().await.map_err(|panic| said(&*panic))
}

/// What a panic says.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}

fn outcome_of(ended: Option<Result<Result<RunResult, LaunchError>, JoinError>>) -> Outcome {
    let ended = ended.map(|ended| {
        ended.map_err(|error| error.try_into_panic().map_or_else(|error| error.to_string(), |panic| said(&*panic)))
    });
    match ended.unwrap_or_else(|| Err("it was never begun".to_owned())) {
        Ok(Ok(result)) => Outcome::Result(Box::new(result)),
        Ok(Err(error @ LaunchError::Infrastructure(_))) => Outcome::NoResult(error.to_string()),
        // The case was changed while it waited, or its script is missing.
        Ok(Err(error @ (LaunchError::Request(_) | LaunchError::UnknownCase(_)))) => Outcome::Defect(error.to_string()),
        Err(text) => Outcome::Defect(format!("the run panicked, which is a defect of Tapwright: {text}")),
    }
}

fn is_error(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Result(result) => result.verdict == Verdict::Error,
        Outcome::NoResult(_) | Outcome::Defect(_) => true,
    }
}

/// For the log only: a run's id and the device it is on.
impl std::fmt::Debug for Attempt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let RunRecord { run_id, .. } = &self.run;
        let run_id: &RunId = run_id;
        write!(f, "Attempt({run_id} on {})", self.serial)
    }
}
