//! Which parameters a step speaks of, and which texts it quotes.

use super::Parameters;
use super::parameters::references;
use super::rules::MentionRule;
use crate::domain::same_letters;
use std::ops::Range;

/// A parameter that a text speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) name: String,
    /// The words, by byte positions; the mark goes behind them.
    pub(super) words: Range<usize>,
    /// True when all words of the parameter's name are there.
    full: bool,
}

/// Pairs of quotation marks. The plain single quote counts only at the edges of words: it is an apostrophe, too.
const QUOTES: [(char, char); 7] =
    [('"', '"'), ('“', '”'), ('„', '“'), ('‘', '’'), ('«', '»'), ('「', '」'), ('`', '`')];

/// The quoted parts of a text, by byte positions with their marks, left to right.
pub(super) fn quotations(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some((open, mark)) = text[from..].char_indices().next().map(|(_, c)| (from, c)) {
        let after = open + mark.len_utf8();
        let before = text[..open].chars().next_back();
        let close = match QUOTES.iter().find(|(start, _)| *start == mark) {
            Some((_, end)) => text[after..].find(*end).map(|at| after + at + end.len_utf8()),
            None if mark == '\'' && before.is_none_or(|c| !c.is_alphanumeric()) => closing_apostrophe(text, after),
            None => None,
        };
        match close {
            Some(end) => {
                found.push(open..end);
                from = end;
            }
            None => from = after,
        }
    }
    found
}

/// The end of a `'quotation'`: an apostrophe that no letter follows.
fn closing_apostrophe(text: &str, from: usize) -> Option<usize> {
    text[from..]
        .match_indices('\'')
        .map(|(at, _)| from + at + 1)
        .find(|&end| text[end..].chars().next().is_none_or(|c| !c.is_alphanumeric()))
}

/// What stands between the marks.
pub(super) fn quoted_text(text: &str, quotation: &Range<usize>) -> String {
    let mut inner = text[quotation.clone()].chars();
    inner.next();
    inner.next_back();
    inner.as_str().trim().to_owned()
}

/// The text with quotations and references blotted out, byte positions kept: no rule may look into them.
pub fn blotted(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let referenced = references(text).into_iter().map(|r| r.start..r.end);
    for range in quotations(text).into_iter().chain(referenced) {
        bytes[range].fill(b'"');
    }
    // Whole characters were replaced by ASCII, so this is the same text elsewhere.
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The parameters that a (blotted) text speaks of in words, left to right, each once.
pub(super) fn mentions(blotted: &str, parameters: &Parameters, rule: &MentionRule) -> Vec<Mention> {
    let tokens = words(blotted);
    // Where what is there is moved about, a parameter's name tells the place, not the value.
    if tokens.first().is_some_and(|(_, first)| rule.in_place.contains(first)) {
        return Vec::new();
    }
    let mut found: Vec<Mention> = Vec::new();
    for name in parameters.names() {
        let full = name_words(name);
        let head: Vec<String> = {
            let kept = full.iter().rposition(|word| !rule.tail_words.contains(word)).map_or(full.len(), |at| at + 1);
            full[..kept].to_vec()
        };
        let mention = find(blotted, &tokens, &full, rule)
            .map(|words| Mention { name: name.to_owned(), words, full: true })
            .or_else(|| {
                let words = find(blotted, &tokens, &head, rule)?;
                Some(Mention { name: name.to_owned(), words, full: false })
            });
        found.extend(mention);
    }
    // Where two parameters claim the same words, the longer and the fuller claim wins; equals leave it open.
    let claims = found.clone();
    found.retain(|mention| {
        claims.iter().all(|other| {
            let apart = other.words.end <= mention.words.start || mention.words.end <= other.words.start;
            other.name == mention.name || apart || rank(mention) > rank(other)
        })
    });
    found.sort_by_key(|mention| mention.words.start);
    found
}

fn rank(mention: &Mention) -> (usize, bool) {
    (mention.words.len(), mention.full)
}

/// `bank_name`, `bankName` and `bank-name` are the words `bank`, `name`.
fn name_words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut previous: Option<char> = None;
    for c in name.chars() {
        let starts = previous.is_none_or(|p| !p.is_alphanumeric() || (p.is_lowercase() && c.is_uppercase()));
        previous = Some(c);
        if !c.is_alphanumeric() {
            continue;
        }
        match words.last_mut() {
            // One letter is no word of its own: `e_mail` is `email`.
            Some(word) if !starts || is_letter(word) => word.extend(c.to_lowercase()),
            _ => words.push(c.to_lowercase().collect()),
        }
    }
    words
}

