//! What the check says of a wrong file: place, reason, what is known.

use super::super::super::file::{AppFile, AppFileIssue, Severity};

/// A right file; each test puts one line into it that is wrong.
const RIGHT: &str = r#"package: com.example.pay
label: Right
version: "1.0"
state: {n: 0, name: "", when: ""}
persist: [n]
permissions: [android.permission.CAMERA]
bugs: {twice: counted twice}
variants: {layout: [a, b]}
versions: {"2.0": {state: {n: 1}}}
links: [{uri: "pay://n/{id}", goto: home, set: {n: number(id)}}]
shared: {channel: all, state: {others: 0}}
screens:
  - id: home
    on_open: [{set: {n: "random(6) + if bug(\"twice\") { 2 } else { 1 }", others: others + 1}}]
    body:
      - field: {bind: name}
      - text: {text: "{{ n }} {{ name }} {{ when }} {{ variant(\"layout\") }} {{ others }}"}
#HERE
"#;

fn issues(text: &str) -> Vec<AppFileIssue> {
    AppFile::parse("x.app.yaml", text).unwrap_or_else(|error| panic!("{error}")).check()
}

fn with(line: &str) -> String {
    RIGHT.replace("#HERE", line)
}

#[test]
fn a_right_file_has_no_problems() {
    assert_eq!(issues(RIGHT), []);
}

#[test]
fn every_wrong_reference_is_named_with_its_place_and_what_is_known() {
    for (line, said) in [
        (
            "      - text: {text: \"{{ bug(\\\"typo\\\") }}\"}",
            "no bug \"typo\" is declared under `bugs:`; there are: twice",
        ),
        ("      - text: {text: x, visible: variant(\"typo\") == \"a\"}", "no variant \"typo\""),
        ("      - text: {text: x, visible: variant(\"layout\") == \"c\"}", "never \"c\", only a, b"),
        (
            "      - text: {text: x, visible: granted(\"android.permission.SMS\")}",
            "declared: android.permission.CAMERA",
        ),
        ("      - text: {text: x, visible: version_at_least(\"3.0\")}", "there are: 1.0, 2.0"),
        ("      - text: {text: \"{{ random(6) }}\"}", "random() belongs into actions"),
        ("      - text: {text: x, visible: n + 1}", "expected true or false, but at first it is of type i64"),
        ("      - text: {text: x, visible: chance(0.5)}", "chance() belongs into actions"),
        ("      - text: {text: \"{{ nosuch(1) }}\"}", "nosuch"),
        ("      - text: {text: \"{{ missing + 1 }}\"}", "missing"),
        ("      - button: {text: x, on_tap: [{back_to: nowhere}]}", "no screen \"nowhere\"; there are: home"),
        ("      - button: {text: x, on_tap: [{focus: missing}]}", "no state variable \"missing\"; there are: n"),
        ("      - button: {text: x, on_tap: [{pick_date: {bind: missing}}]}", "no state variable \"missing\""),
        ("      - button: {text: x, on_tap: [{launch: maps}]}", "expected a package"),
        ("      - button: {text: x, on_tap: [{snackbar: \"@none\"}]}", "no locale has a string \"none\""),
        (
            "      - button: {text: x, on_tap: [{request_permission: {name: android.permission.SMS}}]}",
            "not declared under `permissions:`; declared: android.permission.CAMERA",
        ),
        ("      - button: {text: x, on_tap: [{for_each: {items: n, do: []}}]}", "expected an array"),
        ("      - button: {text: x, on_tap: [{repeat: {every_ms: 1, while: nope, do: []}}]}", "nope"),
        ("    watch: [{when: nope, do: []}]", "nope"),
        ("    on_resume: [{set: {nope: 1}}]", "no state variable \"nope\""),
    ] {
        let found = issues(&with(line));
        let hit =
            found.iter().find(|issue| issue.message.contains(said)).unwrap_or_else(|| panic!("{line}: {found:?}"));
        assert_eq!((hit.line, hit.severity), (18, Severity::Error), "{hit}");
        assert!(hit.column > 0 && hit.place == "screen home", "{hit}");
        assert!(AppFile::load("x", &with(line)).is_err(), "it is refused at install too");
    }
}

