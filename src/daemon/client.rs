//! Talks to a daemon: `tapwright run --daemon URL`.

use super::run_view::{DeviceState, Health, RunSubmission, RunTicket, RunView};
use super::sse::SseParser;
use super::web::http_client;
use crate::domain::{RunId, Secret};
use crate::run::RunRequest;
use crate::store::RunState;
use futures_util::StreamExt as _;
use reqwest::{Method, RequestBuilder, Response, Url};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::{Duration, Instant};

/// An answer that is no stream must be there after so long.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);
/// A stream without even a keep-alive comment for so long is dead.
const SILENCE_AT_MOST: Duration = Duration::from_secs(60);
/// A daemon that was followed and is away may be on its way back, as after a restart: it is looked for so long.
const BACK_WITHIN: Duration = Duration::from_secs(60);
/// Pause between two looks for it.
const LOOK_AGAIN: Duration = Duration::from_millis(200);
/// Connections without a single new event in a row, before a broken stream is given up.
const FRUITLESS_AT_MOST: u32 = 3;

/// Why the daemon could not be used.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The URL is none, or not one of a daemon.
    #[error("{url:?} is not a daemon's address: {reason}; expected something like http://127.0.0.1:7878")]
    Url {
        /// As given.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The HTTP client could not be set up.
    #[error("the HTTP client could not be set up: {0}")]
    SetUp(reqwest::Error),
    /// Nobody listens there.
    #[error("no daemon answers at {url}: start it with `tapwright serve` ({reason})")]
    NoDaemon {
        /// The address.
        url: String,
        /// What the connection said.
        reason: String,
    },
    /// The daemon refused the request; its own words.
    #[error("{message}")]
    Refused {
        /// HTTP status.
        status: u16,
        /// The daemon's word for it: `unknown_case`, `malformed_request`, `already_ended`, …
        code: String,
        /// The daemon's sentence for it.
        message: String,
    },
    /// Something else than Tapwright answers there, or a version that does not fit.
    #[error("{url} did not answer as a Tapwright daemon does: {reason}; check the address and that versions match")]
    Strange {
        /// The address.
        url: String,
        /// What was wrong.
        reason: String,
    },
    /// The connection broke and did not come back.
    #[error("the connection to the daemon at {url} broke while run {run_id} was followed: {reason}")]
    Broken {
        /// The address.
        url: String,
        /// The run, which goes on if the daemon does.
        run_id: RunId,
        /// What the connection said.
        reason: String,
    },
}

#[derive(Deserialize)]
struct ErrorBody {
    error: ErrorText,
}

#[derive(Deserialize)]
struct ErrorText {
    code: String,
    message: String,
}

/// A daemon at an address.
#[derive(Debug, Clone)]
pub struct DaemonClient {
    http: reqwest::Client,
    base: Url,
    token: Option<Secret>,
}

