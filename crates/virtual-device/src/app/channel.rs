//! Variables that the devices of one process share.

use super::expression::dynamic;
use rhai::Dynamic;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Every channel by its name. One for all devices of a process; apps join a channel when they start.
#[derive(Clone, Default)]
pub struct Channels(Arc<Mutex<BTreeMap<String, Channel>>>);

/// One channel: its variables, behind a lock that a change holds from reading to writing.
#[derive(Clone, Default)]
pub(super) struct Channel(Arc<Mutex<Shared>>);

/// What a channel holds.
#[derive(Default)]
pub(super) struct Shared {
    /// Counts changes.
    pub revision: u64,
    values: BTreeMap<String, Dynamic>,
}

impl Channels {
    /// The channel of that name, made by the first that asks. Variables it does not have yet get their first value.
    /// The error is the name of a variable that another app holds with a value of another type.
    pub(super) fn join(&self, name: &str, first: &BTreeMap<String, serde_json::Value>) -> Result<Channel, String> {
        let mut channels = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let channel = channels.entry(name.to_owned()).or_default().clone();
        let mut shared = channel.lock();
        for (name, value) in first {
            let value = dynamic(value);
            match shared.values.get(name) {
                Some(held) if held.type_name() != value.type_name() => return Err(name.clone()),
                Some(_) => {}
                None => shared.write(name, value),
            }
        }
        drop(shared);
        Ok(channel)
    }
}

impl fmt::Debug for Channels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let channels = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_set().entries(channels.keys()).finish()
    }
}

impl Channel {
    /// The variables; nobody else reads or changes them meanwhile.
    pub(super) fn lock(&self) -> MutexGuard<'_, Shared> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    /// A variable's value.
    pub(super) fn read(&self, name: &str) -> Option<&Dynamic> {
        self.values.get(name)
    }

    /// Sets a variable.
    pub(super) fn write(&mut self, name: &str, value: Dynamic) {
        self.values.insert(name.to_owned(), value);
        self.revision += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_app_gives_the_first_values_and_types_have_to_agree() {
        let channels = Channels::default();
        let first = [("n".to_owned(), 1.into())].into();
        channels.join("a", &first).expect("new").lock().write("n", Dynamic::from(5_i64));
        let again = channels.join("a", &[("n".to_owned(), 1.into()), ("m".to_owned(), true.into())].into());
        assert_eq!(again.expect("same types").lock().read("n").and_then(|n| n.as_int().ok()), Some(5));
        let other = channels.join("b", &first).expect("another channel");
        assert_eq!(other.lock().read("n").and_then(|n| n.as_int().ok()), Some(1));
        assert_eq!(channels.join("a", &[("n".to_owned(), "x".into())].into()).err().as_deref(), Some("n"));
    }
}
