//! Widgets with a value in a range: bars, stars, steppers, wheels for date and time, progress.

use super::super::calendar;
use super::super::file::{self, Axis, ColorRole, Common, IconName, Script, TextAlign, TextStyle, Widget};
use super::super::paint::Paint;
use super::super::palette::{fade, mix};
use super::super::scene::{Access, Content, Node, NodeIndex, Surface};
use super::super::target::{Drag, SlideTarget, Target};
use super::entry::Wheel;
use super::{Builder, Built, base_style, fixed};
use rhai::Dynamic;

/// What stands on a wheel, and what the variable becomes.
type Labelled = Vec<(String, Dynamic)>;

impl Builder<'_> {
    pub(super) fn range(&mut self, parent: NodeIndex, widget: &Widget, common: &Common<'_>, in_row: bool) -> Built<()> {
        match widget {
            Widget::Progress(w) => self.progress(parent, w, common, in_row),
            Widget::Skeleton(w) => self.skeleton(parent, w, common, in_row),
            Widget::Slider(w) => self.slider(parent, w, common, in_row),
            Widget::Rating(w) => self.rating(parent, w, common, in_row),
            Widget::Stepper(w) => self.stepper(parent, w, common, in_row),
            Widget::DateWheels(w) => self.date_wheels(parent, w, common, in_row),
            Widget::TimeWheels(w) => self.time_wheels(parent, w, common, in_row),
            Widget::Calendar(w) => self.calendar(parent, w, common, in_row),
            other => self.picture(parent, other, common, in_row),
        }
    }

    /// A number variable as a decimal.
    fn number(&self, variable: &str) -> f64 {
        let value = self.scope.get(variable).cloned().unwrap_or_default();
        value.as_float().or_else(|_| value.as_int().map(|n| n as f64)).unwrap_or(0.0)
    }

    fn progress(&mut self, parent: NodeIndex, w: &file::Progress, common: &Common<'_>, in_row: bool) -> Built<()> {
        let mut node = self.node(common, "android.widget.ProgressBar", in_row)?;
        node.extra.restless = w.busy;
        let color = self.palette.role(ColorRole::Primary);
        let track = mix(color, self.palette.role(ColorRole::Surface), 0.8);
        if w.value.is_none() && !w.linear {
            let size = self.px(w.size.unwrap_or(48.0));
            node.style = fixed(node.style, Some(size), Some(size));
            node.style.align_self = node.style.align_self.or(Some(taffy::AlignItems::CENTER));
            node.content = Content::Spinner(color);
            self.add(parent, node);
            return Ok(());
        }
        let share = match &w.value {
            None => None,
            Some(value) => {
                let value = self.value(value)?;
                let share = value.as_int().map(|n| n as f64 / 100.0).or_else(|_| value.as_float()).unwrap_or(0.0);
                Some(share.clamp(0.0, 1.0) as f32)
            }
        };
        if common.height.is_none() {
            node.style.size.height = taffy::Dimension::length(self.px(4.0));
        }
        node.content = Content::Paint(Box::new(Paint::Bar { share, color, track }));
        self.add(parent, node);
        Ok(())
    }

    fn skeleton(&mut self, parent: NodeIndex, w: &file::Skeleton, common: &Common<'_>, in_row: bool) -> Built<()> {
        let mut node = self.node(common, "android.view.View", in_row)?;
        node.opaque = true;
        node.style.gap = self.gap(12.0);
        let grey = self.palette.role(ColorRole::Divider);
        let index = self.add(parent, node);
        for at in 0..w.lines {
            let share = [1.0, 0.72, 0.88, 0.55][at % 4];
            let mut style = base_style();
            style.flex_direction = taffy::FlexDirection::Row;
            style.align_items = taffy::AlignItems::CENTER;
            style.gap = self.gap(16.0);
            let line = self.add(index, Node { style, ..Node::default() });
            if w.avatar {
                let disc = self.disc(40.0, if at % 2 == 0 { grey } else { super::super::palette::CLEAR });
                self.add(line, disc);
            }
            let mut style = fixed(base_style(), None, Some(self.px(16.0)));
            style.flex_grow = share;
            style.flex_basis = taffy::Dimension::length(0.0);
            self.add(line, Node { style, surface: Some(Surface::rounded(grey, self.px(4.0))), ..Node::default() });
            if share < 1.0 {
                let mut style = base_style();
                style.flex_grow = 1.0 - share;
                style.flex_basis = taffy::Dimension::length(0.0);
                self.add(line, Node { style, ..Node::default() });
            }
        }
        Ok(())
    }

    fn slider(&mut self, parent: NodeIndex, w: &file::Slider, common: &Common<'_>, in_row: bool) -> Built<()> {
        let value = self.number(&w.bind.value).clamp(w.min, w.max);
        let mut node = self.node(common, "android.widget.SeekBar", in_row)?;
        if common.height.is_none() {
            node.style.size.height = taffy::Dimension::length(self.px(48.0));
        }
        let slide = SlideTarget {
            variable: w.bind.value.clone(),
            min: w.min,
            max: w.max,
            step: w.step,
            inset: self.px(16.0),
            up: false,
            on_change: w.on_change.clone(),
            locals: self.locals.clone(),
        };
        let share = if w.max > w.min { (value - w.min) / (w.max - w.min) } else { 0.0 };
        let color = self.palette.role(ColorRole::Primary);
        let color = if node.enabled { color } else { fade(self.palette.role(ColorRole::OnSurface), 0.38) };
        node.content = Content::Paint(Box::new(Paint::Slider {
            share: share as f32,
            inset: slide.inset,
            color,
            track: mix(color, self.palette.role(ColorRole::Surface), 0.76),
            stops: if w.step > 0.0 { ((w.max - w.min) / w.step).round() as usize } else { 0 },
        }));
        node.extra.drag = Some(Drag::Slide(slide.clone()));
        node.target = Some(Target::Slide(slide));
        // A node's range is no text: `uiautomator dump` leaves it out (Appium's server writes it as one).
        if let Some(access) = &mut node.access {
            access.focusable = true;
            access.clickable = false;
        }
        self.add(parent, node);
        Ok(())
    }

    fn rating(&mut self, parent: NodeIndex, w: &file::Rating, common: &Common<'_>, in_row: bool) -> Built<()> {
        let value = self.number(&w.bind.value).clamp(0.0, w.stars as f64);
        let mut node = self.node(common, "android.widget.RatingBar", in_row)?;
        let size = self.px(w.size.unwrap_or(if w.read_only { 18.0 } else { 48.0 }));
        node.style = fixed(node.style, Some(size * w.stars as f32), Some(size));
        node.style.align_self = node.style.align_self.or((!in_row).then_some(taffy::AlignItems::FLEX_START));
        node.content = Content::Paint(Box::new(Paint::Stars {
            value: value as f32,
            total: w.stars,
            color: [0xf5, 0xa6, 0x23, 255],
            empty: self.palette.role(ColorRole::Outline),
        }));
        if let Some(access) = &mut node.access {
            access.focusable = !w.read_only;
        }
        if !w.read_only {
            let slide = SlideTarget {
                variable: w.bind.value.clone(),
                min: 0.0,
                max: w.stars as f64,
                step: 1.0,
                inset: 0.0,
                up: true,
                on_change: w.on_change.clone(),
                locals: self.locals.clone(),
            };
            node.extra.drag = Some(Drag::Slide(slide.clone()));
            node.target = Some(Target::Slide(slide));
        }
        self.add(parent, node);
        Ok(())
    }

    fn stepper(&mut self, parent: NodeIndex, w: &file::Stepper, common: &Common<'_>, in_row: bool) -> Built<()> {
        let value = self.number(&w.bind.value) as i64;
        let minus = self.optional_text(w.minus_desc.as_ref())?.unwrap_or_else(|| "Decrease quantity".to_owned());
        let plus = self.optional_text(w.plus_desc.as_ref())?.unwrap_or_else(|| "Increase quantity".to_owned());
        let mut node = self.node(common, "android.widget.LinearLayout", in_row)?;
        node.style.flex_direction = taffy::FlexDirection::Row;
        node.style.align_items = taffy::AlignItems::CENTER;
        node.style.align_self = node.style.align_self.or((!in_row).then_some(taffy::AlignItems::FLEX_START));
        node.target = None;
        let enabled = node.enabled;
        let index = self.add(parent, node);
        let bind = w.bind.value.as_str();
        self.step_button(index, IconName::Minus, &minus, bind, value - 1, enabled && value > w.min, &w.on_change);
        let mut shown =
            self.text_view("", &value.to_string(), TextStyle::Subtitle, self.palette.role(ColorRole::OnSurface));
        shown.style.min_size.width = taffy::LengthPercentageAuto::length(self.px(36.0));
        if let Content::Text(block) = &mut shown.content {
            block.align = TextAlign::Center;
        }
        self.add(index, shown);
        self.step_button(index, IconName::Plus, &plus, bind, value + 1, enabled && value < w.max, &w.on_change);
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "the parts that plus and minus share")]
    fn step_button(
        &mut self,
        parent: NodeIndex,
        icon: IconName,
        desc: &str,
        variable: &str,
        value: i64,
        enabled: bool,
        then: &Script,
    ) {
        let mut style = fixed(base_style(), Some(self.px(48.0)), Some(self.px(48.0)));
        style.align_items = taffy::AlignItems::CENTER;
        style.justify_content = taffy::JustifyContent::CENTER;
        let button = self.add(
            parent,
            Node {
                style,
                enabled,
                access: Some(Access { desc: desc.to_owned(), ..Access::touchable("android.widget.ImageButton") }),
                target: Some(Target::Assign {
                    variable: variable.to_owned(),
                    value: Dynamic::from(value),
                    then: then.clone(),
                    locals: self.locals.clone(),
                }),
                ..Node::default()
            },
        );
        let ink = self.palette.role(ColorRole::Primary);
        let ink = if enabled { ink } else { fade(self.palette.role(ColorRole::OnSurface), 0.3) };
        let mut disc = self.disc(32.0, super::super::palette::CLEAR);
        if let Some(surface) = &mut disc.surface {
            surface.border = Some((if enabled { self.palette.role(ColorRole::Outline) } else { ink }, self.px(1.0)));
        }
        let disc = self.add(button, disc);
        let icon = self.drawn_icon(icon, 18.0, ink);
        self.add(disc, icon);
    }

    fn wheels_row(
        &mut self,
        parent: NodeIndex,
        common: &Common<'_>,
        in_row: bool,
        class: &'static str,
    ) -> Built<(NodeIndex, bool)> {
        let mut node = self.node(common, class, in_row)?;
        let enabled = node.enabled;
        node.style.align_items = taffy::AlignItems::CENTER;
        let index = self.add(parent, node);
        let id = if class.ends_with("DatePicker") { "android:id/pickers" } else { "android:id/timePickerLayout" };
        let mut row = Self::layout_node("android.widget.LinearLayout", id);
        row.style.flex_direction = taffy::FlexDirection::Row;
        row.style.gap = self.gap(12.0);
        Ok((self.add(index, row), enabled))
    }

    fn date_wheels(&mut self, parent: NodeIndex, w: &file::DateWheels, common: &Common<'_>, in_row: bool) -> Built<()> {
        let today = self.today();
        let day = calendar::parse(&self.string(&w.bind.value)).unwrap_or(today);
        let (row, enabled) = self.wheels_row(parent, common, in_row, "android.widget.DatePicker")?;
        let date = calendar::date(day);
        let iso = |year: i16, month: i8, of: i8| Dynamic::from(calendar::iso(calendar::clamped(year, month, of)));
        let months = (1..=12)
            .map(|m| {
                let named = calendar::name(calendar::clamped(date.year(), m, 1), "MMM", &self.context.locale);
                (named, iso(date.year(), m, date.day()))
            })
            .collect();
        let days = (1..=calendar::days_in_month(date.year(), date.month()))
            .map(|d| (format!("{d:02}"), iso(date.year(), date.month(), d)))
            .collect();
        let years: Labelled =
            (date.year() - 100..=date.year() + 20).map(|y| (y.to_string(), iso(y, date.month(), date.day()))).collect();
        let wheels: [(Labelled, usize, f32); 3] = [
            (months, usize::try_from(date.month() - 1).unwrap_or(0), 64.0),
            (days, usize::try_from(date.day() - 1).unwrap_or(0), 56.0),
            (years, 100, 72.0),
        ];
        for (items, selected, width) in wheels {
            self.picker_wheel(row, items, selected, width, enabled, &w.bind.value, &w.on_change);
        }
        Ok(())
    }

    fn time_wheels(&mut self, parent: NodeIndex, w: &file::TimeWheels, common: &Common<'_>, in_row: bool) -> Built<()> {
        let (hour, minute) = calendar::parse_time(&self.string(&w.bind.value)).unwrap_or((9, 0));
        let (row, enabled) = self.wheels_row(parent, common, in_row, "android.widget.TimePicker")?;
        let time = |h: i8, m: i8| Dynamic::from(format!("{h:02}:{m:02}"));
        let hours = (0..24).map(|h| (format!("{h:02}"), time(h, minute))).collect();
        let minutes = (0..60).map(|m| (format!("{m:02}"), time(hour, m))).collect();
        let selected = |of: i8| usize::try_from(of).unwrap_or(0);
        self.picker_wheel(row, hours, selected(hour), 64.0, enabled, &w.bind.value, &w.on_change);
        let ink = self.palette.role(ColorRole::OnSurface);
        let mut divider = self.text_view("android:id/divider", ":", TextStyle::Body, ink);
        divider.enabled = enabled;
        self.add(row, divider);
        self.picker_wheel(row, minutes, selected(minute), 64.0, enabled, &w.bind.value, &w.on_change);
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "the parts in which the wheels of a picker differ")]
    fn picker_wheel(
        &mut self,
        parent: NodeIndex,
        items: Labelled,
        selected: usize,
        width: f32,
        enabled: bool,
        variable: &str,
        on_change: &Script,
    ) {
        // `NumberPicker` describes itself by a provider of its own, which names no id (API 34).
        let mut node = Self::layout_node("android.widget.NumberPicker", "");
        node.enabled = enabled;
        node.style.size.width = taffy::Dimension::length(self.px(width));
        let (labels, values) = items.into_iter().unzip();
        let wheel = Wheel { labels, values, selected, axis: Axis::Vertical, variable, on_change };
        self.wheel(parent, node, &wheel);
    }
}
