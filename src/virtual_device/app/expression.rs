//! Expressions and text templates of app files, evaluated by rhai without files, modules, `eval` or unbounded loops.

use rhai::packages::{Package, StandardPackage};
use rhai::{AST, Dynamic, Engine, Scope};
use std::collections::HashMap;
use std::sync::Arc;

/// Why an expression gave no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expression `{source_text}`: {message}")]
pub(super) struct ExpressionError {
    /// The expression.
    pub source_text: String,
    /// The reason.
    pub message: String,
    /// True when a function of that name and these argument types does not exist: wrong whatever the state is.
    pub unknown_function: bool,
}

/// A text with `{{ expression }}` parts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Template {
    pieces: Vec<Piece>,
}

#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Literal(String),
    Expression(String),
}

impl Template {
    /// Splits a text at its `{{ }}` parts. An unclosed `{{` is literal text.
    pub(super) fn parse(text: &str) -> Self {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            let Some((expression, tail)) = after.split_once("}}") else { break };
            if !before.is_empty() {
                pieces.push(Piece::Literal(before.to_owned()));
            }
            pieces.push(Piece::Expression(expression.trim().to_owned()));
            rest = tail;
        }
        if !rest.is_empty() {
            pieces.push(Piece::Literal(rest.to_owned()));
        }
        Self { pieces }
    }

    /// The expressions in it.
    pub(super) fn expressions(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Expression(source) => Some(source.as_str()),
            Piece::Literal(_) => None,
        })
    }
}

/// The engine with everything it has compiled so far.
pub(super) struct Expressions {
    engine: Engine,
    compiled: HashMap<String, Arc<AST>>,
    templates: HashMap<String, Arc<Template>>,
}

impl Expressions {
    pub(super) fn new() -> Self {
        let mut engine = Engine::new_raw();
        StandardPackage::new().register_into_engine(&mut engine);
        engine
            .set_max_operations(200_000)
            .set_max_call_levels(16)
            .set_max_expr_depths(64, 32)
            .set_max_string_size(64 * 1024)
            .set_max_array_size(4096)
            .set_max_map_size(4096)
            .set_strict_variables(true)
            .disable_symbol("eval")
            .disable_symbol("import");
        engine
            .register_fn("money", |cents: i64| money(cents))
            .register_fn("cents", |text: &str| cents(text))
            .register_fn("last", |text: &str, count: i64| last(text, count))
            .register_fn("mask", |text: &str| "•".repeat(text.chars().count()))
            .register_fn("is_digits", |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit()))
            .register_fn("initial", |text: &str| {
                text.chars().next().map(|c| c.to_uppercase().to_string()).unwrap_or_default()
            });
        Self { engine, compiled: HashMap::new(), templates: HashMap::new() }
    }

    /// Compiles against the variables in `scope`; a variable that is not there is an error.
    pub(super) fn compile(&mut self, source: &str, scope: &Scope<'_>) -> Result<Arc<AST>, ExpressionError> {
        if let Some(ast) = self.compiled.get(source) {
            return Ok(Arc::clone(ast));
        }
        let ast = self.engine.compile_expression_with_scope(scope, source).map_err(|error| ExpressionError {
            source_text: source.to_owned(),
            message: error.to_string(),
            unknown_function: false,
        })?;
        let ast = Arc::new(ast);
        self.compiled.insert(source.to_owned(), Arc::clone(&ast));
        Ok(ast)
    }

    /// The value of an expression.
    pub(super) fn value(&mut self, source: &str, scope: &mut Scope<'_>) -> Result<Dynamic, ExpressionError> {
        // A bare variable is the commonest expression by far.
        if let Some(value) = scope.get(source) {
            return Ok(value.clone());
        }
        let ast = self.compile(source, scope)?;
        self.engine.eval_ast_with_scope::<Dynamic>(scope, &ast).map_err(|error| ExpressionError {
            source_text: source.to_owned(),
            unknown_function: matches!(&*error, rhai::EvalAltResult::ErrorFunctionNotFound(..)),
            message: error.to_string(),
        })
    }

    /// The value of a condition.
    pub(super) fn condition(&mut self, source: &str, scope: &mut Scope<'_>) -> Result<bool, ExpressionError> {
        let value = self.value(source, scope)?;
        value.as_bool().map_err(|found| ExpressionError {
            source_text: source.to_owned(),
            message: format!("expected true or false, found a value of type {found}"),
            unknown_function: false,
        })
    }

    /// A text with its `{{ }}` parts filled in.
    pub(super) fn text(&mut self, text: &str, scope: &mut Scope<'_>) -> Result<String, ExpressionError> {
        if !text.contains("{{") {
            return Ok(text.to_owned());
        }
        let template = if let Some(template) = self.templates.get(text) {
            Arc::clone(template)
        } else {
            let template = Arc::new(Template::parse(text));
            self.templates.insert(text.to_owned(), Arc::clone(&template));
            template
        };
        let mut filled = String::new();
        for piece in &template.pieces {
            match piece {
                Piece::Literal(literal) => filled.push_str(literal),
                Piece::Expression(source) => filled.push_str(&self.value(source, scope)?.to_string()),
            }
        }
        Ok(filled)
    }
}

