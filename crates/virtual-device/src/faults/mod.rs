//! Things that go wrong on a device, on purpose: what a `--fault` can name, and when it strikes.
//!
//! Nothing here acts: the shell, the file system and the services ask [`Faults::strike`] at the moment a fault of theirs
//! could show, and do the damage themselves. The catalogue is one table, so the command line, the documentation and the
//! error texts name the same faults.

mod armed;
mod catalogue;
mod spec;

pub use armed::{Faults, Strike};
pub use catalogue::{Fault, FaultKind, Takes, catalogue};
pub use spec::{FaultSpec, FaultSpecError, FaultValue};
