//! What a daemon knows beyond its own queue: its host's name, the workspace's catalog, what its devices are.

use super::emulators::Emulators;
use super::nights::Notice;
use crate::domain::DeviceSerial;
use crate::run::{Catalog, DeviceTraits};
use crate::store::Place;
use jiff::SignedDuration;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// How long a host's runs are its own without a sign of life.
pub(super) const LEASE: SignedDuration = SignedDuration::from_secs(20);

/// What a daemon knows beyond its own queue.
pub(super) struct Farm {
    /// This host, as others that share the database know it.
    pub(super) host: String,
    /// What the workspace has to offer; `None` for a daemon that only makes what it is handed.
    pub(super) catalog: Option<Arc<dyn Catalog>>,
    /// Wakes whoever looks after nights: a run ended, or a night began.
    pub(super) nights: Notify,
    /// Wakes whoever watches the clock: a schedule was changed.
    pub(super) clock: Notify,
    /// Who is told that a night has ended.
    pub(super) notices: Vec<Notice>,
    /// Emulators that this daemon keeps running.
    pub(super) emulators: Arc<Emulators>,
    traits: Mutex<BTreeMap<DeviceSerial, DeviceTraits>>,
}

impl Farm {
    pub(super) fn new(
        host: String,
        catalog: Option<Arc<dyn Catalog>>,
        notices: Vec<Notice>,
        emulators: Arc<Emulators>,
    ) -> Self {
        Self {
            host,
            catalog,
            nights: Notify::new(),
            clock: Notify::new(),
            notices,
            emulators,
            traits: Mutex::default(),
        }
    }

    /// Whether a device is one for a run of a night. One that has not been looked at yet is none.
    pub(super) fn suits(&self, place: &Place, serial: &DeviceSerial) -> bool {
        if place.profile.is_none() && place.locale.is_none() {
            return true;
        }
        let known = self.traits();
        let Some(traits) = known.get(serial) else { return false };
        let is = |wanted: &Option<String>, found: &str| wanted.as_ref().is_none_or(|wanted| same(wanted, found));
        is(&place.profile, &traits.profile) && is(&place.locale, &traits.locale)
    }

    /// What a device is, where that is known.
    pub(super) fn traits_of(&self, serial: &DeviceSerial) -> Option<DeviceTraits> {
        self.traits().get(serial).cloned()
    }

    /// Notes what a device is.
    pub(super) fn learn(&self, serial: DeviceSerial, traits: DeviceTraits) {
        self.traits().insert(serial, traits);
    }

    /// Forgets devices that went: they may come back as something else.
    pub(super) fn keep_only(&self, serials: &[DeviceSerial]) {
        self.traits().retain(|serial, _| serials.contains(serial));
    }

    fn traits(&self) -> MutexGuard<'_, BTreeMap<DeviceSerial, DeviceTraits>> {
        // The map is whole after every statement.
        self.traits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Languages are written with `-` and with `_`, and in any case.
fn same(a: &str, b: &str) -> bool {
    a.replace('_', "-").eq_ignore_ascii_case(&b.replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;

    #[test]
    fn a_run_goes_to_a_device_of_its_profile_and_language() {
        let farm = Farm::new("host".into(), None, Vec::new(), Arc::default());
        let device = DeviceSerial::from("d1");
        let check = |profile: Option<&str>, locale: Option<&str>, expected: bool| {
            let place = Place {
                batch_id: "n".into(),
                profile: profile.map(Into::into),
                locale: locale.map(Into::into),
                location: None,
                tried: 1,
                at_most: None,
                quiet: None,
                give_up_at: Timestamp::UNIX_EPOCH,
            };
            assert_eq!(farm.suits(&place, &device), expected, "{profile:?} {locale:?}");
        };
        check(None, None, true);
        check(Some("phone"), None, false);
        farm.learn(device.clone(), DeviceTraits { profile: "phone".into(), locale: "de-DE".into() });
        check(Some("phone"), None, true);
        check(Some("tablet"), None, false);
        check(Some("phone"), Some("de_DE"), true);
        check(None, Some("en-US"), false);
        farm.keep_only(&[]);
        check(Some("phone"), None, false);
    }
}
