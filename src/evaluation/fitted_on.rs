//! Which apps weights and rules were made with a look at: a figure on them says less than one on others.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Whether agent and weights were made with a look at an app.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sample {
    /// They were: weights fitted, words listed or failures looked at.
    InSample,
    /// They were not.
    LeftOut,
}

/// The lists that lie next to the weights.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct FittedOn(BTreeSet<String>);

/// A list that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("the apps that the weights were fitted on: {0}")]
pub struct FittedOnError(#[from] toml::de::Error);

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    fitted_on: Table,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    apps: Vec<String>,
}

impl FittedOn {
    /// From the `[fitted_on]` tables of weights files; what else such a file holds is not looked at.
    ///
    /// # Errors
    /// When a file is malformed.
    pub fn parse(files: &[&str]) -> Result<Self, FittedOnError> {
        let mut apps = BTreeSet::new();
        for file in files {
            apps.extend(toml::from_str::<File>(file)?.fitted_on.apps);
        }
        Ok(Self(apps))
    }

    /// The lists that ship with Tapwright.
    ///
    /// # Errors
    /// When one is malformed.
    pub fn bundled() -> Result<Self, FittedOnError> {
        Self::parse(super::agent_port::WEIGHTS)
    }

    /// Of the app with this package.
    pub fn sample(&self, package: &str) -> Sample {
        if self.0.contains(package) { Sample::InSample } else { Sample::LeftOut }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_app_is_left_out_unless_a_list_names_it() {
        let weights = ["bias = 1.0\n[fitted_on]\napps = [\"org.example.a\"]\n", "bias = 2.0\n"];
        let fitted = FittedOn::parse(&weights).unwrap();
        assert_eq!(fitted.sample("org.example.a"), Sample::InSample);
        assert_eq!(fitted.sample("org.example.b"), Sample::LeftOut);
        assert!(FittedOn::parse(&["[fitted_on]\nnames = []"]).unwrap_err().to_string().contains("names"));
    }

    #[test]
    fn the_bundled_lists_can_be_read() {
        assert!(FittedOn::bundled().is_ok());
    }
}
