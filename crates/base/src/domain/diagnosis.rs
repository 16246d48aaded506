//! What was wrong with a look at a device's screen, by name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The name of a trouble with perceiving; part of `result.json`'s contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiagnosisCode {
    /// No hierarchy could be had; what is seen comes from the picture alone.
    NoHierarchy,
    /// A dump failed and was tried again.
    DumpFailed,
    /// The dump leaves out views that are unimportant for accessibility.
    DumpCompressed,
    /// The dump ends in the middle; its whole nodes are used.
    DumpCutOff,
    /// The dump is damaged or odd; what could be read is used.
    DumpDamaged,
    /// The screen was still changing when the time for settling was over.
    NotSettled,
    /// No picture could be taken.
    NoPicture,
    /// The picture is all black: the app protects this screen.
    PictureBlack,
    /// The picture has another shape than the display; nothing is looked for in it.
    PictureOtherSize,
    /// The picture has more pixels than are accepted and was not decoded.
    PictureTooLarge,
    /// The picture's bytes are damaged.
    PictureDamaged,
    /// The device does not tell what has the focus, or whether a keyboard is shown.
    FocusUnknown,
    /// The models that read text in pictures are missing.
    NoTextModels,
    /// The app's texts in other languages could not be read; the model alone bridges languages.
    NoStrings,
}

impl fmt::Display for DiagnosisCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoHierarchy => "no_hierarchy",
            Self::DumpFailed => "dump_failed",
            Self::DumpCompressed => "dump_compressed",
            Self::DumpCutOff => "dump_cut_off",
            Self::DumpDamaged => "dump_damaged",
            Self::NotSettled => "not_settled",
            Self::NoPicture => "no_picture",
            Self::PictureBlack => "picture_black",
            Self::PictureOtherSize => "picture_other_size",
            Self::PictureTooLarge => "picture_too_large",
            Self::PictureDamaged => "picture_damaged",
            Self::FocusUnknown => "focus_unknown",
            Self::NoTextModels => "no_text_models",
            Self::NoStrings => "no_strings",
        })
    }
}

/// One trouble with one look at the screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnosis {
    /// Its name.
    pub code: DiagnosisCode,
    /// What happened and what was done about it.
    pub message: String,
}

impl Diagnosis {
    /// A diagnosis.
    pub fn new(code: DiagnosisCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

/// One kind of trouble over a whole run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DiagnosisCount {
    /// Its name.
    pub code: DiagnosisCode,
    /// How often it occurred.
    pub count: u64,
    /// What was said the first time.
    pub message: String,
}
