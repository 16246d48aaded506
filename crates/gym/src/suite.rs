//! One seed as a suite: an app, cases, walkthroughs, and the run that plays them.

use crate::app::Blueprint;
use crate::case::cases;
use crate::draw::Draw;
use crate::error::GymError;
use crate::surface::Surface;
use crate::task::Thing;
use crate::vocabulary::{Library, Subject};
use serde::Serialize;
use serde_json::json;
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
    /// The app and the cases of a seed. The same seed and the same data make the same files.
    ///
    /// # Errors
    /// When the app is refused by the virtual device, which is a defect of the gym.
    pub fn of(library: &Library, seed: u64) -> Result<Self, GymError> {
        let unknown = || GymError::Refused { seed, reason: "no family can be drawn".to_owned() };
        let subject = library.of(seed).ok_or_else(unknown)?;
        let mut draw = Draw::new(seed);
        let surface = Surface::of(&subject, &mut draw);
        let stem = format!("{}{seed}", subject.family_name);
        let package = format!("dev.gym.{}.{stem}", subject.language);
        let things = things(&subject, &mut draw);
        let blueprint = Blueprint { subject: &subject, surface: &surface, package: &package, things: &things };
        let app = yaml(seed, &blueprint.app())?;
        let refused = |reason: String| GymError::Refused { seed, reason };
        AppFile::load(&format!("{stem}.app.yaml"), &app).map_err(|error| refused(error.to_string()))?;
        let cases = cases(&blueprint, seed, &mut draw);
        let name = format!("gym_{seed:05}");
        let suite = json!({
            "name": name, "title": format!("{}, generated from seed {seed}", surface.labels.app),
            "status": "development", "language": subject.language,
            "what": format!("Family {}: {surface}", subject.family_name),
            "runs": [{"cases": ["GYM*"], "devices": [{"locale": subject.book.locale}]}],
        });
        let mut files = vec![(PathBuf::from("suite.yaml"), yaml(seed, &suite)?)];
        files.push((Path::new("apps").join(format!("{stem}.app.yaml")), app));
        for case in &cases {
            files.push((Path::new("cases").join(format!("{}.case.yaml", case.id)), yaml(seed, &case.case)?));
            files.push((Path::new("walkthroughs").join(format!("{}.yaml", case.id)), yaml(seed, &case.walkthrough)?));
        }
        Ok(Self { name, files, cases: cases.len() })
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
    fn a_seed_makes_the_same_files_again() {
        let library = Library::load().unwrap();
        let [first, again, other] = [7, 7, 15].map(|seed| GeneratedSuite::of(&library, seed).unwrap().files);
        assert_eq!(first, again);
        assert_ne!(first, other);
    }
}
