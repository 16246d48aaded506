use super::*;
use crate::case::Rewriter;
use crate::evaluation::foresight::Screens;
use crate::evaluation::{Evaluation, FittedOn, Mode, Report, known_map, task_case};
use crate::inference::sample::WordEmbedder;
use crate::ranking::{Cues, Weights};
use crate::recorded::sample::Sample;
use crate::recorded::{RecordedApp, StateId};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

fn judgement() -> Judgement {
    Judgement {
        embedder: Arc::new(WordEmbedder),
        weights: Weights::bundled().unwrap(),
        cues: Cues::bundled().unwrap(),
        knowledge: Knowledge::bundled().unwrap(),
    }
}

/// Two steps, each a touch: the menu, then an entry of it.
fn app() -> Arc<RecordedApp> {
    let app = Sample::new("list")
        .state("list", &["TextView Notes", "Button Shopping menu", "Button Milk"])
        .state("menu", &["TextView Shopping menu", "Button Advanced settings", "Button Help"])
        .state("settings", &["TextView Advanced settings", "Button Colours"])
        .way("list", "click", 2, None, "menu", "exploration")
        .way("menu", "click", 2, None, "settings", "exploration")
        .task(
            "t",
            &[("list", "click", 2, None), ("menu", "click", 2, None)],
            "settings",
            &[1],
            &[("Open the shopping menu", &[0]), ("Open the advanced settings", &[1])],
        )
        .app();
    Arc::new(app)
}

#[test]
fn the_agent_is_asked_for_one_decision_after_another_with_the_past_that_a_person_made() {
    let (app, skills) = (app(), Library::bundled().unwrap());
    let task = app.tasks.first().unwrap();
    let case = task_case::planned(&app, task, Mode::Steps, &Rewriter::bundled().unwrap()).unwrap();
    let ids = ["list", "menu", "settings"].map(|id| StateId::new(id).unwrap());
    let mut screens = Screens::new(&app);
    screens.perceive(&ids);
    let [list, menu, settings] = ids.each_ref().map(|id| screens.seen(id).unwrap());
    let judgement = judgement();
    let map = map_of(&[], &judgement).unwrap();
    let mut probe = DecisionProbe::new(Asked { case: &case, judgement: &judgement, skills: &skills, map: &map });
    let touches = |probe: &DecisionProbe<'_>, seen: &Seen, label: &str| match probe.choose(seen).unwrap() {
        Choice::Act(action) => {
            assert_eq!(action.target().map(|target| target.label.as_str()), Some(label));
            action
        }
        other => panic!("{other:?} in place of {label:?}"),
    };
    probe.begin(0);
    let action = touches(&probe, list, "Shopping menu");
    probe.follow(&PastAction { before: list, action, after: menu }, &|_| true).unwrap();
    assert!(matches!(probe.choose(menu).unwrap(), Choice::Done(_)), "{:?}", probe.choose(menu));
    probe.begin(1);
    let action = touches(&probe, menu, "Advanced settings");
    probe.follow(&PastAction { before: menu, action, after: settings }, &|_| true).unwrap();
    assert!(matches!(probe.choose(settings).unwrap(), Choice::Done(_)));
}

async fn examined(mode: Mode) -> Report {
    let evaluation = Evaluation {
        judgement: &judgement(),
        skills: &Library::bundled().unwrap(),
        rewriter: &Rewriter::bundled().unwrap(),
        mode,
        with_map: true,
        fitted_on: FittedOn::default(),
        cancel: CancellationToken::new(),
    };
    evaluation.run(&[app()], &|_| true, &mut |_| {}).await.unwrap()
}

#[tokio::test]
async fn a_task_is_tried_and_each_of_its_decisions_asked_for() {
    let report = examined(Mode::Steps).await;
    assert_eq!((report.total.tasks, report.total.completed), (1, 1), "{:?}", report.results);
    assert_eq!((report.total.pass_at_1, report.total.complete_at_1), (Some(1.0), Some(1.0)));
    assert_eq!((report.total.action_accuracy, report.total.false_done), (Some(1.0), Some(0.0)));
    assert_eq!(report.results[0].decisions, 4, "each action, and the end of each step");
}

/// A goal whose words stand on the last page only.
fn deep_app() -> RecordedApp {
    let touch = |state: &str, row: i64| {
        let top = (row - 1) * 200;
        serde_json::json!({"state": state, "type": "click", "node": row, "bounds": [0, top, 1080, top + 200]})
    };
    Sample::new("home")
        .state("home", &["TextView Garden", "Button Weather", "Button Terrace", "Button Beds"])
        .state("terrace", &["TextView Terrace", "Button Imprint", "Button Looks"])
        .state("looks", &["TextView Looks", "Button Font size", "Button Hedge"])
        .state("weather", &["TextView Weather", "Button Rain"])
        .way("home", "click", 2, None, "weather", "exploration")
        .way("home", "click", 3, None, "terrace", "exploration")
        .way("terrace", "click", 3, None, "looks", "exploration")
        .task_line(serde_json::json!({
            "id": "t", "goal": "Adjust the font size", "start": "home",
            "actions": [touch("home", 3), touch("terrace", 3), touch("looks", 2)],
            "path": ["home", "terrace", "looks", "looks"], "essential": [2], "steps": [], "params": {},
        }))
        .app()
}

#[test]
fn a_goal_goes_the_way_that_the_map_knows() {
    let (app, skills) = (Arc::new(deep_app()), Library::bundled().unwrap());
    let task = app.tasks.first().unwrap();
    let case = task_case::planned(&app, task, Mode::Goal, &Rewriter::bundled().unwrap()).unwrap();
    let mut screens = Screens::new(&app);
    let discoveries = known_map::explored(&app, &mut screens);
    let home = screens.seen(&StateId::new("home").unwrap()).unwrap();
    let judgement = judgement();
    let first = |discoveries: &[Discovery]| {
        let map = map_of(discoveries, &judgement).unwrap();
        let mut probe = DecisionProbe::new(Asked { case: &case, judgement: &judgement, skills: &skills, map: &map });
        probe.begin(0);
        match probe.choose(home).unwrap() {
            Choice::Act(action) => action.target().map(|target| target.label.clone()).unwrap_or_default(),
            other => format!("{other:?}"),
        }
    };
    assert_eq!(first(&discoveries), "Terrace");
    assert_ne!(first(&[]), "Terrace", "without a map nothing tells");
}
