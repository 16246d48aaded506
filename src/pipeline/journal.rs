//! The journal: what was done in a case, append-only. Every history that a decision asks for is a query on it.

use super::clause_end::ClauseEnd;
use super::execute::Effect;
use super::propose::Source;
use super::screen_model::{Purpose, PurposeSet, Region, ScreenModel};
use super::task::{BEARS, COMMITTING, CONSEQUENTIAL, Parameter, VerbSet, name_fit};
use crate::device::Seen;
use crate::domain::{Action, Expectation, InputText, Rect, same_word, words};
use crate::hierarchy::{Fingerprint, Role, Screen, ScreenKind, ScreenText, WidgetId};
use std::time::Duration;

/// A screen as the journal remembers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScreenMark {
    /// Structural hash.
    pub fingerprint: Fingerprint,
    /// Hash of everything visible.
    pub digest: u64,
    /// Title.
    pub title: String,
    /// Kind of screen.
    pub kind: ScreenKind,
    /// Labels of what could be touched.
    pub labels: Vec<String>,
    /// Labels of what could be touched and was disabled.
    pub disabled: Vec<String>,
    /// Headings of its rows.
    pub headings: Vec<String>,
    /// How many fields it had.
    pub fields: usize,
    /// Texts that name the text below or beside them: (name, what it names).
    pub named: Vec<(String, String)>,
    /// Texts as the display shows them, where the screen is read in another language.
    pub translated: Vec<String>,
}

impl ScreenMark {
    /// The mark of a screen.
    pub fn of(seen: &Seen) -> Self {
        Self::of_screen(&seen.screen)
    }

    pub(super) fn of_screen(screen: &Screen) -> Self {
        let touchable = || screen.widgets.iter().filter(|widget| widget.clickable && !widget.label.is_empty());
        let disabled = touchable().filter(|widget| !widget.state.enabled);
        Self {
            fingerprint: screen.fingerprint,
            digest: screen.digest,
            title: screen.title.clone(),
            kind: screen.kind,
            labels: touchable().map(|widget| widget.label.clone()).collect(),
            translated: screen.texts.shown.iter().filter_map(|text| text.shown.clone()).collect(),
            disabled: disabled.map(|widget| widget.label.clone()).collect(),
            headings: screen.rows().iter().map(|row| row.heading.clone()).collect(),
            fields: screen.widgets.iter().filter(|widget| widget.role == Role::Field).count(),
            named: named_texts(&outside_fields(screen)),
        }
    }
}

/// The texts of a screen that stand in no field: what an empty field shows is its hint, and names itself.
fn outside_fields(screen: &Screen) -> Vec<ScreenText> {
    let fields: Vec<Rect> =
        screen.widgets.iter().filter(|widget| widget.role == Role::Field).map(|widget| widget.bounds).collect();
    let shown = screen.texts.shown.iter();
    shown.filter(|text| !fields.iter().any(|field| field.encloses(text.bounds))).cloned().collect()
}

/// Texts with the text that names each: the one right above it that begins at the same edge, or else the one to its left on the same
/// line.
fn named_texts(shown: &[ScreenText]) -> Vec<(String, String)> {
    let names = |text: &ScreenText, other: &ScreenText| {
        let (own, above) = (text.bounds, other.bounds);
        let gap = own.top - above.bottom;
        let below = (own.left - above.left).abs() * 2 <= own.height() && (0..=own.height()).contains(&gap);
        let level = (own.center().y - above.center().y).abs() * 4 <= own.height();
        let beside = level && above.right <= own.left;
        below || beside
    };
    let far = |text: &ScreenText, other: &ScreenText| {
        (text.bounds.top - other.bounds.top).abs() + (text.bounds.left - other.bounds.left).abs()
    };
    let name_of = |text: &ScreenText| {
        let near = shown.iter().filter(|other| other.text != text.text && names(text, other));
        near.min_by_key(|other| far(text, other)).map(|other| (other.text.clone(), text.text.clone()))
    };
    shown.iter().filter_map(name_of).collect()
}

/// The control an action was aimed at, as it stood before.
#[derive(Debug, Clone, PartialEq)]
pub struct ControlMark {
    /// Role.
    pub role: Role,
    /// Label.
    pub label: String,
    /// Resource id.
    pub resource_id: String,
    /// Heading of its row, empty outside of rows.
    pub heading: String,
    /// Where on the page it stands.
    pub region: Region,
    /// What it is for.
    pub purposes: PurposeSet,
    /// What its label says that it does.
    pub verbs: VerbSet,
    /// State before.
    pub checked: Option<bool>,
    /// Text it showed before.
    pub value: String,
}

