//! Nights: planned from what was asked for, looked after until every cell has ended, told to whoever wants to know.

mod cause;
mod cell;
mod clock;
mod hook;
mod keeper;
mod night_device;
mod notice;
mod plan;
mod quiet;
mod scheduler;
mod submit;
mod view;

pub use cause::CauseKind;
pub use cell::Outcome;
pub(super) use clock::Clock;
pub(super) use hook::{HookError, commit_of, is_signed};
pub(super) use keeper::Keeper;
pub use night_device::NightDevice;
pub use notice::{Notice, NoticeTarget, NoticeWhen};
pub(super) use quiet::is_quiet;
pub(super) use scheduler::Scheduler;
pub(super) use submit::{NightError, Origin};
pub use view::{BatchView, CaseHistory, CaseRow, CauseView, CellView, NightView, PastRunView};
pub(super) use view::{case_history, night_view};
