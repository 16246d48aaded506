//! From what a screen shows to what the app calls it in its own language.

use super::fold::{fold, folded};
use super::patterns::Patterns;
use super::plural::Plurals;
use super::table::Form;
use super::template::Template;
use super::{Locale, StringTable};
use std::collections::HashMap;

/// Longest text that is looked up, in bytes.
const LONGEST: usize = 1000;
/// Most parts of a text made of several.
const MOST_PARTS: usize = 8;
/// More meanings than these say nothing any more.
const MOST_MEANINGS: usize = 3;

/// A text on a screen.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'t> {
    /// As it is shown.
    pub text: &'t str,
    /// Resource id of the view that shows it; may be empty.
    pub id: &'t str,
}

/// What a shown text is called in the app's own language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Translation {
    /// The text; several with commas where several resources read the same on the display.
    pub text: String,
    /// Names of the resources it came from.
    pub resources: Vec<String>,
}

/// A resource's form in the app's own language, reached from its form in another.
#[derive(Debug, Clone)]
struct Entry {
    resource: usize,
    goal: Template,
    /// What stands for an argument that the shown form does not tell: "a single ride" is one.
    untold: &'static str,
    /// The forms of a plural by their names: which of them a number takes is the own language's business. "21 день" is
    /// the form for one, and "21 days" is not.
    plural: Vec<(String, Template)>,
}

impl Entry {
    /// The text with its arguments, in the form for the number among them.
    fn filled(&self, arguments: &[(String, String)], plurals: &Plurals, own: &dyn Fn(&str) -> String) -> String {
        let wanted =
            arguments.iter().find_map(|(_, argument)| plurals.form(argument)).filter(|_| !self.plural.is_empty());
        let form = |kind: &str| self.plural.iter().find(|(known, _)| known == kind).map(|(_, template)| template);
        let goal = wanted.and_then(|kind| form(kind).or_else(|| form("other"))).unwrap_or(&self.goal);
        goal.filled(arguments, own)
    }
}

/// From one language to an app's own, by resource.
#[derive(Debug, Clone)]
pub struct Bridge {
    from: Locale,
    to: Locale,
    resources: Vec<String>,
    entries: Vec<Entry>,
    exact: HashMap<String, Vec<usize>>,
    patterns: Patterns,
    plurals: Plurals,
}

/// What a text may be.
struct Meaning<'b> {
    resource: usize,
    name: &'b str,
    text: String,
}

