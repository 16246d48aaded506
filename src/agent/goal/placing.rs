//! Where the goal's own words say that a value belongs: "from Bruges to Ghent" into the fields "From" and "To", a
//! `destination` into the only field of the page "Destination", "at 05:30" behind the only row that shows a time.

use crate::agent::agent::Agent;
use crate::agent::step::Step;
use crate::domain::{content_words, same_word, words};
use crate::form::Parameter;
use crate::form::WrittenDate;
use crate::hierarchy::{Role, Screen, Widget};

/// Words before a value that tell where it belongs.
const LEAD: usize = 3;
/// How much more a place's own name tells than the page it stands on.
const BY_NAME: usize = 5;
/// Most words of a place's name.
const LONGEST: usize = 3;

/// A value and its place: a field it is typed into, or what opens its choice.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed<'a> {
    pub(super) parameter: &'a Parameter,
    pub(super) place: &'a Widget,
}

/// The first value with a place on the screen that the goal's words leave no doubt about. `open` tells whether a parameter
/// is still to be given, `opened` is the label of what was touched last, `fresh` tells whether a control was not touched here.
pub(super) fn placed<'a>(
    goal: &Step,
    parameters: &'a [Parameter],
    open: impl Fn(&Parameter) -> bool,
    screen: &'a Screen,
    opened: Option<&str>,
    fresh: impl Fn(&Widget) -> bool,
) -> Option<Placed<'a>> {
    let mentioned = |one: &&Parameter| {
        goal.mentions.contains(&one.name) && !one.value.is_secret() && !one.value.expose().is_empty()
    };
    let all: Vec<&Parameter> = parameters.iter().filter(mentioned).collect();
    let values: Vec<&str> = all.iter().map(|one| one.value.expose()).collect();
    let empty =
        |widget: &Widget| widget.value.is_empty() || widget.value == widget.hint || widget.value == widget.label;
    let fields = |widget: &&Widget| widget.role == Role::Field && widget.state.enabled && !widget.state.password;
    let alone = screen.widgets.iter().filter(fields).count() == 1;
    let names = |widget: &'a Widget| -> Vec<&'a str> {
        match widget.role {
            Role::Field => vec![widget.label.as_str(), widget.hint.as_str()],
            Role::Dropdown => Agent::caption(screen, widget).into_iter().chain([first_part(&widget.label)]).collect(),
            _ => vec![first_part(&widget.label)],
        }
    };
    let score = |widget: &'a Widget, one: &Parameter| -> usize {
        let (lead, own) = (lead(&goal.instruction, one.value.expose(), &values), words(&one.words()));
        let by_name = names(widget).into_iter().map(|name| says(name, &lead, &own)).max().unwrap_or_default();
        // A page is called like the parameter; what led to it may be called by the words before the value as well.
        let by_page = || {
            let led = opened.map_or(0, |label| says(first_part(label), &lead, &own));
            led + says(&screen.title, &[], &own)
        };
        let said = if by_name == 0 && alone && widget.role == Role::Field { by_page() } else { BY_NAME * by_name };
        if said == 0 {
            return 0;
        }
        let label = content_words(&widget.label);
        2 * said + own.iter().filter(|word| label.iter().any(|other| same_word(word, other))).count()
    };
    let usable = |widget: &&'a Widget| {
        let field = fields(widget) && empty(widget);
        let opens = widget.clickable
            && matches!(widget.role, Role::ListItem | Role::Button | Role::Dropdown)
            && (widget.label.contains(", ") || widget.role == Role::Dropdown)
            && widget.state.enabled
            && widget.state.checked.is_none();
        field || (opens && fresh(widget))
    };
    for place in screen.widgets.iter().filter(usable) {
        let mut scored: Vec<(usize, &Parameter)> = all.iter().map(|one| (score(place, one), *one)).collect();
        scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        let Some((best, parameter)) = scored.first().copied().filter(|(score, _)| *score > 0) else { continue };
        let doubtful = scored.get(1).is_some_and(|(next, _)| *next == best);
        let better = |other: &'a Widget| other.id != place.id && score(other, parameter) >= best;
        let shows = place.label.contains(parameter.value.expose());
        if !doubtful && open(parameter) && !shows && !screen.widgets.iter().filter(usable).any(better) {
            return Some(Placed { parameter, place });
        }
    }
    by_form(&all, open, screen, fresh)
}

