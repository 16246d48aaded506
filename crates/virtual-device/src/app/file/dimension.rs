//! Sizes, edges and colours as the app file writes them.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// Distances in dp at the four sides: one number, `[vertical, horizontal]` or `[top, right, bottom, left]`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Edges {
    /// Top, dp.
    pub top: f32,
    /// Right, dp.
    pub right: f32,
    /// Bottom, dp.
    pub bottom: f32,
    /// Left, dp.
    pub left: f32,
}

impl Edges {
    /// The same distance at each side.
    pub const fn all(dp: f32) -> Self {
        Self { top: dp, right: dp, bottom: dp, left: dp }
    }

    /// One distance above and below, another at the sides.
    pub const fn symmetric(vertical: f32, horizontal: f32) -> Self {
        Self { top: vertical, right: horizontal, bottom: vertical, left: horizontal }
    }
}

impl<'de> Deserialize<'de> for Edges {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Sides;
        impl<'de> Visitor<'de> for Sides {
            type Value = Edges;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of dp, [vertical, horizontal] or [top, right, bottom, left]")
            }
            fn visit_i64<E: Error>(self, dp: i64) -> Result<Edges, E> {
                Ok(Edges::all(dp as f32))
            }
            fn visit_u64<E: Error>(self, dp: u64) -> Result<Edges, E> {
                Ok(Edges::all(dp as f32))
            }
            fn visit_f64<E: Error>(self, dp: f64) -> Result<Edges, E> {
                Ok(Edges::all(dp as f32))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Edges, A::Error> {
                let mut sides = Vec::with_capacity(4);
                while let Some(side) = seq.next_element::<f32>()? {
                    sides.push(side);
                }
                match sides[..] {
                    [vertical, horizontal] => Ok(Edges::symmetric(vertical, horizontal)),
                    [top, right, bottom, left] => Ok(Edges { top, right, bottom, left }),
                    _ => Err(A::Error::invalid_length(sides.len(), &self)),
                }
            }
        }
        deserializer.deserialize_any(Sides)
    }
}

impl JsonSchema for Edges {
    fn schema_name() -> Cow<'static, str> {
        "Edges".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        schemars::json_schema!({
            "description": "dp at the four sides: one number, [vertical, horizontal] or [top, right, bottom, left].",
            "anyOf": [
                {"type": "number"},
                {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 4}
            ]
        })
    }
}

/// A colour: `#rrggbb`, `#aarrggbb` or a role of the theme such as `primary`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    /// Red, green, blue, alpha.
    Rgba([u8; 4]),
    /// A role of the theme.
    Role(ColorRole),
}

/// Colour roles of the theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorRole {
    /// The app's own colour.
    Primary,
    /// Text on the app's own colour.
    OnPrimary,
    /// A pale tint of the app's own colour.
    Container,
    /// Text on the pale tint.
    OnContainer,
    /// Cards, app bar, sheets.
    Surface,
    /// Behind everything.
    Background,
    /// Ordinary text.
    OnSurface,
    /// Secondary text, icons.
    Muted,
    /// Borders of fields.
    Outline,
    /// Dividers.
    Divider,
    /// Errors.
    Error,
    /// Success marks.
    Success,
    /// Links.
    Link,
    /// Nothing.
    Transparent,
}

const ROLES: &[(&str, ColorRole)] = &[
    ("primary", ColorRole::Primary),
    ("on_primary", ColorRole::OnPrimary),
    ("container", ColorRole::Container),
    ("on_container", ColorRole::OnContainer),
    ("surface", ColorRole::Surface),
    ("background", ColorRole::Background),
    ("on_surface", ColorRole::OnSurface),
    ("muted", ColorRole::Muted),
    ("outline", ColorRole::Outline),
    ("divider", ColorRole::Divider),
    ("error", ColorRole::Error),
    ("success", ColorRole::Success),
    ("link", ColorRole::Link),
    ("transparent", ColorRole::Transparent),
];

impl Color {
    /// Reads the form of the app file; `None` when it is neither a role nor `#rrggbb`.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some((_, role)) = ROLES.iter().find(|(name, _)| *name == text) {
            return Some(Self::Role(*role));
        }
        let hex = text.strip_prefix('#')?;
        if !hex.is_ascii() {
            return None;
        }
        let value = u32::from_str_radix(hex, 16).ok()?;
        let [a, r, g, b] = value.to_be_bytes();
        match hex.len() {
            6 => Some(Self::Rgba([r, g, b, 255])),
            8 => Some(Self::Rgba([r, g, b, a])),
            _ => None,
        }
    }
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| {
            let roles: Vec<&str> = ROLES.iter().map(|(name, _)| *name).collect();
            D::Error::custom(format!("expected a colour (\"#rrggbb\" or one of {}), found {text:?}", roles.join(", ")))
        })
    }
}

impl JsonSchema for Color {
    fn schema_name() -> Cow<'static, str> {
        "Color".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let roles: Vec<&str> = ROLES.iter().map(|(name, _)| *name).collect();
        schemars::json_schema!({
            "description": "#rrggbb, #aarrggbb or a colour role of the theme.",
            "anyOf": [{"type": "string", "pattern": "^#([0-9a-fA-F]{6}|[0-9a-fA-F]{8})$"}, {"enum": roles}]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_is_a_role_or_hexadecimal() {
        assert_eq!(Color::parse("#0b57D0"), Some(Color::Rgba([0x0b, 0x57, 0xd0, 255])));
        assert_eq!(Color::parse("#800b57d0"), Some(Color::Rgba([0x0b, 0x57, 0xd0, 0x80])));
        assert_eq!(Color::parse("muted"), Some(Color::Role(ColorRole::Muted)));
        assert_eq!(Color::parse("#12345"), None);
        assert_eq!(Color::parse("#äöüäöü"), None);
        assert_eq!(Color::parse("mauve"), None);
    }
}
