//! One story of an artifact store, told of every kind of place.

use super::*;
use crate::domain::{CaseId, RunId};
use futures_util::TryStreamExt as _;
use jiff::Timestamp;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

struct Scene {
    folder: tempfile::TempDir,
    store: ArtifactStore,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place = format!("file://{}", folder.path().join("store").display());
        let store = ArtifactStore::open(&place, &AccessKeys::default()).unwrap();
        Self { folder, store }
    }

    /// A recording of these files, in which `ended_at` is a second.
    fn recorded(&self, attempt: Option<u32>, ended_at: i64, files: &[(&str, &str)]) -> Recorded {
        let write = |(path, text): &(&str, &str)| {
            let file = self.folder.path().join(format!("{ended_at}-{}", path.replace('/', "-")));
            std::fs::write(&file, text).unwrap();
            ((*path).to_owned(), file)
        };
        let files = files.iter().map(write).collect();
        Recorded { attempt, ended_at: Timestamp::from_second(ended_at).unwrap(), files }
    }

    async fn text(&self, run: &str, attempt: Option<u32>, path: &str) -> Option<String> {
        let run = self.store.run(&RunId::new(run)).await.unwrap();
        let blob = self.store.read(run.recording(attempt)?.file(path)?, None).await.unwrap()?;
        let parts: Vec<bytes::Bytes> = blob.stream.try_collect().await.unwrap();
        Some(String::from_utf8(parts.concat()).unwrap())
    }

    fn blobs(&self) -> Vec<PathBuf> {
        fn below(folder: &Path, found: &mut Vec<PathBuf>) {
            for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if entry.is_dir() { below(&entry, found) } else { found.push(entry) }
            }
        }
        let mut found = Vec::new();
        below(&self.folder.path().join("store/blobs"), &mut found);
        found
    }

    /// Makes every blob so many hours old.
    fn age(&self, hours: u64) {
        for blob in self.blobs() {
            let file = std::fs::File::options().write(true).open(blob).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(hours * 3600)).unwrap();
        }
    }
}

fn id(run: &str) -> (CaseId, RunId) {
    (CaseId::new("PAY-1").unwrap(), RunId::new(run))
}

async fn put(scene: &Scene, host: &str, run: &str, recordings: Vec<Recorded>) -> Uploaded {
    let (case_id, run_id) = id(run);
    scene.store.put(host, (&case_id, &run_id), recordings).await.unwrap()
}

#[tokio::test]
async fn what_is_alike_lies_there_once_and_is_found_by_every_path() {
    let scene = Scene::new();
    scene.store.check().await.unwrap();
    let first = scene.recorded(None, 1, &[("events.jsonl", "one"), ("screens/a.png", "picture")]);
    assert_eq!(put(&scene, "rack-1", "r1", vec![first]).await, Uploaded { written: 2, found: 0, bytes: 10 });
    let second = scene.recorded(None, 2, &[("events.jsonl", "two"), ("screens/b.png", "picture")]);
    assert_eq!(put(&scene, "rack-2", "r2", vec![second]).await, Uploaded { written: 1, found: 1, bytes: 3 });
    assert_eq!(scene.blobs().len(), 3);
    let check = async |run: &str, attempt, path: &str, expected: Option<&str>| {
        assert_eq!(scene.text(run, attempt, path).await.as_deref(), expected, "{run} {attempt:?} {path}");
    };
    check("r1", None, "events.jsonl", Some("one")).await;
    check("r1", None, "screens/a.png", Some("picture")).await;
    check("r2", None, "screens/b.png", Some("picture")).await;
    check("r2", None, "screens/a.png", None).await;
    check("r1", Some(1), "events.jsonl", None).await;
    check("r", None, "events.jsonl", None).await;
    check("../r1", None, "events.jsonl", None).await;
    for (run, host, expected) in [("r1", "rack-1", true), ("r1", "rack-2", false), ("r3", "rack-1", false)] {
        assert_eq!(scene.store.has(&RunId::new(run), host).await.unwrap(), expected, "{run} on {host}");
    }
}

#[tokio::test]
async fn a_part_of_a_file_comes_alone() {
    let scene = Scene::new();
    let recorded = scene.recorded(None, 1, &[("events.jsonl", "0123456789")]);
    put(&scene, "rack", "r1", vec![recorded]).await;
    let run = scene.store.run(&RunId::new("r1")).await.unwrap();
    let file = run.recording(None).unwrap().file("events.jsonl").unwrap();
    let blob = scene.store.read(file, Some(2..5)).await.unwrap().unwrap();
    assert_eq!((blob.size, blob.range.clone()), (10, 2..5));
    let parts: Vec<bytes::Bytes> = blob.stream.try_collect().await.unwrap();
    assert_eq!(parts.concat(), b"234");
}

