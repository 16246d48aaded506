//! Amounts: "2.5 hours", "fifty percent", "€12", "two adults", "eine halbe Stunde".

use super::super::lexicon::lexicon;
use super::number::number_at;
use super::time::times_in;
use super::token::Kind;
use super::{Reading, overlap};
use std::ops::Range;

/// Most bytes between the parts of one duration: "1 hour and 30 minutes".
const WITHIN_DURATION: usize = 5;

/// A number and what it counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Quantity {
    /// The number.
    pub value: f64,
    /// Canonical name of a known unit, else the noun behind the number in lower case; `None` where neither follows.
    pub unit: Option<String>,
    /// Bytes of the number and its unit.
    pub span: Range<usize>,
}

/// A length of time.
#[derive(Debug, Clone, PartialEq)]
pub(in super::super) struct Duration {
    pub(in super::super) seconds: f64,
    pub(in super::super) span: Range<usize>,
}

/// All amounts that a text tells, in its order.
pub(in super::super) fn quantities_in(reading: &Reading<'_>) -> Vec<Quantity> {
    let mut taken: Vec<Range<usize>> = dates_in_spans(reading);
    taken.extend(times_in(reading).into_iter().filter(|found| found.sure).map(|found| found.span));
    let mut found = Vec::new();
    let mut at = 0;
    while at < reading.tokens.len() {
        let amount = reading.part_of_unit(at).or_else(|| reading.article_and_unit(at)).or_else(|| reading.amount(at));
        let Some((value, unit, next)) = amount else {
            at += 1;
            continue;
        };
        let span = reading.bytes(reading.with_currency(at), next);
        if !taken.iter().any(|taken| overlap(taken, &span)) {
            let value = if reading.is_negative(at) { -value } else { value };
            found.push(Quantity { value, unit, span });
        }
        at = next.max(at + 1);
    }
    found
}

fn dates_in_spans(reading: &Reading<'_>) -> Vec<Range<usize>> {
    super::date::found_in(reading).into_iter().map(|(_, span)| span).collect()
}

/// All lengths of time: amounts in units of time, those that stand together added up.
pub(in super::super) fn durations_in(quantities: &[Quantity]) -> Vec<Duration> {
    let mut found: Vec<(Duration, u32)> = Vec::new();
    for quantity in quantities {
        let unit = quantity.unit.as_deref().and_then(|unit| lexicon().unit(unit)).and_then(|unit| unit.seconds);
        let Some(unit) = unit else { continue };
        let seconds = quantity.value * f64::from(unit);
        match found.last_mut() {
            Some((last, before)) if unit < *before && quantity.span.start - last.span.end <= WITHIN_DURATION => {
                last.seconds += seconds;
                last.span.end = quantity.span.end;
                *before = unit;
            }
            _ => found.push((Duration { seconds, span: quantity.span.clone() }, unit)),
        }
    }
    found.into_iter().map(|(duration, _)| duration).collect()
}

/// A value, its unit, and the first piece behind both.
type Amount = (f64, Option<String>, usize);

