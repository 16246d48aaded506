//! What two versions of a script do differently.

use super::format::Script;
use similar::{Algorithm, ChangeTag, capture_diff_slices};

/// A line of the comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffLine {
    /// Whose it is.
    pub side: Side,
    /// The line of the outline.
    pub text: String,
}

/// Which version has a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Both.
    Both,
    /// The earlier one only.
    Earlier,
    /// The later one only.
    Later,
}

impl Side {
    /// As differences are marked.
    pub const fn mark(self) -> char {
        match self {
            Self::Both => ' ',
            Self::Earlier => '-',
            Self::Later => '+',
        }
    }
}

/// What is the same around a difference is shown this far.
const CONTEXT: usize = 2;

/// The lines that differ with a few around them; empty where both do the same by the same names.
pub fn diff(earlier: &Script, later: &Script) -> Vec<DiffLine> {
    let (old, new) = (earlier.outline(), later.outline());
    let mut lines = Vec::new();
    for operation in capture_diff_slices(Algorithm::Patience, &old, &new) {
        lines.extend(operation.iter_changes(&old, &new).map(|change| DiffLine {
            side: match change.tag() {
                ChangeTag::Equal => Side::Both,
                ChangeTag::Delete => Side::Earlier,
                ChangeTag::Insert => Side::Later,
            },
            text: change.value(),
        }));
    }
    let differs: Vec<usize> =
        lines.iter().enumerate().filter(|(_, line)| line.side != Side::Both).map(|(at, _)| at).collect();
    let near = |at: usize| differs.iter().any(|differs| differs.abs_diff(at) <= CONTEXT);
    // The sentence a difference belongs to says what it is for.
    let heads = |at: usize, line: &DiffLine| {
        let next = lines.iter().skip(at + 1).position(|line| line.text.starts_with("step ")).map(|more| at + 1 + more);
        let end = next.unwrap_or(lines.len());
        line.text.starts_with("step ") && differs.iter().any(|differs| (at..end).contains(differs))
    };
    let kept = lines.iter().enumerate().filter(|(at, line)| near(*at) || heads(*at, line));
    kept.map(|(_, line)| line.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Expectation;
    use std::path::Path;

    fn script() -> Script {
        let text = include_str!("../../scripts/PAY-0002/virtual-phone.toml");
        Script::parse(Path::new("s.toml"), text).unwrap()
    }

    fn differences(change: impl FnOnce(&mut Script)) -> Vec<String> {
        let mut later = script();
        change(&mut later);
        let lines = diff(&script(), &later);
        lines
            .iter()
            .filter(|line| line.side != Side::Both)
            .map(|line| format!("{}{}", line.side.mark(), line.text))
            .collect()
    }

    #[test]
    fn what_is_done_otherwise_is_shown_and_what_only_moved_is_not() {
        assert!(differences(|_| {}).is_empty());
        let moved = |script: &mut Script| {
            for action in &mut script.actions {
                action.adb.clear();
                if let Some(target) = &mut action.target {
                    target.tap.x += 40;
                    target.selector.chain.truncate(target.selector.chain.len() - 1);
                }
            }
        };
        assert!(differences(moved).is_empty(), "places are no difference");
        let renamed = differences(|script| script.actions[0].target.as_mut().unwrap().label = "Send money".into());
        assert_eq!(renamed, ["-  click \"Transfer\"", "+  click \"Send money\""]);
        let shorter = differences(|script| drop(script.actions.remove(0)));
        assert!(shorter.iter().all(|line| line.starts_with('-')), "{shorter:?}");
        let expects = differences(|script| script.expectations = vec![Expectation::Visible("Sent".into())]);
        assert!(expects.contains(&"+expect visible: Sent".to_owned()), "{expects:?}");
    }

    #[test]
    fn the_sentence_of_a_step_stands_over_its_differences() {
        let mut later = script();
        later.actions.last_mut().unwrap().skill = "press_back".into();
        let lines = diff(&script(), &later);
        let step = later.actions.last().unwrap();
        let head = format!("step {}: {}", step.step, step.instruction);
        assert!(lines.iter().any(|line| line.text == head), "{lines:?}");
        assert!(lines.len() < later.outline().len(), "what is the same is left out");
    }
}
