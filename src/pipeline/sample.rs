//! A case at work on made-up screens, for tests.

use super::episode::{Episode, Knowledge};
use super::execute::{Change, Effect};
use super::journal::{ActionRecord, ControlMark, Journal, ScreenMark, WaitRecord};
use super::policy::{Weighed, weigh};
use super::propose::{Move, Source};
use super::screen_model::ScreenModel;
use super::task::{Clause, Parameter, Step};
use crate::app_map::AppMap;
use crate::domain::{Action, InputText, PackageName};
use crate::hierarchy::{Fingerprint, Screen, ScreenKind, Widget};
use crate::inference::sample::WordEmbedder;
use crate::ranking::{Cues, Scorer, Weights};
use crate::skill::Library;

/// The steps of a case, and what was done for them so far.
pub(super) struct Desk {
    knowledge: Knowledge,
    weights: Weights,
    cues: Cues,
    skills: Library,
    pub(super) parameters: Vec<Parameter>,
    clauses: Vec<Clause>,
    at: usize,
    expected: Vec<String>,
    pub(super) journal: Journal,
}

impl Desk {
    /// With steps, each with the names of the parameters that it mentions, and plain parameters.
    pub(super) fn new(steps: &[(&str, &[&str])], parameters: &[(&str, &str)]) -> Self {
        let plain =
            |(name, value): &(&str, &str)| Parameter { name: (*name).into(), value: InputText::Plain((*value).into()) };
        let parameters: Vec<Parameter> = parameters.iter().map(plain).collect();
        let knowledge = Knowledge::bundled().unwrap();
        let value =
            |name: &&str| parameters.iter().find(|one| one.name == **name).map(|one| one.value.expose().to_owned());
        let read = |(at, (instruction, mentions)): (usize, &(&str, &[&str]))| {
            let step = Step {
                index: at + 1,
                original: (*instruction).into(),
                instruction: (*instruction).into(),
                sentence: (*instruction).into(),
                mentions: mentions.iter().map(|name| (*name).to_owned()).collect(),
                named: mentions.iter().filter_map(value).collect(),
                ..Step::default()
            };
            Clause::read(&step, "", &knowledge.lexicon)
        };
        let clauses = steps.iter().enumerate().map(read).collect();
        let mut journal = Journal::default();
        journal.begin_clause();
        Self {
            knowledge,
            weights: Weights::bundled().unwrap(),
            cues: Cues::bundled().unwrap(),
            skills: Library::bundled().unwrap(),
            parameters,
            clauses,
            at: 0,
            expected: Vec::new(),
            journal,
        }
    }

    /// The case expects these texts, and they are there.
    pub(super) fn expecting(mut self, texts: &[&str]) -> Self {
        self.expected = texts.iter().map(|text| (*text).to_owned()).collect();
        self
    }

    /// Reads the first step anew: it quotes a text.
    pub(super) fn quoting(mut self, text: &str) -> Self {
        let mut step = self.clauses[0].step.clone();
        (step.quoted, step.named) = (vec![text.to_owned()], vec![text.to_owned()]);
        self.clauses[0] = Clause::read(&step, "", &self.knowledge.lexicon);
        self
    }

    /// Adds a parameter whose value is secret.
    pub(super) fn with_secret(mut self, name: &str, value: &str) -> Self {
        self.parameters.push(Parameter {
            name: name.into(),
            value: InputText::Secret { name: name.into(), value: crate::domain::Secret::new(value) },
        });
        self
    }

    /// Goes on to the next step.
    pub(super) fn next(&mut self) {
        self.at += 1;
        self.journal.begin_clause();
    }

    /// Notes that the control of that label was touched, and what screen came of it: the very same where nothing did.
    pub(super) fn touched(&mut self, label: &str, before: &Screen, after: &Screen, source: Source) {
        let widget = labelled(before, label);
        let action = Action::Click { target: widget.target() };
        self.did(action, None, (before, Some(widget)), after, source);
    }

