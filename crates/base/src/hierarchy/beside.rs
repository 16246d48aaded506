//! What stands beside a name: "Subtotal" and, at the other end of its line or under it, "$18.28".

use super::{Role, Screen, ScreenText, TextSource, WidgetId};
use crate::domain::{Rect, holds_name, words};
use std::collections::HashSet;

/// What became of looking for a value beside a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Beside {
    /// It is there; what shows it.
    Held(String),
    /// Another value of its kind is there, and nothing else it could be; what shows it.
    Other(String),
    /// The name is there, and it is not clear what stands beside it.
    Unclear(String),
    /// The name is nowhere.
    Nowhere,
}

/// How far below or above its name a value stands at most, in heights of the name.
const NEAR: i32 = 2;

/// A text and where it stands.
#[derive(Clone, Copy)]
struct Said<'s> {
    text: &'s str,
    bounds: Rect,
    role: Role,
    /// The widget that it is.
    widget: Option<WidgetId>,
    /// The widget it belongs to, where it is none itself.
    inside: Option<WidgetId>,
}

impl Said<'_> {
    fn is_one_with(&self, other: &Said<'_>) -> bool {
        self.widget == other.widget
            && self.inside == other.inside
            && self.bounds == other.bounds
            && self.text == other.text
    }

    fn has_figures(&self) -> bool {
        self.text.contains(|c: char| c.is_ascii_digit())
    }
}

/// The widgets with their labels, and the texts of those cards whose labels do not hold them all.
fn said(screen: &Screen) -> Vec<Said<'_>> {
    let labels = screen.widgets.iter().map(|widget| Said {
        text: if widget.label.is_empty() { &widget.value } else { &widget.label },
        bounds: widget.bounds,
        role: widget.role,
        widget: Some(widget.id),
        inside: None,
    });
    let unheld: HashSet<(usize, TextSource)> = screen.inner_texts().map(|text| (text.node, text.source)).collect();
    let described: HashSet<WidgetId> = screen.inner_texts().filter_map(|text| text.widget).collect();
    let counts = |text: &&ScreenText| {
        unheld.contains(&(text.node, text.source))
            || screen.holder(text).is_some_and(|holder| described.contains(&holder.id))
    };
    let inner = screen.texts.shown.iter().filter(counts).map(|text| {
        let owner = text.widget.and_then(|id| screen.widgets.get(id));
        // A button's other wording is the button; what stands inside it is a text.
        let own = owner.filter(|owner| owner.node == text.node || owner.role == Role::Field);
        Said {
            text: &text.text,
            bounds: text.bounds,
            role: own.map_or(Role::Text, |owner| owner.role),
            widget: None,
            inside: text.widget,
        }
    });
    labels.chain(inner).filter(|said| !said.text.is_empty()).collect()
}

/// Looks for `value` beside the texts that hold `name` as words of their own.
pub(super) fn beside(screen: &Screen, name: &str, value: &str) -> Beside {
    let wanted = words(name);
    let holds = |text: &str| !wanted.is_empty() && words(text).windows(wanted.len()).any(|part| part == wanted);
    let all = said(screen);
    let mut named: Vec<&Said<'_>> = all.iter().filter(|said| said.role != Role::Field && holds(said.text)).collect();
    // "Milk, $2" is Milk; "Oat milk, $3" only speaks of it.
    let begins = |said: &Said<'_>| words(said.text.split([',', ':']).next().unwrap_or_default()) == wanted;
    if named.iter().any(|said| begins(said)) {
        named.retain(|said| begins(said));
    }
    // Within a card the text tells more than the card.
    let cards: Vec<WidgetId> = named.iter().filter_map(|said| said.inside).collect();
    named.retain(|said| said.widget.is_none_or(|id| !cards.contains(&id)));
    if named.is_empty() {
        return Beside::Nowhere;
    }
    if value.is_empty() {
        return Beside::Unclear(format!("{name:?} is no field"));
    }
    let mut others = Vec::new();
    for said in &named {
        // A row with figures of its own says all there is to say.
        let near = if said.has_figures() { Vec::new() } else { neighbours(&all, said) };
        let around: Vec<&Said<'_>> = std::iter::once(*said).chain(near).collect();
        if let Some(held) = around.iter().find(|near| holds_name(near.text, value)) {
            return Beside::Held(format!("{:?} shows it beside {name:?}", held.text));
        }
        let kin: Vec<&Said<'_>> = around.into_iter().filter(|near| near.has_figures()).collect();
        if let [only] = kin.as_slice() {
            others.push(only.text.to_owned());
        }
    }
    let figure = value.contains(|c: char| c.is_ascii_digit());
    match others.as_slice() {
        [other] if figure && named.len() == 1 => Beside::Other(format!("{other:?} stands beside {name:?}")),
        _ => Beside::Unclear(format!("what stands beside {name:?} is not clear")),
    }
}

/// What stands beside a text: the other texts of its card, else the nearest to the right, to the left, below and above.
fn neighbours<'s>(all: &'s [Said<'s>], of: &Said<'_>) -> Vec<&'s Said<'s>> {
    let others: Vec<&Said<'_>> =
        all.iter().filter(|other| other.role != Role::Button && !other.is_one_with(of)).collect();
    let of_card = |card: Option<WidgetId>| -> Vec<&'s Said<'s>> {
        others.iter().copied().filter(|other| card.is_some() && other.inside == card).collect()
    };
    let within = of_card(of.widget);
    if !within.is_empty() {
        return within;
    }
    let mates = nearest(&of_card(of.inside), of.bounds);
    if mates.is_empty() { nearest(&others, of.bounds) } else { mates }
}

