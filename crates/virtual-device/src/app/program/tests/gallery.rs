//! Each widget of the gallery: what the dump says, that something is drawn there, what a touch does.

use super::*;
use crate::domain::Screenshot;

const GALLERY: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/apps/gallery.app.yaml"));

fn gallery(screen: &str) -> User {
    let mut user = User::of(GALLERY, &[]);
    if screen != "home" {
        let screens = &user.app.file.document().screens;
        let at = screens.iter().position(|s| s.id.value == screen).expect("a screen");
        user.app.open_screen(at, 0);
        user.app.scenes();
    }
    user
}

fn named(user: &mut User, name: &str) -> ElementSnapshot {
    let id = format!("com.example.gallery:id/{name}");
    let all = user.all();
    let found = all.iter().find(|e| e.resource_id == id || e.resource_id == name);
    let found = found.or_else(|| all.iter().find(|e| e.text == name || e.content_desc == name)).cloned();
    found.unwrap_or_else(|| {
        let said: Vec<String> = all.iter().map(|e| format!("{}{}", e.text, e.content_desc)).collect();
        panic!("no {name:?}, only {said:?}")
    })
}

fn touch(user: &mut User, name: &str) {
    let centre = named(user, name).bounds.center();
    user.app.gesture(Gesture::Tap(centre));
}

fn variable(user: &User, name: &str) -> String {
    user.app.scope.get(name).map(ToString::to_string).unwrap_or_default()
}

/// How many different colours a picture has within a rectangle.
fn colours(picture: &Screenshot, bounds: Rect) -> usize {
    let width = picture.size().width as i32;
    let mut seen = std::collections::BTreeSet::new();
    for y in bounds.top.max(0)..bounds.bottom.min(picture.size().height as i32) {
        for x in bounds.left.max(0)..bounds.right.min(width) {
            let at = 4 * (y * width + x) as usize;
            seen.insert(picture.rgba()[at..at + 3].to_vec());
        }
    }
    seen.len()
}

/// Brings something below the lower edge into sight.
fn scroll_to(user: &mut User, name: &str) {
    for _ in 0..12 {
        let id = format!("com.example.gallery:id/{name}");
        let found = user.all().into_iter().find(|e| e.resource_id == id || e.text == name);
        if found.is_some_and(|e| e.bounds.bottom < 2300 && e.bounds.height() > 60) {
            return;
        }
        user.drag((540, 1700), (540, 1100));
    }
    panic!("{name} does not come into sight");
}

#[test]
fn everything_that_can_be_clicked_is_drawn_and_is_what_a_touch_hits() {
    for screen in ["home", "entry", "choices", "pictures", "rows"] {
        let mut user = gallery(screen);
        agrees(&mut user);
        let picture = user.app.render();
        for element in user.all().into_iter().filter(|e| e.clickable && e.bounds.height() > 30) {
            assert!(colours(&picture, element.bounds) > 1, "{screen}: nothing drawn at {element:?}");
        }
    }
}

#[test]
fn a_floating_button_stands_above_the_bottom_navigation() {
    let mut user = gallery("home");
    let (fab, nav) = (named(&mut user, "add"), named(&mut user, "bottom_navigation"));
    assert!(fab.bounds.bottom < nav.bounds.top && fab.bounds.right > 900, "{} {}", fab.bounds, nav.bounds);
    assert_eq!((fab.class.as_str(), fab.content_desc.as_str()), ("android.widget.ImageButton", "Add"));
    touch(&mut user, "add");
    let bar = named(&mut user, "snackbar_text");
    assert!(bar.bounds.bottom < nav.bounds.top, "{}", bar.bounds);
    touch(&mut user, "snackbar_action");
    assert_eq!(variable(&user, "tapped"), "undo");
}

#[test]
fn tabs_and_destinations_say_which_one_is_chosen() {
    let mut user = gallery("home");
    let saved = named(&mut user, "Saved, 3 new notifications");
    assert!(!saved.selected && saved.clickable);
    user.app.gesture(Gesture::Tap(saved.bounds.center()));
    let saved = named(&mut user, "Saved, 3 new notifications");
    assert!(saved.selected && !saved.clickable);
    assert_eq!(variable(&user, "tab"), "1");
    assert!(named(&mut user, "navigation_bar_item_large_label_view").text == "Home");
    touch(&mut user, "Profile");
    assert!(named(&mut user, "navigation_bar_item_large_label_view").text == "Profile");
}

