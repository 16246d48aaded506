//! A device's screen, read for an agent: as lines, and as something an action can be aimed at.

use super::forms::{ActArgs, Deed, ScreenLines};
use crate::app::Workspace;
use crate::device::Observation;
use crate::domain::{Action, Direction, InputText, SecretMask};
use crate::hierarchy::{MASK, Role, Screen, ScreenInput, Widget};
use crate::report::plain_line;
use crate::run::{ConnectedDevice, DeviceConnector};
use crate::vision;

/// Widgets that are told.
const MOST_WIDGETS: usize = 150;
/// Texts of one widget that are told besides its label.
const MOST_TEXTS: usize = 8;
/// Characters of a text.
const MOST_CHARACTERS: usize = 90;

/// A screen and the dump it was read from.
pub(super) struct Look {
    pub(super) screen: Screen,
    pub(super) hierarchy: Vec<u8>,
}

/// Connects to a device: the one that is named, else the only one.
pub(super) async fn connect(workspace: &Workspace, device: Option<&str>) -> Result<ConnectedDevice, String> {
    let serial = workspace.choose_device(device).await.map_err(|error| error.to_string())?;
    workspace.connector()?.connect(&serial).await.map_err(|error| error.to_string())
}

/// Looks at it.
pub(super) async fn look(connected: &ConnectedDevice) -> Result<Look, String> {
    let observation = connected.device.observe().await.map_err(|error| error.to_string())?;
    let Observation { hierarchy, screenshot, foreground, keyboard_shown, .. } = observation;
    let mut screen = Screen::perceive(ScreenInput {
        hierarchy: &hierarchy,
        screenshot,
        display: connected.info.display,
        foreground: foreground.map(|component| component.to_string()),
        keyboard_shown,
    });
    vision::find_links(&mut screen, &connected.link_colours, connected.reader.as_deref());
    vision::read_mute_screen(&mut screen, connected.reader.as_deref(), SecretMask::none());
    Ok(Look { screen, hierarchy })
}

impl Look {
    /// What stands for this screen when it is acted on.
    pub(super) fn token(&self) -> String {
        format!("{:016x}", self.screen.digest)
    }

    /// The screen in lines.
    pub(super) fn lines(&self) -> ScreenLines {
        let screen = &self.screen;
        ScreenLines {
            title: short(&screen.title),
            kind: screen.kind.to_string(),
            foreground: screen.foreground.clone(),
            screen: self.token(),
            widgets: screen.widgets.iter().take(MOST_WIDGETS).map(|widget| line(widget, screen)).collect(),
            left_out: screen.widgets.len().saturating_sub(MOST_WIDGETS),
        }
    }

    /// The action that is asked for, and how many characters its field holds.
    pub(super) fn action(&self, args: &ActArgs) -> Result<(Action, usize), String> {
        if args.screen != self.token() {
            let title = short(&self.screen.title);
            return Err(format!("another screen is shown by now, {title:?}: read it with `screen` and act on that"));
        }
        let widget = || -> Result<&Widget, String> {
            let number = args.widget.ok_or("it needs the number of a widget")?;
            self.screen.widgets.get(number).ok_or_else(|| format!("the screen has no widget {number}"))
        };
        Ok(match args.action {
            Deed::Tap => (Action::Click { target: widget()?.target() }, 0),
            Deed::LongPress => (Action::LongPress { target: widget()?.target() }, 0),
            Deed::Type => {
                let field = widget()?;
                if field.role != Role::Field {
                    return Err(format!("{:?} is no field", field.label));
                }
                let text = InputText::Plain(args.text.clone().ok_or("it needs a text")?);
                (Action::InputText { target: field.target(), text }, field.value.chars().count())
            }
            Deed::Back => (Action::PressBack, 0),
            Deed::Enter => (Action::PressEnter, 0),
            Deed::ScrollDown | Deed::ScrollUp => {
                let area = *self.screen.scroll_areas.first().ok_or("nothing on the screen scrolls")?;
                let direction = if args.action == Deed::ScrollDown { Direction::Down } else { Direction::Up };
                (Action::Scroll { direction, area }, 0)
            }
        })
    }
}

/// `12 button "Log in" (login) disabled`.
fn line(widget: &Widget, screen: &Screen) -> String {
    let typed = screen.tree.nodes.get(widget.node).map_or("", |node| node.text.as_str());
    let hidden = || MASK.to_string().repeat(typed.chars().count());
    // What a password field holds is nobody's business, also where nothing else names it.
    let label = if widget.state.password && widget.label == typed { hidden() } else { short(&widget.label) };
    let mut line = format!("{} {} {label:?}", widget.id, widget.role);
    let value = if widget.state.password && widget.value.is_empty() {
        String::new()
    } else if widget.state.password {
        hidden()
    } else {
        short(&widget.value)
    };
    if !value.is_empty() && widget.value != widget.label {
        line.push_str(&format!(" = {value:?}"));
    }
    if !widget.context.is_empty() {
        line.push_str(&format!(" in {:?}", short(&widget.context)));
    }
    // What a field or a key holds is told as its value, or not at all.
    if !matches!(widget.role, Role::Field | Role::KeypadKey) {
        let inner = screen.inner_texts().filter(|text| text.widget == Some(widget.id)).take(MOST_TEXTS);
        let texts: Vec<String> = inner.map(|text| format!("{:?}", short(text.on_display()))).collect();
        if !texts.is_empty() {
            line.push_str(&format!(" holds {}", texts.join(", ")));
        }
    }
    if !widget.id_words.is_empty() {
        line.push_str(&format!(" ({})", widget.id_words));
    }
    let states = [
        (!widget.state.enabled, "disabled"),
        (widget.state.checked == Some(true), "on"),
        (widget.state.checked == Some(false), "off"),
        (widget.state.selected, "selected"),
        (widget.state.focused, "focused"),
        (widget.state.password, "password"),
        (widget.clickable, "clickable"),
    ];
    for (_, word) in states.into_iter().filter(|(is, _)| *is) {
        line.push(' ');
        line.push_str(word);
    }
    line
}

