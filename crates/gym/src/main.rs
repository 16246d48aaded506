//! `cargo run -p tapwright-gym -- generate --seeds 0..50 --out DIR`.

use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use tapwright_gym::{GeneratedSuite, GymError, Library, Split};

const HELP: &str = "Writes generated apps with cases and walkthroughs, a suite for each seed.

Usage: cargo run -p tapwright-gym -- generate --seeds FROM..TO --out DIR [--split train|choose|held-out] [--family NAME]

Without a split or family the first eight families take turns, an app for each seed. With a split each of its families
makes an app for each seed, with everything that such an app can do and bugs to plant; --family chooses one.
`held-out` is for figures only: nobody looks at what goes wrong there.

`tapwright eval decisions DIR --fit FILE` learns from them; `tapwright eval suite DIR` examines the agent on them.
The same seed makes the same suite. TO is not included.
";

/// What is asked on the command line.
struct Request {
    seeds: Range<u64>,
    out: PathBuf,
    split: Option<Split>,
    family: Option<String>,
}

impl Request {
    /// The families that make apps; none where the first ones take turns.
    fn families(&self, library: &Library) -> Vec<String> {
        match (&self.family, self.split) {
            (Some(family), _) => vec![family.clone()],
            (None, Some(split)) => library.families(Some(split)).into_iter().map(str::to_owned).collect(),
            (None, None) => Vec::new(),
        }
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.is_empty() || words.iter().any(|word| word == "--help" || word == "-h") {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let request = match parse(&words) {
        Ok(request) => request,
        Err(reason) => {
            eprintln!("gym: {reason}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match generate(&request) {
        Ok((apps, cases)) => {
            println!("{apps} apps with {cases} cases are in {}", request.out.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("gym: {error}");
            ExitCode::FAILURE
        }
    }
}

fn generate(request: &Request) -> Result<(usize, usize), GymError> {
    let library = Library::load()?;
    let (mut apps, mut cases) = (0, 0);
    let families = request.families(&library);
    for seed in request.seeds.clone() {
        let suites: Vec<GeneratedSuite> = if families.is_empty() {
            vec![GeneratedSuite::of(&library, seed)?]
        } else {
            let of = |family: &String| GeneratedSuite::of_family(&library, family, seed);
            families.iter().map(of).collect::<Result<_, _>>()?
        };
        for suite in suites {
            suite.write(&request.out)?;
            apps += 1;
            cases += suite.cases;
        }
    }
    Ok((apps, cases))
}

fn parse(words: &[String]) -> Result<Request, String> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ["generate", rest @ ..] = words.as_slice() else {
        return Err("the first word must be `generate`".to_owned());
    };
    let (mut seeds, mut out, mut split, mut family) = (None, None, None, None);
    for pair in rest.chunks(2) {
        match pair {
            ["--seeds", range] => seeds = Some(seeds_of(range)?),
            ["--split", name] => split = Some(split_of(name)?),
            ["--family", name] => family = Some((*name).to_owned()),
            ["--out", folder] => out = Some(PathBuf::from(folder)),
            [word, ..] => return Err(format!("{word} is not understood or lacks its value")),
            [] => {}
        }
    }
    let seeds = seeds.ok_or("--seeds FROM..TO is missing")?;
    if split.is_some() && family.is_some() {
        return Err("give --split or --family, not both".to_owned());
    }
    Ok(Request { seeds, out: out.ok_or("--out DIR is missing")?, split, family })
}

fn split_of(name: &str) -> Result<Split, String> {
    let known = Split::ALL.map(|(known, _)| known).join(", ");
    let found = Split::ALL.iter().find(|(known, _)| *known == name);
    found.map(|(_, split)| *split).ok_or_else(|| format!("there is no split {name}; known are {known}"))
}

fn seeds_of(text: &str) -> Result<Range<u64>, String> {
    let range = text.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    range
        .filter(|range: &Range<u64>| !range.is_empty())
        .ok_or_else(|| format!("{text} is no range of seeds such as 0..50"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_understood_is_named() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let request = parse(&words("generate --seeds 3..5 --out x")).unwrap_or_else(|reason| panic!("{reason}"));
        assert_eq!((request.seeds, request.out), (3..5, PathBuf::from("x")));
        for (line, said) in [
            ("play", "`generate`"),
            ("generate --out x", "--seeds"),
            ("generate --seeds 5..5 --out x", "no range"),
            ("generate --seeds 1..2 --out", "lacks its value"),
            ("generate --seeds 1..2 --out x --split test", "no split test"),
            ("generate --seeds 1..2 --out x --split train --family chat", "not both"),
        ] {
            let reason = parse(&words(line)).err().unwrap_or_default();
            assert!(reason.contains(said), "{line}: {reason}");
        }
    }
}
