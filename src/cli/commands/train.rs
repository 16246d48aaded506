//! `tapwright train`.

use super::{plural, print_json, train_export, train_policy};
use crate::app::Workspace;
use crate::case::Rewriter;
use crate::cli::{Exit, Failure, TrainCommand, TrainTextsArgs, TrainWeightsArgs, table};
use crate::evaluation::{apart, fit_weights, read_labels, screen_texts};
use crate::ranking::Weights;
use std::io::Write;
use std::path::Path;

/// Prepares what the ranking is made from.
pub(super) fn train(command: &TrainCommand, workspace: &Workspace) -> Result<Exit, Failure> {
    match command {
        TrainCommand::Export(args) => train_export::export(args),
        TrainCommand::Texts(args) => texts(args),
        TrainCommand::Weights(args) => weights(args, workspace),
        TrainCommand::Policy(args) => train_policy::policy(args, workspace),
    }
}

fn weights(args: &TrainWeightsArgs, workspace: &Workspace) -> Result<Exit, Failure> {
    let mut screens = read_labels(&args.data, None).map_err(Failure::usage)?;
    if let Some(measured) = &args.apart_from {
        let measured = read_labels(measured, None).map_err(Failure::usage)?;
        let (kept, left_out) = apart(screens, &measured);
        anstream::eprintln!("left out {} that the measured ones are like", plural(left_out, "screen"));
        screens = kept;
    }
    if screens.is_empty() {
        return Err(Failure::nothing_selected(format!("{} holds no label", args.data.display())));
    }
    let judgement = match &args.model {
        Some(name) => workspace.judgement_by(Some(name)),
        None => workspace.judgement(),
    };
    let judgement = judgement.map_err(Failure::infrastructure)?;
    let skills = workspace.skills().map_err(Failure::usage)?;
    let scorer = judgement.scorer(&skills);
    let rewriter = Rewriter::bundled().map_err(Failure::usage)?;
    let fit = fit_weights((&scorer, &judgement.knowledge), &rewriter, &screens).map_err(Failure::infrastructure)?;
    if let Some(path) = &args.update {
        let text = std::fs::read_to_string(path).map_err(|error| Failure::unreadable(path, &error))?;
        let text = updated(&text, &fit.weights);
        Weights::parse(&text).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
        written(path, text.as_bytes())?;
    }
    if args.json {
        print_json(&fit)?;
    } else {
        let mut rows = vec![["TERM", "BEFORE", "AFTER"].map(str::to_owned).to_vec()];
        let mut before = judgement.weights;
        rows.extend(fit.weights.iter().map(|(name, after)| {
            let before = before.term_mut(name).map_or(0.0, |weight| *weight);
            vec![(*name).to_owned(), format!("{before:.3}"), format!("{after:.3}")]
        }));
        table::print_fitting(&rows);
    }
    anstream::eprintln!(
        "{}: {:.1} % right before, {:.1} % after, {:.1} % on apps that were held out",
        plural(fit.labels, "label"),
        fit.before * 100.0,
        fit.after * 100.0,
        fit.held_out * 100.0
    );
    Ok(Exit::Passed)
}

/// The weights file with new numbers; its comments and everything else stay.
fn updated(text: &str, weights: &[(&'static str, f32)]) -> String {
    let line = |line: &str| {
        let new = line.split_once('=').and_then(|(name, rest)| {
            let (_, weight) = weights.iter().find(|(term, _)| *term == name.trim())?;
            let comment = rest.find('#').map_or("", |at| &rest[at..]);
            let number = format!("{} = {weight:.3}", name.trim());
            Some(if comment.is_empty() { number } else { format!("{number:<22}{comment}") })
        });
        new.unwrap_or_else(|| line.to_owned()) + "\n"
    };
    text.lines().map(line).collect()
}

fn texts(args: &TrainTextsArgs) -> Result<Exit, Failure> {
    let screens = read_labels(&args.data, None).map_err(Failure::usage)?;
    let mut lines = Vec::new();
    let mut count = 0;
    for screen in &screens {
        let texts = screen_texts(screen);
        count += texts.candidates.len();
        serde_json::to_writer(&mut lines, &texts).map_err(Failure::infrastructure)?;
        lines.push(b'\n');
    }
    written(&args.output, &lines)?;
    anstream::eprintln!("wrote {} of {}", plural(count, "candidate"), plural(screens.len(), "screen"));
    Ok(Exit::Passed)
}

fn written(path: &Path, content: &[u8]) -> Result<(), Failure> {
    write(path, content).map_err(|error| {
        Failure::usage(format!(
            "cannot write {}: {error}; check that its folder exists and may be written",
            path.display()
        ))
    })
}

/// Under another name first, so that no reader ever sees half a file.
fn write(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".tmp");
    let temporary = path.with_file_name(name);
    let mut file = std::fs::File::create(&temporary)?;
    file.write_all(content)?;
    file.sync_all()?;
    std::fs::rename(&temporary, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_weights_keep_the_comments_of_the_file() {
        let text = "# Head\nmeaning = 0.80        # cosine = x\nwords=1\n\nnothing_fits = 0.36 # y\n";
        let new = updated(text, &[("meaning", 0.5), ("words", 0.25)]);
        assert_eq!(new, "# Head\nmeaning = 0.500       # cosine = x\nwords = 0.250\n\nnothing_fits = 0.36 # y\n");
    }
}
