//! `pm clear`, installation status lines, `dumpsys package`.

/// What the device said about an installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InstallStatus {
    /// A `Success` line.
    Installed,
    /// `Failure [CODE: details]`; what stands in the brackets.
    Refused(String),
    /// Neither; the whole answer.
    Unclear(String),
}

/// Looks for a `Success` *line* or `Failure [X]` anywhere in an installer's answer.
pub fn parse_install_status(text: &str) -> InstallStatus {
    for line in text.lines().map(str::trim) {
        if line == "Success" {
            return InstallStatus::Installed;
        }
        if let Some(rest) = line.split_once("Failure").map(|(_, rest)| rest.trim()) {
            let reason = rest.strip_prefix('[').map_or(rest, |inner| inner.strip_suffix(']').unwrap_or(inner));
            return InstallStatus::Refused(reason.to_owned());
        }
    }
    InstallStatus::Unclear(text.trim().to_owned())
}

/// The session that `pm install-create` names: `Success: created install session [ID]`.
pub fn parse_install_session(text: &str) -> Option<u32> {
    let line = text.lines().find_map(|line| line.trim().strip_prefix("Success: created install session ["))?;
    line.strip_suffix(']')?.parse().ok()
}

/// True when `pm install-write` took the whole file: `Success: streamed N bytes`.
pub fn parse_streamed(text: &str) -> bool {
    text.lines().any(|line| line.trim().starts_with("Success: streamed "))
}

/// True when `pm clear` printed its `Success` line; otherwise it prints `Failed`, on stderr.
pub fn parse_clear_succeeded(text: &str) -> bool {
    text.lines().any(|line| line.trim() == "Success")
}

/// What `dumpsys package P` says about the app's version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VersionLookup {
    /// Installed, with this version name (empty when the app declares none).
    Installed(String),
    /// `Unable to find package: P`.
    Missing,
    /// Neither.
    Unclear,
}

/// Reads `versionName=` of the first package record; a replaced system version comes later in the dump.
pub fn parse_version(text: &str) -> VersionLookup {
    for line in text.lines().map(str::trim) {
        if let Some(version) = line.strip_prefix("versionName=") {
            return VersionLookup::Installed(if version == "null" { String::new() } else { version.to_owned() });
        }
        if line.starts_with("Unable to find package") {
            return VersionLookup::Missing;
        }
    }
    VersionLookup::Unclear
}

/// The files `pm path P` names, base first; none where the app is not installed.
pub fn parse_app_paths(text: &str) -> Vec<String> {
    let path =
        |line: &str| line.trim().strip_prefix("package:").filter(|path| path.starts_with('/')).map(str::to_owned);
    text.lines().filter_map(path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_an_app_are_what_the_package_manager_names() {
        let said =
            "package:/data/app/~~x==/com.a-1/base.apk\r\npackage:/data/app/~~x==/com.a-1/split_config.fr.apk\n\nrest";
        assert_eq!(
            parse_app_paths(said),
            ["/data/app/~~x==/com.a-1/base.apk", "/data/app/~~x==/com.a-1/split_config.fr.apk"]
        );
        assert!(parse_app_paths("package:\nError: no such package").is_empty());
    }

    #[test]
    fn a_session_has_a_number_and_takes_whole_files() {
        assert_eq!(parse_install_session("Success: created install session [1711]\r\n"), Some(1711));
        for odd in ["", "Success: created install session [x]", "Success", "Failure [INSTALL_FAILED_USER_RESTRICTED]"] {
            assert_eq!(parse_install_session(odd), None, "{odd}");
        }
        assert!(parse_streamed("Success: streamed 4096 bytes\n"));
        assert!(!parse_streamed("Error: failed to write; No space left on device"));
    }

    #[test]
    fn an_installation_is_judged_by_its_status_line() {
        for (text, status) in [
            ("Success\n", InstallStatus::Installed),
            (
                "Serving...\r\nPerforming Incremental Install\nSuccess\r\nInstall command complete in 12 ms",
                InstallStatus::Installed,
            ),
            (
                "Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE: signatures do not match]\n",
                InstallStatus::Refused("INSTALL_FAILED_UPDATE_INCOMPATIBLE: signatures do not match".into()),
            ),
            (
                "adb: failed to install a.apk: Failure [INSTALL_PARSE_FAILED_NOT_APK]",
                InstallStatus::Refused("INSTALL_PARSE_FAILED_NOT_APK".into()),
            ),
            ("Not a Success story\n", InstallStatus::Unclear("Not a Success story".into())),
            ("", InstallStatus::Unclear(String::new())),
        ] {
            assert_eq!(parse_install_status(text), status, "{text:?}");
        }
    }

    #[test]
    fn clearing_succeeded_only_with_its_line() {
        assert!(parse_clear_succeeded("Success\n"));
        assert!(!parse_clear_succeeded("Failed\n"));
        assert!(!parse_clear_succeeded(""));
    }

    #[test]
    fn the_version_is_the_installed_package_s() {
        let dump = "Packages:\n  Package [com.a] (1f):\n    versionCode=7 minSdk=24 targetSdk=36\n    \
                    versionName=1.4.2\nHidden system packages:\n    versionName=1.0\n";
        assert_eq!(parse_version(dump), VersionLookup::Installed("1.4.2".into()));
        assert_eq!(parse_version("Unable to find package: com.a\n"), VersionLookup::Missing);
        assert_eq!(parse_version("Dexopt state:\n"), VersionLookup::Unclear);
    }
}
