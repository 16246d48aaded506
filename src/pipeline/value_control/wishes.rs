//! The values that a request speaks of and that are not set yet.

use super::ValueRequest;
use super::amount::same_number;
use super::lexicon::{Language, holds_one_of, lexicon};
use super::naming::{alike, telling_words};
use super::read::{
    DateWish, Quantity, Reading, TimeOfDay, WrittenDate, dates_in, durations_in, quantities_in, times_in,
};
use crate::domain::words;

/// Letters by which a word is found again in another ending.
const STEM: usize = 5;

/// A change counted from what a control shows at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    More,
    Fewer,
}

/// An end of a scale, or its middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlaceOnScale {
    Least,
    Middle,
    Most,
}

/// A time that a request wants.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TimeWish {
    pub(super) time: TimeOfDay,
    /// False where the words may mean a duration as well.
    pub(super) sure: bool,
}

/// The values that a request speaks of.
pub(super) struct Wishes<'r> {
    pub(super) text: &'r str,
    /// Lower-case words of the text.
    pub(super) words: Vec<String>,
    pub(super) language: &'static Language,
    /// Explicit values, as they stand.
    pub(super) values: Vec<&'r str>,
    pub(super) amounts: Vec<Quantity>,
    pub(super) times: Vec<TimeWish>,
    pub(super) dates: Vec<DateWish>,
    /// Lengths of time, in seconds.
    pub(super) durations: Vec<f64>,
    pub(super) change: Option<Change>,
    pub(super) place: Option<PlaceOnScale>,
    /// Positions of the amounts that clearly belong to one control of the screen.
    pub(super) claimed: Vec<usize>,
}

impl<'r> Wishes<'r> {
    /// Reads a request; what is settled already is left out once.
    pub(super) fn read(request: &ValueRequest<'r>) -> Self {
        let text = request.text;
        let reading = Reading::new(text);
        let language = reading.language;
        let amounts = quantities_in(&reading);
        let mut wishes = Self {
            text,
            words: words(text),
            language,
            values: request.values.iter().map(String::as_str).collect(),
            times: times(&reading),
            dates: dates_in(&reading),
            durations: durations_in(&amounts).into_iter().map(|duration| duration.seconds).collect(),
            amounts,
            change: change(text, language),
            place: place(text, language),
            claimed: Vec::new(),
        };
        for value in request.values.iter().filter(|value| !text.contains(value.as_str())) {
            wishes.add(value);
        }
        for value in request.settled {
            wishes.leave_out(value);
        }
        wishes
    }

    /// Adds the readings of a value that the text only mentions.
    fn add(&mut self, value: &str) {
        let reading = Reading::in_language(value, self.language);
        let amounts = quantities_in(&reading);
        let date = WrittenDate::read(value).filter(|date| date.month.is_some());
        match date {
            Some(date) => self.dates.push(DateWish::On(date)),
            None => self.dates.extend(dates_in(&reading)),
        }
        self.times.extend(times(&reading));
        self.durations.extend(durations_in(&amounts).into_iter().map(|duration| duration.seconds));
        // A number within a name is no amount: "Room 5".
        let whole = |amount: &Quantity| amount.span.start == 0;
        self.amounts.extend(amounts.into_iter().filter(whole).map(|amount| Quantity { span: 0..0, ..amount }));
    }

    /// Leaves out what another control holds already.
    fn leave_out(&mut self, value: &str) {
        let lower = value.trim().to_lowercase();
        remove_first(&mut self.values, |own| own.trim().to_lowercase() == lower);
        let reading = Reading::in_language(value, self.language);
        if let Some(found) = times_in(&reading).first() {
            remove_first(&mut self.times, |own| own.time.agrees(found.time));
        }
        let date = WrittenDate::read(value).filter(|date| date.day.is_some() && date.month.is_some());
        if let Some(date) = date {
            remove_first(&mut self.dates, |own| matches!(own, DateWish::On(own) if own.is(&date)));
        }
        let amounts = quantities_in(&reading);
        for duration in durations_in(&amounts) {
            remove_first(&mut self.durations, |own| same_number(*own, duration.seconds));
        }
        for amount in amounts.iter().filter(|amount| amount.span.start == 0) {
            remove_first(&mut self.amounts, |own| same_number(own.value, amount.value));
        }
    }

    /// The time for a control of this name: the end of a range for one that is named so, else the surest one.
    pub(super) fn time_for(&self, name: &str) -> Option<TimeWish> {
        let naming = &lexicon().labels.naming;
        let is_end = holds_one_of(&naming.ends, name) && !holds_one_of(&naming.begins, name);
        let sure = || self.times.iter().filter(|wish| wish.sure);
        let found = if is_end { sure().next_back() } else { sure().next() };
        found.or(self.times.first()).copied()
    }

    /// The explicit value that belongs to a control of this name: the one said next to it.
    pub(super) fn value_for(&self, name: &str) -> Option<&'r str> {
        let lower = self.text.to_lowercase();
        let apart = |value: &str| lower.find(&value.to_lowercase()).map_or(usize::MAX, |at| self.distance_to(name, at));
        self.values.iter().copied().min_by_key(|value| apart(value))
    }

    /// Bytes between a place of the text and the nearest telling word of a name; what stands before the name counts double.
    pub(super) fn distance_to(&self, name: &str, at: usize) -> usize {
        let lower = self.text.to_lowercase();
        let mut places = telling_words(name).into_iter().flat_map(|word| {
            let stem: String = word.chars().take(STEM).collect();
            lower.match_indices(stem.as_str()).map(|(at, _)| at).collect::<Vec<_>>()
        });
        let first = places.next();
        let all = first.into_iter().chain(places);
        all.map(|name| if name <= at { at - name } else { 2 * (name - at) }).min().unwrap_or(usize::MAX / 2)
    }

    /// True if the text says this word, in any ending.
    pub(super) fn says(&self, word: &str) -> bool {
        self.words.iter().any(|own| alike(own, word))
    }

    /// True if the text says one of these words or phrases.
    pub(super) fn says_one_of(&self, list: &[String]) -> bool {
        holds_one_of(list, self.text)
    }
}

fn times(reading: &Reading<'_>) -> Vec<TimeWish> {
    times_in(reading).into_iter().map(|found| TimeWish { time: found.time, sure: found.sure }).collect()
}

/// A change by an amount: a verb of change with "by" or with a word as "more".
fn change(text: &str, language: &Language) -> Option<Change> {
    let words = &language.amounts;
    let more = holds_one_of(&words.increase, text);
    let fewer = holds_one_of(&words.decrease, text);
    let by = holds_one_of(&words.by, text) || holds_one_of(&words.counted_on, text);
    match (more, fewer) {
        (true, false) if by => Some(Change::More),
        (false, true) if by => Some(Change::Fewer),
        _ => None,
    }
}

fn place(text: &str, language: &Language) -> Option<PlaceOnScale> {
    let words = &language.amounts;
    let lists =
        [(PlaceOnScale::Most, &words.most), (PlaceOnScale::Least, &words.least), (PlaceOnScale::Middle, &words.middle)];
    lists.into_iter().find(|(_, list)| holds_one_of(list, text)).map(|(place, _)| place)
}

fn remove_first<T>(list: &mut Vec<T>, is: impl Fn(&T) -> bool) {
    if let Some(at) = list.iter().position(is) {
        list.remove(at);
    }
}
