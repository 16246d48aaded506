//! Key names (`KeyEvent.keyCodeFromString`).

/// A number, or a name with or without `KEYCODE_`; `None` for what Android takes as `KEYCODE_UNKNOWN`.
pub(super) fn parse(word: &str) -> Option<u32> {
    if let Ok(code) = word.parse::<u32>() {
        return (1..=320).contains(&code).then_some(code);
    }
    let name = word.to_ascii_uppercase();
    let name = name.strip_prefix("KEYCODE_").unwrap_or(&name);
    if let [letter] = name.as_bytes() {
        return match letter {
            b'0'..=b'9' => Some(7 + u32::from(letter - b'0')),
            b'A'..=b'Z' => Some(29 + u32::from(letter - b'A')),
            _ => None,
        };
    }
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, code)| *code)
}

const NAMES: [(&str, u32); 47] = [
    ("HOME", 3),
    ("BACK", 4),
    ("CALL", 5),
    ("ENDCALL", 6),
    ("STAR", 17),
    ("POUND", 18),
    ("DPAD_UP", 19),
    ("DPAD_DOWN", 20),
    ("DPAD_LEFT", 21),
    ("DPAD_RIGHT", 22),
    ("DPAD_CENTER", 23),
    ("VOLUME_UP", 24),
    ("VOLUME_DOWN", 25),
    ("POWER", 26),
    ("CLEAR", 28),
    ("COMMA", 55),
    ("PERIOD", 56),
    ("SHIFT_LEFT", 59),
    ("SHIFT_RIGHT", 60),
    ("TAB", 61),
    ("SPACE", 62),
    ("ENTER", 66),
    ("DEL", 67),
    ("GRAVE", 68),
    ("MINUS", 69),
    ("EQUALS", 70),
    ("LEFT_BRACKET", 71),
    ("RIGHT_BRACKET", 72),
    ("BACKSLASH", 73),
    ("SEMICOLON", 74),
    ("APOSTROPHE", 75),
    ("SLASH", 76),
    ("AT", 77),
    ("PLUS", 81),
    ("MENU", 82),
    ("SEARCH", 84),
    ("PAGE_UP", 92),
    ("PAGE_DOWN", 93),
    ("ESCAPE", 111),
    ("FORWARD_DEL", 112),
    ("CTRL_LEFT", 113),
    ("MOVE_HOME", 122),
    ("MOVE_END", 123),
    ("NUMPAD_ENTER", 160),
    ("APP_SWITCH", 187),
    ("SLEEP", 223),
    ("WAKEUP", 224),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_mean_the_same_key() {
        for (word, code) in [("KEYCODE_BACK", 4), ("back", 4), ("4", 4), ("KEYCODE_7", 14), ("A", 29), ("ENTER", 66)] {
            // A bare digit is a key code, not the key of that digit.
            assert_eq!(parse(word), Some(code), "{word}");
        }
        assert_eq!(parse("NOT_A_KEY"), None);
        assert_eq!(parse("999999"), None);
    }
}
