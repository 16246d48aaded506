//! Asks for "the control of that row" on real screens: each names a title and a control by their bounds.

use super::dumps::Dump;
use super::perceive;
use std::collections::HashMap;
use std::fmt;
use tapwright_base::domain::Rect;
use tapwright_base::hierarchy::{Role, Row, Screen, Widget};

/// Asks written by hand from the dumps.
struct Asks {
    of: &'static str,
    written: &'static str,
    /// Of how many how many were resolved when they were new, before anything was mended for them; `None` for those the
    /// recogniser was made with.
    at_first_sight: Option<Share>,
}

const ASKS: [Asks; 3] = [
    Asks { of: "asks", written: include_str!("row_asks.txt"), at_first_sight: None },
    Asks {
        of: "later asks",
        written: include_str!("row_asks_later.txt"),
        at_first_sight: Some(Share { asks: 30, resolved: 28 }),
    },
    Asks {
        of: "asks on recorded apps",
        written: include_str!("row_asks_recorded.txt"),
        at_first_sight: Some(Share { asks: 59, resolved: 43 }),
    },
];

/// Prints the share of asks whose control belongs to the row of that title, and of those whose control says so itself, and
/// lists the others where `list` is set.
/// Each folder of dumps comes with what it is called.
pub(super) fn rows(folders: &[(&str, &[Dump])], list: bool) {
    let mut screens: HashMap<&str, Screen> = HashMap::new();
    for (of, dumps) in folders {
        let perceived: Vec<(&str, Screen)> = dumps.iter().map(|(id, bytes)| (id.as_str(), perceive(bytes))).collect();
        let found: usize = perceived.iter().map(|(_, screen)| screen.rows.len()).sum();
        let with = perceived.iter().filter(|(_, screen)| !screen.rows.is_empty()).count();
        println!("rows: {found} on {with} of {} {of}", perceived.len());
        screens.extend(perceived);
    }
    let (mut all, mut all_named, mut unseen) = (Share::default(), Share::default(), Share::default());
    // A label that no other control has needs no context, and gets none.
    let mut namesakes = Share::default();
    for Asks { of, written, at_first_sight } in ASKS {
        let (mut share, mut named) = (Share::default(), Share::default());
        for (id, title, control) in written.lines().flat_map(parse) {
            let Some(screen) = screens.get(id) else { continue };
            let answer = answer(screen, title, control);
            let name = tells_row(screen, title, control);
            share.count(answer.is_ok());
            named.count(name.is_ok());
            if used(screen, control).is_some_and(|widget| has_namesake(screen, widget)) {
                namesakes.count(name.is_ok());
            }
            if list {
                let misses = [("miss", answer.err()), ("unnamed", name.err())];
                for (kind, why) in misses.into_iter().filter_map(|(kind, why)| Some((kind, why?))) {
                    println!("  {kind} {id} {title} {control}: {why}");
                }
            }
        }
        println!("rows: {of} for a control of a row: {share}");
        println!("rows: {of}: label or context of the control holds the row's title: {named}");
        if let Some(first) = at_first_sight {
            println!("rows: {of}: when they were new: {first}");
            unseen.add(first);
        }
        all.add(share);
        all_named.add(named);
    }
    println!("rows: all asks for a control of a row: {all}, of those nobody had seen, when they were new: {unseen}");
    println!("rows: all asks: label or context of the control holds the row's title: {all_named}");
    println!("rows: of them, controls without a label or with one that others have: {namesakes}");
}

/// How many of some asks are resolved.
#[derive(Debug, Default, Clone, Copy)]
struct Share {
    asks: u32,
    resolved: u32,
}

impl Share {
    fn count(&mut self, resolved: bool) {
        self.asks += 1;
        self.resolved += u32::from(resolved);
    }

    fn add(&mut self, other: Self) {
        self.asks += other.asks;
        self.resolved += other.resolved;
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { asks, resolved } = *self;
        write!(f, "{resolved} of {asks} resolved ({:.1} %)", 100.0 * f64::from(resolved) / f64::from(asks.max(1)))
    }
}

/// Prints the rows of a screen.
pub(super) fn print_rows(screen: &Screen) {
    let name = |id: &usize| format!("{id} {:?}", screen.widgets[*id].label);
    for row in &screen.rows {
        let controls: Vec<String> = row.controls.iter().map(name).collect();
        println!(
            "row {:?} {} opens by {:?}, holds {controls:?}",
            row.heading,
            row.bounds,
            row.opener.as_ref().map(name)
        );
    }
}

/// Screen, title and control for each control of a line.
fn parse(line: &str) -> Vec<(&str, Rect, Rect)> {
    let mut words = line.split(' ');
    let (Some(screen), Some(title)) = (words.next(), words.next().and_then(rect)) else { return Vec::new() };
    words.filter_map(rect).map(|control| (screen, title, control)).collect()
}

fn rect(text: &str) -> Option<Rect> {
    let edges: Vec<i32> = text.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
    let edges: [i32; 4] = edges.try_into().ok()?;
    Some(Rect::from(edges))
}

fn answer(screen: &Screen, title: Rect, control: Rect) -> Result<(), String> {
    let widget = used(screen, control).ok_or("nothing to use there")?;
    let headed = |row: &Row| title.encloses(row.heading_bounds);
    let opened = screen.rows.iter().any(|row| row.opener == Some(widget.id) && headed(row));
    let row = screen.row_acted_on(widget.id);
    // A control that holds the title stands for itself.
    let inner = screen.widgets.iter().any(|other| {
        let within = other.id != widget.id && widget.bounds.encloses(other.bounds);
        within && other.clickable && other.bounds.encloses(title)
    });
    let itself = row.is_none() && widget.bounds.encloses(title) && !inner;
    if opened || itself || row.is_some_and(headed) {
        return Ok(());
    }
    let of = row.map_or("no row".to_owned(), |row| format!("row {:?} {}", row.heading, row.bounds));
    Err(format!("{} {:?} is in {of}", widget.role, widget.label))
}

/// Whether the words that the agent chooses by, the control's label and context, hold the title of its row.
fn tells_row(screen: &Screen, title: Rect, control: Rect) -> Result<(), String> {
    let widget = used(screen, control).ok_or("nothing to use there")?;
    let titles: Vec<&str> =
        screen.texts.shown.iter().filter(|text| title.encloses(text.bounds)).map(|text| text.text.as_str()).collect();
    let said = [&widget.label, &widget.context];
    if titles.iter().any(|title| said.iter().any(|said| said.contains(title))) {
        return Ok(());
    }
    Err(format!("{} {:?} of {:?} does not hold any of {titles:?}", widget.role, widget.label, widget.context))
}

/// Another control has the same label, or it has none.
fn has_namesake(screen: &Screen, widget: &Widget) -> bool {
    let acts = |other: &&Widget| !matches!(other.role, Role::Text | Role::Image | Role::List);
    let label = widget.label.to_lowercase();
    let alike = |other: &&Widget| other.id != widget.id && other.label.to_lowercase() == label;
    label.is_empty() || screen.widgets.iter().filter(acts).any(|other| alike(&other))
}

/// The widget that a touch in the middle of these bounds is meant for.
fn used(screen: &Screen, control: Rect) -> Option<&Widget> {
    let usable = |widget: &&Widget| widget.role != Role::List && (widget.clickable || widget.state.checked.is_some());
    let usable = || screen.widgets.iter().filter(usable);
    let same = usable().find(|widget| widget.bounds == control);
    same.or_else(|| {
        let around = usable().filter(|widget| widget.bounds.contains(control.center()));
        around.min_by_key(|widget| widget.bounds.area())
    })
}
