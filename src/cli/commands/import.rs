//! `tapwright cases import`.

use super::plural;
use crate::app::Workspace;
use crate::case::{ImportedCase, Importer};
use crate::cli::{Exit, Failure, ImportArgs};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Makes cases of files of other tools. Nothing is written unless all of them can be taken over.
pub(super) fn import(args: &ImportArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let params = args.params.read()?;
    let importer = Importer { app: args.app.clone(), params, flows: args.flows_folder.clone() };
    let mut cases: Vec<ImportedCase> = Vec::new();
    let mut refused = Vec::new();
    for flow in &args.flows {
        match importer.import_file(flow) {
            Ok(own) => cases.extend(own),
            Err(errors) => refused.extend(errors.iter().map(ToString::to_string)),
        }
    }
    if !refused.is_empty() {
        let told = format!("nothing was imported: {} without a counterpart", plural(refused.len(), "place"));
        refused.push(told);
        return Err(Failure::usage(refused.join("\n")));
    }
    let folder = args.output.clone().or_else(|| workspace.case_roots().into_iter().next());
    let folder = folder.ok_or_else(|| Failure::usage("the workspace has no folder of cases: give --output DIR"))?;
    let failed =
        |path: &Path, error: &std::io::Error| Failure::usage(format!("cannot write {}: {error}", path.display()));
    std::fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
    let path = |case: &ImportedCase| -> PathBuf { folder.join(format!("{}.case.yaml", case.id)) };
    if let Some(known) = cases.iter().map(path).find(|path| path.exists()) {
        return Err(Failure::usage(format!("{} is there already: nothing was imported", known.display())));
    }
    for case in &cases {
        let path = path(case);
        let opened = OpenOptions::new().write(true).create_new(true).open(&path);
        let written = opened.and_then(|mut file| {
            file.write_all(case.text.as_bytes())?;
            file.sync_all()
        });
        match written {
            Ok(()) => anstream::eprintln!("made  {}", path.display()),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return Err(Failure::usage(format!("{} is there already", path.display())));
            }
            Err(error) => return Err(failed(&path, &error)),
        }
        for note in &case.notes {
            anstream::eprintln!("      {note}");
        }
    }
    Ok(Exit::Passed)
}
