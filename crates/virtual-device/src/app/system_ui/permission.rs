//! The runtime permission dialog of each Android version (`grant_permissions.xml`).

use super::super::AppContext;
use super::super::build::{base_style, fixed};
use super::super::file::{ColorRole, IconName, TextAlign};
use super::super::palette::readable_on;
use super::super::scene::{Content, Node, NodeIndex, Surface};
use super::page::{Page, Place, Words};
use super::window::{View, Window};
use crate::system::system_ui::{PermissionPrompt, answer, permission_controller};
use crate::system::{ApiLevel, PermissionGroup, runtime_permission};
use crate::{AppProcess, SystemRequest};

const FINE: &str = "android.permission.ACCESS_FINE_LOCATION";
const PRECISE: &str = "choose:precise";
const APPROXIMATE: &str = "choose:approximate";
const DO_NOT_ASK: &str = "choose:do_not_ask";

/// A runtime permission dialog.
pub fn permission(context: AppContext, api: ApiLevel, prompt: PermissionPrompt) -> Box<dyn AppProcess> {
    let first = prompt.permissions.first().and_then(|name| runtime_permission(name, api));
    let group = first.map_or(PermissionGroup::Storage, |permission| permission.group);
    Box::new(Window::new(context, Dialog { api, prompt, group, precise: true, do_not_ask: false }))
}

struct Dialog {
    api: ApiLevel,
    prompt: PermissionPrompt,
    group: PermissionGroup,
    /// Of the two accuracies of a location, the precise one is chosen.
    precise: bool,
    /// "Don't ask again" is ticked (up to API 28).
    do_not_ask: bool,
}

