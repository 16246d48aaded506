//! How the day is told: by 24 hours, or by twice twelve with a name for each half.
//!
//! From API 34 (`DateFormat.is24HourLocale`, `TimePicker.getAmPmStrings`, both by the Unicode CLDR); the framework device's
//! page `hours` says the same.

/// Languages, and regions that differ from their language, that tell the day by twice twelve hours; a row for a region comes
/// before its language's.
const TWELVE: [(&str, [&str; 2]); 19] = [
    ("ar", ["ص", "م"]),
    ("bn", ["AM", "PM"]),
    ("el", ["π.μ.", "μ.μ."]),
    ("en-AU", ["am", "pm"]),
    ("en-CA", ["a.m.", "p.m."]),
    ("en-IN", ["am", "pm"]),
    ("en-NZ", ["am", "pm"]),
    ("en", ["AM", "PM"]),
    ("es-CO", ["a.\u{202f}m.", "p.\u{202f}m."]),
    ("es-DO", ["a.\u{202f}m.", "p.\u{202f}m."]),
    ("es-PA", ["a.\u{202f}m.", "p.\u{202f}m."]),
    ("es-PR", ["a.\u{202f}m.", "p.\u{202f}m."]),
    ("es-US", ["a.\u{202f}m.", "p.\u{202f}m."]),
    ("es-VE", ["a.\u{202f}m.", "p.\u{202f}m."]),
    ("hi", ["am", "pm"]),
    ("ko", ["오전", "오후"]),
    ("ur", ["AM", "PM"]),
    ("zh", ["上午", "下午"]),
    ("yue", ["上午", "下午"]),
];
/// Regions that tell it by 24 hours though their language does not.
const TWENTY_FOUR: [&str; 3] = ["en-GB", "en-IE", "en-ZA"];

/// What the halves of the day are called where a locale (BCP 47) is spoken; `None` where the day has 24 hours.
pub(crate) fn of(locale: &str) -> Option<[&'static str; 2]> {
    let mut parts = locale.split(['-', '_']);
    let language = parts.next().unwrap_or_default();
    let region = parts.find(|part| part.len() == 2).unwrap_or_default();
    let tag = format!("{language}-{region}");
    if TWENTY_FOUR.contains(&tag.as_str()) {
        return None;
    }
    TWELVE.iter().find(|(known, _)| *known == tag || *known == language).map(|(_, halves)| *halves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_is_asked_before_its_language() {
        assert_eq!(of("en-CA"), Some(["a.m.", "p.m."]));
        assert_eq!(of("en"), Some(["AM", "PM"]));
        assert_eq!(of("en-GB"), None);
        assert_eq!(of("zh-Hant-TW"), Some(["上午", "下午"]));
        assert_eq!(of("de-DE"), None);
    }
}