impl ControlMark {
    /// True for a tab or an entry of the bar at the bottom, which leads to a page beside the one in front.
    pub fn is_of_bar(&self) -> bool {
        self.role == Role::Tab || self.region == Region::BottomBar && !self.label.is_empty()
    }

    /// The mark of a widget.
    pub fn of(model: &ScreenModel<'_>, id: WidgetId) -> Option<Self> {
        let widget = model.screen.widgets.get(id)?;
        let control = model.control(id);
        Some(Self {
            role: widget.role,
            label: widget.label.clone(),
            resource_id: widget.resource_id.clone(),
            heading: model.heading_of(id).unwrap_or_default().to_owned(),
            region: control.region,
            purposes: control.purposes,
            verbs: control.verbs,
            checked: widget.state.checked,
            value: widget.value.clone(),
        })
    }
}

/// What was waited for before an action, for the script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WaitRecord {
    /// Until the screen showed what came next.
    pub waited: Duration,
    /// Before something was tried again that could have been tried at once.
    pub paused: Duration,
}

/// One action and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionRecord {
    /// The case's step, from 1.
    pub step: usize,
    /// The clause, counted over the whole case from 1.
    pub clause: usize,
    /// The action.
    pub action: Action,
    /// Characters the field held before.
    pub held: usize,
    /// The screen it was chosen on.
    pub before: ScreenMark,
    /// The screen it led to.
    pub after: ScreenMark,
    /// What came of it.
    pub effect: Effect,
    /// What proposed it.
    pub source: Source,
    /// How well it fits the clause, by meaning.
    pub meaning: f32,
    /// The ranking's meaning of the control for the clause alone; 1 for values.
    pub understood: f32,
    /// The parameter it gave.
    pub parameter: Option<String>,
    /// The control.
    pub control: Option<ControlMark>,
    /// The control in the words that the model read.
    pub text: String,
    /// How clearly it was chosen: its share among all that could be done, 0 to 1; 1 where there was no choice.
    pub share: f32,
    /// What was waited for before it.
    pub wait: WaitRecord,
    /// What was checked before it, and held.
    pub checks: Vec<Expectation>,
    /// What else could have been done on that screen, best first.
    pub alternatives: Vec<Alternative>,
}

/// Something that could have been done in place of what was done.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    /// The action.
    pub action: Action,
    /// Its score then.
    pub score: f32,
}

impl ActionRecord {
    /// True if it had its effect.
    pub fn worked(&self) -> bool {
        self.effect.is_valid()
    }

    /// True if it led to another screen, or opened or closed a window.
    pub fn moved(&self) -> bool {
        self.worked() && self.before.fingerprint != self.after.fingerprint
    }

    /// True if it typed, set or chose a value.
    pub fn enters(&self) -> bool {
        matches!(self.action, Action::InputText { .. })
            || self.source == Source::Value
            || self.control.as_ref().is_some_and(|control| control.checked.is_some())
    }

    /// True if a dialog is there since this action. One that came after another window was answered came by itself.
    pub fn opened_dialog(&self) -> bool {
        self.source != Source::Interruption
            && self.moved()
            && self.after.kind == ScreenKind::Dialog
            && self.before.kind != ScreenKind::Dialog
    }

    /// The label of what was touched; empty without a target.
    pub fn label(&self) -> &str {
        self.action.target().map_or("", |target| target.label.as_str())
    }
}

/// From this fit on what was touched in search of something may have been what was looked for.
const FITS_UNSOUGHT: f32 = 0.35;

/// Everything done in a case on one device.
#[derive(Debug, Clone, Default)]
pub struct Journal {
    records: Vec<ActionRecord>,
    /// The ends of clauses, as they were weighed last.
    ends: Vec<ClauseEnd>,
    /// Number of the clause at work, from 1.
    clause: usize,
    /// A check scrolled the page since the last action.
    scrolled_by_check: bool,
    /// Waits since the last action.
    pub pending_wait: WaitRecord,
    /// Checks that held since the last action.
    pub pending_checks: Vec<Expectation>,
}

impl Journal {
    /// Begins the next clause.
    pub const fn begin_clause(&mut self) {
        self.clause += 1;
    }

