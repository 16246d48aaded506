//! Settings on pages of their own, with all kinds of controls.

use super::{Ability, Bug};
use crate::app::{Blueprint, literal, widget};
use crate::task::{Planned, Planner, Spot};
use crate::vocabulary::ControlPage;
use serde_json::{Value, json};

pub(super) struct Controls<'l> {
    pub(super) pages: &'l [ControlPage],
}

/// Names of the pages' screens, and of what they keep.
const PAGES: [(&str, [&str; 6]); 2] = [
    ("page_one", ["switch_one", "check_one", "count_one", "level_one", "list_one", "text_one"]),
    ("page_two", ["switch_two", "check_two", "count_two", "level_two", "list_two", "text_two"]),
];

impl Controls<'_> {
    fn screen(&self, of: &Blueprint<'_>, page: &ControlPage, at: usize) -> Option<Value> {
        let (id, [switch, check, count, level, list, text]) = PAGES.get(at)?;
        let lost: serde_json::Map<String, Value> =
            [(*switch, "false".to_owned()), (*list, literal(page.items.first()?))]
                .into_iter()
                .map(|(name, value)| (name.to_owned(), json!(value)))
                .collect();
        let mut body = vec![
            widget("list_item", json!({"id": of.surface.id(switch), "title": page.switch, "switch": switch})),
            widget("checkbox", json!({"id": of.surface.id(check), "bind": check, "text": page.check})),
            of.counter(count, &page.count, 12),
            widget("text", json!({"text": format!("{}: {{{{ {level} }}}} %", page.level), "style": "label"})),
            widget(
                "slider",
                json!({"id": of.surface.id(level), "desc": page.level, "bind": level, "min": 0, "max": 100, "step": 10}),
            ),
            widget("text", json!({"text": page.list, "style": "label"})),
            widget("spinner", json!({"id": of.surface.id(list), "bind": list, "items": page.items})),
        ];
        body.extend(of.field(text, &page.text, "text"));
        let mut screen = of.page(id, &page.title, body);
        // A page that forgets what it was told shows it when it is opened again.
        screen["on_open"] = json!([{"if": {"when": "bug(\"lost_setting\")", "then": [{"set": lost}]}}]);
        Some(screen)
    }

    /// Sets one control: what is asked, what is done, and what shows it.
    fn set(page: &ControlPage, kind: usize, planner: &mut Planner<'_>) -> Option<(String, Vec<Value>)> {
        let more = planner.of.word("more").to_owned();
        let of_page = |label: &str, value: &str| [("label", label.to_owned()), ("value", value.to_owned())];
        let (key, places, hands, expect) = match kind {
            0 => (
                "switch",
                of_page(&page.switch, ""),
                vec![Planner::tap(&page.switch)],
                json!({"checked": {"widget": page.switch, "is": true}}),
            ),
            1 => (
                "switch",
                of_page(&page.check, ""),
                vec![Planner::tap(&page.check)],
                json!({"checked": {"widget": page.check, "is": true}}),
            ),
            2 => {
                let count = 2 + planner.draw.below(3);
                let shown = format!("{}: {count}", page.count);
                let taps = (0..count).map(|_| json!({"tap": {"text": more, "beside": page.count}})).collect();
                ("number", of_page(&page.count, &count.to_string()), taps, json!({"visible": shown}))
            }
            3 => {
                let hands = vec![json!({"tap_at": {"in": page.level, "x": 0.995, "y": 0.5}})];
                ("number", of_page(&page.level, "100 %"), hands, json!({"visible": format!("{}: 100 %", page.level)}))
            }
            4 => {
                let value = page.items.get(1 + planner.draw.below(page.items.len() - 1))?;
                let hands = vec![Planner::tap(page.items.first()?), Planner::tap(value)];
                ("choose", of_page(&page.list, value), hands, json!({"visible": value}))
            }
            _ => {
                let value = page.texts.get(planner.draw.below(page.texts.len()))?;
                ("note", of_page(&page.text, value), Planner::typing(&page.text, value), json!({"visible": value}))
            }
        };
        let places: Vec<(&str, &str)> = places.iter().map(|(name, value)| (*name, value.as_str())).collect();
        planner.asked(key, &places, hands);
        let whole = planner.whole("control", &places);
        let whole = if kind < 2 { planner.whole("switch", &places) } else { whole };
        Some((whole, vec![expect]))
    }
}

impl Ability for Controls<'_> {
    fn state(&self, _of: &Blueprint<'_>) -> Vec<(&'static str, Value)> {
        let first = |page: &ControlPage| page.items.first().cloned().unwrap_or_default();
        let of = |(page, (_, names)): (&ControlPage, &(&'static str, [&'static str; 6]))| {
            let [switch, check, count, level, list, text] = *names;
            [
                (switch, json!(false)),
                (check, json!(false)),
                (count, json!(0)),
                (level, json!(30)),
                (list, json!(first(page))),
                (text, json!("")),
            ]
        };
        self.pages.iter().zip(&PAGES).flat_map(of).collect()
    }

    fn screens(&self, of: &Blueprint<'_>) -> Vec<Value> {
        self.pages.iter().enumerate().filter_map(|(at, page)| self.screen(of, page, at)).collect()
    }

    fn in_settings(&self, _of: &Blueprint<'_>) -> Vec<Value> {
        let row = |(page, (id, _)): (&ControlPage, &(&str, [&str; 6]))| {
            widget("list_item", json!({"title": page.title, "chevron": true, "on_tap": [{"goto": id}]}))
        };
        self.pages.iter().zip(&PAGES).map(row).collect()
    }

    fn bugs(&self) -> &'static [Bug] {
        &[("lost_setting", "a page of settings forgets what it was told")]
    }

    fn operations(&self) -> &'static [&'static str] {
        &["set-toggle", "set-number", "set-value"]
    }

    fn plan(&self, number: usize, planner: &mut Planner<'_>) -> Option<Planned> {
        let at = planner.draw.below(self.pages.len().min(PAGES.len()));
        let page = self.pages.get(at)?;
        let settings = planner.of.surface.labels.settings.to_owned();
        planner.go_to("settings", &settings);
        planner.asked("open_part", &[("part", &page.title)], vec![Planner::tap(&page.title)]);
        let kind = number * 2 + planner.draw.below(2);
        let (whole, expects) = Self::set(page, kind, planner)?;
        let returns = matches!(kind, 0 | 4);
        if returns {
            // Somebody who wants to be sure leaves the page and looks again.
            planner.asked("leave_page", &[], vec![json!({"key": "back"})]);
            planner.asked("open_part", &[("part", &page.title)], vec![Planner::tap(&page.title)]);
        }
        planner.at(Spot::Under("settings"));
        Some(Planned { whole, expects, bugs: if returns { vec!["lost_setting"] } else { Vec::new() } })
    }
}
