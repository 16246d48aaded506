//! The entry of a list that an ordinal or a superlative means: "the second result", "the cheapest room".

use super::coverage::uncovered;
use crate::domain::words;
use crate::form::is_currency as is_sign;
use crate::hierarchy::Row;
use crate::inference::{EmbedError, cosine};
use crate::lexicon::{Ordinal, Superlative};
use crate::pipeline::episode::Episode;
use crate::pipeline::screen_model::ScreenModel;
use crate::pipeline::task::{asked_fit, said_fit};
use crate::pipeline::value_control::{read_date, read_quantities, read_seconds, read_time};

/// Units that are money.
const CURRENCIES: [&str; 4] = ["euro", "dollar", "pound", "yen"];
/// Fewest entries that make a list.
const FEWEST: usize = 2;
/// What the entries of a list may be compared by, each with words that ask for it. A model tells which of them an instruction means.
const MEASURES: [(Measure, &str); 5] = [
    (Measure::Price, "cheapest, most expensive, lowest price"),
    (Measure::Date, "oldest, newest, latest, most recent"),
    (Measure::Clock, "earliest, latest, first to leave"),
    (Measure::Time, "shortest, longest, fastest, soonest"),
    (Measure::Number, "highest rated, nearest, largest, most"),
];

/// What entries are compared by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    Price,
    Date,
    Clock,
    Time,
    Number,
}

/// The row that the clause means by its place or by its place on a scale; `among` are the rows that it calls by name, all rows where
/// there are none. `None` for a clause that means none so, and where the rows do not tell.
///
/// # Errors
/// When the model fails.
pub(super) fn ordered_row(
    episode: &Episode<'_>,
    model: &ScreenModel<'_>,
    among: &[usize],
) -> Result<Option<usize>, EmbedError> {
    let clause = episode.clause;
    let plain: String = clause.step.instruction.chars().filter(|letter| !letter.is_ascii_digit()).collect();
    let lexicon = &episode.knowledge.lexicon;
    let ordinal = clause.ordinal.and_then(|_| lexicon.ordinal(&plain));
    if clause.fills() || clause.wanted_state.is_some() || ordinal.is_none() && clause.superlative.is_none() {
        return Ok(None);
    }
    // An entry of the list was dealt with already.
    if episode.journal.current_deeds().any(|record| record.control.as_ref().is_some_and(|it| !it.heading.is_empty())) {
        return Ok(None);
    }
    // "Last seen" is what the label of a row says.
    let is_label = |row: &&Row| {
        let heading = row.heading.as_str();
        (lexicon.ordinal(heading).is_some() || lexicon.superlative(heading).is_some())
            && (said_fit(lexicon, &clause.step.instruction, heading) >= 1.0 || says_place(episode, heading))
    };
    if model.rows.iter().any(is_label) {
        return Ok(None);
    }
    // A place in a list counts once most of what a goal speaks of was dealt with: the first list on the way is another.
    if clause.is_goal && 2 * uncovered(episode).len() > clause.topic.len() {
        return Ok(None);
    }
    let list = spoken_of(episode, model, longest_list(model, among));
    if list.len() < FEWEST {
        return Ok(None);
    }
    if let Some(superlative) = clause.superlative {
        return extreme(episode, model, &list, superlative);
    }
    Ok(ordinal
        .and_then(|ordinal| match ordinal {
            Ordinal::First => list.first(),
            Ordinal::Second => list.get(1),
            Ordinal::Third => list.get(2),
            Ordinal::Fourth => list.get(3),
            Ordinal::Fifth => list.get(4),
            Ordinal::Last => list.last(),
            Ordinal::Next | Ordinal::Previous => None,
        })
        .copied())
}

/// True if a heading holds the ordinal of the instruction with the word that stands beside it there: "Last seen and online" is what
/// "Last seen to nobody" calls so.
fn says_place(episode: &Episode<'_>, heading: &str) -> bool {
    let lexicon = &episode.knowledge.lexicon;
    let said = words(&episode.clause.step.instruction);
    words(heading).windows(2).any(|pair| {
        let tells = pair.iter().any(|word| lexicon.ordinal(word).is_some() || lexicon.superlative(word).is_some());
        tells && said.windows(2).any(|other| other == pair)
    })
}

