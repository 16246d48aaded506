//! Another way to where a script goes on, over what earlier runs learned of the app.

use super::super::executor::Judgement;
use super::change::{Change, Pictures, Way};
use super::mender::CaseMender;
use crate::app_map::AppMap;
use crate::device::{Recorder, Seen};
use crate::domain::{Action, ActionSource};
use crate::hierarchy::{Fingerprint, Screen, Widget};
use crate::lexicon::unasked;
use crate::script::{Halt, Order, ReplayError, ScriptAction};
use std::collections::{BTreeMap, VecDeque};

/// Longest way, in touches.
const MOST_TOUCHES: usize = 4;

/// A touch of a way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Touch {
    /// What is touched is called so.
    pub(super) label: String,
    /// Structure of the screen that it led to.
    pub(super) leads_to: Fingerprint,
}

/// The shortest known way from a screen to one of the structure `to`, in which every touch led to another screen; `None` where the
/// screen is not on the map, or no such way is.
pub(super) fn way(map: &AppMap, from: &Screen, to: Fingerprint) -> Option<Vec<Touch>> {
    let views = map.views();
    let same = |view: &crate::app_map::View| view.fingerprint == from.fingerprint && view.title == from.title;
    let start = map.number_of(from.digest).or_else(|| views.iter().position(same))?;
    let mut ways: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for (from, control, to) in map.ways() {
        ways.entry(from).or_default().push((control, to));
    }
    let mut queue: VecDeque<(usize, Vec<Touch>)> = VecDeque::from([(start, Vec::new())]);
    let mut known = vec![start];
    while let Some((at, touches)) = queue.pop_front() {
        let Some(view) = views.get(at) else { continue };
        if !touches.is_empty() && view.fingerprint == to {
            return Some(touches);
        }
        if touches.len() == MOST_TOUCHES {
            continue;
        }
        for (control, next) in ways.get(&at).into_iter().flatten() {
            let (Some(control), Some(there)) = (view.controls.get(*control), views.get(*next)) else { continue };
            let passable = control.clickable && control.enabled && !control.label.is_empty();
            if passable && there.fingerprint != view.fingerprint && !known.contains(next) {
                known.push(*next);
                let touch = Touch { label: control.label.clone(), leads_to: there.fingerprint };
                queue.push_back((*next, touches.iter().cloned().chain([touch]).collect()));
            }
        }
    }
    None
}

impl CaseMender<'_> {
    /// Goes another way to the recorded screen, over what is known of the app; whether the script fits again then, `None` where
    /// nothing was touched. A touch that does not lead where it led ends it; one that commands what the case does not ask for is
    /// not made.
    ///
    /// # Errors
    /// The device fails.
    pub(super) async fn by_map(
        &mut self,
        halt: &Halt<'_>,
        judgement: &Judgement,
        seen: &mut Seen,
        recorder: &mut dyn Recorder,
    ) -> Result<Option<bool>, ReplayError> {
        let Some(recorded) = halt.script.actions.get(halt.index) else { return Ok(None) };
        let known =
            way(&self.map, &seen.screen, recorded.before).filter(|_| seen.screen.fingerprint != recorded.before);
        let Some(known) = known else { return Ok(None) };
        let lexicon = &judgement.knowledge.lexicon;
        let asked = [recorded.instruction.as_str(), self.repair.case.title.as_str()];
        let languages = lexicon.languages_of(seen.screen.widgets.iter().map(|widget| widget.label.as_str()));
        if known.iter().any(|touch| unasked(lexicon, &touch.label, languages, &asked).is_some()) {
            return Ok(None);
        }
        let before = seen.screen.screenshot.clone();
        let mut now = Vec::new();
        for touch in known {
            let meant = |widget: &&Widget| widget.label == touch.label && widget.clickable && widget.state.enabled;
            let mut found = seen.screen.widgets.iter().filter(meant);
            let (Some(widget), None) = (found.next(), found.next()) else { break };
            let order = Order {
                index: halt.index,
                step: recorded.step,
                next: None,
                action: Action::Click { target: widget.target() },
                held: 0,
                source: ActionSource::Repair,
                score: None,
                told: "another way, over the app's map".to_owned(),
            };
            let done = halt.replayer.carry_out(order, seen, recorder).await?;
            now.push(done.action.to_string());
            let own = ScriptAction { checks: Vec::new(), waited_ms: None, pause_ms: None, ..recorded.clone() };
            self.note(&own, done);
            if seen.screen.fingerprint != touch.leads_to {
                break;
            }
        }
        if now.is_empty() {
            return Ok(None);
        }
        self.changes.push(Change {
            action: halt.index + 1,
            step: recorded.step,
            instruction: recorded.instruction.clone(),
            way: Way::Map,
            was: "nothing".to_owned(),
            now,
            score: None,
            reason: format!("the recorded screen \"{}\" was reached this way before", recorded.screen),
            pictures: Pictures { before, after: seen.screen.screenshot.clone() },
        });
        Ok(Some(halt.replayer.guard(recorded, &seen.screen).is_ok()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Size;
    use crate::hierarchy::ScreenInput;

    /// A page with buttons, one below the other.
    fn page(title: &str, buttons: &[&str]) -> Screen {
        let mut nodes = format!(
            "<node class=\"android.widget.TextView\" text=\"{title}\" package=\"a\" enabled=\"true\" bounds=\"[0,0][1000,100]\"/>"
        );
        for (at, text) in buttons.iter().enumerate() {
            let top = 200 * (at + 1);
            nodes += &format!(
                "<node class=\"android.widget.Button\" text=\"{text}\" resource-id=\"a:id/{title}_{at}\" package=\"a\" clickable=\"true\" \
                 enabled=\"true\" bounds=\"[0,{top}][1000,{}]\"/>",
                top + 100
            );
        }
        let hierarchy = format!(
            "<hierarchy rotation=\"0\"><node class=\"android.widget.FrameLayout\" package=\"a\" bounds=\"[0,0][1000,2000]\">{nodes}</node></hierarchy>"
        );
        Screen::perceive(ScreenInput {
            hierarchy: hierarchy.as_bytes(),
            screenshot: None,
            display: Size::new(1000, 2000),
            foreground: None,
            keyboard_shown: false,
        })
    }

    #[test]
    fn the_shortest_way_that_is_known_is_found_and_none_where_nothing_is_known() {
        let (home, list, entry) = (
            page("home", &["Archive", "Write"]),
            page("list", &["Umbrella", "Home", "More"]),
            page("entry", &["Edit"]),
        );
        let mut map = AppMap::default();
        let touch = |screen: &Screen, label: &str| {
            let widget = screen.widgets.iter().find(|widget| widget.label == label).unwrap();
            Action::Click { target: widget.target() }
        };
        assert_eq!(way(&map, &home, entry.fingerprint), None);
        map.learn(&home, &touch(&home, "Archive"), &list);
        map.learn(&list, &touch(&list, "Umbrella"), &entry);
        map.learn(&list, &touch(&list, "Home"), &home);
        let labels = |from: &Screen, to: &Screen| -> Option<Vec<String>> {
            way(&map, from, to.fingerprint).map(|way| way.into_iter().map(|touch| touch.label).collect())
        };
        assert_eq!(labels(&home, &list), Some(vec!["Archive".to_owned()]));
        assert_eq!(labels(&home, &entry), Some(vec!["Archive".to_owned(), "Umbrella".to_owned()]));
        assert_eq!(labels(&entry, &home), None, "nothing is known to lead away from it");
        assert_eq!(labels(&page("other", &["Archive", "x", "y", "z"]), &list), None, "it is not on the map");
    }
}
