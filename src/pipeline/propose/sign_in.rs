//! Sign-in pages: a page that stands before the app until its fields are filled in and sent.

use super::context::{Context, label_fit};
use crate::domain::InputText;
use crate::hierarchy::Widget;
use crate::pipeline::task::{IS_CALLED, Parameter, Verb, said_fit};

impl Context<'_> {
    /// True if the page in front asks for a name and a password, the case has the password, and the clause cannot be done before
    /// the page is passed: it signs in, it is a goal, or nothing that it names is here.
    pub(super) fn must_sign_in(&self) -> bool {
        let clause = self.clause();
        self.is_sign_in() && (clause.verbs.has(Verb::SignIn) || clause.is_goal || self.stands_in_the_way())
    }

    /// True if the case has a password that was not given yet.
    pub(crate) fn has_unused_secret(&self) -> bool {
        let journal = self.episode.journal;
        self.episode
            .parameters
            .iter()
            .any(|parameter| matches!(parameter.value, InputText::Secret { .. }) && !journal.has_given(&parameter.name))
    }

    /// True for a control that says that it signs in, where the case has a password that was not given yet: what is looked for may
    /// stand behind it.
    pub(super) fn leads_to_sign_in(&self, widget: &Widget) -> bool {
        let page = self.model.fields().any(|field| field.state.password);
        widget.clickable && !page && self.model.control(widget.id).verbs.has(Verb::SignIn) && self.has_unused_secret()
    }

    /// True if the page has one hidden field, and it takes or holds a secret of the case. Pages that ask for a secret twice make a
    /// new one.
    fn is_sign_in(&self) -> bool {
        let makes_account = self.clause().verbs.has(Verb::SignUp);
        let hidden = || self.model.fields().filter(|field| field.state.password);
        let secret = |name: &str| {
            let is = |parameter: &&Parameter| parameter.name == name;
            let known = self.episode.parameters.iter().find(is);
            known.is_some_and(|parameter| matches!(parameter.value, InputText::Secret { .. }))
        };
        let takes = || self.bindings.open.iter().any(|binding| secret(&binding.parameter));
        let holds = || self.bindings.held.iter().any(|name| secret(name));
        !self.model.is_dialog() && hidden().count() == 1 && (takes() || holds()) && !makes_account
    }

    /// True if the clause types nothing here and no control in sight is called by a name of it or said by it.
    fn stands_in_the_way(&self) -> bool {
        let clause = self.clause();
        let names = || clause.names.iter().chain(&clause.proper_names);
        let called = |widget: &Widget| names().any(|name| label_fit(widget, name) >= IS_CALLED);
        let lexicon = &self.episode.knowledge.lexicon;
        let said = |widget: &Widget| said_fit(lexicon, &clause.said, &widget.label) >= 1.0;
        let values = self.bindings.open.iter().any(|binding| binding.mentioned);
        !values && !self.model.touchables().any(|widget| called(widget) || said(widget))
    }
}