/// The rows of the longest list, in their order: rows of one width that begin at the same edge; where there are none, that stand on
/// the same line.
fn longest_list(model: &ScreenModel<'_>, among: &[usize]) -> Vec<usize> {
    let rows = || model.rows.iter().enumerate().filter(|(at, _)| among.len() < FEWEST || among.contains(at));
    let width = |one: &Row, other: &Row| (one.bounds.width() - other.bounds.width()).abs() * 10 <= one.bounds.width();
    let column = |one: &Row, other: &Row| (one.bounds.left - other.bounds.left).abs() * 10 <= one.bounds.width();
    let line = |one: &Row, other: &Row| (one.bounds.top - other.bounds.top).abs() * 10 <= one.bounds.height();
    let longest = |beside: &dyn Fn(&Row, &Row) -> bool| {
        let of = |row: &Row| {
            let alike = rows().filter(|(_, other)| width(row, other) && beside(row, other));
            alike.map(|(at, _)| at).collect::<Vec<usize>>()
        };
        rows().map(|(_, row)| of(row)).max_by_key(Vec::len).unwrap_or_default()
    };
    let mut list = longest(&column);
    if list.len() < FEWEST {
        list = longest(&line);
    }
    list.sort_by_key(|at| model.rows.get(*at).map(|row| (row.bounds.top, row.bounds.left)));
    list
}

/// The rows that show a word which the clause is about, where at least two do; else all.
fn spoken_of(episode: &Episode<'_>, model: &ScreenModel<'_>, list: Vec<usize>) -> Vec<usize> {
    let clause = episode.clause;
    let shows = |at: &&usize| {
        model.rows.get(**at).is_some_and(|row| {
            model.texts_of_row(row).any(|text| asked_fit(&clause.topic, text, clause.inflection) > 0.0)
        })
    };
    let own: Vec<usize> = list.iter().filter(shows).copied().collect();
    if own.len() >= FEWEST { own } else { list }
}

/// The row at one end of the scale that the clause means, where all rows but one at most tell their place on it and one is at the
/// end alone.
fn extreme(
    episode: &Episode<'_>,
    model: &ScreenModel<'_>,
    list: &[usize],
    superlative: Superlative,
) -> Result<Option<usize>, EmbedError> {
    let embedder = episode.scorer.embedder;
    let mut texts: Vec<&str> = MEASURES.iter().map(|(_, words)| *words).collect();
    texts.push(&episode.clause.step.instruction);
    let vectors = embedder.embed(&texts)?;
    let Some((asked, kinds)) = vectors.split_last() else { return Ok(None) };
    let mut measures: Vec<(Measure, f32)> =
        MEASURES.iter().zip(kinds).map(|((measure, _), kind)| (*measure, cosine(asked, kind))).collect();
    measures.sort_by(|one, other| other.1.total_cmp(&one.1));
    for (measure, _) in measures {
        let told = |at: &usize| {
            let row = model.rows.get(*at)?;
            let amount = model.texts_of_row(row).find_map(|text| amount(measure, text))?;
            Some((amount, *at))
        };
        let mut told: Vec<(f64, usize)> = list.iter().filter_map(told).collect();
        if told.len() < FEWEST || told.len() + 1 < list.len() {
            continue;
        }
        told.sort_by(|one, other| one.0.total_cmp(&other.0));
        if superlative == Superlative::Most {
            told.reverse();
        }
        if let [first, second, ..] = told.as_slice()
            && first.0.total_cmp(&second.0).is_ne()
        {
            return Ok(Some(first.1));
        }
    }
    Ok(None)
}

/// How much of a measure a text tells; `None` where it tells nothing of the kind.
fn amount(measure: Measure, text: &str) -> Option<f64> {
    let of_unit = |wanted: &dyn Fn(Option<&str>) -> bool| {
        read_quantities(text).into_iter().find(|one| wanted(one.unit.as_deref())).map(|one| one.value)
    };
    let is_currency = |unit: Option<&str>| unit.is_some_and(|unit| CURRENCIES.contains(&unit));
    match measure {
        Measure::Price if text.chars().any(is_sign) => of_unit(&|_| true),
        Measure::Price => of_unit(&is_currency),
        Measure::Date => read_date(text).map(|date| {
            let part = |part: Option<u32>| f64::from(part.unwrap_or(0));
            part(date.year) * 400.0 + part(date.month) * 31.0 + part(date.day)
        }),
        Measure::Clock => read_time(text).map(|time| f64::from(time.hour) * 60.0 + f64::from(time.minute)),
        Measure::Time => read_seconds(text),
        Measure::Number => of_unit(&|unit| !is_currency(unit)),
    }
}
