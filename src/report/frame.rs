//! One action of the page: the picture it was chosen on, what was done, why, and the rankings.

use super::device_log::TimedLog;
use super::dumps::Dumps;
use super::story::{ActionStory, Choice};
use super::terms::meaning_of;
use super::thumbnail::Album;
use super::words::{count, deed_words, duration, first_part, plain_line, wish_words};
use crate::domain::{Action, CandidateView, Point, Rect, ScreenView, Size};
use minijinja::{Value, context};

/// An action: what was seen, why this, what came of it.
pub(super) fn action_view(story: &ActionStory, album: &mut Album<'_>, dumps: &Dumps<'_>, log: &TimedLog) -> Value {
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
    let close = choice.is_some_and(Choice::is_close);
    let target = story.action.target();
    let rest = target.map(|target| target.label.trim_start_matches(first_part(&target.label)).trim_start_matches(", "));
    context! {
        words => deed_words(&story.action),
        unsure => done.is_some() && story.is_unsure(),
        rest => rest.filter(|rest| !rest.is_empty()).map(plain_line),
        selector => target.map(|target| plain_line(&target.selector.to_string())),
        tap => target.map(|target| format!("{}, {}", target.tap.x, target.tap.y)),
        score => score.map(|score| format!("{score:.2}")),
        source => done.map(|done| format!("{:?}", done.source).to_lowercase()),
        state,
        close,
        // A plan or a window's answer goes before what the ranking of one screen would choose.
        outvoted => choice.zip(next_best).is_some_and(|(choice, next)| choice.chosen.score < next.score),
        next_best => next_best.map(|next| format!("{} {:.2}", wish_words(&next.action), next.score)),
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
        screen => story.before.as_ref().map(|screen| screen_view(screen, Some(&story.action), album, dumps)),
        took => done.map(|_| duration(story.took_ms)),
        adb => done.map(|done| done.adb.iter().map(|line| plain_line(line)).collect::<Vec<_>>()).unwrap_or_default(),
        log => done.map(|_| log.between(story.at_ms - story.took_ms, story.at_ms)).unwrap_or_default(),
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
        words => wish_words(&candidate.action),
        score => format!("{:.2}", candidate.score),
        why => plain_line(&why.join(", ")),
    }
}

/// A screen: its picture, where it was touched, and what its dump holds.
pub(super) fn screen_view(
    screen: &ScreenView,
    action: Option<&Action>,
    album: &mut Album<'_>,
    dumps: &Dumps<'_>,
) -> Value {
    let thumbnail = screen.screenshot.as_deref().and_then(|artifact| album.get(artifact));
    // Where no picture was taken the dump is drawn.
    let drawn = if thumbnail.is_some() { None } else { dumps.drawn(screen) };
    let display = thumbnail.as_ref().map(|thumbnail| thumbnail.display).or(drawn.as_ref().map(|(display, _)| *display));
    let marks = display.zip(action).map(|(display, action)| marks(action, display));
    context! {
        title => plain_line(&screen.title),
        kind => (screen.kind != "ordinary").then(|| plain_line(&screen.kind.replace('_', " "))),
        foreground => screen.foreground.as_deref().map(plain_line),
        widgets => count(screen.widgets as u64, "widget"),
        fingerprint => plain_line(&screen.fingerprint),
        uri => thumbnail.as_ref().map(|thumbnail| thumbnail.uri.clone()),
        ratio => display.map(|display| format!("{} / {}", display.width, display.height)),
        drawn => drawn.map(|(_, boxes)| boxes),
        marks,
        tree => display.map(|display| dumps.rows(screen, display)).unwrap_or_default(),
    }
}

/// Where an action touches the screen, in percent of the display: no pixel of the picture is changed.
fn marks(action: &Action, display: Size) -> Value {
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
