//! The model of one screen.

use super::region::{Region, regions};
use crate::domain::Rect;
use crate::hierarchy::{Role, Row, Screen, ScreenKind, Widget, WidgetId};
use crate::pipeline::task::{HARMLESS, Languages, Lexicon, Purpose, PurposeSet, Verb, VerbSet, title_of};
use crate::pipeline::value_control::{around, rating_widgets, read_date};

/// Fewest days in sight that make a calendar.
const FEWEST_DAYS: usize = 20;

/// What is known of a control beyond the widget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Control {
    /// What its label, description or id says it is for.
    pub purposes: PurposeSet,
    /// What its label says that touching it does.
    pub verbs: VerbSet,
    /// The smallest row it stands in.
    pub row: Option<usize>,
    /// The part of the screen it stands in.
    pub region: Region,
    /// It is one of the stars of a rating.
    pub rates: bool,
}

/// A screen with what its controls are for.
#[derive(Debug)]
pub struct ScreenModel<'s> {
    /// The screen.
    pub screen: &'s Screen,
    /// By widget id.
    controls: Vec<Control>,
    /// Repeated blocks.
    pub rows: Vec<&'s Row>,
}

impl<'s> ScreenModel<'s> {
    /// Recognises what a screen offers.
    pub fn recognise(screen: &'s Screen, lexicon: &Lexicon) -> Self {
        let touched = |widget: &Widget| if is_touchable(widget) { widget.bounds } else { Rect::new(0, 0, 0, 0) };
        let regions = regions(&screen.widgets.iter().map(touched).collect::<Vec<_>>(), screen.display);
        // The entries of a bar are alike and no things that anything is done to.
        let in_bar = |id: &WidgetId| matches!(regions.get(*id), Some(Region::TopBar | Region::BottomBar));
        let rows: Vec<&Row> = screen.rows().iter().filter(|row| !row.widgets.iter().any(in_bar)).collect();
        let row_of = |id: WidgetId| {
            let holding = rows.iter().enumerate().filter(|(_, row)| row.widgets.contains(&id));
            holding.min_by_key(|(_, row)| row.bounds.area()).map(|(at, _)| at)
        };
        let languages = lexicon.languages_of(screen.widgets.iter().map(|widget| widget.label.as_str()));
        let stars = rating_widgets(screen, lexicon);
        let has_drawer = screen.tree.nodes.iter().any(|node| node.class_name() == "DrawerLayout");
        let control = |widget: &Widget| {
            let mut purposes = lexicon.purposes(&widget.label, languages);
            let title = title_of(&widget.label);
            if purposes.is_empty() && title != widget.label {
                purposes = lexicon.purposes(title, languages);
            }
            if widget.resource_id.ends_with("touch_outside") {
                purposes.insert(Purpose::Cancel);
            }
            // An icon without a name of its own is told by its id. "Next month" says more than "next" in its id.
            let counts = lexicon.ordinal(&widget.label).is_some();
            if purposes.is_empty()
                && !counts
                && (widget.value.is_empty() || widget.label.is_empty())
                && is_touchable(widget)
            {
                purposes = lexicon.purposes(&widget.id_words, Languages::ENGLISH);
            }
            if purposes.is_empty() && floats(screen, widget) {
                purposes.insert(Purpose::Add);
            }
            let region = regions.get(widget.id).copied().unwrap_or(Region::Content);
            // Where a drawer is part of the page, the icon at the top that leads up opens it: that is what the toggle is called
            // unless the app gives it another name (`ActionBarDrawerToggle`).
            if has_drawer && region == Region::TopBar && purposes.has(Purpose::Back) && is_touchable(widget) {
                purposes = PurposeSet::default();
                purposes.insert(Purpose::Drawer);
            }
            // "Options" is a menu on an icon, and the settings where it is an entry of a bar or a button with that text.
            if purposes.has(Purpose::Settings) && (is_place(widget, region) || region == Region::Content) {
                purposes.remove(Purpose::Overflow);
            }
            let mut verbs = lexicon.label_verbs(&widget.label, languages);
            if verbs.is_empty() && widget.value.is_empty() {
                verbs = lexicon.label_verbs(&widget.id_words, Languages::ENGLISH);
            }
            // An entry of a bar is a place, whatever verb it is called by: "Start" is home, "Orders" orders nothing.
            if is_place(widget, region) {
                verbs = verbs.and(VerbSet::of(&[Verb::Create, Verb::Search]));
            }
            Control { purposes, verbs, row: row_of(widget.id), region, rates: stars.contains(&widget.id) }
        };
        let controls = screen.widgets.iter().map(control).collect();
        let mut model = Self { screen, controls, rows };
        if let Some(sender) = model.unnamed_sender() {
            model.controls[sender].purposes.insert(Purpose::Submit);
        }
        model
    }

