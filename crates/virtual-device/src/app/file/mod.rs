//! The app file: reading, checking, schema.

mod action;
mod check;
mod check_action;
mod check_app;
mod check_widget;
mod choice;
mod chrome;
mod declaration;
mod dimension;
mod document;
mod error;
mod expression_patterns;
mod icon_name;
mod located;
mod schema;
mod shorthand;
mod widget;

pub use action::{
    Action, Branch, Crash, Delay, ForEach, KeyboardWish, LogLevel, LogLine, PermissionRequest, PickDate, PickTime,
    Repeat, Script, ScrollEnd, Share, Snackbar,
};
pub use choice::{
    Align, Axis, ButtonStyle, ChartKind, Dialect, InputType, Justify, PhotoKind, Quirk, SpinnerMode, TextAlign,
    TextStyle,
};
pub use chrome::*;
pub use declaration::{Consequence, DarkTheme, Edition, Link, ScreenOrientation, SharedState, Theme, Watch};
pub use dimension::{Color, ColorRole, Edges};
pub use document::{AppFile, Dialog, DialogButton, Document, Icon, Screen, Sheet, version_code};
pub use error::{AppFileError, AppFileIssue, Severity};
pub use icon_name::IconName;
pub use located::{Expression, Located, Source, Text};
pub use schema::json_schema;
pub use shorthand::Milliseconds;
pub use widget::*;
