//! The workflows for build servers, run as far as a server can be imitated: their command lines by `sh`, with the server's variables,
//! the built program on the path, a virtual device, and stand-ins for what only the server has.

use crate::bench::{Bench, PASSWORD, Said, repository};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tapwright::virtual_device::VirtualDeviceConfig;
use tokio::process::Command;

/// The cases of the imitated repository: one with a secret, one that passes, one that fails.
const CASES: [&str; 3] = ["PAY-0002", "PAY-0006", "PAY-0008"];

/// A repository with an app and cases, a device, and a folder of programs.
struct Server {
    bench: Bench,
    programs: PathBuf,
}

impl Server {
    async fn new() -> Self {
        let mut bench = Bench::new().await;
        bench.device(VirtualDeviceConfig::default()).await;
        for file in bench.files("cases") {
            if !CASES.iter().any(|id| file.ends_with(format!("{id}.case.yaml"))) {
                std::fs::remove_file(file).unwrap();
            }
        }
        let programs = bench.path("programs");
        std::fs::create_dir(&programs).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_tapwright"), programs.join("tapwright")).unwrap();
        let server = Self { bench, programs };
        // What the workflows of others do, as far as the command lines rely on it.
        server.program("sudo", "exec cat > /dev/null");
        let build =
            "mkdir -p app/build/outputs/apk/debug && cp apps/pay.app.yaml app/build/outputs/apk/debug/app-debug.apk";
        std::fs::write(server.bench.path("gradlew"), format!("#!/bin/sh\n[ \"$1\" = assembleDebug ] && {build}\n"))
            .unwrap();
        server.sh("chmod +x gradlew", &[]).await.succeeded();
        let git = "git init -q && git add . && git -c user.name=a -c user.email=a@b commit -qm one && git update-ref \
                   refs/remotes/origin/main HEAD && git update-ref refs/remotes/origin/trunk HEAD";
        server.sh(git, &[]).await.succeeded();
        server
    }

