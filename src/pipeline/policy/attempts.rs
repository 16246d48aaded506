//! Attempts: after a dead end the case starts over, and one decision is taken otherwise.
//!
//! The decisions of all attempts are a tree. Each attempt follows the policy except for the decisions at which it forks from an
//! earlier attempt. Which fork comes next is a best-first search by what the policy gives away there: the scores are fitted
//! listwise, so a difference of scores is the logarithm of how much likelier one option is than another.

use super::Feature;
use super::choose::{Chooser, Decision, MIN_SCORE, Options, Weighed};
use crate::domain::{Action, InputText};
use crate::pipeline::episode::Episode;
use crate::pipeline::propose::Move;
use crate::pipeline::screen_model::ScreenModel;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Options of a decision that may be taken in place of the chosen one.
const MAX_OPTIONS: usize = 6;
/// Below this score an option is not even taken where all others led to a dead end.
const MIN_ALTERNATIVE: f32 = -0.35;
/// What a fork loses for every decision between it and the dead end: the mistake is rarely far from where it shows.
const PER_DECISION: f32 = 0.02;

/// What a fork loses in a clause that was surely carried out.
const IN_SURE_CLAUSE: f32 = 0.5;
/// What a way gains for every clause more that it carried out than the one it forked from.
const PER_PROGRESS: f32 = 0.3;

/// How far an attempt came.
#[derive(Debug, Clone, Default)]
pub struct Progress {
    /// How sure it is that each clause was carried out, 0 to 1, in their order; those never begun are missing.
    pub clauses: Vec<f32>,
    /// Share of what is expected that holds at its end, 0 to 1.
    pub held: f32,
    /// The first step that ended without any effect of what it names: another thing may have been taken.
    pub unmet: Option<usize>,
}

impl Progress {
    /// How far it came, in clauses.
    fn worth(&self) -> f32 {
        self.clauses.iter().sum::<f32>() + self.held
    }
}

/// Where in a case a decision is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Position {
    /// Number of the clause, from 1.
    clause: usize,
    /// Actions before it in the attempt.
    actions: usize,
}

/// One decision of an attempt.
#[derive(Debug, Clone)]
struct Decided {
    at: Position,
    /// What was chosen; `None` where nothing was worth it.
    chosen: Option<u64>,
    /// Score of what was chosen, or of what would just have been worth it.
    score: f32,
    /// What could have been chosen in its place, with its score and in words.
    options: Vec<(u64, f32, String)>,
}

/// A way to begin an attempt: the decisions of an earlier one up to a fork, then another option.
#[derive(Debug, Clone)]
struct Fork {
    plan: Vec<(Position, u64)>,
    /// What the policy gives away in all forks of the way.
    cost: f32,
    /// How far the attempt came that it forks from, in clauses.
    worth: f32,
    /// The option taken at the fork, in words.
    told: String,
}

#[derive(Debug, Default)]
struct State {
    /// Decisions that the attempt at work has to take.
    plan: Vec<(Position, u64)>,
    /// What its forks gave away.
    cost: f32,
    /// How far the attempt came that it forked from, in clauses.
    worth: f32,
    /// Its decisions so far.
    decided: Vec<Decided>,
    /// Ways to begin that were not tried yet.
    forks: Vec<Fork>,
    /// Ways to begin that are known.
    known: BTreeSet<u64>,
}

/// Chooses by the policy, and takes one decision otherwise in each attempt after the first.
#[derive(Debug, Default)]
pub struct Attempts(Mutex<State>);

impl Attempts {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True if the attempt at work takes a decision otherwise than the policy.
    pub fn strays(&self) -> bool {
        !self.state().plan.is_empty()
    }

