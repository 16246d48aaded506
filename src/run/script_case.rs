//! How a script stands to a case: whether it is one of it, whether the case changed since, and what the case expects now.

use super::plan::PlannedCase;
use super::scribe::with_checked;
use crate::case::Case;
use crate::domain::{CaseId, Expectation, Secret};
use crate::script::Script;
use std::collections::BTreeMap;

/// What became of a case since its script was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseChange {
    /// Nothing.
    Nothing,
    /// It asks for the same and expects something else.
    Expectations,
    /// It asks for something else.
    Deeds,
    /// The script has no seal that tells.
    Unknown,
}

impl CaseChange {
    /// That of `case` since `script` was recorded.
    pub fn since(script: &Script, case: &Case) -> Self {
        let Some(seal) = &script.seal else { return Self::Unknown };
        match (&seal.case, &seal.steps) {
            (None, _) => Self::Unknown,
            (Some(recorded), _) if *recorded == case.digest() => Self::Nothing,
            (_, Some(steps)) if *steps == case.digest_of_steps() => Self::Expectations,
            _ => Self::Deeds,
        }
    }
}

/// A script as it is judged: by what it recorded, and by what its case expects now.
#[derive(Debug)]
pub(super) struct Judged {
    /// The script with all of it.
    pub(super) script: Script,
    /// Values of secrets that only the case knows.
    pub(super) secrets: BTreeMap<String, Secret>,
    /// What is to be told of it; none where script and case expect the same.
    pub(super) remark: Option<String>,
}

impl Judged {
    /// A script that is judged as it was recorded.
    pub(super) fn as_recorded(script: &Script) -> Self {
        Self { script: script.clone(), secrets: BTreeMap::new(), remark: None }
    }

    /// A script whose case is known, as it is planned now.
    pub(super) fn with(script: &Script, change: CaseChange, case: &PlannedCase) -> Self {
        let mut judged = Self { secrets: case.secrets.clone(), ..Self::as_recorded(script) };
        let own = |actor: &str| {
            let witnesses = case.witnesses.iter().map(String::as_str).chain(std::iter::repeat(""));
            let wanted = case.expectations.iter().zip(witnesses).filter(|(_, witness)| *witness == actor);
            wanted.map(|(wanted, _)| wanted.clone()).collect::<Vec<Expectation>>()
        };
        let all = |recorded: &[Expectation], actor: &str| with_checked(recorded.iter().cloned(), own(actor));
        judged.script.expectations = all(&script.expectations, "");
        for (name, actor) in &mut judged.script.actors {
            actor.expectations = all(&actor.expectations, name);
        }
        let id = &case.id;
        judged.remark = match change {
            CaseChange::Expectations => Some(format!(
                "what {id} expects was changed after its script was recorded: what was expected then and what is expected now \
                 was checked; `tapwright run {id}` records it again"
            )),
            _ if judged.script != *script => Some(format!(
                "what {id} expects and its script does not was checked, too; `tapwright run {id}` records it again"
            )),
            _ => None,
        };
        judged
    }
}

