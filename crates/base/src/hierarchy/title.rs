//! The short title a person would give a screen.

use super::label::Labeller;
use super::outline::Act;
use super::row_title::may_be_title;
use super::words::clean;
use crate::domain::Rect;
use std::ops::Range;

/// Longest text that is still a title, in characters.
const MAX_TITLE: usize = 60;

/// A dialog's title, the toolbar's text, a marked heading, else the tallest of the topmost short texts.
pub(super) fn title(labeller: &Labeller<'_>) -> String {
    by_id(labeller)
        .or_else(|| toolbar(labeller))
        .or_else(|| unnamed_bar(labeller))
        .or_else(|| heading(labeller))
        .unwrap_or_default()
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

/// A title that can be touched, in a bar that neither a class nor an id calls one, as Compose and React Native draw them: the
/// strip behind the icon that leads up or opens a menu. One that cannot be touched is found as a heading. Where controls have
/// ids, a title would have one that says so: what has another is the choice of a place or a filter.
fn unnamed_bar(labeller: &Labeller<'_>) -> Option<String> {
    let Labeller { tree, seen, outline, .. } = labeller;
    let display = seen.display;
    let rect = |index: usize| seen.rects[index];
    let is_icon = |index: &usize| {
        let wordless = || (*index..seen.ends[*index]).all(|inner| clean(&tree.nodes[inner].text).is_empty());
        rect(*index).is_some_and(|icon| {
            let high = icon.top < display.top + display.height() / 8 && icon.height() <= display.height() / 8;
            let at_start = icon.left < display.left + display.width() / 20 && icon.width() <= 2 * icon.height();
            outline.acts[*index] == Act::Uses && high && at_start && wordless()
        })
    };
    let icon = (0..tree.nodes.len()).filter(is_icon).filter_map(rect).min_by_key(|icon| icon.top)?;
    let bar = Rect::new(display.left, icon.top, display.right, icon.bottom);
    let within = |rect: Rect| (bar.top..bar.bottom).contains(&rect.center().y) && rect.left >= icon.left;
    if labeller.texts.iter().any(|(_, words, rect)| within(*rect) && may_be_title(words)) {
        return None;
    }
    let touched = |index: usize| {
        let words = clean(&tree.nodes[index].text);
        let place = rect(index).filter(|place| within(*place) && may_be_title(&words))?;
        let owner = if outline.acts[index] == Act::Uses { index } else { outline.owner[index]? };
        Some((words, place, owner))
    };
    let ahead = |(_, place, _): &(String, Rect, usize)| place.left < bar.left + bar.width() * 2 / 3;
    let found: Vec<(String, Rect, usize)> = (0..tree.nodes.len()).filter_map(touched).filter(ahead).collect();
    // Several are tabs, and one that fills the bar is searched with.
    let [(words, place, owner)] = found.as_slice() else { return None };
    let node = &tree.nodes[*owner];
    let narrow = rect(*owner).is_some_and(|owner| owner.width() * 5 <= bar.width() * 3);
    let short = words.chars().count() <= MAX_TITLE;
    let plain = node.resource_id.is_empty() && !node.class.ends_with("EditText");
    (narrow && short && plain && leads(*place, bar)).then(|| words.clone())
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
    fn a_title_that_can_be_touched_in_a_bar_without_a_name_is_the_title() {
        let below = (1, TEXT, "text=\"Ein Abschnitt\"", [40, 300, 600, 400]);
        let action = (1, TEXT, "text=\"Speichern\" clickable=\"true\"", [880, 60, 1080, 200]);
        // Compose: everything is a View beside the others.
        let up = (1, "view.View", "content-desc=\"Nach oben\" clickable=\"true\"", [0, 60, 140, 200]);
        let list = (1, "view.View", "clickable=\"true\"", [160, 80, 560, 180]);
        let words = (2, TEXT, "text=\"Alle Notizen\"", [170, 90, 480, 170]);
        assert_eq!(title(&[PAGE, up, list, words, action, below]), "Alle Notizen");
        // React Native: nested groups, and icons of a font.
        let group = (1, "view.ViewGroup", "", [0, 60, 1080, 200]);
        let menu = (2, "view.ViewGroup", "clickable=\"true\"", [0, 60, 140, 200]);
        let glyph = (3, TEXT, "text=\"\u{e5d2}\"", [40, 100, 100, 160]);
        let account = (2, "view.ViewGroup", "clickable=\"true\"", [380, 80, 700, 180]);
        let name = (3, TEXT, "text=\"Sparkonto\"", [400, 90, 680, 170]);
        assert_eq!(title(&[PAGE, group, menu, glyph, account, name, below]), "Sparkonto");
        for (why, nodes) in [
            ("an action is no title", vec![PAGE, up, action, below]),
            ("without an icon at its start it is no bar", vec![PAGE, list, words, below]),
            (
                "it is searched with",
                vec![PAGE, up, (1, TEXT, "text=\"Notizen suchen\" clickable=\"true\"", [160, 80, 1000, 180]), below],
            ),
            (
                "it is called something else",
                vec![
                    PAGE,
                    up,
                    (1, TEXT, "text=\"Berlin\" resource-id=\"a:id/place\" clickable=\"true\"", [160, 80, 560, 180]),
                    below,
                ],
            ),
            (
                "tabs are several",
                vec![
                    PAGE,
                    up,
                    list,
                    words,
                    (1, TEXT, "text=\"Papierkorb\" clickable=\"true\"", [600, 80, 860, 180]),
                    below,
                ],
            ),
        ] {
            assert_eq!(title(&nodes), "Ein Abschnitt", "{why}");
        }
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
