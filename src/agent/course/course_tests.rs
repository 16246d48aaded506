//! What is decided for a step, on small made-up screens and maps.

use super::{Course, Outlook, Reading};
use crate::agent::inspection::Evidence;
use crate::agent::memory::StepMemory;
use crate::agent::operation::{Background, plan, unmet};
use crate::agent::parameters::Trust;
use crate::agent::step::Step;
use crate::app_map::AppMap;
use crate::domain::Action;
use crate::hierarchy::Screen;
use crate::inference::sample::WordEmbedder;
use crate::ranking::{Cues, Ranked, Scorer, Weights};
use crate::recorded::sample::screen;
use crate::skill::Library;

const HOME: &[&str] = &[
    "TextView Recipes",
    "Button Soups",
    "Button Salads",
    "Button Bread",
    "Button Drinks",
    "Button Sauces",
    "Button Pancakes",
    "Button New recipe",
    "Button Menu",
];
const MENU: &[&str] = &["Button Preferences", "Button About"];
const PREFERENCES: &[&str] = &["TextView Preferences", "Button Text size", "Button Units"];
const UNITS: &[&str] = &["Button Metric", "Button Imperial"];
const PANCAKES: &[&str] = &["TextView Flour, milk", "Button Share", "Button Print"];
const LISTS: &[&str] = &["TextView Lists", "Button Packing list", "Button Shopping list"];
const PACKING: &[&str] = &["CheckBox Socks", "CheckBox Passport"];
const SHOPPING: &[&str] = &["CheckBox Apples", "CheckBox Pears"];
const PORTIONS: &[&str] = &["TextView Portions", "Button Plus", "Button Minus"];

/// A map of ways: from a screen, by a label, to a screen.
fn map(ways: &[(&[&str], &str, &[&str])]) -> AppMap {
    let mut map = AppMap::default();
    for (from, label, to) in ways {
        let (from, to) = (map.place(&screen(from)), map.place(&screen(to)));
        let control = map.view(from).unwrap().controls.iter().find(|control| control.label == *label).unwrap();
        let bounds = control.bounds;
        map.connect(from, bounds, to);
    }
    map.embed(&WordEmbedder).unwrap();
    map
}

fn step(text: &str) -> Step {
    Step { index: 1, original: text.into(), instruction: text.into(), sentence: text.into(), ..Step::default() }
}

/// What was weighed: what is to be done on which label, or `done`, best first.
struct Weighed(Vec<(String, f32, f32)>);

impl Weighed {
    fn best(&self) -> &str {
        self.0.first().map_or("nothing", |(what, ..)| what)
    }

    /// What the best path is worth that begins like this.
    fn worth(&self, what: &str) -> f32 {
        self.0.iter().find(|(known, ..)| known == what).map_or(f32::NEG_INFINITY, |(_, worth, _)| *worth)
    }

    /// How well the best thing fits the step.
    fn score(&self) -> f32 {
        self.0.first().map_or(f32::NEG_INFINITY, |(.., score)| *score)
    }
}

