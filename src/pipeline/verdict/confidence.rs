//! The probability that a clause that counts as done was carried out.

use crate::pipeline::clause_end::ClauseEnd;
use crate::pipeline::outcome::Confidence;
use crate::pipeline::policy::{Feature, Features, Options};
use crate::pipeline::propose::Move;
use crate::pipeline::task::Clause;

/// Probability of a clause whose best action fits this little and whose effects are unknown.
const PRIOR: f32 = 0.35;
/// Probability of a clause for which nothing was done and nothing shows that nothing had to be.
const UNEARNED: f32 = 0.3;
/// Probability of a clause for which nothing had to be done: what is so already may be so by chance.
const UNTOUCHED: f32 = 0.85;
/// Score of the best other thing where there is none.
const NOTHING_LEFT: f32 = -0.5;

/// How sure it is that the clause was carried out, from the features of its end.
pub(crate) fn confidence(features: &Features, clause: &Clause) -> Confidence {
    let is_goal = clause.is_goal;
    let has = |feature: Feature| features.get(feature) > 0.0;
    let mut value = if has(Feature::ExpectationsHold) {
        0.95
    } else if has(Feature::AlreadySo) {
        UNTOUCHED
    } else if has(Feature::Unearned) {
        UNEARNED
    } else {
        PRIOR + 0.6 * features.get(Feature::ActedFit).clamp(0.0, 1.0)
    };
    let mut doubts = Vec::new();
    if has(Feature::Unearned) {
        doubts.push("nothing was carried out for it");
    }
    let mut against = |feature: Feature, factor: f32, told: &'static str| {
        let amount = features.get(feature).clamp(0.0, 1.0);
        if amount > 0.0 {
            value *= 1.0 - (1.0 - factor) * amount;
            doubts.push(told);
        }
    };
    against(Feature::Owed, 0.45, "something that it names was not met");
    against(Feature::DialogOpen, 0.5, "a window waits for an answer");
    against(Feature::FormOpen, 0.8, "the form was not sent");
    against(Feature::NotCommitted, 0.6, "nothing was sent or confirmed");
    against(Feature::OnlyLooked, 0.6, "it was only looked for");
    against(Feature::Complained, 0.5, "the app complained");
    against(Feature::CountLeft, 0.4, "fewer were added than it asks for");
    against(Feature::ValueLeft, 0.6, "a value in sight is not as wanted");
    against(Feature::ChoiceLeft, 0.6, "a choice that it names is not as wanted");
    // What does not come of it may be the app's fault, and more often means that something is missing: a goal is nothing else.
    let open = if is_goal { 0.5 } else { 0.8 };
    against(Feature::ExpectationsOpen, open, "what is expected has not come");
    if has(Feature::Committed) {
        value = (value + 0.1).min(1.0);
    }
    if has(Feature::PageOpen) {
        value = value.max(0.9);
    }
    if features.get(Feature::ActedFit) < 0.6 && !has(Feature::AlreadySo) && !has(Feature::PageOpen) {
        doubts.push("what was done hardly fits its words");
    }
    let doubt = if doubts.is_empty() { "nothing speaks against it".to_owned() } else { doubts.join(", ") };
    Confidence { value: value.clamp(0.0, 1.0), doubt, unmet: has(Feature::ThingsOwed) }
}

/// The end of a clause as it was weighed among all that could be done; `None` where no end was proposed.
pub(crate) fn clause_end(clause: &Clause, options: &Options) -> Option<ClauseEnd> {
    let (ends, others): (Vec<_>, Vec<_>) = options.weighed.iter().partition(|one| one.proposal.action == Move::Done);
    let end = ends.first()?;
    let best_other = others.iter().filter(|one| one.veto.is_none()).map(|one| one.score).fold(NOTHING_LEFT, f32::max);
    let features = end.proposal.features.clone();
    let sure = confidence(&features.clone().with(Feature::ExpectationsOpen, 0.0), clause).value;
    Some(ClauseEnd { clause: 0, features, score: end.score, best_other, sure })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_make_sure_and_open_ends_do_not() {
        let lexicon = crate::lexicon::Lexicon::bundled().unwrap();
        let clause = Clause::read(&crate::pipeline::task::Step::default(), "", &lexicon);
        let done = |features: Features| confidence(&features, &clause).value;
        let plain = Features::default().with(Feature::Acted, 1.0).with(Feature::ActedFit, 1.0);
        assert!(done(plain.clone()) > 0.85);
        assert!(done(plain.clone().with(Feature::Owed, 1.0)) < 0.6);
        assert!(done(plain.with(Feature::DialogOpen, 1.0)) < 0.6);
        assert!(done(Features::default().with(Feature::Unearned, 1.0)) < 0.35);
        assert!(done(Features::default().with(Feature::Acted, 1.0).with(Feature::ActedFit, 0.4)) < 0.7);
    }
}
