//! Which Android the device pretends to be.

use std::fmt;

/// An Android API level, 24 (Nougat) or later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ApiLevel(u32);

impl ApiLevel {
    /// The oldest level a virtual device can play.
    pub const OLDEST: Self = Self(24);
    /// The newest level a virtual device can play.
    pub const NEWEST: Self = Self(37);

    /// An API level; `None` outside [`Self::OLDEST`]..=[`Self::NEWEST`].
    pub const fn new(level: u32) -> Option<Self> {
        if level >= Self::OLDEST.0 && level <= Self::NEWEST.0 { Some(Self(level)) } else { None }
    }

    /// The number.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// True from `level` on.
    pub const fn since(self, level: u32) -> bool {
        self.0 >= level
    }

    /// `ro.build.version.release`.
    pub const fn release(self) -> &'static str {
        match self.0 {
            24 => "7.0",
            25 => "7.1.1",
            26 => "8.0.0",
            27 => "8.1.0",
            28 => "9",
            29 => "10",
            30 => "11",
            31 | 32 => "12",
            33 => "13",
            34 => "14",
            35 => "15",
            36 => "16",
            _ => "17",
        }
    }

    /// Protocol version of this level's adbd (`A_VERSION`).
    pub const fn adb_version(self) -> u32 {
        if self.0 >= 28 { 0x0100_0001 } else { 0x0100_0000 }
    }

    /// Largest payload of this level's adbd, in bytes.
    pub const fn adb_max_payload(self) -> u32 {
        if self.0 >= 28 { 1024 * 1024 } else { 256 * 1024 }
    }

    /// The feature list this level's adbd advertises, less what the virtual device does not do (`apex`,
    /// `remount_shell`, compression, mDNS, `delayed_ack`, `devraw`, `app_info`): a feature that is named is kept.
    pub fn adb_features(self) -> Vec<&'static str> {
        let mut features = vec!["shell_v2", "cmd"];
        if self.since(26) {
            features.push("stat_v2");
        }
        if self.since(29) {
            features.extend(["fixed_push_mkdir", "abb", "fixed_push_symlink_timestamp", "abb_exec"]);
        }
        if self.since(30) {
            features.extend(["ls_v2", "sendrecv_v2"]);
        }
        if self.since(31) {
            features.extend(["track_app", "sendrecv_v2_dry_run_send"]);
        }
        features
    }
}

impl Default for ApiLevel {
    fn default() -> Self {
        Self(34)
    }
}

impl fmt::Display for ApiLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_advertises_only_what_its_adbd_had() {
        let features = |level| ApiLevel::new(level).unwrap().adb_features().join(",");
        assert_eq!(features(24), "shell_v2,cmd");
        assert_eq!(features(28), "shell_v2,cmd,stat_v2");
        assert!(features(29).ends_with(",abb_exec") && !features(29).contains("sendrecv_v2"));
        assert!(features(30).ends_with(",ls_v2,sendrecv_v2"));
        assert_eq!(ApiLevel::new(23), None);
    }
}
