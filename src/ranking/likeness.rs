//! What two texts share, word by word and letter by letter, in scripts with and without spaces.

use crate::domain::{is_stop_word, stem, writes_without_spaces};
use std::collections::{HashMap, HashSet};

/// Most of a text that is compared, in characters.
const MOST: usize = 1_000;

/// Words that say something, in a form that endings do not part. A script without spaces gives pairs of characters.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for word in spoken_words(text) {
        if word.chars().any(writes_without_spaces) {
            pairs(&word, &mut found);
        } else if !is_stop_word(&word) {
            found.push(stem(&word));
        }
    }
    found
}

/// Lower-case words in order, the vowel signs of Indic scripts and Thai included.
fn spoken_words(text: &str) -> Vec<String> {
    let end = text.char_indices().nth(MOST).map_or(text.len(), |(end, _)| end);
    text[..end]
        .split(|c: char| !(c.is_alphanumeric() || is_sign(c)))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

fn is_sign(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{963}' | '\u{966}'..='\u{dff}' | '\u{e31}'..='\u{e4e}' | '\u{64b}'..='\u{65f}')
}

fn pairs(word: &str, found: &mut Vec<String>) {
    let letters: Vec<char> = word.chars().collect();
    if letters.len() == 1 {
        found.push(word.to_owned());
    }
    found.extend(letters.windows(2).map(|pair| pair.iter().collect::<String>()));
}

/// How much each word of a screen tells: one that is on every widget tells little.
pub(super) struct Rarity {
    counts: HashMap<String, usize>,
    widgets: usize,
}

impl Rarity {
    /// Of the widgets' words.
    pub(super) fn of<'a>(widgets: impl Iterator<Item = &'a HashSet<String>>) -> Self {
        let mut rarity = Self { counts: HashMap::new(), widgets: 0 };
        for words in widgets {
            rarity.widgets += 1;
            for word in words {
                *rarity.counts.entry(word.clone()).or_default() += 1;
            }
        }
        rarity
    }

    /// How much the word tells; larger is rarer.
    pub(super) fn of_word(&self, word: &str) -> f32 {
        // A word that is nowhere on the screen may be one that no screen shows: it tells half as much as the rarest.
        let (count, by) = self.counts.get(word).map_or((1, 0.5), |count| (*count, 1.0));
        by * ((self.widgets as f32 + 1.0) / (count as f32 + 0.5)).ln().max(0.05)
    }

    /// The share of `words` that `others` holds, rare ones counting more; 0 for none.
    pub(super) fn share<'a>(&self, words: impl Iterator<Item = &'a String>, others: &HashSet<String>) -> f32 {
        let (mut all, mut shared) = (0.0, 0.0);
        for word in words {
            let tells = self.of_word(word);
            all += tells;
            if others.contains(word) {
                shared += tells;
            }
        }
        if all > 0.0 { shared / all } else { 0.0 }
    }
}

/// Shortest number that tells one thing from others.
const FEWEST_DIGITS: usize = 4;

/// The numbers of a text without what parts their digits: "14:12:47" and "141247" are the same.
pub(super) fn figures(text: &str) -> Vec<String> {
    let parts = |c: char| !(c.is_ascii_digit() || matches!(c, ':' | '-' | '.' | '/'));
    let digits = |word: &str| word.chars().filter(char::is_ascii_digit).collect::<String>();
    text.split(parts).map(digits).filter(|figure| figure.len() >= FEWEST_DIGITS).collect()
}

/// An instruction, prepared to be compared with many labels.
pub(super) struct Spoken {
    words: Vec<String>,
    letters: String,
    triples: HashSet<[char; 3]>,
}

impl Spoken {
    pub(super) fn new(text: &str) -> Self {
        let words = spoken_words(text);
        let letters = words.concat();
        Self { triples: triples(&words.join(" ")), words, letters }
    }

    /// True when the label's words, in order and together, are among those spoken, and at least one of them tells
    /// something.
    pub(super) fn says(&self, label: &str) -> bool {
        let label = spoken_words(label);
        if label.is_empty() || label.iter().all(|word| is_stop_word(word)) {
            return false;
        }
        if label.iter().any(|word| word.chars().any(writes_without_spaces)) {
            let letters = label.concat();
            return letters.chars().count() >= 2 && self.letters.contains(&letters);
        }
        self.words.windows(label.len()).any(|part| part == label.as_slice())
    }

    /// The share of the label's three-letter sequences that were spoken.
    pub(super) fn letters(&self, label: &str) -> f32 {
        let own = triples(&spoken_words(label).join(" "));
        if own.is_empty() {
            return 0.0;
        }
        own.intersection(&self.triples).count() as f32 / own.len() as f32
    }
}

fn triples(text: &str) -> HashSet<[char; 3]> {
    let letters: Vec<char> = text.chars().take(MOST).collect();
    letters.windows(3).filter_map(|three| three.try_into().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_every_script() {
        assert_eq!(tokens("Turn on the Binding"), ["turn", "bind"]);
        assert_eq!(tokens("打开设置"), ["打开", "开设", "设置"]);
        assert_eq!(tokens("हिन्दी"), ["हिन्दी"]);
        assert_eq!(tokens("😀 !"), Vec::<String>::new());
    }

    #[test]
    fn a_label_is_said_when_its_words_stand_together() {
        let spoken = Spoken::new("Tap \"Sign in\" to go on");
        assert!(spoken.says("Sign In"));
        assert!(!spoken.says("Sign up") && !spoken.says("sign go") && !spoken.says("on") && !spoken.says(""));
        assert!(Spoken::new("请点击“确认支付”按钮").says("确认支付"));
        assert!(!Spoken::new("请点击“确认支付”按钮").says("取消"));
    }

    #[test]
    fn a_rare_word_tells_more_than_one_on_every_widget() {
        let widgets: Vec<HashSet<String>> =
            ["card 1", "card 2", "card blue"].iter().map(|text| tokens(text).into_iter().collect()).collect();
        let rarity = Rarity::of(widgets.iter());
        let asked = tokens("the blue card");
        let share = |at: usize| rarity.share(asked.iter(), &widgets[at]);
        assert!(share(2) > 0.9 && share(0) < 0.4, "{} {}", share(2), share(0));
    }

    #[test]
    fn numbers_are_the_same_however_they_are_written() {
        assert_eq!(figures("taken on 2023-06-30 at 14:12:47"), ["20230630", "141247"]);
        assert_eq!(figures("shot_2023-06-30_141247.png, 16.1 kB"), ["20230630", "141247"]);
        assert!(figures("room 7").is_empty());
    }

    #[test]
    fn endings_that_no_rule_knows_still_share_letters() {
        assert!(Spoken::new("Откройте настройки").letters("Настройка") > 0.6);
        assert!(Spoken::new("Откройте настройки").letters("Выход") < 0.1);
    }
}
