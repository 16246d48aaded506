//! One queue of cases and the devices that work it off.
//!
//! A device takes the next case as soon as it is free. A case with actors takes several at once; those behind it wait until
//! it has them. What is tried again goes to another device where there is one, and a device on which nothing works is set
//! aside, so that it does not use the queue up.

use super::{GateVerdict, Judged, Try, judge};
use crate::domain::{CaseId, DeviceSerial, Verdict};
use async_trait::async_trait;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{Id, JoinSet};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

/// Errors in a row after which a device is set aside.
const MOST_ERRORS: u32 = 2;

/// A case to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its id.
    pub id: CaseId,
    /// How many devices it takes.
    pub seats: usize,
}

/// Carries a case out, once.
#[async_trait]
pub trait Player: Send + Sync + 'static {
    /// Tries the case at `place` on these devices, one for each seat. When `cancel` fires it ends soon.
    async fn play(&self, place: usize, devices: &[DeviceSerial], cancel: &CancellationToken) -> Try;
}

/// How often a case is tried, and when the gate stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// How often a case that did not pass is tried again.
    pub retries: u32,
    /// How often every case is tried, whatever comes of it.
    pub repeat: u32,
    /// Everything is repeated until a try does not pass.
    pub until_failure: bool,
    /// No further case is begun once one has failed for good.
    pub fail_fast: bool,
    /// The most time; what runs then is called off.
    pub time: Option<Duration>,
}

impl Default for Rules {
    fn default() -> Self {
        Self { retries: 0, repeat: 1, until_failure: false, fail_fast: false, time: None }
    }
}

/// Why a gate ended before all was run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Somebody interrupted it.
    Interrupted,
    /// Its time was used up.
    OutOfTime,
    /// A case failed, and the first failure was all that was asked for.
    FirstFailure,
}

/// What is told while the queue is worked off.
#[derive(Debug)]
pub enum Progress<'a> {
    /// A try began.
    Began {
        /// The case's place.
        place: usize,
        /// Where.
        devices: &'a [DeviceSerial],
    },
    /// A try ended.
    Tried {
        /// The case's place.
        place: usize,
        /// Which try, from 1.
        number: u32,
        /// What came of it.
        tried: &'a Try,
        /// It will be tried again because it did not pass.
        again: bool,
        /// Cases that are done with.
        done: usize,
    },
    /// A device gets no more cases.
    SetAside {
        /// Which.
        device: &'a DeviceSerial,
        /// What went wrong on it last.
        reason: &'a str,
    },
}

/// What a device did.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Spent {
    /// Tries it took part in.
    pub tries: u32,
    /// How long it was busy.
    pub busy: Duration,
    /// Why it got no more cases.
    pub set_aside: Option<String>,
}

/// What came of all cases.
#[derive(Debug)]
pub struct Worked {
    /// The tries of each case, by its place.
    pub tries: Vec<Vec<Try>>,
    /// The verdict on each case, by its place.
    pub judged: Vec<Judged>,
    /// What each device did.
    pub devices: BTreeMap<DeviceSerial, Spent>,
    /// Why it ended before all was run.
    pub stopped: Option<Stop>,
}

/// A try that waits for devices.
struct Turn {
    place: usize,
    number: u32,
    /// Where it did not pass.
    avoid: Option<DeviceSerial>,
}

/// A try that runs.
struct Running {
    turn: Turn,
    devices: Vec<DeviceSerial>,
}

/// Cases, devices and rules.
pub struct Queue {
    jobs: Vec<Job>,
    rules: Rules,
    /// Fires when somebody interrupts the gate.
    interrupt: CancellationToken,
    /// Fires when what runs is called off.
    cut: CancellationToken,
    /// Places in the order they are begun.
    order: Vec<usize>,
    waiting: VecDeque<Turn>,
    free: Vec<DeviceSerial>,
    running: HashMap<Id, Running>,
    errors: BTreeMap<DeviceSerial, u32>,
    worked: Worked,
}

