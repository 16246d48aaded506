//! What one block of the tree holds: its title, its opener, its controls.

use super::row_title::may_be_title;
use super::visibility::Visibility;
use super::words::clean;
use super::{Role, Row, ScreenText, TextSource, UiTree, Widget, WidgetId};
use crate::domain::Rect;
use std::ops::Range;

/// A larger letter by this much, in percent, is a heading over what stands above it.
const LARGER: i32 = 130;
/// With how many texts of its block a title is compared; a block with more is a page.
const MAX_COMPARED: usize = 64;

/// A tree with what stands where in it.
pub(super) struct Ground<'s> {
    pub(super) tree: &'s UiTree,
    pub(super) seen: &'s Visibility,
    pub(super) widgets: &'s [Widget],
    pub(super) texts: &'s [ScreenText],
    /// The screen's title.
    title: &'s str,
    /// How many widgets, texts and usable widgets stand before each node.
    widgets_before: Vec<u32>,
    texts_before: Vec<u32>,
    usable_before: Vec<u32>,
}

impl<'s> Ground<'s> {
    pub(super) fn of(
        tree: &'s UiTree,
        seen: &'s Visibility,
        widgets: &'s [Widget],
        texts: &'s [ScreenText],
        title: &'s str,
    ) -> Self {
        let count = tree.nodes.len();
        let widgets_before = before(count, widgets.iter().map(|widget| widget.node));
        let texts_before = before(count, texts.iter().map(|text| text.node));
        let usable_before = before(count, widgets.iter().filter(|widget| is_usable(widget)).map(|widget| widget.node));
        Self { tree, seen, widgets, texts, title, widgets_before, texts_before, usable_before }
    }

    /// Ids of the widgets whose nodes are in the range.
    pub(super) fn widgets_in(&self, nodes: Range<usize>) -> Range<WidgetId> {
        self.widgets_before[nodes.start] as usize..self.widgets_before[nodes.end] as usize
    }

    /// Positions of the texts whose nodes are in the range.
    pub(super) fn texts_in(&self, nodes: Range<usize>) -> Range<usize> {
        self.texts_before[nodes.start] as usize..self.texts_before[nodes.end] as usize
    }

    pub(super) fn holds_text(&self, nodes: Range<usize>) -> bool {
        !self.texts_in(nodes).is_empty()
    }

    /// True if a widget of these parts can be used.
    pub(super) fn has_usable(&self, parts: &[Range<usize>]) -> bool {
        parts.iter().any(|part| self.usable_before[part.end] > self.usable_before[part.start])
    }

    /// True if the node itself is a widget that can be used.
    pub(super) fn usable_at(&self, node: usize) -> bool {
        self.usable_before[node + 1] > self.usable_before[node]
    }

    /// True for the screen's title in the bar on top, which heads no row.
    pub(super) fn is_bar_title(&self, text: &ScreenText) -> bool {
        let height = self.seen.display.height();
        text.bounds.bottom <= height / 8 && text.text == self.title
    }

    /// True for a text that belongs to no control.
    pub(super) fn stands_alone(&self, text: &ScreenText) -> bool {
        text.widget.and_then(|id| self.widgets.get(id)).is_none_or(|widget| !is_usable(widget))
    }
}

/// For each of `count` nodes and the end, how many of the sorted `nodes` come before it.
fn before(count: usize, nodes: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut sums = vec![0_u32; count + 1];
    for node in nodes.filter(|node| *node < count) {
        sums[node + 1] += 1;
    }
    for at in 1..=count {
        sums[at] += sums[at - 1];
    }
    sums
}

/// True for what a person can do something with.
pub(super) fn is_usable(widget: &Widget) -> bool {
    let turned = matches!(widget.role, Role::Field | Role::Slider | Role::Selector | Role::Dropdown);
    (widget.clickable || widget.long_clickable || turned || widget.state.checked.is_some()) && widget.role != Role::List
}

/// Parts of the tree that make one row.
#[derive(Debug, Clone)]
pub(super) struct Block {
    /// Node ranges, in document order.
    pub(super) parts: Vec<Range<usize>>,
    pub(super) bounds: Rect,
    /// Where its title is known to stand.
    pub(super) name: Option<Range<usize>>,
}

impl Block {
    /// A node with all it holds.
    pub(super) fn of_node(node: usize, ground: &Ground<'_>) -> Self {
        Self::of_nodes(&[node], ground)
    }

    /// Some siblings with all they hold.
    pub(super) fn of_nodes(nodes: &[usize], ground: &Ground<'_>) -> Self {
        let bounds = nodes.iter().filter_map(|node| ground.seen.rects[*node]).reduce(union).unwrap_or_default();
        Self { parts: nodes.iter().map(|node| *node..ground.seen.ends[*node]).collect(), bounds, name: None }
    }

