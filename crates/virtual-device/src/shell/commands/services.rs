//! The services a device has: `service list|check`, and what `cmd -l` and `dumpsys -l` list.

use super::{Exit, Invocation};

/// Names and interfaces, in `service list`'s order. Only what this device really answers for is listed.
pub(super) const SERVICES: [(&str, &str); 22] = [
    ("SurfaceFlinger", "android.ui.ISurfaceComposer"),
    ("activity", "android.app.IActivityManager"),
    ("battery", ""),
    ("clipboard", "android.content.IClipboard"),
    ("connectivity", "android.net.IConnectivityManager"),
    ("display", "android.hardware.display.IDisplayManager"),
    ("dropbox", "com.android.internal.os.IDropBoxManagerService"),
    ("input", "android.hardware.input.IInputManager"),
    ("input_method", "com.android.internal.view.IInputMethodManager"),
    ("locale", "android.app.ILocaleManager"),
    ("location", "android.location.ILocationManager"),
    ("lock_settings", "com.android.internal.widget.ILockSettings"),
    ("meminfo", ""),
    ("notification", "android.app.INotificationManager"),
    ("package", "android.content.pm.IPackageManager"),
    ("phone", "com.android.internal.telephony.ITelephony"),
    ("power", "android.os.IPowerManager"),
    ("settings", ""),
    ("statusbar", "com.android.internal.statusbar.IStatusBarService"),
    ("uimode", "android.app.IUiModeManager"),
    ("wifi", "android.net.wifi.IWifiManager"),
    ("window", "android.view.IWindowManager"),
];

/// `Currently running services:` as `cmd -l` and `dumpsys -l` print it.
pub(super) fn listing() -> String {
    let names: String = SERVICES.iter().map(|(name, _)| format!("  {name}\n")).collect();
    format!("Currently running services:\n{names}")
}

/// True when there is such a service.
pub(super) fn exists(name: &str) -> bool {
    SERVICES.iter().any(|(known, _)| *known == name)
}

pub(super) fn service(invocation: &Invocation<'_>) -> Exit {
    match invocation.rest().as_slice() {
        ["list", ..] => {
            let mut text = format!("Found {} services:\n", SERVICES.len());
            for (at, (name, interface)) in SERVICES.iter().enumerate() {
                text.push_str(&format!("{at}\t{name}: [{interface}]\n"));
            }
            invocation.out(text);
            Exit::SUCCESS
        }
        ["check", name, ..] => {
            let found = if exists(name) { "found" } else { "not found" };
            invocation.out(format!("Service {name}: {found}\n"));
            Exit::SUCCESS
        }
        ["check"] => {
            invocation.err("service: No service specified for check\n");
            usage(invocation)
        }
        ["call", name, ..] if !exists(name) => {
            invocation.err(format!("service: Service {name} does not exist\n"));
            Exit::Code(10)
        }
        ["call", ..] => {
            invocation
                .err("service: a virtual device has no binder; use the service's own command instead of `call`\n");
            Exit::Code(10)
        }
        [] => usage(invocation),
        [other, ..] => {
            invocation.err(format!("service: Unknown command {other}\n"));
            usage(invocation)
        }
    }
}

fn usage(invocation: &Invocation<'_>) -> Exit {
    invocation.out(
        "Usage: service [-h|-?]\n       service list\n       service check SERVICE\n       service call SERVICE CODE \
         [i32 N | i64 N | f N | d N | s16 STR | null | fd f | nfd n | afd f ] ...\n",
    );
    Exit::Code(10)
}
