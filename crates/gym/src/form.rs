//! The form that makes and changes a thing, and the settings.

use crate::ability::FIRST_DAY;
use crate::app::{Blueprint, literal, widget};
use crate::rich::Extra;
use crate::surface::{Choosing, Order, Toolkit};
use serde_json::{Value, json};

/// The pages of the form for a thing: one, or two where it is a wizard.
pub(crate) fn form_screens(of: &Blueprint<'_>) -> Vec<Value> {
    let (surface, wording) = (of.surface, of.subject.wording);
    let mut first = of.field("d_name", &of.subject.book.name, "text");
    first.extend(choice(surface.choosing, "d_kind", &wording.kind, &wording.kinds, surface.id("d_kind").as_deref()));
    let mut second = of.field("d_number", &wording.number, "number");
    second.extend(of.field("d_note", &wording.note, "text"));
    let named = "trim(d_name) != \"\"";
    let keys = json!({"id": surface.id("store"), "text": surface.labels.save, "enabled": named, "on_tap": saving(of)});
    second.push(widget("button", keys));
    let title = format!("{{{{ if editing {{ d_name }} else {{ {} }} }}}}", literal(&wording.new));
    let page = |id: &str, activity: &str, body: Vec<Value>| {
        let mut screen =
            json!({"id": id, "activity": activity, "title": title, "padding": 16, "gap": 10, "body": body});
        if let Some(dialect) = surface.toolkit.dialect() {
            screen["dialect"] = json!(dialect);
        }
        screen
    };
    if !of.has(Extra::Wizard) {
        first.extend(second);
        return vec![page("form", ".FormActivity", first)];
    }
    let next = json!([{"keyboard": "hide"}, {"goto": "form_end"}]);
    first.push(widget("button", json!({"text": of.word("next"), "enabled": named, "on_tap": next})));
    vec![page("form", ".FormActivity", first), page("form_end", ".FormEndActivity", second)]
}

/// What keeps the form's thing and leads back.
fn saving(of: &Blueprint<'_>) -> Value {
    let fields = [("name", "trim(d_name)"), ("kind", "d_kind"), ("note", "d_note"), ("number", "d_number")];
    let plain = "#{name: trim(d_name), kind: d_kind, note: d_note, number: d_number, flag: d_flag}";
    let (made, changed) = match of.rich {
        None => (plain.to_owned(), plain.to_owned()),
        Some(_) => {
            let fresh = format!("put(put(put({plain}, \"stars\", 0), \"shelved\", false), \"due\", \"{FIRST_DAY}\")");
            let put = |thing: String, (field, value): (&str, &str)| format!("put({thing}, \"{field}\", {value})");
            (fresh, fields.into_iter().fold("items[at]".to_owned(), put))
        }
    };
    let added = |to: &str| match of.surface.order {
        Order::NewestFirst => format!("[{made}] + {to}"),
        Order::NewestLast => format!("append({to}, {made})"),
    };
    let (once, twice) = (added("items"), added(&format!("({})", added("items"))));
    let new = of.unless("not_saved", &of.unless("saved_twice", &once, &twice), "items");
    let kept = of.unless("not_saved", &format!("with(items, at, {changed})"), "items");
    let store = |items: String| match of.rich {
        Some(_) => json!([{"set": {"items": items, "before": "items"}}]),
        None => json!([{"set": {"items": items}}]),
    };
    let mut acts = vec![json!({"keyboard": "hide"})];
    acts.extend(of.crash("crash_on_save", "form"));
    acts.push(json!({"if": {"when": "editing", "then": store(kept), "else": store(new)}}));
    acts.push(match of.has(Extra::Wizard) {
        true => json!({"if": {"when": "editing", "then": [{"back_to": "detail"}], "else": [{"back_to": "list"}]}}),
        false => json!("back"),
    });
    Value::Array(acts)
}

/// What the user may set.
pub(crate) fn settings_screen(of: &Blueprint<'_>) -> Value {
    let (surface, wording) = (of.surface, of.subject.wording);
    let mut body = Vec::new();
    for (label, bind) in wording.switches.iter().zip(["first_on", "second_on"]) {
        // A dead switch springs back at once.
        let dead =
            of.rich.map(|_| json!([{"if": {"when": "bug(\"dead_switch\")", "then": [{"set": {bind: "false"}}]}}]));
        // A switch of Flutter says its own name; the tile around it would be a node of its own.
        body.push(if surface.toolkit == Toolkit::Flutter {
            widget("switch", json!({"id": surface.id(bind), "text": label, "bind": bind, "on_change": dead}))
        } else {
            widget("list_item", json!({"id": surface.id(bind), "title": label, "switch": bind, "on_change": dead}))
        });
    }
    let by = match surface.choosing {
        Choosing::Spinner => Choosing::Radios,
        other => other,
    };
    body.extend(choice(by, "chosen", &wording.choice, &wording.choices, surface.id("chosen").as_deref()));
    for ability in of.rich.iter().flat_map(|rich| &rich.abilities) {
        body.extend(ability.in_settings(of));
    }
    if of.has(Extra::Reset) {
        let ask = json!([{"show": "reset_sure"}]);
        body.push(widget(
            "button",
            json!({"text": of.word("reset"), "style": "text", "color": "error", "on_tap": ask}),
        ));
    }
    Value::Object(of.part("settings", &body))
}

/// One of several values.
pub(crate) fn choice(by: Choosing, bind: &str, label: &str, items: &[String], id: Option<&str>) -> Vec<Value> {
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
