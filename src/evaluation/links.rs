//! How well links inside texts are found: on labelled screens, and on paragraphs drawn here.

use super::Latency;
use super::links_cost::{LinkCost, cpu_ms};
use super::links_drawn::{DrawnParagraph, draw};
use super::links_free::{FreeParagraph, draw_without_links};
use crate::domain::{Rect, Screenshot, Size};
use crate::hierarchy::{Role, Screen, ScreenInput, Widget};
use crate::vision::{self, TextReader};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A screen with its links, a line of `links.jsonl`; the files lie beside it.
#[derive(Debug, Clone, Deserialize)]
pub struct LabelledScreen {
    /// Its name.
    pub screen: String,
    /// The dump.
    pub hierarchy: PathBuf,
    /// The picture.
    pub screenshot: PathBuf,
    /// Its links.
    pub links: Vec<LabelledLink>,
}

/// A link as it should be found.
#[derive(Debug, Clone, Deserialize)]
pub struct LabelledLink {
    /// Its words.
    pub text: String,
    /// Left, top, right and bottom on each line, in the picture's pixels.
    pub boxes: Vec<[i32; 4]>,
}

/// Why links could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum LinkEvaluationError {
    /// A file cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A line is not a labelled screen.
    #[error("{}:{line}: {reason}; a line is {{screen, hierarchy, screenshot, links: [{{text, boxes}}]}}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A paragraph could not be drawn.
    #[error("the generated paragraph {number} cannot be drawn: {reason}")]
    Drawing {
        /// Its number.
        number: usize,
        /// Why.
        reason: String,
    },
}

/// What became of a link.
#[derive(Debug, Clone, Serialize)]
pub struct LinkReport {
    /// The screen or paragraph.
    pub screen: String,
    /// The link's words.
    pub text: String,
    /// The label of the widget that was found for it.
    pub found: Option<String>,
    /// Whether touching that widget touches the link.
    pub hit: bool,
    /// Intersection over union of the boxes, 0–1.
    pub iou: f64,
}

/// Figures of a group of links.
#[derive(Debug, Clone, Default, Serialize)]
pub struct LinkScore {
    /// Links there are.
    pub links: usize,
    /// Links that a touch on the widget found for them hits.
    pub tap_hits: usize,
    /// Mean intersection over union of boxes; 0 for a link that was not found.
    pub mean_iou: f64,
    /// Links whose label says exactly their words.
    pub exact_texts: usize,
    /// Widgets found where no link is.
    pub false_links: usize,
    #[serde(skip)]
    iou_sum: f64,
}

/// Links that were found in paragraphs without any.
#[derive(Debug, Clone, Default, Serialize)]
pub struct LinkFree {
    /// Paragraphs without links.
    pub paragraphs: usize,
    /// Links found in them.
    pub false_links: usize,
    /// The same by what stands in the paragraph and is no link.
    pub by_ornament: BTreeMap<String, usize>,
    /// Each paragraph with the label of a link found in it.
    pub reports: Vec<(String, String)>,
}

/// The figures of a measurement.
#[derive(Debug, Clone, Serialize)]
pub struct LinkEvaluation {
    /// All links.
    #[serde(flatten)]
    pub total: LinkScore,
    /// Time a screen's links took to find, in milliseconds.
    pub latency_ms: Latency,
    /// Processor time a screen's links took to find, and memory.
    pub cost: LinkCost,
    /// By script, of generated paragraphs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub by_script: BTreeMap<String, LinkScore>,
    /// By style, of generated paragraphs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub by_style: BTreeMap<String, LinkScore>,
    /// Paragraphs without links, half as many as with, of generated ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link_free: Option<LinkFree>,
    /// Each link.
    pub reports: Vec<LinkReport>,
    /// What perception noted about the screens, each once.
    pub notes: Vec<String>,
}

/// A link with the boxes it has ink in and those that react to a touch.
struct Truth {
    text: String,
    ink: Vec<Rect>,
    reacts: Vec<Rect>,
}

#[derive(Default)]
struct Tally {
    total: LinkScore,
    by_script: BTreeMap<String, LinkScore>,
    by_style: BTreeMap<String, LinkScore>,
    reports: Vec<LinkReport>,
    times: Vec<f64>,
    cpu: Vec<f64>,
    link_free: Option<LinkFree>,
    notes: Vec<String>,
}

/// Models are opened and run once before anything is measured: that is no screen's cost.
fn warmed_up(reader: Option<&TextReader>) {
    if let Some((detector, recognizer)) = reader.and_then(|reader| reader.models().ok()) {
        let blank = Screenshot::blank(Size::new(320, 64));
        let _ = detector.detect(&blank);
        let _ = recognizer.recognize(&blank, &[Rect::new(0, 0, 320, 48)]);
    }
}

