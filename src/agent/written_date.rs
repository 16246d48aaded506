//! Dates as people write them: "13 May 2026", "Wed, May 13", "2026-05-13", "2026年5月13日".

use crate::domain::{CueList, holds_cue};
use serde::Deserialize;
use std::sync::LazyLock;

/// Read once; where the names are broken, only dates in digits are read.
static MONTHS: LazyLock<Option<Months>> = LazyLock::new(|| toml::from_str(include_str!("months.toml")).ok());

/// Shortest abbreviation of a month's name.
const SHORTEST: usize = 3;
/// Years that a number of four digits may mean.
const YEARS: std::ops::RangeInclusive<u32> = 1900..=2199;

/// The words; see `months.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Months {
    names: Vec<Vec<String>>,
    next: CueList,
    previous: CueList,
}

/// What a text tells of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct WrittenDate {
    pub(super) year: Option<u32>,
    /// 1 to 12.
    pub(super) month: Option<u32>,
    /// 1 to 31.
    pub(super) day: Option<u32>,
}

impl WrittenDate {
    /// Reads a text that tells a date and, beside the name of a weekday, nothing else. A number alone is a day.
    pub(super) fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let tokens = tokens(text);
        if tokens.is_empty() || tokens.len() > 7 {
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
        ((1..=12).contains(&month) && day.is_none_or(|day| (1..=31).contains(&day))).then_some(Self {
            year,
            month: Some(month),
            day,
        })
    }

    /// A month by its name, a day and a year in digits, and at most two other words.
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
        (told && others <= 2).then_some(found)
    }

    /// Day, month and, where both tell one, year are the same.
    pub(super) fn is(&self, other: &Self) -> bool {
        let years = self.year.zip(other.year).is_none_or(|(own, other)| own == other);
        self.day.is_some() && self.day == other.day && self.month.is_some() && self.month == other.month && years
    }

    /// Months since the year 0; `None` where no month is told. `year` stands in for a year that is not.
    pub(super) fn months(&self, year: u32) -> Option<u32> {
        Some(self.year.unwrap_or(year) * 12 + self.month?)
    }
}

/// The month that a word names, or begins.
pub(super) fn month(word: &str) -> Option<u32> {
    let word = word.to_lowercase();
    let word = word.trim_end_matches('.');
    let names = &MONTHS.as_ref()?.names;
    let place = |is: &dyn Fn(&String) -> bool| names.iter().find_map(|names| names.iter().position(is));
    let long = word.chars().count() >= SHORTEST;
    let found = place(&|name| name == word).or_else(|| place(&|name| name.starts_with(word)).filter(|_| long));
    found.map(|at| at as u32 + 1)
}

/// The control shows the next month (`true`) or the one before.
pub(super) fn turns(label: &str) -> Option<bool> {
    let months = MONTHS.as_ref()?;
    match (holds_cue(&months.next, label), holds_cue(&months.previous, label)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
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

    fn read(text: &str) -> Option<(Option<u32>, Option<u32>, Option<u32>)> {
        WrittenDate::read(text).map(|date| (date.year, date.month, date.day))
    }

    #[test]
    fn dates_are_read_as_people_write_them() {
        for text in [
            "13 May 2026",
            "May 13, 2026",
            "Wednesday, May 13, 2026",
            "13. Mai 2026",
            "13 de mayo de 2026",
            "13 mai 2026",
            "2026-05-13",
            "2026年5月13日",
            "13, Wednesday, May 13, 2026",
            "13 мая 2026",
            "13th of May 2026",
        ] {
            assert_eq!(read(text), Some((Some(2026), Some(5), Some(13))), "{text}");
        }
        assert_eq!(read("May 2026"), Some((Some(2026), Some(5), None)));
        assert_eq!(read("Wed, Sept 3"), Some((None, Some(9), Some(3))));
        assert_eq!(read("13"), Some((None, None, Some(13))));
    }

    #[test]
    fn other_texts_are_no_dates() {
        for text in ["", "Book", "3 May Street 17 B 20", "42 apples", "Mon", "13:20", "0", "32", "2026-13-01", "1,000"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn dates_are_compared_and_ordered() {
        let date = |text| WrittenDate::read(text).unwrap();
        assert!(date("13 May 2026").is(&date("Wed, May 13")) && !date("13 May 2026").is(&date("13 May 2027")));
        assert!(!date("May 2026").is(&date("May 2026")), "no day is told");
        assert!(date("January 2027").months(0) > date("December 2026").months(0));
    }

    #[test]
    fn the_controls_that_turn_the_pages_are_told_apart() {
        assert_eq!((turns("Next month"), turns("Mois précédent"), turns("Next")), (Some(true), Some(false), None));
    }
}
