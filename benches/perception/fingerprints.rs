//! Fingerprints on the real screens: collisions and false splits.

use super::perceive;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::Path;
use tapwright::domain::Rect;
use tapwright::hierarchy::{Role, Screen, UiTree, parse, serialise};

/// Which screens share a fingerprint.
pub(super) fn fingerprints(dumps: &[(String, Vec<u8>)], screens: &HashMap<&str, Screen>) {
    let mut by_print: HashMap<u64, Vec<&str>> = HashMap::new();
    for (id, _) in dumps {
        by_print.entry(screens[id.as_str()].fingerprint.0).or_default().push(id);
    }
    let mut shared: Vec<&Vec<&str>> = by_print.values().filter(|ids| ids.len() > 1).collect();
    shared.sort();
    println!("fingerprints: {} of {} screens; shared by: {shared:?}", by_print.len(), dumps.len());
}

/// How often a screen loses its fingerprint although a person would call it the same: every real dump is changed in one
/// way at a time and perceived again.
pub(super) fn false_splits(dumps: &[(String, Vec<u8>)], screens: &HashMap<&str, Screen>, list: bool) {
    type Change = fn(&mut UiTree) -> bool;
    let changes: [(&str, Change); 5] = [
        ("counters and clocks", |tree| {
            // A lone digit may be a key.
            let turn = |text: &mut String| {
                let next =
                    |c: char| c.to_digit(10).and_then(|digit| char::from_digit((digit + 1) % 10, 10)).unwrap_or(c);
                let turned: String = text.chars().map(next).collect();
                text.chars().count() > 1 && std::mem::replace(text, turned) != *text
            };
            tree.nodes.iter_mut().fold(false, |any, node| turn(&mut node.text) | turn(&mut node.content_desc) | any)
        }),
        ("texts", |tree| {
            // What can be touched keeps its words: a button that says something else is another button.
            let texts = tree.nodes.iter_mut().filter(|node| !node.clickable && !node.text.trim().is_empty());
            texts.fold(false, |_, node| {
                // Equal texts stay equal, others stay different.
                node.text = node.text.chars().rev().collect();
                true
            })
        }),
        ("states", |tree| {
            tree.nodes.iter_mut().filter(|node| node.checkable || node.selected || node.focused).fold(
                false,
                |_, node| {
                    (node.checked, node.selected, node.focused) = (node.checkable && !node.checked, false, false);
                    true
                },
            )
        }),
        ("a row less", |tree| {
            with_rows(tree, |tree, rows| {
                let gone = rows[rows.len() - 1].clone();
                let count = gone.len();
                tree.nodes.drain(gone.clone());
                for node in &mut tree.nodes[gone.start..] {
                    node.parent = node.parent.map(|parent| if parent >= gone.end { parent - count } else { parent });
                }
            })
        }),
        ("scrolled by half a row", |tree| {
            with_rows(tree, |tree, rows| {
                let by = tree.nodes[rows[0].start].bounds.height() / 2;
                for node in rows.iter().flat_map(Clone::clone) {
                    let bounds = &mut tree.nodes[node].bounds;
                    *bounds = Rect::new(bounds.left, bounds.top - by, bounds.right, bounds.bottom - by);
                }
            })
        }),
    ];
    for (what, change) in changes {
        let (mut tried, mut split) = (0, Vec::new());
        for (id, bytes) in dumps {
            let mut tree = parse(bytes);
            if change(&mut tree) {
                tried += 1;
                if perceive(serialise(&tree).as_bytes()).fingerprint != screens[id.as_str()].fingerprint {
                    split.push(id.as_str());
                }
            }
        }
        let shown = if list { format!(": {split:?}") } else { String::new() };
        println!(
            "fingerprints, other {what}: {} of {tried} screens split ({:.1} %){shown}",
            split.len(),
            100.0 * split.len() as f64 / f64::from(tried.max(1))
        );
    }
}

/// Changes the rows of the first list that has four or more; false where there is none.
fn with_rows(tree: &mut UiTree, change: impl FnOnce(&mut UiTree, &[Range<usize>])) -> bool {
    let ends = tree.subtree_ends();
    let list = (0..tree.nodes.len()).find_map(|at| {
        let node = &tree.nodes[at];
        let rows = ["RecyclerView", "ListView"].iter().any(|class| node.class.ends_with(class));
        let children: Vec<Range<usize>> = (at + 1..ends[at])
            .filter(|&child| tree.nodes[child].parent == Some(at))
            .map(|child| child..ends[child])
            .collect();
        // One below the other.
        let column = children
            .windows(2)
            .all(|pair| tree.nodes[pair[0].start].bounds.bottom <= tree.nodes[pair[1].start].bounds.top);
        (rows && column && children.len() >= 4).then_some(children)
    });
    list.map(|rows| change(tree, &rows)).is_some()
}

/// What can be used on a screen, by class and id.
type Used = BTreeSet<(String, String)>;

/// Recorded apps: states that share a fingerprint although other things can be used on them (by class and id; rows of a
/// list that come and go are the same thing).
pub(super) fn recorded_collisions(folder: &Path, list: bool) {
    let (mut states, mut pairs, mut collided) = (0, 0, 0);
    for app in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let mut seen: Vec<(String, u64, Used)> = Vec::new();
        for state in std::fs::read_dir(app.path().join("states")).into_iter().flatten().flatten() {
            let name = state.path().display().to_string();
            let is_dump = state.path().extension().is_some_and(|kind| kind == "xml");
            let Some(bytes) = std::fs::read(state.path()).ok().filter(|_| is_dump) else { continue };
            let screen = perceive(&bytes);
            let used =
                screen.widgets.iter().filter(|widget| !matches!(widget.role, Role::Text | Role::Image | Role::List));
            let used =
                used.map(|widget| (widget.class.clone(), screen.tree.nodes[widget.node].resource_id.clone())).collect();
            seen.push((name, screen.fingerprint.0, used));
        }
        states += seen.len();
        for (at, (name, print, used)) in seen.iter().enumerate() {
            for (other, other_print, other_used) in &seen[at + 1..] {
                pairs += usize::from(used != other_used);
                if used != other_used && print == other_print {
                    collided += 1;
                    if list {
                        println!(
                            "  same fingerprint: {name} {other}: {:?}",
                            used.symmetric_difference(other_used).collect::<Vec<_>>()
                        );
                    }
                }
            }
        }
    }
    println!(
        "recorded apps: {states} states; of {pairs} pairs with other usable widgets {collided} share a fingerprint"
    );
}
