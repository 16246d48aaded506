//! The word lists of this room (`lexicon.toml`), parsed once and indexed for look-up.

use super::read::is_compound;
use crate::domain::{BundledTable, TableError, words};
use serde::Deserialize;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

static LEXICON: BundledTable<Lexicon> =
    BundledTable::new("src/pipeline/value_control/lexicon.toml", include_str!("lexicon.toml"), |text| {
        Ok(Lexicon::parse(text)?)
    });

/// Checks that the bundled word lists can be read.
pub(crate) fn verify_tables() -> Result<(), TableError> {
    LEXICON.verify()
}

/// True for a word that means a day or a longer part of the calendar: "month".
pub(crate) fn is_calendar_unit(word: &str) -> bool {
    const UNITS: [&str; 5] = ["day", "week", "month", "year", "night"];
    lexicon().unit(word).is_some_and(|unit| UNITS.contains(&unit.name.as_str()))
}

/// The bundled word lists.
pub(super) fn lexicon() -> &'static Lexicon {
    LEXICON.get()
}

/// The side of the hour that "half eight" stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum HalfHour {
    /// English: 8:30.
    #[default]
    After,
    /// German: 7:30.
    Before,
}

/// How one language speaks of numbers, times and days.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Language {
    pub(super) code: String,
    /// Words that tell this language from the others of the table.
    marks: Vec<String>,
    pub(super) numbers: NumberWords,
    pub(super) clock: ClockWords,
    pub(super) days: DayWords,
    pub(super) amounts: AmountWords,
    /// All single words of the lists above; filled when the table is read.
    #[serde(skip)]
    vocabulary: HashSet<String>,
}

/// Words of numbers.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NumberWords {
    /// A comma parts whole from fraction, and a point parts thousands.
    pub(super) decimal_comma: bool,
    /// Numbers from zero on, one word each.
    units: Vec<String>,
    larger: Vec<(u32, Vec<String>)>,
    pub(super) joins: Vec<String>,
    /// Numbers are written in one word.
    #[serde(default)]
    pub(super) glued: bool,
    pub(super) articles: Vec<String>,
    /// Say that there is none of a thing.
    pub(super) none: Vec<String>,
    pub(super) ordinals: Vec<String>,
    pub(super) ordinal_endings: Vec<String>,
    pub(super) half: Vec<String>,
    pub(super) half_ending: String,
    pub(super) one_and_a_half: Vec<String>,
    pub(super) quarter: Vec<String>,
    pub(super) three_quarters: Vec<String>,
    /// Value of every single number word; filled when the table is read.
    #[serde(skip)]
    pub(super) values: HashMap<String, u32>,
}

/// Words of times of day.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClockWords {
    pub(super) half_hour: HalfHour,
    pub(super) past: Vec<String>,
    pub(super) before: Vec<String>,
    pub(super) minus: Vec<String>,
    pub(super) hour_words: Vec<String>,
    /// What stands before a time.
    pub(super) at: Vec<String>,
    pub(super) morning: Vec<String>,
    pub(super) afternoon: Vec<String>,
    pub(super) evening: Vec<String>,
    pub(super) night: Vec<String>,
    pub(super) noon: Vec<String>,
    pub(super) midnight: Vec<String>,
}

/// Words of dates.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DayWords {
    pub(super) months: Vec<String>,
    /// Monday first.
    pub(super) weekdays: Vec<String>,
    pub(super) date_joins: Vec<String>,
    pub(super) today: Vec<String>,
    pub(super) tomorrow: Vec<String>,
    pub(super) after_tomorrow: Vec<String>,
    pub(super) in_days: Vec<String>,
    pub(super) range_to: Vec<String>,
    /// Monday to Friday.
    pub(super) workdays: Vec<String>,
    /// Saturday and Sunday.
    pub(super) weekend: Vec<String>,
    /// The whole week.
    pub(super) daily: Vec<String>,
}

/// Words of changes and of the ends of a scale.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AmountWords {
    pub(super) increase: Vec<String>,
    pub(super) decrease: Vec<String>,
    pub(super) by: Vec<String>,
    pub(super) counted_on: Vec<String>,
    pub(super) most: Vec<String>,
    pub(super) least: Vec<String>,
    pub(super) middle: Vec<String>,
}

