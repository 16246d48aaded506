//! `tapwright cases explore`.

use super::run::hold;
use super::{cases, interruption, plural, print_json};
use crate::app::Workspace;
use crate::case::{Case, Selection, parse_duration};
use crate::cli::{Exit, ExploreArgs, Failure};
use crate::domain::PackageName;
use crate::run::{DeviceConnector, Expedition, Exploration, ExploreError, explore};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Names of one kind that are printed of a place.
const MOST_NAMES: usize = 12;

#[derive(Serialize)]
struct Found<'a> {
    #[serde(flatten)]
    exploration: &'a Exploration,
    /// Screens and ways on the map now, with what was known before.
    map_screens: usize,
    map_ways: usize,
    map: PathBuf,
}

/// Explores an app and adds what it finds to the app's map.
pub(super) async fn explore_app(args: ExploreArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let (package, apk) = app(&args, workspace)?;
    let time = parse_duration(&args.time).map_err(|error| Failure::usage(format!("--time: {error}")))?;
    let skills = workspace.skills().map_err(Failure::usage)?;
    let connector = workspace.connector().map_err(Failure::usage)?;
    let serial = workspace.choose_device(args.device.as_deref()).await?;
    let _held = hold(workspace, "tapwright cases explore", std::slice::from_ref(&serial), &BTreeMap::new())?;
    let connected = connector.connect(&serial).await.map_err(Failure::infrastructure)?;
    let cancel = interruption();
    let expedition = Expedition { package, apk, actions: args.actions, time, seed: args.seed, cancel: cancel.clone() };
    let quiet = args.json;
    let mut told = |line: &str| {
        if !quiet {
            anstream::eprintln!("{line}");
        }
    };
    let found = explore(&connected, &skills, &expedition, &mut told).await.map_err(|error| match error {
        ExploreError::Device(error) => Failure::infrastructure(error),
        other => Failure::usage(other),
    })?;
    let store = workspace.maps();
    let version = found.version.as_deref();
    let map = store.add(&found.package, version, &found.discoveries, &[]).map_err(Failure::infrastructure)?;
    let path = store.path(&found.package, version);
    let (map_screens, map_ways) = map.size();
    if args.json {
        print_json(&Found { exploration: &found, map_screens, map_ways, map: path })?;
    } else {
        print(&found);
        anstream::eprintln!(
            "the map holds {} and {}: {}",
            plural(map_screens, "screen"),
            plural(map_ways, "way"),
            path.display()
        );
    }
    if cancel.is_cancelled() {
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Passed)
}

/// The app meant, and what to install.
fn app(args: &ExploreArgs, workspace: &Workspace) -> Result<(PackageName, Option<PathBuf>), Failure> {
    if let Some(package) = &args.package {
        return Ok((PackageName::new(package.trim()), args.apk.clone()));
    }
    let named = args.case.as_deref().unwrap_or_default();
    let case = match Selection::parse(named).map_err(Failure::usage)? {
        Selection::File(path) => Case::load(&path).map_err(Failure::usage)?,
        Selection::Id(id) => cases::index(workspace)?.find(&id).map_err(Failure::usage)?.clone(),
        Selection::Tag(_) => return Err(Failure::usage("name one case, by id or file")),
    };
    Ok((case.app.package, case.app.apk))
}

fn print(found: &Exploration) {
    let version = found.version.as_deref().unwrap_or("of unknown version");
    anstream::println!("{} {version}: {} places", found.package, found.places.len());
    let names = |list: &[String]| {
        let mut shown = list.iter().take(MOST_NAMES).map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
        if list.len() > MOST_NAMES {
            shown.extend(format!(" and {} more", list.len() - MOST_NAMES).chars());
        }
        shown
    };
    for place in &found.places {
        anstream::println!("\n\"{}\"", place.title);
        for (step, to) in &place.ways {
            anstream::println!("  {step} → \"{to}\"");
        }
        if !place.untried.is_empty() {
            anstream::println!("  not tried: {}", names(&place.untried));
        }
        if !place.avoided.is_empty() {
            anstream::println!("  left alone: {}", names(&place.avoided));
        }
    }
    for crash in &found.crashes {
        anstream::println!("\n{crash}");
    }
    anstream::eprintln!("\n{} actions; {}", found.actions, found.ended);
}
