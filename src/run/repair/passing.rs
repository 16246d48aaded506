//! A page nobody recorded that only leads on: an introduction, a notice, news. What it leads on with is touched, and nothing
//! else.

use crate::domain::Action;
use crate::hierarchy::{Role, Screen, Widget};
use crate::lexicon::{Lexicon, unasked};
use crate::ranking::{Candidate, Cues, Ranked};
use crate::script::Script;

/// Name of the term that such a choice is made of.
const LEADS_ON: &str = "it only leads on";

/// The one control that leads on from a page the script does not know; `None` where the page is known, asks for something, or
/// leads on in several ways. `asked` are the texts that say what the case is about.
pub(super) fn way_on(
    screen: &Screen,
    script: &Script,
    cues: &Cues,
    lexicon: &Lexicon,
    asked: &[&str],
) -> Option<Ranked> {
    let is_known = script.actions.iter().any(|action| action.before == screen.fingerprint);
    let asks = screen.widgets.iter().any(|widget| {
        matches!(widget.role, Role::Field | Role::Selector | Role::Slider | Role::KeypadKey | Role::Dropdown)
            || widget.state.checked.is_some()
    });
    if is_known || asks {
        return None;
    }
    let touchable = |widget: &&Widget| widget.clickable && widget.state.enabled && !widget.label.is_empty();
    let only = |leads: &dyn Fn(&str) -> bool| {
        let mut found = screen.widgets.iter().filter(touchable).filter(|widget| leads(&widget.label));
        found.next().filter(|_| found.next().is_none())
    };
    let onward = only(&|label| (cues.acknowledges(label) || cues.is_advance(label)) && !cues.leads_back(label));
    let widget = onward.or_else(|| only(&|label| cues.puts_off(label)))?;
    let languages = lexicon.languages_of(screen.widgets.iter().map(|widget| widget.label.as_str()));
    if unasked(lexicon, &widget.label, languages, asked).is_some() {
        return None;
    }
    let action = Action::Click { target: widget.target() };
    let candidate = Candidate { action, widget: Some(widget.id), text: widget.label.clone(), offer: None };
    Some(Ranked { candidate, score: 1.0, terms: vec![(LEADS_ON, 1.0)] })
}

#[cfg(test)]
mod tests {
    use super::super::sample::perceived;
    use super::*;
    use std::fmt::Write as _;
    use std::path::Path;

    /// A page of `(class, text)`.
    fn page(parts: &[(&str, &str)]) -> Screen {
        let mut xml = String::from("<hierarchy rotation=\"0\">");
        let node = |class: &str, text: &str, clickable: bool, top: usize| {
            format!(
                "<node index=\"0\" text=\"{text}\" resource-id=\"\" class=\"android.widget.{class}\" package=\"a.b\" \
                 content-desc=\"\" checkable=\"{}\" clickable=\"{clickable}\" enabled=\"true\" \
                 bounds=\"[0,{top}][1080,{}]\"",
                class == "CheckBox",
                if class == "FrameLayout" { 2400 } else { top + 150 }
            )
        };
        let _ = write!(xml, "{}>", node("FrameLayout", "", false, 0));
        for (at, (class, text)) in parts.iter().enumerate() {
            let _ = write!(xml, "{} />", node(class, text, *class != "TextView", 200 + 200 * at));
        }
        xml.push_str("</node></hierarchy>");
        perceived(&xml)
    }

    #[test]
    fn only_what_leads_on_in_one_way_and_asks_for_nothing_is_passed() {
        let text = include_str!("../../../scripts/PAY-0008/virtual-phone.toml");
        let script = Script::parse(Path::new("s.toml"), text).unwrap();
        let (cues, lexicon) = (Cues::bundled().unwrap(), Lexicon::bundled().unwrap());
        for (parts, expected) in [
            (&[("TextView", "What is new"), ("Button", "OK")][..], Some("OK")),
            (&[("TextView", "Pay safely"), ("Button", "Got it"), ("Button", "Read more")], Some("Got it")),
            (&[("TextView", "How it works"), ("Button", "Continue")], Some("Continue")),
            (&[("TextView", "Rate us"), ("Button", "Not now"), ("Button", "Rate")], Some("Not now")),
            (&[("TextView", "Two ways"), ("Button", "Next"), ("Button", "Continue")], None),
            (&[("TextView", "Your name"), ("EditText", ""), ("Button", "Continue")], None),
            (&[("CheckBox", "I agree"), ("Button", "Continue")], None),
            (&[("TextView", "Bills"), ("Button", "Pay all")], None),
            (&[("TextView", "Nothing to touch")], None),
        ] {
            let found = way_on(&page(parts), &script, &cues, &lexicon, &["Open the bills"]);
            let label =
                found.as_ref().and_then(|one| one.candidate.action.target()).map(|target| target.label.as_str());
            assert_eq!(label, expected, "{parts:?}");
        }
        let mut known = script.clone();
        let screen = page(&[("TextView", "What is new"), ("Button", "OK")]);
        known.actions[0].before = screen.fingerprint;
        assert!(way_on(&screen, &known, &cues, &lexicon, &["Open the bills"]).is_none(), "the script knows this page");
    }
}
