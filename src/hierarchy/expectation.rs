//! Checking an expectation against a screen.

use super::{Role, Screen, Widget};
use crate::domain::{Expectation, ExpectationOutcome};

/// Looks at `screen` for what is expected and tells what it found there.
pub fn check(expectation: &Expectation, screen: &Screen) -> ExpectationOutcome {
    let (held, evidence) = match expectation {
        Expectation::Visible(text) => match showing(screen, text) {
            Some(widget) => (true, format!("{} {:?} shows it", widget.role, shown(widget))),
            None => (false, format!("not on the screen \"{}\"; it shows {}", screen.title, texts(screen))),
        },
        Expectation::Absent(text) => match showing(screen, text) {
            Some(widget) => (false, format!("{} {:?} shows it", widget.role, shown(widget))),
            None => (true, format!("not on the screen \"{}\"", screen.title)),
        },
        Expectation::Checked { widget: name, is } => {
            match named(screen, name).find_map(|widget| widget.state.checked.map(|checked| (widget, checked))) {
                Some((widget, checked)) => {
                    (checked == *is, format!("{:?} is {}", widget.label, if checked { "on" } else { "off" }))
                }
                None => (false, format!("no switch or box named {name:?} on the screen \"{}\"", screen.title)),
            }
        }
        Expectation::Value { field: name, is } => match named(screen, name).find(|widget| widget.role == Role::Field) {
            Some(field) => (flat(&field.value) == flat(is), format!("{:?} holds {:?}", field.label, field.value)),
            None => (false, format!("no field named {name:?} on the screen \"{}\"", screen.title)),
        },
    };
    ExpectationOutcome { expectation: expectation.to_string(), held, evidence }
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn showing<'a>(screen: &'a Screen, text: &str) -> Option<&'a Widget> {
    let wanted = flat(text);
    if wanted.is_empty() {
        return None;
    }
    screen.widgets.iter().find(|widget| flat(&widget.label).contains(&wanted) || flat(&widget.value).contains(&wanted))
}

fn named<'a>(screen: &'a Screen, name: &str) -> impl Iterator<Item = &'a Widget> {
    let wanted = flat(name);
    screen.widgets.iter().filter(move |widget| !wanted.is_empty() && flat(&widget.label).contains(&wanted))
}

fn shown(widget: &Widget) -> &str {
    if widget.label.is_empty() { &widget.value } else { &widget.label }
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
        .map(|text| format!("{:?}", text.chars().take(40).collect::<String>()))
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
}
