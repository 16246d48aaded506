//! Which emulators are to run: what the settings wish for, and a port and a serial for each.

use crate::domain::DeviceSerial;
use std::num::NonZeroU8;
use std::ops::RangeInclusive;

/// Ports of consoles that an emulator takes; each has its adb port one higher.
const CONSOLES: RangeInclusive<u16> = 5554..=5682;

/// Emulators of one virtual device, as the settings name them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmulatorWish {
    /// The virtual device's name, as `emulator -list-avds` tells it.
    pub avd: String,
    /// How many of it run beside each other; none of several keeps what it writes.
    pub instances: NonZeroU8,
    /// The lowest port for their consoles, even; 5554 where it is absent.
    pub port: Option<u16>,
    /// The snapshot that is restored before each run; nothing is where it is absent.
    pub snapshot: Option<String>,
    /// Arguments of the emulator beside the daemon's own.
    pub arguments: Vec<String>,
}

/// Why emulators cannot be planned.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PlanError {
    /// A name that the emulator's console would read as more than a name.
    #[error("tapwright.toml: [[emulators]] {key} = {name:?}: use letters, digits, '.', '_' and '-' only")]
    Name {
        /// The setting.
        key: &'static str,
        /// Its value.
        name: String,
    },
    /// All are taken.
    #[error("no port is left for an emulator of {avd:?}: a machine has 65 pairs of them, 5554 to 5683")]
    NoPort {
        /// The virtual device.
        avd: String,
    },
    /// No console can be there.
    #[error("tapwright.toml: [[emulators]] port = {0}: use an even number from 5554 to 5682")]
    Port(u16),
}

/// One emulator that is to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmulatorPlan {
    pub(super) avd: String,
    pub(super) port: u16,
    pub(super) snapshot: Option<String>,
    arguments: Vec<String>,
    is_one_of_several: bool,
}

impl EmulatorPlan {
    /// A plan for each instance of each wish, on the lowest console ports for which `is_free` holds.
    ///
    /// # Errors
    /// A name is none, or no port is left.
    pub fn of(wishes: &[EmulatorWish], is_free: &dyn Fn(u16) -> bool) -> Result<Vec<Self>, PlanError> {
        let mut plans: Vec<Self> = Vec::new();
        for wish in wishes {
            checked("avd", &wish.avd)?;
            wish.snapshot.iter().try_for_each(|snapshot| checked("snapshot", snapshot))?;
            let lowest = wish.port.unwrap_or(*CONSOLES.start());
            if !CONSOLES.contains(&lowest) || lowest % 2 != 0 {
                return Err(PlanError::Port(lowest));
            }
            for _ in 0..wish.instances.get() {
                let is_taken = |port: u16| plans.iter().any(|plan| plan.port == port);
                let mut ports = (lowest..=*CONSOLES.end()).step_by(2);
                let port = ports.find(|port| !is_taken(*port) && is_free(*port) && is_free(port + 1));
                let port = port.ok_or_else(|| PlanError::NoPort { avd: wish.avd.clone() })?;
                plans.push(Self {
                    avd: wish.avd.clone(),
                    port,
                    snapshot: wish.snapshot.clone(),
                    arguments: wish.arguments.clone(),
                    is_one_of_several: wish.instances.get() > 1,
                });
            }
        }
        Ok(plans)
    }

    /// How the adb server will name it.
    pub fn serial(&self) -> DeviceSerial {
        DeviceSerial::new(format!("emulator-{}", self.port))
    }

    /// The emulator's arguments: without a window, and nothing of a run stays in the virtual device.
    pub fn command_line(&self) -> Vec<String> {
        let port = self.port.to_string();
        let mut line: Vec<&str> = vec!["-avd", &self.avd, "-port", &port, "-no-window", "-no-audio", "-no-boot-anim"];
        line.push("-no-snapshot-save");
        if let Some(snapshot) = &self.snapshot {
            line.extend(["-snapshot", snapshot]);
        }
        if self.is_one_of_several {
            line.push("-read-only");
        }
        line.into_iter().map(str::to_owned).chain(self.arguments.iter().cloned()).collect()
    }
}

fn checked(key: &'static str, name: &str) -> Result<(), PlanError> {
    let fine = |character: char| character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | '-');
    let is_name = !name.is_empty() && !name.starts_with('-') && name.chars().all(fine);
    if is_name { Ok(()) } else { Err(PlanError::Name { key, name: name.to_owned() }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(avd: &str, instances: u8, snapshot: Option<&str>) -> EmulatorWish {
        EmulatorWish {
            avd: avd.into(),
            instances: NonZeroU8::new(instances).unwrap(),
            port: None,
            snapshot: snapshot.map(Into::into),
            arguments: vec!["-gpu".into(), "swiftshader_indirect".into()],
        }
    }

    #[test]
    fn each_instance_gets_a_free_pair_of_ports_and_several_keep_nothing() {
        let taken = [5554, 5557];
        let plans = EmulatorPlan::of(&[wish("pixel", 2, Some("clean")), wish("small", 1, None)], &|port| {
            !taken.contains(&port)
        });
        let plans = plans.unwrap();
        let serials: Vec<String> = plans.iter().map(|plan| plan.serial().to_string()).collect();
        assert_eq!(serials, ["emulator-5558", "emulator-5560", "emulator-5562"]);
        assert_eq!(
            plans[0].command_line().join(" "),
            "-avd pixel -port 5558 -no-window -no-audio -no-boot-anim -no-snapshot-save -snapshot clean -read-only \
             -gpu swiftshader_indirect"
        );
        let alone = plans[2].command_line().join(" ");
        assert!(!alone.contains("-read-only") && !alone.contains("-snapshot "), "{alone}");
    }

    #[test]
    fn names_and_ports_are_checked() {
        for (wish, key) in [
            (wish("pixel 7", 1, None), "avd"),
            (wish("", 1, None), "avd"),
            (wish("-wipe-data", 1, None), "avd"),
            (wish("pixel", 1, Some("clean\nkill")), "snapshot"),
        ] {
            let error = EmulatorPlan::of(std::slice::from_ref(&wish), &|_| true).unwrap_err();
            assert!(matches!(&error, PlanError::Name { key: named, .. } if *named == key), "{wish:?}: {error}");
        }
        let many = EmulatorPlan::of(&[wish("pixel", 65, None)], &|_| true).unwrap();
        assert_eq!((many.len(), many[64].port), (65, 5682));
        let error = EmulatorPlan::of(&[wish("pixel", 66, None)], &|_| true).unwrap_err();
        assert_eq!(error, PlanError::NoPort { avd: "pixel".into() });
        for (port, expected) in [
            (5600, Ok(5600)),
            (5601, Err(PlanError::Port(5601))),
            (80, Err(PlanError::Port(80))),
            (5684, Err(PlanError::Port(5684))),
        ] {
            let own = EmulatorWish { port: Some(port), ..wish("pixel", 1, None) };
            assert_eq!(EmulatorPlan::of(&[own], &|_| true).map(|plans| plans[0].port), expected);
        }
    }
}
