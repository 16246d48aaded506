//! Tests across rooms, in one binary.

mod inference;
#[cfg(unix)]
mod model_install;
