//! A scripted adb server: speaks the server protocol on a loopback port, answers exactly the conversations a test has
//! written down, and fails the test on any other request and on any conversation that never came.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tapwright::adb::{PacketKind, ServerAddress, ShellPacket};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What the server does once a conversation's requests have come.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// Sends bytes.
    Send(Vec<u8>),
    /// Reads exactly these bytes.
    Expect(Vec<u8>),
    /// Waits until the client closes the connection, and notes it.
    AwaitClose,
    /// Waits until the test calls [`StubServer::proceed`].
    AwaitTest,
    /// Goes on reading one sync request of the old protocol: four letters, then a length and as many bytes.
    ExpectSync(&'static str, String),
}

/// One connection: the requests in order (`*` matches any text), then the steps. All but the last request are answered
/// with OKAY.
#[derive(Debug, Clone)]
pub(crate) struct Conversation {
    requests: Vec<String>,
    steps: Vec<Step>,
}

impl Conversation {
    /// A host request.
    pub(crate) fn host(request: &str) -> Self {
        Self { requests: vec![request.to_owned()], steps: Vec::new() }
    }

    /// A service of the device `serial`.
    pub(crate) fn device(serial: &str, service: &str) -> Self {
        Self { requests: vec![format!("host:transport:{serial}"), service.to_owned()], steps: Vec::new() }
    }

    pub(crate) fn then(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// OKAY, then bytes.
    pub(crate) fn okay(self, bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        self.then(Step::Send([b"OKAY".as_slice(), &bytes].concat()))
    }

    /// OKAY, then a text with its length.
    pub(crate) fn okay_text(self, text: &str) -> Self {
        self.okay(sized(text))
    }

    /// FAIL with a reason.
    pub(crate) fn fail(self, reason: &str) -> Self {
        self.then(Step::Send([b"FAIL".as_slice(), &sized(reason)].concat()))
    }

    /// OKAY, then a whole shell v2 answer.
    pub(crate) fn shell(self, stdout: impl AsRef<[u8]>, stderr: &str, exit_code: u8) -> Self {
        let packets = [
            packet(PacketKind::Stdout, stdout.as_ref()),
            packet(PacketKind::Stderr, stderr.as_bytes()),
            packet(PacketKind::Exit, &[exit_code]),
        ];
        self.okay(packets.concat())
    }
}

/// `<4 hex length><text>`.
pub(crate) fn sized(text: &str) -> Vec<u8> {
    format!("{:04x}{text}", text.len()).into_bytes()
}

/// A shell v2 packet.
pub(crate) fn packet(kind: PacketKind, data: &[u8]) -> Vec<u8> {
    ShellPacket { kind, data: data.to_vec() }.encode()
}

#[derive(Default)]
struct Script {
    waiting: VecDeque<Conversation>,
    violations: Vec<String>,
}

/// The running server.
pub(crate) struct StubServer {
    address: ServerAddress,
    port: u16,
    script: Arc<Mutex<Script>>,
    progress: watch::Sender<Progress>,
    accepting: tokio::task::JoinHandle<()>,
}

/// How many conversations have begun and ended, how many held connections the client has closed, how often the test has
/// said "go on".
#[derive(Debug, Default, Clone, Copy)]
struct Progress {
    closed_by_client: usize,
    begun: usize,
    ended: usize,
    go: usize,
}

impl StubServer {
    /// Starts a server that expects these conversations, in any order.
    pub(crate) async fn start(conversations: impl IntoIterator<Item = Conversation>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let script = Arc::new(Mutex::new(Script { waiting: conversations.into_iter().collect(), ..Script::default() }));
        let (progress, _) = watch::channel(Progress::default());
        let accepting = tokio::spawn({
            let (script, progress) = (script.clone(), progress.clone());
            async move {
                while let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(serve(stream, script.clone(), progress.clone()));
                }
            }
        });
        Self { address: ServerAddress::new("127.0.0.1", port), port, script, progress, accepting }
    }

    pub(crate) fn address(&self) -> ServerAddress {
        self.address.clone()
    }

    pub(crate) fn v4(&self) -> std::net::SocketAddrV4 {
        std::net::SocketAddrV4::new(std::net::Ipv4Addr::LOCALHOST, self.port)
    }

    /// Lets one `AwaitTest` step go on.
    pub(crate) fn proceed(&self) {
        self.progress.send_modify(|progress| progress.go += 1);
    }

    /// Waits until the client has closed `count` connections that the script held open.
    pub(crate) async fn closed_by_client(&self, count: usize) {
        let mut progress = self.progress.subscribe();
        tokio::time::timeout(Duration::from_secs(10), progress.wait_for(|p| p.closed_by_client >= count))
            .await
            .expect("the client did not close its connection")
            .unwrap();
    }

    /// Adds a conversation.
    pub(crate) fn expect(&self, conversation: Conversation) {
        self.script.lock().unwrap().waiting.push_back(conversation);
    }

