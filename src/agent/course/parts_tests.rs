//! How steps are taken apart.

use super::*;
use crate::domain::InputText;
use crate::recorded::sample::screen;
use PartKind::{Choice, Deed, Means};

fn step(text: &str) -> Step {
    Step { index: 1, original: text.into(), instruction: text.into(), sentence: text.into(), ..Step::default() }
}

fn taken(step: &Step, parameters: &[Parameter], rows: &[&str]) -> Vec<Part> {
    parts(step, parameters, &screen(rows), &Reading::bundled().unwrap())
}

fn kinds(text: &str) -> Vec<(PartKind, String)> {
    taken(&step(text), &[], &[]).into_iter().map(|part| (part.kind, part.step.instruction)).collect()
}

fn deeds(text: &str) -> Vec<String> {
    let parts = kinds(text);
    assert!(parts.iter().all(|(kind, _)| *kind == Deed), "{parts:?}");
    parts.into_iter().map(|(_, text)| text).collect()
}

fn plain(name: &str, value: &str) -> Parameter {
    Parameter { name: name.into(), value: InputText::Plain(value.into()) }
}

#[test]
fn a_step_that_says_one_thing_is_its_only_part() {
    let step = Step { context: String::new(), mentions: vec!["title".into()], ..step("Open the recipe.") };
    let parts = taken(&step, &[], &[]);
    assert_eq!(parts.len(), 1);
    assert_eq!((&parts[0].step, parts[0].kind, parts[0].repeated), (&step, Deed, false));
}

#[test]
fn what_is_done_one_after_another_is_several_parts_in_many_languages() {
    for (text, meant) in [
        ("Open the menu and tap About.", ["Open the menu", "tap About"]),
        ("Open the menu, then tap About", ["Open the menu", "tap About"]),
        ("Open the menu. Tap About!", ["Open the menu", "Tap About"]),
        ("Abre la lista y luego toca Guardar", ["Abre la lista", "toca Guardar"]),
        ("Ouvre la liste et puis touche Enregistrer", ["Ouvre la liste", "touche Enregistrer"]),
        ("Öffne die Liste und dann tippe auf Speichern", ["Öffne die Liste", "tippe auf Speichern"]),
        ("Открой список и затем нажми Сохранить", ["Открой список", "нажми Сохранить"]),
        ("打开列表，然后点击保存", ["打开列表", "点击保存"]),
        ("打开列表然后点击保存。", ["打开列表", "点击保存"]),
        ("一覧を開く。それから保存を押す", ["一覧を開く", "保存を押す"]),
        ("로그인하고 저장을 누른다", ["로그인", "저장을 누른다"]),
    ] {
        assert_eq!(deeds(text), meant, "{text}");
    }
}

#[test]
fn what_only_speaks_of_what_was_said_before_is_no_part() {
    assert_eq!(deeds("Find the recipe, open it, and this"), ["Find the recipe", "open it"]);
}

#[test]
fn what_is_found_and_opened_is_done_with_one_touch() {
    let echoes = |text: &str| taken(&step(text), &[], &[]).iter().map(|part| part.echoes).collect::<Vec<_>>();
    assert_eq!(echoes("Find the recipe in the list and open it"), [false, true]);
    assert_eq!(echoes("Rename the recipe and open it"), [false, false]);
    assert_eq!(echoes("Find the recipe and open the menu"), [false, false]);
}

#[test]
fn how_and_where_something_is_done_comes_first_though_it_is_said_last() {
    for (text, means, deed) in [
        ("Open the help page through the main menu", "the main menu", "Open the help page"),
        ("Open the help page in the menu", "the menu", "Open the help page"),
        ("Use the search to find pancakes", "the search", "find pancakes"),
        ("In the kitchen, switch on the light", "In the kitchen", "switch on the light"),
        ("Abre la ayuda mediante la lista", "la lista", "Abre la ayuda"),
        ("Öffne die Hilfe im Menü", "Menü", "Öffne die Hilfe"),
        ("Открой справку через список", "список", "Открой справку"),
    ] {
        assert_eq!(kinds(text), [(Means, means.to_owned()), (Deed, deed.to_owned())], "{text}");
    }
}

