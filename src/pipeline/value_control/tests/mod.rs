//! What is planned on made-up screens, in the ways four toolkits tell them to the accessibility service.

mod calendars;
mod choices;
mod clocks;
mod sketch;
mod sliders;
mod steppers;
mod wheels;

use super::{Adjusted, Plan, Step, ValueRequest, plan};
use crate::domain::{Action, InputText};
use crate::hierarchy::Screen;
use crate::lexicon::Lexicon;
use std::sync::LazyLock;

pub(super) static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::bundled().unwrap());

/// Plans for a text and its explicit values, best first.
fn plans(screen: &Screen, text: &str, values: &[&str], history: &[Adjusted]) -> Vec<Plan> {
    let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
    plan(screen, &LEXICON, &ValueRequest { text, values: &values, settled: &[] }, history)
}

/// The next step of the best plan, in a line.
fn next(screen: &Screen, text: &str, values: &[&str]) -> String {
    plans(screen, text, values, &[]).first().map_or_else(|| "nothing".to_owned(), |plan| told(&plan.step))
}

fn told(step: &Step) -> String {
    match step {
        Step::Act { action: Action::InputText { target, text: InputText::Plain(text) }, .. } => {
            format!("type {text} into {:?}", target.label)
        }
        Step::Act { action, .. } => action.to_string(),
        Step::Reached { shown } => format!("reached {shown}"),
        Step::Impossible { .. } => "impossible".to_owned(),
    }
}

/// Carries out what is planned on a control that reacts, until it is reached or impossible.
///
/// `show` draws the control's state, `act` changes it. Returns the outcome and the number of actions.
fn pursue<S>(
    mut state: S,
    show: impl Fn(&S) -> Screen,
    act: impl Fn(&mut S, &Action),
    text: &str,
    values: &[&str],
) -> (String, usize) {
    const MOST: usize = 200;
    let mut history: Vec<Adjusted> = Vec::new();
    loop {
        let screen = show(&state);
        let Some(best) = plans(&screen, text, values, &history).into_iter().next() else {
            return ("nothing".to_owned(), history.len());
        };
        if let Some(last) = history.last_mut() {
            last.shown_after.clone_from(&best.control.shown);
        }
        // The plan of the screen before did not know what its action brought.
        let Some(best) = plans(&screen, text, values, &history).into_iter().next() else {
            return ("nothing".to_owned(), history.len());
        };
        let Step::Act { action, .. } = best.step else { return (told(&best.step), history.len()) };
        if history.len() >= MOST {
            return (format!("no end: {action}"), history.len());
        }
        act(&mut state, &action);
        history.push(Adjusted { action, shown_before: best.control.shown, shown_after: None });
    }
}

proptest::proptest! {
    /// No text makes a reader panic, and the spans of amounts can be cut out.
    #[test]
    fn readers_take_any_text(text in "\\PC{0,60}", words in "(half|past|to|[0-9]{1,4}|[.,:/-]| |uhr|y|media|march|de|le|quart|h){0,20}") {
        for text in [text, words] {
            let _ = (super::read_date(&text), super::read::read_time(&text));
            for quantity in super::read::read_quantities(&text) {
                proptest::prop_assert!(text.get(quantity.span).is_some());
            }
        }
    }
}
