//! One seed as a suite: an app, cases, walkthroughs, and the run that plays them.

use crate::app::Blueprint;
use crate::case::{GeneratedCase, cases};
use crate::draw::Draw;
use crate::error::GymError;
use crate::rich::Rich;
use crate::surface::Surface;
use crate::task::Thing;
use crate::vocabulary::{Library, Split, Subject};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tapwright_virtual_device::app::AppFile;

/// How many things an app holds at first.
const THINGS: usize = 6;

/// A suite in memory: its name, and the files of its folder.
#[derive(Debug)]
pub struct GeneratedSuite {
    /// The folder's name.
    pub name: String,
    /// Path within the folder, and text.
    pub files: Vec<(PathBuf, String)>,
    /// How many cases it has.
    pub cases: usize,
}

impl GeneratedSuite {
    /// The app and the cases of a seed without a split. The same seed and the same data make the same files.
    ///
    /// # Errors
    /// When the app is refused by the virtual device, which is a defect of the gym.
    pub fn of(library: &Library, seed: u64) -> Result<Self, GymError> {
        let unknown = || GymError::Refused { seed, reason: "no family can be drawn".to_owned() };
        let subject = library.of(seed).ok_or_else(unknown)?;
        let mut draw = Draw::new(seed);
        let surface = Surface::of(&subject, &mut draw);
        let things = things(&subject, &mut draw);
        let stem = format!("{}{seed}", subject.family_name);
        let split = library.split_of(subject.family_name).unwrap_or(Split::Train);
        let making = Making { seed, split, stem, name: format!("gym_{seed:05}"), prefix: format!("GYM{seed:05}") };
        making.suite(&subject, &surface, &things, None, &mut draw)
    }

    /// The app and the cases of a family's seed, with everything that such an app can do and bugs to plant.
    ///
    /// # Errors
    /// When there is no such family, or the virtual device refuses the app, which is a defect of the gym.
    pub fn of_family(library: &Library, family: &str, seed: u64) -> Result<Self, GymError> {
        let unknown = || GymError::Unknown { name: family.to_owned(), known: library.families(None).join(", ") };
        let subject = library.of_family(family, seed).ok_or_else(unknown)?;
        let mut draw =
            Draw::new(family.bytes().fold(seed, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte))));
        let surface = Surface::rich(&subject, &mut draw);
        let mut things = things(&subject, &mut draw);
        if subject.wording.can.shelf.is_some()
            && let Some(last) = things.last_mut()
        {
            last.shelved = true;
        }
        let rich = Rich::of(&subject, &mut draw);
        let stem = format!("{family}{seed}");
        let prefix = format!("GYM-{}{seed:05}", family.to_uppercase());
        let split = library.split_of(family).unwrap_or(Split::Train);
        let making = Making { seed, split, stem, name: format!("gym_{family}_{seed:05}"), prefix };
        making.suite(&subject, &surface, &things, Some(&rich), &mut draw)
    }

    /// Writes the suite into a folder of its own below `folder`.
    ///
    /// # Errors
    /// When something cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), GymError> {
        for (path, text) in &self.files {
            let path = folder.join(&self.name).join(path);
            let wrong = |source| GymError::Write { path: path.clone(), source };
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent).map_err(wrong)?;
            }
            std::fs::write(&path, text).map_err(wrong)?;
        }
        Ok(())
    }
}

/// A suite in the making.
struct Making {
    seed: u64,
    /// What its family is for.
    split: Split,
    /// Of the app's file and package.
    stem: String,
    name: String,
    /// Of the cases' ids.
    prefix: String,
}

