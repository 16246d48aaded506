//! Starting activities: what an intent resolves to, and what becomes of it.

use super::packages::Package;
use super::tasks::Running;
use super::{AppLink, Priority, VirtualSystem, full_class, short_component};
use std::sync::Arc;

/// How an app came to the front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartOutcome {
    /// A new process was made.
    Cold,
    /// A new activity in a process that was there.
    Warm,
    /// Its task was brought to the front.
    BroughtToFront,
    /// It was in front already.
    OnTop,
}

/// What an intent asks for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// `android.intent.action.VIEW`.
    pub action: Option<&'a str>,
    /// Categories.
    pub categories: &'a [&'a str],
    /// URI.
    pub data: Option<&'a str>,
    /// Package it is limited to.
    pub package: Option<&'a str>,
    /// Package and class (a leading dot stands for the package).
    pub component: Option<(&'a str, &'a str)>,
    /// The text of a SEND intent.
    pub text: Option<&'a str>,
}

/// What an intent resolves to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolved {
    /// The home screen.
    Home,
    /// An activity.
    Activity {
        /// Its package.
        package: String,
        /// Fully qualified class.
        class: String,
        /// The deep link to open, if that is what the intent is about.
        uri: Option<String>,
        /// False for activities only the app itself may start.
        exported: bool,
    },
    /// There is no such class.
    NoSuchClass {
        /// The package.
        package: String,
        /// Fully qualified class.
        class: String,
    },
    /// Nothing fits.
    Nothing,
}

impl VirtualSystem {
    /// What an intent resolves to.
    pub fn resolve(&self, wanted: &Wanted<'_>) -> Resolved {
        if let Some((package, class)) = wanted.component {
            let class = full_class(package, class);
            let home = self.tasks.home();
            if package == home.process.package() && class == home.process.activity() {
                return Resolved::Home;
            }
            let found = self.packages.get(package);
            let Some(activity) = found.and_then(|p| p.app.activities.iter().find(|a| a.class == class)) else {
                return Resolved::NoSuchClass { package: package.to_owned(), class };
            };
            let uri = wanted.data.filter(|uri| self.link(package, uri).is_some()).map(ToOwned::to_owned);
            return Resolved::Activity { package: package.to_owned(), class, uri, exported: activity.exported };
        }
        let shared = wanted.text.filter(|_| wanted.action == Some("android.intent.action.SEND")).map(send_uri);
        if let Some(uri) = shared.as_deref().or(wanted.data) {
            let view = matches!(wanted.action, None | Some("android.intent.action.VIEW")) || shared.is_some();
            let mut packages =
                self.packages.keys().filter(|package| wanted.package.is_none_or(|only| only == package.as_str()));
            let found = packages.find_map(|package| self.link(package, uri).map(|class| (package.clone(), class)));
            return match found.filter(|_| view) {
                Some((package, class)) => {
                    Resolved::Activity { package, class, uri: Some(uri.to_owned()), exported: true }
                }
                None => Resolved::Nothing,
            };
        }
        if !matches!(wanted.action, None | Some("android.intent.action.MAIN")) {
            return Resolved::Nothing;
        }
        if wanted.categories.contains(&"android.intent.category.HOME") {
            return Resolved::Home;
        }
        match wanted.package.and_then(|package| self.packages.get(package)) {
            Some(found) => Resolved::Activity {
                package: found.app.package.clone(),
                class: found.app.launcher_activity.clone(),
                uri: None,
                exported: true,
            },
            None => Resolved::Nothing,
        }
    }

