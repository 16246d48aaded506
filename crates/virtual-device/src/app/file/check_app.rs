//! The check of what an app declares beside its screens, and of the functions that refer to it.

use super::super::expression::{Facts, Generator, Template, World};
use super::super::link::LinkPattern;
use super::check::Checker;
use super::expression_patterns::PATTERNS;
use super::{Consequence, Document, Located, Severity, Watch};
use rhai::Dynamic;
use std::collections::BTreeSet;

/// Words that rhai keeps for itself: no variable can have such a name.
const RESERVED: [&str; 58] = [
    "as",
    "async",
    "await",
    "break",
    "call",
    "case",
    "catch",
    "const",
    "continue",
    "curry",
    "debug",
    "default",
    "do",
    "else",
    "eval",
    "exit",
    "export",
    "false",
    "fn",
    "for",
    "global",
    "go",
    "goto",
    "if",
    "import",
    "in",
    "is",
    "let",
    "loop",
    "match",
    "module",
    "new",
    "nil",
    "null",
    "package",
    "print",
    "private",
    "protected",
    "public",
    "return",
    "shared",
    "spawn",
    "static",
    "super",
    "switch",
    "sync",
    "this",
    "thread",
    "throw",
    "true",
    "try",
    "type_of",
    "until",
    "use",
    "var",
    "void",
    "while",
    "with",
];

/// What expressions are tried with: the file's own version, no bug, the first variants.
pub(super) fn world(document: &Document) -> World {
    World::new(Facts {
        locale: "en-US".to_owned(),
        font_scale: 1.0,
        api: 34,
        online: true,
        bugs: document.bugs.keys().map(|name| (name.clone(), false)).collect(),
        variants: document
            .variants
            .iter()
            .map(|(name, of)| (name.clone(), of.first().cloned().unwrap_or_default()))
            .collect(),
        version: document.version.clone(),
        wall: jiff::civil::DateTime::constant(2026, 1, 5, 9, 30, 0, 0),
        generator: Generator::new(0, &document.package.value, 0),
        ..Facts::default()
    })
}

