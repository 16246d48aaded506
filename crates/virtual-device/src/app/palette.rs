//! Colours of the theme, after Material 3's light and dark schemes.

use super::file::Color;
use super::file::ColorRole as Role;

/// Red, green, blue, alpha.
pub(super) type Rgba = [u8; 4];

/// Dark text on light; for what is dark text in both schemes. Widgets use [`Palette::ink`].
pub(super) const INK: Rgba = [0x1b, 0x1c, 0x1f, 255];
/// Nothing.
pub(super) const CLEAR: Rgba = [0, 0, 0, 0];
/// White; for what is white in both schemes. Widgets use [`Palette::surface`].
pub(super) const WHITE: Rgba = [255, 255, 255, 255];
const BLACK: Rgba = [0, 0, 0, 255];
/// Least contrast of text (WCAG 2, level AA).
const READABLE: f32 = 4.5;

/// A theme made from one colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Palette {
    primary: Rgba,
    dark: bool,
}

impl Palette {
    /// The light scheme of a colour.
    pub(super) fn new(primary: Option<Color>) -> Self {
        let primary = match primary {
            Some(Color::Rgba(primary)) => primary,
            Some(Color::Role(_)) | None => [0x0b, 0x57, 0xd0, 255],
        };
        Self { primary, dark: false }
    }

    /// The same theme in its light or dark scheme.
    pub(super) fn in_scheme(self, dark: bool) -> Self {
        Self { dark, ..self }
    }

    /// Whether this is the dark scheme.
    pub(super) const fn is_dark(self) -> bool {
        self.dark
    }

    /// The colour of a role.
    pub(super) fn role(self, role: Role) -> Rgba {
        if self.dark { self.dark_role(role) } else { self.light_role(role) }
    }

    fn light_role(self, role: Role) -> Rgba {
        match role {
            Role::Primary => self.primary,
            Role::OnPrimary => readable_on(self.primary),
            Role::Surface => WHITE,
            Role::Container => mix(self.primary, WHITE, 0.86),
            Role::OnContainer => toned(mix(self.primary, BLACK, 0.35), self.light_role(Role::Container), BLACK),
            Role::Background => [0xf5, 0xf6, 0xf8, 255],
            Role::OnSurface => INK,
            Role::Muted => [0x5c, 0x5f, 0x66, 255],
            Role::Outline => [0x8a, 0x8d, 0x94, 255],
            Role::Divider => [0xe1, 0xe3, 0xe8, 255],
            Role::Error => [0xb3, 0x26, 0x1e, 255],
            Role::Success => [0x17, 0x7a, 0x36, 255],
            Role::Link => [0x1a, 0x66, 0xd6, 255],
            Role::Transparent => CLEAR,
        }
    }

    fn dark_role(self, role: Role) -> Rgba {
        match role {
            Role::Primary => toned(mix(self.primary, WHITE, 0.5), self.dark_role(Role::Surface), WHITE),
            Role::OnPrimary => readable_on(self.dark_role(Role::Primary)),
            Role::Surface => [0x1e, 0x1f, 0x23, 255],
            Role::Container => mix(self.primary, [0x1e, 0x1f, 0x23, 255], 0.62),
            Role::OnContainer => toned(mix(self.primary, WHITE, 0.72), self.dark_role(Role::Container), WHITE),
            Role::Background => [0x12, 0x13, 0x16, 255],
            Role::OnSurface => [0xe4, 0xe3, 0xe8, 255],
            Role::Muted => [0xb4, 0xb6, 0xbe, 255],
            Role::Outline => [0x8b, 0x8e, 0x97, 255],
            Role::Divider => [0x37, 0x39, 0x3f, 255],
            Role::Error => [0xf2, 0xb8, 0xb5, 255],
            Role::Success => [0x7d, 0xd6, 0x94, 255],
            Role::Link => [0xa8, 0xc7, 0xfa, 255],
            Role::Transparent => CLEAR,
        }
    }

    /// Ordinary text.
    pub(super) fn ink(self) -> Rgba {
        self.role(Role::OnSurface)
    }

    /// Cards, app bars, dialogs, sheets, fields.
    pub(super) fn surface(self) -> Rgba {
        self.role(Role::Surface)
    }

    /// What lies between the keys of keypads and of the soft keyboard.
    pub(super) const fn keypad(self) -> Rgba {
        if self.dark { [0x1b, 0x1c, 0x20, 255] } else { [0xe4, 0xe6, 0xeb, 255] }
    }

    /// A key with a character.
    pub(super) const fn key(self) -> Rgba {
        if self.dark { [0x3a, 0x3c, 0x42, 255] } else { WHITE }
    }

    /// A key that does something else.
    pub(super) const fn function_key(self) -> Rgba {
        if self.dark { [0x29, 0x2b, 0x30, 255] } else { [0xd0, 0xd3, 0xda, 255] }
    }

    /// What stands out on the background without being a card: tracks, chips, search bars.
    pub(super) const fn raised(self) -> Rgba {
        if self.dark { [0x2b, 0x2d, 0x32, 255] } else { [0xe4, 0xe6, 0xeb, 255] }
    }

