//! How well a request says the name of a control.

use super::lexicon::lexicon;
use super::wishes::Wishes;
use crate::domain::{is_stop_word, same_word, words};

/// Shortest common beginning of two words that are one in other endings.
const SHORTEST_STEM: usize = 5;
/// Most letters in which the endings of one word differ.
const LONGEST_ENDING: usize = 3;

/// The words of a name that tell something: no joining words, no numbers, nothing that every control could be called.
pub(super) fn telling_words(name: &str) -> Vec<String> {
    let idle = &lexicon().labels.naming.idle;
    let tells = |word: &String| {
        !is_stop_word(word) && !idle.contains(word) && !word.chars().all(|c| c.is_ascii_digit()) && word.len() > 1
    };
    words(name).into_iter().filter(tells).collect()
}

/// The share of a name's telling words that the request says, 0 to 1; 0 for a name that tells nothing.
pub(super) fn name_fit(name: &str, wishes: &Wishes<'_>) -> f32 {
    let own = telling_words(name);
    if own.is_empty() {
        return 0.0;
    }
    own.iter().filter(|word| wishes.says(word)).count() as f32 / own.len() as f32
}

/// True if two words differ at most in their endings, or one is part of the other's compound.
pub(super) fn alike(one: &str, other: &str) -> bool {
    if same_word(one, other) {
        return true;
    }
    let common = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let rest = one.chars().count().max(other.chars().count()) - common;
    let stem = common >= SHORTEST_STEM && rest <= LONGEST_ENDING;
    // "Bildschirmhelligkeit" is a "Helligkeit".
    let compound = |whole: &str, part: &str| part.chars().count() > SHORTEST_STEM && whole.ends_with(part);
    stem || compound(one, other) || compound(other, one)
}
