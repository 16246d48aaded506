//! The weights of the ranking's terms, from a file.

use serde::Deserialize;

/// Weights by name. Terms and thresholds are fields, so that a name that is missing or unknown is refused.
macro_rules! weights {
    (terms { $($term:ident),* $(,)? } thresholds { $($threshold:ident),* $(,)? }) => {
        /// Weights of the terms; see `weights.toml` for what each means.
        #[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[expect(missing_docs, reason = "each field is documented in weights.toml")]
        pub struct Weights {
            $(pub $term: f32,)*
            $(pub $threshold: f32,)*
        }

        impl Weights {
            /// Names of the terms' weights, in the file's order.
            pub const TERMS: &[&str] = &[$(stringify!($term)),*];

            /// All terms count once: a score's terms are then the plain features.
            pub const PLAIN: Self = Self { $($term: 1.0,)* $($threshold: 0.0,)* };

            /// The weight of this name, terms only.
            pub fn term_mut(&mut self, name: &str) -> Option<&mut f32> {
                match name {
                    $(stringify!($term) => Some(&mut self.$term),)*
                    _ => None,
                }
            }
        }
    };
}

weights! {
    terms {
        meaning, asked_words, own_words, said, letters, background, named, named_missing, cue, long_press_cue, back_cue, back_key, scroll_cue, scroll_meaning,
        wait_cue, input_cue, parameter, mentioned, tentative, unmentioned, form, form_filled, form_field, done_before, state, switch, role, other_role, place,
        order, towards, figures, kindred, contrary, advance, rare_skill, in_front, scroll_prior, touch_field, disabled, inert, unnamed,
    }
    thresholds { usual, nothing_fits, clearly_meant, form_spread }
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

    #[test]
    fn every_term_can_be_found_by_its_name() {
        let mut weights = Weights::PLAIN;
        for name in Weights::TERMS {
            *weights.term_mut(name).unwrap() += 1.0;
        }
        assert!((weights.meaning - 2.0).abs() < 1e-6 && (weights.unnamed - 2.0).abs() < 1e-6);
        assert_eq!(weights.term_mut("nothing_fits"), None);
    }
}
