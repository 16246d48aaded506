//! `tapwright doctor`.

use super::models::WITHOUT_TEXT_MODELS;
use super::{doctor_farm, print_json};
use crate::app::Workspace;
use crate::cli::{DoctorArgs, Exit, Failure, table};
use crate::inference::{FileState, verify};
use serde::Serialize;

/// What was found of one thing.
#[derive(Serialize)]
pub(super) struct Finding {
    what: &'static str,
    ok: bool,
    /// False for what a run can do without.
    needed: bool,
    /// What was found, or what to do.
    detail: String,
}

/// Checks what a run needs, in the order a run needs it.
pub(super) async fn doctor(args: &DoctorArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let mut findings = vec![finding("workspace", Ok(workspace.root().display().to_string()))];
    findings.push(finding("cases", cases(workspace)));
    findings.push(finding("skills", workspace.skills().map(|skills| format!("{} skills", skills.iter().count()))));
    findings.push(finding(
        "profiles",
        workspace.profiles().map(|profiles| format!("{} profiles", profiles.iter().count())),
    ));
    findings.push(finding("models", models(workspace)));
    // What is missing and what to do is told once.
    let known = || workspace.manifest().map(drop).map_err(|_| "not without the models: see above".to_owned());
    findings.push(finding("inference", known().and_then(|()| inference(workspace))));
    findings.push(optional("text models", known().and_then(|()| text_models(workspace))));
    findings.push(finding(
        "adb",
        workspace.adb_binary().map(|path| path.display().to_string()).ok_or_else(|| {
            "no adb found: install it (Debian: apt-get install adb) or run `tapwright models install`".into()
        }),
    ));
    let server = workspace.server().await;
    match server {
        Ok(server) => {
            let version = server.version().await.map(|version| format!("{}, protocol {version}", server.address()));
            findings.push(finding("adb server", version.map_err(|error| error.to_string())));
            let devices = server.devices().await.map_err(|error| error.to_string()).and_then(|rows| {
                if rows.is_empty() {
                    return Err("none connected: plug one in, start an emulator, or run `tapwright emulate --connect --app FILE`".to_owned());
                }
                Ok(rows.iter().map(|row| format!("{} ({})", row.serial, row.state)).collect::<Vec<_>>().join(", "))
            });
            findings.push(finding("devices", devices));
        }
        Err(error) => findings.push(finding("adb server", Err(error.to_string()))),
    }
    if args.farm {
        findings.extend(doctor_farm::findings(workspace).await?);
    }
    if args.data.json {
        print_json(&findings)?;
    } else {
        let rows: Vec<Vec<String>> =
            findings.iter().map(|one| vec![mark(one).to_owned(), one.what.to_owned(), one.detail.clone()]).collect();
        table::print(&rows);
    }
    Ok(if findings.iter().all(|one| one.ok || !one.needed) { Exit::Passed } else { Exit::Infrastructure })
}

fn mark(finding: &Finding) -> &'static str {
    match (finding.ok, finding.needed) {
        (true, _) => "ok",
        (false, true) => "!!",
        (false, false) => "--",
    }
}

/// Of something that must be as it is to be.
pub(super) fn finding(what: &'static str, outcome: Result<String, String>) -> Finding {
    let ok = outcome.is_ok();
    Finding { what, ok, needed: true, detail: outcome.unwrap_or_else(|problem| problem) }
}

/// Of something that need not be there.
pub(super) fn optional(what: &'static str, outcome: Result<String, String>) -> Finding {
    Finding { needed: false, ..finding(what, outcome) }
}

fn cases(workspace: &Workspace) -> Result<String, String> {
    let index = workspace.case_index().map_err(|error| error.to_string())?;
    let malformed: Vec<String> = index.malformed().map(ToString::to_string).collect();
    if malformed.is_empty() {
        Ok(match index.cases().count() {
            1 => "1 case".to_owned(),
            several => format!("{several} cases"),
        })
    } else {
        Err(malformed.join("; "))
    }
}

fn models(workspace: &Workspace) -> Result<String, String> {
    let manifest = workspace.manifest().map_err(|error| error.to_string())?;
    let reports = verify(&manifest).map_err(|error| error.to_string())?;
    let problems: Vec<String> = reports.iter().filter(|report| report.is_problem()).map(ToString::to_string).collect();
    if problems.is_empty() {
        let missing = reports.iter().filter(|report| report.state == FileState::Missing).count();
        let optional = if missing == 0 { String::new() } else { format!(", {missing} optional ones missing") };
        Ok(format!("{} files as the manifest has them{optional}", reports.len() - missing))
    } else {
        Err(format!("{}; run `tapwright models install`", problems.join("; ")))
    }
}

fn inference(workspace: &Workspace) -> Result<String, String> {
    let embedder = workspace.embedder().map_err(|error| error.to_string())?;
    embedder.embed(&["ready"]).map_err(|error| error.to_string())?;
    Ok(format!("{} answers, {} dimensions", embedder.name(), embedder.dimensions()))
}

fn text_models(workspace: &Workspace) -> Result<String, String> {
    match workspace.reader().models() {
        Ok(_) => Ok("texts in pictures can be read".to_owned()),
        Err(reason) => Err(format!("{reason}; {WITHOUT_TEXT_MODELS}")),
    }
}
