//! A gate in words: a line while it runs, a summary at its end, and the same as Markdown.

use super::{CaseReport, GateVerdict, Manifest, Try};
use crate::domain::CaseId;
use crate::report::{duration, plain_line};
use anstyle::{AnsiColor, Style};
use std::fmt::Write as _;

const FAINT: Style = Style::new().dimmed();

const fn style_of(verdict: GateVerdict) -> Style {
    let colour = match verdict {
        GateVerdict::Passed => AnsiColor::Green,
        GateVerdict::Failed => AnsiColor::Red,
        GateVerdict::Repaired | GateVerdict::Flaky | GateVerdict::Blocked => AnsiColor::Yellow,
        GateVerdict::Error => AnsiColor::Magenta,
        GateVerdict::NotRun => AnsiColor::BrightBlack,
    };
    colour.on_default()
}

/// A try that ended: `[ 3/12] passed   PAY-0001   4.2 s  script  emulator-5554`, and why where it did not pass.
pub fn progress_line((done, all): (usize, usize), id: &CaseId, number: u32, tried: &Try, again: bool) -> String {
    let width = all.to_string().len();
    let Some(last) = tried.last() else { return format!("[{done:>width$}/{all}] {id} ended without a result") };
    let verdict = match GateVerdict::from(last.verdict) {
        _ if tried.cut => GateVerdict::NotRun,
        GateVerdict::Passed if last.repaired => GateVerdict::Repaired,
        verdict => verdict,
    };
    let style = style_of(verdict);
    let took = duration(tried.attempts.iter().map(|attempt| attempt.seconds * 1000.0).sum());
    let by: Vec<String> = tried.attempts.iter().map(|attempt| attempt.by.to_string()).collect();
    let mut line = format!(
        "[{done:>width$}/{all}] {style}{verdict:<8}{style:#} {id}  {FAINT}{took} · {} · {}{FAINT:#}",
        by.join(", then "),
        last.device
    );
    if number > 1 || again {
        let _ = write!(line, " {FAINT}· try {number}{}{FAINT:#}", if again { ", tried again" } else { "" });
    }
    if verdict.is_bad() {
        let _ = write!(line, "\n        {}", plain_line(&last.reason));
    }
    line
}

/// The end of a gate: counts, time, and a line with reason and path for each case that did not simply pass.
pub fn summary(manifest: &Manifest) -> String {
    let mut text = String::new();
    let counts: Vec<String> = GateVerdict::ALL
        .into_iter()
        .filter(|verdict| manifest.count(*verdict) > 0)
        .map(|verdict| {
            let style = style_of(verdict);
            format!("{style}{} {verdict}{style:#}", manifest.count(verdict))
        })
        .collect();
    let cases = if manifest.cases.len() == 1 { "case" } else { "cases" };
    let took = duration(manifest.seconds * 1000.0);
    let busy = manifest.busy_share().map(|share| format!(" on {}", busy_devices(manifest, share))).unwrap_or_default();
    let _ = writeln!(text, "{} {cases} in {took}{busy}: {}", manifest.cases.len(), counts.join(", "));
    if let Some(stopped) = &manifest.stopped {
        let _ = writeln!(text, "{stopped}");
    }
    for device in &manifest.devices {
        if let Some(reason) = &device.set_aside {
            let _ = writeln!(text, "{} was set aside: {}", device.serial, plain_line(reason));
        }
    }
    for case in manifest.cases.iter().filter(|case| case.verdict != GateVerdict::Passed) {
        let style = style_of(case.verdict);
        let _ = writeln!(text, "{style}{:<8}{style:#} {}  {}", case.verdict, case.id, plain_line(&case.reason));
        if let Some(path) = report_of(case) {
            let _ = writeln!(text, "         {FAINT}{path}{FAINT:#}");
        }
    }
    for case in manifest.cases.iter().filter(|case| case.verdict == GateVerdict::Passed && !case.reason.is_empty()) {
        let _ = writeln!(text, "{FAINT}passed   {}  {}{FAINT:#}", case.id, plain_line(&case.reason));
    }
    if let Some(comparison) = &manifest.comparison {
        let _ = writeln!(text, "against the baseline: {}", comparison.words());
    }
    text
}

/// `8 devices, busy 93 % of the time`.
fn busy_devices(manifest: &Manifest, share: f64) -> String {
    format!("{} devices, busy {:.0} % of the time", manifest.devices.len(), 100.0 * share)
}

fn report_of(case: &CaseReport) -> Option<String> {
    let folder = case.telling()?.folder.as_ref()?;
    Some(folder.join("report.html").display().to_string())
}

