//! Pictures that are painted by rule, so that they need no files.

use super::super::{ChartKind, Color, Expression, Justify, PhotoKind, Text, Widget};
use super::widget_structs;

widget_structs! {
    /// A painted picture; children are set on top of it.
    Photo {
        /// What it shows.
        #[serde(default)] kind: PhotoKind,
        /// Which one of its kind: a number or text.
        #[serde(default)] seed: Option<Expression>,
        /// Darkens it for texts on top, 0–1.
        #[serde(default)] scrim: f32,
        /// Space between children, dp.
        #[serde(default)] gap: f32,
        /// Distribution of the children from top to bottom.
        #[serde(default)] justify: Justify,
        /// Widgets on top of it.
        #[serde(default)] children: Vec<Widget>,
    }
    /// A street map. The dump shows one bare view.
    Map {
        /// Expression: latitude of its centre.
        latitude: Expression,
        /// Expression: longitude of its centre.
        longitude: Expression,
        /// Zoom level as web maps count.
        #[serde(default = "fifteen")] zoom: f32,
        /// Expression that gives an array of maps with `latitude`, `longitude`, `label`.
        #[serde(default)] pins: Option<Expression>,
        /// Whether a route joins the pins.
        #[serde(default)] route: bool,
    }
    /// Bars or a line of values, drawn by the app: not in the dump.
    Chart {
        /// Expression that gives an array of numbers.
        values: Expression,
        /// Expression that gives an array of texts below the values.
        #[serde(default)] labels: Option<Expression>,
        /// How they are drawn.
        #[serde(default)] kind: ChartKind,
        /// Colour.
        #[serde(default)] color: Option<Color>,
    }
    /// A QR code of a text.
    Qr {
        /// The text.
        text: Text,
    }
}

const fn fifteen() -> f32 {
    15.0
}
