//! Two hashes of a screen: of its structure, and of everything visible.

use super::hash::Fnv;
use super::outline::{Act, Outline};
use super::role::{holds_rows, is_strip_entry};
use super::visibility::Visibility;
use super::words::is_stable_id;
use super::{Fingerprint, Role, ScreenTexts, UiTree, Widget};
use std::collections::HashMap;

/// Hashes package, and class, resource id, role and coarse depth of what is visible, in document order. Texts, states
/// and counters are left out; runs of equal neighbours and the rows of a list count once, so that neither a longer
/// list nor a scrolled one changes it.
pub(super) fn fingerprint(tree: &UiTree, seen: &Visibility, outline: &Outline, widgets: &[Widget]) -> Fingerprint {
    let mut roles: Vec<Option<Role>> = vec![None; tree.nodes.len()];
    for widget in widgets {
        roles[widget.node] = Some(widget.role);
    }
    let mut hash = Fnv::default();
    hash.text(&main_package(tree, seen));
    let mut last: Option<u64> = None;
    let mut index = 0;
    while index < tree.nodes.len() {
        let node = &tree.nodes[index];
        if !seen.is_visible(index) {
            index += 1;
            continue;
        }
        let rows = holds_rows(node);
        let named = is_stable_id(&node.resource_id);
        let role = roles[index];
        if rows || named || role.is_some() || outline.acts[index] == Act::Uses {
            let mut token = Fnv::default();
            token.text(node.class_name()).text(if named { &node.resource_id } else { "" });
            token.text(&role.map(|role| kind(role, || is_strip_entry(index, tree))).unwrap_or_default());
            // Shallow wrappers come and go; the neighbourhood does not.
            token.number((node.depth / 4) as i64);
            if let Some(row) = rows.then(|| row_kinds(index, tree, seen)).flatten() {
                token.number(row as i64);
            }
            if last != Some(token.value()) {
                hash.number(token.value() as i64);
                last = Some(token.value());
            }
        }
        // What a list holds is its content, not the screen's structure.
        index = if rows { seen.ends[index] } else { index + 1 };
    }
    Fingerprint(hash.value())
}

/// Text and picture are the same for structure: a label may come as either. So are the entries of a strip, which are tabs
/// while one of them is selected, and buttons otherwise.
fn kind(role: Role, in_strip: impl Fn() -> bool) -> String {
    match role {
        Role::Text | Role::Image => String::new(),
        Role::Tab if in_strip() => "button".to_owned(),
        Role::ListItem | Role::Button => "button".to_owned(),
        other => other.to_string(),
    }
}

/// The kind of row a list holds most often: class and id of its children (of their children, for a lone wrapper).
fn row_kinds(list: usize, tree: &UiTree, seen: &Visibility) -> Option<u64> {
    let mut parent = list;
    let mut children: Vec<usize>;
    loop {
        children = Vec::new();
        let mut at = parent + 1;
        while at < seen.ends[parent] {
            if seen.is_visible(at) {
                children.push(at);
            }
            at = seen.ends[at];
        }
        match children.as_slice() {
            [only] if seen.ends[*only] > only + 1 => parent = *only,
            _ => break,
        }
    }
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for child in children {
        let mut hash = Fnv::default();
        let node = &tree.nodes[child];
        hash.text(node.class_name()).text(if is_stable_id(&node.resource_id) { &node.resource_id } else { "" });
        *counts.entry(hash.value()).or_default() += 1;
    }
    counts.into_iter().max_by_key(|&(hash, count)| (count, hash)).map(|(hash, _)| hash)
}

/// The package that owns most of what is visible.
pub(super) fn main_package(tree: &UiTree, seen: &Visibility) -> String {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for (_, node) in tree.nodes.iter().enumerate().filter(|(index, _)| seen.is_visible(*index)) {
        *counts.entry(&node.package).or_default() += 1;
    }
    counts
        .into_iter()
        .max_by_key(|&(package, count)| (count, package))
        .map(|(package, _)| package.to_owned())
        .unwrap_or_default()
}

/// Hashes everything visible: labels, values, states, places, and the texts that no label holds.
pub(super) fn digest(title: &str, widgets: &[Widget], texts: &ScreenTexts) -> u64 {
    let mut hash = Fnv::default();
    hash.text(title);
    for widget in widgets {
        hash.text(&widget.label).text(&widget.value).text(&widget.resource_id).text(&widget.role.to_string());
        let state = widget.state;
        let checked = state.checked.map_or(2, i64::from);
        let flags = [state.enabled, state.selected, state.focused, state.password];
        hash.number(flags.iter().fold(checked, |bits, flag| bits * 2 + i64::from(*flag)));
        for edge in [widget.bounds.left, widget.bounds.top, widget.bounds.right, widget.bounds.bottom] {
            hash.number(i64::from(edge));
        }
    }
    for text in &texts.shown {
        hash.text(text.on_display());
    }
    hash.value()
}
