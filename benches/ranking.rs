//! How long a decision takes on a screen of 40 widgets: the first one, with nothing known, further ones on the same screen,
//! and the same one again.
//!
//! ```text
//! cargo bench --bench ranking -- [--threads N] [--against-python PYTHON --restored FOLDER]
//! ```
//!
//! `--against-python` lets sentence-transformers (on the weights that `models/training/restore.py` wrote to FOLDER) and plain
//! rankers on onnxruntime, one of which keeps a screen's vectors, embed the same texts, turn by turn in the same call, and
//! prints ratios with their spread.

use clap::Parser;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Instant;
use tapwright::domain::{PackageName, Size};
use tapwright::hierarchy::{Screen, ScreenInput};
use tapwright::lexicon::Lexicon;
use tapwright::pipeline::{Step, consider};
use tapwright::ranking::{Cues, Scorer, Weights};
use tapwright::skill::Library;

const ROUNDS: usize = 9;
const SCREENS: usize = 12;

#[derive(Parser)]
struct Arguments {
    /// Threads of the model, on all sides.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// A Python with sentence-transformers and onnxruntime (benches/requirements-python.txt).
    #[arg(long, requires = "restored")]
    against_python: Option<PathBuf>,
    /// The model as a Hugging Face folder.
    #[arg(long)]
    restored: Option<PathBuf>,
    /// Passed by cargo; means nothing here.
    #[arg(long, hide = true)]
    bench: bool,
}

type Failure = Box<dyn std::error::Error>;

/// Milliseconds of one round.
#[derive(Default)]
struct Round {
    first: Vec<f64>,
    further: Vec<f64>,
    again: Vec<f64>,
    /// Place of the candidate whose text is nearest to each ask.
    best: Vec<usize>,
}

impl Round {
    /// Decisions a second over the first and the further ones.
    fn throughput(&self) -> f64 {
        let all = self.first.iter().chain(&self.further);
        1000.0 * (self.first.len() + self.further.len()) as f64 / all.sum::<f64>()
    }
}

fn main() -> Result<(), Failure> {
    let arguments = Arguments::parse();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let embedder = tapwright::inference::open(&root.join("models"), None, arguments.threads)?;
    let skills = Library::load(&root.join("skills"))?;
    let (weights, cues) = (Weights::bundled()?, Cues::bundled()?);
    let scorer = Scorer { embedder: embedder.as_ref(), weights: &weights, cues: &cues, skills: &skills };
    let lexicon = Lexicon::bundled()?;
    let screens: Vec<Drawn> = (0..SCREENS).map(drawn).collect();
    let mut peers = Vec::new();
    if let (Some(python), Some(restored)) = (&arguments.against_python, &arguments.restored) {
        let shipped = root.join("models/ui-mpnet");
        for (kind, model, keep) in [
            ("sentence-transformers", restored.as_path(), false),
            ("onnxruntime", &shipped, false),
            ("onnxruntime", &shipped, true),
        ] {
            peers.push(Peer::start(python, kind, model, arguments.threads, keep)?);
        }
    }
    let mut ours = Vec::new();
    let mut theirs: Vec<Vec<Round>> = peers.iter().map(|_| Vec::new()).collect();
    for _ in 0..ROUNDS {
        ours.push(decide(&scorer, &lexicon, &screens)?);
        for (peer, rounds) in peers.iter_mut().zip(&mut theirs) {
            rounds.push(peer.round(&screens)?);
        }
    }
    let widgets = screens.iter().map(|screen| screen.screen.widgets.len()).sum::<usize>() / screens.len();
    println!(
        "{SCREENS} screens of {widgets} widgets, 4 decisions each, {ROUNDS} rounds, {} threads",
        arguments.threads
    );
    println!(
        "{:<26} {:>16} {:>16} {:>16} {:>14}",
        "median ms (p95)", "first", "further", "the same again", "decisions/s"
    );
    print_row("tapwright", &ours);
    for (peer, rounds) in peers.iter().zip(&theirs) {
        print_row(&peer.kind, rounds);
    }
    for (peer, rounds) in peers.iter().zip(&theirs) {
        let ratios = |of: &dyn Fn(&Round) -> f64| -> String {
            let mut ratios: Vec<f64> = ours.iter().zip(rounds).map(|(own, other)| of(own) / of(other)).collect();
            ratios.sort_by(f64::total_cmp);
            let middle = ratios[ratios.len() / 2];
            format!("{middle:.2} ({:.2} to {:.2})", ratios[0], ratios[ratios.len() - 1])
        };
        let speed = |times: &[f64]| times.len() as f64 / times.iter().sum::<f64>();
        let agreed = ours[0].best.iter().zip(&rounds[0].best).filter(|(own, other)| own == other).count();
        println!(
            "against {}: throughput {}; first decisions {}; further ones {}; the same nearest text in {agreed} of {}",
            peer.kind,
            ratios(&Round::throughput),
            ratios(&|round| speed(&round.first)),
            ratios(&|round| speed(&round.further)),
            ours[0].best.len(),
        );
    }
    Ok(())
}

/// A screen, its candidates' texts and four instructions.
struct Drawn {
    screen: Screen,
    texts: Vec<String>,
    asks: Vec<String>,
}

