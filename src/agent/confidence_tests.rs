//! How sure a step that was declared done is.

use super::*;
use crate::domain::InputText;

const SURE: Signs = Signs {
    ground: Ground::Certain,
    least: 1.0,
    said: 1.0,
    unmet: false,
    led: false,
    dropped: false,
    answered: false,
    lead: 1.0,
    alike: false,
};

#[test]
fn what_is_named_and_touched_is_surer_than_what_was_only_led_on() {
    let value = |signs: Signs| signs.confidence().value;
    let weighed = Signs { ground: Ground::Weighed(-2.0), least: 0.4, said: 0.3, ..SURE };
    assert!(value(SURE) > value(weighed));
    assert!(value(weighed) > value(Signs { ground: Ground::Weighed(-5.0), ..weighed }));
    assert!(value(weighed) > value(Signs { led: true, ..weighed }));
    assert!(value(weighed) > value(Signs { unmet: true, ..weighed }));
    let likely = Signs { ground: Ground::Weighed(0.0), ..weighed };
    assert!(value(likely) > value(Signs { ground: Ground::Exhausted, ..weighed }));
    assert!(SURE.confidence().is_sure() && value(SURE) <= 1.0);
    let worst = Signs {
        ground: Ground::Exhausted,
        least: 0.0,
        said: 0.0,
        unmet: true,
        led: true,
        dropped: false,
        answered: false,
        lead: 0.0,
        alike: true,
    };
    assert!(!worst.confidence().is_sure() && value(worst) >= 0.0);
}

#[test]
fn the_doubt_says_what_speaks_most_against_it() {
    assert!(Signs { unmet: true, ..SURE }.confidence().doubt.contains("names was not met"));
    assert!(Signs { led: true, ..SURE }.confidence().doubt.contains("leads on"));
    let weighed = Signs { ground: Ground::Weighed(-1.0), least: 0.31, said: 0.25, ..SURE };
    assert_eq!(
        weighed.confidence().doubt,
        "what was done fits it by 0.31 at worst; 25 % of its words were touched or typed"
    );
}

#[test]
fn words_count_once_they_were_touched() {
    let step = Step { instruction: "Open the weekly report".into(), ..Step::default() };
    let mut memory = StepMemory::default();
    assert!(said(&step, &[], &memory) < 0.01);
    let value = InputText::Plain("report of the week".into());
    let parameter = Parameter { name: "what".into(), value };
    memory.given.push((parameter.name.clone(), None));
    let share = said(&step, &[parameter], &memory);
    assert!(share > 0.2 && share < 1.0, "{share}");
}

#[test]
fn what_was_only_weighed_is_not_sure_by_itself_and_a_guess_never_is() {
    let weighed =
        |worth| Signs { ground: Ground::Weighed(worth), least: 0.46, said: 0.2, lead: 0.1, ..SURE }.confidence();
    assert!(weighed(-2.25).is_likely() && !weighed(-2.25).is_sure());
    assert!(weighed(0.0).is_sure() && !weighed(-1.5).is_sure());
    let ahead = Signs { ground: Ground::Weighed(-1.5), least: 0.46, said: 0.2, lead: 0.3, ..SURE };
    assert!(ahead.confidence().is_sure(), "it was clearly ahead of everything else");
    let meant = Signs { ground: Ground::Weighed(-3.0), least: 0.7, said: 0.5, lead: 0.37, ..SURE };
    assert!(meant.confidence().is_sure(), "what was clearly meant was done, though what follows fits it badly");
    assert!(!Signs { lead: 0.1, ..meant }.confidence().is_sure());
    let guess = Signs { alike: true, ..SURE }.confidence();
    assert!(guess.is_guess() && guess.is_likely() && !guess.is_sure());
    assert!(guess.doubt.contains("several things of a kind"));
    assert!(Signs { answered: true, ..SURE }.confidence().is_guess(), "it may have been refused");
    let dropped = Signs { dropped: true, ..SURE }.confidence();
    assert!(!dropped.is_sure() && dropped.doubt.contains("nothing sent"));
    assert!(!Signs { ground: Ground::Exhausted, ..SURE }.confidence().is_sure());
    let left = Signs { ground: Ground::Exhausted, least: 0.35, said: 0.0, ..SURE };
    assert!(!left.confidence().is_sure(), "nothing of the step was ever met");
}
