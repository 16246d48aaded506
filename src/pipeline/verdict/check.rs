//! A step that checks: what it claims is looked for over the whole screen, and what held goes into the script.
//!
//! It has *failed* only where the screen says otherwise, or a text in quotation marks is nowhere. Where its words are not
//! understood, or the screen knows nothing of what they speak of, it is *blocked*: that is no word against the app.

use crate::case::{Claim, Taken, claims_more};
use crate::device::{Recorder, Seen};
use crate::domain::{
    ActionSource, Expectation, ExpectationOutcome, InputText, Secret, Verdict, content_words, holds_name, overlap,
    same_word, words,
};
use crate::hierarchy::{Role, Screen, Widget, check};
use crate::pipeline::agent::Agent;
use crate::pipeline::outcome::{AgentError, StepOutcome};
use crate::pipeline::task::Step;
use crate::ranking::Cues;
use crate::witness::{Witness, WitnessError};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long what is checked may take to appear.
const PATIENCE: Duration = Duration::from_secs(3);
/// The same where it may be another actor's doing.
const IN_COMPANY: Duration = Duration::from_secs(60);
/// Share of a text's and a step's words that must be the same where nothing is quoted.
const ALIKE: f32 = 0.5;
/// Words in which something that must not be there may be described, where it stands in no quotation marks.
const MOST_DESCRIBING: usize = 3;
/// What helps where a step is not understood.
const ADVICE: &str = "put what is to be seen in quotation marks, or say it as in: check that \"Wi-Fi\" is on; check that the total is \
                      \"5\"";

/// The step checks something and does nothing.
pub(in crate::pipeline) fn is_check(step: &Step, cues: &Cues) -> bool {
    !step.claims.is_empty() || cues.is_assertion(&step.instruction)
}

/// What came of a claim.
enum Finding {
    /// It holds: what is kept of it, and what shows it.
    Held(Expectation, String),
    /// The screen says otherwise.
    Contrary(String),
    /// The screen does not tell.
    Unclear(String),
}

