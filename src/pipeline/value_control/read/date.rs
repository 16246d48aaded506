//! Dates within a sentence: "from 3 to 9 March", "am neunten März 2026", "tomorrow", "in three days".

use super::super::lexicon::{Language, lexicon};
use super::number::number_at;
use super::token::Kind;
use super::{Reading, Token};
use crate::form::{WrittenDate, YEARS};
use std::ops::Range;

/// A day that a sentence wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum DateWish {
    /// A day of a month, or a month of a year.
    On(WrittenDate),
    /// So many days after today.
    Days(i32),
    /// The next day of this name, Monday as 0.
    Weekday(u8),
}

/// All days that a text wants, in its order; both ends of a range.
pub(in super::super) fn dates_in(reading: &Reading<'_>) -> Vec<DateWish> {
    found_in(reading).into_iter().map(|(date, _)| date).collect()
}

/// All days that a text wants, each with its bytes.
pub(super) fn found_in(reading: &Reading<'_>) -> Vec<(DateWish, Range<usize>)> {
    let mut found: Vec<(DateWish, Range<usize>)> = Vec::new();
    let mut at = 0;
    while at < reading.tokens.len() {
        let absolute = reading.range_at(at).or_else(|| reading.date_at(at).map(|(date, next)| (vec![date], next)));
        if let Some((dates, next)) = absolute {
            found.extend(dates.into_iter().map(|date| (DateWish::On(date), reading.bytes(at, next))));
            at = next;
        } else if let Some((wish, next)) = reading.relative_at(at) {
            found.push((wish, reading.bytes(at, next)));
            at = next;
        } else {
            at += 1;
        }
    }
    // "Monday, 9 March" is one day.
    if found.iter().any(|(date, _)| matches!(date, DateWish::On(_))) {
        found.retain(|(date, _)| !matches!(date, DateWish::Weekday(_)));
    }
    share_year(&mut found);
    found
}

/// A date without a year has that of the next one: "from 3 March to 9 April 2026".
fn share_year(found: &mut [(DateWish, Range<usize>)]) {
    let mut next: Option<(u32, u32)> = None;
    for (wish, _) in found.iter_mut().rev() {
        let DateWish::On(date) = wish else { continue };
        if let (None, Some(month), Some((year, later))) = (date.year, date.month, next)
            && month <= later
        {
            date.year = Some(year);
        }
        next = date.year.zip(date.month);
    }
}

