//! Days of the week: a row of seven choices, and the days that a request names.

use super::lexicon::{DayWords, lexicon};
use super::wishes::Wishes;
use crate::domain::words;

/// Days of a week.
pub(super) const DAYS: usize = 7;
/// Fewest letters of a shortened name that tells a day by itself.
const MIN_SHORT: usize = 2;
/// Fewest choices that are called after days, of a group that is one of days.
const MIN_CHOICES: usize = 5;

/// The day that each choice stands for, Monday is 0; `None` if the choices are no days of the week. Single letters tell days by
/// their order.
pub(super) fn days_of(labels: &[&str]) -> Option<Vec<usize>> {
    let short: Vec<String> = labels.iter().map(|label| label.trim().trim_end_matches('.').to_lowercase()).collect();
    let named: Option<Vec<usize>> = short.iter().map(|label| called(label)).collect();
    let distinct = |days: &Vec<usize>| {
        let mut sorted = days.clone();
        sorted.sort_unstable();
        sorted.dedup();
        sorted.len() == days.len() && days.len() >= MIN_CHOICES
    };
    named.filter(distinct).or_else(|| in_order(&short))
}

/// The only day of a language that begins with these letters.
fn called(label: &str) -> Option<usize> {
    if label.chars().count() < MIN_SHORT {
        return None;
    }
    lexicon().day_words().find_map(|days| {
        let mut fits = days.weekdays.iter().enumerate().filter(|(_, day)| day.starts_with(label));
        let only = fits.next().map(|(at, _)| at);
        only.filter(|_| fits.next().is_none())
    })
}

/// Seven letters in the order of a week that begins on Monday, Sunday or Saturday.
fn in_order(letters: &[String]) -> Option<Vec<usize>> {
    if letters.len() != DAYS || letters.iter().any(|letter| letter.chars().count() > MIN_SHORT) {
        return None;
    }
    lexicon().day_words().find_map(|days| {
        [0, 6, 5].into_iter().find_map(|first| {
            let order: Vec<usize> = (0..DAYS).map(|at| (first + at) % DAYS).collect();
            let fits = |(letter, day): (&String, &usize)| {
                days.weekdays.get(*day).is_some_and(|name| name.starts_with(letter.as_str()))
            };
            letters.iter().zip(&order).all(fits).then_some(order)
        })
    })
}

/// The days that a request names, Monday is 0, in order and each once: "on Mondays and Thursdays", "from Monday to Friday", "at the
/// weekend", "every day". Empty if it names none.
pub(super) fn days_wanted(wishes: &Wishes<'_>) -> Vec<usize> {
    let days = &wishes.language.days;
    let all = words(wishes.text);
    let mut found = [false; DAYS];
    let mut last: Option<(usize, usize)> = None;
    for (at, word) in all.iter().enumerate() {
        let Some(day) = said(word, days) else { continue };
        let ranged = last.filter(|(before, _)| before + 2 == at);
        let joined = || all.get(at - 1).is_some_and(|join| days.range_to.contains(join));
        if let Some((_, from)) = ranged.filter(|_| joined()) {
            (0..DAYS).map(|step| (from + step) % DAYS).take_while(|one| *one != day).for_each(|one| found[one] = true);
        }
        found[day] = true;
        last = Some((at, day));
    }
    let says = |phrases: &[String]| {
        phrases.iter().any(|phrase| {
            let own = words(phrase);
            all.windows(own.len().max(1)).any(|part| part == own.as_slice())
        })
    };
    let groups: [(&[String], std::ops::Range<usize>); 3] =
        [(&days.workdays, 0..5), (&days.weekend, 5..DAYS), (&days.daily, 0..DAYS)];
    for (phrases, range) in groups {
        if says(phrases) {
            range.for_each(|day| found[day] = true);
        }
    }
    (0..DAYS).filter(|day| found[*day]).collect()
}

/// The day that a word of a request names, in one or many.
fn said(word: &str, days: &DayWords) -> Option<usize> {
    let is = |day: &String| day == word || word.strip_suffix('s') == Some(day.as_str());
    days.weekdays.iter().position(is)
}

#[cfg(test)]
mod tests {
    use super::super::ValueRequest;
    use super::*;

    #[test]
    fn days_are_told_from_their_names() {
        let check = |labels: &[&str], expected: Option<&[usize]>| {
            assert_eq!(days_of(labels).as_deref(), expected, "{labels:?}");
        };
        let week: &[usize] = &[0, 1, 2, 3, 4, 5, 6];
        check(&["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"], Some(week));
        check(&["M", "T", "W", "T", "F", "S", "S"], Some(week));
        check(&["S", "M", "T", "W", "T", "F", "S"], Some(&[6, 0, 1, 2, 3, 4, 5]));
        check(&["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"], Some(week));
        check(&["lun.", "mar.", "mer.", "jeu.", "ven."], Some(&[0, 1, 2, 3, 4]));
        check(&["Monday", "Tuesday"], None);
        check(&["S", "M", "L", "XL", "XXL", "3XL", "4XL"], None);
    }

    #[test]
    fn days_are_read_from_a_request() {
        let check = |text: &str, expected: &[usize]| {
            let wishes = Wishes::read(&ValueRequest { text, values: &[], settled: &[] });
            assert_eq!(days_wanted(&wishes), expected, "{text}");
        };
        check("It rings on Mondays and Thursdays", &[0, 3]);
        check("Repeat it from Monday to Friday", &[0, 1, 2, 3, 4]);
        check("Friday through Sunday", &[4, 5, 6]);
        check("Only on weekdays", &[0, 1, 2, 3, 4]);
        check("Let it run every day", &[0, 1, 2, 3, 4, 5, 6]);
        check("Stelle den Wecker auf Montag bis Mittwoch", &[0, 1, 2]);
        check("Choose the blue one", &[]);
    }
}
