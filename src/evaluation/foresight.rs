//! Action accuracy: at each state a person passed through, with that person's history, what would the agent do first?

use super::EvaluationError;
use super::agent_port::{Asked, Choice, DecisionProbe, PastAction};
use super::decisions::{DecisionExample, ExampleOption};
use super::scoring::performs;
use crate::device::Seen;
use crate::domain::{Action, Direction, InputText, PackageName, Point, Rect, Selector, Target};
use crate::hierarchy::{Screen, ScreenInput, UiTree, holds_field};
use crate::pipeline::RehearsedQuestion;
use crate::recorded::{ActionKind, Did, RecordedAction, RecordedApp, Routes, StateId, Task, TaskAction};
use crate::virtual_device::recorded::Played;
use crate::vision;
use std::collections::HashMap;
use std::time::Instant;

/// Decisions that were right.
#[derive(Debug, Default)]
pub(super) struct Foresight {
    /// Right ones.
    pub right: usize,
    /// All.
    pub all: usize,
    /// Milliseconds of each.
    pub decisions: Vec<f64>,
    /// What was decided, for people.
    pub choices: Vec<String>,
    /// Each decision with all its options, to learn from.
    pub examples: Vec<DecisionExample>,
}

/// The screens of an app as the agent sees them, each perceived once.
pub(super) struct Screens<'a> {
    app: &'a RecordedApp,
    seen: HashMap<StateId, Seen>,
}

impl<'a> Screens<'a> {
    pub(super) fn new(app: &'a RecordedApp) -> Self {
        Self { app, seen: HashMap::new() }
    }

    /// A screen that has been perceived.
    pub(super) fn seen(&self, id: &StateId) -> Option<&Seen> {
        self.seen.get(id)
    }

    pub(super) fn perceive(&mut self, ids: &[StateId]) {
        for id in ids {
            if self.seen.contains_key(id) {
                continue;
            }
            let Some(state) = self.app.state(id) else { continue };
            let picture = state.picture.as_ref().and_then(|picture| picture.read().ok());
            let info = &self.app.info;
            let mut screen = Screen::perceive(ScreenInput {
                hierarchy: &state.hierarchy,
                screenshot: picture.and_then(|bytes| vision::decode_png(&bytes).ok()),
                display: self.app.display(),
                foreground: Some(format!("{}/{}", info.package, info.activity)),
                keyboard_shown: false,
            });
            vision::find_links(&mut screen, &[], None);
            self.seen.insert(id.clone(), Seen { screen, hierarchy: state.hierarchy.clone() });
        }
    }
}

/// Asks for every decision of a task.
pub(super) fn measure(
    app: &RecordedApp,
    screens: &mut Screens<'_>,
    task: &Task,
    asked: Asked<'_>,
) -> Result<Foresight, EvaluationError> {
    let failed = |reason: String| EvaluationError::Task { id: task.id.clone(), reason };
    screens.perceive(&task.path);
    let all: Vec<usize> = (0..task.actions.len()).collect();
    let stints: Vec<&[usize]> =
        if asked.case.is_goal { vec![&all] } else { task.steps.iter().map(|step| step.actions.as_slice()).collect() };
    let mut probe = DecisionProbe::new(asked);
    let mut found = Foresight::default();
    for (position, actions) in stints.into_iter().enumerate() {
        probe.begin(position);
        for (number, &at) in actions.iter().enumerate() {
            let (Some(human), Some(seen)) = (task.actions.get(at), screens.seen.get(&task.path[at])) else { continue };
            let choice = found.timed(|| probe.choose(seen)).map_err(failed)?;
            let same = |action: &Action| agrees(app, task, human, action);
            found.note(matches!(&choice, Choice::Act(action) if same(action)), &choice);
            let hand = as_action(app, human, &seen.screen);
            let lesson = Lesson { app, task, step: position, hand: hand.to_string() };
            found.examples.extend(lesson.examples(probe.questions(Some(&same), seen).map_err(failed)?));
            let Some(after) = screens.seen.get(&task.path[at + 1]) else { continue };
            probe.follow(&PastAction { before: seen, action: hand, after }, &same).map_err(failed)?;
            if number + 1 == actions.len() {
                // The last decision is to declare it done.
                let choice = found.timed(|| probe.choose(after)).map_err(failed)?;
                found.note(matches!(choice, Choice::Done(_)), &choice);
                let lesson = Lesson { app, task, step: position, hand: "done".to_owned() };
                found.examples.extend(lesson.examples(probe.questions(None, after).map_err(failed)?));
            }
        }
    }
    Ok(found)
}

/// What a decision of a recorded task belongs to.
struct Lesson<'a> {
    app: &'a RecordedApp,
    task: &'a Task,
    /// The step, counted from 0.
    step: usize,
    /// What the person did, in words.
    hand: String,
}