    /// The page's main button where the page has choices to make and no button that says it sends or confirms: whatever it is
    /// called, it takes what was chosen. "Take these dates", "Show 12 hotels".
    fn unnamed_sender(&self) -> Option<WidgetId> {
        let chooses = |widget: &Widget| {
            widget.role == Role::Radio || widget.state.checked.is_some() && widget.role != Role::Switch
        };
        let chooses = self.screen.widgets.iter().any(chooses) || self.has_calendar();
        let main = self.main_button().filter(|_| chooses && self.commits().next().is_none())?;
        let control = self.control(main.id);
        let says_other = !control.purposes.is_empty() || !control.verbs.without(HARMLESS).is_empty();
        (!says_other).then_some(main.id)
    }

    /// True if the page shows the days of a month.
    fn has_calendar(&self) -> bool {
        self.touchables().filter(|widget| read_date(&widget.label).is_some()).count() >= FEWEST_DAYS
    }

    /// What is known of a widget.
    ///
    /// # Panics
    /// Never for ids of the model's own screen.
    pub fn control(&self, id: WidgetId) -> Control {
        self.controls.get(id).copied().unwrap_or(Control {
            purposes: PurposeSet::default(),
            verbs: VerbSet::EMPTY,
            row: None,
            region: Region::Content,
            rates: false,
        })
    }

    /// The smallest row a widget stands in.
    pub fn row_of(&self, id: WidgetId) -> Option<&Row> {
        self.control(id).row.and_then(|at| self.rows.get(at).copied())
    }

    /// Texts that belong to a widget or stand within it, and the parts that its label is put together from.
    pub fn texts_of(&self, widget: &'s Widget) -> impl Iterator<Item = &'s str> {
        let (id, bounds) = (widget.id, widget.bounds);
        let own = move |text: &&crate::hierarchy::ScreenText| {
            text.widget == Some(id) || text.widget.is_none() && bounds.encloses(text.bounds)
        };
        self.screen.texts.shown.iter().filter(own).map(|text| text.text.as_str()).chain(label_parts(widget))
    }

    /// Texts that stand within a row, and the parts that its opener's label is put together from.
    pub fn texts_of_row(&self, row: &Row) -> impl Iterator<Item = &'s str> {
        let bounds = row.bounds;
        let opener = row.opener.and_then(|id| self.screen.widgets.get(id));
        let shown = self.screen.texts.shown.iter().filter(move |text| bounds.encloses(text.bounds));
        shown.map(|text| text.text.as_str()).chain(opener.into_iter().flat_map(label_parts))
    }

    /// True for a control that acts on the thing of its row, beside the one that opens it.
    pub fn acts_on_row(&self, id: WidgetId) -> bool {
        self.row_of(id).is_some_and(|row| row.opener.is_some_and(|opener| opener != id) && row.widgets.len() > 1)
    }

    /// The heading of the row a widget stands in.
    pub fn heading_of(&self, id: WidgetId) -> Option<&str> {
        self.row_of(id).map(|row| row.heading.as_str())
    }

    /// True if a window stands over the rest.
    pub fn is_dialog(&self) -> bool {
        matches!(self.screen.kind, ScreenKind::Dialog | ScreenKind::Permission)
    }

