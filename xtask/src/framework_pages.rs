//! `cargo xtask framework --pages TAPWRIGHT [APP.apk]`: how many pages of the app the agent opens by touch, in its own loop
//! and through the real adb, from the app's first screen on.
//!
//! A page is an activity whose label is a way to it (`Views/Lists/01. Array`, as in Google's ApiDemos) and that the app
//! offers as a place to begin (action `MAIN`): others stand in no list of its. Which activity is open in the end is asked of
//! the framework, not of the agent.

use crate::failure::Failure;
use crate::framework_link::{Connection, failed, text};
use crate::framework_played::{Play, Player, Table};

/// So many pages are tried; they lie evenly over the app.
const TRIED: usize = 48;

/// An activity and the way to it.
#[derive(Debug, PartialEq, Eq)]
struct Page {
    class: String,
    label: String,
}

/// Tries pages and prints one line each and how many were opened.
pub(crate) fn count(play: Play<'_>) -> Result<(), Failure> {
    play.with(|player, Table { mut link, hello }| {
        let pages = chosen(&mut link, pages(&hello))?;
        let Some(package) = text(&hello, "package") else {
            return Err(Failure::Failed("the framework device names no package".to_owned()));
        };
        let mut opened = 0;
        for (at, page) in pages.iter().enumerate() {
            let id = format!("PAGE-{at}");
            let file = player.folder().join(format!("{id}.case.yaml"));
            std::fs::write(&file, case(&id, &package, &page.label)).map_err(|error| failed(&error))?;
            opened += usize::from(told(player, &mut link, &id, page)?);
        }
        println!("{opened} of {} pages opened by touch; cases and reports: {}", pages.len(), player.folder().display());
        Ok(())
    })
}

/// Tries one page and prints what came of it; whether it was opened.
fn told(player: &Player<'_>, link: &mut Connection, id: &str, page: &Page) -> Result<bool, Failure> {
    player.tapwright(&["run", id])?;
    let there = open(link)?;
    let right = there == page.class;
    let instead = if right { String::new() } else { format!(" ({id}; in front: {there})") };
    println!("{} {}{instead}", if right { "opened" } else { "not opened" }, page.label);
    Ok(right)
}

/// The pages that a device's greeting names.
fn pages(hello: &str) -> Vec<Page> {
    let activities = hello.split("{\"class\":").skip(1).map(|rest| format!("{{\"class\":{rest}"));
    let page = |line: String| Some(Page { class: text(&line, "class")?, label: text(&line, "label")? });
    let begun = activities.filter(|line| line.contains("\"main\":true"));
    begun.filter_map(|line| page(line).filter(|page| page.label.contains('/'))).collect()
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

/// A case that opens every part of a way, one after another.
fn case(id: &str, package: &str, label: &str) -> String {
    let steps: String = label.split('/').map(|part| format!("  - 'Open \"{}\"'\n", part.replace('\'', "''"))).collect();
    let title = label.replace('\'', "''");
    format!(
        "id: {id}\ntitle: '{title}'\napp: {{package: {package}}}\nsteps:\n{steps}budget: {{attempts: 1, time: 3m}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn activities_whose_labels_are_ways_are_pages() {
        let hello = r#"{"package":"a.b","label":"Demos","activities":[{"class":"a.b.Main","label":"Demos","main":true,"exported":true},{"class":"a.b.Shown","label":"App\/Shown","main":false,"exported":true},{"class":"a.b.List1","label":"Views\/Lists\/01. Array","main":true,"exported":false}]}"#;
        let page = Page { class: "a.b.List1".to_owned(), label: "Views/Lists/01. Array".to_owned() };
        assert_eq!(pages(hello), [page]);
    }

    #[test]
    fn a_way_becomes_a_step_for_each_part() {
        let case = case("PAGE-3", "a.b", "App/What's new");
        assert!(case.contains("steps:\n  - 'Open \"App\"'\n  - 'Open \"What''s new\"'\n"), "{case}");
    }
}
