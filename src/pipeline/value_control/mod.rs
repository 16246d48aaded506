//! Values in plain words on any control.
//!
//! Recognises the controls of a screen that hold a value (sliders, steppers, ratings, wheels, calendars, clocks, drop-downs,
//! chips, radio groups), reads what a request wants them to hold, and plans the next action of each. Pure and synchronous:
//! what was done before comes in as history. What confirms a choice (OK, Apply) is not planned here.

mod amount;
mod calendar;
mod choice;
mod clock;
mod compound;
mod control;
mod date_wish;
mod dropdown;
mod layout;
mod lexicon;
mod naming;
mod number_wish;
mod opener;
mod past;
mod rating;
mod read;
mod scale;
mod slider;
mod state;
mod stepper;
#[cfg(test)]
mod tests;
mod weekdays;
mod wheel;
mod wishes;

pub(super) use control::{Adjusted, ControlKind, Plan, Step, ValueControl};
pub(super) use layout::around;
pub(super) use lexicon::{is_calendar_unit, verify_tables};
pub(super) use read::{Quantity, read_date, read_quantities, read_seconds, read_time};

use crate::hierarchy::{Role, Screen, WidgetId};
use crate::lexicon::Lexicon;
use control::{Draft, Parts};
use layout::Page;
use naming::name_fit;
use past::Past;
use wishes::Wishes;

/// From this share of its words on a control is named by the request.
const NAMED: f32 = 0.5;
/// Below this fit a value can hardly be meant for a control.
const FAINT: f32 = 0.3;

/// What a clause wants set.
#[derive(Debug, Clone, Copy)]
pub(super) struct ValueRequest<'a> {
    /// The clause's instruction: "Set the alarm to twenty past seven in the evening".
    pub text: &'a str,
    /// Explicit values: quoted texts and values of plain parameters that the clause mentions.
    pub values: &'a [String],
    /// Values already set by earlier clauses or actions of this step on other controls, so that they are not asked for again.
    pub settled: &'a [String],
}

/// All value controls of a screen, the surest kinds first.
#[cfg(test)]
fn recognise(screen: &Screen) -> Vec<ValueControl> {
    recognise_on(&mut Page::new(screen, &tests::LEXICON))
}

/// The stars of all ratings of a screen.
pub(super) fn rating_widgets(screen: &Screen, lexicon: &Lexicon) -> Vec<WidgetId> {
    rating::recognise(&Page::new(screen, lexicon)).into_iter().flat_map(|control| control.widgets).collect()
}

/// Each kind takes its widgets, so that no day of a calendar is a choice as well.
fn recognise_on(page: &mut Page<'_>) -> Vec<ValueControl> {
    let mut found: Vec<ValueControl> = Vec::new();
    let mut add = |page: &mut Page<'_>, controls: Vec<ValueControl>| {
        for control in controls {
            page.take(&control.widgets);
            found.push(control);
        }
    };
    let clock = clock::recognise(page);
    add(page, clock.into_iter().collect());
    let calendar = calendar::recognise(page);
    add(page, calendar.into_iter().collect());
    let wheels = compound::of_wheels(page, wheel::wheels(page));
    add(page, wheels);
    let ratings = rating::recognise(page);
    add(page, ratings);
    let sliders = slider::recognise(page);
    add(page, sliders);
    let steppers = compound::of_steppers(page, stepper::recognise(page));
    add(page, steppers);
    let lists = dropdown::recognise(page);
    add(page, lists);
    let choices = choice::recognise(page);
    add(page, choices);
    let openers = opener::recognise(page);
    add(page, openers);
    leave_open_lists(&mut found);
    found
}

/// A list that is open stands for the field that opened it.
fn leave_open_lists(controls: &mut Vec<ValueControl>) {
    let is_open =
        |control: &ValueControl| control.kind == ControlKind::Dropdown && matches!(control.parts, Parts::Choice(_));
    let open: Vec<String> =
        controls.iter().filter(|control| is_open(control)).map(|control| control.name.clone()).collect();
    controls.retain(|control| !(matches!(control.parts, Parts::Closed(_)) && open.contains(&control.name)));
}

