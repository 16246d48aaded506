//! The short title a person would give a screen.

use super::label::Labeller;
use super::row_title::may_be_title;
use super::words::clean;
use crate::domain::Rect;
use std::ops::Range;

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
        .find(|text| may_be_title(text))
}

fn toolbar(labeller: &Labeller<'_>) -> Option<String> {
    const IDS: &[&str] =
        &["toolbar_title", "action_bar_title", "title_bar_title", "tv_title", "toolbar_text", "page_title"];
    let tree = labeller.tree;
    let short = |text: &str| text.chars().count() <= MAX_TITLE && may_be_title(text);
    for (index, node) in tree.nodes.iter().enumerate() {
        if !labeller.seen.is_visible(index) {
            continue;
        }
        let bar = node.class.ends_with("Toolbar")
            || node.resource_id.ends_with(":id/action_bar")
            || node.resource_id.ends_with("toolbar")
            || node.resource_id.ends_with("title_bar");
        if bar {
            let found = labeller.texts.iter().find(|(at, words, _)| {
                (index..labeller.seen.ends[index]).contains(at)
                    && short(words)
                    && !tree.nodes[*at].class.ends_with("ImageView")
            });
            if let Some((_, words, _)) = found {
                return Some(words.clone());
            }
            if let Some(words) = clickable_title(index..labeller.seen.ends[index], labeller) {
                return Some(words);
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

/// A title that can be touched: to choose another account, list or month. It is called a title by its id, or stands at the
/// beginning or in the middle of the bar, where actions do not.
fn clickable_title(bar: Range<usize>, labeller: &Labeller<'_>) -> Option<String> {
    let tree = labeller.tree;
    let around = labeller.seen.rects[bar.start]?;
    let mut found: Option<(bool, String)> = None;
    for at in bar {
        let (node, Some(rect)) = (&tree.nodes[at], labeller.seen.rects[at]) else { continue };
        let words = clean(&node.text);
        if words.chars().count() > MAX_TITLE || !may_be_title(&words) || node.class.ends_with("Button") {
            continue;
        }
        let id = node.resource_id.rsplit('/').next().unwrap_or_default();
        if id.contains("search") || id.contains("query") {
            continue;
        }
        let named = id.contains("title");
        if (named || leads(rect, around)) && found.as_ref().is_none_or(|(before, _)| named && !before) {
            found = Some((named, words));
        }
    }
    found.map(|(_, words)| words)
}

/// True for what begins in the first third of a bar or is centred in it.
fn leads(rect: Rect, bar: Rect) -> bool {
    let third = bar.width() / 3;
    rect.left < bar.left + third && rect.right > bar.left + bar.width() / 4
        || (rect.center().x - bar.center().x).abs() <= bar.width() / 20
}

fn heading(labeller: &Labeller<'_>) -> Option<String> {
    let display = labeller.seen.display;
    let candidates = || {
        labeller.texts.iter().filter(|(at, words, _)| {
            let written = !labeller.tree.nodes[*at].text.trim().is_empty();
            written && words.chars().count() <= MAX_TITLE && may_be_title(words)
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
                .find(|(_, words, _)| (2..=MAX_TITLE).contains(&words.chars().count()) && may_be_title(words))
                .map(|t| t.1.clone())
        })
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Node, PAGE, perceive};

    const TEXT: &str = "widget.TextView";

    fn title(nodes: &[Node<'_>]) -> String {
        perceive(nodes).title
    }

    #[test]
    fn a_title_that_can_be_touched_is_the_title() {
        let bar = (1, "widget.Toolbar", "", [0, 60, 1080, 200]);
        let back = (2, "widget.ImageButton", "content-desc=\"Zurück\" clickable=\"true\"", [0, 60, 140, 200]);
        let action = (2, TEXT, "text=\"Speichern\" clickable=\"true\"", [880, 60, 1080, 200]);
        let below = (1, TEXT, "text=\"Ein Abschnitt\"", [40, 300, 600, 400]);
        for (name, attributes, bounds) in [
            ("begins the bar", "text=\"Alle Notizen\" clickable=\"true\"", [160, 90, 560, 170]),
            ("centred", "text=\"Alle Notizen\" clickable=\"true\"", [380, 90, 700, 170]),
            (
                "called a title",
                "text=\"Alle Notizen\" resource-id=\"a:id/my_title\" clickable=\"true\"",
                [600, 90, 860, 170],
            ),
        ] {
            let nodes = [PAGE, bar, back, (2, TEXT, attributes, bounds), action, below];
            assert_eq!(title(&nodes), "Alle Notizen", "{name}");
        }
        assert_eq!(title(&[PAGE, bar, back, action, below]), "Ein Abschnitt", "an action is no title");
    }

    #[test]
    fn a_time_a_level_and_nothing_are_no_title() {
        for text in ["09:41", "0.0 dB", "null", "12%", "下午 3:15"] {
            let figure = format!("text=\"{text}\"");
            let nodes = [
                PAGE,
                (1, "widget.Toolbar", "", [0, 60, 1080, 200]),
                (2, TEXT, figure.as_str(), [160, 90, 560, 170]),
                (1, TEXT, figure.as_str(), [40, 220, 900, 420]),
                (1, TEXT, "text=\"Hörtest\"", [40, 500, 600, 560]),
            ];
            assert_eq!(title(&nodes), "Hörtest", "{text}");
        }
    }
}
