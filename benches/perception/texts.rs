//! Whether every text that stands in a real dump, in sight, can be found on the screen perceived from it.

use super::dumps::Dump;
use super::perceive;
use tapwright_base::domain::{Expectation, Rect};
use tapwright_base::hierarchy::{Screen, UiNode, UiTree, check, parse};

/// Thinner than this nobody reads anything, in pixels.
const SLIVER: i32 = 4;

/// What became of the texts of one folder of dumps.
#[derive(Debug, Default)]
struct Tally {
    screens: usize,
    texts: usize,
    findable: usize,
    covered: usize,
    losing: usize,
}

/// Prints how many of the texts in sight are among the screen's and found by the expectation `visible`, and lists the others where `list` is set.
pub(super) fn texts(of: &str, dumps: &[Dump], list: bool) {
    let mut tally = Tally::default();
    for (id, bytes) in dumps {
        let tree = parse(bytes);
        let screen = perceive(bytes);
        tally.screens += 1;
        let before = tally.texts - tally.findable - tally.covered;
        for (node, text) in in_sight(&tree) {
            tally.texts += 1;
            // By its own node: "3" does not stand in "30 days".
            let known = screen.texts.shown.iter().any(|known| known.node == node);
            if known && check(&Expectation::Visible(text.clone()), &screen).held {
                tally.findable += 1;
            } else if is_covered(&screen, node) {
                tally.covered += 1;
                if list {
                    println!("  covered {id} node {node} {text:?}");
                }
            } else if list {
                println!("  lost {id} node {node} {} {text:?}", tree.nodes[node].bounds);
            }
        }
        tally.losing += usize::from(tally.texts - tally.findable - tally.covered > before);
    }
    let shown = tally.texts - tally.covered;
    println!(
        "{of}: {} screens, {} texts in sight and {} more under a cover; findable {} ({:.2} %), lost {} on {} screens",
        tally.screens,
        shown,
        tally.covered,
        tally.findable,
        100.0 * tally.findable as f64 / shown.max(1) as f64,
        shown - tally.findable,
        tally.losing
    );
}

/// Perception left it out on purpose, and says so.
fn is_covered(screen: &Screen, node: usize) -> bool {
    screen.texts.covered.iter().any(|text| text.node == node)
}

/// Texts and descriptions of the nodes that lie within the display and the scrolling containers around them, by the
/// dump's own word only: nothing is known here of what covers what.
fn in_sight(tree: &UiTree) -> Vec<(usize, String)> {
    let size = tree.extent();
    let display = Rect::new(0, 0, size.width as i32, size.height as i32);
    let foreign = tree.nodes.iter().any(|node| !is_system(node) && has_words(node));
    let mut windows: Vec<Option<Rect>> = Vec::with_capacity(tree.nodes.len());
    let mut found = Vec::new();
    for (index, node) in tree.nodes.iter().enumerate() {
        let around = node.parent.map_or(Some(display), |parent| windows[parent]);
        let seen = around.and_then(|around| node.bounds.intersection(around)).filter(|_| !node.invisible);
        let clips = node.scrollable || node.class.ends_with("WebView");
        windows.push(if node.invisible {
            None
        } else if clips && !node.bounds.is_empty() {
            seen
        } else {
            around
        });
        let visible = seen.is_some_and(|seen| seen.width() >= SLIVER && seen.height() >= SLIVER);
        if !visible || foreign && is_system(node) {
            continue;
        }
        for text in [&node.text, &node.content_desc] {
            if text.chars().any(|c| !is_glyph(c) && !c.is_whitespace()) {
                found.push((index, text.clone()));
            }
        }
    }
    found
}

fn has_words(node: &UiNode) -> bool {
    !node.text.trim().is_empty() || !node.content_desc.trim().is_empty()
}

/// Bars and keyboards are no part of the app's screen.
fn is_system(node: &UiNode) -> bool {
    node.package == "com.android.systemui"
        || node.package.contains("inputmethod")
        || node.package == "com.samsung.android.honeyboard"
}

/// Icons drawn by a font, and marks without a shape.
fn is_glyph(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10fffd}' | '\u{fffc}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}
