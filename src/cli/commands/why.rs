//! `tapwright why`.

use super::{print_json, widgets};
use crate::app::Workspace;
use crate::app_map::AppMap;
use crate::case::{Case, Rewriter};
use crate::cli::{Exit, Failure, WhyArgs, table};
use crate::domain::{Action, PackageName};
use crate::hierarchy::Screen;
use crate::pipeline::{self, Clause, Episode, Journal, PolicyWeights, ScreenModel};
use crate::report::meaning_of;
use crate::run::{Judgement, PlannedCase};
use crate::skill::Library;
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
    ranked: &'a [Candidate],
    /// What the terms of those mean.
    meanings: BTreeMap<&'a str, &'static str>,
    /// Why nothing would be done, where nothing would.
    #[serde(skip_serializing_if = "Option::is_none")]
    nothing: Option<&'a str>,
}

/// Shows what would be chosen, and why.
pub(super) async fn why(args: &WhyArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let params = args.params.read()?;
    let screen = match &args.hierarchy {
        Some(file) => widgets::from_files(file, args.screenshot.as_deref(), workspace)?,
        None => widgets::from_device(args.device.as_deref(), workspace).await?,
    };
    let judgement = workspace.judgement().map_err(Failure::infrastructure)?;
    let weighed = weigh((args.asked(), &params), &screen, &judgement, workspace)?;
    let shown = weighed.ranked.get(..args.top).unwrap_or(&weighed.ranked);
    let data = WhyData {
        instruction: args.asked(),
        rewritten: &weighed.read_as,
        title: &screen.title,
        nothing_fits: weighed.nothing_fits,
        candidates: weighed.ranked.len(),
        ranked: shown,
        meanings: meanings(shown),
        nothing: weighed.nothing.as_deref(),
    };
    if args.json {
        print_json(&data)?;
    } else {
        print(&data);
    }
    Ok(Exit::Passed)
}

/// Something that could be done.
#[derive(Debug, Serialize)]
pub(super) struct Candidate {
    /// What would be done; `null` for the end of the step.
    action: Option<Action>,
    /// The text the model compared.
    text: String,
    /// Sum of the terms.
    pub(super) score: f32,
    /// What the score is made of.
    pub(super) terms: Vec<(String, f32)>,
    /// Why it would not be done, whatever its score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) forbidden: Option<&'static str>,
}

impl Candidate {
    /// What weighs most stands first: the policy has many features.
    fn of_policy(weighed: &pipeline::Weighed, weights: &PolicyWeights) -> Self {
        let mut terms = weighed.terms(weights);
        terms.sort_by(|(_, one), (_, other)| other.abs().total_cmp(&one.abs()));
        Self {
            action: weighed.proposal.action().cloned(),
            text: weighed.proposal.text.clone(),
            score: weighed.score,
            terms,
            forbidden: weighed.veto.map(pipeline::Veto::told),
        }
    }

    /// What would be done, in words.
    pub(super) fn told(&self) -> String {
        self.action.as_ref().map_or_else(|| "end the step".to_owned(), Action::to_string)
    }
}

/// What could be done for an instruction, best first.
pub(super) struct Weighed {
    /// The instruction as the ranking read it.
    pub(super) read_as: String,
    /// Everything that could be done.
    pub(super) ranked: Vec<Candidate>,
    /// Below this score nothing is done.
    pub(super) nothing_fits: f32,
    /// Why nothing would be done, where nothing would and the agent tells.
    nothing: Option<String>,
}

/// Weighs everything that could be done on a screen for an instruction with its parameters.
pub(super) fn weigh(
    asked: (&str, &BTreeMap<String, String>),
    screen: &Screen,
    judgement: &Judgement,
    workspace: &Workspace,
) -> Result<Weighed, Failure> {
    let case = case(asked, &workspace.rewriter().map_err(Failure::usage)?)?;
    let skills = workspace.skills().map_err(Failure::usage)?;
    by_policy(&case, screen, judgement, &skills)
}

const EMPTY: &str = "the instruction is empty";

