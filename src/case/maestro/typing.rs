//! What a flow types, and into what: a field is known once something was typed or erased right after it was touched.

use super::sentence::{Named, quoted};
use super::translate::{Deed, Work};
use serde_json::Value;

/// What is known of the keyboard's end.
#[derive(Debug, Clone, Default)]
pub(super) struct Typing {
    /// What the last command touched: text that is typed next goes there.
    touched: Option<Named>,
    /// The field that was typed into last, as long as nothing else was touched since.
    field: Option<Field>,
    /// What was copied last.
    copied: Option<String>,
}

/// A field and what the flow put into it.
#[derive(Debug, Clone)]
struct Field {
    named: Named,
    held: String,
    /// The line of the flow that emptied it, while nothing was typed since.
    emptied: Option<u64>,
    /// Which sentence of the case typed into it last.
    line: Option<usize>,
}

impl Typing {
    /// Something was touched.
    pub(super) fn touch(&mut self, named: Option<Named>) {
        self.touched = named;
        self.field = None;
    }

    /// A command that touches nothing and is no typing: what was touched before it is not typed into for that.
    pub(super) fn look_elsewhere(&mut self) {
        self.touched = None;
    }

    /// The line that emptied a field which was never filled again.
    pub(super) fn left_empty(&mut self) -> Option<u64> {
        self.field.as_mut().and_then(|field| field.emptied.take())
    }
}

impl Work<'_> {
    /// `inputText`: into the field that was touched, else behind what the flow typed before.
    pub(super) fn typed(&mut self, value: &Value) -> Result<(), String> {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            Value::Object(map) if map.keys().all(|key| key == "text" || key == "label") => {
                map.get("text").and_then(Value::as_str).map(str::to_owned).ok_or("it names no text")?
            }
            other => return Err(format!("{other} is no text")),
        };
        self.variables(&text)?;
        self.enter(text);
        Ok(())
    }

    fn enter(&mut self, text: String) {
        let new = self.typing.touched.take().map(|named| Field {
            named,
            held: String::new(),
            emptied: None,
            // What was touched to type into it is one sentence with what is typed.
            line: self.lines.len().checked_sub(1),
        });
        let Some(mut field) = new.or_else(|| self.typing.field.take()) else {
            self.step(format!("Type {}", spoken(&text)));
            return;
        };
        field.held.push_str(&text);
        if field.line.is_some() && field.line == self.lines.len().checked_sub(1) {
            self.lines.pop();
        }
        let words = &field.named.words;
        let named = if field.named.text.is_some() { words.clone() } else { format!("{words} field") };
        self.step(format!("Enter {} into {named}", spoken(&field.held)));
        field.line = self.lines.len().checked_sub(1);
        field.emptied = None;
        self.typing.field = Some(field);
    }

    /// `eraseText`: what is typed next replaces what the field holds, as it always does in a case.
    pub(super) fn erased(&mut self, line: u64) -> Result<(), String> {
        let touched = self.typing.touched.take();
        let touched = touched.map(|named| Field {
            named,
            held: String::new(),
            emptied: None,
            line: self.lines.len().checked_sub(1),
        });
        let Some(field) = touched.or_else(|| self.typing.field.take()) else {
            return Err("it is not told which field is emptied: tap it first".to_owned());
        };
        self.typing.field = Some(Field { held: String::new(), emptied: Some(line), ..field });
        Ok(())
    }

    /// `copyTextFrom`: of a field whose content the flow typed, or of something named by its text.
    pub(super) fn copied(&mut self, value: &Value) -> Result<(), String> {
        let named = self.checked(value)?;
        let typed = self.typing.field.as_ref().filter(|field| field.named.words == named.words);
        let text = typed.map(|field| field.held.clone()).or(named.text);
        self.typing.copied = Some(text.ok_or("what it copies is not known before the run")?);
        Ok(())
    }

    /// `pasteText`: types what was copied.
    pub(super) fn pasted(&mut self) -> Result<(), String> {
        let text = self.typing.copied.clone().ok_or("nothing was copied before it")?;
        self.enter(text);
        Ok(())
    }
}

/// A text as a sentence names it: a value by its mark, all else in quotation marks.
fn spoken(text: &str) -> String {
    let is_mark = text.starts_with("${") && text.ends_with('}') && text.matches("${").count() == 1;
    if is_mark { text.to_owned() } else { quoted(text) }
}

impl Deed {
    /// The sentence of the case.
    pub(super) fn sentence(&self) -> &str {
        match self {
            Self::Step(step) | Self::Check { step, .. } => step,
        }
    }
}
