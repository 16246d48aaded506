//! How long each kind of command may take.

use super::Profile;
use std::time::Duration;

/// Time budgets, one per kind of command. Measured on emulators (dump 2–4 s, picture 2–3 s, install up to a minute);
/// generous, since a budget only has to tell a hang from slowness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budgets {
    /// One hierarchy dump; waiting for idle alone takes up to 10 s.
    pub dump: Duration,
    /// One picture.
    pub picture: Duration,
    /// `dumpsys`, `getprop`, `logcat` and the like.
    pub query: Duration,
    /// One line of a skill; typing takes about 0.3 s a character.
    pub action: Duration,
    /// Starting an app, until its first frame.
    pub launch: Duration,
    /// Installing an app.
    pub install: Duration,
}

impl Default for Budgets {
    fn default() -> Self {
        Self {
            dump: Duration::from_secs(20),
            picture: Duration::from_secs(15),
            query: Duration::from_secs(15),
            action: Duration::from_secs(60),
            launch: Duration::from_secs(60),
            install: Duration::from_secs(300),
        }
    }
}

impl Budgets {
    /// The budgets on a device of this profile.
    #[must_use]
    pub fn for_profile(self, profile: &Profile) -> Self {
        Self {
            dump: profile.scaled(self.dump),
            picture: profile.scaled(self.picture),
            query: profile.scaled(self.query),
            action: profile.scaled(self.action),
            launch: profile.scaled(self.launch),
            install: profile.scaled(self.install),
        }
    }
}
