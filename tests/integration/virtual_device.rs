//! The virtual device through the real adb server and client.

use crate::harness::{AdbServer, PATIENCE, adb_binaries};
use crate::two_buttons::{NEXT, TestInstaller, app, home};
use std::process::Output;
use std::sync::Arc;
use tapwright::adb::reply::InstallStatus;
use tapwright::adb::{ServerAddress, Transport};
use tapwright::domain::Size;
use tapwright::virtual_device::{ApiLevel, AuthPolicy, EndpointError, VirtualDevice, VirtualDeviceConfig};
use tokio_util::sync::CancellationToken;

const PACKAGE: &str = "com.example.two";

fn small(api: u32) -> VirtualDeviceConfig {
    VirtualDeviceConfig {
        api: ApiLevel::new(api).unwrap(),
        display: Size::new(200, 400),
        ..VirtualDeviceConfig::default()
    }
}

async fn start(config: VirtualDeviceConfig) -> VirtualDevice {
    let stop = CancellationToken::new();
    VirtualDevice::start(config, Arc::new(TestInstaller), home(), vec![app(PACKAGE, 1)], stop).await.unwrap()
}

struct Bench {
    server: AdbServer,
    device: VirtualDevice,
    serial: String,
}

impl Bench {
    async fn new(adb: &std::path::Path, api: u32) -> Self {
        let device = start(small(api)).await;
        let server = AdbServer::start_with(adb).await;
        let serial = server.connect(device.addr()).await;
        Self { server, device, serial }
    }

    async fn adb(&self, args: &[&str]) -> Output {
        self.server.adb(&[&["-s", self.serial.as_str()], args].concat()).await
    }

    async fn ok(&self, args: &[&str]) -> Vec<u8> {
        let output = self.adb(args).await;
        assert!(output.status.success(), "adb {args:?}: {output:?}");
        output.stdout
    }

    async fn text(&self, args: &[&str]) -> String {
        String::from_utf8(self.ok(args).await).unwrap()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.device.stop();
    }
}

/// API levels whose adbd differ: protocol version, features, install path.
const LEVELS: [u32; 4] = [24, 28, 30, 36];

#[tokio::test]
async fn adb_lists_the_device_with_its_model_on_every_protocol_version() {
    for adb in adb_binaries() {
        for level in LEVELS {
            let bench = Bench::new(&adb, level).await;
            let list = String::from_utf8(bench.server.adb(&["devices", "-l"]).await.stdout).unwrap();
            let row = list.lines().find(|line| line.starts_with(&bench.serial)).unwrap_or_else(|| panic!("{list}"));
            assert!(row.contains(" device "), "{row}");
            assert!(row.contains("model:Tapwright_Virtual_Phone device:twvirt"), "{row}");
            assert_eq!(bench.text(&["shell", "getprop", "ro.build.version.sdk"]).await, format!("{level}\n"));
        }
    }
}

#[tokio::test]
async fn a_shell_command_keeps_exit_code_and_streams_apart() {
    for adb in adb_binaries() {
        let bench = Bench::new(&adb, 34).await;
        let output = bench.adb(&["shell", "echo out; ls /nope; exit 7"]).await;
        assert_eq!(output.status.code(), Some(7));
        assert_eq!(output.stdout, b"out\n");
        assert_eq!(output.stderr, b"ls: /nope: No such file or directory\n");
        let output = bench.adb(&["shell", "frobnicate --now"]).await;
        assert_eq!(output.status.code(), Some(127));
        assert_eq!(output.stderr, b"/system/bin/sh: frobnicate: inaccessible or not found\n");
        let merged = bench.adb(&["exec-out", "echo out; ls /nope"]).await;
        assert_eq!(merged.stdout, b"out\nls: /nope: No such file or directory\n");
        let piped = bench.server.adb_with_input(&["-s", &bench.serial, "shell", "wc", "-c"], b"12345").await;
        assert_eq!(piped.stdout, b"5\n");
        let script = bench.server.adb_with_input(&["-s", &bench.serial, "shell"], b"echo one\nexit 3\n").await;
        assert_eq!((script.stdout.as_slice(), script.status.code()), (b"one\n".as_slice(), Some(3)), "{script:?}");
    }
}

#[tokio::test]
async fn screencap_gives_a_png_and_raw_pixels_with_the_levels_header() {
    for adb in adb_binaries() {
        for (level, header) in [(24, 12), (28, 16)] {
            let bench = Bench::new(&adb, level).await;
            let png = bench.ok(&["exec-out", "screencap", "-p"]).await;
            let picture = image::load_from_memory(&png).unwrap().to_rgba8();
            assert_eq!(picture.dimensions(), (200, 400));
            let raw = bench.ok(&["exec-out", "screencap"]).await;
            assert_eq!(raw.len(), header + 200 * 400 * 4);
            assert_eq!(&raw[..8], [200, 0, 0, 0, 144, 1, 0, 0]);
        }
    }
}

