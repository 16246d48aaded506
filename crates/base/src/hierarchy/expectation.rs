//! Checking an expectation against a screen, or against all that was seen of one that scrolls.

use super::beside::{Beside, beside};
use super::error_texts::error_texts;
use super::words::clean;
use super::{Role, Screen, ScreenKind, ScreenText, Widget, WidgetState};
use crate::domain::{Expectation, ExpectationOutcome, Trouble};

/// What a look for something came to.
enum Finding {
    /// It is there as it should be; what shows it.
    Held(String),
    /// It is there, and not as it should be; what shows it.
    Contradicted(String),
    /// It is not there.
    Missing(String),
}

impl Finding {
    fn by(held: bool, evidence: String) -> Self {
        if held { Self::Held(evidence) } else { Self::Contradicted(evidence) }
    }
}

/// Looks at `screen` for what is expected and tells what it found there. What only a picture can tell does not hold.
pub fn check(expectation: &Expectation, screen: &Screen) -> ExpectationOutcome {
    check_all(expectation, std::slice::from_ref(screen))
}

/// The same over several looks at one screen that was scrolled, the first one first: something is there where one look
/// shows it, something is absent where none does.
pub fn check_all(expectation: &Expectation, looks: &[Screen]) -> ExpectationOutcome {
    let outcome = |held: bool, evidence: String| ExpectationOutcome {
        expectation: expectation.to_string(),
        held,
        evidence,
        contradicted: false,
    };
    let Some((first, further)) = looks.split_first() else { return outcome(false, "nothing was seen".to_owned()) };
    if let Expectation::Count { of, is } = expectation {
        let shown = stitched(looks).iter().filter(|text| holds(text, of)).count();
        let evidence = format!("the screen \"{}\" shows it {shown} times", first.title);
        return ExpectationOutcome { contradicted: shown != *is, ..outcome(shown == *is, evidence) };
    }
    let mut missing: Option<String> = None;
    for screen in looks {
        match find(expectation, screen) {
            Finding::Held(evidence) if expectation.is_of_whole_screen() => missing = missing.or(Some(evidence)),
            Finding::Held(evidence) => return outcome(true, evidence),
            Finding::Contradicted(evidence) => {
                return ExpectationOutcome { contradicted: true, ..outcome(false, evidence) };
            }
            Finding::Missing(evidence) => missing = missing.or(Some(evidence)),
        }
    }
    let mut evidence = missing.unwrap_or_default();
    if !further.is_empty() {
        evidence = format!("{evidence}; looked {} times further down and up as well", further.len());
    }
    outcome(expectation.is_of_whole_screen(), evidence)
}

fn find(expectation: &Expectation, screen: &Screen) -> Finding {
    let title = on_display(screen);
    let state = |name: &str, word: &str, wanted: bool, of: &dyn Fn(&WidgetState) -> Option<bool>| {
        let found = named(screen, name).find_map(|widget| of(&widget.state).map(|is| (widget, is)));
        match found {
            Some((widget, is)) => {
                Finding::by(is == wanted, format!("{:?} is {}{word}", widget.label, if is { "" } else { "not " }))
            }
            None => Finding::Missing(format!("nothing named {name:?} on the screen \"{title}\"")),
        }
    };
    match expectation {
        Expectation::Visible(text) => match showing(screen, text) {
            Some(evidence) => Finding::Held(evidence),
            None => Finding::Missing(format!(
                "not on the screen \"{title}\"; it shows {}{}",
                texts(screen),
                under_a_cover(screen, text)
            )),
        },
        Expectation::Absent(text) => match showing(screen, text) {
            Some(evidence) => Finding::Contradicted(evidence),
            None => Finding::Held(format!("not on the screen \"{title}\"{}", under_a_cover(screen, text))),
        },
        Expectation::Checked { widget: name, is } => {
            match named(screen, name).find_map(|widget| widget.state.checked.map(|checked| (widget, checked))) {
                Some((widget, checked)) => {
                    let on = if checked { "on" } else { "off" };
                    Finding::by(checked == *is, format!("{:?} is {on}", widget.label))
                }
                None => Finding::Missing(format!("no switch or box named {name:?} on the screen \"{title}\"")),
            }
        }
        Expectation::Enabled { widget: name, is } => state(name, "enabled", *is, &|state| Some(state.enabled)),
        Expectation::Selected { widget: name, is } => {
            // Of several of one name, one that is selected tells.
            let selected = named(screen, name).any(|widget| widget.state.selected);
            state(name, "selected", *is, &|_| Some(selected))
        }
        Expectation::Value { field: name, is } => match named(screen, name).find(|widget| widget.role == Role::Field) {
            Some(field) => {
                Finding::by(flat(&field.value) == flat(is), format!("{:?} holds {:?}", field.label, field.value))
            }
            None => match beside(screen, name, is) {
                Beside::Held(evidence) => Finding::Held(evidence),
                Beside::Other(evidence) => Finding::Contradicted(evidence),
                Beside::Unclear(evidence) => Finding::Missing(evidence),
                Beside::Nowhere => Finding::Missing(format!("nothing named {name:?} on the screen \"{title}\"")),
            },
        },
        Expectation::Screen(wanted) => Finding::by(
            !wanted.trim().is_empty() && [title, &screen.title].iter().any(|own| flat(own).contains(&flat(wanted))),
            format!("the screen is \"{title}\""),
        ),
        Expectation::Without(Trouble::Crash) => trouble(screen, ScreenKind::Crash),
        Expectation::Without(Trouble::Anr) => trouble(screen, ScreenKind::NotResponding),
        Expectation::Without(Trouble::Error) => match error_texts(screen).first() {
            Some(text) => Finding::Contradicted(format!("{text:?} says so")),
            None => Finding::Held(format!("the screen \"{title}\" shows no error")),
        },
        Expectation::Count { .. } | Expectation::Toast(_) | Expectation::Picture(_) => {
            Finding::Missing("the hierarchy cannot tell".to_owned())
        }
    }
}

