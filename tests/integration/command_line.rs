//! The built program and bad input: a clear message with the remedy, the right exit code, nothing half-written.

use crate::adb_stub::{Conversation, StubServer};
use crate::bench::{Bench, Said, repository, runtime_library, suite};
use tapwright::device::DeviceRules;
use tapwright::domain::DeviceSerial;
use tapwright::inference::Manifest;
use tapwright::script::Script;
use tapwright::virtual_device::{AuthPolicy, IdleWait, VirtualDeviceConfig};
use tokio::time::timeout;

#[tokio::test]
async fn an_unknown_id_names_the_nearest_ones() {
    let bench = Bench::new().await;
    bench.tapwright(&["run", "PAY-0088"]).await.failed(2, &["no case has the id PAY-0088", "PAY-0008"]);
    bench.tapwright(&["replay", "PAY-0001"]).await.failed(2, &["no script", "tapwright run PAY-0001"]);
    bench.nothing_half_written();
}

#[tokio::test]
async fn a_fit_to_one_app_is_refused_before_anything_is_played() {
    let bench = Bench::new().await;
    let (suite, weights, examples) = (suite(""), bench.path("weights.toml"), bench.path("examples.jsonl"));
    let [suite, fit, seen] = [&suite, &weights, &examples].map(|path| path.to_str().unwrap());
    let said = bench.tapwright(&["eval", "decisions", suite, "--fit", fit, "--examples", seen]).await;
    said.failed(2, &["at least two apps", "only com.example.pay", "--recorded"]);
    assert!(!weights.exists() && !examples.exists(), "the decisions were played all the same");
    let said = bench.tapwright(&["eval", "decisions", suite, "--case", "NONE-1", "--fit", fit]).await;
    said.failed(2, &["at least two apps", "found: none"]);
}

#[tokio::test]
async fn decisions_of_another_version_and_weights_of_unknown_features_are_refused_with_what_to_do() {
    let bench = Bench::new().await;
    let (old, weights) = (bench.path("old.jsonl"), bench.path("weights.toml"));
    let [decisions, fit] = [&old, &weights].map(|path| path.to_str().unwrap());
    let args = ["eval", "decisions", "--decisions", decisions];
    std::fs::write(&old, "{\"format\":\"tapwright decisions\",\"version\":99,\"features\":[]}\n").unwrap();
    bench.tapwright(&args).await.failed(2, &["old.jsonl", "format version 99", "eval decisions DIR --examples FILE"]);
    std::fs::write(&old, "{\"app\":\"org.example.app\"}\n").unwrap();
    bench.tapwright(&[&args[..], &["--fit", fit]].concat()).await.failed(2, &["old.jsonl", "no header"]);
    assert!(!weights.exists());
    let shipped = std::fs::read_to_string(repository("src/pipeline/policy/weights.toml")).unwrap();
    std::fs::write(&weights, format!("{shipped}luck = 1.0\n")).unwrap();
    let said = bench.tapwright(&["eval", "decisions", "--decisions", decisions, "--policy", fit]).await;
    said.failed(2, &["weights.toml", "`luck` is no feature", "--fit FILE"]);
}

#[tokio::test]
async fn an_id_used_twice_names_both_files() {
    let bench = Bench::new().await;
    std::fs::copy(bench.path("cases/PAY-0008.case.yaml"), bench.path("cases/copy.case.yaml")).unwrap();
    let said = bench.tapwright(&["run", "PAY-0008"]).await;
    said.failed(2, &["used by two files", "PAY-0008.case.yaml", "copy.case.yaml"]);
    bench.nothing_half_written();
}

#[tokio::test]
async fn a_malformed_case_is_told_with_file_line_column_and_what_was_expected() {
    let bench = Bench::new().await;
    bench.change("cases/PAY-0008.case.yaml", "budget: {actions: 6,", "budget: {acts: 6,");
    for argument in ["PAY-0008", "cases/PAY-0008.case.yaml"] {
        let said = bench.tapwright(&["run", argument]).await;
        said.failed(2, &["PAY-0008.case.yaml:10:10", "acts", "expected one of", "actions"]);
    }
    bench.change("cases/PAY-0007.case.yaml", "steps:", "steps: [");
    bench.tapwright(&["run", "PAY-0007"]).await.failed(2, &["PAY-0007.case.yaml:"]);
    bench
        .tapwright(&["run", "cases/none.case.yaml"])
        .await
        .failed(2, &["none.case.yaml", "Check that the file exists"]);
    bench.tapwright(&["cases", "lint"]).await.failed(2, &["2 errors"]);
    bench.nothing_half_written();
}

