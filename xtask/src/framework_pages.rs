//! `cargo xtask framework --pages TAPWRIGHT [APP.apk]`: how many pages of the app the agent opens by touch, in its own loop
//! and through the real adb, from the app's first screen on.
//!
//! A page is an activity whose label is a way to it (`Views/Lists/01. Array`, as in Google's ApiDemos). Which activity is
//! open in the end is asked of the framework, not of the agent.

use crate::failure::Failure;
use crate::framework_link::{Connection, failed, ready, text};
use crate::runtime;
use crate::workspace::Workspace;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// So many pages are tried; they lie evenly over the app.
const TRIED: usize = 48;

/// An activity and the way to it.
#[derive(Debug, PartialEq, Eq)]
struct Page {
    class: String,
    label: String,
}

/// Starts `device`, tries pages with the program `tapwright` and prints one line each and how many were opened.
/// `socket` is the file the device writes.
pub(crate) fn count(
    workspace: &Workspace,
    device: &mut Command,
    socket: &Path,
    tapwright: &Path,
) -> Result<(), Failure> {
    let mut java = started(device.stdout(Stdio::piped()))?;
    let counted = ready(&mut java).and_then(|()| {
        let (mut link, hello) = Connection::open(socket)?;
        let pages = chosen(&mut link, pages(&hello))?;
        let Some(package) = text(&hello, "package") else {
            return Err(Failure::Failed("the framework device names no package".to_owned()));
        };
        let folder = socket.with_extension("cases");
        let mut emulate = Command::new(tapwright);
        emulate.args(["emulate", "--connect", "--framework"]).arg(socket).stdout(Stdio::piped());
        let mut emulator = started(runtime::environment(workspace, &mut emulate))?;
        let tried = serial(&mut emulator).and_then(|serial| {
            let run = Run { workspace, tapwright, serial: &serial, folder: &folder, package: &package };
            run.all(&mut link, &pages)
        });
        ended(&mut emulator)?;
        tried
    });
    ended(&mut java)?;
    counted
}

fn started(command: &mut Command) -> Result<Child, Failure> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.spawn().map_err(|error| Failure::Missing(format!("{name} could not be started: {error}")))
}

fn ended(child: &mut Child) -> Result<(), Failure> {
    child.kill().map_err(|error| failed(&error))?;
    child.wait().map(|_| ()).map_err(|error| failed(&error))
}

/// The first line that `emulate` prints.
fn serial(emulator: &mut Child) -> Result<String, Failure> {
    let mut line = String::new();
    if let Some(stdout) = emulator.stdout.take() {
        BufReader::new(stdout).read_line(&mut line).map_err(|error| failed(&error))?;
    }
    let serial = line.split_whitespace().next().unwrap_or_default();
    if serial.is_empty() {
        return Err(Failure::Failed("`tapwright emulate` ended without a device".to_owned()));
    }
    Ok(serial.to_owned())
}

/// The pages that a device's greeting names.
fn pages(hello: &str) -> Vec<Page> {
    let activities = hello.split("{\"class\":").skip(1).map(|rest| format!("{{\"class\":{rest}"));
    let page = |line: String| Some(Page { class: text(&line, "class")?, label: text(&line, "label")? });
    activities.filter_map(|line| page(line).filter(|page| page.label.contains('/'))).collect()
}

/// Pages evenly over the app that stand when they are opened directly: some want what the device has not.
fn chosen(link: &mut Connection, pages: Vec<Page>) -> Result<Vec<Page>, Failure> {
    let (step, mut standing) = ((pages.len() / TRIED).max(1), Vec::new());
    let (often, seldom): (Vec<_>, Vec<_>) = pages.into_iter().enumerate().partition(|(at, _)| at % step == 0);
    for (_, page) in often.into_iter().chain(seldom) {
        if standing.len() == TRIED {
            break;
        }
        link.ask(r#"{"do":"stop"}"#)?;
        let launch = format!(r#"{{"do":"launch","activity":"{}"}}"#, page.class);
        if link.ask(&launch).is_ok() && link.rest().is_ok() && open(link)? == page.class {
            standing.push(page);
        }
    }
    link.ask(r#"{"do":"stop"}"#)?;
    Ok(standing)
}

/// The class of the activity in front; empty where there is none.
fn open(link: &mut Connection) -> Result<String, Failure> {
    let (status, _) = link.ask(r#"{"do":"status"}"#)?;
    Ok(text(&status, "activity").unwrap_or_default())
}

/// What the cases are run with.
struct Run<'a> {
    workspace: &'a Workspace,
    tapwright: &'a Path,
    serial: &'a str,
    folder: &'a Path,
    package: &'a str,
}

impl Run<'_> {
    fn all(&self, link: &mut Connection, pages: &[Page]) -> Result<(), Failure> {
        std::fs::create_dir_all(self.folder).map_err(|error| failed(&error))?;
        std::fs::write(self.folder.join("tapwright.toml"), "[folders]\ncases = [\".\"]\n")
            .map_err(|error| failed(&error))?;
        let mut opened = 0;
        for (at, page) in pages.iter().enumerate() {
            let file = self.folder.join(format!("PAGE-{at}.case.yaml"));
            std::fs::write(&file, case(at, self.package, &page.label)).map_err(|error| failed(&error))?;
            self.run(&file)?;
            let there = open(link)?;
            let right = there == page.class;
            opened += usize::from(right);
            let instead = if right { String::new() } else { format!(" (in front: {there})") };
            println!("{} {}{instead}", if right { "opened" } else { "not opened" }, page.label);
        }
        println!("{opened} of {} pages opened by touch; cases and reports: {}", pages.len(), self.folder.display());
        Ok(())
    }

    /// Runs one case; its verdict is in its report.
    fn run(&self, file: &PathBuf) -> Result<(), Failure> {
        let mut command = Command::new(self.tapwright);
        command.arg("run").arg(file).args(["--device", self.serial, "--workspace"]).arg(self.folder);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let status = runtime::environment(self.workspace, &mut command).status();
        status.map(|_| ()).map_err(|error| failed(&error))
    }
}

/// A case that opens every part of a way, one after another.
fn case(at: usize, package: &str, label: &str) -> String {
    let steps: String = label.split('/').map(|part| format!("  - 'Open \"{}\"'\n", part.replace('\'', "''"))).collect();
    let title = label.replace('\'', "''");
    format!(
        "id: PAGE-{at}\ntitle: '{title}'\napp: {{package: {package}}}\nsteps:\n{steps}budget: {{attempts: 1, time: 3m}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn activities_whose_labels_are_ways_are_pages() {
        let hello = r#"{"package":"a.b","label":"Demos","activities":[{"class":"a.b.Main","label":"Demos","exported":true},{"class":"a.b.List1","label":"Views\/Lists\/01. Array","exported":false}]}"#;
        let page = Page { class: "a.b.List1".to_owned(), label: "Views/Lists/01. Array".to_owned() };
        assert_eq!(pages(hello), [page]);
    }

    #[test]
    fn a_way_becomes_a_step_for_each_part() {
        let case = case(3, "a.b", "App/What's new");
        assert!(case.contains("steps:\n  - 'Open \"App\"'\n  - 'Open \"What''s new\"'\n"), "{case}");
    }
}
