//! A run as it happens, for a person at a terminal: one line per action.

use super::words::{count, duration, plain_line, shortened};
use crate::domain::{ActionSource, CandidateView, EventKind, ExpectationOutcome, RunEvent, RunResult, Verdict};
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

/// How much is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verbosity {
    /// The verdict only.
    Quiet,
    /// Steps, actions, expectations, verdict.
    #[default]
    Normal,
    /// Also every screen, and the rest of the runners-up.
    Verbose,
}

/// Prints events to a writer. Styles are always written; a writer like [`anstream::AutoStream`] removes them where
/// they are not wanted (`NO_COLOR`, no terminal).
#[derive(Debug)]
pub struct Console<W> {
    out: W,
    verbosity: Verbosity,
    pending: Option<Choice>,
    observe_ms: f64,
    expectations: usize,
}

#[derive(Debug)]
struct Choice {
    chosen: CandidateView,
    runners_up: Vec<CandidateView>,
    decide_ms: f64,
}

const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const ODD: Style = AnsiColor::Yellow.on_default();
const STEP: Style = AnsiColor::Cyan.on_default().bold();

/// Columns for the action's words, so that scores stand below each other.
const ACTION_WIDTH: usize = 40;
const RUNNER_UP_WIDTH: usize = 30;

impl Console<anstream::AutoStream<io::Stderr>> {
    /// Prints to stderr, in colour where that is wanted.
    pub fn stderr(verbosity: Verbosity) -> Self {
        Self::new(anstream::stderr(), verbosity)
    }
}

impl<W: Write> Console<W> {
    /// Prints to `out`.
    pub const fn new(out: W, verbosity: Verbosity) -> Self {
        Self { out, verbosity, pending: None, observe_ms: 0.0, expectations: 0 }
    }

    /// Gives the writer back.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Prints one event. Call with every event of a run in order.
    pub fn event(&mut self, event: &RunEvent) -> io::Result<()> {
        if self.verbosity == Verbosity::Quiet && !matches!(event.kind, EventKind::RunFinished { .. }) {
            return Ok(());
        }
        match &event.kind {
            EventKind::RunStarted { case_id, title, device, seed, .. } => {
                writeln!(self.out, "{STRONG}▶ {case_id}{STRONG:#}  {}", plain_line(title))?;
                let profile = plain_line(&device.profile);
                let serial = &device.serial;
                writeln!(self.out, "  {FAINT}{serial} · {profile} · API {} · seed {seed}{FAINT:#}", device.api)
            }
            EventKind::StepStarted { index, instruction, rewritten } => {
                writeln!(self.out, "\n{STEP}{index:>2}{STEP:#} {}", plain_line(instruction))?;
                if rewritten == instruction {
                    return Ok(());
                }
                writeln!(self.out, "   {FAINT}↳ {}{FAINT:#}", plain_line(rewritten))
            }
            EventKind::ScreenObserved { screen, observe_ms } => {
                self.observe_ms += observe_ms;
                if self.verbosity != Verbosity::Verbose {
                    return Ok(());
                }
                let (title, widgets) = (plain_line(&screen.title), count(screen.widgets as u64, "widget"));
                writeln!(self.out, "   {FAINT}◦ {title} · {widgets} · {}{FAINT:#}", duration(*observe_ms))
            }
            EventKind::Decided { chosen, runners_up, decide_ms, .. } => {
                let (chosen, runners_up) = (chosen.clone(), runners_up.clone());
                self.pending = Some(Choice { chosen, runners_up, decide_ms: *decide_ms });
                Ok(())
            }
            EventKind::Acted { action, score, source, valid, reason, act_ms, settle_ms, .. } => {
                let line = ActionLine {
                    action: plain_line(&action.to_string()),
                    score: *score,
                    source: *source,
                    took: act_ms + settle_ms,
                    problem: (!valid).then_some(reason.as_str()),
                };
                self.action(&line)
            }
            EventKind::StepFinished { index, verdict, reason } => {
                self.abandoned()?;
                if *verdict == Verdict::Passed {
                    return Ok(());
                }
                let style = style_of(*verdict);
                writeln!(self.out, "   {style}■ step {index} {verdict}{style:#}: {}", plain_line(reason))
            }
            EventKind::ExpectationChecked { outcome } => self.expectation(outcome),
            EventKind::ScriptWritten { path } => writeln!(self.out, "\n   {FAINT}script {}{FAINT:#}", plain_line(path)),
            EventKind::RunFinished { result } => {
                self.abandoned()?;
                self.verdict(result)
            }
        }
    }

