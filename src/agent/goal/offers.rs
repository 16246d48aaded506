//! What could be done on a screen for a goal, as far as the planner is concerned.

use super::coverage::{Coverage, Judge, holds};
use super::cues::{GoalCues, among};
use super::items::{Goal, ItemKind};
use crate::app_map::{Control, Lead, View};
use crate::hierarchy::{Role, Screen, ScreenKind};
use crate::inference::EmbedError;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Most widgets a question with two answers has.
const MOST_IN_QUESTION: usize = 12;
/// Most widgets a list of choices has.
const MOST_CHOICES: usize = 25;
/// Most entries a menu has.
const MOST_IN_MENU: usize = 16;

/// A control, and what to type where it is a field.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Offer {
    /// Position among the view's controls.
    pub control: usize,
    /// What to type, and the item it is for.
    pub typed: Option<(usize, String)>,
    /// Where a touch leads.
    pub lead: Option<Lead>,
}

impl Offer {
    /// Knows it again on another screen that has it.
    pub(super) fn key(&self, view: &View) -> u64 {
        let Some(control) = view.controls.get(self.control) else { return 0 };
        key(control, self.typed.as_ref().map(|(_, text)| text.as_str()))
    }
}

/// Knows a touch or a typed text again.
pub(super) fn key(control: &Control, typed: Option<&str>) -> u64 {
    let mut hash = DefaultHasher::new();
    control.label.hash(&mut hash);
    typed.hash(&mut hash);
    let edges = [control.bounds.left, control.bounds.top, control.bounds.right, control.bounds.bottom];
    if typed.is_none() {
        edges.hash(&mut hash);
    }
    hash.finish()
}

/// The same touch, wherever the control lies.
pub(super) fn rough_key(control: &Control, typed: Option<&str>) -> u64 {
    let mut hash = DefaultHasher::new();
    (control.label.as_str(), typed).hash(&mut hash);
    hash.finish()
}

/// Everything the goal may need of a screen. `typed` are the texts typed so far.
pub(super) fn offers(judge: &Judge<'_>, view: &View, covered: &Coverage, typed: &[String]) -> Vec<Offer> {
    let (goal, cues) = (judge.goal, judge.cues);
    let confirms = view.controls.iter().any(|control| is_confirm(control, cues));
    let mut found = Vec::new();
    for (at, control) in view.controls.iter().enumerate().filter(|(_, control)| control.enabled) {
        if control.is_field() {
            let full = |text: &str| !text.is_empty() && text == control.value;
            let own = |item: &super::items::Item| item.kind != ItemKind::Word && full(&item.text);
            // What was typed, or stood there as the goal wants it, is not typed over.
            if typed.iter().any(|text| full(text)) || goal.items.iter().any(own) {
                continue;
            }
            for item in 0..goal.items.len() {
                if let Some(text) = text_for(goal, item, control, covered, typed, cues) {
                    found.push(Offer { control: at, typed: Some((item, text)), lead: None });
                }
            }
            continue;
        }
        if !control.clickable || control.label.is_empty() || GoalCues::is(&cues.back, &control.label) {
            continue;
        }
        if confirms && control.checked == Some(true) && !goal.off {
            continue;
        }
        found.push(Offer { control: at, typed: None, lead: judge.map.lead(view, at) });
    }
    found
}

/// What of an item would be typed into a field; a person's name may have to be taken apart.
fn text_for(
    goal: &Goal,
    at: usize,
    field: &Control,
    covered: &Coverage,
    typed: &[String],
    cues: &GoalCues,
) -> Option<String> {
    let item = goal.items.get(at).filter(|item| item.kind != ItemKind::Word)?;
    let mut text = item.text.as_str();
    if item.kind == ItemKind::Name
        && let Some((first, last)) = text.split_once(' ')
    {
        let words = cues.words(&field.name);
        if words.iter().any(|word| among(&cues.first_name, word)) {
            text = first;
        } else if words.iter().any(|word| among(&cues.last_name, word)) {
            text = last;
        } else if typed.iter().any(|typed| typed == first) {
            return None;
        }
    }
    let met = text == item.text && covered.items.get(at).is_some_and(|share| *share >= 1.0);
    (!met && !typed.iter().any(|typed| typed == text)).then(|| text.to_owned())
}

/// A field where something is looked up.
pub(super) fn is_search(control: &Control, cues: &GoalCues) -> bool {
    let text = format!("{} {}", control.name, control.hint);
    control.is_field() && cues.words(&text).iter().any(|word| among(&cues.search, word))
}

