//! Forms as toolkits make them, and what is typed where.

use super::*;
use crate::agent::operation::plan;
use crate::agent::sample::Head;
use crate::domain::Rect;
use crate::form::sample::perceived;
use std::fmt::Write as _;

/// A node of a dump: what it is, its attributes and where it stands.
type Node<'a> = (&'a str, &'a str, [i32; 4]);

const FIELD: &str = "android.widget.EditText";
const TEXT: &str = "android.widget.TextView";
const USABLE: &str = "clickable=\"true\" focusable=\"true\" enabled=\"true\"";

/// A page of nodes below each other, with a button that sends it.
fn page(nodes: &[Node<'_>]) -> Screen {
    let mut dump = String::from("<hierarchy rotation=\"0\">");
    let root = [0, 0, 1080, 2400];
    let mut add = |class: &str, attributes: &str, bounds: [i32; 4], end: &str| {
        let bounds = Rect::from(bounds);
        let _ = write!(dump, "<node class=\"{class}\" package=\"org.example\" {attributes} bounds=\"{bounds}\"{end}>");
    };
    add("android.widget.FrameLayout", "", root, "");
    for (class, attributes, bounds) in nodes {
        add(class, attributes, *bounds, "/");
    }
    add("android.widget.Button", &format!("text=\"Send\" {USABLE}"), [40, 2100, 1040, 2220], "/");
    dump.push_str("</node></hierarchy>");
    perceived(&dump)
}

/// What is typed for a step about the whole form, from top to bottom, each with the field's place on the page.
fn typed_on(page: &Screen, parameters: &[(&str, &str)], instruction: &str) -> Vec<(usize, String)> {
    let head = Head::new(parameters, "");
    let agent = head.agent();
    let step = crate::agent::sample::step(instruction, &[]);
    let plan = plan(&agent.background(), &step, page, &StepMemory::default(), Trust::Mention).unwrap();
    let fields: Vec<usize> =
        page.widgets.iter().filter(|widget| widget.role == Role::Field).map(|widget| widget.id).collect();
    let mut typed: Vec<(usize, String)> = plan
        .ranked
        .iter()
        .filter_map(|ranked| ranked.candidate.offer.as_ref())
        .filter(|offer| !offer.tentative)
        .filter_map(|offer| {
            let Place::Field(id) = offer.place else { return None };
            Some((fields.iter().position(|field| *field == id)?, offer.text.expose().to_owned()))
        })
        .collect();
    typed.sort();
    typed
}

fn typed(nodes: &[Node<'_>], parameters: &[(&str, &str)]) -> Vec<(usize, String)> {
    typed_on(&page(nodes), parameters, "Fill in the form")
}

fn expected(all: &[(usize, &str)]) -> Vec<(usize, String)> {
    all.iter().map(|(at, text)| (*at, (*text).to_owned())).collect()
}

const PERSON: [(&str, &str); 3] =
    [("email", "ada@example.com"), ("full_name", "Ada Byron"), ("phone", "020 7946 0000")];

#[test]
fn a_field_is_known_by_its_label_wherever_the_toolkit_puts_it() {
    let all = expected(&[(0, "Ada Byron"), (1, "020 7946 0000"), (2, "ada@example.com")]);
    let names = ["Full name", "Phone number", "E-mail address"];
    let at = |row: i32| [40, 300 + 240 * row, 1040, 420 + 240 * row];
    let hint = |name: &str| format!("text=\"\" hint=\"{name}\" {USABLE}");
    let empty = format!("text=\"\" {USABLE}");
    // The framework's hint, shown apart from the content.
    let hints: Vec<String> = names.iter().map(|name| hint(name)).collect();
    let nodes: Vec<Node<'_>> = hints.iter().zip(0..).map(|(hint, row)| (FIELD, hint.as_str(), at(row))).collect();
    assert_eq!(typed(&nodes, &PERSON), all, "hints");
    // A placeholder that is dumped as the text.
    let texts: Vec<String> = names.iter().map(|name| format!("text=\"{name}\" {USABLE}")).collect();
    let nodes: Vec<Node<'_>> = texts.iter().zip(0..).map(|(text, row)| (FIELD, text.as_str(), at(row))).collect();
    assert_eq!(typed(&nodes, &PERSON), all, "placeholders");
    // A caption above.
    let mut nodes: Vec<Node<'_>> = Vec::new();
    for (text, row) in texts.iter().zip(0..) {
        nodes.push((TEXT, text.trim_end_matches(USABLE), [40, 245 + 240 * row, 1040, 295 + 240 * row]));
        nodes.push((FIELD, &empty, at(row)));
    }
    assert_eq!(typed(&nodes, &PERSON), all, "captions above");
    // A caption on the left.
    let mut nodes: Vec<Node<'_>> = Vec::new();
    for (text, row) in texts.iter().zip(0..) {
        nodes.push((TEXT, text.trim_end_matches(USABLE), [40, 330 + 240 * row, 340, 390 + 240 * row]));
        nodes.push((FIELD, &empty, [360, 300 + 240 * row, 1040, 420 + 240 * row]));
    }
    assert_eq!(typed(&nodes, &PERSON), all, "captions on the left");
    // What is read aloud, where the toolkit draws the field itself.
    let described: Vec<String> =
        names.iter().map(|name| format!("text=\"\" content-desc=\"{name}\" {USABLE}")).collect();
    let nodes: Vec<Node<'_>> = described.iter().zip(0..).map(|(text, row)| (FIELD, text.as_str(), at(row))).collect();
    assert_eq!(typed(&nodes, &PERSON), all, "descriptions");
}

#[test]
fn a_card_is_typed_as_its_fields_ask() {
    let card = [("card_number", "4111111111111111"), ("expiry", "2029-09"), ("cvv", "731"), ("phone", "0207946000")];
    let of = |expiry: &str| {
        let attributes: Vec<String> =
            ["Card number", expiry, "CVC"].iter().map(|name| format!("text=\"\" hint=\"{name}\" {USABLE}")).collect();
        let nodes: Vec<Node<'_>> = attributes
            .iter()
            .zip(0..)
            .map(|(text, row)| (FIELD, text.as_str(), [40, 300 + 200 * row, 1040, 420 + 200 * row]))
            .collect();
        typed(&nodes, &card)
    };
    let typed = |expiry: &str| expected(&[(0, "4111111111111111"), (1, expiry), (2, "731")]);
    assert_eq!(of("Expiry date (MM/YY)"), typed("09/29"));
    assert_eq!(of("MM/YY"), typed("09/29"), "the only value that can be written so");
    assert_eq!(of("MM / YYYY"), typed("09/2029"));
    assert_eq!(of("Expires MMYY"), typed("0929"));
}

#[test]
fn a_code_goes_into_the_boxes_that_take_as_many_characters() {
    let boxes = |values: &[&str]| {
        let texts: Vec<String> = values.iter().map(|value| format!("text=\"{value}\" hint=\" \" {USABLE}")).collect();
        let mut nodes: Vec<Node<'_>> = vec![(TEXT, "text=\"Enter the code we have sent\"", [40, 300, 1040, 360])];
        for (text, at) in texts.iter().zip(0..) {
            nodes.push((FIELD, text, [40 + 140 * at, 420, 160 + 140 * at, 560]));
        }
        typed_on(
            &page(&nodes),
            &[("gate_code", "4711"), ("sms_code", "246810"), ("house_number", "1")],
            "Enter the code",
        )
    };
    assert_eq!(boxes(&["", "", "", "", "", ""]), expected(&[(0, "246810")]));
    assert_eq!(boxes(&["2", "", "", "", "", ""]), expected(&[(1, "46810")]), "it goes on where it stopped");
    assert_eq!(boxes(&["2", "4", "6", "8", "1", "0"]), [], "it is there");
}

#[test]
fn what_is_there_is_left_and_what_is_wrong_is_typed_over() {
    let field = |value: &str, hint: &str, row: i32| {
        (format!("text=\"{value}\" hint=\"{hint}\" {USABLE}"), [40, 300 + 200 * row, 1040, 420 + 200 * row])
    };
    let fields = [field("4111 1111 1111 1111", "Card number", 0), field("Bob", "Full name", 1)];
    let nodes: Vec<Node<'_>> = fields.iter().map(|(text, at)| (FIELD, text.as_str(), *at)).collect();
    let given = [("card_number", "4111111111111111"), ("full_name", "Ada Byron")];
    assert_eq!(typed(&nodes, &given), expected(&[(1, "Ada Byron")]));
}

#[test]
fn somebodys_name_is_the_only_value_left_for_the_only_field_left_and_a_places_is_not() {
    let field = |hint: &str, row: i32| {
        (format!("text=\"\" hint=\"{hint}\" {USABLE}"), [40, 300 + 200 * row, 1040, 420 + 200 * row])
    };
    let fields = [field("Name", 0), field("Mobile number", 1)];
    let nodes: Vec<Node<'_>> = fields.iter().map(|(text, at)| (FIELD, text.as_str(), *at)).collect();
    let mobile = ("recipient_mobile", "07905550177");
    let somebody = typed(&nodes, &[("recipient", "Ada Byron"), mobile]);
    assert_eq!(somebody, expected(&[(0, "Ada Byron"), (1, "07905550177")]));
    assert_eq!(typed(&nodes, &[("city", "Paris"), mobile]), expected(&[(1, "07905550177")]));
}

/// Things and what is known of each; all pairs are parameters.
const THINGS: [&str; 20] = [
    "policy",
    "invoice",
    "meter",
    "garage",
    "library",
    "parcel",
    "vehicle",
    "engine",
    "ticket",
    "locker",
    "sender",
    "recipient",
    "billing",
    "delivery",
    "emergency",
    "trustee",
    "school",
    "landlord",
    "dentist",
    "club",
];
const SORTS: [&str; 10] =
    ["name", "number", "code", "date", "address", "email", "password", "time", "amount", "remark"];

fn near_names() -> Vec<(String, String)> {
    let all = THINGS.iter().flat_map(|thing| SORTS.iter().map(move |sort| format!("{thing}_{sort}")));
    all.enumerate().map(|(at, name)| (name, format!("value {at}"))).collect()
}

#[test]
fn among_hundreds_of_near_names_the_right_one_is_typed_and_a_missing_one_is_not_made_up() {
    let all = near_names();
    assert_eq!(all.len(), 200);
    let wanted = ["policy_number", "recipient_name", "delivery_address", "meter_code"];
    let labels = ["Policy number", "Name of the recipient", "Delivery address", "Meter code"];
    let attributes: Vec<String> = labels.iter().map(|name| format!("text=\"\" hint=\"{name}\" {USABLE}")).collect();
    let nodes: Vec<Node<'_>> = attributes
        .iter()
        .zip(0..)
        .map(|(text, row)| (FIELD, text.as_str(), [40, 300 + 200 * row, 1040, 420 + 200 * row]))
        .collect();
    let page = page(&nodes);
    let given = |without: Option<&str>| {
        let known: Vec<(&str, &str)> = all
            .iter()
            .filter(|(name, _)| Some(name.as_str()) != without)
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        typed_on(&page, &known, "Fill in the form")
    };
    let value = |name: &str| all.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone()).unwrap();
    let right: Vec<(usize, String)> = wanted.iter().enumerate().map(|(at, name)| (at, value(name))).collect();
    assert_eq!(given(None), right);
    for (at, name) in wanted.iter().enumerate() {
        let rest: Vec<(usize, String)> = right.iter().filter(|(own, _)| *own != at).cloned().collect();
        assert_eq!(given(Some(name)), rest, "{name} is missing");
    }
}

#[test]
fn the_counterpart_of_a_missing_value_is_not_typed_either() {
    let field = |hint: &str| format!("text=\"\" hint=\"{hint}\" {USABLE}");
    for (hint, other) in [
        ("New code", "current_code"),
        ("Billing street", "delivery_street"),
        ("Departure time", "return_time"),
        ("Name of the station", "traveller_name"),
        ("Phone", "card_number"),
        ("Name", "number"),
    ] {
        let (first, second) = (field(hint), field("Remark"));
        let nodes: [Node<'_>; 2] = [(FIELD, &first, [40, 300, 1040, 420]), (FIELD, &second, [40, 500, 1040, 620])];
        assert_eq!(typed(&nodes, &[(other, "5550102030")]), [], "{other} is not {hint:?}");
        // Beside what belongs there it is the only value left, and still another's.
        let both = [(other, "5550102030"), ("remark", "none")];
        assert_eq!(typed(&nodes, &both), expected(&[(1, "none")]), "{other} is not {hint:?}");
    }
}