fn short(text: &str) -> String {
    let text = plain_line(text);
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Size;

    fn look() -> Look {
        let node = |index: usize, class: &str, text: &str, more: &str| {
            let (top, bottom) = (200 + index * 200, 350 + index * 200);
            format!(
                "<node index=\"{index}\" text=\"{text}\" resource-id=\"a.b:id/w_{index}\" class=\"android.widget.{class}\" \
                 package=\"a.b\" content-desc=\"\" clickable=\"true\" enabled=\"true\" {more} bounds=\"[0,{top}][1080,{bottom}]\" />"
            )
        };
        let xml = format!(
            "<hierarchy rotation=\"0\"><node index=\"0\" text=\"\" resource-id=\"\" class=\"android.widget.FrameLayout\" \
             package=\"a.b\" content-desc=\"\" clickable=\"false\" enabled=\"true\" bounds=\"[0,0][1080,2400]\">{}{}</node></hierarchy>",
            node(0, "Button", "Log in", ""),
            node(1, "EditText", "geheim", "password=\"true\"")
        );
        let screen = Screen::perceive(ScreenInput {
            hierarchy: xml.as_bytes(),
            screenshot: None,
            display: Size::new(1080, 2400),
            foreground: None,
            keyboard_shown: false,
        });
        Look { screen, hierarchy: xml.into_bytes() }
    }

    #[test]
    fn the_texts_inside_a_described_card_are_told() {
        let dump = "<hierarchy rotation=\"0\"><node class=\"android.widget.FrameLayout\" package=\"a.b\" enabled=\"true\" \
                    bounds=\"[0,0][1080,2400]\"><node class=\"android.view.ViewGroup\" package=\"a.b\" enabled=\"true\" \
                    content-desc=\"Course, opens\" clickable=\"true\" bounds=\"[0,100][1080,400]\"><node \
                    class=\"android.widget.TextView\" package=\"a.b\" enabled=\"true\" text=\"Room 204\" \
                    bounds=\"[40,120][600,180]\"/></node></node></hierarchy>";
        let screen = Screen::perceive(ScreenInput {
            hierarchy: dump.as_bytes(),
            screenshot: None,
            display: Size::new(1080, 2400),
            foreground: None,
            keyboard_shown: false,
        });
        let lines = Look { screen, hierarchy: Vec::new() }.lines();
        assert_eq!(lines.widgets, ["0 button \"Course, opens\" holds \"Room 204\" clickable"]);
    }

    fn args(action: Deed, widget: Option<usize>, text: Option<&str>, screen: String) -> ActArgs {
        ActArgs { device: None, action, widget, text: text.map(str::to_owned), screen }
    }

    #[test]
    fn a_screen_is_told_in_lines_without_what_passwords_hold() {
        let lines = look().lines();
        assert!(
            lines.widgets[0].starts_with("0 button \"Log in\"") && lines.widgets[0].ends_with("clickable"),
            "{lines:?}"
        );
        assert!(lines.widgets.iter().all(|line| !line.contains("geheim")), "{lines:?}");
        assert_eq!(short(&"x".repeat(200)).chars().count(), MOST_CHARACTERS + 1);
    }

    #[test]
    fn nothing_is_done_on_another_screen_or_with_what_is_not_there() {
        let look = look();
        let token = look.token();
        for (action, widget, text, screen, expected) in [
            (Deed::Tap, Some(0), None, token.clone(), None),
            (Deed::Type, Some(1), Some("x"), token.clone(), None),
            (Deed::Back, None, None, token.clone(), None),
            (Deed::Tap, Some(0), None, "0".to_owned(), Some("another screen")),
            (Deed::Tap, None, None, token.clone(), Some("number of a widget")),
            (Deed::Tap, Some(99), None, token.clone(), Some("no widget 99")),
            (Deed::Type, Some(0), Some("x"), token.clone(), Some("is no field")),
            (Deed::Type, Some(1), None, token.clone(), Some("needs a text")),
            (Deed::ScrollDown, None, None, token.clone(), Some("nothing on the screen scrolls")),
        ] {
            let found = look.action(&args(action, widget, text, screen));
            match expected {
                None => assert!(found.is_ok(), "{action:?}: {found:?}"),
                Some(part) => assert!(found.as_ref().is_err_and(|why| why.contains(part)), "{action:?}: {found:?}"),
            }
        }
    }
}
