//! Where the virtual device differs from the framework for the same screens. Each difference is explained in
//! `table.yaml`, or the test fails; an explanation that explains nothing fails it too.

use crate::app::{AppContext, AppFile, launch};
use crate::hierarchy::parse;
use crate::recorded::elements;
use crate::{AppProcess, ElementSnapshot, Gesture, Surroundings};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

const APP: &str = include_str!("gallery.app.yaml");
const TABLE: &str = include_str!("table.yaml");
const DOCUMENT: &str = include_str!("../../../../../docs/conformance.md");

/// Each page, its dump from the framework, and what has to be touched on our side first (by class or description).
pub(super) const PAGES: [(&str, &str, &str); 9] = [
    ("controls", include_str!("framework/controls.xml"), ""),
    ("ranges", include_str!("framework/ranges.xml"), ""),
    ("fields", include_str!("framework/fields.xml"), ""),
    ("lists", include_str!("framework/lists.xml"), ""),
    ("dialogs", include_str!("framework/dialogs.xml"), ""),
    ("choices", include_str!("framework/choices.xml"), "android.widget.Spinner"),
    ("dates", include_str!("framework/dates.xml"), ""),
    ("times", include_str!("framework/times.xml"), ""),
    ("menus", include_str!("framework/menus.xml"), "More options"),
];

/// A row of the table: which differences it explains, and why they stay.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// Pages; none means all.
    #[serde(default)]
    pages: Vec<String>,
    /// Simple class names; none means all.
    #[serde(default)]
    classes: Vec<String>,
    /// `only-framework`, `only-ours`, or an attribute.
    what: Vec<String>,
    /// Why it stays.
    reason: String,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Difference {
    page: &'static str,
    class: String,
    what: &'static str,
    detail: String,
}

impl Row {
    fn explains(&self, found: &Difference) -> bool {
        let among = |list: &[String], value: &str| list.is_empty() || list.iter().any(|one| one == value);
        among(&self.pages, found.page) && among(&self.classes, &found.class) && among(&self.what, found.what)
    }
}

