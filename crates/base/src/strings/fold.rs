//! Texts in the form they are compared in.

/// One character of a folded text, and where in the original it comes from, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Folded {
    pub(super) is: char,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// Folds what tells two shown forms of one text apart: case, white space, marks of direction, kinds of digits and
/// quotes. White space at the ends goes.
pub(super) fn folded(text: &str) -> Vec<Folded> {
    let mut out: Vec<Folded> = Vec::with_capacity(text.len());
    let mut gap: Option<usize> = None;
    for (from, c) in text.char_indices() {
        let to = from + c.len_utf8();
        if c.is_whitespace() || c.is_control() {
            gap = gap.or((!out.is_empty()).then_some(from));
            continue;
        }
        if is_invisible(c) {
            continue;
        }
        if let Some(gap) = gap.take() {
            out.push(Folded { is: ' ', from: gap, to: from });
        }
        for is in plain(c) {
            out.push(Folded { is, from, to });
        }
    }
    out
}

/// The folded text alone.
pub(super) fn fold(text: &str) -> String {
    folded(text).iter().map(|folded| folded.is).collect()
}

/// Marks of direction and joining, soft hyphens, and the dot that Turkish capitals leave behind.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{307}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

fn plain(c: char) -> impl Iterator<Item = char> {
    let one = match c {
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2bc}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' => '"',
        '\u{2010}'..='\u{2012}' => '-',
        '\u{131}' | '\u{130}' => 'i',
        'ς' => 'σ',
        // Greek capitals bear no accents.
        'ά' | 'Ά' => 'α',
        'έ' | 'Έ' => 'ε',
        'ή' | 'Ή' => 'η',
        'ί' | 'Ί' => 'ι',
        'ό' | 'Ό' => 'ο',
        'ύ' | 'Ύ' => 'υ',
        'ώ' | 'Ώ' => 'ω',
        // Full-width forms.
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        c => digit(c).unwrap_or(c),
    };
    let (first, second) = match one {
        '…' => ("...", None),
        'ß' | 'ẞ' => ("ss", None),
        other => ("", Some(other)),
    };
    first.chars().chain(second.into_iter().flat_map(char::to_lowercase).filter(|c| !is_invisible(*c)))
}

/// A decimal digit of another script, in ours.
fn digit(c: char) -> Option<char> {
    const ZEROS: [u32; 14] =
        [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0x1040, 0x17e0];
    let code = u32::from(c);
    let zero = ZEROS.iter().find(|zero| (**zero..**zero + 10).contains(&code))?;
    char::from_digit(code - zero, 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn forms_of_one_text_are_one() {
        for (shown, written) in [
            ("\u{200f}تخطي\u{200f}", "تخطي"),
            ("\u{2067}٣ دقائق\u{2069}", "3 دقائق"),
            ("  Not\u{a0}now\n", "not now"),
            ("İPTAL", "iptal"),
            ("ILIK", "ılık"),
            ("STRASSE", "Straße"),
            ("ΑΚΥΡΩΣΗ", "Ακύρωση"),
            ("Loading…", "loading..."),
            ("Don’t", "don't"),
            ("１２時", "12時"),
        ] {
            assert_eq!(fold(shown), fold(written), "{shown}");
        }
        assert_ne!(fold("पाना"), fold("पान"), "vowel signs are letters");
        assert_eq!(fold(" \u{200e} "), "");
    }

    proptest! {
        #[test]
        fn folding_twice_is_folding_once_and_places_are_those_of_characters(text in any::<String>()) {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
            for folded in folded(&text) {
                prop_assert!(text.get(folded.from..folded.to).is_some());
            }
        }
    }
}
