//! Keeps emulators running and puts them back to their snapshots.

use super::{EmulatorPlan, Sdk};
use crate::adb::{AdbServer, Transport, WaitState, command, console_port, kill_emulator, load_snapshot};
use crate::domain::DeviceSerial;
use std::collections::VecDeque;
use std::future::pending;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Lines of an emulator's output that are kept for the reason why it ended.
const LAST_LINES: usize = 20;

/// How long is waited for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EmulatorWaits {
    /// From its start until the system has booted.
    pub boot: Duration,
    /// For a snapshot to be restored, and the device to answer again.
    pub restore: Duration,
    /// Between two questions whether it has booted.
    pub ask: Duration,
    /// Before one that ended is started again; twice as long each time, up to `longest_pause`.
    pub pause: Duration,
    /// The longest such pause.
    pub longest_pause: Duration,
    /// For one that is told to end.
    pub end: Duration,
}

impl Default for EmulatorWaits {
    fn default() -> Self {
        Self {
            boot: Duration::from_secs(300),
            restore: Duration::from_secs(90),
            ask: Duration::from_secs(1),
            pause: Duration::from_secs(5),
            longest_pause: Duration::from_secs(300),
            // A daemon that is told to stop is gone soon, and nothing of a run is kept.
            end: Duration::from_secs(1),
        }
    }
}

/// What an emulator is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    /// It boots, or is put back to its snapshot.
    Starting,
    /// It takes runs.
    Ready,
    /// It ended for this reason, and is started again.
    Down(String),
}

struct Emulator {
    plan: EmulatorPlan,
    state: Mutex<State>,
    /// Ends it, so that it is started anew.
    renew: Notify,
}

impl Emulator {
    fn state(&self) -> MutexGuard<'_, State> {
        // A state is whole after any panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The emulators of a daemon; none unless the settings wish for some.
#[derive(Default)]
pub struct Emulators {
    each: Vec<Emulator>,
    runner: Option<(Sdk, AdbServer)>,
    waits: EmulatorWaits,
    /// Fires whenever one becomes ready.
    pub(in crate::daemon) ready: Notify,
}

impl Emulators {
    /// Emulators after these plans, none of them started yet.
    pub fn new(plans: Vec<EmulatorPlan>, sdk: Sdk, server: AdbServer, waits: EmulatorWaits) -> Self {
        let emulator = |plan| Emulator { plan, state: Mutex::new(State::Starting), renew: Notify::new() };
        let each = plans.into_iter().map(emulator).collect();
        Self { each, runner: Some((sdk, server)), waits, ready: Notify::new() }
    }

    /// Why a device gets no run now: it is one of these emulators, and boots, is restored, or is down. `None` for every other
    /// device.
    pub(in crate::daemon) fn obstacle(&self, serial: &DeviceSerial) -> Option<String> {
        match &*self.of(serial)?.state() {
            State::Ready => None,
            State::Starting => Some("its emulator is starting".to_owned()),
            State::Down(reason) => Some(format!("its emulator is down and will be started again: {reason}")),
        }
    }

    /// The serials of all of them.
    pub fn serials(&self) -> impl Iterator<Item = DeviceSerial> {
        self.each.iter().map(|emulator| emulator.plan.serial())
    }

    fn of(&self, serial: &DeviceSerial) -> Option<&Emulator> {
        self.each.iter().find(|emulator| emulator.plan.serial() == *serial)
    }

    /// Starts all of them and keeps them running until `stop` fires; then ends them.
    pub(in crate::daemon) async fn keep(self: Arc<Self>, stop: CancellationToken) {
        let mut kept = JoinSet::new();
        for place in 0..self.each.len() {
            let (fleet, stop) = (Arc::clone(&self), stop.clone());
            kept.spawn(async move {
                if let (Some(emulator), Some((sdk, server))) = (fleet.each.get(place), &fleet.runner) {
                    fleet.keep_one(emulator, sdk, server, &stop).await;
                }
            });
        }
        while kept.join_next().await.is_some() {}
    }

    async fn keep_one(&self, emulator: &Emulator, sdk: &Sdk, server: &AdbServer, stop: &CancellationToken) {
        let serial = emulator.plan.serial();
        let mut pause = self.waits.pause;
        while !stop.is_cancelled() {
            *emulator.state() = State::Starting;
            let (reason, had_booted) = match start(sdk, &emulator.plan) {
                Ok(running) => {
                    let mut had_booted = false;
                    let reason = self.watch(emulator, server, running, &mut had_booted, stop).await;
                    (reason, had_booted)
                }
                Err(error) => (format!("{} cannot be run: {error}", sdk.emulator.display()), false),
            };
            if stop.is_cancelled() {
                break;
            }
            tracing::error!(%serial, reason, ?pause, "an emulator is down and will be started again");
            *emulator.state() = State::Down(reason);
            let _stopped = tokio::time::timeout(pause, stop.cancelled()).await;
            pause = if had_booted { self.waits.pause } else { (pause * 2).min(self.waits.longest_pause) };
        }
    }

