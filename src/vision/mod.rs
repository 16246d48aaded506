//! What the pixels tell: screenshot decoding and inline links.

mod annotate;
mod decode;
mod estimate;
mod link;
mod link_mask;
mod link_widget;

pub use annotate::annotate;
pub use decode::{MAX_PIXELS, PictureError, decode_png, encode_png};
pub use link_mask::DEFAULT_LINK_COLOURS;
pub use link_widget::find_links;
