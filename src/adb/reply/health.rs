//! `getprop sys.boot_completed; df -k /data; dumpsys battery`: whether a device is fit for a run.

/// What a device said of its health; `None` for what it did not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Health {
    /// False while it boots.
    pub booted: Option<bool>,
    /// Megabytes that are free where apps and their data lie.
    pub free_megabytes: Option<u64>,
    /// Percent of the battery, where it is not charged from outside.
    pub battery_percent: Option<u8>,
}

/// Reads the answer, in whatever order and with whatever else in it.
pub fn parse_health(text: &str) -> Health {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty());
    let booted = first.and_then(|line| match line {
        "1" => Some(true),
        "0" => Some(false),
        _ => None,
    });
    // A long device name pushes the numbers onto a line of their own; the mount point is the last word either way.
    let free = text.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [.., available, percent, mount] = words.as_slice() else { return None };
        let is_row = percent.ends_with('%') && mount.starts_with("/data");
        is_row.then(|| available.parse::<u64>().ok()).flatten()
    });
    let said = |name: &str| {
        let line = text.lines().map(str::trim).find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.map(str::trim)
    };
    let powered = ["AC powered", "USB powered", "Wireless powered", "Dock powered"];
    let powered = powered.iter().any(|name| said(name) == Some("true"));
    let present = said("present") != Some("false");
    let level = said("level").and_then(|level| level.parse().ok()).filter(|_| present && !powered);
    Health { booted, free_megabytes: free.map(|blocks| blocks / 1024), battery_percent: level }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_devices_say_of_their_health_reads_as_a_table() {
        let df = "Filesystem     1K-blocks    Used Available Use% Mounted on\n/dev/block/dm-5  6082000 2048000   3906560  35% /data\n";
        let wrapped = "Filesystem 1K-blocks Used Available Use% Mounted on\n/dev/block/by-name/userdata-with-a-long-name\n 6082000 6080000 2048 99% /data/user/0\n";
        let charged =
            "Current Battery Service state:\n  AC powered: false\n  USB powered: true\n  present: true\n  level: 7\n";
        let alone = "  AC powered: false\n  USB powered: false\n  present: true\n  level: 7\n  scale: 100\n";
        let health = |booted, free_megabytes, battery_percent| Health { booted, free_megabytes, battery_percent };
        for (text, expected) in [
            (format!("1\n{df}{charged}"), health(Some(true), Some(3815), None)),
            (format!("0\n{df}{alone}"), health(Some(false), Some(3815), Some(7))),
            (format!("\n{wrapped}"), health(None, Some(2), None)),
            (
                "1\ndf: /data: Permission denied\nCan't find service: battery\n".to_owned(),
                health(Some(true), None, None),
            ),
            (String::new(), Health::default()),
        ] {
            assert_eq!(parse_health(&text), expected, "{text}");
        }
    }
}
