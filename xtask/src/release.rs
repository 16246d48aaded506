//! `cargo xtask release`: what a user without a checkout gets: an archive with the program and its models, a Debian package of
//! the same, and a file of checksums, in `target/dist`.
//!
//! Only programs every system has do the packing (`tar`, `sha256sum`, `dpkg-deb`), for this command has no dependencies.

use crate::failure::Failure;
use crate::host::first_line;
use crate::progress::{run as run_command, stage};
use crate::workspace::Workspace;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders of `models/` that are no models.
const NO_MODELS: [&str; 2] = ["training", "runtime"];
/// What stands beside the program.
const PAPERS: [&str; 3] = ["LICENSE", "README.md", "CHANGELOG.md"];
/// Shells that the program has completions for, and where Debian keeps them.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "usr/share/bash-completion/completions/tapwright"),
    ("zsh", "usr/share/zsh/vendor-completions/_tapwright"),
    ("fish", "usr/share/fish/vendor_completions.d/tapwright.fish"),
];

/// What was asked for.
#[derive(Debug, PartialEq, Eq)]
struct Order {
    /// A program that was built already; else a release build.
    binary: Option<PathBuf>,
    /// Where the files go.
    output: Option<PathBuf>,
}

/// Builds, packs, and proves the archive by unpacking it elsewhere.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Result<(), Failure> {
    let order = Order::read(arguments)?;
    let binary = match &order.binary {
        Some(binary) => binary.clone(),
        None => {
            stage("release build", || run_command(&mut workspace.cargo(["build", "--release", "--locked"])))?;
            workspace.target().join("release/tapwright")
        }
    };
    let version = version_of(&binary)?;
    let output = order.output.unwrap_or_else(|| workspace.target().join("dist"));
    let name = format!("tapwright-{version}-{}-{}", std::env::consts::OS, std::env::consts::ARCH);
    let folder = fresh(&output.join(&name))?;
    stage("folder", || fill(workspace, &binary, &folder))?;
    let archive = format!("{name}.tar.gz");
    stage("archive", || pack(workspace, &output, &name, &archive))?;
    stage("the archive works elsewhere", || prove(&output.join(&archive), &name))?;
    let mut files = vec![archive];
    if first_line(Command::new("dpkg-deb").arg("--version")).is_some() {
        files.push(stage("Debian package", || debian(&folder, &output, &version))?);
    } else {
        eprintln!(
            "- Debian package: left out, there is no dpkg-deb here (Debian, Ubuntu: `sudo apt-get install dpkg`)"
        );
    }
    stage("checksums", || checksums(&output, &files))?;
    for file in files.iter().map(String::as_str).chain(["SHA256SUMS"]) {
        println!("{}", output.join(file).display());
    }
    Ok(())
}

impl Order {
    fn read(arguments: &[String]) -> Result<Self, Failure> {
        let mut order = Self { binary: None, output: None };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let place = match word.as_str() {
                "--binary" => &mut order.binary,
                "--output" => &mut order.output,
                other => {
                    return Err(Failure::Code(2, format!("{other:?} is none of --binary FILE and --output DIR")));
                }
            };
            let value = words.next().ok_or_else(|| Failure::Code(2, format!("{word} needs a value")))?;
            *place = Some(PathBuf::from(value));
        }
        Ok(order)
    }
}

/// `0.1.0`, of a program that says `tapwright 0.1.0`.
fn version_of(binary: &Path) -> Result<String, Failure> {
    let line = first_line(Command::new(binary).arg("--version"));
    let version = line.as_deref().and_then(|line| line.strip_prefix("tapwright "));
    version
        .map(str::to_owned)
        .ok_or_else(|| Failure::Missing(format!("{} does not tell its version", binary.display())))
}

fn failed(action: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::Failed(format!("cannot {action} {}: {error}", path.display()))
}

/// An empty folder of that name.
fn fresh(folder: &Path) -> Result<PathBuf, Failure> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| failed("remove", folder, &error))?;
    }
    fs::create_dir_all(folder).map_err(|error| failed("create", folder, &error))?;
    Ok(folder.to_owned())
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    let parent = to.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(|error| failed("create", parent, &error))?;
    fs::copy(from, to).map(|_| ()).map_err(|error| failed("copy", from, &error))
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), Failure> {
    for entry in fs::read_dir(from).map_err(|error| failed("read", from, &error))? {
        let path = entry.map_err(|error| failed("read", from, &error))?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_folder(&path, &target)?;
        } else {
            copy(&path, &target)?;
        }
    }
    Ok(())
}

