//! What shows that a script is whole: how many actions it has, a digest of itself, and one of its case.
//!
//! A file that was cut off may well be a shorter script that does less and expects nothing. It must not pass.

use super::format::Script;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// The seal of a script.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seal {
    /// How many actions it has.
    pub actions: usize,
    /// 32 hexadecimal digits of all that is done and expected.
    pub digest: String,
    /// The same of the case it was recorded from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// The same of what that case asked to do, without what it expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<String>,
}

impl Script {
    /// This script with a seal that fits; `case` is the digest of its case.
    #[must_use]
    pub fn sealed(mut self, case: Option<String>) -> Self {
        self.seal = Some(Seal { actions: self.actions.len(), digest: digest(&self), case, steps: None });
        self
    }

    /// The same for a case that is known: by its digest, and by that of what it asks to do.
    #[must_use]
    pub fn sealed_for(self, case: String, steps: String) -> Self {
        let mut sealed = self.sealed(Some(case));
        if let Some(seal) = &mut sealed.seal {
            seal.steps = Some(steps);
        }
        sealed
    }

    /// The same for the case of an earlier seal.
    #[must_use]
    pub fn sealed_as(self, earlier: Option<&Seal>) -> Self {
        let mut sealed = self.sealed(earlier.and_then(|seal| seal.case.clone()));
        if let Some(seal) = &mut sealed.seal {
            seal.steps = earlier.and_then(|earlier| earlier.steps.clone());
        }
        sealed
    }

    /// 32 hexadecimal digits of all that is done and expected: another script has others.
    pub fn digest(&self) -> String {
        digest(self)
    }

    /// Why it is not whole, if it is not. A script of an earlier Tapwright has no seal; it must at least do something and
    /// expect something.
    pub(super) fn broken(&self) -> Option<String> {
        const REMEDY: &str = "record it again with `tapwright run`";
        let expects = self.actions.iter().any(|action| !action.checks.is_empty())
            || self.actors.values().any(|actor| !actor.expectations.is_empty())
            || !self.expectations.is_empty();
        match &self.seal {
            None if self.actions.is_empty() => Some(format!("it has no [[action]]: it was cut off; {REMEDY}")),
            None if !expects => Some(format!("it has no [[expect]]: it was cut off, or proves nothing; {REMEDY}")),
            None => None,
            Some(seal) if seal.actions != self.actions.len() => {
                let (found, sealed) = (self.actions.len(), seal.actions);
                Some(format!("it has {found} of its {sealed} actions: it was cut off; {REMEDY}"))
            }
            Some(seal) if seal.digest != digest(self) => Some(format!(
                "it is not what was recorded: something was cut off or changed; {REMEDY}, or delete [seal] if you changed it yourself"
            )),
            Some(_) => None,
        }
    }
}

/// When and by which version it was recorded does not count.
fn digest(script: &Script) -> String {
    let told = Script { seal: None, recorded_at: String::new(), tapwright: String::new(), ..script.clone() };
    // A script is made of texts, numbers and lists of them: it always has a JSON form.
    let json = serde_json::to_vec(&told).unwrap_or_default();
    Sha256::digest(&json).iter().take(16).fold(String::new(), |mut hex, byte| {
        // Writing to a text never fails.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn sealed() -> String {
        let text = include_str!("../../scripts/PAY-0001/virtual-phone.toml");
        let script = Script::parse(Path::new("s.toml"), text).unwrap();
        script.sealed(Some("0123".into())).to_toml().unwrap()
    }

    #[test]
    fn a_script_cut_off_anywhere_is_no_script() {
        let whole = sealed();
        let read = |text: &str| Script::parse(Path::new("s.toml"), text);
        assert!(read(&whole).is_ok());
        assert!(whole.find("[seal]").unwrap() < whole.find("[[action]]").unwrap(), "the seal survives a cut");
        let ends = whole.char_indices().map(|(at, _)| at).filter(|at| whole[..*at].ends_with('\n'));
        for end in ends.filter(|end| whole[..*end].trim_end() != whole.trim_end()) {
            assert!(read(&whole[..end]).is_err(), "cut before {:?} it was taken", whole[end..].lines().next());
        }
        let changed = whole.replacen("Evergreen Bank", "Ever", 1);
        assert!(read(&changed).unwrap_err().to_string().contains("delete [seal]"));
    }

    #[test]
    fn a_script_without_a_seal_does_something_and_expects_something() {
        let whole = include_str!("../../scripts/PAY-0001/virtual-phone.toml");
        let unsealed = Script { seal: None, ..Script::parse(Path::new("s.toml"), whole).unwrap() };
        let read = |script: Script| Script::parse(Path::new("s.toml"), &script.to_toml().unwrap());
        assert!(read(unsealed.clone()).is_ok());
        let mut silent = Script { expectations: Vec::new(), ..unsealed.clone() };
        silent.actions.iter_mut().for_each(|action| action.checks.clear());
        assert!(read(silent).unwrap_err().to_string().contains("no [[expect]]"));
        let idle = Script { actions: Vec::new(), ..unsealed };
        assert!(read(idle).unwrap_err().to_string().contains("no [[action]]"));
    }
}
