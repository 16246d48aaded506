//! The texts of a walkthrough as the device shows them.

use super::player::Stop;
use crate::case::{Case, Parameters};
use crate::evaluation::suite::{Suite, SuiteDevice, SuiteError, SuiteRun};

/// Puts parameters and the app's own texts into what a walkthrough says.
#[derive(Clone)]
pub(in crate::evaluation::suite) struct Wording<'a> {
    suite: &'a Suite,
    run: &'a SuiteRun,
    device: &'a SuiteDevice,
    params: Parameters,
}

impl<'a> Wording<'a> {
    /// The wording of one case in one run on one device.
    pub(in crate::evaluation::suite) fn of(
        suite: &'a Suite,
        case: &Case,
        run: &'a SuiteRun,
        device: &'a SuiteDevice,
    ) -> Result<Self, SuiteError> {
        let params = case
            .params
            .overridden(&suite.params_of(run, device))
            .map_err(|error| SuiteError::wrong(&suite.folder.join("suite.yaml"), error.to_string()))?;
        Ok(Self { suite, run, device, params })
    }

    /// The parameters.
    pub(super) const fn params(&self) -> &Parameters {
        &self.params
    }

    /// A text of the walkthrough with parameters put in, and `@name` replaced by the app's text.
    pub(super) fn text(&self, text: &str) -> Result<String, Stop> {
        let Self { suite, device, run, .. } = self;
        let named = text.strip_prefix('@').and_then(|name| suite.string(name, &device.locale, &run.switches));
        let text = named.as_deref().unwrap_or(text);
        let filled = self.params.input(text).map_err(|error| Stop::Wrong(error.to_string()))?;
        Ok(filled.expose().to_owned())
    }
}
