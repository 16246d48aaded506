//! A device's health as a state machine, fed by the server's device list and by leases.

use crate::adb::ConnectionState;
use serde::Serialize;

/// What a device is good for right now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Health {
    /// Connected and free.
    Ready,
    /// Connected and leased.
    Busy,
    /// Listed, not answering (or still connecting); comes back by itself or with a cable.
    Offline,
    /// Listed, and needs a person: the dialog on the device, or a udev rule on the host.
    Unauthorized,
    /// Not listed.
    Gone,
}

/// What can happen to a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HealthEvent {
    /// The server lists it in this state.
    Listed(ConnectionState),
    /// The server no longer lists it.
    Unlisted,
    /// A run has taken it.
    Leased,
    /// The run has given it back.
    Returned,
}

impl Health {
    /// The next state. A lease that outlives an outage is told again (`Leased`) by the pool when the device is back.
    #[must_use]
    #[expect(clippy::match_same_arms, reason = "one line per transition")]
    pub fn after(self, event: &HealthEvent) -> Self {
        use ConnectionState as C;
        use HealthEvent::{Leased, Listed, Returned, Unlisted};
        match (self, event) {
            (_, Unlisted) => Self::Gone,

            (Self::Busy, Listed(C::Device)) => Self::Busy,
            (_, Listed(C::Device)) => Self::Ready,
            (_, Listed(C::Unauthorized | C::NoPermissions)) => Self::Unauthorized,
            (_, Listed(C::Offline | C::Silent | C::Authorizing | C::Connecting | C::Other(_))) => Self::Offline,

            (Self::Ready, Leased) => Self::Busy,
            (Self::Busy, Returned) => Self::Ready,
            // Leases of a device that is away change nothing until it is back.
            (same, Leased | Returned) => same,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_s_day_reads_as_a_table() {
        use ConnectionState as C;
        use Health::{Busy, Gone, Offline, Ready, Unauthorized};
        use HealthEvent::{Leased, Listed, Returned, Unlisted};
        let mut health = Gone;
        for (event, expected) in [
            (Listed(C::Offline), Offline),
            (Listed(C::Authorizing), Offline),
            (Listed(C::Unauthorized), Unauthorized),
            (Leased, Unauthorized),
            (Listed(C::Device), Ready),
            (Leased, Busy),
            (Listed(C::Device), Busy),
            (Returned, Ready),
            (Leased, Busy),
            (Listed(C::Offline), Offline),
            (Listed(C::Device), Ready),
            (Listed(C::Silent), Offline),
            (Listed(C::Device), Ready),
            (Listed(C::NoPermissions), Unauthorized),
            (Listed(C::Other("recovery".into())), Offline),
            (Unlisted, Gone),
            (Returned, Gone),
        ] {
            let before = health;
            health = health.after(&event);
            assert_eq!(health, expected, "{before:?} after {event:?}");
        }
    }
}
