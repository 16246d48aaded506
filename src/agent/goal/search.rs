//! Looking for a way where none is known: the likeliest control that was not tried, then further down, then back.

use super::any_value::AnyValue;
use super::coverage::holds;
use super::cues::{GoalCues, alike, among};
use super::items::{Goal, ItemKind};
use super::offers::is_refusal;
use super::trek::Trek;
use crate::agent::memory::StepMemory;
use crate::app_map::Control;
use crate::domain::{Action, Direction, holds_cue};
use crate::hierarchy::{Role, Screen, ScreenKind, Widget};
use crate::inference::{EmbedError, cosine};
use crate::ranking::{Candidate, KINDRED, Ranked, Scorer};

/// Fewest letters of an expected text that tells what something is about: "€49.00" is like every other amount.
const FEWEST_LETTERS: usize = 3;
/// What the button in the row of what the goal names is worth more, where every row has one.
const OWN_ROW: f32 = 0.30;
/// What the others are worth less.
const OTHER_ROW: f32 = 0.50;
/// What a button is worth more that says what the goal makes: "Add", "New".
const MAKES: f32 = 0.25;
/// What a control that carries things out is worth less while something the goal names may still be given here.
const TOO_EARLY: f32 = 0.40;
/// How much the likeness to what is expected in the end counts.
const EXPECTED: f32 = 0.5;
/// What a control that sends or moves on is worth more.
const ONWARD: f32 = 0.15;
/// What a button is worth more where something was typed and not sent.
const SENDS: f32 = 0.4;
/// What one is worth more that says so.
const SAYS_SO: f32 = 0.2;
/// What cannot be undone is worth less.
const DESTROYS: f32 = 1.0;
/// What one is worth more behind which there is more: a menu, a drawer, a tab.
const MORE: f32 = 0.15;
/// What a control of consequence that nothing asks for is worth less.
const UNASKED: f32 = 0.4;
/// What a control that drops things is worth less.
const REFUSAL: f32 = 0.3;
/// What it costs to touch something again.
const AGAIN: f32 = 0.5;
/// How often one control of a place is touched.
const MOST_TOUCHES: u32 = 2;
/// Below this nothing is worth trying.
const LEAST: f32 = -0.35;
/// The same away from where the search began, while what is nearer was not tried.
const LIKELY: f32 = 0.20;
/// Things of one kind from which on any of them is as good.
const SEVERAL: usize = 3;

/// Everything the search looks at.
pub(super) struct Search<'a> {
    pub scorer: &'a Scorer<'a>,
    pub goal: &'a Goal,
    pub cues: &'a GoalCues,
    /// What is expected in the end.
    pub texts: &'a [String],
    /// The ranking of the goal on this screen.
    pub ranked: &'a [Ranked],
    pub trek: &'a Trek,
    pub memory: &'a StepMemory,
    /// Something was typed here and not sent.
    pub typed: bool,
    /// The goal itself wants something gone.
    pub goal_destroys: bool,
    /// Controls that would undo what was chosen as the goal wants it, by position.
    pub kept: &'a [usize],
    /// Something the goal names was never dealt with.
    pub open: bool,
    /// The seed, where the goal says that any will do.
    pub any: Option<u64>,
    pub screen: &'a Screen,
}

/// What to try next, and why; `None` where there is nothing left.
pub(super) fn search(search: &Search<'_>) -> Result<Option<(Ranked, &'static str)>, EmbedError> {
    if let Some(best) = likeliest(search)? {
        return Ok(Some((best, "no way is known; this is the likeliest thing not tried yet")));
    }
    let screen = search.screen;
    if screen.keyboard_shown && search.trek.may_leave(screen) {
        return Ok(Some((plain(Action::PressBack, "keyboard"), "the keyboard may hide what is left")));
    }
    let area = screen.scroll_areas.iter().find(|area| area.height() >= area.width() / 2);
    if let Some(area) = area.filter(|_| search.trek.may_scroll(screen)) {
        let action = Action::Scroll { direction: Direction::Down, area: *area };
        if !search.memory.is_excluded(screen.fingerprint, &action) {
            return Ok(Some((plain(action, "scroll"), "what is looked for may be further down")));
        }
    }
    if search.trek.may_leave(screen) {
        return Ok(Some((plain(Action::PressBack, "back"), "nothing leads on from here")));
    }
    Ok(None)
}