/// A button: id, text, answer.
type Choice = (&'static str, &'static str, &'static str);

impl Dialog {
    fn id(&self, name: &str) -> String {
        format!("{}:id/{name}", permission_controller(self.api).1)
    }

    fn message(&self, page: &Page<'_>) -> String {
        page.say(&format!("Allow {{}} to {}?", self.group.request(self.api))).replace("{}", &self.prompt.label)
    }

    const fn symbol(&self) -> IconName {
        match self.group {
            PermissionGroup::Location | PermissionGroup::BackgroundLocation | PermissionGroup::Nearby => IconName::Pin,
            PermissionGroup::Camera | PermissionGroup::Visual => IconName::Scan,
            PermissionGroup::Contacts => IconName::People,
            PermissionGroup::Calendar => IconName::Calendar,
            PermissionGroup::Phone | PermissionGroup::CallLog => IconName::Phone,
            PermissionGroup::Sms => IconName::Mail,
            PermissionGroup::Sensors => IconName::Heart,
            PermissionGroup::Activity => IconName::Person,
            PermissionGroup::Notifications | PermissionGroup::Microphone | PermissionGroup::Aural => IconName::Bell,
            PermissionGroup::Storage => IconName::Receipt,
        }
    }

    /// Whether precise and approximate location are offered.
    fn offers_accuracy(&self) -> bool {
        self.api.since(31)
            && self.group == PermissionGroup::Location
            && self.prompt.permissions.iter().any(|name| name == FINE)
    }

    fn choices(&self) -> Vec<Choice> {
        let deny = match (self.prompt.again, self.api.since(31)) {
            (false, true) => ("permission_deny_button", "Don’t allow", answer::DENY),
            (true, true) => ("permission_deny_and_dont_ask_again_button", "Don’t allow", answer::DENY_ALWAYS),
            (false, false) => ("permission_deny_button", "Deny", answer::DENY),
            (true, false) => {
                ("permission_deny_and_dont_ask_again_button", "Deny & don’t ask again", answer::DENY_ALWAYS)
            }
        };
        let (allow, once) = if self.precise {
            (answer::ALLOW, answer::ALLOW_ONCE)
        } else {
            (answer::ALLOW_COARSE, answer::ALLOW_COARSE_ONCE)
        };
        let mut choices = Vec::new();
        if self.group == PermissionGroup::Visual && self.api.since(34) {
            choices.push(("permission_allow_selected_button", "Allow limited access", answer::ALLOW_SELECTED));
            choices.push(("permission_allow_all_button", "Allow all", answer::ALLOW));
        } else if self.group.is_foreground_only() && (self.api.since(30) || self.group == PermissionGroup::Location) {
            choices.push(("permission_allow_foreground_only_button", "While using the app", allow));
            if self.api.since(30) {
                choices.push(("permission_allow_one_time_button", "Only this time", once));
            }
        } else {
            choices.push(("permission_allow_button", "Allow", answer::ALLOW));
        }
        choices.push(deny);
        choices
    }

    /// Android 10 and later: a column of buttons.
    fn build_new(&self, page: &mut Page<'_>) {
        let pills = self.api.since(31);
        let root = page.dimmed(if pills { Place::Center } else { Place::Bottom }, None);
        let window = page.card(root, if pills { 24.0 } else { 12.0 }, if pills { 28.0 } else { 8.0 });
        if !pills {
            let margin = taffy::LengthPercentageAuto::length(page.px(36.0));
            if let Some(node) = page.scene.nodes.get_mut(window) {
                node.style.margin.bottom = margin;
            }
        }
        let content = page.layout(window, "android.widget.FrameLayout", "android:id/content");
        let singleton = page.layout(content, "android.widget.LinearLayout", &self.id("grant_singleton"));
        let mut dialog = Page::view("android.widget.LinearLayout", &self.id("grant_dialog"));
        page.pad(&mut dialog, 24.0, if pills { 24.0 } else { 0.0 });
        page.gap(&mut dialog, 16.0);
        let dialog = page.add(singleton, dialog);
        let mut head = Page::view("android.widget.LinearLayout", &self.id("content_container"));
        head.style.align_items = taffy::AlignItems::CENTER;
        page.gap(&mut head, 16.0);
        page.pad(&mut head, 0.0, if pills { 0.0 } else { 24.0 });
        let head = page.add(dialog, head);
        let mut icon = Page::view("android.widget.ImageView", &self.id("permission_icon"));
        icon.content = Content::Icon(self.symbol(), page.accent());
        icon.style = fixed(base_style(), Some(page.px(28.0)), Some(page.px(28.0)));
        page.add(head, icon);
        let words = Words { size: 20.0, medium: false, color: page.ink(), align: TextAlign::Center };
        let message = page.text(&self.id("permission_message"), &self.message(page), words);
        page.add(head, message);
        if self.offers_accuracy() {
            self.accuracy(page, dialog);
        }
        let mut buttons = Page::view("android.widget.LinearLayout", "");
        page.gap(&mut buttons, if pills { 4.0 } else { 0.0 });
        let buttons = page.add(dialog, buttons);
        for (name, text, choice) in self.choices() {
            let text = &page.say(text);
            let mut button = Page::touchable("android.widget.Button", &self.id(name), text, choice);
            button.style.min_size.height =
                taffy::LengthPercentageAuto::length(page.px(if pills { 56.0 } else { 48.0 }));
            button.style.justify_content = taffy::JustifyContent::CENTER;
            page.pad(&mut button, 8.0, 16.0);
            let fill = page.palette.role(ColorRole::Container);
            if pills {
                button.surface = Some(Surface::rounded(fill, page.px(16.0)));
            }
            let color = if pills { readable_on(fill) } else { page.accent() };
            let button = page.add(buttons, button);
            let words = Words { size: 14.0, medium: true, color, align: TextAlign::Center };
            let label = page.drawn(text, words);
            page.add(button, label);
        }
    }

    fn accuracy(&self, page: &mut Page<'_>, dialog: NodeIndex) {
        let mut group =
            Page::row(Page::view("android.widget.RadioGroup", &self.id("permission_location_accuracy_radio_group")));
        group.style.justify_content = taffy::JustifyContent::SPACE_EVENLY;
        let group = page.add(dialog, group);
        let both = [
            ("permission_location_accuracy_radio_fine", "Precise", PRECISE, true),
            ("permission_location_accuracy_radio_coarse", "Approximate", APPROXIMATE, false),
        ];
        for (name, text, command, precise) in both {
            let chosen = self.precise == precise;
            let text = &page.say(text);
            let mut radio = Page::touchable("android.widget.RadioButton", &self.id(name), text, command);
            if let Some(access) = &mut radio.access {
                access.checkable = true;
                access.checked = chosen;
            }
            radio.style.align_items = taffy::AlignItems::CENTER;
            page.gap(&mut radio, 8.0);
            let radio = page.add(group, radio);
            let size = page.px(96.0);
            let mut style = fixed(base_style(), Some(size), Some(size));
            style.align_items = taffy::AlignItems::CENTER;
            style.justify_content = taffy::JustifyContent::CENTER;
            let ring = if chosen { (page.accent(), page.px(3.0)) } else { (page.muted(), page.px(1.0)) };
            let fill = page.palette.role(ColorRole::Container);
            let surface = Surface { border: Some(ring), ..Surface::rounded(fill, size / 2.0) };
            let disc = page.add(radio, Node { style, surface: Some(surface), ..Node::default() });
            let icon = page.icon(IconName::Pin, if precise { 36.0 } else { 24.0 }, page.accent());
            page.add(disc, icon);
            let words = Words { size: 14.0, medium: chosen, color: page.ink(), align: TextAlign::Center };
            let label = page.drawn(text, words);
            page.add(radio, label);
        }
    }

    /// Up to Android 9: icon and text, two buttons in a row.
    fn build_old(&self, page: &mut Page<'_>) {
        let root = page.dimmed(Place::Center, None);
        let window = page.card(root, 24.0, 3.0);
        let content = page.layout(window, "android.widget.FrameLayout", "android:id/content");
        let mut container = Page::view("android.widget.LinearLayout", &self.id("dialog_container"));
        page.pad(&mut container, 12.0, 0.0);
        let container = page.add(content, container);
        let mut description = Page::row(Page::view("android.widget.LinearLayout", &self.id("desc_container")));
        description.style.align_items = taffy::AlignItems::FLEX_START;
        page.pad(&mut description, 12.0, 24.0);
        page.gap(&mut description, 20.0);
        let description = page.add(container, description);
        let mut icon = Page::view("android.widget.ImageView", &self.id("permission_icon"));
        icon.content = Content::Icon(self.symbol(), page.accent());
        icon.style = fixed(base_style(), Some(page.px(24.0)), Some(page.px(24.0)));
        page.add(description, icon);
        let words = Words { size: 18.0, medium: false, color: page.ink(), align: TextAlign::Start };
        let mut message = page.text(&self.id("permission_message"), &self.message(page), words);
        message.style.flex_shrink = 1.0;
        message.style.flex_grow = 1.0;
        page.add(description, message);
        if self.prompt.again {
            let text = "Don’t ask again";
            let mut tick = Page::row(Page::touchable(
                "android.widget.CheckBox",
                &self.id("do_not_ask_checkbox"),
                text,
                DO_NOT_ASK,
            ));
            if let Some(access) = &mut tick.access {
                access.checkable = true;
                access.checked = self.do_not_ask;
            }
            page.pad(&mut tick, 8.0, 24.0);
            page.gap(&mut tick, 20.0);
            let tick = page.add(container, tick);
            let style = fixed(base_style(), Some(page.px(24.0)), Some(page.px(24.0)));
            let content = Content::Checkbox { checked: self.do_not_ask, color: page.accent() };
            page.add(tick, Node { style, content, ..Node::default() });
            let words = Words { size: 16.0, medium: false, color: page.ink(), align: TextAlign::Start };
            let label = page.drawn(text, words);
            page.add(tick, label);
        }
        let mut bar = Page::row(Page::view("android.widget.LinearLayout", &self.id("button_group")));
        bar.style.justify_content = taffy::JustifyContent::FLEX_END;
        page.pad(&mut bar, 4.0, 12.0);
        let bar = page.add(container, bar);
        if self.prompt.of > 1 {
            let text = format!("{} of {}", self.prompt.number, self.prompt.of);
            let words = Words { size: 12.0, medium: false, color: page.muted(), align: TextAlign::Start };
            let mut number = page.text(&self.id("current_page_text"), &text, words);
            number.style.flex_grow = 1.0;
            number.style.margin.left = taffy::LengthPercentageAuto::length(page.px(12.0));
            page.add(bar, number);
        }
        let deny = if self.do_not_ask { answer::DENY_ALWAYS } else { answer::DENY };
        let both = [("permission_deny_button", "Deny", deny), ("permission_allow_button", "Allow", answer::ALLOW)];
        for (name, text, choice) in both {
            let text = &page.say(text).to_uppercase();
            let mut button = Page::touchable("android.widget.Button", &self.id(name), text, choice);
            button.enabled = !(self.do_not_ask && choice == answer::ALLOW);
            button.style.min_size.height = taffy::LengthPercentageAuto::length(page.px(48.0));
            button.style.justify_content = taffy::JustifyContent::CENTER;
            page.pad(&mut button, 0.0, 14.0);
            let color = if button.enabled { page.accent() } else { page.muted() };
            let button = page.add(bar, button);
            let label = page.drawn(text, Words { size: 14.0, medium: true, color, align: TextAlign::Center });
            page.add(button, label);
        }
    }
}

impl View for Dialog {
    fn package(&self) -> &str {
        permission_controller(self.api).0
    }

    fn activity(&self) -> String {
        permission_controller(self.api).2.to_owned()
    }

    fn build(&self, page: &mut Page<'_>) {
        if self.api.since(29) { self.build_new(page) } else { self.build_old(page) }
    }

    fn touched(&mut self, command: &str) -> Option<SystemRequest> {
        match command {
            PRECISE => self.precise = true,
            APPROXIMATE => self.precise = false,
            DO_NOT_ASK => self.do_not_ask = !self.do_not_ask,
            choice => return Some(SystemRequest::Answer(choice.to_owned())),
        }
        None
    }
}
