//! Which runs of which suites are made, one after another, so that the same suites always give the same verdicts.

use super::ending::RunReport;
use super::error::SuiteError;
use super::file::SuiteDevice;
use super::folder::Suite;
use super::report::SuiteReport;
use super::trial::Trial;
use crate::case::Rewriter;
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
}

impl Selection {
    fn takes(&self, case: &str) -> bool {
        self.cases.is_empty() || self.cases.iter().any(|wanted| wanted == case)
    }
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
    /// Where the runs' recordings are kept; `None` keeps none.
    pub output: Option<PathBuf>,
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
        for suite in suites {
            for run in &suite.runs {
                for case in suite.cases_of(run).into_iter().filter(|case| selection.takes(case.id.as_str())) {
                    let variants = run.variants(selection.seeds);
                    let spoken = |device: &SuiteDevice| {
                        selection.locales.is_empty() || selection.locales.contains(&device.locale)
                    };
                    let variants = variants.into_iter().filter(|(device, _)| spoken(device));
                    for (device, seed) in variants.take(selection.limit.unwrap_or(usize::MAX)) {
                        if self.cancel.is_cancelled() {
                            return Ok(SuiteReport::new(results));
                        }
                        let result =
                            Trial { suite, run, case, device, seed, number: results.len() }.to_the_end(self).await?;
                        progress(&result);
                        results.push(result);
                    }
                }
            }
        }
        Ok(SuiteReport::new(results))
    }
}
