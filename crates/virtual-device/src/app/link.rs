//! Deep links: patterns such as `pay://card/{id}` and the URIs that fit them.

/// A pattern, split at its `{name}` parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LinkPattern {
    /// What stands before the first name, then each name with the literal after it.
    start: String,
    parts: Vec<(String, String)>,
}

impl LinkPattern {
    /// Reads a pattern. The error says what is wrong with it.
    pub(super) fn parse(pattern: &str) -> Result<Self, String> {
        let scheme = pattern.split_once("://").map_or("", |(scheme, _)| scheme);
        let mut letters = scheme.chars();
        if !letters.next().is_some_and(|c| c.is_ascii_lowercase())
            || !letters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "+-.".contains(c))
        {
            return Err(format!("expected a URI such as pay://card/{{id}}, found {pattern:?}"));
        }
        let mut pieces = pattern.split('{');
        let start = pieces.next().unwrap_or_default().to_owned();
        let mut parts: Vec<(String, String)> = Vec::new();
        for piece in pieces {
            let (name, literal) =
                piece.split_once('}').ok_or_else(|| format!("a {{ without }} in the URI {pattern:?}"))?;
            let valid = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if !valid {
                return Err(format!("expected a name of letters, digits and _ between {{ }}, found {name:?}"));
            }
            if parts.iter().any(|(known, _)| known == name) {
                return Err(format!("the name {name:?} stands twice in the URI {pattern:?}"));
            }
            if parts.last().is_some_and(|(_, literal)| literal.is_empty()) {
                return Err(format!("two names without anything between them in the URI {pattern:?}"));
            }
            parts.push((name.to_owned(), literal.to_owned()));
        }
        Ok(Self { start, parts })
    }

    /// The names in it.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(|(name, _)| name.as_str())
    }

    /// The values of its names in a URI that fits it. A value has one or more characters other than `/`, `?`, `#` and
    /// `&`; `%41` and `+` of a query are decoded.
    pub(super) fn values(&self, uri: &str) -> Option<Vec<(String, String)>> {
        let mut rest = uri.strip_prefix(self.start.as_str())?;
        let mut values = Vec::new();
        for (at, (name, literal)) in self.parts.iter().enumerate() {
            let longest = rest.find(['/', '?', '#', '&']).unwrap_or(rest.len());
            let end = if at + 1 == self.parts.len() {
                rest.strip_suffix(literal.as_str()).map(str::len).filter(|end| *end <= longest)?
            } else {
                rest.find(literal.as_str()).filter(|end| *end <= longest)?
            };
            let value = rest.get(..end).filter(|value| !value.is_empty())?;
            values.push((name.clone(), decoded(value)));
            rest = rest.get(end + literal.len()..)?;
        }
        rest.is_empty().then_some(values)
    }
}

/// Text with `%XX` and `+` decoded.
fn decoded(value: &str) -> String {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        let hex = (first == b'%').then(|| tail.get(..2)).flatten().and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            None => bytes.push(if first == b'+' { b' ' } else { first }),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(pattern: &str, uri: &str) -> Option<Vec<(String, String)>> {
        LinkPattern::parse(pattern).unwrap_or_else(|error| panic!("{error}")).values(uri)
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_uri_fits_or_does_not() {
        assert_eq!(values("pay://card/{id}", "pay://card/12"), Some(pairs(&[("id", "12")])));
        assert_eq!(values("pay://home", "pay://home"), Some(pairs(&[])));
        assert_eq!(
            values("https://shop.example/i/{id}?size={size}", "https://shop.example/i/7?size=x+l%21"),
            Some(pairs(&[("id", "7"), ("size", "x l!")]))
        );
        for wrong in ["pay://card/", "pay://card/1/2", "pay://cards/1", "shop://card/1", "pay://card/1?x=2"] {
            assert_eq!(values("pay://card/{id}", wrong), None, "{wrong}");
        }
        assert_eq!(values("pay://home", "pay://home/x"), None);
    }

    #[test]
    fn a_wrong_pattern_says_why() {
        for (pattern, said) in [
            ("card/{id}", "pay://card"),
            ("pay://{id", "without }"),
            ("pay://{}", "letters"),
            ("pay://{a}/{a}", "twice"),
            ("pay://{a}{b}", "between"),
        ] {
            let error = LinkPattern::parse(pattern).expect_err(pattern);
            assert!(error.contains(said), "{pattern}: {error}");
        }
    }
}
