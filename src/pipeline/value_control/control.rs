//! A control that holds a value, and what has to be done so that it holds another one.

use super::calendar::CalendarParts;
use super::choice::ChoiceParts;
use super::clock::ClockParts;
use super::compound::CompoundParts;
use super::opener::ShownValue;
use super::rating::RatingParts;
use super::stepper::StepperParts;
use super::wheel::WheelParts;
use crate::domain::Action;
use crate::hierarchy::{Widget, WidgetId};

/// The kind of a control that holds a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ControlKind {
    /// A bar with a thumb.
    Slider,
    /// A number between two buttons.
    Stepper,
    /// Stars.
    Rating,
    /// Choices side by side that touch each other.
    Segmented,
    /// A wheel, or several that hold one date.
    Wheel,
    /// A month of days.
    Calendar,
    /// The face of a clock, or its fields for the keyboard.
    ClockFace,
    /// Wheels or steppers that together hold a time of day or a duration.
    TimeWheels,
    /// A list of options that opens, closed or open; a row that shows a date or time and opens what sets it.
    Dropdown,
    /// Choices in a flow, one or several of which may be on.
    ChipGroup,
    /// Days of the week, any of which may be on.
    Weekdays,
    /// Choices one under the other, one of which is on.
    RadioGroup,
}

/// The numbers a control can hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NumberRange {
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
}

/// A recognised value control.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ValueControl {
    /// Its kind.
    pub kind: ControlKind,
    /// The widgets it consists of.
    pub widgets: Vec<WidgetId>,
    /// Its own label, else the text that stands over or beside it; empty where nothing names it.
    pub name: String,
    /// The value it shows, as it shows it.
    pub shown: Option<String>,
    /// The numbers it can hold, where the screen tells.
    pub range: Option<NumberRange>,
    /// Canonical name of the unit of its number.
    pub unit: Option<String>,
    /// The choices in sight.
    pub options: Vec<String>,
    pub(super) parts: Parts,
}

impl ValueControl {
    /// A control without range, unit and options.
    pub(super) const fn new(kind: ControlKind, widgets: Vec<WidgetId>, name: String, parts: Parts) -> Self {
        Self { kind, widgets, name, shown: None, range: None, unit: None, options: Vec::new(), parts }
    }
}

/// What a control is made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Parts {
    Slider(WidgetId),
    Stepper(StepperParts),
    Rating(RatingParts),
    Choice(ChoiceParts),
    Wheel(WheelParts),
    Compound(CompoundParts),
    Calendar(CalendarParts),
    Clock(ClockParts),
    /// A closed list of options: what opens it.
    Closed(WidgetId),
    /// What shows a date or time and opens what sets it.
    Opener(WidgetId, ShownValue),
}

/// What must be done next so that a control holds the wanted value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    /// Carry out one action.
    Act {
        /// The action.
        action: Action,
        /// Why, for the report.
        reason: String,
    },
    /// Nothing: it holds the value.
    Reached {
        /// The value it shows; the wanted value where it shows none.
        shown: String,
    },
    /// It cannot be made to hold the value.
    Impossible {
        /// Why.
        reason: String,
    },
}

impl Step {
    pub(super) fn click(widget: &Widget, reason: impl Into<String>) -> Self {
        Self::Act { action: Action::Click { target: widget.target() }, reason: reason.into() }
    }

    pub(super) fn reached(shown: impl Into<String>) -> Self {
        Self::Reached { shown: shown.into() }
    }

    pub(super) fn impossible(reason: impl Into<String>) -> Self {
        Self::Impossible { reason: reason.into() }
    }
}

/// What a control must hold, and the next step to it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plan {
    /// The control.
    pub control: ValueControl,
    /// The wanted value in the control's own terms: "7:20 PM", "2026-03-09".
    pub wanted: String,
    /// How well the request says the control's name, 0 to 1; 1 where it is the only control that can take the value and the
    /// request names no other.
    pub name_fit: f32,
    /// How surely the value is meant for this kind of control, 0 to 1.
    pub value_fit: f32,
    /// The next step.
    pub step: Step,
}

/// A wanted value for one control, before its name is compared with the request.
pub(super) struct Draft {
    pub(super) wanted: String,
    pub(super) value_fit: f32,
    pub(super) step: Step,
}

/// An action that was carried out, and what its control showed before and after it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Adjusted {
    /// The action.
    pub action: Action,
    /// What the control showed before.
    pub shown_before: Option<String>,
    /// What it showed after.
    pub shown_after: Option<String>,
}
