//! The emulator console, by TCP as `adb emu` and people speak it.

use crate::two_buttons::{TestInstaller, app, home};
use std::sync::Arc;
use std::time::Duration;
use tapwright::domain::Size;
use tapwright::virtual_device::console::ConsoleAuth;
use tapwright::virtual_device::{EndpointError, Location, Ports, VirtualDevice, VirtualDeviceConfig};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

async fn start(token: Option<&str>) -> VirtualDevice {
    let config = VirtualDeviceConfig {
        display: Size::new(200, 400),
        console: Some(ConsoleAuth {
            token: token.map(str::to_owned),
            file: "/token/.emulator_console_auth_token".into(),
        }),
        ..VirtualDeviceConfig::default()
    };
    let apps = vec![app("com.example.two", 1)];
    VirtualDevice::start(config, Arc::new(TestInstaller), home(), apps, CancellationToken::new()).await.unwrap()
}

async fn dial(device: &VirtualDevice) -> TcpStream {
    TcpStream::connect(("127.0.0.1", device.console_port().unwrap())).await.unwrap()
}

/// Says everything, hangs up one way, and reads to the end.
async fn say(device: &VirtualDevice, text: &str) -> String {
    let mut socket = dial(device).await;
    socket.write_all(text.as_bytes()).await.unwrap();
    socket.shutdown().await.unwrap();
    let mut said = String::new();
    timeout(crate::harness::PATIENCE, socket.read_to_string(&mut said)).await.unwrap().unwrap();
    said
}

/// What comes after the banner and the authentication.
async fn ask(device: &VirtualDevice, line: &str) -> String {
    let said = say(device, &format!("auth secret\n{line}\nquit\n")).await;
    // As adb's client does: everything up to the second `OK\r\n` is dropped.
    said.splitn(3, "OK\r\n").nth(2).unwrap_or_else(|| panic!("{said}")).to_owned()
}

#[tokio::test]
async fn the_console_asks_for_its_token() {
    let device = start(Some("secret")).await;
    let banner = "Android Console: Authentication required\r\n\
                  Android Console: type 'auth <auth_token>' to authenticate\r\n\
                  Android Console: you can find your <auth_token> in \r\n\
                  '/token/.emulator_console_auth_token'\r\nOK\r\n";
    assert_eq!(say(&device, "").await, banner);
    let mismatch = "KO: authentication token does not match ~/.emulator_console_auth_token\r\n";
    assert_eq!(say(&device, "auth wrong\n").await, format!("{banner}{mismatch}"));
    assert_eq!(say(&device, "auth\n").await, format!("{banner}KO: missing authentication token\r\n"));
    // Before that, only harmless commands are known.
    let unknown = "KO: unknown command, try 'help'\r\n";
    assert_eq!(say(&device, "geo fix 1 2\nkill\n").await, format!("{banner}{unknown}{unknown}"));
    assert_eq!(say(&device, "ping\n").await, format!("{banner}I am alive!\r\nOK\r\n"));
    assert_eq!(device.system().lock().location, None);
    let open = start(None).await;
    assert_eq!(say(&open, "").await, "Android Console: type 'help' for a list of commands\r\nOK\r\n");
    assert!(say(&open, "rotate\r\n").await.ends_with("OK\r\nOK\r\n"));
    device.stop();
    open.stop();
}

