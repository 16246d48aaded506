//! What all proposers need to know of a clause on a screen, computed once a decision.

use super::super::bind::{Bindings, bind};
use super::super::episode::Episode;
use super::super::screen_model::{Purpose, PurposeSet, Region, ScreenModel};
use super::super::task::{
    BEARS, COMMITTING, Clause, IS_CALLED, Lexicon, PLAIN, Parameter, Verb, VerbSet, asked_fit, name_fit, said_fit,
    title_of, value_beside,
};
use super::Source;
use super::action_meaning::ActionMeaning;
use super::count::Count;
use super::coverage::uncovered;
use super::ordered::ordered_row;
use super::usual_content::UsualContent;
use super::verb::{AFFORDING, is_gone, purpose_of, verb_owed};
use crate::domain::{Action, InputText};
use crate::hierarchy::{Role, Widget, WidgetId};
use crate::inference::EmbedError;
use crate::pipeline::journal::ActionRecord;
use crate::pipeline::value_control::read_date;
use crate::ranking::{Query, Ranked, candidates, rank};
use std::cell::OnceCell;

/// From this meaning on a control fits the clause.
const FITS: f32 = 0.5;
/// From this fit on what was touched is what the clause speaks of.
const CLEAR_DEED: f32 = 0.8;
/// From this meaning on a control is what the clause before was about.
const MIN_PREVIOUS: f32 = 0.45;

/// Kinds of controls that an instruction may speak of by what they are for.
const KINDS: [Purpose; 14] = [
    Purpose::Favourite,
    Purpose::Increase,
    Purpose::Decrease,
    Purpose::Filter,
    Purpose::Sort,
    Purpose::Search,
    Purpose::Edit,
    Purpose::Delete,
    Purpose::Share,
    Purpose::Call,
    Purpose::Overflow,
    Purpose::Drawer,
    Purpose::Settings,
    Purpose::Add,
];

/// A clause on a screen.
pub(crate) struct Context<'a> {
    /// The clause and its history.
    pub episode: &'a Episode<'a>,
    /// The screen.
    pub model: &'a ScreenModel<'a>,
    /// Every control by its meaning for the clause, best first.
    pub ranked: Vec<Ranked>,
    /// Values for fields.
    pub bindings: Bindings,
    /// Names of the clause that have not had their effect.
    pub owed: Vec<&'a str>,
    /// Rows that the clause's names call, by index.
    pub named_rows: Vec<usize>,
    /// The row that the clause means by its place or by a superlative, by index.
    pub ordered_row: Option<usize>,
    /// How many of a thing are wanted and were added.
    pub(super) count: Option<Count>,
    /// Telling words of the clause that nothing that was done has shown.
    pub uncovered: Vec<String>,
    /// The clause's verb names an affordance of its own, and nothing that carries it out was done.
    pub verb_owed: bool,
    /// Every control by its meaning for the clause before, where nothing fits this one.
    previous: Vec<Ranked>,
    /// How much what pages usually hold is like the clause.
    usual: UsualContent,
    /// How much each control is like what the clause does to a thing.
    action: ActionMeaning,
    /// Whether everything that the clause names has had its effect.
    fulfilled: OnceCell<bool>,
}

impl<'a> Context<'a> {
    /// Looks at a clause on a screen.
    pub(crate) fn new(episode: &'a Episode<'a>, model: &'a ScreenModel<'a>) -> Result<Self, EmbedError> {
        let clause = episode.clause;
        let scorer = episode.scorer;
        let lexicon = &episode.knowledge.lexicon;
        let bindings =
            bind(scorer.embedder, scorer.cues, clause, episode.parameters, episode.journal, model.screen, lexicon)?;
        let owed = owed(episode, model, &bindings);
        let ranked = by_meaning(episode, clause, model)?;
        let named_rows = named_rows(clause, model, &episode.knowledge.lexicon);
        let ordered_row = ordered_row(episode, model, &named_rows)?;
        let named_rows = ordered_row.map_or(named_rows, |row| vec![row]);
        let verb_owed = verb_owed(episode, model);
        let fits = ranked.iter().filter(|one| one.candidate.widget.is_some()).any(|one| one.score >= FITS)
            || !bindings.open.is_empty()
            || !named_rows.is_empty();
        let previous = match episode.previous {
            Some(previous) if !fits && !previous.step.instruction.is_empty() => by_meaning(episode, previous, model)?,
            _ => Vec::new(),
        };
        let uncovered = uncovered(episode);
        let count = Count::of(episode);
        Ok(Self {
            episode,
            model,
            ranked,
            bindings,
            owed,
            named_rows,
            ordered_row,
            count,
            uncovered,
            verb_owed,
            previous,
            usual: UsualContent::default(),
            action: ActionMeaning::default(),
            fulfilled: OnceCell::new(),
        })
    }

