//! What an evaluation of the ranking found.

use super::Latency;
use super::ranking::is_hit;
use super::ranking_labels::Label;
use crate::domain::Action;
use crate::ranking::{Ranked, Weights};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// Skills that are about a widget: what the targets are about.
const WIDGET_SKILLS: [&str; 3] = ["click", "long_press", "input_text"];

/// Shares of labels whose target is among the first so many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct HitAt {
    /// The first.
    #[serde(rename = "1")]
    pub one: f64,
    /// The first two.
    #[serde(rename = "2")]
    pub two: f64,
    /// The first three.
    #[serde(rename = "3")]
    pub three: f64,
}

/// Figures of a group of labels.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RankingScore {
    /// Labels.
    pub n: usize,
    /// Hits.
    pub hit_at: HitAt,
    /// Share whose target is a candidate at all.
    pub reachable: f64,
    /// Share with the right skill on top.
    pub skill_accuracy: f64,
    #[serde(skip)]
    hits: [usize; 3],
    #[serde(skip)]
    reached: usize,
    #[serde(skip)]
    skills: usize,
}

/// How often something is chosen where nothing fits, and nothing where something does.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct NoneOfThese {
    /// Below this score nothing fits.
    pub threshold: f32,
    /// Share of instructions put to a screen of another app that something was chosen for.
    pub false_positives: f64,
    /// Share of right choices that the threshold would refuse.
    pub lost: f64,
    /// The same for other thresholds: threshold, false positives, lost.
    pub others: Vec<(f32, f64, f64)>,
}

/// The figures of one model.
#[derive(Debug, Clone, Serialize)]
pub struct RankingReport {
    /// The model.
    pub model: String,
    /// All labels.
    #[serde(flatten)]
    pub total: RankingScore,
    /// Labels about widgets: touching, long-pressing, typing.
    pub widgets: RankingScore,
    /// By style of the instruction.
    pub by_style: BTreeMap<String, RankingScore>,
    /// By language.
    pub by_lang: BTreeMap<String, RankingScore>,
    /// English, and all others together; about widgets.
    pub english_or_not: BTreeMap<String, RankingScore>,
    /// By skill.
    pub by_skill: BTreeMap<String, RankingScore>,
    /// Screens that have nothing in common with what was trained on, counted on their own, where they were asked for.
    pub apart: BTreeMap<String, RankingScore>,
    /// Share of scrolls that went the right way, of those that were chosen where the label asks for one.
    pub direction_accuracy: Option<f64>,
    /// Choosing nothing.
    pub none_of_these: Option<NoneOfThese>,
    /// Milliseconds of decisions, each label asked once.
    pub latency_ms: Latency,
    /// The first decision on a screen, nothing kept.
    pub cold_ms: Latency,
    /// The same decision again.
    pub warm_ms: Latency,
    /// Decisions a second, each label asked once.
    pub decisions_per_s: f64,
}

/// Sums up.
#[derive(Default)]
pub(super) struct Tally {
    total: RankingScore,
    widgets: RankingScore,
    by_style: BTreeMap<String, RankingScore>,
    by_lang: BTreeMap<String, RankingScore>,
    english_or_not: BTreeMap<String, RankingScore>,
    by_skill: BTreeMap<String, RankingScore>,
    apart: BTreeMap<String, RankingScore>,
    directions: (usize, usize),
    /// Scores of right first choices about widgets.
    right: Vec<f32>,
    /// Scores of first choices about widgets where nothing fits; `None` where something else was chosen.
    wrong: Vec<Option<f32>>,
    times: Vec<f64>,
    cold: Vec<f64>,
    warm: Vec<f64>,
}

impl Tally {
    /// A first decision on a screen, nothing kept.
    pub(super) fn cold(&mut self, time: Duration) {
        self.cold.push(time.as_secs_f64() * 1000.0);
    }

    /// A decision, and the same again.
    pub(super) fn time(&mut self, first: Duration, again: Duration) {
        self.times.push(first.as_secs_f64() * 1000.0);
        self.warm.push(again.as_secs_f64() * 1000.0);
    }

