//! The form that makes and changes a thing, and the settings.

use crate::app::{Blueprint, literal, widget};
use crate::surface::{Choosing, Labelling, Order, Toolkit};
use serde_json::{Value, json};

/// The form for a thing.
pub(crate) fn form_screen(of: &Blueprint<'_>) -> Value {
    let (surface, wording) = (of.surface, of.subject.wording);
    let field = |bind: &str, label: &str, input: &str| {
        let field = |label: Option<&str>| {
            widget("field", json!({"id": surface.id(bind), "bind": bind, "label": label, "input": input}))
        };
        match surface.labelling {
            Labelling::Floating => vec![field(Some(label))],
            Labelling::Over => vec![widget("text", json!({"text": label, "style": "label"})), field(None)],
        }
    };
    let mut body = field("d_name", &of.subject.book.name, "text");
    body.extend(choice(surface.choosing, "d_kind", &wording.kind, &wording.kinds, surface.id("d_kind").as_deref()));
    body.extend(field("d_number", &wording.number, "number"));
    body.extend(field("d_note", &wording.note, "text"));
    let made = "#{name: trim(d_name), kind: d_kind, note: d_note, number: d_number, flag: d_flag}";
    let added = match surface.order {
        Order::NewestFirst => format!("[{made}] + items"),
        Order::NewestLast => format!("append(items, {made})"),
    };
    let save = json!([
        {"keyboard": "hide"},
        {"if": {
            "when": "editing",
            "then": [{"set": {"items": format!("with(items, at, {made})")}}],
            "else": [{"set": {"items": added}}],
        }},
        "back",
    ]);
    let keys = json!({"id": surface.id("store"), "text": surface.labels.save, "enabled": "trim(d_name) != \"\"", "on_tap": save});
    body.push(widget("button", keys));
    let title = format!("{{{{ if editing {{ d_name }} else {{ {} }} }}}}", literal(&wording.new));
    let mut screen =
        json!({"id": "form", "activity": ".FormActivity", "title": title, "padding": 16, "gap": 10, "body": body});
    if surface.toolkit == Toolkit::Compose {
        screen["dialect"] = json!("compose");
    }
    screen
}

/// What the user may set.
pub(crate) fn settings_screen(of: &Blueprint<'_>) -> Value {
    let (surface, wording) = (of.surface, of.subject.wording);
    let mut body = Vec::new();
    for (label, bind) in wording.switches.iter().zip(["first_on", "second_on"]) {
        body.push(widget("list_item", json!({"id": surface.id(bind), "title": label, "switch": bind})));
    }
    let by = match surface.choosing {
        Choosing::Spinner => Choosing::Radios,
        other => other,
    };
    body.extend(choice(by, "chosen", &wording.choice, &wording.choices, surface.id("chosen").as_deref()));
    Value::Object(of.part("settings", &body))
}

/// One of several values.
fn choice(by: Choosing, bind: &str, label: &str, items: &[String], id: Option<&str>) -> Vec<Value> {
    let title = || widget("text", json!({"text": label, "style": "label"}));
    match by {
        Choosing::Spinner => vec![title(), widget("spinner", json!({"id": id, "bind": bind, "items": items}))],
        Choosing::Chips => vec![title(), widget("chips", json!({"id": id, "bind": bind, "items": items}))],
        Choosing::Radios => {
            let radio = |item: &String| widget("radio", json!({"bind": bind, "value": literal(item), "text": item}));
            std::iter::once(title()).chain(items.iter().map(radio)).collect()
        }
    }
}
