//! A run as one HTML file that needs nothing else: no network, no script framework, no folder beside it.

use super::ReportError;
use super::error::write_whole;
use super::story::{ActionStory, StepStory, Story};
use super::thumbnail::{Album, Thumbnail};
use super::words::{action_words, count, duration, first_part, plain_line, shortened};
use crate::domain::{Action, CandidateView, Point, Rect, RunEvent, ScreenView, Timings};
use minijinja::{Environment, Value, context};
use std::path::Path;

/// The page. The name's ending switches automatic escaping on.
const TEMPLATE: (&str, &str) = ("run.html", include_str!("run.html"));

/// What the terms of a score mean, for the page's legend and the bars' tooltips. A term that is not listed shows only its
/// name.
const TERMS: &[(&str, &str)] = &[
    ("meaning", "how close the widget's words are in meaning to the step (the language model's similarity)"),
    ("asked words", "words of the step that the widget shows"),
    ("own words", "words of the widget that the step says"),
    ("said", "the step says the whole label"),
    ("letters", "runs of letters that step and label share"),
    ("background", "the step resembles any widget more or less than usual; the same for all"),
    ("cue", "the step uses a verb of this skill, such as \u{201c}open\u{201d} for click"),
    ("input cue", "the step speaks of typing"),
    ("long press cue", "the step speaks of touching and holding"),
    ("scroll cue", "the step speaks of scrolling"),
    ("wait cue", "the step speaks of waiting"),
    ("back key", "the step speaks of the system's back key"),
    ("rare skill", "the skill is seldom what a step means, unless it says so"),
    ("scroll prior", "scrolling is worth trying when nothing on the screen fits"),
    ("scroll meaning", "how close the step is in meaning to looking further"),
    ("done before", "the same action was already done in this step"),
    ("parameter", "how well the parameter fits the field"),
    ("mentioned", "the step mentions that parameter"),
    ("unmentioned", "the step mentions other parameters, but not this one"),
    ("form", "the step is about a form, and this sends it or agrees to it"),
    ("form filled", "the form is filled in, and this sends it"),
    ("form field", "a field of the form the step is about"),
    ("advance", "the button goes on to the next screen"),
    ("role", "the step names this kind of widget"),
    ("place", "the step says where on the screen it is"),
    ("order", "the step counts, and this is the one"),
    ("switch", "the step says how something is to be switched, and this can be"),
    ("state", "the widget already is as the step wants it"),
    ("named", "the widget shows the text that the step names"),
    ("named missing", "the step names a text, and this widget does not show it"),
    ("towards", "turns the wheel, or scrolls, the way the step wants"),
    ("touch field", "a field is touched where most want to type"),
    ("inert", "the app does not call it clickable"),
    ("disabled", "the app calls it disabled"),
    ("hint", "a hint of the case or the workspace speaks of it"),
    ("expected", "how close it is in meaning to what the case expects in the end"),
    ("onward", "it sends, confirms or leads on"),
    ("sends", "something was typed here that is not sent yet"),
    ("unasked", "it does something of consequence that the goal does not ask for"),
    ("refusal", "it drops what was begun"),
    ("again", "it was touched before"),
    ("any value", "the case says that any value will do; this one is drawn from the seed"),
    ("nothing fits yet", "no action on the screen fits the step, so the app is given time"),
];

/// Characters of the reason in the banner; all of it stands with its step or expectation.
const BANNER_REASON: usize = 180;

/// Below this distance between the best and the next best score, the alternatives are shown unfolded.
const CLOSE_CALL: f32 = 0.1;

/// Writes the page of a run, whole or not at all. `folder` is the run's folder, where its screenshots lie.
pub fn write_html(path: &Path, events: &[RunEvent], folder: &Path) -> Result<(), ReportError> {
    write_whole(path, render_html(events, folder)?.as_bytes())
}