#[test]
fn wrong_declarations_are_named() {
    let consequence = |fields: &str, said: &'static str| {
        (&*"persist: [n]", &*format!("persist: [n]\nconsequences: [{{effect: sent, {fields}}}]").leak(), said)
    };
    for (old, new, said) in [
        ("persist: [n]", "persist: [gone]", "no state variable \"gone\" to keep"),
        ("permissions: [android.permission.CAMERA]", "permissions: [camera]", "expected a permission such as"),
        ("layout: [a, b]", "layout: [a]", "at least two values"),
        ("\"2.0\": {state: {n: 1}}", "\"2.0\": {state: {gone: 1}}", "version 2.0: no state variable \"gone\""),
        ("\"2.0\": {state: {n: 1}}", "\"2.0\": {state: {n: x}}", "not of the type"),
        ("\"2.0\": {state: {n: 1}}", "\"1.0\": {}", "is the file's own"),
        ("pay://n/{id}", "n/{id}", "expected a URI"),
        ("goto: home, set: {n: number(id)}", "goto: nowhere", "no screen \"nowhere\""),
        ("set: {n: number(id)}", "set: {n: number(ident)}", "ident"),
        ("state: {others: 0}", "state: {others: 0, n: 1}", "both under `state` and under `shared`"),
        ("name: \"\", when", "name: \"\", case: 1, when", "expressions keep that word"),
        consequence("reason: x", "needs one of `added`, `removed` and `changed`"),
        consequence("added: n, removed: n, reason: x", "needs one of `added`, `removed` and `changed`"),
        consequence("changed: n, reason: \" \"", "a consequence needs a reason"),
        consequence("changed: gone + 1, reason: x", "gone"),
        consequence("changed: random(6), reason: x", "random() belongs into actions"),
    ] {
        let text = RIGHT.replace(old, new);
        assert_ne!(text, RIGHT, "{old}");
        let found = issues(&text);
        assert!(found.iter().any(|i| i.message.contains(said) && i.severity == Severity::Error), "{new}: {found:?}");
    }
}

#[test]
fn what_nothing_uses_is_a_warning_and_does_not_refuse_the_file() {
    let text =
        RIGHT.replace("name: \"\", when", "name: \"\", spare: 1, when").replace("twice}", "twice, other: unused}")
            + "  - {id: orphan}\nsheets:\n  - {id: lost, body: []}\n";
    let text = text.replace("{state: {n: 1}}", "{ids: {gone: x}, texts: {Old: New}}");
    let found = issues(&text);
    assert!(found.iter().all(|issue| issue.severity == Severity::Warning), "{found:?}");
    assert!(found.iter().any(|issue| issue.message.contains("renames the id \"gone\"")), "{found:?}");
    assert!(found.iter().any(|issue| issue.message.contains("rewords \"Old\"")), "{found:?}");
    for said in ["nothing opens the screen \"orphan\"", "nothing shows \"lost\"", "\"spare\"", "bug(\"other\")"] {
        assert!(found.iter().any(|issue| issue.message.contains(said)), "{said}: {found:?}");
    }
    assert!(AppFile::load("x", &text).is_ok());
}

#[test]
fn unknown_actions_and_keys_are_refused_where_they_stand() {
    for (line, said) in [
        ("      - button: {text: x, on_tap: [{gotoo: home}]}", "gotoo"),
        (
            "      - button: {text: x, on_tap: [{delay: {ms: [900, 200], then: []}}]}",
            "the least number of milliseconds",
        ),
        ("      - button: {text: x, on_tap: [{snackbar: {txt: y}}]}", "txt"),
        ("    orientation: sideways", "sideways"),
    ] {
        let error = AppFile::parse("x.app.yaml", &with(line)).expect_err(line).to_string();
        assert!(error.starts_with("x.app.yaml:18:") && error.contains(said), "{error}");
    }
}

/// Every whole app of the guide is right, starts, and shows something.
#[test]
fn the_guides_examples_work() {
    let guide = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/virtual-apps.md"));
    let blocks = guide.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let examples: Vec<&str> = blocks.filter(|block| block.starts_with("package:")).collect();
    assert!(examples.len() > 5, "only {} examples found", examples.len());
    for example in examples {
        assert_eq!(issues(example), [], "{example}");
        let mut user = super::User::of(example, &[]);
        user.wait(2000);
        assert!(!user.app.crashed, "{example}\n{:?}", user.app.log);
        let texts = user.all().iter().filter(|element| !element.text.is_empty()).count();
        assert!(texts > 1, "{example}");
    }
}