    /// Ends an attempt that came to a dead end and prepares the next: the likeliest fork that was not tried. Returns what it
    /// will do otherwise, in words; `None` if nothing else is left to try.
    pub fn start_over(&self, progress: &Progress) -> Option<String> {
        let mut state = self.state();
        let state = &mut *state;
        let decided = std::mem::take(&mut state.decided);
        let worth = progress.worth();
        let begun_with = state.cost - PER_PROGRESS * (worth - state.worth).max(0.0);
        let sure =
            |clause: usize| clause.checked_sub(1).and_then(|at| progress.clauses.get(at)).copied().unwrap_or(0.0);
        let begun = state.plan.len();
        for (at, decision) in decided.iter().enumerate().skip(begun) {
            let far = PER_DECISION * (decided.len() - 1 - at) as f32;
            let later: Vec<u64> = decided.iter().skip(at + 1).filter_map(|later| later.chosen).collect();
            for (key, score, told) in &decision.options {
                // Another order of the same actions is no other way.
                if Some(*key) == decision.chosen || later.contains(key) {
                    continue;
                }
                let taken = decided.get(..at).unwrap_or_default().iter();
                let mut plan: Vec<(Position, u64)> = taken.filter_map(|one| Some((one.at, one.chosen?))).collect();
                plan.push((decision.at, *key));
                if state.known.insert(hash_of(&plan)) {
                    let given_away = (decision.score - score).max(0.0);
                    let cost = begun_with + given_away + far + IN_SURE_CLAUSE * sure(decision.at.clause);
                    state.forks.push(Fork { plan, cost, worth, told: told.clone() });
                }
            }
        }
        let best = state.forks.iter().enumerate().min_by(|one, other| one.1.cost.total_cmp(&other.1.cost));
        let at = best.map(|(at, _)| at)?;
        let Fork { plan, cost, worth, told } = state.forks.swap_remove(at);
        state.plan = plan;
        state.cost = cost;
        state.worth = worth;
        Some(told)
    }
}

impl Attempts {
    /// Takes a decision of the attempt at work and notes it: the planned option where it can still be taken, else the policy's.
    /// Returns its position; `None` where nothing is worth it.
    fn take(&self, at: Position, options: &Options) -> Option<usize> {
        let mut state = self.state();
        let open = |one: &&Weighed| one.veto.is_none() && one.score >= MIN_ALTERNATIVE && !is_risky(one);
        let planned = state.plan.iter().find(|(position, _)| *position == at).map(|(_, key)| *key);
        let can_be_taken = |key: u64| options.weighed.iter().position(|one| one.veto.is_none() && key_of(one) == key);
        let best = planned.and_then(can_be_taken).or_else(|| options.best());
        let chosen = best.and_then(|best| options.weighed.get(best));
        let others = options.weighed.iter().filter(open).take(MAX_OPTIONS);
        let decided = Decided {
            at,
            chosen: chosen.map(key_of),
            score: chosen.map_or(MIN_SCORE, |chosen| chosen.score),
            options: others.map(|one| (key_of(one), one.score, told(one))).collect(),
        };
        // What was only waited for is decided anew.
        if state.decided.last().is_some_and(|last| last.at == at) {
            state.decided.pop();
        }
        state.decided.push(decided);
        best
    }
}

impl Chooser for Attempts {
    fn choose(&self, episode: &Episode<'_>, _model: &ScreenModel<'_>, options: Options) -> Decision {
        let at = Position { clause: episode.journal.clause(), actions: episode.journal.records().len() };
        match self.take(at, &options) {
            Some(position) => options.pick(position),
            None => Decision::GiveUp(options.nothing, options.weighed),
        }
    }
}

