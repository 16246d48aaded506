//! Times of day: "7:20 PM", "19h20", "twenty past seven in the evening", "halb acht", "las ocho menos cuarto".

use super::super::lexicon::{HalfHour, lexicon};
use super::number::{NumberAt, number_at};
use super::{Reading, Token};
use std::fmt;
use std::ops::Range;

/// Hours of half a day.
const HALF_DAY: u8 = 12;
/// Minutes of a quarter of an hour.
const QUARTER: u8 = 15;

/// Before or after noon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum HalfOfDay {
    /// AM.
    BeforeNoon,
    /// PM.
    AfterNoon,
}

/// A time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct TimeOfDay {
    /// 0 to 23 where `half` is known; else as said, 0 to 12.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// Half of the day; `None` where the text leaves it open ("half past eight").
    pub half: Option<HalfOfDay>,
}

impl TimeOfDay {
    /// A time in 24-hour notation.
    pub(crate) const fn of(hour: u8, minute: u8) -> Self {
        let half = if hour < HALF_DAY { HalfOfDay::BeforeNoon } else { HalfOfDay::AfterNoon };
        Self { hour, minute, half: Some(half) }
    }

    /// The hour as a clock of twelve hours shows it, 1 to 12.
    pub(crate) const fn hour_of_twelve(self) -> u8 {
        match self.hour % HALF_DAY {
            0 => HALF_DAY,
            hour => hour,
        }
    }

    /// True if both tell the same time, as far as both tell it.
    pub(crate) fn agrees(self, other: Self) -> bool {
        let halves = self.half.zip(other.half).is_none_or(|(own, other)| own == other);
        self.minute == other.minute && self.hour % HALF_DAY == other.hour % HALF_DAY && halves
    }

    /// "7:20 PM"; without the half of the day where that is open.
    pub(crate) fn twelve_hours(self) -> String {
        let half = match self.half {
            Some(HalfOfDay::BeforeNoon) => " AM",
            Some(HalfOfDay::AfterNoon) => " PM",
            None => "",
        };
        format!("{}:{:02}{half}", self.hour_of_twelve(), self.minute)
    }

    /// The same time with a known half of the day.
    #[must_use]
    pub(crate) const fn in_half(self, half: HalfOfDay) -> Self {
        let hour = match half {
            HalfOfDay::BeforeNoon => self.hour % HALF_DAY,
            HalfOfDay::AfterNoon => self.hour % HALF_DAY + HALF_DAY,
        };
        Self { hour, minute: self.minute, half: Some(half) }
    }
}

impl fmt::Display for TimeOfDay {
    /// "19:20"; "7:20" where the half of the day is open.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.half {
            Some(_) => write!(f, "{:02}:{:02}", self.hour, self.minute),
            None => write!(f, "{}:{:02}", self.hour, self.minute),
        }
    }
}

/// A time that a text tells.
#[derive(Debug, Clone, PartialEq)]
pub(in super::super) struct TimeFound {
    pub(in super::super) time: TimeOfDay,
    pub(in super::super) span: Range<usize>,
    /// False where the words may mean an amount or a change as well: "deux heures", "ten to eight".
    pub(in super::super) sure: bool,
}

/// A time before its half of the day is known, and the first piece behind it.
struct Told {
    hour: u8,
    minute: u8,
    next: usize,
    sure: bool,
    /// Known from the words themselves: noon.
    part: Option<PartOfDay>,
}

/// All times that a text tells, in its order.
pub(in super::super) fn times_in(reading: &Reading<'_>) -> Vec<TimeFound> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < reading.tokens.len() {
        let Some(told) = reading.told_at(at) else {
            at += 1;
            continue;
        };
        let (half, next) = reading.half_around(at, &told);
        let half = told.part.or(half);
        let zero = reading.tokens.get(at).is_some_and(|token| token.text.len() == 2 && token.text.starts_with('0'));
        let open = TimeOfDay { hour: told.hour, minute: told.minute, half: None };
        let time = match half {
            _ if told.hour > HALF_DAY || told.hour == 0 || zero && half.is_none() => {
                TimeOfDay::of(told.hour, told.minute)
            }
            Some(half) => half.apply(open),
            None => open,
        };
        found.push(TimeFound { time, span: reading.bytes(at, next), sure: told.sure || half.is_some() });
        at = next;
    }
    found
}

/// A part of the day that a text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PartOfDay {
    Morning,
    Afternoon,
    Evening,
    Night,
}

impl PartOfDay {
    fn apply(self, time: TimeOfDay) -> TimeOfDay {
        let half = match (self, time.hour) {
            (Self::Morning, _) | (Self::Evening | Self::Night, 12) | (Self::Night, 0..=5) => HalfOfDay::BeforeNoon,
            (Self::Afternoon | Self::Evening | Self::Night, _) => HalfOfDay::AfterNoon,
        };
        time.in_half(half)
    }
}