    /// Number of the clause at work, from 1.
    pub const fn clause(&self) -> usize {
        self.clause
    }

    /// Appends a record of the clause at work.
    pub fn append(&mut self, record: ActionRecord) {
        self.scrolled_by_check &= matches!(record.action, Action::Scroll { .. });
        self.records.push(ActionRecord { clause: self.clause, ..record });
    }

    /// Notes that a check scrolled the page: what was in sight before it may be further up.
    pub const fn note_check_scrolled(&mut self) {
        self.scrolled_by_check = true;
    }

    /// True if a check scrolled the page since the last action.
    pub const fn was_scrolled_by_check(&self) -> bool {
        self.scrolled_by_check
    }

    /// Notes how the end of the clause at work was weighed; what was noted of it before is forgotten.
    pub fn weigh_end(&mut self, end: ClauseEnd) {
        self.ends.retain(|known| known.clause != self.clause);
        self.ends.push(ClauseEnd { clause: self.clause, ..end });
    }

    /// The ends of clauses as they were weighed last, in their order; clauses that only check have none.
    pub fn ends(&self) -> &[ClauseEnd] {
        &self.ends
    }

    /// All records, oldest first.
    pub fn records(&self) -> &[ActionRecord] {
        &self.records
    }

    /// Records of valid actions: what a script repeats.
    pub fn valid(&self) -> impl Iterator<Item = &ActionRecord> {
        self.records.iter().filter(|record| record.worked())
    }

    /// Records of the clause at work.
    pub fn current(&self) -> impl DoubleEndedIterator<Item = &ActionRecord> {
        self.records.iter().filter(|record| record.clause == self.clause)
    }

    /// Valid records of the clause at work that carried something of it out; looking, waiting and answered pop-ups are none.
    pub fn current_deeds(&self) -> impl DoubleEndedIterator<Item = &ActionRecord> {
        self.current().filter(|record| record.worked() && record.source.carries_out())
    }

    /// Valid records of the clause at work that touched, typed or set something, even if only in search of something else.
    /// Scrolling, going back, waiting and opening menus are none.
    pub fn current_touches(&self) -> impl DoubleEndedIterator<Item = &ActionRecord> {
        const LEADING: [Purpose; 3] = [Purpose::Drawer, Purpose::Overflow, Purpose::Back];
        self.current().filter(|record| {
            let leads = record.control.as_ref().is_some_and(|control| control.purposes.has_any(&LEADING));
            let looks = record.action.target().is_none() || leads || record.source == Source::Interruption;
            record.worked() && (record.source.carries_out() || !looks && record.meaning >= FITS_UNSOUGHT)
        })
    }

    /// The last record of the case.
    pub fn last(&self) -> Option<&ActionRecord> {
        self.records.last()
    }

    /// Drops the last record that is no answer to a window, because a window swallowed it.
    pub fn forget_last_deed(&mut self) {
        if let Some(at) = self.records.iter().rposition(|record| record.source != Source::Interruption) {
            self.records.remove(at);
        }
    }

    /// How many pages were entered and not left since the app started, as far as the screens tell.
    pub fn depth(&self) -> usize {
        let mut stack: Vec<Fingerprint> = Vec::new();
        for record in self.records.iter().filter(|record| record.moved() && record.source != Source::Interruption) {
            if stack.is_empty() {
                stack.push(record.before.fingerprint);
            }
            match stack.iter().position(|known| *known == record.after.fingerprint) {
                Some(at) => stack.truncate(at + 1),
                None if record.action == Action::PressBack => {
                    stack.pop();
                }
                // Pages of one bar stand beside each other.
                None if record.control.as_ref().is_some_and(ControlMark::is_of_bar) => {
                    stack.pop();
                    stack.push(record.after.fingerprint);
                }
                None => stack.push(record.after.fingerprint),
            }
        }
        stack.len().saturating_sub(1)
    }

    /// True if this action was tried on this screen in the clause at work and nothing came of it.
    pub fn was_ineffective(&self, on: Fingerprint, action: &Action) -> bool {
        self.current()
            .any(|record| !record.worked() && record.before.fingerprint == on && is_same_action(&record.action, action))
    }

