//! Ten prepared failures: whether their cause stands on the console's last lines or the report's first screen, where somebody who
//! sees a red run looks first. `docs/evidence/first-screens.md` tells what was read there.

use crate::bench::{Bench, Said, repository};
use regex::Regex;
use tapwright::virtual_device::VirtualDeviceConfig;

/// What somebody reads without opening anything else: the end of the console, and the top of the report, where there is one.
fn first_screen(bench: &Bench, said: &Said) -> String {
    let lines: Vec<&str> = said.stderr.lines().collect();
    let console = lines.iter().rev().take(12).rev().copied().collect::<Vec<_>>().join("\n");
    let report = std::fs::read_to_string(bench.path("runs/latest/report.html")).unwrap_or_default();
    let card = report.split("<section class=\"card why\">").nth(1).and_then(|rest| rest.split("<details>").next());
    let text = Regex::new("<[^>]*>").unwrap().replace_all(card.unwrap_or_default(), " ").into_owned();
    let plain = [("&quot;", "\""), ("&#x27;", "'"), ("&#x2f;", "/"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    let shown = plain.iter().fold(format!("{console}\n{text}"), |text, (code, letter)| text.replace(code, letter));
    // The console breaks its lines where they would be too long.
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A failure: what is changed, the command (with `SERIAL` for the device), its exit code, and what tells the cause.
struct Prepared {
    change: fn(&Bench),
    command: &'static [&'static str],
    code: i32,
    cause: &'static [&'static str],
}

fn nothing(_: &Bench) {}

async fn check(rows: &[Prepared]) {
    for Prepared { change, command, code, cause } in rows {
        let mut bench = Bench::new().await;
        let serial = bench.device(VirtualDeviceConfig::default()).await;
        change(&bench);
        let words: Vec<&str> =
            command.iter().map(|word| if *word == "SERIAL" { serial.as_str() } else { *word }).collect();
        let said = bench.tapwright(&words).await;
        let shown = first_screen(&bench, &said);
        assert_eq!(said.code, Some(*code), "{command:?}: {said:?}");
        for part in *cause {
            assert!(shown.contains(part), "{command:?}: {part:?} is not on the first screen:\n{shown}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_app_did_wrong_stands_on_the_first_screen() {
    check(&[
        Prepared {
            change: |bench| {
                bench.change("cases/PAY-0002.case.yaml", "expect:\n", "expect:\n  - visible: $25.00\n");
                bench.change_app("bug_wrong_amount: false", "bug_wrong_amount: true");
            },
            command: &["run", "PAY-0002", "--device", "SERIAL"],
            code: 1,
            cause: &["Enter the payment password", "$25.00", "$26.00"],
        },
        Prepared {
            change: |bench| bench.change_app("crash_on_help: false", "crash_on_help: true"),
            command: &["run", "PAY-0006", "--device", "SERIAL"],
            code: 1,
            cause: &["the app crashed: java.lang.IllegalStateException: HelpRepository has no articles"],
        },
        Prepared {
            change: |bench| {
                let own = bench.path("scripts/PAY-0008");
                std::fs::create_dir_all(&own).unwrap();
                let name = "virtual-phone.toml";
                std::fs::copy(repository("scripts/PAY-0008").join(name), own.join(name)).unwrap();
                bench.change_app("{id: bills, title: Bills,", "{id: invoices, title: Invoices,");
            },
            command: &["replay", "PAY-0008", "--device", "SERIAL"],
            code: 1,
            cause: &["iverged at action 1: \"Bills\" is not there, \"Invoices\" is in its place (on the screen \"Lantern Pay\")"],
        },
        Prepared {
            change: |bench| bench.change_app("Corner Coffee", "Corner Cafe"),
            command: &["run", "PAY-0008", "--device", "SERIAL"],
            code: 1,
            cause: &["Corner Coffee", "nearest on", "Corner Cafe"],
        },
        Prepared {
            change: nothing,
            command: &["run", "PAY-0002", "--device", "SERIAL", "--param", "payment_password=000000"],
            code: 1,
            cause: &["Transfer complete", "he app said \"Wrong password\""],
        },
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_case_or_the_bench_got_wrong_stands_on_the_first_screen() {
    check(&[
        Prepared {
            change: nothing,
            command: &["run", "PAY-0006", "--device", "SERIAL"],
            code: 1,
            cause: &["Open Help", "Your refund has been paid out", "How do I bind a card?"],
        },
        Prepared {
            change: nothing,
            command: &["run", "PAY-0007", "--device", "SERIAL"],
            code: 1,
            cause: &["tep 2: nothing on \"Lantern Pay\" fits", "Likeliest on its screen"],
        },
        Prepared {
            change: nothing,
            command: &["run", "PAY-0011", "--device", "SERIAL"],
            code: 1,
            cause: &["\"bank_name\"", "Zenith Bank", "was neither entered nor chosen"],
        },
        Prepared {
            change: |bench| std::fs::remove_file(bench.path("apps/pay.app.yaml")).unwrap(),
            command: &["run", "PAY-0008", "--device", "SERIAL"],
            code: 2,
            cause: &["PAY-0008: the app's file", "pay.app.yaml is missing"],
        },
        Prepared {
            change: nothing,
            command: &["run", "PAY-0008", "--device", "emulator-9999"],
            code: 3,
            cause: &["emulator-9999: no such device is connected"],
        },
    ])
    .await;
}