    /// Notes that a parameter's value was typed into the field of that label.
    pub(super) fn typed(&mut self, parameter: &str, label: &str, before: &Screen, after: &Screen) {
        let widget = labelled(before, label);
        let value = self.parameters.iter().find(|one| one.name == parameter).unwrap().value.clone();
        let action = Action::InputText { target: widget.target(), text: value };
        self.did(action, Some(parameter), (before, Some(widget)), after, Source::Input);
    }

    /// Notes that the enter key was pressed.
    pub(super) fn entered(&mut self, before: &Screen, after: &Screen) {
        self.did(Action::PressEnter, None, (before, None), after, Source::Key);
    }

    /// Notes that the back key was pressed.
    pub(super) fn went_back(&mut self, before: &Screen, after: &Screen) {
        self.did(Action::PressBack, None, (before, None), after, Source::Key);
    }

    fn did(
        &mut self,
        action: Action,
        parameter: Option<&str>,
        (before, widget): (&Screen, Option<&Widget>),
        after: &Screen,
        source: Source,
    ) {
        // What was touched and left the page as it was had no effect; a text may be typed into a page that looks the same.
        let idle = matches!(action, Action::Click { .. }) && std::ptr::eq(before, after);
        let model = ScreenModel::recognise(before, &self.knowledge.lexicon);
        self.journal.append(ActionRecord {
            step: self.at + 1,
            clause: 0,
            action,
            held: 0,
            before: ScreenMark::of_screen(before),
            after: ScreenMark::of_screen(after),
            effect: if idle { Effect::None("nothing changed".into()) } else { Effect::Changed(Change::Screen) },
            source,
            meaning: 1.0,
            understood: 0.5,
            parameter: parameter.map(str::to_owned),
            control: widget.and_then(|widget| ControlMark::of(&model, widget.id)),
            text: widget.map_or_else(String::new, |widget| widget.label.clone()),
            share: 1.0,
            wait: WaitRecord::default(),
            checks: Vec::new(),
            alternatives: Vec::new(),
        });
    }

    /// Everything that could be done for the step at work, best first.
    pub(super) fn options(&self, screen: &Screen) -> Vec<Weighed> {
        let model = ScreenModel::recognise(screen, &self.knowledge.lexicon);
        let package = PackageName::from("app");
        let scorer = Scorer { embedder: &WordEmbedder, weights: &self.weights, cues: &self.cues, skills: &self.skills };
        let map = AppMap::default();
        let episode = Episode {
            clause: &self.clauses[self.at],
            previous: self.at.checked_sub(1).map(|before| &self.clauses[before]),
            later: &self.clauses[self.at + 1..],
            journal: &self.journal,
            parameters: &self.parameters,
            package: &package,
            knowledge: &self.knowledge,
            scorer: &scorer,
            map: &map,
            expectations_hold: (!self.expected.is_empty()).then_some(true),
            expected: &self.expected,
            seed: 0,
        };
        weigh(&episode, &model).unwrap().weighed
    }

    /// What is done for the step at work: `touch X`, `type X into Y`, another action's name, `done`, or `nothing`.
    pub(super) fn choice(&self, screen: &Screen) -> String {
        let options = self.options(screen);
        let best = options.iter().find(|one| one.veto.is_none() && one.score >= 0.0);
        best.map_or_else(|| "nothing".to_owned(), |one| told(&one.proposal.action))
    }
}

fn told(action: &Move) -> String {
    match action {
        Move::Done => "done".to_owned(),
        Move::Act(Action::Click { target }) => format!("touch {}", target.label),
        Move::Act(Action::InputText { target, text: InputText::Plain(text) }) => {
            format!("type {text} into {}", target.label)
        }
        Move::Act(action) => action.skill().to_string(),
    }
}

fn labelled<'s>(screen: &'s Screen, label: &str) -> &'s Widget {
    screen.widgets.iter().find(|widget| widget.label == label).unwrap()
}

/// The screen with a title and a fingerprint of its own.
pub(super) fn page(title: &str, number: u64, mut screen: Screen) -> Screen {
    screen.title = title.to_owned();
    (screen.fingerprint, screen.digest) = (Fingerprint(number), number);
    screen
}

/// The screen as a window over another.
pub(super) fn window(mut screen: Screen) -> Screen {
    screen.kind = ScreenKind::Dialog;
    screen
}
