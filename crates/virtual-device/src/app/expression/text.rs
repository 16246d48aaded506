//! Functions on texts and numbers.

use super::device::language;
use super::values::{decimal, text};
use super::world::{Failure, World};
use regex::{Regex, RegexBuilder};
use rhai::{Array, Dynamic, FuncRegistration, ImmutableString, Module, NativeCallContext};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Compiled patterns kept at a time.
const PATTERNS: usize = 256;
/// Longest text a function makes, bytes (the engine's own limit).
const LONGEST: usize = 64 * 1024;

/// `matches` is asked again with every look at the screen; compiling a pattern takes far longer than matching it.
static COMPILED: LazyLock<Mutex<HashMap<String, Regex>>> = LazyLock::new(Mutex::default);

fn matches(subject: &str, pattern: &str) -> Result<bool, Failure> {
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = compiled.get(pattern) {
        return Ok(known.is_match(subject));
    }
    let regex = RegexBuilder::new(pattern).size_limit(1 << 20).build();
    let regex = regex.map_err(|error| -> Failure { format!("matches(): {error}").into() })?;
    let found = regex.is_match(subject);
    if compiled.len() >= PATTERNS {
        compiled.clear();
    }
    compiled.insert(pattern.to_owned(), regex);
    Ok(found)
}

pub(super) fn register(module: &mut Module) {
    let function = |name: &str| FuncRegistration::new(name).in_global_namespace();
    function("lower").set_into_module(module, |text: &str| text.to_lowercase());
    function("upper").set_into_module(module, |text: &str| text.to_uppercase());
    // rhai's own `trim` and `replace` change a variable in place and give nothing.
    function("trim").set_into_module(module, |text: ImmutableString| text.trim().to_owned());
    function("replace").set_into_module(module, |text: ImmutableString, old: ImmutableString, new: ImmutableString| {
        let replaced = text.replace(old.as_str(), &new);
        if replaced.len() > LONGEST {
            return Err::<String, Failure>("replace(): the text becomes too long".into());
        }
        Ok(replaced)
    });
    function("split").set_into_module(module, |text: ImmutableString, separator: ImmutableString| {
        text.split(separator.as_str()).map(|part| Dynamic::from(part.to_owned())).collect::<Array>()
    });
    function("join").set_into_module(module, |items: Array, separator: &str| {
        let parts: Vec<String> = items.iter().map(ToString::to_string).collect();
        let joined = parts.join(separator);
        if joined.len() > LONGEST {
            return Err::<String, Failure>("join(): the text becomes too long".into());
        }
        Ok(joined)
    });
    function("words").set_into_module(module, |text: &str| {
        text.split_whitespace().map(|word| Dynamic::from(word.to_owned())).collect::<Array>()
    });
    function("matches").set_into_module(module, |text: &str, pattern: &str| matches(text, pattern));
    function("text").set_into_module(module, |value: Dynamic| value.to_string());
    function("number").set_into_module(module, |value: &str| number(value));
    function("number").set_into_module(module, |value: i64| value);
    function("number").set_into_module(module, |value: f64| value);
    function("round").set_into_module(module, |value: f64| value.round() as i64);
    function("round").set_into_module(module, |value: i64| value);
    function("round").set_into_module(module, |value: f64, decimals: i64| {
        let factor = 10_f64.powi(decimals.clamp(0, 9) as i32);
        (value * factor).round() / factor
    });
    function("pad").set_into_module(module, |value: Dynamic, width: i64| {
        let (shown, width) = (value.to_string(), usize::try_from(width).unwrap_or(0).min(256));
        let missing = width.saturating_sub(shown.chars().count());
        let fill = if text(&value).is_some_and(|t| decimal(&number(&t)).is_none()) { " " } else { "0" };
        format!("{}{shown}", fill.repeat(missing))
    });
    function("number_format").set_into_module(module, |context: NativeCallContext, value: Dynamic| {
        let locale = World::of(&context)?.facts().locale.clone();
        let shown = decimal(&value).ok_or_else(|| format!("number_format(): a {} is no number", value.type_name()))?;
        let digits = if value.is_int() { value.to_string() } else { format!("{}", (shown * 100.0).round() / 100.0) };
        Ok::<_, Failure>(grouped(&digits, &locale))
    });
}

/// A text as a number: an integer where it is one; 0 for what is no number.
fn number(value: &str) -> Dynamic {
    let plain: String = value.trim().chars().filter(|c| *c != ',').collect();
    if let Ok(integer) = plain.parse::<i64>() {
        return Dynamic::from(integer);
    }
    plain.parse::<f64>().ok().filter(|n| n.is_finite()).map_or(Dynamic::from(0_i64), Dynamic::from)
}

/// Digits in groups of three, with the marks of the locale's language.
fn grouped(digits: &str, locale: &str) -> String {
    let (group, point) = match language(locale) {
        "de" | "es" | "id" | "it" | "nl" | "pt" | "tr" | "da" | "el" | "vi" => (".", ","),
        "cs" | "fi" | "fr" | "nb" | "no" | "pl" | "ru" | "sv" | "uk" => ("\u{a0}", ","),
        _ => (",", "."),
    };
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |rest| ("-", rest));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut out = sign.to_owned();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            out.push_str(group);
        }
        out.push(digit);
    }
    if !fraction.is_empty() {
        out.push_str(point);
        out.push_str(fraction);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_as_the_locale_does() {
        assert_eq!(grouped("1234567.5", "en-US"), "1,234,567.5");
        assert_eq!(grouped("-1234567", "de-DE"), "-1.234.567");
        assert_eq!(grouped("999", "fr"), "999");
        assert_eq!(grouped("12345.25", "fr-FR"), "12\u{a0}345,25");
    }

    #[test]
    fn what_is_no_number_counts_as_zero() {
        assert_eq!(number(" 1,250 ").as_int(), Ok(1250));
        assert_eq!(number("2.5").as_float(), Ok(2.5));
        assert_eq!(number("two").as_int(), Ok(0));
    }
}