impl Reading<'_> {
    /// A date that begins at a piece, and the first piece behind it.
    fn date_at(&self, at: usize) -> Option<(WrittenDate, usize)> {
        let begins_number = at > 0 && {
            let (before, first) = (self.tokens.get(at - 1)?, self.tokens.get(at)?);
            matches!(before.text.as_str(), "-" | "/" | ":") && before.span.end == first.span.start
        };
        if begins_number {
            return None;
        }
        self.in_digits(at).or_else(|| self.signed(at)).or_else(|| self.day_first(at)).or_else(|| self.month_first(at))
    }

    /// "2026-03-09", "9/3/2026", "09.03.2026".
    fn in_digits(&self, at: usize) -> Option<(WrittenDate, usize)> {
        let number = |at: usize| self.tokens.get(at).and_then(Token::whole);
        let sign = ["-", "/", "."].into_iter().find(|sign| self.sign(at + 1, sign))?;
        let (first, second) = (number(at)?, number(at + 2)?);
        let third = number(at + 4).filter(|_| self.sign(at + 3, sign))?;
        let american = self.language.code == "en" && sign == "/";
        let (year, month, day) = match (first, second, third) {
            (year, month, day) if YEARS.contains(&year) => (year, month, day),
            (month, day, year) if american && month <= 12 || day > 12 => (full_year(year)?, month, day),
            (day, month, year) => (full_year(year)?, month, day),
        };
        valid(Some(year), month, Some(day)).map(|date| (date, at + 5))
    }

    /// "2026年5月13日", "5月13日".
    fn signed(&self, at: usize) -> Option<(WrittenDate, usize)> {
        let number = |at: usize| self.tokens.get(at).and_then(Token::whole);
        let begins =
            |at: usize, signs: [char; 2]| self.tokens.get(at).is_some_and(|token| token.text.starts_with(signs));
        let (year, start) = match number(at).filter(|year| YEARS.contains(year) && begins(at + 1, ['年', '년'])) {
            Some(year) => (Some(year), at + 2),
            None => (None, at),
        };
        let month = number(start).filter(|_| begins(start + 1, ['月', '월']))?;
        let day = number(start + 2).filter(|_| begins(start + 3, ['日', '일']));
        let next = start + if day.is_some() { 4 } else { 2 };
        valid(year, month, day).map(|date| (date, next))
    }

    /// "9 March 2026", "the ninth of March", "9. März", "el 9 de marzo de 2026".
    fn day_first(&self, at: usize) -> Option<(WrittenDate, usize)> {
        let (day, next) = self.day(at)?;
        let (month, next) = self.month(next)?;
        let (year, next) = self.year(next);
        valid(year, month, Some(day)).map(|date| (date, next))
    }

    /// "March 9, 2026", "March 2026".
    fn month_first(&self, at: usize) -> Option<(WrittenDate, usize)> {
        let (month, next) = self.month(at).filter(|_| !self.word_of(at, &self.language.days.date_joins))?;
        if let Some((day, next)) = self.day(next) {
            let (year, next) = self.year(next);
            return valid(year, month, Some(day)).map(|date| (date, next));
        }
        let (year, next) = self.year(next);
        year.and_then(|year| valid(Some(year), month, None)).map(|date| (date, next))
    }

    /// "3 to 9 March", "March 3–9": both ends, the month said once.
    fn range_at(&self, at: usize) -> Option<(Vec<WrittenDate>, usize)> {
        let days = |at: usize| {
            let (first, next) = self.day(at)?;
            let (last, next) = self.day(self.range_joint(next)?)?;
            Some((first, last, next))
        };
        let (first, last, month, next) = if let Some((first, last, next)) = days(at) {
            let (month, next) = self.month(next)?;
            (first, last, month, next)
        } else {
            let (month, next) = self.month(at).filter(|_| !self.word_of(at, &self.language.days.date_joins))?;
            let (first, last, next) = days(next)?;
            // "March 3 to 9 April" is told by both months.
            if self.month(next).is_some() {
                return None;
            }
            (first, last, month, next)
        };
        let (year, next) = self.year(next);
        Some((vec![valid(year, month, Some(first))?, valid(year, month, Some(last))?], next))
    }

    /// The piece behind what joins the ends of a range.
    fn range_joint(&self, at: usize) -> Option<usize> {
        let sign = ["-", "–", "—"].iter().any(|sign| self.sign(at, sign));
        let mut next = if sign { at + 1 } else { self.phrase_end(at, &self.language.days.range_to)? };
        while self.word_of(next, &self.language.days.date_joins) {
            next += 1;
        }
        Some(next)
    }

    /// A day of a month, in digits, as an ordinal or as a number word.
    fn day(&self, at: usize) -> Option<(u32, usize)> {
        let numbers = &self.language.numbers;
        let token = self.tokens.get(at)?;
        let ordinal = |word: &String| {
            let place = numbers.ordinals.iter().position(|known| known == word);
            // German ordinals are declined: "neunter", "neunten".
            let stem = || word.strip_suffix(['n', 'r', 's', 'm']).filter(|_| numbers.glued);
            place.or_else(|| numbers.ordinals.iter().position(|known| Some(known.as_str()) == stem()))
        };
        let (day, mut next) = match (token.whole(), token.kind) {
            (Some(day), _) => (day, at + 1),
            (None, Kind::Word) => {
                let counted = || number_at(&self.tokens, at, self.language);
                let number = || counted().map(|number| (number.value as u32, number.next));
                ordinal(&token.text).map(|place| (place as u32 + 1, at + 1)).or_else(number)?
            }
            _ => return None,
        };
        let ending = |list: &[String]| self.tokens.get(next).is_some_and(|token| list.contains(&token.text));
        let adjacent = self.tokens.get(next).is_some_and(|ending| ending.span.start == self.bytes(at, next).end);
        if adjacent && (ending(&numbers.ordinal_endings) || token.whole().is_some() && self.sign(next, ".")) {
            next += 1;
        }
        (1..=31).contains(&day).then_some((day, next))
    }

    /// The month that is named at a piece, behind joining words; a name of another language only in full.
    fn month(&self, at: usize) -> Option<(u32, usize)> {
        let mut place = at;
        while self.word_of(place, &self.language.days.date_joins) {
            place += 1;
        }
        let token = self.tokens.get(place).filter(|token| token.kind == Kind::Word)?;
        let foreign = || {
            let names = |language: &&Language| language.days.months.contains(&token.text);
            lexicon().languages.iter().find(names).and_then(|language| language.month(&token.text))
        };
        let month = self.language.month(&token.text).or_else(foreign)?;
        Some((month, place + 1 + usize::from(self.sign(place + 1, ".") && self.tokens.len() > place + 2)))
    }

    /// A year behind a date, and the first piece behind it.
    fn year(&self, at: usize) -> (Option<u32>, usize) {
        let mut place = at + usize::from(self.sign(at, ","));
        while self.word_of(place, &self.language.days.date_joins) {
            place += 1;
        }
        match self.tokens.get(place).and_then(Token::whole).filter(|year| YEARS.contains(year)) {
            Some(year) => (Some(year), place + 1),
            None => (None, at),
        }
    }

    /// "tomorrow", "in three days", "on Friday".
    fn relative_at(&self, at: usize) -> Option<(DateWish, usize)> {
        let days = &self.language.days;
        if let Some(next) = self.phrase_end(at, &days.after_tomorrow) {
            return Some((DateWish::Days(2), next));
        }
        // "am Morgen" and "de la mañana" are the morning.
        let morning = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        let morning = morning.is_some_and(|before| matches!(before.text.as_str(), "am" | "la"));
        if let Some(next) = self.phrase_end(at, &days.tomorrow).filter(|_| !morning) {
            return Some((DateWish::Days(1), next));
        }
        if let Some(next) = self.phrase_end(at, &days.today) {
            return Some((DateWish::Days(0), next));
        }
        if let Some(place) =
            self.tokens.get(at).and_then(|token| days.weekdays.iter().position(|day| *day == token.text))
        {
            return Some((DateWish::Weekday(place as u8), at + 1));
        }
        let number = number_at(&self.tokens, self.phrase_end(at, &days.in_days)?, self.language)?;
        let unit = lexicon().unit(&self.tokens.get(number.next)?.text)?;
        let factor = match unit.name.as_str() {
            "day" => 1.0,
            "week" => 7.0,
            _ => return None,
        };
        Some((DateWish::Days((number.value * factor) as i32), number.next + 1))
    }
}

