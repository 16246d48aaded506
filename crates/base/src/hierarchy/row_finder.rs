//! Finds the rows of a screen in its tree: siblings of like shape under one parent, containers that open as a whole and
//! hold further controls, and names and controls that stand side by side without a container of their own.

use super::row_block::{Block, Ground, is_usable};
use super::row_flat::flat_blocks;
use super::row_title::may_be_title;
use super::visibility::Visibility;
use super::{Row, ScreenText, UiTree, Widget};
use crate::domain::Rect;
use std::collections::HashSet;

/// Most rows of one screen; a hostile dump holds more.
const MAX_ROWS: usize = 300;
/// Most nodes of a row.
const MAX_NODES: usize = 600;
/// Most of the display that a row may fill, in percent.
const MAX_SHARE: i64 = 60;
/// With how many siblings before it a block is compared.
const COMPARED: usize = 6;

/// The rows of a screen, outer ones before those within them. `title` is the screen's, which heads no row.
pub(super) fn rows(
    tree: &UiTree,
    seen: &Visibility,
    widgets: &[Widget],
    texts: &[ScreenText],
    title: &str,
) -> Vec<Row> {
    if widgets.len() < 2 {
        return Vec::new();
    }
    let ground = Ground::of(tree, seen, widgets, texts, title);
    let (mut blocks, mut flats): (Vec<Block>, Vec<Block>) = (Vec::new(), Vec::new());
    let mut children: Vec<usize> = Vec::new();
    for parent in 0..tree.nodes.len() {
        if blocks.len() + flats.len() > MAX_ROWS {
            break;
        }
        let end = seen.ends[parent];
        if end == parent + 1 || ground.widgets_in(parent..end).len() < 2 {
            continue;
        }
        if is_lone_card(parent, &ground) {
            blocks.push(Block::of_node(parent, &ground));
        }
        children.clear();
        let mut child = parent + 1;
        while child < end {
            if !ground.widgets_in(child..seen.ends[child]).is_empty() {
                children.push(child);
            }
            child = seen.ends[child];
        }
        if children.len() < 2 {
            continue;
        }
        let flat = flat_blocks(parent, &children, &ground);
        let grouped = alike_blocks(parent, &children, &ground);
        // What stands in a flat row with its control is no row by itself.
        let is_free = |block: &Block| {
            ground.has_usable(&block.parts) || !flat.iter().any(|row| row.parts.contains(&block.parts[0]))
        };
        blocks.extend(grouped.into_iter().filter(is_free));
        flats.extend(flat);
    }
    let mut rows: Vec<Row> = blocks.iter().take(MAX_ROWS).filter_map(|block| block.row(&ground)).collect();
    let flats: Vec<Row> = flats.iter().take(MAX_ROWS).filter_map(|block| block.row(&ground)).collect();
    let kept: Vec<Row> = flats.iter().filter(|flat| !is_detail(flat, &flats, &rows, seen)).cloned().collect();
    rows.extend(kept);
    let mut known = HashSet::new();
    rows.retain(|row| known.insert((row.widgets.clone(), row.heading_bounds)));
    rows.sort_by_key(|row| (row.widgets.first().copied(), std::cmp::Reverse(row.widgets.len())));
    rows
}

/// A line within a card that has a title above it says a detail: the card's controls belong to the card.
fn is_detail(flat: &Row, flats: &[Row], cards: &[Row], seen: &Visibility) -> bool {
    let within = |inner: &Row, outer: &Row| {
        inner.widgets.len() < outer.widgets.len() && inner.widgets.iter().all(|id| outer.widgets.contains(id))
    };
    let around = cards.iter().filter(|card| within(flat, card) && !card.controls.is_empty());
    let small = around.filter(|card| 100 * card.bounds.area() <= 40 * seen.display.area());
    let Some(card) = small.min_by_key(|card| card.widgets.len()) else { return false };
    let lines: Vec<&Row> = flats.iter().filter(|other| within(other, card)).take(3).collect();
    let titled = flats.iter().filter(|other| within(other, card)).any(|line| line.bounds.encloses(card.heading_bounds));
    lines.len() < 3 && !titled
}

/// A container that can be touched as a whole and holds a control besides.
fn is_lone_card(node: usize, ground: &Ground<'_>) -> bool {
    let inside = node + 1..ground.seen.ends[node];
    ground.usable_at(node) && inside.len() <= MAX_NODES && ground.has_usable(&[inside]) && is_small(node, ground)
}

fn is_small(node: usize, ground: &Ground<'_>) -> bool {
    let share = ground.seen.rects[node].map_or(0, |rect| rect.area() * 100);
    share > 0 && share <= ground.seen.display.area().saturating_mul(MAX_SHARE)
}

