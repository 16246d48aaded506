//! `tapwright emulate` from outside: faults, consoles, many devices at once.

use crate::bench::{Bench, interrupt};
use crate::harness::{AdbServer, PATIENCE, read_text, request};
use crate::two_buttons::{TestInstaller, app, home};
use std::sync::Arc;

use tapwright::domain::Size;
use tapwright::virtual_device::faults::catalogue;
use tapwright::virtual_device::{VirtualDevice, VirtualDeviceConfig};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn faults_are_listed_and_a_wrong_one_is_refused_with_what_is_known() {
    let bench = Bench::new().await;
    let said = bench.tapwright(&["emulate", "--fault", "list"]).await;
    said.succeeded();
    for kind in catalogue() {
        assert!(
            said.stdout.lines().any(|line| line.split('=').next() == Some(kind.name)),
            "{}: {}",
            kind.name,
            said.stdout
        );
    }
    let app = bench.path("apps/pay.app.yaml");
    let app = app.to_str().unwrap();
    for (spec, parts) in [
        ("null-rot", &["there is no fault \"null-rot\"", "null-root"][..]),
        ("slow-dump=soon", &["\"soon\" is no time such as 500ms"]),
        ("idle:often", &["\"often\" is no option", "times=N"]),
    ] {
        bench.tapwright(&["emulate", "--app", app, "--fault", spec]).await.failed(2, parts);
    }
    bench
        .tapwright(&["emulate", "--app", app, "--as-emulator", "--port", "6000"])
        .await
        .failed(2, &["6001", "5555-5683"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn emulated_devices_have_consoles_with_the_users_token_and_faults() {
    let bench = Bench::new().await;
    let file = bench.path("apps/pay.app.yaml");
    let faults = ["--fault", "null-root:times=1", "--userdebug"];
    let arguments = [&["emulate", "--app", file.to_str().unwrap(), "--console", "--count", "2"][..], &faults].concat();
    let mut child = bench.spawn(&arguments);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut serials = Vec::new();
    for _ in 0..2 {
        let line = timeout(PATIENCE, lines.next_line()).await.unwrap().unwrap().unwrap();
        let (serial, console) = line.split_once("\tconsole ").unwrap_or_else(|| panic!("{line}"));
        serials.push((serial.to_owned(), console.to_owned()));
    }
    let token = std::fs::read_to_string(bench.path(".emulator_console_auth_token")).unwrap();
    assert_eq!(token.len(), 16);
    let (serial, console) = &serials[0];
    let server = AdbServer::start().await;
    server.connect(serial.parse().unwrap()).await;
    let dump = server.adb(&["-s", serial, "shell", "id -u; uiautomator dump"]).await;
    assert!(String::from_utf8_lossy(&dump.stderr).contains("null root node"), "{dump:?}");
    assert!(server.adb(&["-s", serial, "root"]).await.stdout.starts_with(b"restarting adbd as root"));
    // Killed one after the other; then the command has nothing left to do.
    for (_, console) in [&serials[0], &serials[1]] {
        let mut socket = TcpStream::connect(console).await.unwrap();
        socket.write_all(format!("auth {token}\nkill\n").as_bytes()).await.unwrap();
        let mut said = String::new();
        timeout(PATIENCE, socket.read_to_string(&mut said)).await.unwrap().unwrap();
        assert!(said.ends_with("OK: killing emulator, bye bye\r\n"), "{said}");
    }
    assert_ne!(console, &serials[1].1);
    let status = timeout(PATIENCE, child.wait()).await.expect("emulate outlives its devices").unwrap();
    assert_eq!(status.code(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_emulate_ends_all_its_devices() {
    let bench = Bench::new().await;
    let file = bench.path("apps/pay.app.yaml");
    let mut child = bench.spawn(&["emulate", "--app", file.to_str().unwrap(), "--count", "20"]);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut last = String::new();
    for _ in 0..20 {
        last = timeout(PATIENCE, lines.next_line()).await.unwrap().unwrap().unwrap();
    }
    // One with an open connection does not hold the others up.
    let _open = TcpStream::connect(&last).await.unwrap();
    interrupt(&child).await;
    let status = timeout(PATIENCE, child.wait()).await.unwrap().unwrap();
    assert_eq!(status.code(), Some(0));
    assert!(TcpStream::connect(&last).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_devices_are_used_through_one_server_and_end_together() {
    let stop = CancellationToken::new();
    let mut devices = Vec::new();
    for seed in 0..200 {
        let config = VirtualDeviceConfig { display: Size::new(200, 400), seed, ..VirtualDeviceConfig::default() };
        let apps = vec![app("com.example.two", 1)];
        let device = VirtualDevice::start(config, Arc::new(TestInstaller), home(), apps, stop.clone()).await.unwrap();
        devices.push(device);
    }
    let server = AdbServer::start().await;
    let connecting = devices.iter().map(|device| server.connect_only(device.addr()));
    futures_util::future::join_all(connecting).await;
    let online = async {
        let mut socket = TcpStream::connect(server.address()).await.unwrap();
        request(&mut socket, "host:track-devices").await.unwrap();
        while read_text(&mut socket).await.matches("\tdevice\n").count() < 200 {}
    };
    timeout(4 * PATIENCE, online).await.expect("not all devices came online");
    let asking = devices.iter().enumerate().map(|(seed, device)| {
        let server = &server;
        async move {
            let mut socket = TcpStream::connect(server.address()).await.unwrap();
            request(&mut socket, &format!("host:transport:{}", device.addr())).await.unwrap();
            request(&mut socket, "exec:getprop ro.serialno; uiautomator dump /dev/tty").await.unwrap();
            let mut said = String::new();
            socket.read_to_string(&mut said).await.unwrap();
            assert!(said.starts_with(&format!("TAPWRIGHT{seed:08X}\n<?xml")), "{said}");
        }
    });
    // Two hundred dumps on a busy machine take longer than one of anything.
    timeout(4 * PATIENCE, futures_util::future::join_all(asking)).await.expect("not all devices answered");
    stop.cancel();
    let ending = async {
        for device in devices {
            device.stopped().await;
        }
    };
    timeout(PATIENCE, ending).await.expect("not all devices ended");
}

/// Resident memory of another process in KB.
#[cfg(target_os = "linux")]
fn resident(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_hosts_cost_a_bounded_amount_of_memory() {
    use crate::raw_host::{MAX_PAYLOAD, RawHost, greeting};
    use tapwright::virtual_device::wire::{Command, Packet, SumRule};
    let bench = Bench::new().await;
    let file = bench.path("apps/pay.app.yaml");
    let mut child = bench.spawn(&["emulate", "--app", file.to_str().unwrap()]);
    let pid = child.id().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let serial = timeout(PATIENCE, lines.next_line()).await.unwrap().unwrap().unwrap();
    let device: std::net::SocketAddr = serial.parse().unwrap();
    assert_eq!(RawHost::connect(device).await.ask(1, "exec:echo hi").await, "hi\n");
    let before = resident(pid);
    let megabyte = vec![b'x'; MAX_PAYLOAD as usize];
    let name = Packet { command: Command::OPEN, arg0: 1, arg1: 0, payload: megabyte.clone() };
    let name = name.encode(SumRule::HandshakeOnly);
    for _ in 0..40 {
        // Names of a megabyte whose refusals nobody reads, floods, and greetings announced as larger than they may be.
        let mut names = RawHost::connect(device).await;
        for _ in 0..10 {
            if names.socket.write_all(&name).await.is_err() {
                break;
            }
        }
        let mut flood = RawHost::connect(device).await;
        let local = flood.opened(1, "shell,v2,raw:sleep 60").await.unwrap();
        let data = Packet { command: Command::WRITE, arg0: 1, arg1: local, payload: megabyte.clone() };
        let data = data.encode(SumRule::HandshakeOnly);
        for _ in 0..10 {
            if flood.socket.write_all(&data).await.is_err() {
                break;
            }
        }
        let mut garbage = TcpStream::connect(device).await.unwrap();
        let _hung_up = garbage.write_all(&[greeting(), megabyte.clone()].concat()).await;
    }
    assert_eq!(RawHost::connect(device).await.ask(1, "exec:echo alive").await, "alive\n");
    let grown = resident(pid).saturating_sub(before);
    // 120 connections sent far more than a gigabyte; what stays is the allocator's.
    assert!(grown < 100 * 1024, "{grown} KB more than the {before} KB before");
    interrupt(&child).await;
    assert_eq!(timeout(PATIENCE, child.wait()).await.unwrap().unwrap().code(), Some(0));
}