    fn program(&self, name: &str, line: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.programs.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{line}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Runs command lines as a server does: stopping at the first that fails.
    async fn sh(&self, lines: &str, variables: &[(&str, &str)]) -> Said {
        let path = format!("{}:{}", self.programs.display(), std::env::var("PATH").unwrap());
        let mut command = self.bench.in_environment(Command::new("sh"), &["-e", "-c", lines]);
        command.env("PATH", path).env("PAYMENT_PASSWORD", PASSWORD).envs(variables.iter().copied());
        command.stdin(Stdio::null()).output().await.unwrap().into()
    }

    /// Verdicts by case of the manifest that a gate has left, once the report beside it was looked at; both are taken away. A shard
    /// without cases leaves none.
    fn results(&self) -> BTreeMap<String, String> {
        if !self.bench.path("results").is_dir() {
            return BTreeMap::new();
        }
        let manifest: Value = serde_json::from_slice(&self.read("results/manifest.json")).unwrap();
        let cases = manifest["cases"].as_array().unwrap();
        let junit = String::from_utf8(self.read("results/junit.xml")).unwrap();
        assert!(junit.contains(&format!("tests=\"{}\"", cases.len())), "{junit}");
        let told = |case: &Value| {
            let (id, verdict) = (case["id"].as_str().unwrap(), case["verdict"].as_str().unwrap());
            assert!(junit.contains(id), "{id} is not in {junit}");
            (id.to_owned(), verdict.to_owned())
        };
        let told = cases.iter().map(told).collect();
        std::fs::remove_dir_all(self.bench.path("results")).unwrap();
        told
    }

    fn read(&self, file: &str) -> Vec<u8> {
        std::fs::read(self.bench.path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }
}

fn workflow(file: &str) -> String {
    std::fs::read_to_string(repository("docs/ci").join(file)).unwrap()
}

fn yaml(file: &str) -> Value {
    serde_saphyr::from_str(&workflow(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The text with the server's expressions filled in; one that is not known here is a mistake.
fn filled(text: &str, values: &[(&str, &str)]) -> String {
    let filled =
        values.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("${{{{ {name} }}}}"), value));
    assert!(!filled.contains("${{"), "an expression is not known: {filled}");
    filled
}

/// What the shards found together: each case once.
fn together(shards: &[BTreeMap<String, String>]) -> BTreeMap<&str, &str> {
    let mut all = BTreeMap::new();
    for (id, verdict) in shards.iter().flatten() {
        assert_eq!(all.insert(id.as_str(), verdict.as_str()), None, "{id} is in two shards");
    }
    all
}

/// What comes of the imitated repository.
fn expected() -> BTreeMap<&'static str, &'static str> {
    BTreeMap::from([("PAY-0002", "passed"), ("PAY-0006", "failed"), ("PAY-0008", "passed")])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_workflow_for_github_builds_installs_and_gates_in_two_shards() {
    let server = Server::new().await;
    let workflow = yaml("github-actions.yml");
    let (summary, folder) = (server.bench.path("step.md"), server.bench.path(""));
    let mut shards = Vec::new();
    for shard in workflow["jobs"]["gate"]["strategy"]["matrix"]["shard"].as_array().unwrap() {
        let values = [
            ("matrix.shard", shard.as_str().unwrap()),
            ("github.base_ref || 'main'", "trunk"),
            ("secrets.PAYMENT_PASSWORD", PASSWORD),
            ("strategy.job-index", "0"),
        ];
        let variables = [
            ("GITHUB_ACTIONS", "true"),
            ("GITHUB_STEP_SUMMARY", summary.to_str().unwrap()),
            ("GITHUB_WORKSPACE", folder.to_str().unwrap()),
        ];
        let mut said = None;
        for job in ["app", "gate"] {
            for step in workflow["jobs"][job]["steps"].as_array().unwrap() {
                let lines = match (step["run"].as_str(), step["uses"].as_str()) {
                    (Some(run), None) => run,
                    (None, Some(uses)) if uses.starts_with("tapwright/tapwright@v") => {
                        check_action(step);
                        continue;
                    }
                    (None, Some(uses)) if uses.starts_with("reactivecircus/android-emulator-runner@") => {
                        step["with"]["script"].as_str().unwrap()
                    }
                    (None, Some(uses)) if uses.starts_with("actions/upload-artifact@") && job == "app" => {
                        let built = server.bench.path(step["with"]["path"].as_str().unwrap());
                        // The job after it finds it where it downloads to.
                        std::fs::copy(built, server.bench.path("app-debug.apk")).unwrap();
                        continue;
                    }
                    (None, Some(uses)) => {
                        assert!(uses.starts_with("actions/"), "{uses} is not imitated");
                        continue;
                    }
                    other => panic!("{other:?}"),
                };
                said = Some(server.sh(&filled(lines, &values), &variables).await);
                let (is_gate, code) = (lines.contains("tapwright gate"), said.as_ref().and_then(|said| said.code));
                assert!(is_gate && code == Some(1) || code == Some(0), "{lines}: {said:?}");
            }
        }
        let (said, results) = (said.unwrap(), server.results());
        let annotated = "::error file=cases/PAY-0006.case.yaml,line=1,title=PAY-0006 failed::";
        assert_eq!(said.stderr.contains(annotated), results.contains_key("PAY-0006"), "{said:?}");
        shards.push(results);
    }
    assert_eq!(together(&shards), expected());
    assert!(String::from_utf8(server.read("step.md")).unwrap().contains("| PAY-0006 "));
    assert!(server.bench.path("runs").is_dir(), "it is to be uploaded");
}

/// The action that sets the program up is this repository's, and is given what it asks for.
fn check_action(step: &Value) {
    let action: Value = serde_saphyr::from_str(&std::fs::read_to_string(repository("action.yml")).unwrap()).unwrap();
    let inputs = action["inputs"].as_object().unwrap();
    let given = step["with"].as_object().unwrap();
    assert!(given.keys().all(|name| inputs.contains_key(name)), "{given:?} of {inputs:?}");
    let required = inputs.iter().filter(|(_, input)| input["required"] == true).map(|(name, _)| name);
    assert!(required.clone().count() > 0 && required.clone().all(|name| given.contains_key(name)), "{given:?}");
    assert_eq!(step["uses"], format!("tapwright/tapwright@v{}", given["version"].as_str().unwrap()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_job_for_gitlab_gates_on_every_node() {
    let server = Server::new().await;
    std::fs::copy(server.bench.path("apps/pay.app.yaml"), server.bench.path("app-debug.apk")).unwrap();
    let job = yaml("gitlab-ci.yml")["tapwright"].clone();
    let nodes = job["parallel"].as_u64().unwrap().to_string();
    let mut shards = Vec::new();
    for node in 1..=nodes.parse::<u32>().unwrap() {
        let node = node.to_string();
        let variables = [
            ("CI_NODE_INDEX", node.as_str()),
            ("CI_NODE_TOTAL", nodes.as_str()),
            ("CI_DEFAULT_BRANCH", "main"),
            ("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", if node == "1" { "trunk" } else { "" }),
        ];
        for line in job["script"].as_array().unwrap() {
            let line = line.as_str().unwrap();
            let said = server.sh(line, &variables).await;
            let is_gate = line.starts_with("tapwright gate");
            assert!(is_gate && said.code == Some(1) || said.code == Some(0), "{line}: {said:?}");
        }
        shards.push(server.results());
    }
    assert_eq!(together(&shards), expected());
    assert!(Path::new(job["artifacts"]["reports"]["junit"].as_str().unwrap()).starts_with("results"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_stage_for_jenkins_compares_with_the_night_before_and_keeps_bundles() {
    let server = Server::new().await;
    std::fs::copy(server.bench.path("apps/pay.app.yaml"), server.bench.path("app-debug.apk")).unwrap();
    let text = workflow("Jenkinsfile");
    let lines = text.split("sh '''").nth(1).and_then(|rest| rest.split("'''").next()).unwrap();
    for night in ["first", "second"] {
        std::fs::create_dir_all(server.bench.path("results")).unwrap();
        let said = server.sh(lines, &[]).await;
        said.failed(1, &["2 passed, 1 failed"]);
        assert_eq!(said.stderr.contains("1 still failing (PAY-0006)"), night == "second", "{night}: {said:?}");
        // What `cp -r` of the hook left.
        assert!(server.bench.path("results/PAY-0006/failure.json").is_file(), "{night}");
        // The next build copies it from this one.
        let (own, before) = (server.bench.path("results/manifest.json"), server.bench.path("before/results"));
        std::fs::create_dir_all(&before).unwrap();
        std::fs::copy(own, before.join("manifest.json")).unwrap();
        assert_eq!(together(&[server.results()]), expected());
    }
}
