//! What is known of an app's languages: its texts by resource, from the file the case names or from the device, and the
//! bridge they make on one device.

use crate::device::{Device, DeviceInfo};
use crate::domain::{Diagnosis, DiagnosisCode, PackageName};
use crate::strings::{Bridge, Locale, StringTable, check_archive};
use lru::LruCache;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Reads the texts of a file that can be installed.
pub type ReadStrings = fn(&[u8]) -> Result<StringTable, String>;

/// A table of more bytes than this is read again for every run: the largest apps' would fill the memory.
const SMALL: usize = 4 << 20;
/// Small tables that are kept, eight: a daemon tests few builds at once, and sees hundreds.
const KEPT: NonZeroUsize = NonZeroUsize::MIN.saturating_add(7);

/// The tables of the files read last; a small one of them is not read again.
pub struct StringTables {
    read: ReadStrings,
    /// Where tables taken off devices are kept; `None` keeps none.
    cache: Option<PathBuf>,
    known: Mutex<LruCache<(usize, u64), Arc<StringTable>>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl StringTables {
    /// Tables read by `read`; those of installed apps are kept below `cache`.
    pub fn new(read: ReadStrings, cache: Option<PathBuf>) -> Self {
        Self { read, cache, known: Mutex::new(LruCache::new(KEPT)) }
    }

    fn of_bytes(&self, bytes: &[u8]) -> Result<Arc<StringTable>, String> {
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let key = (bytes.len(), hasher.finish());
        if let Some(known) = locked(&self.known).get(&key) {
            return Ok(Arc::clone(known));
        }
        let table = Arc::new((self.read)(bytes)?);
        if table.bytes() <= SMALL {
            locked(&self.known).put(key, Arc::clone(&table));
        }
        Ok(table)
    }

    async fn of_file(&self, path: &Path) -> Result<Arc<StringTable>, String> {
        let bytes = tokio::fs::read(path).await.map_err(|error| format!("{}: {error}", path.display()))?;
        let table = check_archive(path, &bytes).map_err(|error| error.to_string()).and_then(|()| self.of_bytes(&bytes));
        table.map_err(|reason| format!("{}: {reason}", path.display()))
    }

    /// Of an app as it is installed; kept by its version, for taking it off a device takes its time.
    async fn of_device(
        &self,
        device: &dyn Device,
        package: &PackageName,
        version: Option<&str>,
    ) -> Result<Arc<StringTable>, String> {
        let kept = self.cache.as_ref().zip(version).map(|(cache, version)| kept_at(cache, package, version));
        if let Some(table) = kept.as_ref().and_then(|path| read_kept(path)) {
            return Ok(Arc::new(table));
        }
        let files = device.app_files(package).await.map_err(|error| error.to_string())?;
        let mut whole = StringTable::default();
        for (at, file) in files.iter().enumerate() {
            let table = self.of_bytes(file)?;
            if at == 0 { whole = (*table).clone() } else { whole.merge(&table) }
        }
        if let Some(path) = kept.filter(|_| !whole.is_empty())
            && let Err(error) = keep(&path, &whole)
        {
            tracing::warn!("the texts of {package} could not be kept: {error}");
        }
        Ok(Arc::new(whole))
    }
}

fn kept_at(cache: &Path, package: &PackageName, version: &str) -> PathBuf {
    let plain = |text: &str| -> String {
        text.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '_' }).collect()
    };
    cache.join(format!("{}@{}.strings.json", plain(package.as_str()), plain(version)))
}

/// A kept table; one that cannot be read is taken off the device again.
fn read_kept(path: &Path) -> Option<StringTable> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

