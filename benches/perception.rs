//! Time and quality of parsing and perceiving on the real screens beside the repository (`../shared/screens`).
//!
//! `cargo bench --bench perception [-- --show SCREEN | --misses | --unnamed | --links | --against-lxml]`. Prints figures;
//! judges nothing. `--against-lxml` runs the same work in Python too, where `python3` has `lxml`.

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
    if arguments.iter().any(|argument| argument == "--against-lxml") {
        against_lxml(&dumps, &names);
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
    hashes(&shared, &dumps, &screens);
    kinds(&dumps, &screens);
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

/// The perceptual hash beside the structural one: how often two different screens have nearly the same picture, and how
/// often one screen (same structure) has quite another.
fn hashes(shared: &Path, dumps: &[(String, Vec<u8>)], screens: &HashMap<&str, Screen>) {
    let mut seen: Vec<(&str, u64, u64)> = Vec::new();
    let (mut black, mut time) = (0, Duration::ZERO);
    for (id, _) in dumps {
        let Ok(png) = std::fs::read(shared.join(id).join("screen.png")) else { continue };
        let Ok(picture) = tapwright::vision::decode_png(&png) else { continue };
        if picture.is_black() {
            black += 1;
            continue;
        }
        let start = Instant::now();
        let hash = picture.difference_hash();
        time += start.elapsed();
        seen.push((id, screens[id.as_str()].fingerprint.0, hash));
    }
    let (mut same, mut far, mut others, mut equal, mut close) = (0, 0, 0, Vec::new(), 0);
    for (at, (id, print, hash)) in seen.iter().enumerate() {
        for (other, other_print, other_hash) in &seen[at + 1..] {
            let bits = (hash ^ other_hash).count_ones();
            if print == other_print {
                same += 1;
                far += usize::from(bits > 10);
            } else {
                others += 1;
                close += usize::from(bits <= 4);
                if bits == 0 {
                    equal.push((*id, *other));
                }
            }
        }
    }
    println!(
        "picture hashes: {} pictures ({black} black), {:.0?} each; of {others} pairs of different structure {} share a hash {equal:?}, \
         {close} differ in 4 bits or fewer; of {same} pairs of the same structure {far} differ in more than 10",
        seen.len(),
        time / seen.len().max(1) as u32,
        equal.len()
    );
}

fn kinds(dumps: &[(String, Vec<u8>)], screens: &HashMap<&str, Screen>) {
    let mut counts: std::collections::BTreeMap<String, Vec<&str>> = std::collections::BTreeMap::new();
    for (id, _) in dumps {
        counts.entry(screens[id.as_str()].kind.to_string()).or_default().push(id);
    }
    for (kind, ids) in &counts {
        let shown: Vec<&str> = ids.iter().take(12).copied().collect();
        println!("kind {kind}: {} {shown:?}", ids.len());
    }
}

/// Parse + filter to the XUAT form, here and with Python's lxml, turn by turn in the same call.
fn against_lxml(dumps: &[(String, Vec<u8>)], names: &[PathBuf]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/against_lxml.py");
    let mut ratios = Vec::new();
    let (mut ours_ms, mut theirs_ms) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let lines: usize = dumps.iter().map(|(_, bytes)| perceive(bytes).xuat().lines().count()).sum();
        let ours = start.elapsed().as_secs_f64() * 1000.0;
        let said = match std::process::Command::new("python3").arg(&script).arg("2").args(names).output() {
            Ok(said) if said.status.success() => String::from_utf8_lossy(&said.stdout).into_owned(),
            Ok(said) => {
                let complaint = String::from_utf8_lossy(&said.stderr).into_owned();
                println!("skipped: {}", complaint.lines().last().unwrap_or("python3 failed"));
                return;
            }
            Err(error) => {
                println!("skipped: python3 cannot be run ({error})");
                return;
            }
        };
        // The second round, with everything imported and warm.
        let last = said.lines().last().and_then(|line| serde_json::from_str::<Value>(line).ok()).unwrap_or_default();
        let Some(theirs) = last["ms"].as_f64() else {
            println!("skipped: {} printed no time", script.display());
            return;
        };
        println!(
            "  ours {ours:.1} ms ({lines} lines, widgets included), lxml {theirs:.1} ms ({} lines)",
            last["lines"]
        );
        ratios.push(theirs / ours);
        ours_ms.push(ours);
        theirs_ms.push(theirs);
    }
    for values in [&mut ratios, &mut ours_ms, &mut theirs_ms] {
        values.sort_by(f64::total_cmp);
    }
    let middle = |values: &[f64]| values.get(values.len() / 2).copied().unwrap_or_default();
    println!(
        "parse + perceive + filter of {} dumps: ours {:.1} ms, Python with lxml {:.1} ms, ratio {:.1} ({:.1} to {:.1} over {ROUNDS} rounds)",
        dumps.len(),
        middle(&ours_ms),
        middle(&theirs_ms),
        middle(&ratios),
        ratios.first().copied().unwrap_or_default(),
        ratios.last().copied().unwrap_or_default()
    );
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
        tapwright::vision::find_links(&mut screen, &[], None);
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