#[tokio::test]
async fn a_run_that_two_hosts_made_has_the_recordings_of_both() {
    let scene = Scene::new();
    let cut = scene.recorded(None, 1, &[("events.jsonl", "cut off")]);
    put(&scene, "rack-1", "r1", vec![cut]).await;
    let recordings = vec![
        scene.recorded(Some(2), 2, &[("events.jsonl", "again")]),
        scene.recorded(None, 3, &[("events.jsonl", "whole")]),
    ];
    put(&scene, "rack-2", "r1", recordings).await;
    assert_eq!(scene.text("r1", None, "events.jsonl").await.as_deref(), Some("whole"));
    assert_eq!(scene.text("r1", Some(2), "events.jsonl").await.as_deref(), Some("again"));
}

#[tokio::test]
async fn only_what_is_old_and_no_runs_any_more_is_swept() {
    let scene = Scene::new();
    let kept = scene.recorded(None, 1, &[("a.png", "shared"), ("b.png", "kept")]);
    put(&scene, "rack", "r1", vec![kept]).await;
    let gone = scene.recorded(None, 2, &[("a.png", "shared"), ("c.png", "gone")]);
    put(&scene, "rack", "r2", vec![gone]).await;
    scene.store.remove(&RunId::new("r2")).await.unwrap();
    assert!(scene.store.run(&RunId::new("r2")).await.unwrap().is_empty());
    assert_eq!(scene.store.sweep().await.unwrap(), Swept::default());
    scene.age(23);
    assert_eq!(scene.store.sweep().await.unwrap(), Swept::default());
    scene.age(25);
    assert_eq!(scene.store.sweep().await.unwrap(), Swept { files: 1, bytes: 4 });
    assert_eq!(scene.text("r1", None, "a.png").await.as_deref(), Some("shared"));
    assert_eq!(scene.blobs().len(), 2);
    // Removing twice is removing once.
    scene.store.remove(&RunId::new("r2")).await.unwrap();
}

#[tokio::test]
async fn what_is_old_or_cut_off_is_written_again_by_whoever_needs_it() {
    let scene = Scene::new();
    put(&scene, "rack", "r1", vec![scene.recorded(None, 1, &[("a.png", "shared")])]).await;
    scene.age(13);
    let again = put(&scene, "rack", "r2", vec![scene.recorded(None, 2, &[("a.png", "shared")])]).await;
    assert_eq!(again, Uploaded { written: 1, found: 0, bytes: 6 });
    std::fs::write(&scene.blobs()[0], "sha").unwrap();
    let mended = put(&scene, "rack", "r3", vec![scene.recorded(None, 3, &[("a.png", "shared")])]).await;
    assert_eq!((mended.written, scene.text("r1", None, "a.png").await.as_deref()), (1, Some("shared")));
}

#[tokio::test]
async fn a_damaged_listing_is_named_and_nothing_is_swept_beside_it() {
    let scene = Scene::new();
    put(&scene, "rack", "r1", vec![scene.recorded(None, 1, &[("a.png", "one")])]).await;
    put(&scene, "rack", "r2", vec![scene.recorded(None, 2, &[("a.png", "two")])]).await;
    scene.store.remove(&RunId::new("r2")).await.unwrap();
    scene.age(25);
    for text in
        ["{\"version\":", "{\"version\":9,\"run_id\":\"r1\",\"case_id\":\"PAY-1\",\"host\":\"rack\",\"recordings\":[]}"]
    {
        std::fs::write(scene.folder.path().join("store/runs/r1/rack.json"), text).unwrap();
        let found = scene.store.run(&RunId::new("r1")).await.unwrap_err().to_string();
        assert!(found.contains("runs/r1/rack.json is damaged"), "{found}");
        assert!(matches!(scene.store.sweep().await, Err(ArtifactError::Damaged { .. })));
        assert_eq!(scene.blobs().len(), 2);
    }
}

#[tokio::test]
async fn a_file_that_went_stores_nothing_of_its_run() {
    let scene = Scene::new();
    let (case_id, run_id) = id("r1");
    let missing = Recorded { files: vec![("a.png".into(), "/nowhere/a.png".into())], ..scene.recorded(None, 1, &[]) };
    let error = scene.store.put("rack", (&case_id, &run_id), vec![missing]).await.unwrap_err();
    assert!(error.to_string().starts_with("/nowhere/a.png: "), "{error}");
    assert!(scene.store.run(&run_id).await.unwrap().is_empty());
}