#[tokio::test]
async fn files_survive_push_ls_and_pull() {
    let folder = tempfile::tempdir().unwrap();
    // Larger than every packet, sync chunk and window; not a multiple of any.
    let content: Vec<u8> = (0..3_000_017_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let local = folder.path().join("data.bin");
    std::fs::write(&local, &content).unwrap();
    for adb in adb_binaries() {
        for level in LEVELS {
            let bench = Bench::new(&adb, level).await;
            let back = folder.path().join(format!("back-{level}.bin"));
            bench.ok(&["push", local.to_str().unwrap(), "/sdcard/Download/sub/data.bin"]).await;
            let list = bench.text(&["ls", "/sdcard/Download/sub"]).await;
            assert!(list.contains(&format!("{:08x}", content.len())) && list.contains("data.bin"), "{list}");
            assert_eq!(bench.text(&["shell", "wc -c < /sdcard/Download/sub/data.bin"]).await, "3000017\n");
            bench.ok(&["pull", "/sdcard/Download/sub/data.bin", back.to_str().unwrap()]).await;
            assert!(std::fs::read(&back).unwrap() == content, "pulled bytes differ");
            let refused = bench.adb(&["push", local.to_str().unwrap(), "/system/data.bin"]).await;
            assert!(!refused.status.success());
            assert!(
                String::from_utf8_lossy(&[refused.stdout, refused.stderr].concat()).contains("Read-only file system")
            );
            assert!(!bench.adb(&["pull", "/sdcard/nope", back.to_str().unwrap()]).await.status.success());
        }
    }
}

#[tokio::test]
async fn a_bundle_is_installed_as_one_app() {
    let folder = tempfile::tempdir().unwrap();
    let bundle = |name: &str, files: &[(&str, &[u8])]| {
        let path = folder.path().join(name);
        let mut writer = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
        for (name, bytes) in files {
            writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            std::io::Write::write_all(&mut writer, bytes).unwrap();
        }
        writer.finish().unwrap();
        path
    };
    let base = b"app com.example.other 3\n".as_slice();
    let split = [("base.apk", base), ("split_config.fr.apk", b"PK french")];
    let good = bundle("good.xapk", &split);
    let built = [("toc.pb", b"x".as_slice()), ("splits/base-fr.apk", b"PK fr"), ("splits/base-master.apk", base)];
    let bad = bundle("bad.apks", &[("base.apk", b"nothing useful"), ("split_config.fr.apk", b"PK french")]);
    for level in LEVELS {
        let bench = Bench::new(&adb_binaries()[0], level).await;
        let address = bench.server.address();
        let server = tapwright::adb::AdbServer::new(ServerAddress::new(address.ip().to_string(), address.port()));
        let device = Transport::new(server, bench.serial.as_str().into());
        let install = async |file: &std::path::Path| device.install(file, PATIENCE).await.unwrap();
        for (file, part) in [(&good, "split_config.fr.apk"), (&bundle("built.apks", &built), "split_base-fr.apk")] {
            assert_eq!(install(file).await, InstallStatus::Installed, "{level}");
            let paths = bench.text(&["shell", "pm", "path", "com.example.other"]).await;
            assert!(paths.contains("/base.apk\n") && paths.contains(part), "{level}: {paths}");
            assert_eq!(bench.text(&["uninstall", "com.example.other"]).await, "Success\n");
        }
        let InstallStatus::Refused(reason) = install(&bad).await else { panic!("{level}: installed") };
        assert!(reason.starts_with("INSTALL_PARSE_FAILED_NOT_APK"), "{level}: {reason}");
    }
}

#[tokio::test]
async fn install_succeeds_or_says_why_not() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    // The client insists on the suffix.
    let good = file("good.apk", "app com.example.other 3\n");
    let old = file("old.apk", "app com.example.other 2\n");
    let bad = file("bad.apk", "nothing useful");
    for adb in adb_binaries() {
        for level in LEVELS {
            let bench = Bench::new(&adb, level).await;
            let output = bench.adb(&["install", "-r", &good]).await;
            assert!(output.status.success(), "{level}: {output:?}");
            assert!(String::from_utf8_lossy(&output.stdout).lines().any(|line| line == "Success"), "{output:?}");
            assert_eq!(bench.text(&["shell", "pm", "list", "packages", "other"]).await, "package:com.example.other\n");
            for (apk, reason) in [(&bad, "INSTALL_PARSE_FAILED_NOT_APK"), (&old, "INSTALL_FAILED_VERSION_DOWNGRADE")] {
                let output = bench.adb(&["install", "-r", apk]).await;
                assert_eq!(output.status.code(), Some(1), "{level}: {output:?}");
                let told = format!("adb: failed to install {apk}: Failure [{reason}: ");
                assert!(String::from_utf8_lossy(&output.stderr).contains(&told), "{level}: {output:?}");
            }
            assert_eq!(bench.text(&["uninstall", "com.example.other"]).await, "Success\n");
        }
    }
}

