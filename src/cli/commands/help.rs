//! `tapwright help`: of commands as clap has it, and of topics.

use crate::cli::{Cli, Exit, Failure};
use clap::CommandFactory as _;

/// Topics: name, what it is about in a few words, and the text.
const TOPICS: [(&str, &str, &str); 11] = [
    ("cases", "how a test case is written", include_str!("../../../docs/help/cases.md")),
    (
        "verdicts",
        "what passed, failed, blocked and error mean; exit codes",
        include_str!("../../../docs/help/verdicts.md"),
    ),
    ("blocked", "what to do about a blocked run", include_str!("../../../docs/help/blocked.md")),
    ("scripts", "replaying, repairing, exporting", include_str!("../../../docs/help/scripts.md")),
    ("record", "a case and a script by using the app", include_str!("../../../docs/help/record.md")),
    ("gate", "an answer for a commit, for build servers", include_str!("../../../docs/help/gate.md")),
    ("reports", "what a run leaves", include_str!("../../../docs/help/reports.md")),
    ("devices", "phones, emulators and virtual devices", include_str!("../../../docs/help/devices.md")),
    ("models", "the model and its runtime library", include_str!("../../../docs/help/models.md")),
    ("privacy", "what leaves the machine, and secrets", include_str!("../../../docs/help/privacy.md")),
    ("agents", "for coding agents: JSON, MCP, skills", include_str!("../../../docs/help/agents.md")),
];

/// Prints a topic, the help of a command, or what there is.
pub(super) fn help(words: &[String]) -> Result<Exit, Failure> {
    anstream::print!("{}", text(words)?);
    Ok(Exit::Passed)
}

fn text(words: &[String]) -> Result<String, Failure> {
    let mut command = Cli::command();
    command.build();
    if let [topic] = words
        && let Some((.., text)) = TOPICS.iter().find(|(name, ..)| name == topic)
    {
        return Ok((*text).to_owned());
    }
    let mut command = &mut command;
    for word in words {
        let known = command.find_subcommand_mut(word);
        command = known.ok_or_else(|| {
            Failure::usage(format!("there is no command and no topic {:?}; topics are: {}", words.join(" "), names()))
        })?;
    }
    let help = command.render_long_help().to_string();
    if !words.is_empty() {
        return Ok(help);
    }
    let listed = TOPICS.iter().map(|(name, about, _)| format!("  {name:<10} {about}\n")).collect::<String>();
    Ok(format!("{help}\n\nTopics (`tapwright help TOPIC`):\n{listed}"))
}

fn names() -> String {
    TOPICS.map(|(name, ..)| name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use regex::Regex;
    use std::path::Path;

    fn told(words: &str) -> Result<String, String> {
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        text(&words).map_err(|failure| failure.message)
    }

    #[test]
    fn topics_commands_and_the_list_of_both_are_told() {
        assert!(told("verdicts").unwrap().starts_with("# Verdicts\n"));
        assert!(told("models install").unwrap().contains("--from <FOLDER>"));
        let all = told("").unwrap();
        assert!(
            all.contains("Exit codes:") && all.contains("\n  blocked    what to do about a blocked run\n"),
            "{all}"
        );
        let wrong = told("verdict").unwrap_err();
        assert!(wrong.contains("no topic \"verdict\"") && wrong.contains("verdicts, blocked"), "{wrong}");
    }

    /// Whatever a topic or a skill tells to type is a command with such options.
    #[test]
    fn every_command_that_a_text_names_exists() {
        let command_line = Regex::new(r"tapwright ((?:[a-z][a-z-]*)(?: [^`\n]*)?)").unwrap();
        let skills = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/skills");
        let mut texts: Vec<(String, String)> =
            TOPICS.iter().map(|(name, _, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        for entry in std::fs::read_dir(skills).unwrap() {
            let file = entry.unwrap().path().join("SKILL.md");
            let text = std::fs::read_to_string(&file).unwrap();
            let name = file.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
            assert!(text.starts_with(&format!("---\nname: tapwright-{name}\ndescription: ")), "{}", file.display());
            texts.push((name, text));
        }
        let mut cli = Cli::command();
        cli.build();
        let mut checked = 0;
        for (name, text) in &texts {
            for found in command_line.captures_iter(text) {
                let words: Vec<&str> = found[1].split_whitespace().collect();
                if words[0] == "help" {
                    if let Some(topic) = words.get(1).map(|word| word.trim_end_matches(|c: char| !c.is_alphanumeric()))
                    {
                        assert!(topic == "TOPIC" || told(topic).is_ok(), "{name}: no topic {topic}");
                    }
                    continue;
                }
                let mut command = cli.find_subcommand(words[0]).unwrap_or_else(|| panic!("{name}: {}", &found[0]));
                if let Some(inner) = words.get(1).and_then(|word| command.find_subcommand(word)) {
                    command = inner;
                }
                for option in words.iter().filter_map(|word| word.strip_prefix("--")) {
                    let option = option.trim_end_matches(|c: char| !c.is_alphanumeric());
                    let known = command.get_arguments().any(|argument| argument.get_long() == Some(option));
                    assert!(known, "{name}: {} has no --{option}", command.get_name());
                }
                checked += 1;
            }
        }
        assert!(checked > 50, "only {checked} commands were found");
    }
}
