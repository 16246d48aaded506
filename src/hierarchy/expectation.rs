//! Checking an expectation against a screen.

use super::{Role, Screen, Widget};
use crate::domain::{Expectation, ExpectationOutcome};

/// Looks at `screen` for what is expected and tells what it found there.
pub fn check(expectation: &Expectation, screen: &Screen) -> ExpectationOutcome {
    let (held, evidence) = match expectation {
        Expectation::Visible(text) => match showing(screen, text) {
            Some(widget) => (true, format!("{} {:?} shows it", widget.role, shown(widget))),
            None => (false, format!("not on the screen \"{}\"; it shows {}", screen.title, texts(screen))),
        },
        Expectation::Absent(text) => match showing(screen, text) {
            Some(widget) => (false, format!("{} {:?} shows it", widget.role, shown(widget))),
            None => (true, format!("not on the screen \"{}\"", screen.title)),
        },
        Expectation::Checked { widget: name, is } => {
            match named(screen, name).find_map(|widget| widget.state.checked.map(|checked| (widget, checked))) {
                Some((widget, checked)) => {
                    (checked == *is, format!("{:?} is {}", widget.label, if checked { "on" } else { "off" }))
                }
                None => (false, format!("no switch or box named {name:?} on the screen \"{}\"", screen.title)),
            }
        }
        Expectation::Value { field: name, is } => match named(screen, name).find(|widget| widget.role == Role::Field) {
            Some(field) => (flat(&field.value) == flat(is), format!("{:?} holds {:?}", field.label, field.value)),
            None => (false, format!("no field named {name:?} on the screen \"{}\"", screen.title)),
        },
    };
    ExpectationOutcome { expectation: expectation.to_string(), held, evidence }
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn showing<'a>(screen: &'a Screen, text: &str) -> Option<&'a Widget> {
    let wanted = flat(text);
    if wanted.is_empty() {
        return None;
    }
    screen.widgets.iter().find(|widget| flat(&widget.label).contains(&wanted) || flat(&widget.value).contains(&wanted))
}

fn named<'a>(screen: &'a Screen, name: &str) -> impl Iterator<Item = &'a Widget> {
    let wanted = flat(name);
    screen.widgets.iter().filter(move |widget| !wanted.is_empty() && flat(&widget.label).contains(&wanted))
}

fn shown(widget: &Widget) -> &str {
    if widget.label.is_empty() { &widget.value } else { &widget.label }
}

/// The first few texts of the screen, so that a person sees where the run ended.
fn texts(screen: &Screen) -> String {
    const MOST: usize = 6;
    let mut texts: Vec<String> = screen
        .widgets
        .iter()
        .map(shown)
        .filter(|text| !text.is_empty())
        .take(MOST + 1)
        .map(|text| format!("{:?}", text.chars().take(40).collect::<String>()))
        .collect();
    if texts.len() > MOST {
        texts.truncate(MOST);
        texts.push("…".into());
    }
    if texts.is_empty() { "nothing".into() } else { texts.join(", ") }
}