    /// Every activity an intent could mean, as `(package, class)`.
    pub fn resolve_all(&self, wanted: &Wanted<'_>) -> Vec<(String, String)> {
        let one = |resolved| match resolved {
            Resolved::Activity { package, class, .. } => vec![(package, class)],
            Resolved::Home => vec![self.home_component()],
            Resolved::NoSuchClass { .. } | Resolved::Nothing => Vec::new(),
        };
        if wanted.component.is_some() || wanted.package.is_some() {
            return one(self.resolve(wanted));
        }
        let shares = wanted.action == Some("android.intent.action.SEND");
        let opens = wanted.data.is_some() && matches!(wanted.action, None | Some("android.intent.action.VIEW"));
        let launches = wanted.action == Some("android.intent.action.MAIN")
            && wanted.categories.contains(&"android.intent.category.LAUNCHER");
        if !(shares || opens || launches) {
            return one(self.resolve(wanted));
        }
        let uri = if shares { "send://x" } else { wanted.data.unwrap_or_default() };
        let fits = |(package, found): (&String, &Package)| {
            let class = if launches { Some(found.app.launcher_activity.clone()) } else { self.link(package, uri) };
            class.map(|class| (package.clone(), class))
        };
        self.packages.iter().filter_map(fits).collect()
    }

    /// Class of the activity a package opens a URI with.
    fn link(&self, package: &str, uri: &str) -> Option<String> {
        self.linked(package, uri).map(|link| link.activity.clone())
    }

    fn linked(&self, package: &str, uri: &str) -> Option<&AppLink> {
        let links = &self.packages.get(package)?.app.links;
        links.iter().find(|link| matches(&link.pattern, uri))
    }

    /// Packages, besides the one that asks, that take shared text (a link `send://{text}`), as `(package, label)`: what
    /// the activity is called, else the app (`ResolveInfo.loadLabel`).
    pub(super) fn share_targets(&self, but: &str) -> Vec<(String, String)> {
        let takes = |package: &&String| package.as_str() != but && self.link(package, "send://x").is_some();
        let named = |package: &String| {
            let own = self.linked(package, "send://x").and_then(|link| link.label.clone());
            let app = || self.packages.get(package).map(|found| found.app.label.clone()).unwrap_or_default();
            (package.clone(), own.unwrap_or_else(app))
        };
        self.packages.keys().filter(takes).map(named).collect()
    }

    /// Starts an app or brings it to the front, as a touch on its icon does; `None` when it is not installed.
    pub fn start(&mut self, package: &str) -> Option<StartOutcome> {
        self.start_activity(package, None, None)
    }

    /// Starts an activity of an app, with a deep link or without; `None` when the app is not installed.
    pub fn start_activity(&mut self, package: &str, class: Option<&str>, uri: Option<&str>) -> Option<StartOutcome> {
        let launch = Arc::clone(&self.packages.get(package)?.app.launch);
        let main = self.packages.get(package)?.app.launcher_activity.clone();
        let other = class.filter(|class| *class != main);
        let in_front = self.tasks.front_task().process.package() == package && !self.tasks.shows_recents();
        if self.tasks.app(package).is_some() {
            if !in_front {
                self.tasks.bring_to_front(package);
            }
            let process = &mut self.tasks.front_task_mut().process;
            let opened = match (uri, other) {
                (Some(uri), _) => process.open(uri),
                (None, Some(class)) => process.start_activity(class),
                (None, None) => false,
            };
            self.catch_up();
            return Some(match (opened, in_front) {
                (true, _) => StartOutcome::Warm,
                (false, true) => StartOutcome::OnTop,
                (false, false) => StartOutcome::BroughtToFront,
            });
        }
        let cached = self.cached.remove(package);
        let pid = cached.unwrap_or_else(|| {
            let pid = self.next_pid;
            self.next_pid += 1 + (pid % 7);
            pid
        });
        let task = self.next_task;
        self.next_task += 1;
        let mut context = self.launch_context(package, pid);
        context.uri = uri.map(ToOwned::to_owned);
        context.activity = other.map(ToOwned::to_owned);
        let configured = context.configuration.clone();
        let process = launch(context);
        let component = short_component(package, &process.activity());
        let started = self.uptime();
        self.tasks.push(Running::new(pid, task, process, started, configured));
        if cached.is_none() {
            let uid = self.uid(package).saturating_sub(10_000);
            let line = format!("Start proc {pid}:{package}/u0a{uid} for top-activity {{{component}}}");
            self.log_system(Priority::Info, "ActivityManager", line);
            let event = format!("[0,{pid},{},{package},top-activity,{{{component}}}]", self.uid(package));
            self.log_event("am_proc_start", event);
        }
        self.catch_up();
        Some(if cached.is_some() { StartOutcome::Warm } else { StartOutcome::Cold })
    }

