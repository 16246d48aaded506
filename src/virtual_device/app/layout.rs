//! Layout: gives every node of a scene its place.

use super::file::Axis;
use super::scene::{Content, Draft, Node, NodeIndex, Scene, content_box};
use super::typesetter::Typesetter;
use crate::domain::{Rect, Size};
use taffy::{AvailableSpace, TaffyTree};

/// Lays out the scene's root on the display.
pub(super) fn lay_out(mut scene: Draft, typesetter: &Typesetter, display: Size) -> Scene {
    arrange(&mut scene, typesetter, display);
    let mut scene = scene.settle();
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

fn arrange(scene: &mut Draft, typesetter: &Typesetter, display: Size) {
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
    place(scene, &tree, &ids, 0, (0.0, 0.0), display.rect());
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

fn place(
    scene: &mut Draft,
    tree: &TaffyTree<NodeIndex>,
    ids: &[taffy::NodeId],
    index: NodeIndex,
    origin: (f32, f32),
    clip: Rect,
) {
    let Some(layout) = ids.get(index).and_then(|&id| tree.layout(id).ok()) else { return };
    let (left, top) = (origin.0 + layout.location.x, origin.1 + layout.location.y);
    let bounds = Rect::new(
        left.round() as i32,
        top.round() as i32,
        (left + layout.size.width).round() as i32,
        (top + layout.size.height).round() as i32,
    );
    let Some(node) = scene.nodes.get_mut(index) else { return };
    node.bounds = bounds;
    node.visible = bounds.intersection(clip).unwrap_or_default();
    let mut child_origin = (left, top);
    if let Some(area) = &mut node.scroll {
        let overflow = match area.axis {
            Axis::Vertical => layout.scrollable_overflow_rect.bottom - layout.size.height,
            Axis::Horizontal => layout.scrollable_overflow_rect.right - layout.size.width,
        };
        area.limit = overflow.max(0.0).floor();
        area.offset = area.offset.clamp(0.0, area.limit).round();
        match area.axis {
            Axis::Vertical => child_origin.1 -= area.offset,
            Axis::Horizontal => child_origin.0 -= area.offset,
        }
    }
    let clip = if node.clips { node.visible } else { clip };
    for child in node.children.clone() {
        place(scene, tree, ids, child, child_origin, clip);
    }
}
