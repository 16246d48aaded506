//! The tools.

use super::forms::{
    ActArgs, Candidate, CaseList, CaseRow, CasesArgs, DeviceList, DeviceRow, Findings, LintArgs, OnDevice, Outcome,
    Repair, ReplayArgs, RunArgs, ScreenLines, WhyAnswer, WhyArgs,
};
use super::look::{connect, look};
use crate::app::Workspace;
use crate::cli::Failure;
use crate::cli::commands::{cases, replay, run, scripts, why};
use crate::domain::{CaseId, DeviceSerial};
use crate::report::Verbosity;
use crate::run::{CaseLauncher, Judgement, RepairMode, RunRequest};
use crate::script::Script;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::model::{ServerCapabilities, ServerConfig};
use rmcp::{ServerHandler, tool, tool_handler, tool_router};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;

/// Rows of a list that are told.
const MOST_ROWS: usize = 200;
/// Candidates of `why`.
const MOST_CANDIDATES: usize = 5;

/// The tools of a workspace.
#[derive(Clone)]
pub(super) struct Tools {
    workspace: Workspace,
    /// Runs and replays; keeps the model once it is loaded.
    launcher: Arc<CaseLauncher>,
    /// What `why` weighs with.
    judgement: Arc<OnceCell<Judgement>>,
    tool_router: ToolRouter<Self>,
}

type Answer<T> = Result<Json<T>, String>;

#[tool_router]
impl Tools {
    /// Tools for the cases, scripts and devices of a workspace.
    pub(super) fn new(workspace: &Workspace) -> Result<Self, Failure> {
        let launcher = workspace.launcher(Vec::new(), workspace.places(None)).map_err(Failure::usage)?;
        Ok(Self {
            workspace: workspace.clone(),
            launcher: Arc::new(launcher),
            judgement: Arc::default(),
            tool_router: Self::tool_router(),
        })
    }

    #[tool(description = "The Android devices the adb server knows")]
    async fn devices(&self) -> Answer<DeviceList> {
        let server = self.workspace.server().await.map_err(|error| error.to_string())?;
        let rows = server.devices().await.map_err(|error| error.to_string())?;
        let row = |row: crate::adb::DeviceRow| DeviceRow {
            serial: row.serial.to_string(),
            state: row.state.to_string(),
            model: row.model,
        };
        Ok(Json(DeviceList { devices: rows.into_iter().map(row).collect() }))
    }