impl DaemonClient {
    /// Knows the daemon at `url` (`http://127.0.0.1:PORT`); does not connect yet.
    pub fn new(url: &str) -> Result<Self, ClientError> {
        let wrong = |reason: String| ClientError::Url { url: url.to_owned(), reason };
        let base = Url::parse(url).map_err(|error| wrong(error.to_string()))?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(wrong(format!("{} is neither http nor https", base.scheme())));
        }
        if base.path() != "/" || base.query().is_some() || base.fragment().is_some() {
            return Err(wrong("it has a path behind the port".to_owned()));
        }
        // A proxy cannot reach our loopback.
        let http = http_client().no_proxy().build().map_err(ClientError::SetUp)?;
        Ok(Self { http, base, token: None })
    }

    /// This client, with a token for a daemon that asks for one.
    #[must_use]
    pub fn with_token(self, token: Secret) -> Self {
        Self { token: Some(token), ..self }
    }

    /// This client, which trusts the certificates in this PEM text as well as those of the system.
    pub fn trusting(self, pem: &[u8]) -> Result<Self, ClientError> {
        let mut builder = http_client().no_proxy();
        for certificate in reqwest::Certificate::from_pem_bundle(pem).map_err(ClientError::SetUp)? {
            builder = builder.tls_certs_merge([certificate]);
        }
        Ok(Self { http: builder.build().map_err(ClientError::SetUp)?, ..self })
    }

    /// Queues a run.
    pub async fn submit(&self, request: RunRequest) -> Result<RunTicket, ClientError> {
        let body = RunSubmission::from(request);
        self.answer(self.request(Method::POST, &["runs"])?.json(&body)).await
    }

    /// One run; with its result once it has ended.
    pub async fn run(&self, run_id: &RunId) -> Result<RunView, ClientError> {
        self.answer(self.request(Method::GET, &["runs", run_id.as_str()])?).await
    }

    /// Calls a run off.
    pub async fn cancel(&self, run_id: &RunId) -> Result<RunState, ClientError> {
        let request = self.request(Method::POST, &["runs", run_id.as_str(), "cancel"])?;
        let ticket: RunTicket = self.answer(request.json(&Value::Null)).await?;
        Ok(ticket.state)
    }

    /// The daemon's devices.
    pub async fn devices(&self) -> Result<Vec<DeviceState>, ClientError> {
        self.answer(self.request(Method::GET, &["devices"])?).await
    }

    /// How the daemon is.
    pub async fn health(&self) -> Result<Health, ClientError> {
        self.answer(self.request(Method::GET, &["health"])?).await
    }

    /// Looks something up below `/api/v1`.
    pub async fn get_json<T: DeserializeOwned>(&self, path: &[&str]) -> Result<T, ClientError> {
        self.answer(self.request(Method::GET, path)?).await
    }

    /// Hands something in below `/api/v1`.
    pub async fn post_json<T: DeserializeOwned>(
        &self,
        path: &[&str],
        body: &(impl Serialize + Sync),
    ) -> Result<T, ClientError> {
        self.answer(self.request(Method::POST, path)?.json(body)).await
    }

    /// Removes something below `/api/v1`.
    pub async fn delete(&self, path: &[&str]) -> Result<(), ClientError> {
        self.send(self.request(Method::DELETE, path)?).await.map(drop)
    }

    /// Gives every event of a run to `on_event`, from its first to its last, each once, and then the run as it ended.
    /// A broken connection is taken up where it broke, also with the next daemon after a restart. A second `run_started`
    /// means that the run lost its device, or its daemon, and begins anew.
    pub async fn follow(&self, run_id: &RunId, mut on_event: impl FnMut(Value)) -> Result<RunView, ClientError> {
        let mut last_id: Option<String> = None;
        let mut fruitless = 0;
        let mut last_there: Option<Instant> = None;
        loop {
            let before = last_id.clone();
            let followed = match self.follow_once(run_id, &mut last_id, &mut on_event).await {
                Err(error @ ClientError::NoDaemon { .. }) => {
                    let Some(since) = last_there.filter(|since| since.elapsed() < BACK_WITHIN) else {
                        return Err(error);
                    };
                    tracing::debug!(%run_id, %error, waited = ?since.elapsed(), "the daemon is looked for again");
                    // Over when the pause is.
                    let _paused = tokio::time::timeout(LOOK_AGAIN, std::future::pending::<()>()).await;
                    continue;
                }
                followed => followed?,
            };
            last_there = Some(Instant::now());
            match followed {
                None => return self.run(run_id).await,
                Some(reason) => {
                    fruitless = if last_id == before { fruitless + 1 } else { 0 };
                    if fruitless >= FRUITLESS_AT_MOST {
                        return Err(ClientError::Broken { url: self.base.to_string(), run_id: run_id.clone(), reason });
                    }
                    tracing::debug!(%run_id, reason, "event stream broke; taking it up again");
                }
            }
        }
    }

    /// Follows until the stream ends (`None`) or breaks (why).
    async fn follow_once(
        &self,
        run_id: &RunId,
        last_id: &mut Option<String>,
        on_event: &mut impl FnMut(Value),
    ) -> Result<Option<String>, ClientError> {
        let mut request = self.request(Method::GET, &["runs", run_id.as_str(), "events"])?;
        if let Some(id) = last_id.as_ref() {
            request = request.header("last-event-id", id);
        }
        let mut bytes = self.send(request).await?.bytes_stream();
        let mut parser = SseParser::default();
        loop {
            let chunk = match tokio::time::timeout(SILENCE_AT_MOST, bytes.next()).await {
                Ok(Some(Ok(chunk))) => chunk,
                Ok(Some(Err(error))) => return Ok(Some(with_causes(&error))),
                Ok(None) => return Ok(Some("the daemon closed it".to_owned())),
                Err(_elapsed) => return Ok(Some(format!("silent for {SILENCE_AT_MOST:?}"))),
            };
            for message in parser.push(&chunk).map_err(|error| self.strange(error.to_string()))? {
                let parse = || serde_json::from_str::<Value>(&message.data).map_err(|e| self.strange(e.to_string()));
                match message.event.as_str() {
                    "" | "message" => {
                        on_event(parse()?);
                        *last_id = message.id;
                    }
                    "end" => return Ok(None),
                    "error" => {
                        let ErrorBody { error } =
                            serde_json::from_value(parse()?).map_err(|error| self.strange(error.to_string()))?;
                        return Err(ClientError::Refused { status: 500, code: error.code, message: error.message });
                    }
                    // Later versions may say more.
                    _ => {}
                }
            }
        }
    }

    fn request(&self, method: Method, path: &[&str]) -> Result<RequestBuilder, ClientError> {
        let mut url = self.base.clone();
        // Segments are percent-encoded one by one, so no id can point elsewhere.
        url.path_segments_mut()
            .map_err(|()| ClientError::Url { url: self.base.to_string(), reason: "it has no path".to_owned() })?
            .clear()
            .extend(["api", "v1"])
            .extend(path);
        let request = self.http.request(method, url);
        Ok(match &self.token {
            Some(token) => request.bearer_auth(token.expose()),
            None => request,
        })
    }

    async fn send(&self, request: RequestBuilder) -> Result<Response, ClientError> {
        let response = match tokio::time::timeout(ANSWER_WITHIN, request.send()).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(self.no_daemon(with_causes(&error))),
            Err(_elapsed) => return Err(self.no_daemon(format!("silent for {ANSWER_WITHIN:?}"))),
        };
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status().as_u16();
        let text = self.text(response).await?;
        match serde_json::from_str(&text) {
            Ok(ErrorBody { error }) => Err(ClientError::Refused { status, code: error.code, message: error.message }),
            Err(_not_ours) => Err(self.strange(format!("status {status}"))),
        }
    }

    async fn answer<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, ClientError> {
        let response = self.send(request).await?;
        let text = self.text(response).await?;
        serde_json::from_str(&text).map_err(|error| self.strange(error.to_string()))
    }

    async fn text(&self, response: Response) -> Result<String, ClientError> {
        match tokio::time::timeout(ANSWER_WITHIN, response.text()).await {
            Ok(Ok(text)) => Ok(text),
            Ok(Err(error)) => Err(self.strange(with_causes(&error))),
            Err(_elapsed) => Err(self.strange(format!("its answer did not end within {ANSWER_WITHIN:?}"))),
        }
    }

    fn no_daemon(&self, reason: String) -> ClientError {
        ClientError::NoDaemon { url: self.base.to_string(), reason }
    }

    fn strange(&self, reason: String) -> ClientError {
        ClientError::Strange { url: self.base.to_string(), reason }
    }
}

/// The error and what caused it: reqwest's own text alone says only that sending failed.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |error| error.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_cannot_be_a_daemons_is_refused() {
        for bad in ["", "127.0.0.1:7878", "ftp://localhost:1", "http://localhost:1/api", "http://", "http://[::1"] {
            let error = DaemonClient::new(bad).map(|_| ()).unwrap_err();
            assert!(matches!(error, ClientError::Url { .. }), "{bad}: {error}");
        }
        for good in ["http://127.0.0.1:7878/", "https://farm.example:7878"] {
            assert!(DaemonClient::new(good).is_ok(), "{good}");
        }
    }

    #[test]
    fn a_strange_id_cannot_leave_its_place_in_the_path() {
        let client = DaemonClient::new("http://localhost:1").unwrap();
        let request = client.request(Method::GET, &["runs", "../../x?y#z"]).unwrap().build().unwrap();
        assert_eq!(request.url().path(), "/api/v1/runs/..%2F..%2Fx%3Fy%23z");
        assert_eq!(request.url().query(), None);
    }
}
