//! How a daemon is reached and where it keeps what: flags before the environment before `tapwright.toml` before what is
//! usual, and for each where it comes from.

use super::Workspace;
use crate::domain::Secret;
use serde::Serialize;
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// Where a daemon listens unless told.
const LISTEN: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 7878);

/// What the command line says.
#[derive(Debug, Clone, Default)]
pub struct ServeFlags {
    /// `--listen`
    pub listen: Option<SocketAddr>,
    /// `--host`
    pub host: Option<String>,
    /// `--database`: a file, or a URL.
    pub database: Option<String>,
    /// `--key`
    pub key: Option<PathBuf>,
    /// `--artifacts`
    pub artifacts: Option<String>,
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// A flag of the command.
    Flag(&'static str),
    /// A variable of the environment.
    Environment(&'static str),
    /// `tapwright.toml`.
    File,
    /// Nobody said anything.
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) | Self::Environment(name) => f.write_str(name),
            Self::File => f.write_str("tapwright.toml"),
            Self::Default => f.write_str("default"),
        }
    }
}

/// A value and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen<T> {
    /// The value.
    pub value: T,
    /// Who said so.
    pub origin: Origin,
}

/// How a daemon is reached and where it keeps what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServeSettings {
    /// Where it listens.
    pub listen: Chosen<SocketAddr>,
    /// Its name among those that share a database; the system's where nobody gives one.
    pub host: Chosen<Option<String>>,
    /// A file, or the URL of a PostgreSQL database, which may hold a password; the workspace's own file where nobody gives one.
    pub database: Chosen<Option<Secret>>,
    /// The key of sealed values; beside the database where nobody gives one.
    pub key: Chosen<Option<PathBuf>>,
    /// Where recordings of ended runs are brought; they stay on their host where nobody says.
    pub artifacts: Chosen<Option<String>>,
}