#[test]
fn a_drawer_opens_by_its_button_or_from_the_edge_and_closes_by_back() {
    let mut user = gallery("home");
    touch(&mut user, "Open navigation drawer");
    assert_eq!(named(&mut user, "nav_view").bounds.left, 0);
    user.app.key(4);
    assert!(!user.sees("Inbox"));
    user.swipe((5, 1200), (700, 1200));
    touch(&mut user, "Inbox");
    assert_eq!(variable(&user, "tapped"), "inbox");
    assert!(!user.sees("Inbox"));
}

#[test]
fn the_menu_is_a_window_of_its_own() {
    let mut user = gallery("home");
    touch(&mut user, "More options");
    let all = user.all();
    assert!(all.iter().any(|e| e.class == "android.widget.ListView"));
    assert!(all.iter().all(|e| e.text != "Gallery"), "only the popup's window is dumped");
    assert_eq!(named(&mut user, "title").text, "Refresh");
    agrees(&mut user);
    assert!(!named(&mut user, "Help").enabled);
    touch(&mut user, "Refresh");
    assert_eq!(variable(&user, "tapped"), "refresh");
    assert!(user.sees("Gallery"));
}

#[test]
fn pulling_down_refreshes_only_from_the_beginning() {
    let mut user = gallery("home");
    user.swipe((540, 900), (540, 1500));
    assert_eq!(variable(&user, "reloaded"), "1");
    user.drag((540, 1500), (540, 1200));
    user.drag((540, 1200), (540, 1300));
    assert_eq!(variable(&user, "reloaded"), "1");
}

#[test]
fn a_horizontal_list_holds_only_what_is_in_sight() {
    let mut user = gallery("home");
    let list = named(&mut user, "carousel");
    assert_eq!((list.class.as_str(), list.scrollable), ("androidx.recyclerview.widget.RecyclerView", true));
    assert!(list.children.len() < 6 && user.sees("Ada"));
    user.swipe((900, list.bounds.center().y), (200, list.bounds.center().y));
    let list = named(&mut user, "carousel");
    assert!(!user.sees("Ada") && list.children[0].index == 0);
}

#[test]
fn a_fling_goes_further_than_the_finger() {
    let top = |user: &mut User| named(user, "hero").bounds.bottom;
    let (mut slow, mut fast) = (gallery("home"), gallery("home"));
    slow.drag((540, 1500), (540, 1300));
    fast.swipe((540, 1500), (540, 1300));
    assert!(top(&mut fast) < top(&mut slow) || !fast.sees("hero"));
}

#[test]
fn a_password_is_shown_by_its_eye() {
    let mut user = gallery("entry");
    let field = named(&mut user, "password");
    assert!(field.password && field.text == "•••••••");
    touch(&mut user, "Show password");
    let field = named(&mut user, "password");
    assert!(!field.password && field.text == "hunter2");
    assert!(user.sees("Hide password"));
}

#[test]
fn suggestions_are_drawn_and_react_but_a_dump_does_not_show_them() {
    let mut user = gallery("entry");
    touch(&mut user, "find");
    user.app.type_text("Qu");
    assert!(!user.sees("Quinn"));
    let popup = user.app.top_scene().expect("a window");
    assert!(popup.passive);
    // Beside the list the page still scrolls.
    let before = named(&mut user, "name").bounds.top;
    user.drag((100, 1300), (100, 1250));
    assert!(named(&mut user, "name").bounds.top < before);
    user.drag((100, 1250), (100, 1400));
    let popup = user.app.top_scene().expect("a window");
    let row = popup.nodes.iter().find(|n| n.access.as_ref().is_some_and(|a| a.text == "Quinn")).expect("a row");
    let centre = row.bounds.center();
    user.app.gesture(Gesture::Tap(centre));
    assert_eq!(variable(&user, "query"), "Quinn");
    touch(&mut user, "Clear query");
    assert_eq!(variable(&user, "query"), "");
}

#[test]
fn a_field_of_several_lines_takes_a_new_line() {
    let mut user = gallery("entry");
    touch(&mut user, "note");
    user.app.type_text("one");
    user.app.key(66);
    user.app.type_text("two");
    assert_eq!(variable(&user, "note"), "one\ntwo");
}