#[test]
fn the_page_that_the_case_names_beside_the_step_comes_first() {
    let step = Step { context: "Kitchen page".into(), ..step("Switch on the light") };
    let parts = taken(&step, &[], &[]);
    let kinds: Vec<_> = parts.iter().map(|part| (part.kind, part.step.instruction.as_str())).collect();
    assert_eq!(kinds, [(Means, "Kitchen page"), (Deed, "Switch on the light")]);
}

#[test]
fn what_something_is_changed_to_is_chosen_behind_it() {
    for (text, deed, choice) in [
        ("Change the language to French", "Change the language", "to French"),
        ("Set the volume to loud", "Set the volume", "to loud"),
        ("Ändere die Sprache auf Deutsch", "Ändere die Sprache", "auf Deutsch"),
    ] {
        assert_eq!(kinds(text), [(Deed, deed.to_owned()), (Choice, choice.to_owned())], "{text}");
    }
    assert_eq!(kinds("Go to the list").len(), 1);
}

#[test]
fn what_is_said_twice_is_done_twice() {
    for (text, times) in [
        ("Tap plus twice", 2),
        ("Tap plus three times", 3),
        ("Pulsa más dos veces", 2),
        ("Tippe zweimal auf Plus", 2),
        ("Нажми плюс трижды", 3),
    ] {
        let parts = taken(&step(text), &[], &[]);
        assert_eq!(parts.len(), times, "{text}");
        assert!(parts.iter().all(|part| part.repeated && part.step.instruction == text), "{text}");
    }
    assert!(taken(&step("Tap plus and tap minus"), &[], &[]).iter().all(|part| !part.repeated));
}

#[test]
fn what_is_not_to_be_touched_is_left_out() {
    assert_eq!(deeds("Open the menu and tap Save rather than Discard"), ["Open the menu", "tap Save"]);
    assert_eq!(deeds("Abre la lista y toca Guardar en lugar de Salir"), ["Abre la lista", "toca Guardar"]);
}

#[test]
fn labels_on_the_screen_and_quotations_are_not_taken_apart() {
    let step = Step { quoted: vec!["salt and pepper".into()], ..step("Open Terms and conditions") };
    assert_eq!(taken(&step, &[], &["Button Terms and conditions"]).len(), 1);
    assert_eq!(taken(&step, &[], &["Button About"]).len(), 2);
    let write = Step { instruction: "Write 'salt and pepper' and save".into(), ..step };
    let parts = taken(&write, &[], &[]);
    let texts: Vec<_> = parts.iter().map(|part| part.step.instruction.as_str()).collect();
    assert_eq!(texts, ["Write 'salt and pepper'", "save"]);
    assert_eq!(parts[0].step.quoted, ["salt and pepper"]);
    assert!(parts[1].step.quoted.is_empty());
}

#[test]
fn every_part_has_its_own_parameters_and_all_share_what_no_part_speaks_of() {
    let parameters = [plain("title", "Waffles"), plain("colour", "red"), plain("note_id", "17")];
    let mentions = ["title", "colour", "note_id"].map(String::from).to_vec();
    let reserved = vec!["later".to_owned()];
    let step = Step { mentions, reserved, ..step("Enter the title and then choose red") };
    let parts = taken(&step, &parameters, &[]);
    let given: Vec<_> = parts.iter().map(|part| part.step.mentions.clone()).collect();
    assert_eq!(given, [["title", "note_id"], ["colour", "note_id"]]);
    let kept: Vec<_> = parts.iter().map(|part| part.step.reserved.clone()).collect();
    assert_eq!(kept, [["later", "colour"], ["later", "title"]]);
}

#[test]
fn odd_texts_are_taken_apart_without_harm() {
    for text in ["", ".", "and", ", , ;", "😀 and 😀", "then then then", "\u{202e}and\u{0}", "。。，"] {
        assert!(!kinds(text).is_empty(), "{text:?}");
    }
}

#[test]
fn what_something_is_like_is_not_done() {
    let means = |text: &str| kinds(text).into_iter().map(|(kind, _)| kind).collect::<Vec<_>>();
    assert_eq!(means("Open the longer one, lasting ten minutes"), [Deed, Means]);
    assert_eq!(means("Open the longer one, stir it"), [Deed, Deed]);
}
