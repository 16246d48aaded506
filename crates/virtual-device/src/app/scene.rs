//! The one tree that the dump, the picture and hit-testing read.

use super::file::{Axis, Dialect, IconName, Quirk, Script, TextAlign};
use super::paint::Paint;
use super::palette::Rgba;
use super::shaped::Shaped;
use super::target::{Drag, Locals, Target};
use super::typesetter::Face;
use crate::domain::{Point, Rect, Size};
use std::ops::Range;
use std::sync::Arc;

/// Index of a node in its scene.
pub(super) type NodeIndex = usize;

/// A laid-out window: nodes in drawing order (parents before children, later siblings on top).
#[derive(Debug)]
pub(super) struct Scene<S = Insets> {
    /// The nodes; the first is the root.
    pub nodes: Vec<Node<S>>,
    /// A window without input focus, such as a list of suggestions: a plain dump shows the one below.
    pub passive: bool,
}

/// A scene that is still being built: taffy's styles are not `Send`, so they end with layout.
pub(super) type Draft = Scene<taffy::Style>;

/// What remains of a style after layout: the padding around a node's content, pixels.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Insets {
    /// Left.
    pub left: f32,
    /// Top.
    pub top: f32,
    /// Right.
    pub right: f32,
}

impl<S> Default for Scene<S> {
    fn default() -> Self {
        Self { nodes: Vec::new(), passive: false }
    }
}

/// One box.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties of a box")]
pub(super) struct Node<S = taffy::Style> {
    /// Its parent; none for the root.
    pub parent: Option<NodeIndex>,
    /// Its children.
    pub children: Vec<NodeIndex>,
    /// How it is laid out, in pixels.
    pub style: S,
    /// What lies behind its content.
    pub surface: Option<Surface>,
    /// Its own drawing.
    pub content: Content,
    /// What the dump says; `None`: not in the dump, its children belong to the next ancestor that is.
    pub access: Option<Access>,
    /// What touching it does.
    pub target: Option<Target>,
    /// Long press.
    pub on_long_press: Option<(Script, Locals)>,
    /// Reacts.
    pub enabled: bool,
    /// Scrolls its children.
    pub scroll: Option<ScrollArea>,
    /// Cuts off children that reach beyond it.
    pub clips: bool,
    /// Its subtree stays out of the dump.
    pub opaque: bool,
    /// What only some nodes have.
    pub extra: Extra,
    /// Its children stand from left to right in every locale (keypads, codes, maps, charts). After layout: whether they
    /// do so here.
    pub left_to_right: bool,
    /// Position on the display, unclipped.
    pub bounds: Rect,
    /// The part of it that no ancestor cuts off; empty when nothing is left.
    pub visible: Rect,
}

impl Default for Node {
    fn default() -> Self {
        Self {
            parent: None,
            children: Vec::new(),
            style: taffy::Style::default(),
            surface: None,
            content: Content::None,
            access: None,
            target: None,
            on_long_press: None,
            enabled: true,
            scroll: None,
            clips: false,
            opaque: false,
            extra: Extra::default(),
            left_to_right: false,
            bounds: Rect::default(),
            visible: Rect::default(),
        }
    }
}

/// What only some nodes have.
#[derive(Debug, Default)]
pub(super) struct Extra {
    /// What a drag that begins on it does.
    pub drag: Option<Drag>,
    /// Opacity of it and its children; none: 1.
    pub opacity: Option<f32>,
    /// Only children in sight exist, as in a `RecyclerView`.
    pub recycles: bool,
    /// The toolkit that the dump takes its subtree for.
    pub dialect: Option<Dialect>,
    /// The dump gives a wrong rectangle.
    pub quirk: Option<Quirk>,
    /// Compose test tag.
    pub testtag: String,
    /// Sends accessibility events all the time.
    pub restless: bool,
}

/// A filled and bordered rounded rectangle. Lengths in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Surface {
    /// Fill.
    pub fill: Rgba,
    /// Corner radius.
    pub radius: f32,
    /// Border colour and width.
    pub border: Option<(Rgba, f32)>,
    /// Height of the shadow.
    pub elevation: f32,
    /// Rounds only the upper corners.
    pub top_only: bool,
}

impl Surface {
    pub(super) const fn fill(fill: Rgba) -> Self {
        Self { fill, radius: 0.0, border: None, elevation: 0.0, top_only: false }
    }
    pub(super) const fn rounded(fill: Rgba, radius: f32) -> Self {
        Self { radius, ..Self::fill(fill) }
    }
}

