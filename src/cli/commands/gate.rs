//! `tapwright gate`.

use super::farm::{self, Work};
use super::run::{hold, launch_failure};
use super::{interruption, print_json};
use crate::app::Workspace;
use crate::case::{Case, Selection};
use crate::cli::gate_args::{Annotations, FailOn, FlakyChoice, GateArgs, NoCases, OutputArgs, Policy, SelectionArgs};
use crate::cli::{Exit, Failure};
use crate::domain::{CaseId, PackageName};
use crate::gate::{
    Bundler, Changes, Comparison, GateError, GateFolder, GateVerdict, LastPass, Manifest, Part, Rules, ScriptChoice,
    Selected, Wanted, annotations, earlier, head, latest, markdown, run_hook, select, summary, write_allure,
    write_gate_page, write_junit,
};
use crate::report::{probe_writable, write_whole};
use crate::run::{CaseLauncher, Places, RepairMode, RunLauncher, RunRequest};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Answers whether the selected cases pass, and leaves what a build server reads.
pub(super) async fn gate(args: GateArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    if args.outputs.fail_on == FailOn::New && args.outputs.baseline.is_empty() {
        return Err(Failure::usage("--fail-on new needs the manifest of an earlier gate: add --baseline FILE"));
    }
    let output = args.outputs.output.clone().unwrap_or_else(|| workspace.runs());
    let output = std::path::absolute(&output).map_err(|error| Failure::unreadable(&output, &error))?;
    let selected = selected(&args.selection, workspace, &output)?;
    let selection = selected.told.join(", ");
    if selected.cases.is_empty() {
        let message = format!("no case is left to run: {selection}");
        if args.selection.no_cases == NoCases::Pass {
            anstream::eprintln!("{message}");
            return Ok(Exit::Passed);
        }
        return Err(Failure::nothing_selected(format!(
            "{message}. Where that is fine, add `--no-cases pass`; `tapwright cases list` shows what there is"
        )));
    }
    let folder = GateFolder::new(&output);
    let summaries = told_before(&args.outputs, &output, workspace)?;
    let baseline: Vec<Manifest> =
        args.outputs.baseline.iter().map(|file| Manifest::read(file)).collect::<Result<_, _>>().map_err(usage)?;
    let work = prepared(&args, workspace, &selected, (&folder, &output)).await?;
    let _held = hold(workspace, "tapwright gate", &work.devices, &BTreeMap::new())?;
    let cancel = interruption();
    let serials: Vec<&str> = work.devices.iter().map(crate::domain::DeviceSerial::as_str).collect();
    let by = match args.running.policy {
        Policy::Agent => "by the agent",
        Policy::Script => "scripts first",
        Policy::Repair => "scripts first, repaired where they do not fit",
    };
    let installed = args.running.install.told();
    anstream::eprintln!("{selection}; on {}; {by}{installed}\n", serials.join(", "));
    let mut manifest = farm::work(work, &cancel).await?;
    manifest.gate_id.clone_from(&folder.id);
    manifest.revision = head(workspace.root());
    args.running.policy.word().clone_into(&mut manifest.policy);
    manifest.selection = selection;
    if !baseline.is_empty() {
        manifest.comparison = Some(Comparison::with(&baseline, &manifest));
    }
    bundles(&mut manifest, &args.outputs, &folder, workspace, &output).await;
    let troubles = written(&manifest, &args, &folder, workspace, &summaries);
    anstream::eprint!("\n{}", summary(&manifest));
    for file in [folder.page(), folder.manifest()] {
        anstream::eprintln!("{}", farm::shown(&file, workspace.root()).display());
    }
    if args.json {
        print_json(&manifest)?;
    }
    if cancel.is_cancelled() {
        return Ok(Exit::Interrupted);
    }
    if let Some(trouble) = troubles.into_iter().next() {
        return Err(Failure::infrastructure(trouble));
    }
    Ok(exit(&manifest, args.outputs.fail_on, args.running.flaky))
}

fn exit(manifest: &Manifest, fail_on: FailOn, flaky: FlakyChoice) -> Exit {
    let new = manifest.comparison.as_ref().filter(|_| fail_on == FailOn::New).map(|compared| &compared.new_failures);
    let exit = farm::exit_of(manifest, |case| new.is_none_or(|new| new.contains(&case.id)));
    let shaky = flaky == FlakyChoice::Fail && manifest.count(GateVerdict::Flaky) > 0;
    if exit == Exit::Passed && shaky { Exit::Failed } else { exit }
}

