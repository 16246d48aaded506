//! What is asked of an app, how a person does it, and what holds then.

use crate::ability::{FIRST_DAY, SignIn};
use crate::app::Blueprint;
use crate::draw::Draw;
use crate::rich::Extra;
use crate::surface::{Choosing, Finding, Navigation, Order, Removing, Rows, Toolkit};
use serde_json::{Value, json};

/// What opens the drawer and the overflow menu, in the devices' languages.
const OPEN_DRAWER: &str = "Open navigation drawer | Navigationsleiste öffnen | Abrir el panel lateral de navegación | Ouvrir le panneau de navigation";
const MORE_OPTIONS: &str = "More options | Weitere Optionen | Más opciones | Autres options | Plus d'options";

/// A thing that the app keeps.
#[derive(Debug, Clone)]
pub(crate) struct Thing {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) note: String,
    pub(crate) number: String,
    pub(crate) flag: bool,
    /// It lies on the shelf, where an app has one.
    pub(crate) shelved: bool,
}

impl Thing {
    pub(crate) fn data(&self) -> Value {
        json!({"name": self.name, "kind": self.kind, "note": self.note, "number": self.number, "flag": self.flag})
    }

    /// The same in an app that can do more with it.
    pub(crate) fn rich_data(&self) -> Value {
        let mut data = self.data();
        data["stars"] = json!(0);
        data["shelved"] = json!(self.shelved);
        data["due"] = json!(FIRST_DAY);
        data
    }
}

/// One thing a tester asks for, and what is done for it.
#[derive(Debug, Clone)]
pub(crate) struct Beat {
    pub(crate) ask: String,
    /// Entries of the walkthrough.
    pub(crate) hands: Vec<Value>,
    /// A value of a form: the parameter's name and value.
    pub(crate) value: Option<(&'static str, String)>,
    /// Parameters that the ask speaks of, however it is put.
    pub(crate) params: Vec<(&'static str, Value)>,
}

/// What a task is about, beside what is done for it.
#[derive(Debug, Clone)]
pub(crate) struct Planned {
    pub(crate) whole: String,
    pub(crate) expects: Vec<Value>,
    /// Bugs that it finds.
    pub(crate) bugs: Vec<&'static str>,
}

/// A whole task.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    /// What kind of task it is.
    pub(crate) operation: &'static str,
    /// As one ask.
    pub(crate) whole: String,
    pub(crate) beats: Vec<Beat>,
    /// What must hold at its end.
    pub(crate) expects: Vec<Value>,
    /// Bugs that it finds, where it is a case's last.
    pub(crate) bugs: Vec<&'static str>,
}

/// Kinds of tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Create,
    Edit,
    Remove,
    Flag,
    Switch,
    Choose,
    Find,
    /// One of what an ability does: the ability's place, and the kind's.
    Able(usize, usize),
}

/// Where the person is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spot {
    /// The page to sign in.
    Door,
    Home,
    Part(&'static str),
    /// A page that was opened from a part.
    Under(&'static str),
    /// Where nothing leads on from.
    Elsewhere,
}

/// Plans tasks one after another, so that each begins where the one before ended.
pub(crate) struct Planner<'a> {
    pub(crate) of: &'a Blueprint<'a>,
    pub(crate) draw: &'a mut Draw,
    place: Spot,
    /// What is left of the app's things.
    things: Vec<Thing>,
    beats: Vec<Beat>,
}

impl<'a> Planner<'a> {
    pub(crate) fn new(of: &'a Blueprint<'a>, draw: &'a mut Draw) -> Self {
        let place = match (of.has(Extra::SignIn), of.surface.navigation) {
            (true, _) => Spot::Door,
            (false, Navigation::Hub) => Spot::Home,
            (false, _) => Spot::Part("list"),
        };
        Self { of, draw, place, things: of.things.to_vec(), beats: Vec::new() }
    }

