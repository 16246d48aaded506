//! What an exploration has seen: places, what may still be tried there, and what led where.

use super::caution::Leave;
use crate::domain::{Action, Direction};
use crate::hierarchy::{Fingerprint, Role, Screen, Widget};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Controls of one kind (rows of a list) that are tried in one place.
const MOST_OF_A_KIND: usize = 3;
/// How often a way may lead elsewhere before it is forgotten.
const MOST_MISSES: u32 = 2;

/// Something to do in a place, known again when one comes back.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Move {
    /// Touch what has this label and id.
    Touch(String, String),
    /// Look further down.
    Scroll,
    /// The back key.
    Back,
}

impl Move {
    fn of(widget: &Widget) -> Self {
        let id = if widget.id_words.is_empty() { String::new() } else { widget.resource_id.clone() };
        Self::Touch(widget.label.clone(), id)
    }

    /// The action on a screen; `None` where it cannot be done there.
    pub(super) fn on(&self, screen: &Screen) -> Option<Action> {
        match self {
            Self::Touch(..) => {
                let widget = screen.widgets.iter().find(|widget| widget.clickable && Self::of(widget) == *self)?;
                Some(Action::Click { target: widget.target() })
            }
            Self::Scroll => {
                let area = screen.scroll_areas.iter().find(|area| area.height() >= area.width() / 2)?;
                Some(Action::Scroll { direction: Direction::Down, area: *area })
            }
            Self::Back => Some(Action::PressBack),
        }
    }
}

/// A place: screens of one structure and title.
#[derive(Debug)]
pub(super) struct Place {
    /// Its title.
    pub title: String,
    /// Not tried yet, each with its turn.
    pub open: BTreeMap<Move, u64>,
    /// Left alone on purpose.
    pub avoided: Vec<String>,
    /// What led where.
    pub ways: BTreeMap<Move, usize>,
    known: HashSet<Move>,
    kinds: HashMap<(String, String, Role), usize>,
    misses: BTreeMap<Move, u32>,
}

/// All places.
#[derive(Debug)]
pub(super) struct Atlas {
    seed: u64,
    places: Vec<Place>,
    index: HashMap<(Fingerprint, String), usize>,
}

impl Atlas {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed, places: Vec::new(), index: HashMap::new() }
    }

    pub(super) fn places(&self) -> &[Place] {
        &self.places
    }

    /// The place of a screen, with what is new on it added. `leave` says which widgets may be touched.
    pub(super) fn see(&mut self, screen: &Screen, leave: &[Leave]) -> usize {
        let key = (screen.fingerprint, screen.title.clone());
        let next = self.places.len();
        let number = *self.index.entry(key).or_insert(next);
        if number == next {
            self.places.push(Place {
                title: screen.title.clone(),
                open: BTreeMap::from([(Move::Back, u64::MAX)]),
                avoided: Vec::new(),
                ways: BTreeMap::new(),
                known: HashSet::from([Move::Back]),
                kinds: HashMap::new(),
                misses: BTreeMap::new(),
            });
        }
        let seed = self.seed;
        let Some(place) = self.places.get_mut(number) else { return number };
        for (widget, leave) in screen.widgets.iter().zip(leave) {
            let step = Move::of(widget);
            if *leave == Leave::Idle || !place.known.insert(step.clone()) {
                continue;
            }
            if *leave == Leave::Careful {
                place.avoided.push(widget.label.clone());
                continue;
            }
            // Rows of a list share their id; other things have ids of their own, or none.
            let own_id = !widget.id_words.is_empty();
            let id = if own_id { widget.resource_id.clone() } else { String::new() };
            let of_kind = place.kinds.entry((widget.class.clone(), id, widget.role)).or_default();
            *of_kind += 1;
            let rows = widget.role == Role::ListItem || own_id;
            if !rows || *of_kind <= MOST_OF_A_KIND {
                place.open.insert(step.clone(), turn(seed, widget.role, &step));
            }
        }
        let scroll = Move::Scroll;
        if scroll.on(screen).is_some() && place.known.insert(scroll.clone()) {
            place.open.insert(scroll, u64::MAX - 1);
        }
        number
    }

    /// What to try next in a place, of what can be done on the screen; going back is no discovery.
    pub(super) fn untried(&self, number: usize, screen: &Screen) -> Option<Move> {
        let place = self.places.get(number)?;
        let mut open: Vec<(&u64, &Move)> = place.open.iter().map(|(step, turn)| (turn, step)).collect();
        open.sort();
        open.into_iter().map(|(_, step)| step).find(|step| **step != Move::Back && step.on(screen).is_some()).cloned()
    }

    /// The first move of the shortest known way to a place where something is left to try; `None` where there is no such
    /// way. Nothing of this place itself counts.
    pub(super) fn towards_untried(&self, from: usize, screen: &Screen) -> Option<Move> {
        let mut queue: VecDeque<(usize, Option<Move>)> = VecDeque::from([(from, None)]);
        let mut seen = vec![false; self.places.len()];
        *seen.get_mut(from)? = true;
        while let Some((at, first)) = queue.pop_front() {
            let place = self.places.get(at)?;
            if at != from && place.open.keys().any(|step| *step != Move::Back) {
                return first;
            }
            for (step, to) in &place.ways {
                let usable = at != from || step.on(screen).is_some();
                if usable && seen.get(*to) == Some(&false) {
                    seen[*to] = true;
                    queue.push_back((*to, first.clone().or_else(|| Some(step.clone()))));
                }
            }
        }
        None
    }

    /// True while the back key was never tried here, or led somewhere that was not known to be in vain.
    pub(super) fn may_go_back(&self, number: usize) -> bool {
        self.places.get(number).is_some_and(|place| place.open.contains_key(&Move::Back))
    }

    /// A move was made; `to` is where it led, `None` out of the app.
    pub(super) fn made(&mut self, from: usize, step: &Move, to: Option<usize>) {
        let Some(place) = self.places.get_mut(from) else { return };
        place.open.remove(step);
        match (place.ways.get(step).copied(), to) {
            (Some(known), Some(to)) if known == to => {}
            (Some(_), _) => {
                let misses = place.misses.entry(step.clone()).or_default();
                *misses += 1;
                if *misses >= MOST_MISSES {
                    place.ways.remove(step);
                } else if let Some(to) = to {
                    place.ways.insert(step.clone(), to);
                }
            }
            (None, Some(to)) if to != from => drop(place.ways.insert(step.clone(), to)),
            (None, _) => {}
        }
    }

    /// Something could not be found again, and is given up.
    pub(super) fn give_up(&mut self, number: usize) {
        if let Some(place) = self.places.get_mut(number) {
            place.open.retain(|step, _| *step == Move::Back);
        }
    }
}

