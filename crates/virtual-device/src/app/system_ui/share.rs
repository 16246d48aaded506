//! The share sheet (`ChooserActivity`).

use super::super::AppContext;
use super::super::build::{GESTURE_BAR, base_style, fixed};
use super::super::file::{ColorRole, IconName, TextAlign};
use super::super::palette::{WHITE, readable_on};
use super::super::scene::{Node, NodeIndex, Surface};
use super::super::target::Target;
use super::page::{Page, Place, Words};
use super::window::{View, Window};
use crate::system::ApiLevel;
use crate::system::system_ui::{ShareSheet, answer};
use crate::{AppProcess, SystemRequest};

/// Targets in a row.
const COLUMNS: usize = 4;

/// The share sheet.
pub fn share(context: AppContext, api: ApiLevel, sheet: ShareSheet) -> Box<dyn AppProcess> {
    Box::new(Window::new(context, Sheet { api, sheet }))
}

struct Sheet {
    api: ApiLevel,
    sheet: ShareSheet,
}

impl Sheet {
    fn own_id(&self, name: &str) -> String {
        format!("{}:id/{name}", self.package())
    }

    fn target(page: &mut Page<'_>, line: NodeIndex, package: &str, label: &str) {
        let mut cell =
            Page::touchable("android.widget.LinearLayout", "", "", &format!("{}{package}", answer::SHARE_WITH));
        cell.style.size.width = taffy::Dimension::percent(1.0 / COLUMNS as f32);
        cell.style.align_items = taffy::AlignItems::CENTER;
        page.pad(&mut cell, 8.0, 4.0);
        page.gap(&mut cell, 6.0);
        let cell = page.add(line, cell);
        let size = page.px(52.0);
        let mut icon = Page::view("android.widget.ImageView", "android:id/icon");
        icon.style = fixed(base_style(), Some(size), Some(size));
        icon.style.align_items = taffy::AlignItems::CENTER;
        icon.style.justify_content = taffy::JustifyContent::CENTER;
        icon.surface = Some(Surface::rounded(page.accent(), size / 2.0));
        let icon = page.add(cell, icon);
        let letter = label.chars().next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
        let color = readable_on(page.accent());
        let letter = page.drawn(letter, Words { size: 24.0, medium: false, color, align: TextAlign::Center });
        page.add(icon, letter);
        let words = Words { size: 12.0, medium: false, color: page.ink(), align: TextAlign::Center };
        let name = page.text("android:id/text1", label, words);
        page.add(cell, name);
    }
}

impl View for Sheet {
    fn package(&self) -> &'static str {
        if self.api.since(34) { "com.android.intentresolver" } else { "android" }
    }

    fn activity(&self) -> String {
        let class = if self.api.since(34) {
            "com.android.intentresolver.ChooserActivity"
        } else {
            "com.android.internal.app.ChooserActivity"
        };
        class.to_owned()
    }

    fn build(&self, page: &mut Page<'_>) {
        let root = page.dimmed(Place::Bottom, Some(answer::DISMISSED));
        let mut window = Page::view("android.widget.FrameLayout", "");
        let width = (page.context.display.width as f32).min(page.px(640.0));
        window.style = fixed(base_style(), Some(width), None);
        let fill = page.palette.surface();
        window.surface = Some(Surface { top_only: true, ..Surface::rounded(fill, page.px(28.0)) });
        window.target = Some(Target::Inert);
        let window = page.add(root, window);
        let mut panel = Page::view("android.widget.ScrollView", "android:id/contentPanel");
        page.pad(&mut panel, 12.0, 16.0);
        page.gap(&mut panel, 12.0);
        panel.style.padding.bottom = page.length(GESTURE_BAR + 16.0);
        let panel = page.add(window, panel);
        let mut style = fixed(base_style(), Some(page.px(32.0)), Some(page.px(4.0)));
        style.align_self = Some(taffy::AlignItems::CENTER);
        let handle = Surface::rounded(page.palette.role(ColorRole::Outline), page.px(2.0));
        page.add(panel, Node { style, surface: Some(handle), ..Node::default() });
        let headline = self.sheet.title.clone().unwrap_or_else(|| "Sharing text".to_owned());
        let words = Words { size: 18.0, medium: true, color: page.ink(), align: TextAlign::Start };
        let id = if self.api.since(34) { self.own_id("headline") } else { "android:id/title".to_owned() };
        let title = page.text(&id, &headline, words);
        page.add(panel, title);
        let mut preview =
            Page::row(Page::view("android.widget.LinearLayout", &self.own_id("content_preview_text_layout")));
        preview.surface = Some(Surface::rounded(page.palette.raised(), page.px(16.0)));
        page.pad(&mut preview, 12.0, 16.0);
        page.gap(&mut preview, 12.0);
        let preview = page.add(panel, preview);
        let words = Words { size: 14.0, medium: false, color: page.ink(), align: TextAlign::Start };
        let mut text = page.text(&self.own_id("content_preview_text"), &self.sheet.text, words);
        text.style.flex_grow = 1.0;
        text.style.flex_shrink = 1.0;
        page.add(preview, text);
        let mut copy = Page::row(Page::touchable(
            "android.widget.Button",
            &self.own_id(if self.api.since(34) { "copy" } else { "chooser_copy_button" }),
            &page.say("Copy"),
            answer::COPY,
        ));
        copy.surface = Some(Surface::rounded(page.accent(), page.px(18.0)));
        page.pad(&mut copy, 8.0, 14.0);
        let copy = page.add(preview, copy);
        let color = readable_on(page.accent());
        let color = if color == WHITE { WHITE } else { color };
        let label = page.drawn(page.say("Copy"), Words { size: 14.0, medium: true, color, align: TextAlign::Center });
        page.add(copy, label);
        let list = page.layout(panel, "androidx.recyclerview.widget.RecyclerView", "android:id/resolver_list");
        if self.sheet.targets.is_empty() {
            let mut none = Page::row(Page::view("android.widget.LinearLayout", ""));
            page.pad(&mut none, 16.0, 0.0);
            page.gap(&mut none, 12.0);
            let none = page.add(list, none);
            let icon = page.icon(IconName::Info, 20.0, page.muted());
            page.add(none, icon);
            let words = Words { size: 14.0, medium: false, color: page.muted(), align: TextAlign::Start };
            let text = page.text("android:id/empty", &page.say("No apps can perform this action."), words);
            page.add(none, text);
        }
        for row in self.sheet.targets.chunks(COLUMNS) {
            let mut style = base_style();
            style.flex_direction = taffy::FlexDirection::Row;
            let line = page.add(list, Node { style, ..Node::default() });
            for (package, label) in row {
                Self::target(page, line, package, label);
            }
        }
    }

    fn touched(&mut self, command: &str) -> Option<SystemRequest> {
        Some(SystemRequest::Answer(command.to_owned()))
    }
}
