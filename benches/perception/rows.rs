//! Asks for "the control of that row" on real screens: each names a title and a control by their bounds.

use super::{Dump, perceive};
use tapwright_base::domain::Rect;
use tapwright_base::hierarchy::{Role, Row, Screen, Widget};

/// By hand, from the dumps: those the recogniser was made with, and those written when it was done.
const ASKS: [(&str, &str); 2] =
    [("asks", include_str!("row_asks.txt")), ("later asks", include_str!("row_asks_later.txt"))];

/// Prints the share of asks whose control belongs to the row of that title, and lists the others where `list` is set.
pub(super) fn rows(dumps: &[Dump], list: bool) {
    let screens: Vec<(&str, Screen)> = dumps.iter().map(|(id, bytes)| (id.as_str(), perceive(bytes))).collect();
    let found: usize = screens.iter().map(|(_, screen)| screen.rows.len()).sum();
    let with = screens.iter().filter(|(_, screen)| !screen.rows.is_empty()).count();
    println!("rows: {found} on {with} of {} screens", screens.len());
    for (of, written) in ASKS {
        let (mut asks, mut resolved) = (0, 0);
        for (id, title, control) in written.lines().flat_map(parse) {
            let Some((_, screen)) = screens.iter().find(|(name, _)| *name == id) else { continue };
            asks += 1;
            match answer(screen, title, control) {
                Ok(()) => resolved += 1,
                Err(why) if list => println!("  miss {id} {title} {control}: {why}"),
                Err(_) => {}
            }
        }
        let share = 100.0 * f64::from(resolved) / f64::from(asks.max(1));
        println!("rows: {of} for a control of a row: {resolved} of {asks} resolved ({share:.1} %)");
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
    let inner =
        screen.widgets.iter().any(|other| other.id != widget.id && other.clickable && other.bounds.encloses(title));
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