    /// The next task; `None` where nothing is left to do it with.
    pub(crate) fn plan(&mut self, operation: Operation) -> Option<Task> {
        self.beats.clear();
        if self.place == Spot::Door {
            self.sign_in();
        }
        let planned = match operation {
            Operation::Create => self.create()?,
            Operation::Edit => self.edit()?,
            Operation::Remove => self.remove()?,
            Operation::Flag => self.flag()?,
            Operation::Switch => self.switch(),
            Operation::Choose => self.choose()?,
            Operation::Find => self.find()?,
            Operation::Able(ability, number) => self.of.rich?.abilities.get(ability)?.plan(number, self)?,
        };
        let Planned { whole, expects, bugs } = planned;
        let operation = self.name(operation);
        Some(Task { operation, whole, beats: std::mem::take(&mut self.beats), expects, bugs })
    }

    /// What an operation is called in tags.
    fn name(&self, operation: Operation) -> &'static str {
        match operation {
            Operation::Create => "create",
            Operation::Edit => "edit",
            Operation::Remove => "remove",
            Operation::Flag => "mark",
            Operation::Switch => "switch",
            Operation::Choose => "choose",
            Operation::Find => "find",
            Operation::Able(ability, number) => {
                let ability = self.of.rich.and_then(|rich| rich.abilities.get(ability));
                ability.and_then(|ability| ability.operations().get(number)).copied().unwrap_or_default()
            }
        }
    }

    fn sign_in(&mut self) {
        let of = self.of;
        let mut hands = Self::typing(of.word("user"), SignIn::USER);
        hands.extend(Self::typing(of.word("password"), SignIn::PASSWORD));
        // The title of the page says the same as its button.
        hands.push(json!({"tap": {"text": of.word("sign_in"), "nth": 2}}));
        let ask = self.ask("sign_in", &[]);
        let params =
            vec![("user", json!(SignIn::USER)), ("password", json!({"value": SignIn::PASSWORD, "secret": true}))];
        self.beats.push(Beat { ask, hands, value: None, params });
        self.place = if of.surface.navigation == Navigation::Hub { Spot::Home } else { Spot::Part("list") };
    }

    /// Puts an ask of the phrase book into words.
    fn ask(&mut self, key: &str, places: &[(&str, &str)]) -> String {
        let book = self.of.subject.book;
        let pattern = self.draw.text(book.asks.get(key).map_or(&[], Vec::as_slice)).to_owned();
        self.filled(&pattern, places)
    }

    pub(crate) fn whole(&mut self, key: &str, places: &[(&str, &str)]) -> String {
        let book = self.of.subject.book;
        let pattern = self.draw.text(book.whole.get(key).map_or(&[], Vec::as_slice)).to_owned();
        self.filled(&pattern, places)
    }

    fn filled(&self, pattern: &str, places: &[(&str, &str)]) -> String {
        let (wording, labels) = (self.of.subject.wording, &self.of.surface.labels);
        let stock = [
            ("list", wording.list.as_str()),
            ("thing", wording.thing.as_str()),
            ("new", wording.new.as_str()),
            ("settings", labels.settings),
            ("save", labels.save),
            ("edit", labels.edit),
        ];
        let all = places.iter().chain(&stock);
        all.fold(pattern.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
    }

    fn beat(&mut self, ask: String, hands: Vec<Value>) {
        self.beats.push(Beat { ask, hands, value: None, params: Vec::new() });
    }

    pub(crate) fn tap(text: &str) -> Value {
        json!({"tap": text})
    }

    /// Something of the app that was not touched yet.
    fn any_thing(&mut self) -> Option<usize> {
        // A card that the display's edge cuts off hides its own buttons: its neighbour's would be nearer to its name.
        let whole = match (self.of.surface.rows, self.of.rich) {
            (Rows::Cards, None) => 4,
            (Rows::Cards, Some(_)) => 2,
            (Rows::Photos, _) => 1,
            _ => self.things.len(),
        };
        let free = |thing: &Thing| !thing.flag && !thing.shelved;
        let free: Vec<usize> = (0..self.things.len()).filter(|at| free(&self.things[*at])).take(whole).collect();
        let free: Vec<usize> = match self.of.rich {
            None => free.into_iter().filter(|at| *at < whole).collect(),
            Some(_) => free,
        };
        free.get(self.draw.below(free.len())).copied()
    }

    /// The name of a thing that lies in the list, none of these.
    pub(crate) fn any_but(&mut self, not: &[&str]) -> Option<String> {
        let names: Vec<String> = self
            .things
            .iter()
            .filter(|thing| !thing.shelved && !not.contains(&thing.name.as_str()))
            .map(|thing| thing.name.clone())
            .collect();
        names.get(self.draw.below(names.len())).cloned()
    }

    /// The thing of this name.
    pub(crate) fn thing(&self, name: &str) -> Option<&Thing> {
        self.things.iter().find(|thing| thing.name == name)
    }

    /// What is left of the app's things.
    pub(crate) fn left(&self) -> impl Iterator<Item = &Thing> {
        self.things.iter()
    }

    /// A thing that can no longer be found in the list.
    pub(crate) fn forget(&mut self, name: &str) {
        self.things.retain(|thing| thing.name != name);
    }

    /// Says where the person is now.
    pub(crate) const fn at(&mut self, spot: Spot) {
        self.place = spot;
    }

    /// Something that is done, as it is asked for.
    pub(crate) fn say(&mut self, ask: String, hands: Vec<Value>) {
        self.beat(ask, hands);
    }

    /// Something that is done, as the phrase book asks for it.
    pub(crate) fn asked(&mut self, key: &str, places: &[(&str, &str)], hands: Vec<Value>) {
        let ask = self.ask(key, places);
        self.beat(ask, hands);
    }

    /// A touch on what says so.
    pub(crate) fn press(&mut self, label: &str) {
        self.asked("press", &[("label", label)], vec![Self::tap(label)]);
    }

    /// The question that comes up is answered with yes.
    pub(crate) fn confirm(&mut self) {
        let yes = self.of.word("yes");
        self.asked("confirm", &[], vec![Self::tap(yes)]);
    }

    /// One of a family's own patterns, filled in.
    pub(crate) fn phrase(&mut self, patterns: &[String], places: &[(&str, &str)]) -> String {
        let pattern = self.draw.text(patterns).to_owned();
        self.filled(&pattern, places)
    }

    /// That something is there just once, where a screen tells that.
    pub(crate) fn once(&self, text: &str) -> Option<Value> {
        (self.of.surface.toolkit == Toolkit::Views).then(|| json!({"count": {"of": text, "is": 1}}))
    }

    fn go_to_list(&mut self) {
        let list = &self.of.subject.wording.list;
        self.go_to("list", list);
    }

    fn go_to_settings(&mut self) {
        self.go_to("settings", self.of.surface.labels.settings);
    }

    /// Goes to a part of the app.
    pub(crate) fn go_to(&mut self, part: &'static str, title: &str) {
        if let Spot::Under(over) = self.place {
            let ask = self.ask("back", &[]);
            self.beat(ask, vec![json!({"key": "back"})]);
            self.place = Spot::Part(over);
        }
        if self.place == Spot::Part(part) {
            return;
        }
        let opener = match self.of.surface.navigation {
            Navigation::Drawer => Some(OPEN_DRAWER),
            Navigation::Overflow => Some(MORE_OPTIONS),
            Navigation::Menu => Some(self.of.word("menu")),
            Navigation::BottomBar | Navigation::Tabs | Navigation::Hub | Navigation::Icons => None,
        };
        let mut hands = Vec::new();
        let flat = matches!(self.of.surface.navigation, Navigation::BottomBar | Navigation::Tabs | Navigation::Drawer);
        // What leads on stands on the first screen only.
        if !flat && self.place != Spot::Part("list") && self.place != Spot::Home
            || self.of.surface.navigation == Navigation::Hub && self.place == Spot::Part("list")
        {
            hands.push(json!({"key": "back"}));
        }
        if flat || part != "list" || self.of.surface.navigation == Navigation::Hub {
            hands.extend(opener.map(Self::tap));
            hands.push(Self::tap(title));
        }
        match part {
            "list" => self.asked("open_list", &[], hands),
            "settings" => self.asked("open_settings", &[], hands),
            _ => self.asked("open_part", &[("part", title)], hands),
        }
        self.place = Spot::Part(part);
    }

    pub(crate) fn open(&mut self, name: &str) {
        self.go_to_list();
        let ask = self.ask("open_item", &[("item", name)]);
        self.beat(ask, vec![Self::tap(name)]);
        self.place = Spot::Under("list");
    }

    /// Turns to the second page of a form that has two.
    fn turn_page(&mut self) {
        if self.of.has(Extra::Wizard) {
            let next = self.of.word("next");
            self.press(next);
        }
    }

    /// Fills in one value of the form.
    fn fill(&mut self, key: &'static str, label: &str, value: &str, hands: Vec<Value>) {
        let ask = self.ask(key, &[("label", label), ("value", value)]);
        self.beats.push(Beat { ask, hands, value: Some((key, value.to_owned())), params: Vec::new() });
    }

    fn fill_kind(&mut self, from: &str, to: &str) {
        let label = &self.of.subject.wording.kind;
        let hands = match self.of.surface.choosing {
            Choosing::Spinner => vec![Self::tap(from), Self::tap(to)],
            Choosing::Chips | Choosing::Radios => vec![Self::tap(to)],
        };
        self.fill("kind", label, to, hands);
    }

    fn save(&mut self) {
        let ask = self.ask("save", &[]);
        let save = self.of.surface.labels.save;
        self.beat(ask, vec![Self::tap(save)]);
    }

    pub(crate) fn typing(into: &str, text: &str) -> Vec<Value> {
        vec![json!({"type": {"into": into, "text": text}}), json!({"hide_keyboard": null})]
    }

    fn create(&mut self) -> Option<Planned> {
        let (wording, book) = (self.of.subject.wording, self.of.subject.book);
        let used: Vec<&str> = self.of.things.iter().map(|thing| thing.name.as_str()).collect();
        let name = wording.names.iter().find(|name| !used.contains(&name.as_str()))?.clone();
        let kind = wording.kinds.get(1 + self.draw.below(wording.kinds.len() - 1))?.clone();
        let number = self.draw.text(&self.of.subject.family.numbers).to_owned();
        let note = self.draw.text(&wording.notes).to_owned();
        self.go_to_list();
        let ask = self.ask("start_new", &[]);
        self.beat(ask, vec![Self::tap(&wording.new)]);
        self.fill("name", &book.name, &name, Self::typing(&book.name, &name));
        let first = wording.kinds.first()?;
        self.fill_kind(first, &kind);
        self.turn_page();
        self.fill("number", &wording.number, &number, Self::typing(&wording.number, &number));
        if self.draw.chance(60) {
            self.fill("note", &wording.note, &note, Self::typing(&wording.note, &note));
        }
        self.save();
        if self.of.surface.order == Order::NewestLast || self.draw.chance(30) {
            let ask = self.ask("check", &[("value", &name)]);
            // What is not there has to fail, not to stop, where bugs are planted.
            let look = if self.of.rich.is_some() { json!({"see": name}) } else { json!({"scroll_to": name}) };
            self.beat(ask, vec![look]);
        }
        let whole = self.whole("create", &[("item", &name)]);
        let mut expects = vec![json!({"visible": name})];
        if self.of.rich.is_some() {
            expects.extend(self.once(&name));
        }
        let mut bugs = vec!["not_saved", "stale_list", "crash_on_save"];
        // Both are in sight only at the top of a list of plain rows.
        let seen =
            self.of.surface.order == Order::NewestFirst && matches!(self.of.surface.rows, Rows::Plain | Rows::Icons);
        if expects.len() > 1 && seen {
            bugs.push("saved_twice");
        }
        Some(Planned { whole, expects, bugs })
    }

    fn edit(&mut self) -> Option<Planned> {
        let wording = self.of.subject.wording;
        let at = self.any_thing()?;
        let thing = self.things.get(at)?.clone();
        self.open(&thing.name);
        let ask = self.ask("edit", &[]);
        let edit = self.of.surface.labels.edit;
        self.beat(ask, vec![Self::tap(edit)]);
        let (label, value) = if self.draw.chance(50) {
            let others: Vec<&String> = wording.kinds.iter().filter(|kind| **kind != thing.kind).collect();
            let kind = (*others.get(self.draw.below(others.len()))?).clone();
            self.fill_kind(&thing.kind, &kind);
            self.turn_page();
            (&wording.kind, kind)
        } else {
            let numbers = &self.of.subject.family.numbers;
            let number = numbers.iter().find(|number| **number != thing.number)?.clone();
            self.turn_page();
            // A filled field shows what it holds in place of its label.
            self.fill("number", &wording.number, &number, Self::typing(&thing.number, &number));
            (&wording.number, number)
        };
        self.save();
        let whole = self.whole("edit", &[("item", &thing.name), ("label", label), ("value", &value)]);
        let shown = match self.of.rich {
            None => json!({"visible": value}),
            // A number may stand elsewhere, too.
            Some(_) => json!({"value": {"field": label, "is": value}}),
        };
        let expects = vec![json!({"screen": thing.name}), shown];
        Some(Planned { whole, expects, bugs: vec!["not_saved", "crash_on_save"] })
    }

    fn remove(&mut self) -> Option<Planned> {
        let (wording, surface) = (self.of.subject.wording, self.of.surface);
        let at = self.any_thing()?;
        let name = self.things.remove(at).name;
        let patterns = &wording.remove_asks;
        let pattern = self.draw.text(patterns).to_owned();
        let asked = self.filled(&pattern, &[("item", &name)]);
        let hands = if surface.rows != Rows::Plain {
            self.go_to_list();
            vec![json!({"tap": {"text": wording.remove, "beside": name}})]
        } else if self.draw.chance(50) {
            self.go_to_list();
            vec![json!({"long_press": name}), Self::tap(&wording.remove)]
        } else {
            self.open(&name);
            match surface.removing {
                Removing::Menu => vec![Self::tap(MORE_OPTIONS), Self::tap(&wording.remove)],
                Removing::Button | Removing::BarIcon => vec![Self::tap(&wording.remove)],
            }
        };
        self.beat(asked.clone(), hands);
        let ask = self.ask("confirm", &[]);
        self.beat(ask, vec![Self::tap(surface.labels.yes)]);
        // What removes a thing opens the list anew.
        self.place = Spot::Part("list");
        let left = self.things.iter().find(|thing| !thing.shelved)?.name.clone();
        let expects = vec![json!({"absent": name}), json!({"visible": left})];
        Some(Planned { whole: asked, expects, bugs: vec!["wrong_removed", "hang_on_remove"] })
    }

    fn flag(&mut self) -> Option<Planned> {
        let wording = self.of.subject.wording;
        let at = self.any_thing()?;
        let name = self.things.get(at)?.name.clone();
        let pattern = self.draw.text(&wording.flag_asks).to_owned();
        let asked = self.filled(&pattern, &[("item", &name)]);
        if self.of.surface.rows != Rows::Plain {
            self.go_to_list();
            self.beat(asked.clone(), vec![json!({"tap": {"text": wording.on, "beside": name}})]);
            let expects = vec![json!({"visible": wording.off})];
            return Some(Planned { whole: asked, expects, bugs: vec!["mark_ignored"] });
        }
        if self.draw.chance(40) {
            self.go_to_list();
            self.beat(asked.clone(), vec![json!({"long_press": name}), Self::tap(&wording.on)]);
            self.open(&name);
        } else {
            self.open(&name);
            self.beat(asked.clone(), vec![Self::tap(&wording.on)]);
        }
        let ask = self.ask("check", &[("value", &wording.state)]);
        self.beat(ask, vec![json!({"see": wording.state})]);
        let expects = vec![json!({"visible": wording.state}), json!({"screen": name})];
        // Where the button says the same as the mark, nothing would show that it is missing.
        let tells = !wording.on.to_lowercase().contains(&wording.state.to_lowercase());
        let bugs = if tells { vec!["mark_ignored"] } else { Vec::new() };
        Some(Planned { whole: asked, expects, bugs })
    }

    fn switch(&mut self) -> Planned {
        let label = self.draw.text(&self.of.subject.wording.switches).to_owned();
        self.go_to_settings();
        let ask = self.ask("switch", &[("label", &label)]);
        self.beat(ask, vec![Self::tap(&label)]);
        let whole = self.whole("switch", &[("label", &label)]);
        Planned { whole, expects: vec![json!({"checked": {"widget": label, "is": true}})], bugs: vec!["dead_switch"] }
    }

    fn choose(&mut self) -> Option<Planned> {
        let wording = self.of.subject.wording;
        let value = wording.choices.get(1 + self.draw.below(wording.choices.len() - 1))?.clone();
        self.go_to_settings();
        let ask = self.ask("choose", &[("label", &wording.choice), ("value", &value)]);
        self.beat(ask, vec![Self::tap(&value)]);
        let whole = self.whole("choose", &[("label", &wording.choice), ("value", &value)]);
        Some(Planned { whole, expects: vec![json!({"checked": {"widget": value, "is": true}})], bugs: Vec::new() })
    }

    fn find(&mut self) -> Option<Planned> {
        let surface = self.of.surface;
        self.go_to_list();
        let at = self.any_thing()?;
        let thing = self.things.get(at)?.clone();
        let other = self.things.iter().find(|other| other.kind != thing.kind && !other.shelved)?.name.clone();
        if surface.finding == Finding::Filter || surface.finding == Finding::Both && self.draw.chance(50) {
            let ask = self.ask("filter", &[("value", &thing.kind)]);
            self.beat(ask, vec![Self::tap(&thing.kind)]);
            let whole = self.whole("filter", &[("value", &thing.kind)]);
            let expects = vec![json!({"visible": thing.name}), json!({"absent": other})];
            return Some(Planned { whole, expects, bugs: vec!["filter_ignored"] });
        }
        let ask = self.ask("search", &[("value", &thing.name)]);
        if self.of.rich.is_some() && self.draw.chance(50) {
            // What stands at the top would be in sight if nothing were narrowed.
            let other = self.things.iter().find(|other| other.name != thing.name && !other.shelved)?.name.clone();
            self.beat(ask, Self::typing(surface.labels.search, &thing.name));
            let whole = self.whole("look_up", &[("value", &thing.name)]);
            let expects = vec![json!({"visible": thing.name}), json!({"absent": other})];
            return Some(Planned { whole, expects, bugs: vec!["search_ignored"] });
        }
        // A person types the beginning of a name, as far as it tells it from the others.
        let length = thing.name.chars().count().saturating_sub(1).min(6);
        let typed: String = thing.name.chars().take(length).collect();
        self.beat(ask, Self::typing(surface.labels.search, typed.trim()));
        let ask = self.ask("open_item", &[("item", &thing.name)]);
        self.beat(ask, vec![Self::tap(&thing.name)]);
        self.place = Spot::Under("list");
        let whole = self.whole("search", &[("item", &thing.name)]);
        let expects = vec![json!({"screen": thing.name}), json!({"visible": thing.kind})];
        Some(Planned { whole, expects, bugs: Vec::new() })
    }
}
