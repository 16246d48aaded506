//! A script as a journey of Android Studio: an XML file of sentences. It says what a person does, not how.

use super::format::Script;
use super::sentence::{one_line, sentence};
use quick_xml::escape::escape;
use std::fmt::Write as _;

/// The journey's text; why there is none for a script of several devices.
pub fn to_journey(script: &Script) -> Result<String, String> {
    if !script.actors.is_empty() {
        return Err("a journey drives one device, and this script several".to_owned());
    }
    let mut actions = Vec::new();
    let mut step = None;
    for action in &script.actions {
        actions.extend(action.checks.iter().map(|check| format!("Verify that {}", sentence(check))));
        if step.replace(action.step) != Some(action.step) {
            actions.push(one_line(&action.instruction));
        }
    }
    actions.extend(script.expectations.iter().map(|wanted| format!("Verify that {}", sentence(wanted))));
    let name = escape(format!("{}: {}", script.case_id, one_line(&script.title))).into_owned();
    let description =
        escape(format!("Begins with {} freshly started, its data cleared.", script.app.package)).into_owned();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<journey name=\"{name}\">\n  <description>{description}</description>\n  <actions>\n"
    );
    for action in actions {
        // Writing to a text never fails.
        let _ = writeln!(text, "    <action>{}</action>", escape(&action));
    }
    text.push_str("  </actions>\n</journey>\n");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Expectation;
    use std::path::Path;

    #[test]
    fn the_sentences_are_there_once_and_quoted_as_xml() {
        let text = include_str!("../../scripts/PAY-0002/virtual-phone.toml");
        let mut script = Script::parse(Path::new("s.toml"), text).unwrap();
        script.title = "A & B <c> \"d\"".into();
        script.expectations.push(Expectation::Visible("<b>".into()));
        let journey = to_journey(&script).unwrap();
        insta::assert_snapshot!(journey);
        let mut reader = quick_xml::Reader::from_str(&journey);
        loop {
            if matches!(reader.read_event().unwrap(), quick_xml::events::Event::Eof) {
                break;
            }
        }
    }
}
