//! How the parts of a reading lie in the model's input, one behind another.

use super::super::reading::Reading;

/// Kinds of parts, as the model numbers them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Instruction,
    Before,
    After,
    Past,
    Title,
    Widget,
}

/// Most things done that are read, the latest.
const MOST_PAST: usize = 8;
/// Places of widgets that are told apart; further ones are not read.
const MOST_WIDGETS: usize = 80;
/// Most tokens of a reading; widgets beyond are not read.
const MOST_TOKENS: usize = 640;
/// Stands for a text that is empty.
const NOTHING: &str = "-";

impl Kind {
    /// Most tokens of a part that are read.
    pub(super) const fn longest(self) -> usize {
        match self {
            Self::Instruction => 48,
            Self::Before | Self::After | Self::Widget => 24,
            Self::Past => 16,
            Self::Title => 12,
        }
    }
}

/// A part of a reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part<'r> {
    pub(super) kind: Kind,
    /// Its place among its kind: of what was done counted from the latest, of widgets from the first.
    pub(super) place: usize,
    pub(super) text: &'r str,
}

/// The parts of a reading, in the model's order.
pub(super) fn parts(reading: &Reading) -> Vec<Part<'_>> {
    let mut parts = vec![Part { kind: Kind::Instruction, place: 0, text: &reading.instruction }];
    let around = [(Kind::Before, &reading.before), (Kind::After, &reading.after)];
    parts.extend(around.into_iter().filter(|(_, text)| !text.is_empty()).map(|(kind, text)| Part {
        kind,
        place: 0,
        text,
    }));
    let past = &reading.past[reading.past.len().saturating_sub(MOST_PAST)..];
    parts.extend(past.iter().rev().enumerate().rev().map(|(place, text)| Part { kind: Kind::Past, place, text }));
    parts.push(Part { kind: Kind::Title, place: 0, text: or_nothing(&reading.title) });
    let widgets = reading.widgets.iter().take(MOST_WIDGETS).enumerate();
    parts.extend(widgets.map(|(place, text)| Part { kind: Kind::Widget, place, text: or_nothing(text) }));
    parts
}

fn or_nothing(text: &str) -> &str {
    if text.is_empty() { NOTHING } else { text }
}

/// The model's whole-number inputs, one value a token, and which tokens the instruction and each widget are the mean of.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Layout {
    pub(super) kind: Vec<i64>,
    pub(super) place: Vec<i64>,
    pub(super) segment: Vec<i64>,
    pub(super) offset: Vec<i64>,
    /// How many widgets are read.
    pub(super) widgets: usize,
    /// How many parts are read.
    pub(super) parts: usize,
}

impl Layout {
    /// Lays parts of these lengths, in tokens, one behind another.
    pub(super) fn of(parts: &[Part<'_>], lengths: &[usize]) -> Self {
        // The instruction is segment 0, widgets follow in order, everything else comes behind them.
        let behind = 1 + parts.iter().filter(|part| part.kind == Kind::Widget).count();
        let mut layout = Self::default();
        let mut others = 0;
        for (part, &length) in parts.iter().zip(lengths) {
            let segment = match part.kind {
                Kind::Instruction => 0,
                Kind::Widget if layout.kind.len() + length > MOST_TOKENS => break,
                Kind::Widget => {
                    layout.widgets = part.place + 1;
                    layout.widgets
                }
                _ => {
                    others += 1;
                    behind + others - 1
                }
            };
            layout.kind.extend(std::iter::repeat_n(part.kind as i64, length));
            layout.place.extend(std::iter::repeat_n(part.place as i64, length));
            layout.segment.extend(std::iter::repeat_n(segment as i64, length));
            layout.offset.extend((0..length).map(|at| at as i64));
            layout.parts += 1;
        }
        layout
    }

    /// How many tokens are read.
    pub(super) fn tokens(&self) -> usize {
        self.kind.len()
    }

    /// For the instruction and each widget a row of shares: 1 / length for its own tokens.
    pub(super) fn shares(&self) -> Vec<f32> {
        let tokens = self.tokens();
        let mut shares = vec![0.0; (self.widgets + 1) * tokens];
        for row in 0..=self.widgets {
            let own = || self.segment.iter().enumerate().filter(move |(_, segment)| **segment == row as i64);
            let share = 1.0 / own().count().max(1) as f32;
            own().for_each(|(at, _)| shares[row * tokens + at] = share);
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading() -> Reading {
        Reading {
            instruction: "Rename the list".into(),
            before: String::new(),
            after: "Go back".into(),
            past: vec!["click More".into(), "click Rename".into()],
            title: String::new(),
            widgets: vec!["Name | field".into(), String::new(), "Save | button".into()],
        }
    }

    #[test]
    fn parts_come_in_order_and_the_latest_action_has_place_zero() {
        let reading = reading();
        let told: Vec<String> =
            parts(&reading).iter().map(|part| format!("{:?} {} {}", part.kind, part.place, part.text)).collect();
        let expected = [
            "Instruction 0 Rename the list",
            "After 0 Go back",
            "Past 1 click More",
            "Past 0 click Rename",
            "Title 0 -",
            "Widget 0 Name | field",
            "Widget 1 -",
            "Widget 2 Save | button",
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn the_instruction_and_widgets_have_segments_of_their_own_numbers() {
        let reading = reading();
        let parts = parts(&reading);
        let layout = Layout::of(&parts, &[2, 1, 1, 1, 1, 2, 1, 2]);
        assert_eq!(layout.segment, [0, 0, 4, 5, 6, 7, 1, 1, 2, 3, 3]);
        assert_eq!(layout.offset, [0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1]);
        assert_eq!((layout.widgets, layout.tokens(), layout.parts), (3, 11, 8));
        let shares = layout.shares();
        assert_eq!(&shares[..3], [0.5, 0.5, 0.0]);
        assert_eq!(&shares[3 * 11 + 9..], [0.5, 0.5]);
    }

    #[test]
    fn a_very_full_screen_is_read_as_far_as_there_is_room() {
        let full = Reading { widgets: vec!["Entry | list item".into(); 200], ..reading() };
        let parts = parts(&full);
        let lengths: Vec<usize> = parts.iter().map(|_| 20).collect();
        let layout = Layout::of(&parts, &lengths);
        assert_eq!(layout.tokens(), MOST_TOKENS);
        assert_eq!(layout.widgets, MOST_TOKENS / 20 - 5);
    }
}
