//! The app file: state, sections, the list and a thing's own page.

use crate::form::{form_screen, settings_screen};
use crate::surface::{Asking, Creating, Finding, Navigation, Removing, Rows, Surface, Toolkit};
use crate::task::Thing;
use crate::vocabulary::Subject;
use serde_json::{Map, Value, json};

/// One app in the making.
pub(crate) struct Blueprint<'a> {
    pub(crate) subject: &'a Subject<'a>,
    pub(crate) surface: &'a Surface<'a>,
    pub(crate) package: &'a str,
    /// What the app holds at first.
    pub(crate) things: &'a [Thing],
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
        screens.extend([self.list(), self.overview(), settings_screen(self), self.detail(), form_screen(self)]);
        let mut sheets = Vec::new();
        let mut dialogs = Vec::new();
        match surface.asking {
            Asking::Dialog => dialogs.push(json!({
                "id": "sure", "title": subject.wording.sure, "message": "{{ items[at].name }}",
                "buttons": [{"text": surface.labels.cancel}, {"text": surface.labels.yes, "on_tap": Self::removal()}],
            })),
            Asking::Sheet => sheets.push(json!({
                "id": "sure", "title": subject.wording.sure,
                "body": [
                    widget("list_item", json!({"title": surface.labels.cancel, "on_tap": ["close"]})),
                    widget("list_item", json!({"title": surface.labels.yes, "icon": "trash", "on_tap": sequence(&[json!("close"), Self::removal()])})),
                ],
            })),
        }
        if surface.rows == Rows::Plain {
            sheets.push(self.row_menu());
        }
        json!({
            "package": self.package, "label": surface.labels.app, "version": "2.4.0",
            "icon": {"color": subject.family.color, "glyph": subject.family.icon},
            "primary": subject.family.color,
            "consequences": [{"effect": "deleted", "removed": "fields(items, \"name\")", "reason": "nothing brings it back"}],
            "state": self.state(), "screens": screens, "dialogs": dialogs, "sheets": sheets,
        })
    }

    fn state(&self) -> Value {
        let wording = self.subject.wording;
        let items: Vec<Value> = self.things.iter().map(Thing::data).collect();
        json!({
            "items": items, "at": 0, "pane": "list", "filter": self.subject.book.all, "query": "", "editing": false,
            "d_name": "", "d_kind": wording.kinds.first(), "d_note": "", "d_number": "", "d_flag": false,
            "first_on": false, "second_on": false, "chosen": wording.choices.first(),
        })
    }

    /// What removes the open thing.
    fn removal() -> Value {
        json!([{"restart": "list"}, {"set": {"items": "without(items, at)", "at": "0"}}])
    }

    fn flagging(index: &str) -> Value {
        let now = format!("items[{index}]");
        json!([{"set": {"items": format!("with(items, {index}, put({now}, \"flag\", !{now}.flag))")}}])
    }

    /// The three parts of the app: screen, title, icon.
    fn parts(&self) -> [(&'static str, &str, &'static str); 3] {
        let labels = &self.surface.labels;
        [
            ("list", self.subject.wording.list.as_str(), "list"),
            ("overview", labels.overview, "chart"),
            ("settings", labels.settings, "settings"),
        ]
    }

    /// A screen that is a part of the app, with what leads to the others.
    pub(crate) fn part(&self, id: &str, body: &[Value]) -> Map<String, Value> {
        let title = self.parts().into_iter().find(|(part, _, _)| *part == id).map_or("", |(_, title, _)| title);
        let mut screen = Map::new();
        screen.insert("id".to_owned(), json!(id));
        screen.insert("activity".to_owned(), json!(format!(".{}Activity", capital(id))));
        screen.insert("title".to_owned(), json!(title));
        screen.insert("padding".to_owned(), json!(12));
        screen.insert("gap".to_owned(), json!(8));
        screen.insert("body".to_owned(), json!(body));
        if self.surface.toolkit == Toolkit::Compose {
            screen.insert("dialect".to_owned(), json!("compose"));
        }
        let flat = matches!(self.surface.navigation, Navigation::BottomBar | Navigation::Tabs | Navigation::Drawer);
        screen.insert("up".to_owned(), json!(!flat && (id != "list" || self.surface.navigation == Navigation::Hub)));
        let to =
            |part: &str| json!({"if": {"when": format!("pane == {}", literal(part)), "then": [{"restart": part}]}});
        let switches: Vec<Value> = self.parts().iter().map(|(part, _, _)| to(part)).collect();
        let here = json!([{"set": {"pane": literal(id)}}]);
        match self.surface.navigation {
            Navigation::BottomBar | Navigation::Tabs => {
                let bottom = self.surface.navigation == Navigation::BottomBar;
                let item = |(part, title, icon): &(&str, &str, &str)| {
                    let mut item = json!({"text": title, "value": literal(part)});
                    if bottom && let Value::Object(map) = &mut item {
                        map.insert("icon".to_owned(), json!(icon));
                    }
                    item
                };
                let items: Vec<Value> = self.parts().iter().map(item).collect();
                let key = if bottom { "bottom_nav" } else { "tabs" };
                screen.insert(key.to_owned(), json!({"bind": "pane", "items": items, "on_change": switches}));
                screen.insert("on_open".to_owned(), here);
            }
            Navigation::Drawer => {
                let entry = |(part, title, icon): &(&str, &str, &str)| {
                    let act = json!(["close_drawer", {"restart": part}]);
                    widget("list_item", json!({"title": title, "icon": icon, "plain_icon": true, "on_tap": act}))
                };
                let header =
                    widget("text", json!({"text": self.surface.labels.app, "style": "title", "color": "on_primary"}));
                let body: Vec<Value> = self.parts().iter().map(entry).collect();
                screen.insert("drawer".to_owned(), json!({"header": [header], "body": body}));
            }
            Navigation::Overflow if id == "list" => {
                let [_, overview, settings] = self.parts();
                let entry = |(part, title, _): (&str, &str, &str)| json!({"text": title, "on_tap": [{"goto": part}]});
                screen.insert("menu".to_owned(), json!([entry(overview), entry(settings)]));
            }
            Navigation::Overflow | Navigation::Hub => {}
        }
        screen
    }

    fn hub(&self) -> Value {
        let entry = |(part, title, icon): &(&str, &str, &str)| {
            widget("list_item", json!({"title": title, "icon": icon, "chevron": true, "on_tap": [{"goto": part}]}))
        };
        let body: Vec<Value> = self.parts().iter().map(entry).collect();
        json!({"id": "home", "title": self.subject.book.home, "up": false, "padding": 12, "gap": 4, "body": body})
    }

    fn list(&self) -> Value {
        let (surface, subject) = (self.surface, self.subject);
        let mut body = Vec::new();
        if matches!(surface.finding, Finding::Search | Finding::Both) {
            let keys = json!({"id": surface.id("query"), "bind": "query", "hint": surface.labels.search});
            body.push(widget("search", keys));
        }
        if matches!(surface.finding, Finding::Filter | Finding::Both) {
            let mut kinds = vec![subject.book.all.as_str()];
            kinds.extend(subject.wording.kinds.iter().map(String::as_str));
            let keys = json!({"id": surface.id("kinds"), "bind": "filter", "items": kinds});
            body.push(widget("chips", keys));
        }
        body.push(widget(
            "list",
            json!({"id": surface.id("things"), "items": "items", "gap": 6, "item": [self.row()]}),
        ));
        let mut creating = vec![json!({"set": {
            "editing": "false", "d_name": "\"\"", "d_kind": literal(subject.wording.kinds.first().map_or("", |kind| kind)),
            "d_note": "\"\"", "d_number": "\"\"", "d_flag": "false"}})];
        creating.push(json!({"goto": "form"}));
        let new = &subject.wording.new;
        let mut screen = self.part("list", &body);
        match surface.creating {
            Creating::RoundButton => {
                screen.insert("fab".to_owned(), json!({"icon": "plus", "desc": new, "on_tap": creating}))
            }
            Creating::WideButton => {
                screen.insert("fab".to_owned(), json!({"icon": "plus", "text": new, "on_tap": creating}))
            }
            Creating::BarIcon => {
                let button = widget("icon_button", json!({"icon": "plus_circle", "desc": new, "on_tap": creating}));
                screen.insert("actions".to_owned(), json!([button]))
            }
            Creating::BottomButton => {
                let button =
                    widget("button", json!({"id": surface.id("add"), "text": new, "margin": 8, "on_tap": creating}));
                screen.insert("bottom".to_owned(), json!([button]))
            }
        };
        Value::Object(screen)
    }

    fn row(&self) -> Value {
        let (surface, wording) = (self.surface, self.subject.wording);
        let all = literal(&self.subject.book.all);
        let mut shown = Vec::new();
        if matches!(surface.finding, Finding::Filter | Finding::Both) {
            shown.push(format!("(filter == {all} || item.kind == filter)"));
        }
        if matches!(surface.finding, Finding::Search | Finding::Both) {
            shown.push("(query == \"\" || lower(item.name).contains(lower(query)))".to_owned());
        }
        let visible = shown.join(" && ");
        let open = json!([{"set": {"at": "index"}}, {"goto": "detail"}]);
        let ask = json!([{"set": {"at": "index"}}, {"show": "sure"}]);
        let flag = Self::flagging("index");
        let line = "{{ item.kind }} · {{ item.number }}";
        let title = widget("text", json!({"id": surface.id("name"), "text": "{{ item.name }}", "style": "subtitle"}));
        let second =
            widget("text", json!({"id": surface.id("line"), "text": line, "style": "small", "color": "muted"}));
        match surface.rows {
            Rows::Plain => widget(
                "list_item",
                json!({
                    "title": "{{ item.name }}", "subtitle": line, "icon": self.subject.family.icon, "visible": visible,
                    "on_tap": open, "on_long_press": [{"set": {"at": "index"}}, {"show": "row_menu"}],
                }),
            ),
            Rows::Icons => {
                let icon = &self.subject.family.flag_icon;
                let mark = |desc: &str, color: &str, visible: &str| {
                    widget(
                        "icon_button",
                        json!({"icon": icon, "desc": desc, "color": color, "visible": visible, "on_tap": flag}),
                    )
                };
                let bin = widget("icon_button", json!({"icon": "trash", "desc": wording.remove, "on_tap": ask}));
                let texts = widget("column", json!({"grow": 1, "children": [title, second]}));
                widget(
                    "row",
                    json!({
                        "visible": visible, "padding": 8, "gap": 8, "align": "center", "on_tap": open,
                        "children": [texts, mark(&wording.on, "outline", "!item.flag"), mark(&wording.off, "primary", "item.flag"), bin],
                    }),
                )
            }
            Rows::Cards => {
                let button = |text: &str, visible: Option<&str>, act: &Value| {
                    widget("button", json!({"text": text, "style": "text", "visible": visible, "on_tap": act}))
                };
                let buttons = widget(
                    "row",
                    json!({"gap": 4, "children": [
                        button(&wording.on, Some("!item.flag"), &flag), button(&wording.off, Some("item.flag"), &flag),
                        button(&wording.remove, None, &ask),
                    ]}),
                );
                widget(
                    "card",
                    json!({"visible": visible, "padding": 12, "gap": 4, "on_tap": open, "children": [title, second, buttons]}),
                )
            }
        }
    }

    fn row_menu(&self) -> Value {
        let wording = self.subject.wording;
        let entry = |title: &str, icon: &str, visible: Option<&str>, act: Value| {
            widget(
                "list_item",
                json!({"title": title, "icon": icon, "visible": visible, "on_tap": sequence(&[json!("close"), act])}),
            )
        };
        let flag = Self::flagging("at");
        json!({"id": "row_menu", "title": "{{ items[at].name }}", "body": [
            entry(&wording.on, &self.subject.family.flag_icon, Some("!items[at].flag"), flag.clone()),
            entry(&wording.off, "undo", Some("items[at].flag"), flag),
            entry(&wording.remove, "trash", None, json!([{"show": "sure"}])),
        ]})
    }

    fn overview(&self) -> Value {
        let wording = self.subject.wording;
        let line = |title: &str, value: String| widget("list_item", json!({"title": title, "trailing": value}));
        let all = line(&wording.list, format!("{{{{ items.len() }}}} {}", self.subject.book.in_all));
        let flagged = line(&wording.state, "{{ count(items, \"flag\", true) }}".to_owned());
        Value::Object(self.part("overview", &[all, flagged]))
    }

    /// A thing's own page.
    fn detail(&self) -> Value {
        let (surface, wording) = (self.surface, self.subject.wording);
        let pair = |label: &str, value: &str, id: &str| {
            let label = widget("text", json!({"text": label, "style": "label", "color": "muted"}));
            let value = widget("text", json!({"id": surface.id(id), "text": value}));
            widget("column", json!({"gap": 2, "children": [label, value]}))
        };
        let flag = Self::flagging("at");
        let button = |text: &str, visible: &str| {
            widget("button", json!({"text": text, "style": "tonal", "visible": visible, "on_tap": flag}))
        };
        let mut body = vec![
            pair(&wording.kind, "{{ items[at].kind }}", "kind"),
            pair(&wording.number, "{{ items[at].number }}", "number"),
            pair(&wording.note, "{{ items[at].note }}", "note"),
            widget("text", json!({"text": wording.state, "color": "success", "visible": "items[at].flag"})),
            button(&wording.on, "!items[at].flag"),
            button(&wording.off, "items[at].flag"),
        ];
        let edit = json!([{"set": {
            "editing": "true", "d_name": "items[at].name", "d_kind": "items[at].kind", "d_note": "items[at].note",
            "d_number": "items[at].number", "d_flag": "items[at].flag"}}, {"goto": "form"}]);
        let ask = json!([{"show": "sure"}]);
        let mut actions =
            vec![widget("icon_button", json!({"icon": "edit", "desc": surface.labels.edit, "on_tap": edit}))];
        let mut screen = json!({"id": "detail", "activity": ".DetailActivity", "title": "{{ items[at].name }}", "padding": 16, "gap": 12});
        match surface.removing {
            Removing::Button => {
                body.push(widget("button", json!({"text": wording.remove, "style": "outlined", "on_tap": ask})));
            }
            Removing::Menu => screen["menu"] = json!([{"text": wording.remove, "on_tap": ask}]),
            Removing::BarIcon => {
                actions.push(widget("icon_button", json!({"icon": "trash", "desc": wording.remove, "on_tap": ask})));
            }
        }
        screen["actions"] = json!(actions);
        screen["body"] = json!(body);
        if surface.toolkit == Toolkit::Compose {
            screen["dialect"] = json!("compose");
        }
        screen
    }
}

/// Actions one after another, lists of them flattened.
fn sequence(parts: &[Value]) -> Value {
    let flat = parts.iter().flat_map(|part| part.as_array().cloned().unwrap_or_else(|| vec![part.clone()]));
    Value::Array(flat.collect())
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
