//! Functions on arrays and maps. None changes its argument: each gives a new value, for `set`.

use super::values::{decimal, field, order, same, text};
use super::world::Failure;
use rhai::{Array, Dynamic, FuncRegistration, ImmutableString, Map, Module};

/// Longest array (the engine's own limit).
pub(super) const LONGEST: usize = 4096;

fn place(items: &Array, index: i64, what: &str) -> Result<usize, Failure> {
    usize::try_from(index).ok().filter(|at| *at < items.len()).ok_or_else(|| {
        format!("{what}: there is no element {index}, the array has {} (the first is 0)", items.len()).into()
    })
}

fn holds(item: &Dynamic, name: &str, value: &Dynamic) -> bool {
    same(&field(item, name), value)
}

fn whole(value: usize) -> i64 {
    value as i64
}

/// The sum of numbers: an integer as long as all are.
fn sum<'v>(values: impl Iterator<Item = &'v Dynamic>) -> Result<Dynamic, Failure> {
    let (mut integers, mut decimals, mut exact) = (0_i64, 0.0, true);
    for value in values {
        if let Ok(number) = value.as_int() {
            integers = integers.checked_add(number).ok_or("sum(): the total is too large")?;
            decimals += number as f64;
        } else {
            let number = decimal(value);
            decimals += number.ok_or_else(|| format!("sum(): a {} is no number", value.type_name()))?;
            exact = false;
        }
    }
    Ok(if exact { Dynamic::from(integers) } else { Dynamic::from(decimals) })
}

pub(super) fn register(module: &mut Module) {
    changing(module);
    asking(module);
    arranging(module);
}

/// Arrays and maps with one thing different.
fn changing(module: &mut Module) {
    let function = |name: &str| FuncRegistration::new(name).in_global_namespace();
    function("with_value").set_into_module(module, |mut items: Array, index: i64, value: Dynamic| {
        let at = place(&items, index, "with()")?;
        items[at] = value;
        Ok::<_, Failure>(items)
    });
    function("without").set_into_module(module, |mut items: Array, index: i64| {
        let at = place(&items, index, "without()")?;
        drop(items.remove(at));
        Ok::<_, Failure>(items)
    });
    function("append").set_into_module(module, |mut items: Array, value: Dynamic| {
        if items.len() >= LONGEST {
            return Err::<Array, Failure>(format!("append(): an array holds {LONGEST} elements at most").into());
        }
        items.push(value);
        Ok(items)
    });
    // `append(array, array)` of rhai itself would put the elements one by one.
    function("append").set_into_module(module, |mut items: Array, value: Array| {
        items.push(Dynamic::from_array(value));
        items
    });
    function("put").set_into_module(module, |mut map: Map, name: &str, value: Dynamic| {
        map.insert(name.into(), value);
        map
    });
}

/// What is in an array.
fn asking(module: &mut Module) {
    let function = |name: &str| FuncRegistration::new(name).in_global_namespace();
    function("sum").set_into_module(module, |items: Array| sum(items.iter()));
    function("sum").set_into_module(module, |items: Array, name: &str| {
        let values: Array = items.iter().map(|item| field(item, name)).collect();
        sum(values.iter())
    });
    function("count").set_into_module(module, |items: Array| whole(items.len()));
    // An exact signature for each type of value: rhai's own functions of these names take other arguments, and the
    // exact match comes before theirs.
    macro_rules! by_value {
        ($($value:ty),*) => {$(
            function("where").set_into_module(module, |items: Array, name: ImmutableString, value: $value| {
                let value = Dynamic::from(value);
                items.into_iter().filter(|item| holds(item, &name, &value)).collect::<Array>()
            });
            function("find").set_into_module(module, |items: Array, name: ImmutableString, value: $value| {
                let value = Dynamic::from(value);
                items.into_iter().find(|item| holds(item, &name, &value)).unwrap_or(Dynamic::UNIT)
            });
            function("index_of").set_into_module(module, |items: Array, name: ImmutableString, value: $value| {
                let value = Dynamic::from(value);
                items.iter().position(|item| holds(item, &name, &value)).map_or(-1, whole)
            });
            function("index_of").set_into_module(module, |items: Array, value: $value| {
                let value = Dynamic::from(value);
                items.iter().position(|item| same(item, &value)).map_or(-1, whole)
            });
            function("count").set_into_module(module, |items: Array, name: ImmutableString, value: $value| {
                let value = Dynamic::from(value);
                whole(items.iter().filter(|item| holds(item, &name, &value)).count())
            });
        )*};
    }
    by_value!(i64, f64, bool, ImmutableString, char, ());
    function("search").set_into_module(module, |items: Array, name: &str, wanted: &str| {
        let wanted = wanted.to_lowercase();
        let contains = |item: &Dynamic| text(&field(item, name)).is_some_and(|t| t.to_lowercase().contains(&wanted));
        items.into_iter().filter(contains).collect::<Array>()
    });
    function("search").set_into_module(module, |items: Array, wanted: &str| {
        let wanted = wanted.to_lowercase();
        let contains = |item: &Dynamic| text(item).is_some_and(|t| t.to_lowercase().contains(&wanted));
        items.into_iter().filter(contains).collect::<Array>()
    });
}

/// Arrays in another order, parts of them, new ones.
fn arranging(module: &mut Module) {
    let function = |name: &str| FuncRegistration::new(name).in_global_namespace();
    function("sorted").set_into_module(module, |mut items: Array| {
        items.sort_by(order);
        items
    });
    function("sorted").set_into_module(module, |mut items: Array, name: &str| {
        items.sort_by(|left, right| order(&field(left, name), &field(right, name)));
        items
    });
    function("reversed").set_into_module(module, |mut items: Array| {
        items.reverse();
        items
    });
    function("slice").set_into_module(module, |items: Array, from: i64, count: i64| {
        let (from, count) = (usize::try_from(from).unwrap_or(0), usize::try_from(count).unwrap_or(0));
        items.into_iter().skip(from).take(count).collect::<Array>()
    });
    function("range").set_into_module(module, |from: i64, to: i64| {
        if to.saturating_sub(from) > LONGEST as i64 {
            return Err::<Array, Failure>(format!("range(): an array holds {LONGEST} elements at most").into());
        }
        Ok((from..to).map(Dynamic::from).collect())
    });
    function("fields").set_into_module(module, |items: Array, name: &str| {
        items.iter().map(|item| field(item, name)).collect::<Array>()
    });
}
