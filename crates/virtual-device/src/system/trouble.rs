//! Crashes and apps that do not respond: what is logged, and whether a dialog comes (`AppErrors.java`, `AnrHelper`).

use super::dropbox::DropBoxEntry;
use super::logcat::Buffer;
use super::system_ui::AppTrouble;
use super::{Namespace, Priority, VirtualSystem, short_component};
use std::time::Duration;

/// How long an app may leave input unanswered (`DEFAULT_DISPATCHING_TIMEOUT_MILLIS`).
const DISPATCHING_TIMEOUT: Duration = Duration::from_secs(5);
/// How long after `am crash` the process dies: the command is over before.
const CRASH_DELAY: Duration = Duration::from_millis(50);
/// `ApplicationInfo.flags` as the event log prints them: `HAS_CODE`, `ALLOW_CLEAR_USER_DATA`…
const FLAGS: u32 = 545_832_518;

/// When an app crashed last, since boot.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CrashHistory {
    last: Option<Duration>,
    last_dialog: Option<Duration>,
}

/// The parts of a Java crash report.
#[derive(Debug, Default, PartialEq, Eq)]
struct Thrown {
    class: String,
    message: String,
    file: String,
    line: u32,
}

impl Thrown {
    /// Reads `java.lang.X: message`, then the first frame's `(File.java:42)`.
    fn parse(report: &str) -> Self {
        let mut lines =
            report.lines().skip_while(|line| line.starts_with("FATAL EXCEPTION") || line.starts_with("Process: "));
        let head = lines.next().unwrap_or_default();
        let (class, message) = head.split_once(": ").unwrap_or((head, ""));
        let place = lines.find_map(|line| line.trim_start().strip_prefix("at ")?.split_once('(')?.1.split_once(')'));
        let (file, line) = place.and_then(|(place, _)| place.split_once(':')).unwrap_or(("NULL", "0"));
        Self {
            class: class.to_owned(),
            message: message.to_owned(),
            file: file.to_owned(),
            line: line.parse().unwrap_or(0),
        }
    }
}

impl VirtualSystem {
    /// Within this time after a crash another one shows a dialog (`MIN_CRASH_INTERVAL`; longer since Android 12).
    fn crash_interval(&self) -> Duration {
        Duration::from_secs(if self.config().api.since(31) { 120 } else { 60 })
    }

    fn global_is_on(&self, key: &str) -> bool {
        self.settings.get(Namespace::Global, key) == Some("1")
    }

    /// `am crash`: the process dies of an exception a moment later. False when it does not run.
    pub fn crash_app(&mut self, package: &str) -> bool {
        let runs = self.tasks.app(package).is_some();
        if runs {
            self.ordered_crashes.push((self.uptime() + CRASH_DELAY, package.to_owned()));
        }
        runs
    }

    pub(super) fn crash_as_ordered(&mut self) {
        let now = self.uptime();
        let (due, later) = std::mem::take(&mut self.ordered_crashes).into_iter().partition(|(at, _)| *at <= now);
        self.ordered_crashes = later;
        let due: Vec<(Duration, String)> = due;
        for (_, package) in due {
            let Some(pid) = self.tasks.app(&package).map(|app| app.pid) else { continue };
            let exception = if self.config().api.since(31) {
                "android.app.RemoteServiceException$CrashedByAdbException: shell-induced crash"
            } else {
                "android.app.RemoteServiceException: shell-induced crash"
            };
            let report = format!(
                "FATAL EXCEPTION: main\nProcess: {package}, PID: {pid}\n{exception}\n\
                 \tat android.app.ActivityThread.throwRemoteServiceException(ActivityThread.java:1983)\n\
                 \tat android.app.ActivityThread.-$$Nest$mthrowRemoteServiceException(Unknown Source:0)\n\
                 \tat android.app.ActivityThread$H.handleMessage(ActivityThread.java:2242)\n\
                 \tat android.os.Handler.dispatchMessage(Handler.java:106)\n\
                 \tat android.os.Looper.loop(Looper.java:288)\n\
                 \tat android.app.ActivityThread.main(ActivityThread.java:7872)"
            );
            self.log_line(Buffer::Crash, pid, Priority::Error, "AndroidRuntime", report);
            self.bury(&package);
        }
    }

    /// What follows a crash whose report is in the log already. The first one shows no dialog: the activity finishes and
    /// what lies below returns.
    pub(super) fn bury(&mut self, package: &str) {
        let Some(app) = self.tasks.app(package) else { return };
        let (pid, activity, started) = (app.pid, app.process.activity(), app.started);
        let report = self.log.of(&[Buffer::Crash]).filter(|entry| entry.pid == pid).last();
        let report = report.map(|entry| entry.message.clone()).unwrap_or_default();
        let thrown = Thrown::parse(&report);
        let event = format!(
            "[{pid},0,{package},{FLAGS},{},{},{},{},0]",
            thrown.class, thrown.message, thrown.file, thrown.line
        );
        self.log_event("am_crash", event);
        let component = short_component(package, &activity);
        self.log_system(Priority::Warn, "ActivityTaskManager", format!("  Force finishing activity {component}"));
        let trace = report.lines().skip(2).collect::<Vec<_>>().join("\n") + "\n";
        self.drop_report("data_app_crash", package, pid, started, None, &trace);
        self.log_line(Buffer::Main, pid, Priority::Info, "Process", format!("Sending signal. PID: {pid} SIG: 9"));
        let died = format!("Process {package} (pid {pid}) has died: fg  TOP ");
        self.log_system(Priority::Info, "ActivityManager", died);
        self.log_event("am_proc_died", format!("[0,{pid},{package},0,2]"));
        self.end(package);
        let (now, interval) = (self.uptime(), self.crash_interval());
        let recent = |time: Option<Duration>| time.is_some_and(|time| now < time + interval);
        let history = self.crashes.entry(package.to_owned()).or_default();
        let repeating = recent(history.last);
        let throttled = recent(history.last_dialog);
        history.last = Some(now);
        let first = self.global_is_on("show_first_crash_dialog")
            || self.settings.get(Namespace::Secure, "show_first_crash_dialog_dev_option") == Some("1");
        if (first || repeating) && !throttled && !self.global_is_on("hide_error_dialogs") {
            if let Some(history) = self.crashes.get_mut(package) {
                history.last_dialog = Some(now);
            }
            let line = format!("Showing crash dialog for package {package} u0");
            self.log_system(Priority::Info, "ActivityManager", line);
            self.show_trouble(package, if repeating { AppTrouble::KeepsStopping } else { AppTrouble::Stopped });
        }
    }

