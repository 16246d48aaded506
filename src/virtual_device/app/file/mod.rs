//! The app file: reading, checking, schema.

mod action;
mod check;
mod check_widget;
mod choice;
mod chrome;
mod dimension;
mod document;
mod error;
mod icon_name;
mod located;
mod schema;
mod widget;

pub use action::{Action, Branch, Delay, Script};
pub use choice::{
    Align, Axis, ButtonStyle, ChartKind, Dialect, InputType, Justify, PhotoKind, Quirk, SpinnerMode, TextAlign,
    TextStyle,
};
pub use chrome::*;
pub use dimension::{Color, ColorRole, Edges};
pub use document::{AppFile, Dialog, DialogButton, Document, Icon, Screen, Sheet};
pub use error::{AppFileError, AppFileIssue};
pub use icon_name::IconName;
pub use located::{Expression, Located, Source, Text};
pub use schema::json_schema;
pub use widget::*;
