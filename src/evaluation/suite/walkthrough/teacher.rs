//! A chooser that follows a walkthrough and notes what the policy would have chosen in its place.

use super::form::{Direction as Finger, HandAction, Place, Swiping, Walkthrough, Wheel};
use super::free_order::{fills, fills_before};
use super::sight;
use super::wording::Wording;
use crate::domain::{Action, Direction, Point, Rect};
use crate::evaluation::decisions::{DecisionExample, ExampleOption};
use crate::evaluation::suite::{Phone, Suite};
use crate::hierarchy::{Fingerprint, Role, Screen};
use crate::pipeline::{
    Chooser, Decision, Episode, Feature, Move, Options, ScreenModel, Source, Verb, Veto, Weighed, weigh,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// By so much a clause must fit the next action of the person better than the clause at work for that one to be over.
const FITS_BETTER: f32 = 0.3;

/// Follows a walkthrough: what the person did next is chosen among the options.
pub(in crate::evaluation::suite) struct Teacher<'a> {
    wording: Wording<'a>,
    app: String,
    case: String,
    /// What the person did, each with the case's step it belongs to.
    actions: Vec<(usize, &'a HandAction)>,
    /// Lets the policy go astray where that changes nothing: what is right there is to go back.
    astray: Option<Astray<'a>>,
    progress: Mutex<Progress>,
}

/// How far the lesson has come.
#[derive(Default)]
struct Progress {
    /// By action.
    done: Vec<bool>,
    /// What was chosen last: the action of the person, and how long the journal was then.
    chosen: Option<(usize, usize)>,
    /// The decisions so far, each with the journal's length and the screen's digest.
    examples: Vec<(usize, u64, DecisionExample)>,
    /// Actions of the person before which the policy went astray.
    strayed: Vec<usize>,
    /// Where it went astray from, and what was true there.
    away: Option<(Fingerprint, BTreeMap<String, Value>)>,
    /// Records of the journal whose windows were looked at.
    answered: usize,
    /// Why the lesson could not go on.
    stopped: Option<String>,
}

/// What tells whether something was changed by going astray.
pub(in crate::evaluation::suite) struct Astray<'a> {
    phone: &'a Phone,
    package: String,
    /// Variables that only say how things are shown.
    shown: Vec<String>,
}

impl<'a> Astray<'a> {
    /// For an app of a suite on a device.
    pub(in crate::evaluation::suite) fn on(phone: &'a Phone, package: &str, suite: &Suite) -> Self {
        let views = suite.view_variables().remove(package).unwrap_or_default();
        Self { phone, package: package.to_owned(), shown: views.into_keys().collect() }
    }

    /// What is true in the app, without how it is shown.
    fn truth(&self) -> BTreeMap<String, Value> {
        let mut truth = self.phone.truth();
        let app = truth.apps.remove(&self.package).map(|app| app.state.variables).unwrap_or_default();
        app.into_iter().filter(|(name, _)| !self.shown.contains(name)).collect()
    }
}

impl<'a> Teacher<'a> {
    /// A teacher for a case; `None` where the walkthrough does not say which action belongs to which step, or needs more
    /// than the device's screen.
    pub(in crate::evaluation::suite) fn new(
        wording: Wording<'a>,
        walkthrough: &'a Walkthrough,
        (app, case): (String, String),
        instructions: usize,
        astray: Option<Astray<'a>>,
    ) -> Option<Self> {
        let attribution = walkthrough.attribution(instructions)?;
        let actions: Vec<(usize, &HandAction)> = attribution.of.iter().copied().zip(walkthrough.actions()).collect();
        let progress = Mutex::new(Progress { done: vec![false; actions.len()], ..Progress::default() });
        Some(Self { wording, app, case, actions, astray, progress })
    }

