//! What the API can do, as data: method, path, scope, forms. Routes and their description are made from the same list.

use crate::store::Scope;
use axum::http::{Method, StatusCode};
use schemars::{JsonSchema, Schema, SchemaGenerator};

/// Gives the schema of a type.
pub(super) type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// What an operation answers when all is well.
#[derive(Clone, Copy)]
pub(super) enum Answer {
    /// JSON of this form.
    Json(SchemaOf),
    /// Something of this media type.
    Other(&'static str),
    /// Nothing.
    Empty,
}

/// One method of one path.
#[derive(Clone)]
pub(super) struct Operation {
    pub(super) method: Method,
    pub(super) path: &'static str,
    /// What the caller's token must allow; `None`: open to all.
    pub(super) scope: Option<Scope>,
    /// One sentence.
    pub(super) summary: &'static str,
    /// Query parameters, with a sentence each.
    pub(super) query: &'static [(&'static str, &'static str)],
    /// The body's form.
    pub(super) body: Option<SchemaOf>,
    pub(super) status: StatusCode,
    pub(super) answer: Answer,
}

impl Operation {
    /// `GET`, for those that may read.
    pub(super) fn get(path: &'static str, summary: &'static str, answer: Answer) -> Self {
        Self {
            method: Method::GET,
            path,
            scope: Some(Scope::Read),
            summary,
            query: &[],
            body: None,
            status: StatusCode::OK,
            answer,
        }
    }

    /// `POST`, for those that may run.
    pub(super) fn post(path: &'static str, summary: &'static str, answer: Answer) -> Self {
        let get = Self::get(path, summary, answer);
        Self { method: Method::POST, scope: Some(Scope::Run), ..get }
    }

    /// `DELETE`, for administrators.
    pub(super) fn delete(path: &'static str, summary: &'static str) -> Self {
        let get = Self::get(path, summary, Answer::Empty).status(StatusCode::NO_CONTENT);
        Self { method: Method::DELETE, scope: Some(Scope::Admin), ..get }
    }

    #[must_use]
    pub(super) fn needing(mut self, scope: Scope) -> Self {
        self.scope = Some(scope);
        self
    }

    #[must_use]
    pub(super) fn open(mut self) -> Self {
        self.scope = None;
        self
    }

    #[must_use]
    pub(super) fn query(mut self, query: &'static [(&'static str, &'static str)]) -> Self {
        self.query = query;
        self
    }

    #[must_use]
    pub(super) fn body(mut self, body: SchemaOf) -> Self {
        self.body = Some(body);
        self
    }

    #[must_use]
    pub(super) fn status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }
}

/// The schema of a type, in the place where schemas of the description are kept.
pub(super) fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}
