//! A run as it happens, for a person at a terminal: one line per action.

use super::live::Live;
use super::story::{Clock, close_call};
use super::words::{count, deed_words, duration, plain_line, shortened, wish_words, wrapped};
use crate::domain::{Action, ActionSource, CandidateView, EventKind, ExpectationOutcome, RunEvent, RunResult, Verdict};
use crate::run::ALREADY_TRUE;
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};
use std::time::Instant;

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
    /// For each action: what was seen, the best candidates with their terms, why this one, what it was expected to do and
    /// what happened.
    Explain,
}

/// Prints events to a writer. Styles are always written; a writer like [`anstream::AutoStream`] removes them where
/// they are not wanted (`NO_COLOR`, no terminal).
#[derive(Debug)]
pub struct Console<W> {
    out: W,
    verbosity: Verbosity,
    columns: Columns,
    /// Which of how many cases it is; empty for a single one.
    place: String,
    pending: Option<Choice>,
    /// The screen seen last, in words.
    seen: Option<String>,
    clock: Clock,
    /// Actions of the step so far.
    acted: usize,
    expectations: usize,
    /// What was printed about failures, so that the verdict need not repeat it.
    told: Vec<String>,
    /// What is told while nothing happens, and since when the run goes on; `None` where no terminal shows it.
    live: Option<(Live, Instant)>,
}

/// How a line is shared out.
#[derive(Debug, Clone, Copy)]
struct Columns {
    line: usize,
    action: usize,
    /// 0 where there is no room for the next best action.
    rival: usize,
}

impl Columns {
    /// Mark, score, time and the gaps between.
    const FIXED: usize = 21;

    fn of(line: usize) -> Self {
        let line = line.clamp(50, 160);
        let room = line - Self::FIXED;
        if line < 84 {
            return Self { line, action: room, rival: 0 };
        }
        let rival = (room - 2) * 2 / 5;
        Self { line, action: room - 2 - rival, rival }
    }
}

#[derive(Debug)]
struct Choice {
    chosen: CandidateView,
    runners_up: Vec<CandidateView>,
    why: String,
    expects: String,
    /// What was seen when it was made.
    seen: Option<String>,
}

const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const ODD: Style = AnsiColor::Yellow.on_default();
const STEP: Style = AnsiColor::Cyan.on_default().bold();

/// Columns of a line where the terminal does not tell.
const USUAL_WIDTH: usize = 100;
/// Columns before the words of a step.
const INDENT: usize = 3;

impl Console<anstream::AutoStream<io::Stderr>> {
    /// Prints to stderr, in colour where that is wanted.
    pub fn stderr(verbosity: Verbosity) -> Self {
        Self::new(anstream::stderr(), verbosity)
    }
}

impl<W: Write> Console<W> {
    /// Prints to `out`, in lines of the usual width.
    pub fn new(out: W, verbosity: Verbosity) -> Self {
        Self {
            out,
            verbosity,
            columns: Columns::of(USUAL_WIDTH),
            place: String::new(),
            pending: None,
            seen: None,
            clock: Clock::default(),
            acted: 0,
            expectations: 0,
            told: Vec::new(),
            live: None,
        }
    }

    /// Tells what is waited for with each [`Console::tick`], in a line that whatever happens takes the place of.
    #[must_use]
    pub fn with_live_line(mut self, wanted: bool) -> Self {
        self.live = (wanted && self.verbosity != Verbosity::Quiet).then(|| (Live::default(), Instant::now()));
        self
    }

    /// To be called every second.
    pub fn tick(&mut self) -> io::Result<()> {
        let Some((live, begun)) = &mut self.live else { return Ok(()) };
        let line = live.tick(begun.elapsed(), self.columns.line);
        write!(self.out, "{line}")?;
        self.out.flush()
    }

    /// Prints in lines of `width` columns instead; `None` leaves the usual width.
    #[must_use]
    pub fn with_width(mut self, width: Option<usize>) -> Self {
        self.columns = Columns::of(width.unwrap_or(USUAL_WIDTH));
        self
    }

