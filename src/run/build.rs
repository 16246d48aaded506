//! The build of an app that a run installs, and what is on the device before it.

use crate::device::{Device, DeviceError};
use crate::domain::PackageName;
use std::path::{Path, PathBuf};

/// How a build comes onto a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InstallWay {
    /// Over what is there; the app's data is cleared.
    #[default]
    Over,
    /// Onto a device that does not have the app: what is there is removed, with its data.
    Fresh,
    /// Over the case's own build, which was installed and started once; its data is kept.
    Upgrade,
}

/// What is on a device before a build is installed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Before {
    /// Whatever is there.
    #[default]
    Anything,
    /// Nothing of the app.
    Nothing,
    /// This build, which was started once.
    Earlier(PathBuf),
}

/// A build to install.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Build {
    /// The app's file.
    pub file: PathBuf,
    /// What is there before it.
    pub before: Before,
}

/// Why a build cannot come onto a device in the way that is asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The app would be removed, and there is no file to install again.
    #[error(
        "{0}: --install fresh removes the app, and no file is known to install again: add `--apk FILE`, or `app: {{apk: …}}` to the case"
    )]
    NothingToInstall(PackageName),
    /// There is no earlier build.
    #[error("{0}: --install upgrade needs the build that is there before: name it under `app: {{apk: …}}` in the case")]
    NothingToUpgrade(PackageName),
    /// There is no later build.
    #[error(
        "{0}: --install upgrade needs the build to upgrade to: add `--apk FILE` with another file than the case's own"
    )]
    NothingNew(PackageName),
}

impl Build {
    /// What is installed of a package: the file that is `given`, else the case's `own`; `None` where there is neither and the app
    /// is used as it is.
    ///
    /// # Errors
    /// `way` needs a file that is not there.
    pub fn choose(
        package: &PackageName,
        own: Option<&Path>,
        given: Option<&Path>,
        way: InstallWay,
    ) -> Result<Option<Self>, BuildError> {
        let file = given.or(own).map(Path::to_owned);
        let before = match (way, own, given) {
            (InstallWay::Over, ..) => Before::Anything,
            (InstallWay::Fresh, None, None) => return Err(BuildError::NothingToInstall(package.clone())),
            (InstallWay::Fresh, ..) => Before::Nothing,
            (InstallWay::Upgrade, None, _) => return Err(BuildError::NothingToUpgrade(package.clone())),
            (InstallWay::Upgrade, Some(own), Some(given)) if own != given => Before::Earlier(own.to_owned()),
            (InstallWay::Upgrade, Some(_), _) => return Err(BuildError::NothingNew(package.clone())),
        };
        Ok(file.map(|file| Self { file, before }))
    }

    /// A file that is installed over what is there.
    pub(super) fn over(file: &Path) -> Self {
        Self { file: file.to_owned(), before: Before::Anything }
    }

    /// Installs it; afterwards the app is started with clean data, or after an upgrade with the data that the earlier build left.
    ///
    /// # Errors
    /// The device fails, or refuses to remove or install a build.
    pub(super) async fn put_on(
        &self,
        device: &dyn Device,
        package: &PackageName,
        is_there: bool,
    ) -> Result<(), DeviceError> {
        if is_there && self.before != Before::Anything {
            device.uninstall(package).await?;
        }
        if let Before::Earlier(earlier) = &self.before {
            device.install(package, earlier).await?;
            device.start_fresh(package).await?;
            // It is given the time that its first screen takes, so that it has data.
            device.observe().await?;
        }
        device.install(package, &self.file).await
    }

    /// The app begins with the data that is there.
    pub(super) const fn keeps_data(&self) -> bool {
        matches!(self.before, Before::Earlier(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_that_needs_a_file_is_refused_without_it() {
        let package = PackageName::from("com.a");
        let (own, given) = (Some(Path::new("old.apk")), Some(Path::new("new.apk")));
        let chosen = |own, given, way| {
            let chosen =
                Build::choose(&package, own, given, way).map(|build| build.map(|build| (build.file, build.before)));
            chosen.map_err(|error| error.to_string().split("--install ").nth(1).unwrap_or_default().to_owned())
        };
        let file = |name: &str, before| Ok(Some((PathBuf::from(name), before)));
        assert_eq!(chosen(None, None, InstallWay::Over), Ok(None));
        assert_eq!(chosen(own, None, InstallWay::Over), file("old.apk", Before::Anything));
        assert_eq!(chosen(own, given, InstallWay::Over), file("new.apk", Before::Anything));
        assert_eq!(chosen(own, None, InstallWay::Fresh), file("old.apk", Before::Nothing));
        assert_eq!(chosen(None, given, InstallWay::Fresh), file("new.apk", Before::Nothing));
        assert_eq!(chosen(own, given, InstallWay::Upgrade), file("new.apk", Before::Earlier("old.apk".into())));
        for (own, given, way, why) in [
            (None, None, InstallWay::Fresh, "fresh removes the app"),
            (None, given, InstallWay::Upgrade, "upgrade needs the build that is there before"),
            (own, None, InstallWay::Upgrade, "upgrade needs the build to upgrade to"),
            (own, own, InstallWay::Upgrade, "upgrade needs the build to upgrade to"),
        ] {
            assert!(chosen(own, given, way).is_err_and(|error| error.starts_with(why)), "{why}");
        }
    }
}