#[tokio::test]
async fn a_malformed_workspace_file_is_told_with_its_line() {
    let bench = Bench::new().await;
    std::fs::write(bench.path("tapwright.toml"), "[folders]\ncase = []\n").unwrap();
    bench.tapwright(&["cases", "list"]).await.failed(2, &["tapwright.toml", "line 2", "`case`"]);
    bench.tapwright(&["cases", "list", "--workspace", "/nowhere"]).await.failed(2, &["/nowhere"]);
}

#[tokio::test]
async fn nothing_selected_is_neither_a_pass_nor_a_failure() {
    let bench = Bench::new().await;
    bench.tapwright(&["run"]).await.failed(4, &["nothing to run", "--tag"]);
    bench.tapwright(&["run", "--tag", "nonsense"]).await.failed(4, &["no case has the tag nonsense"]);
    bench.nothing_half_written();
}

#[tokio::test]
async fn a_parameter_the_case_does_not_have_is_refused() {
    let bench = Bench::new().await;
    bench.tapwright(&["run", "PAY-0002", "--param", "amuont=5"]).await.failed(2, &["amuont", "amount"]);
    let file = bench.path("values");
    for (text, told) in [("amuont=s3cret\n", "amuont"), ("# none\ns3cret\n", "line 2"), ("{\"pin\": 4321}", "column")] {
        std::fs::write(&file, text).unwrap();
        let said = bench.tapwright(&["run", "PAY-0002", "--params-file", file.to_str().unwrap()]).await;
        said.failed(2, &[told]);
        assert!(!said.stderr.contains("s3cret") && !said.stderr.contains("4321"), "{said:?}");
    }
    let missing = bench.tapwright(&["run", "PAY-0002", "--params-file", "none"]).await;
    missing.failed(2, &["--params-file none: ", "check that it exists"]);
    std::fs::write(&file, "s3cret").unwrap();
    for command in [&["replay", "PAY-0002"][..], &["why", "--instruction", "Enter the PIN"], &["gate", "PAY-0002"]] {
        let more = [command, &["--params-file", "values"]].concat();
        bench.tapwright(&more).await.failed(2, &["--params-file values: line 1 is no name=value"]);
    }
    bench.tapwright(&["run", "PAY-0002", "--param", "amount"]).await.failed(2, &["name=value"]);
    bench.nothing_half_written();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_is_given_through_standard_input_and_shown_nowhere() {
    use tokio::io::AsyncWriteExt;
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    let mut command = bench.command(&["run", "PAY-0002", "--device", &serial, "--params-file", "-"]);
    let mut child = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"{\"payment_password\": \"908172\"}").await.unwrap();
    drop(input);
    let said: Said = timeout(crate::harness::PATIENCE, child.wait_with_output()).await.unwrap().unwrap().into();
    // The case's own passes.
    said.failed(1, &["Wrong password"]);
    assert!(!said.stderr.contains("908172"), "{said:?}");
    for file in bench.files("runs") {
        let bytes = std::fs::read(&file).unwrap();
        assert!(!bytes.windows(6).any(|part| part == b"908172"), "{}", file.display());
    }
}

