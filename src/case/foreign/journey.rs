//! A journey of Android Studio: an XML file with a name and actions, each a sentence.

use super::draft::Draft;
use crate::case::maestro::{FlowError, ImportedCase, Importer, stem};
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use std::path::Path;

/// Words a sentence that checks begins with; `Verify that …` in the journeys of Android Studio's own pages.
const CHECKS: [&str; 4] = ["verify that ", "check that ", "make sure that ", "assert that "];

/// The case of a journey.
pub(super) fn import(importer: &Importer, path: &Path) -> Result<ImportedCase, Vec<FlowError>> {
    let failed = |line: u64, reason: String| vec![FlowError { path: path.to_owned(), line, reason }];
    let text = std::fs::read_to_string(path).map_err(|error| failed(1, format!("cannot read it: {error}")))?;
    let journey = read(&text).map_err(|(line, reason)| failed(line, reason))?;
    let Some(app) = &importer.app else {
        return Err(failed(1, "a journey names no application: give it with --app PACKAGE".to_owned()));
    };
    let name = if journey.name.is_empty() { stem(path).replace(['_', '-', '.'], " ") } else { journey.name };
    let mut draft = Draft::new(&stem(path), &name, app);
    for action in &journey.actions {
        let lower = action.to_lowercase();
        let check = CHECKS.iter().find(|begin| lower.starts_with(*begin));
        match check.and_then(|begin| action.get(begin.len()..)) {
            Some(claim) => draft.check(claim.trim_end_matches('.')),
            None => draft.act(action),
        }
    }
    draft.finish(path, 1).map_err(|error| vec![error])
}

#[derive(Default)]
struct Journey {
    name: String,
    actions: Vec<String>,
}

/// Reads a journey; line and reason where it is none.
fn read(text: &str) -> Result<Journey, (u64, String)> {
    let mut reader = Reader::from_str(text);
    let (mut journey, mut open): (Journey, Vec<String>) = (Journey::default(), Vec::new());
    let mut sentence = String::new();
    loop {
        let at = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let line = text.get(..at).unwrap_or(text).matches('\n').count() as u64 + 1;
        let failed = |reason: String| (line, reason);
        match reader.read_event().map_err(|error| failed(format!("no XML: {error}")))? {
            Event::Start(start) => {
                let name = element(&start);
                let parent = open.last().map(String::as_str);
                match (parent, name.as_str()) {
                    (None, "journey") => journey.name = attribute(&start, "name").map_err(failed)?,
                    (Some("journey"), "description" | "actions") => {}
                    (Some("actions"), "action") => sentence.clear(),
                    _ => {
                        return Err(failed(format!(
                            "<{name}> has no counterpart: a journey holds actions, and these sentences"
                        )));
                    }
                }
                open.push(name);
            }
            Event::End(_) => {
                if open.pop().as_deref() == Some("action") {
                    let words = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
                    if words.is_empty() {
                        return Err(failed("an action without a sentence".to_owned()));
                    }
                    journey.actions.push(words);
                }
            }
            Event::Text(piece) => {
                sentence.push_str(&piece);
            }
            Event::GeneralRef(reference) => {
                let name = reference.to_string();
                let letter = reference.resolve_char_ref().map_err(|error| failed(error.to_string()))?;
                match (letter, resolve_predefined_entity(&name)) {
                    (Some(letter), _) => sentence.push(letter),
                    (None, Some(text)) => sentence.push_str(text),
                    (None, None) => return Err(failed(format!("&{name}; is unknown"))),
                }
            }
            Event::CData(data) => sentence.push_str(&data),
            Event::Empty(start) => {
                return Err(failed(format!("<{}/> says nothing", element(&start))));
            }
            Event::Eof if open.is_empty() && !journey.actions.is_empty() => return Ok(journey),
            Event::Eof => return Err(failed("no journey with actions: it ends too early".to_owned())),
            Event::Decl(_) | Event::Comment(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

fn element(start: &BytesStart<'_>) -> String {
    start.name().as_ref().to_owned()
}

fn attribute(start: &BytesStart<'_>, name: &str) -> Result<String, String> {
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        if attribute.key.as_ref() == name {
            let value = attribute.value.as_ref();
            return quick_xml::escape::unescape(value)
                .map(std::borrow::Cow::into_owned)
                .map_err(|error| error.to_string());
        }
    }
    Ok(String::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn import_text(text: &str, app: Option<&str>) -> Result<String, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sign_in.journey.xml");
        std::fs::write(&path, text).unwrap();
        let importer = Importer { app: app.map(str::to_owned), ..Importer::default() };
        let name = path.display().to_string();
        let told = |errors: Vec<FlowError>| errors[0].to_string().replace(&name, "j.xml");
        import(&importer, &path).map(|case| case.text).map_err(told)
    }

    #[test]
    fn actions_are_steps_and_what_is_verified_at_the_end_is_expected() {
        let text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<journey name=\"Sign in &amp; out\">\n  <description>d</description>\n  \
                    <actions>\n    <action>\n      Tap &quot;Sign in&quot;\n    </action>\n    <!-- then -->\n    \
                    <action>Verify that the form is open.</action>\n    <action><![CDATA[Enter <ann>]]></action>\n    \
                    <action>Verify that \"Hello\" is shown</action>\n  </actions>\n</journey>\n";
        assert_eq!(
            import_text(text, Some("a.b")).unwrap(),
            "id: sign_in\ntitle: \"Sign in & out\"\napp: {package: \"a.b\"}\nsteps:\n  - \"Tap \\\"Sign in\\\"\"\n  \
             - \"Check that the form is open\"\n  - \"Enter <ann>\"\nexpect:\n  - {\"visible\":\"Hello\"}\n"
        );
        assert!(import_text(text, None).unwrap_err().contains("--app PACKAGE"));
    }

    #[test]
    fn what_is_no_journey_is_refused_with_its_line() {
        for (text, expected) in [
            ("<journey>\n<actions>\n<tap x='1'/>\n</actions></journey>", "j.xml:3: <tap/> says nothing"),
            ("<journey>\n<steps></steps></journey>", "j.xml:2: <steps> has no counterpart"),
            ("<journey><actions>\n<action> </action></actions></journey>", "an action without a sentence"),
            ("<journey><actions></actions></journey>", "it ends too early"),
            ("<journey><actions><action>Tap A</action>", "it ends too early"),
            ("<journey><actions><action>Tap &nope;</action></actions></journey>", "&nope; is unknown"),
            ("<journey></actions>", "no XML"),
            ("text", "it ends too early"),
        ] {
            let told = import_text(text, Some("a.b")).unwrap_err();
            assert!(told.contains(expected), "{told}");
        }
    }
}