    /// Says which of how many cases it is, where there are several.
    #[must_use]
    pub fn with_place(mut self, number: usize, all: usize) -> Self {
        if all > 1 {
            self.place = format!("{number}/{all} ");
        }
        self
    }

    /// Gives the writer back.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Prints one event. Call with every event of a run in order.
    pub fn event(&mut self, event: &RunEvent) -> io::Result<()> {
        if let Some((live, begun)) = &mut self.live {
            live.note(event, begun.elapsed());
            write!(self.out, "{}", live.erase())?;
        }
        let took_ms = self.clock.tick(event).unwrap_or_default();
        if self.verbosity == Verbosity::Quiet && !matches!(event.kind, EventKind::RunFinished { .. }) {
            return Ok(());
        }
        match &event.kind {
            EventKind::RunStarted { case_id, title, device, seed, .. } => {
                writeln!(self.out, "{STRONG}▶ {}{case_id}{STRONG:#}  {}", self.place, plain_line(title))?;
                let profile = plain_line(&device.profile);
                let serial = &device.serial;
                writeln!(self.out, "  {FAINT}{serial} · {profile} · API {} · seed {seed}{FAINT:#}", device.api)
            }
            EventKind::StepStarted { index, instruction, rewritten } => self.step(*index, instruction, rewritten),
            EventKind::ScreenObserved { screen, observe_ms, .. } => {
                let (title, widgets) = (plain_line(&screen.title), count(screen.widgets as u64, "widget"));
                self.seen = Some(format!("\"{title}\", {}, {widgets}", screen.kind.replace('_', " ")));
                if self.verbosity != Verbosity::Verbose {
                    return Ok(());
                }
                writeln!(self.out, "   {FAINT}◦ {title} · {widgets} · {}{FAINT:#}", duration(*observe_ms))
            }
            EventKind::Decided { chosen, runners_up, why, expects, .. } => {
                let (chosen, runners_up) = (chosen.clone(), runners_up.clone());
                let (why, expects, seen) = (plain_line(why), plain_line(expects), self.seen.clone());
                self.pending = Some(Choice { chosen, runners_up, why, expects, seen });
                Ok(())
            }
            EventKind::Acted { action, score, source, valid, reason, .. } => {
                let line = ActionLine {
                    action: deed_words(action),
                    waited: matches!(action, Action::Wait { .. } | Action::Scroll { .. }),
                    score: *score,
                    source: *source,
                    took_ms,
                    problem: (!valid).then_some(reason.as_str()),
                    happened: reason,
                };
                self.action(&line)
            }
            EventKind::StepFinished { verdict, reason, .. } => self.step_end(*verdict, &plain_line(reason)),
            EventKind::StartedOver { attempt, otherwise } => {
                self.abandoned()?;
                // How an attempt before ended is told again at the end of the run.
                self.told.clear();
                let told = format!("attempt {attempt}, from the start; this time: {}", plain_line(otherwise));
                writeln!(self.out, "\n{STEP}↻{STEP:#} {}", self.hanging(&told, INDENT))
            }
            EventKind::ExpectationChecked { outcome } => self.expectation(outcome),
            EventKind::ScriptWritten { path } => writeln!(self.out, "\n   {FAINT}script {}{FAINT:#}", plain_line(path)),
            EventKind::RunFinished { result } => {
                self.abandoned()?;
                self.verdict(result)
            }
        }
    }

    fn step(&mut self, index: usize, instruction: &str, rewritten: &str) -> io::Result<()> {
        self.acted = 0;
        writeln!(self.out, "\n{STEP}{index:>2}{STEP:#} {}", self.hanging(&plain_line(instruction), INDENT))?;
        if rewritten == instruction {
            return Ok(());
        }
        writeln!(self.out, "   {FAINT}↳ {}{FAINT:#}", self.hanging(&plain_line(rewritten), INDENT + 2))
    }

