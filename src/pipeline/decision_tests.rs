//! Decisions on made-up screens: what the pipeline does next, and why a step is not done yet.

use super::policy::{Feature, Weighed};
use super::propose::{Move, Source};
use super::sample::{Desk, page, window};
use crate::domain::Rect;
use crate::form::sample::{button, perceived, screen, text, widget};
use crate::hierarchy::{Role, Screen, Widget};

fn field(label: &str, value: &str) -> Widget {
    let mut field = widget(Role::Field, label);
    field.value = value.to_owned();
    field
}

fn search(label: &str) -> Widget {
    let mut field = field(label, "");
    field.hint = label.to_owned();
    field
}

fn disabled(mut widget: Widget) -> Widget {
    widget.state.enabled = false;
    widget
}

#[test]
fn the_page_that_a_search_brought_up_is_not_the_thing() {
    let mut desk = Desk::new(&[("Open Blue lamp", &["item"])], &[("item", "Blue lamp")]);
    let home = page("Shop", 1, screen(vec![search("Search lamps"), button("Account")]));
    let results = page("“Blue lamp”", 2, screen(vec![text("“Blue lamp”"), button("Cart")]));
    desk.typed("item", "Search lamps", &home, &home);
    desk.entered(&home, &results);
    assert_ne!(desk.choice(&results), "done");
    let found = page("“Blue lamp”", 3, screen(vec![text("“Blue lamp”"), button("Cart"), button("Blue lamp, $20")]));
    assert_eq!(desk.choice(&found), "touch Blue lamp, $20");
}

#[test]
fn where_a_thing_goes_comes_after_the_thing() {
    let desk = Desk::new(&[("Add Rye bread to the cart", &["item"])], &[("item", "Rye bread")]);
    let home = page("Shop", 1, screen(vec![search("Search the shop"), button("Cart"), button("View cart")]));
    assert_eq!(desk.choice(&home), "type Rye bread into Search the shop");
}

#[test]
fn the_thing_that_is_ordered_orders_nothing_by_being_touched() {
    let mut desk = Desk::new(&[("Order the Blue lamp", &["item"])], &[("item", "Blue lamp")]);
    let list = page("Lamps", 1, screen(vec![button("Blue lamp"), button("Red lamp")]));
    let lamp = page("Blue lamp", 2, screen(vec![text("Blue lamp"), text("$20"), button("Buy now")]));
    desk.touched("Blue lamp", &list, &lamp, Source::Touch);
    assert_eq!(desk.choice(&lamp), "touch Buy now");
}

#[test]
fn a_step_that_submits_is_not_done_before_its_form_was_sent() {
    let mut desk = Desk::new(&[("Submit the address", &[]), ("Submit the code", &[])], &[("street", "9 Ferry Road")]);
    let empty = page("Address", 1, screen(vec![field("Street", ""), disabled(button("Continue"))]));
    let filled = page("Address", 1, screen(vec![field("Street", "9 Ferry Road"), button("Save")]));
    assert_eq!(desk.choice(&empty), "type 9 Ferry Road into Street");
    desk.typed("street", "Street", &empty, &filled);
    assert_eq!(desk.choice(&filled), "touch Save");
}

#[test]
fn what_a_window_of_a_form_confirms_is_a_value() {
    let mut desk = Desk::new(&[("Submit the birthday", &[])], &[]);
    let form = page("You", 1, screen(vec![field("Name", "Ann"), button("Date of birth"), button("Send")]));
    let days = page("Date", 2, window(screen(vec![button("12"), button("OK")])));
    desk.touched("Date of birth", &form, &days, Source::Touch);
    desk.touched("OK", &days, &form, Source::Commit);
    let confirmed = desk.journal.records().last().unwrap();
    assert!(desk.journal.sets_value(confirmed));
    let sent = page("Thanks", 3, screen(vec![text("Thanks")]));
    desk.touched("Send", &form, &sent, Source::Commit);
    let sending = desk.journal.records().last().unwrap();
    assert!(!desk.journal.sets_value(sending));
}

#[test]
fn what_a_later_step_confirms_is_left_to_it() {
    let steps: [(&str, &[&str]); 3] = [("Give it", &[]), ("Change the method", &[]), ("Pay now", &[])];
    let mut desk = Desk::new(&steps, &[]);
    let page_of_gift = page("Gift", 1, screen(vec![text("A tree"), button("Give $5")]));
    let asks = page("Payment", 2, window(screen(vec![text("$5"), button("Method, Balance"), button("Pay now")])));
    desk.touched("Give $5", &page_of_gift, &asks, Source::Touch);
    assert_ne!(desk.choice(&asks), "touch Pay now");
    desk.next();
    desk.next();
    assert_eq!(desk.choice(&asks), "touch Pay now");
}

