//! Stars for a thing.

use super::{Ability, Bug};
use crate::app::{Blueprint, widget};
use crate::task::{Planned, Planner};
use serde_json::{Value, json};

pub(super) struct Rating;

const STARS: usize = 5;

/// What the star of this number is called.
fn star(of: &Blueprint<'_>, number: usize) -> String {
    of.word(if number == 1 { "one_star" } else { "stars" }).replace("{n}", &number.to_string())
}

impl Ability for Rating {
    fn state(&self, _of: &Blueprint<'_>) -> Vec<(&'static str, Value)> {
        Vec::new()
    }

    fn on_detail(&self, of: &Blueprint<'_>) -> Vec<Value> {
        let button = |number: usize| {
            let kept = of.unless("rating_lowered", &number.to_string(), &(number - 1).to_string());
            let act = json!([{"set": {"items": format!("with(items, at, put(items[at], \"stars\", {kept}))")}}]);
            widget("icon_button", json!({"icon": "star", "desc": star(of, number), "color": "primary", "on_tap": act}))
        };
        let buttons: Vec<Value> = (1..=STARS).map(button).collect();
        let shown = of.word("rated").replace("{n}", "{{ items[at].stars }}");
        vec![
            widget("row", json!({"gap": 2, "children": buttons})),
            widget(
                "text",
                json!({"text": shown, "style": "small", "color": "muted", "visible": "items[at].stars > 0"}),
            ),
        ]
    }

    fn consequences(&self) -> Vec<Value> {
        vec![json!({"effect": "published", "changed": "fields(items, \"stars\")", "reason": "others see it"})]
    }

    fn bugs(&self) -> &'static [Bug] {
        &[("rating_lowered", "one star too few is kept")]
    }

    fn operations(&self) -> &'static [&'static str] {
        &["rate"]
    }

    fn plan(&self, _number: usize, planner: &mut Planner<'_>) -> Option<Planned> {
        let item = planner.any_but(&[])?;
        let number = 2 + planner.draw.below(STARS - 1);
        let stars = star(planner.of, number);
        planner.open(&item);
        planner.asked("rate", &[("stars", &stars), ("item", &item)], vec![Planner::tap(&stars)]);
        let whole = planner.whole("rate", &[("stars", &stars), ("item", &item)]);
        let shown = planner.of.word("rated").replace("{n}", &number.to_string());
        Some(Planned {
            whole,
            expects: vec![json!({"screen": item}), json!({"visible": shown})],
            bugs: vec!["rating_lowered"],
        })
    }
}
