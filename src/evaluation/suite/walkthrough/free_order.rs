//! Which actions of a walkthrough may be done in any order: values that follow one another in a step.

use super::form::HandAction;
use std::ops::Range;

/// True for an action that gives a value: several that follow one another may be done in any order.
pub(super) fn fills(hand: &HandAction) -> bool {
    matches!(hand, HandAction::Type(_) | HandAction::Turn(_) | HandAction::HideKeyboard(())) || hand.typed().is_some()
}

/// The actions of the same step right before one that gives a value, which give values too: they may still be due after it.
pub(super) fn fills_before(actions: &[(usize, &HandAction)], at: usize) -> Range<usize> {
    let same = |one: &usize| {
        let ((step, hand), (of, _)) = (actions[*one], actions[at]);
        step == of && fills(hand)
    };
    let first = (0..=at).rev().take_while(same).last().unwrap_or(at);
    first..at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_were_passed_over_are_still_due_and_other_actions_are_not() {
        let text = "- type: {into: User, text: a}\n- type: {into: Mail, text: b}\n- hide_keyboard: \n- type: {into: Password, text: c}\n\
                    - tap: Sign in\n- type: {into: Search, text: d}\n";
        let hands: Vec<HandAction> = serde_saphyr::from_str(text).unwrap();
        let check = |steps: [usize; 6], at: usize, expected: Range<usize>| {
            let actions: Vec<(usize, &HandAction)> = steps.into_iter().zip(&hands).collect();
            assert_eq!(fills_before(&actions, at), expected, "{steps:?} {at}");
        };
        check([1; 6], 3, 0..3);
        check([1; 6], 0, 0..0);
        // A touch gives no value, and what comes before it was not needed.
        check([1; 6], 4, 4..4);
        check([1; 6], 5, 5..5);
        // What belongs to an earlier step is over.
        check([1, 2, 2, 2, 2, 2], 3, 1..3);
    }
}
