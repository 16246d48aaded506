//! Which cases a gate runs.

use super::{Changes, GateError, Shard};
use crate::case::{Case, CaseIndex, Selection};
use crate::domain::CaseId;
use std::path::PathBuf;

/// What was asked for.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Ids, files and tags; all cases when there are none.
    pub named: Vec<Selection>,
    /// Only cases that may be touched by what changed.
    pub changes: Option<Changes>,
    /// Only these: what did not pass in the last gate.
    pub again: Option<Vec<CaseId>>,
    /// Only this machine's share.
    pub shard: Option<Shard>,
    /// Where scripts are: a case is touched by a change of its script.
    pub scripts: PathBuf,
}

/// The cases to run.
#[derive(Debug, Clone)]
pub struct Selected {
    /// In the order of their files, or as named.
    pub cases: Vec<Case>,
    /// How many were left by each way of choosing, in words.
    pub told: Vec<String>,
}

/// Chooses the cases.
///
/// # Errors
/// An id is unknown or used twice, or a file that may be meant is malformed.
pub fn select(index: &CaseIndex, wanted: &Wanted) -> Result<Selected, GateError> {
    let mut cases = if wanted.named.is_empty() { all(index)? } else { index.select(&wanted.named)? };
    let count = |cases: &[Case]| if cases.len() == 1 { "1 case".to_owned() } else { format!("{} cases", cases.len()) };
    let mut told = vec![count(&cases)];
    if let Some(changes) = &wanted.changes {
        cases.retain(|case| may_be_touched(case, changes, &wanted.scripts));
        told.push(format!("{} may be touched by what changed since {}", cases.len(), changes.revision));
    }
    if let Some(again) = &wanted.again {
        cases.retain(|case| again.contains(&case.id));
        told.push(format!("{} did not pass in the last gate", cases.len()));
    }
    if let Some(shard) = wanted.shard {
        cases = shard.share(cases, |case| case.id.to_string());
        told.push(format!("{} in shard {shard}", cases.len()));
    }
    Ok(Selected { cases, told })
}

/// Every case; a gate that leaves one out because its file is damaged would pass without it.
fn all(index: &CaseIndex) -> Result<Vec<Case>, GateError> {
    let malformed: Vec<String> = index.malformed().map(ToString::to_string).collect();
    if !malformed.is_empty() {
        return Err(GateError::Malformed(malformed.join("\n")));
    }
    let each = index.cases().map(|case| index.find(&case.id).cloned());
    Ok(each.collect::<Result<_, _>>()?)
}

