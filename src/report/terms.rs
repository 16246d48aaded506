//! What the terms of a score mean, in words.

use super::story::Story;
use minijinja::{Value, context};

/// What the terms of a score mean, for the page's legend and the bars' tooltips. A term that is not listed shows only its
/// name.
const TERMS: &[(&str, &str)] = &[
    ("meaning", "how close the widget's words are in meaning to the step (the language model's similarity)"),
    ("asked words", "words of the step that the widget shows"),
    ("own words", "words of the widget that the step says"),
    ("said", "the step says the whole label"),
    ("letters", "runs of letters that step and label share"),
    ("background", "the step resembles any widget more or less than usual; the same for all"),
    ("cue", "the step uses a verb of this skill, such as \u{201c}open\u{201d} for click"),
    ("input cue", "the step speaks of typing"),
    ("long press cue", "the step speaks of touching and holding"),
    ("scroll cue", "the step speaks of scrolling"),
    ("wait cue", "the step speaks of waiting"),
    ("back key", "the step speaks of the system's back key"),
    ("rare skill", "the skill is seldom what a step means, unless it says so"),
    ("scroll prior", "scrolling is worth trying when nothing on the screen fits"),
    ("scroll meaning", "how close the step is in meaning to looking further"),
    ("done before", "the same action was already done in this step"),
    ("parameter", "how well the parameter fits the field"),
    ("mentioned", "the step mentions that parameter"),
    ("unmentioned", "the step mentions other parameters, but not this one"),
    ("form", "the step is about a form, and this sends it or agrees to it"),
    ("form filled", "the form is filled in, and this sends it"),
    ("form field", "a field of the form the step is about"),
    ("advance", "the button goes on to the next screen"),
    ("role", "the step names this kind of widget"),
    ("place", "the step says where on the screen it is"),
    ("order", "the step counts, and this is the one"),
    ("switch", "the step says how something is to be switched, and this can be"),
    ("state", "the widget already is as the step wants it"),
    ("named", "the widget shows the text that the step names"),
    ("named missing", "the step names a text, and this widget does not show it"),
    ("towards", "turns the wheel, or scrolls, the way the step wants"),
    ("touch field", "a field is touched where most want to type"),
    ("inert", "the app does not call it clickable"),
    ("disabled", "the app calls it disabled"),
    ("hint", "a hint of the case or the workspace speaks of it"),
    ("expected", "how close it is in meaning to what the case expects in the end"),
    ("onward", "it sends, confirms or leads on"),
    ("sends", "something was typed here that is not sent yet"),
    ("unasked", "it does something of consequence that the goal does not ask for"),
    ("refusal", "it drops what was begun"),
    ("again", "it was touched before"),
    ("any value", "the case says that any value will do; this one is drawn from the seed"),
    ("nothing fits yet", "no action on the screen fits the step, so the app is given time"),
];

/// The terms that this run's scores have, explained.
pub(super) fn glossary(story: &Story) -> Vec<Value> {
    let used = |name: &str| {
        let choices = story.steps.iter().flat_map(|step| &step.actions).filter_map(|action| action.choice.as_ref());
        let mut candidates = choices.flat_map(|choice| std::iter::once(&choice.chosen).chain(&choice.runners_up));
        candidates.any(|candidate| candidate.terms.iter().any(|(term, _)| term == name))
    };
    let listed = TERMS.iter().filter(|(name, _)| used(name));
    listed.map(|&(name, meaning)| context! { name, meaning }).collect()
}

/// What a term means; `None` where it is not listed.
pub(super) fn meaning_of(term: &str) -> Option<&'static str> {
    TERMS.iter().find(|(name, _)| *name == term).map(|(_, meaning)| *meaning)
}
