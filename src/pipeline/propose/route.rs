//! Proposals to follow a known way: one search over the app map for a screen on which the clause can be carried out.

use super::context::Context;
use super::guess::may_be_passed;
use super::touch::{CHANGING, MAY_BE_MEANT};
use super::{Move, Proposal, Source};
use crate::app_map::{Control, View};
use crate::domain::{Action, words};
use crate::inference::{Embedding, cosine};
use crate::pipeline::policy::{Feature, Features};
use crate::pipeline::task::{BEARS, IS_CALLED, asked_fit, name_fit, said_fit, title_of};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// Longest way that is searched, in touches.
const MAX_TOUCHES: usize = 6;
/// What each touch of a way takes off its worth.
const PER_TOUCH: f32 = 0.05;
/// From this worth on a control on another screen is worth going to.
const MIN_WORTH: f32 = 0.62;

/// The first touch of the best known way, if there is one that leads to a better screen than this one.
pub(crate) fn routes(context: &Context<'_>) -> Vec<Proposal> {
    let map = context.episode.map;
    let screen = context.model.screen;
    let here = View::of(screen);
    if map.size().0 == 0 {
        return Vec::new();
    }
    // How each view is reached: the control of this screen that is touched first, and how many touches it takes.
    let mut reached: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    let mut queue: VecDeque<usize> = VecDeque::new();
    let passable = |control: &usize| {
        let id = here.controls.get(*control).map(|control| control.widget);
        id.and_then(|id| screen.widgets.get(id)).is_some_and(|widget| may_be_passed(context, widget))
    };
    for control in (0..here.controls.len()).filter(passable) {
        if let Some(lead) = map.lead(&here, control)
            && !reached.contains_key(&lead.to)
        {
            reached.insert(lead.to, (control, 1));
            queue.push_back(lead.to);
        }
    }
    while let Some(number) = queue.pop_front() {
        let (Some((first, touches)), Some(view)) = (reached.get(&number).copied(), map.view(number)) else { continue };
        if touches >= MAX_TOUCHES {
            continue;
        }
        for control in 0..view.controls.len() {
            let changes = view.controls.get(control).is_some_and(|control| changes_something(context, &control.label));
            if let Some(lead) = map.lead(view, control).filter(|_| !changes)
                && !reached.contains_key(&lead.to)
            {
                reached.insert(lead.to, (first, touches + 1));
                queue.push_back(lead.to);
            }
        }
    }
    let judge = Judge::new(context);
    let mut best: BTreeMap<usize, (f32, String)> = BTreeMap::new();
    for (number, (first, touches)) in &reached {
        let Some(view) = map.view(*number).filter(|view| view.digest != here.digest) else { continue };
        let Some((worth, name)) = judge.best_control(view) else { continue };
        let worth = worth - PER_TOUCH * *touches as f32;
        if worth >= MIN_WORTH && best.get(first).is_none_or(|(known, _)| worth > *known) {
            best.insert(*first, (worth, name));
        }
    }
    best.into_iter().filter_map(|(first, (worth, name))| proposal(context, &here, first, worth, &name)).collect()
}

/// Most words of a label that commands something; a longer one is the text of an entry.
const MAX_COMMAND: usize = 3;

/// True for a label that commands what changes something: nothing of that is done on the way.
fn changes_something(context: &Context<'_>, label: &str) -> bool {
    let title = title_of(label);
    let leading = context.episode.knowledge.lexicon.verbs(title).into_iter().next().filter(|found| found.at == 0);
    let commands = words(title).len() <= MAX_COMMAND;
    commands && leading.is_some_and(|found| CHANGING.has(found.verb))
}

fn proposal(context: &Context<'_>, here: &View, first: usize, worth: f32, name: &str) -> Option<Proposal> {
    let control = here.controls.get(first)?;
    let widget = context.model.screen.widgets.get(control.widget)?;
    let action = Action::Click { target: widget.target() };
    let mut features = Features::default().with(Feature::Route, worth.min(1.0));
    if context.episode.journal.times_done(context.model.screen.fingerprint, &action) > 0 {
        features.set(Feature::DoneBefore, 1.0);
    }
    Some(Proposal {
        action: Move::Act(action),
        widget: Some(widget.id),
        source: Source::Route,
        features,
        parameter: None,
        shown: None,
        reason: format!("a known way leads from it to {name:?}"),
        text: widget.label.clone(),
    })
}

/// What controls of other screens are worth to a clause; each label is judged once.
struct Judge<'a> {
    context: &'a Context<'a>,
    asked: Option<Embedding>,
    known: RefCell<HashMap<String, f32>>,
}

impl<'a> Judge<'a> {
    fn new(context: &'a Context<'a>) -> Self {
        let instruction = context.clause().step.instruction.as_str();
        // Without a vector the words decide; the same failure ends the decision where controls are ranked.
        let asked =
            context.episode.scorer.embedder.embed(&[instruction]).ok().and_then(|found| found.into_iter().next());
        Self { context, asked, known: RefCell::default() }
    }

    /// The control of a known screen that fits the clause best.
    fn best_control(&self, view: &View) -> Option<(f32, String)> {
        let labelled = view.controls.iter().filter(|control| !control.label.is_empty());
        labelled
            .map(|control| (self.worth(control), control.label.clone()))
            .max_by(|one, other| one.0.total_cmp(&other.0))
    }

    fn worth(&self, control: &Control) -> f32 {
        if let Some(known) = self.known.borrow().get(&control.name) {
            return *known;
        }
        let worth = self.judged(control);
        self.known.borrow_mut().insert(control.name.clone(), worth);
        worth
    }

    fn judged(&self, control: &Control) -> f32 {
        let (context, clause) = (self.context, self.context.clause());
        let named = context.owed.iter().map(|name| name_fit(&control.label, name)).fold(0.0, f32::max);
        if named >= BEARS {
            return if named >= IS_CALLED { 1.0 } else { 0.8 };
        }
        if !context.owed.is_empty() && !clause.is_goal && clause.topic.is_empty() {
            return 0.0;
        }
        let said = said_fit(&context.episode.knowledge.lexicon, &clause.step.instruction, &control.label);
        let asked = asked_fit(&clause.topic, &control.label, clause.inflection);
        let meaning = self.asked.as_ref().zip(context.episode.map.vector(&control.name));
        let meaning = meaning.map_or(0.0, |(asked, own)| cosine(asked, own));
        let words = if said >= 1.0 { 0.55 + 0.45 * asked } else { 0.5 * asked };
        words.max(if meaning >= MAY_BE_MEANT { meaning } else { 0.0 })
    }
}