/// Whether a change may be told by the case. One that does not say what touches it may be touched by anything.
fn may_be_touched(case: &Case, changes: &Changes, scripts: &std::path::Path) -> bool {
    if case.touches.is_empty() {
        return true;
    }
    let apps = case.app.apk.iter().chain(case.actors.values().filter_map(|actor| actor.app.apk.as_ref()));
    let own: Vec<String> = std::iter::once(&case.path).chain(apps).filter_map(|file| changes.name_of(file)).collect();
    let script = changes.name_of(&scripts.join(case.id.as_str())).map(|folder| format!("{folder}/"));
    changes.paths.iter().any(|path| {
        own.contains(path) || script.as_ref().is_some_and(|folder| path.starts_with(folder)) || case.is_touched_by(path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder {
        folder: tempfile::TempDir,
        index: CaseIndex,
    }

    fn folder(cases: &[(&str, &str)]) -> Folder {
        let folder = tempfile::tempdir().unwrap();
        for (id, rest) in cases {
            let text = format!("id: {id}\ntitle: t\napp: {{package: a.b}}\nsteps: [Tap Help]\n{rest}\n");
            std::fs::write(folder.path().join(format!("{id}.case.yaml")), text).unwrap();
        }
        let index = CaseIndex::scan(&[folder.path().to_owned()]).unwrap();
        Folder { folder, index }
    }

    fn four() -> Folder {
        folder(&[
            ("A-1", "tags: [smoke]\ntouches: [\"app/login/**\"]"),
            ("A-2", "tags: [smoke]\ntouches: [\"app/pay/**\", \"*.gradle\"]"),
            ("A-3", "touches: [app/help]"),
            ("A-4", ""),
        ])
    }

    fn chosen(folder: &Folder, wanted: &Wanted) -> String {
        let selected = select(&folder.index, wanted).unwrap();
        selected.cases.iter().map(|case| case.id.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ids_tags_and_shards_narrow_what_is_run() {
        let four = four();
        let id = |text: &str| Selection::parse(text).unwrap();
        let tag = |text: &str| Selection::Tag(text.to_owned());
        let shard = |text: &str| Some(text.parse().unwrap());
        let again = |ids: &[&str]| Some(ids.iter().map(|id| CaseId::new(*id).unwrap()).collect());
        for (named, again, shard, expected) in [
            (vec![], None, None, "A-1 A-2 A-3 A-4"),
            (vec![id("A-3"), id("A-1")], None, None, "A-3 A-1"),
            (vec![tag("smoke"), id("A-2")], None, None, "A-1 A-2"),
            (vec![tag("nothing")], None, None, ""),
            (vec![], again(&["A-2", "A-4", "GONE-1"]), None, "A-2 A-4"),
            (vec![], None, shard("1/3"), "A-1 A-4"),
            (vec![], None, shard("3/3"), "A-3"),
            (vec![tag("smoke")], again(&["A-2"]), shard("2/2"), ""),
        ] {
            let wanted = Wanted { named, again, shard, ..Wanted::default() };
            assert_eq!(chosen(&four, &wanted), expected, "{wanted:?}");
        }
    }

    #[test]
    fn a_case_is_run_for_what_touches_it_and_one_that_does_not_say_for_everything() {
        let four = four();
        std::fs::create_dir_all(four.folder.path().join("scripts/A-3")).unwrap();
        for (paths, expected) in [
            (vec!["app/login/Form.kt"], "A-1 A-4"),
            (vec!["app/pay/a/b.kt", "README.md"], "A-2 A-4"),
            (vec!["build.gradle"], "A-2 A-4"),
            (vec!["A-1.case.yaml"], "A-1 A-4"),
            (vec!["scripts/A-3/default.toml"], "A-3 A-4"),
            (vec!["README.md"], "A-4"),
            (vec![], "A-4"),
        ] {
            let paths: Vec<String> = paths.into_iter().map(str::to_owned).collect();
            let changes = Changes { top: four.folder.path().to_owned(), revision: "main".into(), paths };
            let wanted =
                Wanted { changes: Some(changes), scripts: four.folder.path().join("scripts"), ..Wanted::default() };
            assert_eq!(chosen(&four, &wanted), expected, "{wanted:?}");
        }
    }

    #[test]
    fn it_is_told_how_many_each_way_of_choosing_left() {
        let four = four();
        let changes = Changes { top: four.folder.path().to_owned(), revision: "main".into(), paths: Vec::new() };
        let wanted = Wanted { changes: Some(changes), shard: Some("1/2".parse().unwrap()), ..Wanted::default() };
        let told = select(&four.index, &wanted).unwrap().told;
        assert_eq!(told, ["4 cases", "1 may be touched by what changed since main", "1 in shard 1/2"]);
    }

    #[test]
    fn an_unknown_id_and_a_damaged_file_are_told_before_anything_is_run() {
        let two = folder(&[("A-1", ""), ("A-2", "tagz: [x]")]);
        let wanted = |id: &str| Wanted { named: vec![Selection::parse(id).unwrap()], ..Wanted::default() };
        let text = select(&two.index, &wanted("A-9")).unwrap_err().to_string();
        assert!(text.contains("no case has the id A-9"), "{text}");
        assert_eq!(chosen(&two, &wanted("A-1")), "A-1", "the damaged file is not asked for");
        let text = select(&two.index, &Wanted::default()).unwrap_err().to_string();
        assert!(text.contains("A-2.case.yaml") && text.contains("tagz") && text.contains("leaves none out"), "{text}");
    }
}
