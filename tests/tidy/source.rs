//! A Rust file as the rules see it: comments, strings and test code told apart, every line where it was.

use regex::Regex;
use std::sync::LazyLock;

/// One Rust file.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// Relative to the repository, `/` between folders.
    pub(crate) path: String,
    /// As it is.
    pub(crate) text: String,
    /// Product code only: comments, contents of literals and test items blanked out.
    pub(crate) code: String,
    /// The same with the contents of literals left in.
    pub(crate) code_and_strings: String,
    /// Comments and contents of literals blanked out, test items left in.
    pub(crate) code_with_tests: String,
}

impl Source {
    /// Reads a file's text. A file that is test code as a whole has no product code.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let kinds = classify(text);
        let keep = |wanted: &[Kind]| -> String {
            text.chars().zip(&kinds).map(|(c, kind)| if c == '\n' || wanted.contains(kind) { c } else { ' ' }).collect()
        };
        let code_with_tests = keep(&[Kind::Code]);
        let with_strings = keep(&[Kind::Code, Kind::Literal]);
        let test_items = test_items(&code_with_tests);
        let without_tests = |text: &str| -> String {
            let in_tests = |at: usize| test_items.iter().any(|range| range.contains(&at));
            text.chars().enumerate().map(|(at, c)| if c != '\n' && in_tests(at) { ' ' } else { c }).collect()
        };
        let source = Self {
            path: path.to_owned(),
            text: text.to_owned(),
            code: without_tests(&code_with_tests),
            code_and_strings: without_tests(&with_strings),
            code_with_tests,
        };
        if is_test_file(path) { source.into_test() } else { source }
    }

    /// Files (or folders, both without `.rs`) this file declares as `#[cfg(test)] mod name;`, with or without `#[path]`.
    pub(crate) fn test_modules(&self) -> Vec<String> {
        let beside = self.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let root = ["/mod.rs", "/lib.rs", "/main.rs"].iter().any(|name| self.path.ends_with(name));
        let below = if root { beside } else { self.path.trim_end_matches(".rs") };
        let module = |found: regex::Captures<'_>| match found.get(1) {
            Some(path) => format!("{beside}/{}", path.as_str().trim_end_matches(".rs")),
            None => format!("{below}/{}", &found[2]),
        };
        TEST_MODULE.captures_iter(&self.text).map(module).collect()
    }

    /// The same file, known to be test code as a whole.
    pub(crate) fn into_test(self) -> Self {
        Self { code: blank(&self.code), code_and_strings: blank(&self.code_and_strings), ..self }
    }

    /// Lines (from 1) where `pattern` matches in `text`, one of this source's forms, with the matched words.
    pub(crate) fn matches(text: &str, pattern: &Regex) -> Vec<(usize, String)> {
        pattern.find_iter(text).map(|found| (line_of(text, found.end()), found.as_str().trim().to_owned())).collect()
    }

    /// Below `src/`, or below the `src/` of a crate of the product.
    pub(crate) fn is_product(&self) -> bool {
        self.path.starts_with("src/") || (self.path.starts_with("crates/") && self.path.contains("/src/"))
    }

    /// Below `folder/`, or `folder.rs` itself.
    pub(crate) fn is_in(&self, folder: &str) -> bool {
        is_in(&self.path, folder)
    }
}

/// An out-of-line module of tests.
static TEST_MODULE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r#"(?m)^\s*#\[cfg\(test\)\]\s*(?:#\[path = "([^"]+)"\]\s*)?"#,
        r"(?:pub(?:\([a-z]+\))?\s+)?mod\s+(\w+)\s*;"
    ))
});

fn blank(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { c } else { ' ' }).collect()
}

/// A rule's pattern, compiled once.
pub(crate) fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the rules' patterns are constants")
}

/// True for `folder.rs` and everything below `folder/`.
pub(crate) fn is_in(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
}

/// The line (from 1) of a byte offset.
pub(crate) fn line_of(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

/// Integration tests, benchmarks, examples, fuzz targets, and `tests.rs` or `tests/` within `src/`.
fn is_test_file(path: &str) -> bool {
    let roots = ["tests/", "benches/", "examples/", "fuzz/", "xtask/tests/"];
    roots.iter().any(|root| path.starts_with(root)) || path.ends_with("/tests.rs") || path.contains("/tests/")
}

/// What a character belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Code,
    Comment,
    Literal,
}

