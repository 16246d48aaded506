//! What a recorded action means, looked for on a changed screen: everything of the same kind that could be done there, ranked
//! by the step's sentence and by what is known of the recorded widget.
//!
//! It rather finds nothing than something else: a choice must be well meant, clearly ahead of the next one, and borne out by
//! more than one thing. What another action of the script is aimed at is never taken, nor what nobody asked for.

use crate::domain::{Action, InputText, Locator, PackageName, content_words, overlap, words};
use crate::hierarchy::{Role, Screen, Widget};
use crate::inference::{EmbedError, cosine};
use crate::lexicon::{Lexicon, unasked};
use crate::pipeline::{Parameter, Step};
use crate::ranking::{Candidate, Query, Ranked, Scorer, candidates, rank};
use crate::script::{Script, ScriptAction, ScriptTarget, locate};

/// What is looked for.
pub(super) struct Wish<'a> {
    /// The ranking.
    pub(super) scorer: &'a Scorer<'a>,
    /// Words of consequences.
    pub(super) lexicon: &'a Lexicon,
    /// The script.
    pub(super) script: &'a Script,
    /// The action that does not fit any more.
    pub(super) recorded: &'a ScriptAction,
    /// What it types, if it types.
    pub(super) text: Option<InputText>,
    /// The case's step it belongs to.
    pub(super) step: &'a Step,
    /// The case's parameters.
    pub(super) parameters: &'a [Parameter],
    /// The case's title.
    pub(super) title: &'a str,
    /// The app.
    pub(super) package: &'a PackageName,
}

/// What was found.
pub(super) struct Choice {
    /// The action to do.
    pub(super) chosen: Ranked,
    /// What came after it, best first.
    pub(super) others: Vec<Ranked>,
    /// Why this, in words.
    pub(super) why: String,
}

/// From this score on a candidate is taken to be meant.
const MEANT: f32 = 0.55;
/// How far it must be ahead of the next one.
const LEAD: f32 = 0.12;
/// A term from this on bears a choice out.
const TELLING: f32 = 0.08;
/// Most that each term adds.
const STEP: f32 = 0.25;
const LABEL: f32 = 0.45;
const ID: f32 = 0.2;
const PLACE: f32 = 0.2;
const KIND: f32 = 0.1;
/// Cosines from here on say that two labels mean the same, in part.
const UNLIKE: f32 = 0.3;
const ALIKE: f32 = 0.85;
/// Runners-up that are told.
const MOST_OTHERS: usize = 4;

