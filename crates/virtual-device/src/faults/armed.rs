//! Faults lying in wait on one device.

use super::catalogue::Fault;
use super::spec::{FaultSpec, FaultValue};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A device's faults; clones share them.
#[derive(Debug, Clone, Default)]
pub struct Faults(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    /// Most devices have none, and are asked often.
    any: AtomicBool,
    armed: Mutex<Vec<Armed>>,
}

#[derive(Debug)]
struct Armed {
    spec: FaultSpec,
    /// Opportunities so far.
    seen: u64,
    struck: u64,
}

/// A fault that strikes now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strike(FaultValue);

impl Strike {
    /// Its time; zero for faults without one.
    pub const fn time(&self) -> Duration {
        match self.0 {
            FaultValue::Time(time) => time,
            _ => Duration::ZERO,
        }
    }

    /// Its quarter turns; 0 for faults without.
    pub const fn turns(&self) -> u8 {
        match self.0 {
            FaultValue::Turn(turns) => turns,
            _ => 0,
        }
    }

    /// Its code; empty for faults without.
    pub fn code(&self) -> &str {
        match &self.0 {
            FaultValue::Code(code) => code,
            _ => "",
        }
    }
}

impl Faults {
    /// Lays these in wait too.
    pub fn add(&self, specs: impl IntoIterator<Item = FaultSpec>) {
        let mut armed = self.armed();
        armed.extend(specs.into_iter().map(|spec| Armed { spec, seen: 0, struck: 0 }));
        self.0.any.store(!armed.is_empty(), Ordering::Release);
    }

    /// Lays these in wait in place of all others.
    pub fn replace(&self, specs: impl IntoIterator<Item = FaultSpec>) {
        self.armed().clear();
        self.add(specs);
    }

    /// What lies in wait, with how often each has struck.
    pub fn list(&self) -> Vec<(FaultSpec, u64)> {
        self.armed().iter().map(|armed| (armed.spec.clone(), armed.struck)).collect()
    }

    /// An opportunity for `fault`: whether it strikes now.
    pub fn strike(&self, fault: Fault) -> Option<Strike> {
        self.strike_at(fault, "")
    }

    /// An opportunity for `fault` at something that has a text (a command line, a service name).
    pub fn strike_at(&self, fault: Fault, text: &str) -> Option<Strike> {
        if !self.0.any.load(Ordering::Acquire) {
            return None;
        }
        let mut armed = self.armed();
        let mut strike = None;
        // Each counts the opportunity, but one strike is enough.
        for armed in armed.iter_mut().filter(|armed| armed.spec.fault == fault) {
            if armed.spec.only.as_ref().is_some_and(|only| !text.contains(only.as_str())) {
                continue;
            }
            if armed.take_turn() && strike.is_none() {
                armed.struck += 1;
                strike = Some(Strike(armed.spec.value.clone()));
            }
        }
        drop(armed);
        strike
    }

    fn armed(&self) -> MutexGuard<'_, Vec<Armed>> {
        self.0.armed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Armed {
    /// Counts an opportunity; true when it is this fault's turn.
    fn take_turn(&mut self) -> bool {
        let at = self.seen;
        self.seen += 1;
        let spec = &self.spec;
        at >= spec.after
            && (at - spec.after).is_multiple_of(spec.every)
            && spec.times.is_none_or(|times| self.struck < times)
            && chance(spec.seed, at) < spec.chance
    }
}

/// The same number from 0 to below 1 for the same seed and opportunity (splitmix64).
fn chance(seed: u64, at: u64) -> f64 {
    let mut z = seed.wrapping_add((at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strikes(spec: &str, opportunities: usize) -> String {
        let faults = Faults::default();
        faults.add([spec.parse().unwrap()]);
        (0..opportunities).map(|_| if faults.strike(Fault::NullRoot).is_some() { 'x' } else { '.' }).collect()
    }

    #[test]
    fn counts_choose_when_a_fault_strikes() {
        assert_eq!(strikes("null-root", 4), "xxxx");
        assert_eq!(strikes("null-root:times=2", 4), "xx..");
        assert_eq!(strikes("null-root:after=2", 4), "..xx");
        assert_eq!(strikes("null-root:every=3", 7), "x..x..x");
        assert_eq!(strikes("null-root:after=1:every=2:times=2", 8), ".x.x....");
        assert_eq!(strikes("idle", 3), "...");
    }

    #[test]
    fn chance_is_the_seeds() {
        let some = strikes("null-root:chance=0.5:seed=1", 200);
        assert_eq!(some, strikes("null-root:chance=0.5:seed=1", 200));
        assert_ne!(some, strikes("null-root:chance=0.5:seed=2", 200));
        assert!((60..140).contains(&some.matches('x').count()), "{some}");
        assert_eq!(strikes("null-root:chance=0", 50).matches('x').count(), 0);
    }

    #[test]
    fn only_counts_what_it_names_and_replacing_forgets() {
        let faults = Faults::default();
        faults.add(["hung-shell:only=dump:times=1".parse().unwrap()]);
        assert_eq!(faults.strike_at(Fault::HungShell, "ls"), None);
        assert!(faults.strike_at(Fault::HungShell, "uiautomator dump").is_some());
        assert_eq!(faults.list()[0].1, 1);
        faults.replace([]);
        assert_eq!((faults.list().len(), faults.strike(Fault::HungShell)), (0, None));
    }
}
