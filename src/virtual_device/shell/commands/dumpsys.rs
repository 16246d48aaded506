//! `dumpsys SERVICE …`.

use super::window_dump::{self, Focus};
use super::{Exit, Invocation};
use crate::virtual_device::system::{PackageInfo, VirtualSystem, apk_path, short_component};

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let system = invocation.system.lock();
    // Up to Android 9 the focus stands under `windows`, since then under `displays`.
    let (in_windows, in_displays) =
        if system.config().api.since(29) { (Focus::Left, Focus::Shown) } else { (Focus::Shown, Focus::Left) };
    let text = match invocation.rest().as_slice() {
        ["window", "displays" | "d", ..] => window_dump::displays(&system, in_displays),
        ["window", "windows" | "w", ..] => window_dump::windows(&system, in_windows),
        ["window", ..] => {
            window_dump::displays(&system, in_displays) + window_dump::windows(&system, in_windows).as_str()
        }
        ["activity", "activities" | "a" | "top", ..] | ["activity"] => window_dump::activities(&system),
        ["input_method", ..] => window_dump::input_method(&system),
        ["package", name, ..] => match system.package(name) {
            Some(info) => package(&info),
            None => format!("Unable to find package: {name}\n"),
        },
        ["dropbox", rest @ ..] => system.dropbox.print(rest),
        ["power", ..] => "POWER MANAGER (dumpsys power)\n\nPower Manager State:\n  mWakefulness=Awake\n  \
                          mIsPowered=true\n\nDisplay Power: state=ON\n"
            .to_owned(),
        ["battery", ..] => "Current Battery Service state:\n  AC powered: true\n  USB powered: false\n  status: 2\n  \
                            health: 2\n  present: true\n  level: 100\n  scale: 100\n"
            .to_owned(),
        ["display", ..] => display(&system),
        ["SurfaceFlinger", "--display-id"] => {
            "Display 4619827259835644672 (HWC display 0): port=0 pnpId=TWV displayName=\"Tapwright\"\n".to_owned()
        }
        ["-l"] | [] => {
            "Currently running services:\n  activity\n  battery\n  display\n  input_method\n  package\n  power\n  window\n"
                .to_owned()
        }
        [other, ..] => {
            drop(system);
            invocation.err(format!("Can't find service: {other}\n"));
            return Exit::SUCCESS;
        }
    };
    drop(system);
    invocation.out(text);
    Exit::SUCCESS
}

fn display(system: &VirtualSystem) -> String {
    let size = system.display();
    format!(
        "DISPLAY MANAGER (dumpsys display)\n  mBaseDisplayInfo=DisplayInfo{{\"Built-in Screen\", displayId 0, real {0} \
         x {1}, density {2}, rotation {3}, state ON}}\n",
        size.width,
        size.height,
        system.density(),
        system.rotation()
    )
}

fn package(info: &PackageInfo) -> String {
    let app = &info.app;
    let requested: String = app.permissions.iter().map(|name| format!("      {name}\n")).collect();
    let installed = app.permissions.iter().filter(|name| !info.permissions.contains_key(*name));
    let installed: String = installed.map(|name| format!("      {name}: granted=true\n")).collect();
    let runtime: String = info
        .permissions
        .iter()
        .map(|(name, state)| format!("        {name}: granted={}, flags=[ {}]\n", state.granted, state.flags()))
        .collect();
    let time = |time: jiff::Timestamp| time.strftime("%Y-%m-%d %H:%M:%S").to_string();
    let component = short_component(&app.package, &app.launcher_activity);
    format!(
        "Activity Resolver Table:\n  Non-Data Actions:\n      android.intent.action.MAIN:\n        {hash} {component} \
         filter {hash}\n          Action: \"android.intent.action.MAIN\"\n          Category: \
         \"android.intent.category.LAUNCHER\"\n\nPackages:\n  Package [{package}] ({hash}):\n    userId={uid}\n    \
         codePath={path}\n    versionCode={code} minSdk=24 targetSdk=36\n    versionName={name}\n    \
         flags=[ HAS_CODE ALLOW_CLEAR_USER_DATA ]\n    lastUpdateTime={updated}\n    requested permissions:\n{requested}    \
         install permissions:\n{granted}    User 0: installed=true \
         hidden=false stopped=false\n      firstInstallTime={installed}\n      runtime permissions:\n{runtime}",
        hash = format_args!("{:07x}", info.uid.wrapping_mul(40_503)),
        package = app.package,
        uid = info.uid,
        path = apk_path(&app.package).trim_end_matches("/base.apk"),
        code = app.version_code,
        name = app.version_name,
        updated = time(info.updated_at),
        granted = installed,
        installed = time(info.installed_at),
    )
}