/// A flag, else the first variable that is set, else the file.
fn chosen<T>(
    (flag, by_flag): (&'static str, Option<T>),
    variables: impl IntoIterator<Item = (&'static str, Option<T>)>,
    file: Option<T>,
) -> Option<Chosen<T>> {
    let of = |origin: Origin| move |value| Chosen { value, origin };
    let set = variables.into_iter().find_map(|(name, value)| value.map(of(Origin::Environment(name))));
    by_flag.map(of(Origin::Flag(flag))).or(set).or(file.map(of(Origin::File)))
}

fn maybe<T>(chosen: Option<Chosen<T>>) -> Chosen<Option<T>> {
    match chosen {
        Some(Chosen { value, origin }) => Chosen { value: Some(value), origin },
        None => Chosen { value: None, origin: Origin::Default },
    }
}

impl Workspace {
    /// The settings of a daemon of this workspace.
    ///
    /// # Errors
    /// A variable that makes no sense, with its name.
    pub fn serve_settings(&self, flags: ServeFlags) -> Result<ServeSettings, String> {
        let (environment, file) = (self.environment(), self.daemon());
        let listen = environment.listen.as_deref().map(|text| {
            text.parse::<SocketAddr>()
                .map_err(|_| format!("TAPWRIGHT_LISTEN is {text:?}: expected ADDRESS:PORT, as 127.0.0.1:7878"))
        });
        let listen = chosen(("--listen", flags.listen), [("TAPWRIGHT_LISTEN", listen.transpose()?)], file.listen);
        let host = chosen(("--host", flags.host), [("TAPWRIGHT_HOST", environment.host.clone())], file.host.clone());
        let database = chosen(
            ("--database", flags.database.map(Secret::new)),
            [
                ("TAPWRIGHT_DATABASE", environment.database.clone()),
                ("TAPWRIGHT_DATABASE_URL", environment.database_url.clone()),
            ],
            // A file of the settings is named from the workspace, a URL from nowhere.
            file.database.as_ref().map(|text| match is_url(text) {
                true => Secret::new(text.as_str()),
                false => Secret::new(self.root().join(text).to_string_lossy()),
            }),
        );
        let own = file.key.as_ref().map(|key| self.root().join(key));
        let key = chosen(("--key", flags.key), [("TAPWRIGHT_KEY", environment.key.clone())], own);
        let artifacts = [("TAPWRIGHT_ARTIFACTS", environment.artifacts.clone())];
        let artifacts = chosen(("--artifacts", flags.artifacts), artifacts, file.artifacts.clone());
        Ok(ServeSettings {
            listen: listen.unwrap_or(Chosen { value: LISTEN, origin: Origin::Default }),
            host: maybe(host),
            database: maybe(database),
            key: maybe(key),
            artifacts: maybe(artifacts),
        })
    }
}

/// True for the URL of a PostgreSQL database.
pub fn is_url(text: &str) -> bool {
    text.starts_with("postgres://") || text.starts_with("postgresql://")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::Environment;

    fn settings(file: &str, environment: Environment, flags: ServeFlags) -> Result<ServeSettings, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("tapwright.toml"), file).unwrap();
        Workspace::open(Some(folder.path()), environment).unwrap().serve_settings(flags)
    }

    #[test]
    fn flags_win_over_the_environment_and_that_over_the_file() {
        let file = "[daemon]\nlisten = '127.0.0.1:1'\nhost = 'file'\nartifacts = 's3://file'\ndatabase = 'data/runs.db'\nkey = 'data/key'\n";
        let environment = || Environment {
            listen: Some("127.0.0.1:2".into()),
            host: Some("environment".into()),
            database: Some(Secret::new("env.db")),
            database_url: Some(Secret::new("postgres://late")),
            artifacts: Some("s3://environment".into()),
            ..Environment::default()
        };
        let place = |settings: ServeSettings| settings.artifacts.value;
        assert_eq!(place(settings("", Environment::default(), ServeFlags::default()).unwrap()), None);
        let own = settings(file, Environment::default(), ServeFlags::default()).unwrap();
        assert_eq!(place(own).as_deref(), Some("s3://file"));
        let told = settings(file, environment(), ServeFlags::default()).unwrap().artifacts;
        assert_eq!(
            (told.value.as_deref(), told.origin),
            (Some("s3://environment"), Origin::Environment("TAPWRIGHT_ARTIFACTS"))
        );
        let flags = || ServeFlags { listen: Some("127.0.0.1:3".parse().unwrap()), ..ServeFlags::default() };
        let shown = |settings: ServeSettings| {
            let ServeSettings { listen, host, database, .. } = settings;
            let database = database.value.map_or_else(String::new, |value| value.expose().to_owned());
            (listen.value.port(), listen.origin, host.value.unwrap_or_default(), host.origin, database)
        };
        let none = settings("", Environment::default(), ServeFlags::default()).unwrap();
        assert_eq!(shown(none), (7878, Origin::Default, String::new(), Origin::Default, String::new()));
        let (port, origin, host, _, database) =
            shown(settings(file, Environment::default(), ServeFlags::default()).unwrap());
        assert_eq!((port, origin, host.as_str()), (1, Origin::File, "file"));
        assert!(database.ends_with("/data/runs.db"), "{database}");
        let told = shown(settings(file, environment(), flags()).unwrap());
        let named = (3, Origin::Flag("--listen"), "environment".into(), Origin::Environment("TAPWRIGHT_HOST"));
        assert_eq!(told, (named.0, named.1, named.2, named.3, "env.db".into()));
    }

    #[test]
    fn a_variable_that_makes_no_sense_is_named() {
        let environment = Environment { listen: Some("here".into()), ..Environment::default() };
        let error = settings("", environment, ServeFlags::default()).unwrap_err();
        assert!(error.contains("TAPWRIGHT_LISTEN") && error.contains("ADDRESS:PORT"), "{error}");
    }
}