/// A time or a day belongs behind the only row that shows one, where something is filled in.
fn by_form<'a>(
    all: &[&'a Parameter],
    open: impl Fn(&Parameter) -> bool,
    screen: &'a Screen,
    fresh: impl Fn(&Widget) -> bool,
) -> Option<Placed<'a>> {
    let fills_in = |widget: &Widget| widget.role == Role::Field || widget.state.checked.is_some();
    if !screen.widgets.iter().any(fills_in) {
        return None;
    }
    for form in [is_time, is_day] {
        let mut values = all.iter().filter(|one| form(one.value.expose()));
        let Some(parameter) = values.next().filter(|one| values.next().is_none() && open(one)) else { continue };
        let shows = |widget: &&Widget| {
            let told = widget.label.rsplit(", ").next().is_some_and(|last| form(last) || form(&widget.label));
            widget.clickable
                && widget.state.enabled
                && widget.role != Role::Field
                && widget.state.checked.is_none()
                && told
        };
        let mut rows = screen.widgets.iter().filter(shows);
        let Some(place) = rows.next().filter(|place| rows.next().is_none() && fresh(place)) else { continue };
        if !place.label.contains(parameter.value.expose()) {
            return Some(Placed { parameter, place });
        }
    }
    None
}

/// "05:30", "5:30 PM".
pub(super) fn is_time(text: &str) -> bool {
    let digits = text.trim().split(' ').next().unwrap_or_default();
    let Some((hours, minutes)) = digits.split_once([':', '.']) else { return false };
    let number = |part: &str, most: u32| part.parse::<u32>().is_ok_and(|number| number < most);
    hours.len() <= 2 && minutes.len() == 2 && number(hours, 24) && number(minutes, 60) && text.trim().len() <= 8
}

fn is_day(text: &str) -> bool {
    WrittenDate::read(text).is_some_and(|date| date.day.is_some() && date.month.is_some())
}

/// The words right before a value, as far as no other value and no comma lies between.
fn lead(goal: &str, value: &str, values: &[&str]) -> Vec<String> {
    let Some((before, _)) = goal.split_once(value) else { return Vec::new() };
    let others = values.iter().filter(|other| **other != value);
    let after_other = others.filter_map(|other| before.rfind(other).map(|at| at + other.len()));
    let after_comma = before.rfind([',', ';', '，', '、']).map(|at| at + 1);
    let from = after_other.chain(after_comma).max().unwrap_or_default();
    let all = words(before.get(from..).unwrap_or_default());
    all[all.len().saturating_sub(LEAD)..].to_vec()
}

/// How a name tells a place: 2 by the last words before the value, 1 by the parameter's name, 0 not at all.
fn says(name: &str, lead: &[String], own: &[String]) -> usize {
    let name = words(name);
    let has = |list: &[String], word: &String| list.iter().any(|other| same_word(word, other));
    if name.is_empty() || name.len() > LONGEST {
        return 0;
    }
    if name.iter().all(|word| has(lead, word)) {
        return 2;
    }
    usize::from(name.iter().all(|word| has(own, word) || has(lead, word)) && name.iter().any(|word| has(own, word)))
}

