//! Text to tokens.

/// Part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// Characters as they are; unquoted ones may be a pattern.
    Text { text: String, quoted: bool },
    /// `$name`, `${name}` or `$?`; an unquoted one is split at white space.
    Variable { name: String, quoted: bool },
}

/// A word; one without parts came from empty quotes only if `Text` parts say so.
pub(super) type Word = Vec<Part>;

/// What stands between words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A word.
    Word(Word),
    /// `;` or a newline.
    Semicolon,
    /// `&&`.
    And,
    /// `||`.
    Or,
    /// `|`.
    Pipe,
    /// `2>>` and its relatives; the target is the next word.
    Redirect { fd: u8, kind: RedirectKind },
    /// `2>&1`.
    Duplicate { fd: u8, from: u8 },
}

/// Direction of a redirection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RedirectKind {
    /// `>`.
    Write,
    /// `>>`.
    Append,
    /// `<`.
    Read,
}

/// Why a line is not understood; prints after `/system/bin/sh: `.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum SyntaxError {
    /// A quote without its partner.
    #[error("no closing quote")]
    Quote,
    /// Anything else, with the offending text.
    #[error("syntax error: unexpected '{0}'")]
    Unexpected(String),
}

/// Splits a script into tokens.
pub(super) fn lex(script: &str) -> Result<Vec<Token>, SyntaxError> {
    Lexer { chars: script.chars().collect(), at: 0, tokens: Vec::new(), word: None }.run()
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    tokens: Vec<Token>,
    word: Option<Word>,
}

impl Lexer {
    fn run(mut self) -> Result<Vec<Token>, SyntaxError> {
        while let Some(c) = self.next() {
            match c {
                ' ' | '\t' | '\r' => self.end_word(),
                '\n' | ';' => self.operator(Token::Semicolon),
                '#' if self.word.is_none() => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.at += 1;
                    }
                }
                '&' if self.take('&') => self.operator(Token::And),
                '&' => return Err(SyntaxError::Unexpected("&".to_owned())),
                '|' if self.take('|') => self.operator(Token::Or),
                '|' => self.operator(Token::Pipe),
                '>' | '<' => self.redirect(c)?,
                '(' | ')' | '`' => return Err(SyntaxError::Unexpected(c.to_string())),
                '\'' => self.single_quotes()?,
                '"' => self.double_quotes()?,
                '\\' => match self.next() {
                    Some('\n') => {}
                    Some(escaped) => self.push(escaped, true),
                    None => self.push('\\', true),
                },
                '$' => self.variable(false)?,
                other => self.push(other, false),
            }
        }
        self.end_word();
        Ok(self.tokens)
    }

    fn next(&mut self) -> Option<char> {
        let c = self.chars.get(self.at).copied();
        self.at += usize::from(c.is_some());
        c
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn end_word(&mut self) {
        if let Some(word) = self.word.take() {
            self.tokens.push(Token::Word(word));
        }
    }

    fn operator(&mut self, token: Token) {
        self.end_word();
        self.tokens.push(token);
    }

    fn push(&mut self, c: char, quoted: bool) {
        let word = self.word.get_or_insert_default();
        match word.last_mut() {
            Some(Part::Text { text, quoted: same }) if *same == quoted => text.push(c),
            _ => word.push(Part::Text { text: c.to_string(), quoted }),
        }
    }

    fn redirect(&mut self, c: char) -> Result<(), SyntaxError> {
        let default = u8::from(c == '>');
        // A word of one digit directly before `>` names the descriptor.
        let fd = match self.word.as_deref() {
            Some([Part::Text { text, quoted: false }]) if matches!(text.as_str(), "0" | "1" | "2") => {
                let fd = text.as_bytes()[0] - b'0';
                self.word = None;
                fd
            }
            _ => default,
        };
        self.end_word();
        if self.take('&') {
            let from = match self.next() {
                Some('1') => 1,
                Some('2') => 2,
                other => return Err(SyntaxError::Unexpected(other.map_or("newline".to_owned(), String::from))),
            };
            self.tokens.push(Token::Duplicate { fd, from });
        } else {
            let kind = match c {
                '<' => RedirectKind::Read,
                _ if self.take('>') => RedirectKind::Append,
                _ => RedirectKind::Write,
            };
            self.tokens.push(Token::Redirect { fd, kind });
        }
        Ok(())
    }

    fn single_quotes(&mut self) -> Result<(), SyntaxError> {
        // Empty quotes are an empty word.
        self.word.get_or_insert_default().push(Part::Text { text: String::new(), quoted: true });
        loop {
            match self.next().ok_or(SyntaxError::Quote)? {
                '\'' => return Ok(()),
                c => self.push(c, true),
            }
        }
    }

    fn double_quotes(&mut self) -> Result<(), SyntaxError> {
        self.word.get_or_insert_default().push(Part::Text { text: String::new(), quoted: true });
        loop {
            match self.next().ok_or(SyntaxError::Quote)? {
                '"' => return Ok(()),
                '\\' => match self.next().ok_or(SyntaxError::Quote)? {
                    '\n' => {}
                    c @ ('"' | '\\' | '$' | '`') => self.push(c, true),
                    c => {
                        self.push('\\', true);
                        self.push(c, true);
                    }
                },
                '`' => return Err(SyntaxError::Unexpected("`".to_owned())),
                '$' => self.variable(true)?,
                c => self.push(c, true),
            }
        }
    }

    fn variable(&mut self, quoted: bool) -> Result<(), SyntaxError> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = match self.peek() {
            Some('?') => {
                self.at += 1;
                "?".to_owned()
            }
            Some('(') => return Err(SyntaxError::Unexpected("$(".to_owned())),
            Some('{') => {
                self.at += 1;
                let mut name = String::new();
                loop {
                    match self.next().ok_or(SyntaxError::Quote)? {
                        '}' if !name.is_empty() => break name,
                        c if is_name(c) || c == '?' => name.push(c),
                        c => return Err(SyntaxError::Unexpected(format!("${{{name}{c}"))),
                    }
                }
            }
            Some(c) if is_name(c) => {
                let mut name = String::new();
                while let Some(c) = self.peek().filter(|c| is_name(*c)) {
                    name.push(c);
                    self.at += 1;
                }
                name
            }
            _ => {
                self.push('$', quoted);
                return Ok(());
            }
        };
        self.word.get_or_insert_default().push(Part::Variable { name, quoted });
        Ok(())
    }
}
