//! `cargo xtask clients`: other people's adb clients, unmodified, against `tapwright emulate`.
//!
//! Each is fetched from its registry into a folder of its own below the target folder, once; what cannot be fetched here is
//! skipped, with the reason said. A check is one script of `tests/clients`; it fails when the client cannot use the device.

use crate::failure::Failure;
use crate::progress::{Elapsed, stage};
use crate::runtime;
use crate::workspace::Workspace;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Where the clients lie, below the target folder.
const FOLDER: &str = "client-suite";
const SCRIPTS: &str = "tests/clients";
/// The app the device has, its package, and a text of its first screen.
const APP: (&str, &str, &str) = ("tests/suites/first_light/apps/pay.app.yaml", "com.example.pay", "Transfer");
/// An adb server's port that nobody else uses: the suite ends its server.
const SERVER_PORT: &str = "5147";
/// How long one check may take.
const PATIENCE: Duration = Duration::from_secs(180);

/// Where a client comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Registry {
    PyPi,
    Npm,
}

/// What a script is told, in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Serial,
    /// The device's address, as two words.
    HostAndPort,
    ServerPort,
    Package,
    Text,
    Adb,
    /// An empty folder.
    Scratch,
    /// The program of an npm package.
    Program(&'static str),
}

/// A client.
struct Client {
    name: &'static str,
    registry: Registry,
    packages: &'static [&'static str],
    script: &'static str,
    words: &'static [Word],
}

/// The clients, pinned.
const CLIENTS: [Client; 8] = [
    Client {
        name: "pure-python-adb",
        registry: Registry::PyPi,
        packages: &["pure-python-adb==0.3.0.dev0"],
        script: "pure_python_adb_check.py",
        words: &[Word::Serial, Word::ServerPort, Word::Package],
    },
    Client {
        name: "adb-shell",
        registry: Registry::PyPi,
        packages: &["adb-shell==0.4.4"],
        script: "adb_shell_check.py",
        words: &[Word::HostAndPort, Word::Package],
    },
    Client {
        name: "androidtv",
        registry: Registry::PyPi,
        packages: &["androidtv==0.0.75"],
        script: "androidtv_check.py",
        words: &[Word::HostAndPort, Word::Package],
    },
    Client {
        name: "AndroidViewClient",
        registry: Registry::PyPi,
        // It imports pkg_resources.
        packages: &["androidviewclient==25.0.1", "setuptools<81"],
        script: "androidviewclient_check.py",
        words: &[Word::Serial, Word::Package, Word::Text],
    },
    Client {
        name: "airtest",
        registry: Registry::PyPi,
        packages: &["airtest==1.4.3"],
        script: "airtest_check.py",
        words: &[Word::Serial, Word::Package, Word::Adb, Word::ServerPort],
    },
    Client {
        name: "appium-adb",
        registry: Registry::Npm,
        packages: &["appium-adb@16.0.9"],
        script: "appium_adb_check.mjs",
        words: &[Word::Serial, Word::Package, Word::Adb, Word::ServerPort, Word::Scratch],
    },
    Client {
        name: "adbkit",
        registry: Registry::Npm,
        packages: &["@devicefarmer/adbkit@3.3.9"],
        script: "adbkit_check.mjs",
        words: &[Word::Serial, Word::Package, Word::ServerPort],
    },
    Client {
        name: "mobilecli",
        registry: Registry::Npm,
        // Later versions list apps through Dalvik code of their own, which a virtual device cannot run.
        packages: &["mobilecli@1.0.0"],
        script: "mobilecli_check.mjs",
        words: &[Word::Serial, Word::Package, Word::Program("mobilecli")],
    },
];

/// How a client fared.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Passed(Duration),
    Failed(String),
    Skipped(String),
}

/// Runs the clients named in `arguments`, all without any.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    let chosen = choose(arguments)?;
    stage("build tapwright", || crate::progress::run(&mut workspace.cargo(["build", "--quiet"])))?;
    let folder = workspace.target().join(FOLDER);
    make(&folder)?;
    let device = Device::start(workspace, &folder)?;
    let mut outcomes = Vec::new();
    for client in chosen {
        let outcome = check(client, workspace, &folder, &device);
        let name = client.packages.first().unwrap_or(&client.name);
        match &outcome {
            Outcome::Passed(time) => println!("passed:  {name} ({})", Elapsed(*time)),
            Outcome::Skipped(reason) => println!("skipped: {name}: {reason}"),
            Outcome::Failed(said) => println!("failed:  {name}\n{said}"),
        }
        outcomes.push(outcome);
    }
    let summary = summary(&outcomes);
    println!("{summary}");
    let failed = outcomes.iter().any(|outcome| matches!(outcome, Outcome::Failed(_)));
    if failed { Err(Failure::Failed(format!("not every client can use the device: {summary}"))) } else { Ok(()) }
}