/// How well a text belongs into a field; `None` where it must not be typed.
pub(super) fn fit(judge: &mut Judge<'_>, view: &View, offer: &Offer) -> Result<Option<f32>, EmbedError> {
    let (goal, cues) = (judge.goal, judge.cues);
    let Some((at, text)) = &offer.typed else { return Ok(None) };
    let (Some(item), Some(field)) = (goal.items.get(*at), view.controls.get(offer.control)) else { return Ok(None) };
    let search = is_search(field, cues);
    if search && !goal.searches.contains(&item.clause) {
        return Ok(None);
    }
    if item.kind == ItemKind::Name && !search && (!goal.searches.is_empty() || !goal.makes) {
        return Ok(None);
    }
    let mut fit = 0.0;
    let touchable = |control: &&Control| control.clickable && !control.is_field();
    let visible = view.controls.iter().filter(touchable).any(|control| holds(item, &control.label, cues));
    if visible && !(search && goal.says_search) {
        // What is on the screen can be touched.
        fit -= 0.2;
    }
    fit += judge.tuning.fit * judge.likeness(&item.context, &field.name)?;
    if item.kind == ItemKind::Name {
        fit -= 0.1;
    }
    let words = cues.words(&field.name);
    let speaks_of = |list: &[String]| words.iter().any(|word| among(list, word));
    let digits = item.text.chars().all(|c| c.is_ascii_digit());
    if digits {
        fit += if speaks_of(&cues.digits) { 0.2 } else { 0.0 };
        fit -= if speaks_of(&cues.letters) || speaks_of(&cues.at_sign) { 0.3 } else { 0.0 };
        if !field.value.is_empty() {
            // Like replaces like.
            let held = field.value.chars();
            if held.clone().all(|c| c.is_ascii_digit()) {
                fit += 0.25;
            } else if field.value == field.label
                && !held.clone().any(|c| c.is_ascii_digit())
                && !speaks_of(&cues.digits)
            {
                fit -= 0.1;
            }
        }
    } else {
        fit -= if speaks_of(&cues.at_sign) && !item.text.contains('@') { 0.3 } else { 0.0 };
        fit -= if speaks_of(&cues.digits) || speaks_of(&cues.dates) { 0.3 } else { 0.0 };
    }
    if *text != item.text {
        fit += 0.2;
    }
    Ok(Some(fit))
}

fn is_confirm(control: &Control, cues: &GoalCues) -> bool {
    control.role == Role::Button && control.clickable && control.enabled && GoalCues::is(&cues.confirm, &control.name)
}

/// A control that drops what was begun.
pub(super) fn is_refusal(control: &Control, cues: &GoalCues) -> bool {
    GoalCues::is(&cues.refuse, &control.name)
}

/// The control that carries out what was begun: one that says so, or, in a question, the answer that is no refusal.
pub(super) fn confirmation(judge: &mut Judge<'_>, view: &View) -> Result<Option<usize>, EmbedError> {
    let cues = judge.cues;
    if let Some(at) = view.controls.iter().position(|control| is_confirm(control, cues)) {
        return Ok(Some(at));
    }
    let usable = |control: &Control| control.clickable && control.enabled && !control.is_field();
    let question = view.controls.iter().any(|control| usable(control) && is_refusal(control, cues));
    if !question || view.controls.len() > MOST_IN_QUESTION {
        return Ok(None);
    }
    let mut best: Option<(usize, f32)> = None;
    for (at, control) in view.controls.iter().enumerate() {
        let answer = usable(control) && control.role == Role::Button && !control.label.is_empty();
        if !answer || is_refusal(control, cues) || GoalCues::is(&cues.back, &control.label) {
            continue;
        }
        let meaning = judge.traits(control, false)?.meaning;
        if best.is_none_or(|(_, most)| meaning > most) {
            best = Some((at, meaning));
        }
    }
    Ok(best.map(|(at, _)| at))
}

/// A window of its own that wants an answer, or a screen that wants something chosen.
pub(in crate::agent) fn asks(screen: &Screen, cues: &GoalCues) -> bool {
    matches!(screen.kind, ScreenKind::Dialog | ScreenKind::Permission) || wants_choice(&View::of(screen), cues)
}

/// A screen that wants something chosen: tick boxes, or a menu and nothing else.
pub(super) fn wants_choice(view: &View, cues: &GoalCues) -> bool {
    let own: Vec<&Control> = view.controls.iter().filter(|control| !GoalCues::is(&cues.back, &control.label)).collect();
    let boxes = own.iter().filter(|control| control.checked.is_some()).count();
    if boxes >= 2 && boxes * 5 >= own.len() * 3 && own.len() <= MOST_CHOICES {
        return true;
    }
    !own.is_empty() && own.len() <= MOST_IN_MENU && own.iter().all(|control| control.clickable && !control.is_field())
}