    #[tool(
        description = "What a person sees on the device's screen now: a line for each widget, with its number for `act`"
    )]
    async fn screen(&self, Parameters(args): Parameters<OnDevice>) -> Answer<ScreenLines> {
        let connected = connect(&self.workspace, args.device.as_deref()).await?;
        Ok(Json(look(&connected).await?.lines()))
    }

    #[tool(
        description = "Does one thing on the device and gives the screen it led to. Refused where the screen has changed since it was read"
    )]
    async fn act(&self, Parameters(args): Parameters<ActArgs>) -> Answer<ScreenLines> {
        let connected = connect(&self.workspace, args.device.as_deref()).await?;
        let _held = self.hold(&connected.info.serial)?;
        let seen = look(&connected).await?;
        let (action, held) = seen.action(&args)?;
        let skills = self.workspace.skills().map_err(|error| error.to_string())?;
        let done = skills.perform(connected.device.as_ref(), &action, held, &seen.hierarchy).await;
        done.map_err(|error| error.to_string())?;
        Ok(Json(look(&connected).await?.lines()))
    }

    #[tool(
        description = "What would be chosen on the screen now for a step in plain words, and why: the best candidates with their scores. Nothing is touched"
    )]
    async fn why(&self, Parameters(args): Parameters<WhyArgs>) -> Answer<WhyAnswer> {
        let connected = connect(&self.workspace, args.device.as_deref()).await?;
        let seen = look(&connected).await?;
        let judgement = self.judgement.get_or_try_init(|| async { self.workspace.judgement() }).await?;
        let weighed = why::weigh((&args.instruction, &BTreeMap::new()), &seen.screen, judgement, &self.workspace)
            .map_err(told)?;
        let candidate = |one: &why::Candidate| Candidate {
            action: one.told(),
            score: one.score,
            terms: one.terms.iter().map(|(name, value)| format!("{name} {value:+.2}")).collect(),
            forbidden: one.forbidden.map(str::to_owned),
        };
        Ok(Json(WhyAnswer {
            read_as: weighed.read_as,
            nothing_fits: weighed.nothing_fits,
            candidates: weighed.ranked.iter().take(MOST_CANDIDATES).map(candidate).collect(),
        }))
    }

    #[tool(
        description = "Runs a case by the agent; clears the app's data first. Gives the verdict, the steps and where the report is"
    )]
    async fn run(&self, Parameters(args): Parameters<RunArgs>) -> Answer<Outcome> {
        let request = request(&args.case, args.params)?;
        let serial = self.workspace.choose_device(args.device.as_deref()).await.map_err(|error| error.to_string())?;
        let _held = self.hold(&serial)?;
        let (launcher, cancel) = (self.launcher.as_ref(), CancellationToken::new());
        let ran = run::run_one(launcher, &request, &serial, &cancel, (Verbosity::Quiet, (1, 1))).await;
        self.outcome(ran)
    }

    #[tool(
        description = "Replays a case's script without a model; clears the app's data first. `repair: propose` looks for what it means where it does not fit any more"
    )]
    async fn replay(&self, Parameters(args): Parameters<ReplayArgs>) -> Answer<Outcome> {
        let path = scripts::resolve(&args.script, &self.workspace).map_err(told)?;
        let script = Script::read(&path).map_err(|error| error.to_string())?;
        let request = request(script.case_id.as_str(), args.params)?;
        let repair = match args.repair {
            Repair::Off => RepairMode::Off,
            Repair::Propose => RepairMode::Propose,
        };
        let serial = self.workspace.choose_device(args.device.as_deref()).await.map_err(|error| error.to_string())?;
        let _held = self.hold(&serial)?;
        let (launcher, cancel) = (self.launcher.as_ref(), CancellationToken::new());
        let place = (Verbosity::Quiet, (1, 1));
        let replayed = replay::replay_one(launcher, &script, (&request, repair), &serial, &cancel, place).await;
        self.outcome(replayed)
    }

    #[tool(description = "The test cases of the workspace")]
    async fn cases(&self, Parameters(args): Parameters<CasesArgs>) -> Answer<CaseList> {
        let index = cases::index(&self.workspace).map_err(told)?;
        let wanted = |case: &&crate::case::Case| args.tag.as_ref().is_none_or(|tag| case.tags.contains(tag));
        let row = |case: &crate::case::Case| CaseRow {
            id: case.id.to_string(),
            title: case.title.clone(),
            tags: case.tags.clone(),
            file: case.path.strip_prefix(self.workspace.root()).unwrap_or(&case.path).to_owned(),
        };
        let all: Vec<CaseRow> = index.cases().filter(wanted).map(row).collect();
        let left_out = all.len().saturating_sub(MOST_ROWS);
        Ok(Json(CaseList { cases: all.into_iter().take(MOST_ROWS).collect(), left_out }))
    }

    #[tool(description = "What is wrong with cases: file, line, column, message")]
    async fn lint(&self, Parameters(args): Parameters<LintArgs>) -> Answer<Findings> {
        let names: Vec<String> = args.case.into_iter().collect();
        let rows = cases::findings(&self.workspace, &names).await.map_err(told)?.1;
        Ok(Json(Findings::of(&rows, MOST_ROWS)))
    }
}

impl Tools {
    /// Takes the device while something is done on it.
    fn hold(&self, serial: &DeviceSerial) -> Result<Vec<crate::device::HostLock>, String> {
        let none = BTreeMap::new();
        run::hold(&self.workspace, "tapwright mcp", std::slice::from_ref(serial), &none).map_err(told)
    }

    fn outcome(&self, ended: Result<crate::domain::RunResult, Failure>) -> Answer<Outcome> {
        let result = ended.map_err(told)?;
        let report = self.launcher.places.output.as_ref().map(|output| {
            let folder = output.join(result.case_id.as_str()).join(result.run_id.as_str());
            folder.strip_prefix(self.workspace.root()).unwrap_or(&folder).join("report.html")
        });
        Ok(Json(Outcome::of(&result, report.map(PathBuf::from))))
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build()).with_instructions(
            "Tapwright tests Android apps. `cases` lists what can be run; `replay` a case that has a script, else `run` it; the \
             verdict is passed, failed (the app), blocked (a step could not be carried out) or error (the device). `screen`, \
             `act` and `why` are for looking into a blocked step by hand.",
        )
    }
}

fn request(case: &str, params: BTreeMap<String, String>) -> Result<RunRequest, String> {
    let case_id = CaseId::new(case).map_err(|error| error.to_string())?;
    Ok(RunRequest { case_id, device: None, actors: BTreeMap::new(), params, seed: 0, location: None })
}

fn told(failure: Failure) -> String {
    failure.message
}
