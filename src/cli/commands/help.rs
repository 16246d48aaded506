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
    use clap::Parser as _;
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

    /// The texts of topics and skills, by name.
    fn texts() -> Vec<(String, String)> {
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
        texts
    }

    /// The command lines of a text: what stands between backquotes, and indented lines up to the explanation behind them.
    fn command_lines(text: &str) -> Vec<String> {
        let quoted = Regex::new(r"(?s)`(tapwright [^`]*)`").unwrap();
        let mut lines: Vec<String> = quoted.captures_iter(text).map(|found| found[1].replace('\n', " ")).collect();
        let indented =
            text.lines().filter_map(|line| line.strip_prefix("    ").filter(|line| line.starts_with("tapwright ")));
        lines.extend(indented.map(|line| line.split("  ").next().unwrap_or_default().to_owned()));
        let topic = Regex::new(r"tapwright help [a-z]+").unwrap();
        lines.extend(topic.find_iter(text).map(|found| found.as_str().to_owned()));
        lines
    }

    /// Whatever a topic or a skill tells to type is read as the program reads it.
    #[test]
    fn every_command_that_a_text_tells_to_type_is_understood() {
        let mut checked = 0;
        for (name, text) in texts() {
            for line in command_lines(&text) {
                let mut words = shlex::split(&line).unwrap_or_else(|| panic!("{name}: {line}"));
                if words[1] == "help" {
                    let known = words.get(2).is_none_or(|topic| topic == "TOPIC" || told(topic).is_ok());
                    assert!(known, "{name}: {line}");
                    continue;
                }
                // Numbers and shares that a text leaves open.
                for word in &mut words {
                    *word = match word.as_str() {
                        "K/N" => "1/2".to_owned(),
                        other => other.trim_end_matches('…').to_owned(),
                    };
                }
                if let Err(error) = Cli::try_parse_from(&words) {
                    panic!("{name}: {line}\n{error}");
                }
                checked += 1;
            }
        }
        assert!(checked > 50, "only {checked} commands were found");
    }
}
