//! Resource tables of every layout, and bytes that are none.

use super::super::arsc_sample::{Layout, sample, sample_in};
use super::*;
use proptest::prelude::*;

fn rows(bytes: &[u8]) -> Vec<String> {
    let table = read_resources(bytes).unwrap();
    table.rows().map(|(name, form, locale, text)| format!("{name} {form} {locale} {text}")).collect()
}

const TEXTS: &[(&str, &str, &str)] = &[
    ("skip", "", "Skip"),
    ("skip", "fr", "Ignorer"),
    ("skip", "zh-Hant-TW", "略過"),
    ("skip", "fil", "Laktawan"),
    ("skip", "es-MX", "Omitir 🚗"),
    ("done", "", "Done"),
    ("done", "iw", "סיום"),
];

#[test]
fn every_layout_reads_the_same() {
    let expected = [
        "done  default Done",
        "done  he סיום",
        "skip  default Skip",
        "skip  es-MX Omitir 🚗",
        "skip  fil Laktawan",
        "skip  fr Ignorer",
        "skip  zh-Hant-TW 略過",
    ];
    for layout in [Layout::Plain, Layout::Sparse, Layout::Short, Layout::Compact] {
        for utf8 in [true, false] {
            assert_eq!(rows(&sample_in(TEXTS, layout, utf8)), expected, "{layout:?}, UTF-8 {utf8}");
        }
    }
}

#[test]
fn only_texts_count_against_the_limit_and_what_is_missing_is_noted() {
    // One text in a place far behind empty ones.
    let empty = sample(&[("a", "", "A"), ("b", "fr", "B"), ("c", "de", "C")]);
    let whole = read_bounded(&empty, 3).unwrap();
    assert_eq!((whole.rows().count(), whole.is_cut()), (3, false));
    let cut = read_bounded(&empty, 2).unwrap();
    assert_eq!((cut.rows().count(), cut.is_cut()), (2, true));
}

#[test]
fn plurals_keep_their_quantities() {
    let bytes = sample(&[
        ("plural:rides:01000006", "", "%d ride"),
        ("plural:rides:01000004", "", "%d rides"),
        ("plural:rides:01000008", "pl", "%d przejazdy"),
    ]);
    assert_eq!(
        rows(&bytes),
        ["rides one default %d ride", "rides other default %d rides", "rides few pl %d przejazdy"]
    );
}

#[test]
fn items_that_are_left_out_are_noted() {
    let plural = |items: usize| sample(&vec![("plural:rides:01000004", "", "%d rides"); items]);
    assert!(!read_resources(&plural(MOST_ITEMS)).unwrap().is_cut());
    assert!(read_resources(&plural(MOST_ITEMS + 1)).unwrap().is_cut());
}

#[test]
fn a_text_that_is_too_long_is_noted_in_either_encoding() {
    let long = "x".repeat(5000);
    for utf8 in [true, false] {
        let table =
            read_resources(&sample_in(&[("skip", "", "Skip"), ("licence", "", &long)], Layout::Plain, utf8)).unwrap();
        assert_eq!((table.rows().count(), table.is_cut()), (1, true), "UTF-8 {utf8}");
        assert!(!read_resources(&sample_in(TEXTS, Layout::Plain, utf8)).unwrap().is_cut(), "UTF-8 {utf8}");
    }
}

#[test]
fn a_table_that_was_cut_off_gives_what_it_has() {
    let bytes = sample(TEXTS);
    for end in 0..bytes.len() {
        if let Ok(table) = read_resources(&bytes[..end]) {
            assert!(table.len() <= 2, "{end}");
        }
    }
    assert_eq!(rows(&bytes).len(), TEXTS.len());
}

proptest! {
    #[test]
    fn arbitrary_bytes_are_no_trouble(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let _ = read_resources(&bytes);
    }

    #[test]
    fn a_damaged_table_is_no_trouble(damage in proptest::collection::vec((any::<u16>(), any::<u8>()), 1..12), utf8 in any::<bool>()) {
        let mut bytes = sample_in(TEXTS, Layout::Plain, utf8);
        for (at, value) in damage {
            let at = usize::from(at) % bytes.len();
            bytes[at] = value;
        }
        if let Ok(table) = read_resources(&bytes) {
            prop_assert!(table.rows().count() <= 3 * bytes.len());
        }
    }
}