    /// Package and class of the home screen.
    pub fn home_component(&self) -> (String, String) {
        let home = &self.tasks.home().process;
        (home.package().to_owned(), home.activity())
    }

    /// Shows the home screen.
    pub fn show_home(&mut self) {
        self.tasks.show_home();
        self.catch_up();
    }
}

/// The deep link under which shared text arrives: `send://` and the text, percent-encoded.
pub(super) fn send_uri(text: &str) -> String {
    let mut uri = "send://".to_owned();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            uri.push(char::from(byte));
        } else {
            let escaped = format!("%{byte:02X}");
            uri.push_str(&escaped);
        }
    }
    uri
}

/// Whether a URI is what a link's pattern describes, as the app itself reads it: nothing may be left over.
fn matches(pattern: &str, uri: &str) -> bool {
    match pattern.split_once('{') {
        None => uri == pattern,
        Some((literal, rest)) => {
            let (Some(tail), Some((_, after))) = (uri.strip_prefix(literal), rest.split_once('}')) else {
                return false;
            };
            let end = tail.find(['/', '?', '#', '&']).unwrap_or(tail.len());
            let ends = tail.char_indices().map(|(at, _)| at).chain([tail.len()]).filter(|at| (1..=end).contains(at));
            ends.into_iter().any(|at| matches(after, &tail[at..]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_match_by_their_pattern() {
        for (pattern, uri, expected) in [
            ("pay://card/{id}", "pay://card/42", true),
            ("pay://card/{id}", "pay://card/42?from=mail", false),
            ("pay://card/{id}?from={who}", "pay://card/42?from=mail", true),
            ("pay://card/{id}", "pay://card/", false),
            ("pay://card/{id}", "pay://card/42/edit", false),
            ("pay://card/{id}/edit", "pay://card/42/edit", true),
            ("https://ride.example/t/{a}-{b}", "https://ride.example/t/x-y-z", true),
            ("pay://home", "pay://home", true),
            ("pay://home", "pay://homes", false),
        ] {
            assert_eq!(matches(pattern, uri), expected, "{pattern} {uri}");
        }
        assert_eq!(send_uri("a b/é"), "send://a%20b%2F%C3%A9");
    }

    #[test]
    fn the_share_sheet_names_the_activity_or_else_the_app() {
        let files = std::sync::Arc::new(crate::AppFiles::default());
        let config = crate::system::SystemConfig::default();
        let mut system = VirtualSystem::boot(config, files.clone(), files.clone(), []);
        for (name, label) in [("mail", ", label: To Ann"), ("notes", "")] {
            let app = format!(
                "package: com.example.{name}\nlabel: {name}\nstate: {{said: \"\"}}\nlinks:\n  - {{uri: \"send://{{text}}\", goto: home, \
                 set: {{said: text}}{label}}}\nscreens:\n  - {{id: home, body: [{{text: {{text: \"{{{{ said }}}}\"}}}}]}}\n"
            );
            system.add(files.package(name, &app).unwrap());
        }
        let target = |package: &str, label: &str| (package.to_owned(), label.to_owned());
        let (mail, notes) = (target("com.example.mail", "To Ann"), target("com.example.notes", "notes"));
        assert_eq!(system.share_targets("com.example.other"), [mail, notes.clone()]);
        assert_eq!(system.share_targets("com.example.mail"), [notes]);
    }
}