fn trouble(screen: &Screen, kind: ScreenKind) -> Finding {
    let asked = format!("the screen is \"{}\"", screen.title);
    Finding::by(screen.kind != kind, asked)
}

/// The texts of a screen seen bit by bit, each thing once: a look that begins with what the one before ended with goes on
/// there.
fn stitched(looks: &[Screen]) -> Vec<String> {
    let mut whole: Vec<String> = Vec::new();
    for look in looks {
        let page = said(look);
        // Bars above and below a list stay where they are.
        let kept = |ends: &mut dyn Iterator<Item = (&String, &String)>| ends.take_while(|(a, b)| a == b).count();
        let top = if whole.is_empty() { 0 } else { kept(&mut whole.iter().zip(&page)) };
        let bottom = kept(&mut whole.iter().rev().zip(page.iter().rev())).min(page.len() - top.min(page.len()));
        let body = page.get(top..page.len() - bottom).unwrap_or_default();
        let end = whole.len().saturating_sub(bottom).max(top);
        let inner = whole.get(top..end).unwrap_or_default();
        if body.is_empty() || inner.windows(body.len()).any(|part| part == body) {
            continue;
        }
        let most = body.len().min(inner.len());
        let down = (1..=most).rev().find(|&n| inner.ends_with(&body[..n])).unwrap_or(0);
        let up = (1..=most).rev().find(|&n| inner.starts_with(&body[body.len() - n..])).unwrap_or(0);
        if up > down {
            let new = body[..body.len() - up].to_vec();
            whole.splice(top..top, new);
        } else {
            let new = body[down..].to_vec();
            whole.splice(end..end, new);
        }
    }
    whole
}

/// What a screen says, each thing once, in document order: the labels of its widgets, and the texts that no label holds.
fn said(screen: &Screen) -> Vec<String> {
    let mut said: Vec<(usize, String)> = screen
        .widgets
        .iter()
        .map(|widget| (widget.node, flat(shown(widget))))
        .filter(|(_, text)| !text.is_empty())
        .collect();
    let unsaid = screen.inner_texts().map(|text| (text.node, flat(text.on_display())));
    said.extend(unsaid);
    said.sort_by_key(|(node, _)| *node);
    said.into_iter().map(|(_, text)| text).collect()
}

/// A text is part of a shown one; a number is not part of a longer one.
fn holds(shown: &str, text: &str) -> bool {
    let wanted = flat(text);
    !wanted.is_empty() && shown.contains(&wanted)
}

/// The words as they are compared: as perception cleans them, without case.
fn flat(text: &str) -> String {
    clean(text).to_lowercase()
}

/// What shows the text: a widget by its label or value, else a text that belongs to a widget or stands on bare ground.
fn showing(screen: &Screen, text: &str) -> Option<String> {
    let wanted = flat(text);
    if wanted.is_empty() {
        return None;
    }
    let labelled = screen.widgets.iter().find(|widget| {
        let texts = [widget.label.as_str(), widget.value.as_str(), widget.shown_label()];
        texts.iter().any(|text| flat(text).contains(&wanted))
    });
    if let Some(widget) = labelled {
        return Some(format!("{} shows it", described(widget)));
    }
    let inner = screen.texts.shown.iter().find(|text| says(text, &wanted))?;
    Some(match inner.widget.and_then(|id| screen.widgets.get(id)) {
        Some(widget) => format!("{:?} in {} shows it", shortened(inner.on_display()), described(widget)),
        None => format!("{:?} shows it", shortened(inner.on_display())),
    })
}

