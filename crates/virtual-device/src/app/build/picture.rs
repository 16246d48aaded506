//! Painted pictures: photos, maps, charts, QR codes.

use super::super::file::{self, ChartKind, ColorRole, Common, Expression, TextStyle, Widget};
use super::super::paint::{MapPin, Paint};
use super::super::qr;
use super::super::scene::{Content, NodeIndex};
use super::{Builder, Built, justify};
use rhai::Dynamic;

impl Builder<'_> {
    pub(super) fn picture(
        &mut self,
        parent: NodeIndex,
        widget: &Widget,
        common: &Common<'_>,
        in_row: bool,
    ) -> Built<()> {
        match widget {
            Widget::Photo(w) => self.photo(parent, w, common, in_row),
            Widget::Map(w) => self.map(parent, w, common, in_row),
            Widget::Chart(w) => self.chart(parent, w, common, in_row),
            Widget::Qr(w) => {
                let text = self.text(&w.text)?;
                let mut node = self.node(common, "android.widget.ImageView", in_row)?;
                let size = common.width.or(common.height).unwrap_or(200.0);
                node.style = super::fixed(node.style, Some(self.px(size)), Some(self.px(size)));
                node.style.align_self = node.style.align_self.or(Some(taffy::AlignItems::CENTER));
                node.content = Content::Paint(Box::new(Paint::Qr(qr::encode(&text))));
                self.add(parent, node);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn photo(&mut self, parent: NodeIndex, w: &file::Photo, common: &Common<'_>, in_row: bool) -> Built<()> {
        let seed = w.seed.as_ref().map(|seed| self.value(seed)).transpose()?;
        let class = if w.children.is_empty() { "android.widget.ImageView" } else { "android.widget.FrameLayout" };
        let mut node = self.node(common, class, in_row)?;
        if common.height.is_none() && common.grow.is_none() {
            node.style.size.height = taffy::Dimension::length(self.px(180.0));
        }
        node.style.gap = self.gap(w.gap);
        node.style.justify_content = justify(w.justify);
        node.content = Content::Paint(Box::new(Paint::Photo {
            kind: w.kind,
            seed: seed.map_or(0, |seed| hash(&seed.to_string())),
            scrim: w.scrim.clamp(0.0, 1.0),
            radius: self.px(common.radius.unwrap_or(0.0)),
        }));
        let index = self.add(parent, node);
        self.widgets(index, &w.children, false)
    }

    fn map(&mut self, parent: NodeIndex, w: &file::Map, common: &Common<'_>, in_row: bool) -> Built<()> {
        let latitude = self.degrees(&w.latitude)?;
        let longitude = self.degrees(&w.longitude)?;
        let mut pins = Vec::new();
        if let Some(list) = &w.pins {
            for pin in self.value(list)?.into_array().unwrap_or_default() {
                let Some(map) = pin.read_lock::<rhai::Map>().map(|map| map.clone()) else { continue };
                let field = |name: &str| map.get(name).map_or(0.0, number);
                let label = map.get("label").map(ToString::to_string).unwrap_or_default();
                let color = self.palette.role(if pins.is_empty() { ColorRole::Primary } else { ColorRole::Error });
                // The map and its labels are light in both schemes.
                let mut block = self.block(label.clone(), TextStyle::Caption, super::super::palette::INK);
                block.shaped = self.context.typesetter.shape(&label, block.face, None, Some(1));
                pins.push(MapPin { latitude: field("latitude"), longitude: field("longitude"), label: block, color });
            }
        }
        let mut node = self.node(common, "android.view.View", in_row)?;
        if common.height.is_none() && common.grow.is_none() {
            node.style.size.height = taffy::Dimension::length(self.px(240.0));
        }
        if let Some(access) = &mut node.access {
            if access.desc.is_empty() {
                "Google Map".clone_into(&mut access.desc);
            }
            access.focusable = true;
        }
        node.content = Content::Paint(Box::new(Paint::Map {
            latitude,
            longitude,
            zoom: w.zoom,
            pins,
            route: w.route.then(|| self.palette.role(ColorRole::Primary)),
            dp: self.context.px(1.0),
        }));
        node.opaque = true;
        self.add(parent, node);
        Ok(())
    }

    fn degrees(&mut self, expression: &Expression) -> Built<f64> {
        self.value(expression).map(|value| number(&value))
    }

    fn chart(&mut self, parent: NodeIndex, w: &file::Chart, common: &Common<'_>, in_row: bool) -> Built<()> {
        let values = self.value(&w.values)?.into_array().unwrap_or_default();
        let labels = match &w.labels {
            Some(labels) => self.value(labels)?.into_array().unwrap_or_default(),
            None => Vec::new(),
        };
        let mut node = self.node(common, "android.view.View", in_row)?;
        if common.height.is_none() && common.grow.is_none() {
            node.style.size.height = taffy::Dimension::length(self.px(160.0));
        }
        let muted = self.palette.role(ColorRole::Muted);
        let labels = labels.iter().map(|label| {
            let text = label.to_string();
            let mut block = self.block(text.clone(), TextStyle::Caption, muted);
            block.shaped = self.context.typesetter.shape(&text, block.face, None, Some(1));
            block
        });
        node.content = Content::Paint(Box::new(Paint::Chart {
            values: values.iter().map(|value| number(value) as f32).collect(),
            labels: labels.collect(),
            line: w.kind == ChartKind::Line,
            color: self.color(w.color, self.palette.role(ColorRole::Primary)),
            grid: self.palette.role(ColorRole::Divider),
            dp: self.context.px(1.0),
        }));
        node.opaque = true;
        self.add(parent, node);
        Ok(())
    }
}

fn number(value: &Dynamic) -> f64 {
    value.as_float().or_else(|_| value.as_int().map(|n| n as f64)).unwrap_or(0.0)
}

/// FNV-1a: the same on every machine.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
