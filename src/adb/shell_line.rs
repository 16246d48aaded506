//! The only way text reaches a device's shell.
//!
//! A [`ShellTemplate`] is trusted text (from `skills/*.toml` or this room); every value put into it passes through
//! [`quote`]. Nothing outside this room can build a [`ShellLine`].

use minijinja::{Environment, Value};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A line for the device's `sh`, safe to send. `Debug` and `Display` show the masked form.
#[derive(Clone, PartialEq, Eq)]
pub struct ShellLine {
    line: String,
    shown: String,
    /// A value for `input text` holds a character it cannot type.
    untypeable: bool,
}

impl ShellLine {
    /// A trusted line without values.
    pub(crate) fn fixed(line: &'static str) -> Self {
        Self::trusted(line.to_owned())
    }

    /// A line this room has put together from its own words and numbers.
    pub(super) fn trusted(line: String) -> Self {
        Self { shown: line.clone(), line, untypeable: false }
    }

    /// Joins words, quoting each.
    pub(crate) fn words<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        Self::trusted(words.into_iter().map(quote).collect::<Vec<_>>().join(" "))
    }

    /// True when there is nothing to run.
    pub fn is_empty(&self) -> bool {
        self.line.trim().is_empty()
    }

    /// Runs one line after the other, whatever the exit codes: `a; b; c`. The exit code is the last one's.
    pub(crate) fn sequence(lines: &[Self]) -> Self {
        let join = |part: fn(&Self) -> &str| lines.iter().map(part).collect::<Vec<_>>().join("; ");
        Self {
            line: join(|one| &one.line),
            shown: join(|one| &one.shown),
            untypeable: lines.iter().any(|line| line.untypeable),
        }
    }

    /// True when the line types text that `input text` cannot type: anything outside U+0020–U+007E. Android's
    /// `InputShellCommand.sendText` types nothing then and exits with 255, or drops the character silently.
    pub(crate) fn types_untypeable_text(&self) -> bool {
        // The second half is for templates that forgot the `input_text` filter.
        self.untypeable || self.line.contains("input text ") && !self.line.is_ascii()
    }

    /// True when what is sent holds a secret, which is masked where the line is shown.
    pub(crate) fn holds_secret(&self) -> bool {
        self.line != self.shown
    }

    /// What is sent. Only the ADB client and the script exporter may look at it.
    pub(crate) fn as_sent(&self) -> &str {
        &self.line
    }
}

impl fmt::Display for ShellLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for ShellLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ShellLine({:?})", self.shown)
    }
}

/// A template that does not parse or asks for a value it was not given.
#[derive(Debug, thiserror::Error)]
#[error("command template {template:?}: {reason}")]
pub struct TemplateError {
    /// The template.
    pub template: String,
    /// What is wrong with it.
    pub reason: String,
}

/// A trusted command with `{{ value }}` places; each value is quoted as one shell word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellTemplate(String);

impl ShellTemplate {
    /// Checks the template's syntax.
    pub fn parse(template: &str) -> Result<Self, TemplateError> {
        environment(&Arc::default())
            .template_from_str(template)
            .map_err(|error| TemplateError { template: template.to_owned(), reason: error.to_string() })?;
        Ok(Self(template.to_owned()))
    }

    /// Fills in the values: `sent` as they are, `shown` as they may be printed (secrets masked).
    pub fn render(&self, sent: &Value, shown: &Value) -> Result<ShellLine, TemplateError> {
        let untypeable = Arc::new(AtomicBool::new(false));
        let fill = |values: &Value| {
            environment(&untypeable)
                .render_str(&self.0, values)
                .map_err(|error| TemplateError { template: self.0.clone(), reason: error.to_string() })
        };
        let (line, shown) = (fill(sent)?, fill(shown)?);
        Ok(ShellLine { line, shown, untypeable: untypeable.load(Ordering::Relaxed) })
    }
}

/// `untypeable` is raised when the `input_text` filter meets a character that `input text` cannot type.
fn environment(untypeable: &Arc<AtomicBool>) -> Environment<'static> {
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    environment.set_formatter(|out, _state, value| {
        // Only a filter of this room makes a safe value, out of words it has quoted itself.
        if value.is_safe() {
            return write!(out, "{value}").map_err(minijinja::Error::from);
        }
        let text = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
        out.write_str(&quote(&text)).map_err(minijinja::Error::from)
    });
    environment.add_filter("code_points", |text: &str| {
        let points: Vec<String> = text.chars().map(|c| u32::from(c).to_string()).collect();
        quote(&points.join(","))
    });
    let untypeable = untypeable.clone();
    environment.add_filter("input_text", move |text: &str| {
        if !is_typeable(text) {
            untypeable.store(true, Ordering::Relaxed);
        }
        Value::from_safe_string(input_text_words(text))
    });
    environment
}