    /// Widgets that can be touched and are no fields or keys.
    pub fn touchables(&self) -> impl Iterator<Item = &'s Widget> {
        self.screen.widgets.iter().filter(|widget| is_touchable(widget))
    }

    /// Controls that send or confirm, enabled or not.
    pub fn commits(&self) -> impl Iterator<Item = &'s Widget> {
        self.touchables().filter(|widget| {
            let control = self.control(widget.id);
            control.purposes.has(Purpose::Submit)
                && !control.purposes.has_any(&[Purpose::Back, Purpose::Overflow, Purpose::Cancel])
                && matches!(widget.role, Role::Button | Role::ListItem | Role::Link | Role::Text)
        })
    }

    /// The button that the page is about, by its place: the lowest of the page's own buttons in the lower half that are at least
    /// two thirds as wide as the display. Windows have none.
    pub fn primary(&self) -> Option<&'s Widget> {
        self.main_button().filter(|_| !self.is_dialog())
    }

    /// The lowest of the page's or window's own buttons in the lower half that are at least two thirds as wide as all that can be
    /// touched.
    fn main_button(&self) -> Option<&'s Widget> {
        let display = self.screen.display;
        let page = Rect { left: 0, top: 0, right: display.width as i32, bottom: display.height as i32 };
        let window = || around(self.touchables().map(|widget| widget.bounds));
        let place = if self.is_dialog() { window() } else { page };
        let own = |widget: &&Widget| {
            let control = self.control(widget.id);
            widget.role == Role::Button
                && widget.state.checked.is_none()
                && !widget.label.is_empty()
                && control.row.is_none()
                && control.region != Region::BottomBar
                && 3 * widget.bounds.width() >= 2 * place.width()
                && widget.bounds.center().y >= place.center().y
        };
        self.touchables().filter(own).max_by_key(|widget| widget.bounds.bottom)
    }

    /// Fields, top to bottom as they stand.
    pub fn fields(&self) -> impl Iterator<Item = &'s Widget> {
        self.screen.widgets.iter().filter(|widget| widget.role == Role::Field)
    }
}

/// True for a button that floats over a list in its lower corner: by the design of the platform it makes something new.
fn floats(screen: &Screen, widget: &Widget) -> bool {
    let (width, height) = (screen.display.width as i32, screen.display.height as i32);
    let own = widget.bounds;
    let small = own.width() * 2 <= width && own.height() * 8 <= height;
    let corner = own.center().x * 2 > width && own.center().y * 4 > 3 * height;
    let over = |area: &Rect| area.encloses(own) && area.width() * 4 >= width * 3 && area.height() * 2 >= height;
    // What scrolls away with its list belongs to an entry.
    let in_row = screen.rows().iter().any(|row| row.widgets.contains(&widget.id));
    let button = matches!(widget.role, Role::Button | Role::Image);
    is_touchable(widget) && button && small && corner && !in_row && screen.scroll_areas.iter().any(over)
}

fn is_touchable(widget: &Widget) -> bool {
    widget.clickable && !matches!(widget.role, Role::Field | Role::KeypadKey | Role::List)
}

/// True for a tab, or an entry of the bar at the bottom that tells whether it is selected.
fn is_place(widget: &Widget, region: Region) -> bool {
    widget.role == Role::Tab || region == Region::BottomBar && widget.role != Role::Button
}

