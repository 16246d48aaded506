//! Evidence on whose fault it is that a case did not pass: what the run did and what its last screen shows, as numbers.

use crate::pipeline::clause_end::ClauseEnd;
use crate::pipeline::journal::{ActionRecord, Journal};
use crate::pipeline::outcome::is_sure;
use crate::pipeline::policy::Feature;
use crate::pipeline::propose::Source;
use crate::pipeline::screen_model::Purpose;

/// What the last screen shows of what the case expects.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExpectationEvidence {
    /// Share of the expectations that hold, 0 to 1.
    pub held: f32,
    /// Share that holds and did not hold before the first action, 0 to 1.
    pub new: f32,
    /// Share that the screen contradicts, 0 to 1.
    pub contradicted: f32,
    /// A text that is expected is there with other numbers.
    pub other_numbers: bool,
    /// Expectations that do not hold.
    pub missing: usize,
    /// The greatest share of the words of a missing text that the screen shows, 0 to 1.
    pub words_there: f32,
    /// Expectations of the case.
    pub all: usize,
    /// A page is expected that is not in front.
    pub page_missing: bool,
    /// Something is there that must be gone.
    pub not_gone: bool,
}

/// Everything known of a run that did not pass.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// What was done.
    pub journal: &'a Journal,
    /// Clauses of the case.
    pub planned: usize,
    /// A clause could not be carried out; else what is expected did not come.
    pub stopped: bool,
    /// A parameter was neither entered nor chosen, nor seen.
    pub left_out: bool,
    /// Each finished clause is sure by itself, or what came later bears it out.
    pub borne_out: bool,
    /// What is expected.
    pub expected: &'a ExpectationEvidence,
}

/// One number that the evidence comes to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sign {
    /// Its name, and how it is read.
    Read(&'static str, fn(&Evidence<'_>) -> f32),
    /// A feature of the end of the clause at work.
    End(Feature),
    /// The greatest value of a feature over the ends of all finished clauses.
    Most(Feature),
}

impl Sign {
    /// The name in the model's file and in explanations.
    pub(super) fn name(self) -> String {
        match self {
            Self::Read(name, _) => name.to_owned(),
            Self::End(feature) => format!("end: {}", feature.key().replace('_', " ")),
            Self::Most(feature) => format!("any end: {}", feature.key().replace('_', " ")),
        }
    }

    /// What the evidence comes to.
    pub(super) fn of(self, evidence: &Evidence<'_>) -> f32 {
        match self {
            Self::Read(_, read) => read(evidence),
            Self::End(feature) => evidence.end().map_or(0.0, |end| end.features.get(feature)),
            Self::Most(feature) => evidence.finished_ends().map(|end| end.features.get(feature)).fold(0.0, f32::max),
        }
    }
}