    /// Watches a running emulator until it ends, does not boot, is to be renewed, or `stop` fires. Gives why it is gone.
    async fn watch(
        &self,
        emulator: &Emulator,
        server: &AdbServer,
        mut running: Running,
        had_booted: &mut bool,
        stop: &CancellationToken,
    ) -> String {
        let serial = emulator.plan.serial();
        let booted = async { tokio::time::timeout(self.waits.boot, self.booted(server, &serial)).await.is_ok() };
        let reason = tokio::select! {
            ended = running.child.wait() => return running.last_words(ended, self.waits.end).await,
            booted = booted => match booted {
                true => {
                    *had_booted = true;
                    *emulator.state() = State::Ready;
                    tracing::info!(%serial, avd = emulator.plan.avd, "an emulator is ready");
                    self.ready.notify_one();
                    tokio::select! {
                        ended = running.child.wait() => return running.last_words(ended, self.waits.end).await,
                        () = emulator.renew.notified() => "its snapshot could not be restored".to_owned(),
                        () = stop.cancelled() => "the daemon stops".to_owned(),
                    }
                }
                false => format!("it did not boot within {:?}", self.waits.boot),
            },
            () = stop.cancelled() => "the daemon stops".to_owned(),
        };
        self.end(emulator, running).await;
        reason
    }

    /// Comes back once the system has booted.
    async fn booted(&self, server: &AdbServer, serial: &DeviceSerial) {
        let transport = Transport::new(server.clone(), serial.clone());
        loop {
            // An emulator tells the adb server of itself once, which may be too early, and one beyond port 5585 is not looked for.
            if let Some(port) = console_port(serial) {
                let _told = server.announce_emulator(port + 1).await;
            }
            if server.wait_for(serial, WaitState::Device, self.waits.ask).await.is_ok() {
                let said = transport.run(&command::has_booted(), self.waits.restore).await;
                if said.is_ok_and(|said| said.stdout_text().trim() == "1") {
                    return;
                }
            }
            let _over = tokio::time::timeout(self.waits.ask, pending::<()>()).await;
        }
    }

    /// Tells an emulator to end, and ends it where it does not.
    async fn end(&self, emulator: &Emulator, mut running: Running) {
        let told = kill_emulator(emulator.plan.port, self.waits.end).await;
        let ended = told.is_ok() && tokio::time::timeout(self.waits.end, running.child.wait()).await.is_ok();
        if !ended {
            // It is gone then, whatever this says.
            let _gone = running.child.kill().await;
        }
    }

    /// Puts those of the devices that are emulators with a snapshot back to it. Comes back with them when they answer again.
    ///
    /// # Errors
    /// A snapshot could not be restored: the reason. That emulator is started anew.
    pub(in crate::daemon) async fn restore(&self, serials: &[DeviceSerial]) -> Result<Vec<DeviceSerial>, String> {
        let mut restored_ones = Vec::new();
        for serial in serials {
            let found = self.of(serial).and_then(|emulator| Some((emulator, emulator.plan.snapshot.as_deref()?)));
            let (Some((emulator, snapshot)), Some((_, server))) = (found, &self.runner) else { continue };
            *emulator.state() = State::Starting;
            let restored = async {
                load_snapshot(emulator.plan.port, snapshot, self.waits.restore).await?;
                let answers = tokio::time::timeout(self.waits.restore, self.booted(server, serial)).await;
                answers.map_err(|_elapsed| format!("it did not answer within {:?} afterwards", self.waits.restore))
            };
            if let Err(reason) = restored.await {
                let reason = format!("{serial}: its snapshot {snapshot:?} could not be restored: {reason}");
                *emulator.state() = State::Down(reason.clone());
                emulator.renew.notify_one();
                return Err(reason);
            }
            tracing::info!(%serial, snapshot, "an emulator was put back to its snapshot");
            *emulator.state() = State::Ready;
            self.ready.notify_one();
            restored_ones.push(serial.clone());
        }
        Ok(restored_ones)
    }
}

/// A running emulator and the end of what it said.
struct Running {
    child: Child,
    said: Arc<Mutex<VecDeque<String>>>,
    readers: JoinSet<()>,
}

/// Starts an emulator in a process group of its own: Ctrl-C in the daemon's terminal is for the daemon.
fn start(sdk: &Sdk, plan: &EmulatorPlan) -> std::io::Result<Running> {
    let mut command = Command::new(&sdk.emulator);
    command.args(plan.command_line()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    command.process_group(0);
    let mut child = command.kill_on_drop(true).spawn()?;
    let said = Arc::new(Mutex::new(VecDeque::new()));
    let mut readers = JoinSet::new();
    if let Some(output) = child.stdout.take() {
        readers.spawn(keep_lines(output, plan.serial(), Arc::clone(&said)));
    }
    if let Some(errors) = child.stderr.take() {
        readers.spawn(keep_lines(errors, plan.serial(), Arc::clone(&said)));
    }
    Ok(Running { child, said, readers })
}

impl Running {
    /// Why it ended: its exit status and its last line, which is waited for as long as `limit`: what it started may go on and
    /// hold its output open.
    async fn last_words(mut self, ended: std::io::Result<std::process::ExitStatus>, limit: Duration) -> String {
        let _read = tokio::time::timeout(limit, async { while self.readers.join_next().await.is_some() {} }).await;
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let last = said.iter().rev().find(|line| !line.trim().is_empty()).cloned().unwrap_or_default();
        match ended {
            Ok(status) => format!("it ended with {status}; it said last: {last:?}"),
            Err(error) => format!("it cannot be watched: {error}"),
        }
    }
}

async fn keep_lines(output: impl AsyncRead + Unpin, serial: DeviceSerial, said: Arc<Mutex<VecDeque<String>>>) {
    let mut lines = BufReader::new(output).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        tracing::debug!(%serial, line, "an emulator says");
        let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.len() == LAST_LINES {
            said.pop_front();
        }
        said.push_back(line);
    }
}
