//! What tells two widgets of the same label apart: the text of the row or section each stands in.

use super::label::Labeller;
use super::words::join;
use super::{Role, Widget};
use std::collections::HashMap;

/// Gives every widget whose label is empty or not unique the text around it.
pub(super) fn add_contexts(widgets: &mut [Widget], labeller: &Labeller<'_>) {
    let mut groups: HashMap<(String, bool), Vec<usize>> = HashMap::new();
    for (position, widget) in widgets.iter().enumerate() {
        let acts = !matches!(widget.role, Role::Text | Role::Image);
        if acts && widget.role != Role::List {
            groups.entry((widget.label.to_lowercase(), acts)).or_default().push(position);
        }
    }
    // Words in document order: standing texts and the labels of usable widgets.
    let words: Vec<(usize, String)> = widgets
        .iter()
        .filter(|widget| !widget.label.is_empty() && widget.role != Role::List)
        .map(|widget| (widget.node, widget.label.clone()))
        .collect();
    for ((label, _), members) in groups {
        if members.len() < 2 && !label.is_empty() {
            continue;
        }
        for &position in &members {
            let others: Vec<usize> =
                members.iter().filter(|&&other| other != position).map(|&other| widgets[other].node).collect();
            widgets[position].context = context(&widgets[position], &others, &words, labeller);
        }
    }
}

fn context(widget: &Widget, others: &[usize], words: &[(usize, String)], labeller: &Labeller<'_>) -> String {
    let nodes = &labeller.tree.nodes;
    let ends = &labeller.seen.ends;
    let is_other = |at: usize| widget.label.is_empty() || !words_equal(words, at, &widget.label);
    // The largest container without a namesake: the row.
    let mut row = widget.node..ends[widget.node];
    let mut at = nodes[widget.node].parent;
    while let Some(parent) = at {
        let around = parent..ends[parent];
        if others.iter().any(|other| around.contains(other)) {
            break;
        }
        row = around;
        at = nodes[parent].parent;
    }
    // An unnamed widget without namesakes would take the whole page for its row.
    if at.is_none() && others.is_empty() {
        row = labeller.section(widget.node);
    }
    let inside = words
        .iter()
        .filter(|(at, _)| row.contains(at) && *at != widget.node && is_other(*at))
        .map(|(_, words)| words.as_str())
        .take(2);
    let text = join(inside);
    if !text.is_empty() {
        return text;
    }
    // Nothing of its own row: the last text before it, which is the section's heading or the row's name.
    words
        .iter()
        .take_while(|(at, _)| *at < widget.node)
        .filter(|(at, words)| words.chars().count() <= 60 && is_other(*at) && !others.contains(at))
        .last()
        .map(|(_, words)| words.clone())
        .unwrap_or_default()
}

fn words_equal(words: &[(usize, String)], node: usize, label: &str) -> bool {
    words.iter().any(|(at, words)| *at == node && words == label)
}
