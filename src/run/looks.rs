//! When what was looked for had been in sight: a message that was there for a moment is told with its times.

use crate::domain::ExpectationOutcome;
use crate::hierarchy::Screen;
use std::fmt;

/// The last stretch of time in which something was in sight. Times are milliseconds since the run began, each that of a look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InSight {
    /// The first look of the stretch.
    pub from_ms: f64,
    /// The first look after it; `None` where the last look still showed it.
    pub gone_ms: Option<f64>,
}

impl InSight {
    /// The last stretch among looks in the order of time, each with whether it showed what is asked for; `None` where none did.
    pub fn last(looks: impl IntoIterator<Item = (f64, bool)>) -> Option<Self> {
        let mut found: Option<Self> = None;
        for (at_ms, shows) in looks {
            match &mut found {
                Some(InSight { gone_ms: gone @ None, .. }) if !shows => *gone = Some(at_ms),
                Some(InSight { gone_ms: None, .. }) => {}
                _ if shows => found = Some(Self { from_ms: at_ms, gone_ms: None }),
                _ => {}
            }
        }
        found
    }
}

impl fmt::Display for InSight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seen at {:.1} s", self.from_ms / 1000.0)?;
        self.gone_ms.map_or(Ok(()), |gone| write!(f, ", gone at {:.1} s", gone / 1000.0))
    }
}

/// What each look of a run's attempt showed.
#[derive(Debug, Default)]
pub(super) struct Looks(Vec<(f64, Vec<String>)>);

impl Looks {
    /// Notes a look at so many milliseconds since the run began.
    pub(super) fn note(&mut self, at_ms: f64, screen: &Screen) {
        let texts: Vec<String> = screen.wordings().map(compared).collect();
        self.0.push((at_ms, texts));
    }

    /// Forgets them all: the case starts over.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The outcome with the times between which a text was in sight, where it was to be seen in the end and had gone before.
    pub(super) fn tell(&self, outcome: ExpectationOutcome) -> ExpectationOutcome {
        let wanted = outcome.expectation.strip_prefix("visible: ").filter(|_| !outcome.held).map(compared);
        let shows = |wanted: &str| {
            InSight::last(self.0.iter().map(|(at_ms, texts)| (*at_ms, texts.iter().any(|text| text.contains(wanted)))))
        };
        match wanted.as_deref().filter(|wanted| !wanted.is_empty()).and_then(shows) {
            Some(seen @ InSight { gone_ms: Some(_), .. }) => {
                ExpectationOutcome { evidence: format!("{seen}; {}", outcome.evidence), ..outcome }
            }
            _ => outcome,
        }
    }
}

/// A text without case and white space, as expectations compare it.
fn compared(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(looks: &[(f64, &str)], expectation: &str, held: bool) -> String {
        let looks = looks.iter().map(|(at_ms, text)| (*at_ms, vec![compared(text)])).collect();
        let outcome = ExpectationOutcome {
            expectation: expectation.to_owned(),
            held,
            evidence: "not on the screen".to_owned(),
            contradicted: false,
        };
        Looks(looks).tell(outcome).evidence
    }

    #[test]
    fn what_was_there_for_a_moment_is_told_with_its_times() {
        let looks =
            [(1000.0, "Form"), (3300.0, "Draft  saved"), (5000.0, "Draft saved"), (7300.0, "Form"), (9000.0, "Form")];
        assert_eq!(told(&looks, "visible: draft SAVED", false), "seen at 3.3 s, gone at 7.3 s; not on the screen");
        for (looks, expectation, held) in [
            (&looks[..], "visible: Sent", false),
            (&looks[..], "visible: Draft saved", true),
            (&looks[..], "absent: Draft saved", false),
            (&looks[..3], "visible: Draft saved", false),
            (&[], "visible: Draft saved", false),
        ] {
            assert_eq!(told(looks, expectation, held), "not on the screen", "{expectation}");
        }
    }

    #[test]
    fn of_several_stretches_the_last_one_counts() {
        let looks = [(1.0, true), (2.0, false), (3.0, true), (4.0, true), (5.0, false), (6.0, false)];
        assert_eq!(InSight::last(looks), Some(InSight { from_ms: 3.0, gone_ms: Some(5.0) }));
        assert_eq!(InSight::last(looks[..4].to_vec()).map(|seen| seen.to_string()).as_deref(), Some("seen at 0.0 s"));
        assert_eq!(InSight::last([(1.0, false)]), None);
    }
}
