//! Gauges: a value with its unit, "21.5 °C", and a control on each side that turns it up or down.

use super::words::Words;
use super::{Certain, Doubt, chosen};
use crate::agent::memory::StepMemory;
use crate::domain::Action;
use crate::hierarchy::{Role, Screen, Widget};

/// How far below its value a gauge's controls may stand, in heights of the value.
const BELOW: i32 = 4;

/// A number and what it counts: "21.5 °C", "40 %", "€12".
#[derive(Debug, Clone, PartialEq)]
struct Amount {
    number: f64,
    /// Everything but the number, without blanks, in lower case.
    unit: String,
}

impl Amount {
    /// Reads a text that is one number and a unit of at most two words.
    fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let start = text.find(|c: char| c.is_ascii_digit())?;
        let end = text.rfind(|c: char| c.is_ascii_digit())? + 1;
        let mut digits = text[start..end].replace(['\u{a0}', '\u{202f}'], "");
        // "1,000" is a thousand, "21,5" is not.
        let thousands =
            digits.split(',').skip(1).all(|part| part.split('.').next().is_some_and(|part| part.len() == 3));
        digits = if thousands { digits.replace(',', "") } else { digits.replace(',', ".") };
        let signed = text[..start].ends_with(['-', '−'])
            && !text[..start].trim_end_matches(['-', '−']).ends_with(char::is_alphanumeric);
        let number: f64 = digits.parse().ok()?;
        let before = if signed { text[..start].trim_end_matches(['-', '−']) } else { &text[..start] };
        let unit = format!("{before} {}", &text[end..]);
        (unit.split_whitespace().count() <= 2).then(|| Self {
            number: if signed { -number } else { number },
            unit: unit.split_whitespace().collect::<String>().to_lowercase(),
        })
    }
}

/// A value and what turns it.
struct Gauge<'a> {
    value: f64,
    more: &'a Widget,
    fewer: &'a Widget,
    /// The words of the controls tell which is which.
    told: bool,
}

impl Doubt<'_> {
    /// Turns a gauge that shows what the step names in the same unit to the value it names. A fraction needs no unit: nothing
    /// is counted in fractions.
    pub(super) fn gauged(&self, memory: &mut StepMemory) -> Option<Certain> {
        let measured = |amount: &Amount| !amount.unit.is_empty() || amount.number.fract() != 0.0;
        let wanted = self.step.named.iter().find_map(|name| Amount::read(name).filter(measured))?;
        let gauge = find(self.screen, self.words, &wanted.unit)?;
        let before = memory.gauge.take();
        let off = wanted.number - gauge.value;
        if off.abs() < 1e-6 {
            return Some(Certain::Done(format!("it shows {}", self.step.named.join(", "))));
        }
        let mut control = if off > 0.0 { gauge.more } else { gauge.fewer };
        if let Some((was, touched)) = before {
            let (moved, wrong) = (gauge.value - was, (gauge.value - was) * (wanted.number - was) < 0.0);
            if moved.abs() > 1e-6 && (wanted.number - was) * off < 0.0 {
                // It went past: the value is none that it takes.
                return None;
            }
            // Where no word told which is which, the first touch does.
            if !gauge.told && wrong && touched == control.bounds {
                control = if off > 0.0 { gauge.fewer } else { gauge.more };
            } else if !gauge.told && !wrong && moved.abs() > 1e-6 {
                control = [gauge.more, gauge.fewer].into_iter().find(|one| one.bounds == touched).unwrap_or(control);
            }
        }
        let choice = chosen(control, "it turns towards the value the step names");
        let Action::Click { .. } = choice.candidate.action else { return None };
        if !control.state.enabled {
            return None;
        }
        if memory.is_excluded(self.screen.fingerprint, &choice.candidate.action) {
            // It turned the value before, and can still be touched: it stops short of what is named.
            memory.stopped = Some(control.bounds);
            return None;
        }
        memory.counting = true;
        memory.gauge = Some((gauge.value, control.bounds));
        Some(Certain::Do(choice))
    }
}

/// The only gauge on the screen in this unit; in any, where none is said.
fn find<'a>(screen: &'a Screen, words: &Words, unit: &str) -> Option<Gauge<'a>> {
    let mut found = screen.widgets.iter().filter(|widget| widget.role != Role::Field).filter_map(|reading| {
        // Without a unit a value to be chosen from several looks the same.
        if unit.is_empty() && reading.clickable {
            return None;
        }
        let amount = Amount::read(&reading.label).filter(|amount| unit.is_empty() || amount.unit == unit)?;
        let (more, fewer, told) = controls(screen, reading, words)?;
        Some(Gauge { value: amount.number, more, fewer, told })
    });
    let gauge = found.next()?;
    found.next().is_none().then_some(gauge)
}

