//! Reserving a thing for a time and a number of people, and taking that back.

use super::{Ability, Bug, Part};
use crate::app::{Blueprint, literal, widget};
use crate::form::choice;
use crate::surface::Choosing;
use crate::task::{Planned, Planner, Spot};
use serde::Deserialize;
use serde_json::{Value, json};

/// The words of booking.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BookingWords {
    /// What begins it on a thing's page.
    action: String,
    /// Title of what was booked.
    list: String,
    /// Label of the times, and the times.
    slot: String,
    slots: Vec<String>,
    /// Label of the number.
    count: String,
    /// Takes a booking back, and what is asked before.
    cancel: String,
    sure: String,
    /// Asks, with `{item}`, `{slot}` and `{count}`; `{item}` alone to cancel.
    asks: Vec<String>,
    cancel_asks: Vec<String>,
}

pub(super) struct Booking<'l> {
    pub(super) words: &'l BookingWords,
}

const PART: &str = "bookings";

impl Booking<'_> {
    /// What is booked at first: the last thing.
    fn first<'a>(&'a self, of: &'a Blueprint<'_>) -> Option<(&'a str, &'a str)> {
        Some((of.things.last()?.name.as_str(), self.words.slots.first()?.as_str()))
    }

    fn book(&self, planner: &mut Planner<'_>) -> Option<Planned> {
        let last = self.first(planner.of)?.0.to_owned();
        let item = planner.any_but(&[&last])?;
        let slot = self.words.slots.get(1 + planner.draw.below(self.words.slots.len() - 1))?.clone();
        let count = 2 + planner.draw.below(2);
        planner.open(&item);
        planner.press(&self.words.action);
        let mut hands = vec![Planner::tap(&slot)];
        if planner.of.surface.choosing == Choosing::Spinner {
            hands.insert(0, Planner::tap(self.words.slots.first()?));
        }
        planner.asked("kind", &[("label", &self.words.slot), ("value", &slot)], hands);
        let more = planner.of.word("more").to_owned();
        let taps = (1..count).map(|_| Planner::tap(&more)).collect();
        let number = count.to_string();
        planner.asked("number", &[("label", &self.words.count), ("value", &number)], taps);
        let confirm = planner.of.word("confirm").to_owned();
        planner.press(&confirm);
        planner.at(Spot::Part(PART));
        let places = [("item", item.as_str()), ("slot", &slot), ("count", &number)];
        let whole = planner.phrase(&self.words.asks, &places);
        let mut expects = vec![json!({"visible": item}), json!({"visible": slot})];
        expects.extend(planner.once(&item));
        Some(Planned { whole, expects, bugs: vec!["not_booked", "slot_lost", "crash_on_booking"] })
    }

    fn cancel(&self, planner: &mut Planner<'_>) -> Option<Planned> {
        let item = self.first(planner.of)?.0.to_owned();
        let (words, list) = (self.words, self.words.list.clone());
        planner.go_to(PART, &list);
        let whole = planner.phrase(&words.cancel_asks, &[("item", &item)]);
        planner.say(whole.clone(), vec![json!({"tap": {"text": words.cancel, "beside": item}})]);
        planner.confirm();
        let none = planner.of.word("nothing").to_owned();
        Some(Planned {
            whole,
            expects: vec![json!({"absent": item}), json!({"visible": none})],
            bugs: vec!["cancel_ignored"],
        })
    }
}

impl Ability for Booking<'_> {
    fn part(&self) -> Option<Part<'_>> {
        Some((PART, &self.words.list, "calendar"))
    }

    fn state(&self, of: &Blueprint<'_>) -> Vec<(&'static str, Value)> {
        let (name, slot) = self.first(of).unwrap_or_default();
        vec![
            (PART, json!([{"name": name, "slot": slot, "count": 2}])),
            ("slot", json!(slot)),
            ("places", json!(1)),
            ("booking_at", json!(0)),
        ]
    }

    fn screens(&self, of: &Blueprint<'_>) -> Vec<Value> {
        let words = self.words;
        let cancel = widget(
            "button",
            json!({"text": words.cancel, "style": "outlined", "on_tap": [{"set": {"booking_at": "index"}}, {"show": "cancel_sure"}]}),
        );
        let row = widget(
            "card",
            json!({"padding": 14, "gap": 6, "children": [
                widget("text", json!({"text": "{{ item.name }}", "style": "subtitle"})),
                widget("text", json!({"text": format!("{{{{ item.slot }}}} · {}: {{{{ item.count }}}}", words.count), "style": "small", "color": "muted"})),
                cancel,
            ]}),
        );
        let list = widget("list", json!({"items": PART, "gap": 8, "item": [row]}));
        let first = literal(words.slots.first().map_or("", |slot| slot));
        let booked = format!(
            "append({PART}, #{{name: items[at].name, slot: {}, count: places}})",
            of.unless("slot_lost", "slot", &first)
        );
        let mut confirmed = of.crash("crash_on_booking", "booking");
        confirmed.push(json!({"set": {PART: of.unless("not_booked", &booked, PART)}}));
        confirmed.extend(of.arrive(PART));
        let mut body = vec![widget("text", json!({"text": "{{ items[at].name }}", "style": "headline"}))];
        body.extend(choice(of.surface.choosing, "slot", &words.slot, &words.slots, of.surface.id("slot").as_deref()));
        body.push(of.counter("places", &words.count, 9));
        body.push(of.main_button(of.word("confirm"), confirmed));
        let form = of.page("booking", &words.action, body);
        vec![of.part_with_nothing(PART, list), form]
    }

    fn windows(&self, of: &Blueprint<'_>) -> (Vec<Value>, Vec<Value>) {
        let without = format!("without({PART}, booking_at)");
        let gone = json!([{"set": {PART: of.unless("cancel_ignored", &without, PART)}}]);
        (
            vec![of.question("cancel_sure", &self.words.sure, &format!("{{{{ {PART}[booking_at].name }}}}"), gone)],
            Vec::new(),
        )
    }

    fn on_detail(&self, of: &Blueprint<'_>) -> Vec<Value> {
        let first = literal(self.words.slots.first().map_or("", |slot| slot));
        let begin = json!([{"set": {"slot": first, "places": "1"}}, {"goto": "booking"}]);
        vec![of.main_button(&self.words.action, begin.as_array().cloned().unwrap_or_default())]
    }

    fn consequences(&self) -> Vec<Value> {
        vec![
            json!({"effect": "ordered", "added": format!("fields({PART}, \"name\")"), "reason": "a place is kept for it"}),
        ]
    }

    fn bugs(&self) -> &'static [Bug] {
        &[
            ("not_booked", "what was booked is not kept"),
            ("slot_lost", "the first time is booked, whatever was chosen"),
            ("crash_on_booking", "confirming crashes"),
            ("cancel_ignored", "a cancelled booking stays"),
        ]
    }

    fn operations(&self) -> &'static [&'static str] {
        &["book", "cancel-booking"]
    }

    fn plan(&self, number: usize, planner: &mut Planner<'_>) -> Option<Planned> {
        if number == 0 { self.book(planner) } else { self.cancel(planner) }
    }
}
