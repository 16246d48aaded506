//! Putting a thing out of sight without losing it: archive, mute, block, read later.

use super::{Ability, Bug, Part};
use crate::app::{Blueprint, widget};
use crate::task::{Planned, Planner, Spot};
use serde::Deserialize;
use serde_json::{Value, json};

/// The words of a shelf.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShelfWords {
    /// Puts a thing there and takes it back.
    on: String,
    off: String,
    /// Title of what lies there.
    list: String,
    /// Asks, with `{item}`.
    asks: Vec<String>,
    off_asks: Vec<String>,
}

pub(super) struct Shelf<'l> {
    pub(super) words: &'l ShelfWords,
}

const PART: &str = "shelf";

impl Ability for Shelf<'_> {
    fn part(&self) -> Option<Part<'_>> {
        Some((PART, &self.words.list, "folder"))
    }

    fn state(&self, _of: &Blueprint<'_>) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    fn screens(&self, of: &Blueprint<'_>) -> Vec<Value> {
        let back = "with(items, index, put(items[index], \"shelved\", false))";
        let back =
            widget("button", json!({"text": self.words.off, "style": "tonal", "on_tap": [{"set": {"items": back}}]}));
        let row = widget(
            "row",
            json!({"visible": "item.shelved", "gap": 12, "padding": [8, 0], "align": "center", "children": [
                widget("text", json!({"text": "{{ item.name }}", "style": "subtitle", "grow": 1})), back,
            ]}),
        );
        let list = widget("list", json!({"items": "items", "item": [row]}));
        let nothing = widget(
            "text",
            json!({"text": of.word("nothing"), "color": "muted", "visible": "count(items, \"shelved\", true) == 0"}),
        );
        vec![Value::Object(of.part(PART, &[list, nothing]))]
    }

    fn on_detail(&self, of: &Blueprint<'_>) -> Vec<Value> {
        let put = "with(items, at, put(items[at], \"shelved\", true))";
        let mut act = vec![json!({"set": {"items": of.unless("shelf_ignored", put, "items")}})];
        act.extend(of.arrive("list"));
        vec![widget("button", json!({"text": self.words.on, "style": "text", "icon": "folder", "on_tap": act}))]
    }

    fn bugs(&self) -> &'static [Bug] {
        &[("shelf_ignored", "a thing that is put away stays in the list")]
    }

    fn operations(&self) -> &'static [&'static str] {
        &["put-away", "take-back"]
    }

    fn plan(&self, number: usize, planner: &mut Planner<'_>) -> Option<Planned> {
        let words = self.words;
        if number == 0 {
            let item = planner.any_but(&[])?;
            planner.open(&item);
            let whole = planner.phrase(&words.asks, &[("item", &item)]);
            planner.say(whole.clone(), vec![Planner::tap(&words.on)]);
            planner.at(Spot::Part("list"));
            planner.forget(&item);
            let left = planner.any_but(&[])?;
            let expects = vec![json!({"absent": item}), json!({"visible": left})];
            return Some(Planned { whole, expects, bugs: vec!["shelf_ignored"] });
        }
        let item = planner.of.things.iter().find(|thing| thing.shelved)?.name.clone();
        planner.go_to(PART, &words.list);
        let whole = planner.phrase(&words.off_asks, &[("item", &item)]);
        planner.say(whole.clone(), vec![json!({"tap": {"text": words.off, "beside": item}})]);
        let none = planner.of.word("nothing").to_owned();
        Some(Planned { whole, expects: vec![json!({"absent": item}), json!({"visible": none})], bugs: Vec::new() })
    }
}