    fn action(&mut self, line: &ActionLine<'_>) -> io::Result<()> {
        let choice = self.pending.take();
        let decide_ms = choice.as_ref().map_or(0.0, |choice| choice.decide_ms);
        let took = duration(std::mem::take(&mut self.observe_ms) + decide_ms + line.took);
        let (style, mark) = if line.problem.is_some() { (BAD, "✗") } else { (GOOD, "✓") };
        let action = shortened(&line.action, ACTION_WIDTH);
        let score = match (line.score, line.source) {
            (Some(score), _) => format!("{score:.2}"),
            (None, ActionSource::Script) => "script".to_owned(),
            (None, ActionSource::Repair) => "repair".to_owned(),
            (None, ActionSource::Agent) => "-".to_owned(),
        };
        let rivals = choice.map(|choice| choice.runners_up).unwrap_or_default();
        let rival = rivals.first().map(rival_words).unwrap_or_default();
        write!(self.out, "   {style}{mark}{style:#} {action:<ACTION_WIDTH$} {STRONG}{score:>6}{STRONG:#}")?;
        writeln!(self.out, "  {FAINT}{rival:<RUNNER_UP_WIDTH$} {took:>8}{FAINT:#}")?;
        if let Some(reason) = line.problem {
            writeln!(self.out, "     {ODD}no effect: {}{ODD:#}", plain_line(reason))?;
        }
        if self.verbosity == Verbosity::Verbose {
            for rival in rivals.iter().skip(1) {
                writeln!(self.out, "     {FAINT}{}{FAINT:#}", rival_words(rival))?;
            }
        }
        Ok(())
    }

    /// A choice that was never carried out: the run was interrupted or the step ended on it.
    fn abandoned(&mut self) -> io::Result<()> {
        let Some(choice) = self.pending.take() else { return Ok(()) };
        let action = plain_line(&choice.chosen.action.to_string());
        writeln!(self.out, "   {ODD}·{ODD:#} {action} {FAINT}{:.2}, not carried out{FAINT:#}", choice.chosen.score)
    }

    fn expectation(&mut self, outcome: &ExpectationOutcome) -> io::Result<()> {
        let words = plain_line(&outcome.expectation);
        if self.expectations == 0 {
            writeln!(self.out)?;
        }
        self.expectations += 1;
        if outcome.held {
            return writeln!(self.out, "   {GOOD}✓{GOOD:#} {words}");
        }
        let evidence = plain_line(&outcome.evidence);
        writeln!(self.out, "   {BAD}✗ {words}{BAD:#}\n     {ODD}{evidence}{ODD:#}")
    }

    fn verdict(&mut self, result: &RunResult) -> io::Result<()> {
        let style = style_of(result.verdict).bold();
        let counts = &result.counts;
        let facts = [
            count(counts.actions, "action"),
            count(counts.model_calls, "model call"),
            count(counts.dumps, "dump"),
            duration(result.timings_ms.total),
        ];
        let lead = if self.verbosity == Verbosity::Quiet { "" } else { "\n" };
        let word = result.verdict.to_string().to_uppercase();
        write!(self.out, "{lead}{style}{word}{style:#}  {}  {FAINT}{}{FAINT:#}", result.case_id, facts.join(" · "))?;
        for (is, word) in [(result.flaky, "flaky"), (result.repaired, "repaired")] {
            if is {
                write!(self.out, "  {ODD}{word}{ODD:#}")?;
            }
        }
        writeln!(self.out)?;
        if result.reason.is_empty() { Ok(()) } else { writeln!(self.out, "  {}", plain_line(&result.reason)) }
    }
}

struct ActionLine<'e> {
    action: String,
    score: Option<f32>,
    source: ActionSource,
    took: f64,
    problem: Option<&'e str>,
}

fn rival_words(rival: &CandidateView) -> String {
    let score = format!("{:.2}", rival.score);
    format!("vs {} {score}", shortened(&plain_line(&rival.action.to_string()), RUNNER_UP_WIDTH - 8))
}

const fn style_of(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Passed => GOOD,
        Verdict::Failed => BAD,
        Verdict::Blocked => ODD,
        Verdict::Error => AnsiColor::Magenta.on_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    fn printed(verbosity: Verbosity, events: &[RunEvent]) -> String {
        let mut console = Console::new(anstream::StripStream::new(Vec::new()), verbosity);
        for event in events {
            console.event(event).unwrap();
        }
        String::from_utf8(console.into_inner().into_inner()).unwrap()
    }

    #[test]
    fn a_failed_run_is_printed_line_by_line() {
        insta::assert_snapshot!(printed(Verbosity::Normal, &sample::failed_run()));
    }

    #[test]
    fn verbose_adds_screens_and_runners_up_and_quiet_leaves_the_verdict() {
        insta::assert_snapshot!(printed(Verbosity::Verbose, &sample::replayed_run()));
        let quiet = printed(Verbosity::Quiet, &sample::failed_run());
        assert_eq!(quiet.lines().count(), 2, "{quiet}");
        assert!(quiet.starts_with("FAILED  PAY-0142"), "{quiet}");
    }

    #[test]
    fn no_secret_and_no_escape_of_the_app_is_printed() {
        let mut console = Console::new(Vec::new(), Verbosity::Verbose);
        for event in sample::failed_run() {
            console.event(&event).unwrap();
        }
        let text = String::from_utf8(console.into_inner()).unwrap();
        assert!(!text.contains(sample::SECRET) && text.contains("${payment_password}"));
        assert!(!text.contains("\u{1b}[2J"));
        assert!(text.contains("\u{1b}[31m"), "colours are written; the stream decides");
    }
}
