//! A clause: one thing that is asked for, with its verb, its names and its values.

use super::Step;
use super::spoken_value::SpokenValue;
use super::text_match::{said_fit, telling, title_of};
use crate::case::Quantity;
use crate::domain::{stem, words, writes_without_spaces};
use crate::lexicon::{COMMITTING, CONSEQUENTIAL, Verb, VerbSet};
use crate::lexicon::{FoundVerb, Grammar, Inflection, Languages, Lexicon, Ordinal, PurposeSet, StateWord, Superlative};
use crate::pipeline::value_control::{is_calendar_unit, read_date};

/// One thing that is asked for. A step has one or more clauses; a goal is a clause whose way is the agent's.
#[derive(Debug, Clone)]
pub struct Clause {
    /// The text it was read from, parameters put in.
    pub step: Step,
    /// The verb that leads it; `None` for a clause that says none the lexicon knows.
    pub lead: Option<Verb>,
    /// All verbs of the instruction.
    pub verbs: VerbSet,
    /// Verbs of the whole step and the case's title: consequences that are asked for.
    pub asked: VerbSet,
    /// The state a switch is wanted in.
    pub wanted_state: Option<bool>,
    /// Texts that name things or values: quoted texts and values of mentioned parameters.
    pub names: Vec<String>,
    /// Names by their capital letters alone: what they call may be called otherwise on the screen.
    pub proper_names: Vec<String>,
    /// A value that is given or looked up in plain words: "Call it Peace lily".
    pub spoken: Option<SpokenValue>,
    /// Stems of the words that tell what it is about, without names and verbs.
    pub topic: Vec<String>,
    /// The inflection of the instruction's language.
    pub inflection: Inflection,
    /// Purposes of controls that the instruction speaks of: "the heart", "the plus".
    pub spoken_purposes: PurposeSet,
    /// Those of them that it speaks of by a noun, as of a control.
    pub spoken_controls: PurposeSet,
    /// The instruction without the phrases that call a menu: "the side menu" says nothing of sides.
    pub said: String,
    /// A place in an order: "the second".
    pub ordinal: Option<Ordinal>,
    /// An end of a scale: "the cheapest".
    pub superlative: Option<Superlative>,
    /// The way is the agent's.
    pub is_goal: bool,
    /// It only says that something is to stay as it is: nothing is done for it.
    pub leaves_alone: bool,
}

impl Clause {
    /// Reads a clause. `title` is the case's title: what it asks for is asked for.
    pub fn read(step: &Step, title: &str, lexicon: &Lexicon) -> Self {
        Self::of_case(step, title, false, lexicon)
    }

