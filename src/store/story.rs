//! One story every store must tell alike; a new database proves itself here.

use super::{
    AuditEntry, BatchEnd, BatchFilter, BatchRecord, BatchSpec, Claimant, Hold, HostRecord, NewRun, Place, Recovered,
    RunEnd, RunFilter, RunState, ScheduleRecord, Scope, Store, StoreError, StoreNews, StoredStanding, Tally,
    TokenRecord, Whom, Whose,
};
use crate::domain::{
    Acquisition, CaseId, Counts, DeviceSerial, DeviceView, EventKind, RunEvent, RunId, RunResult, Timings, Verdict,
};
use crate::run::RunRequest;
use jiff::Timestamp;
use std::collections::BTreeMap;

pub(super) fn new_run(run_id: &str, case_id: &str) -> NewRun {
    let request = RunRequest {
        case_id: CaseId::new(case_id).unwrap(),
        device: None,
        actors: BTreeMap::new(),
        params: BTreeMap::new(),
        seed: u64::MAX,
        location: None,
    };
    NewRun {
        run_id: RunId::from(run_id),
        request,
        sealed_params: None,
        priority: 0,
        created_at: at(0),
        idempotency_key: None,
        place: None,
    }
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_780_000_000 + second).unwrap()
}

fn event(run_id: &str, seq: u64) -> RunEvent {
    let kind = EventKind::StepStarted { index: 1, instruction: "Tap \"Pay\"\nnow".into(), rewritten: "tap Pay".into() };
    RunEvent { run_id: RunId::from(run_id), seq, at_ms: 1.5, kind }
}

/// A result of case PAY-0001 on device `a`.
pub(crate) fn result(run_id: &str, verdict: Verdict) -> RunResult {
    RunResult {
        schema: 1,
        run_id: RunId::from(run_id),
        case_id: CaseId::new("PAY-0001").unwrap(),
        verdict,
        reason: "expectation not held".into(),
        flaky: false,
        repaired: false,
        attempts: 1,
        told_attempt: 1,
        device: DeviceView { serial: "a".into(), profile: "default".into(), api: 34 },
        apps: Vec::new(),
        attribution: None,
        steps: vec![],
        counts: Counts::default(),
        diagnostics: Vec::new(),
        acquisition: Acquisition::default(),
        model: None,
        timings_ms: Timings::default(),
        script: None,
        artifacts: vec!["result.json".into()],
    }
}

fn by() -> Claimant {
    Claimant { host: "one".into(), until: at(30) }
}

/// The hold of the run's latest attempt.
async fn hold(store: &dyn Store, id: &str) -> Hold {
    Hold::of(&store.run(&RunId::from(id)).await.unwrap().unwrap())
}

async fn claimed(store: &dyn Store, device: &str) -> Option<String> {
    let device = DeviceSerial::from(device);
    let waiting = store.waiting(None, 100).await.unwrap();
    let may = |run: &&super::RunRecord| run.request.device.as_ref().is_none_or(|wanted| *wanted == device);
    let first = waiting.iter().find(may)?;
    let run = store.claim(&first.run_id, &device, &by()).await.unwrap().unwrap();
    assert!(store.claim(&first.run_id, &device, &by()).await.unwrap().is_none(), "a run was given away twice");
    Some(run.run_id.to_string())
}

