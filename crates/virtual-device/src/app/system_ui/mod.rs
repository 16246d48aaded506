//! The system's own windows, drawn over the dimmed screen below: permission dialogs, the share sheet, dialogs about apps
//! in trouble, recent apps.

mod app_error;
mod page;
mod permission;
mod recents;
mod share;
mod window;
mod wording;

pub use app_error::app_error;
pub use permission::permission;
pub use recents::recents;
pub use share::share;
