//! Which words of a paragraph probably lie in a box: an estimate from the widths of its characters, until text
//! recognition reads them.
//!
//! Words are dealt out to the lines in proportion to the lines' ink; within a line each word gets its share of the
//! line's width. Rough, because the font is unknown: a word at a link's edge may be taken or missed.

use crate::domain::Rect;
use std::ops::Range;

/// A word of the text: its bytes and its width in average characters.
#[derive(Debug)]
struct Word {
    bytes: Range<usize>,
    width: f32,
    /// Width of the gap before it.
    gap: f32,
    /// A line break stands before it.
    breaks: bool,
}

/// The words of `text` that overlap `boxes` by half their width or more, from the first to the last of them, without
/// punctuation around. Empty when none does. `lines` are the paragraph's lines, top to bottom.
pub(super) fn words_in(text: &str, lines: &[Rect], boxes: &[Rect], rtl: bool) -> String {
    let words = words(text);
    let placed = place(&words, lines, rtl);
    let inside = words.iter().zip(&placed).filter(|(_, (line, from, to))| {
        boxes.iter().any(|found| {
            let line = lines[*line];
            let same_line = 2 * (found.bottom.min(line.bottom) - found.top.max(line.top)) >= found.height();
            let shared = to.min(found.right as f32) - from.max(found.left as f32);
            same_line && 2.0 * shared >= to - from
        })
    });
    let bytes = inside.map(|(word, _)| word.bytes.clone()).reduce(|a, b| a.start..b.end);
    let Some(found) = bytes.and_then(|bytes| text.get(bytes)) else { return String::new() };
    let outside =
        |c: char| c.is_whitespace() || (!c.is_alphanumeric() && !matches!(c, '&' | '@' | '#' | '%' | '+' | '$' | '€'));
    found.trim_matches(outside).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// True when the first letter of the text with a direction runs from right to left.
pub(super) fn is_rtl(text: &str) -> bool {
    text.chars()
        .find(|c| c.is_alphabetic())
        .is_some_and(|c| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}'))
}

/// Scripts that break lines between any two characters.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ff60}' | '\u{20000}'..='\u{3fffd}')
}

/// Advance of a character relative to an average small letter, as in the common sans serif faces.
fn advance(c: char) -> f32 {
    match c {
        ' ' | '\u{a0}' | 'i' | 'j' | 'l' | '\'' | '.' | ',' | ':' | ';' | '|' | '!' | 'I' => 0.45,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '-' | '"' | '/' => 0.65,
        'm' | 'w' | 'M' | 'W' | '@' => 1.55,
        c if is_wide(c) => 1.8,
        c if is_mark(c) => 0.0,
        c if c.is_uppercase() => 1.2,
        _ => 1.0,
    }
}

/// Marks that stand over, under or in other letters and take no room of their own (general category Mn, and what joins
/// or directs), in the scripts of phones.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{487}'
        | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}'..='\u{5c2}' | '\u{5c4}'..='\u{5c5}' | '\u{5c7}'
        | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6dc}'
        | '\u{900}'..='\u{902}' | '\u{93a}' | '\u{93c}' | '\u{941}'..='\u{948}' | '\u{94d}'
        | '\u{951}'..='\u{957}' | '\u{962}'..='\u{963}'
        | '\u{981}' | '\u{9bc}' | '\u{9c1}'..='\u{9c4}' | '\u{9cd}'
        | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}'
        | '\u{eb1}' | '\u{eb4}'..='\u{ebc}' | '\u{ec8}'..='\u{ece}'
        | '\u{102d}'..='\u{1030}' | '\u{1032}'..='\u{1037}' | '\u{1039}'..='\u{103a}'
        | '\u{17b4}'..='\u{17b5}' | '\u{17b7}'..='\u{17bd}' | '\u{17c6}' | '\u{17c9}'..='\u{17d3}'
        | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// Scripts of South-East Asia: words are not set apart, so a word may end at any syllable.
fn has_no_spaces(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// Width of a text in average small letters.
pub(super) fn text_width(text: &str) -> f32 {
    text.chars().map(advance).sum()
}

fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let (mut gap, mut breaks, mut glued) = (0.0, false, false);
    let mut vowel_first = false;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        if c.is_whitespace() {
            gap += advance(' ');
            breaks |= c == '\n';
            glued = false;
            continue;
        }
        match words.last_mut() {
            Some(last) if glued && (!is_wide(c) && !has_no_spaces(c) || is_mark(c) || vowel_first || follows(c)) => {
                last.bytes.end = end;
                last.width += advance(c);
            }
            _ => words.push(Word { bytes: at..end, width: advance(c), gap, breaks }),
        }
        (gap, breaks, glued) = (0.0, false, !is_wide(c));
        // Thai and Lao write some vowels before the consonant they follow.
        vowel_first = matches!(c, '\u{e40}'..='\u{e44}' | '\u{ec0}'..='\u{ec4}');
    }
    words
}

