//! What a script may hold: it is read by people, by a shell of the host and by the device's, so nothing in it may be
//! taken for a command by one of them.

use super::format::{AppView, Script};

/// True for control characters that no line break or tab of an app's text explains.
fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\r' | '\t')
}

/// True for what ends a line for some reader: YAML 1.1 and JavaScript know more line ends than control characters.
fn ends_a_line(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

impl Script {
    /// What in it is refused, if anything is.
    pub(super) fn refused(&self) -> Option<String> {
        let apps = std::iter::once(&self.app).chain(self.actors.values().map(|actor| &actor.app));
        let named = apps.map(|app: &AppView| &app.package);
        let opened = self.actions.iter().filter_map(|action| action.package.as_ref());
        let stranger = named.chain(opened).find(|package| !package.is_valid());
        let told = stranger.map(|package| format!("{:?} is no application id", package.as_str()));
        told.or_else(|| self.control_character())
    }

    fn control_character(&self) -> Option<String> {
        // One line each.
        let displays = std::iter::once(&self.device).chain(self.actors.values().map(|actor| &actor.device));
        let header = [&self.title, &self.profile, &self.recorded_at, &self.tapwright].into_iter();
        let mut header = header
            .chain(displays.flat_map(|display| [&display.model, &display.locale]))
            .chain(self.secrets.iter().chain(self.actors.keys()))
            .chain(self.actors.values().map(|actor| &actor.profile))
            .chain(self.app.version.iter())
            .chain(
                self.actions.iter().flat_map(|action| action.secret.iter().chain(&action.actor).chain([&action.skill])),
            );
        let mut texts = self.actions.iter().flat_map(|action| {
            let own = [&action.instruction, &action.screen].into_iter();
            own.chain(&action.text).chain(&action.adb).chain(action.keys.keys())
        });
        let first = header.find(|text| text.contains(ends_a_line));
        let first = first.or_else(|| texts.find(|text| text.contains(is_control)));
        first.map(|text| format!("{text:?} holds a control character"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adb::quote;
    use crate::domain::Expectation;
    use crate::script::to_shell;
    use std::path::Path;
    use std::process::{Command, Stdio};

    fn script() -> Script {
        let text = include_str!("../../scripts/PAY-0001/virtual-phone.toml");
        Script::parse(Path::new("s.toml"), text).unwrap()
    }

    type Change = (&'static str, fn(&mut Script, &str));

    const PLACES: [Change; 12] = [
        ("title", |script, text| script.title = text.into()),
        ("profile", |script, text| script.profile = text.into()),
        ("recorded_at", |script, text| script.recorded_at = text.into()),
        ("tapwright", |script, text| script.tapwright = text.into()),
        ("model", |script, text| script.device.model = text.into()),
        ("secret", |script, text| script.secrets = vec![text.into()]),
        ("secret that is typed", |script, text| script.actions[0].secret = Some(text.into())),
        ("actor", |script, text| script.actions[0].actor = Some(text.into())),
        ("skill", |script, text| script.actions[0].skill = text.into()),
        ("package", |script, text| script.app.package = text.into()),
        ("instruction", |script, text| script.actions[0].instruction = text.into()),
        ("expectation", |script, text| script.expectations = vec![Expectation::Visible(text.into())]),
    ];

    #[test]
    fn nothing_in_a_script_becomes_a_command_of_the_host() {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().join("mark");
        let touch = format!("touch {}", mark.display());
        for (place, change) in PLACES {
            for text in [
                format!("x\n{touch}\n#"),
                format!("x\r\n{touch}\n"),
                format!("$({touch})"),
                format!("`{touch}`"),
                format!("'; {touch}; '"),
                format!("\"; {touch}; \""),
                format!("x; {touch}"),
            ] {
                let mut odd = script();
                change(&mut odd, &text);
                let file = folder.path().join("odd.sh");
                std::fs::write(&file, to_shell(&odd)).unwrap();
                // Without a device: it ends at its first look at one, or at the secret that is missing.
                let mut shell = Command::new("sh");
                shell.arg(&file).env("ADB", "false");
                shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
                shell.status().unwrap();
                assert!(!mark.exists(), "{place}: {text:?} was carried out");
            }
        }
    }

    #[test]
    fn a_package_is_one_word_for_both_shells() {
        let mut odd = script();
        odd.app.package = "a.b; reboot".into();
        // The host's shell takes one level of quotes, the device's the other.
        let twice = format!("start_app {}\n", quote(&quote("a.b; reboot")));
        assert!(to_shell(&odd).contains(&twice), "{}", to_shell(&odd));
        assert!(to_shell(&script()).contains("start_app com.example.pay\n"));
    }

    #[test]
    fn control_characters_and_odd_packages_are_refused_by_the_loader() {
        for (place, change) in PLACES.iter().filter(|(place, _)| !matches!(*place, "instruction" | "expectation")) {
            for nasty in ["x\ny", "x\u{2028}y"] {
                let mut odd = script();
                change(&mut odd, nasty);
                let text = odd.sealed(None).to_toml().unwrap();
                let error = Script::parse(Path::new("s.toml"), &text).unwrap_err().to_string();
                assert!(error.contains("control character") || error.contains("application id"), "{place}: {error}");
            }
        }
        let mut odd = script();
        odd.actions[0].text = Some("a\u{1b}[2J".into());
        let text = odd.sealed(None).to_toml().unwrap();
        assert!(Script::parse(Path::new("s.toml"), &text).is_err());
    }
}
