//! The bundled fonts, and which of them draws a character: Roboto where it can, then the face of the character's
//! script, as Android's own list of fallbacks has it. The font files are part of the executable and are paged in when
//! they are first used.

use cosmic_text::{Attrs, Fallback, Family, FontSystem, Weight, fontdb};
use std::ops::Range;
use std::sync::Arc;
use unicode_script::Script;

macro_rules! font {
    ($name:literal) => {
        include_bytes!(concat!("../fonts/", $name))
    };
}

const FILES: [&[u8]; 18] = [
    font!("Roboto-Regular.ttf"),
    font!("Roboto-Medium.ttf"),
    font!("NotoSans-Regular.ttf"),
    font!("NotoNaskhArabicUI-Regular.ttf"),
    font!("NotoNaskhArabicUI-Medium.ttf"),
    font!("NotoSansHebrew-Regular.ttf"),
    font!("NotoSansHebrew-Medium.ttf"),
    font!("NotoSansDevanagariUI-Regular.ttf"),
    font!("NotoSansDevanagariUI-Medium.ttf"),
    font!("NotoSansBengaliUI-Regular.ttf"),
    font!("NotoSansBengaliUI-Medium.ttf"),
    font!("NotoSansThaiUI-Regular.ttf"),
    font!("NotoSansThaiUI-Medium.ttf"),
    font!("NotoSansCJK-Regular.ttc"),
    font!("NotoSansSymbols-Regular.ttf"),
    font!("NotoSansSymbols2-Regular.ttf"),
    font!("NotoSansMath-Regular.ttf"),
    font!("NotoColorEmoji.ttf"),
];

const LATIN: &str = "Roboto";
const EMOJI: &str = "Noto Color Emoji";
/// Families with a medium face.
const MEDIUM: [&str; 6] = [
    LATIN,
    "Noto Naskh Arabic UI",
    "Noto Sans Hebrew",
    "Noto Sans Devanagari UI",
    "Noto Sans Bengali UI",
    "Noto Sans Thai UI",
];
/// Asked in this order, before the faces for Han characters and behind Roboto.
const SCRIPTS: [&str; 6] = [
    "Noto Naskh Arabic UI",
    "Noto Sans Hebrew",
    "Noto Sans Devanagari UI",
    "Noto Sans Bengali UI",
    "Noto Sans Thai UI",
    "Noto Sans",
];
/// Asked last.
const SIGNS: [&str; 4] = ["Noto Sans Symbols", "Noto Sans Symbols2", "Noto Sans Math", EMOJI];

/// The region whose forms Han characters take: the same code point looks different from one to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) enum Han {
    /// Mainland China, Singapore; and whoever has none of these languages.
    #[default]
    Simplified,
    /// Taiwan, Hong Kong, Macau.
    Traditional,
    /// Japan.
    Japanese,
    /// Korea.
    Korean,
}

impl Han {
    /// The forms of a locale.
    pub(super) fn of(locale: &str) -> Self {
        let mut parts = locale.split(['-', '_']);
        match parts.next() {
            Some("ja") => Self::Japanese,
            Some("ko") => Self::Korean,
            Some("zh") if parts.any(|part| matches!(part, "Hant" | "TW" | "HK" | "MO")) => Self::Traditional,
            _ => Self::Simplified,
        }
    }

    /// Its own face first; a character only another region has is better in that form than not at all.
    const fn families(self) -> [&'static str; 4] {
        let [cn, tw, jp, kr] = ["Noto Sans CJK SC", "Noto Sans CJK TC", "Noto Sans CJK JP", "Noto Sans CJK KR"];
        match self {
            Self::Simplified => [cn, jp, tw, kr],
            Self::Traditional => [tw, cn, jp, kr],
            Self::Japanese => [jp, cn, tw, kr],
            Self::Korean => [kr, jp, cn, tw],
        }
    }
}

/// What cosmic-text itself falls back to: signs within a word that runs from right to left. Everything else is decided
/// here, as it cannot know the locale of a text.
struct LatinFallback;

