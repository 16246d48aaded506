//! Rows without a container: names and controls that are siblings, as Compose and React Native flatten them.
//!
//! A control belongs to the name that stands on its line, to the caption right below it, or, where that repeats, to the
//! name above it.

use super::Role;
use super::row_block::{Block, Ground};
use super::row_title::may_be_title;
use crate::domain::Rect;

/// Most siblings looked at; a list of more is scrolled or hostile.
const MAX_UNITS: usize = 400;
/// Most backgrounds among them.
const MAX_CARDS: usize = 24;

/// Where siblings stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// On a page with much else.
    Page,
    /// On a card of their own.
    Card,
}

/// What one child of a container is to its siblings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Only words.
    Words,
    /// Something to use, without words of its own around it.
    Control,
    /// Both: a block by itself.
    Block,
}

/// One child of a container.
#[derive(Debug, Clone, Copy)]
struct Unit {
    node: usize,
    kind: Kind,
    rect: Rect,
    /// The words may be a title.
    titled: bool,
    /// It is a text field.
    field: bool,
}

/// The rows among the children of a container.
pub(super) fn flat_blocks(parent: usize, children: &[usize], ground: &Ground<'_>) -> Vec<Block> {
    let mut units: Vec<Unit> = children.iter().take(MAX_UNITS).filter_map(|child| unit(*child, ground)).collect();
    if !units.iter().any(|unit| unit.kind == Kind::Control) || is_bar(parent, ground) {
        return Vec::new();
    }
    if !units.iter().any(|unit| unit.kind == Kind::Words && unit.titled) {
        return pairs(parent, &units, ground);
    }
    let mut blocks = Vec::new();
    for card in backgrounds(parent, &units, ground) {
        let (inside, outside): (Vec<Unit>, Vec<Unit>) = units.into_iter().partition(|unit| card.encloses(unit.rect));
        units = outside;
        blocks.extend(Binding::of(&inside, Place::Card, ground).blocks(ground));
    }
    blocks.extend(Binding::of(&units, Place::Page, ground).blocks(ground));
    blocks
}

/// Siblings without contents behind words and controls: the cards that a flattened layout leaves of itself, the smallest
/// first.
fn backgrounds(parent: usize, units: &[Unit], ground: &Ground<'_>) -> Vec<Rect> {
    let end = ground.seen.ends[parent];
    let mut cards: Vec<Rect> = Vec::new();
    let mut child = parent + 1;
    while child < end && cards.len() < MAX_CARDS {
        let part = child..ground.seen.ends[child];
        child = part.end;
        let bare = ground.widgets_in(part.clone()).is_empty() && !ground.holds_text(part.clone());
        let Some(rect) = ground.seen.rects[part.start].filter(|_| bare) else { continue };
        let holds = |kind: Kind| units.iter().any(|unit| unit.kind == kind && rect.encloses(unit.rect));
        if holds(Kind::Words) && holds(Kind::Control) && !units.iter().all(|unit| rect.encloses(unit.rect)) {
            cards.push(rect);
        }
    }
    cards.sort_by_key(|card| card.area());
    cards
}

fn unit(node: usize, ground: &Ground<'_>) -> Option<Unit> {
    let part = node..ground.seen.ends[node];
    let rect = ground.seen.rects[node]?;
    let usable = ground.has_usable(std::slice::from_ref(&part));
    let mut own = ground.texts_in(part.clone()).map(|at| &ground.texts[at]).filter(|text| ground.stands_alone(text));
    let titled = own.clone().any(|text| may_be_title(&text.text) && !ground.is_bar_title(text));
    let kind = match (usable, titled) {
        (true, true) if !ground.usable_at(node) => Kind::Block,
        (true, _) => Kind::Control,
        (false, _) if own.next().is_some() => Kind::Words,
        (false, _) => return None,
    };
    let field = ground.widgets_in(part).any(|id| ground.widgets[id].role == Role::Field);
    Some(Unit { node, kind, rect, titled, field })
}

/// A tool bar's title heads the screen, and its buttons are no row.
fn is_bar(node: usize, ground: &Ground<'_>) -> bool {
    let node = &ground.tree.nodes[node];
    let id = node.resource_id.as_str();
    node.class.ends_with("Toolbar") || id.ends_with("toolbar") || id.ends_with(":id/action_bar")
}

/// Which words each control belongs to.
struct Binding<'u> {
    units: &'u [Unit],
    /// For each unit the one whose row it belongs to: the first words of the row.
    row: Vec<Option<usize>>,
    /// Words that are the title of their row, whatever else stands in it.
    named: Vec<usize>,
}

impl<'u> Binding<'u> {
    fn of(units: &'u [Unit], place: Place, ground: &Ground<'_>) -> Self {
        let mut binding = Self { units, row: vec![None; units.len()], named: Vec::new() };
        binding.bind_captions();
        binding.bind_lines();
        binding.bind_columns(place, ground);
        binding
    }

