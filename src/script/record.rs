//! From what was done to a script.

use super::format::{AppView, COMPANY_FORMAT, DisplayView, FORMAT, Script, ScriptAction, ScriptActor, ScriptTarget};
use crate::device::DeviceInfo;
use crate::domain::{Action, CaseId, Expectation, InputText, Target};
use crate::hierarchy::Fingerprint;
use crate::skill::{DeviceStep, ExpandError, Library};
use std::collections::BTreeMap;
use std::time::Duration;

/// One valid action as it was carried out.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionTrace {
    /// The step, from 1.
    pub step: usize,
    /// The step's instruction as the case has it.
    pub instruction: String,
    /// The action.
    pub action: Action,
    /// Characters the field held before.
    pub held: usize,
    /// The screen it was chosen on.
    pub before: Fingerprint,
    /// Its title.
    pub screen: String,
    /// The screen it led to.
    pub after: Fingerprint,
    /// Who did it, where it takes several devices.
    pub actor: Option<String>,
    /// How long its screen was waited for.
    pub waited: Duration,
    /// How long it was put off although it could have been done.
    pub pause: Duration,
    /// What was checked before it, and held.
    pub checks: Vec<Expectation>,
}

/// Who acts, and on what; empty for one device.
pub type Cast = BTreeMap<String, ScriptActor>;

/// Makes a script of the actions of a run that reached its goal. Waiting is left out: replay waits for each guard.
#[expect(clippy::too_many_arguments, reason = "the parts of a script come from six different rooms")]
pub fn record(
    skills: &Library,
    case_id: &CaseId,
    title: &str,
    profile: &str,
    recorded_at: &str,
    app: AppView,
    device: &DeviceInfo,
    expectations: &[Expectation],
    cast: Cast,
    traces: &[ActionTrace],
) -> Result<Script, ExpandError> {
    let mut secrets = Vec::new();
    let mut actions = Vec::new();
    // What was checked before a wait, and by whom, is checked before what that actor did next.
    let mut checked: Vec<(Option<&String>, &Expectation)> = Vec::new();
    for trace in traces {
        checked.extend(trace.checks.iter().map(|check| (trace.actor.as_ref(), check)));
        if matches!(trace.action, Action::Wait { .. }) {
            continue;
        }
        let mut action = script_action(skills, trace)?;
        let own = checked.extract_if(.., |(actor, _)| *actor == trace.actor.as_ref());
        action.checks = own.map(|(_, check)| check.clone()).collect();
        if let Some(name) = action.secret.clone().filter(|name| !secrets.contains(name)) {
            secrets.push(name);
        }
        actions.push(action);
    }
    Ok(Script {
        format: if cast.is_empty() { FORMAT } else { COMPANY_FORMAT },
        case_id: case_id.clone(),
        title: title.to_owned(),
        profile: profile.to_owned(),
        recorded_at: recorded_at.to_owned(),
        tapwright: env!("CARGO_PKG_VERSION").to_owned(),
        secrets,
        seal: None,
        app,
        device: DisplayView::of(device),
        actors: cast,
        actions,
        expectations: expectations.to_vec(),
    })
}

impl DisplayView {
    /// The display of a device.
    pub fn of(device: &DeviceInfo) -> Self {
        Self {
            model: device.model.clone(),
            api: device.api,
            width: device.display.width,
            height: device.display.height,
            density: device.density,
            locale: device.locale.clone(),
        }
    }
}

/// Milliseconds, where there are enough of them to matter.
fn worth_waiting(time: Duration) -> Option<u64> {
    (time >= Duration::from_secs(1)).then(|| u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

fn script_action(skills: &Library, trace: &ActionTrace) -> Result<ScriptAction, ExpandError> {
    let steps = skills.expand(&trace.action, trace.held)?;
    let adb = steps
        .iter()
        .filter_map(|step| match step {
            DeviceStep::Run(line) => Some(line.to_string()),
            DeviceStep::AwaitChange(_) => None,
        })
        .collect();
    let mut recorded = ScriptAction {
        step: trace.step,
        instruction: trace.instruction.clone(),
        actor: trace.actor.clone(),
        waited_ms: worth_waiting(trace.waited),
        pause_ms: worth_waiting(trace.pause),
        optional: false,
        skill: trace.action.skill().to_owned(),
        before: trace.before,
        after: trace.after,
        screen: trace.screen.clone(),
        text: None,
        secret: None,
        direction: None,
        area: None,
        package: None,
        adb,
        target: trace.action.target().map(script_target),
        keys: BTreeMap::new(),
        checks: Vec::new(),
    };
    match &trace.action {
        Action::InputText { text, .. } => set_text(&mut recorded, text),
        Action::InputByNumericKeyboard { digits, keys } => {
            set_text(&mut recorded, digits);
            recorded.keys = keys.iter().map(|(key, at)| (key.to_string(), *at)).collect();
        }
        Action::Scroll { direction, area } => {
            recorded.direction = Some(*direction);
            recorded.area = Some(*area);
        }
        Action::SwipeSelector { direction, .. } => recorded.direction = Some(*direction),
        Action::OpenApp { package } => recorded.package = Some(package.clone()),
        Action::Click { .. }
        | Action::LongPress { .. }
        | Action::PressBack
        | Action::PressEnter
        | Action::Wait { .. } => {}
    }
    Ok(recorded)
}

fn set_text(recorded: &mut ScriptAction, text: &InputText) {
    match text {
        InputText::Plain(text) => recorded.text = Some(text.clone()),
        InputText::Secret { name, .. } => recorded.secret = Some(name.clone()),
    }
}

fn script_target(target: &Target) -> ScriptTarget {
    ScriptTarget {
        label: target.shown_label().to_owned(),
        bounds: target.bounds,
        tap: target.tap,
        selector: target.selector.clone(),
    }
}