/// What a node draws itself.
#[derive(Debug)]
pub(super) enum Content {
    /// Nothing.
    None,
    /// Text.
    Text(Box<TextBlock>),
    /// An icon over the node's content box.
    Icon(IconName, Rgba),
    /// A check box.
    Checkbox {
        /// Ticked.
        checked: bool,
        /// Colour when ticked.
        color: Rgba,
    },
    /// A radio button.
    Radio {
        /// Chosen.
        checked: bool,
        /// Colour when chosen.
        color: Rgba,
    },
    /// A switch.
    Switch {
        /// On.
        checked: bool,
        /// Colour when on.
        color: Rgba,
    },
    /// A turning arc.
    Spinner(Rgba),
    /// A border with a gap for the floating label.
    FieldFrame {
        /// Border colour.
        color: Rgba,
        /// Border width, pixels.
        width: f32,
        /// Label floating in the border, if any.
        label: Option<Box<TextBlock>>,
    },
    /// Whatever is drawn by a rule of its own.
    Paint(Box<Paint>),
    /// Dots in boxes.
    PinDots {
        /// Digits entered.
        filled: usize,
        /// Boxes.
        total: usize,
    },
}

/// A text to be set.
#[derive(Debug, Clone)]
pub(super) struct TextBlock {
    /// The text.
    pub text: String,
    /// Its face.
    pub face: Face,
    /// Its colour.
    pub color: Rgba,
    /// Its lines' alignment.
    pub align: TextAlign,
    /// Lines at most.
    pub max_lines: Option<usize>,
    /// Links in it: bytes and look.
    pub links: Vec<LinkRange>,
    /// Parts of it that look different without being links.
    pub marks: Vec<MarkRange>,
    /// Byte position and colour of the text cursor.
    pub cursor: Option<(usize, Rgba)>,
    /// The result of layout.
    pub shaped: Arc<Shaped>,
}

/// A link's range of bytes in its text.
#[derive(Debug, Clone)]
pub(super) struct LinkRange {
    /// Bytes.
    pub bytes: Range<usize>,
    /// Colour.
    pub color: Rgba,
    /// Underlined.
    pub underline: bool,
}

/// A part of a text with a look of its own.
#[derive(Debug, Clone)]
pub(super) struct MarkRange {
    /// Bytes.
    pub bytes: Range<usize>,
    /// Colour.
    pub color: Rgba,
    /// Struck through.
    pub strike: bool,
}

/// What the accessibility service is told.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "mirrors AccessibilityNodeInfo")]
pub(super) struct Access {
    /// Class name.
    pub class: &'static str,
    /// Full resource id.
    pub id: String,
    /// Text.
    pub text: String,
    /// Content description.
    pub desc: String,
    /// Hint.
    pub hint: String,
    /// Checkable.
    pub checkable: bool,
    /// Checked.
    pub checked: bool,
    /// Clickable.
    pub clickable: bool,
    /// Focusable.
    pub focusable: bool,
    /// Focused.
    pub focused: bool,
    /// Long-clickable.
    pub long_clickable: bool,
    /// Password.
    pub password: bool,
    /// Selected.
    pub selected: bool,
    /// Scrolls although the scene does not scroll it (a wheel).
    pub scrollable: bool,
    /// A tab, as other toolkits count them.
    pub tab: bool,
}

impl Access {
    /// Something of that class to be touched: clickable and focusable.
    pub(super) fn touchable(class: &'static str) -> Self {
        Self { class, clickable: true, focusable: true, ..Self::default() }
    }
}

/// A scrolling container.
#[derive(Debug, Clone, Default)]
pub(super) struct ScrollArea {
    /// Which one: stable as long as its screen is open.
    pub key: String,
    /// How far it is scrolled, pixels.
    pub offset: f32,
    /// How far it can be scrolled, pixels.
    pub limit: f32,
    /// Which way.
    pub axis: Axis,
    /// When it has been scrolled to its end.
    pub on_end: Option<(Script, Locals)>,
    /// When it is pulled down at its beginning.
    pub refresh: Option<(Script, Locals)>,
}

impl Draft {
    /// Adds a node below `parent`.
    pub(super) fn add(&mut self, parent: Option<NodeIndex>, mut node: Node) -> NodeIndex {
        let index = self.nodes.len();
        node.parent = parent;
        if let Some(parent) = parent.and_then(|p| self.nodes.get_mut(p)) {
            parent.children.push(index);
        }
        self.nodes.push(node);
        index
    }

    /// The scene without its styles.
    pub(super) fn settle(self) -> Scene {
        let length = |l: taffy::LengthPercentage| l.into_raw().value();
        let passive = self.passive;
        let nodes = self.nodes.into_iter().map(|node| Node {
            parent: node.parent,
            children: node.children,
            style: Insets {
                left: length(node.style.padding.left),
                top: length(node.style.padding.top),
                right: length(node.style.padding.right),
            },
            surface: node.surface,
            content: node.content,
            access: node.access,
            target: node.target,
            on_long_press: node.on_long_press,
            enabled: node.enabled,
            scroll: node.scroll,
            clips: node.clips,
            opaque: node.opaque,
            extra: node.extra,
            left_to_right: node.left_to_right,
            bounds: node.bounds,
            visible: node.visible,
        });
        Scene { nodes: nodes.collect(), passive }
    }
}

