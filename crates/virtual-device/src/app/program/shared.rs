//! Variables that other devices and apps of the process see too.

use super::super::channel::{Channel, Channels, Shared};
use super::super::file::SharedState;
use super::Program;
use rhai::{Dynamic, Scope};
use std::collections::BTreeSet;

/// An app's part in a channel.
pub(super) struct Membership {
    channel: Channel,
    names: BTreeSet<String>,
    /// The last revision that was taken over.
    seen: u64,
}

impl Membership {
    /// Joins a channel: its variables come into `scope`. The error is a variable that does not fit.
    pub(super) fn join(declared: &SharedState, channels: &Channels, scope: &mut Scope<'_>) -> Result<Self, String> {
        let channel = channels.join(&declared.channel.value, &declared.state)?;
        let mut membership = Self { channel, names: declared.state.keys().cloned().collect(), seen: 0 };
        let channel = membership.channel.clone();
        membership.pull(&channel.lock(), scope);
        Ok(membership)
    }

    fn holds(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Takes over what others changed; true when there was something.
    fn pull(&mut self, shared: &Shared, scope: &mut Scope<'_>) -> bool {
        if self.seen == shared.revision {
            return false;
        }
        self.seen = shared.revision;
        for name in &self.names {
            if let Some(value) = shared.read(name) {
                scope.set_value(name.clone(), value.clone());
            }
        }
        true
    }
}

impl Program {
    /// Takes over what other devices changed.
    pub(super) fn pull_shared(&mut self) {
        let Some(membership) = &mut self.shared else { return };
        let channel = membership.channel.clone();
        let news = membership.pull(&channel.lock(), &mut self.scope);
        if news {
            self.changed();
        }
    }

    /// Runs `work` while no other device reads or changes what is shared, if one of `names` is: what it computes from
    /// the present values is written before anyone else looks. What it returns is set.
    pub(super) fn set_all<'n>(
        &mut self,
        names: impl Iterator<Item = &'n str>,
        work: impl FnOnce(&mut Self) -> Result<Vec<(String, Dynamic)>, String>,
    ) -> Result<(), String> {
        let mut names = names;
        let channel = self.shared.as_ref().filter(|m| names.any(|name| m.holds(name))).map(|m| m.channel.clone());
        let Some(channel) = channel else {
            return work(self)?.into_iter().try_for_each(|(name, value)| self.set_own(&name, value).map(drop));
        };
        let mut shared = channel.lock();
        if let Some(membership) = &mut self.shared {
            membership.pull(&shared, &mut self.scope);
        }
        for (name, value) in work(self)? {
            let value = self.set_own(&name, value)?;
            if let Some(membership) = self.shared.as_mut().filter(|m| m.holds(&name)) {
                shared.write(&name, value);
                membership.seen = shared.revision;
            }
        }
        Ok(())
    }

    /// Sets a state variable; it keeps its type.
    pub(super) fn assign(&mut self, name: &str, value: Dynamic) -> Result<(), String> {
        self.set_all(std::iter::once(name), |_| Ok(vec![(name.to_owned(), value)]))
    }

    fn set_own(&mut self, name: &str, value: Dynamic) -> Result<Dynamic, String> {
        let value = value.as_char().map_or(value, |character| Dynamic::from(character.to_string()));
        let Some(old) = self.scope.get(name) else { return Err(format!("no state variable {name:?}")) };
        let decimal = old.is_float().then(|| value.as_int().ok()).flatten();
        let value = decimal.map_or(value, |integer| Dynamic::from(integer as f64));
        if !old.is_unit() && !value.is_unit() && old.type_name() != value.type_name() {
            return Err(format!("{name} holds a value of type {}, not {}", old.type_name(), value.type_name()));
        }
        self.scope.set_value(name.to_owned(), value.clone());
        self.changed();
        Ok(value)
    }
}
