//! What is read off pictures.

use super::*;

#[test]
fn a_text_read_off_pictures_may_be_misread_but_not_another() {
    let read = ["Note saved".to_owned(), "Tota1: 10.50".to_owned()];
    assert!(in_pictures("note  SAVED", &read, "of the screen").held);
    assert!(in_pictures("Total: 10.50", &read, "of the screen").held);
    assert!(!in_pictures("Total: 10.60", &read, "of the screen").held);
    assert!(!in_pictures("  ", &read, "of the screen").held);
}

#[test]
fn what_a_picture_says_is_not_repeated() {
    let outcome = in_pictures("saved", &["Saved with the code 4711".to_owned()], "after the last action");
    assert!(outcome.held && !outcome.evidence.contains("4711"), "{}", outcome.evidence);
}