impl Reading<'_> {
    /// "half an hour", "three quarters of an hour", "eine halbe Stunde", "Viertelstunde", "media hora".
    fn part_of_unit(&self, at: usize) -> Option<Amount> {
        let words = &self.language.numbers;
        let start = at + usize::from(self.word_of(at, &words.articles));
        if let Some((value, unit)) = self.glued_part(start) {
            return Some((value, Some(unit), start + 1));
        }
        let three = self.phrase_end(start, &words.three_quarters).map(|next| (0.75, next));
        let quarter = || self.word_of(start, &words.quarter).then_some((0.25, start + 1));
        let half = || self.word_of(start, &words.half).then_some((0.5, start + 1));
        let (value, mut next) = three.or_else(quarter).or_else(half)?;
        while ["-", "'", "’"].iter().any(|sign| self.sign(next, sign))
            || self.tokens.get(next).is_some_and(|token| matches!(token.text.as_str(), "of" | "de" | "d"))
            || self.word_of(next, &words.articles)
        {
            next += 1;
        }
        let (unit, next) = self.known_unit(next)?;
        lexicon().unit(&unit).and_then(|unit| unit.seconds)?;
        Some((value, Some(unit), next))
    }

    /// "Viertelstunde", "halbstunde".
    fn glued_part(&self, at: usize) -> Option<(f64, String)> {
        let words = &self.language.numbers;
        let text = &self.tokens.get(at).filter(|_| words.glued)?.text;
        let part = |list: &[String], value: f64| {
            let rest = list.iter().find_map(|word| text.strip_prefix(word.as_str()))?;
            Some((value, lexicon().unit(rest)?.name.clone()))
        };
        part(&words.three_quarters, 0.75).or_else(|| part(&words.quarter, 0.25)).or_else(|| part(&words.half, 0.5))
    }

    /// "an hour", "eine Minute": one of a unit of time.
    fn article_and_unit(&self, at: usize) -> Option<Amount> {
        let (unit, next) = self.known_unit(at + 1).filter(|_| self.word_of(at, &self.language.numbers.articles))?;
        lexicon().unit(&unit).and_then(|unit| unit.seconds)?;
        let (value, next) = self.half_behind(1.0, next);
        Some((value, Some(unit), next))
    }

    /// A number with what stands behind it, or the currency in front of it.
    fn amount(&self, at: usize) -> Option<Amount> {
        let number = number_at(&self.tokens, at, self.language)?;
        // "€20 an hour": the sign before the number is its unit, and not "an", a year in French.
        let before = self.with_currency(at);
        if before < at {
            let unit = self.known_unit(before).map(|(unit, _)| unit);
            return Some((number.value, unit, number.next));
        }
        if let Some((unit, next)) = self.known_unit(number.next) {
            let (value, next) = self.half_behind(number.value, next);
            return Some((value, Some(unit), next));
        }
        let more = usize::from(self.word_of(number.next, &self.language.amounts.increase));
        let end = self.bytes(at, number.next).end;
        // "8bit" is a name.
        let noun = self.tokens.get(number.next + more).filter(|token| self.is_noun(token) && token.span.start > end);
        match noun {
            Some(noun) => Some((number.value, Some(noun.text.clone()), number.next + more + 1)),
            None => Some((number.value, None, number.next)),
        }
    }

    /// "dos horas y media": a half behind the unit.
    fn half_behind(&self, value: f64, at: usize) -> (f64, usize) {
        let words = &self.language.numbers;
        if !self.word_of(at, &words.joins) {
            return (value, at);
        }
        let half = at + 1 + usize::from(self.word_of(at + 1, &words.articles));
        if self.word_of(half, &words.half) { (value + 0.5, half + 1) } else { (value, at) }
    }

    /// A unit at a piece, by its canonical name, and the first piece behind it; of two words where they are one unit.
    fn known_unit(&self, at: usize) -> Option<(String, usize)> {
        let first = self.tokens.get(at)?;
        let two = self.tokens.get(at + 1).and_then(|second| {
            let apart = lexicon().unit(&format!("{} {}", first.text, second.text));
            apart.or_else(|| lexicon().unit(&format!("{}{}", first.text, second.text)))
        });
        if let Some(unit) = two.filter(|_| first.number().is_none()) {
            return Some((unit.name.clone(), at + 2));
        }
        lexicon().unit(&first.text).map(|unit| (unit.name.clone(), at + 1))
    }

    fn is_noun(&self, token: &super::Token) -> bool {
        token.kind == Kind::Word && token.text.chars().count() > 2 && !self.is_function_word(&token.text)
    }

    fn is_function_word(&self, word: &str) -> bool {
        crate::domain::is_stop_word(word) || self.language.is_mark(word)
    }

    /// The piece of the currency sign right before a number, else the number's own.
    fn with_currency(&self, at: usize) -> usize {
        let Some(before) = at.checked_sub(1) else { return at };
        let sign = self.tokens.get(before).is_some_and(|token| {
            let unit = lexicon().unit(&token.text).map(|unit| unit.name.as_str());
            matches!(unit, Some("euro" | "dollar" | "pound" | "yen"))
                && (token.kind == Kind::Sign || token.text.len() == 3)
        });
        if sign { before } else { at }
    }

    /// A minus sign stands right before the number, and no word or number right before that.
    fn is_negative(&self, at: usize) -> bool {
        let (Some(number), Some(sign)) = (self.tokens.get(at), at.checked_sub(1).and_then(|at| self.tokens.get(at)))
        else {
            return false;
        };
        let free = at < 2 || self.tokens.get(at - 2).is_none_or(|before| before.span.end < sign.span.start);
        matches!(sign.text.as_str(), "-" | "−") && sign.span.end == number.span.start && free
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_quantities;
    use super::*;

    fn told(text: &str) -> Vec<(f64, Option<String>)> {
        read_quantities(text).into_iter().map(|quantity| (quantity.value, quantity.unit)).collect()
    }

    fn one(value: f64, unit: &str) -> Vec<(f64, Option<String>)> {
        vec![(value, Some(unit.to_owned()).filter(|unit| !unit.is_empty()))]
    }

    #[test]
    fn amounts_are_read_in_four_languages() {
        for (text, value, unit) in [
            ("Set the volume to fifty percent", 50.0, "percent"),
            ("Set the timer to two and a half hours", 2.5, "hour"),
            ("half an hour", 0.5, "hour"),
            ("three quarters of an hour", 0.75, "hour"),
            ("an hour and a half", 1.5, "hour"),
            ("$1,250.50", 1250.5, "dollar"),
            ("21.5 °C", 21.5, "degree"),
            ("-5 °C", -5.0, "degree"),
            ("40%", 40.0, "percent"),
            ("Search within 25 km", 25.0, "kilometre"),
            ("Set it to 7", 7.0, ""),
            ("8bitdo", 8.0, ""),
            ("Stelle die Helligkeit auf achtzig Prozent", 80.0, "percent"),
            ("eine halbe Stunde", 0.5, "hour"),
            ("eine Viertelstunde", 0.25, "hour"),
            ("anderthalb Stunden", 1.5, "hour"),
            ("zweieinhalb Stunden", 2.5, "hour"),
            ("1.250,50 €", 1250.5, "euro"),
            ("dos horas y media", 2.5, "hour"),
            ("media hora", 0.5, "hour"),
            ("el cincuenta por ciento", 50.0, "percent"),
            ("deux heures et demie", 2.5, "hour"),
            ("une demi-heure", 0.5, "hour"),
            ("un quart d'heure", 0.25, "hour"),
            ("soixante-quinze pour cent", 75.0, "percent"),
        ] {
            assert_eq!(told(text), one(value, unit), "{text}");
        }
    }

    #[test]
    fn what_is_counted_stands_behind_its_number() {
        assert_eq!(
            told("Book for 2 adults and one child"),
            [(2.0, Some("adults".to_owned())), (1.0, Some("child".to_owned()))]
        );
        assert_eq!(told("zwei Erwachsene"), one(2.0, "erwachsene"));
    }

    #[test]
    fn dates_and_times_are_no_amounts() {
        for text in ["7:20 PM", "Pick 9 March 2026", "2026-03-09", "twenty past seven", "Open the settings"] {
            assert_eq!(told(text), Vec::new(), "{text}");
        }
    }

    #[test]
    fn the_parts_of_a_duration_are_added_up() {
        for (text, minutes) in
            [("1 hour and 30 minutes", 90.0), ("2 h 15 min", 135.0), ("two and a half hours", 150.0), ("45 min", 45.0)]
        {
            let durations = durations_in(&read_quantities(text));
            assert_eq!(durations.iter().map(|one| one.seconds / 60.0).collect::<Vec<_>>(), [minutes], "{text}");
        }
    }
}