#[test]
fn bars_and_stars_take_the_value_under_the_finger() {
    let mut user = gallery("entry");
    scroll_to(&mut user, "stars");
    let bar = named(&mut user, "volume");
    assert_eq!((bar.class.as_str(), bar.text.as_str(), bar.focusable), ("android.widget.SeekBar", "", true));
    let (y, width) = (bar.bounds.center().y, bar.bounds.width());
    user.swipe((bar.bounds.left + width / 2, y), (bar.bounds.left + width * 4 / 5, y));
    assert_eq!(variable(&user, "volume"), "80");
    let stars = named(&mut user, "stars");
    assert_eq!((stars.class.as_str(), stars.text.as_str()), ("android.widget.RatingBar", ""));
    let x = stars.bounds.left + stars.bounds.width() * 9 / 10;
    user.app.gesture(Gesture::Tap(Point::new(x, stars.bounds.center().y)));
    assert_eq!(variable(&user, "stars"), "5");
}

#[test]
fn a_stepper_stops_at_its_ends() {
    let mut user = gallery("entry");
    scroll_to(&mut user, "count");
    for _ in 0..6 {
        touch(&mut user, "Increase quantity");
    }
    assert_eq!(variable(&user, "count"), "5");
    assert!(!named(&mut user, "Increase quantity").enabled);
    touch(&mut user, "Decrease quantity");
    assert_eq!(variable(&user, "count"), "4");
}

#[test]
fn a_drop_down_list_is_a_window_with_rows_that_can_be_checked() {
    for id in ["drink", "drink_dialog"] {
        let mut user = gallery("choices");
        let spinner = named(&mut user, id);
        assert_eq!(spinner.class, "android.widget.Spinner");
        assert_eq!(spinner.children[0].resource_id, "android:id/text1");
        touch(&mut user, id);
        let rows: Vec<_> = user.all().into_iter().filter(|e| e.class == "android.widget.CheckedTextView").collect();
        assert_eq!(
            rows.iter().map(|r| (r.text.as_str(), r.checked)).collect::<Vec<_>>(),
            [("Tea", true), ("Coffee", false), ("Cocoa", false)]
        );
        touch(&mut user, "Cocoa");
        assert_eq!(variable(&user, "drink"), "Cocoa");
        assert_eq!(named(&mut user, id).children[0].text, "Cocoa");
    }
}

#[test]
fn chips_and_segments_are_checked() {
    let mut user = gallery("choices");
    assert!(named(&mut user, "Cheese").checked);
    touch(&mut user, "Olives");
    touch(&mut user, "Cheese");
    assert_eq!(variable(&user, "toppings"), "[\"Olives\"]");
    touch(&mut user, "L");
    assert!(named(&mut user, "L").checked && !named(&mut user, "M").checked);
}

#[test]
fn a_date_is_picked_in_androids_dialog() {
    let mut user = gallery("choices");
    scroll_to(&mut user, "pick_date");
    touch(&mut user, "pick_date");
    agrees(&mut user);
    assert_eq!(named(&mut user, "android:id/date_picker_header_date").text, "Sun, Nov 1");
    touch(&mut user, "Next month");
    touch(&mut user, "24 December 2026");
    touch(&mut user, "android:id/button1");
    assert_eq!(variable(&user, "day"), "2026-12-24");
    touch(&mut user, "pick_date");
    touch(&mut user, "android:id/date_picker_header_year");
    touch(&mut user, "2027");
    touch(&mut user, "android:id/button2");
    assert_eq!(variable(&user, "day"), "2026-12-24");
}

#[test]
fn a_time_is_picked_on_a_dial() {
    let mut user = gallery("choices");
    scroll_to(&mut user, "pick_time");
    touch(&mut user, "pick_time");
    touch(&mut user, "11");
    touch(&mut user, "45");
    touch(&mut user, "android:id/pm_label");
    touch(&mut user, "android:id/button1");
    assert_eq!(variable(&user, "hour"), "23:45");
}

#[test]
fn a_calendar_refuses_days_before_its_first() {
    let mut user = gallery("choices");
    scroll_to(&mut user, "calendar");
    for _ in 0..4 {
        user.drag((540, 1700), (540, 1100));
    }
    assert!(named(&mut user, "01 November 2026").checked);
    touch(&mut user, "Previous month");
    assert!(!named(&mut user, "04 October 2026").enabled);
    touch(&mut user, "05 October 2026");
    assert_eq!(variable(&user, "day"), "2026-10-05");
}

