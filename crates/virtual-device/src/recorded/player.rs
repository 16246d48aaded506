//! Plays a recorded app: the state's tree, what is typed into it, and the way to the next state.

use super::element::{Scale, elements, window};
use super::package::{Performance, Played};
use super::picture;
use crate::app::{AppContext, KeyPress, Shown, Stage};
use crate::domain::{Direction, Point, Rect, Screenshot, Size};
use crate::hierarchy::{UiNode, UiTree, holds_field};
use crate::system::full_class;
use crate::{AppProcess, Configuration, ElementSnapshot, Gesture, KeyOutcome, Surroundings};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tapwright_base::recorded::{Did, RecordedApp, Routes, StateId, Transition, keypad_at};

const BACK: u32 = 4;
const ENTER: u32 = 66;
const DEL: u32 = 67;
const TAB: u32 = 61;
const ESCAPE: u32 = 111;
const NUMPAD_ENTER: u32 = 160;
/// Finger travel below which a swipe is a touch, dp (`ViewConfiguration.TOUCH_SLOP`).
const TOUCH_SLOP: f32 = 8.0;

/// What is being typed.
struct Typing {
    /// The field's bounds, or the keypad's.
    place: Rect,
    text: String,
}

/// A recorded app that runs.
pub(super) struct Player {
    app: Arc<RecordedApp>,
    performance: Performance,
    routes: Routes,
    stage: Stage,
    activity: String,
    state: StateId,
    /// The field with the focus, where it differs from the recorded one.
    focus: Option<usize>,
    /// What fields hold that differs from what was recorded, by node.
    texts: BTreeMap<usize, String>,
    /// Typed and not yet known to have ended.
    typing: Option<Typing>,
    now: Duration,
    started: bool,
    photo: Option<(StateId, Size, Option<Screenshot>)>,
    log: Vec<String>,
}

impl Player {
    /// Starts the app.
    pub(super) fn new(app: Arc<RecordedApp>, performance: Performance, context: AppContext) -> Self {
        let (routes, state) = match &performance.task {
            Some(task) => (Routes::of_task(task), task.start.clone()),
            None => (Routes::default(), app.info.initial.clone()),
        };
        performance.journal.enter(&state);
        Self {
            activity: full_class(&app.info.package, &app.info.activity),
            now: context.now,
            stage: Stage::new(context),
            app,
            performance,
            routes,
            state,
            focus: None,
            texts: BTreeMap::new(),
            typing: None,
            started: false,
            photo: None,
            log: Vec::new(),
        }
    }

    fn recorded(&self) -> Option<&UiTree> {
        self.app.state(&self.state).map(|state| &state.tree)
    }

    fn scale(&self) -> Scale {
        Scale { recorded: self.app.display(), display: self.stage.context().display }
    }

    /// The field that has the focus.
    fn focused(&self) -> Option<usize> {
        let tree = self.recorded()?;
        let recorded = || window(tree).find(|&at| tree.nodes[at].focused && holds_field(&tree.nodes[at]));
        self.focus.or_else(recorded)
    }

    /// The tree on this display, with what was typed and where the focus is.
    fn tree(&self) -> UiTree {
        let mut tree = self.recorded().cloned().unwrap_or_default();
        for (&index, text) in &self.texts {
            let Some(node) = tree.nodes.get_mut(index) else { continue };
            node.showing_hint = text.is_empty() && !node.hint.is_empty();
            node.text = match (text.is_empty(), node.password) {
                // An empty field reports its hint as its text (TextView.getTextForAccessibility).
                (true, _) => node.hint.clone(),
                (false, true) => "•".repeat(text.chars().count()),
                (false, false) => text.clone(),
            };
        }
        if let Some(focus) = self.focus {
            for (index, node) in tree.nodes.iter_mut().enumerate() {
                node.focused = index == focus;
            }
        }
        let scale = self.scale();
        if !scale.is_plain() {
            for node in &mut tree.nodes {
                node.bounds = scale.to_display(node.bounds);
            }
        }
        tree
    }

    /// Takes the way `did` leads; the way, and false where the state stays.
    fn act(&mut self, did: Did) -> Option<Transition> {
        let way = self.routes.take(&self.app, &self.state, &did);
        let played = Played { state: self.state.clone(), did, way: way.clone() };
        self.performance.journal.add(played);
        if let Some(way) = &way {
            self.typing = None;
            if way.to != self.state {
                self.enter(way.to.clone());
            }
        }
        way
    }

    fn enter(&mut self, state: StateId) {
        self.state = state;
        self.focus = None;
        self.texts.clear();
        self.typing = None;
        self.performance.journal.enter(&self.state);
    }

