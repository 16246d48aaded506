//! Choices that stand side by side or one under the other: segmented controls, chips, radio buttons, an open list of options.

use super::amount::{Amount, same_number};
use super::control::{ControlKind, Draft, Parts, Step, ValueControl};
use super::layout::{Page, around, level, stacked};
use super::lexicon::lexicon;
use super::naming::{alike, name_fit, telling_words};
use super::past::{Past, same_place};
use super::read::{Reading, durations_in, quantities_in, read_time};
use super::scale::ScaleWish;
use super::state::{is_on, plain_label};
use super::weekdays::{days_of, days_wanted};
use super::wishes::Wishes;
use crate::domain::{Action, Direction, Rect, words};
use crate::hierarchy::{Role, ScreenKind, Widget, WidgetId};
use std::collections::BTreeMap;

/// Longest text of a choice, in characters.
const LONGEST: usize = 40;
/// Fewest choices that tell nothing of which is chosen.
const FEWEST_WITHOUT_STATE: usize = 3;
/// Most scrolls of a list in search of an option.
const MOST_SCROLLS: usize = 12;
/// How surely a choice without any state is one.
const WITHOUT_STATE: f32 = 0.7;
/// Touches without an effect after which a choice is given up.
const DEAD: usize = 2;

/// How many choices may be on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HowMany {
    One,
    Several,
}

/// What a group of choices is made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ChoiceParts {
    pub(super) items: Vec<WidgetId>,
    pub(super) how_many: HowMany,
    /// The choices tell which of them are on.
    pub(super) tells: bool,
    /// The list that scrolls, where the choices stand in one.
    pub(super) scroll: Option<Rect>,
}

/// All groups of choices of a screen.
pub(super) fn recognise(page: &Page<'_>) -> Vec<ValueControl> {
    let mut groups: BTreeMap<usize, Vec<&Widget>> = BTreeMap::new();
    for widget in page.free().filter(|widget| may_be_choice(page, widget)) {
        if let Some(parent) = group_node(page, widget) {
            groups.entry(parent).or_default().push(widget);
        }
    }
    let groups = groups.into_values().flat_map(|items| clusters(page, items));
    groups.filter_map(|items| control(page, &items)).collect()
}

/// Parts choices that only share a parent: where a text stands between them, a line is left free, or a row follows chips.
fn clusters<'p>(page: &Page<'_>, mut items: Vec<&'p Widget>) -> Vec<Vec<&'p Widget>> {
    items.sort_by_key(|item| (item.bounds.top, item.bounds.left));
    let mut clusters: Vec<Vec<&Widget>> = Vec::new();
    for item in items {
        let follows = |last: &&Widget| {
            let gap = item.bounds.top - last.bounds.bottom;
            let text = |text: &Widget| {
                let between = text.bounds.top >= last.bounds.top && text.bounds.bottom <= item.bounds.bottom;
                text.role == Role::Text && !text.clickable && between && text.bounds.center().y > last.bounds.bottom
            };
            let in_line = level(last.bounds, item.bounds);
            let near = gap <= item.bounds.height() && is_wide(page, last) == is_wide(page, item);
            in_line || near && !page.screen.widgets.iter().any(text)
        };
        match clusters.last_mut().filter(|cluster| cluster.last().is_some_and(follows)) {
            Some(cluster) => cluster.push(item),
            None => clusters.push(vec![item]),
        }
    }
    clusters
}

/// A choice that takes most of a line.
fn is_wide(page: &Page<'_>, item: &Widget) -> bool {
    5 * item.bounds.width() > 3 * page.screen.display.width as i32
}

fn may_be_choice(page: &Page<'_>, widget: &Widget) -> bool {
    let usable = widget.clickable || widget.state.selected || widget.state.checked.is_some();
    let role = match widget.role {
        Role::Radio | Role::Button | Role::ListItem => true,
        Role::Checkbox | Role::Switch => may_be_chip(page, widget) || is_radio(page, widget),
        Role::Text => widget.clickable || widget.state.selected,
        _ => false,
    };
    let label = widget.label.chars().count();
    usable && role && (1..=LONGEST).contains(&label) && widget.label != widget.id_words
}

/// A chip is checkable itself; a row with a switch in it is no choice.
fn may_be_chip(page: &Page<'_>, widget: &Widget) -> bool {
    let own = page.screen.tree.nodes.get(widget.node).is_some_and(|node| node.checkable);
    let boxed = ["CheckBox", "Switch", "ToggleButton"].iter().any(|class| widget.class.ends_with(class));
    widget.class.ends_with("CheckedTextView") || own && !boxed
}