    /// Reads a clause of a case whose aim is a goal or steps.
    pub fn of_case(step: &Step, title: &str, is_goal: bool, lexicon: &Lexicon) -> Self {
        let step = &with_quantity(step);
        let mut names = step.named.clone();
        for quoted in &step.quoted {
            if !names.contains(quoted) {
                names.push(quoted.clone());
            }
        }
        let is_known = |value: &str| names.iter().any(|name| name.contains(value) || value.contains(name.as_str()));
        let spoken = SpokenValue::read(&step.instruction, lexicon).filter(|spoken| !is_known(&spoken.value));
        names.extend(spoken.as_ref().map(|spoken| spoken.value.clone()));
        let plain = without(&step.instruction, &names);
        let switched = switched(&step.instruction, &plain, lexicon);
        let noun = switched.is_some() || is_place(&plain, lexicon);
        let found = if noun { Vec::new() } else { lexicon.verbs(&plain) };
        let verbs =
            commanding(&plain, &found, lexicon).or(switched.map_or(VerbSet::EMPTY, |verb| VerbSet::of(&[verb])));
        let first = first_command(&plain, &found).map(|found| found.at);
        let lead = found.iter().filter(|one| Some(one.at) == first).map(|found| found.verb).min_by_key(|verb| {
            // A word of several classes: the one that changes something tells more than the one that looks.
            (!COMMITTING.has(*verb), *verb)
        });
        let original = without(&step.original, &names);
        let refused = refused(&original, &lexicon.verbs(&original), lexicon);
        let whole = lexicon.verb_set(&original).without(refused).or(verbs);
        let without_menus = lexicon.without_menus(&plain);
        let topic = if without_menus == plain {
            topic(lexicon, &plain, &found)
        } else {
            topic(lexicon, &without_menus, &lexicon.verbs(&without_menus))
        };
        // "Open it for editing": what it is opened for is what is asked.
        let opens = topic.is_empty() && lead.is_some_and(|lead| PLAIN.has(lead));
        let aim = if opens { aimed_at(&plain, &found, lexicon).without(PLAIN) } else { VerbSet::EMPTY };
        let lead = aim.iter().next().or(lead).or(switched);
        let verbs = verbs.or(aim);
        // "Leave this page" goes back; "leave the group" names what is left.
        let goes_back = lead == Some(Verb::Leave) && topic.is_empty() && names.is_empty();
        let back = |set: VerbSet| if goes_back { set.without(LEAVE).or(VerbSet::of(&[Verb::Back])) } else { set };
        let (lead, verbs, whole) = (if goes_back { Some(Verb::Back) } else { lead }, back(verbs), back(whole));
        let proper = proper_names(&step.instruction, &names, lexicon);
        let leaves_alone =
            verbs.without(LEAVE.or(PLAIN)).is_empty() && lexicon.holds(Grammar::Unchanged, &plain) && !is_goal;
        let (lead, verbs, whole) =
            if leaves_alone { (None, verbs.without(LEAVE), whole.without(LEAVE)) } else { (lead, verbs, whole) };
        let negated = lexicon.holds(Grammar::Negation, &plain);
        Self {
            lead,
            verbs,
            asked: whole.or(lexicon.verb_set(title).and(CONSEQUENTIAL)),
            wanted_state: switched
                .map(|verb| verb == Verb::TurnOn)
                .or_else(|| lexicon.turned(&plain))
                .map(|on| on != (negated && !on)),
            spoken_purposes: lexicon.purposes_within(&plain),
            spoken_controls: lexicon.controls_within(&plain, &is_article),
            said: lexicon.without_menus(&step.instruction),
            ordinal: ordinal_of_a_thing(&plain, lexicon),
            superlative: lexicon.superlative(&plain),
            spoken,
            inflection: lexicon.inflection(&step.instruction),
            topic,
            proper_names: proper,
            names,
            is_goal,
            leaves_alone,
            step: step.clone(),
        }
    }

    /// The state in which a box, switch or choice of this label is wanted: as its part of the instruction says, else on. "Neither
    /// by post nor by e-mail" switches both off.
    pub fn wants_checked(&self, label: &str, lexicon: &Lexicon) -> bool {
        let part = self.parts().find(|part| said_fit(lexicon, part, label) >= 1.0);
        let Some(part) = part else { return self.wanted_state.unwrap_or(true) };
        if let Some(on) = lexicon.turned(part) {
            return on;
        }
        let (all, own) = (words(part), words(title_of(label)));
        let at = all.windows(own.len().max(1)).position(|window| window == own.as_slice()).unwrap_or(0);
        if is_refused(&all, at, lexicon) { false } else { self.wanted_state.unwrap_or(true) }
    }

    /// Words, other than verbs, that the instruction says no to: "without fingerprint", "but no newsletter".
    pub fn refused_words(&self, lexicon: &Lexicon) -> Vec<String> {
        let mut found = Vec::new();
        for part in self.parts() {
            let all = words(part);
            let own = |at: usize| all.get(at..=at).map_or(String::new(), |one| one.join(" "));
            for at in 0..all.len() {
                let after = own(at + 1);
                let denied = is_refused(&all, at, lexicon) || lexicon.is_word(Grammar::Negation, &after);
                let word = own(at);
                let joins = JOINTS.contains(&word.as_str()) || lexicon.is_stop_word(&word);
                let tells = !joins && !lexicon.is_word(Grammar::Negation, &word);
                if denied && tells {
                    found.push(word);
                }
            }
        }
        found
    }

