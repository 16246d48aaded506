//! The language of an instruction, as far as its script alone tells it.

/// The language that most letters of the text belong to. Latin letters count as English; where a script is that of several
/// languages the answer is `und`, which stands for "undetermined" (ISO 639-2).
pub(super) fn language_of(text: &str) -> &'static str {
    let mut counts: Vec<(&'static str, usize)> = Vec::new();
    for language in text.chars().filter(|c| c.is_alphabetic()).map(of_letter) {
        match counts.iter_mut().find(|(known, _)| *known == language) {
            Some((_, count)) => *count += 1,
            None => counts.push((language, 1)),
        }
    }
    let count = |language: &str| counts.iter().find(|(known, _)| *known == language).map_or(0, |(_, count)| *count);
    // Han characters stand in Japanese too, kana in no other language.
    let (chinese, kana) = (count("zh"), count("ja"));
    if kana > 0 {
        counts.retain(|(language, _)| *language != "zh");
        if let Some((_, japanese)) = counts.iter_mut().find(|(language, _)| *language == "ja") {
            *japanese = kana + chinese;
        }
    }
    // The first of equals: `max_by_key` would take the last.
    counts.iter().rev().max_by_key(|(_, count)| *count).map_or("en", |(language, _)| *language)
}

const fn of_letter(letter: char) -> &'static str {
    match letter {
        '\u{0041}'..='\u{024f}' | '\u{1e00}'..='\u{1eff}' => "en",
        '\u{3041}'..='\u{30ff}' | '\u{ff66}'..='\u{ff9d}' => "ja",
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => "zh",
        '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7a3}' => "ko",
        '\u{0370}'..='\u{03ff}' | '\u{1f00}'..='\u{1fff}' => "el",
        '\u{0590}'..='\u{05ff}' => "he",
        '\u{0e00}'..='\u{0e7f}' => "th",
        '\u{0980}'..='\u{09ff}' => "bn",
        _ => "und",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_of_one_language_tells_it_and_others_do_not() {
        for (text, language) in [
            ("Open Bills", "en"),
            ("打开账单", "zh"),
            ("設定を開く", "ja"),
            ("설정 열기", "ko"),
            ("Άνοιξε", "el"),
            ("פתח את ההגדרות", "he"),
            ("Открой настройки", "und"),
            ("افتح", "und"),
            ("123 …", "en"),
        ] {
            assert_eq!(language_of(text), language, "{text}");
        }
    }

    #[test]
    fn a_quoted_label_of_another_script_does_not_change_the_language() {
        assert_eq!(language_of("Tap the button \"设置\""), "en");
        assert_eq!(language_of("点击“OK”按钮旁边的图标"), "zh");
    }
}