/// Children that repeat one another and hold a text.
fn alike_blocks(parent: usize, children: &[usize], ground: &Ground<'_>) -> Vec<Block> {
    let kind = list_kind(parent, ground.tree);
    let list = kind != Scrolls::Not;
    let is_block = |node: &usize| {
        let inside = *node..ground.seen.ends[*node];
        if inside.len() > MAX_NODES || !ground.holds_text(inside.clone()) || !is_small(*node, ground) {
            return false;
        }
        // A control alone is a row only as an entry of a list.
        let compound = inside.len() > 2 && ground.texts_in(inside.clone()).len() + ground.widgets_in(inside).len() > 2;
        let plain = kind == Scrolls::AsList || !holds_button(*node, ground);
        compound || is_entry(*node, ground) && plain && (list || is_wide(*node, ground))
    };
    let candidates: Vec<usize> = children.iter().copied().filter(is_block).collect();
    let mut repeated = vec![false; candidates.len()];
    for at in 1..candidates.len() {
        for before in at.saturating_sub(COMPARED)..at {
            if are_alike(candidates[before], candidates[at], list, ground) {
                repeated[before] = true;
                repeated[at] = true;
            }
        }
    }
    // Three wide entries below one another are a list, whatever holds them.
    let wide = candidates.iter().filter(|node| is_wide(**node, ground)).count();
    let repeated = candidates.iter().zip(repeated).filter(|(node, repeated)| {
        let alone = ground.widgets_in(**node..ground.seen.ends[**node]).len() == 1;
        *repeated && (list || !alone || wide > 2) || list && !alone && is_section(**node, ground)
    });
    repeated.map(|(node, _)| Block::of_node(*node, ground)).collect()
}

/// A part of a list with a title and controls of its own, whatever stands above and below it.
fn is_section(node: usize, ground: &Ground<'_>) -> bool {
    let inside = node..ground.seen.ends[node];
    let share = ground.seen.rects[node].map_or(0, |rect| rect.area() * 100);
    let small = share <= ground.seen.display.area().saturating_mul(MAX_SHARE / 2);
    let titled = |at: usize| ground.stands_alone(&ground.texts[at]) && may_be_title(&ground.texts[at].text);
    small && ground.has_usable(std::slice::from_ref(&inside)) && ground.texts_in(inside).any(titled)
}

/// One widget that fills the node.
fn is_entry(node: usize, ground: &Ground<'_>) -> bool {
    let inside = ground.widgets_in(node..ground.seen.ends[node]);
    let fills = |id: usize| {
        let widget = &ground.widgets[id];
        is_usable(widget) && ground.seen.rects[node].is_some_and(|rect| 10 * widget.bounds.area() >= 6 * rect.area())
    };
    inside.len() == 1 && fills(inside.start)
}

/// A container, no button, that spans most of the display.
fn is_wide(node: usize, ground: &Ground<'_>) -> bool {
    let width = ground.seen.rects[node].map_or(0, Rect::width);
    let class = ground.tree.nodes[node].class_name();
    !class.contains("Button") && !class.contains("Text") && 10 * width >= 6 * ground.seen.display.width()
}

/// How far a container is a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scrolls {
    /// A list by its class.
    AsList,
    /// It scrolls, whatever it holds.
    Somehow,
    Not,
}

fn list_kind(node: usize, tree: &UiTree) -> Scrolls {
    const CLASSES: &[&str] = &["ListView", "RecyclerView", "GridView", "ScrollView"];
    let node = &tree.nodes[node];
    if CLASSES.iter().any(|class| node.class.ends_with(class)) {
        Scrolls::AsList
    } else if node.scrollable {
        Scrolls::Somehow
    } else {
        Scrolls::Not
    }
}

/// What Compose calls a button says so in a node of its own.
fn holds_button(node: usize, ground: &Ground<'_>) -> bool {
    ground.tree.nodes[node..ground.seen.ends[node]]
        .iter()
        .any(|node| node.class.ends_with("Button") && node.class_name() == "Button")
}

/// Two blocks repeat one another: same class, same column or same line, and similar contents.
fn are_alike(one: usize, other: usize, list: bool, ground: &Ground<'_>) -> bool {
    let nodes = &ground.tree.nodes;
    let (a, b) = (&nodes[one], &nodes[other]);
    if a.class != b.class {
        return false;
    }
    let (Some(first), Some(second)) = (ground.seen.rects[one], ground.seen.rects[other]) else { return false };
    let near = |x: i32, y: i32| (x - y).abs() <= 4 + x.abs().max(y.abs()) / 20;
    let stacked = near(first.width(), second.width()) && near(first.left, second.left);
    let beside = near(first.height(), second.height()) && near(first.top, second.top);
    let sizes = (ground.seen.ends[one] - one, ground.seen.ends[other] - other);
    let (small, large) = (sizes.0.min(sizes.1), sizes.0.max(sizes.1));
    let named = !a.resource_id.is_empty() && a.resource_id == b.resource_id;
    let usable = |node: usize| ground.has_usable(std::slice::from_ref(&(node..ground.seen.ends[node])));
    // The entries of one list may be cut off, or say more or less.
    let of_list = list && stacked;
    (stacked || beside) && (named || of_list || 2 * small + 2 >= large && usable(one) == usable(other))
}