    /// How well a control fits the clause before this one, where that may have ended too early: nothing here fits this clause.
    pub(crate) fn previous_meaning(&self, id: WidgetId) -> Option<f32> {
        let ranked = self.previous.iter().find(|ranked| ranked.candidate.widget == Some(id))?;
        let widget = self.model.screen.widgets.get(id)?;
        let touched = self.episode.journal.valid().any(|record| record.label() == widget.label);
        let typed = widget.role == Role::Field && self.episode.journal.typed().any(|text| widget.value == text);
        if touched || typed || widget.state.checked.is_some() || read_date(&widget.label).is_some() {
            return None;
        }
        (ranked.score >= MIN_PREVIOUS).then_some(ranked.score.min(1.0))
    }

    /// True if everything that the clause names, and its verb, has had its effect.
    pub(crate) fn is_fulfilled(&self) -> bool {
        *self.fulfilled.get_or_init(|| self.all_had_effect() && !self.says_more_in_sight())
    }

    fn all_had_effect(&self) -> bool {
        let clause = self.clause();
        let typed = !self.bindings.open.iter().any(|binding| binding.mentioned || clause.fills());
        let fit = self.episode.journal.current_deeds().map(|record| record.meaning).fold(0.0, f32::max);
        let told = !clause.names.is_empty() || clause.lead.is_some_and(|lead| AFFORDING.has(lead)) || fit >= CLEAR_DEED;
        let committed = !clause.commits() || self.has_committed();
        // What a window that the clause opened asks for is not answered yet.
        let asks = self.has_own_dialog() && (!clause.leads_with(VerbSet::of(&[Verb::Open])) || self.acted_in_dialog());
        let all = self.count.is_none_or(|count| count.left() == 0);
        !asks
            && !self.must_sign_in()
            && all
            && fit > 0.0
            && told
            && committed
            && self.owed.is_empty()
            && !self.verb_owed
            && typed
    }

    /// True if everything that the clause names has had its effect through the control that says the clause's verb: "Add" in the
    /// row of the thing that is to be added. Where it goes need not be opened. What is looked up is not found by that.
    pub(crate) fn is_carried_out(&self) -> bool {
        let clause = self.clause();
        let named = !clause.names.is_empty() || !clause.proper_names.is_empty();
        let looks = clause.leads_with(VerbSet::of(&[Verb::Search, Verb::Filter]));
        // What is typed into "Add something" is not added by that.
        let typed = |record: &ActionRecord| matches!(record.action, Action::InputText { .. });
        let says = |record: &ActionRecord| {
            let control = record.control.as_ref().filter(|_| !typed(record));
            control.is_some_and(|control| self.says_verb(control.purposes, control.verbs))
        };
        named
            && !looks
            && !clause.is_goal
            && self.is_fulfilled()
            && self.episode.journal.current_touches().any(|record| says(record))
    }

    /// How much what pages of a control's kind usually hold is like what the clause asks for, 0 to 1.
    pub(crate) fn holds(&self, widget: &Widget) -> f32 {
        self.usual.of(self.episode, widget, self.model.control(widget.id).purposes)
    }

    /// How much a control is like what the clause does to the thing that it acts on, 0 to 1.
    pub(crate) fn action_meaning(&self, widget: &Widget) -> f32 {
        self.action.of(self, widget)
    }