fn usage(error: GateError) -> Failure {
    Failure::usage(error)
}

fn selected(args: &SelectionArgs, workspace: &Workspace, output: &Path) -> Result<Selected, Failure> {
    let mut named = Vec::new();
    for argument in &args.cases {
        named.push(Selection::parse(argument).map_err(Failure::usage)?);
    }
    named.extend(args.tags.iter().cloned().map(Selection::Tag));
    let changes = args.changed_since.as_deref().map(|revision| Changes::since(workspace.root(), revision));
    let again = if args.last_failed {
        let (_, last) = latest(output).map_err(usage)?;
        let open =
            last.cases.into_iter().filter(|case| !matches!(case.verdict, GateVerdict::Passed | GateVerdict::Repaired));
        Some(open.map(|case| case.id).collect::<Vec<CaseId>>())
    } else {
        None
    };
    let wanted = Wanted {
        named,
        changes: changes.transpose().map_err(usage)?,
        again,
        shard: args.shard,
        scripts: workspace.scripts(),
    };
    let index = workspace.case_index().map_err(Failure::usage)?;
    select(&index, &wanted).map_err(usage)
}

/// Files that could not be written are told before an hour of runs, not after it. Gives where summaries go.
fn told_before(outputs: &OutputArgs, output: &Path, workspace: &Workspace) -> Result<Vec<PathBuf>, Failure> {
    let own = [output.join("manifest.json")];
    let asked = [&outputs.junit, &outputs.manifest, &outputs.summary].into_iter().flatten();
    for file in own.iter().chain(asked) {
        probe_writable(file).map_err(Failure::usage)?;
    }
    if let Some(folder) = &outputs.allure {
        probe_writable(&folder.join("result.json")).map_err(Failure::usage)?;
    }
    let github = workspace.environment().github.as_ref();
    let step = github.filter(|_| outputs.annotations != Annotations::Off).and_then(|github| github.summary.clone());
    Ok(step.into_iter().collect())
}

/// Everything that is needed to begin, checked.
async fn prepared(
    args: &GateArgs,
    workspace: &Workspace,
    selected: &Selected,
    (folder, output): (&GateFolder, &Path),
) -> Result<Work, Failure> {
    let running = &args.running;
    let params = running.params.read()?;
    // A gate answers; it changes no script of the workspace.
    let places = Places { scripts: Some(folder.scripts()), ..workspace.places(Some(output)) };
    let files = args.selection.cases.iter().map(PathBuf::from).filter(|file| file.is_file()).collect();
    let mut launcher = workspace.launcher(files, places).map_err(Failure::usage)?;
    launcher.apks = apks(&running.apks, &selected.cases)?;
    launcher.install = running.install.into();
    let script = match running.policy {
        Policy::Agent => ScriptChoice::Never,
        Policy::Script | Policy::Repair => ScriptChoice::First(workspace.scripts()),
    };
    let mut parts = Vec::new();
    for case in &selected.cases {
        let own = params.iter().filter(|(name, _)| case.params.get(name).is_some());
        let request = RunRequest {
            case_id: case.id.clone(),
            device: None,
            actors: BTreeMap::new(),
            params: own.map(|(name, value)| (name.clone(), value.clone())).collect(),
            seed: running.seed,
            location: None,
        };
        parts.push(part(&launcher, request, script.clone())?);
    }
    let SelectionArgs { shard, changed_since, last_failed, .. } = &args.selection;
    if shard.is_some() || changed_since.is_some() || *last_failed {
        // Whose parameter it is may be another shard's case, or one that nothing has changed for.
        let index = workspace.case_index().map_err(Failure::usage)?;
        unknown_params(&params, &selected.cases.iter().chain(index.cases()).collect::<Vec<_>>())?;
    } else {
        unknown_params(&params, &selected.cases.iter().collect::<Vec<_>>())?;
    }
    let root = workspace.root();
    let names = selected.cases.iter().map(|case| (case.title.clone(), farm::shown(&case.path, root))).collect();
    let rules = Rules {
        retries: running.retries,
        repeat: running.repeat_each,
        until_failure: running.until_failure,
        fail_fast: running.fail_fast,
        time: running.time_budget,
    };
    let devices = workspace.choose_devices(&running.devices).await?;
    let repair = if running.policy == Policy::Repair { RepairMode::Propose } else { RepairMode::Off };
    Ok(Work { parts, names, launcher, devices, rules, repair })
}