impl Making {
    fn suite(
        self,
        subject: &Subject<'_>,
        surface: &Surface<'_>,
        things: &[Thing],
        rich: Option<&Rich<'_>>,
        draw: &mut Draw,
    ) -> Result<GeneratedSuite, GymError> {
        let Self { seed, split, stem, name, prefix } = self;
        let package = format!("dev.gym.{}.{stem}", subject.language);
        let blueprint = Blueprint { subject, surface, package: &package, things, rich };
        let app = yaml(seed, &blueprint.app())?;
        let refused = |reason: String| GymError::Refused { seed, reason: format!("{name}: {reason}") };
        AppFile::load(&format!("{stem}.app.yaml"), &app).map_err(|error| refused(error.to_string()))?;
        let cases = cases(&blueprint, &prefix, draw);
        let mut runs =
            vec![json!({"cases": [format!("{}*", &prefix[..3])], "devices": [{"locale": subject.book.locale}]})];
        runs.extend(rich.into_iter().flat_map(|_| broken(&blueprint, &cases)));
        let extras = rich.map_or_else(String::new, Rich::shown);
        let suite = json!({
            "name": name, "title": format!("{}, generated from seed {seed}", surface.labels.app),
            "status": split.status(), "language": subject.language,
            "what": format!("Family {}: {surface}{extras}", subject.family_name),
            "runs": runs,
        });
        let mut files = vec![(PathBuf::from("suite.yaml"), yaml(seed, &suite)?)];
        files.push((Path::new("apps").join(format!("{stem}.app.yaml")), app));
        for case in &cases {
            files.push((Path::new("cases").join(format!("{}.case.yaml", case.id)), yaml(seed, &case.case)?));
            files.push((Path::new("walkthroughs").join(format!("{}.yaml", case.id)), yaml(seed, &case.walkthrough)?));
        }
        Ok(GeneratedSuite { name, files, cases: cases.len() })
    }
}

/// A run for each bug that a case finds: the first case that does.
fn broken(of: &Blueprint<'_>, cases: &[GeneratedCase]) -> Vec<Value> {
    let bugs = of.bugs();
    let run = |(bug, what): (&String, &Value)| {
        let case = cases.iter().find(|case| case.bugs.contains(&bug.as_str()))?;
        Some(json!({
            "cases": [case.id], "devices": [{"locale": of.subject.book.locale}],
            "switches": [format!("{}:bug.{bug}", of.package)], "expect": "failed", "why": what,
        }))
    };
    bugs.iter().filter_map(run).collect()
}

/// What the app holds at first: every name that is left over is one for a new thing.
fn things(subject: &Subject<'_>, draw: &mut Draw) -> Vec<Thing> {
    let mut names = subject.wording.names.clone();
    draw.shuffle(&mut names);
    let kinds = subject.wording.kinds.iter().cycle();
    let numbers = &subject.family.numbers;
    let mut things: Vec<Thing> = names
        .into_iter()
        .take(THINGS)
        .zip(kinds)
        .map(|(name, kind)| Thing {
            name,
            kind: kind.clone(),
            note: if draw.chance(50) { draw.text(&subject.wording.notes).to_owned() } else { String::new() },
            number: draw.text(numbers).to_owned(),
            flag: false,
            shelved: false,
        })
        .collect();
    draw.shuffle(&mut things);
    things
}

fn yaml(seed: u64, value: &impl Serialize) -> Result<String, GymError> {
    serde_saphyr::to_string(value).map_err(|error| GymError::Unwritable { seed, reason: error.to_string() })
}

impl std::fmt::Display for Surface<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            navigation,
            rows,
            creating,
            choosing,
            removing,
            asking,
            ids,
            finding,
            toolkit,
            labelling,
            order,
            labels: _,
        } = self;
        write!(
            f,
            "{navigation:?}, {rows:?}, {creating:?}, {choosing:?}, {removing:?}, {asking:?}, {ids:?}, {finding:?}, {toolkit:?}, {labelling:?}, {order:?}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_hundred_seeds_make_apps_that_the_device_accepts() {
        let library = Library::load().unwrap();
        for seed in 0..500 {
            let suite = GeneratedSuite::of(&library, seed).unwrap_or_else(|error| panic!("{error}"));
            assert!(suite.cases >= 7, "seed {seed}: {} cases", suite.cases);
        }
    }

    #[test]
    fn every_family_makes_apps_that_the_device_accepts() {
        let library = Library::load().unwrap();
        for family in library.families(None) {
            for seed in 0..8 {
                let suite = GeneratedSuite::of_family(&library, family, seed).unwrap_or_else(|error| panic!("{error}"));
                assert!(suite.cases >= 7, "{family} {seed}: {} cases", suite.cases);
            }
        }
        let unknown = GeneratedSuite::of_family(&library, "castles", 0).unwrap_err().to_string();
        assert!(unknown.contains("castles") && unknown.contains("houseplants"), "{unknown}");
    }

    #[test]
    fn a_seed_makes_the_same_files_again() {
        let library = Library::load().unwrap();
        let [first, again, other] = [7, 7, 15].map(|seed| GeneratedSuite::of(&library, seed).unwrap().files);
        assert_eq!(first, again);
        assert_ne!(first, other);
    }
}
