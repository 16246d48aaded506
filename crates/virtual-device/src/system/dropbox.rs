//! `dumpsys dropbox`: what went wrong, kept over reboots (`DropBoxManagerService.java`).

use std::collections::VecDeque;

/// One report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DropBoxEntry {
    /// When, UTC.
    pub time: jiff::Timestamp,
    /// `data_app_crash`, `data_app_anr`.
    pub tag: &'static str,
    /// The report.
    pub text: String,
}

/// The reports, oldest first.
#[derive(Debug, Default)]
pub struct DropBox(VecDeque<DropBoxEntry>);

/// How many reports are kept (`DEFAULT_MAX_FILES`).
const MOST: usize = 1000;

impl DropBox {
    /// Adds a report, dropping the oldest when full.
    pub fn add(&mut self, entry: DropBoxEntry) {
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back(entry);
    }

    /// What `dumpsys dropbox [--print] [TAG…]` prints.
    pub fn print(&self, arguments: &[&str]) -> String {
        let full = arguments.iter().any(|word| matches!(*word, "-p" | "--print"));
        let wanted: Vec<&str> = arguments.iter().filter(|word| !word.starts_with('-')).copied().collect();
        let mut text = format!("Drop box contents: {} entries\nMax entries: {MOST}\n", self.0.len());
        if !wanted.is_empty() {
            text.extend(["Searching for: ", &wanted.join(" "), "\n"]);
        }
        text.push('\n');
        let mut found = 0;
        for entry in self.0.iter().filter(|entry| wanted.is_empty() || wanted.contains(&entry.tag)) {
            found += 1;
            if full {
                text.push_str("========================================\n");
            }
            let time = entry.time.strftime("%Y-%m-%d %H:%M:%S");
            let head = format!("{time} {} (text, {} bytes)\n", entry.tag, entry.text.len());
            text.push_str(&head);
            if full {
                text.push_str(&entry.text);
                if !entry.text.ends_with('\n') {
                    text.push('\n');
                }
            } else {
                let head: String = entry.text.chars().take(70).map(|c| if c == '\n' { '/' } else { c }).collect();
                text.extend(["    ", &head, "...\n"]);
            }
        }
        if found == 0 {
            text.push_str("(No entries found.)\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_found_by_tag_and_printed_on_demand() {
        let mut dropbox = DropBox::default();
        let time = jiff::Timestamp::UNIX_EPOCH;
        dropbox.add(DropBoxEntry { time, tag: "data_app_anr", text: "Process: a.b\nPID: 7\n".to_owned() });
        assert!(dropbox.print(&["data_app_crash"]).ends_with("(No entries found.)\n"));
        let full = dropbox.print(&["--print", "data_app_anr"]);
        assert!(full.contains("1970-01-01 00:00:00 data_app_anr (text, 20 bytes)\nProcess: a.b\nPID: 7\n"), "{full}");
        assert!(dropbox.print(&[]).contains("    Process: a.b/PID: 7/...\n"));
    }
}