impl Scene {
    /// The topmost node under `point` that reacts to touches there. A disabled one takes the touch as well; a
    /// paragraph only where a link is.
    pub(super) fn hit(&self, point: Point) -> Option<NodeIndex> {
        (0..self.nodes.len()).rev().find(|&index| {
            let node = &self.nodes[index];
            node.visible.contains(point)
                && match &node.target {
                    None => false,
                    Some(Target::Links(..)) => self.link_at(index, point).is_some(),
                    Some(_) => true,
                }
        })
    }

    /// Which of a paragraph's links lies under `point`.
    pub(super) fn link_at(&self, index: NodeIndex, point: Point) -> Option<usize> {
        let node = self.nodes.get(index)?;
        let Content::Text(block) = &node.content else { return None };
        block.links.iter().position(|link| {
            block.boxes(node.bounds, node.style, link.bytes.clone()).into_iter().any(|rect| rect.contains(point))
        })
    }

    /// The innermost scrolling container under `point` that can still move by `delta` (positive: towards the end).
    pub(super) fn scrollable_at(&self, point: Point, delta: f32, axis: Axis) -> Option<NodeIndex> {
        (0..self.nodes.len()).rev().find(|&index| {
            let node = &self.nodes[index];
            node.visible.contains(point)
                && node.scroll.as_ref().is_some_and(|area| {
                    area.axis == axis && if delta > 0.0 { area.offset < area.limit } else { area.offset > 0.0 }
                })
        })
    }

    /// The opacity of each node, that of its ancestors included.
    pub(super) fn opacities(&self) -> Vec<f32> {
        let mut all: Vec<f32> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let above = node.parent.and_then(|parent| all.get(parent)).copied().unwrap_or(1.0);
            all.push(above * node.extra.opacity.unwrap_or(1.0));
        }
        all
    }

    /// Moves the whole window up by `pan` pixels.
    pub(super) fn pan(&mut self, pan: i32, display: Size) {
        if pan == 0 {
            return;
        }
        let up = |r: Rect| Rect::new(r.left, r.top - pan, r.right, r.bottom - pan);
        for node in &mut self.nodes {
            node.bounds = up(node.bounds);
            node.visible = up(node.visible).intersection(display.rect()).unwrap_or_default();
        }
    }

    /// True when something in sight keeps sending accessibility events. Turning spinners do not: drawing a frame of
    /// Android's `ProgressBar` sends none.
    pub(super) fn animates(&self) -> bool {
        self.nodes.iter().any(|node| node.extra.restless && !node.visible.is_empty())
    }
}

impl TextBlock {
    /// Where line `at` begins on the left, given the text's box. After layout, start means left and end right.
    pub(super) fn line_left(&self, at: usize, left: f32, width: f32) -> f32 {
        let free = self.shaped.lines.get(at).map_or(0.0, |line| width - line.width);
        match self.align {
            TextAlign::Start => left,
            TextAlign::Center => (left + free / 2.0).round(),
            TextAlign::End => (left + free).round(),
        }
    }

    /// The rectangles that a range of bytes covers on the display: one a line, more where both directions meet.
    pub(super) fn boxes(&self, bounds: Rect, insets: Insets, bytes: Range<usize>) -> Vec<Rect> {
        let (left, top, width) = content_box(bounds, insets);
        let mut boxes = Vec::new();
        for (at, line) in self.shaped.lines.iter().enumerate() {
            let x = self.line_left(at, left, width);
            boxes.extend(self.shaped.spans(at, &bytes).into_iter().map(|(from, to)| {
                Rect::new(
                    (x + from).floor() as i32,
                    (top + line.top).floor() as i32,
                    (x + to).ceil() as i32,
                    (top + line.top + line.height).ceil() as i32,
                )
            }));
        }
        boxes
    }

    /// Where in the text, in bytes, a touch at `x` puts the cursor of a one-line text in a box.
    pub(super) fn byte_at(&self, bounds: Rect, insets: Insets, x: f32) -> usize {
        let (left, _, width) = content_box(bounds, insets);
        self.shaped.byte_at(x - self.line_left(0, left, width), &self.text)
    }
}

/// Left, top and width of what padding leaves of a node.
pub(super) fn content_box(bounds: Rect, insets: Insets) -> (f32, f32, f32) {
    (
        bounds.left as f32 + insets.left,
        bounds.top as f32 + insets.top,
        (bounds.width() as f32 - insets.left - insets.right).max(0.0),
    )
}
