//! A value that a label shows: "21.5 °C", "Volume: 40 %", "2 adults".

use super::read::{Reading, quantities_in};

/// A number on a label, its unit, and the rest of the label.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Amount {
    pub(super) value: f64,
    /// Canonical name of a known unit, else the noun behind the number.
    pub(super) unit: Option<String>,
    /// What stands before the number.
    pub(super) name: String,
}

impl Amount {
    /// Reads a label that ends in its only amount, or is nothing but one.
    pub(super) fn read(label: &str) -> Option<Self> {
        let label = label.trim();
        if !label.contains(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let mut found = quantities_in(&Reading::new(label)).into_iter();
        let (quantity, None) = (found.next()?, found.next()) else { return None };
        let rest = label.get(quantity.span.end..)?;
        if rest.contains(char::is_alphanumeric) {
            return None;
        }
        let name = label.get(..quantity.span.start)?.trim_end_matches(|c: char| !c.is_alphanumeric() && c != ')');
        Some(Self { value: quantity.value, unit: quantity.unit, name: name.trim().to_owned() })
    }

    /// Reads the only amount of a sentence that is written in digits: "Up to €20 an hour". Its words are no name.
    pub(super) fn within(label: &str) -> Option<Self> {
        let written = |span: std::ops::Range<usize>| {
            label.get(span).is_some_and(|own| own.contains(|c: char| c.is_ascii_digit()))
        };
        let mut found = quantities_in(&Reading::new(label)).into_iter().filter(|found| written(found.span.clone()));
        let (quantity, None) = (found.next()?, found.next()) else { return None };
        Some(Self { value: quantity.value, unit: quantity.unit, name: String::new() })
    }

    /// Reads a label that is an amount and has no name.
    pub(super) fn alone(label: &str) -> Option<Self> {
        Self::read(label).filter(|amount| amount.name.is_empty())
    }
}

/// True if two numbers are the same to a person.
pub(super) fn same_number(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-6 * one.abs().max(1.0)
}

/// A number as a label writes it: without a fraction where it has none.
pub(super) fn written(value: f64) -> String {
    if same_number(value, value.round()) { format!("{value:.0}") } else { format!("{value}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_with_one_value_are_read() {
        for (label, name, value, unit) in [
            ("21.5 °C", "", 21.5, Some("degree")),
            ("Volume: 40 %", "Volume", 40.0, Some("percent")),
            ("Volume, 40%", "Volume", 40.0, Some("percent")),
            ("2 adults", "", 2.0, Some("adults")),
            ("Adults, 2", "Adults", 2.0, None),
            ("40.0", "", 40.0, None),
            ("€12", "", 12.0, Some("euro")),
        ] {
            let expected = Amount { value, unit: unit.map(str::to_owned), name: name.into() };
            assert_eq!(Amount::read(label), Some(expected), "{label}");
        }
        let within = |label: &str| Amount::within(label).map(|amount| (amount.value, amount.unit));
        assert_eq!(within("Up to €20 an hour"), Some((20.0, Some("euro".to_owned()))));
        assert_eq!(within("From 3 to 4"), None);
        for label in ["", "Volume", "2 of 5", "from 3 to 4", "12:30", "9 March 2026", "Increase by 5 to get more"] {
            assert_eq!(Amount::read(label), None, "{label}");
        }
    }
}
