//! The exported Python program, run by Appium's own client against a stand-in of the Appium protocol: a server that carries out
//! on a virtual device, through adb, what the protocol asks for. It knows of `UiSelector`s what the exports use.

use crate::bench::{Bench, PASSWORD};
use crate::harness::{PATIENCE, python_clients};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{Method, Response, Uri};
use regex::Regex;
use serde_json::{Value, json};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use tapwright::script::{Script, to_appium};
use tapwright::virtual_device::VirtualDeviceConfig;

const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// The stand-in, and all it was asked for.
#[derive(Clone)]
struct StandIn {
    bench: Arc<Bench>,
    serial: String,
    /// Bounds of the elements found so far: left, top, right, bottom.
    elements: Arc<Mutex<Vec<[i64; 4]>>>,
    calls: Arc<Mutex<Vec<String>>>,
}

impl StandIn {
    async fn shell(&self, line: &str) -> String {
        let output = self.bench.server().adb(&["-s", &self.serial, "shell", line]).await;
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    async fn source(&self) -> String {
        self.shell("uiautomator dump /sdcard/appium.xml >/dev/null && cat /sdcard/appium.xml").await
    }

    /// Elements of `new UiSelector().resourceId("…").instance(n)`.
    async fn find(&self, selector: &str) -> Vec<Value> {
        let form = Regex::new(
            r#"^new UiSelector\(\)\.(resourceId|text|description)\(("(?:[^"\\]|\\.)*")\)(?:\.instance\((\d+)\))?$"#,
        );
        let found = form.unwrap().captures(selector).map(|found| {
            let attribute = match &found[1] {
                "resourceId" => "resource-id",
                "description" => "content-desc",
                _ => "text",
            };
            let wanted: String = serde_json::from_str(&found[2]).unwrap();
            (attribute, wanted, found.get(3).map(|n| n.as_str().parse::<usize>().unwrap()))
        });
        let (attribute, wanted, instance) = found.unwrap_or_else(|| panic!("no selector: {selector}"));
        let source = self.source().await;
        let escaped = wanted.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let node = Regex::new(&format!("<node [^>]*{attribute}=\"{}\"[^>]*>", regex::escape(&escaped))).unwrap();
        let bounds = Regex::new(r#"bounds="\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]""#).unwrap();
        let mut known = self.elements.lock().unwrap();
        let mut matches = Vec::new();
        for found in node.find_iter(&source) {
            let at = bounds.captures(found.as_str()).unwrap();
            known.push(std::array::from_fn(|side| at[side + 1].parse().unwrap()));
            matches.push(json!({ELEMENT: (known.len() - 1).to_string()}));
        }
        match instance {
            None => matches,
            Some(n) => matches.into_iter().skip(n).take(1).collect(),
        }
    }

    fn bounds(&self, element: &str) -> [i64; 4] {
        self.elements.lock().unwrap()[element.parse::<usize>().unwrap()]
    }

    async fn tap(&self, x: i64, y: i64) {
        self.shell(&format!("input tap {x} {y}")).await;
    }

    async fn tap_middle(&self, element: &str) {
        let [left, top, right, bottom] = self.bounds(element);
        self.tap((left + right) / 2, (top + bottom) / 2).await;
    }

    async fn execute(&self, script: &str, given: &Value) -> Value {
        let app = || given["appId"].as_str().unwrap().to_owned();
        let number = |key: &str| given[key].as_f64().unwrap() as i64;
        match script {
            "mobile: clearApp" => {
                self.shell(&format!("am force-stop {0}; pm clear {0}", app())).await;
            }
            "mobile: activateApp" => {
                self.shell(&format!("monkey -p {} -c android.intent.category.LAUNCHER 1", app())).await;
            }
            "mobile: pressKey" => {
                self.shell(&format!("input keyevent {}", number("keycode"))).await;
            }
            "mobile: clickGesture" => {
                let origin = given["elementId"].as_str().map_or([0; 4], |element| self.bounds(element));
                self.tap(origin[0] + number("x"), origin[1] + number("y")).await;
            }
            "mobile: scrollGesture" => {
                let (x, top, height) = (number("left") + number("width") / 2, number("top"), number("height"));
                let (low, high) = (top + height * 8 / 10, top + height * 2 / 10);
                let (from, to) = if given["direction"] == "down" { (low, high) } else { (high, low) };
                let before = self.source().await;
                self.shell(&format!("input swipe {x} {from} {x} {to} 500")).await;
                return json!(self.source().await != before);
            }
            other => panic!("the stand-in does not know {other}: {given}"),
        }
        Value::Null
    }

    async fn answer(&self, method: &Method, path: &str, body: &Value) -> Value {
        let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        match (method.as_str(), parts.as_slice()) {
            ("POST", ["session"]) => json!({"sessionId": "s", "capabilities": {"platformName": "Android"}}),
            ("DELETE", ["session", _]) | ("POST", ["session", _, "timeouts"]) => Value::Null,
            ("POST", ["session", _, "elements"]) => {
                assert_eq!(body["using"], "-android uiautomator", "{body}");
                json!(self.find(body["value"].as_str().unwrap()).await)
            }
            ("POST", ["session", _, "element", element, "click"]) => {
                self.tap_middle(element).await;
                Value::Null
            }
            ("POST", ["session", _, "element", element, "clear"]) => {
                self.tap_middle(element).await;
                self.shell(
                    "input keyevent KEYCODE_MOVE_END; for n in 1 2 3 4 5 6 7 8; do input keyevent KEYCODE_DEL; done",
                )
                .await;
                Value::Null
            }
            ("POST", ["session", _, "element", _, "value"]) => {
                let typed = body["text"].as_str().unwrap().replace(' ', "%s");
                // Appium sets a text without the soft keyboard.
                let hide = "dumpsys input_method | grep -q mInputShown=true && input keyevent 4; true";
                self.shell(&format!("input text '{typed}'; {hide}")).await;
                Value::Null
            }
            ("POST", ["session", _, "execute", "sync"]) => {
                self.execute(body["script"].as_str().unwrap(), &body["args"][0]).await
            }
            ("GET", ["session", _, "source"]) => json!(self.source().await),
            ("GET", ["session", _, "window", "rect"]) => json!({"x": 0, "y": 0, "width": 1080, "height": 2400}),
            (method, _) => panic!("the stand-in does not know {method} {path}: {body}"),
        }
    }
}

async fn handle(State(stand_in): State<StandIn>, method: Method, uri: Uri, body: Bytes) -> Response<Body> {
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    stand_in.calls.lock().unwrap().push(format!("{method} {} {body}", uri.path()));
    let value = stand_in.answer(&method, uri.path(), &body).await;
    let body = serde_json::to_string(&json!({"value": value})).unwrap();
    Response::builder().header("content-type", "application/json").body(Body::from(body)).unwrap()
}

/// Serves the stand-in; gives its address.
async fn serve(stand_in: StandIn) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().fallback(handle).with_state(stand_in);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let service = hyper_util::service::TowerToHyperService::new(router.clone());
            tokio::spawn(async move {
                let connection = hyper::server::conn::http1::Builder::new();
                // A client that goes away ends its connection with an error here.
                let _gone = connection.serve_connection(hyper_util::rt::TokioIo::new(stream), service).await;
            });
        }
    });
    address
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_exported_program_passes_and_fails_as_the_script_does() {
    let Some(clients) = python_clients("appium") else { return };
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    let result = bench.run("PAY-0001", &serial).await;
    let script = Script::read(result.script.as_ref().unwrap().as_ref()).unwrap();
    let stand_in = StandIn { bench: Arc::new(bench), serial, elements: Arc::default(), calls: Arc::default() };
    let address = serve(stand_in.clone()).await;
    let folder = tempfile::tempdir().unwrap();
    let run = async |script: &Script, password: &str, patience: &str| {
        let exported = to_appium(script).unwrap();
        assert_eq!(exported.left_out, Vec::<String>::new());
        let file = folder.path().join("case.py");
        std::fs::write(&file, exported.text).unwrap();
        let run = tokio::process::Command::new("python3")
            .arg("-B")
            .arg(&file)
            .env("PYTHONPATH", &clients)
            .env("APPIUM_URL", &address)
            .env("PAYMENT_PASSWORD", password)
            .env("PATIENCE", patience)
            .env("NO_PROXY", "*")
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .output();
        let output = tokio::time::timeout(PATIENCE * 3, run).await.expect("the program did not end").unwrap();
        let told = format!("{}{}", String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
        (output.status.code(), told)
    };
    let (code, told) = run(&script, PASSWORD, "20").await;
    assert_eq!((code, told.trim()), (Some(0), "PAY-0001 passed"), "{:?}", stand_in.calls.lock().unwrap());
    assert_eq!(run(&script, "", "1").await.0, Some(2), "without its secret");
    let mut other = script.clone();
    other.expectations = vec![tapwright::domain::Expectation::Visible("Card refused".into())];
    let (code, told) = run(&other, PASSWORD, "1").await;
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("failed: Card refused is not on the screen"), "{told}");
}
