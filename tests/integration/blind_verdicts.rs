//! What a device shows badly neither passes nor fails anything: faults of dumps and pictures, from every look on, against
//! every kind of expectation, in runs and in replays.

use crate::bench::Bench;
use futures_util::FutureExt as _;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tapwright::domain::{Expectation, RunResult, Verdict};
use tapwright::script::Script;
use tapwright::virtual_device::{IdleWait, VirtualDeviceConfig};
use tokio::task::JoinSet;

/// Faults with the place of the look they begin at: for one look (which tries three dumps), or for good.
const FAULTS: &[&str] = &[
    "truncated-dump:after=N:times=3",
    "truncated-dump:after=N",
    "null-root:after=N:times=3",
    "null-root:after=N,black-screencap",
];
/// A run and a replay of the case need no more looks: what begins later strikes nothing.
const LOOKS: usize = 7;
/// The looks at which the last one may be, with some to spare.
const LAST_LOOKS: usize = 4;
/// What the screen "Security" shows.
const HOLDS: &str = "  - visible: Payment reminders
  - absent: Bind a bank card
  - checked: {widget: Fingerprint payment, is: false}
  - count: {of: For a single payment, is: 1}
";
/// What it does not.
const CONTRARY: &[(&str, &str)] = &[
    ("SEC-0002", "visible: Daily limit"),
    ("SEC-0003", "absent: Payment reminders"),
    ("SEC-0004", "checked: {widget: Fingerprint payment, is: true}"),
    ("SEC-0005", "count: {of: Payment reminders, is: 0}"),
];
/// Time for a run under a fault; one that is stopped by it has neither passed nor failed.
const SHORT: &str = "budget: {time: 20s}\n";
const STEPS: &str = "steps:\n  - Open Security\nexpect:\n";

/// Most exits that a fault of the list below loses.
const MOST_LOST_EXITS: usize = 5;

struct Phone {
    bench: Bench,
    serial: String,
}

impl Phone {
    async fn new() -> Self {
        let mut bench = Bench::new().await;
        let serial = bench.device(VirtualDeviceConfig { idle_wait: IdleWait::NONE, ..Default::default() }).await;
        // What is not there does not come either.
        bench.hurry(Duration::from_millis(300));
        bench.add_case("SEC-0001", &format!("{STEPS}{HOLDS}"));
        for (id, contrary) in CONTRARY {
            bench.add_case(id, &format!("{STEPS}  - {contrary}\n{SHORT}"));
        }
        Self { bench, serial }
    }

    /// From now on the device has these faults, and no others.
    async fn suffer(&self, faults: &str) {
        let line = format!("setprop tapwright.faults '{faults}'");
        let device = ["-s", &self.serial, "shell", &line];
        // A fault that loses exits may lose that of the command which brings it, and of those that bring the next.
        for _ in 0..=MOST_LOST_EXITS {
            if self.bench.server().adb(&device).await.status.success() || faults.starts_with("lost-exit") {
                return;
            }
        }
        panic!("the device does not take {faults:?}");
    }

    /// The script of the case whose expectations hold.
    async fn script(&self) -> Script {
        let result = self.bench.run("SEC-0001", &self.serial).await;
        assert_eq!(result.verdict, Verdict::Passed, "{}", result.reason);
        Script::read(&self.bench.path(&result.script.unwrap())).unwrap()
    }
}

/// Every fault at each of so many looks.
fn faults(looks: usize) -> impl Iterator<Item = String> {
    FAULTS.iter().flat_map(move |fault| (0..looks).map(move |look| fault.replace('N', &look.to_string())))
}

/// The script with one expectation each that does not hold.
fn contrary_scripts(script: &Script) -> [Script; 4] {
    let contrary = [
        Expectation::Visible("Daily limit".into()),
        Expectation::Absent("Payment reminders".into()),
        Expectation::Checked { widget: "Fingerprint payment".into(), is: true },
        Expectation::Count { of: "Payment reminders".into(), is: 0 },
    ];
    contrary.map(|wanted| Script { expectations: vec![wanted], ..script.clone() })
}

