//! `tapwright init` and `tapwright schema`: what a repository needs to begin.

use crate::cli::{Exit, Failure, InitArgs, SchemaChoice};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::Path;

const CASE_SCHEMA: &str = include_str!("../../../docs/schemas/case.schema.json");
const APP_SCHEMA: &str = include_str!("../../../docs/schemas/app.schema.json");
const RESULT_SCHEMA: &str = include_str!("../../../docs/schemas/result.schema.json");
const MANIFEST_SCHEMA: &str = include_str!("../../../docs/schemas/manifest.schema.json");

/// Files of a new workspace. What is there already stays as it is.
const FILES: [(&str, &str); 4] = [
    ("tapwright.toml", include_str!("init/tapwright.toml")),
    ("cases/FIRST-1.case.yaml", include_str!("init/FIRST-1.case.yaml")),
    ("schemas/case.schema.json", CASE_SCHEMA),
    (".github/workflows/tapwright.yml", include_str!("../../../docs/ci/github-actions.yml")),
];

/// What runs leave behind and nobody commits.
const IGNORED: [&str; 4] = ["/runs", "/.tapwright", "/maps", "/models/runtime"];

/// Makes a workspace, and tells of each file what became of it.
pub(super) fn init(args: &InitArgs) -> Result<Exit, Failure> {
    for (name, text) in FILES {
        let word = if create(&args.folder.join(name), text)? { "made" } else { "kept" };
        anstream::eprintln!("{word}  {name}");
    }
    let added = ignore(&args.folder.join(".gitignore"))?;
    anstream::eprintln!("{}  .gitignore", if added { "made" } else { "kept" });
    anstream::eprintln!(
        "\nnext: name your app in cases/FIRST-1.case.yaml, then `tapwright doctor` and `tapwright run FIRST-1`"
    );
    Ok(Exit::Passed)
}

/// Prints a JSON Schema.
pub(super) fn schema(choice: SchemaChoice) -> Exit {
    let text = match choice {
        SchemaChoice::Case => CASE_SCHEMA,
        SchemaChoice::App => APP_SCHEMA,
        SchemaChoice::Result => RESULT_SCHEMA,
        SchemaChoice::Manifest => MANIFEST_SCHEMA,
    };
    anstream::print!("{text}");
    Exit::Passed
}

/// Writes a file that is not there yet; false where it is.
fn create(path: &Path, text: &str) -> Result<bool, Failure> {
    let failed = |error: std::io::Error| Failure::usage(format!("cannot write {}: {error}", path.display()));
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(mut file) => file.write_all(text.as_bytes()).map(|()| true).map_err(failed),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(failed(error)),
    }
}

/// Adds the lines that are missing; false where none is.
fn ignore(path: &Path) -> Result<bool, Failure> {
    let failed = |error: std::io::Error| Failure::usage(format!("cannot write {}: {error}", path.display()));
    let known = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => return Err(failed(error)),
    };
    let listed = |line: &str| known.lines().any(|known| known.trim().trim_matches('/') == line.trim_matches('/'));
    let missing: Vec<&str> = IGNORED.into_iter().filter(|line| !listed(line)).collect();
    if missing.is_empty() {
        return Ok(false);
    }
    let gap = if known.is_empty() || known.ends_with('\n') { "" } else { "\n" };
    let mut file = OpenOptions::new().append(true).create(true).open(path).map_err(failed)?;
    writeln!(file, "{gap}{}", missing.join("\n")).map_err(failed)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{CaseIndex, Selection};

    #[test]
    fn a_new_workspace_has_a_case_that_can_be_read_and_what_was_there_stays() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::write(root.join(".gitignore"), "runs/\nbuild").unwrap();
        std::fs::write(root.join("tapwright.toml"), "# mine\n").unwrap();
        for _ in 0..2 {
            assert_eq!(init(&InitArgs { folder: root.to_owned() }).unwrap(), Exit::Passed);
        }
        let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
        assert_eq!(read("tapwright.toml"), "# mine\n");
        assert_eq!(read(".gitignore"), "runs/\nbuild\n/.tapwright\n/maps\n/models/runtime\n");
        let index = CaseIndex::scan(&[root.join("cases")]).unwrap();
        let cases = index.select(&[Selection::parse("FIRST-1").unwrap()]).unwrap();
        assert_eq!(cases.len(), 1);
        assert!(read("cases/FIRST-1.case.yaml").starts_with("# yaml-language-server: $schema=../schemas/"));
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_told_with_its_name() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), "").unwrap();
        let error = init(&InitArgs { folder: folder.path().join("file") }).unwrap_err();
        assert!(format!("{error:?}").contains("tapwright.toml"), "{error:?}");
    }
}