    /// The best thing that could have been done on an earlier screen of the clause at work and was not tried there: its
    /// score then, less for every screen in between. `None` if nothing is left.
    pub fn best_left_behind(&self, here: Fingerprint) -> Option<f32> {
        const PER_SCREEN: f32 = 0.04;
        let mut best: Option<f32> = None;
        let mut seen: Vec<Fingerprint> = vec![here];
        for record in self.current().rev() {
            let on = record.before.fingerprint;
            if seen.contains(&on) {
                continue;
            }
            seen.push(on);
            let tried = |action: &Action| {
                self.current().any(|other| other.before.fingerprint == on && is_same_action(&other.action, action))
            };
            let left = record.alternatives.iter().filter(|one| !tried(&one.action)).map(|one| one.score);
            let far = PER_SCREEN * (seen.len() - 2) as f32;
            if let Some(score) = left.max_by(f32::total_cmp).map(|score| score - far)
                && best.is_none_or(|known| score > known)
            {
                best = Some(score);
            }
        }
        best
    }

    /// How often this action worked on this screen in the clause at work.
    pub fn times_done(&self, on: Fingerprint, action: &Action) -> usize {
        let same = |record: &&ActionRecord| {
            record.worked() && record.before.fingerprint == on && is_same_action(&record.action, action)
        };
        self.current().filter(same).count()
    }

    /// True if an earlier clause, or this one, gave this parameter.
    pub fn has_given(&self, parameter: &str) -> bool {
        self.valid().any(|record| record.parameter.as_deref() == Some(parameter))
    }

    /// True if a control that bears the parameter's value was touched: it was chosen.
    pub fn has_chosen(&self, parameter: &Parameter) -> bool {
        const MIN_NAME: usize = 4;
        let InputText::Plain(value) = &parameter.value else { return false };
        // "Evening calm, 22:00" bears the name, and the time; a number stands in many labels.
        let named = value.chars().any(|c| !c.is_ascii_digit()) && value.chars().count() >= MIN_NAME;
        let bears = |record: &ActionRecord| {
            record.label().to_lowercase() == value.to_lowercase() || named && name_fit(record.label(), value) >= BEARS
        };
        !value.is_empty() && self.valid().any(|record| record.source.carries_out() && bears(record))
    }

    /// True if a text stood on a page before, as a title, a heading, or a part of what could be touched.
    pub fn has_seen(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        let holds = |shown: &String| shown.to_lowercase().contains(&text);
        self.records.iter().flat_map(|record| [&record.before, &record.after]).any(|mark| {
            let named = mark.named.iter().flat_map(|(name, value)| [name, value]);
            holds(&mark.title)
                || mark.labels.iter().chain(&mark.headings).chain(&mark.translated).chain(named).any(holds)
        })
    }

