//! Where system and apps meet: app files become packages the virtual system can install, start and list.

use super::app::{self, AppContext, AppFile, AppFileError, Launcher, LauncherEntry, Typesetter};
use super::process::{AppProcess, Configuration, ElementSnapshot, Gesture, KeyOutcome, Surroundings};
use super::system::{AppInstaller, DeclaredActivity, InstalledApp, LaunchContext, SystemUi};
use crate::domain::{Screenshot, Size};
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// Largest app file inside a zip, in bytes; text beyond this is no app file.
const MAX_APP_FILE: u64 = 4 << 20;

/// The package parser of the virtual device (an APK is an app file, or a zip that holds one), and the home screen that
/// shows what was installed.
#[derive(Default)]
pub struct AppFiles {
    /// Icons by package; the system's own list knows only names.
    icons: Arc<Mutex<BTreeMap<String, LauncherEntry>>>,
}

impl AppInstaller for AppFiles {
    fn install(&self, bytes: &[u8]) -> Result<InstalledApp, String> {
        let text = text_of(bytes).map_err(|reason| format!("INSTALL_PARSE_FAILED_NOT_APK: {reason}"))?;
        self.package("base.apk", &text).map_err(|error| format!("INSTALL_PARSE_FAILED_MANIFEST_MALFORMED: {error}"))
    }
}

impl AppFiles {
    /// An app file as an installable package.
    pub fn package(&self, name: &str, text: &str) -> Result<InstalledApp, AppFileError> {
        let file = Arc::new(AppFile::load(name, text)?);
        let mut icons = self.icons.lock().unwrap_or_else(PoisonError::into_inner);
        icons.insert(file.package().to_owned(), LauncherEntry::of(&file));
        Ok(installed(&file))
    }
}

impl SystemUi for AppFiles {
    fn home(&self, context: LaunchContext, apps: Vec<(String, String)>) -> Box<dyn AppProcess> {
        let icons = self.icons.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = |(package, label): (String, String)| {
            icons.get(&package).cloned().unwrap_or(LauncherEntry { package, label, color: None, glyph: None })
        };
        let entries = apps.into_iter().map(entry).collect();
        Box::new(Launcher::new(app_context(&context), entries))
    }
}

/// The launcher activity and those of the other screens; only the first may be started from outside.
fn activities(file: &AppFile) -> Vec<DeclaredActivity> {
    let main = file.main_activity();
    let mut activities = vec![DeclaredActivity { class: main, exported: true }];
    for screen in &file.document().screens {
        let class = file.activity_class(screen);
        if activities.iter().all(|known| known.class != class) {
            activities.push(DeclaredActivity { class, exported: false });
        }
    }
    activities
}

fn installed(file: &Arc<AppFile>) -> InstalledApp {
    let launched = Arc::clone(file);
    InstalledApp {
        package: file.package().to_owned(),
        label: file.label().to_owned(),
        version_name: file.version().to_owned(),
        version_code: version_code(file.version()),
        launcher_activity: file.main_activity(),
        permissions: Vec::new(),
        activities: activities(file),
        links: Vec::new(),
        versions: Vec::new(),
        launch: Arc::new(move |context| {
            let display = context.configuration.display;
            app::launch(launched.clone(), app_context(&context)).unwrap_or_else(|error| {
                Box::new(FailedLaunch {
                    package: launched.package().to_owned(),
                    activity: launched.main_activity(),
                    display,
                    log: vec![
                        "E AndroidRuntime: FATAL EXCEPTION: main".to_owned(),
                        format!("E AndroidRuntime: Process: {}, PID: {}", launched.package(), context.pid),
                        format!("E AndroidRuntime: java.lang.RuntimeException: Unable to start activity: {error}"),
                    ],
                })
            })
        }),
    }
}

fn app_context(context: &LaunchContext) -> AppContext {
    let mut app = AppContext {
        around: context.around.clone(),
        now: context.around.now,
        seed: context.seed,
        api: context.api.number(),
        data: context.data.clone(),
        uri: context.uri.clone(),
        activity: context.activity.clone(),
        switches: context.switches.clone(),
        pid: context.pid,
        typesetter: Typesetter::shared(),
        ..AppContext::phone()
    };
    app.configure(&context.configuration);
    app
}

/// `1.4.2` → 10402, so that a later version has a greater code.
fn version_code(version: &str) -> u64 {
    let mut parts = version.split('.').map(|part| part.parse::<u64>().unwrap_or(0).min(99));
    let mut next = || parts.next().unwrap_or(0);
    (next() * 10_000 + next() * 100 + next()).max(1)
}

fn text_of(bytes: &[u8]) -> Result<String, String> {
    if !bytes.starts_with(b"PK") {
        return String::from_utf8(bytes.to_vec()).map_err(|_| "neither an app file nor a zip with one".to_owned());
    }
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
    let name = archive
        .file_names()
        .filter_map(Result::ok)
        .find(|name| name.ends_with(".app.yaml"))
        .map(std::borrow::Cow::into_owned)
        .ok_or("the zip holds no *.app.yaml; virtual devices run app files, not Android's own bytecode")?;
    let file = archive.by_name(&name).map_err(|error| error.to_string())?;
    let mut text = String::new();
    file.take(MAX_APP_FILE).read_to_string(&mut text).map_err(|error| error.to_string())?;
    Ok(text)
}

/// An app that could not start: crashed from the beginning, with its reason in the log.
struct FailedLaunch {
    package: String,
    activity: String,
    display: Size,
    log: Vec<String>,
}

impl AppProcess for FailedLaunch {
    fn package(&self) -> &str {
        &self.package
    }

    fn activity(&self) -> String {
        self.activity.clone()
    }

    fn advance(&mut self, _around: &Surroundings) {}

    fn configure(&mut self, configuration: &Configuration) {
        self.display = configuration.display;
    }

    fn gesture(&mut self, _gesture: Gesture) {}

    fn key(&mut self, _code: u32) -> KeyOutcome {
        KeyOutcome::Finish
    }

    fn type_text(&mut self, _text: &str) {}

    fn keyboard_shown(&self) -> bool {
        false
    }

    fn snapshot(&mut self) -> ElementSnapshot {
        ElementSnapshot { package: self.package.clone(), bounds: self.display.rect(), ..ElementSnapshot::default() }
    }

    fn animating(&self) -> bool {
        false
    }

    fn render(&mut self) -> Screenshot {
        Screenshot::blank(self.display)
    }

    fn display(&self) -> Size {
        self.display
    }

    fn take_log(&mut self) -> Vec<String> {
        std::mem::take(&mut self.log)
    }

    fn crashed(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_version_has_a_greater_code() {
        assert!(version_code("1.10.0") > version_code("1.9.9"));
        assert_eq!(version_code("nonsense"), 1);
    }

    #[test]
    fn what_is_no_app_file_is_refused_with_the_package_managers_code() {
        let refused = |bytes: &[u8]| AppFiles::default().install(bytes).unwrap_err();
        assert!(refused(b"\xff\xfe\x00").starts_with("INSTALL_PARSE_FAILED_NOT_APK"));
        assert!(refused(b"PK\x03\x04broken").starts_with("INSTALL_PARSE_FAILED_NOT_APK"));
        assert!(refused(b"package: [").starts_with("INSTALL_PARSE_FAILED_MANIFEST_MALFORMED"));
    }
}