/// The control that sends what was typed; `None` where no label says that it does.
pub(super) fn sender(ranked: &[Ranked], screen: &Screen, cues: &GoalCues, trek: &Trek) -> Option<Ranked> {
    let sends = |ranked: &&Ranked| {
        let Some(widget) = ranked.candidate.widget.and_then(|id| screen.widgets.get(id)) else { return false };
        let usable = widget.clickable && widget.state.enabled && widget.state.checked.is_none();
        let click = matches!(ranked.candidate.action, Action::Click { .. }) && widget.role == Role::Button;
        let fresh = trek.times_touched(screen, widget) == 0;
        click && usable && fresh && holds_cue(&cues.sends, &widget.label)
    };
    ranked.iter().find(sends).cloned()
}

fn plain(action: Action, term: &'static str) -> Ranked {
    let candidate = Candidate { action, widget: None, text: String::new(), offer: None };
    Ranked { candidate, score: 0.0, terms: vec![(term, 0.0)] }
}

fn likeliest(search: &Search<'_>) -> Result<Option<Ranked>, EmbedError> {
    let screen = search.screen;
    let usable: Vec<(&Ranked, &Widget)> = search
        .ranked
        .iter()
        .filter_map(|ranked| {
            let widget = screen.widgets.get(ranked.candidate.widget?)?;
            let click = matches!(ranked.candidate.action, Action::Click { .. });
            let idle = matches!(widget.role, Role::Field | Role::KeypadKey | Role::Selector | Role::Slider);
            let tried = search.trek.times_touched(screen, widget) >= MOST_TOUCHES;
            let back = GoalCues::is(&search.cues.back, &widget.label);
            let kept = search.kept.contains(&widget.id);
            (click && widget.clickable && widget.state.enabled && !idle && !tried && !back && !kept)
                .then_some((ranked, widget))
        })
        .collect();
    let says = |text: &&str| text.chars().filter(|c| c.is_alphabetic()).count() >= FEWEST_LETTERS;
    let mut texts: Vec<&str> = search.texts.iter().map(String::as_str).filter(says).collect();
    let expected = texts.len();
    texts.extend(usable.iter().map(|(ranked, _)| ranked.candidate.text.as_str()));
    let vectors = search.scorer.embedder.embed(&texts)?;
    let (expected, own) = vectors.split_at(expected);
    let rows = Rows::of(search, usable.iter().map(|(_, widget)| *widget));
    let others_left = usable.iter().any(|(_, widget)| may_open(search, widget));
    let mut weighed: Vec<(f32, Ranked, &Widget)> = Vec::new();
    for ((ranked, widget), vector) in usable.into_iter().zip(own) {
        let mut terms = ranked.terms.clone();
        let like = expected.iter().map(|text| cosine(text, vector)).fold(0.0, f32::max);
        terms.push(("expected", EXPECTED * like));
        let control = Control::of(widget);
        let words = search.cues.words(&control.name);
        let onward = search.scorer.cues.is_submit(&widget.label) || search.scorer.cues.is_advance(&widget.label);
        let asked = |word: &String| search.goal.items.iter().any(|item| item.words.contains(word));
        let button = widget.role == Role::Button && control.checked.is_none() && !widget.label.is_empty();
        let kindred = ranked.terms.iter().any(|(name, _)| *name == KINDRED);
        let unasked = !(search.typed && button)
            && !kindred
            && words.iter().take(2).any(|word| search.cues.deeds.contains(word) && !asked(word));
        let again = search.trek.times_touched(screen, widget) as f32;
        for (name, applies, value) in [
            ("onward", onward, ONWARD),
            ("makes", button && !search.trek.has_begun(screen) && makes(search, &words), MAKES),
            ("own row", rows.is_own(widget) == Some(true), OWN_ROW),
            ("other row", rows.is_own(widget) == Some(false), -OTHER_ROW),
            ("too early", search.open && others_left && button && is_last(search, &widget.label), -TOO_EARLY),
            ("sends", search.typed && button, SENDS),
            ("unasked", unasked, -UNASKED),
            ("says so", search.typed && button && holds_cue(&search.cues.sends, &widget.label), SAYS_SO),
            ("opens more", widget.role == Role::Tab || holds_cue(&search.cues.opens, &widget.label), MORE),
            ("destroys", holds_cue(&search.cues.destroys, &widget.label) && !search.goal_destroys, -DESTROYS),
            ("refusal", widget.role != Role::Dropdown && is_refusal(&control, search.cues), -REFUSAL),
            ("again", again > 0.0, -AGAIN * again),
        ] {
            if applies {
                terms.push((name, value));
            }
        }
        let score = terms.iter().map(|(_, value)| value).sum();
        weighed.push((score, Ranked { score, terms, ..ranked.clone() }, widget));
    }
    weighed.sort_by(|a, b| b.0.total_cmp(&a.0));
    let Some((score, best, widget)) = weighed.first() else { return Ok(None) };
    // Nothing is left half done: what was typed, and a window, are gone on with. What has no arrow back is where tabs lead.
    let arrow = |widget: &Widget| widget.clickable && search.scorer.cues.leads_back(&widget.label);
    let menu = screen.kind != ScreenKind::Ordinary
        && search.trek.last_label().is_some_and(|label| holds_cue(&search.cues.opens, label));
    let passing = search.trek.may_leave(screen)
        && !search.typed
        && search.any.is_none()
        && (menu
            || search.trek.is_passing(screen)
                && screen.widgets.iter().any(arrow)
                && screen.kind == ScreenKind::Ordinary);
    if *score < if passing { LIKELY } else { LEAST } {
        return Ok(None);
    }
    // "Any of them": which one follows from the seed, not from what it is called.
    if let Some(seed) = search.any {
        let mut alike: Vec<&(f32, Ranked, &Widget)> =
            weighed.iter().filter(|(_, _, other)| same_kind(widget, other)).collect();
        alike.sort_by_key(|(_, _, widget)| widget.id);
        if alike.len() >= SEVERAL {
            let drawn = AnyValue::one_of(alike.len(), &screen.title, seed);
            return Ok(alike.get(drawn).map(|(_, ranked, _)| ranked.clone()));
        }
    }
    Ok(Some(best.clone()))
}

