//! A workspace: its folders, and what is built from them.

use super::config::{Config, ConfigError, DaemonConfig, Folders, find_workspace};
use super::connector::AdbConnector;
use super::environment::Environment;
use super::reports::FolderReports;
use crate::adb::{AdbError, AdbServer, ConnectionState, ServerAddress};
use crate::app_map::MapStore;
use crate::case::{CaseIndex, FindError, LiveIndex, RewriteRules, Rewriter};
use crate::daemon::EmulatorWish;
use crate::device::{DeviceRules, PickError, Profiles, pick};
use crate::domain::DeviceSerial;
use crate::inference::{self, Embedder, InferenceError, Manifest, PackageIndex};
use crate::pipeline::{Knowledge, PolicyWeights};
use crate::ranking::{Cues, Weights};
use crate::run::{CaseLauncher, InstallWay, Judgement, Places, StringTables};
use crate::skill::Library;
use crate::virtual_device::app_strings;
use crate::vision::{TextModels, TextReader};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::OnceCell;

/// In place of a serial: every device that is ready.
const ALL_DEVICES: &str = "all";

/// Where Tapwright works, and with what settings.
#[derive(Debug, Clone)]
pub struct Workspace {
    root: PathBuf,
    config: Config,
    environment: Environment,
}

/// Why a device could not be chosen.
#[derive(Debug, thiserror::Error)]
pub enum ChoiceError {
    /// The adb server.
    #[error(transparent)]
    Adb(#[from] AdbError),
    /// The devices.
    #[error(transparent)]
    Pick(#[from] PickError),
    /// The environment names an adb server that makes no sense.
    #[error("{0}")]
    Address(String),
}

impl Workspace {
    /// Opens `given`, or the workspace around the current folder.
    pub fn open(given: Option<&Path>, environment: Environment) -> Result<Self, ConfigError> {
        let read = |path: &Path| {
            let path = path.to_owned();
            move |source| ConfigError::Read { path, source }
        };
        let start = match given {
            Some(folder) => std::fs::canonicalize(folder).map_err(read(folder))?,
            None => std::env::current_dir().map_err(read(Path::new(".")))?,
        };
        let root = if given.is_some() { start } else { find_workspace(&start) };
        let config = Config::load(&root)?;
        if let Some(outdated) = config.agent.outdated() {
            tracing::warn!("{outdated}");
        }
        Ok(Self { root, config, environment })
    }

    /// Its folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Its settings.
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// What its `tapwright.toml` itself has.
    ///
    /// # Errors
    /// It cannot be read any more.
    pub fn written_settings(&self) -> Result<toml::Table, ConfigError> {
        Config::written(&self.root)
    }

    /// What the environment says.
    pub const fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Folders with cases that exist.
    pub fn case_roots(&self) -> Vec<PathBuf> {
        self.config.folders.cases.iter().map(|folder| self.root.join(folder)).filter(|folder| folder.exists()).collect()
    }

    /// The cases of this workspace.
    ///
    /// # Errors
    /// A folder could not be searched.
    pub fn case_index(&self) -> Result<CaseIndex, FindError> {
        Ok(CaseIndex::scan(&self.case_roots())?.without(self.absent_case_roots()))
    }

    fn absent_case_roots(&self) -> Vec<PathBuf> {
        let configured = self.config.folders.cases.iter().map(|folder| self.root.join(folder));
        configured.filter(|folder| !folder.exists()).collect()
    }

    /// Folders with cases, as configured.
    pub fn configured_case_roots(&self) -> String {
        let shown: Vec<_> = self.config.folders.cases.iter().map(|folder| folder.display().to_string()).collect();
        shown.join(", ")
    }

    /// Where scripts are kept.
    pub fn scripts(&self) -> PathBuf {
        self.root.join(&self.config.folders.scripts)
    }

    /// Where recordings and reports are kept.
    pub fn runs(&self) -> PathBuf {
        self.root.join(&self.config.folders.runs)
    }

    /// Where maps of apps are kept.
    pub fn maps(&self) -> MapStore {
        MapStore::new(self.root.join(&self.config.folders.maps))
    }

    /// Where models and native libraries are kept: the workspace's folder. A workspace that has none and names none uses
    /// those delivered with the program, else those that this user took over once.
    pub fn models(&self) -> PathBuf {
        let mut places = self.model_places().into_iter();
        let own = places.next().unwrap_or_default();
        if own.exists() || self.config.folders.models != Folders::default().models {
            return own;
        }
        places.find(|models| models.join("manifest.toml").is_file()).unwrap_or(own)
    }

    /// Where models may be, in the order they are looked for: in the workspace; in a `models` or `share/tapwright/models`
    /// folder beside the program or beside a folder it lies in; in the user's own folder.
    fn model_places(&self) -> Vec<PathBuf> {
        let mut places = vec![self.root.join(&self.config.folders.models)];
        let around = self.environment.program.iter().flat_map(|program| program.ancestors().skip(1));
        places.extend(around.flat_map(|folder| [folder.join("models"), folder.join("share/tapwright/models")]));
        places.extend(self.user_models());
        places
    }

    /// The models that this user took over once, whether they are there or not.
    pub fn user_models(&self) -> Option<PathBuf> {
        self.environment.data.as_ref().map(|data| data.join("models"))
    }

    /// The daemon's database.
    pub fn database(&self) -> PathBuf {
        self.root.join(".tapwright").join("tapwright.db")
    }

    /// How the daemon works.
    pub const fn daemon(&self) -> &DaemonConfig {
        &self.config.daemon
    }

    /// The emulators that the daemon is to keep running.
    pub fn emulator_wishes(&self) -> Vec<EmulatorWish> {
        self.config.emulator_wishes()
    }

    /// The skills.
    pub fn skills(&self) -> Result<Library, String> {
        Library::load(&self.root.join(&self.config.folders.skills)).map_err(|error| error.to_string())
    }

    /// The device profiles.
    pub fn profiles(&self) -> Result<Profiles, String> {
        Profiles::load(&self.root.join(&self.config.folders.device_profiles)).map_err(|error| error.to_string())
    }

    /// The model manifest.
    pub fn manifest(&self) -> Result<Manifest, InferenceError> {
        let models = self.models();
        if !models.exists() && self.config.folders.models == Folders::default().models {
            let looked = self.model_places();
            // The folders above the program's are many and told by the first of them.
            let looked = looked.first().into_iter().chain(looked.get(1)).chain(looked.last()).cloned().collect();
            return Err(InferenceError::NoModels { looked });
        }
        let own = self.environment.data.as_ref().map(|data| data.join("runtime"));
        Ok(Manifest::load(&models)?.or_runtime_in(own.as_deref()))
    }

    /// The package index that native libraries are fetched from.
    pub fn package_index(&self) -> Result<PackageIndex, InferenceError> {
        PackageIndex::new(self.environment.package_index.as_deref())
    }

    /// The ONNX Runtime library to load.
    pub fn runtime_library(&self, manifest: &Manifest) -> Result<PathBuf, InferenceError> {
        match &self.environment.onnxruntime {
            Some(own) => Ok(own.clone()),
            None => manifest.runtime_library(),
        }
    }

    /// The embedding model, behind its cache.
    pub fn embedder(&self) -> Result<Arc<dyn Embedder>, InferenceError> {
        self.embedder_named(self.chosen_model()?.as_deref())
    }

    /// The embedding model of that name, behind its cache; the manifest's first one without a name.
    pub fn embedder_named(&self, name: Option<&str>) -> Result<Arc<dyn Embedder>, InferenceError> {
        let manifest = self.manifest()?;
        let library = self.runtime_library(&manifest)?;
        inference::open_with_library(&manifest, name, &library, self.config.model.threads)
    }

    /// The name of the embedding model in use.
    pub fn model_name(&self) -> Result<String, InferenceError> {
        Ok(self.manifest()?.embedding_model(self.chosen_model()?.as_deref())?.name.clone())
    }

    /// The name that the settings choose, by itself or by a tier; `None` for the manifest's first model.
    fn chosen_model(&self) -> Result<Option<String>, InferenceError> {
        match (&self.config.model.name, self.config.model.tier) {
            (Some(name), _) => Ok(Some(name.clone())),
            (None, Some(tier)) => Ok(Some(self.manifest()?.model_of(tier)?.name.clone())),
            (None, None) => Ok(None),
        }
    }

    /// Reads the texts of pictures; its models are opened when the first text is to be read.
    pub fn reader(&self) -> TextReader {
        let workspace = self.clone();
        TextReader::lazy(move || workspace.text_models().map_err(|error| error.to_string()))
    }

    fn text_models(&self) -> Result<TextModels, InferenceError> {
        let manifest = self.manifest()?;
        let library = self.runtime_library(&manifest)?;
        inference::open_text_models(&manifest, &library, self.config.model.threads)
    }

    /// The address of the adb server.
    pub fn server_address(&self) -> Result<ServerAddress, String> {
        let Environment { adb_socket, adb_host, adb_port, .. } = &self.environment;
        ServerAddress::from_settings(adb_socket.as_deref(), adb_host.as_deref(), adb_port.as_deref())
            .map_err(|error| error.to_string())
    }

    /// An adb binary: the user's choice, the one on the path, or the one `tapwright models install` fetched.
    pub fn adb_binary(&self) -> Option<PathBuf> {
        let Environment { adb, .. } = &self.environment;
        adb.clone()
            .or_else(|| self.environment.find("adb"))
            .or_else(|| self.manifest().ok().and_then(|manifest| manifest.adb_binary()))
    }

    /// The adb server, started where it was not running.
    pub async fn server(&self) -> Result<AdbServer, ChoiceError> {
        let server = AdbServer::new(self.server_address().map_err(ChoiceError::Address)?);
        server.start(self.adb_binary().as_deref()).await?;
        Ok(server)
    }

    /// The device meant: `given`, else `ANDROID_SERIAL`, else the only one.
    pub async fn choose_device(&self, given: Option<&str>) -> Result<DeviceSerial, ChoiceError> {
        let wanted = given.or(self.environment.serial.as_deref()).map(DeviceSerial::from);
        let mut rows = self.server().await?.devices().await?;
        let rules = self.device_rules("");
        // One that is named and not allowed is told when it is to be held.
        rows.retain(|row| rules.allows(&row.serial) || wanted.as_ref() == Some(&row.serial));
        Ok(pick(&rows, wanted.as_ref())?)
    }

    /// The devices meant: those given, with `all` every one that is ready; without any `ANDROID_SERIAL`, else the only one.
    pub async fn choose_devices(&self, given: &[String]) -> Result<Vec<DeviceSerial>, ChoiceError> {
        if given.is_empty() {
            return Ok(vec![self.choose_device(None).await?]);
        }
        let mut rows = self.server().await?.devices().await?;
        let rules = self.device_rules("");
        rows.retain(|row| rules.allows(&row.serial) || given.iter().any(|given| given == row.serial.as_str()));
        let mut chosen: Vec<DeviceSerial> = Vec::new();
        for wanted in given {
            let serials = if wanted == ALL_DEVICES {
                let ready = rows.iter().filter(|row| row.state == ConnectionState::Device);
                let ready: Vec<DeviceSerial> = ready.map(|row| row.serial.clone()).collect();
                // None is an error that says what is wrong with those that are there.
                if ready.is_empty() { vec![pick(&rows, None)?] } else { ready }
            } else {
                vec![pick(&rows, Some(&DeviceSerial::from(wanted.as_str())))?]
            };
            chosen.extend(serials);
        }
        let mut seen = BTreeSet::new();
        chosen.retain(|serial| seen.insert(serial.clone()));
        Ok(chosen)
    }

    /// Which devices may be used, and by whom on this host; `holder` is what others are told.
    pub fn device_rules(&self, holder: &str) -> DeviceRules {
        DeviceRules {
            allow: self.config.devices.allow.clone(),
            locks: self.environment.locks.clone(),
            holder: holder.to_owned(),
        }
    }

    /// Makes devices ready.
    pub fn connector(&self) -> Result<AdbConnector, String> {
        Ok(AdbConnector {
            address: self.server_address()?,
            profiles: self.profiles()?,
            reader: Arc::new(self.reader()),
            strings: Arc::new(StringTables::new(app_strings, Some(self.root.join(&self.config.folders.maps)))),
        })
    }

    /// Where runs leave their traces; `output` replaces the workspace's folder.
    pub fn places(&self, output: Option<&Path>) -> Places {
        Places {
            reporter: Arc::new(FolderReports),
            output: Some(output.map_or_else(|| self.runs(), Path::to_owned)),
            scripts: Some(self.scripts()),
            maps: Some(self.maps()),
            root: self.root.clone(),
        }
    }

    /// The same workspace whose models use so many threads for one inference.
    #[must_use]
    pub fn inferring_on(mut self, threads: usize) -> Self {
        self.config.model.threads = threads;
        self
    }

    /// What judging a screen needs: model, weights, cues.
    pub fn judgement(&self) -> Result<Judgement, String> {
        self.judgement_by(self.chosen_model().map_err(|error| error.to_string())?.as_deref())
    }

    /// The same with the embedding model of that name.
    pub fn judgement_by(&self, model: Option<&str>) -> Result<Judgement, String> {
        let mut knowledge = Knowledge::bundled().map_err(|error| error.to_string())?;
        if let Some(weights) = self.own_policy()? {
            knowledge.weights = weights;
        }
        Ok(Judgement {
            embedder: self.embedder_named(model).map_err(|error| error.to_string())?,
            weights: Weights::bundled().map_err(|error| error.to_string())?,
            cues: Cues::bundled().map_err(|error| error.to_string())?,
            knowledge,
        })
    }

    /// Where weights of the policy lie that were fitted to this workspace's own runs.
    pub fn policy_file(&self) -> PathBuf {
        self.root.join("policy.toml")
    }

    /// The weights that were fitted to this workspace's own runs; `None` where those that ship are in use.
    pub fn own_policy(&self) -> Result<Option<PolicyWeights>, String> {
        let path = self.policy_file();
        let wrong = |error: &dyn std::fmt::Display| {
            format!("{}: {error}; without the file the weights that ship are used", path.display())
        };
        match std::fs::read_to_string(&path) {
            Ok(text) => PolicyWeights::parse(&text).map(Some).map_err(|error| wrong(&error)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(wrong(&error)),
        }
    }

    /// How this workspace's cases are read: the bundled rules and its own.
    pub fn rewriter(&self) -> Result<Rewriter, String> {
        let rules = RewriteRules::bundled().and_then(|rules| rules.with(&self.config.rewriting));
        rules.map(Rewriter::new).map_err(|error| format!("{}: {error}", self.root.join("tapwright.toml").display()))
    }

    /// Runs this workspace's cases.
    pub fn launcher(&self, case_files: Vec<PathBuf>, places: Places) -> Result<CaseLauncher, String> {
        let workspace = self.clone();
        Ok(CaseLauncher {
            case_roots: self.case_roots(),
            index: Arc::new(LiveIndex::new(CaseIndex::default().without(self.absent_case_roots()))),
            case_files,
            rewriter: self.rewriter()?,
            hints: self.config.hints.clone(),
            apks: BTreeMap::new(),
            install: InstallWay::Over,
            skills: self.skills()?,
            places,
            connector: Arc::new(self.connector()?),
            judgement: Box::new(move || workspace.judgement()),
            loaded: OnceCell::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    #[test]
    fn the_catalog_reads_a_case_again_only_where_its_file_was_changed() {
        use crate::run::{Catalog as _, WorkspaceCatalog};
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("cases")).unwrap();
        std::fs::write(folder.path().join("tapwright.toml"), "[folders]\ncases = ['cases']\n").unwrap();
        let workspace = Workspace::open(Some(folder.path()), Environment::default()).unwrap();
        let launcher = Arc::new(workspace.launcher(Vec::new(), workspace.places(None)).unwrap());
        let catalog = WorkspaceCatalog { launcher, profiles: Vec::new(), scripts: workspace.scripts() };
        let (now, long_ago) = (SystemTime::now(), SystemTime::now() - Duration::from_secs(3600));
        for (written, changed, told) in [("One", long_ago, "One"), ("Two", long_ago, "One"), ("Two", now, "Two")] {
            let text = format!(
                "id: A-1\ntitle: {written}\napp: {{package: a.b}}\nsteps: [Tap Pay]\nexpect: [visible: Paid]\n"
            );
            let path = folder.path().join("cases/A-1.case.yaml");
            std::fs::write(&path, text).unwrap();
            std::fs::File::options().write(true).open(&path).unwrap().set_modified(changed).unwrap();
            let cards = catalog.cases().unwrap();
            assert_eq!(cards.iter().map(|card| card.title.as_str()).collect::<Vec<_>>(), [told]);
        }
    }

    #[test]
    fn a_workspace_without_models_uses_those_delivered_with_the_program() {
        let delivered = tempfile::tempdir().unwrap();
        let models = delivered.path().join("models");
        std::fs::create_dir(&models).unwrap();
        std::fs::write(models.join("manifest.toml"), "format = 1\n").unwrap();
        let program = Some(delivered.path().join("bin/tapwright"));
        let environment = Environment { program, ..Environment::default() };
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let open = || Workspace::open(Some(&root), environment.clone()).unwrap();
        assert_eq!(open().models(), models);

        std::fs::create_dir(root.join("models")).unwrap();
        assert_eq!(open().models(), root.join("models"), "its own come first");

        std::fs::write(root.join("tapwright.toml"), "[folders]\nmodels = \"elsewhere\"\n").unwrap();
        assert_eq!(open().models(), root.join("elsewhere"), "a folder that is named is meant, even if it is missing");
    }

    #[test]
    fn models_are_found_as_packages_lay_them_out_and_in_the_users_folder() {
        let check = |program: &str, models: &str, expected: bool| {
            let place = tempfile::tempdir().unwrap();
            let place = place.path().canonicalize().unwrap();
            let models = place.join(models);
            std::fs::create_dir_all(&models).unwrap();
            std::fs::create_dir(place.join("workspace")).unwrap();
            std::fs::write(models.join("manifest.toml"), "format = 1\n").unwrap();
            let environment = Environment {
                program: Some(place.join(program)),
                data: Some(place.join("home/.local/share/tapwright")),
                ..Environment::default()
            };
            let workspace = Workspace::open(Some(&place.join("workspace")), environment).unwrap();
            let told =
                workspace.manifest().map(|manifest| manifest.path().to_owned()).map_err(|error| error.to_string());
            if expected {
                assert_eq!(told, Ok(models.join("manifest.toml")));
            } else {
                let told = told.unwrap_err();
                assert!(told.contains("models install --from") && told.contains("home/.local/share"), "{told}");
            }
        };
        check("usr/bin/tapwright", "usr/share/tapwright/models", true);
        check("tapwright-0.1.0/tapwright", "tapwright-0.1.0/models", true);
        check("home/.cargo/bin/tapwright", "home/.local/share/tapwright/models", true);
        check("home/.cargo/bin/tapwright", "elsewhere/models", false);
    }
}
