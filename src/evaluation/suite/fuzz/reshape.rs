//! App files made into others that do the same.
//!
//! An app file is changed as plain data. JSON is YAML, so what comes out is an app file again.

use super::change::Change;
use super::material::{Material, below, one_of, shuffle};
use crate::domain::Lots;
use crate::evaluation::suite::error::SuiteError;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Rows a list needs before some are added that nobody asks for.
const LEAST_ROWS: usize = 5;
/// Rows that are added at most.
const MOST_NEW_ROWS: usize = 3;
/// Milliseconds that an answer is late at most beside its own time: not longer than anyone waits.
const MOST_LATER: u64 = 4_000;
/// Milliseconds after which a window comes that nobody asked for.
const OFFERED_AFTER: u64 = 400;
/// The variable that remembers that the window came, and the window's own name.
const OFFERED: &str = "fuzz_offered";

/// What is changed in the app files.
pub(super) struct Reshape {
    pub(super) ids: bool,
    pub(super) order: bool,
    pub(super) rows: bool,
    pub(super) offer: bool,
    /// How many times as long answers take.
    pub(super) slower: Option<u64>,
}

/// App files with their paths, and what was changed in them.
pub(super) type Reshaped = (Vec<(PathBuf, String)>, BTreeSet<Change>);

/// The app files, changed, and what could be changed in them. What is drawn for a purpose is the same for all of them, so
/// that apps which share something still do.
pub(super) fn reshaped(
    apps: &[(PathBuf, String)],
    shape: &Reshape,
    lots: &dyn Fn(&str) -> Lots,
    material: &Material,
) -> Result<Reshaped, SuiteError> {
    let mut done = BTreeSet::new();
    let mut files = Vec::new();
    for (path, text) in apps {
        let options = serde_saphyr::options! { strict_booleans: true };
        let mut app: Value = serde_saphyr::from_str_with_options(text, options)
            .map_err(|error| SuiteError::wrong(path, error.to_string()))?;
        let mut note = |change: Change, changed: bool| {
            if changed {
                done.insert(change);
            }
        };
        if shape.order || shape.rows {
            let (order, rows) = arrange(&mut app, text, shape, lots, material);
            note(Change::Order, order);
            note(Change::Rows, rows);
        }
        note(Change::Ids, shape.ids && rename(&mut app, &mut lots("ids")));
        note(Change::Slower, shape.slower.is_some_and(|times| slow_down(&mut app, times)));
        note(Change::Offer, shape.offer && interrupt(&mut app, &mut lots("offer"), material));
        files.push((path.clone(), app.to_string()));
    }
    Ok((files, done))
}

/// The app files with other ids, which say nothing; `None` where there are none.
///
/// # Errors
/// When an app file cannot be read.
pub(in crate::evaluation::suite) fn renamed(
    apps: &[(PathBuf, String)],
    lots: &dyn Fn(&str) -> Lots,
    material: &Material,
) -> Result<Option<Vec<(PathBuf, String)>>, SuiteError> {
    let shape = Reshape { ids: true, order: false, rows: false, offer: false, slower: None };
    let (files, done) = reshaped(apps, &shape, lots, material)?;
    Ok(done.contains(&Change::Ids).then_some(files))
}

/// Puts the rows of lists into another order and adds some. Neither where the app itself speaks of places or sums.
fn arrange(
    app: &mut Value,
    text: &str,
    shape: &Reshape,
    lots: &dyn Fn(&str) -> Lots,
    material: &Material,
) -> (bool, bool) {
    let (mut ordered, mut added) = (false, false);
    let (own, shared) = match app.as_object_mut() {
        Some(app) => {
            let shared = app.get("shared").cloned();
            (app.get_mut("state"), shared)
        }
        None => return (false, false),
    };
    // What devices share is left as it is: others may hold places of it.
    let is_shared = |name: &str| shared.as_ref().is_some_and(|shared| shared["state"].get(name).is_some());
    for (name, rows) in own.and_then(Value::as_object_mut).into_iter().flatten() {
        let Some(rows) = rows.as_array_mut().filter(|rows| is_table(rows) && !is_shared(name)) else { continue };
        let speaks = |of: &[String]| of.iter().any(|part| text.contains(part.as_str()));
        let by_place = [format!("{name}["), format!("last({name}"), format!("first({name}")];
        let by_sum = [format!("sum({name},"), format!("{name}.len()"), format!("sum({name} "), format!("count({name}")];
        if speaks(&by_place) {
            continue;
        }
        if shape.rows && rows.len() >= LEAST_ROWS && !speaks(&by_sum) {
            added |= add_rows(rows, &mut lots(&format!("rows {name}")), material);
        }
        if shape.order {
            shuffle(&mut lots(&format!("order {name}")), rows);
            ordered = true;
        }
    }
    (ordered, added)
}

