//! The parts of a goal: what it asks for one after another, as far as its sentence tells.

use crate::domain::{words, writes_without_spaces};
use crate::lexicon::{Grammar, Lexicon};

/// Marks that end a sentence: what follows is a part of its own.
const ENDS: &str = ".?!。？！…";
/// Marks that may stand between two parts.
const PAUSES: &str = ",;:，；：";
/// Words that begin another part whatever follows.
const THEN: &[&str] = &[
    "then",
    "afterwards",
    "afterward",
    "dann",
    "danach",
    "anschließend",
    "puis",
    "ensuite",
    "après",
    "luego",
    "después",
    "entonces",
    "poi",
    "dopo",
    "depois",
    "então",
    "daarna",
    "vervolgens",
    "然后",
    "再",
    "接着",
];
/// Words that begin another part where it says what is to be done.
pub(super) const AND: &[&str] =
    &["and", "but", "und", "aber", "et", "mais", "y", "e", "pero", "ma", "mas", "en", "maar"];

/// A goal's parts in their order; one for a goal that asks for one thing. Texts in quotation marks and `names` are left
/// whole.
pub(crate) fn parts(text: &str, names: &[String], lexicon: &Lexicon) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (piece, joint) in pieces(text, names) {
        let telling = words(&piece).iter().any(|word| !lexicon.is_stop_word(word));
        let asks = !lexicon.verbs(&piece).is_empty();
        let own = telling && (joint == Joint::Sentence || joint == Joint::Then || asks);
        match found.last_mut() {
            Some(last) if !own || lexicon.verbs(last).is_empty() && joint == Joint::And => {
                last.push_str(if last.chars().any(writes_without_spaces) { "，" } else { " " });
                last.push_str(&piece);
            }
            _ => found.push(piece),
        }
    }
    found
}

/// The phrases of an instruction, each with a word that tells something: cut at every mark and word that may join two things, also
/// where the second has no verb. Texts in quotation marks and `names` are left whole. What is said no to is left out.
pub(crate) fn phrases(text: &str, names: &[String], lexicon: &Lexicon) -> Vec<String> {
    let tells = |piece: &String| {
        let all = words(piece);
        all.iter().any(|word| !lexicon.is_stop_word(word)) && !lexicon.holds(Grammar::Negation, piece)
    };
    pieces(text, names).into_iter().map(|(piece, _)| piece).filter(tells).collect()
}

/// What stands before a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// The end of a sentence.
    Sentence,
    /// A word that says that it comes after.
    Then,
    /// A comma or a word that joins.
    And,
}

/// The text cut at every mark and word that may join two parts.
fn pieces(text: &str, names: &[String]) -> Vec<(String, Joint)> {
    let mut found: Vec<(String, Joint)> = Vec::new();
    let (mut piece, mut joint) = (String::new(), Joint::Sentence);
    let mut close = |piece: &mut String, joint: Joint| {
        let whole = piece.trim().to_owned();
        piece.clear();
        if !whole.is_empty() {
            found.push((whole, joint));
        }
    };
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let begins =
            piece.chars().next_back().is_none_or(|before| !before.is_alphanumeric() || writes_without_spaces(before));
        if begins && let Some(whole) = whole_at(rest, names) {
            piece.push_str(whole);
            rest = &rest[whole.len()..];
            continue;
        }
        let after = &rest[first.len_utf8()..];
        let ends =
            ENDS.contains(first) && (after.starts_with(char::is_whitespace) || after.is_empty() || !first.is_ascii());
        let pauses = PAUSES.contains(first) && (!first.is_ascii() || after.starts_with(char::is_whitespace));
        if ends || pauses {
            close(&mut piece, joint);
            joint = if ends { Joint::Sentence } else { Joint::And };
            rest = after;
            continue;
        }
        if begins && let Some((word, own)) = joined_by(rest) {
            let bare = piece.trim().is_empty();
            close(&mut piece, joint);
            // ", and then": the strongest of them tells.
            joint = if bare && joint != Joint::And { joint } else { own };
            rest = &rest[word..];
            continue;
        }
        piece.push(first);
        rest = after;
    }
    close(&mut piece, joint);
    found
}

/// A text in quotation marks or a name that stands here.
fn whole_at<'t>(rest: &'t str, names: &[String]) -> Option<&'t str> {
    const PAIRS: [(char, char); 4] = [('"', '"'), ('“', '”'), ('‘', '’'), ('「', '」')];
    let name =
        names.iter().filter(|name| !name.is_empty() && rest.starts_with(name.as_str())).max_by_key(|name| name.len());
    if let Some(name) = name {
        return rest.get(..name.len());
    }
    let open = rest.chars().next()?;
    let (_, close) = PAIRS.iter().find(|(begin, _)| *begin == open)?;
    let end = rest[open.len_utf8()..].find(*close)?;
    rest.get(..open.len_utf8() + end + close.len_utf8())
}

/// The length of the word that joins two parts here, and how.
fn joined_by(rest: &str) -> Option<(usize, Joint)> {
    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    let word = rest.get(..end)?.to_lowercase();
    if THEN.contains(&word.as_str()) {
        return Some((end, Joint::Then));
    }
    if AND.contains(&word.as_str()) {
        return Some((end, Joint::And));
    }
    let unspaced = THEN.iter().find(|then| then.chars().all(writes_without_spaces) && rest.starts_with(**then));
    unspaced.map(|then| (then.len(), Joint::Then))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_parted_where_it_asks_for_another_thing() {
        let lexicon = Lexicon::bundled().unwrap();
        let check = |text: &str, names: &[&str], expected: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(parts(text, &names, &lexicon), expected, "{text}");
        };
        check("Open the drafts and delete the oldest one", &[], &["Open the drafts", "delete the oldest one"]);
        check("Open the salt and pepper shop", &[], &["Open the salt pepper shop"]);
        check("Show the oldest tree, then the tallest", &[], &["Show the oldest tree", "the tallest"]);
        check("How is it counted? The terms, please", &[], &["How is it counted", "The terms please"]);
        check("Open \"This and that\" and share it", &[], &["Open \"This and that\"", "share it"]);
        check(
            "Open Nuts and open more and close it",
            &["Nuts and open more"],
            &["Open Nuts and open more", "close it"],
        );
        check("打开设置，然后删除账号", &[], &["打开设置", "删除账号"]);
        check("Version 3.5", &[], &["Version 3.5"]);
    }

    #[test]
    fn a_phrase_needs_no_verb() {
        let lexicon = Lexicon::bundled().unwrap();
        let check = |text: &str, names: &[&str], expected: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(phrases(text, &names, &lexicon), expected, "{text}");
        };
        check("Settings, privacy", &[], &["Settings", "privacy"]);
        check(
            "Set the start to Noon and Night and the reason to holiday",
            &["Noon and Night"],
            &["Set the start to Noon and Night", "the reason to holiday"],
        );
        check("Open the drafts", &[], &["Open the drafts"]);
        check("Sign in, but not with the fingerprint", &[], &["Sign in"]);
    }
}
