//! A step that says several things is several clauses, done one after another: "Add ${a} and ${b} to the cart, then pay".

use super::Parameters;
use super::mention::{blotted, quotations, quoted_text};
use super::parameters::references;
use super::rewrite::capitalised;
use super::rules::{ClauseRule, RewriteRules};
use super::{ParameterValue, Rewriter};

/// One thing to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// The instruction, with its marks.
    pub text: String,
    /// How many of it.
    pub quantity: Option<Quantity>,
    /// The parameters it names, in order, each once.
    pub mentions: Vec<String>,
    /// The texts in quotation marks, in order.
    pub quoted: Vec<String>,
}

/// How many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// So many are to be added.
    Add(u32),
    /// There are to be so many.
    Set(u32),
}

/// A word, or what is quoted or marked, by byte positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Token {
    start: usize,
    end: usize,
    /// Quoted text or a `${mark}`.
    opaque: bool,
}

impl Rewriter {
    /// Takes an instruction apart. `last` is the last thing that was named, in its own words; "it" means that.
    pub fn clauses(&self, instruction: &str, parameters: &Parameters, last: &mut Option<String>) -> Vec<Clause> {
        let rule = &self.rules().clauses;
        let reader = Reader { rule, rules: self.rules(), parameters };
        let mut clauses = Vec::new();
        for part in reader.parted(instruction) {
            let part = reader.resolved(&part, last.as_deref());
            for clause in reader.listed(&part) {
                if let Some(named) = reader.named(&clause.text) {
                    *last = Some(named);
                }
                clauses.push(clause);
            }
        }
        clauses
    }
}

struct Reader<'a> {
    rule: &'a ClauseRule,
    rules: &'a RewriteRules,
    parameters: &'a Parameters,
}

