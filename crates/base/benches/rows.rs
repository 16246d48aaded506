//! What perception makes of the rows and texts of the real screens beside the repository (`../shared`).
//!
//! `cargo bench -p tapwright-base --bench rows [-- --shared DIR] [--misses | --show SCREEN]`. Prints figures; judges nothing.
//! It needs only this crate, so that it is built in a minute. `DIR` is where the screens lie, when not beside the repository.

#[path = "../../../benches/perception/dumps.rs"]
mod dumps;
#[path = "../../../benches/perception/rows.rs"]
mod rows;
#[path = "../../../benches/perception/texts.rs"]
mod texts;

use dumps::{Dump, read_dumps, recorded};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tapwright_base::domain::Size;
use tapwright_base::hierarchy::{Screen, ScreenInput, parse};

const ROUNDS: u32 = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let shared = shared(&arguments);
    let dumps = read_dumps(&shared.join("screens"));
    if dumps.is_empty() {
        println!("skipped: {} holds no screens", shared.display());
        return;
    }
    if let Some(at) = arguments.iter().position(|argument| argument == "--show") {
        let shown = |id: &str| arguments[at + 1..].iter().any(|wanted| wanted == id);
        let states = [recorded(&shared.join("recorded")), recorded(&shared.join("recorded_train"))].concat();
        for (id, bytes) in dumps.iter().chain(&states).filter(|(id, _)| shown(id)) {
            println!("screen {id}");
            let screen = perceive(bytes);
            println!("title {:?}", screen.title);
            for widget in &screen.widgets {
                println!(
                    "  {} {} {:?} {} of {:?}",
                    widget.id, widget.role, widget.label, widget.bounds, widget.context
                );
            }
            rows::print_rows(&screen);
        }
        return;
    }
    let misses = arguments.iter().any(|argument| argument == "--misses");
    let odd = read_dumps(&shared.join("odd_dumps"));
    texts::texts("screens", &dumps, misses);
    texts::texts("screens to learn from", &read_dumps(&shared.join("training/screens")), misses);
    texts::texts("odd dumps", &odd, misses);
    let (few, more) = (recorded(&shared.join("recorded")), recorded(&shared.join("recorded_train")));
    texts::texts("recorded apps", &few, misses);
    texts::texts("more recorded apps", &more, misses);
    rows::rows(&[("screens", &dumps), ("recorded apps", &few), ("more recorded apps", &more)], misses);
    times(&dumps);
}

/// The folder behind `--shared`, else the one beside the repository.
fn shared(arguments: &[String]) -> PathBuf {
    let named = arguments.iter().position(|argument| argument == "--shared").and_then(|at| arguments.get(at + 1));
    named.map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from)
}

fn perceive(bytes: &[u8]) -> Screen {
    let display = Size::new(0, 0);
    Screen::perceive(ScreenInput {
        hierarchy: bytes,
        screenshot: None,
        display,
        foreground: None,
        keyboard_shown: false,
    })
}

/// Best of some rounds over all screens.
fn times(dumps: &[Dump]) {
    let best = |work: &dyn Fn(&[u8]) -> usize| {
        let round = || {
            let start = Instant::now();
            std::hint::black_box(dumps.iter().map(|(_, bytes)| work(bytes)).sum::<usize>());
            start.elapsed()
        };
        (0..ROUNDS).map(|_| round()).min().unwrap_or(Duration::ZERO)
    };
    let parsed = best(&|bytes| parse(bytes).nodes.len());
    let perceived = best(&|bytes| perceive(bytes).widgets.len());
    println!("{} screens: parse {parsed:.1?}, parse and perceive {perceived:.1?}", dumps.len());
}
