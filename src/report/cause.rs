//! Why a run ended as it did: what the page says first.

use super::dumps::{Dumps, nearest};
use super::story::{ActionStory, StepStory, Story};
use super::words::{plain_line, wish_words};
use crate::domain::{Action, ExpectationOutcome, ScreenView, Verdict};
use crate::run::InSight;
use minijinja::{Value, context};

/// Candidates that are shown of the step in doubt.
const LIKELIEST: usize = 3;

/// What is said first: a sentence, the step in doubt with the likeliest candidates and a hint, the line of adb.
pub(super) fn cause(story: &Story) -> Value {
    let Some(result) = &story.result else {
        return context! { heading => "What happened", sentence => "The run has no end: its process was stopped." };
    };
    let reason = plain_line(&result.reason);
    let (heading, otherwise) = match result.verdict {
        Verdict::Passed => ("Passed", "Every step was carried out, and everything expected was there."),
        Verdict::Failed => ("Why it failed", "The app did not do what the case expects."),
        Verdict::Blocked => ("Why it is blocked", "A step could not be carried out."),
        Verdict::Error => ("What went wrong around the app", "The run could not be finished."),
    };
    let doubt = (result.verdict == Verdict::Blocked).then(|| doubt(story, &reason)).flatten();
    let adb = (result.verdict == Verdict::Error).then(|| quoted(&reason)).flatten();
    let broken = story.expectations.iter().filter(|outcome| !outcome.held).count();
    let sentence = match story.expectations.iter().find(|outcome| !outcome.held) {
        Some(first) if result.verdict == Verdict::Failed && reason.starts_with("expected ") => {
            let more = if broken > 1 { format!(", and {} more", broken - 1) } else { String::new() };
            let after = story.last_step().map(|step| {
                let (index, words) = (step.index, plain_line(&step.instruction));
                format!("After step {index}, \u{201c}{words}\u{201d}, ")
            });
            let said = first
                .evidence
                .rsplit_once("; the app said ")
                .map(|(_, said)| format!(" The app said {}.", plain_line(said)));
            let (after, said) = (after.unwrap_or_default(), said.unwrap_or_default());
            format!("{after}{} was not on the screen{more}.{said}", wanted(first))
        }
        _ if reason.is_empty() => otherwise.to_owned(),
        _ => upper_first(&reason),
    };
    context! {
        heading,
        sentence,
        meaning => (result.verdict != Verdict::Passed).then_some(otherwise),
        doubt,
        adb => adb.map(|command| format!("adb -s {} shell {command}", result.device.serial)),
        device => format!("{} ({}, API {})", result.device.serial, plain_line(&result.device.profile), result.device.api),
    }
}

/// What is expected, for a sentence: the text itself where one is to be seen.
fn wanted(outcome: &ExpectationOutcome) -> String {
    let words = plain_line(&outcome.expectation);
    words.strip_prefix("visible: ").map_or_else(|| words.clone(), |text| format!("\u{201c}{text}\u{201d}"))
}

/// What stands between backquotes: the command that was sent.
fn quoted(reason: &str) -> Option<String> {
    reason.split('`').nth(1).map(str::to_owned)
}

/// The step in doubt, what was likeliest there, and a hint to paste into the case.
fn doubt(story: &Story, reason: &str) -> Option<Value> {
    let blocked = |step: &&StepStory| matches!(step.end, Some((Verdict::Blocked, _)));
    let said = || {
        let told = reason.split("not sure that step ").nth(1).or_else(|| reason.strip_prefix("step "))?;
        let digits: String = told.chars().take_while(char::is_ascii_digit).collect();
        let index: usize = digits.parse().ok()?;
        story.steps.iter().find(|step| step.index == index)
    };
    let step = story.steps.iter().find(blocked).or_else(said)?;
    let weighed = |action: &&ActionStory| action.choice.as_ref().is_some_and(|choice| !choice.runners_up.is_empty());
    let choice = step.actions.iter().rfind(weighed).and_then(|action| action.choice.as_ref());
    // What was tried there in vain is not asked for again.
    let stuck = blocked(&step);
    let tried =
        |action: &Action| stuck && step.actions.iter().any(|done| done.done.is_some() && done.action == *action);
    let mut candidates: Vec<&Action> = Vec::new();
    for one in choice.iter().flat_map(|choice| std::iter::once(&choice.chosen).chain(&choice.runners_up)) {
        if one.action.target().is_some() && !tried(&one.action) && !candidates.contains(&&one.action) {
            candidates.push(&one.action);
        }
    }
    let instruction = plain_line(&step.instruction);
    let label = candidates.first().and_then(|action| action.target()).map(|target| plain_line(&target.label));
    let label = label.unwrap_or_else(|| "the label on the screen".to_owned());
    let hint = serde_json::to_string(&format!("To {}, tap {label}", lower_first(&instruction))).unwrap_or_default();
    Some(context! {
        index => step.index,
        instruction,
        candidates => candidates.into_iter().take(LIKELIEST).map(wish_words).collect::<Vec<_>>(),
        hint => format!("hints:\n  - {hint}"),
    })
}

