//! `tapwright models`.

use super::print_json;
use crate::app::Workspace;
use crate::cli::{Exit, Failure, InstallArgs, ModelsCommand, table};
use crate::inference::{FileReport, InstallEvent, Manifest, Model, Tier, adopt, assemble, install, verify};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::path::{Path, PathBuf};

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
    let manifest = || workspace.manifest().map_err(Failure::infrastructure);
    match command {
        ModelsCommand::List(args) => {
            let manifest = manifest()?;
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
            let manifest = manifest()?;
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
        ModelsCommand::Install(args) => install_missing(args, workspace).await,
    }
}

/// Takes models over where that is asked for, and fetches what is missing.
async fn install_missing(args: InstallArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let index = workspace.package_index().map_err(Failure::usage)?;
    let manifest = match args.from {
        None => workspace.manifest().map_err(Failure::infrastructure)?,
        Some(from) => {
            let target = workspace.user_models().ok_or_else(|| {
                Failure::usage("there is no folder for them: set TAPWRIGHT_DATA, XDG_DATA_HOME or HOME")
            })?;
            let source = models_in(&from)?;
            let adopted = tokio::task::spawn_blocking(move || adopt(&source, &target)).await;
            let adopted = adopted.map_err(Failure::infrastructure)?.map_err(Failure::infrastructure)?;
            anstream::eprintln!("models: taken over, {}", adopted.path().display());
            if workspace.models() != adopted.path().parent().unwrap_or(adopted.path()) {
                anstream::eprintln!("note: here those of {} come first", workspace.models().display());
            }
            adopted
        }
    };
    let mut bar: Option<ProgressBar> = None;
    let mut show = |event: InstallEvent| match event {
        InstallEvent::Received { package, bytes, whole } => {
            let bar = bar.get_or_insert_with(|| new_bar(&package));
            bar.set_length(whole.unwrap_or(bytes));
            bar.set_position(bytes);
        }
        told => {
            if let Some(done) = bar.take() {
                done.finish_and_clear();
            }
            anstream::eprintln!("{told}");
        }
    };
    install(&manifest, manifest.runtimes(), &index, &mut show).await.map_err(Failure::infrastructure)?;
    if let Some(tier) = args.tier.map(Tier::from) {
        let model = manifest.model_of(tier).map_err(Failure::usage)?;
        assemble(&manifest, model, &index, &mut show).await.map_err(Failure::infrastructure)?;
        tell_choice(tier, model, workspace);
    }
    Ok(Exit::Passed)
}

/// The folder with the manifest: the one that is given, or its `models`, as a checkout and a release have it.
fn models_in(given: &Path) -> Result<PathBuf, Failure> {
    let places = [given.to_owned(), given.join("models")];
    let found = places.into_iter().find(|folder| folder.join("manifest.toml").is_file());
    found.ok_or_else(|| {
        Failure::usage(format!(
            "{0}: neither it nor {0}/models holds a manifest.toml: name the folder of a checkout or of an unpacked release of Tapwright",
            given.display()
        ))
    })
}

/// Which model decides now, and how another one would.
fn tell_choice(tier: Tier, model: &Model, workspace: &Workspace) {
    match workspace.model_name() {
        Ok(chosen) if chosen == model.name => anstream::eprintln!("{chosen} decides in this workspace"),
        Ok(chosen) => anstream::eprintln!(
            "{chosen} decides in this workspace; for {} write `tier = \"{tier}\"` under [model] in tapwright.toml",
            model.name
        ),
        Err(error) => anstream::eprintln!("note: {error}"),
    }
}

/// A bar for a download; a terminal shows it, a pipe does not.
fn new_bar(package: &str) -> ProgressBar {
    let shape = "{prefix} [{bar:30}] {decimal_bytes}/{decimal_total_bytes} {decimal_bytes_per_sec}, {eta} left";
    let style = ProgressStyle::with_template(shape).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(0).with_style(style.progress_chars("=> ")).with_prefix(package.to_owned())
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
