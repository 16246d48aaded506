//! The soft keyboard: drawn over the lower display, never in the dump.

use super::AppContext;
use super::build::GESTURE_BAR;
use crate::domain::{Point, Rect};

/// Height of the four rows of keys, dp.
const ROWS: f32 = 220.0;
/// Height of the strip with shortcuts above the keys, dp.
const STRIP: f32 = 40.0;
/// Distance between keys, dp.
const GAP: f32 = 5.0;
/// A display lower than this has no strip and lower keys, dp.
const LOW: f32 = 500.0;
/// Widest pad of digits, dp.
const PAD: f32 = 480.0;

/// What the keyboard shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Page {
    /// Letters of the locale's alphabet.
    Letters,
    /// Latin letters, for alphabets that are not Latin.
    Latin,
    /// Digits and signs.
    Symbols,
    /// A telephone's keypad.
    Digits,
}

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyAction {
    /// Types a character.
    Type(char),
    /// Upper case for one letter.
    Shift,
    /// Deletes a character.
    Delete,
    /// ENTER, or the next field.
    Enter,
    /// Shows another page.
    Turn(Page),
}

/// What ENTER does in the focused field (`android:imeOptions`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum EnterKey {
    /// Hides the keyboard.
    #[default]
    Done,
    /// Goes to the next field.
    Next,
    /// Submits what was typed.
    Search,
}

/// A key at its place.
#[derive(Debug, Clone)]
pub(super) struct Key {
    /// Its face.
    pub bounds: Rect,
    /// What stands on it; empty for those with an icon.
    pub label: String,
    /// What a long press would type, in its corner.
    pub hint: Option<char>,
    /// What it does.
    pub action: KeyAction,
}

/// The keyboard's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Keyboard {
    /// What it shows.
    pub page: Page,
    /// Upper case.
    pub shift: bool,
}

