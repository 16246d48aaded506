//! Where the ranking fails, so that a person can see why: instruction, chosen, right, both drawn on the screen.

use super::ranking::is_hit;
use super::ranking_labels::{Label, LabelledScreen};
use super::ranking_score::{RankingReport, RankingScore};
use crate::domain::Rect;
use crate::ranking::Ranked;
use crate::vision;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Wrong answers that are drawn; the rest is listed.
const MOST_DRAWN: usize = 120;
/// Candidates that are shown with their terms.
const SHOWN: usize = 5;
/// Width of a drawing, in pixels.
const WIDTH: u32 = 270;

const CHOSEN: [u8; 3] = [0xD3, 0x2F, 0x2F];
const RIGHT: [u8; 3] = [0x1B, 0x7F, 0x3B];

/// A report that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {reason}; check that the folder may be written and has room", path.display())]
pub struct GalleryError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub reason: String,
}

/// Collects wrong answers while they are found.
#[derive(Debug)]
pub struct Gallery {
    folder: PathBuf,
    text: String,
    wrong: usize,
}

impl Gallery {
    /// A gallery in `folder`, which is made where it is missing.
    pub fn new(folder: &Path) -> Result<Self, GalleryError> {
        let pictures = folder.join("screens");
        std::fs::create_dir_all(&pictures)
            .map_err(|error| GalleryError { path: pictures, reason: error.to_string() })?;
        Ok(Self { folder: folder.to_owned(), text: String::new(), wrong: 0 })
    }

    /// Notes an answer of `model`, if it is wrong.
    pub fn note(
        &mut self,
        model: &str,
        labelled: &LabelledScreen,
        label: &Label,
        ranked: &[Ranked],
    ) -> Result<(), GalleryError> {
        if ranked.first().is_some_and(|best| is_hit(label, &best.candidate)) {
            return Ok(());
        }
        self.wrong += 1;
        let place = ranked.iter().position(|ranked| is_hit(label, &ranked.candidate));
        let said = place.map_or("not a candidate".to_owned(), |place| format!("at place {}", place + 1));
        let out = &mut self.text;
        let instruction = one_line(&label.instruction);
        let _ = writeln!(out, "### {}: {instruction}\n", label.id);
        let _ = writeln!(out, "{model}, {} {}, {}: right one {said}\n", label.lang, label.style, label.skill);
        if self.wrong <= MOST_DRAWN {
            let name = format!("screens/{}-{}.png", plain(model), plain(&label.id));
            if draw(&self.folder.join(&name), labelled, label, ranked.first())? {
                let _ = writeln!(out, "![chosen red, right green]({name})\n");
            }
        }
        let _ = writeln!(out, "| | score | action | text | terms |\n|---|---|---|---|---|");
        let shown = ranked.iter().enumerate().filter(|(at, _)| *at < SHOWN || Some(*at) == place);
        for (at, one) in shown {
            let mark = if is_hit(label, &one.candidate) { "**right**" } else { "" };
            let action = one_line(&one.candidate.action.to_string());
            let text = one_line(&one.candidate.text);
            let _ = writeln!(out, "| {} {mark} | {:.3} | {action} | {text} | {} |", at + 1, one.score, terms(one));
        }
        out.push('\n');
        Ok(())
    }

    /// Writes `report.md` and `gallery.md`.
    pub fn finish(self, data: &Path, reports: &[RankingReport]) -> Result<PathBuf, GalleryError> {
        let write = |name: &str, text: &str| {
            let path = self.folder.join(name);
            std::fs::write(&path, text)
                .map_err(|error| GalleryError { path: path.clone(), reason: error.to_string() })
                .map(|()| path)
        };
        let head =
            format!("# Wrong answers\n\n{} in all. Red is what was chosen, green what is right.\n\n", self.wrong);
        write("gallery.md", &format!("{head}{}", self.text))?;
        write("report.md", &markdown(data, reports))
    }
}

