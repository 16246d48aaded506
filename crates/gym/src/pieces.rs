//! Pieces that several pages of an app are made of.

use crate::app::{Blueprint, literal, widget};
use crate::rich::Extra;
use crate::surface::{Labelling, Navigation};
use serde_json::{Map, Value, json};

impl<'a> Blueprint<'a> {
    /// Whether the app has it; apps of plain seeds have nothing of the kind.
    pub(crate) fn has(&self, extra: Extra) -> bool {
        self.rich.is_some_and(|rich| rich.has(extra))
    }

    /// The word that this app uses.
    pub(crate) fn word(&self, name: &str) -> &'a str {
        self.rich.map_or("", |rich| rich.word(name))
    }

    /// An expression that is another one once a bug is planted.
    pub(crate) fn unless(&self, bug: &str, right: &str, wrong: &str) -> String {
        match self.rich {
            Some(_) => format!("(if bug({}) {{ {wrong} }} else {{ {right} }})", literal(bug)),
            None => right.to_owned(),
        }
    }

    /// What crashes the app once the bug is planted.
    pub(crate) fn crash(&self, bug: &str, at: &str) -> Vec<Value> {
        let crash = json!([{"crash": format!("java.lang.IllegalStateException: {at} was already closed")}]);
        match self.rich {
            Some(_) => vec![json!({"if": {"when": format!("bug({})", literal(bug)), "then": crash}})],
            None => Vec::new(),
        }
    }

    /// What hangs the app for good once the bug is planted.
    pub(crate) fn hang(&self, bug: &str) -> Vec<Value> {
        match self.rich {
            Some(_) => vec![json!({"if": {"when": format!("bug({})", literal(bug)), "then": ["anr"]}})],
            None => Vec::new(),
        }
    }

    /// The screen that BACK leaves the app from.
    pub(crate) fn root(&self) -> &'static str {
        if self.surface.navigation == Navigation::Hub { "home" } else { "list" }
    }

    /// Goes to a part with nothing but what leads there below it.
    pub(crate) fn arrive(&self, part: &str) -> Vec<Value> {
        match self.surface.navigation {
            Navigation::BottomBar | Navigation::Tabs | Navigation::Drawer => vec![json!({"restart": part})],
            _ if part == self.root() => vec![json!({"restart": part})],
            _ => vec![json!({"restart": self.root()}), json!({"goto": part})],
        }
    }

    /// A page that is no part of the app.
    pub(crate) fn page(&self, id: &str, title: &str, body: Vec<Value>) -> Value {
        let activity: String = id.split('_').map(crate::app::capital).collect();
        let mut screen = json!({"id": id, "activity": format!(".{activity}Activity"), "title": title, "padding": 16, "gap": 12, "body": body});
        if let Some(dialect) = self.surface.toolkit.dialect() {
            screen["dialect"] = json!(dialect);
        }
        screen
    }

    /// A part that says so where it holds nothing.
    pub(crate) fn part_with_nothing(&self, part: &str, content: Value) -> Value {
        let nothing = widget(
            "text",
            json!({"text": self.word("nothing"), "color": "muted", "visible": format!("{part}.len() == 0")}),
        );
        Value::Object(self.part(part, &[content, nothing]))
    }

    /// What is asked before something is carried out.
    pub(crate) fn question(&self, id: &str, title: &str, message: &str, yes: Value) -> Value {
        let mut dialog = json!({
            "id": id, "title": title,
            "buttons": [{"text": self.surface.labels.cancel}, {"text": self.word("yes"), "on_tap": yes}],
        });
        if !message.is_empty() {
            dialog["message"] = json!(message);
        }
        dialog
    }

    /// A number with buttons for one more and one fewer.
    pub(crate) fn counter(&self, bind: &str, label: &str, most: usize) -> Value {
        let shown = widget("text", json!({"text": format!("{label}: {{{{ {bind} }}}}"), "grow": 1}));
        let button = |icon: &str, desc: &str, enabled: String, by: &str| {
            let act = json!([{"set": {bind: format!("{bind} {by} 1")}}]);
            widget("icon_button", json!({"icon": icon, "desc": desc, "enabled": enabled, "on_tap": act}))
        };
        let fewer = button("minus", self.word("fewer"), format!("{bind} > 0"), "-");
        let more = button("plus", self.word("more"), format!("{bind} < {most}"), "+");
        widget("row", json!({"gap": 8, "align": "center", "children": [shown, fewer, more]}))
    }

    /// A field with its label, where the app writes labels.
    pub(crate) fn field(&self, bind: &str, label: &str, input: &str) -> Vec<Value> {
        let field = |label: Option<&str>| {
            widget("field", json!({"id": self.surface.id(bind), "bind": bind, "label": label, "input": input}))
        };
        match self.surface.labelling {
            Labelling::Floating => vec![field(Some(label))],
            Labelling::Over => vec![widget("text", json!({"text": label, "style": "label"})), field(None)],
        }
    }

    /// A name over what it holds.
    pub(crate) fn pair(&self, name: &str, value: &str, id: &str) -> Value {
        let id = self.surface.id(id);
        widget(
            "column",
            json!({"gap": 2, "children": [
                widget("text", json!({"text": name, "style": "label", "color": "muted"})),
                widget("text", json!({"id": id, "text": value})),
            ]}),
        )
    }

    /// The button that a page is there for.
    pub(crate) fn main_button(&self, text: &str, act: Vec<Value>) -> Value {
        widget("button", json!({"text": text, "on_tap": act}))
    }

    /// The bugs that can be planted: their names and what is wrong then.
    pub(crate) fn bugs(&self) -> Map<String, Value> {
        let Some(rich) = self.rich else { return Map::new() };
        let own = crate::app::BUGS.iter().filter(|(name, _)| self.knows(name));
        let bugs = own.chain(rich.abilities.iter().flat_map(|ability| ability.bugs()));
        bugs.map(|(name, what)| ((*name).to_owned(), json!(what))).collect()
    }
}