    /// The row it makes; `None` if nothing in it could be its title.
    pub(super) fn row(&self, ground: &Ground<'_>) -> Option<Row> {
        let widgets: Vec<WidgetId> = self.parts.iter().flat_map(|part| ground.widgets_in(part.clone())).collect();
        let texts: Vec<usize> = self.parts.iter().flat_map(|part| ground.texts_in(part.clone())).collect();
        let usable: Vec<WidgetId> = widgets.iter().copied().filter(|id| is_usable(&ground.widgets[*id])).collect();
        let mut opener = self.opener(&usable, ground);
        let named: Vec<usize> = self.name.iter().flat_map(|part| ground.texts_in(part.clone())).collect();
        let heading = self.heading(if named.is_empty() { &texts } else { &named }, opener, ground).or_else(|| {
            let (text, owner) = borrowed_heading(&texts, &usable, ground)?;
            opener = opener.or(Some(owner)).filter(|id| can_open(&ground.widgets[*id]));
            Some(text)
        })?;
        let text = &ground.texts[heading];
        let controls: Vec<WidgetId> = usable.into_iter().filter(|id| Some(*id) != opener).collect();
        let only_fields = !controls.is_empty()
            && controls.iter().all(|id| ground.widgets[*id].role == Role::Field)
            && opener.is_none();
        if only_fields || widgets.len() + texts.len() < 2 {
            return None;
        }
        let heading = title_line(text, ground);
        Some(Row { heading, heading_bounds: text.bounds, bounds: self.bounds, widgets, texts, opener, controls })
    }

    /// What can be touched and fills most of the block, or is an entry of a list that holds the rest.
    fn opener(&self, usable: &[WidgetId], ground: &Ground<'_>) -> Option<WidgetId> {
        let opens = |id: &&WidgetId| {
            let widget = &ground.widgets[**id];
            let large = 10 * widget.bounds.area() >= 6 * self.bounds.area();
            let entry = widget.role == Role::ListItem && 10 * widget.bounds.area() >= 3 * self.bounds.area();
            can_open(widget) && (large || entry)
        };
        usable.iter().find(opens).copied()
    }

    /// The first or largest text that may be a title and belongs to no control.
    fn heading(&self, texts: &[usize], opener: Option<WidgetId>, ground: &Ground<'_>) -> Option<usize> {
        let own = |at: &&usize| {
            let text = &ground.texts[**at];
            ground.stands_alone(text) || text.widget == opener
        };
        let own: Vec<usize> = texts.iter().filter(own).copied().collect();
        let written = |at: &usize| ground.texts[*at].source == TextSource::Text;
        let title = |at: &usize| may_be_title(&ground.texts[*at].text);
        // What the card is called by its own description is its title where it shows those very words.
        let described = own.iter().find(|at| !written(at) && Some(ground.texts[**at].node) == self.node());
        let shown = described.and_then(|described| {
            let name = &ground.texts[*described].text;
            own.iter().find(|at| written(at) && ground.texts[**at].text == *name)
        });
        if shown.is_some() {
            return shown.copied();
        }
        // What other words stand on is laid out behind them: a message that takes the card's place later.
        let behind = |at: &usize| {
            let bounds = ground.texts[*at].bounds;
            let stands_on = |other: &&usize| {
                let text = &ground.texts[**other];
                text.node != ground.texts[*at].node && bounds != text.bounds && bounds.encloses(text.bounds)
            };
            own.iter().filter(|other| written(other)).take(MAX_COMPARED).any(|other| stands_on(&other))
        };
        let titles = || own.iter().copied().filter(|at| written(at) && title(at) && !behind(at));
        let standing: Vec<usize> = titles().filter(|at| ground.stands_alone(&ground.texts[*at])).collect();
        let of_opener = || titles().collect::<Vec<_>>();
        if let Some(best) = self.topmost(&standing, ground).or_else(|| self.topmost(&of_opener(), ground)) {
            return Some(best);
        }
        let image = |at: &usize| ground.tree.nodes[ground.texts[*at].node].class.contains("Image");
        let said = || own.iter().copied().filter(|at| !written(at) && ground.texts[*at].source != TextSource::Hint);
        said().find(|at| title(at) && !image(at)).or_else(|| said().find(title)).or_else(|| {
            // A number alone names an entry, and nothing that stands between other controls.
            let anything = |at: &usize| ground.texts[*at].text.chars().any(char::is_alphanumeric);
            own.iter().copied().find(|at| opener.is_some() && written(at) && anything(at))
        })
    }

    /// The block's own node, where it is one.
    fn node(&self) -> Option<usize> {
        match self.parts.as_slice() {
            [only] => Some(only.start),
            _ => None,
        }
    }

