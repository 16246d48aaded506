//! What controls are for, whatever a step says.

use serde::Deserialize;

/// What a control is for, as its label, description or id says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Sends, saves or confirms.
    Submit,
    /// Leads on to the next page of several.
    Advance,
    /// Agrees to terms.
    Consent,
    /// Says no, or closes without a change.
    Cancel,
    /// Puts a question off.
    PutOff,
    /// Takes note of a message.
    Acknowledge,
    /// Goes back.
    Back,
    /// Opens further commands.
    Overflow,
    /// Opens the app's drawer.
    Drawer,
    /// Looks for something.
    Search,
    /// Narrows a list down.
    Filter,
    /// Orders a list.
    Sort,
    /// Adds something.
    Add,
    /// Changes something.
    Edit,
    /// Removes something.
    Delete,
    /// Opens settings.
    Settings,
    /// Opens account or profile.
    Account,
    /// Goes to the first page.
    Home,
    /// Opens help.
    Help,
    /// Opens a page that holds other pages.
    Container,
    /// Empties a field or list.
    Clear,
    /// Unfolds a part of the page.
    Expand,
    /// Makes a number greater.
    Increase,
    /// Makes a number smaller.
    Decrease,
    /// Marks as favourite.
    Favourite,
    /// Passes on.
    Share,
    /// Calls somebody.
    Call,
}

/// A set of purposes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PurposeSet(u32);

impl PurposeSet {
    /// Adds a purpose.
    pub const fn insert(&mut self, purpose: Purpose) {
        self.0 |= 1 << purpose as u32;
    }

    /// Takes a purpose out.
    pub const fn remove(&mut self, purpose: Purpose) {
        self.0 &= !(1 << purpose as u32);
    }

    /// True if the purpose is in it.
    pub const fn has(self, purpose: Purpose) -> bool {
        self.0 & (1 << purpose as u32) != 0
    }

    /// True if both share one of these.
    pub fn shares(self, other: Self, purposes: &[Purpose]) -> bool {
        purposes.iter().any(|purpose| self.has(*purpose) && other.has(*purpose))
    }

    /// True if one of these is in it.
    pub fn has_any(self, purposes: &[Purpose]) -> bool {
        purposes.iter().any(|purpose| self.has(*purpose))
    }

    /// True if it holds none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}