fn upper_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// The expectations with what was found, and what was nearest where nothing was.
pub(super) fn expectations(story: &Story, dumps: Dumps<'_>) -> Vec<Value> {
    let last = story.last_screen.as_ref();
    let shown = last.map(|screen| dumps.texts(screen)).unwrap_or_default();
    let view = |outcome: &ExpectationOutcome| {
        let text = outcome.expectation.strip_prefix("visible: ").filter(|_| !outcome.held);
        let near = text.map(|text| nearest(text, &shown)).unwrap_or_default();
        let earlier = text.and_then(|text| seen_on(text, &story.screens, dumps));
        context! {
            words => plain_line(&outcome.expectation),
            evidence => plain_line(&outcome.evidence),
            held => outcome.held,
            odd => outcome.held && outcome.evidence.ends_with(crate::run::ALREADY_TRUE),
            near,
            on => last.map(|screen| plain_line(&screen.title)),
            earlier,
        }
    };
    story.expectations.iter().map(view).collect()
}

/// The screen of the run that showed this text last, and when.
fn seen_on(text: &str, screens: &[(f64, ScreenView)], dumps: Dumps<'_>) -> Option<Value> {
    let text = text.to_lowercase();
    let showed = |screen: &ScreenView| dumps.texts(screen).iter().any(|shown| shown.to_lowercase().contains(&text));
    let looks: Vec<(f64, bool)> = screens.iter().map(|(at_ms, screen)| (*at_ms, showed(screen))).collect();
    let last = looks.iter().rposition(|(_, shows)| *shows)?;
    let (_, screen) = screens.get(last)?;
    let when = InSight::last(looks).map(|seen| seen.to_string());
    Some(context! { on => plain_line(&screen.title), when })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{EventKind, RunEvent};
    use crate::report::sample;

    /// The sample's run with another ending.
    fn ended(verdict: Verdict, reason: &str) -> Value {
        let mut events: Vec<RunEvent> = sample::failed_run();
        for event in &mut events {
            if let EventKind::RunFinished { result } = &mut event.kind {
                result.verdict = verdict;
                reason.clone_into(&mut result.reason);
            }
        }
        cause(&Story::fold(&events))
    }

    fn text(value: &Value, key: &str) -> String {
        value.get_attr(key).map(|value| value.to_string()).unwrap_or_default()
    }

    #[test]
    fn what_is_said_first_depends_on_the_verdict() {
        let failed = ended(Verdict::Failed, "expected visible: Card added: not on the screen");
        assert_eq!(
            text(&failed, "sentence"),
            "After step 2, “Submit payment password”, “Card added” was not on the screen."
        );
        let error = ended(Verdict::Error, "127.0.0.1:6001: the connection ended before `dumpsys x` reported a code");
        assert_eq!(text(&error, "adb"), "adb -s 127.0.0.1:6001 shell dumpsys x");
        assert!(ended(Verdict::Passed, "").get_attr("adb").unwrap().is_none());
    }

    #[test]
    fn a_blocked_run_names_the_step_in_doubt_its_likeliest_candidates_and_a_hint() {
        let reason =
            "expected visible: Card added was not seen, but it is not sure that step 1 \"Select\" was carried out";
        let doubt = ended(Verdict::Blocked, reason).get_attr("doubt").unwrap();
        assert_eq!(text(&doubt, "index"), "1");
        assert_eq!(text(&doubt, "hint"), "hints:\n  - \"To select <bank>, tap Evergreen Bank\"");
        let candidates = doubt.get_attr("candidates").unwrap();
        assert_eq!(candidates.get_item(&Value::from(0)).unwrap().to_string(), "tap Evergreen Bank");
    }
}
