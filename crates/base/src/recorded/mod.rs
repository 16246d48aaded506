//! Recorded apps: a real app's screens as a map that can be played, as files in a folder.
//!
//! `form` is the published form (`docs/schemas/recording.schema.json`), `read` checks a folder or an unpacked archive,
//! `write` makes one, `routes` answers where a touch, a text or a key leads. Nothing here draws, waits or knows a device.

mod error;
mod files;
mod form;
mod read;
mod routes;
#[expect(dead_code, reason = "the samples of screens are for the rooms above")]
#[cfg(test)]
pub(crate) mod sample;
mod schema;
mod write;

pub use error::{Note, RecordedAppError};
pub use files::Files;
pub use form::{
    ActionKind, AppInfo, DisplayInfo, InvalidStateId, RecordedAction, Source, StateId, Task, TaskAction, TaskStep,
    Transition,
};
pub use read::{Picture, RecordedApp, State};
pub use routes::{Did, Keypad, Routes, keypad_at};
pub use schema::recording_schema;
pub use write::{NewState, write};
