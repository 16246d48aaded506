//! The command line: which verb, with which arguments.

/// What `cargo xtask` prints without a verb.
pub(crate) const HELP: &str = "\
Contributor tasks of Tapwright.

Usage: cargo xtask <VERB> [ARGUMENTS]

Verbs:
  setup             check (and where possible install) system packages, build, fetch runtime libraries and models
  demo              setup, then run a bundled case on an embedded virtual device and replay its script
  test              setup, then every test of the workspace; ARGUMENTS go to `cargo test`
  lint              rustfmt, clippy, rustdoc and cargo-deny; changes nothing
  bench             the benchmarks; ARGUMENTS go to `cargo bench`
  framework         run an APK (without one: Google's ApiDemos) on the real Android framework in a JVM, for
                    `tapwright emulate --framework`; skipped where a JDK, Maven or npm is missing. --figures measures it,
                    --pages TAPWRIGHT counts the pages that the agent opens by touch, --cases TAPWRIGHT runs the
                    cases of tests/framework and replays their scripts
  clients           other people's adb clients against `tapwright emulate`; NAMES choose among them; skipped where they
                    cannot be fetched
  release           an archive with program and model, a Debian package and checksums, in target/dist; `--binary FILE`
                    packs that program in place of a release build, `--output DIR` puts them elsewhere
  full-size-model   make an MPNet of 110 M random weights, load it, print its dimensions, size and speed

Exit codes: 0 done, 1 a check or test failed, 2 usage, 3 something is missing on this machine.
Everything is idempotent; once `setup` has been through, nothing needs the network.
";

/// What a contributor can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Setup,
    Test,
    Demo,
    Lint,
    FullSizeModel,
    Bench,
    Framework,
    Clients,
    Release,
}

impl Verb {
    const ALL: [Self; 9] = [
        Self::Setup,
        Self::Test,
        Self::Demo,
        Self::Lint,
        Self::FullSizeModel,
        Self::Bench,
        Self::Framework,
        Self::Clients,
        Self::Release,
    ];

    /// As it is typed.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Test => "test",
            Self::Demo => "demo",
            Self::Lint => "lint",
            Self::FullSizeModel => "full-size-model",
            Self::Bench => "bench",
            Self::Framework => "framework",
            Self::Clients => "clients",
            Self::Release => "release",
        }
    }

    /// Whether words after the verb are passed on to the command behind it.
    const fn takes_arguments(self) -> bool {
        matches!(self, Self::Test | Self::Demo | Self::Bench | Self::Framework | Self::Clients | Self::Release)
    }
}

/// A parsed command line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Help,
    /// A word that is no verb, or an argument the verb does not take.
    Unknown(String),
    Run(Verb, Vec<String>),
}

/// Reads the words after `cargo xtask`.
pub(crate) fn parse(words: &[String]) -> Call {
    let Some((first, arguments)) = words.split_first() else { return Call::Help };
    if matches!(first.as_str(), "help" | "-h" | "--help") {
        return Call::Help;
    }
    let Some(verb) = Verb::ALL.into_iter().find(|verb| verb.name() == first) else {
        return Call::Unknown(first.clone());
    };
    match arguments.first() {
        Some(extra) if !verb.takes_arguments() => Call::Unknown(format!("{first} {extra}")),
        _ => Call::Run(verb, arguments.to_vec()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn without_a_verb_help_is_printed() {
        assert_eq!(parse(&[]), Call::Help);
        assert_eq!(parse(&words("--help")), Call::Help);
    }

    #[test]
    fn every_verb_is_found_by_its_name_and_explained_in_the_help() {
        for verb in Verb::ALL {
            assert_eq!(parse(&words(verb.name())), Call::Run(verb, Vec::new()));
            assert!(HELP.contains(&format!("\n  {} ", verb.name())), "{} is not explained", verb.name());
        }
    }

    #[test]
    fn unknown_verbs_and_stray_arguments_are_refused() {
        assert_eq!(parse(&words("tset")), Call::Unknown("tset".into()));
        assert_eq!(parse(&words("lint --fix")), Call::Unknown("lint --fix".into()));
    }

    #[test]
    fn arguments_after_test_are_passed_on() {
        assert_eq!(parse(&words("test --lib adb::")), Call::Run(Verb::Test, words("--lib adb::")));
    }
}
