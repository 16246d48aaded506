//! `tapwright config`.

use super::print_json;
use super::serve::flags_of;
use crate::app::{Chosen, Origin, ServeSettings, Workspace, is_url};
use crate::cli::{ConfigCommand, Exit, Failure, table};
use serde::Serialize;
use toml::{Table, Value};

/// One setting as it holds.
#[derive(Debug, Serialize)]
struct Setting {
    /// `daemon.listen`.
    key: String,
    /// Its value; null where there is none and something else is done instead.
    value: Option<Value>,
    /// A flag, a variable, `tapwright.toml` or `default`.
    from: String,
}

/// Shows settings as they hold, and where each comes from.
pub(super) fn config(command: ConfigCommand, workspace: &Workspace) -> Result<Exit, Failure> {
    let ConfigCommand::Show { serve, json } = command;
    let served = workspace.serve_settings(flags_of(&serve)).map_err(Failure::usage)?;
    let written = workspace.written_settings().map_err(Failure::usage)?;
    let mut effective = Table::try_from(workspace.config()).map_err(Failure::infrastructure)?;
    // What the file has and nothing else sets, as own rules of rewriting, is shown as it stands there.
    for (key, value) in &written {
        effective.entry(key).or_insert_with(|| value.clone());
    }
    let mut settings = Vec::new();
    flatten("", &effective, &written, &mut settings);
    settings.retain(|setting| !own_of(&served).iter().any(|own| own.key == setting.key));
    settings.extend(own_of(&served));
    settings.sort_by(|one, other| one.key.cmp(&other.key));
    if json {
        print_json(&settings)?;
    } else {
        let row = |setting: &Setting| {
            let value = setting.value.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
            vec![setting.key.clone(), value, setting.from.clone()]
        };
        table::print(&settings.iter().map(row).collect::<Vec<_>>());
    }
    Ok(Exit::Passed)
}

/// What flags and environment may set.
fn own_of(served: &ServeSettings) -> Vec<Setting> {
    let setting = |key: &str, value: Option<String>, origin: Origin| Setting {
        key: format!("daemon.{key}"),
        value: value.map(Value::String),
        from: origin.to_string(),
    };
    let Chosen { value: database, origin } = &served.database;
    // The URL may hold a password.
    let shown = |text: &str| if is_url(text) { "a PostgreSQL database".to_owned() } else { text.to_owned() };
    vec![
        setting("listen", Some(served.listen.value.to_string()), served.listen.origin),
        setting("host", served.host.value.clone(), served.host.origin),
        setting("database", database.as_ref().map(|text| shown(text.expose())), *origin),
        setting("key", served.key.value.as_ref().map(|key| key.display().to_string()), served.key.origin),
        setting("artifacts", served.artifacts.value.clone(), served.artifacts.origin),
    ]
}

fn flatten(before: &str, table: &Table, written: &Table, settings: &mut Vec<Setting>) {
    for (name, value) in table {
        let key = if before.is_empty() { name.clone() } else { format!("{before}.{name}") };
        let own = written.get(name);
        match value {
            Value::Table(inner) => {
                flatten(&key, inner, own.and_then(Value::as_table).unwrap_or(&Table::new()), settings);
            }
            value => {
                let origin = if own.is_some() { Origin::File } else { Origin::Default };
                settings.push(Setting { key, value: Some(value.clone()), from: origin.to_string() });
            }
        }
    }
}
