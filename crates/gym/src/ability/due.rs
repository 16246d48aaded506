//! A day that a thing has: due, renewed, picked up.

use super::{Ability, Bug};
use crate::app::{Blueprint, widget};
use crate::task::{Planned, Planner};
use serde::Deserialize;
use serde_json::{Value, json};

/// The words of a day.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DueWords {
    /// Label of the day.
    label: String,
    /// Changes it.
    action: String,
    /// Asks, with `{item}` and `{date}`.
    asks: Vec<String>,
}

pub(super) struct Due<'l> {
    pub(super) words: &'l DueWords,
}

/// The day that things have at first.
pub(crate) const FIRST_DAY: &str = "2026-03-09";
/// Android's word for yes in its date dialog, in the devices' languages.
const OK: &str = "OK | Aceptar";

impl Ability for Due<'_> {
    fn state(&self, _of: &Blueprint<'_>) -> Vec<(&'static str, Value)> {
        vec![("day", json!(FIRST_DAY))]
    }

    fn on_detail(&self, of: &Blueprint<'_>) -> Vec<Value> {
        let day = of.unless("day_shifted", "day", "add_days(day, 1)");
        let kept = json!([{"set": {"items": format!("with(items, at, put(items[at], \"due\", {day}))")}}]);
        let pick = json!([{"set": {"day": "items[at].due"}}, {"pick_date": {"bind": "day", "on_set": kept}}]);
        let written = |pattern: &str| format!("date(items[at].due, \"{pattern}\")");
        let shown = of.unless("date_not_localised", &written("D MMMM YYYY"), &written("MM/DD/YYYY"));
        vec![
            of.pair(&self.words.label, &format!("{{{{ {shown} }}}}"), "due"),
            widget(
                "button",
                json!({"text": self.words.action, "style": "outlined", "icon": "calendar", "on_tap": pick}),
            ),
        ]
    }

    fn bugs(&self) -> &'static [Bug] {
        &[
            ("day_shifted", "the day after the chosen one is kept"),
            ("date_not_localised", "the day is written the American way, whatever the language"),
        ]
    }

    fn operations(&self) -> &'static [&'static str] {
        &["set-day"]
    }

    fn plan(&self, _number: usize, planner: &mut Planner<'_>) -> Option<Planned> {
        let words = self.words;
        let item = planner.any_but(&[])?;
        let day = (13 + planner.draw.below(14)).to_string();
        let date = format!("{day} {} 2026", planner.of.word("march"));
        planner.open(&item);
        planner.press(&words.action);
        let hands = vec![Planner::tap(&day), Planner::tap(OK)];
        planner.asked("kind", &[("label", &words.label), ("value", &date)], hands);
        let whole = planner.phrase(&words.asks, &[("item", &item), ("date", &date)]);
        Some(Planned {
            whole,
            expects: vec![json!({"screen": item}), json!({"visible": date})],
            bugs: vec!["day_shifted", "date_not_localised"],
        })
    }
}
