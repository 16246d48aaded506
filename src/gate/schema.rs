//! The published JSON Schema of a gate's manifest.

use super::Manifest;

/// The JSON Schema of `manifest.json`, as pretty JSON with a final newline. `docs/schemas/manifest.schema.json` is its copy.
pub fn manifest_schema() -> Result<String, serde_json::Error> {
    let mut schema = schemars::schema_for!(Manifest);
    schema.insert("title".into(), "Tapwright gate".into());
    serde_json::to_string_pretty(&schema).map(|text| text + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLISHED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/schemas/manifest.schema.json");

    #[test]
    fn the_published_schema_is_current() {
        let published = std::fs::read_to_string(PUBLISHED).unwrap_or_default();
        let remedy = "run `cargo test --workspace --lib publish_the_schema -- --ignored` and commit docs/schemas";
        assert!(published == manifest_schema().unwrap(), "docs/schemas/manifest.schema.json is not current: {remedy}");
    }

    #[test]
    #[ignore = "writes docs/schemas/manifest.schema.json"]
    fn publish_the_schema_of_manifests() {
        std::fs::write(PUBLISHED, manifest_schema().unwrap()).unwrap();
    }
}
