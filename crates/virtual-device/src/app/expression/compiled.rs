//! What has been compiled of an app file: shared by all programs that run it, on whatever device of the process.

use super::ExpressionError;
use super::template::Template;
use rhai::AST;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

/// Compiled expressions and split texts of one app file, by their source.
#[derive(Default)]
pub(in super::super) struct Compiled {
    expressions: RwLock<HashMap<String, Arc<AST>>>,
    templates: RwLock<HashMap<String, Arc<Template>>>,
}

impl Compiled {
    /// The expression compiled, by `compile` the first time.
    pub(super) fn expression(
        &self,
        source: &str,
        compile: impl FnOnce() -> Result<AST, ExpressionError>,
    ) -> Result<Arc<AST>, ExpressionError> {
        if let Some(ast) = self.expressions.read().unwrap_or_else(PoisonError::into_inner).get(source) {
            return Ok(Arc::clone(ast));
        }
        let ast = Arc::new(compile()?);
        let mut expressions = self.expressions.write().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(expressions.entry(source.to_owned()).or_insert(ast)))
    }

    /// The text split, the first time.
    pub(super) fn template(&self, text: &str) -> Arc<Template> {
        if let Some(template) = self.templates.read().unwrap_or_else(PoisonError::into_inner).get(text) {
            return Arc::clone(template);
        }
        let template = Arc::new(Template::parse(text));
        let mut templates = self.templates.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(templates.entry(text.to_owned()).or_insert(template))
    }
}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.expressions.read().unwrap_or_else(PoisonError::into_inner).len();
        f.debug_struct("Compiled").field("expressions", &count).finish_non_exhaustive()
    }
}
