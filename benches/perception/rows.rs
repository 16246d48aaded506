//! Asks for "the control of that row" on real screens: each names a title and a control by their bounds.

use super::dumps::Dump;
use super::perceive;
use std::collections::HashMap;
use std::fmt;
use tapwright_base::domain::Rect;
use tapwright_base::hierarchy::{Role, Row, Screen, Widget};

/// By hand, from the dumps: those the recogniser was made with, and those written when it was done.
const ASKS: [(&str, &str); 3] = [
    ("asks", include_str!("row_asks.txt")),
    ("later asks", include_str!("row_asks_later.txt")),
    ("asks on recorded apps", include_str!("row_asks_recorded.txt")),
];

/// Prints the share of asks whose control belongs to the row of that title, and lists the others where `list` is set.
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
    let mut all = Share::default();
    for (of, written) in ASKS {
        let mut share = Share::default();
        for (id, title, control) in written.lines().flat_map(parse) {
            let Some(screen) = screens.get(id) else { continue };
            let answer = answer(screen, title, control);
            share.count(&answer);
            all.count(&answer);
            if let Err(why) = answer
                && list
            {
                println!("  miss {id} {title} {control}: {why}");
            }
        }
        println!("rows: {of} for a control of a row: {share}");
    }
    println!("rows: all asks for a control of a row: {all}");
}

/// How many of some asks are resolved.
#[derive(Debug, Default, Clone, Copy)]
struct Share {
    asks: u32,
    resolved: u32,
}

impl Share {
    fn count(&mut self, answer: &Result<(), String>) {
        self.asks += 1;
        self.resolved += u32::from(answer.is_ok());
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
