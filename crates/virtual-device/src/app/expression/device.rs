//! Functions that ask about the device and the app: `language()`, `granted("…")`, `bug("…")`, `version()`.

use super::values::decimal;
use super::world::{Facts, Failure, World};
use rhai::{Dynamic, FuncRegistration, Module, NativeCallContext};

/// Mean radius of the earth, km.
const EARTH: f64 = 6371.0;

/// Languages written from right to left.
const RIGHT_TO_LEFT: [&str; 6] = ["ar", "fa", "he", "iw", "ps", "ur"];

/// A locale's language, `pt` of `pt-BR`.
pub(super) fn language(locale: &str) -> &str {
    locale.split(['-', '_']).next().unwrap_or(locale)
}

/// Whether a locale is written from right to left.
pub(super) fn is_rtl(locale: &str) -> bool {
    RIGHT_TO_LEFT.contains(&language(locale))
}

fn ask<T>(context: &NativeCallContext<'_>, question: impl FnOnce(&Facts) -> Result<T, Failure>) -> Result<T, Failure> {
    let world = World::of(context)?;
    let facts = world.facts();
    question(&facts)
}

macro_rules! questions {
    ($module:ident: $($name:literal => |$facts:ident| $answer:expr;)*) => {$(
        FuncRegistration::new($name).in_global_namespace().with_volatility(true).set_into_module(
            $module,
            |context: NativeCallContext| ask(&context, |$facts| Ok($answer)),
        );
    )*};
}

pub(super) fn register(module: &mut Module) {
    questions! { module:
        "language" => |facts| language(&facts.locale).to_owned();
        "locale" => |facts| facts.locale.clone();
        "rtl" => |facts| is_rtl(&facts.locale);
        "dark" => |facts| facts.dark;
        "landscape" => |facts| facts.landscape;
        "wide" => |facts| facts.wide;
        "font_scale" => |facts| f64::from((facts.font_scale * 100.0).round()) / 100.0;
        "api" => |facts| i64::from(facts.api);
        "online" => |facts| facts.online;
        "has_location" => |facts| facts.location.is_some();
        "latitude" => |facts| facts.location.map_or(0.0, |(latitude, _)| latitude);
        "longitude" => |facts| facts.location.map_or(0.0, |(_, longitude)| longitude);
        "version" => |facts| facts.version.clone();
    }
    let function = |name: &str| FuncRegistration::new(name).in_global_namespace().with_volatility(true);
    function("granted").set_into_module(module, |context: NativeCallContext, name: &str| {
        ask(&context, |facts| Ok(facts.granted.contains(name)))
    });
    function("bug").set_into_module(module, |context: NativeCallContext, name: &str| {
        ask(&context, |facts| {
            facts.bugs.get(name).copied().ok_or_else(|| unknown("bug", name, facts.bugs.keys()).into())
        })
    });
    function("variant").set_into_module(module, |context: NativeCallContext, name: &str| {
        ask(&context, |facts| {
            facts.variants.get(name).cloned().ok_or_else(|| unknown("variant", name, facts.variants.keys()).into())
        })
    });
    function("version_at_least").set_into_module(module, |context: NativeCallContext, name: &str| {
        ask(&context, |facts| Ok(version_parts(&facts.version) >= version_parts(name)))
    });
    FuncRegistration::new("distance_km").in_global_namespace().set_into_module(
        module,
        |from_latitude: Dynamic, from_longitude: Dynamic, latitude: Dynamic, longitude: Dynamic| {
            let degrees = [from_latitude, from_longitude, latitude, longitude].map(|value| decimal(&value));
            let [Some(north), Some(east), Some(to_north), Some(to_east)] = degrees else {
                return Err::<f64, Failure>("distance_km() needs four numbers".into());
            };
            Ok(distance_km((north, east), (to_north, to_east)))
        },
    );
}

fn unknown<'n>(what: &str, name: &str, known: impl Iterator<Item = &'n String>) -> String {
    let known: Vec<&str> = known.map(String::as_str).collect();
    format!("no {what} {name:?} is declared; there are: {}", known.join(", "))
}

/// `2.10.1` as numbers, so that 2.10 comes after 2.9.
pub(in super::super) fn version_parts(version: &str) -> [u64; 4] {
    let mut parts = [0; 4];
    for (part, text) in parts.iter_mut().zip(version.split(['.', '-', '+'])) {
        *part = text.parse().unwrap_or(0);
    }
    parts
}

/// Distance of two places along the surface of the earth (haversine), km.
fn distance_km(from: (f64, f64), to: (f64, f64)) -> f64 {
    let (north, east) = ((to.0 - from.0).to_radians(), (to.1 - from.1).to_radians());
    let chord =
        (north / 2.0).sin().powi(2) + from.0.to_radians().cos() * to.0.to_radians().cos() * (east / 2.0).sin().powi(2);
    2.0 * EARTH * chord.sqrt().min(1.0).asin()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_their_numbers() {
        assert!(version_parts("2.10") > version_parts("2.9.3"));
        assert!(version_parts("1.0") < version_parts("1.0.1"));
        assert_eq!(version_parts("2"), version_parts("2.0.0"));
    }

    #[test]
    fn berlin_is_as_far_from_paris_as_a_map_says() {
        let distance = distance_km((52.52, 13.405), (48.8566, 2.3522));
        assert!((distance - 878.0).abs() < 3.0, "{distance}");
    }

    #[test]
    fn arabic_is_written_from_right_to_left() {
        assert!(is_rtl("ar-EG") && is_rtl("he") && !is_rtl("pt-BR"));
    }
}
