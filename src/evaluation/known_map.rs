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
