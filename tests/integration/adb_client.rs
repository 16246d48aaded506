//! The adb client against a scripted server. The first four tests show one measured defect of `adb_client` 3.2.3 each,
//! beside what ours does (docs/adr/0001-adb-client.md); if one of them fails after an update of that crate, the reason
//! for our own code has gone.

use crate::adb_stub::{Conversation, Step, StubServer, packet, sized};
use adb_client::ADBDeviceExt as _;
use adb_client::server::ADBServer;
use adb_client::server_device::ADBServerDevice;
use std::sync::mpsc;
use std::time::{Duration, Instant};
use tapwright::adb::reply::InstallStatus;
use tapwright::adb::{
    AdbError, AdbServer, ConnectionState, PacketKind, ServerAddress, ShellTemplate, Transport, WaitState,
};
use tapwright::domain::DeviceSerial;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

const LONG: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(200);

fn line(command: &str) -> tapwright::adb::ShellLine {
    let nothing = minijinja::context! {};
    ShellTemplate::parse(command).unwrap().render(&nothing, &nothing).unwrap()
}

fn transport(stub: &StubServer) -> Transport {
    Transport::new(AdbServer::new(stub.address()), DeviceSerial::new("A1"))
}

/// A port that is taken, so that no other test gets it, and on which nobody listens.
fn silent_port() -> (tokio::net::TcpSocket, u16) {
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind(std::net::SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let port = socket.local_addr().unwrap().port();
    (socket, port)
}

/// `adb_client` runs a given binary as `adb start-server` before every host request.
fn their_server(stub: &StubServer) -> ADBServer {
    ADBServer::new_from_path(stub.v4(), Some("/bin/true".to_owned()))
}

fn features() -> Conversation {
    Conversation::device("A1", "host:features").okay_text("shell_v2,cmd")
}

#[tokio::test]
async fn an_exit_code_is_lost_by_adb_client_and_kept_by_ours() {
    let stub = StubServer::start([
        features(),
        Conversation::device("A1", "shell,v2*,raw:exit 7").shell("out", "err", 7),
        Conversation::device("A1", "shell,v2,raw:exit 7").shell("out", "err", 7),
        Conversation::device("A1", "shell,v2,raw:exit 7").shell("out", "err", 7),
    ])
    .await;
    let address = stub.v4();
    let theirs = spawn_blocking(move || {
        let mut stdout = Vec::new();
        let code =
            ADBServerDevice::new("A1".into(), Some(address)).shell_command(&"exit 7", Some(&mut stdout), None).unwrap();
        (code, stdout)
    })
    .await
    .unwrap();
    assert_eq!(theirs.0, None, "adb_client reports exit codes now");

    let ours = transport(&stub).shell(&line("exit 7"), LONG).await.unwrap();
    assert_eq!((ours.exit_code, ours.stdout.as_slice(), ours.stderr.as_slice()), (7, &b"out"[..], &b"err"[..]));
    let error = transport(&stub).run(&line("exit 7"), LONG).await.unwrap_err();
    assert_eq!(error.to_string(), "A1: `exit 7` exited with 7: err");
    stub.finish().await;
}

#[tokio::test]
async fn a_hung_shell_blocks_adb_client_and_is_dropped_by_ours() {
    let hang = |service| Conversation::device("A1", service).okay([]).then(Step::AwaitClose);
    let stub = StubServer::start([
        features(),
        Conversation::device("A1", "shell,v2*,raw:cat").okay([]).then(Step::AwaitTest),
        hang("shell,v2,raw:cat"),
        hang("shell,v2,raw:cat"),
        hang("exec:cat"),
    ])
    .await;
    let address = stub.v4();
    let (ended, end) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        let result = ADBServerDevice::new("A1".into(), Some(address)).shell_command(&"cat", None, None);
        ended.send(result.is_ok()).unwrap();
    });
    let (end, waited) = spawn_blocking(move || {
        let waited = end.recv_timeout(4 * SHORT);
        (end, waited)
    })
    .await
    .unwrap();
    assert!(waited.is_err(), "adb_client ends a hung shell now");

    let started = Instant::now();
    let error = transport(&stub).shell(&line("cat"), SHORT).await.unwrap_err();
    assert!(matches!(&error, AdbError::Timeout { budget, .. } if *budget == SHORT), "{error}");
    assert!(started.elapsed() < Duration::from_secs(5));
    // The server sees the connection go, which ends the process on the device.
    stub.closed_by_client(1).await;

    // Dropping the future does the same as the budget.
    timeout(SHORT, transport(&stub).shell(&line("cat"), LONG)).await.unwrap_err();
    stub.closed_by_client(2).await;
    transport(&stub).exec(&line("cat"), SHORT).await.unwrap_err();
    stub.closed_by_client(3).await;

    stub.proceed();
    spawn_blocking(move || end.recv_timeout(LONG).unwrap()).await.unwrap();
    thread.join().unwrap();
    stub.finish().await;
}

