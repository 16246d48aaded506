//! How an app's process begins: first values, version, switches, kept data, the screen it opens.

use super::super::AppContext;
use super::super::expression::{Expressions, Facts, Generator, World, dynamic, json};
use super::super::file::{AppFile, DarkTheme, Document};
use super::super::palette::Palette;
use super::super::wording::{Wording, editions};
use super::{Membership, Program};
use crate::AppProcess;
use rhai::Scope;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// Why an app cannot be started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// The file has no screens.
    #[error("{file}: the app has no screens; add at least one under `screens:`")]
    NoScreens {
        /// The app file.
        file: String,
    },
    /// A first value was given for a variable that the app does not have.
    #[error("{file}: the app has no state variable {name:?}; it has: {known}")]
    UnknownVariable {
        /// The app file.
        file: String,
        /// The variable.
        name: String,
        /// Those that exist.
        known: String,
    },
    /// A switch that the app does not know.
    #[error("{file}: the app has no switch {switch:?}; it has: {known}")]
    UnknownSwitch {
        /// The app file.
        file: String,
        /// The switch as given.
        switch: String,
        /// Those that exist.
        known: String,
    },
    /// Another app uses the same channel with a variable of another type.
    #[error(
        "{file}: the shared variable {name:?} of channel {channel:?} has another type in an app that runs already; \
         give both the same kind of first value"
    )]
    SharedType {
        /// The app file.
        file: String,
        /// The channel.
        channel: String,
        /// The variable.
        name: String,
    },
}

/// Starts an app.
///
/// # Errors
/// When it has no screens, `context.state` names a variable it does not have, `context.switches` names a switch it does
/// not have, or what it shares does not fit what others share.
#[expect(clippy::needless_pass_by_value, reason = "the app keeps the file")]
pub fn launch(file: Arc<AppFile>, context: AppContext) -> Result<Box<dyn AppProcess>, LaunchError> {
    Ok(Box::new(Program::new(&file, context)?))
}

/// What the switches of a launch chose.
struct Switched {
    version: String,
    bugs: BTreeMap<String, bool>,
    variants: BTreeMap<String, String>,
}

impl Switched {
    fn read(file: &AppFile, context: &AppContext) -> Result<Self, LaunchError> {
        let document = file.document();
        let mut switched = Self {
            version: document.version.clone(),
            bugs: document.bugs.keys().map(|name| (name.clone(), false)).collect(),
            variants: document
                .variants
                .iter()
                .map(|(name, of)| (name.clone(), drawn(name, of, file, context)))
                .collect(),
        };
        for switch in &context.switches {
            if !switched.set(switch, document) {
                return Err(LaunchError::UnknownSwitch {
                    file: file.name().to_owned(),
                    switch: switch.clone(),
                    known: known_switches(document),
                });
            }
        }
        Ok(switched)
    }

    fn set(&mut self, switch: &str, document: &Document) -> bool {
        let (name, value) = switch.split_once('=').unwrap_or((switch, ""));
        if name == "version" {
            let known = value == document.version || document.versions.contains_key(value);
            value.clone_into(&mut self.version);
            return known;
        }
        if let Some(bug) = name.strip_prefix("bug.").and_then(|bug| self.bugs.get_mut(bug)) {
            *bug = !matches!(value, "false" | "off" | "0");
            return matches!(value, "" | "true" | "on" | "1" | "false" | "off" | "0");
        }
        let Some(name) = name.strip_prefix("variant.") else { return false };
        let Some(chosen) = self.variants.get_mut(name) else { return false };
        value.clone_into(chosen);
        document.variants.get(name).is_some_and(|of| of.iter().any(|known| known == value))
    }
}

fn known_switches(document: &Document) -> String {
    let bugs = document.bugs.keys().map(|name| format!("bug.{name}"));
    let variants = document.variants.iter().map(|(name, of)| format!("variant.{name}={}", of.join("|")));
    let versions = document.versions.keys().map(|name| format!("version={name}"));
    let known: Vec<String> = bugs.chain(variants).chain(versions).collect();
    if known.is_empty() { "none".to_owned() } else { known.join(", ") }
}

/// The variant that a device shows: the same each time the app starts on it.
fn drawn(name: &str, of: &[String], file: &AppFile, context: &AppContext) -> String {
    let mut generator = Generator::new(context.seed, &format!("{}:{name}", file.package()), 0);
    let at = generator.below(of.len() as u64) as usize;
    of.get(at).cloned().unwrap_or_default()
}

