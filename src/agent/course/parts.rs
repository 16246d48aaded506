//! A step taken apart: what is to be done one after another, each part a small step of its own.

use super::reading::Reading;
use crate::agent::step::Step;
use crate::domain::{content_words, stem, words};
use crate::form::Parameter;
use crate::hierarchy::Screen;

/// What a part says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartKind {
    /// What is to be done.
    Deed,
    /// How or where it is done.
    Means,
    /// What is chosen behind the part before.
    Choice,
}

/// A part of a step.
#[derive(Debug, Clone)]
pub(in crate::agent) struct Part {
    /// It as a step.
    pub step: Step,
    /// What it says.
    pub(super) kind: PartKind,
    /// It is done several times.
    pub(super) repeated: bool,
    /// The touch that does the part before does this one too: "open it" after "find the thread".
    pub(super) echoes: bool,
}

/// Takes a step apart, in the order in which things are done. A step that says one thing is its only part. What a label
/// on the screen says as a whole is not taken apart.
pub(super) fn parts(step: &Step, parameters: &[Parameter], screen: &Screen, reading: &Reading) -> Vec<Part> {
    let text = step.instruction.trim().trim_end_matches(['.', '!', '。']);
    let hidden = hidden(text, step, screen);
    let mut found: Vec<(PartKind, String)> = Vec::new();
    if says_something(&step.context, reading) {
        found.push((PartKind::Means, step.context.clone()));
    }
    let mut from = 0;
    let mut joints: Vec<(usize, usize)> =
        reading.joint.find_iter(&hidden).map(|found| (found.start(), found.end())).collect();
    joints.push((text.len(), text.len()));
    let last = joints.len();
    for (number, (start, end)) in joints.into_iter().enumerate() {
        if start < from {
            continue;
        }
        let (piece, shown) = (&text[from..start], &hidden[from..start]);
        let comma = text.get(start..end).is_some_and(|joint| joint.contains(','));
        if says_something(piece, reading) {
            clause(piece, shown, comma && number + 1 < last, reading, &mut found);
        }
        from = end;
    }
    if found.len() < 2 {
        return vec![Part { step: step.clone(), kind: PartKind::Deed, repeated: false, echoes: false }];
    }
    let is_twice = |text: &str| found.iter().filter(|(_, other)| other == text).count() > 1;
    let echoes = |at: usize, text: &str| {
        let before = at.checked_sub(1).and_then(|before| found.get(before));
        reading.opening.is_match(text.trim()) && before.is_some_and(|(_, before)| reading.finding.is_match(before))
    };
    let part = |(at, (kind, text)): (usize, &(PartKind, String))| Part {
        step: sub_step(step, parameters, text),
        kind: *kind,
        repeated: is_twice(text),
        echoes: echoes(at, text),
    };
    let mut parts: Vec<Part> = found.iter().enumerate().map(part).collect();
    // What no part speaks of may belong to any.
    let orphans: Vec<String> = step
        .mentions
        .iter()
        .filter(|name| !parts.iter().any(|part| part.step.mentions.contains(name)))
        .cloned()
        .collect();
    for part in &mut parts {
        part.step.reserved.retain(|name| !orphans.contains(name));
        part.step.mentions.extend(orphans.iter().cloned());
    }
    parts
}

/// A piece that says nothing by itself ("do it") belongs to what was said before.
fn says_something(piece: &str, reading: &Reading) -> bool {
    content_words(piece).iter().any(|word| !reading.pronouns.contains(word))
}

