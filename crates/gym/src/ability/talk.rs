//! Writing under a thing: a message to a person, a comment to a post.

use super::{Ability, Bug};
use crate::app::{Blueprint, widget};
use crate::surface::Toolkit;
use crate::task::{Planned, Planner};
use serde::Deserialize;
use serde_json::{Value, json};

/// The words of talking.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TalkWords {
    /// What the field asks for.
    hint: String,
    /// Sends what it holds.
    send: String,
    /// What is written.
    lines: Vec<String>,
    /// Asks, with `{item}` and `{text}`.
    asks: Vec<String>,
}

pub(super) struct Talk<'l> {
    pub(super) words: &'l TalkWords,
}

impl Ability for Talk<'_> {
    fn state(&self, of: &Blueprint<'_>) -> Vec<(&'static str, Value)> {
        let said = |(at, thing): (usize, &crate::task::Thing)| {
            let line = self.words.lines.get(at % 2)?;
            Some(json!({"of": thing.name, "text": line}))
        };
        let said: Vec<Value> = of.things.iter().enumerate().filter_map(said).collect();
        vec![("said", json!(said)), ("line", json!(""))]
    }

    fn on_detail(&self, of: &Blueprint<'_>) -> Vec<Value> {
        let words = self.words;
        let bubble = widget(
            "card",
            json!({"padding": 10, "align_self": "start", "children": [widget("text", json!({"text": "{{ item.text }}"}))]}),
        );
        let sent = "append(said, #{of: items[at].name, text: trim(line)})";
        let wrong = "append(said, #{of: items[if at == 0 { 1 } else { 0 }].name, text: trim(line)})";
        let set = of.unless("not_sent", &of.unless("wrong_thread", sent, wrong), "said");
        let act = json!([{"keyboard": "hide"}, {"set": {"said": set, "line": "\"\""}}]);
        // Only views tell the hint of a field.
        let (hint, label) = match of.surface.toolkit {
            Toolkit::Views => (Some(&words.hint), None),
            _ => (None, Some(widget("text", json!({"text": words.hint, "style": "label"})))),
        };
        let field = widget("field", json!({"id": of.surface.id("line"), "bind": "line", "hint": hint, "grow": 1}));
        let send = widget(
            "icon_button",
            json!({"icon": "send", "desc": words.send, "color": "primary", "enabled": "trim(line) != \"\"", "on_tap": act}),
        );
        let mut body = vec![
            widget("divider", json!({})),
            widget("list", json!({"items": "where(said, \"of\", items[at].name)", "gap": 6, "item": [bubble]})),
        ];
        body.extend(label);
        body.push(widget("row", json!({"gap": 8, "align": "center", "children": [field, send]})));
        body
    }

    fn consequences(&self) -> Vec<Value> {
        vec![json!({"effect": "sent", "added": "fields(said, \"text\")", "reason": "somebody reads it"})]
    }

    fn bugs(&self) -> &'static [Bug] {
        &[("not_sent", "what is sent is lost"), ("wrong_thread", "what is sent appears elsewhere")]
    }

    fn operations(&self) -> &'static [&'static str] {
        &["write"]
    }

    fn plan(&self, _number: usize, planner: &mut Planner<'_>) -> Option<Planned> {
        let words = self.words;
        let item = planner.any_but(&[])?;
        let lines = words.lines.get(2..)?;
        let text = lines.get(planner.draw.below(lines.len()))?.clone();
        planner.open(&item);
        let places = [("label", words.hint.as_str()), ("value", text.as_str())];
        planner.asked("note", &places, Planner::typing(&words.hint, &text));
        planner.press(&words.send);
        let whole = planner.phrase(&words.asks, &[("item", &item), ("text", &text)]);
        Some(Planned {
            whole,
            expects: vec![json!({"screen": item}), json!({"visible": text})],
            bugs: vec!["not_sent", "wrong_thread"],
        })
    }
}