/// A part of a shown text: what it may be, how it reads, and what stands behind it.
type Part<'b, 't> = (Vec<Meaning<'b>>, &'t str, &'t str);

impl Bridge {
    /// A bridge for a device set to `device`; `None` where the app shows its own language there, or nothing differs.
    pub fn new(table: &StringTable, device: &Locale) -> Option<Self> {
        let mut bridge = Self {
            from: device.clone(),
            to: table.goal().clone(),
            resources: Vec::new(),
            entries: Vec::new(),
            exact: HashMap::new(),
            patterns: Patterns::default(),
            plurals: Plurals::of(table.goal()),
        };
        let (mut patterns, mut differs) = (Vec::new(), false);
        for (name, languages) in table.resources() {
            let Some(goals) = table.goal_forms(languages) else { continue };
            let mut near: Vec<_> = languages
                .iter()
                .filter(|(locale, _)| *locale != table.goal())
                .filter_map(|(locale, forms)| Some((locale.distance(device)?, forms)))
                .collect();
            near.sort_by_key(|(distance, _)| *distance);
            let resource = bridge.resources.len();
            bridge.resources.push(name.to_owned());
            let mut known: Vec<&str> = Vec::new();
            for form in near.into_iter().flat_map(|(_, forms)| forms) {
                let Some(goal) = goal_of(form, goals) else { continue };
                if known.contains(&form.text.as_str()) {
                    continue;
                }
                known.push(&form.text);
                differs |= form.text != goal;
                let (shown, goal) = (Template::parse(&form.text), Template::parse(goal));
                let entry = bridge.entries.len();
                let plural = plural_of(form, goals);
                bridge.entries.push(Entry { resource, goal, untold: untold(&form.kind), plural });
                match shown.matcher() {
                    Some(matcher) => patterns.push((matcher, entry)),
                    None if shown.has_arguments() => {}
                    None => {
                        let key = fold(&shown.plain(""));
                        if key.chars().any(char::is_alphanumeric) {
                            bridge.exact.entry(key).or_default().push(entry);
                        }
                    }
                }
            }
        }
        bridge.patterns = Patterns::new(patterns);
        differs.then_some(bridge)
    }

    /// The language of the device.
    pub const fn from(&self) -> &Locale {
        &self.from
    }

    /// The language it leads to.
    pub const fn to(&self) -> &Locale {
        &self.to
    }

    /// How many texts it knows.
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// True where it knows none.
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The texts of one screen in the app's own language; `None` for what is no text of the app, or reads the same.
    ///
    /// Where several resources read the same, the one counts that the view's id names or whose relatives (by the
    /// beginning of their names) are on the screen too.
    pub fn read(&self, screen: &[Shown<'_>]) -> Vec<Option<Translation>> {
        let parts: Vec<Vec<Part<'_, '_>>> = screen.iter().map(|shown| self.parts(shown.text)).collect();
        let mut present: HashMap<&str, usize> = HashMap::new();
        for (meanings, _, _) in parts.iter().flatten() {
            if let [only] = meanings.as_slice()
                && let Some(family) = family(only.name)
            {
                *present.entry(family).or_default() += 1;
            }
        }
        let worth = |meaning: &Meaning<'_>, id: &str| {
            let own = id.rsplit('/').next().unwrap_or_default();
            let named = tokens(meaning.name).filter(|word| tokens(own).any(|other| other == *word)).count();
            let kin = family(meaning.name).and_then(|family| present.get(family)).copied().unwrap_or_default();
            3 * named + kin.min(3)
        };
        let read = |(shown, parts): (&Shown<'_>, Vec<Part<'_, '_>>)| {
            let (mut text, mut resources) = (String::new(), Vec::new());
            for (mut meanings, part, behind) in parts {
                let best = meanings.iter().map(|meaning| worth(meaning, shown.id)).max().unwrap_or_default();
                meanings.retain(|meaning| worth(meaning, shown.id) == best);
                if meanings.is_empty() || meanings.len() > MOST_MEANINGS {
                    text.push_str(part);
                } else {
                    text.push_str(&meanings.iter().map(|meaning| meaning.text.as_str()).collect::<Vec<_>>().join(", "));
                    resources.extend(meanings.iter().map(|meaning| self.resources[meaning.resource].clone()));
                }
                text.push_str(behind);
            }
            (!resources.is_empty() && text != shown.text).then_some(Translation { text, resources })
        };
        screen.iter().zip(parts).map(read).collect()
    }

    /// What a whole text is called in the app's own language, where that is beyond doubt: for a text that a case names.
    pub fn named(&self, text: &str) -> Option<String> {
        match self.meanings(text, false).as_slice() {
            [only] if only.text != text => Some(only.text.clone()),
            _ => None,
        }
    }

    /// The text as one, else as the parts it is put together of, each with what stands behind it.
    fn parts<'t>(&self, text: &'t str) -> Vec<Part<'_, 't>> {
        if text.len() > LONGEST || text.is_empty() {
            return Vec::new();
        }
        let whole = self.meanings(text, true);
        if !whole.is_empty() {
            return vec![(whole, text, "")];
        }
        let parts = segments(text);
        if parts.len() > MOST_PARTS || parts.len() == 1 && parts[0].1.is_empty() {
            return Vec::new();
        }
        parts.into_iter().map(|(part, behind)| (self.meanings(part, true), part, behind)).collect()
    }

    /// Everything a text may be, each wording once.
    fn meanings(&self, text: &str, with_arguments: bool) -> Vec<Meaning<'_>> {
        let folded = folded(text);
        let key: String = folded.iter().map(|folded| folded.is).collect();
        let mut found: Vec<Meaning<'_>> = Vec::new();
        let mut add = |entry: &Entry, text: String| {
            // Two resources of one wording are one to whoever reads it.
            if !text.is_empty() && !found.iter().any(|other| other.text.eq_ignore_ascii_case(&text)) {
                let name = self.resources[entry.resource].as_str();
                found.push(Meaning { resource: entry.resource, name, text });
            }
        };
        if let Some(entries) = self.exact.get(&key) {
            for entry in entries.iter().map(|&entry| &self.entries[entry]) {
                add(entry, entry.goal.plain(entry.untold));
            }
        } else if with_arguments {
            let own = |text: &str| self.named(text).unwrap_or_else(|| text.to_owned());
            for (entry, arguments) in self.patterns.fitting(&folded, text) {
                let entry = &self.entries[entry];
                add(entry, entry.filled(&arguments, &self.plurals, &own));
            }
        }
        found
    }
}

