//! One thing a repair did otherwise than the script says, and the page of all of them.

use crate::domain::Screenshot;
use crate::script::{ChangePage, DiffLine};
use crate::vision;
use std::fmt::Write as _;

/// A picture on the page is so many times smaller than the display.
const SCALE: u32 = 3;

/// Who found the way on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// The ranking found the widget that is meant.
    Ranked,
    /// The agent carried the step out, or what was left of it.
    Agent,
    /// Another way to the recorded screen was gone, over what is known of the app.
    Map,
    /// A page the script does not know, which only leads on, was passed.
    Page,
    /// An action without a widget was done as recorded: the page is the recorded one, though it is built otherwise now.
    SamePage,
    /// A window the script does not know was answered as the case prefers. The script stays as it is.
    Window,
}

/// One change.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Change {
    /// The script's action, from 1.
    pub(super) action: usize,
    /// The case's step, from 1.
    pub(super) step: usize,
    /// Its sentence.
    pub(super) instruction: String,
    /// Who found the way.
    pub(super) way: Way,
    /// What the script did, in words.
    pub(super) was: String,
    /// What was done in its place, in words.
    pub(super) now: Vec<String>,
    /// The ranking's score and that of the next best, where it was ranked.
    pub(super) score: Option<(f32, Option<f32>)>,
    /// Why the script could not go on, and why this.
    pub(super) reason: String,
    /// The screen before and after it, where pictures were taken.
    pub(super) pictures: Pictures,
}

/// The screen before and after a change.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Pictures {
    pub(super) before: Option<Screenshot>,
    pub(super) after: Option<Screenshot>,
}

impl Change {
    /// In one clause, for the reason of a run.
    pub(super) fn told(&self) -> String {
        let now = self.now.join(", ");
        let score = match self.score {
            Some((score, Some(next))) => format!(" ({score:.2}, next best {next:.2})"),
            Some((score, None)) => format!(" ({score:.2}, nothing else came near)"),
            None => String::new(),
        };
        match self.way {
            Way::Ranked => format!("action {}: {now} in place of {}{score}", self.action, self.was),
            Way::Agent => format!("action {}: the agent did step {}: {now}", self.action, self.step),
            Way::Map => format!("action {}: another way over the app's map: {now}", self.action),
            Way::SamePage => {
                format!("action {}: {now} all the same, on a page that is built otherwise now", self.action)
            }
            Way::Page => format!("action {}: a page the script does not know was passed: {now}", self.action),
            Way::Window => format!("action {}: a window the script does not know was answered: {now}", self.action),
        }
    }

    /// True where the script is to be changed for it.
    pub(super) fn is_of_script(&self) -> bool {
        self.way != Way::Window
    }
}

/// All changes as a page in Markdown, for who decides whether to accept them: what was told of the repair, each change with its
/// pictures, and the lines of the profile's script that differ.
pub(super) fn page(
    (title, profile): (&str, &str),
    told: &[(&str, String)],
    changes: &[Change],
    diff: &[DiffLine],
) -> ChangePage {
    let mut pictures = Vec::new();
    let mut page = format!("# {title}\n\n");
    for (name, value) in told {
        // Writing to a text never fails.
        let _ = writeln!(page, "- {name}: {value}");
    }
    for (number, change) in (1..).zip(changes) {
        let Change { action, step, instruction, was, now, reason, .. } = change;
        let _ = write!(page, "\n## Action {action}, step {step}: {instruction}\n\n- was: {was}\n");
        let _ = writeln!(page, "- now: {}", now.join(", "));
        if let Some((score, next)) = change.score {
            let next = next.map_or_else(|| "nothing else came near".to_owned(), |next| format!("next best {next:.2}"));
            let _ = writeln!(page, "- score: {score:.2}, {next}");
        }
        let _ = writeln!(page, "- reason: {reason}\n");
        for (when, picture) in [("before", &change.pictures.before), ("after", &change.pictures.after)] {
            let Some(bytes) = picture.as_ref().and_then(smaller) else { continue };
            let name = ChangePage::picture_name(profile, number, when);
            let _ = writeln!(page, "![{when}]({name})");
            pictures.push((name, bytes));
        }
    }
    if !diff.is_empty() {
        page.push_str("\n## What differs\n\n```diff\n");
        for line in diff {
            let _ = writeln!(page, "{} {}", line.side.mark(), line.text);
        }
        page.push_str("```\n");
    }
    ChangePage { text: page, pictures }
}

/// A picture for the page; none where it cannot be encoded, which changes nothing about the repair.
fn smaller(picture: &Screenshot) -> Option<Vec<u8>> {
    let encoded = vision::encode_small_png(picture, SCALE);
    encoded.inspect_err(|error| tracing::warn!(%error, "a change has no picture")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Size;
    use crate::script::Side;

    fn change(way: Way, score: Option<(f32, Option<f32>)>) -> Change {
        Change {
            action: 3,
            step: 2,
            instruction: "Open the bills".into(),
            way,
            was: "click \"Bills\"".into(),
            now: vec!["click \"Statements\"".into()],
            score,
            reason: "\"Bills\" is not there".into(),
            pictures: Pictures::default(),
        }
    }

    #[test]
    fn a_change_is_told_in_one_clause_and_on_a_page() {
        for (change, told) in [
            (
                change(Way::Ranked, Some((0.84, Some(0.31)))),
                "action 3: click \"Statements\" in place of click \"Bills\" (0.84, next best 0.31)",
            ),
            (
                change(Way::Ranked, Some((0.84, None))),
                "action 3: click \"Statements\" in place of click \"Bills\" (0.84, nothing else came near)",
            ),
            (change(Way::Agent, None), "action 3: the agent did step 2: click \"Statements\""),
            (change(Way::Map, None), "action 3: another way over the app's map: click \"Statements\""),
            (
                change(Way::SamePage, None),
                "action 3: click \"Statements\" all the same, on a page that is built otherwise now",
            ),
            (change(Way::Page, None), "action 3: a page the script does not know was passed: click \"Statements\""),
            (
                change(Way::Window, None),
                "action 3: a window the script does not know was answered: click \"Statements\"",
            ),
        ] {
            assert_eq!(change.told(), told);
            assert_eq!(change.is_of_script(), change.way != Way::Window);
        }
        let picture = Some(Screenshot::blank(Size::new(30, 60)));
        let pictures = Pictures { before: picture.clone(), after: picture };
        let changes = [change(Way::Agent, None), Change { pictures, ..change(Way::Ranked, Some((0.84, Some(0.31)))) }];
        let diff = [
            DiffLine { side: Side::Earlier, text: "click Bills".into() },
            DiffLine { side: Side::Later, text: "click Statements".into() },
        ];
        let page = page(("T", "phone"), &[("run", "r".into())], &changes, &diff);
        for part in [
            "# T\n",
            "- run: r\n",
            "## Action 3, step 2: Open the bills",
            "- was: click",
            "0.84, next best 0.31",
            "\n![before](phone.2-before.png)\n![after](phone.2-after.png)\n",
            "```diff\n- click Bills\n+ click Statements\n```\n",
        ] {
            assert!(page.text.contains(part), "{part:?} is not in {}", page.text);
        }
        let sizes =
            page.pictures.iter().map(|(name, bytes)| (name.as_str(), vision::decode_png(bytes).unwrap().size()));
        let small = Size::new(10, 20);
        assert_eq!(sizes.collect::<Vec<_>>(), [("phone.2-before.png", small), ("phone.2-after.png", small)]);
    }
}
