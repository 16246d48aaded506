//! Text to commands: a recursive descent over the characters, since `$(…)` may hold anything a script may hold.

use super::syntax::{
    Command, Condition, List, Negated, Part, Pipeline, Redirect, RedirectKind, Stage, SyntaxError, Until, Word,
};
use std::sync::Arc;

/// Levels of nesting before a script counts as an attack on the stack.
const DEEPEST: usize = 60;

/// Words that end or continue a compound command; as the first word of a command they are out of place.
const CLOSERS: [&str; 8] = ["then", "elif", "else", "fi", "do", "done", "esac", "}"];

/// Parses a whole script.
pub(super) fn parse(script: &str) -> Result<List, SyntaxError> {
    let mut parser = Parser::new(script);
    let list = parser.list()?;
    match parser.peek() {
        None => Ok(list),
        Some(c) => Err(SyntaxError::Unexpected(c.to_string())),
    }
}

pub(super) struct Parser {
    pub(super) chars: Vec<char>,
    pub(super) at: usize,
    depth: usize,
}

impl Parser {
    pub(super) fn new(script: &str) -> Self {
        Self { chars: script.chars().collect(), at: 0, depth: 0 }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek();
        self.at += usize::from(c.is_some());
        c
    }

    pub(super) fn take(&mut self, wanted: &str) -> bool {
        let found = wanted.chars().enumerate().all(|(ahead, c)| self.peek_at(ahead) == Some(c));
        self.at += if found { wanted.chars().count() } else { 0 };
        found
    }

