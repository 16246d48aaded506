//! Who may import whom.

use crate::finding::Finding;
use crate::source::{Source, line_of, pattern};
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The rooms, lowest first, and what each may import. [`EVERYTHING`] stands for all of them.
pub(crate) const ROOMS: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("hierarchy", &["domain"]),
    ("adb", &["domain"]),
    ("tls", &[]),
    ("inference", &["domain", "tls"]),
    ("lexicon", &["domain"]),
    ("case", &["domain", "lexicon"]),
    ("recorded", &["domain", "hierarchy"]),
    ("strings", &["domain"]),
    ("virtual_device", &["domain", "hierarchy", "recorded", "strings"]),
    ("gym", &["virtual_device"]),
    ("vision", &["domain", "hierarchy", "inference"]),
    ("app_map", &["domain", "hierarchy", "inference"]),
    ("device", &["domain", "hierarchy", "adb", "vision", "strings"]),
    ("skill", &["domain", "adb", "device"]),
    ("ranking", &["domain", "hierarchy", "inference", "skill"]),
    ("form", &["domain", "hierarchy", "ranking"]),
    ("witness", &["domain", "hierarchy", "vision", "skill", "case", "device"]),
    (
        "pipeline",
        &[
            "domain",
            "hierarchy",
            "adb",
            "inference",
            "lexicon",
            "app_map",
            "skill",
            "case",
            "device",
            "ranking",
            "form",
            "witness",
        ],
    ),
    ("script", &["domain", "hierarchy", "adb", "skill", "device", "witness"]),
    (
        "run",
        &[
            "domain",
            "hierarchy",
            "adb",
            "inference",
            "lexicon",
            "vision",
            "app_map",
            "skill",
            "case",
            "device",
            "ranking",
            "witness",
            "pipeline",
            "script",
            "recorded",
            "strings",
        ],
    ),
    (
        "evaluation",
        &[
            "domain",
            "hierarchy",
            "adb",
            "inference",
            "vision",
            "app_map",
            "skill",
            "case",
            "device",
            "ranking",
            "pipeline",
            "script",
            "run",
            "recorded",
            "virtual_device",
        ],
    ),
    ("artifact_store", &["domain", "tls"]),
    ("store", &["domain", "run"]),
    ("report", &["domain", "hierarchy", "run"]),
    ("gate", &["domain", "case", "script", "run", "report"]),
    ("daemon", &["domain", "tls", "adb", "device", "run", "artifact_store", "store", "report"]),
    ("cli", EVERYTHING),
    ("app", EVERYTHING),
];

/// The top of the house: arguments and the composition root, which know everything (and each other).
const EVERYTHING: &[&str] = &["*"];

/// The beginning of a path that may leave the room: this crate, modules above, or another crate of the product.
static PATH_HEAD: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\bcrate\s*::\s*|\b(?:super\s*::\s*)+|\btapwright(?:_\w+)?\s*::\s*"));

/// The table as a reader wants it.
pub(crate) fn table_text() -> String {
    let row = |(room, allowed): &(&str, &[&str])| {
        let allowed = if allowed.is_empty() { "nothing".to_owned() } else { allowed.join(", ") };
        format!("  {room:<15} may import {allowed}")
    };
    format!("Who may import whom (tests/tidy/imports.rs):\n{}", ROOMS.iter().map(row).collect::<Vec<_>>().join("\n"))
}

/// Rooms that are only in the table or only in the folders of the sources.
pub(crate) fn missing_rooms(present: &[String]) -> Vec<String> {
    let listed: BTreeSet<_> = ROOMS.iter().map(|(room, _)| (*room).to_owned()).collect();
    listed.symmetric_difference(&present.iter().cloned().collect()).cloned().collect()
}

/// Rows of `ARCHITECTURE.md`'s table of rooms that differ from [`ROOMS`]: `| `room` | purpose | may import |`.
pub(crate) fn differing_rows(page: &str) -> Vec<String> {
    let row = |(room, allowed): &(&str, &[&str])| {
        let allowed = match *allowed {
            [] => "nothing".to_owned(),
            EVERYTHING => "everything".to_owned(),
            some => some.join(", "),
        };
        (format!("| `{room}` | "), format!(" | {allowed} |"))
    };
    let shown =
        |(start, end): &(String, String)| page.lines().any(|line| line.starts_with(start) && line.ends_with(end));
    let missing = ROOMS.iter().map(row).filter(|row| !shown(row));
    missing.map(|(start, end)| format!("ARCHITECTURE.md should say {start}…{end}")).collect()
}

