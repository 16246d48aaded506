//! How an app ends badly: exceptions and native crashes, in logcat's form.

use super::Program;
use crate::AppProcess;

impl Program {
    /// Ends the app the way an uncaught exception does; the report goes to the log in logcat's form. A message may begin
    /// with the exception's class (`java.io.IOException: no space`).
    pub(super) fn crash(&mut self, message: &str) {
        if self.crashed {
            return;
        }
        let package = self.file.package().to_owned();
        let activity = self.activity();
        let simple = activity.rsplit('.').next().unwrap_or_default().to_owned();
        self.log.extend([
            "E AndroidRuntime: FATAL EXCEPTION: main".to_owned(),
            format!("E AndroidRuntime: Process: {package}, PID: {}", self.context.pid),
            if names_exception(message) {
                format!("E AndroidRuntime: {message}")
            } else {
                format!("E AndroidRuntime: java.lang.IllegalStateException: {message}")
            },
            format!("E AndroidRuntime: \tat {activity}.onUserAction({simple}.java:42)"),
            "E AndroidRuntime: \tat android.os.Handler.handleCallback(Handler.java:959)".to_owned(),
            "E AndroidRuntime: \tat android.os.Looper.loop(Looper.java:317)".to_owned(),
            "E AndroidRuntime: \tat android.app.ActivityThread.main(ActivityThread.java:8705)".to_owned(),
        ]);
        self.die();
    }

    /// Ends the app by a signal; the log gets libc's line and the tombstone's beginning
    /// (debuggerd's `tombstone_proto_to_text.cpp`).
    pub(super) fn crash_natively(&mut self, message: &str) {
        if self.crashed {
            return;
        }
        let (package, pid) = (self.file.package().to_owned(), self.context.pid);
        // A thread's name is cut to 15 characters from the end (Process.setArgV0).
        let thread: String = package.chars().skip(package.chars().count().saturating_sub(15)).collect();
        self.log.push(format!(
            "F libc    : Fatal signal 6 (SIGABRT), code -1 (SI_QUEUE) in tid {pid} ({thread}), pid {pid} ({thread})"
        ));
        let tombstone = [
            "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***".to_owned(),
            format!("Cmdline: {package}"),
            format!("pid: {pid}, tid: {pid}, name: {thread}  >>> {package} <<<"),
            "signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr --------".to_owned(),
            format!("Abort message: '{message}'"),
            "2 total frames".to_owned(),
            "backtrace:".to_owned(),
            "      #00 pc 000000000005d4a0  /apex/com.android.runtime/lib64/bionic/libc.so (abort+164)".to_owned(),
            format!("      #01 pc 000000000001f3c8  /data/app/{package}/lib/arm64/libapp.so"),
        ];
        self.log.extend(tombstone.into_iter().map(|line| format!("F DEBUG   : {line}")));
        self.die();
    }

    fn die(&mut self) {
        self.crashed = true;
        self.focus = None;
        self.keyboard = None;
        self.timers.clear();
        self.permission_waits.clear();
        self.changed();
    }
}

/// Whether a message is `package.Class` or `package.Class: text`.
fn names_exception(message: &str) -> bool {
    let class = message.split(": ").next().unwrap_or_default();
    let mut parts = class.split('.');
    let name = parts.next_back().unwrap_or_default();
    let word = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
    class.contains('.') && name.starts_with(|c: char| c.is_ascii_uppercase()) && word(name) && parts.all(word)
}
