//! Tokens to commands.

use super::lexer::{Part, RedirectKind, SyntaxError, Token, Word, lex};

/// A redirection of one command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Redirect {
    /// To or from a file.
    File { fd: u8, kind: RedirectKind, path: Word },
    /// `2>&1`.
    Duplicate { fd: u8, from: u8 },
}

/// `echo hi >file`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct SimpleCommand {
    pub(super) words: Vec<Word>,
    pub(super) redirects: Vec<Redirect>,
}

/// When a pipeline runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Condition {
    /// After `;` or at the beginning.
    Always,
    /// After `&&`.
    Success,
    /// After `||`.
    Failure,
}

/// `a | b`, and when it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pipeline {
    pub(super) condition: Condition,
    pub(super) stages: Vec<SimpleCommand>,
}

/// Parses a whole script.
pub(super) fn parse(script: &str) -> Result<Vec<Pipeline>, SyntaxError> {
    let mut pipelines: Vec<Pipeline> = Vec::new();
    let mut condition = Condition::Always;
    let mut stages: Vec<SimpleCommand> = Vec::new();
    let mut current = SimpleCommand::default();
    let mut tokens = lex(script)?.into_iter();
    let empty = |command: &SimpleCommand| command.words.is_empty() && command.redirects.is_empty();
    // A word that begins a compound command would otherwise be looked up as a program.
    let reserved =
        ["if", "then", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "{", "}", "!", "[["];
    while let Some(token) = tokens.next() {
        match token {
            Token::Word(word) => {
                if let [Part::Text { text, quoted: false }] = word.as_slice()
                    && current.words.is_empty()
                    && reserved.contains(&text.as_str())
                {
                    return Err(SyntaxError::Unexpected(text.clone()));
                }
                current.words.push(word);
            }
            Token::Redirect { fd, kind } => match tokens.next() {
                Some(Token::Word(path)) => current.redirects.push(Redirect::File { fd, kind, path }),
                other => return Err(SyntaxError::Unexpected(name(other.as_ref()).to_owned())),
            },
            Token::Duplicate { fd, from } => current.redirects.push(Redirect::Duplicate { fd, from }),
            Token::Pipe => {
                if empty(&current) {
                    return Err(SyntaxError::Unexpected("|".to_owned()));
                }
                stages.push(std::mem::take(&mut current));
            }
            Token::Semicolon | Token::And | Token::Or => {
                let next = match token {
                    Token::And => Condition::Success,
                    Token::Or => Condition::Failure,
                    _ => Condition::Always,
                };
                if empty(&current) {
                    // Newlines may follow each other and an operator; `a && ; b` and `; ;` may not, but a person's
                    // stray semicolon is worth less than a device that hangs up, so only operators are refused.
                    if next != Condition::Always || !stages.is_empty() {
                        return Err(SyntaxError::Unexpected(name(Some(&token)).to_owned()));
                    }
                    continue;
                }
                stages.push(std::mem::take(&mut current));
                pipelines.push(Pipeline { condition, stages: std::mem::take(&mut stages) });
                condition = next;
            }
        }
    }
    if !empty(&current) {
        stages.push(current);
        pipelines.push(Pipeline { condition, stages });
    } else if !stages.is_empty() || condition != Condition::Always {
        return Err(SyntaxError::Unexpected("newline".to_owned()));
    }
    Ok(pipelines)
}

fn name(token: Option<&Token>) -> &'static str {
    match token {
        Some(Token::And) => "&&",
        Some(Token::Or) => "||",
        Some(Token::Pipe) => "|",
        Some(Token::Semicolon) => ";",
        Some(Token::Redirect { .. } | Token::Duplicate { .. }) => ">",
        Some(Token::Word(_)) => "word",
        None => "newline",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn conditions_pipes_and_redirections_are_told_apart() {
        let script = parse("a 1 | b 2>/dev/null && c >>f 2>&1 || d; e").unwrap();
        let shape: Vec<_> = script.iter().map(|p| (p.condition, p.stages.len())).collect();
        assert_eq!(
            shape,
            [(Condition::Always, 2), (Condition::Success, 1), (Condition::Failure, 1), (Condition::Always, 1),]
        );
        assert_eq!(script[1].stages[0].redirects.len(), 2);
    }

    #[test]
    fn what_is_not_supported_is_a_syntax_error() {
        for script in ["echo $(id)", "echo `id`", "a &", "(a)", "a |", "a &&", "&& a", "echo 'x", "if true", "a >"] {
            assert!(parse(script).is_err(), "{script}");
        }
    }

    proptest! {
        #[test]
        fn no_script_makes_the_parser_panic(script: String) {
            let _either = parse(&script);
        }
    }
}
