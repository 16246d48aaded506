//! `tapwright scripts`.

use super::{print_json, script_review};
use crate::app::Workspace;
use crate::cli::{Exit, Failure, ScriptFormat, ScriptsCommand, table};
use crate::domain::CaseId;
use crate::script::{
    Exported, Need, Script, accept, reject, to_appium, to_gherkin, to_journey, to_maestro, to_shell, to_uiautomator,
};
use serde::Serialize;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

#[derive(Serialize)]
struct ScriptRow {
    case_id: String,
    profile: String,
    actions: usize,
    recorded_at: String,
    path: PathBuf,
}

/// Lists, reviews or exports scripts.
pub(super) fn scripts(command: ScriptsCommand, workspace: &Workspace) -> Result<Exit, Failure> {
    match command {
        ScriptsCommand::List { json } => list(workspace, json),
        ScriptsCommand::Accept { case } => accept_proposals(&case, workspace),
        ScriptsCommand::Reject { case } => reject_proposals(&case, workspace),
        ScriptsCommand::Diff { script, with, json } => script_review::diff(&script, with.as_deref(), json, workspace),
        ScriptsCommand::Lint { scripts, json } => script_review::lint(&scripts, json, workspace),
        ScriptsCommand::Optional { script, actions, not } => {
            let need = if not { Need::Always } else { Need::Optional };
            set_need(&script, &actions, need, workspace)
        }
        ScriptsCommand::Log { case } => script_review::log(&case, workspace),
        ScriptsCommand::Export { script, format } => export(&script, format, workspace),
    }
}

fn export(name: &str, format: ScriptFormat, workspace: &Workspace) -> Result<Exit, Failure> {
    let (_, script) = read(name, workspace)?;
    let whole = |text: String| Ok(Exported { text, left_out: Vec::new() });
    let exported = match format {
        ScriptFormat::Sh => whole(to_shell(&script)),
        ScriptFormat::Gherkin => whole(to_gherkin(&script)),
        ScriptFormat::Journey => to_journey(&script).and_then(whole),
        ScriptFormat::Maestro => to_maestro(&script),
        ScriptFormat::Appium => to_appium(&script),
        ScriptFormat::Uiautomator => to_uiautomator(&script),
    };
    let exported = exported.map_err(|why| Failure::usage(format!("{}: {why}", script.case_id)))?;
    anstream::print!("{}", exported.text);
    for one in exported.left_out {
        anstream::eprintln!("not in it: {one}");
    }
    Ok(Exit::Passed)
}

/// Makes actions of a script optional or needed, and tells what they do.
fn set_need(name: &str, actions: &[NonZeroUsize], need: Need, workspace: &Workspace) -> Result<Exit, Failure> {
    let (path, script) = read(name, workspace)?;
    let script = script.with_need(actions, need).map_err(|why| Failure::usage(format!("{}: {why}", path.display())))?;
    script.rewrite(&path).map_err(Failure::usage)?;
    for number in actions {
        let Some(action) = script.actions.get(number.get() - 1) else { continue };
        let target = action.target.as_ref().map(|target| format!(" {:?}", target.label)).unwrap_or_default();
        let told = match need {
            Need::Optional => "optional",
            Need::Always => "needed",
        };
        anstream::eprintln!("action {number} is {told}: {}{target}", action.skill);
    }
    Ok(Exit::Passed)
}

fn accept_proposals(case: &str, workspace: &Workspace) -> Result<Exit, Failure> {
    let id = CaseId::new(case).map_err(Failure::usage)?;
    let accepted = accept(&workspace.scripts(), &id).map_err(Failure::usage)?;
    if accepted.is_empty() {
        let folder = workspace.scripts().join(id.as_str());
        return Err(Failure::nothing_selected(format!("{id} has no proposal in {}", folder.display())));
    }
    for path in accepted {
        anstream::eprintln!("{} is what the last run did", path.display());
    }
    Ok(Exit::Passed)
}

fn reject_proposals(case: &str, workspace: &Workspace) -> Result<Exit, Failure> {
    let id = CaseId::new(case).map_err(Failure::usage)?;
    let rejected = reject(&workspace.scripts(), &id).map_err(Failure::usage)?;
    if rejected.is_empty() {
        let folder = workspace.scripts().join(id.as_str());
        return Err(Failure::nothing_selected(format!("{id} has no proposal in {}", folder.display())));
    }
    for path in rejected {
        anstream::eprintln!("{} was thrown away; the script stays as it was", path.display());
    }
    Ok(Exit::Passed)
}

/// A script by path, or by the id of its case when the workspace has exactly one.
pub(super) fn resolve(name: &str, workspace: &Workspace) -> Result<PathBuf, Failure> {
    let path = Path::new(name);
    if path.is_file() {
        return Ok(path.to_owned());
    }
    let folder = workspace.scripts().join(name);
    let found = files(&folder)?;
    match found.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(Failure::usage(format!(
            "no script file {name:?}, and no script in {}: record one with `tapwright run {name}`",
            folder.display()
        ))),
        several => Err(Failure::usage(format!(
            "{name} has several scripts, name one: {}",
            several.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
        ))),
    }
}

/// The script that is called so, with its file; one that lies in the folder of another case is refused.
pub(super) fn read(name: &str, workspace: &Workspace) -> Result<(PathBuf, Script), Failure> {
    let path = resolve(name, workspace)?;
    let script = Script::read(&path).map_err(Failure::usage)?;
    match misplaced(&path, &script, workspace) {
        Some(why) => Err(Failure::usage(format!("{}: {why}", path.display()))),
        None => Ok((path, script)),
    }
}

/// Why a script is not where it belongs, where it lies in the folder of another case.
pub(super) fn misplaced(path: &Path, script: &Script, workspace: &Workspace) -> Option<String> {
    let (own, all) = (path.canonicalize().ok()?, workspace.scripts().canonicalize().ok()?);
    let mut inside = own.strip_prefix(all).ok()?.components();
    let folder = inside.next()?.as_os_str().to_str()?;
    // A file that lies in no folder of a case belongs where it says.
    inside.next()?;
    (folder != script.case_id.as_str()).then(|| {
        format!(
            "the script is one of {0} and lies in the folder of {folder}: move it to the folder {0}, or record one of {folder} with \
             `tapwright run {folder}`",
            script.case_id
        )
    })
}

fn list(workspace: &Workspace, json: bool) -> Result<Exit, Failure> {
    let mut rows = Vec::new();
    for case in entries(&workspace.scripts())? {
        for path in files(&case)? {
            let script = Script::read(&path).map_err(Failure::usage)?;
            rows.push(ScriptRow {
                case_id: script.case_id.to_string(),
                profile: script.profile,
                actions: script.actions.len(),
                recorded_at: script.recorded_at,
                path,
            });
        }
    }
    if json {
        print_json(&rows)?;
    } else {
        let mut lines = vec![["CASE", "PROFILE", "ACTIONS", "RECORDED", "FILE"].map(str::to_owned).to_vec()];
        lines.extend(rows.iter().map(|row| {
            vec![
                row.case_id.clone(),
                row.profile.clone(),
                row.actions.to_string(),
                row.recorded_at.clone(),
                row.path.display().to_string(),
            ]
        }));
        table::print(&lines);
    }
    Ok(Exit::Passed)
}

pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = entries(folder)?;
    found.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    Ok(found)
}

pub(super) fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let failed = |error: std::io::Error| Failure::usage(format!("{}: {error}", folder.display()));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        found.push(entry.map_err(failed)?.path());
    }
    found.sort();
    Ok(found)
}
