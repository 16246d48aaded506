//! Cleaning of texts and resource ids into what a person would say.

/// Longest label made of several texts, in characters.
const MAX_JOINED: usize = 160;

/// One line of ordinary words: icon glyphs (private use), object replacement and invisible marks dropped together with
/// the commas that set the glyphs off, white space collapsed.
pub(super) fn clean(text: &str) -> String {
    if is_tidy(text) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let (mut gap, mut glyphs) = (false, false);
    for c in text.chars() {
        if is_private(c) || c == '\u{fffc}' {
            glyphs = true;
            continue;
        }
        if matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}') {
            continue;
        }
        if c.is_whitespace() || c.is_control() {
            gap = !out.is_empty();
            continue;
        }
        if gap {
            out.push(' ');
            gap = false;
        }
        out.push(c);
    }
    if glyphs { without_stray_separators(&out) } else { out }
}

/// True for ASCII without control characters whose words stand one space apart: most texts, and nothing to clean.
fn is_tidy(text: &str) -> bool {
    let mut last = b' ';
    for &byte in text.as_bytes() {
        if !(b' '..0x7f).contains(&byte) || byte == b' ' && last == b' ' {
            return false;
        }
        last = byte;
    }
    last != b' ' || text.is_empty()
}

/// The text without separators that a dropped glyph left at its ends or beside another.
fn without_stray_separators(text: &str) -> String {
    let separates = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|' | '·' | '•' | '،' | '、' | '，');
    text.trim_matches(separates).replace(", , ", ", ")
}

fn is_private(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{ffffd}' | '\u{100000}'..='\u{10fffd}')
}

/// The lines of a content description as a label, and whether one of them said "Tab 1 of 5".
pub(super) fn clean_description(text: &str) -> (String, bool) {
    let mut tab = false;
    let lines: Vec<String> = text
        .lines()
        .map(clean)
        .filter(|line| {
            let counter = is_tab_counter(line);
            tab |= counter;
            !line.is_empty() && !counter
        })
        .collect();
    (join(lines.iter().map(String::as_str)), tab)
}

/// `Tab 1 of 5` in the languages Flutter's `tabLabel` speaks most often.
fn is_tab_counter(line: &str) -> bool {
    const TAB: &[&str] = &[
        "tab",
        "registerkarte",
        "pestaña",
        "onglet",
        "guia",
        "scheda",
        "вкладка",
        "标签",
        "標籤",
        "分頁",
        "タブ",
        "탭",
        "sekme",
        "thẻ",
        "karta",
        "tabblad",
        "علامة التبويب",
        "כרטיסייה",
        "แท็บ",
    ];
    let numbers = line.split(|c: char| !c.is_numeric()).filter(|part| !part.is_empty()).count();
    if numbers != 2 || line.chars().count() > 40 {
        return false;
    }
    let line = line.to_lowercase();
    TAB.iter().any(|word| line.contains(word))
}

/// Joins distinct parts with commas, dropping parts already said, up to a bound.
pub(super) fn join<'p>(parts: impl Iterator<Item = &'p str>) -> String {
    let mut said: Vec<&str> = Vec::new();
    let mut out = String::new();
    for part in parts.filter(|part| !part.is_empty()) {
        if said.iter().any(|earlier| earlier.eq_ignore_ascii_case(part)) {
            continue;
        }
        if !out.is_empty() {
            if out.chars().count() + part.chars().count() > MAX_JOINED {
                break;
            }
            out.push_str(", ");
        }
        out.push_str(part);
        said.push(part);
    }
    out
}

/// True when a text is only a sign (`+`, `⋮`, `×`), so that a description says more.
pub(super) fn is_sign(text: &str) -> bool {
    !text.is_empty() && text.chars().count() <= 2 && !text.chars().any(char::is_alphanumeric)
}

/// True for a number alone that a description says with words around it: `12` and `Friday, 12 July`.
pub(super) fn is_explained_by(number: &str, description: &str) -> bool {
    let is_number = (1..=4).contains(&number.chars().count()) && number.chars().all(char::is_numeric);
    // The framework's calendar writes 1 and says "01 March 2026".
    let same = |part: &str| part == number || part.trim_start_matches('0') == number;
    is_number && description.split(|c: char| !c.is_numeric()).any(same) && description != number
}

/// The words of a resource id: `com.example:id/btn_confirmPayment` → `confirm payment`. Empty when it has none to
/// tell (generated, obfuscated, or only names of view types).
pub(super) fn id_words(id: &str) -> String {
    const KINDS: &[&str] = &[
        "btn",
        "button",
        "img",
        "image",
        "imageview",
        "iv",
        "tv",
        "txt",
        "text",
        "textview",
        "view",
        "layout",
        "ll",
        "rl",
        "fl",
        "cl",
        "cv",
        "container",
        "id",
        "ic",
        "icon",
        "et",
        "edit",
        "edittext",
        "ib",
        "cb",
        "rb",
        "sw",
        "lbl",
        "label",
        "wrapper",
        "root",
        "parent",
        "item",
        "row",
        "cell",
        "frame",
        "group",
        "box",
        "bt",
        "rv",
        "vp",
        "v",
        "testid",
    ];
    if !is_stable_id(id) {
        return String::new();
    }
    let name = id.rsplit_once('/').map_or(id, |(_, name)| name);
    let mut words: Vec<String> = Vec::new();
    let mut previous: Option<char> = None;
    for c in name.chars() {
        let split = match previous {
            None => true,
            Some(p) => !p.is_alphanumeric() || p.is_lowercase() && c.is_uppercase() || p.is_numeric() != c.is_numeric(),
        };
        previous = Some(c);
        if !c.is_alphanumeric() {
            continue;
        }
        if split || words.is_empty() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !KINDS.contains(&word.as_str()) && !word.chars().all(char::is_numeric));
    // Minified names (`aj8`, `x1`, `ngl`) say nothing.
    let minified = words.iter().all(|word| word.chars().count() <= 2) || is_minified(name);
    if minified { String::new() } else { words.join(" ") }
}

