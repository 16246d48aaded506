//! How well the agent does: on recorded apps, against what people did with them.
//!
//! `scoring` holds the rules and knows neither device nor model; `played_device` is a device made of a recording;
//! `known_map` is what the agent may know beforehand, `trial` lets it work on a task, `foresight` asks for single decisions, `report` sums up.

mod foresight;
#[cfg(test)]
mod human_tests;
mod known_map;
mod links;
mod links_cost;
mod links_drawn;
mod links_free;
mod links_texts;
mod played_device;
mod recorded;
mod report;
mod scoring;
mod task_case;
mod trial;

pub use links::{
    LabelledLink, LabelledScreen, LinkEvaluation, LinkEvaluationError, LinkFree, LinkReport, LinkScore,
    evaluate_drawn_links, evaluate_labelled_links,
};
pub use links_cost::LinkCost;
pub use links_drawn::DEVELOPMENT_SEED;
pub use recorded::{Evaluation, EvaluationError};
pub use report::{Latency, Mode, Report, Score, TaskReport};