/// One kind per character. A literal's first and last character count as code, so that it stays visible as `""`.
fn classify(text: &str) -> Vec<Kind> {
    let chars: Vec<char> = text.chars().collect();
    let mut kinds = vec![Kind::Code; chars.len()];
    let mut at = 0;
    while at < chars.len() {
        let next = chars.get(at + 1).copied();
        let previous_is_word = at > 0 && is_word(chars[at - 1]);
        let (end, kind) = match (chars[at], next) {
            ('/', Some('/')) => (find(&chars, at, |c| c == '\n'), Kind::Comment),
            ('/', Some('*')) => (block_comment_end(&chars, at), Kind::Comment),
            ('"', _) => (string_end(&chars, at + 1), Kind::Literal),
            ('r', Some('"' | '#')) if !previous_is_word || matches!(chars[at - 1], 'b' | 'c') => {
                match raw_string_end(&chars, at + 1) {
                    Some(end) => (end, Kind::Literal),
                    None => (at + 1, Kind::Code),
                }
            }
            ('\'', Some(_)) => match char_literal_end(&chars, at) {
                Some(end) => (end, Kind::Literal),
                None => (at + 1, Kind::Code),
            },
            _ => (at + 1, Kind::Code),
        };
        let end = end.clamp(at + 1, chars.len());
        match kind {
            Kind::Comment => kinds[at..end].fill(Kind::Comment),
            Kind::Literal => {
                let delimiter = |c: char| matches!(c, '"' | '\'' | '#');
                let inner_end = if delimiter(chars[end - 1]) { end - 1 } else { end };
                kinds[(at + 1).min(inner_end)..inner_end].fill(Kind::Literal);
            }
            Kind::Code => {}
        }
        at = end;
    }
    kinds
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn find(chars: &[char], from: usize, wanted: impl Fn(char) -> bool) -> usize {
    chars[from..].iter().position(|c| wanted(*c)).map_or(chars.len(), |offset| from + offset)
}

fn block_comment_end(chars: &[char], from: usize) -> usize {
    let (mut depth, mut at) = (0, from);
    while at + 1 < chars.len() {
        match (chars[at], chars[at + 1]) {
            ('/', '*') => (depth, at) = (depth + 1, at + 2),
            ('*', '/') => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    chars.len()
}

fn string_end(chars: &[char], mut at: usize) -> usize {
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

/// `from` stands after the `r`; `None` when this is a raw identifier (`r#type`).
fn raw_string_end(chars: &[char], from: usize) -> Option<usize> {
    let hashes = find(chars, from, |c| c != '#') - from;
    if chars.get(from + hashes) != Some(&'"') {
        return None;
    }
    let mut at = from + hashes + 1;
    while at < chars.len() {
        if chars[at] == '"' && (0..hashes).all(|n| chars.get(at + 1 + n) == Some(&'#')) {
            return Some(at + 1 + hashes);
        }
        at += 1;
    }
    Some(chars.len())
}

/// `None` for a lifetime.
fn char_literal_end(chars: &[char], from: usize) -> Option<usize> {
    if chars.get(from + 1) == Some(&'\\') {
        return Some(find(chars, from + 3, |c| c == '\'') + 1);
    }
    (chars.get(from + 2) == Some(&'\'')).then_some(from + 3)
}

/// Character ranges of the items after `#[cfg(test)]` in blanked code.
fn test_items(code: &str) -> Vec<std::ops::Range<usize>> {
    let chars: Vec<char> = code.chars().collect();
    let attribute: Vec<char> = "#[cfg(test)]".chars().collect();
    let mut ranges = Vec::new();
    let mut at = 0;
    while at + attribute.len() <= chars.len() {
        if chars[at..at + attribute.len()] == attribute[..] {
            let end = item_end(&chars, at + attribute.len());
            ranges.push(at..end);
            at = end;
        } else {
            at += 1;
        }
    }
    ranges
}

/// The end of the item that begins at `from`: its `;` or `,`, or the brace that closes its body.
fn item_end(chars: &[char], from: usize) -> usize {
    let mut depth = 0_i32;
    for (offset, c) in chars[from..].iter().enumerate() {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' if depth == 1 => return from + offset + 1,
            '}' | ')' | ']' if depth == 0 => return from + offset,
            '}' | ')' | ']' => depth -= 1,
            ';' | ',' if depth == 0 => return from + offset + 1,
            _ => {}
        }
    }
    chars.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_told_from_code() {
        let source =
            Source::new("src/a.rs", "a(\"x // y\"); // z\n/* w /* v */ u */ b('\"', 'c', '\\'', r#\"d\"e\"#);");
        assert_eq!(source.code.split_whitespace().collect::<String>(), "a(\"\");b('','','',r#);");
        assert!(source.code_and_strings.contains("x // y"));
        assert!(!source.code_and_strings.contains('z'));
        assert!(source.code_and_strings.contains("d\"e"));
    }

    #[test]
    fn a_lifetime_opens_no_literal() {
        assert_eq!(Source::new("src/a.rs", "fn f<'a>(x: &'a str) { y }").code, "fn f<'a>(x: &'a str) { y }");
    }

    #[test]
    fn test_items_are_no_product_code_and_what_follows_them_is() {
        let text =
            "#[cfg(test)]\nuse x::{y, z};\nfn a() {}\n#[cfg(test)]\nmod tests {\n fn b() { \"}\" }\n}\nfn c() {}\n";
        let source = Source::new("src/a.rs", text);
        assert!(source.code.contains("fn a()") && source.code.contains("fn c()"), "{}", source.code);
        assert!(!source.code.contains("x::") && !source.code.contains("fn b()"), "{}", source.code);
        assert!(source.code_with_tests.contains("fn b()"));
        assert_eq!(source.code.lines().count(), text.lines().count());
    }

    #[test]
    fn a_test_file_has_no_product_code() {
        assert_eq!(Source::new("src/a/tests.rs", "fn a() {}").code.trim(), "");
        assert_eq!(Source::new("tests/integration/a.rs", "fn a() {}").code.trim(), "");
    }

    #[test]
    fn an_out_of_line_test_module_names_its_file() {
        let declare = "#[cfg(test)]\nmod fake;\n#[cfg(test)]\npub(crate) mod stub;\nmod real;\n";
        assert_eq!(Source::new("src/adb/mod.rs", declare).test_modules(), ["src/adb/fake", "src/adb/stub"]);
        assert_eq!(Source::new("src/adb/sync.rs", declare).test_modules(), ["src/adb/sync/fake", "src/adb/sync/stub"]);
        let renamed = "#[cfg(test)]\n#[path = \"parse_tests.rs\"]\nmod tests;";
        assert_eq!(Source::new("src/hierarchy/parse.rs", renamed).test_modules(), ["src/hierarchy/parse_tests"]);
        assert_eq!(Source::new("src/adb/fake.rs", "fn f() {}").into_test().code.trim(), "");
    }
}
