//! The words by which a step is read; see `certain.toml`.

use super::extreme::Extremes;
use super::ladder::Ladders;
use crate::agent::step::Step;
use crate::domain::{CueList, content_words, holds_cue, same_word, spans_cue, words};
use serde::Deserialize;

/// The words.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::agent) struct Words {
    touch: Vec<String>,
    opens: Vec<String>,
    confirms: Vec<String>,
    typing: Vec<String>,
    hands_over: Vec<[String; 2]>,
    gives_back: Vec<String>,
    looks_up: Vec<String>,
    sending: Vec<String>,
    idle: Vec<String>,
    deeds: Vec<Vec<String>>,
    places: Vec<Vec<String>>,
    more: Vec<String>,
    fewer: Vec<String>,
    search: CueList,
    returns: Vec<String>,
    acting: Vec<String>,
    overflow: Vec<String>,
    errands: Vec<String>,
    commits: Vec<String>,
    waits: Vec<String>,
    is_on: Vec<String>,
    is_off: Vec<String>,
    ends: Vec<Vec<String>>,
    numbers: Vec<Vec<String>>,
    swaps: Vec<String>,
    swappers: CueList,
    attempts: Vec<String>,
    holds_down: CueList,
    sweeps: CueList,
    rids: CueList,
    rates: CueList,
    reads: Vec<String>,
    all: Vec<String>,
    pub(super) extremes: Extremes,
    pub(super) ladders: Ladders,
}

/// What a step is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Intent {
    /// It touches what it names.
    pub touches: bool,
    /// It says yes to what was begun.
    pub confirms: bool,
    /// It gives what it names back: that is among what somebody has, not among what there is to be had.
    pub hands_back: bool,
    /// It only goes somewhere.
    pub opens: bool,
    /// It leads back.
    pub returns: bool,
    /// It types what it names.
    pub types: bool,
    /// It also wants what was typed sent.
    pub sends: bool,
    /// Its words, without verbs that say nothing, names and values.
    pub words: Vec<String>,
    /// Words of like meaning for what is to be done to what it names.
    pub deed: Vec<String>,
    /// What it says that things are gathered in, each with the words of like meaning.
    pub places: Vec<Vec<String>>,
}

impl Words {
    /// Reads a step.
    pub(super) fn read(&self, step: &Step) -> Intent {
        let mut text = step.instruction.clone();
        // The longest first, so that no name is cut in two.
        let mut names: Vec<&String> = step.named.iter().chain(&step.quoted).collect();
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        for name in names {
            text = text.replace(name.as_str(), " ");
        }
        // To try is to do it; what comes of it is for the case to expect.
        if let Some(rest) = self.attempts.iter().find_map(|known| tried(&text, known)) {
            text = rest;
        }
        let all = words(&text);
        let first = all.first().cloned().unwrap_or_default();
        let among = |list: &[String], word: &str| list.iter().any(|known| known == word);
        let starts = |list: &[String]| {
            among(list, &first)
                || list.iter().any(|verb| !verb.is_ascii() && text.trim_start().starts_with(verb.as_str()))
        };
        // "Give it back" types nothing.
        let gives_back = self.hands_over.iter().any(|[verb, particle]| *verb == first && all.contains(particle));
        let types = (starts(&self.typing) || begins(&self.looks_up, &text))
            && !gives_back
            && !step.mentions.is_empty() | !step.quoted.is_empty();
        let mut deed = self.deeds.iter().find(|deed| among(deed, &first)).cloned().unwrap_or_default();
        let hands_back = gives_back && !step.named.is_empty() && self.gives_back.iter().any(|word| all.contains(word));
        if hands_back {
            deed.clone_from(&self.gives_back);
        }
        let words = self.telling(&text);
        let places = self.places.iter().filter(|place| said(place, &text) > 0).cloned().collect();
        Intent {
            places,
            touches: !types && (starts(&self.touch) || !deed.is_empty() || !step.quoted.is_empty()),
            hands_back,
            opens: starts(&self.opens),
            confirms: starts(&self.confirms),
            returns: begins(&self.returns, &text),
            types,
            sends: starts(&self.sending) || begins(&self.looks_up, &text),
            words,
            deed,
        }
    }