/// True for what `input text` can type.
pub(crate) fn is_typeable(text: &str) -> bool {
    text.chars().all(|c| matches!(c, ' '..='~'))
}

/// The words after `input text` that type `text`, quoted. The command knows one escape, `%s` for a space
/// (`InputShellCommand.sendText`), and none for itself: a literal `%s` is typed by two calls, cut between `%` and `s`,
/// so the words of such a text go on with `&& input text …`.
fn input_text_words(text: &str) -> String {
    let mut calls = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("%s") {
        let (head, tail) = rest.split_at(at + 1);
        calls.push(quote(&head.replace(' ', "%s")));
        rest = tail;
    }
    calls.push(quote(&rest.replace(' ', "%s")));
    calls.join(" && input text ")
}

/// Quotes one word for the device's `sh` (mksh/toybox): plain words stay as they are, anything else goes into single
/// quotes, with `'\''` for a single quote. NUL cannot be passed to a shell and is dropped.
pub fn quote(word: &str) -> String {
    let plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '=' | ',' | '+' | '@' | '%');
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    let mut quoted = String::with_capacity(word.len() + 2);
    quoted.push('\'');
    for c in word.chars() {
        match c {
            '\0' => {}
            '\'' => quoted.push_str("'\\''"),
            other => quoted.push(other),
        }
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use minijinja::context;

    #[test]
    fn values_are_quoted_and_the_template_is_not() {
        let template = ShellTemplate::parse("input text {{ text | input_text }} && echo ok").unwrap();
        let values = context! { text => "it's; rm -rf $HOME" };
        let line = template.render(&values, &context! { text => "***" }).unwrap();
        assert_eq!(line.as_sent(), r"input text 'it'\''s;%srm%s-rf%s$HOME' && echo ok");
        assert_eq!(line.to_string(), "input text '***' && echo ok");
    }

    #[test]
    fn a_literal_percent_s_is_typed_by_two_calls() {
        let template = ShellTemplate::parse("input text {{ text | input_text }}").unwrap();
        let line = template.render(&context! { text => "5%sure %s" }, &context! { text => "***" }).unwrap();
        assert_eq!(line.as_sent(), "input text 5% && input text sure%s% && input text s");
        assert_eq!(line.to_string(), "input text '***'");
    }

    #[test]
    fn text_outside_printable_ascii_is_noticed_before_it_is_sent() {
        let template = ShellTemplate::parse("input text {{ text | input_text }}").unwrap();
        for (text, untypeable) in [("café", true), ("a\tb", true), ("日本", true), ("plain ~ text", false), ("", false)]
        {
            let line = template.render(&context! { text }, &context! { text }).unwrap();
            assert_eq!(line.types_untypeable_text(), untypeable, "{text:?}");
        }
        let lines = ShellTemplate::parse("input tap 1 2\ninput text {{ text | input_text }}").unwrap();
        assert!(!lines.render(&context! { text => "a" }, &context! { text => "a" }).unwrap().types_untypeable_text());
        assert!(!ShellLine::words(["am", "start", "-n", "p/.Café"]).types_untypeable_text());
    }

    #[test]
    fn a_sequence_keeps_its_secrets_masked() {
        let template = ShellTemplate::parse("input text {{ text }}").unwrap();
        let typed = template.render(&context! { text => "135790" }, &context! { text => "***" }).unwrap();
        let enter = ShellLine::fixed("input keyevent 66");
        assert!(typed.holds_secret() && !enter.holds_secret());
        let line = ShellLine::sequence(&[typed, enter]);
        assert!(line.holds_secret());
        assert_eq!(line.as_sent(), "input text 135790; input keyevent 66");
        assert_eq!(format!("{line:?}"), "ShellLine(\"input text '***'; input keyevent 66\")");
    }

    #[test]
    fn a_missing_value_is_an_error() {
        let template = ShellTemplate::parse("input tap {{ x }} {{ y }}").unwrap();
        assert!(template.render(&context! { x => 1 }, &context! { x => 1 }).is_err());
    }

    #[test]
    fn a_real_shell_reads_back_every_quoted_word() {
        for word in ["", "plain", "two words", "it's", "$(reboot)", "`id`", "a\nb", "\\", "日本語", "!x", "~", "*"] {
            let out =
                std::process::Command::new("sh").args(["-c", &format!("printf %s {}", quote(word))]).output().unwrap();
            assert_eq!(String::from_utf8(out.stdout).unwrap(), word);
        }
    }
}
