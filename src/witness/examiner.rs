//! A step that checks: what it claims is looked for over the whole screen.
//!
//! It has *failed* only where the screen says otherwise, or a text in quotation marks is nowhere. Where its words are not
//! understood, or the screen knows nothing of what they speak of, it is *blocked*: that is no word against the app.

use super::witness::{Witness, WitnessError};
use crate::case::{Claim, Taken, claims_more};
use crate::device::{DeviceError, Recorder, Seen};
use crate::domain::{
    Expectation, ExpectationOutcome, InputText, Secret, Verdict, content_words, holds_name, overlap, same_word, words,
};
use crate::hierarchy::{Role, Screen, Widget, check};
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

/// Who acts on the app while a step checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Company {
    /// Nobody else.
    Alone,
    /// Other actors, on devices of their own.
    Others,
}

impl Company {
    /// How long what is checked may take to appear.
    pub const fn patience(self) -> Duration {
        match self {
            Self::Alone => PATIENCE,
            Self::Others => IN_COMPANY,
        }
    }
}

/// What a checking step asks.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The step in words.
    pub instruction: &'a str,
    /// Texts it names.
    pub named: &'a [String],
    /// What it claims; empty where its words tell nothing by a rule.
    pub claims: &'a [Claim],
    /// It asks that what it names is not there.
    pub negated: bool,
}

/// What came of a check.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Passed, failed or blocked.
    pub verdict: Verdict,
    /// What shows it.
    pub reason: String,
    /// It failed for what was not to be seen, which may be for want of what was to be done before.
    pub unseen: bool,
    /// Texts that were found.
    pub found: Vec<String>,
    /// What held and can be asked of a replay.
    pub lasting: Vec<Expectation>,
}

impl Answer {
    fn new(verdict: Verdict, reason: impl Into<String>) -> Self {
        Self { verdict, reason: reason.into(), unseen: false, found: Vec::new(), lasting: Vec::new() }
    }
}

/// What came of one claim.
enum Finding {
    /// It holds: what is kept of it, and what shows it.
    Held(Expectation, String),
    /// The screen says otherwise.
    Contrary(String),
    /// The screen does not tell.
    Unclear(String),
}

/// Carries out steps that check.
pub struct Examiner<'a> {
    /// Looks for what is claimed.
    pub witness: Witness<'a>,
    /// Titles and labels that were met before, on the screens where something was done.
    pub met: Vec<String>,
}

impl Examiner<'_> {
    /// Checks a step: what it claims must hold, now or soon.
    pub async fn check(
        &self,
        question: &Question<'_>,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Answer, DeviceError> {
        self.witness.see_whole(seen, recorder).await?;
        if question.claims.is_empty() {
            return self.check_by_words(question, seen, recorder).await;
        }
        let mut answer = Answer::new(Verdict::Passed, "");
        let mut shown = Vec::new();
        for claim in question.claims {
            match self.judge(claim, seen, recorder).await? {
                Finding::Held(wanted, evidence) => {
                    answer.found.extend(wanted.text_to_see().map(str::to_owned));
                    shown.push(evidence);
                    // What a replay would not find again on another day is not asked of it.
                    if lasts(claim, &wanted) && !answer.lasting.contains(&wanted) {
                        answer.lasting.push(wanted);
                    }
                }
                Finding::Contrary(reason) => {
                    return Ok(Answer {
                        unseen: true,
                        lasting: answer.lasting,
                        ..Answer::new(Verdict::Failed, reason)
                    });
                }
                Finding::Unclear(_) if claim.taken.iter().all(|taken| taken.weak) => {
                    let by_words = self.check_by_words(question, seen, recorder).await?;
                    return Ok(Answer { lasting: answer.lasting, ..by_words });
                }
                Finding::Unclear(reason) => {
                    return Ok(Answer { lasting: answer.lasting, ..Answer::new(Verdict::Blocked, reason) });
                }
            }
        }
        answer.reason = shown.join("; ");
        Ok(answer)
    }

    /// The same for a step whose words claim nothing that can be told by a rule.
    async fn check_by_words(
        &self,
        question: &Question<'_>,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Answer, DeviceError> {
        let eyes = self.witness.eyes;
        let mut answer = read(question, &seen.screen);
        if answer.verdict != Verdict::Passed && eyes.device.wait_for_change(&seen.hierarchy, PATIENCE).await? {
            *seen = eyes.look(recorder).await?;
            self.witness.see_whole(seen, recorder).await?;
            answer = read(question, &seen.screen);
        }
        answer.unseen = answer.verdict == Verdict::Failed;
        Ok(answer)
    }

    async fn judge(&self, claim: &Claim, seen: &mut Seen, recorder: &mut dyn Recorder) -> Result<Finding, DeviceError> {
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
            let outcome = self.look_for(&wanted, seen, recorder).await?;
            if outcome.held {
                return Ok(self.held(taken, wanted, outcome));
            }
            let says = format!("expected {wanted}: {}", outcome.evidence);
            let of_screen = matches!(taken.wanted, Expectation::Visible(_) | Expectation::Screen(_));
            if outcome.contradicted && !matches!(taken.wanted, Expectation::Screen(_))
                || of_screen && (taken.literal || outcome.counterpart(seen.screen.wordings()).is_some())
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
        let had_to_do = self.met.iter().any(|text| met(text));
        if taken.literal || (name_words.len() <= MOST_DESCRIBING && had_to_do) {
            return Finding::Held(wanted, outcome.evidence);
        }
        Finding::Unclear(format!("nothing is called {name:?}, and nothing was before; {ADVICE}"))
    }

    async fn look_for(
        &self,
        wanted: &Expectation,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<ExpectationOutcome, DeviceError> {
        let untold = |evidence: String| ExpectationOutcome {
            expectation: wanted.to_string(),
            held: false,
            evidence,
            contradicted: false,
        };
        match self.witness.await_all(std::slice::from_ref(wanted), seen, recorder).await {
            Ok(found) => Ok(found.into_iter().next().unwrap_or_else(|| untold("nothing was seen".to_owned()))),
            Err(WitnessError::Device(error)) => Err(error),
            Err(error @ WitnessError::Unreadable { .. }) => Ok(untold(error.to_string())),
        }
    }
}

