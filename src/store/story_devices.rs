//! What every store must tell alike of devices and of reviews.

use super::story::new_run;
use super::{Claimant, Decision, DeviceLine, KEPT_LINES, Originals, Place, Reservation, Review, RunFilter, Store};
use crate::domain::{DeviceSerial, RunId};
use jiff::Timestamp;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_780_000_000 + second).unwrap()
}

/// Logs are kept by device and cut, reservations replace each other, original settings come back as they were.
pub(super) async fn devices_are_logged_reserved_and_put_back(store: &dyn Store) {
    let [one, other] = ["emulator-5554", "emulator-5556"].map(DeviceSerial::from);
    let line =
        |second: i64| DeviceLine { at: at(second), phase: "gone".into(), what: format!("line {second} 'of' it") };
    store.log_device(&other, line(0)).await.unwrap();
    for second in 1..=i64::from(KEPT_LINES) + 3 {
        store.log_device(&one, line(second)).await.unwrap();
    }
    let log = store.device_log(&one, 1000).await.unwrap();
    assert_eq!((log.len(), &log[0]), (KEPT_LINES as usize, &line(i64::from(KEPT_LINES) + 3)));
    assert_eq!(store.device_log(&one, 2).await.unwrap().len(), 2);
    assert_eq!(store.device_log(&other, 9).await.unwrap(), [line(0)], "another device's log was cut");

    let lines = store.device_lines(at(0), at(2), 9).await.unwrap();
    assert_eq!(lines, [(other.clone(), line(0))], "older lines of the first are cut");
    let end = i64::from(KEPT_LINES) + 3;
    let lines = store.device_lines(at(end - 1), at(end), 9).await.unwrap();
    assert_eq!(lines, [(one.clone(), line(end)), (one.clone(), line(end - 1))]);
    assert_eq!(store.device_lines(at(4), at(end), 5).await.unwrap().len(), 5);
    let half = DeviceLine { at: Timestamp::from_millisecond(1_780_000_000_500).unwrap(), ..line(0) };
    store.log_device(&other, half.clone()).await.unwrap();
    assert_eq!(store.device_lines(half.at, half.at, 9).await.unwrap(), [(other.clone(), half)]);

    let held = |person: &str, until| Reservation {
        serial: one.clone(),
        person: person.into(),
        note: "a crash".into(),
        until: at(until),
    };
    store.reserve(held("ann", 10)).await.unwrap();
    store.reserve(held("bob", 20)).await.unwrap();
    assert_eq!(store.reservations().await.unwrap(), [held("bob", 20)]);
    assert!(store.end_reservation(&one).await.unwrap() && !store.end_reservation(&one).await.unwrap());

    let originals: Originals =
        [("global/a".to_owned(), Some("1".to_owned())), ("system/b".to_owned(), None)].into_iter().collect();
    assert_eq!(store.originals(&one).await.unwrap(), Originals::new());
    store.keep_originals(&one, &Originals::new()).await.unwrap();
    store.keep_originals(&one, &originals).await.unwrap();
    assert_eq!(store.originals(&one).await.unwrap(), originals);
    store.drop_originals(&one).await.unwrap();
    assert_eq!(store.originals(&one).await.unwrap(), Originals::new());
}

/// A review goes with its run, and is found by its night; runs are found by their device.
pub(super) async fn reviews_belong_to_runs(store: &dyn Store) {
    for id in ["r1", "r2", "r3"] {
        let place = (id != "r3").then(|| Place {
            batch_id: "n1".into(),
            profile: None,
            locale: None,
            location: None,
            tried: 1,
            at_most: None,
            quiet: None,
            give_up_at: at(99),
        });
        store.enqueue(super::NewRun { place, ..new_run(id, "PAY-0001") }).await.unwrap();
    }
    let review = |id: &str, decision, comment: &str| Review {
        run_id: RunId::from(id),
        decision,
        link: "https://bugs.example/7".into(),
        comment: comment.into(),
        person: "ann".into(),
        at: at(1),
    };
    store.put_review(review("r2", Decision::Approved, "")).await.unwrap();
    store.put_review(review("r1", Decision::Approved, "")).await.unwrap();
    store.put_review(review("r1", Decision::Defect, "the total's <b>wrong</b>")).await.unwrap();
    let expected = review("r1", Decision::Defect, "the total's <b>wrong</b>");
    assert_eq!(store.review(&"r1".into()).await.unwrap(), Some(expected.clone()));
    let night = [expected, review("r2", Decision::Approved, "")];
    assert_eq!(store.reviews_of_batch("n1").await.unwrap(), night);
    assert!(store.remove_review(&"r2".into()).await.unwrap() && !store.remove_review(&"r2".into()).await.unwrap());
    assert!(store.put_review(review("r9", Decision::Approved, "")).await.is_err(), "a review of no run");

    let by = Claimant { host: "one".into(), until: at(30) };
    for (id, device) in [("r1", "a"), ("r2", "b"), ("r3", "a")] {
        store.claim(&id.into(), &device.into(), &by).await.unwrap().unwrap();
    }
    let of = |device: &str| RunFilter { device: Some(device.into()), limit: 9, ..RunFilter::default() };
    let listed = store.runs(of("a")).await.unwrap();
    assert_eq!(listed.iter().map(|run| run.run_id.as_str()).collect::<Vec<_>>(), ["r3", "r1"]);
    assert!(store.runs(of("c")).await.unwrap().is_empty());
    let end = super::RunEnd::error("over");
    let hold = super::Hold { run_id: "r1".into(), fence: 1 };
    store.finish(&hold, end, at(2)).await.unwrap();
    store.remove_ended(&"r1".into()).await.unwrap();
    assert_eq!(store.review(&"r1".into()).await.unwrap(), None, "a review outlives its run");
}
