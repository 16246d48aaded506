//! Instructions in other words.

use super::material::{Material, one_of};
use crate::domain::Lots;

/// The instruction with another opening of the same meaning, and perhaps a preface. `None` where it begins with none that
/// is known.
pub(super) fn reworded(text: &str, lots: &mut Lots, material: &Material) -> Option<String> {
    let begins = |opening: &&String| {
        text.strip_prefix(opening.as_str()).is_some_and(|rest| rest.starts_with(char::is_whitespace))
    };
    let (family, opening) = material
        .openings
        .iter()
        .flat_map(|family| family.iter().map(move |opening| (family, opening)))
        .find(|(_, opening)| begins(opening))?;
    let rest = text.strip_prefix(opening.as_str())?;
    let others: Vec<&String> = family.iter().filter(|other| *other != opening).collect();
    let said = one_of(lots, &others).map_or(opening.as_str(), |other| other.as_str());
    // With a preface one time in three.
    Some(match one_of(lots, &material.prefaces).filter(|_| lots.next().is_multiple_of(3)) {
        Some(preface) => format!("{preface} {}{rest}", said.to_lowercase()),
        None => format!("{said}{rest}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_keeps_all_but_its_opening() {
        let material = Material::bundled().unwrap();
        let mut lots = Lots::new(1, "test");
        for _ in 0..20 {
            let said = reworded("Open \"Open letters\" for ${name}", &mut lots, &material).unwrap();
            assert!(said.to_lowercase().contains("go to") && said.ends_with(" \"Open letters\" for ${name}"), "{said}");
        }
        assert_eq!(reworded("Opening hours are checked", &mut lots, &material), None);
        assert_eq!(reworded("打开设置", &mut lots, &material), None);
    }
}
