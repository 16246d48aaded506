//! The farm guide tells what works: its commands are typed, its settings are read, what it points at is there.

use crate::bench::Bench;
use crate::harness::PATIENCE;
use std::path::Path;
use std::process::Stdio;
use tapwright::virtual_device::VirtualDeviceConfig;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::time::timeout;

fn guide() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/farm.md")).unwrap()
}

/// The blocks in one language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    text.split(fence.as_str()).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_command_of_the_farm_guide_works_in_its_order() {
    let mut bench = Bench::new().await;
    bench.device(VirtualDeviceConfig::default()).await;
    let mut daemon = bench.command(&["serve", "--listen", "127.0.0.1:0"]);
    let mut daemon = daemon.spawn().unwrap();
    let mut lines = BufReader::new(daemon.stderr.take().unwrap()).lines();
    let url = loop {
        let line = timeout(PATIENCE, lines.next_line()).await.unwrap().unwrap().expect("it ended early");
        if let Some(url) = line.split_whitespace().find(|word| word.starts_with("http://")) {
            break url.trim_end_matches('/').to_owned();
        }
    };
    let program = Path::new(env!("CARGO_BIN_EXE_tapwright")).parent().unwrap().to_owned();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let listens = url.strip_prefix("http://").unwrap().to_owned();
    let scripts = blocks(&guide(), "sh");
    assert!(scripts.len() >= 4, "{scripts:?}");
    for script in scripts {
        let mut shell = bench.command(&[]);
        // `command` starts the program; its environment is what a shell needs, too.
        let environment: Vec<_> =
            shell.as_std().get_envs().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned()))).collect();
        shell = tokio::process::Command::new("sh");
        shell.args(["-eu", "-c", &script]).envs(environment).env("PATH", &path).env("DAEMON", &url);
        shell.env("TAPWRIGHT_LISTEN", &listens).current_dir(bench.path(".")).kill_on_drop(true);
        shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let said = timeout(PATIENCE, shell.output()).await.expect("it did not end").unwrap();
        let told = format!("{}{}", String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
        assert!(said.status.success(), "{script}\n{told}");
        if script.contains("doctor") {
            assert!(told.contains("room for runs") && told.contains("1 devices, 0 runs wait"), "{told}");
        }
    }
    assert!(bench.path("farm-backup.db").is_file());
    crate::bench::interrupt(&daemon).await;
    timeout(PATIENCE, daemon.wait()).await.unwrap().unwrap();
}

#[test]
fn the_settings_of_the_farm_guide_are_settings() {
    let settings = blocks(&guide(), "toml");
    assert_eq!(settings.len(), 1);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tapwright.toml"), &settings[0]).unwrap();
    let config = tapwright::app::Config::load(folder.path()).unwrap();
    assert_eq!(config.daemon.listen.unwrap().port(), 7878);
    assert_eq!(config.devices.allow.len(), 2);
}

#[test]
fn the_farm_guide_points_at_what_is_there() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let heading = |line: &str| {
        let text = line.trim_start_matches('#').trim().to_lowercase();
        text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-')).collect::<String>().replace(' ', "-")
    };
    for link in guide().split("](").skip(1).map(|rest| rest.split(')').next().unwrap().to_owned()) {
        let (file, anchor) = link.split_once('#').unwrap_or((link.as_str(), ""));
        let page = std::fs::read_to_string(docs.join(file)).unwrap_or_else(|error| panic!("{link}: {error}"));
        let found = anchor.is_empty() || page.lines().any(|line| line.starts_with('#') && heading(line) == anchor);
        assert!(found, "no heading for {link}");
    }
}