/// Imports of a product file that the table does not allow.
pub(crate) fn forbidden(source: &Source) -> Vec<Finding> {
    let Some(room) = room_of(&source.path) else { return Vec::new() };
    let allowed = ROOMS.iter().find(|(name, _)| *name == room).map_or(&[][..], |(_, allowed)| allowed);
    used_rooms(source)
        .into_iter()
        .filter(|(_, used)| *used != room && allowed != EVERYTHING && !allowed.contains(&used.as_str()))
        .map(|(line, used)| Finding {
            rule: "imports",
            path: source.path.clone(),
            line,
            message: format!("`{room}` may not import `{used}`: move the shared type down, or pass a trait in"),
        })
        .collect()
}

/// The room of a product file, `None` for a crate's root that only lists its rooms. A crate is one room where the table has
/// its name (`crates/virtual-device` is `virtual_device`); else its folders are rooms, as those of `src/` are.
pub(crate) fn room_of(path: &str) -> Option<String> {
    if let Some(room) = room_of_crate(path) {
        return Some(room);
    }
    let inside =
        path.strip_prefix("src/").or_else(|| path.strip_prefix("crates/")?.split_once("/src/").map(|it| it.1))?;
    let room = inside.split(['/', '.']).next()?;
    (!matches!(room, "lib" | "main")).then(|| room.to_owned())
}

/// The room that a file's crate is as a whole.
fn room_of_crate(path: &str) -> Option<String> {
    let (folder, _) = path.strip_prefix("crates/")?.split_once("/src/")?;
    is_room(&folder.replace('-', "_")).then(|| folder.replace('-', "_"))
}

fn is_room(name: &str) -> bool {
    ROOMS.iter().any(|(room, _)| *room == name)
}

/// The rooms a file names, each with its line: `crate::x`, `crate::{x, y::z}`, `super::super::x` out of the room,
/// `tapwright_base::x`, `tapwright_virtual_device::…`. Within a crate that is one room only other crates are looked at:
/// `crate::x` is a module of the room's own there.
fn used_rooms(source: &Source) -> Vec<(usize, String)> {
    let code = &source.code;
    let one_room = room_of_crate(&source.path).is_some();
    let mut used = Vec::new();
    for path in PATH_HEAD.find_iter(code) {
        let head = path.as_str().split("::").next().unwrap_or_default().trim();
        let own = matches!(head, "crate" | "super");
        if own && one_room {
            continue;
        }
        if let Some(room) = head.strip_prefix("tapwright_").filter(|name| is_room(name)) {
            used.push((line_of(code, path.end()), room.to_owned()));
            continue;
        }
        let is_super = head == "super";
        if is_super && path.as_str().matches("super").count() < depth(&source.path) {
            continue;
        }
        for (offset, name) in first_names(&code[path.end()..]) {
            // After enough `super`s the name may also be an item of the crate root; only rooms matter.
            if is_room(&name) || !is_super {
                used.push((line_of(code, path.end() + offset), name));
            }
        }
    }
    used
}

/// How many `super`s lead from a file's module to the crate root.
fn depth(path: &str) -> usize {
    let inside = path.split_once("/src/").map_or(path, |(_, inside)| inside).trim_start_matches("src/");
    let folders = inside.matches('/').count() + 1;
    if path.ends_with("/mod.rs") { folders - 1 } else { folders }
}