    /// The decisions of the lesson, and why it ended early.
    pub(in crate::evaluation::suite) fn into_examples(self) -> (Vec<DecisionExample>, Option<String>) {
        let progress = self.progress.into_inner().unwrap_or_else(PoisonError::into_inner);
        (progress.examples.into_iter().map(|(_, _, example)| example).collect(), progress.stopped)
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what became of the last choice.
    fn settle(&self, progress: &mut Progress, episode: &Episode<'_>, screen: &Screen, options: &Options) {
        let Some((action, length)) = progress.chosen else { return };
        let carried_out = |source: Source| source != Source::Interruption;
        if !episode.journal.records().iter().skip(length).any(|record| carried_out(record.source)) {
            return;
        }
        progress.chosen = None;
        let hand = self.actions[action].1;
        let goes_on = match hand {
            HandAction::Turn(turning) => {
                let wanted = self.text(&turning.to);
                wheel_at(screen, &turning.wheel).is_some_and(|wheel| sight::flat(&wheel.value) != sight::flat(&wanted))
            }
            HandAction::TapAt(_) | HandAction::Swipe(Swiping::Within { .. }) => options
                .weighed
                .iter()
                .any(|one| one.proposal.source == Source::Value && self.is_meant(hand, one, screen)),
            HandAction::Tap(_) | HandAction::TapId(_) | HandAction::TapLink(_) | HandAction::LongPress(_) => {
                // It was scrolled into sight only.
                episode.journal.records().last().is_some_and(|record| matches!(record.action, Action::Scroll { .. }))
            }
            HandAction::ScrollTo(_) => true,
            _ => false,
        };
        if !goes_on {
            let open = fills_before(&self.actions, action);
            for (at, done) in progress.done[..=action].iter_mut().enumerate() {
                // What was optional before it was not needed; fields may be filled in in any order, and those left are still due.
                *done |= !open.contains(&at);
            }
        }
    }

    /// Notes which windows the loop has answered itself: what the person would have touched there is done.
    fn note_answers(&self, progress: &mut Progress, episode: &Episode<'_>) {
        let records = episode.journal.records();
        let begun = std::mem::replace(&mut progress.answered, records.len());
        for record in records.iter().skip(begun).filter(|record| record.source == Source::Interruption) {
            let step = episode.clause.step.index;
            let answers = |(at, (of, hand)): (usize, &(usize, &HandAction))| match hand {
                HandAction::Tap(place) | HandAction::TapIfSeen(place) => {
                    !progress.done[at]
                        && *of <= step
                        && sight::flat(&self.text(place.text())) == sight::flat(record.label())
                }
                _ => false,
            };
            let answered = self.actions.iter().enumerate().position(answers);
            if let Some(at) = answered {
                progress.done[at] = true;
            }
        }
    }

    fn text(&self, text: &str) -> String {
        self.wording.text(text).unwrap_or_default()
    }

    /// The next thing the person does in a step; `None` if nothing is left to do in it.
    fn due(&self, progress: &Progress, step: usize, screen: &Screen) -> Option<usize> {
        let left = self.actions.iter().enumerate().filter(|(at, (of, _))| !progress.done[*at] && *of <= step);
        left.map(|(at, (_, hand))| (at, *hand)).find(|(at, hand)| self.needs_doing(*at, hand, screen)).map(|(at, _)| at)
    }

    fn needs_doing(&self, at: usize, hand: &HandAction, screen: &Screen) -> bool {
        match hand {
            HandAction::Step(_)
            | HandAction::HideKeyboard(())
            | HandAction::Wait(_)
            | HandAction::WaitFor(_)
            | HandAction::See(_)
            | HandAction::NotSee(_) => false,
            HandAction::TapIfSeen(place) => sight::element(screen, &self.text(place.text())).is_some(),
            HandAction::ScrollTo(text) => !sight::shows(screen, &self.text(text)),
            // A field that is touched before something is typed into it.
            HandAction::Tap(_) | HandAction::TapId(_) => {
                let types = match self.actions.get(at + 1) {
                    Some((_, HandAction::Type(_))) => true,
                    Some((_, next)) => next.typed().is_some(),
                    None => false,
                };
                !(types && self.place(hand, screen).is_some_and(|place| place.field))
            }
            _ => true,
        }
    }

    /// What may be done instead of an action: values that follow one another may be given in any order.
    fn alternatives(&self, progress: &Progress, due: usize) -> Vec<usize> {
        let mut found = vec![due];
        let (step, hand) = self.actions[due];
        if fills(hand) {
            let goes_on = |at: &usize| self.actions[*at].0 == step && fills(self.actions[*at].1);
            let later = (due + 1..self.actions.len()).take_while(goes_on);
            found.extend(later.filter(|at| !progress.done[*at]));
        }
        found
    }

    fn place(&self, hand: &HandAction, screen: &Screen) -> Option<Spot> {
        let of = |found: sight::Found| Spot { tap: found.tap, bounds: found.bounds, field: found.is_field() };
        match hand {
            HandAction::Tap(place) | HandAction::LongPress(place) => {
                let beside = match place {
                    Place::Text(_) => None,
                    Place::Detailed(detailed) => detailed.beside.as_deref().map(|text| self.text(text)),
                };
                let nth = match place {
                    Place::Text(_) => None,
                    Place::Detailed(detailed) => detailed.nth,
                };
                sight::place(screen, &self.text(place.text()), beside.as_deref(), nth).map(of)
            }
            HandAction::TapIfSeen(place) => sight::element(screen, &self.text(place.text())).map(of),
            HandAction::TapId(id) => sight::with_id(screen, id).map(of),
            HandAction::TapAt(spot) => {
                let found = sight::element(screen, &self.text(&spot.within))?;
                let part = |from: i32, length: i32, share: f64| from + (f64::from(length) * share) as i32;
                let Rect { left, top, .. } = found.bounds;
                let tap =
                    Point::new(part(left, found.bounds.width(), spot.x), part(top, found.bounds.height(), spot.y));
                Some(Spot { tap, bounds: found.bounds, field: false })
            }
            HandAction::TapLink(words) => {
                let tap = sight::link(screen, &self.text(words))?;
                Some(Spot { tap, bounds: Rect::new(tap.x - 1, tap.y - 1, tap.x + 1, tap.y + 1), field: false })
            }
            HandAction::Type(typing) => sight::field(screen, &self.text(&typing.into)).map(of),
            // It goes where the touch before it set the focus.
            HandAction::Adb(_) if hand.typed().is_some() => {
                let at = self.actions.iter().position(|(_, one)| std::ptr::eq(*one, hand))?;
                match self.actions.get(at.checked_sub(1)?) {
                    Some((_, before @ (HandAction::Tap(_) | HandAction::TapId(_)))) => self.place(before, screen),
                    _ => None,
                }
            }
            HandAction::Swipe(Swiping::Within { within, .. }) => sight::element(screen, &self.text(within)).map(of),
            HandAction::Turn(turning) => {
                let wheel = wheel_at(screen, &turning.wheel)?;
                Some(Spot { tap: wheel.bounds.center(), bounds: wheel.bounds, field: false })
            }
            _ => None,
        }
    }

    /// True if a proposal does what the person does.
    fn is_meant(&self, hand: &HandAction, one: &Weighed, screen: &Screen) -> bool {
        let Move::Act(action) = &one.proposal.action else { return false };
        let target = action.target();
        let at_spot = |spot: &Spot| {
            target
                .is_some_and(|target| hit(screen, target.tap) == hit(screen, spot.tap) || target.bounds == spot.bounds)
        };
        let sets = |spot: &Spot| {
            let widget = one.proposal.widget.and_then(|id| screen.widgets.get(id)).map(|widget| widget.bounds);
            let over = widget.or(target.map(|target| target.bounds));
            one.proposal.source == Source::Value && over.is_some_and(|over| over.intersection(spot.bounds).is_some())
        };
        match (hand, action) {
            (HandAction::Key(key), Action::PressBack) => key.eq_ignore_ascii_case("back"),
            (HandAction::Key(key), Action::PressEnter) => {
                key.eq_ignore_ascii_case("enter") || key.eq_ignore_ascii_case("search")
            }
            (HandAction::Open(_), Action::OpenApp { .. }) => true,
            (HandAction::Keypad(wanted), Action::InputByNumericKeyboard { digits, .. }) => {
                digits.expose() == self.text(wanted)
            }
            (HandAction::Swipe(swiping), Action::Scroll { direction, .. }) => *direction == shown_by(finger(swiping)),
            (HandAction::ScrollTo(_), Action::Scroll { direction, .. }) => *direction == Direction::Down,
            (HandAction::Type(typing), Action::InputText { text, .. }) => {
                let (given, wanted) = (sight::flat(text.expose()), sight::flat(&self.text(&typing.text)));
                // A search for the first letters of a name is a search for it.
                let searches = one.proposal.features.get(Feature::SearchFor) > 0.0 && given.contains(&wanted);
                let same = given == wanted || searches;
                same && self.place(hand, screen).is_some_and(|spot| at_spot(&spot))
            }
            (HandAction::Adb(_), Action::InputText { text, .. }) => {
                let same = hand.typed().is_some_and(|typed| sight::flat(&typed) == sight::flat(text.expose()));
                same && self.place(hand, screen).is_some_and(|spot| at_spot(&spot))
            }
            (HandAction::LongPress(_), Action::LongPress { .. }) => {
                self.place(hand, screen).is_some_and(|spot| at_spot(&spot))
            }
            (HandAction::Turn(_) | HandAction::TapAt(_) | HandAction::Swipe(_), _)
                if one.proposal.source == Source::Value =>
            {
                self.place(hand, screen).is_some_and(|spot| sets(&spot))
            }
            (
                HandAction::Tap(_)
                | HandAction::TapIfSeen(_)
                | HandAction::TapId(_)
                | HandAction::TapAt(_)
                | HandAction::TapLink(_),
                Action::Click { .. },
            ) => self.place(hand, screen).is_some_and(|spot| at_spot(&spot)),
            _ => false,
        }
    }

    /// The policy's own choice, where it is wrong, changes nothing that counts, and was not followed before.
    fn stray(
        &self,
        progress: &mut Progress,
        due: usize,
        options: &Options,
        meant: &[(usize, usize)],
        (screen, has_next): (&Screen, bool),
    ) -> Option<usize> {
        let astray = self.astray.as_ref()?;
        let best = options.best()?;
        let one = options.weighed.get(best)?;
        if one.proposal.action == Move::Done && has_next && !progress.strayed.contains(&due) {
            // The clause is ended too early: what is left of it is right in the next one.
            progress.strayed.push(due);
            progress.chosen = None;
            return Some(best);
        }
        let touches = matches!(&one.proposal.action, Move::Act(Action::Click { .. }));
        let widget = one.proposal.widget.and_then(|id| screen.widgets.get(id));
        let holds_state = widget.is_none_or(|widget| widget.state.checked.is_some() || widget.role == Role::Field);
        if !touches
            || holds_state
            || progress.away.is_some()
            || progress.strayed.contains(&due)
            || meant.iter().any(|(at, _)| *at == best)
        {
            return None;
        }
        progress.strayed.push(due);
        progress.away = Some((screen.fingerprint, astray.truth()));
        progress.chosen = None;
        Some(best)
    }

    /// What does the same as the person where nothing proposes it, so that the lesson goes on.
    fn substitute(&self, hand: &HandAction, screen: &Screen) -> Option<Action> {
        let widget = |spot: &Spot| {
            let hit_there = |widget: &&crate::hierarchy::Widget| hit(screen, widget.tap) == hit(screen, spot.tap);
            screen.widgets.iter().filter(|widget| widget.role != Role::Link).find(hit_there)
        };
        match hand {
            HandAction::Key(key) if key.eq_ignore_ascii_case("back") => Some(Action::PressBack),
            HandAction::Key(key) if key.eq_ignore_ascii_case("enter") => Some(Action::PressEnter),
            HandAction::Tap(_) | HandAction::TapIfSeen(_) | HandAction::TapId(_) => {
                let spot = self.place(hand, screen)?;
                Some(Action::Click { target: widget(&spot)?.target() })
            }
            HandAction::LongPress(_) => {
                let spot = self.place(hand, screen)?;
                Some(Action::LongPress { target: widget(&spot)?.target() })
            }
            HandAction::Type(typing) => {
                let spot = self.place(hand, screen)?;
                let text = crate::domain::InputText::Plain(self.text(&typing.text));
                Some(Action::InputText { target: widget(&spot)?.target(), text })
            }
            HandAction::Adb(_) => {
                let spot = self.place(hand, screen)?;
                let text = crate::domain::InputText::Plain(hand.typed()?);
                Some(Action::InputText { target: widget(&spot)?.target(), text })
            }
            HandAction::Swipe(swiping) => {
                let area = screen.scroll_areas.first().copied()?;
                Some(Action::Scroll { direction: shown_by(finger(swiping)), area })
            }
            _ => None,
        }
    }

    /// Scrolls that may bring what the person touches into sight: down to the end, then up.
    fn scrolls(options: &Options) -> Vec<usize> {
        let by = |wanted: Direction| -> Vec<usize> {
            let scroll = |one: &Weighed| {
                one.veto.is_none()
                    && matches!(&one.proposal.action, Move::Act(Action::Scroll { direction, .. }) if *direction == wanted)
            };
            options.weighed.iter().enumerate().filter(|(_, one)| scroll(one)).map(|(at, _)| at).collect()
        };
        let down = by(Direction::Down);
        if down.is_empty() { by(Direction::Up) } else { down }
    }

    /// True if the next action of the person belongs to the clause after this one, which is of the same step.
    fn belongs_to_next(
        &self,
        hands: &[usize],
        episode: &Episode<'_>,
        model: &ScreenModel<'_>,
        options: &Options,
    ) -> bool {
        let Some(next) = episode.next().filter(|next| next.step.index == episode.clause.step.index) else {
            return false;
        };
        let best = |options: &Options| {
            let meant =
                |one: &&Weighed| hands.iter().any(|hand| self.is_meant(self.actions[*hand].1, one, model.screen));
            options.weighed.iter().filter(meant).map(|one| one.score).fold(-1.0, f32::max)
        };
        let asked = Episode { clause: next, previous: Some(episode.clause), later: &[], ..*episode };
        let Ok(later) = weigh(&asked, model) else { return false };
        let acted = episode.journal.current_deeds().next().is_some();
        let margin = if acted { FITS_BETTER } else { 2.0 * FITS_BETTER };
        best(&later) > best(options) + margin
    }
}

impl Chooser for Teacher<'_> {
    fn choose(&self, episode: &Episode<'_>, model: &ScreenModel<'_>, options: Options) -> Decision {
        let screen = model.screen;
        let mut progress = self.progress();
        if let Some((from, before)) = progress.away.clone() {
            if self.astray.as_ref().is_some_and(|astray| astray.truth() != before) {
                progress.stopped = Some("where the policy went astray, something was changed".to_owned());
                return Decision::GiveUp("something was changed".to_owned(), options.weighed);
            }
            if screen.fingerprint == from {
                progress.away = None;
            }
        }
        self.settle(&mut progress, episode, screen, &options);
        self.note_answers(&mut progress, episode);
        let step = episode.clause.step.index;
        let hands = match self.due(&progress, step, screen) {
            Some(due) => self.alternatives(&progress, due),
            None => Vec::new(),
        };
        let is_over = hands.is_empty() || self.belongs_to_next(&hands, episode, model, &options);
        let mut meant: Vec<(usize, usize)> = Vec::new();
        if is_over {
            meant.extend(options.weighed.iter().position(|one| one.proposal.action == Move::Done).map(|at| (at, 0)));
        } else {
            for hand in &hands {
                let all = options.weighed.iter().enumerate();
                let found = all.filter(|(_, one)| self.is_meant(self.actions[*hand].1, one, screen));
                meant.extend(found.map(|(at, _)| (at, *hand)));
            }
        }
        let due = hands.first().copied();
        // What stands as wanted need not be touched again.
        let as_wanted = |(at, _): &(usize, usize)| options.weighed[*at].veto == Some(Veto::AlreadySo);
        if let Some(due) = due.filter(|_| !is_over && !meant.is_empty() && meant.iter().all(as_wanted)) {
            progress.done[due] = true;
            drop(progress);
            return self.choose(episode, model, options);
        }
        let in_sight = due.is_none_or(|due| {
            let hand = self.actions[due].1;
            self.place(hand, screen).is_some() || matches!(hand, HandAction::Key(_) | HandAction::Open(_))
        });
        let is_astray = progress.away.is_some();
        if let (Some(_), false) = (due.filter(|_| is_astray), in_sight) {
            let back = |one: &Weighed| one.proposal.action == Move::Act(Action::PressBack);
            meant = options.weighed.iter().position(back).map(|at| (at, usize::MAX)).into_iter().collect();
            if meant.is_empty() {
                progress.stopped = Some("there is no way back from where the policy went".to_owned());
                return Decision::GiveUp("there is no way back".to_owned(), options.weighed);
            }
        } else if let Some(due) = due.filter(|_| meant.is_empty() && !in_sight) {
            meant.extend(Self::scrolls(&options).into_iter().map(|at| (at, due)));
            if meant.is_empty() {
                progress.stopped = Some(format!("{:?} is not in sight on \"{}\"", self.actions[due].1, screen.title));
                return Decision::GiveUp("it is not in sight".to_owned(), options.weighed);
            }
        }
        let told =
            due.filter(|_| !is_over).map_or_else(|| "done".to_owned(), |due| format!("{:?}", self.actions[due].1));
        // Where a person goes back to go on elsewhere, others take other ways.
        let goes_back = due
            .filter(|_| !is_over)
            .is_some_and(|due| matches!(self.actions[due].1, HandAction::Key(key) if key == "back"));
        let asked = episode.clause.verbs.has(Verb::Back);
        let example = self.example(episode, told, &options, &meant);
        let (length, digest) = (episode.journal.records().len(), screen.digest);
        if progress.examples.last().is_some_and(|(known, on, one)| {
            (*known, *on) == (length, digest) && one.reading.instruction == example.reading.instruction
        }) {
            progress.examples.pop();
        }
        if !goes_back || asked {
            progress.examples.push((length, digest, example));
        }
        progress.stopped = None;
        meant.sort_by_key(|(at, _)| *at);
        if let Some(position) = due
            .filter(|_| !is_over)
            .and_then(|due| self.stray(&mut progress, due, &options, &meant, (screen, episode.next().is_some())))
        {
            return options.pick(position);
        }
        if let Some((at, usize::MAX)) = meant.first().copied() {
            return options.pick(at);
        }
        if let Some((at, hand)) = meant.first().copied() {
            progress.chosen = (!is_over).then_some((hand, length));
            return options.pick(at);
        }
        let substitute = due.and_then(|due| Some((due, self.substitute(self.actions[due].1, screen)?)));
        let Some((due, action)) = substitute else {
            progress.stopped = Some("nothing does what the person does".to_owned());
            return Decision::GiveUp("nothing does what the person does".to_owned(), options.weighed);
        };
        progress.chosen = Some((due, length));
        Decision::Act(Box::new(Weighed::by_hand(action, screen)), options.weighed)
    }
}