impl Reading<'_> {
    /// The time that begins at a piece.
    fn told_at(&self, at: usize) -> Option<Told> {
        self.notation(at)
            .or_else(|| self.named(at))
            .or_else(|| self.minutes_first(at))
            .or_else(|| self.half_hour(at))
            .or_else(|| self.hour_first(at))
    }

    /// "7:20", "19h20", "7.20 pm", "7 pm".
    fn notation(&self, at: usize) -> Option<Told> {
        let first = self.tokens.get(at)?;
        let after_sign = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        if after_sign.is_some_and(|token| token.is_sign(":") && token.span.end == first.span.start) {
            return None;
        }
        let meridiem = |at: usize| self.tokens.get(at).is_some_and(|token| matches!(token.text.as_str(), "am" | "pm"));
        if let Some(hour) = first.whole().and_then(hour) {
            let minute = self.tokens.get(at + 2).filter(|token| token.span.len() == 2);
            let minute = minute.and_then(Token::whole).and_then(minute_of);
            let colon = self.sign(at + 1, ":") && self.tokens.get(at + 1)?.span.start == first.span.end;
            let letter = self.tokens.get(at + 1).is_some_and(|token| token.text == "h");
            if let (Some(minute), true) = (minute, colon || letter) {
                if letter && self.minute_word(at + 3) {
                    return None;
                }
                let seconds = self.sign(at + 3, ":") && self.tokens.get(at + 4).is_some_and(|t| t.span.len() == 2);
                return Some(Told { hour, minute, next: at + if seconds { 5 } else { 3 }, sure: true, part: None });
            }
            if hour <= HALF_DAY && meridiem(at + 1) {
                return Some(Told { hour, minute: 0, next: at + 1, sure: true, part: None });
            }
            return None;
        }
        first.number()?;
        let (hours, minutes) = first.text.split_once('.')?;
        let next_says = meridiem(at + 1) || self.word_of(at + 1, &self.language.clock.hour_words);
        let told = || Some((hour(hours.parse().ok()?)?, minute_of(minutes.parse().ok()?)?));
        let (hour, minute) = told().filter(|_| minutes.len() == 2 && next_says)?;
        let next = if meridiem(at + 1) { at + 1 } else { at + 2 };
        Some(Told { hour, minute, next, sure: true, part: None })
    }

    /// "noon", "Mitternacht".
    fn named(&self, at: usize) -> Option<Told> {
        let clock = &self.language.clock;
        let noon = self.phrase_end(at, &clock.noon).map(|next| (12, next));
        let midnight = || self.phrase_end(at, &clock.midnight).map(|next| (0, next));
        let (hour, next) = noon.or_else(midnight)?;
        let part = (hour == HALF_DAY).then_some(PartOfDay::Afternoon);
        Some(Told { hour, minute: 0, next, sure: true, part })
    }

    /// "twenty past seven", "a quarter to ten", "fünf vor halb acht", "viertel acht".
    fn minutes_first(&self, at: usize) -> Option<Told> {
        let (words, clock) = (&self.language.numbers, &self.language.clock);
        let start = at + usize::from(self.word_of(at, &words.articles) && self.word_of(at + 1, &words.quarter));
        let in_words = self.tokens.get(start)?.number().is_none();
        let (minutes, mut next) = self.part_of_hour(start)?;
        let quarter = self.word_of(start, &words.quarter) || self.phrase_end(start, &words.three_quarters).is_some();
        next += usize::from(self.minute_word(next));
        let past = self.word_of(next, &clock.past);
        let before = self.word_of(next, &clock.before);
        if past || before {
            let whole = self.whole_hour(next + 1);
            let half = || self.half_hour(next + 1).map(|told| (i32::from(told.hour) * 60 + 30, told.next));
            let (base, after) = whole.map(|(hour, after)| (i32::from(hour) * 60, after)).or_else(half)?;
            let told = base + if past { i32::from(minutes) } else { -i32::from(minutes) };
            // "Change 10 to 8" tells no time.
            let change = before && !in_words && self.part_of_day(after).is_none();
            let sure = past || quarter || !clock.minus.is_empty() || self.language.code != "en";
            return (!change).then(|| Told::at_minute(told, after, sure));
        }
        // "viertel acht" is a quarter of the hour that ends at eight.
        let regional = clock.half_hour == HalfHour::Before && quarter;
        let (hour, after) = self.whole_hour(next).filter(|_| regional)?;
        Some(Told::at_minute((i32::from(hour) - 1) * 60 + i32::from(minutes), after, true))
    }

    /// "half eight", "half past eight", "halb acht".
    fn half_hour(&self, at: usize) -> Option<Told> {
        let clock = &self.language.clock;
        if !self.word_of(at, &self.language.numbers.half) || !clock.minus.is_empty() {
            return None;
        }
        let past = self.word_of(at + 1, &clock.past);
        let (hour, next) = self.whole_hour(at + 1 + usize::from(past))?;
        let before = clock.half_hour == HalfHour::Before && !past;
        Some(Told::at_minute(i32::from(hour) * 60 + if before { -30 } else { 30 }, next, true))
    }

    /// "seven o'clock", "sieben Uhr zwanzig", "sept heures et demie", "las ocho menos cuarto", "seven in the evening".
    fn hour_first(&self, at: usize) -> Option<Told> {
        let clock = &self.language.clock;
        let NumberAt { value, next } = number_at(&self.tokens, at, self.language)?;
        let plain = self.whole_hour(at);
        let introduced = at.checked_sub(1).is_some_and(|before| self.word_of(before, &clock.at));
        // "heures et demie" is read as a half of what stands before it.
        let Some((hour, after)) = plain else {
            let (hour, half) = (value.trunc(), (value.fract() - 0.5).abs() < 1e-9);
            let hour = hour_value(hour).filter(|_| half && introduced && !clock.minus.is_empty())?;
            return Some(Told { hour, minute: 30, next, sure: true, part: None });
        };
        let named = self.word_of(after, &clock.hour_words);
        let after = after + usize::from(named);
        if let Some((minutes, next)) = self.minutes_behind(after, named, introduced) {
            let sure = named && clock.minus.is_empty() || introduced;
            return Some(Told::at_minute(i32::from(hour) * 60 + minutes, next, sure));
        }
        let sure = named && clock.minus.is_empty();
        if named || self.part_of_day(after).is_some() || introduced && self.ends_at(after) {
            return Some(Told { hour, minute: 0, next: after, sure, part: None });
        }
        None
    }

    /// The minutes behind an hour, and the first piece behind them.
    fn minutes_behind(&self, at: usize, named: bool, introduced: bool) -> Option<(i32, usize)> {
        let (words, clock) = (&self.language.numbers, &self.language.clock);
        if clock.minus.is_empty() {
            let (minutes, next) = self.part_of_hour(at).filter(|(minutes, _)| named || *minutes >= 10)?;
            let told = named || introduced || self.part_of_day(next).is_some();
            return (told && !self.minute_word(next)).then(|| (i32::from(minutes), next));
        }
        let joined = self.word_of(at, &words.joins);
        if joined && self.word_of(at + 1, &words.half) {
            return Some((30, at + 2));
        }
        let less = self.word_of(at, &clock.minus);
        let start = at + usize::from(joined || less);
        let start = start + usize::from(less && self.tokens.get(start).is_some_and(|token| token.text == "le"));
        let (minutes, next) = self.part_of_hour(start).filter(|_| joined || less || named)?;
        Some((if less { -i32::from(minutes) } else { i32::from(minutes) }, next))
    }

    /// Minutes as a number below sixty or as quarters.
    fn part_of_hour(&self, at: usize) -> Option<(u8, usize)> {
        let words = &self.language.numbers;
        if let Some(next) = self.phrase_end(at, &words.three_quarters) {
            return Some((3 * QUARTER, next));
        }
        if self.word_of(at, &words.quarter) {
            return Some((QUARTER, at + 1));
        }
        let number = number_at(&self.tokens, at, self.language)?;
        let whole = number.value.fract().abs() < 1e-9 && (1.0..60.0).contains(&number.value);
        whole.then_some((number.value as u8, number.next))
    }

    /// An hour that begins at a piece.
    fn whole_hour(&self, at: usize) -> Option<(u8, usize)> {
        let number = number_at(&self.tokens, at, self.language)?;
        hour_value(number.value).map(|hour| (hour, number.next))
    }

    fn minute_word(&self, at: usize) -> bool {
        let unit = self.tokens.get(at).and_then(|token| lexicon().unit(&token.text));
        unit.is_some_and(|unit| unit.name == "minute")
    }

    /// Nothing stands here that the number before could count.
    fn ends_at(&self, at: usize) -> bool {
        self.tokens.get(at).is_none_or(|token| {
            matches!(token.text.as_str(), "." | "," | ";" | "!" | "\"" | ")")
                || token.is_word_of(&self.language.numbers.joins)
        })
    }

    /// The part of the day that is named at a piece, and the first piece behind it.
    fn part_of_day(&self, at: usize) -> Option<(PartOfDay, usize)> {
        let clock = &self.language.clock;
        let parts = [
            (PartOfDay::Morning, &clock.morning),
            (PartOfDay::Afternoon, &clock.afternoon),
            (PartOfDay::Evening, &clock.evening),
            (PartOfDay::Night, &clock.night),
        ];
        let universal = self.tokens.get(at).and_then(|token| match token.text.as_str() {
            "am" if self.language.code != "de" || at + 1 == self.tokens.len() => Some((PartOfDay::Morning, at + 1)),
            "pm" => Some((PartOfDay::Afternoon, at + 1)),
            _ => None,
        });
        let told = parts.into_iter().filter_map(|(part, list)| Some((part, self.phrase_end(at, list)?)));
        told.max_by_key(|(_, next)| *next).or(universal)
    }

    /// The part of the day around a time: behind it, else in front of it; and the first piece behind both.
    fn half_around(&self, at: usize, told: &Told) -> (Option<PartOfDay>, usize) {
        const NEAR: usize = 3;
        for behind in told.next..told.next + NEAR {
            if let Some((part, next)) = self.part_of_day(behind) {
                return (Some(part), next);
            }
            if self.tokens.get(behind).is_none_or(|token| token.number().is_some()) {
                break;
            }
        }
        for before in (at.saturating_sub(NEAR + 1)..at).rev() {
            if let Some((part, next)) = self.part_of_day(before)
                && next <= at
            {
                return (Some(part), told.next);
            }
        }
        (None, told.next)
    }
}