impl Queue {
    /// A queue of these jobs, begun in this order of their places.
    pub fn new(
        jobs: Vec<Job>,
        order: Vec<usize>,
        devices: Vec<DeviceSerial>,
        rules: Rules,
        interrupt: CancellationToken,
    ) -> Self {
        let worked = Worked {
            tries: vec![Vec::new(); jobs.len()],
            judged: Vec::new(),
            devices: devices.iter().map(|device| (device.clone(), Spent::default())).collect(),
            stopped: None,
        };
        let mut queue = Self {
            jobs,
            rules,
            cut: interrupt.child_token(),
            interrupt,
            order,
            waiting: VecDeque::new(),
            free: devices,
            running: HashMap::new(),
            errors: BTreeMap::new(),
            worked,
        };
        for number in 1..=rules.repeat.max(1) {
            queue.add_round(number);
        }
        queue
    }

    fn add_round(&mut self, number: u32) {
        let able: Vec<usize> = self.order.iter().copied().filter(|place| self.seats(*place) <= self.alive()).collect();
        self.waiting.extend(able.into_iter().map(|place| Turn { place, number, avoid: None }));
    }

    /// Works everything off.
    pub async fn work(mut self, player: Arc<dyn Player>, tell: &mut (dyn FnMut(Progress<'_>) + Send)) -> Worked {
        let mut deadline = self.rules.time.map(|time| Instant::now() + time);
        let mut tries = JoinSet::new();
        let mut round = 1;
        loop {
            while let Some((turn, devices)) = self.next() {
                tell(Progress::Began { place: turn.place, devices: &devices });
                self.begin(turn, devices, &player, &mut tries);
            }
            if self.running.is_empty() {
                break;
            }
            let joined = match deadline {
                Some(at) => timeout_at(at, tries.join_next_with_id()).await,
                None => Ok(tries.join_next_with_id().await),
            };
            match joined {
                Err(_) => {
                    deadline = None;
                    self.stop(Stop::OutOfTime);
                    self.cut.cancel();
                }
                Ok(Some(Ok((id, tried)))) => self.ended(id, tried, tell),
                // One try that panics ends neither the others nor the gate.
                Ok(Some(Err(error))) => self.ended(error.id(), Try::default(), tell),
                Ok(None) => break,
            }
            if self.rules.until_failure && self.waiting.is_empty() && self.worked.stopped.is_none() {
                round += 1;
                self.add_round(round);
            }
        }
        self.judged()
    }

    fn seats(&self, place: usize) -> usize {
        self.jobs.get(place).map_or(1, |job| job.seats.max(1))
    }

    /// Devices that are not set aside.
    fn alive(&self) -> usize {
        self.worked.devices.values().filter(|spent| spent.set_aside.is_none()).count()
    }

    fn stop(&mut self, stop: Stop) {
        self.worked.stopped.get_or_insert(stop);
        self.waiting.clear();
    }

    /// The next turn and its devices, where some are free for one.
    fn next(&mut self) -> Option<(Turn, Vec<DeviceSerial>)> {
        if self.interrupt.is_cancelled() {
            self.stop(Stop::Interrupted);
        }
        let (at, devices) = self.fitting()?;
        self.free.retain(|device| !devices.contains(device));
        Some((self.waiting.remove(at)?, devices))
    }

    fn fitting(&self) -> Option<(usize, Vec<DeviceSerial>)> {
        for (at, turn) in self.waiting.iter().enumerate() {
            let seats = self.seats(turn.place);
            let elsewhere = self.alive() > seats;
            let avoided = |device: &&DeviceSerial| elsewhere && turn.avoid.as_ref() == Some(*device);
            let fit: Vec<_> = self.free.iter().filter(|device| !avoided(device)).take(seats).cloned().collect();
            if fit.len() == seats {
                return Some((at, fit));
            }
            if seats > 1 && seats <= self.alive() {
                // Those behind it would keep taking the devices it waits for.
                return None;
            }
        }
        None
    }

    fn begin(&mut self, turn: Turn, devices: Vec<DeviceSerial>, player: &Arc<dyn Player>, tries: &mut JoinSet<Try>) {
        let (player, cut, place, on) = (Arc::clone(player), self.cut.clone(), turn.place, devices.clone());
        let handle = tries.spawn(async move { player.play(place, &on, &cut).await });
        self.running.insert(handle.id(), Running { turn, devices });
    }

    fn ended(&mut self, id: Id, mut tried: Try, tell: &mut (dyn FnMut(Progress<'_>) + Send)) {
        let Some(Running { turn, devices }) = self.running.remove(&id) else { return };
        tried.cut = self.cut.is_cancelled() && tried.verdict() == Verdict::Error;
        for attempt in &mut tried.attempts {
            attempt.number = turn.number;
        }
        let troubled = self.release(&devices, &tried);
        let passed = tried.verdict() == Verdict::Passed;
        let once = self.rules.repeat <= 1 && !self.rules.until_failure;
        let again = once && !passed && turn.number <= self.rules.retries && self.worked.stopped.is_none();
        if let Some(tries) = self.worked.tries.get_mut(turn.place) {
            tries.push(tried.clone());
        }
        let (place, number) = (turn.place, turn.number);
        if again {
            let avoid = devices.first().cloned();
            self.waiting.push_front(Turn { place, number: number + 1, avoid });
        } else if !passed && !tried.cut && (self.rules.fail_fast || self.rules.until_failure) {
            self.stop(Stop::FirstFailure);
        }
        let done = self.done();
        tell(Progress::Tried { place, number, tried: &tried, again, done });
        if let Some(device) = troubled {
            tell(Progress::SetAside { device: &device, reason: tried.reason() });
        }
    }

    /// Gives devices back. One on which nothing works is set aside, as long as there is another.
    fn release(&mut self, devices: &[DeviceSerial], tried: &Try) -> Option<DeviceSerial> {
        let seconds = tried.attempts.iter().map(|attempt| attempt.seconds).sum();
        let took = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        let mut troubled = None;
        for device in devices {
            if let Some(spent) = self.worked.devices.get_mut(device) {
                spent.tries += 1;
                spent.busy += took;
            }
            let errors = self.errors.entry(device.clone()).or_default();
            // Of several devices nobody knows whose fault it was.
            let at_fault = tried.verdict() == Verdict::Error && !tried.cut && devices.len() == 1;
            *errors = if at_fault { *errors + 1 } else { 0 };
            if *errors >= MOST_ERRORS && self.alive() > 1 {
                if let Some(spent) = self.worked.devices.get_mut(device) {
                    spent.set_aside = Some(tried.reason().to_owned());
                }
                troubled = Some(device.clone());
            } else {
                self.free.push(device.clone());
            }
        }
        troubled
    }

    /// Cases of which no try waits or runs.
    fn done(&self) -> usize {
        let waits = |place: usize| self.waiting.iter().any(|turn| turn.place == place);
        let runs = |place: usize| self.running.values().any(|running| running.turn.place == place);
        (0..self.jobs.len()).filter(|place| !waits(*place) && !runs(*place)).count()
    }

    fn judged(mut self) -> Worked {
        if self.worked.stopped.is_none() && self.interrupt.is_cancelled() {
            self.worked.stopped = Some(Stop::Interrupted);
        }
        let alive = self.alive();
        self.worked.judged = (0..self.jobs.len())
            .map(|place| {
                let judged = judge(self.worked.tries.get(place).map_or(&[], Vec::as_slice));
                if judged.verdict != GateVerdict::NotRun {
                    return judged;
                }
                self.not_run(self.seats(place), alive)
            })
            .collect();
        self.worked
    }

    fn not_run(&self, seats: usize, alive: usize) -> Judged {
        let reason = match self.worked.stopped {
            _ if seats > self.worked.devices.len() => {
                let given = self.worked.devices.len();
                let reason =
                    format!("it takes {seats} devices, one for each actor; given: {given}. Add `--device SERIAL`");
                return Judged { verdict: GateVerdict::Blocked, reason };
            }
            None if seats > alive => {
                let reason = format!("it takes {seats} devices and only {alive} of them still work");
                return Judged { verdict: GateVerdict::Error, reason };
            }
            Some(Stop::Interrupted) => "the gate was interrupted",
            Some(Stop::OutOfTime) => "the gate's time was used up",
            Some(Stop::FirstFailure) => "the gate stopped at the first failure",
            None => {
                let reason = "its run ended without a result; please report this as a bug".to_owned();
                return Judged { verdict: GateVerdict::Error, reason };
            }
        };
        Judged { verdict: GateVerdict::NotRun, reason: reason.to_owned() }
    }
}

#[cfg(test)]
#[path = "queue_tests.rs"]
mod tests;
