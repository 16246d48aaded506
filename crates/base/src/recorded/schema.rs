//! The published JSON Schema of recordings.

use super::{AppInfo, Task, Transition};
use schemars::JsonSchema;

/// The three forms, one property each.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Forms {
    /// `app.json`.
    app: AppInfo,
    /// A line of `transitions.jsonl`.
    transition: Transition,
    /// A line of `tasks.jsonl`.
    task: Task,
}

/// The JSON Schema of a recording's files, as pretty JSON with a final newline; the property `app` describes
/// `app.json`, `transition` and `task` a line of `transitions.jsonl` and of `tasks.jsonl`.
/// `docs/schemas/recording.schema.json` is its copy.
pub fn recording_schema() -> Result<String, serde_json::Error> {
    let mut schema = schemars::schema_for!(Forms);
    schema.insert("title".into(), "Tapwright recorded app".into());
    serde_json::to_string_pretty(&schema).map(|text| text + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLISHED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schemas/recording.schema.json");

    #[test]
    fn the_published_schema_is_current() {
        let published = std::fs::read_to_string(PUBLISHED).unwrap_or_default();
        let remedy = "run `cargo test --workspace --lib publish_the_schema -- --ignored` and commit docs/schemas";
        assert!(
            published == recording_schema().unwrap(),
            "docs/schemas/recording.schema.json is not current: {remedy}"
        );
    }

    #[test]
    #[ignore = "writes docs/schemas/recording.schema.json"]
    fn publish_the_schema_of_recordings() {
        std::fs::write(PUBLISHED, recording_schema().unwrap()).unwrap();
    }
}
