//! The page that wants to know who uses the app, before anything else.

use crate::app::{Blueprint, literal, widget};
use serde_json::{Value, json};

/// Who uses the app, and the password.
pub(crate) struct SignIn;

impl SignIn {
    pub(crate) const USER: &'static str = "mara.lindqvist@example.org";
    pub(crate) const PASSWORD: &'static str = "Kestrel-41";

    /// The app's first screen.
    pub(crate) fn screen(of: &Blueprint<'_>) -> Value {
        let known = format!("trim(user) == {} && password == {}", literal(Self::USER), literal(Self::PASSWORD));
        let enter = json!([
            {"keyboard": "hide"},
            {"if": {"when": known, "then": [{"restart": of.root()}], "else": [{"set": {"refused": "true", "password": "\"\""}}]}},
        ]);
        let mut body = vec![
            widget(
                "image",
                json!({"icon": of.subject.family.icon, "size": 72, "color": "primary", "align_self": "center"}),
            ),
            widget("text", json!({"text": of.surface.labels.app, "style": "headline", "align_text": "center"})),
        ];
        body.extend(of.field("user", of.word("user"), "email"));
        body.extend(of.field("password", of.word("password"), "password"));
        body.push(widget("text", json!({"text": of.word("refused"), "color": "error", "visible": "refused"})));
        body.push(of.main_button(of.word("sign_in"), enter.as_array().cloned().unwrap_or_default()));
        body.push(widget(
            "button",
            json!({"text": of.word("forgot"), "style": "text", "on_tap": [{"toast": of.word("forgot_said")}]}),
        ));
        let mut screen = of.page("sign_in", of.word("sign_in"), body);
        screen["up"] = json!(false);
        screen["padding"] = json!(24);
        screen
    }

    /// Variables with their first values.
    pub(crate) fn state() -> Vec<(&'static str, Value)> {
        vec![("user", json!("")), ("password", json!("")), ("refused", json!(false))]
    }
}
