//! Dates as labels write them, in any language: "13 May 2026", "Wed, May 13", "2026-05-13", "2026年5月13日", "١٣ مايو ٢٠٢٦".

use super::months::month;
use std::borrow::Cow;
use std::fmt;

/// Years that a number of four digits may mean.
pub(crate) const YEARS: std::ops::RangeInclusive<u32> = 1900..=2199;
/// Most words of a label beside its date: "Today, Wednesday … selected".
const MOST_OTHERS: usize = 3;
/// The zeros of other scripts' digits, behind which the other nine stand: Arabic, Persian, Devanagari, Bengali, fullwidth.
const ZEROS: [char; 5] = ['٠', '۰', '०', '০', '０'];
/// Most words and numbers of a label that tells a date.
const MOST_TOKENS: usize = 8;

/// What a text tells of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct WrittenDate {
    /// The year, of four digits.
    pub year: Option<u32>,
    /// 1 to 12.
    pub month: Option<u32>,
    /// 1 to 31.
    pub day: Option<u32>,
}

impl WrittenDate {
    /// Reads a text that tells a date and, beside a few words as the name of a weekday, nothing else. A number alone is a
    /// day.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let text = &*ascii_digits(text.trim());
        let tokens = tokens(text);
        if tokens.is_empty() || tokens.len() > MOST_TOKENS {
            return None;
        }
        Self::in_digits(text).or_else(|| Self::in_words(&tokens))
    }

    /// `2026-05-13`, `2026/5/13`, `2026年5月13日`.
    fn in_digits(text: &str) -> Option<Self> {
        let text = text.trim_end_matches('日');
        let parts: Vec<&str> = text.split(['-', '/', '.', '年', '月']).filter(|part| !part.is_empty()).collect();
        let numbers: Vec<u32> = parts.iter().map(|part| part.trim().parse().ok()).collect::<Option<_>>()?;
        let (year, month, day) = match (numbers.as_slice(), text.contains('月')) {
            (&[year, month, day], _) if YEARS.contains(&year) => (Some(year), month, Some(day)),
            (&[year, month], _) if YEARS.contains(&year) => (Some(year), month, None),
            (&[month, day], true) => (None, month, Some(day)),
            _ => return None,
        };
        let valid = (1..=12).contains(&month) && day.is_none_or(|day| (1..=31).contains(&day));
        valid.then_some(Self { year, month: Some(month), day })
    }

    /// A month by its name, a day and a year in digits, and a few other words.
    fn in_words(tokens: &[String]) -> Option<Self> {
        let mut found = Self::default();
        let mut others = 0;
        for token in tokens {
            let digits: String = token.chars().take_while(char::is_ascii_digit).collect();
            let number = digits.parse::<u32>().ok();
            let ordinal = ["", "st", "nd", "rd", "th", "º", "ª", "er", "日"].contains(&&token[digits.len()..]);
            match number.filter(|_| ordinal) {
                Some(year) if YEARS.contains(&year) && found.year.is_none() => found.year = Some(year),
                Some(day) if (1..=31).contains(&day) && found.day.is_none_or(|known| known == day) => {
                    found.day = Some(day);
                }
                Some(_) => return None,
                None => match month(token).filter(|_| found.month.is_none()) {
                    Some(month) => found.month = Some(month),
                    None if number.is_some() => return None,
                    None => others += 1,
                },
            }
        }
        let told = found.month.is_some() || tokens.len() == 1 && found.day.is_some();
        (told && others <= MOST_OTHERS).then_some(found)
    }

    /// True if day, month and, where both tell one, year are the same.
    pub(crate) fn is(&self, other: &Self) -> bool {
        let years = self.year.zip(other.year).is_none_or(|(own, other)| own == other);
        self.day.is_some() && self.day == other.day && self.month.is_some() && self.month == other.month && years
    }

    /// Months since the year 0; `None` where no month is told. `year` stands in for a year that is not.
    pub(crate) fn months(&self, year: u32) -> Option<u32> {
        Some(self.year.unwrap_or(year) * 12 + self.month?)
    }

    /// The day of the calendar; `None` where a part is missing or there is no such day.
    pub(crate) fn civil(&self) -> Option<jiff::civil::Date> {
        let (year, month, day) = (self.year?, self.month?, self.day?);
        jiff::civil::Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
    }
}

impl From<jiff::civil::Date> for WrittenDate {
    fn from(date: jiff::civil::Date) -> Self {
        let part = |value: i8| u32::try_from(value).ok();
        Self { year: u32::try_from(date.year()).ok(), month: part(date.month()), day: part(date.day()) }
    }
}

impl fmt::Display for WrittenDate {
    /// ISO 8601 as far as the parts are known: "2026-03-09", "03-09", "2026-03".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [self.year.map(|year| format!("{year:04}")), self.month.map(two), self.day.map(two)];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join("-"))
    }
}

fn two(value: u32) -> String {
    format!("{value:02}")
}

/// The text with the digits of other scripts as those of ASCII.
fn ascii_digits(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let digit = |c: char| {
        let value =
            |zero: &char| u32::from(c).checked_sub(u32::from(*zero)).and_then(|value| char::from_digit(value, 10));
        ZEROS.iter().find_map(value).unwrap_or(c)
    };
    Cow::Owned(text.chars().map(digit).collect())
}

fn tokens(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '،' | '、'));
    let joining = ["de", "of", "the"];
    words
        .filter(|word| !word.is_empty() && !joining.contains(word))
        .map(|word| word.trim_end_matches('.').to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_labels_write_them() {
        for text in [
            "13 May 2026",
            "May 13, 2026",
            "Wednesday, May 13, 2026",
            "Today, Wednesday, May 13, 2026, selected",
            "13. Mai 2026",
            "13 de mayo de 2026",
            "13 mai 2026",
            "2026-05-13",
            "2026年5月13日",
            "13, Wednesday, May 13, 2026",
            "13 мая 2026",
            "13th of May 2026",
            "١٣ مايو ٢٠٢٦",
            "الأربعاء، ١٣ مايو ٢٠٢٦",
            "१३ मई २०२६",
            "２０２６年５月１３日",
        ] {
            assert_eq!(WrittenDate::read(text).map(|date| date.to_string()).as_deref(), Some("2026-05-13"), "{text}");
        }
        for (text, expected) in [("May 2026", "2026-05"), ("Wed, Sept 3", "09-03"), ("13", "13")] {
            assert_eq!(WrittenDate::read(text).map(|date| date.to_string()).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_dates() {
        for text in ["", "Book", "3 May Street 17 B 20", "42 apples", "Mon", "13:20", "0", "32", "2026-13-01", "1,000"]
        {
            assert_eq!(WrittenDate::read(text), None, "{text}");
        }
    }

    #[test]
    fn dates_are_compared_and_ordered() {
        let date = |text| WrittenDate::read(text).unwrap();
        assert!(date("13 May 2026").is(&date("Wed, May 13")) && !date("13 May 2026").is(&date("13 May 2027")));
        assert!(!date("May 2026").is(&date("May 2026")), "no day is told");
        assert!(date("January 2027").months(0) > date("December 2026").months(0));
    }
}