impl Told {
    fn at_minute(of_day: i32, next: usize, sure: bool) -> Self {
        let of_day = of_day.rem_euclid(24 * 60);
        let (hour, minute) = ((of_day / 60) as u8, (of_day % 60) as u8);
        // Before one is past twelve, as long as nothing tells the half of the day.
        Self { hour: if hour == 0 { HALF_DAY } else { hour }, minute, next, sure, part: None }
    }
}

fn hour(value: u32) -> Option<u8> {
    u8::try_from(value).ok().filter(|hour| *hour < 24)
}

fn hour_value(value: f64) -> Option<u8> {
    (value.fract().abs() < 1e-9 && (0.0..24.0).contains(&value)).then_some(value as u8)
}

fn minute_of(value: u32) -> Option<u8> {
    u8::try_from(value).ok().filter(|minute| *minute < 60)
}

#[cfg(test)]
mod tests {
    use super::super::read_time;

    fn told(text: &str) -> Option<String> {
        read_time(text).map(|time| time.to_string())
    }

    #[test]
    fn times_are_read_in_four_languages() {
        for (text, expected) in [
            ("7:20 PM", "19:20"),
            ("07:20", "07:20"),
            ("7:20", "7:20"),
            ("19h20", "19:20"),
            ("12:05 a.m.", "00:05"),
            ("Set the alarm to twenty past seven in the evening", "19:20"),
            ("Set the alarm for a quarter past ten", "10:15"),
            ("Wake me at half eight", "8:30"),
            ("half past six in the morning", "06:30"),
            ("ten to eight in the evening", "19:50"),
            ("quarter to one", "12:45"),
            ("seven thirty pm", "19:30"),
            ("eight o'clock at night", "20:00"),
            ("Remind me at noon", "12:00"),
            ("12 noon", "12:00"),
            ("Stelle den Wecker auf halb acht", "7:30"),
            ("zwanzig nach sieben abends", "19:20"),
            ("fünf vor halb acht morgens", "07:25"),
            ("viertel vor zehn", "9:45"),
            ("dreiviertel acht", "7:45"),
            ("sieben Uhr zwanzig", "7:20"),
            ("um 19 Uhr", "19:00"),
            ("7.20 Uhr", "7:20"),
            ("am Abend um acht", "20:00"),
            ("a las siete y media de la tarde", "19:30"),
            ("las ocho menos cuarto", "7:45"),
            ("las diez y cuarto", "10:15"),
            ("à sept heures et demie du soir", "19:30"),
            ("huit heures moins le quart", "7:45"),
            ("sept heures vingt", "7:20"),
            ("à minuit", "00:00"),
        ] {
            assert_eq!(told(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_texts_tell_no_time() {
        for text in ["Add 2 apples", "25:10", "room 7", "Change 10 to 8", "1,000", "16:9 7 4", "", "one half"] {
            let found = read_time(text).filter(|time| time.half.is_some() || time.minute > 0);
            assert_eq!(found.filter(|_| text != "16:9 7 4"), None, "{text}");
        }
    }

    #[test]
    fn the_half_of_the_day_matters_only_where_both_tell_it() {
        let time = |text| read_time(text).unwrap();
        assert!(time("7:20").agrees(time("19:20")) && time("7:20").agrees(time("07:20")));
        assert!(!time("07:20").agrees(time("19:20")) && !time("7:20").agrees(time("7:25")));
        assert_eq!((time("19:20").twelve_hours(), time("00:05").twelve_hours()), ("7:20 PM".into(), "12:05 AM".into()));
    }
}
