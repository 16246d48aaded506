//! What shows a named text.

use super::words::{Intent, Words, said};
use crate::agent::memory::StepMemory;
use crate::domain::{Action, Direction, content_words, same_word, words};
use crate::hierarchy::{Role, Screen, Widget};
use crate::ranking::{Candidate, Ranked};

/// Most turns of a wheel one way.
const MOST_TURNS: usize = 24;

/// A screen, seen with the eyes of a step.
pub(super) struct Sight<'a> {
    pub(super) screen: &'a Screen,
    pub(super) intent: &'a Intent,
}

/// How well a label shows a text: 3 wholly, 2 as its first part, 1 within it word by word, 0 not.
pub(super) fn shows(label: &str, name: &str) -> u8 {
    let (own, wanted) = (words(label), words(name));
    if wanted.is_empty() || own.is_empty() {
        return u8::from(!name.trim().is_empty() && label.trim() == name.trim()) * 3;
    }
    let first = label.split([',', '\n']).next().map(words).unwrap_or_default();
    let spaceless = !name.is_ascii() && label.contains(name);
    match () {
        () if own == wanted => 3,
        () if first == wanted => 2,
        () if own.windows(wanted.len()).any(|part| part == wanted.as_slice()) || spaceless => 1,
        () => 0,
    }
}

/// A label and a name say the same, but for words that tell nothing: "Wallet" and "My wallet".
pub(in crate::agent) fn same_name(label: &str, name: &str) -> bool {
    let (own, wanted) = (content_words(label), content_words(name));
    let within =
        |all: &[String], some: &[String]| some.iter().all(|word| all.iter().any(|other| same_word(word, other)));
    !own.is_empty() && !wanted.is_empty() && within(&own, &wanted) && within(&wanted, &own)
}

/// The control shows the name among other words, and so is called otherwise: "Expandable lists" for "Lists". Words that tell
/// nothing and a number beside the name are no other words ("The lists", "2. Lists", "Lists (3)"), nor is what follows it on a
/// control that is ticked or switched ("I agree to the terms").
pub(crate) fn only_holds(widget: &Widget, name: &str) -> bool {
    let (all, wanted) = (words(&widget.label), words(name));
    let begins = widget.state.checked.is_some() && all.starts_with(&wanted);
    let number = |word: &String| word.chars().all(char::is_numeric) && !wanted.contains(word);
    let own: Vec<String> = all.into_iter().filter(|word| !number(word)).collect();
    shows(&widget.label, name) == 1 && !begins && own != wanted && !same_name(&widget.label, name)
}

/// What a control is called: the first part of what its row says.
pub(super) fn name_of(label: &str) -> &str {
    label.split([',', '\n', '·', '、', '，']).next().unwrap_or(label).trim()
}

