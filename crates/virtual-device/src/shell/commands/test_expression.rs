//! `test`, `[` and `[[`.

use super::{Exit, Invocation};
use crate::shell::expand::pattern_regex;

pub(super) fn run(invocation: &Invocation<'_>) -> Exit {
    let name = invocation.args[0].as_str();
    let mut words = invocation.rest();
    let closing = match name {
        "[" => Some("]"),
        "[[" => Some("]]"),
        _ => None,
    };
    if let Some(closing) = closing
        && words.pop() != Some(closing)
    {
        invocation.err(format!("/system/bin/sh: {name}: missing {closing}\n"));
        return Exit::Code(2);
    }
    match (Evaluation { invocation, words: &words, patterns: name == "[[" }).whole() {
        Ok(true) => Exit::SUCCESS,
        Ok(false) => Exit::FAILURE,
        Err(message) => {
            invocation.err(format!("/system/bin/sh: {name}: {message}\n"));
            Exit::Code(2)
        }
    }
}

struct Evaluation<'a> {
    invocation: &'a Invocation<'a>,
    words: &'a [&'a str],
    /// `[[ a == b* ]]`.
    patterns: bool,
}

impl Evaluation<'_> {
    fn whole(&self) -> Result<bool, String> {
        self.any(self.words)
    }

    /// `a -o b`, which binds loosest.
    fn any(&self, words: &[&str]) -> Result<bool, String> {
        for (at, _) in words.iter().enumerate().skip(1).filter(|(_, word)| **word == "-o") {
            // `-o` may be an operand: `[ -n -o ]`.
            if at + 1 < words.len() && words.len() > 3 {
                return Ok(self.all(&words[..at])? || self.any(&words[at + 1..])?);
            }
        }
        self.all(words)
    }

    fn all(&self, words: &[&str]) -> Result<bool, String> {
        for (at, _) in words.iter().enumerate().skip(1).filter(|(_, word)| **word == "-a") {
            if at + 1 < words.len() && words.len() > 3 {
                return Ok(self.one(&words[..at])? && self.all(&words[at + 1..])?);
            }
        }
        self.one(words)
    }

    fn one(&self, words: &[&str]) -> Result<bool, String> {
        match words {
            [] => Ok(false),
            [word] => Ok(!word.is_empty()),
            ["!", rest @ ..] if rest.len() != 2 || rest[0].starts_with('-') => Ok(!self.one(rest)?),
            ["(", rest @ .., ")"] => self.any(rest),
            [operator, operand] => self.unary(operator, operand),
            [left, operator, right] => self.binary(left, operator, right),
            [_, extra, ..] => Err(format!("{extra}: unexpected operator/operand")),
        }
    }

    fn unary(&self, operator: &str, operand: &str) -> Result<bool, String> {
        let path = self.invocation.path(operand);
        let files = &self.invocation.system.lock().files;
        let stat = files.stat(&path);
        Ok(match operator {
            "-n" => !operand.is_empty(),
            "-z" => operand.is_empty(),
            "-e" => stat.is_ok(),
            "-f" => stat.is_ok_and(|stat| stat.mode & 0o170_000 == 0o100_000),
            "-d" => stat.is_ok_and(crate::system::FileStat::is_directory),
            "-s" => stat.is_ok_and(|stat| stat.size > 0),
            "-L" | "-h" => files.link_target(&path).is_some(),
            "-r" => stat.is_ok() && !matches!(files.read(&path), Err(crate::system::FsError::PermissionDenied)),
            "-w" => stat.is_ok_and(|stat| stat.is_directory() || files.check_file_writable(&path).is_ok()),
            "-x" => stat.is_ok_and(|stat| stat.mode & 0o111 != 0),
            // No stream of a command is a terminal unless the protocol has one.
            "-t" => self.invocation.tty.is_some(),
            other => return Err(format!("{other}: unknown operand")),
        })
    }

    fn binary(&self, left: &str, operator: &str, right: &str) -> Result<bool, String> {
        let number = |word: &str| word.trim().parse::<i64>().map_err(|_| format!("{word}: bad number"));
        Ok(match operator {
            "=" | "==" if self.patterns => {
                regex::Regex::new(&format!("(?s)^{}$", pattern_regex(right))).is_ok_and(|regex| regex.is_match(left))
            }
            "=" | "==" => left == right,
            "!=" => left != right,
            "<" => left < right,
            ">" => left > right,
            "-eq" => number(left)? == number(right)?,
            "-ne" => number(left)? != number(right)?,
            "-lt" => number(left)? < number(right)?,
            "-le" => number(left)? <= number(right)?,
            "-gt" => number(left)? > number(right)?,
            "-ge" => number(left)? >= number(right)?,
            "-nt" | "-ot" => {
                let files = &self.invocation.system.lock().files;
                let time = |path: &str| files.stat(&self.invocation.path(path)).map_or(i64::MIN, |stat| stat.mtime);
                if operator == "-nt" { time(left) > time(right) } else { time(left) < time(right) }
            }
            other => return Err(format!("{other}: unknown operator")),
        })
    }
}