#[tokio::test]
async fn a_dump_goes_to_a_file_or_to_the_terminal() {
    for adb in adb_binaries() {
        let bench = Bench::new(&adb, 34).await;
        bench.ok(&["shell", "am", "start", "-n", "com.example.two/.MainActivity"]).await;
        let tap = NEXT.center();
        bench.ok(&["shell", "input", "tap", &tap.x.to_string(), &tap.y.to_string()]).await;
        let said = bench.text(&["shell", "uiautomator", "dump", "/sdcard/d.xml"]).await;
        assert_eq!(said, "UI hierchary dumped to: /sdcard/d.xml\n");
        let file = bench.text(&["exec-out", "cat", "/sdcard/d.xml"]).await;
        assert!(file.starts_with("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"));
        assert!(file.ends_with("</hierarchy>") && file.contains("text=\"Taps: 1\""), "{file}");
        let terminal = bench.text(&["exec-out", "uiautomator", "dump", "/dev/tty"]).await;
        assert_eq!(terminal, format!("{file}UI hierchary dumped to: /dev/tty\n"));
        // Without a terminal there is nowhere to write; Android says success all the same.
        assert_eq!(
            bench.text(&["shell", "uiautomator", "dump", "/dev/tty"]).await,
            "UI hierchary dumped to: /dev/tty\n"
        );
    }
}

#[tokio::test]
async fn the_authentication_policy_decides_what_the_server_shows() {
    for adb in adb_binaries() {
        let server = AdbServer::start_with(&adb).await;
        for policy in [AuthPolicy::AcceptSignature, AuthPolicy::AcceptPublicKey] {
            let device = start(VirtualDeviceConfig { auth: policy, ..small(34) }).await;
            // The reply may come before the key exchange is over; the list is what counts.
            server.connect_only(device.addr()).await;
            server.wait_for_state(&device.addr().to_string(), "device").await;
            device.stop();
        }
        let device = start(VirtualDeviceConfig { auth: AuthPolicy::Reject, ..small(34) }).await;
        assert_eq!(server.connect_only(device.addr()).await, format!("failed to authenticate to {}", device.addr()));
        let serial = device.addr().to_string();
        server.wait_for_state(&serial, "unauthorized").await;
        let output = server.adb(&["-s", &serial, "shell", "true"]).await;
        assert!(!output.status.success());
        assert!(String::from_utf8_lossy(&output.stderr).contains("unauthorized"), "{output:?}");
        device.stop();
    }
}

#[tokio::test]
async fn a_reversed_port_leads_to_the_host() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    for adb in adb_binaries() {
        let bench = Bench::new(&adb, 34).await;
        let host = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let target = format!("tcp:{}", host.local_addr().unwrap().port());
        let port = bench.text(&["reverse", "tcp:0", &target]).await;
        // The device's ports are its own, so the way to them is adb's.
        let forwarded = bench.text(&["forward", "tcp:0", &format!("tcp:{}", port.trim())]).await;
        let mut device_side =
            tokio::net::TcpStream::connect(("127.0.0.1", forwarded.trim().parse::<u16>().unwrap())).await.unwrap();
        let (mut host_side, _) = host.accept().await.unwrap();
        device_side.write_all(b"ping").await.unwrap();
        let mut word = [0; 4];
        host_side.read_exact(&mut word).await.unwrap();
        assert_eq!(&word, b"ping");
        host_side.write_all(b"pong").await.unwrap();
        drop(host_side);
        let mut answer = Vec::new();
        device_side.read_to_end(&mut answer).await.unwrap();
        assert_eq!(answer, b"pong");
        let list = bench.text(&["reverse", "--list"]).await;
        assert!(list.contains(&format!("tcp:{} {target}", port.trim())), "{list}");
        bench.ok(&["reverse", "--remove-all"]).await;
        assert_eq!(bench.text(&["reverse", "--list"]).await.trim(), "");
    }
}

