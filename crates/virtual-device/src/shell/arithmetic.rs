//! `$((…))`: whole numbers with C's operators.

/// Nested parentheses before an expression counts as an attack on the stack.
const DEEPEST: usize = 50;

/// Operators by how tightly they bind, the loosest first.
const LEVELS: [&[&str]; 6] = [&["||"], &["&&"], &["==", "!="], &["<=", ">=", "<", ">"], &["+", "-"], &["*", "/", "%"]];

/// The value of `text`; the error is mksh's words.
pub(super) fn evaluate(text: &str, variable: &dyn Fn(&str) -> String) -> Result<i64, &'static str> {
    let mut reader = Reader { rest: text, variable, depth: 0 };
    if text.trim().is_empty() {
        return Ok(0);
    }
    let value = reader.level(0)?;
    if reader.rest.trim().is_empty() { Ok(value) } else { Err("unexpected token") }
}

struct Reader<'a> {
    rest: &'a str,
    variable: &'a dyn Fn(&str) -> String,
    depth: usize,
}

impl Reader<'_> {
    fn operator(&mut self, level: usize) -> Option<&'static str> {
        let rest = self.rest.trim_start();
        let found = LEVELS[level].iter().find(|operator| rest.starts_with(**operator))?;
        self.rest = &rest[found.len()..];
        Some(found)
    }

    fn level(&mut self, level: usize) -> Result<i64, &'static str> {
        if level == LEVELS.len() {
            return self.operand();
        }
        let mut left = self.level(level + 1)?;
        while let Some(operator) = self.operator(level) {
            let right = self.level(level + 1)?;
            left = match operator {
                "||" => i64::from(left != 0 || right != 0),
                "&&" => i64::from(left != 0 && right != 0),
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "+" => left.wrapping_add(right),
                "-" => left.wrapping_sub(right),
                "*" => left.wrapping_mul(right),
                "/" => left.checked_div(right).ok_or("divide by zero")?,
                _ => left.checked_rem(right).ok_or("divide by zero")?,
            };
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<i64, &'static str> {
        if self.depth == DEEPEST {
            return Err("nested too deeply");
        }
        self.depth += 1;
        let rest = self.rest.trim_start();
        let value = match rest.chars().next().ok_or("unexpected end of expression")? {
            '(' => {
                self.rest = &rest[1..];
                let value = self.level(0)?;
                self.rest = self.rest.trim_start().strip_prefix(')').ok_or("missing )")?;
                value
            }
            '-' => {
                self.rest = &rest[1..];
                self.operand()?.wrapping_neg()
            }
            '+' => {
                self.rest = &rest[1..];
                self.operand()?
            }
            '!' => {
                self.rest = &rest[1..];
                i64::from(self.operand()? == 0)
            }
            _ => {
                let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
                let (word, after) = rest.split_at(length);
                self.rest = after;
                self.number(word)?
            }
        };
        self.depth -= 1;
        Ok(value)
    }

    fn number(&self, word: &str) -> Result<i64, &'static str> {
        let parse = |word: &str| match word.strip_prefix("0x") {
            Some(digits) => i64::from_str_radix(digits, 16).ok(),
            None => word.parse().ok(),
        };
        match word.chars().next() {
            None => Err("unexpected token"),
            Some(c) if c.is_ascii_digit() => parse(word).ok_or("bad number"),
            Some(_) => {
                let value = (self.variable)(word);
                if value.is_empty() { Ok(0) } else { parse(value.trim()).ok_or("bad number") }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_bind_as_in_c() {
        let value = |text: &str| evaluate(text, &|name| if name == "x" { "7".to_owned() } else { String::new() });
        for (text, expected) in [
            ("1 + 2*3", 7),
            ("(1+2)*3", 9),
            ("x % 4", 3),
            ("-x + 1", -6),
            ("10-3-2", 5),
            ("0x10", 16),
            ("!x || 3 > 2", 1),
            ("2 == 2 && 1 != 1", 0),
            ("unset + 1", 1),
            ("", 0),
        ] {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
        assert_eq!(value("1/0"), Err("divide by zero"));
        assert!(value("1 +").is_err() && value("1 2").is_err() && value("(1").is_err());
        assert!(value(&"(".repeat(10_000)).is_err() && value(&"-".repeat(10_000)).is_err());
    }
}
