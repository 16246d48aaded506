//! How looks at a device's screen came about: which attempt delivered, what told that the screen was at rest, and how
//! long each took.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What told that a screen had come to rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rest {
    /// `uiautomator` itself, which waits for a second without events.
    #[default]
    Dump,
    /// Equal dumps in a row.
    Hierarchy,
    /// Two pictures in a row that look the same: before and after a dump that differed from the one before, or without
    /// any dump.
    Picture,
    /// Nothing: it was still changing when the time was over.
    Nothing,
}

impl fmt::Display for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dump => "dump",
            Self::Hierarchy => "hierarchy",
            Self::Picture => "picture",
            Self::Nothing => "nothing",
        })
    }
}

/// One attempt at a hierarchy dump.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DumpAttempt {
    /// `full` or `compressed`.
    pub mode: String,
    /// How it came from the device: by a `file` or the `terminal`.
    pub route: String,
    /// Why it gave no hierarchy; absent when it did.
    pub failure: Option<String>,
    /// Milliseconds it took.
    pub ms: f64,
}

/// One attempt at a picture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PictureAttempt {
    /// Why it gave no picture; absent when it did.
    pub failure: Option<String>,
    /// Milliseconds it took.
    pub ms: f64,
}

/// How the looks of a whole run came about.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Acquisition {
    /// The attempts at a dump by mode and route, in the order they were first tried.
    pub dumps: Vec<Rung>,
    /// The attempts at a picture.
    pub pictures: Tries,
    /// Looks that had the picture only.
    pub picture_only: u64,
    /// What told that the screen was at rest, look by look.
    pub at_rest: RestCounts,
}

/// Attempts at a dump in one way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rung {
    /// `full` or `compressed`.
    pub mode: String,
    /// `file` or `terminal`.
    pub route: String,
    /// How they went.
    #[serde(flatten)]
    pub tries: Tries,
}

/// How attempts went and how long they took.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Tries {
    /// Attempts that gave something.
    pub delivered: u64,
    /// Attempts that gave nothing.
    pub failed: u64,
    /// Milliseconds of all of them.
    pub ms: f64,
    /// Milliseconds of the longest.
    pub longest_ms: f64,
}

/// Looks by what told that the screen was at rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct RestCounts {
    /// [`Rest::Dump`].
    pub dump: u64,
    /// [`Rest::Hierarchy`].
    pub hierarchy: u64,
    /// [`Rest::Picture`].
    pub picture: u64,
    /// [`Rest::Nothing`].
    pub nothing: u64,
}

impl Tries {
    fn add(&mut self, failed: bool, ms: f64) {
        *(if failed { &mut self.failed } else { &mut self.delivered }) += 1;
        self.ms += ms;
        self.longest_ms = self.longest_ms.max(ms);
    }
}

impl Acquisition {
    /// Adds one look.
    pub fn add(&mut self, dumps: &[DumpAttempt], pictures: &[PictureAttempt], rest: Rest, picture_only: bool) {
        for dump in dumps {
            let known = self.dumps.iter().position(|rung| rung.mode == dump.mode && rung.route == dump.route);
            let at = known.unwrap_or_else(|| {
                let (mode, route) = (dump.mode.clone(), dump.route.clone());
                self.dumps.push(Rung { mode, route, tries: Tries::default() });
                self.dumps.len() - 1
            });
            if let Some(rung) = self.dumps.get_mut(at) {
                rung.tries.add(dump.failure.is_some(), dump.ms);
            }
        }
        for picture in pictures {
            self.pictures.add(picture.failure.is_some(), picture.ms);
        }
        self.picture_only += u64::from(picture_only);
        let counts = &mut self.at_rest;
        *(match rest {
            Rest::Dump => &mut counts.dump,
            Rest::Hierarchy => &mut counts.hierarchy,
            Rest::Picture => &mut counts.picture,
            Rest::Nothing => &mut counts.nothing,
        }) += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_are_summed_up_by_their_way_and_looks_by_what_told_of_rest() {
        let dump = |mode: &str, failure: Option<&str>, ms| DumpAttempt {
            mode: mode.to_owned(),
            route: "file".to_owned(),
            failure: failure.map(str::to_owned),
            ms,
        };
        let picture = PictureAttempt { failure: None, ms: 5.0 };
        let mut sum = Acquisition::default();
        let moving = [dump("full", Some("never idle"), 90.0), dump("compressed", None, 20.0)];
        sum.add(&moving, &[picture.clone(), picture], Rest::Picture, false);
        sum.add(&[dump("full", None, 10.0)], &[], Rest::Dump, false);
        sum.add(&[], &[PictureAttempt { failure: Some("refused".to_owned()), ms: 1.0 }], Rest::Nothing, true);
        let [full, compressed] = &sum.dumps[..] else { panic!("{:?}", sum.dumps) };
        assert_eq!((full.mode.as_str(), compressed.mode.as_str()), ("full", "compressed"));
        assert_eq!(full.tries, Tries { delivered: 1, failed: 1, ms: 100.0, longest_ms: 90.0 });
        assert_eq!(sum.pictures, Tries { delivered: 2, failed: 1, ms: 11.0, longest_ms: 5.0 });
        assert_eq!((sum.picture_only, sum.at_rest), (1, RestCounts { dump: 1, picture: 1, nothing: 1, hierarchy: 0 }));
    }
}
