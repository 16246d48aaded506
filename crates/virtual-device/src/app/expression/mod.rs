//! Expressions and text templates of app files, evaluated by rhai without files, modules, clocks, `eval` or unbounded
//! loops.

mod branches;
mod chance;
mod collection;
mod compiled;
mod dates;
mod device;
mod money;
mod template;
mod text;
mod values;
mod world;

pub(super) use branches::branches;
pub(super) use chance::Generator;
pub(super) use compiled::Compiled;
pub(super) use dates::{format as format_date, parse as parse_date};
pub(super) use device::version_parts;
pub(super) use template::Template;
pub(super) use world::{Facts, World};

use rhai::packages::{
    BasicArrayPackage, BasicMapPackage, BasicMathPackage, CorePackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{AST, Dynamic, Engine, FuncRegistration, Module, Scope, Shared};
use std::sync::{Arc, LazyLock};
use template::Piece;
use world::Failure;

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

/// rhai's own functions and ours, made once for the process. rhai's package of time is left out: it reads a clock.
static FUNCTIONS: LazyLock<[Shared<Module>; 2]> = LazyLock::new(|| {
    let mut standard = Module::new();
    CorePackage::init(&mut standard);
    LogicPackage::init(&mut standard);
    BasicMathPackage::init(&mut standard);
    BasicArrayPackage::init(&mut standard);
    BasicMapPackage::init(&mut standard);
    MoreStringPackage::init(&mut standard);
    standard.build_index();
    let mut own = Module::new();
    collection::register(&mut own);
    text::register(&mut own);
    money::register(&mut own);
    dates::register(&mut own);
    chance::register(&mut own);
    device::register(&mut own);
    // rhai's `sleep` would stop the device's thread.
    let no_sleep = "sleep() is not for apps: use a delay action";
    FuncRegistration::new("sleep")
        .in_global_namespace()
        .set_into_module(&mut own, move |_: i64| Err::<(), Failure>(no_sleep.into()));
    FuncRegistration::new("sleep")
        .in_global_namespace()
        .set_into_module(&mut own, move |_: f64| Err::<(), Failure>(no_sleep.into()));
    own.build_index();
    [standard.into(), own.into()]
});

/// The engine of one program, with what the programs of its file have compiled so far.
pub(super) struct Expressions {
    engine: Engine,
    world: World,
    compiled: Arc<Compiled>,
}

impl Expressions {
    /// Expressions of a program in `world`; `compiled` is shared by all programs of a file.
    pub(super) fn new(world: World, compiled: Arc<Compiled>) -> Self {
        let mut engine = Engine::new_raw();
        for functions in &*FUNCTIONS {
            engine.register_global_module(Shared::clone(functions));
        }
        engine
            .set_max_operations(200_000)
            .set_max_call_levels(16)
            .set_max_expr_depths(64, 32)
            .set_max_string_size(64 * 1024)
            .set_max_array_size(collection::LONGEST)
            .set_max_map_size(4096)
            .set_strict_variables(true)
            .disable_symbol("eval")
            .disable_symbol("import")
            .set_default_tag(world.tag());
        Self { engine, world, compiled }
    }

    /// What the functions know.
    pub(super) const fn world(&self) -> &World {
        &self.world
    }

    /// Compiles against the variables in `scope`; a variable that is not there is an error.
    pub(super) fn compile(&self, source: &str, scope: &Scope<'_>) -> Result<Arc<AST>, ExpressionError> {
        self.compiled.expression(source, || {
            self.engine.compile_expression_with_scope(scope, rewritten(source)).map_err(|error| ExpressionError {
                source_text: source.to_owned(),
                message: error.to_string(),
                unknown_function: false,
            })
        })
    }

    /// The value of an expression.
    pub(super) fn value(&self, source: &str, scope: &mut Scope<'_>) -> Result<Dynamic, ExpressionError> {
        // A bare variable is the commonest expression by far.
        if let Some(value) = scope.get(source) {
            return Ok(value.clone());
        }
        let ast = self.compile(source, scope)?;
        let result = self.engine.eval_ast_with_scope::<Dynamic>(scope, &ast);
        // A closure (`people.filter(|p| p.contains(query))`) turns the variables it captures into shared ones.
        let shared = scope.iter_raw().filter(|(_, _, value)| value.is_shared());
        let shared: Vec<_> = shared.map(|(name, _, value)| (name.to_owned(), value.clone().flatten())).collect();
        for (name, value) in shared {
            scope.set_value(name, value);
        }
        result.map(Dynamic::flatten).map_err(|error| ExpressionError {
            source_text: source.to_owned(),
            // What gets nothing, `()`, now may get something later.
            unknown_function: is_unknown_function(&error),
            message: error.to_string(),
        })
    }

    /// The value of a condition.
    pub(super) fn condition(&self, source: &str, scope: &mut Scope<'_>) -> Result<bool, ExpressionError> {
        match source {
            "true" => return Ok(true),
            "false" => return Ok(false),
            _ => {}
        }
        let value = self.value(source, scope)?;
        value.as_bool().map_err(|found| ExpressionError {
            source_text: source.to_owned(),
            message: format!("expected true or false, found a value of type {found}"),
            unknown_function: false,
        })
    }

    /// A text with its `{{ }}` parts filled in.
    pub(super) fn text(&self, text: &str, scope: &mut Scope<'_>) -> Result<String, ExpressionError> {
        if !text.contains("{{") {
            return Ok(text.to_owned());
        }
        let template = self.compiled.template(text);
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

/// Whether a function that does not exist was called, also within a closure.
fn is_unknown_function(error: &rhai::EvalAltResult) -> bool {
    match error {
        rhai::EvalAltResult::ErrorFunctionNotFound(signature, _) => !signature.contains("()"),
        rhai::EvalAltResult::ErrorInFunctionCall(_, _, inner, _) => is_unknown_function(inner),
        _ => false,
    }
}

/// `with` is a word that rhai keeps for itself; the function of that name goes by another.
fn rewritten(source: &str) -> String {
    if !source.contains("with") {
        return source.to_owned();
    }
    let mut out = String::with_capacity(source.len() + 8);
    let mut quote = None;
    let mut escaped = false;
    let mut word = String::new();
    for (at, character) in source.char_indices() {
        out.push(character);
        if let Some(mark) = quote {
            if !escaped && character == mark {
                quote = None;
            }
            escaped = !escaped && character == '\\';
        } else if character.is_alphanumeric() || character == '_' {
            word.push(character);
            if word == "with" && source[at + 1..].trim_start().starts_with('(') {
                out.push_str("_value");
            }
        } else {
            word.clear();
            quote = matches!(character, '"' | '`' | '\'').then_some(character);
        }
    }
    out
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

/// A rhai value as JSON, to be kept; functions and the like become null.
pub(super) fn json(value: &Dynamic) -> serde_json::Value {
    if let Ok(array) = value.as_array_ref() {
        return serde_json::Value::Array(array.iter().map(json).collect());
    }
    if let Ok(map) = value.as_map_ref() {
        return serde_json::Value::Object(map.iter().map(|(name, value)| (name.to_string(), json(value))).collect());
    }
    if let Ok(integer) = value.as_int() {
        return integer.into();
    }
    if let Ok(decimal) = value.as_float() {
        return decimal.into();
    }
    if let Ok(boolean) = value.as_bool() {
        return boolean.into();
    }
    values::text(value).map_or(serde_json::Value::Null, Into::into)
}

#[cfg(test)]
mod tests;
