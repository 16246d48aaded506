//! Values of an app's state in a form that can be compared: without what depends on the time, and without the order in
//! which new things were added one after another.

use serde_json::Value;
use std::collections::BTreeSet;

/// Paths within one variable whose values depend on time: `/*/time`. A star stands for any element of an array.
pub(super) type Unstable = BTreeSet<String>;

/// Collects the paths at which two values of the same variable differ.
pub(super) fn differences(one: &Value, other: &Value, path: &str, found: &mut Unstable) {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) if one.keys().eq(other.keys()) => {
            for ((name, one), other) in one.iter().zip(other.values()) {
                differences(one, other, &format!("{path}/{name}"), found);
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (one, other) in one.iter().zip(other) {
                differences(one, other, &format!("{path}/*"), found);
            }
        }
        _ if one == other => {}
        _ => {
            found.insert(path.to_owned());
        }
    }
}

/// The value without its unstable parts. Elements of an array that `first` lacks are sorted as long as no other stands
/// between them: whether milk or bread was put into the cart first says nothing, where a song was put in the queue does.
pub(super) fn canonical(value: &Value, first: Option<&Value>, unstable: &Unstable) -> Value {
    at(value, first, "", unstable)
}

fn at(value: &Value, first: Option<&Value>, path: &str, unstable: &Unstable) -> Value {
    if unstable.contains(path) {
        return Value::Null;
    }
    match value {
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| {
                let first = first.and_then(|first| first.get(name));
                (name.clone(), at(value, first, &format!("{path}/{name}"), unstable))
            };
            Value::Object(fields.iter().map(field).collect())
        }
        Value::Array(elements) => {
            let below = format!("{path}/*");
            let known: BTreeSet<String> = match first {
                Some(Value::Array(first)) => {
                    first.iter().map(|element| at(element, None, &below, unstable).to_string()).collect()
                }
                _ => BTreeSet::new(),
            };
            let mut elements: Vec<Value> = elements.iter().map(|element| at(element, None, &below, unstable)).collect();
            let new = |element: &Value| !known.contains(&element.to_string());
            for run in elements.chunk_by_mut(|one, other| new(one) && new(other)) {
                run.sort_by_cached_key(ToString::to_string);
            }
            Value::Array(elements)
        }
        Value::String(text) => Value::String(text.trim().to_owned()),
        plain => plain.clone(),
    }
}

/// The first place at which two values differ, and both values there; `None` where they are equal.
pub(super) fn first_difference<'v>(
    one: &'v Value,
    other: &'v Value,
    path: &str,
) -> Option<(String, &'v Value, &'v Value)> {
    match (one, other) {
        _ if one == other => None,
        (Value::Object(fields), Value::Object(others)) if fields.keys().eq(others.keys()) => fields
            .iter()
            .zip(others.values())
            .find_map(|((name, one), other)| first_difference(one, other, &format!("{path}/{name}"))),
        (Value::Array(elements), Value::Array(others)) if elements.len() == others.len() => elements
            .iter()
            .zip(others)
            .enumerate()
            .find_map(|(at, (one, other))| first_difference(one, other, &format!("{path}/{at}"))),
        _ => Some((path.to_owned(), one, other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn new_elements_have_no_order_among_themselves_and_keep_their_place_among_others() {
        let check = |first: Value, one: Value, other: Value, same: bool| {
            let of = |value: &Value| canonical(value, Some(&first), &Unstable::new());
            assert_eq!(of(&one) == of(&other), same, "{one} {other}");
        };
        check(json!([]), json!(["milk", "bread"]), json!(["bread", "milk"]), true);
        check(json!(["a", "b"]), json!(["a", "b", "new"]), json!(["a", "new", "b"]), false);
        check(json!(["a", "b"]), json!(["b", "a"]), json!(["a", "b"]), false);
        check(json!([]), json!([{"of": ["x", "y"]}]), json!([{"of": ["y", "x"]}]), true);
        check(json!({"list": ["a"]}), json!({"list": ["a", "c", "b"]}), json!({"list": ["a", "b", "c"]}), true);
        check(json!(""), json!(" text"), json!("text"), true);
    }

    #[test]
    fn what_depends_on_the_time_is_left_out_wherever_it_stands() {
        let (one, other) = (json!([{"n": 1, "at": "09:41"}]), json!([{"n": 1, "at": "09:44"}]));
        let mut unstable = Unstable::new();
        differences(&one, &other, "", &mut unstable);
        assert_eq!(unstable.iter().collect::<Vec<_>>(), ["/*/at"]);
        let later = json!([{"n": 2, "at": "10:00"}, {"n": 1, "at": "09:59"}]);
        assert_eq!(canonical(&later, Some(&json!([])), &unstable), json!([{"n": 1, "at": null}, {"n": 2, "at": null}]));
    }

    #[test]
    fn a_difference_is_told_with_its_place() {
        let (one, other) = (json!({"a": [1, 2], "b": 0}), json!({"a": [1, 3], "b": 0}));
        assert_eq!(first_difference(&one, &other, "v"), Some(("v/a/1".to_owned(), &json!(2), &json!(3))));
        assert_eq!(first_difference(&one, &one, "v"), None);
    }
}
