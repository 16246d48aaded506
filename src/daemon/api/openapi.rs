//! `/api/v1/openapi.json`: what the API can do, made from the list its routes are made from.

use super::operation::{Answer, Operation};
use super::routes;
use axum::Json;
use axum::http::Method;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// Where schemas stand in the description.
const SCHEMAS: &str = "/components/schemas";

/// The description, in OpenAPI 3.1.
pub(super) async fn show() -> Json<Value> {
    Json(description())
}

fn description() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = SCHEMAS.into();
        settings.meta_schema = None;
    });
    let mut generator = settings.into_generator();
    let mut paths = Map::new();
    for (operation, _) in routes::all() {
        let path = operation.path.replace("{*", "{");
        let methods = paths.entry(path.clone()).or_insert_with(|| json!({}));
        if let Some(methods) = methods.as_object_mut() {
            methods.insert(operation.method.as_str().to_lowercase(), described(&operation, &path, &mut generator));
        }
    }
    let mut schemas = generator.take_definitions(true);
    schemas.insert("Problem".to_owned(), problem());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Tapwright's daemon",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    })
}

fn described(operation: &Operation, path: &str, generator: &mut SchemaGenerator) -> Value {
    let parameter = |name: &str, place: &str, text: &str| json!({"name": name, "in": place, "required": place == "path", "schema": {"type": "string"}, "description": text});
    let in_path = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let mut parameters: Vec<Value> = in_path.map(|name| parameter(name, "path", "")).collect();
    parameters.extend(operation.query.iter().map(|(name, text)| parameter(name, "query", text)));
    let content = |kind: &str, schema: Value| json!({kind: {"schema": schema}});
    let answer = match operation.answer {
        Answer::Json(schema) => json!({"description": operation.summary,
            "content": content("application/json", schema(generator).to_value())}),
        Answer::Other(kind) => json!({"description": operation.summary,
            "content": content(kind, json!({"type": "string"}))}),
        Answer::Empty => json!({"description": operation.summary}),
    };
    let problem = content("application/problem+json", json!({"$ref": "#/components/schemas/Problem"}));
    let mut described = json!({
        "operationId": id_of(&operation.method, path),
        "summary": operation.summary,
        "parameters": parameters,
        "responses": {
            operation.status.as_str(): answer,
            "default": {"description": "what is wrong (RFC 9457)", "content": problem},
        },
    });
    let Some(members) = described.as_object_mut() else { return described };
    if let Some(scope) = operation.scope {
        members.insert("security".to_owned(), json!([{"token": []}]));
        members.insert("x-scope".to_owned(), json!(scope));
    }
    if let Some(body) = operation.body {
        let content = content("application/json", body(generator).to_value());
        members.insert("requestBody".to_owned(), json!({"required": true, "content": content}));
    }
    described
}

/// `get_runs_run_id`: a name for programs that are generated.
fn id_of(method: &Method, path: &str) -> String {
    let words = path.trim_start_matches("/api/v1").split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let method = method.as_str().to_lowercase();
    if words.is_empty() { format!("{method}_page") } else { format!("{method}_{}", words.join("_")) }
}

fn problem() -> Value {
    json!({
        "type": "object",
        "required": ["type", "title", "status", "detail", "code", "error"],
        "properties": {
            "type": {"type": "string"},
            "title": {"type": "string"},
            "status": {"type": "integer"},
            "detail": {"type": "string", "description": "a sentence for people, with the remedy"},
            "code": {"type": "string", "description": "a stable word for programs"},
            "errors": {"type": "array", "items": {"type": "object", "properties": {
                "pointer": {"type": "string"}, "detail": {"type": "string"}}}},
            "error": {"type": "object"},
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_operation_is_described_once_and_every_reference_leads_somewhere() {
        let description = description();
        let text = description.to_string();
        let mut ids = BTreeSet::new();
        for (path, methods) in description["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                assert!(ids.insert(operation["operationId"].as_str().unwrap().to_owned()), "{method} {path} twice");
                let places = operation["parameters"].as_array().unwrap().iter().filter(|one| one["in"] == "path");
                assert_eq!(places.count(), path.matches('{').count(), "{method} {path}");
            }
        }
        assert_eq!(ids.len(), routes::all().len());
        for reference in text.split("\"$ref\":\"#").skip(1) {
            let pointer = reference.split('"').next().unwrap();
            assert!(description.pointer(pointer).is_some(), "{pointer} leads nowhere");
        }
    }
}