    fn is(&self, at: usize, kind: Kind) -> bool {
        self.units.get(at).is_some_and(|unit| unit.kind == kind)
    }

    /// Icons with a caption below each, at least two of them.
    fn bind_captions(&mut self) {
        let is_caption = |at: &usize| {
            let (control, words) = (self.units[*at], self.units[*at + 1]);
            let (a, b) = (control.rect, words.rect);
            let gap = b.top - a.bottom;
            let centred = (a.center().x - b.center().x).abs() <= 8 + a.width().max(b.width()) / 8;
            control.kind == Kind::Control
                && words.kind == Kind::Words
                && centred
                && (-a.height() / 4..=a.height() / 2).contains(&gap)
                && b.width() <= 2 * a.width() + a.width() / 4
                && a.width() <= 3 * a.height()
        };
        let captions: Vec<usize> = (0..self.units.len().saturating_sub(1)).filter(is_caption).collect();
        if captions.len() >= 2 {
            for at in captions {
                self.row[at] = Some(at + 1);
                self.row[at + 1] = Some(at + 1);
            }
        }
    }

    /// Controls on the line of words beside them.
    fn bind_lines(&mut self) {
        for at in 0..self.units.len() {
            if !self.is(at, Kind::Control) || self.row[at].is_some() {
                continue;
            }
            let before = self.words_before(at).filter(|first| self.shares_line(*first, at));
            let after = Some(at + 1).filter(|next| {
                self.is(*next, Kind::Words)
                    && self.row[*next].is_none()
                    && shares_line(self.units[*next].rect, self.units[at].rect)
            });
            let gap = |words: usize| gap(self.units[words].rect, self.units[at].rect);
            let first = match (before, after) {
                (Some(before), Some(after)) if gap(after) < gap(before) && self.units[after].titled => Some(after),
                (Some(before), _) => Some(before),
                (None, after) => after,
            };
            let Some(first) = first else { continue };
            self.row[at] = Some(first);
            if first > at {
                // Words behind the control, with what is said below them.
                let rest = (first..self.units.len()).take_while(|next| self.is(*next, Kind::Words));
                let line = self.units[at].rect;
                let rest: Vec<usize> =
                    rest.take_while(|next| self.units[*next].rect.top < line.bottom + line.height() / 2).collect();
                for next in rest {
                    self.row[next] = Some(first);
                }
            } else {
                for words in first..at {
                    self.row[words] = Some(first);
                }
            }
        }
    }

    /// The first of the words right before a control that stand on its line, or of the row of the control before it.
    fn words_before(&self, at: usize) -> Option<usize> {
        let last = at.checked_sub(1)?;
        match self.units[last].kind {
            Kind::Control => {
                let first = self.row[last]?;
                // Words behind a control belong to it alone.
                (first < last && shares_line(self.units[last].rect, self.units[at].rect)).then_some(first)
            }
            Kind::Words if self.row[last].is_none() => {
                let control = self.units[at].rect;
                let run =
                    (0..=last).rev().take_while(|words| self.is(*words, Kind::Words) && self.row[*words].is_none());
                let on_line = run.take_while(|words| {
                    let rect = self.units[*words].rect;
                    let reach = rect.height() / 3;
                    rect.bottom + reach > control.top && rect.top < control.bottom
                });
                on_line.last()
            }
            Kind::Words => self.row[last].filter(|first| *first < last && self.is(*first, Kind::Words)),
            Kind::Block => None,
        }
    }

    /// True if any of the words from `first` up to the control stands on its line, beside it.
    fn shares_line(&self, first: usize, control: usize) -> bool {
        (first..control).any(|words| shares_line(self.units[words].rect, self.units[control].rect))
    }

    /// Controls below words, where they share a card or that repeats with words of the same height in the same column or line.
    fn bind_columns(&mut self, place: Place, ground: &Ground<'_>) {
        let mut found: Vec<(usize, Vec<usize>, Vec<usize>)> = Vec::new();
        let mut at = 0;
        while at < self.units.len() {
            if !self.is(at, Kind::Words) || self.row[at].is_some_and(|first| first < at) {
                at += 1;
                continue;
            }
            let bound = self.row[at].is_some();
            let words: Vec<usize> = (at..self.units.len())
                .take_while(|next| self.is(*next, Kind::Words) && self.row[*next].is_some() == bound)
                .collect();
            let after = at + words.len();
            let free = |next: &usize| self.is(*next, Kind::Control) && self.row[*next].is_none();
            // A field takes the words above it for itself.
            let field = self.units.get(after).is_some_and(|unit| unit.field);
            let most = if field { 1 } else { usize::MAX };
            let controls: Vec<usize> = (after..self.units.len()).take_while(free).take(most).collect();
            let lowest = words.iter().map(|words| self.units[*words].rect.bottom).max().unwrap_or_default();
            let below = |control: &usize| self.units[*control].rect.top >= lowest - 4;
            if !controls.is_empty() && controls.iter().all(below) {
                found.push((at, words, controls));
            }
            at = after.max(at + 1);
        }
        let height = ground.seen.display.height();
        let mut bound: Vec<(usize, usize)> = Vec::new();
        for (_, words, controls) in &found {
            let elsewhere = |at: &usize| {
                let alike = |other: &usize| is_same_style(self.units[*at].rect, self.units[*other].rect);
                found.iter().filter(|(_, other, _)| other.iter().any(alike)).count()
            };
            let titled = words.iter().copied().filter(|words| self.units[*words].titled);
            let best = titled.map(|at| (elsewhere(&at), std::cmp::Reverse(at))).max();
            let Some((times, std::cmp::Reverse(first))) = best else { continue };
            let far = self.units[controls[0]].rect.top - self.units[words[words.len() - 1]].rect.bottom > height / 12;
            if times < 2 && place == Place::Page && self.row[first].is_none() || far {
                continue;
            }
            let row = self.row[first].unwrap_or(first);
            bound.extend((first..=controls[controls.len() - 1]).map(|unit| (unit, row)));
            if self.row[first].is_none() {
                self.named.push(first);
            }
        }
        for (unit, row) in bound {
            self.row[unit] = Some(row);
        }
    }

