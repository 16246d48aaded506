//! The next version of an app: an app file changed as plain data in the ways in which apps change.

use super::wording::Wording;
use crate::domain::Lots;
use crate::evaluation::suite::error::SuiteError;
use crate::evaluation::suite::fuzz::{Material, renamed};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::fmt;
use std::path::PathBuf;

/// The variable that remembers that the new page was shown, and the page's own name.
const PAGE: &str = "page_of_next_version";
/// Widgets of which several beside each other can change places: each says by itself what it is.
const MOVABLE: [&str; 5] = ["list_item", "button", "radio", "checkbox", "switch"];

/// A way in which an app changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NextVersion {
    /// Every id is another one, which says nothing.
    Renamed,
    /// Rows and buttons beside each other have changed places.
    Moved,
    /// Labels say the same in other words.
    Reworded,
    /// A page nobody knew comes once, on the way from the first screen.
    Inserted,
}

impl NextVersion {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Renamed, Self::Moved, Self::Reworded, Self::Inserted];

    /// The app files of the next version; `None` where none of them can change in this way. Texts that hold one of `kept` stay:
    /// they are what a case expects, and an app that says something else there has another case.
    ///
    /// # Errors
    /// When an app file cannot be read.
    pub(super) fn of(
        self,
        apps: &[(PathBuf, String)],
        wording: &Wording,
        kept: &[String],
    ) -> Result<Option<Vec<(PathBuf, String)>>, SuiteError> {
        if self == Self::Renamed {
            let material =
                Material::bundled().map_err(|error| SuiteError::wrong(&PathBuf::new(), error.to_string()))?;
            return renamed(apps, &|purpose| Lots::new(0, purpose), &material);
        }
        let mut changed = false;
        let mut files = Vec::new();
        for (path, text) in apps {
            let options = serde_saphyr::options! { strict_booleans: true };
            let mut app: Value = serde_saphyr::from_str_with_options(text, options)
                .map_err(|error| SuiteError::wrong(path, error.to_string()))?;
            changed |= match self {
                Self::Renamed => false,
                Self::Moved => moved(&mut app),
                Self::Reworded => wording.reword(&mut app, kept),
                Self::Inserted => inserted(&mut app, wording),
            };
            files.push((path.clone(), app.to_string()));
        }
        Ok(changed.then_some(files))
    }
}

impl fmt::Display for NextVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Renamed => "renamed ids",
            Self::Moved => "moved",
            Self::Reworded => "reworded",
            Self::Inserted => "one screen inserted",
        })
    }
}

/// Lets widgets of one kind beside each other change places, the first becoming the last. True if some did.
fn moved(value: &mut Value) -> bool {
    match value {
        Value::Array(items) => {
            let mut changed = items.iter_mut().fold(false, |changed, item| moved(item) || changed);
            for kind in MOVABLE {
                let places: Vec<usize> =
                    items.iter().enumerate().filter(|(_, item)| is_widget(item, kind)).map(|(at, _)| at).collect();
                for pair in places.windows(2) {
                    items.swap(pair[0], pair[1]);
                    changed = true;
                }
            }
            changed
        }
        Value::Object(fields) => fields.values_mut().fold(false, |changed, inner| moved(inner) || changed),
        _ => false,
    }
}

/// A widget is a map with its kind as only key.
fn is_widget(item: &Value, kind: &str) -> bool {
    item.as_object().is_some_and(|item| item.len() == 1 && item.contains_key(kind))
}

/// Adds a page that lies once over the first screen that is opened after the start. True if there is a screen to go to.
fn inserted(app: &mut Value, wording: &Wording) -> bool {
    let Some(app) = app.as_object_mut() else { return false };
    let Some(screens) = app.get_mut("screens").and_then(Value::as_array_mut) else { return false };
    if screens.len() < 2 {
        return false;
    }
    let show = json!({"if": {"when": format!("!{PAGE}"), "then": [{"set": {PAGE: "true"}}, {"goto": PAGE}]}});
    for screen in screens.iter_mut().skip(1).filter_map(Value::as_object_mut) {
        add_last(screen, "on_open", show.clone());
    }
    let page = &wording.page;
    screens.push(json!({
        "id": PAGE, "title": page.title, "padding": 16, "gap": 12,
        "body": [{"text": {"text": page.text}}, {"button": {"text": page.button, "on_tap": ["back"]}}]
    }));
    let state = app.entry("state").or_insert_with(|| json!({}));
    state.as_object_mut().map(|state| state.insert(PAGE.to_owned(), Value::Bool(false)));
    true
}

