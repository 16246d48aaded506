//! `screencap [-p] [FILE]` (`cmds/screencap/screencap.cpp`).

use super::{Exit, Invocation};
use crate::domain::Screenshot;
use crate::virtual_device::faults::Fault;
use crate::virtual_device::system::ApiLevel;
use image::ImageEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};

const USAGE: &str = "usage: screencap [-hp] [-d display-id] [FILENAME]\n   -h: this message\n   -p: outputs in png format.\n   -d: specify the display ID to capture\nIf FILENAME ends with .png it will be saved as a png.\nIf FILENAME is not given, the results will be printed to stdout.\n";

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let mut png = false;
    let mut file = None;
    let rest = invocation.rest();
    let mut words = rest.iter();
    while let Some(&word) = words.next() {
        match word {
            "-p" => png = true,
            // One display, whatever its id.
            "-d" if words.next().is_some() => {}
            _ if word.starts_with('-') => {
                invocation.err(USAGE);
                return Exit::FAILURE;
            }
            name => file = Some(name),
        }
    }
    png |= file.is_some_and(|name| name.as_bytes().ends_with(b".png"));
    let faults = &invocation.system.faults;
    if faults.strike(Fault::ScreencapFails).is_some() {
        invocation.err("Failed to take screenshot. Status: -38\nCapturing failed.\n");
        return Exit::FAILURE;
    }
    super::uiautomator::turn_screen(invocation);
    let mut system = invocation.system.lock();
    let api = system.config().api;
    let mut picture = system.front_process().render();
    drop(system);
    if faults.strike(Fault::BlackScreencap).is_some() {
        picture = black(picture);
    }
    let bytes = if png { encode_png(&picture) } else { Ok(raw(&picture, api)) };
    let bytes = match bytes {
        Ok(mut bytes) => {
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
    let path = invocation.path(file);
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

fn encode_png(picture: &Screenshot) -> Result<Vec<u8>, image::ImageError> {
    let mut bytes = Vec::new();
    let size = picture.size();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Adaptive).write_image(
        picture.rgba(),
        size.width,
        size.height,
        image::ExtendedColorType::Rgba8,
    )?;
    Ok(bytes)
}
