//! An index of cases that many ask at once, kept up to date without anybody's waiting for it.

use super::files::case_files;
use super::{Case, CaseIndex, FindError};
use crate::domain::CaseId;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// An index that was compared with its folders longer ago is compared anew, aside.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// The cases below some folders, which may change at any time.
#[derive(Debug, Default)]
pub struct LiveIndex {
    index: Mutex<CaseIndex>,
    /// Somebody compares it with the folders now.
    looking: AtomicBool,
}

impl LiveIndex {
    /// An index that goes on from this one.
    pub fn new(index: CaseIndex) -> Self {
        Self { index: Mutex::new(index), looking: AtomicBool::new(false) }
    }

    /// The case with this id as it is in its file now. Of a case that is known only its own file is looked at; that its id
    /// came into a second file is noticed within seconds.
    ///
    /// # Errors
    /// As [`CaseIndex::find`], after all folders were looked through.
    pub fn find(self: &Arc<Self>, roots: &[PathBuf], id: &CaseId) -> Result<Case, FindError> {
        let known = self.index().look_up(id).cloned();
        if let Some(case) = known {
            self.look_aside(roots);
            return Ok(case);
        }
        self.renewed(roots)?.find(id).cloned()
    }

    /// The index as the folders are now; only files that were changed are read.
    ///
    /// # Errors
    /// A folder cannot be searched.
    pub fn renewed(&self, roots: &[PathBuf]) -> Result<MutexGuard<'_, CaseIndex>, FindError> {
        let mut index = self.index();
        index.renew(roots)?;
        Ok(index)
    }

    /// The index as the folders were some seconds ago, or are now where nobody looked yet.
    ///
    /// # Errors
    /// A folder cannot be searched.
    pub fn recent(self: &Arc<Self>, roots: &[PathBuf]) -> Result<MutexGuard<'_, CaseIndex>, FindError> {
        if self.index().is_new() {
            return self.renewed(roots);
        }
        self.look_aside(roots);
        Ok(self.index())
    }

    /// Compares the index with its folders on a thread of its own, where that is due.
    fn look_aside(self: &Arc<Self>, roots: &[PathBuf]) {
        if self.index().was_renewed_within(LOOK_AGAIN) || self.looking.swap(true, Ordering::AcqRel) {
            return;
        }
        let (own, roots) = (Arc::clone(self), roots.to_vec());
        let looked = std::thread::Builder::new().name("cases".into()).spawn(move || own.look(&roots));
        if let Err(error) = looked {
            tracing::warn!(%error, "whether cases were changed is not known for now");
            self.looking.store(false, Ordering::Release);
        }
    }

    fn look(&self, roots: &[PathBuf]) {
        let present: Vec<PathBuf> = roots.iter().filter(|root| Path::exists(root)).cloned().collect();
        // Nobody who asks waits for the walk through the folders.
        match case_files(&present) {
            Ok(files) => self.index().renew_with(&present, files),
            Err(error) => tracing::warn!(%error, "whether cases were changed is not known for now"),
        }
        self.looking.store(false, Ordering::Release);
    }

    fn index(&self) -> MutexGuard<'_, CaseIndex> {
        // An index is whole after any panic: what it lost is read again.
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    fn write(folder: &Path, name: &str, id: &str, title: &str, seconds_ago: u64) {
        let path = folder.join(name);
        let text = format!("id: {id}\ntitle: {title}\napp: {{package: a.b}}\nsteps: [Tap Help]\n");
        std::fs::write(&path, text).unwrap();
        let changed = SystemTime::now() - Duration::from_secs(seconds_ago);
        std::fs::File::options().write(true).open(&path).unwrap().set_modified(changed).unwrap();
    }

    #[test]
    fn a_known_case_is_found_by_its_own_file_alone_and_as_it_is_now() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "1.case.yaml", "A-1", "One", 60);
        let roots = [folder.path().to_owned()];
        let index = Arc::new(LiveIndex::default());
        let [one, two] = ["A-1", "A-2"].map(|id| CaseId::new(id).unwrap());
        let title = |id: &CaseId| index.find(&roots, id).map(|case| case.title).map_err(|error| error.to_string());
        assert_eq!(title(&one).unwrap(), "One");
        // A root that cannot be searched costs a known case nothing.
        let gone = [folder.path().join("gone")];
        assert_eq!(index.find(&gone, &one).unwrap().title, "One");
        assert!(matches!(index.find(&gone, &two).unwrap_err(), FindError::Folder { .. }));
        write(folder.path(), "1.case.yaml", "A-1", "One more", 50);
        assert_eq!(title(&one).unwrap(), "One more");
        write(folder.path(), "2.case.yaml", "A-2", "Two", 60);
        assert_eq!(title(&two).unwrap(), "Two", "an unknown id is looked for in all folders");
        std::fs::remove_file(folder.path().join("1.case.yaml")).unwrap();
        assert!(title(&one).unwrap_err().contains("no case has the id A-1"));
        write(folder.path(), "2.case.yaml", "A-3", "Two", 40);
        assert!(title(&two).unwrap_err().contains("no case has the id A-2"));
    }

    #[test]
    fn what_was_added_is_noticed_aside() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "1.case.yaml", "A-1", "One", 60);
        let roots = [folder.path().to_owned()];
        let index = Arc::new(LiveIndex::default());
        assert_eq!(index.recent(&roots).unwrap().cases().count(), 1);
        write(folder.path(), "2.case.yaml", "A-1", "Its twin", 60);
        index.look(&roots);
        assert_eq!(index.recent(&roots).unwrap().cases().count(), 2);
        let twice = index.find(&roots, &CaseId::new("A-1").unwrap()).unwrap_err();
        assert!(matches!(twice, FindError::Duplicate { .. }), "{twice}");
    }
}
