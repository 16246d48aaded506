//! Names of environment variables that hold the secrets of exported scripts.

/// The variable of a secret, or of anything else that has a name: `payment-password` is `PAYMENT_PASSWORD`.
pub(super) fn variable(name: &str) -> String {
    let mut variable: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
    if variable.chars().next().is_none_or(|c| c.is_ascii_digit()) {
        variable.insert(0, '_');
    }
    variable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_variables() {
        for (name, expected) in [("payment-password", "PAYMENT_PASSWORD"), ("2fa code", "_2FA_CODE"), ("", "_")] {
            assert_eq!(variable(name), expected);
        }
    }
}