/// The first segments of a path that begins here: one name, or those of a `{…}` group.
fn first_names(rest: &str) -> Vec<(usize, String)> {
    let name_at = |start: usize| -> Option<(usize, String)> {
        let name: String = rest[start..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        (!name.is_empty()).then_some((start, name))
    };
    if !rest.starts_with('{') {
        return name_at(0).into_iter().collect();
    }
    let (mut depth, mut expect_name, mut names) = (0_usize, false, Vec::new());
    for (at, c) in rest.char_indices() {
        match c {
            '{' => (depth, expect_name) = (depth + 1, depth == 0),
            '}' if depth == 1 => break,
            '}' => depth -= 1,
            ',' if depth == 1 => expect_name = true,
            c if expect_name && !c.is_whitespace() => {
                names.extend(name_at(at));
                expect_name = false;
            }
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        let finding = |finding: Finding| format!("{}: {}", finding.line, finding.message.split(':').next().unwrap());
        forbidden(&Source::new(path, text)).into_iter().map(finding).collect()
    }

    #[test]
    fn an_upward_import_is_found_in_every_form() {
        for text in [
            "use crate::pipeline::Plan;",
            "use crate::{domain::Rect, pipeline};",
            "fn f() { crate::pipeline::go() }",
            "use super::super::pipeline::Plan;",
            "pub use crate::pipeline as p;",
        ] {
            assert_eq!(
                found("crates/base/src/hierarchy/tree.rs", text),
                ["1: `hierarchy` may not import `pipeline`"],
                "{text}"
            );
        }
        assert_eq!(
            found("crates/base/src/domain/mod.rs", "\nuse super::adb::quote;"),
            ["2: `domain` may not import `adb`"]
        );
    }

    #[test]
    fn an_upward_import_is_found_in_every_crate() {
        let upward = ["1: `hierarchy` may not import `recorded`"];
        for text in ["use crate::recorded::Files;", "use super::super::recorded::Files;"] {
            assert_eq!(found("crates/base/src/hierarchy/tree.rs", text), upward, "{text}");
        }
        let device = "crates/virtual-device/src/system/tasks.rs";
        assert_eq!(
            found(device, "use tapwright::{domain, pipeline};"),
            ["1: `virtual_device` may not import `pipeline`"]
        );
        assert_eq!(
            found(device, "use tapwright_base::recorded::Files;\nuse crate::app::AppFile;"),
            Vec::<String>::new()
        );
        for text in ["use crate::virtual_device::Clock;", "use tapwright_virtual_device::Clock;"] {
            assert_eq!(found("src/pipeline/mod.rs", text), ["1: `pipeline` may not import `virtual_device`"], "{text}");
        }
        assert_eq!(found("src/case/mod.rs", "use tapwright_base::hierarchy::parse;").len(), 1);
    }

    #[test]
    fn a_file_belongs_to_the_room_of_its_folder_or_of_its_crate() {
        let check = |path: &str, room: Option<&str>| assert_eq!(room_of(path).as_deref(), room, "{path}");
        check("src/pipeline/mod.rs", Some("pipeline"));
        check("src/app.rs", Some("app"));
        check("src/lib.rs", None);
        check("crates/base/src/hierarchy/tree.rs", Some("hierarchy"));
        check("crates/base/src/lib.rs", None);
        check("crates/virtual-device/src/lib.rs", Some("virtual_device"));
        check("crates/virtual-device/src/app/mod.rs", Some("virtual_device"));
        check("tests/tidy.rs", None);
    }

    #[test]
    fn nested_groups_name_only_their_first_segments() {
        let text = "use crate::{domain::{pipeline, Rect}, adb::{self, store}, run};";
        assert_eq!(found("src/device/pool.rs", text), ["1: `device` may not import `run`"]);
    }

    #[test]
    fn downward_own_and_test_imports_are_fine() {
        let text = "use crate::domain::Rect;\nuse crate::hierarchy::UiTree;\nuse super::pipeline;\n// crate::pipeline\n\
                    #[cfg(test)]\nmod tests { use crate::virtual_device::X; }";
        assert_eq!(found("crates/base/src/hierarchy/tree.rs", text), Vec::<String>::new());
        assert_eq!(found("src/app.rs", "use crate::pipeline::Agent;"), Vec::<String>::new());
    }

    #[test]
    fn a_room_outside_the_table_may_import_nothing_and_is_named() {
        assert_eq!(found("src/attic/mod.rs", "use crate::domain::Rect;"), ["1: `attic` may not import `domain`"]);
        assert!(missing_rooms(&["attic".to_owned()]).contains(&"attic".to_owned()));
    }

    #[test]
    fn a_page_that_shows_another_table_is_found() {
        let page =
            "| `domain` | ids | nothing |\n| `hierarchy` | trees | domain, adb |\n| `app` | all | everything |\n";
        let rows = differing_rows(page);
        assert_eq!(rows.len(), ROOMS.len() - 2, "{rows:?}");
        assert!(rows.contains(&"ARCHITECTURE.md should say | `hierarchy` | … | domain |".to_owned()), "{rows:?}");
    }

    #[test]
    fn the_table_itself_points_only_downward() {
        for (position, (room, allowed)) in ROOMS.iter().enumerate() {
            for other in allowed.iter().filter(|other| **other != "*") {
                let below = ROOMS[..position].iter().any(|(name, _)| name == other);
                assert!(below, "{room} may import {other}, which does not stand below it");
            }
        }
    }
}
