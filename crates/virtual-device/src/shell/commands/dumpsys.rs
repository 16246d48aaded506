//! `dumpsys SERVICE …`.

use super::window_dump::{self, Focus};
use super::{Exit, Invocation};
use super::{service_dumps, services};
use crate::system::{PackageInfo, apk_path, short_component};

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let system = invocation.system.lock();
    // Up to Android 9 the focus stands under `windows`, since then under `displays`.
    let (in_windows, in_displays) =
        if system.config().api.since(29) { (Focus::Left, Focus::Shown) } else { (Focus::Shown, Focus::Left) };
    let text = match invocation.rest().as_slice() {
        ["window", "displays" | "d", ..] => window_dump::displays(&system, in_displays),
        ["window", "windows" | "w", ..] => window_dump::windows(&system, in_windows),
        ["window", "policy" | "p", ..] => service_dumps::window_policy(&system),
        ["window", ..] => {
            window_dump::displays(&system, in_displays) + window_dump::windows(&system, in_windows).as_str()
        }
        ["activity", "top", ..] => service_dumps::top(&system),
        ["activity", "processes" | "p", ..] => service_dumps::activity_processes(&system),
        ["activity", "activities" | "a", ..] | ["activity"] => window_dump::activities(&system),
        ["input", ..] => service_dumps::input(&system),
        ["input_method", ..] => service_dumps::input_method(&system),
        ["package", name, ..] => match system.package(name) {
            Some(info) => package(&info),
            None => format!("Unable to find package: {name}\n"),
        },
        ["dropbox", rest @ ..] => system.dropbox.print(rest),
        ["power", ..] => service_dumps::POWER.to_owned(),
        ["battery", ..] => service_dumps::BATTERY.to_owned(),
        ["display", ..] => service_dumps::display(&system),
        ["meminfo", rest @ ..] => {
            service_dumps::memory(&system, rest.iter().find(|word| !word.starts_with('-')).copied())
        }
        ["wifi" | "connectivity", ..] => service_dumps::network(&system),
        ["location", ..] => service_dumps::location(&system),
        ["SurfaceFlinger", rest @ ..] => service_dumps::surface_flinger(&system, rest),
        ["-l"] => services::listing(),
        // Everything at once, each service under its name.
        [] => {
            drop(system);
            return every(invocation);
        }
        // A service that is there but has nothing to tell.
        [known, ..] if services::exists(known) => String::new(),
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

fn every(invocation: &Invocation<'_>) -> Exit {
    invocation.out(services::listing());
    for (name, _) in services::SERVICES {
        let dashes = "-".repeat(79);
        invocation.out(format!("{dashes}\nDUMP OF SERVICE {name}:\n"));
        run(&invocation.with_args(vec!["dumpsys".to_owned(), name.to_owned()]));
    }
    Exit::SUCCESS
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
         flags=[ HAS_CODE ALLOW_CLEAR_USER_DATA ]\n    pkgFlags=[ HAS_CODE ALLOW_CLEAR_USER_DATA ]\n    \
         signatures=PackageSignatures{{{hash} version:2, signatures:[{hash}], past signatures:[]}}\n    lastUpdateTime={updated}\n    requested permissions:\n{requested}    \
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
