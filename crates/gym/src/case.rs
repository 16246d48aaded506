//! Tasks put into words: a case and its walkthrough.

use crate::app::Blueprint;
use crate::draw::Draw;
use crate::rich::{Extra, Rich};
use crate::task::{Beat, Operation, Planner, Task};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// A case with the way a person does it.
pub(crate) struct GeneratedCase {
    pub(crate) id: String,
    pub(crate) case: Value,
    pub(crate) walkthrough: Value,
    /// Bugs that break it.
    pub(crate) bugs: Vec<&'static str>,
}

/// How a tester writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Register {
    /// A step for everything that is done.
    Direct,
    /// Two things in a step here and there.
    Condensed,
    /// What is entered stands among the parameters.
    Data,
    /// Steps as acceptance tests of payment apps have them.
    Template,
    /// Only what is wanted.
    Goal,
}

/// What the cases of an app are made of.
const CASES: &[&[Operation]] = &[
    &[Operation::Create],
    &[Operation::Edit, Operation::Flag],
    &[Operation::Remove, Operation::Find],
    &[Operation::Switch, Operation::Choose],
    &[Operation::Find],
    &[Operation::Flag, Operation::Create],
    &[Operation::Remove],
    &[Operation::Choose, Operation::Edit],
];

/// What every app can do.
const COMMON: [Operation; 7] = [
    Operation::Create,
    Operation::Edit,
    Operation::Remove,
    Operation::Flag,
    Operation::Switch,
    Operation::Choose,
    Operation::Find,
];
/// Cases of an app of a split.
const RICH_CASES: usize = 10;

/// The cases of an app; their ids begin with `prefix`.
pub(crate) fn cases(of: &Blueprint<'_>, prefix: &str, draw: &mut Draw) -> Vec<GeneratedCase> {
    let mut found = Vec::new();
    let all = match of.rich {
        Some(_) => rich_operations(of, draw),
        None => CASES.iter().map(|operations| operations.to_vec()).collect(),
    };
    for (number, operations) in all.iter().enumerate() {
        let mut planner = Planner::new(of, draw);
        let tasks: Option<Vec<Task>> = operations.iter().map(|operation| planner.plan(*operation)).collect();
        if let Some(tasks) = tasks {
            found.push(worded(of, &format!("{prefix}-{:02}", number + 1), &tasks, draw));
        }
    }
    found
}

/// What the cases of an app with abilities are made of: everything it can do, alone or after something else.
fn rich_operations(of: &Blueprint<'_>, draw: &mut Draw) -> Vec<Vec<Operation>> {
    let abilities = of.rich.iter().flat_map(|rich| rich.abilities.iter().enumerate());
    let able = abilities
        .flat_map(|(at, ability)| (0..ability.operations().len()).map(move |number| Operation::Able(at, number)));
    let mut own: Vec<Operation> = able.collect();
    let mut common = COMMON.to_vec();
    draw.shuffle(&mut own);
    draw.shuffle(&mut common);
    // What an app is there for comes first.
    own.truncate(RICH_CASES - 2);
    own.extend(common);
    let mut cases = Vec::new();
    for last in own.into_iter().take(RICH_CASES) {
        let mut operations = vec![last];
        // What narrows the list or adds to it comes last: nothing would be where it was.
        let before = draw.one([Operation::Flag], &[Operation::Switch, Operation::Edit, Operation::Choose]);
        if before != last && draw.chance(40) {
            operations.insert(0, before);
        }
        cases.push(operations);
    }
    cases
}

fn worded(of: &Blueprint<'_>, id: &str, tasks: &[Task], draw: &mut Draw) -> GeneratedCase {
    let register = draw.one(
        [Register::Direct],
        &[
            Register::Direct,
            Register::Condensed,
            Register::Condensed,
            Register::Data,
            Register::Template,
            Register::Goal,
        ],
    );
    let beats: Vec<&Beat> = tasks.iter().flat_map(|task| &task.beats).collect();
    let (steps, params) = match register {
        Register::Goal => (
            vec![(goal(of, tasks, &beats, draw), beats.iter().flat_map(|beat| beat.hands.clone()).collect())],
            values(&beats),
        ),
        Register::Data => with_data(of, &beats, draw),
        Register::Direct | Register::Template => {
            let step = |beat: &&Beat| (capitalised(&beat.ask), beat.hands.clone());
            (beats.iter().map(step).collect(), Map::new())
        }
        Register::Condensed => (condensed(of, &beats, draw), Map::new()),
    };
    let mut params = params;
    let named = beats.iter().flat_map(|beat| &beat.params);
    params.extend(named.map(|(name, value)| ((*name).to_owned(), value.clone())));
    let mut entries = Vec::new();
    let mut asks = Vec::new();
    for (number, (ask, hands)) in steps.into_iter().enumerate() {
        entries.push(json!({"step": number + 1}));
        entries.extend(hands);
        let in_template = register == Register::Template && draw.chance(60);
        asks.push(if in_template { of.subject.book.template.replace("{ask}", &uncapitalised(&ask)) } else { ask });
    }
    let title = tasks.first().map_or_else(String::new, |task| capitalised(&task.whole));
    let expects = tasks.last().map(|task| task.expects.clone()).unwrap_or_default();
    let app = format!("../apps/{}.app.yaml", of.package.rsplit('.').next().unwrap_or_default());
    let mut case = json!({
        "id": id, "title": title, "app": {"package": of.package, "apk": app}, "tags": tags(of, tasks, register),
        "expect": expects, "budget": {"actions": 60, "time": "6m"},
    });
    if of.has(Extra::Offer) {
        case["preferences"] = json!({"decline": [of.word("offer_no")]});
    }
    if register == Register::Goal {
        case["goal"] = json!(asks.first());
    } else {
        case["steps"] = json!(asks);
    }
    if !params.is_empty() {
        case["params"] = Value::Object(params);
    }
    let bugs = tasks.last().map(|task| task.bugs.clone()).unwrap_or_default();
    GeneratedCase { id: id.to_owned(), case, walkthrough: json!({"steps": entries}), bugs }
}

