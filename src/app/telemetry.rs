//! Spans of runs and devices for a collector of OpenTelemetry (OTLP over HTTP). What is logged within a span goes with it.

use super::environment::Collector;
use crate::tls::choose_cryptography;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use std::time::Duration;
use tracing::Subscriber;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{EnvFilter, Layer};

/// The collector's path for spans.
const PATH: &str = "v1/traces";
/// What goes there; the exporter's own requests must not.
const WHAT: &str = "tapwright=info";
/// A collector that does not answer holds the end of the process up for no longer.
const PATIENCE: Duration = Duration::from_secs(3);

/// The way to a collector. What is left is sent when this ends.
pub(super) struct Telemetry {
    provider: SdkTracerProvider,
}

impl Telemetry {
    /// Sends from a thread of its own. Nothing is asked yet: a collector that is away is tried with every batch.
    ///
    /// # Errors
    /// The address makes no sense.
    pub(super) fn new(collector: &Collector) -> Result<Self, String> {
        choose_cryptography();
        let Collector { endpoint, service } = collector;
        let wrong = |reason: &str| {
            // A name and a password may stand in it.
            format!("OTEL_EXPORTER_OTLP_ENDPOINT: {reason}; expected the URL of a collector, as http://127.0.0.1:4318")
        };
        let url = reqwest::Url::parse(endpoint).map_err(|error| wrong(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong(&format!("{} is neither http nor https", url.scheme())));
        }
        let exporter = SpanExporter::builder()
            .with_http()
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(format!("{}/{PATH}", endpoint.trim_end_matches('/')))
            .with_timeout(PATIENCE)
            .build()
            .map_err(|error| wrong(&error.to_string()))?;
        let service = service.clone().unwrap_or_else(|| "tapwright".to_owned());
        let resource = Resource::builder().with_service_name(service).build();
        Ok(Self {
            provider: SdkTracerProvider::builder().with_resource(resource).with_batch_exporter(exporter).build(),
        })
    }

    /// What hands spans over.
    pub(super) fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'span> LookupSpan<'span>,
    {
        let tracer = self.provider.tracer("tapwright");
        tracing_opentelemetry::layer().with_tracer(tracer).with_location(false).with_filter(EnvFilter::new(WHAT))
    }
}

impl Drop for Telemetry {
    fn drop(&mut self) {
        if let Err(error) = self.provider.shutdown_with_timeout(PATIENCE) {
            anstream::eprintln!("the last spans did not reach the collector: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use tracing_subscriber::layer::SubscriberExt as _;

    /// A collector that takes one request; gives its head and body.
    fn collector() -> (String, std::thread::JoinHandle<(String, Vec<u8>)>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}/", listener.local_addr().unwrap());
        let take = move || {
            let (mut socket, _) = listener.accept().unwrap();
            let mut said = Vec::new();
            let mut part = [0; 4096];
            loop {
                let read = socket.read(&mut part).unwrap();
                assert!(read > 0, "it was cut off");
                said.extend_from_slice(&part[..read]);
                let Some(end) = said.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
                let head = String::from_utf8(said[..end].to_vec()).unwrap().to_lowercase();
                let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
                if said.len() >= end + 4 + length.parse::<usize>().unwrap() {
                    socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
                    return (head, said[end + 4..].to_vec());
                }
            }
        };
        (endpoint, std::thread::spawn(take))
    }

    #[test]
    fn spans_with_what_was_logged_in_them_reach_the_collector() {
        let (endpoint, taken) = collector();
        let telemetry = Telemetry::new(&Collector { endpoint, service: Some("rack-1".into()) }).unwrap();
        let subscriber = tracing_subscriber::registry().with(telemetry.layer());
        tracing::subscriber::with_default(subscriber, || {
            let span =
                tracing::error_span!(target: "tapwright::daemon", "run", id = "r1", case = "PAY-1", device = "d1");
            span.in_scope(|| tracing::warn!(target: "tapwright::daemon", "its device vanished"));
            tracing::error_span!(target: "hyper", "somebody else's").in_scope(|| {});
        });
        drop(telemetry);
        let (head, body) = taken.join().unwrap();
        assert!(head.starts_with("post /v1/traces "), "{head}");
        let holds = |text: &str| body.windows(text.len()).any(|window| window == text.as_bytes());
        for text in ["rack-1", "run", "r1", "PAY-1", "d1", "its device vanished"] {
            assert!(holds(text), "{text:?} is not in what was sent");
        }
        assert!(!holds("somebody else's"));
    }

    #[test]
    fn an_address_that_makes_no_sense_is_refused_without_being_shown() {
        for endpoint in ["collector", "grpc://name:hidden@collector:4317", ""] {
            let refused = Telemetry::new(&Collector { endpoint: endpoint.into(), service: None }).err().unwrap();
            assert!(refused.starts_with("OTEL_EXPORTER_OTLP_ENDPOINT: "), "{endpoint:?}: {refused}");
            assert!(!refused.contains("hidden"), "{refused}");
        }
    }
}
