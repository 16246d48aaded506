//! A device on a port, met by an adb server's side of the transport written by hand.

use super::{VirtualDevice, VirtualDeviceConfig};
use crate::AppFiles;
use crate::wire::{Command, HEADER_LEN, Header, Packet, SumRule};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

const VERSION: u32 = 0x0100_0001;
const MAX_PAYLOAD: u32 = 1024 * 1024;
const PATIENCE: Duration = Duration::from_secs(30);

struct Peer(TcpStream);

impl Peer {
    async fn connect(device: &VirtualDevice) -> Self {
        let mut peer = Self(TcpStream::connect(device.addr()).await.unwrap());
        let payload = b"host::features=shell_v2,cmd\0".to_vec();
        let greeting = Packet { command: Command::CONNECT, arg0: VERSION, arg1: MAX_PAYLOAD, payload };
        peer.0.write_all(&greeting.encode(SumRule::Always)).await.unwrap();
        assert_eq!(peer.receive().await.command, Command::CONNECT);
        peer
    }

    async fn send(&mut self, packet: Packet) {
        self.0.write_all(&packet.encode(SumRule::HandshakeOnly)).await.unwrap();
    }

    async fn receive(&mut self) -> Packet {
        let read = async {
            let mut head = [0; HEADER_LEN];
            self.0.read_exact(&mut head).await.unwrap();
            let header = Header::parse(&head, MAX_PAYLOAD).unwrap();
            let mut payload = vec![0; header.length as usize];
            self.0.read_exact(&mut payload).await.unwrap();
            Packet { command: header.command, arg0: header.arg0, arg1: header.arg1, payload }
        };
        timeout(PATIENCE, read).await.expect("the device said nothing")
    }

    /// Opens a service; the device's id, or `None` where it is refused.
    async fn opened(&mut self, id: u32, name: &str) -> Option<u32> {
        let payload = format!("{name}\0").into_bytes();
        self.send(Packet { command: Command::OPEN, arg0: id, arg1: 0, payload }).await;
        let answer = self.receive().await;
        assert_eq!(answer.arg1, id);
        (answer.command == Command::OKAY).then_some(answer.arg0)
    }

    /// What a service says until it closes.
    async fn ask(&mut self, id: u32, name: &str) -> String {
        let local = self.opened(id, name).await.unwrap_or_else(|| panic!("{name} is refused"));
        let mut said = Vec::new();
        loop {
            let packet = self.receive().await;
            match packet.command {
                Command::WRITE => {
                    said.extend_from_slice(&packet.payload);
                    self.send(Packet::bare(Command::OKAY, id, local)).await;
                }
                Command::CLOSE => return String::from_utf8(said).unwrap(),
                _ => {}
            }
        }
    }
}

async fn start() -> VirtualDevice {
    let files = Arc::new(AppFiles::default());
    let config = VirtualDeviceConfig::default();
    VirtualDevice::start(config, files.clone(), files, Vec::new(), CancellationToken::new()).await.unwrap()
}

fn is(packet: &Packet, command: Command, arg0: u32, arg1: u32) {
    assert_eq!((packet.command, packet.arg0, packet.arg1), (command, arg0, arg1));
}

#[tokio::test]
async fn a_stream_the_host_closes_is_closed_by_the_device_too_and_once() {
    let device = start().await;
    let mut peer = Peer::connect(&device).await;
    let local = peer.opened(1, "shell:cat").await.unwrap();
    // Another stream's peer closes nothing; 0 stands for any (`find_local_socket`).
    peer.send(Packet::bare(Command::CLOSE, 9, local)).await;
    peer.send(Packet::bare(Command::CLOSE, 0, local)).await;
    is(&peer.receive().await, Command::CLOSE, local, 1);
    peer.send(Packet::bare(Command::CLOSE, 1, local)).await;
    assert_eq!(peer.ask(2, "exec:echo on").await, "on\n");
    device.stop();
}

