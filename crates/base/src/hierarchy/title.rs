//! The short title a person would give a screen.

use super::label::Labeller;
use super::words::clean;

/// Longest text that is still a title, in characters.
const MAX_TITLE: usize = 60;

/// A dialog's title, the toolbar's text, a marked heading, else the tallest of the topmost short texts.
pub(super) fn title(labeller: &Labeller<'_>) -> String {
    by_id(labeller).or_else(|| toolbar(labeller)).or_else(|| heading(labeller)).unwrap_or_default()
}

fn by_id(labeller: &Labeller<'_>) -> Option<String> {
    const IDS: &[&str] = &["android:id/alertTitle", ":id/alertTitle", ":id/permission_message", ":id/dialog_title"];
    let nodes = labeller.tree.nodes.iter().enumerate();
    nodes
        .filter(|(index, node)| labeller.seen.is_visible(*index) && IDS.iter().any(|id| node.resource_id.ends_with(id)))
        .map(|(_, node)| clean(&node.text))
        .find(|text| !text.is_empty())
}

fn toolbar(labeller: &Labeller<'_>) -> Option<String> {
    const IDS: &[&str] =
        &["toolbar_title", "action_bar_title", "title_bar_title", "tv_title", "toolbar_text", "page_title"];
    let tree = labeller.tree;
    let short = |text: &str| (1..=MAX_TITLE).contains(&text.chars().count());
    for (index, node) in tree.nodes.iter().enumerate() {
        if !labeller.seen.is_visible(index) {
            continue;
        }
        let bar = node.class.ends_with("Toolbar")
            || node.resource_id.ends_with(":id/action_bar")
            || node.resource_id.ends_with("toolbar");
        if bar {
            let found = labeller.texts.iter().find(|(at, words, _)| {
                (index..labeller.seen.ends[index]).contains(at)
                    && short(words)
                    && !tree.nodes[*at].class.ends_with("ImageView")
            });
            if let Some((_, words, _)) = found {
                return Some(words.clone());
            }
        }
    }
    labeller
        .texts
        .iter()
        .find(|(at, words, _)| {
            let id = tree.nodes[*at].resource_id.rsplit('/').next().unwrap_or_default();
            IDS.contains(&id) && short(words)
        })
        .map(|(_, words, _)| words.clone())
}

fn heading(labeller: &Labeller<'_>) -> Option<String> {
    let display = labeller.seen.display;
    let candidates = || {
        labeller.texts.iter().filter(|(at, words, _)| {
            let letters = words.chars().filter(|c| c.is_alphabetic()).count();
            letters >= 2 && words.chars().count() <= MAX_TITLE && !labeller.tree.nodes[*at].text.trim().is_empty()
        })
    };
    if let Some((_, words, _)) = candidates().find(|(at, _, _)| labeller.tree.nodes[*at].heading) {
        return Some(words.clone());
    }
    // Tall lines high up: each tenth of the display further down costs a fifth of the height.
    candidates()
        .filter(|(_, _, rect)| rect.top < display.top + display.height() / 2)
        .max_by_key(|(at, words, rect)| {
            let lines = i64::from(rect.height()) / 140 + 1;
            let height = i64::from(rect.height()) / lines - words.chars().count() as i64 / 4;
            let depth = i64::from(rect.top) * 10 / i64::from(display.height().max(1));
            (height * (10 - 2 * depth.clamp(0, 4)), usize::MAX - at)
        })
        .or_else(|| candidates().next())
        .map(|(_, words, _)| words.clone())
        .or_else(|| {
            // Flutter and web pages: descriptions only.
            labeller
                .texts
                .iter()
                .find(|(_, words, _)| (2..=MAX_TITLE).contains(&words.chars().count()))
                .map(|t| t.1.clone())
        })
}
