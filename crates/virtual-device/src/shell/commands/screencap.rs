//! `screencap [-p] [-a] [-d ID] [FILE]` (`cmds/screencap/screencap.cpp`).

use super::{Exit, Invocation};
use crate::domain::{Screenshot, Size};
use crate::faults::Fault;
use crate::system::ApiLevel;
use image::ImageEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};

const USAGE: &str = "usage: screencap [-ahp] [-d display-id] [FILENAME]\n   -h: this message\n   -a: captures all the active displays. This appends an integer postfix to the FILENAME.\n       e.g., FILENAME_0.png, FILENAME_1.png. If both -a and -d are given, it ignores -d.\n   -d: specify the display ID to capture. If the id is not given, it defaults to 4619827259835644672\n       see \"dumpsys SurfaceFlinger --display-id\" for valid display IDs.\n   -p: outputs in png format.\nIf FILENAME ends with .png it will be saved as a png.\nIf FILENAME is not given, the results will be printed to stdout.\n";

/// The display's physical id, as `dumpsys SurfaceFlinger --display-id` names it.
pub(super) const DISPLAY_ID: u64 = 4_619_827_259_835_644_672;

/// What is asked for.
#[derive(Default)]
struct Request {
    png: bool,
    file: Option<String>,
}

/// Reads the arguments; the error is what goes to stderr.
fn parse(words: &[&str]) -> Result<Request, String> {
    let mut request = Request::default();
    let mut all = false;
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "-p" => request.png = true,
            "-a" => all = true,
            "-d" => {
                let id = words.next().ok_or(USAGE)?;
                let number: u64 = id.parse().map_err(|_| "Invalid display ID: Out of range [0, 2^64).\n")?;
                if number != DISPLAY_ID {
                    return Err(format!("Display Id '{id}' is not valid.\n"));
                }
            }
            _ if word.starts_with('-') => return Err(USAGE.to_owned()),
            name => request.file = Some(name.to_owned()),
        }
    }
    request.png |= request.file.as_ref().is_some_and(|name| name.as_bytes().ends_with(b".png"));
    if all {
        let name = request.file.as_ref().ok_or(USAGE)?;
        let (stem, suffix) =
            name.rsplit_once('.').map_or((name.as_str(), String::new()), |(stem, suffix)| (stem, format!(".{suffix}")));
        request.file = Some(format!("{stem}_0{suffix}"));
    }
    Ok(request)
}

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let Request { png, file } = match parse(&invocation.rest()) {
        Ok(request) => request,
        Err(message) => {
            invocation.err(message);
            return Exit::FAILURE;
        }
    };
    let faults = &invocation.system.faults;
    if faults.strike(Fault::ScreencapFails).is_some() {
        invocation.err("Failed to take screenshot. Status: -38\nCapturing failed.\n");
        return Exit::FAILURE;
    }
    super::uiautomator::turn_screen(invocation);
    let mut system = invocation.system.lock();
    let api = system.config().api;
    let mut picture = system.screenshot();
    drop(system);
    if faults.strike(Fault::BlackScreencap).is_some() {
        picture = black(picture);
    }
    if faults.strike(Fault::OddScreencap).is_some() {
        picture = upper_half(picture);
    }
    let png = faults.strike(Fault::PngScreencap).is_some() || png;
    let bytes = if png { encode_png(&picture) } else { Ok(raw(&picture, api)) };
    let bytes = match bytes {
        Ok(mut bytes) => {
            if faults.strike(Fault::HugeScreencap).is_some() {
                claim_to_be_huge(&mut bytes, png);
            }
            if faults.strike(Fault::TruncatedScreencap).is_some() {
                bytes.truncate(bytes.len() / 2);
            }
            bytes
        }
        Err(error) => {
            invocation.err(format!("Failed to take screenshot. Status: -22\nCapturing failed. ({error})\n"));
            return Exit::FAILURE;
        }
    };
    let Some(file) = file else {
        invocation.out(bytes);
        return Exit::SUCCESS;
    };
    let path = invocation.path(&file);
    let written = invocation.system.lock().files.write(&path, bytes, 0o660);
    match written {
        Ok(()) => Exit::SUCCESS,
        Err(error) => {
            invocation.err(format!("Error opening file: {file} ({error})\n"));
            Exit::FAILURE
        }
    }
}

fn black(picture: Screenshot) -> Screenshot {
    let size = picture.size();
    Screenshot::new(size, [0, 0, 0, 255].repeat(picture.rgba().len() / 4)).unwrap_or(picture)
}

fn upper_half(picture: Screenshot) -> Screenshot {
    let size = Size::new(picture.size().width, picture.size().height / 2);
    let length = 4 * size.width as usize * size.height as usize;
    Screenshot::new(size, &picture.rgba()[..length]).unwrap_or(picture)
}

/// Changes the header's width and height, a PNG's checksum with them.
fn claim_to_be_huge(bytes: &mut [u8], png: bool) {
    const CLAIMED: u32 = 60_000;
    /// `IHDR` and its data, after the signature and the chunk's length; its checksum follows.
    const IHDR: std::ops::Range<usize> = 12..29;
    if png {
        bytes[16..20].copy_from_slice(&CLAIMED.to_be_bytes());
        bytes[20..24].copy_from_slice(&CLAIMED.to_be_bytes());
        let sum = checksum(&bytes[IHDR]);
        bytes[IHDR.end..IHDR.end + 4].copy_from_slice(&sum.to_be_bytes());
    } else {
        bytes[..4].copy_from_slice(&CLAIMED.to_le_bytes());
        bytes[4..8].copy_from_slice(&CLAIMED.to_le_bytes());
    }
}

/// CRC-32 as PNG has it.
fn checksum(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

/// Width, height, format 1 (`RGBA_8888`), from API 28 colour space 1 (sRGB), then the pixels without stride.
fn raw(picture: &Screenshot, api: ApiLevel) -> Vec<u8> {
    let size = picture.size();
    let mut words = vec![size.width, size.height, 1];
    if api.since(28) {
        words.push(1);
    }
    let mut bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    bytes.extend_from_slice(picture.rgba());
    bytes
}

/// Fast rather than small: neighbouring lines of a screen are mostly the same, so the one filter `Up` does nearly what
/// trying all of them would.
fn encode_png(picture: &Screenshot) -> Result<Vec<u8>, image::ImageError> {
    let mut bytes = Vec::new();
    let size = picture.size();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Up).write_image(
        picture.rgba(),
        size.width,
        size.height,
        image::ExtendedColorType::Rgba8,
    )?;
    Ok(bytes)
}