    /// Typing has ended, as far as anybody can tell: an input of any text counts now.
    fn end_typing(&mut self) {
        let Some(Typing { place, text }) = &self.typing else { return };
        let (place, did) = (*place, typed(*place, text, true));
        if self.routes.clone().take(&self.app, &self.state, &did).is_some() {
            let before = self.state.clone();
            self.act(did);
            self.keep_keyboard(&before, place);
        }
    }

    /// The smallest enabled field under a point of the recorded display.
    fn field_at(&self, at: Point) -> Option<usize> {
        let tree = self.recorded()?;
        let under = |index: &usize| {
            let node = &tree.nodes[*index];
            holds_field(node) && node.enabled && node.bounds.contains(at)
        };
        window(tree).filter(under).min_by_key(|&index| tree.nodes[index].bounds.area())
    }

    fn give_focus(&mut self, field: usize) {
        let digits = self.recorded().and_then(|tree| tree.nodes.get(field)).is_some_and(wants_digits);
        self.focus = Some(field);
        self.stage.raise_keyboard(digits);
    }

    fn tap(&mut self, display_at: Point) {
        if let Some(key) = self.stage.press(display_at) {
            match key {
                KeyPress::Type(c) => self.insert(&c.to_string()),
                KeyPress::Delete => self.delete(),
                KeyPress::Enter => self.enter_key(),
                KeyPress::Nothing => {}
            }
            return;
        }
        let at = self.scale().to_recorded(display_at);
        if self.press_key(at) {
            return;
        }
        self.end_typing();
        let field = self.field_at(at);
        let before = self.state.clone();
        self.act(Did::Click(at));
        if self.state == before {
            if let Some(field) = field {
                self.give_focus(field);
            }
        } else {
            // A touch on a field that opens another screen (a search bar) goes on there.
            match field.and(self.field_at(at)).or_else(|| field.and(self.focused())) {
                Some(field) => self.give_focus(field),
                None => self.stage.hide_keyboard(),
            }
        }
    }

    /// A touch on a keypad that the app draws; false where there is none.
    fn press_key(&mut self, at: Point) -> bool {
        let Some((place, keys)) = keypad_at(&self.app, &self.state, at) else { return false };
        let Some(tree) = self.app.state(&self.state).map(|state| &state.tree) else { return false };
        let smallest = tree.nodes.iter().filter(|node| node.bounds.contains(at)).min_by_key(|node| node.bounds.area());
        let key =
            smallest.and_then(|node| keys.iter().find(|(_, point)| node.bounds.contains(**point))).map(|(c, _)| *c);
        let before = self.typing.take().filter(|typing| typing.place == place);
        let mut text = before.map_or_else(String::new, |typing| typing.text);
        match key {
            Some(digit) => text.push(digit),
            // The key beside the digits deletes one.
            None => drop(text.pop()),
        }
        if self.act(typed(place, &text, false)).is_none() {
            // Where the recorded digits are secret, the entry has ended when somebody looks.
            self.typing = Some(Typing { place, text });
        }
        true
    }

    /// What a field holds now; a field nobody has typed into counts as wholly selected.
    fn insert(&mut self, text: &str) {
        let Some(focus) = self.focused() else { return };
        let mut now = self.texts.get(&focus).cloned().unwrap_or_default();
        now.push_str(text);
        self.set(focus, now);
    }

    fn delete(&mut self) {
        let Some(focus) = self.focused() else { return };
        let recorded =
            |node: &UiNode| if node.showing_hint || node.text == node.hint { "" } else { &node.text }.to_owned();
        let recorded = self.recorded().and_then(|tree| tree.nodes.get(focus)).map(recorded);
        let mut now = self.texts.get(&focus).cloned().or(recorded).unwrap_or_default();
        now.pop();
        self.set(focus, now);
    }

    fn set(&mut self, field: usize, text: String) {
        let Some(place) = self.recorded().and_then(|tree| tree.nodes.get(field)).map(|node| node.bounds) else {
            return;
        };
        self.focus = Some(field);
        self.texts.insert(field, text.clone());
        let before = self.state.clone();
        if self.act(typed(place, &text, false)).is_some() {
            self.keep_keyboard(&before, place);
        } else {
            self.typing = Some(Typing { place, text });
        }
    }

    /// After an input the keyboard stays for a field at the same place.
    fn keep_keyboard(&mut self, before: &StateId, place: Rect) {
        if self.state == *before {
            return;
        }
        let Some(tree) = self.app.state(&self.state).map(|state| &state.tree) else { return };
        let same = window(tree).find(|&at| holds_field(&tree.nodes[at]) && tree.nodes[at].bounds == place);
        match same {
            Some(field) if self.stage.keyboard_shown() => self.focus = Some(field),
            Some(_) => {}
            None => self.stage.hide_keyboard(),
        }
    }

    fn enter_key(&mut self) {
        self.end_typing();
    }

