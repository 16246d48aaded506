//! A goal taken apart: the words, values and names that must be dealt with.

use super::cues::{GoalCues, alike, among};
use crate::app_map::AppMap;
use crate::inference::{EmbedError, Embedder, Embedding};

/// How much a value or a name weighs, compared with the rarest word.
const VALUE_WEIGHT: f32 = 1.6;
/// What the weight of a word is multiplied with that any touch may mean.
const GENERIC: f32 = 0.3;

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemKind {
    /// A word of the language.
    Word,
    /// A text in quotes, a number, a file's name: to be typed or touched as it is.
    Value,
    /// A name, told by its capital letter.
    Name,
}

/// Something the goal speaks of.
#[derive(Debug, Clone)]
pub(super) struct Item {
    /// As the goal has it; words in small letters.
    pub text: String,
    /// Its words.
    pub words: Vec<String>,
    /// What it is.
    pub kind: ItemKind,
    /// How much it matters.
    pub weight: f32,
    /// Which part of the goal it stands in.
    pub clause: usize,
    /// What is said about it right before it.
    pub context: String,
    /// Its vector.
    pub vector: Embedding,
}

/// A goal taken apart.
#[derive(Debug, Clone)]
pub(super) struct Goal {
    /// The whole sentence's vector.
    pub vector: Embedding,
    /// What it speaks of, in order.
    pub items: Vec<Item>,
    /// Sum of their weights.
    pub total: f32,
    /// It wants something off.
    pub off: bool,
    /// Parts that refer back by a pronoun.
    pub pronouns: Vec<usize>,
    /// Parts that ask for something to be looked up.
    pub searches: Vec<usize>,
    /// It says so with the plainest word.
    pub says_search: bool,
    /// Something is made or written.
    pub makes: bool,
}

/// A word or a quoted text of the goal.
struct Token {
    text: String,
    /// In quotes, or nothing a language has.
    literal: bool,
    clause: usize,
    /// It begins a sentence, so that its capital letter tells nothing.
    first: bool,
}

impl Goal {
    /// Takes a goal apart. `values` are texts known to be values (those of parameters).
    pub(super) fn read(
        text: &str,
        values: &[String],
        cues: &GoalCues,
        map: &AppMap,
        embedder: &dyn Embedder,
    ) -> Result<Self, EmbedError> {
        let (found, plain) = said(text, values, cues);
        let mut texts: Vec<&str> = vec![text];
        texts.extend(found.iter().map(|(text, ..)| text.as_str()));
        let vectors = embedder.embed(&texts)?;
        let (vector, vectors) = vectors.split_first().ok_or_else(|| EmbedError("no vectors came back".into()))?;
        let weight = |word: &str| map.rarity(word) * if among(&cues.generic, word) { GENERIC } else { 1.0 };
        let words = found.iter().filter(|(_, kind, ..)| *kind == ItemKind::Word);
        let most = words.map(|(word, ..)| weight(word)).fold(0.0_f32, f32::max);
        let most = if most > 0.0 { most } else { 1.0 };
        let clauses = |list: &[String]| -> Vec<usize> {
            let cued = plain.iter().filter(|(word, _)| list.iter().any(|cue| alike(cue, word) >= 1.0));
            cued.map(|(_, clause)| *clause).collect()
        };
        let (pronouns, searches) = (clauses(&cues.pronouns), clauses(&cues.search));
        let says_search = cues.search.first().is_some_and(|cue| plain.iter().any(|(word, _)| alike(cue, word) >= 1.0));
        let makes = plain.iter().any(|(word, _)| among(&cues.makes, word));
        let items: Vec<Item> = found
            .into_iter()
            .zip(vectors)
            .map(|((text, kind, clause, context), vector)| Item {
                weight: if kind == ItemKind::Word { weight(&text) } else { VALUE_WEIGHT * most },
                words: cues.words(&text),
                vector: vector.clone(),
                text,
                kind,
                clause,
                context,
            })
            .collect();
        Ok(Self {
            vector: vector.clone(),
            total: items.iter().map(|item| item.weight).sum::<f32>().max(f32::EPSILON),
            items,
            off: cues.wants_off(text),
            pronouns,
            searches,
            says_search,
            makes,
        })
    }
}