impl Wish<'_> {
    /// The widget that is meant now, else why none is.
    ///
    /// # Errors
    /// The model fails.
    pub(super) fn choose(&self, screen: &Screen) -> Result<Result<Choice, String>, EmbedError> {
        let Some(target) = &self.recorded.target else {
            return Ok(Err("it is aimed at no widget that could be looked for".to_owned()));
        };
        let possible = self.possible(target, screen);
        if possible.is_empty() {
            return Ok(Err(format!("nothing on \"{}\" can be what {:?} was", screen.title, target.label)));
        }
        let mut ranked = self.rank(target, screen, possible)?;
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
        let mut ranked = ranked.into_iter();
        let Some(chosen) = ranked.next() else { return Ok(Err("nothing could be ranked".to_owned())) };
        let others: Vec<Ranked> = ranked.take(MOST_OTHERS).collect();
        let name = |one: &Ranked| one.candidate.action.target().map_or("", |target| &target.label).to_owned();
        if chosen.score < MEANT {
            let why = format!("the likeliest, {:?}, is not likely enough ({:.2})", name(&chosen), chosen.score);
            return Ok(Err(why));
        }
        if let Some(next) = others.first().filter(|next| chosen.score - next.score < LEAD) {
            let why = format!(
                "{:?} ({:.2}) and {:?} ({:.2}) are about as likely",
                name(&chosen),
                chosen.score,
                name(next),
                next.score
            );
            return Ok(Err(why));
        }
        let telling: Vec<&str> = chosen.terms.iter().filter(|term| term.1 >= TELLING).map(|term| term.0).collect();
        if telling.len() < 2 {
            let why = format!("only one thing speaks for {:?}: {}", name(&chosen), telling.join(""));
            return Ok(Err(why));
        }
        let why = format!("{:?} is not there; {:?} is likest by {}", target.label, name(&chosen), telling.join(", "));
        Ok(Ok(Choice { chosen, others, why }))
    }

    /// Everything of the recorded kind that could be done on the screen and is not meant by something else.
    fn possible(&self, target: &ScriptTarget, screen: &Screen) -> Vec<Candidate> {
        let taken = self.taken(target, screen);
        let mut possible: Vec<Candidate> = Vec::new();
        for candidate in candidates(screen, &[], self.package) {
            let Some(widget) = candidate.widget.and_then(|id| screen.widgets.get(id)) else { continue };
            let Some(action) = self.as_recorded(&candidate.action, widget) else { continue };
            let fits = widget.state.enabled
                && !taken.contains(&widget.id)
                && is_of_kind(widget, target)
                && self.keeps_values(target, widget)
                && !self.is_unasked(target, widget, screen);
            if fits && !possible.iter().any(|other| other.action == action) {
                possible.push(Candidate { action, ..candidate });
            }
        }
        possible
    }

    /// The candidate's action as the recorded one; `None` where it is of another kind.
    fn as_recorded(&self, action: &Action, widget: &Widget) -> Option<Action> {
        match (self.recorded.skill.as_str(), action) {
            ("input_text", Action::Click { target }) if widget.role == Role::Field => {
                let secret = matches!(self.text, Some(InputText::Secret { .. }));
                // A secret goes where what is typed is hidden, else on purpose only.
                let safe = !secret || widget.state.password;
                let text = self.text.clone()?;
                safe.then(|| Action::InputText { target: target.clone(), text })
            }
            ("click", Action::Click { .. }) if widget.role != Role::Field => Some(action.clone()),
            ("click", Action::Click { .. }) if self.was_field() => Some(action.clone()),
            ("long_press", Action::LongPress { .. }) => Some(action.clone()),
            ("swipe_selector", Action::SwipeSelector { direction, .. })
                if Some(*direction) == self.recorded.direction =>
            {
                Some(action.clone())
            }
            _ => None,
        }
    }

    fn was_field(&self) -> bool {
        self.recorded.target.as_ref().is_some_and(|target| target.selector.class.contains("Edit"))
    }

    /// Widgets that other actions of the script name: they are known, and something else is looked for.
    fn taken(&self, target: &ScriptTarget, screen: &Screen) -> Vec<usize> {
        let others = self.script.actions.iter().filter_map(|action| action.target.as_ref());
        let others = others.filter(|other| other.label != target.label);
        let located = others.filter_map(|other| Some((locate(other, screen)?, other)));
        located.filter(|(located, other)| !located.is_by_place(other)).map(|(located, _)| located.widget.id).collect()
    }

    /// A value of the case that the recorded widget showed is shown by what takes its place: another bank is not this bank.
    fn keeps_values(&self, target: &ScriptTarget, widget: &Widget) -> bool {
        let plain = self.parameters.iter().filter_map(|parameter| match &parameter.value {
            InputText::Plain(value) if value.chars().count() > 1 => Some(value.as_str()),
            _ => None,
        });
        let mut shown = plain.filter(|value| holds(&target.label, value));
        shown.all(|value| holds(&widget.label, value))
    }

    fn is_unasked(&self, target: &ScriptTarget, widget: &Widget, screen: &Screen) -> bool {
        let languages = self.lexicon.languages_of(screen.widgets.iter().map(|widget| widget.label.as_str()));
        let asked = [self.step.original.as_str(), &self.step.instruction, self.title, &target.label];
        unasked(self.lexicon, &widget.label, languages, &asked).is_some()
    }

    fn rank(
        &self,
        target: &ScriptTarget,
        screen: &Screen,
        possible: Vec<Candidate>,
    ) -> Result<Vec<Ranked>, EmbedError> {
        let Step { instruction, sentence, original, named, .. } = self.step;
        let whole = if original.is_empty() { instruction } else { original };
        let query = Query { instruction, sentence, whole, named, done: &[], form_filled: false };
        let by_step = rank(self.scorer, screen, &query, possible)?;
        let mut texts: Vec<&str> = vec![&target.label];
        texts.extend(by_step.iter().map(|one| label_of(one, screen)));
        let vectors = self.scorer.embedder.embed(&texts)?;
        let (was, now) = vectors.split_first().ok_or_else(|| EmbedError("no vectors came back".into()))?;
        let best = by_step.first().map_or(0.0, |first| first.score);
        let mut ranked = Vec::new();
        for (one, vector) in by_step.into_iter().zip(now) {
            let Some(widget) = one.candidate.widget.and_then(|id| screen.widgets.get(id)) else { continue };
            // How well the step means it, beside what it means best.
            let by_step = if best > 0.0 { (one.score / best.max(0.5)).clamp(0.0, 1.0) } else { 0.0 };
            let meaning = ((cosine(was, vector) - UNLIKE) / (ALIKE - UNLIKE)).clamp(0.0, 1.0);
            let label = likeness(&target.label, &widget.label).max(meaning);
            let terms: Vec<(&'static str, f32)> = [
                ("the step's sentence", STEP * by_step),
                ("the recorded label", LABEL * if target.label.is_empty() { 0.0 } else { label }),
                ("the recorded id", ID * id_likeness(target, widget)),
                ("the recorded place", PLACE * self.place(target, widget, screen)),
                ("the recorded kind", KIND * f32::from(u8::from(widget.class == target.selector.class))),
            ]
            .into_iter()
            .filter(|term| term.1 > 0.0)
            .collect();
            ranked.push(Ranked { score: terms.iter().map(|term| term.1).sum(), candidate: one.candidate, terms });
        }
        Ok(ranked)
    }

    /// How much the place is the recorded one, 0 to 1: the same on a screen of the same structure tells most.
    fn place(&self, target: &ScriptTarget, widget: &Widget, screen: &Screen) -> f32 {
        let path = |locator: &&Locator| matches!(locator, Locator::Path(_));
        let same_path = target.selector.chain.iter().find(path) == widget.selector.chain.iter().find(path);
        if same_path && screen.fingerprint == self.recorded.before {
            return 1.0;
        }
        let both = widget.bounds.intersection(target.bounds).map_or(0, |shared| shared.area());
        let either = widget.bounds.area() + target.bounds.area() - both;
        let shared = if either > 0 { both as f32 / either as f32 } else { 0.0 };
        if same_path { shared.max(0.5) } else { 0.8 * shared }
    }
}

