//! Words to arguments: variables, substitutions, field splitting and file patterns.

use super::interpreter::Shell;
use super::invocation::absolute;
use super::syntax::{Change, End, Part, Word};

/// A word after expansion; `pattern` is the text with quoted characters escaped.
#[derive(Default)]
pub(super) struct Field {
    pub(super) text: String,
    pattern: String,
    magic: bool,
    exists: bool,
}

impl Field {
    fn push(&mut self, text: &str, quoted: bool) {
        self.exists = true;
        self.text.push_str(text);
        for c in text.chars() {
            let special = matches!(c, '*' | '?' | '[' | '\\');
            if quoted && special {
                self.pattern.push('\\');
            }
            self.magic |= !quoted && special && c != '\\';
            self.pattern.push(c);
        }
    }

    /// Whether all of `text` matches this field as a pattern.
    pub(super) fn matches(&self, text: &str) -> bool {
        regex::Regex::new(&format!("(?s)^{}$", pattern_regex(&self.pattern))).is_ok_and(|regex| regex.is_match(text))
    }
}

/// How unquoted values become fields.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Split {
    /// At white space.
    Yes,
    /// Not at all: assignments, `case`, redirections.
    No,
}

impl Shell<'_> {
    /// A word as arguments: split, and matched against files (a pattern that matches nothing stays as it is).
    pub(super) fn arguments(&mut self, word: &Word) -> Vec<String> {
        let fields = self.fields(word, Split::Yes);
        fields.into_iter().filter(|field| field.exists).flat_map(|field| self.glob(field)).collect()
    }

    /// A word as one text, neither split nor matched.
    pub(super) fn text(&mut self, word: &Word) -> String {
        self.pattern(word).text
    }

    /// A word as a pattern.
    pub(super) fn pattern(&mut self, word: &Word) -> Field {
        self.fields(word, Split::No).pop().unwrap_or_default()
    }

    fn fields(&mut self, word: &Word, split: Split) -> Vec<Field> {
        let mut fields = vec![Field::default()];
        for part in word {
            let (value, quoted) = match part {
                Part::Text { text, quoted } => {
                    if let Some(field) = fields.last_mut() {
                        field.push(text, *quoted);
                    }
                    continue;
                }
                Part::Variable { name, change: Change::None, quoted: true } if name == "@" && split == Split::Yes => {
                    for (at, value) in self.positional.iter().enumerate() {
                        if at > 0 {
                            fields.push(Field::default());
                        }
                        if let Some(field) = fields.last_mut() {
                            field.push(value, true);
                        }
                    }
                    continue;
                }
                Part::Variable { name, change, quoted } => (self.changed(name, change), *quoted),
                Part::Substitution { script, quoted } => (self.substitute(script), *quoted),
                Part::Arithmetic { expression, quoted } => {
                    let text = self.text(expression);
                    let value = super::arithmetic::evaluate(&text, &|name| self.value(name).unwrap_or_default());
                    let value = value.map_or_else(
                        |error| {
                            self.complain(&format!("/system/bin/sh: {text}: {error}\n"));
                            self.abandon();
                            String::new()
                        },
                        |number| number.to_string(),
                    );
                    (value, *quoted)
                }
            };
            if quoted || split == Split::No {
                if let Some(field) = fields.last_mut() {
                    field.push(&value, quoted);
                }
                continue;
            }
            // White space at the edges ends the field that stands before or after.
            if value.starts_with(char::is_whitespace) && fields.last().is_some_and(|field| field.exists) {
                fields.push(Field::default());
            }
            for (at, piece) in value.split_whitespace().enumerate() {
                if at > 0 {
                    fields.push(Field::default());
                }
                if let Some(field) = fields.last_mut() {
                    field.push(piece, false);
                }
            }
            if value.ends_with(char::is_whitespace) && fields.last().is_some_and(|field| field.exists) {
                fields.push(Field::default());
            }
        }
        fields
    }

    /// A variable's value; `None` when unset.
    pub(super) fn value(&self, name: &str) -> Option<String> {
        match name {
            "?" => Some(self.status.code().to_string()),
            "#" => Some(self.positional.len().to_string()),
            "@" | "*" => (!self.positional.is_empty()).then(|| self.positional.join(" ")),
            "$" => Some("4711".to_owned()),
            "!" => None,
            "0" => Some("sh".to_owned()),
            _ => match name.parse::<usize>() {
                Ok(number) => self.positional.get(number - 1).cloned(),
                Err(_) => self.variables.get(name).cloned(),
            },
        }
    }

    fn changed(&mut self, name: &str, change: &Change) -> String {
        let value = self.value(name);
        let missing = |colon: bool| value.as_ref().is_none_or(|value| colon && value.is_empty());
        match change {
            Change::Length if name == "@" => self.positional.len().to_string(),
            Change::Length => value.unwrap_or_default().chars().count().to_string(),
            Change::Default { word, colon } if missing(*colon) => self.text(word),
            Change::Assign { word, colon } if missing(*colon) => {
                let text = self.text(word);
                self.variables.insert(name.to_owned(), text.clone());
                text
            }
            Change::None | Change::Default { .. } | Change::Assign { .. } => value.unwrap_or_default(),
            Change::Alternative { colon, .. } if missing(*colon) => String::new(),
            Change::Alternative { word, .. } => self.text(word),
            Change::Remove { pattern, end, longest } => {
                let pattern = self.pattern(pattern);
                remove(&value.unwrap_or_default(), &pattern, *end, *longest)
            }
        }
    }

    fn glob(&self, field: Field) -> Vec<String> {
        let (directory, pattern) = field.pattern.rsplit_once('/').map_or(("", field.pattern.as_str()), |(d, p)| (d, p));
        // Only the last component is matched; that is what people write (`rm /sdcard/x*.xml`).
        if !field.magic || directory.contains(['*', '?', '[']) {
            return vec![field.text];
        }
        let Ok(pattern) = regex::Regex::new(&format!("^{}$", pattern_regex(pattern))) else { return vec![field.text] };
        let prefix = field.text.rfind('/').map_or("", |at| &field.text[..=at]);
        let listed = self.system.lock().files.list(&absolute(&self.directory, prefix));
        let Ok(entries) = listed else { return vec![field.text] };
        let found: Vec<String> = entries
            .into_iter()
            .filter(|(name, _)| !name.starts_with('.') && pattern.is_match(name))
            .map(|(name, _)| format!("{prefix}{name}"))
            .collect();
        if found.is_empty() { vec![field.text] } else { found }
    }
}

