//! What is asked of an app, how a person does it, and what holds then.

use crate::app::Blueprint;
use crate::draw::Draw;
use crate::surface::{Choosing, Finding, Navigation, Order, Removing, Rows};
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
}

impl Thing {
    pub(crate) fn data(&self) -> Value {
        json!({"name": self.name, "kind": self.kind, "note": self.note, "number": self.number, "flag": self.flag})
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
}

/// A whole task.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    /// As one ask.
    pub(crate) whole: String,
    pub(crate) beats: Vec<Beat>,
    /// What must hold at its end.
    pub(crate) expects: Vec<Value>,
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
}

/// Where the person is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Home,
    List,
    Detail,
    Settings,
}

/// Plans tasks one after another, so that each begins where the one before ended.
pub(crate) struct Planner<'a> {
    of: &'a Blueprint<'a>,
    draw: &'a mut Draw,
    place: Place,
    /// What is left of the app's things.
    things: Vec<Thing>,
    beats: Vec<Beat>,
}

impl<'a> Planner<'a> {
    pub(crate) fn new(of: &'a Blueprint<'a>, draw: &'a mut Draw) -> Self {
        let place = if of.surface.navigation == Navigation::Hub { Place::Home } else { Place::List };
        Self { of, draw, place, things: of.things.to_vec(), beats: Vec::new() }
    }

    /// The next task; `None` where nothing is left to do it with.
    pub(crate) fn plan(&mut self, operation: Operation) -> Option<Task> {
        self.beats.clear();
        let (whole, expects) = match operation {
            Operation::Create => self.create()?,
            Operation::Edit => self.edit()?,
            Operation::Remove => self.remove()?,
            Operation::Flag => self.flag()?,
            Operation::Switch => self.switch(),
            Operation::Choose => self.choose()?,
            Operation::Find => self.find()?,
        };
        Some(Task { whole, beats: std::mem::take(&mut self.beats), expects })
    }

    /// Puts an ask of the phrase book into words.
    fn ask(&mut self, key: &str, places: &[(&str, &str)]) -> String {
        let book = self.of.subject.book;
        let pattern = self.draw.text(book.asks.get(key).map_or(&[], Vec::as_slice)).to_owned();
        self.filled(&pattern, places)
    }

    fn whole(&mut self, key: &str, places: &[(&str, &str)]) -> String {
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
        self.beats.push(Beat { ask, hands, value: None });
    }

    fn tap(text: &str) -> Value {
        json!({"tap": text})
    }

    /// Something of the app that was not touched yet.
    fn any_thing(&mut self) -> Option<usize> {
        // A card that the display's edge cuts off hides its own buttons: its neighbour's would be nearer to its name.
        let whole = if self.of.surface.rows == Rows::Cards { 4 } else { self.things.len() };
        let free: Vec<usize> = (0..self.things.len().min(whole)).filter(|at| !self.things[*at].flag).collect();
        free.get(self.draw.below(free.len())).copied()
    }

    fn go_to_list(&mut self) {
        let list = &self.of.subject.wording.list;
        let hands = match (self.place, self.of.surface.navigation) {
            (Place::List, _) => return,
            (Place::Detail, _) | (Place::Settings, Navigation::Overflow) => vec![json!({"key": "back"})],
            (Place::Home, _) | (Place::Settings, Navigation::BottomBar | Navigation::Tabs) => vec![Self::tap(list)],
            (Place::Settings, Navigation::Drawer) => vec![Self::tap(OPEN_DRAWER), Self::tap(list)],
            (Place::Settings, Navigation::Hub) => vec![json!({"key": "back"}), Self::tap(list)],
        };
        let key = if self.place == Place::Detail { "back" } else { "open_list" };
        let ask = self.ask(key, &[]);
        self.beat(ask, hands);
        self.place = Place::List;
    }

    fn go_to_settings(&mut self) {
        if self.place == Place::Settings {
            return;
        }
        if self.place == Place::Detail {
            self.go_to_list();
        }
        let settings = self.of.surface.labels.settings;
        let hands = match self.of.surface.navigation {
            Navigation::BottomBar | Navigation::Tabs => vec![Self::tap(settings)],
            Navigation::Drawer => vec![Self::tap(OPEN_DRAWER), Self::tap(settings)],
            Navigation::Overflow => vec![Self::tap(MORE_OPTIONS), Self::tap(settings)],
            Navigation::Hub if self.place == Place::Home => vec![Self::tap(settings)],
            Navigation::Hub => vec![json!({"key": "back"}), Self::tap(settings)],
        };
        let ask = self.ask("open_settings", &[]);
        self.beat(ask, hands);
        self.place = Place::Settings;
    }

    fn open(&mut self, name: &str) {
        self.go_to_list();
        let ask = self.ask("open_item", &[("item", name)]);
        self.beat(ask, vec![Self::tap(name)]);
        self.place = Place::Detail;
    }