    /// The parameters that tell a name and were neither entered nor chosen nor seen on any page, with their values.
    pub fn left_out<'p>(&'p self, parameters: &'p [Parameter]) -> impl Iterator<Item = (&'p str, &'p str)> {
        parameters.iter().filter_map(|parameter| {
            let InputText::Plain(value) = &parameter.value else { return None };
            let name = value.chars().any(char::is_alphabetic) && !value.chars().any(|c| c.is_ascii_digit());
            let dealt_with = self.has_given(&parameter.name)
                || self.has_chosen(parameter)
                || self.typed().any(|text| text == value)
                || self.has_seen(value);
            (name && !dealt_with).then_some((parameter.name.as_str(), value.as_str()))
        })
    }

    /// True if the clause at work gave this parameter.
    pub fn has_given_now(&self, parameter: &str) -> bool {
        self.current_deeds().any(|record| record.parameter.as_deref() == Some(parameter))
    }

    /// Headings of rows that stood on this page earlier in the clause at work and are gone from it, where something was carried out
    /// since. `here` is the page as it is.
    pub fn gone<'j>(&'j self, title: &'j str, here: &'j [&str]) -> impl Iterator<Item = &'j str> {
        let mut acted = false;
        let marks = self.current().rev().filter_map(move |record| {
            acted |= record.worked() && record.source.carries_out();
            (acted && record.before.title == title).then_some(&record.before)
        });
        marks.flat_map(|mark| &mark.headings).map(String::as_str).filter(move |heading| !here.contains(heading))
    }

    /// What a text was called on the latest screen that showed it under or beside a name: a form's field that shows nothing but its
    /// value is named by the page before.
    pub fn name_of(&self, value: &str) -> Option<&str> {
        let marks = self.records.iter().rev().flat_map(|record| [&record.after, &record.before]);
        let mut named = marks.flat_map(|mark| &mark.named);
        named.find(|(_, text)| text == value).map(|(name, _)| name.as_str())
    }

    /// True if a control of that label was touched, filled in or held for the clause at work.
    pub fn has_touched(&self, label: &str) -> bool {
        self.current_deeds().any(|record| record.label() == label)
    }

    /// True if the page in front was opened in search of something, and nothing was carried out on it.
    pub fn is_exploring(&self) -> bool {
        let moved = |record: &&ActionRecord| record.moved();
        self.current().rfind(moved).is_some_and(|record| !record.source.carries_out())
    }

    /// True if a parameter was entered in this clause and then sent by a button with effect: the field may be empty again.
    pub fn was_sent(&self, parameter: &str) -> bool {
        let mut after = self.current().skip_while(|record| record.parameter.as_deref() != Some(parameter)).skip(1);
        let sends = |record: &ActionRecord| {
            record.control.as_ref().is_some_and(|it| it.purposes.has(Purpose::Submit) || it.verbs.meets(COMMITTING))
        };
        after.any(|record| record.worked() && record.source.carries_out() && sends(record))
    }

    /// True for the confirmation of a window that was opened on a form and led back to it: it has set a value and sent nothing.
    pub fn sets_value(&self, confirmed: &ActionRecord) -> bool {
        let is_window = |mark: &ScreenMark| mark.kind == ScreenKind::Dialog;
        let at = self.records.iter().position(|record| std::ptr::eq(record, confirmed)).unwrap_or_default();
        let opener =
            self.records.iter().take(at).rfind(|record| is_window(&record.after) && !is_window(&record.before));
        is_window(&confirmed.before)
            && !is_window(&confirmed.after)
            && opener.is_some_and(|opener| {
                let form = opener.before.fields > 0 && opener.before.title == confirmed.after.title;
                let asked = opener.control.as_ref().is_some_and(|it| it.purposes.has(Purpose::Submit));
                form && confirmed.after.fields >= opener.before.fields && !asked
            })
    }

    /// Plain texts typed so far.
    pub fn typed(&self) -> impl Iterator<Item = &str> {
        self.valid().filter_map(|record| match &record.action {
            Action::InputText { text: InputText::Plain(text), .. } => Some(text.as_str()),
            _ => None,
        })
    }

    /// True if something was done that starting the app over with clean data may not undo: a control that says such a verb,
    /// or, where the case `asks` for such a thing, one that sends.
    pub fn has_consequences(&self, asks: bool) -> bool {
        self.valid().filter(|record| record.source.carries_out()).any(|record| {
            record.control.as_ref().is_some_and(|control| {
                let opens = leads_to_its_page(&control.label, &record.after.title);
                let says = control.verbs.meets(CONSEQUENTIAL) && control.checked.is_none() && !opens;
                says || asks && control.purposes.has(Purpose::Submit) && record.moved()
            })
        })
    }

    /// Actions without effect at the end of the clause at work, in a row.
    pub fn ineffective_in_a_row(&self) -> usize {
        self.current().rev().take_while(|record| !record.worked()).count()
    }
}

/// True if a page is called like the control that led to it, "Report a fault" after "Report a fault as a guest": nothing is done yet.
fn leads_to_its_page(label: &str, title: &str) -> bool {
    let (own, page) = (words(label), words(title));
    !page.is_empty() && page.iter().all(|word| own.iter().any(|other| same_word(word, other)))
}

/// True if both do the same to the same place.
pub(super) fn is_same_action(one: &Action, other: &Action) -> bool {
    match (one.target(), other.target()) {
        (Some(a), Some(b)) => {
            one.skill() == other.skill()
                && one.direction() == other.direction()
                && (a.bounds == b.bounds || overlaps(a.bounds, b.bounds))
                && a.label == b.label
                && typed(one) == typed(other)
        }
        _ => one == other,
    }
}

fn typed(action: &Action) -> Option<&str> {
    match action {
        Action::InputText { text, .. } => Some(text.expose()),
        _ => None,
    }
}

fn overlaps(one: Rect, other: Rect) -> bool {
    one.intersection(other).is_some_and(|shared| 2 * shared.area() > one.area().max(other.area()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_called_like_its_control_is_only_opened() {
        assert!(leads_to_its_page("Report a fault as a guest", "Report a fault"));
        assert!(!leads_to_its_page("Send", "Thank you") && !leads_to_its_page("Send", ""));
    }
}