impl Reader<'_> {
    /// The text cut where a joint is followed by a verb.
    fn parted(&self, text: &str) -> Vec<String> {
        let tokens = tokens(text);
        let languages = self.rules.lexicon.languages_of(std::iter::once(text));
        let begins = |token: &Token| {
            let foreign = || self.rules.lexicon.begins_with_verb(&text[token.start..], languages);
            let phrase = || self.rules.lexicon.begins_with_verb_phrase(&text[token.start..]);
            !token.opaque && (self.rules.is_verb(&word(text, *token), &self.rule.verbs) || foreign() || phrase())
        };
        let mut parts = Vec::new();
        let mut from = 0;
        for (at, token) in tokens.iter().enumerate().skip(1) {
            if !begins(token) {
                continue;
            }
            // Joints before the verb: "and", "then", a comma or the end of a sentence.
            let mut first = at;
            while first > 0 && self.is_joint(text, tokens[first - 1]) {
                first -= 1;
            }
            let before = first.checked_sub(1).and_then(|at| tokens.get(at));
            let gap = before.map_or("", |before| &text[before.end..tokens[first].start]);
            let cut = gap.contains([',', ';']) || gap.contains(". ");
            let Some(before) = before.filter(|before| (cut || first < at) && before.end > from) else { continue };
            parts.push(text[from..before.end].trim().to_owned());
            from = token.start;
        }
        parts.push(text[from..].trim().to_owned());
        parts.retain(|part| !part.is_empty());
        self.with_statements(parts).iter().map(|part| capitalised(part)).collect()
    }

    /// Parts that state something joined with those that say what to do about it: "The lantern was sold, remove it".
    fn with_statements(&self, parts: Vec<String>) -> Vec<String> {
        let mut joined: Vec<String> = Vec::new();
        for part in parts {
            match joined.last_mut() {
                Some(last) if self.states(last) && self.refers(&part) => *last = format!("{last}, {part}"),
                _ => joined.push(part),
            }
        }
        joined
    }

    /// True if a part begins with a noun and commands nothing.
    fn states(&self, part: &str) -> bool {
        let tokens = tokens(part);
        let lexicon = &self.rules.lexicon;
        let commands = |token: &Token| self.rules.is_verb(&word(part, *token), &self.rule.verbs);
        tokens.len() > 1
            && !tokens.first().is_some_and(commands)
            && lexicon.verbs(part).iter().all(|found| found.at > 0)
    }

    /// True if a part refers to something that it does not name.
    fn refers(&self, part: &str) -> bool {
        tokens(part).iter().any(|token| !token.opaque && self.rule.referring.contains(&word(part, *token)))
    }

    fn is_joint(&self, text: &str, token: Token) -> bool {
        !token.opaque && self.rule.joints.contains(&word(text, token))
    }

    /// "it" in its own words, where the clause names nothing itself.
    fn resolved(&self, text: &str, last: Option<&str>) -> String {
        let (Some(last), tokens) = (last, tokens(text)) else { return text.to_owned() };
        let is_quantity = |token: &Token| self.amount(text, *token).is_some();
        if tokens.iter().any(|token| token.opaque && !is_quantity(token)) {
            return text.to_owned();
        }
        let acts = tokens.first().is_some_and(|first| self.rule.takes_it.contains(&word(text, *first)));
        // "Choose her", but not "Choose her photo".
        let last_word = tokens.last().filter(|token| self.rule.last_pronouns.contains(&word(text, **token)));
        // "The time it starts" tells of the thing; what is taken stands behind the verb or a preposition.
        let taken = |at: usize| {
            let before = at.checked_sub(1).and_then(|before| tokens.get(before)).map(|token| word(text, *token));
            before.is_some_and(|word| at == 1 || self.rules.mention.stop_words.contains(&word))
        };
        let pronoun = tokens.iter().enumerate().find(|(at, token)| {
            self.rule.pronouns.contains(&word(text, **token)) && (taken(*at) || at + 1 == tokens.len())
        });
        match pronoun.map(|(_, token)| token).or(last_word) {
            Some(pronoun) if acts => format!("{}{last}{}", &text[..pronoun.start], &text[pronoun.end..]),
            _ => text.to_owned(),
        }
    }

    /// What is listed is done one by one, each with its own number.
    fn listed(&self, text: &str) -> Vec<Clause> {
        let tokens = tokens(text);
        if let Some((clause, count)) = self.wanted_quantity(text, &tokens) {
            return vec![self.clause(clause, Some(Quantity::Set(count)))];
        }
        let mut items: Vec<(Option<u32>, Token)> = Vec::new();
        let (mut start, mut end) = (None, 0);
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let joins = |token: Token| self.is_joint(text, token);
            let (count, item, next) = match self.amount(text, *token) {
                Some(count) => {
                    let of = tokens.get(at + 1).is_some_and(|next| word(text, *next) == "of");
                    let item = at + 1 + usize::from(of);
                    match tokens.get(item).filter(|token| token.opaque && self.amount(text, **token).is_none()) {
                        Some(found) => (Some(count), *found, item + 1),
                        None => (None, *token, at + 1),
                    }
                }
                None => (None, *token, at + 1),
            };
            if item.opaque {
                let follows = items.is_empty() || text[end..token.start].trim().trim_matches(',').is_empty();
                let joined = at > 0 && joins(tokens[at - 1]);
                if !items.is_empty() && !follows && !joined {
                    break;
                }
                start.get_or_insert(token.start);
                end = item.end;
                items.push((count, item));
            } else if !items.is_empty() && !joins(*token) {
                break;
            }
            at = next;
        }
        let counted = items.iter().any(|(count, _)| count.is_some());
        let Some(start) = start.filter(|_| items.len() > 1 || counted) else {
            return vec![self.clause(text.to_owned(), None)];
        };
        let clause = |(count, item): &(Option<u32>, Token)| {
            let text = format!("{}{}{}", &text[..start], &text[item.start..item.end], &text[end..]);
            self.clause(text, count.map(Quantity::Add))
        };
        items.iter().map(clause).collect()
    }

    fn clause(&self, text: String, quantity: Option<Quantity>) -> Clause {
        let mut mentions: Vec<String> = Vec::new();
        for mark in references(&text) {
            if self.parameters.get(mark.name).is_some() && !mentions.iter().any(|name| name == mark.name) {
                mentions.push(mark.name.to_owned());
            }
        }
        let quoted = quotations(&text).into_iter().map(|range| quoted_text(&text, &range));
        let quoted = quoted.filter(|text| !text.is_empty()).collect();
        Clause { text, quantity, mentions, quoted }
    }

    /// "Raise the quantity of X to 4": what is left to say, and the number.
    fn wanted_quantity(&self, text: &str, tokens: &[Token]) -> Option<(String, u32)> {
        let said = |words: &[String]| tokens.iter().any(|token| words.contains(&word(text, *token)));
        let sets = tokens.first().is_some_and(|first| self.rule.sets.contains(&word(text, *first)));
        if !sets || !said(&self.rule.quantities) {
            return None;
        }
        let (last, to) = (tokens.last()?, tokens.get(tokens.len().checked_sub(2)?)?);
        let count = self.amount(text, *last).filter(|_| word(text, *to) == "to")?;
        Some((text[..to.start].trim().to_owned(), count))
    }

    /// The number a token stands for: digits, a number in words, or a parameter that is one.
    fn amount(&self, text: &str, token: Token) -> Option<u32> {
        if !token.opaque {
            let word = word(text, token);
            let in_words = self.rule.numbers.iter().position(|number| *number == word).map(|at| at as u32 + 1);
            return in_words.or_else(|| word.parse().ok()).filter(|count| (1..=99).contains(count));
        }
        let mark = references(&text[token.start..token.end]).first().map(|mark| mark.name.to_owned())?;
        match self.parameters.get(&mark)? {
            ParameterValue::Plain(value) => value.parse().ok().filter(|count| (1..=99).contains(count)),
            ParameterValue::Secret(_) => None,
        }
    }

    /// The last thing a clause names.
    fn named(&self, text: &str) -> Option<String> {
        let tokens = tokens(text);
        let item = tokens.iter().rfind(|token| token.opaque && self.amount(text, **token).is_none())?;
        Some(text[item.start..item.end].to_owned())
    }
}

