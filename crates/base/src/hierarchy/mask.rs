//! Keeping secrets out of everything that is read off a screen.

use super::UiTree;
use crate::domain::{Rect, Secret};

/// Stands for one character of a secret, as a password field shows it.
pub const MASK: char = '•';

/// Shorter secrets are masked only where they are a node's whole text: "12" stands in too many other texts.
const SHORTEST_PART: usize = 4;

/// Replaces each character of a secret in `text`, `content-desc` and `hint` by [`MASK`]; gives the bounds of the nodes.
pub(super) fn mask(tree: &mut UiTree, secrets: &[Secret]) -> Vec<Rect> {
    let mut masked = Vec::new();
    for node in &mut tree.nodes {
        let mut found = false;
        for secret in secrets.iter().map(Secret::expose).filter(|secret| !secret.is_empty()) {
            let length = secret.chars().count();
            for text in [&mut node.text, &mut node.content_desc, &mut node.hint] {
                if text == secret || (length >= SHORTEST_PART && text.contains(secret)) {
                    *text = text.replace(secret, &MASK.to_string().repeat(length));
                    found = true;
                }
            }
        }
        if found {
            masked.push(node.bounds);
        }
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::UiNode;

    fn masked(text: &str, secret: &str) -> String {
        let node = UiNode { text: text.into(), bounds: Rect::new(0, 0, 9, 9), ..UiNode::default() };
        let mut tree = UiTree { nodes: vec![node], ..UiTree::default() };
        let bounds = mask(&mut tree, &[Secret::new(secret)]);
        assert_eq!(bounds.is_empty(), tree.nodes[0].text == text);
        tree.nodes.remove(0).text
    }

    #[test]
    fn a_secret_is_masked_wherever_it_is_shown() {
        assert_eq!(masked("135790", "135790"), "••••••");
        assert_eq!(masked("Your code: 135790.", "135790"), "Your code: ••••••.");
        assert_eq!(masked("nothing here", "135790"), "nothing here");
    }

    #[test]
    fn a_short_secret_is_masked_only_as_a_whole_text() {
        assert_eq!(masked("12", "12"), "••");
        assert_eq!(masked("12 Nov", "12"), "12 Nov");
        assert_eq!(masked("anything", ""), "anything");
    }
}
