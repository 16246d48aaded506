//! The fixed commands the device room sends; what a case does to the screen comes from `skills/` by
//! [`ShellTemplate`](super::ShellTemplate).

use super::ShellLine;
use crate::domain::PackageName;

/// How `uiautomator dump` walks the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DumpMode {
    /// Every view.
    Full,
    /// `--compressed`: without views that are unimportant for accessibility. Their events do not disturb it either, so
    /// it finds some screens idle that the full dump does not.
    Compressed,
}

/// One dump, read back and removed, in one round trip. Only what `cat` prints counts: `uiautomator` exits with 0 and
/// prints its success line in cases of failure too (AOSP `DumpCommand.java`).
///
/// `uiautomator dump [--compressed] FILE; cat FILE; rm -f FILE`
pub fn dump(file: &str, mode: DumpMode) -> ShellLine {
    let dump = match mode {
        DumpMode::Full => ShellLine::words(["uiautomator", "dump", file]),
        DumpMode::Compressed => ShellLine::words(["uiautomator", "dump", "--compressed", file]),
    };
    ShellLine::sequence(&[dump, cat(file), remove(file)])
}

/// One dump written to the terminal instead of a file, for `exec:` (which has one): for devices where no file can be
/// written or read back. The success line follows the XML without a newline.
///
/// `uiautomator dump [--compressed] /dev/tty`
pub fn dump_to_terminal(mode: DumpMode) -> ShellLine {
    match mode {
        DumpMode::Full => ShellLine::fixed("uiautomator dump /dev/tty"),
        DumpMode::Compressed => ShellLine::fixed("uiautomator dump --compressed /dev/tty"),
    }
}

/// `cat FILE`
pub fn cat(file: &str) -> ShellLine {
    ShellLine::words(["cat", file])
}

/// `rm -f FILE`
pub fn remove(file: &str) -> ShellLine {
    ShellLine::words(["rm", "-f", file])
}

/// `screencap`: header and pixels, uncompressed.
pub fn screencap() -> ShellLine {
    ShellLine::fixed("screencap")
}

/// `screencap -p`: a PNG; smaller, and slower on the device.
pub fn screencap_png() -> ShellLine {
    ShellLine::fixed("screencap -p")
}

/// `dumpsys window displays; dumpsys input_method`: focus and keyboard in one round trip.
pub fn focus_and_keyboard() -> ShellLine {
    ShellLine::fixed("dumpsys window displays; dumpsys input_method")
}

/// `dumpsys activity activities`: the resumed activity, for devices whose window dump names no focus there (API 28 and
/// below).
pub fn activities() -> ShellLine {
    ShellLine::fixed("dumpsys activity activities")
}

/// `getprop; wm size; wm density`: what the device is, in one round trip.
pub fn describe() -> ShellLine {
    ShellLine::fixed("getprop; wm size; wm density")
}

/// `getprop sys.boot_completed; df -k /data; dumpsys battery`: whether a device is fit for a run, in one round trip.
pub fn health() -> ShellLine {
    ShellLine::fixed("getprop sys.boot_completed; df -k /data; dumpsys battery")
}

/// `settings get NAMESPACE NAME`; prints `null` for what is not set.
pub fn setting(namespace: &str, name: &str) -> ShellLine {
    ShellLine::words(["settings", "get", namespace, name])
}

/// `settings put NAMESPACE NAME VALUE`
pub fn set_setting(namespace: &str, name: &str, value: &str) -> ShellLine {
    ShellLine::words(["settings", "put", namespace, name, value])
}

/// `settings delete NAMESPACE NAME`
pub fn delete_setting(namespace: &str, name: &str) -> ShellLine {
    ShellLine::words(["settings", "delete", namespace, name])
}

/// `getprop sys.boot_completed`: `1` once the system has booted.
pub fn has_booted() -> ShellLine {
    ShellLine::fixed("getprop sys.boot_completed")
}

/// `getevent -lp`: the input devices and what they can do.
pub fn input_devices() -> ShellLine {
    ShellLine::fixed("getevent -lp")
}

/// `getevent -lt`: what the input devices feel, line by line, without end.
pub fn input_events() -> ShellLine {
    ShellLine::fixed("getevent -lt")
}

/// `dumpsys package PACKAGE`
pub fn package_details(package: &PackageName) -> ShellLine {
    ShellLine::words(["dumpsys", "package", package.as_str()])
}

/// `pm path PACKAGE`: where the files of an app lie, its base first.
pub fn app_paths(package: &PackageName) -> ShellLine {
    ShellLine::words(["pm", "path", package.as_str()])
}

/// `input keyevent KEYCODE_SHIFT_LEFT`: a key that does nothing by itself. An app that leaves it unanswered for five seconds
/// is reported as not responding (AOSP `InputDispatcher`).
pub fn nudge() -> ShellLine {
    ShellLine::words(["input", "keyevent", "59"])
}

/// `echo alive`: what a device that lives answers at once.
pub fn sign_of_life() -> ShellLine {
    ShellLine::fixed("echo alive")
}

