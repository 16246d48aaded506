//! The real adb server on a private port, and the adb client that talks to it.
//!
//! `adb` is taken from `TAPWRIGHT_ADB`, else from PATH; `TAPWRIGHT_ADB_36` may name a newer one, and tests that ask for
//! [`adb_binaries`] then run on both.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{interval, timeout};

/// How long anything may take before the test fails; generous, since nothing waits for it when all is well.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A client of HTTP that goes straight to where it is sent.
pub(crate) fn http() -> reqwest::Client {
    let _chosen_before = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().build().unwrap()
}

/// The adb binaries to test with.
pub(crate) fn adb_binaries() -> Vec<PathBuf> {
    let mut binaries = vec![default_adb()];
    binaries.extend(std::env::var_os("TAPWRIGHT_ADB_36").map(PathBuf::from));
    binaries
}

/// The folder that `cargo xtask test` installs other people's Python clients into; `None` where it does not hold `package`,
/// with the reason printed as a skipped test says it.
pub(crate) fn python_clients(package: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("TAPWRIGHT_TEST_CLIENTS").map(PathBuf::from);
    let found = folder.filter(|folder| folder.join(package).is_dir());
    if found.is_none() {
        println!(
            "skipped: {package} is no package of TAPWRIGHT_TEST_CLIENTS; `cargo xtask test` installs it where pip and the network allow"
        );
    }
    found
}

fn default_adb() -> PathBuf {
    if let Some(path) = std::env::var_os("TAPWRIGHT_ADB") {
        return path.into();
    }
    let found = std::env::var_os("PATH")
        .and_then(|path| std::env::split_paths(&path).map(|folder| folder.join("adb")).find(|file| file.is_file()));
    found.expect("adb is not on PATH: run `cargo xtask setup` (or `apt-get install adb`), or set TAPWRIGHT_ADB")
}

/// A private adb server; it ends with this value.
pub(crate) struct AdbServer {
    adb: PathBuf,
    port: u16,
    /// Keys and logs stay out of the user's home.
    home: TempDir,
    child: Child,
}

impl AdbServer {
    /// Starts the default adb's server.
    pub(crate) async fn start() -> Self {
        Self::start_with(&default_adb()).await
    }

    /// Starts a server of the given binary and waits until it answers.
    pub(crate) async fn start_with(adb: &Path) -> Self {
        let home = tempfile::tempdir().unwrap();
        let port = free_port();
        let log = std::fs::File::create(home.path().join("server.log")).unwrap();
        // The server binds loopback by this name only; an address is "currently unsupported".
        let child = command(adb, home.path())
            .args(["-L", &format!("tcp:localhost:{port}"), "nodaemon", "server"])
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap_or_else(|error| panic!("cannot run {}: {error}; set TAPWRIGHT_ADB", adb.display()));
        let mut server = Self { adb: adb.to_owned(), port, home, child };
        let answered = timeout(PATIENCE, async {
            let mut look = interval(Duration::from_millis(10));
            loop {
                look.tick().await;
                if let Some(status) = server.child.try_wait().unwrap() {
                    panic!("adb server ended at once ({status}): {}", server.log());
                }
                if let Ok(mut socket) = TcpStream::connect(server.address()).await
                    && request(&mut socket, "host:version").await.is_ok()
                {
                    return;
                }
            }
        });
        answered.await.unwrap_or_else(|_| panic!("adb server did not answer: {}", server.log()));
        server
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.home.path().join("server.log")).unwrap_or_default()
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.port).into()
    }

    /// The binary.
    pub(crate) fn binary(&self) -> &Path {
        &self.adb
    }

    /// Runs `adb ARGS…` against this server.
    pub(crate) async fn adb(&self, args: &[&str]) -> Output {
        self.adb_with_input(args, b"").await
    }

    /// Runs `adb ARGS…` with bytes on stdin.
    pub(crate) async fn adb_with_input(&self, args: &[&str], input: &[u8]) -> Output {
        let mut child = tokio::process::Command::from(command(&self.adb, self.home.path()))
            .args(["-P", &self.port.to_string()])
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        let feed = tokio::spawn(async move {
            // A command that does not read its input is no failure.
            let _unread = stdin.write_all(&input).await;
        });
        let output = timeout(PATIENCE, child.wait_with_output()).await;
        feed.abort();
        output.unwrap_or_else(|_| panic!("adb {args:?} did not end")).unwrap()
    }

    /// `adb connect`, waiting until the device is ready; gives its serial.
    pub(crate) async fn connect(&self, device: SocketAddr) -> String {
        let reply = self.connect_only(device).await;
        assert_eq!(reply, format!("connected to {device}"));
        let serial = device.to_string();
        self.wait_for_state(&serial, "device").await;
        serial
    }

    /// `host:connect:`; the server's reply.
    pub(crate) async fn connect_only(&self, device: SocketAddr) -> String {
        let mut socket = TcpStream::connect(self.address()).await.unwrap();
        timeout(PATIENCE, async {
            request(&mut socket, &format!("host:connect:{device}")).await.unwrap();
            read_text(&mut socket).await
        })
        .await
        .expect("host:connect: did not answer")
    }

    /// Waits until the server lists `serial` with `state`, by following the device list.
    pub(crate) async fn wait_for_state(&self, serial: &str, state: &str) {
        let wanted = format!("{serial}\t{state}");
        let mut last = String::new();
        let reached = timeout(PATIENCE, async {
            let mut socket = TcpStream::connect(self.address()).await.unwrap();
            request(&mut socket, "host:track-devices").await.unwrap();
            loop {
                last = read_text(&mut socket).await;
                if last.lines().any(|line| line == wanted) {
                    return;
                }
            }
        })
        .await;
        assert!(reached.is_ok(), "{serial} did not become {state}; the list was {last:?}");
    }
}

