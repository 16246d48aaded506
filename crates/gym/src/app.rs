//! The app file: its state, what changes it, and what it is put together of.

use crate::ability::{Bug, SignIn};
use crate::form::{form_screens, settings_screen};
use crate::rich::{Extra, Rich};
use crate::surface::{Asking, Finding, Navigation, Rows, Surface};
use crate::task::Thing;
use crate::vocabulary::Subject;
use serde_json::{Value, json};

/// Bugs of what every app can do.
pub(crate) const BUGS: [Bug; 10] = [
    ("not_saved", "the form is closed and nothing is kept"),
    ("saved_twice", "a new thing is kept twice"),
    ("stale_list", "the list shows what was there before the form was saved"),
    ("crash_on_save", "saving crashes"),
    ("wrong_removed", "the neighbour is removed"),
    ("hang_on_remove", "the app hangs once removing is confirmed"),
    ("mark_ignored", "marking a thing does nothing"),
    ("filter_ignored", "the filter is set and nothing is filtered"),
    ("search_ignored", "what is typed into the search narrows nothing"),
    ("dead_switch", "touching a switch of the settings changes nothing"),
];

/// One app in the making.
pub(crate) struct Blueprint<'a> {
    pub(crate) subject: &'a Subject<'a>,
    pub(crate) surface: &'a Surface<'a>,
    pub(crate) package: &'a str,
    /// What the app holds at first.
    pub(crate) things: &'a [Thing],
    /// What it has beyond keeping things; nothing in apps of seeds without a split.
    pub(crate) rich: Option<&'a Rich<'a>>,
}

