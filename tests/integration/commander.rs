//! An app for tests that does what is typed into it (`ask PERMISSION…`, `hang`, `open URI`) and shows what it is told.

use std::sync::Arc;
use tapwright::domain::{Rect, Screenshot, Size};
use tapwright::virtual_device::Configuration;
use tapwright::virtual_device::{
    AppLink, AppProcess, DeclaredActivity, ElementSnapshot, Gesture, InstalledApp, KeyOutcome, LaunchContext,
    Orientation, Surroundings, SystemAnswer, SystemRequest,
};

pub(crate) struct Commander {
    package: String,
    context: LaunchContext,
    around: Surroundings,
    /// Activities, the one on top last.
    activities: Vec<String>,
    heard: Vec<String>,
    requests: Vec<SystemRequest>,
    log: Vec<String>,
    resumed: usize,
    paused: usize,
    hung: bool,
    secure: bool,
    crashed: bool,
}

impl Commander {
    fn obey(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let own = || rest.to_owned();
        match word {
            "ask" => {
                let names = rest.split(' ').map(|name| format!("android.permission.{name}")).collect();
                self.requests.push(SystemRequest::Permission(names));
            }
            "share" => self.requests.push(SystemRequest::Share { text: own(), title: None }),
            "open" => self.requests.push(SystemRequest::Open(own())),
            "launch" => self.requests.push(SystemRequest::Launch(own())),
            "copy" => self.requests.push(SystemRequest::Copy(own())),
            "finish" => self.requests.push(SystemRequest::Finish),
            "kill" => self.requests.push(SystemRequest::Kill),
            "portrait" => self.requests.push(SystemRequest::Orientation(Some(Orientation::Portrait))),
            "landscape" => self.requests.push(SystemRequest::Orientation(Some(Orientation::Landscape))),
            "free" => self.requests.push(SystemRequest::Orientation(None)),
            "hang" => self.hung = true,
            "secure" => self.secure = true,
            "crash" => {
                self.crashed = true;
                self.log = vec![
                    "E AndroidRuntime: FATAL EXCEPTION: main".to_owned(),
                    format!("E AndroidRuntime: Process: {}, PID: {}", self.package, self.context.pid),
                    "E AndroidRuntime: java.lang.IllegalStateException: no card".to_owned(),
                    format!("E AndroidRuntime: \tat {}.MainActivity.onUserAction(MainActivity.java:42)", self.package),
                ];
            }
            _ => self.heard.push(format!("typed {line}")),
        }
    }

    fn told(&self) -> Vec<String> {
        let Configuration { display, density, locale, font_scale, night, rotation } = &self.context.configuration;
        let mut told = vec![
            format!(
                "{}x{} {density} {locale} {font_scale} night={night} turns={rotation}",
                display.width, display.height
            ),
            format!("resumed {} paused {}", self.resumed, self.paused),
            format!("granted {}", self.around.granted.iter().cloned().collect::<Vec<_>>().join(" ")),
            format!(
                "online {} location {:?}",
                self.around.online,
                self.around.location.map(|l| (l.latitude, l.longitude))
            ),
            format!("switches {}", self.context.switches.join(" ")),
        ];
        told.extend(self.heard.iter().cloned());
        told
    }
}

impl AppProcess for Commander {
    fn package(&self) -> &str {
        &self.package
    }

    fn activity(&self) -> String {
        self.activities.last().cloned().unwrap_or_default()
    }

    fn advance(&mut self, around: &Surroundings) {
        self.around.clone_from(around);
    }

    fn configure(&mut self, configuration: &Configuration) {
        self.context.configuration.clone_from(configuration);
    }

    fn gesture(&mut self, _gesture: Gesture) {
        self.heard.push("touched".to_owned());
    }

    fn key(&mut self, code: u32) -> KeyOutcome {
        if code != 4 {
            return KeyOutcome::Handled;
        }
        if self.activities.len() > 1 {
            self.activities.pop();
            return KeyOutcome::Handled;
        }
        KeyOutcome::Finish
    }

