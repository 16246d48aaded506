//! Installations that are not finished yet (`PackageInstallerSession`).

use super::Downgrade;
use std::collections::BTreeMap;

/// The id of the first one; Android draws them by lot.
const FIRST: u32 = 1_000_001;

/// One installation.
#[derive(Debug)]
pub struct InstallSession {
    /// `-d`.
    pub downgrade: Downgrade,
    /// `-g`.
    pub grant: bool,
    /// Name and content, in the order they came.
    pub files: Vec<(String, Vec<u8>)>,
}

/// Those of a device.
#[derive(Debug, Default)]
pub struct InstallSessions {
    open: BTreeMap<u32, InstallSession>,
    made: u32,
}

impl InstallSessions {
    /// Begins one and gives its id.
    pub fn create(&mut self, downgrade: Downgrade, grant: bool) -> u32 {
        let id = FIRST + self.made;
        self.made += 1;
        self.open.insert(id, InstallSession { downgrade, grant, files: Vec::new() });
        id
    }

    /// Adds a file, or replaces the one of that name; false when there is no such session.
    pub fn write(&mut self, id: u32, name: &str, content: Vec<u8>) -> bool {
        let Some(session) = self.open.get_mut(&id) else { return false };
        session.files.retain(|(known, _)| known != name);
        session.files.push((name.to_owned(), content));
        true
    }

    /// Ends one, whatever becomes of it.
    pub fn take(&mut self, id: u32) -> Option<InstallSession> {
        self.open.remove(&id)
    }
}
