//! Words of labels and instructions, and how many they share.

use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

const STOP_WORDS: [&str; 46] = [
    "a",
    "an",
    "the",
    "of",
    "to",
    "in",
    "on",
    "at",
    "for",
    "and",
    "or",
    "is",
    "are",
    "be",
    "been",
    "it",
    "its",
    "this",
    "that",
    "with",
    "from",
    "by",
    "as",
    "your",
    "my",
    "our",
    "their",
    "his",
    "her",
    "then",
    "into",
    "user",
    "system",
    "you",
    "i",
    "we",
    "please",
    "page",
    "screen",
    "button",
    "app",
    "tap",
    "click",
    "press",
    "validates",
    "requests",
];

/// Lower-case words; letters and digits of any script belong to a word, everything else separates.
pub fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// True when `text` holds `name`, whatever the case, and not within a longer number: "5" is in "¥5.00", not in "08:52".
pub fn holds_name(text: &str, name: &str) -> bool {
    let (text, name) = (text.to_lowercase(), name.to_lowercase());
    if name.is_empty() {
        return true;
    }
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let (begins, ends) = (digit(name.chars().next()), digit(name.chars().next_back()));
    text.match_indices(name.as_str()).any(|(at, found)| {
        let mut before = text[..at].chars().rev();
        let last = before.next();
        let within = digit(last) || matches!(last, Some('.' | ',' | ':')) && digit(before.next());
        !(begins && within || ends && digit(text[at + found.len()..].chars().next()))
    })
}

/// True for a word that says nothing about a target.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(&word)
}

/// True for a letter of a script that puts no spaces between words: Chinese, Japanese, Thai, Lao, Khmer, Burmese.
pub const fn writes_without_spaces(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3134f}')
}

/// Words without those that say nothing about the target.
pub fn content_words(text: &str) -> Vec<String> {
    let mut found = words(text);
    found.retain(|word| !is_stop_word(word));
    found
}

/// True when two words differ at most by an English inflection: bind / binding, card / cards, verify / verifies, or by the marks
/// of letters that identifiers leave out: höhe / hoehe, créneau / creneau.
pub fn same_word(a: &str, b: &str) -> bool {
    a == b || stem(a) == stem(b) || same_letters(a, b)
}

/// True when two words in lower case have the same letters, marks and umlauts aside. Two words of plain letters are the same only
/// if they are equal.
pub fn same_letters(a: &str, b: &str) -> bool {
    a == b || !(a.is_ascii() && b.is_ascii()) && plain_letters(a) == plain_letters(b)
}

/// A word in lower case without the marks of its letters; "ae", "oe" and "ue" are what umlauts are written as without them.
fn plain_letters(word: &str) -> String {
    let bare: String = word.nfd().filter(|c| !is_combining_mark(*c)).collect();
    bare.replace('ß', "ss").replace("ae", "a").replace("oe", "o").replace("ue", "u")
}

/// Plurals that no ending tells.
const IRREGULAR: [(&str, &str); 8] = [
    ("children", "child"),
    ("people", "person"),
    ("men", "man"),
    ("women", "woman"),
    ("feet", "foot"),
    ("teeth", "tooth"),
    ("mice", "mouse"),
    ("geese", "goose"),
];

/// The word without an English inflection.
pub fn stem(word: &str) -> String {
    if let Some((_, one)) = IRREGULAR.iter().find(|(many, _)| *many == word) {
        return (*one).to_owned();
    }
    let longer_than = |n: usize| word.chars().count() > n;
    let mut stem = if let Some(head) = word.strip_suffix("ies").filter(|_| longer_than(4)) {
        format!("{head}y")
    } else if let Some(head) = word.strip_suffix("ing").filter(|_| longer_than(5)) {
        head.to_owned()
    } else if let Some(head) = word.strip_suffix("ed").filter(|_| longer_than(4)) {
        head.to_owned()
    } else if word.ends_with("ss") {
        word.to_owned()
    } else {
        word.strip_suffix('s').filter(|_| longer_than(3)).unwrap_or(word).to_owned()
    };
    // submitting → submitt → submit, but fill, pass and bee stay as they are.
    let mut last = stem.chars().rev();
    if let (Some(x), Some(y)) = (last.next(), last.next())
        && x == y
        && stem.len() < word.len()
        && !matches!(x, 'l' | 's' | 'e')
    {
        stem.pop();
    }
    stem.strip_suffix('e').filter(|head| head.len() > 2).map_or(stem.clone(), ToOwned::to_owned)
}

