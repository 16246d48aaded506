//! What an agent may know of a recorded app before it starts: what trying things out has found. How people solved the
//! tasks is never shown to it.

use super::foresight::Screens;
use crate::app_map::AppMap;
use crate::inference::{EmbedError, Embedder};
use crate::recorded::{ActionKind, RecordedApp, Source, StateId};

/// The map from the transitions of `source: exploration` alone.
pub(super) fn explored(
    app: &RecordedApp,
    screens: &mut Screens<'_>,
    embedder: &dyn Embedder,
) -> Result<AppMap, EmbedError> {
    let mut map = AppMap::default();
    let tried = app.transitions.iter().filter(|way| way.source == Source::Exploration);
    let ids: Vec<StateId> = tried.clone().flat_map(|way| [way.from.clone(), way.to.clone()]).collect();
    screens.perceive(&ids);
    for way in tried {
        let (Some(from), Some(to)) = (screens.seen(&way.from), screens.seen(&way.to)) else { continue };
        let (from, to) = (map.place(&from.screen), map.place(&to.screen));
        if let (ActionKind::Click, Some(bounds)) = (way.action.kind, way.action.bounds) {
            map.connect(from, bounds, to);
        }
    }
    map.embed(embedder)?;
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app_map::View;
    use crate::inference::Embedding;
    use crate::recorded::sample::Sample;

    /// All texts are the same to it.
    struct Indifferent;

    impl Embedder for Indifferent {
        fn dimensions(&self) -> usize {
            1
        }

        fn embed(&self, texts: &[&str]) -> Result<Vec<Embedding>, EmbedError> {
            Ok(texts.iter().map(|_| vec![1.0_f32].into()).collect())
        }

        fn model_calls(&self) -> u64 {
            0
        }
    }

    #[test]
    fn the_map_holds_what_exploration_found_and_nothing_of_how_people_solved_a_task() {
        let app = Sample::new("list")
            .state("list", &["TextView Notes", "Button Menu", "Button Milk"])
            .state("menu", &["Button Settings", "Button Help"])
            .state("milk", &["TextView Milk", "Button Delete"])
            .way("list", "click", 2, None, "menu", "exploration")
            .way("list", "click", 3, None, "milk", "user")
            .task("t", &[("list", "click", 3, None), ("milk", "click", 2, None)], "list", &[1], &[])
            .app();
        let mut screens = Screens::new(&app);
        let map = explored(&app, &mut screens, &Indifferent).unwrap();
        assert_eq!(map.size(), (2, 1));
        let list = screens.seen(&StateId::new("list").unwrap()).unwrap();
        let view = View::of(&list.screen);
        let lead = |label: &str| {
            let at = view.controls.iter().position(|control| control.label == label).unwrap();
            map.lead(&view, at).and_then(|lead| map.view(lead.to)).map(|there| there.controls.len())
        };
        assert_eq!((lead("Menu"), lead("Milk")), (Some(2), None));
    }
}
