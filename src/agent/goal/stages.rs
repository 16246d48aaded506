//! A goal in stages: "do this, then that".

use super::cues::GoalCues;
use crate::agent::Parameter;
use crate::agent::step::Step;

/// The stages of a goal, in order; one where it has only one. A text in quotes and a parameter's value are never cut.
pub(super) fn stages(goal: &Step, parameters: &[Parameter], cues: &GoalCues) -> Vec<Step> {
    let text = goal.instruction.as_str();
    let kept: Vec<(usize, usize)> = goal
        .named
        .iter()
        .filter(|name| !name.is_empty())
        .flat_map(|name| text.match_indices(name.as_str()).map(|(at, found)| (at, at + found.len())))
        .collect();
    let mut cuts: Vec<(usize, usize)> = cues
        .then
        .iter()
        .flat_map(|joint| text.match_indices(joint.as_str()).map(|(at, found)| (at, at + found.len())))
        .filter(|(start, end)| !kept.iter().any(|(from, to)| start < to && from < end))
        .collect();
    cuts.sort_by_key(|(start, end)| (*start, std::cmp::Reverse(*end)));
    let mut pieces = Vec::new();
    let mut from = 0;
    for (start, end) in cuts.into_iter().chain([(text.len(), text.len())]) {
        if start >= from
            && let Some(piece) = text.get(from..start)
        {
            pieces.push(piece.trim().to_owned());
            from = end;
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    if pieces.len() < 2 {
        return vec![goal.clone()];
    }
    let mut stages: Vec<Step> = pieces.iter().map(|piece| stage(goal, parameters, piece)).collect();
    // What no stage shows, such as a secret, may be meant by any.
    let told = |name: &String, stages: &[Step]| stages.iter().any(|stage| stage.mentions.contains(name));
    let orphans: Vec<String> = goal.mentions.iter().filter(|name| !told(name, &stages)).cloned().collect();
    for stage in &mut stages {
        stage.mentions.extend(orphans.iter().cloned());
    }
    for at in 0..stages.len() {
        let elsewhere: Vec<String> = stages
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .flat_map(|(_, stage)| stage.mentions.iter().cloned())
            .collect();
        let own = stages[at].mentions.clone();
        stages[at].reserved.extend(elsewhere.into_iter().filter(|name| !own.contains(name)));
    }
    stages
}

fn stage(goal: &Step, parameters: &[Parameter], piece: &str) -> Step {
    let shown = |text: &String| piece.contains(text.as_str());
    let value = |name: &String| {
        let of_name = parameters.iter().find(|parameter| parameter.name == *name);
        of_name.filter(|parameter| !parameter.value.is_secret()).map(|parameter| parameter.value.expose().to_owned())
    };
    let mentioned = |name: &&String| value(name).is_some_and(|value| shown(&value));
    Step {
        instruction: piece.to_owned(),
        sentence: piece.to_owned(),
        mentions: goal.mentions.iter().filter(mentioned).cloned().collect(),
        quoted: goal.quoted.iter().filter(|text| shown(text)).cloned().collect(),
        named: goal.named.iter().filter(|text| shown(text)).cloned().collect(),
        ..goal.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::InputText;

    #[test]
    fn each_stage_has_its_own_parameters_and_the_others_wait() {
        let parameter =
            |name: &str, value: &str| Parameter { name: name.into(), value: InputText::Plain(value.into()) };
        let parameters = [parameter("first", "one, then two"), parameter("second", "three")];
        let goal = Step {
            instruction: "Count one, then two, then clear the text and count three".into(),
            mentions: vec!["first".into(), "second".into(), "pin".into()],
            named: vec!["one, then two".into(), "three".into()],
            ..Step::default()
        };
        let stages = stages(&goal, &parameters, &GoalCues::bundled().unwrap());
        let said: Vec<&str> = stages.iter().map(|stage| stage.instruction.as_str()).collect();
        assert_eq!(said, ["Count one, then two", "clear the text and count three"]);
        assert_eq!(stages[0].mentions, ["first", "pin"]);
        assert_eq!(stages[0].reserved, ["second"]);
        assert_eq!(stages[1].named, ["three"]);
    }

    #[test]
    fn a_goal_of_one_stage_stays_as_it_is() {
        let goal = Step { instruction: "Authenticate and send it".into(), ..Step::default() };
        assert_eq!(stages(&goal, &[], &GoalCues::bundled().unwrap()), [goal]);
    }
}