/// Cue words, prepared once: some lists hold hundreds and are asked at every decision. A cue of several words must stand
/// together. In a script without spaces a cue may stand anywhere.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(from = "Vec<String>")]
pub struct CueList(Vec<Cue>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Cue {
    Anywhere(String),
    Words { words: Vec<String>, stems: Vec<String> },
}

impl From<Vec<String>> for CueList {
    fn from(cues: Vec<String>) -> Self {
        let prepared = |cue: String| {
            if cue.chars().any(writes_without_spaces) {
                return Some(Cue::Anywhere(cue));
            }
            let words = words(&cue);
            let stems = words.iter().map(|word| stem(word)).collect();
            (!words.is_empty()).then_some(Cue::Words { words, stems })
        };
        Self(cues.into_iter().filter_map(prepared).collect())
    }
}

/// True when `text` holds one of the cues.
pub fn holds_cue(cues: &CueList, text: &str) -> bool {
    CueText::new(text).holds(cues)
}

/// A text that is asked for many cues.
#[derive(Debug, Clone)]
pub struct CueText {
    lower: String,
    words: Vec<String>,
    stems: Vec<String>,
}

impl CueText {
    /// Prepares a text.
    pub fn new(text: &str) -> Self {
        let words = words(text);
        Self { lower: text.to_lowercase(), stems: words.iter().map(|word| stem(word)).collect(), words }
    }

    /// True when its first word is one of these.
    pub fn begins_with(&self, first: &[String]) -> bool {
        self.words.first().is_some_and(|word| first.contains(word))
    }

    /// True when the text holds one of the cues.
    pub fn holds(&self, cues: &CueList) -> bool {
        cues.0.iter().any(|cue| self.holds_one(cue))
    }

    fn holds_one(&self, cue: &Cue) -> bool {
        match cue {
            Cue::Anywhere(cue) => self.lower.contains(cue),
            Cue::Words { words, stems } => (0..(self.words.len() + 1).saturating_sub(words.len())).any(|start| {
                (0..words.len()).all(|at| self.words[start + at] == words[at] || self.stems[start + at] == stems[at])
            }),
        }
    }
}

/// True when `text` begins with the verb of one of the cues and ends with its particle: "Turn the lamp off".
pub fn spans_cue(cues: &CueList, text: &str) -> bool {
    let text = CueText::new(text);
    // "Turn the sounds off, too": what only joins the step to the one before says nothing.
    let joins = |word: &String| ["too", "also", "again", "please", "now", "as", "well"].contains(&word.as_str());
    let end = text.words.iter().rposition(|word| !joins(word)).map_or(0, |at| at + 1);
    let [first, between @ .., last] = text.words.get(..end).unwrap_or_default() else { return false };
    // "Turn it into a list of what to tick off" turns nothing off.
    if between.iter().any(|word| word == "to" || word == "into") {
        return false;
    }
    cues.0.iter().any(|cue| match cue {
        Cue::Words { words, .. } => words.len() == 2 && words.first() == Some(first) && words.last() == Some(last),
        Cue::Anywhere(_) => false,
    })
}

/// How much of each word list the other covers, 0…1: the mean of both directions; 0 when either is empty.
pub fn overlap(a: &[String], b: &[String]) -> f32 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let covered = |x: &[String], y: &[String]| {
        let shared = x.iter().filter(|word| y.iter().any(|other| same_word(word, other))).count();
        shared as f32 / x.len() as f32
    };
    f32::midpoint(covered(a, b), covered(b, a))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_do_not_part_words_but_other_words_differ() {
        assert!(same_word("bind", "binding"));
        assert!(same_word("card", "cards"));
        assert!(same_word("verify", "verifies"));
        assert!(same_word("children", "child") && !same_word("children", "chill"));
        assert!(!same_word("can", "cancel"));
        assert!(same_word("höhe", "hoehe") && same_word("strasse", "straße") && same_word("numéro", "numero"));
        assert!(!same_word("duel", "dul"));
        assert!(!same_word("note", "notification"));
        assert!(!same_word("pay", "password"));
    }

    #[test]
    fn a_number_is_not_found_within_another() {
        assert!(holds_name("¥5.00", "5") && holds_name("Room 5", "5") && holds_name("5", "5"));
        assert!(!holds_name("1 May, 08:52", "5") && !holds_name("-18.05", "5") && !holds_name("50", "5"));
        assert!(holds_name("Evergreen Bank", "green") && !holds_name("08:52", "08:5"));
        assert!(holds_name("anything", "") && !holds_name("", "5"));
    }

    #[test]
    fn cues_stand_together_or_anywhere_where_nobody_writes_spaces() {
        let cues = CueList::from(vec!["turn back".to_owned(), "返回".to_owned()]);
        assert!(holds_cue(&cues, "Turning back") && holds_cue(&cues, "请返回上一页"));
        assert!(
            !holds_cue(&cues, "turn far back")
                && !holds_cue(&cues, "")
                && !holds_cue(&CueList::from(vec![String::new()]), "turn back")
        );
    }

    #[test]
    fn a_verb_and_its_particle_may_stand_apart() {
        let cues = CueList::from(vec!["turn off".to_owned(), "disable".to_owned()]);
        assert!(spans_cue(&cues, "Turn the text messages off"));
        assert!(spans_cue(&cues, "Turn the text messages off as well, please"));
        assert!(!spans_cue(&cues, "Turn it into a list of things to tick off"));
        assert!(!spans_cue(&cues, "Turn the page") && !spans_cue(&cues, "Walk off") && !spans_cue(&cues, ""));
    }

    #[test]
    fn overlap_counts_both_directions() {
        let query = content_words("Select the Evergreen Bank");
        assert!(overlap(&query, &content_words("Evergreen Bank")) > overlap(&query, &content_words("Harbour Bank")));
        assert!(overlap(&query, &[]).abs() < f32::EPSILON);
    }
}
