//! The process against a JVM made of a few lines: it answers what the test says and writes down what it was asked.

use super::*;
use crate::framework::connection::Connection;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

const HELLO: &str = r#"{"package":"com.example.app","label":"App","version_name":"1.0","version_code":1,"launcher":"com.example.app.Main","width":1080,"height":2400,"density":420,"activities":[],"permissions":[]}"#;
const TREE: &str = r#"<hierarchy rotation="0"><node index="0" text="Hello" class="android.widget.TextView" package="com.example.app" bounds="[0,0][1080,2400]" clickable="true" /></hierarchy>"#;

/// Serves one client; `status` is what it says of the app.
fn jvm(status: &'static str) -> (Process, Receiver<String>) {
    let (connection, asks) = connected(status);
    (process(&connection, None), asks)
}

/// The app launched over a connection, with data of an earlier run or without.
fn process(connection: &Arc<Mutex<Connection>>, data: Option<Vec<u8>>) -> Process {
    let context = AppContext { data, pid: 812, ..AppContext::phone() };
    let process = Process::start(Arc::clone(connection), "com.example.app".to_owned(), context);
    process.launched("", &Configuration::default())
}

fn connected(status: &'static str) -> (Arc<Mutex<Connection>>, Receiver<String>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let (asked, asks) = channel();
    std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        while reader.read_line(&mut line).unwrap_or(0) > 0 {
            let answer = match line.as_str() {
                ask if ask.contains("hello") && !ask.contains("secret") => {
                    r#"{"error":"the token is wrong"}"#.to_owned() + "\n"
                }
                ask if ask.contains("hello") => format!("{HELLO}\n"),
                ask if ask.contains("status") => format!("{status}\n"),
                ask if ask.contains("crash") => format!("{{\"bytes\":{}}}\n{CRASH}", CRASH.len()),
                ask if ask.contains("dump") => format!("{{\"bytes\":{}}}\n{TREE}", TREE.len()),
                ask if ask.contains("\"text\"") => "{\"typed\":false}\n".to_owned(),
                _ => "{}\n".to_owned(),
            };
            asked.send(std::mem::take(&mut line)).unwrap();
            if reader.get_mut().write_all(answer.as_bytes()).is_err() {
                return;
            }
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    std::fs::write(&socket, format!("{port} secret\n")).unwrap();
    let (connection, info) = Connection::open(&socket).unwrap();
    assert_eq!(info.package, "com.example.app");
    (Arc::new(Mutex::new(connection)), asks)
}

const CRASH: &str = "FATAL EXCEPTION: Worker\nProcess: com.example.app, PID: 4711\njava.lang.Error: Process: x, PID: 1";
const RUNNING: &str =
    r#"{"activity":"com.example.app.Main","keyboard":false,"crashed":false,"quiet_ms":1000,"secure":false}"#;
const CRASHED: &str = r#"{"activity":"","keyboard":false,"crashed":true,"quiet_ms":1000,"secure":false}"#;
const ENDED: &str = r#"{"activity":"","keyboard":false,"crashed":false,"quiet_ms":1000,"secure":false}"#;

fn asked(asks: &Receiver<String>) -> String {
    asks.try_iter().filter(|ask| !ask.contains("status")).collect()
}

#[test]
fn gestures_and_keys_become_fingers_and_key_codes() {
    let (mut process, asks) = jvm(RUNNING);
    let started = asked(&asks);
    assert!(
        started.contains("\"clear\"") && started.contains("\"locale\":\"en-US\"") && started.contains("\"launch\"")
    );
    let (from, to) = (Point::new(10, 20), Point::new(30, 40));
    let duration = Duration::from_millis(250);
    let check = |process: &mut Process, gesture, expected: &str| {
        process.gesture(gesture);
        assert_eq!(asked(&asks).trim(), format!("{{\"do\":\"touch\",{expected}}}"));
    };
    check(&mut process, Gesture::Tap(from), r#""x":10,"y":20,"to_x":10,"to_y":20,"hold_ms":0,"move_ms":0"#);
    check(&mut process, Gesture::LongPress(from), r#""x":10,"y":20,"to_x":10,"to_y":20,"hold_ms":600,"move_ms":0"#);
    let swipe = Gesture::Swipe { from, to, duration };
    check(&mut process, swipe, r#""x":10,"y":20,"to_x":30,"to_y":40,"hold_ms":0,"move_ms":250"#);
    let drag = Gesture::Drag { from, to, duration };
    check(&mut process, drag, r#""x":10,"y":20,"to_x":30,"to_y":40,"hold_ms":600,"move_ms":250"#);
    assert_eq!(process.key(66), KeyOutcome::Handled);
    assert_eq!(asked(&asks).trim(), r#"{"do":"key","code":66}"#);
}

#[test]
fn the_dump_becomes_elements_and_text_that_no_field_takes_is_logged() {
    let (mut process, _asks) = jvm(RUNNING);
    let root = process.snapshot();
    assert_eq!((root.text.as_str(), root.clickable, root.bounds.bottom), ("Hello", true, 2400));
    assert_eq!(process.activity(), "com.example.app.Main");
    process.type_text("abc");
    assert_eq!(process.take_log(), ["W FrameworkDevice: a text of 3 characters was lost: no field took it"]);
}

#[test]
fn a_crash_is_logged_once_and_ends_the_process() {
    let (mut process, _asks) = jvm(CRASHED);
    assert!(process.crashed());
    process.advance(&Surroundings::at(Duration::ZERO));
    let report =
        ["FATAL EXCEPTION: Worker", "Process: com.example.app, PID: 812", "java.lang.Error: Process: x, PID: 1"];
    assert_eq!(process.take_log(), report.map(|line| format!("E AndroidRuntime: {line}")));
    assert!(process.take_requests().is_empty(), "a crash is no finish");
}

#[test]
fn an_app_whose_last_activity_ended_finishes_once() {
    let (mut process, _asks) = jvm(ENDED);
    assert_eq!(process.take_requests(), [SystemRequest::Finish]);
    assert!(process.take_requests().is_empty());
    assert_eq!(process.key(BACK), KeyOutcome::Finish);
}

#[test]
fn keys_type_what_keys_have_and_an_input_method_writes_the_rest() {
    let (mut process, asks) = jvm(RUNNING);
    asked(&asks);
    process.type_text("a b~");
    assert_eq!(asked(&asks).trim(), r#"{"do":"text","text":"a b~"}"#);
    process.type_text("Größe 漢");
    assert_eq!(asked(&asks).trim(), r#"{"do":"commit","text":"Größe 漢"}"#);
}

#[test]
fn an_app_begins_empty_after_a_clear_and_keeps_its_files_else() {
    let (connection, asks) = connected(RUNNING);
    let first = process(&connection, None);
    assert!(asked(&asks).contains(r#"{"do":"clear"}"#));
    let data = first.persisted();
    drop(first);
    asked(&asks);
    drop(process(&connection, data));
    let again = asked(&asks);
    assert!(again.starts_with(r#"{"do":"stop"}"#) && !again.contains("clear"), "{again}");
}

#[test]
fn a_process_that_is_gone_stops_its_activities_but_not_those_launched_since() {
    let (connection, asks) = connected(RUNNING);
    let old = process(&connection, None);
    let new = process(&connection, None);
    asked(&asks);
    drop(old);
    assert_eq!(asked(&asks), "", "the app runs anew");
    drop(new);
    assert_eq!(asked(&asks).trim(), r#"{"do":"stop"}"#);
}

#[test]
fn without_a_jvm_the_reason_names_the_way_to_get_one() {
    let missing = Connection::open(std::path::Path::new("/nowhere/socket")).err().map(|error| error.to_string());
    assert!(missing.is_some_and(|error| error.contains("cargo xtask framework")));
}

#[test]
fn after_an_answer_that_is_none_a_new_stream_is_opened() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    std::fs::write(&socket, format!("{} secret\n", listener.local_addr().unwrap().port())).unwrap();
    std::thread::spawn(move || {
        for (client, dump) in listener.incoming().flatten().zip(["no answer at all\n", "{\"bytes\":2}\nok"]) {
            let mut reader = BufReader::new(client);
            for answer in [format!("{HELLO}\n").as_str(), dump] {
                let mut line = String::new();
                if reader.read_line(&mut line).unwrap_or(0) == 0 {
                    break;
                }
                reader.get_mut().write_all(answer.as_bytes()).unwrap();
            }
        }
    });
    let (mut connection, _) = Connection::open(&socket).unwrap();
    assert!(matches!(connection.ask(&Request::Dump), Err(FrameworkError::Nonsense(_))));
    assert_eq!(connection.ask(&Request::Dump).unwrap().bytes, b"ok");
}