    /// The next field below, as TAB goes there.
    fn next_field(&mut self) {
        self.end_typing();
        let Some(tree) = self.recorded() else { return };
        let after = self.focused().map_or(0, |at| at + 1);
        let next = window(tree).filter(|&at| at >= after).find(|&at| holds_field(&tree.nodes[at]));
        if let Some(field) = next {
            self.give_focus(field);
        }
    }

    fn back(&mut self) {
        if !self.put_keyboard_away() {
            self.end_typing();
            self.act(Did::Back);
        }
    }

    /// Hides the keyboard; false where none is shown.
    fn put_keyboard_away(&mut self) -> bool {
        let shown = self.stage.keyboard_shown();
        if shown {
            self.stage.hide_keyboard();
            self.end_typing();
        }
        shown
    }

    fn swipe(&mut self, from: Point, to: Point) {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        if (dx.abs().max(dy.abs()) as f32) < TOUCH_SLOP * self.stage.context().density as f32 / 160.0 {
            self.tap(from);
            return;
        }
        self.end_typing();
        let direction = match (dx.abs() > dy.abs(), dx < 0, dy < 0) {
            (true, true, _) => Direction::Right,
            (true, false, _) => Direction::Left,
            (false, _, true) => Direction::Down,
            (false, _, false) => Direction::Up,
        };
        let from = self.scale().to_recorded(from);
        self.act(Did::Scroll { from, direction });
    }

    /// The recorded picture of this state at the display's size.
    fn photo(&mut self) -> Option<Screenshot> {
        let display = self.stage.context().display;
        if let Some((state, size, photo)) = &self.photo
            && *state == self.state
            && *size == display
        {
            return photo.clone();
        }
        let found = self.app.state(&self.state).and_then(|state| state.picture.as_ref());
        let photo = found.and_then(|found| match picture::read(found, display) {
            Ok(photo) => Some(photo),
            Err(reason) => {
                self.log.push(format!("W Recording: the picture of state {} is not shown: {reason}", self.state));
                None
            }
        });
        self.photo = Some((self.state.clone(), display, photo.clone()));
        photo
    }
}

fn typed(field: Rect, text: &str, done: bool) -> Did {
    Did::Typed { field, text: text.to_owned(), done }
}

/// A field for numbers, as far as its words tell.
fn wants_digits(node: &UiNode) -> bool {
    let said = format!("{} {} {}", node.text, node.hint, node.resource_id).to_lowercase();
    ["phone", "number", "amount", "pin", "zip code"].iter().any(|word| said.contains(word))
}

impl AppProcess for Player {
    fn package(&self) -> &str {
        &self.app.info.package
    }

    fn activity(&self) -> String {
        self.activity.clone()
    }

    fn advance(&mut self, around: &Surroundings) {
        self.now = self.now.max(around.now);
    }

    fn configure(&mut self, configuration: &Configuration) {
        self.stage.configure(configuration);
    }

    fn gesture(&mut self, gesture: Gesture) {
        match gesture {
            Gesture::Tap(at) => self.tap(at),
            Gesture::LongPress(at) => {
                self.end_typing();
                let at = self.scale().to_recorded(at);
                self.act(Did::LongClick(at));
            }
            Gesture::Swipe { from, to, .. } | Gesture::Drag { from, to, .. } => self.swipe(from, to),
        }
    }

    fn key(&mut self, code: u32) -> KeyOutcome {
        match code {
            BACK => self.back(),
            // The keyboard takes it, and goes; a screen that was recorded does not listen.
            ESCAPE => {
                self.put_keyboard_away();
            }
            ENTER | NUMPAD_ENTER => self.enter_key(),
            DEL => self.delete(),
            TAB => self.next_field(),
            _ => {}
        }
        // Where BACK leads nowhere the state stays, as with any other action.
        KeyOutcome::Handled
    }

    fn type_text(&mut self, text: &str) {
        self.insert(text);
    }

    fn keyboard_shown(&self) -> bool {
        self.stage.keyboard_shown()
    }

    fn snapshot(&mut self) -> ElementSnapshot {
        self.end_typing();
        elements(&self.tree())
    }

    fn animating(&self) -> bool {
        false
    }

    fn render(&mut self) -> Screenshot {
        self.end_typing();
        let photo = self.photo();
        let tree = self.tree();
        let changed: Vec<usize> = self.texts.keys().copied().collect();
        let focus = self.focused().filter(|_| self.stage.keyboard_shown());
        self.stage.picture(&Shown { tree: &tree, photo: photo.as_ref(), changed: &changed, focus }, self.now)
    }

    fn display(&self) -> Size {
        self.stage.context().display
    }

    fn take_log(&mut self) -> Vec<String> {
        std::mem::take(&mut self.log)
    }

    fn resumed(&mut self) {
        if std::mem::replace(&mut self.started, true) {
            self.act(Did::Launch);
        }
    }
}

#[cfg(test)]
#[path = "player_tests.rs"]
mod tests;
