//! What an agent may know of a recorded app before it starts: what trying things out has found. How people solved the
//! tasks is never shown to it.

use super::foresight::Screens;
use crate::app_map::{Discovery, View};
use crate::recorded::{ActionKind, RecordedApp, Source, StateId};
use std::sync::Arc;

/// What the transitions of `source: exploration` alone tell.
pub(super) fn explored(app: &RecordedApp, screens: &mut Screens<'_>) -> Vec<Discovery> {
    let tried = app.transitions.iter().filter(|way| way.source == Source::Exploration);
    let ids: Vec<StateId> = tried.clone().flat_map(|way| [way.from.clone(), way.to.clone()]).collect();
    screens.perceive(&ids);
    let mut found = Vec::new();
    for way in tried {
        let (Some(from), Some(to)) = (screens.seen(&way.from), screens.seen(&way.to)) else { continue };
        let view = |seen: &crate::device::Seen| Arc::new(View::of(&seen.screen));
        let (from, to) = (view(from), view(to));
        let touched = way.action.bounds.filter(|_| way.action.kind == ActionKind::Click);
        found.push(Discovery { from, way: touched.map(|bounds| (bounds, Arc::clone(&to))) });
        found.push(Discovery { from: to, way: None });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app_map::AppMap;
    use crate::recorded::sample::Sample;

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
        let mut map = AppMap::default();
        explored(&app, &mut screens).iter().for_each(|discovery| map.discover(discovery));
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
