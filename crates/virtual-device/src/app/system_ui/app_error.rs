//! "X keeps stopping", "X isn't responding" (`app_error_dialog.xml`, `app_anr_dialog.xml`).

use super::super::AppContext;
use super::super::file::{IconName, TextAlign};
use super::page::{Page, Place, Words};
use super::window::{View, Window};
use crate::system::ApiLevel;
use crate::system::system_ui::{AppErrorPrompt, AppTrouble, answer};
use crate::{AppProcess, SystemRequest};

/// The dialog about an app that crashed or does not respond.
pub fn app_error(context: AppContext, api: ApiLevel, error: AppErrorPrompt) -> Box<dyn AppProcess> {
    Box::new(Window::new(context, Dialog { api, error }))
}

struct Dialog {
    api: ApiLevel,
    error: AppErrorPrompt,
}

impl Dialog {
    fn title(&self, page: &Page<'_>) -> String {
        let english = match self.error.trouble {
            AppTrouble::Stopped => "{} has stopped",
            AppTrouble::KeepsStopping => "{} keeps stopping",
            AppTrouble::NotResponding => "{} isn't responding",
        };
        page.say(english).replace("{}", &self.error.label)
    }

    /// Id, text, answer, icon.
    fn choices(&self) -> Vec<(&'static str, &'static str, &'static str, IconName)> {
        let close = ("aerr_close", "Close app", answer::CLOSE, IconName::Close);
        match self.error.trouble {
            AppTrouble::NotResponding => vec![close, ("aerr_wait", "Wait", answer::WAIT, IconName::Clock)],
            AppTrouble::Stopped if !self.api.since(28) => {
                vec![("aerr_restart", "Open app again", answer::RESTART, IconName::Home), close]
            }
            AppTrouble::KeepsStopping if !self.api.since(28) => vec![close],
            AppTrouble::Stopped | AppTrouble::KeepsStopping => {
                vec![("aerr_app_info", "App info", answer::APP_INFO, IconName::Info), close]
            }
        }
    }
}

impl View for Dialog {
    fn package(&self) -> &'static str {
        "android"
    }

    fn activity(&self) -> String {
        "android.app.Dialog".to_owned()
    }

    fn build(&self, page: &mut Page<'_>) {
        let root = page.dimmed(Place::Center, None);
        let window = page.card(root, 28.0, if self.api.since(31) { 28.0 } else { 4.0 });
        let inner = page.layout(window, "android.widget.FrameLayout", "");
        let content = page.layout(inner, "android.widget.FrameLayout", "android:id/content");
        let mut panel = Page::view("android.widget.LinearLayout", "android:id/parentPanel");
        page.pad(&mut panel, 16.0, 0.0);
        let panel = page.add(content, panel);
        let mut top = Page::view("android.widget.LinearLayout", "android:id/topPanel");
        page.pad(&mut top, 8.0, 24.0);
        let top = page.add(panel, top);
        let template = page.layout(top, "android.widget.LinearLayout", "android:id/title_template");
        let words = Words { size: 20.0, medium: true, color: page.ink(), align: TextAlign::Start };
        let title = page.text("android:id/alertTitle", &self.title(page), words);
        page.add(template, title);
        let custom = page.layout(panel, "android.widget.FrameLayout", "android:id/customPanel");
        let custom = page.layout(custom, "android.widget.FrameLayout", "android:id/custom");
        let list = page.layout(custom, "android.widget.LinearLayout", "");
        for (name, text, choice, icon) in self.choices() {
            let text = &page.say(text);
            let id = format!("android:id/{name}");
            let mut button = Page::row(Page::touchable("android.widget.Button", &id, text, choice));
            button.style.min_size.height = taffy::LengthPercentageAuto::length(page.px(52.0));
            page.pad(&mut button, 8.0, 24.0);
            page.gap(&mut button, 24.0);
            let button = page.add(list, button);
            let icon = page.icon(icon, 24.0, page.muted());
            page.add(button, icon);
            let words = Words { size: 16.0, medium: false, color: page.ink(), align: TextAlign::Start };
            let label = page.drawn(text, words);
            page.add(button, label);
        }
    }

    fn touched(&mut self, command: &str) -> Option<SystemRequest> {
        Some(SystemRequest::Answer(command.to_owned()))
    }

    /// Neither dialog can be left by BACK (`setCancelable(false)`).
    fn dismissible(&self) -> bool {
        false
    }
}