#[tokio::test]
async fn an_unknown_service_is_refused_and_a_reboot_drops_the_connection() {
    let bench = Bench::new(&adb_binaries()[0], 34).await;
    let output = bench.adb(&["forward", "tcp:0", "jdwp:1"]).await;
    assert!(output.status.success());
    let mut socket = tokio::net::TcpStream::connect(bench.server.address()).await.unwrap();
    crate::harness::request(&mut socket, &format!("host:transport:{}", bench.serial)).await.unwrap();
    assert_eq!(crate::harness::request(&mut socket, "nonsense:").await, Err("closed".to_owned()));
    bench.ok(&["shell", "am", "start", "-n", "com.example.two/.MainActivity"]).await;
    bench.ok(&["reboot"]).await;
    bench.server.connect_only(bench.device.addr()).await;
    bench.server.wait_for_state(&bench.serial, "device").await;
    assert_eq!(bench.adb(&["shell", "pidof", PACKAGE]).await.status.code(), Some(1));
}

#[tokio::test]
async fn many_commands_at_once_keep_to_their_streams() {
    let bench = Bench::new(&adb_binaries()[0], 34).await;
    let commands = (0..40).map(|n| {
        let bench = &bench;
        async move { (n, bench.text(&["shell", &format!("echo {n}; echo {n}{n}")]).await) }
    });
    for (n, said) in futures_util::future::join_all(commands).await {
        assert_eq!(said, format!("{n}\n{n}{n}\n"));
    }
}

#[tokio::test]
async fn garbage_on_the_port_drops_the_connection_and_nothing_else() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let device = start(small(34)).await;
    let mut socket = tokio::net::TcpStream::connect(device.addr()).await.unwrap();
    socket.write_all(b"GET / HTTP/1.1\r\nHost: example\r\n\r\n").await.unwrap();
    let mut answer = Vec::new();
    // A reset is as good as an end: the device has hung up.
    let _either = tokio::time::timeout(crate::harness::PATIENCE, socket.read_to_end(&mut answer)).await.unwrap();
    assert!(answer.is_empty());
    let server = AdbServer::start().await;
    server.connect(device.addr()).await;
    device.stop();
    device.stopped().await;
}

#[tokio::test]
async fn the_emulators_ports_are_refused() {
    for port in [5554, 5555, 5585] {
        let config = VirtualDeviceConfig { bind: ([127, 0, 0, 1], port).into(), ..small(34) };
        let stop = CancellationToken::new();
        let started = VirtualDevice::start(config, Arc::new(TestInstaller), home(), Vec::new(), stop).await;
        assert!(matches!(started, Err(EndpointError::EmulatorPort(found)) if found == port));
    }
}

#[tokio::test]
async fn a_person_at_a_terminal_gets_a_prompt_an_echo_and_an_exit_code() {
    for adb in adb_binaries() {
        let bench = Bench::new(&adb, 34).await;
        let input = b"echo hi\nexit 3\n";
        let output = bench.server.adb_with_input(&["-s", &bench.serial, "shell", "-tt"], input).await;
        let said = String::from_utf8_lossy(&output.stdout).replace('\r', "");
        // What is typed is echoed when it comes, be it before the prompt, after it, or on both sides (adb sends the first
        // byte alone). A line is echoed before it is carried out; prompts and answers are written in one piece.
        assert_eq!(said.matches("twvirt:/ $ ").count(), 2, "{output:?}");
        let typed_and_answered = said.replace("twvirt:/ $ ", "");
        let after_first_line = typed_and_answered.strip_prefix("echo hi\n").unwrap_or_else(|| panic!("{output:?}"));
        assert_eq!(after_first_line.replacen("hi\n", "", 1), "exit 3\n", "{output:?}");
        assert_eq!(output.status.code(), Some(3), "{output:?}");
    }
}

/// The runtime waits for its blocking threads at the end of the test: one that is not told to end would hold it up for
/// an hour.
#[tokio::test]
async fn a_command_ends_when_its_stream_goes() {
    let bench = Bench::new(&adb_binaries()[0], 34).await;
    for service in ["shell,v2,raw:echo started; sleep 3600", "exec:echo started; cat", "shell:echo started; logcat"] {
        let mut socket = tokio::net::TcpStream::connect(bench.server.address()).await.unwrap();
        crate::harness::request(&mut socket, &format!("host:transport:{}", bench.serial)).await.unwrap();
        crate::harness::request(&mut socket, service).await.unwrap();
        let mut first = [0; 12];
        let wanted = if service.contains("v2") { 12 } else { 7 };
        tokio::io::AsyncReadExt::read_exact(&mut socket, &mut first[..wanted]).await.unwrap();
        assert!(String::from_utf8_lossy(&first).contains("started"), "{service}");
    }
}