impl Teacher<'_> {
    fn example(
        &self,
        episode: &Episode<'_>,
        hand: String,
        options: &Options,
        meant: &[(usize, usize)],
    ) -> DecisionExample {
        let option = |(at, one): (usize, &Weighed)| ExampleOption::of(one, meant.iter().any(|(right, _)| *right == at));
        DecisionExample {
            app: self.app.clone(),
            family: String::new(),
            case: self.case.clone(),
            step: episode.clause.step.index,
            hand,
            astray: false,
            reading: options.reading.clone(),
            options: options.weighed.iter().enumerate().map(option).collect(),
        }
    }
}

/// A place on the screen.
struct Spot {
    tap: Point,
    bounds: Rect,
    field: bool,
}

fn wheel_at(screen: &Screen, wheel: &Wheel) -> Option<sight::WheelView> {
    match wheel {
        Wheel::Number(number) => sight::wheel(screen, None, *number),
        Wheel::Id(id) => sight::wheel(screen, Some(id), 1),
    }
}

const fn finger(swiping: &Swiping) -> Finger {
    match swiping {
        Swiping::Over(direction) | Swiping::Within { direction, .. } => *direction,
    }
}

/// What a movement of the finger brings into view.
const fn shown_by(finger: Finger) -> Direction {
    match finger {
        Finger::Up => Direction::Down,
        Finger::Down => Direction::Up,
        Finger::Left => Direction::Right,
        Finger::Right => Direction::Left,
    }
}

/// The node that answers a touch: the last one there that can be touched, else the last one there.
fn hit(screen: &Screen, at: Point) -> Option<usize> {
    let nodes = &screen.tree.nodes;
    let there = || nodes.iter().enumerate().rev().filter(|(_, node)| node.bounds.contains(at));
    let answers = there().find(|(_, node)| node.clickable || node.checkable || node.long_clickable);
    answers.or_else(|| there().next()).map(|(number, _)| number)
}
