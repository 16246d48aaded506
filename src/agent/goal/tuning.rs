//! The planner's weights, from a file.

use serde::Deserialize;

/// Weights; see `tuning.toml` for what each means.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each field is documented in tuning.toml")]
pub struct Tuning {
    pub meaning: f32,
    pub step: f32,
    pub enough: f32,
    pub clear: f32,
    pub faint: f32,
    pub floor: f32,
    pub kin: f32,
    pub by_chance: f32,
    pub precision: f32,
    pub order: f32,
    pub title: f32,
    pub rest: f32,
    pub rest_floor: f32,
    pub fit: f32,
    pub unasked: f32,
    pub guess: f32,
    pub far_guess: f32,
    pub again: f32,
    pub away: f32,
}

impl Tuning {
    /// The weights that ship with Tapwright.
    pub fn bundled() -> Result<Self, toml::de::Error> {
        toml::from_str(include_str!("tuning.toml"))
    }
}
