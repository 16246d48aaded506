//! `content query|insert|update|delete` on the settings provider (`Content.java`, `SettingsProvider.java`).

use super::{Exit, Invocation};
use crate::system::{Namespace, Settings};

const COLUMNS: [&str; 3] = ["_id", "name", "value"];

/// A command line.
#[derive(Debug, Default, PartialEq, Eq)]
struct Request<'a> {
    uri: &'a str,
    /// `--bind name:s:value`.
    bindings: Vec<(&'a str, &'a str)>,
    /// `--projection a:b`.
    projection: Vec<&'a str>,
    /// `--where "name='x'"`.
    selection: Option<&'a str>,
}

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let rest = invocation.rest();
    let done = match rest.split_first() {
        Some((verb @ (&"query" | &"insert" | &"update" | &"delete"), words)) => {
            parse(words).and_then(|request| serve(invocation, verb, &request))
        }
        Some((verb @ (&"call" | &"read" | &"write" | &"gettype"), _)) => {
            Err(format!("{verb}: this virtual device has no provider that answers it"))
        }
        Some((verb, _)) => Err(format!("Unsupported operation: {verb}")),
        None => Err("Unsupported operation: null".to_owned()),
    };
    if let Err(message) = done {
        // `Content.main` prints what is wrong and ends with 0 all the same.
        invocation.err(format!("[ERROR] {message}\n\n{USAGE}"));
    }
    Exit::SUCCESS
}

const USAGE: &str = "usage: adb shell content [subcommand] [options]\n\nusage: adb shell content insert --uri <URI> [--user <USER_ID>] --bind <BINDING> [--bind <BINDING>...]\n\nusage: adb shell content query --uri <URI> [--user <USER_ID>] [--projection <PROJECTION>] [--where <WHERE>] [--sort <SORT_ORDER>]\n";

fn parse<'a>(words: &[&'a str]) -> Result<Request<'a>, String> {
    let mut request = Request::default();
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("Should specify a value for: {word}"));
        match word {
            "--uri" => request.uri = value()?,
            "--where" => request.selection = Some(value()?),
            "--projection" => request.projection = value()?.split(':').collect(),
            "--bind" => {
                let text = value()?;
                let mut parts = text.splitn(3, ':');
                let (Some(name), Some(kind), Some(bound)) = (parts.next(), parts.next(), parts.next()) else {
                    return Err(format!("Binding not well formed: {text}"));
                };
                if !matches!(kind, "s" | "b" | "i" | "l" | "f" | "d" | "n") {
                    return Err(format!("Unsupported type: {kind}"));
                }
                request.bindings.push((name, bound));
            }
            "--user" | "--sort" | "--extra" => {
                value()?;
            }
            other => return Err(format!("Unsupported argument: {other}")),
        }
    }
    if request.uri.is_empty() {
        Err("Content provider URI not specified. Did you specify --uri argument?".to_owned())
    } else {
        Ok(request)
    }
}

fn serve(invocation: &Invocation<'_>, verb: &str, request: &Request<'_>) -> Result<(), String> {
    let rest = request.uri.strip_prefix("content://").ok_or_else(|| format!("Invalid URI: {}", request.uri))?;
    let mut parts = rest.trim_end_matches('/').splitn(3, '/');
    let (authority, table, name) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default(), parts.next());
    if authority != "settings" {
        return thrown(
            invocation,
            authority,
            &format!("java.lang.IllegalStateException: Could not find provider: {authority}"),
        );
    }
    let Some(table) = Namespace::parse(table) else {
        return thrown(invocation, authority, &format!("java.lang.IllegalArgumentException: Bad root path: {table}"));
    };
    let bound = |wanted: &str| request.bindings.iter().rfind(|(name, _)| *name == wanted).map(|(_, value)| *value);
    let chosen = name.or_else(|| request.selection.and_then(|text| named(text, "name")));
    match verb {
        "query" => {
            let rows = rows(&invocation.system.lock().settings, table, chosen, request);
            invocation.out(rows?);
        }
        "insert" | "update" => match (bound("name").or(chosen), bound("value")) {
            (Some(name), value) => {
                invocation.system.lock().settings.put(table, name, value.unwrap_or("null"));
            }
            (None, _) => {
                return thrown(invocation, authority, "java.lang.IllegalArgumentException: name is null");
            }
        },
        _ => {
            if let Some(name) = chosen {
                invocation.system.lock().settings.delete(table, name);
            }
        }
    }
    Ok(())
}

fn thrown(invocation: &Invocation<'_>, authority: &str, exception: &str) -> Result<(), String> {
    invocation.err(format!(
        "Error while accessing provider:{authority}\n{exception}\n\tat com.android.commands.content.Content$Command.execute(Content.java)\n"
    ));
    Ok(())
}

/// The value a `--where` of one condition wants for a column: `name='x'`, `"name" = "x"`.
fn named<'a>(selection: &'a str, column: &str) -> Option<&'a str> {
    let (left, right) = selection.split_once('=')?;
    let bare = |word: &'a str| word.trim().trim_matches(['\'', '"']);
    (bare(left) == column).then(|| bare(right))
}

fn rows(settings: &Settings, table: Namespace, name: Option<&str>, request: &Request<'_>) -> Result<String, String> {
    let columns: Vec<&str> = if request.projection.is_empty() { COLUMNS.to_vec() } else { request.projection.clone() };
    if let Some(unknown) = columns.iter().find(|column| !COLUMNS.contains(column)) {
        return Err(format!("Invalid column: {unknown}"));
    }
    let mut text = String::new();
    let all = settings.list(table).enumerate();
    let found = all.filter(|(_, (key, _))| name.is_none_or(|name| name == *key));
    for (row, (at, (key, value))) in found.enumerate() {
        let cells: Vec<String> = columns
            .iter()
            .map(|column| match *column {
                "_id" => format!("_id={}", at + 1),
                "name" => format!("name={key}"),
                _ => format!("value={value}"),
            })
            .collect();
        text.push_str(&format!("Row: {row} {}\n", cells.join(", ")));
    }
    Ok(if text.is_empty() { "No result found.\n".to_owned() } else { text })
}