    /// The words of a text without those that say nothing, its verb among them.
    pub(super) fn telling(&self, text: &str) -> Vec<String> {
        let idle = |(at, word): &(usize, String)| self.idle.contains(word) || (*at == 0 && self.touch.contains(word));
        content_words(text).into_iter().enumerate().filter(|word| !idle(word)).map(|(_, word)| word).collect()
    }

    /// The label of a control that counts up (`true`) or down.
    pub(super) fn counts(&self, label: &str) -> Option<bool> {
        let is = |list: &[String]| {
            let own = words(label);
            list.iter().any(|known| {
                known == label.trim() || {
                    let known = words(known);
                    !known.is_empty() && own.len() <= 3 && own.windows(known.len()).any(|part| part == known.as_slice())
                }
            })
        };
        match (is(&self.more), is(&self.fewer)) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    }

    /// The text speaks of giving stars.
    pub(super) fn rates(&self, text: &str) -> bool {
        holds_cue(&self.rates, text)
    }

    /// The text begins with typing.
    pub(super) fn types(&self, text: &str) -> bool {
        begins(&self.typing, text)
    }

    /// The text begins with reading.
    pub(super) fn reads(&self, text: &str) -> bool {
        begins(&self.reads, text)
    }

    /// The word stands for everything of a kind.
    pub(super) fn counts_all(&self, word: &str) -> bool {
        self.all.iter().any(|known| known == word)
    }

    /// The text begins with a verb of its own.
    pub(super) fn acts(&self, text: &str) -> bool {
        let Some(first) = words(text).into_iter().next() else { return false };
        let lists = [&self.touch, &self.opens, &self.confirms, &self.typing, &self.sending, &self.acting];
        lists.iter().any(|list| list.contains(&first)) || self.deeds.iter().any(|deed| deed.contains(&first))
    }

    /// The whole label of a control behind which more can be done.
    pub(super) fn is_overflow(&self, label: &str) -> bool {
        let own = words(label);
        !own.is_empty() && self.overflow.iter().any(|known| words(known) == own)
    }

    /// The text asks for something that an app only does when it was asked to the end.
    pub(super) fn is_errand(&self, text: &str) -> bool {
        begins(&self.errands, text)
    }

    /// The text asks for nothing but patience.
    pub(super) fn waits(&self, text: &str) -> bool {
        begins(&self.waits, text)
    }

    /// The label of a control that goes on with what was chosen.
    pub(super) fn commits(&self, label: &str) -> bool {
        begins(&self.commits, label)
    }

    /// Whether what the label is about is on, where its last word says so, and what it is about.
    pub(super) fn state_told(&self, label: &str) -> Option<(bool, Vec<String>)> {
        let mut own = words(label);
        let last = own.pop().filter(|_| !own.is_empty())?;
        let on = match (self.is_on.contains(&last), self.is_off.contains(&last)) {
            (true, false) => true,
            (false, true) => false,
            _ => return None,
        };
        own.retain(|word| !crate::domain::is_stop_word(word));
        (!own.is_empty()).then_some((on, own))
    }

    /// The word is the verb of a step that leads back.
    pub(super) fn is_return(&self, word: &str) -> bool {
        self.returns.iter().any(|known| known == word)
    }

    /// The text asks for a finger that rests on something.
    pub(super) fn holds_down(&self, text: &str) -> bool {
        holds_cue(&self.holds_down, text)
    }

    /// The text asks for a row to be swept aside. What goes up or down moves the list.
    pub(super) fn sweeps(&self, text: &str) -> bool {
        (holds_cue(&self.sweeps, text) || spans_cue(&self.sweeps, text))
            && !words(text).iter().any(|word| word == "up" || word == "down")
    }

    /// The text wants what is swept aside gone.
    pub(super) fn rids(&self, text: &str) -> bool {
        holds_cue(&self.rids, text)
    }

    /// The text moves about what is there.
    pub(super) fn swaps(&self, text: &str) -> bool {
        begins(&self.swaps, text)
    }

    /// The label of a control that moves about what is there.
    pub(super) fn is_swapper(&self, label: &str) -> bool {
        holds_cue(&self.swappers, label)
    }

    /// A word that only tells a state.
    pub(super) fn is_state(&self, word: &str) -> bool {
        self.is_on.iter().chain(&self.is_off).any(|known| known == word)
    }