/// A name of letters, digits and `_`.
fn is_name(name: &str) -> bool {
    name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Names in a message.
pub(super) fn list<N: AsRef<str>>(names: impl Iterator<Item = N>) -> String {
    let names: Vec<String> = names.map(|name| name.as_ref().to_owned()).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

impl<'a> Checker<'a> {
    pub(super) fn package_name(&mut self, package: &Located<String>) {
        let well_formed = package.value.contains('.')
            && package.value.split('.').all(|part| {
                part.chars().next().is_some_and(|c| c.is_ascii_alphabetic())
                    && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            });
        if !well_formed {
            self.issue(package, format!("expected a package such as com.example.pay, found {:?}", package.value));
        }
    }

    /// State, persistence, permissions, links, bugs, variants, versions.
    pub(super) fn declarations(&mut self) {
        let document = self.document;
        let app = &document.package;
        let shared: BTreeSet<&String> = document.shared.iter().flat_map(|shared| shared.state.keys()).collect();
        for name in document.state.keys().chain(shared.iter().copied()) {
            if !is_name(name) || matches!(name.as_str(), "item" | "index") {
                self.issue(
                    app,
                    format!("state variable {name:?} needs a name of letters, digits and _, other than item and index"),
                );
            } else if RESERVED.contains(&name.as_str()) {
                self.issue(app, format!("state variable {name:?} needs another name: expressions keep that word"));
            }
        }
        if let Some(declared) = &document.shared {
            for name in declared.state.keys().filter(|name| document.state.contains_key(*name)) {
                self.issue(&declared.channel, format!("{name:?} is both under `state` and under `shared`"));
            }
        }
        for name in &document.persist {
            if !document.state.contains_key(&name.value) {
                self.issue(
                    name,
                    format!("no state variable {:?} to keep; there are: {}", name.value, list(document.state.keys())),
                );
            }
        }
        for permission in &document.permissions {
            let last = permission.value.rsplit('.').next().unwrap_or_default();
            let constant =
                !last.is_empty() && last.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
            if !permission.value.contains('.') || !constant {
                self.issue(
                    permission,
                    format!("expected a permission such as android.permission.CAMERA, found {:?}", permission.value),
                );
            }
        }
        for (name, of) in &document.variants {
            if of.len() < 2 {
                self.issue(app, format!("the variant {name:?} needs at least two values to draw from"));
            }
        }
        self.editions();
        self.links();
        self.watches(&document.watch);
        self.consequences();
    }

    /// Each says one thing to look at, and in words why it matters.
    fn consequences(&mut self) {
        let document = self.document;
        for consequence in &document.consequences {
            let Consequence { effect, added, removed, changed, reason } = consequence;
            let looked_at = [added, removed, changed];
            if looked_at.iter().filter(|expression| expression.is_some()).count() != 1 {
                let message = "a consequence needs one of `added`, `removed` and `changed`, with an expression";
                self.issue(effect, message.to_owned());
            }
            if reason.trim().is_empty() {
                self.issue(effect, "a consequence needs a reason: why it matters, in words".to_owned());
            }
            for expression in looked_at.into_iter().flatten() {
                self.expression(expression);
            }
        }
    }

    fn editions(&mut self) {
        let document = self.document;
        for (version, edition) in &document.versions {
            if *version == document.version {
                self.issue(
                    &document.package,
                    format!("version {version:?} is the file's own; `versions` holds the others"),
                );
            }
            let depth = self.scope.len();
            // The text may stand in a list.
            self.scope.push_dynamic("item", Dynamic::UNIT);
            self.scope.push("index", 0_i64);
            for text in edition.texts.values() {
                for expression in Template::parse(text).expressions() {
                    self.compile(document.package.line, document.package.column, expression);
                }
            }
            self.scope.rewind(depth);
            for (name, value) in &edition.state {
                match document.state.get(name) {
                    None => self.issue(
                        &document.package,
                        format!(
                            "version {version}: no state variable {name:?}; there are: {}",
                            list(document.state.keys())
                        ),
                    ),
                    Some(first)
                        if std::mem::discriminant(first) != std::mem::discriminant(value) && !first.is_null() =>
                    {
                        self.issue(
                            &document.package,
                            format!("version {version}: the value of {name:?} is not of the type it has under `state`"),
                        );
                    }
                    Some(_) => {}
                }
            }
        }
    }

    fn links(&mut self) {
        for link in &self.document.links {
            self.screen_reference(&link.goto);
            let names: Vec<String> = match LinkPattern::parse(&link.uri.value) {
                Ok(pattern) => pattern.names().map(ToOwned::to_owned).collect(),
                Err(message) => {
                    self.issue(&link.uri, message);
                    continue;
                }
            };
            let depth = self.scope.len();
            for name in names {
                self.scope.push_dynamic(name, Dynamic::from("1".to_owned()));
            }
            for (name, value) in &link.set {
                self.assigned(&Located { value: name.clone(), line: value.line, column: value.column });
                self.acting = true;
                self.expression(value);
                self.acting = false;
            }
            self.scope.rewind(depth);
        }
    }

    pub(super) fn watches(&mut self, watches: &'a [Watch]) {
        for watch in watches {
            self.expression(&watch.when);
            self.script(&watch.then);
        }
    }

    /// What the functions of an expression refer to.
    pub(super) fn calls(&mut self, line: u64, column: u64, source: &str) {
        let document = self.document;
        let patterns = match &*PATTERNS {
            Ok(patterns) => patterns,
            Err(error) => {
                return self.problem(line, column, Severity::Error, format!("expressions cannot be checked: {error}"));
            }
        };
        self.read.extend(patterns.words.find_iter(source).map(|word| word.as_str().to_owned()));
        let mut wrong = Vec::new();
        for call in patterns.named_calls.captures_iter(source) {
            let name = &call[2];
            self.read.insert(format!("{} {name}", &call[1]));
            match &call[1] {
                "bug" if !document.bugs.contains_key(name) => wrong.push(format!(
                    "no bug {name:?} is declared under `bugs:`; there are: {}",
                    list(document.bugs.keys())
                )),
                "variant" if !document.variants.contains_key(name) => wrong.push(format!(
                    "no variant {name:?} is declared under `variants:`; there are: {}",
                    list(document.variants.keys())
                )),
                "granted" if !document.permissions.iter().any(|p| p.value == name) => wrong.push(format!(
                    "the permission {name:?} is not declared under `permissions:`; declared: {}",
                    list(document.permissions.iter().map(|p| &p.value))
                )),
                "version_at_least" if *name != document.version && !document.versions.contains_key(name) => {
                    wrong.push(format!(
                        "no version {name:?} is declared under `versions:`; there are: {}",
                        list(std::iter::once(&document.version).chain(document.versions.keys()))
                    ));
                }
                _ => {}
            }
        }
        for test in patterns.variant_tests.captures_iter(source) {
            if let Some(of) = document.variants.get(&test[1])
                && !of.iter().any(|value| *value == test[2])
            {
                wrong.push(format!("the variant {:?} is never {:?}, only {}", &test[1], &test[2], list(of.iter())));
            }
        }
        if !self.acting
            && let Some(call) = patterns.chance.captures(source)
        {
            wrong.push(format!(
                "{}() belongs into actions: here it would give another value with every look at the screen; `set` a \
                 variable in `on_open` and show that",
                &call[1]
            ));
        }
        for message in wrong {
            self.problem(line, column, Severity::Error, message);
        }
    }

    /// Warns of what nothing uses.
    pub(super) fn unused(&mut self) {
        let document = self.document;
        let mut warnings = Vec::new();
        for screen in document.screens.iter().skip(1) {
            let id = &screen.id;
            if !self.opened.contains(&id.value) {
                warnings.push((id, format!("nothing opens the screen {:?}", id.value)));
            }
        }
        for id in document.dialogs.iter().map(|d| &d.id).chain(document.sheets.iter().map(|s| &s.id)) {
            if !self.opened.contains(&id.value) {
                warnings.push((id, format!("nothing shows {:?}", id.value)));
            }
        }
        for name in document.state.keys().filter(|name| !self.read.contains(*name)) {
            warnings.push((&document.package, format!("nothing reads the state variable {name:?}")));
        }
        for name in document.bugs.keys().filter(|name| !self.read.contains(&format!("bug {name}"))) {
            warnings.push((&document.package, format!("no expression asks for bug({name:?})")));
        }
        for (version, edition) in &document.versions {
            let unknown = |name: &&String| !self.named.contains(*name);
            for id in edition.ids.keys().filter(unknown) {
                warnings
                    .push((&document.package, format!("version {version} renames the id {id:?}, which nothing has")));
            }
            for text in edition.texts.keys().filter(unknown) {
                warnings.push((&document.package, format!("version {version} rewords {text:?}, which nothing says")));
            }
        }
        for (at, message) in warnings {
            "app".clone_into(&mut self.place);
            self.problem(at.line, at.column, Severity::Warning, message);
        }
    }
}
