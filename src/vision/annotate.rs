//! A picture of a screen with numbered boxes, for people.

use super::link_widget::Scale;
use crate::domain::{Rect, Screenshot, Size};
use crate::hierarchy::{Role, Screen};
use image::{Rgba, RgbaImage};
use imageproc::drawing::{draw_filled_rect_mut, draw_hollow_rect_mut};

/// Digits 0–9, five columns by seven rows; the lowest five bits of each row, leftmost highest.
const DIGITS: [[u8; 7]; 10] = [
    [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
    [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
    [0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110],
    [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
    [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
    [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
    [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
    [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
    [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
];

/// Draws every widget's box with its id over the screenshot, or over grey where there is none (or one of another
/// shape). `None` only for a screen without a size. The picture has the screenshot's size.
pub fn annotate(screen: &Screen) -> Option<Screenshot> {
    let fitting = screen
        .screenshot
        .as_ref()
        .and_then(|picture| Scale::between(screen.display, picture.size()).map(|scale| (picture, scale)));
    let (size, scale) = match fitting {
        Some((picture, scale)) => (picture.size(), scale),
        None => (screen.display, Scale::between(screen.display, screen.display)?),
    };
    let mut canvas = match fitting.and_then(|(p, _)| RgbaImage::from_raw(size.width, size.height, p.rgba().to_vec())) {
        Some(canvas) => canvas,
        None => RgbaImage::from_pixel(size.width, size.height, Rgba([0xE6, 0xE6, 0xE6, 0xFF])),
    };
    let dot = (size.width.max(size.height) / 600).max(1) as i32;
    let boxes: Vec<(usize, Rect, Rgba<u8>)> = screen
        .widgets
        .iter()
        .filter(|widget| widget.role != Role::List)
        .filter_map(|widget| {
            let area = scale.to_picture(widget.bounds).intersection(size.rect())?;
            Some((widget.id, area, colour(widget.role)))
        })
        .collect();
    for (_, area, colour) in &boxes {
        for inset in 0..=dot {
            frame(&mut canvas, *area, inset, *colour);
        }
    }
    // Numbers last, so that no box runs through one.
    for (id, area, colour) in &boxes {
        let tag = tag_place(*id, *area, dot, size, &boxes);
        number(&mut canvas, *id, tag, dot, *colour);
    }
    Screenshot::new(Size::new(canvas.width(), canvas.height()), canvas.into_raw())
}

fn colour(role: Role) -> Rgba<u8> {
    Rgba(match role {
        Role::Text | Role::Image => [0x75, 0x75, 0x75, 0xFF],
        Role::Field => [0x1B, 0x7F, 0x3B, 0xFF],
        Role::Link => [0x0B, 0x57, 0xD0, 0xFF],
        Role::Checkbox | Role::Radio | Role::Switch => [0x8E, 0x24, 0xAA, 0xFF],
        Role::KeypadKey => [0xB2, 0x6A, 0x00, 0xFF],
        _ => [0xD3, 0x2F, 0x2F, 0xFF],
    })
}

/// Draws the border of `area`, `inset` pixels inside it.
pub(super) fn frame(canvas: &mut RgbaImage, area: Rect, inset: i32, colour: Rgba<u8>) {
    let (width, height) = (area.width() - 2 * inset, area.height() - 2 * inset);
    if width > 0 && height > 0 {
        let rect = imageproc::rect::Rect::at(area.left + inset, area.top + inset);
        draw_hollow_rect_mut(canvas, rect.of_size(width as u32, height as u32), colour);
    }
}

fn digits(id: usize) -> Vec<usize> {
    id.to_string().bytes().map(|byte| usize::from(byte.saturating_sub(b'0')).min(9)).collect()
}

/// Where a box's number stands: on top of its upper left corner where there is room, so that it hides nothing of what is
/// in the box. Where that would be inside another box that does not hold this one (rows that touch), it would be read as
/// the other's number: then it stands inside its own box. Always on the picture.
fn tag_place(id: usize, area: Rect, dot: i32, size: Size, boxes: &[(usize, Rect, Rgba<u8>)]) -> Rect {
    let (width, height) = ((6 * digits(id).len() as i32 + 1) * dot, 9 * dot);
    let left = area.left.min(size.width as i32 - width).max(0);
    let above = Rect::new(left, area.top - height, left + width, area.top);
    let misread = |other: &Rect| {
        other.intersection(above).is_some() && other.intersection(area).is_none_or(|shared| shared != area)
    };
    if above.top >= 0 && !boxes.iter().any(|(_, other, _)| misread(other)) {
        return above;
    }
    let top = area.top.min(size.height as i32 - height).max(0);
    Rect::new(left, top, left + width, top + height)
}

/// The id in white on the box's colour.
fn number(canvas: &mut RgbaImage, id: usize, tag: Rect, dot: i32, colour: Rgba<u8>) {
    let place = imageproc::rect::Rect::at(tag.left, tag.top);
    draw_filled_rect_mut(canvas, place.of_size(tag.width().max(1) as u32, tag.height().max(1) as u32), colour);
    for (place, digit) in digits(id).into_iter().enumerate() {
        for (row, bits) in DIGITS[digit].iter().enumerate() {
            for column in (0..5).filter(|column| bits >> (4 - column) & 1 == 1) {
                let x = tag.left + (1 + 6 * place as i32 + column) * dot;
                let y = tag.top + (1 + row as i32) * dot;
                let square = imageproc::rect::Rect::at(x, y).of_size(dot as u32, dot as u32);
                draw_filled_rect_mut(canvas, square, Rgba([0xFF, 0xFF, 0xFF, 0xFF]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::ScreenInput;

    #[test]
    fn every_box_is_drawn_even_without_a_picture() {
        let hierarchy = b"<hierarchy><node class=\"android.widget.Button\" text=\"Pay\" clickable=\"true\" bounds=\"[10,10][90,60]\"/>\
            <node class=\"android.widget.Button\" text=\"Edge\" clickable=\"true\" bounds=\"[95,70][100,80]\"/></hierarchy>";
        let input = ScreenInput {
            hierarchy,
            screenshot: None,
            display: Size::new(100, 80),
            foreground: None,
            keyboard_shown: false,
        };
        let picture = annotate(&Screen::perceive(input)).expect("has a size");
        assert_eq!(picture.size(), Size::new(100, 80));
        assert_eq!(picture.rgb(89, 30), Some([0xD3, 0x2F, 0x2F]));
        assert_eq!(picture.rgb(50, 40), Some([0xE6, 0xE6, 0xE6]));
        // The digit 0 of the first box, white on red, stands on the box and not in it.
        assert_eq!(picture.rgb(12, 2), Some([0xFF, 0xFF, 0xFF]));
        assert_eq!(picture.rgb(13, 13), Some([0xE6, 0xE6, 0xE6]));
    }

    #[test]
    fn the_number_of_a_row_stands_in_no_other_row() {
        let red = Rgba([0xD3, 0x2F, 0x2F, 0xFF]);
        let (first, second) = (Rect::new(0, 20, 100, 60), Rect::new(0, 60, 100, 100));
        let card = Rect::new(0, 0, 100, 200);
        let boxes = [(0, first, red), (1, second, red), (2, card, red)];
        let size = Size::new(100, 200);
        assert_eq!(tag_place(0, first, 1, size, &boxes).bottom, 20, "on top of it, where only the card around both is");
        assert_eq!(tag_place(1, second, 1, size, &boxes).top, 60, "inside, for the row above would seem to be meant");
    }
}
