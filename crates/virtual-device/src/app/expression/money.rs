//! Amounts in cents, and what apps do with codes and names.

use rhai::{Dynamic, FuncRegistration, Module};

use super::values::decimal;
use super::world::Failure;

pub(super) fn register(module: &mut Module) {
    let function = |name: &str| FuncRegistration::new(name).in_global_namespace();
    function("money").set_into_module(module, |cents: i64| money(cents));
    function("cents").set_into_module(module, |text: &str| cents(text));
    function("percent_of").set_into_module(module, |cents: i64, percent: Dynamic| {
        let percent = decimal(&percent).ok_or("percent_of(): the percentage is no number")?;
        Ok::<_, Failure>(percent_of(cents, percent))
    });
    function("last").set_into_module(module, |text: &str, count: i64| last(text, count));
    function("mask").set_into_module(module, |text: &str| "•".repeat(text.chars().count()));
    function("is_digits")
        .set_into_module(module, |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit()));
    function("initial").set_into_module(module, |text: &str| {
        text.chars().next().map(|c| c.to_uppercase().to_string()).unwrap_or_default()
    });
}

/// `123456` cents as `1,234.56`.
fn money(cents: i64) -> String {
    let (sign, cents) = (if cents < 0 { "-" } else { "" }, cents.unsigned_abs());
    let whole = (cents / 100).to_string();
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{sign}{grouped}.{:02}", cents % 100)
}

/// `12.5` as 1250 cents; 0 for what is no amount.
fn cents(text: &str) -> i64 {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().unwrap_or(0) };
    let fraction: String = fraction.chars().chain("00".chars()).take(2).collect();
    whole.saturating_mul(100).saturating_add(fraction.parse().unwrap_or(0))
}

/// A share of an amount in whole cents, halves up.
fn percent_of(cents: i64, percent: f64) -> i64 {
    // Hundredths of a percent, so that 8.25 % is exact.
    let basis = (percent * 10_000.0).round() as i128;
    let scaled = i128::from(cents) * basis;
    let rounded = (scaled + 500_000).div_euclid(1_000_000);
    i64::try_from(rounded).unwrap_or(i64::MAX)
}

/// The last `count` characters.
fn last(text: &str, count: i64) -> String {
    let length = text.chars().count();
    text.chars().skip(length.saturating_sub(usize::try_from(count).unwrap_or(0))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_grouped_and_read_back() {
        assert_eq!(money(1_234_567), "12,345.67");
        assert_eq!(money(-5), "-0.05");
        assert_eq!(cents("12.5"), 1250);
        assert_eq!(cents(".5"), 50);
        assert_eq!(cents("1.999"), 199);
        assert_eq!(cents("none"), 0);
    }

    #[test]
    fn shares_are_rounded_half_up() {
        assert_eq!(percent_of(1000, 8.25), 83);
        assert_eq!(percent_of(250, 10.0), 25);
        assert_eq!(percent_of(5, 50.0), 3);
        assert_eq!(percent_of(1999, 0.0), 0);
    }
}
