//! `tapwright emulate --framework` from outside, over a JVM made of a few lines: real adb sees one device.

use crate::bench::Bench;
use crate::harness::{AdbServer, PATIENCE};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use tokio::io::AsyncBufReadExt;
use tokio::time::timeout;

const TOKEN: &str = "5ec2e7";
const PACKAGE: &str = "com.example.framed";
/// The display, pixels.
const SIZE: (u32, u32) = (1080, 2400);
/// What the whole display shows, RGBA.
const COLOUR: [u8; 4] = [12, 200, 40, 255];

/// An app with two activities. A touch in the upper half crashes it.
#[derive(Debug, Default)]
struct FakeJvm {
    stack: Vec<String>,
    crashed: bool,
    asked: Vec<String>,
}

impl FakeJvm {
    /// The answer to a request: a line and the bytes behind it.
    fn answer(&mut self, request: &serde_json::Value) -> (serde_json::Value, Vec<u8>) {
        let word = |name: &str| request[name].as_str().unwrap_or_default().to_owned();
        self.asked.push(request.to_string());
        let nothing = serde_json::json!({});
        match word("do").as_str() {
            "hello" if word("token") != TOKEN => {
                (serde_json::json!({"error": "the token is missing or wrong"}), Vec::new())
            }
            "hello" => (hello(), Vec::new()),
            "launch" => {
                let named = word("activity");
                self.stack.push(if named.is_empty() { format!("{PACKAGE}.Main") } else { named });
                self.crashed = false;
                (nothing, Vec::new())
            }
            "stop" | "clear" => {
                self.stack.clear();
                (nothing, Vec::new())
            }
            "status" => {
                let top = self.stack.last().cloned().unwrap_or_default();
                let status = serde_json::json!({"activity": top, "keyboard": false, "crashed": self.crashed, "quiet_ms": 5000, "secure": false});
                (status, Vec::new())
            }
            "crash" => with(
                format!("FATAL EXCEPTION: main\nProcess: {PACKAGE}, PID: 1\njava.lang.IllegalStateException: touched")
                    .into_bytes(),
                nothing,
            ),
            "dump" => with(dump(self.stack.last().map_or("", String::as_str)).into_bytes(), nothing),
            "screenshot" => {
                let pixels = COLOUR.repeat((SIZE.0 * SIZE.1) as usize);
                with(pixels, serde_json::json!({"width": SIZE.0, "height": SIZE.1}))
            }
            "touch" => {
                if request["y"].as_u64() < Some(u64::from(SIZE.1 / 2)) {
                    self.crashed = true;
                    self.stack.clear();
                }
                (nothing, Vec::new())
            }
            "key" if request["code"] == 4 => {
                self.stack.pop();
                (serde_json::json!({"taken": true}), Vec::new())
            }
            "key" | "text" | "commit" | "pause" | "resume" | "configure" => {
                (serde_json::json!({"typed": true}), Vec::new())
            }
            other => panic!("a request that no JVM knows: {other}"),
        }
    }
}

fn with(bytes: Vec<u8>, mut line: serde_json::Value) -> (serde_json::Value, Vec<u8>) {
    line["bytes"] = bytes.len().into();
    (line, bytes)
}

fn hello() -> serde_json::Value {
    let activity =
        |name: &str| serde_json::json!({"class": format!("{PACKAGE}.{name}"), "label": name, "exported": true});
    serde_json::json!({
        "package": PACKAGE, "label": "Framed", "version_name": "1.0", "version_code": 1,
        "launcher": format!("{PACKAGE}.Main"), "width": SIZE.0, "height": SIZE.1, "density": 420,
        "activities": [activity("Main"), activity("Second")], "permissions": [],
    })
}

fn dump(activity: &str) -> String {
    format!(
        r#"<hierarchy rotation="0"><node index="0" text="{activity}" class="android.widget.TextView" package="{PACKAGE}" clickable="true" enabled="true" bounds="[0,0][1080,2400]" /></hierarchy>"#
    )
}

/// Serves clients on a port of its own until the test ends; gives the file that names it.
fn serve(folder: &std::path::Path) -> (PathBuf, Arc<Mutex<FakeJvm>>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let socket = folder.join("jvm.socket");
    std::fs::write(&socket, format!("{} {TOKEN}\n", listener.local_addr().unwrap().port())).unwrap();
    let jvm = Arc::new(Mutex::new(FakeJvm::default()));
    let served = Arc::clone(&jvm);
    std::thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let jvm = Arc::clone(&served);
            std::thread::spawn(move || talk(client, &jvm));
        }
    });
    (socket, jvm)
}

