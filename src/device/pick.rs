//! Which device a command is meant for.

use crate::adb::{ConnectionState, DeviceRow};
use crate::domain::DeviceSerial;

/// Why no device can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PickError {
    /// The list is empty.
    #[error("no device is connected; plug one in, start an emulator, or run `tapwright emulate`")]
    None,
    /// The wanted one is not in the list.
    #[error("{wanted}: no such device is connected; connected: {connected}")]
    Missing {
        /// The device asked for.
        wanted: DeviceSerial,
        /// All that are there.
        connected: String,
    },
    /// The device has not accepted this host's key.
    #[error("{0}: the device has not authorised this computer; confirm the USB debugging dialog on it")]
    Unauthorized(DeviceSerial),
    /// The device does not answer.
    #[error("{0}: the device is offline; check its cable or network, or run `adb reconnect offline`")]
    Offline(DeviceSerial),
    /// The host may not open the USB device.
    #[error("{0}: no permission to open the USB device; add a udev rule for it, then plug it in again")]
    NoPermissions(DeviceSerial),
    /// Some other state.
    #[error("{serial}: the device is in state {state:?} and cannot be used")]
    NotReady {
        /// The device.
        serial: DeviceSerial,
        /// Its state.
        state: String,
    },
    /// Several devices and no choice.
    #[error("several devices are connected ({connected}); choose one with `--device SERIAL` or ANDROID_SERIAL")]
    Ambiguous {
        /// All that could be used.
        connected: String,
    },
}

/// Chooses the device: the wanted one, else the only usable one.
pub fn pick(rows: &[DeviceRow], wanted: Option<&DeviceSerial>) -> Result<DeviceSerial, PickError> {
    if let Some(wanted) = wanted {
        return match rows.iter().find(|row| row.serial == *wanted) {
            Some(row) => usable(row),
            None if rows.is_empty() => Err(PickError::Missing { wanted: wanted.clone(), connected: "none".to_owned() }),
            None => Err(PickError::Missing { wanted: wanted.clone(), connected: listed(rows.iter()) }),
        };
    }
    let ready: Vec<&DeviceRow> = rows.iter().filter(|row| row.state == ConnectionState::Device).collect();
    match (ready.as_slice(), rows) {
        ([only], _) => Ok(only.serial.clone()),
        ([], []) => Err(PickError::None),
        // Nothing usable: say what is wrong with the first one.
        ([], [first, ..]) => usable(first),
        (several, _) => Err(PickError::Ambiguous { connected: listed(several.iter().copied()) }),
    }
}

fn usable(row: &DeviceRow) -> Result<DeviceSerial, PickError> {
    let serial = row.serial.clone();
    match &row.state {
        ConnectionState::Device => Ok(serial),
        ConnectionState::Offline | ConnectionState::Silent => Err(PickError::Offline(serial)),
        ConnectionState::Unauthorized => Err(PickError::Unauthorized(serial)),
        ConnectionState::NoPermissions => Err(PickError::NoPermissions(serial)),
        ConnectionState::Authorizing | ConnectionState::Connecting | ConnectionState::Other(_) => {
            Err(PickError::NotReady { serial, state: row.state.to_string() })
        }
    }
}

fn listed<'a>(rows: impl Iterator<Item = &'a DeviceRow>) -> String {
    rows.map(|row| match (&row.state, &row.model) {
        (ConnectionState::Device, Some(model)) => format!("{} ({model})", row.serial),
        (ConnectionState::Device, None) => row.serial.to_string(),
        (state, _) => format!("{} [{state}]", row.serial),
    })
    .collect::<Vec<_>>()
    .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adb::parse_device_list;

    fn choose(list: &str, wanted: Option<&str>) -> Result<String, String> {
        let wanted = wanted.map(DeviceSerial::from);
        pick(&parse_device_list(list), wanted.as_ref()).map(|s| s.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_only_usable_device_is_chosen() {
        assert_eq!(choose("a\tdevice\nb\toffline\n", None).unwrap(), "a");
        assert_eq!(choose("a\tdevice\nb\tdevice\n", Some("b")).unwrap(), "b");
    }

    #[test]
    fn everything_else_is_an_error_with_its_remedy() {
        for (list, wanted, part) in [
            ("", None, "tapwright emulate"),
            ("", Some("x"), "connected: none"),
            ("a\tdevice\n", Some("x"), "connected: a"),
            ("a\tunauthorized\n", None, "confirm the USB debugging dialog"),
            ("a\tdevice\nb\tunauthorized\n", Some("b"), "confirm the USB debugging dialog"),
            ("a\toffline\n", None, "adb reconnect offline"),
            ("(no serial number)     no permissions (x); see [y]\n", None, "udev"),
            ("a\trecovery\n", None, "\"recovery\""),
            ("a\tdevice\nb\tdevice\nc\toffline\n", None, "(a, b); choose one with `--device SERIAL` or ANDROID_SERIAL"),
        ] {
            let error = choose(list, wanted).unwrap_err();
            assert!(error.contains(part), "{list:?}: {error}");
        }
    }
}
