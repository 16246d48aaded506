//! The list of things, its rows, and what a row offers.

use crate::app::{Blueprint, literal, sequence, widget};
use crate::surface::{Creating, Finding, Rows};
use serde_json::{Value, json};

impl Blueprint<'_> {
    pub(crate) fn list(&self) -> Value {
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
        for ability in self.rich.iter().flat_map(|rich| &rich.abilities) {
            body.extend(ability.over_list(self));
        }
        let items = self.unless("stale_list", "items", "before");
        let gap = if surface.rows == Rows::Photos { 14 } else { 6 };
        body.push(widget(
            "list",
            json!({"id": surface.id("things"), "items": items, "gap": gap, "item": [self.row()]}),
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
                let mut actions = vec![button];
                actions.extend(screen.get("actions").and_then(Value::as_array).into_iter().flatten().cloned());
                screen.insert("actions".to_owned(), json!(actions))
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
            shown.push(self.unless("filter_ignored", &format!("(filter == {all} || item.kind == filter)"), "true"));
        }
        if matches!(surface.finding, Finding::Search | Finding::Both) {
            let found = "(query == \"\" || lower(item.name).contains(lower(query)))";
            shown.push(self.unless("search_ignored", found, "true"));
        }
        if self.rich.is_some() {
            shown.push("!item.shelved".to_owned());
        }
        let visible = shown.join(" && ");
        let open = json!([{"set": {"at": "index"}}, {"goto": "detail"}]);
        let ask = json!([{"set": {"at": "index"}}, {"show": "sure"}]);
        let flag = self.flagging("index");
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
            Rows::Cards | Rows::Photos => {
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
                let mut children = vec![title, second, buttons];
                if surface.rows == Rows::Photos {
                    let kind = self.subject.family.photos.as_deref().unwrap_or("abstract");
                    children
                        .insert(0, widget("photo", json!({"kind": kind, "seed": "index", "height": 120, "radius": 8})));
                }
                widget(
                    "card",
                    json!({"visible": visible, "padding": 12, "gap": 4, "on_tap": open, "children": children}),
                )
            }
        }
    }

    pub(crate) fn row_menu(&self) -> Value {
        let wording = self.subject.wording;
        let entry = |title: &str, icon: &str, visible: Option<&str>, act: Value| {
            widget(
                "list_item",
                json!({"title": title, "icon": icon, "visible": visible, "on_tap": sequence(&[json!("close"), act])}),
            )
        };
        let flag = self.flagging("at");
        json!({"id": "row_menu", "title": "{{ items[at].name }}", "body": [
            entry(&wording.on, &self.subject.family.flag_icon, Some("!items[at].flag"), flag.clone()),
            entry(&wording.off, "undo", Some("items[at].flag"), flag),
            entry(&wording.remove, "trash", None, json!([{"show": "sure"}])),
        ]})
    }
}
