//! Newtypes for the names that must not be mixed up.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! name_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Wraps a name as it is.
            pub fn new(name: impl Into<String>) -> Self {
                Self(name.into())
            }

            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(name: &str) -> Self {
                Self(name.to_owned())
            }
        }
    };
}

name_type! {
    /// A device as the adb server names it: `emulator-5554`, `127.0.0.1:6001`, a USB serial.
    DeviceSerial
}
name_type! {
    /// An Android application id, `com.example.pay`.
    PackageName
}
name_type! {
    /// One run of one case; sortable by start time.
    RunId
}

impl PackageName {
    /// True for what Android takes as an application id: words of ASCII letters, digits and '_', each begun with a letter,
    /// joined by dots. One word alone is the system's own (`android`).
    pub fn is_valid(&self) -> bool {
        let word = |word: &str| {
            word.starts_with(|c: char| c.is_ascii_alphabetic())
                && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        self.0.len() <= 255 && self.0.split('.').all(word)
    }
}

/// A case's unique name, `[A-Za-z0-9._-]+`, safe as a file name on every system.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CaseId(String);

/// A case id that is empty, starts with a dot, or holds a character outside `[A-Za-z0-9._-]`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a case id: use letters, digits, '.', '_' and '-', not starting with '.', at most 128 characters")]
pub struct InvalidCaseId(pub String);

impl CaseId {
    /// Checks and wraps an id.
    pub fn new(id: impl Into<String>) -> Result<Self, InvalidCaseId> {
        let id = id.into();
        let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        if id.is_empty() || id.len() > 128 || id.starts_with('.') || !id.chars().all(legal) {
            return Err(InvalidCaseId(id));
        }
        Ok(Self(id))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for CaseId {
    type Error = InvalidCaseId;
    fn try_from(id: String) -> Result<Self, Self::Error> {
        Self::new(id)
    }
}

impl From<CaseId> for String {
    fn from(id: CaseId) -> Self {
        id.0
    }
}

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_id_is_a_safe_file_name() {
        assert!(CaseId::new("PAY-0142").is_ok());
        for bad in ["", "..", "a/b", "a b", "é", ".hidden"] {
            assert!(CaseId::new(bad).is_err(), "{bad:?} was accepted");
        }
    }

    #[test]
    fn a_package_name_is_nothing_but_words_and_dots() {
        for good in ["com.example.pay", "android", "a.b_2.C"] {
            assert!(PackageName::from(good).is_valid(), "{good:?} was refused");
        }
        for bad in ["", ".", "a..b", "a.", "2a.b", "a;b", "a b", "a.b\n", "a.$(id)", "a.'b", "\u{e4}.b", "-a"] {
            assert!(!PackageName::from(bad).is_valid(), "{bad:?} was accepted");
        }
    }
}
