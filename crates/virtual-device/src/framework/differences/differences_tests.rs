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
    let difference = |node: &ElementSnapshot, what, name: &String, detail| Difference {
        page,
        class: simple(&node.class).to_owned(),
        what,
        node: name.clone(),
        detail,
    };
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

/// A leaf that is gone, can be clicked where it could not, or says something else, changes what is explained: a difference is
/// open, or a row explains another number of them. What only our screen has, has nothing to be compared with but its being there.
#[test]
fn a_leaf_that_is_lost_or_changed_is_noticed() {
    let table = table();
    let (mut changes, mut unseen) = (0, Vec::new());
    for page in Page::all() {
        let (there, here) = (theirs(page), ours(page));
        let told = |root: &ElementSnapshot| {
            let found = differences(page, &there, root);
            let (counts, open) = explained(&table, &found);
            (counts, open.len())
        };
        let before = told(&here);
        assert_eq!(before.1, 0, "{page:?}");
        let (compared, own) = (named(&there), named(&here));
        for (name, leaf) in own.iter().filter(|(_, leaf)| says(leaf)) {
            for change in [Change::Lost, Change::Clickable, Change::Text] {
                if !matches!(change, Change::Lost) && !compared.contains_key(name) {
                    continue;
                }
                let mut root = here.clone();
                assert!(change_leaf(&mut root, leaf, change), "{page:?} {name}");
                changes += 1;
                if told(&root) == before {
                    unseen.push(format!("{} {}: {change:?} {name}", page.name, page.variant));
                }
            }
        }
    }
    assert!(changes > 1000, "{changes}");
    assert!(unseen.is_empty(), "{} of {changes} are noticed by nothing:\n{}", unseen.len(), unseen.join("\n"));
}

/// What is done to a leaf.
#[derive(Debug, Clone, Copy)]
enum Change {
    Lost,
    Clickable,
    Text,
}

/// Whether a node is a leaf with a text or description.
fn says(node: &ElementSnapshot) -> bool {
    node.children.is_empty() && !(node.text.is_empty() && node.content_desc.is_empty())
}

/// Changes the first node that is like `leaf`; whether there is one.
fn change_leaf(node: &mut ElementSnapshot, leaf: &ElementSnapshot, change: Change) -> bool {
    let Some(at) = node.children.iter().position(|child| child == leaf) else {
        return node.children.iter_mut().any(|child| change_leaf(child, leaf, change));
    };
    match change {
        Change::Lost => {
            node.children.remove(at);
        }
        Change::Clickable => node.children[at].clickable ^= true,
        Change::Text => {
            let child = &mut node.children[at];
            let said = if child.content_desc.is_empty() { &mut child.text } else { &mut child.content_desc };
            said.push_str(" indeed");
        }
    }
    true
}

#[test]
fn patterns_stand_for_what_they_say() {
    assert!(fits("TextView row *", "TextView row 12 #1") && fits("*", "") && fits("a*c*", "abcd"));
    assert!(!fits("TextView", "TextView row 1 #1") && !fits("a*b", "abc") && !fits("b*", "ab"));
}

/// A window of the framework that we show otherwise, and why.
const OTHER_WINDOWS: [(&str, &str); 0] = [];

/// Which window has the focus, and so is dumped: the app's own (types 1 and 2 differ by their bounds), or one over it. A toast
/// never has it.
#[test]
fn the_window_with_the_focus_is_the_frameworks() {
    let recorded = std::fs::read_to_string(Page::windows_file()).expect("the recorded windows");
    let mut compared = 0;
    for page in Page::windows().into_iter().filter(|page| page.name != "contexts") {
        let own = format!("{} ", page.name);
        let windows: Vec<Vec<&str>> =
            recorded.lines().filter(|line| line.starts_with(&own)).map(|line| line.split(' ').collect()).collect();
        let focused: Vec<&Vec<&str>> = windows.iter().filter(|window| window[3] == "focused").collect();
        let [focused] = focused.as_slice() else { panic!("{}: {windows:?}", page.name) };
        let whole = |bounds: &str| bounds == "[0,0][1080,2400]";
        let ours = ours(page).bounds.to_string();
        let same = whole(focused[2]) == whole(&ours);
        let other = OTHER_WINDOWS.iter().any(|(name, _)| *name == page.name);
        assert!(same != other, "{}: {focused:?} there, {ours} here", page.name);
        compared += 1;
    }
    assert_eq!(compared, 26);
    let toasts: Vec<&str> = recorded.lines().filter(|line| line.starts_with("toasts ")).collect();
    let [app, toast] = toasts.as_slice() else { panic!("{toasts:?}") };
    assert!(app.contains(" 1 ") && app.contains(" focused "), "{app}");
    assert!(toast.contains(" 2005 ") && toast.contains(" - "), "{toast}");
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
        assert!(shows(&root, &line), "not {line}");
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
    for (name, variant, said) in [
        ("dates", "german", "März"),
        ("dates", "arabic", "مارس"),
        ("months", "german", "März"),
        ("times", "german", "radial_picker\""),
        ("times", "arabic", "ص"),
    ] {
        let recorded = Page { name, variant }.recorded();
        assert!(recorded.contains(said), "{name} {variant} says no {said}");
        assert_ne!(recorded, Page { name, variant: "" }.recorded(), "{name} {variant}");
    }
    // Answers of a dialog stand the other way round.
    assert_ne!(
        Page { name: "dialogs", variant: "arabic" }.recorded(),
        Page { name: "dialogs", variant: "" }.recorded()
    );
}

fn shows(node: &ElementSnapshot, text: &str) -> bool {
    node.text == text || node.children.iter().any(|child| shows(child, text))
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
