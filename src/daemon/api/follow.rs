//! `/api/v1/runs/{run_id}/events`: the event stream of a run as server-sent events.
//!
//! Each event of the run is one message, its `id` the position in the stream. The last message has `event: end` and
//! carries the run's view without the result. A stream that closes without it was cut off.

use super::super::desk::Desk;
use super::super::error::ApiError;
use super::super::run_view::RunView;
use super::Api;
use crate::domain::RunId;
use crate::store::StoreError;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::{Stream, StreamExt as _, stream};
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Events read from the store at once.
const PAGE: u32 = 200;

/// One reader of one run's events.
struct Follower {
    desk: Arc<Desk>,
    run_id: RunId,
    /// Position of the last event sent.
    after: Option<u64>,
    news: watch::Receiver<()>,
    runs_over: CancellationToken,
    done: bool,
}

/// Replays stored events from `Last-Event-ID`, or from the start, then goes on live until the run has ended.
pub(super) async fn events(
    State(api): State<Api>,
    Path(run_id): Path<String>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let after = parse_last_event_id(&headers)?;
    let run_id = RunId::new(run_id);
    if api.desk.store.run(&run_id).await?.is_none() {
        return Err(ApiError::unknown_run(run_id.as_str()));
    }
    let news = api.desk.news.follow(&run_id);
    let follower = Follower { desk: api.desk, run_id, after, news, runs_over: api.runs_over, done: false };
    let messages = stream::unfold(follower, async |mut follower| {
        let page = follower.next_page().await?;
        Some((stream::iter(page.into_iter().map(Ok)), follower))
    });
    let keep_alive = KeepAlive::new().interval(api.limits.keep_alive).text("keep-alive");
    Ok(Sse::new(messages.flatten()).keep_alive(keep_alive))
}

impl Follower {
    /// The next messages, as soon as there are some; `None` after the last.
    async fn next_page(&mut self) -> Option<Vec<Event>> {
        while !self.done {
            let last_read = self.runs_over.is_cancelled();
            match self.read().await {
                Ok(page) if page.is_empty() => {}
                Ok(page) => return Some(page),
                Err(error) => {
                    self.done = true;
                    let body = ApiError::from(error).body().to_string();
                    return Some(vec![Event::default().event("error").data(body)]);
                }
            }
            if last_read {
                // The daemon is stopping and the run waits in the queue: the stream closes without an end.
                break;
            }
            tokio::select! {
                changed = self.news.changed() => self.done |= changed.is_err(),
                // The run may have ended in this very moment: what there is is still read.
                () = self.runs_over.cancelled() => {}
            }
        }
        None
    }

    /// What the store has beyond `after`; empty when the follower has to wait.
    async fn read(&mut self) -> Result<Vec<Event>, StoreError> {
        // In this order nothing slips through: news from now on wake us; a run that is found ended has all its events
        // in the store.
        self.news.mark_unchanged();
        let run = self.desk.store.run(&self.run_id).await?;
        let stored = self.desk.store.events_after(&self.run_id, self.after, PAGE).await?;
        if let Some(last) = stored.last() {
            self.after = Some(last.position);
            let message =
                |event: crate::store::StoredEvent| Event::default().id(event.position.to_string()).data(event.json);
            return Ok(stored.into_iter().map(message).collect());
        }
        match run {
            Some(run) if run.state.is_final() => {
                self.done = true;
                let view = serde_json::json!(RunView::from(run).short());
                Ok(vec![Event::default().event("end").data(view.to_string())])
            }
            Some(_) => Ok(vec![]),
            None => Err(StoreError::UnknownRun(self.run_id.clone())),
        }
    }
}

fn parse_last_event_id(headers: &HeaderMap) -> Result<Option<u64>, ApiError> {
    let Some(value) = headers.get("last-event-id") else { return Ok(None) };
    let position = value.to_str().ok().and_then(|text| text.trim().parse().ok());
    position.map(Some).ok_or_else(|| ApiError::malformed("Last-Event-ID: expected the id of an event, a number from 0"))
}
