//! What can go wrong between this process, the adb server and a device's shell.

use super::ServerAddress;
use crate::domain::DeviceSerial;
use std::time::Duration;

/// An adb failure, with what a person needs to act on it.
#[derive(Debug, thiserror::Error)]
pub enum AdbError {
    /// Nothing listens where the server should be.
    #[error("no adb server answers at {address} ({source}); start one with `{}`", address.start_command())]
    ServerUnreachable {
        /// Where it was looked for.
        address: ServerAddress,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The server could not be started.
    #[error("the adb server at {address} could not be started with {binary}: {reason}")]
    ServerStart {
        /// Where it should listen.
        address: ServerAddress,
        /// The adb binary.
        binary: String,
        /// What went wrong.
        reason: String,
    },
    /// The server took a request and did not answer in time.
    #[error("the adb server at {address} did not answer `{request}` within {budget:?}; `adb devices` shows whether it hangs")]
    ServerTimeout {
        /// The server.
        address: ServerAddress,
        /// The request.
        request: String,
        /// Its budget.
        budget: Duration,
    },
    /// The connection broke, or what came over it is not the adb protocol.
    #[error("the adb server at {address} broke off `{request}`: {reason}")]
    Protocol {
        /// The server.
        address: ServerAddress,
        /// The request or command, secrets masked.
        request: String,
        /// What was wrong.
        reason: String,
    },
    /// The server said FAIL for a reason without a kind of its own.
    #[error("the adb server at {address} refused `{request}`: {reason}")]
    Refused {
        /// The server.
        address: ServerAddress,
        /// The request or command, secrets masked.
        request: String,
        /// What it said.
        reason: String,
    },
    /// The device is not in the server's list.
    #[error("{serial}: no such device is connected; `adb devices -l` lists those that are")]
    DeviceNotFound {
        /// The device asked for.
        serial: DeviceSerial,
    },
    /// The server knows the device and gets no answer from it.
    #[error("{serial}: the device is offline; check its cable or network, or run `adb reconnect offline`")]
    DeviceOffline {
        /// The device.
        serial: DeviceSerial,
    },
    /// The device does not trust this host's key.
    #[error("{serial}: the device has not authorised this computer; confirm the USB debugging dialog on the device")]
    DeviceUnauthorized {
        /// The device.
        serial: DeviceSerial,
    },
    /// The connection is still being made.
    #[error("{serial}: the device is still {state}; try again in a moment")]
    DeviceNotReady {
        /// The device.
        serial: DeviceSerial,
        /// `connecting` or `authorizing`.
        state: &'static str,
    },
    /// The host may not open the USB device.
    #[error("{serial}: no permission to open the USB device; add a udev rule for it (package android-sdk-platform-tools-common)")]
    NoPermissions {
        /// The device.
        serial: DeviceSerial,
    },
    /// `adb connect` to a network address failed.
    #[error("the adb server at {address} could not connect to {target}: {reason}")]
    Connect {
        /// The server.
        address: ServerAddress,
        /// The device's network address.
        target: String,
        /// What the server said.
        reason: String,
    },
    /// A command ran and failed.
    #[error("{serial}: `{command}` exited with {exit_code}: {stderr}")]
    Exit {
        /// The device.
        serial: DeviceSerial,
        /// The command, secrets masked.
        command: String,
        /// Its exit code.
        exit_code: u8,
        /// What it printed on stderr.
        stderr: String,
    },
    /// A command exited with 0 and its output says that it failed.
    #[error("{serial}: `{command}` reported: {reply}")]
    Reported {
        /// The device.
        serial: DeviceSerial,
        /// The command, secrets masked.
        command: String,
        /// What it said.
        reply: String,
    },
    /// A command's stream ended without an exit packet: the device dropped off, or its shell was killed.
    #[error("{serial}: the connection ended before `{command}` reported an exit code; is the device still connected?")]
    NoExitCode {
        /// The device.
        serial: DeviceSerial,
        /// The command, secrets masked.
        command: String,
    },
    /// A command did not end within its budget; its socket was dropped, which ends it on the device.
    #[error("{serial}: `{command}` did not finish within {budget:?}")]
    Timeout {
        /// The device.
        serial: DeviceSerial,
        /// The command, secrets masked.
        command: String,
        /// Its budget.
        budget: Duration,
    },
    /// A file could not be transferred or looked at.
    #[error("{serial}: {what} failed: {reason}")]
    File {
        /// The device.
        serial: DeviceSerial,
        /// What was tried: `push of a.txt to /sdcard/a.txt`.
        what: String,
        /// Why it failed.
        reason: String,
    },
}

impl AdbError {
    /// The kind of a FAIL reply to a request about `serial`, by the texts of AOSP's `transport.cpp` and `adb.cpp`.
    pub(super) fn from_fail(
        address: &ServerAddress,
        request: &str,
        serial: Option<&DeviceSerial>,
        reason: &str,
    ) -> Self {
        let reason = reason.trim();
        if let Some(serial) = serial.cloned() {
            let found = |text: &str| reason.contains(text);
            if reason.starts_with("device '") && reason.ends_with("not found")
                || found("no devices/emulators found")
                || found("no emulators found")
            {
                return Self::DeviceNotFound { serial };
            }
            if found("device unauthorized") {
                return Self::DeviceUnauthorized { serial };
            }
            if found("device still authorizing") {
                return Self::DeviceNotReady { serial, state: "authorizing" };
            }
            if found("device still connecting") {
                return Self::DeviceNotReady { serial, state: "connecting" };
            }
            if found("device offline") {
                return Self::DeviceOffline { serial };
            }
            if found("no permissions") || found("insufficient permissions") {
                return Self::NoPermissions { serial };
            }
        }
        Self::Refused { address: address.clone(), request: request.to_owned(), reason: reason.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(reason: &str) -> AdbError {
        AdbError::from_fail(&ServerAddress::default(), "host:transport:X", Some(&"X".into()), reason)
    }

    #[test]
    fn every_known_fail_text_has_its_kind() {
        assert!(matches!(kind("device 'X' not found"), AdbError::DeviceNotFound { .. }));
        assert!(matches!(kind("no devices/emulators found"), AdbError::DeviceNotFound { .. }));
        assert!(matches!(kind("device offline"), AdbError::DeviceOffline { .. }));
        assert!(matches!(kind("device offline (no transport)"), AdbError::DeviceOffline { .. }));
        assert!(matches!(kind("device still connecting"), AdbError::DeviceNotReady { state: "connecting", .. }));
        assert!(matches!(kind("device still authorizing"), AdbError::DeviceNotReady { state: "authorizing", .. }));
        let unauthorized = "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set\nTry 'adb kill-server' \
                            if that seems wrong.\nOtherwise check for a confirmation dialog on your device.";
        assert!(matches!(kind(unauthorized), AdbError::DeviceUnauthorized { .. }));
        assert!(matches!(kind("insufficient permissions for device"), AdbError::NoPermissions { .. }));
        assert!(matches!(kind("closed"), AdbError::Refused { .. }));
    }

    #[test]
    fn the_remedy_is_in_the_text() {
        assert!(kind("device unauthorized.").to_string().contains("confirm the USB debugging dialog on the device"));
        let source = std::io::Error::from(std::io::ErrorKind::ConnectionRefused);
        let error = AdbError::ServerUnreachable { address: ServerAddress::new("127.0.0.1", 6037), source };
        let text = error.to_string();
        assert!(text.contains("127.0.0.1:6037") && text.contains("`adb -P 6037 start-server`"), "{text}");
    }
}
