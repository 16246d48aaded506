//! Scoring: embedding similarity plus what an embedding cannot know, as named terms.

use super::candidate::Candidate;
use super::cues::Cues;
use super::weights::Weights;
use crate::domain::{Action, CandidateView, Direction, content_words, holds_cue, overlap};
use crate::hierarchy::{Role, Screen, Widget};
use crate::inference::{EmbedError, Embedder, cosine};
use crate::skill::Library;

/// Name of the term for a switch that already is as wanted.
const ALREADY_SO: &str = "already so";
/// Name of the term for an action that was carried out in this step before.
const DONE_BEFORE: &str = "done before";

/// What the step wants, as far as the ranking needs to know.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// The instruction, parameters filled in (secrets by name).
    pub instruction: &'a str,
    /// Texts the target's label should hold: quoted texts and values of mentioned parameters.
    pub named: &'a [String],
    /// Actions already carried out in this step.
    pub done: &'a [Action],
    /// Something was filled in during this step and nothing is left to fill in.
    pub form_filled: bool,
}

/// A candidate with its score and what the score is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The candidate.
    pub candidate: Candidate,
    /// Sum of the terms.
    pub score: f32,
    /// Weighted terms by name; zero terms are left out.
    pub terms: Vec<(&'static str, f32)>,
}

impl Ranked {
    /// The score without the terms for what is already so or was done before: how much the step means this candidate.
    pub fn meant(&self) -> f32 {
        let history = |name: &str| name == ALREADY_SO || name == DONE_BEFORE;
        self.terms.iter().filter(|(name, _)| !history(name)).map(|(_, value)| value).sum()
    }

    /// As events show it.
    pub fn view(&self) -> CandidateView {
        CandidateView {
            action: self.candidate.action.clone(),
            text: self.candidate.text.clone(),
            score: self.score,
            terms: self.terms.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(),
        }
    }
}

/// Everything the scoring reads besides screen, query and candidates.
pub struct Scorer<'a> {
    /// The model.
    pub embedder: &'a dyn Embedder,
    /// Weights of the terms.
    pub weights: &'a Weights,
    /// Cue words.
    pub cues: &'a Cues,
    /// Skills with their own cue words.
    pub skills: &'a Library,
}

/// Ranks `candidates`, best first. Equal scores keep the order of the screen, so that the ranking is deterministic.
pub fn rank(
    scorer: &Scorer<'_>,
    screen: &Screen,
    query: &Query<'_>,
    candidates: Vec<Candidate>,
) -> Result<Vec<Ranked>, EmbedError> {
    let mut texts: Vec<&str> = vec![query.instruction];
    texts.extend(candidates.iter().map(|candidate| candidate.text.as_str()));
    let vectors = scorer.embedder.embed(&texts)?;
    let (asked, vectors) = vectors.split_first().ok_or_else(|| EmbedError("no vectors came back".into()))?;
    let question = Question::new(scorer, screen, query);
    let mut ranked: Vec<Ranked> = candidates
        .into_iter()
        .zip(vectors)
        .map(|(candidate, vector)| {
            let meaning = if candidate.text.is_empty() { None } else { Some(cosine(asked, vector)) };
            let terms = question.terms(&candidate, meaning);
            Ranked { score: terms.iter().map(|(_, value)| value).sum(), candidate, terms }
        })
        .collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok(ranked)
}

/// What of the query is the same for every candidate.
struct Question<'a> {
    scorer: &'a Scorer<'a>,
    screen: &'a Screen,
    query: &'a Query<'a>,
    words: Vec<String>,
    form: bool,
    wanted_state: Option<bool>,
}

impl<'a> Question<'a> {
    fn new(scorer: &'a Scorer<'a>, screen: &'a Screen, query: &'a Query<'a>) -> Self {
        Self {
            scorer,
            screen,
            query,
            words: content_words(query.instruction),
            form: query.form_filled
                || scorer.cues.is_form(query.instruction)
                || scorer.cues.is_submit(query.instruction),
            wanted_state: scorer.cues.wanted_state(query.instruction),
        }
    }

