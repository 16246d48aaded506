//! How an app looks, and where its actions live: drawn once an app.

use crate::draw::Draw;
use crate::vocabulary::Subject;
use serde::Serialize;
use serde_json::Value;

/// How the parts of an app are reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Navigation {
    BottomBar,
    Drawer,
    Tabs,
    Overflow,
    Hub,
    /// Icons in the app bar.
    Icons,
    /// A sheet behind an icon.
    Menu,
}

/// What a row of the list looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Rows {
    /// A line that is opened; holding it shows its actions.
    Plain,
    /// Icons at its end.
    Icons,
    /// A card with buttons.
    Cards,
    /// The same with a picture.
    Photos,
}

/// What begins a new thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Creating {
    RoundButton,
    WideButton,
    BarIcon,
    BottomButton,
}

/// How a choice is made in a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Choosing {
    Spinner,
    Chips,
    Radios,
}

/// Where a thing is removed on its own page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Removing {
    Button,
    Menu,
    BarIcon,
}

/// What is asked before something is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Asking {
    Dialog,
    Sheet,
}

/// What the views are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Ids {
    Telling,
    Minified,
    None,
}

/// How an app narrows its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Finding {
    Search,
    Filter,
    Both,
}

/// The toolkit an app is made with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Toolkit {
    Views,
    Compose,
    Flutter,
    ReactNative,
    Web,
}

impl Toolkit {
    /// What its screens are called in app files; nothing for plain views.
    pub(crate) const fn dialect(self) -> Option<&'static str> {
        match self {
            Self::Views => None,
            Self::Compose => Some("compose"),
            Self::Flutter => Some("flutter"),
            Self::ReactNative => Some("react_native"),
            Self::Web => Some("web"),
        }
    }
}

/// Where a field says what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Labelling {
    /// Within it, and over its edge once it holds something.
    Floating,
    /// A text over it.
    Over,
}

/// Where a new thing stands in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Order {
    NewestFirst,
    NewestLast,
}

/// The words an app chose among those that mean the same.
#[derive(Debug, Clone)]
pub(crate) struct Labels<'l> {
    pub(crate) app: &'l str,
    pub(crate) settings: &'l str,
    pub(crate) overview: &'l str,
    pub(crate) search: &'l str,
    pub(crate) save: &'l str,
    pub(crate) edit: &'l str,
    pub(crate) cancel: &'l str,
    /// Carries out what was asked: the action's own word, or a plain yes.
    pub(crate) yes: &'l str,
}

/// The surface of one app.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Surface<'l> {
    pub(crate) navigation: Navigation,
    pub(crate) rows: Rows,
    pub(crate) creating: Creating,
    pub(crate) choosing: Choosing,
    pub(crate) removing: Removing,
    pub(crate) asking: Asking,
    pub(crate) ids: Ids,
    pub(crate) finding: Finding,
    pub(crate) toolkit: Toolkit,
    pub(crate) labelling: Labelling,
    pub(crate) order: Order,
    #[serde(skip)]
    pub(crate) labels: Labels<'l>,
}

impl<'l> Surface<'l> {
    pub(crate) fn of(subject: &Subject<'l>, draw: &mut Draw) -> Self {
        use {
            Asking as A, Choosing as C, Creating as N, Finding as F, Ids as I, Navigation as Nav, Removing as R,
            Rows as L,
        };
        let (book, wording) = (subject.book, subject.wording);
        let yes = if draw.chance(60) { wording.remove.as_str() } else { draw.text(&book.yes) };
        let labels = Labels {
            app: draw.text(&wording.apps),
            settings: draw.text(&book.settings),
            overview: draw.text(&book.overview),
            search: draw.text(&book.search),
            save: draw.text(&book.save),
            edit: draw.text(&book.edit),
            cancel: draw.text(&book.cancel),
            yes,
        };
        let toolkit = draw.one([Toolkit::Views], &[Toolkit::Views, Toolkit::Views, Toolkit::Compose]);
        // A search field of Compose shows no hint that could be called by its name.
        let finding = match toolkit {
            Toolkit::Compose | Toolkit::Flutter | Toolkit::ReactNative | Toolkit::Web => F::Filter,
            Toolkit::Views => draw.one([F::Search], &[F::Filter, F::Both]),
        };
        Self {
            navigation: draw.one([Nav::BottomBar], &[Nav::Drawer, Nav::Tabs, Nav::Overflow, Nav::Hub]),
            rows: draw.one([L::Plain], &[L::Icons, L::Cards]),
            creating: draw.one([N::RoundButton], &[N::WideButton, N::BarIcon, N::BottomButton]),
            choosing: draw.one([C::Spinner], &[C::Chips, C::Radios]),
            removing: draw.one([R::Button], &[R::Menu, R::BarIcon]),
            asking: draw.one([A::Dialog], &[A::Dialog, A::Sheet]),
            ids: draw.one([I::Telling], &[I::Minified, I::None]),
            finding,
            toolkit,
            labelling: draw.one([Labelling::Over], &[Labelling::Over, Labelling::Floating]),
            order: draw.one([Order::NewestFirst], &[Order::NewestLast]),
            labels,
        }
    }

    /// The surface of an app of a split: of more kinds than those of plain seeds.
    pub(crate) fn rich(subject: &Subject<'l>, draw: &mut Draw) -> Self {
        use {Navigation as N, Rows as R, Toolkit as T};
        let mut surface = Self::of(subject, draw);
        surface.toolkit = draw.one([T::Views], &[T::Views, T::Views, T::Compose, T::Flutter, T::ReactNative, T::Web]);
        if surface.toolkit != T::Views {
            surface.finding = Finding::Filter;
        }
        // Pages of these toolkits do not tell a floating label.
        if matches!(surface.toolkit, T::Web | T::Flutter) {
            surface.labelling = Labelling::Over;
        }
        surface.navigation = draw.one([N::BottomBar], &[N::Drawer, N::Tabs, N::Overflow, N::Hub, N::Icons, N::Menu]);
        let pictures = if subject.family.photos.is_some() { R::Photos } else { R::Cards };
        surface.rows = draw.one([R::Plain], &[R::Icons, R::Cards, pictures]);
        surface
    }

    /// What was drawn, as tags: `navigation:drawer`.
    pub(crate) fn tags(&self) -> Vec<String> {
        let drawn = serde_json::to_value(self).unwrap_or_default();
        let tag = |(part, choice): (&String, &Value)| Some(format!("{part}:{}", choice.as_str()?));
        drawn.as_object().into_iter().flatten().filter_map(tag).collect()
    }

    /// The resource id of a view, as its developers left it.
    pub(crate) fn id(&self, name: &str) -> Option<String> {
        match self.ids {
            Ids::Telling => Some(name.to_owned()),
            Ids::None => None,
            // Three letters, as a minifier leaves them; told apart by the name's letters.
            Ids::Minified => {
                let sum = name.bytes().fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte)));
                let letter = |shift: u32| char::from(b'a' + (sum / shift % 26) as u8);
                Some([letter(1), letter(26), letter(676)].into_iter().collect())
            }
        }
    }
}