/// The page of a run. A screenshot that cannot be read is left out and named under "Diagnostics".
pub fn render_html(events: &[RunEvent], folder: &Path) -> Result<String, ReportError> {
    let story = Story::fold(events);
    let mut album = Album::new(folder);
    let steps: Vec<Value> = story.steps.iter().map(|step| step_view(step, &mut album)).collect();
    let last = story.last_screen.as_ref().map(|screen| screen_view(screen, None, &mut album));
    let glossary = glossary(&story);
    let result = story.result.as_ref();
    let facts: Vec<String> = result.map_or_else(Vec::new, |result| {
        vec![
            count(result.counts.actions, "action"),
            count(result.counts.model_calls, "model call"),
            count(result.counts.dumps, "screen dump"),
            count(u64::from(result.attempts), "attempt"),
        ]
    });
    let mut diagnostics = story.oddities.clone();
    diagnostics.extend(album.into_problems());
    let expectations: Vec<Value> = story
        .expectations
        .iter()
        .map(|outcome| {
            let (words, evidence) = (plain_line(&outcome.expectation), plain_line(&outcome.evidence));
            context! { words, evidence, held => outcome.held }
        })
        .collect();
    let view = context! {
        verdict => result.map_or_else(|| "unfinished".to_owned(), |result| result.verdict.to_string()),
        reason => result.map(|result| shortened(&plain_line(&result.reason), BANNER_REASON)).unwrap_or_default(),
        flaky => result.is_some_and(|result| result.flaky),
        repaired => result.is_some_and(|result| result.repaired),
        total => result.map(|result| duration(result.timings_ms.total)),
        shares => result.map(|result| shares(&result.timings_ms)).unwrap_or_default(),
        artifacts => result.map(|result| result.artifacts.clone()).unwrap_or_default(),
        case_id => story.case_id,
        title => plain_line(&story.title),
        device => story.device.as_ref().map(|device| plain_line(&format!(
            "{} · {} · API {}", device.serial, device.profile, device.api
        ))),
        run_id => story.run_id,
        seed => story.seed,
        started_at => started(&story.started_at),
        script => story.script,
        events => events.len(),
        version => env!("CARGO_PKG_VERSION"),
        facts,
        steps,
        expectations,
        last,
        diagnostics,
        glossary,
    };
    let mut environment = Environment::new();
    environment.add_template(TEMPLATE.0, TEMPLATE.1)?;
    Ok(environment.get_template(TEMPLATE.0)?.render(view)?)
}

/// A time of an event as people write it; what does not look like RFC 3339 stays as it is.
fn started(at: &str) -> String {
    match at.split_once('T').zip(at.get(11..19)) {
        Some(((day, _), clock)) if at.ends_with('Z') => format!("{day} {clock} UTC"),
        _ => plain_line(at),
    }
}

/// The terms that this run's scores have, explained.
fn glossary(story: &Story) -> Vec<Value> {
    let used = |name: &str| {
        let choices = story.steps.iter().flat_map(|step| &step.actions).filter_map(|action| action.choice.as_ref());
        let mut candidates = choices.flat_map(|choice| std::iter::once(&choice.chosen).chain(&choice.runners_up));
        candidates.any(|candidate| candidate.terms.iter().any(|(term, _)| term == name))
    };
    let listed = TERMS.iter().filter(|(name, _)| used(name));
    listed.map(|&(name, meaning)| context! { name, meaning }).collect()
}

fn meaning_of(term: &str) -> Option<&'static str> {
    TERMS.iter().find(|(name, _)| *name == term).map(|(_, meaning)| *meaning)
}

/// Where the time went, in percent of the whole.
fn shares(timings: &Timings) -> Vec<Value> {
    let known = timings.observe + timings.decide + timings.act + timings.settle;
    let whole = timings.total.max(known).max(f64::MIN_POSITIVE);
    [
        ("observe", timings.observe),
        ("decide", timings.decide),
        ("act", timings.act),
        ("settle", timings.settle),
        ("other", whole - known),
    ]
    .into_iter()
    .filter(|(_, ms)| *ms >= 0.5)
    .map(|(name, ms)| context! { name, time => duration(ms), percent => format!("{:.2}", 100.0 * ms / whole) })
    .collect()
}

fn step_view(step: &StepStory, album: &mut Album<'_>) -> Value {
    let (verdict, reason) = match &step.end {
        Some((verdict, reason)) => (verdict.to_string(), plain_line(reason)),
        None => ("unfinished".to_owned(), String::new()),
    };
    let took_ms: f64 = step.actions.iter().map(|action| action.took_ms).sum();
    let rewritten = (step.rewritten != step.instruction).then(|| plain_line(&step.rewritten));
    context! {
        index => step.index,
        instruction => plain_line(&step.instruction),
        rewritten,
        verdict,
        reason,
        took => (took_ms > 0.0).then(|| duration(took_ms)),
        actions => step.actions.iter().map(|action| action_view(action, album)).collect::<Vec<_>>(),
    }
}

