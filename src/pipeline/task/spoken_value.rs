//! Values said in plain words, without quotes: "Set the number of frames to 14", "Name: Cordless drill", "Call it Peace lily".

use super::parts::AND;
use crate::domain::{stem, words};
use crate::lexicon::{Grammar, Lexicon, Verb, VerbSet};

/// Longest value that is taken from plain words, in words.
const MAX_WORDS: usize = 12;
/// Longest label that is looked for in an instruction, in words.
const MAX_LABEL_WORDS: usize = 6;

/// Longest text that is looked up from plain words, in words.
const MAX_SOUGHT_WORDS: usize = 5;

/// A word of a text with its place.
struct Token<'t> {
    text: &'t str,
    start: usize,
    end: usize,
    stem: String,
}

/// The words of a text as they are written, marks at their ends left out.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    for raw in text.split_inclusive(char::is_whitespace) {
        let trimmed = raw.trim_matches(|c: char| !c.is_alphanumeric());
        if let Some(inner) = raw.find(trimmed).filter(|_| !trimmed.is_empty()) {
            let lower = trimmed.to_lowercase();
            let start = at + inner;
            found.push(Token { text: trimmed, start, end: start + trimmed.len(), stem: stem(&lower) });
        }
        at += raw.len();
    }
    found
}

/// The value that an instruction says beside a label: behind it ("Frames: 6", "set Frames to 6") or before it ("enter 6 as
/// Frames"). `None` where the label is not said word by word, or nothing beside it can be a value.
pub(crate) fn value_beside(instruction: &str, label: &str, lexicon: &Lexicon) -> Option<String> {
    let own: Vec<String> = words(label).iter().map(|word| stem(word)).collect();
    if own.is_empty() || own.len() > MAX_LABEL_WORDS {
        return None;
    }
    let all = tokens(instruction);
    let at = (0..all.len()).find(|at| {
        all.get(*at..*at + own.len())
            .is_some_and(|window| window.iter().zip(&own).all(|(token, own)| is_form_of(&token.stem, own)))
    })?;
    // Within a quoted text stands a name: "Tap \"Set an amount\"" sets nothing.
    let start = all.get(at)?.start;
    if instruction.get(..start).is_some_and(is_within_quotes) {
        return None;
    }
    behind(instruction, &all, at + own.len(), lexicon).or_else(|| before(instruction, &all, at, lexicon))
}

/// True if a quotation is open at the end of a text.
fn is_within_quotes(before: &str) -> bool {
    let straight = before.matches('"').count() % 2 == 1;
    let curly = before.rfind('“').is_some_and(|open| before.rfind('”').is_none_or(|close| close < open));
    straight || curly
}

/// True if one word is another, but for an ending of one or two letters: "Namen", "Nombres".
fn is_form_of(one: &str, other: &str) -> bool {
    const MIN_STEM: usize = 3;
    let ends = |longer: &str, shorter: &str| {
        let rest = longer.strip_prefix(shorter).map(|rest| rest.chars().count());
        shorter.chars().count() >= MIN_STEM && rest.is_some_and(|rest| rest <= 2)
    };
    one == other || ends(one, other) || ends(other, one)
}

/// The value behind a label that ends before the token `from`.
fn behind(text: &str, all: &[Token<'_>], from: usize, lexicon: &Lexicon) -> Option<String> {
    let label_end = all.get(from.checked_sub(1)?)?.end;
    let rest = all.get(from..)?;
    let first = rest.iter().position(|token| !is_link(token, lexicon))?;
    let token = rest.get(first)?;
    // Behind a comma something else begins: "enter the new IBAN, then save".
    if text.get(label_end..token.start).is_some_and(|between| between.contains([',', ';', '.'])) {
        return None;
    }
    // "The question and the options" names two things, and "the code and confirm" asks for two.
    const OR: &[&str] = &["or", "and/or", "oder", "sowie", "ou", "o", "i", "of", "og", "och"];
    let joins = |token: &Token<'_>| {
        let word = token.text.to_lowercase();
        AND.contains(&word.as_str()) || OR.contains(&word.as_str())
    };
    if rest.get(..first).is_some_and(|between| between.iter().any(joins)) {
        return None;
    }
    let marked = text.get(label_end..token.start).is_some_and(|between| between.contains([':', '=']));
    let linked = first > 0 || marked;
    if !linked && !looks_like_a_value(text, token) {
        return None;
    }
    let value = clean(text.get(token.start..)?, text, token.start)?;
    Some(without_particle(value, text, lexicon))
}

