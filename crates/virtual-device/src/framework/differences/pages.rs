//! The screens that are compared, and the configurations they are compared in.

use crate::Configuration;
use crate::domain::Size;
use std::path::PathBuf;

/// A screen in a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct Page {
    /// Our screen; the framework's class is named like it.
    pub name: &'static str,
    /// Empty is a phone in English, upright, in the light theme; else see [`Page::configuration`].
    pub variant: &'static str,
}

/// Screens, and what has to be touched on our side once they are open (by class or description).
const SCREENS: [(&str, &str); 25] = [
    ("controls", ""),
    ("ranges", ""),
    ("fields", ""),
    ("lists", ""),
    ("dialogs", ""),
    ("choices", "android.widget.Spinner"),
    ("dates", ""),
    ("times", ""),
    ("menus", "More options"),
    ("tabs", ""),
    ("drops", "android.widget.Spinner"),
    ("entries", ""),
    ("multiple", ""),
    ("prompts", ""),
    ("numbers", ""),
    ("wheels", ""),
    ("months", ""),
    ("links", ""),
    ("tables", ""),
    ("grids", ""),
    ("searches", ""),
    ("groups", ""),
    ("locked", ""),
    ("selections", ""),
    ("sideways", ""),
];

/// Configurations beside the plain one, and the screens that are compared in them.
const VARIANTS: [(&str, &[&str]); 5] = [
    ("arabic", &["controls", "ranges", "fields", "dialogs", "choices", "menus", "tabs", "locked", "dates", "times"]),
    ("german", &["dates", "times", "dialogs", "months"]),
    ("large", &["controls", "fields", "dialogs", "lists"]),
    ("lying", &["controls", "dialogs", "lists", "dates", "times"]),
    ("night", &["controls", "dialogs", "dates"]),
];

impl Page {
    /// All that are compared.
    pub(in super::super) fn all() -> Vec<Self> {
        let plain = SCREENS.iter().map(|(name, _)| Self { name, variant: "" });
        let varied = VARIANTS.iter().flat_map(|(variant, names)| names.iter().map(|name| Self { name, variant }));
        plain.chain(varied).collect()
    }

    /// The framework's page of text sizes, in each font scale that was looked at.
    pub(in super::super) fn sizes() -> Vec<Self> {
        ["", "small", "large", "larger", "largest"].map(|variant| Self { name: "sizes", variant }).to_vec()
    }

    /// All that are recorded: those compared node by node, and those whose numbers are.
    pub(in super::super) fn recordings() -> Vec<Self> {
        let said = ["timings", "hours"].map(|name| Self { name, variant: "" });
        Self::all().into_iter().chain(Self::sizes()).chain(said).collect()
    }

    /// Screens whose windows are compared: all upright ones, and two whose nodes are not.
    pub(in super::super) fn windows() -> Vec<Self> {
        let beside = ["toasts", "contexts"];
        SCREENS.iter().map(|(name, _)| *name).chain(beside).map(|name| Self { name, variant: "" }).collect()
    }

    /// Where the framework's windows lie: a line each, `page type bounds focused title`.
    pub(in super::super) fn windows_file() -> PathBuf {
        Self { name: "windows", variant: "" }.file().with_extension("txt")
    }

    /// What is touched on our side once it is open; empty: nothing.
    pub(in super::super) fn touched(self) -> &'static str {
        SCREENS.iter().find(|(name, _)| *name == self.name).map_or("", |(_, touched)| touched)
    }

    /// What the device is set to.
    pub(in super::super) fn configuration(self) -> Configuration {
        let plain = Configuration::default();
        match self.variant {
            "arabic" => Configuration { locale: "ar-EG".to_owned(), ..plain },
            "german" => Configuration { locale: "de-DE".to_owned(), ..plain },
            "small" => Configuration { font_scale: 0.85, ..plain },
            "large" => Configuration { font_scale: 1.3, ..plain },
            "larger" => Configuration { font_scale: 1.6, ..plain },
            "largest" => Configuration { font_scale: 2.0, ..plain },
            "lying" => Configuration { display: Size::new(2400, 1080), rotation: 1, ..plain },
            "night" => Configuration { night: true, ..plain },
            _ => plain,
        }
    }

    /// The framework's class.
    pub(in super::super) fn class(self) -> String {
        let (first, rest) = self.name.split_at(1);
        format!("tapwright.framework.gallery.{}{rest}", first.to_uppercase())
    }

    /// Where the framework's dump lies.
    pub(in super::super) fn file(self) -> PathBuf {
        let dash = if self.variant.is_empty() { "" } else { "-" };
        let name = format!("{}{dash}{}.xml", self.name, self.variant);
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src/framework/differences/framework")).join(name)
    }

    /// The framework's dump.
    pub(in super::super) fn recorded(self) -> String {
        let file = self.file();
        std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    }
}
