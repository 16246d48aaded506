//! A variant of a run: what is changed, drawn from a seed.

use super::change::Change;
use super::material::{Material, below, one_of};
use super::report::VariantReport;
use super::reshape::{Reshape, reshaped};
use super::wording::reworded;
use crate::case::{Aim, Case, Expectation};
use crate::domain::{Lots, Size, words};
use crate::evaluation::suite::error::SuiteError;
use crate::evaluation::suite::file::SuiteDevice;
use std::path::PathBuf;

/// Sizes of letters, in per cent.
const LETTERS: [u16; 3] = [85, 115, 130];
/// Displays with their densities: a small phone, a dense one, and an ordinary one that shows everything larger.
const DISPLAYS: [(u32, u32, u32); 3] = [(720, 1280, 320), (1440, 3120, 560), (1080, 2400, 480)];
/// Answers take so many times as long.
const SLOWER: [u64; 3] = [2, 3, 4];

/// A variant of one case on one device.
pub(in crate::evaluation::suite) struct Variant {
    pub(in crate::evaluation::suite) case: Case,
    pub(in crate::evaluation::suite) device: SuiteDevice,
    pub(in crate::evaluation::suite) apps: Vec<(PathBuf, String)>,
    pub(in crate::evaluation::suite) told: VariantReport,
}

impl Variant {
    /// Draws one. About half of what can be changed is, and at least one thing.
    ///
    /// # Errors
    /// When an app file cannot be read.
    pub(in crate::evaluation::suite) fn draw(
        seed: u64,
        case: &Case,
        device: &SuiteDevice,
        apps: &[(PathBuf, String)],
        material: &Material,
    ) -> Result<Self, SuiteError> {
        let lots = |purpose: &str| Lots::new(seed, &format!("{} {purpose}", case.id));
        let mut drawn = lots("changes");
        let mut wanted: Vec<Change> = Change::ALL.into_iter().filter(|_| below(&mut drawn, 2) == 0).collect();
        if wanted.is_empty() {
            wanted.extend(one_of(&mut drawn, &Change::ALL));
        }
        let takes = |change: Change| wanted.contains(&change);
        let says = Said::of(case, material);
        let shape = Reshape {
            ids: takes(Change::Ids),
            order: takes(Change::Order) && !says.order,
            rows: takes(Change::Rows) && !says.order && !says.count,
            offer: takes(Change::Offer),
            slower: takes(Change::Slower).then(|| one_of(&mut lots("slower"), &SLOWER).copied()).flatten(),
        };
        let (apps, shaped) = reshaped(apps, &shape, &lots, material)?;
        let mut changes: Vec<Change> = shaped.into_iter().collect();
        let mut case = case.clone();
        if takes(Change::Wording) && reword(&mut case.aim, &mut lots("wording"), material) {
            changes.push(Change::Wording);
        }
        let mut device = device.clone();
        if takes(Change::Display)
            && device.profile == "phone"
            && let Some((width, height, density)) = one_of(&mut lots("display"), &DISPLAYS)
        {
            device.display = Size::new(*width, *height);
            device.density = *density;
            changes.push(Change::Display);
        }
        if takes(Change::Letters)
            && let Some(letters) = one_of(&mut lots("letters"), &LETTERS)
        {
            device.letters = *letters;
            changes.push(Change::Letters);
        }
        if takes(Change::Dark) {
            device.night = true;
            changes.push(Change::Dark);
        }
        changes.sort_unstable();
        Ok(Self { case, device, apps, told: VariantReport { seed, changes } })
    }
}

/// What a case says that forbids a change.
struct Said {
    /// It speaks of the order of rows.
    order: bool,
    /// It counts rows.
    count: bool,
}

impl Said {
    fn of(case: &Case, material: &Material) -> Self {
        let mut texts: Vec<&str> = case.aim.instructions().iter().map(|step| step.text.as_str()).collect();
        texts.push(&case.title);
        let speaks = |text: &&str| words(&without_names(text)).iter().any(|word| material.ordinals.contains(word));
        let counts = |expectation: &Expectation| matches!(expectation, Expectation::Count { .. });
        Self { order: texts.iter().any(speaks), count: case.expect.iter().any(|outcome| counts(&outcome.expectation)) }
    }
}

/// A text without its parameters' names: `${first_item}` speaks of no place.
fn without_names(text: &str) -> String {
    let mut parts = text.split("${");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('}').map_or("", |(_, rest)| rest))
}

/// Says the instructions in other words. False where there are none.
fn reword(aim: &mut Aim, lots: &mut Lots, material: &Material) -> bool {
    let steps = match aim {
        Aim::Steps(steps) => steps.as_mut_slice(),
        Aim::Goal(goal) => std::slice::from_mut(goal),
    };
    let mut changed = false;
    for step in steps {
        if let Some(text) = reworded(&step.text, lots, material) {
            changed |= text != step.text;
            step.text = text;
        }
    }
    changed
}

#[cfg(test)]
#[path = "variant_tests.rs"]
mod tests;
