//! Time and quality of parsing and perceiving on the real screens beside the repository (`../shared/screens`).
//!
//! `cargo bench --bench perception [-- --show SCREEN | --misses | --unnamed | --splits | --links | --against-lxml]`. Prints figures;
//! judges nothing. `cargo bench -p tapwright-base --bench rows` prints those of texts and rows alone, built in a fraction of the time. `--against-lxml` runs the same work in Python too, where `python3` has `lxml`.

#[path = "perception/dumps.rs"]
mod dumps;
#[path = "perception/fingerprints.rs"]
mod fingerprints;
#[path = "perception/rows.rs"]
mod rows;
#[path = "perception/texts.rs"]
mod texts;

use dumps::{Dump, read_dumps, recorded};
use fingerprints::{false_splits, fingerprints, recorded_collisions};
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tapwright::domain::{Point, Rect, Size};
use tapwright::hierarchy::{Role, Screen, ScreenInput, Widget, parse, xuat_filter};

const ROUNDS: u32 = 5;
/// Passes of which the best counts, where two programs are compared on a busy machine.
const PASSES: u32 = 4;

fn main() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/screens");
    let dumps = read_dumps(&shared);
    if dumps.is_empty() {
        println!("skipped: {} holds no screens", shared.display());
        return;
    }
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [show, id] = arguments.as_slice()
        && show == "--show"
    {
        for (_, bytes) in dumps.iter().filter(|(name, _)| name == id) {
            let screen = perceive(bytes);
            print_screen(&screen);
            rows::print_rows(&screen);
        }
        return;
    }
    if arguments.iter().any(|argument| argument == "--against-lxml") {
        let names: Vec<PathBuf> = dumps.iter().map(|(id, _)| shared.join(id).join("hierarchy.xml")).collect();
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
    false_splits(&dumps, &screens, arguments.iter().any(|a| a == "--splits"));
    recorded_collisions(&shared.join("../recorded"), arguments.iter().any(|a| a == "--splits"));
    hashes(&shared, &dumps, &screens);
    kinds(&dumps, &screens);
    links(&shared, &dumps, arguments.iter().any(|a| a == "--links"));
    let misses = arguments.iter().any(|a| a == "--misses");
    texts::texts("screens", &dumps, misses);
    let (few, more) = (recorded(&shared.join("../recorded")), recorded(&shared.join("../recorded_train")));
    rows::rows(&[("screens", &dumps), ("recorded apps", &few), ("more recorded apps", &more)], misses);
    if let Ok(labels) = std::fs::read_to_string(shared.join("labels.jsonl")) {
        targets("screens", &labels, &screens, misses);
    }
    let training = shared.join("../training");
    if let Ok(labels) = std::fs::read_to_string(training.join("labels.jsonl")) {
        let more = read_dumps(&training.join("screens"));
        let screens = more.iter().map(|(id, bytes)| (id.as_str(), perceive(bytes))).collect();
        targets("training screens", &labels, &screens, misses);
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
    measure("XUAT's filter", &|bytes| xuat_filter(bytes).len());
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

/// XUAT's filter of every dump, here and with Python's lxml, turn by turn in the same call, the best of some passes on
/// either side; both must print the same.
fn against_lxml(dumps: &[(String, Vec<u8>)], names: &[PathBuf]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/against_lxml.py");
    let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join("against_lxml.txt");
    let mut rounds: Vec<[f64; 4]> = Vec::new();
    for round in 0..=ROUNDS {
        let mut filtered: Vec<String> = Vec::new();
        let (mut nodes, mut parsed, mut ours) = (0, f64::MAX, f64::MAX);
        for _ in 0..PASSES {
            let start = Instant::now();
            nodes = dumps.iter().map(|(_, bytes)| parse(bytes).nodes.len()).sum();
            parsed = parsed.min(start.elapsed().as_secs_f64() * 1000.0);
            filtered.clear();
            let start = Instant::now();
            filtered.extend(dumps.iter().map(|(_, bytes)| xuat_filter(bytes)));
            ours = ours.min(start.elapsed().as_secs_f64() * 1000.0);
        }
        let said = match std::process::Command::new("python3")
            .arg(&script)
            .arg(PASSES.to_string())
            .arg(&output)
            .args(names)
            .output()
        {
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
        let passes: Vec<Value> = said.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let best = |name: &str| passes.iter().filter_map(|pass| pass[name].as_f64()).min_by(f64::total_cmp);
        let (Some(theirs), Some(their_parse)) = (best("ms"), best("parse_ms")) else {
            println!("skipped: {} printed no time", script.display());
            return;
        };
        if round == 0 {
            let written = std::fs::read_to_string(&output).unwrap_or_default();
            let same = written == filtered.iter().flat_map(|text| [text.as_str(), "\n"]).collect::<String>();
            let lines: usize = filtered.iter().map(|text| text.lines().count()).sum();
            println!(
                "{} dumps, {nodes} nodes, {lines} lines, {} bytes; the two outputs are {}",
                dumps.len(),
                written.len(),
                if same { "equal byte by byte" } else { "NOT THE SAME: the ratio means nothing" }
            );
            continue;
        }
        println!(
            "  ours {ours:.1} ms (the whole tree instead: {parsed:.1} ms), lxml {theirs:.1} ms (parsing alone {their_parse:.1} ms)"
        );
        rounds.push([theirs / ours, ours, theirs, their_parse / parsed]);
    }
    let sorted = |at: usize| {
        let mut values: Vec<f64> = rounds.iter().map(|round| round[at]).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let [ratios, ours, theirs, parses] = [0, 1, 2, 3].map(sorted);
    let middle = rounds.len() / 2;
    println!(
        "parse + filter: ours {:.1} ms, Python with lxml {:.1} ms, ratio {:.1} ({:.1} to {:.1} over {ROUNDS} rounds); \
         parsing alone, our tree against theirs: {:.1}",
        ours[middle],
        theirs[middle],
        ratios[middle],
        ratios[0],
        ratios[ratios.len() - 1],
        parses[middle]
    );
}

/// How many of the labelled targets are there to be used, and how many are shown at all: a text that says nothing of
/// being touchable may still be (a parent's listener).
fn targets(of: &str, labels: &str, screens: &HashMap<&str, Screen>, list: bool) {
    let rect = |value: &Value| serde_json::from_value::<Rect>(value.clone()).ok();
    let (mut all, mut hit, mut shown) = (0_usize, 0, 0);
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
            "long_press" => widget.long_clickable || widget.clickable,
            _ => widget.clickable || !matches!(widget.role, Role::Text | Role::Image | Role::List),
        };
        if !matches!(skill, "click" | "long_press" | "input_text") {
            continue;
        }
        all += 1;
        let found = screen.widgets.iter().any(|widget| able(widget) && fits(widget));
        let near = screen.widgets.iter().find(|widget| fits(widget));
        hit += usize::from(found);
        shown += usize::from(found || near.is_some());
        if !found && list {
            let near = near.map(|widget| (widget.role.to_string(), &widget.label));
            println!("  miss {} {skill} {bounds} {} (shown as {near:?})", label["id"], label["instruction"]);
        }
    }
    let share = |count: usize| 100.0 * count as f64 / all.max(1) as f64;
    println!(
        "{of}: labelled targets with a usable widget: {hit} of {all} ({:.1} %), with any widget: {shown} ({:.1} %)",
        share(hit),
        share(shown)
    );
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
