//! Putting things into a basket, and ordering what is in it.

use super::{Ability, Bug, Part};
use crate::app::{Blueprint, widget};
use crate::task::{Planned, Planner, Spot};
use serde::Deserialize;
use serde_json::{Value, json};

/// The words of a basket.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BasketWords {
    /// Puts a thing in.
    add: String,
    /// Title of the basket.
    list: String,
    /// What is charged on top, `FEE` of a hundred.
    fee: String,
    /// Orders what is in it, and what is asked before.
    order: String,
    sure: String,
    /// What is said when it is ordered.
    done: String,
    /// Asks, with `{item}` and `{count}`.
    asks: Vec<String>,
    order_asks: Vec<String>,
}

pub(super) struct Basket<'l> {
    pub(super) words: &'l BasketWords,
}

const PART: &str = "basket";
/// Per cent of the total that are charged on top.
const FEE: usize = 7;

impl Basket<'_> {
    fn fill(&self, planner: &mut Planner<'_>) -> Option<(String, usize, usize)> {
        let item = planner.any_but(&[])?;
        let price: usize = planner.thing(&item)?.number.parse().ok()?;
        let count = 2 + planner.draw.below(3);
        planner.open(&item);
        let more = planner.of.word("more").to_owned();
        let taps = (1..count).map(|_| Planner::tap(&more)).collect();
        let label = planner.of.word("how_many").to_owned();
        planner.asked("number", &[("label", &label), ("value", &count.to_string())], taps);
        planner.press(&self.words.add);
        let list = self.words.list.clone();
        planner.go_to(PART, &list);
        Some((item, count, count * price))
    }
}

impl Ability for Basket<'_> {
    fn part(&self) -> Option<Part<'_>> {
        Some((PART, &self.words.list, "cart"))
    }

    fn state(&self, _of: &Blueprint<'_>) -> Vec<(&'static str, Value)> {
        vec![(PART, json!([])), ("quantity", json!(1)), ("orders", json!([]))]
    }

    fn screens(&self, of: &Blueprint<'_>) -> Vec<Value> {
        let words = self.words;
        let remove = widget(
            "icon_button",
            json!({"icon": "minus", "desc": of.word("take_out"), "on_tap": [{"set": {PART: format!("without({PART}, index)")}}]}),
        );
        let texts = widget(
            "column",
            json!({"grow": 1, "children": [
                widget("text", json!({"text": "{{ item.name }}", "style": "subtitle"})),
                widget("text", json!({"text": "{{ item.count }} × {{ item.price }}", "style": "small", "color": "muted"})),
            ]}),
        );
        let cost = widget("text", json!({"text": "{{ item.cost }}", "style": "subtitle"}));
        let row =
            widget("row", json!({"gap": 12, "align": "center", "padding": [6, 0], "children": [texts, cost, remove]}));
        let sum = format!("sum({PART}, \"cost\")");
        let wrong = format!("sum({PART}, \"cost\") + sum({PART}, \"price\")");
        let total = format!("{}: {{{{ {} }}}}", of.word("total"), of.unless("wrong_total", &sum, &wrong));
        // A whole number divided by a whole number drops what is over.
        let of_total = format!("percent_of(round({sum}), {FEE})");
        let fee = of.unless("wrong_rounding", &of_total, &format!("round({sum}) * {FEE} / 100"));
        let fee = format!("{}: {{{{ {fee} }}}}", words.fee);
        let body = widget(
            "column",
            json!({"gap": 8, "children": [
                widget("list", json!({"items": PART, "dividers": true, "item": [row]})),
                widget("text", json!({"id": of.surface.id("total"), "text": total, "style": "title", "visible": format!("{PART}.len() > 0")})),
                widget("text", json!({"id": of.surface.id("fee"), "text": fee, "style": "small", "visible": format!("{PART}.len() > 0")})),
                widget("button", json!({"id": of.surface.id("order"), "text": words.order, "enabled": format!("{PART}.len() > 0"), "on_tap": [{"show": "order_sure"}]})),
            ]}),
        );
        let back = of.main_button(of.word("done"), of.arrive("list"));
        let done = vec![
            widget("image", json!({"icon": "check_circle", "size": 72, "color": "success", "align_self": "center"})),
            widget("text", json!({"text": words.done, "style": "headline", "align_text": "center"})),
            back,
        ];
        vec![of.part_with_nothing(PART, body), of.page("ordered", &words.list, done)]
    }

    fn windows(&self, of: &Blueprint<'_>) -> (Vec<Value>, Vec<Value>) {
        let mut placed = of.crash("crash_on_order", "order");
        placed.push(
            json!({"set": {"orders": format!("append(orders, join(fields({PART}, \"name\"), \", \"))"), PART: "[]"}}),
        );
        placed.push(json!({"goto": "ordered"}));
        (vec![of.question("order_sure", &self.words.sure, "", Value::Array(placed))], Vec::new())
    }

    fn on_detail(&self, of: &Blueprint<'_>) -> Vec<Value> {
        let entry = "#{name: items[at].name, count: quantity, price: number(items[at].number), cost: quantity * number(items[at].number)}";
        let added = of.unless(
            "added_twice",
            &format!("append({PART}, {entry})"),
            &format!("append(append({PART}, {entry}), {entry})"),
        );
        let act = json!([{"set": {PART: added, "quantity": "1"}}, {"snackbar": of.word("added")}]);
        vec![
            of.counter("quantity", of.word("how_many"), 9),
            of.main_button(&self.words.add, act.as_array().cloned().unwrap_or_default()),
        ]
    }

    fn consequences(&self) -> Vec<Value> {
        vec![json!({"effect": "ordered", "added": "orders", "reason": "it will be delivered and has to be paid"})]
    }

    fn bugs(&self) -> &'static [Bug] {
        &[
            ("added_twice", "one touch puts a thing in twice"),
            ("wrong_total", "the total counts a price too much"),
            ("wrong_rounding", "what is charged on top is always rounded down"),
            ("crash_on_order", "ordering crashes"),
        ]
    }

    fn operations(&self) -> &'static [&'static str] {
        &["fill-basket", "order"]
    }

    fn plan(&self, number: usize, planner: &mut Planner<'_>) -> Option<Planned> {
        let (item, count, total) = self.fill(planner)?;
        let shown = format!("{}: {total}", planner.of.word("total"));
        if number == 0 {
            let whole = planner.phrase(&self.words.asks, &[("item", &item), ("count", &count.to_string())]);
            let hundredths = total * FEE;
            let fee = format!("{}: {}", self.words.fee, (hundredths + 50) / 100);
            let expects = vec![json!({"visible": item}), json!({"visible": shown}), json!({"visible": fee})];
            let mut bugs = vec!["added_twice", "wrong_total"];
            // Rounding down is wrong only where the fee is nearer to the next number.
            if hundredths % 100 >= 50 {
                bugs.push("wrong_rounding");
            }
            return Some(Planned { whole, expects, bugs });
        }
        planner.press(&self.words.order);
        planner.confirm();
        planner.at(Spot::Elsewhere);
        let whole = planner.phrase(&self.words.order_asks, &[("item", &item), ("count", &count.to_string())]);
        Some(Planned { whole, expects: vec![json!({"visible": self.words.done})], bugs: vec!["crash_on_order"] })
    }
}
