//! The message at the bottom of a screen's window. Unlike a toast it is part of the window, and of the dump.

use super::super::file::{Edges, TextStyle};
use super::super::palette::{WHITE, mix};
use super::super::scene::{Access, Content, Node, NodeIndex, Surface};
use super::super::target::{Drag, Target};
use super::{Builder, base_style};

/// Material's inverse surface.
const INVERSE: [u8; 4] = [0x32, 0x2f, 0x35, 255];

impl Builder<'_> {
    /// Adds the snackbar, if there is one, at the lower edge of what holds the screen's body.
    pub(super) fn snackbar(&mut self, body: NodeIndex) {
        let Some(state) = self.snackbar else { return };
        let auto = |dp: f32| taffy::LengthPercentageAuto::length(dp);
        let mut bar = Self::layout_node("android.widget.FrameLayout", "");
        bar.style.position = taffy::Position::Absolute;
        bar.style.inset = taffy::Rect {
            left: auto(self.px(8.0)),
            right: auto(self.px(8.0)),
            top: taffy::prelude::auto(),
            bottom: auto(self.px(8.0)),
        };
        bar.surface = Some(Surface { elevation: self.px(3.0), ..Surface::rounded(INVERSE, self.px(4.0)) });
        bar.target = Some(Target::Inert);
        // `BaseTransientBottomBar.Behavior` lets it be swiped away.
        bar.extra.drag = Some(Drag::Snackbar);
        let bar = self.add(body, bar);
        let mut row = Self::layout_node("android.widget.LinearLayout", "");
        row.style.flex_direction = taffy::FlexDirection::Row;
        row.style.align_items = taffy::AlignItems::CENTER;
        row.style.min_size.height = taffy::LengthPercentageAuto::length(self.px(48.0));
        row.style.padding = self.edges(Edges { top: 6.0, right: 8.0, bottom: 6.0, left: 16.0 });
        let row = self.add(bar, row);
        let id = self.resource_id("snackbar_text");
        let mut text = Self::shrinking(self.text_view(&id, &state.text, TextStyle::Small, WHITE));
        text.style.flex_grow = 1.0;
        if let Content::Text(block) = &mut text.content {
            block.max_lines = Some(2);
        }
        self.add(row, text);
        let Some(action) = &state.action else { return };
        let mut style = base_style();
        style.padding = self.edges(Edges::symmetric(10.0, 12.0));
        let button = Node {
            style,
            access: Some(Access {
                id: self.resource_id("snackbar_action"),
                text: action.clone(),
                ..Access::touchable("android.widget.Button")
            }),
            target: Some(Target::SnackbarAction(state.on_action.clone(), state.locals.clone())),
            ..Node::default()
        };
        let button = self.add(row, button);
        let color = mix(self.palette.role(super::super::file::ColorRole::Primary), WHITE, 0.55);
        let label = self.drawn_text(action.clone(), TextStyle::Label, color);
        self.add(button, label);
    }
}