#[test]
fn what_was_sent_is_not_typed_again_into_the_field_that_is_empty_again() {
    let mut desk = Desk::new(&[("Apply the voucher code SPRING", &["code"])], &[("code", "SPRING")]);
    let empty = page("Checkout", 1, screen(vec![field("Voucher code", ""), button("Apply")]));
    let filled = page("Checkout", 1, screen(vec![field("Voucher code", "SPRING"), button("Apply")]));
    let applied = page("Checkout", 1, screen(vec![field("Voucher code", ""), button("Apply"), text("SPRING applied")]));
    assert_eq!(desk.choice(&empty), "type SPRING into Voucher code");
    desk.typed("code", "Voucher code", &empty, &filled);
    assert_eq!(desk.choice(&filled), "touch Apply");
    desk.touched("Apply", &filled, &applied, Source::Commit);
    assert_eq!(desk.choice(&applied), "done");
}

#[test]
fn a_secret_is_not_keyed_in_where_an_amount_is_owed() {
    let keys = (0..10).map(|digit| widget(Role::KeypadKey, &digit.to_string()));
    let mut widgets = vec![text("Amount"), text("To Ann")];
    widgets.extend(keys);
    let keypad = page("Transfer", 1, screen(widgets));
    let steps: [(&str, &[&str]); 1] = [("Transfer 5 to Ann with the new password", &["amount", "new_password"])];
    let desk = Desk::new(&steps, &[("amount", "5")]).with_secret("new_password", "864209");
    let best = desk.options(&keypad).into_iter().find(|one| one.veto.is_none()).unwrap();
    assert_eq!(best.proposal.parameter.as_deref(), Some("amount"));
}

#[test]
fn the_hint_of_an_empty_field_is_not_called_after_the_text_above() {
    let mut desk = Desk::new(&[("Fill in the total amount", &["total"])], &[("total", "186"), ("note", "Lunch")]);
    // Before API 36 an empty field shows its hint as its text.
    let form =
        page("Split", 1, screen(vec![text("Split"), field("Total amount", "Total amount"), field("Note", "Note")]));
    let menu = page("Menu", 2, screen(vec![button("Split")]));
    desk.touched("Split", &menu, &form, Source::Explore);
    assert_eq!(desk.journal.name_of("Total amount"), None);
    assert_eq!(desk.journal.name_of("Note"), None);
    assert_eq!(desk.choice(&form), "type 186 into Total amount");
}

#[test]
fn a_page_that_was_opened_in_search_of_something_is_not_filled_in_by_mere_count() {
    let mut desk = Desk::new(&[("Select payee Elena Rossi", &["payee"])], &[("payee", "Elena Rossi")]);
    let home = page("Home", 1, screen(vec![button("Me"), button("Send money")]));
    let me = page("Me", 2, screen(vec![field("Document number", ""), button("Verify")]));
    desk.touched("Me", &home, &me, Source::Explore);
    assert!(desk.journal.is_exploring());
    assert_ne!(desk.choice(&me), "type Elena Rossi into Document number");
}

#[test]
fn a_label_that_the_step_says_whole_is_its_own_whatever_verb_it_holds() {
    let desk = Desk::new(&[("Bind a bank card by its number", &[])], &[]);
    let cards = page("Bank cards", 1, screen(vec![button("Harbour Bank card"), button("Bind a bank card")]));
    assert_eq!(desk.choice(&cards), "touch Bind a bank card");
}

/// A list of entries, each a title and a line below it.
fn list(entries: &[(&str, &str)]) -> Screen {
    let row = |(at, (title, line)): (usize, &(&str, &str))| {
        let (top, bottom) = (300 + 200 * at, 490 + 200 * at);
        format!(
            r#"<node class="android.widget.LinearLayout" package="a" clickable="true" bounds="[0,{top}][1080,{bottom}]">
<node class="android.widget.TextView" package="a" text="{title}" bounds="[40,{top}][900,{}]"/>
<node class="android.widget.TextView" package="a" text="{line}" bounds="[40,{}][900,{bottom}]"/></node>"#,
            top + 90,
            top + 100
        )
    };
    let rows: String = entries.iter().enumerate().map(row).collect();
    let dump = format!(
        r#"<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="a" bounds="[0,0][1080,2400]">
<node class="androidx.recyclerview.widget.RecyclerView" package="a" scrollable="true" bounds="[0,300][1080,2000]">{rows}</node>
</node></hierarchy>"#
    );
    perceived(&dump)
}

