//! The order of the list.

use super::{Ability, Bug};
use crate::app::{Blueprint, literal, widget};
use crate::task::{Planned, Planner};
use serde_json::{Value, json};

pub(super) struct Sorting;

impl Sorting {
    /// What can be sorted by: the field, and its name.
    fn keys<'a>(of: &Blueprint<'a>) -> [(&'static str, &'a str); 2] {
        [("name", of.subject.book.name.as_str()), ("kind", of.subject.wording.kind.as_str())]
    }
}

impl Ability for Sorting {
    fn state(&self, _of: &Blueprint<'_>) -> Vec<(&'static str, Value)> {
        vec![("sorted_by", json!(""))]
    }

    fn windows(&self, of: &Blueprint<'_>) -> (Vec<Value>, Vec<Value>) {
        let entry = |(field, label): (&str, &str)| {
            let sorted = of.unless("sort_ignored", &format!("sorted(items, \"{field}\")"), "items");
            let act = json!(["close", {"set": {"sorted_by": literal(label), "items": sorted}}]);
            widget("list_item", json!({"title": label, "on_tap": act}))
        };
        let body: Vec<Value> = Self::keys(of).into_iter().map(entry).collect();
        (Vec::new(), vec![json!({"id": "sorting", "title": of.word("sort_by"), "body": body})])
    }

    fn over_list(&self, of: &Blueprint<'_>) -> Vec<Value> {
        let first = of.word("sorted").replace("{by}", "{{ sorted_by }}").replace("{first}", "{{ items[0].name }}");
        vec![
            widget(
                "button",
                json!({"text": of.word("sort"), "style": "text", "icon": "sort", "on_tap": [{"show": "sorting"}]}),
            ),
            widget(
                "text",
                json!({"text": first, "style": "small", "color": "muted", "visible": "sorted_by != \"\" && items.len() > 0"}),
            ),
        ]
    }

    fn bugs(&self) -> &'static [Bug] {
        &[("sort_ignored", "the list says that it is sorted and is not")]
    }

    fn operations(&self) -> &'static [&'static str] {
        &["sort"]
    }

    fn plan(&self, _number: usize, planner: &mut Planner<'_>) -> Option<Planned> {
        let label = planner.of.subject.book.name.clone();
        // Where the first name comes first anyway, nothing would show that it was sorted.
        let first = planner.left().map(|thing| thing.name.clone()).min()?;
        if planner.left().next().is_some_and(|thing| thing.name == first) {
            return None;
        }
        let list = planner.of.subject.wording.list.clone();
        planner.go_to("list", &list);
        let sort = planner.of.word("sort").to_owned();
        planner.asked("sort", &[("by", &label)], vec![Planner::tap(&sort), Planner::tap(&label)]);
        let whole = planner.whole("sort", &[("by", &label)]);
        let shown = planner.of.word("sorted").replace("{by}", &label).replace("{first}", &first);
        Some(Planned { whole, expects: vec![json!({"visible": shown})], bugs: vec!["sort_ignored"] })
    }
}
