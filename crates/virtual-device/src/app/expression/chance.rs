//! Chance: a seeded generator, and functions that draw from it. Drawing a window never advances it.

use super::world::{Failure, World};
use crate::domain::Lots;
use rhai::{Array, Dynamic, FuncRegistration, Module, NativeCallContext};

/// An app's own lots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in super::super) struct Generator(Lots);

impl Generator {
    /// A generator for an app's process.
    pub(in super::super) fn new(seed: u64, package: &str, launch: u32) -> Self {
        let mut generator = Self(Lots::new(seed, package).for_turn(launch));
        generator.next();
        generator
    }

    fn next(&mut self) -> u64 {
        self.0.next()
    }

    /// A number below `limit`; 0 for a limit of 0.
    pub(in super::super) fn below(&mut self, limit: u64) -> u64 {
        let drawn = self.next();
        ((u128::from(drawn) * u128::from(limit)) >> 64) as u64
    }

    /// From 0 to 1, 1 excluded.
    fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn draw<T>(context: &NativeCallContext<'_>, work: impl FnOnce(&mut Generator) -> T) -> Result<T, Failure> {
    let world = World::of(context)?;
    let mut facts = world.facts();
    if facts.drawing {
        return Err(
            "chance belongs into actions: a text or condition that draws lots would change with every look at \
             the screen; `set` a variable in on_open and show that"
                .into(),
        );
    }
    Ok(work(&mut facts.generator))
}

pub(super) fn register(module: &mut Module) {
    let function = |name: &str| FuncRegistration::new(name).in_global_namespace().with_volatility(true);
    function("random").set_into_module(module, |context: NativeCallContext, limit: i64| {
        draw(&context, |g| g.below(u64::try_from(limit).unwrap_or(0)) as i64)
    });
    function("random").set_into_module(module, |context: NativeCallContext, from: i64, to: i64| {
        let span = u64::try_from(to.saturating_sub(from).saturating_add(1)).unwrap_or(0);
        draw(&context, |g| from.saturating_add(g.below(span) as i64))
    });
    function("chance")
        .set_into_module(module, |context: NativeCallContext, share: f64| draw(&context, |g| g.fraction() < share));
    function("chance").set_into_module(module, |context: NativeCallContext, share: i64| {
        draw(&context, |g| g.fraction() < share as f64)
    });
    function("pick").set_into_module(module, |context: NativeCallContext, items: Array| {
        if items.is_empty() {
            return Err::<Dynamic, Failure>("pick() needs an array with something in it".into());
        }
        let at = draw(&context, |g| g.below(items.len() as u64))?;
        Ok(items.into_iter().nth(at as usize).unwrap_or_default())
    });
    function("shuffled").set_into_module(module, |context: NativeCallContext, mut items: Array| {
        draw(&context, |g| {
            for last in (1..items.len()).rev() {
                items.swap(last, g.below(last as u64 + 1) as usize);
            }
            items
        })
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_values_and_packages_differ() {
        let values = |seed, package, launch| {
            let mut generator = Generator::new(seed, package, launch);
            (0..8).map(|_| generator.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(values(7, "a.b", 1), values(7, "a.b", 1));
        assert_ne!(values(7, "a.b", 1), values(8, "a.b", 1));
        assert_ne!(values(7, "a.b", 1), values(7, "a.c", 1));
        assert_ne!(values(7, "a.b", 1), values(7, "a.b", 2));
    }

    #[test]
    fn every_value_below_the_limit_occurs() {
        let mut generator = Generator::new(1, "a.b", 1);
        let mut seen = [0; 6];
        (0..600).for_each(|_| seen[generator.below(6) as usize] += 1);
        assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
        assert_eq!(generator.below(0), 0);
    }
}
