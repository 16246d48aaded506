//! `tapwright doctor --farm`: whether a daemon of this workspace finds what it needs, and answers.

use super::database::Database;
use super::doctor::{Finding, finding, optional};
use super::remote;
use crate::app::{ServeFlags, ServeSettings, Workspace};
use crate::artifact_store::ArtifactStore;
use crate::cli::Failure;
use crate::daemon::{ClientError, Front};
use crate::store::SqliteStore;
use std::path::{Path, PathBuf};
use tokio::process::Command;

/// Less free room than this is soon full: recordings of a night take about as much, in bytes.
const LITTLE: u64 = 1_000_000_000;

/// Looks at what the farm's daemon needs on this host, in the order it needs it.
pub(super) async fn findings(workspace: &Workspace) -> Result<Vec<Finding>, Failure> {
    let settings = match workspace.serve_settings(ServeFlags::default()) {
        Ok(settings) => settings,
        Err(error) => return Ok(vec![finding("settings", Err(error))]),
    };
    let from = format!("listens on {} ({})", settings.listen.value, settings.listen.origin);
    let mut found = vec![finding("settings", Ok(from))];
    let database = Database::of(settings.database.value.clone(), workspace);
    let key = settings.key.value.clone().unwrap_or_else(|| database.key(workspace));
    found.push(finding("database", whole(&database).await));
    found.push(finding("key", private(&key)));
    let folders = [("room for runs", workspace.runs()), ("room for the queue", folder_of(&database, workspace))];
    found.extend(folders.map(|(what, folder)| finding(what, room(&folder))));
    if let Some(place) = &settings.artifacts.value {
        found.push(finding("artifacts", stores(place, workspace).await));
    }
    if let Some(locks) = &workspace.environment().locks {
        found.push(finding("locks", writable(locks)));
    }
    found.push(finding("adb's version", adb_version(workspace).await));
    found.push(match front(workspace, &settings) {
        Ok(front) => daemon(&front, &settings, workspace).await,
        Err(error) => finding("daemon", Err(error)),
    });
    Ok(found)
}

/// How the daemon is reached, where that may be.
fn front(workspace: &Workspace, settings: &ServeSettings) -> Result<Front, String> {
    let daemon = workspace.daemon();
    let mut front = if daemon.tokens { Front::default().with_tokens() } else { Front::default() };
    if let Some(tls) = &daemon.tls {
        let file = |path: &Path| workspace.root().join(path);
        front = front.with_tls(&file(&tls.certificate), &file(&tls.key)).map_err(|error| error.to_string())?;
    }
    front.check(settings.listen.value).map_err(|error| error.to_string())?;
    Ok(front)
}

/// Whether the database is there and whole.
async fn whole(database: &Database) -> Result<String, String> {
    match database {
        Database::File(file) if !file.exists() => Ok(format!("{}: not there yet, the daemon makes it", file.display())),
        Database::File(file) => {
            SqliteStore::check_whole(file).await.map_err(|error| error.to_string())?;
            Ok(format!("{}: whole", file.display()))
        }
        Database::Postgres(_) => {
            let store = database.attach().await.map_err(|failure| failure.message)?;
            let hosts = store.hosts().await.map_err(|error| error.to_string())?;
            let names: Vec<&str> = hosts.iter().map(|host| host.name.as_str()).collect();
            Ok(format!(
                "PostgreSQL answers; hosts: {}",
                if names.is_empty() { "none yet".into() } else { names.join(", ") }
            ))
        }
    }
}

/// Whether the artifact store takes, gives and removes.
async fn stores(place: &str, workspace: &Workspace) -> Result<String, String> {
    let store = ArtifactStore::open(place, &workspace.environment().access_keys).map_err(|error| error.to_string())?;
    let remedy =
        "see that it is reached (AWS_ENDPOINT_URL) and may be written (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY)";
    store.check().await.map_err(|error| format!("{error}: {remedy}"))?;
    Ok(format!("{}: takes, gives and removes", store.shown()))
}

/// Whether nobody else may read the key.
fn private(key: &Path) -> Result<String, String> {
    let Ok(found) = std::fs::metadata(key) else {
        return Ok(format!("{}: not there yet, the daemon makes it", key.display()));
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = found.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            return Err(format!("{} may be read by others (mode {mode:o}): chmod 600 it", key.display()));
        }
    }
    Ok(format!("{}: {} bytes, its owner's alone", key.display(), found.len()))
}