fn talk(client: TcpStream, jvm: &Mutex<FakeJvm>) {
    let mut reader = BufReader::new(client);
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|read| read > 0) {
        let request = serde_json::from_str(&line).unwrap();
        let (head, bytes) = jvm.lock().unwrap().answer(&request);
        let sent = reader.get_mut().write_all(format!("{head}\n").as_bytes());
        if sent.and_then(|()| reader.get_mut().write_all(&bytes)).is_err() {
            return;
        }
        line.clear();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn real_adb_sees_an_app_of_the_framework_as_one_device() {
    let bench = Bench::new().await;
    let (socket, jvm) = serve(&bench.path(""));
    let mut child = bench.spawn(&["emulate", "--framework", socket.to_str().unwrap()]);
    let mut lines = tokio::io::BufReader::new(child.stdout.take().unwrap()).lines();
    let serial = timeout(PATIENCE, lines.next_line()).await.unwrap().unwrap().unwrap();
    let server = AdbServer::start().await;
    server.connect(serial.parse().unwrap()).await;
    let shell = async |line: &str| {
        let said = server.adb(&["-s", &serial, "shell", line]).await;
        String::from_utf8_lossy(&said.stdout).into_owned()
    };
    let dumped = async || shell("uiautomator dump /sdcard/d.xml >/dev/null && cat /sdcard/d.xml").await;

    let started = shell(&format!("am start -n {PACKAGE}/.Main")).await;
    assert!(started.contains("Starting: Intent"), "{started}");
    assert!(dumped().await.contains(&format!("text=\"{PACKAGE}.Main\"")));
    shell(&format!("am start -n {PACKAGE}/.Second")).await;
    assert!(dumped().await.contains(&format!("text=\"{PACKAGE}.Second\"")));
    shell("input keyevent BACK").await;
    assert!(dumped().await.contains(&format!("text=\"{PACKAGE}.Main\"")));

    let picture = server.adb(&["-s", &serial, "exec-out", "screencap"]).await.stdout;
    let (head, pixels) = picture.split_at(16);
    assert_eq!(u32::from_le_bytes(head[..4].try_into().unwrap()), SIZE.0);
    assert_eq!(pixels.len(), (SIZE.0 * SIZE.1 * 4) as usize);
    assert!(pixels.chunks(4).all(|pixel| pixel == COLOUR), "every pixel is the framework's");

    shell("input tap 500 2000").await;
    let touch = jvm.lock().unwrap().asked.iter().rev().find(|ask| ask.contains("\"touch\"")).cloned();
    assert!(touch.is_some_and(|touch| touch.contains("\"x\":500") && touch.contains("\"y\":2000")));
    shell("input tap 500 100").await;
    let crash = shell("logcat -d -b crash").await;
    let pid = crash.split("PID: ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap_or_default();
    assert!(crash.contains("java.lang.IllegalStateException: touched") && pid != "1", "{crash}");

    jvm.lock().unwrap().asked.clear();
    shell(&format!("am start -n {PACKAGE}/.Main; am force-stop {PACKAGE}")).await;
    assert!(jvm.lock().unwrap().stack.is_empty(), "a stopped process leaves no activity behind");
    assert!(!jvm.lock().unwrap().asked.iter().any(|ask| ask.contains("clear")), "its files stay");
    shell(&format!("pm clear {PACKAGE}; am start -n {PACKAGE}/.Main")).await;
    assert!(jvm.lock().unwrap().asked.iter().any(|ask| ask.contains("\"clear\"")), "they go with pm clear");
    child.kill().await.unwrap();
}

#[tokio::test]
async fn a_wrong_token_and_a_missing_file_are_refused_with_what_to_do() {
    let bench = Bench::new().await;
    let missing = bench.path("no.socket");
    let said = bench.tapwright(&["emulate", "--framework", missing.to_str().unwrap()]).await;
    said.failed(3, &["no.socket", "cargo xtask framework"]);
    let (socket, _jvm) = serve(&bench.path(""));
    let text = std::fs::read_to_string(&socket).unwrap().replace(TOKEN, "0");
    std::fs::write(&socket, text).unwrap();
    let said = bench.tapwright(&["emulate", "--framework", socket.to_str().unwrap()]).await;
    said.failed(3, &["the token is missing or wrong"]);
}
