//! Hand-written event streams that the tests of all reports share.

use crate::domain::{
    Acquisition, Action, ActionRecord, ActionSource, Attribution, AttributionSign, CandidateView, CaseId, Counts,
    DeviceSerial, DeviceView, EventKind, ExpectationOutcome, InputText, Locator, Point, Rect, Rest, RunEvent, RunId,
    RunResult, ScreenView, Secret, Selector, StepResult, Target, Timings, Verdict,
};
use std::collections::BTreeMap;

/// The secret that must not appear anywhere.
pub(super) const SECRET: &str = "135790";

fn target(label: &str, bounds: Rect) -> Target {
    let chain = vec![Locator::Text(label.to_owned()), Locator::Bounds(bounds)];
    let selector = Selector { class: "android.widget.TextView".into(), nth: 0, chain };
    Target { label: label.into(), shown: None, selector, bounds, tap: bounds.center() }
}

fn click(label: &str, top: i32) -> Action {
    Action::Click { target: target(label, Rect::new(32, top, 688, top + 120)) }
}

fn keypad() -> Action {
    let keys = ('0'..='9').zip(0..).map(|(digit, n)| (digit, Point::new(100 + 200 * (n % 3), 900 + 90 * (n / 3))));
    Action::InputByNumericKeyboard {
        digits: InputText::Secret { name: "payment_password".into(), value: Secret::new(SECRET) },
        keys: keys.collect::<BTreeMap<_, _>>(),
    }
}

fn candidate(action: &Action, similarity: f32, bonus: f32) -> CandidateView {
    CandidateView {
        action: action.clone(),
        text: format!("{action} on \"Choose bank\""),
        score: similarity + bonus,
        terms: vec![("similarity".into(), similarity), ("words in common".into(), bonus)],
    }
}

fn screen(title: &str, screenshot: Option<&str>) -> EventKind {
    EventKind::ScreenObserved {
        screen: ScreenView {
            fingerprint: "9f2c41d07a".into(),
            foreground: Some("com.example.pay/.Main".into()),
            title: title.into(),
            kind: "ordinary".into(),
            picture_hash: None,
            widgets: 14,
            hierarchy: Some("screens/9f2c.xml".into()),
            screenshot: screenshot.map(str::to_owned),
        },
        observe_ms: 148.2,
        dumps: Vec::new(),
        pictures: Vec::new(),
        rest: Rest::Dump,
        diagnostics: Vec::new(),
    }
}

fn acted(step: usize, action: Action, score: Option<f32>, source: ActionSource, problem: Option<&str>) -> EventKind {
    let reason = problem.unwrap_or("the screen changed").to_owned();
    EventKind::Acted {
        step,
        action,
        score,
        source,
        valid: problem.is_none(),
        reason,
        act_ms: 31.0,
        settle_ms: 410.4,
        adb: vec!["input tap 540 450".into()],
    }
}

fn device() -> DeviceView {
    DeviceView { serial: DeviceSerial::new("127.0.0.1:6001"), profile: "pixel-6".into(), api: 34 }
}

fn started(title: &str) -> EventKind {
    EventKind::RunStarted {
        case_id: CaseId::new("PAY-0142").unwrap(),
        title: title.into(),
        device: device(),
        seed: 7,
        started_at: "2031-02-03T04:05:06Z".into(),
    }
}

/// The result of [`failed_run`].
pub(super) fn result() -> RunResult {
    RunResult {
        schema: 1,
        run_id: RunId::new("0190aa"),
        case_id: CaseId::new("PAY-0142").unwrap(),
        verdict: Verdict::Failed,
        reason: "1 of 2 expectations did not hold: visible: Card added".into(),
        flaky: false,
        repaired: false,
        attempts: 1,
        told_attempt: 1,
        device: device(),
        apps: Vec::new(),
        attribution: Some(Attribution {
            probability: 0.81,
            threshold: 0.62,
            signs: vec![
                AttributionSign { name: "every step is borne out".into(), value: 1.0, adds: 0.14 },
                AttributionSign { name: "share of what is expected that has come".into(), value: 0.0, adds: -0.03 },
            ],
            evidence: Vec::new(),
        }),
        steps: vec![StepResult {
            index: 1,
            instruction: "Select <bank>".into(),
            rewritten: "Select <bank> ${bank_name}".into(),
            verdict: Verdict::Passed,
            actions: vec![ActionRecord {
                skill: "click".into(),
                args: serde_json::json!({}),
                target: Some("Evergreen Bank".into()),
                score: Some(0.91),
                source: ActionSource::Agent,
            }],
            reason: "the next step's screen is here".into(),
            confidence: None,
        }],
        counts: Counts { actions: 3, model_calls: 2, dumps: 4, failed_dumps: 0 },
        diagnostics: Vec::new(),
        acquisition: Acquisition::default(),
        model: Some("ui-mpnet".into()),
        timings_ms: Timings { observe: 592.8, decide: 24.2, act: 93.0, settle: 1231.2, total: 2104.9 },
        script: None,
        artifacts: vec!["events.jsonl".into()],
    }
}