fn with_background<T>(judge: impl FnOnce(&Background<'_>) -> T) -> T {
    let (weights, cues, skills) = (Weights::bundled().unwrap(), Cues::bundled().unwrap(), Library::bundled().unwrap());
    let scorer = Scorer { embedder: &WordEmbedder, weights: &weights, cues: &cues, skills: &skills };
    let package = "com.example.notes".into();
    judge(&Background { scorer: &scorer, parameters: &[], used: &[], package: &package })
}

fn look(background: &Background<'_>, course: &Course<'_>, step: &Step, on: &Screen, memory: &StepMemory) -> Outlook {
    let whole = plan(background, step, on, memory, Trust::Mention).unwrap();
    course.look(background, &whole, on, memory).unwrap()
}

fn touch(outlook: &Outlook, label: &str) -> Action {
    let meant = |ranked: &&Ranked| ranked.candidate.action.target().is_some_and(|target| target.label == label);
    let clicks = |ranked: &&Ranked| matches!(ranked.candidate.action, Action::Click { .. });
    outlook.moves.iter().filter(clicks).find(meant).map(|ranked| ranked.candidate.action.clone()).unwrap()
}

/// What is weighed on the last screen, after touches (by label) on the ones before; all but the first so many of them
/// did not count after all.
fn weighed_after(
    step: &Step,
    next: Option<&str>,
    map: &AppMap,
    past: &[(&[&str], &str)],
    standing: usize,
    now: &[&str],
) -> Weighed {
    let (reading, next) = (Reading::bundled().unwrap(), next.map(self::step));
    let first = screen(past.first().map_or(now, |(rows, _)| rows));
    with_background(|background| {
        let mut course = Course::new(background, map, &reading, step, next.as_ref(), &first).unwrap();
        let mut memory = StepMemory::default();
        for (number, (rows, label)) in past.iter().enumerate() {
            let on = screen(rows);
            let outlook = look(background, &course, step, &on, &memory);
            let action = touch(&outlook, label);
            if number < standing {
                memory.note(on.fingerprint, action.clone());
            }
            course.note(&outlook, &on, &action, false);
        }
        course.forget_beyond(memory.deeds());
        let now = screen(now);
        let evidence = Evidence {
            looked: memory.only_looked(),
            unmet: unmet(step, &[], &now, &memory).is_some(),
            ..Evidence::default()
        };
        let outlook = look(background, &course, step, &now, &memory);
        let weighed = course.weigh(&outlook, &now, evidence.against_done(&reading.costs));
        let told = |(choice, worth): (Option<Ranked>, f32)| {
            let label = |choice: &Ranked| match choice.candidate.action.target() {
                Some(target) => target.label.clone(),
                None => choice.candidate.action.to_string(),
            };
            (choice.as_ref().map_or("done".into(), label), worth, choice.map_or(0.0, |choice| choice.score))
        };
        Weighed(weighed.into_iter().map(told).collect())
    })
}

fn weighed(text: &str, next: Option<&str>, map: &AppMap, past: &[(&[&str], &str)], now: &[&str]) -> Weighed {
    weighed_after(&step(text), next, map, past, past.len(), now)
}

#[test]
fn a_step_begins_with_what_it_names_and_is_done_where_the_next_one_finds_its_target() {
    let map = AppMap::default();
    let next = Some("Open the preferences");
    assert_eq!(weighed("Open the menu", next, &map, &[], HOME).best(), "Menu");
    assert_eq!(weighed("Open the menu", next, &map, &[(HOME, "Menu")], MENU).best(), "done");
}

#[test]
fn the_last_step_is_done_when_nothing_is_left_of_it() {
    let map = AppMap::default();
    assert_eq!(weighed("Open the pancakes", None, &map, &[(HOME, "Pancakes")], PANCAKES).best(), "done");
}

#[test]
fn a_step_is_not_done_while_a_part_of_it_is_open() {
    let map = AppMap::default();
    let (text, next) = ("Open the menu and tap preferences", Some("Tap units"));
    let past: &[(&[&str], &str)] = &[(HOME, "Menu"), (MENU, "Preferences")];
    assert_eq!(weighed(text, next, &map, &[], HOME).best(), "Menu");
    assert_eq!(weighed(text, next, &map, &past[..1], MENU).best(), "Preferences");
    assert_eq!(weighed(text, next, &map, past, PREFERENCES).best(), "done");
}

#[test]
fn what_something_is_changed_to_is_chosen_before_the_step_is_done() {
    let map = AppMap::default();
    let text = "Change the units to imperial";
    let past: &[(&[&str], &str)] = &[(PREFERENCES, "Units"), (UNITS, "Imperial")];
    assert_eq!(weighed(text, None, &map, &[], PREFERENCES).best(), "Units");
    assert_eq!(weighed(text, None, &map, &past[..1], UNITS).best(), "Imperial");
    assert_eq!(weighed(text, None, &map, past, PREFERENCES).best(), "done");
}

#[test]
fn what_is_to_be_done_twice_is_done_twice_and_no_more() {
    let map = AppMap::default();
    let past: &[(&[&str], &str)] = &[(PORTIONS, "Plus"), (PORTIONS, "Plus")];
    for (text, touches) in [("Tap plus", 1), ("Tap plus twice", 2)] {
        for done in 0..touches {
            assert_eq!(weighed(text, None, &map, &past[..done], PORTIONS).best(), "Plus", "{text}, {done} done");
        }
        assert_eq!(weighed(text, None, &map, &past[..touches], PORTIONS).best(), "done", "{text}");
    }
}

#[test]
fn a_way_that_the_map_knows_is_taken_to_what_is_not_in_sight() {
    let (text, known) = ("Open the preferences", map(&[(HOME, "Menu", MENU)]));
    assert_eq!(weighed(text, None, &known, &[], HOME).best(), "Menu");
    assert_ne!(weighed(text, None, &AppMap::default(), &[], HOME).best(), "Menu");
}

#[test]
fn of_two_that_fit_alike_the_one_behind_which_the_next_step_goes_on_is_meant() {
    let map = map(&[(LISTS, "Packing list", PACKING), (LISTS, "Shopping list", SHOPPING)]);
    for (next, meant) in [("Tick apples", "Shopping list"), ("Tick socks", "Packing list")] {
        assert_eq!(weighed("Open the list", Some(next), &map, &[], LISTS).best(), meant, "{next}");
    }
}

#[test]
fn nothing_is_done_before_something_was_done() {
    for (text, next) in [("Open the pancakes", Some("Open the menu")), ("Water the garden", Some("Tap menu"))] {
        assert!(weighed(text, next, &AppMap::default(), &[], HOME).worth("done") == f32::NEG_INFINITY, "{text}");
    }
}

#[test]
fn where_nothing_fits_nothing_is_good_enough_to_be_tried() {
    let least = Weights::bundled().unwrap().nothing_fits;
    assert!(weighed("Water the garden", None, &AppMap::default(), &[], HOME).score() < least);
    assert!(weighed("Open the pancakes", None, &AppMap::default(), &[], HOME).score() >= least);
}

#[test]
fn a_step_whose_deeds_belong_to_nothing_it_says_is_given_up() {
    let despair = Reading::bundled().unwrap().costs.despair;
    let map = AppMap::default();
    let past: &[(&[&str], &str)] = &[(HOME, "Pancakes"), (PANCAKES, "Share"), (PANCAKES, "Print")];
    assert!(weighed("Water the garden", None, &map, past, PANCAKES).worth("done") < -despair);
    assert!(
        weighed("Open the pancakes, share them and print them", None, &map, past, PANCAKES).worth("done") > -despair
    );
}

#[test]
fn a_name_that_was_not_met_speaks_against_the_end() {
    let map = AppMap::default();
    let named = |name: &str| Step { named: vec![name.into()], ..step("Open the recipe") };
    let end = |name: &str| weighed_after(&named(name), None, &map, &[(HOME, "Pancakes")], 1, PANCAKES).worth("done");
    let (met, unmet) = (end("Pancakes"), end("Waffles"));
    assert!(met > unmet + 1.0, "{met} {unmet}");
}

#[test]
fn what_did_not_count_after_all_is_forgotten() {
    let (map, next) = (AppMap::default(), Some("Open the preferences"));
    let past: &[(&[&str], &str)] = &[(HOME, "Menu")];
    let swallowed = weighed_after(&step("Open the menu"), next, &map, past, 0, HOME);
    let fresh = weighed("Open the menu", next, &map, &[], HOME);
    assert_eq!(swallowed.0, fresh.0);
    assert_eq!(swallowed.best(), "Menu");
}

#[test]
fn an_arrow_back_counts_less_unless_the_step_asks_for_it() {
    let costs = Reading::bundled().unwrap().costs;
    let rows: &[&str] = &["Button Back", "Button Share"];
    let (map, reading, on) = (AppMap::default(), Reading::bundled().unwrap(), screen(rows));
    for (text, less) in [("Share the recipe", costs.arrow), ("Go back", 0.0)] {
        let step = step(text);
        let (scored, plain) = with_background(|background| {
            let course = Course::new(background, &map, &reading, &step, None, &on).unwrap();
            let outlook = look(background, &course, &step, &on, &StepMemory::default());
            let back = touch(&outlook, "Back");
            let at = outlook.moves.iter().position(|ranked| ranked.candidate.action == back).unwrap();
            (outlook.scores[0][at].unwrap(), outlook.moves[at].score)
        });
        assert!((plain - scored - less).abs() < 1e-5, "{text}: {plain} {scored}");
    }
}
