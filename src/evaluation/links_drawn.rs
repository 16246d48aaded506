//! Paragraphs with links, drawn with the virtual device's own typesetter.

use super::links_texts::{DEVELOPED_ON, HELD_OUT, Text};
use crate::domain::{Rect, Screenshot};
use crate::virtual_device::ElementSnapshot;
use crate::virtual_device::app::{AppContext, AppFile, ShownLink, Typesetter, launch, shown_links};
use quick_xml::escape::escape;
use std::fmt::Write;
use std::sync::Arc;

const STYLES: &[&str] =
    &["coloured", "underlined", "dark", "dark underlined", "photo", "photo underlined", "two links", "broken"];

const BLUES: &[&str] = &["#1976d2", "#1a73e8", "#00897b", "#c2185b", "#6a1b9a", "#d84315", "#0000ee", "#2e7d32"];
const PALE: &[&str] = &["#8ab4f8", "#80cbc4", "#ffb74d", "#f48fb1", "#81d4fa"];
const PHOTOS: &[&str] = &["landscape", "city", "food", "portrait", "abstract", "product"];

/// A paragraph, drawn.
pub(super) struct DrawnParagraph {
    pub(super) script: &'static str,
    pub(super) style: &'static str,
    pub(super) hierarchy: String,
    pub(super) picture: Screenshot,
    /// Each link with the boxes of its ink.
    pub(super) links: Vec<(ShownLink, Vec<Rect>)>,
}

/// The seed of the paragraphs that perception was developed on. Every other seed has other words, colours, places and
/// photographs.
pub const DEVELOPMENT_SEED: u64 = 1;

/// The texts of a seed, and what the look of this paragraph follows from.
pub(super) fn texts_and_lot(number: usize, seed: u64) -> (&'static [Text], usize) {
    if seed == DEVELOPMENT_SEED { (DEVELOPED_ON, number) } else { (HELD_OUT, scattered(seed, number)) }
}

/// Draws the paragraph of this number: every script meets every style, and sizes, colours and widths change.
pub(super) fn draw(number: usize, seed: u64) -> Result<DrawnParagraph, String> {
    let developing = seed == DEVELOPMENT_SEED;
    let (texts, lot) = texts_and_lot(number, seed);
    let text = &texts[number % texts.len()];
    let round = number / texts.len();
    let style = STYLES[(number % texts.len() + round) % STYLES.len()];
    let mut padding = 16 + lot * 7 % 60;
    // A link is broken where its line ends: the width is changed until that is within the link.
    for attempt in 0..40 {
        let look = Look { lot, developing, style, padding, attempt };
        let drawn = look.draw(text)?;
        if style != "broken" || drawn.links.iter().any(|(link, _)| link.boxes.len() > 1) {
            return Ok(drawn);
        }
        padding += 5;
    }
    Err(format!("no width breaks a link of {}", text.0))
}

/// Another colour, far from this one in every channel.
fn opposite(colour: &str) -> String {
    let value = u32::from_str_radix(colour.trim_start_matches('#'), 16).unwrap_or_default();
    format!("#{:06x}", value ^ 0x80_80_80)
}

/// A number that follows from both (`SplitMix64`).
fn scattered(seed: u64, number: usize) -> usize {
    let mut z =
        seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z >> 40) as usize
}

/// How a paragraph looks.
pub(super) struct Look {
    /// What size, colour, alignment and photograph follow from.
    pub(super) lot: usize,
    pub(super) developing: bool,
    pub(super) style: &'static str,
    pub(super) padding: usize,
    pub(super) attempt: usize,
}

impl Look {
    fn draw(&self, (locale, parts): &Text) -> Result<DrawnParagraph, String> {
        let dark = self.style.contains("dark") || self.style.contains("photo");
        let (ink, link) = self.colours(dark);
        let link = if self.style.contains("underlined") { ink.clone() } else { link };
        let (ink, link) = (ink.as_str(), link.as_str());
        let spans = self.spans(parts);
        let (hierarchy, picture, links) = shown(&self.app(&spans, link, ink)?, locale)?;
        // The same with links in another colour: where both differ, a link has its ink.
        let (_, contrast, _) = shown(&self.app(&spans, &opposite(link), ink)?, locale)?;
        let links = links
            .into_iter()
            .map(|link| {
                let ink = link.boxes.iter().filter_map(|place| differing(&picture, &contrast, *place)).collect();
                (link, ink)
            })
            .collect();
        let script = locale.split('-').next().unwrap_or(locale);
        Ok(DrawnParagraph { script, style: self.style, hierarchy, picture, links })
    }

