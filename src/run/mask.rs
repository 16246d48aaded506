//! Keeping secrets out of recorded dumps: an app may show what was typed into an ordinary field.

use crate::domain::Secret;
use regex::{Captures, Regex};
use std::borrow::Cow;
use std::sync::LazyLock;

/// The attributes of a dump that hold what a person reads.
static SHOWN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"\b(?:text|content-desc|hint)=(?:"[^"]*"|'[^']*')"#).ok());

/// The dump with every secret in its texts replaced by `***`; unchanged where none is shown.
pub(super) fn mask<'a>(dump: &'a [u8], secrets: &[Secret]) -> Cow<'a, [u8]> {
    let values: Vec<String> = secrets.iter().map(|secret| escaped(secret.expose())).filter(|v| !v.is_empty()).collect();
    let text = String::from_utf8_lossy(dump);
    if !values.iter().any(|value| text.contains(value.as_str())) {
        return Cow::Borrowed(dump);
    }
    let hide = |text: &str| values.iter().fold(text.to_owned(), |text, value| text.replace(value.as_str(), "***"));
    let masked = match &*SHOWN {
        Some(shown) => shown
            .replace_all(&text, |found: &Captures<'_>| match found[0].split_once('=') {
                Some((name, value)) => format!("{name}={}", hide(value)),
                None => hide(&found[0]),
            })
            .into_owned(),
        None => hide(&text),
    };
    Cow::Owned(masked.into_bytes())
}

/// As kxml2 writes it; quotes stay as they are unless they are the attribute's own.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(dump: &str, secrets: &[&str]) -> String {
        let secrets: Vec<Secret> = secrets.iter().map(|text| Secret::new((*text).to_owned())).collect();
        String::from_utf8(mask(dump.as_bytes(), &secrets).into_owned()).unwrap()
    }

    #[test]
    fn a_secret_is_masked_where_it_is_shown_and_nowhere_else() {
        let dump = r#"<node text="a 42 b" content-desc='42' resource-id="x:id/f42" bounds="[42,0][1,1]" />"#;
        let wanted = r#"<node text="a *** b" content-desc='***' resource-id="x:id/f42" bounds="[42,0][1,1]" />"#;
        assert_eq!(masked(dump, &["42"]), wanted);
        assert_eq!(masked(r#"<node text="x&amp;y" />"#, &["x&y"]), r#"<node text="***" />"#);
    }

    #[test]
    fn without_a_secret_in_it_a_dump_stays_as_it_is() {
        let dump = b"\xff<node text=\"a\" />";
        assert_eq!(&*mask(dump, &[Secret::new("zz".to_owned()), Secret::new(String::new())]), dump);
    }
}