/// The program, its models, its papers and its completions.
fn fill(workspace: &Workspace, binary: &Path, folder: &Path) -> Result<(), Failure> {
    let program = folder.join("bin/tapwright");
    copy(binary, &program)?;
    let models = workspace.path("models");
    for file in ["manifest.toml", "requirements.txt"] {
        copy(&models.join(file), &folder.join("models").join(file))?;
    }
    for entry in fs::read_dir(&models).map_err(|error| failed("read", &models, &error))? {
        let path = entry.map_err(|error| failed("read", &models, &error))?.path();
        let name = path.file_name().unwrap_or_default().to_owned();
        if path.is_dir() && !NO_MODELS.iter().any(|no| name == *no) {
            copy_folder(&path, &folder.join("models").join(&name))?;
        }
    }
    for paper in PAPERS {
        copy(&workspace.path(paper), &folder.join(paper))?;
    }
    for (shell, _) in COMPLETIONS {
        let output = Command::new(&program).args(["completions", shell]).output();
        let output = output.map_err(|error| failed("run", &program, &error))?;
        let file = folder.join("completions").join(shell);
        fs::create_dir_all(folder.join("completions")).map_err(|error| failed("create", &file, &error))?;
        fs::write(&file, output.stdout).map_err(|error| failed("write", &file, &error))?;
    }
    Ok(())
}

/// When the last commit was made: an archive of the same sources has the same times in it.
fn source_time(workspace: &Workspace) -> String {
    let told = std::env::var("SOURCE_DATE_EPOCH").ok();
    let commit = || first_line(Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(workspace.root()));
    told.or_else(commit).filter(|time| !time.is_empty()).unwrap_or_else(|| "0".to_owned())
}

fn pack(workspace: &Workspace, output: &Path, name: &str, archive: &str) -> Result<(), Failure> {
    let mut tar = Command::new("tar");
    let is_gnu = first_line(Command::new("tar").arg("--version")).is_some_and(|line| line.contains("GNU"));
    if is_gnu {
        tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner"]);
        tar.arg(format!("--mtime=@{}", source_time(workspace)));
    }
    run_command(tar.arg("-czf").arg(archive).arg(name).current_dir(output))
}

/// Unpacks the archive into a folder of its own and asks the program there, in an empty workspace, for its models.
fn prove(archive: &Path, name: &str) -> Result<(), Failure> {
    let place = fresh(&std::env::temp_dir().join(format!("tapwright-release-{}", std::process::id())))?;
    run_command(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(&place))?;
    let workspace = place.join("workspace");
    fs::create_dir_all(&workspace).map_err(|error| failed("create", &workspace, &error))?;
    let mut command = Command::new(place.join(name).join("bin/tapwright"));
    let output =
        command.args(["models", "list", "--json"]).current_dir(&workspace).env_remove("TAPWRIGHT_DATA").output();
    let output = output.map_err(|error| failed("run", &place, &error))?;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    fs::remove_dir_all(&place).map_err(|error| failed("remove", &place, &error))?;
    let models = place.join(name).join("models").display().to_string();
    if output.status.success() && told.contains("\"state\": \"present\"") && told.contains(&models) {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(Failure::Failed(format!("the unpacked program does not find its model: {told}{said}")))
}

/// The Debian package of a folder as [`fill`] makes it; its file name.
fn debian(folder: &Path, output: &Path, version: &str) -> Result<String, Failure> {
    let architecture = first_line(Command::new("dpkg").arg("--print-architecture"))
        .ok_or_else(|| Failure::Missing("dpkg does not tell this machine's architecture".to_owned()))?;
    let root = fresh(&output.join("debian"))?;
    copy(&folder.join("bin/tapwright"), &root.join("usr/bin/tapwright"))?;
    copy_folder(&folder.join("models"), &root.join("usr/share/tapwright/models"))?;
    copy(&folder.join("LICENSE"), &root.join("usr/share/doc/tapwright/copyright"))?;
    copy(&folder.join("CHANGELOG.md"), &root.join("usr/share/doc/tapwright/changelog"))?;
    for (shell, place) in COMPLETIONS {
        copy(&folder.join("completions").join(shell), &root.join(place))?;
    }
    let control = control(version, &architecture, size_of(&root)?, &libc_version());
    let file = root.join("DEBIAN/control");
    fs::create_dir_all(root.join("DEBIAN")).map_err(|error| failed("create", &file, &error))?;
    fs::write(&file, control).map_err(|error| failed("write", &file, &error))?;
    let name = format!("tapwright_{version}_{architecture}.deb");
    let mut build = Command::new("dpkg-deb");
    run_command(build.args(["--root-owner-group", "-Zxz", "--build"]).arg(&root).arg(output.join(&name)))?;
    fs::remove_dir_all(&root).map_err(|error| failed("remove", &root, &error))?;
    Ok(name)
}

/// The C library the program was linked against, `2.41`: an older one has not all it asks for.
fn libc_version() -> String {
    let told = first_line(Command::new("dpkg-query").args(["-W", "-f=${Version}", "libc6"])).unwrap_or_default();
    told.split('-').next().filter(|version| !version.is_empty()).unwrap_or("2.28").to_owned()
}

/// The package's description for dpkg; `kilobytes` is its size on a disk.
fn control(version: &str, architecture: &str, kilobytes: u64, libc: &str) -> String {
    format!(
        "Package: tapwright\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: Tapwright contributors\n\
         Section: devel\nPriority: optional\nInstalled-Size: {kilobytes}\nDepends: libc6 (>= {libc}), libgcc-s1\n\
         Recommends: adb, ca-certificates\nHomepage: https://github.com/tapwright/tapwright\n\
         Description: local, explainable Android test agent\n Reads test cases in plain language, carries them out over adb \
         with a small local\n model, tells an honest verdict, and writes scripts that replay without any model.\n .\n \
         `tapwright models install` fetches ONNX Runtime once; the model is in this package.\n"
    )
}

fn size_of(folder: &Path) -> Result<u64, Failure> {
    fn bytes(folder: &Path) -> std::io::Result<u64> {
        let mut sum = 0;
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            sum += if path.is_dir() { bytes(&path)? } else { path.metadata()?.len() };
        }
        Ok(sum)
    }
    bytes(folder).map(|sum| sum.div_ceil(1024)).map_err(|error| failed("read", folder, &error))
}

