//! How a script stands to a case: whether it is one of it.

use crate::case::Case;
use crate::domain::CaseId;
use crate::script::Script;

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