    /// The clause.
    pub(crate) const fn clause(&self) -> &'a Clause {
        self.episode.clause
    }

    /// How surely a widget bears a name that the clause owes, 0 to 1.
    pub(crate) fn owed_fit(&self, widget: &Widget) -> f32 {
        let fit = |name: &&str| {
            let label = label_fit(widget, name);
            if label > 0.0 || widget.role == Role::Field || !widget.clickable {
                return label;
            }
            // A text of its own that its label leaves out.
            let texts = self.model.texts_of(widget).map(|text| name_fit(text, name)).fold(0.0, f32::max);
            if texts >= IS_CALLED || texts >= BEARS && has_digit(name) { 0.8 } else { 0.0 }
        };
        self.owed.iter().map(fit).fold(0.0, f32::max)
    }

    /// How surely a widget offers a value that the form needs and no clause names, 0 to 1: "Fill in the form" chooses what
    /// the parameters hold.
    pub(crate) fn free_fit(&self, widget: &Widget) -> f32 {
        if widget.role == Role::Field || !widget.clickable {
            return 0.0;
        }
        let free = self.free_parameters().chain(self.akin_parameters());
        let called = free.filter_map(|parameter| match &parameter.value {
            InputText::Plain(value) => Some(name_fit(&widget.label, value)),
            InputText::Secret { .. } => None,
        });
        // It was not asked for by name.
        0.9 * called.filter(|fit| *fit >= IS_CALLED).fold(0.0, f32::max)
    }

    /// The parameters that a clause fills in which names none of them, and that no other step claims.
    pub(crate) fn free_parameters(&self) -> impl Iterator<Item = &'a Parameter> {
        let (clause, episode) = (self.clause(), self.episode);
        let names_none = clause.step.mentions.is_empty() && clause.step.quoted.is_empty() && clause.spoken.is_none();
        // "Start a new recipe", then "Fill in the form": the next clause fills in.
        let enters = VerbSet::of(&[Verb::Enter]);
        let left_to_next = !clause.leads_with(enters) && episode.next().is_some_and(|next| next.leads_with(enters));
        let searches = clause.verbs.has(Verb::Search);
        let may = (names_none || clause.is_goal) && !searches && !left_to_next && self.asks_for_values();
        // "Submit the personal information" fills in what it sends, unless an earlier step has.
        let submits = clause.leads_with(COMMITTING) && !self.was_entered_before();
        let fills = may && (clause.fills() || submits);
        // "Choose the region" chooses what the parameters hold, on the page or in the window that it opened, or of a parameter
        // that it speaks of.
        let chooses = may && clause.leads_with(VerbSet::of(&[Verb::Choose]));
        let opened = self.has_own_dialog() || is_picker(episode, self.model);
        let spoken = |parameter: &Parameter| asked_fit(&clause.topic, &parameter.words(), clause.inflection) > 0.0;
        episode.parameters.iter().filter(move |parameter| {
            let given = episode.journal.has_given(&parameter.name) || episode.journal.has_chosen(parameter);
            let meant = fills || chooses && (opened || spoken(parameter));
            meant && !clause.step.reserved.contains(&parameter.name) && !given
        })
    }

    /// The parameters beside those that a clause mentions which a word of it is about, and that no other step claims: "Enter the
    /// document" means its kind, too.
    pub(crate) fn akin_parameters(&self) -> impl Iterator<Item = &'a Parameter> {
        let (clause, journal) = (self.clause(), self.episode.journal);
        let mentions = !(clause.step.mentions.is_empty() && clause.names.is_empty()) && !clause.is_goal;
        let submits = clause.leads_with(COMMITTING) && !self.was_entered_before();
        let may = mentions && (clause.fills() || submits);
        // What no step mentions is entered where a form is filled in that has a control called after it.
        let whole = clause.leads_with(VerbSet::of(&[Verb::Enter]));
        self.episode.parameters.iter().filter(move |parameter| {
            let claimed =
                clause.step.reserved.contains(&parameter.name) || clause.step.mentions.contains(&parameter.name);
            may && !claimed
                && (whole || asked_fit(&clause.topic, &parameter.words(), clause.inflection) > 0.0)
                && !journal.has_given(&parameter.name)
                && !journal.has_chosen(parameter)
        })
    }

    /// True if the page asks for values: it has fields, a button that sends or leads on, it is a window, or it is the list that a
    /// value is chosen from. What narrows a list down asks for none.
    fn asks_for_values(&self) -> bool {
        let offered = || self.episode.journal.current().next_back().is_some_and(|last| last.source == Source::Value);
        self.model.fields().next().is_some()
            || self.model.commits().next().is_some()
            || self.model.is_dialog()
            || offered()
    }

    /// Values that the clause says beside labels of the screen: "Condition: Good".
    pub(crate) fn spoken_values(&self) -> Vec<String> {
        let clause = self.clause();
        let lexicon = &self.episode.knowledge.lexicon;
        let screen = self.model.screen;
        let labels = screen.widgets.iter().flat_map(|widget| [widget.label.as_str(), widget.context.as_str()]);
        let labels = labels.chain(screen.texts.shown.iter().map(|text| text.text.as_str()));
        let mut found: Vec<String> = Vec::new();
        let is_value = |label: &str| clause.names.iter().any(|name| name == label);
        for label in labels.filter(|label| !label.is_empty() && !is_value(label)) {
            if let Some(value) = value_beside(&clause.step.instruction, label, lexicon)
                && !found.contains(&value)
                && !clause.names.contains(&value)
            {
                found.push(value);
            }
        }
        found
    }

    /// True if the page or window in front is that of a thing which the clause calls by name: its title says the name, or an entry
    /// called so has opened it. What can be done there is done to that thing.
    pub(crate) fn is_page_of_thing(&self) -> bool {
        let clause = self.clause();
        let bears =
            |text: &str| clause.names.iter().chain(&clause.proper_names).any(|name| name_fit(text, name) >= BEARS);
        let here = self.model.screen.fingerprint;
        let last = self.episode.journal.current().rfind(|record| record.moved());
        let opened = last.filter(|record| record.after.fingerprint == here).and_then(|record| record.control.as_ref());
        bears(&self.model.screen.title) || opened.is_some_and(|it| bears(&it.label) || bears(&it.heading))
    }

    /// True if a control does what the clause's own verb says, or is the kind of control that the instruction speaks of.
    pub(crate) fn verb_matches(&self, widget: &Widget) -> bool {
        let control = self.model.control(widget.id);
        // A tab is called by what it shows: "Start" begins nothing.
        let shows = widget.role == Role::Tab || control.region == Region::BottomBar && !widget.label.is_empty();
        let verbs = if shows { VerbSet::EMPTY } else { control.verbs };
        self.says_verb(control.purposes, verbs)
    }

    /// True if a control with these purposes and verbs does what the clause's own verb says, or is the kind of control that the
    /// instruction speaks of.
    pub(crate) fn says_verb(&self, purposes: PurposeSet, verbs: VerbSet) -> bool {
        if purposes.shares(self.clause().spoken_purposes, &KINDS) {
            return true;
        }
        let mut own = self.clause().verbs.without(PLAIN);
        if own.has(Verb::Move) {
            own.insert(Verb::Create);
        }
        own.meets(verbs) || own.iter().any(|verb| purpose_of(verb).is_some_and(|it| purposes.has(it)))
    }

    /// True if the instruction speaks of this kind of control by a noun, "the funnel at the top", and of no thing in a list.
    pub(crate) fn is_spoken_control(&self, widget: &Widget) -> bool {
        let control = self.model.control(widget.id);
        control.purposes.shares(self.clause().spoken_controls, &KINDS)
    }

    /// The share of the page's own buttons that a control is, where the clause makes something new and no control in sight says
    /// so; 0 for every other control. "File a record" makes an entry, whatever the app calls that.
    pub(crate) fn page_action(&self, widget: &Widget) -> f32 {
        const ELSEWHERE: [Purpose; 14] = [
            Purpose::Settings,
            Purpose::Account,
            Purpose::Search,
            Purpose::Overflow,
            Purpose::Drawer,
            Purpose::Back,
            Purpose::Cancel,
            Purpose::Filter,
            Purpose::Sort,
            Purpose::Home,
            Purpose::Container,
            Purpose::Share,
            Purpose::Call,
            Purpose::Submit,
        ];
        let is_own = |one: &Widget| {
            let control = self.model.control(one.id);
            matches!(one.role, Role::Button | Role::Image)
                && one.state.checked.is_none()
                && one.state.enabled
                && control.row.is_none()
                && control.region != Region::BottomBar
                && !control.purposes.has_any(&ELSEWHERE)
        };
        let makes = |one: &Widget| {
            let control = self.model.control(one.id);
            control.row.is_none() && (control.purposes.has(Purpose::Add) || control.verbs.has(Verb::Create))
        };
        // What has a name may be one of the app's own things, which is looked for.
        let named = !self.clause().names.is_empty() || !self.clause().proper_names.is_empty();
        let wants = self.clause().leads_with(VerbSet::of(&[Verb::Create])) && !named && !self.model.is_dialog();
        if !wants || !is_own(widget) || self.model.fields().count() > 1 || self.model.touchables().any(makes) {
            return 0.0;
        }
        1.0 / self.model.touchables().filter(|one| is_own(one)).count().max(1) as f32
    }

    /// The one switch of a page that is called like what the clause switches.
    pub(crate) fn switch_of_page(&self) -> Option<&'a Widget> {
        let clause = self.clause();
        clause.wanted_state?;
        let mut switches = self.model.touchables().filter(|one| one.role == Role::Switch);
        let (only, None) = (switches.next()?, switches.next()) else { return None };
        let title = &self.model.screen.title;
        let names = || clause.names.iter().chain(&clause.proper_names);
        let of_clause = names().any(|name| name_fit(title, name) >= IS_CALLED)
            || asked_fit(&clause.topic, title, clause.inflection) >= 1.0
            || said_fit(&self.episode.knowledge.lexicon, &clause.step.instruction, title) >= 1.0;
        // "Turn it on" on the page that the clause before has opened.
        let of_previous = clause.topic.is_empty() && clause.names.is_empty() && clause.proper_names.is_empty();
        (of_clause || of_previous).then_some(only)
    }

    /// True for the one switch of a page that is called like what the clause switches, and that is not as wanted.
    pub(super) fn is_switch_to_set(&self, widget: &Widget) -> bool {
        let wanted = self.clause().wanted_state;
        widget.state.enabled
            && widget.state.checked != wanted
            && self.switch_of_page().is_some_and(|switch| switch.id == widget.id)
    }

    /// True if the row has a control of its own for the clause's verb.
    pub(crate) fn row_has_affordance(&self, row: usize) -> bool {
        let Some(row) = self.model.rows.get(row) else { return false };
        let widgets = row.widgets.iter().filter(|id| Some(**id) != row.opener);
        widgets.filter_map(|id| self.model.screen.widgets.get(*id)).any(|widget| self.is_affordance(widget))
    }

    /// True if a control within a row carries the clause's verb out: its label says so, or it is the box that is ticked.
    pub(crate) fn is_affordance(&self, widget: &Widget) -> bool {
        const TICKING: VerbSet =
            VerbSet::of(&[Verb::Mark, Verb::Unmark, Verb::Choose, Verb::TurnOn, Verb::TurnOff, Verb::Accept]);
        let ticks = widget.state.checked.is_some() && self.clause().verbs.meets(TICKING);
        widget.clickable && (ticks || self.verb_matches(widget) || self.is_only_icon(widget))
    }

    /// True for the one icon of a row that nothing names, where the clause does something to the row's thing and no other control
    /// of the row says that it does this.
    fn is_only_icon(&self, widget: &Widget) -> bool {
        let Some(row) = self.model.row_of(widget.id) else { return false };
        let others = || {
            let ids = row.widgets.iter().filter(|id| Some(**id) != row.opener);
            ids.filter_map(|id| self.model.screen.widgets.get(*id)).filter(|one| one.clickable)
        };
        let mute = |one: &&Widget| one.label.is_empty() && one.state.checked.is_none();
        !self.clause().verbs.without(PLAIN).is_empty()
            && row.opener.is_some_and(|opener| opener != widget.id)
            && mute(&widget)
            && others().filter(mute).count() == 1
            && !others().any(|one| self.verb_matches(one))
    }

    /// True if the clause takes something away, and what it speaks of is gone from the page where it stood.
    pub(crate) fn is_gone(&self) -> bool {
        is_gone(self.episode, self.model)
    }

    /// True for a choice that would take back what was chosen for the clause on this screen: another of the same kind, none that
    /// the clause names.
    pub(crate) fn undoes_choice(&self, widget: &Widget) -> bool {
        let is_choice =
            |role: Role, checked: Option<bool>| checked.is_some() && !matches!(role, Role::Checkbox | Role::Switch);
        if !is_choice(widget.role, widget.state.checked) {
            return false;
        }
        let clause = self.clause();
        let lexicon = &self.episode.knowledge.lexicon;
        let named = || {
            clause.names.iter().chain(&clause.proper_names).any(|name| label_fit(widget, name) >= BEARS)
                || said_fit(lexicon, &clause.step.instruction, &widget.label) >= 1.0
        };
        let here = self.model.screen.fingerprint;
        let chosen = self.episode.journal.current_deeds().any(|record| {
            let same_page = record.after.fingerprint == here || record.before.fingerprint == here;
            same_page
                && record.control.as_ref().is_some_and(|control| {
                    is_choice(control.role, control.checked)
                        && control.role == widget.role
                        && control.resource_id == widget.resource_id
                        && control.label != widget.label
                })
        });
        chosen && !named()
    }

    /// How many of the clause's telling words neither the page's title nor anything that was done shows.
    pub(crate) fn unsaid_here(&self) -> f32 {
        let title = &self.model.screen.title;
        let left = |word: &&String| asked_fit(std::slice::from_ref(*word), title, self.clause().inflection) < 1.0;
        self.uncovered.iter().filter(left).count() as f32
    }

    /// The share of the clause's telling words that a control shows and nothing that was done has shown.
    pub(crate) fn new_words(&self, widget: &Widget) -> f32 {
        let all = self.clause().topic.len();
        if all == 0 {
            return 0.0;
        }
        asked_fit(&self.uncovered, &widget.label, self.clause().inflection) * self.uncovered.len() as f32 / all as f32
    }
}