#[test]
fn an_entry_is_meant_by_its_place_or_by_a_superlative() {
    let rooms = list(&[("Blue room", "€80"), ("Attic", "€55"), ("Suite", "€140")]);
    let letters = list(&[
        ("Mahnung", "3. März 2026"),
        ("Quittung 2024", "11. Februar 2025"),
        ("Quittung 2025", "9. Februar 2026"),
    ]);
    let check = |step: &str, screen: &Screen, expected: &str| {
        let choice = Desk::new(&[(step, &[])], &[]).choice(screen);
        assert!(choice.starts_with(&format!("touch {expected}")), "{step}: {choice}");
    };
    check("Open the second room", &rooms, "Attic");
    check("Choose the last one", &rooms, "Suite");
    check("Choose the cheapest room", &rooms, "Attic");
    check("Open the most expensive room", &rooms, "Suite");
    check("Von den beiden Quittungen die ältere öffnen", &letters, "Quittung 2024");
}

#[test]
fn values_take_fields_that_are_called_alike_in_their_order() {
    let parameters = [("first_option", "Salt"), ("second_option", "Nine"), ("third_option", "Short")];
    let mut desk = Desk::new(&[("Enter the three options", &[])], &parameters);
    let mut fields = vec![field("+ Option", ""), field("+ Option", "")];
    for (at, one) in fields.iter_mut().enumerate() {
        one.resource_id = format!("app:id/option_{at}");
    }
    let form = page("Poll", 1, screen(fields.clone()));
    assert_eq!(desk.choice(&form), "type Salt into + Option");
    fields[0].value = "Salt".into();
    let begun = page("Poll", 1, screen(fields));
    desk.typed("first_option", "+ Option", &form, &begun);
    assert_eq!(desk.choice(&begun), "type Nine into + Option");
}

#[test]
fn a_value_replaces_the_one_of_a_field_that_tells_no_name() {
    let mut desk = Desk::new(
        &[("Enter the holder Per Lund and the IBAN DE89", &["holder", "iban"])],
        &[("holder", "Per Lund"), ("iban", "DE89")],
    );
    let mut iban = field("IBAN", "");
    let holder = field("Ina Vogt", "Ina Vogt");
    let form = page("Account", 1, screen(vec![holder.clone(), iban.clone()]));
    iban.value = "DE89".into();
    let begun = page("Account", 1, screen(vec![holder, iban]));
    desk.typed("iban", "IBAN", &form, &begun);
    assert_eq!(desk.choice(&begun), "type Per Lund into Ina Vogt");
}

#[test]
fn a_page_with_one_switch_is_switched_by_it_and_left_alone_once_it_is_on() {
    let switch = |on: bool| {
        let mut switch = widget(Role::Switch, "Use it");
        switch.state.checked = Some(on);
        switch
    };
    let mut tint = widget(Role::Radio, "Warm tint");
    tint.state.checked = Some(false);
    let mut desk = Desk::new(&[("Find the night light", &[]), ("Turn it on", &[])], &[]);
    let settings = page("Settings", 1, screen(vec![button("Night light"), button("Language")]));
    let off = page("Night light", 2, screen(vec![switch(false), tint.clone()]));
    let on = page("Night light", 2, screen(vec![switch(true), tint]));
    desk.touched("Night light", &settings, &off, Source::Touch);
    assert_eq!(desk.choice(&off), "done", "the page was found");
    desk.next();
    assert_eq!(desk.choice(&off), "touch Use it");
    assert_eq!(desk.choice(&on), "done");
}

#[test]
fn what_stays_as_it_is_is_done_at_once() {
    let desk = Desk::new(&[("Leave the switch for the updates alone", &[])], &[]);
    let form = page("Form", 1, screen(vec![widget(Role::Switch, "Updates"), button("Save")]));
    assert_eq!(desk.choice(&form), "done");
}

#[test]
fn what_is_typed_beside_a_button_that_adds_it_is_not_added_yet() {
    let mut desk = Desk::new(&[("Add the errand Milk", &["item"])], &[("item", "Milk")]);
    let empty = page("Errands", 1, screen(vec![field("Add an errand", ""), button("Add")]));
    let filled = page("Errands", 1, screen(vec![field("Add an errand", "Milk"), button("Add")]));
    desk.typed("item", "Add an errand", &empty, &filled);
    assert_eq!(desk.choice(&filled), "touch Add");
}

