//! The texts a model is tuned on: every candidate of every labelled screen, as the ranking writes it.

use super::ranking_labels::LabelledScreen;
use crate::domain::{InputText, Point, Rect};
use crate::hierarchy::Role;
use crate::ranking::{Candidate, Offer, Place, WidgetText, candidates, widget_texts};
use serde::Serialize;

/// A screen's candidates, a line of `train texts`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScreenTexts {
    /// The screen's name.
    pub screen: String,
    /// The app that shows it.
    pub package: String,
    /// Its title.
    pub title: String,
    /// Width and height.
    pub display: [u32; 2],
    /// What could be done.
    pub candidates: Vec<CandidateTexts>,
}

/// One candidate in words and in its parts; the parts are empty for what is not about a widget.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(missing_docs, reason = "each is a part of `ranking::WidgetText`")]
pub struct CandidateTexts {
    /// The skill.
    pub skill: &'static str,
    /// Where it is done; `null` for what is not about a place.
    pub bounds: Option<Rect>,
    /// Where it touches.
    pub tap: Option<[i32; 2]>,
    pub label: String,
    pub context: String,
    pub hint: String,
    pub id_words: String,
    pub role: &'static str,
    pub state: String,
    pub position: String,
    /// Scrolling: which way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<String>,
    /// What the model reads.
    pub text: String,
}

/// The texts of a screen. Every field is taken as one that something could be typed into.
pub fn screen_texts(labelled: &LabelledScreen) -> ScreenTexts {
    let screen = &labelled.screen;
    let parts = widget_texts(screen);
    let offers: Vec<Offer> = screen
        .widgets
        .iter()
        .filter(|widget| widget.role == Role::Field)
        .map(|widget| Offer {
            place: Place::Field(widget.id),
            parameter: String::new(),
            text: InputText::Plain(String::new()),
            fit: 0.0,
            mentioned: false,
            others_mentioned: false,
            tentative: false,
        })
        .collect();
    let one = |candidate: &Candidate| {
        let text = candidate.widget.and_then(|id| parts.get(id)).cloned().unwrap_or_default();
        let WidgetText { label, context, hint, id_words, role, state, position } = text;
        let (bounds, tap) = place(candidate);
        CandidateTexts {
            skill: candidate.action.skill(),
            bounds,
            tap: tap.map(|tap| [tap.x, tap.y]),
            label,
            context,
            hint,
            id_words,
            role,
            state,
            position,
            direction: candidate.action.direction().map(|direction| direction.to_string()),
            text: candidate.text.clone(),
        }
    };
    ScreenTexts {
        screen: labelled.name.clone(),
        package: labelled.package.as_str().to_owned(),
        title: screen.title.clone(),
        display: [screen.display.width, screen.display.height],
        candidates: candidates(screen, &offers, &labelled.package).iter().map(one).collect(),
    }
}

/// Where a candidate acts: its widget's bounds and tap point, or a scrolled area and its middle.
pub(super) fn place(candidate: &Candidate) -> (Option<Rect>, Option<Point>) {
    match (candidate.action.target(), &candidate.action) {
        (Some(target), _) => (Some(target.bounds), Some(target.tap)),
        (None, crate::domain::Action::Scroll { area, .. }) => (Some(*area), Some(area.center())),
        _ => (None, None),
    }
}
