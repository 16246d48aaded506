//! Crash and ANR reports in `logcat -v threadtime`, and the clock they are cut off at.

use crate::domain::PackageName;

/// The device's clock as `logcat -T` takes it, `MM-DD HH:MM:SS.fraction`, found in the output of
/// `date '+%m-%d %H:%M:%S.%N'`. A `date` that does not know `%N` gives whole seconds.
pub fn parse_clock(text: &str) -> Option<String> {
    text.lines().map(str::trim).find_map(|line| {
        let (seconds, fraction) = line.split_once('.')?;
        let shaped = seconds.len() == 14
            && seconds.bytes().enumerate().all(|(at, byte)| match at {
                2 => byte == b'-',
                5 => byte == b' ',
                8 | 11 => byte == b':',
                _ => byte.is_ascii_digit(),
            });
        if !shaped {
            return None;
        }
        let fraction: String = fraction.chars().take_while(char::is_ascii_digit).take(3).collect();
        Some(format!("{seconds}.{fraction:0<3}"))
    })
}

/// One log entry's line.
struct Line<'a> {
    pid: &'a str,
    level: &'a str,
    tag: &'a str,
    message: &'a str,
}

/// `MM-DD HH:MM:SS.mmm  PID  TID L TAG: message`.
fn parse_line(line: &str) -> Option<Line<'_>> {
    let mut rest = line;
    let mut word = || {
        let trimmed = rest.trim_start();
        let (word, after) = trimmed.split_once(char::is_whitespace)?;
        rest = after;
        Some(word)
    };
    let (_date, _time, pid, tid, level) = (word()?, word()?, word()?, word()?, word()?);
    if !pid.bytes().chain(tid.bytes()).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (tag, message) = rest.split_once(": ").or_else(|| rest.split_once(':'))?;
    Some(Line { pid, level, tag: tag.trim(), message })
}

/// A report while its lines are gathered.
struct Report<'a> {
    tag: &'a str,
    pid: &'a str,
    lines: Vec<&'a str>,
}

impl<'a> Report<'a> {
    fn new(line: &Line<'a>) -> Self {
        Self { tag: line.tag, pid: line.pid, lines: vec![line.message] }
    }

    fn continues_with(&self, line: &Line<'_>) -> bool {
        self.tag == line.tag && self.pid == line.pid
    }

    fn is_about(&self, package: &str) -> bool {
        self.lines.iter().any(|line| match self.tag {
            "AndroidRuntime" => {
                line.strip_prefix("Process: ").and_then(|rest| rest.split(',').next()).is_some_and(|p| owns(package, p))
            }
            "DEBUG" => {
                let cmdline = line.strip_prefix("Cmdline: ").and_then(|rest| rest.split_whitespace().next());
                let quoted = line.split_once(">>> ").and_then(|(_, rest)| rest.split_once(" <<<")).map(|(name, _)| name);
                cmdline.or(quoted).is_some_and(|process| owns(package, process))
            }
            "ActivityManager" => line
                .strip_prefix("ANR in ")
                .and_then(|rest| rest.split_whitespace().next())
                .is_some_and(|process| owns(package, process)),
            _ => line.contains(&format!(" {package}/")),
        })
    }
}

/// A process belongs to its package also as `package:service`.
fn owns(package: &str, process: &str) -> bool {
    process.trim().split(':').next() == Some(package)
}