    fn step_end(&mut self, verdict: Verdict, reason: &str) -> io::Result<()> {
        self.abandoned()?;
        if verdict == Verdict::Passed {
            if self.acted == 0 && !reason.is_empty() {
                let why = self.hanging(&format!("no action needed: {reason}"), INDENT + 2);
                return writeln!(self.out, "   {GOOD}✓{GOOD:#} {FAINT}{why}{FAINT:#}");
            }
            if self.verbosity == Verbosity::Verbose && !reason.is_empty() {
                return writeln!(self.out, "     {FAINT}{}{FAINT:#}", self.hanging(reason, INDENT + 2));
            }
            return Ok(());
        }
        let style = style_of(verdict);
        let told = self.hanging(&format!("{verdict}: {reason}"), INDENT + 2);
        self.told.push(reason.to_owned());
        writeln!(self.out, "   {style}■ {told}{style:#}")
    }

    /// `text` with the lines after the first indented.
    fn hanging(&self, text: &str, indent: usize) -> String {
        wrapped(text, self.columns.line - indent).join(&format!("\n{:indent$}", ""))
    }

    fn action(&mut self, line: &ActionLine<'_>) -> io::Result<()> {
        self.acted += 1;
        let columns = self.columns;
        let took = duration(line.took_ms);
        let choice = self.pending.take();
        let unsure = !line.waited && choice.as_ref().is_some_and(|it| close_call(&it.chosen, &it.runners_up));
        let (style, mark) = match line.problem {
            Some(_) => (BAD, "✗"),
            None if unsure => (ODD, "?"),
            None => (GOOD, "✓"),
        };
        if !self.tells_scores() {
            let width = columns.line - Columns::FIXED + 7;
            let action = shortened(&line.action, width);
            writeln!(self.out, "   {style}{mark}{style:#} {action:<width$} {FAINT}{took:>7}{FAINT:#}")?;
            if let Some(reason) = line.problem {
                writeln!(self.out, "     {ODD}no effect: {}{ODD:#}", self.hanging(&plain_line(reason), INDENT + 2))?;
            }
            let rival = choice.as_ref().filter(|_| unsure && line.problem.is_none());
            if let Some(rival) = rival.and_then(|choice| choice.runners_up.first()) {
                let rival = wish_words(&rival.action);
                writeln!(self.out, "     {ODD}or was it: {}{ODD:#}", self.hanging(&rival, INDENT + 2))?;
            }
            return Ok(());
        }
        let action = shortened(&line.action, columns.action);
        let score = match (line.score, line.source) {
            (Some(score), _) => format!("{score:.2}"),
            (None, ActionSource::Script) => "script".to_owned(),
            (None, ActionSource::Repair) => "repair".to_owned(),
            (None, ActionSource::Agent) => "-".to_owned(),
        };
        let rivals = choice.as_ref().map(|choice| choice.runners_up.clone()).unwrap_or_default();
        let width = columns.action;
        write!(self.out, "   {style}{mark}{style:#} {action:<width$} {STRONG}{score:>6}{STRONG:#}")?;
        if columns.rival > 0 {
            let rival = rivals.first().map(|rival| rival_words(rival, columns.rival)).unwrap_or_default();
            let width = columns.rival;
            write!(self.out, "  {FAINT}{rival:<width$}{FAINT:#}")?;
        }
        writeln!(self.out, " {FAINT}{took:>7}{FAINT:#}")?;
        if let Some(reason) = line.problem {
            writeln!(self.out, "     {ODD}no effect: {}{ODD:#}", self.hanging(&plain_line(reason), INDENT + 2))?;
        }
        if let Some(choice) = choice.filter(|_| self.verbosity == Verbosity::Explain) {
            return self.explanation(&choice, line.happened);
        }
        if self.verbosity == Verbosity::Verbose {
            for rival in rivals.iter().skip(usize::from(columns.rival > 0)) {
                writeln!(self.out, "     {FAINT}{}{FAINT:#}", rival_words(rival, columns.action))?;
            }
        }
        Ok(())
    }

    /// Scores are for those who ask.
    const fn tells_scores(&self) -> bool {
        matches!(self.verbosity, Verbosity::Verbose | Verbosity::Explain)
    }