/// Measures on the screens that `file` names.
///
/// # Errors
/// A file is missing or malformed.
pub fn evaluate_labelled_links(
    file: &Path,
    reader: Option<&TextReader>,
) -> Result<LinkEvaluation, LinkEvaluationError> {
    let unreadable = |path: &Path, reason: String| LinkEvaluationError::Unreadable { path: path.to_owned(), reason };
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(file, error.to_string()))?;
    let folder = file.parent().unwrap_or(Path::new(""));
    warmed_up(reader);
    let mut tally = Tally::default();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let labelled: LabelledScreen = serde_json::from_str(line).map_err(|error| LinkEvaluationError::Line {
            path: file.to_owned(),
            line: at + 1,
            reason: error.to_string(),
        })?;
        let read = |path: &Path| {
            let path = folder.join(path);
            std::fs::read(&path).map_err(|error| unreadable(&path, error.to_string()))
        };
        let hierarchy = read(&labelled.hierarchy)?;
        let picture = vision::decode_png(&read(&labelled.screenshot)?)
            .map_err(|error| unreadable(&folder.join(&labelled.screenshot), error.to_string()))?;
        let truth = labelled.links.into_iter().map(|link| {
            let boxes: Vec<Rect> = link.boxes.iter().map(|&[l, t, r, b]| Rect::new(l, t, r, b)).collect();
            Truth { text: link.text, reacts: boxes.clone(), ink: boxes }
        });
        tally.screen(&labelled.screen, None, (&hierarchy, picture), &truth.collect::<Vec<_>>(), reader);
    }
    Ok(tally.finish())
}

/// Measures on `count` paragraphs drawn with the virtual device's typesetter, in all its scripts and in every style that
/// links have, and on half as many without links. [`DEVELOPMENT_SEED`](super::DEVELOPMENT_SEED) gives those that perception was developed on, any other
/// seed paragraphs it has not seen.
///
/// # Errors
/// A paragraph could not be drawn.
pub fn evaluate_drawn_links(
    count: usize,
    seed: u64,
    reader: Option<&TextReader>,
) -> Result<LinkEvaluation, LinkEvaluationError> {
    warmed_up(reader);
    let mut tally = Tally::default();
    for number in 0..count {
        let DrawnParagraph { script, style, hierarchy, picture, links } =
            draw(number, seed).map_err(|reason| LinkEvaluationError::Drawing { number, reason })?;
        let truth: Vec<Truth> =
            links.into_iter().map(|(link, ink)| Truth { text: link.text, ink, reacts: link.boxes }).collect();
        let name = format!("{number} {script} {style}");
        tally.screen(&name, Some((script, style)), (hierarchy.as_bytes(), picture), &truth, reader);
    }
    for number in 0..count.div_ceil(2) {
        let drawn = draw_without_links(number, seed);
        tally.free(drawn.map_err(|reason| LinkEvaluationError::Drawing { number, reason })?, reader);
    }
    Ok(tally.finish())
}

impl Tally {
    fn screen(
        &mut self,
        name: &str,
        group: Option<(&str, &str)>,
        (hierarchy, picture): (&[u8], Screenshot),
        truth: &[Truth],
        reader: Option<&TextReader>,
    ) {
        let mut screen = perceived(hierarchy, picture);
        let (started, cpu) = (Instant::now(), cpu_ms());
        vision::find_links(&mut screen, &[], reader);
        self.times.push(started.elapsed().as_secs_f64() * 1000.0);
        self.cpu.extend(cpu.zip(cpu_ms()).map(|(before, after)| after - before));
        for note in screen.tree.diagnostics.iter().map(|note| &note.message) {
            if !self.notes.contains(note) {
                self.notes.push(note.clone());
            }
        }
        let mut found: Vec<&Widget> = screen.widgets.iter().filter(|widget| widget.role == Role::Link).collect();
        for link in truth {
            let best = (0..found.len())
                .map(|at| (at, iou(&found[at].links, &link.ink)))
                .max_by(|a, b| a.1.total_cmp(&b.1))
                .filter(|(_, iou)| *iou > 0.0);
            let (widget, iou) = best.map_or((None, 0.0), |(at, iou)| (Some(found.remove(at)), iou));
            let hit = widget.is_some_and(|widget| link.reacts.iter().any(|place| place.contains(widget.tap)));
            let label = widget.map(|widget| widget.label.clone());
            let exact = label.as_deref().is_some_and(|label| flat(label) == flat(&link.text));
            self.scores(group, |score| {
                score.links += 1;
                score.tap_hits += usize::from(hit);
                score.exact_texts += usize::from(exact);
                score.iou_sum += iou;
            });
            let text = link.text.clone();
            self.reports.push(LinkReport { screen: name.to_owned(), text, found: label, hit, iou });
        }
        self.scores(group, |score| score.false_links += found.len());
    }

