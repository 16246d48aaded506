//! The check of references, names and expressions.

use super::super::expression::{Expressions, Template, branches, dynamic};
use super::check_app::{list, world};
use super::{AppFileIssue, Dialog, Document, Expression, Located, Screen, Severity, Text};
use rhai::{Dynamic, Scope};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Every problem of a document.
///
/// It is looked through twice where lists are empty at first: what they come to hold is known once every `set` was seen.
pub(super) fn check(document: &Document) -> Vec<AppFileIssue> {
    let mut checker = Checker::of(document, BTreeMap::new());
    checker.document();
    if !checker.filled.is_empty() {
        checker = Checker::of(document, checker.filled);
        checker.document();
    }
    checker.unused();
    checker.issues.sort_by_key(|issue| (issue.severity == Severity::Warning, issue.line, issue.column));
    checker.issues
}

pub(super) struct Checker<'a> {
    pub(super) document: &'a Document,
    pub(super) screens: BTreeSet<&'a str>,
    pub(super) overlays: BTreeSet<&'a str>,
    pub(super) expressions: Expressions,
    pub(super) scope: Scope<'a>,
    pub(super) place: String,
    /// Inside a script, where chance is allowed.
    pub(super) acting: bool,
    /// Ids of the screen with their line, and whether they stand below a `visible`.
    ids: BTreeMap<String, (u64, bool)>,
    /// Inside how many widgets that are not always there.
    pub(super) conditional: usize,
    /// Every id and every text, for what versions rename.
    pub(super) named: BTreeSet<String>,
    /// Words of expressions, and variables that widgets are bound to.
    pub(super) read: BTreeSet<String>,
    /// Screens, dialogs and sheets that something opens.
    pub(super) opened: BTreeSet<String>,
    /// Lists that are empty at first, as some `set` leaves them.
    filled: BTreeMap<String, Dynamic>,
    issues: Vec<AppFileIssue>,
}

impl<'a> Checker<'a> {
    /// A checker that has seen nothing yet. `filled` are lists that are empty at first, as some `set` leaves them.
    fn of(document: &'a Document, filled: BTreeMap<String, Dynamic>) -> Self {
        let mut scope = Scope::new();
        let shared = document.shared.iter().flat_map(|shared| &shared.state);
        for (name, value) in document.state.iter().chain(shared) {
            scope.push_dynamic(name.as_str(), dynamic(value));
        }
        Self {
            document,
            screens: document.screens.iter().map(|s| s.id.value.as_str()).collect(),
            overlays: document
                .dialogs
                .iter()
                .map(|d| d.id.value.as_str())
                .chain(document.sheets.iter().map(|s| s.id.value.as_str()))
                .collect(),
            expressions: Expressions::new(world(document), Arc::default()),
            scope,
            place: String::new(),
            acting: false,
            ids: BTreeMap::new(),
            conditional: 0,
            named: BTreeSet::new(),
            read: BTreeSet::new(),
            opened: BTreeSet::new(),
            issues: Vec::new(),
            filled,
        }
    }

    pub(super) fn issue<T>(&mut self, at: &Located<T>, message: String) {
        self.problem(at.line, at.column, Severity::Error, message);
    }

    pub(super) fn problem(&mut self, line: u64, column: u64, severity: Severity, message: String) {
        self.issues.push(AppFileIssue { severity, line, column, place: self.place.clone(), message });
    }

    fn document(&mut self) {
        "app".clone_into(&mut self.place);
        let package = &self.document.package;
        self.package_name(package);
        if self.document.screens.is_empty() {
            self.issue(package, "expected at least one screen".to_owned());
        }
        self.declarations();
        let names = self.document.screens.iter().map(|s| &s.id);
        let names = names.chain(self.document.dialogs.iter().map(|d| &d.id));
        let mut seen = BTreeMap::new();
        for id in names.chain(self.document.sheets.iter().map(|s| &s.id)) {
            if let Some(first) = seen.insert(id.value.as_str(), id.line) {
                self.issue(id, format!("the name {:?} is already used on line {first}", id.value));
            }
        }
        for screen in &self.document.screens {
            self.screen(screen);
        }
        for dialog in &self.document.dialogs {
            self.dialog(dialog);
        }
        for sheet in &self.document.sheets {
            self.place = format!("sheet {}", sheet.id.value);
            self.ids.clear();
            sheet.title.iter().for_each(|t| self.text(t));
            self.widgets(&sheet.body);
            self.script(&sheet.on_dismiss);
        }
    }

    fn screen(&mut self, screen: &'a Screen) {
        self.place = format!("screen {}", screen.id.value);
        self.ids.clear();
        if let Some(title) = &screen.title {
            self.text(title);
        }
        self.script(&screen.on_open);
        self.script(&screen.on_resume);
        self.watches(&screen.watch);
        if let Some(script) = &screen.on_back {
            self.script(script);
        }
        self.chrome(screen);
        self.widgets(&screen.actions);
        self.widgets(&screen.body);
        self.widgets(&screen.bottom);
    }