/// The last line: a run that skipped everything is not to be taken for one that passed.
fn summary(outcomes: &[Outcome]) -> String {
    let count = |of: &dyn Fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| of(outcome)).count();
    let passed = count(&|outcome| matches!(outcome, Outcome::Passed(_)));
    let failed = count(&|outcome| matches!(outcome, Outcome::Failed(_)));
    format!("clients: {passed} passed, {failed} failed, {} skipped", outcomes.len() - passed - failed)
}

fn choose(arguments: &[String]) -> Result<Vec<&'static Client>, Failure> {
    let known = || CLIENTS.iter().map(|client| client.name).collect::<Vec<_>>().join(", ");
    for word in arguments {
        if !CLIENTS.iter().any(|client| client.name == word) {
            return Err(Failure::Code(2, format!("there is no client {word:?}; there are: {}", known())));
        }
    }
    let wanted = |client: &&Client| arguments.is_empty() || arguments.iter().any(|word| word == client.name);
    Ok(CLIENTS.iter().filter(wanted).collect())
}

fn make(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::Failed(format!("{}: {error}", folder.display())))
}

/// A running `tapwright emulate` with its own adb server.
struct Device {
    process: Child,
    serial: String,
    adb: PathBuf,
}

impl Device {
    fn start(workspace: &Workspace, folder: &Path) -> Result<Self, Failure> {
        let adb = runtime::adb(workspace)
            .ok_or_else(|| Failure::Missing("there is no adb: run `cargo xtask setup`".to_owned()))?;
        // Clients look for it below an SDK's folder, or on the path.
        let tools = folder.join("sdk").join("platform-tools");
        make(&tools)?;
        let linked = tools.join("adb");
        if !linked.is_file() {
            std::fs::copy(&adb, &linked).map_err(|error| Failure::Failed(format!("{}: {error}", linked.display())))?;
        }
        let mut command = Command::new(workspace.target().join("debug").join("tapwright"));
        command.args(["emulate", "--connect", "--app"]).arg(workspace.path(APP.0));
        command.env("TAPWRIGHT_ADB", &linked).env("ANDROID_ADB_SERVER_PORT", SERVER_PORT).stdout(Stdio::piped());
        let mut process = command.spawn().map_err(|error| crate::progress::cannot_start(&command, &error))?;
        let mut serial = String::new();
        if let Some(stdout) = process.stdout.take() {
            // Without a line the device has ended, and said why on stderr.
            let _ended = BufReader::new(stdout).read_line(&mut serial);
        }
        let serial = serial.trim().to_owned();
        let device = Self { process, serial, adb: linked };
        if device.serial.is_empty() {
            Err(Failure::Failed("the virtual device did not start".to_owned()))
        } else {
            Ok(device)
        }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // What is gone already needs no end.
        let _gone = self.process.kill();
        let _waited = self.process.wait();
        let _server = Command::new(&self.adb).args(["-P", SERVER_PORT, "kill-server"]).output();
    }
}

fn check(client: &Client, workspace: &Workspace, folder: &Path, device: &Device) -> Outcome {
    let home = folder.join(client.name);
    if let Err(reason) = fetch(client, &home) {
        return Outcome::Skipped(reason);
    }
    let script = workspace.path(SCRIPTS).join(client.script);
    let mut command = match client.registry {
        Registry::PyPi => {
            let mut python = Command::new("python3");
            python.arg("-B").arg(&script).env("PYTHONPATH", &home);
            python
        }
        Registry::Npm => {
            // A module is looked for beside the script that imports it.
            let copy = home.join(client.script);
            if let Err(error) = std::fs::copy(&script, &copy) {
                return Outcome::Failed(format!("{}: {error}", copy.display()));
            }
            let mut node = Command::new("node");
            node.arg(copy);
            node
        }
    };
    let scratch = home.join("scratch");
    if let Err(error) = std::fs::create_dir_all(&scratch) {
        return Outcome::Failed(format!("{}: {error}", scratch.display()));
    }
    for word in client.words {
        add(&mut command, *word, &home, device);
    }
    let tools = device.adb.parent().unwrap_or(folder);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([tools.to_owned()].into_iter().chain(std::env::split_paths(&path)));
    command.env("PATH", path.unwrap_or_default()).env("ANDROID_ADB_SERVER_PORT", SERVER_PORT);
    command.env("ANDROID_HOME", folder.join("sdk")).env("HOME", &scratch).current_dir(&scratch);
    finish(&mut command, &home)
}

fn add(command: &mut Command, word: Word, home: &Path, device: &Device) {
    match word {
        Word::Serial => command.arg(&device.serial),
        Word::HostAndPort => {
            let (host, port) = device.serial.rsplit_once(':').unwrap_or((device.serial.as_str(), ""));
            command.args([host, port])
        }
        Word::ServerPort => command.arg(SERVER_PORT),
        Word::Package => command.arg(APP.1),
        Word::Text => command.arg(APP.2),
        Word::Adb => command.arg(&device.adb),
        Word::Scratch => command.arg(home.join("scratch")),
        Word::Program(name) => command.arg(home.join("node_modules").join(".bin").join(name)),
    };
}

