//! The accessibility tree of a scene.

use super::scene::{NodeIndex, Scene};
use crate::virtual_device::ElementSnapshot;

/// What `uiautomator` sees of a scene. Nodes outside their containers are left out, their numbers stay taken.
pub(super) fn snapshot(scene: &Scene, package: &str) -> ElementSnapshot {
    let mut roots = Vec::new();
    if !scene.nodes.is_empty() {
        collect(scene, 0, package, &mut 0, &mut roots);
    }
    roots.into_iter().next().unwrap_or_default()
}

fn collect(scene: &Scene, index: NodeIndex, package: &str, number: &mut usize, out: &mut Vec<ElementSnapshot>) {
    let Some(node) = scene.nodes.get(index) else { return };
    let Some(access) = &node.access else {
        if !node.opaque {
            for &child in &node.children {
                collect(scene, child, package, number, out);
            }
        }
        return;
    };
    let own = *number;
    *number += 1;
    if node.visible.is_empty() {
        return;
    }
    let mut children = Vec::new();
    if !node.opaque {
        let mut next = 0;
        for &child in &node.children {
            collect(scene, child, package, &mut next, &mut children);
        }
    }
    out.push(ElementSnapshot {
        index: own,
        text: access.text.clone(),
        resource_id: access.id.clone(),
        class: access.class.to_owned(),
        package: package.to_owned(),
        content_desc: access.desc.clone(),
        hint: access.hint.clone(),
        checkable: access.checkable,
        checked: access.checked,
        clickable: access.clickable,
        enabled: node.enabled,
        focusable: access.focusable,
        focused: access.focused,
        scrollable: access.scrollable || node.scroll.as_ref().is_some_and(|area| area.limit > 0.0),
        long_clickable: access.long_clickable,
        password: access.password,
        selected: access.selected,
        bounds: node.visible,
        drawing_order: own + 1,
        children,
    });
}