/// A row's label begins with its own name: "From, Brackwater".
fn first_part(label: &str) -> &str {
    label.split(", ").next().unwrap_or(label)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::sample::{button, screen, step, widget};
    use crate::domain::InputText;

    fn said(goal: &str, parameters: &[(&str, &str)], widgets: Vec<Widget>, title: &str) -> Option<String> {
        let parameters: Vec<Parameter> = parameters
            .iter()
            .map(|(name, value)| Parameter { name: (*name).into(), value: InputText::Plain((*value).into()) })
            .collect();
        let mut goal = step(goal, &[]);
        goal.mentions = parameters.iter().map(|one| one.name.clone()).collect();
        let mut page = screen(widgets);
        page.title = title.to_owned();
        let found = placed(&goal, &parameters, |_| true, &page, None, |_| true)?;
        Some(format!("{} = {}", found.place.label, found.parameter.name))
    }

    const TRIP: &[(&str, &str)] = &[("start", "Bruges"), ("end", "Ghent")];

    #[test]
    fn the_word_before_a_value_is_the_name_of_its_field() {
        let fields = || vec![widget(Role::Field, "From"), widget(Role::Field, "To")];
        let goal = "Add the trip from Bruges to Ghent, one way";
        assert_eq!(said(goal, TRIP, fields(), "Trip").as_deref(), Some("From = start"));
        assert_eq!(said(goal, TRIP, fields().split_off(1), "Trip").as_deref(), Some("To = end"));
        assert_eq!(said(goal, TRIP, vec![widget(Role::Field, "Note")], "Trip"), None);
    }

    #[test]
    fn the_only_field_of_a_page_that_is_called_like_a_parameter_is_for_it() {
        let parameters = [("traveller_name", "Ada"), ("destination", "Elm")];
        let goal = "Buy a ticket to Elm for Ada";
        let field = || vec![widget(Role::Field, "Name of the station")];
        assert_eq!(
            said(goal, &parameters, field(), "Destination").as_deref(),
            Some("Name of the station = destination")
        );
        assert_eq!(said(goal, &parameters, field(), "Start"), None);
        let two = vec![widget(Role::Field, "Station"), widget(Role::Field, "Line")];
        assert_eq!(said(goal, &parameters, two, "Destination"), None, "which of them is not told");
    }

    #[test]
    fn a_list_is_called_by_the_text_over_it() {
        let lists = |shown: &str| {
            let mut widgets = vec![crate::agent::sample::text("From"), widget(Role::Dropdown, shown)];
            widgets.extend([crate::agent::sample::text("To"), widget(Role::Dropdown, "Savings")]);
            widgets
        };
        let parameters = [("payer", "Current"), ("payee", "Savings")];
        let goal = "Move it from Current to Savings";
        assert_eq!(said(goal, &parameters, lists("Cash"), "Move").as_deref(), Some("Cash = payer"));
        assert_eq!(said(goal, &parameters, lists("Current"), "Move"), None, "both are as the goal wants them");
    }

    #[test]
    fn what_two_values_may_belong_to_is_left_open() {
        let parameters = [("friend", "Ada"), ("colleague", "Ben")];
        let goal = "Send it to Ada, and a copy to Ben";
        assert_eq!(said(goal, &parameters, vec![widget(Role::Field, "To")], "Mail"), None);
    }

    #[test]
    fn a_time_belongs_behind_the_only_row_that_shows_one() {
        let rows = |labels: &[&str]| {
            let mut widgets: Vec<Widget> = labels.iter().map(|label| button(label)).collect();
            widgets.push(widget(Role::Field, "Name"));
            widgets
        };
        let (goal, parameters) = ("Begin at 05:30", [("hour", "05:30")]);
        let found = said(goal, &parameters, rows(&["Begins at, 07:00", "Days, all"]), "New");
        assert_eq!(found.as_deref(), Some("Begins at, 07:00 = hour"));
        assert_eq!(said(goal, &parameters, rows(&["Opens, 07:00", "Closes, 08:00"]), "New"), None);
        assert_eq!(said(goal, &parameters, vec![button("Lazy, 09:00")], "List"), None, "nothing is filled in there");
    }
}
