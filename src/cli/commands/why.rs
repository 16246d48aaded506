//! `tapwright why`.

use super::{print_json, widgets};
use crate::agent::consider;
use crate::app::Workspace;
use crate::case::{Case, Rewriter};
use crate::cli::{Exit, Failure, WhyArgs, table};
use crate::domain::{CandidateView, PackageName};
use crate::hierarchy::Screen;
use crate::run::{Judgement, PlannedCase};
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Serialize)]
struct WhyData<'a> {
    instruction: &'a str,
    /// As the ranking read it.
    rewritten: &'a str,
    title: &'a str,
    /// Below this score nothing would have been chosen.
    nothing_fits: f32,
    candidates: usize,
    ranked: Vec<CandidateView>,
}

/// Shows what would be chosen, and why.
pub(super) async fn why(args: &WhyArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let params = args.params.read()?;
    let screen = match &args.hierarchy {
        Some(file) => widgets::from_files(file, args.screenshot.as_deref(), workspace)?,
        None => widgets::from_device(args.device.as_deref(), workspace).await?,
    };
    let judgement = workspace.judgement().map_err(Failure::infrastructure)?;
    let Weighed { read_as, ranked } = weigh((&args.instruction, &params), &screen, &judgement, workspace)?;
    let data = WhyData {
        instruction: &args.instruction,
        rewritten: &read_as,
        title: &screen.title,
        nothing_fits: judgement.weights.nothing_fits,
        candidates: ranked.len(),
        ranked: ranked.into_iter().take(args.top).collect(),
    };
    if args.json {
        print_json(&data)?;
    } else {
        print(&data);
    }
    Ok(Exit::Passed)
}

/// What could be done for an instruction, best first.
pub(super) struct Weighed {
    /// The instruction as the ranking read it.
    pub(super) read_as: String,
    /// Everything that could be done.
    pub(super) ranked: Vec<CandidateView>,
}

/// Weighs everything that could be done on a screen for an instruction with its parameters.
pub(super) fn weigh(
    asked: (&str, &BTreeMap<String, String>),
    screen: &Screen,
    judgement: &Judgement,
    workspace: &Workspace,
) -> Result<Weighed, Failure> {
    let case = case(asked, &workspace.rewriter().map_err(Failure::usage)?)?;
    let Some(step) = case.steps.first() else { return Err(Failure::usage("the instruction is empty")) };
    let skills = workspace.skills().map_err(Failure::usage)?;
    let scorer = judgement.scorer(&skills);
    let ranked =
        consider(&scorer, &case.parameters, &package(screen), step, screen).map_err(Failure::infrastructure)?;
    let ranked = ranked.iter().map(crate::ranking::Ranked::view).collect();
    Ok(Weighed { read_as: step.instruction.clone(), ranked })
}

/// The instruction as the only step of a case.
fn case((instruction, params): (&str, &BTreeMap<String, String>), rewriter: &Rewriter) -> Result<PlannedCase, Failure> {
    let form = json!({
        "id": "WHY",
        "title": "Why",
        "app": {"package": "com.example.why"},
        "params": params,
        "steps": [instruction],
    });
    // JSON is YAML.
    let case = Case::parse(Path::new("--instruction"), &form.to_string()).map_err(Failure::usage)?;
    PlannedCase::new(&case, rewriter, &BTreeMap::new()).map_err(Failure::usage)
}

/// The app the screen belongs to, as far as its widgets tell.
fn package(screen: &Screen) -> PackageName {
    PackageName::new(screen.widgets.first().map_or("", |widget| widget.package.as_str()))
}

fn print(data: &WhyData<'_>) {
    if data.rewritten != data.instruction {
        anstream::eprintln!("read as {:?}", data.rewritten);
    }
    anstream::eprintln!(
        "\"{}\": {} candidates; below {:.2} nothing fits",
        data.title,
        data.candidates,
        data.nothing_fits
    );
    let mut rows = vec![["#", "SCORE", "ACTION", "TEXT", "TERMS"].map(str::to_owned).to_vec()];
    rows.extend(data.ranked.iter().enumerate().map(|(at, one)| {
        let terms: Vec<String> = one.terms.iter().map(|(name, value)| format!("{name} {value:+.2}")).collect();
        vec![
            (at + 1).to_string(),
            format!("{:.3}", one.score),
            one.action.to_string(),
            one.text.clone(),
            terms.join(", "),
        ]
    }));
    table::print_fitting(&rows);
}