/// Words on controls, in any language.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LabelWords {
    /// Names of months of languages without an entry of their own, January first.
    months: Vec<Vec<String>>,
    pub(super) next_page: Vec<String>,
    pub(super) previous_page: Vec<String>,
    pub(super) next_signs: Vec<String>,
    pub(super) previous_signs: Vec<String>,
    pub(super) to_years: Vec<String>,
    pub(super) to_keyboard: Vec<String>,
    pub(super) opens_options: Vec<String>,
    pub(super) more: Vec<String>,
    pub(super) fewer: Vec<String>,
    pub(super) am: Vec<String>,
    pub(super) pm: Vec<String>,
    /// Parts of a time or date.
    pub(super) parts: PartWords,
    pub(super) rates: Vec<String>,
    pub(super) states: StateWords,
    pub(super) naming: NamingWords,
}

/// What a label says of the state of its control.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StateWords {
    pub(super) on: Vec<String>,
    pub(super) off: Vec<String>,
    /// Words of requests that want something off.
    pub(super) denials: Vec<String>,
}

/// What controls are called by the part of a time or a date that they hold.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PartWords {
    pub(super) hour: Vec<String>,
    pub(super) minute: Vec<String>,
    pub(super) second: Vec<String>,
    pub(super) half_of_day: Vec<String>,
    pub(super) day: Vec<String>,
    pub(super) month: Vec<String>,
    pub(super) year: Vec<String>,
}

/// Words that matter when a control's name is compared with a request.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NamingWords {
    /// Say nothing about the control.
    pub(super) idle: Vec<String>,
    /// Stand before what is left behind: "from X to Y".
    pub(super) instead: Vec<String>,
    /// Name the beginning of a range.
    pub(super) begins: Vec<String>,
    /// Name the end of a range.
    pub(super) ends: Vec<String>,
}

/// Words of choices that go up in steps.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScaleWords {
    pub(super) down: Vec<String>,
    pub(super) up: Vec<String>,
    pub(super) least: Vec<String>,
    pub(super) most: Vec<String>,
    /// What counts steps, from one on.
    pub(super) counts: Vec<Vec<String>>,
    /// Which one from an end, from the second on.
    pub(super) orders: Vec<Vec<String>>,
    /// Labels without numbers, lowest first.
    pub(super) rungs: Vec<Vec<String>>,
}

/// A unit and the ways to write it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Unit {
    pub(super) name: String,
    /// Its length, for a unit of time.
    pub(super) seconds: Option<u32>,
    words: Vec<String>,
}

/// All word lists.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lexicon {
    #[serde(rename = "language")]
    pub(super) languages: Vec<Language>,
    pub(super) labels: LabelWords,
    pub(super) scale: ScaleWords,
    #[serde(rename = "unit")]
    units: Vec<Unit>,
    /// Every way to write a unit, as a position in `units`.
    #[serde(skip)]
    unit_words: HashMap<String, usize>,
}

impl Lexicon {
    fn parse(text: &str) -> Result<Self, toml::de::Error> {
        let mut lexicon: Self = toml::from_str(text)?;
        for language in &mut lexicon.languages {
            let numbers = &mut language.numbers;
            let small = numbers.units.iter().enumerate().map(|(at, word)| (word.clone(), at as u32));
            let larger =
                numbers.larger.iter().flat_map(|(value, words)| words.iter().map(|word| (word.clone(), *value)));
            numbers.values = small.chain(larger).collect();
            language.vocabulary = language
                .known_words()
                .filter(|word| !word.contains(' ') && !matches!(word.as_str(), "am" | "pm"))
                .cloned()
                .collect();
        }
        for (at, unit) in lexicon.units.iter().enumerate() {
            for word in &unit.words {
                lexicon.unit_words.entry(word.clone()).or_insert(at);
            }
        }
        Ok(lexicon)
    }

    /// The language most of whose words a text uses; English where nothing tells.
    pub(super) fn language_of(&self, text: &str) -> &Language {
        let own = words(text);
        let count = |language: &Language| {
            let known = |word: &&String| language.vocabulary.contains(*word) || is_compound(word, &language.numbers);
            own.iter().filter(known).count()
        };
        let mut best: Option<(usize, &Language)> = None;
        for language in &self.languages {
            let count = count(language);
            if best.is_none_or(|(most, _)| count > most) {
                best = Some((count, language));
            }
        }
        best.map_or(&EMPTY, |(_, language)| language)
    }

