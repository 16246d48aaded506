//! What apps can do beyond keeping things: each ability brings its part of the app, what testers ask of it, and the bugs
//! that can be planted there.

mod basket;
mod booking;
mod controls;
mod due;
mod rating;
mod shelf;
mod sign_in;
mod sorting;
mod talk;
mod transfer;

use crate::app::Blueprint;
use crate::task::{Planned, Planner};
use crate::vocabulary::{Subject, Trait};
use serde::Deserialize;
use serde_json::Value;

pub(crate) use due::FIRST_DAY;
pub(crate) use sign_in::SignIn;

/// A bug that can be planted: its name in switches, and what is wrong then.
pub(crate) type Bug = (&'static str, &'static str);

/// A part of the app that is reached like the list: screen, title, icon.
pub(crate) type Part<'l> = (&'static str, &'l str, &'static str);

/// The words of what a family's apps can do.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Words {
    pub(crate) booking: Option<booking::BookingWords>,
    pub(crate) basket: Option<basket::BasketWords>,
    pub(crate) transfer: Option<transfer::TransferWords>,
    pub(crate) talk: Option<talk::TalkWords>,
    pub(crate) shelf: Option<shelf::ShelfWords>,
    pub(crate) due: Option<due::DueWords>,
}

/// One thing that an app can do.
pub(crate) trait Ability {
    /// Its part of the app, if it has one.
    fn part(&self) -> Option<Part<'_>> {
        None
    }
    /// Variables with their first values.
    fn state(&self, of: &Blueprint<'_>) -> Vec<(&'static str, Value)>;
    /// Screens, its part's first.
    fn screens(&self, _of: &Blueprint<'_>) -> Vec<Value> {
        Vec::new()
    }
    /// Dialogs and sheets, in this order.
    fn windows(&self, _of: &Blueprint<'_>) -> (Vec<Value>, Vec<Value>) {
        (Vec::new(), Vec::new())
    }
    /// What stands over the list.
    fn over_list(&self, _of: &Blueprint<'_>) -> Vec<Value> {
        Vec::new()
    }
    /// What stands on a thing's own page.
    fn on_detail(&self, _of: &Blueprint<'_>) -> Vec<Value> {
        Vec::new()
    }
    /// What stands among the settings.
    fn in_settings(&self, _of: &Blueprint<'_>) -> Vec<Value> {
        Vec::new()
    }
    /// What nobody may do unasked.
    fn consequences(&self) -> Vec<Value> {
        Vec::new()
    }
    /// What can be planted.
    fn bugs(&self) -> &'static [Bug];
    /// Names of the kinds of tasks there are, in their order.
    fn operations(&self) -> &'static [&'static str];
    /// A task of one of these kinds; `None` where nothing is left to do it with.
    fn plan(&self, number: usize, planner: &mut Planner<'_>) -> Option<Planned>;
}

/// What the app of a subject can do.
pub(crate) fn abilities<'l>(subject: &Subject<'l>) -> Vec<Box<dyn Ability + 'l>> {
    let words = &subject.wording.can;
    let mut found: Vec<Box<dyn Ability + 'l>> = Vec::new();
    if let Some(words) = &words.booking {
        found.push(Box::new(booking::Booking { words }));
    }
    if let Some(words) = &words.basket {
        found.push(Box::new(basket::Basket { words }));
    }
    if let Some(words) = &words.transfer {
        found.push(Box::new(transfer::Transfer { words }));
    }
    if let Some(words) = &words.talk {
        found.push(Box::new(talk::Talk { words }));
    }
    if let Some(words) = &words.shelf {
        found.push(Box::new(shelf::Shelf { words }));
    }
    if let Some(words) = &words.due {
        found.push(Box::new(due::Due { words }));
    }
    for one in &subject.family.traits {
        match one {
            Trait::Sort => found.push(Box::new(sorting::Sorting)),
            Trait::Controls => found.push(Box::new(controls::Controls { pages: &subject.book.controls })),
            Trait::Rating => found.push(Box::new(rating::Rating)),
            Trait::SignIn => {}
        }
    }
    found
}
