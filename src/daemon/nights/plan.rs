//! From what was asked for to cells, longest first.

use crate::domain::CaseId;
use crate::run::CaseCard;
use crate::store::{BatchSpec, PastTime};
use std::collections::{BTreeMap, BTreeSet};

/// Cells of a night at most.
pub(super) const MOST_CELLS: usize = 20_000;
/// Runs of a case whose time counts.
const REMEMBERED: usize = 5;

/// What of a night cannot be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Missing {
    /// Where it is asked for: a JSON pointer.
    pub(super) pointer: String,
    /// What is missing.
    pub(super) reason: String,
}

/// The cases a night is made of, each once, in the order of their ids.
pub(super) fn select(spec: &BatchSpec, cards: &[CaseCard]) -> Result<Vec<CaseId>, Missing> {
    let mut found: Vec<CaseId> = Vec::new();
    for (at, id) in spec.cases.iter().enumerate() {
        if !cards.iter().any(|card| card.id == *id) {
            let reason = format!("no case {id} is known here; GET /api/v1/cases lists them");
            return Err(Missing { pointer: format!("/cases/{at}"), reason });
        }
        found.push(id.clone());
    }
    let by = |kind: &str, names: &[String], has: fn(&CaseCard) -> &[String]| {
        let mut selected = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let own = cards.iter().filter(|card| has(card).contains(name)).map(|card| card.id.clone());
            let before = selected.len();
            selected.extend(own);
            if selected.len() == before {
                let reason = format!("no case belongs to {name:?}; GET /api/v1/suites lists what there is");
                return Err(Missing { pointer: format!("/{kind}/{at}"), reason });
            }
        }
        Ok(selected)
    };
    found.extend(by("tags", &spec.tags, |card| &card.tags)?);
    found.extend(by("suites", &spec.suites, |card| &card.suites)?);
    found.sort();
    found.dedup();
    if found.is_empty() {
        let reason = "nothing is selected: name cases, tags or suites".to_owned();
        return Err(Missing { pointer: "/cases".to_owned(), reason });
    }
    Ok(found)
}

/// A case on a profile in a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlannedCell {
    pub(super) case_id: CaseId,
    pub(super) profile: Option<String>,
    pub(super) locale: Option<String>,
    pub(super) location: Option<String>,
}

/// The cases that a change of the spec's paths touches, as they say of themselves.
pub(super) fn touched(spec: &BatchSpec, cards: &[CaseCard]) -> BTreeSet<CaseId> {
    cards.iter().filter(|card| card.is_touched_by(&spec.changed)).map(|card| card.id.clone()).collect()
}

/// All cells: those of cases that were `touched` first, for they are what the night is waited for; of each kind those of the
/// case that takes longest first, so that the night ends soonest. A case nobody has run yet may take any time.
pub(super) fn cells(
    spec: &BatchSpec,
    mut cases: Vec<CaseId>,
    past: &[PastTime],
    touched: &BTreeSet<CaseId>,
) -> Vec<PlannedCell> {
    let typical = typical(past);
    let time = |case: &CaseId| typical.get(case.as_str()).copied().unwrap_or(i64::MAX);
    cases.sort_by_key(|case| std::cmp::Reverse((touched.contains(case), time(case))));
    let mut cells = Vec::new();
    for case_id in cases {
        for profile in each(&spec.profiles) {
            for locale in each(&spec.locales) {
                for location in each(&spec.locations) {
                    let (case_id, profile, locale) = (case_id.clone(), profile.clone(), locale.clone());
                    cells.push(PlannedCell { case_id, profile, locale, location });
                }
            }
        }
    }
    cells
}

/// What runs of each case took lately, in the middle.
pub(super) fn typical(past: &[PastTime]) -> BTreeMap<&str, i64> {
    let mut times: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    for one in past {
        let own = times.entry(one.case_id.as_str()).or_default();
        if own.len() < REMEMBERED {
            own.push(one.ms);
        }
    }
    let middle = |(case, mut own): (_, Vec<i64>)| {
        own.sort_unstable();
        Some((case, *own.get(own.len() / 2)?))
    };
    times.into_iter().filter_map(middle).collect()
}