/// A radio button by its role, or by the node within that tells its role.
fn is_radio(page: &Page<'_>, widget: &Widget) -> bool {
    let inside = widget.node..page.ends.get(widget.node).copied().unwrap_or(widget.node);
    let nodes = page.screen.tree.nodes.get(inside).unwrap_or_default();
    widget.role == Role::Radio || nodes.iter().any(|node| node.class.ends_with("RadioButton"))
}

/// The nearest node around a choice that holds others like it, at most three levels up.
fn group_node(page: &Page<'_>, widget: &Widget) -> Option<usize> {
    let like = |node: usize| {
        let inside = node + 1..page.ends.get(node).copied().unwrap_or(node + 1);
        let same = |other: &&Widget| {
            inside.contains(&other.node)
                && may_be_choice(page, other)
                && is_radio(page, other) == is_radio(page, widget)
                && (other.bounds.height() - widget.bounds.height()).abs() * 4 <= widget.bounds.height()
        };
        page.free().filter(same).count()
    };
    page.ancestors(widget.node).take(3).find(|node| like(*node) > 1)
}

/// A group of choices; `None` for buttons that only happen to stand together.
fn control(page: &Page<'_>, items: &[&Widget]) -> Option<ValueControl> {
    let place = around(items.iter().map(|item| item.bounds));
    let chosen: Vec<&str> =
        items.iter().filter(|item| is_on(item) == Some(true)).map(|item| plain_label(item)).collect();
    let on = chosen.len();
    let told = items.iter().all(|item| is_on(item).is_some());
    let checkable = items.iter().all(|item| item.state.checked.is_some());
    let radios = items.iter().all(|item| is_radio(page, item));
    let list = is_open_list(page, items, place);
    let tells = on > 0 || told;
    // Rows of which one is on are alternatives in a toolkit without a class for radio buttons.
    let wide = items.iter().any(|item| is_wide(page, item));
    let alternatives = wide && on == 1;
    if wide && checkable && !radios && !list && !alternatives {
        return None;
    }
    let several = checkable && !radios && !list && !alternatives;
    if items.len() < 2 || !tells && !list && !is_flow(page, items, place) || is_bottom_bar(page, place) {
        return None;
    }
    if tells && !told && !list && (on != 1 || !even(items)) {
        return None;
    }
    let labels: Vec<&str> = items.iter().map(|item| plain_label(item)).collect();
    let days = (several || !tells) && days_of(&labels).is_some();
    let kind = if list {
        ControlKind::Dropdown
    } else if days {
        ControlKind::Weekdays
    } else if items.windows(2).all(|two| level(two[0].bounds, two[1].bounds)) && touching(items) {
        ControlKind::Segmented
    } else if items.windows(2).all(|two| !level(two[0].bounds, two[1].bounds)) {
        ControlKind::RadioGroup
    } else {
        ControlKind::ChipGroup
    };
    let ids: Vec<WidgetId> = items.iter().map(|item| item.id).collect();
    let field = field_of(page, items, place).filter(|_| list);
    let mut name = field.map_or_else(|| page.name_of("", place, &ids), |field| field.label.clone());
    if name.is_empty()
        && page.screen.kind == ScreenKind::Dialog
        && !ids.iter().any(|id| page.widget(*id).is_some_and(|item| item.label == page.screen.title))
    {
        name.clone_from(&page.screen.title);
    }
    let areas = page.screen.scroll_areas.iter().copied();
    let scroll = areas.filter(|area| area.encloses(place)).min_by_key(|area| area.area()).filter(|_| list);
    let how_many = if several { HowMany::Several } else { HowMany::One };
    let parts = Parts::Choice(ChoiceParts { items: ids.clone(), how_many, tells, scroll });
    let mut control = ValueControl::new(kind, ids, name, parts);
    control.shown = (!chosen.is_empty()).then(|| chosen.join(", "));
    control.options = items.iter().map(|item| plain_label(item).to_owned()).collect();
    Some(control)
}

/// The choices are of one height and in lines or a column.
fn even(items: &[&Widget]) -> bool {
    let first = items.first().map_or(0, |item| item.bounds.height());
    items.iter().all(|item| (item.bounds.height() - first).abs() * 8 <= first)
}

/// Choices of a line that leave no gap.
fn touching(items: &[&Widget]) -> bool {
    let height = items.first().map_or(0, |item| item.bounds.height());
    let widths: Vec<i32> = items.iter().map(|item| item.bounds.width()).collect();
    let gap =
        |two: &[&Widget]| (two[1].bounds.left - two[0].bounds.right).max(two[0].bounds.left - two[1].bounds.right);
    let equal = widths.iter().all(|width| (width - widths.first().copied().unwrap_or_default()).abs() * 8 <= *width);
    equal && items.windows(2).all(|two| gap(two) * 8 <= height)
}

