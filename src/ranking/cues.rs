//! Words that tell what a step is about.

use super::order::Order;
use super::text::ROLES;
use crate::domain::{CueList, CueText, Direction, holds_cue, spans_cue, words};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Whole labels, without regard to case, punctuation and white space.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(from = "Vec<String>")]
struct Labels(BTreeSet<String>);

impl From<Vec<String>> for Labels {
    fn from(labels: Vec<String>) -> Self {
        Self(labels.iter().map(|label| words(label).join(" ")).collect())
    }
}

impl Labels {
    fn has(&self, label: &str) -> bool {
        let label = words(label).join(" ");
        !label.is_empty() && self.0.contains(&label)
    }
}

/// Cue words by purpose; see `cues.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cues {
    form: CueList,
    submit: CueList,
    consent: CueList,
    assertion: CueList,
    purpose: Vec<String>,
    negation: CueList,
    on: CueList,
    off: CueList,
    advance: CueList,
    search: CueList,
    remark: CueList,
    back: Labels,
    kin: Vec<Vec<String>>,
    manner: Vec<String>,
    sort_of_value: Vec<Vec<String>>,
    apart: Vec<[String; 2]>,
    system_back: CueList,
    settles: Vec<String>,
    put_off: Labels,
    acknowledge: Labels,
    place: BTreeMap<String, CueList>,
    order: BTreeMap<String, CueList>,
    role: BTreeMap<String, CueList>,
    direction: BTreeMap<Direction, CueList>,
}

impl Cues {
    /// The cues that ship with Tapwright.
    pub fn bundled() -> Result<Self, toml::de::Error> {
        toml::from_str(include_str!("cues.toml"))
    }

    /// The step asks for a form to be filled in or sent.
    pub fn is_form(&self, instruction: &str) -> bool {
        holds_cue(&self.form, instruction)
    }

    /// The label is that of a control that sends a form.
    pub fn is_submit(&self, label: &str) -> bool {
        holds_cue(&self.submit, label)
    }

    /// The label is that of a control that only leads on.
    pub fn is_advance(&self, label: &str) -> bool {
        holds_cue(&self.advance, label)
    }

    /// The label of a control that leads back.
    pub fn leads_back(&self, label: &str) -> bool {
        self.back.has(label)
    }

    /// The words, those of one kind as the same word: "surname" is "last".
    pub fn kinds(&self, words: Vec<String>) -> Vec<String> {
        let kind = |word: String| match self.kin.iter().find(|kin| kin.contains(&word)) {
            Some(kin) => kin.first().cloned().unwrap_or(word),
            None => word,
        };
        words.into_iter().map(kind).collect()
    }

    /// Both tell what sort of value they are about, and it is not the same: a name and a number.
    pub fn are_other_sorts(&self, one: &[String], other: &[String]) -> bool {
        let speaks = |words: &[String], sort: &[String]| words.iter().any(|word| sort.contains(word));
        let sorts = |words: &[String]| self.sort_of_value.iter().map(|sort| speaks(words, sort)).collect::<Vec<_>>();
        let (one, other) = (sorts(one), sorts(other));
        one.contains(&true) && other.contains(&true) && !one.iter().zip(&other).any(|(here, there)| *here && *there)
    }

