//! Flows, and the cases or refusals that come of them.

use super::*;

fn import(flow: &str) -> Result<ImportedCase, Vec<FlowError>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sign in.yaml");
    std::fs::write(&path, flow).unwrap();
    Importer::default().import(&path)
}

const HEADER: &str = "appId: com.example.shop\n---\n";

#[test]
fn a_flow_becomes_a_case_that_can_be_read() {
    let case = import(
        "appId: com.example.shop\nname: Sign in\ntags: [smoke]\nenv:\n  EMAIL: ann@example.com\n  PASSWORD: horse\n---\n\
         - launchApp:\n    clearState: true\n- tapOn: Email\n- inputText: ${EMAIL}\n- tapOn:\n    id: \"password-input\"\n\
         - eraseText\n- inputText: ${PASSWORD}\n- hideKeyboard\n- assertVisible: Remember me\n- tapOn:\n    text: Login\n    index: 1\n\
         - waitForAnimationToEnd\n- pressKey: Enter\n- back\n- swipe:\n    direction: UP\n- scrollUntilVisible:\n    element: Imprint\n\
         - assertVisible:\n    text: Stay\n    checked: true\n- assertNotVisible: \"5\\\\.00\"\n",
    )
    .unwrap();
    insta::assert_snapshot!(case.text);
    assert_eq!((case.id.as_str(), case.notes.len()), ("sign-in", 1), "{:?}", case.notes);
}

#[test]
fn what_has_no_counterpart_is_refused_with_its_line() {
    for (commands, line, part) in [
        ("- runScript: a.js\n", 3, "runScript: this command has no counterpart"),
        ("- tapOn: A\n- evalScript: ${1}\n", 4, "evalScript"),
        ("- tapOn: A\n\n# words\n- tapOn:\n    point: 50%,50%\n", 6, "tapOn: a place on the display"),
        ("- tapOn:\n    text: Non existent\n    optional: true\n", 3, "preferences"),
        ("- inputText: ${output.result}\n", 3, "the expression `${output.result}`"),
        ("- inputText: ${NAME}\n", 3, "--param NAME=VALUE"),
        ("- tapOn: A\n- launchApp:\n    clearState: true\n", 4, "make two cases"),
        ("- launchApp:\n    arguments: {a: b}\n", 3, "\"arguments\" has no counterpart"),
        ("- swipe:\n    start: 50%, 15%\n    end: 15%, 50%\n", 3, "two places"),
        ("- runFlow: missing.yaml\n", 3, "cannot read"),
        ("- runFlow:\n    when: {visible: X}\n    file: a.yaml\n", 3, "under a condition"),
        ("- pressKey: Home\n", 3, "the key \"Home\""),
        ("- eraseText\n", 3, "tap it first"),
        ("- {tapOn: A, back: B}\n", 3, "is no command"),
        ("- tapOn: [\n", 3, ""),
        ("", 1, "does nothing"),
    ] {
        let errors = import(&format!("{HEADER}{commands}")).unwrap_err();
        let first = errors.first().unwrap();
        assert!(first.reason.contains(part), "{commands:?}: {first}");
        assert!(first.line >= line, "{commands:?}: {first}");
        assert!(first.line <= line + 1, "{commands:?}: {first}");
    }
    assert_eq!(import("- tapOn: A\n").unwrap_err()[0].line, 1, "no header");
    assert!(import("appId: ${APP_ID}\n---\n- tapOn: A\n").unwrap_err()[0].reason.contains("--app PACKAGE"));
    let both = import(&format!("{HEADER}- runScript: a.js\n- tapOn: A\n- repeat: {{}}\n")).unwrap_err();
    assert_eq!(both.iter().map(|error| error.line).collect::<Vec<_>>(), [3, 5], "all of them are told");
}

#[test]
fn a_flow_within_a_flow_is_taken_in_and_one_that_runs_itself_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "outer.yaml",
        &format!(
            "{HEADER}- runFlow: inner.yaml\n- runFlow:\n    when: {{platform: iOS}}\n    file: none.yaml\n- tapOn: Buy\n"
        ),
    );
    write("inner.yaml", "appId: x.y\nenv: {NAME: Ann}\n---\n- tapOn: Name\n- inputText: ${NAME}\n- runScript: a.js\n");
    let errors = Importer::default().import(&folder.path().join("outer.yaml")).unwrap_err();
    assert!(errors.len() == 1 && errors[0].path.ends_with("inner.yaml") && errors[0].line == 6, "{errors:?}");
    write("inner.yaml", "appId: x.y\nenv: {NAME: Ann}\n---\n- tapOn: Name\n- inputText: ${NAME}\n");
    let case = Importer::default().import(&folder.path().join("outer.yaml")).unwrap();
    assert!(
        case.text.contains("- \"Enter ${NAME} into \\\"Name\\\"\"") && case.text.contains("NAME: \"Ann\""),
        "{}",
        case.text
    );
    write("inner.yaml", &format!("{HEADER}- runFlow: inner.yaml\n"));
    let errors = Importer::default().import(&folder.path().join("outer.yaml")).unwrap_err();
    assert!(errors[0].reason.contains("does one run itself"), "{errors:?}");
}

#[test]
fn a_value_given_on_the_command_line_wins_and_names_the_app() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.yaml");
    std::fs::write(
        &path,
        "appId: ${APP}\nenv: {WHO: Ann}\n---\n- tapOn: Name\n- inputText: ${WHO}\n- assertVisible: Hello\n",
    )
    .unwrap();
    let params = BTreeMap::from([("WHO".to_owned(), "Bob".to_owned())]);
    let case = Importer { app: Some("com.a.b".into()), params }.import(&path).unwrap();
    assert!(case.text.contains("WHO: \"Bob\"") && case.text.contains("package: \"com.a.b\""), "{}", case.text);
    assert!(case.text.ends_with("expect:\n  - visible: \"Hello\"\n"), "{}", case.text);
}