    /// Apps that have left input unanswered for too long.
    pub(super) fn find_unresponsive(&mut self) {
        let now = self.uptime();
        let stuck = self.tasks.apps().filter_map(|app| {
            let (since, kind) = app.waiting_input?;
            (app.process.hung() && now >= since + DISPATCHING_TIMEOUT).then(|| (app.process.package().to_owned(), kind))
        });
        for (package, kind) in stuck.collect::<Vec<_>>() {
            self.not_responding(&package, kind);
        }
    }

    fn not_responding(&mut self, package: &str, input: &str) {
        let Some(app) = self.tasks.app_mut(package) else { return };
        // Until the dialog is answered nothing more is said.
        app.waiting_input = Some((Duration::MAX / 2, "MotionEvent"));
        let (pid, activity, started) = (app.pid, app.process.activity(), app.started);
        let component = short_component(package, &activity);
        let window = format!("{:x} {package}/{activity}", pid.wrapping_mul(2_654_435_761) & 0x0fff_ffff);
        let reason =
            format!("Input dispatching timed out ({window} (server) is not responding. Waited 5001ms for {input})");
        let hash = window.split(' ').next().unwrap_or_default();
        self.log_system(
            Priority::Info,
            "WindowManager",
            format!(
                "ANR in Window{{{hash} u0 {package}/{activity}}}. Reason:Input dispatching timed out ({window} (server) is \
                 not responding. Waited 5001ms for {input})."
            ),
        );
        self.log_event("am_anr", format!("[0,{pid},{package},{FLAGS},{reason}]"));
        let usage = "CPU usage from 0ms to 5012ms later:\n  96% 600/system_server: 61% user + 35% kernel\n";
        let report = format!(
            "ANR in {package} ({component})\nPID: {pid}\nReason: {reason}\nParent: {component}\nFrozen: false\nLoad: 1.26 / \
             0.84 / 0.43\n{usage}"
        );
        self.log_system(Priority::Error, "ActivityManager", report.trim_end().to_owned());
        let trace = format!(
            "{usage}\n----- pid {pid} at {} -----\nCmd line: {package}\n\n\"main\" prio=5 tid=1 Sleeping\n  at \
             java.lang.Thread.sleep(Native method)\n  at {activity}.onUserAction({}.java:42)\n  at \
             android.os.Looper.loop(Looper.java:288)\n\n----- end {pid} -----\n",
            self.wall().strftime("%Y-%m-%d %H:%M:%S"),
            activity.rsplit('.').next().unwrap_or_default(),
        );
        self.drop_report("data_app_anr", package, pid, started, Some((&component, &reason)), &trace);
        if self.global_is_on("hide_error_dialogs") {
            self.kill(package, "user request after error");
        } else {
            self.show_trouble(package, AppTrouble::NotResponding);
        }
    }

    /// Leaves a report in the drop box (`ActivityManagerService.addErrorToDropBox`).
    fn drop_report(
        &mut self,
        tag: &'static str,
        package: &str,
        pid: u32,
        started: Duration,
        anr: Option<(&str, &str)>,
        body: &str,
    ) {
        let uid = self.uid(package);
        let version = self.package(package).map_or_else(String::new, |info| {
            format!("Package: {package} v{} ({})\n", info.app.version_code, info.app.version_name)
        });
        let lifetime = self.uptime().saturating_sub(started).as_millis();
        let subject =
            anr.map_or_else(String::new, |(activity, subject)| format!("Activity: {activity}\nSubject: {subject}\n"));
        let build = self.properties.get("ro.build.fingerprint");
        let text = format!(
            "Process: {package}\nPID: {pid}\nUID: {uid}\nFlags: {FLAGS:#x}\n{version}Foreground: Yes\nProcess-Runtime: \
             {lifetime}\n{subject}Build: {build}\n\n{body}"
        );
        let time = self.wall();
        self.dropbox.add(DropBoxEntry { time, tag, text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_report_tells_what_was_thrown_and_where() {
        let report = "FATAL EXCEPTION: main\nProcess: a.b, PID: 7\njava.lang.IllegalStateException: no: card\n\tat \
                      a.b.Main.onUserAction(Main.java:42)\n\tat android.os.Looper.loop(Looper.java:317)";
        let thrown = Thrown::parse(report);
        assert_eq!((thrown.class.as_str(), thrown.message.as_str()), ("java.lang.IllegalStateException", "no: card"));
        assert_eq!((thrown.file.as_str(), thrown.line), ("Main.java", 42));
        assert_eq!(Thrown::parse("").file, "NULL");
    }
}
