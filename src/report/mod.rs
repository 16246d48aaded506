//! Consumers of events that people read.
//!
//! Each takes a run's events (and the run's folder, for screenshots) and knows nothing of devices, models or the
//! executor. A report that cannot be written is an error for the caller to mention; it never changes a verdict.

mod console;
mod data_uri;
mod error;
mod html;
mod junit;
mod result_json;
#[cfg(test)]
mod sample;
mod schema;
mod story;
mod thumbnail;
mod words;

pub use console::{Console, Verbosity};
pub use error::ReportError;
pub use html::{render_html, write_html};
pub use junit::{render_junit, write_junit};
pub use result_json::write_result;
pub use schema::result_schema;