fn folder_of(database: &Database, workspace: &Workspace) -> PathBuf {
    let file = match database {
        Database::File(file) => file.clone(),
        Database::Postgres(_) => workspace.database(),
    };
    file.parent().map_or_else(|| workspace.root().to_owned(), Path::to_owned)
}

/// How much room is left where a folder is or will be.
fn room(folder: &Path) -> Result<String, String> {
    let there = folder.ancestors().find(|folder| folder.exists()).unwrap_or(folder);
    let told = free(there).map_err(|error| format!("{}: {error}", there.display()))?;
    let text = format!("{}: {:.1} GB free", folder.display(), told as f64 / 1e9);
    if told < LITTLE {
        return Err(format!("{text}: make room, or let `keep_days` and `keep_megabytes` under [daemon] see to it"));
    }
    Ok(text)
}

#[cfg(unix)]
fn free(folder: &Path) -> std::io::Result<u64> {
    let told = rustix::fs::statvfs(folder)?;
    Ok(told.f_bavail.saturating_mul(told.f_frsize))
}

#[cfg(not(unix))]
fn free(_folder: &Path) -> std::io::Result<u64> {
    Err(std::io::Error::other("how much room is left is not known on this system"))
}

/// Whether the folder of the devices' locks can be written.
fn writable(folder: &Path) -> Result<String, String> {
    let failed = |error: std::io::Error| {
        let remedy =
            "let the daemon's user write it, or name another folder in TAPWRIGHT_LOCKS, the same for all of this host";
        format!("{}: {error}: {remedy}", folder.display())
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    tempfile::tempfile_in(folder).map_err(failed)?;
    Ok(format!("{}: can be written", folder.display()))
}

/// The version adb tells of itself.
async fn adb_version(workspace: &Workspace) -> Result<String, String> {
    let adb = workspace.adb_binary().ok_or("no adb found")?;
    let said = Command::new(&adb).arg("version").output().await;
    let said = said.map_err(|error| format!("{}: {error}", adb.display()))?;
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    let version = text.lines().find_map(|line| line.strip_prefix("Version ")).map(str::to_owned);
    version.ok_or_else(|| format!("{} tells no version: {}", adb.display(), text.lines().next().unwrap_or_default()))
}

/// Whether a daemon answers where it is to listen, and takes the token of the environment. None is no fault.
async fn daemon(front: &Front, settings: &ServeSettings, workspace: &Workspace) -> Finding {
    let url = format!("{}://{}", front.scheme(), settings.listen.value);
    let client = match remote::client(&url, workspace) {
        Ok(client) => client,
        Err(failure) => return finding("daemon", Err(failure.message)),
    };
    match client.health().await {
        Ok(health) => {
            let told = format!("{url}: {} devices, {} runs wait", health.devices_ready, health.queue_length);
            finding("daemon", health.store_trouble.map_or(Ok(told), Err))
        }
        Err(ClientError::NoDaemon { .. }) => {
            optional("daemon", Err(format!("{url}: none answers; `tapwright serve` starts it")))
        }
        Err(error) => finding("daemon", Err(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_key_that_others_may_read_is_a_fault_and_one_that_is_not_there_is_none() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let key = folder.path().join("farm.key");
        assert!(private(&key).unwrap().contains("not there yet"));
        std::fs::write(&key, "0").unwrap();
        let check = |mode: u32| {
            std::fs::set_permissions(&key, std::fs::Permissions::from_mode(mode)).unwrap();
            private(&key)
        };
        assert!(check(0o644).unwrap_err().contains("mode 644): chmod 600"));
        assert!(check(0o600).unwrap().contains("its owner's alone"));
    }

    #[test]
    fn a_folder_that_is_a_file_holds_no_locks_and_room_is_told_of_what_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(writable(&file).unwrap_err().contains("TAPWRIGHT_LOCKS"));
        assert!(writable(&folder.path().join("locks")).unwrap().contains("can be written"));
        let told = room(&folder.path().join("not/yet/there"));
        assert!(told.unwrap_or_else(|little| little).contains("GB free"));
    }
}
