//! Doing what processes ask for: permissions, sharing, deep links, orientation, and what users answer in dialogs.

use super::runtime_permission::{COARSE, FINE, PermissionGroup, PermissionState, SELECTED, runtime_permission};
use super::start::send_uri;
use super::system_ui::{AppErrorPrompt, AppTrouble, PermissionPrompt, ShareSheet, answer};
use super::tasks::{Asking, Purpose, Running, Source, SystemWindow};
use super::{Priority, Resolved, VirtualSystem, Wanted};
use crate::{SystemAnswer, SystemRequest};
use std::collections::VecDeque;

/// Process ids of the system's own processes.
pub(super) const RECENTS_PID: u32 = super::virtual_system::HOME_PID;
const PERMISSION_PID: u32 = 1150;
const SHARE_PID: u32 = 1160;
/// `system_server`, which shows the dialogs about apps in trouble.
pub(super) const SYSTEM_SERVER_PID: u32 = 600;

impl VirtualSystem {
    /// Does what a process asked for.
    pub(super) fn serve(&mut self, source: &Source, request: SystemRequest) {
        match (source, request) {
            // The icon may be older than the last uninstall; then the touch does nothing, as on a real launcher.
            (_, SystemRequest::Launch(wanted)) => {
                let _missing = self.start(&wanted);
            }
            (Source::App(package), SystemRequest::Finish) => {
                if let Some(finished) = self.tasks.remove(package) {
                    self.keep_data(&finished);
                    self.cached.insert(package.clone(), finished.pid);
                }
            }
            (Source::App(package), SystemRequest::Kill) => {
                let pid = self.pid(package).unwrap_or_default();
                let line = format!("Process {package} (pid {pid}) has died: fg  TOP ");
                self.log_system(Priority::Info, "ActivityManager", line);
                self.log_event("am_proc_died", format!("[0,{pid},{package},0,2]"));
                self.end(package);
            }
            (_, SystemRequest::Copy(text)) => self.clipboard = Some(text),
            (Source::App(package), SystemRequest::Orientation(wanted)) => {
                if let Some(running) = self.tasks.app_mut(package) {
                    running.orientation = wanted;
                }
            }
            (Source::App(package), SystemRequest::Open(uri)) => {
                let action = Some("android.intent.action.VIEW");
                match self.resolve(&Wanted { action, data: Some(&uri), ..Wanted::default() }) {
                    Resolved::Activity { package, class, .. } => {
                        let _installed = self.start_activity(&package, Some(&class), Some(&uri));
                    }
                    _ => self.answer(package, &SystemAnswer::Unopened { uri }),
                }
            }
            (Source::App(package), SystemRequest::Permission(names)) => self.ask(package, names),
            (Source::App(package), SystemRequest::Share { text, title }) => self.share(package, text, title),
            (Source::Window(id), SystemRequest::Answer(text)) => self.decided(*id, &text),
            (Source::Home | Source::Window(_), _) | (Source::App(_), SystemRequest::Answer(_)) => {}
        }
    }

    fn answer(&mut self, package: &str, answer: &SystemAnswer) {
        if let Some(running) = self.tasks.app_mut(package) {
            running.process.answered(answer);
        }
    }

    fn open_window(&mut self, package: &str, purpose: Purpose) {
        let (pid, task) = match purpose {
            Purpose::Permission(_) => (PERMISSION_PID, 0),
            Purpose::Share(_) => (SHARE_PID, 0),
            Purpose::Error(_) => (SYSTEM_SERVER_PID, 0),
            Purpose::Recents => (RECENTS_PID, 1),
        };
        let context = self.launch_context("", pid);
        let configuration = context.configuration.clone();
        let (process, title) = match &purpose {
            Purpose::Permission(prompt) => (self.ui.permission(context, prompt.clone()), None),
            Purpose::Share(sheet) => (self.ui.share(context, sheet.clone()), None),
            Purpose::Recents => return,
            Purpose::Error(error) => {
                let what = match error.trouble {
                    AppTrouble::NotResponding => "Application Not Responding",
                    AppTrouble::Stopped | AppTrouble::KeepsStopping => "Application Error",
                };
                (self.ui.app_error(context, error.clone()), Some(format!("{what}: {}", error.package)))
            }
        };
        let task = self.tasks.app(package).map_or(task, |app| app.task);
        let mut running = Running::new(pid, task, process, self.uptime(), configuration);
        running.title = title;
        let id = self.next_window();
        let window = SystemWindow { id, purpose, running };
        if matches!(window.purpose, Purpose::Error(_)) {
            self.tasks.overlays_mut().push(window);
        } else if let Some(app) = self.tasks.app_mut(package) {
            app.windows.push(window);
        }
    }

    /// Asks the user about permissions that are not decided yet; the app hears about all of them at the end.
    fn ask(&mut self, package: &str, names: Vec<String>) {
        let api = self.config().api;
        let Some(found) = self.packages.get(package) else { return };
        let mut groups: Vec<(PermissionGroup, Vec<String>)> = Vec::new();
        for name in &names {
            let Some(permission) = runtime_permission(name, api) else { continue };
            let state = found.permissions.state(name);
            if !found.app.permissions.contains(name) || state.granted || state.user_fixed {
                continue;
            }
            match groups.iter_mut().find(|(group, _)| *group == permission.group) {
                Some((_, names)) => names.push(name.clone()),
                None => groups.push((permission.group, vec![name.clone()])),
            }
        }
        let of = groups.len();
        let label = found.app.label.clone();
        let prompts = groups.into_iter().enumerate().map(|(at, (_, permissions))| PermissionPrompt {
            package: package.to_owned(),
            label: label.clone(),
            again: permissions.iter().any(|name| found.permissions.state(name).user_set),
            permissions,
            number: at + 1,
            of,
        });
        let prompts: VecDeque<PermissionPrompt> = prompts.collect();
        if let Some(app) = self.tasks.app_mut(package) {
            app.asking = Some(Asking { names, prompts });
        }
        self.ask_on(package);
    }

