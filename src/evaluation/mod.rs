//! How well the agent does: on recorded apps, against what people did with them, and on the bundled suites (`suite`).
//!
//! `scoring` holds the rules and knows neither device nor model; `played_device` is a device made of a recording;
//! `known_map` is what the agent may know beforehand, `trial` lets it work on a task, `foresight` asks for single decisions, `report` sums up.

mod agent_port;
mod apart;
pub mod decisions;
mod fitted_on;
mod flywheel;
mod flywheel_decisions;
mod flywheel_files;
mod flywheel_language;
mod foresight;
#[cfg(test)]
mod human_tests;
mod in_process;
mod known_map;
mod links;
mod links_cost;
mod links_drawn;
mod links_free;
mod links_texts;
mod played_device;
mod ranking;
mod ranking_fit;
mod ranking_gallery;
mod ranking_gate;
mod ranking_labels;
mod ranking_score;
mod ranking_texts;
mod recorded;
mod reliability;
mod report;
mod scoring;
pub mod suite;
mod task_case;
mod trial;
mod watched_device;

pub use apart::{Shared, apart, shared_with};
pub use fitted_on::{FittedOn, FittedOnError, Sample};
pub use flywheel::{Conflict, ExportedLabels, export_labels};
pub use flywheel_decisions::{Correction, Instead, OwnRunError, OwnRuns, by_run};
pub use flywheel_files::FlywheelError;
pub use links::{
    LabelledLink, LabelledScreen, LinkEvaluation, LinkEvaluationError, LinkFree, LinkReport, LinkScore,
    evaluate_drawn_links, evaluate_labelled_links,
};
pub use links_cost::LinkCost;
pub use links_drawn::DEVELOPMENT_SEED;
pub use ranking::{RankingEvaluationError, evaluate_ranking, is_hit};
pub use ranking_fit::{Fit, fit_weights};
pub use ranking_gallery::{Gallery, GalleryError};
pub use ranking_gate::Gate;
pub use ranking_labels::{Label, LabelError, LabelledScreen as LabelledInstructions, read_labels};
pub use ranking_score::{HitAt, NoneOfThese, RankingReport, RankingScore};
pub use ranking_texts::{CandidateTexts, ScreenTexts, screen_texts};
pub use recorded::{Evaluation, EvaluationError};
pub use reliability::{Bin, Declaration, Reliability};
pub use report::{Latency, Mode, Report, Score, TaskReport};
