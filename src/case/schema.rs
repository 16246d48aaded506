//! The published JSON Schema of case files.

use super::file::CaseFile;

/// The JSON Schema of a case file, as pretty JSON with a final newline. `docs/schemas/case.schema.json` is its copy.
pub fn case_schema() -> Result<String, serde_json::Error> {
    let mut schema = schemars::schema_for!(CaseFile);
    schema.insert("title".into(), "Tapwright test case".into());
    // What the type system cannot say: exactly one of the two aims, and one device or several.
    schema.insert(
        "allOf".into(),
        serde_json::json!([
            {"oneOf": [{"required": ["steps"]}, {"required": ["goal"]}]},
            {"oneOf": [{"required": ["app"]}, {"required": ["actors"]}]}
        ]),
    );
    serde_json::to_string_pretty(&schema).map(|text| text + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLISHED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/schemas/case.schema.json");

    #[test]
    fn the_published_schema_is_current() {
        let published = std::fs::read_to_string(PUBLISHED).unwrap_or_default();
        let remedy = "run `cargo test --workspace --lib publish_the_schema -- --ignored` and commit docs/schemas";
        assert!(published == case_schema().unwrap(), "docs/schemas/case.schema.json is not current: {remedy}");
    }

    #[test]
    #[ignore = "writes docs/schemas/case.schema.json"]
    fn publish_the_schema_of_cases() {
        std::fs::write(PUBLISHED, case_schema().unwrap()).unwrap();
    }
}