/// "26" is 2026.
fn full_year(year: u32) -> Option<u32> {
    let year = if year < 100 { 2000 + year } else { year };
    YEARS.contains(&year).then_some(year)
}

fn valid(year: Option<u32>, month: u32, day: Option<u32>) -> Option<WrittenDate> {
    let months = (1..=12).contains(&month);
    (months && day.is_none_or(|day| (1..=31).contains(&day))).then_some(WrittenDate { year, month: Some(month), day })
}

#[cfg(test)]
mod tests {
    use super::super::read_date;
    use super::*;

    fn told(text: &str) -> Vec<String> {
        let name = |wish: DateWish| match wish {
            DateWish::On(date) => date.to_string(),
            DateWish::Days(days) => format!("+{days}"),
            DateWish::Weekday(day) => format!("weekday {day}"),
        };
        dates_in(&Reading::new(text)).into_iter().map(name).collect()
    }

    #[test]
    fn days_are_read_in_four_languages() {
        for (text, expected) in [
            ("Pick 9 March 2026 as the day of departure", "2026-03-09"),
            ("Set the due date to 2026-03-09", "2026-03-09"),
            ("Choose March 9th", "03-09"),
            ("the ninth of March", "03-09"),
            ("Pick Monday, 9 March", "03-09"),
            ("03/09/2026", "2026-03-09"),
            ("25/03/2026", "2026-03-25"),
            ("Wähle den 9. März 2026", "2026-03-09"),
            ("am neunten März", "03-09"),
            ("Stelle das Datum auf 09.03.2026", "2026-03-09"),
            ("Elige el 9 de marzo de 2026", "2026-03-09"),
            ("el nueve de marzo", "03-09"),
            ("Choisis le 9 mars 2026", "2026-03-09"),
            ("le premier mars", "03-01"),
            ("2026年3月9日", "2026-03-09"),
            ("tomorrow", "+1"),
            ("in three days", "+3"),
            ("übermorgen", "+2"),
            ("dans deux semaines", "+14"),
            ("on Friday", "weekday 4"),
        ] {
            assert_eq!(told(text), [expected], "{text}");
        }
    }

    #[test]
    fn both_ends_of_a_range_are_read() {
        for text in [
            "from 3 to 9 March 2026",
            "3–9 March 2026",
            "March 3 to 9, 2026",
            "from 3 March to 9 March 2026",
            "vom 3. bis 9. März 2026",
            "vom 3. bis zum 9. März 2026",
            "del 3 al 9 de marzo de 2026",
            "du 3 au 9 mars 2026",
        ] {
            assert_eq!(told(text), ["2026-03-03", "2026-03-09"], "{text}");
        }
    }

    #[test]
    fn other_sentences_name_no_day() {
        for text in ["Set 3 alarms", "You may go", "Add 2 apples and 3 pears", "7:20", "Stelle den Wecker am Morgen"] {
            assert_eq!(told(text), Vec::<String>::new(), "{text}");
        }
        assert_eq!(read_date("Open the calendar"), None);
    }
}