/// Short choices without a state in at least one line, under a text that names them.
fn is_flow(page: &Page<'_>, items: &[&Widget], place: Rect) -> bool {
    let line = items.windows(2).any(|two| level(two[0].bounds, two[1].bounds));
    let ids: Vec<WidgetId> = items.iter().map(|item| item.id).collect();
    let short = items.iter().all(|item| item.label.chars().count() <= LONGEST / 2 && words(&item.label).len() <= 3);
    let buttons = items.iter().all(|item| item.role == Role::Button || item.role == Role::Text);
    let high = page.screen.display.height as i32;
    let in_page = place.top > high / 10;
    items.len() >= FEWEST_WITHOUT_STATE
        && line
        && short
        && buttons
        && even(items)
        && in_page
        && !page.name_of("", place, &ids).is_empty()
}

/// A bar of tabs at the bottom of the display.
fn is_bottom_bar(page: &Page<'_>, place: Rect) -> bool {
    let (width, height) = (page.screen.display.width as i32, page.screen.display.height as i32);
    place.bottom >= height - height / 12 && place.width() * 10 >= width * 9 && place.height() * 8 <= height
}

/// Rows in a column that are all there is to touch, or that say that they belong to a list of options.
fn is_open_list(page: &Page<'_>, items: &[&Widget], place: Rect) -> bool {
    let column = items.windows(2).all(|two| {
        let (one, next) = (two[0].bounds, two[1].bounds);
        !level(one, next) && stacked(one, next) && (next.top - one.bottom).abs() * 2 <= one.height()
    });
    if !column || items.len() < 2 {
        return false;
    }
    let option = |item: &&Widget| {
        let class = item.class.ends_with("CheckedTextView");
        class || item.resource_id == "android:id/text1"
    };
    let in_list = |item: &Widget| {
        let nodes = &page.screen.tree.nodes;
        page.ancestors(item.node)
            .take(3)
            .filter_map(|node| nodes.get(node))
            .any(|node| node.scrollable || node.class.ends_with("ListView"))
    };
    let touchable = page.screen.widgets.iter().filter(|widget| widget.clickable).count();
    let alone = touchable <= items.len() + 1 && page.is_window();
    let radios = items.iter().all(|item| is_radio(page, item));
    items.iter().all(option)
        || !radios && alone && items.iter().all(|item| in_list(item))
        || field_of(page, items, place).is_some()
}

/// An exposed list hangs on the field that opened it: it has the field's width and stands right under or over it.
fn field_of<'s>(page: &Page<'s>, items: &[&Widget], place: Rect) -> Option<&'s Widget> {
    let row = items.first().map_or(0, |item| item.bounds.height());
    let carries = |field: &&Widget| {
        let (own, edge) = (field.bounds, row / 2);
        let width = (own.left - place.left).abs() <= edge && (own.right - place.right).abs() <= edge;
        let apart = (place.top - own.bottom).abs().min((own.top - place.bottom).abs());
        let role = matches!(field.role, Role::Field | Role::Dropdown);
        role && width && apart <= row && field.state.focused
    };
    page.screen.widgets.iter().find(carries)
}

/// The next touch in a group of choices.
pub(super) fn plan(
    page: &Page<'_>,
    control: &ValueControl,
    parts: &ChoiceParts,
    wishes: &Wishes<'_>,
    past: Past<'_>,
) -> Option<Draft> {
    let items: Vec<&Widget> = parts.items.iter().filter_map(|id| page.widget(*id)).collect();
    if control.kind == ControlKind::Weekdays {
        return plan_days(&items, parts, wishes, past);
    }
    // Buttons that tell no state are choices only where the request names them all.
    let sure = parts.tells || control.kind == ControlKind::Dropdown;
    if !sure && name_fit(&control.name, wishes) < super::NAMED {
        return None;
    }
    // "Untick X" is for another kind of control.
    if wishes.says_one_of(&lexicon().labels.states.denials) {
        return None;
    }
    let mut wanted = wanted_items(&items, parts, wishes);
    if wanted.is_empty() {
        wanted.extend(ScaleWish::read(wishes).and_then(|wish| wish.choose(control, &items, past)));
    }
    if wanted.is_empty() {
        return looked_for(control, parts, wishes, past);
    }
    let names = wanted.iter().map(|(_, item)| plain_label(item)).collect::<Vec<_>>().join(", ");
    let value_fit = wanted.iter().map(|(fit, _)| *fit).fold(1.0, f32::min);
    let value_fit =
        if parts.tells || control.kind == ControlKind::Dropdown { value_fit } else { value_fit * WITHOUT_STATE };
    let done = |item: &Widget| is_on(item) == Some(true) || !parts.tells && past.touches(item.bounds) > 0;
    let step = match wanted.iter().map(|(_, item)| *item).find(|item| !done(item)) {
        None => Step::reached(names.clone()),
        Some(item) if !item.state.enabled => Step::impossible(format!("{:?} cannot be chosen", item.label)),
        Some(item) if past.idle_run(&[item.bounds]) >= DEAD => {
            Step::impossible(format!("{:?} was touched and is not chosen", item.label))
        }
        Some(item) => Step::click(item, format!("{:?} is what the step chooses", item.label)),
    };
    Some(Draft { wanted: names, value_fit, step })
}

