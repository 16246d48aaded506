//! Text to words: quotes, variables and substitutions.

use super::parser::Parser;
use super::syntax::{Change, End, List, Part, SyntaxError, Word};

/// Where a word ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At white space and operators.
    Command,
    /// At `}`.
    Braces,
    /// At `))`.
    Arithmetic,
}

impl Parser {
    /// The word that begins here; `None` at an operator, a newline or the end.
    pub(super) fn word(&mut self) -> Result<Option<Word>, SyntaxError> {
        let word = self.word_in(Place::Command)?;
        Ok((!word.is_empty()).then_some(word))
    }

    fn word_in(&mut self, place: Place) -> Result<Word, SyntaxError> {
        let mut word = Word::new();
        let mut parentheses = 0_usize;
        while let Some(c) = self.peek() {
            match place {
                Place::Command if c.is_ascii_whitespace() || ";&|<>()".contains(c) => break,
                Place::Braces if c == '}' => break,
                Place::Arithmetic if c == '(' => parentheses += 1,
                Place::Arithmetic if c == ')' && parentheses == 0 => break,
                Place::Arithmetic if c == ')' => parentheses -= 1,
                _ => {}
            }
            self.at += 1;
            match c {
                '\'' if place != Place::Arithmetic => self.single_quotes(&mut word)?,
                '"' => self.deeper(|parser| parser.double_quotes(&mut word))?,
                '\\' => match self.next() {
                    Some('\n') => {}
                    Some(escaped) => push(&mut word, escaped, true),
                    None => push(&mut word, '\\', true),
                },
                '$' => self.deeper(|parser| parser.dollar(&mut word, false))?,
                '`' => self.backquotes(&mut word, false)?,
                other => push(&mut word, other, false),
            }
        }
        Ok(word)
    }

    fn single_quotes(&mut self, word: &mut Word) -> Result<(), SyntaxError> {
        // Empty quotes are an empty word.
        word.push(Part::Text { text: String::new(), quoted: true });
        loop {
            match self.next().ok_or(SyntaxError::Quote)? {
                '\'' => return Ok(()),
                c => push(word, c, true),
            }
        }
    }

    fn double_quotes(&mut self, word: &mut Word) -> Result<(), SyntaxError> {
        word.push(Part::Text { text: String::new(), quoted: true });
        loop {
            match self.next().ok_or(SyntaxError::Quote)? {
                '"' => return Ok(()),
                '\\' => match self.next().ok_or(SyntaxError::Quote)? {
                    '\n' => {}
                    c @ ('"' | '\\' | '$' | '`') => push(word, c, true),
                    c => {
                        push(word, '\\', true);
                        push(word, c, true);
                    }
                },
                '`' => self.backquotes(word, true)?,
                '$' => self.deeper(|parser| parser.dollar(word, true))?,
                c => push(word, c, true),
            }
        }
    }

    /// `` `…` ``: backslashes before `$`, a backquote and a backslash go, the rest is a script.
    fn backquotes(&mut self, word: &mut Word, quoted: bool) -> Result<(), SyntaxError> {
        let mut inner = String::new();
        loop {
            match self.next().ok_or(SyntaxError::Quote)? {
                '`' => break,
                '\\' => match self.next().ok_or(SyntaxError::Quote)? {
                    c @ ('$' | '`' | '\\') => inner.push(c),
                    c => inner.extend(['\\', c]),
                },
                c => inner.push(c),
            }
        }
        let script = self.deeper(|_| super::parser::parse(&inner))?;
        word.push(Part::Substitution { script, quoted });
        Ok(())
    }

    fn substitution(&mut self) -> Result<List, SyntaxError> {
        let script = self.list()?;
        if self.take(")") { Ok(script) } else { Err(SyntaxError::Quote) }
    }