/// All signs.
pub(super) const SIGNS: &[Sign] = &[
    Sign::Read("share of the steps that are done", |it| it.finished() as f32 / it.planned.max(1) as f32),
    Sign::Read("at the last step", |it| yes(it.at_last())),
    Sign::Read("stopped at a step", |it| yes(it.stopped)),
    Sign::Read("stopped at the last step", |it| yes(it.stopped && it.at_last())),
    Sign::Read("a parameter was left out", |it| yes(it.left_out)),
    Sign::Read("every step is borne out", |it| yes(it.borne_out)),
    Sign::Read("something named was not met", |it| {
        yes(it.finished_ends().any(|end| end.features.get(Feature::ThingsOwed) > 0.0))
    }),
    Sign::Read("share of the steps that are sure", |it| {
        it.finished_ends().filter(|end| is_sure(end.sure)).count() as f32 / it.finished_ends().count().max(1) as f32
    }),
    Sign::Read("how sure the least sure step is", |it| least(it.finished_ends().map(|end| end.sure), 1.0)),
    Sign::Read("how sure the last step is", |it| it.end().map_or(1.0, |end| end.sure)),
    Sign::Read("how sure the least sure step before it is", |it| {
        least(it.finished_ends().filter(|end| end.clause < it.journal.clause()).map(|end| end.sure), 1.0)
    }),
    Sign::Read("how sharp the least sharp choice was", |it| least(it.acts().map(|act| act.share), 1.0)),
    Sign::Read("how sharp the choices were", |it| {
        let logs: Vec<f32> = it.acts().map(|act| act.share.max(1e-6).ln()).collect();
        logs.iter().sum::<f32>() / logs.len().max(1) as f32
    }),
    Sign::Read("how sharp the least sharp choice before the last step was", |it| {
        least(it.acts().filter(|act| act.clause < it.journal.clause()).map(|act| act.share), 1.0)
    }),
    Sign::Read("least score of a step's end", |it| least(it.finished_ends().map(|end| end.score), 1.0)),
    Sign::Read("score of the last step's end", |it| it.end().map_or(0.0, |end| end.score)),
    Sign::Read("score of the best that was left", |it| it.end().map_or(-0.5, |end| end.best_other)),
    Sign::Read("actions", |it| log(it.acts().count())),
    Sign::Read("actions of the last step", |it| log(it.last_acts().count())),
    Sign::Read("actions without effect", |it| log(it.acts().filter(|act| !act.worked()).count())),
    Sign::Read("controls touched", |it| it.from(Source::Touch)),
    Sign::Read("controls touched in the last step", |it| it.lately_from(Source::Touch)),
    Sign::Read("looks around", |it| it.from(Source::Explore)),
    Sign::Read("looks around in the last step", |it| it.lately_from(Source::Explore)),
    Sign::Read("ways back", |it| it.from(Source::Back)),
    Sign::Read("ways back in the last step", |it| it.lately_from(Source::Back)),
    Sign::Read("known ways", |it| it.from(Source::Route)),
    Sign::Read("known ways in the last step", |it| it.lately_from(Source::Route)),
    Sign::Read("fit of the least fitting step", |it| {
        least((1..=it.journal.clause()).filter_map(|clause| it.fit(clause)), 1.0)
    }),
    Sign::Read("fit of the last step", |it| it.fit(it.journal.clause()).unwrap_or(0.0)),
    Sign::Read("the last action sends", |it| yes(it.last_act().is_some_and(sends))),
    Sign::Read("something was sent", |it| yes(it.acts().any(sends))),
    Sign::Read("the last action led to another page", |it| yes(it.last_act().is_some_and(ActionRecord::moved))),
    Sign::Read("share of what is expected that is there", |it| it.expected.held),
    Sign::Read("share of what is expected that has come", |it| it.expected.new),
    Sign::Read("share of what is expected that is contradicted", |it| it.expected.contradicted),
    Sign::Read("what is expected is there with other numbers", |it| yes(it.expected.other_numbers)),
    Sign::Read("expectations that do not hold", |it| log(it.expected.missing)),
    Sign::Read("share of a missing text's words that is there", |it| it.expected.words_there),
    Sign::Read("one thing is expected", |it| yes(it.expected.all == 1)),
    Sign::Read("an expected page is not in front", |it| yes(it.expected.page_missing)),
    Sign::Read("something is not gone", |it| yes(it.expected.not_gone)),
    Sign::End(Feature::OnlyLooked),
    Sign::End(Feature::PartLeft),
    Sign::End(Feature::FormOpen),
    Sign::End(Feature::DialogOpen),
    Sign::End(Feature::NotCommitted),
    Sign::End(Feature::Owed),
    Sign::End(Feature::ThingsOwed),
    Sign::End(Feature::ProperLeft),
    Sign::End(Feature::ValueLeft),
    Sign::End(Feature::ChoiceLeft),
    Sign::End(Feature::CommitLeft),
    Sign::End(Feature::VerbOwed),
    Sign::End(Feature::BetterLeft),
    Sign::End(Feature::Complained),
    Sign::End(Feature::ActedFit),
    Sign::End(Feature::AlreadySo),
    Sign::End(Feature::Committed),
    Sign::End(Feature::Fulfilled),
    Sign::End(Feature::Uncovered),
    Sign::End(Feature::SaidLeft),
    Sign::End(Feature::NewLeft),
    Sign::End(Feature::PhraseLeft),
    Sign::End(Feature::Remaining),
    Sign::End(Feature::NextFits),
    Sign::End(Feature::LikelyDone),
    Sign::Most(Feature::Owed),
    Sign::Most(Feature::ThingsOwed),
    Sign::Most(Feature::ProperLeft),
    Sign::Most(Feature::ValueLeft),
    Sign::Most(Feature::ChoiceLeft),
    Sign::Most(Feature::CommitLeft),
    Sign::Most(Feature::VerbOwed),
    Sign::Most(Feature::BetterLeft),
    Sign::Most(Feature::NotCommitted),
    Sign::Most(Feature::FormOpen),
    Sign::Most(Feature::PartLeft),
    Sign::Most(Feature::Uncovered),
    Sign::Most(Feature::SaidLeft),
    Sign::Most(Feature::NewLeft),
    Sign::Most(Feature::PhraseLeft),
    Sign::Most(Feature::OnlyLooked),
    Sign::Most(Feature::Unearned),
];

impl<'a> Evidence<'a> {
    /// Clauses that are finished.
    fn finished(&self) -> usize {
        self.journal.clause().saturating_sub(usize::from(self.stopped))
    }

    fn at_last(&self) -> bool {
        self.journal.clause() >= self.planned
    }