/// The next touch in a row of weekdays: just those that the request names are to be on.
fn plan_days(items: &[&Widget], parts: &ChoiceParts, wishes: &Wishes<'_>, past: Past<'_>) -> Option<Draft> {
    /// How surely named days are meant for a row of days.
    const SURELY: f32 = 0.95;
    let labels: Vec<&str> = items.iter().map(|item| plain_label(item)).collect();
    let (days, wanted) = (days_of(&labels)?, days_wanted(wishes));
    if wanted.is_empty() {
        return None;
    }
    let is_wanted = |day: &usize| wanted.contains(day);
    let mut named = items.iter().zip(&days).filter(|(_, day)| is_wanted(day)).map(|(item, _)| plain_label(item));
    let names = named.by_ref().collect::<Vec<_>>().join(", ");
    // What tells no state is off until it is touched.
    let on = |item: &Widget| is_on(item).unwrap_or(!parts.tells && past.touches(item.bounds) % 2 == 1);
    let step = match items.iter().zip(&days).find(|(item, day)| on(item) != is_wanted(day)) {
        None => Step::reached(names.clone()),
        Some((item, _)) if past.idle_run(&[item.bounds]) >= DEAD => {
            Step::impossible(format!("{:?} was touched and did not change", item.label))
        }
        Some((item, day)) => {
            let why = if is_wanted(day) {
                "is one of the days that the step names"
            } else {
                "is none of the days that the step names"
            };
            Step::click(item, format!("{:?} {why}", item.label))
        }
    };
    Some(Draft { wanted: names, value_fit: SURELY, step })
}

/// The choices that the request names: the best one, or all where several may be on.
fn wanted_items<'p>(items: &[&'p Widget], parts: &ChoiceParts, wishes: &Wishes<'_>) -> Vec<(f32, &'p Widget)> {
    let mut found: Vec<(f32, &Widget)> =
        items.iter().filter_map(|item| Some((option_fit(plain_label(item), wishes)?, *item))).collect();
    // What the request leaves behind counts only where nothing else is named.
    let left_behind = |item: &Widget| is_left_behind(plain_label(item), wishes);
    if found.iter().any(|(_, item)| !left_behind(item)) {
        found.retain(|(_, item)| !left_behind(item));
    }
    // "Extra large" is not "large" as well.
    let longer = |item: &Widget, other: &Widget| {
        let (own, whole) = (words(plain_label(item)), words(plain_label(other)));
        own.len() < whole.len() && own.iter().all(|word| whole.contains(word))
    };
    let all = found.clone();
    found.retain(|(_, item)| !all.iter().any(|(_, other)| longer(item, other)));
    if parts.how_many == HowMany::Several {
        return found;
    }
    let best = found.into_iter().reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.into_iter().collect()
}

/// An explicit value that an open list does not show yet is looked for further down, then further up.
fn looked_for(control: &ValueControl, parts: &ChoiceParts, wishes: &Wishes<'_>, past: Past<'_>) -> Option<Draft> {
    let area = parts.scroll.filter(|_| control.kind == ControlKind::Dropdown)?;
    let opened = past.0.iter().any(|adjusted| matches!(adjusted.action, Action::Click { .. }));
    let wanted = wishes.value_for(&control.name).filter(|_| opened || !control.name.is_empty())?;
    let scrolled = |way: Direction| {
        let own = |action: &Action| matches!(action, Action::Scroll { direction, area: at } if *direction == way && same_place(*at, area));
        past.0.iter().filter(|adjusted| own(&adjusted.action)).count()
    };
    let idle = past.0.last().is_some_and(|last| {
        matches!(last.action, Action::Scroll { direction: Direction::Down, .. })
            && last.shown_before.is_some()
            && last.shown_before == last.shown_after
    });
    let down = scrolled(Direction::Up) == 0 && scrolled(Direction::Down) < MOST_SCROLLS && !idle;
    let step = if scrolled(Direction::Up) >= 2 * MOST_SCROLLS {
        Step::impossible(format!("{wanted:?} is not in the list"))
    } else {
        let direction = if down { Direction::Down } else { Direction::Up };
        Step::Act {
            action: Action::Scroll { direction, area },
            reason: format!("{wanted:?} may be further on in the list"),
        }
    };
    Some(Draft { wanted: wanted.to_owned(), value_fit: 0.5, step })
}

