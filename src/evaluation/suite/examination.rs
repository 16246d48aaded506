//! Which runs of which suites are made, one after another, so that the same suites always give the same verdicts.

use super::ending::{Ending, RunReport};
use super::error::SuiteError;
use super::file::{SuiteDevice, SuiteRun};
use super::folder::Suite;
use super::fuzz::{FuzzReport, Material, Variant};
use super::known::KnownApps;
use super::phone::Pictures;
use super::report::SuiteReport;
use super::trial::Trial;
use crate::case::{Case, Rewriter};
use crate::evaluation::FittedOn;
use crate::run::{Judgement, StringTables};
use crate::skill::Library;
use crate::vision::TextReader;
use std::path::PathBuf;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Which of the runs are made.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Only these cases; all when empty.
    pub cases: Vec<String>,
    /// Only devices in these languages; all when empty.
    pub locales: Vec<String>,
    /// At most so many devices and seeds of each run of a case.
    pub limit: Option<usize>,
    /// So many seeds instead of the suite's own.
    pub seeds: Option<u64>,
    /// Variants that are made of each run, too.
    pub fuzz: Option<Fuzz>,
}

/// How many variants of each run are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fuzz {
    /// So many.
    pub variants: u64,
    /// The first one's seed; the others' follow it.
    pub seed: u64,
}

impl Selection {
    pub(super) fn takes(&self, case: &str) -> bool {
        self.cases.is_empty() || self.cases.iter().any(|wanted| wanted == case)
    }
}

/// The runs that a selection takes, in the suites' order.
pub(super) fn trials<'s>(suites: &'s [Suite], selection: &'s Selection) -> impl Iterator<Item = Trial<'s>> {
    let spoken = |device: &SuiteDevice| selection.locales.is_empty() || selection.locales.contains(&device.locale);
    let of_case = move |suite: &'s Suite, run: &'s SuiteRun, case: &'s Case| {
        let devices = run.variants(selection.seeds).into_iter().filter(move |(device, _)| spoken(device));
        devices.take(selection.limit.unwrap_or(usize::MAX)).map(move |(device, seed)| (suite, run, case, device, seed))
    };
    let of_run = move |suite: &'s Suite, run: &'s SuiteRun| {
        let cases = suite.cases_of(run).into_iter().filter(|case| selection.takes(case.id.as_str()));
        cases.flat_map(move |case| of_case(suite, run, case))
    };
    let all = suites.iter().flat_map(move |suite| suite.runs.iter().flat_map(move |run| of_run(suite, run)));
    all.enumerate().map(|(number, (suite, run, case, device, seed))| {
        let apps = suite.apps.as_slice();
        Trial { suite, run, case, apps, variant: None, device, seed, number }
    })
}

/// Makes the runs of suites.
pub struct Examination<'a> {
    /// Model, weights, cues.
    pub judgement: &'a Judgement,
    /// Skills.
    pub skills: &'a Library,
    /// How instructions are read.
    pub rewriter: &'a Rewriter,
    /// Colours links are drawn in on virtual devices.
    pub link_colours: &'a [[u8; 3]],
    /// Reads the texts of pictures.
    pub reader: Option<Arc<TextReader>>,
    /// The texts of apps in their languages; `None` leaves languages to the model.
    pub strings: Option<Arc<StringTables>>,
    /// Which apps the weights were fitted on.
    pub fitted_on: FittedOn,
    /// Where the runs' recordings are kept; `None` keeps none.
    pub output: Option<PathBuf>,
    /// What the runs know of the apps beforehand; without it each run begins without a map.
    pub known: Option<KnownApps>,
    /// Whether the agent sees pictures.
    pub pictures: Pictures,
    /// Ends it early; what was run until then is reported.
    pub cancel: CancellationToken,
}

impl Examination<'_> {
    /// Makes every run that `selection` takes. `progress` hears of each.
    ///
    /// # Errors
    /// When a run cannot even begin: a parameter or an app that makes no sense.
    pub async fn of(
        &self,
        suites: &[Suite],
        selection: &Selection,
        progress: &mut (dyn FnMut(&RunReport) + Send),
    ) -> Result<SuiteReport, SuiteError> {
        let mut results = Vec::new();
        let mut variants = Vec::new();
        for trial in trials(suites, selection) {
            if self.cancel.is_cancelled() {
                break;
            }
            let trial = Trial { number: results.len() + variants.len(), ..trial };
            let result = trial.to_the_end(self).await?;
            progress(&result);
            if let Some(fuzz) = selection.fuzz {
                self.vary(&trial, fuzz, result.ending, &mut variants, progress).await?;
            }
            results.push(result);
        }
        let report = SuiteReport::new(results);
        Ok(match selection.fuzz {
            Some(fuzz) => SuiteReport { fuzz: Some(FuzzReport::new(fuzz.seed, fuzz.variants, variants)), ..report },
            None => report,
        })
    }

    /// Makes the variants of a run that ended like this.
    async fn vary(
        &self,
        base: &Trial<'_>,
        fuzz: Fuzz,
        ending: Ending,
        results: &mut Vec<(Ending, RunReport)>,
        progress: &mut (dyn FnMut(&RunReport) + Send),
    ) -> Result<(), SuiteError> {
        let wrong = |error: &dyn ToString| SuiteError::wrong(&base.suite.folder, error.to_string());
        let material = Material::bundled().map_err(|error| wrong(&error))?;
        for seed in (0..fuzz.variants).map(|number| fuzz.seed.wrapping_add(number)) {
            if self.cancel.is_cancelled() {
                break;
            }
            let Variant { case, device, apps, told } =
                Variant::draw(seed, base.case, &base.device, &base.suite.apps, &material)?;
            let number = base.number + results.len() + 1;
            let trial = Trial { case: &case, device, apps: &apps, variant: Some(&told), number, ..*base };
            let result = trial.to_the_end(self).await?;
            progress(&result);
            results.push((ending, result));
        }
        Ok(())
    }
}