fn word(text: &str, token: Token) -> String {
    text[token.start..token.end].to_lowercase()
}

/// Words, and what is quoted or marked as a whole.
fn tokens(text: &str) -> Vec<Token> {
    let hidden = blotted(text);
    let mut tokens: Vec<Token> = Vec::new();
    for (at, c) in hidden.char_indices() {
        let opaque = c == '"';
        if !(opaque || c.is_alphanumeric() || c == '\'') {
            continue;
        }
        let end = at + c.len_utf8();
        match tokens.last_mut() {
            Some(last) if last.end == at && last.opaque == opaque => last.end = end,
            _ => tokens.push(Token { start: at, end, opaque }),
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;

    static REWRITER: LazyLock<Rewriter> = LazyLock::new(|| Rewriter::bundled().unwrap());

    fn clauses(text: &str, last: Option<&str>) -> Vec<(String, Option<Quantity>)> {
        let mut parameters = Parameters::default();
        for (name, value) in [("a", "Pear"), ("b", "Plum"), ("c", "Fig"), ("n", "4")] {
            parameters.insert(name, ParameterValue::plain(value));
        }
        let mut last = last.map(str::to_owned);
        let found = REWRITER.clauses(text, &parameters, &mut last);
        found.into_iter().map(|clause| (clause.text, clause.quantity)).collect()
    }

    fn plain(texts: &[&str]) -> Vec<(String, Option<Quantity>)> {
        texts.iter().map(|text| ((*text).to_owned(), None)).collect()
    }

    #[test]
    fn what_is_said_one_after_another_is_done_one_after_another() {
        assert_eq!(
            clauses("Go back to the list and search for ${a}", None),
            plain(&["Go back to the list", "Search for ${a}"])
        );
        assert_eq!(
            clauses("Tap the \"Terms and open points\" link, read it, then go back", None),
            plain(&["Tap the \"Terms and open points\" link", "Read \"Terms and open points\"", "Go back"])
        );
        assert_eq!(clauses("Enter name and number", None), plain(&["Enter name and number"]));
        assert_eq!(clauses("Search for ${a} and select it", None), plain(&["Search for ${a}", "Select ${a}"]));
        assert_eq!(clauses("Search for ${a} and choose her", None), plain(&["Search for ${a}", "Choose ${a}"]));
        let photo = clauses("Search for ${a} and choose her photo", None);
        assert_eq!(photo, plain(&["Search for ${a}", "Choose her photo"]), "it is another thing");
    }

    #[test]
    fn what_is_listed_is_done_one_by_one() {
        let expected = plain(&["Add ${a} to the list", "Add ${b} to the list", "Add ${c} to the list"]);
        assert_eq!(clauses("Add ${a}, ${b} and ${c} to the list", None), expected);
        assert_eq!(clauses("Enter first ${a} and second ${b}", None), plain(&["Enter first ${a} and second ${b}"]));
    }

    #[test]
    fn numbers_belong_to_what_they_count() {
        let added = |text: &str, count| (text.to_owned(), Some(Quantity::Add(count)));
        assert_eq!(
            clauses("Put two of ${a} and one ${b} into the bag", None),
            [added("Put ${a} into the bag", 2), added("Put ${b} into the bag", 1)]
        );
        assert_eq!(clauses("Put ${n} of it into the bag", Some("${a}")), [added("Put ${a} into the bag", 4)]);
        assert_eq!(clauses("Put ${n} ${b} into the bag", None), [added("Put ${b} into the bag", 4)]);
        let set = (("Raise the quantity of ${a}").to_owned(), Some(Quantity::Set(4)));
        assert_eq!(clauses("Raise the quantity of ${a} to ${n}", None), [set]);
    }

    #[test]
    fn other_texts_stay_as_they_are() {
        for text in ["", "Enter ${n}", "Open \"Add and remove\"", "Select ${a}", "Confirm it", "打开设置，然后返回"]
        {
            assert_eq!(clauses(text, None).len(), usize::from(!text.is_empty()), "{text}");
        }
    }
}
