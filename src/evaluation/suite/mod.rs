//! Suites as an examination: the bundled cases, with the real executor and the real model, on devices within this process
//! and on a virtual clock.
//!
//! `file` is the form of `suite.yaml`, `folder` a suite as it lies in its folder, `strings` the texts of its apps;
//! `phone` is a device, `trial` one case on one device, `ending` what came of it compared with what had to; `report` sums
//! up, `prompts` in the paper's own metrics, `page` for people; `fuzz` makes variants that must end the same.

mod ending;
mod error;
mod examination;
mod file;
mod folder;
mod fuzz;
mod page;
mod phone;
mod prompts;
mod report;
#[cfg(test)]
mod sample;
mod strings;
mod trial;

pub use ending::{Ending, RunReport, StepReport};
pub use error::SuiteError;
pub use examination::{Examination, Fuzz, Selection};
pub use file::{Expected, SuiteDevice, SuiteRun};
pub use folder::Suite;
pub use fuzz::{Change, ChangeReport, FuzzReport, VariantReport};
pub use page::page;
pub use phone::{Phone, morning};
pub use prompts::PromptReport;
pub use report::{SuiteReport, SuiteScore};
