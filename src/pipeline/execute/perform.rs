//! The one way to act: sends an action, looks, judges its effect, writes event and journal.

use super::effect::{Effect, judge};
use crate::device::{DeviceError, Recorder, Seen};
use crate::domain::{Action, ActionSource, CandidateView, EventKind};
use crate::hierarchy::{Role, Screen};
use crate::pipeline::agent::Agent;
use crate::pipeline::journal::{ActionRecord, Alternative, ControlMark, ScreenMark, WaitRecord};
use crate::pipeline::outcome::AgentError;
use crate::pipeline::policy::{Feature, Weighed};
use crate::pipeline::propose::Source;
use crate::pipeline::screen_model::ScreenModel;
use crate::pipeline::task::Lexicon;
use crate::skill::{PerformError, Validity};
use std::time::{Duration, Instant};

/// How long a slow app may take to answer a touch.
const SLOW_ANSWER: Duration = Duration::from_millis(800);
/// Runners-up that the journal keeps: ways that may be tried later.
const MAX_ALTERNATIVES: usize = 6;
/// Runners-up that an explanation shows.
const RUNNERS_UP: usize = 4;

/// What is to be carried out, with what the journal keeps of it.
pub(crate) struct Order {
    /// The action.
    pub action: Action,
    /// The widget it is aimed at.
    pub widget: Option<usize>,
    /// Who proposed it.
    pub source: Source,
    /// The parameter it gives.
    pub parameter: Option<String>,
    /// The value that a value control shows before.
    pub shown: Option<String>,
    /// The control in the words that the model reads.
    pub text: String,
    /// How well it fits by meaning.
    pub meaning: f32,
    /// The ranking's meaning alone; 1 for values.
    pub understood: f32,
    /// The policy's score.
    pub score: f32,
    /// Its share among all that could be done, 0 to 1.
    pub share: f32,
    /// What else could be done, best first.
    pub alternatives: Vec<Alternative>,
}

impl Order {
    /// The order to carry a weighed proposal out; `None` for the end of a clause.
    pub(crate) fn of(weighed: &Weighed, others: &[Weighed]) -> Option<Self> {
        let proposal = &weighed.proposal;
        let features = &proposal.features;
        let fit = evidence(weighed);
        Some(Self {
            action: proposal.action()?.clone(),
            widget: proposal.widget,
            source: proposal.source,
            parameter: proposal.parameter.clone(),
            shown: proposal.shown.clone(),
            text: proposal.text.clone(),
            meaning: fit,
            understood: match proposal.source {
                Source::Input | Source::Value => 1.0,
                _ => features.get(Feature::Meaning),
            },
            score: weighed.score,
            share: share(weighed, others),
            alternatives: alternatives(others),
        })
    }

    /// The journal's record of the order once it was carried out for a step, with the screens before and after it. The clause,
    /// what was waited for and what was checked are the journal's.
    pub(crate) fn record(
        self,
        step: usize,
        [before, after]: [&Seen; 2],
        effect: Effect,
        lexicon: &Lexicon,
    ) -> ActionRecord {
        let held = self.held(before);
        let model = ScreenModel::recognise(&before.screen, lexicon);
        let mut control = self.widget.and_then(|id| ControlMark::of(&model, id));
        if let (Some(control), Some(shown)) = (&mut control, &self.shown) {
            control.value.clone_from(shown);
        }
        ActionRecord {
            step,
            clause: 0,
            action: self.action,
            held,
            before: ScreenMark::of(before),
            after: ScreenMark::of(after),
            effect,
            source: self.source,
            meaning: self.meaning,
            understood: self.understood,
            parameter: self.parameter,
            control,
            text: self.text,
            share: self.share,
            wait: WaitRecord::default(),
            checks: Vec::new(),
            alternatives: self.alternatives,
        }
    }

    /// How many characters the field that the order is aimed at holds.
    fn held(&self, before: &Seen) -> usize {
        let widget = self.widget.and_then(|id| before.screen.widgets.get(id));
        widget.filter(|widget| widget.role == Role::Field).map_or(0, |widget| widget.value.chars().count())
    }
}

/// Worth of what says by its kind, and not by its words, that it carries the clause out.
const CLEAR_EVIDENCE: f32 = 0.9;

/// How surely a proposal carries something of the clause out, −0.5 to 1.5: by meaning, names and values, or by what the control
/// does.
fn evidence(weighed: &Weighed) -> f32 {
    let features = &weighed.proposal.features;
    let most = |kinds: &[Feature]| kinds.iter().map(|feature| features.get(*feature)).fold(0.0, f32::max);
    let words = most(&[
        Feature::Meaning,
        Feature::LookMeaning,
        Feature::Named,
        Feature::Binding,
        Feature::ValueFit,
        Feature::Said,
    ]);
    if !weighed.proposal.source.carries_out() {
        return words;
    }
    let kind = most(&[
        Feature::VerbMatch,
        Feature::NamedRow,
        Feature::OrderedEntry,
        Feature::Toggles,
        Feature::CommitsForm,
        Feature::CommitAsked,
        Feature::ConfirmsDialog,
        Feature::SkillAsked,
        Feature::HoldAsked,
        Feature::SubmitsSearch,
        Feature::SearchFor,
    ]);
    words.max(CLEAR_EVIDENCE * kind)
}

