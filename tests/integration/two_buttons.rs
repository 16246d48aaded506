//! A tiny app for tests of the virtual device: a counter, two buttons and a line of typed text.

use std::sync::Arc;
use std::time::Duration;
use tapwright::domain::{Point, Rect, Screenshot, Size};
use tapwright::virtual_device::system::system_ui::{AppErrorPrompt, PermissionPrompt, RecentTask, ShareSheet};
use tapwright::virtual_device::{
    AppFiles, AppInstaller, AppLauncher, AppProcess, Configuration, DeclaredActivity, ElementSnapshot, Gesture,
    InstalledApp, KeyOutcome, LaunchContext, Surroundings, SystemRequest, SystemUi,
};

/// Where "Next" is: counts up; held, it crashes the app.
pub(crate) const NEXT: Rect = Rect::new(0, 100, 100, 150);
/// Where "Spin" is: moves for two seconds.
pub(crate) const SPIN: Rect = Rect::new(0, 150, 100, 200);
/// How long "Spin" moves.
pub(crate) const SPIN_TIME: Duration = Duration::from_secs(2);

pub(crate) struct TwoButtons {
    package: String,
    context: LaunchContext,
    now: Duration,
    count: u8,
    typed: String,
    keys: Vec<u32>,
    busy_until: Duration,
    log: Vec<String>,
    crashed: bool,
    finish: bool,
}

impl TwoButtons {
    fn launch(package: &str) -> AppLauncher {
        let package = package.to_owned();
        Arc::new(move |context: LaunchContext| {
            let count = context.data.as_ref().and_then(|data| data.first().copied()).unwrap_or(0);
            Box::new(TwoButtons {
                package: package.clone(),
                context,
                now: Duration::ZERO,
                count,
                typed: String::new(),
                keys: Vec::new(),
                busy_until: Duration::ZERO,
                log: Vec::new(),
                crashed: false,
                finish: false,
            })
        })
    }

    fn crash(&mut self) {
        self.crashed = true;
        self.log = vec![
            "E AndroidRuntime: FATAL EXCEPTION: main".to_owned(),
            format!("E AndroidRuntime: Process: {}, PID: {}", self.package, self.context.pid),
            "E AndroidRuntime: java.lang.IllegalStateException: held too long".to_owned(),
        ];
    }
}

impl AppProcess for TwoButtons {
    fn package(&self) -> &str {
        &self.package
    }

    fn activity(&self) -> String {
        format!("{}.MainActivity", self.package)
    }

    fn advance(&mut self, around: &Surroundings) {
        self.now = around.now;
    }

    fn configure(&mut self, configuration: &Configuration) {
        self.context.configuration.clone_from(configuration);
    }

    fn gesture(&mut self, gesture: Gesture) {
        match gesture {
            Gesture::Tap(at) if NEXT.contains(at) => self.count += 1,
            Gesture::Tap(at) if SPIN.contains(at) => self.busy_until = self.now + SPIN_TIME,
            Gesture::LongPress(at) if NEXT.contains(at) => self.crash(),
            Gesture::Tap(_) | Gesture::LongPress(_) => {}
            Gesture::Swipe { from, to, .. } if to.y > from.y => self.finish = true,
            Gesture::Swipe { .. } | Gesture::Drag { .. } => "swiped".clone_into(&mut self.typed),
        }
    }

    fn key(&mut self, code: u32) -> KeyOutcome {
        self.keys.push(code);
        if code == 4 { KeyOutcome::Finish } else { KeyOutcome::Handled }
    }

    fn type_text(&mut self, text: &str) {
        self.typed.push_str(text);
    }

    fn keyboard_shown(&self) -> bool {
        !self.typed.is_empty()
    }

    fn snapshot(&mut self) -> ElementSnapshot {
        let element = |class: &str, text: &str, bounds: Rect| ElementSnapshot {
            class: class.to_owned(),
            text: text.to_owned(),
            package: self.package.clone(),
            enabled: true,
            bounds,
            ..ElementSnapshot::default()
        };
        let button = |text: &str, bounds: Rect| ElementSnapshot {
            clickable: true,
            focusable: true,
            resource_id: format!("{}:id/{}", self.package, text.to_lowercase()),
            ..element("android.widget.Button", text, bounds)
        };
        let mut root = element("android.widget.FrameLayout", "", self.context.configuration.display.rect());
        root.children = vec![
            element("android.widget.TextView", &format!("Taps: {}", self.count), Rect::new(0, 0, 100, 50)),
            element("android.widget.TextView", &self.typed, Rect::new(0, 50, 100, 100)),
            button("Next", NEXT),
            button("Spin", SPIN),
        ];
        for (index, child) in root.children.iter_mut().enumerate() {
            child.index = index;
            child.drawing_order = index + 1;
        }
        root
    }

    fn animating(&self) -> bool {
        self.now < self.busy_until
    }

    fn render(&mut self) -> Screenshot {
        plain(self.context.configuration.display, [self.count, 20, 30, 255])
    }