/// When a control has its turn: what structures an app first, then rows, each in an order drawn from the seed.
fn turn(seed: u64, role: Role, step: &Move) -> u64 {
    let class: u64 = match role {
        Role::Tab => 0,
        Role::Button | Role::Image => 1,
        _ => 2,
    };
    let mut hash = DefaultHasher::new();
    (seed, step).hash(&mut hash);
    (class << 60) | (hash.finish() >> 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorded::sample::screen;

    fn see(atlas: &mut Atlas, screen: &Screen) -> usize {
        let leave: Vec<Leave> =
            screen.widgets.iter().map(|widget| if widget.clickable { Leave::Touch } else { Leave::Idle }).collect();
        atlas.see(screen, &leave)
    }

    #[test]
    fn what_is_left_elsewhere_is_walked_to_by_the_shortest_known_way() {
        let (home, list, detail) = (
            screen(&["TextView Home", "Button List"]),
            screen(&["TextView List", "Button Detail", "Button Other"]),
            screen(&["TextView Detail", "TextView Text", "Button Edit"]),
        );
        let mut atlas = Atlas::new(7);
        let (a, b, c) = (see(&mut atlas, &home), see(&mut atlas, &list), see(&mut atlas, &detail));
        let touch = |label: &str| Move::Touch(label.into(), String::new());
        let id = |screen: &Screen, label: &str| Move::of(screen.widgets.iter().find(|w| w.label == label).unwrap());
        assert_eq!(atlas.untried(a, &home), Some(id(&home, "List")));
        atlas.made(a, &id(&home, "List"), Some(b));
        assert_eq!(atlas.untried(a, &home), None);
        assert_eq!(atlas.towards_untried(a, &home), Some(id(&home, "List")));
        atlas.made(b, &id(&list, "Detail"), Some(c));
        atlas.made(c, &id(&detail, "Edit"), None);
        atlas.made(c, &Move::Back, Some(b));
        assert_eq!(atlas.towards_untried(c, &detail), Some(Move::Back));
        assert!(!atlas.may_go_back(c) && atlas.may_go_back(b));
        atlas.give_up(b);
        assert_eq!(atlas.towards_untried(c, &detail), None);
        assert_eq!(touch("x").on(&home), None);
    }

    #[test]
    fn the_order_follows_from_the_seed_and_a_way_that_misleads_is_forgotten() {
        let many = screen(&["Button A", "Button B", "Button C", "Button D", "Button E", "Button F"]);
        let first = |seed| {
            let mut atlas = Atlas::new(seed);
            let at = see(&mut atlas, &many);
            atlas.untried(at, &many).unwrap()
        };
        assert_eq!(first(1), first(1));
        assert!((0..20).any(|seed| first(seed) != first(1)), "other seeds, other orders");
        let mut atlas = Atlas::new(1);
        let at = see(&mut atlas, &many);
        let step = first(1);
        atlas.made(at, &step, Some(5));
        atlas.made(at, &step, Some(6));
        atlas.made(at, &step, None);
        assert!(atlas.places()[at].ways.is_empty());
    }
}
