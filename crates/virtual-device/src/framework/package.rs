//! A framework app as an installed app.

use super::connection::{Connection, FrameworkError};
use super::message::AppInfo;
use super::process::Process;
use crate::domain::Size;
use crate::host::app_context;
use crate::system::{DeclaredActivity, InstalledApp};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// An app that waits in a JVM.
pub struct FrameworkApp {
    connection: Arc<Mutex<Connection>>,
    info: AppInfo,
}

impl FrameworkApp {
    /// Connects to the JVM that `socket` names: a file with `PORT TOKEN`, as the JVM writes it.
    pub fn connect(socket: &Path) -> Result<Self, FrameworkError> {
        let (connection, info) = Connection::open(socket)?;
        Ok(Self { connection: Arc::new(Mutex::new(connection)), info })
    }

    /// The display it was started for, and its density.
    pub const fn screen(&self) -> (Size, u32) {
        (Size::new(self.info.width, self.info.height), self.info.density)
    }

    /// The app as the package manager knows it. There is one JVM: all devices that install it play the same app.
    pub fn installed(&self) -> InstalledApp {
        let info = &self.info;
        let connection = Arc::clone(&self.connection);
        let package = info.package.clone();
        let declared = |activity: &super::message::Activity| DeclaredActivity {
            class: activity.class.clone(),
            exported: activity.exported,
        };
        InstalledApp {
            package: info.package.clone(),
            label: info.label.clone(),
            version_name: info.version_name.clone(),
            version_code: info.version_code,
            launcher_activity: info.launcher.clone(),
            permissions: info.permissions.clone(),
            activities: info.activities.iter().map(declared).collect(),
            links: Vec::new(),
            versions: Vec::new(),
            launch: Arc::new(move |context| {
                let activity = context.activity.clone().unwrap_or_default();
                let configuration = context.configuration.clone();
                let process = Process::start(Arc::clone(&connection), package.clone(), app_context(&context));
                Box::new(process.launched(&activity, &configuration))
            }),
        }
    }
}