/// A text literal of an expression.
pub(crate) fn literal(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A widget: its kind, and its keys; keys without a value are left out.
pub(crate) fn widget(kind: &str, keys: Value) -> Value {
    let mut keys = keys;
    if let Value::Object(map) = &mut keys {
        map.retain(|_, value| !value.is_null());
    }
    json!({ kind: keys })
}

impl Blueprint<'_> {
    /// The whole file.
    pub(crate) fn app(&self) -> Value {
        let Self { subject, surface, .. } = self;
        let mut screens = Vec::new();
        if surface.navigation == Navigation::Hub {
            screens.push(self.hub());
        }
        screens.extend([self.list(), self.overview(), settings_screen(self), self.detail()]);
        screens.extend(form_screens(self));
        if self.has(Extra::SignIn) {
            screens.insert(0, SignIn::screen(self));
        }
        let (mut dialogs, mut sheets) = self.more_windows();
        let mut consequences = vec![
            json!({"effect": "deleted", "removed": "fields(items, \"name\")", "reason": "nothing brings it back"}),
        ];
        for ability in self.rich.iter().flat_map(|rich| &rich.abilities) {
            screens.extend(ability.screens(self));
            consequences.extend(ability.consequences());
        }
        match surface.asking {
            Asking::Dialog => dialogs.push(json!({
                "id": "sure", "title": subject.wording.sure, "message": "{{ items[at].name }}",
                "buttons": [{"text": surface.labels.cancel}, {"text": surface.labels.yes, "on_tap": self.removal()}],
            })),
            Asking::Sheet => sheets.push(json!({
                "id": "sure", "title": subject.wording.sure,
                "body": [
                    widget("list_item", json!({"title": surface.labels.cancel, "on_tap": ["close"]})),
                    widget("list_item", json!({"title": surface.labels.yes, "icon": "trash", "on_tap": sequence(&[json!("close"), self.removal()])})),
                ],
            })),
        }
        if surface.rows == Rows::Plain {
            sheets.push(self.row_menu());
        }
        let mut app = json!({
            "package": self.package, "label": surface.labels.app, "version": "2.4.0",
            "icon": {"color": subject.family.color, "glyph": subject.family.icon},
            "primary": subject.family.color,
            "consequences": consequences,
            "state": self.state(), "screens": screens, "dialogs": dialogs, "sheets": sheets,
        });
        let bugs = self.bugs();
        if !bugs.is_empty() {
            app["bugs"] = Value::Object(bugs);
        }
        app
    }

    /// Dialogs and sheets beside those about a thing.
    fn more_windows(&self) -> (Vec<Value>, Vec<Value>) {
        let (mut dialogs, mut sheets) = (Vec::new(), Vec::new());
        for ability in self.rich.iter().flat_map(|rich| &rich.abilities) {
            let (more_dialogs, more_sheets) = ability.windows(self);
            dialogs.extend(more_dialogs);
            sheets.extend(more_sheets);
        }
        if self.has(Extra::Offer) {
            dialogs.push(json!({
                "id": "offer", "title": self.word("offer"), "message": self.word("offer_said"),
                "buttons": [{"text": self.word("offer_no")}, {"text": self.word("offer_yes"), "on_tap": [{"toast": self.word("thanks")}]}],
            }));
        }
        if self.has(Extra::Reset) {
            dialogs.push(self.question(
                "reset_sure",
                self.word("reset_sure"),
                "",
                json!([{"set": {"items": "[]"}}, {"restart": self.root()}]),
            ));
        }
        if self.surface.navigation == Navigation::Menu {
            sheets.push(self.parts_menu());
        }
        (dialogs, sheets)
    }

    /// Whether a bug of the general ones can be planted in this app.
    pub(crate) fn knows(&self, bug: &str) -> bool {
        let finding = self.surface.finding;
        match bug {
            "filter_ignored" => finding != Finding::Search,
            "search_ignored" => finding != Finding::Filter,
            _ => true,
        }
    }

    fn state(&self) -> Value {
        let wording = self.subject.wording;
        let data = if self.rich.is_some() { Thing::rich_data } else { Thing::data };
        let items: Vec<Value> = self.things.iter().map(data).collect();
        let mut state = json!({
            "items": items, "at": 0, "pane": "list", "filter": self.subject.book.all, "query": "", "editing": false,
            "d_name": "", "d_kind": wording.kinds.first(), "d_note": "", "d_number": "", "d_flag": false,
            "first_on": false, "second_on": false, "chosen": wording.choices.first(),
        });
        let mut more: Vec<(&str, Value)> = Vec::new();
        if let Some(rich) = self.rich {
            more.push(("before", state["items"].clone()));
            more.extend(rich.abilities.iter().flat_map(|ability| ability.state(self)));
        }
        if self.has(Extra::SignIn) {
            more.extend(SignIn::state());
        }
        if self.has(Extra::Offer) {
            more.push(("offered", json!(false)));
        }
        for (name, value) in more {
            state[name] = value;
        }
        if let (Some(_), Value::Object(state)) = (self.rich, &mut state) {
            let flat = matches!(self.surface.navigation, Navigation::BottomBar | Navigation::Tabs);
            let asked =
                [("pane", flat), ("query", self.knows("search_ignored")), ("filter", self.knows("filter_ignored"))];
            state.retain(|name, _| asked.iter().all(|(unread, asks)| name != unread || *asks));
        }
        state
    }

    /// What removes the open thing.
    fn removal(&self) -> Value {
        let Some(_) = self.rich else {
            return json!([{"restart": "list"}, {"set": {"items": "without(items, at)", "at": "0"}}]);
        };
        let removed = self.unless("wrong_removed", "without(items, at)", "without(items, (at + 1) % items.len())");
        let mut acts = self.hang("hang_on_remove");
        acts.extend(self.arrive("list"));
        acts.push(json!({"set": {"items": removed, "at": "0"}}));
        Value::Array(acts)
    }

    pub(crate) fn flagging(&self, index: &str) -> Value {
        let now = format!("items[{index}]");
        let marked = format!("with(items, {index}, put({now}, \"flag\", !{now}.flag))");
        json!([{"set": {"items": self.unless("mark_ignored", &marked, "items")}}])
    }
}

/// Actions one after another, lists of them flattened.
pub(crate) fn sequence(parts: &[Value]) -> Value {
    let flat = parts.iter().flat_map(|part| part.as_array().cloned().unwrap_or_else(|| vec![part.clone()]));
    Value::Array(flat.collect())
}

pub(crate) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