/// A value without the particle of a verb that stands apart: "gib bei Name Anna ein".
fn without_particle(value: String, text: &str, lexicon: &Lexicon) -> String {
    let foreign = lexicon.begins_with_verb(text, lexicon.languages_of(std::iter::once(text)));
    match value.rsplit_once(' ') {
        Some((rest, last)) if foreign && lexicon.is_stop_word(last) && last.chars().all(char::is_lowercase) => {
            rest.trim_end_matches(['"', '”', '“', '»', ' ']).to_owned()
        }
        _ => value,
    }
}

/// The value between the leading verb and a label that begins at the token `to`.
fn before(text: &str, all: &[Token<'_>], to: usize, lexicon: &Lexicon) -> Option<String> {
    const GIVING: VerbSet = VerbSet::of(&[Verb::Enter, Verb::Choose, Verb::Edit, Verb::Create]);
    let verbs = lexicon.verbs(text);
    let lead = verbs.first().filter(|found| found.at == 0 && GIVING.has(found.verb))?;
    let longest = verbs.iter().filter(|found| found.at == 0).map(|found| found.length).max().unwrap_or(lead.length);
    let inner = all.get(longest..to)?;
    // "in the field", "as the": a word that joins, an article, a word for a part of the page. Without one that joins they are one
    // thing: "Choose the delivery address". What stands before it belongs to the value, whatever words it has.
    let before = |end: usize, is: &dyn Fn(&Token<'_>) -> bool| {
        inner.get(..end).unwrap_or_default().iter().rposition(|token| !is(token)).map_or(0, |at| at + 1)
    };
    let part = before(inner.len(), &|token| lexicon.is_word(Grammar::Part, token.text));
    let article = before(part, &|token| lexicon.is_word(Grammar::Article, token.text));
    let last =
        inner.get(article.checked_sub(1)?).filter(|token| is_link(token, lexicon)).and(article.checked_sub(2))?;
    let first = inner.iter().position(|token| !is_link(token, lexicon))?;
    let (start, end) = (inner.get(first)?.start, inner.get(last)?.end);
    clean(text.get(start..end)?, text, start)
}

/// A value that an instruction gives without a label of the screen, with what it is called there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpokenValue {
    /// What the value is, in words.
    pub label: String,
    /// The value.
    pub value: String,
}

impl SpokenValue {
    /// The value that an instruction gives or looks up: "Call it Peace lily", "Price: 20", "Search for Riesling".
    pub(super) fn read(instruction: &str, lexicon: &Lexicon) -> Option<Self> {
        let spoken = |label: &str, value: String| Self { label: label.to_owned(), value };
        given_name(instruction, lexicon)
            .map(|value| spoken("name title", value))
            .or_else(|| listed(instruction, lexicon).map(|(label, value)| spoken(&label, value)))
            .or_else(|| sought(instruction, lexicon).map(|value| spoken("search", value)))
    }
}

/// The name that an instruction gives to the thing at hand: "Call it Peace lily".
fn given_name(instruction: &str, lexicon: &Lexicon) -> Option<String> {
    let length = lexicon.leading(Grammar::Naming, instruction)?;
    let all = tokens(instruction);
    let first = all.get(length)?;
    clean(instruction.get(first.start..)?, instruction, first.start)
}

/// A label and its value with a colon between them, and nothing before them: "Price: 20".
fn listed(instruction: &str, lexicon: &Lexicon) -> Option<(String, String)> {
    const MAX_LISTED_WORDS: usize = 4;
    let (label, rest) = instruction.split_once(": ")?;
    let all = tokens(instruction);
    let value = all.iter().find(|token| token.start > label.len())?;
    let short = words(label).len() <= MAX_LISTED_WORDS && words(rest).len() <= MAX_LISTED_WORDS;
    let is_label = short && lexicon.verbs(label).is_empty() && looks_like_a_value(instruction, value);
    let value = clean(instruction.get(value.start..)?, instruction, value.start)?;
    is_label.then(|| (label.trim().to_owned(), value))
}

/// What an instruction looks up: "Search for Riesling Kabinett".
fn sought(instruction: &str, lexicon: &Lexicon) -> Option<String> {
    let length = lexicon.leading_verb(Verb::Search, instruction)?;
    let all = tokens(instruction);
    let rest = all.get(length..)?;
    let first = rest.iter().find(|token| !is_link(token, lexicon))?;
    // What begins with a small letter tells what is looked for in other words: "look for a table for two".
    if !looks_like_a_value(instruction, first) {
        return None;
    }
    let value = clean(instruction.get(first.start..)?, instruction, first.start)?;
    // "Fenwick Spa, one of the places looked at lately" is no text to type.
    (words(&value).len() <= MAX_SOUGHT_WORDS && !value.contains(", ")).then_some(value)
}