/// The parts of a label of several lines: toolkits that tell a whole row as one node join its texts.
fn label_parts(widget: &Widget) -> impl Iterator<Item = &str> {
    widget.label.split(", ").filter(|part| part.len() < widget.label.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::sample::perceived;

    fn purposes(node: &str) -> PurposeSet {
        let dump = format!(
            r#"<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="a" bounds="[0,0][1080,2400]">
<node class="android.widget.ScrollView" package="a" scrollable="true" bounds="[0,200][1080,2400]">
<node class="android.widget.TextView" package="a" text="Lime alley" bounds="[0,300][1080,400]"/></node>
{node}</node></hierarchy>"#
        );
        let screen = perceived(&dump);
        let lexicon = Lexicon::bundled().unwrap();
        let model = ScreenModel::recognise(&screen, &lexicon);
        let button = model.touchables().next().unwrap();
        model.control(button.id).purposes
    }

    #[test]
    fn what_leads_up_opens_the_drawer_where_the_page_has_one() {
        let icon = r#"<node class="android.widget.ImageButton" package="a" content-desc="Navigate up" clickable="true" bounds="[0,60][150,210]"/>"#;
        let drawer = format!(
            r#"<node class="androidx.drawerlayout.widget.DrawerLayout" package="a" bounds="[0,0][1080,2400]">{icon}</node>"#
        );
        let (plain, with_drawer) = (purposes(icon), purposes(&drawer));
        assert!(plain.has(Purpose::Back) && !plain.has(Purpose::Drawer));
        assert!(with_drawer.has(Purpose::Drawer) && !with_drawer.has(Purpose::Back));
    }

    #[test]
    fn a_row_that_is_one_node_has_the_texts_of_its_lines() {
        let row = |name: &str, top: i32| {
            let bounds = format!("[0,{top}][1080,{}]", top + 240);
            format!(
                r#"<node class="android.view.View" package="a" content-desc="{name}&#10;Dunmore, 18 Jul&#10;Booked" clickable="true" bounds="{bounds}"/>"#
            )
        };
        let dump = format!(
            r#"<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="a" bounds="[0,0][1080,2400]">{}{}{}</node></hierarchy>"#,
            row("Millrace Inn", 200),
            row("Pension Lotte", 460),
            row("Hotel Meridian", 720)
        );
        let screen = perceived(&dump);
        let lexicon = Lexicon::bundled().unwrap();
        let model = ScreenModel::recognise(&screen, &lexicon);
        let row = screen.widgets.iter().find(|widget| widget.label.starts_with("Pension")).unwrap();
        assert!(model.texts_of(row).any(|text| text == "Dunmore"), "{:?}", row.label);
    }

    #[test]
    fn a_page_is_about_its_lowest_wide_button() {
        let button = |label: &str, bounds: &str| {
            format!(
                r#"<node class="android.widget.Button" package="a" text="{label}" clickable="true" bounds="{bounds}"/>"#
            )
        };
        let check = |buttons: &[(&str, &str)], expected: Option<&str>| {
            let nodes: String = buttons.iter().map(|(label, bounds)| button(label, bounds)).collect();
            let dump = format!(
                r#"<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="a" bounds="[0,0][1080,2400]">
<node class="android.widget.TextView" package="a" text="Lime alley" bounds="[0,300][1080,400]"/>{nodes}</node></hierarchy>"#
            );
            let screen = perceived(&dump);
            let lexicon = Lexicon::bundled().unwrap();
            let model = ScreenModel::recognise(&screen, &lexicon);
            assert_eq!(model.primary().map(|one| one.label.as_str()), expected, "{buttons:?}");
        };
        let (wide, wider, high) = ("[40,1900][1040,2020]", "[40,2100][1040,2220]", "[40,500][1040,620]");
        check(&[("Walk", wide), ("Ride", wider)], Some("Ride"));
        check(&[("Walk", high)], None);
        check(&[("Walk", "[40,1900][400,2020]")], None);
    }

    #[test]
    fn a_button_that_floats_over_a_list_makes_something_new() {
        let button = |label: &str, bounds: &str| {
            format!(
                r#"<node class="android.widget.Button" package="a" text="{label}" clickable="true" bounds="{bounds}"/>"#
            )
        };
        let check = |label: &str, bounds: &str, expected: bool| {
            assert_eq!(purposes(&button(label, bounds)).has(Purpose::Add), expected, "{label} {bounds}");
        };
        check("Lay down a bottle", "[624,2148][1038,2295]", true);
        check("Lay down a bottle", "[40,2148][1038,2295]", false);
        check("Lay down a bottle", "[624,500][1038,647]", false);
        check("Call", "[624,2148][1038,2295]", false);
    }
}
