//! The check of widgets and of what a screen has around its content.

use super::check::Checker;
use super::{
    AppBar, Choice, Choices, Common, Expression, Fab, Located, Navigation, RowAction, Screen, SearchBar, Source, Text,
    Widget,
};
use rhai::Dynamic;

impl<'a> Checker<'a> {
    /// Menu, drawer, floating button, navigation bars.
    pub(super) fn chrome(&mut self, screen: &'a Screen) {
        screen.subtitle.iter().for_each(|t| self.text(t));
        self.script(&screen.refresh);
        if let Some(selection) = &screen.selection {
            self.condition(&selection.when);
            self.text(&selection.title);
            self.widgets(&selection.actions);
            self.script(&selection.on_close);
        }
        for entry in &screen.menu {
            self.text(&entry.text);
            entry.id.iter().for_each(|id| self.id(id));
            entry.visible.iter().chain(&entry.enabled).for_each(|e| self.condition(e));
            self.script(&entry.on_tap);
        }
        if let Some(drawer) = &screen.drawer {
            self.widgets(&drawer.header);
            self.widgets(&drawer.body);
        }
        if let Some(Fab { text, id, desc, visible, on_tap, .. }) = &screen.fab {
            text.iter().chain(desc).for_each(|t| self.text(t));
            if let Some(id) = id {
                self.id(id);
            }
            if let Some(visible) = visible {
                self.condition(visible);
            }
            self.script(on_tap);
        }
        for bar in screen.tabs.iter().chain(&screen.bottom_nav) {
            let Navigation { id, bind, items, on_change, .. } = bar;
            if let Some(id) = id {
                self.id(id);
            }
            self.variable(bind);
            self.choices(items);
            self.script(on_change);
        }
        if let Some(search) = &screen.search {
            self.search_bar(search);
        }
        if screen.app_bar == AppBar::Search && screen.search.is_none() {
            self.issue(&screen.id, "app_bar: search needs `search: {bind: …}` beside it".to_owned());
        }
    }

    /// An expression that has to give an array.
    fn array(&mut self, expression: &Expression) {
        drop(self.first_of(expression));
    }

    /// The first element of an array, also of one that is filled later only; nothing where its elements are unknown.
    pub(super) fn first_of(&mut self, items: &Expression) -> Dynamic {
        let value = self.compile(items.line, items.column, &items.value.0);
        match value.map(Dynamic::into_array) {
            Some(Ok(array)) => array.into_iter().next().or_else(|| self.once_filled(items)).unwrap_or(Dynamic::UNIT),
            Some(Err(found)) => {
                self.issue(items, format!("expected an array, found a value of type {found}"));
                Dynamic::UNIT
            }
            None => Dynamic::UNIT,
        }
    }

    fn choices(&mut self, choices: &'a Located<Choices>) {
        match &choices.value {
            Choices::Expression(Source(source)) => {
                let place = Expression { value: Source(source.clone()), line: choices.line, column: choices.column };
                self.array(&place);
            }
            Choices::List(list) => {
                for choice in list {
                    self.choice(choice, choices);
                }
            }
        }
    }

    fn choice(&mut self, choice: &'a Choice, list: &Located<Choices>) {
        if choice.text.is_none() && choice.icon.is_none() {
            self.issue(list, "a choice needs a `text` or an `icon`".to_owned());
        }
        for text in choice.text.iter().chain(&choice.desc).chain(&choice.badge) {
            // Choices written as plain texts have the place of their list.
            let line = if text.line == 0 { list.line } else { text.line };
            self.text(&Text { value: text.value.clone(), line, column: text.column });
        }
        choice.id.iter().for_each(|id| self.id(id));
        choice.value.iter().chain(&choice.visible).for_each(|e| self.expression(e));
    }

    fn row_actions(&mut self, actions: &'a [RowAction]) {
        for action in actions {
            self.text(&action.text);
            action.id.iter().for_each(|id| self.id(id));
            self.script(&action.on_tap);
        }
    }

    /// Widgets and all in them.
    pub(super) fn widgets(&mut self, widgets: &'a [Widget]) {
        for widget in widgets {
            self.widget(widget);
        }
    }

    fn widget(&mut self, widget: &'a Widget) {
        let common = widget.common();
        // Alternatives of which one is there may share an id.
        let conditional = usize::from(common.visible.is_some());
        self.conditional += conditional;
        self.present_widget(widget, &common);
        self.conditional -= conditional;
    }

