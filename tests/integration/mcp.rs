//! `tapwright mcp` as an agent uses it: JSON-RPC lines on standard input and output.

use crate::bench::{Bench, PASSWORD, repository};
use crate::harness::PATIENCE;
use serde_json::{Value, json};
use std::process::Stdio;
use tapwright::virtual_device::VirtualDeviceConfig;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::time::timeout;

/// A client of the program.
struct Client {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    asked: u64,
}

impl Client {
    async fn start(bench: &Bench) -> Self {
        let mut child = bench.command(&["mcp"]).stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut client = Self { child, input, output, asked: 0 };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let answer = client.ask("initialize", hello).await;
        assert!(answer["result"]["capabilities"]["tools"].is_object(), "{answer}");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        client
    }

    async fn send(&mut self, message: &Value) {
        self.input.write_all(format!("{message}\n").as_bytes()).await.unwrap();
        self.input.flush().await.unwrap();
    }

    async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params})).await;
        loop {
            let line = timeout(PATIENCE, self.output.next_line()).await.expect("no answer").unwrap().expect("it ended");
            let answer: Value = serde_json::from_str(&line).unwrap();
            if answer["id"] == self.asked {
                return answer;
            }
        }
    }

    /// Calls a tool that answers.
    async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await;
        assert_ne!(answer["result"]["isError"], true, "{tool}: {answer}");
        answer["result"]["structuredContent"].clone()
    }

    /// Calls a tool that refuses; gives why.
    async fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await;
        assert_eq!(answer["result"]["isError"], true, "{tool}: {answer}");
        answer["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_finds_cases_looks_acts_and_replays_over_standard_input_and_output() {
    let mut bench = Bench::new().await;
    for case in ["PAY-0002", "PAY-0008"] {
        let own = bench.path("scripts").join(case);
        std::fs::create_dir_all(&own).unwrap();
        let bundled = repository("scripts").join(case).join("virtual-phone.toml");
        std::fs::copy(bundled, own.join("virtual-phone.toml")).unwrap();
    }
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    let mut client = Client::start(&bench).await;

    let listed = client.ask("tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    for name in ["devices", "screen", "act", "why", "run", "replay", "cases", "lint"] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    assert!(tools.iter().all(|tool| tool["inputSchema"]["type"] == "object" && tool["description"].is_string()));

    assert_eq!(client.call("devices", json!({})).await["devices"][0]["serial"], serial.as_str());
    let cases = client.call("cases", json!({"tag": "short"})).await;
    assert_eq!((cases["cases"][0]["id"].as_str(), cases["left_out"].as_u64()), (Some("PAY-0008"), Some(0)), "{cases}");
    assert_eq!(client.call("lint", json!({"case": "PAY-0008"})).await["findings"], json!([]));

    let replayed = client.call("replay", json!({"script": "PAY-0008"})).await;
    assert_eq!(replayed["verdict"], "passed", "{replayed}");
    assert!(bench.path(replayed["report"].as_str().unwrap()).is_file(), "{replayed}");

    // The replay ended on the bills.
    let screen = client.call("screen", json!({"device": serial})).await;
    assert_eq!(screen["title"], "Bills", "{screen}");
    let back = client.call("act", json!({"action": "back", "screen": screen["screen"]})).await;
    assert_eq!(back["title"], "Lantern Pay", "{back}");
    let stale = client.refused("act", json!({"action": "back", "screen": screen["screen"]})).await;
    assert!(stale.contains("another screen is shown by now"), "{stale}");
    let help = back["widgets"].as_array().unwrap().iter().position(|line| line.as_str().unwrap().contains("\"Help\""));
    let helped = client.call("act", json!({"action": "tap", "widget": help.unwrap(), "screen": back["screen"]})).await;
    assert_eq!(helped["title"], "Help", "{helped}");

    let other = json!({"payment_password": "246801"});
    let unpaid = client.call("replay", json!({"script": "PAY-0002", "params": other})).await;
    assert_ne!(unpaid["verdict"], "passed", "the given value was typed, not the case's own: {unpaid}");
    assert!(!unpaid.to_string().contains("246801"), "{unpaid}");
    let values = json!({"payment_password": PASSWORD});
    let paid = client.call("replay", json!({"script": "PAY-0002", "params": values})).await;
    assert_eq!(paid["verdict"], "passed", "{paid}");
    assert!(!paid.to_string().contains(PASSWORD), "{paid}");
    let other = client.refused("run", json!({"case": "PAY-0002", "params": {"pasword": "x"}})).await;
    assert!(other.contains("pasword"), "{other}");

    let unknown = client.refused("replay", json!({"script": "PAY-0099"})).await;
    assert!(unknown.contains("record one with `tapwright run PAY-0099`"), "{unknown}");
    assert!(client.refused("screen", json!({"device": "nobody"})).await.contains("nobody"));

    // The client's end closes it.
    let Client { mut child, input, .. } = client;
    drop(input);
    let ended = timeout(PATIENCE, child.wait()).await.expect("it did not end").unwrap();
    assert!(ended.success(), "{ended}");
}
