//! Where the links of texts stand: the truth that perception is measured against.

use super::{LaunchError, Program, Target};
use crate::app::scene::Content;
use crate::app::{AppContext, AppFile};
use crate::domain::Rect;
use std::sync::Arc;

/// A link as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownLink {
    /// Its words.
    pub text: String,
    /// The rectangles that react, on the display: one a line, more where both directions of writing meet.
    pub boxes: Vec<Rect>,
}

/// The links that an app's first screen shows, in the order of the texts they stand in.
///
/// # Errors
/// As [`launch`](super::launch).
pub fn shown_links(file: &Arc<AppFile>, context: AppContext) -> Result<Vec<ShownLink>, LaunchError> {
    let mut program = Program::new(file, context)?;
    let Some(scene) = program.top_scene() else { return Ok(Vec::new()) };
    let mut links = Vec::new();
    for node in &scene.nodes {
        let (Content::Text(block), Some(Target::Links(..))) = (&node.content, &node.target) else { continue };
        links.extend(block.links.iter().map(|link| ShownLink {
            text: block.text.get(link.bytes.clone()).unwrap_or_default().to_owned(),
            boxes: block.boxes(node.bounds, node.style, link.bytes.clone()),
        }));
    }
    Ok(links)
}
