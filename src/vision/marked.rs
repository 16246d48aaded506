//! A small drawing of a screen with some places marked.

use super::annotate::frame;
use crate::domain::{Rect, Screenshot, Size};
use crate::hierarchy::{Role, Screen};
use image::imageops::{FilterType, resize};
use image::{Rgba, RgbaImage};

const BLANK: Rgba<u8> = Rgba([0xF4, 0xF4, 0xF4, 0xFF]);
const WIDGET: Rgba<u8> = Rgba([0xB0, 0xB0, 0xB0, 0xFF]);
/// Tallest drawing, as a multiple of its width.
const TALLEST: u32 = 4;

/// The screen, `width` pixels wide, over `picture` where it has the screen's shape, else as the widgets' outlines on
/// blank ground, with `marks` framed in their colours. `None` for a screen without a size.
pub fn marked(
    screen: &Screen,
    picture: Option<&Screenshot>,
    width: u32,
    marks: &[(Rect, [u8; 3])],
) -> Option<Screenshot> {
    let display = screen.display;
    if display.width == 0 || display.height == 0 || width == 0 {
        return None;
    }
    let height = (u64::from(width) * u64::from(display.height) / u64::from(display.width)).max(1);
    let height = u32::try_from(height).unwrap_or(u32::MAX).min(TALLEST * width);
    let size = Size::new(width, height);
    let fitting = picture.filter(|picture| same_shape(picture.size(), display));
    let mut canvas = match fitting.and_then(pixels) {
        Some(pixels) => resize(&pixels, width, height, FilterType::Nearest),
        None => RgbaImage::from_pixel(width, height, BLANK),
    };
    let scaled = |place: Rect| {
        let across = |x: i32| (i64::from(x) * i64::from(width) / i64::from(display.width)) as i32;
        let down = |y: i32| (i64::from(y) * i64::from(height) / i64::from(display.height)) as i32;
        Rect::new(across(place.left), down(place.top), across(place.right), down(place.bottom))
    };
    let mut draw = |place: Rect, thick: i32, colour: Rgba<u8>| {
        if let Some(area) = scaled(place).intersection(size.rect()) {
            for inset in 0..thick {
                frame(&mut canvas, area, inset, colour);
            }
        }
    };
    if fitting.is_none() {
        for widget in screen.widgets.iter().filter(|widget| widget.role != Role::List) {
            draw(widget.bounds, 1, WIDGET);
        }
    }
    for (place, [red, green, blue]) in marks {
        draw(*place, 3, Rgba([*red, *green, *blue, 0xFF]));
    }
    Screenshot::new(size, canvas.into_raw())
}

fn pixels(picture: &Screenshot) -> Option<RgbaImage> {
    RgbaImage::from_raw(picture.size().width, picture.size().height, picture.rgba().to_vec())
}

fn same_shape(picture: Size, display: Size) -> bool {
    let (a, b) =
        (u64::from(picture.width) * u64::from(display.height), u64::from(picture.height) * u64::from(display.width));
    20 * a.abs_diff(b) <= a.max(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::ScreenInput;

    fn screen() -> Screen {
        let dump = br#"<hierarchy rotation="0"><node class="android.widget.Button" text="Pay" clickable="true" bounds="[0,0][1000,2000]"/></hierarchy>"#;
        let display = Size::new(1000, 2000);
        Screen::perceive(ScreenInput {
            hierarchy: dump,
            screenshot: None,
            display,
            foreground: None,
            keyboard_shown: false,
        })
    }

    #[test]
    fn a_mark_is_drawn_where_it_is_on_the_screen() {
        let red = [255, 0, 0];
        let drawn = marked(&screen(), None, 100, &[(Rect::new(500, 1000, 1000, 2000), red)]).unwrap();
        assert_eq!(drawn.size(), Size::new(100, 200));
        let pixel = |x: usize, y: usize| &drawn.rgba()[4 * (y * 100 + x)..][..3];
        assert_eq!((pixel(50, 100), pixel(75, 101), pixel(25, 50)), (&red[..], &red[..], &BLANK.0[..3]));
    }

    #[test]
    fn a_picture_of_another_shape_is_left_out_and_marks_outside_do_no_harm() {
        let wide = Screenshot::new(Size::new(4, 1), vec![0; 16]).unwrap();
        let fits = Screenshot::new(Size::new(1, 2), vec![7; 8]).unwrap();
        let outside = [(Rect::new(-900, -9, 90_000, 9), [1, 2, 3])];
        assert_eq!(marked(&screen(), Some(&wide), 50, &outside).unwrap().rgba()[4 * (50 * 50 + 25)], BLANK.0[0]);
        assert_eq!(marked(&screen(), Some(&fits), 50, &outside).unwrap().rgba()[4 * (50 * 50 + 25)], 7);
    }
}
