//! Colours of the theme, after Material 3's light scheme.

use super::file::Color;
use super::file::ColorRole as Role;

/// Red, green, blue, alpha.
pub(super) type Rgba = [u8; 4];

/// Dark text on light.
pub(super) const INK: Rgba = [0x1b, 0x1c, 0x1f, 255];
/// Nothing.
pub(super) const CLEAR: Rgba = [0, 0, 0, 0];
/// White.
pub(super) const WHITE: Rgba = [255, 255, 255, 255];

/// A theme made from one colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Palette {
    primary: Rgba,
}

impl Palette {
    pub(super) fn new(primary: Option<Color>) -> Self {
        match primary {
            Some(Color::Rgba(primary)) => Self { primary },
            Some(Color::Role(_)) | None => Self { primary: [0x0b, 0x57, 0xd0, 255] },
        }
    }

    /// The colour of a role.
    pub(super) fn role(self, role: Role) -> Rgba {
        match role {
            Role::Primary => self.primary,
            Role::OnPrimary | Role::Surface => WHITE,
            Role::Container => mix(self.primary, WHITE, 0.86),
            Role::OnContainer => mix(self.primary, [0, 0, 0, 255], 0.35),
            Role::Background => [0xf5, 0xf6, 0xf8, 255],
            Role::OnSurface => INK,
            Role::Muted => [0x5c, 0x5f, 0x66, 255],
            Role::Outline => [0x8a, 0x8d, 0x94, 255],
            Role::Divider => [0xe1, 0xe3, 0xe8, 255],
            Role::Error => [0xb3, 0x26, 0x1e, 255],
            Role::Success => [0x1e, 0x8e, 0x3e, 255],
            Role::Link => [0x1a, 0x66, 0xd6, 255],
            Role::Transparent => CLEAR,
        }
    }

    /// A colour of the app file.
    pub(super) fn color(self, color: Color) -> Rgba {
        match color {
            Color::Rgba(rgba) => rgba,
            Color::Role(role) => self.role(role),
        }
    }
}

/// `share` of `b` in `a`.
pub(super) fn mix(a: Rgba, b: Rgba, share: f32) -> Rgba {
    let channel = |i: usize| (f32::from(a[i]) * (1.0 - share) + f32::from(b[i]) * share).round() as u8;
    [channel(0), channel(1), channel(2), a[3]]
}

/// The same colour at another opacity, 0–1.
pub(super) fn fade(color: Rgba, opacity: f32) -> Rgba {
    [color[0], color[1], color[2], (f32::from(color[3]) * opacity).round() as u8]
}
