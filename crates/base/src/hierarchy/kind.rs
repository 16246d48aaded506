//! What kind of screen this is, as far as it changes what a person would do next.

use super::visibility::Visibility;
use super::{Role, UiTree, Widget};
use serde::Serialize;
use std::fmt;

/// The kind of a screen, the most urgent that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ScreenKind {
    /// The system says that an app has crashed.
    Crash,
    /// The system says that an app does not respond.
    NotResponding,
    /// The system asks whether an app may do something.
    Permission,
    /// A window of its own over the rest: a dialog or a sheet.
    Dialog,
    /// Something is being waited for and little else is shown.
    Loading,
    /// Nothing that has a name: a canvas, a game, a protected or a broken tree.
    Empty,
    /// A web page fills most of it.
    Web,
    /// The soft keyboard is up.
    Keyboard,
    /// None of these.
    #[default]
    Ordinary,
}

impl fmt::Display for ScreenKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Crash => "crash",
            Self::NotResponding => "not_responding",
            Self::Permission => "permission",
            Self::Dialog => "dialog",
            Self::Loading => "loading",
            Self::Empty => "empty",
            Self::Web => "web",
            Self::Keyboard => "keyboard",
            Self::Ordinary => "ordinary",
        })
    }
}

/// Most usable widgets a screen that only waits may have: back, cancel.
const MOST_WHILE_LOADING: usize = 2;
/// Most texts beside them: a title, what is being done, how far it is.
const MOST_TEXTS_WHILE_LOADING: usize = 3;

pub(super) fn kind_of(tree: &UiTree, seen: &Visibility, widgets: &[Widget], keyboard: bool) -> ScreenKind {
    let visible = || tree.nodes.iter().enumerate().filter(|(index, _)| seen.is_visible(*index));
    let has_id = |ids: &[&str]| visible().any(|(_, node)| ids.contains(&node.resource_id.as_str()));
    let id_ends = |ends: &[&str]| visible().any(|(_, node)| ends.iter().any(|end| node.resource_id.ends_with(end)));
    // `app_error.xml` and `app_anr_dialog.xml` of the platform: only the latter offers to wait.
    if has_id(&["android:id/aerr_wait"]) {
        return ScreenKind::NotResponding;
    }
    if has_id(&["android:id/aerr_close", "android:id/aerr_restart", "android:id/aerr_app_info"]) {
        return ScreenKind::Crash;
    }
    let asks = |package: &str| package.ends_with(".permissioncontroller") || package.ends_with(".packageinstaller");
    if visible().any(|(_, node)| {
        (asks(&node.package) || node.package == "com.lbe.security.miui")
            && (node.resource_id.contains(":id/permission_") || node.resource_id.ends_with(":id/grant_dialog"))
    }) {
        return ScreenKind::Permission;
    }
    if is_dialog(tree, seen) || id_ends(&["/alertTitle", "/parentPanel", "/design_bottom_sheet", "/bottom_sheet"]) {
        return ScreenKind::Dialog;
    }
    let waits = |class: &str| class.ends_with("ProgressBar") || class.ends_with("ProgressIndicator");
    let usable = widgets.iter().filter(|widget| widget.clickable || widget.role == Role::Field).count();
    let texts = widgets.iter().filter(|widget| widget.role == Role::Text).count();
    if usable <= MOST_WHILE_LOADING
        && texts <= MOST_TEXTS_WHILE_LOADING
        && visible().any(|(_, node)| waits(&node.class))
    {
        return ScreenKind::Loading;
    }
    if widgets.iter().all(|widget| widget.label.is_empty() && widget.value.is_empty()) {
        return ScreenKind::Empty;
    }
    let page = |index: usize| seen.rects[index].is_some_and(|rect| 2 * rect.area() >= seen.display.area());
    if visible().any(|(index, node)| node.class.ends_with("WebView") && page(index)) {
        return ScreenKind::Web;
    }
    if keyboard { ScreenKind::Keyboard } else { ScreenKind::Ordinary }
}

/// A dialog's window is smaller than the display on at least three sides, a bottom sheet's on one that is the top and by
/// a good part; an app's own window is only short of the system bars.
fn is_dialog(tree: &UiTree, seen: &Visibility) -> bool {
    let display = seen.display;
    let mut roots = (0..tree.nodes.len()).filter(|&at| tree.nodes[at].parent.is_none()).filter_map(|at| seen.rects[at]);
    let (Some(root), None) = (roots.next(), roots.next()) else { return false };
    let (width, height) = (display.width(), display.height());
    let inset = [
        20 * (root.left - display.left) > width,
        20 * (root.top - display.top) > 3 * height,
        20 * (display.right - root.right) > width,
        20 * (display.bottom - root.bottom) > 3 * height,
    ];
    inset.iter().filter(|inset| **inset).count() >= 2 || 10 * (root.top - display.top) > 3 * height
}

#[cfg(test)]
#[path = "kind_tests.rs"]
mod tests;