    /// The unit that a word or sign stands for.
    pub(super) fn unit(&self, word: &str) -> Option<&Unit> {
        self.unit_words.get(word).and_then(|at| self.units.get(*at))
    }

    /// Words of dates of every language.
    pub(super) fn day_words(&self) -> impl Iterator<Item = &DayWords> {
        self.languages.iter().map(|language| &language.days)
    }

    /// The month, 1 to 12, that a word names, or begins with at least three letters; in any language.
    pub(super) fn month(&self, word: &str) -> Option<u32> {
        let tables = self.languages.iter().map(|language| &language.days.months).chain(&self.labels.months);
        month_in(tables, word)
    }
}

static EMPTY: LazyLock<Language> = LazyLock::new(Language::default);

impl Language {
    fn known_words(&self) -> impl Iterator<Item = &String> {
        let (numbers, clock, days) = (&self.numbers, &self.clock, &self.days);
        let lists = [
            &self.marks,
            &numbers.ordinals,
            &numbers.half,
            &numbers.one_and_a_half,
            &numbers.three_quarters,
            &clock.hour_words,
            &clock.morning,
            &clock.evening,
            &clock.noon,
            &clock.midnight,
            &days.months,
            &days.weekdays,
            &days.today,
            &days.tomorrow,
            &days.after_tomorrow,
        ];
        lists.into_iter().flatten().chain(self.numbers.values.keys())
    }

    /// True for a word that tells the language and names no thing.
    pub(super) fn is_mark(&self, word: &str) -> bool {
        self.marks.iter().any(|mark| mark == word)
    }

    /// The month, 1 to 12, that a word of this language names, or begins with at least three letters.
    pub(super) fn month(&self, word: &str) -> Option<u32> {
        month_in(std::iter::once(&self.days.months), word)
    }
}

/// Fewest letters of an abbreviated month.
const SHORTEST_MONTH: usize = 3;

fn month_in<'l>(mut tables: impl Iterator<Item = &'l Vec<String>> + Clone, word: &str) -> Option<u32> {
    let word = word.to_lowercase();
    let word = word.trim_end_matches('.');
    let long = word.chars().count() >= SHORTEST_MONTH;
    let whole = tables.clone().find_map(|names| names.iter().position(|name| name == word));
    let begun = || tables.find_map(|names| names.iter().position(|name| name.starts_with(word))).filter(|_| long);
    let found = whole.or_else(begun);
    found.map(|at| at as u32 + 1)
}

/// True if a text consists of one of these words or phrases.
pub(super) fn is_one_of(list: &[String], text: &str) -> bool {
    let trimmed = text.trim().to_lowercase();
    if list.contains(&trimmed) {
        return true;
    }
    let own = words(&trimmed);
    !own.is_empty() && list.iter().any(|known| words(known) == own)
}

/// True if a text holds one of these words or phrases, its words standing together.
pub(super) fn holds_one_of(list: &[String], text: &str) -> bool {
    let own = words(text);
    list.iter().any(|known| {
        let known = words(known);
        !known.is_empty() && own.windows(known.len()).any(|part| part == known.as_slice())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_table_can_be_read() {
        verify_tables().unwrap();
        assert_eq!(lexicon().languages.len(), 4);
    }

    #[test]
    fn the_language_of_a_text_is_told_by_its_words() {
        for (text, code) in [
            ("Set the alarm to twenty past seven in the evening", "en"),
            ("Stelle den Wecker auf halb acht abends", "de"),
            ("Pon la alarma a las siete y media de la tarde", "es"),
            ("Règle le réveil sur sept heures et demie du soir", "fr"),
            ("halb acht", "de"),
            ("zweieinhalb Stunden", "de"),
            ("", "en"),
        ] {
            assert_eq!(lexicon().language_of(text).code, code, "{text}");
        }
    }

    #[test]
    fn units_are_known_by_every_way_to_write_them() {
        for (word, unit) in [("%", "percent"), ("stunden", "hour"), ("km", "kilometre"), ("€", "euro")] {
            assert_eq!(lexicon().unit(word).map(|unit| unit.name.as_str()), Some(unit), "{word}");
        }
        assert!(lexicon().unit("adults").is_none());
    }
}