fn remove(value: &str, pattern: &Field, end: End, longest: bool) -> String {
    let mut cuts: Vec<usize> = value.char_indices().map(|(at, _)| at).chain([value.len()]).collect();
    // The longest piece at the front ends last, the longest at the back begins first.
    if (end == End::Front) == longest {
        cuts.reverse();
    }
    let found = cuts.into_iter().find(|at| match end {
        End::Front => pattern.matches(&value[..*at]),
        End::Back => pattern.matches(&value[*at..]),
    });
    match (found, end) {
        (None, _) => value.to_owned(),
        (Some(at), End::Front) => value[at..].to_owned(),
        (Some(at), End::Back) => value[..at].to_owned(),
    }
}

/// A shell pattern as a regular expression, without anchors.
pub(super) fn pattern_regex(pattern: &str) -> String {
    let mut regex = String::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '*' => regex.push_str(".*"),
            '?' => regex.push('.'),
            '\\' => regex.push_str(&regex::escape(&chars.next().map_or(String::new(), String::from))),
            '[' if chars.as_str().contains(']') => {
                let inside = chars.as_str().split_once(']').map_or("", |(inside, _)| inside);
                let (not, set) = inside.strip_prefix(['!', '^']).map_or(("", inside), |set| ("^", set));
                let set = set.replace('\\', "\\\\").replace('[', "\\[").replace('&', "\\&").replace('~', "\\~");
                regex.push_str(&format!("[{not}{set}]"));
                chars = chars.as_str()[inside.len() + 1..].chars();
            }
            other => regex.push_str(&regex::escape(&other.to_string())),
        }
    }
    regex
}