#[test]
fn alternatives_may_share_an_id_and_others_may_not() {
    let pair = |first: &str, second: &str| {
        with(&format!("      - text: {{id: total, text: A{first}}}\n      - text: {{id: total, text: B{second}}}"))
    };
    assert_eq!(issues(&pair(", visible: n > 0", ", visible: n == 0")), []);
    let found = issues(&pair("", ""));
    assert!(found.len() == 1 && found[0].message.contains("already used on line 18"), "{found:?}");
}

#[test]
fn words_that_older_yaml_took_for_truth_are_texts() {
    let mut user = super::User::of(
        r#"
package: com.example.pay
label: Words
state: {n: Norway, answer: no, said: ""}
screens:
  - id: home
    body:
      - text: {id: answer, text: "{{ answer }}"}
      - text: {id: said, text: "{{ said }}"}
      - segmented: {id: answers, bind: answer, items: [yes, no, on]}
      - button: {id: say, text: y, on_tap: [{set: {said: n}}]}
"#,
        &[],
    );
    assert_eq!(user.text("answer"), "no");
    user.tap("say");
    assert_eq!(user.text("said"), "Norway");
    assert!(user.sees("yes") && user.sees("on"));
}

#[test]
fn a_method_that_a_type_lacks_is_found_wherever_it_stands() {
    let set = |expression: &str| format!("      - button: {{text: x, on_tap: [{{set: {{when: '{expression}'}}}}]}}");
    for expression in [
        "name.sparkle()",
        r#"name == "x" && name.sparkle() == 1"#,
        r#"if name == "x" { n.to_upper() } else { "" }"#,
        r#"if name == "" { "" } else { n.to_upper() }"#,
        "[1, 2].filter(|x| x.sparkle()).len()",
        "[1].filter(|x| x > 5 && x.to_upper() == \"\").len()",
    ] {
        let found = issues(&with(&set(expression)));
        assert!(found.iter().any(|issue| issue.message.contains("Function not found")), "{expression}: {found:?}");
    }
    for expression in [
        r#"n > 5 && name.len() > 2"#,
        r#"if n > 5 { name.len() } else { n }"#,
        r#"type_of(n) == "string" && n.len() > 2"#,
    ] {
        assert_eq!(issues(&with(&set(expression))), [], "{expression}");
    }
}

#[test]
fn a_method_that_the_elements_of_an_empty_list_lack_is_found_where_something_fills_it() {
    let list = |text: &str, set: &str| {
        let right = RIGHT.replace("state: {n: 0,", "state: {n: 0, notes: [],");
        let list = format!(
            "      - list: {{items: 'notes.filter(|x| x.title != \"\")', item: [{{text: {{text: \"{text}\"}}}}]}}"
        );
        let button = format!("      - button: {{text: x, on_tap: [{{set: {{notes: '{set}'}}}}]}}");
        right.replace("#HERE", &format!("{list}\n{button}"))
    };
    let add = r#"notes + [#{title: "a", stars: 1}]"#;
    for wrong in ["{{ item.title.sparkle() }}", "{{ item.stars.to_upper() }}"] {
        let found = issues(&list(wrong, add));
        assert!(found.iter().any(|issue| issue.message.contains("Function not found")), "{wrong}: {found:?}");
    }
    assert_eq!(issues(&list("{{ item.title.to_upper() }} {{ item.stars }}", add)), []);
    // Nothing fills it: nobody knows.
    assert_eq!(issues(&list("{{ item.title.sparkle() }}", "notes.filter(|x| x.stars > 2)")), []);
}

/// The apps of the suites are what most users of the check write.
#[test]
fn the_suites_apps_are_right() {
    let suites = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/suites"));
    let mut seen = 0;
    for suite in std::fs::read_dir(suites).expect("the suites").flatten() {
        let Ok(apps) = std::fs::read_dir(suite.path().join("apps")) else { continue };
        for app in apps.flatten().filter(|app| app.path().extension().is_some_and(|end| end == "yaml")) {
            let text = std::fs::read_to_string(app.path()).expect("an app");
            let errors: Vec<_> = issues(&text).into_iter().filter(|i| i.severity == Severity::Error).collect();
            assert_eq!(errors, [], "{}", app.path().display());
            seen += 1;
        }
    }
    assert!(seen > 20, "only {seen} apps found");
}