impl Lesson<'_> {
    fn examples(&self, questions: Vec<RehearsedQuestion>) -> Vec<DecisionExample> {
        let example = |question: RehearsedQuestion| DecisionExample {
            app: self.app.info.package.clone(),
            family: String::new(),
            case: self.task.id.clone(),
            step: self.step + 1,
            hand: self.hand.clone(),
            astray: false,
            reading: question.reading,
            options: question
                .weighed
                .iter()
                .zip(question.right)
                .map(|(one, right)| ExampleOption::of(one, right))
                .collect(),
        };
        questions.into_iter().map(example).collect()
    }
}

impl Foresight {
    fn timed<T>(&mut self, decide: impl FnOnce() -> T) -> T {
        let asked = Instant::now();
        let decided = decide();
        self.decisions.push(asked.elapsed().as_secs_f64() * 1000.0);
        decided
    }

    fn note(&mut self, right: bool, choice: &Choice) {
        self.all += 1;
        self.right += usize::from(right);
        let said = match choice {
            Choice::Act(action) => action.to_string(),
            Choice::Done(reason) => format!("done: {reason}"),
            Choice::Stuck(reason) => format!("stuck: {reason}"),
        };
        self.choices.push(format!("{} {said}", if right { "+" } else { "-" }));
    }
}

/// True when the action does what the person did.
fn agrees(app: &RecordedApp, task: &Task, human: &TaskAction, action: &Action) -> bool {
    let Some(state) = app.state(&human.state) else { return false };
    let mut routes = Routes::of_task(task);
    let mut does = |did: Did| {
        let way = routes.take(app, &human.state, &did);
        performs(human, &Played { state: human.state.clone(), did, way })
    };
    match action {
        Action::Click { target } => does(Did::Click(target.tap)),
        Action::LongPress { target } => does(Did::LongClick(target.tap)),
        Action::InputText { target, text } => {
            // Typing begins with a touch on the field.
            let field = field_at(&state.tree, target.tap);
            does(Did::Click(target.tap))
                || field.is_some_and(|field| does(Did::Typed { field, text: text.expose().to_owned(), done: true }))
        }
        Action::InputByNumericKeyboard { digits, keys } => {
            let first = digits.expose().chars().next().and_then(|digit| keys.get(&digit));
            let keypad = human.action.bounds.filter(|_| !human.action.keys.is_empty());
            match (keypad, first) {
                (Some(field), _) => does(Did::Typed { field, text: digits.expose().to_owned(), done: true }),
                (None, Some(at)) => does(Did::Click(*at)),
                (None, None) => false,
            }
        }
        Action::PressBack => does(Did::Back),
        Action::Scroll { direction, area } => does(Did::Scroll { from: area.center(), direction: *direction }),
        Action::SwipeSelector { target, direction } => does(Did::Scroll { from: target.tap, direction: *direction }),
        Action::OpenApp { .. } => does(Did::Launch),
        Action::Wait { .. } | Action::PressEnter => false,
    }
}

/// The field a touch gives the focus to.
fn field_at(tree: &UiTree, at: Point) -> Option<Rect> {
    let fields = tree.nodes.iter().filter(|node| holds_field(node) && node.bounds.contains(at));
    fields.map(|node| node.bounds).min_by_key(|bounds| bounds.area())
}

/// What the person did, as the agent would have done it.
pub(super) fn as_action(app: &RecordedApp, human: &TaskAction, screen: &Screen) -> Action {
    let RecordedAction { kind, node, bounds, text, keys, .. } = &human.action;
    let typed = || InputText::Plain(text.clone().unwrap_or_default());
    let target = || target(screen, *node, bounds.unwrap_or_default());
    match kind {
        ActionKind::Click => Action::Click { target: target() },
        ActionKind::LongClick => Action::LongPress { target: target() },
        ActionKind::Input if keys.is_empty() => Action::InputText { target: target(), text: typed() },
        ActionKind::Input => Action::InputByNumericKeyboard { digits: typed(), keys: keys.clone() },
        ActionKind::Back => Action::PressBack,
        ActionKind::Scroll => {
            let direction = match text.as_deref().map(str::to_ascii_lowercase).as_deref() {
                Some("up") => Direction::Up,
                Some("left") => Direction::Left,
                Some("right") => Direction::Right,
                _ => Direction::Down,
            };
            Action::Scroll { direction, area: bounds.unwrap_or(screen.display.rect()) }
        }
        ActionKind::Launch => Action::OpenApp { package: PackageName::new(app.info.package.as_str()) },
    }
}

fn target(screen: &Screen, node: Option<usize>, bounds: Rect) -> Target {
    let widget = screen.widgets.iter().find(|widget| Some(widget.node) == node);
    let placed = || screen.widgets.iter().find(|widget| widget.bounds == bounds);
    widget.or_else(placed).map_or_else(
        || Target { label: String::new(), shown: None, selector: Selector::default(), bounds, tap: bounds.center() },
        crate::hierarchy::Widget::target,
    )
}
