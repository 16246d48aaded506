//! One instruction on one screen: the named terms of every candidate.

use super::candidate::Candidate;
use super::likeness::{Rarity, Spoken, figures, tokens};
use super::order::{Counted, counted};
use super::score::{ADVANCE, ALREADY_SO, DONE_BEFORE, FORM, KINDRED, Query, Scorer};
use super::senses::Meant;
use super::text::{WidgetText, widget_texts};
use crate::domain::{Action, CueText, Direction, holds_name};
use crate::hierarchy::{Role, Screen, Widget};
use std::collections::HashSet;

/// What of the query is the same for every candidate.
pub(super) struct Question<'a> {
    scorer: &'a Scorer<'a>,
    screen: &'a Screen,
    query: &'a Query<'a>,
    cues: CueText,
    spoken: Spoken,
    meant: Meant,
    /// Numbers that tell one thing from others.
    figures: Vec<String>,
    /// The instruction's words.
    asked: Vec<String>,
    all_asked: HashSet<String>,
    rarity: Rarity,
    texts: Vec<WidgetText>,
    words: Vec<HashSet<String>>,
    counted: Vec<Counted>,
    cued_skills: Vec<&'a str>,
    /// Kinds of widgets the instruction names and the screen has.
    roles: Vec<&'static str>,
    places: Vec<&'a str>,
    form: bool,
    wanted_state: Option<bool>,
    directions: Vec<Direction>,
    /// How much more than a usual one the instruction resembles any widget whatever.
    background: f32,
}

impl<'a> Question<'a> {
    pub(super) fn new(scorer: &'a Scorer<'a>, screen: &'a Screen, query: &'a Query<'a>, resemblance: f32) -> Self {
        let cues = CueText::new(query.instruction);
        let texts = widget_texts(screen);
        let words: Vec<HashSet<String>> = texts.iter().map(own_words).collect();
        let rarity = Rarity::of(words.iter());
        let asked = tokens(query.sentence);
        let mut roles = scorer.cues.roles(&cues);
        roles.retain(|role| texts.iter().any(|text| text.role == *role));
        Self {
            scorer,
            screen,
            query,
            counted: counted(screen, &texts, scorer.cues.order(&cues)),
            cued_skills: scorer
                .skills
                .cued(&cues)
                .filter(|skill| *skill != "press_back" || !scorer.cues.settles(&cues))
                .collect(),
            places: scorer.cues.places(&cues),
            form: query.form_filled
                || scorer.cues.is_form(query.instruction)
                || scorer.cues.is_submit(query.instruction),
            wanted_state: scorer.cues.wanted_state(query.instruction),
            directions: scorer.cues.directions(&cues),
            background: resemblance - scorer.weights.usual,
            cues,
            spoken: Spoken::new(query.sentence),
            figures: figures(query.instruction),
            meant: Meant::new(query.instruction, query.whole)
                .among(screen.widgets.iter().map(|one| one.label.as_str())),
            all_asked: asked.iter().cloned().collect(),
            asked,
            rarity,
            texts,
            words,
            roles,
        }
    }

    /// The candidate's terms, weighted, those that are zero left out.
    pub(super) fn terms(&self, candidate: &Candidate, meaning: Option<f32>) -> Vec<(&'static str, f32)> {
        let w = self.scorer.weights;
        let mut terms = Vec::new();
        let mut add = |name, value: f32| {
            if value != 0.0 {
                terms.push((name, value));
            }
        };
        match (meaning, &candidate.action) {
            // It is the same text on every screen, so it is compared apart from the widgets.
            (Some(meaning), Action::Scroll { .. }) => add("scroll_meaning", w.scroll_meaning * meaning.max(0.0)),
            (Some(meaning), _) => {
                add("meaning", w.meaning * meaning);
                add("background", -w.background * self.background);
            }
            (None, _) => {}
        }
        self.skill(&candidate.action, &mut add);
        if self.query.done.contains(&candidate.action) && !repeatable(&candidate.action) {
            add(DONE_BEFORE, -w.done_before);
        }
        if let Some(id) = candidate.widget {
            self.shared(id, &mut add);
        }
        let widget = candidate.widget.and_then(|id| self.screen.widgets.get(id));
        if let Some(offer) = &candidate.offer {
            add("parameter", w.parameter * offer.fit);
            if offer.tentative {
                add("tentative", -w.tentative);
                if widget.is_some_and(|widget| !widget.state.enabled) {
                    add("disabled", -w.disabled);
                }
            } else if offer.mentioned {
                add("mentioned", w.mentioned);
            } else if offer.others_mentioned {
                add("unmentioned", -w.unmentioned);
            }
            if self.form && !offer.others_mentioned && !offer.tentative {
                add("form_field", w.form_field);
            }
        } else if let Some(widget) = widget {
            self.touched(candidate, widget, &mut add);
        }
        terms
    }

