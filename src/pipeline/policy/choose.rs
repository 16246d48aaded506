//! The decision: the best proposal that no guard forbids.

use super::feature::{Feature, Features, PolicyWeights};
use super::guards::{Veto, veto};
use crate::domain::{Action, Target};
use crate::hierarchy::Screen;
use crate::inference::{EmbedError, Reading};
use crate::pipeline::episode::{Episode, Knowledge};
use crate::pipeline::propose::{
    Context, Left, Likely, Move, Phrases, Proposal, Source, any_values, finish, follow_hints, inputs, keys, routes,
    scrolls, searches, touches, values, ways,
};
use crate::pipeline::reading::read;
use crate::pipeline::screen_model::ScreenModel;

/// Below this score nothing is worth doing.
pub const MIN_SCORE: f32 = 0.0;

/// A proposal with its score.
#[derive(Debug, Clone, PartialEq)]
pub struct Weighed {
    /// What is proposed.
    pub proposal: Proposal,
    /// Sum of weight × feature.
    pub score: f32,
    /// Why it must not be carried out.
    pub veto: Option<Veto>,
}

impl Weighed {
    /// What its score is made of, by the features' names as explanations write them.
    pub fn terms(&self, weights: &PolicyWeights) -> Vec<(String, f32)> {
        let terms = weights.contributions(&self.proposal.features).into_iter();
        terms.map(|(name, value)| (name.replace('_', " "), value)).collect()
    }

    /// What a person does where nothing proposes it.
    pub fn by_hand(action: Action, screen: &Screen) -> Self {
        let there = |target: &Target| screen.widgets.iter().find(|widget| widget.bounds == target.bounds);
        let proposal = Proposal {
            text: action.to_string(),
            widget: action.target().and_then(there).map(|widget| widget.id),
            action: Move::Act(action),
            source: Source::Touch,
            features: Features::default(),
            parameter: None,
            shown: None,
            reason: "the person does it".to_owned(),
        };
        Self { proposal, score: 1.0, veto: None }
    }
}

/// What is to be done now.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// Carry out the proposal; others follow, best first.
    Act(Box<Weighed>, Vec<Weighed>),
    /// The clause is done.
    Done(Box<Weighed>, Vec<Weighed>),
    /// Nothing is worth doing: why.
    GiveUp(String, Vec<Weighed>),
}

impl Decision {
    /// The decision in one line, with the runners-up and what their scores are made of, for the log.
    pub fn told(&self, knowledge: &Knowledge) -> String {
        let view = |one: &Weighed| {
            let what = one.proposal.action().map_or_else(|| "done".to_owned(), ToString::to_string);
            let terms = one.terms(&knowledge.weights);
            let terms: Vec<String> = terms.iter().map(|(name, value)| format!("{name} {value:.2}")).collect();
            let veto = one.veto.map(|veto| format!(" VETO {}", veto.told())).unwrap_or_default();
            format!("\n    {:.2} {what}{veto} [{}]", one.score, terms.join(", "))
        };
        let (head, chosen, others) = match self {
            Self::Act(chosen, others) => ("act", Some(chosen), others),
            Self::Done(chosen, others) => ("done", Some(chosen), others),
            Self::GiveUp(_, others) => ("stop", None, others),
        };
        let chosen = chosen.map(|one| view(one)).unwrap_or_default();
        let others: String = others.iter().take(7).map(view).collect();
        format!("{head}:{chosen}{others}")
    }
}

/// Everything that could be done on a screen.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// All proposals: those that no guard forbids first, each group best first.
    pub weighed: Vec<Weighed>,
    /// Why nothing is done if none of them is worth it.
    pub nothing: String,
    /// The clause on the screen in words.
    pub reading: Reading,
}

/// Picks one of the options.
pub trait Chooser: Sync {
    /// Picks what is done on a screen. Must give the same answer to the same question.
    fn choose(&self, episode: &Episode<'_>, model: &ScreenModel<'_>, options: Options) -> Decision;
}

/// Picks the proposal with the best score that no guard forbids: what ships.
#[derive(Debug, Clone, Copy)]
pub struct BestScore;

impl Chooser for BestScore {
    fn choose(&self, _episode: &Episode<'_>, _model: &ScreenModel<'_>, options: Options) -> Decision {
        match options.best() {
            Some(position) => options.pick(position),
            None => Decision::GiveUp(options.nothing, options.weighed),
        }
    }
}

impl Options {
    /// The proposal that the policy carries out; `None` where none is worth it.
    pub fn best(&self) -> Option<usize> {
        self.weighed.iter().position(|one| one.veto.is_none() && one.score >= MIN_SCORE)
    }

    /// The decision for one of the proposals.
    pub fn pick(mut self, position: usize) -> Decision {
        let chosen = Box::new(self.weighed.remove(position));
        match chosen.proposal.action {
            Move::Act(_) => Decision::Act(chosen, self.weighed),
            Move::Done => Decision::Done(chosen, self.weighed),
        }
    }
}