/// How surely a widget's label, or what it shows, bears a name.
pub(super) fn label_fit(widget: &Widget, name: &str) -> f32 {
    let shown = name_fit(widget.shown_label(), name);
    let value = if widget.role == Role::Field { 0.0 } else { name_fit(&widget.value, name) };
    name_fit(&widget.label, name).max(shown).max(value)
}

/// Ranks every control by its meaning for a clause, without history.
pub(super) fn by_meaning(
    episode: &Episode<'_>,
    clause: &Clause,
    model: &ScreenModel<'_>,
) -> Result<Vec<Ranked>, EmbedError> {
    let step = &clause.step;
    let query = Query {
        instruction: &step.instruction,
        sentence: if step.sentence.is_empty() { &step.instruction } else { &step.sentence },
        whole: if step.original.is_empty() { &step.instruction } else { &step.original },
        named: &[],
        done: &[],
        form_filled: false,
    };
    rank(episode.scorer, model.screen, &query, candidates(model.screen, &[], episode.package))
}

/// Rows whose heading is called by a name of the clause, or said by it word by word: those called by the whole name before
/// those that hold it.
fn named_rows(clause: &Clause, model: &ScreenModel<'_>, lexicon: &Lexicon) -> Vec<usize> {
    let names = || clause.names.iter().chain(&clause.proper_names);
    let fit = |heading: &str| {
        let called = names().map(|name| name_fit(heading, name)).fold(0.0, f32::max);
        let said = said_fit(lexicon, &clause.step.instruction, heading);
        if said >= 1.0 && called < BEARS { 0.8 } else { called }
    };
    let fits: Vec<(usize, f32)> = model.rows.iter().map(|row| fit(&row.heading)).enumerate().collect();
    let mut fits = fits;
    // Where no heading bears the name, another text of the row may: "the train at 10:12".
    if fits.iter().all(|(_, fit)| *fit < BEARS) {
        for (at, own) in &mut fits {
            let texts = model.rows.get(*at).copied().into_iter().flat_map(|row| model.texts_of_row(row));
            let fit = |text: &str, name: &str| {
                let fit = name_fit(text, name);
                // A number, a time or a price tells a row apart also where it is a part of a text.
                if fit >= BEARS && has_digit(name) { fit.max(IS_CALLED) } else { fit }
            };
            let called = texts.flat_map(|text| names().map(move |name| fit(text, name))).fold(0.0, f32::max);
            *own = if called >= IS_CALLED { called } else { 0.0 };
        }
    }
    let best = fits.iter().map(|(_, fit)| *fit).fold(0.0, f32::max);
    let least = if best >= IS_CALLED { IS_CALLED } else { BEARS };
    fits.into_iter().filter(|(_, fit)| *fit >= least).map(|(at, _)| at).collect()
}

