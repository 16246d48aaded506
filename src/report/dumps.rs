//! What the screens of a run showed, from their dumps: texts near to one that was expected, and the tree.

use crate::domain::{ScreenView, Size};
use crate::hierarchy::parse;
use crate::run::read_artifact;
use minijinja::{Value, context};
use std::path::Path;

/// Rows of a tree that a page shows.
const MOST_ROWS: usize = 160;

/// How alike a text must be to be called near, from 0 to 1.
const NEAR: f64 = 0.55;

/// Texts that are called near.
const MOST_NEAR: usize = 3;

/// The dumps of a run's folder.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dumps<'f> {
    folder: &'f Path,
}

impl<'f> Dumps<'f> {
    pub(super) const fn new(folder: &'f Path) -> Self {
        Self { folder }
    }

    /// The texts that a screen showed; none where its dump cannot be read.
    pub(super) fn texts(self, screen: &ScreenView) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        let nodes = self.bytes(screen).map(|bytes| parse(&bytes).nodes).unwrap_or_default();
        for text in nodes.into_iter().filter(|node| !node.invisible).flat_map(|node| [node.text, node.content_desc]) {
            let text = super::words::plain_line(&text);
            if !text.is_empty() && !texts.contains(&text) {
                texts.push(text);
            }
        }
        texts
    }

    /// The nodes of a screen that say or take something, with their place in percent of the display.
    pub(super) fn rows(self, screen: &ScreenView, display: Size) -> Vec<Value> {
        let nodes = self.bytes(screen).map(|bytes| parse(&bytes).nodes).unwrap_or_default();
        let percent = |pixels: i32, whole: u32| format!("{:.1}", 100.0 * f64::from(pixels) / f64::from(whole.max(1)));
        let telling = nodes
            .into_iter()
            .filter(|node| !node.text.is_empty() || !node.content_desc.is_empty() || node.clickable || node.scrollable);
        let row = |node: crate::hierarchy::UiNode| {
            let states = [
                (node.clickable, "clickable"),
                (!node.enabled, "disabled"),
                (node.checked, "checked"),
                (node.selected, "selected"),
                (node.focused, "focused"),
                (node.scrollable, "scrolls"),
                (node.invisible, "not visible"),
            ];
            let states: Vec<&str> = states.into_iter().filter_map(|(is, word)| is.then_some(word)).collect();
            let text = if node.text.is_empty() { &node.content_desc } else { &node.text };
            let bounds = node.bounds;
            context! {
                depth => node.depth.min(12),
                class => node.class.rsplit('.').next().unwrap_or_default(),
                text => super::words::plain_line(text),
                id => node.resource_id.rsplit('/').next().unwrap_or_default(),
                states => states.join(", "),
                left => percent(bounds.left, display.width),
                top => percent(bounds.top, display.height),
                width => percent(bounds.width(), display.width),
                height => percent(bounds.height(), display.height),
            }
        };
        telling.take(MOST_ROWS).map(row).collect()
    }

    /// The texts and controls of a screen as boxes, in percent of the dump's own reach; `None` where there is nothing to draw.
    pub(super) fn drawn(self, screen: &ScreenView) -> Option<(Size, Vec<Value>)> {
        let nodes = self.bytes(screen).map(|bytes| parse(&bytes).nodes)?;
        let seen = || nodes.iter().filter(|node| !node.invisible && !node.bounds.is_empty());
        let reach =
            |side: fn(&crate::domain::Rect) -> i32| seen().map(|node| side(&node.bounds)).max().unwrap_or_default();
        let size =
            Size::new(reach(|bounds| bounds.right).try_into().ok()?, reach(|bounds| bounds.bottom).try_into().ok()?);
        let percent = |pixels: i32, whole: u32| format!("{:.2}", 100.0 * f64::from(pixels) / f64::from(whole.max(1)));
        let telling = seen().filter(|node| !node.text.is_empty() || !node.content_desc.is_empty() || node.clickable);
        let boxed = |node: &crate::hierarchy::UiNode| {
            let text = if node.text.is_empty() { &node.content_desc } else { &node.text };
            context! {
                left => percent(node.bounds.left, size.width),
                top => percent(node.bounds.top, size.height),
                width => percent(node.bounds.width(), size.width),
                height => percent(node.bounds.height(), size.height),
                text => super::words::plain_line(text),
                class => match (node.clickable, node.enabled) {
                    (_, false) => "off",
                    (true, true) => "control",
                    (false, true) => "",
                },
            }
        };
        let boxes: Vec<Value> = telling.take(MOST_ROWS).map(boxed).collect();
        (!boxes.is_empty() && size.width > 0 && size.height > 0).then_some((size, boxes))
    }

    fn bytes(self, screen: &ScreenView) -> Option<Vec<u8>> {
        let name = screen.hierarchy.as_deref()?;
        read_artifact(self.folder, name).inspect_err(|error| tracing::debug!("{error}")).ok()
    }
}

/// The texts nearest to one that was expected, the nearest first; those that contain it first of all.
pub(super) fn nearest(wanted: &str, texts: &[String]) -> Vec<String> {
    let folded = wanted.to_lowercase();
    let words = folded.split_whitespace().count().max(1);
    let likeness = |text: &String| {
        let text = text.to_lowercase();
        if text.contains(&folded) {
            return 1.0;
        }
        let own: Vec<&str> = text.split_whitespace().collect();
        let parts = own.windows(words.min(own.len()).max(1)).map(|part| part.join(" "));
        let best = parts.chain([text.clone()]).map(|part| strsim::normalized_damerau_levenshtein(&folded, &part));
        best.fold(0.0, f64::max)
    };
    let mut alike: Vec<(f64, &String)> = texts.iter().map(|text| (likeness(text), text)).collect();
    alike.retain(|(likeness, _)| *likeness >= NEAR);
    alike.sort_by(|one, other| other.0.total_cmp(&one.0));
    alike.into_iter().take(MOST_NEAR).map(|(_, text)| text.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_texts_differ_in_a_few_letters() {
        let shown = ["What you owe", "13 May 2026, 11:40", "Total $5.90", "Pay now"].map(str::to_owned);
        for (wanted, near) in [
            ("Total $6.40", Some("Total $5.90")),
            ("10:20", Some("13 May 2026, 11:40")),
            ("pay NOW", Some("Pay now")),
            ("Thank you for your order", None),
        ] {
            assert_eq!(nearest(wanted, &shown).first().map(String::as_str), near, "{wanted}");
        }
    }
}
