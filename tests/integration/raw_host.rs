//! An adb server's side of the transport, by hand: for what the real one never does.

use std::net::SocketAddr;
use std::time::Duration;
use tapwright::virtual_device::wire::{Command, HEADER_LEN, Header, Packet, SumRule};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Version and payload a current adb server offers.
pub(crate) const VERSION: u32 = 0x0100_0001;
pub(crate) const MAX_PAYLOAD: u32 = 1024 * 1024;

const PATIENCE: Duration = Duration::from_secs(30);

/// One connection.
pub(crate) struct RawHost {
    pub(crate) socket: TcpStream,
    /// The device's CNXN.
    pub(crate) banner: Packet,
}

impl RawHost {
    /// Connects and shakes hands.
    pub(crate) async fn connect(device: SocketAddr) -> Self {
        let mut socket = TcpStream::connect(device).await.unwrap();
        socket.set_nodelay(true).unwrap();
        socket.write_all(&greeting()).await.unwrap();
        let banner = receive(&mut socket).await.expect("the device did not answer CNXN");
        assert_eq!(banner.command, Command::CONNECT);
        Self { socket, banner }
    }

    pub(crate) async fn send(&mut self, packet: Packet) {
        self.socket.write_all(&packet.encode(SumRule::HandshakeOnly)).await.unwrap();
    }

    /// The next packet; `None` at the end.
    pub(crate) async fn receive(&mut self) -> Option<Packet> {
        receive(&mut self.socket).await
    }

    /// OPEN with this id.
    pub(crate) async fn open(&mut self, id: u32, name: &[u8]) {
        let payload = [name, b"\0"].concat();
        self.send(Packet { command: Command::OPEN, arg0: id, arg1: 0, payload }).await;
    }

    /// Opens a service and gives the device's id, or `None` when it is refused.
    pub(crate) async fn opened(&mut self, id: u32, name: &str) -> Option<u32> {
        self.open(id, name.as_bytes()).await;
        let answer = self.receive().await.unwrap();
        assert_eq!(answer.arg1, id, "{answer:?}");
        match answer.command {
            Command::OKAY => Some(answer.arg0),
            Command::CLOSE => {
                assert_eq!(answer.arg0, 0, "a failed OPEN is answered with CLSE(0, id)");
                None
            }
            other => panic!("{other:?} in answer to OPEN"),
        }
    }

    /// Closes a stream of these ids, and waits for the device's word that it has done the same.
    pub(crate) async fn closed(&mut self, id: u32, device: u32) {
        self.send(Packet::bare(Command::CLOSE, id, device)).await;
        let answer = self.receive().await.unwrap();
        assert_eq!((answer.command, answer.arg0, answer.arg1), (Command::CLOSE, device, id));
    }

    /// Everything a service says until it closes its stream.
    pub(crate) async fn read_all(&mut self, id: u32) -> Vec<u8> {
        let mut said = Vec::new();
        loop {
            let packet = self.receive().await.expect("the connection ended within a stream");
            match packet.command {
                Command::WRITE => {
                    said.extend_from_slice(&packet.payload);
                    self.send(Packet::bare(Command::OKAY, id, packet.arg0)).await;
                }
                Command::CLOSE => return said,
                _ => {}
            }
        }
    }

    /// What a service says.
    pub(crate) async fn ask(&mut self, id: u32, name: &str) -> String {
        assert!(self.opened(id, name).await.is_some(), "{name} is refused");
        String::from_utf8(self.read_all(id).await).unwrap()
    }

    /// True once the device has hung up; what it still said is thrown away.
    pub(crate) async fn hung_up(&mut self) -> bool {
        let mut rest = Vec::new();
        // A reset is as good as an end.
        timeout(PATIENCE, self.socket.read_to_end(&mut rest)).await.is_ok()
    }
}

/// A CNXN.
pub(crate) fn greeting() -> Vec<u8> {
    let payload = b"host::features=shell_v2,cmd,stat_v2\0".to_vec();
    Packet { command: Command::CONNECT, arg0: VERSION, arg1: MAX_PAYLOAD, payload }.encode(SumRule::Always)
}

async fn receive(socket: &mut TcpStream) -> Option<Packet> {
    let read = async {
        let mut head = [0; HEADER_LEN];
        socket.read_exact(&mut head).await.ok()?;
        let header = Header::parse(&head, MAX_PAYLOAD).unwrap();
        let mut payload = vec![0; header.length as usize];
        socket.read_exact(&mut payload).await.ok()?;
        Some(Packet { command: header.command, arg0: header.arg0, arg1: header.arg1, payload })
    };
    timeout(PATIENCE, read).await.expect("the device said nothing")
}
