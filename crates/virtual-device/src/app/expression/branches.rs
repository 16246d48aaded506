//! The parts of an expression that its first value does not reach: behind `&&` and `||`, and in the other half of an `if`.

/// Expressions that reach parts `source` leaves out: with both sides of every `&&` and `||`, once with the conditions of
/// `if` as they are and once turned round. None for an expression without such parts, and none where it asks for types
/// itself.
pub(in super::super) fn branches(source: &str) -> Vec<String> {
    if source.contains("type_of") {
        return Vec::new();
    }
    let (eager, ifs) = eager(source);
    let mut all = Vec::new();
    if eager != source {
        all.push(eager.clone());
    }
    if !ifs.is_empty() {
        let mut turned = eager;
        // From the end, so that places before stay where they are.
        for (from, to) in ifs.into_iter().rev() {
            turned.insert(to, ')');
            turned.insert_str(from, "!(");
        }
        all.push(turned);
    }
    all
}

/// The text with `&` for `&&` and `|` for `||`, and where the conditions of its `if`s begin and end.
fn eager(source: &str) -> (String, Vec<(usize, usize)>) {
    let mut out = String::with_capacity(source.len());
    let mut ifs = Vec::new();
    let mut open: Vec<(usize, u32)> = Vec::new();
    let (mut quote, mut escaped, mut depth) = (None, false, 0_u32);
    let mut word = String::new();
    for character in source.chars() {
        if let Some(mark) = quote {
            out.push(character);
            if !escaped && character == mark {
                quote = None;
            }
            escaped = !escaped && character == '\\';
            continue;
        }
        let ended = std::mem::take(&mut word);
        match character {
            '"' | '`' | '\'' => quote = Some(character),
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '{' if !out.ends_with('#') => {
                // The block of the innermost `if` whose condition is complete.
                if let Some((from, _)) = open.pop_if(|(_, of)| *of == depth) {
                    ifs.push((from, out.trim_end().len()));
                }
            }
            // A closure without parameters (`||`) is no choice.
            '&' | '|' if out.ends_with(character) && !is_closure(&out, character) => continue,
            ' ' | '\n' if ended == "if" => open.push((out.len() + 1, depth)),
            _ if character.is_alphanumeric() || character == '_' => {
                word = ended;
                word.push(character);
            }
            _ => {}
        }
        out.push(character);
    }
    ifs.sort_unstable();
    (out, ifs)
}

/// Whether a bar ends a closure's empty list of parameters: `(|| 1)`.
fn is_closure(before: &str, character: char) -> bool {
    let earlier = before[..before.len() - 1].trim_end();
    character == '|' && (earlier.is_empty() || earlier.ends_with(['(', ',', '=']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_and_both_halves_are_reached() {
        for (source, wanted) in [
            ("a && b.x() || c", &["a & b.x() | c"] as &[&str]),
            ("\"a && b\"", &[]),
            ("items.filter(|x| x.a && x.b)", &["items.filter(|x| x.a & x.b)"]),
            ("f(|| 1)", &[]),
            ("if a { b.x() } else { c.y() }", &["if !(a) { b.x() } else { c.y() }"]),
            (
                "if a && f(1) { b } else if c { d }",
                &["if a & f(1) { b } else if c { d }", "if !(a & f(1)) { b } else if !(c) { d }"],
            ),
            ("type_of(a) == \"string\" && a.len() > 0", &[]),
        ] {
            assert_eq!(branches(source), wanted, "{source}");
        }
    }
}
