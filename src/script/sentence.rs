//! What a script checks, as sentences people read; and the writing of sentences in formats that have one a line.

use crate::domain::Expectation;

/// An expectation as a sentence.
pub(super) fn sentence(wanted: &Expectation) -> String {
    let on = |is: bool, yes: &'static str, no: &'static str| if is { yes } else { no };
    let named = |text: &str| format!("\"{}\"", one_line(text));
    match wanted {
        Expectation::Visible(text) => format!("{} is shown", named(text)),
        Expectation::Absent(text) => format!("{} is not shown", named(text)),
        Expectation::Checked { widget, is } => format!("{} is {}", named(widget), on(*is, "on", "off")),
        Expectation::Enabled { widget, is } => format!("{} {} be used", named(widget), on(*is, "can", "cannot")),
        Expectation::Selected { widget, is } => format!("{} is {}", named(widget), on(*is, "selected", "not selected")),
        Expectation::Value { field, is } => format!("{} holds {}", named(field), named(is)),
        Expectation::Count { of, is } => format!("{is} things show {}", named(of)),
        Expectation::Screen(title) => format!("the screen {} is shown", named(title)),
        Expectation::Toast(text) => format!("the message {} is shown for a moment", named(text)),
        Expectation::Picture(text) => format!("{} can be read in the picture", named(text)),
        Expectation::Without(trouble) => format!("no {trouble} happened"),
    }
}

/// A text in one line: white space and control characters end a word.
pub(super) fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}
