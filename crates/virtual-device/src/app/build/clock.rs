//! Android's own dialog for a time.

use super::super::file::{ColorRole, Edges, TextStyle};
use super::super::paint::Paint;
use super::super::palette::fade;
use super::super::scene::{Access, Content, Node, NodeIndex};
use super::super::target::{PickStep, Target};
use super::super::window::TimeDialog;
use super::{Builder, base_style, fixed};

/// The dial, dp.
const FACE: f32 = 256.0;
/// From the dial's middle to its numbers, dp.
const OUTER: f32 = FACE / 2.0 - 26.0;
/// From the dial's middle to the inner ring, which has the hours 0 and 13 to 23, dp.
const INNER: f32 = OUTER - 36.0;
/// A number's height and width, dp.
const CELL: f32 = 44.0;

impl Builder<'_> {
    /// Android's dialog for a time.
    pub(in super::super) fn time_dialog(&mut self, dialog: &TimeDialog) {
        let panel = self.dialog_panel(330.0);
        let picker = self.add(panel, Self::layout_node("android.widget.TimePicker", "android:id/timePicker"));
        let head = self.picker_head(picker, "android.widget.RelativeLayout", "android:id/time_header");
        if let Some(node) = self.scene.nodes.get_mut(head) {
            node.style.flex_direction = taffy::FlexDirection::Row;
            node.style.justify_content = taffy::JustifyContent::CENTER;
            node.style.align_items = taffy::AlignItems::CENTER;
        }
        let pale = self.palette.role(ColorRole::OnPrimary);
        let hours = match (dialog.halves, dialog.hour % 12) {
            (None, _) => format!("{:02}", dialog.hour),
            (Some(_), 0) => "12".to_owned(),
            (Some(_), hour) => hour.to_string(),
        };
        let part = |chosen: bool| if chosen { pale } else { fade(pale, 0.65) };
        let parts = [
            ("android:id/hours", hours, Some(true), dialog.hours),
            ("android:id/separator", ":".to_owned(), None, false),
            ("android:id/minutes", format!("{:02}", dialog.minute), Some(false), !dialog.hours),
        ];
        for (id, text, dial, chosen) in parts {
            let mut view = self.text_view(id, &text, TextStyle::Display, part(chosen));
            if let (Some(dial), Some(access)) = (dial, &mut view.access) {
                access.clickable = true;
                access.focusable = true;
                view.target = Some(Target::Pick(PickStep::Dial(dial)));
            }
            self.add(head, view);
        }
        if let Some(names) = dialog.halves {
            self.halves(head, dialog.hour, names);
        }
        self.dial(picker, dialog);
        self.dialog_answers(panel);
    }

    /// AM and PM, or what the language calls them.
    fn halves(&mut self, head: NodeIndex, hour: i8, names: [&str; 2]) {
        let pale = self.palette.role(ColorRole::OnPrimary);
        let mut halves = Self::layout_node("android.widget.RadioGroup", "android:id/ampm_layout");
        halves.style.margin.left = taffy::LengthPercentageAuto::length(self.px(16.0));
        let halves = self.add(head, halves);
        for (id, text, begin) in [("android:id/am_label", names[0], 0), ("android:id/pm_label", names[1], 12)] {
            let chosen = hour / 12 * 12 == begin;
            let mut view = self.text_view(id, text, TextStyle::Label, if chosen { pale } else { fade(pale, 0.65) });
            view.style.padding = self.edges(Edges::all(6.0));
            view.target = Some(Target::Pick(PickStep::Hour(hour % 12 + begin)));
            if let Some(access) = &mut view.access {
                access.class = "android.widget.RadioButton";
                access.checkable = true;
                access.checked = chosen;
                access.clickable = true;
                access.focusable = true;
            }
            self.add(halves, view);
        }
    }

    /// The clock's face with its numbers: twelve, or 24 hours in two rings.
    fn dial(&mut self, picker: NodeIndex, dialog: &TimeDialog) {
        let mut face = Self::layout_node("android.view.View", "android:id/radial_picker");
        face.style = fixed(base_style(), Some(self.px(FACE)), Some(self.px(FACE)));
        face.style.align_self = Some(taffy::AlignItems::CENTER);
        let around = taffy::LengthPercentageAuto::length(self.px(16.0));
        face.left_to_right = true;
        face.style.margin.top = around;
        face.style.margin.bottom = around;
        let value = if dialog.hours { f32::from(dialog.hour % 12) / 12.0 } else { f32::from(dialog.minute) / 60.0 };
        face.content = Content::Paint(Box::new(Paint::Dial {
            turn: value,
            face: self.palette.role(ColorRole::Divider),
            hand: self.palette.role(ColorRole::Primary),
        }));
        let face = self.add(picker, face);
        let afternoon = if dialog.hour >= 12 { 12 } else { 0 };
        // `RadialPickerTouchHelper` lists hours from 1 on, or from 0 where there are 24, and minutes from 0.
        let numbers: Vec<(i8, String, PickStep, bool)> = match (dialog.hours, dialog.halves) {
            (true, Some(_)) => (1..13)
                .map(|at| (at, at.to_string(), at % 12 + afternoon))
                .map(|(at, text, hour)| (at, text, PickStep::Hour(hour), dialog.hour == hour))
                .collect(),
            (true, None) => (0..24).map(|at| (at, at.to_string(), PickStep::Hour(at), dialog.hour == at)).collect(),
            (false, _) => (0..12)
                .map(|at| (at, format!("{:02}", at * 5), PickStep::Minute(at * 5), dialog.minute == at * 5))
                .collect(),
        };
        for (at, text, step, chosen) in numbers {
            let inner = dialog.hours && dialog.halves.is_none() && (at == 0 || at > 12);
            self.dial_number(face, at, if inner { INNER } else { OUTER }, &text, step, chosen);
        }
    }

    /// A number of the dial, `at` twelfths of a turn from its top and `reach` dp from its middle.
    fn dial_number(&mut self, face: NodeIndex, at: i8, reach: f32, text: &str, step: PickStep, chosen: bool) {
        let ink = self.palette.role(if chosen { ColorRole::OnPrimary } else { ColorRole::OnSurface });
        let angle = f32::from(at) / 12.0 * std::f32::consts::TAU;
        let mut style = fixed(base_style(), Some(self.px(CELL)), Some(self.px(CELL)));
        style.position = taffy::Position::Absolute;
        let left = FACE / 2.0 + reach * angle.sin() - CELL / 2.0;
        let top = FACE / 2.0 - reach * angle.cos() - CELL / 2.0;
        style.inset.left = taffy::LengthPercentageAuto::length(self.px(left));
        style.inset.top = taffy::LengthPercentageAuto::length(self.px(top));
        style.align_items = taffy::AlignItems::CENTER;
        style.justify_content = taffy::JustifyContent::CENTER;
        let number = self.add(
            face,
            Node {
                style,
                // They take touches, but their nodes say nothing of it.
                access: Some(Access {
                    class: "android.widget.RadialTimePickerView$RadialPickerTouchHelper",
                    desc: text.to_owned(),
                    selected: chosen,
                    ..Access::default()
                }),
                target: Some(Target::Pick(step)),
                ..Node::default()
            },
        );
        let label = self.drawn_text(text.to_owned(), TextStyle::Body, ink);
        self.add(number, label);
    }
}