/// At least three rows with the same columns.
fn is_table(rows: &[Value]) -> bool {
    let columns = |row: &Value| row.as_object().map(|row| row.keys().cloned().collect::<Vec<_>>());
    let first = rows.first().and_then(columns);
    rows.len() >= 3 && first.is_some() && rows.iter().all(|row| columns(row) == first)
}

/// Adds rows like those there are, with names and keys of their own. False where nothing tells the rows apart.
fn add_rows(rows: &mut Vec<Value>, lots: &mut Lots, material: &Material) -> bool {
    let telling = telling_columns(rows);
    let named = |(column, values): &(&String, &BTreeSet<String>)| {
        !column.is_empty()
            && values.iter().all(|value| value.chars().any(char::is_alphabetic) && !value.starts_with('@'))
    };
    if !telling.iter().any(|column| named(&column)) || telling.values().flatten().any(|value| value.starts_with('@')) {
        return false;
    }
    let mut names = material.names.clone();
    shuffle(lots, &mut names);
    for name in names.iter().take(1 + below(lots, MOST_NEW_ROWS)) {
        let Some(Value::Object(mut row)) = one_of(lots, rows).cloned() else { return false };
        for (column, values) in &telling {
            let Some(old) = row.get(column).and_then(Value::as_str).map(str::to_owned) else { continue };
            row.insert(column.clone(), Value::String(like(&old, name, values, lots)));
        }
        rows.insert(below(lots, rows.len() + 1), Value::Object(row));
    }
    true
}

/// Columns of texts that differ from row to row, with the texts.
fn telling_columns(rows: &[Value]) -> BTreeMap<String, BTreeSet<String>> {
    let columns = rows.first().and_then(Value::as_object).map(Map::keys).into_iter().flatten();
    columns
        .filter_map(|column| {
            let texts: Option<BTreeSet<String>> =
                rows.iter().map(|row| Some(row[column].as_str()?.to_owned())).collect();
            texts.filter(|texts| texts.len() == rows.len()).map(|texts| (column.clone(), texts))
        })
        .collect()
}

/// A text of the same form that no row has: a name for a name, a key for a key, other digits for digits.
fn like(old: &str, name: &str, taken: &BTreeSet<String>, lots: &mut Lots) -> String {
    if old.chars().any(char::is_alphabetic) && !old.chars().any(|c| c.is_ascii_digit()) {
        return if old.contains(' ') { format!("{name} {}", name.to_lowercase()) } else { name.to_owned() };
    }
    let mut text = old.to_owned();
    for _ in 0..20 {
        text = text.chars().map(|c| if c.is_ascii_digit() { digit(lots) } else { c }).collect();
        if !taken.contains(&text) {
            return text;
        }
    }
    format!("{text}{name}")
}

fn digit(lots: &mut Lots) -> char {
    char::from(b'0' + u8::try_from(below(lots, 10)).unwrap_or_default())
}