/// How much the score must rise for an option to become so many times likelier: scores are fitted listwise.
const SHARPNESS: f32 = 6.0;

/// The share of the chosen among all that no guard forbids, 0 to 1.
fn share(chosen: &Weighed, others: &[Weighed]) -> f32 {
    let weight = |one: &Weighed| (SHARPNESS * (one.score - chosen.score)).min(30.0).exp();
    1.0 / (1.0 + others.iter().filter(|one| one.veto.is_none()).map(weight).sum::<f32>())
}

/// What an explanation of the way keeps of the runners-up: touches that no guard forbids.
fn alternatives(others: &[Weighed]) -> Vec<Alternative> {
    let open = others.iter().filter(|other| other.veto.is_none());
    let touches = open.filter_map(|other| match other.proposal.action()? {
        action @ Action::Click { .. } => Some(Alternative { action: action.clone(), score: other.score }),
        _ => None,
    });
    touches.take(MAX_ALTERNATIVES).collect()
}

impl Agent<'_> {
    /// Tells what was decided on a screen, with the runners-up.
    pub(in crate::pipeline) fn tell_decision(
        &self,
        (step, screen): (usize, &Screen),
        chosen: &Weighed,
        others: &[Weighed],
        since: Instant,
        recorder: &mut dyn Recorder,
    ) {
        let view = |weighed: &Weighed| -> Option<CandidateView> {
            let action = weighed.proposal.action()?.clone();
            Some(CandidateView {
                action,
                text: weighed.proposal.text.clone(),
                score: weighed.score,
                terms: weighed.terms(&self.knowledge.weights),
            })
        };
        let Some(chosen_view) = view(chosen) else { return };
        let expects = self.expects(screen, &chosen_view.action);
        recorder.emit(EventKind::Decided {
            step,
            chosen: chosen_view,
            runners_up: others.iter().filter(|other| other.veto.is_none()).filter_map(view).take(RUNNERS_UP).collect(),
            decide_ms: milliseconds(since),
            why: chosen.proposal.reason.clone(),
            expects,
        });
    }

    /// Carries an order out and looks. The record is appended to the journal.
    pub(in crate::pipeline) async fn perform(
        &mut self,
        step: usize,
        order: Order,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Effect, AgentError> {
        let before = seen.clone();
        let held = order.held(&before);
        recorder.about_to_act(&before.screen);
        let acting = Instant::now();
        let performed = self.skills.perform(self.eyes.device, &order.action, held, &before.hierarchy).await;
        let act_ms = milliseconds(acting);
        let settling = Instant::now();
        let adb = performed.as_ref().map(Clone::clone).unwrap_or_default();
        let effect = match performed {
            Ok(_) => {
                *seen = self.eyes.look(recorder).await?;
                self.judged(&order.action, &before, seen, recorder).await?
            }
            Err(PerformError::Expand(error)) => Effect::None(error.to_string()),
            Err(PerformError::Device(error @ DeviceError::Text { .. })) => Effect::Impossible(error.to_string()),
            Err(PerformError::Device(error)) => return Err(error.into()),
        };
        recorder.emit(EventKind::Acted {
            step,
            action: order.action.clone(),
            score: Some(order.score),
            source: ActionSource::Agent,
            valid: effect.is_valid(),
            reason: effect.told(),
            act_ms,
            settle_ms: milliseconds(settling),
            adb,
        });
        self.budget.actions = self.budget.actions.saturating_sub(1);
        if effect.is_valid() {
            self.map.learn(&before.screen, &order.action, &seen.screen);
        }
        // What was waited for and checked belongs to the action that a script repeats.
        let (wait, checks) = if effect.is_valid() {
            (std::mem::take(&mut self.journal.pending_wait), std::mem::take(&mut self.journal.pending_checks))
        } else {
            (WaitRecord::default(), Vec::new())
        };
        let record = order.record(step, [&before, seen], effect.clone(), &self.knowledge.lexicon);
        self.journal.append(ActionRecord { wait, checks, ..record });
        Ok(effect)
    }

    /// The effect of an action; a slow app is given a little time before it counts as none.
    async fn judged(
        &self,
        action: &Action,
        before: &Seen,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Effect, AgentError> {
        let rule = self.skills.get(action.skill()).map_or(Validity::ScreenChanges, |skill| skill.validity);
        let mut effect = judge(rule, action, before, seen, self.package.as_str());
        let slow =
            matches!(action, Action::Click { .. } | Action::LongPress { .. } | Action::InputByNumericKeyboard { .. });
        if effect.is_valid() || rule != Validity::ScreenChanges || !slow {
            return Ok(effect);
        }
        if self.eyes.device.wait_for_change(&before.hierarchy, SLOW_ANSWER).await? {
            *seen = self.eyes.look(recorder).await?;
            effect = judge(rule, action, before, seen, self.package.as_str());
        }
        // What moves all the time is no answer: the second picture must look like the first.
        if !effect.is_valid() && before.differs_in_picture(seen) {
            let first = seen.clone();
            *seen = self.eyes.look(recorder).await?;
            effect = judge(rule, action, before, seen, self.package.as_str());
            if !effect.is_valid() && before.differs_in_picture(seen) && !first.differs_in_picture(seen) {
                effect = Effect::PictureOnly;
            }
        }
        Ok(effect)
    }
}

pub(in crate::pipeline) fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1000.0
}
