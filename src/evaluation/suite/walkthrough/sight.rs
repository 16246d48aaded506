//! Finding what a person means on a screen: the best match for a text, a field, a wheel.

use crate::domain::{Point, Rect};
use crate::hierarchy::{Role, Screen, UiNode};

/// Something found on the screen.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) tap: Point,
    pub(super) bounds: Rect,
    pub(super) enabled: bool,
    pub(super) label: String,
    /// Whether a touch on it does something, as far as the screen tells.
    pub(super) touchable: bool,
    field: bool,
}

impl Found {
    pub(super) const fn is_field(&self) -> bool {
        self.field
    }
}

/// Text without regard to case and white space.
pub(super) fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// How well a text fits what is looked for: 0 is best.
fn fit(text: &str, wanted: &str) -> Option<u32> {
    let text = flat(text);
    if text == wanted {
        return Some(0);
    }
    let at = text.find(wanted)?;
    let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let whole = edge(text[..at].chars().next_back()) && edge(text[at + wanted.len()..].chars().next());
    // "Me" is no part of "Repayment"; scripts without spaces know no such edge.
    if !whole && wanted.is_ascii() {
        return None;
    }
    Some(if at == 0 && whole {
        1
    } else if whole {
        2
    } else {
        3
    })
}

/// Everything that shows the text, best first; what can be touched goes before plain text. Of several wordings
/// (`Pay now | Confirm and pay`) the first that is there counts.
pub(super) fn all(screen: &Screen, text: &str) -> Vec<Found> {
    text.split(" | ").map(|text| worded(screen, text)).find(|found| !found.is_empty()).unwrap_or_default()
}

fn worded(screen: &Screen, text: &str) -> Vec<Found> {
    let wanted = flat(text);
    let mut found: Vec<(u32, i32, i32, Found)> = Vec::new();
    for widget in screen.widgets.iter().filter(|widget| widget.role != Role::Link) {
        let Some(fit) = [fit(&widget.label, &wanted), fit(&widget.value, &wanted)].into_iter().flatten().min() else {
            continue;
        };
        let plain = u32::from(!widget.clickable && widget.state.checked.is_none());
        let here = Found {
            tap: widget.tap,
            bounds: widget.bounds,
            enabled: widget.state.enabled,
            label: widget.label.clone(),
            touchable: plain == 0,
            field: widget.role == Role::Field,
        };
        found.push((fit * 4 + plain, widget.bounds.top, widget.bounds.left, here));
    }
    // What perception folds into its row, a person still sees by itself.
    for node in &screen.tree.nodes {
        let clickable = std::iter::successors(Some(node), |node| Some(&screen.tree.nodes[node.parent?]))
            .any(|node| node.clickable || node.checkable);
        let Some(fit) = [fit(&node.text, &wanted), fit(&node.content_desc, &wanted)].into_iter().flatten().min() else {
            continue;
        };
        // Only what is not scrolled out of sight.
        let around = std::iter::successors(node.parent, |&at| screen.tree.nodes[at].parent);
        let whole = (!node.bounds.is_empty()).then_some(node.bounds);
        let seen = around.fold(whole, |seen, at| seen?.intersection(screen.tree.nodes[at].bounds));
        if seen.is_none_or(|seen| seen.height() * 2 < node.bounds.height()) {
            continue;
        }
        found.push((fit * 4 + 2, node.bounds.top, node.bounds.left, Found { touchable: clickable, ..of_node(node) }));
    }
    found.sort_by_key(|(score, top, left, _)| (*score, *top, *left));
    let mut places: Vec<Found> = Vec::new();
    for (_, _, _, place) in found {
        if !places.iter().any(|other| other.bounds.encloses(place.bounds) || place.bounds.encloses(other.bounds)) {
            places.push(place);
        }
    }
    places
}

fn of_node(node: &UiNode) -> Found {
    Found {
        tap: node.bounds.center(),
        bounds: node.bounds,
        enabled: node.enabled,
        label: node.text.clone(),
        touchable: node.clickable,
        field: node.class.ends_with("EditText"),
    }
}

/// What can be touched and says just this.
pub(super) fn button(screen: &Screen, text: &str) -> Option<Found> {
    let says = |widget: &&crate::hierarchy::Widget| widget.clickable && flat(&widget.label) == flat(text);
    let widget = screen.widgets.iter().find(says)?;
    Some(Found {
        tap: widget.tap,
        bounds: widget.bounds,
        enabled: widget.state.enabled,
        label: widget.label.clone(),
        touchable: true,
        field: false,
    })
}

/// Whether the text is in sight at all.
pub(super) fn shows(screen: &Screen, text: &str) -> bool {
    !all(screen, text).is_empty()
}

/// The place meant: of several, the `nth` from the top, or the one nearest to `beside`, or else the best.
pub(super) fn place(screen: &Screen, text: &str, beside: Option<&str>, nth: Option<usize>) -> Option<Found> {
    let mut places = all(screen, text);
    if let Some(beside) = beside {
        let anchor = all(screen, beside).into_iter().next()?.bounds;
        places.retain(|place| flat(&place.label) != flat(beside));
        return places.into_iter().min_by_key(|place| {
            let center = place.bounds.center();
            // Things in one row belong together more than things in one column; what stands above belongs to another.
            let above = if place.bounds.bottom <= anchor.top { 100_000 } else { 0 };
            above + (i64::from(center.y - anchor.center().y).abs() * 2) + i64::from(center.x - anchor.center().x).abs()
        });
    }
    match nth {
        Some(nth) => {
            places.sort_by_key(|place| (place.bounds.top, place.bounds.left));
            places.into_iter().nth(nth - 1)
        }
        None => places.into_iter().next(),
    }
}