/// A text of the goal: what it is, its clause, what is said before it.
type Said = (String, ItemKind, usize, String);

/// The texts that a goal speaks of, each once, and all its plain words with their clauses.
fn said(text: &str, values: &[String], cues: &GoalCues) -> (Vec<Said>, Vec<(String, usize)>) {
    let tokens = tokens(text, values);
    let skipped = skipped(&tokens, cues);
    let mut found: Vec<Said> = Vec::new();
    let mut plain: Vec<(String, usize)> = Vec::new();
    let mut name_goes_on = false;
    for (at, token) in tokens.iter().enumerate() {
        let joins = std::mem::take(&mut name_goes_on);
        if skipped[at] {
            continue;
        }
        if token.literal {
            let context = context(&plain, token.clause, cues);
            found.push((token.text.clone(), ItemKind::Value, token.clause, context));
            continue;
        }
        let bare = without_possessive(&token.text);
        if !token.first && is_name(bare) {
            name_goes_on = bare == token.text && tokens.get(at + 1).is_some_and(|next| next.clause == token.clause);
            match found.last_mut().filter(|last| joins && last.1 == ItemKind::Name) {
                Some(last) => last.0 = format!("{} {bare}", last.0),
                None => {
                    found.push((bare.to_owned(), ItemKind::Name, token.clause, context(&plain, token.clause, cues)));
                }
            }
            continue;
        }
        for word in cues.words(bare) {
            plain.push((word.clone(), token.clause));
            let short = word.chars().count() < 2 && !word.chars().all(|c| c.is_ascii_digit() || !c.is_ascii());
            let known = found.iter().any(|(text, kind, ..)| *kind == ItemKind::Word && alike(text, &word) >= 1.0);
            if !short && !known && !cues.is_idle(&word) {
                found.push((word, ItemKind::Word, token.clause, String::new()));
            }
        }
    }
    let mut seen: Vec<String> = Vec::new();
    found.retain(|(text, ..)| {
        let new = !seen.contains(text);
        seen.push(text.clone());
        new
    });
    (found, plain)
}

/// What is said right before a value: "mobile number 555" is about a mobile number, "called X" about a name.
fn context(plain: &[(String, usize)], clause: usize, cues: &GoalCues) -> String {
    let before: Vec<&str> = plain.iter().filter(|(_, at)| *at == clause).map(|(word, _)| word.as_str()).collect();
    if before.iter().rev().take(3).any(|word| among(&cues.naming, word)) {
        return cues.name_of.clone();
    }
    let telling: Vec<&str> = before.into_iter().filter(|word| !cues.is_idle(word)).collect();
    telling[telling.len().saturating_sub(2)..].join(" ")
}

/// Tokens that say where and not what ("in the … app"), or what was before ("from X to Y").
fn skipped(tokens: &[Token], cues: &GoalCues) -> Vec<bool> {
    let mut skipped = vec![false; tokens.len()];
    let word = |at: usize| tokens.get(at).filter(|token| !token.literal).map(|token| token.text.to_lowercase());
    let is = |at: usize, list: &[String]| word(at).is_some_and(|word| among(list, &word));
    for at in 0..tokens.len() {
        if is(at, &cues.app) {
            let start = (at.saturating_sub(4)..at).rev().find(|&before| is(before, &cues.within));
            if let Some(start) = start {
                skipped[start..=at].fill(true);
            }
        }
        if word(at).as_deref() == Some("from") && word(at + 2).as_deref() == Some("to") {
            skipped[at + 1] = true;
        }
    }
    skipped
}

