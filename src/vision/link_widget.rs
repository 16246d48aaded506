//! Finds the links inside a screen's texts and gives each a widget of its own.

use super::estimate::{is_rtl, text_width, words_in};
use super::link::{Paragraph, read_links, read_links_on};
use super::link_mask::{DEFAULT_LINK_COLOURS, LinkMask, is_uneven, link_mask};
use super::link_text::snapped;
use super::link_votes::{even_mask, photo_mask};
use super::link_whole::{may_be_coloured, may_be_link, whole_link};
use super::text_reader::{TextReader, bounded_scale};
use crate::domain::{Locator, Rect, Screenshot, Selector, Size};
use crate::hierarchy::{Diagnostic, LINK_CLASS, MASK, Role, Screen, Widget, WidgetState};

/// Finds links in the picture, as XUAT-Copilot does (§3.2, Fig. 3).
///
/// `colours` are the device profile's link colours as RGB; none means the stock themes'. Where they find nothing in a
/// paragraph, the colour that stands out inside it is tried, then lines drawn under words. For every link the paragraph's widget gets its boxes in
/// `links`, and a widget with [`Role::Link`] is appended: its bounds are the link's widest box, its tap point the
/// middle of that, its label the words that `reader` reads there, snapped to the paragraph's own text; **without a
/// reader, an estimate** of the words that lie there. Its context is the paragraph. Does nothing without a picture or
/// when called again. The reader's models are opened only when a link is found.
pub fn find_links(screen: &mut Screen, colours: &[[u8; 3]], reader: Option<&TextReader>) {
    let Some(picture) = screen.screenshot.clone() else { return };
    if screen.widgets.iter().any(|widget| widget.role == Role::Link) {
        return;
    }
    let Some(scale) = Scale::between(screen.display, picture.size()) else {
        let message = format!(
            "the picture has {} × {} pixels, the display {} × {}; links were not looked for",
            picture.size().width,
            picture.size().height,
            screen.display.width,
            screen.display.height
        );
        screen.tree.diagnostics.push(Diagnostic { offset: None, message });
        return;
    };
    let mut unread: Option<String> = None;
    let colours = if colours.is_empty() { DEFAULT_LINK_COLOURS } else { colours };
    for position in 0..screen.widgets.len() {
        let widget = &screen.widgets[position];
        let node = &screen.tree.nodes[widget.node];
        let text = if node.text.trim().is_empty() { &node.content_desc } else { &node.text };
        if may_be_link(widget, node, text)
            && let Some(area) = picture.clip(scale.to_picture(widget.bounds))
            && let Some(words) =
                whole_link(&picture, area, colours, node.focusable || !may_be_coloured(widget, &screen.widgets))
        {
            let place = scale.to_display(moved(words, area.left, area.top));
            let path = Locator::Path(screen.tree.path(widget.node));
            if let Some(mut link) = link_widget(widget, 0, widget.label.clone(), vec![place], &path) {
                link.id = screen.widgets.len();
                let text = &mut screen.widgets[position];
                (text.tap, text.links) = (link.tap, link.links.clone());
                screen.widgets.push(link);
            }
            continue;
        }
        if !may_hold_link(widget, text, node.focusable) {
            continue;
        }
        let text = text.clone();
        let area = scale.to_picture(widget.bounds);
        let (Some(area), rtl) = (picture.clip(area), is_rtl(&text)) else { continue };
        let whole = |paragraph: Paragraph| -> Option<Paragraph> {
            (!paragraph.links.is_empty() && could_be(&text, &paragraph.lines)).then_some(paragraph)
        };
        let on_mask = |mask: LinkMask| whole(read_links(&mask, rtl));
        let uneven = is_uneven(&picture, area);
        if uneven && widget.value.trim().is_empty() {
            // A picture, with a description and no text of its own.
            continue;
        }
        let found = if uneven {
            let scale = bounded_scale(Size::new(area.width() as u32, area.height() as u32), 1);
            if scale > 1 && reader.is_some() {
                let message =
                    format!("a paragraph is huge ({area}): its lines were looked for at 1/{scale} of its scale");
                screen.tree.diagnostics.push(Diagnostic { offset: None, message });
            }
            let lines = lines_of(reader, &picture, area);
            photo_mask(&picture, area, colours, &lines)
                .and_then(|(mask, lines)| whole(read_links_on(lines, &mask, rtl)))
        } else {
            even_mask(&picture, area, colours).and_then(on_mask)
        };
        let found = found.or_else(|| link_mask(&picture, area, colours).and_then(on_mask));
        let Some(paragraph) = found else { continue };
        let on_display = |found: &Rect| scale.to_display(moved(*found, area.left, area.top));
        let path = Locator::Path(screen.tree.path(widget.node));
        let mut found = Vec::new();
        for link in &paragraph.links {
            let estimate = words_in(&text, &paragraph.lines, &link.boxes, rtl);
            // What was masked in the text must not be read off the picture.
            let words = match reader.filter(|_| !text.contains(MASK)) {
                Some(reader) => {
                    let places = link.boxes.iter().map(|found| moved(*found, area.left, area.top));
                    match read(reader, &picture, &places.collect::<Vec<_>>()) {
                        Ok(read) => snapped(&read, &text, &estimate),
                        Err(reason) => {
                            unread = Some(reason);
                            estimate
                        }
                    }
                }
                None => estimate,
            };
            if !words.is_empty() && !is_name(&words) {
                continue;
            }
            let boxes: Vec<Rect> = link.boxes.iter().map(on_display).collect();
            found.extend(link_widget(&screen.widgets[position], found.len(), words, boxes, &path));
        }
        let paragraph = &mut screen.widgets[position];
        paragraph.links = found.iter().flat_map(|link: &Widget| link.links.clone()).collect();
        if let [only] = found.as_slice() {
            // The middle of the paragraph is no place to touch.
            paragraph.tap = only.tap;
        }
        for mut link in found {
            link.id = screen.widgets.len();
            screen.widgets.push(link);
        }
    }
    if let Some(reason) = unread {
        let message = format!("the links' texts were not read, their labels are estimates: {reason}");
        screen.tree.diagnostics.push(Diagnostic { offset: None, message });
    }
}

