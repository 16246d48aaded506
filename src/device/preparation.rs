//! What a profile wants of a device before a daemon's runs: settings, room, battery.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a daemon makes of a device of this kind before it gets runs, and puts back afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Preparation {
    /// Android's settings by `namespace/name`, the namespace `global`, `secure` or `system`.
    pub settings: BTreeMap<String, String>,
    /// Megabytes that must be free on `/data`.
    pub free_megabytes: u64,
    /// Percent that the battery must have where the device is not charged.
    pub battery_percent: u8,
}

impl Preparation {
    /// What is wrong with it: the key it stands at, and a sentence.
    pub(super) fn fault(&self) -> Option<(&str, String)> {
        let namespaces = ["global", "secure", "system"];
        let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        for (key, value) in &self.settings {
            let named = key.split_once('/').is_some_and(|(namespace, name)| {
                namespaces.contains(&namespace) && !name.is_empty() && !name.starts_with('-') && name.chars().all(legal)
            });
            if !named {
                let reason = format!("{key:?} names no setting: expected global/NAME, secure/NAME or system/NAME");
                return Some((key, reason));
            }
            if value.is_empty() || value.starts_with('-') || value.chars().any(char::is_control) {
                return Some((key, format!("{key}: expected a value on one line that does not begin with '-'")));
            }
        }
        (self.battery_percent > 100).then(|| ("battery_percent", "battery_percent: expected 0 to 100".to_owned()))
    }
}
