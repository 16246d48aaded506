//! Devices that stop answering, and adb servers that go, through real adb servers of every version at hand.

use crate::harness::{AdbServer, PATIENCE, adb_binaries};
use crate::two_buttons::{TestInstaller, home};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tapwright::adb::{AdbServer as Client, ConnectionState, DeviceRow, Pulse, ServerAddress};
use tapwright::virtual_device::{VirtualDevice, VirtualDeviceConfig};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

const PULSE: Pulse = Pulse { every: Duration::from_millis(50), within: Duration::from_millis(200), misses: 2 };

fn client(address: SocketAddr) -> Client {
    let (host, port) = (address.ip().to_string(), address.port().to_string());
    Client::new(ServerAddress::from_settings(None, Some(&host), Some(&port)).unwrap())
}

async fn device() -> VirtualDevice {
    let config = VirtualDeviceConfig::default();
    VirtualDevice::start(config, Arc::new(TestInstaller), home(), Vec::new(), CancellationToken::new()).await.unwrap()
}

/// Waits until the device is told in this state.
async fn told(rows: &mut watch::Receiver<Vec<DeviceRow>>, serial: &str, state: &ConnectionState) {
    let wanted = |rows: &Vec<DeviceRow>| rows.iter().any(|row| row.serial.as_str() == serial && row.state == *state);
    let reached = timeout(PATIENCE, rows.wait_for(wanted)).await.map(drop);
    assert!(reached.is_ok(), "{serial} was not told as {state}: {:?}", rows.borrow());
}

#[tokio::test]
async fn a_device_that_stops_answering_is_silent_until_it_answers_again() {
    for adb in adb_binaries() {
        let (server, phone) = (AdbServer::start_with(&adb).await, device().await);
        let serial = server.connect(phone.addr()).await;
        let mut rows = client(server.address()).track_alive(None, PULSE).await.unwrap();
        told(&mut rows, &serial, &ConnectionState::Device).await;
        // The third hangs, too: it must not be taken for an answer.
        let faults = "setprop tapwright.faults 'hung-shell:times=3:only=echo alive'";
        assert!(server.adb(&["-s", &serial, "shell", faults]).await.status.success());
        told(&mut rows, &serial, &ConnectionState::Silent).await;
        let listed = client(server.address()).devices().await.unwrap();
        assert_eq!(listed[0].state, ConnectionState::Device, "the server itself knows nothing of it");
        told(&mut rows, &serial, &ConnectionState::Device).await;
        phone.stop();
    }
}

#[tokio::test]
async fn a_server_that_goes_is_started_anew_and_knows_its_devices_again() {
    for adb in adb_binaries() {
        let (server, phone) = (AdbServer::start_with(&adb).await, device().await);
        let serial = server.connect(phone.addr()).await;
        let mut rows = client(server.address()).track_alive(Some(adb.clone()), PULSE).await.unwrap();
        told(&mut rows, &serial, &ConnectionState::Device).await;
        assert!(server.adb(&["kill-server"]).await.status.success());
        let gone = timeout(PATIENCE, rows.wait_for(Vec::is_empty)).await.map(drop);
        assert!(gone.is_ok(), "{:?}", rows.borrow());
        told(&mut rows, &serial, &ConnectionState::Device).await;
        let listed = client(server.address()).devices().await.unwrap();
        assert_eq!(listed[0].serial.as_str(), serial);
        phone.stop();
    }
}
