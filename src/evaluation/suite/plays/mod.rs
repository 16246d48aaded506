//! Many suites played at once, on several threads, and kept in a file that goes on where it was cut off.
//!
//! `journal` is a file of lines to which whole entries are added; `store` is such a file of runs, `examples` one of decisions;
//! `player` makes what is missing in them; `facets` sums runs up by family, operation, register, language and surface.

mod examples;
mod facets;
mod journal;
mod player;
mod store;

pub use examples::{ExampleStore, KeptExamples};
pub use facets::{FACET_HEADINGS, FacetReport, FacetRow};
pub use journal::{PlayError, PlayTerms};
pub use player::{Pace as PlayPace, Step as PlayStep};
pub use store::{PlayStore, Plays};