/// Runs a check to its end, or to the end of our patience.
fn finish(command: &mut Command, home: &Path) -> Outcome {
    let said = home.join("said.txt");
    let Ok(file) = std::fs::File::create(&said) else {
        return Outcome::Failed(format!("cannot write {}", said.display()));
    };
    let Ok(copy) = file.try_clone() else { return Outcome::Failed(format!("cannot write {}", said.display())) };
    let start = Instant::now();
    let mut child = match command.stdin(Stdio::null()).stdout(file).stderr(copy).spawn() {
        Ok(child) => child,
        Err(error) => {
            return Outcome::Skipped(format!("{} could not be started: {error}", command.get_program().display()));
        }
    };
    let id = child.id();
    let (sender, ended) = std::sync::mpsc::channel();
    // Nobody is left to be told once our patience has ended.
    std::thread::spawn(move || sender.send(child.wait()).is_ok());
    let end = match ended.recv_timeout(PATIENCE) {
        Ok(Ok(status)) if status.success() => return Outcome::Passed(start.elapsed()),
        Ok(Ok(status)) => status.to_string(),
        Ok(Err(error)) => error.to_string(),
        Err(_) => {
            // What has just ended by itself needs no signal.
            let _gone = Command::new("kill").arg(id.to_string()).output();
            format!("it did not end within {} s", PATIENCE.as_secs())
        }
    };
    let text = std::fs::read_to_string(&said).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    Outcome::Failed(format!("    {}\n    {end}", lines[lines.len().saturating_sub(12)..].join("\n    ")))
}

/// Brings a client, unless it is there in that version; the error says why it cannot.
fn fetch(client: &Client, home: &Path) -> Result<(), String> {
    let (mark, wanted) = (home.join("fetched.txt"), client.packages.join("\n"));
    if std::fs::read_to_string(&mark).is_ok_and(|fetched| fetched == wanted) {
        return Ok(());
    }
    if home.exists() {
        std::fs::remove_dir_all(home).map_err(|error| error.to_string())?;
    }
    std::fs::create_dir_all(home).map_err(|error| error.to_string())?;
    let mut command = match client.registry {
        Registry::PyPi => {
            let mut pip = Command::new("python3");
            pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target"]).arg(home);
            pip.args(client.packages).env("PIP_ROOT_USER_ACTION", "ignore");
            pip
        }
        Registry::Npm => {
            let mut npm = Command::new("npm");
            npm.args(["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]).arg(home);
            npm.args(client.packages);
            npm
        }
    };
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("{} is not there ({error})", command.get_program().display()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr)
            .lines()
            .rev()
            .find(|line| !line.trim().is_empty())
            .map(str::to_owned);
        return Err(format!("it cannot be fetched: {}", said.unwrap_or_else(|| output.status.to_string())));
    }
    std::fs::write(mark, wanted).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_client_is_pinned_and_has_a_script() {
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(SCRIPTS);
        for client in &CLIENTS {
            assert!(scripts.join(client.script).is_file(), "{}", client.script);
            let pinned = |package: &&str| {
                package.contains("==") || package.rsplit_once('@').is_some_and(|(name, _)| !name.is_empty())
            };
            assert!(client.packages.first().is_some_and(pinned), "{}", client.name);
        }
    }

    #[test]
    fn what_was_skipped_is_not_counted_as_passed() {
        let skipped = || Outcome::Skipped("no network".to_owned());
        let all = [Outcome::Passed(Duration::ZERO), skipped(), Outcome::Failed("no view".to_owned()), skipped()];
        assert_eq!(summary(&all), "clients: 1 passed, 1 failed, 2 skipped");
        assert_eq!(summary(&all[1..2]), "clients: 0 passed, 0 failed, 1 skipped");
    }

    #[test]
    fn clients_are_chosen_by_name() {
        let names = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            choose(&words).map(|chosen| chosen.iter().map(|client| client.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&["airtest"]).unwrap(), ["airtest"]);
        assert_eq!(names(&[]).unwrap().len(), CLIENTS.len());
        assert!(names(&["nobody"]).unwrap_err().to_string().contains("there are: pure-python-adb, "));
    }

    #[test]
    fn a_check_that_fails_says_its_last_lines() {
        let home = std::env::temp_dir().join(format!("tapwright-suite-{}", std::process::id()));
        std::fs::create_dir_all(&home).unwrap();
        assert!(matches!(finish(&mut Command::new("true"), &home), Outcome::Passed(_)));
        let mut wrong = Command::new("sh");
        wrong.args(["-c", "echo no such view; exit 4"]);
        assert!(matches!(finish(&mut wrong, &home), Outcome::Failed(said) if said.contains("no such view")));
        assert!(matches!(finish(&mut Command::new("no-such-program-anywhere"), &home), Outcome::Skipped(_)));
        std::fs::remove_dir_all(&home).unwrap();
    }
}
