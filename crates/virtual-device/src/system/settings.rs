//! `settings get|put`.

use std::collections::BTreeMap;

/// The three tables of the settings provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Namespace {
    /// `system`.
    System,
    /// `secure`.
    Secure,
    /// `global`.
    Global,
}

impl Namespace {
    /// Reads the word `settings` takes, in any case.
    pub fn parse(word: &str) -> Option<Self> {
        match word.to_ascii_lowercase().as_str() {
            "system" => Some(Self::System),
            "secure" => Some(Self::Secure),
            "global" => Some(Self::Global),
            _ => None,
        }
    }
}

/// The keyboard every device has.
pub(crate) const LATIN_KEYBOARD: &str = "com.google.android.inputmethod.latin/com.android.inputmethod.latin.LatinIME";

/// The settings provider's content.
#[derive(Debug)]
pub struct Settings(BTreeMap<(Namespace, String), String>);

impl Default for Settings {
    fn default() -> Self {
        let defaults = [
            (Namespace::System, "accelerometer_rotation", "0"),
            (Namespace::System, "user_rotation", "0"),
            (Namespace::System, "font_scale", "1.0"),
            (Namespace::System, "screen_off_timeout", "60000"),
            (Namespace::Secure, "long_press_timeout", "400"),
            (Namespace::Secure, "user_setup_complete", "1"),
            (Namespace::Global, "adb_enabled", "1"),
            (Namespace::Global, "airplane_mode_on", "0"),
            (Namespace::Global, "device_provisioned", "1"),
            (Namespace::Global, "development_settings_enabled", "1"),
            (Namespace::System, "screen_brightness", "102"),
            (Namespace::System, "screen_brightness_mode", "0"),
            (Namespace::Secure, "default_input_method", LATIN_KEYBOARD),
            (Namespace::Secure, "enabled_input_methods", LATIN_KEYBOARD),
            (Namespace::Global, "mobile_data", "1"),
            (Namespace::Global, "wifi_on", "1"),
        ];
        Self(defaults.into_iter().map(|(table, key, value)| ((table, key.to_owned()), value.to_owned())).collect())
    }
}

impl Settings {
    /// A value, if set.
    pub fn get(&self, table: Namespace, key: &str) -> Option<&str> {
        self.0.get(&(table, key.to_owned())).map(String::as_str)
    }

    /// Sets a value.
    pub fn put(&mut self, table: Namespace, key: &str, value: &str) {
        self.0.insert((table, key.to_owned()), value.to_owned());
    }

    /// Deletes a value; true when it was set.
    pub fn delete(&mut self, table: Namespace, key: &str) -> bool {
        self.0.remove(&(table, key.to_owned())).is_some()
    }

    /// A table's pairs, sorted.
    pub fn list(&self, table: Namespace) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter(move |((of, _), _)| *of == table).map(|((_, key), value)| (key.as_str(), value.as_str()))
    }
}