    /// What a label asks for, without how it is to be written: "Name as in your passport" asks for a name.
    pub fn without_manner<'t>(&self, label: &'t str) -> &'t str {
        let lower = label.to_ascii_lowercase();
        let cut = self.manner.iter().filter_map(|joint| lower.find(joint.as_str())).filter(|at| *at > 0).min();
        cut.and_then(|at| label.get(..at)).unwrap_or(label)
    }

    /// The text asks for remarks of any kind.
    pub fn is_remark(&self, text: &str) -> bool {
        holds_cue(&self.remark, text)
    }

    /// One speaks of something and the other of its counterpart.
    pub fn are_apart(&self, one: &[String], other: &[String]) -> bool {
        let speaks = |words: &[String], kind: &String| words.contains(kind);
        self.apart.iter().any(|[here, there]| {
            (speaks(one, here) && speaks(other, there) && !speaks(one, there) && !speaks(other, here))
                || (speaks(one, there) && speaks(other, here) && !speaks(one, here) && !speaks(other, there))
        })
    }

    /// A step that looks something up, or the label of where that is done.
    pub fn is_search(&self, text: &str) -> bool {
        holds_cue(&self.search, text)
    }

    /// The label is that of a control that puts a question off.
    pub fn puts_off(&self, label: &str) -> bool {
        self.put_off.has(label)
    }

    /// The label is that of a control that only takes notice.
    pub fn acknowledges(&self, label: &str) -> bool {
        self.acknowledge.has(label)
    }

    /// The label is that of a box that must be ticked before a form can be sent.
    pub fn is_consent(&self, label: &str) -> bool {
        holds_cue(&self.consent, label)
    }

    /// The step checks instead of acting.
    pub fn is_assertion(&self, instruction: &str) -> bool {
        // What something is done for, or until when, is no check: "Filter the list so that only books are shown".
        let lower = without_relative_clauses(&instruction.to_lowercase());
        let cut = self.purpose.iter().filter_map(|joint| lower.find(joint.as_str())).filter(|at| *at > 0).min();
        holds_cue(&self.assertion, cut.and_then(|at| lower.get(..at)).unwrap_or(&lower))
    }

    /// A step that checks, checks that something is not there.
    pub fn is_negated(&self, instruction: &str) -> bool {
        holds_cue(&self.negation, instruction)
    }

    /// The step speaks of the system's own back key.
    pub fn is_system_back(&self, instruction: &CueText) -> bool {
        instruction.holds(&self.system_back) && !instruction.begins_with(&self.settles)
    }

    /// The step settles how something is to be from now on: what it speaks of is not done now.
    pub fn settles(&self, instruction: &CueText) -> bool {
        instruction.begins_with(&self.settles)
    }

    /// The places a step speaks of, in the words of a widget's position.
    pub fn places(&self, instruction: &CueText) -> Vec<&str> {
        self.place.iter().filter(|(_, cues)| instruction.holds(cues)).map(|(place, _)| place.as_str()).collect()
    }

    /// The number a step counts to, the smallest where there are several.
    pub fn order(&self, instruction: &CueText) -> Option<Order> {
        let (number, _) = self.order.iter().find(|(_, cues)| instruction.holds(cues))?;
        Some(number.parse().map_or(Order::Last, Order::Number))
    }

    /// The kinds of widgets a step speaks of, in the words of a widget's text.
    pub fn roles(&self, instruction: &CueText) -> Vec<&'static str> {
        let known = |word: &str| ROLES.iter().copied().find(|role| *role == word);
        self.role.iter().filter(|(_, cues)| instruction.holds(cues)).filter_map(|(role, _)| known(role)).collect()
    }

    /// The ways a step wants to scroll.
    pub fn directions(&self, instruction: &CueText) -> Vec<Direction> {
        self.direction.iter().filter(|(_, cues)| instruction.holds(cues)).map(|(direction, _)| *direction).collect()
    }

    /// The state a step wants a switch to have, where it says so.
    pub fn wanted_state(&self, instruction: &str) -> Option<bool> {
        let says = |cues| holds_cue(cues, instruction) || spans_cue(cues, instruction);
        if says(&self.off) {
            Some(false)
        } else if says(&self.on) {
            Some(true)
        } else {
            None
        }
    }
}