    fn terms(&self, candidate: &Candidate, meaning: Option<f32>) -> Vec<(&'static str, f32)> {
        let w = self.scorer.weights;
        let mut terms = Vec::new();
        let mut add = |name, value: f32| {
            if value != 0.0 {
                terms.push((name, value));
            }
        };
        if let Some(meaning) = meaning {
            add("meaning", w.meaning * meaning);
            add("words", w.words * overlap(&self.words, &content_words(&candidate.text)));
        }
        if self.cued(&candidate.action) {
            add("cue", w.cue);
        } else if is_rare(&candidate.action) {
            add("rare skill", -w.rare_skill);
        }
        if let Action::Scroll { direction, .. } = &candidate.action {
            add("scroll", w.scroll_prior);
            if holds_cue(&[direction.to_string()], self.query.instruction) {
                add("towards", w.towards);
            }
        }
        if self.query.done.contains(&candidate.action) && !repeatable(&candidate.action) {
            add(DONE_BEFORE, -w.done_before);
        }
        if let Some(offer) = &candidate.offer {
            add("parameter", w.parameter * offer.fit);
            if offer.mentioned {
                add("mentioned", w.mentioned);
            } else if offer.others_mentioned {
                add("unmentioned", -w.unmentioned);
            }
            if self.form && !offer.others_mentioned {
                add("form", w.form);
            }
        } else if let Some(widget) = candidate.widget.and_then(|id| self.screen.widgets.get(id)) {
            let advances = widget.role == Role::Button && self.scorer.cues.is_advance(&widget.label);
            match &candidate.action {
                Action::SwipeSelector { direction, .. } => self.turn(widget, *direction, &mut add),
                _ if advances => {}
                _ => self.named(candidate, &mut add),
            }
            if !self.form(widget, &mut add) && advances {
                add("advance", w.advance);
            }
            self.state(widget, &mut add);
            if says_role(widget.role, self.query.instruction) {
                add("role", w.role);
            }
        }
        terms
    }

    fn cued(&self, action: &Action) -> bool {
        self.scorer.skills.get(action.skill()).is_some_and(|skill| skill.is_cued(self.query.instruction))
    }