const LIST: &str = "emulator-5554          device product:sdk model:Pixel_8 device:emu64xa transport_id:1\n\
                    192.168.1.7:5555       offline transport_id:2\n";
const NO_PERMISSIONS: &str = "(no serial number)     no permissions (missing udev rules? user is in the plugdev group); \
                              see [http://developer.android.com/tools/device.html] usb:3-2 transport_id:3\n";

#[tokio::test]
async fn one_row_without_permissions_fails_adb_clients_listing_and_not_ours() {
    let whole = format!("{NO_PERMISSIONS}{LIST}");
    let stub = StubServer::start([
        Conversation::host("host:devices-l").okay_text(&whole),
        Conversation::host("host:devices-l").okay_text(&whole),
    ])
    .await;
    let mut theirs = their_server(&stub);
    let theirs = spawn_blocking(move || theirs.devices_long()).await.unwrap();
    assert!(theirs.is_err(), "adb_client lists devices without permissions now");

    let rows = AdbServer::new(stub.address()).devices().await.unwrap();
    let states: Vec<_> = rows.iter().map(|row| row.state.clone()).collect();
    assert_eq!(states, [ConnectionState::NoPermissions, ConnectionState::Device, ConnectionState::Offline]);
    stub.finish().await;
}

#[tokio::test]
async fn the_last_device_vanishing_is_unseen_by_adb_client_and_seen_by_ours() {
    let tracked = |service| {
        let conversation = Conversation::host(service).okay_text("A1\tdevice\n").then(Step::AwaitTest);
        conversation.then(Step::Send(sized("")))
    };
    let stub = StubServer::start([tracked("host:track-devices")]).await;
    let mut server = their_server(&stub);
    let (report, reports) = mpsc::channel();
    let theirs = std::thread::spawn(move || {
        let result = server.track_devices(|device| {
            report.send(device.identifier).unwrap();
            Ok(())
        });
        assert!(result.is_err(), "the connection ended");
    });
    let (first, rest) = spawn_blocking(move || (reports.recv_timeout(LONG).unwrap(), reports)).await.unwrap();
    assert_eq!(first, "A1");
    stub.proceed();
    let more: Vec<String> = spawn_blocking(move || rest.iter().collect()).await.unwrap();
    spawn_blocking(move || theirs.join().unwrap()).await.unwrap();
    assert!(more.is_empty(), "adb_client reports the last device vanishing now: {more:?}");
    stub.finish().await;

    let stub = StubServer::start([tracked("host:track-devices-l").then(Step::AwaitClose)]).await;
    let mut rows = AdbServer::new(stub.address()).track().await.unwrap();
    assert_eq!(rows.borrow().len(), 1);
    stub.proceed();
    timeout(LONG, rows.wait_for(Vec::is_empty)).await.unwrap().unwrap();
    // The task ends with its last receiver.
    drop(rows);
    stub.closed_by_client(1).await;
    stub.finish().await;
}

#[tokio::test]
async fn tracking_goes_on_after_the_server_came_back() {
    let stub =
        StubServer::start([Conversation::host("host:track-devices-l").okay_text("A1\tdevice\n").then(Step::AwaitTest)])
            .await;
    let mut rows = AdbServer::new(stub.address()).track().await.unwrap();
    stub.expect(Conversation::host("host:track-devices-l").okay_text("B2\toffline\n").then(Step::AwaitClose));
    stub.proceed();
    let seen = timeout(LONG, rows.wait_for(|rows| rows.iter().any(|row| row.serial.as_str() == "B2"))).await;
    assert_eq!(seen.unwrap().unwrap()[0].state, ConnectionState::Offline);
    drop(rows);
    stub.closed_by_client(1).await;
    stub.finish().await;
}

#[tokio::test]
async fn both_clients_agree_on_a_list_without_odd_rows() {
    let stub = StubServer::start([
        Conversation::host("host:devices-l").okay_text(LIST),
        Conversation::host("host:devices-l").okay_text(LIST),
    ])
    .await;
    let mut theirs = their_server(&stub);
    let theirs = spawn_blocking(move || theirs.devices_long()).await.unwrap().unwrap();
    let ours = AdbServer::new(stub.address()).devices().await.unwrap();
    let theirs: Vec<_> =
        theirs.iter().map(|d| (d.identifier.clone(), d.state.to_string(), u64::from(d.transport_id))).collect();
    let ours: Vec<_> =
        ours.iter().map(|d| (d.serial.to_string(), d.state.to_string(), d.transport_id.unwrap())).collect();
    assert_eq!(theirs, ours);
    stub.finish().await;
}

