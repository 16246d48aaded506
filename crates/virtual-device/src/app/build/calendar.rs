//! Months to choose a day from, and Android's own dialogs for a date and a time.

use super::super::calendar;
use super::super::file::{self, ColorRole, Common, Edges, IconName, TextAlign, TextStyle};
use super::super::palette::{CLEAR, fade};
use super::super::scene::{Access, Content, Node, NodeIndex, Surface};
use super::super::stock_words::in_picker;
use super::super::target::{PickStep, Target};
use super::super::window::DateDialog;
use super::{Builder, Built, base_style, fixed};
use rhai::Dynamic;

/// A month as it is shown.
struct Month {
    /// Year × 12 + month from 0.
    number: i32,
    selected: Option<i32>,
    /// The last day of a range that begins with the selected one; `Some(None)` while it has no end.
    until: Option<Option<i32>>,
    min: Option<i32>,
    max: Option<i32>,
}

impl Month {
    fn place(&self, day: i32) -> DayPlace {
        match (self.selected, self.until) {
            (Some(chosen), None) if chosen == day => DayPlace::Chosen,
            (Some(first), Some(_)) if first == day => DayPlace::First,
            (Some(_), Some(Some(last))) if last == day => DayPlace::Last,
            (Some(first), Some(Some(last))) if (first..last).contains(&day) => DayPlace::Between,
            _ => DayPlace::Free,
        }
    }
}

/// What a day is to what was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DayPlace {
    Free,
    Chosen,
    First,
    Between,
    Last,
}

impl DayPlace {
    /// What is said of a day (`DateStrings.getDayContentDescription` of Material's date picker).
    fn described(self, date: String) -> String {
        match self {
            Self::First => format!("Start date {date}"),
            Self::Last => format!("End date {date}"),
            Self::Free | Self::Chosen | Self::Between => date,
        }
    }
}

/// A day of a month that is shown.
#[derive(Debug, Clone, Copy)]
struct DayCell {
    day: i32,
    of_month: i32,
    enabled: bool,
    place: DayPlace,
    today: bool,
}