#[tokio::test]
async fn a_terminal_ends_lines_with_cr_lf_and_echoes_what_else_is_raw_does_not() {
    let device = start().await;
    let mut peer = Peer::connect(&device).await;
    for (id, (service, said)) in [
        ("shell:echo a; ls /nope", "a\nls: /nope: No such file or directory\n"),
        ("shell,pty:echo a", "a\r\n"),
        ("shell,raw:echo a", "a\n"),
        ("exec:echo a", "a\n"),
        // A packet's head is its kind and its length.
        ("shell,v2,pty:echo a", "\u{1}\u{3}\0\0\0a\r\n\u{3}\u{1}\0\0\0\0"),
        ("shell,v2,raw:echo a", "\u{1}\u{2}\0\0\0a\n\u{3}\u{1}\0\0\0\0"),
    ]
    .into_iter()
    .enumerate()
    {
        assert_eq!(peer.ask(id as u32 + 1, service).await, said, "{service}");
    }
    device.stop();
}

#[tokio::test]
async fn two_devices_reverse_the_same_port_and_each_leads_to_its_own_host() {
    let devices = [start().await, start().await];
    let mut peers = [Peer::connect(&devices[0]).await, Peer::connect(&devices[1]).await];
    for peer in &mut peers {
        assert_eq!(peer.ask(1, "reverse:forward:tcp:8080;tcp:7100").await, "OKAY");
        assert_eq!(peer.ask(2, "reverse:forward:tcp:0;tcp:7101").await, "OKAY000532768");
        assert_eq!(peer.ask(3, "reverse:forward:localabstract:name;tcp:7102").await, "OKAY");
        assert_eq!(
            peer.ask(4, "reverse:forward:norebind:tcp:8080;tcp:1").await,
            "FAIL001dcannot rebind existing socket"
        );
    }
    let [peer, other] = &mut peers;
    for (id, (name, host)) in [("tcp:8080", "tcp:7100"), ("localabstract:name", "tcp:7102")].into_iter().enumerate() {
        let id = id as u32 + 10;
        let local = peer.opened(id, name).await.unwrap();
        let asked = peer.receive().await;
        assert_eq!((asked.command, asked.payload), (Command::OPEN, format!("{host}\0").into_bytes()));
        peer.send(Packet::bare(Command::OKAY, 100 + id, asked.arg0)).await;
        let ping = Packet { command: Command::WRITE, arg0: id, arg1: local, payload: b"ping".to_vec() };
        peer.send(ping).await;
        is(&peer.receive().await, Command::OKAY, local, id);
        let carried = peer.receive().await;
        is(&carried, Command::WRITE, asked.arg0, 100 + id);
        assert_eq!(carried.payload, b"ping");
        peer.send(Packet::bare(Command::OKAY, 100 + id, asked.arg0)).await;
        // One end closes, and so does the other.
        peer.send(Packet::bare(Command::CLOSE, 100 + id, asked.arg0)).await;
        is(&peer.receive().await, Command::CLOSE, asked.arg0, 100 + id);
        is(&peer.receive().await, Command::CLOSE, local, id);
    }
    assert_eq!(peer.ask(20, "reverse:killforward-all").await, "OKAY");
    assert_eq!(peer.opened(21, "tcp:8080").await, None);
    assert!(other.ask(5, "reverse:list-forward").await.contains("(reverse) tcp:8080 tcp:7100\n"));
    for device in devices {
        device.stop();
    }
}

/// `adb connect` what it prints; a client can be tried by hand before the product is built.
#[tokio::test]
#[ignore = "for trying clients by hand: it ends with its process"]
async fn a_device_for_other_peoples_clients() {
    const APP: &str =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/suites/first_light/apps/pay.app.yaml"));
    let files = Arc::new(AppFiles::default());
    let apps = vec![files.package("pay.app.yaml", APP).unwrap()];
    let config = VirtualDeviceConfig::default();
    let device = VirtualDevice::start(config, files.clone(), files, apps, CancellationToken::new()).await.unwrap();
    println!("{}", device.addr());
    device.ended().await;
}
