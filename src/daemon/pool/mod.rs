//! The devices of this host: in which state each is, what is held against it, who reserved it, and who tends it.

mod condition;
mod device_keeper;
mod members;
mod standing;

pub(super) use condition::{Condition, DeviceEvent, Phase, is_trouble};
pub(super) use device_keeper::DeviceKeeper;
pub(super) use members::Pool;
pub(super) use standing::Standing;
