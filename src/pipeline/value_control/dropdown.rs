//! Closed lists of options: what shows the chosen one and opens the others.

use super::choice::{is_said, option_fit};
use super::control::{ControlKind, Draft, Parts, Step, ValueControl};
use super::layout::{Page, level};
use super::lexicon::{holds_one_of, lexicon};
use super::naming::{alike, name_fit, telling_words};
use super::past::Past;
use super::wishes::Wishes;
use crate::domain::words;
use crate::hierarchy::{Role, Widget, WidgetId};

/// Longest label of a row that shows a value, in characters.
const LONGEST: usize = 40;
/// How surely a row without a class of its own opens options.
const WITHOUT_CLASS: f32 = 0.6;
/// Touches after which a list that does not open is given up.
const DEAD: usize = 3;

/// All closed lists of options of a screen.
pub(super) fn recognise(page: &Page<'_>) -> Vec<ValueControl> {
    page.free().filter(|widget| opens_options(page, widget)).map(|opener| control(page, opener)).collect()
}

/// Buttons and rows that show a value under or behind what they are called, as lists of options do in toolkits without a
/// class for them. Only a request that says the whole name means one.
pub(super) fn captioned(page: &Page<'_>) -> Vec<ValueControl> {
    let row = |widget: &&Widget| {
        let role = matches!(widget.role, Role::Button | Role::ListItem);
        role && widget.clickable
            && (1..=LONGEST).contains(&widget.label.chars().count())
            && widget.label != widget.id_words
    };
    let named = |control: &ValueControl| !control.name.is_empty() && control.shown.is_some();
    page.free().filter(row).map(|row| control(page, row)).filter(named).collect()
}

/// A spinner, or a field that only offers what is in its list.
fn opens_options(page: &Page<'_>, widget: &Widget) -> bool {
    match widget.role {
        Role::Dropdown => true,
        Role::Field => has_arrow(page, widget),
        _ => false,
    }
}

/// The icon at the end of a field that opens its list.
fn end_icon<'s>(page: &Page<'s>, field: &Widget) -> Option<&'s Widget> {
    let icon = |widget: &&Widget| {
        let within = level(widget.bounds, field.bounds)
            && widget.bounds.center().x > field.bounds.center().x
            && widget.bounds.right <= field.bounds.right + widget.bounds.width();
        widget.clickable && widget.id != field.id && within && widget.bounds.left >= field.bounds.center().x
    };
    page.screen.widgets.iter().find(icon)
}

fn has_arrow(page: &Page<'_>, field: &Widget) -> bool {
    end_icon(page, field).is_some_and(|icon| {
        let words = &lexicon().labels.opens_options;
        holds_one_of(words, &icon.label) || holds_one_of(words, &icon.id_words)
    })
}

fn control(page: &Page<'_>, opener: &Widget) -> ValueControl {
    let inside: Vec<WidgetId> = page.inside(opener).map(|inner| inner.id).chain([opener.id]).collect();
    let (own, shown) = if opener.role == Role::Field {
        (opener.label.clone(), opener.value.clone())
    } else {
        let value = if opener.value.is_empty() { &opener.label } else { &opener.value };
        split_label(&opener.label, value)
    };
    let own = if own == shown { String::new() } else { own };
    let name = page.name_of(&own, opener.bounds, &inside);
    let name = if name.is_empty() { opener.id_words.clone() } else { name };
    let mut control = ValueControl::new(ControlKind::Dropdown, inside, name, Parts::Closed(opener.id));
    control.shown = Some(shown).filter(|shown| !shown.is_empty() && *shown != opener.id_words);
    control
}

/// "Currency, EUR": a name and the option behind it.
fn split_label(label: &str, value: &str) -> (String, String) {
    if value != label {
        return (label.to_owned(), value.to_owned());
    }
    match label.rsplit_once([',', ':']) {
        Some((name, value)) if !name.contains(',') => (name.trim().to_owned(), value.trim().to_owned()),
        _ => (String::new(), value.to_owned()),
    }
}

/// Opens the list, unless it shows what the request wants.
pub(super) fn plan(
    page: &Page<'_>,
    control: &ValueControl,
    opener: WidgetId,
    wishes: &Wishes<'_>,
    past: Past<'_>,
) -> Option<Draft> {
    let opener = page.widget(opener)?;
    let shown = control.shown.as_deref().unwrap_or_default();
    let is_list = opens_options(page, opener);
    if !is_list && !is_meant(page, control, wishes) {
        return None;
    }
    let sure = if is_list { 1.0 } else { WITHOUT_CLASS };
    if let Some(fit) = option_fit(shown, wishes).filter(|_| !is_named_so(shown, control)) {
        return Some(Draft { wanted: shown.to_owned(), value_fit: fit * sure, step: Step::reached(shown) });
    }
    let (wanted, value_fit) = match wishes.value_for(&control.name) {
        Some(value) => (value.to_owned(), 0.7),
        None => (said_value(control, wishes)?, 0.5),
    };
    let step = if !opener.state.enabled {
        Step::impossible("the list is disabled")
    } else if past.touches(opener.bounds) >= DEAD {
        Step::impossible("the list does not open, or does not keep what is chosen")
    } else {
        Step::click(opener, format!("{wanted:?} is chosen from this list"))
    };
    Some(Draft { wanted, value_fit: value_fit * sure, step })
}

/// The request says the whole name of a row, and no field is called so as well.
fn is_meant(page: &Page<'_>, control: &ValueControl, wishes: &Wishes<'_>) -> bool {
    let typed = |widget: &Widget| widget.role == Role::Field && name_fit(&widget.label, wishes) >= super::NAMED;
    name_fit(&control.name, wishes) >= 1.0 && !page.screen.widgets.iter().any(typed)
}

/// The shown option is part of the control's name, so that saying it names the control.
fn is_named_so(shown: &str, control: &ValueControl) -> bool {
    is_said_by(shown, &control.name)
}

fn is_said_by(shown: &str, name: &str) -> bool {
    let (own, name) = (words(shown), words(name));
    !own.is_empty() && own.iter().all(|word| name.contains(word))
}

/// What the request says beside the control's name: "Set the language to German".
fn said_value(control: &ValueControl, wishes: &Wishes<'_>) -> Option<String> {
    let own = telling_words(&control.name);
    if own.is_empty() || !own.iter().any(|word| wishes.says(word)) {
        return None;
    }
    let last = wishes.words.iter().rposition(|word| own.iter().any(|own| alike(own, word)))?;
    let behind = telling(&wishes.words[last + 1..]);
    // The first word is the verb.
    let before = wishes.words.get(1..last).map(telling).unwrap_or_default();
    let wanted = if behind.is_empty() { before } else { behind };
    (!wanted.is_empty() && is_said(&wanted.join(" "), wishes).is_some()).then(|| wanted.join(" "))
}

fn telling(words: &[String]) -> Vec<String> {
    telling_words(&words.join(" "))
}
