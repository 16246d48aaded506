//! What the pixels tell: screenshot decoding and inline links.

mod annotate;
mod covering;
mod decode;
mod estimate;
mod link;
mod link_mask;
mod link_text;
mod link_votes;
mod link_whole;
mod link_widget;
mod marked;
mod mute_screen;
mod shrink;
mod strokes;
mod text_reader;
mod underline;

pub use annotate::annotate;
pub use covering::Covering;
pub use decode::{MAX_PIXELS, PictureError, decode_png, encode_png};
pub use link_mask::DEFAULT_LINK_COLOURS;
pub use link_widget::find_links;
pub use marked::marked;
pub use mute_screen::{read_mute_screen, read_picture};
pub use shrink::encode_small_png;
pub use text_reader::{TextModels, TextReader};
