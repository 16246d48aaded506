//! Declarative apps: a YAML file becomes a running Android app.
//!
//! `file` reads and checks the format; `expression` evaluates its rhai expressions; `build` turns a screen and the
//! app's state into a `scene`, a tree of nodes laid out once by `layout`. The dump (`snapshot`), the picture (`draw`)
//! and hit-testing all read that one scene, so they cannot disagree. `program` is the running app: navigation,
//! focus, typing, scrolling, timers. Nothing here reads a clock, a file or the environment.

mod build;
mod calendar;
mod canvas;
mod channel;
mod context;
pub(crate) mod day_halves;
mod dialect;
mod draw;
mod draw_controls;
mod expression;
pub mod file;
mod focus;
mod fonts;
mod icon;
mod icon_shapes;
mod keyboard;
mod keyboard_picture;
mod launcher;
mod layout;
mod link;
mod paint;
mod palette;
mod photo;
mod program;
mod qr;
mod scene;
mod shaped;
mod snapshot;
mod stage;
mod stock_words;
mod street_map;
mod strings;
mod system_bars;
pub mod system_ui;
mod target;
mod text_size;
mod typesetter;
mod wallpaper;
mod window;
mod wording;

pub use channel::Channels;
pub use context::AppContext;
pub use file::{AppFile, AppFileError, AppFileIssue};
pub use launcher::{Launcher, LauncherEntry};
#[cfg(test)]
pub(crate) use program::{FASTEST_FLING, LONG_PRESS, SLOWEST_FLING, TOUCH_SLOP};
pub use program::{LaunchError, ShownLink, launch, shown_links};
#[cfg(test)]
pub(crate) use stage::key_of;
pub(crate) use stage::{KeyPress, Shown, Stage};
pub use typesetter::Typesetter;
pub use wording::Wording;
