//! Where the virtual device differs from the framework for the same screens. Each difference is explained in
//! `table.yaml`, or the test fails; an explanation that explains nothing fails it too.

use super::pages::Page;
use crate::app::{AppContext, AppFile, FASTEST_FLING, LONG_PRESS, SLOWEST_FLING, TOUCH_SLOP, day_halves, launch};
use crate::domain::Rect;
use crate::hierarchy::parse;
use crate::recorded::elements;
use crate::{AppProcess, Configuration, ElementSnapshot, Gesture, Surroundings};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

const APP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/framework/differences/gallery.app.yaml");
const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/framework/differences/table.yaml");
/// Places that lie no farther apart are the same, px.
const NEAR: i32 = 12;
/// A node that ends no farther from both edges of the display takes all its width, px.
const EDGE: i32 = 84;
const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/conformance.md");

/// A row of the table: which differences it explains, and why they stay.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// Screens; none means all.
    #[serde(default)]
    pages: Vec<String>,
    /// Configurations, `plain` the one without a name; none means all.
    #[serde(default)]
    variants: Vec<String>,
    /// Simple class names; none means all.
    #[serde(default)]
    classes: Vec<String>,
    /// `only-framework`, `only-ours`, or an attribute.
    what: Vec<String>,
    /// What tells the nodes from others, with `*` for anything, see [`named`]; none means all.
    #[serde(default)]
    nodes: Vec<String>,
    /// How many differences it explains that no row before it does.
    count: usize,
    /// Why it stays.
    reason: String,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Difference {
    page: Page,
    class: String,
    what: &'static str,
    /// The node, see [`named`].
    node: String,
    /// `there` and `here`, of an attribute.
    detail: String,
}

/// What has to say which nodes it speaks of: a row for any node of a class would forgive the loss of any.
const STRONG: [&str; 5] = ["only-framework", "only-ours", "text", "clickable", "order"];

impl Row {
    fn explains(&self, found: &Difference) -> bool {
        let among = |list: &[String], value: &str| list.is_empty() || list.iter().any(|one| one == value);
        let variant = if found.page.variant.is_empty() { "plain" } else { found.page.variant };
        among(&self.pages, found.page.name)
            && among(&self.variants, variant)
            && among(&self.classes, &found.class)
            && among(&self.what, found.what)
            && (self.nodes.is_empty() || self.nodes.iter().any(|pattern| fits(pattern, &found.node)))
    }
}

/// Whether a text is as a pattern says, in which `*` stands for anything.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, between)) = parts.split_last() else { return rest.is_empty() };
    for part in between {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
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

/// At which side of what holds it a node stands: `start` is the left, `end` the right one, `both` as wide as it, `middle`.
fn side(bounds: Rect, within: Rect) -> &'static str {
    let (left, right) = (bounds.left - within.left, within.right - bounds.right);
    match left - right {
        _ if left.max(right) <= EDGE => "both",
        more if more.abs() <= NEAR => "middle",
        more if more < 0 => "left",
        _ => "right",
    }
}

/// What both say, attribute by attribute. `display` is the display's width, px.
fn attributes(node: &ElementSnapshot, display: i32) -> [(&'static str, String); 15] {
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
        ("side", side(node.bounds, Rect::new(0, 0, display, 0)).to_owned()),
    ]
}

fn differences(page: Page, theirs: &ElementSnapshot, ours: &ElementSnapshot) -> Vec<Difference> {
    let display = i32::try_from(page.configuration().display.width).unwrap_or(i32::MAX);
    let (theirs, ours) = (named(theirs), named(ours));
    let mut found = Vec::new();
    let difference =
        |node: &ElementSnapshot, what, name: &String, detail| Difference { page, class: simple(&node.class).to_owned(), what, node: name.clone(), detail };
    for (name, node) in &theirs {
        let Some(own) = ours.get(name) else {
            found.push(difference(node, "only-framework", name, String::new()));
            continue;
        };
        for ((what, theirs), (_, ours)) in attributes(node, display).into_iter().zip(attributes(own, display)) {
            if theirs != ours {
                found.push(difference(node, what, name, format!("{theirs} there, {ours} here")));
            }
        }
    }
    let extra = ours.iter().filter(|(name, _)| !theirs.contains_key(*name));
    found.extend(extra.map(|(name, node)| difference(node, "only-ours", name, String::new())));
    found.extend(order(page, &theirs, &ours));
    found
}

/// The first of two neighbours that both have and that stand the other way round here, from top to bottom.
fn order(
    page: Page,
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
    let detail = format!("before {} there", turned[1]);
    Some(Difference { page, class, what: "order", node: turned[0].clone(), detail })
}