/// Java crashes (`AndroidRuntime`), native ones (`DEBUG` tombstones) and ANRs of one package, oldest first, each with
/// its lines as logged. The window manager's note of an ANR counts only when the activity manager logged none.
pub fn parse_crashes(text: &str, package: &PackageName) -> Vec<String> {
    let mut open: Vec<Report<'_>> = Vec::new();
    for line in text.lines() {
        let Some(line) = parse_line(line) else { continue };
        let begins = match (line.level, line.tag) {
            ("E", "AndroidRuntime") => {
                line.message.starts_with("FATAL EXCEPTION") || line.message.starts_with("*** FATAL EXCEPTION")
            }
            ("F", "DEBUG") => line.message.starts_with("*** *** ***"),
            ("E", "ActivityManager") => line.message.starts_with("ANR in "),
            ("I" | "W", "WindowManager") => line.message.starts_with("ANR in "),
            _ => false,
        };
        if begins {
            open.push(Report::new(&line));
        } else if matches!((line.level, line.tag), ("E", "AndroidRuntime" | "ActivityManager") | ("F", "DEBUG"))
            && let Some(report) = open.iter_mut().rev().find(|report| report.continues_with(&line))
        {
            report.lines.push(line.message);
        }
    }
    let reports: Vec<Report<'_>> = open.into_iter().filter(|report| report.is_about(package.as_str())).collect();
    let anr_logged = reports.iter().any(|report| report.tag == "ActivityManager");
    reports
        .into_iter()
        .filter(|report| report.tag != "WindowManager" || !anr_logged)
        .map(|report| report.lines.join("\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
--------- beginning of crash
11-20 08:00:01.100  4242  4242 E AndroidRuntime: FATAL EXCEPTION: main
11-20 08:00:01.100  4242  4242 E AndroidRuntime: Process: com.a, PID: 4242
11-20 08:00:01.100  4242  4242 E AndroidRuntime: java.lang.IllegalStateException: boom: again
11-20 08:00:01.100   900   950 I ActivityTaskManager: Displayed com.a/.Main
11-20 08:00:01.100  4242  4242 E AndroidRuntime: \tat com.a.Main.onClick(Main.java:17)
11-20 08:00:02.000  5000  5000 E AndroidRuntime: FATAL EXCEPTION: worker
11-20 08:00:02.000  5000  5000 E AndroidRuntime: Process: com.a.other, PID: 5000
11-20 08:00:03.000  6000  6000 F libc    : Fatal signal 11 (SIGSEGV), code 1
11-20 08:00:03.100  6010  6010 F DEBUG   : *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
11-20 08:00:03.100  6010  6010 F DEBUG   : Cmdline: com.a:push
11-20 08:00:03.100  6010  6010 F DEBUG   : pid: 6000, tid: 6000, name: com.a:push  >>> com.a:push <<<
11-20 08:00:03.100  6010  6010 F DEBUG   : signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0
11-20 08:00:09.000   900   950 I WindowManager: ANR in Window{1 u0 com.a/com.a.Main}. Reason:Input dispatching timed out
11-20 08:00:09.100   900   951 E ActivityManager: ANR in com.a (com.a/.Main)
11-20 08:00:09.100   900   951 E ActivityManager: PID: 4242
11-20 08:00:09.100   900   951 E ActivityManager: Reason: Input dispatching timed out (Waited 5005ms for MotionEvent).
";

    #[test]
    fn java_crashes_tombstones_and_anrs_of_the_package_are_found() {
        let reports = parse_crashes(LOG, &"com.a".into());
        assert_eq!(reports.len(), 3, "{reports:#?}");
        assert_eq!(
            reports[0],
            "FATAL EXCEPTION: main\nProcess: com.a, PID: 4242\njava.lang.IllegalStateException: boom: again\n\tat \
             com.a.Main.onClick(Main.java:17)"
        );
        assert!(reports[1].contains("SIGSEGV") && reports[1].contains(">>> com.a:push <<<"));
        assert!(reports[2].starts_with("ANR in com.a (com.a/.Main)\nPID: 4242\nReason: Input dispatching"));
    }

    #[test]
    fn a_package_whose_name_begins_alike_is_another_one() {
        assert_eq!(parse_crashes(LOG, &"com.a.other".into()).len(), 1);
        assert!(parse_crashes(LOG, &"com".into()).is_empty());
        assert!(parse_crashes("", &"com.a".into()).is_empty());
    }

    #[test]
    fn an_anr_known_to_the_window_manager_only_counts_too() {
        let log = "11-20 08:00:09.000   900   950 I WindowManager: ANR in Window{1 u0 com.a/com.a.Main}. Reason: x\n";
        assert_eq!(parse_crashes(log, &"com.a".into()).len(), 1);
    }

    #[test]
    fn the_clock_is_cut_to_milliseconds() {
        assert_eq!(parse_clock("Success\n11-20 08:00:01.123456789\n").as_deref(), Some("11-20 08:00:01.123"));
        assert_eq!(parse_clock("11-20 08:00:01.%N\n").as_deref(), Some("11-20 08:00:01.000"));
        assert_eq!(parse_clock("11-20 08:00:01.5\n").as_deref(), Some("11-20 08:00:01.500"));
        for bad in ["", "Success", "1120 08:00:01.000", "11-20 08:00", "é1-20 08:00:01.0"] {
            assert_eq!(parse_clock(bad), None, "{bad:?}");
        }
    }
}
