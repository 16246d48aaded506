//! A goal that lists what is to be gathered: "Put two pears and one apple into the basket, then pay". Each thing is an errand,
//! done like a written step with its number; what is left of the sentence is the goal.
//!
//! Who is to buy several things puts each of them into the cart and then checks out: "Buy two pears and one apple with the
//! saved card" is gathering, and "check out with the saved card" is what is left.

use super::cues::{GoalCues, among};
use crate::agent::step::Step;
use crate::case::Quantity;
use crate::domain::stem;

/// Most words a thing is named by.
const LONGEST: usize = 5;

/// A goal taken apart into errands.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Errands {
    /// One for each thing, in order.
    pub steps: Vec<Step>,
    /// What is to be done when all are done; `None` where nothing is.
    pub rest: Option<Step>,
}

/// A word of the goal by its place.
#[derive(Debug, Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    /// A comma follows.
    comma: bool,
}

/// The errands of a goal; `None` where it lists no counted things, or asks for something else than to gather them.
pub(super) fn errands(goal: &Step, cues: &GoalCues) -> Option<Errands> {
    let text = goal.instruction.as_str();
    let words = words_of(text);
    let lower = |at: usize| words.get(at).map(|word| word.text.to_lowercase());
    let is = |at: usize, list: &[String]| lower(at).is_some_and(|word| among(list, &word));
    let count = |at: usize| {
        let number = cues.number(lower(at)?);
        number.parse::<u32>().ok().filter(|count| (1..=99).contains(count))
    };
    let acquires = is(0, &cues.acquires);
    if !acquires && !is(0, &cues.gathers) {
        return None;
    }
    let verb = if acquires { cues.gather_with.as_str() } else { words.first()?.text };
    let mut things: Vec<(u32, String)> = Vec::new();
    let mut at = 1;
    while let Some(many) = count(at) {
        let first = at + 1;
        let ends = |at: usize| is(at, &cues.joints) || is(at, &cues.whither) || words.get(at).is_none();
        let mut last = first;
        while !ends(last) && count(last).is_none() && last < first + LONGEST {
            last += 1;
            if words.get(last - 1).is_some_and(|word| word.comma) {
                break;
            }
        }
        let (from, to) = (words.get(first).filter(|_| last > first)?, words.get(last - 1)?);
        things.push((many, text.get(from.start..to.end)?.to_owned()));
        at = last;
        while is(at, &cues.joints) && count(at + 1).is_some() {
            at += 1;
        }
    }
    if things.len() < 2 {
        return None;
    }
    // Where the things go to: "into the basket". What is bought goes into the cart; by what and whereto belongs to paying.
    let mut place = at;
    while !acquires && is(at, &cues.whither) && !is(at, &cues.with) && place < words.len() && !is(place, &cues.joints) {
        place += 1;
        if words.get(place - 1).is_some_and(|word| word.comma) || is(place, &cues.with) {
            break;
        }
    }
    let tail = match (words.get(at), place.checked_sub(1).and_then(|last| words.get(last))) {
        _ if acquires => format!(" {}", cues.gather_into),
        (Some(from), Some(to)) if place > at => format!(" {}", text.get(from.start..to.end)?),
        _ => String::new(),
    };
    while is(place, &cues.joints) {
        place += 1;
    }
    let left = words.get(place).and_then(|word| text.get(word.start..)).unwrap_or_default().trim();
    let rest = if acquires {
        Some(format!("{} {left}", cues.carry_out).trim_end().to_owned())
    } else {
        (!left.is_empty()).then(|| left.to_owned())
    };
    let step = |(many, thing): &(u32, String)| {
        let name = if *many > 1 { singular(thing) } else { thing.clone() };
        let said = format!("{verb} {name}{tail}");
        Step {
            index: goal.index,
            original: goal.original.clone(),
            instruction: said.clone(),
            sentence: said,
            named: vec![name],
            quantity: Some(Quantity::Add(*many)),
            hints: goal.hints.clone(),
            ..Step::default()
        }
    };
    let steps = things.iter().map(step).collect();
    let shown =
        |rest: &str, names: &[String]| names.iter().filter(|name| rest.contains(name.as_str())).cloned().collect();
    let rest = rest.map(|rest| Step {
        named: shown(&rest, &goal.named),
        quoted: shown(&rest, &goal.quoted),
        instruction: rest.clone(),
        sentence: rest,
        ..goal.clone()
    });
    Some(Errands { steps, rest })
}