/// A settings page of 40 widgets whose texts no other number has.
fn drawn(number: usize) -> Drawn {
    const THINGS: [&str; 8] =
        ["Backup", "Display", "Playback", "Downloads", "Messages", "Account", "Calendar", "Navigation"];
    const PARTS: [&str; 10] = [
        "over Wi-Fi only",
        "dark theme",
        "storage location",
        "notification sound",
        "font size",
        "when charging",
        "daily summary",
        "delete after reading",
        "language",
        "sharing with friends",
    ];
    let mut dump = String::from("<hierarchy rotation=\"0\">");
    let mut node = |class: &str, text: &str, top: usize, left: usize, right: usize| {
        let touch = class != "TextView";
        let _ = write!(
            dump,
            "<node class=\"android.widget.{class}\" package=\"com.example.bench\" text=\"{text}\" clickable=\"{touch}\" \
             checkable=\"{}\" enabled=\"true\" resource-id=\"com.example.bench:id/entry_{top}\" bounds=\"[{left},{top}][{right},{}]\"/>",
            class == "Switch",
            top + 100
        );
    };
    let mut asks = Vec::new();
    for row in 0..20 {
        let name = format!("{} {}: {}", THINGS[(row + number) % 8], number + 1, PARTS[(row * 3 + number) % 10]);
        if row % 5 == 0 {
            asks.push(format!(
                "I want to change {} for {} {}",
                PARTS[(row * 3 + number) % 10],
                THINGS[(row + number) % 8],
                number + 1
            ));
        }
        node("Button", &name, row * 110, 0, 800);
        node(if row % 2 == 0 { "Switch" } else { "ImageButton" }, &format!("{name} {}", row + 1), row * 110, 810, 1000);
    }
    dump.push_str("</hierarchy>");
    let screen = Screen::perceive(ScreenInput {
        hierarchy: dump.as_bytes(),
        screenshot: None,
        display: Size::new(1080, 2400),
        foreground: None,
        keyboard_shown: false,
    });
    let texts = tapwright::ranking::widget_texts(&screen).iter().map(tapwright::ranking::WidgetText::joined).collect();
    Drawn { screen, texts, asks }
}

fn step(instruction: &str) -> Step {
    Step { index: 1, instruction: instruction.to_owned(), sentence: instruction.to_owned(), ..Step::default() }
}

fn decide(scorer: &Scorer<'_>, lexicon: &Lexicon, screens: &[Drawn]) -> Result<Round, Failure> {
    let package = PackageName::new("com.example.bench");
    scorer.embedder.forget();
    let mut round = Round::default();
    for drawn in screens {
        for (number, ask) in drawn.asks.iter().enumerate() {
            let step = step(ask);
            let began = Instant::now();
            let ranked = consider(scorer, lexicon, &[], &package, &step, &drawn.screen)?;
            let times = if number == 0 { &mut round.first } else { &mut round.further };
            times.push(began.elapsed().as_secs_f64() * 1000.0);
            let began = Instant::now();
            drop(consider(scorer, lexicon, &[], &package, &step, &drawn.screen)?);
            round.again.push(began.elapsed().as_secs_f64() * 1000.0);
            let meaning = |terms: &[(&str, f32)]| {
                terms.iter().find(|(name, _)| *name == "meaning").map_or(f32::NEG_INFINITY, |(_, value)| *value)
            };
            let nearest = ranked.iter().filter_map(|one| Some((one.candidate.widget?, meaning(&one.terms))));
            round
                .best
                .push(nearest.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).map_or(usize::MAX, |(id, _)| id));
        }
    }
    Ok(round)
}

/// A Python program that answers rounds.
struct Peer {
    kind: String,
    child: Child,
    said: BufReader<ChildStdout>,
}

impl Peer {
    fn start(python: &Path, kind: &str, model: &Path, threads: usize, keep: bool) -> Result<Self, Failure> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/against_python.py");
        let mut child = Command::new(python)
            .arg(script)
            .arg(kind)
            .arg(model)
            .arg(threads.to_string())
            .args(keep.then_some("keep"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let said = BufReader::new(child.stdout.take().ok_or("no stdout")?);
        let kept = if keep { ", vectors kept" } else { "" };
        let mut peer = Self { kind: format!("{kind}{kept}"), child, said };
        peer.line()?;
        Ok(peer)
    }

    fn line(&mut self) -> Result<serde_json::Value, Failure> {
        let mut line = String::new();
        self.said.read_line(&mut line)?;
        if line.is_empty() {
            return Err(format!("{} ended; its error is above", self.kind).into());
        }
        Ok(serde_json::from_str(&line)?)
    }

    fn round(&mut self, screens: &[Drawn]) -> Result<Round, Failure> {
        let asked: Vec<_> =
            screens.iter().map(|drawn| serde_json::json!({"texts": drawn.texts, "asks": drawn.asks})).collect();
        writeln!(self.child.stdin.as_mut().ok_or("no stdin")?, "{}", serde_json::to_string(&asked)?)?;
        let answer = self.line()?;
        Ok(Round {
            first: serde_json::from_value(answer["first"].clone())?,
            further: serde_json::from_value(answer["further"].clone())?,
            again: Vec::new(),
            best: serde_json::from_value(answer["best"].clone())?,
        })
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        drop(self.child.wait());
    }
}

fn print_row(name: &str, rounds: &[Round]) {
    let figures = |of: fn(&Round) -> &Vec<f64>| -> String {
        let mut all: Vec<f64> = rounds.iter().flat_map(of).copied().collect();
        all.sort_by(f64::total_cmp);
        if all.is_empty() {
            "–".into()
        } else {
            format!("{:.2} ({:.2})", all[all.len() / 2], all[all.len() * 95 / 100])
        }
    };
    let mut speeds: Vec<f64> = rounds.iter().map(Round::throughput).collect();
    speeds.sort_by(f64::total_cmp);
    println!(
        "{name:<26} {:>16} {:>16} {:>16} {:>14.0}",
        figures(|round| &round.first),
        figures(|round| &round.further),
        figures(|round| &round.again),
        speeds[speeds.len() / 2]
    );
}