    fn display(&self) -> Size {
        self.context.configuration.display
    }

    fn take_log(&mut self) -> Vec<String> {
        std::mem::take(&mut self.log)
    }

    fn crashed(&self) -> bool {
        self.crashed
    }

    fn take_requests(&mut self) -> Vec<SystemRequest> {
        std::mem::take(&mut self.finish).then_some(SystemRequest::Finish).into_iter().collect()
    }

    fn persisted(&self) -> Option<Vec<u8>> {
        Some(vec![self.count])
    }
}

fn plain(size: Size, pixel: [u8; 4]) -> Screenshot {
    Screenshot::new(size, pixel.repeat((size.width * size.height) as usize)).unwrap()
}

/// A home screen with one row of 50 pixels per app.
struct Home {
    display: Size,
    apps: Vec<(String, String)>,
    request: Option<String>,
}

impl AppProcess for Home {
    fn package(&self) -> &'static str {
        "com.example.home"
    }

    fn activity(&self) -> String {
        "com.example.home.Launcher".to_owned()
    }

    fn advance(&mut self, _around: &Surroundings) {}

    fn configure(&mut self, configuration: &Configuration) {
        self.display = configuration.display;
    }

    fn gesture(&mut self, gesture: Gesture) {
        if let Gesture::Tap(Point { y, .. }) = gesture {
            self.request =
                usize::try_from(y / 50).ok().and_then(|row| self.apps.get(row)).map(|(package, _)| package.clone());
        }
    }

    fn key(&mut self, _code: u32) -> KeyOutcome {
        KeyOutcome::Handled
    }

    fn type_text(&mut self, _text: &str) {}

    fn keyboard_shown(&self) -> bool {
        false
    }

    fn snapshot(&mut self) -> ElementSnapshot {
        let element = |class: &str| ElementSnapshot {
            class: class.to_owned(),
            package: "com.example.home".to_owned(),
            enabled: true,
            bounds: self.display.rect(),
            ..ElementSnapshot::default()
        };
        let mut root = element("android.widget.FrameLayout");
        root.children = self
            .apps
            .iter()
            .map(|(_, label)| ElementSnapshot { text: label.clone(), ..element("android.widget.TextView") })
            .collect();
        root
    }

    fn animating(&self) -> bool {
        false
    }

    fn render(&mut self) -> Screenshot {
        plain(self.display, [0, 0, 0, 255])
    }

    fn display(&self) -> Size {
        self.display
    }

    fn take_log(&mut self) -> Vec<String> {
        Vec::new()
    }

    fn take_requests(&mut self) -> Vec<SystemRequest> {
        self.request.take().map(SystemRequest::Launch).into_iter().collect()
    }
}

/// A plain home screen; the other windows are the real ones.
struct PlainUi(AppFiles);

impl SystemUi for PlainUi {
    fn home(&self, context: LaunchContext, apps: Vec<(String, String)>) -> Box<dyn AppProcess> {
        Box::new(Home { display: context.configuration.display, apps, request: None })
    }

    fn permission(&self, context: LaunchContext, prompt: PermissionPrompt) -> Box<dyn AppProcess> {
        self.0.permission(context, prompt)
    }

    fn share(&self, context: LaunchContext, sheet: ShareSheet) -> Box<dyn AppProcess> {
        self.0.share(context, sheet)
    }

    fn app_error(&self, context: LaunchContext, error: AppErrorPrompt) -> Box<dyn AppProcess> {
        self.0.app_error(context, error)
    }

    fn recents(&self, context: LaunchContext, tasks: Vec<RecentTask>) -> Box<dyn AppProcess> {
        self.0.recents(context, tasks)
    }
}

/// The system's own windows.
pub(crate) fn home() -> Arc<dyn SystemUi> {
    Arc::new(PlainUi(AppFiles::default()))
}

/// Reads `app PACKAGE VERSION`.
pub(crate) struct TestInstaller;

impl AppInstaller for TestInstaller {
    fn install(&self, bytes: &[u8]) -> Result<InstalledApp, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "INSTALL_PARSE_FAILED_NOT_APK: not text".to_owned())?;
        match text.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["app", package, version, ..] => {
                Ok(app(package, version.parse().map_err(|_| "INSTALL_PARSE_FAILED_MANIFEST_MALFORMED")?))
            }
            _ => Err("INSTALL_PARSE_FAILED_NOT_APK: no app in it".to_owned()),
        }
    }
}

/// The app under a package name.
pub(crate) fn app(package: &str, version_code: u64) -> InstalledApp {
    InstalledApp {
        package: package.to_owned(),
        label: "Two buttons".to_owned(),
        version_name: format!("1.{version_code}"),
        version_code,
        launcher_activity: format!("{package}.MainActivity"),
        permissions: Vec::new(),
        activities: vec![DeclaredActivity { class: format!("{package}.MainActivity"), exported: true }],
        links: Vec::new(),
        versions: Vec::new(),
        launch: TwoButtons::launch(package),
    }
}
