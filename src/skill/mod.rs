//! The skill library: loading, validating, and expanding actions into shell lines.
//!
//! A skill is a file in `skills/`: what it does in words, what it is aimed at, the shell lines it expands to, and what
//! must be seen afterwards for it to have worked (XUAT-Copilot §3.4.2, Table 2). A workspace's own `skills/` folder
//! replaces bundled skills of the same name.

mod expand;
mod library;
mod perform;

pub use expand::{DeviceStep, ExpandError, swipe_in};
pub use library::{Library, Skill, SkillError, TargetKind, Validity};
pub use perform::PerformError;