    fn type_text(&mut self, text: &str) {
        self.obey(text);
    }

    fn keyboard_shown(&self) -> bool {
        false
    }

    fn snapshot(&mut self) -> ElementSnapshot {
        let element = |class: &str, text: String| ElementSnapshot {
            class: class.to_owned(),
            text,
            package: self.package.clone(),
            enabled: true,
            bounds: self.context.configuration.display.rect(),
            ..ElementSnapshot::default()
        };
        let mut root = element("android.widget.FrameLayout", String::new());
        root.children = self.told().into_iter().map(|text| element("android.widget.TextView", text)).collect();
        for (at, child) in root.children.iter_mut().enumerate() {
            child.bounds = Rect::new(0, 20 * at as i32, 100, 20 * at as i32 + 20);
        }
        root
    }

    fn animating(&self) -> bool {
        false
    }

    fn render(&mut self) -> Screenshot {
        let Size { width, height } = self.context.configuration.display;
        Screenshot::new(Size { width, height }, [240, 240, 240, 255].repeat((width * height) as usize)).unwrap()
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
        std::mem::take(&mut self.requests)
    }

    fn answered(&mut self, answer: &SystemAnswer) {
        self.heard.push(match answer {
            SystemAnswer::Permission { name, granted } => format!("answered {name} {granted}"),
            SystemAnswer::Shared { target } => format!("shared {target:?}"),
            SystemAnswer::Unopened { uri } => format!("unopened {uri}"),
        });
    }

    fn open(&mut self, uri: &str) -> bool {
        self.heard.push(format!("opened {uri}"));
        true
    }

    fn start_activity(&mut self, class: &str) -> bool {
        self.activities.push(class.to_owned());
        true
    }

    fn resumed(&mut self) {
        self.resumed += 1;
    }

    fn paused(&mut self) {
        self.paused += 1;
    }

    fn secure(&self) -> bool {
        self.secure
    }

    fn hung(&self) -> bool {
        self.hung
    }
}

/// The app under a package name. It declares `permissions` and opens `SCHEME://item/{id}`, where the scheme is the
/// package's last part, in an activity of its own.
pub(crate) fn commander(package: &str, permissions: &[&str]) -> InstalledApp {
    let name = package.to_owned();
    let class = |simple: &str| format!("{package}.{simple}");
    let scheme = package.rsplit('.').next().unwrap_or_default();
    InstalledApp {
        package: package.to_owned(),
        label: "Commander".to_owned(),
        version_name: "1.0".to_owned(),
        version_code: 10_000,
        launcher_activity: class("MainActivity"),
        permissions: permissions.iter().map(|name| format!("android.permission.{name}")).collect(),
        activities: vec![
            DeclaredActivity { class: class("MainActivity"), exported: true },
            DeclaredActivity { class: class("ItemActivity"), exported: true },
            DeclaredActivity { class: class("SecretActivity"), exported: false },
        ],
        links: vec![
            AppLink { pattern: format!("{scheme}://item/{{id}}"), activity: class("ItemActivity"), label: None },
            AppLink { pattern: "send://{text}".to_owned(), activity: class("MainActivity"), label: None },
        ],
        versions: vec![("1.0".to_owned(), 10_000), ("2.0".to_owned(), 20_000)],
        launch: Arc::new(move |context| {
            let main = context.activity.clone().unwrap_or_else(|| format!("{name}.MainActivity"));
            Box::new(Commander {
                package: name.clone(),
                around: context.around.clone(),
                activities: vec![main],
                heard: context.uri.iter().map(|uri| format!("started with {uri}")).collect(),
                requests: Vec::new(),
                log: Vec::new(),
                resumed: 0,
                paused: 0,
                hung: false,
                secure: false,
                crashed: false,
                context,
            })
        }),
    }
}