/// One clause: its means, what is done, and what is chosen behind that.
fn clause(piece: &str, shown: &str, leads: bool, reading: &Reading, found: &mut Vec<(PartKind, String)>) {
    // What is only told apart from the target would be taken for it.
    let end = reading.contrast.find(shown).map_or(piece.len(), |found| found.start());
    if end == 0 && !found.is_empty() {
        return;
    }
    let (piece, shown) = if end == 0 { (piece, shown) } else { (&piece[..end], &shown[..end]) };
    if leads && reading.leading.is_match(shown) {
        found.push((PartKind::Means, piece.to_owned()));
        return;
    }
    let whats = [&reading.r#use, &reading.means, &reading.within];
    let means = whats.iter().find_map(|pattern| Some((pattern.find(shown)?, pattern.captures(shown)?.name("what")?)));
    let mut rest = piece.to_owned();
    let mut means_text = None;
    if let Some((whole, what)) = means {
        means_text = Some(piece[what.start()..what.end()].to_owned());
        let after = if whole.end() < piece.len() { format!(" {}", &piece[whole.end()..]) } else { String::new() };
        format!("{}{after}", &piece[..whole.start()]).trim().clone_into(&mut rest);
    }
    match means_text {
        Some(_) if !says_something(&rest, reading) => found.push((PartKind::Means, piece.to_owned())),
        Some(means) => {
            found.push((PartKind::Means, means));
            deed(&rest, &rest, reading, found);
        }
        // "…, lasting ten seconds" tells what something is like.
        None if !found.is_empty() && is_participle(piece) => found.push((PartKind::Means, piece.to_owned())),
        None => deed(&rest, shown, reading, found),
    }
}

/// A piece that begins with an English participle tells what something is like, not what is done.
fn is_participle(piece: &str) -> bool {
    let first = words(piece).into_iter().next().unwrap_or_default();
    first.len() > 5 && first.ends_with("ing") && stem(&first) != first
}

fn deed(piece: &str, shown: &str, reading: &Reading, found: &mut Vec<(PartKind, String)>) {
    let times = match () {
        () if reading.twice.is_match(shown) => 2,
        () if reading.thrice.is_match(shown) => 3,
        () => 1,
    };
    for _ in 0..times {
        let turned =
            reading.turning.captures(shown).and_then(|found| Some((found.name("what")?, found.name("value")?)));
        match turned {
            Some((what, value))
                if says_something(what.as_str(), reading) && says_something(value.as_str(), reading) =>
            {
                found.push((PartKind::Deed, piece[..what.end()].to_owned()));
                found.push((PartKind::Choice, piece[value.start()..].to_owned()));
            }
            _ => found.push((PartKind::Deed, piece.to_owned())),
        }
    }
}

/// The text with quotations, values and whole labels made unreadable, byte for byte.
fn hidden(text: &str, step: &Step, screen: &Screen) -> String {
    let mut hidden = text.to_owned();
    let labels = screen.widgets.iter().map(|widget| widget.label.as_str()).filter(|label| words(label).len() > 1);
    for name in step.named.iter().chain(&step.quoted).map(String::as_str).chain(labels) {
        let mut from = 0;
        while let Some(at) = (!name.is_empty()).then(|| hidden[from..].find(name)).flatten() {
            hidden.replace_range(from + at..from + at + name.len(), &"x".repeat(name.len()));
            from += at + name.len();
        }
    }
    hidden
}

/// A part as a step: with those of the step's names and parameters that it speaks of.
fn sub_step(step: &Step, parameters: &[Parameter], text: &str) -> Step {
    let lower = text.to_lowercase();
    let said = |name: &&String| lower.contains(&name.to_lowercase());
    let value = |name: &str| parameters.iter().find(|parameter| parameter.name == name);
    let own = words(text);
    let mentioned = |name: &&String| {
        value(name).is_some_and(|parameter| {
            let value = parameter.value.expose();
            (!value.is_empty() && !parameter.value.is_secret() && text.contains(value))
                || words(&parameter.words()).iter().all(|word| own.contains(word))
        })
    };
    let mentions: Vec<String> = step.mentions.iter().filter(mentioned).cloned().collect();
    let others = step.mentions.iter().filter(|name| !mentions.contains(name));
    Step {
        claims: Vec::new(),
        quantity: step.quantity,
        index: step.index,
        original: step.original.clone(),
        instruction: text.to_owned(),
        sentence: text.to_owned(),
        context: String::new(),
        hints: step.hints.clone(),
        reserved: step.reserved.iter().chain(others).cloned().collect(),
        mentions,
        quoted: step.quoted.iter().filter(said).cloned().collect(),
        named: step.named.iter().filter(said).cloned().collect(),
    }
}

#[cfg(test)]
#[path = "parts_tests.rs"]
mod tests;
