//! What the pixels tell: screenshot decoding and inline links.
