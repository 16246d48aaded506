//! What a step that checks claims of the screen: "Check that Reminders is off" is the expectation `checked: Reminders is off`.
//!
//! The sayings are data (`claims.toml`). A step that no saying fits claims nothing that could be told from its words.

use super::mention::{blotted, quotations, quoted_text};
use super::parameters::references;
use super::{Parameters, UnknownReference};
use crate::domain::{BundledTable, Expectation, words};
use regex::Regex;
use serde::Deserialize;

/// Words a name has at most; more are a description.
const MOST_WORDS: usize = 8;
/// Words a value has at most that stands without quotation marks.
const MOST_VALUE: usize = 5;

/// One way to take a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// What must hold.
    pub wanted: Expectation,
    /// Its name stands in quotation marks: that is what the screen says. Else it is in the case's own words.
    pub literal: bool,
    /// It is said to be a button or the like.
    pub control: bool,
    /// It is a state in the case's own words: where the screen says so, it holds; where not, that proves nothing.
    pub weak: bool,
}

/// Something a step claims; of several ways to take it, the first one that the screen knows of counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The ways to take it, likeliest first; at least one.
    pub taken: Vec<Taken>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Visible,
    Absent,
    Checked,
    Enabled,
    Selected,
    Screen,
    Value,
    /// The value alone is to be seen.
    Shown,
    Empty,
    Count,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FormFile {
    claims: Vec<Kind>,
    #[serde(default = "yes")]
    is: bool,
    says: Vec<String>,
}

const fn yes() -> bool {
    true
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimFile {
    lead: Vec<String>,
    doubtful: Vec<String>,
    should: Vec<(String, String)>,
    articles: Vec<String>,
    things: Vec<String>,
    buttons: Vec<String>,
    refuses: Vec<String>,
    beyond: Vec<String>,
    relations: Vec<String>,
    denies: Vec<String>,
    joints: Vec<String>,
    numbers: Vec<String>,
    form: Vec<FormFile>,
}

/// One saying, ready to be matched.
struct Saying {
    pattern: Regex,
    /// Letters of its own, and slots.
    own: (usize, usize),
    claims: Vec<Kind>,
    is: bool,
}

/// Reads what steps claim.
#[derive(Default)]
pub(super) struct Claims {
    file: ClaimFile,
    sayings: Vec<Saying>,
}

/// What stands for a slot of a saying.
struct Slot {
    text: String,
    literal: bool,
    control: bool,
}

pub(super) static READER: BundledTable<Claims> =
    BundledTable::new("src/case/claims.toml", include_str!("claims.toml"), Claims::parse);

/// What a step claims; empty where it checks nothing, or nothing that a saying fits.
pub(super) fn claims(instruction: &str) -> Vec<Claim> {
    READER.get().read(instruction).unwrap_or_default()
}

/// The same for an instruction with its marks; those that only repeat in marks what `original` says in words count for
/// nothing, those of the original are the texts themselves.
pub fn claims_with(instruction: &str, original: &str, parameters: &Parameters) -> Result<Vec<Claim>, UnknownReference> {
    let given: Vec<&str> = references(original).into_iter().map(|reference| reference.name).collect();
    let quoted = quotations(instruction);
    let (mut text, mut end) = (String::new(), 0);
    for reference in references(instruction) {
        let before = &instruction[end..reference.start];
        text.push_str(before);
        end = reference.end;
        let mark = &instruction[reference.start..reference.end];
        let inside = quoted.iter().any(|range| range.contains(&reference.start));
        let parted = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || matches!(c, ',' | '.' | ';' | '!'));
        let alone = parted(before.chars().next_back()) && parted(instruction[end..].chars().next());
        if !given.contains(&reference.name) {
            text.truncate(text.trim_end().len());
        } else if inside || !alone {
            text.push_str(mark);
        } else {
            text.push_str(&format!("\"{mark}\""));
        }
    }
    text.push_str(&instruction[end..]);
    Ok(claims(&parameters.shown(&text)?))
}

/// A checking step claims more than that the texts in its quotation marks are there.
pub fn claims_more(instruction: &str) -> bool {
    let beside = blotted(instruction).to_lowercase();
    words(&beside).iter().any(|word| READER.get().file.beyond.contains(word))
}

impl Claims {
    fn parse(text: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let file: ClaimFile = toml::from_str(text)?;
        let mut sayings = Vec::new();
        for form in &file.form {
            for saying in &form.says {
                let (mut pattern, mut own) = (String::from("(?i)^"), (0, 0));
                for part in saying.split_inclusive('}') {
                    let (literal, slot) = part.split_once('{').unwrap_or((part, ""));
                    pattern.push_str(&regex::escape(literal));
                    own.0 += literal.chars().filter(|c| c.is_alphanumeric()).count();
                    own.1 += usize::from(!slot.is_empty());
                    pattern.push_str(match slot {
                        "" => "",
                        "n}" => r"(?P<n>[\w]+)",
                        "v}" => "(?P<v>.+)",
                        "x}" => "(?P<x>.+?)",
                        other => return Err(format!("{saying:?} has the slot {other:?}").into()),
                    });
                }
                pattern.push('$');
                let pattern = Regex::new(&pattern)?;
                sayings.push(Saying { pattern, own, claims: form.claims.clone(), is: form.is });
            }
        }
        Ok(Self { file, sayings })
    }