    /// The text's colour and the links'.
    pub(super) fn colours(&self, dark: bool) -> (String, String) {
        if self.developing {
            let of = if dark { PALE } else { BLUES };
            let ink = if dark { "#ececec" } else { "#222428" };
            return (ink.to_owned(), of[self.lot / 3 % of.len()].to_owned());
        }
        // Any hue, as readable on its ground as the text.
        let lot = |from: usize, to: usize, salt: u64| from + scattered(salt, self.lot) % (to - from);
        let grey = if dark { lot(190, 256, 11) } else { lot(0, 80, 11) };
        let (hue, saturation) = (lot(0, 360, 12) as f32 / 60.0, lot(60, 101, 13) as f32 / 100.0);
        let lightness = if dark { lot(66, 81, 14) } else { lot(28, 43, 14) } as f32 / 100.0;
        let chroma = saturation * lightness.min(1.0 - lightness);
        let channel = |offset: f32| {
            let k = (offset + 2.0 * hue).rem_euclid(12.0);
            let value = lightness - chroma * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0);
            (value * 255.0).round() as u8
        };
        let link = format!("#{:02x}{:02x}{:02x}", channel(0.0), channel(8.0), channel(4.0));
        (format!("#{grey:02x}{grey:02x}{grey:02x}"), link)
    }

    fn spans(&self, parts: &[&str; 5]) -> String {
        let two = self.style == "two links";
        let is_link =
            |at: usize| at == 1 && (two || self.lot.is_multiple_of(2)) || at == 3 && (two || self.lot % 2 == 1);
        parts.iter().enumerate().map(|(at, part)| span(part, is_link(at))).collect()
    }

    /// The app that shows these spans.
    pub(super) fn app(&self, spans: &str, link: &str, ink: &str) -> Result<Arc<AppFile>, String> {
        let (lot, padding) = (self.lot, self.padding);
        let size = ["small", "body", "label"][lot % 3];
        let align = if lot % 5 == 4 { "center" } else { "start" };
        let underline = self.style.contains("underlined");
        let paragraph = format!(
            "paragraph: {{id: terms, style: {size}, align: {align}, color: \"{ink}\", link_color: \"{link}\", \
             underline: {underline}, spans: [{spans}]}}"
        );
        let body = if self.style.contains("photo") {
            let scrim = if self.developing { 0.55 } else { 0.45 + (lot % 6) as f32 * 0.05 };
            let kind = PHOTOS[lot / 5 % PHOTOS.len()];
            format!(
                "photo: {{kind: {kind}, seed: '{lot}', scrim: {scrim}, height: 320, padding: 16, children: [{{{paragraph}}}]}}"
            )
        } else {
            paragraph
        };
        let theme = if self.style.starts_with("dark") { "dark" } else { "light" };
        let text = format!(
            "package: org.example.links\nlabel: Links\nprimary: \"#00695c\"\ntheme: {{dark: {theme}}}\nscreens:\n  - id: home\n    \
             padding: [{}, {padding}]\n    body:\n      - {{{body}}}\n  - id: there\n    body: [{{spacer: {{}}}}]\n",
            40 + self.attempt
        );
        AppFile::load("links.app.yaml", &text).map(Arc::new).map_err(|error| error.to_string())
    }
}

/// A part of a paragraph.
pub(super) fn span(text: &str, is_link: bool) -> String {
    let action = if is_link { ", link: [{goto: there}]" } else { "" };
    // JSON's quoting is YAML's as well; Rust's own is not.
    format!("{{text: {}{action}}}, ", serde_json::Value::from(text))
}

/// The dump, the picture and the links of an app's first screen.
pub(super) fn shown(file: &Arc<AppFile>, locale: &str) -> Result<(String, Screenshot, Vec<ShownLink>), String> {
    let mut context = AppContext::phone();
    locale.clone_into(&mut context.locale);
    context.typesetter = Typesetter::for_locale(locale);
    let mut app = launch(Arc::clone(file), context.clone()).map_err(|error| error.to_string())?;
    let picture = app.render();
    let mut hierarchy = String::from("<hierarchy rotation=\"0\">");
    write_node(&app.snapshot(), &mut hierarchy);
    hierarchy.push_str("</hierarchy>");
    let links = shown_links(file, context).map_err(|error| error.to_string())?;
    Ok((hierarchy, picture, links))
}

/// Extent of the pixels in which two pictures differ.
fn differing(a: &Screenshot, b: &Screenshot, area: Rect) -> Option<Rect> {
    let area = a.clip(area)?;
    let mut extent: Option<Rect> = None;
    for y in area.top..area.bottom {
        for x in area.left..area.right {
            let (first, second) = (a.rgb(x as u32, y as u32)?, b.rgb(x as u32, y as u32)?);
            if first.iter().zip(second).any(|(a, b)| a.abs_diff(b) > 24) {
                let one = extent.unwrap_or_else(|| Rect::new(x, y, x + 1, y + 1));
                extent = Some(Rect::new(one.left.min(x), one.top.min(y), one.right.max(x + 1), one.bottom.max(y + 1)));
            }
        }
    }
    extent
}

fn write_node(node: &ElementSnapshot, xml: &mut String) {
    let _ = write!(
        xml,
        "<node index=\"{}\" text=\"{}\" resource-id=\"{}\" class=\"{}\" package=\"{}\" content-desc=\"{}\" \
         clickable=\"{}\" enabled=\"{}\" focusable=\"{}\" scrollable=\"{}\" bounds=\"{}\">",
        node.index,
        escape(&node.text),
        escape(&node.resource_id),
        escape(&node.class),
        escape(&node.package),
        escape(&node.content_desc),
        node.clickable,
        node.enabled,
        node.focusable,
        node.scrollable,
        node.bounds
    );
    for child in &node.children {
        write_node(child, xml);
    }
    xml.push_str("</node>");
}
