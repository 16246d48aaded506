//! Moving an amount from one thing to another.

use super::{Ability, Bug, Part};
use crate::app::{Blueprint, widget};
use crate::task::{Planned, Planner, Spot};
use serde::Deserialize;
use serde_json::{Value, json};

/// The words of a transfer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TransferWords {
    /// Title of the page.
    title: String,
    from: String,
    to: String,
    amount: String,
    /// Carries it out, and what is asked before.
    action: String,
    sure: String,
    /// Asks, with `{item}`, `{other}` and `{amount}`.
    asks: Vec<String>,
}

pub(super) struct Transfer<'l> {
    pub(super) words: &'l TransferWords,
}

const PART: &str = "transfer";

impl Ability for Transfer<'_> {
    fn part(&self) -> Option<Part<'_>> {
        Some((PART, &self.words.title, "send"))
    }

    fn state(&self, of: &Blueprint<'_>) -> Vec<(&'static str, Value)> {
        let name = |at: usize| of.things.get(at).map_or("", |thing| thing.name.as_str());
        vec![("from", json!(name(0))), ("to", json!(name(1))), ("amount", json!("")), ("moved", json!([]))]
    }

    fn screens(&self, of: &Blueprint<'_>) -> Vec<Value> {
        let words = self.words;
        let spinner = |bind: &str, label: &str| {
            [
                widget("text", json!({"text": label, "style": "label"})),
                widget(
                    "spinner",
                    json!({"id": of.surface.id(bind), "bind": bind, "items": "fields(items, \"name\")", "desc": label}),
                ),
            ]
        };
        let mut body: Vec<Value> = spinner("from", &words.from).into_iter().chain(spinner("to", &words.to)).collect();
        body.extend(of.field("amount", &words.amount, "number"));
        let ready = "from != to && number(amount) > 0";
        body.push(widget(
            "text",
            json!({"text": of.word("two_needed"), "color": "error", "style": "small", "visible": "from == to"}),
        ));
        body.push(widget(
            "button",
            json!({"id": of.surface.id("go"), "text": words.action, "enabled": ready, "on_tap": [{"keyboard": "hide"}, {"show": "transfer_sure"}]}),
        ));
        vec![Value::Object(of.part(PART, &body))]
    }

    fn windows(&self, of: &Blueprint<'_>) -> (Vec<Value>, Vec<Value>) {
        let changed = |items: &str, name: &str, by: &str| {
            let at = format!("index_of({items}, \"name\", {name})");
            format!(
                "with({items}, {at}, put({items}[{at}], \"number\", text(number({items}[{at}].number) {by} number(amount))))"
            )
        };
        // One side after the other: each sees what the one before has left.
        let mut done = vec![json!({"set": {"items": changed("items", "from", "-")}})];
        let given = changed("items", "to", "+");
        done.push(json!({"set": {"items": of.unless("credit_lost", &given, "items")}}));
        let again = changed("items", "to", "+");
        done.push(json!({"set": {"items": of.unless("credited_twice", "items", &again), "moved": "append(moved, from + \" \" + to + \" \" + amount)", "amount": "\"\""}}));
        done.extend(of.arrive("list"));
        let message = "{{ from }} → {{ to }}: {{ amount }}";
        (vec![of.question("transfer_sure", &self.words.sure, message, Value::Array(done))], Vec::new())
    }

    fn consequences(&self) -> Vec<Value> {
        vec![json!({"effect": "paid", "added": "moved", "reason": "money is somewhere else"})]
    }

    fn bugs(&self) -> &'static [Bug] {
        &[("credit_lost", "the other side gets nothing"), ("credited_twice", "the other side gets it twice")]
    }

    fn operations(&self) -> &'static [&'static str] {
        &["transfer"]
    }

    fn plan(&self, _number: usize, planner: &mut Planner<'_>) -> Option<Planned> {
        let words = self.words;
        let [first, second] = [0, 1].map(|at| planner.of.things.get(at).map(|thing| thing.name.clone()));
        let (first, second) = (first?, second?);
        let from = planner.any_but(&[&first, &second])?;
        let to = planner.any_but(&[&first, &second, &from])?;
        let amount = 3 + planner.draw.below(9);
        let balance: usize = planner.thing(&to)?.number.parse().ok()?;
        planner.go_to(PART, &words.title);
        planner.asked(
            "kind",
            &[("label", &words.from), ("value", &from)],
            vec![Planner::tap(&first), Planner::tap(&from)],
        );
        planner.asked("kind", &[("label", &words.to), ("value", &to)], vec![Planner::tap(&second), Planner::tap(&to)]);
        let number = amount.to_string();
        planner.asked(
            "number",
            &[("label", &words.amount), ("value", &number)],
            Planner::typing(&words.amount, &number),
        );
        planner.press(&words.action);
        planner.confirm();
        planner.at(Spot::Part("list"));
        planner.open(&to);
        let whole = planner.phrase(&words.asks, &[("item", &from), ("other", &to), ("amount", &number)]);
        let shown = (balance + amount).to_string();
        Some(Planned {
            whole,
            expects: vec![json!({"screen": to}), json!({"visible": shown})],
            bugs: vec!["credit_lost", "credited_twice"],
        })
    }
}
