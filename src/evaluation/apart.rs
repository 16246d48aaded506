//! Keeps what is trained on apart from what is measured on: no app in common, no screen with nearly the same texts.

use super::ranking_labels::LabelledScreen;
use crate::hierarchy::Screen;
use std::collections::BTreeSet;

/// Screens that share this part of their texts are nearly the same.
const NEARLY: f64 = 0.7;
/// Fewer texts tell nothing.
const FEWEST: usize = 4;

/// Why a training screen may not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shared {
    /// The measured screens show its app.
    App(String),
    /// It shows nearly the texts of this screen.
    Texts(String),
}

/// What the screen has in common with those that are measured on; `None` when it may be trained on.
pub fn shared_with(screen: &LabelledScreen, measured: &[LabelledScreen]) -> Option<Shared> {
    let own = text_set(&screen.screen);
    measured.iter().find_map(|other| {
        if other.package == screen.package {
            return Some(Shared::App(other.package.as_str().to_owned()));
        }
        nearly_equal(&own, &text_set(&other.screen)).then(|| Shared::Texts(other.name.clone()))
    })
}

/// The screens that have nothing in common with those that are measured on, and how many had.
pub fn apart(screens: Vec<LabelledScreen>, measured: &[LabelledScreen]) -> (Vec<LabelledScreen>, usize) {
    let all = screens.len();
    let kept: Vec<LabelledScreen> =
        screens.into_iter().filter(|screen| shared_with(screen, measured).is_none()).collect();
    let left_out = all - kept.len();
    (kept, left_out)
}

fn nearly_equal(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let shared = one.intersection(other).count();
    let all = one.len() + other.len() - shared;
    one.len().min(other.len()) >= FEWEST && shared as f64 >= NEARLY * all as f64
}

fn text_set(screen: &Screen) -> BTreeSet<String> {
    let texts = screen.tree.nodes.iter().flat_map(|node| [&node.text, &node.content_desc]);
    texts.map(|text| text.trim().to_lowercase()).filter(|text| !text.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::read_labels;
    use std::path::Path;

    fn screen(package: &str, texts: &[&str]) -> LabelledScreen {
        let node = |text: &&str| {
            format!(r#"<node package="{package}" class="android.widget.TextView" text="{text}" bounds="[0,0][9,9]"/>"#)
        };
        let nodes = texts.iter().map(node).collect::<Vec<_>>().concat();
        let screen = super::super::ranking_labels::perceived(format!("<hierarchy>{nodes}</hierarchy>").as_bytes());
        LabelledScreen {
            name: texts.concat(),
            package: crate::domain::PackageName::new(package),
            screen,
            picture: None,
            labels: Vec::new(),
        }
    }

    #[test]
    fn screens_of_the_same_app_or_with_nearly_the_same_texts_are_left_out() {
        let measured = [screen("a.b", &["One", "Two", "Three", "Four", "Five"])];
        let same_app = screen("a.b", &["Other"]);
        let copy = screen("c.d", &["one", "Two", "Three", "Four"]);
        let other = screen("c.d", &["Six", "Two", "Three", "Eight"]);
        let (kept, left_out) = apart(vec![same_app, copy, other], &measured);
        assert_eq!((kept.len(), left_out), (1, 2));
        assert_eq!(kept[0].name, "SixTwoThreeEight");
    }

    #[test]
    fn what_the_weights_are_fitted_to_shares_nothing_with_the_development_screens() {
        let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
        let (training, measured) = (shared.join("training/labels.jsonl"), shared.join("screens/labels.jsonl"));
        if !training.is_file() || !measured.is_file() {
            println!("skipped: the labelled screens are not here");
            return;
        }
        let measured = read_labels(&measured, None).expect("development screens");
        let (kept, left_out) = apart(read_labels(&training, None).expect("training screens"), &measured);
        assert!(kept.len() > left_out, "{left_out} training screens share an app or texts with development screens");
        let apps: BTreeSet<&str> = measured.iter().map(|screen| screen.package.as_str()).collect();
        for screen in &kept {
            assert!(!apps.contains(screen.package.as_str()), "{} is of a development app", screen.name);
            let own = text_set(&screen.screen);
            let twin = measured.iter().find(|other| own.len() >= FEWEST && own == text_set(&other.screen));
            assert!(twin.is_none(), "{} shows what {:?} shows", screen.name, twin.map(|twin| &twin.name));
        }
    }
}