#[test]
fn values_that_were_entered_are_not_entered_again_because_the_step_says_so_once_more() {
    let mut desk = Desk::new(&[("Create the note Milk", &["text"]), ("Enter its text", &[])], &[("text", "Milk")]);
    let empty = page("New note", 1, screen(vec![field("Text", ""), button("Save")]));
    let filled = page("New note", 1, screen(vec![field("Text", "Milk"), button("Save")]));
    desk.typed("text", "Text", &empty, &filled);
    desk.next();
    assert_eq!(desk.choice(&filled), "done");
}

#[test]
fn a_row_that_only_holds_a_quoted_name_waits_until_its_list_was_seen() {
    let desk = Desk::new(&[("Open \"Harbours\"", &[])], &[]).quoting("Harbours");
    let list = |number, labels: &[&str]| {
        let mut list = screen(labels.iter().map(|label| widget(Role::ListItem, label)).collect());
        list.scroll_areas = vec![Rect::new(0, 0, 1000, 2000)];
        page("Coast", number, list)
    };
    assert_eq!(desk.choice(&list(1, &["Coves", "Quiet Harbours"])), "scroll");
    assert_eq!(desk.choice(&list(2, &["Quiet Harbours", "Harbours"])), "touch Harbours");
    let short =
        page("Coast", 3, screen(vec![widget(Role::ListItem, "Coves"), widget(Role::ListItem, "Quiet Harbours")]));
    assert_eq!(desk.choice(&short), "touch Quiet Harbours", "there is no more of it");
}

#[test]
fn a_day_that_a_step_picks_in_an_open_window_is_confirmed_there() {
    let mut desk = Desk::new(&[("Move the day", &[]), ("Pick 16 March 2026", &["day"])], &[("day", "16 March 2026")]);
    let task = page("Task", 1, screen(vec![button("Move the day")]));
    let days = |number, chosen: bool| {
        let mut day = button("16 March 2026");
        day.state.selected = chosen;
        page("", number, window(screen(vec![button("15 March 2026"), day, button("CANCEL"), button("OK")])))
    };
    let (before, after) = (days(2, false), days(2, true));
    desk.touched("Move the day", &task, &before, Source::Touch);
    desk.next();
    assert_eq!(desk.choice(&before), "touch 16 March 2026");
    desk.touched("16 March 2026", &before, &after, Source::Touch);
    let options = desk.options(&after);
    let confirms = |label: &str| {
        let is =
            |one: &&Weighed| after.widgets.iter().any(|it| Some(it.id) == one.proposal.widget && it.label == label);
        let of = |one: &Weighed| one.veto.is_none() && one.proposal.features.get(Feature::ConfirmsDialog) > 0.0;
        options.iter().filter(is).any(of)
    };
    assert!(confirms("OK") && !confirms("CANCEL") && !confirms("15 March 2026"));
}

#[test]
fn a_list_is_put_in_order_by_its_own_control_and_looked_up_nowhere() {
    let desk = Desk::new(&[("Put the list in order of \"Name\"", &[])], &[]).quoting("Name");
    let list = page("Vans", 1, screen(vec![search("Search vans"), button("Sort"), button("Kestrel"), button("Lark")]));
    assert!(!desk.options(&list).iter().any(|one| one.proposal.features.get(Feature::SearchFor) > 0.0));
    assert_eq!(desk.choice(&list), "touch Sort");
}

