//! Layout: gives every node of a scene its place.

use super::AppContext;
use super::file::{Axis, TextAlign};
use super::scene::{Content, Draft, Insets, Node, NodeIndex, Scene, TextBlock, content_box};
use super::typesetter::Typesetter;
use crate::domain::Rect;
use taffy::{AvailableSpace, TaffyTree};

/// Lays out the scene's root on the display. Scenes are built from left to right; in locales that read from right to
/// left the whole window is mirrored here, as Android does with its start and end edges. What has
/// [`Node::left_to_right`] keeps its children's order.
pub(super) fn lay_out(mut scene: Draft, context: &AppContext) -> Scene {
    let (typesetter, mirrored) = (&context.typesetter, context.rtl());
    arrange(&mut scene, context, mirrored);
    let mut scene = scene.settle();
    scene.nodes.iter_mut().filter(|node| !node.left_to_right).for_each(turn_to_the_right);
    // Lines are broken for the width each text really got.
    for node in &mut scene.nodes {
        let width = content_box(node.bounds, node.style).2;
        if let Content::Text(block) = &mut node.content {
            block.shaped = typesetter.shape(&block.text, block.face, Some(width.max(1.0)), block.max_lines);
        }
        if let Content::FieldFrame { label: Some(block), .. } = &mut node.content {
            block.shaped = typesetter.shape(&block.text, block.face, None, Some(1));
        }
    }
    scene
}

/// What begins at the left begins at the right.
fn turn_to_the_right(node: &mut Node<Insets>) {
    std::mem::swap(&mut node.style.left, &mut node.style.right);
    let turn = |block: &mut TextBlock| {
        block.align = match block.align {
            TextAlign::Start => TextAlign::End,
            TextAlign::Center => TextAlign::Center,
            TextAlign::End => TextAlign::Start,
        };
    };
    match &mut node.content {
        Content::Text(block) | Content::FieldFrame { label: Some(block), .. } => turn(block),
        _ => {}
    }
}

fn arrange(scene: &mut Draft, context: &AppContext, mirrored: bool) {
    let (typesetter, display) = (&context.typesetter, context.display);
    let mut tree: TaffyTree<NodeIndex> = TaffyTree::with_capacity(scene.nodes.len());
    let mut ids = Vec::with_capacity(scene.nodes.len());
    for (index, node) in scene.nodes.iter().enumerate() {
        let made = tree.new_leaf_with_context(node.style.clone(), index);
        // Adding to a tree cannot fail; should it ever, the rest of the scene stays empty.
        let Ok(id) = made else { break };
        ids.push(id);
    }
    for (index, node) in scene.nodes.iter().enumerate() {
        let children: Vec<_> = node.children.iter().filter_map(|&c| ids.get(c).copied()).collect();
        if let Some(&id) = ids.get(index)
            && !children.is_empty()
        {
            // Fails for ids of another tree only; these are its own.
            let _ = tree.set_children(id, &children);
        }
    }
    let Some(&root) = ids.first() else { return };
    let space = taffy::Size {
        width: AvailableSpace::Definite(display.width as f32),
        height: AvailableSpace::Definite(display.height as f32),
    };
    let nodes = &scene.nodes;
    let measured = tree.compute_layout_with_measure(root, space, |inputs, _, context, style| {
        taffy::compute_leaf_layout(
            inputs,
            style,
            |_, _| 0.0,
            |known, available| measure(nodes, context.map(|i| *i), typesetter, known, available),
        )
    });
    if measured.is_err() {
        return;
    }
    let frame = Placement { origin: (0.0, 0.0), width: display.width as f32, mirrored, clip: display.rect() };
    place(scene, &tree, &ids, 0, frame);
}

fn measure(
    nodes: &[Node],
    index: Option<NodeIndex>,
    typesetter: &Typesetter,
    known: taffy::Size<Option<f32>>,
    available: taffy::Size<AvailableSpace>,
) -> taffy::Size<f32> {
    let Some(Content::Text(block)) = index.and_then(|i| nodes.get(i)).map(|n| &n.content) else {
        return taffy::Size { width: known.width.unwrap_or(0.0), height: known.height.unwrap_or(0.0) };
    };
    let limit = known.width.or(match available.width {
        AvailableSpace::Definite(width) => Some(width),
        AvailableSpace::MaxContent => None,
        AvailableSpace::MinContent if block.max_lines.is_some() => Some(1.0),
        AvailableSpace::MinContent => Some(typesetter.longest_word(&block.text, block.face).ceil()),
    });
    // Whole pixels, rounded up: else the final width could be a fraction too small and break the line.
    let shaped = typesetter.shape(&block.text, block.face, limit, block.max_lines);
    taffy::Size {
        width: known.width.unwrap_or(shaped.width.ceil() + 1.0),
        height: known.height.unwrap_or(shaped.height.ceil().max(block.face.line_height)),
    }
}

/// Where a parent puts its children.
#[derive(Clone, Copy)]
struct Placement {
    /// Its top left corner, moved by how far it is scrolled.
    origin: (f32, f32),
    /// Its width.
    width: f32,
    /// Its left is its right.
    mirrored: bool,
    /// What is seen of it.
    clip: Rect,
}

fn place(scene: &mut Draft, tree: &TaffyTree<NodeIndex>, ids: &[taffy::NodeId], index: NodeIndex, parent: Placement) {
    let Some(layout) = ids.get(index).and_then(|&id| tree.layout(id).ok()) else { return };
    let x = if parent.mirrored { parent.width - layout.location.x - layout.size.width } else { layout.location.x };
    let (left, top) = (parent.origin.0 + x, parent.origin.1 + layout.location.y);
    let bounds = Rect::new(
        left.round() as i32,
        top.round() as i32,
        (left + layout.size.width).round() as i32,
        (top + layout.size.height).round() as i32,
    );
    let Some(node) = scene.nodes.get_mut(index) else { return };
    node.bounds = bounds;
    node.visible = bounds.intersection(parent.clip).unwrap_or_default();
    let mut inside = Placement { origin: (left, top), width: layout.size.width, ..parent };
    node.left_to_right |= !parent.mirrored;
    inside.mirrored = !node.left_to_right;
    if let Some(area) = &mut node.scroll {
        let overflow = match area.axis {
            Axis::Vertical => layout.scrollable_overflow_rect.bottom - layout.size.height,
            Axis::Horizontal => layout.scrollable_overflow_rect.right - layout.size.width,
        };
        area.limit = overflow.max(0.0).floor();
        area.offset = area.offset.clamp(0.0, area.limit).round();
        match area.axis {
            Axis::Vertical => inside.origin.1 -= area.offset,
            Axis::Horizontal if inside.mirrored => inside.origin.0 += area.offset,
            Axis::Horizontal => inside.origin.0 -= area.offset,
        }
    }
    if node.clips {
        inside.clip = node.visible;
    }
    for child in node.children.clone() {
        place(scene, tree, ids, child, inside);
    }
}