/// What holds may not fail, and what does not hold may not pass.
#[track_caller]
fn check(result: &RunResult, holds: bool, context: &str) {
    let forbidden = if holds { Verdict::Failed } else { Verdict::Passed };
    assert_ne!(result.verdict, forbidden, "{context}: {} {}", result.device.serial, result.reason);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replay_is_not_judged_by_what_it_could_not_see() {
    let phone = Phone::new().await;
    let script = phone.script().await;
    let scripts = contrary_scripts(&script);
    let mut passed = 0;
    for faults in faults(LOOKS) {
        phone.suffer(&faults).await;
        let result = phone.bench.replay_here(&script, &phone.serial).await;
        check(&result, true, &faults);
        passed += usize::from(result.verdict == Verdict::Passed);
    }
    assert!(passed > 0, "a fault that comes late or passes is survived");
    for script in &scripts {
        for faults in faults(LAST_LOOKS) {
            phone.suffer(&faults).await;
            let result = phone.bench.replay_here(script, &phone.serial).await;
            check(&result, false, &format!("{faults}: {}", script.expectations[0]));
        }
        phone.suffer("").await;
        let sound = phone.bench.replay_here(script, &phone.serial).await;
        assert_eq!(sound.verdict, Verdict::Failed, "{}: {}", script.expectations[0], sound.reason);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_not_judged_by_what_it_could_not_see() {
    let phone = Phone::new().await;
    // A run takes seconds, and what it looks at in the end is judged by the same eyes as a replay: of two faults of a sort one
    // for good suffices where it holds, and one for a look where it does not.
    let passing = |faults: &String| faults.contains("times=3");
    for faults in faults(LOOKS).filter(|faults| passing(faults) == faults.contains("truncated")) {
        phone.suffer(&faults).await;
        check(&phone.bench.run("SEC-0001", &phone.serial).await, true, &faults);
    }
    for (id, contrary) in CONTRARY {
        for faults in faults(LAST_LOOKS).filter(passing).filter(|faults| !faults.contains("after=0")) {
            phone.suffer(&faults).await;
            check(&phone.bench.run(id, &phone.serial).await, false, &format!("{faults}: {contrary}"));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_picture_that_shows_nothing_is_no_word_about_what_is_in_it() {
    let phone = Phone::new().await;
    phone.bench.add_case("SEC-0006", &format!("{STEPS}  - picture: Payment reminders\n"));
    for faults in ["black-screencap", "screencap-fails", "truncated-screencap"] {
        phone.suffer(faults).await;
        let result = phone.bench.run("SEC-0006", &phone.serial).await;
        assert_eq!(result.verdict, Verdict::Error, "{faults}: {}", result.reason);
        assert!(result.reason.contains("can only be read off a picture"), "{faults}: {}", result.reason);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_window_of_an_earlier_crash_is_closed_before_the_next_run() {
    let phone = Phone::new().await;
    phone.bench.add_case("SEC-0007", "steps:\n  - Open Help\nexpect:\n  - visible: Is a transfer final?\n");
    phone.bench.change_app("crash_on_help: false", "crash_on_help: true");
    // The system shows its window from the second crash on.
    for _ in 0..2 {
        let crashed = phone.bench.run("SEC-0007", &phone.serial).await;
        assert_eq!(crashed.verdict, Verdict::Failed, "{}", crashed.reason);
    }
    let list = phone.bench.server().adb(&["-s", &phone.serial, "shell", "dumpsys window displays"]).await;
    let said = String::from_utf8_lossy(&list.stdout).into_owned();
    assert!(said.contains("Application Error: com.example.pay"), "{said}");
    let next = phone.bench.run("SEC-0001", &phone.serial).await;
    assert_eq!(next.verdict, Verdict::Passed, "{}", next.reason);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_window_of_an_app_that_hung_is_closed_before_the_next_replay() {
    let phone = Phone::new().await;
    let script = phone.script().await;
    phone.bench.change_app(r#"then: [{crash: "HelpRepository has no articles"}]"#, "then: [anr]");
    phone.bench.change_app("crash_on_help: false", "crash_on_help: true");
    phone.bench.add_case("SEC-0007", "steps:\n  - Open Help\nexpect:\n  - visible: Is a transfer final?\n");
    let hung = phone.bench.run("SEC-0007", &phone.serial).await;
    assert_ne!(hung.verdict, Verdict::Passed, "{}", hung.reason);
    let list = phone
        .bench
        .server()
        .adb(&["-s", &phone.serial, "shell", "input tap 500 500; sleep 6; dumpsys window displays"])
        .await;
    let said = String::from_utf8_lossy(&list.stdout).into_owned();
    assert!(said.contains("Application Not Responding: com.example.pay"), "{said}");
    let next = phone.bench.replay_here(&script, &phone.serial).await;
    assert_eq!(next.verdict, Verdict::Passed, "{}", next.reason);
}

/// All other faults of the catalogue, but for those that take the device away or strike before a run: of each one look, and
/// for good where the next command can still reach the device.
const OTHERS: &[&str] = &[
    "idle=400ms:after=N:times=3",
    "idle=400ms:after=N",
    "dump-137:after=N:times=3",
    "dump-137:after=N",
    "slow-dump=300ms:after=N",
    "invalid-xml:after=N:times=3",
    "invalid-xml:after=N",
    "truncated-dump:after=N,black-screencap",
    "black-screencap:after=N",
    "truncated-screencap:after=N",
    "screencap-fails:after=N",
    "odd-screencap:after=N",
    "huge-screencap:after=N",
    "png-screencap:after=N",
    "null-root:after=N,screencap-fails",
    "slow-shell=300ms:after=N:times=5",
    "lost-exit:after=N:times=1",
    "lost-exit:after=N:times=5",
    "full-sdcard:after=N",
    "stuck-keyboard:after=N",
];

/// Phones side by side: what has a fault mostly waits.
const PHONES: usize = 4;

/// How a case is carried out.
#[derive(Clone, Copy)]
enum Way {
    Run,
    Replay,
}

/// A case that is carried out under every fault.
enum Trial {
    Run(&'static str),
    Replay(Script),
}

impl Phone {
    /// The case whose expectations hold, and those whose do not.
    async fn trials(&self, way: Way) -> Vec<(Trial, bool)> {
        match way {
            Way::Run => {
                self.bench.add_case("SEC-0001", &format!("{STEPS}{HOLDS}{SHORT}"));
                let contrary = CONTRARY.iter().map(|(id, _)| (Trial::Run(id), false));
                std::iter::once((Trial::Run("SEC-0001"), true)).chain(contrary).collect()
            }
            Way::Replay => {
                let script = self.script().await;
                let contrary = contrary_scripts(&script).map(|script| (Trial::Replay(script), false));
                std::iter::once((Trial::Replay(script), true)).chain(contrary).collect()
            }
        }
    }

    /// Carries it out; none where it did not end.
    async fn carry_out(&self, trial: &Trial) -> Option<RunResult> {
        let carried_out = async {
            match trial {
                Trial::Run(id) => self.bench.run(id, &self.serial).await,
                Trial::Replay(script) => self.bench.replay_here(script, &self.serial).await,
            }
        };
        AssertUnwindSafe(carried_out).catch_unwind().await.ok()
    }
}

impl std::fmt::Display for Trial {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Run(id) => f.write_str(id),
            Self::Replay(script) => write!(f, "{:?}", script.expectations),
        }
    }
}

/// What came of all faults so far.
#[derive(Default)]
struct Tally {
    tried: usize,
    told: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

impl Tally {
    fn note(&mut self, result: Option<&RunResult>, holds: bool, context: &str) {
        let forbidden = if holds { Verdict::Failed } else { Verdict::Passed };
        if let Some(result) = result.filter(|result| result.verdict == forbidden) {
            let wrong = format!("{context}: {} {}", result.verdict, result.reason);
            println!("WRONG {wrong}");
            self.wrong.push(wrong);
        }
        if result.is_none() {
            println!("NO END {context}");
        }
        let ended = result.map_or_else(|| "without an end".to_owned(), |result| result.verdict.to_string());
        *self.told.entry(format!("{} {ended}", if holds { "holds" } else { "does not hold" })).or_default() += 1;
        self.tried += 1;
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "after {} {:?}, {} wrong", self.tried, self.told, self.wrong.len())
    }
}

/// Takes faults while there are any, and tries all trials with each of them at each look.
async fn try_share(way: Way, faults: Arc<Mutex<Vec<&'static str>>>, tally: Arc<Mutex<Tally>>) {
    let phone = Phone::new().await;
    let trials = phone.trials(way).await;
    loop {
        let Some(fault) = faults.lock().unwrap().pop() else { break };
        for look in 0..LOOKS {
            let faults = fault.replace('N', &look.to_string());
            for (trial, holds) in &trials {
                phone.suffer(&faults).await;
                let result = phone.carry_out(trial).await;
                tally.lock().unwrap().note(result.as_ref(), *holds, &format!("{faults}: {trial}"));
            }
        }
        // Whoever ends it early knows how far it came.
        println!("{fault}: {}", tally.lock().unwrap());
    }
    phone.suffer("").await;
    for (trial, holds) in &trials {
        let verdict = phone.carry_out(trial).await.map(|result| result.verdict);
        assert_eq!(verdict, Some(if *holds { Verdict::Passed } else { Verdict::Failed }), "{trial} without a fault");
    }
}

/// Tries every fault at every look, on several phones.
async fn try_all_faults(way: Way) {
    let faults = Arc::new(Mutex::new(OTHERS.iter().rev().chain(FAULTS.iter().rev()).copied().collect()));
    let tally = Arc::new(Mutex::new(Tally::default()));
    let mut phones = JoinSet::new();
    for _ in 0..PHONES {
        phones.spawn(try_share(way, Arc::clone(&faults), Arc::clone(&tally)));
    }
    let mut fallen = Vec::new();
    while let Some(ended) = phones.join_next().await {
        fallen.extend(ended.err().map(|error| error.to_string()));
    }
    let tally = tally.lock().unwrap();
    println!("all faults: {tally}");
    assert!(tally.wrong.is_empty() && fallen.is_empty(), "{:#?} {fallen:#?}", tally.wrong);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "replays a script 840 times; its figure is in docs/benchmarks.md"]
async fn no_fault_at_any_look_passes_or_fails_a_replay_wrongly() {
    try_all_faults(Way::Replay).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
#[ignore = "runs cases 840 times, with the model; its figure is in docs/benchmarks.md"]
async fn no_fault_at_any_look_passes_or_fails_a_run_wrongly() {
    try_all_faults(Way::Run).await;
}