/// The same for a page of a build server.
pub fn markdown(manifest: &Manifest) -> String {
    let counts: Vec<String> = GateVerdict::ALL
        .into_iter()
        .filter(|verdict| manifest.count(*verdict) > 0)
        .map(|verdict| format!("{} {verdict}", manifest.count(verdict)))
        .collect();
    let mut text = format!("## Tapwright: {}\n\n", counts.join(", "));
    let cases = if manifest.cases.len() == 1 { "case" } else { "cases" };
    let devices = match (manifest.busy_share(), manifest.devices.len()) {
        (Some(share), _) => busy_devices(manifest, share),
        (None, 1) => "1 device".to_owned(),
        (None, devices) => format!("{devices} devices"),
    };
    let took = duration(manifest.seconds * 1000.0);
    let _ = writeln!(text, "{} {cases} in {took} on {devices} ({}).", manifest.cases.len(), manifest.selection);
    if let Some(stopped) = &manifest.stopped {
        let _ = writeln!(text, "\n**{stopped}**");
    }
    if let Some(comparison) = &manifest.comparison {
        let _ = writeln!(text, "\nAgainst the baseline: {}.", comparison.words());
    }
    let told: Vec<&CaseReport> = manifest.cases.iter().filter(|case| case.verdict != GateVerdict::Passed).collect();
    if !told.is_empty() {
        text.push_str("\n| case | verdict | reason | tries | report |\n|---|---|---|---|---|\n");
    }
    for case in told {
        let tries = case.attempts.iter().map(|attempt| attempt.number).max().unwrap_or(0);
        let report = report_of(case).map(|path| format!("`{path}`")).unwrap_or_default();
        let _ = writeln!(
            text,
            "| {} {} | {} | {} | {tries} | {report} |",
            case.id,
            cell(&case.title),
            case.verdict,
            cell(&case.reason)
        );
    }
    text
}

/// A text that stays within its cell and is shown as it is.
fn cell(text: &str) -> String {
    let mut shown = String::new();
    for c in plain_line(text).chars() {
        match c {
            '<' => shown.push_str("&lt;"),
            '&' => shown.push_str("&amp;"),
            '|' | '`' | '*' | '_' | '[' | ']' | '\\' => {
                shown.push('\\');
                shown.push(c);
            }
            c => shown.push(c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Comparison;
    use crate::gate::sample::{manifest, tried};

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn the_end_tells_counts_time_and_every_case_that_did_not_pass_with_its_path() {
        let mut now = manifest(&[("A-1", "p"), ("A-2", "f p"), ("A-3", "f"), ("A-4", "x")]);
        now.stopped = Some("the gate was interrupted".into());
        now.comparison = Some(Comparison::with(&[manifest(&[("A-3", "p")])], &now));
        now.devices[0].set_aside = Some("it does not answer".into());
        insta::assert_snapshot!(plain(&summary(&now)));
        insta::assert_snapshot!("markdown", markdown(&now));
        assert_eq!(plain(&summary(&manifest(&[("A-1", "p")]))), "1 case in 1 min 05 s: 1 passed\n");
    }

    #[test]
    fn how_busy_several_devices_were_is_told() {
        let mut now = manifest(&[("A-1", "p")]);
        let other = now.devices[0].clone();
        now.devices.push(other);
        let told = "1 case in 1 min 05 s on 2 devices, busy 92 % of the time: 1 passed\n";
        assert_eq!(plain(&summary(&now)), told);
        assert!(markdown(&now).contains("on 2 devices, busy 92 % of the time (4 cases)."), "{}", markdown(&now));
        now.seconds = 0.0;
        assert_eq!(now.busy_share(), None, "no time passed");
    }

    #[test]
    fn a_try_is_a_line_and_its_reason_another() {
        let id = CaseId::new("A-1").unwrap();
        for (letters, number, again, expected) in [
            ("p", 1, false, "[ 3/12] passed   A-1  4.2 s · agent · emulator-5554"),
            ("f", 1, true, "[ 3/12] failed   A-1  4.2 s · agent · emulator-5554 · try 1, tried again\n        f"),
            ("r", 1, false, "[ 3/12] repaired A-1  4.2 s · agent · emulator-5554"),
            ("x", 1, false, "[ 3/12] not run  A-1  4.2 s · agent · emulator-5554"),
            ("p", 2, false, "[ 3/12] passed   A-1  4.2 s · agent · emulator-5554 · try 2"),
        ] {
            let line = progress_line((3, 12), &id, number, &tried(letters)[0], again);
            assert_eq!(plain(&line), expected);
        }
    }

    #[test]
    fn what_an_app_shows_is_no_markup() {
        assert_eq!(cell("a | b <img> `c`\n*d*"), "a \\| b &lt;img> \\`c\\` \\*d\\*");
    }
}
