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
        ("- tapOn:\n    id: offer\n    optional: true\n", 3, "named by its text"),
        ("- scrollUntilVisible:\n    element: {text: A, optional: true}\n", 3, "need not be there"),
        ("- scroll:\n    optional: true\n", 3, "where it is optional"),
        ("- inputText: ${output.result}\n", 3, "the expression `${output.result}`"),
        ("- inputText: ${NAME}\n", 3, "--param NAME=VALUE"),
        ("- tapOn: A\n- launchApp:\n    clearState: true\n", 4, "make two cases"),
        ("- launchApp:\n    arguments: {a: b}\n", 3, "\"arguments\" has no counterpart"),
        ("- swipe:\n    start: 50%, 15%\n    end: 15%, 50%\n", 3, "aslant"),
        ("- swipe:\n    duration: 400\n", 3, "neither a direction nor two places"),
        ("- repeat:\n    while: {visible: A}\n    commands: [back]\n", 3, "while something holds"),
        ("- repeat:\n    times: 900\n    commands: [back]\n", 3, "from 1 to 20"),
        ("- tapOn: Name\n- eraseText\n- back\n", 4, "nothing is typed after it"),
        ("- pasteText\n", 3, "nothing was copied"),
        ("- copyTextFrom: {id: total}\n", 3, "not known before the run"),
        ("- runFlow: missing.yaml\n", 3, "cannot read"),
        ("- runFlow:\n    when: {notVisible: X}\n    file: a.yaml\n", 3, "only under a condition"),
        ("- runFlow:\n    when: {visible: {id: x}}\n    file: a.yaml\n", 3, "a condition names a text"),
        ("- runFlow:\n    when: {visible: X}\n    file: a.yaml\n", 3, "cannot read"),
        (
            "- runFlow:\n    when: {visible: X}\n    commands: [{runFlow: {when: {visible: Y}, commands: [back]}}]\n",
            3,
            "a condition under a condition",
        ),
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
    let both = import(&format!("{HEADER}- runScript: a.js\n- tapOn: A\n- evalScript: x\n")).unwrap_err();
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
fn what_is_done_only_where_something_is_shown_keeps_its_condition() {
    let case = import(&format!(
        "{HEADER}- launchApp\n- tapOn:\n    text: Not now\n    optional: true\n- runFlow:\n    when: {{visible: Welcome}}\n    \
         commands:\n      - tapOn: Start\n      - assertVisible: Sign in\n- runFlow:\n    when: {{visible: Sign in, platform: \
         Android}}\n    commands: [{{tapOn: Name}}, {{inputText: Ann}}]\n- assertVisible: {{text: Bonus, optional: true}}\n- \
         assertVisible: Hello\n"
    ))
    .unwrap();
    assert!(
        case.text.ends_with(
            "steps:\n  - {step: \"Tap \\\"Not now\\\"\", optional: true}\n  - when: \"Welcome\"\n    steps:\n      - \"Tap \
             \\\"Start\\\"\"\n      - \"Check that \\\"Sign in\\\" is shown\"\n  - when: \"Sign in\"\n    steps:\n      - \"Enter \
             \\\"Ann\\\" into \\\"Name\\\"\"\nexpect:\n  - visible: \"Hello\"\n"
        ),
        "{}",
        case.text
    );
    assert!(case.notes.iter().any(|note| note.contains("optional assertion")), "{:?}", case.notes);
    let ends = import(&format!(
        "{HEADER}- tapOn: Menu\n- runFlow:\n    when: {{visible: Tip}}\n    commands: [{{assertVisible: Tip}}]\n"
    ));
    assert!(!ends.unwrap().text.contains("expect:"), "what need not be shown is not expected at the end");
}

#[test]
fn what_is_typed_bit_by_bit_is_what_the_field_holds_in_the_end() {
    let case = import(&format!(
        "{HEADER}- tapOn: {{id: textInput}}\n- inputText: foo\n- assertVisible: foo\n- inputText: bar\n- copyTextFrom: {{id: \
         textInput}}\n- eraseText\n- pasteText\n- pasteText\n- tapOn: Send\n- assertVisible: Sent\n- inputText: more\n- repeat:\n    \
         times: 2\n    commands: [back]\n- swipe: {{start: \"50%, 80%\", end: \"50%, 20%\"}}\n"
    ))
    .unwrap();
    let steps: Vec<&str> = case.text.lines().filter_map(|line| line.strip_prefix("  - ")).collect();
    assert_eq!(
        steps,
        [
            "\"Enter \\\"foo\\\" into the text input field\"",
            "\"Check that \\\"foo\\\" is shown\"",
            "\"Enter \\\"foobarfoobar\\\" into the text input field\"",
            "\"Tap \\\"Send\\\"\"",
            "\"Check that \\\"Sent\\\" is shown\"",
            "\"Type \\\"more\\\"\"",
            "\"Go back\"",
            "\"Go back\"",
            "\"Scroll down\"",
        ],
        "{}",
        case.text
    );
}

#[test]
fn a_flow_that_is_not_where_another_says_is_found_by_its_name_where_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("outer.yaml", &format!("{HEADER}- runFlow: ../utils/inner.yaml\n- tapOn: Buy\n"));
    write("inner.yaml", &format!("{HEADER}- tapOn: Sign in\n"));
    let (path, flows) = (folder.path().join("outer.yaml"), Some(folder.path().to_owned()));
    assert!(Importer::default().import(&path).unwrap_err()[0].reason.contains("cannot read"));
    let case = Importer { flows, ..Importer::default() }.import(&path).unwrap();
    assert!(case.text.contains("Sign in") && case.notes[0].contains("was taken for it"), "{case:?}");
}

#[test]
fn a_password_that_the_sentences_say_anyway_is_no_secret() {
    let flow = |value: &str| {
        let flow = format!(
            "appId: a.b\nenv: {{PASSWORD: {value}}}\n---\n- tapOn: {{id: password-input}}\n- inputText: ${{PASSWORD}}\n"
        );
        import(&flow).unwrap().text
    };
    assert!(flow("horse").contains("{value: \"horse\", secret: true}"));
    assert!(flow("password").contains("  PASSWORD: \"password\"\n"));
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
    let case = Importer { app: Some("com.a.b".into()), params, flows: None }.import(&path).unwrap();
    assert!(case.text.contains("WHO: \"Bob\"") && case.text.contains("package: \"com.a.b\""), "{}", case.text);
    assert!(case.text.ends_with("expect:\n  - visible: \"Hello\"\n"), "{}", case.text);
}
