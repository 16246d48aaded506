//! Contributor tasks: `cargo xtask <verb>`. Set-up, tests, demo, lints; what the product itself does lives in the
//! `tapwright` command, never here.

mod bench;
mod client_suite;
mod clients;
mod demo;
mod failure;
mod framework;
mod framework_archive;
mod framework_cases;
mod framework_figures;
mod framework_link;
mod framework_pages;
mod framework_played;
mod full_size_model;
mod host;
mod lint;
mod packages;
mod progress;
mod release;
mod runtime;
mod setup;
mod summary;
mod test;
mod verb;
mod workspace;

use failure::Failure;
use std::process::ExitCode;
use verb::{Call, Verb};
use workspace::Workspace;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match verb::parse(&words) {
        Call::Help => {
            print!("{}", verb::HELP);
            ExitCode::SUCCESS
        }
        Call::Unknown(word) => {
            eprintln!("xtask: there is no verb {word:?}\n");
            eprint!("{}", verb::HELP);
            ExitCode::from(2)
        }
        Call::Run(verb, arguments) => match run(verb, &arguments) {
            Ok(()) => ExitCode::SUCCESS,
            Err(failure) => {
                if !matches!(failure, Failure::Told) {
                    eprintln!("xtask {}: {failure}", verb.name());
                }
                ExitCode::from(failure.exit_code())
            }
        },
    }
}

fn run(verb: Verb, arguments: &[String]) -> Result<(), Failure> {
    let workspace = Workspace::locate()?;
    match verb {
        Verb::Setup => setup::run(&workspace),
        Verb::Test => test::run(&workspace, arguments),
        Verb::Demo => demo::run(&workspace, arguments),
        Verb::Lint => lint::run(&workspace),
        Verb::FullSizeModel => full_size_model::run(&workspace),
        Verb::Bench => bench::run(&workspace, arguments),
        Verb::Clients => client_suite::run(&workspace, arguments),
        Verb::Framework => framework::run(&workspace, arguments),
        Verb::Release => release::run(&workspace, arguments),
    }
}
