//! The only way text reaches a device's shell.
//!
//! A [`ShellTemplate`] is trusted text (from `skills/*.toml` or this room); every value put into it passes through
//! [`quote`]. Nothing outside this room can build a [`ShellLine`].

use minijinja::{Environment, Value};
use std::fmt;

/// A line for the device's `sh`, safe to send. `Debug` and `Display` show the masked form.
#[derive(Clone, PartialEq, Eq)]
pub struct ShellLine {
    line: String,
    shown: String,
}

impl ShellLine {
    /// A trusted line without values.
    pub(crate) fn fixed(line: &'static str) -> Self {
        Self { line: line.to_owned(), shown: line.to_owned() }
    }

    /// Joins words, quoting each.
    pub(crate) fn words<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let line = words.into_iter().map(quote).collect::<Vec<_>>().join(" ");
        Self { shown: line.clone(), line }
    }

    /// True when there is nothing to run.
    pub fn is_empty(&self) -> bool {
        self.line.trim().is_empty()
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
        environment()
            .template_from_str(template)
            .map_err(|error| TemplateError { template: template.to_owned(), reason: error.to_string() })?;
        Ok(Self(template.to_owned()))
    }

    /// Fills in the values: `sent` as they are, `shown` as they may be printed (secrets masked).
    pub fn render(&self, sent: &Value, shown: &Value) -> Result<ShellLine, TemplateError> {
        let fill = |values: &Value| {
            environment()
                .render_str(&self.0, values)
                .map_err(|error| TemplateError { template: self.0.clone(), reason: error.to_string() })
        };
        Ok(ShellLine { line: fill(sent)?, shown: fill(shown)? })
    }
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    environment.set_formatter(|out, _state, value| {
        let text = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
        out.write_str(&quote(&text)).map_err(minijinja::Error::from)
    });
    // `input text` knows one escape, `%s` for a space (InputShellCommand.sendText); a literal "%s" cannot be typed in
    // one call, which the device room handles by splitting.
    environment.add_filter("input_text", |text: &str| text.replace(' ', "%s"));
    environment
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