/// Plans for every control of a screen that can take a value the request speaks of, best first.
///
/// `history` holds the actions already carried out in this step, oldest first, with what the control showed before and after
/// each: a slider's touch is corrected by what the last one brought, and a control that no longer reacts is impossible.
pub(super) fn plan(screen: &Screen, lexicon: &Lexicon, request: &ValueRequest<'_>, history: &[Adjusted]) -> Vec<Plan> {
    let mut page = Page::new(screen, lexicon);
    let mut controls = recognise_on(&mut page);
    controls.extend(dropdown::captioned(&page));
    let past = Past(history);
    let mut wishes = Wishes::read(request);
    wishes.claimed = number_wish::claimed(&controls, &wishes);
    let names: Vec<String> = controls.iter().map(|control| control.name.clone()).collect();
    let mut plans: Vec<Plan> =
        controls.into_iter().filter_map(|control| plan_one(&page, control, &wishes, past)).collect();
    fit_only_control(&mut plans, &names, screen, &wishes);
    fit_only_taker(&mut plans, screen);
    plans.sort_by(|one, other| worth(other).total_cmp(&worth(one)));
    plans
}

fn plan_one(page: &Page<'_>, control: ValueControl, wishes: &Wishes<'_>, past: Past<'_>) -> Option<Plan> {
    let draft: Draft = match &control.parts {
        Parts::Slider(bar) => slider::plan(page, &control, *bar, wishes, past),
        Parts::Stepper(parts) => stepper::plan(page, &control, parts, wishes, past),
        Parts::Rating(parts) => rating::plan(page, &control, parts, wishes, past),
        Parts::Choice(parts) => choice::plan(page, &control, parts, wishes, past),
        Parts::Wheel(parts) => wheel::plan(page, &control, parts, wishes, past),
        Parts::Compound(parts) => compound::plan(page, &control, parts, wishes, past),
        Parts::Calendar(parts) => calendar::plan(page, &control, parts, wishes, past),
        Parts::Clock(parts) => clock::plan(page, &control, parts, wishes, past),
        Parts::Closed(opener) => dropdown::plan(page, &control, *opener, wishes, past),
        Parts::Opener(widget, value) => opener::plan(page, &control, (*widget, *value), wishes, past),
    }?;
    // Days of the week are meant for the only thing that takes days, whatever that is called.
    let by_kind = if control.kind == ControlKind::Weekdays { ONLY_TAKER } else { 0.0 };
    let name_fit = name_fit(&control.name, wishes).max(by_kind);
    (draft.value_fit >= FAINT).then_some(Plan {
        control,
        wanted: draft.wanted,
        name_fit,
        value_fit: draft.value_fit,
        step: draft.step,
    })
}

/// The only control that can take the value is the one that is meant, unless the request names another.
fn fit_only_control(plans: &mut [Plan], names: &[String], screen: &Screen, wishes: &Wishes<'_>) {
    let [only] = plans else { return };
    // Rows that only show a value are many; one is meant by its name.
    let by_name = matches!(only.control.parts, Parts::Opener(..)) && !only.control.name.is_empty();
    // Where something can be typed, a list that nothing names and that does not show the value need not be the one that is meant.
    let typed = screen.widgets.iter().any(|widget| widget.role == Role::Field && widget.state.enabled);
    let unnamed = matches!(only.control.parts, Parts::Closed(_)) && only.name_fit <= 0.0 && typed;
    if by_name || unnamed && !matches!(only.step, Step::Reached { .. }) {
        return;
    }
    let inputs = screen.widgets.iter().filter(|widget| {
        let holds = matches!(widget.role, Role::Field | Role::Checkbox | Role::Switch | Role::Dropdown);
        holds && !only.control.widgets.contains(&widget.id)
    });
    let others = names.iter().filter(|name| **name != only.control.name).map(String::as_str);
    let mut others = others.chain(inputs.map(|widget| widget.label.as_str()));
    if !others.any(|name| name_fit(name, wishes) > only.name_fit.max(NAMED)) {
        only.name_fit = 1.0;
    }
}

/// From this fit on a value is meant for a control of this kind by its unit or its form.
const FORMED: f32 = 0.9;
/// How well a control fits by name that alone can take such a value.
const ONLY_TAKER: f32 = 0.6;

/// A value that one control alone can take is meant for it, whatever the control is called: "raise it to 160 €".
fn fit_only_taker(plans: &mut [Plan], screen: &Screen) {
    if screen.widgets.iter().any(|widget| widget.role == Role::Field) {
        return;
    }
    let wanted: Vec<String> = plans.iter().map(|plan| plan.wanted.clone()).collect();
    for plan in plans.iter_mut().filter(|plan| plan.value_fit >= FORMED) {
        if wanted.iter().filter(|other| **other == plan.wanted).count() == 1 {
            plan.name_fit = plan.name_fit.max(ONLY_TAKER);
        }
    }
}

/// How well a plan fits the request: name and value together.
fn worth(plan: &Plan) -> f32 {
    let possible = if matches!(plan.step, Step::Impossible { .. }) { 0.5 } else { 1.0 };
    plan.value_fit * (0.25 + 0.75 * plan.name_fit) * possible
}