/// As the agent weighs the instruction's first clause where nothing was done yet.
fn by_policy(case: &PlannedCase, screen: &Screen, judgement: &Judgement, skills: &Library) -> Result<Weighed, Failure> {
    let knowledge = &judgement.knowledge;
    let read = |step| Clause::of_case(step, "", case.is_goal, &knowledge.lexicon);
    let clauses: Vec<Clause> = case.tasks().iter().map(read).collect();
    let Some((clause, later)) = clauses.split_first() else { return Err(Failure::usage(EMPTY)) };
    let mut journal = Journal::default();
    journal.begin_clause();
    let model = ScreenModel::recognise(screen, &knowledge.lexicon);
    let episode = Episode {
        clause,
        previous: None,
        later,
        journal: &journal,
        parameters: &case.parameters,
        package: &package(screen),
        knowledge,
        scorer: &judgement.scorer(skills),
        map: &AppMap::default(),
        expectations_hold: None,
        expected: &[],
        seed: 0,
    };
    let options = pipeline::weigh(&episode, &model).map_err(Failure::infrastructure)?;
    let idle = options.best().is_none();
    Ok(Weighed {
        read_as: clause.step.instruction.clone(),
        ranked: options.weighed.iter().map(|one| Candidate::of_policy(one, &knowledge.weights)).collect(),
        nothing_fits: pipeline::MIN_SCORE,
        nothing: idle.then_some(options.nothing),
    })
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
    let case = Case::parse(Path::new("the instruction"), &form.to_string()).map_err(Failure::usage)?;
    PlannedCase::new(&case, rewriter, &BTreeMap::new()).map_err(Failure::usage)
}

/// The app the screen belongs to, as far as its widgets tell.
fn package(screen: &Screen) -> PackageName {
    PackageName::new(screen.widgets.first().map_or("", |widget| widget.package.as_str()))
}

/// What the terms of these mean; those without words are left out.
fn meanings(candidates: &[Candidate]) -> BTreeMap<&str, &'static str> {
    let terms = candidates.iter().flat_map(|one| &one.terms);
    terms.filter_map(|(name, _)| Some((name.as_str(), meaning_of(name)?))).collect()
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
        let mut terms: Vec<String> = one.terms.iter().map(|(name, value)| format!("{name} {value:+.2}")).collect();
        if let Some(reason) = one.forbidden {
            terms.insert(0, format!("not done: {reason}"));
        }
        vec![(at + 1).to_string(), format!("{:.3}", one.score), one.told(), one.text.clone(), terms.join(", ")]
    }));
    table::print_fitting(&rows);
    if let Some(reason) = data.nothing {
        anstream::eprintln!("nothing would be done: {reason}");
    }
    if data.meanings.is_empty() {
        return;
    }
    let mut rows = vec![["TERM", "MEANING"].map(str::to_owned).to_vec()];
    rows.extend(data.meanings.iter().map(|(name, meaning)| vec![(*name).to_owned(), (*meaning).to_owned()]));
    table::print_fitting(&rows);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::sample::{button, screen};
    use crate::inference::sample::WordEmbedder;
    use crate::pipeline::Knowledge;
    use crate::ranking::{Cues, Weights};
    use std::sync::Arc;

    fn judgement() -> Judgement {
        Judgement {
            embedder: Arc::new(WordEmbedder),
            weights: Weights::bundled().unwrap(),
            cues: Cues::bundled().unwrap(),
            knowledge: Knowledge::bundled().unwrap(),
        }
    }

    #[test]
    fn the_policy_tells_what_each_proposal_scores_and_what_its_terms_mean() {
        let case = case(("Tap Settings", &BTreeMap::new()), &Rewriter::bundled().unwrap()).unwrap();
        let (screen, skills) = (screen(vec![button("Help"), button("Settings")]), Library::bundled().unwrap());
        let weighed = by_policy(&case, &screen, &judgement(), &skills).unwrap();
        let best = weighed.ranked.first().unwrap();
        let target = best.action.as_ref().and_then(Action::target).unwrap();
        assert_eq!((target.label.as_str(), weighed.nothing.as_deref()), ("Settings", None));
        for one in &weighed.ranked {
            let sum: f32 = one.terms.iter().map(|(_, value)| value).sum();
            assert!((sum - one.score).abs() < 1e-3, "{}: {sum} is not {}", one.told(), one.score);
            assert!(one.terms.is_sorted_by(|(_, more), (_, less)| more.abs() >= less.abs()), "{:?}", one.terms);
        }
        let end = weighed.ranked.iter().find(|one| one.action.is_none()).unwrap();
        assert_eq!((end.told().as_str(), end.forbidden), ("end the step", None));
        assert!(end.terms.iter().any(|(name, value)| name == "unearned" && *value < 0.0), "{:?}", end.terms);
        let named = weighed.ranked.iter().flat_map(|one| &one.terms).all(|(name, _)| meaning_of(name).is_some());
        assert!(named && meanings(&weighed.ranked).contains_key("meaning"), "{:?}", meanings(&weighed.ranked));
    }

    #[test]
    fn the_policy_tells_why_it_would_do_nothing() {
        let case = case(("Withdraw the application", &BTreeMap::new()), &Rewriter::bundled().unwrap()).unwrap();
        let (screen, skills) = (screen(Vec::new()), Library::bundled().unwrap());
        let weighed = by_policy(&case, &screen, &judgement(), &skills).unwrap();
        assert!(weighed.nothing.is_some_and(|reason| reason.contains("nothing on")));
    }
}