    /// Everything about one choice, and what came of it.
    fn explanation(&mut self, choice: &Choice, happened: &str) -> io::Result<()> {
        const NAMES: usize = 10;
        let mut say = |name: &str, text: &str| {
            let text =
                wrapped(text, self.columns.line - INDENT - 2 - NAMES).join(&format!("\n{:1$}", "", INDENT + 2 + NAMES));
            writeln!(self.out, "     {FAINT}{name:<NAMES$}{FAINT:#}{text}")
        };
        if let Some(seen) = &choice.seen {
            say("seen", seen)?;
        }
        for (at, candidate) in std::iter::once(&choice.chosen).chain(&choice.runners_up).enumerate() {
            let terms: Vec<String> =
                candidate.terms.iter().map(|(name, value)| format!("{name} {value:+.2}")).collect();
            let name = if at == 0 { "chosen" } else { "" };
            let words = wish_words(&candidate.action);
            say(name, &format!("{:>5.2}  {words}  ({})", candidate.score, plain_line(&terms.join(", "))))?;
        }
        for (name, text) in [("why", choice.why.as_str()), ("expected", &choice.expects), ("happened", happened)] {
            if !text.is_empty() {
                say(name, &plain_line(text))?;
            }
        }
        Ok(())
    }

    /// A choice that was never carried out: the run was interrupted or the step ended on it.
    fn abandoned(&mut self) -> io::Result<()> {
        let Some(choice) = self.pending.take() else { return Ok(()) };
        let action = shortened(&wish_words(&choice.chosen.action), self.columns.action);
        writeln!(self.out, "   {ODD}·{ODD:#} {action} {FAINT}{:.2}, not carried out{FAINT:#}", choice.chosen.score)
    }

    fn expectation(&mut self, outcome: &ExpectationOutcome) -> io::Result<()> {
        let words = plain_line(&outcome.expectation);
        if self.expectations == 0 {
            writeln!(self.out)?;
        }
        self.expectations += 1;
        if outcome.held && outcome.evidence.ends_with(ALREADY_TRUE) {
            return writeln!(self.out, "   {ODD}✓{ODD:#} {words}  {ODD}{ALREADY_TRUE}{ODD:#}");
        }
        if outcome.held {
            return writeln!(self.out, "   {GOOD}✓{GOOD:#} {words}");
        }
        let evidence = plain_line(&outcome.evidence);
        let shown = self.hanging(&evidence, INDENT + 2);
        self.told.extend([words.clone(), evidence]);
        writeln!(self.out, "   {BAD}✗ {words}{BAD:#}\n     {ODD}{shown}{ODD:#}")
    }

    fn verdict(&mut self, result: &RunResult) -> io::Result<()> {
        let style = style_of(result.verdict).bold();
        let (counts, times) = (&result.counts, &result.timings_ms);
        let mut shares = Vec::new();
        if times.decide > 0.0 {
            shares.push(format!("decide {}", duration(times.decide)));
        }
        let device = times.observe + times.act + times.settle;
        if device > 0.0 {
            shares.push(format!("device {}", duration(device)));
        }
        let shares = if shares.is_empty() { String::new() } else { format!(" ({})", shares.join(", ")) };
        let tries = (result.attempts > 1).then(|| format!("attempt {} of {}", result.told_attempt, result.attempts));
        let facts = [
            format!("{}{shares}", duration(times.total)),
            count(counts.actions, "action"),
            count(counts.model_calls, "model call"),
            count(counts.dumps, "dump"),
        ];
        let lead = if self.verbosity == Verbosity::Quiet { "" } else { "\n" };
        let word = result.verdict.to_string().to_uppercase();
        let facts: Vec<String> = tries.into_iter().chain(facts).collect();
        write!(self.out, "{lead}{style}{word}{style:#}  {}  {FAINT}{}{FAINT:#}", result.case_id, facts.join(" · "))?;
        for (is, word) in [(result.flaky, "flaky"), (result.repaired, "repaired")] {
            if is {
                write!(self.out, "  {ODD}{word}{ODD:#}")?;
            }
        }
        writeln!(self.out)?;
        let reason = plain_line(&result.reason);
        if reason.is_empty() || self.told.iter().any(|told| !told.is_empty() && reason.contains(told)) {
            return Ok(());
        }
        writeln!(self.out, "  {}", self.hanging(&reason, 2))
    }
}

