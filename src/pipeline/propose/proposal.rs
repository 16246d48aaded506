//! A proposal: one thing that could be done now, or the end of the clause.

use crate::domain::Action;
use crate::hierarchy::WidgetId;
use crate::pipeline::policy::Features;

/// Who proposes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// A control that may be meant.
    Touch,
    /// A value for a field or keypad.
    Input,
    /// A value for a picker, slider, stepper, …
    Value,
    /// A control that sends or confirms.
    Commit,
    /// Looking further: scrolling, menus, tabs, containers.
    Explore,
    /// A known way to where the clause can be carried out.
    Route,
    /// Back to where more may fit.
    Back,
    /// A key that the clause or a search field asks for.
    Key,
    /// An answer to a window that no clause speaks of.
    Interruption,
    /// Letting time pass.
    Wait,
}

impl Source {
    /// True for what carries something of the clause out, false for what only looks for it.
    pub const fn carries_out(self) -> bool {
        matches!(self, Self::Touch | Self::Input | Self::Value | Self::Commit | Self::Key)
    }
}

/// What a proposal does.
#[derive(Debug, Clone, PartialEq)]
pub enum Move {
    /// Acts on the device.
    Act(Action),
    /// Ends the clause: it is carried out.
    Done,
}

/// One thing that could be done now.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// What it does.
    pub action: Move,
    /// The control it is aimed at.
    pub widget: Option<WidgetId>,
    /// Who proposes it.
    pub source: Source,
    /// What speaks for and against it.
    pub features: Features,
    /// The parameter it gives.
    pub parameter: Option<String>,
    /// The value that a value control shows now.
    pub shown: Option<String>,
    /// Why, in words.
    pub reason: String,
    /// The control in the words that the model reads.
    pub text: String,
}

impl Proposal {
    /// The action, for all but the end of the clause.
    pub const fn action(&self) -> Option<&Action> {
        match &self.action {
            Move::Act(action) => Some(action),
            Move::Done => None,
        }
    }
}
