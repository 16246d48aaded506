//! Consumers of events that people read.
//!
//! Each takes a run's events (and the run's folder, for screenshots) and knows nothing of devices, models or the
//! executor. A report that cannot be written is an error for the caller to mention; it never changes a verdict.

mod archive;
mod cause;
mod console;
mod data_uri;
mod device_log;
mod dumps;
mod error;
mod frame;
mod html;
mod index;
mod last_pass;
mod live;
mod result_json;
#[cfg(test)]
mod sample;
mod schema;
mod story;
mod tally;
mod terms;
mod thumbnail;
mod words;

pub use archive::write_archive;
pub use console::{Console, Verbosity};
pub use error::{ReportError, probe_writable, write_whole};
pub use html::{render_html, write_html};
pub use index::{IndexedCase, write_index, write_page};
pub use result_json::write_result;
pub use schema::result_schema;
pub use tally::Tally;
pub use terms::meaning_of;
pub use words::{duration, plain_line};
