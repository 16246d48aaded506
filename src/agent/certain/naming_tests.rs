//! Quoted names and windows that a named control opens, on made-up screens.

use super::*;
use crate::agent::Step;
use crate::agent::sample::{Head, button, screen, step, widget};
use crate::domain::{Action, Direction};
use crate::form::sample::perceived;
use crate::hierarchy::Screen;

/// How toolkits tell a list of rows: what holds them, what stands before a row's name, and what behind it.
const TOOLKITS: [(&str, &str, &str, &str); 5] = [
    ("list view", "android.widget.ListView", r#"<node class="android.widget.TextView" clickable="true" text=""#, ""),
    (
        "recycler view",
        "androidx.recyclerview.widget.RecyclerView",
        r#"<node class="android.view.ViewGroup" clickable="true" {}><node class="android.widget.TextView" text=""#,
        "</node>",
    ),
    (
        "Compose",
        "android.view.View",
        r#"<node class="android.view.View" clickable="true" {}><node class="android.widget.TextView" text=""#,
        "</node>",
    ),
    ("Flutter", "android.view.View", r#"<node class="android.view.View" clickable="true" content-desc=""#, ""),
    ("web", "android.webkit.WebView", r#"<node class="android.view.View" clickable="true" text=""#, ""),
];

/// A list of rows with these names, told by a toolkit; `more` says that it can be scrolled.
fn list((_, class, before, behind): (&str, &str, &str, &str), names: &[&str], more: bool) -> Screen {
    let shared = r#"package="app" enabled="true""#;
    let row = |(at, name): (usize, &&str)| {
        let place = format!(r#"{shared} bounds="[0,{}][1080,{}]""#, 300 + 200 * at, 500 + 200 * at);
        format!(r#"{}{name}" {place} />{behind}"#, before.replace("{}", &place))
    };
    let rows: String = names.iter().enumerate().map(row).collect();
    perceived(&format!(
        r#"<hierarchy rotation="0"><node class="android.widget.FrameLayout" {shared} bounds="[0,0][1080,2400]"><node class="{class}" {shared} scrollable="{more}" bounds="[0,300][1080,2300]">{rows}</node></node></hierarchy>"#
    ))
}

/// What is certain, in words.
fn sure(asked: &Step, next: Option<&Step>, page: &Screen, memory: &mut StepMemory) -> String {
    let head = Head::new(&[], "");
    match head.agent().certain(asked, next, page, memory) {
        Some(Certain::Do(choice)) => choice.candidate.action.to_string(),
        Some(Certain::Done(_)) => "done".into(),
        _ => "open".into(),
    }
}

fn quoting(instruction: &str, name: &str) -> Step {
    Step { quoted: vec![name.to_owned()], ..step(instruction, &[name]) }
}

#[test]
fn what_is_called_as_quoted_is_looked_for_in_lists_of_every_toolkit_and_language() {
    let languages = [
        ("Open \"Harbours\"", "Harbours", "Quiet Harbours", "Harbours by name"),
        ("Öffne „Listen“", "Listen", "Geteilte Listen", "Listen und Pläne"),
        ("Ouvre « Dessins »", "Dessins", "Vieux Dessins", "Dessins de bateaux"),
        ("打开“列表”", "列表", "可展开列表", "列表设置"),
        ("افتح \"القوائم\"", "القوائم", "بعض القوائم", "القوائم القديمة"),
    ];
    for toolkit in TOOLKITS {
        for (instruction, name, longer, other) in languages {
            let asked = quoting(instruction, name);
            for held in [longer, other] {
                let told = format!("{} {name} {held}", toolkit.0);
                let first = sure(&asked, None, &list(toolkit, &["Aaa", held, "Bbb"], true), &mut StepMemory::default());
                assert_eq!(first, "scroll down", "{told}");
                let there = sure(&asked, None, &list(toolkit, &[held, name], true), &mut StepMemory::default());
                assert_eq!(there, format!("click {name:?}"), "{told}");
                let short = sure(&asked, None, &list(toolkit, &["Aaa", held], false), &mut StepMemory::default());
                assert_eq!(short, format!("click {held:?}"), "{told}: there is no more of it");
            }
        }
    }
}

#[test]
fn a_row_that_holds_the_quoted_name_is_touched_once_its_list_was_seen() {
    let asked = quoting("Open \"Harbours\"", "Harbours");
    let top = list(TOOLKITS[0], &["Coves", "Quiet Harbours"], true);
    let mut memory = StepMemory::default();
    for direction in [Direction::Down, Direction::Up] {
        let scroll = Action::Scroll { direction, area: top.scroll_areas[0] };
        memory.note(top.fingerprint, scroll.clone());
        memory.exclude(top.fingerprint, scroll);
    }
    assert_eq!(sure(&asked, None, &top, &mut memory), "click \"Quiet Harbours\"");
    let named = step("Open Harbours", &["Harbours"]);
    assert_eq!(sure(&named, None, &top, &mut StepMemory::default()), "click \"Quiet Harbours\"", "it is not quoted");
}

#[test]
fn numbers_and_idle_words_beside_a_quoted_name_are_no_other_words() {
    for label in ["2. Harbours", "Harbours (12)", "The Harbours", "Harbours, all of them", "HARBOURS"] {
        assert!(!only_holds(&button(label), "Harbours"), "{label}");
    }
    for (label, name) in [("Harbours of old", "Harbours"), ("Pier 2", "Pier 2 north"), ("10. Pier", "0. Pier")] {
        assert_eq!(only_holds(&button(label), name), label.starts_with('H'), "{label}");
    }
    let mut agreed = widget(Role::Checkbox, "I agree to the terms");
    assert!(only_holds(&agreed, "I agree"));
    agreed.state.checked = Some(false);
    assert!(!only_holds(&agreed, "I agree") && only_holds(&agreed, "the terms"));
}

/// A window of choices, one of them made.
fn choices(made: &str) -> Screen {
    let choice = |label: &str| {
        let mut choice = widget(Role::Radio, label);
        choice.state.checked = Some(label == made);
        choice
    };
    let widgets = vec![choice("Ferry"), choice("Barge"), button("Cancel"), button("OK")];
    Screen { kind: ScreenKind::Dialog, title: "Vessel".into(), ..screen(widgets) }
}

/// What was touched, and the title of the window that it was touched in.
fn touched(page: &Screen, label: &str, window: Option<&str>) -> StepMemory {
    let control = page.widgets.iter().find(|widget| widget.label == label).unwrap();
    let action = Action::Click { target: control.target() };
    let mut memory = StepMemory::default();
    memory.note(page.fingerprint, action.clone());
    memory.certain.push((action, window.map(str::to_owned)));
    memory
}

#[test]
fn a_window_that_the_steps_own_control_opened_is_left_to_the_steps_that_follow() {
    let page = screen(vec![button("Change the vessel"), button("Vessel: Barge")]);
    let asked = quoting("Tap \"Change the vessel\"", "Change the vessel");
    let mut memory = touched(&page, "Change the vessel", None);
    assert_eq!(sure(&asked, None, &choices("Barge"), &mut memory), "done", "nothing was chosen");
    let asked = quoting("Choose \"Barge\"", "Barge");
    let mut memory = touched(&choices("Ferry"), "Barge", Some("Vessel"));
    assert_eq!(sure(&asked, None, &choices("Barge"), &mut memory), "click \"OK\"", "it was chosen in the window");
    let mut memory = touched(&page, "Vessel: Barge", None);
    assert_eq!(sure(&asked, None, &choices("Barge"), &mut memory), "click \"OK\"", "it is chosen already");
}
