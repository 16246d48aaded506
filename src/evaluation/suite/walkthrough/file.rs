//! Walkthroughs as they lie in a suite's folder, and which of their actions belong to which step of the case.

use super::form::{HandAction, Walkthrough};
use crate::case::{Case, Preferences};
use crate::domain::words;
use crate::evaluation::suite::{Suite, SuiteError};
use std::path::PathBuf;

/// Which step of the case each action of a walkthrough belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribution {
    /// The step of each action, from 1.
    pub of: Vec<usize>,
    /// Steps of the case that the walkthrough gets to.
    pub steps: usize,
}

impl Walkthrough {
    /// Where the walkthrough of a case lies.
    pub fn path(suite: &Suite, case: &Case) -> PathBuf {
        suite.folder.join("walkthroughs").join(format!("{}.yaml", case.id))
    }

    /// How a person does a case.
    ///
    /// # Errors
    /// When there is no such file, it is malformed, or its step marks do not fit the case.
    pub fn load(suite: &Suite, case: &Case) -> Result<Self, SuiteError> {
        let path = Self::path(suite, case);
        let text = std::fs::read_to_string(&path).map_err(|error| SuiteError::unreadable(&path, &error))?;
        let read: Self = serde_saphyr::from_str(&text).map_err(|error| SuiteError::wrong(&path, error.to_string()))?;
        read.check(case.aim.instructions().len()).map_err(|reason| SuiteError::wrong(&path, reason))?;
        Ok(read)
    }

    /// What is to be done, without the marks.
    pub(super) fn actions(&self) -> impl Iterator<Item = &HandAction> {
        self.steps.iter().filter(|entry| !matches!(entry, HandAction::Step(_)))
    }

    /// Actions that answer a window as the case prefers, by their number from 0.
    pub(in crate::evaluation::suite) fn answers(&self, preferences: &Preferences) -> Vec<usize> {
        let preferred = || preferences.decline.iter().chain(&preferences.accept);
        let answers = |action: &HandAction| match action {
            HandAction::Tap(place) | HandAction::TapIfSeen(place) => {
                preferred().any(|text| words(text) == words(place.text()))
            }
            _ => false,
        };
        self.actions().enumerate().filter(|(_, action)| answers(action)).map(|(at, _)| at).collect()
    }

    /// The step of the case, from 1, that each action belongs to. `None` where that cannot be told: the case has several
    /// steps and the walkthrough no marks.
    pub fn attribution(&self, instructions: usize) -> Option<Attribution> {
        if instructions > 1 && !self.is_marked() {
            return None;
        }
        let mut current = 1;
        let mut steps = Vec::new();
        for entry in &self.steps {
            match entry {
                HandAction::Step(number) => current = *number,
                _ => steps.push(current),
            }
        }
        Some(Attribution { of: steps, steps: self.marks().last().unwrap_or(1) })
    }

    fn marks(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.steps.iter().filter_map(|action| match action {
            HandAction::Step(number) => Some(*number),
            _ => None,
        })
    }

    fn is_marked(&self) -> bool {
        self.marks().next().is_some()
    }

    /// Marks count 1, 2, 3 … without a gap, from the first entry on, and no further than the case.
    fn check(&self, instructions: usize) -> Result<(), String> {
        if !self.is_marked() {
            return Ok(());
        }
        if !matches!(self.steps.first(), Some(HandAction::Step(_))) {
            return Err("the first entry must be `step: 1`: every action belongs to a step of the case".to_owned());
        }
        for (at, mark) in self.marks().enumerate() {
            if mark != at + 1 {
                return Err(format!("expected `step: {}`, found `step: {mark}`", at + 1));
            }
            if mark > instructions {
                return Err(format!("`step: {mark}`: the case has {instructions}"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walkthrough(entries: &str) -> Walkthrough {
        serde_saphyr::from_str(&format!("steps:\n{entries}")).unwrap()
    }

    #[test]
    fn marks_say_which_step_an_action_belongs_to() {
        let check = |entries: &str, instructions: usize, expected: Option<(&[usize], usize)>| {
            let read = walkthrough(entries);
            assert_eq!(read.check(instructions), Ok(()), "{entries}");
            let expected = expected.map(|(of, steps)| Attribution { of: of.to_vec(), steps });
            assert_eq!(read.attribution(instructions), expected, "{entries}");
        };
        check("- tap: A\n- tap: B\n", 1, Some((&[1, 1], 1)));
        check("- tap: A\n- tap: B\n", 2, None);
        check("- step: 1\n- tap: A\n- step: 2\n- step: 3\n- tap: B\n", 3, Some((&[1, 3], 3)));
        check("- step: 1\n- tap: A\n- step: 2\n", 2, Some((&[1], 2)));
    }

    #[test]
    fn marks_that_do_not_fit_the_case_are_refused() {
        let check = |entries: &str, said: &str| {
            let error = walkthrough(entries).check(2).unwrap_err();
            assert!(error.contains(said), "{error}");
        };
        check("- tap: A\n- step: 1\n", "first entry");
        check("- step: 1\n- tap: A\n- step: 3\n", "expected `step: 2`");
        check("- step: 1\n- step: 2\n- step: 3\n", "the case has 2");
        check("- step: 2\n- tap: A\n", "expected `step: 1`");
    }
}
