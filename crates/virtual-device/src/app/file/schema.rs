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

    const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schemas/app.schema.json");

    #[test]
    fn the_committed_schema_is_current() {
        let committed = std::fs::read_to_string(COMMITTED).expect("docs/schemas/app.schema.json is there");
        assert!(
            committed == json_schema(),
            "docs/schemas/app.schema.json is out of date; renew it: cargo test --workspace --lib renew_the_app_schema -- --ignored"
        );
    }

    #[test]
    #[ignore = "writes docs/schemas/app.schema.json"]
    fn renew_the_app_schema() {
        std::fs::write(COMMITTED, json_schema()).expect("docs/schemas is writable");
    }
}