fn has_digit(name: &str) -> bool {
    name.chars().any(|c| c.is_ascii_digit())
}

/// Names of the clause that have not had their effect: neither touched nor entered in this clause, nor shown as the page's
/// title, a field's content or a choice that is made.
fn owed<'a>(episode: &Episode<'a>, model: &ScreenModel<'_>, bindings: &Bindings) -> Vec<&'a str> {
    let clause = episode.clause;
    let value_of = |name: &str| {
        let parameter = episode.parameters.iter().find(|parameter| parameter.name == name)?;
        match &parameter.value {
            InputText::Plain(value) => Some(value.as_str()),
            InputText::Secret { .. } => None,
        }
    };
    let chooses = clause.leads_with(VerbSet::of(&[Verb::Choose, Verb::Open])) || is_picker(episode, model);
    let met = |name: &str| {
        // What a list of suggestions offers is not chosen yet by being typed.
        let offered = chooses && offers_suggestion(model, name);
        let held = bindings.held.iter().any(|held| held == name || value_of(held) == Some(name)) && !offered;
        let title = name_fit(&model.screen.title, name) >= IS_CALLED
            && !episode.clause.is_goal
            && !shows_what_was_looked_up(episode, model);
        let done = episode.journal.current_deeds().any(|record| {
            let given = record.parameter.as_deref().and_then(value_of) == Some(name)
                || record.parameter.as_deref() == Some(name)
                || matches!(&record.action, Action::InputText { text, .. } if text.expose() == name);
            let touched = record.control.as_ref().is_some_and(|control| {
                let label = name_fit(&control.label, name).max(name_fit(&control.heading, name));
                // A control of several parts is known by the part that was touched: the day of a month.
                let same_day = || read_date(name).is_some_and(|day| read_date(record.label()) == Some(day));
                (label.max(name_fit(record.label(), name)) >= BEARS || same_day())
                    && !matches!(record.action, Action::InputText { .. })
            });
            // What was looked up is not opened or chosen by that.
            let looked_up = chooses
                && record.control.as_ref().is_some_and(|control| {
                    control.purposes.has(Purpose::Search) || episode.scorer.cues.is_search(&control.label)
                });
            touched || given && !offered && !looked_up
        });
        let made = model.screen.widgets.iter().any(|widget| {
            let made = widget.state.checked == Some(true) || widget.state.selected;
            let shows = widget.role == Role::Dropdown || widget.role == Role::Selector;
            (made || shows) && label_fit(widget, name) >= IS_CALLED && !clause.is_goal
        });
        held || title || done || made
    };
    clause.names.iter().map(String::as_str).filter(|name| !met(name)).collect()
}

/// True for the page that a search has brought up: its title repeats what was typed, and is not the thing itself.
pub(super) fn shows_what_was_looked_up(episode: &Episode<'_>, model: &ScreenModel<'_>) -> bool {
    let here = |record: &&ActionRecord| record.moved() && record.after.title == model.screen.title;
    let came = episode.journal.current().rfind(here);
    came.is_some_and(|record| matches!(record.action, Action::PressEnter | Action::InputText { .. }))
}

/// True if the page is one on which a value is picked for the field that opened it: it is called like the field.
pub(super) fn is_picker(episode: &Episode<'_>, model: &ScreenModel<'_>) -> bool {
    let opener = episode.journal.current_deeds().rfind(|record| record.moved());
    let control = opener.and_then(|record| record.control.as_ref());
    let named = control.is_some_and(|control| name_fit(title_of(&control.label), &model.screen.title) >= IS_CALLED);
    named && model.commits().next().is_none()
}

/// True if something that can be touched offers what was typed.
fn offers_suggestion(model: &ScreenModel<'_>, name: &str) -> bool {
    model.touchables().any(|widget| label_fit(widget, name) >= BEARS)
}