/// The name of one of several.
fn singular(thing: &str) -> String {
    let (head, last) = thing.rsplit_once(' ').map_or(("", thing), |(head, last)| (head, last));
    let one = if last.ends_with('s') && last.len() > 3 { last.strip_suffix('s').unwrap_or(last) } else { last };
    // "berries" is no "berrie".
    let one = if one.ends_with("ie") { stem(&last.to_lowercase()) } else { one.to_owned() };
    if head.is_empty() { one } else { format!("{head} {one}") }
}

fn words_of(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut start = 0;
    for piece in text.split_inclusive(char::is_whitespace) {
        let word = piece.trim_end().trim_end_matches([',', '.', '!', ';']);
        if !word.is_empty() {
            let comma = piece.trim_end().ends_with([',', ';']);
            words.push(Word { text: word, start, end: start + word.len(), comma });
        }
        start += piece.len();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken_apart(text: &str) -> Option<(Vec<(String, Option<Quantity>)>, Option<String>)> {
        let goal = Step { instruction: text.to_owned(), ..Step::default() };
        let errands = errands(&goal, &GoalCues::bundled().unwrap())?;
        let steps = errands.steps.into_iter().map(|step| (step.instruction, step.quantity)).collect();
        Some((steps, errands.rest.map(|rest| rest.instruction)))
    }

    #[test]
    fn what_is_listed_is_gathered_one_by_one_and_the_rest_comes_after() {
        let (steps, rest) =
            taken_apart("Put three ripe pears and two plums into the basket and open the basket").unwrap();
        assert_eq!(
            steps,
            [
                ("Put ripe pear into the basket".to_owned(), Some(Quantity::Add(3))),
                ("Put plum into the basket".to_owned(), Some(Quantity::Add(2)))
            ]
        );
        assert_eq!(rest.as_deref(), Some("open the basket"));
    }

    #[test]
    fn things_may_be_parted_by_commas() {
        let (steps, rest) = taken_apart("Add one Oak Table, 2 Pine Chairs and one lamp to the basket").unwrap();
        assert_eq!(steps.len(), 3);
        assert_eq!(steps[1], ("Add Pine Chair to the basket".to_owned(), Some(Quantity::Add(2))));
        assert_eq!(rest, None);
    }

    #[test]
    fn other_goals_stay_whole() {
        for text in ["Set the timer to 5 minutes", "Write two notes and one task", "Put three pears into it"] {
            assert_eq!(taken_apart(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_bought_is_gathered_first_and_then_checked_out() {
        let (steps, rest) = taken_apart("Buy one pear and two plums with the saved card.").unwrap();
        assert_eq!(
            steps,
            [
                ("Add pear to the cart".to_owned(), Some(Quantity::Add(1))),
                ("Add plum to the cart".to_owned(), Some(Quantity::Add(2)))
            ]
        );
        assert_eq!(rest.as_deref(), Some("Check out and place the order with the saved card."));
        let (_, rest) = taken_apart("Order one pear and two plums").unwrap();
        assert_eq!(rest.as_deref(), Some("Check out and place the order"));
        assert_eq!(taken_apart("Buy one pear"), None, "one thing is carried out as it stands");
    }

    #[test]
    fn one_of_several_has_a_name() {
        assert_eq!(singular("ripe avocados"), "ripe avocado");
        assert_eq!(singular("bus"), "bus");
    }
}