impl Fallback for LatinFallback {
    fn common_fallback(&self) -> &[&'static str] {
        &[LATIN, "Noto Sans"]
    }

    fn forbidden_fallback(&self) -> &[&'static str] {
        &[]
    }

    fn script_fallback(&self, _script: Script, _locale: &str) -> &[&'static str] {
        &[]
    }
}

/// The bundled fonts as shapers and rasterizers want them.
pub(super) struct Fonts {
    system: FontSystem,
    /// A face of each family, regular weight.
    faces: Vec<(&'static str, fontdb::ID)>,
}

impl Fonts {
    pub(super) fn new() -> Self {
        let mut database = fontdb::Database::new();
        for data in FILES {
            database.load_font_source(fontdb::Source::Binary(Arc::new(data)));
        }
        database.set_sans_serif_family(LATIN);
        database.set_serif_family(LATIN);
        database.set_monospace_family(LATIN);
        let families = [LATIN].into_iter().chain(SCRIPTS).chain(Han::default().families()).chain(SIGNS);
        let faces = families
            .filter_map(|family| {
                let query = fontdb::Query { families: &[Family::Name(family)], ..fontdb::Query::default() };
                Some((family, database.query(&query)?))
            })
            .collect();
        let system = FontSystem::new_with_locale_and_db_and_fallback("en-US".to_owned(), database, LatinFallback);
        Self { system, faces }
    }

    /// What cosmic-text works with.
    pub(super) fn system(&mut self) -> &mut FontSystem {
        &mut self.system
    }

    /// Whether a face stands in for a medium one that does not exist.
    pub(super) fn lacks_medium(&self, face: fontdb::ID) -> bool {
        self.faces.iter().any(|(family, id)| *id == face && family.starts_with("Noto Sans CJK"))
    }

    fn covers(&mut self, family: &str, character: char) -> bool {
        let Some(&(_, id)) = self.faces.iter().find(|(name, _)| *name == family) else { return false };
        self.system.get_font(id, Weight::NORMAL).is_some_and(|font| font.as_swash().charmap().map(character) != 0)
    }