/// What tells an option apart from the others of its screen.
fn key_of(weighed: &Weighed) -> u64 {
    let mut hasher = DefaultHasher::new();
    match &weighed.proposal.action {
        Move::Done => "done".hash(&mut hasher),
        Move::Act(action) => {
            action.skill().hash(&mut hasher);
            action.direction().map(|direction| direction.to_string()).hash(&mut hasher);
            if let Some(target) = action.target() {
                let bounds = target.bounds;
                (&target.label, bounds.left, bounds.top, bounds.right, bounds.bottom).hash(&mut hasher);
            }
            if let Action::InputText { text: InputText::Plain(text), .. } = action {
                text.hash(&mut hasher);
            }
            weighed.proposal.parameter.hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Features of what may change what nobody asked for, or belongs to another thing.
pub(super) const RISKY: [Feature; 5] =
    [Feature::RiskyGuess, Feature::OtherRow, Feature::VerbConflict, Feature::NotNamed, Feature::UndoesChoice];

/// True for what no attempt may take in place of something better: it may change what nobody asked for, or belongs to another
/// thing.
fn is_risky(weighed: &Weighed) -> bool {
    RISKY.iter().any(|feature| weighed.proposal.features.get(*feature) > 0.0)
}

/// An option in words.
fn told(weighed: &Weighed) -> String {
    weighed.proposal.action().map_or_else(|| "the step ends there".to_owned(), ToString::to_string)
}

fn hash_of(plan: &[(Position, u64)]) -> u64 {
    let mut hasher = DefaultHasher::new();
    plan.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::PackageName;
    use crate::inference::Reading;
    use crate::pipeline::policy::Features;
    use crate::pipeline::propose::{Proposal, Source};

    /// An option that opens the app `name`, which tells options apart as well as labels do.
    fn option(name: &str, score: f32) -> Weighed {
        let package = PackageName::from(name);
        let proposal = Proposal {
            action: Move::Act(Action::OpenApp { package }),
            widget: None,
            source: Source::Touch,
            features: Features::default(),
            parameter: Some(name.to_owned()),
            shown: None,
            reason: String::new(),
            text: String::new(),
        };
        Weighed { proposal, score, veto: None }
    }

    fn options(all: &[(&str, f32)]) -> Options {
        Options {
            weighed: all.iter().map(|(name, score)| option(name, *score)).collect(),
            nothing: String::new(),
            reading: Reading::default(),
        }
    }

    fn at(clause: usize, actions: usize) -> Position {
        Position { clause, actions }
    }

    /// What the attempt takes: names of the options by position.
    fn taken(attempts: &Attempts, position: Position, all: &[(&str, f32)]) -> Option<String> {
        let options = options(all);
        let taken = attempts.take(position, &options)?;
        options.weighed.get(taken)?.proposal.parameter.clone()
    }

    const FIRST: &[(&str, f32)] = &[("app.a", 0.9), ("app.b", 0.3)];
    const SECOND: &[(&str, f32)] = &[("app.c", 0.6), ("app.d", 0.5)];

    #[test]
    fn the_next_attempt_forks_where_the_policy_gives_away_least() {
        let attempts = Attempts::default();
        assert_eq!(taken(&attempts, at(1, 0), FIRST).as_deref(), Some("app.a"));
        assert_eq!(taken(&attempts, at(1, 1), SECOND).as_deref(), Some("app.c"));
        assert!(attempts.start_over(&Progress::default()).unwrap().contains("app.d"));
        assert_eq!(taken(&attempts, at(1, 0), FIRST).as_deref(), Some("app.a"));
        assert_eq!(taken(&attempts, at(1, 1), SECOND).as_deref(), Some("app.d"));
        assert!(attempts.start_over(&Progress::default()).unwrap().contains("app.b"));
        assert_eq!(taken(&attempts, at(1, 0), FIRST).as_deref(), Some("app.b"));
        assert_eq!(attempts.start_over(&Progress::default()), None);
    }

    #[test]
    fn a_clause_that_was_surely_carried_out_is_forked_last() {
        let attempts = Attempts::default();
        taken(&attempts, at(1, 0), &[("app.a", 0.9), ("app.b", 0.85)]);
        taken(&attempts, at(2, 1), &[("app.c", 0.9), ("app.d", 0.6)]);
        let progress = Progress { clauses: vec![0.95], ..Progress::default() };
        assert!(attempts.start_over(&progress).unwrap().contains("app.d"));
    }

    #[test]
    fn another_order_of_the_same_actions_is_no_other_way() {
        let attempts = Attempts::default();
        taken(&attempts, at(1, 0), &[("app.a", 0.9), ("app.b", 0.8)]);
        taken(&attempts, at(1, 1), &[("app.b", 0.8)]);
        assert_eq!(attempts.start_over(&Progress::default()), None);
    }

    #[test]
    fn what_is_risky_is_no_other_way_and_what_is_hopeless_neither() {
        let attempts = Attempts::default();
        let mut risky = option("app.b", 0.8);
        risky.proposal.features.set(Feature::RiskyGuess, 1.0);
        let weighed = vec![option("app.a", 0.9), risky, option("app.c", -0.9)];
        attempts.take(at(1, 0), &Options { weighed, nothing: String::new(), reading: Reading::default() });
        assert_eq!(attempts.start_over(&Progress::default()), None);
    }

    #[test]
    fn a_decision_after_a_wait_takes_the_place_of_the_one_before() {
        let attempts = Attempts::default();
        taken(&attempts, at(1, 0), &[("app.a", 0.9), ("app.b", 0.8)]);
        taken(&attempts, at(1, 0), &[("app.a", 0.9)]);
        assert_eq!(attempts.start_over(&Progress::default()), None);
    }
}
