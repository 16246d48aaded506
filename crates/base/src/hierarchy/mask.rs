//! Keeping secrets out of everything that is read off a screen.

use super::UiTree;
use crate::domain::{Rect, SecretMask};

/// Hides secrets in `text`, `content-desc` and `hint` of every node; gives the bounds of the nodes that showed one. What
/// was `read` off a picture may show it with letters for digits.
pub(super) fn mask(tree: &mut UiTree, secrets: &SecretMask, read: bool) -> Vec<Rect> {
    let mut masked = Vec::new();
    if secrets.is_empty() {
        return masked;
    }
    for node in &mut tree.nodes {
        let mut found = false;
        for text in [&mut node.text, &mut node.content_desc, &mut node.hint] {
            let kept = if read { secrets.hide_read(text) } else { secrets.hide(text) };
            if let std::borrow::Cow::Owned(kept) = kept {
                *text = kept;
                found = true;
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
    use crate::domain::Secret;
    use crate::hierarchy::UiNode;

    fn masked(text: &str, secret: &str) -> String {
        let node = UiNode { text: text.into(), bounds: Rect::new(0, 0, 9, 9), ..UiNode::default() };
        let mut tree = UiTree { nodes: vec![node], ..UiTree::default() };
        let bounds = mask(&mut tree, &SecretMask::new(&[Secret::new(secret)]), false);
        assert_eq!(bounds.is_empty(), tree.nodes[0].text == text);
        tree.nodes.remove(0).text
    }

    #[test]
    fn a_secret_is_masked_wherever_it_is_shown() {
        assert_eq!(masked("135790", "135790"), "••••••");
        assert_eq!(masked("Your code: 135790.", "135790"), "Your code: ••••••.");
        assert_eq!(masked("Your code: 135 790.", "135790"), "Your code: ••••••.");
        assert_eq!(masked("nothing here", "135790"), "nothing here");
    }

    #[test]
    fn a_short_secret_is_masked_only_as_a_whole_text() {
        assert_eq!(masked("12", "12"), "••");
        assert_eq!(masked("12 Nov", "12"), "12 Nov");
        assert_eq!(masked("anything", ""), "anything");
    }
}
