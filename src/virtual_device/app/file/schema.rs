//! The JSON Schema of the app file.

use super::Document;

/// The schema as pretty-printed JSON with a final newline, as `docs/schemas/app.schema.json` holds it.
pub fn json_schema() -> String {
    let schema = schemars::schema_for!(Document);
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// To renew the file: `UPDATE_SCHEMAS=1 cargo test --lib the_committed_schema_is_current`.
    #[test]
    fn the_committed_schema_is_current() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/schemas/app.schema.json");
        let schema = json_schema();
        if std::env::var_os("UPDATE_SCHEMAS").is_some() {
            std::fs::write(path, &schema).expect("docs/schemas is writable");
        }
        let committed = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            committed == schema,
            "docs/schemas/app.schema.json is out of date; run with UPDATE_SCHEMAS=1 to renew it"
        );
    }
}