/// A single letter, which belongs to the word behind its hyphen: "e-mail", "x-ray".
fn is_letter(word: &str) -> bool {
    word.chars().count() == 1 && word.chars().all(|c| c.is_ascii_lowercase())
}

/// The words of a text in lower case, by byte positions.
fn words(text: &str) -> Vec<(Range<usize>, String)> {
    let mut found: Vec<(Range<usize>, String)> = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
        match found.last_mut() {
            Some((range, word)) if range.end == at => {
                range.end = at + c.len_utf8();
                word.extend(c.to_lowercase());
            }
            Some((range, word)) if is_letter(word) && text.get(range.end..at) == Some("-") => {
                range.end = at + c.len_utf8();
                word.extend(c.to_lowercase());
            }
            _ => found.push((at..at + c.len_utf8(), c.to_lowercase().collect())),
        }
    }
    found
}

/// The first place where `wanted` stands as a noun phrase of its own.
fn find(text: &str, tokens: &[(Range<usize>, String)], wanted: &[String], rule: &MentionRule) -> Option<Range<usize>> {
    if wanted.is_empty() {
        return None;
    }
    (0..=tokens.len().checked_sub(wanted.len())?).find_map(|first| {
        let mut last = first + wanted.len() - 1;
        let same = tokens[first..=last].iter().zip(wanted).all(|((_, word), wanted)| same_letters(word, wanted));
        let joined = |left: usize| {
            text[tokens[left].0.end..tokens[left + 1].0.start].chars().all(|c| c == ' ' || c == '-' || c == '\u{a0}')
        };
        if !same || !(first..last).all(joined) {
            return None;
        }
        // A word behind a quotation says what the quoted thing is.
        if text[..tokens[first].0.start].trim_end_matches(' ').ends_with('"') {
            return None;
        }
        if first > 0 && joined(first - 1) && rule.negations.contains(&tokens[first - 1].1) {
            return None;
        }
        while last + 1 < tokens.len() && joined(last) && rule.tail_words.contains(&tokens[last + 1].1) {
            last += 1;
        }
        let range = tokens[first].0.start..tokens[last].0.end;
        // "The traveller's name" is the traveller's; "the traveller's details" are more than that.
        let owned = ["'s ", "’s "].iter().find_map(|mark| text[range.end..].strip_prefix(mark));
        if owned.is_some_and(|what| {
            let first = words(what).into_iter().next();
            !first.is_some_and(|(_, word)| rule.tail_words.contains(&word))
        }) {
            return None;
        }
        if is_what_about(&tokens[..first], rule) {
            return None;
        }
        let rest = text[range.end..].trim_start();
        let ends = match rest.chars().next() {
            None => true,
            Some(c) if c.is_alphanumeric() => {
                tokens.get(last + 1).is_some_and(|(_, word)| rule.stop_words.contains(word))
            }
            // A quotation or reference follows: the tester has said it already.
            Some(c) => c != '"',
        };
        ends.then_some(range)
    })
}