impl Drop for AdbServer {
    fn drop(&mut self) {
        // Its own private server only.
        let asked =
            std::net::TcpStream::connect_timeout(&self.address(), Duration::from_secs(5)).and_then(|mut socket| {
                socket.set_read_timeout(Some(Duration::from_secs(5)))?;
                socket.write_all(b"0009host:kill")?;
                socket.read(&mut [0; 4])
            });
        if let Err(error) = asked {
            // Only said when the test fails: then the reason may be in here.
            eprintln!("the adb server did not answer at the end ({error}); its log:\n{}", self.log());
            if self.child.kill().is_err() {
                return;
            }
        }
        // Reaps the process; a server that was told to die does.
        let _status = self.child.wait();
    }
}

fn command(adb: &Path, home: &Path) -> Command {
    let mut command = Command::new(adb);
    command.env("HOME", home).env("TMPDIR", home);
    // Neither USB, nor emulators, nor the network: they cost seconds and may bring devices nobody asked for.
    for name in ["ADB_USB", "ADB_LIBUSB", "ADB_EMU", "ADB_MDNS", "ADB_MDNS_OPENSCREEN"] {
        command.env(name, "0");
    }
    for name in [
        "ADB_SERVER_SOCKET",
        "ANDROID_ADB_SERVER_PORT",
        "ANDROID_ADB_SERVER_ADDRESS",
        "ANDROID_SERIAL",
        "ANDROID_SDK_HOME",
        "ANDROID_USER_HOME",
        "ADB_VENDOR_KEYS",
        "ADB_TRACE",
    ] {
        command.env_remove(name);
    }
    command
}

/// A port that is free now and outside adb's emulator range.
fn free_port() -> u16 {
    let mut held = Vec::new();
    loop {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        if !(5554..=5585).contains(&port) {
            return port;
        }
        held.push(listener);
    }
}

/// Sends a host request and reads OKAY; the error is the server's text.
pub(crate) async fn request(socket: &mut TcpStream, service: &str) -> Result<(), String> {
    let line = format!("{:04x}{service}", service.len());
    socket.write_all(line.as_bytes()).await.map_err(|error| error.to_string())?;
    let mut status = [0; 4];
    socket.read_exact(&mut status).await.map_err(|error| error.to_string())?;
    if &status == b"OKAY" { Ok(()) } else { Err(read_text(socket).await) }
}

/// Reads a length-prefixed text.
pub(crate) async fn read_text(socket: &mut TcpStream) -> String {
    let mut length = [0; 4];
    socket.read_exact(&mut length).await.unwrap();
    let length = usize::from_str_radix(std::str::from_utf8(&length).unwrap(), 16).unwrap();
    let mut text = vec![0; length];
    socket.read_exact(&mut text).await.unwrap();
    String::from_utf8(text).unwrap()
}