    /// What the instruction says about how it is to be done.
    fn skill(&self, action: &Action, add: &mut impl FnMut(&'static str, f32)) {
        let w = self.scorer.weights;
        if self.cued_skills.contains(&action.skill()) {
            match action {
                Action::LongPress { .. } => add("long_press_cue", w.long_press_cue),
                Action::PressBack => add("back_cue", w.back_cue),
                Action::Scroll { .. } => add("scroll_cue", w.scroll_cue),
                Action::Wait { .. } => add("wait_cue", w.wait_cue),
                Action::InputText { .. } => add("input_cue", w.input_cue),
                _ => add("cue", w.cue),
            }
        } else if is_rare(action) {
            add("rare_skill", -w.rare_skill);
        }
        let in_front =
            |package: &str| self.screen.foreground.as_deref().is_some_and(|front| front.starts_with(package));
        if matches!(action, Action::OpenApp { package } if in_front(package.as_str())) {
            add("in_front", -w.in_front);
        }
        if matches!(action, Action::PressBack) && self.scorer.cues.is_system_back(&self.cues) {
            add("back_key", w.back_key);
        }
        if let Action::Scroll { direction, .. } = action {
            add("scroll_prior", w.scroll_prior);
            if self.directions.contains(direction) && self.cued_skills.contains(&"scroll") {
                add("towards", w.towards);
            }
        }
    }

    /// What instruction and widget share.
    fn shared(&self, id: usize, add: &mut impl FnMut(&'static str, f32)) {
        let w = self.scorer.weights;
        let (Some(text), Some(words)) = (self.texts.get(id), self.words.get(id)) else { return };
        add("asked_words", w.asked_words * self.rarity.share(self.asked.iter(), words));
        add("own_words", w.own_words * self.rarity.share(words.iter(), &self.all_asked));
        if self.spoken.says(&text.label) {
            add("said", w.said);
        } else if self.spoken.says(first_part(&text.label)) {
            add("said", w.said * 0.7);
        }
        add("letters", w.letters * self.spoken.letters(&text.label));
        if !self.figures.is_empty() {
            let own = figures(&text.label);
            let held = self.figures.iter().filter(|figure| own.contains(figure)).count();
            add("figures", w.figures * held as f32 / self.figures.len() as f32);
        }
        add(KINDRED, w.kindred * self.meant.kindred(first_part(&text.label)));
        // What a row says further on may be just what tells it from the others.
        let contrary =
            if self.meant.is_set_off(&text.label) { 1.0 } else { self.meant.contrary(first_part(&text.label)) };
        add("contrary", -w.contrary * contrary);
        if self.roles.contains(&text.role) {
            add("role", w.role);
        } else if !self.roles.is_empty() {
            add("other_role", -w.other_role);
        }
        if !self.places.is_empty() {
            let true_ones = self.places.iter().filter(|place| text.position.contains(**place)).count();
            add("place", w.place * true_ones as f32 / self.places.len() as f32);
        }
        if self.counted.get(id).is_some_and(|counted| counted.is_meant) {
            add("order", w.order);
        }
    }

    /// What speaks for or against touching a widget.
    fn touched(&self, candidate: &Candidate, widget: &Widget, add: &mut impl FnMut(&'static str, f32)) {
        let w = self.scorer.weights;
        let advances = widget.role == Role::Button && self.scorer.cues.is_advance(&widget.label);
        match &candidate.action {
            Action::SwipeSelector { direction, .. } => self.turn(widget, *direction, add),
            _ if advances => {}
            _ => self.named(widget, add),
        }
        if !self.form(widget, add) && advances {
            add(ADVANCE, w.advance);
        }
        self.state(widget, add);
        if !widget.state.enabled {
            add("disabled", -w.disabled);
        }
        if widget.role == Role::Field {
            add("touch_field", -w.touch_field);
        } else if !widget.clickable && matches!(candidate.action, Action::Click { .. }) {
            add("inert", -w.inert);
        }
        if widget.label.is_empty() {
            add("unnamed", -w.unnamed);
        }
    }

    /// A step that names a text means the widget that shows it.
    fn named(&self, widget: &Widget, add: &mut impl FnMut(&'static str, f32)) {
        if self.query.named.is_empty() {
            return;
        }
        let text = self.texts.get(widget.id).map(WidgetText::joined).unwrap_or_default().to_lowercase();
        let (label, first) = (widget.label.to_lowercase(), first_part(&widget.label).to_lowercase());
        let shown = |name: &String| match () {
            () if label == name.to_lowercase() || first == name.to_lowercase() => 1.0,
            () if holds_name(&text, name) => 0.9,
            () => 0.0_f32,
        };
        let best = self.query.named.iter().map(shown).fold(0.0, f32::max);
        if best > 0.0 {
            add("named", self.scorer.weights.named * best);
        } else if !self.cued_skills.contains(&"input_text") && !self.is_where_it_is_looked_up(widget) {
            // A text to be typed is not shown yet.
            add("named_missing", -self.scorer.weights.named_missing);
        }
    }

    /// The step looks something up, and this is where that begins.
    fn is_where_it_is_looked_up(&self, widget: &Widget) -> bool {
        self.scorer.cues.is_search(self.query.instruction) && self.scorer.cues.is_search(&widget.label)
    }

    /// Consent boxes come before the submit control, the submit control after everything is filled in. True when the
    /// widget is one of them.
    fn form(&self, widget: &Widget, add: &mut impl FnMut(&'static str, f32)) -> bool {
        if !self.form {
            return false;
        }
        let unticked = matches!(widget.role, Role::Checkbox) && widget.state.checked == Some(false);
        let sends =
            matches!(widget.role, Role::Button) && widget.state.enabled && self.scorer.cues.is_submit(&widget.label);
        let counts = (unticked && self.scorer.cues.is_consent(&widget.label) && self.waits_for_consent()) || sends;
        if counts && self.query.form_filled {
            add("form_filled", self.scorer.weights.form_filled);
        } else if counts {
            add(FORM, self.scorer.weights.form);
        }
        counts
    }

    /// A wheel is turned towards the named value, and left alone when it shows it.
    fn turn(&self, widget: &Widget, direction: Direction, add: &mut impl FnMut(&'static str, f32)) {
        let w = self.scorer.weights;
        let Some(wanted) = self.query.named.first() else { return };
        if widget.value == *wanted {
            add("named", w.named);
            add(ALREADY_SO, -w.state);
            return;
        }
        let towards = match (number(&widget.value), number(wanted)) {
            (Some(now), Some(wanted)) if wanted > now => Direction::Down,
            (Some(_), Some(_)) => Direction::Up,
            _ => return,
        };
        if direction == towards {
            add("towards", w.towards);
        }
    }

    /// A form whose submit control is off, or whose consent box is not ticked yet, waits for consent.
    fn waits_for_consent(&self) -> bool {
        self.screen.widgets.iter().any(|widget| {
            matches!(widget.role, Role::Button) && (!widget.state.enabled || self.scorer.cues.is_submit(&widget.label))
        })
    }

    fn state(&self, widget: &Widget, add: &mut impl FnMut(&'static str, f32)) {
        let w = self.scorer.weights;
        if let (Some(wanted), Some(checked)) = (self.wanted_state, widget.state.checked) {
            if wanted == checked {
                add(ALREADY_SO, -w.state);
            } else {
                add("switch", w.switch);
            }
        }
    }
}

/// The words a widget shows or is named by; not its kind and place, which have terms of their own.
fn own_words(text: &WidgetText) -> HashSet<String> {
    [&text.label, &text.context, &text.hint, &text.id_words].into_iter().flat_map(|part| tokens(part)).collect()
}

/// A row's label begins with its own name: "Some Bank, loans and savings".
fn first_part(label: &str) -> &str {
    label.split(", ").next().unwrap_or(label)
}

/// The number a value shows, whatever its separators: "2,000" is 2000.
fn number(text: &str) -> Option<u64> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Skills that no step means unless it says so.
const fn is_rare(action: &Action) -> bool {
    matches!(action, Action::PressBack | Action::LongPress { .. } | Action::Wait { .. } | Action::OpenApp { .. })
}

fn repeatable(action: &Action) -> bool {
    matches!(action, Action::Scroll { .. } | Action::SwipeSelector { .. } | Action::Wait { .. })
}
