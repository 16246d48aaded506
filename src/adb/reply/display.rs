//! `wm size` and `wm density` (AOSP `WindowManagerShellCommand.java`).

use crate::domain::Size;

/// The size in force: `Override size: WxH` if there is one, else `Physical size: WxH`.
pub fn parse_display_size(text: &str) -> Option<Size> {
    in_force(text, "size", |value| {
        let (width, height) = value.split_once('x')?;
        Some(Size::new(width.trim().parse().ok()?, height.trim().parse().ok()?))
    })
}

/// The density in force, in dots per inch: the override if there is one, else the physical one.
pub fn parse_density(text: &str) -> Option<u32> {
    in_force(text, "density", |value| value.parse().ok())
}

fn in_force<T>(text: &str, what: &str, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
    let value = |origin: &str| {
        text.lines().find_map(|line| {
            let value = line.trim().strip_prefix(origin)?.trim_start().strip_prefix(what)?.strip_prefix(':')?;
            parse(value.trim())
        })
    };
    value("Override").or_else(|| value("Physical"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_override_wins() {
        assert_eq!(parse_display_size("Physical size: 1080x2400\n"), Some(Size::new(1080, 2400)));
        assert_eq!(
            parse_display_size("Physical size: 1080x2400\r\nOverride size: 720x1600\r\n"),
            Some(Size::new(720, 1600))
        );
        assert_eq!(parse_density("Physical density: 420\n"), Some(420));
        assert_eq!(parse_density("Physical density: 420\nOverride density: 320\n"), Some(320));
    }

    #[test]
    fn anything_else_is_nothing() {
        for text in ["", "Physical size: 1080", "Physical size: ax1", "Error: density must be >= 72"] {
            assert_eq!((parse_display_size(text), parse_density(text)), (None, None), "{text:?}");
        }
    }
}
