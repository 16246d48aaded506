//! Values made up where the case says that any will do: drawn from the run's seed, so that the same seed gives the same, and seen in
//! the run's events like every other.

use super::context::Context;
use super::{Move, Proposal, Source};
use crate::domain::{Action, BundledTable, CueList, CueText, InputText, Lots};
use crate::form::{DatePattern, FieldKind, kinds};
use crate::hierarchy::Widget;
use crate::pipeline::policy::{Feature, Features};
use crate::pipeline::screen_model::Purpose;
use crate::pipeline::task::{Verb, VerbSet};
use jiff::civil::Date;
use serde::Deserialize;

static ANY_VALUE: BundledTable<AnyValue> =
    BundledTable::toml("src/pipeline/propose/any.toml", include_str!("any.toml"));

/// How well a value that may be any fits a field that nothing else belongs in.
const FITS: f32 = 0.7;

/// The words; see `any.toml`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnyValue {
    says: CueList,
    people: Vec<String>,
    words: Vec<String>,
}

/// Checks that the bundled words can be read.
///
/// # Errors
/// The file is broken.
pub(in crate::pipeline) fn verify_table() -> Result<(), crate::domain::TableError> {
    ANY_VALUE.verify()
}

/// Values for the empty fields of the screen that nothing else belongs in, where the clause says that any will do. A field for a
/// password gets none: a secret is not made up. What is looked up is not either.
pub(in crate::pipeline) fn any_values(context: &Context<'_>) -> Vec<Proposal> {
    let clause = context.clause();
    let enters = clause.is_goal || clause.fills() || clause.leads_with(VerbSet::of(&[Verb::Create, Verb::Edit]));
    let any = ANY_VALUE.get();
    if !enters || !any.is_meant(&clause.step.instruction) {
        return Vec::new();
    }
    let cues = context.episode.scorer.cues;
    let is_search = |field: &Widget| {
        [&field.label, &field.hint, &field.id_words].into_iter().any(|text| cues.is_search(text))
            || context.model.control(field.id).purposes.has(Purpose::Search)
    };
    let bound = |field: &Widget| context.bindings.open.iter().any(|binding| binding.widget == Some(field.id));
    let journal = context.episode.journal;
    // A field without a hint may be called by what was typed into it.
    let named = |field: &Widget| field.value == field.hint || field.value == field.label;
    let empty =
        |field: &Widget| field.value.is_empty() || named(field) && !journal.typed().any(|typed| typed == field.value);
    let open = |field: &&Widget| {
        field.state.enabled && !field.state.password && empty(field) && !bound(field) && !is_search(field)
    };
    let height = context.model.screen.display.height.max(1) as f32;
    let proposal = |field: &Widget| {
        let said = [&field.label, &field.hint, &field.context, &field.id_words];
        let said = said.into_iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        let drawn = any.draw(&said, &clause.step.instruction, context.episode.seed);
        let above = 1.0 - (field.bounds.top as f32 / height).clamp(0.0, 1.0);
        Proposal {
            action: Move::Act(Action::InputText { target: field.target(), text: InputText::Plain(drawn) }),
            widget: Some(field.id),
            source: Source::Input,
            features: Features::default()
                .with(Feature::Binding, FITS)
                .with(Feature::BindingMentioned, 1.0)
                .with(Feature::Above, above),
            parameter: None,
            shown: None,
            reason: "the case says that any value will do; this one is drawn from the seed".to_owned(),
            text: field.label.clone(),
        }
    };
    context.model.fields().filter(open).map(proposal).collect()
}

impl AnyValue {
    /// The instruction says that any value will do.
    fn is_meant(&self, instruction: &str) -> bool {
        CueText::new(instruction).holds(&self.says)
    }

    /// A value for a field. `instruction` may tell how dates are written.
    fn draw(&self, field: &str, instruction: &str, seed: u64) -> String {
        let mut draw = Lots::new(seed, field);
        let number = |draw: &mut Lots, digits: u32| {
            let least = 10_u64.pow(digits - 1);
            (least + draw.next() % (9 * least)).to_string()
        };
        let word = |draw: &mut Lots| pick(&self.words, draw);
        match kinds(field).into_iter().next() {
            Some(FieldKind::Email) => format!("{}.{}@example.com", word(&mut draw), number(&mut draw, 3)),
            Some(FieldKind::Phone) => format!("202555{}", number(&mut draw, 4)),
            Some(FieldKind::Date(own)) => {
                let day = day_to_come(&mut draw);
                let pattern = own.or_else(|| DatePattern::find(instruction));
                pattern.map_or_else(|| day.to_string(), |pattern| pattern.write(day))
            }
            Some(FieldKind::Time) => format!("{:02}:{:02}", 8 + draw.next() % 10, draw.next() % 60),
            Some(FieldKind::Link) => format!("https://example.com/{}", word(&mut draw)),
            Some(FieldKind::Name) => pick(&self.people, &mut draw),
            Some(FieldKind::Number) => number(&mut draw, 2),
            None => {
                let first = word(&mut draw);
                let second = word(&mut draw);
                let capital = first.chars().next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
                format!("{capital}{} {second}", first.get(1..).unwrap_or_default())
            }
        }
    }
}

fn pick(list: &[String], draw: &mut Lots) -> String {
    let at = draw.next() % (list.len().max(1) as u64);
    list.get(at as usize).cloned().unwrap_or_default()
}

/// A day to come, so that forms that want one take it.
fn day_to_come(draw: &mut Lots) -> Date {
    let mut part = |from: i16, count: u64| from + (draw.next() % count) as i16;
    let (year, month, day) = (part(2030, 5), part(1, 12), part(1, 28));
    // Every month has so many days.
    Date::new(year, month as i8, day as i8).unwrap_or(Date::constant(2030, 1, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_suits_its_field_and_follows_from_the_seed() {
        let any = ANY_VALUE.get();
        let drawn = |field: &str, seed| any.draw(field, "Dates as MM/DD/YY.", seed);
        assert_eq!(drawn("Title", 4), drawn("Title", 4));
        assert!((0..20).any(|seed| drawn("Title", seed) != drawn("Title", 4)));
        assert!(drawn("Email address", 1).ends_with("@example.com"));
        assert!(drawn("Mobile", 1).chars().all(|c| c.is_ascii_digit()));
        let due = drawn("Due date", 3);
        assert!(due.len() == 8 && due.matches('/').count() == 2, "{due}");
        assert_eq!(any.draw("Start DD.MM.YYYY", "", 3).len(), 10);
        assert_eq!(any.draw("Date", "", 3).len(), 10);
        assert!(any.draw("Description", "", 3).contains(' '));
    }

    #[test]
    fn the_case_must_say_that_any_will_do() {
        let any = ANY_VALUE.get();
        assert!(
            any.is_meant("Just provide random information") && any.is_meant("随便填写") && any.is_meant("Any title")
        );
        assert!(!any.is_meant("Create a note called Many things"));
    }
}