impl Agent<'_> {
    /// A step that checks: what it claims must hold, now or soon.
    pub(in crate::pipeline) async fn check(
        &mut self,
        step: &Step,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<StepOutcome, AgentError> {
        if step.claims.is_empty() {
            return self.check_by_words(step, seen, recorder).await;
        }
        let (mut shown, mut found) = (Vec::new(), Vec::new());
        for claim in &step.claims {
            match self.judge(claim, step, seen, recorder).await? {
                Finding::Held(wanted, evidence) => {
                    found.extend(wanted.text_to_see().map(str::to_owned));
                    shown.push(evidence);
                    // What a replay would not find again on another day is not asked of it.
                    if lasts(claim, &wanted) && !self.journal.pending_checks.contains(&wanted) {
                        self.journal.pending_checks.push(wanted);
                    }
                }
                Finding::Contrary(reason) => return Ok(StepOutcome { unseen: true, ..StepOutcome::failed(reason) }),
                Finding::Unclear(_) if claim.taken.iter().all(|taken| taken.weak) => {
                    return self.check_by_words(step, seen, recorder).await;
                }
                Finding::Unclear(reason) => return Ok(StepOutcome::blocked(reason)),
            }
        }
        let mut outcome = StepOutcome::passed(shown.join("; "));
        outcome.corroboration.found = found;
        Ok(outcome)
    }

    /// The same for a step whose words claim nothing that can be told by a rule.
    async fn check_by_words(
        &self,
        step: &Step,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<StepOutcome, AgentError> {
        let cues = self.scorer.cues;
        let mut outcome = read(step, seen, cues);
        if outcome.verdict != Verdict::Passed && self.eyes.device.wait_for_change(&seen.hierarchy, PATIENCE).await? {
            *seen = self.eyes.look(recorder).await?;
            outcome = read(step, seen, cues);
        }
        outcome.unseen = outcome.verdict == Verdict::Failed;
        Ok(outcome)
    }

    async fn judge(
        &self,
        claim: &Claim,
        step: &Step,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Finding, AgentError> {
        // Of several ways to take it the first one counts that the screen knows of.
        let known = |taken: &&Taken| {
            let outcome = check(&named(taken, &seen.screen), &seen.screen);
            outcome.held || outcome.contradicted
        };
        let ways: Vec<&Taken> = match claim.taken.iter().find(known) {
            Some(first) => std::iter::once(first).chain(claim.taken.iter().filter(|other| *other != first)).collect(),
            None => claim.taken.iter().collect(),
        };
        let mut unclear = String::new();
        for taken in ways {
            let wanted = named(taken, &seen.screen);
            if taken.weak {
                let outcome = check(&wanted, &told(&seen.screen));
                if outcome.held {
                    return Ok(Finding::Held(wanted, outcome.evidence));
                }
                unclear = outcome.evidence;
                continue;
            }
            let outcome = self.look_for(&wanted, step, seen, recorder).await?;
            if outcome.held {
                return Ok(self.held(taken, wanted, outcome));
            }
            let labels = || seen.screen.widgets.iter().map(|widget| widget.label.as_str());
            let says = format!("expected {wanted}: {}", outcome.evidence);
            let of_screen = matches!(taken.wanted, Expectation::Visible(_) | Expectation::Screen(_));
            if outcome.contradicted && !matches!(taken.wanted, Expectation::Screen(_))
                || of_screen && (taken.literal || outcome.counterpart(labels()).is_some())
            {
                return Ok(Finding::Contrary(says));
            }
            if unclear.is_empty() {
                unclear = format!("{}; {ADVICE}", outcome.evidence);
            }
        }
        Ok(Finding::Unclear(unclear))
    }

    /// What holds, unless that something is nowhere only means that it is called something else.
    fn held(&self, taken: &Taken, wanted: Expectation, outcome: ExpectationOutcome) -> Finding {
        let Expectation::Absent(name) = &wanted else { return Finding::Held(wanted, outcome.evidence) };
        let name_words = content_words(name);
        let met = |text: &str| holds_all(text, &name_words);
        let had_to_do = self
            .journal
            .valid()
            .any(|record| met(&record.before.title) || record.action.target().is_some_and(|target| met(&target.label)));
        if taken.literal || (name_words.len() <= MOST_DESCRIBING && had_to_do) {
            return Finding::Held(wanted, outcome.evidence);
        }
        Finding::Unclear(format!("nothing is called {name:?}, and nothing was before; {ADVICE}"))
    }

    async fn look_for(
        &self,
        wanted: &Expectation,
        step: &Step,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<ExpectationOutcome, AgentError> {
        let secret = |text: &InputText| match text {
            InputText::Secret { name, value } => Some((name.clone(), value.clone())),
            InputText::Plain(_) => None,
        };
        let secrets: BTreeMap<String, Secret> =
            self.parameters.iter().filter_map(|parameter| secret(&parameter.value)).collect();
        let witness = Witness {
            eyes: &self.eyes,
            skills: self.skills,
            secrets: &secrets,
            patience: if self.patience.in_company { IN_COMPANY } else { PATIENCE },
            step: step.index,
            source: ActionSource::Agent,
            pictures: Vec::new(),
        };
        let untold = |evidence: String| ExpectationOutcome {
            expectation: wanted.to_string(),
            held: false,
            evidence,
            contradicted: false,
        };
        match witness.await_all(std::slice::from_ref(wanted), seen, recorder).await {
            Ok(found) => Ok(found.into_iter().next().unwrap_or_else(|| untold("nothing was seen".to_owned()))),
            Err(WitnessError::Device(error)) => Err(error.into()),
            Err(error @ WitnessError::Unreadable { .. }) => Ok(untold(error.to_string())),
        }
    }
}

/// What is claimed, in the words of the screen where something on it is described by the case's.
fn named(taken: &Taken, screen: &Screen) -> Expectation {
    let Taken { wanted, literal: false, control, .. } = taken else { return taken.wanted.clone() };
    let stated = |widget: &Widget| match wanted {
        Expectation::Checked { .. } => widget.state.checked.is_some(),
        Expectation::Visible(_) => *control || !matches!(widget.role, Role::Button | Role::Field),
        Expectation::Enabled { .. } | Expectation::Selected { .. } => widget.clickable || widget.role == Role::Button,
        _ => true,
    };
    let label = |name: &str| {
        let asked = content_words(name);
        let fits = |widget: &&Widget| stated(widget) && !asked.is_empty() && holds_all(&widget.label, &asked);
        let fitting = screen.widgets.iter().filter(fits).min_by_key(|widget| words(&widget.label).len());
        fitting.map_or_else(|| name.to_owned(), |widget| widget.label.clone())
    };
    match wanted {
        Expectation::Visible(name) => Expectation::Visible(label(name)),
        Expectation::Absent(name) => Expectation::Absent(label(name)),
        Expectation::Checked { widget, is } => Expectation::Checked { widget: label(widget), is: *is },
        Expectation::Enabled { widget, is } => Expectation::Enabled { widget: label(widget), is: *is },
        Expectation::Selected { widget, is } => Expectation::Selected { widget: label(widget), is: *is },
        // What stands beside a name is found by its words.
        other => other.clone(),
    }
}

/// The case itself says every number of what was found: "Order 4711, placed 07:43" is another order tomorrow.
fn lasts(claim: &Claim, wanted: &Expectation) -> bool {
    let figures = |text: &str| -> Vec<String> {
        words(text).into_iter().filter(|word| word.contains(|c: char| c.is_ascii_digit())).collect()
    };
    let said = claim.taken.iter().flat_map(|taken| figures(&taken.wanted.to_string())).collect::<Vec<_>>();
    figures(&wanted.to_string()).iter().all(|figure| said.contains(figure))
}

/// The screen without what can be done on it: "Card frozen" beside a switch that is off tells of no frozen card.
fn told(screen: &Screen) -> Screen {
    let tells = |widget: &&Widget| widget.state.checked.is_none() && !matches!(widget.role, Role::Button | Role::Field);
    let mut texts = screen.texts.clone();
    texts.shown.retain(|text| text.widget.and_then(|id| screen.widgets.get(id)).is_none_or(|widget| tells(&widget)));
    Screen {
        widgets: screen.widgets.iter().filter(tells).cloned().collect(),
        texts,
        screenshot: None,
        ..screen.clone()
    }
}

/// Every one of these words is among those of the text; what figures say is said to the letter.
fn holds_all(text: &str, asked: &[String]) -> bool {
    let own = words(text);
    let figure = |word: &String| word.contains(|c: char| c.is_ascii_digit());
    let told = |word: &String| {
        if figure(word) { holds_name(text, word) } else { own.iter().any(|other| same_word(other, word)) }
    };
    !asked.is_empty() && asked.iter().all(told)
}

/// Whether the screen says what a checking step wants as far as its words go: every text it names, else most of its words in
/// one text that is no control.
pub(super) fn read(step: &Step, seen: &Seen, cues: &Cues) -> StepOutcome {
    let title = &seen.screen.title;
    let shows = |name: &&String| {
        let name = name.to_lowercase();
        let holds = |widget: &Widget| {
            widget.label.to_lowercase().contains(&name) || widget.value.to_lowercase().contains(&name)
        };
        seen.screen.widgets.iter().any(holds)
    };
    if !step.named.is_empty() {
        if cues.is_negated(&step.instruction) {
            return match step.named.iter().find(shows) {
                None => StepOutcome::passed("the texts it names are not on the screen"),
                Some(name) => StepOutcome::failed(format!("{name:?} is on the screen \"{title}\"")),
            };
        }
        return match step.named.iter().find(|name| !shows(name)) {
            Some(name) => StepOutcome::failed(format!("{name:?} is not on the screen \"{title}\"")),
            None if claims_more(&step.instruction) => StepOutcome::blocked(format!(
                "what it claims of {:?} is not understood; {ADVICE}",
                step.named.join(", ")
            )),
            None => StepOutcome::passed("the texts it names are on the screen"),
        };
    }
    let asked = words(&step.instruction);
    let told = seen.screen.widgets.iter().filter(|widget| !matches!(widget.role, Role::Button | Role::Field));
    let texts = told.map(|widget| widget.label.as_str()).filter(|text| !text.is_empty());
    let best = texts.map(|text| (overlap(&words(text), &asked), text)).max_by(|a, b| a.0.total_cmp(&b.0));
    match best {
        Some((shared, text)) if shared >= ALIKE && !claims_more(&step.instruction) => {
            StepOutcome::passed(format!("the screen says {text:?}"))
        }
        Some((_, text)) => {
            StepOutcome::blocked(format!("nothing on the screen says so; nearest is {text:?}; {ADVICE}"))
        }
        None => StepOutcome::blocked("the screen holds no text"),
    }
}