fn checksums(output: &Path, files: &[String]) -> Result<(), Failure> {
    let told = |program: &str, words: &[&str]| {
        let output = Command::new(program).args(words).args(files).current_dir(output).output().ok()?;
        output.status.success().then_some(output.stdout)
    };
    let sums = told("sha256sum", &[]).or_else(|| told("shasum", &["-a", "256"]));
    let sums = sums.ok_or_else(|| Failure::Missing("there is neither sha256sum nor shasum here".to_owned()))?;
    let file = output.join("SHA256SUMS");
    fs::write(&file, sums).map_err(|error| failed("write", &file, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_names_a_program_and_a_folder_and_nothing_else() {
        let read = |line: &str| Order::read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        let order = read("--binary target/debug/tapwright --output out").unwrap();
        let expected = Order { binary: Some("target/debug/tapwright".into()), output: Some("out".into()) };
        assert_eq!(order, expected);
        assert_eq!(read("").unwrap(), Order { binary: None, output: None });
        for wrong in ["--binary", "--sign key", "x"] {
            assert_eq!(read(wrong).unwrap_err().exit_code(), 2, "{wrong}");
        }
    }

    #[test]
    fn the_control_file_has_what_dpkg_asks_for() {
        let text = control("0.1.0", "amd64", 60_000, "2.41");
        for line in
            ["Package: tapwright", "Version: 0.1.0", "Architecture: amd64", "Depends: libc6 (>= 2.41), libgcc-s1"]
        {
            assert!(text.lines().any(|own| own == line), "{line} is not in {text}");
        }
        assert!(text.lines().all(|line| line.contains(": ") || line.starts_with(' ')), "{text}");
    }

    /// The script behind the GitHub Action, with an archive of a program that only says that it was called.
    #[test]
    fn the_action_unpacks_what_has_the_right_checksum_and_refuses_the_rest() {
        let place = fresh(&std::env::temp_dir().join(format!("tapwright-action-{}", std::process::id()))).unwrap();
        let name = "tapwright-9.9-linux-x86_64";
        let program = place.join(name).join("bin/tapwright");
        fs::create_dir_all(program.parent().unwrap()).unwrap();
        fs::write(&program, "#!/bin/sh\necho \"tapwright $*\" >> \"$CALLS\"\n").unwrap();
        let shell =
            |line: &str| assert!(Command::new("sh").args(["-c", line]).current_dir(&place).status().unwrap().success());
        shell(&format!(
            "chmod +x {name}/bin/tapwright && tar -czf {name}.tar.gz {name} && sha256sum {name}.tar.gz > SHA256SUMS"
        ));
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("packaging/setup.sh");
        let set_up = || {
            let mut command = Command::new("sh");
            command.arg(&script).env("CALLS", place.join("calls")).env("GITHUB_PATH", place.join("path"));
            command.env("TAPWRIGHT_RELEASES", format!("file://{}", place.display()));
            command.env("TAPWRIGHT_VERSION", "9.9").env("TAPWRIGHT_PLATFORM", "linux-x86_64");
            command.env("TAPWRIGHT_HOME", place.join("home"));
            let output = command.output().unwrap();
            (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
        };
        let (done, told) = set_up();
        assert!(done, "{told}");
        let bin = place.join("home").join(name).join("bin");
        assert_eq!(fs::read_to_string(place.join("path")).unwrap().trim_end(), bin.display().to_string());
        assert_eq!(fs::read_to_string(place.join("calls")).unwrap(), "tapwright models install\ntapwright --version\n");
        // The second time nothing is fetched.
        fs::rename(place.join(format!("{name}.tar.gz")), place.join("away")).unwrap();
        assert!(set_up().0);
        fs::remove_dir_all(place.join("home")).unwrap();
        let (done, told) = set_up();
        assert!(!done && told.contains("cannot be fetched"), "{told}");
        fs::write(place.join(format!("{name}.tar.gz")), "tampered").unwrap();
        let (done, told) = set_up();
        assert!(!done && told.contains("has another checksum"), "{told}");
        assert!(!place.join("home").join(name).exists());
        fs::remove_dir_all(&place).unwrap();
    }
}
