//! What could be done on a screen: skill × widget × parameter.

use super::text::{WidgetText, widget_texts};
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
    /// The place is not clearly the parameter's: the ranking may choose it, but nothing waits for it.
    pub tentative: bool,
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
///
/// Widgets without a name are among them (their place and what is around them may be meant), and so are those that a
/// dump calls disabled or not clickable: dumps are wrong about it now and then, and the ranking counts it against them.
pub fn candidates(screen: &Screen, offers: &[Offer], package: &PackageName) -> Vec<Candidate> {
    let texts: Vec<String> = widget_texts(screen).iter().map(WidgetText::joined).collect();
    let mut found = Vec::new();
    let keypad = offers.iter().any(|offer| offer.place == Place::Keypad);
    for (widget, text) in screen.widgets.iter().zip(&texts) {
        // What is to be given on the keypad is pressed as a whole.
        if !(keypad && widget.role == Role::KeypadKey) {
            widget_candidates(widget, text, &mut found);
        }
    }
    for offer in offers {
        found.extend(input_candidate(screen, &texts, offer));
    }
    for area in &screen.scroll_areas {
        for direction in directions(*area, screen) {
            found.push(plain(Action::Scroll { direction, area: *area }, scroll_text(direction).into()));
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

const fn scroll_text(direction: Direction) -> &'static str {
    match direction {
        Direction::Down => "scroll down to see more below",
        Direction::Up => "scroll up to see what is above",
        Direction::Left => "swipe back to see what is on the left",
        Direction::Right => "swipe on to see more on the right",
    }
}

fn widget_candidates(widget: &Widget, text: &str, found: &mut Vec<Candidate>) {
    let mut push = |action| {
        found.push(Candidate { action, widget: Some(widget.id), text: text.to_owned(), offer: None });
    };
    if widget.role == Role::Selector {
        for direction in [Direction::Down, Direction::Up] {
            push(Action::SwipeSelector { target: widget.target(), direction });
        }
        return;
    }
    // A paragraph with links reacts on the links only, whether or not its node says it can be clicked; perception lists
    // each link as a widget of its own. An entry of a list reacts as a whole, also where a part of it is coloured.
    let entry = widget.role == Role::ListItem && widget.clickable;
    if !widget.links.is_empty() && widget.role != Role::Link && !entry {
        return;
    }
    let shown = matches!(widget.role, Role::Text | Role::Image) && !widget.label.is_empty();
    if widget.clickable || widget.role == Role::Field || shown {
        push(Action::Click { target: widget.target() });
    }
    if widget.long_clickable {
        push(Action::LongPress { target: widget.target() });
    }
}

fn input_candidate(screen: &Screen, texts: &[String], offer: &Offer) -> Option<Candidate> {
    let widget = match offer.place.widget() {
        Some(id) => Some(screen.widgets.get(id).filter(|widget| widget.state.enabled || offer.tentative)?),
        None => None,
    };
    let words = |widget: &Widget| texts.get(widget.id).cloned().unwrap_or_default();
    let (action, text) = match (offer.place, widget) {
        (Place::Field(_), Some(field)) => {
            (Action::InputText { target: field.target(), text: offer.text.clone() }, words(field))
        }
        (Place::Choice(_) | Place::Opener(_), Some(widget)) => {
            (Action::Click { target: widget.target() }, words(widget))
        }
        _ => (
            Action::InputByNumericKeyboard { digits: offer.text.clone(), keys: screen.keypad_keys() },
            format!("{} | numeric keypad", screen.title),
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
