//! The check of actions.

use super::check::Checker;
use super::check_app::list;
use super::{Action, Located, PermissionRequest, Text};

impl Checker<'_> {
    pub(super) fn screen_reference(&mut self, to: &Located<String>) {
        if self.screens.contains(to.value.as_str()) {
            self.opened.insert(to.value.clone());
        } else {
            let known = list(self.screens.iter().copied());
            self.issue(to, format!("no screen {:?}; there are: {}", to.value, known));
        }
    }

    /// Actions, and what they lead to.
    pub(super) fn script(&mut self, script: &[Action]) {
        let outer = std::mem::replace(&mut self.acting, true);
        for action in script {
            self.action(action);
        }
        self.acting = outer;
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::Goto(to) | Action::Replace(to) | Action::Restart(to) | Action::BackTo(to) => {
                self.screen_reference(to);
            }
            Action::Show(id) => {
                if self.overlays.contains(id.value.as_str()) {
                    self.opened.insert(id.value.clone());
                } else {
                    let known = list(self.overlays.iter().copied());
                    self.issue(id, format!("no dialog or sheet {:?}; there are: {}", id.value, known));
                }
            }
            Action::Set(values) => {
                for (name, value) in values {
                    self.assigned(&Located { value: name.clone(), line: value.line, column: value.column });
                    self.new_value(name, value);
                }
            }
            Action::Toast(text) | Action::OpenUrl(text) | Action::Copy(text) => self.text(text),
            Action::Snackbar(snackbar) => {
                let text = &snackbar.value.text;
                // Written as a plain text, it has the place of the action.
                let (line, column) =
                    if text.line == 0 { (snackbar.line, snackbar.column) } else { (text.line, text.column) };
                self.text(&Text { value: text.value.clone(), line, column });
                snackbar.value.action.iter().for_each(|t| self.text(t));
                if snackbar.value.action.is_none() && !snackbar.value.on_action.is_empty() {
                    self.issue(snackbar, "a snackbar with `on_action` needs an `action`, its button's text".to_owned());
                }
                self.script(&snackbar.value.on_action);
            }
            Action::RequestPermission(request) => self.permission_request(request),
            Action::Share(share) => {
                self.text(&share.text);
                share.title.iter().for_each(|t| self.text(t));
            }
            Action::Launch(package) => self.package_name(package),
            Action::PickDate(pick) => {
                self.variable(&pick.bind);
                pick.min.iter().chain(&pick.max).for_each(|e| self.expression(e));
                self.script(&pick.on_set);
            }
            Action::PickTime(pick) => {
                self.variable(&pick.bind);
                self.script(&pick.on_set);
            }
            Action::Log(line) => self.text(&line.text),
            Action::Focus(variable) => self.variable(variable),
            Action::Delay(delay) => self.script(&delay.then),
            Action::Repeat(repeat) => {
                repeat.condition.iter().for_each(|e| self.expression(e));
                self.script(&repeat.then);
            }
            Action::ForEach(each) => {
                let first = self.first_of(&each.items);
                let depth = self.scope.len();
                self.scope.push_dynamic("item", first);
                self.scope.push("index", 0_i64);
                self.script(&each.then);
                self.scope.rewind(depth);
            }
            Action::If(branch) => {
                self.expression(&branch.when);
                self.script(&branch.then);
                self.script(&branch.otherwise);
            }
            Action::Crash(crash) => {
                self.text(&Text { value: crash.value.message.clone(), line: crash.line, column: crash.column });
            }
            Action::Back
            | Action::Finish
            | Action::Close
            | Action::OpenDrawer
            | Action::CloseDrawer
            | Action::Keyboard(_)
            | Action::ScrollTo(_)
            | Action::Anr
            | Action::Kill => {}
        }
    }

    fn permission_request(&mut self, request: &PermissionRequest) {
        for name in request.all() {
            if !self.document.permissions.iter().any(|known| known.value == name.value) {
                let known = list(self.document.permissions.iter().map(|p| &p.value));
                self.issue(
                    name,
                    format!("the permission {:?} is not declared under `permissions:`; declared: {known}", name.value),
                );
            }
        }
        self.script(&request.granted);
        self.script(&request.denied);
    }
}