/// True if the text holds `wanted`, which is made ready for comparing, in either language.
fn says(text: &ScreenText, wanted: &str) -> bool {
    [text.text.as_str(), text.on_display()].iter().any(|text| flat(text).contains(wanted))
}

/// A remark where the text is part of the dump, but something lies on it.
fn under_a_cover(screen: &Screen, text: &str) -> String {
    let wanted = flat(text);
    match screen.texts.covered.iter().find(|text| !wanted.is_empty() && says(text, &wanted)) {
        Some(covered) => format!("; {:?} is in the dump, but covered by something else", shortened(&covered.text)),
        None => String::new(),
    }
}

/// The widgets of that name; behind them those with a text of that name inside.
fn named<'a>(screen: &'a Screen, name: &str) -> impl Iterator<Item = &'a Widget> {
    let wanted = flat(name);
    let label = wanted.clone();
    let labelled = screen.widgets.iter().filter(move |widget| {
        let names = [widget.label.as_str(), widget.shown_label()];
        !label.is_empty() && names.iter().any(|name| flat(name).contains(&label))
    });
    let inside = screen.texts.shown.iter().filter(move |text| !wanted.is_empty() && says(text, &wanted));
    labelled.chain(inside.filter_map(|text| screen.widgets.get(text.widget?)))
}

/// What it is and says; where the display's language is not the app's own, in both.
fn described(widget: &Widget) -> String {
    match &widget.shown {
        Some(on_display) => {
            format!("{} {on_display:?}, which is {:?} in the app's own language,", widget.role, widget.label)
        }
        None => format!("{} {:?}", widget.role, shown(widget)),
    }
}

fn shown(widget: &Widget) -> &str {
    if widget.label.is_empty() { &widget.value } else { widget.shown_label() }
}

/// The screen's title as the display has it.
fn on_display(screen: &Screen) -> &str {
    screen.shown_title.as_deref().unwrap_or(&screen.title)
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}