    pub(super) fn label(&mut self, label: &Label, is_apart: bool, ranked: &[Ranked]) {
        let place = ranked.iter().position(|ranked| is_hit(label, &ranked.candidate));
        let skill = ranked.first().is_some_and(|best| best.candidate.action.skill() == label.skill);
        let about_widget = WIDGET_SKILLS.contains(&label.skill.as_str());
        let groups = [
            Some(&mut self.total),
            about_widget.then_some(&mut self.widgets),
            Some(self.by_style.entry(label.style.clone()).or_default()),
            Some(self.by_lang.entry(label.lang.clone()).or_default()),
            about_widget.then(|| {
                let group = if label.lang == "en" { "english" } else { "others" };
                self.english_or_not.entry(group.to_owned()).or_default()
            }),
            Some(self.by_skill.entry(label.skill.clone()).or_default()),
            is_apart.then(|| {
                let group = if about_widget { "apart, widgets" } else { "apart, other" };
                self.apart.entry(group.to_owned()).or_default()
            }),
        ];
        for score in groups.into_iter().flatten() {
            score.note(place, skill);
        }
        if let Some(best) = ranked.first() {
            if place == Some(0) && about_widget {
                self.right.push(best.score);
            }
            if let (Action::Scroll { direction, .. }, Some(wanted)) = (&best.candidate.action, &label.direction) {
                self.directions.0 += usize::from(direction.to_string() == *wanted);
                self.directions.1 += 1;
            }
        }
    }

    /// What was chosen for an instruction on a screen of another app.
    pub(super) fn foreign(&mut self, ranked: &[Ranked]) {
        let best = ranked.first().filter(|best| best.candidate.widget.is_some());
        self.wrong.push(best.map(|best| best.score));
    }

    pub(super) fn finish(mut self, model: &str, weights: &Weights) -> RankingReport {
        let share = |part: usize, all: usize| if all == 0 { 0.0 } else { part as f64 / all as f64 };
        let groups = self
            .by_style
            .values_mut()
            .chain(self.by_lang.values_mut())
            .chain(self.by_skill.values_mut())
            .chain(self.english_or_not.values_mut())
            .chain(self.apart.values_mut());
        for score in groups.chain([&mut self.total, &mut self.widgets]) {
            score.finish();
        }
        let at = |threshold: f32| {
            let chosen = self.wrong.iter().flatten().filter(|score| **score >= threshold).count();
            let lost = self.right.iter().filter(|score| **score < threshold).count();
            (threshold, share(chosen, self.wrong.len()), share(lost, self.right.len()))
        };
        let (threshold, false_positives, lost) = at(weights.nothing_fits);
        let others = (4..=24).map(|n| at(n as f32 * 0.05)).collect();
        // With the screens of one app only, there is nothing to tell of.
        let none_of_these =
            (!self.wrong.is_empty()).then_some(NoneOfThese { threshold, false_positives, lost, others });
        let seconds = self.times.iter().sum::<f64>() / 1000.0;
        RankingReport {
            model: model.to_owned(),
            decisions_per_s: if seconds > 0.0 { self.total.n as f64 / seconds } else { 0.0 },
            total: self.total,
            widgets: self.widgets,
            by_style: self.by_style,
            by_lang: self.by_lang,
            english_or_not: self.english_or_not,
            by_skill: self.by_skill,
            apart: self.apart,
            direction_accuracy: (self.directions.1 > 0).then(|| share(self.directions.0, self.directions.1)),
            none_of_these,
            latency_ms: Latency::of(&mut self.times),
            cold_ms: Latency::of(&mut self.cold),
            warm_ms: Latency::of(&mut self.warm),
        }
    }
}

impl RankingScore {
    fn note(&mut self, place: Option<usize>, skill: bool) {
        self.n += 1;
        for (at, hits) in self.hits.iter_mut().enumerate() {
            *hits += usize::from(place.is_some_and(|place| place <= at));
        }
        self.reached += usize::from(place.is_some());
        self.skills += usize::from(skill);
    }

    fn finish(&mut self) {
        let share = |part: usize| if self.n == 0 { 0.0 } else { part as f64 / self.n as f64 };
        self.hit_at = HitAt { one: share(self.hits[0]), two: share(self.hits[1]), three: share(self.hits[2]) };
        self.reachable = share(self.reached);
        self.skill_accuracy = share(self.skills);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hit_counts_from_its_place_on() {
        let mut score = RankingScore::default();
        for place in [Some(0), Some(2), Some(9), None] {
            score.note(place, place.is_some());
        }
        score.finish();
        assert_eq!((score.hit_at.one, score.hit_at.two, score.hit_at.three), (0.25, 0.25, 0.5));
        assert_eq!((score.reachable, score.skill_accuracy), (0.75, 0.75));
    }

    #[test]
    fn nothing_measured_is_no_division_by_zero() {
        let report = Tally::default().finish("none", &Weights::PLAIN);
        assert_eq!((report.total.n, report.decisions_per_s), (0, 0.0));
        assert_eq!(report.direction_accuracy, None);
    }
}
