//! What `help` prints.

/// A command or subcommand: its words, arguments, and what it does.
pub(super) struct Entry {
    pub(super) name: &'static str,
    pub(super) arguments: &'static str,
    pub(super) what: &'static str,
    /// Allowed before `auth`.
    pub(super) open: bool,
}

const fn entry(name: &'static str, arguments: &'static str, what: &'static str, open: bool) -> Entry {
    Entry { name, arguments, what, open }
}

/// Every command, as `help` lists them.
pub(super) const COMMANDS: &[Entry] = &[
    entry("help|h|?", "[command]", "print a list of commands", true),
    entry("ping", "", "check if the emulator is alive", true),
    entry("auth", "<token>", "authenticate to the console", true),
    entry("quit|exit", "", "quit control session", true),
    entry("avd", "name|status|snapshot load <name>", "control virtual device execution", true),
    entry("event", "text <message>", "simulate hardware events", false),
    entry("fault", "list|add <spec>|set <specs>|clear", "make things go wrong (Tapwright's own)", false),
    entry("finger", "touch <id>|remove", "manage emulator finger print", false),
    entry("geo", "fix|nmea", "Geo-location commands", false),
    entry("kill", "", "terminate the emulator", false),
    entry("rotate", "", "rotate the screen by 90 degrees", false),
];

/// The whole list, or one command's line; `None` when there is no such command.
pub(super) fn text(command: &str, authenticated: bool) -> Option<String> {
    let shown = |entry: &&Entry| authenticated || entry.open;
    if command.is_empty() {
        let rows: String = COMMANDS
            .iter()
            .filter(shown)
            .map(|entry| format!("    {:<16} {}\r\n", entry.name, entry.what))
            .collect::<Vec<_>>()
            .concat();
        return Some(format!(
            "Android console command help:\r\n\r\n{rows}\r\ntry 'help <command>' for command-specific help\r\n"
        ));
    }
    COMMANDS
        .iter()
        .filter(shown)
        .find(|entry| entry.name.split('|').any(|name| name == command))
        .map(|entry| format!("{} {}\r\n    {}\r\n", entry.name, entry.arguments, entry.what))
}