/// The terms of a score: `meaning 0.41, said 0.25`.
fn terms(ranked: &Ranked) -> String {
    let terms: Vec<String> =
        ranked.terms.iter().map(|(name, value)| format!("{} {value:.2}", name.replace('_', " "))).collect();
    terms.join(", ")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

/// Draws the screen with both places; false where there is nothing to draw on.
fn draw(path: &Path, labelled: &LabelledScreen, label: &Label, best: Option<&Ranked>) -> Result<bool, GalleryError> {
    let failed = |reason: String| GalleryError { path: path.to_owned(), reason };
    let picture = labelled
        .picture
        .as_ref()
        .and_then(|file| std::fs::read(file).ok())
        .and_then(|bytes| vision::decode_png(&bytes).ok());
    let chosen = best.and_then(|best| super::ranking_texts::place(&best.candidate).0);
    let mut marks: Vec<(Rect, [u8; 3])> = label.places().map(|at| (at, RIGHT)).collect();
    marks.extend(chosen.map(|at| (at, CHOSEN)));
    let Some(drawn) = vision::marked(&labelled.screen, picture.as_ref(), WIDTH, &marks) else { return Ok(false) };
    let png = vision::encode_png(&drawn).map_err(|error| failed(error.to_string()))?;
    std::fs::write(path, png).map_err(|error| failed(error.to_string()))?;
    Ok(true)
}

fn markdown(data: &Path, reports: &[RankingReport]) -> String {
    let name = data.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut out = format!("# Ranking on {name}\n\n");
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    let _ = writeln!(
        out,
        "| model | labels | hit@1 | hit@2 | hit@3 | widgets hit@1 | widgets hit@3 | reachable | skill | cold ms p50 | warm ms p50 | decisions/s |\n|---|---|---|---|---|---|---|---|---|---|---|---|"
    );
    for report in reports {
        let (all, widgets) = (&report.total, &report.widgets);
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.1} | {:.2} | {:.0} |",
            report.model,
            all.n,
            percent(all.hit_at.one),
            percent(all.hit_at.two),
            percent(all.hit_at.three),
            percent(widgets.hit_at.one),
            percent(widgets.hit_at.three),
            percent(all.reachable),
            percent(all.skill_accuracy),
            report.cold_ms.p50,
            report.warm_ms.p50,
            report.decisions_per_s
        );
    }
    for report in reports {
        let groups = [
            ("style", &report.by_style),
            ("language", &report.by_lang),
            ("English or not (widgets)", &report.english_or_not),
            ("skill", &report.by_skill),
            ("whether the screen is apart from what was trained on", &report.apart),
        ];
        for (title, group) in groups.into_iter().filter(|(_, group)| !group.is_empty()) {
            let _ = writeln!(out, "\n## {}, by {title}\n", report.model);
            table(&mut out, group);
        }
        let Some(none) = &report.none_of_these else { continue };
        let _ = writeln!(out, "\n## {}, none of these\n", report.model);
        let _ = writeln!(out, "| threshold | chosen where nothing fits | right choices refused |\n|---|---|---|");
        let used = (none.threshold, none.false_positives, none.lost);
        for (threshold, wrong, lost) in std::iter::once(&used).chain(&none.others) {
            let _ = writeln!(out, "| {threshold:.2} | {} | {} |", percent(*wrong), percent(*lost));
        }
    }
    out.push_str("\nWrong answers, drawn: [gallery.md](gallery.md)\n");
    out
}

fn table(out: &mut String, group: &BTreeMap<String, RankingScore>) {
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    let _ = writeln!(out, "| | labels | hit@1 | hit@2 | hit@3 | reachable | skill |\n|---|---|---|---|---|---|---|");
    for (name, score) in group {
        let _ = writeln!(
            out,
            "| {name} | {} | {} | {} | {} | {} | {} |",
            score.n,
            percent(score.hit_at.one),
            percent(score.hit_at.two),
            percent(score.hit_at.three),
            percent(score.reachable),
            percent(score.skill_accuracy)
        );
    }
}
