//! How long embedding takes: medians for 1, 32 and 64 texts, through the model and from the cache. On a machine that does
//! other things too, the calling thread's processor time (Linux) is the figure to compare, with one thread.
//!
//! ```text
//! cargo bench --bench embedding -- [--models FOLDER] [--model NAME] [--runtime FILE] [--threads N]
//! ```

use clap::Parser;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tapwright::inference::{CachedEmbedder, Embedder, Manifest, OnnxEmbedder, Runtime};

const ROUNDS: usize = 15;

#[derive(Parser)]
struct Arguments {
    /// The folder with manifest.toml.
    #[arg(long, default_value = "models")]
    models: PathBuf,
    /// The model's name in the manifest; the first one unless given.
    #[arg(long)]
    model: Option<String>,
    /// The ONNX Runtime library; the one installed for the repository's own models unless given.
    #[arg(long)]
    runtime: Option<PathBuf>,
    /// Threads for one run.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Passed by cargo; means nothing here.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::parse();
    let manifest = Manifest::load(&arguments.models)?;
    let model = manifest.embedding_model(arguments.model.as_deref())?;
    let library = match arguments.runtime {
        Some(library) => library,
        None => Manifest::load(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("models"))?.runtime_library()?,
    };
    let runtime = Runtime::load(&library)?;
    let started = Instant::now();
    let embedder = OnnxEmbedder::open(&runtime, &manifest, model, arguments.threads)?;
    let opened = started.elapsed();
    let graph = manifest.folder(model).join(&model.graph);
    println!(
        "{}: {} dimensions, {:.1} MB, opened (with checksums and a trial run) in {} ms, {} thread(s), peak memory {}",
        model.name,
        embedder.dimensions(),
        std::fs::metadata(graph)?.len() as f64 / 1e6,
        opened.as_millis(),
        arguments.threads,
        peak_memory(),
    );

    println!("{:>6} {:>14} {:>18} {:>14}", "texts", "model, ms", "model, CPU ms", "cache, ms");
    let embedder = CachedEmbedder::new(embedder, 100_000);
    let mut fresh = 0;
    for count in [1, 32, 64] {
        let mut uncached = Vec::new();
        let mut processor = Vec::new();
        let mut cached = Vec::new();
        for _ in 0..ROUNDS {
            let texts: Vec<String> = (0..count)
                .map(|_| {
                    fresh += 1;
                    text(fresh)
                })
                .collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let before = processor_time();
            uncached.push(timed(&embedder, &texts)?);
            processor.push(processor_time().saturating_sub(before));
            cached.push(timed(&embedder, &texts)?);
        }
        let (model, cpu, cache) = (median(&mut uncached), median(&mut processor), median(&mut cached));
        println!("{count:>6} {model:>14.2} {cpu:>18.2} {cache:>14.4}");
    }
    println!("{:?}, {} model calls, peak memory {}", embedder.counts(), embedder.model_calls(), peak_memory());
    Ok(())
}

/// A text of 12 to 18 tokens like those of a screen, different for every number.
fn text(number: usize) -> String {
    const LABELS: [&str; 5] = [
        "Settings: display and brightness, dark theme switch, off",
        "Payments: select a bank for card-less binding",
        "Messages: reply to the latest conversation with thanks",
        "Checkout: remove the promo code from the basket",
        "Contacts: first name field of the new contact form",
    ];
    format!("{} {number}", LABELS[number % LABELS.len()])
}

fn timed(embedder: &impl Embedder, texts: &[&str]) -> Result<Duration, Box<dyn std::error::Error>> {
    let started = Instant::now();
    let vectors = embedder.embed(texts)?;
    let elapsed = started.elapsed();
    assert_eq!(vectors.len(), texts.len());
    Ok(elapsed)
}

/// What the calling thread has used so far; zero where Linux does not tell it.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse().ok()).unwrap_or(0))
}

/// In milliseconds.
fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e3
}

/// The process's largest resident size so far, where Linux tells it.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kib = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = kib.and_then(|text| text.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kib.map_or_else(|| "unknown".to_owned(), |kib| format!("{:.0} MB", kib / 1024.0))
}