/// What a case is about and how it is put, so that figures can be told apart by it.
fn tags(of: &Blueprint<'_>, tasks: &[Task], register: Register) -> Vec<String> {
    let mut tags = vec!["gym".to_owned(), format!("family:{}", of.subject.family_name)];
    for task in tasks {
        let tag = format!("op:{}", task.operation);
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    let register = serde_json::to_value(register).unwrap_or_default();
    tags.extend(register.as_str().map(|register| format!("register:{register}")));
    tags.extend(of.surface.tags());
    tags.extend(of.rich.into_iter().flat_map(Rich::tags));
    tags
}

/// A step, and what is done for it.
type Step = (String, Vec<Value>);

/// All tasks in one sentence.
fn goal(of: &Blueprint<'_>, tasks: &[Task], beats: &[&Beat], draw: &mut Draw) -> String {
    // Who uses the app is no task, and has to be said.
    let first = beats.first().filter(|beat| !beat.params.is_empty()).map(|beat| beat.ask.clone());
    let wholes = first.into_iter().chain(tasks.iter().map(|task| task.whole.clone()));
    let whole = wholes.reduce(|first, second| joined(of, &first, &second)).unwrap_or_default();
    let frame = draw.text(&of.subject.book.goals);
    frame.replace("{Whole}", &capitalised(&whole)).replace("{whole}", &whole)
}

/// What is entered, by name.
fn values(beats: &[&Beat]) -> Map<String, Value> {
    beats.iter().filter_map(|beat| beat.value.clone()).map(|(name, value)| (name.to_owned(), json!(value))).collect()
}

/// The values of a form in one step that speaks of the parameters only.
fn with_data(of: &Blueprint<'_>, beats: &[&Beat], draw: &mut Draw) -> (Vec<Step>, Map<String, Value>) {
    let mut steps: Vec<Step> = Vec::new();
    let mut filling = false;
    for beat in beats {
        match (&beat.value, steps.last_mut()) {
            (Some(_), Some((_, hands))) if filling => hands.extend(beat.hands.clone()),
            (Some(_), _) => {
                steps.push((draw.text(&of.subject.book.data).to_owned(), beat.hands.clone()));
                filling = true;
            }
            (None, _) => {
                steps.push((capitalised(&beat.ask), beat.hands.clone()));
                filling = false;
            }
        }
    }
    (steps, values(beats))
}

/// Two asks in one step here and there.
fn condensed(of: &Blueprint<'_>, beats: &[&Beat], draw: &mut Draw) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut full = true;
    for beat in beats {
        match steps.last_mut() {
            Some((ask, hands)) if !full && draw.chance(60) => {
                *ask = joined(of, ask, &beat.ask);
                hands.extend(beat.hands.clone());
                full = true;
            }
            _ => {
                steps.push((capitalised(&beat.ask), beat.hands.clone()));
                full = false;
            }
        }
    }
    steps
}

fn joined(of: &Blueprint<'_>, first: &str, second: &str) -> String {
    of.subject.book.joined.replace("{first}", first.trim_end_matches('.')).replace("{second}", second)
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn uncapitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use crate::suite::GeneratedSuite;
    use crate::vocabulary::Library;
    use std::collections::BTreeSet;

    /// The tags of all cases of a suite.
    fn tags(suite: &GeneratedSuite) -> BTreeSet<String> {
        let cases = suite.files.iter().filter(|(path, _)| path.starts_with("cases"));
        let tags = |(_, text): &(_, String)| {
            let case: serde_json::Value = serde_saphyr::from_str(text).unwrap();
            let tags: Vec<String> = serde_json::from_value(case["tags"].clone()).unwrap();
            for facet in ["family:", "op:", "register:", "navigation:", "rows:", "toolkit:", "ids:", "finding:"] {
                assert!(tags.iter().any(|tag| tag.starts_with(facet) && tag.len() > facet.len()), "{facet} {tags:?}");
            }
            tags
        };
        cases.flat_map(tags).collect()
    }

    #[test]
    fn every_case_is_tagged_with_what_it_does_how_it_is_put_and_what_the_app_looks_like() {
        let library = Library::load().unwrap();
        let families = library.families(None);
        let suites = (0..6).flat_map(|seed| families.iter().map(move |family| (*family, seed)));
        let rich = suites.flat_map(|(family, seed)| tags(&GeneratedSuite::of_family(&library, family, seed).unwrap()));
        let plain = (0..8).flat_map(|seed| tags(&GeneratedSuite::of(&library, seed).unwrap()));
        let known: BTreeSet<String> = plain.chain(rich).collect();
        for tag in ["op:create", "op:mark", "op:order", "op:set-number", "register:goal", "register:template"] {
            assert!(known.contains(tag), "{tag} is not among {known:?}");
        }
        for tag in
            ["family:wallet", "navigation:bottom-bar", "toolkit:react-native", "extra:sign-in", "order:newest-last"]
        {
            assert!(known.contains(tag), "{tag} is not among {known:?}");
        }
        assert!(!known.contains("op:"), "an operation has no name");
    }
}