#[tokio::test]
async fn commands_answer_ok_or_ko_with_a_reason() {
    let device = start(Some("secret")).await;
    for (line, answer) in [
        ("geo fix 13.4050 52.5200 34.5 9 1.5", "OK\r\n"),
        ("geo fix 13.4050", "KO: not enough arguments: see 'help geo fix' for details\r\n"),
        ("geo fix east 1", "KO: argument 'east' is not a number (longitude)\r\n"),
        ("geo", "KO: missing sub-command\r\n"),
        ("geo fly", "KO: bad sub-command\r\n"),
        (
            "geo nmea $GPGGA,001431.092,0118.2653,N,10351.1359,E,0,00,,-19.6,M,4.1,M,,0000*00",
            "KO: bad NMEA checksum\r\n",
        ),
        ("finger touch 1", "OK\r\n"),
        ("finger touch", "KO: not enough arguments: finger touch <fingerid>\r\n"),
        ("avd status", "virtual device is running\r\nOK\r\n"),
        ("avd snapshot load", "KO: argument missing, try 'avd snapshot load <name>'\r\n"),
        ("avd snapshot load clean", "OK\r\n"),
        ("avd snapshot", "KO: missing sub-command\r\n"),
        ("frobnicate", "KO: unknown command, try 'help'\r\n"),
        ("sms send 1 hi", "KO: unknown command, try 'help'\r\n"),
        ("fault add null-root:times=2", "OK\r\n"),
        ("fault list", "null-root:times=2 (struck 0)\r\nOK\r\n"),
        ("fault set", "KO: argument missing, try 'fault add null-root:times=1'\r\n"),
        ("fault clear", "OK\r\n"),
        ("fault list", "OK\r\n"),
    ] {
        assert_eq!(ask(&device, line).await, answer, "{line}");
    }
    assert_eq!(device.system().lock().location, Some(Location { latitude: 52.52, longitude: 13.405 }));
    assert!(ask(&device, "avd name").await.ends_with("_API_34\r\nOK\r\n"));
    assert!(
        ask(&device, "fault add nul-root").await.starts_with("KO: there is no fault \"nul-root\"; known are: idle,")
    );
    let help = ask(&device, "help").await;
    assert!(help.starts_with("Android console command help:\r\n") && help.contains("    geo  "), "{help}");
    assert!(ask(&device, "help geo").await.starts_with("geo fix|nmea"));
    ask(&device, "rotate").await;
    assert_eq!(device.system().lock().rotation(), 1);
    assert_eq!(device.system().lock().display(), Size::new(400, 200));
    device.stop();
}

#[tokio::test]
async fn kill_ends_this_device_and_says_goodbye() {
    let (device, other) = (start(Some("secret")).await, start(Some("secret")).await);
    assert_eq!(ask(&device, "kill").await, "OK: killing emulator, bye bye\r\n");
    timeout(crate::harness::PATIENCE, device.stopped()).await.expect("a killed device goes on");
    assert_eq!(ask(&other, "avd status").await, "virtual device is running\r\nOK\r\n");
    other.stop();
}

#[tokio::test]
async fn floods_and_silent_guests_do_not_end_the_console() {
    let device = start(Some("secret")).await;
    let mut long = dial(&device).await;
    let _hung_up = long.write_all(&vec![b'x'; 1 << 20]).await;
    let mut said = Vec::new();
    // The device closes with bytes unread, which may reset the connection.
    let _either = timeout(crate::harness::PATIENCE, long.read_to_end(&mut said)).await.unwrap();
    let mut silent = Vec::new();
    for _ in 0..100 {
        silent.push(dial(&device).await);
    }
    drop(silent);
    let mut look = tokio::time::interval(Duration::from_millis(10));
    let again = async {
        loop {
            look.tick().await;
            let mut socket = dial(&device).await;
            if socket.read_u8().await.is_ok() {
                return;
            }
        }
    };
    timeout(crate::harness::PATIENCE, again).await.expect("the console takes nobody any more");
    device.stop();
}

#[tokio::test]
async fn an_emulators_ports_are_given_only_when_asked_for_and_in_pairs() {
    for (port, ports) in [(5555, Ports::Ordinary), (5554, Ports::EmulatorPair), (6001, Ports::EmulatorPair)] {
        let config =
            VirtualDeviceConfig { bind: ([127, 0, 0, 1], port).into(), ports, ..VirtualDeviceConfig::default() };
        let stop = CancellationToken::new();
        let started = VirtualDevice::start(config, Arc::new(TestInstaller), home(), Vec::new(), stop).await;
        let refused = started.err().unwrap_or_else(|| panic!("port {port} was given as {ports:?}"));
        assert!(matches!(refused, EndpointError::EmulatorPort(_) | EndpointError::NoEmulatorPort(_)), "{refused}");
    }
}
