//! Words of labels and instructions, and how many they share.

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

/// Words without those that say nothing about the target.
pub fn content_words(text: &str) -> Vec<String> {
    let mut found = words(text);
    found.retain(|word| !STOP_WORDS.contains(&word.as_str()));
    found
}

/// True when two words differ at most by an English inflection: bind / binding, card / cards, verify / verifies.
pub fn same_word(a: &str, b: &str) -> bool {
    a == b || stem(a) == stem(b)
}

fn stem(word: &str) -> String {
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

/// True when `text` holds one of the cues; a cue of several words must stand together.
pub fn holds_cue(cues: &[String], text: &str) -> bool {
    let text = words(text);
    cues.iter().any(|cue| {
        let cue = words(cue);
        !cue.is_empty() && text.windows(cue.len()).any(|part| part.iter().zip(&cue).all(|(a, b)| same_word(a, b)))
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
        assert!(!same_word("can", "cancel"));
        assert!(!same_word("note", "notification"));
        assert!(!same_word("pay", "password"));
    }

    #[test]
    fn overlap_counts_both_directions() {
        let query = content_words("Select the Evergreen Bank");
        assert!(overlap(&query, &content_words("Evergreen Bank")) > overlap(&query, &content_words("Harbour Bank")));
        assert!(overlap(&query, &[]).abs() < f32::EPSILON);
    }
}
