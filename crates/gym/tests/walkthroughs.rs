//! Every case of generated apps done by hand, as its walkthrough says, on virtual devices in this process.

use std::collections::BTreeSet;
use std::path::Path;
use tapwright::case::{Case, lint_file};
use tapwright::domain::{Screenshot, Size};
use tapwright::evaluation::suite::{Expected, Pace, Phone, Play, Status, Suite};
use tapwright::vision::encode_png;
use tapwright_gym::{GeneratedSuite, Library, Split};

/// Complaints about the cases of a suite that cannot be done as the truth says.
fn complaints(generated: &GeneratedSuite, folder: &Path) -> Vec<String> {
    generated.write(folder).unwrap_or_else(|error| panic!("{error}"));
    let suite = Suite::load(&folder.join(&generated.name)).unwrap_or_else(|error| panic!("{error}"));
    let mut found = Vec::new();
    for run in &suite.runs {
        for case in suite.cases_of(run) {
            found.extend(lint_file(&case.path).iter().map(|problem| format!("{}: {problem}", case.id)));
            for (device, variant) in run.variants(None) {
                let (apps, pace) = (suite.apps.as_slice(), Pace::Brisk);
                let play = Play { suite: &suite, case, run, device: &device, seed: variant, apps, pace };
                let ending = play.to_the_end().unwrap_or_else(|error| panic!("{}: {error}", case.id));
                if ending.verdict != run.expect {
                    let done = ending.done.join(" | ");
                    found.push(format!(
                        "{} {:?}: {}: {}\n  done: {done}\n  the screen: {}",
                        case.id, run.switches, ending.verdict, ending.reason, ending.screen
                    ));
                }
            }
        }
    }
    found
}

