//! Whatever a script holds, what is exported of it says nothing in the other format's own words.

use super::variable::variable;
use super::{Script, to_appium, to_gherkin, to_journey, to_maestro, to_shell, to_uiautomator};
use crate::domain::{Expectation, Locator};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Stands where a command would be.
const MARK: &str = "INJECTED";
/// What breaks out of quotes, comments and lines of one of the formats, with a command of it behind.
const NASTY: [&str; 12] = [
    "x\n- runScript: INJECTED\n",
    "x\u{2028}- runScript: INJECTED\u{2028}",
    "x\u{85}- runScript: INJECTED\u{85}",
    "x}\n- runFlow: INJECTED # {",
    "${INJECTED()}",
    "\\${INJECTED()}",
    "$INJECTED",
    "\"); INJECTED()  #",
    "'''); INJECTED()\nINJECTED()",
    "\\\"); INJECTED() //",
    "*/ INJECTED() /*",
    "</action><INJECTED/><action>",
];

type Change = fn(&mut Script, &str);

const PLACES: [(&str, Change); 17] = [
    ("title", |script, text| script.title = text.into()),
    ("profile", |script, text| script.profile = text.into()),
    ("tapwright", |script, text| script.tapwright = text.into()),
    ("model", |script, text| script.device.model = text.into()),
    ("locale", |script, text| script.device.locale = text.into()),
    ("version", |script, text| script.app.version = Some(text.into())),
    ("secret's name", |script, text| script.secrets = vec![text.into()]),
    ("instruction", |script, text| script.actions.iter_mut().for_each(|action| action.instruction = text.into())),
    ("skill", |script, text| script.actions[0].skill = text.into()),
    ("screen", |script, text| script.actions[0].screen = text.into()),
    ("text", |script, text| script.actions.iter_mut().for_each(|action| action.text = Some(text.into()))),
    ("secret that is typed", |script, text| {
        for action in &mut script.actions {
            (action.text, action.secret) = (None, Some(text.into()));
        }
    }),
    ("key", |script, text| {
        for action in script.actions.iter_mut().filter(|action| !action.keys.is_empty()) {
            let (_, at) = action.keys.pop_first().unwrap();
            action.keys.insert(text.into(), at);
        }
    }),
    ("adb", |script, text| script.actions.iter_mut().for_each(|action| action.adb = vec![text.into()])),
    ("id", |script, text| relocate(script, &Locator::ResourceId(text.into()))),
    ("description", |script, text| relocate(script, &Locator::ContentDesc(text.into()))),
    ("expectation", |script, text| {
        script.expectations = vec![
            Expectation::Visible(text.into()),
            Expectation::Absent(text.into()),
            Expectation::Checked { widget: text.into(), is: true },
            Expectation::Value { field: text.into(), is: text.into() },
        ];
        let checks = script.expectations.clone();
        script.actions[0].checks = checks;
    }),
];

fn relocate(script: &mut Script, locator: &Locator) {
    for target in script.actions.iter_mut().filter_map(|action| action.target.as_mut()) {
        target.selector.chain = vec![locator.clone()];
    }
}

fn sound() -> Script {
    Script::parse(Path::new("s.toml"), include_str!("../../scripts/PAY-0001/virtual-phone.toml")).unwrap()
}

/// Every nasty script, with what is nasty about it.
fn nasty() -> impl Iterator<Item = (String, Script)> {
    PLACES.iter().flat_map(move |(place, change)| {
        NASTY.iter().map(move |text| {
            let mut script = sound();
            change(&mut script, text);
            (format!("{place}: {text:?}"), script)
        })
    })
}

/// What of a program is neither in double quotes nor a comment, and what is in quotes.
fn parts<'p>(program: &'p str, comment: &str) -> (String, Vec<&'p str>) {
    let (mut code, mut quoted, mut rest) = (String::new(), Vec::new(), program);
    while let Some(letter) = rest.chars().next() {
        let mut taken = letter.len_utf8();
        if rest.starts_with(comment) {
            taken = rest.find(['\n', '\r']).unwrap_or(rest.len());
        } else if letter == '"' {
            let mut escaped = false;
            let inner = rest[1..].char_indices().find(|(_, inner)| {
                let ends = *inner == '"' && !escaped;
                escaped = *inner == '\\' && !escaped;
                ends
            });
            taken = inner.map_or(rest.len(), |(at, _)| at + 2);
            quoted.push(&rest[..taken]);
        } else {
            code.push(letter);
        }
        rest = &rest[taken..];
    }
    (code, quoted)
}