    fn present_widget(&mut self, widget: &'a Widget, common: &Common<'a>) {
        if let Some(id) = common.id {
            self.id(id);
        }
        common.desc.iter().chain(&common.badge).for_each(|t| self.text(t));
        for expression in common.visible.iter().chain(&common.enabled).chain(&common.selected) {
            self.condition(expression);
        }
        self.script(common.on_tap);
        self.script(common.on_long_press);
        match widget {
            Widget::Column(w) => self.widgets(&w.children),
            Widget::Row(w) => self.widgets(&w.children),
            Widget::Card(w) => self.widgets(&w.children),
            Widget::Stack(w) => self.widgets(&w.children),
            Widget::Wrap(w) => self.widgets(&w.children),
            Widget::Scroll(w) => self.widgets(&w.children),
            Widget::Canvas(w) => self.widgets(&w.children),
            Widget::Foreign(w) => {
                w.title.iter().for_each(|t| self.text(t));
                self.widgets(&w.children);
            }
            Widget::List(w) => {
                let first = self.first_of(&w.items);
                if w.columns == Some(0) {
                    self.issue(&w.items, "a list needs at least one column".to_owned());
                }
                let depth = self.scope.len();
                self.scope.push_dynamic("item", first);
                self.scope.push("index", 0_i64);
                self.widgets(&w.item);
                self.scope.rewind(depth);
                self.script(&w.on_end);
                self.script(&w.refresh);
            }
            Widget::Pager(w) => {
                w.bind.iter().for_each(|name| self.variable(name));
                w.pages.iter().for_each(|page| self.widgets(page));
                self.script(&w.on_change);
            }
            Widget::Expandable(w) => {
                self.text(&w.title);
                w.subtitle.iter().for_each(|t| self.text(t));
                w.bind.iter().for_each(|name| self.variable(name));
                self.widgets(&w.children);
            }
            Widget::SwipeRow(w) => {
                self.widgets(&w.children);
                self.row_actions(&w.actions);
            }
            Widget::Banner(w) => {
                self.text(&w.text);
                self.row_actions(&w.actions);
            }
            Widget::Table(w) => w.rows.iter().flatten().for_each(|t| self.text(t)),
            Widget::Photo(w) => {
                w.seed.iter().for_each(|e| self.expression(e));
                self.widgets(&w.children);
            }
            other => self.leaf(other),
        }
    }

    /// Widgets that hold no others.
    fn leaf(&mut self, widget: &'a Widget) {
        match widget {
            Widget::TextView(w) => self.text(&w.text),
            Widget::Button(w) => self.text(&w.text),
            Widget::Qr(w) => self.text(&w.text),
            Widget::ListItem(w) => {
                self.text(&w.title);
                w.subtitle.iter().chain(&w.trailing).chain(&w.avatar).for_each(|t| self.text(t));
                w.switch.iter().chain(&w.checkbox).for_each(|name| self.variable(name));
                self.script(&w.on_change);
            }
            Widget::Paragraph(w) => {
                for span in &w.spans {
                    self.text(&span.text);
                    span.link.iter().for_each(|script| self.script(script));
                }
            }
            Widget::Progress(w) => w.value.iter().for_each(|e| self.expression(e)),
            Widget::Field(w) => {
                self.variable(&w.bind);
                for text in [&w.label, &w.hint, &w.error, &w.helper, &w.prefix, &w.suffix].into_iter().flatten() {
                    self.text(text);
                }
                w.suggestions.iter().for_each(|e| self.array(e));
                self.script(&w.on_change);
                self.script(&w.on_submit);
            }
            Widget::SearchBar(w) => self.search_bar(w),
            Widget::Keypad(w) => {
                self.variable(&w.bind);
                self.script(&w.on_complete);
            }
            Widget::PinDots(w) => self.variable(&w.bind),
            Widget::Selector(w) => {
                self.variable(&w.bind);
                self.expression(&w.items);
                self.script(&w.on_change);
            }
            Widget::Map(w) => {
                for expression in [&w.latitude, &w.longitude].into_iter().chain(&w.pins) {
                    self.expression(expression);
                }
            }
            Widget::Chart(w) => {
                self.array(&w.values);
                w.labels.iter().for_each(|e| self.array(e));
            }
            other => self.bound(other),
        }
    }

    fn search_bar(&mut self, w: &'a SearchBar) {
        self.variable(&w.bind);
        w.hint.iter().for_each(|t| self.text(t));
        w.suggestions.iter().for_each(|e| self.array(e));
        self.script(&w.on_change);
        self.script(&w.on_submit);
    }

    /// Widgets that are a variable and what happens after it changed.
    fn bound(&mut self, widget: &'a Widget) {
        let (bind, script) = match widget {
            Widget::Checkbox(w) => {
                w.text.iter().for_each(|t| self.text(t));
                (&w.bind, &w.on_change)
            }
            Widget::Switch(w) => {
                w.text.iter().for_each(|t| self.text(t));
                (&w.bind, &w.on_change)
            }
            Widget::Radio(w) => {
                self.expression(&w.value);
                w.text.iter().for_each(|t| self.text(t));
                (&w.bind, &w.on_change)
            }
            Widget::Spinner(w) => {
                w.label.iter().chain(&w.hint).for_each(|t| self.text(t));
                self.choices(&w.items);
                (&w.bind, &w.on_change)
            }
            Widget::Chips(w) => {
                self.choices(&w.items);
                (&w.bind, &w.on_change)
            }
            Widget::Segmented(w) => {
                self.choices(&w.items);
                (&w.bind, &w.on_change)
            }
            Widget::Tabs(w) => {
                self.choices(&w.items);
                (&w.bind, &w.on_change)
            }
            Widget::Slider(w) => {
                if w.max <= w.min {
                    self.issue(&w.bind, format!("`max` ({}) has to be more than `min` ({})", w.max, w.min));
                }
                (&w.bind, &w.on_change)
            }
            Widget::Rating(w) => (&w.bind, &w.on_change),
            Widget::Stepper(w) => {
                w.minus_desc.iter().chain(&w.plus_desc).for_each(|t| self.text(t));
                (&w.bind, &w.on_change)
            }
            Widget::DateWheels(w) => (&w.bind, &w.on_change),
            Widget::TimeWheels(w) => (&w.bind, &w.on_change),
            Widget::Calendar(w) => {
                w.min.iter().chain(&w.max).for_each(|t| self.text(t));
                w.until.iter().for_each(|until| self.variable(until));
                (&w.bind, &w.on_change)
            }
            _ => return,
        };
        self.variable(bind);
        self.script(script);
    }
}
