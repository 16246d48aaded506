//! Steps that are done only where a text is shown, from the case to the script.

use crate::bench::Bench;
use std::time::Duration;
use tapwright::domain::Verdict;
use tapwright::run::RepairMode;
use tapwright::script::Script;
use tapwright::virtual_device::VirtualDeviceConfig;

const REST: &str = "  - Turn on fingerprint payment\nexpect:\n  - checked: {widget: Fingerprint payment, is: true}\nbudget: \
                    {actions: 14, time: 2m}\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_shown_is_left_out_and_what_is_done_is_optional_in_the_script() {
    let mut bench = Bench::new().await;
    let serial = bench.device(VirtualDeviceConfig::default()).await;
    bench.hurry(Duration::from_millis(500));
    // A window that no step speaks of comes first.
    bench.change_app("show_welcome: false", "show_welcome: true");
    let steps = "steps:\n  - {step: Tap \"Rate this app\", optional: true}\n  - when: Win a prize\n    steps:\n      - Open Security\n  \
                 - when: This stands nowhere\n    steps:\n      - Open Bills\n      - Open Help\n";
    bench.add_case("OPT-0001", &format!("{steps}{REST}"));
    let result = bench.run("OPT-0001", &serial).await;
    assert_eq!(result.verdict, Verdict::Passed, "{}", result.reason);
    let told: Vec<(bool, bool)> = result
        .steps
        .iter()
        .map(|step| {
            let touched =
                step.actions.iter().any(|action| action.target.as_deref().is_some_and(|label| label != "Not now"));
            (step.reason.starts_with("left out: "), touched)
        })
        .collect();
    let expected = [(true, false), (false, true), (true, false), (true, false), (false, true)];
    assert_eq!(told, expected, "{:#?}", result.steps);
    assert!(result.steps[3].reason.contains("This stands nowhere"), "{:#?}", result.steps[3]);

    let script = Script::read(&bench.path(result.script.as_deref().unwrap())).unwrap();
    let needed: Vec<(usize, bool)> = script.actions.iter().map(|action| (action.step, action.optional)).collect();
    assert!(needed.iter().any(|(step, optional)| *step == 2 && *optional), "{needed:?}");
    assert!(needed.iter().all(|(step, optional)| *optional == (*step < 5)), "{needed:?}");
    let again = bench.replay_in_process(&script, &serial, RepairMode::Off).await;
    assert_eq!((again.verdict, again.counts.model_calls), (Verdict::Passed, 0), "{}", again.reason);

    // What a case checks under a condition is never left out of its script.
    let steps =
        "steps:\n  - when: Win a prize\n    steps:\n      - Open Security\n      - Check that \"Pay limit\" is shown\n";
    bench.add_case("OPT-0002", &format!("{steps}{REST}"));
    let result = bench.run("OPT-0002", &serial).await;
    assert_eq!(result.verdict, Verdict::Passed, "{}", result.reason);
    let script = Script::read(&bench.path(result.script.as_deref().unwrap())).unwrap();
    assert!(script.actions.iter().all(|action| !action.optional), "{script:#?}");
    assert!(script.actions.iter().any(|action| !action.checks.is_empty()), "{script:#?}");
}
