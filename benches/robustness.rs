//! The fuzz targets' checks on a stable toolchain: fixtures are mutated for some minutes and read.
//!
//! `cargo bench --bench robustness [--profile dev] [-- --minutes N] [--seed N]` (one minute unless told; the dev profile
//! checks arithmetic too). Ends with 1 at the first panic, broken promise or input that takes longer than two seconds;
//! that input is kept in `target/robustness/`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tapwright::adb::reply::parse_picture;
use tapwright::domain::{Screenshot, Size};
use tapwright::hierarchy::{Screen, ScreenInput, parse, serialise, xuat_filter};
use tapwright::vision::{decode_png, encode_png};

/// Larger fixtures are cut to it, so that a minute holds many inputs.
const MOST_BYTES: usize = 48 * 1024;
/// No input of this size may take longer.
const SLOW: Duration = Duration::from_secs(2);

/// What breaks parsers of dumps and of PNG.
const WORDS: &[&[u8]] = &[
    b"<node",
    b"</node>",
    b"/>",
    b"<hierarchy>",
    b"</hierarchy>",
    b"<displays><display id=\"0\"><window type=\"TYPE_INPUT_METHOD\">",
    b"bounds=\"[2147483647,-2147483648][-1,99999999999]\"",
    b"bounds=\"[0,0][0,0]\"",
    b"clickable=\"true\" ",
    b"scrollable=\"true\" ",
    b"class=\"android.widget.EditText\" ",
    b"drawing-order=\"-1\" ",
    b"&#0;",
    b"&#xD800;",
    b"&amp",
    b"<![CDATA[",
    b"<!--",
    b"<!DOCTYPE x [<!ENTITY a \"aaaa\">]>&a;",
    b"\xEF\xBB\xBF",
    b"\xFF\xFE",
    b"\xFE\xFF",
    b"\0",
    b"\xED\xA0\x80",
    b"'",
    b"\"",
    b"IHDR",
    b"IDAT",
    b"IEND",
    b"tRNS",
    b"PLTE",
    b"\xFF\xFF\xFF\xFF",
    b"\x7F\xFF\xFF\xFF",
    b"\x00\x00\x00\x00",
];

/// xorshift64*: the same inputs for the same seed, everywhere.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, limit: usize) -> usize {
        if limit == 0 { 0 } else { (self.next() % limit as u64) as usize }
    }

    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length);
        start..(start + 1 + self.below(64)).min(length)
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1)?.parse::<f64>().ok()
    };
    let minutes = number("--minutes").unwrap_or(1.0);
    let seed = number("--seed").unwrap_or(1.0) as u64;
    let dumps = dumps();
    let pictures = pictures();
    println!("{} dumps, {} pictures, seed {seed}, {minutes} minutes", dumps.len(), pictures.len());
    let mut chance = Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (mut read, mut nodes, mut decoded, mut slowest) = ([0_u64; 2], 0_u64, 0_u64, [Duration::ZERO; 2]);
    let started = Instant::now();
    while started.elapsed().as_secs_f64() < 60.0 * minutes {
        // Dumps are the harder half.
        let dump = chance.below(3) > 0;
        let input = mutated(if dump { &dumps } else { &pictures }, &mut chance);
        let begun = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| if dump { check_dump(&input) } else { check_picture(&input) }));
        let took = begun.elapsed();
        let kind = usize::from(!dump);
        read[kind] += 1;
        slowest[kind] = slowest[kind].max(took);
        match outcome {
            Ok(Ok(count)) if took <= SLOW => {
                if dump {
                    nodes += count;
                } else {
                    decoded += count;
                }
            }
            Ok(Ok(_)) => return keep(&input, &format!("took {took:?}")),
            Ok(Err(reason)) => return keep(&input, &reason),
            Err(_) => return keep(&input, "panicked"),
        }
    }
    println!(
        "clean: {} dumps ({nodes} nodes kept, slowest {:.0?}) and {} pictures ({decoded} decoded, slowest {:.0?}) in {:.0?}",
        read[0],
        slowest[0],
        read[1],
        slowest[1],
        started.elapsed()
    );
    ExitCode::SUCCESS
}

/// The number of nodes, or the promise that was broken.
fn check_dump(bytes: &[u8]) -> Result<u64, String> {
    let tree = parse(bytes);
    if tree.nodes.iter().enumerate().any(|(index, node)| node.parent.is_some_and(|parent| parent >= index)) {
        return Err("a parent does not stand before its child".to_owned());
    }
    let again = parse(serialise(&tree).as_bytes());
    if again.nodes.len() != tree.nodes.len() {
        return Err(format!("{} nodes were kept, {} of them read again", tree.nodes.len(), again.nodes.len()));
    }
    let screen = Screen::perceive(ScreenInput {
        hierarchy: bytes,
        screenshot: None,
        display: Size::new(1080, 2400),
        foreground: None,
        keyboard_shown: false,
    });
    if screen.widgets.iter().any(|widget| widget.bounds.is_empty()) {
        return Err("a widget without an area".to_owned());
    }
    let _ = screen.xuat();
    let _ = xuat_filter(bytes);
    Ok(tree.nodes.len() as u64)
}

