//! Whether a label is what a text names: whole labels, first parts, words that stand together.

use crate::domain::{content_words, same_word, stem, words, writes_without_spaces};
use crate::lexicon::{Inflection, Lexicon};
use std::cell::LazyCell;

/// Separators between the title of a label and what follows it.
const SEPARATORS: [&str; 7] = [", ", "\n", " · ", " • ", " | ", " – ", "，"];

/// From this fit on a label bears a name.
pub(crate) const BEARS: f32 = 0.55;
/// From this fit on a label is called by a name and nothing else.
pub(crate) const IS_CALLED: f32 = 0.9;

/// The title of a label: what stands before the first separator.
pub(crate) fn title_of(label: &str) -> &str {
    let end = SEPARATORS.iter().filter_map(|separator| label.find(separator)).min();
    end.map_or(label, |end| &label[..end]).trim()
}

/// How surely a label is called by a name, 0 to 1: 1 for the whole label or its title, less for a name that is only a part
/// of it.
pub(crate) fn name_fit(label: &str, name: &str) -> f32 {
    let (label_words, name_words) = (words(label), words(name));
    if name_words.is_empty() {
        return if !name.trim().is_empty() && label.trim() == name.trim() { 1.0 } else { 0.0 };
    }
    if label_words.is_empty() {
        return 0.0;
    }
    let same = |a: &[String], b: &[String]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_word(a, b));
    if label_words == name_words {
        return 1.0;
    }
    if same(&words(title_of(label)), &name_words) {
        return 0.97;
    }
    if same(&label_words, &name_words) {
        return 0.95;
    }
    let letters = |text: &str| text.chars().any(writes_without_spaces);
    if letters(name) {
        return if label.contains(name) { 0.7 } else { 0.0 };
    }
    let within = |part: &[String], whole: &[String]| whole.windows(part.len()).any(|window| same(window, part));
    if within(&name_words, &words(title_of(label))) {
        // A name that is most of the title is nearly the title; one word of six is hardly.
        let share = name_words.len() as f32 / words(title_of(label)).len().max(1) as f32;
        return 0.55 + 0.35 * share.min(1.0);
    }
    if within(&name_words, &label_words) {
        return 0.45;
    }
    0.0
}

/// True if a label holds a name among other words and so is called otherwise: "Expandable lists" for "Lists". Words that tell
/// nothing and a number beside the name are no other words ("The lists", "2. Lists", "Lists (3)"), nor is what follows the name
/// on a control that `is_ticked`, or could be ("I agree to the terms").
pub(crate) fn only_holds(label: &str, is_ticked: bool, name: &str) -> bool {
    let (all, wanted) = (words(label), words(name));
    let first = label.split([',', '\n']).next().map(words).unwrap_or_default();
    let spaceless = !name.is_ascii() && label.contains(name);
    let part = !wanted.is_empty() && all.windows(wanted.len()).any(|part| part == wanted.as_slice()) || spaceless;
    let begins = is_ticked && all.starts_with(&wanted);
    if all.is_empty() || wanted.is_empty() || first == wanted || !part || begins {
        return false;
    }
    let number = |word: &String| word.chars().all(char::is_numeric) && !wanted.contains(word);
    let own: Vec<String> = all.into_iter().filter(|word| !number(word)).collect();
    own != wanted && !says_the_same(label, name)
}

/// True if two texts say the same, but for words that tell nothing: "Wallet" and "My wallet".
fn says_the_same(one: &str, other: &str) -> bool {
    let (one, other) = (content_words(one), content_words(other));
    let within =
        |all: &[String], some: &[String]| some.iter().all(|word| all.iter().any(|other| same_word(word, other)));
    !one.is_empty() && !other.is_empty() && within(&one, &other) && within(&other, &one)
}

