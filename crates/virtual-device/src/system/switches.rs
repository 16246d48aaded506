//! App switches: `settings put global tapwright_app_switches 'PACKAGE:NAME[=VALUE],…'` (or `emulate --switch`).

use super::{Namespace, Settings, VirtualSystem};

/// The global setting that holds all switches, separated by commas.
pub const APP_SWITCHES: &str = "tapwright_app_switches";

/// The switches of one package, without it, in the order given.
pub(super) fn switches_of(settings: &Settings, package: &str) -> Vec<String> {
    let all = settings.get(Namespace::Global, APP_SWITCHES).unwrap_or_default();
    all.split(',')
        .filter_map(|word| word.trim().split_once(':'))
        .filter(|(of, name)| *of == package && !name.is_empty())
        .map(|(_, name)| name.to_owned())
        .collect()
}

impl VirtualSystem {
    /// Name and code of the version the package plays: its own, or the one `version=NAME` switches to.
    pub(super) fn played_version(&self, app: &super::InstalledApp) -> (String, u64) {
        let switched = switches_of(&self.settings, &app.package)
            .into_iter()
            .find_map(|switch| switch.strip_prefix("version=").map(ToOwned::to_owned))
            .and_then(|wanted| app.versions.iter().find(|(name, _)| *name == wanted));
        switched.map_or_else(|| (app.version_name.clone(), app.version_code), Clone::clone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_belong_to_packages() {
        let mut settings = Settings::default();
        settings.put(Namespace::Global, APP_SWITCHES, "a.b:bug.fee, a.b:variant.layout=b,c.d:version=2.0,broken,a.b:");
        assert_eq!(switches_of(&settings, "a.b"), ["bug.fee", "variant.layout=b"]);
        assert_eq!(switches_of(&settings, "c.d"), ["version=2.0"]);
        assert!(switches_of(&settings, "broken").is_empty());
    }
}