/// Weighs what could be done for a clause on a screen. Pure: the same episode and screen give the same options.
pub fn weigh(episode: &Episode<'_>, model: &ScreenModel<'_>) -> Result<Options, EmbedError> {
    let reading = read(episode, model);
    let context = Context::new(episode, model)?;
    let mut values = values(&context);
    let mut proposals = touches(&context);
    proposals.extend(inputs(&context));
    proposals.extend(any_values(&context));
    proposals.extend(searches(&context));
    proposals.extend(scrolls(&context));
    proposals.extend(keys(&context));
    proposals.extend(routes(&context));
    if values.left >= SURELY_LEFT {
        proposals.iter_mut().for_each(hold_back);
    }
    proposals.append(&mut values.proposals);
    Phrases::of(&context)?.mark(&context, &mut proposals)?;
    follow_hints(&context, &mut proposals)?;
    let likely = Likely::of(&context, &reading)?;
    if let Some(likely) = &likely {
        likely.mark(&mut proposals);
    }
    if episode.clause.leaves_alone {
        proposals.clear();
    }
    let ways = ways(&context)?;
    if let Some(ways) = &ways {
        ways.mark(&mut proposals);
    }
    let weights = &episode.knowledge.weights;
    let mut weighed: Vec<Weighed> = proposals
        .into_iter()
        .map(|proposal| Weighed { score: weights.score(&proposal.features), veto: veto(&context, &proposal), proposal })
        .collect();
    let open = |one: &&Weighed| one.veto.is_none() && one.proposal.source.carries_out();
    let best = weighed.iter().filter(open).map(|one| one.score).fold(-0.5, f32::max);
    let mut done = finish(&context, left(&weighed, best), &values)?;
    if let Some(ways) = &ways {
        ways.conclude(&mut done.features);
    }
    if let Some(likely) = &likely {
        likely.conclude(&mut done.features);
    }
    if !is_earned(&done) {
        done.features.set(Feature::Unearned, 1.0);
    }
    let ends_short = ends_short(&context, &done);
    weighed.push(Weighed {
        score: weights.score(&done.features),
        veto: ends_short.then_some(Veto::Unfinished),
        proposal: done,
    });
    weighed.sort_by(|one, other| one.veto.is_some().cmp(&other.veto.is_some()).then(other.score.total_cmp(&one.score)));
    let nothing = values.impossible.unwrap_or_else(|| nothing_fits(&context, &weighed));
    Ok(Options { weighed, nothing, reading })
}

/// From here on a value control in sight is to be set before anything is confirmed.
const SURELY_LEFT: f32 = 0.6;

/// What confirms a window or sends a form comes too early while a control in sight is to take a value.
fn hold_back(proposal: &mut Proposal) {
    let confirms = [Feature::ConfirmsDialog, Feature::CommitsForm, Feature::Affirms];
    if confirms.iter().any(|feature| proposal.features.get(*feature) > 0.0) {
        confirms.iter().for_each(|feature| proposal.features.set(*feature, 0.0));
        proposal.features.set(Feature::CommitTooEarly, 1.0);
    }
}

/// True for what can be touched and was not touched for the clause.
fn is_fresh(one: &&Weighed) -> bool {
    let features = &one.proposal.features;
    let untouched = features.get(Feature::DoneBefore) <= 0.0 && features.get(Feature::TriedElsewhere) <= 0.0;
    one.veto.is_none()
        && untouched
        && features.get(Feature::NotClickable) <= 0.0
        && features.get(Feature::RareSkill) <= 0.0
}

/// What could still be done, over all controls that can be touched and were not touched for the clause.
fn left(weighed: &[Weighed], score: f32) -> Left {
    let most = |feature: Feature| {
        weighed.iter().filter(is_fresh).map(|one| one.proposal.features.get(feature)).fold(0.0, f32::max)
    };
    Left {
        score,
        meaning: most(Feature::Meaning).max(most(Feature::LookMeaning)),
        new_words: most(Feature::NewWords),
        phrase: most(Feature::PhraseFit),
    }
}

/// From here on a part of a goal is hardly touched by what was done.
const MOSTLY_LEFT: f32 = 0.6;

/// A clause is hardly done because nothing else fits: something was carried out, or the screen is as it asks.
fn is_earned(done: &Proposal) -> bool {
    let has = |feature: Feature| done.features.get(feature) > 0.0;
    let carried_out = !has(Feature::NotOpened) && has(Feature::Acted);
    carried_out
        || has(Feature::AlreadySo)
        || has(Feature::PageOpen)
        || has(Feature::ExpectationsHold)
        || has(Feature::LedToNext)
}

/// A goal whose expectations do not hold is done only where everything that it names has had its effect, and nothing is with a form
/// that was filled in and not sent. A goal without any effect is not done either.
fn ends_short(context: &Context<'_>, done: &Proposal) -> bool {
    let has = |feature: Feature| done.features.get(feature) > 0.0;
    let dealt_with = has(Feature::Fulfilled) && done.features.get(Feature::PartLeft) < MOSTLY_LEFT;
    let open = has(Feature::FormOpen) || has(Feature::ExpectationsOpen) && !dealt_with;
    context.clause().is_goal && (open || has(Feature::Unearned)) || context.leaves_unsent()
}

fn nothing_fits(context: &Context<'_>, weighed: &[Weighed]) -> String {
    let title = &context.model.screen.title;
    let nearest = weighed.iter().find(|one| one.proposal.widget.is_some() && !one.proposal.text.is_empty());
    let owed = context.owed.first().map(|name| format!("{name:?} is not there; ")).unwrap_or_default();
    match nearest {
        Some(one) => {
            let why = one.veto.map(|veto| format!(": {}", veto.told())).unwrap_or_default();
            format!("{owed}nothing on \"{title}\" fits; nearest is {:?} ({:.2}{why})", one.proposal.text, one.score)
        }
        None => format!("{owed}nothing on \"{title}\" fits"),
    }
}
