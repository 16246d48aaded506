//! Tables compiled into the program: word lists, weights, patterns.

use serde::de::DeserializeOwned;
use std::error::Error;
use std::sync::OnceLock;

/// Why a text is no table.
type Reason = Box<dyn Error + Send + Sync>;

/// A bundled table that cannot be read.
///
/// The message names the file, and the line where the reader knows it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the bundled table {file} is broken: {reason}")]
pub struct TableError {
    file: &'static str,
    reason: String,
}

/// A table compiled into the program, read when it is first asked for.
///
/// A program calls [`verify`](Self::verify) of all its tables at its start and ends there with the error. After that
/// [`get`](Self::get) always has the content.
pub struct BundledTable<T> {
    file: &'static str,
    text: &'static str,
    read: fn(&str) -> Result<T, Reason>,
    content: OnceLock<(T, Option<TableError>)>,
}

impl<T: DeserializeOwned> BundledTable<T> {
    /// A table in TOML; `file` is its path in the repository.
    pub const fn toml(file: &'static str, text: &'static str) -> Self {
        Self::new(file, text, |text| Ok(toml::from_str(text)?))
    }
}

impl<T> BundledTable<T> {
    /// A table read by `read`; `file` is its path in the repository.
    pub const fn new(file: &'static str, text: &'static str, read: fn(&str) -> Result<T, Reason>) -> Self {
        Self { file, text, read, content: OnceLock::new() }
    }
}

impl<T: Default> BundledTable<T> {
    fn content(&self) -> &(T, Option<TableError>) {
        self.content.get_or_init(|| match (self.read)(self.text) {
            Ok(table) => (table, None),
            Err(reason) => (T::default(), Some(TableError { file: self.file, reason: reason.to_string() })),
        })
    }

    /// The content; an empty table where [`verify`](Self::verify) fails.
    pub fn get(&self) -> &T {
        &self.content().0
    }

    /// Reads the table. Fails with the file's name and what is wrong in it.
    pub fn verify(&self) -> Result<(), TableError> {
        self.content().1.clone().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_table_is_named_with_its_line() {
        let good = BundledTable::<Vec<(String, u32)>>::new("good.toml", "a 1", |text| {
            let (name, number) = text.split_once(' ').ok_or("no space")?;
            Ok(vec![(name.to_owned(), number.parse()?)])
        });
        assert_eq!(good.verify(), Ok(()));
        assert_eq!(good.get(), &[("a".to_owned(), 1)]);

        let broken = BundledTable::<std::collections::BTreeMap<String, u32>>::toml("words.toml", "a = 1\nb = [\n");
        let message = broken.verify().unwrap_err().to_string();
        assert!(message.contains("words.toml") && message.contains("line 2"), "{message}");
        assert!(broken.get().is_empty());
    }
}