#[tokio::test]
async fn an_end_without_an_exit_packet_is_a_failure() {
    let stub = StubServer::start([
        Conversation::device("A1", "shell,v2,raw:ls").okay(packet(PacketKind::Stdout, b"half")),
        Conversation::device("A1", "shell,v2,raw:ls").okay([9, 0, 0, 0, 0]),
        Conversation::device("A1", "shell,v2,raw:ls").fail("closed"),
        Conversation::host("host:transport:A1")
            .fail("device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set"),
    ])
    .await;
    let run = || async { transport(&stub).run(&line("ls"), LONG).await.unwrap_err() };
    let cut = run().await;
    assert!(matches!(cut, AdbError::NoExitCode { .. }), "{cut}");
    let garbled = run().await;
    assert!(matches!(&garbled, AdbError::Protocol { reason, .. } if reason.contains("kind 9")), "{garbled}");
    let closed = run().await;
    assert!(matches!(&closed, AdbError::Refused { reason, .. } if reason == "closed"), "{closed}");
    let unauthorized = run().await;
    assert!(matches!(unauthorized, AdbError::DeviceUnauthorized { .. }), "{unauthorized}");
    stub.finish().await;
}

#[tokio::test]
async fn a_missing_server_is_named_with_the_command_that_starts_it() {
    let (_silent, port) = silent_port();
    let address = ServerAddress::new("127.0.0.1", port);
    let text = AdbServer::new(address.clone()).version().await.unwrap_err().to_string();
    assert!(text.contains(&address.to_string()) && text.contains(&format!("adb -P {port} start-server")), "{text}");
    let error = AdbServer::new(address).start(None).await.unwrap_err();
    assert!(matches!(error, AdbError::ServerUnreachable { .. }), "{error}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_server_that_does_not_start_says_what_adb_said() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let adb = folder.path().join("adb");
    std::fs::write(&adb, "#!/bin/sh\necho \"$@: cannot bind\" >&2\nexit 1\n").unwrap();
    std::fs::set_permissions(&adb, std::fs::Permissions::from_mode(0o755)).unwrap();
    let (_silent, port) = silent_port();
    let server = AdbServer::new(ServerAddress::new("127.0.0.1", port));
    let error = server.start(Some(&adb)).await.unwrap_err();
    assert!(error.to_string().contains(&format!("-P {port} start-server: cannot bind")), "{error}");
    let missing = server.start(Some(&folder.path().join("none"))).await.unwrap_err();
    assert!(matches!(missing, AdbError::ServerStart { .. }), "{missing}");
    let elsewhere = AdbServer::new(ServerAddress::new("host.invalid", port)).start(Some(&adb)).await.unwrap_err();
    assert!(matches!(elsewhere, AdbError::ServerUnreachable { .. }), "{elsewhere}");
}

#[tokio::test]
async fn host_requests_have_typed_answers() {
    let stub = StubServer::start([
        Conversation::host("host:version").okay_text("0029"),
        Conversation::host("host:version").okay_text("0029"),
        Conversation::host("host:connect:127.0.0.1:6001").okay_text("already connected to 127.0.0.1:6001"),
        Conversation::host("host:connect:127.0.0.1:1")
            .okay_text("failed to connect to '127.0.0.1:1': Connection refused"),
        Conversation::host("host:disconnect:127.0.0.1:1").fail("no such device '127.0.0.1:1'"),
        Conversation::host("host-serial:A1:wait-for-any-device").okay(*b"OKAY"),
        Conversation::host("host-serial:A1:wait-for-any-disconnect").okay([]).then(Step::AwaitClose),
        Conversation::host("host:devices-l").then(Step::Send(b"what?".to_vec())),
    ])
    .await;
    let server = AdbServer::new(stub.address());
    assert_eq!(server.version().await.unwrap(), 41);
    assert!(!server.start(Some("/nonexistent/adb".as_ref())).await.unwrap(), "a running server is left alone");
    server.connect("127.0.0.1:6001").await.unwrap();
    let refused = server.connect("127.0.0.1:1").await.unwrap_err();
    assert!(refused.to_string().contains("Connection refused"), "{refused}");
    let absent = server.disconnect("127.0.0.1:1").await.unwrap_err();
    assert!(matches!(absent, AdbError::DeviceNotFound { .. }), "{absent}");
    let serial = DeviceSerial::new("A1");
    server.wait_for(&serial, WaitState::Device, LONG).await.unwrap();
    let late = server.wait_for(&serial, WaitState::Disconnect, SHORT).await.unwrap_err();
    assert!(matches!(late, AdbError::Timeout { .. }), "{late}");
    stub.closed_by_client(1).await;
    let garbled = server.devices().await.unwrap_err();
    assert!(matches!(garbled, AdbError::Protocol { .. }), "{garbled}");
    stub.finish().await;
}

#[tokio::test]
async fn an_installation_streams_the_file_and_reads_the_status_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pay.app.yaml");
    std::fs::write(&file, b"not really an apk").unwrap();
    let service = "exec:cmd package 'install' '-r' '-S' 17";
    let taking = || Conversation::device("A1", service).okay([]).then(Step::Expect(b"not really an apk".to_vec()));
    let stub = StubServer::start([
        // In two pieces, with a second line: what adb_client's single read would not understand.
        taking().then(Step::Send(b"Succ".to_vec())).then(Step::AwaitTest).then(Step::Send(b"ess\nbye\n".to_vec())),
        taking().then(Step::Send(b"Failure [INSTALL_PARSE_FAILED_NOT_APK]\n".to_vec())),
    ])
    .await;
    stub.proceed();
    assert_eq!(transport(&stub).install(&file, LONG).await.unwrap(), InstallStatus::Installed);
    assert_eq!(
        transport(&stub).install(&file, LONG).await.unwrap(),
        InstallStatus::Refused("INSTALL_PARSE_FAILED_NOT_APK".into())
    );
    let missing = transport(&stub).install(&folder.path().join("none.apk"), LONG).await.unwrap_err();
    assert!(missing.to_string().contains("none.apk"), "{missing}");
    stub.finish().await;
}