/// Three letters that are no word an interface has.
fn is_minified(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "add", "ads", "age", "air", "all", "any", "app", "art", "ask", "bag", "bar", "bed", "bio", "bin", "bmi", "bot",
        "box", "bug", "bus", "buy", "cab", "cal", "car", "cat", "cut", "cvc", "cvv", "day", "del", "dir", "dob", "doc",
        "dog", "dot", "dry", "ear", "eat", "end", "esc", "eta", "exp", "eye", "fab", "fan", "faq", "fat", "fav", "fax",
        "fee", "fit", "fix", "fly", "fri", "fun", "gap", "gas", "get", "gif", "git", "gps", "gym", "her", "him", "his",
        "hot", "how", "hub", "ice", "inc", "ink", "ios", "job", "key", "kid", "kit", "lab", "law", "led", "leg", "let",
        "lid", "lie", "lip", "log", "lot", "low", "mac", "man", "map", "max", "may", "men", "mic", "min", "mix", "mob",
        "mon", "mrs", "msg", "nav", "net", "new", "nfc", "now", "off", "oil", "old", "one", "otp", "out", "own", "pan",
        "pay", "pdf", "pen", "pet", "pic", "pie", "pin", "pos", "pot", "pro", "pub", "put", "qty", "ram", "raw", "red",
        "ref", "row", "rss", "run", "sat", "sea", "see", "seo", "set", "sex", "she", "shy", "sim", "sip", "sir", "sit",
        "sky", "sms", "sos", "spa", "ssn", "sub", "sum", "sun", "tab", "tag", "tax", "tea", "tel", "ten", "the", "thu",
        "tip", "toe", "top", "toy", "try", "tue", "two", "url", "usb", "use", "vat", "via", "vip", "vpn", "war", "way",
        "web", "wed", "who", "why", "win", "yes", "you", "zip", "zoo",
    ];
    let mut letters = name.chars();
    let three = letters.by_ref().take(3).filter(char::is_ascii_lowercase).count() == 3 && letters.next().is_none();
    three && !WORDS.contains(&name)
}

/// True for a resource id that an app declared and that means the same next time.
pub(super) fn is_stable_id(id: &str) -> bool {
    !id.is_empty() && !id.contains("obfuscated") && !id.starts_with("tw:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resource_ids_become_words() {
        assert_eq!(id_words("com.example:id/btn_confirmPayment"), "confirm payment");
        assert_eq!(id_words("login-email"), "login email");
        assert_eq!(id_words("com.x:id/button2"), "");
        assert_eq!(id_words("com.x:id/aj8"), "");
        assert_eq!((id_words("com.x:id/ngl"), id_words("com.x:id/lmb")), (String::new(), String::new()));
        assert_eq!((id_words("com.x:id/pay"), id_words("com.x:id/btn_sos")), ("pay".to_owned(), "sos".to_owned()));
        assert_eq!(id_words("com.facebook:id/(name removed)"), "name removed");
        assert_eq!(id_words("com.x:id/0_resource_name_obfuscated"), "");
        assert_eq!(id_words("com.x:id/HTMLEditor"), "htmleditor");
    }

    #[test]
    fn a_text_is_one_line_of_words_a_space_apart() {
        for (text, expected) in [
            ("", ""),
            (" ", ""),
            ("Pay now", "Pay now"),
            (" Pay now", "Pay now"),
            ("Pay now ", "Pay now"),
            ("Pay  now", "Pay now"),
            ("Pay\nnow", "Pay now"),
            ("Pay\u{7f} now", "Pay now"),
            ("Zahl\u{200b}ung läuft", "Zahlung läuft"),
        ] {
            assert_eq!(clean(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_flutter_description_loses_its_tab_counter() {
        assert_eq!(clean_description("Home\nTab 1 of 5"), ("Home".to_owned(), true));
        assert_eq!(clean_description("首页\n第 1 个标签，共 4 个"), ("首页".to_owned(), true));
        assert_eq!(clean_description("Evergreen Bank\nDebit card"), ("Evergreen Bank, Debit card".to_owned(), false));
        assert_eq!(clean_description("Buy 2 of 3\n"), ("Buy 2 of 3".to_owned(), false));
    }

    #[test]
    fn a_number_is_explained_by_a_description_that_says_more() {
        for (number, description, explained) in [
            ("12", "Friday, 12 July", true),
            ("3", "3 open tabs", true),
            ("1", "01 March 2026", true),
            ("1", "10 March 2026", false),
            ("12", "12", false),
            ("1", "Friday, 12 July", false),
            ("Go", "Go on", false),
            ("", "Settings", false),
        ] {
            assert_eq!(is_explained_by(number, description), explained, "{number} {description}");
        }
    }

    #[test]
    fn icon_glyphs_are_no_words() {
        assert_eq!(clean("\u{e88a}"), "");
        assert_eq!(clean(" a\u{200b}b \n c\u{e000}"), "ab c");
        assert_eq!(clean("\u{eeaf}, Rise, and shine"), "Rise, and shine");
        assert_eq!(clean("Chats, \u{eb19}, 3 new, \u{f58c}"), "Chats, 3 new");
        assert_eq!(clean(", as written,"), ", as written,");
        assert!(is_sign("+") && is_sign("⋮") && !is_sign("OK") && !is_sign(""));
    }
}
