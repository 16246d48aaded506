//! Finding a recorded widget on a live screen, and telling by what it was found and between how many it was chosen.

use super::format::ScriptTarget;
use crate::domain::Locator;
use crate::hierarchy::{Screen, Widget};

/// A recorded widget on a live screen.
#[derive(Debug, Clone, Copy)]
pub struct Located<'s> {
    /// The widget.
    pub widget: &'s Widget,
    /// Which locator of the chain found it, from 0; anything else means that the app changed.
    pub locator: usize,
    /// How it was chosen where several matched.
    pub tie: Option<Tie>,
}

/// Several widgets matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tie {
    /// How many.
    pub matched: usize,
    /// Which one was taken, from 0, top down.
    pub taken: usize,
    /// What decided.
    pub because: Decided,
}

/// What decided between several matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided {
    /// It is the same of the equal ones as when it was recorded.
    Number,
    /// It alone is called as the recorded one.
    Label,
}

/// The widget on the screen: by the chain of its selector, and where several match a name, the one that is called as the
/// recorded one, else the one with the recorded number.
pub fn locate<'s>(target: &ScriptTarget, screen: &'s Screen) -> Option<Located<'s>> {
    let (widget, position) = screen.resolve(&target.selector)?;
    let locator = target.selector.chain.get(position)?;
    let matches = screen.matching(&target.selector.class, locator);
    if matches.len() < 2 {
        return Some(Located { widget, locator: position, tie: None });
    }
    let is_called_so = |widget: &&&Widget| widget.shown_label() == target.label;
    let mut called_so = matches.iter().filter(is_called_so);
    let (taken, because) = match (called_so.next(), called_so.next()) {
        (Some(only), None) if widget.shown_label() != target.label => (*only, Decided::Label),
        _ => (widget, Decided::Number),
    };
    let number = matches.iter().position(|other| other.id == taken.id).unwrap_or_default();
    let tie = Some(Tie { matched: matches.len(), taken: number, because });
    Some(Located { widget: taken, locator: position, tie })
}

impl Located<'_> {
    /// Found by its place only: nothing says that it is the recorded widget but where it is.
    pub fn is_by_place(&self, target: &ScriptTarget) -> bool {
        matches!(target.selector.chain.get(self.locator), None | Some(Locator::Path(_) | Locator::Bounds(_)))
    }

    /// What a reader of the replay must know of how it was found; empty where it was found as it was recorded.
    pub fn told(&self, target: &ScriptTarget) -> String {
        let mut told = Vec::new();
        let chain = &target.selector.chain;
        if let (Some(first), Some(by)) = (chain.first().filter(|_| self.locator > 0), chain.get(self.locator)) {
            let by = if self.is_by_place(target) { "its place".to_owned() } else { by.to_string() };
            let now = self.widget.shown_label();
            let called = if now == target.label || now.is_empty() {
                String::new()
            } else {
                format!("; it is called {now:?} now and was {:?}", target.label)
            };
            told.push(format!("found by {by}, for {first} is not there{called}"));
        }
        if let (Some(tie), Some(by)) = (self.tie, chain.get(self.locator)) {
            let because = match tie.because {
                Decided::Number => "as when it was recorded".to_owned(),
                Decided::Label => format!("because it alone is called {:?}", target.label),
            };
            told.push(format!("{} match {by}; took the {}, {because}", tie.matched, ordinal(tie)));
        }
        told.join("; ")
    }
}

