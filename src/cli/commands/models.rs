//! `tapwright models`.

use super::print_json;
use crate::app::Workspace;
use crate::cli::{Exit, Failure, ModelsCommand, table};
use crate::inference::{FileReport, Pip, install, verify};
use serde::Serialize;

#[derive(Serialize)]
struct ModelRow {
    name: String,
    kind: String,
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
                licence: model.licence.clone(),
                source: model.source.clone(),
                path: manifest.folder(model).display().to_string(),
            });
            let runtimes = manifest.runtimes().iter().map(|package| ModelRow {
                name: format!("{} {}", package.name, package.version),
                kind: "runtime".into(),
                licence: package.licence.clone(),
                source: package.source.clone(),
                path: manifest.installed_file(package).map(|path| path.display().to_string()).unwrap_or_default(),
            });
            let rows: Vec<ModelRow> = models.chain(runtimes).collect();
            if args.json {
                print_json(&rows)?;
            } else {
                let mut lines = vec![["NAME", "KIND", "LICENCE", "SOURCE"].map(str::to_owned).to_vec()];
                lines.extend(rows.into_iter().map(|row| vec![row.name, row.kind, row.licence, row.source]));
                table::print(&lines);
            }
            Ok(Exit::Passed)
        }
        ModelsCommand::Verify(args) => {
            let reports = tokio::task::spawn_blocking(move || verify(&manifest))
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
