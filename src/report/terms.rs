//! What the terms of a score mean, in words.

use super::story::Story;
use minijinja::{Value, context};

/// What the terms of a score mean, for the page's legend and the bars' tooltips. A term that is not listed shows only its
/// name. Those of the ranking come first; the pipeline's features follow in `POLICY_TERMS`, but for those of the same name.
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
    ("expected", "what the case expects in the end says the same, or nearly"),
];

/// What the pipeline's features mean, in their order.
const POLICY_TERMS: &[(&str, &str)] = &[
    ("weak meaning", "the widget's words are too far from the step in meaning to be surely meant"),
    ("not named", "the step names something on the screen, and this is something else"),
    ("named row", "it stands in the row of the thing that the step names"),
    ("other row", "the step names one row, and this stands in another"),
    ("superfluous", "all that the step asks for has happened already, and this confirms nothing"),
    ("previous meaning", "how well it fits the step before, which may have been ended too early"),
    ("asked", "how many of the step's telling words it shows"),
    ("verb match", "its label says what the step asks to do"),
    ("verb conflict", "its label says something else than what the step asks to do"),
    ("toggles", "it brings a switch to where the step wants it"),
    ("commits form", "it sends or saves the form that this step filled in"),
    ("commit asked", "it sends or confirms, as the step asks"),
    ("commit too early", "it sends or confirms while something is still to be filled in"),
    ("confirms dialog", "it answers the dialog that this step brought up with yes"),
    ("leaves dialog", "it leaves the dialog that this step brought up without an answer"),
    ("consent", "a box that must be ticked before the form can be sent"),
    ("row menu", "it opens the menu of the named row, which shows no button for it"),
    ("hold asked", "the step asks to touch and hold, and this does"),
    ("not clickable", "the app does not call it clickable"),
    ("binding", "how well the value fits the field"),
    ("binding mentioned", "the step mentions the value"),
    ("above", "it stands above the other fields that are to be filled in"),
    ("value name", "how surely this is the control whose value the step sets"),
    ("value fit", "how surely a control of this kind takes the step's value"),
    ("route", "a way that is known from earlier leads from here to what the step asks for"),
    ("container", "it opens a page that leads to others"),
    ("menu", "it opens a drawer or a menu"),
    ("tried elsewhere", "it was tried for this step already and led nowhere"),
    ("page action", "the step makes something new, and this is the page's own button"),
    ("content guess", "it opens an entry of a list that does not name what is looked for"),
    ("risky guess", "it would change something while something else is looked for"),
    ("far guess", "it has little to do with the step and is touched only to look further"),
    ("count owed", "it counts up or adds, and the step asks for more than there are"),
    ("new words", "it shows words of the step that nothing touched so far has shown"),
    ("affirms", "it is the yes of the window in front, for the other buttons say no"),
    ("advances", "it goes on to the next of several pages"),
    ("more below", "there may be more to see in this direction"),
    ("skill asked", "the step asks to scroll, wait or go back, and this does"),
    ("outside", "another app is in front, and this brings the tested one back"),
    ("way back", "going back leads to something that fits and was not tried"),
    ("back cost", "going back without being asked to is a last resort"),
    ("search for", "it is the way to search, and the step names what to look for"),
    ("submits search", "it sends what was typed into the search"),
    ("done", "what speaks for the end of a step before anything is looked at"),
    ("acted", "something was done for the step"),
    ("acted fit", "how well the best of what was done fits the step"),
    ("already so", "nothing had to be done: the screen is as the step wants it"),
    ("owed", "how much of what the step names was not touched, entered or seen yet"),
    ("things owed", "nothing was done to the things that the step names"),
    ("fulfilled", "all that the step names has been dealt with, and what it asks to do was done"),
    ("proper left", "what the step calls by a name with capital letters was not touched, entered or opened"),
    ("verb owed", "nothing was touched that says what the step asks to do"),
    ("not opened", "the step asks for a page, and none was opened"),
    ("remaining", "how good the best is that could still be done"),
    ("better left", "something untouched fits the step better than all that was touched"),
    ("new left", "something untouched shows words of the step that nothing done has shown"),
    ("next fits", "how well the next step fits this screen"),
    ("led to next", "the page that came up is the one for the next step"),
    ("said left", "the step says the whole label of something that was not touched"),
    ("gone", "the step takes something away, and it is gone"),
    ("dialog open", "the dialog that this step brought up still waits for an answer"),
    ("form open", "the form that this step filled in was not sent"),
    ("sign in way", "it leads to the sign-in, and the case has a password that was not given yet"),
    ("sign in open", "the page that asks who one is still stands in the way"),
    ("committed", "the step asks to send, save or confirm, and that was done"),
    ("not committed", "the step asks to send, save or confirm, and that was not done"),
    ("expectations hold", "the case's last step, and all it expects is there"),
    ("expectations open", "the case's last step, and something it expects is not there"),
    ("only looked", "the last action only looked further"),
    ("complained", "the app complained about what was entered"),
    ("count left", "how many are still missing of the number that the step asks for"),
    ("uncovered", "how many of the step's telling words nothing done has shown"),
    ("search pending", "what was typed into the search was neither sent nor found"),
    ("commit in sight", "another button of the page goes on, sends or confirms"),
    ("page open", "the page that the step asks for is open"),
    ("behind", "it stood there before the menu in front came up"),
    ("only opened", "the thing that the step speaks of was opened, and nothing was done to it"),
    ("commit left", "a button that does what the step asks for was not touched"),
    ("search alike", "the search asks for things like the one that is looked for"),
    ("hub", "it opens settings, an account or a list of pages, where what the step names may be"),
    ("unseen below", "the page was not scrolled to its end before going back"),
    ("undoes choice", "it would take back what was chosen for the step"),
    ("said choice", "the step says the whole label of this box or switch, and it is not as wanted yet"),
    ("choice left", "a box or switch whose whole label the step says is not as wanted yet"),
    ("spoken control", "the step speaks of this kind of control, such as \u{201c}the heart\u{201d}"),
    ("value left", "a control in sight does not hold the value yet that the step asks for"),
    ("carried out", "what the step names was dealt with by the very control that says what to do"),
    ("action meaning", "how close the control is to what the step does to the thing, its name left out"),
    ("unearned", "nothing was done for the step, and nothing shows that nothing had to be"),
    ("primary", "it is the page's widest and lowest button: what the page is about"),
    ("look", "touching something only to look for what the step asks for"),
    ("look meaning", "how close what is touched only to look further is to the step in meaning"),
    ("holds", "what pages of this kind usually hold is like what the step asks for"),
    ("way", "how much of the goal the best way that begins here deals with"),
    ("goal done", "what speaks for the end of a goal before anything is looked at"),
    ("part left", "how far one part of the goal is from all that was done"),
    ("parts short", "fewer things were done than the goal has parts"),
    ("goal settled", "what was done last for the goal came to an end"),
    (
        "ordered entry",
        "the step means an entry by its place or rank, such as \u{201c}the second\u{201d}, and this is it",
    ),
    ("phrase fit", "a phrase of the step is more like this than like all that was done"),
    ("phrase left", "a phrase of the step is more like something untouched than like all that was done"),
    ("hinted", "a hint of the case or the workspace speaks of it"),
    ("unlikely", "the model that reads whole decisions finds something else likelier"),
    ("likely done", "the model that reads whole decisions finds the end of the step likelier than going on"),
];