    /// True if a label is what stands at the instruction's end behind a word such as "to" or "into": "the cart".
    pub fn goes_to(&self, label: &str, lexicon: &Lexicon) -> bool {
        let said = words(&self.step.instruction);
        let Some(at) = said.iter().rposition(|word| TOWARDS.contains(&word.as_str())) else { return false };
        let behind: Vec<String> = said.get(at + 1..).unwrap_or_default().iter().map(|word| stem(word)).collect();
        let title = title_of(label);
        // "View cart" leads to the cart as "Cart" does.
        let own = topic(lexicon, title, &lexicon.verbs(title));
        !own.is_empty() && own.iter().all(|word| behind.contains(word))
    }

    /// The parts of the instruction between commas.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.step.instruction.split([',', ';']).map(str::trim).filter(|part| !part.is_empty())
    }

    /// True if it asks for something to be typed or filled in.
    pub fn fills(&self) -> bool {
        const FILLING: VerbSet =
            VerbSet::of(&[Verb::Enter, Verb::Create, Verb::Edit, Verb::Send, Verb::SignIn, Verb::SignUp, Verb::Search]);
        self.verbs.meets(FILLING)
    }

    /// True if what it asks for is done only once something is sent, saved or confirmed.
    pub fn commits(&self) -> bool {
        self.verbs.meets(COMMITTING)
    }

    /// True if its leading verb is one of these.
    pub fn leads_with(&self, verbs: VerbSet) -> bool {
        self.lead.is_some_and(|lead| verbs.has(lead))
    }
}

/// What a short note without a verb switches: "Read receipts off", "App lock on, after 5 minutes".
fn switched(instruction: &str, plain: &str, lexicon: &Lexicon) -> Option<Verb> {
    const MOST_WORDS: usize = 5;
    let first = |text: &str| words(text.split([',', ';']).next().unwrap_or_default());
    let (all, whole) = (first(plain), first(instruction));
    let (state, thing) = all.split_last()?;
    // "Press on" with a name behind it switches nothing.
    if whole.last() != Some(state) {
        return None;
    }
    let verb = match lexicon.state(state)? {
        StateWord::On => Verb::TurnOn,
        StateWord::Off => Verb::TurnOff,
        StateWord::Selected => return None,
    };
    // "Gib die IBAN ein" ends with a part of its verb.
    let leading = |text: &str| lexicon.verbs(text).into_iter().next();
    let (whole, alone) = (leading(&all.join(" ")), leading(&thing.join(" ")));
    let particle = whole != alone || alone.is_some_and(|found| found.foreign);
    let short = !thing.is_empty() && all.len() <= MOST_WORDS;
    (short && !particle && lexicon.turned(plain).is_none()).then_some(verb)
}

/// True for a plural that stands alone: "Messages", "Orders" name the place to go to and command nothing.
fn is_place(plain: &str, lexicon: &Lexicon) -> bool {
    let all = words(plain);
    let [word] = all.as_slice() else { return false };
    let singular = word.strip_suffix('s').filter(|it| !it.ends_with('s'));
    singular.is_some_and(|it| lexicon.verbs(it).first().is_some_and(|found| !found.foreign))
}

/// Verbs that name no affordance of their own: any touch may carry them out.
pub(crate) const PLAIN: VerbSet = VerbSet::of(&[Verb::Open, Verb::Choose, Verb::Enter, Verb::Check, Verb::Wait]);

const LEAVE: VerbSet = VerbSet::of(&[Verb::Leave]);

/// Words behind which stands where something goes.
const TOWARDS: [&str; 16] =
    ["to", "into", "in", "onto", "on", "zu", "zum", "zur", "dans", "à", "au", "a", "al", "en", "nel", "nella"];

/// Words before which a noun follows.
const BEFORE_NOUNS: &[&str] = &[
    "a", "an", "the", "my", "your", "our", "his", "her", "their", "its", "this", "that", "these", "those", "of", "in",
    "for", "with", "from", "by", "at", "into", "new", "all", "any", "no", "der", "die", "das", "den", "dem", "des",
    "ein", "eine", "einen", "einem", "einer", "im", "zum", "zur", "für", "mit", "von", "neue", "neuen", "le", "la",
    "les", "un", "une", "des", "du", "au", "aux", "el", "los", "las", "una", "al", "del", "para", "con", "il", "lo",
    "gli", "i", "di", "o", "os", "as", "um", "uma", "do", "da", "de", "het", "een", "van",
];