    /// A pale tint of any colour on this scheme's surface; `strength` 0–1.
    pub(super) fn tint(self, color: Rgba, strength: f32) -> Rgba {
        mix(color, self.surface(), 1.0 - if self.dark { strength * 1.6 } else { strength }.min(1.0))
    }

    /// A colour of the app file for text and icons. In the dark scheme dark colours become light ones of the same hue.
    pub(super) fn color(self, color: Color) -> Rgba {
        match color {
            Color::Rgba(rgba) if self.dark && luminance(rgba) < 0.18 => {
                toned(mix(rgba, WHITE, 0.3), self.surface(), WHITE)
            }
            Color::Rgba(rgba) => rgba,
            Color::Role(role) => self.role(role),
        }
    }

    /// A colour of the app file for an area. In the dark scheme pale colours become dark ones of the same hue.
    pub(super) fn fill(self, color: Color) -> Rgba {
        match color {
            Color::Rgba(rgba) if self.dark && luminance(rgba) > 0.6 => shaded(rgba),
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

/// Black or white ink, whichever is easier to read on a colour; white where both are fine, as Material has it.
pub(super) fn readable_on(color: Rgba) -> Rgba {
    [WHITE, INK].into_iter().find(|ink| contrast(*ink, color) >= READABLE).unwrap_or(BLACK)
}

/// `color` with as much of `towards` as it takes to be read on `behind`.
fn toned(color: Rgba, behind: Rgba, towards: Rgba) -> Rgba {
    (0..=20_u8)
        .map(|step| mix(color, towards, f32::from(step) / 20.0))
        .find(|tone| contrast(*tone, behind) >= READABLE)
        .unwrap_or(towards)
}

/// A pale colour's dark counterpart: its departure from grey on a dark ground.
fn shaded(color: Rgba) -> Rgba {
    let most = color[..3].iter().copied().max().unwrap_or(0);
    let channel = |at: usize| (34.0 - f32::from(most - color[at]) * 0.45).clamp(14.0, 60.0).round() as u8;
    [channel(0), channel(1), channel(2), color[3]]
}

/// Relative luminance (WCAG 2), 0–1.
pub(super) fn luminance(color: Rgba) -> f32 {
    let linear = |channel: u8| {
        let c = f32::from(channel) / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2])
}

/// Contrast of two opaque colours (WCAG 2), 1–21.
pub(super) fn contrast(a: Rgba, b: Rgba) -> f32 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_can_be_read_in_both_schemes() {
        let brands: [Rgba; 8] = [
            [0x0b, 0x57, 0xd0, 255],
            [0x00, 0x6a, 0x4e, 255],
            [0xb3, 0x1b, 0x1b, 255],
            [0xff, 0xc1, 0x07, 255],
            [0x00, 0x00, 0x00, 255],
            [0x6a, 0x1b, 0x9a, 255],
            [0xe6, 0x51, 0x00, 255],
            [0x43, 0xb0, 0x2a, 255],
        ];
        for (brand, dark) in brands.into_iter().flat_map(|brand| [(brand, false), (brand, true)]) {
            let palette = Palette::new(Some(Color::Rgba(brand))).in_scheme(dark);
            let inks = [Role::OnSurface, Role::Muted, Role::Error, Role::Success, Role::Link];
            let mut pairs: Vec<(Role, Role)> =
                inks.iter().flat_map(|ink| [(*ink, Role::Surface), (*ink, Role::Background)]).collect();
            pairs.extend([(Role::OnPrimary, Role::Primary), (Role::OnContainer, Role::Container)]);
            if dark {
                pairs.push((Role::Primary, Role::Surface));
            }
            for (ink, ground) in pairs {
                let ratio = contrast(palette.role(ink), palette.role(ground));
                assert!(ratio >= READABLE, "{ink:?} on {ground:?} of {brand:02x?}, dark {dark}: {ratio:.2}");
            }
            let key = contrast(palette.ink(), palette.key()).min(contrast(palette.ink(), palette.function_key()));
            assert!(key >= READABLE, "keys, dark {dark}: {key:.2}");
        }
    }

    #[test]
    fn an_apps_own_pale_areas_turn_dark_at_night_and_its_dark_text_light() {
        let (day, night) = (Palette::new(None), Palette::new(None).in_scheme(true));
        for pale in [[0xff, 0xf8, 0xe1, 255], [0xe8, 0xf5, 0xe9, 255], [255, 255, 255, 255]] {
            let area = Color::Rgba(pale);
            assert_eq!(day.fill(area), pale);
            assert!(contrast(night.ink(), night.fill(area)) >= READABLE, "{pale:02x?} → {:02x?}", night.fill(area));
        }
        let brown = Color::Rgba([0x4e, 0x34, 0x2e, 255]);
        assert_eq!(day.color(brown), [0x4e, 0x34, 0x2e, 255]);
        assert!(contrast(night.color(brown), night.surface()) >= READABLE);
        assert_eq!(night.color(Color::Rgba(WHITE)), WHITE, "white text on a photo stays white");
    }
}
