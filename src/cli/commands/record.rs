//! `tapwright record`: a person uses the app, and a case and a script come out.

use super::run::hold;
use super::{interruption, plural};
use crate::app::Workspace;
use crate::cli::{Exit, Failure, RecordArgs};
use crate::device::AdbDevice;
use crate::domain::{CaseId, PackageName};
use crate::run::{DeviceConnector, Notes, Told, demonstrate, write_case};
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tokio::sync::mpsc::unbounded_channel;

/// Watches until the person ends it with Ctrl-C, then writes.
pub(super) async fn record(args: RecordArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let notes = Notes {
        id: CaseId::new(&args.id).map_err(Failure::usage)?,
        title: args.title.clone().unwrap_or_else(|| args.id.replace(['-', '_'], " ")),
        package: PackageName::new(args.app.trim()),
        apk: args.apk.as_ref().map(|apk| apk.display().to_string()),
    };
    let path = case_file(&args, &notes, workspace)?;
    let skills = workspace.skills().map_err(Failure::usage)?;
    let serial = workspace.choose_device(args.device.as_deref()).await?;
    let _held = hold(workspace, "tapwright record", std::slice::from_ref(&serial), &BTreeMap::new())?;
    let connector = workspace.connector().map_err(Failure::usage)?;
    let connected = connector.connect(&serial).await.map_err(Failure::infrastructure)?;
    let (felt, touches) = unbounded_channel();
    let listener = AdbDevice::listen(connector.address.clone(), serial.clone(), felt).await;
    let listener = listener.map_err(Failure::infrastructure)?;
    let cancel = interruption();
    anstream::eprintln!("use {} as a tester would, one touch at a time; Ctrl-C ends it", notes.package);
    let app = (&notes.package, args.apk.as_deref());
    let found = demonstrate(&connected, app, touches, &cancel, &mut |told| tell(&told)).await;
    listener.abort();
    let found = found.map_err(Failure::infrastructure)?;
    let written = write_case(&found, &notes, &connected, &skills, &path).map_err(Failure::nothing_selected)?;
    write_new(&path, &written.text)?;
    anstream::eprintln!("{} with {}", path.display(), plural(found.deeds.len(), "step"));
    if !written.checks.is_empty() {
        let script = written.script.write(&workspace.scripts()).map_err(Failure::usage)?;
        anstream::eprintln!("{}", script.path().display());
        anstream::eprintln!("read the case, keep the checks that prove it, then: tapwright replay {}", notes.id);
    } else {
        anstream::eprintln!(
            "no script: nothing new was shown at the end. Write what is expected, then: tapwright run {}",
            notes.id
        );
    }
    Ok(Exit::Passed)
}

fn tell(told: &Told) {
    match told {
        Told::Ready(title) => anstream::eprintln!("   [{title}]"),
        Told::Step(number, sentence) => anstream::eprintln!("{number}. {sentence}"),
        Told::Left(why) => anstream::eprintln!("   not recorded: {why}"),
    }
}

/// Where the case will stand. That it is free is told before anything is done.
fn case_file(args: &RecordArgs, notes: &Notes, workspace: &Workspace) -> Result<PathBuf, Failure> {
    let folder = args.output.clone().or_else(|| workspace.case_roots().into_iter().next());
    let folder = folder.unwrap_or_else(|| workspace.root().join("cases"));
    let path = folder.join(format!("{}.case.yaml", notes.id));
    if path.exists() {
        return Err(Failure::usage(format!("{} is there already: give another --id", path.display())));
    }
    if let Ok(case) = workspace.case_index().map_err(Failure::usage)?.find(&notes.id) {
        return Err(Failure::usage(format!(
            "there is a case {} already ({}): give another --id",
            notes.id, case.title
        )));
    }
    Ok(path)
}

fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::usage(format!("cannot write {}: {error}", path.display()));
    std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).map_err(failed)?;
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(failed)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)
}