fn simple(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

/// A container that says nothing, has no name and takes nothing: how deep those are nested is nobody's concern.
fn is_mere_layout(node: &ElementSnapshot) -> bool {
    let takes = node.clickable || node.long_clickable || node.scrollable || node.checkable || node.focusable;
    let says = !(node.text.is_empty() && node.content_desc.is_empty() && node.resource_id.is_empty());
    !node.children.is_empty() && !takes && !says
}

/// Nodes in document order, each under what tells it from the others: what it says, else its id, else its number among
/// the silent ones of its class.
fn named(root: &ElementSnapshot) -> BTreeMap<String, ElementSnapshot> {
    fn walk(node: &ElementSnapshot, out: &mut BTreeMap<String, ElementSnapshot>) {
        let class = simple(&node.class);
        let said = if node.content_desc.is_empty() { &node.text } else { &node.content_desc };
        let id = node.resource_id.rsplit('/').next().unwrap_or_default();
        let name = match (said.is_empty(), id.is_empty()) {
            (false, _) => format!("{class} {}", said.to_lowercase()),
            (true, false) => format!("{class} @{id}"),
            (true, true) => class.to_owned(),
        };
        let number = 1 + out.keys().filter(|known| known.rsplit_once(" #").is_some_and(|(of, _)| of == name)).count();
        if !is_mere_layout(node) {
            out.insert(format!("{name} #{number}"), node.clone());
        }
        node.children.iter().for_each(|child| walk(child, out));
    }
    let mut out = BTreeMap::new();
    walk(root, &mut out);
    out
}

/// What both say, attribute by attribute.
fn attributes(node: &ElementSnapshot) -> [(&'static str, String); 14] {
    let flag = |value: bool| value.to_string();
    [
        ("text", node.text.clone()),
        ("content-desc", node.content_desc.clone()),
        ("resource-id", node.resource_id.rsplit('/').next().unwrap_or_default().to_owned()),
        ("checkable", flag(node.checkable)),
        ("checked", flag(node.checked)),
        ("clickable", flag(node.clickable)),
        ("enabled", flag(node.enabled)),
        ("focusable", flag(node.focusable)),
        ("focused", flag(node.focused)),
        ("scrollable", flag(node.scrollable)),
        ("long-clickable", flag(node.long_clickable)),
        ("password", flag(node.password)),
        ("selected", flag(node.selected)),
        ("size", format!("{}x{}", node.bounds.width(), node.bounds.height())),
    ]
}

fn differences(page: &'static str, theirs: &ElementSnapshot, ours: &ElementSnapshot) -> Vec<Difference> {
    let (theirs, ours) = (named(theirs), named(ours));
    let mut found = Vec::new();
    let difference =
        |node: &ElementSnapshot, what, detail| Difference { page, class: simple(&node.class).to_owned(), what, detail };
    for (name, node) in &theirs {
        let Some(own) = ours.get(name) else {
            found.push(difference(node, "only-framework", name.clone()));
            continue;
        };
        for ((what, theirs), (_, ours)) in attributes(node).into_iter().zip(attributes(own)) {
            if theirs != ours {
                found.push(difference(node, what, format!("{name}: {theirs} there, {ours} here")));
            }
        }
    }
    let extra = ours.iter().filter(|(name, _)| !theirs.contains_key(*name));
    found.extend(extra.map(|(name, node)| difference(node, "only-ours", name.clone())));
    found.extend(order(page, &theirs, &ours));
    found
}

/// The first of two neighbours that both have and that stand the other way round here, from top to bottom.
fn order(
    page: &'static str,
    theirs: &BTreeMap<String, ElementSnapshot>,
    ours: &BTreeMap<String, ElementSnapshot>,
) -> Option<Difference> {
    let place = |node: &ElementSnapshot| (node.bounds.top, node.bounds.left);
    let leaf = |node: &ElementSnapshot| node.children.is_empty();
    let both = theirs.iter().filter(|(name, node)| leaf(node) && ours.get(*name).is_some_and(leaf));
    let mut both: Vec<&String> = both.map(|(name, _)| name).collect();
    both.sort_by_key(|name| place(&theirs[*name]));
    let turned = both.windows(2).find(|pair| place(&ours[pair[0]]) > place(&ours[pair[1]]))?;
    let class = simple(&theirs[turned[0]].class).to_owned();
    Some(Difference { page, class, what: "order", detail: format!("{} before {}", turned[0], turned[1]) })
}

/// Our screen as it stands once it is open.
fn ours(page: &str, touch: &str) -> ElementSnapshot {
    let file = Arc::new(AppFile::load("gallery.app.yaml", APP).expect("the app file"));
    let context = AppContext { uri: Some(format!("gallery://{page}")), ..AppContext::phone() };
    let mut app: Box<dyn AppProcess> = launch(file, context).expect("the app");
    app.resumed();
    app.advance(&Surroundings::at(Duration::from_secs(20)));
    if !touch.is_empty() {
        let root = app.snapshot();
        let target = find(&root, touch).expect("what is touched").bounds.center();
        app.gesture(Gesture::Tap(target));
        app.advance(&Surroundings::at(Duration::from_secs(25)));
    }
    app.snapshot()
}

fn find<'a>(node: &'a ElementSnapshot, what: &str) -> Option<&'a ElementSnapshot> {
    if node.class == what || node.content_desc == what {
        return Some(node);
    }
    node.children.iter().find_map(|child| find(child, what))
}

fn all() -> Vec<Difference> {
    let of_page = |(page, dump, touch): &(&'static str, &str, &str)| {
        differences(page, &elements(&parse(dump.as_bytes())), &ours(page, touch))
    };
    PAGES.iter().flat_map(of_page).collect()
}

fn table() -> Vec<Row> {
    serde_saphyr::from_str(TABLE).expect("table.yaml")
}

#[test]
fn every_difference_from_the_framework_is_explained() {
    let table = table();
    let open: Vec<String> = all()
        .iter()
        .filter(|found| !table.iter().any(|row| row.explains(found)))
        .map(|found| format!("{} {} {}: {}", found.page, found.class, found.what, found.detail))
        .collect();
    assert!(open.is_empty(), "{} differences are not explained:\n{}", open.len(), open.join("\n"));
}

#[test]
fn every_explanation_explains_something_and_stands_in_the_document() {
    let found = all();
    for row in table() {
        assert!(found.iter().any(|found| row.explains(found)), "explains nothing any more: {}", row.reason);
        assert!(DOCUMENT.contains(&row.reason), "docs/conformance.md does not say: {}", row.reason);
    }
}

#[test]
fn a_planted_difference_is_found() {
    let theirs = elements(&parse(PAGES[0].1.as_bytes()));
    let same: BTreeSet<Difference> = differences("controls", &theirs, &theirs).into_iter().collect();
    assert!(same.is_empty(), "{same:?}");
    let mut planted = theirs.clone();
    planted.children[0].children[1].children[0].children[1].clickable = false;
    let found = differences("controls", &theirs, &planted);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].what, found[0].class.as_str()), ("clickable", "TextView"));
}
