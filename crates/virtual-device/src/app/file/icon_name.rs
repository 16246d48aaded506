//! The names of the built-in icons.

use schemars::JsonSchema;
use serde::Deserialize;

macro_rules! icon_names {
    ($($name:ident)*) => {
        /// The built-in icons.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        #[expect(missing_docs, reason = "the names are the documentation")]
        pub enum IconName { $($name),* }

        impl IconName {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),*];
        }
    };
}

icon_names! {
    Back Forward Up Down Close Check CheckCircle Chevron ChevronLeft ChevronDown ChevronUp Backspace Bank Card Lock
    Unlock Key Person People PersonAdd Account Phone Search Bell Gift Help Home Send Receipt Shield Fingerprint Wallet
    Plus PlusCircle Minus MinusCircle More MoreHorizontal Menu Info Warning Error Star StarOutline StarHalf Heart
    HeartFilled Scan Clock Timer Alarm History Settings Mail Car Taxi Bus Train Bike Walk Flight Pin Location Navigate
    Map Directions Cart Bag Store Tag Edit Trash Calendar Camera Photo Video Microphone Play Pause Stop Next Previous
    Shuffle Repeat Volume Mute Music Headphones Share Download Upload Cloud Copy Paste Link Attach Filter Sort List Grid
    Refresh Sync Undo Redo Eye EyeOff Moon Sun Wifi Bluetooth Battery Signal Globe Language Flag Bookmark
    BookmarkOutline Folder File Note Book Chat Comment Thumb Smile Logout Login Dollar Percent Chart Food Coffee Apple
    Carrot Bread Milk Fish Pill Bolt Fire Drop Snow Umbrella Leaf Paw Work School Hospital Bed Ticket Crown
    Trophy Rocket Bulb Wrench Palette Keyboard Grip Circle Square
}
