//! `cargo xtask framework --cases TAPWRIGHT`: the cases of `tests/framework` against the sample app, in the agent's own loop
//! and through the real adb. Each has to pass and its script to replay; the planted one has to fail.

use crate::failure::Failure;
use crate::framework_link::failed;
use crate::framework_played::{Play, Player, first};
use std::path::{Path, PathBuf};

/// What files of cases end with.
const ENDING: &str = ".case.yaml";
/// The case that expects what is not so.
const PLANTED: &str = "FW-PLANTED";

/// What a run came to.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    /// `passed`, `failed`, `blocked`, `error`, or `no report`.
    verdict: String,
    reason: String,
}

impl Outcome {
    fn of(report: &str) -> Self {
        let own = |name| first(report, name).map(str::to_owned);
        Self {
            verdict: own("verdict").unwrap_or_else(|| "no report".to_owned()),
            reason: own("reason").unwrap_or_default(),
        }
    }
}

/// Runs the cases of `cases` (a folder), prints a line for each, and fails where one is not as it should be.
pub(crate) fn run(play: Play<'_>, cases: &Path) -> Result<(), Failure> {
    let files = files(cases)?;
    let wrong = play.with(|player, _| {
        let mut wrong = Vec::new();
        for (id, file) in &files {
            let copy = player.folder().join(format!("{id}{ENDING}"));
            std::fs::copy(file, &copy).map_err(|error| failed(&error))?;
            if !case(player, id)? {
                wrong.push(id.clone());
            }
        }
        println!(
            "{} of {} cases are as they should be; reports: {}",
            files.len() - wrong.len(),
            files.len(),
            player.folder().join("runs").display()
        );
        Ok(wrong)
    })?;
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Failed(format!("not as they should be: {}", wrong.join(", ")))) }
}

/// Case ids with their files, sorted.
fn files(cases: &Path) -> Result<Vec<(String, PathBuf)>, Failure> {
    let entries = std::fs::read_dir(cases).map_err(|error| failed(&error))?;
    let case = |path: PathBuf| Some((path.file_name()?.to_str()?.strip_suffix(ENDING)?.to_owned(), path));
    let mut files: Vec<_> = entries.flatten().filter_map(|entry| case(entry.path())).collect();
    files.sort();
    Ok(files)
}

/// Runs one case, and its script where it has to pass; whether both came out as they should.
fn case(player: &Player<'_>, id: &str) -> Result<bool, Failure> {
    let said = player.tapwright(&["run", id])?;
    let run = Outcome::of(&player.last());
    if id == PLANTED {
        return Ok(told(id, "run", &run, "failed"));
    }
    if !told(id, "run", &run, "passed") || !said.status.success() {
        return Ok(false);
    }
    player.tapwright(&["replay", id])?;
    Ok(told(id, "replay", &Outcome::of(&player.last()), "passed"))
}

/// Prints how something came out; whether it is what was wanted.
fn told(id: &str, what: &str, outcome: &Outcome, wanted: &str) -> bool {
    let right = outcome.verdict == wanted;
    println!("{} {id:<12} {what:<7} {:<8} {}", if right { "✓" } else { "✗" }, outcome.verdict, outcome.reason);
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_wanted_verdict_is_right_and_blocked_is_not_failed() {
        let outcome = Outcome::of("{\n  \"verdict\": \"blocked\",\n  \"reason\": \"no way\"\n}");
        assert_eq!(outcome, Outcome { verdict: "blocked".to_owned(), reason: "no way".to_owned() });
        assert!(!told(PLANTED, "run", &outcome, "failed"));
        assert!(told("FW-LIST", "run", &Outcome::of("{\n  \"verdict\": \"passed\"\n}"), "passed"));
        assert_eq!(Outcome::of("").verdict, "no report");
    }

    #[test]
    fn the_bundled_cases_are_found_and_the_planted_one_is_among_them() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/framework");
        let ids: Vec<String> = files(&folder).unwrap().into_iter().map(|(id, _)| id).collect();
        assert_eq!(ids, ["FW-DIALOG", "FW-FORM", "FW-LIST", "FW-MENU", "FW-PICKER", PLANTED]);
    }
}