/// Numbers of some length, and words with a dot, dash or underscore within: nothing a language has.
fn is_literal(token: &str) -> bool {
    let mut inner = false;
    let chars: Vec<char> = token.chars().collect();
    for around in chars.windows(3) {
        let joint = matches!(around[1], '.' | '_' | '-' | '@');
        inner |= joint && around[0].is_alphanumeric() && around[2].is_alphanumeric();
    }
    let plain = chars.iter().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '@'));
    let digits = chars.iter().all(char::is_ascii_digit);
    // "to-do", "pre-filled": a hyphen between small letters joins words of the language.
    let hyphenated = chars.iter().all(|c| *c == '-' || c.is_lowercase());
    if hyphenated {
        return false;
    }
    (digits && chars.len() >= 3) || (inner && plain && chars.iter().any(|c| c.is_alphabetic()))
}

fn is_name(token: &str) -> bool {
    // "I" is a word.
    token.chars().count() != 1
        && token.chars().next().is_some_and(char::is_uppercase)
        && token.chars().all(char::is_alphabetic)
}

fn without_possessive(token: &str) -> &str {
    token.strip_suffix("'s").or_else(|| token.strip_suffix("’s")).unwrap_or(token)
}

/// Words and quoted texts, each with the part of the sentence it stands in: parts end at commas and at "and".
fn tokens(text: &str, values: &[String]) -> Vec<Token> {
    const JOINTS: [&str; 2] = ["and", "then"];
    let mut tokens: Vec<Token> = Vec::new();
    let mut clause = 0;
    let mut begins_sentence = true;
    let mut rest = text;
    while !rest.is_empty() {
        let at_word = rest.len() == text.len() || !text[..text.len() - rest.len()].ends_with(char::is_alphanumeric);
        let value = || {
            let known = values.iter().filter(|value| !value.is_empty() && rest.starts_with(value.as_str()));
            let whole = |value: &&String| !rest[value.len()..].starts_with(char::is_alphanumeric);
            known.filter(whole).max_by_key(|value| value.len()).map(|value| (value.as_str(), value.len()))
        };
        if at_word && let Some((inner, length)) = quoted(rest).or_else(value) {
            tokens.push(Token { text: inner.to_owned(), literal: true, clause, first: false });
            rest = &rest[length..];
            begins_sentence = false;
            continue;
        }
        let Some(first) = rest.chars().next() else { break };
        if first.is_whitespace() || !first.is_alphanumeric() {
            clause += usize::from(matches!(first, ',' | ';' | '，' | '、'));
            // A sentence may end with a text in quotes.
            begins_sentence |= matches!(first, '.' | '!' | '?' | '。' | '！' | '？');
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let end =
            rest.find(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '"' | '“' | '”')).unwrap_or(rest.len());
        let word = rest[..end].trim_end_matches(['.', '!', '?', ':', ')', '%', '/']);
        let begins = std::mem::replace(&mut begins_sentence, ends_sentence(&rest[..end]));
        if JOINTS.contains(&word.to_lowercase().as_str()) {
            clause += 1;
        } else {
            // A share is a measure, not a number to be typed.
            let literal = is_literal(word) && !rest[..end].ends_with('%');
            tokens.push(Token { text: word.to_owned(), literal, clause, first: begins });
        }
        rest = &rest[end..];
    }
    tokens
}

/// The word ends a sentence; "Mr." and the like do not.
fn ends_sentence(word: &str) -> bool {
    let short = word.chars().count() <= 4 && word.starts_with(char::is_uppercase);
    word.ends_with(['!', '?', '。', '！', '？']) || (word.ends_with('.') && !short)
}

/// The quoted text that begins here, and how long it is with its quotes.
fn quoted(rest: &str) -> Option<(&str, usize)> {
    const PAIRS: [(char, char); 4] = [('\'', '\''), ('"', '"'), ('“', '”'), ('‘', '’')];
    let open = rest.chars().next()?;
    let (_, close) = PAIRS.iter().find(|(begin, _)| *begin == open)?;
    let inner = &rest[open.len_utf8()..];
    let mut from = 0;
    while let Some(at) = inner[from..].find(*close).map(|at| at + from) {
        let after = &inner[at + close.len_utf8()..];
        // An apostrophe within a word ends nothing.
        if at > 0 && !after.starts_with(char::is_alphanumeric) {
            return Some((&inner[..at], rest.len() - after.len()));
        }
        from = at + close.len_utf8();
    }
    None
}