/// A case that can be run as it stands, with the names of its actors.
pub(super) fn part(launcher: &CaseLauncher, request: RunRequest, script: ScriptChoice) -> Result<Part, Failure> {
    launcher.check(&request).map_err(|error| launch_failure(&error))?;
    let cast = launcher.cast(&request).map_err(|error| launch_failure(&error))?;
    Ok(Part { request, cast, script })
}

/// Of many cases each takes the parameters it has; one that none of them has is a mistake.
fn unknown_params(params: &BTreeMap<String, String>, cases: &[&Case]) -> Result<(), Failure> {
    match params.keys().find(|name| cases.iter().all(|case| case.params.get(name).is_none())) {
        Some(stranger) => Err(Failure::usage(format!("--param {stranger}: no selected case has such a parameter"))),
        None => Ok(()),
    }
}

/// The app files to test, by package.
fn apks(given: &[String], cases: &[Case]) -> Result<BTreeMap<PackageName, PathBuf>, Failure> {
    let packages: BTreeSet<PackageName> = cases
        .iter()
        .flat_map(|case| {
            let actors = case.actors.values().map(|actor| &actor.app.package);
            actors.chain(std::iter::once(&case.app.package)).cloned()
        })
        .collect();
    let known = || packages.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let mut apks = BTreeMap::new();
    for text in given {
        let (package, file) = match text.split_once('=').filter(|_| !Path::new(text).is_file()) {
            Some((package, file)) => (Some(PackageName::from(package)), PathBuf::from(file)),
            None => (None, PathBuf::from(text)),
        };
        if !file.is_file() {
            return Err(Failure::usage(format!("--apk {text}: there is no file {}", file.display())));
        }
        let package = match (package, packages.first()) {
            (Some(package), _) if packages.contains(&package) => package,
            (Some(package), _) => {
                return Err(Failure::usage(format!(
                    "--apk {text}: no selected case tests {package}; they test {}",
                    known()
                )));
            }
            (None, Some(only)) if packages.len() == 1 => only.clone(),
            (None, _) => {
                let why = format!("--apk {text}: the cases test several apps ({}); write PACKAGE={text}", known());
                return Err(Failure::usage(why));
            }
        };
        let file = std::fs::canonicalize(&file).map_err(|error| Failure::unreadable(&file, &error))?;
        if apks.insert(package.clone(), file).is_some() {
            return Err(Failure::usage(format!("--apk {text}: {package} has a file already")));
        }
    }
    Ok(apks)
}

/// A bundle and the user's command for each case that did not pass. What goes wrong with them changes no verdict.
async fn bundles(
    manifest: &mut Manifest,
    outputs: &OutputArgs,
    folder: &GateFolder,
    workspace: &Workspace,
    output: &Path,
) {
    let Some(command) = &outputs.on_failure else { return };
    let root = workspace.root();
    let before: Vec<Manifest> = earlier(output).map(|(_, manifest)| manifest).collect();
    let bundler = Bundler {
        root: root.to_owned(),
        scripts: workspace.scripts(),
        folder: folder.path.join("bundles"),
        revision: manifest.revision.clone(),
    };
    for case in &mut manifest.cases {
        if matches!(case.verdict, GateVerdict::Passed | GateVerdict::Repaired | GateVerdict::NotRun) {
            continue;
        }
        let last_pass = LastPass::find(case, &before, root);
        match bundler.bundle(case, last_pass.as_ref()) {
            Ok(bundle) => {
                if let Err(error) = run_hook(command, case, &bundle, root).await {
                    anstream::eprintln!("warning: {}: {error}", case.id);
                }
                case.bundle = Some(farm::shown(&bundle, root));
            }
            Err(error) => anstream::eprintln!("warning: {}: its bundle could not be made: {error}", case.id),
        }
    }
}

