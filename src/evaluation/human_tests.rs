//! The examination itself: a person's own actions, done again on the played device, must complete every task. What
//! nobody could pass would measure nothing.

use super::foresight::as_action;
use super::played_device::PlayedDevice;
use super::scoring::{Attempt, completed, step_passed};
use crate::device::Device;
use crate::domain::{PackageName, Size};
use crate::hierarchy::{Screen, ScreenInput};
use crate::recorded::sample::Sample;
use crate::recorded::{RecordedApp, Task};
use crate::skill::{Library, PerformError};
use std::path::Path;
use std::sync::Arc;

async fn looked(device: &PlayedDevice, display: Size) -> (Screen, Vec<u8>) {
    let seen = device.observe().await.unwrap();
    let input = ScreenInput {
        hierarchy: &seen.hierarchy,
        screenshot: None,
        display,
        foreground: None,
        keyboard_shown: seen.keyboard_shown,
    };
    (Screen::perceive(input), seen.hierarchy)
}

/// Does what the person did; one attempt for each action.
async fn done_again(app: &Arc<RecordedApp>, task: &Task) -> Attempt {
    let skills = Library::bundled().unwrap();
    let device = PlayedDevice::new(app, task);
    device.start_fresh(&PackageName::new(app.info.package.as_str())).await.unwrap();
    let mut attempt = Attempt { deeds: Vec::new(), declared: true, ..Attempt::default() };
    for (human, state) in task.actions.iter().zip(&task.path) {
        assert_eq!(device.journal().state().as_ref(), Some(state), "{}: on the way", task.id);
        let (screen, hierarchy) = looked(&device, app.display()).await;
        let action = as_action(app, human, &screen);
        let held = 0;
        match skills.perform(&device, &action, held, &hierarchy).await {
            Ok(_) => {}
            Err(PerformError::Device(error)) => panic!("{}: {action}: {error}", task.id),
            Err(PerformError::Expand(error)) => panic!("{}: {action}: {error}", task.id),
        }
        looked(&device, app.display()).await;
        attempt.deeds.push(device.journal().take());
    }
    assert_eq!(device.journal().state().as_ref(), task.path.last(), "{}: at the end", task.id);
    attempt
}

async fn can_be_passed(app: &Arc<RecordedApp>) {
    for task in &app.tasks {
        let attempt = done_again(app, task).await;
        assert!(completed(task, std::slice::from_ref(&attempt), 0), "{}: {:?}", task.id, attempt.deeds);
        for step in &task.steps {
            let deeds = step.actions.iter().map(|&at| attempt.deeds[at].clone()).collect();
            let own = Attempt { deeds, declared: true, ..Attempt::default() };
            assert!(step_passed(task, &step.actions, &own), "{}: {}", task.id, step.instruction);
        }
    }
}

#[tokio::test]
async fn a_persons_own_actions_complete_a_task() {
    let app = Sample::new("list")
        .state("list", &["TextView Notes", "EditText Search", "Button New note"])
        .state("found", &["TextView Notes", "EditText milk", "Button Milk"])
        .state("milk", &["TextView Milk", "Button Delete"])
        .way("list", "click", 2, None, "list", "exploration")
        .task(
            "t",
            &[
                ("list", "click", 2, None),
                ("list", "input", 2, Some("milk")),
                ("found", "click", 3, None),
                ("milk", "back", 0, None),
                ("list", "long_click", 3, None),
            ],
            "found",
            &[1, 2, 4],
            &[("Look for milk", &[0, 1]), ("Open it", &[2]), ("Go back and hold New note", &[3, 4])],
        )
        .app();
    can_be_passed(&Arc::new(app)).await;
}

#[tokio::test]
async fn every_task_of_the_development_recordings_can_be_completed() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["../shared/recorded", "../../shared/recorded"].map(|folder| here.join(folder));
    let Some(folder) = folders.iter().find(|folder| folder.is_dir()) else {
        println!("skipped: there are no development recordings beside this repository");
        return;
    };
    let mut tasks = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.join("app.json").is_file() {
            let app = Arc::new(RecordedApp::open(&path).unwrap());
            let lost: Vec<_> = app.notes.iter().filter(|note| note.lost).collect();
            assert!(lost.is_empty(), "{lost:?}");
            can_be_passed(&app).await;
            tasks += app.tasks.len();
        }
    }
    assert!(tasks > 0, "no task in {}", folder.display());
}
