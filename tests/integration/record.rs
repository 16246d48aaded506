//! `tapwright record`: a finger on the glass of a virtual device (`sendevent`), and what becomes of it: a case, a script, replays
//! that go on where one stopped, and actions that need not be there.

use crate::bench::{Bench, interrupt};
use crate::harness::PATIENCE;
use regex::Regex;
use tapwright::script::Script;
use tapwright::virtual_device::VirtualDeviceConfig;
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::ChildStderr;
use tokio::time::timeout;

const PACKAGE: &str = "com.example.pay";

/// Where the middle of the node with this text is.
async fn place(bench: &Bench, serial: &str, text: &str) -> (i32, i32) {
    let line = "uiautomator dump /sdcard/place.xml >/dev/null && cat /sdcard/place.xml";
    let node = Regex::new(&format!(r#"<node [^>]*text="{text}"[^>]*bounds="\[(\d+),(\d+)\]\[(\d+),(\d+)\]""#)).unwrap();
    // The recorder dumps, too, and two dumps at once fail on a device as on a phone.
    let dumps = async {
        loop {
            let output = bench.server().adb(&["-s", serial, "shell", line]).await;
            let dump = String::from_utf8_lossy(&output.stdout).into_owned();
            if node.is_match(&dump) {
                return dump;
            }
        }
    };
    let dump = timeout(PATIENCE, dumps).await.unwrap_or_else(|_| panic!("{text} is not on the screen"));
    let found = node.captures(&dump).unwrap();
    let side = |at: usize| found[at].parse::<i32>().unwrap();
    (i32::midpoint(side(1), side(3)), i32::midpoint(side(2), side(4)))
}

async fn shell(bench: &Bench, serial: &str, line: &str) {
    let output = bench.server().adb(&["-s", serial, "shell", line]).await;
    assert!(output.status.success() && output.stdout.is_empty(), "{line}: {output:?}");
}

/// A finger that goes down and up.
async fn touch(bench: &Bench, serial: &str, (x, y): (i32, i32)) {
    let events = [(3, 57, 7), (3, 53, x), (3, 54, y), (0, 0, 0), (3, 57, -1), (0, 0, 0)];
    let lines = events.map(|(kind, code, value)| format!("sendevent /dev/input/event1 {kind} {code} {value}"));
    shell(bench, serial, &lines.join("; ")).await;
}

/// Reads on to a line that holds this.
async fn told(lines: &mut Lines<BufReader<ChildStderr>>, part: &str) -> String {
    let mut all = Vec::new();
    let wait = async {
        while let Some(line) = lines.next_line().await.unwrap() {
            all.push(line.clone());
            if line.contains(part) {
                return line;
            }
        }
        panic!("it ended without {part:?}: {all:?}")
    };
    timeout(PATIENCE, wait).await.unwrap_or_else(|_| panic!("no {part:?}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn touches_become_a_case_and_a_script_that_replays() {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    let arguments =
        ["record", "--id", "REC-1", "--title", "Look at the bills", "--app", PACKAGE, "--apk", "apps/pay.app.yaml"];
    let mut child = bench.spawn(&[&arguments[..], &["--device", &serial]].concat());
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    told(&mut lines, "Ctrl-C ends it").await;
    let home = told(&mut lines, "   [").await;
    let bills = place(&bench, &serial, "Bills").await;
    touch(&bench, &serial, bills).await;
    assert_eq!(told(&mut lines, "1. ").await, "1. Tap \"Bills\"");
    told(&mut lines, "   [Bills]").await;
    shell(&bench, &serial, "sendevent /dev/input/event0 1 158 1; sendevent /dev/input/event0 1 158 0").await;
    assert_eq!(told(&mut lines, "2. ").await, "2. Go back");
    told(&mut lines, &home).await;
    // Where nothing is, nothing is recorded.
    touch(&bench, &serial, (1079, 2399)).await;
    told(&mut lines, &home).await;
    touch(&bench, &serial, bills).await;
    told(&mut lines, "3. Tap \"Bills\"").await;
    told(&mut lines, "   [Bills]").await;
    interrupt(&child).await;
    told(&mut lines, "REC-1.case.yaml with 3 steps").await;
    let status = timeout(PATIENCE, child.wait()).await.expect("it did not end").unwrap();
    assert_eq!(status.code(), Some(0));

    let case = std::fs::read_to_string(bench.path("cases/REC-1.case.yaml")).unwrap();
    for part in ["title: \"Look at the bills\"", "  - \"Go back\"\n", "# Suggested", "Corner Coffee"] {
        assert!(case.contains(part), "{part:?} is not in {case}");
    }
    bench.tapwright(&["cases", "lint", "REC-1"]).await.succeeded();
    let again = [&arguments[..], &["--device", &serial]].concat();
    bench.tapwright(&again).await.failed(2, &["REC-1.case.yaml is there already"]);

    goes_on_where_a_replay_stopped(&bench, &serial).await;
    leaves_out_what_has_nothing_to_do(&bench, &serial).await;
}

async fn goes_on_where_a_replay_stopped(bench: &Bench, serial: &str) {
    let from = |n: &'static str| ["replay", "REC-1", "--device", serial, "--json", "--from", n].map(str::to_owned);
    let run = async |n: &'static str| {
        let words = from(n);
        bench.tapwright(&words.iter().map(String::as_str).collect::<Vec<_>>()).await
    };
    run("3").await.failed(2, &["no replay of it is recorded here"]);
    let (said, whole) = bench.replay("REC-1", serial).await;
    assert_eq!((said.code, &whole["counts"]["actions"]), (Some(0), &3.into()), "{said:?}");
    run("4").await.failed(2, &["it has 3 actions"]);
    shell(bench, serial, "input keyevent BACK").await;
    let said = run("3").await;
    let rest = said.result();
    assert_eq!((said.code, &rest["counts"]["actions"]), (Some(0), &1.into()), "{said:?}");
    // The screen is not that of the third action: it stops there and touches nothing.
    let said = run("2").await;
    assert_eq!(said.result()["verdict"], "passed", "it stands on the bills, where action 2 goes back: {said:?}");
    bench.tapwright(&["replay", "REC-1", "--from", "2", "--repair", "propose"]).await.failed(2, &["without --repair"]);
}

async fn leaves_out_what_has_nothing_to_do(bench: &Bench, serial: &str) {
    bench.tapwright(&["scripts", "optional", "REC-1", "2"]).await.failed(2, &["aims at no widget"]);
    bench.tapwright(&["scripts", "optional", "REC-1", "1"]).await.succeeded();
    bench
        .tapwright(&["replay", "REC-1", "--device", serial, "--from", "3"])
        .await
        .failed(2, &["the script was changed since it was replayed last"]);
    let (said, done) = bench.replay("REC-1", serial).await;
    assert_eq!((said.code, &done["counts"]["actions"]), (Some(0), &3.into()), "what is there is done: {said:?}");
    // A script whose optional action never has anything to do.
    let path = bench.files("scripts/REC-1").into_iter().find(|path| path.extension().is_some_and(|end| end == "toml"));
    let mut script = Script::read(&path.clone().unwrap()).unwrap();
    let mut absent = script.actions[0].clone();
    let target = absent.target.as_mut().unwrap();
    target.label = "Rate this app".into();
    target.selector.chain = vec![tapwright::domain::Locator::Text("Rate this app".into())];
    script.actions[0].optional = false;
    script.actions.insert(0, absent);
    let case = script.seal.as_ref().and_then(|seal| seal.case.clone());
    script.sealed(case).rewrite(&path.unwrap()).unwrap();
    let (said, done) = bench.replay("REC-1", serial).await;
    assert_eq!((said.code, &done["counts"]["actions"]), (Some(0), &3.into()), "{said:?}");
    let shell = bench.files("scripts/REC-1").into_iter().find(|path| path.extension().is_some_and(|end| end == "sh"));
    bench.shell_script(&shell.unwrap(), serial, &[]).await.succeeded();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn widgets_are_shown_again_whenever_the_screen_changes() {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    bench.tapwright(&["run", "PAY-0008", "--device", &serial]).await.succeeded();
    let mut child = bench.spawn(&["widgets", "--watch", "--json", "--device", &serial]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = async || {
        let line = timeout(PATIENCE, lines.next_line()).await.expect("no further screen").unwrap().unwrap();
        serde_json::from_str::<serde_json::Value>(&line).unwrap()["title"].as_str().unwrap().to_owned()
    };
    assert_eq!(next().await, "Bills");
    shell(&bench, &serial, "input keyevent 4").await;
    // What is shown on the way between them is a screen, too.
    while next().await != "Lantern Pay" {}
    interrupt(&child).await;
    assert_eq!(timeout(PATIENCE, child.wait()).await.unwrap().unwrap().code(), Some(0));
    let told = ["cannot be used with", "--watch"];
    bench.tapwright(&["widgets", "--watch", "--hierarchy", "a.xml"]).await.failed(2, &told);
}
