//! A small drawing of a screen with some places marked.

use crate::domain::{Rect, Screenshot, Size};
use crate::hierarchy::{Role, Screen};

const BLANK: [u8; 3] = [0xF4, 0xF4, 0xF4];
const WIDGET: [u8; 3] = [0xB0, 0xB0, 0xB0];
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
    let mut canvas = Canvas::blank(Size::new(width, height));
    let scaled = |place: Rect| {
        let across = |x: i32| (i64::from(x) * i64::from(width) / i64::from(display.width)) as i32;
        let down = |y: i32| (i64::from(y) * i64::from(height) / i64::from(display.height)) as i32;
        Rect::new(across(place.left), down(place.top), across(place.right), down(place.bottom))
    };
    match picture.filter(|picture| same_shape(picture.size(), display)) {
        Some(picture) => canvas.fill_with(picture),
        None => {
            for widget in screen.widgets.iter().filter(|widget| widget.role != Role::List) {
                canvas.frame(scaled(widget.bounds), 1, WIDGET);
            }
        }
    }
    for (place, colour) in marks {
        canvas.frame(scaled(*place), 3, *colour);
    }
    Screenshot::new(canvas.size, canvas.rgba)
}

fn same_shape(picture: Size, display: Size) -> bool {
    let (a, b) =
        (u64::from(picture.width) * u64::from(display.height), u64::from(picture.height) * u64::from(display.width));
    20 * a.abs_diff(b) <= a.max(b)
}

struct Canvas {
    size: Size,
    rgba: Vec<u8>,
}

impl Canvas {
    fn blank(size: Size) -> Self {
        let [r, g, b] = BLANK;
        let pixels = size.width as usize * size.height as usize;
        Self { size, rgba: [r, g, b, 0xFF].repeat(pixels) }
    }

    fn fill_with(&mut self, picture: &Screenshot) {
        let (from, to) = (picture.size(), self.size);
        for y in 0..to.height {
            for x in 0..to.width {
                let source = |at: u32, to: u32, from: u32| (u64::from(at) * u64::from(from) / u64::from(to)) as usize;
                let at =
                    4 * (source(y, to.height, from.height) * from.width as usize + source(x, to.width, from.width));
                if let Some(&[r, g, b, _]) = picture.rgba().get(at..at + 4) {
                    self.set(x as i32, y as i32, [r, g, b]);
                }
            }
        }
    }

    fn frame(&mut self, place: Rect, thick: i32, colour: [u8; 3]) {
        let Some(place) = place.intersection(self.size.rect()) else { return };
        for inset in 0..thick {
            for x in place.left..place.right {
                self.set(x, place.top + inset, colour);
                self.set(x, place.bottom - 1 - inset, colour);
            }
            for y in place.top..place.bottom {
                self.set(place.left + inset, y, colour);
                self.set(place.right - 1 - inset, y, colour);
            }
        }
    }

    fn set(&mut self, x: i32, y: i32, colour: [u8; 3]) {
        if x < 0 || y < 0 || x >= self.size.width as i32 || y >= self.size.height as i32 {
            return;
        }
        let at = 4 * (y as usize * self.size.width as usize + x as usize);
        if let Some(pixel) = self.rgba.get_mut(at..at + 3) {
            pixel.copy_from_slice(&colour);
        }
    }
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
        assert_eq!((pixel(50, 100), pixel(75, 101), pixel(25, 50)), (&red[..], &red[..], &BLANK[..]));
    }

    #[test]
    fn a_picture_of_another_shape_is_left_out_and_marks_outside_do_no_harm() {
        let wide = Screenshot::new(Size::new(4, 1), vec![0; 16]).unwrap();
        let fits = Screenshot::new(Size::new(1, 2), vec![7; 8]).unwrap();
        let outside = [(Rect::new(-900, -9, 90_000, 9), [1, 2, 3])];
        assert_eq!(marked(&screen(), Some(&wide), 50, &outside).unwrap().rgba()[4 * (50 * 50 + 25)], BLANK[0]);
        assert_eq!(marked(&screen(), Some(&fits), 50, &outside).unwrap().rgba()[4 * (50 * 50 + 25)], 7);
    }
}