/// `am force-stop PACKAGE`; silent, exit 0 even for an unknown package.
pub fn force_stop(package: &PackageName) -> ShellLine {
    ShellLine::words(["am", "force-stop", package.as_str()])
}

/// `pm clear PACKAGE`
pub fn clear(package: &PackageName) -> ShellLine {
    ShellLine::words(["pm", "clear", package.as_str()])
}

/// `pm uninstall PACKAGE`: removes an app and its data.
pub fn uninstall(package: &PackageName) -> ShellLine {
    ShellLine::words(["pm", "uninstall", package.as_str()])
}

/// `cmd package resolve-activity --brief PACKAGE`: the launcher activity.
pub fn resolve_launcher(package: &PackageName) -> ShellLine {
    ShellLine::words(["cmd", "package", "resolve-activity", "--brief", package.as_str()])
}

/// `date '+%m-%d %H:%M:%S.%N'`: the device's clock, in the form `logcat -T` takes.
pub fn clock() -> ShellLine {
    ShellLine::words(["date", "+%m-%d %H:%M:%S.%N"])
}

/// Force-stop, clear, clock and launcher activity in one round trip; the clock is read after the old process is gone.
pub fn reset(package: &PackageName) -> ShellLine {
    ShellLine::sequence(&[force_stop(package), clear(package), clock(), resolve_launcher(package)])
}

/// Clock and launcher activity in one round trip.
pub fn locate(package: &PackageName) -> ShellLine {
    ShellLine::sequence(&[clock(), resolve_launcher(package)])
}

/// `am start -W -n COMPONENT`, waiting for the first frame.
pub fn start_activity(component: &str) -> ShellLine {
    ShellLine::words(["am", "start", "-W", "-n", component])
}

/// Makes a device believe that it is somewhere, through a test provider in place of its GPS (`cmd location`, Android 12
/// and later: AOSP `LocationShellCommand.java`). Every line must succeed.
pub fn pretend_place(place: crate::domain::Place) -> [ShellLine; 4] {
    let at = place.to_string();
    [
        ShellLine::words(["appops", "set", "com.android.shell", "android:mock_location", "allow"]),
        ShellLine::words(["cmd", "location", "providers", "add-test-provider", "gps"]),
        ShellLine::words(["cmd", "location", "providers", "set-test-provider-enabled", "gps", "true"]),
        ShellLine::words(["cmd", "location", "providers", "set-test-provider-location", "gps", "--location", &at]),
    ]
}

/// `logcat -d -v threadtime -b main -b system -b crash -T 'MM-DD HH:MM:SS.mmm'`: everything since then. ANRs are in the
/// system buffer, crashes in the crash buffer.
pub fn log_since(time: &str) -> ShellLine {
    ShellLine::words(["logcat", "-d", "-v", "threadtime", "-b", "main", "-b", "system", "-b", "crash", "-T", time])
}

/// `cmd package 'install' '-r' '-S' SIZE`, word for word as `adb install` sends it.
pub(super) fn install(size: u64) -> ShellLine {
    ShellLine::trusted(format!("cmd package 'install' '-r' '-S' {size}"))
}

/// `cmd package install-create -r -S BYTES`: a session for an app of several files.
pub(super) fn install_create(bytes: u64) -> ShellLine {
    ShellLine::words(["cmd", "package", "install-create", "-r", "-S", &bytes.to_string()])
}

/// `cmd package install-write -S SIZE SESSION NAME -`: one of the files, from standard input.
pub(super) fn install_write(session: u32, name: &str, size: u64) -> ShellLine {
    let (size, session) = (size.to_string(), session.to_string());
    ShellLine::words(["cmd", "package", "install-write", "-S", &size, &session, name, "-"])
}

/// `cmd package install-commit SESSION`
pub(super) fn install_commit(session: u32) -> ShellLine {
    ShellLine::words(["cmd", "package", "install-commit", &session.to_string()])
}

/// `cmd package install-abandon SESSION`
pub(super) fn install_abandon(session: u32) -> ShellLine {
    ShellLine::words(["cmd", "package", "install-abandon", &session.to_string()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_outside_are_quoted() {
        let odd = PackageName::new("a; reboot");
        for line in [force_stop(&odd), clear(&odd), resolve_launcher(&odd), package_details(&odd)] {
            assert!(line.as_sent().ends_with(" 'a; reboot'"), "{}", line.as_sent());
        }
        assert_eq!(start_activity("p/.Main$Inner").as_sent(), "am start -W -n 'p/.Main$Inner'");
        assert!(log_since("11-20 08:00:00.000").as_sent().ends_with(" -T '11-20 08:00:00.000'"));
    }

    #[test]
    fn a_dump_is_written_read_and_removed() {
        assert_eq!(
            dump("/data/local/tmp/d.xml", DumpMode::Compressed).as_sent(),
            "uiautomator dump --compressed /data/local/tmp/d.xml; cat /data/local/tmp/d.xml; rm -f /data/local/tmp/d.xml"
        );
    }

    #[test]
    fn installing_reads_as_adb_sends_it() {
        assert_eq!(install(12).as_sent(), "cmd package 'install' '-r' '-S' 12");
    }
}