    fn dialog(&mut self, dialog: &'a Dialog) {
        self.place = format!("dialog {}", dialog.id.value);
        self.ids.clear();
        for text in dialog.title.iter().chain(&dialog.message) {
            self.text(text);
        }
        self.widgets(&dialog.body);
        self.script(&dialog.on_dismiss);
        for button in &dialog.buttons {
            self.text(&button.text);
            if let Some(id) = &button.id {
                self.id(id);
            }
            self.script(&button.on_tap);
        }
    }

    /// An id is there once on a screen; alternatives that are `visible` in turn may share one.
    pub(super) fn id(&mut self, id: &Located<String>) {
        self.named.insert(id.value.clone());
        let conditional = self.conditional > 0;
        match self.ids.insert(id.value.clone(), (id.line, conditional)) {
            Some((line, other)) if !conditional && !other => {
                self.issue(id, format!("the id {:?} is already used on line {line} of the same screen", id.value));
            }
            _ => {}
        }
    }

    pub(super) fn text(&mut self, text: &Text) {
        self.named.insert(text.value.clone());
        let mut sources = vec![text.value.as_str()];
        if let Some(name) = text.value.strip_prefix('@') {
            let locales: Vec<_> = self.document.strings.values().filter_map(|names| names.get(name)).collect();
            if locales.is_empty() {
                self.issue(text, format!("no locale has a string {name:?}"));
            }
            sources = locales.into_iter().map(String::as_str).collect();
        }
        for source in sources {
            self.named.insert(source.to_owned());
            for expression in Template::parse(source).expressions() {
                self.compile(text.line, text.column, expression);
            }
        }
    }

    pub(super) fn expression(&mut self, expression: &Expression) {
        self.compile(expression.line, expression.column, &expression.value.0);
    }

    /// A condition; with the first state it must be true or false, as far as it has a value then.
    pub(super) fn condition(&mut self, expression: &Expression) {
        let value = self.compile(expression.line, expression.column, &expression.value.0);
        if let Some(value) = value.filter(|value| !value.is_bool() && !value.is_unit()) {
            let message = format!(
                "{:?} is a condition: expected true or false, but at first it is of type {}",
                expression.value.0,
                value.type_name()
            );
            self.problem(expression.line, expression.column, Severity::Error, message);
        }
    }

    /// The new value of a variable. Where it is a list that is empty at first, its elements tell their type.
    pub(super) fn new_value(&mut self, name: &str, value: &Expression) {
        let found = self.compile(value.line, value.column, &value.value.0);
        let is_list = |value: &Dynamic| value.as_array_ref().is_ok_and(|array| !array.is_empty());
        let was_empty = self.scope.get(name).is_some_and(|old| old.as_array_ref().is_ok_and(|array| array.is_empty()));
        if let Some(list) = found.filter(|list| was_empty && is_list(list)) {
            self.filled.entry(name.to_owned()).or_insert(list);
        }
    }

    /// What a list comes to hold that is empty at first: its value once other lists are filled.
    pub(super) fn once_filled(&mut self, items: &Expression) -> Option<Dynamic> {
        let depth = self.scope.len();
        for (name, list) in &self.filled {
            self.scope.push_dynamic(name.clone(), list.clone());
        }
        let value = self.expressions.value(&items.value.0, &mut self.scope);
        self.scope.rewind(depth);
        value.ok()?.into_array().ok()?.into_iter().next()
    }

    /// Compiles, then evaluates with the first state once, to find functions that do not exist.
    pub(super) fn compile(&mut self, line: u64, column: u64, source: &str) -> Option<Dynamic> {
        self.calls(line, column, source);
        let error = match self.expressions.compile(source, &self.scope) {
            Err(error) => error,
            Ok(_) => match self.expressions.value(source, &mut self.scope) {
                Ok(value) => {
                    self.unreached(line, column, source);
                    return Some(value);
                }
                Err(error) if error.unknown_function && !self.item_is_unknown() => error,
                Err(_) => {
                    self.unreached(line, column, source);
                    return None;
                }
            },
        };
        self.problem(line, column, Severity::Error, error.to_string());
        None
    }

    /// Functions that do not exist in parts which the first state does not reach.
    fn unreached(&mut self, line: u64, column: u64, source: &str) {
        if self.item_is_unknown() {
            return;
        }
        for branch in branches(source) {
            if let Err(error) = self.expressions.value(&branch, &mut self.scope)
                && error.unknown_function
            {
                let message = format!("expression `{source}`: {}", error.message);
                self.problem(line, column, Severity::Error, message);
                return;
            }
        }
    }

    /// Inside a list that is empty at first and that no `set` is known to fill, `item` has no known type.
    fn item_is_unknown(&self) -> bool {
        self.scope.get("item").is_some_and(Dynamic::is_unit)
    }

    /// A variable that something is bound to.
    pub(super) fn variable(&mut self, name: &Located<String>) {
        self.read.insert(name.value.clone());
        self.assigned(name);
    }

    /// A variable that is set.
    pub(super) fn assigned(&mut self, name: &Located<String>) {
        let shared = self.document.shared.iter().flat_map(|shared| shared.state.keys());
        let known: Vec<&String> = self.document.state.keys().chain(shared).collect();
        if !known.contains(&&name.value) {
            self.issue(name, format!("no state variable {:?}; there are: {}", name.value, list(known.into_iter())));
        }
    }
}
