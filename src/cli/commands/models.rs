//! `tapwright models`.

use super::print_json;
use crate::app::Workspace;
use crate::cli::{Exit, Failure, ModelsCommand, table};
use crate::inference::{FileReport, Manifest, Pip, install, verify};
use serde::Serialize;
use std::path::PathBuf;

/// What is lost without the models that read texts in pictures.
pub(super) const WITHOUT_TEXT_MODELS: &str =
    "without them links get estimated labels, and screens that cannot be dumped are not read off their picture";

#[derive(Serialize)]
struct ModelRow {
    name: String,
    kind: String,
    /// `present` or `missing`; whether the bytes are right is told by `models verify`.
    state: &'static str,
    licence: String,
    source: String,
    path: String,
}

/// Lists, checks or installs.
pub(super) async fn models(command: ModelsCommand, workspace: &Workspace) -> Result<Exit, Failure> {
    let manifest = workspace.manifest().map_err(Failure::infrastructure)?;
    match command {
        ModelsCommand::List(args) => {
            let models = manifest.models().iter().map(|model| ModelRow {
                name: model.name.clone(),
                kind: "embedding".into(),
                state: state(&[
                    manifest.folder(model).join(&model.graph),
                    manifest.folder(model).join(&model.tokenizer),
                ]),
                licence: model.licence.clone(),
                source: model.source.clone(),
                path: manifest.folder(model).display().to_string(),
            });
            let runtimes = manifest.runtimes().iter().map(|package| ModelRow {
                name: format!("{} {}", package.name, package.version),
                kind: manifest.purpose(package).into(),
                state: state(&manifest.installed_files(package).into_iter().map(|(path, _)| path).collect::<Vec<_>>()),
                licence: package.licence.clone(),
                source: package.source.clone(),
                path: manifest.installed_file(package).map(|path| path.display().to_string()).unwrap_or_default(),
            });
            let rows: Vec<ModelRow> = models.chain(runtimes).collect();
            if args.json {
                print_json(&rows)?;
            } else {
                let mut lines = vec![["NAME", "KIND", "STATE", "LICENCE", "SOURCE"].map(str::to_owned).to_vec()];
                lines.extend(
                    rows.into_iter().map(|row| vec![row.name, row.kind, row.state.to_owned(), row.licence, row.source]),
                );
                table::print(&lines);
            }
            mention_text_models(&manifest);
            Ok(Exit::Passed)
        }
        ModelsCommand::Verify(args) => {
            let checked = manifest.clone();
            let reports = tokio::task::spawn_blocking(move || verify(&checked))
                .await
                .map_err(Failure::infrastructure)?
                .map_err(Failure::infrastructure)?;
            if args.json {
                print_json(&reports)?;
            } else {
                for report in &reports {
                    anstream::println!("{report}");
                }
            }
            mention_text_models(&manifest);
            if reports.iter().any(FileReport::is_problem) {
                return Err(Failure::infrastructure("something is missing or damaged: run `tapwright models install`"));
            }
            Ok(Exit::Passed)
        }
        ModelsCommand::Install => {
            let python = workspace.environment().find("python3").unwrap_or_else(|| "python3".into());
            tokio::task::spawn_blocking(move || {
                install(&manifest, manifest.runtimes(), &Pip::new(python), &mut |event| {
                    anstream::eprintln!("{event}");
                })
            })
            .await
            .map_err(Failure::infrastructure)?
            .map_err(Failure::infrastructure)?;
            Ok(Exit::Passed)
        }
    }
}

fn state(files: &[PathBuf]) -> &'static str {
    if !files.is_empty() && files.iter().all(|file| file.is_file()) { "present" } else { "missing" }
}

fn mention_text_models(manifest: &Manifest) {
    let present = manifest.text_models().is_some_and(|(find, read)| find.is_file() && read.is_file());
    if !present {
        anstream::eprintln!("note: the text models are missing: run `tapwright models install`; {WITHOUT_TEXT_MODELS}");
    }
}
