//! Care of a device through the real adb server, on a virtual device: its settings, its health, its picture.

use crate::bench::Bench;
use tapwright::adb::ServerAddress;
use tapwright::adb::reply::parse_picture;
use tapwright::device::{AdbCare, DeviceCare as _, ProfileError, Profiles, Settings};
use tapwright::domain::DeviceSerial;
use tapwright::virtual_device::VirtualDeviceConfig;

/// The profiles of a folder in which the virtual device's own wants this.
fn profiles(prepare: &str) -> Result<Profiles, ProfileError> {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("name = 'virtual-phone'\nmatch = {{model = 'Tapwright Virtual Phone'}}\n[prepare]\n{prepare}");
    std::fs::write(folder.path().join("mine.toml"), text).unwrap();
    Profiles::load(folder.path())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_device_is_set_as_its_profile_says_asked_how_it_is_and_put_back() {
    let mut bench = Bench::new().await;
    let serial = DeviceSerial::from(bench.device(VirtualDeviceConfig::default()).await.as_str());
    let address = ServerAddress::new("127.0.0.1", bench.server().address().port());
    let settings = "'global/animator_duration_scale' = '0'\n'system/odd.name' = '1'\n";
    let modest = format!("free_megabytes = 20\nbattery_percent = 50\n[prepare.settings]\n{settings}");
    let care = AdbCare { address: address.clone(), profiles: profiles(&modest).unwrap() };

    let adb = async |words: &[&str]| {
        let all: Vec<&str> = ["-s", serial.as_str(), "shell"].into_iter().chain(words.iter().copied()).collect();
        String::from_utf8(bench.server().adb(&all).await.stdout).unwrap().trim().to_owned()
    };
    adb(&["settings", "put", "global", "animator_duration_scale", "1.5"]).await;
    let found = care.to_be_changed(&serial).await.unwrap();
    let expected: Settings =
        [("global/animator_duration_scale".to_owned(), Some("1.5".to_owned())), ("system/odd.name".to_owned(), None)]
            .into_iter()
            .collect();
    assert_eq!(found, expected);
    care.prepare(&serial).await.unwrap();
    assert_eq!(care.to_be_changed(&serial).await.unwrap(), Settings::new());
    assert_eq!(adb(&["settings", "get", "system", "odd.name"]).await, "1");
    care.put_back(&serial, &found).await.unwrap();
    assert_eq!(adb(&["settings", "get", "global", "animator_duration_scale"]).await, "1.5");
    assert_eq!(adb(&["settings", "get", "system", "odd.name"]).await, "null");

    assert_eq!(care.unfit(&serial).await.unwrap(), None);
    let greedy = AdbCare { address, profiles: profiles("free_megabytes = 99999999\n").unwrap() };
    let reason = greedy.unfit(&serial).await.unwrap().expect("no device has so much room");
    assert!(reason.contains("MB are free on it, and 99999999 MB are needed"), "{reason}");
    assert!(parse_picture(&care.picture(&serial).await.unwrap()).is_ok());
    assert!(care.unfit(&DeviceSerial::from("nobody")).await.is_err());
}