#[tokio::test]
async fn no_device_two_devices_and_a_wrong_serial_say_what_to_do() {
    let mut bench = Bench::new().await;
    bench.tapwright(&["run", "PAY-0008"]).await.failed(3, &["no device is connected", "tapwright emulate"]);
    let said = bench.tapwright(&["devices"]).await;
    said.failed(0, &["no devices"]);
    assert_eq!(bench.tapwright(&["devices", "--json"]).await.json(), serde_json::json!([]));

    let first = bench.device(VirtualDeviceConfig::default()).await;
    let second = bench.device(VirtualDeviceConfig::default()).await;
    for command in [&["run", "PAY-0008"][..], &["widgets"]] {
        bench.tapwright(command).await.failed(3, &["several devices", &first, &second, "--device"]);
    }
    let said = bench.tapwright(&["run", "PAY-0008", "--device", "10.0.0.1:5"]).await;
    said.failed(3, &["10.0.0.1:5: no such device is connected", &first]);
    let said = bench.tapwright(&["run", "PAY-0008", "--profile", "pixel-emulator"]).await;
    said.failed(3, &["no connected device matches the profile", "virtual-phone"]);
    bench.tapwright(&["run", "PAY-0008", "--profile", "nonsense"]).await.failed(2, &["nonsense", "virtual-phone"]);
    bench.nothing_half_written();

    let listed = bench.tapwright(&["devices", "--json"]).await.json();
    let mut serials: Vec<_> = listed.as_array().unwrap().iter().map(|row| row["serial"].as_str().unwrap()).collect();
    serials.sort_unstable();
    let mut both = [first.as_str(), second.as_str()];
    both.sort_unstable();
    assert_eq!(serials, both);
    // The environment chooses as adb does.
    let mut command = bench.command(&["widgets", "--json"]);
    command.env("ANDROID_SERIAL", &second);
    let said: Said = command.output().await.unwrap().into();
    said.succeeded();
    assert!(said.json()["widgets"].is_array());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_exploration_leaves_a_device_alone_that_is_in_use_or_not_allowed() {
    let mut bench = Bench::new().await;
    let serial = DeviceSerial::from(bench.device(VirtualDeviceConfig::default()).await.as_str());
    let locks = bench.path("locks");
    let daemon = DeviceRules { allow: vec![], locks: Some(locks.clone()), holder: "tapwright serve".into() };
    let explore = async || {
        let mut command =
            bench.command(&["cases", "explore", "PAY-0008", "--device", serial.as_str(), "--actions", "1"]);
        let said: Said = command.env("TAPWRIGHT_LOCKS", &locks).output().await.unwrap().into();
        said
    };
    let held = daemon.hold([&serial]).unwrap();
    explore().await.failed(3, &[serial.as_str(), "in use by tapwright serve"]);
    drop(held);
    explore().await.succeeded();
    let settings = std::fs::read_to_string(bench.path("tapwright.toml")).unwrap();
    std::fs::write(bench.path("tapwright.toml"), settings + "[devices]\nallow = ['emulator-5554']\n").unwrap();
    explore().await.failed(3, &[serial.as_str(), "`[devices] allow`"]);
}

#[tokio::test]
async fn an_unauthorized_device_is_named_with_the_remedy() {
    let mut bench = Bench::new().await;
    let reject = VirtualDeviceConfig { auth: AuthPolicy::Reject, ..VirtualDeviceConfig::default() };
    let address = bench.start_device(reject).await;
    bench.server().connect_only(address).await;
    let serial = address.to_string();
    bench.server().wait_for_state(&serial, "unauthorized").await;
    for arguments in [&["run", "PAY-0008"][..], &["run", "PAY-0008", "--device", &serial]] {
        bench.tapwright(arguments).await.failed(3, &[&serial, "not authorised", "confirm the USB debugging dialog"]);
    }
    let said = bench.tapwright(&["devices"]).await;
    assert!(said.stdout.contains("unauthorized") && said.stdout.contains("confirm the USB debugging"), "{said:?}");
    bench.nothing_half_written();
}

#[tokio::test]
async fn an_offline_device_is_named_with_the_remedy() {
    let bench = Bench::new().await;
    let stub = StubServer::start([
        Conversation::host("host:version").okay_text("0029"),
        Conversation::host("host:devices-l").okay_text("R58M             offline transport_id:1\n"),
    ])
    .await;
    let mut command = bench.command(&["run", "PAY-0008"]);
    command.env("ANDROID_ADB_SERVER_PORT", stub.address().port().to_string());
    let said: Said = command.output().await.unwrap().into();
    said.failed(3, &["R58M: the device is offline", "adb reconnect offline"]);
    stub.finish().await;
    bench.nothing_half_written();
}

#[tokio::test]
async fn an_adb_server_that_cannot_be_is_told_as_configuration() {
    let bench = Bench::new().await;
    for (name, value) in [("ANDROID_ADB_SERVER_PORT", "banana"), ("ADB_SERVER_SOCKET", "local:adb")] {
        for arguments in [&["run", "PAY-0008"][..], &["devices"], &["widgets"]] {
            let mut command = bench.command(arguments);
            command.env(name, value);
            let said: Said = command.output().await.unwrap().into();
            said.failed(2, &[name, value, "expected"]);
        }
    }
    // An address that makes sense, where nobody is and nobody may be started.
    let mut command = bench.command(&["devices"]);
    command.env("ADB_SERVER_SOCKET", "tcp:127.0.0.1:1").env("TAPWRIGHT_ADB", "/nowhere/adb");
    let said: Said = command.output().await.unwrap().into();
    said.failed(3, &["127.0.0.1:1", "/nowhere/adb"]);
    bench.nothing_half_written();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_app_that_fails_to_install_is_an_error_with_the_package_managers_reason() {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    std::fs::write(bench.path("apps/pay.app.yaml"), b"\xff\xfe no app").unwrap();
    let said = bench.tapwright(&["run", "PAY-0008", "--device", &serial, "--json"]).await;
    said.failed(3, &[]);
    assert_eq!(said.result()["verdict"], "error");
    let reason = said.result()["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("INSTALL_PARSE_FAILED_NOT_APK") && reason.contains("com.example.pay"), "{reason}");
    bench.nothing_half_written();
    // What is there is whole.
    let results: Vec<_> = bench.files("runs").into_iter().filter(|file| file.ends_with("result.json")).collect();
    assert_eq!(results.len(), 1);

    std::fs::remove_file(bench.path("apps/pay.app.yaml")).unwrap();
    // What is not there is told before anything is begun.
    let said = bench.tapwright(&["run", "PAY-0008", "--device", &serial]).await;
    said.failed(2, &["pay.app.yaml", "is missing"]);
    bench.nothing_half_written();
}

/// A device whose first screen keeps sending events; its dumps fail after a moment in place of ten seconds.
async fn restless_device(bench: &mut Bench) -> String {
    bench.change_app(
        "          id: balance_card\n          background: primary\n          radius: 16\n          padding: 20\n          gap: 4\n          children:\n",
        "          id: balance_card\n          background: primary\n          radius: 16\n          padding: 20\n          gap: 4\n          children:\n            - progress: {id: forever, busy: true}\n",
    );
    let restless = IdleWait { limit: std::time::Duration::from_millis(20), ..IdleWait::NONE };
    bench.device(VirtualDeviceConfig { idle_wait: restless, ..VirtualDeviceConfig::default() }).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_screen_that_never_rests_and_cannot_be_pictured_gives_an_error_and_no_verdict_on_the_app() {
    let mut bench = Bench::new().await;
    // Android gives a black picture of a secure window.
    bench.change_app(
        "  - id: home\n    activity: .MainActivity\n",
        "  - id: home\n    secure: true\n    activity: .MainActivity\n",
    );
    let serial = restless_device(&mut bench).await;
    let said = bench.tapwright(&["run", "PAY-0008", "--device", &serial, "--json"]).await;
    said.failed(3, &[]);
    assert_eq!(said.result()["verdict"], "error");
    let reason = said.result()["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("no screen hierarchy after 3 dumps") && reason.contains("idle"), "{reason}");
    bench.nothing_half_written();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_screen_that_never_rests_is_read_off_its_picture_and_the_result_says_so() {
    let models = Manifest::load(&repository("models")).unwrap().text_models();
    if models.is_none_or(|(detection, recognition)| !detection.is_file() || !recognition.is_file()) {
        println!("skipped: the text reading models are not installed (`tapwright models install`)");
        return;
    }
    let mut bench = Bench::new().await;
    let serial = restless_device(&mut bench).await;
    let said = bench.tapwright(&["run", "PAY-0008", "--device", &serial, "--json"]).await;
    let result = said.result();
    assert_eq!((said.code, &result["verdict"]), (Some(0), &"passed".into()), "{said:?}");
    assert_eq!(result["diagnostics"][0]["code"], "no_hierarchy");
    assert_eq!(result["counts"]["failed_dumps"], 3);
}

/// A models folder of the test's own: the manifest, and the bundled model by link.
pub(crate) fn models(bench: &Bench) -> std::path::PathBuf {
    let folder = bench.path("models");
    std::fs::create_dir_all(folder.join("ui-mpnet")).unwrap();
    for file in ["manifest.toml", "requirements.txt"] {
        std::fs::copy(repository("models").join(file), folder.join(file)).unwrap();
    }
    for entry in std::fs::read_dir(repository("models/ui-mpnet")).unwrap() {
        let file = entry.unwrap().path();
        std::os::unix::fs::symlink(&file, folder.join("ui-mpnet").join(file.file_name().unwrap())).unwrap();
    }
    bench.configure(&folder);
    folder
}

#[tokio::test]
async fn a_missing_runtime_a_missing_model_and_a_damaged_one_are_told_with_the_remedy() {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    let run = ["run", "PAY-0008", "--device", &serial];
    let folder = models(&bench);
    let mut command = bench.command(&run);
    command.env_remove("TAPWRIGHT_ORT_LIB");
    let said: Said = command.output().await.unwrap().into();
    said.failed(3, &["ONNX Runtime is not installed", "run `tapwright models install`"]);
    let said = bench.tapwright(&["models", "list"]).await;
    said.failed(0, &["text models are missing", "links get estimated labels", "run `tapwright models install`"]);
    bench.tapwright(&["models", "verify"]).await.failed(3, &["run `tapwright models install`"]);

    let damaged = bench.path("libonnxruntime.so");
    std::fs::write(&damaged, b"not a library").unwrap();
    let mut command = bench.command(&run);
    command.env("TAPWRIGHT_ORT_LIB", &damaged);
    let said: Said = command.output().await.unwrap().into();
    said.failed(3, &["libonnxruntime.so is damaged", "run `tapwright models install`"]);

    let with_runtime = |arguments: &[&str]| {
        let mut command = bench.command(arguments);
        command.env("TAPWRIGHT_ORT_LIB", runtime_library());
        command
    };
    let model = folder.join("ui-mpnet/model.onnx");
    std::fs::remove_file(&model).unwrap();
    let said: Said = with_runtime(&run).output().await.unwrap().into();
    said.failed(3, &["model.onnx does not exist", "restore it"]);
    std::fs::write(&model, b"half a model").unwrap();
    let said: Said = with_runtime(&run).output().await.unwrap().into();
    said.failed(3, &["model.onnx is damaged", "restore it"]);
    let said = bench.tapwright(&["models", "verify"]).await;
    said.failed(3, &["missing or damaged"]);
    assert!(said.stdout.contains("model.onnx"), "{said:?}");
    std::fs::remove_file(folder.join("manifest.toml")).unwrap();
    bench.tapwright(&run).await.failed(3, &["manifest.toml"]);
    bench.nothing_half_written();
}

#[tokio::test]
async fn models_are_listed_verified_and_found_present_without_a_network() {
    let bench = Bench::new().await;
    let listed = bench.tapwright(&["models", "list", "--json"]).await;
    listed.succeeded();
    let names: Vec<_> =
        listed.json().as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect();
    let texts = listed.json().as_array().unwrap().iter().find(|row| row["kind"] == "text reading").cloned().unwrap();
    assert!(texts["state"] == "present" || listed.stderr.contains("the text models are missing"), "{listed:?}");
    assert!(names.contains(&"ui-mpnet".to_owned()) && names.iter().any(|n| n.starts_with("onnxruntime ")), "{names:?}");
    if !repository("models/runtime").is_dir() {
        eprintln!("skipped: the runtime libraries are elsewhere (TAPWRIGHT_ORT_LIB)");
        return;
    }
    let mut command = bench.command(&["models", "install"]);
    // Neither python3 nor anything else to download with.
    command.env("PATH", bench.path("empty"));
    let said: Said = command.output().await.unwrap().into();
    said.failed(0, &["onnxruntime", "present"]);
    let said = bench.tapwright(&["models", "verify", "--json"]).await;
    said.succeeded();
    assert!(said.json().as_array().unwrap().len() >= 3, "{said:?}");
}

#[tokio::test]
async fn a_doctor_finds_what_is_missing() {
    let mut bench = Bench::new().await;
    let said = bench.tapwright(&["doctor", "--json"]).await;
    assert_eq!(said.code, Some(3), "{said:?}");
    let findings = said.json();
    let finding = |what: &str| {
        findings
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["what"] == what)
            .unwrap_or_else(|| panic!("{findings}"))
            .clone()
    };
    assert_eq!(finding("devices")["ok"], false);
    assert!(finding("devices")["detail"].as_str().unwrap().contains("tapwright emulate"));
    for sound in ["workspace", "cases", "skills", "profiles", "inference", "adb", "adb server"] {
        assert_eq!(finding(sound)["ok"], true, "{findings}");
    }
    bench.device(VirtualDeviceConfig::default()).await;
    let said = bench.tapwright(&["doctor"]).await;
    if repository("models/runtime").is_dir() {
        said.succeeded();
    }
    assert!(said.stdout.contains("127.0.0.1:"), "{said:?}");
}

#[tokio::test]
async fn widgets_of_odd_files_are_shown_or_refused_and_never_a_panic() {
    let bench = Bench::new().await;
    let file = |name: &str, bytes: &[u8]| {
        std::fs::write(bench.path(name), bytes).unwrap();
        bench.path(name).to_str().unwrap().to_owned()
    };
    let odd = file(
        "odd.xml",
        b"<hierarchy rotation=\"0\"><node text=\"Pay &amp; go\" frob=\"1\" bounds=\"[0,0][9,9]\"><node",
    );
    let said = bench.tapwright(&["widgets", "--hierarchy", &odd, "--json"]).await;
    said.failed(0, &["note: "]);
    assert!(said.stdout.contains("Pay & go"), "{said:?}");
    for (name, bytes) in [("empty.xml", &b""[..]), ("text.xml", b"ERROR: could not get idle state.\n")] {
        let said = bench.tapwright(&["widgets", "--hierarchy", &file(name, bytes)]).await;
        said.failed(2, &[name, "no hierarchy"]);
    }
    bench.tapwright(&["widgets", "--hierarchy", "none.xml"]).await.failed(2, &["none.xml"]);
    let picture = file("broken.png", b"\x89PNG\r\n\x1a\nbroken");
    bench.tapwright(&["widgets", "--hierarchy", &odd, "--screenshot", &picture]).await.failed(2, &["broken.png"]);
    let secret = b"<hierarchy><node class=\"android.widget.EditText\" text=\"hunter2\" password=\"true\" \
                   bounds=\"[0,0][90,90]\" /></hierarchy>";
    for format in ["table", "json", "xuat"] {
        let said = bench.tapwright(&["widgets", "--hierarchy", &file("in.xml", secret), "--format", format]).await;
        said.succeeded();
        assert!(said.stdout.contains("•••••••") && !said.stdout.contains("hunter2"), "{said:?}");
    }
    let card = b"<hierarchy><node class=\"android.view.ViewGroup\" content-desc=\"Course\" clickable=\"true\" bounds=\"[0,0][900,300]\">\
                 <node class=\"android.widget.TextView\" text=\"Room 204\" bounds=\"[40,20][600,80]\" /></node></hierarchy>";
    let card = file("card.xml", card);
    let said = bench.tapwright(&["widgets", "--hierarchy", &card, "--json"]).await.json();
    let inner = said["texts"].as_array().unwrap().iter().find(|text| text["text"] == "Room 204");
    assert_eq!(inner.map(|text| &text["widget"]), Some(&said["widgets"][0]["id"]), "{said}");
    let said = bench.tapwright(&["widgets", "--hierarchy", &card]).await;
    assert!(said.stdout.contains("Room 204"), "{said:?}");
    let sheet = b"<hierarchy><node class=\"android.widget.FrameLayout\" bounds=\"[0,0][900,1600]\">\
                  <node class=\"android.widget.TextView\" text=\"Balance\" bounds=\"[40,900][600,960]\" />\
                  <node class=\"android.widget.RelativeLayout\" clickable=\"true\" bounds=\"[0,600][900,1600]\">\
                  <node class=\"android.widget.TextView\" text=\"Share with\" bounds=\"[40,620][600,680]\" /></node></node></hierarchy>";
    let said = bench.tapwright(&["widgets", "--hierarchy", &file("sheet.xml", sheet), "--json"]).await;
    said.failed(0, &["note: one text of the dump lies under something else"]);
    assert_eq!(said.json()["covered"][0]["text"], "Balance");
    bench.tapwright(&["widgets", "--screenshot", &picture]).await.failed(2, &["broken.png"]);
    let nowhere = bench.path("none/out.png");
    let said = bench.tapwright(&["widgets", "--hierarchy", &odd, "--annotate", nowhere.to_str().unwrap()]).await;
    said.failed(2, &["out.png"]);
}

#[tokio::test]
async fn a_script_that_is_none_or_newer_is_refused_before_a_device_is_asked_for() {
    let bench = Bench::new().await;
    let file = |name: &str, text: &str| {
        std::fs::write(bench.path(name), text).unwrap();
        bench.path(name).to_str().unwrap().to_owned()
    };
    let garbage = file("garbage.toml", "\u{1}\u{2} not toml [");
    bench.tapwright(&["replay", &garbage]).await.failed(2, &["garbage.toml is not a Tapwright script", "line 1"]);
    let newer = file("newer.toml", "format = 3\nsurprise = true\n");
    bench.tapwright(&["replay", &newer]).await.failed(2, &["newer.toml has script format 3", "update Tapwright"]);
    let partial = file("partial.toml", "format = 1\ncase_id = \"A\"\n");
    bench.tapwright(&["replay", &partial]).await.failed(2, &["partial.toml", "missing field"]);
    std::fs::write(bench.path("bytes.toml"), b"\xff\xfe").unwrap();
    bench.tapwright(&["replay", bench.path("bytes.toml").to_str().unwrap()]).await.failed(2, &["bytes.toml"]);
    bench.nothing_half_written();
}

#[tokio::test]
async fn a_script_of_another_case_or_app_is_refused_with_both_names() {
    let bench = Bench::new().await;
    let recorded = repository("scripts/PAY-0008/virtual-phone.toml");
    std::fs::create_dir_all(bench.path("scripts/PAY-0003")).unwrap();
    std::fs::copy(&recorded, bench.path("scripts/PAY-0003/virtual-phone.toml")).unwrap();
    let told = ["one of PAY-0008 and lies in the folder of PAY-0003", "`tapwright run PAY-0003`"];
    bench.tapwright(&["replay", "PAY-0003"]).await.failed(2, &told);
    bench.tapwright(&["replay", "scripts/PAY-0003/virtual-phone.toml"]).await.failed(2, &told);
    let linted = bench.tapwright(&["scripts", "lint"]).await;
    linted.failed(2, &["1 script, 1 error"]);
    assert!(linted.stdout.contains(told[0]), "{linted:?}");

    // Nobody notices a changed script whose seal was taken off: what it drives is compared all the same.
    let mut other = Script { seal: None, ..Script::read(&recorded).unwrap() };
    other.app.package = "com.example.bank".into();
    let file = bench.path("other.toml");
    std::fs::write(&file, other.to_toml().unwrap()).unwrap();
    let told = ["the script drives the app com.example.bank, and the case tests com.example.pay"];
    bench.tapwright(&["replay", file.to_str().unwrap()]).await.failed(2, &told);
    assert!(bench.files("runs").is_empty());
}

#[tokio::test]
async fn completions_and_wrong_usage() {
    let bench = Bench::new().await;
    let said = bench.tapwright(&["completions", "bash"]).await;
    said.succeeded();
    assert!(said.stdout.contains("complete -F _tapwright"), "{}", said.stdout);
    bench.tapwright(&["frobnicate"]).await.failed(2, &["frobnicate"]);
    bench.tapwright(&["emulate", "--app", "none.yaml"]).await.failed(2, &["none.yaml"]);
    let app = bench.path("apps/pay.app.yaml");
    for more in [&["--check"][..], &[]] {
        let switch = ["emulate", "--app", app.to_str().unwrap(), "--switch", "com.example.pay:bug.typo"];
        let said = bench.tapwright(&[&switch, more].concat()).await;
        said.failed(2, &["the app has no switch \"bug.typo\"; it has: "]);
    }
    let said = bench.tapwright(&["emulate", "--app", app.to_str().unwrap(), "--port", "5554"]).await;
    said.failed(2, &["5554", "emulators"]);
    bench.tapwright(&["run", "PAY-0008", "--daemon", "nonsense"]).await.failed(2, &["nonsense", "http://"]);
}

/// `emulate --connect` announces the device when the server knows it, and takes it off the list at the end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_emulated_device_comes_and_goes() {
    use tokio::io::{AsyncBufReadExt, BufReader};
    let bench = Bench::new().await;
    let app = bench.path("apps/pay.app.yaml");
    let mut child = bench.spawn(&["emulate", "--connect", "--app", app.to_str().unwrap()]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let serial = timeout(crate::harness::PATIENCE, lines.next_line()).await.unwrap().unwrap().unwrap();
    bench.server().wait_for_state(&serial, "device").await;
    let said = bench.tapwright(&["run", "PAY-0008"]).await;
    said.succeeded();
    crate::bench::interrupt(&child).await;
    let status = timeout(crate::harness::PATIENCE, child.wait()).await.unwrap().unwrap();
    assert_eq!(status.code(), Some(0));
    assert_eq!(bench.tapwright(&["devices", "--json"]).await.json(), serde_json::json!([]));
}
