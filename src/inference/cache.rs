//! What a model made of texts, by text: on screens most texts repeat, so the cache decides how long a decision takes.

use super::{EmbedError, Embedder, Embedding};
use lru::LruCache;
use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What was made of the most recently used texts.
#[derive(Debug)]
pub(super) struct TextCache<V> {
    kept: Mutex<LruCache<Box<str>, V>>,
    hits: AtomicU64,
    misses: AtomicU64,
}

/// How often the model was spared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheCounts {
    /// Texts answered without the model: kept ones, and repetitions inside one request.
    pub hits: u64,
    /// Distinct texts the model was asked for.
    pub misses: u64,
}

impl<V: Clone> TextCache<V> {
    /// Keeps `capacity` (at least 1) texts.
    pub(super) fn new(capacity: usize) -> Self {
        let capacity = NonZeroUsize::new(capacity).unwrap_or(NonZeroUsize::MIN);
        Self { kept: Mutex::new(LruCache::new(capacity)), hits: AtomicU64::new(0), misses: AtomicU64::new(0) }
    }

    fn kept(&self) -> MutexGuard<'_, LruCache<Box<str>, V>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is made of texts, in order; `make` is asked for those that are not kept, each once.
    ///
    /// # Errors
    /// When `make` fails or gives fewer than it was asked for; nothing is kept then.
    pub(super) fn of(
        &self,
        texts: &[&str],
        make: impl FnOnce(&[&str]) -> Result<Vec<V>, EmbedError>,
    ) -> Result<Vec<V>, EmbedError> {
        // A request may be larger than the cache, so its own are held apart from it.
        let mut found: HashMap<&str, V> = HashMap::with_capacity(texts.len());
        let mut missing: Vec<&str> = Vec::new();
        {
            let mut seen: HashSet<&str> = HashSet::with_capacity(texts.len());
            let mut kept = self.kept();
            for &text in texts.iter().filter(|text| seen.insert(text)) {
                match kept.get(text) {
                    Some(known) => drop(found.insert(text, known.clone())),
                    None => missing.push(text),
                }
            }
        }
        // The lock is not held while the model runs: known texts are answered meanwhile.
        if !missing.is_empty() {
            let made = make(&missing)?;
            let mut kept = self.kept();
            for (text, new) in missing.iter().zip(made) {
                kept.put((*text).into(), new.clone());
                found.insert(text, new);
            }
        }
        self.misses.fetch_add(missing.len() as u64, Ordering::Relaxed);
        self.hits.fetch_add((texts.len() - missing.len()) as u64, Ordering::Relaxed);
        texts
            .iter()
            .map(|text| found.get(text).cloned().ok_or_else(|| EmbedError("it gave too few vectors".to_owned())))
            .collect()
    }

    /// Forgets everything kept.
    pub(super) fn forget(&self) {
        self.kept().clear();
    }
}

/// An [`Embedder`] that asks another one only for texts it has not seen lately.
#[derive(Debug)]
pub struct CachedEmbedder<E> {
    inner: E,
    vectors: TextCache<Embedding>,
}

impl<E: Embedder> CachedEmbedder<E> {
    /// Keeps the vectors of the `capacity` (at least 1) most recently used texts.
    pub fn new(inner: E, capacity: usize) -> Self {
        Self { inner, vectors: TextCache::new(capacity) }
    }

    /// Counts since the start.
    pub fn counts(&self) -> CacheCounts {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        CacheCounts { hits: count(&self.vectors.hits), misses: count(&self.vectors.misses) }
    }
}

impl<E: Embedder> Embedder for CachedEmbedder<E> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, EmbedError> {
        self.vectors.of(texts, |missing| self.inner.embed(missing))
    }

    fn model_calls(&self) -> u64 {
        self.inner.model_calls()
    }

    fn forget(&self) {
        self.vectors.forget();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a text's length as its vector, remembers what it was asked, refuses "bad".
    #[derive(Default)]
    struct FakeEmbedder {
        asked: Mutex<Vec<Vec<String>>>,
    }

    impl Embedder for FakeEmbedder {
        fn name(&self) -> &str {
            "lengths"
        }

        fn dimensions(&self) -> usize {
            1
        }

        fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, EmbedError> {
            if texts.contains(&"bad") {
                return Err(EmbedError("bad text".to_owned()));
            }
            self.asked.lock().unwrap().push(texts.iter().map(|text| (*text).to_owned()).collect());
            Ok(texts.iter().map(|text| Embedding::from([text.len() as f32])).collect())
        }

        fn model_calls(&self) -> u64 {
            self.asked.lock().unwrap().len() as u64
        }
    }

    fn cached(capacity: usize) -> CachedEmbedder<FakeEmbedder> {
        CachedEmbedder::new(FakeEmbedder::default(), capacity)
    }

    fn lengths(embedder: &impl Embedder, texts: &[&str]) -> Vec<f32> {
        embedder.embed(texts).unwrap().iter().map(|vector| vector[0]).collect()
    }

    #[test]
    fn a_text_is_asked_for_once_even_inside_one_request() {
        let embedder = cached(8);
        assert_eq!(lengths(&embedder, &["pay", "cancel", "pay"]), [3.0, 6.0, 3.0]);
        assert_eq!(lengths(&embedder, &["cancel", "ok"]), [6.0, 2.0]);
        assert_eq!(*embedder.inner.asked.lock().unwrap(), [vec!["pay", "cancel"], vec!["ok"]]);
        assert_eq!(embedder.counts(), CacheCounts { hits: 2, misses: 3 });
        assert_eq!(embedder.model_calls(), 2);
    }

    #[test]
    fn the_least_recently_used_text_is_forgotten() {
        let embedder = cached(2);
        lengths(&embedder, &["a", "b"]);
        lengths(&embedder, &["a"]);
        lengths(&embedder, &["c"]);
        lengths(&embedder, &["a"]);
        assert_eq!(embedder.counts().misses, 3);
        lengths(&embedder, &["b"]);
        assert_eq!(embedder.counts().misses, 4);
    }

    #[test]
    fn a_request_larger_than_the_cache_is_answered_in_full() {
        assert_eq!(lengths(&cached(1), &["a", "bb", "ccc", "bb"]), [1.0, 2.0, 3.0, 2.0]);
    }

    #[test]
    fn what_was_forgotten_is_asked_for_again() {
        let embedder = cached(8);
        lengths(&embedder, &["a", "b"]);
        embedder.forget();
        lengths(&embedder, &["a"]);
        assert_eq!(embedder.counts().misses, 3);
    }

    #[test]
    fn a_failure_is_passed_on_and_not_cached() {
        let embedder = cached(8);
        assert!(embedder.embed(&["ok", "bad"]).is_err());
        assert_eq!(embedder.counts(), CacheCounts { hits: 0, misses: 0 });
        assert_eq!(lengths(&embedder, &["ok"]), [2.0]);
    }
}
