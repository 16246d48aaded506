//! `cmd package resolve-activity --brief` and `am start -W` (AOSP `ActivityManagerShellCommand.java`).

use super::focus::{FocusedActivity, parse_component};

/// The launcher activity in the answer of `resolve-activity --brief`: the last line, `pkg/.Cls`. `None` for
/// `No activity found`, which comes with exit 0.
pub fn parse_launcher(text: &str) -> Option<FocusedActivity> {
    text.lines().rev().map(str::trim).find(|line| !line.is_empty()).and_then(|line| {
        // `android/com.android.internal.app.ResolverActivity` means that several activities answer and none is default.
        parse_component(line).filter(|found| found.package != "android" && !line.contains(char::is_whitespace))
    })
}

/// How `am start -W` ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LaunchOutcome {
    /// The activity is on the screen, or was already.
    Started,
    /// The system gave up waiting for the first frame; the activity may still come.
    Slow,
    /// It was not started; the error as the device printed it.
    Failed(String),
}

/// Reads everything `am start -W` printed, stdout and stderr. Old versions exit with 0 in every case, so the text
/// decides: a line that begins with `Error`, or an exception. A `Warning:` means the activity was there already.
pub fn parse_launch(text: &str) -> LaunchOutcome {
    let failed = |line: &&str| {
        line.starts_with("Error")
            || line.starts_with("Exception occurred")
            || line.starts_with("java.lang.")
            || line.starts_with("Security exception")
    };
    let errors: Vec<&str> = text.lines().map(str::trim).filter(failed).collect();
    if !errors.is_empty() {
        return LaunchOutcome::Failed(errors.join(" "));
    }
    if text.lines().any(|line| line.trim() == "Status: timeout") { LaunchOutcome::Slow } else { LaunchOutcome::Started }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_launcher_is_the_last_line() {
        let text = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\ncom.a/.Main\n";
        let found = parse_launcher(text).unwrap();
        assert_eq!((found.package.as_str(), found.activity.as_str()), ("com.a", "com.a.Main"));
        assert_eq!(parse_launcher("No activity found\n"), None);
        assert_eq!(parse_launcher(""), None);
        assert_eq!(parse_launcher("priority=0\nandroid/com.android.internal.app.ResolverActivity\n"), None);
    }

    #[test]
    fn a_launch_is_judged_by_its_text() {
        let started = "Starting: Intent { cmp=com.a/.Main }\nStatus: ok\nLaunchState: COLD\nActivity: \
                       com.a/.Main\nTotalTime: 412\nWaitTime: 414\nComplete\n";
        assert_eq!(parse_launch(started), LaunchOutcome::Started);
        assert_eq!(
            parse_launch(
                "Starting: Intent { cmp=a/.B }\nWarning: Activity not started, its current task has been brought to \
                 the front\nStatus: ok\nComplete\n"
            ),
            LaunchOutcome::Started
        );
        assert_eq!(parse_launch("Status: timeout\nActivity: a/.B\nComplete\n"), LaunchOutcome::Slow);
        assert_eq!(
            parse_launch("Starting: Intent { cmp=a/.B }\nError type 3\nError: Activity class {a/a.B} does not exist.\n"),
            LaunchOutcome::Failed("Error type 3 Error: Activity class {a/a.B} does not exist.".into())
        );
        assert!(matches!(
            parse_launch("\nException occurred while executing 'start':\njava.lang.SecurityException: Permission Denial"),
            LaunchOutcome::Failed(_)
        ));
    }
}
