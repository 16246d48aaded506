//! Widgets for choosing among options.

use super::super::{Choices, Expression, Located, Script, SpinnerMode, Text};
use super::widget_structs;

widget_structs! {
    /// A check box, with or without text.
    Checkbox {
        /// State variable (boolean).
        bind: Located<String>,
        /// Text beside it.
        #[serde(default)] text: Option<Text>,
        /// After every change.
        #[serde(default)] on_change: Script,
    }
    /// A switch, with or without text.
    Switch {
        /// State variable (boolean).
        bind: Located<String>,
        /// Text beside it.
        #[serde(default)] text: Option<Text>,
        /// After every change.
        #[serde(default)] on_change: Script,
    }
    /// A radio button: selected while `bind` equals `value`.
    Radio {
        /// State variable.
        bind: Located<String>,
        /// The value it stands for.
        value: Expression,
        /// Text beside it.
        #[serde(default)] text: Option<Text>,
        /// After every change.
        #[serde(default)] on_change: Script,
    }
    /// A drop-down list.
    Spinner {
        /// State variable that holds the chosen value.
        bind: Located<String>,
        /// What there is to choose from.
        items: Located<Choices>,
        /// Floating label (exposed) or heading of the list (dialog).
        #[serde(default)] label: Option<Text>,
        /// Shown while nothing is chosen.
        #[serde(default)] hint: Option<Text>,
        /// How the list comes up.
        #[serde(default)] mode: SpinnerMode,
        /// After every change.
        #[serde(default)] on_change: Script,
    }
    /// Pills to choose from.
    Chips {
        /// State variable: the chosen value, or with `multiple` an array of them.
        bind: Located<String>,
        /// What there is to choose from.
        items: Located<Choices>,
        /// Whether several can be chosen.
        #[serde(default)] multiple: bool,
        /// One line that scrolls sideways.
        #[serde(default)] scrollable: bool,
        /// After every change.
        #[serde(default)] on_change: Script,
    }
    /// Joined buttons of which one is chosen.
    Segmented {
        /// State variable that holds the chosen value.
        bind: Located<String>,
        /// What there is to choose from.
        items: Located<Choices>,
        /// After every change.
        #[serde(default)] on_change: Script,
    }
    /// Tabs.
    Tabs {
        /// State variable that holds the chosen value.
        bind: Located<String>,
        /// What there is to choose from.
        items: Located<Choices>,
        /// As wide as their texts, scrolling sideways.
        #[serde(default)] scrollable: bool,
        /// After every change.
        #[serde(default)] on_change: Script,
    }
}
