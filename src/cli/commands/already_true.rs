//! What a case expects and its app shows before anything is done: a lint looks at the app's first screen.

use super::cases::LintRow;
use crate::app::Workspace;
use crate::case::{Case, Rewriter};
use crate::device::{Device, Seen};
use crate::domain::{Expectation, PackageName, Place, Size};
use crate::evaluation::suite::{Phone, SuiteDevice, morning};
use crate::hierarchy::{Screen, ScreenInput};
use crate::run::{ALREADY_TRUE, History, PlannedCase, read_artifact};
use crate::virtual_device::AppFiles;
use crate::witness;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a zip archive begins, and so every APK and bundle.
const ARCHIVE: &[u8] = b"PK";

/// An app of a case, on the device of whoever uses it.
struct Seat<'c> {
    actor: &'c str,
    package: &'c PackageName,
    apk: Option<&'c Path>,
    location: Option<Place>,
}

/// The case's expectations that hold on its app's first screen, each as a warning at its line. That something is absent guards
/// against what may come; it is told only where nothing else is expected that the steps must bring about. An app file for virtual devices is
/// started within this process; of any other app the latest recording of the case is asked. Nothing is told where neither is
/// there, or where the case cannot be planned without values that only a run is given.
pub(super) async fn already_true(workspace: &Workspace, rewriter: &Rewriter, case: &Case) -> Vec<LintRow> {
    let Ok(planned) = PlannedCase::new(case, rewriter, &BTreeMap::new()) else { return Vec::new() };
    let mut told: Vec<LintRow> = Vec::new();
    let (mut held, mut guards) = (0, Vec::new());
    for seat in seats(&planned) {
        let first = match first_screen(&seat).await {
            Ok(Some(first)) => Some(first),
            Ok(None) if planned.cast.is_empty() => recorded_first_screen(&workspace.runs().join(case.id.as_str())),
            Ok(None) => None,
            Err(reason) => {
                told.push(row(case, 0, 0, format!("what is true at the start is not known: {reason}")));
                None
            }
        };
        let Some(screen) = first else { continue };
        let seen = Seen { screen, hierarchy: Vec::new() };
        let witnesses = planned.witnesses.iter().map(String::as_str).chain(std::iter::repeat(""));
        for ((wanted, outcome), witness) in planned.expectations.iter().zip(&case.expect).zip(witnesses) {
            if witness == seat.actor && holds(wanted, &planned, &seen) {
                held += 1;
                let shown = &seen.screen.title;
                let message = format!("{wanted}: {ALREADY_TRUE} (on the app's first screen, {shown:?})");
                let found = row(case, outcome.at.line, outcome.at.column, message);
                if is_guard(wanted) { guards.push(found) } else { told.push(found) }
            }
        }
    }
    if held > 0 && held == case.expect.len() {
        told.append(&mut guards);
        told.sort_by_key(|one| one.line);
        for one in told.iter_mut().filter(|one| one.line > 0) {
            one.message += "; so is all that this case expects: expect something that only its steps bring about";
        }
    }
    told
}

fn row(case: &Case, line: u64, column: u64, message: String) -> LintRow {
    LintRow { path: case.path.clone(), line, column, severity: "warning".into(), message }
}

fn holds(wanted: &Expectation, planned: &PlannedCase, seen: &Seen) -> bool {
    wanted.is_told_by_hierarchy() && witness::expect(wanted, &planned.secrets, &seen.screen).held
}

/// It asks that something is not there.
const fn is_guard(wanted: &Expectation) -> bool {
    matches!(wanted, Expectation::Absent(_) | Expectation::Without(_) | Expectation::Count { is: 0, .. })
}

/// Who uses which app; on one device under the empty name.
fn seats(planned: &PlannedCase) -> Vec<Seat<'_>> {
    if planned.cast.is_empty() {
        let (package, apk, location) = (&planned.package, planned.apk.as_deref(), planned.location);
        return vec![Seat { actor: "", package, apk, location }];
    }
    let seats = planned.cast.iter().map(|actor| Seat {
        actor: &actor.name,
        package: &actor.package,
        apk: actor.apk.as_deref(),
        location: actor.location,
    });
    seats.collect()
}

/// The first screen of an app file for virtual devices; `None` for any other app.
///
/// # Errors
/// The file is one, and cannot be used or does not start.
async fn first_screen(seat: &Seat<'_>) -> Result<Option<Screen>, String> {
    let Some(apk) = seat.apk else { return Ok(None) };
    // That a file is missing is told by the case's own check.
    let Ok(bytes) = std::fs::read(apk) else { return Ok(None) };
    if bytes.starts_with(ARCHIVE) {
        return Ok(None);
    }
    let text = String::from_utf8(bytes).map_err(|_| format!("{} is neither an archive nor text", apk.display()))?;
    let place = seat.location.map(|place| place.to_string());
    let apps = [(apk.to_owned(), text)];
    let (device, files, clock) = (SuiteDevice::default(), Arc::new(AppFiles::default()), morning());
    let phone =
        Phone::new(&device, 0, &[], place.as_deref(), &files, &clock, &apps).map_err(|error| error.to_string())?;
    phone.start_fresh(seat.package).await.map_err(|error| error.to_string())?;
    let observation = phone.glance().await.map_err(|error| error.to_string())?;
    Ok(Some(Screen::perceive(ScreenInput {
        hierarchy: &observation.hierarchy,
        screenshot: None,
        display: device.display,
        foreground: observation.foreground.map(|component| component.to_string()),
        keyboard_shown: observation.keyboard_shown,
    })))
}

/// The first screen of the latest recording in a case's folder of runs that can be read.
fn recorded_first_screen(runs: &Path) -> Option<Screen> {
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(runs).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    // The names of runs sort by the time they began.
    folders.sort();
    let first = |folder: &PathBuf| -> Option<Vec<u8>> {
        let history = History::read(folder).ok()?;
        read_artifact(folder, &history.screens.first()?.hierarchy).ok()
    };
    let hierarchy = folders.iter().rev().find_map(first)?;
    // The dump's own reach is the display.
    let display = Size::new(0, 0);
    let input =
        ScreenInput { hierarchy: &hierarchy, screenshot: None, display, foreground: None, keyboard_shown: false };
    Some(Screen::perceive(input))
}