/// The first few texts of the screen, so that a person sees where the run ended.
fn texts(screen: &Screen) -> String {
    const MOST: usize = 6;
    let mut texts: Vec<String> = screen
        .widgets
        .iter()
        .map(shown)
        .filter(|text| !text.is_empty())
        .take(MOST + 1)
        .map(|text| format!("{:?}", shortened(text)))
        .collect();
    if texts.len() > MOST {
        texts.truncate(MOST);
        texts.push("…".into());
    }
    if texts.is_empty() { "nothing".into() } else { texts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Size;
    use crate::hierarchy::ScreenInput;

    fn held(expectation: &Expectation) -> bool {
        let hierarchy = br#"<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="a" enabled="true" bounds="[0,0][1000,2000]">
            <node class="android.widget.TextView" text="Card  added" package="a" enabled="true" bounds="[0,0][900,100]"/>
            <node class="android.widget.Switch" text="Reminders" checkable="true" checked="true" clickable="true" package="a" enabled="true" bounds="[0,200][900,300]"/>
            <node class="android.widget.EditText" text="Lunch" content-desc="Note" resource-id="a:id/note" clickable="true" focusable="true" focused="true" package="a" enabled="true" bounds="[0,400][900,500]"/>
            </node></hierarchy>"#;
        let screen = Screen::perceive(ScreenInput {
            hierarchy,
            screenshot: None,
            display: Size::new(1000, 2000),
            foreground: None,
            keyboard_shown: false,
        });
        check(expectation, &screen).held
    }

    #[test]
    fn texts_are_compared_without_case_and_white_space() {
        assert!(held(&Expectation::Visible("card ADDED".into())));
        assert!(!held(&Expectation::Visible("Card removed".into())));
        assert!(!held(&Expectation::Visible("  ".into())));
        assert!(held(&Expectation::Absent("Error".into())));
        assert!(!held(&Expectation::Absent("Card added".into())));
    }

    #[test]
    fn states_and_values_are_checked_on_the_widget_they_name() {
        assert!(held(&Expectation::Checked { widget: "Reminders".into(), is: true }));
        assert!(!held(&Expectation::Checked { widget: "Reminders".into(), is: false }));
        assert!(!held(&Expectation::Checked { widget: "Sounds".into(), is: false }));
        assert!(held(&Expectation::Value { field: "Note".into(), is: "Lunch".into() }));
        assert!(!held(&Expectation::Value { field: "Note".into(), is: "Dinner".into() }));
    }

    fn page(texts: &[&str]) -> Screen {
        let lines: Vec<String> = texts
            .iter()
            .enumerate()
            .map(|(at, text)| {
                let top = 100 * at;
                format!(
                    r#"<node class="android.widget.TextView" text="{text}" package="a" enabled="true" bounds="[0,{top}][900,{}]"/>"#,
                    top + 90
                )
            })
            .collect();
        let lines = lines.concat();
        let hierarchy = format!(
            r#"<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="a" enabled="true" bounds="[0,0][1000,2000]">{lines}</node></hierarchy>"#
        );
        Screen::perceive(ScreenInput {
            hierarchy: hierarchy.as_bytes(),
            screenshot: None,
            display: Size::new(1000, 2000),
            foreground: None,
            keyboard_shown: false,
        })
    }

    fn held_over(expectation: &Expectation, looks: &[Screen]) -> bool {
        check_all(expectation, looks).held
    }

    #[test]
    fn what_is_scrolled_out_of_sight_is_there() {
        let looks = [page(&["Cart", "Milk", "Bread", "Pay"]), page(&["Cart", "Bread", "Sales tax", "Pay"])];
        assert!(held_over(&Expectation::Visible("Sales tax".into()), &looks));
        assert!(held_over(&Expectation::Visible("Milk".into()), &looks));
        assert!(!held_over(&Expectation::Visible("Tip".into()), &looks));
        assert!(!held_over(&Expectation::Absent("Sales tax".into()), &looks));
        assert!(!held_over(&Expectation::Absent("Milk".into()), &looks));
        assert!(held_over(&Expectation::Absent("Tip".into()), &looks));
    }

    #[test]
    fn a_list_that_is_scrolled_is_counted_once() {
        let count = |is| Expectation::Count { of: "Note".into(), is };
        let looks = [
            page(&["Notes", "Note b", "Note c", "Note d", "New"]),
            page(&["Notes", "Note c", "Note d", "Note e", "New"]),
            page(&["Notes", "Note c", "Note d", "Note e", "New"]),
            page(&["Notes", "Note a", "Note b", "Note c", "New"]),
        ];
        // Five rows and the title.
        assert!(held_over(&count(6), &looks), "{}", check_all(&count(6), &looks).evidence);
        assert!(!held_over(&count(4), &looks));
        assert!(held_over(&Expectation::Count { of: "Task".into(), is: 0 }, &looks));
    }

    #[test]
    fn a_title_a_state_and_an_error_are_checked() {
        let screen = page(&["Checkout", "Something went wrong", "Try later"]);
        assert!(check(&Expectation::Screen("checkout".into()), &screen).held);
        assert!(!check(&Expectation::Screen("Cart".into()), &screen).held);
        assert!(!check(&Expectation::Without(Trouble::Error), &screen).held);
        assert!(check(&Expectation::Without(Trouble::Crash), &screen).held);
        assert!(check(&Expectation::Enabled { widget: "Checkout".into(), is: true }, &screen).held);
        assert!(!check(&Expectation::Selected { widget: "Checkout".into(), is: true }, &screen).held);
        let fine = page(&["Checkout", "All good"]);
        assert!(check(&Expectation::Without(Trouble::Error), &fine).held);
    }

    #[test]
    fn an_error_on_a_card_that_is_touched_as_a_whole_is_an_error_and_an_entry_of_a_list_is_none() {
        use crate::hierarchy::sample::{PAGE, perceive};
        let held = |screen: &Screen| check(&Expectation::Without(Trouble::Error), screen).held;
        for description in ["content-desc=\"Offers\"", ""] {
            let card = format!("{description} clickable=\"true\"");
            let nodes = |text| {
                [
                    PAGE,
                    (1, "view.ViewGroup", card.as_str(), [0, 900, 1080, 1300]),
                    (2, "widget.TextView", text, [40, 920, 600, 980]),
                    (2, "widget.TextView", "text=\"Tap to look again\"", [40, 1000, 600, 1060]),
                ]
            };
            assert!(!held(&perceive(&nodes("text=\"Something went wrong\""))), "{description}");
            assert!(held(&perceive(&nodes("text=\"Five new ones\""))), "{description}");
        }
        let mut list = vec![PAGE, (1, "widget.ListView", "scrollable=\"true\"", [0, 300, 1080, 2000])];
        let entries = [
            ("text=\"Ada\"", "text=\"Payment failed\""),
            ("text=\"Bea\"", "text=\"Payment sent\""),
            ("text=\"Cid\"", "text=\"Payment sent\""),
        ];
        for (top, (name, text)) in (300..).step_by(200).zip(entries) {
            list.push((2, "view.ViewGroup", "clickable=\"true\"", [0, top, 1080, top + 200]));
            list.push((3, "widget.TextView", name, [40, top + 20, 600, top + 80]));
            list.push((3, "widget.TextView", text, [40, top + 100, 600, top + 160]));
        }
        assert!(held(&perceive(&list)));
        let button = (
            1,
            "widget.Button",
            "text=\"Why did it fail?\" content-desc=\"Error code 7\" clickable=\"true\"",
            [0, 900, 500, 1000],
        );
        assert!(held(&perceive(&[PAGE, button])), "a button says what it does");
    }
}