fn action_view(story: &ActionStory, album: &mut Album<'_>) -> Value {
    let done = story.done.as_ref();
    let choice = story.choice.as_ref();
    let mut times = Vec::new();
    if let Some(choice) = choice {
        times.push(format!("decide {}", duration(choice.decide_ms)));
    }
    if let Some(done) = done {
        times.push(format!("act {}", duration(done.act_ms)));
        times.push(format!("settle and read the screen {}", duration(done.settle_ms)));
    }
    let score = done.and_then(|done| done.score).or(choice.map(|choice| choice.chosen.score));
    let state = done.map_or("skipped", |done| if done.valid { "valid" } else { "invalid" });
    let next_best = choice.and_then(|choice| choice.runners_up.first());
    // Another field of the same form is no rival: its turn comes.
    let waits = |next: &CandidateView| next.terms.iter().any(|(name, _)| name == "parameter");
    let close = choice
        .zip(next_best)
        .is_some_and(|(choice, next)| choice.chosen.score - next.score < CLOSE_CALL && !waits(next));
    let target = story.action.target();
    let rest = target.map(|target| target.label.trim_start_matches(first_part(&target.label)).trim_start_matches(", "));
    context! {
        words => action_words(&story.action),
        rest => rest.filter(|rest| !rest.is_empty()).map(plain_line),
        selector => target.map(|target| plain_line(&target.selector.to_string())),
        tap => target.map(|target| format!("{}, {}", target.tap.x, target.tap.y)),
        score => score.map(|score| format!("{score:.2}")),
        source => done.map(|done| format!("{:?}", done.source).to_lowercase()),
        state,
        close,
        // A plan or a window's answer goes before what the ranking of one screen would choose.
        outvoted => choice.zip(next_best).is_some_and(|(choice, next)| choice.chosen.score < next.score),
        next_best => next_best.map(|next| format!("{} {:.2}", action_words(&next.action), next.score)),
        reason => done.map(|done| plain_line(&done.reason)),
        why => choice.map(|choice| plain_line(&choice.why)).filter(|why| !why.is_empty()),
        expects => choice.map(|choice| plain_line(&choice.expects)).filter(|expects| !expects.is_empty()),
        // What was certain was compared with nothing.
        compared => choice
            .filter(|choice| !matches!(choice.chosen.terms.as_slice(), [(_, value)] if *value >= 1.0))
            .map(|choice| plain_line(&choice.chosen.text))
            .filter(|text| !text.is_empty()),
        terms => choice.map(|choice| terms(&choice.chosen)).unwrap_or_default(),
        rivals => choice.map(|choice| choice.runners_up.iter().map(rival).collect::<Vec<_>>()).unwrap_or_default(),
        screen => story.before.as_ref().map(|screen| screen_view(screen, Some(&story.action), album)),
        took => done.map(|_| duration(story.took_ms)),
        times,
    }
}

fn terms(candidate: &CandidateView) -> Vec<Value> {
    let term = |(name, value): &(String, f32)| {
        let width = (value.abs() * 100.0).clamp(0.0, 100.0);
        context! {
            name => plain_line(name),
            meaning => meaning_of(name),
            value => format!("{value:+.2}"),
            width => format!("{width:.1}"),
            sign => if *value < 0.0 { "minus" } else { "plus" },
        }
    };
    candidate.terms.iter().map(term).collect()
}

fn rival(candidate: &CandidateView) -> Value {
    let why: Vec<String> = candidate.terms.iter().map(|(name, value)| format!("{name} {value:+.2}")).collect();
    context! {
        words => plain_line(&candidate.action.to_string()),
        score => format!("{:.2}", candidate.score),
        why => plain_line(&why.join(", ")),
    }
}