/// How surely an instruction says a label: the share of the label's telling words that stand in the text, 1 if its title is
/// said word by word.
pub(crate) fn said_fit(lexicon: &Lexicon, text: &str, label: &str) -> f32 {
    let title = title_of(label);
    let own: Vec<String> = telling(lexicon, title);
    if own.is_empty() {
        return 0.0;
    }
    if title.chars().any(writes_without_spaces) {
        return if title.chars().count() >= 2 && text.contains(title) { 1.0 } else { 0.0 };
    }
    let said: Vec<String> = words(text).iter().map(|word| stem(word)).collect();
    let all: Vec<String> = words(title).iter().map(|word| stem(word)).collect();
    // "5%" is not said by "5 pm".
    if title.contains('%') && !text.contains('%') && own.iter().all(|word| word.chars().all(|c| c.is_ascii_digit())) {
        return 0.0;
    }
    // The language is told only where two words may be forms of one: most labels share none with the text.
    let inflection = LazyCell::new(|| lexicon.inflection(text));
    let same = |one: &String, other: &String| {
        same_word(one, other) || Inflection::may_be_same(one, other) && inflection.is_same(one, other)
    };
    if said.windows(all.len()).any(|window| window.iter().zip(&all).all(|(one, other)| same(one, other))) {
        return 1.0;
    }
    let shared = own.iter().filter(|word| said.iter().any(|other| same(word, other))).count();
    shared as f32 / own.len() as f32
}

/// The share of an instruction's telling words that a label shows, in any form that the instruction's language gives them.
pub(crate) fn asked_fit(asked: &[String], label: &str, inflection: Inflection) -> f32 {
    if asked.is_empty() {
        return 0.0;
    }
    let own: Vec<String> = words(label).iter().map(|word| stem(word)).collect();
    let shown = |word: &&String| own.iter().any(|other| other == *word || inflection.is_same(word, other));
    asked.iter().filter(shown).count() as f32 / asked.len() as f32
}

/// Stems of the words that tell what a text is about.
pub(super) fn telling(lexicon: &Lexicon, text: &str) -> Vec<String> {
    words(text).iter().filter(|word| !lexicon.is_stop_word(word)).map(|word| stem(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_counts_more_than_what_follows_it() {
        assert!(name_fit("Anna, 3 messages", "Anna") > name_fit("Peter, lunch with Anna", "Anna"));
        assert!(name_fit("Anna", "Anna") > name_fit("Anna Smith", "Anna"));
        assert!(name_fit("Annabel", "Anna") < 0.01 && name_fit("", "Anna") < 0.01);
        assert!(name_fit("确认支付", "支付") > 0.5);
    }

    #[test]
    fn numbers_and_idle_words_beside_a_name_are_no_other_words() {
        for label in ["2. Harbours", "Harbours (12)", "The Harbours", "Harbours, all of them", "HARBOURS"] {
            assert!(!only_holds(label, false, "Harbours"), "{label}");
        }
        for (label, name) in [("Harbours of old", "Harbours"), ("Pier 2", "Pier 2 north"), ("10. Pier", "0. Pier")] {
            assert_eq!(only_holds(label, false, name), label.starts_with('H'), "{label}");
        }
        let agreed = "I agree to the terms";
        assert!(only_holds(agreed, false, "I agree") && !only_holds(agreed, true, "I agree"));
        assert!(only_holds(agreed, true, "the terms"));
    }

    #[test]
    fn a_label_is_said_by_its_words_together() {
        let lexicon = Lexicon::bundled().unwrap();
        assert!((said_fit(&lexicon, "Tap sign in to go on", "Sign in") - 1.0).abs() < f32::EPSILON);
        assert!(said_fit(&lexicon, "Open the settings of the account", "Account settings") > 0.9);
        assert!(said_fit(&lexicon, "Open the settings", "Log out") < 0.1);
        assert!(said_fit(&lexicon, "Choose 5 pm", "5%") < 0.1 && said_fit(&lexicon, "Tip 5%", "5%") > 0.9);
    }
}
