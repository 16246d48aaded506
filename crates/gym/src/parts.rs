//! The parts of an app, and what leads from one to another.

use crate::ability::Part;
use crate::app::{Blueprint, capital, literal, widget};
use crate::rich::Extra;
use crate::surface::Navigation;
use serde_json::{Map, Value, json};

/// Most parts of an app: a bar at the bottom holds no more.
const MOST_PARTS: usize = 5;

impl Blueprint<'_> {
    /// The parts of the app: screen, title, icon. The list comes first, the settings last.
    pub(crate) fn parts(&self) -> Vec<Part<'_>> {
        let labels = &self.surface.labels;
        let mut parts = vec![("list", self.subject.wording.list.as_str(), "list")];
        match self.rich {
            Some(rich) => parts.extend(rich.abilities.iter().filter_map(|ability| ability.part())),
            None => parts.push(("overview", labels.overview, "chart")),
        }
        if self.rich.is_some() && parts.len() < MOST_PARTS - 1 {
            parts.push(("overview", labels.overview, "chart"));
        }
        parts.push(("settings", labels.settings, "settings"));
        parts
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
        if let Some(dialect) = self.surface.toolkit.dialect() {
            screen.insert("dialect".to_owned(), json!(dialect));
        }
        let flat = matches!(self.surface.navigation, Navigation::BottomBar | Navigation::Tabs | Navigation::Drawer);
        screen.insert("up".to_owned(), json!(!flat && (id != "list" || self.surface.navigation == Navigation::Hub)));
        let to =
            |part: &str| json!({"if": {"when": format!("pane == {}", literal(part)), "then": [{"restart": part}]}});
        let switches: Vec<Value> = self.parts().iter().map(|(part, _, _)| to(part)).collect();
        let here = json!([{"set": {"pane": literal(id)}}]);
        let flat = matches!(self.surface.navigation, Navigation::BottomBar | Navigation::Tabs);
        if let Some(acts) = self.offering(id) {
            let mut acts = vec![acts];
            acts.extend(here.as_array().filter(|_| flat).into_iter().flatten().cloned());
            screen.insert("on_open".to_owned(), json!(acts));
        } else if flat {
            screen.insert("on_open".to_owned(), here);
        }
        match self.surface.navigation {
            Navigation::BottomBar | Navigation::Tabs => {
                let bottom = self.surface.navigation == Navigation::BottomBar;
                let item = |(part, title, icon): &Part<'_>| {
                    let mut item = json!({"text": title, "value": literal(part)});
                    if bottom && let Value::Object(map) = &mut item {
                        map.insert("icon".to_owned(), json!(icon));
                    }
                    item
                };
                let items: Vec<Value> = self.parts().iter().map(item).collect();
                let key = if bottom { "bottom_nav" } else { "tabs" };
                screen.insert(key.to_owned(), json!({"bind": "pane", "items": items, "on_change": switches}));
            }
            Navigation::Drawer => {
                let entry = |(part, title, icon): &Part<'_>| {
                    let act = json!(["close_drawer", {"restart": part}]);
                    widget("list_item", json!({"title": title, "icon": icon, "plain_icon": true, "on_tap": act}))
                };
                let header =
                    widget("text", json!({"text": self.surface.labels.app, "style": "title", "color": "on_primary"}));
                let body: Vec<Value> = self.parts().iter().map(entry).collect();
                screen.insert("drawer".to_owned(), json!({"header": [header], "body": body}));
            }
            Navigation::Overflow if id == "list" => {
                let entry = |(part, title, _): &Part<'_>| json!({"text": title, "on_tap": [{"goto": part}]});
                let entries: Vec<Value> = self.parts().iter().skip(1).map(entry).collect();
                screen.insert("menu".to_owned(), json!(entries));
            }
            Navigation::Icons if id == "list" => {
                let entry = |(part, title, icon): &Part<'_>| {
                    widget("icon_button", json!({"icon": icon, "desc": title, "on_tap": [{"goto": part}]}))
                };
                let entries: Vec<Value> = self.parts().iter().skip(1).map(entry).collect();
                screen.insert("actions".to_owned(), json!(entries));
            }
            Navigation::Menu if id == "list" => {
                let open = widget(
                    "icon_button",
                    json!({"icon": "menu", "desc": self.word("menu"), "on_tap": [{"show": "parts_menu"}]}),
                );
                screen.insert("actions".to_owned(), json!([open]));
            }
            Navigation::Overflow | Navigation::Hub | Navigation::Icons | Navigation::Menu => {}
        }
        screen
    }

    /// What shows the offer once, on the screen that comes first.
    fn offering(&self, id: &str) -> Option<Value> {
        let comes_first = self.has(Extra::Offer) && id == "list";
        comes_first
            .then(|| json!({"if": {"when": "!offered", "then": [{"set": {"offered": "true"}}, {"show": "offer"}]}}))
    }

    /// The sheet that leads to the other parts.
    pub(crate) fn parts_menu(&self) -> Value {
        let entry = |(part, title, icon): &Part<'_>| {
            widget(
                "list_item",
                json!({"title": title, "icon": icon, "plain_icon": true, "on_tap": ["close", {"goto": part}]}),
            )
        };
        let body: Vec<Value> = self.parts().iter().skip(1).map(entry).collect();
        json!({"id": "parts_menu", "title": self.surface.labels.app, "body": body})
    }

    pub(crate) fn hub(&self) -> Value {
        let entry = |(part, title, icon): &Part<'_>| {
            widget("list_item", json!({"title": title, "icon": icon, "chevron": true, "on_tap": [{"goto": part}]}))
        };
        let body: Vec<Value> = self.parts().iter().map(entry).collect();
        json!({"id": "home", "title": self.subject.book.home, "up": false, "padding": 12, "gap": 4, "body": body})
    }
}
