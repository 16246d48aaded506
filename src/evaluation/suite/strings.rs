//! The texts of a suite's apps in their languages.

use super::error::SuiteError;
use super::truth::{View, ViewVariables};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Kinds of widget that move through an app, and change nothing in it.
const PLACES: [&str; 5] = ["tabs", "bottom_nav", "pager", "expandable", "drawer"];

fn bound(value: &Value, found: &mut BTreeMap<String, View>) {
    match value {
        Value::Object(fields) => {
            for (kind, value) in fields {
                let view = match kind.as_str() {
                    "search" => Some(View::Search),
                    kind => PLACES.contains(&kind).then_some(View::Place),
                };
                if let (Some(view), Some(variable)) = (view, value["bind"].as_str()) {
                    found.insert(variable.to_owned(), view);
                }
                bound(value, found);
            }
        }
        Value::Array(elements) => elements.iter().for_each(|element| bound(element, found)),
        _ => {}
    }
}

/// The app files, read as plain data.
#[derive(Debug, Default)]
pub(super) struct AppTexts(Vec<Value>);

impl AppTexts {
    pub(super) fn read(apps: &[(PathBuf, String)]) -> Result<Self, SuiteError> {
        let read = |(path, text): &(PathBuf, String)| {
            serde_saphyr::from_str(text).map_err(|error| SuiteError::wrong(path, error.to_string()))
        };
        apps.iter().map(read).collect::<Result<_, _>>().map(Self)
    }

    pub(super) fn planted_bugs(&self) -> Vec<(String, String)> {
        let mut bugs = Vec::new();
        for app in &self.0 {
            let package = app["package"].as_str().unwrap_or_default();
            let named = app["bugs"].as_object().into_iter().flat_map(|bugs| bugs.keys());
            bugs.extend(named.map(|bug| (package.to_owned(), bug.clone())));
        }
        bugs
    }

    /// Variables that only say how things are shown: bound to tabs, pages and the like, or to a search field.
    pub(super) fn view_variables(&self) -> ViewVariables {
        let mut views = ViewVariables::new();
        for app in &self.0 {
            let package = app["package"].as_str().unwrap_or_default();
            bound(app, views.entry(package.to_owned()).or_default());
        }
        views
    }

    pub(super) fn string(&self, name: &str, locale: &str, switches: &[String]) -> Option<String> {
        let language = locale.split('-').next().unwrap_or(locale);
        self.0.iter().find_map(|app| {
            let strings = app.get("strings")?.as_object()?;
            let text = [locale, language, "en"].iter().find_map(|locale| strings.get(*locale)?.get(name)?.as_str())?;
            let package = app["package"].as_str()?;
            let version = switches.iter().find_map(|s| s.strip_prefix(package)?.strip_prefix(":version="));
            let reworded = version.and_then(|version| app["versions"][version]["texts"][text].as_str());
            Some(reworded.unwrap_or(text).to_owned())
        })
    }

    pub(super) fn in_language(&self, text: &str, locale: &str, switches: &[String]) -> String {
        let named = self.0.iter().find_map(|app| {
            let english = app.get("strings")?.get("en")?.as_object()?;
            english.iter().find(|(_, known)| known.as_str() == Some(text)).map(|(name, _)| name.clone())
        });
        named.and_then(|name| self.string(&name, locale, switches)).unwrap_or_else(|| text.to_owned())
    }
}