/// A literal of the app file as a rhai value.
pub(super) fn dynamic(value: &serde_json::Value) -> Dynamic {
    match value {
        serde_json::Value::Null => Dynamic::UNIT,
        serde_json::Value::Bool(b) => Dynamic::from(*b),
        serde_json::Value::Number(n) => {
            n.as_i64().map_or_else(|| Dynamic::from(n.as_f64().unwrap_or_default()), Dynamic::from)
        }
        serde_json::Value::String(s) => Dynamic::from(s.clone()),
        serde_json::Value::Array(items) => Dynamic::from_array(items.iter().map(dynamic).collect()),
        serde_json::Value::Object(fields) => {
            Dynamic::from_map(fields.iter().map(|(name, value)| (name.as_str().into(), dynamic(value))).collect())
        }
    }
}

/// `123456` cents as `1,234.56`.
fn money(cents: i64) -> String {
    let (sign, cents) = (if cents < 0 { "-" } else { "" }, cents.unsigned_abs());
    let whole = (cents / 100).to_string();
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{sign}{grouped}.{:02}", cents % 100)
}

/// `12.5` as 1250 cents; 0 for what is no amount.
fn cents(text: &str) -> i64 {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().unwrap_or(0) };
    let fraction: String = fraction.chars().chain("00".chars()).take(2).collect();
    whole.saturating_mul(100).saturating_add(fraction.parse().unwrap_or(0))
}

/// The last `count` characters.
fn last(text: &str, count: i64) -> String {
    let length = text.chars().count();
    text.chars().skip(length.saturating_sub(usize::try_from(count).unwrap_or(0))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_split_at_their_expressions() {
        let template = Template::parse("Pay {{ a }} to {{b}}!");
        assert_eq!(template.expressions().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(Template::parse("open {{ never closed").expressions().count(), 0);
    }

    #[test]
    fn amounts_are_grouped_and_read_back() {
        assert_eq!(money(1_234_567), "12,345.67");
        assert_eq!(money(-5), "-0.05");
        assert_eq!(cents("12.5"), 1250);
        assert_eq!(cents(".5"), 50);
        assert_eq!(cents("1.999"), 199);
        assert_eq!(cents("none"), 0);
    }

    #[test]
    fn an_unknown_variable_is_refused_when_compiled() {
        let mut scope = Scope::new();
        scope.push("known", 1_i64);
        let mut expressions = Expressions::new();
        assert!(expressions.compile("known + 1", &scope).is_ok());
        assert!(expressions.compile("unknown + 1", &scope).is_err());
    }

    #[test]
    fn an_endless_loop_ends_with_an_error() {
        let mut scope = Scope::new();
        assert!(Expressions::new().value("{ loop { } }", &mut scope).is_err());
        assert!(Expressions::new().value("eval(\"1\")", &mut scope).is_err());
    }
}