fn screen_view(screen: &ScreenView, action: Option<&Action>, album: &mut Album<'_>) -> Value {
    let thumbnail = screen.screenshot.as_deref().and_then(|artifact| album.get(artifact));
    let marks = thumbnail.as_ref().zip(action).map(|(thumbnail, action)| marks(action, thumbnail));
    context! {
        title => plain_line(&screen.title),
        kind => (screen.kind != "ordinary").then(|| plain_line(&screen.kind.replace('_', " "))),
        foreground => screen.foreground.as_deref().map(plain_line),
        widgets => count(screen.widgets as u64, "widget"),
        fingerprint => plain_line(&screen.fingerprint),
        uri => thumbnail.as_ref().map(|thumbnail| thumbnail.uri.clone()),
        ratio => thumbnail.map(|thumbnail| format!("{} / {}", thumbnail.display.width, thumbnail.display.height)),
        marks,
    }
}

/// Where an action touches the screen, in percent of the display: no pixel of the picture is changed.
fn marks(action: &Action, thumbnail: &Thumbnail) -> Value {
    let display = thumbnail.display;
    let percent = |pixels: i32, whole: u32| format!("{:.2}", 100.0 * f64::from(pixels) / f64::from(whole.max(1)));
    let boxed = |rect: Rect| {
        context! {
            left => percent(rect.left, display.width),
            top => percent(rect.top, display.height),
            width => percent(rect.width(), display.width),
            height => percent(rect.height(), display.height),
        }
    };
    let dot =
        |point: Point| context! { left => percent(point.x, display.width), top => percent(point.y, display.height) };
    let (rect, points) = match action {
        Action::Click { target }
        | Action::LongPress { target }
        | Action::InputText { target, .. }
        | Action::SwipeSelector { target, .. } => (Some(target.bounds), vec![target.tap]),
        // Every key gets a dot: the page must not tell which digits were pressed.
        Action::InputByNumericKeyboard { keys, .. } => (None, keys.values().copied().collect()),
        Action::Scroll { area, .. } => (Some(*area), Vec::new()),
        Action::PressBack | Action::PressEnter | Action::Wait { .. } | Action::OpenApp { .. } => (None, Vec::new()),
    };
    let visible = rect.and_then(|rect| rect.intersection(display.rect()));
    context! { rect => visible.map(boxed), dots => points.into_iter().map(dot).collect::<Vec<_>>() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    /// A folder with one 720 × 1280 screenshot.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("screens")).unwrap();
        let picture = image::RgbImage::from_fn(90, 160, |_, y| image::Rgb([230, 235, if y < 16 { 120 } else { 240 }]));
        picture.save(folder.path().join("screens/one.png")).unwrap();
        folder
    }

    /// The page without what changes with the encoder and the release.
    fn stable(page: &str) -> String {
        let uri = regex::Regex::new("data:image/png;base64,[A-Za-z0-9+/=]+").unwrap();
        let page = uri.replace_all(page, "data:image/png;base64,…");
        page.replace(&format!("Tapwright {}", env!("CARGO_PKG_VERSION")), "Tapwright VERSION")
    }

    #[test]
    fn a_failed_run_is_one_page_with_everything_on_it() {
        let folder = folder();
        let page = render_html(&sample::failed_run(), folder.path()).unwrap();
        insta::assert_snapshot!(stable(&page));
        assert!(page.contains("screenshot screens&#x2f;missing.png: "), "the unreadable screenshot is named");
    }

    #[test]
    fn texts_of_app_and_case_are_escaped_and_nothing_is_loaded_from_elsewhere() {
        let folder = folder();
        let page = render_html(&sample::failed_run(), folder.path()).unwrap();
        assert!(page.contains("&lt;script&gt;") && page.contains("Select &lt;bank&gt;"));
        for forbidden in ["<script>", "http://", "https://", "src=\"/", "<link", "@import"] {
            assert!(!page.contains(forbidden), "{forbidden}");
        }
        assert!(!page.contains(sample::SECRET));
    }

    #[test]
    fn an_empty_and_a_broken_stream_still_make_a_page() {
        let folder = folder();
        assert!(render_html(&[], folder.path()).unwrap().contains("unfinished"));
        let page = render_html(&sample::failed_run()[..6], folder.path()).unwrap();
        assert!(page.contains("the run has no end"));
        let path = folder.path().join("report.html");
        write_html(&path, &sample::replayed_run(), folder.path()).unwrap();
        assert!(std::fs::read_to_string(path).unwrap().contains("scripts&#x2f;PAY-0142&#x2f;pixel-6.toml"));
    }
}