/// Writes everything that was asked for; what could not be written.
fn written(
    manifest: &Manifest,
    args: &GateArgs,
    folder: &GateFolder,
    workspace: &Workspace,
    summaries: &[PathBuf],
) -> Vec<String> {
    let outputs = &args.outputs;
    let mut troubles = Vec::new();
    let mut note = |written: Result<(), GateError>| {
        if let Err(error) = written {
            anstream::eprintln!("error: {error}");
            troubles.push(error.to_string());
        }
    };
    if let Err(error) = std::fs::create_dir_all(&folder.path) {
        anstream::eprintln!("error: {}: {error}", folder.path.display());
    }
    note(manifest.write(&folder.manifest()));
    note(write_gate_page(&folder.page(), manifest, workspace.root()));
    if let Some(file) = &outputs.manifest {
        note(manifest.write(file));
    }
    if let Some(file) = &outputs.junit {
        note(write_junit(file, manifest, args.running.flaky.into(), workspace.root()));
    }
    if let Some(folder) = &outputs.allure {
        note(write_allure(folder, manifest, workspace.root()));
    }
    let page = markdown(manifest);
    let own = format!("{page}\n[Every case on a page](index.html)\n");
    note(write_whole(&folder.path.join("summary.md"), own.as_bytes()).map_err(GateError::from));
    if let Some(file) = &outputs.summary {
        note(write_whole(file, page.as_bytes()).map_err(GateError::from));
    }
    for file in summaries {
        // A step summary belongs to the build server: others write to it, too.
        let appended = std::fs::OpenOptions::new().create(true).append(true).open(file);
        if let Err(error) = appended.and_then(|mut file| writeln!(file, "{page}")) {
            anstream::eprintln!("warning: the step summary {} could not be written: {error}", file.display());
        }
    }
    let github = workspace.environment().github.as_ref();
    if outputs.annotations == Annotations::Github || (outputs.annotations == Annotations::Auto && github.is_some()) {
        let top = github.and_then(|github| github.folder.as_deref());
        let prefix = top.and_then(|top| workspace.root().strip_prefix(top).ok()).unwrap_or(Path::new(""));
        for line in annotations(manifest, prefix) {
            anstream::eprintln!("{line}");
        }
    }
    troubles
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A gate whose cases ended so, each called like its place.
    fn manifest(verdicts: &[&str], new_failures: &[&str]) -> Manifest {
        let case = |(place, verdict): (usize, &&str)| json!({"id": format!("A-{place}"), "title": "t", "file": "f", "verdict": verdict, "reason": "", "seconds": 1.0, "attempts": []});
        let cases: Vec<_> = verdicts.iter().enumerate().map(case).collect();
        serde_json::from_value(json!({
            "schema": 1, "gate_id": "g", "tapwright": "0", "started_at": "", "seconds": 1.0, "revision": null,
            "policy": "script", "selection": "", "devices": [], "stopped": null, "cases": cases,
            "comparison": {"new_failures": new_failures, "fixed": [], "still_failing": [], "flaky": []},
        }))
        .unwrap()
    }

    #[test]
    fn what_came_of_the_cases_is_one_exit_code() {
        use FailOn::{Any, New};
        use FlakyChoice::{Fail, Pass};
        for (verdicts, new, fail_on, flaky, expected) in [
            (&["passed", "passed"][..], &[][..], Any, Pass, Exit::Passed),
            (&["passed", "flaky"], &[], Any, Pass, Exit::Passed),
            (&["passed", "flaky"], &[], Any, Fail, Exit::Failed),
            (&["passed", "failed"], &[], Any, Pass, Exit::Failed),
            (&["passed", "blocked"], &[], Any, Pass, Exit::Failed),
            (&["passed", "failed"], &[], New, Pass, Exit::Passed),
            (&["blocked", "failed"], &["A-0"], New, Pass, Exit::Failed),
            (&["failed", "error"], &[], Any, Pass, Exit::Infrastructure),
            (&["passed", "error"], &[], New, Pass, Exit::Infrastructure),
            (&["passed", "not_run"], &[], Any, Pass, Exit::Infrastructure),
            (&["failed", "not_run"], &[], Any, Pass, Exit::Failed),
        ] {
            assert_eq!(exit(&manifest(verdicts, new), fail_on, flaky), expected, "{verdicts:?} {new:?} {fail_on:?}");
        }
    }
}