fn le(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[tokio::test]
async fn files_go_through_adb_client_with_a_budget() {
    let folder = tempfile::tempdir().unwrap();
    let local = folder.path().join("a.txt");
    std::fs::write(&local, b"hello").unwrap();
    let sync = || Conversation::device("A1", "sync:").okay([]);
    let dent =
        |mode: u32, name: &str| [b"DENT".as_slice(), &le(&[mode, 5, 100, name.len() as u32]), name.as_bytes()].concat();
    let stub = StubServer::start([
        sync()
            .then(Step::ExpectSync("SEND", "/sdcard/a.txt,0777".into()))
            .then(Step::ExpectSync("DATA", "hello".into()))
            .then(Step::Send(b"OKAY\0\0\0\0".to_vec())),
        sync()
            .then(Step::ExpectSync("RECV", "/sdcard/a.txt".into()))
            .then(Step::Send([b"DATA".as_slice(), &le(&[5]), b"hello", b"DONE", &le(&[0])].concat())),
        sync()
            .then(Step::ExpectSync("STAT", "/sdcard".into()))
            .then(Step::Send([b"STAT".as_slice(), &le(&[0o040_771, 4096, 100])].concat())),
        sync()
            .then(Step::ExpectSync("STAT", "/none".into()))
            .then(Step::Send([b"STAT".as_slice(), &le(&[0, 0, 0])].concat())),
        sync().then(Step::ExpectSync("LIST", "/sdcard".into())).then(Step::Send(
            [
                dent(0o040_755, "."),
                dent(0o040_755, "Download"),
                dent(0o100_644, "a.txt"),
                b"DONE".to_vec(),
                le(&[0; 4]),
            ]
            .concat(),
        )),
        sync().then(Step::ExpectSync("RECV", "/hang".into())).then(Step::AwaitTest),
    ])
    .await;
    let device = transport(&stub);
    // One after the other: every connection begins with the same two requests, and the script is matched by those.
    device.push(&local, "/sdcard/a.txt", LONG).await.unwrap();
    assert_eq!(device.pull("/sdcard/a.txt", LONG).await.unwrap(), b"hello");
    let stat = device.stat("/sdcard", LONG).await.unwrap().unwrap();
    assert!(stat.folder && stat.size == 4096);
    assert_eq!(device.stat("/none", LONG).await.unwrap(), None);
    let names: Vec<_> = device.list("/sdcard", LONG).await.unwrap().into_iter().map(|f| (f.name, f.folder)).collect();
    assert_eq!(names, [("Download".to_owned(), true), ("a.txt".to_owned(), false)]);
    let hung = device.pull("/hang", SHORT).await.unwrap_err();
    assert!(matches!(hung, AdbError::Timeout { .. }), "{hung}");
    stub.proceed();
    stub.finish().await;
}

#[tokio::test]
async fn a_forward_names_its_port() {
    let stub = StubServer::start([
        Conversation::device("A1", "host:forward:tcp:6100;tcp:8080").okay(*b"OKAY"),
        Conversation::host("host:transport:A1").fail("device 'A1' not found"),
    ])
    .await;
    let device = transport(&stub);
    device.forward("tcp:6100", "tcp:8080", LONG).await.unwrap();
    assert!(device.forward("tcp:0", "tcp:8080", LONG).await.unwrap_err().to_string().contains("name a port"));
    let gone = device.forward("tcp:6100", "tcp:8080", LONG).await.unwrap_err();
    assert!(matches!(gone, AdbError::DeviceNotFound { .. }), "{gone}");
    stub.finish().await;
}