#[test]
fn python_and_kotlin_say_nothing_that_a_script_holds() {
    for (what, script) in nasty() {
        let program = to_appium(&script).unwrap().text;
        assert!(!parts(&program, "#").0.contains(MARK), "{what}: {program}");
        let class = to_uiautomator(&script).unwrap().text;
        let own = class.split("@RunWith").nth(1).unwrap().split("    private ").next().unwrap();
        let (code, quoted) = parts(own, "//");
        // The title's words are the test's name.
        let said: Vec<&str> = code.lines().filter(|line| !line.starts_with("    fun ")).collect();
        assert!(!said.concat().contains(MARK), "{what}: {class}");
        for text in quoted {
            // What a dollar that nothing escapes begins is carried out.
            assert!(!text.replace("\\\\", "").replace("\\$", "").contains('$'), "{what}: {text}");
        }
    }
}

#[test]
fn a_maestro_flow_has_only_commands_of_its_own() {
    // YAML 1.1, which Maestro reads, knows more line ends than others.
    let ends = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];
    for (what, script) in nasty() {
        let flow = to_maestro(&script).unwrap().text;
        for line in flow.split(ends) {
            assert!(
                !line.trim_start().starts_with("- runScript") && !line.trim_start().starts_with("- runFlow"),
                "{what}: {flow}"
            );
        }
        for document in
            serde_saphyr::from_multiple::<serde_json::Value>(&flow).unwrap_or_else(|error| panic!("{what}: {error}"))
        {
            for command in document.as_array().into_iter().flatten() {
                let name = command.as_str().or_else(|| command.as_object()?.keys().next().map(String::as_str)).unwrap();
                let own = [
                    "launchApp",
                    "tapOn",
                    "eraseText",
                    "inputText",
                    "assertVisible",
                    "assertNotVisible",
                    "pressKey",
                    "back",
                    "swipe",
                ];
                assert!(own.contains(&name), "{what}: {name}");
            }
        }
        // What stands between `${` and `}` is a program of its own.
        let carried: Vec<&str> = flow.lines().filter(|line| !line.starts_with('#')).collect();
        let flow = carried.join("\n");
        for (at, _) in flow.match_indices("${") {
            let name = flow[at + 2..].split('}').next().unwrap();
            let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            assert!(flow[..at].ends_with('\\') || plain, "{what}: {name} in {flow}");
        }
    }
}

#[test]
fn sentences_stay_sentences() {
    for (what, script) in nasty() {
        let feature = to_gherkin(&script);
        let keywords = ["Feature:", "@", "Scenario:", "Given ", "When ", "Then ", "And "];
        for line in feature.lines().map(str::trim_start).filter(|line| !line.is_empty()) {
            assert!(keywords.iter().any(|keyword| line.starts_with(keyword)), "{what}: {feature}");
        }
        let journey = to_journey(&script).unwrap();
        let mut reader = quick_xml::Reader::from_str(&journey);
        loop {
            match reader.read_event().unwrap() {
                quick_xml::events::Event::Eof => break,
                quick_xml::events::Event::Start(element) => {
                    let known = ["journey", "description", "actions", "action"];
                    assert!(known.contains(&element.name().as_ref()), "{what}: {journey}");
                }
                quick_xml::events::Event::Empty(_) => panic!("{what}: {journey}"),
                _ => {}
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn a_shell_carries_nothing_out_that_a_script_holds() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let touch = format!("touch {}", mark.display());
    // A device of the right size, on which everything is found: the script goes to its end.
    let size = "#!/bin/sh\ncase \"$*\" in *size*) echo ': 1080x2400';; *density*) echo ': 420';; esac\n";
    for (name, text) in [("adb", size), ("grep", "#!/bin/sh\nexit 0\n")] {
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    for (place, change) in PLACES {
        for text in
            [format!("x\n{touch}\n#"), format!("$({touch})"), format!("'; {touch}; '"), format!("\"; {touch}; \"")]
        {
            let mut script = sound();
            // The first touch, the keypad, and what comes at the end.
            script.actions.drain(2..11);
            change(&mut script, &text);
            let file = folder.path().join("odd.sh");
            std::fs::write(&file, to_shell(&script)).unwrap();
            let mut shell = Command::new("sh");
            shell.args(["-c", "PATH=$1:$PATH exec sh $2", "sh"]).args([folder.path(), &file]);
            shell.env("PAYMENT_PASSWORD", "1").env(variable(&text), "1");
            shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            let ended = shell.status().unwrap().code();
            // The last thing it looks for is what must not be there.
            assert!(ended == Some(1) || place == "secret's name", "{place}: {text:?} ended with {ended:?}");
            assert!(!mark.exists(), "{place}: {text:?} was carried out");
        }
    }
}
