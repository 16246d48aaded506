//! How a field says a date is written: `MM/DD/YY`, `TT.MM.JJJJ`, `MM/YY`.

use jiff::civil::Date;
use std::fmt::Write as _;

/// What stands for day, month and year, a language each.
const LETTERS: [[char; 3]; 8] = [
    ['D', 'M', 'Y'],
    ['T', 'M', 'J'],
    ['J', 'M', 'A'],
    ['D', 'M', 'A'],
    ['D', 'M', 'J'],
    ['G', 'M', 'A'],
    ['G', 'A', 'Y'],
    ['Д', 'М', 'Г'],
];

/// A way to write dates: parts of one letter each, and what stands between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DatePattern {
    /// In capitals.
    text: String,
    letters: [char; 3],
}

impl DatePattern {
    /// The first pattern that a text shows. A month and a year are enough ("MM/YY"), a day and a month too.
    pub(crate) fn find(text: &str) -> Option<Self> {
        let text = text.replace(" / ", "/");
        let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '"' | ':'));
        words.map(|word| word.trim_end_matches('.')).find_map(Self::read)
    }

    fn read(word: &str) -> Option<Self> {
        let text = word.to_uppercase();
        let parts: Vec<String> = if text.contains(['/', '.', '-']) {
            text.split(['/', '.', '-']).map(str::to_owned).collect()
        } else {
            runs(&text)?
        };
        let of = |letter: char| {
            let whole = |part: &&String| !part.is_empty() && part.chars().all(|c| c == letter);
            parts.iter().filter(whole).map(|part| part.chars().count()).collect::<Vec<_>>()
        };
        let letters = LETTERS.into_iter().find(|[day, month, year]| {
            let (day, month, year) = (of(*day), of(*month), of(*year));
            let short = |lengths: &[usize]| lengths.iter().all(|length| *length <= 2);
            let once = |lengths: &[usize]| lengths.len() == 1;
            once(&month)
                && short(&month)
                && short(&day)
                && year.iter().all(|length| matches!(length, 2 | 4))
                && day.len() + year.len() == parts.len() - 1
                && (once(&day) && once(&year) || parts.len() == 2 && once(&year))
        })?;
        Some(Self { text, letters })
    }

    /// No day is asked for.
    fn is_month(&self) -> bool {
        !self.text.contains(self.letters[0])
    }

    /// A date in this way.
    pub(crate) fn write(&self, date: Date) -> String {
        let [day, month, year] = self.letters;
        let mut written = String::new();
        let mut rest = self.text.chars().peekable();
        while let Some(letter) = rest.next() {
            let mut length = 1;
            while rest.next_if_eq(&letter).is_some() {
                length += 1;
            }
            let value = match letter {
                _ if letter == year && length <= 2 => date.year().rem_euclid(100),
                _ if letter == year => date.year(),
                _ if letter == month => i16::from(date.month()),
                _ if letter == day => i16::from(date.day()),
                _ => {
                    written.extend(std::iter::repeat_n(letter, length));
                    continue;
                }
            };
            let _ = write!(written, "{value:0length$}");
        }
        written
    }

    /// A value that a case gives, in this way: a date, or a month where no day is asked for, as ISO 8601 has them. `None`
    /// for everything else, which is typed as it stands.
    pub(crate) fn written(&self, value: &str) -> Option<String> {
        let value = value.trim();
        if self.is_month()
            && let Some(month) = month_and_year(value)
        {
            return Some(self.write(month));
        }
        let date: Date = match value.len() {
            7 if self.is_month() => format!("{value}-01").parse().ok()?,
            10 => value.parse().ok()?,
            _ => return None,
        };
        Some(self.write(date))
    }

    /// The value is written in this way already.
    pub(crate) fn is_kept_by(&self, value: &str) -> bool {
        value.chars().count() == self.text.chars().count()
            && value
                .chars()
                .zip(self.text.chars())
                .all(|(own, asked)| if self.letters.contains(&asked) { own.is_ascii_digit() } else { own == asked })
    }
}

