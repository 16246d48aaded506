//! The stage of an app that is no app file: its soft keyboard, and a picture of its tree.

mod look;
mod sketch;

use super::AppContext;
use super::canvas::{Canvas, blank};
use super::draw::Frame;
use super::keyboard::{EnterKey, KeyAction, Keyboard, Page};
use super::palette::Palette;
use super::scene::Draft;
use crate::Configuration;
use crate::domain::{Point, Screenshot};
use crate::hierarchy::UiTree;
use std::time::Duration;

/// A key of the soft keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyPress {
    /// Types a character.
    Type(char),
    /// Deletes the last character.
    Delete,
    /// ENTER.
    Enter,
    /// The keyboard shows something else; nothing is typed.
    Nothing,
}

/// What is drawn around and over a tree.
pub(crate) struct Stage {
    context: AppContext,
    keyboard: Option<Keyboard>,
}

/// What to draw.
pub(crate) struct Shown<'a> {
    /// The tree in display pixels, texts as they are now.
    pub tree: &'a UiTree,
    /// The recorded picture, at the display's size.
    pub photo: Option<&'a Screenshot>,
    /// Fields whose text differs from the recorded one, to be drawn over the picture.
    pub changed: &'a [usize],
    /// The field with the cursor.
    pub focus: Option<usize>,
}

impl Stage {
    /// A stage without keyboard.
    pub(crate) const fn new(context: AppContext) -> Self {
        Self { context, keyboard: None }
    }

    /// Takes over the display's size, density and so on.
    pub(crate) fn configure(&mut self, configuration: &Configuration) {
        self.context.configure(configuration);
    }

    /// The device.
    pub(crate) const fn context(&self) -> &AppContext {
        &self.context
    }

    /// True while the keyboard is up.
    pub(crate) const fn keyboard_shown(&self) -> bool {
        self.keyboard.is_some()
    }

    /// Raises the keyboard, as it was where it is up already.
    pub(crate) fn raise_keyboard(&mut self, digits: bool) {
        let page = if digits { Page::Digits } else { Page::Letters };
        self.keyboard.get_or_insert(Keyboard { page, shift: false });
    }

    /// Hides the keyboard.
    pub(crate) const fn hide_keyboard(&mut self) {
        self.keyboard = None;
    }

    /// What a touch on the keyboard does; `None` where there is no keyboard.
    pub(crate) fn press(&mut self, at: Point) -> Option<KeyPress> {
        let keyboard = self.keyboard.as_mut()?;
        if !Keyboard::area(&self.context).contains(at) {
            return None;
        }
        Some(match keyboard.key_at(&self.context, at) {
            Some(KeyAction::Type(c)) => {
                keyboard.shift = false;
                KeyPress::Type(c)
            }
            Some(KeyAction::Delete) => KeyPress::Delete,
            Some(KeyAction::Enter) => KeyPress::Enter,
            Some(KeyAction::Shift) => {
                keyboard.shift = !keyboard.shift;
                KeyPress::Nothing
            }
            Some(KeyAction::Turn(page)) => {
                *keyboard = Keyboard { page, shift: false };
                KeyPress::Nothing
            }
            None => KeyPress::Nothing,
        })
    }

    /// The whole display.
    pub(crate) fn picture(&self, shown: &Shown<'_>, now: Duration) -> Screenshot {
        let drawn = match shown.photo {
            None => {
                let mut draft = Draft::default();
                sketch::whole(&self.context, shown.tree, shown.focus, &mut draft);
                let scene = draft.settle();
                self.frame(std::slice::from_ref(&scene), now).draw()
            }
            Some(photo) => self.over(photo, shown, now),
        };
        drawn.unwrap_or_else(|| blank(self.context.display))
    }

    /// The recorded picture with what has changed since: fields and the keyboard.
    fn over(&self, photo: &Screenshot, shown: &Shown<'_>, now: Duration) -> Option<Screenshot> {
        let mut draft = Draft::default();
        sketch::fields(&self.context, shown.tree, shown.changed, shown.focus, &mut draft);
        if draft.nodes.is_empty() && self.keyboard.is_none() {
            return Some(photo.clone());
        }
        let scene = draft.settle();
        let typesetter = std::sync::Arc::clone(&self.context.typesetter);
        let mut canvas = Canvas::over(photo, &typesetter)?;
        let scenes = std::slice::from_ref(&scene);
        self.frame(scenes, now).draw_windows(&mut canvas);
        canvas.finish()
    }

    fn frame<'a>(&'a self, scenes: &'a [super::scene::Scene], now: Duration) -> Frame<'a> {
        Frame {
            context: &self.context,
            now,
            scenes,
            keyboard: self.keyboard,
            enter: EnterKey::default(),
            palette: Palette::new(None),
            toast: None,
            light_status: false,
            wallpaper: false,
        }
    }
}

/// Where a letter of the keyboard is, for tests.
#[cfg(test)]
pub(crate) fn key_of(context: &AppContext, letter: &str) -> Point {
    let keyboard = Keyboard { page: Page::Letters, shift: false };
    let key = keyboard.keys(context).into_iter().find(|key| key.label == letter);
    key.unwrap_or_else(|| panic!("there is no key {letter}")).bounds.center()
}