    /// Fails the test unless every conversation took place, to its end, and nothing else was asked.
    pub(crate) async fn finish(self) {
        let mut progress = self.progress.subscribe();
        let done = tokio::time::timeout(Duration::from_secs(10), progress.wait_for(|p| p.begun == p.ended)).await;
        assert!(done.is_ok(), "a conversation has not ended: the client keeps its connection open");
        let left = |script: &Script| script.waiting.iter().map(|c| c.requests.join(" | ")).collect::<Vec<_>>();
        let unasked = left(&self.script.lock().unwrap());
        assert!(
            unasked.is_empty(),
            "never asked: {unasked:#?}; violations: {:#?}",
            self.script.lock().unwrap().violations
        );
        let violations = self.script.lock().unwrap().violations.clone();
        assert!(violations.is_empty(), "violations: {violations:#?}");
        self.accepting.abort();
    }
}

async fn serve(mut stream: TcpStream, script: Arc<Mutex<Script>>, progress: watch::Sender<Progress>) {
    let mut asked: Vec<String> = Vec::new();
    let conversation = loop {
        let Some(request) = read_request(&mut stream).await else {
            // adb_client opens some connections without using them; that is its own business unless it asked something.
            if !asked.is_empty() {
                script.lock().unwrap().violations.push(format!("hung up after {asked:?}"));
            }
            return;
        };
        asked.push(request);
        let found = {
            let mut script = script.lock().unwrap();
            let next = script
                .waiting
                .iter()
                .position(|c| c.requests.get(..asked.len()).is_some_and(|beginning| matches(beginning, &asked)));
            match next {
                Some(at) if script.waiting[at].requests.len() == asked.len() => {
                    progress.send_modify(|progress| progress.begun += 1);
                    Some(script.waiting.remove(at).unwrap())
                }
                Some(_) => None,
                None => {
                    script.violations.push(format!("unexpected request: {}", asked.join(" | ")));
                    progress.send_modify(|progress| progress.begun += 1);
                    Some(Conversation { requests: Vec::new(), steps: Vec::new() }.fail("not in the script"))
                }
            }
        };
        match found {
            Some(conversation) => break conversation,
            None => stream.write_all(b"OKAY").await.unwrap(),
        }
    };
    let mut seen = 0;
    for step in conversation.steps {
        if let Err(violation) = take(&mut stream, step, &progress, &mut seen).await {
            script.lock().unwrap().violations.push(format!("{}: {violation}", conversation.requests.join(" | ")));
        }
    }
    progress.send_modify(|progress| progress.ended += 1);
}

async fn take(
    stream: &mut TcpStream,
    step: Step,
    progress: &watch::Sender<Progress>,
    seen: &mut usize,
) -> Result<(), String> {
    let text = |error: std::io::Error| error.to_string();
    match step {
        Step::Send(bytes) => stream.write_all(&bytes).await.map_err(text),
        Step::Expect(wanted) => {
            let mut got = vec![0; wanted.len()];
            stream.read_exact(&mut got).await.map_err(text)?;
            if got == wanted {
                Ok(())
            } else {
                Err(format!("{:?} instead of {:?}", String::from_utf8_lossy(&got), String::from_utf8_lossy(&wanted)))
            }
        }
        Step::ExpectSync(id, argument) => {
            let mut header = [0; 8];
            stream.read_exact(&mut header).await.map_err(text)?;
            let length = u32::from_le_bytes(header[4..].try_into().unwrap()) as usize;
            let mut got = vec![0; length];
            stream.read_exact(&mut got).await.map_err(text)?;
            if &header[..4] == id.as_bytes() && got == argument.as_bytes() {
                Ok(())
            } else {
                Err(format!("{:?} {:?}", String::from_utf8_lossy(&header[..4]), String::from_utf8_lossy(&got)))
            }
        }
        Step::AwaitClose => {
            let mut byte = [0];
            match stream.read(&mut byte).await {
                Ok(0) | Err(_) => {
                    progress.send_modify(|progress| progress.closed_by_client += 1);
                    Ok(())
                }
                Ok(_) => Err("the client sent more instead of closing".to_owned()),
            }
        }
        Step::AwaitTest => {
            *seen += 1;
            let wanted = *seen;
            progress.subscribe().wait_for(|p| p.go >= wanted).await.map(|_| ()).map_err(|error| error.to_string())
        }
    }
}

async fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut digits = [0; 4];
    stream.read_exact(&mut digits).await.ok()?;
    let length = usize::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?;
    let mut request = vec![0; length];
    stream.read_exact(&mut request).await.ok()?;
    String::from_utf8(request).ok()
}

fn matches(patterns: &[String], asked: &[String]) -> bool {
    patterns.len() == asked.len() && patterns.iter().zip(asked).all(|(pattern, text)| glob(pattern, text))
}

/// `*` stands for any text.
fn glob(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(mut rest) = pieces.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let mut pieces = pieces.peekable();
    if pieces.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    true
}
