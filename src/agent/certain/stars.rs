//! Rating bars: a step that rates and names a number touches that star.

use super::{Certain, Doubt};
use crate::agent::memory::StepMemory;
use crate::case::Quantity;
use crate::domain::{Action, Point};
use crate::hierarchy::{Role, Widget};
use crate::ranking::{Candidate, Ranked};

/// Stars of a bar whose shape does not tell; the platform's own default.
const USUAL: i32 = 5;
/// How few and how many a bar may have.
const STARS: std::ops::RangeInclusive<i32> = 3..=10;

impl Doubt<'_> {
    /// Touches the star that a rating step means, on the only bar of the screen.
    pub(super) fn rated(&self, memory: &StepMemory) -> Option<Certain> {
        if !self.words.rates(&self.step.instruction) {
            return None;
        }
        let is_bar = |widget: &&Widget| widget.role == Role::Slider && widget.class.ends_with("RatingBar");
        let mut bars = self.screen.widgets.iter().filter(is_bar);
        let bar = bars.next().filter(|bar| bar.state.enabled)?;
        let total = stars(bar);
        let wanted = self.stars_named().filter(|wanted| (1..=total).contains(wanted))?;
        if bars.next().is_some() {
            return None;
        }
        let mine = |action: &Action| matches!(action, Action::Click { target } if target.bounds == bar.bounds);
        let touched = memory.done.iter().any(mine);
        match shown(bar) {
            Some(now) if (now - f64::from(wanted)).abs() < 0.01 => {
                return Some(Certain::Done(format!("it shows {wanted} stars")));
            }
            None if touched => return Some(Certain::Done(format!("star {wanted} was touched"))),
            _ => {}
        }
        let mut target = bar.target();
        let from_left = bar.bounds.width() * (2 * wanted - 1) / (2 * total);
        target.tap = Point { x: bar.bounds.left + from_left, ..bar.bounds.center() };
        let candidate =
            Candidate { action: Action::Click { target }, widget: Some(bar.id), text: bar.label.clone(), offer: None };
        self.offer(Ranked { candidate, score: 1.0, terms: vec![("the star the step names", 1.0)] }, memory)
    }

    /// The number a rating step speaks of.
    fn stars_named(&self) -> Option<i32> {
        let told = match self.step.quantity {
            Some(Quantity::Set(count) | Quantity::Add(count)) => i32::try_from(count).ok(),
            None => None,
        };
        let digits = |text: &str| {
            let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
            numbers.next()?.parse().ok()
        };
        let named = self.step.named.iter().find_map(|name| name.trim().parse().ok());
        named.or(told).or_else(|| digits(&self.step.instruction))
    }
}

/// Stars are about as wide as high.
fn stars(bar: &Widget) -> i32 {
    let (width, height) = (bar.bounds.width(), bar.bounds.height().max(1));
    let count = (width + height / 2) / height;
    if STARS.contains(&count) { count } else { USUAL }
}

/// How many stars the bar says it shows.
fn shown(bar: &Widget) -> Option<f64> {
    [&bar.value, &bar.label].into_iter().find_map(|text| text.trim().replace(',', ".").parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::sample::{Head, button, row, screen, step, text};
    use crate::hierarchy::Screen;

    fn page(value: &str) -> Screen {
        let mut bar = row(text("rating bar"), 0, 100);
        (bar.role, bar.value, bar.class) = (Role::Slider, value.into(), "android.widget.RatingBar".into());
        bar.bounds.right = bar.bounds.left + 5 * bar.bounds.height();
        screen(vec![bar, row(button("5"), 1, 0), row(button("Submit"), 2, 0)])
    }

    fn made(page: &Screen, instruction: &str) -> String {
        let head = Head::new(&[], "");
        match head.agent().certain(&step(instruction, &[]), None, page, &mut StepMemory::default()) {
            Some(Certain::Do(choice)) => {
                let target = choice.candidate.action.target().unwrap();
                let share = 10 * (target.tap.x - target.bounds.left) / target.bounds.width();
                format!("{} at {share}", target.label)
            }
            Some(Certain::Done(reason)) => reason,
            _ => "open".into(),
        }
    }

    #[test]
    fn a_rating_touches_the_star_and_not_what_bears_its_number() {
        assert_eq!(made(&page("0.0"), "Rate the trip with 5 stars"), "rating bar at 9");
        assert_eq!(made(&page("5.0"), "Give it 3 stars"), "rating bar at 5");
        assert_eq!(made(&page("3.0"), "Give it 3 stars"), "it shows 3 stars");
    }

    #[test]
    fn more_stars_than_there_are_or_another_step_is_left_to_the_ranking() {
        assert!(!made(&page("0.0"), "Rate it with 9 stars").contains("bar"));
        assert!(!made(&page("0.0"), "Give a tip of 5").contains("bar at"));
    }
}
