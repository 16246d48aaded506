//! Where system and apps meet: app files and recordings become packages the virtual system can install, start and list.

use super::adb_keyboard;
use super::app::file::Link;
pub(super) use super::app::file::version_code;
use super::app::{self, AppContext, AppFile, AppFileError, Channels, Launcher, LauncherEntry, Typesetter, system_ui};
use super::process::{AppProcess, Configuration, ElementSnapshot, Gesture, KeyOutcome, Surroundings};
use super::recorded::Performance;
use super::system::system_ui::{AppErrorPrompt, PermissionPrompt, RecentTask, ShareSheet};
use super::system::{AppInstaller, AppLink, DeclaredActivity, InstalledApp, LaunchContext, SystemUi};
use crate::domain::{Screenshot, Size};
use crate::strings::{self, StringTable};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tapwright_base::recorded::{Files, RecordedApp};

/// Largest app file inside a zip, in bytes; text beyond this is no app file.
const MAX_APP_FILE: u64 = 4 << 20;

/// Largest recording inside a zip, in bytes.
const MAX_RECORDING: u64 = 512 << 20;

/// The package parser of the virtual device (an APK is an app file, a zip that holds one, or a zip with a recording), and the home screen that
/// shows what was installed.
#[derive(Default)]
pub struct AppFiles {
    /// Icons by package; the system's own list knows only names.
    icons: Arc<Mutex<BTreeMap<String, LauncherEntry>>>,
    /// What apps on all devices of the process share.
    channels: Channels,
}

impl AppInstaller for AppFiles {
    fn install(&self, bytes: &[u8]) -> Result<InstalledApp, String> {
        if let Some(files) = recording_files(bytes) {
            let app = files.and_then(|files| RecordedApp::load(&files).map_err(|error| error.to_string()));
            let app = app.map_err(|reason| format!("INSTALL_PARSE_FAILED_MANIFEST_MALFORMED: {reason}"))?;
            return Ok(self.recording(&Arc::new(app)));
        }
        if adb_keyboard::is_apk(bytes) {
            return self.adb_keyboard().map_err(|error| format!("INSTALL_PARSE_FAILED_MANIFEST_MALFORMED: {error}"));
        }
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
        Ok(installed(&file, &self.channels))
    }

    /// `ADBKeyBoard`, which types what broadcasts tell it.
    pub fn adb_keyboard(&self) -> Result<InstalledApp, AppFileError> {
        self.package("ADBKeyBoard.apk", adb_keyboard::APP)
    }

    /// A recorded app as an installable package.
    pub fn recording(&self, app: &Arc<RecordedApp>) -> InstalledApp {
        self.performance(app, Performance::default())
    }