/// How many decoders took it, or the promise that was broken.
fn check_picture(bytes: &[u8]) -> Result<u64, String> {
    let mut taken = 0;
    for picture in [decode_png(bytes).ok(), parse_picture(bytes).ok()].into_iter().flatten() {
        let Size { width, height } = picture.size();
        if picture.rgba().len() as u64 != 4 * u64::from(width) * u64::from(height) {
            return Err(format!("{width}×{height} with {} bytes", picture.rgba().len()));
        }
        taken += 1;
    }
    Ok(taken)
}

fn mutated(fixtures: &[Vec<u8>], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = fixtures[chance.below(fixtures.len())].clone();
    for _ in 0..=chance.below(8) {
        let length = bytes.len();
        match chance.below(8) {
            0 | 1 => {
                let at = chance.below(length);
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << (chance.next() % 8);
                }
            }
            2 => {
                let word = WORDS[chance.below(WORDS.len())];
                let at = chance.below(length + 1);
                bytes.splice(at..at, word.iter().copied());
            }
            3 => {
                let range = chance.range(length);
                bytes.drain(range);
            }
            4 => {
                let range = chance.range(length);
                let copy = bytes[range].to_vec();
                let at = chance.below(length + 1);
                for _ in 0..=chance.below(6) {
                    bytes.splice(at..at, copy.iter().copied());
                }
            }
            5 => bytes.truncate(chance.below(length + 1)),
            6 => {
                let other = &fixtures[chance.below(fixtures.len())];
                let (from, at) = (chance.below(other.len()), chance.below(length + 1));
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
                bytes.truncate(MOST_BYTES);
            }
            _ => {
                for byte in &mut bytes[chance.range(length)] {
                    *byte = chance.next() as u8;
                }
            }
        }
    }
    bytes
}

fn keep(input: &[u8], reason: &str) -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/robustness");
    let file = folder.join(format!("input-{}", input.len()));
    let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, input));
    println!("FOUND: {reason}; {} ({written:?})", file.display());
    ExitCode::FAILURE
}

/// Real dumps where they lie beside the repository, and some of our own.
fn dumps() -> Vec<Vec<u8>> {
    let plain = concat!(
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">",
        "<node index=\"0\" text=\"\" class=\"android.widget.FrameLayout\" package=\"a.b\" bounds=\"[0,0][1080,2400]\">",
        "<node index=\"0\" text=\"Pay &amp; go\" resource-id=\"a.b:id/pay\" class=\"android.widget.Button\" package=\"a.b\" ",
        "content-desc='say \"pay\"' clickable=\"true\" enabled=\"true\" bounds=\"[10,20][300,90]\" drawing-order=\"2\" />",
        "<node index=\"1\" text=\"\" class=\"android.widget.EditText\" package=\"a.b\" clickable=\"true\" hint=\"Name\" ",
        "bounds=\"[10,120][300,190]\" /></node></hierarchy>"
    );
    let utf16: Vec<u8> = [0xFF, 0xFE].into_iter().chain(plain.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let mut dumps = vec![plain.as_bytes().to_vec(), utf16];
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let mut files = Vec::new();
    for (folder, inner) in [("screens", "hierarchy.xml"), ("odd_dumps", "")] {
        let entries = std::fs::read_dir(shared.join(folder)).into_iter().flatten().flatten();
        files.extend(entries.map(|entry| if inner.is_empty() { entry.path() } else { entry.path().join(inner) }));
    }
    files.sort();
    for mut bytes in files.into_iter().filter_map(|file| std::fs::read(file).ok()) {
        bytes.truncate(MOST_BYTES);
        dumps.push(bytes);
    }
    dumps
}

/// Small pictures as PNG and raw, both headers.
fn pictures() -> Vec<Vec<u8>> {
    let mut pictures = Vec::new();
    for (width, height) in [(1, 1), (7, 5), (40, 90)] {
        let pixels: Vec<u8> = (0..4 * width * height).map(|n| (n * 7 % 251) as u8).collect();
        for format in [1_u32, 2] {
            for extra in [&[][..], &[0_u32][..]] {
                let header = [width, height, format].into_iter().chain(extra.iter().copied());
                let raw: Vec<u8> = header.flat_map(u32::to_le_bytes).chain(pixels.iter().copied()).collect();
                pictures.push(raw);
            }
        }
        if let Some(png) = Screenshot::new(Size::new(width, height), pixels).and_then(|p| encode_png(&p).ok()) {
            pictures.push([b"[Warning] Multiple displays were found\n".as_slice(), &png].concat());
            pictures.push(png);
        }
    }
    pictures
}