#[test]
fn what_a_step_does_to_a_thing_is_the_control_of_its_row_that_is_like_it() {
    let row = |at: usize, name: &str| {
        let top = 300 + 300 * at;
        let text = |text: &str, left: usize, down: usize| {
            format!(
                r#"<node class="android.widget.Button" package="a" text="{text}" clickable="true" bounds="[{left},{}][{},{}]"/>"#,
                top + down,
                left + 300,
                top + down + 100
            )
        };
        format!(
            r#"<node class="android.widget.LinearLayout" package="a" clickable="true" bounds="[0,{top}][1080,{}]">
<node class="android.widget.TextView" package="a" text="{name}" bounds="[40,{top}][900,{}]"/>{}{}</node>"#,
            top + 280,
            top + 90,
            text("Polish it", 40, 120),
            text("Take off", 400, 120)
        )
    };
    let dump = format!(
        r#"<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="a" bounds="[0,0][1080,2400]">
<node class="androidx.recyclerview.widget.RecyclerView" package="a" scrollable="true" bounds="[0,300][1080,2000]">{}{}{}</node>
</node></hierarchy>"#,
        row(0, "Dune Camper"),
        row(1, "Moss Wagon"),
        row(2, "Kestrel Van")
    );
    let list = perceived(&dump);
    let desk = Desk::new(&[("Polish \"Moss Wagon\"", &[])], &[]).quoting("Moss Wagon");
    let meant: Vec<(String, f32)> = desk
        .options(&list)
        .iter()
        .filter(|one| one.proposal.features.get(Feature::ActionMeaning) > 0.0)
        .filter_map(|one| list.widgets.get(one.proposal.widget?))
        .map(|widget| (widget.label.clone(), widget.bounds.top as f32))
        .collect();
    assert_eq!(meant, [("Polish it".to_owned(), 720.0)]);
}

#[test]
fn options_in_a_bar_are_settings_and_a_title_opens_no_menu() {
    let mut tab = widget(Role::Tab, "Options");
    tab.clickable = true;
    let title = text("Options");
    let menu = |one: &Screen| {
        let desk = Desk::new(&[("Open the loans", &[])], &[]);
        desk.options(one).iter().any(|one| one.proposal.features.get(Feature::Menu) > 0.0)
    };
    assert!(!menu(&page("Books", 1, screen(vec![text("Books"), tab]))));
    assert!(!menu(&page("Options", 2, screen(vec![title, button("Large print")]))));
}

#[test]
fn the_end_of_a_step_for_which_nothing_was_done_is_unearned() {
    let desk = Desk::new(&[("Open the loans", &[])], &[]);
    let books = page("Books", 1, screen(vec![button("Loans")]));
    let end = desk.options(&books).into_iter().find(|one| one.proposal.action == Move::Done).unwrap();
    assert!(end.veto.is_none() && end.proposal.features.get(Feature::Unearned) > 0.0);
    assert_eq!(desk.choice(&books), "touch Loans");
}

#[test]
fn the_value_that_is_left_goes_into_the_field_that_is_left() {
    let parameters = [("recipient", "Marguerite Okonkwo"), ("recipient_mobile", "07905550177")];
    let mut desk = Desk::new(&[("Enter who it is for", &[]), ("Continue", &[])], &parameters);
    let form = |number, mobile: &str| {
        let widgets = vec![field("Name", ""), field("Mobile number", mobile), button("Continue")];
        page("Who is it for?", number, screen(widgets))
    };
    let (empty, begun) = (form(1, ""), form(2, "07905550177"));
    desk.typed("recipient_mobile", "Mobile number", &empty, &begun);
    assert_eq!(desk.choice(&begun), "type Marguerite Okonkwo into Name");
}

#[test]
fn nothing_else_is_tried_once_a_step_is_carried_out() {
    let mut desk = Desk::new(&[("Filter by \"Weather\"", &[])], &[]).quoting("Weather");
    let chip = |label: &str, on: bool| {
        let mut chip = widget(Role::Checkbox, label);
        chip.state.checked = Some(on);
        chip
    };
    let list = |number, on: bool| {
        page("Stories", number, screen(vec![chip("Weather", on), button("Bakers strike"), button("Overview")]))
    };
    let (before, after) = (list(1, false), list(2, true));
    desk.touched("Weather", &before, &after, Source::Touch);
    let tried = desk.options(&after).into_iter().filter(|one| one.proposal.source == Source::Explore);
    assert!(tried.into_iter().all(|one| one.veto.is_some()));
    assert_eq!(desk.choice(&after), "done");
}

#[test]
fn a_text_that_was_only_typed_proves_nothing() {
    let mut desk =
        Desk::new(&[("Create the van Dune Camper", &["name"])], &[("name", "Dune Camper")]).expecting(&["Dune Camper"]);
    let empty = page("New van", 1, screen(vec![field("Name", "")]));
    let typed = page("New van", 1, screen(vec![field("Name", "Dune Camper")]));
    let listed = page("Vans", 2, screen(vec![button("Dune Camper")]));
    desk.typed("name", "Name", &empty, &typed);
    let holds = |one: &Screen| {
        let end = desk.options(one).into_iter().find(|one| one.proposal.action == Move::Done).unwrap();
        end.proposal.features.get(Feature::ExpectationsHold) > 0.0
    };
    assert!(!holds(&typed) && holds(&listed));
}
