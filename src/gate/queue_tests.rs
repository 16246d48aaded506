//! Farms of made-up devices on a clock of their own.

use super::*;
use crate::gate::By;
use crate::gate::sample::attempt;
use std::sync::Mutex;
use tokio::sync::oneshot;

/// A case of a made-up farm: how long a try takes, and how its tries end, a letter each; the last one counts for all others.
struct Script {
    seconds: u64,
    ends: &'static str,
}

/// Somebody who waits for a time of the clock.
struct Sleeper {
    at: u64,
    wake: oneshot::Sender<()>,
}

#[derive(Default)]
struct FakeFarm {
    cases: Vec<Script>,
    /// On this device everything is an error, at once.
    dead: Option<&'static str>,
    /// Place, devices, and when it began.
    played: Mutex<Vec<(usize, String, u64)>>,
    now: Mutex<u64>,
    sleepers: Mutex<Vec<Sleeper>>,
}

impl FakeFarm {
    fn of(cases: &[(u64, &'static str)]) -> Self {
        let cases = cases.iter().map(|(seconds, ends)| Script { seconds: *seconds, ends }).collect();
        Self { cases, ..Self::default() }
    }

    fn log(&self) -> String {
        let played = self.played.lock().unwrap();
        played.iter().map(|(place, on, at)| format!("{place}@{on}:{at}")).collect::<Vec<_>>().join(" ")
    }

    fn now(&self) -> u64 {
        *self.now.lock().unwrap()
    }

    /// Ends what takes the least time of all that runs.
    fn advance(&self) {
        let mut sleepers = self.sleepers.lock().unwrap();
        let Some(next) = (0..sleepers.len()).min_by_key(|place| sleepers[*place].at) else { return };
        let sleeper = sleepers.remove(next);
        *self.now.lock().unwrap() = sleeper.at;
        let _called_off = sleeper.wake.send(());
    }
}

#[async_trait]
impl Player for FakeFarm {
    async fn play(&self, place: usize, devices: &[DeviceSerial], cancel: &CancellationToken) -> Try {
        let names: Vec<&str> = devices.iter().map(DeviceSerial::as_str).collect();
        let before = {
            let mut played = self.played.lock().unwrap();
            let before = played.iter().filter(|(other, ..)| *other == place).count();
            played.push((place, names.join("+"), self.now()));
            before
        };
        let case = &self.cases[place];
        let seconds = case.seconds as f64;
        let end = |verdict, reason: &str| Try {
            attempts: vec![crate::gate::Attempt { seconds, ..attempt(By::Agent, verdict, reason) }],
            cut: false,
        };
        if self.dead.is_some_and(|dead| names.contains(&dead)) {
            return end(Verdict::Error, "the device does not answer");
        }
        let (wake, woken) = oneshot::channel();
        let at = self.now() + case.seconds;
        self.sleepers.lock().unwrap().push(Sleeper { at, wake });
        tokio::select! {
            _ = woken => {}
            () = cancel.cancelled() => return end(Verdict::Error, "interrupted"),
        }
        match case.ends.chars().nth(before).or(case.ends.chars().last()) {
            Some('p') => end(Verdict::Passed, ""),
            Some('f') => end(Verdict::Failed, "wrong"),
            Some('!') => panic!("a defect"),
            _ => end(Verdict::Error, "trouble"),
        }
    }
}

fn jobs(seats: &[usize]) -> Vec<Job> {
    let job = |(at, seats): (usize, &usize)| Job { id: CaseId::new(format!("A-{at}")).unwrap(), seats: *seats };
    seats.iter().enumerate().map(job).collect()
}

fn queue(seats: &[usize], devices: &[&str], rules: Rules) -> Queue {
    let devices = devices.iter().map(|device| DeviceSerial::from(*device)).collect();
    Queue::new(jobs(seats), (0..seats.len()).collect(), devices, rules, CancellationToken::new())
}

async fn work(queue: Queue, farm: &Arc<FakeFarm>) -> Worked {
    let player: Arc<dyn Player> = Arc::clone(farm) as Arc<dyn Player>;
    let mut tell = |_: Progress<'_>| {};
    let working = queue.work(player, &mut tell);
    tokio::pin!(working);
    loop {
        // Whatever can go on without the clock goes on before it is moved.
        let settled = async {
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            biased;
            worked = &mut working => return worked,
            () = settled => farm.advance(),
        }
    }
}

fn verdicts(worked: &Worked) -> String {
    worked.judged.iter().map(|judged| judged.verdict.word()).collect::<Vec<_>>().join(", ")
}

#[tokio::test]
async fn a_device_takes_the_next_case_as_soon_as_it_is_free() {
    let farm = Arc::new(FakeFarm::of(&[(9, "p"), (2, "p"), (3, "p"), (1, "p")]));
    let worked = work(queue(&[1; 4], &["a", "b"], Rules::default()), &farm).await;
    assert_eq!(farm.log(), "0@a:0 1@b:0 2@b:2 3@b:5");
    assert_eq!(verdicts(&worked), "passed, passed, passed, passed");
    assert_eq!(worked.devices[&DeviceSerial::from("b")].busy, Duration::from_secs(6));
    assert_eq!(worked.devices[&DeviceSerial::from("a")].tries, 1);
}

#[tokio::test]
async fn forty_cases_keep_eight_devices_busy() {
    let cases: Vec<(u64, &'static str)> = (0..40).map(|at| (60 - at, "p")).collect();
    let farm = Arc::new(FakeFarm::of(&cases));
    let worked = work(queue(&[1; 40], &["a", "b", "c", "d", "e", "f", "g", "h"], Rules::default()), &farm).await;
    let busy: f64 = worked.devices.values().map(|spent| spent.busy.as_secs_f64()).sum();
    let share = busy / (8.0 * farm.now() as f64);
    assert!(share >= 0.9, "{share}");
}

#[tokio::test]
async fn what_did_not_pass_is_tried_again_elsewhere_and_is_flaky_when_it_passes() {
    let farm = Arc::new(FakeFarm::of(&[(1, "fp"), (2, "f"), (5, "p")]));
    let rules = Rules { retries: 2, ..Rules::default() };
    let worked = work(queue(&[1; 3], &["a", "b"], rules), &farm).await;
    assert_eq!(verdicts(&worked), "flaky, failed, passed");
    assert_eq!(worked.tries.iter().map(Vec::len).collect::<Vec<_>>(), [2, 3, 1]);
    assert_eq!(worked.tries[1][2].attempts[0].number, 3);
    let again: Vec<String> = farm.log().split(' ').filter(|entry| entry.starts_with('0')).map(str::to_owned).collect();
    assert_eq!(again, ["0@a:0", "0@b:2"]);
}

#[tokio::test]
async fn every_case_is_repeated_as_often_as_asked_for() {
    let farm = Arc::new(FakeFarm::of(&[(1, "p"), (1, "ppf")]));
    let worked = work(queue(&[1; 2], &["a"], Rules { repeat: 3, ..Rules::default() }), &farm).await;
    assert_eq!(farm.log(), "0@a:0 1@a:1 0@a:2 1@a:3 0@a:4 1@a:5");
    assert_eq!(verdicts(&worked), "passed, flaky");
    assert_eq!(worked.judged[1].reason, "passed 2 of 3 tries; try 3 failed: wrong");
}

#[tokio::test]
async fn all_is_repeated_until_one_does_not_pass() {
    let farm = Arc::new(FakeFarm::of(&[(1, "p"), (1, "pppf")]));
    let rules = Rules { until_failure: true, ..Rules::default() };
    let worked = work(queue(&[1; 2], &["a"], rules), &farm).await;
    assert_eq!(worked.stopped, Some(Stop::FirstFailure));
    assert_eq!(verdicts(&worked), "passed, flaky");
    assert_eq!(worked.tries[1].len(), 4);
}

#[tokio::test]
async fn nothing_is_begun_after_the_first_failure_where_that_is_asked_for() {
    let farm = Arc::new(FakeFarm::of(&[(1, "f"), (5, "p"), (1, "p"), (1, "p")]));
    let rules = Rules { fail_fast: true, ..Rules::default() };
    let worked = work(queue(&[1; 4], &["a", "b"], rules), &farm).await;
    assert_eq!(verdicts(&worked), "failed, passed, not run, not run");
    assert!(worked.judged[3].reason.contains("first failure"), "{:?}", worked.judged);
}

#[tokio::test]
async fn what_runs_when_the_time_is_up_is_called_off_and_is_no_failure() {
    let farm = Arc::new(FakeFarm::of(&[(60, "p"), (1, "p")]));
    let rules = Rules { time: Some(Duration::ZERO), retries: 2, ..Rules::default() };
    // The clock of the farm stands still.
    let player = Arc::clone(&farm) as Arc<dyn Player>;
    let worked = queue(&[1; 2], &["a"], rules).work(player, &mut |_| {}).await;
    assert_eq!(worked.stopped, Some(Stop::OutOfTime));
    assert_eq!(verdicts(&worked), "not run, not run");
    assert!(worked.tries[0][0].cut && worked.tries[1].is_empty());
}

#[tokio::test]
async fn an_interrupted_gate_ends_soon_and_tells_what_was_not_run() {
    let farm = Arc::new(FakeFarm::of(&[(60, "p"), (1, "p")]));
    let interrupt = CancellationToken::new();
    let devices = vec![DeviceSerial::from("a")];
    let queue = Queue::new(jobs(&[1, 1]), vec![0, 1], devices, Rules::default(), interrupt.clone());
    let mut tell = |told: Progress<'_>| {
        if matches!(told, Progress::Began { .. }) {
            interrupt.cancel();
        }
    };
    let worked = queue.work(Arc::clone(&farm) as Arc<dyn Player>, &mut tell).await;
    assert_eq!(worked.stopped, Some(Stop::Interrupted));
    assert_eq!(verdicts(&worked), "not run, not run");
}

#[tokio::test]
async fn a_dead_device_does_not_use_the_queue_up() {
    let mut farm = FakeFarm::of(&[(4, "p"); 6]);
    farm.dead = Some("b");
    let farm = Arc::new(farm);
    let rules = Rules { retries: 1, ..Rules::default() };
    let worked = work(queue(&[1; 6], &["a", "b"], rules), &farm).await;
    assert_eq!(worked.devices[&DeviceSerial::from("b")].set_aside.as_deref(), Some("the device does not answer"));
    assert_eq!(worked.devices[&DeviceSerial::from("b")].tries, 2);
    assert_eq!(verdicts(&worked).matches("flaky").count(), 2, "{}", verdicts(&worked));
    assert_eq!(verdicts(&worked).matches("passed").count(), 4);
}

#[tokio::test]
async fn a_case_with_actors_gets_its_devices_at_once_and_is_not_passed_by() {
    let farm = Arc::new(FakeFarm::of(&[(5, "p"), (2, "p"), (1, "p"), (1, "p")]));
    let worked = work(queue(&[1, 2, 1, 3], &["a", "b"], Rules::default()), &farm).await;
    assert_eq!(farm.log(), "0@a:0 1@b+a:5 2@b:7");
    assert_eq!(verdicts(&worked), "passed, passed, passed, blocked");
    assert!(worked.judged[3].reason.contains("takes 3 devices"), "{:?}", worked.judged[3]);
}

#[tokio::test]
async fn a_try_that_panics_is_an_error_and_ends_nothing_else() {
    let farm = Arc::new(FakeFarm::of(&[(1, "!"), (2, "p")]));
    let worked = work(queue(&[1; 2], &["a"], Rules::default()), &farm).await;
    assert_eq!(verdicts(&worked), "error, passed");
    assert!(worked.judged[0].reason.contains("report this as a bug"), "{:?}", worked.judged[0]);
}