fn stream(kinds: Vec<EventKind>) -> Vec<RunEvent> {
    let event = |(seq, kind)| RunEvent { run_id: RunId::new("0190aa"), seq, at_ms: seq as f64 * 150.0, kind };
    (0..).zip(kinds).map(event).collect()
}

/// Two steps, an action without effect, a secret, hostile texts, a failed expectation.
pub(super) fn failed_run() -> Vec<RunEvent> {
    let (bank, other) = (click("Evergreen Bank", 400), click("Harbour Bank\u{1b}[2J <script>alert(1)</script>", 540));
    let decided = |step, action: &Action, bonus| EventKind::Decided {
        step,
        chosen: candidate(action, 0.79, bonus),
        runners_up: vec![candidate(&other, 0.41, 0.0), candidate(&Action::PressBack, 0.12, -0.05)],
        decide_ms: 12.1,
        why: "its meaning fits best, 0.50 before the next".into(),
        expects: "something on the screen changes".into(),
    };
    stream(vec![
        started("Bind a card & check <b>it</b>"),
        screen("Choose bank", Some("screens/one.png")),
        EventKind::StepStarted {
            index: 1,
            instruction: "Select <bank>".into(),
            rewritten: "Select <bank> ${bank_name}".into(),
        },
        decided(1, &other, 0.0),
        screen("Choose bank", Some("screens/one.png")),
        acted(1, other.clone(), Some(0.79), ActionSource::Agent, Some("the screen did not change")),
        decided(1, &bank, 0.12),
        screen("Payment password", Some("screens/missing.png")),
        acted(1, bank, Some(0.91), ActionSource::Agent, None),
        EventKind::StepFinished {
            index: 1,
            verdict: Verdict::Passed,
            reason: "the next step's screen is here".into(),
            confidence: None,
        },
        EventKind::StepStarted {
            index: 2,
            instruction: "Submit payment password".into(),
            rewritten: "Submit payment password ${payment_password} by the numeric keyboard".into(),
        },
        decided(2, &keypad(), 0.05),
        screen("Result", None),
        acted(2, keypad(), Some(0.84), ActionSource::Agent, None),
        EventKind::StepFinished { index: 2, verdict: Verdict::Passed, reason: "last step".into(), confidence: None },
        EventKind::ExpectationChecked {
            outcome: ExpectationOutcome {
                expectation: "visible: Card added".into(),
                held: false,
                evidence: "the screen shows: \"Card refused\", \"Done\"".into(),
                contradicted: false,
            },
        },
        EventKind::ExpectationChecked {
            outcome: ExpectationOutcome {
                expectation: "absent: Wrong password".into(),
                held: true,
                evidence: "not on the screen".into(),
                contradicted: false,
            },
        },
        EventKind::RunFinished { result: result() },
    ])
}

/// A script's replay with a repaired action, passed.
pub(super) fn replayed_run() -> Vec<RunEvent> {
    let result = RunResult {
        verdict: Verdict::Passed,
        reason: String::new(),
        repaired: true,
        script: Some("scripts/PAY-0142/pixel-6.toml".into()),
        ..result()
    };
    stream(vec![
        started("Bind a bank card"),
        screen("Home", Some("screens/one.png")),
        screen("Bills", Some("screens/one.png")),
        EventKind::StepStarted { index: 1, instruction: "Open Bills".into(), rewritten: "Open Bills".into() },
        acted(1, click("Bills, 3 open", 400), None, ActionSource::Script, None),
        screen("Details", None),
        acted(1, click("Details", 620), None, ActionSource::Repair, None),
        EventKind::StepFinished { index: 1, verdict: Verdict::Passed, reason: String::new(), confidence: None },
        EventKind::ScriptWritten { path: "scripts/PAY-0142/pixel-6.toml".into() },
        EventKind::RunFinished { result },
    ])
}

/// A run whose first attempt is [`failed_run`]'s, but blocked, and told, after a second one that came to nothing.
pub(super) fn run_of_two_attempts() -> Vec<RunEvent> {
    let mut events = failed_run();
    events.pop();
    let reason = "step 2: nothing fits".to_owned();
    let result = RunResult { verdict: Verdict::Blocked, reason, attempts: 2, told_attempt: 1, ..result() };
    let step = |kind| (kind, 9_000.0);
    for (kind, at_ms) in [
        step(EventKind::StartedOver { attempt: 2, otherwise: "proposals are weighed".into() }),
        step(EventKind::StepStarted { index: 1, instruction: "Again".into(), rewritten: "Again".into() }),
        step(EventKind::RunFinished { result }),
    ] {
        events.push(RunEvent { run_id: RunId::new("0190aa"), seq: events.len() as u64, at_ms, kind });
    }
    events
}