/// Our screen as it stands once it is open.
fn ours(page: Page) -> ElementSnapshot {
    let file = Arc::new(
        AppFile::load("gallery.app.yaml", &std::fs::read_to_string(APP).expect("the app file")).expect("an app"),
    );
    let mut context = AppContext { uri: Some(format!("gallery://{}", page.name)), ..AppContext::phone() };
    let configuration: Configuration = page.configuration();
    context.configure(&configuration);
    let mut app: Box<dyn AppProcess> = launch(file, context).expect("the app");
    app.resumed();
    app.advance(&Surroundings::at(Duration::from_secs(20)));
    let more = if page.variant == "arabic" { "المزيد من الخيارات" } else { "More options" };
    let touched = if page.touched() == "More options" { more } else { page.touched() };
    if !touched.is_empty() {
        let root = app.snapshot();
        let target = find(&root, touched).expect("what is touched").bounds.center();
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

/// The framework's screen.
fn theirs(page: Page) -> ElementSnapshot {
    elements(&parse(page.recorded().as_bytes()))
}

fn all() -> Vec<Difference> {
    Page::all().into_iter().flat_map(|page| differences(page, &theirs(page), &ours(page))).collect()
}

/// How many differences each row is the first to explain, and those that none does.
fn explained<'a>(table: &[Row], found: &'a [Difference]) -> (Vec<usize>, Vec<&'a Difference>) {
    let (mut counts, mut open) = (vec![0; table.len()], Vec::new());
    for difference in found {
        match table.iter().position(|row| row.explains(difference)) {
            Some(row) => counts[row] += 1,
            None => open.push(difference),
        }
    }
    (counts, open)
}

fn table() -> Vec<Row> {
    let text = std::fs::read_to_string(TABLE).expect("table.yaml");
    serde_saphyr::from_str(&text).expect("table.yaml")
}

#[test]
fn every_difference_from_the_framework_is_explained() {
    let found = all();
    let (_, open) = explained(&table(), &found);
    let open: Vec<String> = open
        .iter()
        .map(|found| {
            format!("{} {} {}: {} {}", found.page.name, found.page.variant, found.what, found.node, found.detail)
        })
        .collect();
    assert!(open.is_empty(), "{} differences are not explained:\n{}", open.len(), open.join("\n"));
}

#[test]
fn every_explanation_explains_as_much_as_it_says_and_stands_in_the_document() {
    let (table, found) = (table(), all());
    let document = std::fs::read_to_string(DOCUMENT).expect("conformance.md");
    let (counts, _) = explained(&table, &found);
    let wrong: Vec<String> = counts
        .iter()
        .zip(&table)
        .filter(|(count, row)| **count != row.count || **count == 0)
        .map(|(count, row)| format!("{count} in place of {}: {}", row.count, row.reason))
        .collect();
    assert!(wrong.is_empty(), "rows explain another number of differences:\n{}", wrong.join("\n"));
    for row in &table {
        assert!(document.contains(&row.reason), "docs/conformance.md does not say: {}", row.reason);
    }
}

#[test]
fn an_explanation_is_narrow_and_gives_a_reason() {
    for row in table() {
        let strong = row.what.iter().any(|what| STRONG.contains(&what.as_str()));
        assert!(!strong || !row.nodes.is_empty(), "names no nodes: {}", row.reason);
        let promise = row.reason.to_lowercase();
        assert!(!promise.contains("not mended") && !promise.contains("not yet"), "a promise is no reason: {promise}");
    }
}

/// Leaves that say something and whose loss a row would explain, by page. Their rows speak of the same node for another
/// reason: the framework has it, we have not, in one configuration.
const FORGIVEN: [(&str, &str); 0] = [];

/// A leaf that is gone, cannot be clicked any more, or says something else, is a difference that no row explains.
#[test]
fn a_leaf_that_is_lost_or_changed_is_noticed() {
    let table = table();
    let (mut leaves, mut unseen) = (0, Vec::new());
    for page in Page::all() {
        let (there, here) = (theirs(page), ours(page));
        let open = |changed: &ElementSnapshot| explained(&table, &differences(page, &there, changed)).1.len();
        assert_eq!(open(&here), 0, "{page:?}");
        for at in 0..count(&here) {
            let mut leaf = ElementSnapshot::default();
            let mut changed = |what: &str, change: &dyn Fn(&mut ElementSnapshot) -> bool| {
                let mut root = here.clone();
                if change_leaf(&mut root, &mut { at }, &mut |node| {
                    leaf = node.clone();
                    change(node)
                }) {
                    leaves += 1;
                    if open(&root) == 0 {
                        unseen.push(format!("{} {}: {what} {} {:?} {:?}", page.name, page.variant, leaf.class, leaf.text, leaf.content_desc));
                    }
                }
            };
            changed("lost", &|node| { node.class = GONE.to_owned(); true });
            changed("clickable", &|node| { node.clickable = !node.clickable; true });
            changed("text", &|node| {
                let said = if node.content_desc.is_empty() { &mut node.text } else { &mut node.content_desc };
                said.push_str(" indeed");
                true
            });
        }
    }
    let forgiven = |line: &String| FORGIVEN.iter().any(|(page, node)| line.starts_with(page) && line.contains(node));
    unseen.retain(|line| !forgiven(line));
    assert!(leaves > 1000, "{leaves}");
    assert!(unseen.is_empty(), "{} of {leaves} changes are noticed by nothing:\n{}", unseen.len(), unseen.join("\n"));
}

/// The class of a node that is taken away.
const GONE: &str = "gone";

fn count(node: &ElementSnapshot) -> usize {
    1 + node.children.iter().map(count).sum::<usize>()
}

/// Changes the node of that number in document order, if it is a leaf that says something; nodes of the class [`GONE`] are
/// removed. Whether it was changed.
fn change_leaf(node: &mut ElementSnapshot, at: &mut usize, change: &mut dyn FnMut(&mut ElementSnapshot) -> bool) -> bool {
    for child in 0..node.children.len() {
        if *at == 0 {
            let own = &mut node.children[child];
            let says = !(own.text.is_empty() && own.content_desc.is_empty());
            let done = own.children.is_empty() && says && change(own);
            node.children.retain(|child| child.class != GONE);
            return done;
        }
        *at -= 1;
        let below = count(&node.children[child]) - 1;
        if *at < below {
            return change_leaf(&mut node.children[child], at, change);
        }
        *at -= below;
    }
    false
}

#[test]
fn patterns_stand_for_what_they_say() {
    assert!(fits("TextView row *", "TextView row 12 #1") && fits("*", "") && fits("a*c*", "abcd"));
    assert!(!fits("TextView", "TextView row 1 #1") && !fits("a*b", "abc") && !fits("b*", "ab"));
}

/// Sizes of text that the framework was asked for, and what it made of them, against ours: `Sizes` has a view of each.
#[test]
fn texts_grow_with_the_font_scale_as_on_the_framework() {
    for page in Page::sizes() {
        let root = elements(&parse(page.recorded().as_bytes()));
        let heights: Vec<(f32, i32)> = heights(&root);
        assert!(heights.len() > 10, "{page:?}: {heights:?}");
        let mut context = AppContext::phone();
        context.configure(&page.configuration());
        for (sp, height) in heights {
            let ours = context.text_px(sp);
            assert!((ours - height as f32).abs() <= 1.0, "{page:?}: {sp} sp is {height} px there, {ours} here");
        }
    }
}

/// Size in sp, height in pixels.
fn heights(node: &ElementSnapshot) -> Vec<(f32, i32)> {
    let own = node.content_desc.strip_suffix(" sp").and_then(|sp| sp.parse().ok());
    let own = own.map(|sp| (sp, node.bounds.height()));
    own.into_iter().chain(node.children.iter().flat_map(heights)).collect()
}

#[test]
fn gestures_are_told_apart_by_the_frameworks_numbers() {
    let root = elements(&parse(Page { name: "timings", variant: "" }.recorded().as_bytes()));
    let context = AppContext::phone();
    let px = |dp: f32| context.px(dp).round() as u64;
    for (what, ours) in [
        ("long press ms", u64::try_from(LONG_PRESS.as_millis()).unwrap_or_default()),
        ("touch slop px", px(TOUCH_SLOP)),
        ("slowest fling px/s", px(SLOWEST_FLING)),
        ("fastest fling px/s", px(FASTEST_FLING)),
    ] {
        let line = format!("{what}: {ours}");
        assert!(says(&root, &line), "not {line}");
    }
}

#[test]
fn the_day_is_told_as_the_framework_tells_it_in_each_language() {
    fn lines(node: &ElementSnapshot) -> Vec<String> {
        let own = node.text.contains(": ").then(|| node.text.clone());
        own.into_iter().chain(node.children.iter().flat_map(lines)).collect()
    }
    let lines = lines(&theirs(Page { name: "hours", variant: "" }));
    assert!(lines.len() > 40, "{lines:?}");
    for line in lines {
        let (tag, _) = line.split_once(": ").expect("a tag");
        let ours = day_halves::of(tag).map_or("24".to_owned(), |[am, pm]| format!("12 {am} / {pm}"));
        assert_eq!(line, format!("{tag}: {ours}"));
    }
}

/// What the device's language changes: were these alike, the pages in other languages would prove nothing.
#[test]
fn the_framework_speaks_the_devices_language() {
    for (name, variant) in [("dates", "german"), ("dates", "arabic"), ("times", "german"), ("times", "arabic"), ("months", "german"), ("menus", "arabic"), ("tabs", "arabic")] {
        assert_ne!(Page { name, variant }.recorded(), Page { name, variant: "" }.recorded(), "{name} {variant}");
    }
}

fn says(node: &ElementSnapshot, text: &str) -> bool {
    node.text == text || node.children.iter().any(|child| says(child, text))
}

#[test]
fn a_planted_difference_is_found() {
    let page = Page { name: "controls", variant: "" };
    let theirs = elements(&parse(page.recorded().as_bytes()));
    let same: BTreeSet<Difference> = differences(page, &theirs, &theirs).into_iter().collect();
    assert!(same.is_empty(), "{same:?}");
    let mut planted = theirs.clone();
    planted.children[0].children[1].children[0].children[1].clickable = false;
    let found = differences(page, &theirs, &planted);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].what, found[0].class.as_str()), ("clickable", "TextView"));
}
