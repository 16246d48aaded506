//! What could be done on a screen: skill × widget × parameter.

use crate::domain::{Action, Direction, InputText, PackageName, Rect};
use crate::hierarchy::{Role, Screen, Widget, WidgetId};

/// Where and how a parameter can be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Typed into a field.
    Field(WidgetId),
    /// Pressed on the numeric keypad.
    Keypad,
    /// Chosen: the widget shows the value.
    Choice(WidgetId),
    /// Behind a widget that opens the choices.
    Opener(WidgetId),
}

impl Place {
    /// The widget, for all but the keypad.
    pub const fn widget(self) -> Option<WidgetId> {
        match self {
            Self::Field(id) | Self::Choice(id) | Self::Opener(id) => Some(id),
            Self::Keypad => None,
        }
    }
}

/// A parameter offered for a place on the screen, by the parameter selection.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// The place.
    pub place: Place,
    /// The parameter's name.
    pub parameter: String,
    /// What to type.
    pub text: InputText,
    /// How well they fit, 0…1.
    pub fit: f32,
    /// The instruction mentions the parameter.
    pub mentioned: bool,
    /// The instruction mentions parameters, but not this one.
    pub others_mentioned: bool,
}

/// One thing that could be done.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The action.
    pub action: Action,
    /// The widget it is aimed at.
    pub widget: Option<WidgetId>,
    /// What the model compares with the instruction; empty for actions that are not about a widget.
    pub text: String,
    /// Set for input candidates.
    pub offer: Option<Offer>,
}

/// How long an explicit wait lasts at most; it ends when the screen changes.
const WAIT_MS: u64 = 5_000;

/// Everything that could be done on `screen` of `package`, given the parameters on offer.
pub fn candidates(screen: &Screen, offers: &[Offer], package: &PackageName) -> Vec<Candidate> {
    let mut found = Vec::new();
    for widget in &screen.widgets {
        widget_candidates(widget, &mut found);
    }
    for offer in offers {
        found.extend(input_candidate(screen, offer));
    }
    for area in &screen.scroll_areas {
        for direction in directions(*area, screen) {
            found.push(plain(Action::Scroll { direction, area: *area }, String::new()));
        }
    }
    found.push(plain(Action::PressBack, "go back to the previous screen".into()));
    found.push(plain(Action::Wait { ms: WAIT_MS }, "wait for a moment".into()));
    // The last part of an application id is the nearest thing to a name that every device tells.
    let name = package.as_str().rsplit('.').next().unwrap_or_default();
    found.push(plain(Action::OpenApp { package: package.clone() }, format!("open the app {name}")));
    found
}

fn plain(action: Action, text: String) -> Candidate {
    Candidate { action, widget: None, text, offer: None }
}

fn widget_candidates(widget: &Widget, found: &mut Vec<Candidate>) {
    // What has no name cannot be meant.
    if !widget.state.enabled || (widget.label.is_empty() && widget.id_words.is_empty()) {
        return;
    }
    let mut push = |action| {
        found.push(Candidate { action, widget: Some(widget.id), text: describe(widget), offer: None });
    };
    if widget.role == Role::Selector {
        for direction in [Direction::Down, Direction::Up] {
            push(Action::SwipeSelector { target: widget.target(), direction });
        }
        return;
    }
    // A paragraph with links reacts on the links only, whether or not its node says it can be clicked; perception lists
    // each link as a widget of its own.
    if !widget.links.is_empty() && widget.role != Role::Link {
        return;
    }
    if widget.clickable && !matches!(widget.role, Role::KeypadKey | Role::Field) {
        push(Action::Click { target: widget.target() });
    }
    if widget.long_clickable && widget.role != Role::Field {
        push(Action::LongPress { target: widget.target() });
    }
}

fn input_candidate(screen: &Screen, offer: &Offer) -> Option<Candidate> {
    let widget = match offer.place.widget() {
        Some(id) => Some(screen.widgets.get(id).filter(|widget| widget.state.enabled)?),
        None => None,
    };
    let name = offer.parameter.replace(['_', '-', '.'], " ");
    let (action, text) = match (offer.place, widget) {
        (Place::Field(_), Some(field)) => (
            Action::InputText { target: field.target(), text: offer.text.clone() },
            format!("enter {name}: {}", describe(field)),
        ),
        (Place::Choice(_) | Place::Opener(_), Some(widget)) => {
            (Action::Click { target: widget.target() }, format!("choose {name}: {}", describe(widget)))
        }
        _ => (
            Action::InputByNumericKeyboard { digits: offer.text.clone(), keys: screen.keypad_keys() },
            format!("enter {name}: {}", screen.title),
        ),
    };
    Some(Candidate { action, widget: offer.place.widget(), text, offer: Some(offer.clone()) })
}

fn directions(area: Rect, screen: &Screen) -> [Direction; 2] {
    // An area much wider than tall is a carousel.
    if area.width() > 2 * area.height() && area.height() * 3 < screen.display.height as i32 {
        [Direction::Right, Direction::Left]
    } else {
        [Direction::Down, Direction::Up]
    }
}

/// A widget in words: label, context, and what its id says beyond them.
pub(super) fn describe(widget: &Widget) -> String {
    let mut text = widget.label.clone();
    let mut add = |part: &str| {
        if !part.is_empty() && !text.to_lowercase().contains(&part.to_lowercase()) {
            if !text.is_empty() {
                text.push_str(", ");
            }
            text.push_str(part);
        }
    };
    // A link's context is the whole paragraph, which is about everything else too.
    if widget.role != Role::Link {
        add(&widget.context);
    }
    add(&widget.hint);
    add(&widget.id_words);
    text
}
