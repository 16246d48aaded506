//! What stands beside a name: "Subtotal" and, at the other end of its line or under it, "$18.28".

use super::{Role, Screen, Widget};
use crate::domain::{holds_name, words};

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

/// Looks for `value` beside the texts that hold `name` as words of their own.
pub(super) fn beside(screen: &Screen, name: &str, value: &str) -> Beside {
    let wanted = words(name);
    let holds = |text: &str| !wanted.is_empty() && words(text).windows(wanted.len()).any(|part| part == wanted);
    let is_text = |widget: &&Widget| widget.role != Role::Field && !text(widget).is_empty();
    let mut named: Vec<&Widget> = screen.widgets.iter().filter(is_text).filter(|widget| holds(text(widget))).collect();
    // "Milk, $2" is Milk; "Oat milk, $3" only speaks of it.
    let begins = |widget: &&&Widget| words(text(widget).split([',', ':']).next().unwrap_or_default()) == wanted;
    if named.iter().any(|widget| begins(&widget)) {
        named.retain(|widget| begins(&widget));
    }
    if named.is_empty() {
        return Beside::Nowhere;
    }
    if value.is_empty() {
        return Beside::Unclear(format!("{name:?} is no field"));
    }
    let mut others = Vec::new();
    for widget in &named {
        let figures = |widget: &&Widget| text(widget).contains(|c: char| c.is_ascii_digit());
        // A row with figures of its own says all there is to say.
        let near = if figures(widget) { Vec::new() } else { neighbours(screen, widget) };
        let all: Vec<&Widget> = std::iter::once(*widget).chain(near).collect();
        if let Some(held) = all.iter().find(|near| holds_name(text(near), value)) {
            return Beside::Held(format!("{:?} shows it beside {name:?}", text(held)));
        }
        let kin: Vec<&Widget> = all.into_iter().filter(figures).collect();
        if let [only] = kin.as_slice() {
            others.push(text(only).to_owned());
        }
    }
    let figure = value.contains(|c: char| c.is_ascii_digit());
    match others.as_slice() {
        [other] if figure && named.len() == 1 => Beside::Other(format!("{other:?} stands beside {name:?}")),
        _ => Beside::Unclear(format!("what stands beside {name:?} is not clear")),
    }
}

fn text(widget: &Widget) -> &str {
    if widget.label.is_empty() { &widget.value } else { &widget.label }
}

/// The nearest texts to the right, to the left, below and above.
fn neighbours<'s>(screen: &'s Screen, of: &Widget) -> Vec<&'s Widget> {
    let own = of.bounds;
    let lined = |other: &Widget| {
        let shared = own.bottom.min(other.bounds.bottom) - own.top.max(other.bounds.top);
        shared * 2 >= own.height().min(other.bounds.height())
    };
    let stacked = |other: &Widget| own.right.min(other.bounds.right) > own.left.max(other.bounds.left);
    let others = || {
        let told = |other: &&Widget| other.id != of.id && other.role != Role::Button && !text(other).is_empty();
        screen.widgets.iter().filter(told)
    };
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
    let line: Vec<&Widget> = [right, left].into_iter().flatten().collect();
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
}
