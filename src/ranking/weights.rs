//! The weights of the ranking's terms, from a file.

use serde::Deserialize;

/// Weights of the terms; see `weights.toml` for what each means.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each field is documented in weights.toml")]
pub struct Weights {
    pub meaning: f32,
    pub words: f32,
    pub named: f32,
    pub named_missing: f32,
    pub cue: f32,
    pub parameter: f32,
    pub mentioned: f32,
    pub unmentioned: f32,
    pub form: f32,
    pub done_before: f32,
    pub state: f32,
    pub role: f32,
    pub towards: f32,
    pub advance: f32,
    pub rare_skill: f32,
    pub scroll_prior: f32,
    pub nothing_fits: f32,
}

/// A weights file that is not one.
#[derive(Debug, thiserror::Error)]
#[error("ranking weights: {0}")]
pub struct WeightsError(#[from] toml::de::Error);

impl Weights {
    /// Reads a weights file.
    pub fn parse(text: &str) -> Result<Self, WeightsError> {
        Ok(toml::from_str(text)?)
    }

    /// The weights that ship with Tapwright.
    pub fn bundled() -> Result<Self, WeightsError> {
        Self::parse(include_str!("weights.toml"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_weights_are_complete_and_unknown_terms_are_refused() {
        assert!(Weights::bundled().is_ok());
        let extra = format!("{}\nluck = 1.0\n", include_str!("weights.toml"));
        assert!(Weights::parse(&extra).unwrap_err().to_string().contains("luck"));
    }
}
