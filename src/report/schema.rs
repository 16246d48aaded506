//! The published JSON Schema of `result.json`.

use super::result_json::ResultFile;

/// The JSON Schema of `result.json`, as pretty JSON with a final newline. `docs/schemas/result.schema.json` is its copy.
pub fn result_schema() -> Result<String, serde_json::Error> {
    let mut schema = schemars::schema_for!(ResultFile<'_>);
    schema.insert("title".into(), "Tapwright result".into());
    serde_json::to_string_pretty(&schema).map(|text| text + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLISHED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/schemas/result.schema.json");

    #[test]
    fn the_published_schema_is_current() {
        let published = std::fs::read_to_string(PUBLISHED).unwrap_or_default();
        let remedy = "run `cargo test --workspace --lib publish_the_schema -- --ignored` and commit docs/schemas";
        assert!(published == result_schema().unwrap(), "docs/schemas/result.schema.json is not current: {remedy}");
    }

    #[test]
    #[ignore = "writes docs/schemas/result.schema.json"]
    fn publish_the_schema_of_results() {
        std::fs::write(PUBLISHED, result_schema().unwrap()).unwrap();
    }
}
