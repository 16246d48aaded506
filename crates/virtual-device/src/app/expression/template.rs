//! Texts with `{{ expression }}` parts.

/// A text with `{{ expression }}` parts.
#[derive(Debug, PartialEq, Eq)]
pub(in super::super) struct Template {
    pub(super) pieces: Vec<Piece>,
}

/// A part of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Literal(String),
    Expression(String),
}

impl Template {
    /// Splits a text at its `{{ }}` parts. An unclosed `{{` is literal text.
    pub(in super::super) fn parse(text: &str) -> Self {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            let Some((expression, tail)) = after.split_once("}}") else { break };
            if !before.is_empty() {
                pieces.push(Piece::Literal(before.to_owned()));
            }
            pieces.push(Piece::Expression(expression.trim().to_owned()));
            rest = tail;
        }
        if !rest.is_empty() {
            pieces.push(Piece::Literal(rest.to_owned()));
        }
        Self { pieces }
    }

    /// The expressions in it.
    pub(in super::super) fn expressions(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Expression(source) => Some(source.as_str()),
            Piece::Literal(_) => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_split_at_their_expressions() {
        let template = Template::parse("Pay {{ a }} to {{b}}!");
        assert_eq!(template.expressions().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(Template::parse("open {{ never closed").expressions().count(), 0);
    }
}