    /// The first of these in reading order, unless it lies on a picture or a clearly larger one follows.
    fn topmost(&self, titles: &[usize], ground: &Ground<'_>) -> Option<usize> {
        let line = |at: &usize| ground.texts[*at].bounds.top;
        let mut sorted: Vec<usize> = titles.to_vec();
        sorted.sort_by_key(|at| (line(at), *at));
        // A line reads on from its first text, however its texts are aligned.
        let first = *sorted.first()?;
        let level = ground.texts[first].bounds;
        let first = sorted
            .iter()
            .copied()
            .filter(|at| 2 * (ground.texts[*at].bounds.top - level.top) < level.height())
            .min()
            .unwrap_or(first);
        let pictures = self.pictures(ground);
        let bare = |at: &usize| {
            let bounds = ground.texts[*at].bounds;
            !pictures.iter().any(|picture| picture.encloses(bounds))
        };
        let first = if bare(&first) { first } else { sorted.iter().copied().find(bare).unwrap_or(first) };
        // What is cut off at the top seems smaller than it is.
        if ground.texts[first].bounds.top <= self.bounds.top {
            return Some(first);
        }
        let least = sorted.iter().map(|at| ground.texts[*at].bounds.height()).min().unwrap_or_default();
        let line = |at: &usize| line_height(&ground.texts[*at], least, 2);
        let own = line_height(&ground.texts[first], least, 1);
        let larger = sorted
            .iter()
            .copied()
            .filter(|at| 100 * line(at) >= LARGER * own && bare(at))
            .max_by_key(|at| (line(at), std::cmp::Reverse(*at)));
        Some(larger.unwrap_or(first))
    }

    /// Pictures that fill a part of the block.
    fn pictures(&self, ground: &Ground<'_>) -> Vec<Rect> {
        let nodes = self.parts.iter().cloned().flatten();
        let pictures = nodes.filter(|at| ground.tree.nodes[*at].class.contains("Image"));
        let rects = pictures.filter_map(|at| ground.seen.rects[at]);
        rects.filter(|rect| 100 * rect.area() < 85 * self.bounds.area()).take(8).collect()
    }
}

/// Where only controls have words, the one that is clearly the largest gives its name: a drop-down beside its arrow, a
/// name that can be touched beside a bin.
fn borrowed_heading(texts: &[usize], usable: &[WidgetId], ground: &Ground<'_>) -> Option<(usize, WidgetId)> {
    let area = |id: &WidgetId| ground.widgets[*id].bounds.area();
    // One that only holds the others has nothing to give.
    let holds = |id: &WidgetId| {
        let bounds = ground.widgets[*id].bounds;
        usable.iter().any(|other| other != id && bounds.encloses(ground.widgets[*other].bounds))
    };
    let speaks = |id: &WidgetId| texts.iter().any(|at| ground.texts[*at].widget == Some(*id));
    let usable: Vec<WidgetId> = usable.iter().copied().filter(|id| speaks(id) || !holds(id)).collect();
    let owner = *usable.iter().max_by_key(|id| (area(id), std::cmp::Reverse(**id)))?;
    let rivals = usable.iter().filter(|id| **id != owner).any(|id| 2 * area(id) > area(&owner));
    if rivals || ground.widgets[owner].role == Role::Field {
        return None;
    }
    let of_owner = || texts.iter().copied().filter(|at| ground.texts[*at].widget == Some(owner));
    let title = |at: &usize| may_be_title(&ground.texts[*at].text);
    of_owner().find(title).or_else(|| of_owner().next()).map(|at| (at, owner))
}

/// True for what leads somewhere when it is touched; fields, drop-downs and sliders hold values.
fn can_open(widget: &Widget) -> bool {
    widget.clickable && !matches!(widget.role, Role::Field | Role::Dropdown | Role::Slider | Role::Selector)
}

/// The height of one line of a text, guessed from its length; `least` is the height of the lowest text around, which has
/// one line. What does not fit into one line has at least `wrapped`: it may be cut off with an ellipsis.
fn line_height(text: &ScreenText, least: i32, wrapped: i32) -> i32 {
    let (width, height) = (text.bounds.width(), text.bounds.height());
    let chars = text.text.chars().map(|c| if (c as u32) < 0x1100 { 1 } else { 2 }).sum::<i32>();
    if i64::from(chars) * i64::from(height) <= i64::from(width) * 3 {
        return height;
    }
    height / ((height + least / 2) / least.max(1)).max(wrapped)
}

/// The first line of a text that may be a title, without the colon behind it.
fn title_line(text: &ScreenText, ground: &Ground<'_>) -> String {
    let node = &ground.tree.nodes[text.node];
    let raw = match text.source {
        TextSource::Description => &node.content_desc,
        _ => &node.text,
    };
    let line = raw.lines().map(clean).find(|line| may_be_title(line)).unwrap_or_else(|| text.text.clone());
    let line =
        if text.text.starts_with(&line) || text.source == TextSource::Description { line } else { text.text.clone() };
    line.trim_end_matches([':', '：']).trim_end().to_owned()
}

fn union(a: Rect, b: Rect) -> Rect {
    Rect::new(a.left.min(b.left), a.top.min(b.top), a.right.max(b.right), a.bottom.max(b.bottom))
}