fn label_of<'s>(one: &Ranked, screen: &'s Screen) -> &'s str {
    one.candidate.widget.and_then(|id| screen.widgets.get(id)).map_or("", |widget| &widget.label)
}

/// Fields are fields, keys of a keypad are keys, wheels are wheels; anything else that is touched may be drawn otherwise now.
fn is_of_kind(widget: &Widget, target: &ScriptTarget) -> bool {
    let same_class = widget.class == target.selector.class;
    match widget.role {
        Role::KeypadKey | Role::Selector | Role::Slider => same_class,
        _ => true,
    }
}

/// The text holds the value, whatever its case.
fn holds(text: &str, value: &str) -> bool {
    text.to_lowercase().contains(&value.to_lowercase())
}

/// Share of words two labels have in common, 0 to 1. Of a label that says several things, its first part counts, too.
fn likeness(was: &str, now: &str) -> f32 {
    let head = |text: &str| text.split(", ").next().unwrap_or_default().to_owned();
    let shared = |was: &str, now: &str| overlap(&words(was), &words(now));
    shared(was, now).max(shared(&head(was), &head(now)))
}

/// Share of words of the recorded resource id that the widget's has, 0 to 1.
fn id_likeness(target: &ScriptTarget, widget: &Widget) -> f32 {
    let id = target.selector.chain.iter().find_map(|locator| match locator {
        Locator::ResourceId(id) => Some(id.rsplit(['/', ':']).next().unwrap_or_default()),
        _ => None,
    });
    let Some(id) = id else { return 0.0 };
    let parted = id.replace(['_', '-', '.'], " ");
    overlap(&content_words(&parted), &content_words(&widget.id_words))
}