/// The verbs that tell what something is done for: "open it for editing", "zum Ändern".
fn aimed_at(plain: &str, found: &[FoundVerb], lexicon: &Lexicon) -> VerbSet {
    let all = words(plain);
    let mut set = VerbSet::EMPTY;
    for one in found {
        let before = one.at.checked_sub(1).and_then(|at| all.get(at));
        if before.is_some_and(|word| lexicon.is_word(Grammar::Aim, word)) {
            set.insert(one.verb);
        }
    }
    set.without(refused(plain, found, lexicon))
}

/// The verbs that a text commands: the first one, and those that stand where no noun does. A noun that is a verb elsewhere ("the
/// contact", "the order") commands nothing.
fn commanding(plain: &str, found: &[FoundVerb], lexicon: &Lexicon) -> VerbSet {
    let all = words(plain);
    let first = first_command(plain, found).map(|found| found.at);
    let is_noun = |at: usize| {
        let Some(before) = at.checked_sub(1) else { return false };
        let preceded = all.get(before).is_some_and(|word| is_article(word));
        preceded || found.iter().any(|other| other.at + other.length == at)
    };
    let mut set = VerbSet::EMPTY;
    for verb in found.iter().filter(|found| Some(found.at) == first || !is_noun(found.at)) {
        set.insert(verb.verb);
    }
    set.without(refused(plain, found, lexicon))
}

/// The first verb of a text that stands where no noun does: "his back" goes nowhere.
fn first_command<'f>(plain: &str, found: &'f [FoundVerb]) -> Option<&'f FoundVerb> {
    let all = words(plain);
    let follows_article =
        |at: usize| at.checked_sub(1).and_then(|before| all.get(before)).is_some_and(|word| is_article(word));
    found.iter().find(|one| !follows_article(one.at))
}

/// Verbs that a text asks not to carry out: "leave it without saving". The first verb is what it asks for, even if negated.
fn refused(plain: &str, found: &[FoundVerb], lexicon: &Lexicon) -> VerbSet {
    let all = words(plain);
    let first = found.first().map(|found| found.at);
    let mut set = VerbSet::EMPTY;
    for verb in found.iter().filter(|one| Some(one.at) != first && is_refused(&all, one.at, lexicon)) {
        set.insert(verb.verb);
    }
    set
}

/// Words that join two parts of an instruction.
const JOINTS: [&str; 14] =
    ["and", "then", "but", "und", "dann", "aber", "et", "puis", "mais", "y", "luego", "pero", "e", "poi"];

/// True if one of the three words before a place says no to what stands there.
fn is_refused(all: &[String], at: usize, lexicon: &Lexicon) -> bool {
    let before = all.get(at.saturating_sub(3)..at).unwrap_or_default();
    // What stands before a word that joins two parts belongs to the part before.
    let joint = before.iter().rposition(|word| JOINTS.contains(&word.as_str())).map_or(0, |at| at + 1);
    let before = before.get(joint..).unwrap_or_default().join(" ").replace("n t", "n't");
    lexicon.holds(Grammar::Negation, &before)
}

/// True for an article, a possessive or a preposition: a noun follows.
fn is_article(word: &str) -> bool {
    BEFORE_NOUNS.contains(&word)
}

/// The step with the number in its words again that was taken out of them: "Set the number of people" to 6.
fn with_quantity(step: &Step) -> Step {
    let mut step = step.clone();
    if let Some(Quantity::Set(number)) = step.quantity {
        let written = number.to_string();
        step.instruction = format!("{} to {written}", step.instruction);
        if !step.named.contains(&written) {
            step.named.push(written);
        }
    }
    step
}

/// Fewest letters and digits of a code that names a thing: "KB5530".
const MIN_CODE: usize = 5;