    /// Runs `inner` one level deeper.
    pub(super) fn deeper<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<T, SyntaxError>,
    ) -> Result<T, SyntaxError> {
        if self.depth >= DEEPEST {
            return Err(SyntaxError::Depth);
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn blanks(&mut self) {
        loop {
            match self.peek() {
                Some(' ' | '\t' | '\r') => self.at += 1,
                Some('\\') if self.peek_at(1) == Some('\n') => self.at += 2,
                Some('#') => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }

    /// Blanks, newlines and comments.
    fn lines(&mut self) {
        self.blanks();
        while self.peek() == Some('\n') {
            self.at += 1;
            self.blanks();
        }
    }

    /// What stands at this place, for a message.
    fn here(&self) -> String {
        match self.peek() {
            None | Some('\n') => "newline".to_owned(),
            Some(c @ (';' | '&' | '|')) if self.peek_at(1) == Some(c) => format!("{c}{c}"),
            Some(c @ (';' | '&' | '|' | '(' | ')' | '<' | '>')) => c.to_string(),
            Some(_) => {
                self.chars[self.at..].iter().take_while(|c| !c.is_whitespace() && !";&|()".contains(**c)).collect()
            }
        }
    }

    fn unexpected<T>(&self) -> Result<T, SyntaxError> {
        Err(SyntaxError::Unexpected(self.here()))
    }

    /// The reserved word at this place, not consumed.
    fn reserved(&self, word: &str) -> bool {
        let length = word.chars().count();
        let ends = self.peek_at(length).is_none_or(|c| c.is_whitespace() || ";&|()<>".contains(c));
        ends && word.chars().enumerate().all(|(ahead, c)| self.peek_at(ahead) == Some(c))
    }

    fn take_reserved(&mut self, word: &str) -> bool {
        let found = self.reserved(word);
        self.at += if found { word.chars().count() } else { 0 };
        found
    }

    fn expect_reserved(&mut self, word: &str) -> Result<(), SyntaxError> {
        self.lines();
        if self.take_reserved(word) { Ok(()) } else { self.unexpected() }
    }

    /// Commands up to a closing word, `)`, `;;` or the end.
    pub(super) fn list(&mut self) -> Result<List, SyntaxError> {
        self.deeper(|parser| {
            let mut list = List::new();
            let mut condition = Condition::Always;
            loop {
                if condition == Condition::Always {
                    parser.skip_separators();
                } else {
                    parser.lines();
                }
                if parser.at_end_of_list() {
                    return if condition == Condition::Always { Ok(list) } else { parser.unexpected() };
                }
                list.push(parser.pipeline(condition)?);
                parser.blanks();
                condition = match parser.peek() {
                    Some('&') if parser.take("&&") => Condition::Success,
                    Some('|') if parser.take("||") => Condition::Failure,
                    Some(';') if parser.peek_at(1) == Some(';') => return Ok(list),
                    Some(';' | '\n') => {
                        parser.at += 1;
                        Condition::Always
                    }
                    None | Some(')') => return Ok(list),
                    // Background processes are not supported.
                    Some(_) => return parser.unexpected(),
                };
            }
        })
    }

    /// Newlines and a person's stray semicolons: worth less than a device that hangs up.
    fn skip_separators(&mut self) {
        self.lines();
        while self.peek() == Some(';') && self.peek_at(1) != Some(';') {
            self.at += 1;
            self.lines();
        }
    }

    fn at_end_of_list(&self) -> bool {
        match self.peek() {
            None | Some(')') => true,
            Some(';') => self.peek_at(1) == Some(';'),
            Some(_) => CLOSERS.iter().any(|word| self.reserved(word)),
        }
    }

    fn pipeline(&mut self, condition: Condition) -> Result<Pipeline, SyntaxError> {
        let mut negated = Negated::No;
        if self.take_reserved("!") {
            negated = Negated::Yes;
            self.blanks();
        }
        let mut stages = vec![self.stage()?];
        loop {
            self.blanks();
            if self.peek() != Some('|') || self.peek_at(1) == Some('|') {
                return Ok(Pipeline { condition, negated, stages });
            }
            self.at += 1;
            self.lines();
            stages.push(self.stage()?);
        }
    }

    fn stage(&mut self) -> Result<Stage, SyntaxError> {
        let command = if self.take_reserved("if") {
            self.if_command()?
        } else if self.take_reserved("while") {
            self.loop_command(Until::Failure)?
        } else if self.take_reserved("until") {
            self.loop_command(Until::Success)?
        } else if self.take_reserved("for") {
            self.for_command()?
        } else if self.take_reserved("case") {
            self.case_command()?
        } else if self.take_reserved("{") {
            let body = self.body()?;
            self.expect_reserved("}")?;
            Command::Group(body)
        } else if self.peek() == Some('(') {
            self.at += 1;
            let body = self.body()?;
            if !self.take(")") {
                return self.unexpected();
            }
            Command::Subshell(body)
        } else {
            return self.simple();
        };
        let mut redirects = Vec::new();
        loop {
            self.blanks();
            if !self.redirect(&mut redirects)? {
                return Ok(Stage { command, redirects });
            }
        }
    }

    /// A list that may not be empty.
    fn body(&mut self) -> Result<List, SyntaxError> {
        let list = self.list()?;
        self.lines();
        if list.is_empty() { self.unexpected() } else { Ok(list) }
    }

    fn if_command(&mut self) -> Result<Command, SyntaxError> {
        let mut arms = Vec::new();
        loop {
            let condition = self.body()?;
            self.expect_reserved("then")?;
            let body = self.body()?;
            arms.push((condition, body));
            if self.take_reserved("elif") {
                continue;
            }
            let otherwise = if self.take_reserved("else") { self.body()? } else { List::new() };
            self.expect_reserved("fi")?;
            return Ok(Command::If { arms, otherwise });
        }
    }

    fn do_done(&mut self) -> Result<List, SyntaxError> {
        self.expect_reserved("do")?;
        let body = self.body()?;
        self.expect_reserved("done")?;
        Ok(body)
    }

    fn loop_command(&mut self, until: Until) -> Result<Command, SyntaxError> {
        let condition = self.body()?;
        let body = self.do_done()?;
        Ok(Command::Loop { condition, until, body })
    }

    fn name(&mut self) -> Result<String, SyntaxError> {
        self.blanks();
        let length = self.chars[self.at..].iter().take_while(|c| c.is_ascii_alphanumeric() || **c == '_').count();
        if length == 0 {
            return self.unexpected();
        }
        let name = self.chars[self.at..self.at + length].iter().collect();
        self.at += length;
        Ok(name)
    }

    fn for_command(&mut self) -> Result<Command, SyntaxError> {
        let name = self.name()?;
        self.lines();
        let mut words = None;
        if self.take_reserved("in") {
            let mut list = Vec::new();
            loop {
                self.blanks();
                match self.word()? {
                    Some(word) => list.push(word),
                    None => break,
                }
            }
            words = Some(list);
        }
        self.blanks();
        if self.peek() == Some(';') {
            self.at += 1;
        }
        let body = self.do_done()?;
        Ok(Command::For { name, words, body })
    }

    fn case_command(&mut self) -> Result<Command, SyntaxError> {
        self.blanks();
        let Some(word) = self.word()? else { return self.unexpected() };
        self.expect_reserved("in")?;
        let mut arms = Vec::new();
        loop {
            self.lines();
            if self.take_reserved("esac") {
                return Ok(Command::Case { word, arms });
            }
            self.take("(");
            let mut patterns = Vec::new();
            loop {
                self.blanks();
                match self.word()? {
                    Some(pattern) => patterns.push(pattern),
                    None => return self.unexpected(),
                }
                self.blanks();
                match self.next() {
                    Some('|') => {}
                    Some(')') => break,
                    _ => {
                        self.at = self.at.saturating_sub(1);
                        return self.unexpected();
                    }
                }
            }
            let body = self.list()?;
            self.lines();
            arms.push((patterns, body));
            if !self.take(";;") && !self.reserved("esac") {
                return self.unexpected();
            }
        }
    }

    fn simple(&mut self) -> Result<Stage, SyntaxError> {
        let mut words: Vec<Word> = Vec::new();
        let mut redirects = Vec::new();
        loop {
            self.blanks();
            if self.redirect(&mut redirects)? {
                continue;
            }
            match self.word()? {
                Some(word) => words.push(word),
                None => break,
            }
            if let [only] = words.as_slice()
                && let [Part::Text { text, quoted: false }] = only.as_slice()
                && self.peek() == Some('(')
            {
                let name = text.clone();
                return self.function(name);
            }
        }
        if words.is_empty() && redirects.is_empty() {
            return self.unexpected();
        }
        Ok(Stage { command: Command::Simple(words), redirects })
    }

    fn function(&mut self, name: String) -> Result<Stage, SyntaxError> {
        if !self.take("()") || !name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c)) {
            return self.unexpected();
        }
        self.lines();
        let body = Arc::new(self.deeper(Self::stage)?);
        Ok(Stage { command: Command::Function { name, body }, redirects: Vec::new() })
    }

    /// Reads a redirection if one begins here.
    fn redirect(&mut self, redirects: &mut Vec<Redirect>) -> Result<bool, SyntaxError> {
        let (fd, operator) = match (self.peek(), self.peek_at(1)) {
            (Some(digit @ '0'..='2'), Some(operator @ ('<' | '>'))) => {
                self.at += 1;
                (digit as u8 - b'0', operator)
            }
            (Some(operator @ ('<' | '>')), _) => (u8::from(operator == '>'), operator),
            (Some('&'), Some('>')) => {
                self.at += 2;
                let path = self.target()?;
                redirects.push(Redirect::File { fd: 1, kind: RedirectKind::Write, path });
                redirects.push(Redirect::Duplicate { fd: 2, from: 1 });
                return Ok(true);
            }
            _ => return Ok(false),
        };
        self.at += 1;
        if self.take("&") {
            match self.next() {
                Some('1') => redirects.push(Redirect::Duplicate { fd, from: 1 }),
                Some('2') => redirects.push(Redirect::Duplicate { fd, from: 2 }),
                other => return Err(SyntaxError::Unexpected(other.map_or("newline".to_owned(), String::from))),
            }
            return Ok(true);
        }
        let kind = match operator {
            // Here-documents are not supported.
            '<' if matches!(self.peek(), Some('<' | '>')) => return self.unexpected(),
            '<' => RedirectKind::Read,
            _ if self.take(">") => RedirectKind::Append,
            _ => {
                self.take("|");
                RedirectKind::Write
            }
        };
        let path = self.target()?;
        redirects.push(Redirect::File { fd, kind, path });
        Ok(true)
    }

    fn target(&mut self) -> Result<Word, SyntaxError> {
        self.blanks();
        match self.word()? {
            Some(path) => Ok(path),
            None => self.unexpected(),
        }
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
        for script in [
            "a &",
            "a |",
            "a &&",
            "&& a",
            "echo 'x",
            "if true",
            "a >",
            "cat <<E",
            "fi",
            "a; done",
            "echo $(id",
            "echo `id",
            "case x in a) b",
            "for",
            "(a",
            "a)",
            "${",
            "echo ${x^^}",
            "f() ",
            "{ }",
            "a ;; b",
            "echo $((1",
        ] {
            assert!(parse(script).is_err(), "{script}");
        }
        assert_eq!(parse(&"(".repeat(10_000)), Err(SyntaxError::Depth));
        assert_eq!(parse(&"$(".repeat(10_000)), Err(SyntaxError::Depth));
        assert_eq!(parse(&"\"${x:-".repeat(10_000)), Err(SyntaxError::Depth));
    }

    #[test]
    fn compound_commands_and_substitutions_are_parsed() {
        for script in [
            "if a; then b; elif c; then d; else e; fi > f",
            "while read l; do echo \"$l\"; done < f",
            "for x in a b; do\n echo $x\ndone | wc",
            "for x; do :; done",
            "case $x in a|b) c;; (*) d; esac",
            "(a; b) && { c; } 2>&1",
            "f() { echo $1; }; f x",
            "echo \"$(echo \")\" `id`)\" $((1 + (2*3))) ${x:-a b} ${#x} ${x##*/}",
            "! a | b # comment\n",
            "echo a#b #c",
            "a &>/dev/null",
        ] {
            assert!(parse(script).is_ok(), "{script}: {:?}", parse(script));
        }
    }

    proptest! {
        #[test]
        fn no_script_makes_the_parser_panic(script: String) {
            let _either = parse(&script);
        }

        #[test]
        fn no_script_of_shell_characters_makes_the_parser_panic(script in "[$(){}`\"';&|<>#!\\\\a-c \n=:%-]{0,60}") {
            let _either = parse(&script);
        }
    }
}