/// Queue order, device wishes, life of a run, refused transitions, listing.
pub(super) async fn a_queue_from_first_run_to_last(store: &dyn Store) {
    assert_eq!(
        store.recover(at(0), &Whose::All).await.unwrap(),
        Recovered::default(),
        "an empty store has nothing to recover"
    );

    // Four runs wait: the first only for device b, the last in a hurry.
    let mut only_b = new_run("r1", "PAY-0001");
    only_b.request.device = Some("b".into());
    let mut urgent = new_run("r4", "PAY-0004");
    urgent.priority = 5;
    for run in [only_b, new_run("r2", "PAY-0002"), new_run("r3", "PAY-0003"), urgent] {
        store.enqueue(run).await.unwrap();
    }
    let twice = store.enqueue(new_run("r2", "PAY-0002")).await.unwrap_err();
    assert!(matches!(twice, StoreError::Statement { what: "queue a run", .. }), "{twice}");
    assert_eq!(store.queue_length().await.unwrap(), 4);
    // The queue can be read in parts, in its order.
    let mut places = Vec::new();
    while let Some(next) = store.waiting(places.last(), 1).await.unwrap().pop() {
        places.push(next.run_id);
    }
    assert_eq!(places.iter().map(RunId::as_str).collect::<Vec<_>>(), ["r4", "r1", "r2", "r3"]);
    store.check_writable().await.unwrap();

    // Priority first, then order of submission, and never a run that wants another device.
    assert_eq!(claimed(store, "a").await.as_deref(), Some("r4"));
    assert_eq!(claimed(store, "a").await.as_deref(), Some("r2"));
    assert_eq!(claimed(store, "b").await.as_deref(), Some("r1"));
    assert_eq!(claimed(store, "a").await.as_deref(), Some("r3"));
    assert_eq!(claimed(store, "a").await, None);

    // r2 lives its life.
    let r2 = RunId::from("r2");
    let leased = store.run(&r2).await.unwrap().unwrap();
    assert_eq!((leased.state, leased.attempts, leased.device), (RunState::Leased, 1, Some("a".into())));
    assert_eq!(leased.request.seed, u64::MAX, "a seed survives whole");
    let held = hold(store, "r2").await;
    store.start(&held, at(1)).await.unwrap();
    for seq in 0..3 {
        assert_eq!(store.append_event(&held, &event("r2", seq)).await.unwrap(), seq);
    }
    assert_eq!(
        store.append_event(&hold(store, "r3").await, &event("r3", 0)).await.unwrap(),
        0,
        "each run counts for itself"
    );
    let rest = store.events_after(&r2, Some(0), 10).await.unwrap();
    assert_eq!(rest.iter().map(|event| event.position).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(rest[0].json, serde_json::to_string(&event("r2", 1)).unwrap());
    assert_eq!(store.events_after(&r2, None, 2).await.unwrap().len(), 2);
    assert!(store.events_after(&r2, Some(u64::MAX), 2).await.unwrap().is_empty());
    let end = RunEnd::of(result("r2", Verdict::Failed));
    store.finish(&held, end.clone(), at(2)).await.unwrap();
    let finished = store.run(&r2).await.unwrap().unwrap();
    assert_eq!((finished.state, finished.verdict), (RunState::Finished, Some(Verdict::Failed)));
    assert_eq!((finished.reason, finished.result), (end.reason.clone(), end.result.clone()));
    assert_eq!((finished.started_at, finished.finished_at), (Some(at(1)), Some(at(2))));

    // What has ended stays ended.
    let again = store.finish(&held, end, at(3)).await.unwrap_err();
    assert!(matches!(again, StoreError::WrongState { found: RunState::Finished, .. }), "{again}");
    assert!(store.start(&held, at(3)).await.is_err());
    assert!(store.requeue(&held).await.is_err());
    assert!(!store.cancel_queued(&r2, "late", at(3)).await.unwrap());
    let nobody = Hold { run_id: RunId::from("r9"), fence: 1 };
    let unknown = store.requeue(&nobody).await.unwrap_err();
    assert!(matches!(unknown, StoreError::UnknownRun(_)), "{unknown}");
    let orphan = store.append_event(&nobody, &event("r9", 0)).await;
    assert!(orphan.is_err(), "an event without a run was stored");

    // r4 loses its device: back to its place, its second attempt's events follow the first's.
    let r4 = RunId::from("r4");
    let first = hold(store, "r4").await;
    store.start(&first, at(4)).await.unwrap();
    store.append_event(&first, &event("r4", 0)).await.unwrap();
    store.requeue(&first).await.unwrap();
    let waiting = store.run(&r4).await.unwrap().unwrap();
    assert_eq!((waiting.state, waiting.device, waiting.started_at), (RunState::Queued, None, None));
    store.enqueue(new_run("r5", "PAY-0005")).await.unwrap();
    assert_eq!(claimed(store, "b").await.as_deref(), Some("r4"));
    assert_eq!(store.run(&r4).await.unwrap().unwrap().attempts, 2);
    // Whoever held it before writes nothing any more.
    assert!(matches!(store.append_event(&first, &event("r4", 9)).await.unwrap_err(), StoreError::WrongState { .. }));
    assert!(store.finish(&first, RunEnd::error("late"), at(4)).await.is_err() && store.requeue(&first).await.is_err());
    assert_eq!(store.append_event(&hold(store, "r4").await, &event("r4", 0)).await.unwrap(), 1);

    // r5 is cancelled while it waits.
    let r5 = RunId::from("r5");
    assert!(store.cancel_queued(&r5, "cancelled before it started", at(5)).await.unwrap());
    assert_eq!(store.run(&r5).await.unwrap().unwrap().state, RunState::Cancelled);
    assert_eq!(claimed(store, "a").await, None);

    the_list_has_pages(store).await;
    keys_and_standings(store).await;
    assert!(store.run(&RunId::from("r9")).await.unwrap().is_none());
    what_has_ended_may_go(store).await;
}

/// Latest first, by state, and behind a run.
async fn the_list_has_pages(store: &dyn Store) {
    let list = |state, limit| store.runs(RunFilter { state, limit, ..RunFilter::default() });
    let ids = |runs: Vec<super::RunRecord>| runs.iter().map(|run| run.run_id.to_string()).collect::<Vec<_>>();
    assert_eq!(ids(list(None, 2).await.unwrap()), ["r5", "r4"]);
    assert_eq!(ids(list(Some(RunState::Finished), 9).await.unwrap()), ["r2"]);
    let before = |id: &str| store.runs(RunFilter { limit: 2, before: Some(RunId::from(id)), ..RunFilter::default() });
    assert_eq!(ids(before("r4").await.unwrap()), ["r3", "r2"]);
    assert_eq!(ids(before("r1").await.unwrap()), Vec::<String>::new());
    assert_eq!(ids(before("r9").await.unwrap()), Vec::<String>::new());
}

/// Ended runs go with their events; the rest stays.
async fn what_has_ended_may_go(store: &dyn Store) {
    let ids = |runs: Vec<super::RunRecord>| runs.iter().map(|run| run.run_id.to_string()).collect::<Vec<_>>();
    let [r2, r4] = ["r2", "r4"].map(RunId::from);
    assert_eq!(ids(store.ended_before(at(2), 9).await.unwrap()), Vec::<String>::new());
    assert_eq!(ids(store.ended_before(at(9), 9).await.unwrap()), ["r2", "r5"]);
    assert_eq!(ids(store.ended_before(at(9), 1).await.unwrap()), ["r2"]);
    store.remove_ended(&r2).await.unwrap();
    assert!(store.run(&r2).await.unwrap().is_none() && store.events_after(&r2, None, 9).await.unwrap().is_empty());
    let kept = store.remove_ended(&r4).await.unwrap_err();
    assert!(matches!(kept, StoreError::WrongState { found: RunState::Leased, .. }), "{kept}");
    assert!(matches!(store.remove_ended(&r2).await.unwrap_err(), StoreError::UnknownRun(_)));
}

/// Keys of submissions, and what is held against devices. Leaves the run r7 behind, called off.
async fn keys_and_standings(store: &dyn Store) {
    // A key is one run's.
    let keyed = |id: &str| NewRun { idempotency_key: Some("night-7".into()), ..new_run(id, "PAY-0007") };
    store.enqueue(keyed("r7")).await.unwrap();
    assert!(store.enqueue(keyed("r8")).await.unwrap_err().may_pass());
    assert_eq!(store.run_with_key("night-7").await.unwrap().unwrap().run_id.as_str(), "r7");
    assert!(store.run_with_key("night-8").await.unwrap().is_none());
    assert!(store.cancel_queued(&RunId::from("r7"), "a test", at(20)).await.unwrap());

    // What is held against devices.
    let held = |standing: &str, reason: &str| StoredStanding {
        serial: "a".into(),
        standing: standing.into(),
        reason: reason.into(),
    };
    store.keep_standing(held("suspect", "full")).await.unwrap();
    store.keep_standing(held("quarantined", "offline")).await.unwrap();
    assert_eq!(store.standings().await.unwrap(), [held("quarantined", "offline")]);
    store.drop_standing(&"a".into()).await.unwrap();
    store.drop_standing(&"b".into()).await.unwrap();
    assert_eq!(store.standings().await.unwrap(), []);
}

/// Leaves one run in every state behind, and two that wait with parameters; gives the ids in that order.
pub(super) async fn a_daemon_dies_with_runs_in_every_state(store: &dyn Store) -> [RunId; 6] {
    let ids = ["done", "running", "leased", "leased-secret", "waiting-secret", "waiting-sealed"];
    for id in ids {
        let mut run = new_run(id, "PAY-0001");
        if id.ends_with("secret") || id.ends_with("sealed") || id == "done" {
            run.request.params.insert("pin".into(), "135790".into());
        }
        if id.ends_with("sealed") || id == "done" {
            run.sealed_params = Some(b"sealed".to_vec());
        }
        store.enqueue(run).await.unwrap();
    }
    let ids = ids.map(RunId::from);
    for id in &ids[..4] {
        assert_eq!(claimed(store, "a").await.as_deref(), Some(id.as_str()));
    }
    for id in &ids[..2] {
        store.start(&hold(store, id.as_str()).await, at(1)).await.unwrap();
    }
    store.finish(&hold(store, "done").await, RunEnd::of(result("done", Verdict::Passed)), at(2)).await.unwrap();
    ids
}

/// Nothing is lost silently, nothing is run twice.
pub(super) async fn the_next_daemon_finds_them(store: &dyn Store, ids: [RunId; 6]) {
    let [done, running, leased, leased_secret, waiting_secret, waiting] = ids;
    assert_eq!(store.sealed_params(&done).await.unwrap(), None, "what has ended needs no parameters");
    assert_eq!(store.sealed_params(&waiting).await.unwrap().as_deref(), Some(&b"sealed"[..]));
    let mut recovered = store.recover(at(10), &Whose::All).await.unwrap();
    recovered.params_lost.sort();
    recovered.requeued.sort();
    assert_eq!(recovered.interrupted, []);
    assert_eq!(recovered.params_lost, [leased_secret, waiting_secret.clone()]);
    assert_eq!(recovered.requeued, [leased.clone(), running.clone()]);
    let state = async |id: &RunId| store.run(id).await.unwrap().unwrap();
    assert_eq!(state(&done).await.verdict, Some(Verdict::Passed));
    let again = state(&running).await;
    assert_eq!((again.state, again.interruptions, again.started_at), (RunState::Queued, 1, None));
    assert_eq!(state(&waiting_secret).await.reason, "parameters were lost at restart; submit again");
    for id in [&running, &leased, &waiting] {
        assert_eq!(claimed(store, "a").await.as_deref(), Some(id.as_str()), "they keep their places");
    }
    // What was interrupted twice is not tried a third time.
    store.start(&hold(store, running.as_str()).await, at(11)).await.unwrap();
    let recovered = store.recover(at(12), &Whose::All).await.unwrap();
    assert_eq!((recovered.interrupted.as_slice(), recovered.requeued.len()), (std::slice::from_ref(&running), 2));
    let lost = state(&running).await;
    assert_eq!((lost.state, lost.verdict), (RunState::Finished, Some(Verdict::Error)));
    assert_eq!(lost.reason, "interrupted by a restart, as in the attempt before");
}

/// Tokens end when they are to, and the log is read from its end.
pub(super) async fn tokens_and_audit(store: &dyn Store) {
    let token = |id: &str, second: i64| TokenRecord {
        id: id.into(),
        name: "ann".into(),
        scope: Scope::Run,
        hash: "$argon2id$x".into(),
        created_at: at(second),
        expires_at: None,
        revoked_at: None,
    };
    for (id, second) in [("b", 1), ("a", 0)] {
        store.add_token(token(id, second)).await.unwrap();
    }
    assert!(store.add_token(token("a", 0)).await.is_err());
    assert_eq!(store.tokens().await.unwrap(), [token("a", 0), token("b", 1)]);
    assert!(store.expire_token("a", at(5)).await.unwrap() && store.expire_token("a", at(9)).await.unwrap());
    let ended = store.token("a").await.unwrap().unwrap();
    assert_eq!(ended.expires_at, Some(at(5)), "an end is never put off");
    assert!(ended.is_valid(at(4)) && !ended.is_valid(at(5)));
    assert!(store.revoke_token("b", at(3)).await.unwrap() && !store.revoke_token("b", at(4)).await.unwrap());
    assert!(!store.token("b").await.unwrap().unwrap().is_valid(at(3)));
    assert!(!store.revoke_token("c", at(4)).await.unwrap() && store.token("c").await.unwrap().is_none());

    let line = |action: &str| AuditEntry {
        number: 0,
        at: at(7),
        actor: "ann".into(),
        peer: "::1".into(),
        action: action.into(),
        status: 202,
        detail: String::new(),
    };
    for action in ["1", "2", "3"] {
        store.append_audit(line(action)).await.unwrap();
    }
    let actions = |lines: Vec<AuditEntry>| lines.into_iter().map(|line| line.action).collect::<Vec<_>>();
    let latest = store.audit(None, 2).await.unwrap();
    let before = Some(latest[1].number);
    assert_eq!(actions(latest), ["3", "2"]);
    assert_eq!(actions(store.audit(before, 9).await.unwrap()), ["1"]);
    assert_eq!(store.trim_audit(2).await.unwrap(), 1);
    assert_eq!(actions(store.audit(None, 9).await.unwrap()), ["3", "2"]);
}

fn night(id: &str, name: &str) -> BatchRecord {
    BatchRecord {
        batch_id: id.into(),
        spec: BatchSpec { name: name.into(), retries: 1, ..BatchSpec::default() },
        schedule: None,
        trigger: "ann".into(),
        app_before: Some("1.0".into()),
        app_after: None,
        tally: None,
        created_at: at(0),
        finished_at: None,
        idempotency_key: None,
    }
}

fn place(night: &str) -> Place {
    Place {
        batch_id: night.into(),
        profile: Some("phone".into()),
        locale: None,
        location: None,
        tried: 1,
        at_most: None,
        quiet: None,
        give_up_at: at(100),
    }
}

/// A night is kept whole or not at all, ends once, and schedules fire once.
pub(super) async fn nights_and_schedules(store: &dyn Store) {
    let run = |id: &str, night: &str| NewRun { place: Some(place(night)), ..new_run(id, "PAY-0001") };
    store.add_batch(night("n1", "a"), vec![run("r1", "n1"), run("r2", "n1")]).await.unwrap();
    let twice = store.add_batch(night("n2", "a"), vec![run("r3", "n2"), run("r1", "n2")]).await;
    assert!(twice.is_err() && store.batch("n2").await.unwrap().is_none());
    assert!(store.run(&RunId::from("r3")).await.unwrap().is_none(), "half a night was kept");
    let mut keyed = night("n3", "b");
    keyed.idempotency_key = Some("k".into());
    store.add_batch(keyed.clone(), Vec::new()).await.unwrap();
    assert_eq!(store.batch_with_key("k").await.unwrap(), Some(keyed));
    assert_eq!(store.batch("n1").await.unwrap(), Some(night("n1", "a")));
    let ids = |nights: Vec<BatchRecord>| nights.into_iter().map(|night| night.batch_id).collect::<Vec<_>>();
    let list = |name: Option<&str>, before: Option<&str>| {
        store.batches(BatchFilter { name: name.map(Into::into), before: before.map(Into::into), limit: 9 })
    };
    assert_eq!(ids(list(None, None).await.unwrap()), ["n3", "n1"]);
    assert_eq!(ids(list(Some("a"), None).await.unwrap()), ["n1"]);
    assert_eq!(ids(list(None, Some("n3")).await.unwrap()), ["n1"]);
    assert_eq!(ids(list(None, Some("n9")).await.unwrap()), Vec::<String>::new());
    assert_eq!(ids(store.open_batches().await.unwrap()), ["n1", "n3"]);
    let runs = store.runs_of_batch("n1").await.unwrap();
    assert_eq!(runs.iter().map(|run| run.place.clone()).collect::<Vec<_>>(), [Some(place("n1")), Some(place("n1"))]);

    assert_eq!(claimed(store, "a").await.as_deref(), Some("r1"));
    let held = hold(store, "r1").await;
    store.start(&held, at(1)).await.unwrap();
    store.finish(&held, RunEnd::of(result("r1", Verdict::Failed)), at(3)).await.unwrap();
    let past = store.past_times(9).await.unwrap();
    assert_eq!(past.iter().map(|past| (past.case_id.as_str(), past.ms)).collect::<Vec<_>>(), [("PAY-0001", 2000)]);
    let history = store.runs_of_case(&CaseId::new("PAY-0001").unwrap(), 1).await.unwrap();
    assert_eq!(history[0].run_id.as_str(), "r2");
    assert_eq!(store.cancel_waiting("n1", "called off", at(4)).await.unwrap(), ["r2"]);
    let end = BatchEnd { tally: Tally { failed: 1, cancelled: 1, ..Tally::default() }, app_after: Some("2".into()) };
    assert!(store.finish_batch("n1", end.clone(), at(5)).await.unwrap());
    assert!(!store.finish_batch("n1", end.clone(), at(6)).await.unwrap());
    let ended = store.batch("n1").await.unwrap().unwrap();
    assert_eq!((ended.tally, ended.app_after, ended.finished_at), (Some(end.tally), end.app_after, Some(at(5))));

    let schedule = ScheduleRecord {
        name: "nightly".into(),
        cron: Some("0 2 * * *".into()),
        zone: "Europe/Berlin".into(),
        spec: BatchSpec::default(),
        enabled: true,
        sealed_secret: Some(vec![1, 2]),
        created_at: at(0),
        next_at: Some(at(10)),
        last_at: None,
    };
    store.put_schedule(schedule.clone()).await.unwrap();
    assert_eq!(store.schedules().await.unwrap(), [schedule.clone()]);
    assert!(store.fire("nightly", at(10), Some(at(20)), at(11)).await.unwrap());
    assert!(!store.fire("nightly", at(10), Some(at(20)), at(11)).await.unwrap(), "it fired twice");
    assert!(!store.put_off("nightly", at(10), at(15)).await.unwrap(), "what is over is put off");
    assert!(store.put_off("nightly", at(20), at(15)).await.unwrap());
    let moved = store.schedule("nightly").await.unwrap().unwrap();
    assert_eq!((moved.next_at, moved.last_at), (Some(at(15)), Some(at(11))));
    store.put_schedule(ScheduleRecord { enabled: false, next_at: Some(at(20)), ..schedule }).await.unwrap();
    assert!(!store.fire("nightly", at(20), None, at(21)).await.unwrap(), "it fired while it was paused");
    assert_eq!(store.schedule("nightly").await.unwrap().unwrap().last_at, Some(at(11)), "a change forgets nothing");
    assert!(store.remove_schedule("nightly").await.unwrap() && !store.remove_schedule("nightly").await.unwrap());
}

/// Each run goes to one host; of a host that fell silent another takes over, and the silent one writes nothing any more.
pub(super) async fn two_hosts_share_the_queue(one: &dyn Store, other: &dyn Store) {
    let mut news = other.news().await.unwrap().expect("a shared store has news");
    for number in 0..20 {
        one.enqueue(new_run(&format!("r{number:02}"), "PAY-0001")).await.unwrap();
    }
    assert_eq!(news.next().await.unwrap(), StoreNews::Queue);
    let by = |host: &str| Claimant { host: host.into(), until: at(30) };
    let [mut first, mut second] = [0, 0];
    for number in 0..20 {
        let (id, device) = (RunId::from(format!("r{number:02}").as_str()), DeviceSerial::from("a"));
        let (by_one, by_other) = (by("one"), by("other"));
        let (taken, also) = tokio::join!(one.claim(&id, &device, &by_one), other.claim(&id, &device, &by_other));
        let (taken, also) = (taken.unwrap().is_some(), also.unwrap().is_some());
        assert!(taken != also, "{id} was given to {}", if taken { "both" } else { "nobody" });
        first += usize::from(taken);
        second += usize::from(also);
    }
    assert_eq!(first + second, 20);
    let host = |name: &str| HostRecord { name: name.into(), seen_at: at(20), devices: vec!["a".into()] };
    one.heartbeat(host("one"), at(60)).await.unwrap();
    assert_eq!(other.hosts().await.unwrap(), [host("one")]);
    let late = Hold { run_id: RunId::from("r00"), fence: 1 };
    // The lease of `other` is over, that of `one` is not.
    let recovered = one.recover(at(31), &Whose::Silent).await.unwrap();
    assert_eq!(recovered.requeued.len(), second);
    let recovered = other.recover(at(61), &Whose::Silent).await.unwrap();
    assert_eq!(recovered.requeued.len(), first);
    assert!(other.claim(&late.run_id, &"b".into(), &by("other")).await.unwrap().is_some());
    let refused = one.finish(&late, RunEnd::error("late"), at(62)).await.unwrap_err();
    assert!(matches!(refused, StoreError::WrongState { .. }), "{refused}");
}

/// Goes on where [`two_hosts_share_the_queue`] ended: whoever holds a run hears that it is to end.
pub(super) async fn the_end_of_a_run_is_asked_for_elsewhere(one: &dyn Store, other: &dyn Store) {
    let (held, waits) = (RunId::from("r00"), RunId::from("r01"));
    let mut news = other.news().await.unwrap().expect("a shared store has news");
    assert_eq!(one.ask_to_cancel(Whom::Run(&waits)).await.unwrap(), [], "what waits is nobody's to end");
    assert_eq!(one.ask_to_cancel(Whom::Run(&held)).await.unwrap(), [held.clone()]);
    assert_eq!(news.next().await.unwrap(), StoreNews::Cancel(held.clone()));
    // Whoever missed that finds it.
    assert_eq!(other.to_be_cancelled("other").await.unwrap(), [held.clone()]);
    assert_eq!(one.to_be_cancelled("one").await.unwrap(), []);
    // Its host dies: it is nobody's wish any more that it is made.
    assert_eq!(one.recover(at(99), &Whose::Silent).await.unwrap().requeued, [held.clone()]);
    let waiting = one.waiting(None, 100).await.unwrap();
    assert!(waiting.iter().all(|run| run.cancel_requested == (run.run_id == held)), "{waiting:?}");
    assert_eq!(one.ask_to_cancel(Whom::Night("n")).await.unwrap(), []);
}
