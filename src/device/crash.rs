//! What a crash report says, in one line.

/// The reason a case fails with when the app crashed: the report's exception or signal, or its first line (an ANR's).
pub fn crash_reason(report: &str) -> String {
    let headline = headline(report);
    if !headline.starts_with("ANR in ") {
        return format!("the app crashed: {headline}");
    }
    let reason = report.lines().map(str::trim).find_map(|line| line.strip_prefix("Reason: "));
    format!("the app did not respond: {headline}{}", reason.map(|why| format!("; {why}")).unwrap_or_default())
}

fn headline(report: &str) -> &str {
    let lines = || report.lines().map(str::trim).filter(|line| !line.is_empty());
    let preamble = ["FATAL EXCEPTION", "*** ", "Process: ", "PID: "];
    lines()
        .find(|line| line.starts_with("signal "))
        .or_else(|| lines().find(|line| !preamble.iter().any(|start| line.starts_with(start))))
        .or_else(|| lines().next())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_is_named_by_its_exception_or_signal() {
        let java =
            "FATAL EXCEPTION: main\nProcess: com.a, PID: 42\njava.lang.IllegalStateException: no\n\tat com.a.B(B.kt:1)";
        assert_eq!(crash_reason(java), "the app crashed: java.lang.IllegalStateException: no");
        let native = "*** *** ***\nBuild fingerprint: 'x'\nCmdline: com.a\nsignal 11 (SIGSEGV), code 1";
        assert_eq!(headline(native), "signal 11 (SIGSEGV), code 1");
        let hung = "ANR in com.a (com.a/.Main)\nPID: 42\nReason: Input dispatching timed out";
        assert_eq!(
            crash_reason(hung),
            "the app did not respond: ANR in com.a (com.a/.Main); Input dispatching timed out"
        );
        assert_eq!(headline("FATAL EXCEPTION: main"), "FATAL EXCEPTION: main");
        assert_eq!(headline(""), "");
    }
}
