//! The accessibility tree of a scene.

use super::dialect;
use super::file::{Dialect, Quirk};
use super::scene::{Access, Content, Insets, Node, NodeIndex, Scene};
use super::target::Target;
use crate::ElementSnapshot;
use crate::domain::Rect;

/// Views that their constructors make focusable.
const SCROLLERS: [&str; 3] =
    ["android.widget.ScrollView", "android.widget.HorizontalScrollView", "androidx.recyclerview.widget.RecyclerView"];

/// What `uiautomator` sees of a scene. Nodes outside their containers are left out, their numbers stay taken.
pub(super) fn snapshot(scene: &Scene, package: &str) -> ElementSnapshot {
    let reader = Reader { scene, package };
    let mut roots = Vec::new();
    if !scene.nodes.is_empty() {
        reader.collect(0, Place { recycled: false, dialect: None }, &mut 0, &mut roots);
    }
    roots.into_iter().next().unwrap_or_default()
}

struct Reader<'a> {
    scene: &'a Scene,
    package: &'a str,
}

/// What a node's ancestors say about it.
#[derive(Clone, Copy)]
struct Place {
    /// Its parent holds only children in sight.
    recycled: bool,
    /// The toolkit that drew it.
    dialect: Option<Dialect>,
}

impl Reader<'_> {
    fn collect(&self, index: NodeIndex, place: Place, number: &mut usize, out: &mut Vec<ElementSnapshot>) {
        let Some(node) = self.scene.nodes.get(index) else { return };
        let Some(access) = &node.access else {
            if !node.opaque {
                let place = Place { recycled: place.recycled || node.extra.recycles, ..place };
                for &child in &node.children {
                    self.collect(child, place, number, out);
                }
            }
            return;
        };
        if node.visible.is_empty() {
            *number += usize::from(!place.recycled);
            return;
        }
        let own = *number;
        *number += 1;
        let dialect = place.dialect.or(node.extra.dialect);
        let mut children = Vec::new();
        if !node.opaque {
            let place = Place { recycled: node.extra.recycles, dialect };
            let mut next = 0;
            for &child in &node.children {
                self.collect(child, place, &mut next, &mut children);
            }
            if dialect == Some(Dialect::Web) {
                self.links(node, &mut children);
            }
        }
        let element = self.element(node, access, own, dialect, children);
        // The topmost node of a foreign subtree has seen all of it.
        out.push(match node.extra.dialect.filter(|_| place.dialect.is_none()) {
            Some(dialect) => dialect::translate(dialect, element),
            None => element,
        });
    }

    fn element(
        &self,
        node: &Node<Insets>,
        access: &Access,
        own: usize,
        dialect: Option<Dialect>,
        children: Vec<ElementSnapshot>,
    ) -> ElementSnapshot {
        let bare = access.id.rsplit('/').next().unwrap_or_default();
        ElementSnapshot {
            index: own,
            text: access.text.clone(),
            resource_id: match dialect {
                None => access.id.clone(),
                Some(Dialect::Compose | Dialect::ReactNative) => node.extra.testtag.clone(),
                Some(Dialect::Flutter) => String::new(),
                // Web ids are those of the page; what Android's own parts are called is not among them.
                Some(Dialect::Web) if access.id.starts_with("android:") => String::new(),
                Some(Dialect::Web) => bare.to_owned(),
            },
            class: if access.tab && dialect.is_some() { dialect::TAB } else { access.class }.to_owned(),
            package: self.package.to_owned(),
            content_desc: access.desc.clone(),
            hint: access.hint.clone(),
            checkable: access.checkable,
            checked: access.checked,
            clickable: access.clickable,
            enabled: node.enabled,
            focusable: access.focusable || dialect.is_none() && SCROLLERS.contains(&access.class),
            focused: access.focused,
            scrollable: access.scrollable || node.scroll.as_ref().is_some_and(|area| area.limit > 0.0),
            long_clickable: access.long_clickable,
            password: access.password,
            selected: access.selected,
            bounds: self.bounds(node),
            drawing_order: own + 1,
            children,
        }
    }

    fn bounds(&self, node: &Node<Insets>) -> Rect {
        let b = node.visible;
        match node.extra.quirk {
            None => b,
            Some(Quirk::Zero) => Rect::default(),
            Some(Quirk::Inverted) => Rect::new(b.left, b.bottom, b.right, b.top),
            Some(Quirk::Offscreen) => {
                let width = self.scene.nodes.first().map_or(0, |root| root.bounds.right);
                Rect::new(b.left + width, b.top, b.right + width, b.bottom)
            }
        }
    }

    /// A web page's links are nodes of their own.
    fn links(&self, node: &Node<Insets>, children: &mut Vec<ElementSnapshot>) {
        let (Content::Text(block), Some(Target::Links(..))) = (&node.content, &node.target) else { return };
        for link in &block.links {
            let boxes = block.boxes(node.bounds, node.style, link.bytes.clone());
            let Some(all) = boxes.into_iter().reduce(around) else { continue };
            children.push(ElementSnapshot {
                index: children.len(),
                text: block.text.get(link.bytes.clone()).unwrap_or_default().to_owned(),
                class: "android.view.View".to_owned(),
                package: self.package.to_owned(),
                clickable: true,
                enabled: true,
                focusable: true,
                bounds: all.intersection(node.visible).unwrap_or_default(),
                drawing_order: children.len() + 1,
                ..ElementSnapshot::default()
            });
        }
    }
}

/// The smallest rectangle around both.
fn around(a: Rect, b: Rect) -> Rect {
    Rect::new(a.left.min(b.left), a.top.min(b.top), a.right.max(b.right), a.bottom.max(b.bottom))
}
