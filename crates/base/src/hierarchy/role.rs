//! What a person would call a node, from its class and flags.

use super::outline::Act;
use super::visibility::Visibility;
use super::{Role, UiNode, UiTree};

/// True for the framework's classes that most nodes have, of which none is a field, a wheel, a list or a box to tick. It
/// saves most of the searches for parts of a name.
fn is_plain(class: &str) -> bool {
    matches!(
        class,
        "android.view.View"
            | "android.view.ViewGroup"
            | "android.widget.FrameLayout"
            | "android.widget.LinearLayout"
            | "android.widget.RelativeLayout"
            | "android.widget.TextView"
            | "android.widget.ImageView"
            | "android.widget.Button"
            | "android.widget.ImageButton"
    )
}

/// True for a text field.
pub fn is_field(node: &UiNode) -> bool {
    const CLASSES: &[&str] = &["EditText", "AutoCompleteTextView", "SearchAutoComplete"];
    !is_plain(&node.class) && CLASSES.iter().any(|class| node.class.contains(class))
}

/// True for a wheel, picker or pager, turned by swiping.
pub(super) fn is_turned(node: &UiNode) -> bool {
    const CLASSES: &[&str] = &["NumberPicker", "WheelView", "WheelPicker", "SeekBar", "RatingBar", ".Slider"];
    !is_plain(&node.class) && CLASSES.iter().any(|class| node.class.contains(class))
}

/// True for a list or another scrolling page by its class; generic views are lists when they scroll.
pub(super) fn is_list(node: &UiNode) -> bool {
    const CLASSES: &[&str] = &["RecyclerView", "ListView", "GridView", "ScrollView", "ViewPager", "WebView"];
    CLASSES.iter().any(|class| node.class.ends_with(class)) || matches!(node.class_name(), "View" | "ViewGroup")
}

/// True for a container whose children are rows of one kind.
pub(super) fn holds_rows(node: &UiNode) -> bool {
    is_row_list(node) || node.scrollable && matches!(node.class_name(), "View" | "ViewGroup")
}

/// True for a container whose children are rows by its class alone.
pub(super) fn is_row_list(node: &UiNode) -> bool {
    const CLASSES: &[&str] = &["RecyclerView", "ListView", "GridView"];
    CLASSES.iter().any(|class| node.class.ends_with(class))
}

/// The checkable node whose state a row shows: the node itself or its only checkable descendant.
pub(super) fn checkable_of(index: usize, tree: &UiTree, seen: &Visibility) -> Option<usize> {
    if tree.nodes[index].checkable {
        return Some(index);
    }
    let mut inside = (index + 1..seen.ends[index]).filter(|&at| tree.nodes[at].checkable && seen.is_visible(at));
    match (inside.next(), inside.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// The role of a usable node; `texts` is how many texts its label was made of, `tab` whether its description said so.
pub(super) fn role_of(index: usize, tree: &UiTree, seen: &Visibility, acts: &[Act], texts: usize, tab: bool) -> Role {
    let node = &tree.nodes[index];
    if is_field(node) {
        return Role::Field;
    }
    if let Some(role) = by_class(node) {
        return role;
    }
    // A row whose check box is no widget of its own is the check box.
    if let Some(checkable) = checkable_of(index, tree, seen)
        && acts[checkable] != Act::Uses
        && let Some(role @ (Role::Checkbox | Role::Radio | Role::Switch)) = by_class(&tree.nodes[checkable])
    {
        return role;
    }
    // Compose says the role of what merges its texts by a node of its own.
    let says_dropdown = |at: usize| acts[at] == Act::None && by_class(&tree.nodes[at]) == Some(Role::Dropdown);
    if node.clickable && (index + 1..seen.ends[index]).any(says_dropdown) {
        return Role::Dropdown;
    }
    if tab || is_tab(index, tree) {
        return Role::Tab;
    }
    if node.checkable {
        let wide = seen.rects[index].is_some_and(|rect| 10 * rect.width() >= 14 * rect.height() && rect.width() < 260);
        return if wide { Role::Switch } else { Role::Checkbox };
    }
    if node.class.ends_with("Button") || node.class.ends_with("ImageView") {
        return Role::Button;
    }
    if is_row(index, tree, seen, texts) { Role::ListItem } else { Role::Button }
}

fn by_class(node: &UiNode) -> Option<Role> {
    const CLASSES: &[(&str, Role)] = &[
        ("CheckBox", Role::Checkbox),
        ("CheckedTextView", Role::Checkbox),
        ("RadioButton", Role::Radio),
        ("Switch", Role::Switch),
        ("ToggleButton", Role::Switch),
        ("Spinner", Role::Dropdown),
        ("SeekBar", Role::Slider),
        ("RatingBar", Role::Slider),
        ("Slider", Role::Slider),
        ("NumberPicker", Role::Selector),
        ("WheelView", Role::Selector),
        ("WheelPicker", Role::Selector),
        ("TabView", Role::Tab),
        ("TabLayout$Tab", Role::Tab),
        ("ActionBar$Tab", Role::Tab),
        ("BottomNavigationItemView", Role::Tab),
    ];
    if is_plain(&node.class) {
        return None;
    }
    let name = node.class_name();
    CLASSES.iter().find(|(class, _)| name.contains(class)).map(|(_, role)| *role)
}

/// The role of a scroll container.
pub(super) fn scroll_role(node: &UiNode) -> Role {
    let picker = is_turned(node) || node.class.contains("ViewPager") || node.class.contains("HorizontalScrollView");
    if picker { Role::Selector } else { Role::List }
}

fn is_tab(index: usize, tree: &UiTree) -> bool {
    const HOLDERS: &[&str] = &["TabWidget", "TabLayout", "BottomNavigationMenuView", "BottomNavigationView"];
    let mut at = tree.nodes[index].parent;
    for _ in 0..3 {
        let Some(parent) = at else { return false };
        let node = &tree.nodes[parent];
        if HOLDERS.iter().any(|class| node.class.contains(class)) {
            return true;
        }
        at = node.parent;
    }
    in_tab_strip(index, tree)
}

/// An entry of a strip as `com.google.android.material.tabs.TabLayout` dumps it: a row in a horizontal scroll view of which one entry is
/// selected. Chips are checked, and the entries of a carousel are neither.
fn in_tab_strip(index: usize, tree: &UiTree) -> bool {
    let row = tree.nodes[index].parent;
    let entries = || tree.nodes.iter().filter(|node| node.parent == row);
    is_strip_entry(index, tree)
        && entries().count() >= 2
        && entries().filter(|node| node.selected).count() == 1
        && entries().all(|node| !node.checkable)
}

/// An entry of a row in a horizontal scroll view, in whatever state.
pub(super) fn is_strip_entry(index: usize, tree: &UiTree) -> bool {
    let row = tree.nodes[index].parent;
    let strip = row.and_then(|row| tree.nodes[row].parent).map(|strip| &tree.nodes[strip]);
    strip.is_some_and(|strip| strip.class.contains("HorizontalScrollView"))
}

/// A row of a list or a card: made of several texts, or as wide as the list it stands in.
fn is_row(index: usize, tree: &UiTree, seen: &Visibility, texts: usize) -> bool {
    if texts >= 2 {
        return true;
    }
    let Some(rect) = seen.rects[index] else { return false };
    let mut at = tree.nodes[index].parent;
    for _ in 0..3 {
        let Some(parent) = at else { return false };
        let node = &tree.nodes[parent];
        if holds_rows(node) {
            return seen.rects[parent].is_some_and(|list| 10 * rect.width() >= 8 * list.width());
        }
        at = node.parent;
    }
    false
}