/// Each of them, or none in particular.
fn each(names: &[String]) -> Vec<Option<String>> {
    if names.is_empty() { vec![None] } else { names.iter().cloned().map(Some).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(id: &str, tag: &str, suite: &str) -> CaseCard {
        let own = |text: &str| vec![text.to_owned()];
        CaseCard {
            id: CaseId::new(id).unwrap(),
            title: id.into(),
            tags: own(tag),
            suites: own(suite),
            touches: vec![format!("app/{suite}/**")],
            params: vec![],
        }
    }

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn cases_are_selected_once_and_what_selects_none_is_named() {
        let cards = [card("A-1", "smoke", "pay"), card("A-2", "smoke", "ride"), card("A-3", "slow", "ride")];
        let check = |spec: BatchSpec, expected: Result<&[&str], &str>| {
            let found = select(&spec, &cards);
            let ids = found.as_ref().map(|ids| ids.iter().map(CaseId::as_str).collect::<Vec<_>>());
            match expected {
                Ok(expected) => assert_eq!(ids.unwrap(), expected, "{spec:?}"),
                Err(pointer) => assert_eq!(ids.unwrap_err().pointer, pointer, "{spec:?}"),
            }
        };
        let spec = BatchSpec::default;
        let a1 = CaseId::new("A-1").unwrap();
        check(BatchSpec { cases: vec![a1.clone()], tags: words(&["smoke"]), ..spec() }, Ok(&["A-1", "A-2"]));
        check(BatchSpec { suites: words(&["ride"]), ..spec() }, Ok(&["A-2", "A-3"]));
        check(BatchSpec { cases: vec![a1, CaseId::new("A-9").unwrap()], ..spec() }, Err("/cases/1"));
        check(BatchSpec { tags: words(&["smoke", "smok"]), ..spec() }, Err("/tags/1"));
        check(BatchSpec { suites: words(&["fly"]), ..spec() }, Err("/suites/0"));
        check(spec(), Err("/cases"));
    }

    #[test]
    fn what_takes_longest_goes_first_and_the_unknown_before_it() {
        let past = |case: &str, ms| PastTime { case_id: case.into(), ms };
        let times = [past("A", 10), past("B", 900), past("A", 30), past("A", 20)];
        let cases = ["A", "B", "C"].map(|id| CaseId::new(id).unwrap()).to_vec();
        let spec = BatchSpec { profiles: words(&["p", "q"]), locales: words(&["de-DE"]), ..BatchSpec::default() };
        let cells_of = |spec: &BatchSpec, touched: &BTreeSet<CaseId>| cells(spec, cases.clone(), &times, touched);
        let cells = cells_of(&spec, &BTreeSet::new());
        let told: Vec<String> =
            cells.iter().map(|cell| format!("{} {}", cell.case_id, cell.profile.as_deref().unwrap())).collect();
        assert_eq!(told, ["C p", "C q", "B p", "B q", "A p", "A q"]);
        assert_eq!(typical(&times), [("A", 20), ("B", 900)].into());
        // What a change touches goes before all else, and each place is a cell.
        let spec = BatchSpec { locations: words(&["48.85,2.35", "52.5,13.4"]), ..BatchSpec::default() };
        let cells = cells_of(&spec, &[CaseId::new("A").unwrap()].into());
        let told: Vec<String> =
            cells.iter().map(|cell| format!("{} {}", cell.case_id, cell.location.as_deref().unwrap())).collect();
        assert_eq!(told[..3], ["A 48.85,2.35", "A 52.5,13.4", "C 48.85,2.35"]);
    }

    #[test]
    fn a_case_is_touched_by_what_it_says() {
        let cards = [card("A-1", "smoke", "pay"), card("A-2", "smoke", "ride")];
        let check = |changed: &[&str], expected: &[&str]| {
            let found = touched(&BatchSpec { changed: words(changed), ..BatchSpec::default() }, &cards);
            assert_eq!(found.iter().map(CaseId::as_str).collect::<Vec<_>>(), expected, "{changed:?}");
        };
        check(&[], &[]);
        check(&["app/ride/Map.kt", "README.md"], &["A-2"]);
        check(&["app/pay/a", "app/ride/b"], &["A-1", "A-2"]);
    }
}