/// A list of choices on this page that was not opened yet, and does not show what the goal wants: what is still open may
/// be chosen there.
pub(super) fn unopened(search: &Search<'_>) -> Option<Ranked> {
    let shut = |ranked: &&Ranked| {
        let widget = ranked.candidate.widget.and_then(|id| search.screen.widgets.get(id));
        let click = matches!(ranked.candidate.action, Action::Click { .. });
        click
            && widget.is_some_and(|widget| {
                widget.role == Role::Dropdown
                    && widget.state.enabled
                    && !search.kept.contains(&widget.id)
                    && search.trek.times_touched(search.screen, widget) == 0
            })
    };
    search.ranked.iter().find(shut).filter(|_| search.open).cloned()
}

/// The goal makes something, and the words say so too.
fn makes(search: &Search<'_>, words: &[String]) -> bool {
    let verbs =
        search.goal.items.iter().filter(|item| item.kind == ItemKind::Word && among(&search.cues.makes, &item.text));
    verbs
        .into_iter()
        .any(|verb| words.iter().any(|word| alike(word, &verb.text) > 0.0 || search.cues.are_kin(word, &verb.text)))
}

/// A control of a form that may lead to something to choose, and was not tried.
fn may_open(search: &Search<'_>, widget: &Widget) -> bool {
    matches!(widget.role, Role::ListItem | Role::Dropdown)
        && widget.state.checked.is_none()
        && search.trek.times_touched(search.screen, widget) == 0
}

/// The label says that a whole matter is carried out, and not that the next page comes.
fn is_last(search: &Search<'_>, label: &str) -> bool {
    let cues = search.scorer.cues;
    let sends =
        cues.is_submit(label) || holds_cue(&search.cues.sends, label) || holds_cue(&search.cues.completes, label);
    sends && !cues.is_advance(label)
}

/// Buttons of one label, one in every row.
struct Rows<'a> {
    repeated: Vec<&'a Widget>,
    own: Vec<&'a Widget>,
}

impl<'a> Rows<'a> {
    fn of(search: &Search<'_>, widgets: impl Iterator<Item = &'a Widget>) -> Self {
        let named = |text: &str| {
            search.goal.items.iter().any(|item| item.kind != ItemKind::Word && holds(item, text, search.cues))
        };
        let all: Vec<&Widget> = widgets.filter(|widget| !widget.label.is_empty()).collect();
        let same = |one: &Widget| all.iter().filter(|other| other.label == one.label).count() > 1;
        let repeated: Vec<&Widget> = all.iter().copied().filter(|widget| same(widget)).collect();
        let own = repeated.iter().copied().filter(|widget| named(&widget.context)).collect();
        Self { repeated, own }
    }

    /// It stands in the row of what the goal names, or in another one; `None` where no row has what it names.
    fn is_own(&self, widget: &Widget) -> Option<bool> {
        let has = |list: &[&Widget]| list.iter().any(|one| one.id == widget.id);
        let rivals = self.own.iter().any(|one| one.label == widget.label);
        (rivals && has(&self.repeated)).then(|| has(&self.own))
    }
}

/// Rows of one list, cards of one grid.
fn same_kind(one: &Widget, other: &Widget) -> bool {
    let named = !one.id_words.is_empty() && one.resource_id == other.resource_id;
    one.class == other.class
        && one.role == other.role
        && (named || one.bounds.width() == other.bounds.width() && one.role == Role::ListItem)
}
