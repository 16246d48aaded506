//! What an app shows, where its state says nothing: the screen, its windows, tabs and searches.

use super::snapshot::{AppKey, AppTruth, Snapshot};
use super::subject::excerpt;
use serde_json::Value;
use std::collections::BTreeMap;

/// Variables that only say how things are shown, by package and name.
pub(in crate::evaluation::suite) type ViewVariables = BTreeMap<String, BTreeMap<String, View>>;

/// What such a variable says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::evaluation::suite) enum View {
    /// Which tab, page or part is open.
    Place,
    /// What is searched for.
    Search,
}

impl View {
    /// True where one shows what is wanted. A search for the first letters of a name is a search for it; where nothing
    /// is to be searched for, what stands in the field does not matter.
    fn shows(self, wanted: &Value, found: &Value) -> bool {
        match (self, wanted, found) {
            (Self::Search, Value::String(wanted), Value::String(found)) => {
                let (wanted, found) = (wanted.trim().to_lowercase(), found.trim().to_lowercase());
                wanted.is_empty() || !found.is_empty() && (wanted.contains(&found) || found.contains(&wanted))
            }
            _ => wanted == found,
        }
    }
}

/// The variables without those that may hold anything.
pub(super) fn without(mut views: ViewVariables, free: &[String]) -> ViewVariables {
    for names in views.values_mut() {
        names.retain(|name, _| !free.contains(name));
    }
    views
}

/// The first thing that an app shows and should not, in words; `None` where it shows what is wanted.
pub(super) fn difference(app: &AppKey, wanted: &Snapshot, found: &Snapshot, views: &ViewVariables) -> Option<String> {
    let front = |truth: &Snapshot| truth.devices.get(&app.actor).map(|device| device.front.clone()).unwrap_or_default();
    if front(wanted) != front(found) {
        return Some(format!("{} is in front in place of {}", front(found), front(wanted)));
    }
    let (Some(wanted), Some(found)) = (wanted.app(app), found.app(app)) else {
        return Some(format!("{} does not run", app.package));
    };
    let page = |app: &AppTruth| [&[app.state.screen.clone()], app.state.windows.as_slice()].concat().join(" + ");
    if page(wanted) != page(found) {
        return Some(format!("{} is open in place of {}", page(found), page(wanted)));
    }
    let value = |app: &AppTruth, name: &str| app.state.variables.get(name).cloned().unwrap_or_default();
    views.get(&app.package).into_iter().flatten().find_map(|(name, view)| {
        let (wanted, found) = (value(wanted, name), value(found, name));
        let told = || format!("{name} is {} in place of {}", excerpt(&found), excerpt(&wanted));
        (!view.shows(&wanted, &found)).then(told)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_search_shows_what_is_wanted_where_it_is_for_part_of_it() {
        let check = |wanted: &str, found: &str, expected: bool| {
            assert_eq!(View::Search.shows(&json!(wanted), &json!(found)), expected, "{wanted:?} {found:?}");
        };
        check("Willow", "willow creek", true);
        check("Willow Creek", "Will", true);
        check("Willow", "Oak", false);
        check("Willow", "", false);
        check("", "Oak", true);
        assert!(!View::Place.shows(&json!("home"), &json!("me")));
    }

    #[test]
    fn a_variable_that_may_hold_anything_is_not_compared() {
        let names = ["tab", "word"].map(|name| (name.to_owned(), View::Place));
        let views = ViewVariables::from([("org.example.app".to_owned(), BTreeMap::from(names))]);
        let left = without(views, &["tab".to_owned()]);
        assert_eq!(left["org.example.app"].keys().collect::<Vec<_>>(), ["word"]);
    }
}
