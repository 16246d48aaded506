//! Widgets for entering values: text fields, keypads, wheels, bars.

use super::super::{Axis, Expression, IconName, InputType, Located, Script, Text};
use super::widget_structs;

widget_structs! {
    /// An outlined text field.
    Field {
        /// State variable (text) that holds the content.
        bind: Located<String>,
        /// Floating label.
        #[serde(default)] label: Option<Text>,
        /// Shown while empty (and focused, when there is a label too).
        #[serde(default)] hint: Option<Text>,
        /// Text shown in red below; none while it expands to nothing.
        #[serde(default)] error: Option<Text>,
        /// Text shown in grey below while there is no error.
        #[serde(default)] helper: Option<Text>,
        /// What may be typed.
        #[serde(default)] input: InputType,
        /// Longest content, characters.
        #[serde(default)] max_length: Option<usize>,
        /// Leading icon.
        #[serde(default)] icon: Option<IconName>,
        /// Whether a cross at the end clears it.
        #[serde(default)] clear: bool,
        /// Whether an eye at the end shows a password.
        #[serde(default)] reveal: bool,
        /// Height in lines of text; more than one lets ENTER begin a new line.
        #[serde(default)] lines: Option<usize>,
        /// Text before the content, such as a currency sign.
        #[serde(default)] prefix: Option<Text>,
        /// Text behind the content, such as a unit.
        #[serde(default)] suffix: Option<Text>,
        /// Looks like a field but takes no input.
        #[serde(default)] read_only: bool,
        /// Expression that gives an array of texts, offered below while the field is focused and not empty. A plain
        /// dump does not show them.
        #[serde(default)] suggestions: Option<Expression>,
        /// After every change.
        #[serde(default)] on_change: Script,
        /// When ENTER is pressed on the last field.
        #[serde(default)] on_submit: Script,
    }
    /// A search bar.
    SearchBar {
        /// State variable (text) that holds the content.
        bind: Located<String>,
        /// Shown while empty.
        #[serde(default)] hint: Option<Text>,
        /// Expression that gives an array of texts, offered below.
        #[serde(default)] suggestions: Option<Expression>,
        /// After every change.
        #[serde(default)] on_change: Script,
        /// When ENTER is pressed.
        #[serde(default)] on_submit: Script,
    }
    /// A numeric keypad drawn by the app.
    Keypad {
        /// State variable (text) it writes to.
        bind: Located<String>,
        /// Longest content; reaching it runs `on_complete`.
        length: usize,
        /// Whether it has a decimal point (for amounts with two decimals).
        #[serde(default)] decimal: bool,
        /// Whether keys carry ids (`key_1` …).
        #[serde(default)] key_ids: bool,
        /// When `length` is reached.
        #[serde(default)] on_complete: Script,
    }
    /// Boxes with one dot for each digit entered. Drawn by the app: the dump shows a bare view.
    PinDots {
        /// State variable (text).
        bind: Located<String>,
        /// Number of boxes.
        length: usize,
    }
    /// A wheel of values to swipe.
    Selector {
        /// State variable that holds the chosen value.
        bind: Located<String>,
        /// Expression that gives an array of texts or numbers.
        items: Expression,
        /// Direction of the swipe.
        #[serde(default)] axis: Axis,
        /// After every change.
        #[serde(default)] on_change: Script,
    }
    /// A bar to drag a value along; a tap sets it as well.
    Slider {
        /// State variable (integer or decimal).
        bind: Located<String>,
        /// Smallest value.
        #[serde(default)] min: f64,
        /// Largest value.
        #[serde(default = "hundred")] max: f64,
        /// Distance of values; 0: any.
        #[serde(default)] step: f64,
        /// After every change.
        #[serde(default)] on_change: Script,
    }
    /// Stars to tap.
    Rating {
        /// State variable (integer or decimal).
        bind: Located<String>,
        /// How many.
        #[serde(default = "five")] stars: usize,
        /// Shows a rating and takes no touch.
        #[serde(default)] read_only: bool,
        /// Edge length of a star, dp.
        #[serde(default)] size: Option<f32>,
        /// After every change.
        #[serde(default)] on_change: Script,
    }
    /// Minus, value, plus.
    Stepper {
        /// State variable (integer).
        bind: Located<String>,
        /// Smallest value.
        #[serde(default)] min: i64,
        /// Largest value.
        #[serde(default = "ninety_nine")] max: i64,
        /// What the minus button says; "Decrease quantity" by default.
        #[serde(default)] minus_desc: Option<Text>,
        /// What the plus button says; "Increase quantity" by default.
        #[serde(default)] plus_desc: Option<Text>,
        /// After every change.
        #[serde(default)] on_change: Script,
    }
    /// Month, day and year as wheels.
    DateWheels {
        /// State variable (text): `yyyy-mm-dd`.
        bind: Located<String>,
        /// After every change.
        #[serde(default)] on_change: Script,
    }
    /// Hour and minute as wheels.
    TimeWheels {
        /// State variable (text): `HH:MM`.
        bind: Located<String>,
        /// After every change.
        #[serde(default)] on_change: Script,
    }
    /// A month's days to choose from.
    Calendar {
        /// State variable (text): `yyyy-mm-dd`. The first day, where `until` is given.
        bind: Located<String>,
        /// State variable (text): the last day of a range. The first touch sets the beginning, the second the end; a
        /// third, or an earlier day, begins anew.
        #[serde(default)] until: Option<Located<String>>,
        /// Earliest day that can be chosen.
        #[serde(default)] min: Option<Text>,
        /// Latest day that can be chosen.
        #[serde(default)] max: Option<Text>,
        /// After every change.
        #[serde(default)] on_change: Script,
    }
}

const fn hundred() -> f64 {
    100.0
}

const fn five() -> usize {
    5
}

const fn ninety_nine() -> i64 {
    99
}