/// The words before tell of many values at once, and what follows only tells of what: "the details of a …".
fn is_what_about(before: &[(Range<usize>, String)], rule: &MentionRule) -> bool {
    let mut before = before.iter().rev().map(|(_, word)| word).skip_while(|word| rule.articles.contains(word));
    let joined = before.next().is_some_and(|word| rule.about.contains(word));
    joined && before.next().is_some_and(|word| rule.collections.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{ParameterValue, RewriteRules};

    fn names(text: &str, parameters: &[&str]) -> Vec<String> {
        let mut known = Parameters::default();
        for name in parameters {
            known.insert(*name, ParameterValue::plain("x"));
        }
        let rule = RewriteRules::bundled().unwrap().mention;
        mentions(&blotted(text), &known, &rule).into_iter().map(|m| m.name).collect()
    }

    #[test]
    fn a_parameter_is_mentioned_by_its_words_but_not_inside_a_longer_name() {
        assert_eq!(names("Select bank", &["bank_name"]), ["bank_name"]);
        assert_eq!(names("Enter the phone number and the ID-number", &["id_number", "phone"]), ["phone", "id_number"]);
        assert!(names("Bind a bank card", &["bank_name"]).is_empty());
        assert!(names("Bind without card number", &["card_number"]).is_empty());
        assert!(names("Select bank \"Harbour Bank\"", &["bank_name"]).is_empty());
        assert!(names("Read 'bank' aloud", &["bank"]).is_empty());
        assert_eq!(names("Pick the cardType", &["card_type"]), Vec::<String>::new());
        assert_eq!(names("Pick the card type", &["cardType"]), ["cardType"]);
    }

    #[test]
    fn an_identifier_may_leave_out_the_marks_of_letters() {
        assert_eq!(names("Choisis le créneau", &["creneau"]), ["creneau"]);
        assert_eq!(names("Gib die Straße und die Höhe ein", &["strasse", "hoehe"]), ["strasse", "hoehe"]);
        assert!(names("Gib die Höhle an", &["hoehe"]).is_empty());
    }

    #[test]
    fn what_belongs_to_somebody_is_meant_only_where_it_is_the_parameter() {
        assert_eq!(names("Enter the traveller's name", &["traveller_name"]), ["traveller_name"]);
        assert!(names("Submit the traveller's details", &["traveller_name"]).is_empty());
    }

    #[test]
    fn what_many_values_are_about_is_none_of_them() {
        assert!(names("Submit personal information of a document that expires", &["document_number"]).is_empty());
        assert!(names("Fill in the details of the traveller", &["traveller_name"]).is_empty());
        assert!(names("Complete the form for your vehicle", &["vehicle"]).is_empty());
        assert_eq!(names("Enter the number of the card", &["card_number"]), ["card_number"]);
        assert_eq!(names("Fill in the form with the document number", &["document_number"]), ["document_number"]);
        assert_eq!(names("Open the details of ${order} for the client", &["client"]), ["client"]);
    }

    #[test]
    fn what_is_moved_about_is_no_value() {
        assert!(names("Swap start and destination", &["destination"]).is_empty());
        assert_eq!(names("Choose the destination", &["destination"]), ["destination"]);
    }

    #[test]
    fn one_letter_and_a_hyphen_make_no_other_word() {
        assert_eq!(names("Enter the e-mail address for the ticket", &["email"]), ["email"]);
        assert_eq!(names("Enter the email", &["e_mail"]), ["e_mail"]);
        assert_eq!(names("Enter the E-Mail", &["eMail"]), ["eMail"]);
        assert!(names("Give vitamin e to the patient", &["email"]).is_empty());
    }

    #[test]
    fn the_fuller_claim_wins_and_equal_claims_leave_it_open() {
        assert_eq!(names("Submit payment password", &["password", "payment_password"]), ["payment_password"]);
        assert!(names("Choose the bank", &["bank_name", "bank_code"]).is_empty());
        assert_eq!(names("Choose the bank code", &["bank_name", "bank_code"]), ["bank_code"]);
    }

    #[test]
    fn quotations_are_found_and_apostrophes_are_not() {
        let text = "Don't tap \"Card added\", tap 'Agree' or “Privacy Notice” on the user's page";
        let quoted: Vec<_> = quotations(text).iter().map(|q| quoted_text(text, q)).collect();
        assert_eq!(quoted, ["Card added", "Agree", "Privacy Notice"]);
        assert!(quotations("5\" screen").is_empty());
        assert_eq!(blotted("a “é” ${x} b").len(), "a “é” ${x} b".len());
    }
}
