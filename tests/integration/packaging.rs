//! What is packed for a machine: the systemd unit is one, and the documentation shows it as it is.

use std::path::{Path, PathBuf};
use std::process::Command;
use tapwright::daemon::Limits;

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &str) -> String {
    std::fs::read_to_string(repository(path)).unwrap()
}

/// The values of a key in a unit, one a line.
fn values(unit: &str, key: &str) -> Vec<String> {
    let own = |line: &str| line.split_once('=').filter(|(name, _)| *name == key).map(|(_, value)| value.to_owned());
    unit.lines().filter_map(own).collect()
}

#[test]
fn the_unit_starts_what_there_is_and_gives_it_its_time_to_stop() {
    let unit = read("packaging/tapwright.service");
    let known = [
        "Description",
        "After",
        "Type",
        "User",
        "WorkingDirectory",
        "ExecStart",
        "Restart",
        "TimeoutStopSec",
        "WatchdogSec",
        "NoNewPrivileges",
        "ProtectSystem",
        "ProtectHome",
        "ReadWritePaths",
        "Environment",
        "PrivateTmp",
        "WantedBy",
    ];
    for line in unit.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '['])) {
        let (key, value) = line.split_once('=').unwrap_or_else(|| panic!("{line:?} sets nothing"));
        assert!(known.contains(&key) && !value.is_empty(), "{line}");
    }
    let sections: Vec<&str> = unit.lines().filter(|line| line.starts_with('[')).collect();
    assert_eq!(sections, ["[Unit]", "[Service]", "[Install]"]);
    let [start] = values(&unit, "ExecStart").try_into().unwrap();
    let (program, arguments) = start.split_once(' ').unwrap();
    assert!(program.ends_with("/tapwright"), "{program}");
    let told = Command::new(env!("CARGO_BIN_EXE_tapwright")).args(arguments.split(' ')).arg("--help").output().unwrap();
    assert!(told.status.success(), "{told:?}");
    let limits = Limits::default();
    let longest = (limits.drain + limits.cancel_grace + limits.store_grace + limits.close).as_secs();
    assert!(values(&unit, "TimeoutStopSec")[0].parse::<u64>().unwrap() > longest);
    // The daemon speaks sd_notify, which `Type=simple` would not wait for.
    assert_eq!(values(&unit, "Type"), ["notify"]);
    let locks = values(&unit, "Environment").concat();
    let writable = values(&unit, "ReadWritePaths").concat();
    let folder = locks.strip_prefix("TAPWRIGHT_LOCKS=").unwrap();
    assert!(writable.split(' ').any(|path| folder.starts_with(path)), "{folder} cannot be written: {writable}");
}

#[test]
fn the_unit_is_shown_as_it_is() {
    let (page, unit) = (read("docs/daemon.md"), read("packaging/tapwright.service"));
    assert!(page.contains(&format!("```ini\n{unit}```")), "docs/daemon.md shows another unit");
}

#[test]
fn systemd_takes_the_unit() {
    let verify = |path: &Path| Command::new("systemd-analyze").args(["verify", "--man=no"]).arg(path).output();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tapwright.service");
    // The program need not be installed for this.
    let unit = read("packaging/tapwright.service").replace("/usr/local/bin/tapwright", env!("CARGO_BIN_EXE_tapwright"));
    std::fs::write(&path, unit).unwrap();
    match verify(&path) {
        Err(error) => println!("skipped: systemd-analyze is not here ({error})"),
        Ok(said) => {
            let said = String::from_utf8_lossy(&said.stderr).into_owned();
            let own: Vec<&str> = said.lines().filter(|line| line.contains("tapwright.service:")).collect();
            assert!(own.is_empty(), "{own:?}");
        }
    }
}
