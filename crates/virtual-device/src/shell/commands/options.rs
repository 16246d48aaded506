//! Command lines of toybox programs: short options, some with a value, then operands.

use super::{Exit, Invocation};

/// A parsed command line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Options<'a> {
    flags: String,
    values: Vec<(char, &'a str)>,
    /// What is no option.
    pub(super) operands: Vec<&'a str>,
}

impl<'a> Options<'a> {
    /// Reads `words`; `known` lists the letters, a colon after one that takes a value. The error is toybox's line.
    pub(super) fn parse(name: &str, words: &[&'a str], known: &str) -> Result<Self, String> {
        let mut options = Self::default();
        let mut words = words.iter().copied();
        while let Some(word) = words.next() {
            if word == "--" {
                options.operands.extend(words);
                break;
            }
            let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
                options.operands.push(word);
                continue;
            };
            for (at, letter) in letters.char_indices() {
                let place = if letter == ':' { None } else { known.find(letter) };
                let Some(place) = place else {
                    let rest = &letters[at..];
                    return Err(format!("{name}: Unknown option '{rest}' (see \"{name} --help\")\n"));
                };
                if known[place + letter.len_utf8()..].starts_with(':') {
                    let joined = &letters[at + letter.len_utf8()..];
                    let value = if joined.is_empty() { words.next() } else { Some(joined) };
                    let value = value.ok_or_else(|| format!("{name}: Missing argument to -{letter}\n"))?;
                    options.values.push((letter, value));
                    break;
                }
                options.flags.push(letter);
            }
        }
        Ok(options)
    }

    /// As [`Self::parse`] for an invocation; says what is wrong on stderr.
    pub(super) fn of(invocation: &Invocation<'_>, words: &[&'a str], known: &str) -> Result<Self, Exit> {
        Self::parse(&invocation.args[0], words, known).map_err(|message| {
            invocation.err(message);
            Exit::FAILURE
        })
    }

    /// True when the option was given.
    pub(super) fn has(&self, flag: char) -> bool {
        self.flags.contains(flag)
    }

    /// The last value of an option.
    pub(super) fn value(&self, flag: char) -> Option<&'a str> {
        self.values.iter().rfind(|(letter, _)| *letter == flag).map(|(_, value)| *value)
    }

    /// All values of an option.
    pub(super) fn values(&self, flag: char) -> impl Iterator<Item = &'a str> {
        self.values.iter().filter(move |(letter, _)| *letter == flag).map(|(_, value)| *value)
    }

    /// The operands, `-` (stdin) when there are none.
    pub(super) fn files(&self) -> Vec<&'a str> {
        if self.operands.is_empty() { vec!["-"] } else { self.operands.clone() }
    }
}

/// The words without the first `--`: for programs whose operands may begin with a dash.
pub(super) fn without_end_mark<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mark = words.iter().position(|word| *word == "--");
    words.iter().enumerate().filter(|(at, _)| Some(*at) != mark).map(|(_, word)| *word).collect()
}

/// What toybox says to too few operands.
pub(super) fn needs(invocation: &Invocation<'_>, count: usize) -> Exit {
    let name = &invocation.args[0];
    let plural = if count == 1 { "" } else { "s" };
    invocation.err(format!("{name}: Needs {count} argument{plural} (see \"{name} --help\")\n"));
    Exit::FAILURE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_may_be_joined_and_letters_grouped() {
        let words = ["-rn", "-k2", "-t", ",", "file", "--", "-x"];
        let options = Options::parse("sort", &words, "rnk:t:").unwrap();
        assert!(options.has('r') && options.has('n') && !options.has('k'));
        assert_eq!((options.value('k'), options.value('t')), (Some("2"), Some(",")));
        assert_eq!(options.operands, ["file", "-x"]);
        assert_eq!(without_end_mark(&["--", "a", "--"]), ["a", "--"]);
        let unknown = Options::parse("sort", &["-rz"], "r").unwrap_err();
        assert_eq!(unknown, "sort: Unknown option 'z' (see \"sort --help\")\n");
        assert_eq!(Options::parse("sort", &["-k"], "k:").unwrap_err(), "sort: Missing argument to -k\n");
    }
}