/// The lines of a part of the picture, in the part's pixels. None without models: links on photographs are then found
/// less often.
fn lines_of(reader: Option<&TextReader>, picture: &Screenshot, area: Rect) -> Vec<Rect> {
    reader.and_then(|reader| reader.lines(picture, area, 1).ok()).unwrap_or_default()
}

/// What stands in the boxes of a link, with the mean confidence.
fn read(reader: &TextReader, picture: &Screenshot, boxes: &[Rect]) -> Result<(String, f32), String> {
    // A recognizer wants a little air around a line.
    let padded = boxes.iter().map(|found| {
        let air = (found.height() / 8).max(2);
        Rect::new(found.left - air, found.top - air, found.right + air, found.bottom + air)
    });
    let read = reader.read(picture, &padded.collect::<Vec<_>>())?;
    let confidence = read.iter().map(|line| line.confidence).sum::<f32>() / read.len().max(1) as f32;
    let lines = read.iter().map(|line| line.text.trim());
    Ok((lines.collect::<Vec<_>>().join(" "), confidence))
}

/// Texts that can be clicked or focused, or long ones; not those that are one word and a link as a whole.
fn may_hold_link(widget: &Widget, text: &str, focusable: bool) -> bool {
    if !matches!(widget.role, Role::Text | Role::Button | Role::ListItem | Role::Checkbox)
        || widget.class.ends_with("Button")
    {
        return false;
    }
    // A description without a text may as well describe a picture, unless it is a sentence.
    let spoken = widget.value.trim().is_empty();
    let length = text.chars().count();
    let words = text.split_whitespace().count();
    let wide = text.chars().filter(|c| *c >= '\u{2e80}').count();
    let enough = words >= 3 && length >= 10 || wide >= 8;
    enough && !(spoken && length < 25) && (widget.clickable || focusable || length >= 25 || wide >= 12)
}