/// All terms with their meanings.
fn all() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    TERMS.iter().chain(POLICY_TERMS)
}

/// The terms that this run's scores have, explained.
pub(super) fn glossary(story: &Story) -> Vec<Value> {
    let used = |name: &str| {
        let choices = story.steps.iter().flat_map(|step| &step.actions).filter_map(|action| action.choice.as_ref());
        let mut candidates = choices.flat_map(|choice| std::iter::once(&choice.chosen).chain(&choice.runners_up));
        candidates.any(|candidate| candidate.terms.iter().any(|(term, _)| term == name))
    };
    let listed = all().filter(|(name, _)| used(name));
    listed.map(|&(name, meaning)| context! { name, meaning }).collect()
}

/// What a term means; `None` where it is not listed.
pub fn meaning_of(term: &str) -> Option<&'static str> {
    all().find(|(name, _)| *name == term).map(|(_, meaning)| *meaning)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::Feature;
    use std::collections::BTreeSet;

    #[test]
    fn every_feature_of_the_policy_has_words() {
        let wordless: Vec<&str> = Feature::ALL
            .iter()
            .map(|feature| feature.key())
            .filter(|key| meaning_of(&key.replace('_', " ")).is_none())
            .collect();
        assert!(wordless.is_empty(), "add words for {wordless:?} to POLICY_TERMS");
    }

    #[test]
    fn the_words_of_features_that_are_no_more_are_gone_and_none_are_given_twice() {
        let known: BTreeSet<String> = Feature::ALL.iter().map(|feature| feature.key().replace('_', " ")).collect();
        let left_over: Vec<&str> =
            POLICY_TERMS.iter().map(|(name, _)| *name).filter(|name| !known.contains(*name)).collect();
        assert!(left_over.is_empty(), "{left_over:?} are no features");
        let names: BTreeSet<&str> = all().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), TERMS.len() + POLICY_TERMS.len(), "a term has two meanings");
    }
}
