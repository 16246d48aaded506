//! One of several machines that share the cases of a gate.

use std::fmt;
use std::str::FromStr;

/// The `k`-th of `n` machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    of: usize,
}

impl Shard {
    /// This machine's share. Which it is depends on the names only, so that all machines agree without talking.
    pub fn share<T>(self, mut items: Vec<T>, name: impl Fn(&T) -> String) -> Vec<T> {
        items.sort_by_cached_key(name);
        let mine = |at: &usize| at % self.of == self.number - 1;
        items.into_iter().enumerate().filter(|(at, _)| mine(at)).map(|(_, item)| item).collect()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (number, of) = text.split_once('/')?;
            Some((number.trim().parse::<usize>().ok()?, of.trim().parse::<usize>().ok()?))
        };
        match read() {
            Some((number, of)) if number >= 1 && number <= of => Ok(Self { number, of }),
            Some((number, of)) => {
                Err(format!("there is no shard {number} of {of}: give one of 1/{0} to {0}/{0}", of.max(1)))
            }
            None => Err("expected K/N, such as 1/4 for the first of four machines".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read_and_those_that_cannot_be_are_refused() {
        for text in ["1/1", "2/3", "3/3"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for (text, part) in [
            ("4/3", "1/3 to 3/3"),
            ("0/3", "1/3 to 3/3"),
            ("1/0", "no shard 1 of 0"),
            ("1", "K/N"),
            ("a/b", "K/N"),
            ("-1/2", "K/N"),
            ("", "K/N"),
        ] {
            let error = text.parse::<Shard>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn every_item_is_in_one_share_whatever_the_order() {
        let items = ["d", "a", "c", "e", "b"];
        for of in 1..=7 {
            let share = |number: usize, items: Vec<&'static str>| {
                format!("{number}/{of}").parse::<Shard>().unwrap().share(items, |item| (*item).to_owned())
            };
            let mut all: Vec<_> = (1..=of).flat_map(|number| share(number, items.to_vec())).collect();
            all.sort_unstable();
            assert_eq!(all, ["a", "b", "c", "d", "e"]);
            assert_eq!(share(1, items.to_vec()), share(1, items.iter().rev().copied().collect()));
        }
    }
}