/// The suite of a family's seed, written and read again.
fn read_again(library: &Library, family: &str, seed: u64, folder: &Path) -> Suite {
    let generated = GeneratedSuite::of_family(library, family, seed).unwrap_or_else(|error| panic!("{error}"));
    generated.write(folder).unwrap_or_else(|error| panic!("{error}"));
    Suite::load(&folder.join(&generated.name)).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn only_apps_to_learn_from_are_read_as_in_development() {
    let library = Library::load().unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    for (name, split) in Split::ALL {
        let status = if split == Split::Train { Status::Development } else { Status::HeldOut };
        for family in library.families(Some(split)) {
            assert_eq!(read_again(&library, family, 0, folder.path()).status, status, "{family} of {name}");
        }
    }
    let plain = GeneratedSuite::of(&library, 0).unwrap_or_else(|error| panic!("{error}"));
    plain.write(folder.path()).unwrap_or_else(|error| panic!("{error}"));
    let plain = Suite::load(&folder.path().join(&plain.name)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(plain.status, Status::Development);
}

/// Every case ends as the truth says. `TAPWRIGHT_GYM_SEEDS=200` plays as many seeds.
#[test]
fn a_person_completes_every_case_from_the_truth() {
    let seeds = std::env::var("TAPWRIGHT_GYM_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(32);
    let library = Library::load().unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let found: Vec<String> = (0..seeds)
        .flat_map(|seed| {
            let suite = GeneratedSuite::of(&library, seed).unwrap_or_else(|error| panic!("{error}"));
            complaints(&suite, folder.path())
        })
        .collect();
    assert!(found.is_empty(), "{} cases:\n{}", found.len(), found.join("\n"));
}

/// The same for every family with all it can do, clean and with every bug that its cases find. `TAPWRIGHT_GYM_SEEDS=200`
/// plays as many seeds of each, `TAPWRIGHT_GYM_FAMILY=chat` one family.
#[test]
fn a_person_completes_every_familys_cases_and_finds_its_bugs() {
    let seeds = std::env::var("TAPWRIGHT_GYM_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let only = std::env::var("TAPWRIGHT_GYM_FAMILY").ok();
    let library = Library::load().unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let mut found = Vec::new();
    for family in library.families(None).into_iter().filter(|family| only.as_deref().is_none_or(|only| only == *family))
    {
        for seed in 0..seeds {
            let suite = GeneratedSuite::of_family(&library, family, seed).unwrap_or_else(|error| panic!("{error}"));
            found.extend(complaints(&suite, folder.path()));
        }
    }
    assert!(found.is_empty(), "{} cases:\n{}", found.len(), found.join("\n"));
}

/// Every bug that an app of some family can have is planted in a run, ends the case that finds it as failed, and without it
/// the same case passes.
#[test]
fn every_bug_is_planted_in_some_run_and_changes_what_comes_of_it() {
    const SEEDS: u64 = 8;
    let library = Library::load().unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let (mut known, mut shown) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..SEEDS {
        for family in library.families(None) {
            let suite = read_again(&library, family, seed, folder.path());
            for (package, bug) in suite.planted_bugs() {
                known.insert(bug.clone());
                let switch = format!("{package}:bug.{bug}");
                let Some(run) = suite.runs.iter().find(|run| run.switches.contains(&switch)) else { continue };
                if !shown.insert(bug) {
                    continue;
                }
                let mut clean = run.clone();
                clean.switches.clear();
                let case = suite.cases_of(run)[0];
                let (device, seed) = run.variants(None).remove(0);
                for (run, verdict) in [(run, Expected::Failed), (&clean, Expected::Passed)] {
                    let (apps, pace) = (suite.apps.as_slice(), Pace::Brisk);
                    let play = Play { suite: &suite, case, run, device: &device, seed, apps, pace };
                    let ending = play.to_the_end().unwrap_or_else(|error| panic!("{}: {error}", case.id));
                    assert_eq!(ending.verdict, verdict, "{} {:?}: {}", case.id, run.switches, ending.reason);
                }
            }
        }
        if known.is_subset(&shown) {
            break;
        }
    }
    let unshown: Vec<&String> = known.difference(&shown).collect();
    assert!(unshown.is_empty(), "no run of {SEEDS} seeds of any family shows {unshown:?}");
    let kinds =
        ["wrong_rounding", "date_not_localised", "dead_switch", "hang_on_remove", "crash_on_save", "search_ignored"];
    assert!(kinds.iter().all(|kind| shown.contains(*kind)), "{shown:?}");
}

/// Pictures side by side, each so many times less wide and high.
struct Sheet {
    rows: Vec<Vec<Screenshot>>,
    shrunk: u32,
}

impl Sheet {
    fn drawn(&self) -> Option<Screenshot> {
        let cell = self.rows.first()?.first()?.size();
        let (width, height) = (cell.width / self.shrunk, cell.height / self.shrunk);
        let columns = self.rows.iter().map(Vec::len).max()? as u32;
        let size = Size::new(columns * width, self.rows.len() as u32 * height);
        let pixels = (0..size.height).flat_map(|y| (0..size.width).map(move |x| (x, y))).flat_map(|(x, y)| {
            let picture = self.rows[(y / height) as usize].get((x / width) as usize);
            let mean = |picture| mean(picture, x % width * self.shrunk, y % height * self.shrunk, self.shrunk);
            let [red, green, blue] = picture.map_or([255; 3], mean);
            [red, green, blue, 255]
        });
        Screenshot::new(size, pixels.collect::<Vec<u8>>())
    }
}

/// The mean colour of a square of a picture.
fn mean(picture: &Screenshot, left: u32, top: u32, side: u32) -> [u8; 3] {
    let all = (top..top + side).flat_map(|y| (left..left + side).filter_map(move |x| picture.rgb(x, y)));
    let (sum, count) = all.fold(([0_u32; 3], 0_u32), |([red, green, blue], count), pixel| {
        let [r, g, b] = pixel.map(u32::from);
        ([red + r, green + g, blue + b], count + 1)
    });
    sum.map(|part| (part / count.max(1)) as u8)
}

/// What the display shows while cases with these numbers are played by their walkthroughs.
fn shown(suite: &Suite, numbers: &[&str]) -> Vec<Screenshot> {
    let run = &suite.runs[0];
    let (device, seed) = run.variants(None).remove(0);
    let mut pictures = Vec::new();
    let wanted = |case: &&Case| numbers.iter().any(|end| case.id.as_str().ends_with(end));
    for case in suite.cases_of(run).into_iter().filter(wanted) {
        let (apps, pace) = (suite.apps.as_slice(), Pace::Brisk);
        let play = Play { suite, case, run, device: &device, seed, apps, pace };
        let mut watch = |_: usize, phone: &Phone| pictures.push(phone.picture());
        play.watched(&mut watch).unwrap_or_else(|error| panic!("{error}"));
    }
    pictures
}

/// `TAPWRIGHT_GYM_CONTACTS=FILE.png cargo test -p tapwright-gym -- --ignored fifty` draws a screen of each of fifty apps.
#[test]
#[ignore = "a picture to look at"]
fn fifty_apps_look_like_apps() {
    let Ok(file) = std::env::var("TAPWRIGHT_GYM_CONTACTS") else { return };
    let library = Library::load().unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    // Nobody looks at the families that are held out.
    let mut families = library.families(Some(Split::Train));
    families.extend(library.families(Some(Split::Choose)));
    let apps = (0..3).flat_map(|seed| families.iter().map(move |family| (*family, seed))).take(50);
    let screens: Vec<Screenshot> = apps
        .enumerate()
        .filter_map(|(at, (family, seed))| {
            let mut pictures = shown(&read_again(&library, family, seed, folder.path()), &["02"]);
            // The list, a form, what came of it: in turn.
            let last = pictures.len().checked_sub(1)?;
            Some(pictures.swap_remove(last * (at % 4) / 3))
        })
        .collect();
    let rows: Vec<Vec<Screenshot>> = screens.chunks(10).map(<[Screenshot]>::to_vec).collect();
    let sheet = Sheet { rows, shrunk: 8 }.drawn().expect("pictures of all apps");
    std::fs::write(file, encode_png(&sheet).expect("a picture")).expect("a file to write to");
}

/// `TAPWRIGHT_GYM_SHEET=FILE.png cargo test -p tapwright-gym -- --ignored` draws eight apps, six screens of each.
#[test]
#[ignore = "a picture to look at"]
fn apps_look_like_apps() {
    let Ok(file) = std::env::var("TAPWRIGHT_GYM_SHEET") else { return };
    let library = Library::load().unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let mut rows = Vec::new();
    for family in ["chat", "feed", "workouts", "accounts", "shop", "switchboard", "cars", "recipes"] {
        let suite = read_again(&library, family, 1, folder.path());
        let pictures = shown(&suite, &["02", "03", "08"]);
        let every = (pictures.len() / 6).max(1);
        rows.push(pictures.into_iter().step_by(every).take(6).collect());
    }
    let sheet = Sheet { rows, shrunk: 4 }.drawn().expect("pictures of all apps");
    std::fs::write(file, encode_png(&sheet).expect("a picture")).expect("a file to write to");
}