struct ActionLine<'e> {
    action: String,
    score: Option<f32>,
    source: ActionSource,
    took_ms: f64,
    problem: Option<&'e str>,
    happened: &'e str,
    /// It chose no control.
    waited: bool,
}

/// `vs click "Cancel"   0.38`, in `width` columns.
fn rival_words(rival: &CandidateView, width: usize) -> String {
    let name_width = width - 9;
    let name = shortened(&wish_words(&rival.action), name_width);
    format!("vs {name:<name_width$} {:>5.2}", rival.score)
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
    fn the_live_line_is_gone_before_anything_else_is_printed() {
        let mut console = Console::new(Vec::new(), Verbosity::Normal).with_live_line(true);
        let (live, begun) = console.live.as_mut().unwrap();
        // Three seconds ago.
        *begun = begun.checked_sub(std::time::Duration::from_secs(3)).unwrap();
        assert_eq!(live.tick(begun.elapsed(), 80), "waiting for the app to start, 3 s");
        console.event(&sample::failed_run()[0]).unwrap();
        let said = String::from_utf8(console.into_inner()).unwrap();
        assert!(said.starts_with(&format!("\r{}\r", " ".repeat(33))), "{said:?}");
        let mut quiet = Console::new(Vec::new(), Verbosity::Quiet).with_live_line(true);
        quiet.tick().unwrap();
        assert!(quiet.into_inner().is_empty());
    }

    #[test]
    fn verbose_adds_screens_and_runners_up_and_quiet_leaves_the_verdict() {
        insta::assert_snapshot!(printed(Verbosity::Verbose, &sample::replayed_run()));
        let quiet = printed(Verbosity::Quiet, &sample::failed_run());
        assert_eq!(quiet.lines().count(), 2, "{quiet}");
        assert!(quiet.starts_with("FAILED  PAY-0142"), "{quiet}");
    }

    #[test]
    fn of_two_attempts_the_end_says_which_one_is_told_and_why() {
        let text = printed(Verbosity::Normal, &sample::run_of_two_attempts());
        assert!(text.contains("↻ attempt 2, from the start; this time: proposals are weighed"), "{text}");
        let end = text.split("BLOCKED").last().unwrap();
        assert!(end.contains("attempt 1 of 2") && end.contains("step 2: nothing fits"), "{text}");
    }

    #[test]
    fn an_explanation_tells_what_was_seen_weighed_expected_and_what_happened() {
        insta::assert_snapshot!(printed(Verbosity::Explain, &sample::failed_run()));
    }

    #[test]
    fn lines_keep_to_the_width_of_the_terminal() {
        for width in [60, 84, 100, 130] {
            let mut console = Console::new(anstream::StripStream::new(Vec::new()), Verbosity::Normal);
            console = console.with_width(Some(width));
            for event in sample::failed_run() {
                console.event(&event).unwrap();
            }
            let text = String::from_utf8(console.into_inner().into_inner()).unwrap();
            let longest = text.lines().filter(|line| !line.contains("PAY-0142")).map(|line| line.chars().count()).max();
            assert!(longest <= Some(width), "{width}: {text}");
        }
    }

    #[test]
    fn a_reason_is_told_once() {
        let mut events = sample::failed_run();
        events.retain(|event| !matches!(event.kind, EventKind::ExpectationChecked { .. }));
        assert!(printed(Verbosity::Normal, &events).contains("1 of 2 expectations did not hold"));
        let text = printed(Verbosity::Normal, &sample::failed_run());
        assert_eq!(text.matches("visible: Card added").count(), 1, "{text}");
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