/// Gives every resource id and test tag a name that says nothing; one name for one id, wherever it occurs.
fn rename(app: &mut Value, lots: &mut Lots) -> bool {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for part in ["screens", "dialogs", "sheets"] {
        for window in app.get_mut(part).and_then(Value::as_array_mut).into_iter().flatten() {
            for (key, inner) in window.as_object_mut().into_iter().flatten() {
                // The window's own id is a name within the file, not one of Android's.
                if key != "id" {
                    rename_within(inner, &mut names, lots);
                }
            }
        }
    }
    // Other versions of the app rename ids by the names they had.
    for edition in app.get_mut("versions").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut) {
        if let Some(ids) = edition.get_mut("ids").and_then(Value::as_object_mut) {
            *ids = std::mem::take(ids)
                .into_iter()
                .map(|(old, new)| (names.get(&old).cloned().unwrap_or(old), new))
                .collect();
        }
    }
    !names.is_empty()
}

fn rename_within(value: &mut Value, names: &mut BTreeMap<String, String>, lots: &mut Lots) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| rename_within(item, names, lots)),
        Value::Object(fields) => {
            for (key, inner) in fields {
                match inner {
                    Value::String(id) if (key == "id" || key == "testtag") && !id.contains([':', '{']) => {
                        let many = names.len();
                        let name = names.entry(id.clone()).or_insert_with(|| format!("x{many}{}", letter(lots)));
                        id.clone_from(name);
                    }
                    // What apps say to each other and to themselves holds no ids of Android's.
                    _ if key == "set" || key == "items" && !inner.is_array() => {}
                    _ => rename_within(inner, names, lots),
                }
            }
        }
        _ => {}
    }
}

fn letter(lots: &mut Lots) -> char {
    char::from(b'a' + u8::try_from(below(lots, 26)).unwrap_or_default())
}

/// Makes every answer that takes time take more of it.
fn slow_down(value: &mut Value, times: u64) -> bool {
    match value {
        Value::Array(items) => items.iter_mut().map(|item| slow_down(item, times)).filter(|slower| *slower).count() > 0,
        Value::Object(fields) => fields.iter_mut().fold(false, |slower, (key, inner)| {
            let delayed = key == "delay" && inner.get_mut("ms").is_some_and(|ms| later(ms, times));
            slow_down(inner, times) || delayed || slower
        }),
        _ => false,
    }
}

fn later(ms: &mut Value, times: u64) -> bool {
    if let Value::Array(range) = ms {
        // All of them, not only as far as the first that changed.
        return range.iter_mut().map(|one| later(one, times)).filter(|slower| *slower).count() > 0;
    }
    let Some(now) = ms.as_u64().filter(|now| *now > 0) else { return false };
    *ms = json!((now * times).min(now + MOST_LATER));
    true
}

/// Lets a window come that nobody asked for, once, on one of the first screens.
fn interrupt(app: &mut Value, lots: &mut Lots, material: &Material) -> bool {
    let Some(offer) = one_of(lots, &material.offers) else { return false };
    let screens = app["screens"].as_array().map_or(0, Vec::len);
    let place = below(lots, screens.min(3));
    let Some(app) = app.as_object_mut() else { return false };
    let Some(screen) = app.get_mut("screens").and_then(|screens| screens.get_mut(place)).and_then(Value::as_object_mut)
    else {
        return false;
    };
    let show = json!({"if": {"when": format!("!{OFFERED}"), "then": [{"delay": {"ms": OFFERED_AFTER, "then": [
        {"set": {OFFERED: "true"}}, {"show": OFFERED}
    ]}}]}});
    let opening = screen.entry("on_open").or_insert_with(|| json!([]));
    let Some(opening) = opening.as_array_mut() else { return false };
    opening.insert(0, show);
    let state = app.entry("state").or_insert_with(|| json!({}));
    let Some(state) = state.as_object_mut() else { return false };
    state.insert(OFFERED.to_owned(), Value::Bool(false));
    let dialogs = app.entry("dialogs").or_insert_with(|| json!([]));
    let Some(dialogs) = dialogs.as_array_mut() else { return false };
    dialogs.push(json!({"id": OFFERED, "title": offer.title, "message": offer.message, "buttons": [
        {"text": offer.refuse}, {"text": offer.accept}
    ]}));
    true
}

#[cfg(test)]
#[path = "reshape_tests.rs"]
mod tests;
