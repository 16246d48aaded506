//! An app whose screen is whatever the test says, and that writes down what reaches it.

use std::sync::{Arc, Mutex};
use tapwright::domain::{Point, Screenshot, Size};
use tapwright::virtual_device::{
    AppProcess, Configuration, ElementSnapshot, Gesture, InstalledApp, KeyOutcome, LaunchContext, Surroundings,
};

/// What the test and the app share.
#[derive(Default)]
pub(crate) struct Script {
    /// The accessibility tree, as it is.
    pub(crate) root: ElementSnapshot,
    /// Gestures, keys and texts, in order, as text.
    pub(crate) events: Vec<String>,
    /// `FLAG_SECURE`.
    pub(crate) secure: bool,
    /// The soft keyboard is up.
    pub(crate) keyboard: bool,
}

/// Handle on a running or future app.
#[derive(Clone, Default)]
pub(crate) struct ScriptedScreen(Arc<Mutex<Script>>);

impl ScriptedScreen {
    pub(crate) const PACKAGE: &'static str = "com.example.scripted";

    pub(crate) fn change(&self, change: impl FnOnce(&mut Script)) {
        change(&mut self.0.lock().unwrap());
    }

    /// What reached the app since the last call.
    pub(crate) fn events(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap().events)
    }

    /// The app to install.
    pub(crate) fn app(&self) -> InstalledApp {
        let script = Arc::clone(&self.0);
        let mut app = crate::two_buttons::app(Self::PACKAGE, 3);
        app.launch = Arc::new(move |context: LaunchContext| {
            Box::new(Screen { display: context.configuration.display, script: Arc::clone(&script) })
        });
        app
    }
}

struct Screen {
    display: Size,
    script: Arc<Mutex<Script>>,
}

impl Screen {
    fn note(&self, event: String) {
        self.script.lock().unwrap().events.push(event);
    }
}

impl AppProcess for Screen {
    fn package(&self) -> &str {
        ScriptedScreen::PACKAGE
    }

    fn activity(&self) -> String {
        format!("{}.MainActivity", ScriptedScreen::PACKAGE)
    }

    fn advance(&mut self, _around: &Surroundings) {}

    fn configure(&mut self, configuration: &Configuration) {
        self.display = configuration.display;
    }

    fn gesture(&mut self, gesture: Gesture) {
        let at = |point: Point| format!("{},{}", point.x, point.y);
        self.note(match gesture {
            Gesture::Tap(point) => format!("tap {}", at(point)),
            Gesture::LongPress(point) => format!("long press {}", at(point)),
            Gesture::Swipe { from, to, duration } => {
                format!("swipe {} {} {}", at(from), at(to), duration.as_millis())
            }
            Gesture::Drag { from, to, duration } => format!("drag {} {} {}", at(from), at(to), duration.as_millis()),
        });
    }

    fn key(&mut self, code: u32) -> KeyOutcome {
        self.note(format!("key {code}"));
        KeyOutcome::Handled
    }

    fn type_text(&mut self, text: &str) {
        self.note(format!("text {text}"));
    }

    fn keyboard_shown(&self) -> bool {
        self.script.lock().unwrap().keyboard
    }

    fn snapshot(&mut self) -> ElementSnapshot {
        self.script.lock().unwrap().root.clone()
    }

    fn animating(&self) -> bool {
        false
    }

    fn render(&mut self) -> Screenshot {
        let pixels = (self.display.width * self.display.height) as usize;
        Screenshot::new(self.display, [200, 30, 40, 255].repeat(pixels)).unwrap()
    }

    fn display(&self) -> Size {
        self.display
    }

    fn take_log(&mut self) -> Vec<String> {
        Vec::new()
    }

    fn secure(&self) -> bool {
        self.script.lock().unwrap().secure
    }
}
