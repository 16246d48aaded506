//! A thing's own page, and the page that sums things up.

use crate::app::{Blueprint, widget};
use crate::surface::Removing;
use serde_json::{Value, json};

impl Blueprint<'_> {
    pub(crate) fn overview(&self) -> Value {
        let wording = self.subject.wording;
        let line = |title: &str, value: String| widget("list_item", json!({"title": title, "trailing": value}));
        let all = line(&wording.list, format!("{{{{ items.len() }}}} {}", self.subject.book.in_all));
        let flagged = line(&wording.state, "{{ count(items, \"flag\", true) }}".to_owned());
        Value::Object(self.part("overview", &[all, flagged]))
    }

    /// A thing's own page.
    pub(crate) fn detail(&self) -> Value {
        let (surface, wording) = (self.surface, self.subject.wording);
        let flag = self.flagging("at");
        let button = |text: &str, visible: &str| {
            widget("button", json!({"text": text, "style": "tonal", "visible": visible, "on_tap": flag}))
        };
        let mut body = vec![
            self.pair(&wording.kind, "{{ items[at].kind }}", "kind"),
            self.pair(&wording.number, "{{ items[at].number }}", "number"),
            self.pair(&wording.note, "{{ items[at].note }}", "note"),
            widget("text", json!({"text": wording.state, "color": "success", "visible": "items[at].flag"})),
            button(&wording.on, "!items[at].flag"),
            button(&wording.off, "items[at].flag"),
        ];
        for ability in self.rich.iter().flat_map(|rich| &rich.abilities) {
            body.extend(ability.on_detail(self));
        }
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
        if let Some(dialect) = surface.toolkit.dialect() {
            screen["dialect"] = json!(dialect);
        }
        screen
    }
}