/// A word that only joins a label and its value.
fn is_link(token: &Token<'_>, lexicon: &Lexicon) -> bool {
    let number = token.text.chars().any(|c| c.is_ascii_digit());
    // "Alte Mühle": a capital letter within a text begins a name.
    let name = token.start > 0 && token.text.chars().next().is_some_and(char::is_uppercase);
    !number && !name && (lexicon.is_stop_word(token.text) || lexicon.is_word(Grammar::Link, token.text))
}

/// A number, a quoted text or a word with a capital letter.
fn looks_like_a_value(text: &str, token: &Token<'_>) -> bool {
    let quoted = text.get(..token.start).is_some_and(|before| before.ends_with(['"', '“', '„', '«', '\'']));
    quoted || token.text.chars().next().is_some_and(|c| c.is_uppercase() || c.is_numeric())
}

/// A value without the marks around it; a quoted one ends with its quote. `start` is its place in the whole text.
fn clean(value: &str, text: &str, start: usize) -> Option<String> {
    let quote = text.get(..start).and_then(|before| before.chars().next_back()).and_then(|open| match open {
        '"' => Some('"'),
        '“' | '„' => Some('”'),
        '«' => Some('»'),
        _ => None,
    });
    let inner = match quote.and_then(|quote| value.find(quote)) {
        Some(end) => value.get(..end)?,
        None => before_next_clause(value).trim_end_matches(['.', ',', ';', '!', '"', '”', '“', '»']),
    };
    let inner = inner.trim();
    let count = words(inner).len();
    ((1..=MAX_WORDS).contains(&count) || count == 0 && !inner.is_empty()).then(|| inner.to_owned())
}

/// A value without what comes after it: "Rose, then open it".
fn before_next_clause(value: &str) -> &str {
    const THEN: [&str; 8] =
        [", then ", ", and ", " and then ", ", dann ", " und dann ", ", luego ", ", puis ", ", poi "];
    let end = THEN.iter().filter_map(|then| value.find(then)).min();
    end.map_or(value, |end| &value[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stands_behind_or_before_its_label() {
        let lexicon = Lexicon::bundled().unwrap();
        let check = |instruction: &str, label: &str, expected: Option<&str>| {
            assert_eq!(value_beside(instruction, label, &lexicon).as_deref(), expected, "{instruction:?} {label:?}");
        };
        check("Name: Cordless drill", "Name", Some("Cordless drill"));
        check("Set Days between waterings to 14", "Days between waterings", Some("14"));
        check("Make Minutes 2", "Minutes", Some("2"));
        check("Goes with is \"Mushroom risotto\"", "Goes with", Some("Mushroom risotto"));
        check("Choose Worn as Condition", "Condition", Some("Worn"));
        check("Write \"Needs a second super\" under Remark", "Remark", Some("Needs a second super"));
        check("Enter Ann Lee in the field Full name", "Full name", Some("Ann Lee"));
        check("Gib Blauer Hafen bei Nacht als Namen ein", "Name", Some("Blauer Hafen bei Nacht"));
        check("Gib bei Bemerkung Königin auf Wabe vier ein", "Bemerkung", Some("Königin auf Wabe vier"));
        check("Setze Rahmen mit Brut auf 8", "Rahmen mit Brut", Some("8"));
        check("Gib \"Braucht zweiten Honigraum\" unter Bemerkung ein", "Bemerkung", Some("Braucht zweiten Honigraum"));
        check("Enter Clover field as the name", "Name", Some("Clover field"));
        check("Enter Rust on the left door in the field State", "State", Some("Rust on the left door"));
        check("Enter More of this in the field Letter", "Letter", Some("More of this"));
        check("Enter Come in as the greeting", "Greeting", Some("Come in"));
        check("Name: Rose, then open it", "Name", Some("Rose"));
        check("Gib die neue IBAN ein, erteile das Mandat", "Neue IBAN", None);
        check("Open the settings", "Settings", None);
        check("Choose the delivery address", "Delivery address", None);
        check("Save the recipe", "Name", None);
        check("Enter the question and the three options", "Question", None);
        check("Gib Kundennummer und Passwort ein", "Kundennummer", None);
        check("Tap \"Set an amount\"", "Amount", None);
    }

    #[test]
    fn a_thing_is_given_a_name_or_looked_up() {
        let lexicon = Lexicon::bundled().unwrap();
        assert_eq!(given_name("Call it Peace lily", &lexicon).as_deref(), Some("Peace lily"));
        assert_eq!(given_name("Nenne es Alte Mühle", &lexicon).as_deref(), Some("Alte Mühle"));
        assert_eq!(given_name("Call the doctor", &lexicon), None);
        assert_eq!(sought("Search for Riesling Kabinett", &lexicon).as_deref(), Some("Riesling Kabinett"));
        assert_eq!(sought("Look for \"Old mill\"", &lexicon).as_deref(), Some("Old mill"));
        assert_eq!(sought("Search for a hotel by the sea", &lexicon), None);
    }
}
