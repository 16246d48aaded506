//! Time and quality of parsing and perceiving on the real screens beside the repository (`../shared/screens`).
//!
//! `cargo bench --bench perception [-- --show SCREEN | --misses | --unnamed | --links]`. Prints figures; judges nothing.

use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tapwright::domain::{Point, Rect, Size};
use tapwright::hierarchy::{Role, Screen, ScreenInput, Widget, parse};

const ROUNDS: u32 = 5;

fn main() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/screens");
    let mut names: Vec<PathBuf> = match std::fs::read_dir(&shared) {
        Ok(entries) => {
            entries.flatten().map(|entry| entry.path().join("hierarchy.xml")).filter(|p| p.exists()).collect()
        }
        Err(error) => {
            println!("skipped: {} cannot be read ({error})", shared.display());
            return;
        }
    };
    names.sort();
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let dumps: Vec<(String, Vec<u8>)> = names
        .iter()
        .filter_map(|path| {
            let id = path.parent()?.file_name()?.to_string_lossy().into_owned();
            Some((id, std::fs::read(path).ok()?))
        })
        .collect();
    if let [show, id] = arguments.as_slice()
        && show == "--show"
    {
        dumps.iter().filter(|(name, _)| name == id).for_each(|(_, bytes)| print_screen(&perceive(bytes)));
        return;
    }
    times("real screens", &dumps);
    if let Ok(bytes) = std::fs::read(shared.join("../odd_dumps/034.xml")) {
        times("largest odd dump", &[("034".to_owned(), bytes)]);
    }
    times("hostile", &hostile());
    let screens: HashMap<&str, Screen> = dumps.iter().map(|(id, bytes)| (id.as_str(), perceive(bytes))).collect();
    names_and_sizes(&dumps, &screens, arguments.iter().any(|a| a == "--unnamed"));
    selectors(&screens);
    fingerprints(&dumps, &screens);
    links(&shared, &dumps, arguments.iter().any(|a| a == "--links"));
    if let Ok(labels) = std::fs::read_to_string(shared.join("labels.jsonl")) {
        targets(&labels, &screens, arguments.iter().any(|a| a == "--misses"));
    }
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

fn times(of: &str, dumps: &[(String, Vec<u8>)]) {
    let measure = |what: &str, work: &dyn Fn(&[u8]) -> usize| {
        let mut times: Vec<(Duration, &str, usize)> = dumps
            .iter()
            .map(|(id, bytes)| {
                let best = (0..ROUNDS)
                    .map(|_| {
                        let start = Instant::now();
                        std::hint::black_box(work(bytes));
                        start.elapsed()
                    })
                    .min()
                    .unwrap_or_default();
                (best, id.as_str(), bytes.len())
            })
            .collect();
        times.sort();
        let sum: Duration = times.iter().map(|(time, _, _)| *time).sum();
        let bytes: usize = times.iter().map(|(_, _, bytes)| bytes).sum();
        if let (Some(middle), Some(worst)) = (times.get(times.len() / 2), times.last()) {
            println!(
                "{of}: {what}: {} screens, {} KB in {sum:.1?} ({:.0} MB/s); median {:.0?}, slowest {:.0?} ({}, {} KB)",
                times.len(),
                bytes / 1024,
                bytes as f64 / 1e6 / sum.as_secs_f64(),
                middle.0,
                worst.0,
                worst.1,
                worst.2 / 1024
            );
        }
    };
    measure("parse", &|bytes| parse(bytes).nodes.len());
    measure("parse + perceive", &|bytes| perceive(bytes).widgets.len());
}