/// Why `script` is no script of the case with this id, if it is not; `case` is the case, where the workspace has it.
pub fn foreign_to(script: &Script, id: &CaseId, case: Option<&Case>) -> Option<String> {
    if script.case_id != *id {
        return Some(format!(
            "the script is one of {0}, not of {id}: move it to the folder {0} of the scripts; `tapwright run {id}` records one of {id}",
            script.case_id
        ));
    }
    let case = case?;
    let remedy = format!("`tapwright run {id}` records it again");
    if !script.actors.keys().eq(case.actors.keys()) {
        let names = |names: Vec<&str>| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let (recorded, own) = (
            names(script.actors.keys().map(String::as_str).collect()),
            names(case.actors.keys().map(String::as_str).collect()),
        );
        return Some(format!(
            "{id}: the script has other actors than the case (script: {recorded}; case: {own}); {remedy}"
        ));
    }
    let other = if script.actors.is_empty() {
        (script.app.package != case.app.package).then_some((&script.app.package, &case.app.package))
    } else {
        let both = script.actors.iter().filter_map(|(name, actor)| Some((actor, case.actors.get(name)?)));
        let mut packages = both.map(|(recorded, own)| (&recorded.app.package, &own.app.package));
        packages.find(|(recorded, own)| recorded != own)
    };
    other.map(|(recorded, own)| {
        format!("{id}: the script drives the app {recorded}, and the case tests {own}; {remedy}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    const CASE: &str = "id: PAY-0008\ntitle: Open the bills\napp: {package: com.example.pay}\nsteps: [Open Bills]\n\
                        expect: [{visible: Corner Coffee}]\n";

    fn case(text: &str) -> Case {
        Case::parse(Path::new("t.case.yaml"), text).unwrap()
    }

    fn script() -> Script {
        let text = include_str!("../../scripts/PAY-0008/virtual-phone.toml");
        Script::parse(Path::new("s.toml"), text).unwrap()
    }

    #[test]
    fn what_changed_in_a_case_is_known_by_the_seal() {
        let change = |script: &Script, text: &str| CaseChange::since(script, &case(text));
        let now = case(CASE);
        let sealed = script().sealed_for(now.digest(), now.digest_of_steps());
        assert_eq!(change(&sealed, CASE), CaseChange::Nothing);
        assert_eq!(change(&sealed, &CASE.replace("Corner Coffee", "Corner Shop")), CaseChange::Expectations);
        assert_eq!(change(&sealed, &CASE.replace("Open Bills", "Open Help")), CaseChange::Deeds);
        let older = script().sealed(Some(now.digest()));
        assert_eq!(change(&older, &CASE.replace("Corner Coffee", "Corner Shop")), CaseChange::Deeds, "nothing tells");
        assert_eq!(change(&Script { seal: None, ..script() }, CASE), CaseChange::Unknown);
    }

    #[test]
    fn a_script_is_judged_by_what_it_recorded_and_by_what_its_case_expects_now() {
        let planned = |text: &str| {
            PlannedCase::new(&case(text), &crate::case::Rewriter::bundled().unwrap(), &BTreeMap::new()).unwrap()
        };
        let visible = |text: &str| Expectation::Visible(text.to_owned());
        let recorded = Script { expectations: vec![visible("Corner Coffee")], ..script() };
        let same = Judged::with(&recorded, CaseChange::Unknown, &planned(CASE));
        assert_eq!((&same.script, &same.remark), (&recorded, &None));
        let changed = CASE.replace("Corner Coffee", "Corner Shop");
        let both = Judged::with(&recorded, CaseChange::Expectations, &planned(&changed));
        assert_eq!(both.script.expectations, [visible("Corner Coffee"), visible("Corner Shop")]);
        assert!(both.remark.unwrap().contains("was changed after its script was recorded"));
        // Whoever takes a seal off and the expectations out does not get a pass of it.
        let emptied =
            Judged::with(&Script { expectations: Vec::new(), ..recorded }, CaseChange::Unknown, &planned(CASE));
        assert_eq!(emptied.script.expectations, [visible("Corner Coffee")]);
        assert!(emptied.remark.unwrap().contains("and its script does not"));
    }

    #[test]
    fn a_script_of_another_case_or_app_is_told_by_both_names() {
        let (id, other) = (CaseId::new("PAY-0008").unwrap(), CaseId::new("PAY-0003").unwrap());
        assert_eq!(foreign_to(&script(), &id, Some(&case(CASE))), None);
        assert_eq!(foreign_to(&script(), &id, None), None, "a workspace need not have the case");
        let told = foreign_to(&script(), &other, None).unwrap();
        assert!(told.contains("one of PAY-0008, not of PAY-0003"), "{told}");
        let told =
            foreign_to(&script(), &id, Some(&case(&CASE.replace("com.example.pay", "com.example.bank")))).unwrap();
        assert!(told.contains("drives the app com.example.pay, and the case tests com.example.bank"), "{told}");
        let company =
            CASE.replace("app: {package: com.example.pay}", "actors: {ann: {app: {package: com.example.pay}}}");
        let company = case(&company.replace("[Open Bills]", "[{actor: ann, step: Open Bills}]"));
        let told = foreign_to(&script(), &id, Some(&company)).unwrap();
        assert!(told.contains("script: none; case: ann"), "{told}");
    }
}
