//! Whether a field holds what was typed into it.

use crate::domain::InputText;
use crate::hierarchy::{MASK, Widget};

/// Fewest digits of a telephone number without its country's code.
const MIN_PHONE_DIGITS: usize = 6;
/// Most digits of a country's code.
const MAX_COUNTRY_CODE_DIGITS: usize = 3;

/// True if a field holds a text, but for separators that fields add. A password field can only be counted.
pub(crate) fn holds(field: &Widget, text: &InputText) -> bool {
    let typed = text.expose();
    // A secret is masked wherever it is seen, so it can only be counted too.
    if field.state.password || (text.is_secret() && field.value.chars().all(|c| c == MASK)) {
        return field.value.chars().count() == typed.chars().count();
    }
    let bare = |s: &str| s.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    field.value == typed
        || (!bare(typed).is_empty() && bare(&field.value) == bare(typed))
        || has_country_code(&field.value, typed)
}

/// True for a telephone number behind the country's code that the field keeps: "+44 20 7946 0000".
fn has_country_code(shown: &str, typed: &str) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let (own, wanted) = (digits(shown), digits(typed));
    let code = own.len().saturating_sub(wanted.len());
    shown.trim_start().starts_with('+')
        && !typed.contains('+')
        && wanted.len() >= MIN_PHONE_DIGITS
        && wanted.chars().count() == typed.chars().filter(|c| c.is_alphanumeric()).count()
        && (1..=MAX_COUNTRY_CODE_DIGITS).contains(&code)
        && own.ends_with(&wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_behind_its_countrys_code_is_there() {
        assert!(
            has_country_code("+44 20 7946 0000", "2079460000") && has_country_code("+1 (555) 010-2030", "5550102030")
        );
        assert!(!has_country_code("+4420794600001", "2079460000") && !has_country_code("+442079460000", "79460000"));
        assert!(!has_country_code("+44 20 7946 0000", "7946") && !has_country_code("44 20 7946 0000", "2079460000"));
    }
}