/// A text in lower case without the words that only tell which thing is meant: "the week that is shown" checks nothing, "check that
/// is shown" does.
fn without_relative_clauses(lower: &str) -> String {
    const RELATIVE: [&str; 4] = ["that is", "which is", "that are", "which are"];
    const CHECKING: [&str; 10] =
        ["check", "verify", "validate", "see", "sure", "ensure", "confirm", "expect", "assert", "make sure"];
    let mut text = lower.to_owned();
    for relative in RELATIVE {
        let mut from = 0;
        while let Some(at) = text.get(from..).and_then(|rest| rest.find(&format!(" {relative} "))).map(|at| from + at) {
            let before = text.get(..at).unwrap_or_default();
            if CHECKING.iter().any(|word| before.ends_with(word)) {
                from = at + 1;
            } else {
                // The word behind goes with it: "shown".
                let behind = at + relative.len() + 2;
                let rest = text.get(behind..).unwrap_or_default();
                let end = rest.find(' ').map_or(text.len(), |word| behind + word);
                text.replace_range(at..end, "");
                from = at;
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cues_are_whole_words_in_any_ending() {
        let cues = Cues::bundled().unwrap();
        assert!(cues.is_form("Submitting personal information"));
        assert!(cues.is_submit("Agree and continue"));
        assert!(!cues.is_submit("Resend code"));
        assert!(cues.is_assertion("Check that the card is listed"));
        assert!(!cues.is_assertion("Tick the check box"));
        assert!(!cues.is_assertion("Filter the list so that only books is shown"), "it is what it is done for");
        assert!(!cues.is_assertion("Scroll until the total is shown") && cues.is_assertion("The total is shown"));
        assert!(cues.is_assertion("Make sure the list scrolls until its end"));
        assert!(!cues.is_assertion("Go to the Saturday of the week that is shown"));
        assert!(
            cues.is_assertion("Check that is visible")
                && cues.is_assertion("See that the week which is shown is visible")
        );
        assert_eq!(cues.wanted_state("Turn off reminders"), Some(false));
        assert_eq!(cues.wanted_state("Turn the reminders off"), Some(false));
        assert_eq!(cues.wanted_state("Enable reminders"), Some(true));
        assert_eq!(cues.wanted_state("Open reminders"), None);
    }

    #[test]
    fn sorts_of_values_and_counterparts_are_told_apart() {
        let cues = Cues::bundled().unwrap();
        let other_sorts = |one: &str, other: &str| cues.are_other_sorts(&words(one), &words(other));
        assert!(other_sorts("policy name", "policy number") && !other_sorts("mobile", "phone number"));
        assert!(!other_sorts("title", "note name") && !other_sorts("e-mail address", "email"));
        let apart = |one: &str, other: &str| cues.are_apart(&cues.kinds(words(one)), &cues.kinds(words(other)));
        assert!(apart("new password", "old password") && apart("billing address", "delivery address"));
        assert!(!apart("old password", "current password") && !apart("new or old", "old"));
    }

    #[test]
    fn kinds_places_and_numbers_are_told_in_several_languages() {
        let cues = Cues::bundled().unwrap();
        let ask = CueText::new;
        assert_eq!(cues.places(&ask("the icon at the top right")), ["right", "top"]);
        assert_eq!(cues.places(&ask("点击右上角的图标")), ["right", "top"]);
        assert_eq!(cues.roles(&ask("点击右上角的图标")), ["icon"]);
        assert_eq!(cues.order(&ask("Open the second result")), Some(Order::Number(2)));
        assert_eq!(cues.order(&ask("Abre el último mensaje")), Some(Order::Last));
        assert_eq!(cues.order(&ask("Open the result")), None);
        assert!(cues.is_system_back(&ask("Press the phone's back key")) && !cues.is_system_back(&ask("go back")));
        assert!(!cues.is_system_back(&ask("Let one press of the back key be enough")));
        assert_eq!(cues.directions(&ask("往下滑")), [Direction::Down]);
    }

    #[test]
    fn every_kind_and_place_in_the_data_is_one_that_widgets_have() {
        let cues = Cues::bundled().unwrap();
        assert!(cues.role.keys().all(|role| ROLES.contains(&role.as_str())), "{:?}", cues.role.keys());
        let places = ["top", "bottom", "left", "right", "middle"];
        assert!(cues.place.keys().all(|place| places.contains(&place.as_str())), "{:?}", cues.place.keys());
        assert!(cues.order.keys().all(|key| key == "last" || key.parse::<usize>().is_ok()), "{:?}", cues.order.keys());
    }
}
