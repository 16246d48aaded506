//! From what was read off a link's boxes to its words: the part of the paragraph's own text that is most like it.

/// How like the paragraph's text what was read must be to be taken for it, 0–1.
const ALIKE: f32 = 0.6;
/// How sure the recognizer must be of words that the paragraph does not have.
const SURE: f32 = 0.85;

/// The words of `text` that were read, so that errors of reading vanish. Among equally good ones the nearest to
/// `estimate` is taken. What was read is kept when the text has nothing like it and the recognizer was sure of letters
/// of the text's own script; else the estimate is.
pub(super) fn snapped((read, confidence): &(String, f32), text: &str, estimate: &str) -> String {
    let wanted = flat(read);
    if wanted.len() < 2 {
        return estimate.to_owned();
    }
    let words = words(text);
    let mut best: Option<(f32, usize, usize)> = None;
    for from in 0..words.len() {
        let mut letters: Vec<char> = Vec::new();
        for to in from..words.len() {
            letters.extend(flat(&text[words[to].0..words[to].1]));
            if letters.len() > wanted.len() * 3 / 2 + 2 {
                break;
            }
            if letters.len() * 2 < wanted.len() {
                continue;
            }
            let distance = distance(&letters, &wanted);
            let mut score = 1.0 - distance as f32 / letters.len().max(wanted.len()) as f32;
            // Of equally good parts the one as long as what was read.
            score -= 0.004 * letters.len().abs_diff(wanted.len()) as f32;
            if let Some(part) = text.get(words[from].0..words[to].1) {
                // A tie-break only.
                score += if estimate.contains(trimmed(part)) { 0.01 } else { 0.0 };
            }
            if best.is_none_or(|(known, ..)| score > known + 1e-6) {
                best = Some((score, from, to));
            }
        }
    }
    match best {
        Some((score, from, to)) if score >= ALIKE => {
            let part = trimmed(&text[words[from].0..words[to].1]);
            part.split_whitespace().collect::<Vec<_>>().join(" ")
        }
        _ if *confidence >= SURE && same_script(&wanted, &flat(text)) => read.trim().to_owned(),
        _ => estimate.to_owned(),
    }
}

/// Bytes of the words; every character of a wide script is one.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut words: Vec<(usize, usize)> = Vec::new();
    let mut glued = false;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        let alone = script(c) == Script::Wide || !is_letter(c);
        match words.last_mut() {
            _ if c.is_whitespace() => {}
            Some(last) if glued && !alone => last.1 = end,
            _ => words.push((at, end)),
        }
        glued = !c.is_whitespace() && !alone;
    }
    words
}

fn trimmed(part: &str) -> &str {
    part.trim_matches(|c: char| !is_letter(c) && !matches!(c, '&' | '@' | '#' | '%' | '+' | '$' | '€'))
}

/// Letters, digits and the marks that belong to letters.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{dff}' | '\u{e31}'..='\u{e4e}' | '\u{591}'..='\u{5c7}' | '\u{64b}'..='\u{65f}')
}

fn flat(text: &str) -> Vec<char> {
    text.chars().filter(|c| is_letter(*c)).flat_map(char::to_lowercase).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Wide,
    Hangul,
    Other(u32),
}

fn script(c: char) -> Script {
    match c {
        '\u{0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Script::Latin,
        '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7a3}' => Script::Hangul,
        '\u{e00}'..='\u{eff}' | '\u{2e80}'..='\u{a4cf}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3fffd}' => {
            Script::Wide
        }
        c => Script::Other(u32::from(c) >> 8),
    }
}

/// True when most of the letters read are of a script that the text has.
fn same_script(read: &[char], text: &[char]) -> bool {
    let known = read.iter().filter(|c| text.iter().any(|other| script(*other) == script(**c))).count();
    known * 3 >= read.len() * 2
}

/// Levenshtein's.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snap(read: &str, confidence: f32, text: &str, estimate: &str) -> String {
        snapped(&(read.to_owned(), confidence), text, estimate)
    }

    const TEXT: &str = "By continuing you agree to the Terms of Service and the Privacy Policy.";

    #[test]
    fn errors_of_reading_vanish_in_the_paragraphs_own_words() {
        assert_eq!(snap("Terrns of Servlce", 0.9, TEXT, "the Terms"), "Terms of Service");
        assert_eq!(snap("Privacy Pollcy.", 0.9, TEXT, "Policy"), "Privacy Policy");
        assert_eq!(snap("用户协仪", 0.9, "我已阅读并同意《用户协议》和《隐私政策》", ""), "用户协议");
    }

    #[test]
    fn the_same_words_twice_are_told_apart_by_the_estimate_or_equal() {
        assert_eq!(snap("here", 0.9, "Press here or here to go on", "here"), "here");
    }

    #[test]
    fn words_that_the_text_lacks_are_kept_when_sure_and_of_its_script() {
        assert_eq!(snap("Learn more", 0.97, TEXT, "agree"), "Learn more");
        assert_eq!(snap("Learn more", 0.3, TEXT, "agree"), "agree");
        assert_eq!(snap("qojlll", 0.97, "أوافق على شروط الخدمة", "شروط الخدمة"), "شروط الخدمة");
        assert_eq!(snap("", 0.0, TEXT, "agree"), "agree");
    }

    #[test]
    fn the_distance_is_the_number_of_changes() {
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(distance(&chars("kitten"), &chars("sitting")), 3);
        assert_eq!(distance(&[], &chars("ab")), 2);
    }
}
