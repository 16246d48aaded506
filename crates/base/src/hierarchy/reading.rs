//! A screen read in another language than the one it is shown in.
//!
//! What is shown stays what it is: the tree, the selectors, the hashes and the content of fields. What a person would
//! call things changes as if the app had shown them in its own language all along, for the labels are made anew from the
//! texts they came from.

use super::context::{add_contexts, add_inner_texts, add_row_titles};
use super::kind::kind_of;
use super::label::Labeller;
use super::outline::Outline;
use super::perceive::shows_hint;
use super::role::is_field;
use super::row_finder::rows;
use super::title::title;
use super::visibility::Visibility;
use super::words::clean;
use super::{Role, Screen, ScreenTexts, TextSource, UiTree, Widget};

/// A text on a screen and the resource id of the view that shows it.
pub type ShownText<'s> = (&'s str, &'s str);

/// Where a text stands.
#[derive(Debug, Clone, Copy)]
enum Slot {
    Text(usize),
    Description(usize),
    Hint(usize),
    /// The label of a widget that was found in the picture.
    Label(usize),
    /// What a wheel holds, which stands in a node of its own.
    Value(usize),
}

/// Found in the picture, behind the widgets of the tree.
fn is_pictured(widget: &Widget) -> bool {
    matches!(widget.role, Role::Link | Role::ReadText)
}

impl Screen {
    /// Reads the screen as `read` says: for each shown text what it is called, `None` to leave it.
    pub fn read_as(&mut self, read: &dyn Fn(&[ShownText<'_>]) -> Vec<Option<String>>) {
        let seen = Visibility::of(&self.tree, self.display);
        let slots = self.slots(&seen);
        let texts: Vec<ShownText<'_>> = slots.iter().map(|slot| self.text_at(*slot)).collect();
        let readings = read(&texts);
        if readings.iter().all(Option::is_none) {
            return;
        }
        let mut tree = self.tree.clone();
        let mut labels: Vec<(usize, String)> = Vec::new();
        for (slot, reading) in slots.into_iter().zip(readings) {
            let Some(text) = reading else { continue };
            match slot {
                Slot::Text(node) => tree.nodes[node].text = text,
                Slot::Description(node) => tree.nodes[node].content_desc = text,
                Slot::Hint(node) => tree.nodes[node].hint = text,
                Slot::Label(widget) => labels.push((widget, text)),
                Slot::Value(widget) => self.widgets[widget].value = text,
            }
        }
        for (widget, label) in labels {
            self.widgets[widget].call(label);
        }
        self.rename(&tree, &seen);
    }

    fn slots(&self, seen: &Visibility) -> Vec<Slot> {
        let mut slots = Vec::new();
        for (index, node) in self.tree.nodes.iter().enumerate().filter(|(index, _)| seen.is_visible(*index)) {
            // A password's field holds none of the app's texts; a keypad's digits are the same everywhere.
            if !node.text.is_empty() && !node.password {
                slots.push(Slot::Text(index));
            }
            if !node.content_desc.is_empty() {
                slots.push(Slot::Description(index));
            }
            if !node.hint.is_empty() {
                slots.push(Slot::Hint(index));
            }
        }
        for (index, widget) in self.widgets.iter().enumerate() {
            let node = &self.tree.nodes[widget.node.min(self.tree.nodes.len().saturating_sub(1))];
            if is_pictured(widget) && !widget.label.is_empty() {
                slots.push(Slot::Label(index));
            } else if !is_field(node) && !widget.value.is_empty() && widget.value != node.text {
                slots.push(Slot::Value(index));
            }
        }
        slots
    }

    fn text_at(&self, slot: Slot) -> ShownText<'_> {
        let node = |node: usize| &self.tree.nodes[node];
        match slot {
            Slot::Text(at) => (&node(at).text, &node(at).resource_id),
            Slot::Description(at) => (&node(at).content_desc, &node(at).resource_id),
            Slot::Hint(at) => (&node(at).hint, &node(at).resource_id),
            Slot::Label(at) => (&self.widgets[at].label, &self.widgets[at].resource_id),
            Slot::Value(at) => (&self.widgets[at].value, &self.widgets[at].resource_id),
        }
    }

    /// Makes labels, contexts, hints, values and title anew from `tree`, which differs from the screen's in texts only.
    fn rename(&mut self, tree: &UiTree, seen: &Visibility) {
        let outline = Outline::of(tree, seen);
        let labeller = Labeller::new(tree, seen, &outline);
        let known = self.widgets.iter().position(is_pictured).unwrap_or(self.widgets.len());
        let pictured = self.widgets.split_off(known);
        for widget in &mut self.widgets {
            let node = &tree.nodes[widget.node];
            if widget.role != Role::KeypadKey {
                widget.call(labeller.label(widget.node).text);
            }
            if !is_field(node) && widget.value == self.tree.nodes[widget.node].text {
                widget.value.clone_from(&node.text);
            }
            widget.hint = clean(if shows_hint(node) { &node.text } else { &node.hint });
            widget.context.clear();
        }
        add_contexts(&mut self.widgets, &labeller);
        let title = title(&labeller);
        if title != self.title {
            self.shown_title = Some(std::mem::replace(&mut self.title, title));
        }
        self.kind = kind_of(tree, seen, &self.widgets, self.keyboard_shown);
        let pictured_texts =
            self.texts.shown.extract_if(.., |text| text.source == TextSource::Picture).collect::<Vec<_>>();
        self.texts = ScreenTexts::collect(tree, &self.tree, seen, &outline, &self.widgets);
        self.rows = rows(tree, seen, &self.widgets, &self.texts.shown, &self.title);
        add_row_titles(&mut self.widgets, &self.rows, &self.texts.shown);
        add_inner_texts(&mut self.widgets, &self.texts.shown);
        self.widgets.extend(pictured);
        for mut text in pictured_texts {
            if let Some(widget) = text.widget.and_then(|id| self.widgets.get(id)) {
                text.text.clone_from(&widget.label);
                text.shown.clone_from(&widget.shown);
            }
            self.texts.shown.push(text);
        }
    }
}

impl Widget {
    /// Gives it another name and keeps the shown one.
    fn call(&mut self, label: String) {
        if label != self.label && !label.is_empty() {
            let before = std::mem::replace(&mut self.label, label);
            self.shown.get_or_insert(before);
        }
    }

