//! The features of a proposal: what the policy weighs. Each is 0 to 1 unless noted.

use serde::Deserialize;
use std::collections::BTreeMap;

macro_rules! features {
    ($($(#[doc = $doc:literal])+ $name:ident = $key:literal,)+) => {
        /// One feature.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Feature {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Feature {
            /// All features, in the order of their weights.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The name in the weights' file and in explanations.
            pub const fn key(self) -> &'static str {
                match self {
                    $(Self::$name => $key,)+
                }
            }
        }
    };
}

features! {
    /// The ranking's score of instruction and control: meaning, words, place, order, kind of control; −0.5 to 1.5.
    Meaning = "meaning",
    /// How far the meaning stays below what clearly fits.
    WeakMeaning = "weak_meaning",
    /// The control is called by a name that the clause still owes.
    Named = "named",
    /// The clause owes names that are on the screen, and this control is none of them.
    NotNamed = "not_named",
    /// The control stands in the row of a thing the clause names.
    NamedRow = "named_row",
    /// The clause names a row on the screen, and the control stands in another row.
    OtherRow = "other_row",
    /// Everything that the clause names, and its verb, has had its effect, and this control confirms nothing.
    Superfluous = "superfluous",
    /// The meaning of the control for the clause before this one, which may have ended too early.
    PreviousMeaning = "previous_meaning",
    /// The instruction says the control's label word by word.
    Said = "said",
    /// The share of the instruction's telling words that the control shows.
    Asked = "asked",
    /// The control's label says the clause's verb.
    VerbMatch = "verb_match",
    /// The control's label says another verb that changes something.
    VerbConflict = "verb_conflict",
    /// The control brings a switch into the wanted state.
    Toggles = "toggles",
    /// The control sends or confirms a form that this clause filled in.
    CommitsForm = "commits_form",
    /// The control sends or confirms, and the clause asks for that.
    CommitAsked = "commit_asked",
    /// The control sends or confirms while values are still owed.
    CommitTooEarly = "commit_too_early",
    /// The control confirms a dialog that this clause opened.
    ConfirmsDialog = "confirms_dialog",
    /// The control leaves a dialog that this clause opened without an answer.
    LeavesDialog = "leaves_dialog",
    /// A box that must be ticked before a form is sent.
    Consent = "consent",
    /// The control opens the menu of the named row, whose own controls do not say the verb.
    RowMenu = "row_menu",
    /// The clause asks to hold, and the proposal holds.
    HoldAsked = "hold_asked",
    /// The control was touched before in this clause, on this screen.
    DoneBefore = "done_before",
    /// The control cannot be touched according to the dump.
    NotClickable = "not_clickable",
    /// The control is off according to the dump.
    Disabled = "disabled",
    /// How well a value fits a field.
    Binding = "binding",
    /// The value is mentioned by the clause.
    BindingMentioned = "binding_mentioned",
    /// The place stands above others that are to be filled in.
    Above = "above",
    /// How surely a value control is the one that is meant.
    ValueName = "value_name",
    /// How surely the value is meant for this kind of control.
    ValueFit = "value_fit",
    /// A known way leads from the control to where the clause can be carried out; nearer is more.
    Route = "route",
    /// The control opens a page that holds other pages.
    Container = "container",
    /// The control opens a drawer or an overflow menu.
    Menu = "menu",
    /// The control was tried in this clause, from any screen, and led nowhere.
    TriedElsewhere = "tried_elsewhere",
    /// The clause makes something new, nothing in sight says so, and this is the page's own button; its share of such buttons.
    PageAction = "page_action",
    /// Touching an entry of a list in search of something that it does not name.
    ContentGuess = "content_guess",
    /// Touching what changes something or belongs to another thing, in search of something else.
    RiskyGuess = "risky_guess",
    /// Touching what is far from what the clause is about, in search of it.
    FarGuess = "far_guess",
    /// The control counts or adds, and the clause asks for more of the thing than were added.
    CountOwed = "count_owed",
    /// The share of the clause's telling words that the control shows and nothing that was done has shown.
    NewWords = "new_words",
    /// The button that says yes to the window in front, because the others say no.
    Affirms = "affirms",
    /// The button leads on to the next page of several.
    Advances = "advances",
    /// There may be more to see in this direction.
    MoreBelow = "more_below",
    /// The clause asks to scroll, wait or go back, and the proposal does.
    SkillAsked = "skill_asked",
    /// A skill that is rare without being asked for: hold, back, wait, open the app.
    RareSkill = "rare_skill",
    /// Another app is in front, and the app under test is brought back.
    Outside = "outside",
    /// The score of the best that was left untried on the pages before; going back leads to it.
    WayBack = "way_back",
    /// Constant for going back without being asked to.
    BackCost = "back_cost",
    /// The search field or icon, with a name that is looked for.
    SearchFor = "search_for",
    /// Sends what was typed into a search field.
    SubmitsSearch = "submits_search",
    /// Constant for the proposal that the clause is done.
    Done = "done",
    /// Something was carried out for the clause.
    Acted = "acted",
    /// How well the best action of the clause fitted.
    ActedFit = "acted_fit",
    /// Nothing was carried out for the clause, but the screen is as it wants it.
    AlreadySo = "already_so",
    /// Share of the clause's names and values that have not had their effect.
    Owed = "owed",
    /// Share of the names that only capital letters tell which nothing done bears.
    ProperLeft = "proper_left",
    /// Nothing was done to any of the things that the clause calls by name; numbers and dates are none.
    ThingsOwed = "things_owed",
    /// Everything that the clause names, and its verb, has had its effect.
    Fulfilled = "fulfilled",
    /// The clause's verb has not been carried out: nothing that says it was touched.
    VerbOwed = "verb_owed",
    /// The clause asks for a page to be opened, and nothing that was done opened one.
    NotOpened = "not_opened",
    /// The best remaining proposal for the clause, −0.5 to 1.5.
    Remaining = "remaining",
    /// By how much a control that was not touched fits the clause better, by meaning, than all that was.
    BetterLeft = "better_left",
    /// The greatest share of the clause's telling words that a control shows and nothing that was done has shown.
    NewLeft = "new_left",
    /// How well the next clause fits this screen, −0.5 to 1.5.
    NextFits = "next_fits",
    /// What was touched in search of the clause brought up a page on which the next clause can be carried out.
    LedToNext = "led_to_next",
    /// A control in sight was not touched whose whole label the instruction says, in words that nothing done has shown.
    SaidLeft = "said_left",
    /// The clause takes something away, and what it speaks of is gone from the page where it stood.
    Gone = "gone",
    /// A dialog that this clause opened waits for an answer.
    DialogOpen = "dialog_open",
    /// A form that this clause filled in was not sent.
    FormOpen = "form_open",
    /// The control signs in, and the case has a password that was not given yet.
    SignInWay = "sign_in_way",
    /// A sign-in page that the clause has to pass is still in front.
    SignInOpen = "sign_in_open",
    /// The clause asks for something to be sent, saved or confirmed, and it was.
    Committed = "committed",
    /// The clause asks for something to be sent, saved or confirmed, and it was not.
    NotCommitted = "not_committed",
    /// All expectations of the case hold, and this is its last clause.
    ExpectationsHold = "expectations_hold",
    /// Expectations of the case do not hold, and this is its last clause.
    ExpectationsOpen = "expectations_open",
    /// The last action only looked further.
    OnlyLooked = "only_looked",
    /// The app complained about what was entered.
    Complained = "complained",
    /// The share of the number that the clause asks for and that was not added yet.
    CountLeft = "count_left",
    /// The share of the clause's telling words that nothing that was done has shown.
    Uncovered = "uncovered",
    /// What was typed into a search field was neither sent nor found.
    SearchPending = "search_pending",
    /// Another button of the page leads on, sends or confirms.
    CommitInSight = "commit_in_sight",
    /// The page that the clause asks for is open.
    PageOpen = "page_open",
    /// The control stood there before a menu or drawer came up beside it.
    Behind = "behind",
    /// The control bears a text that the case expects at the end, and this is its last clause.
    Expected = "expected",
    /// The thing that the clause speaks of was opened, and nothing was done to it.
    OnlyOpened = "only_opened",
    /// A control that carries out a consequence the clause asks for is in sight and was not touched.
    CommitLeft = "commit_left",
    /// How much what the search field asks for is like what is to be looked up.
    SearchAlike = "search_alike",
    /// The control opens settings, an account or a list of pages, and nothing in sight is what the clause names.
    Hub = "hub",
    /// Going back from a page that was not scrolled to its end.
    UnseenBelow = "unseen_below",
    /// A choice that would take back what was chosen for the clause.
    UndoesChoice = "undoes_choice",
    /// A box, switch or choice whose whole label the instruction says, and that is not as wanted yet.
    SaidChoice = "said_choice",
    /// A box, switch or choice in sight whose whole label the instruction says is not as wanted yet.
    ChoiceLeft = "choice_left",
    /// The instruction speaks of this kind of control by a noun: "the funnel", "the heart".
    SpokenControl = "spoken_control",
    /// A control in sight can take a value that the clause asks for, and does not hold it yet.
    ValueLeft = "value_left",
    /// Everything that the clause names has had its effect through the control that says the clause's verb.
    CarriedOut = "carried_out",
    /// How much the control is like what the clause does to the thing that it acts on, the thing's name left out.
    ActionMeaning = "action_meaning",
    /// The end of a clause for which nothing was carried out, and which the screen does not show to be so already.
    Unearned = "unearned",
    /// The button that a page is about: the one widest and lowest button of the page itself.
    Primary = "primary",
    /// Constant for touching something in search of what the clause asks for.
    Look = "look",
    /// The ranking's score of instruction and control, of what is only touched in search; −0.5 to 1.5.
    LookMeaning = "look_meaning",
    /// How much what pages of the control's kind usually hold is like what the clause asks for.
    Holds = "holds",
    /// What the best way that begins with the control is worth to a goal: the share that it deals with, its likeness, its length.
    Way = "way",
    /// Constant for the end of a goal.
    GoalDone = "goal_done",
    /// How far the part of a goal that is dealt with least is from all that was done, 0 to 1.
    PartLeft = "part_left",
    /// The share of a goal's parts for which too few things were done: two parts are not carried out by one touch.
    PartsShort = "parts_short",
    /// What was done last for a goal came to an end: it led back to a page of the way, or changed what its own control holds.
    GoalSettled = "goal_settled",
    /// The control opens the entry that an ordinal or a superlative means, or is the one control of it.
    OrderedEntry = "ordered_entry",
    /// How much more the control is like a phrase of the instruction than all that was done, by cosine.
    PhraseFit = "phrase_fit",
    /// The greatest such surplus of a control that was not touched for the clause.
    PhraseLeft = "phrase_left",
    /// How much less likely the next-action model finds it than the likeliest thing beside the end of the clause.
    Unlikely = "unlikely",
    /// A hint of the case that fits the clause names the control, or advises what is like it; 1 where it is named.
    Hinted = "hinted",
    /// How much likelier the next-action model finds the end of the clause than anything else, −1 to 1.
    LikelyDone = "likely_done",
}

