//! How fast somebody may ask: so many requests at once, and so many in the long run.

use governor::clock::{Clock as _, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use std::hash::Hash;
use std::num::NonZeroU32;
use std::time::Duration;

/// Keys beyond which those that ask no more are forgotten.
const MANY: usize = 10_000;

/// A rate each key has for itself.
pub(super) struct Rate<K: Hash + Eq + Clone> {
    limiter: RateLimiter<K, HashMapStateStore<K>, DefaultClock>,
}

impl<K: Hash + Eq + Clone> Rate<K> {
    pub(super) fn new(quota: Quota) -> Self {
        Self { limiter: RateLimiter::hashmap(quota) }
    }

    /// Counts one; where that is too many, after how long there is room again.
    pub(super) fn count(&self, key: &K) -> Result<(), Duration> {
        if self.limiter.len() > MANY {
            self.limiter.retain_recent();
        }
        let now = DefaultClock::default().now();
        self.limiter.check_key(key).map_err(|until| until.wait_time_from(now))
    }
}

/// `often` a second in the long run, `burst` at once.
pub(super) fn per_second(often: NonZeroU32, burst: NonZeroU32) -> Quota {
    Quota::per_second(often).allow_burst(burst)
}

/// `often` a minute, all of them at once.
pub(super) fn per_minute(often: NonZeroU32) -> Quota {
    Quota::per_minute(often)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_too_often_waits_and_others_do_not() {
        let rate = Rate::new(per_minute(NonZeroU32::new(3).unwrap()));
        for _ in 0..3 {
            assert_eq!(rate.count(&"a"), Ok(()));
        }
        let wait = rate.count(&"a").unwrap_err();
        assert!(wait > Duration::from_secs(15) && wait <= Duration::from_secs(20), "{wait:?}");
        assert_eq!(rate.count(&"b"), Ok(()));
    }
}