    /// Fills in one value of the form.
    fn fill(&mut self, key: &'static str, label: &str, value: &str, hands: Vec<Value>) {
        let ask = self.ask(key, &[("label", label), ("value", value)]);
        self.beats.push(Beat { ask, hands, value: Some((key, value.to_owned())) });
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

    fn typing(into: &str, text: &str) -> Vec<Value> {
        vec![json!({"type": {"into": into, "text": text}}), json!({"hide_keyboard": null})]
    }

    fn create(&mut self) -> Option<(String, Vec<Value>)> {
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
        self.fill("number", &wording.number, &number, Self::typing(&wording.number, &number));
        if self.draw.chance(60) {
            self.fill("note", &wording.note, &note, Self::typing(&wording.note, &note));
        }
        self.save();
        if self.of.surface.order == Order::NewestLast || self.draw.chance(30) {
            let ask = self.ask("check", &[("value", &name)]);
            self.beat(ask, vec![json!({"scroll_to": name})]);
        }
        let whole = self.whole("create", &[("item", &name)]);
        Some((whole, vec![json!({"visible": name})]))
    }

    fn edit(&mut self) -> Option<(String, Vec<Value>)> {
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
            (&wording.kind, kind)
        } else {
            let numbers = &self.of.subject.family.numbers;
            let number = numbers.iter().find(|number| **number != thing.number)?.clone();
            // A filled field shows what it holds in place of its label.
            self.fill("number", &wording.number, &number, Self::typing(&thing.number, &number));
            (&wording.number, number)
        };
        self.save();
        let whole = self.whole("edit", &[("item", &thing.name), ("label", label), ("value", &value)]);
        Some((whole, vec![json!({"screen": thing.name}), json!({"visible": value})]))
    }

    fn remove(&mut self) -> Option<(String, Vec<Value>)> {
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
        self.place = Place::List;
        let left = self.things.first()?.name.clone();
        Some((asked, vec![json!({"absent": name}), json!({"visible": left})]))
    }

    fn flag(&mut self) -> Option<(String, Vec<Value>)> {
        let wording = self.of.subject.wording;
        let at = self.any_thing()?;
        let name = self.things.get(at)?.name.clone();
        let pattern = self.draw.text(&wording.flag_asks).to_owned();
        let asked = self.filled(&pattern, &[("item", &name)]);
        if self.of.surface.rows != Rows::Plain {
            self.go_to_list();
            self.beat(asked.clone(), vec![json!({"tap": {"text": wording.on, "beside": name}})]);
            return Some((asked, vec![json!({"visible": wording.off})]));
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
        Some((asked, vec![json!({"visible": wording.state}), json!({"screen": name})]))
    }

    fn switch(&mut self) -> (String, Vec<Value>) {
        let label = self.draw.text(&self.of.subject.wording.switches).to_owned();
        self.go_to_settings();
        let ask = self.ask("switch", &[("label", &label)]);
        self.beat(ask, vec![Self::tap(&label)]);
        let whole = self.whole("switch", &[("label", &label)]);
        (whole, vec![json!({"checked": {"widget": label, "is": true}})])
    }

    fn choose(&mut self) -> Option<(String, Vec<Value>)> {
        let wording = self.of.subject.wording;
        let value = wording.choices.get(1 + self.draw.below(wording.choices.len() - 1))?.clone();
        self.go_to_settings();
        let ask = self.ask("choose", &[("label", &wording.choice), ("value", &value)]);
        self.beat(ask, vec![Self::tap(&value)]);
        let whole = self.whole("choose", &[("label", &wording.choice), ("value", &value)]);
        Some((whole, vec![json!({"checked": {"widget": value, "is": true}})]))
    }

    fn find(&mut self) -> Option<(String, Vec<Value>)> {
        let surface = self.of.surface;
        self.go_to_list();
        let at = self.any_thing()?;
        let thing = self.things.get(at)?.clone();
        let other = self.things.iter().find(|other| other.kind != thing.kind)?.name.clone();
        if surface.finding == Finding::Filter || surface.finding == Finding::Both && self.draw.chance(50) {
            let ask = self.ask("filter", &[("value", &thing.kind)]);
            self.beat(ask, vec![Self::tap(&thing.kind)]);
            let whole = self.whole("filter", &[("value", &thing.kind)]);
            return Some((whole, vec![json!({"visible": thing.name}), json!({"absent": other})]));
        }
        let ask = self.ask("search", &[("value", &thing.name)]);
        // A person types the beginning of a name, as far as it tells it from the others.
        let length = thing.name.chars().count().saturating_sub(1).min(6);
        let typed: String = thing.name.chars().take(length).collect();
        self.beat(ask, Self::typing(surface.labels.search, typed.trim()));
        let ask = self.ask("open_item", &[("item", &thing.name)]);
        self.beat(ask, vec![Self::tap(&thing.name)]);
        self.place = Place::Detail;
        let whole = self.whole("search", &[("item", &thing.name)]);
        Some((whole, vec![json!({"screen": thing.name}), json!({"visible": thing.kind})]))
    }
}