    /// A step that names a text means the widget that shows it.
    fn named(&self, candidate: &Candidate, add: &mut impl FnMut(&'static str, f32)) {
        if self.query.named.is_empty() {
            return;
        }
        let text = candidate.text.to_lowercase();
        if self.query.named.iter().any(|name| text.contains(&name.to_lowercase())) {
            add("named", self.scorer.weights.named);
        } else {
            add("named missing", -self.scorer.weights.named_missing);
        }
    }

    /// Consent boxes come before the submit control, the submit control after everything is filled in. True when the
    /// widget is one of them.
    fn form(&self, widget: &Widget, add: &mut impl FnMut(&'static str, f32)) -> bool {
        if !self.form {
            return false;
        }
        let unticked = matches!(widget.role, Role::Checkbox) && widget.state.checked == Some(false);
        let sends = matches!(widget.role, Role::Button) && self.scorer.cues.is_submit(&widget.label);
        let counts = (unticked && self.scorer.cues.is_consent(&widget.label) && self.waits_for_consent()) || sends;
        if counts {
            add("form", self.scorer.weights.form);
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
        if let (Some(wanted), Some(checked)) = (self.wanted_state, widget.state.checked)
            && wanted == checked
        {
            add(ALREADY_SO, -self.scorer.weights.state);
        }
    }
}

/// True when the instruction names the kind of widget: "tap the … link". Words that also mean an action or anything
/// touchable (button, text, list item) tell nothing.
fn says_role(role: Role, instruction: &str) -> bool {
    let name = match role {
        Role::Link => "link",
        Role::Tab => "tab",
        Role::Checkbox => "checkbox",
        Role::Switch => "switch",
        Role::Radio => "radio button",
        Role::Dropdown => "dropdown",
        Role::Slider => "slider",
        Role::Selector => "wheel",
        _ => return false,
    };
    holds_cue(&[name.to_owned()], instruction)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::words;
    use crate::domain::{InputText, Rect, Selector, Size};
    use crate::hierarchy::{Fingerprint, UiTree, WidgetState};
    use crate::inference::Embedding;
    use crate::ranking::{Offer, Place, candidates};
    use std::hash::{DefaultHasher, Hash, Hasher};

    /// Stands in for the model: texts are alike as far as they share words.
    struct WordEmbedder;

    impl Embedder for WordEmbedder {
        fn dimensions(&self) -> usize {
            256
        }

        fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, EmbedError> {
            let one = |text: &&str| {
                let mut vector = vec![0.0_f32; 256];
                for word in words(text) {
                    let mut hasher = DefaultHasher::new();
                    word.hash(&mut hasher);
                    vector[(hasher.finish() % 256) as usize] += 1.0;
                }
                let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::EPSILON);
                vector.iter().map(|x| x / length).collect::<Vec<_>>().into()
            };
            Ok(texts.iter().map(one).collect())
        }

        fn model_calls(&self) -> u64 {
            0
        }
    }

    fn widget(id: usize, role: Role, label: &str) -> Widget {
        let top = 100 * id as i32;
        let bounds = Rect::new(0, top, 1000, top + 100);
        Widget {
            id,
            node: id,
            role,
            label: label.into(),
            context: String::new(),
            value: String::new(),
            hint: String::new(),
            resource_id: format!("app:id/w{id}"),
            id_words: String::new(),
            class: "android.widget.Button".into(),
            package: "app".into(),
            state: WidgetState { enabled: true, ..WidgetState::default() },
            clickable: role != Role::Text,
            long_clickable: false,
            scrollable: false,
            bounds,
            tap: bounds.center(),
            links: Vec::new(),
            selector: Selector::default(),
        }
    }

    fn screen(widgets: Vec<Widget>) -> Screen {
        Screen {
            tree: UiTree::default(),
            widgets,
            screenshot: None,
            display: Size::new(1000, 2000),
            foreground: None,
            keyboard_shown: false,
            masked: Vec::new(),
            title: "Screen".into(),
            kind: crate::hierarchy::ScreenKind::Ordinary,
            fingerprint: Fingerprint(1),
            digest: 1,
            scroll_areas: Vec::new(),
        }
    }

    fn ranked(screen: &Screen, offers: &[Offer], query: &Query<'_>) -> Vec<String> {
        let (weights, cues, skills) =
            (Weights::bundled().unwrap(), Cues::bundled().unwrap(), Library::bundled().unwrap());
        let scorer = Scorer { embedder: &WordEmbedder, weights: &weights, cues: &cues, skills: &skills };
        let ranked = rank(&scorer, screen, query, candidates(screen, offers, &"com.example.app".into())).unwrap();
        for one in &ranked {
            let sum: f32 = one.terms.iter().map(|(_, value)| value).sum();
            assert!((sum - one.score).abs() < 1e-5, "the terms of {} do not add up", one.candidate.action);
        }
        ranked.into_iter().map(|ranked| ranked.candidate.action.to_string()).collect()
    }

    fn query<'a>(instruction: &'a str, named: &'a [String]) -> Query<'a> {
        Query { instruction, named, done: &[], form_filled: false }
    }

    #[test]
    fn the_widget_a_step_names_wins_over_a_similar_one() {
        let screen =
            screen(vec![widget(0, Role::ListItem, "Harbour Bank"), widget(1, Role::ListItem, "Evergreen Bank")]);
        let named = ["Evergreen Bank".to_owned()];
        assert_eq!(ranked(&screen, &[], &query("select a bank", &named))[0], "click \"Evergreen Bank\"");
    }

    #[test]
    fn when_the_named_text_is_not_in_sight_scrolling_wins() {
        let mut screen = screen(vec![widget(0, Role::ListItem, "Harbour Bank")]);
        screen.scroll_areas.push(Rect::new(0, 200, 1000, 1800));
        let named = ["Evergreen Bank".to_owned()];
        assert_eq!(ranked(&screen, &[], &query("select Evergreen Bank", &named))[0], "scroll down");
    }

    #[test]
    fn a_switch_that_is_as_wanted_is_left_alone() {
        let mut on = widget(0, Role::Switch, "Fingerprint payment");
        on.state.checked = Some(true);
        let mut off = widget(1, Role::Switch, "Fingerprint payment for friends");
        off.state.checked = Some(false);
        let screen = screen(vec![on, off]);
        let first = &ranked(&screen, &[], &query("Turn on fingerprint payment", &[]))[0];
        assert_eq!(first, "click \"Fingerprint payment for friends\"");
    }

    #[test]
    fn a_wheel_is_turned_towards_the_value_and_left_alone_when_it_shows_it() {
        let mut wheel = widget(0, Role::Selector, "500, 1,000, 2,000");
        wheel.value = "1,000".into();
        let named = ["2,000".to_owned()];
        let screen = screen(vec![wheel]);
        assert!(ranked(&screen, &[], &query("Turn the wheel to 2,000", &named))[0].ends_with("down"));
        let named = ["500".to_owned()];
        assert!(ranked(&screen, &[], &query("Turn the wheel to 500", &named))[0].ends_with("up"));
    }

    #[test]
    fn where_nothing_else_fits_next_leads_on() {
        let screen = screen(vec![widget(0, Role::Radio, "Debit card"), widget(1, Role::Button, "Next")]);
        assert_eq!(ranked(&screen, &[], &query("Read the terms", &["Terms".to_owned()]))[0], "click \"Next\"");
    }

    #[test]
    fn going_back_waiting_and_opening_the_app_are_chosen_when_a_step_says_so() {
        let screen = screen(vec![widget(0, Role::Button, "Help"), widget(1, Role::Button, "Bills")]);
        assert_eq!(ranked(&screen, &[], &query("Go back", &[]))[0], "press_back");
        assert_eq!(ranked(&screen, &[], &query("Wait for a moment", &[]))[0], "wait 5000 ms");
        assert_eq!(ranked(&screen, &[], &query("Open the app", &[]))[0], "open_app com.example.app");
        assert_eq!(ranked(&screen, &[], &query("Open Help", &[]))[0], "click \"Help\"");
    }

    #[test]
    fn a_disabled_widget_is_no_candidate() {
        let mut send = widget(0, Role::Button, "Send");
        send.state.enabled = false;
        let ranked = ranked(&screen(vec![send]), &[], &query("Send", &[]));
        assert!(!ranked.iter().any(|action| action.contains("Send")), "{ranked:?}");
    }

    #[test]
    fn fields_come_before_consent_and_consent_before_the_submit_button() {
        let field = widget(0, Role::Field, "Full name");
        let mut consent = widget(1, Role::Checkbox, "I have read and agree to the terms");
        consent.state.checked = Some(false);
        let mut submit = widget(2, Role::Button, "Continue");
        submit.state.enabled = false;
        let offer = Offer {
            place: Place::Field(0),
            parameter: "full_name".into(),
            text: InputText::Plain("Ada".into()),
            fit: 0.9,
            mentioned: false,
            others_mentioned: false,
        };
        let mut screen = screen(vec![field, consent, submit]);
        let ask = query("Submit personal information", &[]);
        assert_eq!(ranked(&screen, &[offer], &ask)[0], "input_text \"Ada\" into \"Full name\"");
        assert_eq!(ranked(&screen, &[], &ask)[0], "click \"I have read and agree to the terms\"");
        screen.widgets[1].state.checked = Some(true);
        screen.widgets[2].state.enabled = true;
        assert_eq!(ranked(&screen, &[], &ask)[0], "click \"Continue\"");
    }

    #[test]
    fn a_paragraph_with_links_is_touched_on_its_links_only() {
        let mut paragraph = widget(0, Role::Text, "I agree to the Terms of Service");
        paragraph.clickable = true;
        paragraph.links.push(Rect::new(600, 10, 900, 40));
        let link = widget(1, Role::Link, "Terms of Service");
        let actions: Vec<_> = candidates(&screen(vec![paragraph, link]), &[], &"com.example.app".into())
            .into_iter()
            .map(|one| one.action.to_string())
            .collect();
        assert_eq!(actions[..2], ["click \"Terms of Service\"", "press_back"]);
    }
}
