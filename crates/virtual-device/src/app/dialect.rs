//! How other toolkits say a subtree: the tree of Android views becomes what Compose, Flutter, a web page or React
//! Native would have told the accessibility service.

use super::file::Dialect;
use crate::ElementSnapshot;
use crate::domain::Rect;

/// Stands for a tab until its toolkit's form is known.
pub(super) const TAB: &str = "tab";

const VIEW: &str = "android.view.View";
const TEXT: &str = "android.widget.TextView";
const GROUP: &str = "android.view.ViewGroup";

/// The subtree in another toolkit's way.
pub(super) fn translate(dialect: Dialect, root: ElementSnapshot) -> ElementSnapshot {
    let mut root = match dialect {
        Dialect::Compose => compose_root(root),
        Dialect::Flutter => flutter_root(&root),
        Dialect::Web => web_root(root),
        Dialect::ReactNative => native(root),
    };
    number(&mut root);
    root
}

/// Child numbers and drawing order anew; the root keeps its own.
fn number(element: &mut ElementSnapshot) {
    for (at, child) in element.children.iter_mut().enumerate() {
        child.index = at;
        child.drawing_order = at + 1;
        number(child);
    }
}

fn simple(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

/// A bare element of the same place and package.
fn bare(of: &ElementSnapshot, class: &str) -> ElementSnapshot {
    ElementSnapshot {
        class: class.to_owned(),
        package: of.package.clone(),
        enabled: of.enabled,
        bounds: of.bounds,
        ..ElementSnapshot::default()
    }
}

/// Where the label within a button stands: its middle half.
fn label_bounds(b: Rect) -> Rect {
    let (dx, dy) = (b.width() / 4, b.height() / 4);
    Rect::new(b.left + dx, b.top + dy, b.right - dx, b.bottom - dy)
}

fn text_child(of: &ElementSnapshot, text: &str) -> ElementSnapshot {
    ElementSnapshot { text: text.to_owned(), bounds: label_bounds(of.bounds), ..bare(of, TEXT) }
}

fn is_empty_field(element: &ElementSnapshot) -> bool {
    !element.hint.is_empty() && element.text == element.hint
}

/// Own text and description, then those of all descendants, in order and once each.
fn gathered(element: &ElementSnapshot, stop_at_clickable: bool) -> Vec<String> {
    fn gather(element: &ElementSnapshot, stop: bool, out: &mut Vec<String>) {
        for text in [&element.content_desc, &element.text] {
            if !text.is_empty() && !out.contains(text) {
                out.push(text.clone());
            }
        }
        for child in element.children.iter().filter(|child| !(stop && child.clickable)) {
            gather(child, stop, out);
        }
    }
    let mut out = Vec::new();
    gather(element, stop_at_clickable, &mut out);
    out
}

// Compose

fn compose_root(root: ElementSnapshot) -> ElementSnapshot {
    let mut host = bare(&root, "androidx.compose.ui.platform.ComposeView");
    host.index = root.index;
    host.drawing_order = root.drawing_order;
    let mut semantics = bare(&root, VIEW);
    for child in root.children {
        compose(child, &mut semantics.children);
    }
    host.children = vec![semantics];
    host
}

/// Compose knows what has meaning; mere layout leaves no node.
fn compose(mut element: ElementSnapshot, out: &mut Vec<ElementSnapshot>) {
    let children = std::mem::take(&mut element.children);
    let mut inner = Vec::new();
    for child in children {
        compose(child, &mut inner);
    }
    let kind = simple(&element.class).to_owned();
    let meaning = element.clickable
        || element.long_clickable
        || element.checkable
        || element.scrollable
        || element.selected
        || !element.text.is_empty()
        || !element.content_desc.is_empty()
        || !element.resource_id.is_empty()
        || matches!(kind.as_str(), "EditText" | "ProgressBar" | "SeekBar");
    if !meaning {
        out.append(&mut inner);
        return;
    }
    match kind.as_str() {
        "TextView" if !element.clickable => TEXT.clone_into(&mut element.class),
        "EditText" => {
            if is_empty_field(&element) {
                inner.insert(0, text_child(&element, &element.text));
                element.text.clear();
            }
            element.hint.clear();
        }
        "ProgressBar" | "SeekBar" => {}
        _ => {
            // The role of what merges its children is said by a node of its own
            // (AndroidComposeViewAccessibilityDelegateCompat, `emitFakeNodes`).
            let role = match kind.as_str() {
                "Button" | "ImageButton" => Some("android.widget.Button"),
                "CheckBox" => Some("android.widget.CheckBox"),
                "RadioButton" => Some("android.widget.RadioButton"),
                // `Role.DropdownList`; it opens a menu and is turned by nobody.
                "Spinner" => {
                    element.scrollable = false;
                    element.long_clickable = false;
                    Some("android.widget.Spinner")
                }
                _ => None,
            };
            let said = !element.text.is_empty();
            if said {
                inner.insert(0, text_child(&element, &element.text));
                element.text.clear();
            }
            if !element.content_desc.is_empty() && role == Some("android.widget.Button") && !said {
                let icon = ElementSnapshot {
                    content_desc: std::mem::take(&mut element.content_desc),
                    bounds: label_bounds(element.bounds),
                    ..bare(&element, VIEW)
                };
                inner.insert(0, icon);
            }
            element.class = match role {
                Some(role) if inner.is_empty() => role.to_owned(),
                _ => VIEW.to_owned(),
            };
            if let Some(role) = role.filter(|_| !inner.is_empty()) {
                inner.push(bare(&element, role));
            }
        }
    }
    element.children = inner;
    out.push(element);
}

// Flutter

fn flutter_root(root: &ElementSnapshot) -> ElementSnapshot {
    let mut page = bare(root, VIEW);
    for child in root.children.clone() {
        flutter(child, None, &mut page.children);
    }
    // The semantics tree begins with nodes for view, overlay and route.
    let mut outer = page;
    for _ in 0..3 {
        let mut next = bare(root, VIEW);
        next.children = vec![outer];
        outer = next;
    }
    "android.widget.FrameLayout".clone_into(&mut outer.class);
    outer.index = root.index;
    outer.drawing_order = root.drawing_order;
    outer
}

fn flutter(mut element: ElementSnapshot, tab: Option<(usize, usize)>, out: &mut Vec<ElementSnapshot>) {
    let kind = simple(&element.class).to_owned();
    let children = std::mem::take(&mut element.children);
    if element.clickable || element.checkable || kind == TAB {
        let mut words = gathered(&ElementSnapshot { children: children.clone(), ..element.clone() }, true);
        if let Some((at, of)) = tab {
            words.push(format!("Tab {at} of {of}"));
        }
        if kind == "EditText" {
            let mut field = element;
            if is_empty_field(&field) {
                field.text.clear();
            }
            out.push(field);
            return;
        }
        element.text.clear();
        element.content_desc = words.join("\n");
        element.focusable = true;
        element.clickable = true;
        if kind == "Spinner" {
            // `DropdownButton` is a button; it opens a menu and is turned by nobody.
            element.scrollable = false;
            element.long_clickable = false;
        }
        let class = match kind.as_str() {
            "Button" | "ImageButton" | "Spinner" => "android.widget.Button",
            "CheckBox" => "android.widget.CheckBox",
            "Switch" => "android.widget.Switch",
            "RadioButton" => "android.widget.RadioButton",
            "ImageView" => "android.widget.ImageView",
            _ => VIEW,
        };
        class.clone_into(&mut element.class);
        element.children = nested_clickables(children);
        out.push(element);
        return;
    }
    let tabs = children.iter().filter(|child| child.class == TAB).count();
    let mut inner = Vec::new();
    let mut next_tab = 0;
    for child in children {
        let place = (child.class == TAB).then(|| {
            next_tab += 1;
            (next_tab, tabs)
        });
        flutter(child, place, &mut inner);
    }
    let said = [&element.content_desc, &element.text].into_iter().find(|text| !text.is_empty()).cloned();
    match (said, kind.as_str()) {
        (_, "SeekBar" | "ProgressBar" | "EditText") => {
            element.content_desc = said_of_bar(&element);
            element.text.clear();
            element.children = inner;
            out.push(element);
        }
        (Some(said), _) => {
            if kind == "ImageView" { "android.widget.ImageView" } else { VIEW }.clone_into(&mut element.class);
            element.text.clear();
            element.content_desc = said;
            element.focusable = true;
            element.children = inner;
            out.push(element);
        }
        (None, "ImageView") => {
            "android.widget.ImageView".clone_into(&mut element.class);
            out.push(element);
        }
        (None, _) if element.scrollable => {
            let sideways = kind == "HorizontalScrollView";
            let class = if sideways { "android.widget.HorizontalScrollView" } else { "android.widget.ScrollView" };
            class.clone_into(&mut element.class);
            element.children = inner;
            out.push(element);
        }
        (None, _) => out.append(&mut inner),
    }
}

fn said_of_bar(element: &ElementSnapshot) -> String {
    element.text.parse::<f64>().map_or_else(|_| element.content_desc.clone(), |value| format!("{value:.0}%"))
}

fn nested_clickables(children: Vec<ElementSnapshot>) -> Vec<ElementSnapshot> {
    let mut out = Vec::new();
    for child in children {
        if child.clickable {
            flutter(child, None, &mut out);
        } else {
            out.append(&mut nested_clickables(child.children));
        }
    }
    out
}

// Web

fn web_root(root: ElementSnapshot) -> ElementSnapshot {
    let mut view = bare(&root, "android.webkit.WebView");
    view.index = root.index;
    view.drawing_order = root.drawing_order;
    view.resource_id.clone_from(&root.resource_id);
    view.focusable = true;
    view.scrollable = true;
    view.text.clone_from(&root.content_desc);
    let mut document = bare(&root, VIEW);
    // The link that screen readers are offered first has no size until it is focused.
    let skip = ElementSnapshot {
        text: "Skip to main content".to_owned(),
        clickable: true,
        focusable: true,
        bounds: Rect::default(),
        ..bare(&root, VIEW)
    };
    document.children.push(skip);
    document.children.extend(root.children.into_iter().map(web));
    view.children = vec![document];
    view
}

fn web(mut element: ElementSnapshot) -> ElementSnapshot {
    let kind = simple(&element.class).to_owned();
    let class = match kind.as_str() {
        "TextView" if !element.clickable => TEXT,
        "Button" | "ImageButton" => "android.widget.Button",
        "EditText" => "android.widget.EditText",
        "CheckBox" => "android.widget.CheckBox",
        "RadioButton" => "android.widget.RadioButton",
        "Switch" => "android.widget.ToggleButton",
        "ImageView" => "android.widget.Image",
        "Spinner" => "android.widget.Spinner",
        "SeekBar" => "android.widget.SeekBar",
        "ProgressBar" => "android.widget.ProgressBar",
        "RecyclerView" | "ListView" => "android.widget.ListView",
        _ => VIEW,
    };
    class.clone_into(&mut element.class);
    if kind == "EditText" && is_empty_field(&element) {
        element.text.clear();
    }
    // A page says the name of a thing as its text.
    if element.text.is_empty() {
        element.text = std::mem::take(&mut element.content_desc);
    }
    element.long_clickable = false;
    element.children = element.children.into_iter().map(web).collect();
    element
}

// React Native

fn native(mut element: ElementSnapshot) -> ElementSnapshot {
    let kind = simple(&element.class).to_owned();
    let said = gathered(&element, false);
    let mut children: Vec<_> = std::mem::take(&mut element.children).into_iter().map(native).collect();
    match kind.as_str() {
        "TextView" if !element.clickable => {}
        "EditText" | "ImageView" | "ScrollView" | "HorizontalScrollView" | "ProgressBar" | "SeekBar" | "Switch" => {}
        // `Picker` is the platform's own.
        "Spinner" => {}
        "RecyclerView" | "ListView" => "android.widget.ScrollView".clone_into(&mut element.class),
        _ => {
            GROUP.clone_into(&mut element.class);
            if element.clickable || element.checkable {
                if !element.text.is_empty() {
                    children.insert(0, text_child(&element, &element.text));
                    element.text.clear();
                }
                element.content_desc = said.join(", ");
            }
        }
    }
    element.children = children;
    element
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(class: &str, text: &str, children: Vec<ElementSnapshot>) -> ElementSnapshot {
        ElementSnapshot {
            class: class.to_owned(),
            text: text.to_owned(),
            package: "a.b".to_owned(),
            enabled: true,
            bounds: Rect::new(0, 0, 400, 100),
            children,
            ..ElementSnapshot::default()
        }
    }

    fn row() -> ElementSnapshot {
        let texts = vec![element(TEXT, "Tasks", Vec::new()), element(TEXT, "13", Vec::new())];
        let mut row = element("android.widget.LinearLayout", "", texts);
        row.clickable = true;
        element("android.widget.FrameLayout", "", vec![element("android.widget.LinearLayout", "", vec![row])])
    }

    #[test]
    fn compose_drops_layout_and_keeps_texts_below_what_is_clickable() {
        let root = translate(Dialect::Compose, row());
        assert_eq!(root.class, "androidx.compose.ui.platform.ComposeView");
        let row = &root.children[0].children[0];
        assert!(row.clickable && row.class == VIEW && row.text.is_empty());
        assert_eq!(row.children.iter().map(|c| c.text.as_str()).collect::<Vec<_>>(), ["Tasks", "13"]);
    }

    #[test]
    fn a_compose_button_has_its_text_and_its_role_below_it() {
        let mut button = element("android.widget.Button", "Sign in", Vec::new());
        button.clickable = true;
        let root = translate(Dialect::Compose, element("android.widget.FrameLayout", "", vec![button]));
        let button = &root.children[0].children[0];
        assert_eq!(button.class, VIEW);
        assert_eq!(button.children[0].text, "Sign in");
        assert_eq!(button.children[1].class, "android.widget.Button");
    }

    #[test]
    fn a_list_to_choose_from_is_no_list_that_scrolls() {
        let mut spinner = element("android.widget.Spinner", "", vec![element(TEXT, "Maths", Vec::new())]);
        (spinner.clickable, spinner.scrollable, spinner.long_clickable) = (true, true, true);
        let page = element("android.widget.FrameLayout", "", vec![spinner]);
        let compose = translate(Dialect::Compose, page.clone());
        let compose = &compose.children[0].children[0];
        assert!(compose.clickable && !compose.scrollable && !compose.long_clickable);
        assert_eq!((compose.class.as_str(), compose.children[1].class.as_str()), (VIEW, "android.widget.Spinner"));
        let flutter = translate(Dialect::Flutter, page.clone());
        let flutter = &flutter.children[0].children[0].children[0].children[0];
        assert!(flutter.clickable && !flutter.scrollable && flutter.content_desc == "Maths");
        let native = translate(Dialect::ReactNative, page);
        assert_eq!(native.children[0].class, "android.widget.Spinner");
    }

    #[test]
    fn flutter_says_everything_in_descriptions_line_by_line() {
        let mut root = row();
        let mut tab = element(TAB, "Home", Vec::new());
        tab.selected = true;
        root.children.push(element("android.widget.LinearLayout", "", vec![tab, element(TAB, "Cart", Vec::new())]));
        let root = translate(Dialect::Flutter, root);
        let page = &root.children[0].children[0].children[0];
        let said: Vec<&str> = page.children.iter().map(|c| c.content_desc.as_str()).collect();
        assert_eq!(said, ["Tasks\n13", "Home\nTab 1 of 2", "Cart\nTab 2 of 2"]);
        assert!(page.children.iter().all(|c| c.text.is_empty()));
    }

    #[test]
    fn a_web_page_names_things_by_text_and_holds_links_of_no_size() {
        let mut icon = element("android.widget.ImageButton", "", Vec::new());
        icon.content_desc = "Close".to_owned();
        let root = translate(Dialect::Web, element("android.widget.FrameLayout", "", vec![icon]));
        assert_eq!(root.class, "android.webkit.WebView");
        let document = &root.children[0];
        assert!(document.children[0].bounds.is_empty());
        assert_eq!((document.children[1].text.as_str(), document.children[1].content_desc.as_str()), ("Close", ""));
    }

    #[test]
    fn react_native_gathers_texts_and_keeps_them_below() {
        let root = translate(Dialect::ReactNative, row());
        let row = &root.children[0].children[0];
        assert_eq!((row.class.as_str(), row.content_desc.as_str()), (GROUP, "Tasks, 13"));
        assert_eq!(row.children.len(), 2);
    }
}