/// Which of several, in words.
fn ordinal(tie: Tie) -> String {
    match (tie.taken, tie.matched) {
        (0, 2) => "upper".to_owned(),
        (1, 2) => "lower".to_owned(),
        (taken, matched) if taken + 1 == matched => "last".to_owned(),
        (taken, _) => {
            let number = taken + 1;
            let end = match (number % 10, number % 100) {
                (1, rest) if rest != 11 => "st",
                (2, rest) if rest != 12 => "nd",
                (3, rest) if rest != 13 => "rd",
                _ => "th",
            };
            format!("{number}{end} from the top")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Rect, Size};
    use crate::hierarchy::{Screen, ScreenInput};

    /// A column of buttons, each `(id, text)`.
    fn screen(buttons: &[(&str, &str)]) -> Screen {
        let mut xml = String::from(
            "<hierarchy rotation=\"0\"><node index=\"0\" text=\"\" resource-id=\"\" class=\"android.widget.FrameLayout\" \
             package=\"a.b\" content-desc=\"\" clickable=\"false\" enabled=\"true\" bounds=\"[0,0][1080,2400]\">",
        );
        for (at, (id, text)) in buttons.iter().enumerate() {
            let (top, bottom) = (200 + at * 200, 350 + at * 200);
            xml.push_str(&format!(
                "<node index=\"{at}\" text=\"{text}\" resource-id=\"{id}\" class=\"android.widget.Button\" package=\"a.b\" \
                 content-desc=\"\" clickable=\"true\" enabled=\"true\" bounds=\"[0,{top}][1080,{bottom}]\" />"
            ));
        }
        xml.push_str("</node></hierarchy>");
        Screen::perceive(ScreenInput {
            hierarchy: xml.as_bytes(),
            screenshot: None,
            display: Size::new(1080, 2400),
            foreground: None,
            keyboard_shown: false,
        })
    }

    fn recorded(buttons: &[(&str, &str)], which: usize) -> ScriptTarget {
        let widget = &screen(buttons).widgets[which];
        ScriptTarget {
            label: widget.shown_label().to_owned(),
            bounds: widget.bounds,
            tap: widget.tap,
            selector: widget.selector.clone(),
        }
    }

    #[test]
    fn where_several_match_what_was_taken_and_why_is_told() {
        const ROW: &str = "a.b:id/row";
        for (was, which, now, taken, told) in [
            (&[("a.b:id/pay", "Pay"), ("", "Help")][..], 0, &[("a.b:id/pay", "Pay"), ("", "Help")][..], 0, ""),
            (
                &[("a.b:id/pay", "Pay")],
                0,
                &[("a.b:id/pay", "Cancel"), ("a.b:id/pay", "Pay")],
                1,
                "2 match id=a.b:id/pay; took the lower, because it alone is called \"Pay\"",
            ),
            (
                &[("a.b:id/pay", "Pay")],
                0,
                &[("a.b:id/pay", "Pay"), ("a.b:id/pay", "Pay")],
                0,
                "2 match id=a.b:id/pay; took the upper, as when it was recorded",
            ),
            (
                &[(ROW, "Add"), (ROW, "Add"), (ROW, "Add"), (ROW, "Add")],
                1,
                &[(ROW, "Add"), (ROW, "Add"), (ROW, "Add"), (ROW, "Add")],
                1,
                "4 match id=a.b:id/row; took the 2nd from the top, as when it was recorded",
            ),
            (
                &[("a.b:id/pay", "Pay")],
                0,
                &[("", "Help"), ("a.b:id/buy", "Pay")],
                1,
                "found by text=\"Pay\", for id=a.b:id/pay is not there",
            ),
            (
                &[("a.b:id/pay", "Pay")],
                0,
                &[("a.b:id/buy", "Check out")],
                0,
                "found by its place, for id=a.b:id/pay is not there; it is called \"Check out\" now and was \"Pay\"",
            ),
        ] {
            let target = recorded(was, which);
            let live = screen(now);
            let located = locate(&target, &live).unwrap();
            assert_eq!((located.widget.id, located.told(&target).as_str()), (taken, told), "{was:?} -> {now:?}");
        }
        assert!(locate(&recorded(&[("a.b:id/pay", "Pay")], 0), &screen(&[])).is_none());
        assert_eq!(recorded(&[("a.b:id/pay", "Pay")], 0).bounds, Rect::new(0, 200, 1080, 350));
    }
}