    /// Its label in the language it is shown in.
    pub fn shown_label(&self) -> &str {
        self.shown.as_deref().unwrap_or(&self.label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Expectation, Size};
    use crate::hierarchy::{ScreenInput, check};

    fn screen() -> Screen {
        let hierarchy = r#"<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="a" enabled="true" bounds="[0,0][1000,2000]">
            <node class="android.widget.TextView" text="¡Listo!" package="a" resource-id="a:id/toolbar_title" enabled="true" bounds="[0,0][900,100]"/>
            <node class="android.view.ViewGroup" package="a" resource-id="a:id/pay" clickable="true" enabled="true" bounds="[0,100][1000,300]">
              <node class="android.widget.TextView" text="Pago" package="a" enabled="true" bounds="[0,100][900,200]"/>
              <node class="android.widget.TextView" text="Efectivo" package="a" enabled="true" bounds="[0,200][900,300]"/></node>
            <node class="android.widget.Button" text="Omitir" package="a" clickable="true" enabled="true" bounds="[0,300][400,400]"/>
            <node class="android.widget.Button" text="Omitir" package="a" clickable="true" enabled="true" bounds="[500,300][900,400]"/>
            <node class="android.widget.EditText" text="Pago" content-desc="Nota" package="a" resource-id="a:id/note" clickable="true" focusable="true" enabled="true" bounds="[0,400][900,500]"/>
            </node></hierarchy>"#;
        Screen::perceive(ScreenInput {
            hierarchy: hierarchy.as_bytes(),
            screenshot: None,
            display: Size::new(1000, 2000),
            foreground: None,
            keyboard_shown: false,
        })
    }

    fn english(texts: &[ShownText<'_>]) -> Vec<Option<String>> {
        let known =
            [("¡Listo!", "Done"), ("Pago", "Payment"), ("Efectivo", "Cash"), ("Omitir", "Skip"), ("Nota", "Note")];
        let read = |text: &str| known.iter().find(|(shown, _)| *shown == text).map(|(_, own)| (*own).to_owned());
        texts.iter().map(|(text, _)| read(text)).collect()
    }

    #[test]
    fn names_change_and_what_is_shown_stays() {
        let (before, mut screen) = (screen(), screen());
        screen.read_as(&english);
        let labels: Vec<&str> = screen.widgets.iter().map(|widget| widget.label.as_str()).collect();
        assert_eq!(labels, ["Done", "Payment, Cash", "Skip", "Skip", "Note"]);
        assert_eq!((screen.title.as_str(), screen.shown_title.as_deref()), ("Done", Some("¡Listo!")));
        for (was, is) in before.widgets.iter().zip(&screen.widgets) {
            assert_eq!((was.label.as_str(), &was.selector), (is.shown_label(), &is.selector));
            assert_eq!(before.resolve(&is.selector).map(|(widget, _)| widget.id), Some(is.id));
            assert_eq!(screen.resolve(&was.selector).map(|(widget, _)| widget.id), Some(is.id));
        }
        assert_eq!((before.fingerprint, before.digest), (screen.fingerprint, screen.digest));
        assert_eq!(screen.widgets[4].value, "Pago", "what a field holds is nobody's text but the user's");
        let target = screen.widgets[2].target();
        assert_eq!((target.label.as_str(), target.shown_label()), ("Skip", "Omitir"));
    }

    #[test]
    fn an_expectation_is_met_in_either_language_and_says_so() {
        let mut screen = screen();
        screen.read_as(&english);
        let met = check(&Expectation::Visible("payment, cash".into()), &screen);
        assert!(met.held && met.evidence.contains("\"Pago, Efectivo\"") && met.evidence.contains("\"Payment, Cash\""));
        assert!(check(&Expectation::Visible("Omitir".into()), &screen).held);
        assert!(!check(&Expectation::Absent("Skip".into()), &screen).held);
        assert!(!check(&Expectation::Visible("Later".into()), &screen).held);
        let value = |field: &str| check(&Expectation::Value { field: field.into(), is: "Pago".into() }, &screen).held;
        assert!(value("Note") && value("Nota"));
    }

    #[test]
    fn a_screen_without_known_texts_is_left_alone() {
        let mut read = screen();
        read.read_as(&|texts| vec![None; texts.len()]);
        assert_eq!(read.widgets, screen().widgets);
    }
}