/// Vowels and signs of Thai and Lao that never begin a syllable.
fn follows(c: char) -> bool {
    matches!(c, '\u{e2f}'..='\u{e33}' | '\u{e45}'..='\u{e46}' | '\u{eaf}'..='\u{eb3}' | '\u{ec6}')
}

/// Line and horizontal extent of every word.
fn place(words: &[Word], lines: &[Rect], rtl: bool) -> Vec<(usize, f32, f32)> {
    if lines.is_empty() {
        return Vec::new();
    }
    let total: f32 = words.iter().map(|word| word.gap + word.width).sum();
    let ink: f32 = lines.iter().map(|line| line.width() as f32).sum();
    let scale = if total > 0.0 { ink / total } else { 0.0 };
    // Fill the lines one after another; the last takes what is left.
    let mut line_of = Vec::with_capacity(words.len());
    let (mut line, mut filled) = (0, 0.0);
    for word in words {
        let width = (word.gap + word.width) * scale;
        let room = lines[line].width() as f32;
        // A word belongs to the line that holds its middle.
        let full = filled > 0.0 && filled + width / 2.0 > room;
        if line + 1 < lines.len() && (full || word.breaks && filled > 0.0) {
            line += 1;
            filled = 0.0;
        }
        line_of.push(line);
        filled += width;
    }
    let mut placed = Vec::with_capacity(words.len());
    for (line, rect) in lines.iter().enumerate() {
        let members: Vec<&Word> =
            words.iter().zip(&line_of).filter(|(_, at)| **at == line).map(|(word, _)| word).collect();
        let sum: f32 =
            members.iter().enumerate().map(|(at, word)| word.width + if at > 0 { word.gap } else { 0.0 }).sum();
        let scale = if sum > 0.0 { rect.width() as f32 / sum } else { 0.0 };
        let mut x = 0.0;
        for (at, word) in members.iter().enumerate() {
            x += if at > 0 { word.gap * scale } else { 0.0 };
            let (from, to) = (x, x + word.width * scale);
            x = to;
            placed.push(if rtl {
                (line, rect.right as f32 - to, rect.right as f32 - from)
            } else {
                (line, rect.left as f32 + from, rect.left as f32 + to)
            });
        }
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_under_a_box_are_found_by_proportion() {
        let text = "Already have an account? Log in";
        let line = Rect::new(0, 0, 310, 30);
        assert_eq!(words_in(text, &[line], &[Rect::new(256, 0, 310, 30)], false), "Log in");
        assert_eq!(words_in(text, &[line], &[Rect::new(500, 0, 600, 30)], false), "");
    }

    #[test]
    fn a_link_broken_over_two_lines_is_read_in_order() {
        let text = "By continuing, you agree to the Terms of Service and Privacy Policy.";
        let lines = [Rect::new(112, 0, 969, 34), Rect::new(494, 46, 586, 80)];
        assert_eq!(words_in(text, &lines, &[Rect::new(555, 0, 796, 34)], false), "Terms of Service");
        assert_eq!(
            words_in(text, &lines, &[Rect::new(865, 0, 969, 34), Rect::new(494, 46, 580, 80)], false),
            "Privacy Policy"
        );
    }

    #[test]
    fn wide_scripts_have_a_word_per_character_and_rtl_runs_from_the_right() {
        let line = Rect::new(0, 0, 200, 20);
        assert_eq!(words_in("我已阅读并同意用户协议", &[line], &[Rect::new(127, 0, 200, 20)], false), "用户协议");
        assert!(is_rtl("אני מסכים") && is_rtl("1. أوافق") && !is_rtl("I agree שלום"));
        assert_eq!(words_in("אאאא בבבב", &[line], &[Rect::new(0, 0, 90, 20)], true), "בבבב");
    }

    #[test]
    fn words_without_spaces_are_found_by_syllables_and_marks_take_no_room() {
        // Ten letters with room of their own, three marks.
        let text = "อ่านนโยบายนี้";
        assert!((text_width(text) - 10.0).abs() < 0.01, "{}", text_width(text));
        assert_eq!(words_in(text, &[Rect::new(0, 0, 100, 20)], &[Rect::new(30, 0, 90, 20)], false), "นโยบาย");
    }

    #[test]
    fn text_without_words_or_lines_gives_nothing() {
        assert_eq!(words_in("", &[Rect::new(0, 0, 9, 9)], &[Rect::new(0, 0, 9, 9)], false), "");
        assert_eq!(words_in("a b", &[], &[Rect::new(0, 0, 9, 9)], false), "");
    }
}
