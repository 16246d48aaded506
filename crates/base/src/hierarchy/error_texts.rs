//! What a screen says is wrong, and what of it came in reply to an action.

use super::error_words::{asks_to_wait, says_error};
use super::role::{holds_rows, is_row_list};
use super::{Role, Screen, ScreenKind, ScreenText, TextSource, UiNode, Widget};

/// The texts that say that something is wrong: first those that stand for themselves, then those of several on a card that is
/// touched as a whole. An entry of a list tells of its thing ("Payment failed"), and a button of what it does.
pub(super) fn error_texts(screen: &Screen) -> Vec<&str> {
    let stands = |widget: &&Widget| matches!(widget.role, Role::Text | Role::ReadText);
    let labels = screen.widgets.iter().filter(stands).filter(|widget| says_error(widget.shown_label()));
    let of_entry = |owner: &Widget| {
        is_within(screen, owner.node, holds_rows)
            || screen.rows.iter().any(|row| row.opener == Some(owner.id) || row.controls.contains(&owner.id))
    };
    let counts = |text: &&ScreenText| match text.widget.and_then(|id| screen.widgets.get(id)) {
        None => text.source != TextSource::Hint,
        Some(owner) if matches!(owner.role, Role::Button | Role::ListItem) => {
            let texts = screen.texts.shown.iter().filter(|other| other.widget == text.widget);
            screen.holder(text).is_some() && texts.count() > 1 && !of_entry(owner)
        }
        Some(owner) => matches!(owner.role, Role::Text | Role::ReadText | Role::Image),
    };
    let inner = screen.texts.shown.iter().filter(counts).filter(|text| says_error(text.on_display()));
    labels.map(|widget| widget.label.as_str()).chain(inner.map(|text| text.text.as_str())).collect()
}

/// What a screen said was wrong, and which page it was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorsShown {
    title: String,
    foreground: Option<String>,
    texts: Vec<String>,
}

impl ErrorsShown {
    /// Those of a screen.
    pub fn on(screen: &Screen) -> Self {
        let texts = error_texts(screen).into_iter().map(str::to_owned).collect();
        Self { title: screen.title.clone(), foreground: screen.foreground.clone(), texts }
    }

    /// The screen is the same page, or a window over it.
    fn is_page_of(&self, screen: &Screen) -> bool {
        let in_front = self.foreground.as_ref().zip(screen.foreground.as_ref());
        in_front.is_none_or(|(before, now)| before == now)
            && (self.title == screen.title || screen.kind == ScreenKind::Dialog)
    }
}

/// The first text that says that something is wrong and came since `before` was looked at, on the same page or in a window over
/// it: an error at a field, a banner, a message at the bottom. A page that opens may well speak of errors, and so may the
/// entries of a list; and what asks to wait or to come again is no last word, nor is anything said while the page is busy.
pub fn new_error<'a>(before: &ErrorsShown, after: &'a Screen) -> Option<&'a str> {
    if !before.is_page_of(after) || after.kind == ScreenKind::Loading || after.tree.nodes.iter().any(is_busy) {
        return None;
    }
    let new =
        |text: &&str| !before.texts.iter().any(|old| old == text) && !asks_to_wait(text) && !is_entry(after, text);
    error_texts(after).into_iter().find(new)
}

/// It spins or fills up.
fn is_busy(node: &UiNode) -> bool {
    let waits = |class: &str| class.ends_with("ProgressBar") || class.ends_with("ProgressIndicator");
    waits(&node.class) && !node.bounds.is_empty()
}

/// The text stands in a list.
fn is_entry(screen: &Screen, text: &str) -> bool {
    let nodes = screen.widgets.iter().filter(|widget| widget.label == text).map(|widget| widget.node);
    let inner = screen.texts.shown.iter().filter(|shown| shown.text == text).map(|shown| shown.node);
    nodes.chain(inner).any(|node| is_within(screen, node, is_row_list))
}

/// Something around the node is of that kind.
fn is_within(screen: &Screen, node: usize, kind: fn(&UiNode) -> bool) -> bool {
    let around = |at: &usize| screen.tree.nodes.get(*at).and_then(|node| node.parent);
    std::iter::successors(around(&node), around).any(|at| screen.tree.nodes.get(at).is_some_and(kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::sample::{Node, PAGE, perceive};

    const FIELD: Node<'static> =
        (1, "widget.EditText", "hint=\"Password\" clickable=\"true\" focusable=\"true\"", [40, 300, 1040, 420]);
    const SEND: Node<'static> = (1, "widget.Button", "text=\"Sign in\" clickable=\"true\"", [40, 700, 1040, 820]);

    fn form(more: &[Node<'static>]) -> Screen {
        perceive(
            &[&[PAGE, (1, "widget.TextView", "text=\"Welcome\"", [40, 100, 700, 200]), FIELD, SEND], more].concat(),
        )
    }

    fn said(attributes: &'static str) -> [Node<'static>; 1] {
        [(1, "widget.TextView", attributes, [40, 440, 1040, 500])]
    }

    #[test]
    fn an_error_at_a_field_and_a_message_at_the_bottom_are_replies() {
        let before = ErrorsShown::on(&form(&[]));
        for (attributes, text) in [
            ("text=\"Wrong password\"", "Wrong password"),
            ("text=\"Something went wrong\"", "Something went wrong"),
            ("text=\"Could not sign in: error code 7\"", "Could not sign in: error code 7"),
        ] {
            let after = form(&said(attributes));
            assert_eq!(new_error(&before, &after), Some(text));
            assert_eq!(new_error(&ErrorsShown::on(&after), &after), None, "it stood there before");
        }
        assert_eq!(new_error(&before, &form(&said("text=\"Signed in\""))), None);
    }

    #[test]
    fn what_asks_to_wait_or_comes_while_the_page_is_busy_is_no_last_word() {
        let before = ErrorsShown::on(&form(&[]));
        for attributes in [
            "text=\"We couldn't sign you in. Please try again.\"",
            "text=\"Connection failed, retrying\"",
            "text=\"Server error. Please wait.\"",
        ] {
            assert_eq!(new_error(&before, &form(&said(attributes))), None, "{attributes}");
        }
        let spins = (1, "widget.ProgressBar", "", [400, 1200, 600, 1400]);
        let busy = form(&[said("text=\"Wrong password\"").as_slice(), &[spins]].concat());
        assert_eq!(new_error(&before, &busy), None);
    }

    #[test]
    fn another_page_and_the_entries_of_a_list_tell_of_their_things() {
        let before = ErrorsShown::on(&form(&[]));
        let other = perceive(&[
            PAGE,
            (1, "widget.TextView", "text=\"Payments\"", [40, 100, 700, 200]),
            (1, "widget.TextView", "text=\"Payment failed\"", [40, 440, 1040, 500]),
        ]);
        assert_ne!(other.title, form(&[]).title);
        assert_eq!(new_error(&before, &other), None);
        let list = [
            (1, "widget.ListView", "", [0, 900, 1080, 2000]),
            (2, "widget.TextView", "text=\"Payment failed\"", [40, 940, 1040, 1000]),
            (2, "widget.TextView", "text=\"Payment sent\"", [40, 1040, 1040, 1100]),
        ];
        assert_eq!(new_error(&before, &form(&list)), None);
    }
}