/// The variables with their first values: the file's, then the version's, those of the launch, those kept.
fn first_scope(file: &AppFile, context: &AppContext, version: &str) -> Scope<'static> {
    let document = file.document();
    let mut values = document.state.clone();
    for (_, edition) in editions(document, version) {
        values.extend(edition.state.clone());
    }
    values.extend(context.state.clone());
    let kept: BTreeMap<String, serde_json::Value> =
        context.data.as_deref().and_then(|data| serde_json::from_slice(data).ok()).unwrap_or_default();
    let mut scope = Scope::new();
    for (name, value) in &values {
        let first = dynamic(value);
        let kept = document.persist.iter().any(|p| p.value == *name).then(|| kept.get(name).map(dynamic)).flatten();
        // What an older version kept with another type is of no use.
        let kept = kept.filter(|kept| first.is_unit() || kept.type_name() == first.type_name());
        scope.push_dynamic(name.clone(), kept.unwrap_or(first));
    }
    scope
}

/// What survives the process; none when the file names nothing.
pub(super) fn persisted(document: &Document, scope: &Scope<'_>) -> Option<Vec<u8>> {
    if document.persist.is_empty() {
        return None;
    }
    let names = document.persist.iter().map(|name| name.value.as_str());
    let kept: BTreeMap<&str, serde_json::Value> =
        names.filter_map(|name| scope.get(name).map(|value| (name, json(value)))).collect();
    serde_json::to_vec(&kept).ok()
}

impl Program {
    pub(super) fn new(file: &Arc<AppFile>, mut context: AppContext) -> Result<Self, LaunchError> {
        let document = file.document();
        if document.screens.is_empty() {
            return Err(LaunchError::NoScreens { file: file.name().to_owned() });
        }
        if let Some(name) = context.state.keys().find(|name| !document.state.contains_key(*name)) {
            return Err(LaunchError::UnknownVariable {
                file: file.name().to_owned(),
                name: name.clone(),
                known: document.state.keys().map(String::as_str).collect::<Vec<_>>().join(", "),
            });
        }
        let switched = Switched::read(file, &context)?;
        context.wording = Arc::new(Wording::of(document, &switched.version));
        let mut scope = first_scope(file, &context, &switched.version);
        let shared = document.shared.as_ref().map(|declared| Membership::join(declared, &context.channels, &mut scope));
        let shared = shared.transpose().map_err(|name| LaunchError::SharedType {
            file: file.name().to_owned(),
            channel: document.shared.as_ref().map(|s| s.channel.value.clone()).unwrap_or_default(),
            name,
        })?;
        let world = World::new(Facts {
            api: context.api,
            bugs: switched.bugs,
            variants: switched.variants,
            version: switched.version,
            generator: Generator::new(context.seed, file.package(), context.pid),
            ..Facts::default()
        });
        let mut program = Self {
            palette: Palette::new(document.primary),
            now: context.now,
            expressions: Expressions::new(world, Arc::clone(file.compiled())),
            file: Arc::clone(file),
            context,
            scope,
            stack: Vec::new(),
            overlays: Vec::new(),
            counter: 0,
            scrolls: BTreeMap::new(),
            focus: None,
            keyboard: None,
            toast: None,
            timers: Vec::new(),
            timer_owner: None,
            log: Vec::new(),
            crashed: false,
            hung: false,
            finish_requested: false,
            requests: Vec::new(),
            snackbar: None,
            drawer: false,
            permission_waits: Vec::new(),
            shared,
            held: BTreeSet::new(),
            focus_wish: None,
            orientation: None,
            scenes: None,
        };
        program.look_around();
        let first =
            program.context.activity.as_ref().and_then(|class| {
                file.document().screens.iter().position(|screen| file.activity_class(screen) == *class)
            });
        program.open_screen(first.unwrap_or(0), 0);
        if let Some(uri) = program.context.uri.clone() {
            program.follow(&uri);
        }
        program.settle();
        Ok(program)
    }

    /// Whether the app's theme is dark now.
    pub(super) fn is_dark(&self) -> bool {
        match self.file.document().theme.dark {
            DarkTheme::System => self.context.night,
            DarkTheme::Light => false,
            DarkTheme::Dark => true,
        }
    }

    /// Tells the functions of expressions how things are now.
    pub(super) fn look_around(&mut self) {
        let dark = self.is_dark();
        let context = &self.context;
        let around = &context.around;
        let millis = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        // A timer fires at its own time, which is before the moment the system told us of.
        let wall = around.wall.as_millisecond() - (millis(around.now) - millis(self.now));
        let wall = jiff::Timestamp::from_millisecond(wall).unwrap_or(around.wall);
        let (width, height) = (context.display.width, context.display.height);
        let mut facts = self.expressions.world().facts();
        facts.now = self.now;
        facts.wall = wall.to_zoned(jiff::tz::TimeZone::UTC).datetime();
        facts.locale.clone_from(&context.locale);
        facts.dark = dark;
        facts.landscape = width > height;
        facts.wide = width.min(height) as f32 >= context.px(600.0);
        facts.font_scale = context.font_scale;
        facts.online = around.online;
        facts.location = around.location.map(|place| (place.latitude, place.longitude));
        facts.granted = Arc::clone(&around.granted);
    }
}
