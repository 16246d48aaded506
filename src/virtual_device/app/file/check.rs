//! The check of references, names and expressions.

use super::super::expression::{Expressions, Template, dynamic};
use super::{Action, AppFileIssue, Dialog, Document, Expression, Located, Screen, Text};
use rhai::{Dynamic, Scope};
use std::collections::{BTreeMap, BTreeSet};

/// Every problem of a document.
pub(super) fn check(document: &Document) -> Vec<AppFileIssue> {
    let mut scope = Scope::new();
    for (name, value) in &document.state {
        scope.push_dynamic(name.as_str(), dynamic(value));
    }
    let mut checker = Checker {
        document,
        screens: document.screens.iter().map(|s| s.id.value.as_str()).collect(),
        overlays: document
            .dialogs
            .iter()
            .map(|d| d.id.value.as_str())
            .chain(document.sheets.iter().map(|s| s.id.value.as_str()))
            .collect(),
        expressions: Expressions::new(),
        scope,
        place: String::new(),
        ids: BTreeMap::new(),
        issues: Vec::new(),
    };
    checker.document();
    checker.issues
}

pub(super) struct Checker<'a> {
    pub(super) document: &'a Document,
    screens: BTreeSet<&'a str>,
    overlays: BTreeSet<&'a str>,
    pub(super) expressions: Expressions,
    pub(super) scope: Scope<'a>,
    place: String,
    ids: BTreeMap<String, u64>,
    issues: Vec<AppFileIssue>,
}

impl<'a> Checker<'a> {
    pub(super) fn issue<T>(&mut self, at: &Located<T>, message: String) {
        self.issues.push(AppFileIssue { line: at.line, column: at.column, place: self.place.clone(), message });
    }

    fn document(&mut self) {
        "app".clone_into(&mut self.place);
        let package = &self.document.package;
        let well_formed = package.value.contains('.')
            && package.value.split('.').all(|part| {
                part.chars().next().is_some_and(|c| c.is_ascii_alphabetic())
                    && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            });
        if !well_formed {
            self.issue(package, format!("expected a package such as com.example.pay, found {:?}", package.value));
        }
        if self.document.screens.is_empty() {
            self.issue(package, "expected at least one screen".to_owned());
        }
        for name in self.document.state.keys() {
            let valid = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if !valid || matches!(name.as_str(), "item" | "index") {
                self.issue(
                    package,
                    format!("state variable {name:?} needs a name of letters, digits and _, other than item and index"),
                );
            }
        }
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
        }
    }

    fn screen(&mut self, screen: &'a Screen) {
        self.place = format!("screen {}", screen.id.value);
        self.ids.clear();
        if let Some(title) = &screen.title {
            self.text(title);
        }
        self.script(&screen.on_open);
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
        for button in &dialog.buttons {
            self.text(&button.text);
            if let Some(id) = &button.id {
                self.id(id);
            }
            self.script(&button.on_tap);
        }
    }

    pub(super) fn id(&mut self, id: &Located<String>) {
        if let Some(line) = self.ids.insert(id.value.clone(), id.line) {
            self.issue(id, format!("the id {:?} is already used on line {line} of the same screen", id.value));
        }
    }

    pub(super) fn text(&mut self, text: &Text) {
        let mut sources = vec![text.value.as_str()];
        if let Some(name) = text.value.strip_prefix('@') {
            let locales: Vec<_> = self.document.strings.values().filter_map(|names| names.get(name)).collect();
            if locales.is_empty() {
                self.issue(text, format!("no locale has a string {name:?}"));
            }
            sources = locales.into_iter().map(String::as_str).collect();
        }
        for source in sources {
            for expression in Template::parse(source).expressions() {
                self.compile(text.line, text.column, expression);
            }
        }
    }

    pub(super) fn expression(&mut self, expression: &Expression) {
        self.compile(expression.line, expression.column, &expression.value.0);
    }

    /// Compiles, then evaluates with the first state once, to find functions that do not exist.
    pub(super) fn compile(&mut self, line: u64, column: u64, source: &str) -> Option<Dynamic> {
        let error = match self.expressions.compile(source, &self.scope) {
            Err(error) => error,
            Ok(_) => match self.expressions.value(source, &mut self.scope) {
                Ok(value) => return Some(value),
                Err(error) if error.unknown_function && !self.item_is_unknown() => error,
                Err(_) => return None,
            },
        };
        self.issues.push(AppFileIssue { line, column, place: self.place.clone(), message: error.to_string() });
        None
    }

    /// Inside a list that is empty at first, `item` has no known type.
    fn item_is_unknown(&self) -> bool {
        self.scope.get("item").is_some_and(Dynamic::is_unit)
    }

    pub(super) fn variable(&mut self, name: &Located<String>) {
        if !self.document.state.contains_key(&name.value) {
            let known: Vec<&str> = self.document.state.keys().map(String::as_str).collect();
            self.issue(name, format!("no state variable {:?}; there are: {}", name.value, known.join(", ")));
        }
    }

    pub(super) fn script(&mut self, script: &[Action]) {
        for action in script {
            match action {
                Action::Goto(to) | Action::Replace(to) | Action::Restart(to) => {
                    if !self.screens.contains(to.value.as_str()) {
                        let known: Vec<&str> = self.screens.iter().copied().collect();
                        self.issue(to, format!("no screen {:?}; there are: {}", to.value, known.join(", ")));
                    }
                }
                Action::Show(id) => {
                    if !self.overlays.contains(id.value.as_str()) {
                        let known: Vec<&str> = self.overlays.iter().copied().collect();
                        self.issue(id, format!("no dialog or sheet {:?}; there are: {}", id.value, known.join(", ")));
                    }
                }
                Action::Set(values) => {
                    for (name, value) in values {
                        self.variable(&Located { value: name.clone(), line: value.line, column: value.column });
                        self.expression(value);
                    }
                }
                Action::Toast(text) | Action::Crash(text) => self.text(text),
                Action::Delay(delay) => self.script(&delay.then),
                Action::If(branch) => {
                    self.expression(&branch.when);
                    self.script(&branch.then);
                    self.script(&branch.otherwise);
                }
                Action::Back | Action::Finish | Action::Close => {}
            }
        }
    }
}