    /// The family for a character behind text in `before`, with `next` after it.
    fn family(&mut self, character: char, before: &'static str, next: Option<char>, han: Han) -> &'static str {
        if character.is_ascii() {
            return if character.is_ascii_graphic() || character == ' ' { LATIN } else { before };
        }
        if joins(character) {
            return before;
        }
        let pictured = next == Some('\u{fe0f}') || is_pictograph(character);
        if pictured && self.covers(EMOJI, character) {
            return EMOJI;
        }
        let chain = [LATIN].into_iter().chain(SCRIPTS).chain(han.families()).chain(SIGNS);
        for family in chain {
            if self.covers(family, character) {
                return family;
            }
        }
        LATIN
    }

    /// A text in pieces of one font each.
    pub(super) fn runs(&mut self, text: &str, han: Han) -> Vec<(Range<usize>, &'static str)> {
        if text.is_ascii() {
            return vec![(0..text.len(), LATIN)];
        }
        let mut runs: Vec<(Range<usize>, &'static str)> = Vec::new();
        let mut family = LATIN;
        let mut characters = text.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            let next = characters.peek().map(|(_, next)| *next);
            let end = at + character.len_utf8();
            // cosmic-text turns the pieces of a backwards word around only if they have one font.
            if !(backwards(family) && is_sign(character)) {
                family = self.family(character, family, next, han);
            }
            if is_sign(character) && !backwards(family) {
                let word = text[end..].chars().find(|c| !is_sign(*c));
                let following = word.map_or(family, |word| self.family(word, family, None, han));
                if backwards(following) {
                    family = following;
                }
            }
            match runs.last_mut() {
                Some((range, same)) if *same == family => range.end = end,
                _ => runs.push((at..end, family)),
            }
        }
        runs
    }
}

/// How a family is asked for.
pub(super) fn attributes(family: &'static str, medium: bool) -> Attrs<'static> {
    // cosmic-text finds a family only in a weight that it has.
    let weight = if medium && MEDIUM.contains(&family) { Weight::MEDIUM } else { Weight::NORMAL };
    Attrs::new().family(Family::Name(family)).weight(weight)
}

/// Whether a family's scripts run from right to left.
fn backwards(family: &str) -> bool {
    SCRIPTS[..2].contains(&family)
}

/// Punctuation and the like, which takes the direction of the word that it touches.
fn is_sign(character: char) -> bool {
    !character.is_alphanumeric() && !character.is_whitespace()
}

/// Whether a character belongs to the one before it, whatever face that has.
const fn joins(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{20d0}'..='\u{20f0}' | '\u{fe00}'..='\u{fe0f}')
}

/// Whether a character is a coloured picture without being told so (Unicode's `Emoji_Presentation`).
const fn is_pictograph(character: char) -> bool {
    matches!(character,
        '\u{1f000}'..='\u{1faff}'
        | '\u{231a}' | '\u{231b}' | '\u{23e9}'..='\u{23ec}' | '\u{23f0}' | '\u{23f3}' | '\u{25fd}' | '\u{25fe}'
        | '\u{2614}' | '\u{2615}' | '\u{2648}'..='\u{2653}' | '\u{267f}' | '\u{2693}' | '\u{26a1}' | '\u{26aa}'
        | '\u{26ab}' | '\u{26bd}' | '\u{26be}' | '\u{26c4}' | '\u{26c5}' | '\u{26ce}' | '\u{26d4}' | '\u{26ea}'
        | '\u{26f2}' | '\u{26f3}' | '\u{26f5}' | '\u{26fa}' | '\u{26fd}' | '\u{2705}' | '\u{270a}' | '\u{270b}'
        | '\u{2728}' | '\u{274c}' | '\u{274e}' | '\u{2753}'..='\u{2755}' | '\u{2757}' | '\u{2795}'..='\u{2797}'
        | '\u{27b0}' | '\u{27bf}' | '\u{2b1b}' | '\u{2b1c}' | '\u{2b50}' | '\u{2b55}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_is_there() {
        let fonts = Fonts::new();
        assert_eq!(fonts.faces.len(), 1 + SCRIPTS.len() + 4 + SIGNS.len(), "{:?}", fonts.faces);
        for family in MEDIUM {
            let face = fonts
                .system
                .db()
                .faces()
                .find(|face| face.weight == Weight::MEDIUM && face.families.iter().any(|(name, _)| name == family));
            assert!(face.is_some(), "{family} has no medium face");
        }
    }

    #[test]
    fn han_characters_take_the_form_of_the_locale() {
        let mut fonts = Fonts::new();
        let mut face = |text: &str, locale: &str| fonts.runs(text, Han::of(locale))[0].1;
        assert_eq!(face("直", "zh-CN"), "Noto Sans CJK SC");
        assert_eq!(face("直", "zh-Hant-HK"), "Noto Sans CJK TC");
        assert_eq!(face("直", "zh-TW"), "Noto Sans CJK TC");
        assert_eq!(face("直", "ja-JP"), "Noto Sans CJK JP");
        assert_eq!(face("한", "ko-KR"), "Noto Sans CJK KR");
        assert!(face("한", "en-US").starts_with("Noto Sans CJK"), "other scripts are there in every locale");
    }

    #[test]
    fn signs_and_pictures_find_their_faces() {
        let mut fonts = Fonts::new();
        let mut faces = |text: &str| -> Vec<&str> {
            fonts.runs(text, Han::default()).into_iter().map(|(_, family)| family).collect()
        };
        assert_eq!(faces("Tip 🎉"), [LATIN, EMOJI]);
        assert_eq!(faces("❤\u{fe0f}"), [EMOJI]);
        assert_eq!(faces("→"), ["Noto Sans CJK SC"]);
        assert_eq!(faces("∀"), ["Noto Sans Math"]);
        assert_eq!(faces("Zażółć €5 – ₫"), [LATIN]);
        assert_eq!(faces("עברית 12"), ["Noto Sans Hebrew", LATIN]);
    }
}