    /// What follows a `$`.
    fn dollar(&mut self, word: &mut Word, quoted: bool) -> Result<(), SyntaxError> {
        let plain = |name: String| Part::Variable { name, change: Change::None, quoted };
        match self.peek() {
            Some('(') if self.peek_at(1) == Some('(') => {
                self.at += 2;
                let expression = self.word_in(Place::Arithmetic)?;
                if !self.take("))") {
                    return Err(SyntaxError::Quote);
                }
                word.push(Part::Arithmetic { expression, quoted });
            }
            Some('(') => {
                self.at += 1;
                let script = self.substitution()?;
                word.push(Part::Substitution { script, quoted });
            }
            Some('{') => {
                self.at += 1;
                let part = self.braces(quoted)?;
                word.push(part);
            }
            Some('\'') if !quoted => {
                self.at += 1;
                self.c_quotes(word)?;
            }
            Some(c @ ('?' | '#' | '@' | '*' | '$' | '!' | '0'..='9')) => {
                self.at += 1;
                word.push(plain(c.to_string()));
            }
            Some(c) if is_name(c) => {
                let name = self.take_name();
                word.push(plain(name));
            }
            _ => push(word, '$', quoted),
        }
        Ok(())
    }

    /// `$'…'` with backslash escapes.
    fn c_quotes(&mut self, word: &mut Word) -> Result<(), SyntaxError> {
        word.push(Part::Text { text: String::new(), quoted: true });
        loop {
            let c = match self.next().ok_or(SyntaxError::Quote)? {
                '\'' => return Ok(()),
                '\\' => match self.next().ok_or(SyntaxError::Quote)? {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    c => c,
                },
                c => c,
            };
            push(word, c, true);
        }
    }

    fn take_name(&mut self) -> String {
        let length = self.chars[self.at..].iter().take_while(|c| is_name(**c)).count();
        let name = self.chars[self.at..self.at + length].iter().collect();
        self.at += length;
        name
    }

    fn braces(&mut self, quoted: bool) -> Result<Part, SyntaxError> {
        let begin = self.at;
        let length = self.peek() == Some('#') && self.peek_at(1).is_some_and(|c| is_name(c) || c == '@');
        self.at += usize::from(length);
        let name = match self.peek() {
            Some(c @ ('?' | '#' | '@' | '*' | '$' | '!')) => {
                self.at += 1;
                c.to_string()
            }
            _ => self.take_name(),
        };
        let change = if length {
            Change::Length
        } else {
            let colon = self.take(":");
            match self.peek() {
                Some('}') if !colon => Change::None,
                Some('-') => Change::Default { word: self.operand()?, colon },
                Some('=') => Change::Assign { word: self.operand()?, colon },
                Some('+') => Change::Alternative { word: self.operand()?, colon },
                Some(c @ ('#' | '%')) if !colon => {
                    let longest = self.peek_at(1) == Some(c);
                    self.at += usize::from(longest);
                    let end = if c == '#' { End::Front } else { End::Back };
                    Change::Remove { pattern: self.operand()?, end, longest }
                }
                None => return Err(SyntaxError::Quote),
                Some(_) => return Err(self.bad_substitution(begin)),
            }
        };
        if self.peek().is_none() {
            return Err(SyntaxError::Quote);
        }
        if name.is_empty() || !self.take("}") {
            return Err(self.bad_substitution(begin));
        }
        Ok(Part::Variable { name, change, quoted })
    }

    /// The word after an operator of one character.
    fn operand(&mut self) -> Result<Word, SyntaxError> {
        self.at += 1;
        self.word_in(Place::Braces)
    }

    fn bad_substitution(&self, begin: usize) -> SyntaxError {
        let inner: String = self.chars[begin..].iter().take_while(|c| **c != '}').collect();
        SyntaxError::Substitution(format!("${{{inner}}}"))
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn push(word: &mut Word, c: char, quoted: bool) {
    match word.last_mut() {
        Some(Part::Text { text, quoted: same }) if *same == quoted => text.push(c),
        _ => word.push(Part::Text { text: c.to_string(), quoted }),
    }
}