const COUNT: usize = Feature::ALL.len();

/// The values of all features of one proposal; those never set are 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Features([f32; COUNT]);

impl Default for Features {
    fn default() -> Self {
        Self([0.0; COUNT])
    }
}

impl Features {
    /// Sets a feature.
    pub const fn set(&mut self, feature: Feature, value: f32) {
        self.0[feature as usize] = value;
    }

    /// The value of a feature.
    pub const fn get(&self, feature: Feature) -> f32 {
        self.0[feature as usize]
    }

    /// This with a feature set.
    #[must_use]
    pub fn with(mut self, feature: Feature, value: f32) -> Self {
        self.set(feature, value);
        self
    }

    /// The values in the order of [`Feature::ALL`].
    pub const fn values(&self) -> &[f32] {
        &self.0
    }

    /// The features that are not 0.
    pub fn iter(&self) -> impl Iterator<Item = (Feature, f32)> {
        Feature::ALL.iter().copied().zip(self.0).filter(|(_, value)| *value != 0.0)
    }
}

/// Why policy weights cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    /// The file is no table of weights.
    #[error("policy weights: {0}; the file has one table, [weights], with a number for each feature")]
    Malformed(#[from] toml::de::Error),
    /// A feature of this version has no weight.
    #[error("policy weights: no weight for the feature `{0}`; {REFIT}, or add `{0} = 0.0` to leave it out")]
    Missing(&'static str),
    /// A weight is for a feature that this version does not have.
    #[error("policy weights: `{0}` is no feature of this version; {REFIT}, or delete its line")]
    Unknown(String),
}

/// What makes weights for the features of this version.
const REFIT: &str = "fit weights with this version by `tapwright eval decisions DIR --fit FILE`";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WeightsFile {
    weights: BTreeMap<String, f32>,
}

/// One weight a feature.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyWeights([f32; COUNT]);

impl PolicyWeights {
    /// The shipped weights.
    pub fn bundled() -> Result<Self, PolicyError> {
        Self::parse(include_str!("weights.toml"))
    }

    /// The weights that were set by hand: a fit begins with them.
    pub fn prior() -> Result<Self, PolicyError> {
        Self::parse(include_str!("prior.toml"))
    }

    /// Reads weights by the features' names. An unknown or missing name is an error.
    pub fn parse(text: &str) -> Result<Self, PolicyError> {
        let mut file: WeightsFile = toml::from_str(text)?;
        let mut weights = [0.0; COUNT];
        for feature in Feature::ALL {
            let key = feature.key();
            weights[*feature as usize] = file.weights.remove(key).ok_or(PolicyError::Missing(key))?;
        }
        match file.weights.into_keys().next() {
            Some(unknown) => Err(PolicyError::Unknown(unknown)),
            None => Ok(Self(weights)),
        }
    }

    /// Weights in the order of [`Feature::ALL`]; those that are missing are 0.
    pub fn of(values: impl IntoIterator<Item = f32>) -> Self {
        let mut weights = [0.0; COUNT];
        for (weight, value) in weights.iter_mut().zip(values) {
            *weight = value;
        }
        Self(weights)
    }

    /// The weights in the order of [`Feature::ALL`].
    pub const fn values(&self) -> &[f32] {
        &self.0
    }

    /// The weights as a file that [`Self::parse`] reads.
    pub fn to_toml(&self) -> String {
        let mut text = "[weights]\n".to_owned();
        for (feature, weight) in Feature::ALL.iter().zip(self.0) {
            text.push_str(&format!("{} = {weight:.3}\n", feature.key()));
        }
        text
    }

    /// The weight of a feature.
    pub const fn get(&self, feature: Feature) -> f32 {
        self.0[feature as usize]
    }

    /// What each feature adds to the score, those that add nothing left out.
    pub fn contributions(&self, features: &Features) -> Vec<(&'static str, f32)> {
        let added = features.iter().map(|(feature, value)| (feature.key(), self.get(feature) * value));
        added.filter(|(_, added)| *added != 0.0).collect()
    }

    /// The score: the sum of weight × feature.
    pub fn score(&self, features: &Features) -> f32 {
        features.iter().map(|(feature, value)| self.get(feature) * value).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_has_a_weight_and_nothing_else_has() {
        PolicyWeights::bundled().unwrap();
        PolicyWeights::prior().unwrap();
        let missing = PolicyWeights::parse("[weights]\nmeaning = 1.0\n").unwrap_err().to_string();
        assert!(missing.contains("no weight for the feature `weak_meaning`"), "{missing}");
        let all: String = Feature::ALL.iter().map(|feature| format!("{} = 1.0\n", feature.key())).collect();
        let unknown = PolicyWeights::parse(&format!("[weights]\n{all}luck = 2.0\n")).unwrap_err().to_string();
        assert!(unknown.contains("`luck` is no feature"), "{unknown}");
        for error in [&missing, &unknown] {
            assert!(error.contains("--fit FILE") && error.contains("or "), "it names no remedy: {error}");
        }
        let malformed = PolicyWeights::parse("[wieghts]").unwrap_err().to_string();
        assert!(malformed.contains("[weights]"), "{malformed}");
    }

    #[test]
    fn a_score_is_the_sum_of_its_contributions() {
        let weights = PolicyWeights::bundled().unwrap();
        let features = Features::default().with(Feature::Meaning, 0.5).with(Feature::Named, 1.0);
        let sum: f32 = weights.contributions(&features).iter().map(|(_, added)| added).sum();
        assert!((sum - weights.score(&features)).abs() < 1e-6);
    }
}