    fn read(&self, instruction: &str) -> Option<Vec<Claim>> {
        let text = instruction.trim().trim_end_matches(['.', '!', '。', '！']).trim_end();
        let doubtful = self.file.doubtful.iter().any(|lead| text.to_lowercase().starts_with(lead.as_str()));
        let told = self
            .after_lead(text)
            .or_else(|| self.file.should.iter().any(|(said, _)| within(text, said)).then_some(text))?;
        let mut told = told.to_owned();
        for (said, meant) in &self.file.should {
            if let Some(at) = blotted(&told).to_ascii_lowercase().find(said.as_str()) {
                told.replace_range(at..at + said.len(), meant);
            }
        }
        let literal = |claim: &Claim| claim.taken.iter().all(|taken| taken.literal && !taken.weak);
        self.read_told(&told).filter(|claims| !doubtful || claims.iter().all(literal))
    }

    /// What follows the words a checking step begins with.
    fn after_lead<'t>(&self, text: &'t str) -> Option<&'t str> {
        let begins = |lead: &&String| {
            let start = text.get(..lead.len());
            let rest = text.get(lead.len()..).unwrap_or_default();
            let apart =
                lead.chars().next_back().is_some_and(|c| !c.is_ascii()) || rest.starts_with(char::is_whitespace);
            apart && start.is_some_and(|start| start.to_lowercase() == **lead)
        };
        let lead = self.file.lead.iter().filter(begins).max_by_key(|lead| lead.len())?;
        text.get(lead.len()..).map(str::trim)
    }

    /// The whole as one claim, else its parts as one claim each.
    fn read_told(&self, told: &str) -> Option<Vec<Claim>> {
        let blots = blotted(told);
        for joint in &self.file.joints {
            let mut from = 0;
            while let Some(at) = blots[from..].find(joint.as_str()).map(|at| at + from) {
                let (one, other) = (&told[..at], &told[at + joint.len()..]);
                let other = other.strip_prefix("that ").unwrap_or(other);
                if let (Some(mut first), Some(rest)) = (self.read_one(one), self.read_told(other)) {
                    first.extend(rest);
                    return Some(first);
                }
                from = at + joint.len();
            }
        }
        self.read_one(told)
    }

    fn read_one(&self, told: &str) -> Option<Vec<Claim>> {
        let blots = blotted(told);
        let mut fitting: Vec<(&Saying, regex::Captures<'_>)> =
            self.sayings.iter().filter_map(|saying| Some((saying, saying.pattern.captures(&blots)?))).collect();
        fitting.sort_by_key(|(saying, _)| std::cmp::Reverse(saying.own));
        let part = |found: &regex::Captures<'_>, slot: &str| found.name(slot).map(|part| &told[part.range()]);
        let strong = fitting
            .iter()
            .find_map(|(saying, found)| self.taken(saying, part(found, "x")?, part(found, "v"), part(found, "n")));
        // A state in small letters is one only where nothing else could be meant.
        let only_states = fitting.iter().all(|(saying, _)| saying.claims.contains(&Kind::Value));
        strong.or_else(|| {
            let (_, found) = fitting.first().filter(|_| only_states)?;
            self.state(part(found, "x")?, part(found, "v")?)
        })
    }

    /// A state in the case's own words: "the order is on its way".
    fn state(&self, name: &str, state: &str) -> Option<Vec<Claim>> {
        let state = state.trim();
        let first = state.split_whitespace().next()?;
        let plain = quotations(state).is_empty() && state.split_whitespace().count() <= MOST_VALUE;
        if !plain || self.file.denies.iter().any(|word| word.eq_ignore_ascii_case(first)) {
            return None;
        }
        let Slot { text, literal, control } = self.slot(name)?;
        let wanted = Expectation::Value { field: text, is: state.to_owned() };
        Some(vec![Claim { taken: vec![Taken { wanted, literal, control, weak: true }] }])
    }

    /// The claims of a saying: one for each name it lists.
    fn taken(&self, saying: &Saying, name: &str, value: Option<&str>, number: Option<&str>) -> Option<Vec<Claim>> {
        let value = match value {
            Some(value) => Some(self.value(value)?),
            None => None,
        };
        let number = match number {
            Some(number) => Some(self.number(number)?),
            None => None,
        };
        let listed = if value.is_none() && number.is_none() { self.listed(name) } else { vec![name] };
        let claim = |name: &str| -> Option<Claim> {
            let slot = self.slot(name)?;
            let one = |kind: &Kind| {
                let (name, literal, is) = (slot.text.clone(), slot.literal, saying.is);
                let wanted = match kind {
                    Kind::Visible => Expectation::Visible(name),
                    Kind::Absent => Expectation::Absent(name),
                    Kind::Checked => Expectation::Checked { widget: name, is },
                    Kind::Enabled => Expectation::Enabled { widget: name, is },
                    Kind::Selected => Expectation::Selected { widget: name, is },
                    Kind::Screen => Expectation::Screen(name),
                    Kind::Value => Expectation::Value { field: name, is: value.clone()? },
                    Kind::Shown => {
                        let wanted = Expectation::Visible(value.clone()?);
                        return Some(Taken { wanted, literal: true, control: false, weak: false });
                    }
                    Kind::Empty => Expectation::Value { field: name, is: String::new() },
                    Kind::Count if literal => Expectation::Count { of: name, is: number? },
                    Kind::Count => Expectation::Visible(format!("{} {name}", number?)),
                };
                Some(Taken { wanted, literal, control: slot.control, weak: false })
            };
            Some(Claim { taken: saying.claims.iter().map(one).collect::<Option<_>>()? })
        };
        listed.into_iter().map(claim).collect()
    }

    /// Several names in quotation marks, or in capitals, are several claims.
    fn listed<'t>(&self, name: &'t str) -> Vec<&'t str> {
        let blots = blotted(name);
        let mut parts = Vec::new();
        let mut from = 0;
        for (at, end) in self.breaks(&blots) {
            parts.push(name[from..at].trim());
            from = end;
        }
        parts.push(name[from..].trim());
        let named =
            |part: &&str| !part.is_empty() && (!quotations(part).is_empty() || part.starts_with(char::is_uppercase));
        if parts.len() > 1 && parts.iter().all(|part| named(&part)) { parts } else { vec![name] }
    }

    /// Where a list is parted: at commas and joints.
    fn breaks(&self, blots: &str) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        for joint in self.file.joints.iter().map(String::as_str).chain([", ", "、"]) {
            found.extend(blots.match_indices(joint).map(|(at, text)| (at, at + text.len())));
        }
        found.sort_unstable();
        found.dedup_by(|later, earlier| {
            later.0 <= earlier.1 && {
                earlier.1 = later.1;
                true
            }
        });
        found
    }

    /// A name without what is no part of it; `None` where it is a description, or nothing is left.
    fn slot(&self, text: &str) -> Option<Slot> {
        let is = |list: &[String], word: &str| list.iter().any(|known| known.eq_ignore_ascii_case(word));
        let marks = quotations(text);
        if let [mark] = marks.as_slice() {
            let around = format!("{} {}", &text[..mark.start], &text[mark.end..]);
            let control = around.split_whitespace().any(|word| is(&self.file.buttons, word));
            let known = |word: &str| {
                [&self.file.articles, &self.file.things, &self.file.buttons].iter().any(|list| is(list, word))
            };
            // What else is said may be what it is about: "the price of "Milk"" is not "Milk".
            let bare = around.split_whitespace().all(known);
            let text = quoted_text(text, mark);
            return (bare && !text.is_empty()).then_some(Slot { text, literal: true, control });
        }
        let mut words: Vec<&str> = text.split_whitespace().collect();
        if !marks.is_empty() || words.len() > MOST_WORDS || words.iter().any(|word| is(&self.file.refuses, word)) {
            return None;
        }
        let mut control = false;
        while words.first().is_some_and(|word| is(&self.file.articles, word)) {
            words.remove(0);
        }
        let kind =
            |word: Option<&&str>| word.is_some_and(|word| is(&self.file.things, word) || is(&self.file.buttons, word));
        if words.len() > 1 && kind(words.last()) {
            control |= words.pop().is_some_and(|word| is(&self.file.buttons, word));
        } else if words.len() > 1 && kind(words.first()) {
            control |= is(&self.file.buttons, words.remove(0));
        }
        // "The episode Milk" is Milk, "the price of Milk" is not.
        let big = |word: &&str| word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        if let Some(at) = words.iter().position(|word| big(&word))
            && words[..at].iter().all(|word| !is(&self.file.relations, word))
            && words[at..].iter().all(|word| big(&word))
        {
            words.drain(..at);
        }
        let lone = words.len() == 1 && kind(words.first());
        let text = words.join(" ");
        (!lone && text.chars().any(char::is_alphanumeric)).then_some(Slot { text, literal: false, control })
    }

    /// A value: a text in quotation marks, one with a digit, or one that begins like a name.
    fn value(&self, text: &str) -> Option<String> {
        let text = text.trim();
        match quotations(text).as_slice() {
            [mark] if mark.len() == text.len() => return Some(quoted_text(text, mark)),
            [] => {}
            _ => return None,
        }
        let words = text.split_whitespace().count();
        let plain = text.contains(|c: char| c.is_ascii_digit())
            || text.starts_with(char::is_uppercase)
            || text.starts_with("${");
        (plain && words <= MOST_VALUE).then(|| text.to_owned())
    }

    fn number(&self, text: &str) -> Option<usize> {
        let known = || self.file.numbers.iter().position(|word| word.eq_ignore_ascii_case(text));
        text.parse().ok().or_else(known)
    }
}

fn within(text: &str, said: &str) -> bool {
    blotted(text).to_ascii_lowercase().contains(said)
}

#[cfg(test)]
#[path = "claim_tests.rs"]
mod tests;