/// How surely a request means an option, by an explicit value, its words, or the same number, time or duration.
pub(super) fn option_fit(label: &str, wishes: &Wishes<'_>) -> Option<f32> {
    let label = label.trim();
    let explicit = wishes.values.iter().filter_map(|value| value_fit(label, value)).reduce(f32::max);
    let said = is_said(label, wishes);
    let measured = same_measure(label, wishes);
    [explicit, said, measured].into_iter().flatten().reduce(f32::max)
}

/// How well an explicit value is an option's label.
fn value_fit(label: &str, value: &str) -> Option<f32> {
    if label.to_lowercase() == value.trim().to_lowercase() {
        return Some(1.0);
    }
    let (own, wanted) = (words(label), words(value));
    if own == wanted && !own.is_empty() {
        return Some(0.98);
    }
    // "German (Deutsch)" for "German", "Large, $4.50" for "Large".
    let within = !wanted.is_empty() && own.windows(wanted.len()).any(|part| part == wanted.as_slice());
    let digits = wanted.iter().all(|word| word.chars().all(|c| c.is_ascii_digit()));
    match (own.starts_with(&wanted) && !wanted.is_empty(), within) {
        (true, _) if !digits || own.len() == wanted.len() => Some(0.9),
        (_, true) if !digits => Some(0.75),
        _ => None,
    }
}

/// How surely the text of a request says a label, its words standing together.
pub(super) fn is_said(label: &str, wishes: &Wishes<'_>) -> Option<f32> {
    let own = words(label);
    if own.is_empty() || telling_words(label).is_empty() && own.iter().all(|word| word.chars().count() < 2) {
        return None;
    }
    let digits = own.iter().all(|word| word.chars().all(|c| c.is_ascii_digit()));
    let together = wishes
        .words
        .windows(own.len())
        .any(|part| part.iter().zip(&own).all(|(said, own)| if digits { said == own } else { alike(said, own) }));
    let exactly = wishes.words.windows(own.len()).any(|part| part == own.as_slice());
    match (exactly, together) {
        (true, _) if !telling_words(label).is_empty() => Some(0.85),
        (true, _) if digits => Some(0.6),
        (false, true) if !telling_words(label).is_empty() => Some(0.7),
        _ => None,
    }
}

/// The option shows an amount, a duration or a time that the request tells in other words.
fn same_measure(label: &str, wishes: &Wishes<'_>) -> Option<f32> {
    if let Some(time) = read_time(label).filter(|_| label.contains(':')) {
        return wishes.times.iter().any(|wish| wish.time.agrees(time)).then_some(0.9);
    }
    let quantities = quantities_in(&Reading::in_language(label, wishes.language));
    if let [duration] = durations_in(&quantities).as_slice() {
        return wishes.durations.iter().any(|wanted| same_number(*wanted, duration.seconds)).then_some(0.95);
    }
    let amount = Amount::alone(label)?;
    let same = |wanted: &super::Quantity| {
        let units = match (&wanted.unit, &amount.unit) {
            (Some(own), Some(other)) => own == other || alike(own, other),
            _ => true,
        };
        same_number(wanted.value, amount.value) && units
    };
    let found = wishes.amounts.iter().find(|wanted| same(wanted))?;
    Some(if found.unit.is_some() && found.unit == amount.unit { 0.95 } else { 0.75 })
}

/// The request names the option only as what is left: "from weekly to monthly", "not small".
fn is_left_behind(label: &str, wishes: &Wishes<'_>) -> bool {
    let own = words(label);
    if own.is_empty() {
        return false;
    }
    let behind = |at: usize| {
        lexicon().labels.naming.instead.iter().any(|cue| {
            let cue = words(cue);
            wishes.words[..at].ends_with(&cue)
                || at > 0
                    && wishes.words[..at - 1].ends_with(&cue)
                    && crate::domain::is_stop_word(&wishes.words[at - 1])
        })
    };
    let mut places = wishes.words.windows(own.len()).enumerate().filter(|(_, part)| *part == own.as_slice()).peekable();
    places.peek().is_some() && places.all(|(at, _)| behind(at))
}