/// An element by the end of its resource id.
pub(super) fn with_id(screen: &Screen, id: &str) -> Option<Found> {
    let ends = |node: &&UiNode| {
        !node.bounds.is_empty() && (node.resource_id == id || node.resource_id.ends_with(&format!(":id/{id}")))
    };
    let node = screen.tree.nodes.iter().find(ends)?;
    let widget = screen.widgets.iter().find(|widget| std::ptr::eq(&raw const screen.tree.nodes[widget.node], node));
    Some(Found { tap: widget.map_or_else(|| node.bounds.center(), |widget| widget.tap), ..of_node(node) })
}

/// An element by its text, description, resource id or class; `A | B` is either.
pub(super) fn element(screen: &Screen, name: &str) -> Option<Found> {
    let one = |name: &str| {
        with_id(screen, name).or_else(|| place(screen, name, None, None)).or_else(|| with_class(screen, name))
    };
    one(name).or_else(|| name.split('|').map(str::trim).find_map(one))
}

/// The first element of a class, with or without its package: a slider shows no text of its own.
fn with_class(screen: &Screen, class: &str) -> Option<Found> {
    let node = screen.tree.nodes.iter().find(|node| node.class == class || node.class_name() == class)?;
    Some(Found {
        tap: node.bounds.center(),
        bounds: node.bounds,
        enabled: node.enabled,
        label: node.text.clone(),
        touchable: true,
        field: false,
    })
}

/// A field by its label, hint, content or resource id.
pub(super) fn field(screen: &Screen, name: &str) -> Option<Found> {
    let wanted = flat(name);
    let fields = || screen.widgets.iter().filter(|widget| widget.role == Role::Field);
    let by_words = fields()
        .filter_map(|widget| {
            let words = [&widget.label, &widget.hint, &widget.value];
            Some((words.into_iter().filter_map(|text| fit(text, &wanted)).min()?, widget))
        })
        .min_by_key(|(fit, widget)| (*fit, widget.bounds.top));
    let id =
        || fields().find(|widget| widget.resource_id == name || widget.resource_id.ends_with(&format!(":id/{name}")));
    by_words.map(|(_, widget)| widget).or_else(id).map(|widget| Found {
        tap: widget.tap,
        bounds: widget.bounds,
        enabled: widget.state.enabled,
        label: widget.value.clone(),
        touchable: true,
        field: true,
    })
}

/// The link whose words these are.
pub(super) fn link(screen: &Screen, words: &str) -> Option<Point> {
    let wanted = flat(words);
    let links = screen.widgets.iter().filter(|widget| widget.role == Role::Link);
    links
        .filter_map(|link| Some((likeness(&flat(&link.label), &wanted)?, link)))
        .min_by_key(|(d, _)| *d)
        .map(|(_, l)| l.tap)
}

/// Labels of links are estimates: how many words they do not have in common, or none if they have none in common.
fn likeness(found: &str, wanted: &str) -> Option<usize> {
    let (found, wanted): (Vec<&str>, Vec<&str>) = (found.split(' ').collect(), wanted.split(' ').collect());
    let common = wanted.iter().filter(|word| found.contains(word)).count();
    if common == 0 {
        // Scripts without spaces.
        let (a, b) = (found.concat(), wanted.concat());
        let shared = b.chars().filter(|c| a.contains(*c)).count();
        return (shared * 2 > b.chars().count()).then(|| 100 + b.chars().count() - shared);
    }
    Some(found.len() + wanted.len() - 2 * common)
}

/// A wheel: where it is, how high a row is, and what stands in its middle and beside it.
pub(super) struct WheelView {
    pub(super) bounds: Rect,
    pub(super) row: i32,
    pub(super) value: String,
    pub(super) beside: Vec<String>,
}

/// The wheel with this resource id, or the how-manieth from the left.
pub(super) fn wheel(screen: &Screen, id: Option<&str>, number: usize) -> Option<WheelView> {
    let nodes = &screen.tree.nodes;
    let mut wheels: Vec<usize> = (0..nodes.len()).filter(|&at| nodes[at].class.ends_with("NumberPicker")).collect();
    wheels.sort_by_key(|&at| (nodes[at].bounds.top / 40, nodes[at].bounds.left));
    let at = match id {
        Some(id) => wheels.into_iter().find(|&at| nodes[at].resource_id.ends_with(&format!(":id/{id}")))?,
        None => wheels.into_iter().nth(number - 1)?,
    };
    let end = screen.tree.subtree_ends()[at];
    let value = nodes[at + 1..end].iter().find(|node| node.class.ends_with("EditText"))?;
    let row = value.bounds.height().max(1);
    let others = nodes[at + 1..end].iter().filter(|node| !node.class.ends_with("EditText") && !node.text.is_empty());
    let beside = others.map(|node| node.text.clone()).collect();
    Some(WheelView { bounds: nodes[at].bounds, row, value: value.text.clone(), beside })
}

/// The texts in sight, for a person who has to find out why a walkthrough went wrong.
pub(super) fn told(screen: &Screen) -> String {
    let texts = screen.widgets.iter().map(|widget| {
        let off = if widget.state.enabled { "" } else { " (off)" };
        let value = if widget.value.is_empty() || widget.value == widget.label {
            String::new()
        } else {
            format!("={}", widget.value)
        };
        format!("{}{value}{off}", widget.label)
    });
    let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
    format!("\"{}\": {}", screen.title, texts.join(" · "))
}