    /// A recorded app as an installable package, played in a particular way.
    pub fn performance(&self, app: &Arc<RecordedApp>, performance: Performance) -> InstalledApp {
        super::recorded::installed(app, performance)
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

    fn permission(&self, context: LaunchContext, prompt: PermissionPrompt) -> Box<dyn AppProcess> {
        system_ui::permission(app_context(&context), context.api, prompt)
    }

    fn share(&self, context: LaunchContext, sheet: ShareSheet) -> Box<dyn AppProcess> {
        system_ui::share(app_context(&context), context.api, sheet)
    }

    fn app_error(&self, context: LaunchContext, error: AppErrorPrompt) -> Box<dyn AppProcess> {
        system_ui::app_error(app_context(&context), context.api, error)
    }

    fn recents(&self, context: LaunchContext, tasks: Vec<RecentTask>) -> Box<dyn AppProcess> {
        system_ui::recents(app_context(&context), tasks)
    }
}

/// The launcher activity and those of the other screens; only the first and those with a deep link may be started from
/// outside.
fn activities(file: &AppFile) -> Vec<DeclaredActivity> {
    let main = file.main_activity();
    let linked = links(file);
    let mut activities = vec![DeclaredActivity { class: main, exported: true }];
    for screen in &file.document().screens {
        let class = file.activity_class(screen);
        if activities.iter().all(|known| known.class != class) {
            let exported = linked.iter().any(|link| link.activity == class);
            activities.push(DeclaredActivity { class, exported });
        }
    }
    activities
}

fn links(file: &AppFile) -> Vec<AppLink> {
    let link = |link: &Link| {
        let activity = file.activity_of(&link.goto.value).unwrap_or_else(|| file.main_activity());
        AppLink { pattern: link.uri.value.clone(), activity, label: link.label.clone() }
    };
    file.document().links.iter().map(link).collect()
}

fn installed(file: &Arc<AppFile>, channels: &Channels) -> InstalledApp {
    let launched = Arc::clone(file);
    let channels = channels.clone();
    InstalledApp {
        package: file.package().to_owned(),
        label: file.label().to_owned(),
        version_name: file.version().to_owned(),
        version_code: file.version_code(),
        launcher_activity: file.main_activity(),
        permissions: file.document().permissions.iter().map(|name| name.value.clone()).collect(),
        activities: activities(file),
        links: links(file),
        versions: file.versions(),
        launch: Arc::new(move |context| {
            let display = context.configuration.display;
            let app = AppContext { channels: channels.clone(), ..app_context(&context) };
            app::launch(launched.clone(), app).unwrap_or_else(|error| {
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

pub(super) fn app_context(context: &LaunchContext) -> AppContext {
    let mut app = AppContext {
        around: context.around.clone(),
        now: context.around.now,
        boot_clock: clock_at_boot(&context.around),
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

/// What the status bar's clock showed at boot (GMT), as time since midnight.
fn clock_at_boot(around: &Surroundings) -> Duration {
    const DAY: u64 = 24 * 3600;
    let now = u64::try_from(around.wall.as_second()).unwrap_or(0) % DAY;
    Duration::from_secs((now + DAY - around.now.as_secs() % DAY) % DAY)
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
        .map(Cow::into_owned)
        .ok_or("the zip holds neither an *.app.yaml nor a recording's app.json; virtual devices run app files, not Android's own bytecode")?;
    let file = archive.by_name(&name).map_err(|error| error.to_string())?;
    let mut text = String::new();
    file.take(MAX_APP_FILE).read_to_string(&mut text).map_err(|error| error.to_string())?;
    Ok(text)
}

/// The files of a zipped recording; `None` where the bytes are something else. The folder may be in the zip or only what
/// is in it.
fn recording_files(bytes: &[u8]) -> Option<Result<Files, String>> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).ok()?;
    let names: Vec<String> = archive.file_names().filter_map(|name| name.ok().map(Cow::into_owned)).collect();
    let app =
        names.iter().filter(|name| *name == "app.json" || name.ends_with("/app.json")).min_by_key(|name| name.len())?;
    let folder = app.strip_suffix("app.json")?.to_owned();
    let mut unpack = || {
        let mut files = BTreeMap::new();
        let mut room = MAX_RECORDING;
        for name in names.iter().filter(|name| !name.ends_with('/')) {
            let Some(inside) = name.strip_prefix(&folder) else { continue };
            let mut content = Vec::new();
            let file = archive.by_name(name).map_err(|error| error.to_string())?;
            file.take(room + 1).read_to_end(&mut content).map_err(|error| format!("{name}: {error}"))?;
            room = room.checked_sub(content.len() as u64).ok_or("the recording is larger than 512 MB")?;
            files.insert(inside.to_owned(), Arc::from(content));
        }
        Ok(Files::Memory(files))
    };
    Some(unpack())
}

/// The texts of any file that can be installed somewhere: a declarative app, a zip that holds one, or an APK with its
/// resources. What has no texts gives an empty table.
pub fn app_strings(bytes: &[u8]) -> Result<StringTable, String> {
    if strings::holds_resources(bytes) {
        return strings::read_apk(bytes).map_err(|error| error.to_string());
    }
    if adb_keyboard::is_apk(bytes) || recording_files(bytes).is_some() {
        return Ok(StringTable::default());
    }
    let file = AppFile::load("base.apk", &text_of(bytes)?).map_err(|error| error.to_string())?;
    Ok(file.string_table())
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
        let code = |version: &str| {
            let text = format!("package: com.example.x\nlabel: X\nversion: \"{version}\"\nscreens: [{{id: home}}]\n");
            AppFiles::default().install(text.as_bytes()).map(|app| app.version_code)
        };
        assert!(code("1.10.0") > code("1.9.9"));
        assert_eq!(code("nonsense"), Ok(1));
    }

    #[test]
    fn what_is_no_app_file_is_refused_with_the_package_managers_code() {
        let refused = |bytes: &[u8]| AppFiles::default().install(bytes).unwrap_err();
        assert!(refused(b"\xff\xfe\x00").starts_with("INSTALL_PARSE_FAILED_NOT_APK"));
        assert!(refused(b"PK\x03\x04broken").starts_with("INSTALL_PARSE_FAILED_NOT_APK"));
        assert!(refused(b"package: [").starts_with("INSTALL_PARSE_FAILED_MANIFEST_MALFORMED"));
    }
}
