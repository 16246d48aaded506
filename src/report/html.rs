//! A run as one HTML file that needs nothing else: no network, no script framework, no folder beside it.

use super::ReportError;
use super::cause::{cause, expectations};
use super::device_log::{TimedLog, device_log};
use super::dumps::Dumps;
use super::error::write_whole;
use super::frame::{action_view, screen_view};
use super::last_pass::last_pass;
use super::story::{StepStory, Story};
use super::terms::glossary;
use super::thumbnail::Album;
use super::words::{count, duration, plain_line};
use crate::domain::{Attribution, AttributionSign, RunEvent, Timings};
use minijinja::{Environment, Value, context};
use std::path::Path;

/// The page and its parts. The ending of the first name switches automatic escaping on.
const TEMPLATES: [(&str, &str); 3] = [
    ("run.html", include_str!("page/run.html")),
    ("run.css", include_str!("page/run.css")),
    ("run.js", include_str!("page/run.js")),
];

/// Writes the page of a run, whole or not at all. `folder` is the run's folder, where its screenshots lie.
pub fn write_html(path: &Path, events: &[RunEvent], folder: &Path) -> Result<(), ReportError> {
    write_whole(path, render_html(events, folder)?.as_bytes())
}

/// The page of a run. A screenshot that cannot be read is left out and named under "Diagnostics".
pub fn render_html(events: &[RunEvent], folder: &Path) -> Result<String, ReportError> {
    let story = Story::fold(events);
    let (mut album, dumps, log) = (Album::new(folder), Dumps::new(folder), TimedLog::read(folder));
    let steps: Vec<Value> = story.steps.iter().map(|step| step_view(step, &mut album, dumps, &log)).collect();
    let last = story.last_screen.as_ref().map(|screen| screen_view(screen, None, &mut album, &dumps));
    let acting = story.steps.iter().rev().flat_map(|step| step.actions.iter().rev());
    let before = acting.filter(|action| action.touches()).find_map(|action| Some((action, action.before.as_ref()?)));
    let before = before.map(|(action, screen)| screen_view(screen, Some(&action.action), &mut album, &dumps));
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
    let noted = result.iter().flat_map(|result| &result.diagnostics);
    diagnostics.extend(noted.map(|known| format!("{} \u{d7} {}", known.count, plain_line(&known.message))));
    diagnostics.extend(album.into_problems());
    let (cause, expectations, glossary) = (cause(&story), expectations(&story, dumps), glossary(&story));
    let view = context! {
        verdict => result.map_or_else(|| "unfinished".to_owned(), |result| result.verdict.to_string()),
        cause,
        fault => result.and_then(|result| result.attribution.as_ref()).map(fault),
        reason => result.map(|result| plain_line(&result.reason)).unwrap_or_default(),
        flaky => result.is_some_and(|result| result.flaky),
        repaired => result.is_some_and(|result| result.repaired),
        total => result.map(|result| duration(result.timings_ms.total)),
        shares => result.map(|result| shares(&result.timings_ms)).unwrap_or_default(),
        log => device_log(folder),
        against => last_pass(folder, result),
        artifacts => result.map(|result| result.artifacts.clone()).unwrap_or_default(),
        case_id => story.case_id,
        title => plain_line(&story.title),
        device => story.device.as_ref().map(|device| plain_line(&format!(
            "{} · {} · API {}", device.serial, device.profile, device.api
        ))),
        serial => story.device.as_ref().map(|device| plain_line(device.serial.as_str())),
        run_id => story.run_id,
        seed => story.seed,
        started_at => started(&story.started_at),
        script => story.script,
        events => events.len(),
        version => env!("CARGO_PKG_VERSION"),
        expectations,
        glossary,
        facts,
        steps,
        before,
        last,
        diagnostics,
    };
    let mut environment = Environment::new();
    for (name, text) in TEMPLATES {
        environment.add_template(name, text)?;
    }
    Ok(environment.get_template(TEMPLATES[0].0)?.render(view)?)
}

/// A time of an event as people write it; what does not look like RFC 3339 stays as it is.
fn started(at: &str) -> String {
    match at.split_once('T').zip(at.get(11..19)) {
        Some(((day, _), clock)) if at.ends_with('Z') => format!("{day} {clock} UTC"),
        _ => plain_line(at),
    }
}

/// Whose fault it is, in percent, and what moved that most.
fn fault(attribution: &Attribution) -> Value {
    let percent = |share: f32| format!("{:.0}", 100.0 * share);
    let sign = |sign: &AttributionSign| {
        context! {
            name => sign.name.as_str(),
            value => format!("{:.2}", sign.value),
            adds => format!("{:+.0} %", 100.0 * sign.adds),
        }
    };
    context! {
        percent => percent(attribution.probability),
        from => percent(attribution.threshold),
        signs => attribution.signs.iter().map(sign).collect::<Vec<_>>(),
    }
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

fn step_view(step: &StepStory, album: &mut Album<'_>, dumps: Dumps<'_>, log: &TimedLog) -> Value {
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
        actions => step.actions.iter().map(|action| action_view(action, album, &dumps, log)).collect::<Vec<_>>(),
    }
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
    fn a_screen_without_a_picture_is_drawn_from_its_dump_and_adb_and_log_have_tabs() {
        let folder = folder();
        let dump = "<hierarchy rotation=\"0\"><node class=\"android.widget.FrameLayout\" package=\"a\" bounds=\"[0,0][1080,2400]\">\
                    <node class=\"android.widget.Button\" text=\"Pay &lt;now&gt;\" package=\"a\" clickable=\"true\" enabled=\"true\" \
                    bounds=\"[0,1200][540,1440]\"/></node></hierarchy>";
        std::fs::write(folder.path().join("screens/9f2c.xml"), dump).unwrap();
        // The sample's actions take 300 ms each.
        let log = "--------- 11-20 08:00:10.000 on the device is 1000 ms of the run\n11-20 08:00:10.100  42  42 E App: refused\n";
        std::fs::write(folder.path().join(crate::run::LOG_FILE), log).unwrap();
        let page = render_html(&sample::failed_run(), folder.path()).unwrap();
        let boxed = "<span class=\"box control\" style=\"left:0.00%;top:50.00%;width:50.00%;height:10.00%\">Pay &lt;now&gt;</span>";
        for part in [
            "class=\"shot drawn\" style=\"aspect-ratio:1080 &#x2f; 2400\"",
            boxed,
            "data-tab=\"adb\"",
            "shell input tap 540 450",
            "data-tab=\"log\"",
        ] {
            assert!(page.contains(part), "{part} is not in {page}");
        }
        let panes = page
            .split("data-pane=\"log\"")
            .skip(1)
            .filter(|pane| pane.split("</article>").next().unwrap().contains("App: refused"));
        assert_eq!(panes.count(), 1, "the one action that was going on");
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