/// Stems of the words that tell what a text is about, its verbs left out.
fn topic(lexicon: &Lexicon, plain: &str, verbs: &[FoundVerb]) -> Vec<String> {
    let is_verb = |at: usize| verbs.iter().any(|found| (found.at..found.at + found.length).contains(&at));
    if plain.chars().any(writes_without_spaces) {
        return telling(lexicon, plain);
    }
    let all = words(plain);
    // "The entry" and "the field" are parts of any page.
    // "Switch the light off": the state belongs to the verb, wherever it stands.
    let turns = verbs.iter().any(|found| matches!(found.verb, Verb::TurnOn | Verb::TurnOff));
    let tells_nothing = |word: &str| {
        lexicon.is_stop_word(word) || lexicon.is_word(Grammar::Part, word) || turns && lexicon.state(word).is_some()
    };
    let own = all.iter().enumerate().filter(|(at, word)| !is_verb(*at) && !tells_nothing(word));
    own.map(|(_, word)| stem(word)).collect()
}

/// The place in an order that a text names. "Last month" and "the next day" are times, and no places in a list.
fn ordinal_of_a_thing(text: &str, lexicon: &Lexicon) -> Option<Ordinal> {
    let all: Vec<&str> = text.split_whitespace().collect();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let is_time = |at: usize| {
        let counted = all.get(at + 1).is_some_and(|next| is_calendar_unit(&bare(next)));
        counted && all.get(at).is_some_and(|word| lexicon.ordinal(word).is_some())
    };
    let left: Vec<&str> = (0..all.len()).filter(|at| !is_time(*at)).filter_map(|at| all.get(at).copied()).collect();
    lexicon.ordinal(&left.join(" "))
}

/// Runs of words with capital letters that do not begin a sentence: "Elena Rossi", "Zenith Bank".
fn proper_names(text: &str, names: &[String], lexicon: &Lexicon) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut run: Vec<&str> = Vec::new();
    let mut begins = true;
    let close = |run: &mut Vec<&str>, found: &mut Vec<String>| {
        let name = run.join(" ");
        let known = names.iter().any(|known| known.contains(&name) || name.contains(known.as_str()));
        if !name.is_empty() && !known && name.chars().count() > 2 {
            found.push(name);
        }
        run.clear();
    };
    for token in text.split_whitespace() {
        let word = token.trim_matches(|c: char| !c.is_alphanumeric());
        let capital = word.chars().next().is_some_and(char::is_uppercase);
        if capital && !begins && lexicon.purposes(word, Languages::ENGLISH).is_empty() {
            run.push(word);
        } else {
            close(&mut run, &mut found);
        }
        if token.ends_with(|c: char| !c.is_alphanumeric()) {
            close(&mut run, &mut found);
        }
        begins = token.ends_with(['.', '!', '?', ':', '"']) || word.is_empty() && begins;
    }
    close(&mut run, &mut found);
    // In German every noun has a capital letter: only what stands together is a name.
    const GERMAN: [&str; 17] = [
        "der", "die", "das", "den", "dem", "ein", "eine", "einen", "und", "mit", "auf", "für", "zur", "zum", "im",
        "am", "vom",
    ];
    if words(text).iter().any(|word| GERMAN.contains(&word.as_str())) {
        found.retain(|name| name.contains(' '));
    }
    // "2 May" is a day.
    found.retain(|name| read_date(&format!("1 {name}")).is_none());
    let codes = text.split_whitespace().map(|token| token.trim_matches(|c: char| !c.is_alphanumeric()));
    let is_code = |word: &&str| {
        word.chars().count() >= MIN_CODE
            && word.chars().any(|c| c.is_ascii_digit())
            && word.chars().any(char::is_alphabetic)
            && !names.iter().any(|name| name.contains(*word))
    };
    found.extend(codes.filter(is_code).map(str::to_owned));
    found
}