    /// Shows the next permission dialog, or tells the app how all were answered.
    fn ask_on(&mut self, package: &str) {
        let Some(asking) = self.tasks.app_mut(package).and_then(|app| app.asking.as_mut()) else { return };
        if let Some(prompt) = asking.prompts.pop_front() {
            self.open_window(package, Purpose::Permission(prompt));
            return;
        }
        let names = self.tasks.app_mut(package).and_then(|app| app.asking.take()).map(|asking| asking.names);
        let around = self.surroundings(package);
        if let Some(app) = self.tasks.app_mut(package) {
            app.process.advance(&around);
        }
        for name in names.unwrap_or_default() {
            let granted = around.granted.contains(&name);
            self.answer(package, &SystemAnswer::Permission { name, granted });
        }
    }

    fn share(&mut self, package: &str, text: String, title: Option<String>) {
        let targets = self.share_targets(package);
        self.open_window(package, Purpose::Share(ShareSheet { text, title, targets }));
    }

    /// What the user chose in a window of the system.
    fn decided(&mut self, id: u64, choice: &str) {
        let Some((window, package)) = self.tasks.close_window(id) else { return };
        let package = package.unwrap_or_default();
        match window.purpose {
            Purpose::Permission(prompt) => {
                self.decide_permissions(&prompt, choice);
                self.ask_on(&package);
            }
            Purpose::Share(sheet) => {
                let target = choice.strip_prefix(answer::SHARE_WITH).map(ToOwned::to_owned);
                if choice == answer::COPY {
                    self.clipboard = Some(sheet.text.clone());
                }
                self.answer(&package, &SystemAnswer::Shared { target: target.clone() });
                if let Some(target) = target {
                    let _installed = self.start_activity(&target, None, Some(&send_uri(&sheet.text)));
                }
            }
            Purpose::Error(error) => self.decide_error(&error, choice),
            Purpose::Recents => {
                if choice == answer::CLEAR_ALL {
                    let all: Vec<String> = self.tasks.apps().map(|app| app.process.package().to_owned()).collect();
                    for package in all {
                        self.swipe_away(&package);
                    }
                    self.tasks.show_home();
                } else if let Some(package) = choice.strip_prefix(answer::CLEAR_ONE) {
                    self.swipe_away(package);
                }
            }
        }
    }

    /// A task swiped away among recent apps: its process ends, its data stays.
    fn swipe_away(&mut self, package: &str) {
        self.kill(package, "remove task");
    }

    fn decide_permissions(&mut self, prompt: &PermissionPrompt, choice: &str) {
        let api = self.config().api;
        let Some(found) = self.packages.get_mut(&prompt.package) else { return };
        let coarse = matches!(choice, answer::ALLOW_COARSE | answer::ALLOW_COARSE_ONCE);
        let one_time = matches!(choice, answer::ALLOW_ONCE | answer::ALLOW_COARSE_ONCE);
        // From Android 11 on, a second refusal is for good.
        let fixed = choice == answer::DENY_ALWAYS || (choice == answer::DENY && prompt.again && api.since(30));
        for name in &prompt.permissions {
            let granted = match choice {
                answer::ALLOW | answer::ALLOW_ONCE => true,
                answer::ALLOW_COARSE | answer::ALLOW_COARSE_ONCE => name != FINE,
                answer::ALLOW_SELECTED => name == SELECTED,
                _ => false,
            };
            let decided = choice != answer::DISMISSED;
            let user_fixed = fixed && !granted;
            found
                .permissions
                .set(name, PermissionState { granted, one_time: granted && one_time, user_set: decided, user_fixed });
        }
        let declares = |name: &str| found.app.permissions.iter().any(|declared| declared == name);
        let extra = if coarse && declares(COARSE) {
            Some(COARSE)
        } else if choice == answer::ALLOW_SELECTED && declares(SELECTED) {
            Some(SELECTED)
        } else {
            None
        };
        if let Some(name) = extra {
            let state = PermissionState { granted: true, one_time, user_set: true, user_fixed: false };
            found.permissions.set(name, state);
        }
    }

    fn decide_error(&mut self, error: &AppErrorPrompt, choice: &str) {
        match (error.trouble, choice) {
            (AppTrouble::NotResponding, answer::CLOSE) => self.kill(&error.package, "user request after error"),
            (AppTrouble::NotResponding, _) => {
                // Wait: the next touch starts the five seconds again.
                if let Some(app) = self.tasks.app_mut(&error.package) {
                    app.waiting_input = None;
                }
            }
            (AppTrouble::Stopped | AppTrouble::KeepsStopping, answer::RESTART) => {
                let _installed = self.start(&error.package);
            }
            (AppTrouble::Stopped | AppTrouble::KeepsStopping, _) => {}
        }
    }

    /// Shows the dialog about an app in trouble.
    pub(super) fn show_trouble(&mut self, package: &str, trouble: AppTrouble) {
        let label = self.packages.get(package).map_or_else(|| package.to_owned(), |found| found.app.label.clone());
        self.open_window(package, Purpose::Error(AppErrorPrompt { package: package.to_owned(), label, trouble }));
    }
}