impl<'a> Sight<'a> {
    fn touchable(&self) -> impl Iterator<Item = &'a Widget> {
        let usable = |widget: &&Widget| {
            widget.clickable
                && widget.state.enabled
                && !matches!(widget.role, Role::Field | Role::KeypadKey | Role::Selector)
        };
        self.screen.widgets.iter().filter(usable)
    }

    /// What to touch for a name, and whether it is chosen already. Of several, the one that the step's other words speak
    /// of; what only holds the name among other words counts if it is the only one.
    pub(super) fn named(&self, name: &str) -> Option<(&'a Widget, bool)> {
        let wants_link = self.intent.words.iter().any(|word| word == "link");
        let worth = |widget: &&Widget| {
            let own = format!("{} {}", widget.context, widget.id_words);
            let link = u8::from(wants_link == (widget.role == Role::Link));
            (shows(&widget.label, name), link, said(&self.intent.words, &own))
        };
        let mut found: Vec<&Widget> = self.touchable().filter(|widget| shows(&widget.label, name) > 0).collect();
        // Texts within a row that is touched as a whole.
        if found.is_empty() {
            let text = |widget: &&Widget| widget.role == Role::Text && shows(&widget.label, name) >= 2;
            found = self.screen.widgets.iter().filter(text).filter(|widget| widget.clickable).collect();
        }
        let best = found.iter().max_by(|a, b| worth(a).cmp(&worth(b)).then(b.id.cmp(&a.id)))?;
        let rivals = found.iter().filter(|other| worth(other) == worth(best)).count();
        if shows(&best.label, name) == 1 && rivals > 1 {
            return None;
        }
        Some((best, best.state.checked == Some(true) || best.state.selected))
    }

    /// The screen shows the name as a text of its own, not as one of several things to be touched.
    pub(super) fn is_about(&self, name: &str) -> bool {
        let text = |widget: &Widget| widget.role == Role::Text && !widget.clickable && shows(&widget.label, name) == 3;
        shows(&self.screen.title, name) == 3 || self.screen.widgets.iter().any(text)
    }

    /// The control that does a deed, in the row of what is named.
    pub(super) fn beside(&self, name: &str, deed: &[String]) -> Option<&'a Widget> {
        let mut found = self.touchable().filter(|widget| {
            said(deed, &widget.label) > 0 && shows(&widget.label, name) == 0 && shows(&widget.context, name) > 0
        });
        let first = found.next();
        first.filter(|_| found.next().is_none())
    }

    /// The control on the screen that does a deed: the only one, or the one that also says where to, as the step does ("Add
    /// to cart" beside "Add to wish list").
    pub(super) fn deed(&self, deed: &[String]) -> Option<&'a Widget> {
        let whither =
            |widget: &Widget| self.intent.places.iter().filter(|place| said(place, &widget.label) > 0).count();
        let worth = |widget: &Widget| (said(deed, &widget.label), whither(widget));
        let own = |widget: &&Widget| said(deed, &widget.label) > 0;
        let best = self.touchable().filter(own).max_by_key(|widget| worth(widget))?;
        let rivals = self.touchable().filter(own).filter(|other| worth(other) == worth(best));
        (rivals.count() == 1).then_some(best)
    }

    /// The control that says what the named thing is: "Payment method" for a payment method.
    pub(super) fn opener(&self, asked: &[String], words_of: &Words, done: &[Action]) -> Option<&'a Widget> {
        let again = |widget: &&Widget| {
            done.iter().any(|action| action.target().is_some_and(|target| target.label == widget.label))
        };
        let of = |text: &str| {
            let first = text.split([',', '\n']).next().unwrap_or_default();
            // "All months" chooses among the months.
            let own: Vec<String> = words(first).into_iter().filter(|word| !words_of.counts_all(word)).collect();
            let said = said(asked, first);
            if own.is_empty() || asked.is_empty() || said == 0 {
                return 0.0;
            }
            f64::midpoint(said as f64 / asked.len() as f64, said as f64 / own.len() as f64)
        };
        // What opens choices shows the one that is made; what it is called stands beside it.
        let share = |widget: &Widget| match widget.role {
            Role::Dropdown => of(&widget.label).max(of(&widget.context)),
            _ => of(&widget.label),
        };
        let fits = self.touchable().filter(|widget| !again(widget)).filter(|widget| share(widget) >= 0.8);
        fits.max_by(|a, b| share(a).total_cmp(&share(b)).then(b.id.cmp(&a.id))).or_else(|| {
            // A caption may say more: "Reason for the visit" over the only list that speaks of the reason.
            let captioned = |widget: &&Widget| {
                widget.role == Role::Dropdown && !asked.is_empty() && said(asked, &widget.context) == asked.len()
            };
            let mut lists = self.touchable().filter(captioned);
            lists.next().filter(|list| lists.next().is_none() && !again(list))
        })
    }

    /// A turn of the only wheel, towards a name that is no number: down to its end, then up.
    pub(super) fn wheel(&self, name: &str, memory: &StepMemory) -> Option<Ranked> {
        let number = |text: &str| text.chars().any(|c| c.is_ascii_digit());
        let mut wheels =
            self.screen.widgets.iter().filter(|widget| widget.role == Role::Selector && widget.state.enabled);
        let wheel = wheels.next().filter(|wheel| !wheel.value.is_empty())?;
        if wheels.next().is_some() {
            return None;
        }
        let value = |text: &str| text.replace([',', ' '], "").parse::<i64>().ok();
        let towards = match (value(&wheel.value), value(name)) {
            (Some(now), Some(wanted)) if now == wanted => return None,
            (Some(now), Some(wanted)) => Some(if wanted > now { Direction::Down } else { Direction::Up }),
            _ if number(name) || number(&wheel.value) => return None,
            _ => None,
        };
        let turns = |way: Direction| {
            let this =
                |action: &&Action| matches!(action, Action::SwipeSelector { direction, .. } if *direction == way);
            memory.done.iter().filter(this).count()
        };
        let turn = |direction| Action::SwipeSelector { target: wheel.target(), direction };
        // Numbers stand in order.
        let ways = match towards {
            Some(way) => [way, way.opposite()],
            None => [Direction::Down, Direction::Up],
        };
        let open =
            |way: &&Direction| turns(**way) < MOST_TURNS && !memory.is_excluded(self.screen.fingerprint, &turn(**way));
        let way = ways.iter().find(open)?;
        let candidate =
            Candidate { action: turn(*way), widget: Some(wheel.id), text: wheel.label.clone(), offer: None };
        Some(Ranked { candidate, score: 1.0, terms: vec![("the wheel is searched", 1.0)] })
    }
}