/// The nearest of some texts to the right, to the left, below and above.
fn nearest<'s>(others: &[&'s Said<'s>], own: Rect) -> Vec<&'s Said<'s>> {
    let others = || others.iter().copied();
    let lined = |other: &Said<'_>| {
        let shared = own.bottom.min(other.bounds.bottom) - own.top.max(other.bounds.top);
        shared * 2 >= own.height().min(other.bounds.height())
    };
    let stacked = |other: &Said<'_>| own.right.min(other.bounds.right) > own.left.max(other.bounds.left);
    let reach = NEAR * own.height();
    let right =
        others().filter(|other| lined(other) && other.bounds.left >= own.right).min_by_key(|other| other.bounds.left);
    let left =
        others().filter(|other| lined(other) && other.bounds.right <= own.left).max_by_key(|other| other.bounds.right);
    let below = others()
        .filter(|other| stacked(other) && other.bounds.top >= own.bottom && other.bounds.top - own.bottom <= reach)
        .min_by_key(|other| other.bounds.top);
    let above = others()
        .filter(|other| stacked(other) && other.bounds.bottom <= own.top && own.top - other.bounds.bottom <= reach)
        .max_by_key(|other| other.bounds.bottom);
    // What stands in the same line is beside it; only without that is it what stands under or over it.
    let line: Vec<&Said<'_>> = [right, left].into_iter().flatten().collect();
    if line.is_empty() { [below, above].into_iter().flatten().collect() } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Size;
    use crate::hierarchy::ScreenInput;

    /// Texts with left, top, right and bottom.
    fn page(texts: &[(&str, [i32; 4])]) -> Screen {
        let node = |(text, [left, top, right, bottom]): &(&str, [i32; 4])| {
            format!(
                r#"<node class="android.widget.TextView" text="{text}" package="a" enabled="true" bounds="[{left},{top}][{right},{bottom}]"/>"#
            )
        };
        let lines: String = texts.iter().map(node).collect();
        let hierarchy = format!(
            r#"<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="a" enabled="true" bounds="[0,0][1000,2000]">{lines}</node></hierarchy>"#
        );
        Screen::perceive(ScreenInput {
            hierarchy: hierarchy.as_bytes(),
            screenshot: None,
            display: Size::new(1000, 2000),
            foreground: None,
            keyboard_shown: false,
        })
    }

    fn bill() -> Screen {
        page(&[
            ("Subtotal", [0, 0, 300, 50]),
            ("$18.28", [800, 0, 1000, 50]),
            ("Total", [0, 100, 300, 150]),
            ("$22.27", [800, 100, 1000, 150]),
            ("Balance", [0, 400, 300, 450]),
            ("€7.00", [0, 460, 300, 510]),
        ])
    }

    #[test]
    fn a_value_stands_at_the_other_end_of_the_line_or_under_its_name() {
        let held = |name: &str, value: &str| matches!(beside(&bill(), name, value), Beside::Held(_));
        assert!(held("subtotal", "$18.28") && held("Total", "$22.27") && held("balance", "€7.00"));
    }

    #[test]
    fn the_value_of_another_name_is_another_value() {
        assert_eq!(
            beside(&bill(), "Subtotal", "$22.27"),
            Beside::Other("\"$18.28\" stands beside \"Subtotal\"".into())
        );
        assert_eq!(beside(&bill(), "Total", "$18.28"), Beside::Other("\"$22.27\" stands beside \"Total\"".into()));
        assert_eq!(beside(&bill(), "Tax", "$18.28"), Beside::Nowhere);
        assert!(matches!(beside(&bill(), "Subtotal", "unpaid"), Beside::Unclear(_)));
    }

    #[test]
    fn a_row_shows_its_own_values_and_a_number_is_not_part_of_a_longer_one() {
        let list = page(&[("Milk, 2 l, $2", [0, 0, 900, 80]), ("Oat milk, $3", [0, 100, 900, 180])]);
        assert!(matches!(beside(&list, "Milk", "$2"), Beside::Held(_)));
        assert!(matches!(beside(&list, "Milk", "$3"), Beside::Other(_)));
        assert!(matches!(beside(&list, "Oat milk", "$3"), Beside::Held(_)));
        assert!(matches!(beside(&bill(), "Balance", "€7.0"), Beside::Other(_)));
    }

    #[test]
    fn inside_a_described_card_a_value_stands_beside_its_name() {
        use crate::hierarchy::sample::{PAGE, perceive};
        let card = |description| {
            perceive(&[
                PAGE,
                (1, "view.ViewGroup", description, [0, 100, 1080, 400]),
                (2, "widget.TextView", "text=\"Total\"", [40, 120, 300, 180]),
                (2, "widget.TextView", "text=\"$5\"", [900, 120, 1040, 180]),
                (2, "widget.TextView", "text=\"Tax\"", [40, 220, 300, 280]),
                (2, "widget.TextView", "text=\"$1\"", [900, 220, 1040, 280]),
                (1, "widget.TextView", "text=\"$9\"", [40, 420, 300, 480]),
            ])
        };
        let bill = card("content-desc=\"Your bill, opens\" clickable=\"true\"");
        assert!(matches!(beside(&bill, "Total", "$5"), Beside::Held(_)));
        assert_eq!(beside(&bill, "Total", "$1"), Beside::Other("\"$5\" stands beside \"Total\"".into()));
        assert_eq!(beside(&bill, "Tip", "$1"), Beside::Nowhere);
        let named = card("content-desc=\"Total, opens\" clickable=\"true\"");
        assert!(matches!(beside(&named, "Total", "$5"), Beside::Held(_)), "the card has the name too");
        assert!(matches!(beside(&named, "Total", "$1"), Beside::Other(_)), "which is the tax");
        assert!(!matches!(beside(&named, "Total", "$9"), Beside::Held(_)), "what stands under the card is not its own");
    }
}
