//! The daemon's database: a file, or a PostgreSQL database that several hosts share.

use crate::app::{ServeFlags, Workspace, is_url};
use crate::cli::Failure;
use crate::domain::Secret;
use crate::store::{PostgresStore, SqliteStore, Store};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where runs and queue are.
pub(super) enum Database {
    /// A SQLite file.
    File(PathBuf),
    /// The URL of a PostgreSQL database; it may hold a password.
    Postgres(Secret),
}

impl Database {
    /// What was asked for: the flag, else the environment, else `tapwright.toml`, else the workspace's own file.
    pub(super) fn chosen(flag: Option<PathBuf>, workspace: &Workspace) -> Result<Self, Failure> {
        let database = flag.map(|flag| flag.to_string_lossy().into_owned());
        let settings = workspace.serve_settings(ServeFlags { database, ..ServeFlags::default() });
        Ok(Self::of(settings.map_err(Failure::usage)?.database.value, workspace))
    }

    /// The database of these words; the workspace's own file where there are none.
    pub(super) fn of(chosen: Option<Secret>, workspace: &Workspace) -> Self {
        match chosen {
            Some(url) if is_url(url.expose()) => Self::Postgres(url),
            Some(file) => Self::File(PathBuf::from(file.expose())),
            None => Self::File(workspace.database()),
        }
    }

    /// Opens it for a daemon.
    pub(super) async fn open(&self) -> Result<Arc<dyn Store>, Failure> {
        match self {
            Self::File(file) => {
                make_folder_of(file)?;
                Ok(Arc::new(SqliteStore::open(file).await.map_err(Failure::infrastructure)?))
            }
            Self::Postgres(url) => open_postgres(url).await,
        }
    }

    /// Opens it beside a daemon that may have it.
    pub(super) async fn attach(&self) -> Result<Arc<dyn Store>, Failure> {
        match self {
            Self::File(file) => {
                make_folder_of(file)?;
                Ok(Arc::new(SqliteStore::attach(file).await.map_err(Failure::infrastructure)?))
            }
            Self::Postgres(url) => open_postgres(url).await,
        }
    }

    /// Where the key of sealed values is: beside the file itself where a link leads to it. Hosts that share a database must
    /// have the same.
    pub(super) fn key(&self, workspace: &Workspace) -> PathBuf {
        let database = match self {
            Self::File(file) => std::fs::canonicalize(file).unwrap_or_else(|_| file.clone()),
            Self::Postgres(_) => workspace.database().with_file_name("postgres"),
        };
        let mut path = database.into_os_string();
        path.push(".key");
        path.into()
    }

    /// As people may see it.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::File(file) => file.display().to_string(),
            Self::Postgres(_) => "PostgreSQL, shared with other hosts".to_owned(),
        }
    }
}

async fn open_postgres(url: &Secret) -> Result<Arc<dyn Store>, Failure> {
    Ok(Arc::new(PostgresStore::open(url.expose()).await.map_err(Failure::infrastructure)?))
}

fn make_folder_of(file: &Path) -> Result<(), Failure> {
    let Some(folder) = file.parent() else { return Ok(()) };
    std::fs::create_dir_all(folder).map_err(|error| Failure::infrastructure(format!("{}: {error}", folder.display())))
}
