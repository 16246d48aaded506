//! What GitHub Actions shows beside a commit: workflow commands, a line each.

use super::{CaseReport, GateVerdict, Manifest};
use crate::report::plain_line;
use std::path::Path;

/// An annotation for each case that did not simply pass. `prefix` leads from the repository's top folder to the workspace.
pub fn annotations(manifest: &Manifest, prefix: &Path) -> Vec<String> {
    manifest.cases.iter().filter_map(|case| annotation(case, prefix)).collect()
}

fn annotation(case: &CaseReport, prefix: &Path) -> Option<String> {
    let kind = match case.verdict {
        GateVerdict::Passed => return None,
        GateVerdict::Failed | GateVerdict::Blocked | GateVerdict::Error => "error",
        GateVerdict::Repaired | GateVerdict::Flaky | GateVerdict::NotRun => "warning",
    };
    let file = property(&prefix.join(&case.file).display().to_string());
    let title = property(&format!("{} {}", case.id, case.verdict));
    let text = data(&format!("{}: {}", plain_line(&case.title), plain_line(&case.reason)));
    Some(format!("::{kind} file={file},line=1,title={title}::{text}"))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::sample::manifest;

    #[test]
    fn what_did_not_pass_is_annotated_at_its_case_in_one_line_each() {
        let mut manifest = manifest(&[("A-1", "p"), ("A-2", "f"), ("A-3", "f p"), ("A-4", "x")]);
        manifest.cases[1].reason = "expected 5 %,\nfound: ::warning::x".into();
        manifest.cases[1].file = "cases/a,b.case.yaml".into();
        assert_eq!(
            annotations(&manifest, Path::new("ui")),
            [
                "::error file=ui/cases/a%2Cb.case.yaml,line=1,title=A-2 failed::A title: expected 5 %25, found: ::warning::x",
                "::warning file=ui/cases/A-3.case.yaml,line=1,title=A-3 flaky::A title: passed 1 of 2 tries; try 1 failed: f",
                "::warning file=ui/cases/A-4.case.yaml,line=1,title=A-4 not run::A title: the gate was interrupted",
            ]
        );
    }
}
