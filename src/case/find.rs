//! Finding cases by id, file or tag under given folders.

use super::files::{Stamp, case_files};
use super::similar::nearest;
use super::{Case, CaseError};
use crate::domain::CaseId;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// What a caller asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// The case with this id.
    Id(CaseId),
    /// The case in this file.
    File(PathBuf),
    /// All cases with this tag.
    Tag(String),
}

impl Selection {
    /// Reads a command-line argument: a path when it ends like a YAML file or holds a separator, otherwise an id.
    pub fn parse(argument: &str) -> Result<Self, FindError> {
        let yaml = |ending: &std::ffi::OsStr| ending.eq_ignore_ascii_case("yaml") || ending.eq_ignore_ascii_case("yml");
        if Path::new(argument).extension().is_some_and(yaml) || argument.contains(['/', '\\']) {
            return Ok(Self::File(PathBuf::from(argument)));
        }
        Ok(Self::Id(CaseId::new(argument)?))
    }
}

/// Why cases could not be selected. All of them are the caller's or the files' fault: exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// The id itself is malformed.
    #[error(transparent)]
    Id(#[from] crate::domain::InvalidCaseId),
    /// No case has the id.
    #[error("no case has the id {id}; {hint}")]
    Unknown {
        /// The id.
        id: CaseId,
        /// The nearest ids, or where was looked.
        hint: String,
    },
    /// Two files have the same id.
    #[error("the id {id} is used by two files: {first} and {second}. Give one of them another id")]
    Duplicate {
        /// The id.
        id: CaseId,
        /// One file.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// The file asked for, or one that could be it, is malformed.
    #[error("{0}")]
    Case(#[source] Arc<CaseError>),
    /// A folder could not be searched.
    #[error("cannot search {path} for cases: {source}. Give an existing folder", path = path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// A case file that was found.
#[derive(Debug, Clone)]
pub struct IndexedCase {
    /// The file.
    pub path: PathBuf,
    /// The case, or why there is none.
    pub case: Result<Case, Arc<CaseError>>,
    /// What a malformed file claims to be, as far as it can be told from its text.
    claim: Claim,
    /// The file as it was just before it was read, and when that was.
    stamp: Stamp,
    read_at: SystemTime,
}

/// What the text of a malformed file tells.
#[derive(Debug, Clone, Default)]
struct Claim {
    id: Option<String>,
    text: String,
}

/// The cases under some folders.
#[derive(Debug, Clone, Default)]
pub struct CaseIndex {
    roots: Vec<PathBuf>,
    absent: Vec<PathBuf>,
    cases: Vec<IndexedCase>,
    /// Where in `cases` the files of an id are.
    by_id: HashMap<String, Vec<usize>>,
    /// When it was last compared with the folders.
    renewed_at: Option<Instant>,
}

/// A file that was changed so shortly before it was read may be changed again without another time of change.
const TICK: Duration = Duration::from_secs(2);

impl CaseIndex {
    /// Reads every `*.case.yaml` and `*.case.yml` under `roots` (folders or single files), in path order. Hidden
    /// folders, `target` and `node_modules` are skipped, and each file counts once. A malformed file is kept with its
    /// error and hides no other.
    pub fn scan(roots: &[PathBuf]) -> Result<Self, FindError> {
        let mut index = Self::default();
        index.renew(roots)?;
        Ok(index)
    }

    /// This index, knowing folders where cases were to be and which do not exist; whoever looks for a case in vain is told.
    #[must_use]
    pub fn without(self, absent: Vec<PathBuf>) -> Self {
        Self { absent, ..self }
    }

    /// Brings the index up to date as [`CaseIndex::scan`] would make it, and reads only what was changed since.
    pub fn renew(&mut self, roots: &[PathBuf]) -> Result<(), FindError> {
        let files = case_files(roots)?;
        self.renew_with(roots, files);
        Ok(())
    }

    /// The same with the files that were found.
    pub(super) fn renew_with(&mut self, roots: &[PathBuf], files: BTreeMap<PathBuf, Stamp>) {
        let mut known: HashMap<PathBuf, IndexedCase> =
            self.cases.drain(..).map(|entry| (entry.path.clone(), entry)).collect();
        // Two roots may name the same folder in different ways.
        let mut seen = HashSet::new();
        for (path, stamp) in files {
            if seen.insert(stamp.identity()) {
                let same = known.remove(&path).filter(|entry| entry.is_as_read(&stamp));
                self.cases.push(same.unwrap_or_else(|| IndexedCase::read(path, stamp)));
            }
        }
        self.by_id.clear();
        for (at, entry) in self.cases.iter().enumerate() {
            if let Some(id) = entry.id() {
                self.by_id.entry(id.to_owned()).or_default().push(at);
            }
        }
        roots.clone_into(&mut self.roots);
        self.renewed_at = Some(Instant::now());
    }

    /// True as long as it was never compared with any folders.
    pub(super) const fn is_new(&self) -> bool {
        self.renewed_at.is_none()
    }

    /// True where it was compared with its folders so short a while ago.
    pub(super) fn was_renewed_within(&self, time: Duration) -> bool {
        self.renewed_at.is_some_and(|at| at.elapsed() < time)
    }

    /// The case with this id where a look at its own file is enough: no other is known by the id, and the file is as it was
    /// read.
    pub(super) fn look_up(&self, id: &CaseId) -> Option<&Case> {
        let [only] = self.by_id.get(id.as_str())?.as_slice() else { return None };
        let entry = self.cases.get(*only)?;
        let stamp = Stamp::read(&entry.path)?;
        entry.case.as_ref().ok().filter(|_| entry.is_as_read(&stamp))
    }

    /// All files found, in path order.
    pub fn entries(&self) -> &[IndexedCase] {
        &self.cases
    }

    /// The well-formed cases, in path order.
    pub fn cases(&self) -> impl Iterator<Item = &Case> {
        self.cases.iter().filter_map(|entry| entry.case.as_ref().ok())
    }

    /// What is wrong with the malformed files, for a warning.
    pub fn malformed(&self) -> impl Iterator<Item = &Arc<CaseError>> {
        self.cases.iter().filter_map(|entry| entry.case.as_ref().err())
    }

    /// The case with this id. A malformed file matters only when it could be the one asked for.
    pub fn find(&self, id: &CaseId) -> Result<&Case, FindError> {
        let known = self.by_id.get(id.as_str()).map(Vec::as_slice).unwrap_or_default();
        let mut holders = known.iter().filter_map(|at| self.cases.get(*at));
        match (holders.next(), holders.next()) {
            (Some(first), Some(second)) => {
                Err(FindError::Duplicate { id: id.clone(), first: first.path.clone(), second: second.path.clone() })
            }
            (Some(only), None) => only.case.as_ref().map_err(|error| FindError::Case(Arc::clone(error))),
            (None, _) => Err(self.unknown(id)),
        }
    }

    fn unknown(&self, id: &CaseId) -> FindError {
        if let Some(error) = self.cases.iter().find_map(|entry| entry.could_be(id)) {
            return FindError::Case(error);
        }
        let near = nearest(id.as_str(), self.cases.iter().filter_map(IndexedCase::id));
        let hint = if near.is_empty() { self.looked() } else { format!("did you mean {}?", near.join(" or ")) };
        FindError::Unknown { id: id.clone(), hint }
    }

    /// Where was looked, and what to do where there was nowhere to look.
    fn looked(&self) -> String {
        let listed = |folders: &[PathBuf]| {
            folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ")
        };
        let absent = match self.absent.len() {
            0 => String::new(),
            1 => format!("{} does not exist", listed(&self.absent)),
            _ => format!("{} do not exist", listed(&self.absent)),
        };
        let remedy = "make it, or name the folder of your cases as `cases` under [folders] of tapwright.toml";
        let found = match self.cases.len() {
            1 => "1 case file was found".to_owned(),
            several => format!("{several} case files were found"),
        };
        match (self.roots.is_empty(), absent.is_empty()) {
            (true, false) => format!("{absent}: {remedy}"),
            (true, true) => format!("there is no folder of cases: {remedy}"),
            (false, true) => format!("{found} under {}", listed(&self.roots)),
            (false, false) => format!("{found} under {}; {absent}", listed(&self.roots)),
        }
    }

    /// The cases with this tag, in path order; none is no error here. A malformed file that mentions the tag is.
    pub fn tagged(&self, tag: &str) -> Result<Vec<&Case>, FindError> {
        let mut found = Vec::new();
        for entry in &self.cases {
            match &entry.case {
                Ok(case) if case.tags.iter().any(|own| own == tag) => {
                    self.find(&case.id)?;
                    found.push(case);
                }
                Err(error) if entry.claim.mentions(tag) => return Err(FindError::Case(Arc::clone(error))),
                Ok(_) | Err(_) => {}
            }
        }
        Ok(found)
    }

    /// All that is asked for, in the order asked, each case once. Empty when only tags were given and none matched.
    pub fn select(&self, selections: &[Selection]) -> Result<Vec<Case>, FindError> {
        let mut chosen: Vec<Case> = Vec::new();
        for selection in selections {
            let cases = match selection {
                Selection::Id(id) => vec![self.find(id)?.clone()],
                Selection::File(path) => vec![Case::load(path).map_err(|error| FindError::Case(Arc::new(error)))?],
                Selection::Tag(tag) => self.tagged(tag)?.into_iter().cloned().collect(),
            };
            for case in cases {
                if !chosen.iter().any(|other| other.id == case.id) {
                    chosen.push(case);
                }
            }
        }
        Ok(chosen)
    }
}

impl IndexedCase {
    fn read(path: PathBuf, stamp: Stamp) -> Self {
        let read_at = SystemTime::now();
        let (case, claim) = match super::file::read(&path) {
            Err(error) => (Err(error), Claim::default()),
            Ok(source) => {
                let case = Case::parse(&path, &source);
                let claim = if case.is_err() { Claim::read(source) } else { Claim::default() };
                (case, claim)
            }
        };
        Self { path, case: case.map_err(Arc::new), claim, stamp, read_at }
    }

    /// The file is still as it was read.
    fn is_as_read(&self, stamp: &Stamp) -> bool {
        let settled = self.read_at.duration_since(stamp.changed()).is_ok_and(|age| age >= TICK);
        settled && self.stamp == *stamp
    }

    /// Its id, also of a malformed file where the text tells it.
    pub fn id(&self) -> Option<&str> {
        match &self.case {
            Ok(case) => Some(case.id.as_str()),
            Err(_) => self.claim.id.as_deref(),
        }
    }

    /// The error of a malformed file without a readable id whose name begins like the id asked for.
    fn could_be(&self, id: &CaseId) -> Option<Arc<CaseError>> {
        let error = self.case.as_ref().err()?;
        let name = self.path.file_name()?.to_string_lossy().to_lowercase();
        (self.claim.id.is_none() && name.starts_with(&id.as_str().to_lowercase())).then(|| Arc::clone(error))
    }
}

impl Claim {
    fn read(text: String) -> Self {
        let id = text.lines().find_map(|line| {
            let value = line.strip_prefix("id:")?.split('#').next()?;
            Some(value.trim().trim_matches(['"', '\'']).to_owned())
        });
        Self { id: id.filter(|id| !id.is_empty()), text }
    }

    fn mentions(&self, tag: &str) -> bool {
        let edge = |c: char| !(c.is_alphanumeric() || c == '-' || c == '_');
        self.text.split(edge).any(|word| word == tag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace(files: &[(&str, &str)]) -> (tempfile::TempDir, Vec<PathBuf>) {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let roots = vec![folder.path().to_owned()];
        (folder, roots)
    }

    fn case(id: &str, tag: &str) -> String {
        format!("id: {id}\ntitle: t\napp: {{package: a.b}}\ntags: [{tag}]\nsteps: [Tap Help]\n")
    }

    fn id(text: &str) -> CaseId {
        CaseId::new(text).unwrap()
    }

    #[test]
    fn cases_are_found_in_folders_but_not_in_hidden_or_built_ones() {
        let (_folder, roots) = workspace(&[
            ("a/one.case.yaml", &case("A-1", "x")),
            ("a/b/two.case.yml", &case("A-2", "y")),
            (".git/three.case.yaml", &case("A-3", "x")),
            ("target/four.case.yaml", &case("A-4", "x")),
            ("node_modules/m/five.case.yaml", &case("A-5", "x")),
            ("a/notes.yaml", "hello"),
        ]);
        let both = vec![roots[0].clone(), roots[0].join("a")];
        let index = CaseIndex::scan(&both).unwrap();
        let ids: Vec<_> = index.cases().map(|c| c.id.as_str()).collect();
        assert_eq!(ids, ["A-2", "A-1"]);
        assert_eq!(index.find(&id("A-2")).unwrap().tags, ["y"]);
    }

    #[test]
    fn an_unknown_id_names_the_nearest_and_a_duplicate_both_files() {
        let (_folder, roots) = workspace(&[
            ("1.case.yaml", &case("PAY-0001", "x")),
            ("2.case.yaml", &case("PAY-0002", "x")),
            ("copy.case.yaml", &case("PAY-0002", "x")),
        ]);
        let index = CaseIndex::scan(&roots).unwrap();
        let text = index.find(&id("PAY-001")).unwrap_err().to_string();
        assert!(text.contains("did you mean PAY-0001"), "{text}");
        let text = index.find(&id("PAY-0002")).unwrap_err().to_string();
        assert!(text.contains("2.case.yaml") && text.contains("copy.case.yaml"), "{text}");
        assert!(matches!(index.tagged("x"), Err(FindError::Duplicate { .. })));
        let text = index.find(&id("zzzzzzzzzzzz")).unwrap_err().to_string();
        assert!(text.contains("3 case files were found under"), "{text}");
    }

    #[test]
    fn a_folder_of_cases_that_does_not_exist_is_named_with_what_to_do() {
        let check = |roots: &[PathBuf], absent: &[&str], expected: &str| {
            let absent = absent.iter().map(PathBuf::from).collect();
            let index = CaseIndex::scan(roots).unwrap().without(absent);
            let told = index.find(&id("A-1")).unwrap_err().to_string();
            assert!(told.contains(expected), "{told}");
        };
        let (_folder, roots) = workspace(&[("notes.txt", "")]);
        check(&[], &["cases"], "no case has the id A-1; cases does not exist: make it, or name the folder");
        check(&[], &["a", "b"], "a, b do not exist: make it");
        check(&[], &[], "there is no folder of cases");
        check(&roots, &["cases"], "; cases does not exist");
        check(&roots, &[], "0 case files were found under /");
    }

    #[test]
    fn a_malformed_file_hides_no_other_and_is_fatal_only_when_it_could_be_meant() {
        let (_folder, roots) = workspace(&[
            ("good.case.yaml", &case("A-1", "smoke")),
            ("bad.case.yaml", "id: B-1\ntitle: [\n"),
            ("C-1.case.yaml", "tags: [nightly]\n\tnope"),
        ]);
        let index = CaseIndex::scan(&roots).unwrap();
        assert!(index.find(&id("A-1")).is_ok());
        assert_eq!(index.malformed().count(), 2);
        let text = index.find(&id("B-1")).unwrap_err().to_string();
        assert!(text.contains("bad.case.yaml:"), "{text}");
        assert!(matches!(index.find(&id("C-1")), Err(FindError::Case(_))));
        assert!(matches!(index.find(&id("D-1")), Err(FindError::Unknown { .. })));
        assert_eq!(index.tagged("smoke").unwrap().len(), 1);
        assert!(matches!(index.tagged("nightly"), Err(FindError::Case(_))));
        assert!(index.tagged("absent").unwrap().is_empty());
    }

    #[test]
    fn an_index_is_renewed_by_what_was_changed() {
        let (folder, roots) = workspace(&[("1.case.yaml", &case("A-1", "x")), ("2.case.yaml", &case("A-2", "x"))]);
        let long_ago = SystemTime::now() - Duration::from_secs(60);
        let age = |name: &str| {
            std::fs::File::options()
                .write(true)
                .open(folder.path().join(name))
                .unwrap()
                .set_modified(long_ago)
                .unwrap();
        };
        ["1.case.yaml", "2.case.yaml"].into_iter().for_each(age);
        let mut index = CaseIndex::scan(&roots).unwrap();
        let told = |index: &CaseIndex| index.cases().map(|c| format!("{} {:?}", c.id, c.tags)).collect::<Vec<_>>();
        // Same time, same length: only the text tells, and it is not read again.
        std::fs::write(folder.path().join("1.case.yaml"), case("A-9", "x")).unwrap();
        age("1.case.yaml");
        index.renew(&roots).unwrap();
        assert_eq!(told(&index), ["A-1 [\"x\"]", "A-2 [\"x\"]"]);
        std::fs::write(folder.path().join("1.case.yaml"), case("A-1", "y")).unwrap();
        std::fs::remove_file(folder.path().join("2.case.yaml")).unwrap();
        std::fs::write(folder.path().join("3.case.yaml"), case("A-3", "z")).unwrap();
        index.renew(&roots).unwrap();
        assert_eq!(told(&index), ["A-1 [\"y\"]", "A-3 [\"z\"]"]);
        // Just written: it is read again, whatever its time says.
        std::fs::write(folder.path().join("3.case.yaml"), case("A-3", "w")).unwrap();
        index.renew(&roots).unwrap();
        assert_eq!(told(&index), ["A-1 [\"y\"]", "A-3 [\"w\"]"]);
        // A folder that is gone leaves the index as it was.
        assert!(index.renew(&[folder.path().join("none")]).is_err());
        assert_eq!(told(&index).len(), 2);
    }

    #[test]
    fn a_selection_keeps_its_order_and_takes_each_case_once() {
        let (folder, roots) = workspace(&[("1.case.yaml", &case("A-1", "x")), ("2.case.yaml", &case("A-2", "x"))]);
        let index = CaseIndex::scan(&roots).unwrap();
        let file = folder.path().join("2.case.yaml");
        let wanted = [Selection::parse(file.to_str().unwrap()).unwrap(), Selection::Tag("x".into())];
        let ids: Vec<_> = index.select(&wanted).unwrap().iter().map(|c| c.id.to_string()).collect();
        assert_eq!(ids, ["A-2", "A-1"]);
        assert_eq!(Selection::parse("A-1").unwrap(), Selection::Id(id("A-1")));
        assert!(Selection::parse("a b").is_err());
        assert!(CaseIndex::scan(&[folder.path().join("none")]).is_err());
    }
}
