//! What tells two widgets of the same label apart: the text of the row or section each stands in, and the
//! texts inside it.

use super::label::Labeller;
use super::row_block::is_usable;
use super::words::join;
use super::{Role, Row, ScreenText, Widget};
use std::collections::{HashMap, HashSet};

/// Gives every widget whose label is empty or not unique the text around it.
pub(super) fn add_contexts(widgets: &mut [Widget], labeller: &Labeller<'_>) {
    // Words in document order: standing texts and the labels of usable widgets.
    let words: Vec<(usize, String)> = widgets
        .iter()
        .filter(|widget| !widget.label.is_empty() && widget.role != Role::List)
        .map(|widget| (widget.node, widget.label.clone()))
        .collect();
    for (label, members) in namesakes(widgets) {
        if members.len() < 2 && !label.is_empty() {
            continue;
        }
        // Widgets stand in document order, so these are sorted.
        let namesakes: Vec<usize> = members.iter().map(|&member| widgets[member].node).collect();
        for &position in &members {
            widgets[position].context = context(&widgets[position], &namesakes, &words, labeller);
        }
    }
}

/// The positions of what can be used and is called alike, by that name in lower case, each sorted.
fn namesakes(widgets: &[Widget]) -> HashMap<String, Vec<usize>> {
    let mut groups: HashMap<String, Vec<usize>> = HashMap::new();
    for (position, widget) in widgets.iter().enumerate() {
        if !matches!(widget.role, Role::Text | Role::Image | Role::List) {
            groups.entry(widget.label.to_lowercase()).or_default().push(position);
        }
    }
    groups
}

/// Gives every widget that is called like another one the texts inside it that not all of them hold, two at most: before
/// a context that another one has too, behind any other. `texts` are those in sight, with the widget of each.
pub(super) fn add_inner_texts(widgets: &mut [Widget], texts: &[ScreenText]) {
    let mut inside: HashMap<usize, Vec<&str>> = HashMap::new();
    for text in texts {
        let holder = text.widget.and_then(|id| widgets.get(id)).filter(|widget| widget.node != text.node);
        if let Some(holder) = holder {
            inside.entry(holder.id).or_default().push(&text.text);
        }
    }
    for (label, members) in namesakes(widgets) {
        let holding = members.iter().filter_map(|member| inside.get(&widgets[*member].id)).count();
        if members.len() < 2 || holding == 0 {
            continue;
        }
        let mut held: HashMap<&str, usize> = HashMap::new();
        let mut contexts: HashMap<String, usize> = HashMap::new();
        for member in &members {
            let own: HashSet<&str> = inside.get(&widgets[*member].id).into_iter().flatten().copied().collect();
            for text in own {
                *held.entry(text).or_default() += 1;
            }
            *contexts.entry(widgets[*member].context.clone()).or_default() += 1;
        }
        for member in &members {
            let widget = &mut widgets[*member];
            let Some(texts) = inside.get(&widget.id) else { continue };
            let mut known = HashSet::new();
            let is_new = |text: &str| {
                let is_in = |said: &str| said.to_lowercase().contains(&text.to_lowercase());
                !is_in(&label) && !is_in(&widget.context) && !is_in(&widget.value)
            };
            let telling = texts.iter().copied().filter(|text| {
                held.get(text).is_some_and(|count| *count < members.len()) && is_new(text) && known.insert(*text)
            });
            let telling: Vec<&str> = telling.take(2).collect();
            let is_shared = contexts.get(&widget.context).is_some_and(|count| *count > 1);
            let own = std::iter::once(widget.context.as_str()).filter(|own| !own.is_empty());
            widget.context = if is_shared { join(telling.into_iter().chain(own)) } else { join(own.chain(telling)) };
        }
    }
}

/// Where the context is only another control's label, or stands outside of the smallest row that the widget acts in, the
/// row's title takes its place. `texts` are those the rows speak of.
pub(super) fn add_row_titles(widgets: &mut [Widget], rows: &[Row], texts: &[ScreenText]) {
    let of_controls: HashSet<String> =
        widgets.iter().filter(|widget| is_usable(widget)).map(|widget| widget.label.clone()).collect();
    let mut smallest: HashMap<usize, &Row> = HashMap::new();
    for row in rows {
        for id in &row.controls {
            let known = smallest.entry(*id).or_insert(row);
            if row.widgets.len() < known.widgets.len() {
                *known = row;
            }
        }
    }
    for (id, row) in smallest {
        let widget = &mut widgets[id];
        let said = &widget.context;
        let of_row = |at: &usize| said.contains(texts[*at].text.as_str());
        let strange = of_controls.contains(said) || !row.texts.iter().any(of_row);
        if !said.is_empty() && !said.contains(row.heading.as_str()) && strange && row.heading != widget.label {
            widget.context.clone_from(&row.heading);
        }
    }
}

/// `namesakes` are the nodes of all widgets of that label, this one included, sorted.
fn context(widget: &Widget, namesakes: &[usize], words: &[(usize, String)], labeller: &Labeller<'_>) -> String {
    let nodes = &labeller.tree.nodes;
    let ends = &labeller.seen.ends;
    // The largest container without another namesake: the row.
    let mut row = widget.node..ends[widget.node];
    let mut at = nodes[widget.node].parent;
    while let Some(parent) = at {
        let around = parent..ends[parent];
        let within =
            namesakes.partition_point(|&node| node < around.end) - namesakes.partition_point(|&node| node < parent);
        if within > 1 {
            break;
        }
        row = around;
        at = nodes[parent].parent;
    }
    // An unnamed widget without namesakes would take the whole page for its row.
    if at.is_none() && namesakes.len() == 1 {
        row = labeller.section(widget.node);
    }
    let first = words.partition_point(|(at, _)| *at < row.start);
    let inside = words[first..]
        .iter()
        .take_while(|(at, _)| *at < row.end)
        .filter(|(at, words)| *at != widget.node && *words != widget.label)
        .map(|(_, words)| words.as_str())
        .take(2);
    let text = join(inside);
    if !text.is_empty() {
        return text;
    }
    // Nothing of its own row: the last text before it, which is the section's heading or the row's name.
    let before = words.partition_point(|(at, _)| *at < widget.node);
    words[..before]
        .iter()
        .rev()
        .find(|(at, words)| {
            words.chars().count() <= 60 && *words != widget.label && namesakes.binary_search(at).is_err()
        })
        .map(|(_, words)| words.clone())
        .unwrap_or_default()
}