    fn free(&mut self, drawn: FreeParagraph, reader: Option<&TextReader>) {
        let FreeParagraph { name, ornament, hierarchy, picture } = drawn;
        let mut screen = perceived(hierarchy.as_bytes(), picture);
        vision::find_links(&mut screen, &[], reader);
        let found = screen.widgets.iter().filter(|widget| widget.role == Role::Link).map(|widget| widget.label.clone());
        let found: Vec<(String, String)> = found.map(|label| (name.clone(), label)).collect();
        let free = self.link_free.get_or_insert_default();
        free.paragraphs += 1;
        free.false_links += found.len();
        *free.by_ornament.entry(ornament.to_owned()).or_default() += found.len();
        free.reports.extend(found);
    }

    fn scores(&mut self, group: Option<(&str, &str)>, mut change: impl FnMut(&mut LinkScore)) {
        change(&mut self.total);
        if let Some((script, style)) = group {
            change(self.by_script.entry(script.to_owned()).or_default());
            change(self.by_style.entry(style.to_owned()).or_default());
        }
    }

    fn finish(mut self) -> LinkEvaluation {
        let groups = self.by_script.values_mut().chain(self.by_style.values_mut());
        for score in groups.chain([&mut self.total]) {
            score.mean_iou = if score.links == 0 { 0.0 } else { score.iou_sum / score.links as f64 };
        }
        LinkEvaluation {
            total: self.total,
            latency_ms: Latency::of(&mut self.times),
            cost: LinkCost::of(self.cpu),
            by_script: self.by_script,
            by_style: self.by_style,
            link_free: self.link_free,
            reports: self.reports,
            notes: self.notes,
        }
    }
}

fn perceived(hierarchy: &[u8], picture: Screenshot) -> Screen {
    let display: Size = picture.size();
    Screen::perceive(ScreenInput {
        hierarchy,
        screenshot: Some(picture),
        display,
        foreground: None,
        keyboard_shown: false,
    })
}

/// Of two sets of boxes; the boxes of a set do not overlap.
fn iou(found: &[Rect], truth: &[Rect]) -> f64 {
    let area = |boxes: &[Rect]| boxes.iter().map(|place| place.area()).sum::<i64>();
    let both: i64 = found.iter().flat_map(|a| truth.iter().filter_map(|b| a.intersection(*b))).map(Rect::area).sum();
    let union = area(found) + area(truth) - both;
    if union > 0 { both as f64 / union as f64 } else { 0.0 }
}

/// Letters and digits only: the brackets around a title may or may not count.
fn flat(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !c.is_ascii_punctuation() && !"《》「」。、，".contains(*c)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::DEVELOPMENT_SEED;
    use super::*;

    #[test]
    fn boxes_on_two_lines_count_together() {
        let (first, second) = (Rect::new(0, 0, 100, 10), Rect::new(0, 20, 50, 30));
        assert!((iou(&[first, second], &[first, second]) - 1.0).abs() < 1e-9);
        assert!((iou(&[first], &[first, second]) - 2.0 / 3.0).abs() < 1e-9);
        assert!(iou(&[second], &[first]).abs() < 1e-9);
        assert!(iou(&[], &[]).abs() < 1e-9);
    }

    #[test]
    fn every_script_and_style_is_drawn_with_its_links() {
        let drawn = evaluate_drawn_links(18, DEVELOPMENT_SEED, None).expect("drawn");
        assert!(drawn.by_script.len() >= 9 && drawn.by_style.len() >= 8, "{:?}", drawn.by_style.keys());
        assert_eq!(drawn.total.links, drawn.reports.len());
        for (style, score) in drawn.by_style.iter().filter(|(style, _)| !style.contains("photo")) {
            assert_eq!(score.tap_hits, score.links, "{style}: {:#?}", drawn.reports);
        }
        let free = drawn.link_free.expect("paragraphs without links");
        assert_eq!((free.paragraphs, free.false_links), (9, 0), "{:?}", free.reports);
    }

    #[test]
    fn a_missing_file_and_a_bad_line_are_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("links.jsonl");
        let error = evaluate_labelled_links(&file, None).expect_err("missing").to_string();
        assert!(error.contains("links.jsonl"), "{error}");
        std::fs::write(&file, "\n{\"screen\": 1}\n").expect("written");
        let error = evaluate_labelled_links(&file, None).expect_err("malformed").to_string();
        assert!(error.contains("links.jsonl:2"), "{error}");
    }
}