/// What a link says has a letter, or is a long number to call; a digit or two are a badge.
fn is_name(words: &str) -> bool {
    words.chars().any(char::is_alphabetic) || words.chars().filter(|c| c.is_numeric()).count() >= 5
}

/// True when lines of that size could show the text: else the pixels are a picture the text describes.
fn could_be(text: &str, lines: &[Rect]) -> bool {
    let mut heights: Vec<i32> = lines.iter().map(|line| line.height()).collect();
    heights.sort_unstable();
    let Some(height) = heights.get(heights.len() / 2) else { return false };
    // An average letter is about half as wide as its line's ink is tall.
    let expected = text_width(text) * 0.5 * *height as f32;
    let ink: f32 = lines.iter().map(|line| line.width() as f32).sum();
    ink >= 0.45 * expected && ink <= 2.2 * expected
}

fn link_widget(paragraph: &Widget, number: usize, words: String, boxes: Vec<Rect>, path: &Locator) -> Option<Widget> {
    let widest = boxes.iter().copied().max_by_key(|found| found.width())?;
    // All but the label count equally within the paragraph, so `nth` is the link's number for each of them.
    let mut chain: Vec<Locator> = paragraph
        .selector
        .chain
        .iter()
        .filter(|locator| {
            paragraph.selector.nth == 0
                && matches!(locator, Locator::ResourceId(_) | Locator::Text(_) | Locator::ContentDesc(_))
        })
        .cloned()
        .collect();
    chain.push(path.clone());
    if !words.is_empty() {
        chain.push(Locator::Label(words.clone()));
    }
    chain.push(Locator::Bounds(widest));
    let context: String = paragraph.label.chars().take(120).collect();
    Some(Widget {
        id: 0,
        node: paragraph.node,
        role: Role::Link,
        value: words.clone(),
        label: words,
        shown: None,
        context,
        hint: String::new(),
        resource_id: format!("{}#link{number}", paragraph.resource_id),
        id_words: String::new(),
        class: LINK_CLASS.to_owned(),
        package: paragraph.package.clone(),
        state: WidgetState { enabled: paragraph.state.enabled, ..WidgetState::default() },
        clickable: true,
        long_clickable: false,
        scrollable: false,
        bounds: widest,
        tap: widest.center(),
        links: boxes,
        selector: Selector { class: LINK_CLASS.to_owned(), nth: number, chain },
    })
}

fn moved(rect: Rect, x: i32, y: i32) -> Rect {
    Rect::new(rect.left + x, rect.top + y, rect.right + x, rect.bottom + y)
}

/// Between display pixels and the picture's, where both have the same shape.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    display: i64,
    picture: i64,
}

impl Scale {
    pub(super) fn between(display: Size, picture: Size) -> Option<Self> {
        if [display.width, display.height, picture.width, picture.height].contains(&0) {
            return None;
        }
        // The dump's reach may end above the navigation bar, so the picture may be taller at the same width.
        let (display_w, picture_w) = (i64::from(display.width), i64::from(picture.width));
        let expected = i64::from(display.height) * picture_w / display_w;
        let taller = i64::from(picture.height) - expected;
        let fits = (-2..=expected / 5).contains(&taller);
        fits.then_some(Self { display: display_w, picture: picture_w })
    }

    pub(super) fn to_picture(self, rect: Rect) -> Rect {
        scaled(rect, self.picture, self.display)
    }

    pub(super) fn to_display(self, rect: Rect) -> Rect {
        scaled(rect, self.display, self.picture)
    }
}

fn scaled(rect: Rect, times: i64, over: i64) -> Rect {
    let scale = |edge: i32| (i64::from(edge) * times / over) as i32;
    Rect::new(scale(rect.left), scale(rect.top), scale(rect.right), scale(rect.bottom))
}

#[cfg(test)]
#[path = "link_tests.rs"]
mod tests;