/// The same form, else the one for any number, else the first.
fn goal_of<'t>(form: &Form, goals: &'t [Form]) -> Option<&'t str> {
    let of = |kind: &str| goals.iter().find(|goal| goal.kind == kind);
    let goal = of(&form.kind).or_else(|| of("other")).or_else(|| goals.first().filter(|_| !is_position(&form.kind)))?;
    Some(&goal.text)
}

/// All forms of a plural; none of a plain text or an array.
fn plural_of(form: &Form, goals: &[Form]) -> Vec<(String, Template)> {
    if form.kind.is_empty() || is_position(&form.kind) {
        return Vec::new();
    }
    goals.iter().map(|goal| (goal.kind.clone(), Template::parse(&goal.text))).collect()
}

/// The number that a form of a plural is for.
fn untold(kind: &str) -> &'static str {
    match kind {
        "zero" => "0",
        "one" => "1",
        "two" => "2",
        _ => "…",
    }
}

fn is_position(kind: &str) -> bool {
    kind.starts_with(|c: char| c.is_ascii_digit())
}

/// The words of a resource's name.
fn tokens(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1)
}

/// What relatives share: `rate` of `rate_trip`.
fn family(name: &str) -> Option<&str> {
    let mut tokens = tokens(name);
    let first = tokens.next()?;
    tokens.next().map(|_| first)
}

/// Taken apart at line ends, dots, dashes, commas and colons; each part with what stands behind it.
fn segments(text: &str) -> Vec<(&str, &str)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((at, length)) = separator(rest) {
        parts.push((&rest[..at], &rest[at..at + length]));
        rest = &rest[at + length..];
    }
    parts.push((rest, ""));
    parts.retain(|(part, behind)| !part.is_empty() || !behind.is_empty());
    parts
}

/// Where the next separator stands, and its length with the space around it.
fn separator(text: &str) -> Option<(usize, usize)> {
    let mut before = 'x';
    for (at, c) in text.char_indices() {
        let after = text[at + c.len_utf8()..].chars().next();
        let open = after.is_none_or(char::is_whitespace);
        let separates = match c {
            '\n' | '·' | '•' | '|' | '、' | '，' | '：' | '،' => true,
            ',' | ':' | '*' | ';' => open,
            '-' | '–' | '—' | '/' => open && before.is_whitespace(),
            _ => false,
        };
        if separates {
            let start = text[..at].trim_end().len();
            let tail = &text[at + c.len_utf8()..];
            let spaces = tail.len() - tail.trim_start().len();
            return Some((start, at + c.len_utf8() + spaces - start));
        }
        before = c;
    }
    None
}

#[cfg(test)]
#[path = "bridge_tests.rs"]
mod tests;