impl Builder<'_> {
    /// The day it is on the device.
    pub(super) fn today(&self) -> i32 {
        calendar::day(self.context.around.wall.to_zoned(jiff::tz::TimeZone::UTC).date())
    }

    pub(super) fn calendar(
        &mut self,
        parent: NodeIndex,
        w: &file::Calendar,
        common: &Common<'_>,
        in_row: bool,
    ) -> Built<()> {
        let min = self.optional_text(w.min.as_ref())?.and_then(|text| calendar::parse(&text));
        let max = self.optional_text(w.max.as_ref())?.and_then(|text| calendar::parse(&text));
        let selected = calendar::parse(&self.string(&w.bind.value));
        let key = self.bound_key("month", &w.bind);
        let shown = self.view(&key).map(|month| month as i32);
        let number = shown.unwrap_or_else(|| calendar::month_number(selected.unwrap_or_else(|| self.today())));
        let node = self.node(common, "android.widget.CalendarView", in_row)?;
        let index = self.add(parent, node);
        let until = w.until.as_ref().map(|until| calendar::parse(&self.string(&until.value)));
        let month = Month { number, selected, until, min, max };
        let turn = |to: i32| Target::View(key.clone(), to as f32);
        self.month_head(index, number, turn(number - 1), turn(number + 1));
        let (bind, then) = (w.bind.clone(), w.on_change.clone());
        let last = w.until.clone();
        self.month_grid(index, &month, &|builder: &Self, day| match &last {
            None => builder.assign_target(&bind, Dynamic::from(calendar::iso(day)), &then),
            Some(last) => {
                // `RangeDateSelector.select`.
                let begun = selected.filter(|first| until == Some(None) && day >= *first);
                let (from, until) = begun.map_or((day, None), |first| (first, Some(day)));
                Target::Range {
                    from: (bind.value.clone(), calendar::iso(from)),
                    until: (last.value.clone(), until.map(calendar::iso).unwrap_or_default()),
                    then: then.clone(),
                    locals: builder.locals.clone(),
                }
            }
        });
        Ok(())
    }

    fn month_head(&mut self, parent: NodeIndex, number: i32, back: Target, forth: Target) {
        let mut style = fixed(base_style(), None, Some(self.px(48.0)));
        style.flex_direction = taffy::FlexDirection::Row;
        style.align_items = taffy::AlignItems::CENTER;
        let row = self.add(parent, Node { style, ..Node::default() });
        let ink = self.palette.role(ColorRole::OnSurface);
        let (year, month) = calendar::month_of(number);
        let title = calendar::name(calendar::clamped(year, month, 1), "MMMM YYYY", &self.context.locale);
        for (id, icon, desc, target) in [
            ("android:id/prev", IconName::ChevronLeft, "Previous month", back),
            ("android:id/next", IconName::Chevron, "Next month", forth),
        ] {
            if id.ends_with("next") {
                let mut label = self.drawn_text(title.clone(), TextStyle::Label, ink);
                label.style.flex_grow = 1.0;
                if let Content::Text(block) = &mut label.content {
                    block.align = TextAlign::Center;
                }
                self.add(row, label);
            }
            let first = self.scene.nodes.len();
            self.bar_button(row, icon, in_picker(&self.context.locale, desc), target);
            if let Some(access) = self.scene.nodes.get_mut(first).and_then(|node| node.access.as_mut()) {
                id.clone_into(&mut access.id);
            }
        }
    }

    /// Seven columns of days, as `SimpleMonthView` draws and says them.
    fn month_grid(&mut self, parent: NodeIndex, month: &Month, target: &dyn Fn(&Self, i32) -> Target) {
        let mut view = Self::layout_node("android.view.View", "android:id/month_view");
        view.style.padding = self.edges(Edges::symmetric(0.0, 8.0));
        if let Some(access) = &mut view.access {
            access.focusable = true;
        }
        let view = self.add(parent, view);
        let muted = self.palette.role(ColorRole::Muted);
        let (year, of_year) = calendar::month_of(month.number);
        let first = calendar::clamped(year, of_year, 1);
        let begin = calendar::first_weekday(&self.context.locale);
        let lead = i32::from(begin.until(calendar::date(first).weekday()));
        let days = i32::from(calendar::days_in_month(year, of_year));
        let heads = self.week(view, 32.0);
        for at in 0..7 {
            let cell = self.cell(heads);
            let name: String = calendar::name(first - lead + at, "EEE", &self.context.locale).chars().take(1).collect();
            let mut label = self.drawn_text(name, TextStyle::Caption, muted);
            if let Content::Text(block) = &mut label.content {
                block.align = TextAlign::Center;
            }
            self.add(cell, label);
        }
        let today = self.today();
        let mut week = view;
        for at in 0..(lead + days + 6) / 7 * 7 {
            if at % 7 == 0 {
                week = self.week(view, 40.0);
            }
            let cell = self.cell(week);
            let of_month = at - lead + 1;
            if of_month < 1 || of_month > days {
                continue;
            }
            let day = first + of_month - 1;
            let enabled = month.min.is_none_or(|min| day >= min) && month.max.is_none_or(|max| day <= max);
            let place = month.place(day);
            self.day_cell(cell, DayCell { day, of_month, enabled, place, today: day == today }, target);
        }
    }

    fn week(&mut self, parent: NodeIndex, height: f32) -> NodeIndex {
        let mut style = fixed(base_style(), None, Some(self.px(height)));
        style.flex_direction = taffy::FlexDirection::Row;
        style.align_items = taffy::AlignItems::CENTER;
        self.add(parent, Node { style, ..Node::default() })
    }

    fn day_cell(&mut self, cell: NodeIndex, of: DayCell, target: &dyn Fn(&Self, i32) -> Target) {
        let DayCell { day, of_month, enabled, place, today } = of;
        let chosen = matches!(place, DayPlace::Chosen | DayPlace::First | DayPlace::Last);
        let primary = self.palette.role(ColorRole::Primary);
        let ink = match (chosen, today) {
            (true, _) => self.palette.role(ColorRole::OnPrimary),
            (false, true) => primary,
            (false, false) => self.palette.role(ColorRole::OnSurface),
        };
        let ink = if enabled { ink } else { fade(ink, 0.38) };
        let mut style = fixed(base_style(), None, Some(self.px(40.0)));
        style.align_items = taffy::AlignItems::CENTER;
        style.justify_content = taffy::JustifyContent::CENTER;
        let act = target(self, day);
        let node = self.add(
            cell,
            Node {
                style,
                enabled,
                access: Some(Access {
                    class: "android.view.View",
                    text: of_month.to_string(),
                    desc: place.described(calendar::name(day, "DD MMMM YYYY", &self.context.locale)),
                    clickable: enabled,
                    focusable: true,
                    // `SimpleMonthView` says both of the chosen day, and that none can be checked.
                    checked: chosen,
                    selected: chosen,
                    ..Access::default()
                }),
                target: Some(act),
                ..Node::default()
            },
        );
        let fill = match place {
            _ if chosen => primary,
            DayPlace::Between => self.palette.role(ColorRole::Container),
            _ => CLEAR,
        };
        let mut disc = self.disc(36.0, fill);
        if today
            && !chosen
            && let Some(surface) = &mut disc.surface
        {
            surface.border = Some((primary, self.px(1.0)));
        }
        let disc = self.add(node, disc);
        let label = self.drawn_text(of_month.to_string(), TextStyle::Small, ink);
        self.add(disc, label);
    }

    /// The frame of a system dialog: its panel.
    pub(super) fn dialog_panel(&mut self, width: f32) -> NodeIndex {
        let mut style = self.full_display();
        style.align_items = taffy::AlignItems::CENTER;
        style.justify_content = taffy::JustifyContent::CENTER;
        let root = self.scene.add(
            None,
            Node {
                style,
                surface: Some(Surface::fill([0, 0, 0, 92])),
                target: Some(Target::Outside),
                ..Node::default()
            },
        );
        let mut window = Self::layout_node("android.widget.FrameLayout", "");
        let most = self.context.display.width as f32 - 2.0 * self.px(16.0);
        window.style = fixed(base_style(), Some(self.px(width).min(most)), None);
        let fill = self.palette.role(ColorRole::Surface);
        window.surface = Some(Surface { elevation: self.px(6.0), ..Surface::rounded(fill, self.px(24.0)) });
        window.target = Some(Target::Inert);
        let window = self.add(root, window);
        self.add(window, Self::layout_node("android.widget.LinearLayout", "android:id/parentPanel"))
    }

    /// CANCEL and OK of a system dialog.
    pub(super) fn dialog_answers(&mut self, panel: NodeIndex) {
        let mut bar = Self::layout_node("android.widget.ScrollView", "android:id/buttonPanel");
        bar.style.flex_direction = taffy::FlexDirection::Row;
        bar.style.justify_content = taffy::JustifyContent::FLEX_END;
        bar.style.padding = self.edges(Edges::symmetric(8.0, 16.0));
        bar.style.gap = self.gap(8.0);
        let bar = self.add(panel, bar);
        let color = self.palette.role(ColorRole::Primary);
        // The platform's theme shouts (`textAllCaps`).
        let shouted = |english| in_picker(&self.context.locale, english).to_uppercase();
        let (cancel, ok) = (shouted("Cancel"), shouted("OK"));
        self.text_button(bar, "android:id/button2", &cancel, Target::CloseThen(file::Script::default()), color);
        self.text_button(bar, "android:id/button1", &ok, Target::Pick(PickStep::Accept), color);
    }

    /// Android's dialog for a date.
    pub(in super::super) fn date_dialog(&mut self, dialog: &DateDialog) {
        let panel = self.dialog_panel(330.0);
        let picker = self.add(panel, Self::layout_node("android.widget.DatePicker", "android:id/datePicker"));
        let (year, _) = calendar::month_of(calendar::month_number(dialog.day));
        let head = self.picker_head(picker, "android.widget.LinearLayout", "android:id/date_picker_header");
        let pale = self.palette.role(ColorRole::OnPrimary);
        let date = calendar::name(dialog.day, "EEE, MMM D", &self.context.locale);
        for (id, text, style, chosen) in [
            ("android:id/date_picker_header_year", year.to_string(), TextStyle::Subtitle, dialog.years),
            ("android:id/date_picker_header_date", date, TextStyle::Headline, !dialog.years),
        ] {
            let mut view = self.text_view(id, &text, style, if chosen { pale } else { fade(pale, 0.7) });
            view.target = Some(if chosen { Target::Inert } else { Target::Pick(PickStep::Years) });
            if let Some(access) = &mut view.access {
                access.clickable = true;
                access.focusable = true;
            }
            self.add(head, view);
        }
        if dialog.years {
            self.years(picker, year, dialog);
        } else {
            let animator = self.add(picker, Self::layout_node("android.widget.ViewAnimator", "android:id/animator"));
            let mut pages = Self::layout_node("android.view.ViewGroup", "android:id/date_picker_day_picker");
            pages.style.padding = self.edges(Edges { top: 8.0, right: 0.0, bottom: 8.0, left: 0.0 });
            // `DayPickerView` lays the arrows over the month, so they come after it.
            pages.style.flex_direction = taffy::FlexDirection::ColumnReverse;
            let pages = self.add(animator, pages);
            let mut pager =
                Self::layout_node("com.android.internal.widget.ViewPager", "android:id/day_picker_view_pager");
            if let Some(access) = &mut pager.access {
                access.focusable = true;
            }
            let pager = self.add(pages, pager);
            let step = |by: i32| Target::Pick(PickStep::Month(by));
            let month = Month {
                number: dialog.month,
                selected: Some(dialog.day),
                until: None,
                min: dialog.pick.min.as_deref().and_then(calendar::parse),
                max: dialog.pick.max.as_deref().and_then(calendar::parse),
            };
            self.month_grid(pager, &month, &|_, day| Target::Pick(PickStep::Day(day)));
            self.month_head(pages, dialog.month, step(-1), step(1));
        }
        self.dialog_answers(panel);
    }

    pub(super) fn picker_head(&mut self, parent: NodeIndex, class: &'static str, id: &str) -> NodeIndex {
        let mut head = Self::layout_node(class, id);
        head.style.padding = self.edges(Edges::symmetric(18.0, 24.0));
        head.style.gap = self.gap(4.0);
        let fill = self.palette.role(ColorRole::Primary);
        head.surface = Some(Surface { top_only: true, ..Surface::rounded(fill, self.px(24.0)) });
        self.add(parent, head)
    }

    fn years(&mut self, picker: NodeIndex, current: i16, dialog: &DateDialog) {
        let mut list = Self::layout_node("android.widget.ListView", "android:id/date_picker_year_picker");
        list.style.size.height = taffy::Dimension::length(self.px(280.0));
        list.extra.recycles = true;
        self.make_scrolling(&mut list);
        let bound = |text: &Option<String>, otherwise: i16| {
            text.as_deref().and_then(calendar::parse).map_or(otherwise, |day| calendar::date(day).year())
        };
        let (from, to) = (bound(&dialog.pick.min, 1900), bound(&dialog.pick.max, 2100));
        let row_height = self.px(56.0);
        // The chosen year begins in the middle of the list.
        if let Some(area) = &mut list.scroll
            && area.offset == 0.0
        {
            area.offset = (f32::from(current - from) - 2.0).max(0.0) * row_height;
        }
        let list = self.add(picker, list);
        for year in from..=to {
            let chosen = year == current;
            let ink = self.palette.role(if chosen { ColorRole::Primary } else { ColorRole::OnSurface });
            let style = if chosen { TextStyle::Headline } else { TextStyle::Body };
            let mut row = Self::layout_node("android.widget.TextView", "android:id/text1");
            row.style = fixed(row.style, None, Some(row_height));
            row.style.align_items = taffy::AlignItems::CENTER;
            row.style.justify_content = taffy::JustifyContent::CENTER;
            row.target = Some(Target::Pick(PickStep::Year(year)));
            if let Some(access) = &mut row.access {
                access.text = year.to_string();
                access.clickable = true;
                access.selected = chosen;
            }
            let row = self.add(list, row);
            let label = self.drawn_text(year.to_string(), style, ink);
            self.add(row, label);
        }
    }
}