    /// Which end of a way a text tells: 0 where it begins, 1 where it ends.
    pub(super) fn end_of_way(&self, text: &str) -> Option<usize> {
        let own = words(text);
        let is = |known: &String| !own.is_empty() && words(known) == own;
        self.ends.iter().position(|list| list.iter().any(is))
    }

    /// The number a word stands for, in digits or written out.
    pub(super) fn number(&self, word: &str) -> Option<u32> {
        let written = self.numbers.iter().position(|names| names.iter().any(|name| name == word));
        written.map(|at| at as u32).or_else(|| word.parse().ok()).filter(|number| *number < 100)
    }

    /// Something is looked up in a field that says this.
    pub(super) fn searches(&self, text: &str) -> bool {
        holds_cue(&self.search, text)
    }
}

/// A text begins with one of these.
fn begins(list: &[String], text: &str) -> bool {
    let text = text.trim_start().to_lowercase();
    list.iter().any(|known| {
        let rest = text.strip_prefix(known.as_str());
        rest.is_some_and(|rest| !known.is_ascii() || !rest.starts_with(char::is_alphanumeric))
    })
}

/// What is tried, where a text begins with these words for trying.
fn tried(text: &str, known: &str) -> Option<String> {
    let text = text.trim_start();
    let head = text.get(..known.len()).filter(|head| head.eq_ignore_ascii_case(known))?;
    text.get(head.len()..).filter(|rest| rest.starts_with(' ')).map(|rest| rest.trim_start().to_owned())
}

/// How many of these words a text says.
pub(super) fn said(wanted: &[String], text: &str) -> usize {
    let own = words(text);
    wanted.iter().filter(|word| own.iter().any(|other| same_word(word, other))).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(instruction: &str, named: &[&str], mentions: &[&str]) -> Intent {
        let all = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let step =
            Step { instruction: instruction.into(), named: all(named), mentions: all(mentions), ..Step::default() };
        super::super::WORDS.get().read(&step)
    }

    #[test]
    fn a_step_is_read_by_its_verb_and_its_own_words() {
        let open = read("Open the garden page", &[], &[]);
        assert!(open.opens && open.touches && !open.types, "{open:?}");
        assert_eq!(open.words, ["garden"]);
        let enter = read("Enter Ada as the owner", &["Ada"], &["owner"]);
        assert!(enter.types && !enter.touches && !enter.sends, "{enter:?}");
        assert!(read("Submit Ada", &["Ada"], &["owner"]).sends);
        assert!(!read("Enter the garden", &[], &[]).types, "there is nothing to be typed");
        assert!(read("Give Ada as the owner", &["Ada"], &["owner"]).types);
        let look = read("Look for Ada", &["Ada"], &["owner"]);
        assert!(look.types && look.sends, "{look:?}");
        assert!(!read("Look for the garden", &[], &[]).types);
        let back = read("Give the book Ada back", &["Ada"], &["book"]);
        assert!(!back.types && back.touches && back.hands_back && back.deed.contains(&"return".to_owned()), "{back:?}");
        assert!(!read("Give Ada up", &["Ada"], &["book"]).hands_back);
        assert!(read("打开设置", &[], &[]).touches, "a script without spaces");
        assert!(!read("Try to add it to the list", &[], &[]).deed.is_empty(), "to try is to do it");
    }

    #[test]
    fn what_is_named_is_none_of_the_steps_own_words() {
        assert_eq!(read("Select Red Pear among the fruits", &["Pear", "Red Pear"], &[]).words, ["among", "fruits"]);
        let add = read("Add Pear", &["Pear"], &[]);
        assert!(add.touches && add.deed.contains(&"put".to_owned()), "{add:?}");
    }

    #[test]
    fn where_things_are_gathered_has_several_names() {
        let add = read("Add Pear to the basket", &["Pear"], &[]);
        assert!(add.places.iter().any(|place| place.contains(&"cart".to_owned())), "{add:?}");
        assert!(read("Add Basket Chair", &["Basket Chair"], &[]).places.is_empty(), "it is a name");
    }

    #[test]
    fn controls_that_count_up_and_down_are_told_apart() {
        let words = super::super::WORDS.get();
        let counts = |label| words.counts(label);
        assert_eq!((counts("+"), counts("Increase quantity")), (Some(true), Some(true)));
        assert_eq!((counts("−"), counts("Decrease quantity")), (Some(false), Some(false)));
        assert_eq!((counts("Pear"), counts("See more of all our pears")), (None, None));
    }
}
