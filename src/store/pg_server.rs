//! A PostgreSQL server of a test's own, from the system's packages, on a socket in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::process::{Child, Command};

/// It must answer after so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// Ends with its test.
pub(crate) struct PgServer {
    folder: TempDir,
    _server: Child,
}

impl PgServer {
    /// Makes an empty cluster and starts a server on it.
    pub(crate) async fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("tapwright-pg").tempdir().unwrap();
        give_away(folder.path());
        let data = folder.path().join("data");
        let made = command("initdb").arg("-D").arg(&data).args(["-U", "test", "-A", "trust", "-N"]).output().await;
        let made = made.expect("initdb starts: install the package postgresql");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let mut server = command("postgres");
        server.arg("-D").arg(&data).arg("-k").arg(folder.path());
        server.args(["-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=60"]);
        let server = server.stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true).spawn().unwrap();
        let started = Self { folder, _server: server };
        let begun = Instant::now();
        while sqlx::PgPool::connect(&started.url("postgres")).await.is_err() {
            assert!(begun.elapsed() < PATIENCE, "PostgreSQL did not start");
            tokio::task::yield_now().await;
        }
        started
    }

    /// A new, empty database; gives its URL.
    pub(crate) async fn database(&self, name: &str) -> String {
        let pool = sqlx::PgPool::connect(&self.url("postgres")).await.unwrap();
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"))).execute(&pool).await.unwrap();
        pool.close().await;
        self.url(name)
    }

    fn url(&self, database: &str) -> String {
        let folder = self.folder.path().to_str().unwrap().replace('/', "%2F");
        format!("postgres://test@{folder}/{database}")
    }
}

/// PostgreSQL refuses to run as root; there it runs as its own user.
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn give_away(folder: &Path) {
    if is_root() {
        let done = std::process::Command::new("chown").arg("postgres").arg(folder).status().unwrap();
        assert!(done.success());
    }
}

fn command(program: &str) -> Command {
    let program = binary(program);
    if is_root() {
        let mut command = Command::new("setpriv");
        command.args(["--reuid", "postgres", "--regid", "postgres", "--clear-groups", "--"]).arg(program);
        command.current_dir("/");
        return command;
    }
    Command::new(program)
}

/// Debian keeps the server's programs off the path.
fn binary(program: &str) -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let found = versions.map(|version| version.path().join("bin").join(program)).filter(|file| file.is_file()).max();
    found.unwrap_or_else(|| program.into())
}
