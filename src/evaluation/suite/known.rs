//! What the runs of a suite know of its apps beforehand: the maps that an exploration and earlier runs have left, as in a
//! workspace.

use super::error::SuiteError;
use super::examination::Examination;
use super::phone::{Phone, morning};
use super::trial::Trial;
use crate::app_map::MapStore;
use crate::run::{Expedition, explore};
use crate::virtual_device::AppFiles;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Longest exploration of an app, in real time.
const MAX_TIME: Duration = Duration::from_secs(300);

/// Maps that are kept between runs.
#[derive(Debug, Clone)]
pub struct KnownApps {
    /// Folder of the maps; each language of the device has its own inside.
    pub folder: PathBuf,
    /// Actions of the exploration that begins the map of an app; 0 leaves the map to the runs.
    pub explored: u32,
}

impl KnownApps {
    /// The maps that a trial may use. An app without a map is explored first, without the planted bugs of the run.
    ///
    /// # Errors
    /// When the app's file cannot be used or the exploration cannot begin.
    pub(super) async fn maps(&self, trial: &Trial<'_>, examination: &Examination<'_>) -> Result<MapStore, SuiteError> {
        let store = MapStore::new(self.folder.join(&trial.device.locale));
        if self.explored == 0 {
            return Ok(store);
        }
        let package = &trial.case.app.package;
        let files = Arc::new(AppFiles::default());
        let at = trial.run.location.as_deref();
        let phone = Phone::new(&trial.device, trial.seed, &[], at, &files, &morning(), trial.apps)?;
        let phone = Arc::new(phone);
        let connected = trial.plain(examination, &phone).await?;
        let version = connected.device.installed_version(package).await.map_err(|error| trial.wrong(&error))?;
        let version = version.as_deref();
        if store.path(package.as_str(), version).is_file() {
            return Ok(store);
        }
        let expedition = Expedition {
            package: package.clone(),
            apk: None,
            actions: self.explored,
            time: MAX_TIME,
            seed: trial.seed,
            cancel: examination.cancel.clone(),
        };
        let found = explore(&connected, examination.skills, &expedition, &mut |_| {}).await;
        let found = found.map_err(|error| trial.wrong(&error))?;
        let kept = store.add(package.as_str(), found.version.as_deref(), &found.discoveries, &[]);
        let size = kept.map_err(|error| trial.wrong(&error))?.size();
        tracing::info!("{package}: {} actions, {}; {} screens, {} ways", found.actions, found.ended, size.0, size.1);
        Ok(store)
    }
}