/// As many nodes as are kept: equal buttons side by side, unnamed ones, fields between texts, and deep chains of them.
fn hostile() -> Vec<(String, Vec<u8>)> {
    let button = "<node class=\"android.widget.Button\" text=\"Pay\" clickable=\"true\" bounds=\"[0,0][90,90]\"/>";
    let unnamed = "<node class=\"android.view.View\" clickable=\"true\" bounds=\"[5,5][90,90]\"/>";
    let field = "<node class=\"android.widget.EditText\" clickable=\"true\" bounds=\"[0,0][90,90]\"/><node text=\"Name\" bounds=\"[0,0][80,80]\"/>";
    let open = "<node class=\"android.view.View\" text=\"Some words\" clickable=\"true\" bounds=\"[0,0][90,90]\">";
    let chain = format!("{}{}", open.repeat(190), "</node>".repeat(190));
    [
        ("equal", button.repeat(20_000)),
        ("unnamed", unnamed.repeat(20_000)),
        ("fields", field.repeat(10_000)),
        ("chains", chain.repeat(105)),
    ]
    .into_iter()
    .map(|(name, nodes)| {
        let root = "<hierarchy><node class=\"android.widget.FrameLayout\" bounds=\"[0,0][1080,2400]\">";
        (name.to_owned(), format!("{root}{nodes}</node></hierarchy>").into_bytes())
    })
    .collect()
}

fn names_and_sizes(dumps: &[(String, Vec<u8>)], screens: &HashMap<&str, Screen>, list: bool) {
    let (mut nodes, mut widgets, mut clickable, mut unnamed, mut untitled, mut same_twice) = (0, 0, 0, 0, 0, 0);
    let (mut raw, mut filtered) = (0, 0);
    for (id, bytes) in dumps {
        let screen = &screens[id.as_str()];
        raw += bytes.len();
        filtered += screen.xuat().len();
        nodes += screen.tree.nodes.len();
        widgets += screen.widgets.len();
        untitled += usize::from(screen.title.is_empty());
        let mut said: HashMap<(&str, &str, Role), usize> = HashMap::new();
        for widget in screen.widgets.iter().filter(|widget| widget.clickable) {
            clickable += 1;
            *said.entry((&widget.label, &widget.context, widget.role)).or_default() += 1;
            if widget.label.is_empty() {
                unnamed += 1;
                if list {
                    println!("  unnamed {id} {} {} context {:?}", widget.class, widget.bounds, widget.context);
                }
            }
        }
        same_twice += said.values().filter(|count| **count > 1).sum::<usize>();
    }
    println!(
        "{nodes} nodes → {widgets} widgets, {clickable} clickable, {unnamed} of them without a label ({:.1} %)",
        100.0 * f64::from(unnamed) / f64::from(clickable)
    );
    println!(
        "clickable widgets that share label, context and role with another: {same_twice}; screens without a title: {untitled}"
    );
    println!("XUAT form: {filtered} of {raw} bytes ({:.1} %)", 100.0 * filtered as f64 / raw as f64);
}

fn selectors(screens: &HashMap<&str, Screen>) {
    let (mut all, mut again, mut by_first) = (0, 0, 0);
    for screen in screens.values() {
        for widget in &screen.widgets {
            all += 1;
            if let Some((found, locator)) = screen.resolve(&widget.selector) {
                again += usize::from(found.id == widget.id);
                by_first += usize::from(found.id == widget.id && locator == 0);
            }
        }
    }
    println!("selectors: {again} of {all} find their own widget again, {by_first} by their first locator");
}

fn fingerprints(dumps: &[(String, Vec<u8>)], screens: &HashMap<&str, Screen>) {
    let mut by_print: HashMap<u64, Vec<&str>> = HashMap::new();
    for (id, _) in dumps {
        by_print.entry(screens[id.as_str()].fingerprint.0).or_default().push(id);
    }
    let mut shared: Vec<&Vec<&str>> = by_print.values().filter(|ids| ids.len() > 1).collect();
    shared.sort();
    println!("fingerprints: {} of {} screens; shared by: {shared:?}", by_print.len(), dumps.len());
}

fn targets(labels: &str, screens: &HashMap<&str, Screen>, list: bool) {
    let rect = |value: &Value| serde_json::from_value::<Rect>(value.clone()).ok();
    let (mut all, mut hit) = (0, 0);
    for label in labels.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let Some(screen) = label["screen"].as_str().and_then(|id| screens.get(id)) else { continue };
        let Some(bounds) = rect(&label["bounds"]) else { continue };
        let mut accepted = vec![bounds];
        accepted.extend(label["also_ok"].as_array().into_iter().flatten().filter_map(rect));
        let skill = label["skill"].as_str().unwrap_or_default();
        let fits = |widget: &Widget| {
            accepted.contains(&widget.bounds) || accepted.iter().any(|bounds| holds(*bounds, widget.tap))
        };
        let able = |widget: &Widget| match skill {
            "input_text" => widget.role == Role::Field,
            "scroll" => widget.scrollable,
            "long_press" => widget.long_clickable || widget.clickable,
            _ => widget.clickable || widget.role == Role::Field,
        };
        all += 1;
        let found = screen.widgets.iter().any(|widget| able(widget) && fits(widget));
        hit += usize::from(found);
        if !found && list {
            let shown = screen.widgets.iter().find(|widget| fits(widget)).map(|widget| widget.role.to_string());
            println!("  miss {} {skill} {bounds} {} (shown as {shown:?})", label["id"], label["instruction"]);
        }
    }
    println!("labelled targets with a fitting widget: {hit} of {all}");
}