/// "MMYY" has no separators: its parts are of two letters, or four for a year.
fn runs(text: &str) -> Option<Vec<String>> {
    let mut parts: Vec<String> = Vec::new();
    for letter in text.chars() {
        match parts.last_mut() {
            Some(part) if part.starts_with(letter) => part.push(letter),
            _ => parts.push(letter.to_string()),
        }
    }
    let even = |part: &String| matches!(part.chars().count(), 2 | 4);
    (parts.len() > 1 && parts.iter().all(even)).then_some(parts)
}

/// The first of a month as cards have it: "09/29", "09/2029", "0929".
fn month_and_year(value: &str) -> Option<Date> {
    let (month, year) = match value.split_once('/') {
        Some((month, year)) => (month.trim(), year.trim()),
        None if value.len() == 4 => value.split_at_checked(2)?,
        None => return None,
    };
    let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    if !digits(month) || !digits(year) || month.len() > 2 || !matches!(year.len(), 2 | 4) {
        return None;
    }
    let century = if year.len() == 2 { 2000 } else { 0 };
    Date::new(century + year.parse::<i16>().ok()?, month.parse().ok()?, 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(hint: &str, value: &str) -> Option<String> {
        DatePattern::find(hint)?.written(value)
    }

    #[test]
    fn a_date_is_written_as_the_field_asks() {
        for (hint, expected) in [
            ("Due date (MM/DD/YY)", "05/07/31"),
            ("DD.MM.YYYY", "07.05.2031"),
            ("YYYY-MM-DD", "2031-05-07"),
            ("Geburtsdatum, TT.MM.JJJJ", "07.05.2031"),
            ("jj/mm/aaaa", "07/05/2031"),
            ("dd/mm/aaaa", "07/05/2031"),
            ("gg.aa.yyyy", "07.05.2031"),
            ("ДД.ММ.ГГГГ", "07.05.2031"),
            ("M/D/YY", "5/7/31"),
            ("Expiry MM/YY", "05/31"),
        ] {
            assert_eq!(written(hint, "2031-05-07").as_deref(), Some(expected), "{hint}");
        }
        assert_eq!(written("MM/YY", "2031-05").as_deref(), Some("05/31"));
        assert_eq!(written("MM/DD/YY", "2031-05"), None, "the day is not made up");
        for value in ["2031-05", "05/31", "05/2031", "0531"] {
            for (hint, expected) in [("MM/YY", "05/31"), ("Valid thru (MMYY)", "0531"), ("MM / YYYY", "05/2031")] {
                assert_eq!(written(hint, value).as_deref(), Some(expected), "{hint} {value}");
            }
        }
        assert_eq!(written("MMYY", "1331"), None, "there is no such month");
        assert_eq!(written("DDMMYYYY", "2031-05-07").as_deref(), Some("07052031"));
    }

    #[test]
    fn words_are_no_patterns_and_other_values_stay() {
        for text in ["Due date", "N/A", "and/or", "D", "MM", "a.m.", "Mm/mm", "DD/DD/YYYY", "DD/MM", "MMM", "Tamm"] {
            assert_eq!(DatePattern::find(text), None, "{text}");
        }
        for value in ["tomorrow", "05/07/31", "2031-13-40", "2031-5-7", ""] {
            assert_eq!(written("MM/DD/YY", value), None, "{value}");
        }
    }

    #[test]
    fn what_is_written_as_asked_is_known() {
        let pattern = DatePattern::find("MM/DD/YY").unwrap();
        assert!(pattern.is_kept_by("05/07/31"));
        assert!(!pattern.is_kept_by("5/7/31") && !pattern.is_kept_by("05.07.31") && !pattern.is_kept_by("soon"));
        assert!(pattern.is_kept_by(&pattern.write(Date::constant(2040, 1, 2))));
    }
}