fn keep(path: &Path, table: &StringTable) -> std::io::Result<()> {
    use std::io::Write;
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(&serde_json::to_vec(table)?)?;
    file.as_file().sync_all()?;
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// What is known of the language that one device shows an app in.
#[derive(Default)]
pub struct Language {
    tables: Option<Arc<StringTables>>,
    bridge: Mutex<Option<Arc<Bridge>>>,
    trouble: Mutex<Option<Diagnosis>>,
}

impl Language {
    /// Nothing is known and nothing will be.
    pub fn unknown() -> Self {
        Self::default()
    }

    /// Learns from these tables.
    pub fn of(tables: &Arc<StringTables>) -> Self {
        Self { tables: Some(Arc::clone(tables)), ..Self::default() }
    }

    /// What leads from the display's language to the app's own.
    pub fn bridge(&self) -> Option<Arc<Bridge>> {
        locked(&self.bridge).clone()
    }

    /// What went wrong, told once.
    pub(super) fn take_trouble(&self) -> Option<Diagnosis> {
        locked(&self.trouble).take()
    }

    /// Learns the texts of an app that is installed, from its file where one is known, else from the device. Whatever goes
    /// wrong leaves the model alone to bridge languages, and is told.
    pub(super) async fn learn(
        &self,
        device: &dyn Device,
        info: &DeviceInfo,
        package: &PackageName,
        apk: Option<&Path>,
        version: Option<&str>,
    ) {
        let Some(tables) = &self.tables else { return };
        *locked(&self.bridge) = None;
        let locale = Locale::parse(&info.locale);
        let read = match apk {
            Some(path) => tables.of_file(path).await,
            // English is what texts are bridged to: whatever the app's own language is, nothing would be won.
            None if locale.language() == "en" => return,
            None => tables.of_device(device, package, version).await,
        };
        if let Some(told) = trouble(package, &read) {
            *locked(&self.trouble) = Some(told);
        }
        match read {
            Ok(table) => {
                let bridge = Bridge::new(&table, &locale).map(Arc::new);
                if let Some(bridge) = &bridge {
                    let (from, to, texts) = (bridge.from(), bridge.to(), bridge.len());
                    tracing::debug!("{package} is shown in {from} and read in {to}: {texts} texts are known");
                }
                *locked(&self.bridge) = bridge;
            }
            Err(reason) => tracing::debug!("the texts of {package} were not read: {reason}"),
        }
    }
}

/// What a run says of a table that was not read, or not whole.
fn trouble(package: &PackageName, read: &Result<Arc<StringTable>, String>) -> Option<Diagnosis> {
    let message = match read {
        Ok(table) if table.is_cut() => format!(
            "some texts of {package} in other languages are not known: it has more or longer ones than are read; the model \
             alone bridges those"
        ),
        Ok(_) => return None,
        Err(reason) => {
            format!(
                "the texts of {package} in other languages are not known ({reason}); the model alone bridges languages"
            )
        }
    };
    Some(Diagnosis::new(DiagnosisCode::NoStrings, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<StringTable, String> {
        let text = String::from_utf8(bytes.to_vec()).map_err(|error| error.to_string())?;
        let mut table = StringTable::new(Locale::parse("en"));
        table.add("skip", &Locale::parse("en"), "Skip");
        table.add_form("skip", &Locale::parse("fr"), "one", &text);
        Ok(table)
    }

    #[test]
    fn tables_of_old_builds_are_let_go_and_the_one_in_use_is_kept() {
        let tables = StringTables::new(read, None);
        let in_use = tables.of_bytes(b"Ignorer").unwrap();
        let builds: Vec<_> = (0..100)
            .map(|build| {
                assert!(Arc::ptr_eq(&in_use, &tables.of_bytes(b"Ignorer").unwrap()), "build {build}");
                Arc::downgrade(&tables.of_bytes(format!("Build {build}").as_bytes()).unwrap())
            })
            .collect();
        assert_eq!(builds.iter().filter(|build| build.strong_count() > 0).count(), KEPT.get() - 1);
    }

    #[test]
    fn a_table_that_was_cut_or_not_read_is_told() {
        let package = PackageName::new("com.example.a");
        let mut table = StringTable::new(Locale::parse("en"));
        table.add("skip", &Locale::parse("fr"), "Ignorer");
        assert_eq!(trouble(&package, &Ok(Arc::new(table.clone()))), None);
        table.add("licence", &Locale::parse("fr"), &"x".repeat(1 << 20));
        let cut = trouble(&package, &Ok(Arc::new(table))).unwrap();
        assert!(cut.code == DiagnosisCode::NoStrings && cut.message.contains("some texts of com.example.a"), "{cut}");
        let unread = trouble(&package, &Err("it is no APK".to_owned())).unwrap();
        assert!(unread.message.contains("it is no APK"), "{unread}");
    }

    #[tokio::test]
    async fn a_file_that_is_called_an_app_and_is_no_zip_is_said_to_be_none() {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("page.html.apk");
        std::fs::write(&page, "<html>404</html>").unwrap();
        let refused = StringTables::new(read, None).of_file(&page).await.unwrap_err();
        assert!(refused.contains("page.html.apk: it is no app") && refused.contains("zip archive"), "{refused}");
    }

    #[test]
    fn a_table_is_read_once_and_kept_by_package_and_version() {
        let tables = StringTables::new(read, None);
        let first = tables.of_bytes(b"Ignorer").unwrap();
        assert!(Arc::ptr_eq(&first, &tables.of_bytes(b"Ignorer").unwrap()));
        assert!(!Arc::ptr_eq(&first, &tables.of_bytes(b"Passer").unwrap()));
        let folder = tempfile::tempdir().unwrap();
        let path = kept_at(folder.path(), &PackageName::new("com.example.a"), "../1.0 \u{e9}");
        assert_eq!(path.parent(), Some(folder.path()), "a version names no other folder");
        assert!(read_kept(&path).is_none());
        keep(&path, &first).unwrap();
        let kept = read_kept(&path).unwrap();
        assert!(kept.rows().eq(first.rows()) && kept.own() == first.own());
        std::fs::write(&path, "{").unwrap();
        assert!(read_kept(&path).is_none());
    }
}