/// Links found in the pictures: hits of the known ones, and all found, for a person to judge.
fn links(shared: &Path, dumps: &[(String, Vec<u8>)], list: bool) {
    let known = std::fs::read_to_string(shared.join("links.jsonl")).unwrap_or_default();
    let known: HashMap<String, Vec<Vec<Rect>>> = known
        .lines()
        .filter_map(|line| {
            let value: Value = serde_json::from_str(line).ok()?;
            let boxes = |link: &Value| serde_json::from_value::<Vec<Rect>>(link["boxes"].clone()).ok();
            Some((value["screen"].as_str()?.to_owned(), value["links"].as_array()?.iter().filter_map(boxes).collect()))
        })
        .collect();
    let (mut pictures, mut found, mut wanted, mut hits, mut overlap) = (0, 0, 0, 0, 0.0);
    let mut times: Vec<Duration> = Vec::new();
    for (id, bytes) in dumps {
        let Ok(png) = std::fs::read(shared.join(id).join("screen.png")) else { continue };
        let picture = match tapwright::vision::decode_png(&png) {
            Ok(picture) => picture,
            Err(error) => {
                println!("  {id}: {error}");
                continue;
            }
        };
        pictures += 1;
        let mut screen = perceive(bytes);
        screen.display = picture.size();
        screen.screenshot = Some(picture);
        let start = Instant::now();
        tapwright::vision::find_links(&mut screen, &[]);
        times.push(start.elapsed());
        let links: Vec<&Widget> = screen.widgets.iter().filter(|widget| widget.role == Role::Link).collect();
        found += links.len();
        if list {
            for link in &links {
                println!("  link {id} {:?} {:?} in {:?}", link.label, link.links, link.context);
            }
        }
        for boxes in known.get(id).into_iter().flatten() {
            wanted += 1;
            let best = links.iter().find(|link| boxes.iter().any(|b| b.contains(link.tap)));
            hits += usize::from(best.is_some());
            overlap += best.map_or(0.0, |link| {
                boxes
                    .iter()
                    .map(|b| {
                        let both = b.intersection(link.bounds).map_or(0, Rect::area) as f64;
                        both / ((b.area() + link.bounds.area()) as f64 - both)
                    })
                    .fold(0.0, f64::max)
            });
        }
    }
    times.sort();
    println!(
        "links: {pictures} pictures, {found} links found; {hits} of {wanted} known ones hit, mean IoU {:.2}; a screen {:.1?} in the middle, {:.1?} at most",
        overlap / f64::from(wanted.max(1)),
        times.get(times.len() / 2).copied().unwrap_or_default(),
        times.last().copied().unwrap_or_default()
    );
}

fn holds(bounds: Rect, point: Point) -> bool {
    bounds.contains(point)
}

fn print_screen(screen: &Screen) {
    println!("title {:?} fingerprint {} scroll {:?}", screen.title, screen.fingerprint, screen.scroll_areas);
    for diagnostic in &screen.tree.diagnostics {
        println!("! {}", diagnostic.message);
    }
    for w in &screen.widgets {
        let mark = if w.clickable { '*' } else { ' ' };
        let checked = w.state.checked.map_or("", |checked| if checked { " [x]" } else { " [ ]" });
        println!(
            "{:3}{mark}{:12} {:?} ⟨{}⟩ value {:?}{checked} {} tap {} | {} {}",
            w.id,
            w.role.to_string(),
            w.label,
            w.context,
            w.value,
            w.bounds,
            w.tap,
            w.class,
            w.selector
        );
    }
}
