//! Rows: repeated blocks (list entries, cards, grid cells) with a heading and the controls that belong to it.

use crate::domain::Rect;
use crate::hierarchy::{Role, Screen, WidgetId};

/// Fewest blocks of a kind that make a list.
const MIN_BLOCKS: usize = 2;
/// Most of the display that a block may fill, in percent.
const MAX_SHARE: i64 = 60;

/// One repeated block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Its node.
    pub node: usize,
    /// Its bounds.
    pub bounds: Rect,
    /// Its title: the first text within it.
    pub heading: String,
    /// All widgets within it, in the order of the screen.
    pub widgets: Vec<WidgetId>,
    /// The widget that is touched to open the row itself, if it can be touched.
    pub opener: Option<WidgetId>,
}

/// The rows of a screen: the smallest repeated blocks that hold a text.
pub fn rows(screen: &Screen) -> Vec<Row> {
    let tree = &screen.tree;
    let ends = tree.subtree_ends();
    let display = screen.display.rect().area().max(1);
    let texts = |from: usize, to: usize| {
        screen.widgets.iter().filter(move |widget| widget.node >= from && widget.node < to && !widget.label.is_empty())
    };
    let mut found: Vec<Row> = Vec::new();
    for (parent, end) in ends.iter().enumerate() {
        let mut children = Vec::new();
        let mut child = parent + 1;
        while child < *end {
            children.push(child);
            child = ends[child];
        }
        if children.len() < MIN_BLOCKS {
            continue;
        }
        let is_block = |node: &usize| {
            let own = &tree.nodes[*node];
            let holds = texts(*node, ends[*node]).next().is_some();
            let small = own.bounds.area() * 100 <= display * MAX_SHARE && !own.bounds.is_empty();
            // A control alone is a row only as an entry of a list.
            let compound = ends[*node] > *node + 2;
            holds && small && (compound || own.clickable && is_list(&tree.nodes[parent].class))
        };
        let blocks: Vec<usize> = children.into_iter().filter(is_block).collect();
        for &node in &blocks {
            let alike = blocks.iter().filter(|other| are_alike(screen, &ends, node, **other)).count();
            if alike >= MIN_BLOCKS
                && let Some(row) = row(screen, node, ends[node])
            {
                found.push(row);
            }
        }
    }
    found
}

fn is_list(class: &str) -> bool {
    ["ListView", "RecyclerView", "GridView", "ScrollView"].iter().any(|kind| class.ends_with(kind))
}

/// Two blocks repeat one another: same class, same width or same height, same left or same top, and similar contents.
fn are_alike(screen: &Screen, ends: &[usize], one: usize, other: usize) -> bool {
    let nodes = &screen.tree.nodes;
    let (a, b) = (&nodes[one], &nodes[other]);
    let near = |x: i32, y: i32| (x - y).abs() <= 4 + x.abs().max(y.abs()) / 20;
    let stacked = near(a.bounds.width(), b.bounds.width()) && near(a.bounds.left, b.bounds.left);
    let beside = near(a.bounds.height(), b.bounds.height()) && near(a.bounds.top, b.bounds.top);
    let (small, large) = {
        let (x, y) = (ends[one] - one, ends[other] - other);
        (x.min(y), x.max(y))
    };
    a.class == b.class && a.clickable == b.clickable && (stacked || beside) && 2 * small >= large
}

fn row(screen: &Screen, node: usize, end: usize) -> Option<Row> {
    let own = &screen.tree.nodes[node];
    let widgets: Vec<WidgetId> =
        screen.widgets.iter().filter(|widget| widget.node >= node && widget.node < end).map(|widget| widget.id).collect();
    let at = |id: &WidgetId| screen.widgets.get(*id);
    let heading = widgets
        .iter()
        .filter_map(at)
        .find(|widget| {
            !widget.label.is_empty()
                && matches!(widget.role, Role::Text | Role::ListItem | Role::Button | Role::ReadText)
                && !(widget.role == Role::Button && widget.value.is_empty() && widgets.len() > 1)
        })
        .or_else(|| widgets.iter().filter_map(at).find(|widget| !widget.label.is_empty()))?;
    let opener = widgets.iter().filter_map(at).find(|widget| {
        widget.clickable && 10 * widget.bounds.area() >= 6 * own.bounds.area()
            || widget.clickable && widget.role == Role::ListItem
    });
    Some(Row {
        node,
        bounds: own.bounds,
        heading: super::super::task::title_of(&heading.label).to_owned(),
        opener: opener.map(|widget| widget.id),
        widgets,
    })
}
