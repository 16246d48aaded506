//! The server's device list, `host:devices-l` and `host:track-devices-l` (AOSP `transport.cpp`, `append_transport`).

use super::{ConnectionState, DeviceRow};
use crate::domain::DeviceSerial;

/// What the server prints for a device without a serial.
const NO_SERIAL: &str = "(no serial number)";

/// Reads a device list, long or short form. Total: a line that is no device is left out, and a device in an odd state
/// never hides the others.
pub fn parse_device_list(text: &str) -> Vec<DeviceRow> {
    text.lines().filter_map(parse_row).collect()
}

fn parse_row(line: &str) -> Option<DeviceRow> {
    let line = line.trim_end();
    let (serial, rest) = match line.trim_start().strip_prefix(NO_SERIAL) {
        Some(rest) => (NO_SERIAL, rest),
        None => line.split_once(char::is_whitespace)?,
    };
    let rest = rest.trim();
    if serial.is_empty() || rest.is_empty() || serial.starts_with('*') {
        return None;
    }
    let (state, attributes) = split_state(rest);
    let value = |key: &str| {
        attributes.split_whitespace().find_map(|word| word.strip_prefix(key)).filter(|value| !value.is_empty())
    };
    Some(DeviceRow {
        serial: DeviceSerial::new(serial),
        state: parse_state(state),
        product: value("product:").map(str::to_owned),
        model: value("model:").map(str::to_owned),
        device: value("device:").map(str::to_owned),
        transport_id: value("transport_id:").and_then(|id| id.parse().ok()),
    })
}

/// The state is one word, except for `no permissions (…); see [http://…]`, which runs up to the first attribute.
fn split_state(rest: &str) -> (&str, &str) {
    if rest.starts_with("no permissions") || rest.starts_with("no device") {
        let end = [" usb:", " product:", " transport_id:"].iter().filter_map(|key| rest.find(key)).min();
        return rest.split_at(end.unwrap_or(rest.len()));
    }
    rest.split_once(char::is_whitespace).unwrap_or((rest, ""))
}

fn parse_state(state: &str) -> ConnectionState {
    match state {
        "device" => ConnectionState::Device,
        "offline" => ConnectionState::Offline,
        "unauthorized" => ConnectionState::Unauthorized,
        "authorizing" => ConnectionState::Authorizing,
        "connecting" => ConnectionState::Connecting,
        other if other.starts_with("no permissions") => ConnectionState::NoPermissions,
        other => ConnectionState::Other(other.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_long_list_is_read_row_by_row() {
        let rows = parse_device_list(
            "emulator-5554          device product:sdk_gphone64_x86_64 model:sdk_gphone64_x86_64 device:emu64xa \
             transport_id:1\n192.168.1.7:5555       offline transport_id:12\n0A041FDD4003HC         unauthorized \
             usb:1-1 transport_id:3\n",
        );
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[0].serial.as_str(), "emulator-5554");
        assert_eq!(rows[0].state, ConnectionState::Device);
        assert_eq!(rows[0].model.as_deref(), Some("sdk_gphone64_x86_64"));
        assert_eq!(rows[0].device.as_deref(), Some("emu64xa"));
        assert_eq!(rows[0].transport_id, Some(1));
        assert_eq!((&rows[1].state, rows[1].transport_id), (&ConnectionState::Offline, Some(12)));
        assert_eq!((&rows[2].state, rows[2].product.as_deref()), (&ConnectionState::Unauthorized, None));
    }

    #[test]
    fn a_device_without_permissions_does_not_hide_the_others() {
        let rows = parse_device_list(
            "(no serial number)     no permissions (missing udev rules? user is in the plugdev group); see \
             [http://developer.android.com/tools/device.html] usb:3-2 transport_id:2\n\
             emulator-5554          device product:p model:m device:d transport_id:1\n",
        );
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].serial.as_str(), "(no serial number)");
        assert_eq!(rows[0].state, ConnectionState::NoPermissions);
        assert_eq!(rows[0].transport_id, Some(2));
        assert_eq!(rows[1].state, ConnectionState::Device);
    }

    #[test]
    fn the_short_form_and_client_noise_are_understood() {
        let rows = parse_device_list("* daemon started successfully\nabc\tdevice\nxyz\trecovery\r\n\nlonely\n");
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[1].state, ConnectionState::Other("recovery".into()));
    }

    proptest! {
        #[test]
        fn any_text_is_a_list(text in "(?s).{0,400}") {
            parse_device_list(&text);
        }

        #[test]
        fn every_state_word_gives_a_row(serial in "[A-Za-z0-9.:-]{1,20}", state in "[a-z]{1,12}", id in 0_u64..99) {
            let rows = parse_device_list(&format!("{serial:<22} {state} transport_id:{id}\n"));
            prop_assert_eq!(rows.len(), 1);
            prop_assert_eq!(rows[0].serial.as_str(), serial);
            prop_assert_eq!(rows[0].transport_id, Some(id));
        }
    }
}