#[test]
fn a_sheet_begins_low_and_grows_when_it_is_dragged_up() {
    let mut user = gallery("choices");
    scroll_to(&mut user, "sheet");
    touch(&mut user, "sheet");
    let sheet = named(&mut user, "design_bottom_sheet").bounds;
    user.swipe((540, sheet.top + 60), (540, sheet.top - 500));
    assert!(named(&mut user, "design_bottom_sheet").bounds.top < sheet.top);
    user.swipe((540, sheet.top + 60), (540, sheet.top + 600));
    user.swipe((540, sheet.top + 60), (540, sheet.top + 600));
    assert!(!user.sees("Share with"));
}

#[test]
fn dialogs_come_in_their_styles() {
    let mut user = gallery("choices");
    scroll_to(&mut user, "full");
    touch(&mut user, "full");
    assert_eq!(named(&mut user, "android:id/button1").text, "Save");
    agrees(&mut user);
    touch(&mut user, "Close");
    assert!(user.sees("Full screen"));
}

#[test]
fn pages_turn_rows_open_and_are_swiped_aside() {
    let mut user = gallery("rows");
    let pager = named(&mut user, "pager").bounds;
    user.swipe((900, pager.center().y), (100, pager.center().y));
    assert!(user.sees("Second page") && variable(&user, "page") == "1");
    assert!(!user.sees("Left at the door"));
    touch(&mut user, "Delivery details");
    assert!(user.sees("Left at the door"));
    let row = named(&mut user, "swiped").bounds;
    user.drag((600, row.center().y), (400, row.center().y));
    agrees(&mut user);
    touch(&mut user, "Delete");
    assert_eq!(variable(&user, "tapped"), "deleted");
    assert!(!user.sees("Archive"));
}

#[test]
fn the_end_of_a_list_is_noticed() {
    let mut user = gallery("rows");
    for _ in 0..6 {
        user.swipe((540, 2200), (540, 1400));
    }
    assert_eq!(variable(&user, "tapped"), "end");
    assert!(user.sees("Tara"));
}

#[test]
fn other_toolkits_say_things_their_own_way() {
    let mut user = gallery("foreign");
    let all = user.all();
    let with = |f: &dyn Fn(&ElementSnapshot) -> bool| all.iter().find(|e| f(e)).cloned().expect("an element");
    let go = with(&|e| e.resource_id == "go");
    assert!(go.class == "android.view.View" && go.clickable && go.children[0].text == "Compose button");
    assert_eq!(with(&|e| e.content_desc == "Tasks\n13").class, "android.view.View");
    assert_eq!(with(&|e| e.content_desc == "Tasks, 13").class, "android.view.ViewGroup");
    assert_eq!(with(&|e| e.class == "android.webkit.WebView").text, "A page");
    let link = with(&|e| e.text == "terms");
    user.app.gesture(Gesture::Tap(link.bounds.center()));
    assert_eq!(variable(&user, "tapped"), "terms");
    assert_eq!(named(&mut user, "zero").bounds, Rect::default());
    assert_eq!(named(&mut user, "bell").children[0].text, "5");
}

#[test]
#[ignore = "writes pictures for people to look at"]
fn draw_the_gallery() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/gallery");
    std::fs::create_dir_all(&folder).expect("a folder");
    let draw = |user: &mut User, name: &str| {
        let (shot, path) = (user.app.render(), folder.join(format!("{name}.png")));
        let size = shot.size();
        image::save_buffer(path, shot.rgba(), size.width, size.height, image::ColorType::Rgba8).expect("a picture");
    };
    for screen in ["home", "entry", "choices", "pictures", "rows", "foreign"] {
        let mut user = gallery(screen);
        draw(&mut user, screen);
        if screen != "rows" {
            user.drag((540, 2000), (540, 700));
            draw(&mut user, &format!("{screen}_2"));
        }
    }
    let mut user = gallery("home");
    touch(&mut user, "Open navigation drawer");
    draw(&mut user, "drawer");
    user.app.key(4);
    touch(&mut user, "add");
    touch(&mut user, "More options");
    draw(&mut user, "menu");
    for (at, id) in ["drink", "drink_dialog", "pick_date", "pick_time", "ask", "full", "sheet"].into_iter().enumerate()
    {
        let mut user = gallery("choices");
        scroll_to(&mut user, id);
        touch(&mut user, id);
        draw(&mut user, &format!("window_{at}_{id}"));
    }
    let mut user = gallery("entry");
    touch(&mut user, "find");
    user.app.type_text("a");
    draw(&mut user, "suggestions");
    let mut user = gallery("rows");
    let row = named(&mut user, "swiped").bounds;
    user.drag((600, row.center().y), (400, row.center().y));
    touch(&mut user, "Delivery details");
    draw(&mut user, "rows_2");
}
