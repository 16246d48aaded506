//! Where the host's adb server listens.

use std::fmt;
use std::net::IpAddr;

/// The port the adb server has by default.
const DEFAULT_PORT: u16 = 5037;

/// Host and port of an adb server.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ServerAddress {
    host: String,
    port: u16,
}

/// A setting that is not an adb server address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{setting}={value:?}: {reason}; expected {expected}")]
pub struct AddressError {
    /// The setting's name.
    pub setting: &'static str,
    /// Its value.
    pub value: String,
    /// What is wrong.
    pub reason: &'static str,
    /// What would be right.
    pub expected: &'static str,
}

impl Default for ServerAddress {
    fn default() -> Self {
        Self::new("127.0.0.1", DEFAULT_PORT)
    }
}

impl ServerAddress {
    /// A server at `host`, which may be a name or a literal address.
    pub fn new(host: impl Into<String>, port: u16) -> Self {
        Self { host: host.into(), port }
    }

    /// The address the values of `ADB_SERVER_SOCKET`, `ANDROID_ADB_SERVER_ADDRESS` and `ANDROID_ADB_SERVER_PORT` give,
    /// in the order adb itself honours them: the socket wins; an empty value counts as not given.
    ///
    /// # Errors
    /// A value that is no TCP address; adb's `local*:` sockets are not supported.
    pub fn from_settings(socket: Option<&str>, host: Option<&str>, port: Option<&str>) -> Result<Self, AddressError> {
        let given = |value: Option<&str>| value.filter(|text| !text.trim().is_empty()).map(str::trim).map(str::to_owned);
        if let Some(socket) = given(socket) {
            return Self::parse_socket(&socket);
        }
        let mut address = Self::default();
        if let Some(host) = given(host) {
            address.host = host;
        }
        if let Some(port) = given(port) {
            address.port = parse_port(&port).ok_or(AddressError {
                setting: "ANDROID_ADB_SERVER_PORT",
                value: port,
                reason: "not a port number",
                expected: "a number from 1 to 65535",
            })?;
        }
        Ok(address)
    }

    /// Reads the value of `ADB_SERVER_SOCKET`: `tcp:PORT`, `tcp:HOST:PORT` or `tcp:[IPV6]:PORT`; `tcp:HOST` has the
    /// default port (AOSP `socket_spec.cpp`).
    pub fn parse_socket(value: &str) -> Result<Self, AddressError> {
        let wrong = |reason| AddressError {
            setting: "ADB_SERVER_SOCKET",
            value: value.to_owned(),
            reason,
            expected: "tcp:PORT or tcp:HOST:PORT",
        };
        let rest = value.trim().strip_prefix("tcp:").ok_or_else(|| wrong("not a TCP socket"))?;
        if rest.chars().all(|c| c.is_ascii_digit()) {
            let port = parse_port(rest).ok_or_else(|| wrong("not a port number"))?;
            return Ok(Self { port, ..Self::default() });
        }
        if let Some(bracketed) = rest.strip_prefix('[') {
            let (host, after) = bracketed.split_once(']').ok_or_else(|| wrong("`[` without `]`"))?;
            let port = match after.strip_prefix(':') {
                Some(port) => parse_port(port).ok_or_else(|| wrong("not a port number"))?,
                None if after.is_empty() => DEFAULT_PORT,
                None => return Err(wrong("text after `]`")),
            };
            return Ok(Self::new(host, port));
        }
        match rest.split_once(':') {
            None => Ok(Self::new(rest, DEFAULT_PORT)),
            Some(("", _)) => Err(wrong("no host")),
            Some((host, port)) => Ok(Self::new(host, parse_port(port).ok_or_else(|| wrong("not a port number"))?)),
        }
    }

    /// Host name or literal address.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// TCP port.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// True when the server is this machine's own, so that it may be started here.
    pub fn is_local(&self) -> bool {
        self.host == "localhost" || self.host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }

    /// The command that starts a server there.
    pub fn start_command(&self) -> String {
        if self.port == DEFAULT_PORT {
            "adb start-server".to_owned()
        } else {
            format!("adb -P {} start-server", self.port)
        }
    }
}

fn parse_port(text: &str) -> Option<u16> {
    text.parse().ok().filter(|port| *port != 0)
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_socket_setting_has_adbs_forms() {
        for (value, shown) in [
            ("tcp:6037", "127.0.0.1:6037"),
            ("tcp:localhost:6037", "localhost:6037"),
            ("tcp:10.0.0.7:5037", "10.0.0.7:5037"),
            ("tcp:farm", "farm:5037"),
            ("tcp:[::1]:6037", "[::1]:6037"),
        ] {
            assert_eq!(ServerAddress::parse_socket(value).unwrap().to_string(), shown, "{value}");
        }
        for bad in ["6037", "local:adb", "tcp:", "tcp:70000", "tcp:host:", "tcp:host:x", "tcp::1", "tcp:[::1", "tcp:0"] {
            assert!(ServerAddress::parse_socket(bad).is_err(), "{bad:?} was accepted");
        }
    }

    #[test]
    fn the_socket_wins_over_address_and_port_and_nothing_given_is_adbs_default() {
        let from = |s, a, p| ServerAddress::from_settings(s, a, p).unwrap().to_string();
        assert_eq!(from(None, None, None), "127.0.0.1:5037");
        assert_eq!(from(Some(""), Some(" "), Some("6001")), "127.0.0.1:6001");
        assert_eq!(from(None, Some("farm"), Some("6001")), "farm:6001");
        assert_eq!(from(Some("tcp:7000"), Some("farm"), Some("6001")), "127.0.0.1:7000");
        let error = ServerAddress::from_settings(None, None, Some("x")).unwrap_err().to_string();
        assert!(error.contains("ANDROID_ADB_SERVER_PORT") && error.contains("1 to 65535"), "{error}");
    }
}