/// A text without the names in it, so that a verb in a name is none.
fn without(text: &str, names: &[String]) -> String {
    let mut plain = text.to_owned();
    let mut longest: Vec<&String> = names.iter().collect();
    longest.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for name in longest {
        if name.chars().count() > 1 {
            plain = plain.replace(name.as_str(), " ");
        }
    }
    plain.replace("\"\"", " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(instruction: &str, names: &[&str]) -> Clause {
        let named: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let step =
            Step { index: 1, instruction: instruction.into(), original: instruction.into(), named, ..Step::default() };
        Clause::read(&step, "", &Lexicon::bundled().unwrap())
    }

    #[test]
    fn a_verb_within_a_name_is_none() {
        let clause = read("Open Delete old files", &["Delete old files"]);
        assert!(!clause.verbs.has(Verb::Delete) && clause.verbs.has(Verb::Open));
    }

    #[test]
    fn a_place_in_the_calendar_is_none_in_a_list() {
        let check = |instruction: &str, expected: Option<Ordinal>| {
            assert_eq!(read(instruction, &[]).ordinal, expected, "{instruction}");
        };
        check("Show last month", None);
        check("Go to the next day", None);
        check("Zeige den letzten Monat", None);
        check("Open the last entry", Some(Ordinal::Last));
        check("Open the second entry of last month", Some(Ordinal::Second));
    }

    #[test]
    fn neither_days_nor_german_nouns_are_names() {
        let check = |instruction: &str, expected: &[&str]| {
            assert_eq!(read(instruction, &[]).proper_names, expected, "{instruction}");
        };
        check("Open the drive on 2 May", &[]);
        check("Gehe zurück zur Übersicht", &[]);
        check("Search for a hotel in Brennhaven", &["Brennhaven"]);
        check("Find the doctor Pia Lindqvist", &["Pia Lindqvist"]);
    }

    #[test]
    fn the_wanted_state_is_read() {
        assert_eq!(read("Turn on the sounds", &[]).wanted_state, Some(true));
        assert_eq!(read("Switch the sounds off", &[]).wanted_state, Some(false));
        assert_eq!(read("Open the sounds", &[]).wanted_state, None);
    }

    #[test]
    fn the_state_that_something_is_switched_to_tells_no_topic() {
        let topic = |text: &str| read(text, &[]).topic;
        assert_eq!(topic("Switch the ceiling light off"), ["ceil".to_owned(), "light".to_owned()]);
        assert_eq!(topic("Turn the weekly summary on"), topic("Turn on the weekly summary"));
    }

    #[test]
    fn capital_letters_tell_names_and_verbs_tell_no_topic() {
        let clause = read("Select Zenith Bank in the list", &[]);
        assert_eq!(clause.proper_names, ["Zenith Bank"]);
        assert_eq!(read("Open the app", &[]).topic, Vec::<String>::new());
        assert_eq!(read("Open the monthly budget", &[]).topic, ["month".to_owned() + "ly", "budget".to_owned()]);
    }

    #[test]
    fn a_value_in_plain_words_is_a_name() {
        let check = |instruction: &str, expected: &str| {
            assert_eq!(read(instruction, &[]).names, [expected], "{instruction}");
        };
        check("Call it Peace lily", "Peace lily");
        check("Price: 20", "20");
        check("Condition: Under repair", "Under repair");
        check("Search for Riesling Kabinett", "Riesling Kabinett");
        check("Suche nach Alte Mühle", "Alte Mühle");
        let nothing =
            ["Open the settings", "Look for a table for two", "Report a damage: it is on the left side of the car"];
        for instruction in nothing {
            assert!(read(instruction, &[]).names.is_empty(), "{instruction}");
        }
        assert!(!read("Call it Peace lily", &[]).verbs.has(Verb::Call));
    }

    #[test]
    fn a_note_without_a_verb_switches_or_names_a_place() {
        let check = |instruction: &str, lead: Option<Verb>, on: Option<bool>| {
            let clause = read(instruction, &[]);
            assert_eq!((clause.lead, clause.wanted_state), (lead, on), "{instruction}");
        };
        check("Read receipts off", Some(Verb::TurnOff), Some(false));
        check("App lock on, after 5 minutes", Some(Verb::TurnOn), Some(true));
        check("Messages", None, None);
        check("Gib die neue Nummer ein", Some(Verb::Enter), None);
        check("Read the receipt", Some(Verb::Open), None);
        let hold = read("Long press on \"Lime alley\"", &[]);
        assert_eq!((hold.lead, hold.wanted_state), (Some(Verb::Hold), None));
    }

    #[test]
    fn a_verb_behind_an_article_commands_nothing() {
        assert_eq!(read("Ben hurt his back, so Theo mows the lawn", &[]).lead, None);
        assert_eq!(read("Go back to the list", &[]).lead, Some(Verb::Back));
    }

    #[test]
    fn where_something_goes_is_known() {
        let lexicon = Lexicon::bundled().unwrap();
        let check = |instruction: &str, label: &str, expected: bool| {
            assert_eq!(read(instruction, &[]).goes_to(label, &lexicon), expected, "{instruction}: {label}");
        };
        check("Add the bread to the cart", "Cart", true);
        check("Add the bread to the cart", "View cart", true);
        check("Add the bread to the cart", "Bread", false);
        check("Lege das Brot in den Warenkorb", "Warenkorb", true);
        check("Open the cart", "Cart", false);
    }

    #[test]
    fn words_that_a_clause_says_no_to() {
        let lexicon = Lexicon::bundled().unwrap();
        let check = |instruction: &str, expected: &[&str]| {
            assert_eq!(read(instruction, &[]).refused_words(&lexicon), expected, "{instruction}");
        };
        check("Melde dich an, aber ohne Fingerabdruck", &["fingerabdruck"]);
        check("Sign in without a fingerprint", &["fingerprint"]);
        check("Sign in with the fingerprint", &[]);
    }

    #[test]
    fn what_is_refused_is_wanted_off() {
        let lexicon = Lexicon::bundled().unwrap();
        let check = |instruction: &str, label: &str, expected: bool| {
            assert_eq!(read(instruction, &[]).wants_checked(label, &lexicon), expected, "{instruction}: {label}");
        };
        let instruction = "Choose news by post, but neither by e-mail nor on this phone";
        check(instruction, "By post", true);
        check(instruction, "By e-mail", false);
        check(instruction, "On this phone", false);
        check("Tick vegetarian and spicy", "Spicy", true);
        check("Turn off the updates", "Updates", false);
    }

    #[test]
    fn the_words_that_call_a_menu_tell_no_topic() {
        let clause = read("Open the shopping list from the side menu", &[]);
        assert!(!clause.topic.contains(&"side".to_owned()), "{:?}", clause.topic);
        assert!(clause.spoken_controls.has(crate::lexicon::Purpose::Drawer));
        assert!(read("Tap the funnel at the top", &[]).spoken_controls.has(crate::lexicon::Purpose::Filter));
    }

    #[test]
    fn what_stays_as_it_is_asks_for_nothing() {
        let check = |instruction: &str, expected: bool| {
            let clause = read(instruction, &[]);
            assert_eq!(clause.leaves_alone, expected, "{instruction}");
            assert!(!expected || !clause.asked.has(Verb::Leave), "{instruction}");
        };
        check("Leave the switch for the updates alone", true);
        check("Leave the address as it is", true);
        check("Lass die Adresse unverändert", true);
        check("Leave the choir", false);
        check("Delete the note and leave the others as they are", false);
    }

    #[test]
    fn a_word_that_is_the_stem_of_another_is_not_that_one() {
        assert!(read("Open the past trips", &[]).topic.contains(&"past".to_owned()));
        assert!(read("Paste the code", &[]).verbs.has(Verb::Enter));
    }

    #[test]
    fn what_something_is_opened_for_is_asked_for() {
        let check = |instruction: &str, expected: Verb| {
            assert_eq!(read(instruction, &[]).lead, Some(expected), "{instruction}")
        };
        check("Open it for editing", Verb::Edit);
        check("Öffne den Eintrag zum Ändern", Verb::Edit);
        check("Leave this page", Verb::Back);
        check("Leave the choir", Verb::Leave);
        check("Open the order", Verb::Open);
        check("Open the list for later", Verb::Open);
    }

    #[test]
    fn what_is_not_to_be_done_is_not_asked_for() {
        let leave = read("Leave the dialog without saving", &[]);
        assert!(!leave.verbs.has(Verb::Save) && !leave.asked.has(Verb::Save));
        assert!(!read("Write the message but don't send it", &[]).asked.has(Verb::Send));
        assert!(!read("Schreibe die Nachricht, ohne sie zu senden", &[]).asked.has(Verb::Send));
        assert!(read("Choose no sound and save it", &[]).asked.has(Verb::Save));
        assert!(read("Save it and send it", &[]).asked.has(Verb::Send));
    }

    #[test]
    fn what_is_asked_for_is_known() {
        assert!(read("Remove the note", &[]).asked.has(Verb::Delete));
        assert!(read("Save it", &[]).commits() && !read("Open it", &[]).commits());
    }
}