    fn blocks(&self, ground: &Ground<'_>) -> Vec<Block> {
        let mut rows: Vec<(usize, Vec<usize>)> = Vec::new();
        for (at, row) in self.row.iter().enumerate() {
            let Some(row) = row else { continue };
            match rows.iter_mut().rev().take(4).find(|(of, _)| of == row) {
                Some((_, nodes)) => nodes.push(self.units[at].node),
                None => rows.push((*row, vec![self.units[at].node])),
            }
        }
        rows.retain(|(first, nodes)| nodes.len() > 1 && self.names_a_row(*first));
        let block = |(first, nodes): &(usize, Vec<usize>)| {
            let mut block = Block::of_nodes(nodes, ground);
            if self.named.contains(first) {
                let node = self.units[*first].node;
                block.name = Some(node..ground.seen.ends[node]);
            }
            block
        };
        rows.iter().map(block).collect()
    }

    fn names_a_row(&self, first: usize) -> bool {
        (0..self.units.len()).any(|at| self.row[at] == Some(first) && self.units[at].titled)
    }
}

/// A name that can be touched and smaller controls on its line, at least twice or in a container that takes touches as a
/// whole (a small player above the tabs).
fn pairs(parent: usize, units: &[Unit], ground: &Ground<'_>) -> Vec<Block> {
    let mut lines: Vec<Vec<usize>> = Vec::new();
    for (at, unit) in units.iter().enumerate() {
        let fits = lines.last().is_some_and(|line| {
            let first = units[line[0]].rect;
            shares_line(first, unit.rect) && 3 * unit.rect.width() <= first.width()
        });
        match lines.last_mut() {
            Some(line) if fits => line.push(at),
            _ => lines.push(vec![at]),
        }
    }
    let named = |at: usize| ground.holds_text(units[at].node..ground.seen.ends[units[at].node]);
    lines.retain(|line| line.len() > 1 && named(line[0]));
    let left = |line: &Vec<usize>| units[line[0]].rect.left;
    let repeats =
        |line: &Vec<usize>| lines.iter().filter(|other| (left(other) - left(line)).abs() <= 4).take(2).count() == 2;
    let whole = ground.tree.nodes[parent].clickable && lines.len() == 1;
    let repeated: Vec<&Vec<usize>> = lines.iter().filter(|line| whole || repeats(line)).collect();
    let nodes = |line: &Vec<usize>| line.iter().map(|at| units[*at].node).collect::<Vec<_>>();
    repeated.into_iter().map(|line| Block::of_nodes(&nodes(line), ground)).collect()
}

/// True for words of one height in one column or on one line.
fn is_same_style(a: Rect, b: Rect) -> bool {
    let near = |x: i32, y: i32| (x - y).abs() <= 3 + x.abs().min(y.abs()) / 50;
    let placed = near(a.left, b.left) || near(a.top, b.top) || near(a.center().x, b.center().x);
    (a.height() - b.height()).abs() <= 2 + a.height() / 12 && placed
}

/// True for what stands on one line, side by side.
fn shares_line(a: Rect, b: Rect) -> bool {
    let shared = a.bottom.min(b.bottom) - a.top.max(b.top);
    let across = a.right.min(b.right) - a.left.max(b.left);
    let narrow = a.width().min(b.width());
    2 * shared >= a.height().min(b.height()) && 2 * across < narrow.max(1) || enclosed_end(a, b)
}

/// A control that lies on the end of words that are as wide as the whole line.
fn enclosed_end(words: Rect, control: Rect) -> bool {
    let level =
        2 * (words.bottom.min(control.bottom) - words.top.max(control.top)) >= control.height().min(words.height());
    level && words.width() >= 3 * control.width() && (words.right - control.right).abs() <= control.width() / 2
}

fn gap(a: Rect, b: Rect) -> i32 {
    (a.left - b.right).max(b.left - a.right).max(0)
}
