//! Verb classes: what a step asks for, and what a control's label says that touching it does.

use serde::Deserialize;
use std::fmt;

/// One class of verbs. The words of each class stand in `lexicon/<language>.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// Opens or goes to something.
    Open,
    /// Chooses, picks or selects something.
    Choose,
    /// Types or fills something in.
    Enter,
    /// Adds or makes something new.
    Create,
    /// Removes something for good.
    Delete,
    /// Changes something that is there.
    Edit,
    /// Keeps what was entered, or confirms it.
    Save,
    /// Sends something to somebody, or submits it.
    Send,
    /// Passes something on.
    Share,
    /// Makes something visible to others.
    Publish,
    /// Spends or moves money.
    Pay,
    /// Orders or books something.
    Order,
    /// Calls somebody.
    Call,
    /// Blocks or freezes somebody or something.
    Block,
    /// Reports somebody or something.
    Report,
    /// Leaves a group or gives a membership up.
    Leave,
    /// Signs in.
    SignIn,
    /// Makes an account.
    SignUp,
    /// Signs out.
    SignOut,
    /// Calls something off that was arranged.
    Cancel,
    /// Puts something back to how it was at first.
    Reset,
    /// Looks for something by its name.
    Search,
    /// Narrows a list down.
    Filter,
    /// Changes the order of a list.
    Sort,
    /// Marks something: as favourite, done, read.
    Mark,
    /// Takes a mark off.
    Unmark,
    /// Silences something.
    Mute,
    /// Puts something away without deleting it.
    Archive,
    /// Moves something elsewhere.
    Move,
    /// Makes a copy.
    Copy,
    /// Loads something onto the device.
    Download,
    /// Installs something.
    Install,
    /// Plays something.
    Play,
    /// Interrupts something that plays or runs.
    Pause,
    /// Starts something that runs.
    Start,
    /// Ends something that runs.
    Stop,
    /// Takes the last change back.
    Undo,
    /// Loads a list or page anew.
    Refresh,
    /// Touches and holds something.
    Hold,
    /// Goes back to the page before.
    Back,
    /// Scrolls.
    Scroll,
    /// Swipes something aside.
    Swipe,
    /// Waits.
    Wait,
    /// Closes a window or message.
    Dismiss,
    /// Agrees to something.
    Accept,
    /// Makes a number greater.
    Increase,
    /// Makes a number smaller.
    Decrease,
    /// Gives stars or points.
    Rate,
    /// Makes sure that something is so.
    Check,
    /// Switches something on.
    TurnOn,
    /// Switches something off.
    TurnOff,
}

impl Verb {
    /// All classes, in the order of their bits in a [`VerbSet`].
    pub const ALL: [Self; 51] = [
        Self::Open,
        Self::Choose,
        Self::Enter,
        Self::Create,
        Self::Delete,
        Self::Edit,
        Self::Save,
        Self::Send,
        Self::Share,
        Self::Publish,
        Self::Pay,
        Self::Order,
        Self::Call,
        Self::Block,
        Self::Report,
        Self::Leave,
        Self::SignIn,
        Self::SignUp,
        Self::SignOut,
        Self::Cancel,
        Self::Reset,
        Self::Search,
        Self::Filter,
        Self::Sort,
        Self::Mark,
        Self::Unmark,
        Self::Mute,
        Self::Archive,
        Self::Move,
        Self::Copy,
        Self::Download,
        Self::Install,
        Self::Play,
        Self::Pause,
        Self::Start,
        Self::Stop,
        Self::Undo,
        Self::Refresh,
        Self::Hold,
        Self::Back,
        Self::Scroll,
        Self::Swipe,
        Self::Wait,
        Self::Dismiss,
        Self::Accept,
        Self::Increase,
        Self::Decrease,
        Self::Rate,
        Self::Check,
        Self::TurnOn,
        Self::TurnOff,
    ];

    const fn bit(self) -> u64 {
        1 << self as u64
    }
}

/// What cannot be taken back, or reaches other people: done only where the task asks for it.
pub const CONSEQUENTIAL: VerbSet = VerbSet::of(&[
    Verb::Delete,
    Verb::Send,
    Verb::Publish,
    Verb::Pay,
    Verb::Order,
    Verb::Call,
    Verb::Block,
    Verb::Report,
    Verb::Leave,
    Verb::SignOut,
    Verb::Reset,
    Verb::Share,
]);

/// What moves about or looks, and changes no data.
pub const HARMLESS: VerbSet = VerbSet::of(&[
    Verb::Open,
    Verb::Search,
    Verb::Filter,
    Verb::Sort,
    Verb::Back,
    Verb::Scroll,
    Verb::Swipe,
    Verb::Refresh,
]);

/// What sending a form amounts to.
pub const FORM_SENDING: VerbSet = VerbSet::of(&[
    Verb::Save,
    Verb::Send,
    Verb::Share,
    Verb::Publish,
    Verb::Pay,
    Verb::Order,
    Verb::SignIn,
    Verb::SignUp,
    Verb::Report,
]);

/// What is only done once a form has been sent or a dialog confirmed.
pub const COMMITTING: VerbSet =
    FORM_SENDING.or(VerbSet::of(&[Verb::Delete, Verb::Leave, Verb::Reset, Verb::SignOut, Verb::Cancel, Verb::Block]));

/// A set of verb classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct VerbSet(u64);

impl VerbSet {
    /// No verb.
    pub const EMPTY: Self = Self(0);

    /// The set of these verbs.
    pub const fn of(verbs: &[Verb]) -> Self {
        let mut bits = 0;
        let mut at = 0;
        while at < verbs.len() {
            bits |= verbs[at].bit();
            at += 1;
        }
        Self(bits)
    }

    /// Adds a verb.
    pub const fn insert(&mut self, verb: Verb) {
        self.0 |= verb.bit();
    }

    /// True if the verb is in it.
    pub const fn has(self, verb: Verb) -> bool {
        self.0 & verb.bit() != 0
    }

    /// Verbs that both sets hold.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Verbs that either set holds.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Verbs of this set that the other lacks.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// True if it holds no verb.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if both share a verb.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Its verbs, in the order of [`Verb::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Verb> {
        Verb::ALL.into_iter().filter(move |verb| self.has(*verb))
    }
}

impl fmt::Display for VerbSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.iter().map(|verb| format!("{verb:?}").to_lowercase()).collect();
        f.write_str(&names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_has_a_bit_of_its_own() {
        let all = VerbSet::of(&Verb::ALL);
        assert_eq!(all.iter().count(), Verb::ALL.len());
        assert!(all.has(Verb::TurnOff) && !VerbSet::of(&[Verb::Open]).has(Verb::TurnOff));
    }

    #[test]
    fn sets_are_combined() {
        let set = VerbSet::of(&[Verb::Open, Verb::Delete]);
        assert!(set.meets(CONSEQUENTIAL) && !set.without(CONSEQUENTIAL).meets(CONSEQUENTIAL));
        assert_eq!(set.to_string(), "open, delete");
        assert!(set.and(HARMLESS).has(Verb::Open) && set.or(HARMLESS).has(Verb::Search));
    }
}