fn add_last(screen: &mut Map<String, Value>, key: &str, action: Value) {
    if let Some(actions) = screen.entry(key).or_insert_with(|| json!([])).as_array_mut() {
        actions.push(action);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::suite::Suite;
    use crate::virtual_device::AppFiles;
    use std::path::Path;

    const APP: &str = "package: a.b\nlabel: A\nstate: {n: 0}\nscreens:\n  - id: home\n    title: Home\n    body:\n      - list_item: {id: pay, \
                       title: Pay, on_tap: [{goto: second}]}\n      - text: {text: Between}\n      - list_item: {id: send, title: Send, \
                       on_tap: [{goto: second}]}\n  - id: second\n    title: Second\n    body:\n      - button: {id: save, text: Save, \
                       on_tap: [{set: {n: n + 1}}]}\n      - text: {text: Choose the number of pages}\n";

    fn next(kind: NextVersion, kept: &[&str]) -> Value {
        let apps = vec![(PathBuf::from("a.app.yaml"), APP.to_owned())];
        let kept: Vec<String> = kept.iter().map(|text| (*text).to_owned()).collect();
        let files = kind.of(&apps, &Wording::bundled().unwrap(), &kept).unwrap().unwrap();
        AppFiles::default().package("a.app.yaml", &files[0].1).unwrap_or_else(|error| panic!("{kind}: {error}"));
        serde_json::from_str(&files[0].1).unwrap()
    }

    #[test]
    fn the_next_version_differs_in_one_way_and_is_an_app() {
        let moved = next(NextVersion::Moved, &[]);
        assert_eq!(moved["screens"][0]["body"][0]["list_item"]["title"], "Send");
        assert_eq!(moved["screens"][0]["body"][1]["text"]["text"], "Between", "what says nothing by itself stays");
        let reworded = next(NextVersion::Reworded, &[]);
        assert_eq!(reworded["screens"][0]["body"][0]["list_item"]["title"], "Pay now");
        assert_eq!(reworded["screens"][1]["body"][1]["text"]["text"], "Select the no. of pages");
        assert_eq!(reworded["screens"][0]["body"][0]["list_item"]["id"], "pay");
        let kept = next(NextVersion::Reworded, &["Save"]);
        assert_eq!(kept["screens"][1]["body"][0]["button"]["text"], "Save", "what is expected is said as before");
        let inserted = next(NextVersion::Inserted, &[]);
        assert_eq!(inserted["screens"].as_array().map(Vec::len), Some(3));
        assert_eq!(inserted["screens"][0].get("on_open"), None, "it comes on the way, not at the start");
        let renamed = next(NextVersion::Renamed, &[]);
        assert_ne!(renamed["screens"][0]["body"][0]["list_item"]["id"], "pay");
        assert_eq!(renamed["screens"][0]["body"][0]["list_item"]["title"], "Pay");
    }

    #[test]
    fn every_bundled_app_has_a_next_version_of_each_kind_that_is_an_app() {
        let wording = Wording::bundled().unwrap();
        for name in ["first_light", "kashef", "maplebear", "xuat", "dragoncrawl", "strangers", "newcomers"] {
            let suite = Suite::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suites").join(name)).unwrap();
            for kind in NextVersion::ALL {
                let files = kind.of(&suite.apps, &wording, &[]).unwrap();
                let files = files.unwrap_or_else(|| panic!("{name} cannot be {kind}"));
                for (path, text) in files {
                    let name = path.file_name().unwrap().to_string_lossy().into_owned();
                    let read = AppFiles::default().package(&name, &text).map(drop);
                    read.unwrap_or_else(|error| panic!("{name}, {kind}: {error}"));
                }
            }
        }
    }
}