/// What turns a value up and down: two controls of one size on either side of it, or below it side by side.
fn controls<'a>(screen: &'a Screen, reading: &Widget, words: &Words) -> Option<(&'a Widget, &'a Widget, bool)> {
    let (middle, height) = (reading.bounds.center(), reading.bounds.height().max(1));
    let turns = |widget: &&Widget| widget.clickable && matches!(widget.role, Role::Button | Role::Image);
    let near = |widget: &&Widget| {
        let down = widget.bounds.center().y - middle.y;
        (-height..=BELOW * height).contains(&down)
    };
    let all: Vec<&Widget> = screen.widgets.iter().filter(turns).filter(near).collect();
    let mut best: Option<(i32, &Widget, &Widget)> = None;
    for (at, one) in all.iter().enumerate() {
        for other in all.iter().skip(at + 1) {
            let (left, right) =
                if one.bounds.center().x < other.bounds.center().x { (one, other) } else { (other, one) };
            let (a, b) = (left.bounds, right.bounds);
            let level = (a.center().y - b.center().y).abs() <= a.height() / 4;
            let alike =
                (a.height() - b.height()).abs() * 4 <= a.height() && (a.width() - b.width()).abs() * 3 <= a.width();
            let between = a.center().x < middle.x && middle.x < b.center().x;
            let centred =
                (i32::midpoint(a.center().x, b.center().x) - middle.x).abs() * 5 <= b.center().x - a.center().x;
            let apart = (b.center().x - a.center().x) + 2 * (a.center().y - middle.y).abs();
            let said = |widget: &Widget| words.counts(&widget.label);
            let opposed = said(left) != said(right) || said(left).is_none();
            if level && alike && between && centred && opposed && best.is_none_or(|(known, ..)| apart < known) {
                best = Some((apart, left, right));
            }
        }
    }
    let (_, left, right) = best?;
    let told = words.counts(&left.label).is_some() || words.counts(&right.label).is_some();
    let mirrored = words.counts(&left.label) == Some(true) || words.counts(&right.label) == Some(false);
    Some(if mirrored { (left, right, told) } else { (right, left, told) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::sample::{Head, button, row, screen, step, text};

    #[test]
    fn amounts_are_read_with_their_units() {
        let read = |text: &str| Amount::read(text).map(|amount| (amount.number, amount.unit));
        assert_eq!(read("21.5 °C"), Some((21.5, "°c".into())));
        assert_eq!(read("21,5°C"), Some((21.5, "°c".into())));
        assert_eq!(read("1,000 ml"), Some((1000.0, "ml".into())));
        assert_eq!(read("-3 °C"), Some((-3.0, "°c".into())));
        assert_eq!(read("€12"), Some((12.0, "€".into())));
        assert_eq!(read("40 %"), Some((40.0, "%".into())));
        assert_eq!(read("two"), None);
        assert_eq!(read("room 4 on the 2nd floor"), None);
    }

    /// "−  20 °C  +" in a row.
    fn page(left: &str, value: &str, right: &str) -> Screen {
        let of = |widget, left| row(widget, 1, left);
        screen(vec![of(button(left), 0), of(text(value), 200), of(button(right), 400), row(button("Save"), 5, 300)])
    }

    fn turned(page: &Screen, name: &str, memory: &mut StepMemory) -> String {
        let head = Head::new(&[], "");
        match head.agent().certain(&step(&format!("Make it {name}"), &[name]), None, page, memory) {
            Some(Certain::Do(choice)) => choice.candidate.action.to_string(),
            Some(Certain::Done(_)) => "done".into(),
            _ => "open".into(),
        }
    }

    #[test]
    fn a_gauge_is_turned_to_its_value_on_whichever_side() {
        let fresh = StepMemory::default;
        assert_eq!(turned(&page("Colder", "20 °C", "Hotter"), "22 °C", &mut fresh()), "click \"Hotter\"");
        assert_eq!(turned(&page("Colder", "20 °C", "Hotter"), "19 °C", &mut fresh()), "click \"Colder\"");
        assert_eq!(turned(&page("Increase", "20 °C", "Decrease"), "22 °C", &mut fresh()), "click \"Increase\"");
        assert_eq!(turned(&page("Colder", "22 °C", "Hotter"), "22 °C", &mut fresh()), "done");
    }

    #[test]
    fn what_moved_the_wrong_way_was_the_other_control() {
        let mut memory = StepMemory::default();
        assert_eq!(turned(&page("Hotter", "20 °C", "Colder"), "22 °C", &mut memory), "click \"Colder\"");
        assert_eq!(turned(&page("Hotter", "19 °C", "Colder"), "22 °C", &mut memory), "click \"Hotter\"");
        assert_eq!(turned(&page("Hotter", "20 °C", "Colder"), "22 °C", &mut memory), "click \"Hotter\"");
        assert_eq!(turned(&page("Hotter", "21 °C", "Colder"), "22 °C", &mut memory), "click \"Hotter\"");
    }

    #[test]
    fn a_value_that_it_does_not_take_ends_the_turning() {
        let mut memory = StepMemory::default();
        assert_eq!(turned(&page("Colder", "20 °C", "Hotter"), "21 °C", &mut memory), "click \"Hotter\"");
        assert!(!turned(&page("Colder", "22 °C", "Hotter"), "21 °C", &mut memory).contains("click \"Colder\""));
    }

    #[test]
    fn a_fraction_needs_no_unit_and_a_whole_number_is_a_count() {
        assert_eq!(turned(&page("Slower", "1.0×", "Faster"), "1.7", &mut StepMemory::default()), "click \"Faster\"");
        assert_eq!(turned(&page("Slower", "1.7×", "Faster"), "1.7", &mut StepMemory::default()), "done");
        assert_eq!(turned(&page("Slower", "1.5×", "Faster"), "3", &mut StepMemory::default()), "open");
    }

    #[test]
    fn another_unit_is_another_thing() {
        assert!(!turned(&page("Colder", "20 %", "Hotter"), "22 °C", &mut StepMemory::default()).contains("otter"));
    }
}
