//! Comparing and converting values whose type is only known when an expression runs.

use rhai::Dynamic;
use std::cmp::Ordering;

/// A number as a decimal.
pub(super) fn decimal(value: &Dynamic) -> Option<f64> {
    value.as_float().ok().or_else(|| value.as_int().ok().map(|n| n as f64))
}

/// Whether two values are equal; 1 equals 1.0.
pub(super) fn same(left: &Dynamic, right: &Dynamic) -> bool {
    if let (Ok(left), Ok(right)) = (left.as_int(), right.as_int()) {
        return left == right;
    }
    if let (Some(left), Some(right)) = (decimal(left), decimal(right)) {
        return (left - right).abs() < f64::EPSILON;
    }
    if let (Ok(left), Ok(right)) = (left.as_bool(), right.as_bool()) {
        return left == right;
    }
    if let (Some(left), Some(right)) = (text(left), text(right)) {
        return left == right;
    }
    if let (Ok(left), Ok(right)) = (left.as_array_ref(), right.as_array_ref()) {
        return left.len() == right.len() && left.iter().zip(right.iter()).all(|(l, r)| same(l, r));
    }
    if let (Ok(left), Ok(right)) = (left.as_map_ref(), right.as_map_ref()) {
        return left.len() == right.len() && left.iter().all(|(name, l)| right.get(name).is_some_and(|r| same(l, r)));
    }
    left.is_unit() && right.is_unit()
}

/// A text or character as text.
pub(super) fn text(value: &Dynamic) -> Option<String> {
    value.as_char().ok().map(String::from).or_else(|| value.as_immutable_string_ref().ok().map(|s| s.to_string()))
}

/// The order of two values: numbers by size, texts without regard to case, false before true, nothing first.
pub(super) fn order(left: &Dynamic, right: &Dynamic) -> Ordering {
    if let (Some(left), Some(right)) = (decimal(left), decimal(right)) {
        return left.total_cmp(&right);
    }
    if let (Some(left), Some(right)) = (text(left), text(right)) {
        return left.to_lowercase().cmp(&right.to_lowercase()).then_with(|| left.cmp(&right));
    }
    if let (Ok(left), Ok(right)) = (left.as_bool(), right.as_bool()) {
        return left.cmp(&right);
    }
    right.is_unit().cmp(&left.is_unit())
}

/// A field of a map; nothing when it has none or is no map.
pub(super) fn field(item: &Dynamic, name: &str) -> Dynamic {
    item.as_map_ref().ok().and_then(|map| map.get(name).cloned()).unwrap_or(Dynamic::UNIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_compare_by_what_they_say() {
        assert!(same(&Dynamic::from(1_i64), &Dynamic::from(1.0)));
        assert!(!same(&Dynamic::from(1_i64), &Dynamic::from("1".to_owned())));
        assert!(same(&Dynamic::UNIT, &Dynamic::UNIT));
        let list = |n: i64| Dynamic::from_array(vec![Dynamic::from(n)]);
        assert!(same(&list(1), &list(1)) && !same(&list(1), &list(2)));
        assert_eq!(order(&Dynamic::from("apple".to_owned()), &Dynamic::from("Banana".to_owned())), Ordering::Less);
        assert_eq!(order(&Dynamic::from(10_i64), &Dynamic::from(9_i64)), Ordering::Greater);
    }
}
