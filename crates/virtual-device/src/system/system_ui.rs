//! The seam through which the system's own windows come in: home screen, dialogs, share sheet, recent apps.

use super::{ApiLevel, LaunchContext};
use crate::AppProcess;

/// Makes the system's own windows. What the user chose in one comes back as
/// [`SystemRequest::Answer`](crate::SystemRequest::Answer) with one of the texts of [`answer`].
pub trait SystemUi: Send + Sync {
    /// The home screen with `(package, label)` of every app that can be launched, sorted by package.
    fn home(&self, context: LaunchContext, apps: Vec<(String, String)>) -> Box<dyn AppProcess>;

    /// A runtime permission dialog.
    fn permission(&self, context: LaunchContext, prompt: PermissionPrompt) -> Box<dyn AppProcess>;

    /// The share sheet.
    fn share(&self, context: LaunchContext, sheet: ShareSheet) -> Box<dyn AppProcess>;

    /// The dialog about an app that crashed or does not respond.
    fn app_error(&self, context: LaunchContext, error: AppErrorPrompt) -> Box<dyn AppProcess>;

    /// Recent apps; asks by `Launch`, closes by `Answer(answer::DISMISSED)`.
    fn recents(&self, context: LaunchContext, tasks: Vec<RecentTask>) -> Box<dyn AppProcess>;
}

/// What a user can answer in a system window.
pub mod answer {
    /// Closed without a choice (BACK, a touch outside).
    pub const DISMISSED: &str = "dismissed";
    /// Permission: always, or while in use.
    pub const ALLOW: &str = "allow";
    /// Permission: this time only.
    pub const ALLOW_ONCE: &str = "allow_once";
    /// Permission: approximate location only, while in use.
    pub const ALLOW_COARSE: &str = "allow_coarse";
    /// Permission: approximate location only, this time.
    pub const ALLOW_COARSE_ONCE: &str = "allow_coarse_once";
    /// Permission: some photos only.
    pub const ALLOW_SELECTED: &str = "allow_selected";
    /// Permission: no.
    pub const DENY: &str = "deny";
    /// Permission: no, and never ask again.
    pub const DENY_ALWAYS: &str = "deny_always";
    /// Error: end the app.
    pub const CLOSE: &str = "close";
    /// Error: wait for it.
    pub const WAIT: &str = "wait";
    /// Error: start it again.
    pub const RESTART: &str = "restart";
    /// Error: the app's page in the settings.
    pub const APP_INFO: &str = "app_info";
    /// Recent apps: end all.
    pub const CLEAR_ALL: &str = "clear_all";
    /// Recent apps: this before the package of the one to end.
    pub const CLEAR_ONE: &str = "clear:";
    /// Share: put the text on the clipboard.
    pub const COPY: &str = "copy";
    /// Share: this before a package name.
    pub const SHARE_WITH: &str = "share:";
}

/// A question about one permission, or several that one dialog asks about (location).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermissionPrompt {
    /// Who asks.
    pub package: String,
    /// Its name.
    pub label: String,
    /// `android.permission.CAMERA`…
    pub permissions: Vec<String>,
    /// Denied once before: the dialog offers not to ask again.
    pub again: bool,
    /// This question's number, from 1.
    pub number: usize,
    /// How many there are in all.
    pub of: usize,
}

/// What is shared, and with whom it may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareSheet {
    /// The text.
    pub text: String,
    /// The sheet's title.
    pub title: Option<String>,
    /// Other apps as `(package, label)`.
    pub targets: Vec<(String, String)>,
}

/// An app in trouble.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppErrorPrompt {
    /// Process name: its package.
    pub package: String,
    /// Its name.
    pub label: String,
    /// What happened.
    pub trouble: AppTrouble,
}

/// What happened to an app.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppTrouble {
    /// `X has stopped`.
    Stopped,
    /// `X keeps stopping`.
    KeepsStopping,
    /// `X isn't responding`.
    NotResponding,
}

/// A task on the recent-apps screen.
pub struct RecentTask {
    /// Its package.
    pub package: String,
    /// Its name.
    pub label: String,
    /// How it looked.
    pub picture: crate::domain::Screenshot,
}

/// Where the permission controller lives: package of its nodes, of its resource ids, and its class.
pub fn permission_controller(api: ApiLevel) -> (&'static str, &'static str, &'static str) {
    if api.since(29) {
        (
            "com.google.android.permissioncontroller",
            "com.android.permissioncontroller",
            "com.android.permissioncontroller.permission.ui.GrantPermissionsActivity",
        )
    } else {
        (
            "com.android.packageinstaller",
            "com.android.packageinstaller",
            "com.android.packageinstaller.permission.ui.GrantPermissionsActivity",
        )
    }
}