/// The secrets among named values, by their names.
pub fn secrets<'v>(values: impl Iterator<Item = &'v InputText>) -> BTreeMap<String, Secret> {
    let secret = |text: &InputText| match text {
        InputText::Secret { name, value } => Some((name.clone(), value.clone())),
        InputText::Plain(_) => None,
    };
    values.filter_map(secret).collect()
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

/// Whether the screen says what a checking step wants as far as its words go: every text it names, wherever it stands, else
/// most of its words in one text that is no control's.
pub fn read(question: &Question<'_>, screen: &Screen) -> Answer {
    let title = &screen.title;
    let shows = |name: &&String| check(&Expectation::Visible((*name).clone()), screen).held;
    if !question.named.is_empty() {
        if question.negated {
            return match question.named.iter().find(shows) {
                None => Answer::new(Verdict::Passed, "the texts it names are not on the screen"),
                Some(name) => Answer::new(Verdict::Failed, format!("{name:?} is on the screen \"{title}\"")),
            };
        }
        return match question.named.iter().find(|name| !shows(name)) {
            Some(name) => Answer::new(Verdict::Failed, format!("{name:?} is not on the screen \"{title}\"")),
            None if claims_more(question.instruction) => Answer::new(
                Verdict::Blocked,
                format!("what it claims of {:?} is not understood; {ADVICE}", question.named.join(", ")),
            ),
            None => Answer::new(Verdict::Passed, "the texts it names are on the screen"),
        };
    }
    let asked = words(question.instruction);
    let telling = told(screen);
    let inner = telling.texts.shown.iter().map(|text| text.text.as_str());
    let labelled = screen.widgets.iter().filter(|widget| !matches!(widget.role, Role::Button | Role::Field));
    let texts = inner.chain(labelled.map(|widget| widget.label.as_str())).filter(|text| !text.is_empty());
    let best = texts.map(|text| (overlap(&words(text), &asked), text)).max_by(|a, b| a.0.total_cmp(&b.0));
    match best {
        Some((shared, text)) if shared >= ALIKE && !claims_more(question.instruction) => {
            Answer::new(Verdict::Passed, format!("the screen says {text:?}"))
        }
        Some((_, text)) => {
            Answer::new(Verdict::Blocked, format!("nothing on the screen says so; nearest is {text:?}; {ADVICE}"))
        }
        None => Answer::new(Verdict::Blocked, "the screen holds no text"),
    }
}

#[cfg(test)]
#[path = "examiner_tests.rs"]
mod tests;
