//! Names, sizes and headers of files, and paths that exist on one machine only.

use crate::finding::Finding;
use crate::source::{Source, pattern};
use regex::Regex;
use std::sync::LazyLock;

/// Names that say nothing about what is inside.
const DRAWERS: &[&str] = &["util", "utils", "helper", "helpers", "common", "misc"];
/// Product lines a file may have without giving a reason.
const LONG: usize = 500;
/// How far down a reason for its length may stand.
const TOP: usize = 30;

fn whole_file(source: &Source, rule: &'static str, message: String) -> Vec<Finding> {
    vec![Finding { rule, path: source.path.clone(), line: 0, message }]
}

/// A module that does not begin with `//!`. The tests of a module, moved into `tests.rs`, need no introduction.
pub(crate) fn undocumented(source: &Source) -> Vec<Finding> {
    if source.path.ends_with("/tests.rs") {
        return Vec::new();
    }
    let mut lines = source.text.lines().map(str::trim).filter(|line| !line.is_empty());
    let says_something = lines.next().and_then(|line| line.strip_prefix("//!")).is_some_and(|doc| doc.trim().len() > 2);
    if says_something {
        return Vec::new();
    }
    whole_file(source, "module doc", "begin the file with `//!`: what lives here, what must not".into())
}

/// A file or folder called `utils` and the like.
pub(crate) fn drawer_name(source: &Source) -> Vec<Finding> {
    let Some(drawer) = source.path.trim_end_matches(".rs").split('/').find(|part| DRAWERS.contains(part)) else {
        return Vec::new();
    };
    whole_file(source, "drawer", format!("name it after the one thing it holds, not `{drawer}`"))
}

/// Too many lines of product code without a `// size:` reason.
pub(crate) fn too_long(source: &Source) -> Vec<Finding> {
    let lines = source.code_and_strings.lines().filter(|line| !line.trim().is_empty()).count();
    let reason = source.text.lines().take(TOP).find_map(|line| line.trim().strip_prefix("// size:"));
    if lines <= LONG || reason.is_some_and(|reason| reason.trim().len() > 10) {
        return Vec::new();
    }
    whole_file(source, "size", format!("{lines} lines of code: split it, or say why not in a `// size: …` line on top"))
}

/// An absolute path below a folder that is somebody's own.
static MACHINE_PATH: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?m)(^|[^A-Za-z0-9_.~$}/-])/(work|tw|root|home/[a-z0-9_-]+|Users/[A-Za-z0-9_-]+)/"));

/// Absolute paths of somebody's machine, in any text file.
pub(crate) fn machine_paths(path: &str, text: &str) -> Vec<Finding> {
    let finding = |(line, found): (usize, String)| Finding {
        rule: "machine path",
        path: path.to_owned(),
        line,
        message: format!("`{found}` exists on one machine only"),
    };
    Source::matches(text, &MACHINE_PATH).into_iter().map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_without_a_doc_is_found() {
        assert!(!undocumented(&Source::new("src/a.rs", "use x;\n//! late")).is_empty());
        assert!(!undocumented(&Source::new("src/a.rs", "//! t\nuse x;")).is_empty(), "a letter is no doc");
        assert!(!undocumented(&Source::new("src/a.rs", "")).is_empty());
        assert!(undocumented(&Source::new("src/a/tests.rs", "use super::*;")).is_empty());
        assert!(undocumented(&Source::new("src/a.rs", "\n//! Reads dumps.\nuse x;")).is_empty());
    }

    #[test]
    fn drawers_are_found_as_files_and_as_folders() {
        for path in ["src/utils.rs", "src/adb/helpers.rs", "tests/integration/common/mod.rs", "src/misc/a.rs"] {
            assert!(!drawer_name(&Source::new(path, "")).is_empty(), "{path}");
        }
        assert!(drawer_name(&Source::new("src/adb/common_reply.rs", "")).is_empty());
    }

    #[test]
    fn a_long_file_needs_a_reason_and_tests_and_comments_do_not_count() {
        let line = "fn a() {}\n";
        assert!(!too_long(&Source::new("src/a.rs", &line.repeat(LONG + 1))).is_empty());
        assert!(too_long(&Source::new("src/a.rs", &line.repeat(LONG))).is_empty());
        let reasoned = format!("// size: one table, useless in pieces\n{}", line.repeat(LONG + 1));
        assert!(too_long(&Source::new("src/a.rs", &reasoned)).is_empty());
        let tests = format!("// b\n#[cfg(test)]\nmod tests {{\n{}}}\n", line.repeat(LONG + 1));
        assert!(too_long(&Source::new("src/a.rs", &tests)).is_empty());
    }

    #[test]
    fn machine_paths_are_found_and_device_paths_are_not() {
        // The bad paths are put together here, so that this file does not hold them itself.
        for top in ["work", "tw", "root", "home/ann"] {
            let text = format!("a\nsee {}{top}/thing", '/');
            let found = machine_paths("README.md", &text);
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(found[0].line, 2);
        }
        for text in
            ["/sdcard/window_dump.xml", "/data/local/tmp/x", "https://example.com/root/x", "a/work/b", "$HOME/x"]
        {
            assert!(machine_paths("README.md", text).is_empty(), "{text}");
        }
    }
}