/// The three rows of letters of a locale, and the language's name on the space bar. Languages that are written with an
/// input method type Latin letters.
fn alphabet(locale: &str) -> ([&'static str; 3], &'static str) {
    const QWERTY: [&str; 3] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
    let language = locale.split(['-', '_']).next().unwrap_or_default();
    match language {
        "ar" => (["ضصثقفغعهخحج", "شسيبلاتنمكط", "ذءؤرىةوزظد"], "العربية"),
        "bn" => (QWERTY, "বাংলা"),
        "cs" => (["qwertzuiop", "asdfghjkl", "yxcvbnm"], "Čeština"),
        "de" => (["qwertzuiopü", "asdfghjklöä", "yxcvbnm"], "Deutsch"),
        "el" => (["ςερτυθιοπ", "ασδφγηξκλ", "ζχψωβνμ"], "Ελληνικά"),
        "es" => (["qwertyuiop", "asdfghjklñ", "zxcvbnm"], "Español"),
        "fa" => (["ضصثقفغعهخحج", "شسیبلاتنمکگ", "ظطژزرذدپوچ"], "فارسی"),
        "fr" => (["azertyuiop", "qsdfghjklm", "wxcvbn'"], "Français"),
        "he" | "iw" => (["קראטוןםפ", "שדגכעיחלךף", "זסבהנמצתץ"], "עברית"),
        "hi" => (QWERTY, "हिन्दी"),
        "hu" => (["qwertzuiop", "asdfghjkl", "yxcvbnm"], "Magyar"),
        "id" | "in" => (QWERTY, "Indonesia"),
        "it" => (QWERTY, "Italiano"),
        "ja" => (QWERTY, "日本語"),
        "ko" => (QWERTY, "한국어"),
        "nl" => (QWERTY, "Nederlands"),
        "pl" => (QWERTY, "Polski"),
        "pt" => (QWERTY, "Português"),
        "ro" => (QWERTY, "Română"),
        "ru" => (["йцукенгшщзх", "фывапролджэ", "ячсмитьбю"], "Русский"),
        "sv" => (["qwertyuiopå", "asdfghjklöä", "zxcvbnm"], "Svenska"),
        "th" => (QWERTY, "ไทย"),
        "tr" => (["qwertyuıopğü", "asdfghjklşi", "zxcvbnmöç"], "Türkçe"),
        "uk" => (["йцукенгшщзх", "фівапролджє", "ячсмитьбю"], "Українська"),
        "vi" => (QWERTY, "Tiếng Việt"),
        "zh" => (QWERTY, "拼音"),
        _ => (QWERTY, "English"),
    }
}

/// Whether a locale's own letters leave no room for Latin ones.
fn has_latin_page(locale: &str) -> bool {
    alphabet(locale).0[0].chars().next().is_some_and(|letter| !letter.is_ascii())
}

impl Keyboard {
    fn is_low(context: &AppContext) -> bool {
        (context.display.height as f32) < context.px(LOW)
    }

    /// Height of the strip above the keys, pixels.
    fn strip_height(context: &AppContext) -> f32 {
        if Self::is_low(context) { 0.0 } else { context.px(STRIP) }
    }

    fn rows_height(context: &AppContext) -> f32 {
        if Self::is_low(context) { context.display.height as f32 * 0.46 } else { context.px(ROWS) }
    }

    /// Where it lies.
    pub(super) fn area(context: &AppContext) -> Rect {
        let height = Self::strip_height(context) + Self::rows_height(context) + context.px(GESTURE_BAR);
        let display = context.display.rect();
        Rect::new(0, display.bottom - height.round() as i32, display.right, display.bottom)
    }

    /// The strip with shortcuts, if there is room for one.
    pub(super) fn strip(context: &AppContext) -> Option<Rect> {
        let area = Self::area(context);
        let height = Self::strip_height(context).round() as i32;
        (height > 0).then(|| Rect::new(area.left, area.top, area.right, area.top + height))
    }

    /// Its keys.
    pub(super) fn keys(self, context: &AppContext) -> Vec<Key> {
        let (letters, _) = alphabet(if self.page == Page::Latin { "en" } else { &context.locale });
        let third = format!("^{}<", letters[2]);
        let last = match self.page {
            Page::Letters | Page::Latin if has_latin_page(&context.locale) => "?@,_.~",
            Page::Letters | Page::Latin => "?,_.~",
            Page::Symbols => "=,_.~",
            Page::Digits => ",0.~",
        };
        let rows: [&str; 4] = match self.page {
            // `^` shift, `<` delete, `_` space, `~` enter, `?` symbols, `=` letters, `@` the other alphabet.
            Page::Letters | Page::Latin => [letters[0], letters[1], &third, last],
            Page::Symbols => ["1234567890", "@#$%&-+()", "*\"':;!/<", last],
            Page::Digits => ["123-", "456 ", "789<", last],
        };
        let area = Self::area(context);
        let gap = context.px(GAP);
        let row_height = (Self::rows_height(context) - gap) / 4.0;
        let first_top = area.top as f32 + Self::strip_height(context) + gap;
        let digits = self.page == Page::Digits;
        let width = if digits { (area.width() as f32).min(context.px(PAD)) } else { area.width() as f32 };
        let longest = rows[..3].iter().map(|row| row.chars().count()).max().unwrap_or_default();
        let columns = if digits { 4 } else { longest.max(10) };
        let unit = (width - gap) / columns as f32;
        let mut keys = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let mut actions: Vec<(KeyAction, f32)> = row.chars().map(|symbol| self.action(symbol, at)).collect();
            let free = columns as f32 - actions.iter().map(|(_, share)| share).sum::<f32>();
            // What a row has to spare or lacks is the space bar's, else that of shift and delete.
            let flexible: Vec<usize> = (0..actions.len())
                .filter(|key| match actions[*key].0 {
                    KeyAction::Type(' ') => !digits,
                    KeyAction::Shift | KeyAction::Delete => !digits && at == 2 && free < 0.0,
                    _ => false,
                })
                .collect();
            for key in &flexible {
                actions[*key].1 += free / flexible.len() as f32;
            }
            let used: f32 = actions.iter().map(|(_, share)| share * unit).sum();
            let mut left = gap + (area.width() as f32 - gap - used) / 2.0;
            let top = first_top + at as f32 * row_height;
            for (place, (action, share)) in actions.into_iter().enumerate() {
                let right = left + share * unit - gap;
                let bounds = Rect::new(
                    left.round() as i32,
                    top.round() as i32,
                    right.round() as i32,
                    (top + row_height - gap).round() as i32,
                );
                let numbered = at == 0 && matches!(self.page, Page::Letters | Page::Latin);
                let hint = "1234567890".chars().nth(place).filter(|_| numbered);
                keys.push(Key { bounds, label: self.label(action, &context.locale), hint, action });
                left += share * unit;
            }
        }
        keys
    }

    /// The key under a point, gaps given to the nearest key.
    pub(super) fn key_at(self, context: &AppContext, point: Point) -> Option<KeyAction> {
        let half = (context.px(GAP) / 2.0).ceil() as i32;
        let grown = |r: Rect| Rect::new(r.left - half, r.top - half, r.right + half, r.bottom + half);
        self.keys(context).into_iter().find(|key| grown(key.bounds).contains(point)).map(|key| key.action)
    }

    fn action(self, symbol: char, row: usize) -> (KeyAction, f32) {
        let digits = self.page == Page::Digits;
        let letters = matches!(self.page, Page::Letters | Page::Latin);
        match symbol {
            '<' => (KeyAction::Delete, if digits { 1.0 } else { 1.5 }),
            '~' => (KeyAction::Enter, if digits { 1.0 } else { 1.5 }),
            '^' => (KeyAction::Shift, 1.5),
            '_' => (KeyAction::Type(' '), 1.0),
            '?' if letters => (KeyAction::Turn(Page::Symbols), 1.5),
            '@' if letters => {
                (KeyAction::Turn(if self.page == Page::Latin { Page::Letters } else { Page::Latin }), 1.0)
            }
            '=' if row == 3 => (KeyAction::Turn(Page::Letters), 1.5),
            letter if self.shift => (KeyAction::Type(letter.to_uppercase().next().unwrap_or(letter)), 1.0),
            letter => (KeyAction::Type(letter), 1.0),
        }
    }

    fn label(self, action: KeyAction, locale: &str) -> String {
        match action {
            KeyAction::Type(' ') if self.page == Page::Digits => String::new(),
            KeyAction::Type(' ') => alphabet(if self.page == Page::Latin { "en" } else { locale }).1.to_owned(),
            KeyAction::Type(character) => character.to_string(),
            KeyAction::Turn(Page::Symbols) => "?123".to_owned(),
            KeyAction::Turn(Page::Letters) if self.page == Page::Symbols => "ABC".to_owned(),
            KeyAction::Turn(_) | KeyAction::Shift | KeyAction::Delete | KeyAction::Enter => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Size;

    #[test]
    fn every_key_is_found_at_its_centre_and_none_overlap() {
        let displays = [(1080, 2400, 420), (2400, 1080, 420), (720, 1280, 320), (2560, 1600, 320)];
        let locales = ["en-US", "de-DE", "ru-RU", "ar-EG", "fa-IR", "he-IL", "tr-TR", "el-GR", "zh-CN"];
        for (width, height, density) in displays {
            for locale in locales {
                let locale = locale.to_owned();
                let context = AppContext { display: Size::new(width, height), density, locale, ..AppContext::phone() };
                for page in [Page::Letters, Page::Latin, Page::Symbols, Page::Digits] {
                    let keyboard = Keyboard { page, shift: false };
                    let keys = keyboard.keys(&context);
                    for (at, key) in keys.iter().enumerate() {
                        assert_eq!(keyboard.key_at(&context, key.bounds.center()), Some(key.action));
                        assert!(Keyboard::area(&context).encloses(key.bounds), "{key:?}");
                        assert!(keys[at + 1..].iter().all(|other| other.bounds.intersection(key.bounds).is_none()));
                        assert!(key.bounds.width() > context.px(14.0) as i32, "{key:?}");
                    }
                    assert!(Keyboard::area(&context).height() < context.display.height as i32 * 6 / 10);
                }
            }
        }
    }

    #[test]
    fn other_alphabets_have_a_way_to_latin_and_back() {
        let context = AppContext { locale: "ru-RU".to_owned(), ..AppContext::phone() };
        let typed = |page: Page| -> Vec<KeyAction> {
            Keyboard { page, shift: false }.keys(&context).into_iter().map(|key| key.action).collect()
        };
        assert!(typed(Page::Letters).contains(&KeyAction::Type('ы')));
        assert!(typed(Page::Letters).contains(&KeyAction::Turn(Page::Latin)));
        assert!(typed(Page::Latin).contains(&KeyAction::Type('q')));
        assert!(typed(Page::Latin).contains(&KeyAction::Turn(Page::Letters)));
    }
}