    /// The ends of finished clauses; those that only checked have none.
    fn finished_ends(&self) -> impl Iterator<Item = &'a ClauseEnd> {
        let finished = self.finished();
        self.journal.ends().iter().filter(move |end| end.clause <= finished)
    }

    /// The end of the last clause that did something, as it was weighed last.
    fn end(&self) -> Option<&'a ClauseEnd> {
        self.journal.ends().last()
    }

    /// What was decided for the case, without windows that were answered and waits.
    fn acts(&self) -> impl DoubleEndedIterator<Item = &'a ActionRecord> {
        let decided = |act: &&ActionRecord| !matches!(act.source, Source::Interruption | Source::Wait);
        self.journal.records().iter().filter(decided)
    }

    fn last_acts(&self) -> impl DoubleEndedIterator<Item = &'a ActionRecord> {
        let clause = self.journal.clause();
        self.acts().filter(move |act| act.clause == clause)
    }

    fn last_act(&self) -> Option<&'a ActionRecord> {
        self.acts().next_back()
    }

    fn from(&self, source: Source) -> f32 {
        log(self.acts().filter(|act| act.source == source).count())
    }

    fn lately_from(&self, source: Source) -> f32 {
        log(self.last_acts().filter(|act| act.source == source).count())
    }

    /// How well the best of what worked in a clause fits it; `None` where nothing was done.
    fn fit(&self, clause: usize) -> Option<f32> {
        let worked = self.acts().filter(|act| act.clause == clause && act.worked());
        worked.map(|act| act.meaning).max_by(f32::total_cmp)
    }
}

/// True for what sends or confirms.
fn sends(act: &ActionRecord) -> bool {
    let submits = act.control.as_ref().is_some_and(|control| control.purposes.has(Purpose::Submit));
    act.worked() && (act.source == Source::Commit || submits)
}

fn least(values: impl Iterator<Item = f32>, none: f32) -> f32 {
    values.min_by(f32::total_cmp).unwrap_or(none)
}

fn yes(is: bool) -> f32 {
    f32::from(u8::from(is))
}

/// Large counts differ less than small ones.
fn log(count: usize) -> f32 {
    (count as f32).ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::sample::{button, screen, text};
    use crate::pipeline::policy::Features;
    use crate::pipeline::sample::{Desk, page};

    #[test]
    fn the_signs_tell_what_was_done_and_what_came_of_it() {
        let mut desk = Desk::new(&[("Open the list", &[]), ("Send the order", &[])], &[]);
        let home = page("Home", 1, screen(vec![button("List"), button("Help")]));
        let list = page("List", 2, screen(vec![text("Two rolls"), button("Send order")]));
        let end = |score: f32, sure: f32| ClauseEnd {
            clause: 0,
            features: Features::default().with(Feature::VerbOwed, 1.0),
            score,
            best_other: 0.2,
            sure,
        };
        desk.touched("Help", &home, &home, Source::Explore);
        desk.touched("List", &home, &list, Source::Touch);
        desk.journal.weigh_end(end(0.1, 0.2));
        desk.journal.weigh_end(end(0.9, 0.95));
        desk.next();
        desk.touched("Send order", &list, &home, Source::Commit);
        desk.journal.weigh_end(end(-0.3, 0.4));
        let expected = ExpectationEvidence { held: 0.5, missing: 1, all: 2, ..ExpectationEvidence::default() };
        let evidence = Evidence {
            journal: &desk.journal,
            planned: 3,
            stopped: true,
            left_out: false,
            borne_out: true,
            expected: &expected,
        };
        let check = |name: &str, value: f32| {
            let sign = SIGNS.iter().find(|sign| sign.name() == name).unwrap_or_else(|| panic!("{name}"));
            assert!((sign.of(&evidence) - value).abs() < 1e-6, "{name}: {}", sign.of(&evidence));
        };
        check("share of the steps that are done", 1.0 / 3.0);
        check("at the last step", 0.0);
        check("stopped at a step", 1.0);
        check("how sure the least sure step is", 0.95);
        check("how sure the last step is", 0.4);
        check("least score of a step's end", 0.9);
        check("score of the best that was left", 0.2);
        check("actions", 3.0_f32.ln_1p());
        check("actions of the last step", 1.0_f32.ln_1p());
        check("actions without effect", 1.0_f32.ln_1p());
        check("looks around", 1.0_f32.ln_1p());
        check("looks around in the last step", 0.0);
        check("the last action sends", 1.0);
        check("the last action led to another page", 1.0);
        check("share of what is expected that is there", 0.5);
        check("expectations that do not hold", 1.0_f32.ln_1p());
        check("end: verb owed", 1.0);
    }
}
